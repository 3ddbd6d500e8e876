//! The parts of a file: what they are called, and where their records lie.

use core::fmt::{self, Display, Formatter};

use crate::cursor::{Span, to_u64};

/// The name of a part of a file: a chunk id as stored, or a fixed word such as `file`.
///
/// Twenty bytes, the length of an ActorX chunk id. `Display` prints the bytes before the first NUL and escapes what is not
/// printable ASCII.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Section([u8; 20]);

impl Section {
    /// The file as a whole.
    pub const FILE: Self = Self::named("file");
    pub(crate) const CHUNK_HEADER: Self = Self::named("chunk header");

    /// A section with a fixed name. Bytes past the twentieth are dropped.
    pub(crate) const fn named(name: &str) -> Self {
        let bytes = name.as_bytes();
        let mut section = [0; 20];
        let mut rest: &[u8] = bytes;
        let mut slots: &mut [u8] = &mut section;
        while let ([byte, tail @ ..], [slot, others @ ..]) = (rest, slots) {
            *slot = *byte;
            rest = tail;
            slots = others;
        }
        Self(section)
    }

    pub(crate) const fn from_raw(raw: [u8; 20]) -> Self {
        Self(raw)
    }

    /// The bytes before the first NUL.
    pub fn as_bytes(&self) -> &[u8] {
        crate::text::before_nul(&self.0)
    }
}

impl Display for Section {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if self.as_bytes().is_empty() {
            return f.write_str("(no name)");
        }
        write!(f, "{}", self.as_bytes().escape_ascii())
    }
}

impl fmt::Debug for Section {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "Section({self})")
    }
}

/// Where a section's records lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SectionRange {
    /// The section.
    pub section: Section,
    /// The byte at which its records begin.
    pub offset: u64,
    /// Bytes per record.
    pub record_size: u64,
    /// Bytes of all records.
    pub bytes: u64,
}

impl SectionRange {
    pub(crate) fn new(section: Section, span: Span, record_size: usize) -> Self {
        let (offset, end) = (to_u64(span.start()), to_u64(span.end()));
        Self { section, offset, record_size: to_u64(record_size), bytes: end.saturating_sub(offset) }
    }

    /// Number of records.
    pub fn count(&self) -> u64 {
        self.bytes.checked_div(self.record_size).unwrap_or(0)
    }
}

#[cfg(all(test, feature = "std"))]
mod tests {
    use super::*;

    #[test]
    fn a_section_escapes_what_a_terminal_must_not_see() {
        let mut raw = [0; 20];
        raw.get_mut(..5).unwrap().copy_from_slice(b"\x1b[2JA");
        assert_eq!(Section::from_raw(raw).to_string(), "\\x1b[2JA");
    }
}
