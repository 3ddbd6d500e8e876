//! Findings about many files: what is wrong with each, without what is known already.

mod around;
mod found;
mod places;
mod services;

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::items::{Fault, Item, Loaded, SCHEMA, Sources};
use serde::Deserialize;
use skelmap::actorx::{Config, check_config_each};
use skelmap::archive::{Address, SideCar};
use skelmap::{Asset, Finding, Quirk, Severity};
use skelmap_write::Gltf;

use self::around::{ModMotion, ModSounds};
use crate::codes::{NoCode, find_or_hint};
use crate::columns::{
    ADDRESS_COLUMN, ENTRY_COLUMN, ERROR_COLUMN, FORMAT_COLUMN, PATH_COLUMN, QUIRKS_COLUMN, SCHEMA_COLUMN, address_cell,
    counted_quirks, fault, path, quirk_rows,
};
use crate::lines::{LineError, each_line};
use crate::query::Report;
use crate::report::{Cell, Column, Field, Format, Output, Values, columns_of, field, list, object, text};
use crate::targets::Complaint;
use crate::walk::is_gltf;
use crate::{Find, PatternError, Run, Source, Target, path_of};
pub use found::{Found, finding_fields, row_fields, severities};
pub(crate) use places::Places;
pub use services::{ForService, Service};

/// What is reported.
#[derive(Clone, Debug)]
#[expect(clippy::exhaustive_structs, reason = "made by struct update from its default")]
pub struct CheckOptions {
    /// The lowest severity to report.
    pub level: Severity,
    /// Report every record that is wrong, not only the first of each kind.
    pub all: bool,
    /// Leave out findings with these codes.
    pub ignore: Vec<String>,
    /// Report only what an earlier report does not have: the output of `skelmap check --format jsonl`.
    pub baseline: Option<PathBuf>,
    /// The program that should read the files: report also what it would refuse or silently spoil.
    pub target: Option<Target>,
}

impl Default for CheckOptions {
    fn default() -> Self {
        Self { level: Severity::Warning, all: false, ignore: Vec::new(), baseline: None, target: None }
    }
}

/// Why nothing is checked.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CheckError {
    /// A code that is not there.
    #[error(transparent)]
    NoCode(#[from] NoCode),
    /// An earlier report that cannot be used.
    #[error("{error}")]
    Baseline {
        /// The file.
        path: PathBuf,
        /// Why not.
        error: LineError,
    },
    /// A pattern for names that has no meaning.
    #[error(transparent)]
    Pattern(#[from] PatternError),
    /// The system gives no threads, or the work was asked to stop.
    #[error(transparent)]
    Stopped(#[from] io::Error),
}

/// The most findings for each code and section of a file with [`all`](CheckOptions::all).
const MAX_FINDINGS: usize = 100_000;

/// Checks files, each with what the files around it say: side-cars, the sounds of a mod, the bones that animations move.
#[derive(Debug)]
pub struct Checker<'c> {
    source: &'c Source,
    find: &'c Find,
    level: Severity,
    most: usize,
    target: Option<Target>,
    places: Places,
    known: Known,
    sounds: ModSounds<'c>,
    motion: ModMotion,
}

impl<'c> Checker<'c> {
    /// Reads the animations among the files, if notes are asked for.
    ///
    /// # Errors
    /// [`CheckError`].
    pub fn new(find: &'c Find, source: &'c Source, options: &CheckOptions, run: Run<'_>) -> Result<Self, CheckError> {
        let CheckOptions { level, all, ignore, baseline, target } = options;
        let places = Places::of(&find.paths);
        let known = Known::new(ignore, baseline.as_deref(), &places)?;
        let motion = ModMotion::find(find, source, *level, run)?;
        let most = if *all { MAX_FINDINGS } else { 1 };
        let sounds = ModSounds::new(find, source);
        Ok(Self { source, find, level: *level, most, target: *target, places, known, sounds, motion })
    }

    /// The files.
    ///
    /// # Errors
    /// A pattern that has no meaning.
    pub fn sources(&self) -> Result<Sources, PatternError> {
        self.find.sources(self.source)
    }

    /// Checks a file.
    pub fn check(&self, item: &Item, opened: &Result<Loaded, Fault>) -> Checked {
        let side_car = check_side_car(item, opened, self.level, self.most, self.source, &self.places);
        let mut checked =
            side_car.unwrap_or_else(|| check(item, opened, self.level, self.most, self.target, &self.places));
        self.sounds.add_to(&mut checked, opened, self.level);
        self.motion.add_to(&mut checked, opened);
        self.known.leave_out(&mut checked);
        checked
    }
}

/// The result for one file.
#[derive(Debug)]
#[non_exhaustive]
pub struct Checked {
    /// The file.
    pub place: Arc<Address>,
    /// The file, or the archive of an entry, in its repository.
    location: String,
    pub(crate) format: Option<&'static str>,
    /// The error, if there is one, and the findings.
    pub reported: Vec<Found>,
    pub(crate) quirks: Vec<(Quirk, u64)>,
    /// The error, if the file cannot be read or used.
    pub error: Option<Fault>,
    /// Whether the file cannot be opened.
    pub is_unreadable: bool,
}

const LOCATION: Column = text("location").means(
    "the path in the repository, or in the working folder: the same for every way to name the file (--baseline)",
);
const FINDING: Column = text("").of(Values::Shared("finding", || columns_of(&finding_fields())));

/// The columns of a file, which has its findings as a list.
pub fn file_fields() -> Vec<Field<Checked>> {
    let findings = list("findings", &FINDING).means("what is wrong with the file");
    vec![
        field(SCHEMA_COLUMN.json(), |_| SCHEMA.into()),
        field(PATH_COLUMN.json(), |file: &Checked| path(&file.place)),
        field(ENTRY_COLUMN.json(), |file| file.place.entry().into()),
        field(ADDRESS_COLUMN.json(), |file| address_cell(&file.place)),
        field(LOCATION.json(), |file| (&file.location).into()),
        field(FORMAT_COLUMN.json(), |file| file.format.into()),
        field(findings.json(), |file| {
            let findings = || file.findings().iter();
            Cell::list(move || findings().map(|found| Cell::Object(object(&finding_fields(), found))))
        }),
        field(QUIRKS_COLUMN.json(), |file| Cell::list(quirk_rows(&file.quirks).objects())),
        field(ERROR_COLUMN, |file| fault(file.error.as_ref())),
    ]
}

/// A report on findings: a row for each finding, or in JSON for each file.
#[derive(Debug)]
#[non_exhaustive]
pub enum Findings {
    /// A row for each finding.
    Rows(Report<Found>),
    /// A row for each file.
    Files(Report<Checked>),
}

impl Findings {
    /// A report in JSON, CSV or Parquet.
    ///
    /// # Errors
    /// Those of the output.
    pub fn to(out: Output, format: Format) -> io::Result<Self> {
        Ok(match format {
            Format::Json | Format::Jsonl => Self::Files(Report::to(out, file_fields(), format, false)?),
            _ => Self::Rows(Report::to(out, finding_fields(), format, false)?),
        })
    }

    /// Adds the findings of a file.
    ///
    /// # Errors
    /// Those of the output.
    pub fn add(&mut self, file: &Checked) -> io::Result<()> {
        match self {
            Self::Rows(report) => file.reported.iter().try_for_each(|found| report.row(found)),
            Self::Files(report) => report.row(file),
        }
    }

    /// Writes the end.
    ///
    /// # Errors
    /// Those of the output.
    pub fn end(self) -> io::Result<()> {
        match self {
            Self::Rows(report) => report.end(),
            Self::Files(report) => report.end(),
        }
    }
}

/// What is wrong with an asset, with its side-car, and with its name at an address: the worst first. `most`: the most findings for each
/// code and section.
pub fn findings_of(
    asset: &Asset<'_>,
    side_car: Option<&SideCar>,
    place: Option<&Address>,
    most: usize,
) -> Vec<Finding> {
    let mut findings = asset.check_each(most);
    if let (Asset::ActorxPsa(animation), Some(own)) = (asset, side_car) {
        findings.extend(check_config_each(animation, &Config::new(&own.bytes), most));
    }
    findings.extend(place.and_then(|place| asset.format().check_extension(&place.to_string())));
    findings.sort_by_key(|finding| Reverse(finding.severity));
    findings
}

/// What is wrong with an item, with its checksum: a fault that makes it useless, and findings.
pub(crate) fn faults_of(item: &Item, opened: &Result<Loaded, Fault>, most: usize) -> (Option<Fault>, Vec<Finding>) {
    let loaded = match opened {
        Ok(loaded) => loaded,
        Err(fault) => return (Some(fault.clone()), Vec::new()),
    };
    let (mut fault, mut findings) = (item.check_checksum(loaded.stored()).err().map(Fault::from), Vec::new());
    match loaded.asset() {
        Ok(asset) => {
            let side_car = if matches!(asset, Asset::ActorxPsa(_)) { item.side_car() } else { Ok(None) };
            findings =
                findings_of(&asset, side_car.as_ref().ok().and_then(Option::as_ref), Some(&item.address()), most);
            fault = fault.or(side_car.err().map(Fault::from));
        }
        Err(failed) => fault = fault.or(Some(failed.into())),
    }
    (fault, findings)
}

/// Reads all data of an item. `level`: the lowest severity to report; `most`: the most findings for each code and section; `target`: the program that should
/// read the file.
pub(crate) fn check(
    item: &Item,
    opened: &Result<Loaded, Fault>,
    level: Severity,
    most: usize,
    target: Option<Target>,
    places: &Places,
) -> Checked {
    let place = Arc::new(item.address());
    if let Some(checked) = target.and_then(|target| check_gltf(item, opened, &place, level, target, places)) {
        return checked;
    }
    let loaded = opened.as_ref().ok();
    let format = loaded.and_then(Loaded::format).map(skelmap::Format::code);
    let quirks = loaded.and_then(|loaded| loaded.asset().ok()).map(|asset| counted_quirks(asset.quirks()));
    let quirks = quirks.unwrap_or_default();
    let (error, mut findings) = faults_of(item, opened, most);
    if let Some(target) = target {
        target.rate(&mut findings);
        findings.sort_by_key(|finding| Reverse(finding.severity));
    }
    let mut checked = Checked::new(place, places, error, findings, level);
    let asset = loaded.and_then(|loaded| loaded.asset().ok());
    checked.complain(target.zip(asset).map(|(target, asset)| target.check(&asset)).unwrap_or_default(), level);
    let quirks_of_level = quirks.iter().filter(|(quirk, _)| quirk.code.severity() >= level);
    checked.reported.extend(quirks_of_level.map(|quirk| Found::of_quirk(&checked.place, *quirk)));
    Checked { format, quirks, is_unreadable: opened.is_err(), ..checked }
}

/// Checks a glTF file for a target; `None` for other files.
fn check_gltf(
    item: &Item,
    opened: &Result<Loaded, Fault>,
    place: &Arc<Address>,
    level: Severity,
    target: Target,
    places: &Places,
) -> Option<Checked> {
    let loaded = opened.as_ref().ok().filter(|_| is_gltf(Path::new(&item.address().to_string())))?;
    // Buffers in other files are those of the folder of the file; an entry of an archive has none.
    let folder = place.entry().is_none().then(|| place.path().parent().unwrap_or(Path::new("")));
    let gltf = match folder {
        Some(folder) => Gltf::parse_in(loaded.bytes(), folder),
        None => Gltf::parse(loaded.bytes()),
    };
    let (error, complaints) = match gltf.and_then(|gltf| target.check_gltf(&gltf, None)) {
        Ok(complaints) => (None, complaints),
        Err(error) => (Some(Fault::from(io::Error::other(error))), Vec::new()),
    };
    let mut checked = Checked::new(Arc::clone(place), places, error, Vec::new(), level);
    checked.complain(complaints, level);
    Some(checked)
}

/// Checks a side-car that the arguments name, against the animation beside it; `None` for other files.
fn check_side_car(
    item: &Item,
    opened: &Result<Loaded, Fault>,
    level: Severity,
    most: usize,
    source: &Source,
    places: &Places,
) -> Option<Checked> {
    let address = item.address();
    let is_config = address.path().extension().is_some_and(|extension| extension.eq_ignore_ascii_case("config"));
    let loaded = opened.as_ref().ok().filter(|_| is_config && item.is_named() && address.entry().is_none())?;
    let check = || {
        let mut beside = ["psa", "PSA", "Psa"].iter().map(|extension| address.path().with_extension(extension));
        let animation = beside.find(|path| path.is_file()).ok_or_else(|| {
            let message = "is a side-car, and there is no animation (.psa) beside it to check it with";
            io::Error::new(io::ErrorKind::NotFound, message)
        })?;
        match source.open(&Address::of_file(animation))?.asset()? {
            Asset::ActorxPsa(animation) => Ok(check_config_each(&animation, &Config::new(loaded.bytes()), most)),
            _ => Err(Fault::from(io::Error::other("the animation beside it has no side-car"))),
        }
    };
    let (findings, error) = check().map_or_else(|fault| (Vec::new(), Some(fault)), |findings| (findings, None));
    Some(Checked::new(Arc::new(address), places, error, findings, level))
}

impl Checked {
    /// An error and findings, those of a lower level left out.
    fn new(
        place: Arc<Address>,
        places: &Places,
        error: Option<Fault>,
        findings: Vec<Finding>,
        level: Severity,
    ) -> Self {
        let mut reported: Vec<Found> = error.iter().map(|error| Found::of_error(&place, error)).collect();
        let findings = findings.into_iter().filter(|finding| finding.severity >= level);
        reported.extend(findings.map(|finding| Found::of_finding(&place, finding)));
        let location = places.name(place.path());
        Self { place, location, format: None, reported, quirks: Vec::new(), error, is_unreadable: false }
    }

    /// Adds what a target refuses or spoils.
    fn complain(&mut self, complaints: Vec<Complaint>, level: Severity) {
        let complaints = complaints.into_iter().filter(|complaint| complaint.severity >= level);
        self.reported.extend(complaints.map(|complaint| Found::of_target(&self.place, complaint)));
    }

    /// What is reported without the error.
    pub fn findings(&self) -> &[Found] {
        self.reported.get(usize::from(self.error.is_some())..).unwrap_or_default()
    }
}

/// The longest line of a report that is read.
const MAX_LINE_BYTES: u64 = 64 << 20;

/// What is known already.
#[derive(Debug, Default)]
struct Known {
    ignored: HashSet<&'static str>,
    /// How often a code was found in a section of a file.
    counts: HashMap<Key, u64>,
}

/// The file in its repository, its entry, the code and the section. The byte is none of them: it moves with any change of the file.
type Key = (String, Option<String>, String, Option<String>);

/// A line of a report as JSON lines.
#[derive(Deserialize)]
struct Line {
    path: String,
    /// Reports of before have none.
    location: Option<String>,
    entry: Option<String>,
    findings: Vec<Reported>,
    quirks: Vec<Reported>,
    error: Option<Kind>,
}

#[derive(Deserialize)]
struct Reported {
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
    fn new(codes: &[String], baseline: Option<&Path>, places: &Places) -> Result<Self, CheckError> {
        let mut known = Self::default();
        for code in codes {
            known.ignored.insert(find_or_hint(code)?.name());
        }
        if let Some(path) = baseline {
            let what = "not output of `skelmap check --format jsonl`";
            let read = each_line(path, MAX_LINE_BYTES, |line, text| {
                known.add(serde_json::from_slice(text).map_err(|_| LineError::Other { line, what })?, places);
                Ok(())
            });
            read.map_err(|error| CheckError::Baseline { path: path.to_owned(), error })?;
        }
        Ok(known)
    }

    fn add(&mut self, line: Line, places: &Places) {
        let Line { path, location, entry, findings, quirks, error } = line;
        let location = location.unwrap_or_else(|| places.name(&path_of(path.as_ref())));
        let error = error.map(|Kind { kind, section }| Reported { code: kind, section, count: 1 });
        let mut own: HashMap<Key, [u64; 2]> = HashMap::new();
        let of_list = |list: usize| move |reported: Reported| (list, reported);
        let findings = findings.into_iter().chain(error).map(of_list(0));
        for (list, Reported { code, section, count }) in findings.chain(quirks.into_iter().map(of_list(1))) {
            let counts = own.entry((location.clone(), entry.clone(), code, section)).or_default();
            counts.get_mut(list).into_iter().for_each(|own| *own = own.saturating_add(count));
        }
        // A quirk of the reported levels is in both lists.
        for (key, [found, repaired]) in own {
            let known = self.counts.entry(key).or_default();
            *known = known.saturating_add(found.max(repaired));
        }
    }

    /// Leaves out what is known. An error stays, unless an earlier report has it: the file cannot be used.
    fn leave_out(&self, checked: &mut Checked) {
        let location = checked.location.clone();
        let entry = checked.place.entry().map(ToOwned::to_owned);
        let key = |found: &Found| (location.clone(), entry.clone(), found.code.to_owned(), found.section.clone());
        // With `--every-record`, many findings are of one code and section.
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
