//! Parts of a file: positioned reads, without the rest of the file.

use core::fmt::{self, Debug, Formatter};
use std::fs::File;
#[cfg(feature = "archive")]
use std::io::Read;
use std::io::{self, ErrorKind, Seek, SeekFrom};
use std::path::Path;
#[cfg(feature = "archive")]
use std::sync::Arc;

use super::cache::read_no_more_than_asked;
use super::opener::open_at;
#[cfg(feature = "archive")]
use crate::bytes::to_usize;
use crate::bytes::{ReadAt, Sizes, Windowed, to_u64};

/// The windows. Most headers lie in the first 1024 bytes of a file. A far header is isolated, and filling 1024 bytes of cold
/// memory costs more than the system call.
const SIZES: Sizes = Sizes { first: 1 << 10, far: 1 << 7, largest: 64 << 10, page: 4 << 10 };

/// A file that is read in parts, each at its own offset.
///
/// For a few headers of a large file. For all bytes as a slice, see [`Mapping`](super::Mapping).
///
/// The reader keeps one window of the file: small, adjacent reads cost one system call. The first window has 1 KiB. A read at a
/// new offset begins a new window of 128 bytes. If that suffices, both end at the end of a page of 4 KiB. A read that continues
/// at the end of a window doubles its size, to at least 1 KiB and at most 64 KiB. A read of 64 KiB or more bypasses the window.
/// Opening costs two system calls and reads nothing.
///
/// The reader has no position. `Send`, not `Sync`: open one for each thread.
///
/// ```
/// use skelmap::mapping::FileParts;
///
/// # fn main() -> std::io::Result<()> {
/// let file = FileParts::open("tests/corpus/actorx/anim/classic.psa")?;
/// let mut id = [0; 8];
/// assert_eq!(file.read_at(0, &mut id)?, 8);
/// assert_eq!(&id, b"ANIMHEAD");
/// assert_eq!(file.read_at(file.size() - 3, &mut id)?, 3, "the last bytes");
/// # Ok(())
/// # }
/// ```
pub struct FileParts {
    file: Windowed<Whole>,
}

/// A file as a source: a system call for each read.
struct Whole {
    file: Handle,
    size: u64,
}

/// The file of one reader, or of many.
enum Handle {
    Own(File),
    #[cfg(feature = "archive")]
    Shared(Arc<File>),
}

impl Handle {
    fn file(&self) -> &File {
        match self {
            Self::Own(file) => file,
            #[cfg(feature = "archive")]
            Self::Shared(file) => file,
        }
    }
}

impl FileParts {
    /// Opens a file. Allocates nothing before the first read (Windows: a copy of the path).
    ///
    /// # Errors
    /// The system's error if the file cannot be opened or has no size, such as a pipe. For a folder, this call or the first
    /// read fails. A device or a file of `/proc` may state the size 0 and have more bytes.
    pub fn open(path: impl AsRef<Path>) -> io::Result<Self> {
        Self::open_with(path, Vec::new())
    }

    /// [`open`](FileParts::open) with a buffer for the window, for example from [`into_buffer`](FileParts::into_buffer). One
    /// buffer serves many files, one after the other. Its content is ignored.
    ///
    /// # Errors
    /// Those of [`open`](FileParts::open).
    pub fn open_with(path: impl AsRef<Path>, buffer: Vec<u8>) -> io::Result<Self> {
        Self::open_for(path.as_ref(), buffer, true)
    }

    /// [`open_with`](FileParts::open_with). `is_cold`: the file is probably not in memory.
    #[doc(hidden)] // For skelmap-batch, which knows whether a folder is cold.
    pub fn open_for(path: &Path, buffer: Vec<u8>, is_cold: bool) -> io::Result<Self> {
        let mut file = open_at(path)?;
        // A seek costs half as much as reading the file's metadata.
        let size = file.seek(SeekFrom::End(0))?;
        if is_cold {
            read_no_more_than_asked(&file);
        }
        Ok(Self::new(Handle::Own(file), size, buffer))
    }

    /// The parts of an open file of this size, which others may read concurrently.
    #[cfg(feature = "archive")]
    #[doc(hidden)] // For skelmap-batch, whose threads share the file of a mapped archive.
    pub fn shared(file: &Arc<File>, size: u64, buffer: Vec<u8>) -> Self {
        Self::new(Handle::Shared(Arc::clone(file)), size, buffer)
    }

    const fn new(file: Handle, size: u64, buffer: Vec<u8>) -> Self {
        Self { file: Windowed::with_sizes(Whole { file, size }, SIZES, buffer) }
    }

    /// The size of the file when it was opened.
    pub const fn size(&self) -> u64 {
        self.file.source().size
    }

    /// Reads bytes from `offset` on and returns their number: less than `into.len()` only at the end of the file; 0 after the
    /// end. Bytes after [`size`](FileParts::size) are never read, even if the file has grown.
    ///
    /// A file that is changed meanwhile can give a mixture of old and new bytes. A file that is truncated meanwhile ends
    /// earlier.
    ///
    /// # Errors
    /// The system's error. The content of `into` is then unspecified.
    pub fn read_at(&self, offset: u64, into: &mut [u8]) -> io::Result<usize> {
        ReadAt::read_at(&self.file, offset, into)
    }

    /// The file, for sharing.
    #[cfg(feature = "archive")]
    pub(crate) fn into_file(self) -> Arc<File> {
        match self.file.into_parts().0.file {
            Handle::Own(file) => Arc::new(file),
            Handle::Shared(file) => file,
        }
    }

    /// The buffer of the window, for the next file.
    pub fn into_buffer(self) -> Vec<u8> {
        self.file.into_parts().1
    }
}

impl ReadAt for FileParts {
    type Error = io::Error;

    fn size(&self) -> u64 {
        self.size()
    }

    fn read_at(&self, offset: u64, into: &mut [u8]) -> io::Result<usize> {
        self.read_at(offset, into)
    }
}

impl ReadAt for Whole {
    type Error = io::Error;

    fn size(&self) -> u64 {
        self.size
    }

    fn read_at(&self, offset: u64, into: &mut [u8]) -> io::Result<usize> {
        read_full(self.file.file(), offset, into)
    }
}

/// At most `limit` bytes from the beginning of a file. Does not wait for data of a file such as `/proc/kmsg`, which may never
/// come.
///
/// # Errors
/// A file that cannot be read, or whose data would have to be waited for.
#[cfg(feature = "archive")]
pub fn first_bytes(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    let mut first = Vec::with_capacity(to_usize(limit.min(1 << 16)));
    let mut options = File::options();
    #[cfg(target_os = "linux")]
    std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, libc::O_NONBLOCK);
    options.read(true).open(path)?.take(limit).read_to_end(&mut first).map(|_| first)
}

/// Reads until the slice is full or the file ends.
fn read_full(file: &File, offset: u64, into: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0_usize;
    while let Some(rest) = into.get_mut(filled..).filter(|rest| !rest.is_empty()) {
        match read_some(file, offset.saturating_add(to_u64(filled)), rest) {
            Ok(0) => break,
            Ok(read) => filled = filled.saturating_add(read),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}

#[cfg(unix)]
fn read_some(file: &File, offset: u64, into: &mut [u8]) -> io::Result<usize> {
    std::os::unix::fs::FileExt::read_at(file, into, offset)
}

#[cfg(windows)]
fn read_some(file: &File, offset: u64, into: &mut [u8]) -> io::Result<usize> {
    std::os::windows::fs::FileExt::seek_read(file, into, offset)
}

/// These systems have no positioned reads. There, concurrent readers must not share a file.
#[cfg(not(any(unix, windows)))]
fn read_some(mut file: &File, offset: u64, into: &mut [u8]) -> io::Result<usize> {
    use std::io::Read as _;

    file.seek(SeekFrom::Start(offset))?;
    file.read(into)
}

impl Debug for FileParts {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Whole { file, size } = self.file.source();
        f.debug_struct("FileParts").field("file", file.file()).field("size", size).finish_non_exhaustive()
    }
}
