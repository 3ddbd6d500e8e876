//! Any file at all: what it is, what is wrong with it, and that saying so is bounded by its size.

use std::collections::BTreeMap;

use skelmap::pyrogenesis::{self, Strictness};
use skelmap::{Asset, Finding, Format, Match, ParseOptions};

/// Tells the format, parses in every mode, checks, sums up and matches.
pub fn check(bytes: &[u8]) {
    let format = Format::sniff(bytes);
    for strictness in [Strictness::Strict, Strictness::Engine] {
        let mut options = ParseOptions::default();
        options.pyrogenesis = pyrogenesis::Options::new(strictness);
        match Asset::parse_with(bytes, &options) {
            Ok(asset) => {
                assert_eq!(Ok(asset.format()), format);
                told(&asset, bytes);
            }
            Err(error) => {
                let message = error.to_string();
                assert!(!message.is_empty() && !message.chars().any(char::is_control), "{message:?}");
                assert!(error.offset() <= bytes.len() as u64, "{error} lies outside of {} bytes", bytes.len());
            }
        }
    }
}

/// The number of records with each code.
fn records(findings: &[Finding]) -> BTreeMap<&'static str, u64> {
    let mut records = BTreeMap::new();
    for finding in findings {
        *records.entry(finding.code.name()).or_default() += finding.count;
    }
    records
}

/// What is said about a file is about that file.
fn told(asset: &Asset<'_>, bytes: &[u8]) {
    let length = bytes.len() as u64;
    let findings = asset.check();
    assert_eq!(asset.check_each(1), findings);
    for most in [1, 3, usize::MAX] {
        let each = asset.check_each(most);
        for finding in &each {
            assert!(finding.count >= 1 && finding.offset <= length, "{finding}");
            assert!(finding.message.starts_with(|c: char| c.is_ascii_lowercase()), "a word comes first: {finding}");
            assert!(!finding.message.contains(char::is_control) && finding.to_string().contains(finding.code.name()));
        }
        assert!(each.is_sorted_by_key(|finding| std::cmp::Reverse(finding.severity)));
        assert_eq!(records(&each), records(&findings));
    }
    for quirk in asset.quirks() {
        assert!(quirk.offset <= length && !quirk.to_string().is_empty(), "{quirk}");
    }
    let summary = asset.summary();
    // What a file holds, it has bytes for; bones without frames are the exception that the reference names.
    let held = [summary.points, summary.wedges, summary.faces, summary.materials];
    assert!(held.into_iter().flatten().all(|count| count <= length), "{summary:?}");
    assert!(summary.duration_s.is_none_or(|seconds| seconds >= 0.0), "{summary:?}");
    if let Some(found) = Match::of(asset, asset) {
        assert_eq!((found.missing, found.extra), (0, 0), "a file fits itself");
        assert!((0.0..=100.0).contains(&found.percent_of_mesh()));
    }
}
