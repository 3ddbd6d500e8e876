//! An archive that many items share.

use std::fs::File;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use skelmap::archive::{Archive, Entry, OpenArchive};
use skelmap::mapping::cache::read_no_more_than_asked;

#[derive(Debug)]
pub(super) struct SharedArchive {
    pub(super) archive: OpenArchive,
    /// The path of rows and addresses.
    pub(super) path: PathBuf,
    /// Given once before cold headers are read.
    advice: OnceLock<()>,
}

impl SharedArchive {
    pub(super) fn new(path: PathBuf, archive: OpenArchive) -> Arc<Self> {
        Arc::new(Self { archive, path, advice: OnceLock::new() })
    }

    /// The map and its file. Headers are read from the file: a page of a map that is touched first costs more than a system
    /// call, and around a page of a cold map the system reads what nobody wants.
    pub(super) fn mapped_file(&self, is_cold: bool) -> Option<(&Archive, &Arc<File>)> {
        let (archive, file) = self.archive.as_memory()?;
        let file = file?;
        if is_cold {
            self.advice.get_or_init(|| read_no_more_than_asked(file));
        }
        Some((archive, file))
    }

    /// An entry by its index, which an item stores in 32 bits.
    pub(super) fn entry(&self, number: u32) -> Option<Entry<'_>> {
        self.archive.get(usize::try_from(number).ok()?)
    }
}
