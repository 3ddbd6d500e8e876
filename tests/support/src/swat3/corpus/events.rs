//! Events of every kind, and how often their number is written.

use super::super::build::{Frame, Gsa};
use super::{Case, Codes as _, frames, good, ok, pose_with, reload, reload_with, walk_good, walk_with};

const SOURCE: &str = "swat3.md 2.3";
const WORDS: &str = "swat3.md 2.2";

pub fn cases() -> Vec<Case> {
    let mut cases = kinds();
    cases.extend(many());
    cases.extend(words());
    cases
}

/// The clean animation, with an event more in its second frame.
fn kinds() -> Vec<Case> {
    let case = |file, about, name: &[u8], findings: &[&'static str]| {
        let built = reload_with(|gsa| gsa.frames[1] = gsa.frames[1].clone().event(name));
        ok(file, about, SOURCE, built, good(Some(7), 3).with(findings))
    };
    vec![
        case("swat3/gsa/event_sound.gsa", "a sound that does not depend on the item", b"sound=cuff", &[]),
        case("swat3/gsa/event_item.gsa", "a sound that depends on the item", b"itemsound=magout", &[]),
        case("swat3/gsa/event_other.gsa", "neither kind of sound", b"step", &["event-kind"]),
        case("swat3/gsa/event_case.gsa", "a sound in capitals, which is another kind", b"Sound=cuff", &["event-kind"]),
        case("swat3/gsa/event_equals.gsa", "a sound without its equals sign", b"sound", &["event-kind"]),
        case("swat3/gsa/event_inside.gsa", "a sound that starts with something else", b" sound=cuff", &["event-kind"]),
        case("swat3/gsa/event_empty.gsa", "an event of nothing but a NUL", b"", &["name-empty"]),
        case("swat3/gsa/event_sound_empty.gsa", "a sound without a name", b"sound=", &["name-empty"]),
        case("swat3/gsa/event_item_empty.gsa", "an item's sound without a name", b"itemsound=", &["name-empty"]),
        case("swat3/gsa/event_utf8.gsa", "a sound with a name beyond ASCII", "sound=T\u{FC}r".as_bytes(), &[]),
        case("swat3/gsa/event_cp1252.gsa", "a sound named in Windows-1252", b"sound=T\xFCr", &["name-encoding"]),
        case(
            "swat3/gsa/event_other_cp1252.gsa",
            "neither kind of sound, named in Windows-1252",
            b"T\xFCr",
            &["event-kind", "name-encoding"],
        ),
        case("swat3/gsa/event_spaces.gsa", "spaces and signs in a name", b"sound=\"a b\" \\ ~", &[]),
        case("swat3/gsa/event_long.gsa", "a name of 300 letters", &[b"sound=".as_slice(), &[b'o'; 294]].concat(), &[]),
        case("swat3/gsa/event_marker.gsa", "a name that looks like the marker", b"sound=\xFF\xFF", &["name-encoding"]),
    ]
}

fn many() -> Vec<Case> {
    let hundreds = |gsa: &mut Gsa| {
        let names = (0..300).map(|index| format!("sound=step{index}"));
        gsa.frames[1] = names.fold(gsa.frames[1].clone(), Frame::event);
    };
    let everywhere = |gsa: &mut Gsa| {
        for frame in &mut gsa.frames {
            *frame = frame.clone().event("sound=step").event("sound=step").event("");
        }
    };
    vec![
        ok("swat3/gsa/events_300.gsa", "300 events in one frame", SOURCE, reload_with(hundreds), good(Some(7), 3)),
        ok(
            "swat3/gsa/events_everywhere.gsa",
            "several events in every frame, some of them twice",
            SOURCE,
            reload_with(everywhere),
            good(Some(7), 3).with(&["name-empty"]),
        ),
        ok(
            "swat3/gsa/events_none.gsa",
            "version 4.2 without events",
            SOURCE,
            reload_with(|gsa| gsa.frames = frames(7, 3)),
            good(Some(7), 3),
        ),
        ok(
            "swat3/gsa/events_one_frame.gsa",
            "a pose with a sound",
            SOURCE,
            reload_with(|gsa| gsa.frames = vec![gsa.frames[0].clone().event("sound=cuff")]),
            good(Some(7), 1),
        ),
    ]
}

fn words() -> Vec<Case> {
    let quirk = ["event-count-words"];
    let walk = |count_words| walk_with(|gsa| gsa.count_words = count_words);
    let pose = |minor, count_words| pose_with(|gsa| (gsa.minor, gsa.count_words) = (minor, count_words));
    let case = |file, about, bytes: Vec<u8>| ok(file, about, WORDS, bytes, walk_good().oddly(&quirk));
    let still = |file, about, bytes: Vec<u8>| ok(file, about, WORDS, bytes, good(Some(7), 1).oddly(&quirk));
    vec![
        case("swat3/gsa/words_41_one.gsa", "version 4.1 with an event count, which is 0", walk(1).into()),
        case("swat3/gsa/words_41_two.gsa", "version 4.1 with two event counts, which are 0", walk(2).into()),
        case(
            "swat3/gsa/words_42_none.gsa",
            "version 4.2 without an event count",
            walk_with(|gsa| gsa.minor = 2).into(),
        ),
        case(
            "swat3/gsa/words_42_two.gsa",
            "version 4.2 with its event counts twice",
            reload_with(|gsa| gsa.count_words = 2).into(),
        ),
        case(
            "swat3/gsa/words_42_two_no_events.gsa",
            "version 4.2 with two event counts, which are 0",
            Gsa { count_words: 2, frames: frames(7, 3), ..reload() }.build().into(),
        ),
        still("swat3/gsa/words_41_one_pose.gsa", "a pose and two zero bytes, which count no events", pose(1, 1).into()),
        still("swat3/gsa/words_41_two_pose.gsa", "a pose and four zero bytes", pose(1, 2).into()),
        still("swat3/gsa/words_42_none_pose.gsa", "a pose that ends before its event count", pose(2, 0).into()),
        still("swat3/gsa/words_42_two_pose.gsa", "a pose with its event count twice", pose(2, 2).into()),
    ]
}
