//! A window: the part of a source in memory that serves small, adjacent reads.

use alloc::vec::Vec;
use core::cell::Cell;
use core::fmt::{self, Debug, Formatter};

use super::cursor::{to_u64, to_usize};
use super::read_at::ReadAt;

/// Combines small, adjacent reads of a source into one.
///
/// For sources with latency: a connection, an object in a store. The first window, and each window at a new offset, has 16 KiB.
/// A read that continues at the end of a window doubles its size, up to 64 KiB. A read of 64 KiB or more bypasses the window.
/// (A file has no latency: [`FileParts`](crate::mapping::FileParts) has smaller windows.)
///
/// `Send`, not `Sync`.
///
/// ```
/// use std::cell::Cell;
///
/// use skelmap::{Headers, ParseOptions, ReadAt, Windowed};
///
/// struct Late(Vec<u8>, Cell<usize>);
///
/// impl ReadAt for Late {
///     type Error = std::io::Error;
///
///     fn size(&self) -> u64 {
///         self.0.len() as u64
///     }
///
///     fn read_at(&self, offset: u64, into: &mut [u8]) -> std::io::Result<usize> {
///         self.1.set(self.1.get() + 1);
///         Ok(self.0.as_slice().read_at(offset, into).unwrap_or(0))
///     }
/// }
///
/// let late = Late(std::fs::read("corpus/fox.psa")?, Cell::new(0));
/// let headers = Headers::read(&Windowed::new(&late), &ParseOptions::default())?;
/// assert_eq!(headers.summary.bones, Some(23));
/// assert!(late.1.get() <= 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Windowed<R> {
    source: R,
    sizes: Sizes,
    window: Cell<Window>,
}

impl<R: ReadAt> Windowed<R> {
    /// A source with an empty window. Nothing is read.
    pub const fn new(source: R) -> Self {
        Self::with_windows(source, 16 << 10, 16 << 10)
    }

    /// A source with windows of these bytes: for the first read, and for a read at a new offset. Small windows are for sources that count
    /// bytes, large windows for sources that answer late.
    pub const fn with_windows(source: R, first: usize, far: usize) -> Self {
        Self::with_sizes(source, Sizes { first, far, largest: 64 << 10, page: 1 }, Vec::new())
    }

    /// A source with windows of these sizes, in this buffer, whose content is ignored.
    pub(crate) const fn with_sizes(source: R, sizes: Sizes, buffer: Vec<u8>) -> Self {
        Self { source, sizes, window: Cell::new(Window { start: 0, buffer, length: 0 }) }
    }

    /// The source itself.
    pub const fn source(&self) -> &R {
        &self.source
    }

    /// The source and the buffer of the window.
    pub(crate) fn into_parts(self) -> (R, Vec<u8>) {
        (self.source, self.window.into_inner().buffer)
    }
}

impl<R: ReadAt> ReadAt for Windowed<R> {
    type Error = R::Error;

    fn size(&self) -> u64 {
        self.source.size()
    }

    fn read_at(&self, offset: u64, into: &mut [u8]) -> Result<usize, R::Error> {
        let mut window = self.window.take();
        let outcome = window.read(&self.sizes, &self.source, offset, into);
        self.window.set(window);
        outcome
    }
}

impl<R: Debug> Debug for Windowed<R> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_struct("Windowed").field("source", &self.source).finish_non_exhaustive()
    }
}

/// The sizes of windows.
pub(crate) struct Sizes {
    /// Bytes of the first window; the minimum for a window that continues the last one.
    pub(crate) first: usize,
    /// Bytes of a window at a new offset.
    pub(crate) far: usize,
    /// Bytes of the largest window. A larger read bypasses the window and goes directly into the caller's memory.
    pub(crate) largest: usize,
    /// A power of two. If it suffices, a smaller window ends at a multiple of this size: more would cost another page of a
    /// disk.
    pub(crate) page: u64,
}

/// A part of a source in memory.
#[derive(Debug, Default)]
struct Window {
    start: u64,
    /// The bytes of the window, then unused bytes that keep the allocation.
    buffer: Vec<u8>,
    length: usize,
}

impl Window {
    /// Reads bytes of a source from `offset` on and returns their number: less than `into.len()` only at the end.
    fn read<R: ReadAt>(&mut self, sizes: &Sizes, source: &R, offset: u64, into: &mut [u8]) -> Result<usize, R::Error> {
        let size = source.size();
        let inside = usize::try_from(size.saturating_sub(offset)).unwrap_or(usize::MAX);
        let wanted = into.len().min(inside);
        let mut filled = 0_usize;
        while let Some(rest) = into.get_mut(filled..wanted).filter(|rest| !rest.is_empty()) {
            let at = offset.saturating_add(to_u64(filled));
            let Ok(copied) = self.bytes_at(at).read_at(0, rest);
            if copied > 0 {
                filled = filled.saturating_add(copied);
            } else if rest.len() >= sizes.largest {
                return Ok(filled.saturating_add(source.read_at(at, rest)?));
            } else if !self.load(sizes, source, at, rest.len())? {
                break;
            }
        }
        Ok(filled)
    }

    /// The bytes of the window from an offset on; empty if the offset is outside.
    fn bytes_at(&self, offset: u64) -> &[u8] {
        let start = offset.checked_sub(self.start).and_then(|start| usize::try_from(start).ok());
        start.and_then(|start| self.buffer.get(start..self.length)).unwrap_or_default()
    }

    /// Moves the window to an offset at which `wanted` bytes are requested. Returns whether the source has any bytes there.
    fn load<R: ReadAt>(&mut self, sizes: &Sizes, source: &R, offset: u64, wanted: usize) -> Result<bool, R::Error> {
        // At first the window is empty and lies at the beginning of the source.
        let is_next = offset == self.start.saturating_add(to_u64(self.length));
        let length = if is_next { self.length.saturating_mul(2).max(sizes.first) } else { sizes.far };
        let inside = usize::try_from(source.size().saturating_sub(offset)).unwrap_or(usize::MAX);
        let length = length.clamp(wanted.min(sizes.largest), sizes.largest).min(inside);
        let in_page = sizes.page.saturating_sub(offset & sizes.page.saturating_sub(1));
        let is_cut = (to_u64(wanted)..to_u64(length).min(sizes.page)).contains(&in_page);
        let length = if is_cut { to_usize(in_page) } else { length };
        if self.buffer.len() < length {
            self.buffer.resize(length, 0);
        }
        // An error leaves an empty window.
        (self.start, self.length) = (offset, 0);
        self.length = source.read_at(offset, self.buffer.get_mut(..length).unwrap_or_default())?;
        Ok(self.length > 0)
    }
}
