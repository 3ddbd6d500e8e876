//! The index of an archive: the records of its central directory.

use alloc::{string::ToString, vec::Vec};

use rawzip::ZipArchive;

use super::error::{ArchiveError, ArchiveErrorKind};
use super::lookup::Lookup;
use super::record::{RECORD_SIZE, Record};
use crate::bytes::to_u64;

/// The most that an archive may ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "made by struct update from its default")]
pub struct Limits {
    /// The most entries. The index has 48 bytes for each entry. Default: 1,048,576.
    pub entries: u64,
    /// The most bytes of one deflated entry after inflation. Default: 256 MiB.
    pub inflated: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { entries: 1 << 20, inflated: 256 << 20 }
    }
}

/// The directory of an archive, without the archive's bytes.
pub(super) struct Index {
    pub(super) records: Vec<Record>,
    /// The offset of the directory. The data of all entries ends before it.
    pub(super) directory: u64,
    pub(super) limits: Limits,
    lookup: Lookup,
}

impl Index {
    /// Reads the central directory.
    pub(super) fn parse(bytes: &[u8], limits: &Limits) -> Result<Self, ArchiveError> {
        let of_archive = ArchiveError::of_archive;
        let zip = ZipArchive::from_slice(bytes).map_err(|_| of_archive(ArchiveErrorKind::NoDirectory))?;
        let stated = zip.entries_hint();
        let too_many = |count| of_archive(ArchiveErrorKind::TooManyEntries { count, limit: limits.entries });
        if stated > limits.entries {
            return Err(too_many(stated));
        }
        // A count is believed only as far as the file has bytes for the records.
        let room = bytes.len().checked_div(RECORD_SIZE).unwrap_or(0);
        let mut records = Vec::with_capacity(usize::try_from(stated).unwrap_or(usize::MAX).min(room));
        let (mut last_end, mut in_order) = (0, true);
        let mut entries = zip.entries();
        loop {
            let found = to_u64(records.len());
            let damaged = |error: rawzip::Error| {
                of_archive(ArchiveErrorKind::Directory { entries: found, reason: error.to_string() })
            };
            let Some(entry) = entries.next_entry().map_err(damaged)? else { break };
            if found >= limits.entries {
                return Err(too_many(found.saturating_add(1)));
            }
            let record = Record::of(&entry);
            in_order &= record.local >= last_end;
            last_end = record.least_end();
            records.push(record);
        }
        let found = to_u64(records.len());
        // Old programs write the low 16 bits of a larger count.
        let is_short = !has_long_end(bytes, zip.eocd_offset());
        if found != stated && !(is_short && found % (1 << 16) == stated) {
            return Err(of_archive(ArchiveErrorKind::EntryCount { stated, found }));
        }
        if !in_order {
            prove_disjoint(bytes, &records)?;
        }
        Ok(Self { records, directory: zip.directory_offset(), limits: *limits, lookup: Lookup::default() })
    }

    /// The index of the last entry with the name.
    pub(super) fn find(&self, bytes: &[u8], name: &str) -> Option<usize> {
        self.lookup.find(bytes, &self.records, name)
    }
}

/// Whether the end of the directory has a long form (ZIP64) too.
fn has_long_end(bytes: &[u8], end: u64) -> bool {
    const LOCATOR_SIZE: usize = 20;
    let at = usize::try_from(end).ok().and_then(|end| end.checked_sub(LOCATOR_SIZE));
    at.and_then(|at| bytes.get(at..)).is_some_and(|locator| locator.starts_with(b"PK\x06\x07"))
}

/// Proves that no two entries share bytes. Needed only where the entries do not lie in the order of the directory.
fn prove_disjoint(bytes: &[u8], records: &[Record]) -> Result<(), ArchiveError> {
    let mut in_order: Vec<&Record> = records.iter().collect();
    in_order.sort_unstable_by_key(|record| record.local);
    for pair in in_order.windows(2) {
        let [before, after] = pair else { continue };
        if after.local < before.least_end() {
            let other = before.name(bytes).to_string().into();
            return Err(ArchiveError::of_entry(ArchiveErrorKind::Overlap { other }, after.name(bytes)));
        }
    }
    Ok(())
}
