//! Pyrogenesis: what tests elsewhere need of it.

pub mod agree;
pub mod any_bytes;
pub mod build;
pub mod corpus;
pub mod good;
mod model;
pub mod naive;
mod read_all;
mod show_all;
pub mod worst;

use std::path::Path;

use skelmap::pyrogenesis::{Pmd, Psa};

use super::any_bytes::Target;
use super::corpus::Case;
use super::family::{Codes, Counts, Family};

pub const FAMILY: Family = Family {
    name: "pyrogenesis",
    cases: corpus::cases,
    codes: Codes {
        quirks: &["no-bones"],
        findings: &[
            "face-degenerate",
            "face-vertex",
            "model-bound",
            "name-duplicate",
            "name-empty",
            "name-encoding",
            "no-uvs",
            "normal-unit",
            "not-finite",
            "prop-bone",
            "rotation-unit",
            "rotation-zero",
            "vertex-unweighted",
            "weight-bone",
            "weight-sum",
            "weight-value",
        ],
        errors: &[
            "data-size",
            "empty",
            "frame-length",
            "git-lfs",
            "no-frames",
            "other-format",
            "records-overrun",
            "trailing-bytes",
            "truncated",
            "unknown-format",
            "unsupported-format",
            "version",
        ],
    },
    good: good::files,
    begins: naive::begins,
    agree: agree::agree,
    error: |file, bytes| {
        let is_mesh = Path::new(file).extension().is_some_and(|kind| kind == "pmd");
        if is_mesh { Pmd::parse(bytes).err() } else { Psa::parse(bytes).err() }
    },
    read_all: read_all::read_all,
    show_all: show_all::show_all,
    count,
    mesh: model::mesh,
    motions: model::motions,
    animations: &[b"PSSA"],
    partner_of_mesh: model::partner_of_mesh,
    partner_of_animation: model::partner_of_animation,
    targets: &[
        Target { name: "pmd", run: any_bytes::pmd, longest: 4096 },
        Target { name: "pyrogenesis_psa", run: any_bytes::pyrogenesis_psa, longest: 4096 },
    ],
    plain: &[("pmd", "pyrogenesis/pmd/face_degenerate.pmd"), ("pyrogenesis_psa", "pyrogenesis/psa/march.psa")],
    worst: &worst::WORST,
};

fn count(case: &Case) -> Counts {
    let count = |length: usize| Some(length as u64);
    if let Ok(mesh) = naive::read_pmd(&case.bytes, naive::Mode::Strict) {
        return Counts {
            bones: count(mesh.bind.len()),
            points: count(mesh.vertices.len()),
            faces: count(mesh.faces.len()),
            uv_sets: Some(if mesh.vertices.is_empty() { 0 } else { mesh.uv_sets.into() }),
            quirks: mesh.quirks,
            ..Counts::default()
        };
    }
    let animation = naive::read_psa(&case.bytes, naive::Mode::Strict).expect("sound");
    Counts {
        bones: Some(animation.bones.into()),
        sequences: Some(1),
        frames: Some(if animation.bones == 0 { 0 } else { animation.frames.into() }),
        quirks: animation.quirks,
        ..Counts::default()
    }
}
