//! An archive in memory, in a map, in a file that is read in parts, or in a store.

use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt::{self, Debug, Formatter};
use core::ops::{Deref, Range};
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use super::directory::Directory;
use super::entry::{Entry, EntryKey, Method};
use super::error::{AddressError, ArchiveError, DirectoryError};
use super::inflate::Inflater;
use super::zip::Archive;
use crate::bytes::{ReadAt, SubSource, to_u64, to_usize};
use crate::limits::Limits;
use crate::mapping::cache::read_ahead;
use crate::mapping::{FileParts, Mapping, Object, OpenError, Opener, shown};

/// An archive that was opened by the policy of an [`Opener`]: mapped; read in parts, if the opener does not map; or read in
/// parts from a store.
///
/// It dereferences to its [`Directory`], which finds entries. Opening reads only the directory. An entry costs nothing if it is
/// stored and in memory, else O(entry).
///
/// ```
/// use skelmap::archive::OpenArchive;
/// use skelmap::mapping::Opener;
///
/// let archive = OpenArchive::open("tests/corpus/archive/mod.zip", &Opener::reading(), &Default::default())?;
/// let walk = archive.open_entry("art/walk.psa")?;
/// assert!(skelmap::Asset::parse(&walk).is_ok());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct OpenArchive {
    path: PathBuf,
    /// The archive in memory. For a file that is read in parts, and for an object, it only has the bytes of the directory.
    archive: Archive,
    place: ArchiveBytes,
}

enum ArchiveBytes {
    /// The bytes are in memory, with the file of a map.
    Memory(Option<Arc<File>>),
    File {
        /// The file; `None` if it is opened again for each entry.
        file: Option<Arc<File>>,
        size: u64,
    },
    Store(Arc<dyn Object>),
}

impl Deref for OpenArchive {
    type Target = Directory;

    fn deref(&self) -> &Directory {
        &self.archive
    }
}

impl OpenArchive {
    /// Opens an archive and reads its directory. O(entries).
    ///
    /// # Errors
    /// [`AddressError`] if the file or object cannot be opened, and those of [`Archive::parse_with`].
    pub fn open(path: impl AsRef<Path>, opener: &Opener, limits: &Limits) -> Result<Self, AddressError> {
        Self::open_keeping(path.as_ref(), opener, limits, true)
    }

    /// [`open`](OpenArchive::open). `keeps_file`: the file may stay open.
    #[doc(hidden)] // For skelmap-batch, which limits the number of open files.
    pub fn open_keeping(path: &Path, opener: &Opener, limits: &Limits, keeps_file: bool) -> Result<Self, AddressError> {
        if let Some((store, address)) = opener.store_of(path) {
            let object = store.open_archive(address).map_err(|error| unread(path, error))?;
            let path = PathBuf::from(shown(address).as_ref());
            let directory = Directory::read(&*object, limits).map_err(|error| failed(&path, error))?;
            return Ok(Self { path, archive: Archive { directory }, place: ArchiveBytes::Store(object) });
        }
        if opener.maps_nothing() && path.metadata().is_ok_and(|metadata| metadata.is_file()) {
            let parts = FileParts::open(path).map_err(|error| unread(path, error))?;
            let directory = Directory::read(&parts, limits).map_err(|error| failed(path, error))?;
            let size = parts.size();
            let place = ArchiveBytes::File { file: keeps_file.then(|| parts.into_file()), size };
            return Ok(Self { path: path.to_owned(), archive: Archive { directory }, place });
        }
        let (bytes, file) = opener.for_parts().open_with_file(path)?;
        let archive = Archive::parse_with(bytes, limits).map_err(|error| failed::<io::Error>(path, error.into()))?;
        let file = file.filter(|_| keeps_file).map(Arc::new);
        Ok(Self { path: path.to_owned(), archive, place: ArchiveBytes::Memory(file) })
    }

    /// An archive in memory. `path` is for messages only and need not exist.
    ///
    /// # Errors
    /// Those of [`Archive::parse_with`].
    pub fn parse(path: impl Into<PathBuf>, bytes: Mapping<'static>, limits: &Limits) -> Result<Self, ArchiveError> {
        let archive = Archive::parse_with(bytes, limits)?;
        Ok(Self { path: path.into(), archive, place: ArchiveBytes::Memory(None) })
    }

    /// The path or address of the archive; an address without its query.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The data of an entry, by its name or as found: a part of the map for a stored entry of a mapped archive, O(1); else a new buffer, O(data).
    ///
    /// # Errors
    /// [`AddressError`] with the errors of [`Directory::entry`] and [`Archive::read`], or if the file or object cannot be read; for an object without
    /// [versions](Object::is_versioned), those of [`check`](Directory::check).
    pub fn open_entry<'e>(&'e self, entry: impl Into<EntryKey<'e>>) -> Result<Mapping<'static>, AddressError> {
        let entry = &self.entry_of(entry.into()).map_err(|error| failed::<io::Error>(&self.path, error.into()))?;
        match &self.place {
            ArchiveBytes::Memory(_) => {
                self.archive.open_entry(entry).map_err(|error| failed::<io::Error>(&self.path, error.into()))
            }
            ArchiveBytes::File { file, size } => {
                let parts = self.parts(file.as_ref(), *size, Vec::new())?;
                self.unpack(entry, &parts, |range| read_range(&parts, range))
            }
            ArchiveBytes::Store(object) => {
                let data = self.unpack(entry, &*object.parts(), |range| object.read(range))?;
                let checked = if object.is_versioned() { Ok(()) } else { self.check(entry, &data) };
                checked.map(|()| data).map_err(|error| failed::<io::Error>(&self.path, error.into()))
            }
        }
    }

    /// Prepares entries that are opened next. For a store, requests their data in few requests and waits; earlier prefetched
    /// data is dropped. This needs memory for the data. For a file, asks the system to read ahead from the disk, without
    /// waiting.
    pub fn prefetch<'e>(&self, entries: impl IntoIterator<Item = Entry<'e>>) {
        let ranges = entries.into_iter().map(|entry| whole(&entry));
        match &self.place {
            ArchiveBytes::Memory(Some(file)) | ArchiveBytes::File { file: Some(file), .. } => {
                joined(ranges).for_each(|range| read_ahead(file, &range));
            }
            ArchiveBytes::Memory(None) | ArchiveBytes::File { .. } => {}
            ArchiveBytes::Store(object) => {
                object.prefetch(ranges.collect());
                object.advance();
            }
        }
    }

    /// The parts of the file.
    fn parts(&self, file: Option<&Arc<File>>, size: u64, buffer: Vec<u8>) -> Result<FileParts, AddressError> {
        if let Some(file) = file {
            return Ok(FileParts::shared(file, size, buffer));
        }
        let parts = FileParts::open_with(&self.path, buffer).map_err(|error| unread(&self.path, error))?;
        if parts.size() == size {
            return Ok(parts);
        }
        Err(unread(&self.path, io::Error::other("the archive was replaced while it was read")))
    }

    /// The data of an entry in a source that is read in parts.
    fn unpack<B: AsRef<[u8]> + Send + Sync + 'static>(
        &self,
        entry: &Entry<'_>,
        source: &dyn ReadAt<Error = io::Error>,
        read: impl Fn(Range<u64>) -> io::Result<B>,
    ) -> Result<Mapping<'static>, AddressError> {
        let path = &self.path;
        if let Some(range) = self.stored_range(entry, source).map_err(|error| failed(path, error))? {
            return Ok(Mapping::from_owner(read(range).map_err(|error| unread(path, error))?));
        }
        // As in memory, an entry with another method is refused before its local header is read.
        let raw = if let Method::Other(_) = entry.method() {
            None
        } else {
            let range = self.data_range(entry, source).map_err(|error| failed(path, error))?;
            Some(read(range).map_err(|error| unread(path, error))?)
        };
        let mut inflater = Inflater::new();
        let data = self.inflate(entry, raw.as_ref().map(AsRef::as_ref).unwrap_or_default(), &mut inflater).map(drop);
        data.map_err(|error| failed::<io::Error>(path, error.into()))?;
        Ok(inflater.into_buffer().into())
    }

    /// The archive in memory, and the file of a map.
    #[doc(hidden)] // For skelmap-batch, which reads headers from the file of a map.
    pub fn as_memory(&self) -> Option<(&Archive, Option<&Arc<File>>)> {
        match &self.place {
            ArchiveBytes::Memory(file) => Some((&self.archive, file.as_ref())),
            ArchiveBytes::File { .. } | ArchiveBytes::Store(_) => None,
        }
    }

    /// Calls `work` with the data of a stored entry as a source that is read in parts; `None` for an archive in memory and for
    /// a compressed entry.
    #[doc(hidden)] // For skelmap-batch, which reads the headers of entries.
    pub fn with_stored<T>(
        &self,
        entry: &Entry<'_>,
        buffer: &mut Vec<u8>,
        work: impl FnOnce(&dyn ReadAt<Error = io::Error>) -> Result<T, io::Error>,
    ) -> Option<Result<T, AddressError>> {
        let worked = match &self.place {
            ArchiveBytes::Memory(_) => return None,
            ArchiveBytes::File { file, size } => {
                self.parts(file.as_ref(), *size, core::mem::take(buffer)).and_then(|parts| {
                    let worked = self.work_on(entry, &parts, work);
                    *buffer = parts.into_buffer();
                    worked
                })
            }
            ArchiveBytes::Store(object) => self.work_on(entry, &*object.parts(), work),
        };
        worked.transpose()
    }

    /// Calls `work` with the data of a stored entry; `None` for a compressed entry.
    fn work_on<T>(
        &self,
        entry: &Entry<'_>,
        source: &dyn ReadAt<Error = io::Error>,
        work: impl FnOnce(&dyn ReadAt<Error = io::Error>) -> Result<T, io::Error>,
    ) -> Result<Option<T>, AddressError> {
        let range = self.stored_range(entry, source).map_err(|error| failed(&self.path, error))?;
        let worked = range.map(|range| work(&SubSource::new(source, &range)));
        worked.transpose().map_err(|error| unread(&self.path, error))
    }

    /// The object of an archive in a store.
    #[doc(hidden)] // For skelmap-batch, which prefetches entries.
    pub fn object(&self) -> Option<&Arc<dyn Object>> {
        match &self.place {
            ArchiveBytes::Store(object) => Some(object),
            _ => None,
        }
    }
}

/// The gap between two entries up to which a disk reads on instead of seeking.
const GAP: u64 = 64 << 10;

/// Joins consecutive ranges with small gaps.
fn joined(ranges: impl Iterator<Item = Range<u64>>) -> impl Iterator<Item = Range<u64>> {
    let mut ranges = ranges.peekable();
    core::iter::from_fn(move || {
        let mut all = ranges.next()?;
        while let Some(next) = ranges.next_if(|next| (all.start..=all.end.saturating_add(GAP)).contains(&next.start)) {
            all.end = all.end.max(next.end);
        }
        Some(all)
    })
}

/// Space for the extra fields of a local header, whose length only the header states.
const EXTRA: u64 = 64;

/// The bytes of an entry: its local header and its data.
pub fn whole(entry: &Entry<'_>) -> Range<u64> {
    let start = entry.header_offset();
    let header = 30_u64.saturating_add(to_u64(entry.name().as_bytes().len())).saturating_add(EXTRA);
    start..start.saturating_add(header).saturating_add(entry.compressed_size())
}

/// The bytes of a range inside a file.
fn read_range(parts: &FileParts, range: Range<u64>) -> io::Result<Vec<u8>> {
    let length = to_usize(range.end.min(parts.size()).saturating_sub(range.start));
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(length).map_err(|_| io::Error::from(io::ErrorKind::OutOfMemory))?;
    bytes.resize(length, 0);
    if parts.read_at(range.start, &mut bytes)? < length {
        return Err(io::Error::from(io::ErrorKind::UnexpectedEof));
    }
    Ok(bytes)
}

fn unread(path: &Path, error: impl Into<io::Error>) -> AddressError {
    OpenError::new(path, error.into()).into()
}

fn failed<E: Into<io::Error>>(path: &Path, error: DirectoryError<E>) -> AddressError {
    match error {
        DirectoryError::Format(error) => AddressError::Archive { path: path.to_owned(), error },
        DirectoryError::Source(error) => unread(path, error),
    }
}

impl Debug for OpenArchive {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_struct("OpenArchive").field("path", &self.path).finish_non_exhaustive()
    }
}
