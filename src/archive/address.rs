//! Where an asset lies, in one line of text: a file, or an entry of an archive.

use core::fmt::{self, Display, Formatter};
use std::io;
use std::path::{Path, PathBuf};

use super::error::ArchiveError;
use super::index::{Archive, Entry, Method};
use super::inflate::Inflater;
use crate::mapping::{Mapping, OpenError, Opener};

/// What stands between an archive's path and the name of an entry.
const SEPARATOR: &str = "!/";

/// No system has longer paths: where a text goes on after so many bytes, nothing before that is looked for.
const LONGEST_PATH: usize = 1 << 15;

/// A file, or an entry of an archive: `mods/public.zip!/art/animation/x.psa`.
///
/// `Display` gives that text.
///
/// ```
/// use skelmap::archive::Address;
/// use skelmap::mapping::Opener;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let address = Address::find("corpus/archive/mod.zip!/art/walk.psa");
/// assert_eq!(address.entry(), Some("art/walk.psa"));
/// let bytes = address.open(&Opener::reading())?;
/// assert!(skelmap::Asset::parse(&bytes).is_ok());
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Address {
    path: PathBuf,
    entry: Option<String>,
}

impl Address {
    /// The address of a file.
    pub fn of_file(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into(), entry: None }
    }

    /// The address of an entry of an archive.
    pub fn of_entry(archive: impl Into<PathBuf>, entry: impl Into<String>) -> Self {
        Self { path: archive.into(), entry: Some(entry.into()) }
    }

    /// The address that a text means. What exists decides: the text as a whole if there is such a file or folder, else the first
    /// `!/` before which there is a file. Asks the file system only about texts with `!/` in them. Paths of archives end within the
    /// first 32 KiB.
    pub fn find(text: impl AsRef<Path>) -> Self {
        let whole = text.as_ref();
        let split = whole.to_str().filter(|text| text.contains(SEPARATOR) && !whole.exists()).and_then(|text| {
            let mut places = text.match_indices(SEPARATOR).take_while(|(at, _)| *at <= LONGEST_PATH);
            places.find_map(|(at, separator)| {
                let (path, rest) = (text.get(..at)?, text.get(at.checked_add(separator.len())?..)?);
                Path::new(path).is_file().then(|| Self::of_entry(path, rest))
            })
        });
        split.unwrap_or_else(|| Self::of_file(whole))
    }

    /// The file: the archive's, where this is an entry.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The name of the entry, where this is one.
    pub fn entry(&self) -> Option<&str> {
        self.entry.as_deref()
    }

    /// Opens what lies there: a file by the opener's policy; an entry as a part of its archive's bytes if it is stored, else
    /// inflated into memory. O(entries of the archive), and O(entry) where it is inflated.
    ///
    /// # Errors
    /// [`AddressError`].
    pub fn open(&self, opener: &Opener) -> Result<Mapping<'static>, AddressError> {
        let Some(name) = &self.entry else { return Ok(opener.open(&self.path)?) };
        let file = opener.for_parts().open(&self.path)?;
        let of_archive = |error| AddressError::Archive { path: self.path.clone(), error };
        let archive = Archive::parse(&file).map_err(of_archive)?;
        let entry = archive.entry(name).map_err(of_archive)?;
        open_entry(&file, &archive, &entry).map_err(of_archive)
    }
}

/// The data of an entry, as a part of the archive's bytes or inflated.
pub(crate) fn open_entry(
    file: &Mapping<'static>,
    archive: &Archive<'_>,
    entry: &Entry<'_>,
) -> Result<Mapping<'static>, ArchiveError> {
    if entry.method() == Method::Stored {
        let part = archive.stored_range(entry)?.and_then(|range| file.part(range));
        return Ok(part.unwrap_or(Mapping::borrowed(&[])));
    }
    let mut inflater = Inflater::new();
    archive.read(entry, &mut inflater)?;
    Ok(inflater.into_buffer().into())
}

impl Display for Address {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match &self.entry {
            Some(entry) => write!(f, "{}{SEPARATOR}{entry}", self.path.display()),
            None => write!(f, "{}", self.path.display()),
        }
    }
}

/// Why what lies at an address could not be opened.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AddressError {
    /// The file could not be opened.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The archive or its entry could not be read.
    #[error("{}: {error}", path.display())]
    Archive {
        /// The archive.
        path: PathBuf,
        /// What is wrong with it.
        error: ArchiveError,
    },
}

impl AddressError {
    /// The error without the path of the file, which the caller knows.
    pub fn into_io(self) -> io::Error {
        match self {
            Self::Open(error) => error.into_io(),
            Self::Archive { error, .. } => io::Error::new(io::ErrorKind::InvalidData, error),
        }
    }
}
