//! The file with the rows of an unfinished catalogue. One run at a time writes it.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use fs4::{FileExt, TryLockError};
use skelmap::ParseOptions;

use crate::stop;

/// A partial file that this run has locked.
pub(super) struct Partial {
    pub(super) path: PathBuf,
    /// Locked until it is dropped.
    locked: File,
}

/// The path of the partial file. Rows of other options are in a file with another name.
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
    /// Creates a partial file. `force` replaces one of an earlier run. `is_kept`: an unfinished file stays when the command is stopped.
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
                    "{} is there from an earlier run (--resume continues it, --force replaces it)",
                    path.display()
                );
                Err(io::Error::new(io::ErrorKind::AlreadyExists, message))
            }
            Err(error) => Err(error),
        }
    }

    /// Opens the partial file of an earlier run; `None` if there is none.
    pub(super) fn open(path: PathBuf) -> io::Result<Option<Self>> {
        match path.symlink_metadata() {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
            Ok(metadata) if !metadata.is_file() => {
                Err(io::Error::other(format!("{} is not a regular file", path.display())))
            }
            Ok(_) => {
                let file = OpenOptions::new().read(true).write(true).open(&path)?;
                Self::lock(path, file).map(Some)
            }
        }
    }

    fn lock(path: PathBuf, locked: File) -> io::Result<Self> {
        match FileExt::try_lock(&locked) {
            Err(TryLockError::WouldBlock) => Err(locked_error(&path)),
            // The run that had the lock may have renamed the file.
            Ok(()) if path.symlink_metadata().is_err() => Err(locked_error(&path)),
            // Some file systems have no locks.
            Ok(()) | Err(TryLockError::Error(_)) => Ok(Self { path, locked }),
        }
    }

    /// The file, for writing.
    pub(super) fn file(&self) -> io::Result<File> {
        self.locked.try_clone()
    }

    /// Whether the file has any bytes.
    pub(super) fn has_rows(&self) -> bool {
        self.locked.metadata().is_ok_and(|metadata| metadata.len() > 0)
    }
}

fn locked_error(path: &Path) -> io::Error {
    let message = format!("{} is being written by another run", path.display());
    io::Error::new(io::ErrorKind::WouldBlock, message)
}
