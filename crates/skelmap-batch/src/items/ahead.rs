//! What stores are asked for before it is read.

use std::ops::Range;
use std::sync::Arc;

use super::item::{Item, Place};
use super::row::Need;
use skelmap::archive::{Entry, Method, whole};
use skelmap::mapping::Object;

/// Entries of at most so many bytes are asked for as a whole, even for their headers: two more requests cost more.
const SMALL: u64 = 64 << 10;

/// Bytes of a larger entry that are asked for at first.
const HEAD: u64 = 1 << 10;

/// The largest entry that is asked for ahead.
const AHEAD: u64 = 16 << 20;

impl Item {
    /// Bytes that a store is asked for before the item is read; 0 for other items.
    pub(super) fn bytes_ahead(&self, need: Need) -> u64 {
        self.range_ahead(need).map_or(0, |(_, range)| range.end.saturating_sub(range.start))
    }

    fn range_ahead(&self, need: Need) -> Option<(&Arc<dyn Object>, Range<u64>)> {
        let Place::Entry { archive, entry } = &self.place else { return None };
        let object = archive.archive.object()?;
        Some((object, wanted(&archive.entry(*entry)?, need)))
    }
}

/// The bytes of an entry that are read first. One that is too large is asked for when it is read.
fn wanted(entry: &Entry<'_>, need: Need) -> Range<u64> {
    let (range, size) = (whole(entry), entry.compressed_size());
    let is_whole = need == Need::Content || entry.method() != Method::Stored || size <= SMALL;
    let kept = if size > AHEAD {
        0
    } else if is_whole {
        size
    } else {
        HEAD
    };
    range.start..range.end.saturating_sub(size.saturating_sub(kept))
}

/// The objects of stores that were asked for bytes ahead.
pub(super) struct Ahead(Vec<Arc<dyn Object>>);

impl Ahead {
    /// Asks for what a batch needs. The entries of an archive follow each other.
    pub(super) fn begin(batch: &[Item], need: Need) -> Self {
        let mut asked: Vec<(&Arc<dyn Object>, Vec<Range<u64>>)> = Vec::new();
        for (object, range) in batch.iter().filter_map(|item| item.range_ahead(need)) {
            let range = range.start..range.end.min(object.size());
            match asked.last_mut() {
                Some((last, ranges)) if std::ptr::eq(*last, object) => ranges.push(range),
                _ => asked.push((object, vec![range])),
            }
        }
        let begun = asked.into_iter().map(|(object, ranges)| {
            object.prefetch(ranges);
            Arc::clone(object)
        });
        Self(begun.collect())
    }

    /// Waits for it, and asks for what the next batch needs.
    pub(super) fn turn(&mut self, next: &[Item], need: Need) {
        for object in std::mem::take(&mut self.0) {
            object.advance();
        }
        *self = Self::begin(next, need);
    }
}
