//! Quirks: oddities that a parser accepts and reports.

use core::fmt::{self, Display, Formatter};

use super::code::Code;
use super::section::Section;

/// One oddity of a file. The sentence of its code says how the parser read it.
///
/// ```
/// let bytes = std::fs::read("tests/corpus/actorx/mesh/face32_size20.pskx")?;
/// let mesh = skelmap::actorx::Psk::parse(&bytes)?;
/// let quirk = mesh.quirks().next().ok_or("no quirk")?;
/// assert_eq!(quirk.code.name(), "face-record-size");
/// assert_eq!(quirk.section.as_bytes(), b"FACE3200");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Quirk {
    /// The code.
    pub code: Code,
    /// The chunk or section.
    pub section: Section,
    /// The byte at which that section begins (for a chunk: its header).
    pub offset: u64,
}

impl Quirk {
    pub(crate) const fn new(code: Code, section: Section, offset: u64) -> Self {
        Self { code, section, offset }
    }

    /// The quirk, if the file has it.
    pub(crate) fn when(is_there: bool, code: Code, section: Section, offset: u64) -> Option<Self> {
        is_there.then_some(Self::new(code, section, offset))
    }
}

impl Display for Quirk {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "at byte {} ({}): {}", self.offset, self.section, self.code.sentence())
    }
}
