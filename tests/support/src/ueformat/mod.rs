//! UEFormat: what tests elsewhere need of it.

pub mod agree;
pub mod any_bytes;
pub mod asset;
pub mod build;
pub mod codes;
pub mod corpus;
mod manifest;
mod model;
pub mod naive;
mod read_all;
mod show_all;
pub mod worst;

pub(crate) use model::mirrored;

use std::path::Path;

use skelmap::ueformat::{Animation, Model, Pose};

use super::any_bytes::Target;
use super::corpus::{Case, Expect};
use super::family::{Codes, Counts, Family};

pub const FAMILY: Family = Family {
    name: "ueformat",
    cases: manifest::cases,
    codes: Codes {
        quirks: &[
            "bones-unclear",
            "count-high",
            "duplicate-section",
            "frames-negative",
            "frames-unlikely",
            "root-metadata",
            "section-rest",
            "trailing-bytes",
            "unknown-section",
        ],
        findings: &[
            "additive-type",
            "bone-cycle",
            "bone-duplicate",
            "bone-extra-root",
            "bone-order",
            "bone-parent",
            "bone-unreachable",
            "column-length",
            "face-degenerate",
            "face-vertex",
            "indices-rest",
            "key-order",
            "key-outside",
            "key-repeated",
            "level-name",
            "material-gap",
            "material-range",
            "morph-point",
            "name-duplicate",
            "name-empty",
            "name-encoding",
            "no-motion",
            "not-finite",
            "pose-curve",
            "rotation-unit",
            "rotation-zero",
            "sequence-rate",
            "socket-bone",
            "track-duplicate",
            "weight-bone",
            "weight-sum",
            "weight-value",
            "weight-vertex",
        ],
        errors: &[
            "bone-size",
            "compressed-data",
            "compression",
            "empty",
            "name-length",
            "negative-count",
            "negative-size",
            "section-end",
            "too-many-records",
            "truncated",
            "unknown-format",
            "unpacked-limit",
            "unpacked-size",
            "unsupported-format",
            "version",
        ],
    },
    // No figure has been drawn for this family yet.
    good: Vec::new,
    begins: naive::begins,
    agree: agree::agree,
    error: |file, bytes| match agree::unpacked(bytes) {
        Err(error) => Some(error),
        Ok(plain) => match Path::new(file).extension().and_then(|kind| kind.to_str()) {
            Some("uemodel") => Model::parse(&plain).err(),
            Some("ueanim") => Animation::parse(&plain).err(),
            _ => Pose::parse(&plain).err(),
        },
    },
    read_all: read_all::read_all,
    show_all: show_all::show_all,
    count,
    mesh: model::mesh,
    motions: model::motions,
    animations: &[b"UEFORMAT\x06\0\0\0UEANIM", b"UEFORMAT\x06\0\0\0UEPOSE"],
    partner_of_mesh: model::partner_of_mesh,
    partner_of_animation: model::partner_of_animation,
    targets: &[
        Target { name: "uemodel", run: any_bytes::model, longest: 4096 },
        Target { name: "ueanim", run: any_bytes::animation, longest: 4096 },
        Target { name: "uepose", run: any_bytes::pose, longest: 2048 },
        Target { name: "unpack", run: any_bytes::unpack, longest: 4096 },
    ],
    plain: &[
        ("uemodel", "ueformat/model/v9.uemodel"),
        ("ueanim", "ueformat/animation/sparse.ueanim"),
        ("uepose", "ueformat/pose/two.uepose"),
    ],
    worst: &worst::WORST,
};

/// The counts are those that the manifest has of the second reader.
fn count(case: &Case) -> Counts {
    let file = naive::read(&case.bytes).expect("sound");
    let Expect::Ok(good) = &case.expect else { panic!("{} is sound", case.file) };
    let opinion = codes::of_file(&file);
    Counts {
        bones: good.bones,
        points: good.points,
        wedges: None,
        faces: good.faces,
        uv_sets: good.uv_sets,
        sequences: good.sequences,
        frames: good.frames,
        // The two files with several have them in this order.
        quirks: ["section-rest", "root-metadata"]
            .into_iter()
            .chain(codes::QUIRKS.into_iter().filter(|code| !["section-rest", "root-metadata"].contains(code)))
            // Where the second reader has no opinion, the manifest has.
            .filter(|code| opinion.must.contains(code) || (opinion.may.contains(code) && good.quirks.contains(code)))
            .collect(),
    }
}
