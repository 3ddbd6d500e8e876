//! `skelmap check`: findings.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anstyle::Style;
use clap::Args;
use skelmap::{Code, Severity};
use skelmap_batch::check::{
    CheckError, CheckOptions, Checked, Checker, Findings, ForService, Found, Service, row_fields,
};
use skelmap_batch::codes::find_or_hint;
use skelmap_batch::edit::Saving;
use skelmap_batch::items::Item;
use skelmap_batch::lines::LineError;
use skelmap_batch::{Run, Target};
use skelmap_write::{FIXABLE, fix, fixable};

use crate::arguments::{Inputs, local, target};
use crate::files::{self, Source};
use crate::messages::summarize;
use crate::outcome::{Ended, Failure, Outcome, Tally};
use crate::output::{BOLD, DIM, Output, RED, YELLOW, stdout, styled_stdout, terminal_width};
use crate::progress::Progress;
use crate::query::tell_dropped;
use crate::query::{Query, query_help};
use crate::report::{self, Format};
use crate::saved::{unsaved, written};
use crate::sink::Sink;
use crate::text::{clean, counted, cut, shortened, size, wrapped};

/// Read all data and report what is wrong with it.
#[derive(Debug, Args)]
#[command(mut_arg("glob", |glob| glob.hide_short_help(false)))]
#[command(after_help = concat!("\
Examples:
  skelmap check Grunt.psk
  skelmap check --level note mods/
  skelmap check --format csv mods/ > findings.csv
  skelmap check --every-record --where 'code == \"weight-sum\"' Grunt.psk
  skelmap check --format jsonl mods/ > known.jsonl; skelmap check --baseline known.jsonl mods/
  skelmap check --format sarif --ignore weight-sum mods/ > findings.sarif
  skelmap check mods/ --where 'code ~ \"weight\"' --sort -count --limit 20
  skelmap check --for ut2004 Body.psk; skelmap check --for 0ad horse.glb
  skelmap check Body.psk --fix weight-sum,id-garbage -o Mended.psk

The side-car (.config) of an animation is checked too, and the checksum of an entry of an archive. Exit status 1 if anything is \
reported.

--format github prints commands for GitHub Actions, sarif a log of SARIF 2.1.0, junit a test for each file: docs/site/src/how-to/check-in-ci.md has a workflow. \
They name files by their paths in the repository, as does location in JSON. \
--baseline takes the output of --format jsonl: a finding is known if the same location has the same code in the same section at least as \
often. Known errors are matched in the same way; --ignore does not apply to errors.

Without --every-record, records of a section with the same fault are one finding, about the first, and count says how many there are. It \
has a finding for each, up to 100,000 for each code and section; the last of these counts the rest.

", query_help!(), "

These options are about findings: with one of them, a table has a row for each finding, and JSON an object for each finding.

`skelmap columns check` lists the columns and the keys of JSON."))]
pub(crate) struct Check {
    #[command(flatten)]
    pub(crate) inputs: Inputs,
    #[command(flatten)]
    query: Query,
    /// The lowest severity to report: everything, data that some readers cannot use, or data that is wrong.
    #[arg(long, value_parser = report::one_of(LEVELS), default_value = "warning")]
    level: Severity,
    /// Report every record that is wrong, not only the first of each kind.
    #[arg(long)]
    every_record: bool,
    /// The program that should read the files: report also what it would refuse or silently spoil, of glTF files too.
    #[arg(long = "for", value_name = "TARGET", value_parser = target())]
    target: Option<Target>,
    /// Write FILE to OUT with these findings mended: id-garbage, name-garbage, wedge-padding, weight-sum.
    ///
    /// All other bytes stay, and there is no report.
    #[arg(long, value_name = "CODES", value_delimiter = ',', requires = "output", conflicts_with_all = ["every_record", "baseline", "ignore", "target"])]
    pub(crate) fix: Vec<String>,
    /// The file that --fix writes.
    #[arg(short, long, value_name = "OUT", value_parser = local(), requires = "fix")]
    output: Option<PathBuf>,
    /// With --fix: replace OUT if it exists; it may be FILE itself.
    #[arg(long, requires = "fix")]
    force: bool,
    /// Leave out findings with this code; can be given several times.
    #[arg(long, value_name = "CODE")]
    ignore: Vec<String>,
    /// Report only what an earlier report does not have.
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,
    /// Format of the output; a table is one line per finding.
    #[arg(long, value_parser = report::one_of(FORMATS), default_value = "table")]
    format: CheckFormat,
}

/// The format of a report on findings: rows, or what a service reads.
#[derive(Clone, Copy, Debug)]
enum CheckFormat {
    Rows(Format),
    Of(Service),
}

const FORMATS: [(&str, CheckFormat); 7] = [
    ("table", CheckFormat::Rows(Format::Table)),
    ("json", CheckFormat::Rows(Format::Json)),
    ("jsonl", CheckFormat::Rows(Format::Jsonl)),
    ("csv", CheckFormat::Rows(Format::Csv)),
    ("sarif", CheckFormat::Of(Service::Sarif)),
    ("junit", CheckFormat::Of(Service::Junit)),
    ("github", CheckFormat::Of(Service::Github)),
];

const LEVELS: [(&str, Severity); 3] =
    [("note", Severity::Note), ("warning", Severity::Warning), ("error", Severity::Error)];

pub(crate) fn run(arguments: &Check, source: &Source) -> Ended {
    if let Some(output) = &arguments.output {
        return mend(arguments, output, source);
    }
    let (mut find, jobs) = (arguments.inputs.to_find(), arguments.inputs.jobs);
    if arguments.target.is_some() {
        let gltf = find.gltf_files()?;
        find.paths.extend(gltf);
    }
    let Check { level, every_record, ignore, baseline, target, .. } = arguments;
    let options = CheckOptions {
        level: *level,
        all: *every_record,
        ignore: ignore.clone(),
        baseline: baseline.clone(),
        target: *target,
    };
    let bar = Progress::of_run();
    let checker = Checker::new(&find, source, &options, Run { jobs, watch: Some(&bar.watch()) })?;
    bar.finish_and_clear();
    let (mut tally, mut findings) = (Tally::default(), 0);
    let mut each = |print: &mut (dyn FnMut(&Checked) -> io::Result<()> + Send)| -> Result<(), Failure> {
        let work = |item: &Item, opened| Some(checker.check(item, &opened));
        let print = |checked: Checked| {
            tally.count(checked.error.is_some(), checked.is_unreadable);
            findings += checked.findings().len() as u64;
            print(&checked)
        };
        Ok(files::each_of(&files::find_told(source, &find)?, jobs, source, work, print)?)
    };
    match arguments.format {
        CheckFormat::Of(service) => {
            let mut report = ForService::new(stdout(), service, arguments.every_record)?;
            each(&mut |file| report.add(file))?;
            report.end()?;
        }
        CheckFormat::Rows(format) if arguments.query.is_some() => {
            let query = arguments.query.to_query();
            let mut report = report::print_query(row_fields(), format, &query)?;
            each(&mut |file| file.reported.iter().try_for_each(|found| report.row(found)))?;
            tell_dropped(&report, &query);
            report.end()?;
        }
        CheckFormat::Rows(Format::Table) => {
            let mut lines = Lines { out: styled_stdout(), width: terminal_width(), archive: None };
            each(&mut |file| lines.add(file))?;
            lines.out.flush()?;
        }
        CheckFormat::Rows(format) => {
            let mut findings = Findings::to(stdout(), format)?;
            each(&mut |file| findings.add(file))?;
            findings.end()?;
        }
    }
    summarize(format!("{}, {}, {} unreadable", counted(tally.files, "file"), counted(findings, "finding"), tally.bad));
    let outcome = Outcome::told(tally);
    Ok(if findings > 0 { outcome.max(Outcome::Findings) } else { outcome })
}

/// Writes a file with findings mended.
fn mend(arguments: &Check, output: &Path, source: &Source) -> Ended {
    let [path] = arguments.inputs.paths.as_slice() else {
        return Err(Failure::usage("--fix mends one file: name it alone"));
    };
    let mut codes = Vec::new();
    let known = FIXABLE.map(Code::name).join(", ");
    for name in &arguments.fix {
        let code = find_or_hint(name).map_err(|hint| Failure::usage(format!("{hint}; --fix mends {known}")))?;
        if !FIXABLE.contains(&code) {
            return Err(Failure::usage(format!("--fix: nothing says what {code} should be: it mends {known}")));
        }
        codes.push(code);
    }
    let loaded = files::load(source, path)?;
    let asset = files::asset(&loaded, path)?;
    if let Some(code) = codes.iter().find(|code| !fixable(&asset).contains(code)) {
        let known = fixable(&asset).iter().map(|code| code.name()).collect::<Vec<_>>().join(", ");
        let known = if known.is_empty() { "nothing" } else { &known };
        let message = format!("--fix: in {} files, {known} can be mended, and not {code}", asset.format().title());
        return Err(Failure::usage(message).in_file(path));
    }
    let sink = Sink::new(Some(output));
    sink.check_binary("-o FILE or > FILE")?;
    let report = if let Sink::File(to) = sink {
        let inputs = std::slice::from_ref(path);
        let saving = Saving { path: to, force: arguments.force, inputs, exec: None, opener: &source.opener };
        saving.mended(&asset, &codes).map_err(|error| unsaved(error, None))?
    } else {
        written(sink, |mut out| Ok(fix(&asset, &codes, &mut out)?))?
    };
    let mended = report.mended.iter().map(|(code, count)| format!("{code}: {count}"));
    summarize(format!("mended {}; {}", mended.collect::<Vec<_>>().join(", "), size(report.bytes)));
    Ok(Outcome::Clean)
}

impl From<CheckError> for Failure {
    fn from(error: CheckError) -> Self {
        match error {
            CheckError::Baseline { path, error } => match &error {
                LineError::Read(_) => Self::nothing_read(error).in_file(&path),
                LineError::TooLong { .. } => Self::findings(error).in_file(&path),
                _ => Self::usage(error).in_file(&path),
            },
            CheckError::Stopped(error) => Self::Output(error),
            other => Self::usage(other),
        }
    }
}

/// What people read: lines as compilers print them; on a terminal, the findings below their file.
struct Lines {
    out: Output,
    /// The width of the terminal.
    width: Option<usize>,
    /// The archive of the last file.
    archive: Option<PathBuf>,
}

impl Lines {
    fn add(&mut self, file: &Checked) -> io::Result<()> {
        let Some(width) = self.width else {
            return file.reported.iter().try_for_each(|found| write_line(found, &mut self.out));
        };
        if file.reported.is_empty() {
            return Ok(());
        }
        let path = file.place.path();
        let heading = shortened(&clean(path.display()), width);
        let is_new = file.place.entry().is_none() || self.archive.as_deref() != Some(path);
        if is_new {
            writeln!(self.out, "{BOLD}{heading}{BOLD:#}")?;
        }
        self.archive = file.place.entry().map(|_| path.to_owned());
        let mut indent = 2;
        if let Some(entry) = file.place.entry() {
            writeln!(self.out, "  {}", shortened(&clean(entry), width.saturating_sub(2)))?;
            indent = 4;
        }
        file.reported.iter().try_for_each(|found| write_wrapped(found, &mut self.out, indent, width))
    }
}

/// The style of a severity.
const fn style_of(severity: Severity) -> Style {
    match severity {
        Severity::Error => RED,
        Severity::Warning => YELLOW,
        Severity::Note => DIM,
    }
}

/// A line as compilers print it.
fn write_line(found: &Found, out: &mut Output) -> io::Result<()> {
    let (style, severity) = (style_of(found.severity), found.severity);
    writeln!(out, "{}: {style}{severity}{style:#} {}", clean(&found.place), found.text())
}

/// The same without the place, on lines of a width.
fn write_wrapped(found: &Found, out: &mut Output, indent: usize, width: usize) -> io::Result<()> {
    let (style, severity) = (style_of(found.severity), found.severity.to_string());
    let text = cut(format!("{severity} {}", found.text()));
    for (index, line) in wrapped(&text, width.saturating_sub(indent + 2)).iter().enumerate() {
        match line.strip_prefix(&severity).filter(|_| index == 0) {
            Some(rest) => writeln!(out, "{:indent$}{style}{severity}{style:#}{rest}", "")?,
            None => writeln!(out, "{:indent$}  {line}", "")?,
        }
    }
    Ok(())
}
