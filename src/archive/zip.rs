//! A ZIP archive: its bytes and the index of its entries.

use alloc::sync::Arc;
use core::fmt::{self, Debug, Formatter};
use core::ops::Range;
use std::path::Path;

use super::end::{End, Tail};
use super::entry::{Entries, Entry, Method};
#[cfg(doc)]
use super::error::ArchiveErrorKind;
use super::error::{AddressError, ArchiveError, DirectoryError};
use super::index::Index;
use super::inflate::Inflater;
use super::limits::Limits;
use crate::bytes::to_usize;
#[cfg(feature = "catalog")]
use crate::bytes::{Part, ReadAt};
use crate::mapping::{Mapping, Opener};

/// A ZIP archive, indexed by its central directory.
///
/// `B` is the owner of the bytes: a [`Mapping`] (the default), a `&[u8]`, a `Vec<u8>` or any other `AsRef<[u8]>`. The
/// owner must give the same bytes each time. A clone shares the index; it costs as much as a clone of the owner.
///
/// An archive that owns its bytes can be stored, cloned and sent to other threads. The directory is read once, by
/// [`open`](Archive::open) or [`parse`](Archive::parse).
///
/// ```
/// use skelmap::archive::Archive;
/// use skelmap::mapping::Opener;
///
/// let archive = Archive::open("tests/corpus/archive/mod.zip", &Opener::reading())?;
/// let walk = archive.open_entry(&archive.entry("art/walk.psa")?)?;
/// assert!(skelmap::Asset::parse(&walk).is_ok());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// One [`Inflater`] for many entries saves a buffer for each entry; see there for an example.
#[derive(Clone)]
pub struct Archive<B = Mapping<'static>> {
    bytes: B,
    index: Arc<Index>,
}

impl Archive {
    /// Opens an archive by the opener's policy for parts ([`Opener::for_parts`]), and reads its directory within the
    /// default [`Limits`]. O(entries) where the file is mapped, O(file) where the file is read.
    ///
    /// # Errors
    /// [`AddressError`] if the file cannot be opened, and as [`parse`](Archive::parse).
    pub fn open(path: impl AsRef<Path>, opener: &Opener) -> Result<Self, AddressError> {
        Self::open_with(path, opener, &Limits::default())
    }

    /// [`open`](Archive::open) within other limits.
    ///
    /// # Errors
    /// As [`open`](Archive::open) and [`parse_with`](Archive::parse_with).
    pub fn open_with(path: impl AsRef<Path>, opener: &Opener, limits: &Limits) -> Result<Self, AddressError> {
        let path = path.as_ref();
        let bytes = opener.for_parts().open(path)?;
        Self::parse_with(bytes, limits).map_err(|error| AddressError::Archive { path: path.to_owned(), error })
    }
}

impl<'a> Archive<Mapping<'a>> {
    /// The data of an entry, independent of the archive's lifetime: a part that shares the archive's bytes for a stored
    /// entry, a buffer in memory for a deflated entry. O(1) for a stored entry, O(data) for a deflated entry.
    ///
    /// # Errors
    /// As [`read`](Archive::read).
    pub fn open_entry(&self, entry: &Entry<'_>) -> Result<Mapping<'a>, ArchiveError> {
        if let Some(range) = self.stored_range(entry)? {
            return Ok(self.bytes.part(range).unwrap_or(Mapping::borrowed(&[])));
        }
        let mut inflater = Inflater::new();
        self.read(entry, &mut inflater)?;
        Ok(inflater.into_buffer().into())
    }
}

impl<B: AsRef<[u8]>> Archive<B> {
    /// Indexes an archive by its central directory within the default [`Limits`]. O(entries), one allocation.
    ///
    /// Bytes before the archive are allowed if the offsets of the directory count them, or if the archive has entries
    /// and no ZIP64 end.
    ///
    /// # Errors
    /// [`ArchiveError`] if the directory is missing or damaged, or says that two entries share bytes. The local headers
    /// are not read here; a local header may be longer than the directory tells.
    pub fn parse(bytes: B) -> Result<Self, ArchiveError> {
        Self::parse_with(bytes, &Limits::default())
    }

    /// [`parse`](Archive::parse) within other limits.
    ///
    /// # Errors
    /// As [`parse`](Archive::parse), and [`TooManyEntries`](ArchiveErrorKind::TooManyEntries) or
    /// [`DirectoryTooLarge`](ArchiveErrorKind::DirectoryTooLarge).
    pub fn parse_with(bytes: B, limits: &Limits) -> Result<Self, ArchiveError> {
        let index = Arc::new(Self::index(bytes.as_ref(), limits)?);
        Ok(Self { bytes, index })
    }

    fn index(bytes: &[u8], limits: &Limits) -> Result<Index, ArchiveError> {
        let end = Tail::read(bytes).and_then(|tail| End::find(&tail, limits)).map_err(DirectoryError::into_archive)?;
        Index::new(part(bytes, &end.directory), end, limits)
    }

    /// The bytes of the directory.
    fn directory(&self) -> &[u8] {
        part(self.bytes(), &self.index.directory)
    }

    /// The archive's bytes.
    pub fn bytes(&self) -> &[u8] {
        self.bytes.as_ref()
    }

    /// Number of entries, folders included.
    pub fn len(&self) -> usize {
        self.index.len()
    }

    /// Whether the archive has no entry.
    pub fn is_empty(&self) -> bool {
        self.index.len() == 0
    }

    /// The entries, in the order of the directory.
    pub fn entries(&self) -> Entries<'_> {
        Entries::new(self.index.records(self.directory()))
    }

    /// An entry by its index in the directory. O(1).
    pub fn get(&self, index: usize) -> Option<Entry<'_>> {
        Entry::find(self.index.records(self.directory()), index)
    }

    /// The entry with a name. If several entries have the name, the last one, which most programs extract.
    ///
    /// The first look-up searches the directory, O(entries), and allocates nothing. The second makes a table of the
    /// names, O(entries), with at most 12 bytes for each entry. Later look-ups are O(1). Clones share the table.
    ///
    /// # Errors
    /// [`NoSuchEntry`](ArchiveErrorKind::NoSuchEntry).
    pub fn entry(&self, name: &str) -> Result<Entry<'_>, ArchiveError> {
        self.index.find(self.directory(), name)
    }

    /// The entry's data as it lies in the archive, compressed or not. Reads the local header. O(1).
    ///
    /// # Errors
    /// [`LocalHeader`](ArchiveErrorKind::LocalHeader), [`LocalName`](ArchiveErrorKind::LocalName);
    /// [`Unsupported`](ArchiveErrorKind::Unsupported) for an encrypted entry.
    pub fn raw(&self, entry: &Entry<'_>) -> Result<&[u8], ArchiveError> {
        let range = self.index.data(entry, self.bytes()).map_err(DirectoryError::into_archive)?;
        Ok(part(self.bytes(), &range))
    }

    /// The bytes from the local header of an entry on.
    #[cfg(feature = "catalog")]
    pub(crate) fn header_bytes(&self, entry: &Entry<'_>) -> &[u8] {
        self.bytes().get(to_usize(entry.record.local)..).unwrap_or_default()
    }

    /// The data of a stored entry in another source of the archive's bytes. `None` for a compressed entry, for an entry
    /// with a fault, and where the source fails: [`stored`](Archive::stored) then says why.
    #[cfg(feature = "catalog")]
    pub(crate) fn stored_in<R: ReadAt>(&self, entry: &Entry<'_>, source: R) -> Option<Part<R>> {
        let is_plain = entry.method() == Method::Stored && entry.size() == entry.compressed_size();
        let range = is_plain.then(|| self.index.data(entry, &source))?.ok()?;
        Some(Part::new(source, &range))
    }

    /// The data of a stored entry, in place; `None` for a compressed entry. O(1).
    ///
    /// # Errors
    /// As [`raw`](Archive::raw), and [`Size`](ArchiveErrorKind::Size) if the two sizes of the entry differ.
    pub fn stored(&self, entry: &Entry<'_>) -> Result<Option<&[u8]>, ArchiveError> {
        Ok(self.stored_range(entry)?.map(|range| self.bytes().get(range).unwrap_or_default()))
    }

    /// The range of a stored entry's data in the archive's bytes; `None` for a compressed entry. O(1).
    ///
    /// # Errors
    /// As [`stored`](Archive::stored).
    pub fn stored_range(&self, entry: &Entry<'_>) -> Result<Option<Range<usize>>, ArchiveError> {
        let range = self.index.stored(entry, self.bytes()).map_err(DirectoryError::into_archive)?;
        Ok(range.map(|range| to_usize(range.start)..to_usize(range.end)))
    }

    /// The data of an entry: in place if it is stored, O(1); in the inflater's buffer if it is deflated, O(data). Bytes
    /// after the end of deflated data are not read, as in other programs.
    ///
    /// # Errors
    /// As [`stored`](Archive::stored); [`Unsupported`](ArchiveErrorKind::Unsupported),
    /// [`TooLarge`](ArchiveErrorKind::TooLarge), [`Deflate`](ArchiveErrorKind::Deflate).
    pub fn read<'b>(&'b self, entry: &Entry<'_>, inflater: &'b mut Inflater) -> Result<&'b [u8], ArchiveError> {
        let raw = if let Method::Other(_) = entry.method() { &[] } else { self.raw(entry)? };
        self.index.inflate(entry, raw, inflater)
    }

    /// Compares the checksum (CRC-32) of an entry's data with the checksum in the directory. O(data).
    ///
    /// # Errors
    /// [`Checksum`](ArchiveErrorKind::Checksum).
    pub fn check(&self, entry: &Entry<'_>, data: &[u8]) -> Result<(), ArchiveError> {
        entry.check(data)
    }
}

impl<B: AsRef<[u8]>> Debug for Archive<B> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_struct("Archive").field("bytes", &self.bytes().len()).field("entries", &self.len()).finish()
    }
}

/// A range of bytes; empty if it does not lie inside.
fn part<'a>(bytes: &'a [u8], range: &Range<u64>) -> &'a [u8] {
    bytes.get(to_usize(range.start)..to_usize(range.end)).unwrap_or_default()
}
