//! The findings of the semantic checks.

use alloc::{string::String, vec::Vec};
use core::fmt::{self, Display, Formatter};

use super::code::{Code, Severity};
use super::section::Section;
use crate::bytes::to_u64;

/// One fault or oddity in the data of a file.
///
/// `check` makes one finding for all records of a section with the same fault, `check_each` one for each record.
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
    /// The first faulty record, counted from 0 (in a side-car: the line, counted from 1). `None` for a finding about the whole
    /// section.
    pub index: Option<u64>,
    /// Number of faulty records, at least 1: the first, and those without their own finding.
    pub count: u64,
    /// The message, about the first record.
    pub message: String,
}

impl Finding {
    fn new(severity: Severity, code: Code, place: SectionStart, index: Option<u64>, message: String) -> Self {
        let SectionStart { section, offset } = place;
        Self { severity, code, section, offset, index, count: 1, message }
    }
}

impl Display for Finding {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{} [{}] at byte {} ({}): {}", self.severity, self.code, self.offset, self.section, self.message)?;
        match self.count.saturating_sub(1) {
            0 => Ok(()),
            more => write!(f, " (and {more} more like this)"),
        }
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct SectionStart {
    pub(crate) section: Section,
    pub(crate) offset: u64,
}

/// Collects findings: at most a given number for each code and section.
#[derive(Debug)]
pub(crate) struct Report {
    findings: Vec<Finding>,
    most: usize,
}

impl Report {
    /// A report with at most this many findings for each code and section, at least one.
    pub(crate) fn new(most: usize) -> Self {
        Self { findings: Vec::new(), most: most.max(1) }
    }

    /// The maximum number of findings for each code and section.
    pub(crate) const fn most(&self) -> usize {
        self.most
    }

    /// Counts the records of a section with one fault.
    pub(crate) fn tally(&self, code: Code, place: SectionStart) -> RecordTally {
        RecordTally { code, severity: code.severity(), place, kept: Vec::new(), count: 0, most: self.most }
    }

    /// [`tally`](Self::tally) for several faults.
    pub(crate) fn tallies<const N: usize>(&self, place: SectionStart, codes: [Code; N]) -> [RecordTally; N] {
        codes.map(|code| self.tally(code, place))
    }

    /// Adds the findings of tallies, in this order. The last finding of a tally counts the remaining records.
    pub(crate) fn add(&mut self, tallies: impl IntoIterator<Item = RecordTally>) {
        for RecordTally { mut kept, count, .. } in tallies {
            let left = count.saturating_sub(to_u64(kept.len()));
            kept.last_mut().into_iter().for_each(|last| last.count = last.count.saturating_add(left));
            self.findings.append(&mut kept);
        }
    }

    /// Adds a finding about a whole section.
    pub(crate) fn add_whole(&mut self, code: Code, place: SectionStart, message: String) {
        self.findings.push(Finding::new(code.severity(), code, place, None, message));
    }

    /// The findings in order of severity, then in the order of the calls.
    pub(crate) fn into_findings(mut self) -> Vec<Finding> {
        self.findings.sort_by_key(|finding| core::cmp::Reverse(finding.severity));
        self.findings
    }
}

/// Counts the records with one fault and keeps findings about the first ones. [`Report::tally`] makes it.
#[derive(Debug)]
pub(crate) struct RecordTally {
    code: Code,
    severity: Severity,
    place: SectionStart,
    kept: Vec<Finding>,
    count: u64,
    most: usize,
}

impl RecordTally {
    /// This tally with findings of another severity.
    pub(crate) fn with_severity(self, severity: Severity) -> Self {
        Self { severity, ..self }
    }

    /// Counts a record. `message` is only called for records that are kept.
    pub(crate) fn hit(&mut self, index: usize, message: impl FnOnce() -> String) {
        self.hit_at(self.place, index, message);
    }

    /// Counts a record at its own place.
    pub(crate) fn hit_at(&mut self, place: SectionStart, index: usize, message: impl FnOnce() -> String) {
        self.count = self.count.saturating_add(1);
        if self.kept.len() < self.most {
            let index = u64::try_from(index).ok();
            self.kept.push(Finding::new(self.severity, self.code, place, index, message()));
        }
    }

    /// Counts a record with its own severity. A finding about several records has the highest of their severities.
    pub(crate) fn hit_as(&mut self, severity: Severity, index: usize, message: impl FnOnce() -> String) {
        self.hit(index, message);
        self.kept.last_mut().into_iter().for_each(|last| last.severity = last.severity.max(severity));
    }

    /// Counts a record if `wrong` is true.
    pub(crate) fn hit_if(&mut self, wrong: bool, index: usize, message: impl FnOnce() -> String) {
        if wrong {
            self.hit(index, message);
        }
    }
}
