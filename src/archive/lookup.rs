//! The look-up of entries by name.

use alloc::{vec, vec::Vec};
use core::hash::BuildHasher;
use core::sync::atomic::{AtomicBool, Ordering};
use std::hash::RandomState;
use std::sync::OnceLock;

use super::records::Records;

/// Finds entries by name. The first look-up searches the records; the second makes a table.
///
/// The records must be the same for every look-up.
#[derive(Default)]
pub(super) struct Lookup {
    is_used: AtomicBool,
    /// `None` for an archive with too many entries.
    table: OnceLock<Option<Table>>,
}

impl Lookup {
    /// The index of the last record with the name.
    pub(super) fn find(&self, records: Records<'_>, name: &str) -> Option<usize> {
        if self.is_used.swap(true, Ordering::Relaxed) {
            if let Some(table) = self.table.get_or_init(|| Table::new(records)) {
                return table.find(records, name);
            }
        }
        records.names().rposition(|found| found.matches(name))
    }
}

/// A hash table of record indices: 6 to 12 bytes for each record.
///
/// The hash has a random key, so no archive can force collisions.
struct Table {
    hasher: RandomState,
    /// The length is a power of two. At least one slot is free.
    slots: Vec<u32>,
}

/// A free slot.
const FREE: u32 = u32::MAX;

impl Table {
    fn new(records: Records<'_>) -> Option<Self> {
        let count = records.places.len();
        let last = u32::try_from(count).ok().filter(|count| *count < FREE)?;
        let slots = count.checked_add(count / 2)?.checked_add(1)?.checked_next_power_of_two()?;
        let mut table = Self { hasher: RandomState::new(), slots: vec![FREE; slots] };
        for (index, name) in (0..last).zip(records.names()) {
            let slot = table.slot_of(records, &name.to_text())?;
            *table.slots.get_mut(slot)? = index;
        }
        Some(table)
    }

    fn find(&self, records: Records<'_>, name: &str) -> Option<usize> {
        let index = *self.slots.get(self.slot_of(records, name)?)?;
        if index == FREE { None } else { usize::try_from(index).ok() }
    }

    /// The slot of a name: that of a record with the name, or a free slot for it.
    fn slot_of(&self, records: Records<'_>, name: &str) -> Option<usize> {
        let mask = self.slots.len().checked_sub(1)?;
        let hash = self.hasher.hash_one(name) & u64::try_from(mask).ok()?;
        let start = usize::try_from(hash).ok()?;
        let has_name = |index: u32| {
            let entry = usize::try_from(index).ok().and_then(|index| records.get(index));
            entry.is_some_and(|entry| entry.name.matches(name))
        };
        let mut slots = (0..self.slots.len()).map(|step| start.wrapping_add(step) & mask);
        slots.find(|slot| self.slots.get(*slot).is_some_and(|index| *index == FREE || has_name(*index)))
    }
}
