//! Parts of the work, for several machines.

use std::fmt;

use crate::items::{Item, Sources};

/// Part `index` of `count`, counted from 1.
#[derive(Clone, Copy, Debug)]
pub struct Shard {
    index: u64,
    count: u64,
}

/// A text that is no `I/N` with I from 1 to N.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected I/N with I from 1 to N, such as 2/4")]
#[non_exhaustive]
pub struct NoShard;

impl std::str::FromStr for Shard {
    type Err = NoShard;

    /// Reads `I/N`.
    fn from_str(text: &str) -> Result<Self, NoShard> {
        let parts = text.split_once('/').and_then(|(index, count)| Some((index.parse().ok()?, count.parse().ok()?)));
        parts.and_then(|(index, count)| Self::new(index, count)).ok_or(NoShard)
    }
}

impl Shard {
    /// Part `index` of `count`; `None` if `index` is not from 1 to `count`.
    pub fn new(index: u64, count: u64) -> Option<Self> {
        (1..=count).contains(&index).then_some(Self { index, count })
    }

    /// Keeps the items of this part: neighbours with about as many bytes as those of any other part.
    pub fn keep(self, sources: &mut Sources) {
        let weights = sources.items().iter().map(Item::size_hint).collect();
        let mut is_kept = self.choose(weights).into_iter();
        sources.retain(|_| is_kept.next() == Some(true));
    }

    /// Which pieces of work are in this part, by their bytes.
    pub fn choose(self, bytes: Vec<u64>) -> Vec<bool> {
        /// The cost of a row itself, in bytes.
        const ROW: u64 = 4096;
        let weight = |bytes: u64| u128::from(bytes.saturating_add(ROW));
        let twice: u128 = 2 * bytes.iter().copied().map(weight).sum::<u128>();
        // An archive can claim sizes that need too many bits for the multiplication below. The lowest bits do not matter then.
        let surplus = twice.checked_ilog2().unwrap_or(0).saturating_sub(63);
        let scaled = |weight: u128| weight >> surplus;
        let count = u128::from(self.count);
        let mut before = 0;
        let is_kept = |bytes: u64| {
            let weight = weight(bytes);
            // The part in which the middle of the piece lies.
            let part = scaled(2 * before + weight) * count / scaled(twice).max(1);
            before += weight;
            part.min(count - 1) + 1 == u128::from(self.index)
        };
        bytes.into_iter().map(is_kept).collect()
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-of-{}", self.index, self.count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(index: u64, count: u64, bytes: &[u64]) -> Vec<bool> {
        Shard::new(index, count).expect("a part").choose(bytes.to_vec())
    }

    #[test]
    fn a_part_is_named_by_its_index_and_the_number_of_parts() {
        assert_eq!(Shard::new(2, 4).expect("a part").to_string(), "2-of-4");
    }

    /// Archives can claim any size. The middle of the first of four equal pieces lies an eighth of the way, and 2^64 - 1 parts are so many
    /// that an eighth of them is 2^61 - 1/8.
    #[test]
    fn pieces_of_the_largest_size_are_divided_among_the_largest_number_of_parts() {
        assert_eq!(chosen(1 << 61, u64::MAX, &[u64::MAX; 4]), [true, false, false, false]);
        assert_eq!(chosen(1, 2, &[u64::MAX; 4]), [true, true, false, false]);
    }

    /// Beside 2^13 pieces of 2^64 - 1 bytes, the middle of an empty one cannot be told from the end of all.
    #[test]
    fn a_piece_at_the_very_end_is_in_the_last_part() {
        let bytes = [vec![u64::MAX; 1 << 13], vec![0]].concat();
        for (index, count) in [(1, 1), (2, 2), (3, 3)] {
            assert_eq!(chosen(index, count, &bytes).last(), Some(&true), "{index} of {count}");
        }
        assert_eq!(chosen(1, 2, &bytes).last(), Some(&false));
    }
}
