//! What a report says of many assets. Memory does not grow with their number.

use std::collections::BTreeMap;

use skelmap::catalog::Row;
use skelmap::{Code, Finding, Severity};

use crate::row::shown;

/// The entries of a list of the largest.
const MAX_LISTED: usize = 10;

/// Files with an error that are listed by name.
const MAX_BAD: usize = 100;

/// An asset with what a check of all its data found.
pub(super) struct Checked {
    pub(super) row: Row,
    pub(super) findings: Vec<Finding>,
}

/// How many values lie between each power of two and the next.
#[derive(Default)]
pub(super) struct Histogram {
    /// For each exponent, the number of values; `None` for values of 0.
    pub(super) bins: BTreeMap<Option<i32>, u64>,
}

impl Histogram {
    #[expect(clippy::cast_possible_truncation, reason = "a logarithm is small")]
    fn add(&mut self, value: f64) {
        let bin = (value > 0.0 && value.is_finite()).then(|| value.log2().floor() as i32);
        *self.bins.entry(bin).or_default() += 1;
    }
}

/// The assets with the greatest values, the greatest first.
#[derive(Default)]
pub(super) struct Top(pub(super) Vec<(f64, String)>);

impl Top {
    fn add(&mut self, value: f64, name: &dyn Fn() -> String) {
        let is_full = self.0.len() >= MAX_LISTED;
        if value <= 0.0 || is_full && self.0.last().is_some_and(|(least, _)| value <= *least) {
            return;
        }
        let place = self.0.partition_point(|(own, _)| *own >= value);
        self.0.insert(place, (value, name()));
        self.0.truncate(MAX_LISTED);
    }
}

/// A code that was found.
pub(super) struct Found {
    pub(super) code: Code,
    pub(super) severity: Severity,
    pub(super) files: u64,
    pub(super) count: u64,
    pub(super) example: String,
}

/// The sums of many assets.
#[derive(Default)]
pub(super) struct Survey {
    /// For each format, the number of files and bytes.
    pub(super) formats: BTreeMap<&'static str, (u64, u64)>,
    pub(super) files: u64,
    pub(super) bytes: u64,
    pub(super) bones: Histogram,
    pub(super) seconds: Histogram,
    pub(super) sizes: Histogram,
    pub(super) findings: BTreeMap<&'static str, Found>,
    pub(super) bad: Vec<(String, String)>,
    pub(super) bad_count: u64,
    pub(super) largest: Top,
    pub(super) most_bones: Top,
    pub(super) longest: Top,
    pub(super) most_triangles: Top,
    /// Animations without a frame, and meshes without a triangle.
    pub(super) empty: u64,
}

impl Survey {
    /// The assets that a report names, without those that cannot be read.
    pub(super) fn named(&self) -> Vec<&str> {
        let lists = [&self.largest, &self.most_bones, &self.longest, &self.most_triangles];
        let listed = lists.into_iter().flat_map(|Top(list)| list).map(|(_, name)| name.as_str());
        listed.chain(self.findings.values().map(|found| found.example.as_str())).collect()
    }

    pub(super) fn add(&mut self, Checked { row, findings }: &Checked) {
        let name = || shown(&row.path, row.entry.as_deref());
        self.files += 1;
        if let Some(error) = &row.error {
            self.bad_count += 1;
            if self.bad.len() < MAX_BAD {
                self.bad.push((name(), error.message.clone()));
            }
        }
        let bytes = row.bytes.unwrap_or(0);
        self.bytes += bytes;
        let (files, sum) = self.formats.entry(row.format.unwrap_or("unknown")).or_default();
        (*files, *sum) = (*files + 1, *sum + bytes);
        self.sizes.add(float(bytes));
        self.largest.add(float(bytes), &name);
        let summary = &row.summary;
        if let Some(bones) = summary.bones {
            self.bones.add(float(bones));
            self.most_bones.add(float(bones), &name);
        }
        if let Some(seconds) = summary.duration_s {
            self.seconds.add(seconds);
            self.longest.add(seconds, &name);
        }
        if let Some(faces) = summary.faces {
            self.most_triangles.add(float(faces), &name);
        }
        self.empty += u64::from(summary.faces == Some(0) || summary.frames == Some(0));
        for finding in findings {
            let found = self.findings.entry(finding.code.name()).or_insert_with(|| Found {
                code: finding.code,
                severity: finding.severity,
                files: 0,
                count: 0,
                example: name(),
            });
            (found.files, found.count) = (found.files + 1, found.count.saturating_add(finding.count));
            found.severity = found.severity.max(finding.severity);
        }
    }
}

/// A count, for a scale.
#[expect(clippy::cast_precision_loss, reason = "for a picture")]
pub(super) const fn float(count: u64) -> f64 {
    count as f64
}
