//! Findings that are not reported: codes that nobody wants, and those of an earlier report.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use crate::path_text;
use serde::Deserialize;

use super::{CheckError, Checked, Found};
use crate::codes::find_or_hint;
use crate::lines::{LineError, each_line};

/// The longest line of a report that is read.
const MAX_LINE_BYTES: u64 = 64 << 20;

/// What is known already.
#[derive(Debug, Default)]
pub(super) struct Known {
    ignored: HashSet<&'static str>,
    /// How often a code was found in a section of a file.
    counts: HashMap<Key, u64>,
}

/// The file, its entry, the code and the section. The byte is none of them: it moves with any change of the file.
type Key = (String, Option<String>, String, Option<String>);

/// A line of a report as JSON lines.
#[derive(Deserialize)]
struct Line {
    path: String,
    entry: Option<String>,
    findings: Vec<Item>,
    quirks: Vec<Item>,
    error: Option<Kind>,
}

#[derive(Deserialize)]
struct Item {
    code: String,
    section: Option<String>,
    count: u64,
}

#[derive(Deserialize)]
struct Kind {
    kind: String,
    section: Option<String>,
}

impl Known {
    /// `codes`: those of `--ignore`. `baseline`: an earlier report.
    pub(crate) fn new(codes: &[String], baseline: Option<&Path>) -> Result<Self, CheckError> {
        let mut known = Self::default();
        for code in codes {
            known.ignored.insert(find_or_hint(code)?.name());
        }
        if let Some(path) = baseline {
            let what = "not output of `skelmap check --format jsonl`";
            let read = each_line(path, MAX_LINE_BYTES, |line, text| {
                known.add(serde_json::from_slice(text).map_err(|_| LineError::Other { line, what })?);
                Ok(())
            });
            read.map_err(|error| CheckError::Baseline { path: path.to_owned(), error })?;
        }
        Ok(known)
    }

    fn add(&mut self, line: Line) {
        let Line { path, entry, findings, quirks, error } = line;
        let error = error.map(|Kind { kind, section }| Item { code: kind, section, count: 1 });
        for Item { code, section, count } in findings.into_iter().chain(quirks).chain(error) {
            *self.counts.entry((path.clone(), entry.clone(), code, section)).or_default() += count;
        }
    }

    /// Leaves out what is known. An error stays, unless an earlier report has it: the file cannot be used.
    pub(crate) fn leave_out(&self, checked: &mut Checked) {
        let path = path_text(checked.place.path()).into_owned();
        let entry = checked.place.entry().map(ToOwned::to_owned);
        let key = |found: &Found| (path.clone(), entry.clone(), found.code.to_owned(), found.section.clone());
        // With `--all`, many findings are of one code and section.
        let mut counts: HashMap<Key, u64> = HashMap::new();
        for found in checked.reported.iter().filter(|_| !self.counts.is_empty()) {
            *counts.entry(key(found)).or_default() += found.count;
        }
        let is_new = |found: &Found| {
            let is_ignored = !found.is_error && self.ignored.contains(found.code);
            let is_more = || {
                let key = key(found);
                self.counts.get(&key).is_none_or(|known| counts.get(&key) > Some(known))
            };
            !is_ignored && (self.counts.is_empty() || is_more())
        };
        let before = checked.reported.first().is_some_and(|found| found.is_error);
        checked.reported.retain(is_new);
        if before && !checked.reported.first().is_some_and(|found| found.is_error) {
            checked.error = None;
            checked.is_unreadable = false;
        }
        let ignored = |code: &str| self.ignored.contains(code);
        checked.quirks.retain(|(quirk, _)| !ignored(quirk.code.name()));
    }
}
