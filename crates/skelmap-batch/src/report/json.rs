//! Cells as JSON.

use std::io::{self, Write};

use serde::ser::{Serialize, Serializer};

use super::Output;
use super::cell::Cell;
use crate::text::is_invisible;

impl Serialize for Cell<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Absent => serializer.serialize_none(),
            Self::Bool(value) => serializer.serialize_bool(*value),
            Self::Count(value) => serializer.serialize_u64(*value),
            Self::Integer(value) => serializer.serialize_i64(*value),
            Self::Float(value) => serializer.serialize_f32(*value),
            Self::Double(value) => serializer.serialize_f64(*value),
            Self::Text(value) => serializer.serialize_str(value),
            Self::List(items) => serializer.collect_seq(items()),
            Self::Object(pairs) => serializer.collect_map(pairs.iter().map(|(key, cell)| (key, cell))),
        }
    }
}

/// Writes one value, over several lines if people are to read it.
///
/// # Errors
/// Those of the output.
pub fn document(mut out: Output, value: &Cell<'_>, is_pretty: bool) -> io::Result<()> {
    if is_pretty {
        serde_json::to_writer_pretty(Escaped(&mut out), value)?;
    } else {
        serde_json::to_writer(Escaped(&mut out), value)?;
    }
    out.write_all(b"\n")?;
    out.flush()
}

/// Escapes invisible characters in JSON: every reader gets the same value, and nothing controls a terminal or ends a line.
///
/// `serde_json` writes whole characters, nothing but ASCII outside of strings, and escapes the control characters up to 0x1F.
pub(super) struct Escaped<W>(pub(super) W);

impl<W: Write> Write for Escaped<W> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_escapes_invisible_characters_and_keeps_the_value() {
        let text = "a\u{1b}\u{7f}\u{85}\u{9b}\u{2028}\u{202e}\u{e0041}é\"\\骨";
        let mut out = Vec::new();
        serde_json::to_writer(Escaped(&mut out), text).unwrap();
        let written = String::from_utf8(out).unwrap();
        assert_eq!(written, r#""a\u001b\u007f\u0085\u009b\u2028\u202e\udb40\udc41é\"\\骨""#);
        assert_eq!(serde_json::from_str::<String>(&written).unwrap(), text);
    }

    #[test]
    fn a_flush_reaches_the_writer_below() {
        struct Full;
        impl Write for Full {
            fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
                Ok(bytes.len())
            }

            fn flush(&mut self) -> io::Result<()> {
                Err(io::ErrorKind::StorageFull.into())
            }
        }
        let error = Escaped(Full).flush().expect_err("no room");
        assert_eq!(error.kind(), io::ErrorKind::StorageFull);
    }
}
