//! How results are printed: tables for people, JSON and CSV for programs, complaints on standard error.

use std::fmt::{Arguments, Display};
use std::io::{self, BufWriter, Stdout, Write};

use anstyle::{AnsiColor, Style};
use serde::Serialize;

use crate::cli::Format;

pub(crate) const BOLD: Style = Style::new().bold();
pub(crate) const DIM: Style = Style::new().dimmed();
pub(crate) const RED: Style = AnsiColor::Red.on_default().bold();
pub(crate) const YELLOW: Style = AnsiColor::Yellow.on_default();

/// Standard output, buffered: for data, which reaches it byte for byte.
pub(crate) fn output() -> BufWriter<Stdout> {
    BufWriter::with_capacity(1 << 16, io::stdout())
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

/// Control characters, separators of lines, and marks that change the direction of writing.
fn is_invisible(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{FEFF}')
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
        serde_json::to_writer(&mut *out, value)?;
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
