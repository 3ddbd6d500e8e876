//! Files of a million records, made for every walk, look-up and check to take long over.

use crate::bounds::ends;
use test_support::actorx::worst::WORST;
use test_support::worst::A_MILLION;

/// For what costs more by the record. The square of it has no end either.
const HALF: usize = A_MILLION / 2;

#[test]
fn a_million_chunks_take_linear_time() {
    for start in ["psk/empty-chunks", "psk/heads", "psk/odd-chunks"] {
        ends(A_MILLION, &WORST, start);
    }
}

#[test]
fn a_million_uv_sets_take_linear_time() {
    ends(A_MILLION, &WORST, "psk/uv-sets");
}

#[test]
fn a_million_truncated_socket_chunks_take_linear_time() {
    ends(A_MILLION, &WORST, "psk/cut");
    ends(A_MILLION, &WORST, "psk/uncut");
}

#[test]
fn half_a_million_bones_take_linear_time_whatever_their_parents_are() {
    for start in ["psk/bones/one-name", "psk/bones/past", "psk/bones/all-roots", "psk/bones/own"] {
        ends(HALF, &WORST, start);
    }
}

#[test]
fn a_chain_of_half_a_million_bones_takes_linear_time() {
    ends(HALF, &WORST, "psk/bones/chain");
}

#[test]
fn cycles_of_half_a_million_bones_take_linear_time() {
    ends(HALF, &WORST, "psk/bones/cycle");
    ends(HALF, &WORST, "psk/bones/pairs");
}

#[test]
fn half_a_million_materials_morphs_and_sockets_take_linear_time() {
    for start in ["psk/materials", "psk/morphs", "psk/sockets", "psk/skin"] {
        ends(HALF, &WORST, start);
    }
}

#[test]
fn a_million_sequences_take_linear_time() {
    for start in ["psa/same", "psa/distinct", "psa/frames", "psa/keys"] {
        ends(A_MILLION, &WORST, start);
    }
}

#[test]
fn half_a_million_curve_chunks_take_linear_time() {
    ends(HALF, &WORST, "psa/curves");
    ends(HALF, &WORST, "psa/stray");
}

/// As many bones as sequences: what looks at each bone in each sequence takes the square.
#[test]
fn a_million_sequences_of_a_million_bones_take_linear_time() {
    ends(A_MILLION, &WORST, "psa/bones");
}
