//! The paths that entries are written to, below one folder, and what is there already.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};

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

/// The path below a folder. None of the folders in between may be a link, which could lead elsewhere. `is_made`: those that are missing
/// are made.
pub(super) fn below(folder: &Path, relative: &Path, is_made: bool) -> io::Result<PathBuf> {
    let mut path = folder.to_owned();
    let parents = relative.parent().into_iter().flat_map(Path::components);
    for part in parents {
        path.push(part);
        match path.symlink_metadata() {
            Ok(metadata) if metadata.is_dir() => {}
            Ok(_) => {
                let message = format!("{} exists and is not a folder", path.display());
                return Err(io::Error::new(io::ErrorKind::AlreadyExists, message));
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                if is_made {
                    fs::create_dir(&path)?;
                }
            }
            Err(error) => return Err(error),
        }
    }
    path.push(relative.file_name().unwrap_or_default());
    Ok(path)
}
