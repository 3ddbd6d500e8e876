//! Names of entries: bytes, shown as text, and as paths only where they are safe ones.

use alloc::string::String;
use core::fmt::{self, Debug, Display, Formatter};

use super::error::ArchiveErrorKind;

/// The name of an entry as stored, with `/` between folders.
///
/// Shown as UTF-8 if the bytes are valid UTF-8, whether the archive says so or not (0 A.D.'s archives set no flag), otherwise as
/// code page 437, which is what ZIP means by no flag.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct EntryName<'a>(&'a [u8]);

impl<'a> EntryName<'a> {
    /// A name of these bytes.
    pub const fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    /// The bytes as stored.
    pub const fn as_bytes(self) -> &'a [u8] {
        self.0
    }

    /// Whether this is the name of a folder.
    pub const fn is_folder(self) -> bool {
        matches!(self.0, [.., b'/'])
    }

    /// Whether this is the name `other`.
    pub fn matches(self, other: &str) -> bool {
        match core::str::from_utf8(self.0) {
            Ok(name) => name == other,
            Err(_) => self.0.iter().map(|byte| cp437(*byte)).eq(other.chars()),
        }
    }

    /// What follows the last dot of the last part; empty where there is none.
    pub fn extension(self) -> &'a [u8] {
        let file = self.0.rsplit(|byte| *byte == b'/').next().unwrap_or_default();
        let mut parts = file.rsplitn(2, |byte| *byte == b'.');
        let last = parts.next().unwrap_or_default();
        if parts.next().is_some() { last } else { &[] }
    }

    /// The name as a relative path that stays below whatever folder it is joined to.
    ///
    /// # Errors
    /// [`UnsafeName`](ArchiveErrorKind::UnsafeName) for names that are empty, absolute, with `..`, with backslashes, colons or
    /// control characters, with parts that end in a dot or a blank or are devices on Windows: some system would take them for
    /// another place.
    pub fn to_safe_path(self) -> Result<String, ArchiveErrorKind> {
        let unsafe_name = |reason| Err(ArchiveErrorKind::UnsafeName { reason });
        let name = alloc::format!("{self}");
        match name.as_bytes() {
            [] => return unsafe_name("it is empty"),
            [b'/', ..] => return unsafe_name("it is absolute"),
            _ => {}
        }
        if name.contains(|c: char| c.is_control()) {
            return unsafe_name("it has a control character");
        }
        if name.contains(['\\', ':']) {
            return unsafe_name("it has a backslash or a colon");
        }
        let mut path = String::with_capacity(name.len());
        for part in name.split('/').filter(|part| !part.is_empty() && *part != ".") {
            if part == ".." {
                return unsafe_name("it leads up with `..`");
            }
            if part.ends_with(['.', ' ']) || is_device(part) {
                return unsafe_name("a part of it is another name on Windows");
            }
            if !path.is_empty() {
                path.push('/');
            }
            path.push_str(part);
        }
        if path.is_empty() { unsafe_name("it is empty") } else { Ok(path) }
    }
}

impl Display for EntryName<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match core::str::from_utf8(self.0) {
            Ok(name) => f.pad(name),
            Err(_) => f.pad(&self.0.iter().map(|byte| cp437(*byte)).collect::<String>()),
        }
    }
}

impl Debug for EntryName<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", alloc::format!("{self}"))
    }
}

/// Whether Windows takes a file of this name for a device, whatever its extension.
fn is_device(part: &str) -> bool {
    let stem = part.split('.').next().unwrap_or_default().trim_end();
    let numbered = |device: &str| {
        let number = stem.get(..3).filter(|start| start.eq_ignore_ascii_case(device)).and_then(|_| stem.get(3..));
        // The raised numbers, too, for they are digits of the code page that it means.
        number.is_some_and(|number| matches!(number.as_bytes(), [b'1'..=b'9']) || matches!(number, "¹" | "²" | "³"))
    };
    let is = |device: &&str| stem.eq_ignore_ascii_case(device);
    ["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"].iter().any(is) || numbered("COM") || numbered("LPT")
}

/// The character of a byte in code page 437.
fn cp437(byte: u8) -> char {
    const HIGH: [char; 128] = [
        'Ç', 'ü', 'é', 'â', 'ä', 'à', 'å', 'ç', 'ê', 'ë', 'è', 'ï', 'î', 'ì', 'Ä', 'Å', 'É', 'æ', 'Æ', 'ô', 'ö', 'ò',
        'û', 'ù', 'ÿ', 'Ö', 'Ü', '¢', '£', '¥', '₧', 'ƒ', 'á', 'í', 'ó', 'ú', 'ñ', 'Ñ', 'ª', 'º', '¿', '⌐', '¬', '½',
        '¼', '¡', '«', '»', '░', '▒', '▓', '│', '┤', '╡', '╢', '╖', '╕', '╣', '║', '╗', '╝', '╜', '╛', '┐', '└', '┴',
        '┬', '├', '─', '┼', '╞', '╟', '╚', '╔', '╩', '╦', '╠', '═', '╬', '╧', '╨', '╤', '╥', '╙', '╘', '╒', '╓', '╫',
        '╪', '┘', '┌', '█', '▄', '▌', '▐', '▀', 'α', 'ß', 'Γ', 'π', 'Σ', 'σ', 'µ', 'τ', 'Φ', 'Θ', 'Ω', 'δ', '∞', 'φ',
        'ε', '∩', '≡', '±', '≥', '≤', '⌠', '⌡', '÷', '≈', '°', '∙', '·', '√', 'ⁿ', '²', '■', '\u{A0}',
    ];
    let high = byte.checked_sub(0x80).and_then(|index| HIGH.get(usize::from(index)));
    high.copied().unwrap_or(char::from(byte))
}
