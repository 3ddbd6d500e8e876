//! The findings of the semantic checks.

use alloc::{string::String, vec::Vec};
use core::fmt::{self, Debug, Display, Formatter};

use super::code::{Code, Severity};
use super::section::Section;
use crate::bytes::Text;

/// One fault or oddity in the data of a file. All records of a section with the same fault are one finding.
///
/// ```
/// let bytes = std::fs::read("tests/corpus/actorx/mesh/face_wedge.psk")?;
/// let findings = skelmap::actorx::Psk::parse(&bytes)?.check();
/// assert_eq!(findings[0].code.name(), "face-wedge");
/// assert_eq!(findings[0].severity, skelmap::Severity::Error);
/// println!("{}", findings[0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Finding {
    /// The severity.
    pub severity: Severity,
    /// The code.
    pub code: Code,
    /// The chunk or section.
    pub section: Section,
    /// The byte at which the section begins (for a chunk: its header; for a side-car: 0).
    pub offset: u64,
    /// The first record with the fault, counted from 0 (in a side-car: the line, counted from 1). `None` for a finding
    /// about the whole section.
    pub index: Option<u64>,
    /// Number of records with the fault, at least 1.
    pub count: u64,
    /// The finding in words, for the first record.
    pub message: String,
}

impl Display for Finding {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{} [{}] at byte {} ({}): {}", self.severity, self.code, self.offset, self.section, self.message)?;
        match self.count.saturating_sub(1) {
            0 => Ok(()),
            more => write!(f, " (and {more} more)"),
        }
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub(crate) section: Section,
    pub(crate) offset: u64,
}

/// Collects findings: one for each code and section.
#[derive(Debug, Default)]
pub(crate) struct Report {
    findings: Vec<Finding>,
}

impl Report {
    /// Adds the finding of a tally, if there is one.
    pub(crate) fn add(&mut self, code: Code, place: Place, tally: Tally) {
        self.add_as(code.severity(), code, place, tally);
    }

    /// Adds the finding of a tally with a given severity.
    pub(crate) fn add_as(&mut self, severity: Severity, code: Code, place: Place, tally: Tally) {
        if let Some((index, message)) = tally.first {
            let Place { section, offset } = place;
            self.findings.push(Finding { severity, code, section, offset, index, count: tally.count, message });
        }
    }

    /// Adds a finding about a whole section.
    pub(crate) fn add_whole(&mut self, code: Code, place: Place, message: String) {
        self.add(code, place, Tally { first: Some((None, message)), count: 1 });
    }

    /// The findings in order of severity, then in the order of the calls.
    pub(crate) fn into_findings(mut self) -> Vec<Finding> {
        self.findings.sort_by_key(|finding| core::cmp::Reverse(finding.severity));
        self.findings
    }
}

/// Counts the records with one fault and keeps the message about the first.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    first: Option<(Option<u64>, String)>,
    count: u64,
}

impl Tally {
    /// Counts a record. `message` is called for the first record only.
    pub(crate) fn hit(&mut self, index: usize, message: impl FnOnce() -> String) {
        self.count = self.count.saturating_add(1);
        if self.first.is_none() {
            self.first = Some((u64::try_from(index).ok(), message()));
        }
    }

    /// Counts a record if `wrong`.
    pub(crate) fn hit_if(&mut self, wrong: bool, index: usize, message: impl FnOnce() -> String) {
        if wrong {
            self.hit(index, message);
        }
    }
}

/// A name in a message, cut after 60 characters: a name may be as long as the file.
pub(crate) struct Short<'a>(pub(crate) Text<'a>);

impl Debug for Short<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let most = 60;
        let start: String = self.0.chars().take(most).collect();
        write!(f, "{start:?}{}", if self.0.chars().nth(most).is_some() { "…" } else { "" })
    }
}
