//! `ActorX`: what tests elsewhere need of it.

pub mod agree;
pub mod any_bytes;
pub mod build;
pub mod corpus;
pub mod good;
mod model;
pub(crate) use model::targets;
pub mod naive;
mod read_all;
mod show_all;
pub mod worst;

use super::any_bytes::Target;
use super::corpus::Case;
use super::family::{Codes, Counts, Family};

pub const FAMILY: Family = Family {
    name: "actorx",
    cases: corpus::cases,
    codes: Codes {
        quirks: &[
            "count-mismatch",
            "duplicate-chunk",
            "duplicate-head",
            "face-record-size",
            "frame-numbering",
            "id-garbage",
            "odd-chunk-id",
            "scale-keys-ignored",
            "scale-keys-partial",
            "short-body",
            "type-flag",
            "uv-record-size",
        ],
        findings: &[
            "additive",
            "bone-cycle",
            "bone-duplicate",
            "bone-extra-root",
            "bone-order",
            "bone-parent",
            "bone-unreachable",
            "config-bone",
            "config-line",
            "config-sequence",
            "curve-size",
            "face-degenerate",
            "face-material",
            "face-wedge",
            "key-count",
            "key-quotum",
            "mesh-axes",
            "mesh-scale",
            "mesh-unweighted",
            "mesh-winding",
            "morph-count",
            "morph-point",
            "name-duplicate",
            "name-empty",
            "name-encoding",
            "name-garbage",
            "name-padded",
            "name-unterminated",
            "no-motion",
            "normal-unit",
            "not-finite",
            "point-far",
            "point-unweighted",
            "rotation-unit",
            "rotation-zero",
            "sequence-bones",
            "sequence-overlap",
            "sequence-range",
            "sequence-rate",
            "socket-bone",
            "unread-chunk",
            "wedge-padding",
            "wedge-point",
            "weight-bone",
            "weight-point",
            "weight-sum",
            "weight-value",
        ],
        errors: &[
            "crlf",
            "empty",
            "git-lfs",
            "missing-chunk",
            "native-long",
            "negative-count",
            "negative-size",
            "other-format",
            "record-too-small",
            "record-too-wide",
            "records-overrun",
            "truncated",
            "unknown-format",
            "unsupported-format",
        ],
    },
    good: good::files,
    begins: naive::begins,
    agree: agree::agree_and_exercise,
    error: |_, bytes| agree::parse(bytes).err(),
    read_all: read_all::read_all,
    show_all: show_all::show_all,
    count,
    mesh: model::mesh,
    motions: model::motions,
    animations: &[b"ANIMHEAD\0"],
    partner_of_mesh: model::partner_of_mesh,
    partner_of_animation: model::partner_of_animation,
    targets: &[
        Target { name: "chunks", run: any_bytes::chunks, longest: 4096 },
        Target { name: "psk", run: any_bytes::psk, longest: 2048 },
        Target { name: "psa", run: any_bytes::psa, longest: 2048 },
        Target { name: "side_car", run: any_bytes::side_car, longest: 768 },
    ],
    plain: &[
        ("psk", "actorx/mesh/classic.psk"),
        ("psa", "actorx/anim/classic.psa"),
        ("chunks", "actorx/anim/classic.psa"),
        ("side_car", "actorx/anim/config_rotation_only.config"),
    ],
    worst: &worst::WORST,
};

fn count(case: &Case) -> Counts {
    let count = |length: usize| Some(length as u64);
    match naive::read(&case.bytes).expect("sound") {
        naive::File::Psk(mesh) => Counts {
            bones: count(mesh.bones.len()),
            points: count(mesh.points.len()),
            wedges: count(mesh.wedges.len()),
            faces: count(mesh.faces.len()),
            uv_sets: count(if mesh.wedges.is_empty() { 0 } else { 1 + mesh.uv_sets.len() }),
            quirks: mesh.quirks,
            ..Counts::default()
        },
        naive::File::Psa(animation) => Counts {
            bones: count(animation.bones.len()),
            sequences: count(animation.infos.len()),
            frames: Some(animation.sequences.iter().map(|sequence| animation.held(sequence)).sum()),
            quirks: animation.quirks,
            ..Counts::default()
        },
    }
}
