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
        let place = self.0.partition_point(|(own, _)| *own >= value);
        if value > 0.0 && place < MAX_LISTED {
            self.0.insert(place, (value, name()));
            self.0.truncate(MAX_LISTED);
        }
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

#[cfg(test)]
mod tests {
    use skelmap::Asset;
    use test_support::corpus::file;
    use test_support::with;

    use super::*;

    fn surveyed(address: &str, change: impl FnOnce(&mut Row)) -> Surveyed {
        let place = Address::of_file(address);
        let mut row = Row::empty(place.to_string(), None);
        change(&mut row);
        Surveyed { row, findings: Vec::new(), place }
    }

    #[test]
    fn a_histogram_counts_values_between_powers_of_two() {
        let mut histogram = Histogram::default();
        for value in [0.0, 0.25, 0.3, 1.0, 1.5, 2.0, 3.9, 4.0, f64::INFINITY] {
            histogram.add(value);
        }
        // What is no number and has no power counts with 0.
        assert_eq!(
            Vec::from_iter(histogram.bins),
            [(None, 2), (Some(-2), 2), (Some(0), 2), (Some(1), 2), (Some(2), 1)]
        );
    }

    #[test]
    fn a_list_of_the_largest_has_ten_in_order_and_no_zero() {
        let mut top = Top::default();
        for (value, name) in [(3.0, "a"), (0.0, "none"), (2.0, "b"), (5.0, "c"), (3.0, "d")] {
            top.add(value, &|| name.to_owned());
        }
        let names = |top: &Top| top.0.iter().map(|(_, name)| name.clone()).collect::<Vec<String>>();
        assert_eq!(names(&top), ["c", "a", "d", "b"]);
        for value in [1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 4.0] {
            top.add(value, &|| format!("{value}"));
        }
        assert_eq!(names(&top), ["c", "4", "a", "d", "b", "1", "1", "1", "1", "1"]);
        top.add(1.0, &|| panic!("no name is made for what is not listed"));
    }

    #[test]
    fn a_survey_has_the_sums_of_its_rows() {
        let mut survey = Survey::default();
        let rows = [
            surveyed("a.psk", |row| (row.format, row.bytes, row.summary.faces) = (Some("one"), Some(1000), Some(0))),
            surveyed("b.psa", |row| (row.format, row.bytes, row.summary.frames) = (Some("one"), Some(24), Some(0))),
            surveyed("c.psk", |row| (row.summary.bones, row.summary.faces) = (Some(5), Some(7))),
            surveyed("d.psa", |row| (row.summary.frames, row.summary.duration_s) = (Some(3), Some(2.5))),
        ];
        for row in &rows {
            survey.add(row);
        }
        assert_eq!((survey.files, survey.bytes, survey.empty, survey.bad_count), (4, 1024, 2, 0));
        assert_eq!(Vec::from_iter(&survey.formats), [(&"one", &(2, 1024)), (&"unknown", &(2, 0))]);
        assert_eq!(survey.largest.0, [(1000.0, "a.psk".to_owned()), (24.0, "b.psa".to_owned())]);
        assert_eq!(Vec::from_iter(&survey.bones.bins), [(&Some(2), &1)]);
        assert_eq!(Vec::from_iter(&survey.seconds.bins), [(&Some(1), &1)]);
        assert_eq!(survey.named(), ["a.psk", "b.psa", "c.psk", "d.psa", "c.psk"]);
    }

    #[test]
    fn a_hundred_of_the_files_that_cannot_be_read_have_names() {
        let mut survey = Survey::default();
        for index in 0..=MAX_BAD {
            let error = Fault { kind: "io", section: None, offset: None, message: "gone".to_owned() };
            survey.add(&surveyed(&format!("{index}.psk"), |row| row.error = Some(error)));
        }
        assert_eq!((survey.bad_count, survey.bad.len()), (101, 100));
        assert_eq!(survey.bad.last(), Some(&("99.psk".to_owned(), "gone".to_owned())));
    }

    #[test]
    fn findings_of_a_code_are_summed_and_the_first_file_is_the_example() {
        let mesh = file("actorx/mesh/face_degenerate.psk");
        let found = Asset::parse(&mesh).expect("a mesh").check_each(1);
        let found = found.into_iter().find(|found| found.code.name() == "face-degenerate").expect("the finding");
        let mut survey = Survey::default();
        for (name, count) in [("a.psk", 2), ("b.psk", 3)] {
            let finding = with(found.clone(), |own| own.count = count);
            survey.add(&Surveyed { findings: vec![finding], ..surveyed(name, |_| ()) });
        }
        let sums: Vec<_> = survey.findings.values().map(|own| (own.files, own.count, own.example.as_str())).collect();
        assert_eq!(sums, [(2, 5, "a.psk")]);
        assert_eq!(survey.named(), ["a.psk"]);
    }

    /// Only an address with something secret leads elsewhere than its name.
    #[test]
    fn secret_addresses_are_kept_up_to_a_number_and_then_only_those_that_are_named() {
        let mut survey = Survey::default();
        survey.add(&surveyed("memory://plain.psk", |row| row.bytes = Some(9)));
        assert!(survey.places.is_empty());
        let add = |index: u64| {
            let address = format!("memory://{index}.psk?key=secret");
            survey.add(&surveyed(&address, |row| row.bytes = Some(index)));
            (survey.places.len(), survey.places.contains_key("memory://0.psk"))
        };
        let kept: Vec<_> = (0..1025).map(add).collect();
        assert!(kept[..1024].iter().copied().eq((1..=1024).map(|count| (count, true))));
        // The ten largest before it, and the last one.
        assert_eq!(kept[1024], (11, false));
        assert!((1014..1025).all(|index| {
            let place = survey.places.get(&format!("memory://{index}.psk"));
            place.is_some_and(|place| place.location().to_str().is_some_and(|text| text.ends_with("key=secret")))
        }));
    }
}
