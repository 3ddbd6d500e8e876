//! What differs between two catalogues.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use super::Differences;
use super::lists::{Content, Listed, compare_listed};
use crate::outcome::Failure;
use crate::output::complain;

/// The longest row that is read.
const LONGEST: u64 = 16 << 20;

/// Whether a path is that of a catalogue: JSON lines.
pub(super) fn is_catalogue(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("jsonl")) && !path.is_dir()
}

pub(super) fn compare(paths: [&PathBuf; 2], found: &mut Differences) -> Result<(), Failure> {
    let [old, new] = paths.map(|path| read(path));
    let (old, new) = (old?, new?);
    let has_hashes = old.has_hashes && new.has_hashes;
    if !has_hashes {
        let message = "files are compared by their sizes and counts, and none is said to have moved";
        complain(format!("not both catalogues have --content-hash: {message}"));
    }
    let [old, new] = [old, new].map(|catalogue| catalogue.list(has_hashes));
    compare_listed([&old, &new], has_hashes, found, |_, _, _, _| Ok(()))
}

/// The rows of a catalogue: the path, the size, the hash of the content, and a text of all other columns.
struct Catalogue {
    rows: Vec<(String, Content, Option<String>)>,
    has_hashes: bool,
}

fn read(path: &Path) -> Result<Catalogue, Failure> {
    let failed = |error| Failure::nothing_read(error).in_file(path);
    let mut lines = BufReader::new(File::open(path).map_err(failed)?);
    let mut rows = Vec::new();
    for number in 1_u64.. {
        let mut line = Vec::new();
        let length = Read::take(&mut lines, LONGEST).read_until(b'\n', &mut line).map_err(failed)?;
        if length == 0 {
            break;
        }
        let row = serde_json::from_slice::<Map<String, Value>>(&line).ok().and_then(row);
        rows.push(row.ok_or_else(|| {
            let message = format!("line {number} is no row of `skelmap catalog`: is the file cut, or another one?");
            Failure::findings(message).in_file(path)
        })?);
    }
    let has_hashes = rows.iter().all(|(_, _, hash)| hash.is_some());
    Ok(Catalogue { rows, has_hashes })
}

/// The path of a row, what is compared without a hash, and the hash.
fn row(mut columns: Map<String, Value>) -> Option<(String, Content, Option<String>)> {
    let text = |value: Option<Value>| value.and_then(|value| value.as_str().map(str::to_owned));
    columns.get("schema")?;
    let (path, entry) = (text(columns.remove("path"))?, text(columns.remove("entry")));
    let hash = text(columns.remove("content_hash"));
    let size = columns.get("bytes")?.as_u64();
    let path = entry.map_or_else(|| path.clone(), |entry| format!("{path}!/{entry}"));
    Some((path, Content { size, hash: Value::Object(columns).to_string() }, hash))
}

impl Catalogue {
    /// The rows by their paths below the longest folder, or archive, that all have in common.
    fn list(self, has_hashes: bool) -> Listed {
        let common = self.rows.iter().map(|(path, ..)| path.as_str()).reduce(|one, other| {
            let same = one.bytes().zip(other.bytes()).take_while(|(one, other)| one == other).count();
            let end = one.as_bytes().get(..same).and_then(|same| same.iter().rposition(|byte| *byte == b'/'));
            one.get(..end.map_or(0, |end| end + 1)).unwrap_or_default()
        });
        // The folder of a lone file.
        let common = common.map_or(0, |common| common.rfind('/').map_or(0, |end| end + 1));
        let content = |content: Content, hash: Option<String>| match hash.filter(|_| has_hashes) {
            Some(hash) => Content { hash, ..content },
            None => content,
        };
        let rows = self.rows.into_iter().enumerate();
        rows.map(|(index, (path, own, hash))| {
            (path.get(common..).unwrap_or(&path).to_owned(), (content(own, hash), index))
        })
        .collect()
    }
}
