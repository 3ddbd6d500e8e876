//! The owners of records: sequences own frames, morph targets own deltas.

use alloc::vec::Vec;

/// Consecutive records with one owner.
#[derive(Clone, Copy)]
struct Run {
    first: u64,
    end: u64,
    owner: usize,
}

/// The owners of records. A record may have several owners.
pub(super) struct Owners {
    /// In order of the first record: the start of a run, and the run so far that reaches furthest.
    runs: Vec<(u64, Run)>,
}

impl Owners {
    /// `runs`: the owner, its first record and its number of records. O(n log n).
    pub(super) fn of(runs: impl Iterator<Item = (usize, u64, u64)>) -> Self {
        let run = |(owner, first, count): (usize, u64, u64)| Run { first, end: first.saturating_add(count), owner };
        let mut runs: Vec<_> = runs.map(run).map(|run| (run.first, run)).collect();
        runs.sort_by_key(|(first, _)| *first);
        let mut furthest: Option<Run> = None;
        for (_, run) in &mut runs {
            *run = furthest.filter(|furthest| furthest.end >= run.end).unwrap_or(*run);
            furthest = Some(*run);
        }
        Self { runs }
    }

    /// An owner of a record, and the position of the record among the owner's. O(log n).
    pub(super) fn of_record(&self, record: u64) -> Option<(usize, u64)> {
        let after = self.runs.partition_point(|(first, _)| *first <= record);
        let (_, run) = self.runs.get(after.checked_sub(1)?)?;
        (record < run.end).then_some((run.owner, record.saturating_sub(run.first)))
    }
}
