//! The files that are opened, and ways to open them that ask for a promise.
#![expect(unsafe_code, reason = "maps files")]

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::PathBuf;

use skelmap::mapping::Opener;

use crate::target;

/// A file of so many bytes in the target folder: written once, kept for the next run.
pub fn file(size: usize) -> io::Result<PathBuf> {
    let path = target::file(&format!("mapping-{size}"));
    if fs::metadata(&path).is_ok_and(|found| found.len() == size as u64) {
        return Ok(path);
    }
    let unfinished = path.with_extension("part");
    let mut file = File::create(&unfinished)?;
    let block = vec![7; 1 << 20];
    let mut left = size;
    while left > 0 {
        let part = left.min(block.len());
        file.write_all(&block[..part])?;
        left -= part;
    }
    fs::rename(&unfinished, &path)?;
    Ok(path)
}

/// Maps every file.
pub fn mapping() -> Opener {
    // SAFETY: the files are the benchmarks' own, in the target folder, and nothing changes them once they are written. (They are
    // opened for writing, and nothing is written.)
    unsafe { Opener::mapping() }
}

/// Maps every large file under a lease.
pub fn leasing() -> Opener {
    // SAFETY: as above, and this process does not fork.
    unsafe { Opener::leasing() }
}
