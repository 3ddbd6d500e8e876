//! Meshes that cannot be read, and the one thing to say about each.
//!
//! In the figure the counts are at 12 and 16, the vertices at 20, the faces at 436 (count) and 440, the bind pose at
//! 512 and 516, the props at 600 (count), 604 ("root") and 641 ("head"), and the file ends at 678. Version 3 has no
//! count at 16, and all that follows is 4 bytes nearer.

use super::{Case, Fault, fault, figure, figure_with};

const SOURCE: &str = "pyrogenesis.md 3";

// The most texture coordinates whose vertex has a 32-bit size.
const MAX_UV_SETS: u32 = 536_870_906;

pub fn cases() -> Vec<Case> {
    let mut cases = cuts();
    cases.extend(cuts_before_uv_counts());
    cases.extend(counts());
    cases.extend(props());
    cases
}

fn cuts() -> Vec<Case> {
    let case = |file, about, (name, distance), expect: Fault| {
        fault(file, about, SOURCE, figure().build().cut(name, distance).sealed(), expect)
    };
    vec![
        case(
            "pyrogenesis/damaged/vertices_count_cut.pmd",
            "three bytes of the vertex count",
            ("vertices.count", 3),
            ("truncated", "counts", 12),
        ),
        case(
            "pyrogenesis/damaged/uv_sets_none.pmd",
            "no count of texture coordinates",
            ("uv_sets", 0),
            ("truncated", "counts", 16),
        ),
        case(
            "pyrogenesis/damaged/uv_sets_cut.pmd",
            "a byte of the count of texture coordinates",
            ("uv_sets", 1),
            ("truncated", "counts", 16),
        ),
        case(
            "pyrogenesis/damaged/vertices_none.pmd",
            "counts and no vertices",
            ("vertices", 0),
            ("records-overrun", "vertices", 20),
        ),
        case(
            "pyrogenesis/damaged/vertices_cut.pmd",
            "a byte less than all vertices",
            ("vertices", 415),
            ("records-overrun", "vertices", 20),
        ),
        case(
            "pyrogenesis/damaged/faces_count_none.pmd",
            "vertices and nothing more",
            ("faces.count", 0),
            ("truncated", "faces", 436),
        ),
        case(
            "pyrogenesis/damaged/faces_count_cut.pmd",
            "two bytes of the face count",
            ("faces.count", 2),
            ("truncated", "faces", 436),
        ),
        case(
            "pyrogenesis/damaged/faces_none.pmd",
            "a face count and no faces",
            ("faces", 0),
            ("records-overrun", "faces", 440),
        ),
        case(
            "pyrogenesis/damaged/faces_cut.pmd",
            "a byte less than all faces",
            ("faces", 71),
            ("records-overrun", "faces", 440),
        ),
        case(
            "pyrogenesis/damaged/bind_count_none.pmd",
            "faces and nothing more",
            ("bind.count", 0),
            ("truncated", "bind pose", 512),
        ),
        case(
            "pyrogenesis/damaged/bind_count_cut.pmd",
            "a byte of the bone count",
            ("bind.count", 1),
            ("truncated", "bind pose", 512),
        ),
        case(
            "pyrogenesis/damaged/bind_none.pmd",
            "a bone count and no bones",
            ("bind", 0),
            ("records-overrun", "bind pose", 516),
        ),
        case(
            "pyrogenesis/damaged/bind_cut.pmd",
            "a byte less than all bones",
            ("bind", 83),
            ("records-overrun", "bind pose", 516),
        ),
    ]
}

fn cuts_before_uv_counts() -> Vec<Case> {
    let third = |name, distance| figure_with(|pmd| pmd.version = 3).cut(name, distance).sealed();
    vec![
        fault(
            "pyrogenesis/damaged/version_3_vertices_none.pmd",
            "a vertex count and no vertices",
            SOURCE,
            third("vertices", 0),
            ("records-overrun", "vertices", 16),
        ),
        fault(
            "pyrogenesis/damaged/version_3_faces_none.pmd",
            "vertices and nothing more",
            SOURCE,
            third("faces.count", 0),
            ("truncated", "faces", 432),
        ),
        fault(
            "pyrogenesis/damaged/version_3_props_none.pmd",
            "no count of prop points",
            SOURCE,
            third("props.count", 0),
            ("truncated", "prop points", 596),
        ),
    ]
}

fn counts() -> Vec<Case> {
    let case = |file, about, name, value, expect: Fault| {
        fault(file, about, SOURCE, figure().build().patch_u32(name, value), expect)
    };
    let overrun = |section, offset| ("records-overrun", section, offset);
    vec![
        case(
            "pyrogenesis/damaged/vertices_huge.pmd",
            "the largest vertex count",
            "vertices.count",
            u32::MAX,
            overrun("vertices", 20),
        ),
        case(
            "pyrogenesis/damaged/uv_sets_max.pmd",
            "as many texture coordinates as a vertex's size can count",
            "uv_sets",
            MAX_UV_SETS,
            overrun("vertices", 20),
        ),
        case(
            "pyrogenesis/damaged/uv_sets_past_max.pmd",
            "a texture coordinate more than a vertex's size can count",
            "uv_sets",
            MAX_UV_SETS + 1,
            ("records-overrun", "vertices", 20),
        ),
        case(
            "pyrogenesis/damaged/uv_sets_huge.pmd",
            "the largest count of texture coordinates",
            "uv_sets",
            u32::MAX,
            ("records-overrun", "vertices", 20),
        ),
        case(
            "pyrogenesis/damaged/faces_huge.pmd",
            "the largest face count",
            "faces.count",
            u32::MAX,
            overrun("faces", 440),
        ),
        // 6 * 0x8000_0000 is 0 in 32 bits.
        case(
            "pyrogenesis/damaged/faces_wrap.pmd",
            "faces that take no bytes in 32 bits",
            "faces.count",
            0x8000_0000,
            overrun("faces", 440),
        ),
        case(
            "pyrogenesis/damaged/bind_huge.pmd",
            "the largest bone count",
            "bind.count",
            u32::MAX,
            overrun("bind pose", 516),
        ),
        // 28 * 0x4000_0000 is 0 in 32 bits.
        case(
            "pyrogenesis/damaged/bind_wrap.pmd",
            "bones that take no bytes in 32 bits",
            "bind.count",
            0x4000_0000,
            overrun("bind pose", 516),
        ),
    ]
}

fn props() -> Vec<Case> {
    let cut = |file, about, (name, distance), expect: Fault| {
        fault(file, about, SOURCE, figure().build().cut(name, distance).sealed(), expect)
    };
    let patched = |file, about, name, value, expect: Fault| {
        fault(file, about, SOURCE, figure().build().patch_u32(name, value), expect)
    };
    let truncated = |offset| ("truncated", "prop points", offset);
    let overrun = |offset| ("records-overrun", "prop points", offset);
    vec![
        cut("pyrogenesis/damaged/props_count_none.pmd", "no count of prop points", ("props.count", 0), truncated(600)),
        cut(
            "pyrogenesis/damaged/props_count_cut.pmd",
            "three bytes of the count of prop points",
            ("props.count", 3),
            truncated(600),
        ),
        cut("pyrogenesis/damaged/props_none.pmd", "a count and no prop points", ("props", 0), truncated(604)),
        cut(
            "pyrogenesis/damaged/prop_length_cut.pmd",
            "two bytes of a prop point's name's length",
            ("prop#1.length", 2),
            truncated(641),
        ),
        cut("pyrogenesis/damaged/prop_name_none.pmd", "a name's length and no name", ("prop#1", 0), overrun(645)),
        cut("pyrogenesis/damaged/prop_name_cut.pmd", "three of a name's four letters", ("prop#1", 3), overrun(645)),
        cut(
            "pyrogenesis/damaged/prop_transform_none.pmd",
            "a prop point that is only a name",
            ("prop#1.transform", 0),
            truncated(649),
        ),
        cut(
            "pyrogenesis/damaged/prop_bone_none.pmd",
            "a byte less than the last prop point",
            ("prop#1.transform", 28),
            truncated(649),
        ),
        patched(
            "pyrogenesis/damaged/prop_name_huge.pmd",
            "a name longer than the file",
            "prop#0.length",
            u32::MAX,
            overrun(608),
        ),
        patched(
            "pyrogenesis/damaged/props_one_more.pmd",
            "a prop point more than there is",
            "props.count",
            3,
            truncated(678),
        ),
        patched(
            "pyrogenesis/damaged/props_huge.pmd",
            "the largest count of prop points",
            "props.count",
            u32::MAX,
            truncated(678),
        ),
    ]
}
