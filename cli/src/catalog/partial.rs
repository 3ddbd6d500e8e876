//! The file in which the rows are until all are there. One run at a time writes it.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use fs4::{FileExt, TryLockError};
use skelmap::ParseOptions;

use crate::stop;

/// A partial file that no other run writes.
pub(super) struct Partial {
    pub(super) path: PathBuf,
    /// Open, and so locked, until this is dropped.
    locked: File,
}

/// Where the partial file lies. Rows that were made with other options are in a file of another name, so that they never mix.
pub(super) fn path_of(output: &Path, options: &ParseOptions) -> PathBuf {
    let mut name = OsString::from(output);
    if *options != ParseOptions::default() {
        let hash = xxhash_rust::xxh3::xxh3_64(format!("{options:?}").as_bytes());
        name.push(format!(".{hash:016x}"));
    }
    name.push(".part");
    name.into()
}

impl Partial {
    /// A new one. One that is there is another run's, which `force` gives up. `is_kept`: whether it is of use unfinished.
    pub(super) fn create(path: PathBuf, force: bool, is_kept: bool) -> io::Result<Self> {
        if force {
            match path.symlink_metadata() {
                Ok(metadata) if metadata.is_file() => {
                    let _old = Self::lock(path.clone(), File::open(&path)?)?;
                    fs::remove_file(&path)?;
                }
                Ok(_) => fs::remove_file(&path)?,
                Err(_) => {}
            }
        }
        let open = || OpenOptions::new().read(true).write(true).create_new(true).open(&path);
        match if is_kept { open() } else { stop::begin(&path, open) } {
            Ok(file) => Self::lock(path, file),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                let message = format!(
                    "{} is there from an earlier run (--resume goes on with it, --force gives it up)",
                    path.display()
                );
                Err(io::Error::new(io::ErrorKind::AlreadyExists, message))
            }
            Err(error) => Err(error),
        }
    }

    /// One that an earlier run left; `None` where there is none.
    pub(super) fn open(path: PathBuf) -> io::Result<Option<Self>> {
        match path.symlink_metadata() {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
            Ok(metadata) if !metadata.is_file() => {
                Err(io::Error::other(format!("{} is no regular file", path.display())))
            }
            Ok(_) => {
                let file = OpenOptions::new().read(true).write(true).open(&path)?;
                Self::lock(path, file).map(Some)
            }
        }
    }

    fn lock(path: PathBuf, locked: File) -> io::Result<Self> {
        match FileExt::try_lock(&locked) {
            Err(TryLockError::WouldBlock) => Err(of_another_run(&path)),
            // Whoever had it until now may have given it its final name.
            Ok(()) if path.symlink_metadata().is_err() => Err(of_another_run(&path)),
            // Where files cannot be locked, there is no telling.
            Ok(()) | Err(TryLockError::Error(_)) => Ok(Self { path, locked }),
        }
    }

    /// The file, to write to.
    pub(super) fn file(&self) -> io::Result<File> {
        self.locked.try_clone()
    }

    /// Whether there is anything in it.
    pub(super) fn is_begun(&self) -> bool {
        self.locked.metadata().is_ok_and(|metadata| metadata.len() > 0)
    }
}

fn of_another_run(path: &Path) -> io::Error {
    let message = format!("{} is being written by another run", path.display());
    io::Error::new(io::ErrorKind::WouldBlock, message)
}
