//! The plainest files: whatever holds for any bytes, over a file of each format that is small enough for machines that are slow on
//! purpose (`.ci/soundness miri`), whole, cut at a few places, and with a few of its first bytes changed.
//!
//! Like `found::` in what is asserted: every value as the second reader has it, of archives that all stays inside.

use crate::support::FAMILIES;
use crate::support::any_bytes::{Target, archive::archive, target};
use crate::support::build_zip::{Entry, Zip};
use crate::support::corpus;

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
fn a_plain_file_of_every_format_is_read_alike() {
    for family in FAMILIES {
        assert!(!family.plain.is_empty());
        family.plain.iter().for_each(|(name, file)| passes(target(name), file));
    }
}

#[test]
fn all_that_is_said_of_a_plain_file_is_about_that_file() {
    for (_, file) in FAMILIES.iter().filter_map(|family| family.plain.first()) {
        passes(target("check"), file);
    }
}

#[test]
fn an_archive_keeps_inside() {
    let zip = Zip::of([Entry::stored("art/a.psa", [1, 2, 3]), Entry::stored("art/a.config", [b'['])]).build();
    archive(&zip.bytes);
}
