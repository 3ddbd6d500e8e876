//! How results are printed: tables for people, JSON and CSV for programs, complaints on standard error.

use std::fmt::{Arguments, Display};
use std::io::{self, BufWriter, IsTerminal, Stdout, Write};

use anstyle::{AnsiColor, Style};
use serde::Serialize;

use crate::cli::Format;

pub(crate) const BOLD: Style = Style::new().bold();
pub(crate) const DIM: Style = Style::new().dimmed();
pub(crate) const RED: Style = AnsiColor::Red.on_default().bold();
pub(crate) const YELLOW: Style = AnsiColor::Yellow.on_default();

/// Standard output, buffered: for data, which reaches a file or a program byte for byte, and a terminal as [`clean`] text.
pub(crate) fn output() -> Output {
    let out = io::stdout();
    let cleans = out.is_terminal();
    BufWriter::with_capacity(1 << 16, Cleaned { out, cleans, begun: Vec::new() })
}

/// Where data goes.
pub(crate) type Output = BufWriter<Cleaned<Stdout>>;

/// What passes bytes on, or, to a terminal, as [`clean`] text.
#[derive(Debug)]
pub(crate) struct Cleaned<W> {
    out: W,
    cleans: bool,
    /// The first bytes of a character whose others have not come yet.
    begun: Vec<u8>,
}

/// Whether these bytes are the first of a character.
fn is_begun(bytes: &[u8]) -> bool {
    std::str::from_utf8(bytes).is_err_and(|error| error.error_len().is_none())
}

impl<W: Write> Write for Cleaned<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if !self.cleans {
            return self.out.write(bytes);
        }
        let mut all = std::mem::take(&mut self.begun);
        all.extend_from_slice(bytes);
        let mut chunks = all.utf8_chunks().peekable();
        let mut text = String::new();
        while let Some(chunk) = chunks.next() {
            let lines: Vec<String> = chunk.valid().split('\n').map(clean).collect();
            text += &lines.join("\n");
            match chunk.invalid() {
                [] => {}
                // Of a character at the end there may be more to come.
                start if chunks.peek().is_none() && is_begun(start) => self.begun = start.to_vec(),
                _ => text.push(char::REPLACEMENT_CHARACTER),
            }
        }
        self.out.write_all(text.as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Standard output, buffered: for text with colours, which reach a terminal and nothing else; `NO_COLOR` is obeyed.
pub(crate) fn styled_output() -> BufWriter<anstream::Stdout> {
    BufWriter::with_capacity(1 << 16, anstream::stdout())
}

/// A line on standard error, which is not worth failing over.
pub(crate) fn complain(message: Arguments<'_>) {
    let _ = writeln!(anstream::stderr(), "skelmap: {message}");
}

/// Text with what is not visible escaped, so that a name in a file cannot command a terminal or reverse a line.
pub(crate) fn clean(text: impl Display) -> String {
    let text = text.to_string();
    if !text.contains(is_invisible) {
        return text;
    }
    text.chars().map(|c| if is_invisible(c) { c.escape_unicode().to_string() } else { c.to_string() }).collect()
}

/// Control characters, separators of lines, marks that change the direction of writing, and what else is not seen.
fn is_invisible(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{AD}' | '\u{61C}' | '\u{180E}' | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}')
        || matches!(c, '\u{2060}'..='\u{206F}' | '\u{FEFF}' | '\u{FFF9}'..='\u{FFFB}' | '\u{E0000}'..='\u{E007F}')
}

/// Writes a value as JSON in which everything that is not visible is escaped: the same value to every reader, each on one line, and
/// nothing that could command a terminal.
pub(crate) fn json(out: impl Write, value: &impl Serialize) -> io::Result<()> {
    Ok(serde_json::to_writer(Visible(out), value)?)
}

/// The same over several lines, for people.
pub(crate) fn pretty_json(out: impl Write, value: &impl Serialize) -> io::Result<()> {
    Ok(serde_json::to_writer_pretty(Visible(out), value)?)
}

/// JSON on its way, which comes in whole characters. Outside of strings all of it is ASCII, and inside, the control characters of
/// ASCII are escaped already, but for the last.
struct Visible<W>(W);

impl<W: Write> Write for Visible<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let is_escaped = |c: char| c > '~' && is_invisible(c);
        let Some(text) = std::str::from_utf8(bytes).ok().filter(|text| text.contains(is_escaped)) else {
            return self.0.write(bytes);
        };
        for letter in text.chars() {
            if !is_escaped(letter) {
                write!(self.0, "{letter}")?;
                continue;
            }
            for unit in letter.encode_utf16(&mut [0; 2]) {
                write!(self.0, "\\u{unit:04x}")?;
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// The start of a text: enough to know it by, in a column that others share.
pub(crate) fn short(text: impl Display) -> String {
    const MOST: usize = 60;
    let text = clean(text);
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// Writes values one after the other as a JSON array, as JSON lines, or not at all (for the other formats).
#[derive(Debug)]
pub(crate) struct Json {
    lines: bool,
    begun: bool,
}

impl Json {
    /// `None` where the format is not JSON.
    pub(crate) fn new(format: Format) -> Option<Self> {
        match format {
            Format::Json => Some(Self { lines: false, begun: false }),
            Format::Jsonl => Some(Self { lines: true, begun: false }),
            Format::Table | Format::Csv => None,
        }
    }

    pub(crate) fn value(&mut self, out: &mut impl Write, value: &impl Serialize) -> io::Result<()> {
        if !self.lines {
            out.write_all(if self.begun { b",\n" } else { b"[\n" })?;
        }
        self.begun = true;
        json(&mut *out, value)?;
        if self.lines { out.write_all(b"\n") } else { Ok(()) }
    }

    pub(crate) fn end(&self, out: &mut impl Write) -> io::Result<()> {
        match (self.lines, self.begun) {
            (true, _) => Ok(()),
            (false, true) => out.write_all(b"\n]\n"),
            (false, false) => out.write_all(b"[]\n"),
        }
    }
}

/// The result of writing CSV, with the cause that the `csv` crate wraps: a broken pipe must stay one.
pub(crate) fn written(result: csv::Result<()>) -> io::Result<()> {
    result.map_err(|error| match error.into_kind() {
        csv::ErrorKind::Io(error) => error,
        other => io::Error::other(format!("{other:?}")),
    })
}

/// A number with its noun: `1 bone`, `2 bones`.
pub(crate) fn counted(count: u64, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// A number of bytes as people read it.
pub(crate) fn size(bytes: u64) -> String {
    indicatif::HumanBytes(bytes).to_string()
}

/// An optional value, or nothing.
pub(crate) fn or_blank(value: Option<impl Display>) -> String {
    value.map_or_else(String::new, |value| value.to_string())
}

/// Seconds with three decimals.
pub(crate) fn seconds(duration: f64) -> String {
    format!("{duration:.3}")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What reaches a terminal of these pieces.
    fn shown(pieces: &[&[u8]]) -> String {
        let mut out = Cleaned { out: Vec::new(), cleans: true, begun: Vec::new() };
        for piece in pieces {
            out.write_all(piece).unwrap();
        }
        String::from_utf8(out.out).unwrap()
    }

    #[test]
    fn data_on_a_terminal_cannot_command_it() {
        let name = "a,\u{1b}]0;owned\u{7}\r\u{9b}2J\u{202e}é\n骨,b\n";
        let expected = "a,\\u{1b}]0;owned\\u{7}\\u{d}\\u{9b}2J\\u{202e}é\n骨,b\n";
        assert_eq!(shown(&[name.as_bytes()]), expected);
        // However it is cut.
        for at in 0..name.len() {
            let (one, other) = name.as_bytes().split_at(at);
            assert_eq!(shown(&[one, other]), expected, "{at}");
        }
        let bytes: Vec<&[u8]> = name.as_bytes().chunks(1).collect();
        assert_eq!(shown(&bytes), expected);
        assert_eq!(shown(&[b"a\xff\xfeb\xe9", b"c\n"]), "a\u{fffd}\u{fffd}b\u{fffd}c\n");
    }

    #[test]
    fn data_elsewhere_is_left_as_it_is() {
        let mut out = Cleaned { out: Vec::new(), cleans: false, begun: Vec::new() };
        out.write_all(b"a\x1b\xff\n").unwrap();
        assert_eq!(out.out, b"a\x1b\xff\n");
    }

    #[test]
    fn json_escapes_what_is_not_visible_and_means_the_same() {
        let text = "a\u{1b}\u{7f}\u{85}\u{9b}\u{2028}\u{202e}\u{e0041}é\"\\骨";
        let mut out = Vec::new();
        json(&mut out, &text).unwrap();
        let written = String::from_utf8(out).unwrap();
        assert_eq!(written, r#""a\u001b\u007f\u0085\u009b\u2028\u202e\udb40\udc41é\"\\骨""#);
        assert_eq!(serde_json::from_str::<String>(&written).unwrap(), text);
    }
}
