//! How files are opened: read, mapped, mapped under a lease, or as their size suggests.

use std::fs::{File, Metadata};
use std::io::{self, Read};
use std::path::Path;
#[cfg(feature = "mmap")]
use std::sync::Arc;

#[cfg(all(feature = "mmap", target_os = "linux"))]
use super::lease::Leased;
#[cfg(feature = "mmap")]
use super::{MAP_FROM, Owner};
use super::{Mapping, OpenError, UNSIZED_LIMIT};

/// Opens many files by one policy: read all, map all, or choose by size, under a lease or not. The promise that mapping needs is
/// given once, here.
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
    /// How, and what is done where that fails.
    #[cfg(feature = "mmap")]
    kind: Kind,
}

/// How an [`Opener`] maps.
#[cfg(feature = "mmap")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    MapOrFail,
    MapOrRead,
    LeaseOrRead,
}

impl Opener {
    /// Reads every file. What becomes of it afterwards is nothing to the result.
    pub const fn reading() -> Self {
        Self {
            map_from: None,
            #[cfg(feature = "mmap")]
            kind: Kind::MapOrRead,
        }
    }

    /// Maps every file; an error where that fails.
    ///
    /// # Safety
    /// While the result of an [`open`](Opener::open) or a clone of it lives, no process may truncate that file or change its
    /// bytes (see the [module](super)).
    #[cfg(feature = "mmap")]
    pub const unsafe fn mapping() -> Self {
        Self { map_from: Some(0), kind: Kind::MapOrFail }
    }

    /// Maps files of [`MAP_FROM`] bytes and more, reads smaller ones and those that cannot be mapped.
    ///
    /// # Safety
    /// While the result of an [`open`](Opener::open) or a clone of it lives, no process may truncate that file or change its
    /// bytes (see the [module](super)).
    #[cfg(feature = "mmap")]
    pub const unsafe fn auto() -> Self {
        Self { map_from: Some(MAP_FROM), kind: Kind::MapOrRead }
    }

    /// Maps files of [`MAP_FROM`] bytes and more under a lease, reads smaller ones and those for which there is no lease to be had.
    ///
    /// Other programs may do to the file what they like: the first that opens it for writing or truncates it is made to wait by
    /// the kernel until a thread of this process has copied the bytes, at the speed of reading, and put the copy in the map's
    /// place. Then it goes on, and the result is what [`read`](Mapping::read) would have given. One that asks not to wait, with
    /// `O_NONBLOCK`, is told to try again, which makes the copy as well; the `truncate` of GNU does so, and fails the first time.
    /// Until then nothing is copied; [`Mapping::is_leased`] tells. Renaming and deleting wait for nothing and change nothing.
    ///
    /// There is a lease to be had on Linux, on a file with a name, of the own user (for root, any), that nobody has open for
    /// writing, on ext2 to ext4, XFS, Btrfs, F2FS or tmpfs. Others are read, which costs memory and time by their size. A lease
    /// keeps the file open, which a mere map does not, so that no more of these can live at a time than the process may have files
    /// open.
    ///
    /// ```
    /// use skelmap::mapping::Opener;
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// // SAFETY: this process is not stopped, does not fork, and has the memory for copies.
    /// let opener = unsafe { Opener::leasing() };
    /// let animation = opener.open("corpus/actorx/anim/classic.psa")?;
    /// assert!(!animation.is_leased(), "small files are read");
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Safety
    /// Much less than for a mere map, and nothing about other programs that write to files in the usual ways. While the result of
    /// an [`open`](Opener::open) or a clone of it lives:
    /// * Once somebody wants to write, this process must get to make the copy in the time that `/proc/sys/fs/lease-break-time`
    ///   says (45 seconds, unless the system is set otherwise): not be stopped for longer (by SIGSTOP or a debugger), have the
    ///   memory, and a disk that is fast enough. After that time the kernel lets the other program go on, and the bytes are those
    ///   of a mere map.
    /// * A process that is forked from this one must not use the result, as the copy is made in this one alone.
    /// * Nobody may get round the lease: by opening the file with `O_RDONLY | O_TRUNC` (which POSIX does not define and Linux takes
    ///   for reading when it looks for leases, and truncates); through an overlayfs of which the file's folder is a layer; by
    ///   writing to the disk below the file system.
    #[cfg(feature = "mmap")]
    pub const unsafe fn leasing() -> Self {
        Self { map_from: Some(MAP_FROM), kind: Kind::LeaseOrRead }
    }

    /// The same policy for files of which only parts are read, such as archives: where large ones are mapped, all are. The promise
    /// that was given for this opener holds for that one.
    #[must_use]
    pub fn for_parts(&self) -> Self {
        let mut opener = self.clone();
        opener.map_from = self.map_from.map(|_| 0);
        opener
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
            return if self.kind == Kind::MapOrFail { Err(refusal) } else { Ok(None) };
        }
        if self.kind == Kind::LeaseOrRead {
            return Ok(lease_file(file));
        }
        // SAFETY: `Mmap::map` asks that the file be neither truncated nor modified while the map lives. `map_from` is `Some` and
        // `kind` is not `LeaseOrRead` only in an `Opener` from `mapping` or `auto`, which are `unsafe` and whose callers promise
        // just that for every file that is opened.
        match unsafe { memmap2::Mmap::map(file) } {
            Ok(map) => Ok(Some(Mapping { part: 0..map.len(), owner: Owner::Mapped(Arc::new(map)) })),
            Err(error) if self.kind == Kind::MapOrFail => Err(error),
            Err(_) => Ok(None),
        }
    }

    #[cfg(not(feature = "mmap"))]
    #[allow(clippy::unused_self, clippy::unnecessary_wraps, reason = "stands in for the function above")]
    fn map_file(&self, _: &File, _: &Metadata) -> io::Result<Option<Mapping<'static>>> {
        Ok(None)
    }
}

/// The file's map under a lease, or `None` where there is none to be had.
#[cfg(all(feature = "mmap", target_os = "linux"))]
fn lease_file(file: &File) -> Option<Mapping<'static>> {
    // SAFETY: `LeaseOrRead` is the kind of an `Opener` from `leasing` only, which is `unsafe` and asks for the same.
    let leased = unsafe { Leased::open(file) }?;
    Some(Mapping { part: 0..leased.bytes().len(), owner: Owner::Leased(leased) })
}

/// There are no leases here.
#[cfg(all(feature = "mmap", not(target_os = "linux")))]
fn lease_file(_: &File) -> Option<Mapping<'static>> {
    None
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
