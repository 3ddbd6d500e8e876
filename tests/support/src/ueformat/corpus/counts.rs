//! Counts and sizes that are wrong.

use super::super::build::{Body, Marked, Section, Ue};
use super::assets::{arm_of, faces_of, wave_of};
use super::{Case, Reason, fault, odd};

pub(super) fn cases() -> Vec<Case> {
    let mut cases = one_more();
    cases.extend(negative());
    cases.extend(products());
    cases.extend(sizes());
    cases.extend(left_over());
    cases.extend(layouts());
    cases
}

/// A file of the kind that has a section.
fn whole(version: u8, path: &str) -> Ue {
    match path.split(['/', '#']).next() {
        Some("TRACKS" | "METADATA") => wave_of(version),
        Some("POSES") => faces_of(version),
        _ => arm_of(version),
    }
}

fn counted(version: u8, path: &str, change: impl Fn(i32) -> i32) -> Vec<u8> {
    let mut ue = whole(version, path);
    let section = ue.section(path);
    section.count = change(section.count);
    ue.build().into()
}

/// A number somewhere, by the name of its offset.
fn patched(version: u8, at: &str, value: i32) -> Vec<u8> {
    whole(version, at).build().patch_i32(at, value).into()
}

fn one_more() -> Vec<Case> {
    const NEWEST: [(&str, &str, &str); 13] = [
        ("ueformat/damaged/more_vertices.uemodel", "LODS/0/VERTICES", "a vertex more than there are"),
        ("ueformat/damaged/more_normals.uemodel", "LODS/0/NORMALS", "a normal more than there are"),
        ("ueformat/damaged/more_tangents.uemodel", "LODS/0/TANGENTS", "a tangent more than there are"),
        ("ueformat/damaged/more_uv_sets.uemodel", "LODS/0/TEXCOORDS", "a UV set more than there are"),
        ("ueformat/damaged/more_indices.uemodel", "LODS/0/INDICES", "an index more than there are"),
        ("ueformat/damaged/more_colour_sets.uemodel", "LODS/0/VERTEXCOLORS", "a colour set more than there are"),
        ("ueformat/damaged/more_materials.uemodel", "LODS/0/MATERIALS", "a material more than there are"),
        ("ueformat/damaged/more_weights.uemodel", "LODS/0/WEIGHTS", "a weight more than there are"),
        ("ueformat/damaged/more_morphs_v10.uemodel", "LODS/0/MORPHTARGETS", "a morph target too many, version 10"),
        ("ueformat/damaged/more_sockets_v10.uemodel", "SKELETON/SOCKETS", "a socket too many, version 10"),
        ("ueformat/damaged/more_virtual_bones.uemodel", "SKELETON/VIRTUALBONES", "a virtual bone more than there are"),
        ("ueformat/damaged/more_tracks.ueanim", "TRACKS", "a track more than there are"),
        ("ueformat/damaged/more_poses.uepose", "POSES", "a pose more than there are"),
    ];
    const OLDER: [(&str, &str, u8, &str); 5] = [
        ("ueformat/damaged/more_vertices_v9.uemodel", "LODS/0/VERTICES", 9, "a vertex more than there are"),
        ("ueformat/damaged/more_bones_v9.uemodel", "SKELETON/BONES", 9, "a bone more than there are"),
        ("ueformat/damaged/more_bones_v1.uemodel", "BONES", 1, "a bone more than there are"),
        ("ueformat/damaged/more_colours_v1.uemodel", "VERTEXCOLORS", 1, "a colour more than there are"),
        ("ueformat/damaged/more_tracks_v5.ueanim", "TRACKS", 5, "a track more than there are"),
    ];
    let case = |file, section: &'static str, version, about| {
        fault(file, about, "ueformat.md 8", counted(version, section, |count| count + 1), (section, Reason::Short))
    };
    let newest = NEWEST.into_iter().map(|(file, section, about)| case(file, section, 10, about));
    let older = OLDER.into_iter().map(|(file, section, version, about)| case(file, section, version, about));
    newest.chain(older).collect()
}

fn negative() -> Vec<Case> {
    let case = |file, about, bytes, section| fault(file, about, "ueformat.md 8", bytes, (section, Reason::Negative));
    let minus = |version, path: &str, count| counted(version, path, |_| count);
    vec![
        case("ueformat/damaged/minus_root.uemodel", "-1 sections", patched(10, "root.count", -1), "root"),
        case("ueformat/damaged/minus_skeleton.uemodel", "-1 sections", patched(10, "SKELETON.count", -1), "SKELETON"),
        case("ueformat/damaged/minus_lod.uemodel", "-1 sections", patched(10, "LODS/0.count", -1), "LODS/0"),
        case("ueformat/damaged/minus_lods.uemodel", "-1 levels", patched(10, "LODS.count", -1), "LODS"),
        case("ueformat/damaged/minus_lods_v9.uemodel", "-1 levels", patched(9, "LODS.count", -1), "LODS"),
        case(
            "ueformat/damaged/minus_vertices.uemodel",
            "-1 vertices",
            minus(10, "LODS/0/VERTICES", -1),
            "LODS/0/VERTICES",
        ),
        case(
            "ueformat/damaged/minus_vertices_v9.uemodel",
            "-1 vertices",
            minus(9, "LODS/0/VERTICES", -1),
            "LODS/0/VERTICES",
        ),
        case(
            "ueformat/damaged/minus_morphs_v5.uemodel",
            "the lowest number of morph targets",
            minus(5, "LODS/0/MORPHTARGETS", i32::MIN),
            "LODS/0/MORPHTARGETS",
        ),
        case(
            "ueformat/damaged/minus_sockets_v9.uemodel",
            "-1 sockets",
            minus(9, "SKELETON/SOCKETS", -1),
            "SKELETON/SOCKETS",
        ),
        case(
            "ueformat/damaged/minus_uvs.uemodel",
            "a UV set of -1",
            patched(10, "LODS/0/TEXCOORDS#1.uvs", -1),
            "LODS/0/TEXCOORDS#1",
        ),
        case(
            "ueformat/damaged/minus_deltas.uemodel",
            "a morph target of -4 vertices",
            patched(9, "LODS/0/MORPHTARGETS#0.deltas", -4),
            "LODS/0/MORPHTARGETS#0",
        ),
        case(
            "ueformat/damaged/minus_keys.ueanim",
            "a track of -1 rotations",
            patched(10, "TRACKS#1.rotations", -1),
            "TRACKS#1",
        ),
        case(
            "ueformat/damaged/minus_influences.uepose",
            "a pose of -1 influences",
            patched(10, "POSES#1.influences", -1),
            "POSES#1",
        ),
        case(
            "ueformat/damaged/minus_bone_name.uemodel",
            "a name of -5 bytes",
            patched(9, "SKELETON/BONES#1", -5),
            "SKELETON/BONES#1",
        ),
        case("ueformat/damaged/minus_track_name.ueanim", "a name of -5 bytes", patched(10, "TRACKS#2", -5), "TRACKS#2"),
        case("ueformat/damaged/minus_lod_name.uemodel", "a name of -5 bytes", patched(4, "LODS/0", -5), "LODS/0"),
    ]
}

/// Counts whose product with the size of an element is small in 32 bits, and counts that are too high for any file.
fn products() -> Vec<Case> {
    let case = |file, about, bytes, section| fault(file, about, "ueformat.md 8", bytes, (section, Reason::Short));
    let set = |version, path: &str, count: i32| counted(version, path, |_| count);
    vec![
        case(
            "ueformat/damaged/wrap_normals.uemodel",
            "normals of 16 bytes in 32 bits",
            set(10, "LODS/0/NORMALS", 0x1000_0001),
            "LODS/0/NORMALS",
        ),
        case(
            "ueformat/damaged/wrap_vertices.uemodel",
            "vertices of 8 bytes in 32 bits",
            set(10, "LODS/0/VERTICES", 0x5555_5556),
            "LODS/0/VERTICES",
        ),
        case(
            "ueformat/damaged/wrap_indices_v9.uemodel",
            "indices of 4 bytes in 32 bits",
            set(9, "LODS/0/INDICES", 0x4000_0001),
            "LODS/0/INDICES",
        ),
        case(
            "ueformat/damaged/wrap_weights.uemodel",
            "weights of 4 bytes in 32 bits",
            set(10, "LODS/0/WEIGHTS", 0x1999_999A),
            "LODS/0/WEIGHTS",
        ),
        case(
            "ueformat/damaged/wrap_deltas.uemodel",
            "a morph target of 28 bytes in 32 bits",
            patched(10, "LODS/0/MORPHTARGETS#1.deltas", 0x4000_0001),
            "LODS/0/MORPHTARGETS#1",
        ),
        case(
            "ueformat/damaged/wrap_colours_v1.uemodel",
            "colours of 4 bytes in 32 bits",
            set(1, "VERTEXCOLORS", 0x4000_0001),
            "VERTEXCOLORS",
        ),
        case(
            "ueformat/damaged/wrap_uvs_v5.uemodel",
            "UVs of 8 bytes in 32 bits",
            patched(5, "LODS/0/TEXCOORDS#0.uvs", 0x2000_0001),
            "LODS/0/TEXCOORDS#0",
        ),
        case(
            "ueformat/damaged/wrap_positions.ueanim",
            "positions of 16 bytes in 32 bits",
            patched(10, "TRACKS#0.positions", 0x1000_0001),
            "TRACKS#0",
        ),
        case(
            "ueformat/damaged/wrap_rotations.ueanim",
            "rotations of 4 bytes in 32 bits",
            patched(9, "TRACKS#0.rotations", 0x3333_3334),
            "TRACKS#0",
        ),
        case(
            "ueformat/damaged/max_tracks.ueanim",
            "the highest number of tracks",
            set(10, "TRACKS", i32::MAX),
            "TRACKS",
        ),
        case(
            "ueformat/damaged/max_tracks_v5.ueanim",
            "the highest number of tracks",
            set(5, "TRACKS", i32::MAX),
            "TRACKS",
        ),
        case("ueformat/damaged/max_poses.uepose", "the highest number of poses", set(10, "POSES", i32::MAX), "POSES"),
        case(
            "ueformat/damaged/max_root.uemodel",
            "the highest number of sections",
            patched(10, "root.count", i32::MAX),
            "root",
        ),
        case(
            "ueformat/damaged/max_lods.uemodel",
            "the highest number of levels",
            patched(10, "LODS.count", i32::MAX),
            "LODS",
        ),
        case(
            "ueformat/damaged/max_lods_v9.uemodel",
            "the highest number of levels",
            patched(9, "LODS.count", i32::MAX),
            "LODS",
        ),
    ]
}

fn sizes() -> Vec<Case> {
    let case = |file, about, bytes, section, reason| fault(file, about, "ueformat.md 9", bytes, (section, reason));
    let by = |version, path: &str, by: i32| {
        let built = whole(version, path).build();
        let size = built.offset(&format!("{path}.end")) - built.offset(&format!("{path}.data"));
        built.patch_i32(&format!("{path}.size"), size as i32 + by).bytes
    };
    // An unknown section whose size leads back to its own name.
    let mut back = Ue::new("UEMODEL", 10, vec![Section::unknown("?", b"")]).build();
    back = back.patch_i32("root.count", i32::MAX).patch_i32("?.size", -9);
    let mut back_v9 = Ue::new("UEMODEL", 9, vec![Section::unknown("?", b"")]).build();
    back_v9 = back_v9.patch_i32("?.size", -13);
    vec![
        case(
            "ueformat/damaged/size_back.uemodel",
            "a size that leads back to the section",
            back.into(),
            "?",
            Reason::Negative,
        ),
        case(
            "ueformat/damaged/size_back_v9.uemodel",
            "a size that leads back to the section",
            back_v9.into(),
            "?",
            Reason::Negative,
        ),
        case(
            "ueformat/damaged/size_min.uemodel",
            "the lowest size",
            patched(10, "SKELETON/BONES.size", i32::MIN),
            "SKELETON/BONES",
            Reason::Negative,
        ),
        case(
            "ueformat/damaged/size_max.uemodel",
            "the highest size",
            patched(10, "SKELETON/BONES.size", i32::MAX),
            "SKELETON/BONES",
            Reason::Short,
        ),
        case(
            "ueformat/damaged/size_max_root.uemodel",
            "the highest size",
            patched(10, "SKELETON.size", i32::MAX),
            "SKELETON",
            Reason::Short,
        ),
        case(
            "ueformat/damaged/size_lod_negative_v9.uemodel",
            "a level of -1 bytes",
            patched(9, "LODS/0.size", -1),
            "LODS/0",
            Reason::Negative,
        ),
        case(
            "ueformat/damaged/size_lod_max_v9.uemodel",
            "the highest size of a level",
            patched(9, "LODS/0.size", i32::MAX),
            "LODS/0",
            Reason::Short,
        ),
        // The last section of the level is cut, or its bytes are the next section's.
        case(
            "ueformat/damaged/size_lod_less_v9.uemodel",
            "a level 4 bytes too small",
            lod_by(-4),
            "LODS/0",
            Reason::Short,
        ),
        case(
            "ueformat/damaged/size_lod_more_v9.uemodel",
            "a level 4 bytes larger than LODS",
            lod_by(4),
            "LODS/0",
            Reason::Short,
        ),
        case(
            "ueformat/damaged/size_less.uemodel",
            "VERTICES 12 bytes too small",
            by(10, "LODS/0/VERTICES", -12),
            "LODS/0",
            Reason::Short,
        ),
        case(
            "ueformat/damaged/size_less_last.uemodel",
            "the last section 12 bytes too small",
            by(10, "SKELETON/VIRTUALBONES", -12),
            "SKELETON/VIRTUALBONES",
            Reason::Short,
        ),
        case(
            "ueformat/damaged/size_more_last.uemodel",
            "the last section of a set 4 bytes larger than the set",
            by(10, "SKELETON/VIRTUALBONES", 4),
            "SKELETON/VIRTUALBONES",
            Reason::Short,
        ),
        case(
            "ueformat/damaged/size_0_tracks.ueanim",
            "TRACKS of 0 bytes, without a count",
            {
                let mut ue = wave_of(10);
                ue.section("TRACKS").body = Body::Record(Marked::default());
                ue.build().into()
            },
            "TRACKS",
            Reason::Short,
        ),
        case(
            "ueformat/damaged/size_0_metadata.ueanim",
            "METADATA of 0 bytes",
            {
                let mut ue = wave_of(9);
                ue.section("METADATA").body = Body::Record(Marked::default());
                ue.build().into()
            },
            "METADATA",
            Reason::Short,
        ),
    ]
}

fn lod_by(by: i32) -> Vec<u8> {
    let built = arm_of(9).build();
    let size = built.offset("LODS/0.end") - built.offset("LODS/0.size") - 4;
    built.patch_i32("LODS/0.size", size as i32 + by).into()
}

/// Sections with bytes behind their elements.
fn left_over() -> Vec<Case> {
    let case = |file, about, version, path: &str| {
        let mut ue = whole(version, path);
        match &mut ue.section(path).body {
            Body::Array(data) | Body::Record(data) => _ = data.raw(b"more"),
            Body::Set(_) | Body::Levels(_) => unreachable!("elements or fields"),
        }
        odd(file, about, "ueformat.md 9", ue.build(), &["trailing-bytes"])
    };
    let less = |file, about, version, path: &str| {
        odd(file, about, "ueformat.md 9", counted(version, path, |count| count - 1), &["trailing-bytes"])
    };
    vec![
        case("ueformat/model/left_vertices.uemodel", "bytes after the vertices", 10, "LODS/0/VERTICES"),
        case("ueformat/model/left_vertices_v9.uemodel", "bytes after the vertices", 9, "LODS/0/VERTICES"),
        case("ueformat/model/left_bones_v9.uemodel", "bytes after the bones", 9, "SKELETON/BONES"),
        case("ueformat/model/left_metadata.uemodel", "bytes after a path", 10, "SKELETON/METADATA"),
        case("ueformat/animation/left_tracks.ueanim", "bytes after the tracks", 10, "TRACKS"),
        case("ueformat/animation/left_metadata.ueanim", "bytes after the fields", 9, "METADATA"),
        case("ueformat/pose/left_poses.uepose", "bytes after the poses", 9, "POSES"),
        less("ueformat/model/less_tangents.uemodel", "more tangents than are counted", 10, "LODS/0/TANGENTS")
            .but(&["trailing-bytes", "vertex-count"]),
        less("ueformat/model/less_morphs_v5.uemodel", "more morph targets than are counted", 5, "LODS/0/MORPHTARGETS"),
        less("ueformat/animation/less_tracks_v5.ueanim", "more tracks than are counted", 5, "TRACKS"),
        odd(
            "ueformat/model/less_root.uemodel",
            "a section behind the set",
            "ueformat.md 3.1",
            patched(10, "root.count", 2),
            &["trailing-bytes"],
        ),
    ]
}

/// Bones of version 10 that are neither of 36 bytes nor of 48.
fn layouts() -> Vec<Case> {
    let case = |file, about, bytes, reason| fault(file, about, "ueformat.md 5.2", bytes, ("SKELETON/BONES", reason));
    let more = |bytes: &[u8]| {
        let mut ue = arm_of(10);
        if let Body::Array(data) = &mut ue.section("SKELETON/BONES").body {
            data.raw(bytes);
        }
        ue.build().bytes
    };
    vec![
        case("ueformat/damaged/bones_left.uemodel", "bytes after the bones", more(b"more"), Reason::Layout),
        case(
            "ueformat/damaged/bones_one_scale.uemodel",
            "a scale of the last bone alone",
            more(&[0; 12]),
            Reason::Layout,
        ),
        case(
            "ueformat/damaged/bones_more.uemodel",
            "a bone more than there are",
            counted(10, "SKELETON/BONES", |count| count + 1),
            Reason::Layout,
        ),
        case(
            "ueformat/damaged/bones_less.uemodel",
            "a bone less than there are",
            counted(10, "SKELETON/BONES", |count| count - 1),
            Reason::Layout,
        ),
        case(
            "ueformat/damaged/bones_none.uemodel",
            "bones that are counted as none",
            counted(10, "SKELETON/BONES", |_| 0),
            Reason::Layout,
        ),
        case(
            "ueformat/damaged/bones_max.uemodel",
            "the highest number of bones",
            counted(10, "SKELETON/BONES", |_| i32::MAX),
            Reason::Layout,
        ),
        case("ueformat/damaged/bones_minus.uemodel", "-1 bones", counted(10, "SKELETON/BONES", |_| -1), Reason::Layout),
        case(
            "ueformat/damaged/bones_name.uemodel",
            "a bone whose name is longer than the section",
            patched(10, "SKELETON/BONES#1", i32::MAX),
            Reason::Layout,
        ),
    ]
}
