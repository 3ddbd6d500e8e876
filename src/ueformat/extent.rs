//! Ranges of a body, as the layouts keep them.

use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout};

use crate::bytes::{Record, Span, records};

/// A checked range of a file. Files of 4 GiB or more are refused, so that 32 bits suffice.
#[derive(Clone, Copy, Debug, Default, FromBytes, Immutable, IntoBytes, KnownLayout)]
#[repr(C)]
pub(super) struct Extent {
    start: u32,
    end: u32,
}

impl Extent {
    /// The range between two offsets of a file.
    pub(super) fn new(start: u64, end: u64) -> Self {
        let [start, end] = [start, end].map(|offset| u32::try_from(offset).unwrap_or(u32::MAX));
        Self { start, end: end.max(start) }
    }

    pub(super) fn start(self) -> u64 {
        self.start.into()
    }

    pub(super) fn end(self) -> u64 {
        self.end.into()
    }

    pub(super) const fn len(self) -> u32 {
        self.end.saturating_sub(self.start)
    }

    pub(super) const fn is_empty(self) -> bool {
        self.start == self.end
    }

    pub(super) fn span(self) -> Span {
        Span::new(self.start(), self.len().into())
    }

    /// The bytes of this range. Empty only if `bytes` are not the bytes that were checked.
    #[inline]
    pub(super) fn bytes_of(self, bytes: &[u8]) -> &[u8] {
        self.span().bytes_of(bytes)
    }

    /// The records of this range.
    #[inline]
    pub(super) fn of<T: Record>(self, bytes: &[u8]) -> &[T] {
        records(self.bytes_of(bytes))
    }
}

/// Items of different lengths, one after the other: their range and their number.
#[derive(Clone, Copy, Debug, Default, FromBytes, Immutable, IntoBytes, KnownLayout)]
#[repr(C)]
pub(super) struct Items {
    pub(super) extent: Extent,
    pub(super) count: u32,
}
