//! How files are opened and parsed.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::items::Loaded;
use skelmap::ParseOptions;
use skelmap::archive::{Address, AddressError, Limits};
use skelmap::mapping::{Opener, is_address};

/// How files are opened and parsed.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Source {
    /// How files are opened.
    pub opener: Opener,
    /// How files are parsed.
    pub parse: ParseOptions,
    /// The limits of archives.
    pub limits: Limits,
    /// The number of files that were looked at.
    looked_at: Arc<AtomicU64>,
}

impl Default for Source {
    /// Files are read, not mapped.
    fn default() -> Self {
        Self::new(Opener::reading(), ParseOptions::default())
    }
}

impl Source {
    /// With these options and the usual limits.
    pub fn new(opener: Opener, parse: ParseOptions) -> Self {
        Self { opener, parse, limits: Limits::default(), looked_at: Arc::default() }
    }

    /// Opens the file or entry at an address.
    ///
    /// # Errors
    /// A file or entry that cannot be opened.
    pub fn open(&self, address: &Address) -> Result<Loaded, AddressError> {
        self.count(1);
        Ok(Loaded::new(address.open(&self.opener)?, &self.parse))
    }

    /// Opens the file or entry at a path.
    ///
    /// # Errors
    /// A file or entry that cannot be opened.
    pub fn open_path(&self, path: &Path) -> Result<Loaded, AddressError> {
        self.open(&Address::find(path))
    }

    /// The number of files and entries that were looked at.
    pub fn looked_at(&self) -> u64 {
        self.looked_at.load(Ordering::Relaxed)
    }

    pub(crate) fn count(&self, files: usize) {
        self.looked_at.fetch_add(files.try_into().unwrap_or(u64::MAX), Ordering::Relaxed);
    }
}

/// Whether a path is an address in a store, by [`is_address`].
pub fn is_remote(path: &Path) -> bool {
    path.to_str().is_some_and(is_address)
}
