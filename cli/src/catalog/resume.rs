//! Continuing a catalogue: which rows of the partial file are complete, and which items they belong to.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::Path;

use serde_json::Value;
use skelmap::catalog::{Item, Sources};

use super::arguments::{Catalog, Per};
use crate::outcome::Tally;
use crate::report::{Format, csv_heading};
use crate::row::{catalogue_fields, path_and_entry};

/// The beginning of every row in JSON.
const JSON_START: &[u8] = b"{\"schema\":";

const NO_CATALOGUE: &str = "is not a partial catalogue; name another output, or delete this file";
const OTHER_FILES: &str = "holds rows of other files; delete it, or run without --resume";
const OTHER_OPTIONS: &str = "holds rows made with other options; delete it, or run without --resume";

/// A row of an earlier run.
struct Kept {
    /// Where the row ends in the file.
    end: u64,
    path: String,
    entry: Option<String>,
    /// The index of its sequence.
    sequence: Option<u64>,
    is_bad: bool,
    is_unreadable: bool,
    has_hash: bool,
    /// What rows were for, if this row shows it.
    per: Option<Per>,
}

impl Kept {
    /// Whether this is the first row of an item.
    fn begins(&self) -> bool {
        self.sequence.is_none_or(|index| index == 0)
    }

    /// Whether this is the row for the next sequence of the same item.
    fn follows(&self, before: &Self) -> bool {
        let next = before.sequence.and_then(|index| index.checked_add(1));
        next.is_some() && self.sequence == next && (&self.path, &self.entry) == (&before.path, &before.entry)
    }
}

/// Removes the items whose rows are in a partial file from the sources, and truncates the file after these rows. The last item with
/// rows may be incomplete, so it is done again. If the rows are not those of the first items, the file stays as it is.
/// `gives_rows`: whether an item is not skipped.
pub(super) fn resume(
    file: &mut File,
    sources: &mut Sources,
    arguments: &Catalog,
    format: Format,
    gives_rows: impl Fn(&Item) -> bool,
) -> io::Result<Result<Tally, &'static str>> {
    let read = match format {
        Format::Csv => csv_rows(file, arguments.extent)?,
        _ => jsonl_rows(file)?,
    };
    let Some(mut rows) = read else { return Ok(Err(NO_CATALOGUE)) };
    let last = rows.iter().rposition(Kept::begins).unwrap_or(0);
    rows.truncate(last);
    let is_other = |row: &Kept| {
        (!row.is_bad && row.has_hash != arguments.content_hash) || row.per.is_some_and(|per| per != arguments.per)
    };
    if rows.iter().any(is_other) {
        return Ok(Err(OTHER_OPTIONS));
    }
    let continues = |pair: &[Kept]| matches!(pair, [before, row] if row.begins() || row.follows(before));
    if !rows.windows(2).all(continues) {
        return Ok(Err(OTHER_FILES));
    }
    let firsts = || rows.iter().filter(|row| row.begins());
    let mut items = sources.items().iter();
    let mut skipped = 0_usize;
    for row in firsts() {
        let is_of_row = |item: &Item| {
            let (path, entry) = path_and_entry(&item.address());
            path == row.path && entry == row.entry
        };
        loop {
            skipped += 1;
            match items.next() {
                Some(item) if is_of_row(item) => break,
                Some(item) if !gives_rows(item) => {}
                _ => return Ok(Err(OTHER_FILES)),
            }
        }
    }
    let mut done = Tally::default();
    firsts().for_each(|row| done.count(row.is_bad, row.is_unreadable));
    file.set_len(rows.last().map_or(0, |row| row.end))?;
    file.seek(SeekFrom::End(0))?;
    let mut index = 0;
    sources.retain(|_| {
        index += 1;
        index > skipped
    });
    Ok(Ok(done))
}

/// Whether a file begins as a catalogue of this format.
pub(super) fn is_catalogue(path: &Path, format: Format, with_extent: bool) -> bool {
    let heading = csv_heading(&catalogue_fields(true, with_extent));
    let start = match format {
        Format::Csv => heading.as_bytes(),
        Format::Parquet => b"PAR1",
        _ => JSON_START,
    };
    let mut first = Vec::new();
    let read = path.is_file().then(|| File::open(path)?.take(start.len() as u64).read_to_end(&mut first));
    // A part of the work may have no assets.
    matches!(read, Some(Ok(_))) && (first == start || first.is_empty() && format == Format::Jsonl)
}

/// The complete lines; `None` if the file is not a catalogue. The last line of the file may be incomplete.
fn jsonl_rows(file: &File) -> io::Result<Option<Vec<Kept>>> {
    let (mut rows, mut end, mut line) = (Vec::new(), 0, Vec::new());
    let mut reader = BufReader::new(file);
    loop {
        line.clear();
        end += reader.read_until(b'\n', &mut line)? as u64;
        if !line.ends_with(b"\n") {
            let is_begun = line.starts_with(JSON_START) || JSON_START.starts_with(&line);
            return Ok(if is_begun || !rows.is_empty() { Some(rows) } else { None });
        }
        let Ok(value) = serde_json::from_slice::<Value>(&line) else { return Ok(None) };
        let Some(path) = value["path"].as_str().filter(|_| line.starts_with(JSON_START)) else { return Ok(None) };
        rows.push(Kept {
            end,
            path: path.to_owned(),
            entry: value["entry"].as_str().map(ToOwned::to_owned),
            sequence: value["sequence_index"].as_u64(),
            is_bad: !value["error"].is_null(),
            is_unreadable: value["bytes"].is_null(),
            has_hash: !value["content_hash"].is_null(),
            per: Some(if value.get("sequence_index").is_some() { Per::Sequence } else { Per::Asset }),
        });
    }
}

/// The complete records; `None` if the file is not a catalogue. The last record of the file may be incomplete.
fn csv_rows(file: &File, with_extent: bool) -> io::Result<Option<Vec<Kept>>> {
    let mut start = Vec::new();
    let heading = csv_heading(&catalogue_fields(true, with_extent));
    let whole = heading.len() as u64;
    file.take(whole).read_to_end(&mut start)?;
    if start.as_slice() != heading.as_bytes() {
        return Ok(heading.as_bytes().starts_with(&start).then(Vec::new));
    }
    let column = |name: &str| heading.trim_end().split(',').position(|title| title == name);
    let columns =
        ["path", "entry", "bytes", "error_kind", "content_hash", "sequence_index", "sequence_names"].map(column);
    let [Some(path), Some(entry), Some(bytes), Some(error), Some(hash), Some(sequence), Some(names)] = columns else {
        return Ok(None);
    };
    let mut rows = Vec::new();
    let mut record = csv::StringRecord::new();
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(BufReader::new(file));
    while let Ok(true) = reader.read_record(&mut record) {
        let cell = |column: usize| record.get(column).unwrap_or_default();
        let given = |column: usize| Some(cell(column).to_owned()).filter(|cell| !cell.is_empty());
        let sequence = cell(sequence).parse().ok();
        // Only a row for an asset has the names of all sequences.
        let is_of_asset = !matches!(cell(names), "" | "[]");
        rows.push(Kept {
            end: whole + reader.position().byte(),
            path: cell(path).to_owned(),
            entry: given(entry),
            sequence,
            is_bad: given(error).is_some(),
            is_unreadable: given(bytes).is_none(),
            has_hash: given(hash).is_some(),
            per: is_of_asset.then_some(Per::Asset).or(sequence.map(|_| Per::Sequence)),
        });
    }
    Ok(Some(rows))
}
