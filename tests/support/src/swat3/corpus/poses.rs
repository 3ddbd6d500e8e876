//! Frames that can be read, sound or not.

use super::super::build::{ALMOST_ONE, Frame, Gsa, MARKER};
use super::{Case, Codes as _, frames, good, ok, pose, pose_with, reload, reload_with, walk, walk_good, walk_with};

const SOURCE: &str = "swat3.md 2";

pub fn cases() -> Vec<Case> {
    let mut cases = sound();
    cases.extend(origins());
    cases.extend(values());
    cases.extend(lookalikes());
    cases
}

fn sound() -> Vec<Case> {
    vec![
        ok("swat3/gsa/walk.gsa", "version 4.1: 3 of 7 bones, 3 frames", SOURCE, walk().build(), walk_good()),
        ok("swat3/gsa/pose.gsa", "version 4.1: one frame of all bones", SOURCE, pose().build(), good(Some(7), 1)),
        ok("swat3/gsa/reload.gsa", "version 4.2: a sound in two frames", SOURCE, reload().build(), good(Some(7), 3)),
        ok(
            "swat3/gsa/pose_42.gsa",
            "version 4.2: one frame of all bones without events",
            SOURCE,
            pose_with(|gsa| (gsa.minor, gsa.count_words) = (2, 1)),
            good(Some(7), 1),
        ),
    ]
}

/// The walk, changed, with what that makes a reader find.
fn case(file: &'static str, about: &'static str, change: fn(&mut Gsa), findings: &[&'static str]) -> Case {
    ok(file, about, SOURCE, walk_with(change), walk_good().with(findings))
}

fn origins() -> Vec<Case> {
    vec![
        case(
            "swat3/gsa/origin.gsa",
            "a frame somewhere else",
            |gsa| gsa.frames[2].origin = [0.0, 1.5, 0.0],
            &["frame-origin"],
        ),
        case(
            "swat3/gsa/origin_turned.gsa",
            "a frame that is turned",
            |gsa| gsa.frames[1].rotation = [0.0, 0.6, 0.0, 0.8],
            &["frame-origin"],
        ),
        case(
            "swat3/gsa/origin_negated.gsa",
            "no rotation, by the other of its two quaternions",
            |gsa| gsa.frames[1].rotation = [0.0, 0.0, 0.0, -1.0],
            &["frame-origin"],
        ),
        case(
            "swat3/gsa/origin_nearly.gsa",
            "a frame that is hardly turned",
            |gsa| gsa.frames[0].rotation = [0.0, 0.0, 0.0, ALMOST_ONE],
            &["frame-origin"],
        ),
        case(
            "swat3/gsa/root_offset.gsa",
            "a root bone that starts elsewhere",
            |gsa| gsa.frames[0].root = [0.0, 0.0, -0.25],
            &["root-offset"],
        ),
        case(
            "swat3/gsa/negative_zeros.gsa",
            "zeros of either sign are zeros",
            |gsa| {
                for frame in &mut gsa.frames {
                    frame.origin = [-0.0, 0.0, -0.0];
                    frame.rotation = [-0.0, -0.0, 0.0, 1.0];
                }
                gsa.frames[0].root = [-0.0; 3];
                gsa.frames[0].rotations[1] = [-0.0, 0.0, -0.0, -1.0];
            },
            &[],
        ),
    ]
}

fn values() -> Vec<Case> {
    let long = |w| move |gsa: &mut Gsa| gsa.frames[1].rotations[2] = [0.0, 0.0, 0.0, w];
    vec![
        ok(
            "swat3/gsa/rotation_unit.gsa",
            "a rotation too long by what can still be a rotation",
            SOURCE,
            walk_with(long(1.0075)),
            walk_good().with(&["rotation-unit"]),
        ),
        ok(
            "swat3/gsa/rotation_short.gsa",
            "a rotation too short by what can still be a rotation",
            SOURCE,
            walk_with(long(-0.9925)),
            walk_good().with(&["rotation-unit"]),
        ),
        ok(
            "swat3/gsa/rotation_near_unit.gsa",
            "a rotation too long by less than matters",
            SOURCE,
            walk_with(long(1.004)),
            walk_good(),
        ),
        case(
            "swat3/gsa/rotation_unit_origin.gsa",
            "a frame's own rotation that is too long",
            |gsa| gsa.frames[0].rotation[3] = 1.0075,
            &["frame-origin", "rotation-unit"],
        ),
        case(
            "swat3/gsa/root_nan.gsa",
            "a root offset that is no number",
            |gsa| gsa.frames[1].root[1] = f32::NAN,
            &["not-finite"],
        ),
        case(
            "swat3/gsa/root_nan_first.gsa",
            "a first root offset that is no number",
            |gsa| gsa.frames[0].root[1] = f32::NAN,
            &["not-finite", "root-offset"],
        ),
        case(
            "swat3/gsa/origin_infinite.gsa",
            "an infinite origin",
            |gsa| gsa.frames[2].origin[0] = f32::NEG_INFINITY,
            &["frame-origin", "not-finite"],
        ),
    ]
}

/// Bytes that could be taken for the end of the skeleton.
fn lookalikes() -> Vec<Case> {
    let almost_one = [0.0, 0.0, 0.0, ALMOST_ONE];
    let still = |rotations, count| (0..count).map(|_| Frame::new(vec![almost_one; rotations])).collect();
    // 3 frames of one bone that start with 48 bytes of nothing and go on with all of the true end and frames.
    let decoy = [&MARKER, b"\x01\0\0\0\x03\0".as_slice(), &[0; 48]].concat();
    let mut inside = frames(7, 3);
    inside[2].root = [f32::from_bits(0xFFFF_0000), f32::from_bits(0x0001_0000), 0.0];
    vec![
        ok(
            "swat3/gsa/almost_one.gsa",
            "rotations that are all full of the marker's bytes",
            SOURCE,
            walk_with(|gsa| gsa.frames = still(3, 3)),
            walk_good().with(&["no-motion"]),
        ),
        ok(
            "swat3/gsa/almost_one_pose.gsa",
            "the same, of one frame and all bones",
            SOURCE,
            pose_with(|gsa| gsa.frames = still(7, 1)),
            good(Some(7), 1),
        ),
        ok(
            "swat3/gsa/almost_one_42.gsa",
            "the same, in version 4.2",
            SOURCE,
            reload_with(|gsa| gsa.frames = still(7, 2)),
            good(Some(7), 2).with(&["no-motion"]),
        ),
        ok(
            "swat3/gsa/marker_in_frame.gsa",
            "the marker of a pose in the last frame, with too little after it",
            "swat3.md 6",
            pose_with(|gsa| gsa.frames = inside),
            good(Some(7), 3).with(&["not-finite"]),
        ),
        ok(
            "swat3/gsa/false_marker.gsa",
            "a marker whose frames would end with the file, but do not turn",
            "swat3.md 6",
            Gsa::new(1, decoy, &[0], frames(1, 2)).build(),
            good(None, 2),
        ),
    ]
}
