//! Files that appear complete or not at all: they are written under another name and then renamed. An unfinished file is removed.

use std::fs::{File, OpenOptions, Permissions};
use std::io::{self, BufWriter, Write};
use std::path::Path;

use tempfile::Builder;

use crate::stop::{begin, finish};

/// Writes the bytes to the disk, so that the name cannot get there first. Slow: for files that cannot be made again from others.
pub(crate) fn to_disk(out: &mut BufWriter<&mut File>) -> io::Result<()> {
    out.flush()?;
    out.get_ref().sync_all()
}

/// Writes the folder of a file to the disk, so that the file's new name survives a loss of power.
pub(crate) fn sync_folder(path: &Path) -> io::Result<()> {
    if cfg!(unix) {
        match File::open(folder_of(path)).and_then(|folder| folder.sync_all()) {
            // Some file systems cannot do this for folders.
            Err(error) if matches!(error.kind(), io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported) => {}
            synced => synced?,
        }
    }
    Ok(())
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// The permissions of the file that a new file would replace, or an error if it must not be replaced.
pub(crate) fn replaceable(path: &Path, force: bool) -> io::Result<Option<Permissions>> {
    match path.symlink_metadata() {
        Ok(metadata) if !metadata.is_file() => Err(io::Error::other("exists and is not a regular file")),
        Ok(_) if !force => Err(io::Error::new(io::ErrorKind::AlreadyExists, "exists already (--force replaces it)")),
        Ok(metadata) => Ok(Some(metadata.permissions())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Writes a file under a temporary name and renames it. Programs that have the old file open or mapped keep the old bytes.
///
/// Only `force` replaces an existing file; its permissions stay.
pub(crate) fn save(
    path: &Path,
    force: bool,
    write: impl FnOnce(&mut BufWriter<&mut File>) -> io::Result<()>,
) -> io::Result<()> {
    let old = replaceable(path, force)?;
    let mut options = OpenOptions::new();
    options.read(true).write(true).create_new(true);
    #[cfg(unix)]
    if old.is_some() {
        // Nobody else may read the new file until it has the permissions of the old one.
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    }
    let mut builder = Builder::new();
    builder.prefix(".skelmap-").suffix(".part");
    let mut file = builder.make_in(folder_of(path), |path| begin(path, || options.open(path)))?;
    let mut out = BufWriter::with_capacity(1 << 16, file.as_file_mut());
    let written = write(&mut out).and_then(|()| out.flush());
    // After an error, the rest of the buffer is useless.
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
