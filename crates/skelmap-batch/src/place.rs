//! The places of outputs below a folder. On Linux the folder of each is held open, and files are made through it: what another program puts in the
//! place of a folder meanwhile, such as a link, leads nowhere. Outputs that a thread writes at once share one
//! descriptor for their folder, which closes with the last of them.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
#[cfg(target_os = "linux")]
use std::sync::Arc;

/// The place of an output.
#[derive(Clone, Debug)]
pub struct Place {
    path: PathBuf,
    /// The path through the open folder; elsewhere the same path.
    held: PathBuf,
    #[cfg(target_os = "linux")]
    #[expect(dead_code, reason = "holds the folder open")]
    folder: Option<Arc<linux::Folder>>,
}

impl Place {
    /// The place that a path leads to, as whoever names the path wants it.
    pub fn of(path: &Path) -> Self {
        Self {
            path: path.to_owned(),
            held: path.to_owned(),
            #[cfg(target_os = "linux")]
            folder: None,
        }
    }

    /// A place below a folder. The folders in between are made; none of them may be a link, which could lead elsewhere.
    ///
    /// # Errors
    /// A link or a file in the place of a folder; those of the system.
    pub fn below(folder: &Path, relative: &Path) -> io::Result<Self> {
        let path = below(folder, relative, true)?;
        #[cfg(target_os = "linux")]
        if let Some(folder) = linux::Folder::shared(folder, relative)? {
            let held = folder.path(path.file_name().unwrap_or_default());
            return Ok(Self { path, held, folder: Some(folder) });
        }
        Ok(Self::of(&path))
    }

    /// A place beside this one.
    #[must_use]
    pub fn beside(&self, name: impl AsRef<OsStr>) -> Self {
        let (path, held) = (self.path.with_file_name(&name), self.held.with_file_name(&name));
        Self { path, held, ..self.clone() }
    }

    /// Whether the folder of the output is held open, and so is there.
    pub(crate) fn is_held(&self) -> bool {
        self.held != self.path
    }

    /// The path, for people.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The path by which the file is made. It is good as long as this value lives.
    pub fn held(&self) -> &Path {
        &self.held
    }
}

/// A path below a folder, with one separator throughout, that of the system: names have `/` between their parts on every system.
pub(crate) fn joined(folder: &Path, relative: &Path) -> PathBuf {
    uniform(&folder.join(relative))
}

/// A path with one separator throughout. Windows accepts two.
pub(crate) fn uniform(path: &Path) -> PathBuf {
    if cfg!(windows) { path.components().collect() } else { path.to_owned() }
}

/// The path of a file below a folder. None of the folders in between may be a link, which could lead elsewhere. `is_made`: those that
/// are missing are made.
///
/// # Errors
/// A link or a file in the place of a folder; those of the system.
pub fn below(folder: &Path, relative: &Path, is_made: bool) -> io::Result<PathBuf> {
    let mut path = uniform(folder);
    for part in relative.parent().into_iter().flat_map(Path::components) {
        path.push(part);
        if is_made {
            match fs::create_dir(&path) {
                // Perhaps another run has made the folder.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                made => made?,
            }
        }
        match path.symlink_metadata() {
            Ok(metadata) if metadata.is_dir() => {}
            Ok(_) => {
                let message = format!("{} exists and is not a folder", path.display());
                return Err(io::Error::new(io::ErrorKind::NotADirectory, message));
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
    }
    path.push(relative.file_name().unwrap_or_default());
    Ok(path)
}

#[cfg(target_os = "linux")]
mod linux {
    use std::cell::Cell;
    use std::collections::BTreeMap;
    use std::ffi::OsStr;
    use std::fs;
    use std::io;
    use std::os::fd::{AsRawFd, OwnedFd};
    use std::os::unix::fs::MetadataExt;
    use std::path::{Path, PathBuf};
    use std::sync::{Arc, Weak};

    use rustix::fs::{Mode, OFlags, fstat, open, openat};

    /// Open folders, by the folder of all outputs and the path below it.
    type Held = BTreeMap<[PathBuf; 2], Weak<Folder>>;

    thread_local! {
        /// The folders that outputs of this thread hold. Without a lock, which a process that forks now would never get.
        static HELD: Cell<Held> = const { Cell::new(Held::new()) };
    }

    /// An open folder.
    #[derive(Debug)]
    pub(super) struct Folder(OwnedFd);

    impl Folder {
        /// [`open`](Self::open), or the folder that another output of this thread holds already, if the path still leads to it.
        pub(super) fn shared(folder: &Path, relative: &Path) -> io::Result<Option<Arc<Self>>> {
            let mut held = HELD.take();
            held.retain(|_, folder| folder.strong_count() > 0);
            let found = Self::open_unless_held(folder, relative, &mut held);
            HELD.set(held);
            found
        }

        fn open_unless_held(folder: &Path, relative: &Path, held: &mut Held) -> io::Result<Option<Arc<Self>>> {
            let below = relative.parent().unwrap_or(Path::new(""));
            let key = [folder.to_owned(), below.to_owned()];
            if let Some(known) = held.get(&key).and_then(Weak::upgrade) {
                if known.is_at(&folder.join(below))? {
                    return Ok(Some(known));
                }
            }
            let opened = Self::open(folder, relative)?.map(Arc::new);
            if let Some(opened) = &opened {
                held.insert(key, Arc::downgrade(opened));
            }
            Ok(opened)
        }

        /// The folder of a relative path, by steps of which none follows a link. `None` if the system has no paths through open files.
        pub(super) fn open(folder: &Path, relative: &Path) -> io::Result<Option<Self>> {
            let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
            let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
            let mut opened = open(folder, flags, Mode::empty())?;
            for part in relative.parent().into_iter().flat_map(Path::components) {
                opened = openat(&opened, part.as_os_str(), flags | OFlags::NOFOLLOW, Mode::empty())?;
            }
            let opened = Self(opened);
            Ok(opened.is_at(&opened.root())?.then_some(opened))
        }

        /// Whether a path leads to this folder.
        fn is_at(&self, path: &Path) -> io::Result<bool> {
            let (status, found) = (fstat(&self.0)?, fs::metadata(path));
            Ok(found.is_ok_and(|found| (found.dev(), found.ino()) == (status.st_dev, status.st_ino)))
        }

        /// The path of a file in the folder, wherever the folder is moved.
        pub(super) fn path(&self, name: &OsStr) -> PathBuf {
            self.root().join(name)
        }

        fn root(&self) -> PathBuf {
            PathBuf::from(format!("/proc/self/fd/{}", self.0.as_raw_fd()))
        }
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        /// What another program puts in the place of a folder after the path was looked at.
        #[test]
        fn neither_a_file_nor_a_link_is_opened_in_the_place_of_a_folder() {
            let root = tempfile::tempdir().expect("a folder");
            let path = |name: &str| root.path().join(name);
            fs::create_dir(path("folder")).expect("made");
            fs::write(path("file"), "").expect("written");
            std::os::unix::fs::symlink("folder", path("link")).expect("made");
            let open = |relative: &str| Folder::open(root.path(), Path::new(relative));
            let folder = open("folder/a").expect("opened").expect("Linux has such paths");
            fs::write(folder.path(OsStr::new("a")), "own").expect("written");
            assert_eq!(fs::read(path("folder/a")).expect("a file"), b"own");
            assert!(open("file/a").is_err() && open("link/a").is_err());
            assert!(Folder::open(&path("file"), Path::new("a")).is_err());
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_folder_that_cannot_be_made_or_looked_at_is_an_error() {
        let root = tempfile::tempdir().expect("a folder");
        let (none, file) = (root.path().join("none"), root.path().join("file"));
        fs::write(&file, "").expect("written");
        let kind = |folder: &Path, is_made| below(folder, Path::new("a/b"), is_made).map_err(|error| error.kind());
        assert_eq!(kind(&none, true), Err(io::ErrorKind::NotFound));
        assert_eq!(kind(&file, true), Err(io::ErrorKind::NotADirectory));
        assert_eq!(kind(&file, false), Err(io::ErrorKind::NotADirectory));
        assert_eq!(kind(&none, false), Ok(none.join("a/b")));
    }

    /// By a path through the open folder, where the system has such paths.
    #[cfg(target_os = "linux")]
    #[test]
    fn the_folder_of_an_output_below_another_is_held_and_that_of_a_named_path_is_not() {
        let root = tempfile::tempdir().expect("a folder");
        let held = Place::below(root.path(), Path::new("art/a.glb")).expect("a place");
        assert!(held.is_held() && held.beside("a.png").is_held());
        assert_eq!(held.path(), root.path().join("art/a.glb"));
        let named = Place::of(&root.path().join("art/a.glb"));
        assert!(!named.is_held() && !named.beside("a.png").is_held());
    }
}

#[cfg(all(test, windows))]
mod windows_tests {
    use super::*;

    /// Paths are equal whatever their separators are; their texts are not.
    #[test]
    fn a_path_below_a_folder_has_one_separator() {
        let shown = |folder: &str, relative: &str| joined(Path::new(folder), Path::new(relative)).display().to_string();
        assert_eq!(shown("out", "art/horse.glb"), r"out\art\horse.glb");
        assert_eq!(shown("Z:/mods/out/", "art/horse.glb"), r"Z:\mods\out\art\horse.glb");
        assert_eq!(shown("./out", "a.glb"), r".\out\a.glb");
        assert_eq!(shown(r"\\?\C:\out", "art/horse.glb"), r"\\?\C:\out\art\horse.glb");
        assert_eq!(shown(r"\\server\share/out", "a.glb"), r"\\server\share\out\a.glb");
    }
}
