//! Opening files: through the crate, and with as little as any reader needs.
#![expect(unsafe_code, reason = "maps files")]

use std::fs::File;
use std::path::Path;

use memmap2::Mmap;
use skelmap::mapping::Opener;

/// Maps archives, reads what is small, as the command does.
pub fn opener() -> Opener {
    // SAFETY: the files are the benchmarks' own, in the target folder, or an archive that whoever names it leaves alone.
    unsafe { Opener::auto() }
}

/// Maps an archive.
pub fn map(path: &Path) -> Mmap {
    let file = File::open(path).expect("the archive can be opened");
    // SAFETY: as in `opener`.
    unsafe { Mmap::map(&file) }.expect("the archive can be mapped")
}
