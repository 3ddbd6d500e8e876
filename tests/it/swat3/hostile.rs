//! Files made to waste time or memory: the work has a limit, and the answer is an error.

use skelmap::ErrorKind;
use skelmap::swat3::{Gsa, Options, Uniqueness, codes};

use test_support::swat3::build::{Frame, Gsa as Built, Layout, biped};

const MAGIC: [u8; 16] =
    [0xCF, 0xD0, 0x09, 0xA8, 0x2A, 0x1F, 0xD2, 0x11, 0x87, 0x49, 0x00, 0x20, 0xAF, 0xE6, 0x36, 0xEE];

fn header(minor: u8) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    bytes.extend([minor, 4, 0, 0, 10, 0, 0, 0]);
    bytes
}

/// A header and a megabyte of a pattern.
fn filled(minor: u8, pattern: &[u8]) -> Vec<u8> {
    let mut bytes = header(minor);
    while bytes.len() < 1 << 20 {
        bytes.extend_from_slice(pattern);
    }
    bytes
}

/// Every search over a file, none of which takes long; the strict ones must not find anything.
fn nothing_is_found(bytes: &[u8]) -> ErrorKind {
    let mut first = Options::default();
    first.uniqueness = Uniqueness::First;
    let _ = Gsa::parse_with(bytes, &first);
    let mut padded = Options::default();
    padded.trailing_zeros = true;
    assert!(Gsa::parse_with(bytes, &padded).is_err());
    Gsa::parse(bytes).unwrap_err().kind()
}

#[test]
fn a_megabyte_of_markers_has_no_end_of_a_skeleton() {
    let patterns: [&[u8]; 5] = [
        &[0xFF],
        &[0xFF, 0xFF, 0, 0, 1, 0],
        &[0xFF, 0xFF, 0, 0, 2, 0],
        &[0xFF, 0xFF, 1, 0, 0, 0, 1, 0],
        &[0xFF, 0xFF, 0, 4],
    ];
    for pattern in patterns {
        for minor in [1, 2] {
            let kind = nothing_is_found(&filled(minor, pattern));
            assert!(
                matches!(kind, ErrorKind::Family { values: [seen, ..], .. } if kind.code() == codes::MARKER_NOT_FOUND && seen > 100_000),
                "{pattern:?}: {kind:?}"
            );
        }
    }
}

/// Rotations of unit length at every fourth byte, and a marker in every origin: each could begin a long walk.
#[test]
fn markers_among_sound_rotations_cost_no_more_than_the_limit() {
    let mut pattern = Vec::new();
    for _ in 0..64 {
        pattern.extend([0xFF, 0xFF, 0, 0, 40, 0, 0, 0, 0, 0, 0, 0]);
        pattern.extend([0, 0, 0, 0x3F].repeat(4));
        pattern.extend([0; 12]);
        pattern.extend([0, 0, 0, 0x3F].repeat(4 * 6));
        pattern.extend([0, 0]);
    }
    for minor in [1, 2] {
        let kind = nothing_is_found(&filled(minor, &pattern));
        assert!([codes::MARKER_NOT_FOUND, codes::SEARCH_LIMIT].contains(&kind.code()), "{kind:?}");
    }
}

/// All ids distinct and as many as there may be, again and again.
#[test]
fn lists_of_ids_cost_no_more_than_the_limit() {
    let mut pattern = vec![0xFF, 0xFF, 0, 4];
    (0..1024_u16).for_each(|id| pattern.extend(id.to_le_bytes()));
    pattern.extend([1, 0]);
    for minor in [1, 2] {
        let kind = nothing_is_found(&filled(minor, &pattern));
        assert!([codes::MARKER_NOT_FOUND, codes::SEARCH_LIMIT].contains(&kind.code()), "{kind:?}");
    }
}

/// A file of candidates for the end of the skeleton, each with a list of 1024 ids. Some 1025 steps show that one of them is not the end.
fn with_lists_of_ids(candidates: usize) -> Vec<u8> {
    const LIST: usize = 2 * 1024;
    let mut bytes = header(2);
    bytes.extend([0xFF, 0xFF, 0x00, 0x04].repeat(candidates));
    // The lists overlap. Each is followed by the number of frames, 1, and by the bytes of a frame of 1024 rotations.
    bytes.extend([1, 0].repeat(LIST / 2 + 1024 * 8 + 64));
    bytes
}

/// The reference (section 6) limits the work to about four times the size of the file.
#[test]
fn a_search_of_many_times_the_size_of_the_file_is_given_up() {
    let mut first = Options::default();
    first.uniqueness = Uniqueness::First;
    let code = |bytes: &[u8]| Gsa::parse_with(bytes, &first).unwrap_err().code();
    let (few, many) = (with_lists_of_ids(100), with_lists_of_ids(512));
    // A small file has a fixed amount of work besides.
    assert!(100 * 1025 <= 4 * few.len() + 65_536);
    assert_eq!(code(&few), codes::MARKER_NOT_FOUND);
    assert!(512 * 1025 >= 24 * many.len());
    assert_eq!(code(&many), codes::SEARCH_LIMIT);
}

/// Candidates that each read the same long run of sound events before they fail.
#[test]
fn long_runs_of_events_cost_no_more_than_the_limit() {
    let mut bytes = header(2);
    let mut frame = vec![0; 24];
    frame.extend(1.0_f32.to_le_bytes());
    frame.extend([0; 12]);
    frame.extend([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    frame.extend(1.0_f32.to_le_bytes());
    frame.extend(60_000_u16.to_le_bytes());
    for id in 0..1000_u16 {
        bytes.truncate(24 + usize::from(id) * 8);
        bytes.extend([0xFF, 0xFF, 1, 0]);
        bytes.extend(id.to_le_bytes());
        bytes.extend([1, 0]);
    }
    bytes.extend(&frame);
    (0..60_000).for_each(|_| bytes.extend([2, 0, b'a', 0]));
    bytes.push(7);
    nothing_is_found(&bytes);
}

/// Nothing is allocated or walked for what a short merely claims.
#[test]
fn counts_past_the_end_are_refused() {
    for (ids, frames) in [(0_u16, u16::MAX), (1024, 1), (1024, u16::MAX), (u16::MAX, u16::MAX)] {
        let mut bytes = header(2);
        bytes.extend([0xFF, 0xFF]);
        bytes.extend(ids.to_le_bytes());
        bytes.extend(frames.to_le_bytes());
        bytes.extend([0; 500]);
        assert_eq!(nothing_is_found(&bytes).code(), codes::MARKER_NOT_FOUND);
    }
}

#[test]
fn rotations_that_are_not_of_unit_length_are_named_as_the_reason() {
    let frames = vec![Frame::new(vec![[0.0, 0.0, 0.0, 2.0]; 5]); 4];
    let bytes = Built::new(1, Layout::Plain.skeleton(&biped(5)), &[], frames).build().bytes;
    let error = Gsa::parse(&bytes).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Family { values: [_, 1, ..], .. }), "{error}");
    assert!(error.to_string().ends_with("(one does, except for rotations that are not of unit length)"), "{error}");
}

#[test]
fn an_error_is_about_the_whole_file_where_zeros_may_follow_the_last_frame() {
    let frames = vec![Frame::new(vec![[0.0, 0.0, 0.0, 2.0]; 5]); 4];
    let mut bytes = Built::new(1, Layout::Plain.skeleton(&biped(5)), &[], frames).build().bytes;
    let without = Gsa::parse(&bytes).unwrap_err();
    bytes.push(0);
    let whole = Gsa::parse(&bytes).unwrap_err();
    assert_ne!(whole, without);
    let mut padded = Options::default();
    padded.trailing_zeros = true;
    assert_eq!(Gsa::parse_with(&bytes, &padded).unwrap_err(), whole);
}

/// Many bones whose rotations all look alike, in one frame or two: honest, and no waste of time.
#[test]
fn a_figure_of_many_bones_at_rest_is_read() {
    for (bones, frames) in [(450, 1), (600, 2), (1000, 1), (1000, 2)] {
        let rest = vec![Frame::new(vec![[0.0, 0.0, 0.0, 1.0]; bones]); frames];
        let bytes = Built::new(2, vec![1; bones * 4], &[], rest).build().bytes;
        let animation = Gsa::parse(&bytes).unwrap_or_else(|error| panic!("{bones} bones, {frames} frames: {error}"));
        assert_eq!((animation.rotation_count(), animation.frame_count()), (bones, frames));
    }
}

/// A place is not picked where little speaks for it, not even by the search that takes the first.
#[test]
fn the_first_place_is_refused_if_bytes_follow_the_last_frame() {
    let mut bytes = super::corpus("gsa/reload.gsa");
    bytes.extend(b"junk!");
    let mut first = Options::default();
    first.uniqueness = Uniqueness::First;
    assert!(Gsa::parse_with(&bytes, &first).is_err());
}
