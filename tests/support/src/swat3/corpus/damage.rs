//! Files that cannot be read, and the one thing to say about each.
//!
//! Where no skeleton's end can be found, the fault is that of the skeleton's start: 24, or 30 behind a doubled magic.

use super::super::build::{Built, Frame, Gsa, Layout, MAGIC, MARKER, biped};
use super::{Case, Fault, fault, frames, pose_with, reload, reload_with, walk, walk_with};

const HEADER: &str = "swat3.md 2";
const SEARCH: &str = "swat3.md 6";

const NO_MARKER: Fault = ("marker-not-found", "skeleton", 24);

pub fn cases() -> Vec<Case> {
    let mut cases = not_ours();
    cases.extend(headers());
    cases.extend(markers());
    cases.extend(counts());
    cases.extend(ends());
    cases.extend(events());
    cases.extend(rotations());
    cases.extend(ambiguous());
    cases
}

fn not_ours() -> Vec<Case> {
    let case = |file, about, bytes: &[u8], kind| fault(file, about, HEADER, bytes, (kind, "file", 0));
    let pointer = b"version https://git-lfs.github.com/spec/v1\n\
        oid sha256:0000000000000000000000000000000000000000000000000000000000000000\nsize 617\n";
    let start = |bytes: &[u8]| [bytes, &[0; 40]].concat();
    vec![
        case("swat3/damaged/empty.gsa", "no bytes at all", b"", "empty"),
        case("swat3/damaged/one_byte.gsa", "one byte of the magic", &MAGIC[..1], "unknown-format"),
        case("swat3/damaged/magic_cut.gsa", "a byte less than the magic", &MAGIC[..15], "unknown-format"),
        case(
            "swat3/damaged/magic.gsa",
            "one byte of the magic wrong",
            &walk().build().patch("magic", b"\xCE").bytes,
            "unknown-format",
        ),
        case("swat3/damaged/zeros.gsa", "nothing but zeros", &[0; 64], "unknown-format"),
        case("swat3/damaged/actorx.gsa", "the Unreal animations' head", &start(b"ANIMHEAD"), "other-format"),
        case("swat3/damaged/pyrogenesis.gsa", "another game's animation", &start(b"PSSA"), "other-format"),
        case(
            "swat3/damaged/zip.gsa",
            "the archive that such files come in",
            &start(b"PK\x03\x04"),
            "unsupported-format",
        ),
        case("swat3/damaged/git_lfs.gsa", "a Git LFS pointer instead of the file", pointer, "git-lfs"),
    ]
}

fn headers() -> Vec<Case> {
    let truncated = ("truncated", "header", 0);
    let cut = |file, about, length: usize, expect| fault(file, about, HEADER, &walk().build().bytes[..length], expect);
    let doubled = |file, about, length: usize, expect| {
        let built = walk_with(|gsa| gsa.doubled_magic = true);
        fault(file, about, "swat3.md 2.1", &built.bytes[..length], expect)
    };
    let version = |file, about, version: [u8; 2]| {
        let built = walk().build().patch("version", &version);
        fault(file, about, HEADER, built, ("gsa-version", "header", 16))
    };
    vec![
        cut("swat3/damaged/header_16.gsa", "a magic and nothing", 16, truncated),
        cut("swat3/damaged/header_17.gsa", "half a version", 17, truncated),
        cut("swat3/damaged/header_18.gsa", "a version and nothing", 18, truncated),
        cut("swat3/damaged/header_20.gsa", "no frame rate", 20, truncated),
        cut("swat3/damaged/header_22.gsa", "a frame rate and nothing", 22, truncated),
        cut("swat3/damaged/header_23.gsa", "a byte less than a header", 23, truncated),
        cut("swat3/damaged/header_24.gsa", "a header and nothing", 24, NO_MARKER),
        doubled("swat3/damaged/doubled_22.gsa", "a doubled magic and nothing", 22, truncated),
        doubled("swat3/damaged/doubled_24.gsa", "a doubled magic and its version", 24, truncated),
        doubled("swat3/damaged/doubled_29.gsa", "a byte less than a header behind a doubled magic", 29, truncated),
        doubled(
            "swat3/damaged/doubled_30.gsa",
            "a header behind a doubled magic and nothing",
            30,
            ("marker-not-found", "skeleton", 30),
        ),
        version("swat3/damaged/version_3_1.gsa", "an older version", [1, 3]),
        version("swat3/damaged/version_4_0.gsa", "a version before the first", [0, 4]),
        version("swat3/damaged/version_4_3.gsa", "a version after the last", [3, 4]),
        version("swat3/damaged/version_5_1.gsa", "a newer version", [1, 5]),
        version("swat3/damaged/version_swapped.gsa", "a version by the other byte order", [4, 1]),
        version("swat3/damaged/version_node.gsa", "a version like the start of a doubled magic", [0x00, 0x20]),
        fault(
            "swat3/damaged/doubled_version.gsa",
            "a newer version behind a doubled magic",
            "swat3.md 2.1",
            walk_with(|gsa| (gsa.doubled_magic, gsa.minor) = (true, 3)),
            ("gsa-version", "header", 22),
        ),
        fault(
            "swat3/damaged/doubled_twice.gsa",
            "the end of the magic three times",
            "swat3.md 2.1",
            [&MAGIC, &MAGIC[10..], &MAGIC[10..], &walk().build().bytes[16..]].concat(),
            ("gsa-version", "header", 22),
        ),
    ]
}

fn markers() -> Vec<Case> {
    let case = |file, about, bytes: Vec<u8>| fault(file, about, SEARCH, bytes, NO_MARKER);
    let header = walk().build().cut("skeleton", 0).bytes;
    vec![
        case("swat3/damaged/marker_none.gsa", "no marker", walk().build().patch("marker", &[0xFE, 0xFE]).into()),
        case("swat3/damaged/marker_half.gsa", "half a marker", walk().build().patch("marker", &[0xFF, 0xFE]).into()),
        case("swat3/damaged/marker_cut.gsa", "a file that ends in the marker", walk().build().cut("marker", 1).into()),
        case(
            "swat3/damaged/marker_last.gsa",
            "a file that ends with the marker",
            walk().build().cut("ids.count", 0).into(),
        ),
        case(
            "swat3/damaged/skeleton_cut.gsa",
            "a file that ends in the skeleton",
            walk().build().cut("marker", -100).into(),
        ),
        case("swat3/damaged/all_ff.gsa", "nothing but markers", [header.as_slice(), &[0xFF; 2000]].concat()),
        case(
            "swat3/damaged/all_markers.gsa",
            "nothing but markers of poses",
            [header, [MARKER.as_slice(), &[0, 0, 1, 0]].concat().repeat(700)].concat(),
        ),
        case(
            "swat3/damaged/skeleton_none_all.gsa",
            "all bones of no skeleton",
            Gsa::new(1, Vec::new(), &[], frames(1, 2)).build().into(),
        ),
        case(
            "swat3/damaged/skeleton_too_small.gsa",
            "a byte less than 2 bones may have",
            Gsa::new(1, b"\x01\0\x02\0\x03\0\x04".to_vec(), &[], frames(2, 2)).build().into(),
        ),
    ]
}

fn counts() -> Vec<Case> {
    let case = |file, about, built: Built| fault(file, about, SEARCH, built, NO_MARKER);
    let ids = |ids: &[u16]| walk_with(|gsa| gsa.ids = ids.to_vec());
    let many = |count: u16| {
        let ids: Vec<u16> = (0..count).collect();
        Gsa::new(1, Layout::Plain.skeleton(&biped(3)), &ids, frames(ids.len(), 1)).build()
    };
    vec![
        case("swat3/damaged/ids_none.gsa", "no number of animated bones", walk().build().cut("ids.count", 1)),
        case("swat3/damaged/ids_cut.gsa", "a file that ends in the list of bones", walk().build().cut("ids", 5)),
        case("swat3/damaged/ids_1025.gsa", "more animated bones than there may be", many(1025)),
        case("swat3/damaged/ids_less.gsa", "a bone less than are listed", walk().build().patch_u16("ids.count", 2)),
        case("swat3/damaged/ids_more.gsa", "a bone more than are listed", walk().build().patch_u16("ids.count", 4)),
        case(
            "swat3/damaged/ids_max.gsa",
            "the highest number of animated bones",
            walk().build().patch_u16("ids.count", 0xFFFF),
        ),
        case("swat3/damaged/ids_twice.gsa", "a bone listed twice", ids(&[1, 4, 1])),
        case("swat3/damaged/id_1024.gsa", "an id above the highest", ids(&[1, 2, 1024])),
        case("swat3/damaged/id_max.gsa", "an id that a signed number would not have", ids(&[0xFFFF, 1, 2])),
        case("swat3/damaged/frames_cut.gsa", "half a number of frames", walk().build().cut("frames.count", 1)),
        case("swat3/damaged/frames_none.gsa", "no frames", walk_with(|gsa| gsa.frames.clear())),
        case(
            "swat3/damaged/frames_0.gsa",
            "frames that are counted as none",
            walk().build().patch_u16("frames.count", 0),
        ),
        case(
            "swat3/damaged/frames_less.gsa",
            "a frame less than there are",
            walk().build().patch_u16("frames.count", 2),
        ),
        case(
            "swat3/damaged/frames_more.gsa",
            "a frame more than there are",
            walk().build().patch_u16("frames.count", 4),
        ),
        case(
            "swat3/damaged/frames_max.gsa",
            "the highest number of frames",
            walk().build().patch_u16("frames.count", 0xFFFF),
        ),
    ]
}

fn ends() -> Vec<Case> {
    let case = |file, about, bytes: Vec<u8>| fault(file, about, SEARCH, bytes, NO_MARKER);
    let with = |mut gsa: Gsa, trailing: &[u8]| -> Vec<u8> {
        gsa.trailing = trailing.to_vec();
        gsa.build().into()
    };
    let odd = Gsa { doubled_magic: true, minor: 2, ..walk() };
    vec![
        case("swat3/damaged/first_none.gsa", "counts and no frames", walk().build().cut("frame#0", 0).into()),
        case(
            "swat3/damaged/frame_cut.gsa",
            "a file that ends in its first frame",
            walk().build().cut("frame#0.root", 3).into(),
        ),
        case("swat3/damaged/frame_missing.gsa", "a frame is missing", walk().build().cut("frame#2", 0).into()),
        case("swat3/damaged/byte_missing.gsa", "the last byte is missing", walk().build().cut("end", -1).into()),
        case(
            "swat3/damaged/byte_missing_events.gsa",
            "the last byte of an event is missing",
            reload().build().cut("end", -1).into(),
        ),
        case("swat3/damaged/trailing_byte.gsa", "a byte too many", with(walk(), b"\x01")),
        case("swat3/damaged/trailing_space.gsa", "zero bytes and another", with(walk(), b"\0\0 ")),
        case("swat3/damaged/trailing_after.gsa", "a byte too many and a zero", with(walk(), b"\x01\0")),
        case("swat3/damaged/trailing_zero.gsa", "a zero byte too many", with(walk(), &[0])),
        case("swat3/damaged/trailing_zeros_2.gsa", "2 zero bytes too many", with(walk(), &[0; 2])),
        case("swat3/damaged/trailing_zeros_3.gsa", "3 zero bytes too many", with(walk(), &[0; 3])),
        case("swat3/damaged/trailing_zeros_4.gsa", "4 zero bytes too many", with(walk(), &[0; 4])),
        case("swat3/damaged/trailing_zero_events.gsa", "a zero byte after an event", with(reload(), &[0])),
        fault(
            "swat3/damaged/trailing_zero_everything.gsa",
            "a zero byte after everything else that is odd",
            SEARCH,
            with(odd, &[0]),
            ("marker-not-found", "skeleton", 30),
        ),
        case(
            "swat3/damaged/trailing_zeros_pose.gsa",
            "3 zero bytes after a pose, of which 2 could count events",
            pose_with(|gsa| gsa.trailing = vec![0; 3]).into(),
        ),
    ]
}

fn events() -> Vec<Case> {
    let case = |file, about, built: Built| fault(file, about, "swat3.md 2.3", built, NO_MARKER);
    let event = |bytes: &[u8]| reload_with(|gsa| gsa.frames[0].events.push(bytes.to_vec()));
    let counted = |count| reload().build().patch_u16("frame#1.events", count);
    let early = |count_words| {
        let eventful = |gsa: &mut Gsa| gsa.frames[1] = gsa.frames[1].clone().event("sound=cuff");
        walk_with(|gsa| {
            gsa.count_words = count_words;
            eventful(gsa);
        })
    };
    let twice = reload_with(|gsa| gsa.count_words = 2);
    vec![
        case("swat3/damaged/event_length_0.gsa", "an event without even a NUL", event(b"")),
        case("swat3/damaged/event_unended.gsa", "an event without a NUL", event(b"sound=cuff")),
        case("swat3/damaged/event_nul_inside.gsa", "an event with a NUL inside", event(b"sound=a\0b\0")),
        case("swat3/damaged/event_two_nuls.gsa", "an event with two NULs", event(b"sound=a\0\0")),
        case("swat3/damaged/event_tab.gsa", "an event with a tab", event(b"sound=a\tb\0")),
        case("swat3/damaged/event_delete.gsa", "an event with a delete character", event(b"sound=a\x7F\0")),
        case(
            "swat3/damaged/event_longer.gsa",
            "an event longer than it is",
            reload().build().patch_u16("frame#1.event#0", 18),
        ),
        case("swat3/damaged/event_max.gsa", "the longest event", reload().build().patch_u16("frame#2.event#0", 0xFFFF)),
        case("swat3/damaged/events_less.gsa", "an event that is not counted", counted(0)),
        case("swat3/damaged/events_more.gsa", "an event that is only counted", counted(2)),
        case("swat3/damaged/events_max.gsa", "the highest number of events", counted(0xFFFF)),
        case(
            "swat3/damaged/events_cut.gsa",
            "a file that ends in an event count",
            reload().build().cut("frame#2.events", 1),
        ),
        case("swat3/damaged/events_41.gsa", "version 4.1 with an event", early(1)),
        case("swat3/damaged/events_41_two.gsa", "version 4.1 with an event that is counted twice", early(2)),
        case(
            "swat3/damaged/words_differ.gsa",
            "two event counts that differ",
            twice.patch("frame#1.events", &[1, 0, 0, 0]),
        ),
    ]
}

fn rotations() -> Vec<Case> {
    let case = |file, about, change: fn(&mut Gsa)| fault(file, about, "swat3.md 6", walk_with(change), NO_MARKER);
    let pose = |file, about, change: fn(&mut Gsa)| fault(file, about, "swat3.md 6.1", pose_with(change), NO_MARKER);
    let flat = |frame: &mut Frame| {
        frame.rotation = [0.0; 4];
        frame.rotations.fill([0.0; 4]);
    };
    vec![
        fault(
            "swat3/damaged/rotations_zero.gsa",
            "nothing but rotations of no length",
            SEARCH,
            walk_with(|gsa| gsa.frames.iter_mut().for_each(flat)),
            NO_MARKER,
        ),
        fault(
            "swat3/damaged/rotations_zero_events.gsa",
            "the same in version 4.2",
            SEARCH,
            reload_with(|gsa| gsa.frames.iter_mut().for_each(flat)),
            NO_MARKER,
        ),
        fault(
            "swat3/damaged/rotations_zero_pose.gsa",
            "the same in a pose",
            "swat3.md 6.1",
            pose_with(|gsa| gsa.frames.iter_mut().for_each(flat)),
            NO_MARKER,
        ),
        case("swat3/damaged/rotation_zero.gsa", "a rotation of no length", |gsa| gsa.frames[2].rotations[2] = [0.0; 4]),
        case("swat3/damaged/rotation_long.gsa", "a rotation that is too long to be one", |gsa| {
            gsa.frames[1].rotations[0] = [0.0, 1.015, 0.0, 0.0];
        }),
        case("swat3/damaged/rotation_nan.gsa", "a rotation that is no number", |gsa| {
            gsa.frames[1].rotations[1][0] = f32::NAN;
        }),
        case("swat3/damaged/rotation_infinite.gsa", "an infinite rotation", |gsa| {
            gsa.frames[1].rotations[1][3] = f32::INFINITY;
        }),
        case("swat3/damaged/frame_rotation_zero.gsa", "a frame's own rotation of no length", |gsa| {
            gsa.frames[1].rotation = [0.0; 4];
        }),
        pose("swat3/damaged/pose_rotation_long.gsa", "a pose's rotation that is too long to be one", |gsa| {
            gsa.frames[0].rotations[6] = [0.8, 0.8, 0.0, 0.0];
        }),
    ]
}

/// Two poses, one of 3 bones and one of 2, that end with the file.
///
/// The second one's marker is the end of the first one's origin, its counts are the start of the first one's rotation.
fn two_markers() -> Gsa {
    let frame = Frame {
        origin: [0.0, 0.0, f32::from_bits(0xFFFF_0000)],
        rotation: [f32::from_bits(0x0001_0000), 0.6, 0.0, 0.8],
        root: [0.5; 3],
        ..Frame::new(vec![[0.5; 4]; 3])
    };
    Gsa::new(1, Layout::Plain.skeleton(&biped(3)), &[], vec![frame])
}

fn ambiguous() -> Vec<Case> {
    let trailing = Gsa { trailing: vec![0], ..two_markers() };
    vec![
        fault(
            "swat3/damaged/two_markers.gsa",
            "two places where the skeleton may end",
            SEARCH,
            two_markers().build(),
            ("ambiguous-marker", "skeleton", 24),
        ),
        fault(
            "swat3/damaged/two_markers_trailing.gsa",
            "the same and a zero byte",
            SEARCH,
            trailing.build(),
            NO_MARKER,
        ),
    ]
}
