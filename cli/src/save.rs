//! Files that appear complete or not at all: they are written under another name and then renamed. An unfinished file is removed.

use std::fs::{File, OpenOptions, Permissions};
use std::io::{self, BufWriter, Write};
use std::path::Path;

use skelmap::catalog::{PARTIAL_END, PARTIAL_START};
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
            // Some file systems cannot do this for folders, and not every folder that can be written to can be opened.
            Err(error)
                if matches!(
                    error.kind(),
                    io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported | io::ErrorKind::PermissionDenied
                ) => {}
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
    builder.prefix(PARTIAL_START).suffix(PARTIAL_END);
    let mut file = builder.make_in(folder_of(path), |path| begin(path, || options.open(path)))?;
    let mut out = BufWriter::with_capacity(1 << 16, file.as_file_mut());
    let written = write(&mut out).and_then(|()| out.flush());
    // After an error, the rest of the buffer is useless.
    drop(out.into_parts());
    let ready = written.and_then(|()| match old {
        Some(permissions) => file.as_file().set_permissions(permissions),
        None => Ok(()),
    });
    let unfinished = file.path().to_owned();
    finish(&unfinished, || {
        ready?;
        let persisted = if force { file.persist(path) } else { file.persist_noclobber(path) };
        persisted.map(drop).map_err(|error| error.error)
    })
}

#[cfg(all(test, unix))]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    /// The system does not sync this device, and says so when it is asked to.
    #[cfg(target_os = "linux")]
    #[test]
    fn the_system_is_asked_to_write_the_bytes_to_the_disk() {
        let mut device = OpenOptions::new().write(true).open("/dev/null").expect("a device");
        let error = to_disk(&mut BufWriter::new(&mut device)).expect_err("no disk");
        assert_eq!(error.kind(), io::ErrorKind::InvalidInput);
    }

    #[test]
    fn a_folder_that_is_not_there_is_an_error() {
        let folder = tempfile::tempdir().expect("a folder");
        let error = sync_folder(&folder.path().join("none/a.gsa")).expect_err("no folder");
        assert_eq!(error.kind(), io::ErrorKind::NotFound);
    }

    #[test]
    fn a_path_through_a_file_is_not_the_path_of_a_new_file() {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join("file"), b"").expect("written");
        let error = replaceable(&folder.path().join("file/a.gsa"), true).expect_err("no folder");
        assert_eq!(error.kind(), io::ErrorKind::NotADirectory);
    }

    #[test]
    fn nobody_else_can_read_a_new_file_before_it_has_the_permissions_of_the_old_one() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.gsa");
        let mode = |path: &Path| path.metadata().expect("a file").permissions().mode() & 0o777;
        fs::write(&path, b"old").expect("written");
        fs::set_permissions(&path, Permissions::from_mode(0o640)).expect("set");
        let during = |out: &mut BufWriter<&mut File>| {
            out.write_all(b"new")?;
            let names = fs::read_dir(folder.path())?.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>()?;
            let unfinished: Vec<_> = names.iter().filter(|name| **name != path).collect();
            assert_eq!(unfinished.len(), 1, "{names:?}");
            assert_eq!(mode(unfinished[0]), 0o600);
            Ok(())
        };
        save(&path, true, during).expect("saved");
        assert_eq!((fs::read(&path).expect("a file"), mode(&path)), (b"new".to_vec(), 0o640));
    }
}
