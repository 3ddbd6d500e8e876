//! The plainest files: whatever holds for any bytes, over a file of each format that is small enough for machines that are slow on
//! purpose (`.ci/soundness miri`), whole, cut at a few places, and with a few of its first bytes changed.
//!
//! Like `found::` in what is asserted: every value as the second reader has it, of archives that all stays inside.

use test_support::FAMILIES;
use test_support::any_bytes::{Target, archive::archive, target};
use test_support::build_zip::{Entry, Zip};
use test_support::corpus;

/// A file of the corpus through a target, whole and damaged.
fn passes(target: Target, file: &str) {
    println!("{} of {file}", target.name);
    let bytes = corpus::file(file);
    (target.run)(&bytes);
    for length in [0, 1, bytes.len() / 2, bytes.len() - 1] {
        (target.run)(&bytes[..length]);
    }
    let mut changed = bytes;
    for at in [4, 8, 12] {
        let Some(byte) = changed.get(at).copied() else { continue };
        changed[at] = !byte;
        (target.run)(&changed);
        changed[at] = byte;
    }
}

#[test]
fn both_readers_agree_on_a_plain_file_of_every_format() {
    for family in FAMILIES {
        assert!(!family.plain.is_empty());
        family.plain.iter().for_each(|(name, file)| passes(target(name), file));
    }
}

#[test]
fn findings_and_quirks_of_a_plain_file_lie_inside_of_the_file() {
    for (_, file) in FAMILIES.iter().filter_map(|family| family.plain.first()) {
        passes(target("check"), file);
    }
}

#[test]
fn all_reads_of_a_plain_archive_stay_inside_of_it() {
    let zip = Zip::of([Entry::stored("art/a.psa", [1, 2, 3]), Entry::stored("art/a.config", [b'['])]).build();
    archive(&zip.bytes);
}
