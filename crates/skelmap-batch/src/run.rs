//! Many files or jobs in parallel: results in order, bounded memory, and an end on request.

use std::io;
use std::num::NonZeroUsize;
use std::sync::Arc;

use rayon::prelude::*;

use crate::items::{Fault, Item, Loaded, Need, Sources};
use crate::query::unless_enough;
use crate::{Source, Watch};

/// The most threads: no machine gains from more.
const MAX_THREADS: usize = 256;

/// The most jobs in a batch: its results are taken before the next batch begins.
const MAX_JOBS: usize = 64;

/// How many files or jobs are done.
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
        take: impl FnMut(T) -> io::Result<()> + Send,
    ) -> io::Result<()> {
        let total = sources.items().len();
        source.count(total);
        self.watched(total, |watch| {
            let counted = |item: &Item| watch.counted(|| work(item)).flatten();
            unless_enough(sources.map(need, counted).try_for_each(take))
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
            let counted = |job: &J| watch.counted(|| work(job));
            in_batches(jobs.chunks(MAX_JOBS), |_| None, counted).try_for_each(&mut take)
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
        let threads = self.jobs.map_or(0, |jobs| jobs.get().min(total.max(1)).min(MAX_THREADS));
        let pool = |threads| rayon::ThreadPoolBuilder::new().num_threads(threads);
        // If no thread can be started, the current one does the work.
        let pool = pool(threads).build().or_else(|_| pool(1).use_current_thread().build()).map_err(io::Error::other)?;
        Ok(pool.install(work))
    }
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
