//! Going on with a catalogue that was stopped: which rows are whole, and which items they are of.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Seek, SeekFrom};

use serde_json::Value;
use skelmap::catalog::Sources;

use crate::cli::CatalogFormat;
use crate::row::named;

/// The path and entry of a row.
pub(super) type Key = (String, Option<String>);

/// Cuts a partial file back to the rows of whole items, and tells which those are. The last item may not be whole, so it is done
/// again.
pub(super) fn resumed(mut file: File, format: CatalogFormat) -> io::Result<(File, Vec<Key>)> {
    let mut rows = match format {
        CatalogFormat::Jsonl => jsonl_rows(&file)?,
        CatalogFormat::Csv => csv_rows(&file),
        // Written as a whole: nothing of it is kept.
        CatalogFormat::Parquet => Vec::new(),
    };
    let last = rows.last().map(|(_, key)| key.clone());
    while rows.last().is_some_and(|(_, key)| Some(key) == last.as_ref()) && rows.len() > 1 {
        rows.pop();
    }
    let end = match rows.as_slice() {
        [.., (end, _)] if rows.last().map(|(_, key)| key) != last.as_ref() => *end,
        // Nothing but the rows of one item.
        _ => {
            rows.clear();
            0
        }
    };
    file.set_len(end)?;
    file.seek(SeekFrom::End(0))?;
    let mut kept: Vec<Key> = rows.into_iter().map(|(_, key)| key).collect();
    kept.dedup();
    Ok((file, kept))
}

/// Where each whole line ends, and whose it is.
fn jsonl_rows(file: &File) -> io::Result<Vec<(u64, Key)>> {
    let (mut rows, mut end, mut line) = (Vec::new(), 0, Vec::new());
    let mut reader = BufReader::new(file);
    loop {
        line.clear();
        let read = reader.read_until(b'\n', &mut line)?;
        let Ok(value) = serde_json::from_slice::<Value>(&line) else { return Ok(rows) };
        let Some(path) = value["path"].as_str().filter(|_| line.ends_with(b"\n")) else { return Ok(rows) };
        end += read as u64;
        rows.push((end, (path.to_owned(), value["entry"].as_str().map(ToOwned::to_owned))));
    }
}

/// The same of records; the heading's end counts for the first.
fn csv_rows(file: &File) -> Vec<(u64, Key)> {
    let mut reader = csv::Reader::from_reader(BufReader::new(file));
    let mut rows = Vec::new();
    let mut record = csv::StringRecord::new();
    while let Ok(true) = reader.read_record(&mut record) {
        let [Some(path), Some(entry)] = [record.get(1), record.get(2)] else { break };
        let entry = Some(entry.to_owned()).filter(|entry| !entry.is_empty());
        rows.push((reader.position().byte(), (path.to_owned(), entry)));
    }
    rows
}

/// Leaves out the items that have rows, and all before them. Gives how many have.
pub(super) fn skip(sources: &mut Sources, kept: &[Key]) -> Result<u64, String> {
    let mut items = sources.items().iter().map(|item| named(&item.address()));
    let mut done = 0_usize;
    for key in kept {
        let at = items.by_ref().position(|item| item == *key);
        done += 1 + at.ok_or("holds rows of other files; delete it, or go on without --resume")?;
    }
    drop(items);
    let mut index = 0;
    sources.retain(|_| {
        index += 1;
        index > done
    });
    Ok(kept.len() as u64)
}
