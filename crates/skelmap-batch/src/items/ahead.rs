//! What stores are asked for before it is read.

use std::ops::Range;
use std::sync::Arc;

use skelmap::mapping::Object;

use super::item::Item;
use super::row::Need;

/// The objects of stores that were asked for bytes ahead.
pub(super) struct Ahead(Vec<Arc<dyn Object>>);

impl Ahead {
    /// Asks for what a batch needs. The entries of an archive follow each other.
    pub(super) fn begin(batch: &[Item], need: Need) -> Self {
        type Asked<'b> = (&'b Arc<dyn Object>, Vec<Range<u64>>);
        let mut asked: Vec<Asked<'_>> = Vec::new();
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
