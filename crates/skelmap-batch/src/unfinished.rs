//! The files that are being written and are useless unfinished, and folders for files in between, for programs that end on a signal.
//!
//! A program that handles signals calls [`watch_with`] once and [`remove_all`] when a signal comes. Other programs need neither: an
//! unfinished file is removed by the call that writes it, or by the next call for the same output.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, Once, OnceLock, PoisonError};

use tempfile::TempDir;

/// The beginning of the names of unfinished outputs of the command, and of its folders for files in between.
pub(crate) const PARTIAL_START: &str = ".skelmap-";

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

/// As long as this value lives, no thread begins or finishes a file or a folder.
#[derive(Debug)]
pub struct Standstill(#[expect(dead_code, reason = "holds the lock")] MutexGuard<'static, Vec<PathBuf>>);

/// Removes the unfinished files and the folders in between of this process.
pub fn remove_all() -> Standstill {
    let unfinished = unfinished();
    for path in &*unfinished {
        if path.symlink_metadata().is_ok_and(|metadata| metadata.is_dir()) {
            remove_folder(path);
        } else {
            let _ = fs::remove_file(path);
        }
    }
    Standstill(unfinished)
}

/// Removes a folder that other threads may still be making files in.
fn remove_folder(path: &Path) {
    const ATTEMPTS: usize = 16;
    for _ in 0..ATTEMPTS {
        match fs::remove_dir_all(path) {
            Err(error) if error.kind() == io::ErrorKind::DirectoryNotEmpty => {}
            _ => break,
        }
    }
}

/// Does not return while another thread has a [`Standstill`].
pub fn wait() {
    drop(unfinished());
}

/// Creates a file that [`remove_all`] removes before [`finish`].
pub(crate) fn begin(path: &Path, make: impl FnOnce() -> io::Result<File>) -> io::Result<File> {
    begin_at(make, |_| path.to_owned())
}

/// Creates a file or folder. `at`: its path.
fn begin_at<T>(make: impl FnOnce() -> io::Result<T>, at: impl FnOnce(&T) -> PathBuf) -> io::Result<T> {
    static GUARD: Once = Once::new();
    // Nobody looks at the list: no lock, which a process that forks now would never get.
    if !IS_WATCHED.load(Ordering::Relaxed) {
        return make();
    }
    GUARD.call_once(|| BEGIN.get().into_iter().for_each(|begin| begin()));
    let mut unfinished = unfinished();
    let made = make()?;
    unfinished.push(at(&made));
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

/// Makes a folder, and those above it. Waits as long as a [`Standstill`] lives: a folder that [`remove_all`] has removed does not come back.
///
/// # Errors
/// Those of the system.
pub fn create_folders(path: &Path) -> io::Result<()> {
    let _running = IS_WATCHED.load(Ordering::Relaxed).then(unfinished);
    fs::create_dir_all(path)
}

/// A temporary folder for files in between. It is removed with all of them when this value is dropped, and by [`remove_all`].
#[derive(Debug)]
pub(crate) struct Between {
    /// Taken when the value is dropped.
    folder: Option<TempDir>,
    path: PathBuf,
}

impl Between {
    pub(crate) fn new() -> io::Result<Self> {
        let folder =
            begin_at(|| tempfile::Builder::new().prefix(PARTIAL_START).tempdir(), |folder| folder.path().to_owned())?;
        let path = folder.path().to_owned();
        Ok(Self { folder: Some(folder), path })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for Between {
    fn drop(&mut self) {
        let folder = self.folder.take();
        finish(&self.path, || drop(folder));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_for_files_in_between_ends_with_all_that_is_in_it() {
        let between = Between::new().expect("a folder");
        let path = between.path().to_owned();
        assert!(path.file_name().and_then(|name| name.to_str()).is_some_and(|name| name.starts_with(PARTIAL_START)));
        create_folders(&path.join("a/b")).expect("made");
        fs::write(path.join("a/b/c"), "").expect("written");
        drop(between);
        assert!(!path.exists());
    }

    #[test]
    fn a_folder_is_removed_with_all_that_is_in_it_and_its_neighbours_stay() {
        let root = tempfile::tempdir().expect("a folder");
        for folder in ["between/a", "other"] {
            fs::create_dir_all(root.path().join(folder)).expect("made");
        }
        fs::write(root.path().join("between/a/b"), "").expect("written");
        remove_folder(&root.path().join("between"));
        let left: Vec<_> = fs::read_dir(root.path()).expect("a folder").flatten().map(|own| own.file_name()).collect();
        assert_eq!(left, ["other"]);
    }
}
