//! What differs between two folders or archives.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};

use crate::items::{Fault, Item, Loaded, Need, Sources};
use crate::path_text;
use skelmap::archive::Address;

use super::{Change, DiffError, DiffOptions, Difference, Differences, compare_files};
use crate::{Run, Source};

/// What a file is among the differences of lists.
pub(super) const FILE: &str = "file";

/// The files of one side.
pub(super) struct Side {
    pub(super) root: PathBuf,
    pub(super) place: Address,
    pub(super) sources: Sources,
}

/// What is compared of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Content {
    pub(super) size: Option<u64>,
    /// The CRC-32, or a hash of 128 bits.
    pub(super) hash: u128,
}

/// The files of a side by their path below it: the content, and the number of the item.
pub(super) type Listed = BTreeMap<String, (Content, usize)>;

impl Side {
    /// Whether the side is one file that was named. What is wrong in a folder has a name too.
    pub(super) fn is_file(&self) -> bool {
        matches!(self.sources.items(), [item] if item.is_named()) && !self.root.is_dir()
    }

    /// The path of an item below the side.
    fn name(&self, item: &Item) -> String {
        let address = item.address();
        let below = address.path().strip_prefix(self.place.path()).unwrap_or_else(|_| Path::new(""));
        let path = path_text(below).replace('\\', "/");
        // The root may be a folder of an archive.
        let of_root = |entry: &str| {
            let below = self.place.entry().and_then(|root| entry.strip_prefix(root.trim_end_matches('/')));
            below.and_then(|below| below.strip_prefix('/')).map(ToOwned::to_owned)
        };
        match address.entry() {
            Some(entry) if path.is_empty() => of_root(entry).unwrap_or_else(|| entry.to_owned()),
            Some(entry) => format!("{path}!/{entry}"),
            None => path,
        }
    }

    /// Reads what is compared. An archive says it; files are read. Returns also the names of the files that cannot be read.
    fn list(
        &self,
        with_others: bool,
        is_chosen: bool,
        source: &Source,
        run: Run<'_>,
        found: &mut Differences<'_>,
    ) -> Result<(Listed, BTreeSet<String>), DiffError> {
        let (mut listed, mut failed) = (Listed::new(), BTreeSet::new());
        let items = self.sources.items();
        let work = |item: &Item| {
            let is_wanted =
                with_others || item.is_asset() && (item.promises_asset() || item.address().entry().is_none());
            let size = item.size_hint();
            is_wanted.then(|| {
                (self.name(item), item.crc32(&source.opener).map(|crc| Content { size: Some(size), hash: crc.into() }))
            })
        };
        let mut number = 0;
        let numbered = |item: &Item| Some(work(item));
        run.items(&self.sources, source, Need::Headers, numbered, |result| {
            let index = number;
            number += 1;
            match result {
                // The last entry of a name is the one that counts.
                Some((name, Ok(content))) => drop(listed.insert(name, (content, index))),
                Some((name, Err(Fault { message, .. }))) => {
                    found.failed += 1;
                    found.take.failed(format!("{name}: {message}"));
                    failed.insert(name);
                }
                None => {}
            }
            Ok(())
        })?;
        if !failed.is_empty() && listed.is_empty() || items.is_empty() && !is_chosen {
            return Err(DiffError::NoFile(self.root.clone()));
        }
        Ok((listed, failed))
    }
}

pub(super) fn compare(
    before: &Side,
    after: &Side,
    options: &DiffOptions,
    source: &Source,
    run: Run<'_>,
    found: &mut Differences<'_>,
) -> Result<(), DiffError> {
    // Patterns may leave no file of one side.
    let is_chosen = !options.glob.is_empty() || !options.walk.exclude.is_empty();
    let (mut old, not_in_old) = before.list(options.all, is_chosen, source, run, found)?;
    let (mut new, not_in_new) = after.list(options.all, is_chosen, source, run, found)?;
    // What one side has and cannot be read, or is in a folder or archive that cannot, is neither added nor removed.
    let unread: BTreeSet<String> = not_in_old.union(&not_in_new).cloned().collect();
    for listed in [&mut old, &mut new] {
        listed.retain(|name, _| !is_within(name, &unread));
    }
    if is_chosen && old.is_empty() && new.is_empty() {
        return Err(DiffError::NothingLeft);
    }
    compare_listed([&old, &new], true, found, |path, one, other, found| {
        if !options.deep {
            return Ok(());
        }
        let item = |side: &Side, at: usize| {
            side.sources.items().get(at).and_then(|item| item.load(&source.opener, &source.parse))
        };
        let (Some(Ok(was)), Some(Ok(is))) = (item(before, one), item(after, other)) else { return Ok(()) };
        deep(path, [&was, &is], found)
    })
}

/// Whether a path, or a folder or archive on the way to it, is one of these.
fn is_within(path: &str, places: &BTreeSet<String>) -> bool {
    let outer = |(end, _): (usize, &str)| path.get(..end).map(|outer| outer.trim_end_matches('!'));
    !places.is_empty() && path.match_indices('/').filter_map(outer).chain([path]).any(|place| places.contains(place))
}

/// The differences of a file that has changed. One that cannot be read has its message.
fn deep(path: &str, files: [&Loaded; 2], found: &mut Differences<'_>) -> Result<(), DiffError> {
    let named = PathBuf::from(path);
    match compare_files(files, [&named, &named], found) {
        Ok(rows) => {
            for row in rows {
                found.take.difference(&Difference { path: Some(path.to_owned()), ..row })?;
            }
        }
        Err(DiffError::Output(error)) => return Err(error.into()),
        Err(error) => {
            found.failed += 1;
            found.take.failed(error.to_string());
        }
    }
    Ok(())
}

/// Compares two lists in one pass over both; `changed` is called for each file of another content. `is_checked`: the same content is known
/// for sure, so that a file of it under another path has moved.
pub(super) fn compare_listed(
    [old, new]: [&Listed; 2],
    is_checked: bool,
    found: &mut Differences<'_>,
    mut changed: impl FnMut(&str, usize, usize, &mut Differences<'_>) -> Result<(), DiffError>,
) -> Result<(), DiffError> {
    let mut gone: HashMap<&Content, Vec<&str>> = HashMap::new();
    for (path, (content, _)) in old.iter().rev().filter(|(path, _)| !new.contains_key(*path)) {
        gone.entry(content).or_default().push(path);
    }
    let mut moved: BTreeMap<&str, &str> = BTreeMap::new();
    for (path, (content, _)) in new.iter().filter(|(path, _)| is_checked && !old.contains_key(*path)) {
        if let Some(from) = gone.get_mut(content).and_then(Vec::pop) {
            moved.insert(path, from);
        }
    }
    let left: Vec<&str> = gone.into_values().flatten().collect();
    let mut removed: Vec<(&str, Option<u64>)> =
        left.into_iter().filter_map(|path| Some((path, old.get(path)?.0.size))).collect();
    removed.sort_unstable();
    for (path, size) in removed {
        found.take.difference(&row(Change::Removed, path, size.map(bytes), None))?;
    }
    for (path, (content, index)) in new {
        let size = content.size.map(bytes);
        match old.get(path) {
            Some((was, _)) if was == content => {}
            Some((was, other)) => {
                found.take.difference(&row(Change::Changed, path, was.size.map(bytes), size))?;
                changed(path, *other, *index, found)?;
            }
            None => {
                let from = moved.get(path.as_str()).map(|from| (*from).to_owned());
                let added = || row(Change::Added, path, None, size);
                let row = from.map_or_else(added, |from| row(Change::Moved, path, Some(from), Some(path.clone())));
                found.take.difference(&row)?;
            }
        }
    }
    Ok(())
}

fn bytes(size: u64) -> String {
    format!("{size} B")
}

fn row(change: Change, path: &str, before: Option<String>, after: Option<String>) -> Difference {
    Difference { path: Some(path.to_owned()), change, what: FILE, name: None, before, after, difference: None }
}

#[cfg(test)]
mod tests {
    use std::fmt::Display;
    use std::fs;
    use std::io;

    use tempfile::TempDir;
    use test_support::actorx::corpus::sample::{changed, figure};
    use test_support::build_zip::{Entry, Zip};

    use super::*;
    use crate::Walk;
    use crate::diff::{Take, diff};

    /// Path, change, what, before and after of each difference; and messages.
    #[derive(Default)]
    struct Told(Vec<String>, Vec<String>);

    impl Take for Told {
        fn difference(&mut self, row: &Difference) -> io::Result<()> {
            let text = |text: &Option<String>| text.clone().unwrap_or_else(|| "-".to_owned());
            let [path, before, after] = [&row.path, &row.before, &row.after].map(text);
            self.0.push(format!("{path}: {} {} from {before} to {after}", row.what, row.change.code()));
            Ok(())
        }

        fn failed(&mut self, message: String) {
            self.1.push(message);
        }

        fn note(&mut self, _: &dyn Display, _: String) {}
    }

    /// The folders `old` and `new`.
    struct Two(TempDir);

    impl Two {
        fn of(old: &[(&str, &[u8])], new: &[(&str, &[u8])]) -> Self {
            let own = Self(tempfile::tempdir().expect("a folder"));
            for (side, files) in [("old", old), ("new", new)] {
                let side = own.0.path().join(side);
                fs::create_dir(&side).expect("made");
                for (name, bytes) in files {
                    fs::write(side.join(name), bytes).expect("written");
                }
            }
            own
        }

        fn diff(&self, deep: bool) -> (Result<u64, DiffError>, Told) {
            let [old, new] = ["old", "new"].map(|side| self.0.path().join(side));
            let options = DiffOptions { deep, walk: Walk::all(), ..DiffOptions::default() };
            let mut told = Told::default();
            (diff([&old, &new], &options, &Source::default(), Run::default(), &mut told), told)
        }
    }

    #[test]
    fn entries_of_archives_in_folders_are_named_by_their_archive() {
        let zip = |bytes: &[u8]| Zip::of([Entry::stored("art/a.psk", bytes)]).build().bytes;
        let (old, new) = (zip(b"abc"), zip(b"abcde"));
        let (failed, Told(rows, _)) = Two::of(&[("m.zip", &old)], &[("m.zip", &new)]).diff(false);
        assert_eq!(failed.expect("compared"), 0);
        assert_eq!(rows, ["m.zip!/art/a.psk: file changed from 3 B to 5 B"]);
    }

    #[test]
    fn the_file_that_has_changed_is_compared_and_no_other() {
        let (mesh, other) = (figure().chunks().build().bytes, changed(|mesh| mesh.faces[0].material = 1));
        let other = other.build().bytes;
        let size = mesh.len();
        let two = Two::of(&[("a.psk", &mesh), ("b.psk", &mesh)], &[("a.psk", &mesh), ("b.psk", &other)]);
        let (failed, Told(rows, _)) = two.diff(true);
        assert_eq!(failed.expect("compared"), 0);
        let of_file = format!("b.psk: file changed from {size} B to {size} B");
        assert_eq!(rows, [of_file.as_str(), "b.psk: records changed from 12 to 1 differs (number 0)"]);
    }

    #[test]
    fn files_that_cannot_be_compared_are_counted() {
        let files = |bytes: &'static [u8]| [("a.psk", bytes), ("b.psk", bytes)];
        let (failed, Told(rows, messages)) = Two::of(&files(b"abc"), &files(b"abcd")).diff(true);
        assert_eq!((failed.expect("compared"), rows.len(), messages.len()), (2, 2, 2));
    }

    #[cfg(unix)]
    #[test]
    fn a_side_without_a_file_that_can_be_read_is_an_error() {
        let own: &[(&str, &[u8])] = &[("a.psk", b"abc")];
        let lead_nowhere = |two: &Two, names: &[&str]| {
            let link = |name: &&str| std::os::unix::fs::symlink("nothing", two.0.path().join("old").join(name));
            names.iter().try_for_each(link).expect("made");
        };
        let two = Two::of(own, own);
        lead_nowhere(&two, &["b.psk", "c.psk"]);
        let (failed, Told(rows, messages)) = two.diff(false);
        assert_eq!((failed.expect("compared"), rows.len(), messages.len()), (2, 0, 2));
        let two = Two::of(&[], own);
        assert!(matches!(two.diff(false).0, Err(DiffError::NoFile(root)) if root.ends_with("old")));
        lead_nowhere(&two, &["b.psk"]);
        assert!(matches!(two.diff(false).0, Err(DiffError::NoFile(root)) if root.ends_with("old")));
    }
}
