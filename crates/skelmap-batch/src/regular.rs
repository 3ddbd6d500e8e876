//! Small files beside assets. A folder can have a pipe or a device of any name, whose end never comes.

use std::fs::File;
use std::io::{self, ErrorKind, Read as _};
use std::path::{Path, PathBuf, absolute};

use skelmap::mapping::first_bytes;

/// Whether an error of the system says that nothing is there, or nothing that a path can lead to. After another one something may be there:
/// opening it tells why.
pub(crate) fn is_absence(error: &io::Error) -> bool {
    #[cfg(target_os = "linux")]
    let is_too_long = error.raw_os_error() == Some(rustix::io::Errno::NAMETOOLONG.raw_os_error());
    #[cfg(not(target_os = "linux"))]
    let is_too_long = false;
    is_too_long || matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory)
}

/// The path of what is there, without links. For long paths and for some volumes, Windows does not tell it: then as much of the path as it tells,
/// and the rest by its text, in which case counts for nothing.
///
/// # Errors
/// Nothing is there.
pub fn real_path(path: &Path) -> io::Result<PathBuf> {
    path.canonicalize().or_else(|error| match path.metadata() {
        Ok(_) => absolute(path).map(|whole| by_text(&whole)),
        Err(_) => Err(error),
    })
}

/// The real path of the nearest folder above that has one, and the rest.
fn by_text(whole: &Path) -> PathBuf {
    let above = whole.ancestors().skip(1).find_map(|above| Some((above.canonicalize().ok()?, above)));
    let (real, rest) = match above {
        Some((real, above)) => (real, whole.strip_prefix(above).unwrap_or(whole)),
        None => (PathBuf::new(), whole),
    };
    if cfg!(windows) { real.join(rest.to_string_lossy().to_lowercase()) } else { real.join(rest) }
}

/// Whether a path leads to a regular file, or to what the system does not tell of.
pub(crate) fn may_be_file(path: &Path) -> bool {
    path.metadata().map_or_else(|error| !is_absence(&error), |metadata| metadata.is_file())
}

/// The first bytes of a regular file, or of one that a link leads to.
///
/// # Errors
/// Those of the system; a path to anything else.
pub(crate) fn read_regular(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    if !path.metadata()?.is_file() {
        return Err(io::Error::other("is no regular file"));
    }
    let mut bytes = Vec::new();
    File::open(path)?.take(most).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Whether a path leads to a regular file that begins as a ZIP archive: with an entry, or with the end of an archive without entries.
///
/// # Errors
/// Those of the system.
pub fn begins_as_archive(path: &Path) -> io::Result<bool> {
    Ok(path.metadata()?.is_file() && is_archive(&first_bytes(path, 4)?))
}

/// Whether the first bytes of a file are those of a ZIP archive.
pub(crate) fn is_archive(first: &[u8]) -> bool {
    first.starts_with(b"PK\x03\x04") || first.starts_with(b"PK\x05\x06")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What stands in for the answer of the system is that answer, where there is one.
    #[test]
    fn a_path_by_its_text_has_no_links_above_the_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path().canonicalize().expect("a path");
        std::fs::create_dir(root.join("a")).expect("made");
        std::fs::write(root.join("a").join("b.psk"), "").expect("written");
        let real = root.join("a").join("b.psk");
        let typed = root.join("a").join("..").join("a").join("b.psk");
        assert_eq!(real_path(&typed).expect("there"), real);
        assert!(real_path(&root.join("none")).is_err());
        assert_eq!(by_text(&absolute(&typed).expect("a path")), real);
        assert_eq!(by_text(Path::new("none")), Path::new("none"));
    }
}
