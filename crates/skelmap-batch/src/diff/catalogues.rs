//! What differs between two catalogues.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use serde_json::{Map, Value};
use xxhash_rust::xxh3::xxh3_128;

use super::lists::{Content, Listed, compare_listed};
use super::{DiffError, DiffOptions, Differences};
use crate::catalogue::format_of;
use crate::lines::{LineError, each_line};
use crate::report::Format;
use crate::{PatternError, Patterns};

/// The longest row that is read.
const MAX_ROW_BYTES: u64 = 16 << 20;

/// The format of a catalogue, by the name of the file; `None` for what is no catalogue.
pub(super) fn form_of(path: &Path) -> Result<Option<Format>, DiffError> {
    let format = format_of(path).filter(|_| !path.is_dir());
    if format == Some(Format::Parquet) { Err(DiffError::Parquet(path.to_owned())) } else { Ok(format) }
}

pub(super) fn compare(
    paths: [&Path; 2],
    forms: [Format; 2],
    options: &DiffOptions,
    found: &mut Differences<'_>,
) -> Result<(), DiffError> {
    let patterns = Patterns::new(&options.glob, options.walk.ignore_case).map_err(PatternError::from)?;
    let ([one, other], [form, other_form]) = (paths, forms);
    let (old, new) = (Catalogue::read(one, form)?, Catalogue::read(other, other_form)?);
    let has_hashes = old.has_hashes() && new.has_hashes();
    if !has_hashes && form != other_form {
        return Err(DiffError::TwoFormats);
    }
    if !has_hashes {
        let message = "files are compared by their sizes and counts, and none is said to have moved";
        found.take.note(&"not both catalogues have --content-hash", message.to_owned());
    }
    let [old, new] = [old, new].map(|catalogue| {
        let mut listed = catalogue.list(has_hashes);
        listed.retain(|name, _| patterns.has(name));
        listed
    });
    compare_listed([&old, &new], has_hashes, found, |_, _, _, _| Ok(()))
}

/// The rows of a catalogue.
struct Catalogue(Vec<Row>);

struct Row {
    path: String,
    size: Option<u64>,
    /// A hash of all columns but the path and the next one.
    columns: u128,
    /// A hash of the hash of the content.
    content: Option<u128>,
}

impl Row {
    /// A line of JSON; `None` for what is no row of a catalogue.
    fn of_json(line: &[u8]) -> Option<Self> {
        let mut columns: Map<String, Value> = serde_json::from_slice(line).ok()?;
        columns.get("schema")?;
        let mut take = |key| columns.remove(key)?.as_str().map(str::to_owned);
        let (path, entry, content) = (take("path")?, take("entry"), take("content_hash"));
        // A text of the path and the entry.
        let _ = take("address");
        let size = columns.get("bytes")?.as_u64();
        Some(Self::new(path, entry, size, &Value::Object(columns).to_string(), content))
    }

    /// The cells of a record with their columns.
    fn of_csv(mut columns: BTreeMap<&str, &str>) -> Option<Self> {
        let mut take = |key| columns.remove(key).filter(|cell| !cell.is_empty()).map(str::to_owned);
        let (path, entry, content) = (take("path")?, take("entry"), take("content_hash"));
        // A text of the path and the entry.
        let _ = take("address");
        let size = columns.get("bytes")?.parse().ok();
        Some(Self::new(path, entry, size, &format!("{columns:?}"), content))
    }

    fn new(path: String, entry: Option<String>, size: Option<u64>, columns: &str, content: Option<String>) -> Self {
        let hash = |text: &str| xxh3_128(text.as_bytes());
        let path = match entry {
            Some(entry) => format!("{path}!/{entry}"),
            None => path,
        };
        Self { path, size, columns: hash(columns), content: content.map(|own| hash(&own)) }
    }
}

impl Catalogue {
    fn read(path: &Path, form: Format) -> Result<Self, DiffError> {
        let mut rows = Vec::new();
        let what = "no row of `skelmap catalog`: is the file cut, or another one?";
        let mut add = |line: u64, row: Option<Row>| {
            rows.push(row.ok_or(LineError::Other { line, what })?);
            Ok(())
        };
        let read = match form {
            Format::Jsonl => each_line(path, MAX_ROW_BYTES, |line, text| add(line, Row::of_json(text))),
            _ => each_record(path, |line, columns| add(line, Row::of_csv(columns))),
        };
        read.map(|()| Self(rows)).map_err(|error| DiffError::Catalogue { path: path.to_owned(), error })
    }

    fn has_hashes(&self) -> bool {
        self.0.iter().all(|row| row.content.is_some())
    }

    /// The rows by their paths below the longest folder, or archive, that all have in common.
    fn list(self, has_hashes: bool) -> Listed {
        let common = self.0.iter().map(|row| row.path.as_str()).reduce(|one, other| {
            let same = one.bytes().zip(other.bytes()).take_while(|(one, other)| one == other).count();
            let end = one.as_bytes().get(..same).and_then(|same| same.iter().rposition(|byte| *byte == b'/'));
            one.get(..end.map_or(0, |end| end + 1)).unwrap_or_default()
        });
        // The folder of a lone file.
        let common = common.map_or(0, |common| common.rfind('/').map_or(0, |end| end + 1));
        let rows = self.0.into_iter().enumerate();
        rows.map(|(index, row)| {
            let hash = row.content.filter(|_| has_hashes).unwrap_or(row.columns);
            (row.path.get(common..).unwrap_or(&row.path).to_owned(), (Content { size: row.size, hash }, index))
        })
        .collect()
    }
}

/// Reads a file of comma-separated values: `work` gets the number of the line and the columns of a record.
fn each_record(
    path: &Path,
    mut work: impl FnMut(u64, BTreeMap<&str, &str>) -> Result<(), LineError>,
) -> Result<(), LineError> {
    let left = Cell::new(MAX_ROW_BYTES);
    let file = File::open(path)?;
    let mut reader = csv::Reader::from_reader(Bounded { file, left: &left });
    let keys = reader.headers()?.clone();
    let mut record = csv::StringRecord::new();
    loop {
        left.set(MAX_ROW_BYTES);
        if !reader.read_record(&mut record)? {
            return Ok(());
        }
        work(record.position().map_or(0, csv::Position::line), keys.iter().zip(&record).collect())?;
    }
}

/// A file of which so many bytes are read until the number is set anew.
struct Bounded<'l> {
    file: File,
    left: &'l Cell<u64>,
}

impl Read for Bounded<'_> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        if self.left.get() == 0 {
            return Err(io::Error::other(format!("a row is longer than {MAX_ROW_BYTES} bytes")));
        }
        let read = (&self.file).take(self.left.get()).read(bytes)?;
        self.left.set(self.left.get() - read as u64);
        Ok(read)
    }
}
