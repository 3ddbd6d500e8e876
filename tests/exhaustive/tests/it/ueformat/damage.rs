//! Files that end too early or have a byte changed: both readers agree on every one of them.

use test_support::ueformat::agree::agree;
use test_support::ueformat::corpus::{Case, cases};

#[test]
fn both_readers_agree_on_a_file_cut_at_any_byte() {
    for case in cases() {
        println!("{}", case.file);
        // Vertices and keys are alike; names and numbers of sections come at any byte.
        let step = case.bytes.len().div_ceil(2500).max(1);
        for length in (0..case.bytes.len()).step_by(step) {
            agree(&case.bytes[..length]);
        }
    }
}

/// Changes each byte of a file to some or all other values.
fn change(case: &Case, values: &[u8]) {
    println!("{}", case.file);
    let mut bytes = case.bytes.clone();
    for at in 0..bytes.len() {
        let byte = bytes[at];
        for value in values.iter().copied().chain([byte ^ 1, byte ^ 0x80]).filter(|value| *value != byte) {
            bytes[at] = value;
            agree(&bytes);
        }
        bytes[at] = byte;
    }
}

#[test]
fn both_readers_agree_on_any_changed_byte_of_a_small_file() {
    let all: Vec<u8> = (0..=u8::MAX).collect();
    for case in cases().iter().filter(|case| case.bytes.len() < 400) {
        change(case, &all);
    }
}

/// One file of each kind and layout: the others differ from them in a section.
#[test]
fn both_readers_agree_on_any_changed_byte_of_a_sound_file() {
    for file in [
        "model/v0.uemodel",
        "model/v3.uemodel",
        "model/v5.uemodel",
        "model/v9.uemodel",
        "model/v10.uemodel",
        "model/v10_scale.uemodel",
        "model/two_levels.uemodel",
        "model/gzip.uemodel",
        "packed/v10_zstd.uemodel",
        "animation/v5.ueanim",
        "animation/v9.ueanim",
        "animation/sparse.ueanim",
        "pose/v9.uepose",
        "pose/two.uepose",
    ] {
        change(&test_support::ueformat::corpus::case(&format!("ueformat/{file}")), &[0, 0x7F, 0xFF]);
    }
}
