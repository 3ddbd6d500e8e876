//! Where bytes live: mapped from a file, read from it, or borrowed. The only module with `unsafe`.
//!
//! # Mapping or reading
//! A file that is read is a copy, and whatever becomes of the file is nothing to it. A map costs nothing per byte, but it *is* the
//! file: what others do to that, they do to a `&[u8]` that Rust takes for constant. That is why mapping is `unsafe` and reading is
//! not. Under a lease, which Linux has, a map is a copy as soon as somebody else wants to write, and not before.
//!
//! | meanwhile the file is | [`read`](Mapping::read) | [`map`](Mapping::map), [`auto`](Opener::auto) | [`leasing`](Opener::leasing) |
//! |---|---|---|---|
//! | truncated | nothing | touching what is lost kills the process (SIGBUS) | the other program waits for the copy; then nothing |
//! | changed in place | nothing | the changed bytes are seen | the other program waits for the copy; then nothing |
//! | replaced by a rename | nothing | nothing: the old bytes stay | nothing |
//! | deleted | nothing | nothing: the old bytes stay | nothing |
//!
//! While a file *is being* read, what others write may be in the copy or not. Views over bytes that change after they were parsed
//! give other values, or none, and never panic or reach outside of the bytes: all of their ranges are checked where they are used.
//! What gets round a lease, which no program does by accident, stands in the docs of [`leasing`](Opener::leasing).
//! A program may have [`exit_on_fault`] say which file was cut short, where it would be killed without a word.
//!
//! Small files are faster to read than to map in any case; [`Opener`] chooses by size.
//!
//! # What else there is
//! * A private map (`MAP_PRIVATE`) does not help: what was not touched before a truncation is as lost as in a shared one.
//! * A clone of the file (`FICLONE`) takes no copying, but only Btrfs, XFS and a few more make one, in a place on the same file
//!   system to which this program may write.
//! * A sealed copy in memory (`memfd`) costs what reading costs.
//! * Catching SIGBUS and putting zeros where the bytes were goes on with data that nobody wrote.

#![allow(unsafe_code)]

#[cfg(feature = "mmap")]
mod fault;
#[cfg(all(feature = "mmap", target_os = "linux"))]
mod lease;
mod opener;

#[cfg(feature = "mmap")]
pub use fault::exit_on_fault;
pub use opener::Opener;

use core::fmt::{self, Debug, Formatter};
use core::ops::{Deref, Range};
use std::io;
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
    #[cfg(all(feature = "mmap", target_os = "linux"))]
    Leased(Arc<lease::Leased>),
}

impl Mapping<'static> {
    /// Reads a whole file into memory. O(file). What becomes of the file afterwards is nothing to the result.
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
    /// If another program truncates the file meanwhile, touching what is lost kills this process (SIGBUS); if one writes to it, its
    /// bytes change under the result. Where that cannot be ruled out there are [`read`](Mapping::read) and
    /// [`Opener::leasing`]; a file that is replaced by a rename, or deleted, keeps its old bytes here.
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

    /// Whether the bytes are a memory map of the file. Of a map under a lease, no longer once somebody else wanted to write to the
    /// file and the bytes were copied.
    pub fn is_mapped(&self) -> bool {
        match &self.owner {
            Owner::Borrowed(_) | Owner::Read(_) => false,
            #[cfg(feature = "mmap")]
            Owner::Mapped(_) => true,
            #[cfg(all(feature = "mmap", target_os = "linux"))]
            Owner::Leased(leased) => !leased.is_copied(),
        }
    }

    /// Whether the bytes are a memory map of the file, and the system makes whoever wants to change that wait
    /// ([`Opener::leasing`]). One system call.
    pub fn is_leased(&self) -> bool {
        match &self.owner {
            #[cfg(all(feature = "mmap", target_os = "linux"))]
            Owner::Leased(leased) => leased.is_held(),
            _ => false,
        }
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
            #[cfg(all(feature = "mmap", target_os = "linux"))]
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
            #[cfg(all(feature = "mmap", target_os = "linux"))]
            Owner::Leased(_) => "leased",
        };
        write!(f, "Mapping({} bytes {place})", self.len())
    }
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
