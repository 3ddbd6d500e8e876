//! Continuing a catalogue: which rows of the partial file are complete, and which items they belong to.

use std::collections::HashSet;
use std::fs::File;
use std::hash::{BuildHasher, RandomState};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::items::{Item, Sources};
use serde::de::{Deserialize, Deserializer, IgnoredAny};

use super::{Catalogue, Per};
use crate::Tally;
use crate::columns::{SEQUENCE_SCHEMA, catalogue_fields};
use crate::path_and_entry;
use crate::report::{Format, csv_heading};

/// The beginning of every row in JSON.
const JSON_START: &[u8] = b"{\"schema\":";

/// Why the rows of an earlier run are not continued.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Refusal {
    /// The partial file has other content.
    #[error("is not a partial catalogue; name another output, or delete this file")]
    NoCatalogue,
    /// The partial file is of other files.
    #[error("holds rows of other files; delete it, or run with --force and without --resume")]
    OtherFiles,
    /// The partial file was made with other options.
    #[error("holds rows made with other options; delete it, or run with --force and without --resume")]
    OtherOptions,
    /// The finished file was made with other options.
    #[error("this catalogue was written with different options (--force replaces it)")]
    FinishedWithOtherOptions,
    /// The finished file is of other files.
    #[error("this catalogue was written for different files (--force replaces it)")]
    FinishedOfOtherFiles,
    /// The finished file is cut.
    #[error("the last row of this catalogue is incomplete (--force replaces it)")]
    Cut,
}

/// A row of an earlier run: what JSON and CSV say of it.
#[derive(serde::Deserialize)]
struct Kept {
    /// Where the row ends in the file.
    #[serde(skip)]
    end: u64,
    /// What rows were for, if this row shows it.
    #[serde(skip)]
    per: Option<Per>,
    path: String,
    entry: Option<String>,
    /// The size of the asset, if it could be read.
    bytes: Option<u64>,
    #[serde(alias = "error_kind")]
    error: Option<IgnoredAny>,
    content_hash: Option<IgnoredAny>,
    #[expect(clippy::option_option, reason = "the key may be missing, or its value null")]
    #[serde(default, deserialize_with = "present")]
    sequence_index: Option<Option<u64>>,
    #[serde(default, deserialize_with = "present")]
    height: Option<IgnoredAny>,
}

/// The value of a key that is there, even if it is null.
fn present<'de, T: Deserialize<'de>, D: Deserializer<'de>>(from: D) -> Result<Option<T>, D::Error> {
    T::deserialize(from).map(Some)
}

impl Kept {
    /// Whether a run with other options made the row.
    fn is_of_other_options(&self, catalogue: &Catalogue) -> bool {
        (self.error.is_none() && self.content_hash.is_some() != catalogue.rows.content_hash)
            || self.height.is_some() != catalogue.rows.extent
            || self.per.is_some_and(|per| per != catalogue.rows.per)
    }

    /// The index of its sequence.
    fn sequence(&self) -> Option<u64> {
        self.sequence_index.flatten()
    }

    /// Adds the asset to a tally.
    fn count(&self, tally: &mut Tally) {
        tally.count(self.error.is_some(), self.bytes.is_none());
    }

    /// Whether this is the first row of an item.
    fn begins(&self) -> bool {
        self.sequence().is_none_or(|index| index == 0)
    }

    /// Whether this is the row for the next sequence of the same item.
    fn follows(&self, before: &Self) -> bool {
        let next = before.sequence().and_then(|index| index.checked_add(1));
        next.is_some() && self.sequence() == next && (&self.path, &self.entry) == (&before.path, &before.entry)
    }
}

/// Says whether the file of an item was changed after a moment. What has no times, such as an object in a store, was not.
fn changes(since: SystemTime) -> impl FnMut(&Item) -> bool {
    // The last file that was looked at: an archive has many entries.
    let mut last: Option<(PathBuf, bool)> = None;
    move |item| {
        let address = item.address();
        match &last {
            Some((path, is_changed)) if path == address.path() => *is_changed,
            _ => {
                let is_changed = changed_at(address.path()).is_some_and(|at| at > since);
                last = Some((address.path().to_owned(), is_changed));
                is_changed
            }
        }
    }
}

/// When a file was written to, or got its name by being moved: a file that replaces another one can have an old date. Other systems than Unix tell
/// when a file was made, by a copy too, and not when it was moved: there, a file with an old date that is moved over another has not changed.
fn changed_at(path: &Path) -> Option<SystemTime> {
    let metadata = path.metadata().ok()?;
    let written = metadata.modified().ok()?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let seconds = u64::try_from(metadata.ctime()).ok()?;
        let nanoseconds = u32::try_from(metadata.ctime_nsec()).ok()?;
        let moved = SystemTime::UNIX_EPOCH.checked_add(std::time::Duration::new(seconds, nanoseconds))?;
        Some(written.max(moved))
    }
    #[cfg(not(unix))]
    Some(metadata.created().map_or(written, |made| written.max(made)))
}

/// What a resumed run does not make again.
#[derive(Default)]
pub(crate) struct Resumed {
    pub(crate) kept: Tally,
    /// The first asset that has changed since its row was made. Its row and those after it are made again.
    pub(crate) changed: Option<String>,
}

/// Removes the items whose rows are in a partial file from the sources, and truncates the file after these rows. The last item with
/// rows may be incomplete, so it is done again, and so are an item that has changed meanwhile and all after it. If the rows are not
/// those of the first items, the file stays as it is. `gives_rows`: whether an item is not skipped.
pub(crate) fn resume(
    file: &mut File,
    sources: &mut Sources,
    catalogue: &Catalogue,
    gives_rows: impl Fn(&Item) -> bool,
) -> io::Result<Result<Resumed, Refusal>> {
    let Some(mut rows) = rows_of(file, catalogue)? else { return Ok(Err(Refusal::NoCatalogue)) };
    let last = rows.iter().rposition(Kept::begins).unwrap_or(0);
    rows.truncate(last);
    if rows.iter().any(|row| row.is_of_other_options(catalogue)) {
        return Ok(Err(Refusal::OtherOptions));
    }
    let continues = |pair: &[Kept]| matches!(pair, [before, row] if row.begins() || row.follows(before));
    if !rows.windows(2).all(continues) {
        return Ok(Err(Refusal::OtherFiles));
    }
    let mut has_changed = changes(file.metadata()?.modified()?);
    let mut items = sources.items().iter();
    let (mut skipped, mut changed) = (0_usize, None);
    for (at, row) in rows.iter().enumerate().filter(|(_, row)| row.begins()) {
        let is_of_row = |item: &Item| {
            let (path, entry) = path_and_entry(&item.address());
            path == row.path && entry == row.entry
        };
        let item = loop {
            match items.next() {
                Some(item) if is_of_row(item) => break item,
                Some(item) if !gives_rows(item) => skipped += 1,
                _ => return Ok(Err(Refusal::OtherFiles)),
            }
        };
        let has_other_size = row.bytes.is_some_and(|bytes| ![0, bytes].contains(&item.size_hint()));
        if changed.is_none() && (catalogue.rehash || has_other_size || has_changed(item)) {
            changed = Some((at, skipped, item.address().to_string()));
        }
        skipped += 1;
    }
    let mut resumed = Resumed::default();
    if let Some((at, before, address)) = changed {
        rows.truncate(at);
        skipped = before;
        resumed.changed = Some(address).filter(|_| !catalogue.rehash);
    }
    rows.iter().filter(|row| row.begins()).for_each(|row| row.count(&mut resumed.kept));
    file.set_len(rows.last().map_or(0, |row| row.end))?;
    file.seek(SeekFrom::End(0))?;
    let mut index = 0;
    sources.retain(|_| {
        index += 1;
        index > skipped
    });
    Ok(Ok(resumed))
}

/// A finished catalogue.
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct Finished {
    /// Items that have changed since it was written.
    pub changed: usize,
    /// Items without a row.
    pub added: usize,
    /// Rows without an item.
    pub removed: usize,
    /// What the rows say; nothing for Parquet, whose rows are not looked at.
    pub rows: Option<Tally>,
}

/// The catalogue of these arguments, if an earlier run has finished it; or why it is another one.
pub(crate) fn find_finished(catalogue: &Catalogue, sources: &Sources) -> io::Result<Option<Result<Finished, Refusal>>> {
    let file = File::open(&catalogue.output)?;
    let Some(rows) = rows_of(&file, catalogue)? else { return Ok(None) };
    if rows.iter().any(|row| row.is_of_other_options(catalogue)) {
        return Ok(Some(Err(Refusal::FinishedWithOtherOptions)));
    }
    let metadata = file.metadata()?;
    let mut has_changed = changes(metadata.modified()?);
    let changed = sources.items().iter().filter(|item| has_changed(item)).count();
    if catalogue.format == Format::Parquet {
        return Ok(Some(Ok(Finished { changed, ..Finished::default() })));
    }
    if rows.last().is_some_and(|row| row.end != metadata.len()) {
        return Ok(Some(Err(Refusal::Cut)));
    }
    let finished = Finished { changed, ..compare(&rows, sources) };
    let files = finished.rows.map_or(0, |rows| rows.files);
    let is_other = finished.removed as u64 == files && finished.removed + finished.added > 0;
    Ok(Some(if is_other { Err(Refusal::FinishedOfOtherFiles) } else { Ok(finished) }))
}

/// What the rows of a catalogue have, and the items do not, and the other way round. Names are compared by hashes with a random key.
fn compare(rows: &[Kept], sources: &Sources) -> Finished {
    let hasher = RandomState::new();
    let of_item = |item: &Item| hasher.hash_one(path_and_entry(&item.address()));
    let of_row = |row: &Kept| hasher.hash_one((&row.path, &row.entry));
    let known: HashSet<u64> = sources.items().iter().map(of_item).collect();
    let mut listed = HashSet::new();
    let mut finished = Finished::default();
    let mut tally = Tally::default();
    for row in rows.iter().filter(|row| row.begins()) {
        row.count(&mut tally);
        listed.insert(of_row(row));
        finished.removed += usize::from(!known.contains(&of_row(row)));
    }
    let is_new = |item: &&Item| (item.is_named() || item.promises_asset()) && !listed.contains(&of_item(item));
    finished.added = sources.items().iter().filter(is_new).count();
    finished.rows = Some(tally);
    finished
}

/// The complete rows of a file, none of Parquet; `None` if it is not a catalogue of this format.
fn rows_of(file: &File, catalogue: &Catalogue) -> io::Result<Option<Vec<Kept>>> {
    match catalogue.format {
        Format::Csv => csv_rows(file, catalogue.rows.extent),
        Format::Parquet => {
            let mut start = Vec::new();
            file.take(4).read_to_end(&mut start)?;
            Ok((start == b"PAR1").then(Vec::new))
        }
        _ => jsonl_rows(file),
    }
}

/// The longest row that is read.
const MAX_ROW: u64 = 64 << 20;

/// The complete lines; `None` if the file is not a catalogue. The last line of the file may be incomplete.
fn jsonl_rows(file: &File) -> io::Result<Option<Vec<Kept>>> {
    let (mut rows, mut end, mut line) = (Vec::new(), 0, Vec::new());
    let mut reader = BufReader::new(file);
    loop {
        line.clear();
        end += Read::take(&mut reader, MAX_ROW).read_until(b'\n', &mut line)? as u64;
        if line.len() as u64 == MAX_ROW {
            return Ok(None);
        }
        if !line.ends_with(b"\n") {
            let is_begun = line.starts_with(JSON_START) || JSON_START.starts_with(&line);
            return Ok(if is_begun || !rows.is_empty() { Some(rows) } else { None });
        }
        let row = serde_json::from_slice::<Kept>(&line).ok().filter(|_| line.starts_with(JSON_START));
        let Some(row) = row else { return Ok(None) };
        let per = if row.sequence_index.is_some() { Per::Sequence } else { Per::Asset };
        // Rows for sequences had other keys before.
        if per == Per::Sequence && !line.starts_with(format!("{{\"schema\":{SEQUENCE_SCHEMA},").as_bytes()) {
            return Ok(None);
        }
        rows.push(Kept { end, per: Some(per), ..row });
    }
}

/// A file that ends with an error in a row that is too long.
struct Rows<R> {
    file: R,
    /// The bytes that may be read before the end of a row.
    left: u64,
}

impl<R: Read> Read for Rows<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read(buffer)?;
        self.left = self.left.checked_sub(read as u64).ok_or(io::ErrorKind::FileTooLarge)?;
        Ok(read)
    }
}

/// The complete records; `None` if the file is not a catalogue. The last record of the file may be incomplete.
fn csv_rows(file: &File, with_extent: bool) -> io::Result<Option<Vec<Kept>>> {
    let mut start = Vec::new();
    let heading = |per| (csv_heading(&catalogue_fields(per == Per::Sequence, with_extent)), per);
    let headings = [Per::Asset, Per::Sequence].map(heading);
    let longest = headings.iter().map(|(heading, _)| heading.len()).max().unwrap_or(0);
    file.take(longest as u64).read_to_end(&mut start)?;
    let Some((heading, per)) = headings.iter().find(|(heading, _)| start.starts_with(heading.as_bytes())) else {
        return Ok(headings.iter().any(|(heading, _)| heading.as_bytes().starts_with(&start)).then(Vec::new));
    };
    let (whole, size) = (heading.len() as u64, file.metadata()?.len());
    let mut file = file;
    file.seek(SeekFrom::Start(whole))?;
    let columns: csv::StringRecord = heading.trim_end().split(',').collect();
    let mut rows = Vec::new();
    let mut record = csv::StringRecord::new();
    let file = Rows { file: BufReader::new(file), left: MAX_ROW };
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(file);
    while let Ok(true) = reader.read_record(&mut record) {
        reader.get_mut().left = MAX_ROW;
        let end = whole + reader.position().byte();
        if record.len() < columns.len() && end == size {
            break;
        }
        let Ok(row) = record.deserialize::<Kept>(Some(&columns)) else { return Ok(None) };
        rows.push(Kept { end, per: Some(*per), ..row });
    }
    Ok(Some(rows))
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::time::Duration;

    use tempfile::TempDir;
    use test_support::corpus::file;

    use super::*;
    use crate::catalogue::{CatalogueError, Rows};
    use crate::query::Query;
    use crate::{Find, Run, Source};

    /// A folder with meshes of these names in `art`, and a catalogue of them.
    fn catalogue_of(names: &[&str], output: &str, format: Format) -> (TempDir, Catalogue) {
        let folder = tempfile::tempdir().expect("a folder");
        let art = folder.path().join("art");
        fs::create_dir(&art).expect("made");
        for name in names {
            fs::write(art.join(name), file("actorx/mesh/classic.psk")).expect("written");
        }
        let catalogue = Catalogue {
            find: Find::all(&[art]),
            rows: Rows::default(),
            shard: None,
            query: Query::default(),
            output: folder.path().join(output),
            format,
            resume: true,
            rehash: false,
            force: false,
        };
        (folder, catalogue)
    }

    fn write(catalogue: &Catalogue) -> Result<u64, CatalogueError> {
        catalogue.write(&Source::default(), Run::default(), |_| ()).map(|written| written.rows)
    }

    fn finished(catalogue: &Catalogue) -> Option<Finished> {
        catalogue.finished(&Source::default()).expect("the same files")
    }

    #[test]
    fn a_file_has_changed_if_it_is_newer_than_the_moment() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.psk");
        fs::write(&path, b"x").expect("written");
        let item = Find::all(&[&path]).sources(&Source::default()).expect("found");
        let at = changed_at(&path).expect("a time");
        // The shortest time that the system tells apart.
        let moment = Duration::from_nanos(if cfg!(windows) { 100 } else { 1 });
        for (since, expected) in [(at, false), (at - moment, true)] {
            assert_eq!(changes(since)(&item.items()[0]), expected);
        }
    }

    #[test]
    fn rows_of_another_file_between_those_of_the_same_are_refused() {
        let (_folder, catalogue) = catalogue_of(&["a.psk", "b.psk", "c.psk"], "all.jsonl", Format::Jsonl);
        assert_eq!(write(&catalogue).expect("written"), 3);
        let rows = fs::read_to_string(&catalogue.output).expect("rows");
        fs::remove_file(&catalogue.output).expect("removed");
        let part = catalogue.output.with_extension("jsonl.part");
        fs::write(&part, rows.replace("b.psk", "x.psk")).expect("written");
        let refused = write(&catalogue).expect_err("other files");
        assert!(matches!(refused, CatalogueError::Refused { refusal: Refusal::OtherFiles, .. }), "{refused}");
        fs::write(&part, rows).expect("written");
        assert_eq!(write(&catalogue).expect("the same files"), 1);
    }

    /// The rows of a run that cannot end are lost, those of an earlier one are not.
    #[test]
    fn a_run_that_may_not_replace_its_output_leaves_the_rows_of_an_earlier_run() {
        let (folder, catalogue) = catalogue_of(&["a.psk", "b.psk"], "all.jsonl", Format::Jsonl);
        fs::write(&catalogue.output, "mine").expect("written");
        let part = folder.path().join("all.jsonl.part");
        write(&catalogue).expect_err("a file is there");
        assert!(!part.exists());
        fs::write(&part, "{\"schema\":").expect("written");
        write(&catalogue).expect_err("a file is there");
        assert_eq!(fs::read_to_string(&part).expect("the rows"), "{\"schema\":");
        assert_eq!(fs::read_to_string(&catalogue.output).expect("a file"), "mine");
    }

    #[test]
    fn a_catalogue_of_nothing_is_finished() {
        let (_folder, catalogue) = catalogue_of(&[], "all.jsonl", Format::Jsonl);
        assert_eq!(write(&catalogue).expect("written"), 0);
        let found = finished(&catalogue).expect("a catalogue");
        assert_eq!((found.changed, found.added, found.removed), (0, 0, 0));
    }

    /// Parquet files begin with `PAR1`.
    #[test]
    fn a_finished_file_of_parquet_is_known_by_its_first_bytes() {
        let (_folder, catalogue) = catalogue_of(&["a.psk"], "all.parquet", Format::Parquet);
        for (bytes, expected) in [(&b"PAR1rest"[..], true), (b"PAR2rest", false), (b"{\"schema\":1", false)] {
            fs::write(&catalogue.output, bytes).expect("written");
            assert_eq!(finished(&catalogue).map(|found| found.rows), expected.then_some(None));
        }
    }
}
