//! The file of `corpus/` that is good to look at: a figure that walks, with a sound at each step.
//!
//! How the game stores a skeleton is unknown; this is the plainest way.

use super::build::{Frame, Gsa, Layout, biped};
use crate::figure::math::{sine, turn};

const FRAMES: u16 = 12;

/// How far a bone swings, in radians, and in which part of a step, by its place in [`biped`].
const SWINGS: [(usize, f64, f64); 10] = [
    (2, 0.06, 0.0),
    (8, 0.5, 0.5),
    (9, 0.3, 0.45),
    (12, 0.5, 0.0),
    (13, 0.3, 0.95),
    (15, 0.5, 0.0),
    (16, 0.45, 0.75),
    (17, 0.15, 0.6),
    (19, 0.5, 0.5),
    (20, 0.45, 0.25),
];

pub fn files() -> Vec<(&'static str, Vec<u8>)> {
    let bones = biped(22);
    let frame = |frame: u16| {
        let at = f64::from(frame) / f64::from(FRAMES);
        let mut rotations: Vec<[f32; 4]> = bones.iter().map(|bone| bone.rotation).collect();
        for (bone, reach, shift) in SWINGS {
            rotations[bone] = turn([0.0, 0.0, 1.0], reach * sine(at + shift)).map(|number| number as f32);
        }
        let mut frame = Frame::new(rotations);
        frame.root = [0.0, 0.0, (1.5 * sine(2.0 * at)) as f32];
        frame
    };
    let mut frames: Vec<Frame> = (0..FRAMES).map(frame).collect();
    for step in [0, 6] {
        frames[step] = frames[step].clone().event("sound=step");
    }
    vec![("officer_walk.gsa", Gsa::new(2, Layout::Plain.skeleton(&bones), &[], frames).build().bytes)]
}
