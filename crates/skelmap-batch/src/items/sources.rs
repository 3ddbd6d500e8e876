//! The items to read: named files, files below folders, entries of archives.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

use super::item::{Item, Loaded, Place, SharedArchive, StoredItem, extension, promises_archive, promises_asset};
use super::row::{Fault, Need, Options, Row};
use crate::built::{Named, built_path};
use crate::regular::begins_as_archive;
use crate::walk::{ExcludedEntries, Met, Walk};
use skelmap::ParseOptions;
use skelmap::archive::{Address, AddressError, ArchiveError, Entry, Limits, OpenArchive};
use skelmap::mapping::{Listed, Mapping, Object, Opener, Store, Target};

/// Files and entries to read, in an order that depends on names alone.
#[derive(Debug)]
pub struct Sources {
    items: Vec<Item>,
    /// Archives with named entries. Each is opened once.
    named: HashMap<PathBuf, Arc<SharedArchive>>,
    opener: Opener,
    limits: Limits,
    /// The archives whose files stay open.
    kept_files: usize,
    /// Whether entries that promise no asset are items too.
    has_others: bool,
    /// The entries that are no items.
    excluded: Option<ExcludedEntries>,
    /// The most items of a batch.
    batch: usize,
}

/// The most bytes of a batch that stores are asked for before the batch is worked on.
const BATCH_ASKED: u64 = 16 << 20;

/// The most items of a batch. The results of a batch are returned before the next batch begins.
const BATCH: usize = 1024;

/// The most bytes of a batch after inflation, unless it is one entry. Deflate makes a thousand bytes of one.
const BATCH_INFLATED: u64 = 256 << 20;

/// The most archives whose files stay open. The headers in further ones are read through their maps.
const MAX_KEPT: usize = 64;

impl Sources {
    fn new(opener: &Opener, limits: &Limits) -> Self {
        Self {
            items: Vec::new(),
            named: HashMap::new(),
            opener: opener.clone(),
            limits: *limits,
            kept_files: 0,
            has_others: false,
            excluded: None,
            batch: BATCH,
        }
    }

    /// Finds the items at these paths and addresses: a file itself; the files below a folder, with links followed, in
    /// name order; the entries of an archive, in the order of its directory; those below a folder of an archive
    /// (`mod.zip!/art/`), as those of the archive. The name of a source of 0 A.D. (`horse.dae`) is the file that the game has made of it, if there
    /// is no other. O(files + entries). The opener opens archives now and files later.
    ///
    /// A named file is always an item. In a folder, a file is an item if its name or its first bytes, read later,
    /// promise an asset; it is an archive if its name ends in `.zip`, `.pyromod` or `.res` and its first bytes are
    /// those of an archive. In an archive, only the name of an entry counts, so that only the directory is read. A link to
    /// nothing and a file that cannot be read are faults if their names promise an asset or an archive.
    pub fn find(paths: &[PathBuf], opener: &Opener, limits: &Limits) -> Self {
        Self::find_by(paths, opener, limits, &Walk::all(), false)
    }

    /// Finds the items of folders that are walked in a given way. `has_others`: every entry of an archive is an item, also those whose names
    /// promise no asset ([`Item::promises_asset`]).
    pub(crate) fn find_by(paths: &[PathBuf], opener: &Opener, limits: &Limits, walk: &Walk, has_others: bool) -> Self {
        let excluded = walk.excluded_entries();
        let mut found = Self { has_others, excluded, ..Self::new(opener, limits) };
        for path in paths {
            found.add(path, walk);
        }
        found
    }

    /// The entries of an archive in memory. Rows and addresses use `path`, which need not exist. O(entries).
    ///
    /// ```
    /// use skelmap::mapping::Mapping;
    /// use skelmap_batch::items::Sources;
    ///
    /// let downloaded = Mapping::from(std::fs::read("../../tests/corpus/archive/mod.zip")?);
    /// let sources = Sources::of_archive("upload.zip", downloaded, &Default::default())?;
    /// for row in sources.rows(&Default::default()) {
    ///     assert_eq!(row.path, "upload.zip");
    ///     println!("{:?}: {:?} bones", row.entry, row.summary.bones);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Archive::parse_with`](skelmap::archive::Archive::parse_with).
    pub fn of_archive(
        path: impl Into<PathBuf>,
        bytes: Mapping<'static>,
        limits: &Limits,
    ) -> Result<Self, ArchiveError> {
        let mut sources = Self::new(&Opener::reading(), limits);
        let path = path.into();
        let archive = OpenArchive::parse(&path, bytes, limits)?;
        sources.add_entries(&SharedArchive::new(path, archive), "");
        Ok(sources)
    }

    fn add(&mut self, path: &Path, walk: &Walk) {
        let built = built_path(path);
        let path = built.as_deref().unwrap_or(path);
        let address = Address::find(path);
        if address.entry().is_none() {
            let opener = self.opener.clone();
            if let Some((store, location)) = opener.store_of(path) {
                return self.add_stored(store, &address, location);
            }
        }
        if let Some(name) = address.entry() {
            self.add_entry(&address, name);
        } else if path.is_dir() {
            self.add_folder(walk.files(path));
        } else if begins_as_archive(path).unwrap_or(false) || (promises_archive(path) && path.is_file()) {
            self.add_archive(&address);
        } else {
            let is_stream = path.metadata().is_ok_and(|metadata| !metadata.is_file());
            let place = if is_stream { Place::Stream } else { Place::File };
            self.push(place(path.to_owned()), true);
        }
    }

    fn add_folder(&mut self, all: impl Iterator<Item = Met>) {
        for met in all {
            match met {
                Met::File(path) if promises_archive(&path) => match begins_as_archive(&path) {
                    Ok(true) => self.add_archive(&Address::of_file(path)),
                    Ok(false) => self.push(Place::File(path), false),
                    Err(error) => self.add_fault(Address::of_file(path), error.into()),
                },
                Met::File(path) => self.push(Place::File(path), false),
                Met::Other(path) if promises(&path) => {
                    self.add_fault(Address::of_file(path), io::Error::other("is no regular file").into());
                }
                // A link to nothing.
                Met::Failed { path, .. } if path.is_symlink() && !path.exists() && !promises(&path) => {}
                Met::Failed { path, error } => self.add_fault(Address::of_file(path), error.into()),
                Met::Other(_) => {}
            }
        }
    }

    fn add_archive(&mut self, address: &Address) {
        match self.open_archive(address) {
            Ok(archive) => self.add_entries(&archive, ""),
            Err(error) => self.add_fault(address.clone(), error.into()),
        }
    }

    fn open_archive(&mut self, address: &Address) -> Result<Arc<SharedArchive>, AddressError> {
        let keeps_file = self.kept_files < MAX_KEPT;
        let archive = OpenArchive::open_keeping(address.location(), &self.opener, &self.limits, keeps_file)?;
        self.kept_files = self.kept_files.saturating_add(usize::from(keeps_file));
        Ok(SharedArchive::new(address.path().to_owned(), archive))
    }

    /// Adds the entries of an archive, or those of a folder in it, which ends in `/`.
    fn add_entries(&mut self, archive: &Arc<SharedArchive>, folder: &str) {
        let has_others = self.has_others;
        let is_other = |entry: &Entry<'_>| has_others && !entry.name().is_folder();
        let is_item = |entry: &Entry<'_>| promises_asset(entry.name().extension()) || is_other(entry);
        let excluded = self.excluded.clone();
        let is_below = |entry: &Entry<'_>| folder.is_empty() || entry.name().to_string().starts_with(folder);
        let is_wanted = |entry: &Entry<'_>| {
            excluded.as_ref().is_none_or(|excluded| !excluded.has(&entry.name().to_string(), folder))
        };
        for entry in archive.archive.entries().filter(is_item).filter(is_below).filter(is_wanted) {
            let Ok(entry) = u32::try_from(entry.index()) else { break };
            let archive = Arc::clone(archive);
            self.push(Place::Entry { archive, entry }, false);
        }
    }

    fn add_entry(&mut self, address: &Address, name: &str) {
        let path = address.path();
        let known = self.named.get(path).cloned();
        let archive = match known.map_or_else(|| self.open_archive(address), Ok) {
            Ok(archive) => archive,
            Err(error) => return self.add_fault(address.clone(), error.into()),
        };
        self.named.insert(path.to_owned(), Arc::clone(&archive));
        match Named::find(&archive.archive, name) {
            Ok(Named::Entry(index)) => {
                let entry = u32::try_from(index).unwrap_or(u32::MAX);
                self.push(Place::Entry { archive, entry }, true);
            }
            Ok(Named::Folder(folder)) => self.add_entries(&archive, &folder),
            Err(error) => {
                let error = AddressError::Archive { path: path.to_owned(), error };
                self.add_fault(address.clone(), error.into());
            }
        }
    }

    fn push(&mut self, place: Place, named: bool) {
        self.items.push(Item::new(place, named));
    }

    fn add_fault(&mut self, address: Address, fault: Fault) {
        self.push(Place::Failed(Box::new((address, fault))), true);
    }

    /// The items.
    pub fn items(&self) -> &[Item] {
        &self.items
    }

    /// Keeps the items for which `keep` is true.
    pub fn retain(&mut self, keep: impl FnMut(&Item) -> bool) {
        self.items.retain(keep);
    }

    /// Keeps the items that have a place, in the order of their places.
    pub fn keep_in_order(&mut self, place: impl Fn(&Item) -> Option<usize>) {
        self.items.retain(|item| place(item).is_some());
        self.items.sort_by_cached_key(place);
    }

    /// Adds what an address means: an archive and its entries, an object, or the objects below a prefix. The name decides
    /// which, so that no request is made in vain: `.zip`, `.pyromod` and `.res` are archives, the extensions of assets are
    /// objects, and anything else is a prefix, if the store lists objects below it.
    fn add_stored(&mut self, store: &Arc<dyn Store>, address: &Address, location: &str) {
        let path = address.path();
        if promises_archive(path) {
            return self.add_archive(address);
        }
        let target = store.target(location);
        let is_object = target == Target::Object || target == Target::Either && promises_asset(extension(path));
        let listed = if is_object { Ok(Vec::new()) } else { store.list(location) };
        match listed {
            Ok(listed) if !listed.is_empty() => self.add_listed(store, listed),
            Err(error) if target == Target::Prefix => self.add_fault(address.clone(), error.into()),
            _ => self.add_object(store, location.to_owned(), None, true),
        }
    }

    /// The objects of a prefix. The directories of its archives are read at the same time.
    fn add_listed(&mut self, store: &Arc<dyn Store>, listed: Vec<Listed>) {
        let (opener, limits) = (self.opener.clone(), self.limits);
        let open = |one: &Listed| {
            let path = Path::new(&one.address);
            promises_archive(path).then(|| OpenArchive::open(path, &opener, &limits))
        };
        let archives = || listed.par_iter().map(open).collect::<Vec<Option<Result<OpenArchive, AddressError>>>>();
        let pool = ThreadPoolBuilder::new().num_threads(WAITING).build();
        let archives = pool.map_or_else(|_| archives(), |pool| pool.install(archives));
        for (one, archive) in listed.into_iter().zip(archives) {
            match archive {
                Some(Ok(archive)) => self.add_entries(&SharedArchive::new(one.address.into(), archive), ""),
                Some(Err(error)) => self.add_fault(Address::of_file(one.address), error.into()),
                None if promises_asset(extension(Path::new(&one.address))) => {
                    self.add_object(store, one.address, Some(one.object), false);
                }
                None => {}
            }
        }
    }

    fn add_object(&mut self, store: &Arc<dyn Store>, location: String, object: Option<Arc<dyn Object>>, named: bool) {
        self.push(Place::Object(Box::new(StoredItem { store: Arc::clone(store), location, object })), named);
    }

    /// Opens every item and returns the results of `work`. See [`map`](Sources::map).
    ///
    /// All that can be wrong with an item is in four places: [`Asset::check`](skelmap::Asset::check) and
    /// [`quirks`](skelmap::Asset::quirks) of its asset, its [`side_car`](Item::side_car), and its checksum
    /// ([`check_checksum`](Item::check_checksum)).
    pub fn each<'s, T: Send + 's>(
        &'s self,
        options: &'s ParseOptions,
        work: impl Fn(&Item, Result<Loaded, Fault>) -> Option<T> + Sync + 's,
    ) -> impl Iterator<Item = T> + 's {
        self.map(Need::Content, move |item| work(item, item.load(&self.opener, options)?))
    }

    /// The row of every asset, in order. Reads headers only, unless the content is hashed. See [`map`](Sources::map).
    ///
    /// ```
    /// use skelmap_batch::items::Sources;
    /// use skelmap::mapping::Opener;
    ///
    /// let sources = Sources::find(&["../../tests/corpus/archive".into()], &Opener::reading(), &Default::default());
    /// let bones: u64 = sources.rows(&Default::default()).filter_map(|row| row.summary.bones).sum();
    /// assert!(bones > 0);
    /// ```
    pub fn rows<'s>(&'s self, options: &'s Options) -> impl Iterator<Item = Row> + 's {
        self.map(options.need(), move |item| item.row(&self.opener, options))
    }

    /// Sets the most items whose results are in memory at a time: 1 to 1024, which is the default. For results that are large.
    pub fn set_batch(&mut self, items: usize) {
        self.batch = items.clamp(1, BATCH);
    }

    /// The results of `work` for every item, in the order of the items. Runs in batches on the rayon pool that advances
    /// the iterator: memory for 1024 results, or fewer if their entries inflate to more than 256 MiB together. A batch
    /// whose files are not in memory runs on 64 threads, which wait for the disk or for a store together, if that pool
    /// has a thread for each processor. While a batch is worked on, stores are asked for 16 MiB of the next.
    pub fn map<'s, T: Send + 's>(
        &'s self,
        need: Need,
        work: impl Fn(&Item) -> Option<T> + Sync + 's,
    ) -> impl Iterator<Item = T> + 's {
        let mut waiting = None;
        let threads = move |batch: &[Item]| {
            if !is_cold(batch) {
                return None;
            }
            if need == Need::Content {
                read_ahead_of(batch);
            }
            waiting.get_or_insert_with(waiting_threads).clone()
        };
        in_batches(Batches::new(self, need), threads, work)
    }
}

/// The items in batches. What stores have of a batch is here when the batch is given, and the next batch is asked for.
struct Batches<'s> {
    batch: &'s [Item],
    left: &'s [Item],
    most: usize,
    need: Need,
    /// The objects of stores that were asked for bytes of the batch.
    asked: Vec<Arc<dyn Object>>,
}

impl<'s> Batches<'s> {
    fn new(sources: &'s Sources, need: Need) -> Self {
        let (batch, left) = split_batch(sources.items(), sources.batch, need);
        Self { batch, left, most: sources.batch, need, asked: ask_ahead(batch, need) }
    }
}

impl<'s> Iterator for Batches<'s> {
    type Item = &'s [Item];

    fn next(&mut self) -> Option<&'s [Item]> {
        let (next, left) = split_batch(self.left, self.most, self.need);
        let batch = std::mem::replace(&mut self.batch, next);
        self.left = left;
        for object in std::mem::take(&mut self.asked) {
            object.advance();
        }
        self.asked = ask_ahead(next, self.need);
        (!batch.is_empty()).then_some(batch)
    }
}

/// Asks stores for what a batch needs. The entries of an archive follow each other.
fn ask_ahead(batch: &[Item], need: Need) -> Vec<Arc<dyn Object>> {
    let mut asked: Vec<(&Arc<dyn Object>, Vec<_>)> = Vec::new();
    for (object, range) in batch.iter().filter_map(|item| item.range_ahead(need)) {
        let range = range.start..range.end.min(object.size());
        match asked.last_mut() {
            Some((last, ranges)) if std::ptr::eq(*last, object) => ranges.push(range),
            _ => asked.push((object, vec![range])),
        }
    }
    let begun = asked.into_iter().map(|(object, ranges)| {
        object.prefetch(ranges);
        Arc::clone(object)
    });
    begun.collect()
}

/// The next batch and the rest. A batch has at least one item, if there is one.
fn split_batch(items: &[Item], most: usize, need: Need) -> (&[Item], &[Item]) {
    let (mut inflated, mut asked) = (0_u64, 0_u64);
    let fits = |item: &&Item| {
        let first = inflated == 0 && asked == 0;
        inflated = inflated.saturating_add(item.inflated_size());
        asked = asked.saturating_add(item.bytes_ahead(need));
        first || inflated <= BATCH_INFLATED && asked <= BATCH_ASKED
    };
    let length = items.iter().take(most).take_while(fits).count();
    items.split_at_checked(length).unwrap_or((items, &[]))
}

/// Threads that wait for a disk or for a store at the same time. A disk answers so many requests together about as fast
/// as one; a store answers late.
const WAITING: usize = 64;

/// The fewest items of a batch that is looked at: fewer are opened in about the time that a look takes.
const MIN_ITEMS: usize = 4;

/// The items of a batch that are looked at.
const SAMPLES: usize = 16;

/// Looks at some items of a batch: whether a quarter of them or more would be waited for. Notes it in each.
fn is_cold(batch: &[Item]) -> bool {
    let step = batch.len().div_ceil(SAMPLES).max(1);
    let samples = || batch.iter().step_by(step);
    let cold = if batch.len() < MIN_ITEMS { 0 } else { samples().filter(|item| !item.is_in_memory()).count() };
    let is_cold = cold > 0 && cold.saturating_mul(4) >= samples().count();
    for item in batch {
        item.is_cold.store(is_cold, Ordering::Relaxed);
    }
    is_cold
}

/// Begins to read the entries of a batch that is not in memory, in the order of their archives.
fn read_ahead_of(batch: &[Item]) {
    // The entries of an archive follow each other.
    for entries in batch.chunk_by(Item::is_of_archive_of) {
        let archive = entries.first().and_then(Item::entry).map(|(archive, _)| &archive.archive);
        if let Some(archive) = archive.filter(|archive| archive.as_memory().is_some()) {
            archive.prefetch(entries.iter().filter_map(Item::entry).map(|(_, entry)| entry));
        }
    }
}

/// Threads to wait for a disk; `None` if the caller has chosen another number of threads than one for each processor, or
/// if the system gives no threads.
fn waiting_threads() -> Option<Arc<ThreadPool>> {
    let own = rayon::current_num_threads();
    let is_usual = std::thread::available_parallelism().is_ok_and(|usual| usual.get() == own);
    let pool = || ThreadPoolBuilder::new().num_threads(WAITING.max(own)).build().ok().map(Arc::new);
    is_usual.then(pool).flatten()
}

/// Whether a name promises an asset or an archive.
fn promises(path: &Path) -> bool {
    promises_asset(extension(path)) || promises_archive(path)
}

/// The results of `work` for everything in some batches, in order: a batch is done by all threads before the first of its results is given.
/// `threads`: the threads for a batch, in place of the current ones.
pub(crate) fn in_batches<'s, J: Sync + 's, T: Send>(
    batches: impl Iterator<Item = &'s [J]>,
    mut threads: impl FnMut(&[J]) -> Option<Arc<rayon::ThreadPool>>,
    work: impl Fn(&J) -> Option<T> + Sync,
) -> impl Iterator<Item = T> {
    let done = move |batch: &'s [J]| {
        let results = || batch.par_iter().map(&work).collect::<Vec<Option<T>>>();
        threads(batch).map_or_else(results, |threads| threads.install(results))
    };
    batches.flat_map(done).flatten()
}

#[cfg(test)]
mod tests {
    use test_support::build_zip::{Entry as Zipped, Zip};
    use test_support::store::store;

    use super::*;
    use crate::codes;

    /// Objects, which are waited for.
    fn cold(count: usize) -> Sources {
        let paths: Vec<PathBuf> = (0..count).map(|index| format!("memory://{index}.psk").into()).collect();
        Sources::find(&paths, &store().0, &Limits::default())
    }

    /// Entries of an archive in memory that state these sizes after inflation.
    fn warm(sizes: &[u32]) -> Sources {
        let entries = (0..sizes.len()).map(|index| Zipped::deflated(format!("{index}.psk"), [0]));
        let state = |zip: test_support::built::Built, (index, size): (usize, &u32)| {
            zip.patch_u32(&format!("central#{index}.size"), *size)
        };
        let zip = sizes.iter().enumerate().fold(Zip::of(entries).build(), state);
        Sources::of_archive("a.zip", zip.bytes.into(), &Limits::default()).expect("an archive")
    }

    #[test]
    fn a_batch_is_cold_if_a_quarter_of_at_least_four_items_is() {
        let cases = [(0, 0, false), (3, 0, false), (4, 0, true), (1, 3, true), (1, 4, false), (0, 4, false)];
        for (cold_items, warm_items, expected) in cases {
            let mut batch = cold(cold_items).items;
            batch.extend((0..warm_items).map(|_| {
                let fault = (Address::of_file("a.psk"), Fault::new(codes::IO, &"gone"));
                Item::new(Place::Failed(Box::new(fault)), true)
            }));
            assert_eq!(is_cold(&batch), expected, "{cold_items} of {}", batch.len());
            assert!(batch.iter().all(|item| item.is_cold.load(Ordering::Relaxed) == expected));
        }
    }

    #[test]
    fn a_batch_inflates_to_256_mib_at_most_unless_it_is_one_entry() {
        const MIB: u32 = 1 << 20;
        let batches = |sizes: &[u32], most: usize| {
            let sources = warm(sizes);
            let (mut left, mut lengths) = (sources.items(), Vec::new());
            while !left.is_empty() && lengths.len() < sizes.len() {
                let (batch, rest) = split_batch(left, most, Need::Content);
                lengths.push(batch.len());
                left = rest;
            }
            lengths
        };
        assert_eq!(batches(&[128 * MIB, 128 * MIB, 1, 1], 9), [2, 2]);
        assert_eq!(batches(&[300 * MIB, 1, 1], 9), [1, 2]);
        assert_eq!(batches(&[1, 1, 1], 2), [2, 1]);
    }

    #[test]
    fn only_items_that_are_waited_for_have_more_threads_than_processors() {
        let usual = std::thread::available_parallelism().map_or(1, std::num::NonZeroUsize::get);
        let pool = |threads| ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        let threads = |sources: &Sources, own| {
            let work = |_: &Item| Some(rayon::current_num_threads());
            pool(own).install(|| sources.map(Need::Headers, work).collect::<Vec<usize>>())
        };
        assert_eq!(threads(&cold(4), usual), [usual.max(64); 4]);
        assert_eq!(threads(&warm(&[1; 4]), usual), [usual; 4]);
        // Somebody has chosen that number.
        assert_eq!(threads(&cold(4), usual + 1), [usual + 1; 4]);
    }
}
