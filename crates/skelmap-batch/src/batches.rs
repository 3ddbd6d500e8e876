//! Work in batches, by all threads.

use std::sync::Arc;

use rayon::prelude::*;

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
