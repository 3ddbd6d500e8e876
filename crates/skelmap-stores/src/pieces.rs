//! Parts of an object in memory, and the ranges to request.

use core::ops::Range;
use std::collections::BTreeMap;

use bytes::Bytes;

use skelmap::shared::{to_u64, to_usize};

/// The gap between two ranges up to which they are read together: a request costs more time than these bytes.
const GAP: u64 = 64 << 10;

/// The maximum size of a request. A longer range becomes several concurrent requests.
pub(super) const MAX_REQUEST_BYTES: u64 = 8 << 20;

/// Joins adjacent ranges and splits long ones. The result is sorted, without empty ranges.
pub(super) fn coalesce(mut wanted: Vec<Range<u64>>) -> Vec<Range<u64>> {
    wanted.retain(|range| !range.is_empty());
    wanted.sort_unstable_by_key(|range| range.start);
    let mut joined: Vec<Range<u64>> = Vec::new();
    for range in wanted {
        match joined.last_mut() {
            Some(last) if range.start <= last.end.saturating_add(GAP) => last.end = last.end.max(range.end),
            _ => joined.push(range),
        }
    }
    joined.into_iter().flat_map(split).collect()
}

/// Requests of at most [`MAX_REQUEST_BYTES`] bytes each.
pub(super) fn split(range: Range<u64>) -> impl Iterator<Item = Range<u64>> {
    let starts = (range.start..range.end).step_by(to_usize(MAX_REQUEST_BYTES));
    starts.map(move |start| start..start.saturating_add(MAX_REQUEST_BYTES).min(range.end))
}

/// Parts of an object, by their first byte.
#[derive(Debug, Default)]
pub(super) struct Pieces(BTreeMap<u64, Bytes>);

impl FromIterator<(u64, Bytes)> for Pieces {
    /// The longer of two pieces at one offset is kept.
    fn from_iter<I: IntoIterator<Item = (u64, Bytes)>>(parts: I) -> Self {
        let mut pieces = BTreeMap::new();
        for (start, bytes) in parts {
            let known: &mut Bytes = pieces.entry(start).or_default();
            if known.len() < bytes.len() {
                *known = bytes;
            }
        }
        Self(pieces)
    }
}

impl Pieces {
    /// The bytes from an offset to the end of its piece. Pieces may overlap; the last one that begins before the offset is
    /// used.
    fn from(&self, offset: u64) -> Option<Bytes> {
        let (start, bytes) = self.0.range(..=offset).next_back()?;
        let skipped = usize::try_from(offset.checked_sub(*start)?).ok()?;
        (skipped < bytes.len()).then(|| bytes.slice(skipped..))
    }

    /// The rest of a range from its first missing byte on.
    pub(super) fn missing(&self, range: Range<u64>) -> Option<Range<u64>> {
        let mut start = range.start;
        while start < range.end {
            let Some(found) = self.from(start) else { return Some(start..range.end) };
            start = start.saturating_add(to_u64(found.len()));
        }
        None
    }

    /// A range, in one piece if it lies in one piece; `None` if a byte is missing.
    pub(super) fn range(&self, range: Range<u64>) -> Option<Bytes> {
        let length = usize::try_from(range.end.checked_sub(range.start)?).ok()?;
        if length == 0 {
            return Some(Bytes::new());
        }
        let first = self.from(range.start)?;
        if first.len() >= length {
            return Some(first.slice(..length));
        }
        let mut all = Vec::with_capacity(length);
        while all.len() < length {
            let part = self.from(range.start.saturating_add(to_u64(all.len())))?;
            let rest = length.saturating_sub(all.len()).min(part.len());
            all.extend_from_slice(part.get(..rest)?);
        }
        Some(all.into())
    }
}
