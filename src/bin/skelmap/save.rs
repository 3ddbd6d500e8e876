//! Files that appear complete or not at all: written under another name beside it, then renamed; nothing is left of one that was not
//! finished.

use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::{Mutex, MutexGuard, Once, PoisonError};

use tempfile::Builder;

use crate::print;

/// The exit status of what was stopped by Ctrl-C, as shells count it.
const STOPPED: i32 = 130;

/// The file that is being written and is of no use unfinished.
static UNFINISHED: Mutex<Option<PathBuf>> = Mutex::new(None);

fn unfinished() -> MutexGuard<'static, Option<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Makes a file that is removed if the command is stopped (Ctrl-C, SIGTERM, a terminal that closes) before [`finish`].
pub(crate) fn begin(path: &Path, make: impl FnOnce() -> io::Result<File>) -> io::Result<File> {
    static GUARD: Once = Once::new();
    GUARD.call_once(|| {
        let stop = || {
            // Held to the end: nothing is begun or finished any more.
            let unfinished = unfinished();
            if let Some(path) = &*unfinished {
                let _ = fs::remove_file(path);
            }
            print::complain(format_args!("stopped"));
            process::exit(STOPPED);
        };
        // It fails where signals are ignored on purpose (`nohup`): then they stay so.
        let _ = ctrlc::try_set_handler(stop);
    });
    let mut unfinished = unfinished();
    let made = make()?;
    *unfinished = Some(path.to_owned());
    Ok(made)
}

/// Gives the file that was begun its name, or gives it up: from here on it is nothing that stopping the command would remove.
pub(crate) fn finish<T>(end: impl FnOnce() -> T) -> T {
    let mut unfinished = unfinished();
    let ended = end();
    *unfinished = None;
    ended
}

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
