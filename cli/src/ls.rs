//! `skelmap ls`: a row for each asset.

use clap::Args;
use skelmap::catalog::{Item, Options, Row};

use crate::arguments::Inputs;
use crate::files::{self, Source};
use crate::outcome::{Ended, Outcome};
use crate::output::complain;
use crate::report::{Format, Report};
use crate::row::{Entry, fields};

/// List assets, one row each; folders are searched, and the content of a file decides its format.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  skelmap ls .
  skelmap ls --format csv mods/ > assets.csv
  skelmap ls public.zip
  skelmap ls --format jsonl art/ | jq 'select(.bones > 100) | .path'

In a folder, other files are skipped, unless their name ends in .psk, .pskx, .psa, .pmd or .gsa: such a file gets a row with its \
error. Files named .zip, .pyromod or .res are opened as archives; in an archive, only the names of entries decide. A path on the \
command line always gets a row. An entry of an archive is written as mod.zip!/art/x.psa.

JSON keys (schema 1): schema, path, entry, format, bytes, bones, points, wedges, faces, materials, uv_sets, sequences, frames, \
duration_s, quirks, error {kind, section, offset, message}. A key that does not apply is null.")]
pub(crate) struct Ls {
    #[command(flatten)]
    inputs: Inputs,
    /// Format of the output.
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
}

pub(crate) fn run(arguments: &Ls, source: &Source) -> Ended {
    let mut report = Report::new(fields(), arguments.format)?;
    let mut tally = Tally::default();
    let options = Options { parse: source.parse, ..Options::default() };
    let work = |item: &Item| item.row(&source.opener, &options);
    files::each_item(&source.find(&arguments.inputs), arguments.inputs.jobs, work, |row| {
        tally.count(&row);
        report.row(&Entry::from(row))
    })?;
    report.end()?;
    Ok(tally.outcome())
}

/// The numbers of files, for the exit status.
#[derive(Debug, Default)]
struct Tally {
    read: usize,
    bad: usize,
    unreadable: usize,
}

impl Tally {
    fn count(&mut self, row: &Row) {
        match &row.error {
            None => self.read += 1,
            Some(_) if row.is_unreadable() => self.unreadable += 1,
            Some(_) => self.bad += 1,
        }
    }

    fn outcome(&self) -> Outcome {
        let Self { read, bad, unreadable } = *self;
        if bad + unreadable > 0 {
            complain(format!("{} of {} files cannot be read", bad + unreadable, read + bad + unreadable));
        }
        match (read, bad, unreadable) {
            (0, 0, 0) => {
                complain("no asset found");
                Outcome::NothingRead
            }
            (0, 0, _) => Outcome::NothingRead,
            (_, 0, 0) => Outcome::Clean,
            _ => Outcome::Findings,
        }
    }
}
