//! The end of a central directory: the records after the directory that locate it.

use alloc::{borrow::Cow, vec, vec::Vec};
use core::ops::Range;

use memchr::memmem;
use zerocopy::little_endian::{U16, U32, U64};
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

use super::error::{ArchiveError, ArchiveErrorKind, DirectoryError};
use super::record::DirectoryRecord;
use crate::bytes::{ReadAt, Reader, Record, SubSource, to_u64, to_usize};
use crate::limits::Limits;

/// The last record of an archive, before a comment of up to 65,535 bytes.
#[derive(Clone, Copy, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct EndRecord {
    signature: [u8; 4],
    disks: [U16; 2],
    entries_here: U16,
    entries: U16,
    directory_size: U32,
    directory_offset: U32,
    comment_length: U16,
}

/// The record before the last one in an archive with a ZIP64 end.
#[derive(Clone, Copy, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct Locator {
    signature: [u8; 4],
    disk: U32,
    /// The offset of the ZIP64 end.
    offset: U64,
    disks: U32,
}

/// The ZIP64 end. An extensible part can follow, up to the locator.
#[derive(Clone, Copy, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct LongEnd {
    signature: [u8; 4],
    /// Bytes of the record after this field.
    length: U64,
    versions: [U16; 2],
    disks: [U32; 2],
    entries_here: U64,
    entries: U64,
    directory_size: U64,
    directory_offset: U64,
}

const END_SIZE: u64 = 22;
const LOCATOR_SIZE: u64 = 20;
const LONG_END_SIZE: u64 = 56;
const _: () = assert!(size_of::<EndRecord>() == 22 && size_of::<Locator>() == 20 && size_of::<LongEnd>() == 56);

/// Bytes of a ZIP64 end up to and with its length.
const BEFORE_LENGTH: u64 = 12;

/// Bytes at the end of a source that are read first: all end records and the longest comment.
const USUAL_TAIL: u64 = 66 << 10;
const _: () = assert!(USUAL_TAIL >= END_SIZE + LOCATOR_SIZE + LONG_END_SIZE + 65_535);

/// The end record is searched in this number of bytes at the end of a source: other bytes may follow the archive.
const MAX_TAIL: u64 = 1 << 20;

/// A source whose last bytes are in memory.
pub(super) struct Tail<'s, R: ?Sized> {
    source: &'s R,
    bytes: Cow<'s, [u8]>,
    /// The offset of these bytes in the source.
    start: u64,
    /// The offset of the end record.
    end: u64,
}

impl<'s, R: ReadAt + ?Sized> Tail<'s, R> {
    /// Reads the last bytes, up to the end record. One read; two if the record is not at its usual offset. A slice is not
    /// copied.
    pub(super) fn read(source: &'s R) -> Result<Self, DirectoryError<R::Error>> {
        for length in [USUAL_TAIL, MAX_TAIL] {
            let size = source.size();
            let (bytes, start): (Cow<'_, [u8]>, u64) = if let Some(bytes) = source.as_slice() {
                (bytes.into(), 0)
            } else {
                let start = size.saturating_sub(length);
                (read_range(source, &(start..size))?.into(), start)
            };
            let searched = bytes.len().saturating_sub(to_usize(MAX_TAIL));
            let found = memmem::rfind(bytes.get(searched..).unwrap_or_default(), b"PK\x05\x06");
            if let Some(found) = found {
                let end = start.saturating_add(to_u64(searched)).saturating_add(to_u64(found));
                return Ok(Self { source, bytes, start, end });
            }
            if start == 0 {
                break;
            }
        }
        Err(no_directory())
    }

    /// A copy of the directory. At most one read.
    pub(super) fn directory(&self, end: &End) -> Result<Vec<u8>, DirectoryError<R::Error>> {
        read_range(self, &end.directory)
    }

    fn record<T: Record>(&self, offset: u64) -> Result<Option<T>, DirectoryError<R::Error>> {
        let part = SubSource::new(self, &(offset..u64::MAX));
        Reader::new(&part).read().map_err(DirectoryError::Source)
    }

    /// Whether a record of a directory begins at an offset.
    fn has_record(&self, offset: u64) -> Result<bool, DirectoryError<R::Error>> {
        Ok(self.record(offset)?.is_some_and(|record: DirectoryRecord| record.has_signature()))
    }
}

impl<R: ReadAt + ?Sized> ReadAt for Tail<'_, R> {
    type Error = R::Error;

    fn size(&self) -> u64 {
        self.source.size()
    }

    fn read_at(&self, offset: u64, into: &mut [u8]) -> Result<usize, R::Error> {
        let before = to_usize(self.start.saturating_sub(offset)).min(into.len());
        let (far, near) = into.split_at_mut(before);
        if !far.is_empty() {
            let read = self.source.read_at(offset, far)?;
            if read < far.len() {
                return Ok(read);
            }
        }
        let Ok(read) = self.bytes.read_at(offset.saturating_sub(self.start), near);
        Ok(before.saturating_add(read))
    }
}

/// All bytes of a range. A source with fewer bytes is truncated and has no directory.
fn read_range<R: ReadAt + ?Sized>(source: &R, range: &Range<u64>) -> Result<Vec<u8>, DirectoryError<R::Error>> {
    let mut bytes = vec![0; to_usize(range.end.saturating_sub(range.start))];
    if bytes.is_empty() {
        return Ok(bytes);
    }
    let read = source.read_at(range.start, &mut bytes).map_err(DirectoryError::Source)?;
    if read < bytes.len() { Err(no_directory()) } else { Ok(bytes) }
}

fn no_directory<E>() -> DirectoryError<E> {
    ArchiveError::of_archive(ArchiveErrorKind::NoDirectory).into()
}

/// The content of the end records.
#[derive(Debug)]
pub(super) struct End {
    /// The range of the directory in the source.
    pub(super) directory: Range<u64>,
    /// Bytes before the archive that its offsets do not count.
    pub(super) base: u64,
    /// The stated number of entries.
    pub(super) entries: u64,
    /// Whether the number has 16 bits. For a larger number, old programs write its low 16 bits.
    pub(super) is_short: bool,
}

impl End {
    /// Reads the end records, within the limits. All of them lie in the tail, except in rare archives: a ZIP64 end with an
    /// extensible part, or a directory whose offset and size contradict each other. Those need one to three more reads.
    pub(super) fn find<R: ReadAt + ?Sized>(
        tail: &Tail<'_, R>,
        limits: &Limits,
    ) -> Result<Self, DirectoryError<R::Error>> {
        let end: EndRecord = tail.record(tail.end)?.ok_or_else(no_directory)?;
        let comment = tail.end.saturating_add(END_SIZE);
        if comment.saturating_add(end.comment_length.get().into()) > tail.size() {
            return Err(no_directory());
        }
        let locator = match tail.end.checked_sub(LOCATOR_SIZE) {
            Some(offset) => tail.record(offset)?.filter(|locator: &Locator| locator.signature == *b"PK\x06\x07"),
            None => None,
        };
        let is_short = locator.is_none();
        let long = match locator.map(|locator| locator.offset.get()).filter(|offset| *offset > 0) {
            Some(offset) => {
                tail.record(offset)?.filter(|long: &LongEnd| long.agrees(&end, offset, tail.end)).zip(locator)
            }
            None => None,
        };
        let (entries, directory, by_size) = if let Some((long, locator)) = long {
            let start = long.directory_offset.get();
            (long.entries_here.get(), start..locator.offset.get(), start)
        } else {
            let by_size = tail.end.saturating_sub(end.directory_size.get().into());
            (end.entries.get().into(), end.directory_offset.get().into()..tail.end, by_size)
        };
        if directory.start > directory.end {
            return Err(no_directory());
        }
        let refuse = |kind| Err(ArchiveError::of_archive(kind).into());
        if entries > limits.entries {
            return refuse(ArchiveErrorKind::TooManyEntries { count: entries, limit: limits.entries });
        }
        let mut found = Self { directory, base: 0, entries, is_short };
        // The offset decides, unless only the size leads to a record: then the offsets do not count bytes before the archive.
        if by_size != found.directory.start && !tail.has_record(found.directory.start)? && tail.has_record(by_size)? {
            found.base = by_size.saturating_sub(found.directory.start);
            found.directory.start = by_size;
        }
        let size = found.directory.end.saturating_sub(found.directory.start);
        let limit = limits.directory.min(u32::MAX.into());
        if size > limit {
            return refuse(ArchiveErrorKind::DirectoryTooLarge { size, limit });
        }
        Ok(found)
    }
}

impl LongEnd {
    /// Whether the record at `offset` reaches to the locator and does not contradict the plain end at `plain_at`, which may
    /// state the maximum value for each number that it leaves to this record.
    fn agrees(&self, plain: &EndRecord, offset: u64, plain_at: u64) -> bool {
        let short = |plain: U16, long: U64| plain.get() == u16::MAX || u64::from(plain.get()) == long.get();
        let wide = |plain: U32, long: U64| plain.get() == u32::MAX || u64::from(plain.get()) == long.get();
        let end = offset.checked_add(BEFORE_LENGTH).and_then(|start| start.checked_add(self.length.get()));
        self.signature == *b"PK\x06\x06"
            && self.length.get() >= LONG_END_SIZE.saturating_sub(BEFORE_LENGTH)
            && end.is_some_and(|end| end.checked_add(LOCATOR_SIZE) == Some(plain_at))
            && short(plain.entries_here, self.entries_here)
            && short(plain.entries, self.entries)
            && wide(plain.directory_size, self.directory_size)
            && wide(plain.directory_offset, self.directory_offset)
    }
}
