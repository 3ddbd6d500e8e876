//! The UEFormat corpus: a small file for every version, feature, finding and fault of the reference.
//!
//! The expectations are written by hand from the reference; no reader computes them. The words are those of
//! [`naive::findings`](fn@super::naive::findings), and sections are named as its errors name them.

#![allow(unreachable_pub)]
#![allow(clippy::too_many_lines, reason = "a list of files is one list")]

mod assets;
mod compressed;
mod counts;
mod damage;
mod sound;
mod values;

pub use assets::{arm, box_with_hull, faces, wave};

/// A file and what a reader must say about it.
#[derive(Clone, Debug)]
pub struct Case {
    /// Path below the corpus folder.
    pub file: &'static str,
    pub about: &'static str,
    /// Where the behaviour is specified.
    pub source: &'static str,
    pub bytes: Vec<u8>,
    pub expect: Expect,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expect {
    /// It is readable, and this is odd: words, sorted, each once.
    Opens { findings: Vec<&'static str> },
    /// The structure is wrong: in a section, for a reason. No section: it is not said where.
    Error { section: &'static str, reason: Reason },
}

/// Why a file is not readable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reason {
    Empty,
    /// The first bytes are not those of the format.
    Magic,
    /// A kind that is not read.
    Kind,
    /// A version that does not exist yet.
    Version,
    /// A length, size or count below 0.
    Negative,
    /// More bytes are needed than are there.
    Short,
    /// Neither layout of the bones of version 10 ends where the section does.
    Layout,
    /// A compression that is not read.
    Compression,
    /// Compressed data that is damaged.
    Packed,
    /// The data has not the size that the header says.
    Size,
    /// More bytes would be unpacked than a limit allows.
    Limit,
}

/// Every case: sound files first, then odd ones, then damaged ones.
pub fn cases() -> Vec<Case> {
    let mut cases = sound::cases();
    cases.extend(values::cases());
    cases.extend(compressed::cases());
    cases.extend(counts::cases());
    cases.extend(damage::cases());
    cases
}

/// Files that are too large for a corpus.
pub fn in_memory() -> Vec<Case> {
    damage::in_memory()
}

/// A case of the corpus, by its path below it.
pub fn case(file: &str) -> Case {
    cases().into_iter().find(|case| case.file == file).unwrap_or_else(|| panic!("no {file} in the corpus"))
}

fn ok(file: &'static str, about: &'static str, source: &'static str, bytes: impl Into<Vec<u8>>) -> Case {
    Case { file, about, source, bytes: bytes.into(), expect: Expect::Opens { findings: Vec::new() } }
}

fn odd(
    file: &'static str,
    about: &'static str,
    source: &'static str,
    bytes: impl Into<Vec<u8>>,
    findings: &[&'static str],
) -> Case {
    Case { expect: Expect::Opens { findings: findings.to_vec() }, ..ok(file, about, source, bytes) }
}

fn fault(
    file: &'static str,
    about: &'static str,
    source: &'static str,
    bytes: impl Into<Vec<u8>>,
    (section, reason): (&'static str, Reason),
) -> Case {
    Case { expect: Expect::Error { section, reason }, ..ok(file, about, source, bytes) }
}

impl Case {
    /// The case with words for what is odd.
    #[must_use]
    fn but(mut self, findings: &[&'static str]) -> Self {
        self.expect = Expect::Opens { findings: findings.to_vec() };
        self
    }
}
