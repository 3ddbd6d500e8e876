//! Files of a million records, made for every walk, look-up and check to take long over.

use skelmap::ParseOptions;

use super::everything;
use crate::support::worst::{A_MILLION, ACTORX, PYROGENESIS, SWAT3, Worst};

/// For what costs more by the record. The square of it has no end either.
const HALF: usize = A_MILLION / 2;

/// Everything that can be done with the files of so many records whose names begin so.
fn ends(records: usize, list: &[Worst], start: &str) {
    let mut met = 0;
    for worst in list.iter().filter(|worst| worst.name.starts_with(start)) {
        everything(&(worst.of)(records), &ParseOptions::default());
        met += 1;
    }
    assert!(met > 0, "{start}");
}

#[test]
fn a_million_chunks_are_no_square() {
    for start in ["psk/empty-chunks", "psk/heads", "psk/odd-chunks", "psk/uv-sets", "psk/cut", "psk/uncut"] {
        ends(A_MILLION, &ACTORX, start);
    }
}

#[test]
fn half_a_million_bones_are_no_square_whoever_their_parents_are() {
    for start in ["psk/bones/one-name", "psk/bones/past", "psk/bones/all-roots", "psk/bones/own"] {
        ends(HALF, &ACTORX, start);
    }
}

#[test]
fn a_chain_of_half_a_million_bones_is_no_square() {
    ends(HALF, &ACTORX, "psk/bones/chain");
}

#[test]
fn cycles_of_half_a_million_bones_are_no_square() {
    ends(HALF, &ACTORX, "psk/bones/cycle");
    ends(HALF, &ACTORX, "psk/bones/pairs");
}

#[test]
fn half_a_million_materials_morphs_and_sockets_are_no_square() {
    for start in ["psk/materials", "psk/morphs", "psk/sockets", "psk/skin"] {
        ends(HALF, &ACTORX, start);
    }
}

#[test]
fn a_million_sequences_are_no_square() {
    for start in ["psa/same", "psa/distinct", "psa/frames", "psa/keys"] {
        ends(A_MILLION, &ACTORX, start);
    }
}

#[test]
fn half_a_million_curve_chunks_are_no_square() {
    ends(HALF, &ACTORX, "psa/curves");
    ends(HALF, &ACTORX, "psa/stray");
}

/// As many bones as sequences: what looks at each bone in each sequence takes the square.
#[test]
fn a_million_sequences_of_a_million_bones_are_no_square() {
    ends(A_MILLION, &ACTORX, "psa/bones");
}

#[test]
fn a_million_records_of_pyrogenesis_are_no_square() {
    ends(A_MILLION, &PYROGENESIS, "");
}

#[test]
fn a_hundred_megabytes_of_swat_3_are_no_square() {
    ends(A_MILLION, &SWAT3, "");
}
