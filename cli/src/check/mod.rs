//! `skelmap check`: findings.

mod found;
mod known;
mod lines;
mod services;
mod sounds;
mod still;

use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Arc;

use clap::{Args, ValueEnum};
use skelmap::actorx::{Config, check_config_each};
use skelmap::archive::Address;
use skelmap::catalog::{Fault, Item, Loaded, SCHEMA};
use skelmap::{Asset, Finding, Quirk, Severity};

use self::found::row_fields;
pub(crate) use self::found::{Found, finding_fields};
use self::known::Known;
use self::lines::Lines;
use self::services::{ForService, Service};
use self::sounds::ModSounds;
use self::still::ModMotion;
use crate::arguments::Inputs;
use crate::files::{self, NO_ASSET, Source};
use crate::messages::summarize;
use crate::outcome::{Ended, Outcome, Tally};
use crate::output::{Output, complain, stdout, styled_stdout, terminal_width};
use crate::query::{Query, query_help};
use crate::report::{Cell, Field, Format, Report, field, integer, object, text};
use crate::row::{counted_quirks, fault, path, quirk_rows};
use crate::text::counted;

/// Read all data and report what is wrong with it.
#[derive(Debug, Args)]
#[command(mut_arg("glob", |glob| glob.hide_short_help(false)))]
#[command(after_help = concat!("\
Examples:
  skelmap check Grunt.psk
  skelmap check --level note mods/
  skelmap check --format csv mods/ > findings.csv
  skelmap check --all --where 'code == \"weight-sum\"' Grunt.psk
  skelmap check --format jsonl mods/ > known.jsonl; skelmap check --baseline known.jsonl mods/
  skelmap check --format sarif --ignore weight-sum mods/ > findings.sarif
  skelmap check mods/ --where 'code ~ \"weight\"' --sort -count --limit 20

The side-car (.config) of an animation is checked too, and the checksum of an entry of an archive. Exit status 1 if anything is \
reported.

--format github prints commands for GitHub Actions, sarif a log of SARIF 2.1.0, junit a test for each file: docs/ci.md has a workflow. \
--baseline takes the output of --format jsonl: a finding is known if the same file has the same code in the same section at least as \
often. An error is known in the same way; --ignore hides no error.

Without --all, records of a section with the same fault are one finding, about the first, and count says how many there are. --all \
has a finding for each, up to 100,000 for each code and section; the last of these counts the rest.

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
    /// Report every record that is wrong, not only the first of each kind.
    #[arg(long)]
    all: bool,
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

/// The most findings for each code and section of a file with `--all`.
const MAX_FINDINGS: usize = 100_000;

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
    let most = if arguments.all { MAX_FINDINGS } else { 1 };
    let known = Known::new(&arguments.ignore, arguments.baseline.as_deref())?;
    let sounds = ModSounds::new(&arguments.inputs, source);
    let motion = ModMotion::find(&arguments.inputs, source, level)?;
    let (mut tally, mut findings) = (Tally::default(), 0);
    let mut each = |print: &mut (dyn FnMut(&Checked) -> io::Result<()> + Send)| {
        let work = |item: &Item, opened| {
            let side_car = check_side_car(item, &opened, level, most, source);
            let mut checked = side_car.unwrap_or_else(|| check(item, &opened, level, most));
            sounds.add_to(&mut checked, &opened, level);
            motion.add_to(&mut checked, &opened);
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
            let mut report = ForService::new(stdout(), service, arguments.all)?;
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

/// Reads all data of an item. `level`: the lowest severity to report; `most`: the most findings for each code and section.
pub(crate) fn check(item: &Item, opened: &Result<Loaded, Fault>, level: Severity, most: usize) -> Checked {
    let place = Arc::new(item.address());
    let (mut format, mut error) = (None, opened.as_ref().err().cloned());
    let (mut findings, mut quirks) = (Vec::new(), Vec::new());
    if let Ok(loaded) = opened {
        let mut side_car_error = None;
        format = loaded.format().map(skelmap::Format::code);
        match loaded.asset() {
            Ok(asset) => {
                quirks = counted_quirks(asset.quirks());
                let (all, failed) = check_asset(item, &asset, most);
                findings = all;
                findings.extend(asset.format().check_extension(&place.to_string()));
                findings.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
                side_car_error = failed;
            }
            Err(failed) => error = Some(failed.into()),
        }
        let checksum_error = item.check_checksum(loaded.bytes()).err().map(|error| Fault::from(&error));
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
fn check_side_car(
    item: &Item,
    opened: &Result<Loaded, Fault>,
    level: Severity,
    most: usize,
    source: &Source,
) -> Option<Checked> {
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
        Ok(Asset::ActorxPsa(animation)) => Ok(check_config_each(&animation, &Config::new(loaded.bytes()), most)),
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
fn check_asset(item: &Item, asset: &Asset<'_>, most: usize) -> (Vec<Finding>, Option<Fault>) {
    let mut findings = asset.check_each(most);
    let mut failed = None;
    if let Asset::ActorxPsa(animation) = asset {
        match item.side_car() {
            Ok(Some(side_car)) => findings.extend(check_config_each(animation, &Config::new(&side_car.bytes), most)),
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
