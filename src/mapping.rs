//! Where bytes live: mapped from a file, read from it, or borrowed. The only file with `unsafe`.
//!
//! # Mapping or reading
//! A map costs nothing per byte, but while it lives **no process may truncate or change the file**: after a truncation, touching
//! the lost pages kills the process (SIGBUS), and changed bytes show up behind a `&[u8]` that Rust takes for constant. Replacing
//! the file by a rename, or deleting it, is harmless: the map keeps the old bytes. That is why mapping is `unsafe` and reading is
//! not. Small files are faster to read than to map in any case; [`Opener`] chooses by size.

#![allow(unsafe_code)]

use core::fmt::{self, Debug, Formatter};
use core::ops::{Deref, Range};
use std::fs::{File, Metadata};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// From this size on, mapping a file is faster than reading it (measured on warm files, 1 to 4 MiB).
pub const MAP_FROM: u64 = 2 << 20;

/// How much is read from what has no size of its own: pipes, terminals, devices.
pub const UNSIZED_LIMIT: u64 = 1 << 30;

/// The bytes of a file, wherever they live: mapped, read or borrowed. One type, so that code over them is the same.
///
/// Derefs to `[u8]`. Cheap to clone (the clones share the bytes), `Send` and `Sync`.
///
/// ```
/// use skelmap::mapping::Mapping;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let file = Mapping::read("corpus/actorx/anim/classic.psa")?;
/// let animation = skelmap::actorx::Psa::parse(&file)?;
/// assert_eq!(animation.bytes().len(), file.len());
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Mapping<'a> {
    owner: Owner<'a>,
    /// The part of the owner's bytes that this is.
    part: Range<usize>,
}

#[derive(Clone)]
enum Owner<'a> {
    Borrowed(&'a [u8]),
    Read(Arc<Vec<u8>>),
    #[cfg(feature = "mmap")]
    Mapped(Arc<memmap2::Mmap>),
}

impl Mapping<'static> {
    /// Reads a whole file into memory. O(file).
    ///
    /// What is no regular file (a pipe, a device) is read to its end, up to [`UNSIZED_LIMIT`].
    ///
    /// # Errors
    /// [`OpenError`] if the path is a directory or cannot be opened or read, or if memory does not suffice.
    pub fn read(path: impl AsRef<Path>) -> Result<Self, OpenError> {
        Opener::reading().open(path)
    }

    /// Maps a whole file. O(1), whatever its size; an empty file gives an empty slice.
    ///
    /// ```
    /// use skelmap::mapping::Mapping;
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// // SAFETY: nothing changes or truncates the files of the corpus while the tests run.
    /// let file = unsafe { Mapping::map("corpus/actorx/anim/classic.psa")? };
    /// assert!(skelmap::actorx::Psa::parse(&file).is_ok());
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Safety
    /// While the result or a clone of it lives, no process may truncate the file or change its bytes (see the
    /// [module](self)).
    ///
    /// # Errors
    /// [`OpenError`] if the path is no regular file, cannot be opened, or cannot be mapped.
    #[cfg(feature = "mmap")]
    pub unsafe fn map(path: impl AsRef<Path>) -> Result<Self, OpenError> {
        // SAFETY: the caller promises what `Opener::mapping` asks for.
        unsafe { Opener::mapping() }.open(path)
    }
}

impl<'a> Mapping<'a> {
    /// Bytes that are in memory already. O(1).
    pub const fn borrowed(bytes: &'a [u8]) -> Self {
        Self { owner: Owner::Borrowed(bytes), part: 0..bytes.len() }
    }

    /// Whether the bytes are a memory map.
    pub const fn is_mapped(&self) -> bool {
        !matches!(self.owner, Owner::Borrowed(_) | Owner::Read(_))
    }

    /// A part of the bytes, which shares them: no copy. `None` if it is not inside. O(1).
    ///
    /// ```
    /// use skelmap::mapping::Mapping;
    ///
    /// let whole = Mapping::from(vec![1, 2, 3, 4]);
    /// assert_eq!(&whole.part(1..3).ok_or("not inside")?[..], [2, 3]);
    /// assert!(whole.part(3..5).is_none());
    /// # Ok::<(), &str>(())
    /// ```
    pub fn part(&self, part: Range<usize>) -> Option<Self> {
        let (start, end) = (self.part.start.checked_add(part.start)?, self.part.start.checked_add(part.end)?);
        (start <= end && end <= self.part.end).then(|| Self { owner: self.owner.clone(), part: start..end })
    }
}

impl Deref for Mapping<'_> {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        let whole: &[u8] = match &self.owner {
            Owner::Borrowed(bytes) => bytes,
            Owner::Read(bytes) => bytes,
            #[cfg(feature = "mmap")]
            Owner::Mapped(map) => map,
        };
        whole.get(self.part.clone()).unwrap_or_default()
    }
}

impl AsRef<[u8]> for Mapping<'_> {
    fn as_ref(&self) -> &[u8] {
        self
    }
}

impl<'a> From<&'a [u8]> for Mapping<'a> {
    fn from(bytes: &'a [u8]) -> Self {
        Self::borrowed(bytes)
    }
}

impl From<Vec<u8>> for Mapping<'static> {
    fn from(bytes: Vec<u8>) -> Self {
        Self { part: 0..bytes.len(), owner: Owner::Read(Arc::new(bytes)) }
    }
}

impl Debug for Mapping<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let place = match &self.owner {
            Owner::Borrowed(_) => "borrowed",
            Owner::Read(_) => "read",
            #[cfg(feature = "mmap")]
            Owner::Mapped(_) => "mapped",
        };
        write!(f, "Mapping({} bytes {place})", self.len())
    }
}

/// Opens many files by one policy: read all, map all, or choose by size. The promise that mapping needs is given once, here.
///
/// ```
/// use skelmap::mapping::Opener;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// // SAFETY: nothing changes or truncates the files of the corpus while the tests run.
/// let opener = unsafe { Opener::auto() };
/// let small = opener.open("corpus/actorx/anim/classic.psa")?;
/// assert!(!small.is_mapped(), "small files are read");
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Opener {
    /// Files of this size and above are mapped; `None`: none is.
    map_from: Option<u64>,
    /// Whether a file that cannot be mapped is read.
    falls_back: bool,
}

impl Opener {
    /// Reads every file.
    pub const fn reading() -> Self {
        Self { map_from: None, falls_back: true }
    }

    /// Maps every file; an error where that fails.
    ///
    /// # Safety
    /// While the result of an [`open`](Opener::open) or a clone of it lives, no process may truncate that file or change its
    /// bytes (see the [module](self)).
    #[cfg(feature = "mmap")]
    pub const unsafe fn mapping() -> Self {
        Self { map_from: Some(0), falls_back: false }
    }

    /// Maps files of [`MAP_FROM`] bytes and more, reads smaller ones and those that cannot be mapped.
    ///
    /// # Safety
    /// While the result of an [`open`](Opener::open) or a clone of it lives, no process may truncate that file or change its
    /// bytes (see the [module](self)).
    #[cfg(feature = "mmap")]
    pub const unsafe fn auto() -> Self {
        Self { map_from: Some(MAP_FROM), falls_back: true }
    }

    /// The same policy for files of which only parts are read, such as archives: where large ones are mapped, all are. The promise
    /// that was given for this opener holds for that one.
    #[must_use]
    pub fn for_parts(&self) -> Self {
        Self { map_from: self.map_from.map(|_| 0), falls_back: self.falls_back }
    }

    /// Opens a file by this policy.
    ///
    /// What has no size of its own (a pipe, a device, a file of `/proc`) is read, up to [`UNSIZED_LIMIT`].
    ///
    /// # Errors
    /// [`OpenError`] if the path is a directory or cannot be opened, read or mapped, or if memory does not suffice.
    pub fn open(&self, path: impl AsRef<Path>) -> Result<Mapping<'static>, OpenError> {
        let path = path.as_ref();
        self.open_inner(path).map_err(|io| OpenError { path: path.to_owned(), io })
    }

    fn open_inner(&self, path: &Path) -> io::Result<Mapping<'static>> {
        let file = File::open(path)?;
        let metadata = file.metadata()?;
        if metadata.is_dir() {
            return Err(io::Error::new(io::ErrorKind::IsADirectory, "is a directory"));
        }
        if self.map_from.is_some_and(|from| metadata.len() >= from) {
            if let Some(mapped) = self.map_file(&file, &metadata)? {
                return Ok(mapped);
            }
        }
        read_file(file, &metadata).map(Mapping::from)
    }

    /// The file's map, or `None` where it is to be read instead.
    #[cfg(feature = "mmap")]
    fn map_file(&self, file: &File, metadata: &Metadata) -> io::Result<Option<Mapping<'static>>> {
        if !metadata.is_file() {
            let refusal = io::Error::new(io::ErrorKind::InvalidInput, "is no regular file, so it cannot be mapped");
            return if self.falls_back { Ok(None) } else { Err(refusal) };
        }
        // SAFETY: `Mmap::map` asks that the file be neither truncated nor modified while the map lives. `map_from` is `Some`
        // only in an `Opener` from `mapping` or `auto`, which are `unsafe` and whose callers promise just that for every file
        // that is opened.
        match unsafe { memmap2::Mmap::map(file) } {
            Ok(map) => Ok(Some(Mapping { part: 0..map.len(), owner: Owner::Mapped(Arc::new(map)) })),
            Err(_) if self.falls_back => Ok(None),
            Err(error) => Err(error),
        }
    }

    #[cfg(not(feature = "mmap"))]
    #[allow(clippy::unused_self, clippy::unnecessary_wraps, reason = "stands in for the function above")]
    fn map_file(&self, _: &File, _: &Metadata) -> io::Result<Option<Mapping<'static>>> {
        let _ = self.falls_back;
        Ok(None)
    }
}

/// Reads a file to its end. The size that the file system states is a hint and no promise: the file may grow or shrink.
fn read_file(file: File, metadata: &Metadata) -> io::Result<Vec<u8>> {
    let stated = if metadata.is_file() { metadata.len() } else { 0 };
    let limit = stated.max(UNSIZED_LIMIT);
    let mut bytes = Vec::new();
    let room = usize::try_from(stated).map_err(|_| io::Error::from(io::ErrorKind::OutOfMemory))?;
    bytes.try_reserve_exact(room).map_err(|_| io::Error::from(io::ErrorKind::OutOfMemory))?;
    let mut limited = file.take(limit.saturating_add(1));
    limited.read_to_end(&mut bytes)?;
    if u64::try_from(bytes.len()).unwrap_or(u64::MAX) > limit {
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, format!("goes on after {limit} bytes")));
    }
    Ok(bytes)
}

/// A file that could not be opened, read or mapped.
#[derive(Debug, thiserror::Error)]
#[error("{}: {io}", path.display())]
pub struct OpenError {
    path: PathBuf,
    io: io::Error,
}

impl OpenError {
    /// The path as it was given.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What the system said.
    pub const fn io(&self) -> &io::Error {
        &self.io
    }

    /// What the system said, without the path.
    pub fn into_io(self) -> io::Error {
        self.io
    }
}
