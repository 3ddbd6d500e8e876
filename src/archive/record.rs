//! A record of the central directory, and where the data of its entry lies.

use alloc::string::{String, ToString};
use core::ops::Range;

use rawzip::CompressionMethod;
use zerocopy::little_endian::U16;
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

use super::error::ArchiveErrorKind;
use super::name::EntryName;
use crate::bytes::{Part, ReadAt, Reader, Span, to_u64};

/// The size of the fixed part of a record in the directory.
pub(super) const RECORD_SIZE: usize = 46;

/// The flag of an encrypted entry.
const ENCRYPTED: u16 = 1;

/// What the index keeps of an entry.
#[derive(Clone, Copy, Debug)]
pub(super) struct Record {
    /// The offset of the local header.
    pub(super) local: u64,
    /// The offset of the record in the file.
    offset: u64,
    pub(super) size: u64,
    pub(super) compressed: u64,
    pub(super) crc32: u32,
    name_length: u16,
    pub(super) method: CompressionMethod,
    flags: u16,
}

const _: () = assert!(size_of::<Record>() <= 48);

/// The header before the data of an entry: 30 bytes, then the name and the extra fields.
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
    #[inline]
    pub(super) fn of(entry: &rawzip::ZipFileHeaderRecord<'_>) -> Self {
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

    pub(super) fn name<'a>(&self, bytes: &'a [u8]) -> EntryName<'a> {
        let start = usize::try_from(self.offset).unwrap_or(usize::MAX).saturating_add(RECORD_SIZE);
        let name = bytes.get(start..).and_then(|rest| rest.get(..self.name_length.into()));
        EntryName::new(name.unwrap_or_default())
    }

    /// The first offset at which the entry can end. A longer local header moves the end.
    #[inline]
    pub(super) fn least_end(&self) -> u64 {
        let header = to_u64(size_of::<LocalHeader>()).saturating_add(self.name_length.into());
        self.local.saturating_add(header).saturating_add(self.compressed)
    }

    /// The range of the entry's data in the archive. The data ends before `directory`. Reads the local header, which must
    /// have the name of the directory.
    pub(super) fn data<R: ReadAt + ?Sized>(
        &self,
        archive: &R,
        name: EntryName<'_>,
        directory: u64,
    ) -> Result<Range<u64>, DataError<R::Error>> {
        if self.flags & ENCRYPTED != 0 {
            return Err(DataError::Kind(ArchiveErrorKind::Unsupported { method: "encrypted".into() }));
        }
        let outside = || DataError::Kind(ArchiveErrorKind::LocalHeader { offset: self.local });
        let entry = Part::new(archive, &(self.local..directory));
        let mut reader = Reader::new(&entry);
        let header = reader.read::<LocalHeader>().map_err(DataError::Source)?;
        let header = header.filter(|header| header.signature == *b"PK\x03\x04").ok_or_else(outside)?;
        let local = reader.skip(1, header.name_length.get().into()).ok_or_else(outside)?;
        if !is_name(&entry, local, name).map_err(DataError::Source)? {
            let local = local_name(&entry, local).map_err(DataError::Source)?;
            return Err(DataError::Kind(ArchiveErrorKind::LocalName { local: local.into() }));
        }
        reader.skip(1, header.extra_length.get().into()).ok_or_else(outside)?;
        if self.compressed > reader.left() {
            return Err(outside());
        }
        let start = self.local.saturating_add(reader.position());
        Ok(start..start.saturating_add(self.compressed))
    }
}

/// Why the data of an entry was not found.
pub(super) enum DataError<E> {
    Kind(ArchiveErrorKind),
    /// The archive could not be read.
    Source(E),
}

/// Whether a name in a source is this name.
fn is_name<R: ReadAt>(source: &R, place: Span, name: EntryName<'_>) -> Result<bool, R::Error> {
    if place.len() != to_u64(name.as_bytes().len()) {
        return Ok(false);
    }
    if let Some(bytes) = source.as_slice() {
        return Ok(place.bytes_of(bytes) == name.as_bytes());
    }
    let mut chunk = [0; 256];
    let mut at = place.start();
    for expected in name.as_bytes().chunks(chunk.len()) {
        let found = chunk.get_mut(..expected.len()).unwrap_or_default();
        if source.read_at(at, found)? < expected.len() || found != expected {
            return Ok(false);
        }
        at = at.saturating_add(to_u64(expected.len()));
    }
    Ok(true)
}

/// A name in a source, of at most 65,535 bytes.
fn local_name<R: ReadAt>(source: &R, place: Span) -> Result<String, R::Error> {
    let mut name = alloc::vec![0; usize::try_from(place.len()).unwrap_or(0)];
    let read = source.read_at(place.start(), &mut name)?;
    name.truncate(read);
    Ok(EntryName::new(&name).to_string())
}
