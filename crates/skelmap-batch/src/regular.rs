//! Small files beside assets. A folder can have a pipe or a device of any name, whose end never comes.

use std::fs::File;
use std::io::{self, ErrorKind, Read as _};
use std::path::Path;

use skelmap::mapping::first_bytes;

/// Whether an error of the system says that nothing is there, or nothing that a path can lead to. After another one something may be there:
/// opening it tells why.
pub(crate) fn is_absence(error: &io::Error) -> bool {
    #[cfg(target_os = "linux")]
    let is_too_long = error.raw_os_error() == Some(rustix::io::Errno::NAMETOOLONG.raw_os_error());
    #[cfg(not(target_os = "linux"))]
    let is_too_long = false;
    is_too_long || matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory)
}

/// Whether a path leads to a regular file, or to what the system does not tell of.
pub(crate) fn may_be_file(path: &Path) -> bool {
    path.metadata().map_or_else(|error| !is_absence(&error), |metadata| metadata.is_file())
}

/// The first bytes of a regular file, or of one that a link leads to.
///
/// # Errors
/// Those of the system; a path to anything else.
pub(crate) fn read_regular(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    if !path.metadata()?.is_file() {
        return Err(io::Error::other("is no regular file"));
    }
    let mut bytes = Vec::new();
    File::open(path)?.take(most).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Whether a path leads to a regular file that begins as a ZIP archive: with an entry, or with the end of an archive without entries.
///
/// # Errors
/// Those of the system.
pub fn begins_as_archive(path: &Path) -> io::Result<bool> {
    Ok(path.metadata()?.is_file() && is_archive(&first_bytes(path, 4)?))
}

/// Whether the first bytes of a file are those of a ZIP archive.
pub(crate) fn is_archive(first: &[u8]) -> bool {
    first.starts_with(b"PK\x03\x04") || first.starts_with(b"PK\x05\x06")
}
