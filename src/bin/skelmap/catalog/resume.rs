//! Going on with a catalogue that was stopped: which rows are whole, and which items they are of.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Seek, SeekFrom};

use serde_json::Value;
use skelmap::catalog::{Item, Sources};

use super::Done;
use crate::cli::{Catalog, CatalogFormat, Per};
use crate::row::named;

/// A row that an earlier run wrote.
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
struct Kept {
    /// Where it ends in the file.
    end: u64,
    path: String,
    entry: Option<String>,
    /// Whether it is the first row of its item.
    begins: bool,
    is_bad: bool,
    is_unreadable: bool,
    has_hash: bool,
    has_sequence: bool,
}

/// Leaves out the items whose rows are in a partial file, and cuts that back to them. The last item with rows may not have all, so
/// it is done again. Where the rows are not those of the first items, the file is left as it is. `gives_rows`: whether an item is
/// not passed over.
pub(super) fn resume(
    file: &mut File,
    sources: &mut Sources,
    arguments: &Catalog,
    format: CatalogFormat,
    gives_rows: impl Fn(&Item) -> bool,
) -> io::Result<Result<Done, &'static str>> {
    let mut rows = match format {
        CatalogFormat::Jsonl => jsonl_rows(file)?,
        CatalogFormat::Csv => csv_rows(file),
        // Written as a whole: nothing of it is kept.
        CatalogFormat::Parquet => Vec::new(),
    };
    let last = rows.iter().rposition(|row| row.begins).unwrap_or(0);
    rows.truncate(last);
    let with_sequences = arguments.per == Per::Sequence;
    let is_other =
        |row: &Kept| (!row.is_bad && row.has_hash != arguments.content_hash) || (row.has_sequence && !with_sequences);
    if rows.iter().any(is_other) {
        return Ok(Err("holds rows made with other options; delete it, or go on without --resume"));
    }
    let firsts = || rows.iter().filter(|row| row.begins);
    let mut items = sources.items().iter();
    let mut skipped = 0_usize;
    for row in firsts() {
        let is_of_row = |item: &Item| {
            let (path, entry) = named(&item.address());
            path == row.path && entry == row.entry
        };
        loop {
            skipped += 1;
            match items.next() {
                Some(item) if is_of_row(item) => break,
                Some(item) if !gives_rows(item) => {}
                _ => return Ok(Err("holds rows of other files; delete it, or go on without --resume")),
            }
        }
    }
    let mut done = Done::default();
    for row in firsts() {
        done.assets += 1;
        done.bad += u64::from(row.is_bad);
        done.unreadable += u64::from(row.is_unreadable);
    }
    file.set_len(rows.last().map_or(0, |row| row.end))?;
    file.seek(SeekFrom::End(0))?;
    let mut index = 0;
    sources.retain(|_| {
        index += 1;
        index > skipped
    });
    Ok(Ok(done))
}

/// The whole lines.
fn jsonl_rows(file: &File) -> io::Result<Vec<Kept>> {
    let (mut rows, mut end, mut line) = (Vec::new(), 0, Vec::new());
    let mut reader = BufReader::new(file);
    loop {
        line.clear();
        end += reader.read_until(b'\n', &mut line)? as u64;
        let Ok(value) = serde_json::from_slice::<Value>(&line) else { return Ok(rows) };
        let Some(path) = value["path"].as_str().filter(|_| line.ends_with(b"\n")) else { return Ok(rows) };
        let sequence = value["sequence_index"].as_u64();
        rows.push(Kept {
            end,
            path: path.to_owned(),
            entry: value["entry"].as_str().map(ToOwned::to_owned),
            begins: sequence.is_none_or(|index| index == 0),
            is_bad: !value["error"].is_null(),
            is_unreadable: value["bytes"].is_null(),
            has_hash: !value["content_hash"].is_null(),
            has_sequence: value.get("sequence_index").is_some(),
        });
    }
}

/// The whole records.
fn csv_rows(file: &File) -> Vec<Kept> {
    let mut reader = csv::Reader::from_reader(BufReader::new(file));
    let column = |name: &str, headers: &csv::StringRecord| headers.iter().position(|header| header == name);
    let Ok(headers) = reader.headers().cloned() else { return Vec::new() };
    let columns =
        ["path", "entry", "bytes", "error_kind", "content_hash", "sequence_index"].map(|name| column(name, &headers));
    let [Some(path), Some(entry), Some(bytes), Some(error), Some(hash), Some(sequence)] = columns else {
        return Vec::new();
    };
    let mut rows = Vec::new();
    let mut record = csv::StringRecord::new();
    while let Ok(true) = reader.read_record(&mut record) {
        let cell = |column: usize| record.get(column).unwrap_or_default();
        let given = |column: usize| Some(cell(column).to_owned()).filter(|cell| !cell.is_empty());
        rows.push(Kept {
            end: reader.position().byte(),
            path: cell(path).to_owned(),
            entry: given(entry),
            begins: matches!(cell(sequence), "" | "0"),
            is_bad: given(error).is_some(),
            is_unreadable: given(bytes).is_none(),
            has_hash: given(hash).is_some(),
            has_sequence: given(sequence).is_some(),
        });
    }
    rows
}
