//! The policies for opening files: read, map, map under a lease, or choose by size.

use std::fs::{File, Metadata};
#[cfg(feature = "mmap")]
use std::io::Seek;
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;

use super::error::OpenError;
#[cfg(all(feature = "lease", target_os = "linux"))]
use super::lease::Leased;
use super::shared::Mapping;
#[cfg(feature = "mmap")]
use super::shared::Owner;
use super::store::Store;

/// [`Opener::auto`] maps files of at least this size: from 1 to 4 MiB on, mapping is faster than reading
/// (measured, files in the page cache).
pub const MAP_FROM: u64 = 2 << 20;

/// The maximum that is read from a file without a size: a pipe, a terminal, a device.
pub const UNSIZED_LIMIT: u64 = 1 << 30;

/// Opens many files by one policy: read all, map all, or choose by size, with or without a lease. The caller makes the promises
/// for mapping once, when creating the opener.
///
/// Opening costs a few microseconds for a mapped file and O(file) for a file that is read. A clone is free.
///
/// ```
/// use skelmap::mapping::Opener;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// // SAFETY: nothing changes or truncates the files of the corpus while the tests run.
/// let opener = unsafe { Opener::auto() };
/// let small = opener.open("tests/corpus/actorx/anim/classic.psa")?;
/// assert!(!small.is_mapped(), "small files are read");
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
#[cfg_attr(not(feature = "mmap"), expect(dead_code, reason = "only maps ask for the policy"))]
pub struct Opener {
    /// Minimum size of mapped files, unless all files are read.
    map_from: u64,
    kind: Kind,
    store: Option<Arc<dyn Store>>,
    /// Whether compressed files stay as they are.
    #[cfg(feature = "archive")]
    is_raw: bool,
}

/// The way an [`Opener`] maps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Read,
    #[cfg(feature = "mmap")]
    MapOrFail,
    #[cfg(feature = "mmap")]
    MapOrRead,
    #[cfg(feature = "lease")]
    LeaseOrRead,
}

impl Opener {
    /// Reads every file. Later changes of the file have no effect.
    ///
    /// ```
    /// use skelmap::mapping::Opener;
    ///
    /// let opener = Opener::reading();
    /// let animation = opener.open("tests/corpus/actorx/anim/classic.psa")?;
    /// assert!(!animation.is_mapped());
    /// # Ok::<(), skelmap::mapping::OpenError>(())
    /// ```
    pub const fn reading() -> Self {
        Self::of_kind(0, Kind::Read)
    }

    /// Maps every file. A file that cannot be mapped is an error.
    ///
    /// # Safety
    /// Those of [`Mapping::map`], for every file that this opener or a clone of it opens.
    #[cfg(feature = "mmap")]
    pub const unsafe fn mapping() -> Self {
        Self::of_kind(0, Kind::MapOrFail)
    }

    /// Maps files of at least [`MAP_FROM`] bytes. Reads smaller files, and files that cannot be mapped.
    ///
    /// # Safety
    /// Those of [`Mapping::map`], for every file that this opener or a clone of it opens.
    #[cfg(feature = "mmap")]
    pub const unsafe fn auto() -> Self {
        Self::of_kind(MAP_FROM, Kind::MapOrRead)
    }

    /// Maps files of at least [`MAP_FROM`] bytes under a lease. Reads smaller files, and files that cannot have a lease.
    ///
    /// Other programs may change the file. The kernel makes the first program that opens the file for writing, or truncates it,
    /// wait. A thread of this process copies the bytes, at the speed of reading, and replaces the map with the copy. Then the
    /// other program continues, and the result is the same as from [`read`](Mapping::read). A program that opens with
    /// `O_NONBLOCK` does not wait: the system tells it to retry, and the copy is made too. The `truncate` of GNU does so, and
    /// fails the first time. Until then nothing is copied; see [`Mapping::is_leased`]. Renaming and deleting do not wait and
    /// have no effect.
    ///
    /// A file can have a lease on Linux if it has a name, belongs to the user (root: any file), is not open for writing, and is
    /// on ext2 to ext4, XFS, Btrfs, F2FS or tmpfs. Any other file is read, O(file); so is every file on other systems. Unlike a
    /// plain map, a lease keeps the file open: the limit of open files of the process also limits leased files.
    ///
    /// ```
    /// use skelmap::mapping::Opener;
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// // SAFETY: this process is not stopped, does not fork, and has the memory for copies.
    /// let opener = unsafe { Opener::leasing() };
    /// let animation = opener.open("tests/corpus/actorx/anim/classic.psa")?;
    /// assert!(!animation.is_leased(), "small files are read");
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Safety
    /// Much weaker than for a plain map, without promises about programs that write to files in the usual ways. While the
    /// result of an [`open`](Opener::open), or a clone or a part of it, lives:
    /// * When another program wants to write, this process must finish the copy in the time of
    ///   `/proc/sys/fs/lease-break-time` (45 seconds by default). So the process must not be stopped for longer (by SIGSTOP or
    ///   a debugger), and it must have enough memory and a fast enough disk. After that time, the kernel lets the other program
    ///   continue, and the bytes are those of a plain map ([`Mapping::map`]).
    /// * A process that is forked from this one must not use the result: only this process makes the copy.
    /// * No program may bypass the lease: by opening the file with `O_RDONLY | O_TRUNC` (undefined in POSIX; Linux truncates
    ///   the file and checks leases as for reading); through an overlayfs with the file's folder as a layer; by writing to the
    ///   disk below the file system.
    #[cfg(feature = "lease")]
    pub const unsafe fn leasing() -> Self {
        Self::of_kind(MAP_FROM, Kind::LeaseOrRead)
    }

    const fn of_kind(map_from: u64, kind: Kind) -> Self {
        Self {
            map_from,
            kind,
            store: None,
            #[cfg(feature = "archive")]
            is_raw: false,
        }
    }

    /// This policy, and the addresses of a store (`s3://bucket/art/x.psa`) wherever a path is accepted. [`open`](Opener::open)
    /// reads a whole object into memory.
    #[must_use]
    pub fn with_store(self, store: Arc<dyn Store>) -> Self {
        Self { store: Some(store), ..self }
    }

    /// This policy for files as they are stored: to copy, compare or hash them. Other openers unpack compressed UEFormat files, under the default
    /// [`Limits`](crate::archive::Limits), so that a view can read them.
    ///
    /// ```
    /// use skelmap::{mapping::Opener, ueformat};
    ///
    /// let path = "tests/corpus/ueformat/model/gzip.uemodel";
    /// assert!(ueformat::is_compressed(&Opener::reading().raw().open(path)?));
    /// assert!(!ueformat::is_compressed(&Opener::reading().open(path)?));
    /// # Ok::<(), skelmap::mapping::OpenError>(())
    /// ```
    #[cfg(feature = "archive")]
    #[must_use]
    pub fn raw(self) -> Self {
        Self { is_raw: true, ..self }
    }

    /// The bytes for a view: those of a compressed file are unpacked.
    #[cfg(feature = "archive")]
    pub(crate) fn unpacked(&self, bytes: Mapping<'static>) -> io::Result<Mapping<'static>> {
        if self.is_raw {
            return Ok(bytes);
        }
        let unpacked = bytes.unpacked(&crate::limits::Limits::default());
        unpacked.map_err(|failed| io::Error::new(io::ErrorKind::InvalidData, failed.error))
    }

    /// Files are unpacked by the feature `archive`.
    #[cfg(not(feature = "archive"))]
    #[expect(clippy::unnecessary_wraps, clippy::unused_self, reason = "as with the feature")]
    const fn unpacked(&self, bytes: Mapping<'static>) -> io::Result<Mapping<'static>> {
        Ok(bytes)
    }

    /// The store and the address, if the path is an address of this opener's store.
    pub fn store_of<'a>(&'a self, path: &'a Path) -> Option<(&'a Arc<dyn Store>, &'a str)> {
        let store = self.store.as_ref()?;
        path.to_str().filter(|address| store.owns(address)).map(|address| (store, address))
    }

    /// Whether every file is read.
    #[cfg(feature = "archive")]
    pub(crate) const fn maps_nothing(&self) -> bool {
        matches!(self.kind, Kind::Read)
    }

    /// This policy for files that are read in parts, such as archives: an opener that maps large files maps all files. The
    /// caller's promise for this opener covers the new one.
    #[must_use]
    pub fn for_parts(&self) -> Self {
        Self { map_from: 0, ..self.clone() }
    }

    /// Opens a file by this policy. O(1) for a mapped file, O(file) for a file that is read.
    ///
    /// A file without a size (a pipe, a device, a file of `/proc`) is read to its end, up to [`UNSIZED_LIMIT`]. With the feature `archive`, a
    /// compressed UEFormat file is unpacked into memory, O(unpacked bytes).
    ///
    /// # Errors
    /// [`OpenError`] if the path is a folder, the file cannot be opened, read, mapped or unpacked, or memory is short. The source of an error of
    /// unpacking is an [`Error`](crate::Error).
    pub fn open(&self, path: impl AsRef<Path>) -> Result<Mapping<'static>, OpenError> {
        let path = path.as_ref();
        let opened = match self.store_of(path) {
            Some((store, address)) => store.open(address).and_then(|object| object.read(0..object.size())),
            None => open_at(path).and_then(|file| self.open_keeping(file).map(|(mapping, _)| mapping)),
        };
        let opened = opened.and_then(|bytes| self.unpacked(bytes));
        opened.map_err(|io| OpenError::new(path, io))
    }

    /// [`open`](Opener::open), and the file if it is mapped.
    #[cfg(feature = "archive")]
    pub(crate) fn open_with_file(&self, path: &Path) -> Result<(Mapping<'static>, Option<File>), OpenError> {
        let opened = open_at(path).and_then(|file| self.open_keeping(file));
        opened.map_err(|io| OpenError::new(path, io))
    }

    /// [`open`](Opener::open) for a file that is open already, positioned at its beginning.
    ///
    /// # Errors
    /// The system's error, as in [`open`](Opener::open).
    pub fn open_file(&self, file: File) -> io::Result<Mapping<'static>> {
        self.open_keeping(file).and_then(|(mapping, _)| self.unpacked(mapping))
    }

    /// The bytes of a file, and the file if it is mapped.
    #[cfg_attr(not(feature = "mmap"), expect(clippy::unused_self, reason = "only maps ask for the policy"))]
    fn open_keeping(&self, file: File) -> io::Result<(Mapping<'static>, Option<File>)> {
        let metadata = file.metadata()?;
        if metadata.is_dir() {
            return Err(is_a_directory());
        }
        #[cfg(feature = "mmap")]
        if let Some(mapped) = self.map_file(&file, &metadata)? {
            // A file whose lease is broken may have other bytes than the copy.
            #[cfg(feature = "lease")]
            let is_plain = self.kind != Kind::LeaseOrRead;
            #[cfg(not(feature = "lease"))]
            let is_plain = true;
            return Ok((mapped, is_plain.then_some(file)));
        }
        #[cfg(feature = "mmap")]
        if let Some(read) = read_large(&file, &metadata)? {
            return Ok((read, None));
        }
        Ok((read_file(file, &metadata)?.into(), None))
    }

    /// The map of a file; `None` if the caller should read it instead.
    #[cfg(feature = "mmap")]
    fn map_file(&self, file: &File, metadata: &Metadata) -> io::Result<Option<Mapping<'static>>> {
        match self.kind {
            Kind::Read => Ok(None),
            _ if metadata.len() < self.map_from => Ok(None),
            Kind::MapOrFail if !metadata.is_file() => {
                Err(io::Error::new(io::ErrorKind::InvalidInput, "is not a regular file, so it cannot be mapped"))
            }
            _ if !metadata.is_file() => Ok(None),
            #[cfg(all(feature = "lease", target_os = "linux"))]
            Kind::LeaseOrRead => Ok(lease_file(file)),
            // Other systems have no leases.
            #[cfg(all(feature = "lease", not(target_os = "linux")))]
            Kind::LeaseOrRead => Ok(None),
            kind @ (Kind::MapOrFail | Kind::MapOrRead) => {
                // SAFETY: `Mmap::map` asks that the file is neither truncated nor modified while the map lives. Only an
                // `Opener` from `mapping` or `auto` has one of these two kinds. These constructors are `unsafe`, and
                // their callers promise just that for every file that is opened.
                let map = unsafe { memmap2::Mmap::map(file) };
                let mapped = map.map(|map| Mapping { part: 0..map.len(), owner: Owner::Mapped(Arc::new(map)) });
                if kind == Kind::MapOrFail { mapped.map(Some) } else { Ok(mapped.ok()) }
            }
        }
    }
}

/// Opens a file for reading. Windows denies access to a folder without the reason.
pub(super) fn open_at(path: &Path) -> io::Result<File> {
    File::open(path).map_err(|error| if cfg!(windows) && path.is_dir() { is_a_directory() } else { error })
}

fn is_a_directory() -> io::Error {
    io::Error::new(io::ErrorKind::IsADirectory, "is a directory")
}

impl Mapping<'static> {
    /// Reads a whole file into memory. O(file) in time and memory. Later changes of the file have no effect.
    ///
    /// A file without a size (a pipe, a device) is read to its end, up to [`UNSIZED_LIMIT`].
    ///
    /// # Errors
    /// [`OpenError`] if the path is a folder, the file cannot be opened or read, or memory is short.
    pub fn read(path: impl AsRef<Path>) -> Result<Self, OpenError> {
        Opener::reading().open(path)
    }

    /// Maps a whole file. O(1) for any size: the system reads a page on its first access. An empty file gives an empty slice.
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
    /// While the result, a clone or a part of it lives, no process, this one included, may change or truncate the file.
    /// Changing bytes are undefined behaviour, because Rust assumes that a `&[u8]` is constant. Access to bytes after the end
    /// of a truncated file kills the process (SIGBUS). Renaming over the file and deleting it are allowed (see the
    /// [module](super)).
    ///
    /// A read error of the disk or the network also kills the process on access, whatever the caller promised.
    ///
    /// # Errors
    /// [`OpenError`] if the path is not a regular file, or if the file cannot be opened or mapped.
    #[cfg(feature = "mmap")]
    pub unsafe fn map(path: impl AsRef<Path>) -> Result<Self, OpenError> {
        // SAFETY: the caller makes the promise of `Opener::mapping`.
        unsafe { Opener::mapping() }.open(path)
    }
}

/// The map of a file under a lease; `None` if the file cannot have a lease.
#[cfg(all(feature = "lease", target_os = "linux"))]
fn lease_file(file: &File) -> Option<Mapping<'static>> {
    // SAFETY: only an `Opener` from `leasing` has the kind `LeaseOrRead`. That constructor is `unsafe` and asks for the
    // same.
    let leased = unsafe { Leased::open(file) }?;
    Some(Mapping { part: 0..leased.bytes().len(), owner: Owner::Leased(leased) })
}

/// Files of at least this size are read into memory with huge pages, if the system has them: reading 261 MB took 26 ms instead
/// of 164. For smaller files, allocators reuse memory, which is faster.
#[cfg(feature = "mmap")]
const LARGE: u64 = 32 << 20;

/// Reads a large file; `None` for a small one, and for a file that grows meanwhile.
#[cfg(feature = "mmap")]
fn read_large(mut file: &File, metadata: &Metadata) -> io::Result<Option<Mapping<'static>>> {
    if !metadata.is_file() || metadata.len() < LARGE {
        return Ok(None);
    }
    let size = usize::try_from(metadata.len()).map_err(|_| no_memory(metadata.len()))?;
    let mut buffer = memmap2::MmapMut::map_anon(size).map_err(|_| no_memory(metadata.len()))?;
    // Systems without huge pages refuse.
    #[cfg(target_os = "linux")]
    let _ = buffer.advise(memmap2::Advice::HugePage);
    let mut filled = 0_usize;
    while let Some(rest) = buffer.get_mut(filled..).filter(|rest| !rest.is_empty()) {
        match file.read(rest) {
            // The file shrank.
            Ok(0) => break,
            Ok(read) => filled = filled.saturating_add(read),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    if filled == size && file.read(&mut [0])? > 0 {
        file.rewind()?;
        return Ok(None);
    }
    let read = buffer.make_read_only()?;
    Ok(Some(Mapping { part: 0..filled, owner: Owner::Owned(Arc::new(read)) }))
}

fn no_memory(bytes: u64) -> io::Error {
    let message = format!(
        "not enough memory for the {bytes} bytes of the file; a limit of the process (`ulimit -v`) may be too low"
    );
    io::Error::new(io::ErrorKind::OutOfMemory, message)
}

/// Reads a file to its end. The size in the metadata is only a hint: the file may grow or shrink meanwhile.
fn read_file(mut file: File, metadata: &Metadata) -> io::Result<Vec<u8>> {
    let stated = if metadata.is_file() { metadata.len() } else { 0 };
    let mut bytes = Vec::new();
    let length = usize::try_from(stated).map_err(|_| no_memory(stated))?;
    bytes.try_reserve_exact(length).map_err(|_| no_memory(stated))?;
    if stated > 0 {
        // Only a whole file is read at once: the standard library knows its size, but not that of a part.
        file.read_to_end(&mut bytes)?;
        return Ok(bytes);
    }
    file.by_ref().take(UNSIZED_LIMIT).read_to_end(&mut bytes)?;
    if file.read(&mut [0])? > 0 {
        return Err(io::Error::new(
            io::ErrorKind::FileTooLarge,
            format!("has no size and more than {UNSIZED_LIMIT} bytes, the limit for such a file"),
        ));
    }
    Ok(bytes)
}
