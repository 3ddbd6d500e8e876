//! SWAT 3: what tests elsewhere need of it.

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

use skelmap::swat3::Gsa;

use super::any_bytes::Target;
use super::corpus::{Case, Expect};
use super::family::{Codes, Counts, Family};

pub const FAMILY: Family = Family {
    name: "swat3",
    cases: corpus::cases,
    codes: Codes {
        quirks: &["doubled-magic-node", "event-count-words"],
        findings: &[
            "bone-names",
            "event-kind",
            "frame-origin",
            "frame-rate",
            "name-duplicate",
            "name-empty",
            "name-encoding",
            "no-motion",
            "not-finite",
            "root-offset",
            "rotation-unit",
        ],
        errors: &[
            "ambiguous-marker",
            "empty",
            "git-lfs",
            "gsa-version",
            "marker-not-found",
            "other-format",
            "truncated",
            "unknown-format",
            "unsupported-format",
        ],
    },
    good: good::files,
    begins: naive::begins,
    agree: agree::agree_in_every_way,
    error: |_, bytes| Gsa::parse(bytes).err(),
    read_all: read_all::read_all,
    show_all: show_all::show_all,
    count,
    mesh: |_| None,
    motions: model::motions,
    animations: &[&build::MAGIC],
    partner_of_mesh: |_| None,
    partner_of_animation: |_| None,
    // The second reader tries every place with every number of bones.
    targets: &[
        Target { name: "gsa", run: any_bytes::gsa, longest: 256 },
        Target { name: "layout", run: any_bytes::layout, longest: 4096 },
    ],
    plain: &[("gsa", "swat3/gsa/skeleton_smallest.gsa")],
    worst: &worst::WORST,
};

/// The number of bones is the manifest's: the second reader does not say it.
fn count(case: &Case) -> Counts {
    let animation = naive::read(&case.bytes, naive::Options::default()).expect("sound");
    let Expect::Ok(good) = &case.expect else { panic!("{} is sound", case.file) };
    Counts {
        bones: good.bones,
        sequences: Some(1),
        frames: Some(animation.frames.len() as u64),
        quirks: animation.quirks.iter().map(|(code, ..)| *code).collect(),
        ..Counts::default()
    }
}
