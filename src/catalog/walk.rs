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

/// The files below a folder, with links followed, in name order; for a file, the file. Never endless: a link to a
/// folder above is skipped, and links lead to a folder again at most 256 times and four times for each folder, which is reported
/// once. Unfinished files of the command (`.skelmap-*.part`) are skipped.
///
/// ```
/// use skelmap::catalog::{Met, walk};
///
/// let files = walk("tests/corpus/archive".as_ref()).filter(|met| matches!(met, Met::File(_)));
/// assert!(files.count() > 1);
/// ```
pub fn walk(root: &Path) -> impl Iterator<Item = Met> {
    let root = root.to_owned();
    let mut entries = WalkDir::new(&root).follow_links(true).sort_by_file_name().into_iter();
    let (mut known, mut repeats, mut is_exhausted) = (HashSet::new(), REPEATS, false);
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
                if !is_link || known.insert(path.canonicalize().unwrap_or_else(|_| path.clone())) {
                    repeats = repeats.saturating_add(REPEATS_FOR_EACH_FOLDER);
                } else if let Some(rest) = repeats.checked_sub(1) {
                    repeats = rest;
                } else {
                    entries.skip_current_dir();
                    if !std::mem::replace(&mut is_exhausted, true) {
                        let message =
                            "too many links lead to the same folders; this one and further ones are not followed";
                        return Some(Met::Failed { path, error: io::Error::other(message) });
                    }
                }
            } else if kind.is_file() {
                if !is_partial(&path) {
                    return Some(Met::File(path));
                }
            } else {
                return Some(Met::Other(path));
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
