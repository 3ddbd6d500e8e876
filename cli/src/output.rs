//! Where output goes: data to standard output or a file, messages to standard error.

use std::fmt::Display;
use std::fs::File;
use std::io::{self, BufWriter, IsTerminal, Write};

use anstream::{AutoStream, ColorChoice, StripStream};
use anstyle::{AnsiColor, Style};
pub(crate) use skelmap_batch::report::{Output, buffered};

use skelmap::mapping::without_secrets;

use crate::text::{clean, cut};

pub(crate) const BOLD: Style = Style::new().bold();
pub(crate) const DIM: Style = Style::new().dimmed();
pub(crate) const RED: Style = AnsiColor::Red.on_default().bold();
pub(crate) const YELLOW: Style = AnsiColor::Yellow.on_default();

/// Standard output for data: files and programs get the exact bytes, a terminal gets [`clean`] text.
pub(crate) fn stdout() -> Output {
    let out = io::stdout();
    if out.is_terminal() { buffered(Cleaned { out, incomplete: Vec::new() }) } else { buffered(out) }
}

/// A pipe or device for data: as standard output, if it is a terminal.
pub(crate) fn to_file(out: File) -> Output {
    if out.is_terminal() { buffered(Cleaned { out, incomplete: Vec::new() }) } else { buffered(out) }
}

/// Standard output for text with colours. The colours reach a terminal only, and not if `NO_COLOR` is set.
pub(crate) fn styled_stdout() -> Output {
    let out = io::stdout();
    if AutoStream::choice(&out) != ColorChoice::Never {
        return buffered(anstream::stdout());
    }
    // If a signal interrupts a write, `StripStream` does not say which part is written, and the whole text is written again. A
    // buffer below it takes each text as a whole.
    let below: Box<dyn Write + Send> = Box::new(BufWriter::new(out));
    buffered(StripStream::new(below))
}

/// The width of the terminal at standard output; `None` if standard output is not a terminal. `COLUMNS` has priority.
pub(crate) fn terminal_width() -> Option<usize> {
    const UNKNOWN: usize = 80;
    const MIN_WIDTH: usize = 20;
    if !io::stdout().is_terminal() {
        return None;
    }
    let asked = std::env::var("COLUMNS").ok().and_then(|text| text.parse().ok());
    let real = || terminal_size::terminal_size_of(io::stdout()).map(|(width, _)| usize::from(width.0));
    let width = asked.filter(|width| *width > 0).or_else(|| real().filter(|width| *width > 0));
    Some(width.unwrap_or(UNKNOWN).max(MIN_WIDTH))
}

/// Writes a message to standard error. A message that cannot be written is lost.
pub(crate) fn complain(message: impl Display) {
    let _ = writeln!(anstream::stderr(), "skelmap: {}", cut(without_secrets(&clean(message))));
}

/// Passes bytes on as [`clean`] text.
struct Cleaned<W> {
    out: W,
    /// The first bytes of a character whose last bytes were not written yet.
    incomplete: Vec<u8>,
}

/// Whether these bytes are the beginning of a character.
fn is_incomplete(bytes: &[u8]) -> bool {
    std::str::from_utf8(bytes).is_err_and(|error| error.error_len().is_none())
}

impl<W: Write> Write for Cleaned<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut all = std::mem::take(&mut self.incomplete);
        all.extend_from_slice(bytes);
        let mut chunks = all.utf8_chunks().peekable();
        let mut text = String::new();
        while let Some(chunk) = chunks.next() {
            let lines: Vec<String> = chunk.valid().split('\n').map(clean).collect();
            text += &lines.join("\n");
            match chunk.invalid() {
                [] => {}
                // The next write may complete a character at the end.
                start if chunks.peek().is_none() && is_incomplete(start) => self.incomplete = start.to_vec(),
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

#[cfg(test)]
mod tests {
    use super::*;

    /// The text that reaches a terminal.
    fn shown(pieces: &[&[u8]]) -> String {
        let mut out = Cleaned { out: Vec::new(), incomplete: Vec::new() };
        for piece in pieces {
            out.write_all(piece).unwrap();
        }
        String::from_utf8(out.out).unwrap()
    }

    #[test]
    fn data_on_a_terminal_cannot_control_it() {
        let name = "a,\u{1b}]0;owned\u{7}\r\u{9b}2J\u{202e}é\n骨,b\n";
        let expected = "a,\\u{1b}]0;owned\\u{7}\\u{d}\\u{9b}2J\\u{202e}é\n骨,b\n";
        assert_eq!(shown(&[name.as_bytes()]), expected);
        // Wherever the text is split.
        for at in 0..name.len() {
            let (one, other) = name.as_bytes().split_at(at);
            assert_eq!(shown(&[one, other]), expected, "{at}");
        }
        let bytes: Vec<&[u8]> = name.as_bytes().chunks(1).collect();
        assert_eq!(shown(&bytes), expected);
        assert_eq!(shown(&[b"a\xff\xfeb\xe9", b"c\n"]), "a\u{fffd}\u{fffd}b\u{fffd}c\n");
    }
}
