//! Names as text: UTF-8 where the bytes are UTF-8, otherwise Windows-1252. No allocation.
//!
//! No format declares an encoding. Old exporters wrote the local code page, newer ones UTF-8 (ActorX reference, section 1.3).

use core::fmt::{self, Alignment, Debug, Display, Formatter, Write};

/// The bytes before the first NUL, or all of them.
pub(crate) fn before_nul(bytes: &[u8]) -> &[u8] {
    bytes.split(|byte| *byte == 0).next().unwrap_or_default()
}

/// The bytes without ASCII spaces at the end.
pub(crate) fn trim_spaces(mut bytes: &[u8]) -> &[u8] {
    while let [head @ .., b' '] = bytes {
        bytes = head;
    }
    bytes
}

/// Borrowed bytes of a name, shown as text.
///
/// UTF-8 if the bytes are valid UTF-8, otherwise Windows-1252 as browsers decode it, in which every byte has a character.
/// `Display` writes the characters as they are; a terminal wants control characters escaped first (`Debug` does).
///
/// ```
/// use skelmap::Text;
///
/// assert_eq!(Text::new("Épaule".as_bytes()).to_string(), "Épaule");
/// assert_eq!(Text::new(b"\xC9paule").to_string(), "Épaule");
/// assert!(Text::new(b"\xC9paule").matches("Épaule"));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Text<'a>(&'a [u8]);

impl<'a> Text<'a> {
    /// Text over these bytes, all of them.
    pub const fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    /// The bytes as stored.
    pub const fn as_bytes(self) -> &'a [u8] {
        self.0
    }

    /// The text as a `str` where the bytes are UTF-8. O(length).
    pub fn as_str(self) -> Option<&'a str> {
        core::str::from_utf8(self.0).ok()
    }

    /// The characters.
    pub fn chars(self) -> impl Iterator<Item = char> + 'a {
        let (utf8, bytes) = match self.as_str() {
            Some(text) => (text, Default::default()),
            None => ("", self.0),
        };
        utf8.chars().chain(bytes.iter().map(|byte| windows_1252(*byte)))
    }

    /// Whether this is the same name as `other`: ASCII letters match in either case and trailing spaces do not count, as in
    /// Unreal's name table (ActorX reference, section 1.3).
    pub fn matches(self, other: &str) -> bool {
        let mine = Self(trim_spaces(self.0)).chars();
        let theirs = other.trim_end_matches(' ').chars();
        mine.map(|c| c.to_ascii_lowercase()).eq(theirs.map(|c| c.to_ascii_lowercase()))
    }
}

impl Display for Text<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if let Some(text) = self.as_str() {
            return f.pad(text);
        }
        // As `Formatter::pad` does for a `str`.
        let shown = self.0.len().min(f.precision().unwrap_or(usize::MAX));
        let padding = f.width().unwrap_or(0).saturating_sub(shown);
        let before = match f.align() {
            Some(Alignment::Right) => padding,
            Some(Alignment::Center) => padding / 2,
            Some(Alignment::Left) | None => 0,
        };
        let fill = f.fill();
        let spaces = |count| core::iter::repeat_n(fill, count);
        let after = spaces(padding.saturating_sub(before));
        spaces(before).chain(self.chars().take(shown)).chain(after).try_for_each(|c| f.write_char(c))
    }
}

impl Debug for Text<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_char('"')?;
        self.chars().flat_map(char::escape_debug).try_for_each(|c| f.write_char(c))?;
        f.write_char('"')
    }
}

/// The character of a byte in Windows-1252; the five bytes without one are C1 controls, as in the WHATWG index.
fn windows_1252(byte: u8) -> char {
    const HIGH: [char; 32] = [
        '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8D}', 'Ž', '\u{8F}', '\u{90}', '‘',
        '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9D}', 'ž', 'Ÿ',
    ];
    let high = byte.checked_sub(0x80).and_then(|index| HIGH.get(usize::from(index)));
    high.copied().unwrap_or(char::from(byte))
}

#[cfg(all(test, feature = "std"))]
mod tests {
    use super::*;

    #[test]
    fn every_byte_decodes_as_an_independent_decoder_says() {
        for byte in 0..=255 {
            let expected = encoding_rs::WINDOWS_1252.decode_without_bom_handling(&[byte]).0.into_owned();
            assert_eq!(windows_1252(byte).to_string(), expected, "byte {byte:#04x}");
        }
    }

    #[test]
    fn a_name_matches_in_any_case_and_without_its_trailing_spaces() {
        assert!(Text::new(b"Bip01 Pelvis   ").matches("BIP01 pelvis"));
        assert!(!Text::new(b"Bip01  Pelvis").matches("Bip01 Pelvis"));
        assert!(!Text::new(b"Bip01").matches("Bip0"));
    }
}
