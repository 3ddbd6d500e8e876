//! The error of opening a file.

use std::io;
use std::path::{Path, PathBuf};

use super::address::shown_path;

/// A file that cannot be opened, read or mapped. The message ends with that of the system, whose error is also the source.
#[derive(Debug, thiserror::Error)]
#[error("{}: {io}", path.display())]
pub struct OpenError {
    path: PathBuf,
    #[source]
    io: io::Error,
}

impl OpenError {
    /// The path from the caller; an address without its query.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The system's error.
    pub const fn io(&self) -> &io::Error {
        &self.io
    }

    pub(crate) fn new(path: &Path, io: io::Error) -> Self {
        Self { path: shown_path(path), io }
    }

    /// The system's error, without the path.
    pub fn into_io(self) -> io::Error {
        self.io
    }
}
