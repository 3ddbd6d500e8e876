//! The plainest files: whatever holds for any bytes, over a file of each format that is small enough for machines that are slow on
//! purpose (`.ci/soundness miri`), whole, cut at a few places, and with a few of its first bytes changed.
//!
//! Like `found::` in what is asserted: every value as the second reader has it, of archives that all stays inside.

use std::fs;
use std::path::Path;

use crate::any_bytes::{self, Target};

/// A file of the corpus through a target, whole and damaged.
fn passes(target: Target, file: &str) {
    let bytes = fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(file)).unwrap();
    target(&bytes);
    for length in [0, 1, bytes.len() / 2, bytes.len() - 1] {
        target(&bytes[..length]);
    }
    let mut changed = bytes;
    for at in [4, 8, 12] {
        let Some(byte) = changed.get(at).copied() else { continue };
        changed[at] = !byte;
        target(&changed);
        changed[at] = byte;
    }
}

#[test]
fn a_mesh_of_actorx_is_read_alike() {
    passes(any_bytes::psk, "actorx/mesh/classic.psk");
}

#[test]
fn an_animation_of_actorx_is_read_alike() {
    passes(any_bytes::psa, "actorx/anim/classic.psa");
}

#[test]
fn a_walk_over_chunks_ends_alike() {
    passes(any_bytes::chunks, "actorx/anim/classic.psa");
}

#[test]
fn a_mesh_of_pyrogenesis_is_read_and_skinned_alike() {
    passes(any_bytes::pmd, "pyrogenesis/pmd/face_degenerate.pmd");
}

#[test]
fn an_animation_of_pyrogenesis_is_read_and_posed_alike() {
    passes(any_bytes::pyrogenesis_psa, "pyrogenesis/psa/march.psa");
}

#[test]
fn an_animation_of_swat3_is_read_inferred_and_edited_alike() {
    passes(any_bytes::gsa, "swat3/gsa/skeleton_smallest.gsa");
}

#[test]
fn a_layout_is_read_and_printed() {
    any_bytes::layout(
        b"prologue = 0\npre = 4\nname = u16\npost = 28\nid = pre 0\nparent = pre 2\nrotation = post 12\n",
    );
}

#[test]
fn an_archive_keeps_inside() {
    use crate::support::build_zip::{Entry, Zip};
    let zip = Zip::of([Entry::stored("art/a.psa", [1, 2, 3]), Entry::stored("art/a.config", [b'['])]).build();
    any_bytes::archive(&zip.bytes);
}

#[test]
fn all_that_is_said_of_a_file_is_said() {
    for file in ["actorx/mesh/classic.psk", "pyrogenesis/psa/march.psa", "swat3/gsa/skeleton_smallest.gsa"] {
        passes(any_bytes::check, file);
    }
}
