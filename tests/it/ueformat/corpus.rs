//! The naive reader says of every file of the corpus what is written there by hand.

use std::collections::BTreeSet;

use test_support::swat3::build::Rng;
use test_support::ueformat::corpus::{self, Case, Expect, Reason};
use test_support::ueformat::naive;

/// Words of the naive reader's message for a reason.
fn words(reason: Reason) -> &'static [&'static str] {
    match reason {
        Reason::Empty => &["the file is empty"],
        Reason::Magic => &["no magic"],
        Reason::Kind => &["unsupported kind"],
        Reason::Version => &["is newer than"],
        Reason::Negative => &["negative"],
        Reason::Short => &["are there"],
        Reason::Layout => &["nor without"],
        Reason::Compression => &["unsupported compression"],
        Reason::Packed => &["gzip:", "zstd:"],
        Reason::Size => &["unpacked bytes are stated"],
        Reason::Limit => &["are more than"],
    }
}

fn faults(case: &Case) -> Option<String> {
    match (naive::read(&case.bytes), &case.expect) {
        (Ok(file), Expect::Opens { findings }) => {
            let found: Vec<_> = naive::words(&file).into_iter().collect();
            (found != *findings).then(|| format!("{}: {findings:?} expected, {found:?}", case.file))
        }
        (Err(error), Expect::Error { section, reason }) => {
            let is_there = error
                .strip_prefix(section)
                .is_some_and(|rest| section.is_empty() || rest.starts_with([':', ' ', '#', '/']));
            let says = words(*reason).iter().any(|word| error.contains(word));
            (!is_there || !says).then(|| format!("{}: {section}, {reason:?} expected, {error}", case.file))
        }
        (found, expected) => Some(format!("{}: {expected:?} expected, {:?}", case.file, found.map(|file| file.odd))),
    }
}

#[test]
fn the_naive_reader_says_what_the_corpus_expects() {
    let mut cases = corpus::cases();
    println!("{} files", cases.len());
    assert!(cases.len() >= 150);
    cases.extend(corpus::in_memory());
    let faults: Vec<String> = cases.iter().filter_map(faults).collect();
    assert!(faults.is_empty(), "{} of {}:\n{}", faults.len(), cases.len(), faults.join("\n"));
}

#[test]
fn a_file_of_the_corpus_occurs_once_and_is_small_and_its_words_are_sorted() {
    let cases = corpus::cases();
    let names: BTreeSet<_> = cases.iter().map(|case| case.file).collect();
    assert_eq!(names.len(), cases.len(), "names");
    let bytes: BTreeSet<_> = cases.iter().map(|case| &case.bytes).collect();
    let twice = |case: &Case| {
        cases.iter().filter(|other| other.bytes == case.bytes).map(|other| other.file).collect::<Vec<_>>()
    };
    for case in cases.iter().filter(|_| bytes.len() < cases.len()) {
        assert_eq!(twice(case), [case.file]);
    }
    for case in &cases {
        assert!(case.bytes.len() < 64 << 10, "{}: {} bytes", case.file, case.bytes.len());
        if let Expect::Opens { findings } = &case.expect {
            assert!(findings.is_sorted_by(|a, b| a < b), "{}: {findings:?}", case.file);
        }
    }
}

#[test]
fn the_builder_gives_the_same_bytes_again() {
    for (one, other) in corpus::cases().into_iter().zip(corpus::cases()) {
        assert!(one.bytes == other.bytes, "{}", one.file);
    }
}

/// Reads and judges, whatever comes out.
fn any(bytes: &[u8]) {
    if let Ok(file) = naive::read(bytes) {
        let _ = naive::findings(&file);
    }
}

#[test]
fn no_bytes_make_the_naive_reader_panic() {
    let rng = &mut Rng::new(5);
    for case in corpus::cases() {
        // Of large files, the parts behind the first names are alike.
        for _ in 0..40 {
            let mut bytes = case.bytes.clone();
            for _ in 0..=rng.below(3) {
                if bytes.is_empty() {
                    break;
                }
                let at = rng.below(bytes.len());
                match rng.below(4) {
                    0 => bytes[at] = rng.bits() as u8,
                    1 => bytes.truncate(at),
                    2 => bytes[at] = [0, 1, 0x7F, 0x80, 0xFF][rng.below(5)],
                    _ => {
                        let number = [-1, i32::MIN, i32::MAX, 0x1000_0001, 0, 1][rng.below(6)].to_le_bytes();
                        let end = bytes.len().min(at + 4);
                        bytes[at..end].copy_from_slice(&number[..end - at]);
                    }
                }
            }
            any(&bytes);
        }
    }
}

/// Each mesh with an animation of its own bones, also those with scales: a track without a scale keeps that of the bind pose.
#[test]
fn meshes_move_as_by_the_naive_evaluation() {
    for case in corpus::cases().iter().filter(|case| case.file.starts_with("ueformat/model/")) {
        test_support::model::any_bytes::model(&case.bytes);
    }
}
