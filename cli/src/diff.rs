//! `skelmap diff`: what differs between two files, or between two folders, archives or catalogues.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use skelmap_batch::diff::{Change, DiffError, DiffOptions, Difference, Take, diff, fields};
use skelmap_batch::lines::LineError;
use skelmap_batch::query::unless_enough;
use skelmap_batch::{Find, Run};

use crate::arguments::{Choosing, Parsing, input, number};
use crate::files::Source;
use crate::messages::summarize;
use crate::outcome::{Ended, Failure, Outcome};
use crate::output::complain;
use crate::progress::Progress;
use crate::query::Query;
use crate::query::tell_dropped;
use crate::report::{self, Format, Report};
use crate::text::counted;

/// Show the differences between two files, folders, archives or catalogues.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  skelmap diff old/horse.psk new/horse.psk
  skelmap diff mod-1.zip mod-2.zip --deep
  skelmap diff 'a25.zip!/art/meshes/' 'a26.zip!/art/meshes/' --format jsonl
  skelmap diff monday.jsonl tuesday.jsonl
  skelmap diff mod-1.zip mod-2.zip --glob '*.psa' --where 'change == \"added\"' --sort path

Files are compared by name: bones, materials, morph targets, sockets and sequences that only one of them has, parents, bind pose, keys. What \
has no name (Pyrogenesis) is compared by its number. Of two families, whose units and axes differ, only names and counts are compared. \
difference is the largest one: a distance in the unit of the file (moved), or an \
angle in radians (turned).

Folders and archives are compared by the paths below them and by the content: its size and CRC-32, which the directory of an archive \
has already (`skelmap check` checks it). A file of the same content under another path has moved. Catalogues (written by `skelmap catalog`, \
.jsonl or .csv) are compared in the same way, by --content-hash where both have it, and by their other columns where not.

--glob compares paths below A and B. `skelmap ls --help` says how --where compares: --where 'change == \"added\"'. The exit status and the last \
line count the rows that --where drops, too.

Exit status: 0 no difference; 1 differences, or a file that cannot be read; 3 nothing could be read.

`skelmap columns diff` lists the columns and the keys of JSON.")]
pub(crate) struct Diff {
    /// The file, folder, archive or catalogue from before.
    #[arg(value_name = "A", value_parser = input())]
    before: PathBuf,
    /// The one from after.
    #[arg(value_name = "B", value_parser = input())]
    after: PathBuf,
    /// Differences up to this one are ignored: of a place in the unit of the file, of an angle in radians.
    #[arg(long, default_value_t = 1e-4, value_name = "NUMBER", value_parser = number("expected a number from 0", |number: &f64| number.is_finite() && *number >= 0.0))]
    tolerance: f64,
    /// Compare files that have changed: a row for each difference.
    #[arg(long)]
    deep: bool,
    /// Compare all other files of folders and archives too.
    #[arg(long)]
    all: bool,
    /// Format of the output.
    #[arg(long, value_parser = report::formats(), default_value = "table")]
    format: Format,
    #[command(flatten)]
    query: Query,
    #[command(flatten)]
    choosing: Choosing,
    #[command(flatten)]
    pub(crate) parsing: Parsing,
}

/// The most files with the same note that are named.
const MAX_NAMED: u64 = 3;

/// Prints differences and counts them.
struct Print {
    report: Report<Difference>,
    counts: BTreeMap<Change, u64>,
    /// How many files have each note.
    notes: BTreeMap<String, u64>,
    bar: Arc<Progress>,
}

impl Take for Print {
    fn difference(&mut self, difference: &Difference) -> io::Result<()> {
        *self.counts.entry(difference.change).or_default() += 1;
        self.bar.suspend(|| self.report.row(difference))
    }

    fn failed(&mut self, message: String) {
        self.bar.suspend(|| complain(message));
    }

    fn note(&mut self, path: &dyn Display, note: String) {
        let count = self.notes.get(&note).copied().unwrap_or(0) + 1;
        if count <= MAX_NAMED {
            self.bar.suspend(|| summarize(format!("{path}: {note}")));
        }
        self.notes.insert(note, count);
    }
}

pub(crate) fn run(arguments: &Diff, source: &Source) -> Ended {
    let Diff { before, after, tolerance, deep, all, format, query, choosing, .. } = arguments;
    let Find { walk, glob, .. } = choosing.to_find(&[]);
    let options = DiffOptions { tolerance: *tolerance, deep: *deep, all: *all, walk, glob };
    let query = query.to_query();
    let bar = Progress::of_run();
    let mut print = Print {
        report: report::print_query(fields(), *format, &query)?,
        counts: BTreeMap::new(),
        notes: BTreeMap::new(),
        bar: Arc::clone(&bar),
    };
    let watch = bar.watch();
    let run = Run { jobs: None, watch: Some(&watch) };
    let failed = match diff([before, after], &options, source, run, &mut print) {
        // With --limit, there may be enough rows.
        Err(DiffError::Output(error)) => unless_enough(Err(error)).map(|()| 0)?,
        other => other?,
    };
    bar.finish_and_clear();
    let Print { report, counts, notes, .. } = print;
    tell_dropped(&report, &query);
    report.end()?;
    for (note, count) in notes.iter().filter(|(_, count)| **count > MAX_NAMED) {
        summarize(format!("{} more: {note}", counted(count - MAX_NAMED, "file")));
    }
    let all: u64 = counts.values().sum();
    let words: Vec<String> = counts.iter().map(|(change, count)| format!("{count} {}", change.code())).collect();
    let bad = if failed > 0 { format!(", {} not read", counted(failed, "file")) } else { String::new() };
    summarize(match all {
        0 => format!("no difference{bad}"),
        _ => format!("{}{bad}", words.join(", ")),
    });
    Ok(if all + failed > 0 { Outcome::Findings } else { Outcome::Clean })
}

impl From<DiffError> for Failure {
    fn from(error: DiffError) -> Self {
        match error {
            DiffError::Output(error) => Self::Output(error),
            DiffError::NoFile(_)
            | DiffError::NothingLeft
            | DiffError::Open(_)
            | DiffError::Catalogue { error: LineError::Read(_), .. } => Self::nothing_read(error),
            DiffError::Asset { .. } | DiffError::Catalogue { .. } => Self::findings(error),
            other => Self::usage(other),
        }
    }
}
