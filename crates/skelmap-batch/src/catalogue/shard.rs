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
