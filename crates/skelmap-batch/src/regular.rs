//! Small files beside assets. A folder can have a pipe or a device of any name, whose end never comes.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

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
