//! What is odd about the values of an animation.

use std::collections::BTreeSet;

use super::{Frame, Gsa, infer, square};

/// The codes of everything odd, each once.
pub fn findings(gsa: &Gsa) -> BTreeSet<&'static str> {
    let mut codes = BTreeSet::new();
    if gsa.frame_rate != 10 {
        codes.insert("frame-rate");
    }
    if gsa.frames.len() >= 0x8000 {
        codes.insert("frame-count");
    }
    if gsa.frames[0].root != [0.0; 3] {
        codes.insert("root-offset");
    }
    let pose = |frame: &Frame| {
        let [origin, root] = [frame.origin, frame.root];
        (origin, frame.rotation, root, frame.rotations.clone())
    };
    if gsa.frames.len() > 1 && gsa.frames.iter().all(|frame| pose(frame) == pose(&gsa.frames[0])) {
        codes.insert("no-motion");
    }
    for frame in &gsa.frames {
        if frame.origin != [0.0; 3] || frame.rotation != [0.0, 0.0, 0.0, 1.0] {
            codes.insert("frame-origin");
        }
        if !frame.origin.iter().chain(&frame.root).all(|component| component.is_finite()) {
            codes.insert("not-finite");
        }
        for rotation in frame.rotations.iter().chain([&frame.rotation]) {
            if !rotation.iter().all(|component| component.is_finite()) {
                codes.insert("not-finite");
            } else if *rotation == [0.0; 4] {
                codes.insert("rotation-zero");
            } else if (square(*rotation) - 1.0).abs() > 0.01 {
                codes.insert("rotation-unit");
            }
        }
        for event in &frame.events {
            let names = [event.strip_prefix(b"sound="), event.strip_prefix(b"itemsound=")];
            if event.is_empty() || names.contains(&Some(b"".as_slice())) {
                codes.insert("name-empty");
            } else if names == [None, None] {
                codes.insert("event-kind");
            }
            if std::str::from_utf8(event).is_err() {
                codes.insert("name-encoding");
            }
        }
    }
    let given = gsa.bones.as_ref().map(|bones| bones.iter().map(|bone| bone.name.clone()).collect());
    let names: Vec<Vec<u8>> = match given {
        Some(names) => names,
        None => {
            infer(gsa).map(|skeleton| skeleton.bones.into_iter().map(|bone| bone.name).collect()).unwrap_or_default()
        }
    };
    let folded: BTreeSet<Vec<u8>> = names.iter().map(|name| name.to_ascii_lowercase()).collect();
    if folded.len() < names.len() {
        codes.insert("name-duplicate");
    }
    codes
}
