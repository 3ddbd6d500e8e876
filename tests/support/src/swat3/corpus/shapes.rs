//! Skeletons of every kind, and how much of them can be known.

use super::super::build::{Bone, Gsa, Layout, MARKER, biped};
use super::{Case, Codes as _, figure, frames, good, ok};

const SOURCE: &str = "swat3.md 4";
const NAMES: &str = "swat3.md 6.2";

pub fn cases() -> Vec<Case> {
    let mut cases = layouts();
    cases.extend(sizes());
    cases.extend(alignments());
    cases.extend(names());
    cases.extend(neighbours());
    cases
}

/// Each layout with some bones animated, where the names alone tell how many there are, and with all.
fn layouts() -> Vec<Case> {
    let mut cases = Vec::new();
    let mut both = |layout: Layout, minor, [some, all]: [&'static str; 2], about, known| {
        let skeleton = layout.skeleton(&figure());
        let subset = Gsa::new(minor, skeleton.clone(), &[0, 3, 5], frames(3, 3));
        cases.push(ok(some, about, SOURCE, subset.build(), good(known, 3)));
        let whole = Gsa::new(3 - minor, skeleton, &[], frames(7, 2));
        cases.push(ok(all, about, SOURCE, whole.build(), good(Some(7), 2)));
    };
    both(
        Layout::Plain,
        1,
        ["swat3/gsa/plain.gsa", "swat3/gsa/plain_all.gsa"],
        "the likeliest record: id, parent, name, position, rotation",
        Some(7),
    );
    both(
        Layout::NameFirst,
        2,
        ["swat3/gsa/name_first.gsa", "swat3/gsa/name_first_all.gsa"],
        "records that start with the name",
        Some(7),
    );
    both(
        Layout::Counted,
        1,
        ["swat3/gsa/counted.gsa", "swat3/gsa/counted_all.gsa"],
        "a skeleton count and a bone count before the first record",
        Some(7),
    );
    both(
        Layout::Children,
        2,
        ["swat3/gsa/children.gsa", "swat3/gsa/children_all.gsa"],
        "child counts instead of parents",
        Some(7),
    );
    both(
        Layout::Matrix,
        1,
        ["swat3/gsa/matrix.gsa", "swat3/gsa/matrix_all.gsa"],
        "matrices instead of positions and rotations",
        Some(7),
    );
    both(
        Layout::Hostile,
        2,
        ["swat3/gsa/hostile.gsa", "swat3/gsa/hostile_all.gsa"],
        "records that each look like the end of the skeleton and a frame",
        Some(7),
    );
    both(
        Layout::Nested,
        1,
        ["swat3/gsa/nested.gsa", "swat3/gsa/nested_all.gsa"],
        "a tree of records with a marker after each subtree",
        None,
    );
    both(
        Layout::ByteLengths,
        2,
        ["swat3/gsa/byte_lengths.gsa", "swat3/gsa/byte_lengths_all.gsa"],
        "names with 8-bit lengths",
        None,
    );
    both(
        Layout::FixedNames,
        1,
        ["swat3/gsa/fixed_names.gsa", "swat3/gsa/fixed_names_all.gsa"],
        "names of 32 bytes, filled up with what looks like markers",
        None,
    );
    both(
        Layout::TwoSkeletons,
        2,
        ["swat3/gsa/two_skeletons.gsa", "swat3/gsa/two_skeletons_all.gsa"],
        "two skeletons, each with a marker",
        None,
    );
    cases
}

fn sizes() -> Vec<Case> {
    let plain = |bones: usize| Layout::Plain.skeleton(&biped(bones));
    let case = |file, about, gsa: Gsa, known, frames| ok(file, about, SOURCE, gsa.build(), good(known, frames));
    let misnumbered =
        |file, about, gsa: Gsa, frames| ok(file, about, SOURCE, gsa.build(), good(None, frames).with(&["bone-names"]));
    vec![
        case(
            "swat3/gsa/swat_52.gsa",
            "a pose of as many bones as a SWAT officer has",
            Gsa::new(1, plain(52), &[], frames(52, 1)),
            Some(52),
            1,
        ),
        case(
            "swat3/gsa/frames_40.gsa",
            "4 seconds of two bones",
            Gsa::new(2, plain(17), &[15, 16], frames(2, 40)),
            Some(17),
            40,
        ),
        case("swat3/gsa/one_of_one.gsa", "one bone, one frame", Gsa::new(1, plain(1), &[], frames(1, 1)), Some(1), 1),
        case(
            "swat3/gsa/one_frame_subset.gsa",
            "a pose of some bones",
            Gsa::new(1, plain(7), &[6], frames(1, 1)),
            Some(7),
            1,
        ),
        case(
            "swat3/gsa/two_bones.gsa",
            "too few names to be sure that they are names",
            Gsa::new(1, plain(2), &[1], frames(1, 2)),
            None,
            2,
        ),
        case("swat3/gsa/three_bones.gsa", "just enough names", Gsa::new(1, plain(3), &[2], frames(1, 2)), Some(3), 2),
        case(
            "swat3/gsa/skeleton_empty.gsa",
            "no skeleton at all, and one animated bone",
            Gsa::new(1, Vec::new(), &[0], frames(1, 2)),
            None,
            2,
        ),
        case(
            "swat3/gsa/skeleton_smallest.gsa",
            "as few bytes as 2 bones may have",
            Gsa::new(1, b"\x01\0\x02\0\x03\0\x04\0".to_vec(), &[], frames(2, 2)),
            Some(2),
            2,
        ),
        case(
            "swat3/gsa/ids_all.gsa",
            "every bone listed",
            Gsa::new(2, plain(7), &[0, 1, 2, 3, 4, 5, 6], frames(7, 2)),
            Some(7),
            2,
        ),
        case(
            "swat3/gsa/ids_unsorted.gsa",
            "bones listed in no order",
            Gsa::new(2, plain(7), &[5, 0, 6, 2], frames(4, 2)),
            Some(7),
            2,
        ),
        misnumbered(
            "swat3/gsa/ids_beyond_bones.gsa",
            "an id that is one too high for the named bones",
            Gsa::new(1, plain(7), &[0, 7], frames(2, 2)),
            2,
        ),
        misnumbered(
            "swat3/gsa/id_highest.gsa",
            "the highest id there is",
            Gsa::new(1, plain(7), &[1023], frames(1, 2)),
            2,
        ),
    ]
}

/// Of the first frame: it starts at 132 and the length of the names.
fn alignments() -> Vec<Case> {
    let case = |file, about, spine: &str| {
        let bones = [Bone::new(0, -1, "Bip01"), Bone::new(1, 0, "Bip01 Pelvis"), Bone::new(2, 1, spine)];
        let gsa = Gsa::new(1, Layout::Plain.skeleton(&bones), &[], frames(3, 2));
        ok(file, about, "swat3.md 3", gsa.build(), good(Some(3), 2))
    };
    vec![
        case("swat3/gsa/aligned.gsa", "aligned frames", "Bip01 Spine1"),
        case("swat3/gsa/aligned_off_1.gsa", "frames 1 byte off alignment", "Bip01 Spine01"),
        case("swat3/gsa/aligned_off_2.gsa", "frames 2 bytes off alignment", "Bip01 Spine001"),
        case("swat3/gsa/aligned_off_3.gsa", "frames 3 bytes off alignment", "Bip01 Spine"),
    ]
}

/// Names that can and cannot be told from other bytes.
fn names() -> Vec<Case> {
    let case = |file, about, bone: usize, name: &[u8], known, findings: &[&'static str]| {
        let mut bones = figure();
        bones[bone].name = name.to_vec();
        let gsa = Gsa::new(1, Layout::Plain.skeleton(&bones), &[1, 2], frames(2, 2));
        ok(file, about, NAMES, gsa.build(), good(known, 2).with(findings))
    };
    vec![
        case("swat3/gsa/name_63.gsa", "the longest name", 6, &[b'x'; 63], Some(7), &[]),
        case("swat3/gsa/name_64.gsa", "a name too long for a name, at the end", 6, &[b'x'; 64], None, &[]),
        case("swat3/gsa/name_64_first.gsa", "a name too long for a name, at the start", 0, &[b'x'; 64], None, &[]),
        case("swat3/gsa/name_1.gsa", "a name of one letter", 3, b"S", Some(7), &[]),
        case("swat3/gsa/bone_name_empty.gsa", "a bone without a name", 3, b"", None, &[]),
        case("swat3/gsa/name_digit.gsa", "a name that starts with a digit", 3, b"01 Spine", None, &[]),
        case("swat3/gsa/name_cp1252.gsa", "a name in Windows-1252", 3, b"R\xFCcken", None, &[]),
        case("swat3/gsa/name_duplicate.gsa", "two bones of one name", 3, b"Bip01 Spine", Some(7), &["name-duplicate"]),
        case(
            "swat3/gsa/name_duplicate_case.gsa",
            "two bones whose names differ in case",
            3,
            b"BIP01 sPINE",
            Some(7),
            &["name-duplicate"],
        ),
    ]
}

/// What may stand around the bones.
fn neighbours() -> Vec<Case> {
    let plain = Layout::Plain.skeleton(&figure());
    let case = |file, about, before: &[u8], after: &[u8], known| {
        let skeleton = [before, &plain, after].concat();
        ok(file, about, NAMES, Gsa::new(2, skeleton, &[1, 2], frames(2, 2)).build(), good(known, 2))
    };
    vec![
        case("swat3/gsa/prologue_35.gsa", "just too few bytes before the bones for another", &[1; 35], b"", Some(7)),
        case("swat3/gsa/prologue_36.gsa", "room for one more bone before the first", &[1; 36], b"", None),
        case("swat3/gsa/skeleton_named.gsa", "a named skeleton", b"\x04\0SWT\0", b"", Some(7)),
        case("swat3/gsa/skeleton_named_twice.gsa", "two names before the bones", b"\x04\0SWT\0\x04\0SWT\0", b"", None),
        case("swat3/gsa/epilogue_4.gsa", "bytes after the bones that may belong to each bone", b"", &[1; 4], Some(7)),
        case("swat3/gsa/epilogue_5.gsa", "one byte too many after the bones", b"", &[1; 5], None),
        case("swat3/gsa/marker_twice.gsa", "a skeleton that itself ends in a marker", b"", &MARKER, Some(7)),
    ]
}
