//! What searches other than the strict one make of the corpus; the strict one is tested with the manifest.

use std::collections::BTreeMap;

use skelmap::swat3::{Gsa, Options, Uniqueness};

use test_support::corpus::Expect;
use test_support::swat3::agree::agree_in_every_way;
use test_support::swat3::corpus::{cases, first_verdicts, trailing_verdicts};
use test_support::with;

type Verdict = Result<(u64, Vec<&'static str>), (String, String, u64)>;

fn verdict(bytes: &[u8], options: &Options) -> Verdict {
    let animation = Gsa::parse_with(bytes, options);
    animation
        .map(|animation| (animation.marker_offset(), animation.quirks().map(|quirk| quirk.code.name()).collect()))
        .map_err(|error| (error.code().name().to_owned(), error.section().to_string(), error.offset()))
}

/// The files that are not listed are to both searches what they are to the strict one.
fn verdicts_are(options: Options, listed: Vec<(&'static str, test_support::swat3::corpus::Verdict)>) {
    let mut listed: BTreeMap<_, _> = listed.into_iter().collect();
    assert!(listed.len() > 5);
    for case in cases() {
        let found = verdict(&case.bytes, &options);
        let expected = match listed.remove(case.file) {
            Some(Ok(read)) => Ok(read),
            Some(Err((kind, section, offset))) => Err((kind.to_owned(), section.to_owned(), offset)),
            None => match &case.expect {
                Expect::Ok(_) => verdict(&case.bytes, &Options::default()),
                Expect::Error { kind, section, offset } => Err(((*kind).to_owned(), (*section).to_owned(), *offset)),
            },
        };
        assert_eq!(found, expected, "{}", case.file);
    }
    assert!(listed.is_empty(), "{listed:?}");
}

#[test]
fn the_option_first_accepts_the_first_place_that_fits() {
    verdicts_are(with(Options::default(), |own| own.uniqueness = Uniqueness::First), first_verdicts());
}

#[test]
fn the_option_trailing_zeros_allows_and_reports_zeros_after_the_last_frame() {
    verdicts_are(with(Options::default(), |own| own.trailing_zeros = true), trailing_verdicts());
}

/// Too large for the corpus.
#[test]
fn frame_counts_above_a_signed_short_are_read_and_reported() {
    for case in test_support::swat3::corpus::in_memory() {
        let Expect::Ok(_) = &case.expect else { panic!("{} is sound", case.file) };
        let animation = Gsa::parse(&case.bytes).unwrap();
        agree_in_every_way(&case.bytes);
        assert_eq!(animation.frame_count(), 32_768);
        assert!(animation.check().iter().any(|finding| finding.code.name() == "frame-count"));
    }
}
