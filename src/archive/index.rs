//! The index of an archive: what its central directory says, and where an entry's data lies.

use alloc::format;
use alloc::string::ToString;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt::{self, Debug, Formatter};
use core::iter::FusedIterator;

use rawzip::{CompressionMethod, ZipArchive};
use zerocopy::little_endian::U16;
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

use super::error::{ArchiveError, ArchiveErrorKind};
use super::inflate::Inflater;
use super::name::EntryName;
use crate::cursor::{Cursor, to_u64};

/// The fixed part of a record of the directory.
const RECORD_SIZE: usize = 46;

/// How much an archive may ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "made by struct update from its default")]
pub struct Limits {
    /// The most entries. The index takes up 48 bytes for each. Default: 1,048,576.
    pub entries: u64,
    /// The most bytes that a deflated entry may have once inflated. Default: 256 MiB.
    pub inflated: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { entries: 1 << 20, inflated: 256 << 20 }
    }
}

/// A ZIP archive in memory, indexed by its central directory.
///
/// ```
/// use skelmap::archive::{Archive, Inflater};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let bytes = std::fs::read("corpus/archive/mod.zip")?;
/// let archive = Archive::parse(&bytes)?;
/// let mut inflater = Inflater::new();
/// for entry in archive.entries().filter(|entry| !entry.name().is_folder()) {
///     let data = archive.read(&entry, &mut inflater)?;
///     println!("{}: {} bytes", entry.name(), data.len());
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Archive<'a> {
    bytes: &'a [u8],
    index: Arc<Index>,
}

/// What the directory of an archive says, without the archive's bytes.
#[derive(Debug)]
pub(crate) struct Index {
    records: Vec<Record>,
    /// Where the directory begins, and so the data of entries ends.
    directory: u64,
    limits: Limits,
}

/// What is kept of an entry.
#[derive(Clone, Copy, Debug)]
struct Record {
    /// Where the local header begins.
    local: u64,
    /// Where the directory's record begins.
    offset: u64,
    size: u64,
    compressed: u64,
    crc32: u32,
    name_length: u16,
    method: CompressionMethod,
    flags: u16,
}

const _: () = assert!(size_of::<Record>() <= 48);

/// What precedes an entry's data, 30 bytes and then the name and extra fields.
#[derive(Clone, Copy, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct LocalHeader {
    signature: [u8; 4],
    versions_to_sizes: [u8; 22],
    name_length: U16,
    extra_length: U16,
}

const _: () = assert!(size_of::<LocalHeader>() == 30 && align_of::<LocalHeader>() == 1);

impl Record {
    const ENCRYPTED: u16 = 1;

    fn of(entry: &rawzip::ZipFileHeaderRecord<'_>) -> Self {
        Self {
            local: entry.local_header_offset(),
            offset: entry.central_directory_offset(),
            size: entry.uncompressed_size_hint(),
            compressed: entry.compressed_size_hint(),
            crc32: entry.crc32(),
            name_length: u16::try_from(entry.file_path().as_ref().len()).unwrap_or(u16::MAX),
            method: entry.compression_method(),
            flags: entry.flags().bits(),
        }
    }

    fn name<'a>(&self, bytes: &'a [u8]) -> EntryName<'a> {
        let start = usize::try_from(self.offset).unwrap_or(usize::MAX).saturating_add(RECORD_SIZE);
        let name = bytes.get(start..).and_then(|rest| rest.get(..self.name_length.into()));
        EntryName::new(name.unwrap_or_default())
    }

    /// Where the entry ends at the least: its local header may be longer.
    fn least_end(&self) -> u64 {
        let header = to_u64(size_of::<LocalHeader>()).saturating_add(self.name_length.into());
        self.local.saturating_add(header).saturating_add(self.compressed)
    }
}

impl<'a> Archive<'a> {
    /// Indexes an archive by its central directory, within the default [`Limits`]. O(entries), one allocation for all of them.
    ///
    /// What precedes an archive is passed over where the directory's offsets count it, or where it has entries and no ZIP64 end.
    ///
    /// # Errors
    /// [`ArchiveError`] if there is no directory, or it is damaged, or two entries share bytes as far as the directory tells: local
    /// headers, which are not looked at, may be longer than they need to be.
    pub fn parse(bytes: &'a [u8]) -> Result<Self, ArchiveError> {
        Self::parse_with(bytes, &Limits::default())
    }

    /// [`parse`](Archive::parse) within other limits.
    ///
    /// # Errors
    /// Those of [`parse`](Archive::parse), and [`TooManyEntries`](ArchiveErrorKind::TooManyEntries).
    pub fn parse_with(bytes: &'a [u8], limits: &Limits) -> Result<Self, ArchiveError> {
        let of_archive = ArchiveError::of_archive;
        let zip = ZipArchive::from_slice(bytes).map_err(|_| of_archive(ArchiveErrorKind::NoDirectory))?;
        let stated = zip.entries_hint();
        let too_many = |count| of_archive(ArchiveErrorKind::TooManyEntries { count, limit: limits.entries });
        if stated > limits.entries {
            return Err(too_many(stated));
        }
        // What is claimed is believed as far as there are bytes for it.
        let room = bytes.len().checked_div(RECORD_SIZE).unwrap_or(0);
        let mut records = Vec::with_capacity(usize::try_from(stated).unwrap_or(usize::MAX).min(room));
        let (mut last_end, mut in_order) = (0, true);
        let mut entries = zip.entries();
        loop {
            let found = to_u64(records.len());
            let damaged = |error: rawzip::Error| {
                of_archive(ArchiveErrorKind::Directory { entries: found, reason: error.to_string() })
            };
            let Some(entry) = entries.next_entry().map_err(damaged)? else { break };
            if found >= limits.entries {
                return Err(too_many(found.saturating_add(1)));
            }
            let record = Record::of(&entry);
            in_order &= record.local >= last_end;
            last_end = record.least_end();
            records.push(record);
        }
        let found = to_u64(records.len());
        // Old writers let the short overflow that counts the entries.
        let is_short = !has_long_end(bytes, zip.eocd_offset());
        if found != stated && !(is_short && found % (1 << 16) == stated) {
            return Err(of_archive(ArchiveErrorKind::EntryCount { stated, found }));
        }
        if !in_order {
            prove_disjoint(bytes, &records)?;
        }
        let index = Index { records, directory: zip.directory_offset(), limits: *limits };
        Ok(Self { bytes, index: Arc::new(index) })
    }

    #[cfg(feature = "catalog")]
    /// An archive that was indexed before: the same bytes.
    pub(crate) const fn indexed(bytes: &'a [u8], index: Arc<Index>) -> Self {
        Self { bytes, index }
    }

    #[cfg(feature = "catalog")]
    /// The index, to be joined with the same bytes again.
    pub(crate) fn into_index(self) -> Arc<Index> {
        self.index
    }

    /// The archive's bytes.
    pub const fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// Number of entries, folders included.
    pub fn len(&self) -> usize {
        self.index.records.len()
    }

    /// Whether there is no entry.
    pub fn is_empty(&self) -> bool {
        self.index.records.is_empty()
    }

    /// The entries, in the order of the directory.
    pub fn entries(&self) -> Entries<'a, '_> {
        Entries { bytes: self.bytes, records: self.index.records.iter().enumerate() }
    }

    /// An entry by its place in the directory. O(1).
    pub fn get(&self, index: usize) -> Option<Entry<'a>> {
        self.index.records.get(index).map(|record| Entry { index, record: *record, name: record.name(self.bytes) })
    }

    /// The entry of a name. Where several have it, the last, which is what most programs extract. O(entries).
    ///
    /// # Errors
    /// [`NoSuchEntry`](ArchiveErrorKind::NoSuchEntry).
    pub fn entry(&self, name: &str) -> Result<Entry<'a>, ArchiveError> {
        let found = self.entries().rev().find(|entry| entry.name.matches(name));
        found.ok_or_else(|| ArchiveError::of_entry(ArchiveErrorKind::NoSuchEntry, name))
    }

    /// The entry's data as it lies in the archive, compressed if it is. Reads the local header. O(1).
    ///
    /// # Errors
    /// [`LocalHeader`](ArchiveErrorKind::LocalHeader), [`LocalName`](ArchiveErrorKind::LocalName);
    /// [`Unsupported`](ArchiveErrorKind::Unsupported) for what is encrypted.
    pub fn raw(&self, entry: &Entry<'a>) -> Result<&'a [u8], ArchiveError> {
        self.range(entry).map(|range| self.bytes.get(range).unwrap_or_default())
    }

    /// Where the entry's data lies in the archive.
    fn range(&self, entry: &Entry<'a>) -> Result<core::ops::Range<usize>, ArchiveError> {
        let fail = |kind| ArchiveError::of_entry(kind, entry.name);
        let unsupported = |method: &str| fail(ArchiveErrorKind::Unsupported { method: method.into() });
        if entry.record.flags & Record::ENCRYPTED != 0 {
            return Err(unsupported("encrypted"));
        }
        let record = &entry.record;
        let outside = || fail(ArchiveErrorKind::LocalHeader { offset: record.local });
        let inside = usize::try_from(self.index.directory).ok().and_then(|end| self.bytes.get(..end));
        let start = usize::try_from(record.local).map_err(|_| outside())?;
        let mut cursor = Cursor::new(inside.and_then(|bytes| bytes.get(start..)).ok_or_else(outside)?);
        let header =
            cursor.read::<LocalHeader>().filter(|header| header.signature == *b"PK\x03\x04").ok_or_else(outside)?;
        let local = cursor.take(1, header.name_length.get().into()).ok_or_else(outside)?;
        if local != entry.name.as_bytes() {
            let local = EntryName::new(local).to_string().into();
            return Err(fail(ArchiveErrorKind::LocalName { local }));
        }
        cursor.take(1, header.extra_length.get().into()).ok_or_else(outside)?;
        let length = usize::try_from(record.compressed).ok().filter(|length| *length <= cursor.rest().len());
        let length = length.ok_or_else(outside)?;
        let start = start.saturating_add(cursor.position());
        Ok(start..start.saturating_add(length))
    }

    /// The data of a stored entry, in place; `None` for one that is compressed. O(1).
    ///
    /// # Errors
    /// Those of [`raw`](Archive::raw), and [`Size`](ArchiveErrorKind::Size) if the two sizes of the entry differ.
    pub fn stored(&self, entry: &Entry<'a>) -> Result<Option<&'a [u8]>, ArchiveError> {
        Ok(self.stored_range(entry)?.map(|range| self.bytes.get(range).unwrap_or_default()))
    }

    /// Where the data of a stored entry lies in the archive's bytes; `None` for one that is compressed. O(1).
    ///
    /// # Errors
    /// Those of [`stored`](Archive::stored).
    pub fn stored_range(&self, entry: &Entry<'a>) -> Result<Option<core::ops::Range<usize>>, ArchiveError> {
        if entry.method() != Method::Stored {
            return Ok(None);
        }
        let range = self.range(entry)?;
        let found = to_u64(range.len());
        if found != entry.size() {
            let kind = ArchiveErrorKind::Size { stated: entry.size(), found: found.to_string().into() };
            return Err(ArchiveError::of_entry(kind, entry.name));
        }
        Ok(Some(range))
    }

    /// The data of an entry: in place if it is stored, else inflated into the inflater's buffer. O(data) where it is inflated.
    ///
    /// # Errors
    /// Those of [`stored`](Archive::stored); [`Unsupported`](ArchiveErrorKind::Unsupported),
    /// [`TooLarge`](ArchiveErrorKind::TooLarge), [`Deflate`](ArchiveErrorKind::Deflate).
    pub fn read<'b>(&self, entry: &Entry<'a>, inflater: &'b mut Inflater) -> Result<&'b [u8], ArchiveError>
    where
        'a: 'b,
    {
        let fail = |kind| ArchiveError::of_entry(kind, entry.name);
        match entry.method() {
            Method::Stored => self.stored(entry).map(Option::unwrap_or_default),
            Method::Deflated => {
                let raw = self.raw(entry)?;
                inflater.inflate(raw, entry.size(), self.index.limits.inflated).map_err(fail)
            }
            Method::Other(_) => {
                let method = entry.record.method.to_string();
                Err(fail(ArchiveErrorKind::Unsupported { method: format!("compressed by {method}").into() }))
            }
        }
    }

    /// Compares the checksum (CRC-32) of an entry's data with the directory's. O(data).
    ///
    /// # Errors
    /// [`Checksum`](ArchiveErrorKind::Checksum).
    pub fn check(&self, entry: &Entry<'a>, data: &[u8]) -> Result<(), ArchiveError> {
        let mut crc = flate2::Crc::new();
        crc.update(data);
        let (stated, found) = (entry.record.crc32, crc.sum());
        if stated == found {
            return Ok(());
        }
        Err(ArchiveError::of_entry(ArchiveErrorKind::Checksum { stated, found }, entry.name))
    }
}

impl Debug for Archive<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_struct("Archive").field("bytes", &self.bytes.len()).field("entries", &self.index.records.len()).finish()
    }
}

/// How an entry's data is compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Method {
    /// Not at all.
    Stored,
    /// By deflate.
    Deflated,
    /// By something else, which is not read: the number that ZIP has for it.
    Other(u16),
}

/// An entry of an archive, as its directory describes it.
#[derive(Clone, Copy)]
pub struct Entry<'a> {
    index: usize,
    record: Record,
    name: EntryName<'a>,
}

impl<'a> Entry<'a> {
    /// The entry's place in the directory.
    pub const fn index(&self) -> usize {
        self.index
    }

    /// The name.
    pub const fn name(&self) -> EntryName<'a> {
        self.name
    }

    /// Bytes of the data, as the directory says.
    pub const fn size(&self) -> u64 {
        self.record.size
    }

    /// Bytes that the data takes up in the archive, as the directory says.
    pub const fn compressed_size(&self) -> u64 {
        self.record.compressed
    }

    /// How the data is compressed.
    pub const fn method(&self) -> Method {
        match self.record.method {
            CompressionMethod::STORE => Method::Stored,
            CompressionMethod::DEFLATE => Method::Deflated,
            other => Method::Other(other.as_u16()),
        }
    }
}

impl Debug for Entry<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_struct("Entry").field("name", &self.name).field("size", &self.size()).finish_non_exhaustive()
    }
}

/// The entries of an archive, in the order of its directory.
#[derive(Clone)]
pub struct Entries<'a, 'b> {
    bytes: &'a [u8],
    records: core::iter::Enumerate<core::slice::Iter<'b, Record>>,
}

impl<'a> Entries<'a, '_> {
    fn entry(bytes: &'a [u8], (index, record): (usize, &Record)) -> Entry<'a> {
        Entry { index, record: *record, name: record.name(bytes) }
    }
}

impl<'a> Iterator for Entries<'a, '_> {
    type Item = Entry<'a>;

    fn next(&mut self) -> Option<Entry<'a>> {
        self.records.next().map(|record| Self::entry(self.bytes, record))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.records.size_hint()
    }
}

impl DoubleEndedIterator for Entries<'_, '_> {
    fn next_back(&mut self) -> Option<Self::Item> {
        self.records.next_back().map(|record| Self::entry(self.bytes, record))
    }
}

impl ExactSizeIterator for Entries<'_, '_> {}
impl FusedIterator for Entries<'_, '_> {}

impl Debug for Entries<'_, '_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.clone()).finish()
    }
}

/// Whether the end of the directory comes with its long form (ZIP64).
fn has_long_end(bytes: &[u8], end: u64) -> bool {
    const LOCATOR_SIZE: usize = 20;
    let at = usize::try_from(end).ok().and_then(|end| end.checked_sub(LOCATOR_SIZE));
    at.and_then(|at| bytes.get(at..)).is_some_and(|locator| locator.starts_with(b"PK\x06\x07"))
}

/// Proves that no two entries share bytes, where they do not lie in the order of the directory.
fn prove_disjoint(bytes: &[u8], records: &[Record]) -> Result<(), ArchiveError> {
    let mut in_order: Vec<&Record> = records.iter().collect();
    in_order.sort_unstable_by_key(|record| record.local);
    for pair in in_order.windows(2) {
        let [before, after] = pair else { continue };
        if after.local < before.least_end() {
            let other = before.name(bytes).to_string().into();
            return Err(ArchiveError::of_entry(ArchiveErrorKind::Overlap { other }, after.name(bytes)));
        }
    }
    Ok(())
}
