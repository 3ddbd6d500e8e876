//! Names as text: UTF-8 where the bytes are UTF-8, otherwise Windows-1252.
//!
//! No format declares an encoding. Old exporters wrote the local code page, newer ones UTF-8 (ActorX reference, section
//! 1.3).

use alloc::string::String;
use core::fmt::{self, Debug, Display, Formatter, Write};

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

/// The bytes of a name, as text.
///
/// UTF-8 if the bytes are valid UTF-8, otherwise Windows-1252 as browsers decode it: every byte is a character. `Display`
/// writes control characters unchanged; `Debug` escapes them for terminals.
///
/// ```
/// use skelmap::Text;
///
/// assert_eq!(Text::new("Épaule".as_bytes()).to_string(), "Épaule");
/// assert_eq!(Text::new(b"\xC9paule").to_string(), "Épaule");
/// assert!(Text::new(b"\xC9paule").matches("Épaule"));
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Text<'a>(&'a [u8]);

impl<'a> Text<'a> {
    /// These bytes as text.
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

    /// This text without spaces at the end.
    pub(crate) fn trimmed(self) -> Self {
        Self(trim_spaces(self.0))
    }

    /// Whether this is the name `other`. Ignores ASCII case and trailing spaces, as Unreal's name table does
    /// (ActorX reference, section 1.3).
    pub fn matches(self, other: &str) -> bool {
        let mine = self.trimmed().chars();
        let theirs = other.trim_end_matches(' ').chars();
        mine.map(|c| c.to_ascii_lowercase()).eq(theirs.map(|c| c.to_ascii_lowercase()))
    }
}

impl Display for Text<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.as_str() {
            Some(text) => f.pad(text),
            None => f.pad(&self.chars().collect::<String>()),
        }
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
