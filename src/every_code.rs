//! The list of all codes, of every module.

use crate::family;
use crate::report::{Code, codes};

/// The codes that belong to no family.
const OTHERS: &[&[Code]] = &[
    #[cfg(feature = "archive")]
    crate::archive::codes::ALL,
];

impl Code {
    /// Every code: the shared ones, then those of each family. O(1) to get.
    pub fn all() -> impl Iterator<Item = Self> {
        codes::ALL.iter().chain(family::CODES.iter().chain(OTHERS).copied().flatten()).copied()
    }

    /// The code with a name. O(codes).
    pub fn find(name: &str) -> Option<Self> {
        Self::all().find(|code| code.name() == name)
    }
}
