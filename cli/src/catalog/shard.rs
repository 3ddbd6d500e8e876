//! Parts of the work, for several machines.

use skelmap::catalog::Sources;

/// Part `index` of `count`, counted from 1.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shard {
    index: u64,
    count: u64,
}

/// Reads `I/N`.
pub(super) fn parse(text: &str) -> Result<Shard, String> {
    let parts = text.split_once('/').and_then(|(index, count)| Some((index.parse().ok()?, count.parse().ok()?)));
    let shard = parts.and_then(|(index, count)| Shard::new(index, count));
    shard.ok_or_else(|| "expected I/N with I from 1 to N, such as 2/4".to_owned())
}

impl Shard {
    /// Part `index` of `count`; `None` if `index` is not from 1 to `count`.
    pub(crate) fn new(index: u64, count: u64) -> Option<Self> {
        (1..=count).contains(&index).then_some(Self { index, count })
    }

    /// Keeps the items of this part: neighbours with about as many bytes as those of any other part.
    pub(crate) fn keep(self, sources: &mut Sources) {
        /// The cost of a row itself, in bytes.
        const ROW: u64 = 4096;
        let weights: Vec<u128> =
            sources.items().iter().map(|item| u128::from(item.size_hint().saturating_add(ROW))).collect();
        let twice: u128 = 2 * weights.iter().sum::<u128>();
        // An archive can claim sizes that need too many bits for the multiplication below. The lowest bits do not matter then.
        let surplus = twice.checked_ilog2().unwrap_or(0).saturating_sub(63);
        let scaled = |weight: u128| weight >> surplus;
        let count = u128::from(self.count);
        let mut before = 0;
        let mut weights = weights.into_iter();
        sources.retain(|_| {
            let weight = weights.next().unwrap_or_default();
            // The part in which the middle of the item lies.
            let part = scaled(2 * before + weight) * count / scaled(twice).max(1);
            before += weight;
            part.min(count - 1) + 1 == u128::from(self.index)
        });
    }
}
