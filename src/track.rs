//! One bone's keys over all frames: a strided view, shared by every family whose keys are frame-major.
#![expect(private_bounds, reason = "only this crate makes tracks, over its own records")]

use core::fmt::{self, Debug, Formatter};
use core::iter::FusedIterator;
use core::marker::PhantomData;

use zerocopy::IntoBytes;

use crate::cursor::Record;

/// Records that lie a fixed distance apart: one bone's keys, frame after frame.
///
/// Random access with [`get`](Track::get) in O(1); as an iterator it runs from both ends and knows its length. Borrows the file.
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
    pub(crate) fn of_frames(records: &'a [T], bones: usize, bone: usize) -> Option<Self>
    where
        T: IntoBytes,
    {
        let size = size_of::<T>();
        // Both products are at most the length of the records in memory, or there are none.
        let (offset, stride) = (bone.saturating_mul(size), bones.saturating_mul(size));
        (bone < bones).then(|| Self::new(records.as_bytes(), offset, stride))
    }

    /// How many frames are left in this view.
    pub const fn len(&self) -> usize {
        match self.bytes.len().checked_div(self.stride) {
            Some(len) => len,
            None => 0,
        }
    }

    /// Whether no frame is left.
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

#[cfg(all(test, feature = "std"))]
mod tests {
    use super::*;

    fn track(bytes: &[u8]) -> Track<'_, [u8; 2]> {
        Track::new(bytes, 1, 3)
    }

    #[test]
    fn both_ends_meet_in_the_middle() {
        let bytes: Vec<u8> = (0..12).collect();
        let mut both = track(&bytes);
        assert_eq!(both.len(), 4);
        assert_eq!(both.next(), Some(&[1, 2]));
        assert_eq!(both.next_back(), Some(&[10, 11]));
        assert_eq!(both.get(1), Some(&[7, 8]));
        assert_eq!(both.get(2), None);
        assert_eq!(both.nth(1), Some(&[7, 8]));
        assert_eq!((both.next(), both.next_back()), (None, None));
        assert_eq!(track(&bytes).nth_back(3), Some(&[1, 2]));
        assert_eq!(track(&bytes).nth(9), None);
        assert!(track(&bytes).eq(track(&bytes).rev().collect::<Vec<_>>().into_iter().rev()));
    }

    #[test]
    fn a_part_of_a_frame_at_the_end_is_no_frame() {
        assert_eq!(track(&[0; 8]).len(), 2);
        assert_eq!(Track::<[u8; 2]>::new(&[0; 8], 0, 0).len(), 0);
    }
}
