//! A record of the central directory, and where the data of its entry lies.

use alloc::string::ToString;
use core::ops::Range;

use rawzip::CompressionMethod;
use zerocopy::little_endian::U16;
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

use super::error::ArchiveErrorKind;
use super::name::EntryName;
use crate::bytes::{Cursor, to_u64};

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

    /// The range of the entry's data in the archive's bytes. The data ends before `directory`. Reads the local header.
    pub(super) fn data(&self, bytes: &[u8], directory: u64) -> Result<Range<usize>, ArchiveErrorKind> {
        if self.flags & ENCRYPTED != 0 {
            return Err(ArchiveErrorKind::Unsupported { method: "encrypted".into() });
        }
        let outside = || ArchiveErrorKind::LocalHeader { offset: self.local };
        let inside = usize::try_from(directory).ok().and_then(|end| bytes.get(..end));
        let start = usize::try_from(self.local).map_err(|_| outside())?;
        let mut cursor = Cursor::new(inside.and_then(|bytes| bytes.get(start..)).ok_or_else(outside)?);
        let header =
            cursor.read::<LocalHeader>().filter(|header| header.signature == *b"PK\x03\x04").ok_or_else(outside)?;
        let local = cursor.take(1, header.name_length.get().into()).ok_or_else(outside)?;
        if local != self.name(bytes).as_bytes() {
            return Err(ArchiveErrorKind::LocalName { local: EntryName::new(local).to_string().into() });
        }
        cursor.take(1, header.extra_length.get().into()).ok_or_else(outside)?;
        let length = usize::try_from(self.compressed).ok().filter(|length| *length <= cursor.rest().len());
        let length = length.ok_or_else(outside)?;
        let start = start.saturating_add(cursor.position());
        Ok(start..start.saturating_add(length))
    }
}
