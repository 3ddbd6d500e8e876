//! Bytes that are read by position, so that one description of a layout serves slices, files and stores.

use core::convert::Infallible;
#[cfg(feature = "archive")]
use core::ops::Range;

use super::cursor::{Record, Span, to_u64, to_usize};

/// Bytes that are read by position: a slice, a file, an entry of an archive, an object in a store.
///
/// A parser finds a layout by reading headers at a few offsets. A slice answers at no cost; a file or a store sends one request
/// for each range that it does not hold yet.
///
/// ```
/// use skelmap::ReadAt;
///
/// let bytes: &[u8] = b"PSSA\x01\0\0\0";
/// let mut version = [0; 4];
/// assert_eq!(bytes.read_at(4, &mut version)?, 4);
/// assert_eq!(u32::from_le_bytes(version), 1);
/// # Ok::<(), std::convert::Infallible>(())
/// ```
pub trait ReadAt {
    /// Why reading failed. A slice never fails.
    type Error;

    /// Number of bytes. O(1): a parser asks before each read.
    fn size(&self) -> u64;

    /// Fills `into` with the bytes from `offset` on and returns their number: fewer than `into` holds only at the end.
    ///
    /// # Errors
    /// The error of the source.
    fn read_at(&self, offset: u64, into: &mut [u8]) -> Result<usize, Self::Error>;

    /// All bytes, if they are in memory already.
    fn as_slice(&self) -> Option<&[u8]> {
        None
    }
}

impl ReadAt for [u8] {
    type Error = Infallible;

    #[inline]
    fn size(&self) -> u64 {
        to_u64(self.len())
    }

    #[inline]
    fn read_at(&self, offset: u64, into: &mut [u8]) -> Result<usize, Infallible> {
        let rest = self.get(to_usize(offset)..).unwrap_or_default();
        // Most reads are whole records, whose length the compiler knows.
        if let Some(from) = rest.get(..into.len()) {
            into.copy_from_slice(from);
            return Ok(into.len());
        }
        for (into, from) in into.iter_mut().zip(rest) {
            *into = *from;
        }
        Ok(rest.len())
    }

    #[inline]
    fn as_slice(&self) -> Option<&[u8]> {
        Some(self)
    }
}

impl<R: ReadAt + ?Sized> ReadAt for &R {
    type Error = R::Error;

    #[inline]
    fn size(&self) -> u64 {
        (**self).size()
    }

    #[inline]
    fn read_at(&self, offset: u64, into: &mut [u8]) -> Result<usize, R::Error> {
        (**self).read_at(offset, into)
    }

    fn as_slice(&self) -> Option<&[u8]> {
        (**self).as_slice()
    }
}

/// A range of a source, as a source. Bytes of the range past the end of the source are missing.
#[cfg(feature = "archive")]
#[derive(Clone, Copy)]
pub(crate) struct SubSource<R> {
    source: R,
    start: u64,
    end: u64,
}

#[cfg(feature = "archive")]
impl<R: ReadAt> SubSource<R> {
    pub(crate) const fn new(source: R, range: &Range<u64>) -> Self {
        Self { source, start: range.start, end: range.end }
    }
}

#[cfg(feature = "archive")]
impl<R: ReadAt> ReadAt for SubSource<R> {
    type Error = R::Error;

    #[inline]
    fn size(&self) -> u64 {
        self.end.min(self.source.size()).saturating_sub(self.start)
    }

    #[inline]
    fn read_at(&self, offset: u64, into: &mut [u8]) -> Result<usize, R::Error> {
        let inside = to_usize(self.size().saturating_sub(offset)).min(into.len());
        self.source.read_at(self.start.saturating_add(offset), into.get_mut(..inside).unwrap_or_default())
    }

    #[inline]
    fn as_slice(&self) -> Option<&[u8]> {
        let end = to_usize(self.start.saturating_add(self.size()));
        self.source.as_slice()?.get(to_usize(self.start)..end)
    }
}

/// A position in a source that only moves forward and never past the end.
///
/// Every length, offset and product of a file is checked here or in [`Cursor`](super::Cursor). The size is requested each time:
/// for a slice, the compiler then knows that a checked read is in bounds.
#[derive(Clone, Copy)]
pub(crate) struct Reader<R> {
    source: R,
    position: u64,
}

impl<R: ReadAt + Copy> Reader<R> {
    #[inline]
    pub(crate) const fn new(source: R) -> Self {
        Self { source, position: 0 }
    }

    #[inline]
    pub(crate) const fn position(&self) -> u64 {
        self.position
    }

    #[inline]
    pub(crate) const fn source(&self) -> R {
        self.source
    }

    /// Bytes of the source.
    #[inline]
    pub(crate) fn size(&self) -> u64 {
        self.source.size()
    }

    /// The next bytes, as many as the slice has and the source still holds.
    #[inline]
    pub(crate) fn read_into(&mut self, into: &mut [u8]) -> Result<(), R::Error> {
        let read = self.source.read_at(self.position, into)?;
        self.position = self.position.saturating_add(to_u64(read));
        Ok(())
    }

    /// Bytes from the position to the end.
    #[inline]
    pub(crate) fn left(&self) -> u64 {
        self.source.size().saturating_sub(self.position)
    }

    /// The next record; `None`, without moving, if too few bytes are left.
    #[inline]
    pub(crate) fn read<T: Record>(&mut self) -> Result<Option<T>, R::Error> {
        let end = self.position.saturating_add(to_u64(size_of::<T>()));
        if end > self.source.size() {
            return Ok(None);
        }
        let mut record = T::new_zeroed();
        let read = self.source.read_at(self.position, record.as_mut_bytes())?;
        if read < size_of::<T>() {
            return Ok(None);
        }
        self.position = end;
        Ok(Some(record))
    }

    /// Skips `count * size` bytes and returns their range; `None`, without moving, if too few are left.
    #[inline]
    pub(crate) fn skip(&mut self, size: u64, count: u32) -> Option<Span> {
        let (start, end) = (self.position, self.end_of(size, count)?);
        self.position = end;
        Some(Span::new(start, end.saturating_sub(start)))
    }

    /// A reader `count` times `size` bytes further on; `None` past the end.
    #[inline]
    pub(crate) fn ahead(&self, size: u64, count: u32) -> Option<Self> {
        Some(Self { position: self.end_of(size, count)?, ..*self })
    }

    #[inline]
    fn end_of(&self, size: u64, count: u32) -> Option<u64> {
        let end = self.position.checked_add(size.checked_mul(count.into())?)?;
        (end <= self.source.size()).then_some(end)
    }
}
