//! The files below a folder, in an order that depends on names alone.

use std::collections::HashSet;
use std::io;
use std::path::{Path, PathBuf};

use walkdir::WalkDir;

/// How often a walk enters folders again through links: so many times, and four times for each folder. Forty folders
/// full of links to each other have more paths than anybody can walk.
const REPEATS: u32 = 256;
const REPEATS_FOR_EACH_FOLDER: u32 = 4;

/// A file or fault in a [`walk`].
#[derive(Debug)]
#[non_exhaustive]
pub enum Met {
    /// A file, or a link to one.
    File(PathBuf),
    /// A pipe, a socket or a device.
    Other(PathBuf),
    /// A folder that cannot be read, a link to nothing, or one of too many links.
    Failed {
        /// The path.
        path: PathBuf,
        /// The error of the system.
        error: io::Error,
    },
}

/// A budget for the links of a walk: they lead to a folder again at most 256 times and four times for each folder.
///
/// ```
/// use skelmap_batch::items::Links;
///
/// let (mut links, folder) = (Links::default(), "../../tests/corpus".as_ref());
/// assert!(links.enter(folder, false));
/// let entered = (0..1000).filter(|_| links.enter(folder, true)).count();
/// assert_eq!(entered, 256 + 4 + 1 + 4);
/// ```
#[derive(Debug)]
pub struct Links {
    /// The folders that links led to.
    known: HashSet<PathBuf>,
    repeats: u32,
}

impl Default for Links {
    fn default() -> Self {
        Self { known: HashSet::new(), repeats: REPEATS }
    }
}

impl Links {
    /// Whether a walk may enter a folder. `is_link`: a link leads to it.
    pub fn enter(&mut self, folder: &Path, is_link: bool) -> bool {
        if !is_link || self.known.insert(folder.canonicalize().unwrap_or_else(|_| folder.to_owned())) {
            self.repeats = self.repeats.saturating_add(REPEATS_FOR_EACH_FOLDER);
            return true;
        }
        match self.repeats.checked_sub(1) {
            Some(rest) => self.repeats = rest,
            None => return false,
        }
        true
    }

    /// What the first link that may not be entered gives.
    pub fn exhausted(link: PathBuf) -> Met {
        let message = "too many links lead to the same folders; this one and further ones are not followed";
        Met::Failed { path: link, error: io::Error::other(message) }
    }
}

/// The files below a folder, with links followed, in name order; for a file, the file. Never endless: a link to a
/// folder above is skipped, and other links have a budget ([`Links`]), whose end is reported once. Unfinished files of the
/// command (`.skelmap-*.part`) are skipped.
///
/// ```
/// use skelmap_batch::items::{Met, walk};
///
/// let files = walk("../../tests/corpus/archive".as_ref()).filter(|met| matches!(met, Met::File(_)));
/// assert!(files.count() > 1);
/// ```
pub fn walk(root: &Path) -> impl Iterator<Item = Met> + use<> {
    let root = root.to_owned();
    let mut entries = WalkDir::new(&root).follow_links(true).sort_by_file_name().into_iter();
    let (mut links, mut is_exhausted) = (Links::default(), false);
    std::iter::from_fn(move || {
        loop {
            let entry = match entries.next()? {
                Ok(entry) => entry,
                Err(error) if error.loop_ancestor().is_some() => continue,
                Err(error) => {
                    let path = error.path().unwrap_or(&root).to_owned();
                    let error = error.into_io_error().unwrap_or_else(|| io::Error::other("cannot be walked"));
                    return Some(Met::Failed { path, error });
                }
            };
            let (kind, is_link) = (entry.file_type(), entry.path_is_symlink());
            let path = entry.into_path();
            if kind.is_dir() {
                if !links.enter(&path, is_link) {
                    entries.skip_current_dir();
                    if !std::mem::replace(&mut is_exhausted, true) {
                        return Some(Links::exhausted(path));
                    }
                }
            } else if !kind.is_file() {
                return Some(Met::Other(path));
            } else if !is_partial(&path) {
                return Some(Met::File(path));
            }
        }
    })
}

/// The beginning of the name of an unfinished output of the command.
pub const PARTIAL_START: &str = ".skelmap-";
/// The end of the name of an unfinished output of the command.
pub const PARTIAL_END: &str = ".part";

/// Whether a file has the name of an unfinished output of the command.
pub fn is_partial(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().as_encoded_bytes();
    name.starts_with(PARTIAL_START.as_bytes()) && name.ends_with(PARTIAL_END.as_bytes())
}
