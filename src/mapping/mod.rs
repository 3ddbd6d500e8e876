//! Bytes of files: mapped, read, or borrowed. The only module with `unsafe`.
//!
//! [`Mapping`] holds the bytes. [`Opener`] opens many files by one policy. [`FileParts`] reads a few places of a file.
//!
//! # Mapping or reading
//! A file that is read is a copy: nothing that happens to the file later changes the bytes. A map copies nothing, but a
//! map *is* the file: what other programs write to the file appears in a `&[u8]`, which Rust takes for constant. So
//! mapping is `unsafe` and reading is not. A map under a lease (feature `lease`, Linux) becomes a copy when another
//! program wants to write, and not before.
//!
//! | the file is | [`read`](Mapping::read) | [`map`](Mapping::map), [`auto`](Opener::auto) | [`leasing`](Opener::leasing) |
//! |---|---|---|---|
//! | truncated | no effect | access to the lost bytes kills the process (SIGBUS) | the other program waits for the copy; then no effect |
//! | changed in place | no effect | the bytes change | the other program waits for the copy; then no effect |
//! | replaced by a rename | no effect | no effect: the old bytes stay | no effect |
//! | deleted | no effect | no effect: the old bytes stay | no effect |
//!
//! On Windows the system refuses to truncate a mapped file.
//!
//! While a file *is being* read, the copy can hold old bytes and new ones. Views over bytes that change after parsing
//! give other values or none. They never panic and never reach outside of the bytes, because each access checks its
//! range. Some programs get round a lease, none by accident: see [`leasing`](Opener::leasing).
//!
//!
//! Reading a small file is faster than mapping it. [`Opener::auto`] chooses by size.
//!
//! # What does not help
//! * A private map (`MAP_PRIVATE`): a truncation takes every byte that was not accessed before, as from a shared map.
//! * A clone of the file (`FICLONE`): only Btrfs, XFS and a few other file systems can make one, and this program must
//!   be allowed to write to the same file system.
//! * A sealed copy in memory (`memfd`): it costs as much as reading.
//! * A handler for SIGBUS that puts zeros in the place of the lost bytes: the program goes on with data that nobody
//!   wrote.

#![allow(unsafe_code)]
// The docs are those of all features.
#![cfg_attr(not(feature = "lease"), allow(rustdoc::broken_intra_doc_links))]

#[cfg(all(feature = "lease", target_os = "linux"))]
mod lease;
mod opener;
mod parts;

pub use opener::Opener;
pub use parts::FileParts;

use core::fmt::{self, Debug, Formatter};
use core::ops::{Deref, Range};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Files of this size and larger are mapped by [`Opener::auto`]: mapping is faster than reading from 1 to 4 MiB on
/// (measured, files in the page cache).
pub const MAP_FROM: u64 = 2 << 20;

/// The most bytes that are read from a file without a size: a pipe, a terminal, a device.
pub const UNSIZED_LIMIT: u64 = 1 << 30;

/// The bytes of a file: mapped, read, borrowed, or owned by another type. One type for all of these, so that code needs
/// no type parameter.
///
/// Dereferences to `[u8]`. A clone and a [`part`](Mapping::part) share the bytes and cost O(1). `Send` and `Sync`.
///
/// ```
/// use skelmap::mapping::Mapping;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let file = Mapping::read("tests/corpus/actorx/anim/classic.psa")?;
/// let animation = skelmap::actorx::Psa::parse(&file)?;
/// assert_eq!(animation.bytes().len(), file.len());
/// # Ok(())
/// # }
/// ```
///
/// Bytes that the program has already, without a copy:
///
/// ```
/// use std::sync::Arc;
/// use skelmap::mapping::Mapping;
///
/// let shared: Arc<[u8]> = Arc::new([1, 2, 3]);
/// let bytes = Mapping::from(shared.clone());
/// assert_eq!(bytes.as_ptr(), shared.as_ptr());
/// assert_eq!(*Mapping::from(vec![1, 2, 3]), [1, 2, 3]);
/// assert_eq!(*Mapping::borrowed(b"abc"), *b"abc");
/// ```
#[derive(Clone)]
pub struct Mapping<'a> {
    owner: Owner<'a>,
    /// The range of this mapping in the owner's bytes.
    part: Range<usize>,
}

#[derive(Clone)]
enum Owner<'a> {
    Borrowed(&'a [u8]),
    Owned(Arc<dyn AsRef<[u8]> + Send + Sync>),
    #[cfg(feature = "mmap")]
    Mapped(Arc<memmap2::Mmap>),
    #[cfg(all(feature = "lease", target_os = "linux"))]
    Leased(Arc<lease::Leased>),
}

impl Mapping<'static> {
    /// Reads a whole file into memory. O(file), in time and in memory. Later changes of the file have no effect.
    ///
    /// A file without a size (a pipe, a device) is read to its end, up to [`UNSIZED_LIMIT`].
    ///
    /// # Errors
    /// [`OpenError`] if the path is a folder, if the file cannot be opened or read, or if the memory does not suffice.
    pub fn read(path: impl AsRef<Path>) -> Result<Self, OpenError> {
        Opener::reading().open(path)
    }

    /// Maps a whole file. O(1) for any size: the system reads a page of the file when the page is first accessed. An
    /// empty file gives an empty slice.
    ///
    /// [`read`](Mapping::read) and [`Opener::leasing`] need no promise about other programs.
    ///
    /// ```
    /// use skelmap::mapping::Mapping;
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// // SAFETY: nothing changes or truncates the files of the corpus while the tests run.
    /// let file = unsafe { Mapping::map("tests/corpus/actorx/anim/classic.psa")? };
    /// assert!(skelmap::actorx::Psa::parse(&file).is_ok());
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Safety
    /// As long as the result, a clone or a part of the result lives, no process, this one included, may change the
    /// bytes of the file or truncate the file. Bytes that change are undefined behaviour, because Rust takes a `&[u8]`
    /// for constant. Access to bytes after the end of a truncated file kills the process (SIGBUS). A rename over the
    /// file and a deletion are allowed (see the [module](self)).
    ///
    /// A read error of the disk or of the network also kills the process at the access, whatever the caller promised.
    ///
    /// # Errors
    /// [`OpenError`] if the path is not a regular file, or if the file cannot be opened or mapped.
    #[cfg(feature = "mmap")]
    pub unsafe fn map(path: impl AsRef<Path>) -> Result<Self, OpenError> {
        // SAFETY: the caller promises what `Opener::mapping` asks for.
        unsafe { Opener::mapping() }.open(path)
    }

    /// The bytes of any owner, for example `bytes::Bytes`, without a copy. O(1); one allocation of the owner's size
    /// (not of its bytes').
    ///
    /// The owner is asked for its bytes at each access. An owner that gives other bytes each time gives other values,
    /// or none.
    ///
    /// ```
    /// use skelmap::mapping::Mapping;
    ///
    /// let downloaded = bytes::Bytes::from_static(b"PSSA");
    /// let bytes = Mapping::from_owner(downloaded.clone());
    /// assert_eq!(bytes.as_ptr(), downloaded.as_ptr());
    /// ```
    pub fn from_owner(owner: impl AsRef<[u8]> + Send + Sync + 'static) -> Self {
        Self { part: 0..owner.as_ref().len(), owner: Owner::Owned(Arc::new(owner)) }
    }
}

impl<'a> Mapping<'a> {
    /// Bytes that live elsewhere in memory. O(1).
    pub const fn borrowed(bytes: &'a [u8]) -> Self {
        Self { owner: Owner::Borrowed(bytes), part: 0..bytes.len() }
    }

    /// Whether the bytes are a memory map of the file. A map under a lease is none any more after another program
    /// wanted to write to the file and the bytes were copied. O(1).
    pub fn is_mapped(&self) -> bool {
        match &self.owner {
            Owner::Borrowed(_) | Owner::Owned(_) => false,
            #[cfg(feature = "mmap")]
            Owner::Mapped(_) => true,
            #[cfg(all(feature = "lease", target_os = "linux"))]
            Owner::Leased(leased) => !leased.is_copied(),
        }
    }

    /// Whether the bytes are a memory map under a lease ([`Opener::leasing`]): the system makes a program that wants to
    /// change the file wait. One system call.
    #[cfg(feature = "lease")]
    pub fn is_leased(&self) -> bool {
        match &self.owner {
            #[cfg(target_os = "linux")]
            Owner::Leased(leased) => leased.is_held(),
            _ => false,
        }
    }

    /// A part that shares the bytes. `None` if the range does not lie inside. O(1), without a copy.
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
            Owner::Owned(owner) => (**owner).as_ref(),
            #[cfg(feature = "mmap")]
            Owner::Mapped(map) => map,
            #[cfg(all(feature = "lease", target_os = "linux"))]
            Owner::Leased(leased) => leased.bytes(),
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
        Self::from_owner(bytes)
    }
}

impl From<Arc<[u8]>> for Mapping<'static> {
    fn from(bytes: Arc<[u8]>) -> Self {
        Self::from_owner(bytes)
    }
}

impl Debug for Mapping<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let place = match &self.owner {
            Owner::Borrowed(_) => "borrowed",
            Owner::Owned(_) => "owned",
            #[cfg(feature = "mmap")]
            Owner::Mapped(_) => "mapped",
            #[cfg(all(feature = "lease", target_os = "linux"))]
            Owner::Leased(_) => "leased",
        };
        write!(f, "Mapping({} bytes {place})", self.len())
    }
}

/// The error of a file that cannot be opened, read or mapped.
#[derive(Debug, thiserror::Error)]
#[error("{}: {io}", path.display())]
pub struct OpenError {
    path: PathBuf,
    io: io::Error,
}

impl OpenError {
    /// The path, as the caller gave it.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The system's error.
    pub const fn io(&self) -> &io::Error {
        &self.io
    }

    /// The system's error, without the path.
    pub fn into_io(self) -> io::Error {
        self.io
    }
}
