//! Files that appear complete or not at all: they are written under another name and then renamed. An unfinished file is removed.
//!
//! A run locks its unfinished file. The system drops the lock when the process ends, however it ends, so a later run for the same output can
//! tell the file of a killed run from that of a run that is at work. A lock counts only while the path leads to the locked file.

use std::collections::HashSet;
use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use fs4::{FileExt, TryLockError};
#[cfg(not(unix))]
use same_file::Handle;
use tempfile::{Builder, NamedTempFile};

use crate::place::Place;
use crate::unfinished::{PARTIAL_START, begin, create_folders, finish, finish_all};

/// Writes the folder of a file to the disk, so that the file's new name survives a loss of power.
///
/// # Errors
/// Those of the system.
pub fn sync_folder(path: &Path) -> io::Result<()> {
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

/// The folder of a file; the current one for a bare name.
pub(crate) fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Makes the folder of an output, and those above it.
///
/// # Errors
/// Those of the system.
pub(crate) fn create_folder_of(output: &Path) -> io::Result<()> {
    match create_folders(folder_of(output)) {
        // A file, or a link to nothing, has the name of the folder: making the output fails, and that error is about the output.
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        made => made,
    }
}

/// Checks that a path leads to a regular file that has no other name, so that writing to the file changes no other one. Only Unix tells how many
/// names a file has: elsewhere a second name is not seen (the standard library's number of links on Windows is unstable).
///
/// # Errors
/// A link, a file with several names, anything else that is no regular file; those of the system.
pub fn check_own(path: &Path) -> io::Result<()> {
    let metadata = path.symlink_metadata()?;
    #[cfg(unix)]
    let is_alone = std::os::unix::fs::MetadataExt::nlink(&metadata) == 1;
    #[cfg(not(unix))]
    let is_alone = true;
    if metadata.is_file() && is_alone { Ok(()) } else { Err(io::Error::other("is a link, or no regular file")) }
}

/// What is said of an output that is there.
pub const EXISTS: &str = "exists already (--force replaces it)";

/// What is said of an output that another run has made since this one began.
pub(crate) const WRITTEN: &str = "another run has written it meanwhile";

/// The permissions of the file that a new file would replace, or an error if it must not be replaced.
///
/// # Errors
/// Those of the system.
pub fn replaceable(path: &Path, force: bool) -> io::Result<Option<Permissions>> {
    match path.symlink_metadata() {
        Ok(metadata) if !metadata.is_file() => Err(io::Error::other("exists and is not a regular file")),
        Ok(_) if !force => Err(io::Error::new(io::ErrorKind::AlreadyExists, EXISTS)),
        Ok(metadata) => Ok(Some(metadata.permissions())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Another run writes the same output.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct Busy(pub String);

/// Whether an output is not written because another run writes it.
pub fn is_busy(error: &io::Error) -> bool {
    error.get_ref().is_some_and(<dyn std::error::Error + Send + Sync>::is::<Busy>)
}

/// Locks an unfinished file as long as the file is open. `false` if another run has locked or removed the file.
pub fn lock(path: &Path, file: &File) -> bool {
    // Some file systems have no locks.
    let is_busy = matches!(FileExt::try_lock(file), Err(TryLockError::WouldBlock));
    !is_busy && is_at(path, file)
}

/// Whether the path leads to the opened file. On Unix it takes no other open file, of which a process may have no more.
pub fn is_at(path: &Path, file: &File) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let place = |metadata: fs::Metadata| (metadata.dev(), metadata.ino());
        path.metadata().map(place).ok().zip(file.metadata().map(place).ok()).is_some_and(|(one, other)| one == other)
    }
    #[cfg(not(unix))]
    {
        let opened = file.try_clone().and_then(Handle::from_file);
        opened.is_ok_and(|opened| Handle::from_path(path).is_ok_and(|found| found == opened))
    }
}

/// What attempts at the same work have in common: the beginning of the names of their unfinished files.
#[derive(Clone, Debug)]
pub struct Work(String);

impl Work {
    /// Work with this key.
    pub fn new(key: &[u8]) -> Self {
        Self(format!("{PARTIAL_START}{:016x}-", xxhash_rust::xxh3::xxh3_64(key)))
    }

    /// The work of one output.
    pub fn of(output: &Path) -> Self {
        Self::new(output.file_name().unwrap_or_default().as_encoded_bytes())
    }

    /// Removes the unfinished files of killed attempts from the folder of an output.
    pub fn remove_orphans(&self, output: &Path) {
        for entry in fs::read_dir(folder_of(output)).into_iter().flatten().flatten() {
            let name = entry.file_name();
            let name = name.as_encoded_bytes();
            let is_own = name.starts_with(self.0.as_bytes()) && name.ends_with(PARTIAL_END.as_bytes());
            if !is_own || !entry.file_type().is_ok_and(|kind| kind.is_file()) {
                continue;
            }
            let path = entry.path();
            let Ok(file) = OpenOptions::new().read(true).write(true).open(&path) else { continue };
            // Without the lock, the owner may be at work.
            if FileExt::try_lock(&file).is_ok() && is_at(&path, &file) {
                let _ = fs::remove_file(&path);
            }
        }
    }

    /// Creates and locks an unfinished file.
    fn begin(&self, output: &Path, options: &OpenOptions) -> io::Result<NamedTempFile<File>> {
        const ATTEMPTS: usize = 16;
        let mut builder = Builder::new();
        builder.prefix(&self.0).suffix(PARTIAL_END);
        for _ in 0..ATTEMPTS {
            // The error of the system alone: the path may be one through an open folder.
            let mut fault = None;
            let file = builder.make_in(folder_of(output), |path| {
                begin(path, || options.open(path)).inspect_err(|error| fault = error.raw_os_error())
            });
            let file = file.map_err(|error| fault.map_or(error, io::Error::from_raw_os_error))?;
            if lock(file.path(), file.as_file()) {
                return Ok(file);
            }
            // Another attempt took the file for an orphan before the lock was there.
            let path = file.path().to_owned();
            finish(&path, || drop(file));
        }
        Err(io::Error::other(Busy("other runs remove the unfinished file".to_owned())))
    }
}

/// Writes a file under a temporary name and renames it. Its folder is made. Programs that have the old file open or mapped keep the old bytes.
///
/// The bytes are on the disk before the name is, and the name when this returns. Slow: for files that cannot be made again from others.
/// Only `force` replaces an existing file; its permissions stay.
///
/// # Errors
/// Those of the system.
pub fn save(
    path: &Path,
    force: bool,
    write: impl FnOnce(&mut BufWriter<&mut File>) -> io::Result<()>,
) -> io::Result<()> {
    Saver::new(Work::of(path)).save(&Place::of(path), force, |out| {
        write(out)?;
        to_disk(out)
    })?;
    sync_folder(path)
}

/// Writes what is buffered, and waits until the disk has it.
///
/// # Errors
/// Those of the system.
pub fn to_disk(out: &mut BufWriter<&mut File>) -> io::Result<()> {
    out.flush()?;
    out.get_ref().sync_all()
}

/// Writes the many files of a work, each under a temporary name first. A folder is cleaned of the unfinished files of killed runs once, not
/// for each file.
#[derive(Debug)]
pub struct Saver {
    work: Work,
    cleaned: HashSet<PathBuf>,
}

impl Saver {
    /// Nothing is cleaned yet.
    pub fn new(work: Work) -> Self {
        Self { work, cleaned: HashSet::new() }
    }

    /// Writes a file under a temporary name and renames it. Only `force` replaces an existing file; its permissions stay.
    ///
    /// # Errors
    /// Those of the system.
    pub fn save(
        &mut self,
        place: &Place,
        force: bool,
        write: impl FnOnce(&mut BufWriter<&mut File>) -> io::Result<()>,
    ) -> io::Result<()> {
        persist(vec![self.begin(place, force, write)?]).map_err(|(_, error)| error)
    }

    /// Writes a file that gets its name together with others.
    ///
    /// # Errors
    /// Those of the system.
    pub(crate) fn begin(
        &mut self,
        place: &Place,
        force: bool,
        write: impl FnOnce(&mut BufWriter<&mut File>) -> io::Result<()>,
    ) -> io::Result<Written> {
        if self.cleaned.insert(folder_of(place.path()).to_owned()) {
            self.work.remove_orphans(place.held());
        }
        Written::new(&self.work, place, force, write)
    }
}

/// A file that is complete under a temporary name. Goes to [`persist`] or [`discard`].
#[derive(Debug)]
pub struct Written {
    file: NamedTempFile<File>,
    place: Place,
    force: bool,
    size: u64,
}

/// Gives files their final names, in this order. The error has the name of the file.
///
/// # Errors
/// Those of the system.
pub fn persist(files: Vec<Written>) -> Result<(), (PathBuf, io::Error)> {
    let unfinished: Vec<PathBuf> = files.iter().map(|own| own.file.path().to_owned()).collect();
    finish_all(&unfinished, || {
        files.into_iter().try_for_each(|Written { file, place, force, .. }| {
            let held = place.held();
            let persisted = if force { file.persist(held) } else { file.persist_noclobber(held) };
            // A file of this name was not there when the new one was begun.
            let fault = |error: io::Error| match error.kind() {
                io::ErrorKind::AlreadyExists => io::Error::other(Busy(WRITTEN.to_owned())),
                _ => error,
            };
            persisted.map(drop).map_err(|error| (place.path().to_owned(), fault(error.error)))
        })
    })
}

/// Removes files that are not wanted any more.
pub fn discard(files: Vec<Written>) {
    let unfinished: Vec<PathBuf> = files.iter().map(|own| own.file.path().to_owned()).collect();
    finish_all(&unfinished, || drop(files));
}

impl Written {
    /// The final name.
    pub fn path(&self) -> &Path {
        self.place.path()
    }

    /// The complete file, to be read.
    pub fn file(&self) -> &File {
        self.file.as_file()
    }

    /// The number of bytes.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// Writes one of several outputs of a work, and makes its folder. Only `force` replaces an existing file; its permissions stay.
    ///
    /// # Errors
    /// Those of the system.
    pub fn new(
        work: &Work,
        place: &Place,
        force: bool,
        write: impl FnOnce(&mut BufWriter<&mut File>) -> io::Result<()>,
    ) -> io::Result<Self> {
        let old = replaceable(place.held(), force)?;
        if !place.is_held() {
            create_folder_of(place.path())?;
        }
        let mut options = OpenOptions::new();
        options.read(true).write(true).create_new(true);
        #[cfg(unix)]
        if old.is_some() {
            // Nobody else may read the new file until it has the permissions of the old one.
            std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        }
        let mut file = work.begin(place.held(), &options)?;
        let mut out = BufWriter::with_capacity(1 << 16, file.as_file_mut());
        let written = write(&mut out).and_then(|()| out.flush());
        // After an error, the rest of the buffer is useless.
        drop(out.into_parts());
        let ready = written.and_then(|()| {
            old.map_or(Ok(()), |permissions| file.as_file().set_permissions(permissions))?;
            Ok(file.as_file().metadata()?.len())
        });
        let own = Self { file, place: place.clone(), force, size: *ready.as_ref().unwrap_or(&0) };
        match ready {
            Ok(_) => Ok(own),
            Err(error) => {
                discard(vec![own]);
                Err(error)
            }
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
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
    fn an_output_that_another_run_gives_its_name_first_is_busy_and_stays() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.glb");
        let written =
            Written::new(&Work::of(&path), &Place::of(&path), false, |out| out.write_all(b"own")).expect("written");
        fs::write(&path, b"of another run").expect("written");
        let (at, error) = persist(vec![written]).expect_err("there already");
        assert!(at == path && is_busy(&error) && error.kind() != io::ErrorKind::AlreadyExists, "{error}");
        let files: Vec<_> = fs::read_dir(folder.path()).expect("a folder").collect();
        assert_eq!((files.len(), fs::read(&path).expect("a file")), (1, b"of another run".to_vec()));
    }

    #[test]
    fn an_output_gets_a_folder_and_a_file_in_place_of_one_is_an_error() {
        let root = tempfile::tempdir().expect("a folder");
        let written = |name: &str| {
            let path = root.path().join(name);
            let made = Written::new(&Work::of(&path), &Place::of(&path), false, |out| out.write_all(b"own"));
            made.and_then(|made| persist(vec![made]).map_err(|(_, error)| error)).map_err(|error| error.kind())
        };
        assert_eq!(written("new/deep/a.glb"), Ok(()));
        assert_eq!(fs::read(root.path().join("new/deep/a.glb")).expect("a file"), b"own");
        let below = root.path().join("new/deep/a.glb/folder/b.glb");
        let error = create_folder_of(&below).expect_err("a file is no folder");
        assert_ne!(error.kind(), io::ErrorKind::AlreadyExists);
    }

    /// A folder of many outputs is listed once. What another run leaves there meanwhile stays for the next run.
    #[test]
    fn the_first_file_of_a_folder_cleans_it_and_the_others_do_not_list_it_again() {
        let root = tempfile::tempdir().expect("a folder");
        let mut saver = Saver::new(Work::new(b"many"));
        let left = |folder: &str| root.path().join(folder).join(format!("{}killed{PARTIAL_END}", Work::new(b"many").0));
        for folder in ["a", "b"] {
            fs::create_dir(root.path().join(folder)).expect("made");
            fs::write(left(folder), b"half").expect("written");
            for (name, is_left) in [("0.png", false), ("1.png", true), ("2.png", true)] {
                saver
                    .save(&Place::of(&root.path().join(folder).join(name)), false, |out| out.write_all(b"whole"))
                    .expect("saved");
                assert_eq!(left(folder).exists(), is_left, "{folder}/{name}");
                fs::write(left(folder), b"half").expect("written");
            }
        }
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

/// The end of the name of an unfinished output of the command.
const PARTIAL_END: &str = ".part";

/// Whether a file has a name that the command keeps for files of its own: unfinished outputs, and records of conversions. An archive
/// must not bring such a file.
pub fn is_reserved(path: &Path) -> bool {
    path.file_name().unwrap_or_default().as_encoded_bytes().to_ascii_lowercase().starts_with(PARTIAL_START.as_bytes())
}

/// Whether a file has the name of an unfinished output of the command.
pub fn is_partial(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().as_encoded_bytes();
    name.starts_with(PARTIAL_START.as_bytes()) && name.ends_with(PARTIAL_END.as_bytes())
}
