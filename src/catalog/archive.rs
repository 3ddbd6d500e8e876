//! An archive that many items share.

use std::fs::File;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use crate::archive::{Archive, Entry, OpenArchive};
use crate::mapping::cache::read_no_more_than_asked;

#[derive(Debug)]
pub(super) struct SharedArchive {
    pub(super) archive: OpenArchive,
    /// The path of rows and addresses.
    pub(super) path: PathBuf,
    /// Whether the headers that are read next are not in memory.
    pub(super) is_cold: AtomicBool,
    /// Done once before headers are read from the file.
    advice: OnceLock<()>,
}

impl SharedArchive {
    pub(super) fn new(path: PathBuf, archive: OpenArchive) -> Arc<Self> {
        Arc::new(Self { archive, path, is_cold: AtomicBool::new(false), advice: OnceLock::new() })
    }

    /// The map and its file, if headers are to be read from the file and not through the map, which would read ahead what
    /// nobody wants.
    pub(super) fn cold_file(&self) -> Option<(&Archive, &Arc<File>)> {
        let (archive, file) = self.archive.as_memory()?;
        let file = file.filter(|_| self.is_cold.load(Ordering::Relaxed))?;
        self.advice.get_or_init(|| read_no_more_than_asked(file));
        Some((archive, file))
    }

    /// An entry by its index, which an item stores in 32 bits.
    pub(super) fn entry(&self, number: u32) -> Option<Entry<'_>> {
        self.archive.get(usize::try_from(number).ok()?)
    }
}
