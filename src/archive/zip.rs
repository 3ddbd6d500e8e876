//! A ZIP archive: its bytes and the index of its entries.

use core::fmt::{self, Debug, Formatter};
use core::ops::{Deref, Range};

use super::directory::{Directory, part};
use super::entry::{Entry, EntryKey, Method};
#[cfg(doc)]
use super::error::ArchiveErrorKind;
use super::error::{ArchiveError, DirectoryError};
use super::inflate::Inflater;
use crate::bytes::{ReadAt, SubSource, to_usize};
use crate::limits::Limits;
use crate::mapping::Mapping;

/// A ZIP archive, indexed by its central directory.
///
/// `B` owns the bytes: a [`Mapping`] (the default), a `&[u8]`, a `Vec<u8>` or any other `AsRef<[u8]>`. It must return the same
/// bytes each time. A clone shares the index; it costs as much as a clone of the owner.
///
/// An archive that owns its bytes can be stored, cloned and sent to other threads. [`parse`](Archive::parse) reads the
/// directory once; the methods of [`Directory`] find entries. For an archive at a path or an address, see
/// [`OpenArchive`](super::OpenArchive).
///
/// ```
/// use skelmap::archive::Archive;
/// use skelmap::mapping::Mapping;
///
/// let archive = Archive::parse(Mapping::read("tests/corpus/archive/mod.zip")?)?;
/// let walk = archive.open_entry("art/walk.psa")?;
/// assert!(skelmap::Asset::parse(&walk).is_ok());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// For many entries, reuse one [`Inflater`]: its page has an example.
#[derive(Clone)]
pub struct Archive<B = Mapping<'static>> {
    pub(super) directory: Directory<B>,
}

impl<B> Deref for Archive<B> {
    type Target = Directory<B>;

    fn deref(&self) -> &Directory<B> {
        &self.directory
    }
}

impl<'a> Archive<Mapping<'a>> {
    /// The data of an entry, by its name or as found, independent of the archive's lifetime: a stored entry shares the archive's bytes,
    /// O(1); a deflated entry is a new buffer, O(data).
    ///
    /// # Errors
    /// Those of [`entry`](Directory::entry) and [`read`](Archive::read).
    pub fn open_entry<'e>(&'e self, entry: impl Into<EntryKey<'e>>) -> Result<Mapping<'a>, ArchiveError> {
        let entry = &self.entry_of(entry.into())?;
        if let Some(range) = self.stored_range(entry)? {
            return Ok(self.directory.bytes.part(range).unwrap_or(Mapping::borrowed(&[])));
        }
        let mut inflater = Inflater::new();
        self.read(entry, &mut inflater)?;
        Ok(inflater.into_buffer().into())
    }
}

impl<B: AsRef<[u8]>> Archive<B> {
    /// Indexes an archive by its central directory, with the default [`Limits`]. O(entries), one allocation.
    ///
    /// Bytes before the archive are allowed if the offsets count them, or if the archive has entries and no ZIP64 end.
    ///
    /// # Errors
    /// [`ArchiveError`] if the directory is missing or damaged, or if two of its entries share bytes. Local headers are not
    /// read here; they may be longer than the directory states.
    pub fn parse(bytes: B) -> Result<Self, ArchiveError> {
        Self::parse_with(bytes, &Limits::default())
    }

    /// [`parse`](Archive::parse) with other limits.
    ///
    /// # Errors
    /// Those of [`parse`](Archive::parse), and [`TooManyEntries`](ArchiveErrorKind::TooManyEntries) or
    /// [`DirectoryTooLarge`](ArchiveErrorKind::DirectoryTooLarge).
    pub fn parse_with(bytes: B, limits: &Limits) -> Result<Self, ArchiveError> {
        Ok(Self { directory: Directory::of_archive(bytes, limits)? })
    }

    /// The archive's bytes.
    pub fn bytes(&self) -> &[u8] {
        self.directory.bytes.as_ref()
    }

    /// The raw data of an entry, compressed or not. Reads the local header. O(1).
    ///
    /// # Errors
    /// [`LocalHeader`](ArchiveErrorKind::LocalHeader), [`LocalName`](ArchiveErrorKind::LocalName);
    /// [`Unsupported`](ArchiveErrorKind::Unsupported) for an encrypted entry.
    pub fn raw(&self, entry: &Entry<'_>) -> Result<&[u8], ArchiveError> {
        let range = self.data_range(entry, self.bytes()).map_err(DirectoryError::into_format)?;
        Ok(part(self.bytes(), &range))
    }

    /// The bytes from the local header of an entry on.
    #[doc(hidden)] // For skelmap-batch, which asks whether an entry is in memory.
    pub fn header_bytes(&self, entry: &Entry<'_>) -> &[u8] {
        self.bytes().get(to_usize(entry.record.local)..).unwrap_or_default()
    }

    /// The data of a stored entry in another source of the archive. `None` for a compressed entry, for a damaged entry, or if
    /// the source fails: [`stored`](Archive::stored) then has the reason.
    #[doc(hidden)] // For skelmap-batch, which reads headers from the file of a map.
    pub fn stored_in<R: ReadAt>(&self, entry: &Entry<'_>, source: R) -> Option<impl ReadAt<Error = R::Error>> {
        let is_plain = entry.method() == Method::Stored && entry.size() == entry.compressed_size();
        let range = is_plain.then(|| self.data_range(entry, &source))?.ok()?;
        Some(SubSource::new(source, &range))
    }

    /// The data of a stored entry, in place; `None` for a compressed entry. O(1).
    ///
    /// # Errors
    /// Those of [`raw`](Archive::raw), and [`Size`](ArchiveErrorKind::Size) if the two sizes of the entry differ.
    pub fn stored(&self, entry: &Entry<'_>) -> Result<Option<&[u8]>, ArchiveError> {
        Ok(self.stored_range(entry)?.map(|range| self.bytes().get(range).unwrap_or_default()))
    }

    /// The range of a stored entry's data in the archive's bytes; `None` for a compressed entry. O(1).
    ///
    /// # Errors
    /// Those of [`stored`](Archive::stored).
    pub fn stored_range(&self, entry: &Entry<'_>) -> Result<Option<Range<usize>>, ArchiveError> {
        let range = self.directory.stored_range(entry, self.bytes()).map_err(DirectoryError::into_format)?;
        Ok(range.map(|range| to_usize(range.start)..to_usize(range.end)))
    }

    /// The data of an entry: in place if stored, O(1); in the inflater's buffer if deflated, O(data). Like other programs,
    /// ignores bytes after the end of deflated data.
    ///
    /// # Errors
    /// Those of [`stored`](Archive::stored); [`Unsupported`](ArchiveErrorKind::Unsupported),
    /// [`TooLarge`](ArchiveErrorKind::TooLarge), [`Deflate`](ArchiveErrorKind::Deflate).
    pub fn read<'b>(&'b self, entry: &Entry<'_>, inflater: &'b mut Inflater) -> Result<&'b [u8], ArchiveError> {
        let raw = if let Method::Other(_) = entry.method() { &[] } else { self.raw(entry)? };
        self.inflate(entry, raw, inflater)
    }
}

impl<B: AsRef<[u8]>> Debug for Archive<B> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_struct("Archive").field("bytes", &self.bytes().len()).field("entries", &self.len()).finish()
    }
}
