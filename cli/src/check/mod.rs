//! `skelmap check`: findings.

mod known;
mod lines;
mod services;
mod sounds;

use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Arc;

use anstyle::Style;
use clap::{Args, ValueEnum};
use skelmap::actorx::{Config, check_config};
use skelmap::archive::Address;
use skelmap::catalog::{Fault, Item, Loaded, SCHEMA};
use skelmap::{Asset, Finding, Quirk, Severity};

use self::known::Known;
use self::lines::Lines;
use self::services::{ForService, Service};
use self::sounds::ModSounds;
use crate::arguments::Inputs;
use crate::files::{self, NO_ASSET, Source};
use crate::messages::summarize;
use crate::outcome::{Ended, Outcome, Tally};
use crate::output::{DIM, Output, RED, YELLOW, complain, stdout, styled_stdout, terminal_width};
use crate::query::{Query, query_help};
use crate::report::{ARCHIVE, Cell, Field, Format, Look, PATH, Report, field, integer, object, text};
use crate::row::{archive, counted_quirks, fault, path, path_within, quirk_rows};
use crate::text::{and_more, clean, counted};

/// Read all data and report what is wrong with it.
#[derive(Debug, Args)]
#[command(mut_arg("glob", |glob| glob.hide_short_help(false)))]
#[command(after_help = concat!("\
Examples:
  skelmap check Grunt.psk
  skelmap check --level note mods/
  skelmap check --format csv mods/ > findings.csv
  skelmap check --format jsonl mods/ > known.jsonl; skelmap check --baseline known.jsonl mods/
  skelmap check --format sarif --ignore weight-sum mods/ > findings.sarif
  skelmap check mods/ --where 'code ~ \"weight\"' --sort -count --limit 20

The side-car (.config) of an animation is checked too, and the checksum of an entry of an archive. Exit status 1 if anything is \
reported.

--format github prints commands for GitHub Actions, sarif a log of SARIF 2.1.0, junit a test for each file: docs/ci.md has a workflow. \
--baseline takes the output of --format jsonl: a finding is known if the same file has the same code in the same section at least as \
often. An error is known in the same way; --ignore hides no error.

", query_help!(), "

These options are about findings: with one of them, a table has a row for each finding, and JSON an object for each finding, with the keys \
schema, path, entry, severity, code, section, offset, index, count and message.

JSON keys (schema 1): schema, path, entry, format, findings [{severity, code, section, offset, index, count, message}], quirks \
[{code, section, offset, count, message}], error {kind, section, offset, message}."))]
pub(crate) struct Check {
    #[command(flatten)]
    pub(crate) inputs: Inputs,
    #[command(flatten)]
    query: Query,
    /// The lowest severity to report: everything, data that some readers cannot use, or data that is wrong.
    #[arg(long, value_enum, default_value_t = Level::Warning)]
    level: Level,
    /// Leave out findings with this code; can be given several times.
    #[arg(long, value_name = "CODE")]
    ignore: Vec<String>,
    /// Report only what an earlier report does not have.
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,
    /// Format of the output; a table is one line per finding.
    #[arg(long, value_enum, default_value_t = CheckFormat::Table)]
    format: CheckFormat,
}

/// The format of a report on findings.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum CheckFormat {
    Table,
    Json,
    Jsonl,
    Csv,
    Sarif,
    Junit,
    Github,
}

impl CheckFormat {
    /// How rows are written; otherwise, the service that reads them.
    const fn rows(self) -> Result<Format, Service> {
        Ok(match self {
            Self::Table => Format::Table,
            Self::Json => Format::Json,
            Self::Jsonl => Format::Jsonl,
            Self::Csv => Format::Csv,
            Self::Sarif => return Err(Service::Sarif),
            Self::Junit => return Err(Service::Junit),
            Self::Github => return Err(Service::Github),
        })
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Level {
    Note,
    Warning,
    Error,
}

/// The result for one file.
pub(crate) struct Checked {
    pub(crate) place: Arc<Address>,
    format: Option<&'static str>,
    /// The error, if there is one, and the findings.
    reported: Vec<Found>,
    quirks: Vec<(Quirk, u64)>,
    pub(crate) error: Option<Fault>,
    pub(crate) is_unreadable: bool,
}

/// Something that is wrong: a finding, an error, or a quirk as a note.
pub(crate) struct Found {
    place: Arc<Address>,
    severity: Severity,
    code: &'static str,
    section: Option<String>,
    offset: Option<u64>,
    index: Option<u64>,
    count: u64,
    message: String,
    /// Whether the message names the section and the byte itself.
    is_error: bool,
}

impl Found {
    fn of_error(place: &Arc<Address>, error: &Fault) -> Self {
        let Fault { kind, section, offset, message } = error.clone();
        let (severity, place) = (Severity::Error, Arc::clone(place));
        Self { place, severity, code: kind, section, offset, index: None, count: 1, message, is_error: true }
    }

    fn of_finding(place: &Arc<Address>, finding: Finding) -> Self {
        let Finding { severity, code, section, offset, index, count, message, .. } = finding;
        let (section, offset, place) = (Some(section.to_string()), Some(offset), Arc::clone(place));
        Self { place, severity, code: code.name(), section, offset, index, count, message, is_error: false }
    }

    fn of_quirk(place: &Arc<Address>, (quirk, count): (Quirk, u64)) -> Self {
        Self {
            place: Arc::clone(place),
            severity: quirk.code.severity(),
            code: quirk.code.name(),
            section: Some(quirk.section.to_string()),
            offset: Some(quirk.offset),
            index: None,
            count,
            message: quirk.code.sentence().to_owned(),
            is_error: false,
        }
    }

    fn style(&self) -> Style {
        match self.severity {
            Severity::Error => RED,
            Severity::Warning => YELLOW,
            Severity::Note => DIM,
        }
    }

    /// What is said of the file after the severity.
    fn text(&self) -> String {
        let Self { code, section, offset, count, message, .. } = self;
        // The message of an error has its place in it.
        let place = match (section, offset) {
            (Some(section), Some(offset)) if !self.is_error => format!("at byte {offset} ({}): ", clean(section)),
            _ => String::new(),
        };
        format!("[{code}] {place}{}{}", clean(message), and_more(*count))
    }
}

/// The columns of a finding.
pub(crate) fn finding_fields() -> Vec<Field<Found>> {
    vec![
        field(text("path").flat(), |found: &Found| path(&found.place)),
        field(text("entry").flat(), |found| found.place.entry().into()),
        field(text("severity"), |found| found.severity.code().into()),
        field(text("code"), |found| found.code.into()),
        field(text("section"), |found| found.section.as_ref().into()),
        field(integer("offset"), |found| found.offset.into()),
        field(integer("index"), |found| found.index.into()),
        field(integer("count"), |found| found.count.into()),
        field(text("message"), |found: &Found| (&found.message).into()),
    ]
}

/// The columns of a finding in a report that has a row for each, whatever the format.
fn row_fields() -> Vec<Field<Found>> {
    vec![
        field(integer("schema").json(), |_| SCHEMA.into()),
        field(text("path").data(), |found: &Found| path(&found.place)),
        field(text("entry").data(), |found| found.place.entry().into()),
        field(text("severity"), |found| found.severity.code().into()),
        field(text("code"), |found| found.code.into()),
        field(text("section").minor(4), |found| found.section.as_ref().into()),
        field(integer("offset").minor(3), |found| found.offset.into()),
        field(integer("index").minor(2), |found| found.index.into()),
        field(integer("count").minor(1), |found| found.count.into()),
        field(text("message").data(), |found: &Found| (&found.message).into()),
        field(text("message").look(Look::Notes).table(), |found| (&found.message).into()),
        field(ARCHIVE, |found| archive(&found.place)),
        field(PATH, |found| path_within(&found.place)),
    ]
}

/// The columns of a file, which has its findings as a list.
fn file_fields() -> Vec<Field<Checked>> {
    vec![
        field(integer("schema"), |_| SCHEMA.into()),
        field(text("path"), |file: &Checked| path(&file.place)),
        field(text("entry"), |file| file.place.entry().into()),
        field(text("format"), |file| file.format.into()),
        field(text("findings"), |file| {
            let findings = || file.findings().iter();
            Cell::list(move || findings().map(|found| Cell::Object(object(&finding_fields(), found))))
        }),
        field(text("quirks"), |file| Cell::list(quirk_rows(&file.quirks).objects())),
        field(text("error"), |file| fault(file.error.as_ref())),
    ]
}

pub(crate) fn run(arguments: &Check, source: &Source) -> Ended {
    let level = match arguments.level {
        Level::Note => Severity::Note,
        Level::Warning => Severity::Warning,
        Level::Error => Severity::Error,
    };
    let known = Known::new(&arguments.ignore, arguments.baseline.as_deref())?;
    let sounds = ModSounds::new(&arguments.inputs, source);
    let (mut tally, mut findings) = (Tally::default(), 0);
    let mut each = |print: &mut (dyn FnMut(&Checked) -> io::Result<()> + Send)| {
        let work = |item: &Item, opened| {
            let side_car = check_side_car(item, &opened, level, source);
            let mut checked = side_car.unwrap_or_else(|| check(item, &opened, level));
            sounds.add_to(&mut checked, &opened, level);
            known.leave_out(&mut checked);
            Some(checked)
        };
        files::each_of(&source.find(&arguments.inputs)?, arguments.inputs.jobs, source, work, |checked| {
            tally.count(checked.error.is_some(), checked.is_unreadable);
            findings += checked.findings().len() as u64;
            print(&checked)
        })
    };
    match arguments.format.rows() {
        Err(service) => {
            let mut report = ForService::new(stdout(), service)?;
            each(&mut |file| report.add(file))?;
            report.end()?;
        }
        Ok(format) if arguments.query.is_some() => {
            let plan = arguments.query.plan(&row_fields(), format)?;
            let mut report = Report::planned(row_fields(), format, plan)?;
            each(&mut |file| file.reported.iter().try_for_each(|found| report.row(found)))?;
            report.end()?;
        }
        Ok(Format::Table) => {
            let mut lines = Lines { out: styled_stdout(), width: terminal_width(), archive: None };
            each(&mut |file| lines.add(file))?;
            lines.out.flush()?;
        }
        Ok(format) => {
            let mut findings = Findings::to(stdout(), format)?;
            each(&mut |file| findings.add(file))?;
            findings.end()?;
        }
    }
    summarize(format!("{}, {}, {} bad", counted(tally.files, "file"), counted(findings, "finding"), tally.bad));
    if tally.files == 0 {
        complain(NO_ASSET);
    }
    let outcome = tally.outcome();
    Ok(if findings > 0 { outcome.max(Outcome::Findings) } else { outcome })
}

/// A report on findings: a row for each finding, or in JSON for each file.
pub(crate) enum Findings {
    Rows(Report<Found>),
    Files(Report<Checked>),
}

impl Findings {
    pub(crate) fn to(out: Output, format: Format) -> io::Result<Self> {
        Ok(match format {
            Format::Json | Format::Jsonl => Self::Files(Report::to(out, file_fields(), format, false)?),
            _ => Self::Rows(Report::to(out, finding_fields(), format, false)?),
        })
    }

    pub(crate) fn add(&mut self, file: &Checked) -> io::Result<()> {
        match self {
            Self::Rows(report) => file.reported.iter().try_for_each(|found| report.row(found)),
            Self::Files(report) => report.row(file),
        }
    }

    pub(crate) fn end(self) -> io::Result<()> {
        match self {
            Self::Rows(report) => report.end(),
            Self::Files(report) => report.end(),
        }
    }
}

/// Reads all data of an item. `level`: the lowest severity to report.
pub(crate) fn check(item: &Item, opened: &Result<Loaded, Fault>, level: Severity) -> Checked {
    let place = Arc::new(item.address());
    let (mut format, mut error) = (None, opened.as_ref().err().cloned());
    let (mut findings, mut quirks) = (Vec::new(), Vec::new());
    if let Ok(loaded) = opened {
        let mut side_car_error = None;
        format = skelmap::Format::sniff(loaded.bytes()).ok().map(skelmap::Format::code);
        match loaded.asset() {
            Ok(asset) => {
                quirks = counted_quirks(asset.quirks());
                let (all, failed) = check_asset(item, &asset);
                findings = all;
                findings.extend(asset.format().check_extension(&place.to_string()));
                findings.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
                side_car_error = failed;
            }
            Err(failed) => error = Some(failed.into()),
        }
        let checksum_error = item.prove_checksum(loaded.bytes()).err().map(|error| Fault::from(&error));
        error = checksum_error.or(error).or(side_car_error);
    }
    let mut reported: Vec<Found> = error.iter().map(|error| Found::of_error(&place, error)).collect();
    findings.retain(|finding| finding.severity >= level);
    reported.extend(findings.into_iter().map(|finding| Found::of_finding(&place, finding)));
    let quirks_of_level = quirks.iter().filter(|(quirk, _)| quirk.code.severity() >= level);
    reported.extend(quirks_of_level.map(|quirk| Found::of_quirk(&place, *quirk)));
    Checked { place, format, reported, quirks, error, is_unreadable: opened.is_err() }
}

/// Checks a side-car that the arguments name, against the animation beside it; `None` for other files.
fn check_side_car(item: &Item, opened: &Result<Loaded, Fault>, level: Severity, source: &Source) -> Option<Checked> {
    let address = item.address();
    let is_config = address.path().extension().is_some_and(|extension| extension.eq_ignore_ascii_case("config"));
    let loaded = opened.as_ref().ok().filter(|_| is_config && item.is_named() && address.entry().is_none())?;
    let mut beside = ["psa", "PSA", "Psa"].iter().map(|extension| address.path().with_extension(extension));
    let animation = beside.find(|path| path.is_file());
    let read = animation.ok_or_else(|| {
        let message = "is a side-car, and there is no animation (.psa) beside it to check it with";
        Fault::from(&io::Error::new(io::ErrorKind::NotFound, message))
    });
    let read = read.and_then(|path| source.open(&Address::of_file(path)).map_err(|error| Fault::from(&error)));
    let found = read.and_then(|animation| match animation.asset() {
        Ok(Asset::ActorxPsa(animation)) => Ok(check_config(&animation, &Config::new(loaded.bytes()))),
        Ok(_) => Err(Fault::from(&io::Error::other("the animation beside it has no side-car"))),
        Err(error) => Err(Fault::from(error)),
    });
    let place = Arc::new(address);
    let error = found.as_ref().err().cloned();
    let mut reported: Vec<Found> = error.iter().map(|error| Found::of_error(&place, error)).collect();
    let findings = found.into_iter().flatten().filter(|finding| finding.severity >= level);
    reported.extend(findings.map(|finding| Found::of_finding(&place, finding)));
    Some(Checked { place, format: None, reported, quirks: Vec::new(), error, is_unreadable: false })
}

/// The findings about an asset and its side-car, and the error if the side-car cannot be read.
fn check_asset(item: &Item, asset: &Asset<'_>) -> (Vec<Finding>, Option<Fault>) {
    let mut findings = asset.check();
    let mut failed = None;
    if let Asset::ActorxPsa(animation) = asset {
        match item.side_car() {
            Ok(Some(side_car)) => findings.extend(check_config(animation, &Config::new(&side_car.bytes))),
            Ok(None) => {}
            Err(error) => failed = Some(Fault::from(&error)),
        }
    }
    (findings, failed)
}

impl Checked {
    /// What is reported without the error.
    pub(crate) fn findings(&self) -> &[Found] {
        self.reported.get(usize::from(self.error.is_some())..).unwrap_or_default()
    }
}
