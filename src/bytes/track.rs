//! One field of many records: a strided view, shared by every family.

use core::fmt::{self, Debug, Formatter};
use core::marker::PhantomData;
use core::slice::ChunksExact;

use zerocopy::IntoBytes as _;

use super::cursor::Record;
use super::mapped::mapped;
use super::name::Name;
use super::text::{Text, before_nul, trim_spaces};

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
    /// The value at `offset` in each whole `stride` bytes. The caller checks `offset + size_of::<T>() <= stride`.
    pub(crate) fn new(bytes: &'a [u8], offset: usize, stride: usize) -> Self {
        let len = bytes.len().checked_div(stride).unwrap_or(0);
        let whole = len.saturating_mul(stride);
        Self { bytes: bytes.get(..whole).unwrap_or_default(), offset, stride, record: PhantomData }
    }

    /// [`new`](Self::new) over whole records, which need not be counted.
    pub(crate) const fn of_whole(bytes: &'a [u8], offset: usize, stride: usize) -> Self {
        Self { bytes, offset, stride, record: PhantomData }
    }

    /// The field at `offset` of each record. The caller checks that the field lies in the record.
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
        // The field of a record that exists ends before the record ends.
        value_at(self.bytes, index.checked_mul(self.stride)?.checked_add(self.offset)?)
    }

    /// All values in file order.
    #[expect(clippy::iter_without_into_iter, reason = "copied instead of borrowed")]
    pub fn iter(&self) -> Track<'a, T> {
        Track::new(self.bytes, self.offset, self.stride)
    }
}

#[inline]
fn value_at<T: Record>(record: &[u8], offset: usize) -> Option<&T> {
    T::ref_from_prefix(record.get(offset..)?).ok().map(|(value, _)| value)
}

impl<T: Record> Default for Column<'_, T> {
    fn default() -> Self {
        Self::of_whole(&[], 0, 1)
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

/// Names in fields of one size at a constant distance, one for each record; the type does not contain the size.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Texts<'a> {
    bytes: &'a [u8],
    offset: usize,
    size: usize,
    stride: usize,
}

impl<'a> Texts<'a> {
    /// The names of records. Each ends at the first NUL or fills its field; trailing spaces are ignored.
    pub(crate) const fn of<const N: usize>(names: &Column<'a, Name<N>>) -> Self {
        Self { bytes: names.bytes, offset: names.offset, size: N, stride: names.stride }
    }

    /// A name by index. O(size of the field).
    pub(crate) fn get(&self, index: usize) -> Option<Text<'a>> {
        let record = self.bytes.get(index.checked_mul(self.stride)?..)?.get(..self.stride)?;
        let field = record.get(self.offset..)?.get(..self.size)?;
        Some(Text::new(trim_spaces(before_nul(field))))
    }
}

/// Records at a constant distance: for example the keys of one bone, frame after frame.
///
/// Random access with [`get`](Track::get) in O(1); an iterator from both ends, with known length. Borrows the file.
pub struct Track<'a, T> {
    frames: ChunksExact<'a, u8>,
    offset: usize,
    record: PhantomData<&'a T>,
}

impl<'a, T: Record> Track<'a, T> {
    /// As [`Column::new`].
    pub(crate) fn new(bytes: &'a [u8], offset: usize, stride: usize) -> Self {
        Self { frames: bytes.chunks_exact(stride.max(1)), offset, record: PhantomData }
    }

    /// The records of one bone, if each frame holds one record for each of `bones`; `None` if the bone does not exist.
    pub(crate) fn of_frames(records: &'a [T], bones: usize, bone: usize) -> Option<Self> {
        let size = size_of::<T>();
        // Both products are at most the length of the records in memory, or there are no records.
        let (offset, stride) = (bone.saturating_mul(size), bones.saturating_mul(size));
        (bone < bones).then(|| Self::new(records.as_bytes(), offset, stride))
    }

    /// Number of frames left.
    pub fn len(&self) -> usize {
        self.frames.len()
    }

    /// Whether there is no frame left.
    pub fn is_empty(&self) -> bool {
        self.frames.len() == 0
    }

    /// The record of a frame, counted from the first that is left. O(1).
    pub fn get(&self, frame: usize) -> Option<&'a T> {
        self.clone().nth(frame)
    }

    #[inline]
    fn record_of(&self, frame: &'a [u8]) -> Option<&'a T> {
        value_at(frame, self.offset)
    }
}

impl<T> Clone for Track<'_, T> {
    fn clone(&self) -> Self {
        Self { frames: self.frames.clone(), ..*self }
    }
}

impl<T> Debug for Track<'_, T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_struct("Track").field("len", &self.frames.len()).finish_non_exhaustive()
    }
}

mapped!(Track<'a, T: Record>.frames => &'a T, Track::record_of);
