//! The files that are being written and are useless unfinished, for programs that end on a signal.
//!
//! A program that handles signals calls [`watch_with`] once and [`remove_all`] when a signal comes. Other programs need neither: an
//! unfinished file is removed by the call that writes it, or by the next call for the same output.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, Once, OnceLock, PoisonError};

static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Whether a program wants to know the files.
static IS_WATCHED: AtomicBool = AtomicBool::new(false);

/// Called before the first file.
static BEGIN: OnceLock<fn()> = OnceLock::new();

/// Keeps the list of unfinished files from now on. `begin` is called before the first of them: it may wait for signals.
pub fn watch_with(begin: fn()) {
    let _ = BEGIN.set(begin);
    IS_WATCHED.store(true, Ordering::Relaxed);
}

fn unfinished() -> MutexGuard<'static, Vec<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// As long as this value lives, no thread begins or finishes a file.
#[derive(Debug)]
pub struct Standstill(#[expect(dead_code, reason = "holds the lock")] MutexGuard<'static, Vec<PathBuf>>);

/// Removes the unfinished files of this process.
pub fn remove_all() -> Standstill {
    let unfinished = unfinished();
    for path in &*unfinished {
        let _ = fs::remove_file(path);
    }
    Standstill(unfinished)
}

/// Does not return while another thread has a [`Standstill`].
pub fn wait() {
    drop(unfinished());
}

/// Creates a file that [`remove_all`] removes before [`finish`].
pub(crate) fn begin(path: &Path, make: impl FnOnce() -> io::Result<File>) -> io::Result<File> {
    static GUARD: Once = Once::new();
    // Nobody looks at the list: no lock, which a process that forks now would never get.
    if !IS_WATCHED.load(Ordering::Relaxed) {
        return make();
    }
    GUARD.call_once(|| BEGIN.get().into_iter().for_each(|begin| begin()));
    let mut unfinished = unfinished();
    let made = make()?;
    unfinished.push(path.to_owned());
    Ok(made)
}

/// Renames or removes the file of [`begin`] by `end`. After that, [`remove_all`] does not remove it.
pub(crate) fn finish<T>(path: &Path, end: impl FnOnce() -> T) -> T {
    finish_all(&[path.to_owned()], end)
}

/// [`finish`] for several files: [`remove_all`] comes before or after `end`, and not in between.
pub(crate) fn finish_all<T>(paths: &[PathBuf], end: impl FnOnce() -> T) -> T {
    if !IS_WATCHED.load(Ordering::Relaxed) {
        return end();
    }
    let mut unfinished = unfinished();
    let ended = end();
    unfinished.retain(|own| !paths.contains(own));
    ended
}
