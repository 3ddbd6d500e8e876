//! Files that appear complete or not at all: written under another name beside it, then renamed; nothing is left of one that was not
//! finished.

use std::fs::{File, OpenOptions, Permissions};
use std::io::{self, BufWriter, Write};
use std::path::Path;

use tempfile::Builder;

use crate::stop::{begin, finish};

/// Brings what was written so far to the disk, so that the name does not get there before the bytes do. Slow, and so for files that
/// cannot be made again from others.
pub(crate) fn to_disk(out: &mut BufWriter<&mut File>) -> io::Result<()> {
    out.flush()?;
    out.get_ref().sync_all()
}

/// The permissions of what a new file would replace, if there is anything; an error where that may not be replaced.
pub(crate) fn replaceable(path: &Path, force: bool) -> io::Result<Option<Permissions>> {
    match path.symlink_metadata() {
        Ok(metadata) if !metadata.is_file() => Err(io::Error::other("exists and is no regular file")),
        Ok(_) if !force => Err(io::Error::new(io::ErrorKind::AlreadyExists, "exists already (--force replaces it)")),
        Ok(metadata) => Ok(Some(metadata.permissions())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Writes a file through a temporary one and a rename, so that whoever has the old one open or mapped keeps it as it was.
///
/// A file that exists is replaced only by `force`, and keeps its permissions.
pub(crate) fn save(
    path: &Path,
    force: bool,
    write: impl FnOnce(&mut BufWriter<&mut File>) -> io::Result<()>,
) -> io::Result<()> {
    let old = replaceable(path, force)?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut options = OpenOptions::new();
    options.read(true).write(true).create_new(true);
    #[cfg(unix)]
    if old.is_some() {
        // What replaces a file is nobody's to read until it has that file's permissions.
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    }
    let mut builder = Builder::new();
    builder.prefix(".skelmap-").suffix(".part");
    let mut file = builder.make_in(folder, |path| begin(path, || options.open(path)))?;
    let mut out = BufWriter::with_capacity(1 << 16, file.as_file_mut());
    let written = write(&mut out).and_then(|()| out.flush());
    // What is left in it is of no use where that failed.
    drop(out.into_parts());
    let ready = written.and_then(|()| match old {
        Some(permissions) => file.as_file().set_permissions(permissions),
        None => Ok(()),
    });
    finish(|| {
        ready?;
        let persisted = if force { file.persist(path) } else { file.persist_noclobber(path) };
        persisted.map(drop).map_err(|error| error.error)
    })
}
