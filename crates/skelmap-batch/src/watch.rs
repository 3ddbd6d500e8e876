//! Long work that another thread watches and can stop.

use std::io;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

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

    /// Does a piece of work and counts it; `None` if the work was asked to stop.
    pub(crate) fn counted<T>(&self, work: impl FnOnce() -> T) -> Option<T> {
        let done = (!self.is_stopped()).then(work);
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
