//! Files that end too early or have a byte changed: both readers agree on every one of them.

use skelmap::swat3::{Gsa, NotInferred};

use test_support::corpus::{Case, Expect};
use test_support::swat3::agree::{agree, agree_in, given_by, strict};
use test_support::swat3::build::Layout;
use test_support::swat3::corpus::cases;

fn sound() -> impl Iterator<Item = Case> {
    cases().into_iter().filter(|case| matches!(case.expect, Expect::Ok(_)))
}

/// The end of the file is what proves where the skeleton ends, so nothing shorter can pass for the whole. What is left to chance:
/// frames without events may lose their numbers of events, which is reported; and where all bones are animated, their number is
/// only in the length, so that a pose may lose its last ones, as may frames whose rotations are all alike. The names tell.
#[test]
fn no_truncated_file_is_read_as_a_whole_file() {
    let mut taken = 0;
    for case in sound() {
        println!("{}", case.file);
        let whole = Gsa::parse(&case.bytes).unwrap();
        let is_odd = |view: &Gsa<'_>| view.quirks().any(|quirk| quirk.code.name() == "event-count-words");
        for length in 0..case.bytes.len() {
            let Ok(left) = Gsa::parse(&case.bytes[..length]) else { continue };
            taken += 1;
            assert_eq!((left.frame_count(), left.events().count()), (whole.frame_count(), 0), "cut to {length} bytes");
            let is_told = matches!(left.infer_layout(), Err(NotInferred::BoneCount { .. }));
            let is_silent = whole.animated_ids().is_empty() && whole.infer_layout().is_err();
            assert!(is_odd(&left) || is_odd(&whole) || is_told || is_silent, "cut to {length} bytes");
        }
    }
    assert!((1..1000).contains(&taken), "{taken} of some 100,000");
}

#[test]
fn both_readers_refuse_a_file_cut_at_any_byte_for_the_same_reason() {
    for case in cases().iter().filter(|case| case.bytes.len() < 3000) {
        println!("{}", case.file);
        for length in (0..case.bytes.len()).filter(|length| *length < 40 || length % 7 == 0) {
            agree(&case.bytes[..length]);
        }
    }
}

/// Changes each byte of a part of a file to some or all other values.
fn change(case: &Case, part: std::ops::Range<usize>, values: &[u8]) {
    println!("{}", case.file);
    let mut bytes = case.bytes.clone();
    for at in part.start..part.end.min(case.bytes.len()) {
        let byte = bytes[at];
        for value in values.iter().copied().chain([byte ^ 1, byte ^ 0x80]).filter(|value| *value != byte) {
            bytes[at] = value;
            agree_in(&bytes, &strict());
        }
        bytes[at] = byte;
    }
}

#[test]
fn both_readers_agree_on_any_changed_byte_before_the_skeleton() {
    let all: Vec<u8> = (0..=u8::MAX).collect();
    for case in cases().iter().filter(|case| case.bytes.len() < 700) {
        change(case, 0..30, &all);
    }
}

#[test]
fn both_readers_agree_on_any_changed_byte_of_a_sound_file() {
    for case in sound().filter(|case| case.bytes.len() < 1000) {
        change(&case, 30..1000, &[0, 1, 0x7F, 0xFF]);
    }
}

/// What follows the marker decides everything, and gets every value.
#[test]
fn both_readers_agree_on_any_changed_byte_near_the_marker() {
    let all: Vec<u8> = (0..=u8::MAX).collect();
    for case in sound().filter(|case| case.bytes.len() < 1500) {
        let marker = usize::try_from(Gsa::parse(&case.bytes).unwrap().marker_offset()).unwrap();
        change(&case, marker.saturating_sub(2)..marker + 12, &all);
    }
}

#[test]
fn both_readers_agree_on_any_changed_byte_with_a_given_layout() {
    let layout = given_by(Layout::Plain).unwrap();
    for case in sound().filter(|case| case.bytes.len() < 700) {
        let mut bytes = case.bytes.clone();
        for at in 0..bytes.len() {
            let byte = bytes[at];
            for value in [0, 0xFF, byte ^ 1] {
                bytes[at] = value;
                agree_in(&bytes, &layout);
            }
            bytes[at] = byte;
        }
    }
}
