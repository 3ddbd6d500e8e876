//! Containers and animations that cannot be read, and the one thing to say about each.
//!
//! In the walk the name's length is at 12, the frame length at 16, the counts at 20 and 24, the states at 28, and the
//! file ends at 700.

use super::super::build::{Built, Pmd, Psa};
use super::{Case, Fault, fault, figure, figure_with, walk, walk_with};

const CONTAINER: &str = "pyrogenesis.md 1";
const ANIM: &str = "pyrogenesis.md 2";
const MESH: &str = "pyrogenesis.md 3";

// The most bones whose frame has a 32-bit size.
const MAX_BONES: u32 = 153_391_689;

pub fn cases() -> Vec<Case> {
    let mut cases = not_ours();
    cases.extend(headers());
    cases.extend(versions());
    cases.extend(anim_cut());
    cases.extend(anim_values());
    cases.extend(anim_counts());
    cases.extend(trailing());
    cases
}

fn not_ours() -> Vec<Case> {
    let case = |file, about, bytes: &[u8], kind| fault(file, about, CONTAINER, bytes, (kind, "file", 0));
    let pointer = b"version https://git-lfs.github.com/spec/v1\n\
        oid sha256:0000000000000000000000000000000000000000000000000000000000000000\nsize 700\n";
    let unknown = "unknown-format";
    let other = "other-format";
    vec![
        case("pyrogenesis/damaged/empty.psa", "no bytes at all", b"", "empty"),
        case("pyrogenesis/damaged/empty.pmd", "no bytes at all", b"", "empty"),
        case("pyrogenesis/damaged/three_bytes.psa", "too short for anything", b"PSS", unknown),
        case(
            "pyrogenesis/damaged/magic.psa",
            "one letter wrong",
            &walk().build().patch("magic", b"PSAA").bytes,
            unknown,
        ),
        case(
            "pyrogenesis/damaged/magic_case.pmd",
            "the right letters, small",
            &figure().build().patch("magic", b"psmd").bytes,
            unknown,
        ),
        case(
            "pyrogenesis/damaged/mikumikudance.pmd",
            "another owner of the extension",
            &[b"Pmd\0\0\x80\x3F".as_slice(), &[0; 40]].concat(),
            "unsupported-format",
        ),
        case(
            "pyrogenesis/damaged/photoshop.psa",
            "another owner of the extension",
            &[b"8BPS\0\x01".as_slice(), &[0; 40]].concat(),
            unknown,
        ),
        case("pyrogenesis/damaged/mesh.psa", "a mesh under an animation's name", &figure().build().bytes, other),
        case("pyrogenesis/damaged/anim.pmd", "an animation under a mesh's name", &walk().build().bytes, other),
        case(
            "pyrogenesis/damaged/actorx.psa",
            "the Unreal animations' head",
            &[b"ANIMHEAD".as_slice(), &[0; 24]].concat(),
            other,
        ),
        case(
            "pyrogenesis/damaged/actorx.pmd",
            "the Unreal meshes' head",
            &[b"ACTRHEAD".as_slice(), &[0; 24]].concat(),
            other,
        ),
        case("pyrogenesis/damaged/git_lfs.pmd", "a Git LFS pointer instead of the file", pointer, "git-lfs"),
        case("pyrogenesis/damaged/git_lfs.psa", "a Git LFS pointer instead of the file", pointer, "git-lfs"),
    ]
}

fn headers() -> Vec<Case> {
    let case = |file, about, bytes: Vec<u8>, kind| fault(file, about, CONTAINER, bytes, (kind, "header", 0));
    let sized = |built: Built, size| built.patch_u32("data_size", size).bytes;
    let (anim, mesh) = (walk().build(), figure().build());
    vec![
        case("pyrogenesis/damaged/short_11.psa", "a byte less than a header", anim.bytes[..11].to_vec(), "truncated"),
        case("pyrogenesis/damaged/short_4.pmd", "four letters of a header", mesh.bytes[..4].to_vec(), "truncated"),
        case(
            "pyrogenesis/damaged/data_size_less.psa",
            "a size that leaves out 1 byte",
            sized(anim.clone(), 687),
            "data-size",
        ),
        case(
            "pyrogenesis/damaged/data_size_more.psa",
            "a size far beyond the file",
            sized(anim.clone(), 10_000),
            "data-size",
        ),
        case(
            "pyrogenesis/damaged/data_size_whole.psa",
            "a size that counts the header",
            sized(anim.clone(), 700),
            "data-size",
        ),
        case("pyrogenesis/damaged/data_size_max.pmd", "the largest size", sized(mesh.clone(), u32::MAX), "data-size"),
        case(
            "pyrogenesis/damaged/stray.psa",
            "bytes that the size does not count",
            anim.clone().stray(&[0; 2]).bytes,
            "data-size",
        ),
        case(
            "pyrogenesis/damaged/stray.pmd",
            "bytes that the size does not count",
            mesh.clone().stray(&[0; 2]).bytes,
            "data-size",
        ),
        case("pyrogenesis/damaged/half.psa", "a download that stopped", anim.bytes[..350].to_vec(), "data-size"),
        case(
            "pyrogenesis/damaged/version_0_data_size.psa",
            "two faults, of which the size is looked at first",
            sized(anim.patch_u32("version", 0), 1),
            "data-size",
        ),
        fault(
            "pyrogenesis/damaged/header_only.psa",
            "a header and nothing",
            ANIM,
            walk().build().cut("name.length", 0).sealed(),
            ("truncated", "name", 12),
        ),
        fault(
            "pyrogenesis/damaged/header_only.pmd",
            "a header and nothing",
            MESH,
            mesh.cut("vertices.count", 0).sealed(),
            ("truncated", "counts", 12),
        ),
    ]
}

fn versions() -> Vec<Case> {
    let case = |file, about, built: Built| fault(file, about, CONTAINER, built, ("version", "header", 0));
    let anim = |version| walk_with(|psa| psa.version = version);
    // Versions past the last have the layout of the last.
    let mesh = |version| figure_with(|pmd| pmd.version = version);
    vec![
        case("pyrogenesis/damaged/version_0.psa", "the one version that the engine refuses", anim(0)),
        case("pyrogenesis/damaged/version_0.pmd", "the one version that the engine refuses", mesh(0)),
        case("pyrogenesis/damaged/version_max.psa", "the last version there can be", anim(u32::MAX)),
        case("pyrogenesis/damaged/version_5.pmd", "a version nobody has defined", mesh(5)),
        case("pyrogenesis/damaged/version_max.pmd", "the last version there can be", mesh(u32::MAX)),
        case(
            "pyrogenesis/damaged/version_2_cut.psa",
            "a version nobody has defined, half of it",
            anim(2).cut("states", 300).sealed(),
        ),
        case(
            "pyrogenesis/damaged/version_5_cut.pmd",
            "a version nobody has defined, without its end",
            mesh(5).cut("props.count", 2).sealed(),
        ),
        case(
            "pyrogenesis/damaged/everything_odd.psa",
            "all that the engine overlooks at once",
            Psa { version: 99, frame_length: f32::NAN, ..Psa::new(3, 0, Vec::new()) }.build().tail(b"end"),
        ),
        case("pyrogenesis/damaged/everything_odd.pmd", "all that the engine overlooks at once", mesh(99).tail(b"end")),
    ]
}

fn anim_cut() -> Vec<Case> {
    let case = |file, about, (name, distance), expect: Fault| {
        fault(file, about, ANIM, walk_with(|psa| psa.name = b"Walk".to_vec()).cut(name, distance).sealed(), expect)
    };
    vec![
        case(
            "pyrogenesis/damaged/name_length_cut.psa",
            "half of the name's length",
            ("name.length", 2),
            ("truncated", "name", 12),
        ),
        case(
            "pyrogenesis/damaged/name_none.psa",
            "a name's length and no name",
            ("name", 0),
            ("records-overrun", "name", 16),
        ),
        case(
            "pyrogenesis/damaged/name_cut.psa",
            "three of a name's four letters",
            ("name", 3),
            ("records-overrun", "name", 16),
        ),
        case(
            "pyrogenesis/damaged/frame_length_none.psa",
            "nothing after the name",
            ("frame_length", 0),
            ("truncated", "frame length", 20),
        ),
        case(
            "pyrogenesis/damaged/frame_length_part.psa",
            "three bytes of the frame length",
            ("frame_length", 3),
            ("truncated", "frame length", 20),
        ),
        case("pyrogenesis/damaged/bones_none.psa", "no counts", ("bones", 0), ("truncated", "counts", 24)),
        case("pyrogenesis/damaged/frames_none.psa", "bones, but no frames", ("frames", 0), ("truncated", "counts", 28)),
        case(
            "pyrogenesis/damaged/frames_part.psa",
            "a byte less than the counts",
            ("frames", 3),
            ("truncated", "counts", 28),
        ),
        case(
            "pyrogenesis/damaged/states_none.psa",
            "counts and no states",
            ("states", 0),
            ("records-overrun", "bone states", 32),
        ),
        case(
            "pyrogenesis/damaged/states_one.psa",
            "one state of 24",
            ("states", 28),
            ("records-overrun", "bone states", 32),
        ),
        case(
            "pyrogenesis/damaged/states_cut.psa",
            "a byte less than all states",
            ("states", 671),
            ("records-overrun", "bone states", 32),
        ),
    ]
}

fn anim_values() -> Vec<Case> {
    let length = |file, about, value| {
        fault(
            file,
            about,
            "pyrogenesis.md 0 (6)",
            walk_with(|psa| psa.frame_length = value),
            ("frame-length", "frame length", 16),
        )
    };
    let none = |file, about, built: Built, offset| {
        fault(file, about, "pyrogenesis.md 0 (9)", built, ("no-frames", "counts", offset))
    };
    let empty = Psa::new(2, 0, Vec::new());
    vec![
        length("pyrogenesis/damaged/frame_length_zero.psa", "frames that take no time", 0.0),
        length("pyrogenesis/damaged/frame_length_negative.psa", "frames that take less than no time", -33.0),
        length("pyrogenesis/damaged/frame_length_nan.psa", "a frame length that is no number", f32::NAN),
        length("pyrogenesis/damaged/frame_length_infinite.psa", "frames that never end", f32::INFINITY),
        fault(
            "pyrogenesis/damaged/frame_length_named.psa",
            "frames that take no time, after a name",
            ANIM,
            walk_with(|psa| (psa.name, psa.frame_length) = (b"Walk".to_vec(), -0.0)),
            ("frame-length", "frame length", 20),
        ),
        fault(
            "pyrogenesis/damaged/frame_length_counts.psa",
            "two faults, of which the counts are looked at first",
            ANIM,
            walk_with(|psa| psa.frame_length = 0.0).cut("frames", 0).sealed(),
            ("truncated", "counts", 24),
        ),
        fault(
            "pyrogenesis/damaged/frame_length_no_frames.psa",
            "two faults, of which the frame length is looked at first",
            ANIM,
            Psa { frame_length: 0.0, ..empty.clone() }.build(),
            ("frame-length", "frame length", 16),
        ),
        fault(
            "pyrogenesis/damaged/frame_length_cut.psa",
            "two faults, of which the frame length is looked at first",
            ANIM,
            walk_with(|psa| psa.frame_length = 0.0).cut("states", 28).sealed(),
            ("frame-length", "frame length", 16),
        ),
        none("pyrogenesis/damaged/no_frames.psa", "bones and no frames", empty.build(), 20),
        none(
            "pyrogenesis/damaged/no_frames_named.psa",
            "bones and no frames, after a name",
            Psa { name: b"Walk".to_vec(), ..empty.clone() }.build(),
            24,
        ),
        none(
            "pyrogenesis/damaged/no_frames_many_bones.psa",
            "no frames of more bones than fit",
            Psa::new(u32::MAX, 0, Vec::new()).build(),
            20,
        ),
        none(
            "pyrogenesis/damaged/no_frames_trailing.psa",
            "states that no frame counts",
            empty.build().tail(&[0; 56]),
            20,
        ),
    ]
}

fn anim_counts() -> Vec<Case> {
    let states = |kind| (kind, "bone states", 28);
    let case = |file, about, bones, frames, kind| {
        fault(file, about, ANIM, Psa::new(bones, frames, Vec::new()).build(), states(kind))
    };
    let overrun = "records-overrun";
    vec![
        fault(
            "pyrogenesis/damaged/name_huge.psa",
            "a name longer than the file",
            ANIM,
            walk().build().patch_u32("name.length", u32::MAX),
            ("records-overrun", "name", 16),
        ),
        case("pyrogenesis/damaged/counts_huge.psa", "the largest counts", u32::MAX, u32::MAX, overrun),
        case("pyrogenesis/damaged/bones_huge.psa", "one frame of 7 GB", 0x1000_0000, 1, overrun),
        case(
            "pyrogenesis/damaged/bones_past_max.psa",
            "a bone more than a frame's size can count",
            MAX_BONES + 1,
            1,
            overrun,
        ),
        case("pyrogenesis/damaged/bones_max.psa", "as many bones as a frame's size can count", MAX_BONES, 1, overrun),
        case("pyrogenesis/damaged/bones_max_frames_max.psa", "as many states as can be", MAX_BONES, u32::MAX, overrun),
        case("pyrogenesis/damaged/frames_huge.psa", "many frames of one bone", 1, u32::MAX, overrun),
        // 28 * 4 * 0x4000_0000 is 0 in 32 bits.
        case("pyrogenesis/damaged/product_wraps.psa", "counts whose product is 0 in 32 bits", 4, 0x4000_0000, overrun),
        fault(
            "pyrogenesis/damaged/frames_one_more.psa",
            "a frame more than there is",
            ANIM,
            walk().build().patch_u32("frames", 9),
            states(overrun),
        ),
        fault(
            "pyrogenesis/damaged/bones_one_more.psa",
            "a bone more than there is",
            ANIM,
            walk().build().patch_u32("bones", 4),
            states(overrun),
        ),
    ]
}

fn trailing() -> Vec<Case> {
    let case = |file, about, source, built: Built, offset| {
        fault(file, about, source, built, ("trailing-bytes", "end", offset))
    };
    let first = Pmd { version: 1, ..figure() }.build();
    vec![
        case(
            "pyrogenesis/damaged/trailing.psa",
            "8 bytes too many, which the size counts",
            CONTAINER,
            walk().build().tail(&[0; 8]),
            700,
        ),
        case(
            "pyrogenesis/damaged/trailing.pmd",
            "1 byte too many, which the size counts",
            CONTAINER,
            figure().build().tail(&[0]),
            678,
        ),
        case(
            "pyrogenesis/damaged/trailing_props.pmd",
            "prop points before there were any",
            MESH,
            first.tail(&[0; 4]),
            596,
        ),
    ]
}
