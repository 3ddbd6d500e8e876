//! The data of entries, and what is there already.

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::path::Path;

/// Copies in pieces through the buffer. If the archive becomes shorter meanwhile, this process touches the missing bytes and ends with
/// its status for that; a system call would fail with "bad address".
pub(super) fn copy(data: &[u8], out: &mut BufWriter<&mut File>) -> io::Result<()> {
    data.chunks(1 << 15).try_for_each(|piece| out.write_all(piece))
}

/// Whether a file exists and has exactly this data.
pub(super) fn holds(path: &Path, mut data: &[u8]) -> io::Result<bool> {
    match path.symlink_metadata() {
        Ok(metadata) if metadata.is_file() && metadata.len() == data.len() as u64 => {}
        _ => return Ok(false),
    }
    let mut file = BufReader::with_capacity(1 << 16, File::open(path)?);
    loop {
        let part = file.fill_buf()?;
        match (part.len(), data.strip_prefix(part)) {
            (0, _) => return Ok(data.is_empty()),
            (_, None) => return Ok(false),
            (length, Some(rest)) => {
                data = rest;
                file.consume(length);
            }
        }
    }
}
