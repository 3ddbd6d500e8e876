//! One bone's keys over all frames: a strided view, shared by every family whose keys are frame-major.

use core::fmt::{self, Debug, Formatter};
use core::iter::FusedIterator;
use core::marker::PhantomData;

use zerocopy::IntoBytes as _;

use super::cursor::Record;

/// Records at a constant distance: one bone's keys, frame after frame.
///
/// Random access with [`get`](Track::get) in O(1); an iterator from both ends, with known length. Borrows the file.
pub struct Track<'a, T> {
    bytes: &'a [u8],
    offset: usize,
    stride: usize,
    record: PhantomData<&'a T>,
}

impl<'a, T: Record> Track<'a, T> {
    /// The record at `offset` of each whole `stride` bytes. The caller proves `offset + size_of::<T>() <= stride`.
    pub(crate) fn new(bytes: &'a [u8], offset: usize, stride: usize) -> Self {
        let len = bytes.len().checked_div(stride).unwrap_or(0);
        let whole = len.saturating_mul(stride);
        Self { bytes: bytes.get(..whole).unwrap_or_default(), offset, stride, record: PhantomData }
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
        self.bytes.len().checked_div(self.stride).unwrap_or(0)
    }

    /// Whether there is no frame left.
    pub const fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// The record of a frame, counted from the front of what is left. O(1).
    pub fn get(&self, frame: usize) -> Option<&'a T> {
        let rest = self.bytes.get(frame.checked_mul(self.stride)?..)?;
        self.record_of(rest.get(..self.stride)?)
    }

    #[inline]
    fn record_of(&self, frame: &'a [u8]) -> Option<&'a T> {
        T::ref_from_prefix(frame.get(self.offset..)?).ok().map(|(record, _)| record)
    }

    fn skip_front(&mut self, frames: usize) {
        self.bytes = self.bytes.get(frames.saturating_mul(self.stride)..).unwrap_or_default();
    }
}

impl<T> Clone for Track<'_, T> {
    fn clone(&self) -> Self {
        Self { bytes: self.bytes, offset: self.offset, stride: self.stride, record: PhantomData }
    }
}

impl<T> Debug for Track<'_, T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let len = self.bytes.len().checked_div(self.stride).unwrap_or(0);
        f.debug_struct("Track").field("len", &len).field("stride", &self.stride).finish_non_exhaustive()
    }
}

impl<'a, T: Record> Iterator for Track<'a, T> {
    type Item = &'a T;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let (frame, rest) = self.bytes.split_at_checked(self.stride)?;
        self.bytes = rest;
        self.record_of(frame)
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
        let (rest, frame) = self.bytes.split_at_checked(self.bytes.len().checked_sub(self.stride)?)?;
        self.bytes = rest;
        self.record_of(frame)
    }

    fn nth_back(&mut self, n: usize) -> Option<Self::Item> {
        let left = self.bytes.len().saturating_sub(n.saturating_mul(self.stride));
        self.bytes = self.bytes.get(..left).unwrap_or_default();
        self.next_back()
    }
}

impl<T: Record> ExactSizeIterator for Track<'_, T> {}
impl<T: Record> FusedIterator for Track<'_, T> {}
