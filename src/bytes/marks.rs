//! Marks in a chain of records of different lengths: access by index without a list of all offsets.

use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout};

/// The number of marks: a walk passes at most a sixteenth of the records.
const MARKS: usize = 16;

/// The offsets of some of the records of a chain: of each `2^shift`-th one.
///
/// To find a record, a reader begins at the mark before it and passes fewer than `2^shift` records. The default marks nothing:
/// a reader begins at the first record, whose offset is 0.
#[derive(Clone, Copy, Debug, FromBytes, Immutable, IntoBytes, KnownLayout)]
#[repr(C)]
pub(crate) struct Marks {
    shift: u32,
    starts: [u32; MARKS],
}

impl Marks {
    /// Marks for a chain of so many records.
    pub(crate) fn new(count: u32) -> Self {
        let slots = u32::try_from(MARKS).unwrap_or(u32::MAX);
        let shift = (0..31).find(|shift| count <= slots.saturating_mul(1 << shift)).unwrap_or(31);
        Self { shift, starts: [0; MARKS] }
    }

    /// Takes the offset of a record, if it has a mark. The caller calls this for each record.
    #[inline]
    pub(crate) fn note(&mut self, record: u32, start: u64) {
        let slot = record >> (self.shift & 31);
        if slot << (self.shift & 31) != record {
            return;
        }
        if let Some(mark) = usize::try_from(slot).ok().and_then(|slot| self.starts.get_mut(slot)) {
            *mark = u32::try_from(start).unwrap_or(u32::MAX);
        }
    }

    /// The last record with a mark before a record, or that record itself: its index and its offset.
    #[inline]
    pub(crate) fn before(&self, record: usize) -> (usize, usize) {
        let shift = self.shift & 31;
        let slot = (record >> shift).min(MARKS.saturating_sub(1));
        let start = self.starts.get(slot).copied().unwrap_or(0);
        (slot << shift, usize::try_from(start).unwrap_or(usize::MAX))
    }
}

impl Default for Marks {
    fn default() -> Self {
        Self { shift: 31, starts: [0; MARKS] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_is_found_from_the_last_mark_before_it() {
        for count in [0, 1, 3, 15, 16, 17, 32, 33, 1000] {
            let mut marks = Marks::new(count);
            (0..count).for_each(|record| marks.note(record, u64::from(record) * 10));
            let steps = (0..count as usize).map(|record| {
                let (marked, start) = marks.before(record);
                assert_eq!((start, marked <= record), (marked * 10, true), "{record} of {count}");
                record - marked
            });
            assert!(steps.max().unwrap_or(0) < (count as usize).div_ceil(MARKS).next_power_of_two().max(1), "{count}");
        }
    }

    #[test]
    fn without_marks_a_chain_is_walked_from_its_start() {
        let marks = Marks::default();
        assert_eq!([0, 1, 1 << 20].map(|record| marks.before(record)), [(0, 0); 3]);
    }
}
