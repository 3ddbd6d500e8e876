//! Files that end too early: every length of every corpus file.

use std::collections::BTreeSet;

use test_support::actorx::agree::{agree, agree_in_outline, exercise};
use test_support::actorx::corpus::cases;
use test_support::actorx::naive::outline;
use test_support::corpus::Case;

/// Files up to this size are cut at every byte.
const SMALL: usize = 100_000;

/// Where to cut: everywhere in a small file, else about the ends of its chunks and at every page.
fn lengths(case: &Case) -> BTreeSet<usize> {
    let size = case.bytes.len();
    if size <= SMALL {
        return (0..size).collect();
    }
    let mut lengths: BTreeSet<usize> = (0..size).step_by(4096).collect();
    let chunks = outline(&case.bytes).expect("the large files can be read").chunks;
    for end in chunks.iter().flat_map(|chunk| [chunk.offset as usize, chunk.body.start, chunk.body.end]) {
        lengths.extend((end.saturating_sub(64)..=end + 64).filter(|length| *length < size));
    }
    lengths
}

#[test]
fn both_readers_agree_on_a_file_cut_at_any_byte() {
    for case in cases() {
        println!("{}", case.file);
        for length in lengths(&case) {
            agree_in_outline(&case.bytes[..length]);
        }
    }
}

#[test]
fn both_readers_agree_on_a_readable_part_of_a_file_and_check_reads_it() {
    for case in cases() {
        println!("{}", case.file);
        for length in lengths(&case) {
            let cut = &case.bytes[..length];
            if outline(cut).is_ok() {
                agree(cut);
                exercise(cut);
            }
        }
    }
}

#[test]
fn a_cut_inside_a_chunk_is_never_readable() {
    for case in cases() {
        let Ok(whole) = outline(&case.bytes) else { continue };
        // A short count makes the file end where it is cut: any end of a socket is an end of the file.
        if whole.quirks.contains(&"short-body") || whole.chunks.iter().any(|chunk| chunk.id == b"SKELSOCK") {
            continue;
        }
        let ends: BTreeSet<usize> = whole.chunks.iter().map(|chunk| chunk.body.end).collect();
        for length in lengths(&case) {
            let readable = skelmap::Asset::parse(&case.bytes[..length]).is_ok();
            assert!(!readable || ends.contains(&length), "{} cut at {length}", case.file);
        }
    }
}
