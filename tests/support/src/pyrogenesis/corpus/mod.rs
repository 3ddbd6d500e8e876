//! The Pyrogenesis corpus: a small file for every variant, finding and fault of the reference.
//!
//! A file is read as what its extension says. `Case::expect` is the strict reading; where the engine's own reading
//! differs, [`engine_verdicts`] says so. All of it is written by hand from the reference; no reader, ours included,
//! computes it.

#![allow(unreachable_pub)]

mod anim;
mod damage;
mod mesh;
mod mesh_damage;

use super::build::{Built, IDENTITY, NONE, Pmd, Prop, Psa, State, Vertex};
use crate::corpus::{Case, Fault, Good, fault, ok};

/// Every case, in manifest order.
pub fn cases() -> Vec<Case> {
    let mut cases = anim::cases();
    cases.extend(mesh::cases());
    cases.extend(damage::cases());
    cases.extend(mesh_damage::cases());
    cases
}

/// What the engine's rules make of the files that they judge differently: quirk codes in order, or the fault.
///
/// A file that is not listed reads as in the strict reading, without quirks.
pub fn engine_verdicts() -> Vec<(&'static str, Result<Vec<&'static str>, Fault>)> {
    vec![
        ("pyrogenesis/psa/version_2.psa", Ok(vec!["unknown-version"])),
        ("pyrogenesis/damaged/version_max.psa", Ok(vec!["unknown-version"])),
        ("pyrogenesis/damaged/version_5.pmd", Ok(vec!["unknown-version"])),
        ("pyrogenesis/damaged/version_max.pmd", Ok(vec!["unknown-version"])),
        ("pyrogenesis/damaged/version_2_cut.psa", Err(("records-overrun", "bone states", 28))),
        ("pyrogenesis/damaged/version_5_cut.pmd", Err(("truncated", "prop points", 600))),
        ("pyrogenesis/damaged/frame_length_zero.psa", Ok(vec!["frame-length"])),
        ("pyrogenesis/damaged/frame_length_negative.psa", Ok(vec!["frame-length"])),
        ("pyrogenesis/damaged/frame_length_nan.psa", Ok(vec!["frame-length"])),
        ("pyrogenesis/damaged/frame_length_infinite.psa", Ok(vec!["frame-length"])),
        ("pyrogenesis/damaged/frame_length_named.psa", Ok(vec!["frame-length"])),
        ("pyrogenesis/damaged/frame_length_cut.psa", Err(("records-overrun", "bone states", 28))),
        ("pyrogenesis/damaged/frame_length_no_frames.psa", Ok(vec!["frame-length", "no-frames"])),
        ("pyrogenesis/damaged/no_frames.psa", Ok(vec!["no-frames"])),
        ("pyrogenesis/damaged/no_frames_named.psa", Ok(vec!["no-frames"])),
        ("pyrogenesis/damaged/no_frames_many_bones.psa", Ok(vec!["no-frames"])),
        ("pyrogenesis/damaged/no_frames_trailing.psa", Ok(vec!["no-frames", "trailing-bytes"])),
        ("pyrogenesis/damaged/trailing.psa", Ok(vec!["trailing-bytes"])),
        ("pyrogenesis/damaged/trailing.pmd", Ok(vec!["trailing-bytes"])),
        ("pyrogenesis/damaged/trailing_props.pmd", Ok(vec!["trailing-bytes"])),
        (
            "pyrogenesis/damaged/everything_odd.psa",
            Ok(vec!["unknown-version", "frame-length", "no-frames", "trailing-bytes"]),
        ),
        ("pyrogenesis/damaged/everything_odd.pmd", Ok(vec!["unknown-version", "trailing-bytes"])),
    ]
}

/// The clean animation: 3 bones for the figure, 8 frames, and everything the engine's blending has branches for.
fn walk() -> Psa {
    Psa::walk(3, 8)
}

/// The walk with one thing changed.
fn walk_with(change: impl FnOnce(&mut Psa)) -> Built {
    let mut psa = walk();
    change(&mut psa);
    psa.build()
}

fn walk_good() -> Good {
    Good {
        format: "pyrogenesis.psa",
        bones: Some(3),
        sequences: Some(1),
        frames: Some(8),
        duration_s: Some(seconds(8.0, 1000.0 / 30.0)),
        ..Good::default()
    }
}

fn seconds(frames: f64, frame_length: f32) -> f64 {
    frames * f64::from(frame_length) / 1000.0
}

/// A box of 8 vertices and 12 faces, on 3 bones, with one to four influences per vertex.
fn figure() -> Pmd {
    const BLENDS: [([u8; 4], [f32; 4]); 8] = [
        ([0, NONE, NONE, NONE], [1.0, 0.0, 0.0, 0.0]),
        ([0, NONE, NONE, NONE], [1.0, 0.0, 0.0, 0.0]),
        ([0, NONE, NONE, NONE], [1.0, 0.0, 0.0, 0.0]),
        ([2, NONE, NONE, NONE], [1.0, 0.0, 0.0, 0.0]),
        ([1, 2, NONE, NONE], [0.75, 0.25, 0.0, 0.0]),
        ([1, 2, NONE, NONE], [0.5, 0.5, 0.0, 0.0]),
        ([0, 1, 2, NONE], [0.5, 0.25, 0.25, 0.0]),
        ([0, 1, 2, 1], [0.25, 0.125, 0.5, 0.125]),
    ];
    let mut pmd = stone();
    for (vertex, (bones, weights)) in pmd.vertices.iter_mut().zip(BLENDS) {
        vertex.bones = bones;
        vertex.weights = weights;
    }
    pmd.bind = vec![
        State::REST,
        State::new([0.0, 1.0, 0.0], [0.6, 0.0, 0.0, 0.8]),
        State::new([0.25, 2.0, -0.5], [0.0, 0.28, 0.0, -0.96]),
    ];
    pmd.props.push(Prop::new("head", State::new([0.0, 0.125, 0.0], [0.5, 0.5, 0.5, 0.5]), 2));
    pmd
}

/// The figure with one thing changed.
fn figure_with(change: impl FnOnce(&mut Pmd)) -> Built {
    let mut pmd = figure();
    change(&mut pmd);
    pmd.build()
}

fn figure_good() -> Good {
    Good { bones: Some(3), ..stone_good() }
}

/// The box without bones.
fn stone() -> Pmd {
    const SIDES: [[u16; 4]; 6] = [[5, 7, 3, 1], [3, 7, 6, 2], [6, 7, 5, 4], [2, 6, 4, 0], [4, 5, 1, 0], [1, 3, 2, 0]];
    let vertices = (0..8).map(|corner| {
        let choose = |bit: u8, low: f32, high: f32| if corner & bit == 0 { low } else { high };
        Vertex {
            position: [choose(1, -0.5, 0.5), choose(4, 0.0, 2.0), choose(2, -0.5, 0.5)],
            normal: [choose(1, -0.6, 0.6), choose(4, -0.8, 0.8), 0.0],
            uvs: vec![[choose(1, 0.0, 1.0), choose(4, 0.0, 1.0)]],
            bones: [NONE; 4],
            weights: [0.0; 4],
        }
    });
    Pmd {
        version: 4,
        uv_sets: 1,
        vertices: vertices.collect(),
        faces: SIDES.into_iter().flat_map(|[a, b, c, d]| [[a, b, c], [a, c, d]]).collect(),
        bind: Vec::new(),
        props: vec![Prop::root()],
    }
}

/// The box with one thing changed.
fn stone_with(change: impl FnOnce(&mut Pmd)) -> Built {
    let mut pmd = stone();
    change(&mut pmd);
    pmd.build()
}

fn stone_good() -> Good {
    Good {
        format: "pyrogenesis.pmd",
        bones: Some(0),
        points: Some(8),
        faces: Some(12),
        uv_sets: Some(1),
        ..Good::default()
    }
}

/// As many texture coordinates for every vertex.
fn uv_sets(pmd: &mut Pmd, sets: u16) {
    pmd.uv_sets = sets.into();
    for vertex in &mut pmd.vertices {
        let [u, v] = vertex.uvs[0];
        vertex.uvs = (0..sets).map(|set| [u * 0.5, v + f32::from(set)]).collect();
    }
}

/// A rotation by no angle, `length` long.
fn long(length: f32) -> [f32; 4] {
    IDENTITY.map(|component| component * length)
}
