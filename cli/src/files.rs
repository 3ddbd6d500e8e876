//! From arguments to files: the library finds them; here they are opened, in parallel and with a progress bar.

use std::io;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use globset::GlobSet;
use rayon::prelude::*;
use skelmap::archive::{Address, AddressError, Limits, SideCar};
use skelmap::catalog::{Fault, Item, Loaded, Need, Sources};
use skelmap::mapping::Opener;
use skelmap::{Asset, Format, ParseOptions};

use crate::arguments::Inputs;
use crate::messages;
use crate::outcome::Failure;
use crate::output::complain;
use crate::progress::Progress;
use crate::query::unless_enough;
use crate::walking::Walking;
use crate::watch::Watch;

/// The most threads: no machine gains from more.
const MAX_THREADS: usize = 256;

/// What is said where the arguments lead to no asset.
pub(crate) const NO_ASSET: &str =
    "no asset found (hidden and ignored files and links are passed over: --hidden, --no-ignore, --follow)";

/// How files are opened and parsed.
#[derive(Debug)]
pub(crate) struct Source {
    pub(crate) opener: Opener,
    pub(crate) parse: ParseOptions,
    pub(crate) limits: Limits,
}

impl Source {
    pub(crate) fn new(opener: Opener, parse: ParseOptions) -> Self {
        Self { opener, parse, limits: Limits::default() }
    }

    /// Opens the file or entry at an address.
    pub(crate) fn open(&self, address: &Address) -> Result<Loaded, AddressError> {
        messages::count(1);
        Ok(Loaded::new(address.open(&self.opener)?, &self.parse))
    }

    /// Opens a file or entry that the command cannot do without.
    pub(crate) fn load(&self, path: &Path) -> Result<Loaded, Failure> {
        self.open(&Address::find(path)).map_err(Failure::nothing_read)
    }

    /// Everything at the paths and addresses of the arguments.
    pub(crate) fn find(&self, inputs: &Inputs) -> Result<Sources, Failure> {
        let globs = inputs.globs()?;
        Ok(matching(self.find_at(&inputs.paths, &inputs.walking)?, inputs, &globs))
    }

    /// The same with the files of archives that are no assets.
    pub(crate) fn find_all(&self, inputs: &Inputs) -> Result<Sources, Failure> {
        let Inputs { paths, walking, .. } = inputs;
        let globs = inputs.globs()?;
        walking.check()?;
        let found = Sources::find_all_by(paths, &self.opener, &self.limits, |folder| walking.walk(folder));
        Ok(matching(found, inputs, &globs))
    }

    /// Everything at paths and addresses.
    pub(crate) fn find_at(&self, paths: &[PathBuf], walking: &Walking) -> Result<Sources, Failure> {
        walking.check()?;
        let sources = Sources::find_by(paths, &self.opener, &self.limits, |folder| walking.walk(folder));
        tell_empty(paths, &sources);
        Ok(sources)
    }
}

/// Names the folders among several paths that have no file. Of one path alone, the end of the command tells.
fn tell_empty(paths: &[PathBuf], sources: &Sources) {
    const MAX_FOLDERS_NAMED: usize = 16;
    let folders = paths.iter().filter(|path| paths.len() > 1 && path.is_dir());
    for folder in folders.take(MAX_FOLDERS_NAMED) {
        if !sources.items().iter().any(|item| item.address().path().starts_with(folder)) {
            complain(format!(
                "{}: no file to look at in this folder (--hidden, --no-ignore and --follow find more)",
                folder.display()
            ));
        }
    }
}

/// The name of the file or entry at an address.
pub(crate) fn name_of(address: &Address) -> String {
    let path = address.entry().map_or_else(|| address.path(), Path::new);
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Keeps what the globs of the arguments match: names below a folder, and names in an archive. What is named itself stays.
fn matching(mut sources: Sources, inputs: &Inputs, globs: &GlobSet) -> Sources {
    let below = |path: &Path| inputs.paths.iter().find_map(|folder| path.strip_prefix(folder).ok().map(Path::to_owned));
    let has = |address: &Address| {
        let path = address.path();
        let name = address.entry().map(PathBuf::from).or_else(|| below(path)).unwrap_or_else(|| path.to_owned());
        globs.is_match(name)
    };
    if !globs.is_empty() {
        sources.retain(|item| item.is_named() || has(&item.address()));
    }
    sources
}

/// Checks that a path is no address in a store. The message has the address.
pub(crate) fn check_local(path: &Path) -> Result<(), String> {
    if path.to_string_lossy().contains("://") && !path.exists() {
        return Err(format!("{}: addresses of stores are not taken here: download the file", path.display()));
    }
    Ok(())
}

/// The asset in a file that the command cannot do without.
pub(crate) fn asset<'a>(loaded: &'a Loaded, path: &Path) -> Result<Asset<'a>, Failure> {
    loaded.asset().map_err(|error| Failure::findings(error).in_file(path))
}

/// The failure of a command that cannot use assets of this format.
pub(crate) fn other_format(path: &Path, format: Format, expected: &str) -> Failure {
    Failure::usage(format!("this is {format}, expected {expected}")).in_file(path)
}

/// Opens every item, computes a result in parallel and prints the results in the order of the items.
pub(crate) fn each_of<T: Send>(
    sources: &Sources,
    jobs: Option<NonZeroUsize>,
    source: &Source,
    work: impl Fn(&Item, Result<Loaded, Fault>) -> Option<T> + Sync,
    print: impl FnMut(T) -> io::Result<()> + Send,
) -> io::Result<()> {
    each_item(sources, jobs, Need::Content, |item| work(item, item.load(&source.opener, &source.parse)?), print)
}

/// Computes a result for every item in parallel and prints the results in the order of the items. Shows progress on a terminal.
pub(crate) fn each_item<T: Send>(
    sources: &Sources,
    jobs: Option<NonZeroUsize>,
    need: Need,
    work: impl Fn(&Item) -> Option<T> + Sync,
    mut print: impl FnMut(T) -> io::Result<()> + Send,
) -> io::Result<()> {
    let progress = Progress::of_files(sources.items().len());
    messages::count(sources.items().len());
    let counted = |item: &Item| {
        let result = work(item);
        progress.inc(1);
        result
    };
    let print = |result| progress.suspend(|| print(result));
    let done = each_watched(sources, jobs, &Watch::default(), need, counted, print);
    progress.finish_and_clear();
    unless_enough(done)
}

/// Computes a result for every item in parallel and gives the results to `take` in the order of the items.
pub(crate) fn each_watched<T: Send>(
    sources: &Sources,
    jobs: Option<NonZeroUsize>,
    watch: &Watch,
    need: Need,
    work: impl Fn(&Item) -> Option<T> + Sync,
    take: impl FnMut(T) -> io::Result<()> + Send,
) -> io::Result<()> {
    let total = sources.items().len();
    watch.begin(total);
    let counted = |item: &Item| {
        let result = if watch.is_stopped() { None } else { work(item) };
        watch.count_one();
        result
    };
    in_pool(jobs, total, || sources.map(need, counted).try_for_each(take))??;
    watch.check_running()
}

/// The number of jobs of [`each_job`] in a batch: its results are printed before the next batch begins.
const BATCH: usize = 64;

/// Does every job in parallel and prints the results in the order of the jobs. Shows progress on a terminal.
pub(crate) fn each_job<J: Sync, T: Send>(
    list: &[J],
    jobs: Option<NonZeroUsize>,
    work: impl Fn(&J) -> T + Sync,
    mut print: impl FnMut(T) -> io::Result<()> + Send,
) -> io::Result<()> {
    let progress = Progress::of_files(list.len());
    let counted = |job: &J| {
        let result = work(job);
        progress.inc(1);
        result
    };
    in_batches(list, jobs, counted, |result| progress.suspend(|| print(result)))?;
    progress.finish_and_clear();
    Ok(())
}

/// Does every job in parallel and gives the results to `take` in the order of the jobs.
pub(crate) fn each_job_watched<J: Sync, T: Send>(
    list: &[J],
    jobs: Option<NonZeroUsize>,
    watch: &Watch,
    work: impl Fn(&J) -> T + Sync,
    mut take: impl FnMut(T) -> io::Result<()> + Send,
) -> io::Result<()> {
    watch.begin(list.len());
    let counted = |job: &J| {
        let result = (!watch.is_stopped()).then(|| work(job));
        watch.count_one();
        result
    };
    in_batches(list, jobs, counted, |result| result.map_or(Ok(()), &mut take))?;
    watch.check_running()
}

fn in_batches<J: Sync, T: Send>(
    list: &[J],
    jobs: Option<NonZeroUsize>,
    work: impl Fn(&J) -> T + Sync,
    mut take: impl FnMut(T) -> io::Result<()> + Send,
) -> io::Result<()> {
    in_pool(jobs, list.len(), || {
        list.chunks(BATCH).try_for_each(|batch| {
            let results: Vec<T> = batch.par_iter().map(&work).collect();
            results.into_iter().try_for_each(&mut take)
        })
    })?
}

/// Runs work on as many threads as the arguments ask for.
pub(crate) fn in_pool<T: Send>(
    jobs: Option<NonZeroUsize>,
    total: usize,
    work: impl FnOnce() -> T + Send,
) -> io::Result<T> {
    // More threads than files would have nothing to do.
    let threads = jobs.map_or(0, |jobs| jobs.get().min(total.max(1)).min(MAX_THREADS));
    let pool = |threads| rayon::ThreadPoolBuilder::new().num_threads(threads);
    // If no thread can be started, the current one does the work.
    let pool = pool(threads).build().or_else(|_| pool(1).use_current_thread().build()).map_err(io::Error::other)?;
    Ok(pool.install(work))
}

/// The side-car beside an asset. Only ActorX animations have one.
pub(crate) fn side_car_of(loaded: &Loaded, address: &Address, opener: &Opener) -> io::Result<Option<SideCar>> {
    match loaded.asset() {
        Ok(Asset::ActorxPsa(_)) => SideCar::beside(address, opener),
        _ => Ok(None),
    }
}
