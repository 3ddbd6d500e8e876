//! A window: the part of a source in memory that serves small reads which lie close together.

use alloc::vec::Vec;

use super::cursor::{to_u64, to_usize};

/// The sizes of windows.
pub(crate) struct Sizes {
    /// Bytes of the first window, and the least of one that goes on where the last ended.
    pub(crate) first: usize,
    /// Bytes of a window at another place.
    pub(crate) far: usize,
    /// Bytes of the largest window. A larger read goes past the window, directly into the caller's memory.
    pub(crate) largest: usize,
    /// A power of two. A smaller window ends at a multiple of it, if that is enough: the rest would cost another page of a
    /// disk.
    pub(crate) page: u64,
}

/// A part of a source in memory.
#[derive(Debug, Default)]
pub(crate) struct Window {
    start: u64,
    /// The bytes of the window, then bytes without a meaning, which are there to be used again.
    buffer: Vec<u8>,
    length: usize,
}

impl Window {
    /// A window in a buffer. What the buffer holds is not used.
    pub(crate) const fn new(buffer: Vec<u8>) -> Self {
        Self { start: 0, buffer, length: 0 }
    }

    pub(crate) fn into_buffer(self) -> Vec<u8> {
        self.buffer
    }

    /// Reads bytes of a source of `size` bytes from `offset` on, and returns how many: fewer than `into` has room for
    /// only at the end. `fill` reads from the source itself, as much as there is room for.
    pub(crate) fn read<E>(
        &mut self,
        sizes: &Sizes,
        size: u64,
        offset: u64,
        into: &mut [u8],
        fill: impl Fn(u64, &mut [u8]) -> Result<usize, E>,
    ) -> Result<usize, E> {
        let inside = usize::try_from(size.saturating_sub(offset)).unwrap_or(usize::MAX);
        let wanted = into.len().min(inside);
        let mut filled = 0_usize;
        while let Some(rest) = into.get_mut(filled..wanted).filter(|rest| !rest.is_empty()) {
            let at = offset.saturating_add(to_u64(filled));
            let copied = copy(self.bytes_at(at), rest);
            if copied > 0 {
                filled = filled.saturating_add(copied);
            } else if rest.len() >= sizes.largest {
                return Ok(filled.saturating_add(fill(at, rest)?));
            } else if !self.load(sizes, at, rest.len(), size, &fill)? {
                break;
            }
        }
        Ok(filled)
    }

    /// The bytes of the window from an offset on; empty if the offset lies outside.
    fn bytes_at(&self, offset: u64) -> &[u8] {
        let start = offset.checked_sub(self.start).and_then(|start| usize::try_from(start).ok());
        start.and_then(|start| self.buffer.get(start..self.length)).unwrap_or_default()
    }

    /// Moves the window to an offset, at which `wanted` bytes are wanted. Whether the source has any bytes there.
    fn load<E>(
        &mut self,
        sizes: &Sizes,
        offset: u64,
        wanted: usize,
        size: u64,
        fill: impl Fn(u64, &mut [u8]) -> Result<usize, E>,
    ) -> Result<bool, E> {
        // At first the window is empty and lies at the beginning of the source.
        let is_next = offset == self.start.saturating_add(to_u64(self.length));
        let length = if is_next { self.length.saturating_mul(2).max(sizes.first) } else { sizes.far };
        let inside = usize::try_from(size.saturating_sub(offset)).unwrap_or(usize::MAX);
        let length = length.clamp(wanted.min(sizes.largest), sizes.largest).min(inside);
        let in_page = sizes.page.saturating_sub(offset & sizes.page.saturating_sub(1));
        let is_cut = (to_u64(wanted)..to_u64(length).min(sizes.page)).contains(&in_page);
        let length = if is_cut { to_usize(in_page) } else { length };
        if self.buffer.len() < length {
            self.buffer.resize(length, 0);
        }
        // An error leaves an empty window.
        (self.start, self.length) = (offset, 0);
        self.length = fill(offset, self.buffer.get_mut(..length).unwrap_or_default())?;
        Ok(self.length > 0)
    }
}

/// Copies as many bytes as fit, and returns how many.
fn copy(from: &[u8], into: &mut [u8]) -> usize {
    let length = from.len().min(into.len());
    let (Some(from), Some(into)) = (from.get(..length), into.get_mut(..length)) else { return 0 };
    into.copy_from_slice(from);
    length
}
