//! The error of opening, and paths as errors show them.

use std::io;
use std::path::{Path, PathBuf};

/// The error of a file that cannot be opened, read or mapped.
#[derive(Debug, thiserror::Error)]
#[error("{}: {io}", path.display())]
pub struct OpenError {
    path: PathBuf,
    io: io::Error,
}

impl OpenError {
    /// The path, as the caller gave it; an address without its query.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The system's error.
    pub const fn io(&self) -> &io::Error {
        &self.io
    }

    pub(crate) fn new(path: &Path, io: io::Error) -> Self {
        Self { path: shown(path), io }
    }

    /// The system's error, without the path.
    pub fn into_io(self) -> io::Error {
        self.io
    }
}

/// The path as it may be printed: an address without what may be a secret.
pub(crate) fn shown(path: &Path) -> PathBuf {
    #[cfg(feature = "remote")]
    if let Some(address) = path.to_str().filter(|path| crate::remote::is_address(path)) {
        return crate::remote::shown(address).as_ref().into();
    }
    path.to_owned()
}
