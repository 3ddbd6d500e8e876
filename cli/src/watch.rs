//! Long work that another thread watches and can stop.

use std::io;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// The progress of work, and the wish to stop it.
#[derive(Debug, Default)]
pub struct Watch {
    total: AtomicU64,
    done: AtomicU64,
    is_stopped: AtomicBool,
}

impl Watch {
    /// The number of items that are done, and of all items. Both are 0 until the items are found.
    pub fn progress(&self) -> (u64, u64) {
        (self.done.load(Ordering::Relaxed), self.total.load(Ordering::Relaxed))
    }

    /// Asks the work to stop. It ends with an error after the items that threads are at, and publishes no file.
    pub fn stop(&self) {
        self.is_stopped.store(true, Ordering::Release);
    }

    pub(crate) fn is_stopped(&self) -> bool {
        self.is_stopped.load(Ordering::Acquire)
    }

    /// Checks that nobody has asked the work to stop.
    pub(crate) fn check_running(&self) -> io::Result<()> {
        if self.is_stopped() { Err(io::Error::new(io::ErrorKind::Interrupted, "stopped")) } else { Ok(()) }
    }

    pub(crate) fn begin(&self, total: usize) {
        self.total.store(u64::try_from(total).unwrap_or(u64::MAX), Ordering::Relaxed);
    }

    pub(crate) fn count_one(&self) {
        self.done.fetch_add(1, Ordering::Relaxed);
    }
}
