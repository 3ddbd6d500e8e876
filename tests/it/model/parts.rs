//! Files that the tests of the model begin with.

use skelmap::model::{Mesh, Skin, Transform};

use test_support::actorx::build::{self as actorx, Anim, Bone, Info, Key};
use test_support::actorx::corpus::sample;
use test_support::pyrogenesis::build as pyrogenesis;

/// The figure of the corpus with a change: 8 points, 24 wedges, 4 bones.
pub(super) fn figure(change: impl FnOnce(&mut actorx::Mesh)) -> Vec<u8> {
    sample::changed(change).into()
}

/// An animation of the figure.
pub(super) fn walk() -> Vec<u8> {
    sample::walk().chunks().into()
}

/// An animation of these bones at 10 frames per second.
pub(super) fn sway(bones: Vec<Bone>, frames: i32) -> Vec<u8> {
    Anim::sway(bones, &[("sway", frames, 10.0)]).chunks().into()
}

/// An animation of the figure's bones, whose translation along x is the number of the frame.
pub(super) fn frames_of(frames: i32, rate: f32) -> Anim {
    let key = |frame: i32| Key { position: [frame as f32, 0.0, 0.0], rotation: actorx::IDENTITY, time: 1.0 };
    Anim {
        bones: sample::bones(),
        infos: vec![Info::new("count", 4, 0, frames, rate)],
        keys: (0..frames).flat_map(|frame| [key(frame); 4]).collect(),
        scale_keys: Vec::new(),
    }
}

/// A mesh of 4 bones and 6 vertices, of a version, with a change.
pub(super) fn changed_pmd(version: u32, change: impl FnOnce(&mut pyrogenesis::Pmd)) -> Vec<u8> {
    let mut mesh = pyrogenesis::Pmd { version, ..pyrogenesis::Pmd::grid(3, 2, 4, 1) };
    change(&mut mesh);
    mesh.build().bytes
}

/// The positions of all points in a pose.
pub(super) fn posed(mesh: &Mesh<'_>, skin: &Skin, pose: &[Transform]) -> Vec<[f32; 3]> {
    let mut matrices = vec![[f32::NAN; 16]; skin.matrix_count()];
    let mut positions = vec![[f32::NAN; 3]; mesh.point_count()];
    skin.matrices(pose, &mut matrices).unwrap();
    skin.positions(mesh, &matrices, &mut positions).unwrap();
    positions
}
