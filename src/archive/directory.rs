//! The directory of an archive, without the archive's data.

use alloc::{format, sync::Arc};
use core::fmt::{self, Debug, Formatter};
use core::ops::Range;

use super::end::{End, Tail};
use super::entry::{Entries, Entry, EntryKey, Method, method_name};
use super::error::{ArchiveError, ArchiveErrorKind, DirectoryError};
use super::index::Index;
use super::inflate::Inflater;
use super::records::Records;
use crate::bytes::{ReadAt, to_u64, to_usize};
use crate::limits::Limits;
use crate::mapping::Mapping;

/// The directory of a ZIP archive in any source: a file, or an object in a store.
///
/// Holds the bytes of the directory and 4 bytes for each entry. The data of the entries stays in the source: this type locates
/// and unpacks it. A clone shares everything. An [`Archive`](super::Archive) and an [`OpenArchive`](super::OpenArchive)
/// dereference to their directory, which finds entries.
///
/// ```
/// use skelmap::archive::{Directory, Inflater, Limits};
/// use skelmap::{Asset, ReadAt, mapping::FileParts};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let file = FileParts::open("tests/corpus/archive/mod.zip")?;
/// let directory = Directory::read(&file, &Limits::default())?;
/// let entry = directory.entry("art/walk.psa")?;
/// let range = directory.data_range(&entry, &file)?;
/// let mut raw = vec![0; usize::try_from(range.end - range.start)?];
/// assert_eq!(file.read_at(range.start, &mut raw)?, raw.len());
/// let mut inflater = Inflater::new();
/// let data = directory.inflate(&entry, &raw, &mut inflater)?;
/// directory.check(&entry, data)?;
/// assert!(Asset::parse(data).is_ok());
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Directory<B = Mapping<'static>> {
    /// The bytes of the archive that contain the directory.
    pub(super) bytes: B,
    /// The offset of these bytes in the archive.
    start: u64,
    index: Arc<Index>,
}

impl Directory {
    /// Reads the directory of an archive in two reads: 66 KiB at the end of the source, and the rest of the directory. A third
    /// read if more than 64 KiB follow the archive, and up to three short ones if a ZIP64 end has an extensible part, or if the
    /// offset and the size of the directory contradict each other.
    ///
    /// Memory: the directory, 4 bytes for each entry, and temporarily 66 KiB (at most 1 MiB). Allocations are limited by the
    /// size of the source and by the limits.
    ///
    /// # Errors
    /// Those of [`Archive::parse_with`](super::Archive::parse_with), and those of the source;
    /// [`NoDirectory`](ArchiveErrorKind::NoDirectory) for a source with fewer bytes than its stated size.
    pub fn read<R: ReadAt + ?Sized>(source: &R, limits: &Limits) -> Result<Self, DirectoryError<R::Error>> {
        let tail = Tail::read(source)?;
        let end = End::find(&tail, limits)?;
        let bytes = tail.directory(&end)?;
        drop(tail);
        let start = end.directory.start;
        let index = Arc::new(Index::new(&bytes, end, limits)?);
        Ok(Self { bytes: bytes.into(), start, index })
    }
}

impl<B: AsRef<[u8]>> Directory<B> {
    /// The directory of an archive in memory.
    pub(super) fn of_archive(bytes: B, limits: &Limits) -> Result<Self, ArchiveError> {
        let whole = bytes.as_ref();
        let end = Tail::read(whole).and_then(|tail| End::find(&tail, limits)).map_err(DirectoryError::into_format)?;
        let index = Arc::new(Index::new(part(whole, &end.directory), end, limits)?);
        Ok(Self { bytes, start: 0, index })
    }

    /// The bytes of the directory.
    fn bytes(&self) -> &[u8] {
        let Range { start, end } = self.index.directory;
        part(self.bytes.as_ref(), &(start.saturating_sub(self.start)..end.saturating_sub(self.start)))
    }

    fn records(&self) -> Records<'_> {
        Records { bytes: self.bytes(), places: &self.index.places, base: self.index.base }
    }

    /// Number of entries, folders included.
    pub fn len(&self) -> usize {
        self.index.places.len()
    }

    /// Whether the archive has no entry.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The entries, in the order of the directory.
    pub fn entries(&self) -> Entries<'_> {
        Entries::new(self.records())
    }

    /// An entry by its index in the directory. O(1).
    pub fn get(&self, index: usize) -> Option<Entry<'_>> {
        Entry::find(self.records(), index)
    }

    /// The entry with a name; if several entries have it, the last one, which most programs extract.
    ///
    /// The first look-up searches the directory, O(entries), without allocation. The second makes a table of the names,
    /// O(entries), with at most 12 bytes for each entry. Later look-ups are O(1). Clones share the table.
    ///
    /// # Errors
    /// [`NoSuchEntry`](ArchiveErrorKind::NoSuchEntry).
    pub fn entry(&self, name: &str) -> Result<Entry<'_>, ArchiveError> {
        let records = self.records();
        let found = self.index.lookup.find(records, name).and_then(|index| Entry::find(records, index));
        found.ok_or_else(|| ArchiveError::of_entry(ArchiveErrorKind::NoSuchEntry, name))
    }

    /// The entry of a key.
    pub(super) fn entry_of<'e>(&'e self, key: EntryKey<'e>) -> Result<Entry<'e>, ArchiveError> {
        match key {
            EntryKey::Name(name) => self.entry(name),
            EntryKey::Entry(entry) => Ok(entry),
        }
    }

    /// The range of the directory in the source. The data of all entries lies before it.
    pub fn range(&self) -> Range<u64> {
        self.index.directory.clone()
    }

    /// The range of an entry's data in the source, compressed or not. Reads the local header, at
    /// [`header_offset`](Entry::header_offset), in two reads: 30 bytes, and the name.
    ///
    /// # Errors
    /// Those of [`Archive::raw`](super::Archive::raw), and those of the source.
    pub fn data_range<R: ReadAt + ?Sized>(
        &self,
        entry: &Entry<'_>,
        source: &R,
    ) -> Result<Range<u64>, DirectoryError<R::Error>> {
        entry.record.data(source, self.index.directory.start)
    }

    /// The range of a stored entry's data in the source; `None` for a compressed entry. Reads as
    /// [`data_range`](Directory::data_range) does.
    ///
    /// # Errors
    /// Those of [`Archive::stored`](super::Archive::stored), and those of the source.
    pub fn stored_range<R: ReadAt + ?Sized>(
        &self,
        entry: &Entry<'_>,
        source: &R,
    ) -> Result<Option<Range<u64>>, DirectoryError<R::Error>> {
        if entry.method() != Method::Stored {
            return Ok(None);
        }
        let range = self.data_range(entry, source)?;
        entry.check_size(range.end.saturating_sub(range.start))?;
        Ok(Some(range))
    }

    /// The data of an entry from its raw bytes (see [`data_range`](Directory::data_range)): the same bytes for a stored entry,
    /// O(1); in the inflater's buffer for a deflated entry, O(data).
    ///
    /// # Errors
    /// Those of [`Archive::read`](super::Archive::read).
    pub fn inflate<'b>(
        &self,
        entry: &Entry<'_>,
        raw: &'b [u8],
        inflater: &'b mut Inflater,
    ) -> Result<&'b [u8], ArchiveError> {
        let kind = match entry.method() {
            Method::Stored => return entry.check_size(to_u64(raw.len())).map(|()| raw),
            Method::Deflated => match inflater.inflate(raw, entry.size(), self.index.limits.inflated) {
                Ok(data) => return Ok(data),
                Err(kind) => kind,
            },
            Method::Other(number) => {
                let method = format!("compressed by {number} ({})", method_name(number));
                ArchiveErrorKind::Unsupported { method: method.into() }
            }
        };
        Err(ArchiveError::of_entry(kind, entry.name()))
    }

    /// Compares the checksum (CRC-32) of an entry's data with the checksum in the directory. O(data).
    ///
    /// # Errors
    /// [`Checksum`](ArchiveErrorKind::Checksum).
    pub fn check(&self, entry: &Entry<'_>, data: &[u8]) -> Result<(), ArchiveError> {
        let (stated, found) = (entry.crc32(), crc32fast::hash(data));
        let kind = ArchiveErrorKind::Checksum { stated, found };
        if stated == found { Ok(()) } else { Err(ArchiveError::of_entry(kind, entry.name())) }
    }
}

impl<B: AsRef<[u8]>> Debug for Directory<B> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_struct("Directory").field("bytes", &self.bytes().len()).field("entries", &self.len()).finish()
    }
}

/// A range of bytes; empty if it is out of bounds.
pub(super) fn part<'a>(bytes: &'a [u8], range: &Range<u64>) -> &'a [u8] {
    bytes.get(to_usize(range.start)..to_usize(range.end)).unwrap_or_default()
}
