//! `skelmap diff`: what differs between two files, or between two folders, archives or catalogues.

mod asset;
mod catalogues;
mod lists;
mod motion;
mod names;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use clap::Args;
use skelmap::archive::Address;
use skelmap::catalog::{Loaded, SCHEMA};

use self::catalogues::Form;
use crate::arguments::{Parsing, input};
use crate::files::{self, Source};
use crate::messages::summarize;
use crate::outcome::{Ended, Failure, Outcome};
use crate::output::complain;
use crate::report::{Field, Format, Look, PATH, Report, double, field, integer, text};
use crate::text::counted;
use crate::walking::Walking;

/// Tell what differs between two files, folders, archives or catalogues.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  skelmap diff old/horse.psk new/horse.psk
  skelmap diff mod-1.zip mod-2.zip --deep
  skelmap diff 'a25.zip!/art/meshes/' 'a26.zip!/art/meshes/' --format jsonl
  skelmap diff monday.jsonl tuesday.jsonl

Files are compared by name: bones, materials, morph targets, sockets and sequences that only one of them has, parents, bind pose, keys. What \
has no name (Pyrogenesis) is compared by its number. Of two families, whose units and axes differ, only names and counts are compared. \
difference is the largest one: a distance in the unit of the file (moved), or an \
angle in radians (turned).

Folders and archives are compared by the paths below them and by the content: its size and CRC-32, which the directory of an archive \
has already (`skelmap check` checks it). A file of the same content under another path has moved. Catalogues (written by `skelmap catalog`, \
.jsonl or .csv) are compared in the same way, by --content-hash where both have it, and by their other columns where not.

Exit status: 0 no difference; 1 differences, or a file that cannot be read; 3 nothing could be read.

JSON keys (schema 1): schema, path, change, what, name, before, after, difference.")]
pub(crate) struct Diff {
    /// The file, folder, archive or catalogue from before.
    #[arg(value_name = "A", value_parser = input())]
    before: PathBuf,
    /// The one from after.
    #[arg(value_name = "B", value_parser = input())]
    after: PathBuf,
    /// The largest difference of a place (in the unit of the file) or an angle (in radians) that is none.
    #[arg(long, default_value_t = 1e-4, value_name = "NUMBER", value_parser = tolerance)]
    tolerance: f64,
    /// Compare files that have changed: a row for each difference.
    #[arg(long)]
    deep: bool,
    /// Compare all other files of folders and archives too.
    #[arg(long)]
    all: bool,
    /// Format of the output.
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
    #[command(flatten)]
    walking: Walking,
    #[command(flatten)]
    pub(crate) parsing: Parsing,
}

fn tolerance(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number: &f64| number.is_finite() && *number >= 0.0);
    number.ok_or_else(|| "expected a number from 0".to_owned())
}

/// What has become of something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Change {
    Added,
    Removed,
    Changed,
    Moved,
    Turned,
    Reparented,
}

impl Change {
    const fn code(self) -> &'static str {
        match self {
            Self::Added => "added",
            Self::Removed => "removed",
            Self::Changed => "changed",
            Self::Moved => "moved",
            Self::Turned => "turned",
            Self::Reparented => "reparented",
        }
    }
}

/// One difference.
pub(crate) struct Difference {
    /// The path of the file below the two that are compared; `None` for two files.
    path: Option<String>,
    change: Change,
    /// What differs: a file, a bone, a count.
    what: &'static str,
    name: Option<String>,
    before: Option<String>,
    after: Option<String>,
    difference: Option<f64>,
}

impl Difference {
    fn new(change: Change, what: &'static str, name: impl Into<String>) -> Self {
        let name = Some(name.into());
        Self { path: None, change, what, name, before: None, after: None, difference: None }
    }

    fn from(self, before: impl Into<String>, after: impl Into<String>) -> Self {
        Self { before: Some(before.into()), after: Some(after.into()), ..self }
    }

    fn by(self, difference: f64) -> Self {
        Self { difference: Some(difference), ..self }
    }
}

pub(crate) fn fields() -> Vec<Field<Difference>> {
    vec![
        field(integer("schema").json(), |_| SCHEMA.into()),
        field(text("path").data(), |row: &Difference| row.path.as_ref().into()),
        field(text("change"), |row| row.change.code().into()),
        field(text("what"), |row| row.what.into()),
        field(text("name"), |row| row.name.as_ref().into()),
        field(text("before"), |row| row.before.as_ref().into()),
        field(text("after"), |row| row.after.as_ref().into()),
        field(double("difference").look(Look::Figure), |row| row.difference.into()),
        field(PATH, |row| row.path.as_ref().into()),
    ]
}

/// Where differences go, and how many there are.
struct Differences {
    report: Report<Difference>,
    tolerance: f64,
    counts: BTreeMap<Change, u64>,
    failed: u64,
}

impl Differences {
    fn add(&mut self, difference: &Difference) -> std::io::Result<()> {
        *self.counts.entry(difference.change).or_default() += 1;
        self.report.row(difference)
    }

    fn end(self) -> Ended {
        let Self { report, counts, failed, .. } = self;
        report.end()?;
        let all: u64 = counts.values().sum();
        let words: Vec<String> = counts.iter().map(|(change, count)| format!("{count} {}", change.code())).collect();
        let bad = if failed > 0 { format!(", {} not read", counted(failed, "file")) } else { String::new() };
        summarize(match all {
            0 => format!("no difference{bad}"),
            _ => format!("{}{bad}", words.join(", ")),
        });
        Ok(if all + failed > 0 { Outcome::Findings } else { Outcome::Clean })
    }
}

pub(crate) fn run(arguments: &Diff, source: &Source) -> Ended {
    let Diff { before, after, tolerance, format, .. } = arguments;
    let report = Report::new(fields(), *format)?;
    let mut found = Differences { report, tolerance: *tolerance, counts: BTreeMap::new(), failed: 0 };
    match (Form::of(before)?, Form::of(after)?) {
        (Some(old), Some(new)) => catalogues::compare([before, after], [old, new], &mut found)?,
        (None, None) => compare(arguments, source, &mut found)?,
        _ => return Err(Failure::usage("a catalogue can be compared with another catalogue only")),
    }
    found.end()
}

/// Compares two files, or two lists of files.
fn compare(arguments: &Diff, source: &Source, found: &mut Differences) -> Result<(), Failure> {
    let sides = [&arguments.before, &arguments.after];
    let [before, after] = sides.map(|path| lists::Side::find(path, arguments, source));
    let (before, after) = (before?, after?);
    match [before.is_file(), after.is_file()] {
        [true, true] => {
            let [before, after] = sides.map(|path| source.load(path));
            for row in compare_files([&before?, &after?], sides, found.tolerance)? {
                found.add(&row)?;
            }
            Ok(())
        }
        [false, false] => lists::compare(&before, &after, arguments, source, found),
        [is_file, _] => {
            let (file, other) = if is_file { (sides[0], sides[1]) } else { (sides[1], sides[0]) };
            source.load(file)?;
            let message = format!("{} is a file, and {} is a folder or an archive", file.display(), other.display());
            Err(Failure::usage(message))
        }
    }
}

/// What differs between two files; nothing where their bytes are the same.
fn compare_files(files: [&Loaded; 2], paths: [&PathBuf; 2], tolerance: f64) -> Result<Vec<Difference>, Failure> {
    if files[0].bytes() == files[1].bytes() {
        return Ok(Vec::new());
    }
    let [before, after] = [0, 1].map(|side| files::asset(files[side], paths[side]));
    let (before, after) = (before?, after?);
    if before.format().is_mesh() != after.format().is_mesh() {
        let message =
            format!("{} and {}: a mesh cannot be compared with an animation", before.format(), after.format());
        return Err(Failure::usage(message).in_file(paths[1]));
    }
    let (one, other) = (before.format(), after.format());
    if !one.is_related_to(other) {
        let path = Address::of_file(Path::new(paths[1]));
        complain(format!("{path}: {one} and {other} have other units and axes: only names and counts are compared"));
    }
    let (rows, is_whole) = asset::compare(&before, &after, tolerance);
    if !is_whole {
        complain(format!(
            "{}: its sequences share keys, and some of the keys were not compared",
            Address::of_file(Path::new(paths[1]))
        ));
    }
    if rows.is_empty() {
        let path = Address::of_file(Path::new(paths[1]));
        complain(format!("{path}: the bytes differ, and nothing that is compared: --tolerance 0 may find more"));
    }
    Ok(rows)
}
