//! Every change of one byte of every chunk header of every corpus file.
//!
//! All 255 other values of each byte are compared in outline (outcome, chunks, quirks, record counts). A fixed choice of
//! values is compared in full and then checked: with all of them this alone would take minutes.

use test_support::actorx::agree::{agree, agree_in_outline, exercise};
use test_support::actorx::corpus::cases;
use test_support::actorx::naive::outline;
use test_support::corpus::Case;

/// Bytes of a chunk header.
const HEADER: usize = 32;
/// Files above this size have only their first headers changed, and are compared in outline only.
const SMALL: usize = 100_000;

/// The headers that a walk reaches.
fn headers(case: &Case) -> Vec<usize> {
    match outline(&case.bytes) {
        Ok(outline) => outline.chunks.iter().map(|chunk| chunk.offset as usize).collect(),
        // What a walk makes of a damaged file ends at the header in error.
        Err(bad) => (0..=bad.offset as usize).filter(|at| is_header(&case.bytes[*at..])).collect(),
    }
}

/// Whether an id of capitals and digits begins here; enough for files that the project's own builder wrote.
fn is_header(bytes: &[u8]) -> bool {
    bytes.len() >= HEADER && bytes[..8].iter().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit())
}

/// The values that a byte is given in full comparisons: its neighbours, single bits, and the ends of every range.
fn choice(byte: u8) -> impl Iterator<Item = u8> {
    let near = [byte.wrapping_add(1), byte.wrapping_sub(1), !byte, byte ^ 0x20, byte ^ 0x80];
    let fixed = [0, 1, 0x7F, 0xFF, b'A'];
    near.into_iter().chain(fixed).filter(move |value| *value != byte)
}

fn change_all(cases: impl Iterator<Item = Case>) {
    let mut changes = 0_usize;
    for case in cases {
        println!("{}", case.file);
        let mut headers = headers(&case);
        let large = case.bytes.len() > SMALL;
        headers.truncate(if large { 2 } else { usize::MAX });
        let mut bytes = case.bytes;
        for at in headers.into_iter().flat_map(|header| header..header + HEADER) {
            let Some(&byte) = bytes.get(at) else { continue };
            for value in (0..=u8::MAX).filter(|value| *value != byte) {
                bytes[at] = value;
                agree_in_outline(&bytes);
                changes += 1;
            }
            for value in choice(byte).filter(|_| !large) {
                bytes[at] = value;
                agree(&bytes);
                exercise(&bytes);
            }
            bytes[at] = byte;
        }
    }
    assert!(changes > 100_000, "{changes} changes");
}

/// The meshes take the longest, and are shared out among tests that run at the same time.
fn change_all_meshes(extension: &str) {
    let is_one = |case: &Case| case.file.starts_with("actorx/mesh/") && case.file.ends_with(extension);
    change_all(cases().into_iter().filter(is_one));
}

#[test]
fn both_readers_agree_on_a_mesh_with_any_changed_header_byte() {
    change_all_meshes(".psk");
}

#[test]
fn both_readers_agree_on_an_extended_mesh_with_any_changed_header_byte() {
    change_all_meshes(".pskx");
}

#[test]
fn both_readers_agree_on_an_animation_with_any_changed_header_byte() {
    change_all(cases().into_iter().filter(|case| case.file.starts_with("actorx/anim/")));
}

#[test]
fn both_readers_agree_on_a_damaged_file_with_any_changed_header_byte() {
    change_all(cases().into_iter().filter(|case| case.file.starts_with("actorx/damaged/")));
}
