//! The files below a folder, in an order that depends on names alone.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};

use walkdir::WalkDir;

/// The most links to one folder that are followed. A few folders full of links to each other have too many paths to
/// walk.
const MOST_LINKS: u32 = 256;

/// A file or fault in a [`walk`].
#[derive(Debug)]
#[non_exhaustive]
pub enum Met {
    /// A file, or a link to one.
    File(PathBuf),
    /// A pipe, a socket or a device.
    Other(PathBuf),
    /// A folder that cannot be read, a link to nothing, or a folder with too many links to it.
    Failed {
        /// The path.
        path: PathBuf,
        /// The error of the system.
        error: io::Error,
    },
}

/// The files below a folder, with links followed, in name order; for a file, the file. Never endless: a link to a
/// folder above is skipped, and a folder is walked through at most 256 links, then reported once. Unfinished files of
/// the command (`.skelmap-*.part`) are skipped.
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
    let mut links: HashMap<PathBuf, u32> = HashMap::new();
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
                if !is_link {
                    continue;
                }
                let led = links.entry(path.canonicalize().unwrap_or_else(|_| path.clone())).or_default();
                *led = led.saturating_add(1);
                if *led <= MOST_LINKS {
                    continue;
                }
                entries.skip_current_dir();
                if *led == MOST_LINKS.saturating_add(1) {
                    let message = format!("{MOST_LINKS} links have led to this folder already; it is not walked again");
                    return Some(Met::Failed { path, error: io::Error::other(message) });
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

/// Whether a file is an unfinished output of the command.
fn is_partial(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().as_encoded_bytes();
    name.starts_with(b".skelmap-") && name.ends_with(b".part")
}
