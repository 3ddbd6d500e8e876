//! `skelmap check`: findings.

use std::io::{self, Write};

use serde::Serialize;
use skelmap::actorx::{Config, check_config};
use skelmap::catalog::{Fault, Item, Loaded, Row, SCHEMA};
use skelmap::mapping::Opener;
use skelmap::{Asset, Finding, Quirk, Severity};

use crate::Outcome;
use crate::cli::{Check, Format, Level};
use crate::files::{self, Source};
use crate::print::{self, Json, or_blank};
use crate::row::{and_more, counted_quirks, quirk_rows, row, shown};

/// What the check of one file gives. The order of the fields is the order of the keys.
#[derive(Debug, Serialize)]
struct Checked {
    schema: u32,
    path: String,
    entry: Option<String>,
    format: Option<&'static str>,
    findings: Vec<FindingRow>,
    /// Where the form has room for them.
    #[serde(serialize_with = "quirk_rows")]
    quirks: Vec<(Quirk, u64)>,
    error: Option<Fault>,
    #[serde(skip)]
    unreadable: bool,
}

#[derive(Debug, Serialize)]
struct FindingRow {
    severity: Severity,
    code: &'static str,
    section: String,
    offset: u64,
    index: Option<u64>,
    count: u64,
    message: String,
}

impl From<Finding> for FindingRow {
    fn from(finding: Finding) -> Self {
        Self {
            severity: finding.severity,
            code: finding.code.code(),
            section: finding.section.to_string(),
            offset: finding.offset,
            index: finding.index,
            count: finding.count,
            message: finding.message,
        }
    }
}

pub(crate) fn run(arguments: &Check, source: &Source) -> io::Result<Outcome> {
    let level = match arguments.level {
        Level::Note => Severity::Note,
        Level::Warning => Severity::Warning,
        Level::Error => Severity::Error,
    };
    let (mut out, mut styled) = (print::output(), print::styled_output());
    let mut json = Json::new(arguments.format);
    let mut csv = (arguments.format == Format::Csv).then(|| csv::Writer::from_writer(print::output()));
    if let Some(csv) = &mut csv {
        print::written(csv.write_record(CSV_HEADING))?;
    }
    let mut tally = Tally::default();
    let with_quirks = json.is_some();
    let work = |item: &Item, opened| Some(check(item, &opened, &source.opener, level, with_quirks));
    files::each_of(&source.find(&arguments.inputs), arguments.inputs.jobs, source, work, |checked| {
        tally.count(&checked);
        match (&mut json, &mut csv) {
            (Some(json), _) => json.value(&mut out, &checked),
            (_, Some(csv)) => write_csv(csv, &checked),
            _ => write_lines(&mut styled, &checked),
        }
    })?;
    if let Some(json) = json {
        json.end(&mut out)?;
    }
    if let Some(mut csv) = csv {
        csv.flush()?;
    }
    out.flush()?;
    styled.flush()?;
    Ok(tally.outcome())
}

fn check(item: &Item, opened: &Result<Loaded, Fault>, opener: &Opener, level: Severity, with_quirks: bool) -> Checked {
    let Row { path, entry, format, error, .. } = row(&item.address(), opened);
    let unreadable = opened.is_err();
    let mut checked = Checked {
        schema: SCHEMA,
        path,
        entry,
        format,
        findings: Vec::new(),
        quirks: Vec::new(),
        error: None,
        unreadable,
    };
    let mut failed = None;
    if let Ok(loaded) = opened {
        if let Ok(asset) = loaded.asset() {
            let (findings, side_car) = findings(item, loaded, &asset, opener);
            let reported = findings.into_iter().filter(|finding| finding.severity >= level).map(FindingRow::from);
            // A quirk is worth a note.
            let noted = if level == Severity::Note { notes(loaded.quirks(&asset)) } else { Vec::new() };
            checked.findings = reported.chain(noted).collect();
            if with_quirks {
                checked.quirks = counted_quirks(loaded.quirks(&asset));
            }
            failed = side_car;
        }
        checked.error = item.prove_checksum(loaded.bytes()).err().map(|error| Fault::from(&error));
    }
    checked.error = checked.error.or(error).or(failed);
    checked
}

/// Quirks as findings.
fn notes(quirks: impl Iterator<Item = Quirk>) -> Vec<FindingRow> {
    let note = |(quirk, count): (Quirk, u64)| FindingRow {
        severity: Severity::Note,
        code: quirk.kind.code(),
        section: quirk.section.to_string(),
        offset: quirk.offset,
        index: None,
        count,
        message: quirk.kind.to_string(),
    };
    counted_quirks(quirks).into_iter().map(note).collect()
}

/// What is wrong with an asset and with its side-car; and why that, if it is there, cannot be read.
fn findings(item: &Item, loaded: &Loaded, asset: &Asset<'_>, opener: &Opener) -> (Vec<Finding>, Option<Fault>) {
    let mut findings = asset.check();
    let mut failed = None;
    if let Asset::ActorxPsa(animation) = asset {
        match files::side_car_of_item(loaded, item, opener) {
            Ok(Some(side_car)) => findings.extend(check_config(animation, &Config::new(&side_car.bytes))),
            Ok(None) => {}
            Err(error) => failed = Some(Fault::from(&error)),
        }
    }
    (findings, failed)
}

/// What was met, for the exit status and the last line.
#[derive(Debug, Default)]
struct Tally {
    files: u64,
    findings: u64,
    bad: u64,
    unreadable: u64,
}

impl Tally {
    fn count(&mut self, checked: &Checked) {
        self.files += 1;
        self.findings += checked.findings.len() as u64;
        self.bad += u64::from(checked.error.is_some());
        self.unreadable += u64::from(checked.unreadable);
    }

    fn outcome(&self) -> Outcome {
        let Self { files, findings, bad, unreadable } = *self;
        let (counted_files, counted_findings) = (print::counted(files, "file"), print::counted(findings, "finding"));
        print::complain(format_args!("{counted_files}, {counted_findings}, {bad} bad"));
        match () {
            () if files == unreadable => Outcome::NothingRead,
            () if findings + bad > 0 => Outcome::Findings,
            () => Outcome::Clean,
        }
    }
}

const CSV_HEADING: [&str; 9] = ["path", "entry", "severity", "code", "section", "offset", "index", "count", "message"];

fn write_csv(csv: &mut csv::Writer<impl Write>, checked: &Checked) -> io::Result<()> {
    let (path, entry) = (&checked.path, or_blank(checked.entry.as_ref()));
    if let Some(error) = &checked.error {
        let (section, offset) = (or_blank(error.section.as_ref()), or_blank(error.offset));
        let record = [path, &entry, "error", error.kind, &section, &offset, "", "1", &error.message];
        print::written(csv.write_record(record))?;
    }
    for finding in &checked.findings {
        let (offset, index, count) = (finding.offset.to_string(), or_blank(finding.index), finding.count.to_string());
        let severity = finding.severity.code();
        let FindingRow { code, section, message, .. } = finding;
        let record = [path, &entry, severity, code, section, &offset, &index, &count, message];
        print::written(csv.write_record(record))?;
    }
    Ok(())
}

/// A line for each finding, as compilers print them.
fn write_lines(out: &mut impl Write, checked: &Checked) -> io::Result<()> {
    let path = print::clean(shown(&checked.path, checked.entry.as_deref()));
    let mut line = |severity: Severity, code: &str, message: &str, count: u64| {
        let style = match severity {
            Severity::Error => print::RED,
            Severity::Warning => print::YELLOW,
            Severity::Note => print::DIM,
        };
        let (message, more) = (print::clean(message), and_more(count));
        writeln!(out, "{path}: {style}{severity}{style:#} [{code}] {message}{more}")
    };
    if let Some(error) = &checked.error {
        line(Severity::Error, error.kind, &error.message, 1)?;
    }
    for finding in &checked.findings {
        let message = format!("{} at byte {}: {}", finding.section, finding.offset, finding.message);
        line(finding.severity, finding.code, &message, finding.count)?;
    }
    Ok(())
}
