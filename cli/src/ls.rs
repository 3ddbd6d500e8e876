//! `skelmap ls`: a row per asset.

use std::io::{self, Write};

use crate::Outcome;
use crate::cli::{Format, Ls};
use crate::files::{self, Source};
use crate::print::{self, Json, or_blank};
use crate::row::shown;
use crate::table::Table;
use skelmap::catalog::{Item, Options, Row};

pub(crate) fn run(arguments: &Ls, source: &Source) -> io::Result<Outcome> {
    let mut out = print::output();
    let mut json = Json::new(arguments.format);
    let mut csv = (arguments.format == Format::Csv).then(|| csv::Writer::from_writer(print::output()));
    if let Some(csv) = &mut csv {
        print::written(csv.write_record(CSV_HEADING))?;
    }
    // All between the format and the path are numbers.
    let mut table = Table::new(&COLUMNS).aligned_right(1..COLUMNS.len() - 2).without_empty_columns();
    let mut tally = Tally::default();
    let options = Options { parse: source.parse, ..Options::default() };
    let work = |item: &Item| item.row(&source.opener, &options);
    files::each_item(&source.find(&arguments.inputs), arguments.inputs.jobs, work, |row| {
        tally.count(&row);
        match (&mut json, &mut csv) {
            (Some(json), _) => json.value(&mut out, &row),
            (_, Some(csv)) => print::written(csv.write_record(csv_record(&row))),
            _ => table.row(&mut out, table_record(&row)),
        }
    })?;
    match (json, csv) {
        (Some(json), _) => json.end(&mut out)?,
        (_, Some(mut csv)) => csv.flush()?,
        _ if !table.is_empty() => table.end(&mut out)?,
        _ => {}
    }
    out.flush()?;
    Ok(tally.outcome())
}

/// What was met, for the exit status.
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
            print::complain(format_args!("{} of {} files cannot be read", bad + unreadable, read + bad + unreadable));
        }
        match (read, bad, unreadable) {
            (0, 0, 0) => {
                print::complain(format_args!("no asset found"));
                Outcome::NothingRead
            }
            (0, 0, _) => Outcome::NothingRead,
            (_, 0, 0) => Outcome::Clean,
            _ => Outcome::Findings,
        }
    }
}

pub(crate) const CSV_HEADING: [&str; 19] = [
    "schema",
    "path",
    "entry",
    "format",
    "bytes",
    "bones",
    "points",
    "wedges",
    "faces",
    "materials",
    "uv_sets",
    "sequences",
    "frames",
    "duration_s",
    "quirks",
    "error_kind",
    "error_section",
    "error_offset",
    "error_message",
];

/// The row as CSV: quirks joined by spaces, the error's keys as columns of their own.
pub(crate) fn csv_record(row: &Row) -> [String; 19] {
    let counts = &row.summary;
    let error = row.error.as_ref();
    [
        row.schema.to_string(),
        row.path.clone(),
        or_blank(row.entry.as_ref()),
        or_blank(row.format),
        or_blank(row.bytes),
        or_blank(counts.bones),
        or_blank(counts.points),
        or_blank(counts.wedges),
        or_blank(counts.faces),
        or_blank(counts.materials),
        or_blank(counts.uv_sets),
        or_blank(counts.sequences),
        or_blank(counts.frames),
        or_blank(counts.duration_s),
        row.quirks.join(" "),
        or_blank(error.map(|error| error.kind)),
        or_blank(error.and_then(|error| error.section.as_ref())),
        or_blank(error.and_then(|error| error.offset)),
        or_blank(error.map(|error| &error.message)),
    ]
}

/// Writes one row as CSV with its heading.
pub(crate) fn write_csv(out: impl Write, row: &Row) -> io::Result<()> {
    let mut csv = csv::Writer::from_writer(out);
    print::written(csv.write_record(CSV_HEADING))?;
    print::written(csv.write_record(csv_record(row)))?;
    csv.flush()
}

const COLUMNS: [&str; 13] = [
    "format", "size", "bones", "points", "wedges", "faces", "mats", "uvs", "seqs", "frames", "seconds", "path", "notes",
];

fn table_record(row: &Row) -> [String; COLUMNS.len()] {
    let counts = &row.summary;
    let notes = match &row.error {
        Some(error) => format!("ERROR {}", print::clean(&error.message)),
        None => row.quirks.join(" "),
    };
    [
        or_blank(row.format),
        or_blank(row.bytes.map(print::size)),
        or_blank(counts.bones),
        or_blank(counts.points),
        or_blank(counts.wedges),
        or_blank(counts.faces),
        or_blank(counts.materials),
        or_blank(counts.uv_sets),
        or_blank(counts.sequences),
        or_blank(counts.frames),
        or_blank(counts.duration_s.map(print::seconds)),
        print::clean(shown(&row.path, row.entry.as_deref())),
        notes,
    ]
}
