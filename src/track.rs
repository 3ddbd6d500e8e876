//! One bone's keys over all frames: a strided view, shared by every family whose keys are frame-major.
#![deny(clippy::arithmetic_side_effects, clippy::indexing_slicing, clippy::as_conversions)]
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
    stride: usize,
    len: usize,
    record: PhantomData<&'a T>,
}

impl<'a, T: Record> Track<'a, T> {
    /// The record at `offset` of each whole `stride` bytes. The caller proves `offset + size_of::<T>() <= stride`.
    pub(crate) fn new(bytes: &'a [u8], offset: usize, stride: usize) -> Self {
        let len = bytes.len().checked_div(stride).unwrap_or(0);
        Self { bytes: bytes.get(offset..).unwrap_or_default(), stride, len, record: PhantomData }
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
        self.len
    }

    /// Whether no frame is left.
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The record of a frame, counted from the front of what is left. O(1).
    pub fn get(&self, frame: usize) -> Option<&'a T> {
        if frame >= self.len {
            return None;
        }
        let bytes = self.bytes.get(frame.checked_mul(self.stride)?..)?;
        T::ref_from_prefix(bytes).ok().map(|(record, _)| record)
    }

    fn skip_front(&mut self, frames: usize) {
        self.len = self.len.saturating_sub(frames);
        self.bytes = self.bytes.get(frames.saturating_mul(self.stride)..).unwrap_or_default();
    }
}

impl<T> Clone for Track<'_, T> {
    fn clone(&self) -> Self {
        Self { bytes: self.bytes, stride: self.stride, len: self.len, record: PhantomData }
    }
}

impl<T> Debug for Track<'_, T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_struct("Track").field("len", &self.len).field("stride", &self.stride).finish_non_exhaustive()
    }
}

impl<'a, T: Record> Iterator for Track<'a, T> {
    type Item = &'a T;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let record = self.get(0)?;
        self.skip_front(1);
        Some(record)
    }

    fn nth(&mut self, n: usize) -> Option<Self::Item> {
        self.skip_front(n.min(self.len));
        self.next()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.len, Some(self.len))
    }
}

impl<T: Record> DoubleEndedIterator for Track<'_, T> {
    #[inline]
    fn next_back(&mut self) -> Option<Self::Item> {
        let record = self.get(self.len.checked_sub(1)?)?;
        self.len = self.len.saturating_sub(1);
        Some(record)
    }

    fn nth_back(&mut self, n: usize) -> Option<Self::Item> {
        self.len = self.len.saturating_sub(n);
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
