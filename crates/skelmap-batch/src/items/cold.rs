//! Items whose bytes are not in memory: how to tell, and more threads than processors to wait for a disk.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use rayon::{ThreadPool, ThreadPoolBuilder};

use super::item::{Item, Place};

/// Threads that wait for a disk or for a store at the same time. A disk answers so many requests together about as fast
/// as one; a store answers late.
pub(super) const WAITING: usize = 64;

/// The fewest items of a batch that is looked at: fewer are opened in about the time that a look takes.
const MIN_ITEMS: usize = 4;

/// The items of a batch that are looked at.
const SAMPLES: usize = 16;

/// Looks at some items of a batch: whether a quarter of them or more would be waited for. Notes it in each.
pub(super) fn is_cold(batch: &[Item]) -> bool {
    if batch.len() < MIN_ITEMS {
        for item in batch {
            item.is_cold.store(false, Ordering::Relaxed);
        }
        return false;
    }
    let step = batch.len().div_ceil(SAMPLES).max(1);
    let samples = || batch.iter().step_by(step);
    let cold = samples().filter(|item| !item.is_in_memory()).count();
    let is_cold = cold > 0 && cold.saturating_mul(4) >= samples().count();
    for item in batch {
        item.is_cold.store(is_cold, Ordering::Relaxed);
    }
    is_cold
}

/// Begins to read the entries of a batch that is not in memory, in the order of their archives.
pub(super) fn read_ahead_of(batch: &[Item]) {
    let place = |item: &Item| match &item.place {
        Place::Entry { archive, entry } if archive.archive.as_memory().is_some() => Some((Arc::clone(archive), *entry)),
        _ => None,
    };
    // The entries of an archive follow each other.
    for entries in batch.chunk_by(Item::is_of_archive_of) {
        if let Some((archive, _)) = entries.first().and_then(place) {
            archive.archive.prefetch(entries.iter().filter_map(place).filter_map(|(_, entry)| archive.entry(entry)));
        }
    }
}

/// Threads to wait for a disk; `None` if the caller has chosen another number of threads than one for each processor, or
/// if the system gives no threads.
pub(super) fn waiting_threads() -> Option<Arc<ThreadPool>> {
    let own = rayon::current_num_threads();
    let is_usual = std::thread::available_parallelism().is_ok_and(|usual| usual.get() == own);
    let pool = || ThreadPoolBuilder::new().num_threads(WAITING.max(own)).build().ok().map(Arc::new);
    is_usual.then(pool).flatten()
}
