//! The address of an asset in one line of text: a file, or an entry of an archive.

use core::fmt::{self, Display, Formatter};
use std::path::{Path, PathBuf};

use super::error::AddressError;
use super::open::OpenArchive;
#[cfg(doc)]
use super::zip::Archive;
use crate::limits::Limits;
use crate::mapping::{Mapping, OpenError, Opener, is_address, shown};

/// The text between an archive's path and the name of an entry.
const SEPARATOR: &str = "!/";

/// The maximum path length of any system. The path of an archive is not searched beyond this number of bytes.
const MAX_PATH: usize = 1 << 15;

/// A file, or an entry of an archive: `mods/public.zip!/art/animation/x.psa`.
///
/// `Display` gives that text. To open many entries of one archive, use [`OpenArchive`]: it reads the directory once.
///
/// ```
/// use skelmap::archive::Address;
/// use skelmap::mapping::Opener;
///
/// let address = Address::find("tests/corpus/archive/mod.zip!/art/walk.psa");
/// assert_eq!(address.entry(), Some("art/walk.psa"));
/// let bytes = address.open(&Opener::reading())?;
/// assert!(skelmap::Asset::parse(&bytes).is_ok());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Address {
    path: PathBuf,
    entry: Option<String>,
    /// The whole address of an object, if it contains secrets, which are never shown.
    secret: Option<Box<Path>>,
}

impl Address {
    /// The address of a file.
    pub fn of_file(path: impl Into<PathBuf>) -> Self {
        Self::new(path.into(), None)
    }

    /// The address of an entry of an archive.
    pub fn of_entry(archive: impl Into<PathBuf>, entry: impl Into<String>) -> Self {
        Self::new(archive.into(), Some(entry.into()))
    }

    fn new(path: PathBuf, entry: Option<String>) -> Self {
        match path.to_str().map(|text| (text, shown(text))) {
            Some((text, shown)) if text != shown => {
                Self { path: shown.as_ref().into(), entry, secret: Some(Path::new(text).into()) }
            }
            _ => Self { path, entry, secret: None },
        }
    }

    /// The path to open: for an object, with the secret parts.
    #[doc(hidden)] // For skelmap-batch, which opens archives and objects itself.
    pub fn location(&self) -> &Path {
        self.secret.as_deref().unwrap_or(&self.path)
    }

    /// Parses a text. If the whole text is the path of a file or folder, that is the address. Otherwise the text is split at
    /// the first `!/` after the path of a file (on Windows, also at `!\`). The file system is only accessed for texts with `!/`, and the path of an
    /// archive must end in the first 32 KiB of the text. The address of an object in a store (`s3://bucket/mod.zip!/x.psa`) is
    /// split at the first `!/`, without a request.
    pub fn find(text: impl AsRef<Path>) -> Self {
        let whole = text.as_ref();
        if let Some(text) = whole.to_str().filter(|text| is_address(text)) {
            return match text.split_once(SEPARATOR) {
                Some((path, entry)) => Self::of_entry(path, entry),
                None => Self::of_file(text),
            };
        }
        let is_separator = |text: &str| text.starts_with(SEPARATOR) || cfg!(windows) && text.starts_with("!\\");
        let split = whole.to_str().and_then(|text| {
            let marks = text.match_indices('!').map(|(at, _)| at).take_while(|at| *at <= MAX_PATH);
            let mut places = marks.filter(|at| text.get(*at..).is_some_and(is_separator)).peekable();
            if places.peek().is_none() || whole.exists() {
                return None;
            }
            places.find_map(|at| {
                let (path, rest) = text.split_at_checked(at)?;
                let entry = rest.get(SEPARATOR.len()..)?;
                // On Windows, `!\art\x.psa` is typed too; names of entries have `/`.
                let typed = if rest.starts_with(SEPARATOR) { entry.to_owned() } else { entry.replace('\\', "/") };
                Path::new(path).is_file().then(|| Self::of_entry(path, typed))
            })
        });
        split.unwrap_or_else(|| Self::of_file(whole))
    }

    /// The path of the file; for an entry, the path of the archive.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The name of the entry; `None` for a file.
    pub fn entry(&self) -> Option<&str> {
        self.entry.as_deref()
    }

    /// Opens the file by the opener's policy, or the entry as in [`OpenArchive::open_entry`]. Reads the directory of the
    /// archive each time: O(entries of the archive), and O(entry) for a deflated entry. A compressed UEFormat file is unpacked, as by
    /// [`Opener::open`].
    ///
    /// # Errors
    /// [`AddressError`].
    pub fn open(&self, opener: &Opener) -> Result<Mapping<'static>, AddressError> {
        let location = self.location();
        let Some(name) = &self.entry else { return Ok(opener.open(location)?) };
        let archive = OpenArchive::open(location, opener, &Limits::default())?;
        let bytes = archive.open_entry(name)?;
        opener.unpacked(bytes).map_err(|error| OpenError::new(location, error).into())
    }
}

impl Display for Address {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match &self.entry {
            Some(entry) => write!(f, "{}{SEPARATOR}{entry}", self.path.display()),
            None => write!(f, "{}", self.path.display()),
        }
    }
}
