//! The SWAT 3 corpus: a small file for every variant, finding and fault of the reference.
//!
//! The skeletons check nothing about the game: how it stores them is unknown. `Case::expect` is the strict search; where
//! another reading differs, [`first_verdicts`] and [`trailing_verdicts`] say so. All of it is written by hand from the
//! reference; no reader, ours included, computes it.

#![allow(unreachable_pub)]

mod damage;
mod events;
mod headers;
mod poses;
mod shapes;

use super::build::{Bone, Built, Frame, Gsa, Layout, Rng, biped};
use crate::corpus::{Case, Fault, Good, fault, ok};

/// Where the skeleton ends and the quirk codes in order, or the fault.
pub type Verdict = Result<(u64, Vec<&'static str>), Fault>;

/// Every case, in manifest order.
pub fn cases() -> Vec<Case> {
    let mut cases = shapes::cases();
    cases.extend(poses::cases());
    cases.extend(events::cases());
    cases.extend(headers::cases());
    cases.extend(damage::cases());
    cases
}

/// What is too large for a corpus.
pub fn in_memory() -> Vec<Case> {
    vec![ok(
        "swat3/in_memory/frames_32768.gsa",
        "as many frames as a signed count would take for a negative one",
        "swat3.md 2",
        Gsa::new(1, Layout::Plain.skeleton(&biped(3)), &[2], frames(1, 32_768)).build(),
        good(Some(3), 32_768).with(&["frame-count"]),
    )]
}

/// What the files are to a search that stops at the first place that fits, where that differs.
pub fn first_verdicts() -> Vec<(&'static str, Verdict)> {
    vec![
        ("swat3/gsa/false_marker.gsa", Ok((24, vec![]))),
        ("swat3/damaged/two_markers.gsa", Ok((157, vec![]))),
        ("swat3/damaged/rotations_zero.gsa", Ok((341, vec![]))),
        ("swat3/damaged/rotations_zero_events.gsa", Ok((341, vec![]))),
        ("swat3/damaged/rotation_zero.gsa", Ok((341, vec![]))),
        ("swat3/damaged/rotation_long.gsa", Ok((341, vec![]))),
        ("swat3/damaged/rotation_nan.gsa", Ok((341, vec![]))),
        ("swat3/damaged/rotation_infinite.gsa", Ok((341, vec![]))),
        ("swat3/damaged/frame_rotation_zero.gsa", Ok((341, vec![]))),
    ]
}

/// What the files are where zero bytes may follow the last frame and that makes a difference.
pub fn trailing_verdicts() -> Vec<(&'static str, Verdict)> {
    vec![
        ("swat3/damaged/trailing_zero.gsa", Ok((341, vec!["trailing-bytes"]))),
        ("swat3/damaged/trailing_zeros_2.gsa", Ok((341, vec!["trailing-bytes"]))),
        ("swat3/damaged/trailing_zeros_3.gsa", Ok((341, vec!["trailing-bytes"]))),
        ("swat3/damaged/trailing_zero_events.gsa", Ok((341, vec!["trailing-bytes"]))),
        (
            "swat3/damaged/trailing_zero_everything.gsa",
            Ok((347, vec!["doubled-magic-node", "event-count-words", "trailing-bytes"])),
        ),
        ("swat3/damaged/trailing_zeros_pose.gsa", Ok((341, vec!["event-count-words", "trailing-bytes"]))),
        ("swat3/damaged/two_markers_trailing.gsa", Err(("ambiguous-marker", "skeleton", 24))),
    ]
}

/// As many bones as can be known, and frames that are shown for a tenth of a second each.
fn good(bones: Option<u64>, frames: u16) -> Good {
    Good {
        format: "swat3.gsa",
        bones,
        sequences: Some(1),
        frames: Some(frames.into()),
        duration_s: Some(f64::from(frames) / 10.0),
        ..Good::default()
    }
}

trait Codes {
    fn with(self, findings: &[&'static str]) -> Self;
    fn oddly(self, quirks: &[&'static str]) -> Self;
}

impl Codes for Good {
    fn with(mut self, findings: &[&'static str]) -> Self {
        self.findings = findings.to_vec();
        self
    }

    fn oddly(mut self, quirks: &[&'static str]) -> Self {
        self.quirks = quirks.to_vec();
        self
    }
}

/// Frames of unlike rotations, which stay where they are; the root bone moves from the second frame on.
fn frames(rotations: usize, count: u16) -> Vec<Frame> {
    let mut rng = Rng::new(rotations as u64);
    let frame = |index| {
        let frame = Frame::new(rng.rotations(rotations));
        if index == 0 { frame } else { Frame { root: rng.vector(4.0), ..frame } }
    };
    (0..count).map(frame).collect()
}

/// The bones of the clean files: from the root up to the head.
fn figure() -> Vec<Bone> {
    biped(7)
}

/// The clean 4.1 animation: 7 bones of which 3 move, 3 frames.
///
/// The skeleton is 7 * 34 bytes and 79 of names: it ends at 341, the frames start at 353, and the file ends at 617.
fn walk() -> Gsa {
    Gsa::new(1, Layout::Plain.skeleton(&figure()), &[1, 2, 4], frames(3, 3))
}

fn walk_with(change: impl FnOnce(&mut Gsa)) -> Built {
    let mut gsa = walk();
    change(&mut gsa);
    gsa.build()
}

fn walk_good() -> Good {
    good(Some(7), 3)
}

/// The clean 4.1 pose: one frame of all 7 bones; it starts at 347, and the file ends at 499.
fn pose() -> Gsa {
    Gsa::new(1, Layout::Plain.skeleton(&figure()), &[], frames(7, 1))
}

fn pose_with(change: impl FnOnce(&mut Gsa)) -> Built {
    let mut gsa = pose();
    change(&mut gsa);
    gsa.build()
}

/// The clean 4.2 animation: 3 frames of all 7 bones; the second and the third have an event.
fn reload() -> Gsa {
    let mut frames = frames(7, 3);
    for (frame, name) in frames.iter_mut().skip(1).zip(["itemsound=magout", "itemsound=magin"]) {
        *frame = frame.clone().event(name);
    }
    Gsa::new(2, Layout::Plain.skeleton(&figure()), &[], frames)
}

fn reload_with(change: impl FnOnce(&mut Gsa)) -> Built {
    let mut gsa = reload();
    change(&mut gsa);
    gsa.build()
}
