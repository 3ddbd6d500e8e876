//! Many files or jobs in parallel: how they are opened, results in order, bounded memory, and an end on request.

use std::io;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use crate::built::{built_address, entry_or_built};
use crate::items::{Fault, Item, Loaded, Need, Sources, in_batches};
use crate::query::unless_enough;
use crate::walk::{Met, PatternError, Patterns, Walk, is_gltf};
use skelmap::ParseOptions;
use skelmap::archive::{Address, AddressError, Entry, Limits, OpenArchive};
use skelmap::mapping::{Mapping, Opener, is_address};

/// The most threads: no machine gains from more.
const MAX_THREADS: usize = 256;

/// The most jobs in a batch: its results are taken before the next batch begins.
const MAX_JOBS: usize = 64;

/// How work on many files runs: on how many threads, and who watches.
#[derive(Clone, Copy, Debug, Default)]
#[expect(clippy::exhaustive_structs, reason = "made by struct update from its default")]
pub struct Run<'r> {
    /// The number of threads; one for each processor by default.
    pub jobs: Option<NonZeroUsize>,
    /// Where another thread sees the progress, and asks for the end.
    pub watch: Option<&'r Watch>,
}

impl Run<'_> {
    /// Opens every item, computes a result for each, and gives the results to `take` in the order of the items.
    ///
    /// # Errors
    /// Those of `take`; [`Interrupted`](io::ErrorKind::Interrupted) if the [`watch`](Self::watch) asked for the end.
    pub fn loaded<T: Send>(
        self,
        sources: &Sources,
        source: &Source,
        work: impl Fn(&Item, Result<Loaded, Fault>) -> Option<T> + Sync,
        take: impl FnMut(T) -> io::Result<()> + Send,
    ) -> io::Result<()> {
        let work = |item: &Item| work(item, item.load(&source.opener, &source.parse)?);
        self.items(sources, source, Need::Content, work, take)
    }

    /// Computes a result for every item and gives the results to `take` in the order of the items. `need`: the bytes that `work` reads.
    ///
    /// # Errors
    /// Those of [`loaded`](Self::loaded).
    pub fn items<T: Send>(
        self,
        sources: &Sources,
        source: &Source,
        need: Need,
        work: impl Fn(&Item) -> Option<T> + Sync,
        mut take: impl FnMut(T) -> io::Result<()> + Send,
    ) -> io::Result<()> {
        let total = sources.items().len();
        source.count(total);
        self.watched(total, |watch| {
            let counted = |item: &Item| watch.counted(|| work(item)).transpose();
            unless_enough(sources.map(need, counted).try_for_each(|done| take(done?)))
        })
    }

    /// Does every job and gives the results to `take` in the order of the jobs.
    ///
    /// # Errors
    /// Those of [`loaded`](Self::loaded).
    pub fn jobs<J: Sync, T: Send>(
        self,
        jobs: &[J],
        work: impl Fn(&J) -> T + Sync,
        mut take: impl FnMut(T) -> io::Result<()> + Send,
    ) -> io::Result<()> {
        self.watched(jobs.len(), |watch| {
            let counted = |job: &J| Some(watch.counted(|| work(job)));
            in_batches(jobs.chunks(MAX_JOBS), |_| None, counted).try_for_each(|done| take(done?))
        })
    }

    fn watched(self, total: usize, work: impl FnOnce(&Watch) -> io::Result<()> + Send) -> io::Result<()> {
        let own = Watch::default();
        let watch = self.watch.unwrap_or(&own);
        watch.begin(total);
        self.in_pool(total, || work(watch))??;
        watch.check_running()
    }

    /// Does something on the threads of this run, at most `total` of them.
    ///
    /// # Errors
    /// A system that starts no thread at all.
    pub fn in_pool<T: Send>(self, total: usize, work: impl FnOnce() -> T + Send) -> io::Result<T> {
        // More threads than files would have nothing to do.
        let jobs = self.jobs.map(NonZeroUsize::get);
        let jobs = jobs.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, NonZeroUsize::get));
        let threads = jobs.min(total.max(1)).min(MAX_THREADS);
        let pool = |threads| rayon::ThreadPoolBuilder::new().num_threads(threads);
        // If no thread can be started, the current one does the work.
        let pool = pool(threads).build().or_else(|_| pool(1).use_current_thread().build()).map_err(io::Error::other)?;
        Ok(pool.install(work))
    }
}

/// The numbers of files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "three numbers")]
pub struct Tally {
    /// All files.
    pub files: u64,
    /// Files with an error.
    pub bad: u64,
    /// Those of them that cannot be opened.
    pub unreadable: u64,
}

impl Tally {
    /// Counts a file.
    pub fn count(&mut self, is_bad: bool, is_unreadable: bool) {
        self.files += 1;
        self.bad += u64::from(is_bad);
        self.unreadable += u64::from(is_unreadable);
    }
}

/// How files are opened and parsed.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Source {
    /// How files are opened.
    pub opener: Opener,
    /// How files are parsed.
    pub parse: ParseOptions,
    /// The limits of archives.
    pub limits: Limits,
    /// The number of files that were looked at.
    looked_at: Arc<AtomicU64>,
}

impl Default for Source {
    /// Files are read, not mapped.
    fn default() -> Self {
        Self::new(Opener::reading(), ParseOptions::default())
    }
}

impl Source {
    /// With these options and the usual limits.
    pub fn new(opener: Opener, parse: ParseOptions) -> Self {
        Self { opener, parse, limits: Limits::default(), looked_at: Arc::default() }
    }

    /// Opens the file or entry at an address. The name of a source of 0 A.D. (`horse.dae`) is the file that the game has made of it, if there is no
    /// other.
    ///
    /// # Errors
    /// A file or entry that cannot be opened.
    pub fn open(&self, address: &Address) -> Result<Loaded, AddressError> {
        self.count(1);
        Ok(Loaded::new(self.bytes(address)?, &self.parse))
    }

    /// The bytes at an address, as [`open`](Source::open) finds them.
    ///
    /// # Errors
    /// A file or entry that cannot be opened.
    pub fn bytes(&self, address: &Address) -> Result<Mapping<'static>, AddressError> {
        let opener = self.opener.clone().raw();
        let archive = || OpenArchive::open(address.location(), &self.opener, &self.limits).ok();
        address.open(&opener).or_else(|error| match built_address(address, archive) {
            Some(built) => built.open(&opener),
            None => Err(error),
        })
    }

    /// The bytes at an address, as [`open`](Source::open) finds them. Those of an entry have its checksum.
    ///
    /// # Errors
    /// A file or entry that cannot be opened; bytes of another checksum.
    pub fn checked_bytes(&self, address: &Address) -> Result<Mapping<'static>, Fault> {
        let Some(name) = address.entry() else { return Ok(self.bytes(address)?) };
        self.of_entry(address, name, |archive, entry| {
            let bytes = archive.open_entry(entry)?;
            archive.check(&entry, &bytes)?;
            Ok(bytes)
        })
    }

    /// Compares bytes with the checksum that the archive of their entry has. Files have none.
    ///
    /// # Errors
    /// An archive that cannot be opened; bytes of another checksum.
    pub fn check(&self, address: &Address, bytes: &[u8]) -> Result<(), Fault> {
        let Some(name) = address.entry() else { return Ok(()) };
        self.of_entry(address, name, |archive, entry| Ok(archive.check(&entry, bytes)?))
    }

    /// Opens the archive of an address, and does something with the entry of a name.
    fn of_entry<T>(
        &self,
        address: &Address,
        name: &str,
        work: impl FnOnce(&OpenArchive, Entry<'_>) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        let archive = OpenArchive::open(address.location(), &self.opener, &self.limits)?;
        work(&archive, entry_or_built(&archive, name)?)
    }

    /// Opens the file or entry at a path.
    ///
    /// # Errors
    /// A file or entry that cannot be opened.
    pub fn open_path(&self, path: &Path) -> Result<Loaded, AddressError> {
        self.open(&Address::find(path))
    }

    /// The number of files and entries that were looked at.
    pub fn looked_at(&self) -> u64 {
        self.looked_at.load(Ordering::Relaxed)
    }

    pub(crate) fn count(&self, files: usize) {
        self.looked_at.fetch_add(files.try_into().unwrap_or(u64::MAX), Ordering::Relaxed);
    }
}

/// Which files are looked at.
///
/// ```
/// use skelmap_batch::{Find, Source};
///
/// let find = Find { glob: vec!["*fox*".into()], ..Find::all(&["../../corpus"]) };
/// let sources = find.sources(&Source::default())?;
/// assert!(sources.items().iter().all(|item| item.address().to_string().contains("fox")));
/// # Ok::<(), skelmap_batch::PatternError>(())
/// ```
#[derive(Clone, Debug, Default)]
#[expect(clippy::exhaustive_structs, reason = "made by struct update from its default")]
pub struct Find {
    /// Files, folders, archives, places in archives, and objects in stores.
    pub paths: Vec<PathBuf>,
    /// How folders are walked.
    pub walk: Walk,
    /// Only files of folders and entries of archives that match one of these patterns; everything if there are none.
    ///
    /// `*horse*` is compared with the name of each file and of each folder on the way to it, below the folder or archive that is given;
    /// `skeletal/*.pmd` with the last parts of a name, `/art/*` with whole names; `art/` is all in folders of this name. `!*horse*` leaves out what
    /// matches.
    pub glob: Vec<String>,
    /// Also entries of archives whose names promise no asset.
    pub others: bool,
}

impl Find {
    /// Everything at these paths ([`Walk::all`]).
    pub fn all<P: AsRef<Path>>(paths: &[P]) -> Self {
        let paths = paths.iter().map(|path| path.as_ref().to_owned()).collect();
        Self { paths, walk: Walk::all(), ..Self::default() }
    }

    /// Finds the files. O(files + entries).
    ///
    /// # Errors
    /// A pattern that has no meaning. A path that leads to nothing is an item with a fault.
    pub fn sources(&self, source: &Source) -> Result<Sources, PatternError> {
        let patterns = Patterns::new(&self.glob, self.walk.ignore_case)?;
        self.walk.check()?;
        let mut sources = Sources::find_by(&self.paths, &source.opener, &source.limits, &self.walk, self.others);
        if !self.glob.is_empty() {
            sources.retain(|item| item.is_named() || patterns.has(self.name_of(&item.address())));
        }
        Ok(sources)
    }

    /// The glTF files in the folders among the paths, which no family has. O(files).
    ///
    /// # Errors
    /// A pattern that has no meaning.
    pub fn gltf_files(&self) -> Result<Vec<PathBuf>, PatternError> {
        let patterns = Patterns::new(&self.glob, self.walk.ignore_case)?;
        self.walk.check()?;
        let folders = self.paths.iter().filter(|path| path.is_dir());
        let files = folders.flat_map(|folder| self.walk.files(folder)).filter_map(|met| match met {
            Met::File(file) if is_gltf(&file) => Some(file),
            _ => None,
        });
        Ok(files.filter(|file| patterns.has(self.name_of(&Address::of_file(file.clone())))).collect())
    }

    /// The name below a folder, or in an archive.
    fn name_of(&self, address: &Address) -> PathBuf {
        let path = address.path();
        let below = || self.paths.iter().find_map(|folder| path.strip_prefix(folder).ok().map(Path::to_owned));
        address.entry().map(PathBuf::from).or_else(below).unwrap_or_else(|| path.to_owned())
    }

    fn has_filters(&self) -> bool {
        !self.glob.is_empty() || self.walk.has_patterns()
    }

    /// The patterns without which assets are found, in words, if there is none among the files that were found with them. Looks for all
    /// files again.
    pub fn filter_of_all(&self, found: &Sources, source: &Source) -> Option<String> {
        let has_assets = |sources: &Sources| sources.items().iter().any(Item::is_asset);
        if !self.has_filters() || has_assets(found) {
            return None;
        }
        let has_asset = |find: &Self| find.sources(source).is_ok_and(|found| has_assets(&found));
        let every = || Walk { exclude: Vec::new(), ignore: None, ..self.walk.clone() };
        let with = |walk: Walk, glob: &[String]| Self { glob: glob.to_vec(), walk, ..self.clone() };
        let words = |option: &str, patterns: &[String]| -> Vec<String> {
            patterns.iter().map(|pattern| format!("{option} '{pattern}'")).collect()
        };
        let exclude = [words("--exclude", &self.walk.exclude), words("ignore", self.walk.ignored())].concat();
        let glob = words("--glob", &self.glob);
        let filter = if has_asset(&with(self.walk.clone(), &[])) {
            glob
        } else if has_asset(&with(every(), &self.glob)) {
            exclude
        } else if has_asset(&with(every(), &[])) {
            [exclude, glob].concat()
        } else {
            return None;
        };
        Some(filter.join(" "))
    }
}

/// Whether a path is an address in a store, by [`is_address`].
pub fn is_remote(path: &Path) -> bool {
    path.to_str().is_some_and(is_address)
}

/// The progress of work, and the wish to stop it.
#[derive(Default)]
pub struct Watch {
    total: AtomicU64,
    done: AtomicU64,
    is_stopped: AtomicBool,
    on_progress: Option<Box<dyn Fn(u64, u64) + Send + Sync>>,
}

impl std::fmt::Debug for Watch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Watch").field("progress", &self.progress()).finish_non_exhaustive()
    }
}

impl Watch {
    /// Calls a function with the numbers of items that are done, and of all items, whenever one is done. Threads call it at the same time.
    #[must_use]
    pub fn with_progress(progress: impl Fn(u64, u64) + Send + Sync + 'static) -> Self {
        Self { on_progress: Some(Box::new(progress)), ..Self::default() }
    }

    /// The number of items that are done, and of all items. Both are 0 until the items are found.
    pub fn progress(&self) -> (u64, u64) {
        (self.done.load(Ordering::Relaxed), self.total.load(Ordering::Relaxed))
    }

    /// Asks the work to stop. It ends with an error after the items that threads are at, and publishes no file.
    pub fn stop(&self) {
        self.is_stopped.store(true, Ordering::Release);
    }

    /// Does a piece of work and counts it; an error if the work was asked to stop, which ends the iteration over all pieces.
    pub(crate) fn counted<T>(&self, work: impl FnOnce() -> T) -> io::Result<T> {
        let done = self.check_running().map(|()| work());
        let done_before = self.done.fetch_add(1, Ordering::Relaxed);
        if let Some(progress) = &self.on_progress {
            progress(done_before.saturating_add(1), self.total.load(Ordering::Relaxed));
        }
        done
    }

    fn is_stopped(&self) -> bool {
        self.is_stopped.load(Ordering::Acquire)
    }

    /// Checks that nobody has asked the work to stop.
    pub(crate) fn check_running(&self) -> io::Result<()> {
        if self.is_stopped() { Err(io::Error::new(io::ErrorKind::Interrupted, "stopped")) } else { Ok(()) }
    }

    pub(crate) fn begin(&self, total: usize) {
        self.total.fetch_add(u64::try_from(total).unwrap_or(u64::MAX), Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::sync::Mutex;

    use super::*;
    use crate::walk::Ignore;

    #[test]
    fn files_and_entries_are_counted_by_all_copies_of_a_source() {
        let source = Source::default();
        assert_eq!(source.looked_at(), 0);
        let copy = source.clone();
        copy.count(3);
        source.count(4);
        assert_eq!((source.looked_at(), copy.looked_at()), (7, 7));
        source.open_path(Path::new("../../corpus/fox.psk")).expect("a mesh");
        assert_eq!((source.looked_at(), Source::default().looked_at()), (8, 0));
    }

    #[test]
    fn a_watch_tells_how_many_of_all_jobs_are_done_after_each() {
        let told = Arc::new(Mutex::new(Vec::new()));
        let own = Arc::clone(&told);
        let watch = Watch::with_progress(move |done, all| own.lock().expect("a list").push((done, all)));
        let run = Run { jobs: NonZeroUsize::new(1), watch: Some(&watch) };
        let mut results = Vec::new();
        let double = |number: &u64| number * 2;
        let mut take = |result| {
            results.push(result);
            Ok(())
        };
        run.jobs(&[1, 2, 3], double, &mut take).expect("no error");
        run.jobs(&[4, 5], double, &mut take).expect("no error");
        assert_eq!(results, [2, 4, 6, 8, 10]);
        // The jobs of the second call are known when it begins.
        assert_eq!(*told.lock().expect("a list"), [(1, 3), (2, 3), (3, 3), (4, 5), (5, 5)]);
        assert_eq!(watch.progress(), (5, 5));
    }

    /// A folder with these files, each a mesh.
    fn folder(names: &[&str]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().expect("a folder");
        for name in names {
            fs::copy("../../corpus/fox.psk", folder.path().join(name)).expect("copied");
        }
        folder
    }

    #[test]
    fn only_files_that_match_a_pattern_are_found_and_all_without_patterns() {
        let folder = folder(&["a.psk", "b.psk"]);
        let names = |glob: &[&str]| {
            let glob = glob.iter().map(|pattern| (*pattern).to_owned()).collect();
            let find = Find { glob, ..Find::all(&[folder.path()]) };
            let sources = find.sources(&Source::default()).expect("a pattern");
            sources.items().iter().map(|item| item.address().path().to_owned()).collect::<Vec<_>>()
        };
        let [a, b] = ["a.psk", "b.psk"].map(|name| folder.path().join(name));
        assert_eq!((names(&["a*"]), names(&["!a*"])), (vec![a.clone()], vec![b.clone()]));
        assert_eq!(names(&[]), [a, b]);
    }

    #[test]
    fn files_of_gltf_are_found_by_their_names_and_patterns() {
        let folder = folder(&["a.glb", "a.psk", "b.GLTF", "b.glbx", "glb"]);
        let names = |glob: &[&str]| {
            let glob = glob.iter().map(|pattern| (*pattern).to_owned()).collect();
            let found = Find { glob, ..Find::all(&[folder.path()]) }.gltf_files().expect("a pattern");
            found.iter().map(|path| path.file_name().expect("a name").to_owned()).collect::<Vec<_>>()
        };
        assert_eq!((names(&[]), names(&["a*"])), (vec!["a.glb".into(), "b.GLTF".into()], vec!["a.glb".into()]));
    }

    #[test]
    fn the_patterns_that_leave_out_all_assets_are_named_and_those_that_leave_some_are_not() {
        let folder = folder(&["a.psk", "b.psk"]);
        let filter = |glob: &[&str], exclude: &[&str], ignore: &[&str]| {
            let own = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
            let ignore = Some(Ignore { folder: None, patterns: own(ignore) });
            let walk = Walk { exclude: own(exclude), ignore, ..Walk::all() };
            let find = Find { glob: own(glob), walk, ..Find::all(&[folder.path()]) };
            let source = Source::default();
            find.filter_of_all(&find.sources(&source).expect("a pattern"), &source)
        };
        for (glob, exclude, ignore) in [(&["a*"][..], &[][..], &[][..]), (&[], &["a*"], &[]), (&[], &[], &["a*"])] {
            assert_eq!(filter(glob, exclude, ignore), None, "a mesh is left");
        }
        let named = |text: &str| Some(text.to_owned());
        assert_eq!(filter(&["x*"], &[], &[]), named("--glob 'x*'"));
        assert_eq!(filter(&[], &["*.psk"], &[]), named("--exclude '*.psk'"));
        assert_eq!(filter(&[], &[], &["*.psk"]), named("ignore '*.psk'"));
        assert_eq!(filter(&["x*"], &["a*"], &["c*"]), named("--glob 'x*'"), "without it, b is left");
        assert_eq!(filter(&["a*"], &["a*"], &[]), named("--glob 'a*'"));
        assert_eq!(filter(&["x*"], &["a*"], &["b*"]), named("--exclude 'a*' ignore 'b*' --glob 'x*'"));
    }
}
