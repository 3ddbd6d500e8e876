//! The sections of a file: their names and places.

use core::fmt::{self, Display, Formatter};

use crate::bytes::Span;

/// The name of a part of a file: a chunk id as stored, or a fixed word such as `file`.
///
/// Twenty bytes, the length of an ActorX chunk id. `Display` prints the bytes before the first NUL and escapes everything
/// except printable ASCII.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Section([u8; 20]);

impl Section {
    /// The file as a whole.
    pub const FILE: Self = Self::named("file");

    /// A section with a fixed name. Bytes past the twentieth are dropped.
    pub(crate) const fn named(name: &str) -> Self {
        let mut section = [0; 20];
        let mut rest = name.as_bytes();
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
        crate::bytes::before_nul(&self.0)
    }
}

impl Display for Section {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if self.as_bytes().is_empty() {
            return f.write_str("no name");
        }
        write!(f, "{}", self.as_bytes().escape_ascii())
    }
}

impl fmt::Debug for Section {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "Section({self})")
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for Section {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// The place of a section's records.
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
    pub(crate) const fn new(section: Section, span: Span, record_size: u64) -> Self {
        Self { section, offset: span.start(), record_size, bytes: span.len() }
    }

    /// Number of records.
    pub fn count(&self) -> u64 {
        self.bytes.checked_div(self.record_size).unwrap_or(0)
    }
}
