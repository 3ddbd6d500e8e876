//! Headers that can be read, usual or not.

use super::super::build::Gsa;
use super::{Case, Codes as _, good, ok, pose_with, reload_with, walk_good, walk_with};

const SOURCE: &str = "swat3.md 2";

pub fn cases() -> Vec<Case> {
    let case = |file, about, change: fn(&mut Gsa), findings: &[&'static str]| {
        ok(file, about, SOURCE, walk_with(change), walk_good().with(findings))
    };
    let doubled = |gsa: &mut Gsa| gsa.doubled_magic = true;
    let rate = ["frame-rate"];
    vec![
        case("swat3/gsa/unknown.gsa", "fields of unknown meaning that are not 0", |gsa| gsa.unknown = [0x1234, 7], &[]),
        case(
            "swat3/gsa/unknown_marker.gsa",
            "fields of unknown meaning that look like the marker",
            |gsa| gsa.unknown = [0xFFFF; 2],
            &[],
        ),
        case("swat3/gsa/frame_rate_15.gsa", "a frame rate that the game ignores", |gsa| gsa.frame_rate = 15, &rate),
        case("swat3/gsa/frame_rate_0.gsa", "no frame rate", |gsa| gsa.frame_rate = 0, &rate),
        case("swat3/gsa/frame_rate_max.gsa", "the highest frame rate", |gsa| gsa.frame_rate = 0xFFFF, &rate),
        ok(
            "swat3/gsa/doubled_magic.gsa",
            "a magic of 22 bytes, as the published table lists them",
            "swat3.md 2.1",
            walk_with(doubled),
            walk_good().oddly(&["doubled-magic-node"]),
        ),
        ok(
            "swat3/gsa/doubled_magic_events.gsa",
            "the same in version 4.2",
            "swat3.md 2.1",
            reload_with(doubled),
            good(Some(7), 3).oddly(&["doubled-magic-node"]),
        ),
        ok(
            "swat3/gsa/everything_odd.gsa",
            "everything that is odd at once, and still read",
            "swat3.md 2",
            reload_with(|gsa| {
                gsa.doubled_magic = true;
                gsa.count_words = 2;
                gsa.frame_rate = 30;
                gsa.frames[0].root = [1.0, f32::INFINITY, 0.0];
                gsa.frames[0].origin[1] = -1.0;
                gsa.frames[0] = gsa.frames[0].clone().event("step\u{FF}").event("");
                gsa.frames[0].events[0][4] = 0x80;
                gsa.frames[2].rotations[6] = [1.0075, 0.0, 0.0, 0.0];
            }),
            good(Some(7), 3).oddly(&["doubled-magic-node", "event-count-words"]).with(&[
                "event-kind",
                "frame-origin",
                "frame-rate",
                "name-empty",
                "name-encoding",
                "not-finite",
                "root-offset",
                "rotation-unit",
            ]),
        ),
        ok(
            "swat3/gsa/doubled_magic_pose.gsa",
            "a pose behind a magic of 22 bytes",
            "swat3.md 2.1",
            pose_with(doubled),
            good(Some(7), 1).oddly(&["doubled-magic-node"]),
        ),
    ]
}
