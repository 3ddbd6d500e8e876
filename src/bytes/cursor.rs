//! The one forward reader that checks bounds, and the ranges that it checked.
//!
//! Every length, offset and product of a file is checked here; no other module computes with offsets.

use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

/// A type whose values can be read in place from any bytes at any address.
pub trait Record: FromBytes + IntoBytes + Immutable + KnownLayout + Unaligned {}

impl<T: FromBytes + IntoBytes + Immutable + KnownLayout + Unaligned> Record for T {}

/// A position in bytes that only moves forward and never past the end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cursor<'a> {
    bytes: &'a [u8],
    position: usize,
}

impl<'a> Cursor<'a> {
    pub(crate) const fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, position: 0 }
    }

    pub(crate) const fn position(&self) -> usize {
        self.position
    }

    pub(crate) fn rest(&self) -> &'a [u8] {
        self.bytes.get(self.position..).unwrap_or_default()
    }

    /// The next record; `None`, without moving, if too few bytes are left.
    pub(crate) fn read<T: Record>(&mut self) -> Option<&'a T> {
        let (record, rest) = T::ref_from_prefix(self.rest()).ok()?;
        self.position = self.bytes.len().checked_sub(rest.len())?;
        Some(record)
    }

    /// The next `count * size` bytes; `None`, without moving, if too few are left.
    pub(crate) fn take(&mut self, size: u32, count: u32) -> Option<&'a [u8]> {
        // A product of two u32 always fits a u64; only the conversion to the host's size can fail.
        let length = usize::try_from(u64::from(size).checked_mul(u64::from(count))?).ok()?;
        let end = self.position.checked_add(length)?;
        let taken = self.bytes.get(self.position..end)?;
        self.position = end;
        Some(taken)
    }
}

/// A checked range of records, without a lifetime: an owned form stores it and slices again on access.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, FromBytes, Immutable, IntoBytes, KnownLayout)]
#[repr(C)]
pub(crate) struct Span {
    start: u64,
    end: u64,
}

impl Span {
    /// The range of `length` bytes from `start`.
    pub(crate) const fn new(start: u64, length: u64) -> Self {
        Self { start, end: start.saturating_add(length) }
    }

    pub(crate) const fn start(self) -> u64 {
        self.start
    }

    pub(crate) const fn end(self) -> u64 {
        self.end
    }

    pub(crate) const fn len(self) -> u64 {
        self.end.saturating_sub(self.start)
    }

    pub(crate) const fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// Number of whole records of a type.
    pub(crate) fn count<T>(self) -> u64 {
        self.len().checked_div(to_u64(size_of::<T>())).unwrap_or(0)
    }

    /// The bytes of this range. Empty only if `bytes` are not the bytes that were checked.
    #[inline]
    pub(crate) fn bytes_of(self, bytes: &[u8]) -> &[u8] {
        bytes.get(to_usize(self.start)..to_usize(self.end)).unwrap_or_default()
    }

    /// The records of this range. Empty only if `bytes` are not the bytes that were checked, for example because an `AsRef`
    /// returns other bytes at each call.
    #[inline]
    pub(crate) fn of<T: Record>(self, bytes: &[u8]) -> &[T] {
        records(self.bytes_of(bytes))
    }
}

/// Declares accessors of a view: each returns the records in a span of the layout.
macro_rules! slices {
    ($lifetime:lifetime $($(#[$doc:meta])* $name:ident in $span:ident: $record:ident;)+) => {$(
        $(#[$doc])*
        pub fn $name(&self) -> &$lifetime [$record] {
            self.layout.$span.of(self.bytes)
        }
    )+};
}
pub(crate) use slices;

/// Bytes as records; empty if they are not a whole number of records.
#[inline]
pub(crate) fn records<T: Record>(bytes: &[u8]) -> &[T] {
    <[T]>::ref_from_bytes(bytes).unwrap_or_default()
}

/// A length of memory as a file offset. No host has addresses wider than 64 bits.
#[inline]
pub fn to_u64(length: usize) -> u64 {
    u64::try_from(length).unwrap_or(u64::MAX)
}

/// The number of a record. A file has at most `i32::MAX` records, so that it fits.
pub fn to_u32(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}

/// A file offset as an index in memory. An offset that does not fit becomes `usize::MAX`, past the end of every slice.
#[inline]
pub fn to_usize(offset: u64) -> usize {
    usize::try_from(offset).unwrap_or(usize::MAX)
}

/// The records `index * per .. (index + count) * per` of a slice, as far as they exist, in whole groups.
pub(crate) fn groups<T>(records: &[T], first: u64, count: u64, per: usize) -> &[T] {
    let available = records.len().checked_div(per).unwrap_or(0);
    let available_u64 = to_u64(available);
    let start = usize::try_from(first.min(available_u64)).unwrap_or(available);
    let end = usize::try_from(first.saturating_add(count).min(available_u64)).unwrap_or(available);
    // Neither product exceeds `records.len()`, because `available * per` does not.
    let range = start.saturating_mul(per)..end.saturating_mul(per);
    records.get(range).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_product_past_the_end_does_not_move_the_cursor() {
        let mut cursor = Cursor::new(&[0; 40]);
        assert!(cursor.take(u32::MAX, u32::MAX).is_none());
        assert!(cursor.take(8, 6).is_none());
        assert_eq!(cursor.take(8, 5).map(<[u8]>::len), Some(40));
        assert_eq!(cursor.take(7, 0).map(<[u8]>::len), Some(0));
        assert!(cursor.take(1, 1).is_none());
    }

    #[test]
    fn groups_are_limited_to_existing_records() {
        let numbers = [0, 1, 2, 3, 4, 5, 6];
        assert_eq!(groups(&numbers, 1, 1, 2), [2, 3]);
        assert_eq!(groups(&numbers, 2, 9, 2), [4, 5]);
        assert_eq!(groups(&numbers, 9, 1, 2), [0; 0]);
        assert_eq!(groups(&numbers, u64::MAX, u64::MAX, 2), [0; 0]);
        assert_eq!(groups(&numbers, 0, 1, 0), [0; 0]);
    }
}
