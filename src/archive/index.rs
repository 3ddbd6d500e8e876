//! The index of an archive: the offsets of the records of its central directory.

use alloc::{format, vec::Vec};
use core::ops::Range;

use zerocopy::FromBytes;

use super::end::End;
use super::error::{ArchiveError, ArchiveErrorKind};
use super::lookup::Lookup;
use super::record::{DirectoryRecord, Record};
use super::records::Records;
use crate::bytes::to_u64;
use crate::limits::Limits;

/// The offsets of the records of a directory, without its bytes.
pub(super) struct Index {
    /// The offset of each record from the beginning of the directory.
    pub(super) places: Vec<u32>,
    /// The range of the directory in the archive. The data of all entries ends before it.
    pub(super) directory: Range<u64>,
    /// Bytes before the archive that its offsets do not count.
    pub(super) base: u64,
    pub(super) limits: Limits,
    pub(super) lookup: Lookup,
}

impl Index {
    /// Reads a directory with these bytes, and checks that no two entries share bytes.
    pub(super) fn new(bytes: &[u8], end: End, limits: &Limits) -> Result<Self, ArchiveError> {
        let End { directory, base, entries: stated, is_short } = end;
        // A count is only trusted up to the number of records that fit.
        let most = bytes.len().checked_div(size_of::<DirectoryRecord>()).unwrap_or(0);
        let mut places = Vec::with_capacity(usize::try_from(stated).unwrap_or(usize::MAX).min(most));
        let in_order = find_records(bytes, base, limits.entries, &mut places)?;
        let found = to_u64(places.len());
        // For a larger count, old programs write its low 16 bits.
        if found != stated && !(is_short && found % (1 << 16) == stated) {
            return Err(ArchiveError::of_archive(ArchiveErrorKind::EntryCount { stated, found }));
        }
        if !in_order {
            check_disjoint(Records { bytes, places: &places, base })?;
        }
        Ok(Self { places, directory, base, limits: *limits, lookup: Lookup::default() })
    }
}

/// Finds the records of a directory. Returns whether the entries are in this order in the archive, without overlaps.
fn find_records(bytes: &[u8], base: u64, limit: u64, places: &mut Vec<u32>) -> Result<bool, ArchiveError> {
    let (mut rest, mut last_end, mut in_order) = (bytes, 0, true);
    while !rest.is_empty() {
        let found = to_u64(places.len());
        let damaged = |reason| ArchiveErrorKind::Directory { entries: found, reason };
        let cut_off = || ArchiveError::of_archive(damaged("a record is cut off".into()));
        let head = DirectoryRecord::ref_from_prefix(rest).ok().filter(|(record, _)| record.has_signature());
        let Some((record, after)) = head else {
            if is_signature(rest) {
                break;
            }
            let first = rest.first_chunk().map(|first| u32::from_le_bytes(*first));
            let first = first.filter(|_| rest.len() >= size_of::<DirectoryRecord>()).ok_or_else(cut_off)?;
            let reason = format!("a record begins with {first:08x}, expected 02014b50");
            return Err(ArchiveError::of_archive(damaged(reason)));
        };
        let (variable, next) = record.split(after).ok_or_else(cut_off)?;
        let parsed = Record::of(record, variable, base).ok_or_else(cut_off)?;
        if found >= limit {
            let count = found.saturating_add(1);
            return Err(ArchiveError::of_archive(ArchiveErrorKind::TooManyEntries { count, limit }));
        }
        in_order &= parsed.local >= last_end;
        last_end = parsed.least_end();
        // No directory reaches 4 GiB.
        places.push(u32::try_from(bytes.len().saturating_sub(rest.len())).unwrap_or(u32::MAX));
        rest = next;
    }
    Ok(in_order)
}

/// Whether these bytes are the digital signature that can end a directory.
#[cold]
fn is_signature(bytes: &[u8]) -> bool {
    const MAX_SIGNATURE_BYTES: usize = 6 + 65_535;
    bytes.len() <= MAX_SIGNATURE_BYTES && bytes.starts_with(b"PK\x05\x05")
}

/// Checks that no two entries share bytes. Needed only if the entries are not in the order of the directory.
fn check_disjoint(records: Records<'_>) -> Result<(), ArchiveError> {
    let mut in_order: Vec<(u64, u32)> = records.places.iter().map(|place| (records.at(*place).local, *place)).collect();
    in_order.sort_unstable();
    for pair in in_order.windows(2) {
        let [before, after] = pair else { continue };
        let before = records.at(before.1);
        if after.0 < before.least_end() {
            let kind = ArchiveErrorKind::Overlap { other: format!("{}", before.name).into() };
            return Err(ArchiveError::of_entry(kind, records.at(after.1).name));
        }
    }
    Ok(())
}
