//! What a report says of many assets. Memory does not grow with their number.

use std::collections::{BTreeMap, HashMap, HashSet};

use crate::items::{Fault, Item, Loaded, Options, Row};
use skelmap::archive::Address;
use skelmap::{Code, Finding, Severity};

use crate::Source;
use crate::check::faults_of;
use crate::columns::{row, shown};

/// The entries of a list of the largest.
const MAX_LISTED: usize = 10;

/// The addresses that are kept: more than a report names.
const MAX_PLACES: usize = 1024;

/// Files with an error that are listed by name.
const MAX_BAD: usize = 100;

/// An asset with what a check of all its data found.
#[derive(Debug)]
#[non_exhaustive]
pub struct Surveyed {
    /// Its row.
    pub row: Row,
    /// What was found.
    pub findings: Vec<Finding>,
    /// Where it lies.
    place: Address,
}

impl Surveyed {
    /// Reads all data of an item.
    pub fn of(item: &Item, opened: &Result<Loaded, Fault>, source: &Source) -> Self {
        let options = Options { parse: source.parse, ..Options::default() };
        let mut row = row(&item.address(), opened, &options);
        let (fault, findings) = faults_of(item, opened, 1);
        row.error = row.error.or(fault);
        Self { row, findings, place: item.address() }
    }
}

/// How many values lie between each power of two and the next.
#[derive(Debug, Default)]
pub(crate) struct Histogram {
    /// For each exponent, the number of values; `None` for values of 0.
    pub(crate) bins: BTreeMap<Option<i32>, u64>,
}

impl Histogram {
    #[expect(clippy::cast_possible_truncation, reason = "a logarithm is small")]
    fn add(&mut self, value: f64) {
        let bin = (value > 0.0 && value.is_finite()).then(|| value.log2().floor() as i32);
        *self.bins.entry(bin).or_default() += 1;
    }
}

/// The assets with the greatest values, the greatest first.
#[derive(Debug, Default)]
pub(crate) struct Top(pub(super) Vec<(f64, String)>);

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
#[derive(Debug)]
pub(crate) struct Found {
    pub(crate) code: Code,
    pub(crate) severity: Severity,
    pub(crate) files: u64,
    pub(crate) count: u64,
    pub(crate) example: String,
}

/// The sums of many assets.
#[derive(Debug, Default)]
pub struct Survey {
    /// For each format, the number of files and bytes.
    pub(crate) formats: BTreeMap<&'static str, (u64, u64)>,
    pub(crate) files: u64,
    pub(crate) bytes: u64,
    pub(crate) bones: Histogram,
    pub(crate) seconds: Histogram,
    pub(crate) sizes: Histogram,
    pub(crate) findings: BTreeMap<&'static str, Found>,
    pub(crate) bad: Vec<(String, String)>,
    pub(crate) bad_count: u64,
    pub(crate) largest: Top,
    pub(crate) most_bones: Top,
    pub(crate) longest: Top,
    pub(crate) most_triangles: Top,
    /// Animations without a frame, and meshes without a triangle.
    pub(crate) empty: u64,
    /// Where assets lie whose names leave out the secrets of their addresses.
    pub(crate) places: HashMap<String, Address>,
}

impl Survey {
    /// The assets that a report names, without those that cannot be read.
    pub(crate) fn named(&self) -> Vec<&str> {
        let lists = [&self.largest, &self.most_bones, &self.longest, &self.most_triangles];
        let listed = lists.into_iter().flat_map(|Top(list)| list).map(|(_, name)| name.as_str());
        listed.chain(self.findings.values().map(|found| found.example.as_str())).collect()
    }

    /// Keeps the address of an asset, and of those before it only the ones that the report names.
    fn remember(&mut self, name: String, place: &Address) {
        if self.places.len() >= MAX_PLACES {
            let named: HashSet<String> = self.named().into_iter().map(ToOwned::to_owned).collect();
            self.places.retain(|name, _| named.contains(name));
        }
        self.places.insert(name, place.clone());
    }

    /// Adds an asset.
    pub fn add(&mut self, Surveyed { row, findings, place }: &Surveyed) {
        let name = || shown(&row.path, row.entry.as_deref());
        if place.location() != place.path() {
            self.remember(name(), place);
        }
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
pub(crate) const fn float(count: u64) -> f64 {
    count as f64
}
