//! A file that others change while it is open.

use std::fs::{self, File, OpenOptions};
use std::io::Read;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

/// A file in a folder of its own, on a file system that has leases, if there is one.
pub(crate) struct Victim {
    _folder: TempDir,
    pub(crate) path: PathBuf,
    pub(crate) bytes: Vec<u8>,
}

impl Victim {
    pub(crate) fn of(name: &str, bytes: Vec<u8>) -> Self {
        // Containers often have their temporary folder on overlayfs, which keeps no leases, and memory here.
        let memory = Path::new("/dev/shm");
        let folder = if memory.is_dir() { TempDir::new_in(memory) } else { TempDir::new() }.unwrap();
        let path = folder.path().join(name);
        fs::write(&path, &bytes).unwrap();
        Self { _folder: folder, path, bytes }
    }

    /// Opens the file for writing, as any program does: waits where the system says so.
    pub(crate) fn open_for_writing(&self) -> File {
        OpenOptions::new().write(true).open(&self.path).unwrap()
    }
}

/// All of a pipe.
pub(crate) fn drain(mut pipe: impl Read) -> String {
    let mut text = String::new();
    pipe.read_to_string(&mut text).unwrap();
    text
}
