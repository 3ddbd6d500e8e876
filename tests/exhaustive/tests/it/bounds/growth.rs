//! Memory: how much of it, and how it grows with the input.

use allocation_counter::{AllocationInfo, measure};
use skelmap::ParseOptions;

use super::{convert, everything};
use test_support::FAMILIES;
use test_support::worst::Worst;

/// What everything at once may have in use, in bytes for each byte of the file: it is copied for a catalogue, its names are held
/// in tables, a chunk of 32 bytes may have findings in words, and an event of 4 bytes is edited as a slice of its own.
const MULTIPLE: u64 = 16;

fn cost(worst: &Worst, records: usize) -> (u64, AllocationInfo) {
    let bytes = (worst.of)(records);
    (bytes.len() as u64, measure(|| everything(&bytes, &ParseOptions::default())))
}

/// A bone of 28 bytes becomes a node with a name, in words.
const OF_CONVERSION: u64 = 48;

/// The buffer of the output, and what a small file costs.
const BUFFER: u64 = 128 << 10;

#[test]
fn a_conversion_takes_memory_as_its_file_grows() {
    const FEW: usize = 3000;
    let cost = |worst: &Worst, records: usize| {
        let bytes = (worst.of)(records);
        (bytes.len() as u64, measure(|| convert(&bytes)))
    };
    for worst in FAMILIES.iter().flat_map(|family| family.worst) {
        let ((small, few), (large, many)) = (cost(worst, FEW), cost(worst, 4 * FEW));
        let name = worst.name;
        assert!(few.bytes_max <= OF_CONVERSION * small + BUFFER, "{name}: {few:?} of {small}");
        assert!(many.bytes_max <= OF_CONVERSION * large + BUFFER, "{name}: {many:?} of {large}");
        assert!(many.count_total <= 5 * few.count_total + 100, "{name}: {few:?}, {many:?}");
        assert!(many.bytes_total <= 5 * few.bytes_total + BUFFER, "{name}: {few:?}, {many:?}");
    }
}

#[test]
fn memory_and_allocations_grow_as_the_file_does() {
    const FEW: usize = 3000;
    for worst in FAMILIES.iter().flat_map(|family| family.worst) {
        let ((small, few), (large, many)) = (cost(worst, FEW), cost(worst, 4 * FEW));
        let name = worst.name;
        assert!(few.bytes_max <= MULTIPLE * small + 65_536, "{name}: {few:?} of {small}");
        assert!(many.bytes_max <= MULTIPLE * large + 65_536, "{name}: {many:?} of {large}");
        // Four times as many, and some more: tables double, and numbers in messages get longer.
        assert!(many.count_total <= 5 * few.count_total + 100, "{name}: {few:?}, {many:?}");
        assert!(many.bytes_total <= 5 * few.bytes_total + 65_536, "{name}: {few:?}, {many:?}");
    }
}
