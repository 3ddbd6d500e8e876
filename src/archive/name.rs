//! Names of entries: bytes, text, and safe paths.

use alloc::{borrow::Cow, string::String};
use core::fmt::{self, Debug, Display, Formatter};

use super::error::ArchiveErrorKind;

/// The limits of safe paths. Real archives need less than a quarter of each.
const MAX_PARTS: usize = 64;
const MAX_PART: usize = 255;

/// The name of an entry as stored, with `/` between folders, or with the backslashes of some programs for Windows.
///
/// If the bytes are valid UTF-8, the text is UTF-8, with or without the archive's flag for UTF-8 (0 A.D.'s archives do not set
/// it). Otherwise the text is in code page 437, ZIP's encoding for names without the flag.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
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
        matches!(self.0, [.., b'/' | b'\\'])
    }

    /// Whether the text of this name is `other`.
    pub fn matches(self, other: &str) -> bool {
        match core::str::from_utf8(self.0) {
            Ok(name) => name == other,
            Err(_) => self.0.iter().map(|byte| cp437(*byte)).eq(other.chars()),
        }
    }

    /// The text of the name. Only allocates for code page 437.
    pub(super) fn to_text(self) -> Cow<'a, str> {
        match core::str::from_utf8(self.0) {
            Ok(name) => name.into(),
            Err(_) => self.0.iter().map(|byte| cp437(*byte)).collect::<String>().into(),
        }
    }

    /// The bytes after the last dot of the last part; empty without a dot.
    pub fn extension(self) -> &'a [u8] {
        let mark = self.0.iter().rposition(|byte| matches!(byte, b'.' | b'/' | b'\\'));
        match mark.and_then(|mark| self.0.get(mark..)) {
            Some([b'.', extension @ ..]) => extension,
            _ => &[],
        }
    }

    /// Whether the name has a backslash. The format does not allow it between folders, but some programs for Windows write it.
    pub fn has_backslash(self) -> bool {
        self.0.contains(&b'\\')
    }

    /// The name as a relative path that stays below the folder that it is joined to. A backslash separates folders like `/`.
    ///
    /// # Errors
    /// [`UnsafeName`](ArchiveErrorKind::UnsafeName) for names that are a path elsewhere on some system: an empty or absolute
    /// name, a name with `..`, colons or control characters, and a name with a part that ends in a dot or a space or is a
    /// device on Windows. Also for a name that no system needs: with more than 64 parts, or with a part of more than 255 bytes.
    pub fn to_safe_path(self) -> Result<String, ArchiveErrorKind> {
        let unsafe_name = |reason| Err(ArchiveErrorKind::UnsafeName { reason });
        let name = self.to_text().replace('\\', "/");
        match name.as_bytes() {
            [] => return unsafe_name("it is empty"),
            [b'/', ..] => return unsafe_name("it is absolute"),
            _ => {}
        }
        if name.contains(|c: char| c.is_control()) {
            return unsafe_name("it has a control character");
        }
        if name.contains(':') {
            return unsafe_name("it has a colon");
        }
        let mut path = String::with_capacity(name.len());
        if name.split('/').count() > MAX_PARTS {
            return unsafe_name("it has more than 64 parts");
        }
        for part in name.split('/').filter(|part| !part.is_empty() && *part != ".") {
            if part == ".." {
                return unsafe_name("it has `..`");
            }
            if part.len() > MAX_PART {
                return unsafe_name("a part of it is longer than 255 bytes");
            }
            if part.ends_with(['.', ' ']) || is_device(part) {
                return unsafe_name("a part of it has another meaning on Windows");
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
        f.pad(&self.to_text())
    }
}

impl Debug for EntryName<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.to_text())
    }
}

/// Whether this is the name of a device on Windows, with any extension.
fn is_device(part: &str) -> bool {
    let stem = part.split('.').next().unwrap_or_default().trim_end();
    let numbered = |device: &str| {
        let number = stem.get(..3).filter(|start| start.eq_ignore_ascii_case(device)).and_then(|_| stem.get(3..));
        // Windows accepts the superscript digits of its code page as digits.
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
