//! The file with the rows of an unfinished catalogue. One run at a time writes it.
//!
//! A run locks its partial file ([`save::lock`]). Only the run with the lock may remove or rename the file. A run that waited for a file
//! that another run has renamed meanwhile holds the lock of a finished catalogue, and is refused.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use skelmap::ParseOptions;
use tempfile::TempPath;

use crate::save::{Busy, create_folder_of};
use crate::{save, unfinished};

/// How long a run waits for the lock: the system takes a moment to end a killed run.
const PATIENCE: Duration = Duration::from_secs(1);

/// A partial file that this run has locked.
#[derive(Debug)]
pub struct Partial {
    /// The path.
    pub path: PathBuf,
    /// Locked until it is dropped.
    locked: File,
}

/// The path of the partial file. Rows of other options are in a file with another name. `has_query`: some rows and columns are left out.
pub fn path_of(output: &Path, options: &ParseOptions, extent: bool, has_query: bool) -> PathBuf {
    let mut name = OsString::from(output);
    if extent || has_query || *options != ParseOptions::default() {
        let extent = if extent { "extent" } else { "" };
        let query = if has_query { "query" } else { "" };
        let hash = xxhash_rust::xxh3::xxh3_64(format!("{options:?}{extent}{query}").as_bytes());
        name.push(format!(".{hash:016x}"));
    }
    name.push(".part");
    name.into()
}

impl Partial {
    /// Creates a partial file, and its folder. `force` replaces one of an earlier run. `is_kept`: an unfinished file stays when the command is stopped.
    ///
    /// # Errors
    /// Those of the system, and [`Busy`] if another run writes the file.
    pub fn create(path: PathBuf, force: bool, is_kept: bool) -> io::Result<Self> {
        create_folder_of(&path)?;
        if force {
            match path.symlink_metadata() {
                Ok(metadata) if metadata.is_file() => {
                    // Another run may have removed the file meanwhile.
                    if let Some(_old) = Self::open(path.clone())? {
                        fs::remove_file(&path)?;
                    }
                }
                Ok(_) => fs::remove_file(&path)?,
                Err(_) => {}
            }
        }
        let open = || OpenOptions::new().read(true).write(true).create_new(true).open(&path);
        match if is_kept { open() } else { unfinished::begin(&path, open) } {
            Ok(file) => Self::lock(path, file, PATIENCE),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                // The error if another run writes the file.
                let _abandoned = Self::open(path.clone())?;
                let message = format!(
                    "{} is there from an earlier run (--resume continues it, --force replaces it)",
                    path.display()
                );
                Err(io::Error::new(io::ErrorKind::AlreadyExists, message))
            }
            Err(error) => Err(error),
        }
    }

    /// Opens the partial file of an earlier run; `None` if there is none.
    ///
    /// # Errors
    /// Those of the system, and [`Busy`] if another run writes the file.
    pub fn open(path: PathBuf) -> io::Result<Option<Self>> {
        let opened = path.symlink_metadata().and_then(|metadata| {
            if !metadata.is_file() {
                return Err(io::Error::other(format!("{} is not a regular file", path.display())));
            }
            OpenOptions::new().read(true).write(true).open(&path)
        });
        match opened {
            // Another run may have removed the file since its metadata was read.
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            opened => Self::lock(path, opened?, PATIENCE).map(Some),
        }
    }

    fn lock(path: PathBuf, locked: File, patience: Duration) -> io::Result<Self> {
        let end = Instant::now() + patience;
        while !save::lock(&path, &locked) {
            if Instant::now() > end || !save::is_at(&path, &locked) {
                return Err(locked_error(&path));
            }
            thread::sleep(Duration::from_millis(50));
        }
        Ok(Self { path, locked })
    }

    /// Whether the path leads to the locked file.
    fn is_at_path(&self) -> bool {
        save::is_at(&self.path, &self.locked)
    }

    /// Gives the file its final name, for good: the name survives a loss of power. Only `force` replaces a file.
    ///
    /// # Errors
    /// Those of the system, and [`Busy`] if another run writes the file.
    pub fn persist(&self, output: &Path, force: bool) -> io::Result<()> {
        if !self.is_at_path() {
            return Err(locked_error(&self.path));
        }
        if force {
            fs::rename(&self.path, output)?;
        } else if let Err(failed) = TempPath::try_from_path(&self.path)?.persist_noclobber(output) {
            // Dropping the path would remove the file.
            let _ = failed.path.keep();
            return Err(failed.error);
        }
        save::sync_folder(output)
    }

    /// Removes the file, if the path still leads to it.
    pub fn remove(&self) {
        if self.is_at_path() {
            let _ = fs::remove_file(&self.path);
        }
    }

    /// The file, for writing.
    ///
    /// # Errors
    /// Those of the system, and [`Busy`] if another run writes the file.
    pub fn file(&self) -> io::Result<File> {
        self.locked.try_clone()
    }

    /// Whether the file has any bytes.
    pub fn has_rows(&self) -> bool {
        self.locked.metadata().is_ok_and(|metadata| metadata.len() > 0)
    }
}

fn locked_error(path: &Path) -> io::Error {
    io::Error::other(Busy(format!("{} is being written by another run", path.display())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_other_options_are_in_a_file_of_another_name() {
        let of = |extent, has_query| path_of(Path::new("a.csv"), &ParseOptions::default(), extent, has_query);
        assert_eq!(of(false, false), Path::new("a.csv.part"));
        let mut names = [of(false, false), of(true, false), of(false, true), of(true, true)];
        names.sort();
        assert!(names.windows(2).all(|pair| pair[0] != pair[1]), "{names:?}");
    }

    #[test]
    fn a_partial_file_that_cannot_be_made_is_not_called_that_of_an_earlier_run() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.csv.part");
        let partial = Partial::create(path.clone(), false, true).expect("made");
        partial.remove();
        // Some file systems of Windows remove a file when it is closed.
        drop(partial);
        assert!(!path.exists());
        let inside = folder.path().join("new/a.csv.part");
        Partial::create(inside, false, true).expect("the folder is made").remove();
        fs::write(folder.path().join("file"), b"").expect("written");
        let inside = folder.path().join("file/a.csv.part");
        let error = Partial::create(inside, false, true).expect_err("no folder");
        assert_ne!(error.kind(), io::ErrorKind::AlreadyExists, "{error}");
    }

    /// The system locks for each opening of a file, so that a process can keep itself out.
    #[test]
    fn a_file_that_another_run_has_locked_is_busy_when_the_patience_ends() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.csv.part");
        let owner = Partial::create(path.clone(), false, true).expect("made");
        let open = || OpenOptions::new().read(true).write(true).open(&path).expect("opened");
        let error = Partial::lock(path.clone(), open(), Duration::ZERO).expect_err("locked");
        assert!(save::is_busy(&error), "{error}");
        drop(owner);
        Partial::lock(path.clone(), open(), Duration::ZERO).expect("free");
    }
}
