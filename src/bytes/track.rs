//! One field of many records: a strided view, shared by every family.

use core::fmt::{self, Debug, Formatter};
use core::iter::FusedIterator;
use core::marker::PhantomData;

use zerocopy::IntoBytes as _;

use super::cursor::Record;

/// One field of many records, in place: values at a constant distance, such as the positions of all vertices.
///
/// `Copy`; borrows the file. [`get`](Column::get) is O(1); [`iter`](Column::iter) goes over all values.
pub struct Column<'a, T> {
    bytes: &'a [u8],
    offset: usize,
    stride: usize,
    record: PhantomData<&'a T>,
}

impl<'a, T: Record> Column<'a, T> {
    /// The value at `offset` of each whole `stride` bytes. The caller proves `offset + size_of::<T>() <= stride`.
    pub(crate) fn new(bytes: &'a [u8], offset: usize, stride: usize) -> Self {
        let len = bytes.len().checked_div(stride).unwrap_or(0);
        let whole = len.saturating_mul(stride);
        Self { bytes: bytes.get(..whole).unwrap_or_default(), offset, stride, record: PhantomData }
    }

    /// The field at `offset` of each record. The caller proves that the field lies in the record.
    pub(crate) fn of_records<R: Record>(records: &'a [R], offset: usize) -> Self {
        Self::new(records.as_bytes(), offset, size_of::<R>())
    }

    /// Number of values.
    pub fn len(&self) -> usize {
        self.bytes.len().checked_div(self.stride).unwrap_or(0)
    }

    /// Whether there is no value.
    pub const fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// A value by index. O(1).
    #[inline]
    pub fn get(&self, index: usize) -> Option<&'a T> {
        let rest = self.bytes.get(index.checked_mul(self.stride)?..)?;
        self.value_of(rest.get(..self.stride)?)
    }

    /// All values in file order.
    pub const fn iter(&self) -> Track<'a, T> {
        Track { left: *self }
    }

    #[inline]
    fn value_of(&self, record: &'a [u8]) -> Option<&'a T> {
        T::ref_from_prefix(record.get(self.offset..)?).ok().map(|(value, _)| value)
    }
}

impl<T> Clone for Column<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Column<'_, T> {}

impl<T> Debug for Column<'_, T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let len = self.bytes.len().checked_div(self.stride).unwrap_or(0);
        f.debug_struct("Column").field("len", &len).field("stride", &self.stride).finish_non_exhaustive()
    }
}

impl<'a, T: Record> IntoIterator for Column<'a, T> {
    type Item = &'a T;
    type IntoIter = Track<'a, T>;

    fn into_iter(self) -> Track<'a, T> {
        self.iter()
    }
}

impl<'a, T: Record> IntoIterator for &Column<'a, T> {
    type Item = &'a T;
    type IntoIter = Track<'a, T>;

    fn into_iter(self) -> Track<'a, T> {
        self.iter()
    }
}

/// Records at a constant distance, one after the other: one bone's keys, frame after frame.
///
/// Random access with [`get`](Track::get) in O(1); an iterator from both ends, with known length. Borrows the file.
#[derive(Clone)]
pub struct Track<'a, T> {
    left: Column<'a, T>,
}

impl<'a, T: Record> Track<'a, T> {
    /// As [`Column::new`].
    pub(crate) fn new(bytes: &'a [u8], offset: usize, stride: usize) -> Self {
        Column::new(bytes, offset, stride).iter()
    }

    /// One bone's records where each frame holds one for each of `bones`; `None` if there is no such bone.
    pub(crate) fn of_frames(records: &'a [T], bones: usize, bone: usize) -> Option<Self> {
        let size = size_of::<T>();
        // Both products are at most the length of the records in memory, or there are none.
        let (offset, stride) = (bone.saturating_mul(size), bones.saturating_mul(size));
        (bone < bones).then(|| Self::new(records.as_bytes(), offset, stride))
    }

    /// Number of frames left.
    pub fn len(&self) -> usize {
        self.left.len()
    }

    /// Whether there is no frame left.
    pub const fn is_empty(&self) -> bool {
        self.left.is_empty()
    }

    /// The record of a frame, counted from the front of what is left. O(1).
    pub fn get(&self, frame: usize) -> Option<&'a T> {
        self.left.get(frame)
    }

    fn skip_front(&mut self, frames: usize) {
        self.left.bytes = self.left.bytes.get(frames.saturating_mul(self.left.stride)..).unwrap_or_default();
    }
}

impl<T> Debug for Track<'_, T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Track").field(&self.left).finish()
    }
}

impl<'a, T: Record> Iterator for Track<'a, T> {
    type Item = &'a T;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let (frame, rest) = self.left.bytes.split_at_checked(self.left.stride)?;
        self.left.bytes = rest;
        self.left.value_of(frame)
    }

    fn nth(&mut self, n: usize) -> Option<Self::Item> {
        self.skip_front(n);
        self.next()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.len(), Some(self.len()))
    }
}

impl<T: Record> DoubleEndedIterator for Track<'_, T> {
    #[inline]
    fn next_back(&mut self) -> Option<Self::Item> {
        let (rest, frame) = self.left.bytes.split_at_checked(self.left.bytes.len().checked_sub(self.left.stride)?)?;
        self.left.bytes = rest;
        self.left.value_of(frame)
    }

    fn nth_back(&mut self, n: usize) -> Option<Self::Item> {
        let left = self.left.bytes.len().saturating_sub(n.saturating_mul(self.left.stride));
        self.left.bytes = self.left.bytes.get(..left).unwrap_or_default();
        self.next_back()
    }
}

impl<T: Record> ExactSizeIterator for Track<'_, T> {}
impl<T: Record> FusedIterator for Track<'_, T> {}
