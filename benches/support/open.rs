//! Opening a file: through the crate, and with as little as any reader needs.
#![expect(unsafe_code, reason = "maps files")]

use std::fs::File;
use std::path::Path;

use skelmap::mapping::Mapping;

/// Maps one of the benchmarks' own files.
pub fn map(path: &Path) -> Mapping<'static> {
    // SAFETY: the file is the benchmarks' own, in the target folder, and nothing changes it once it is written.
    unsafe { Mapping::map(path) }.expect("a file that was just written can be mapped")
}

/// Opens and maps a file, touches the pages of its first and its last chunk header, and unmaps it.
pub fn bare(path: &Path) -> Option<(u8, u8)> {
    let file = File::open(path).ok()?;
    // SAFETY: as in `map`.
    let map = unsafe { memmap2::Mmap::map(&file) }.ok()?;
    Some((*map.first()?, *map.last()?))
}
