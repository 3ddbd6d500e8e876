//! A record of the central directory, and the location of its entry's data.

use alloc::{borrow::Cow, string::ToString};
use core::ops::Range;

use zerocopy::little_endian::{U16, U32};
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

use super::error::{ArchiveError, ArchiveErrorKind, DirectoryError};
use super::name::EntryName;
use crate::bytes::{ReadAt, Reader, Span, SubSource, to_u64, to_usize};

/// The flag of an encrypted entry.
const ENCRYPTED: u16 = 1;

/// The extra field with the 64-bit numbers.
const ZIP64: u16 = 1;

/// A record of the directory: 46 bytes, then the name, the extra fields and a comment.
#[derive(Clone, Copy, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub(super) struct DirectoryRecord {
    signature: [u8; 4],
    versions: [u8; 4],
    flags: U16,
    method: U16,
    time: [u8; 4],
    crc32: U32,
    compressed: U32,
    size: U32,
    name_length: U16,
    extra_length: U16,
    comment_length: U16,
    disk_and_attributes: [u8; 8],
    local: U32,
}

const _: () = assert!(size_of::<DirectoryRecord>() == 46 && align_of::<DirectoryRecord>() == 1);

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

/// The directory's data about an entry.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Record<'a> {
    pub(super) name: EntryName<'a>,
    /// The offset of the local header.
    pub(super) local: u64,
    pub(super) size: u64,
    pub(super) compressed: u64,
    pub(super) crc32: u32,
    pub(super) method: u16,
    flags: u16,
}

impl DirectoryRecord {
    #[inline]
    pub(super) fn has_signature(&self) -> bool {
        self.signature == *b"PK\x01\x02"
    }

    /// Splits the bytes after this record into its variable part and the rest; `None` if there are too few.
    #[inline]
    pub(super) fn split<'a>(&self, after: &'a [u8]) -> Option<(&'a [u8], &'a [u8])> {
        let [name, extra, comment] = [self.name_length, self.extra_length, self.comment_length].map(U16::get);
        let length = usize::from(name).saturating_add(extra.into()).saturating_add(comment.into());
        after.split_at_checked(length)
    }
}

impl<'a> Record<'a> {
    /// The first record of these bytes. `base`: bytes before the archive that the record's offset does not count. `None` for
    /// truncated bytes, and for an offset past any file.
    #[inline]
    pub(super) fn parse(bytes: &'a [u8], base: u64) -> Option<Self> {
        let (record, after) = DirectoryRecord::ref_from_prefix(bytes).ok()?;
        Self::of(record, record.split(after)?.0, base)
    }

    /// A record and its variable part.
    #[inline]
    pub(super) fn of(record: &DirectoryRecord, variable: &'a [u8], base: u64) -> Option<Self> {
        let (name, rest) = variable.split_at_checked(record.name_length.get().into())?;
        let mut numbers = [record.size, record.compressed, record.local].map(|number| u64::from(number.get()));
        if numbers.contains(&u64::from(u32::MAX)) {
            lengthen(&mut numbers, rest.get(..record.extra_length.get().into())?);
        }
        let [size, compressed, local] = numbers;
        Some(Self {
            name: EntryName::new(name),
            local: local.checked_add(base)?,
            size,
            compressed,
            crc32: record.crc32.get(),
            method: record.method.get(),
            flags: record.flags.get(),
        })
    }

    /// The minimum offset of the entry's end. A longer local header moves the end.
    #[inline]
    pub(super) fn least_end(&self) -> u64 {
        let header = to_u64(size_of::<LocalHeader>()).saturating_add(to_u64(self.name.as_bytes().len()));
        self.local.saturating_add(header).saturating_add(self.compressed)
    }

    /// The range of the entry's data in the archive, which must end before `directory`. Reads the local header, which must have
    /// the same name as the directory.
    pub(super) fn data<R: ReadAt + ?Sized>(
        &self,
        archive: &R,
        directory: u64,
    ) -> Result<Range<u64>, DirectoryError<R::Error>> {
        let fail = |kind| DirectoryError::Format(ArchiveError::of_entry(kind, self.name));
        if self.flags & ENCRYPTED != 0 {
            return Err(fail(ArchiveErrorKind::Unsupported { method: "encrypted".into() }));
        }
        let outside = || fail(ArchiveErrorKind::LocalHeader { offset: self.local });
        let entry = SubSource::new(archive, &(self.local..directory));
        let mut reader = Reader::new(&entry);
        let header = reader.read::<LocalHeader>().map_err(DirectoryError::Source)?;
        let header = header.filter(|header| header.signature == *b"PK\x03\x04").ok_or_else(outside)?;
        let local = reader.skip(1, header.name_length.get().into()).ok_or_else(outside)?;
        let local = name_at(&entry, local).map_err(DirectoryError::Source)?;
        if *local != *self.name.as_bytes() {
            return Err(fail(ArchiveErrorKind::LocalName { local: EntryName::new(&local).to_string().into() }));
        }
        reader.skip(1, header.extra_length.get().into()).ok_or_else(outside)?;
        if self.compressed > reader.left() {
            return Err(outside());
        }
        let start = self.local.saturating_add(reader.position());
        Ok(start..start.saturating_add(self.compressed))
    }
}

/// Reads from the ZIP64 field each number that has the maximum 32-bit value, as far as the field has numbers.
#[cold]
fn lengthen(numbers: &mut [u64; 3], mut extra: &[u8]) {
    while let Ok(([id, length], rest)) = <[U16; 2]>::ref_from_prefix(extra) {
        let Some((mut field, rest)) = rest.split_at_checked(length.get().into()) else { return };
        if id.get() != ZIP64 {
            extra = rest;
            continue;
        }
        for number in numbers.iter_mut().filter(|number| **number == u64::from(u32::MAX)) {
            let Some((long, rest)) = field.split_first_chunk() else { return };
            (*number, field) = (u64::from_le_bytes(*long), rest);
        }
        return;
    }
}

/// The bytes of a name in a source: at most 65,535.
fn name_at<R: ReadAt>(source: &R, place: Span) -> Result<Cow<'_, [u8]>, R::Error> {
    if let Some(bytes) = source.as_slice() {
        return Ok(place.bytes_of(bytes).into());
    }
    let mut name = alloc::vec![0; to_usize(place.len())];
    let read = source.read_at(place.start(), &mut name)?;
    name.truncate(read);
    Ok(name.into())
}
