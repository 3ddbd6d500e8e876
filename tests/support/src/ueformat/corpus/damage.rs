//! Headers that are wrong, files that end early, and bytes behind the end.

use super::super::build::{Built, Section, Ue};
use super::assets::{arm_of, faces_of, wave_of};
use super::{Case, Reason, fault, odd};

pub(super) fn cases() -> Vec<Case> {
    let mut cases = headers();
    cases.extend(cuts());
    cases.extend(ends());
    cases
}

fn headers() -> Vec<Case> {
    let case = |file, about, bytes: Vec<u8>, reason| fault(file, about, "ueformat.md 2", bytes, ("header", reason));
    let arm = || arm_of(10).build();
    let named = |identifier: &str| Ue { identifier: identifier.into(), ..arm_of(9) }.build().bytes;
    vec![
        case("ueformat/damaged/empty.uemodel", "no byte", Vec::new(), Reason::Empty),
        case(
            "ueformat/damaged/magic.uemodel",
            "another magic",
            arm().patch("magic", b"UEFORMAX").into(),
            Reason::Magic,
        ),
        case(
            "ueformat/damaged/magic_lower.uemodel",
            "a magic in lower case",
            arm().patch("magic", b"ueformat").into(),
            Reason::Magic,
        ),
        case(
            "ueformat/damaged/magic_cut.uemodel",
            "a byte less than a magic",
            arm().cut("magic", 7).into(),
            Reason::Magic,
        ),
        case("ueformat/damaged/magic_alone.uemodel", "a magic alone", arm().cut("identifier", 0).into(), Reason::Short),
        case("ueformat/damaged/kind_world.uemodel", "UEWORLD, a kind of 2023", named("UEWORLD"), Reason::Kind),
        case("ueformat/damaged/kind_lower.uemodel", "a kind in lower case", named("uemodel"), Reason::Kind),
        case("ueformat/damaged/kind_empty.uemodel", "no kind", named(""), Reason::Kind),
        case(
            "ueformat/damaged/kind_longer.uemodel",
            "a kind that begins like another",
            named("UEMODELS"),
            Reason::Kind,
        ),
        case(
            "ueformat/damaged/kind_negative.uemodel",
            "a kind of -1 bytes",
            arm().patch_i32("identifier", -1).into(),
            Reason::Negative,
        ),
        case(
            "ueformat/damaged/kind_max.uemodel",
            "a kind of 2 GiB",
            arm().patch_i32("identifier", i32::MAX).into(),
            Reason::Short,
        ),
        case(
            "ueformat/damaged/version_11.uemodel",
            "a newer version",
            arm().patch("version", &[11]).into(),
            Reason::Version,
        ),
        case(
            "ueformat/damaged/version_255.ueanim",
            "the highest version",
            wave_of(10).build().patch("version", &[255]).into(),
            Reason::Version,
        ),
        case("ueformat/damaged/version_cut.uemodel", "no version", arm().cut("version", 0).into(), Reason::Short),
        case(
            "ueformat/damaged/name_negative.uemodel",
            "an object name of -5 bytes",
            arm().patch_i32("name", -5).into(),
            Reason::Negative,
        ),
        case(
            "ueformat/damaged/name_max.uemodel",
            "an object name of 2 GiB",
            arm().patch_i32("name", i32::MAX).into(),
            Reason::Short,
        ),
        case(
            "ueformat/damaged/name_cut.uemodel",
            "a file that ends in the length of a name",
            arm().cut("name", 2).into(),
            Reason::Short,
        ),
        case(
            "ueformat/damaged/path_negative.uemodel",
            "a path of -1 bytes",
            arm().patch_i32("path", -1).into(),
            Reason::Negative,
        ),
        case(
            "ueformat/damaged/path_cut.uemodel",
            "a file that ends in the path",
            arm().cut("path", 6).into(),
            Reason::Short,
        ),
        case(
            "ueformat/damaged/compressed_cut.uemodel",
            "a file that ends before compression",
            arm().cut("is_compressed", 0).into(),
            Reason::Short,
        ),
        // As if there were a path: its length is the flag and the number of bytes of the first name.
        fault(
            "ueformat/damaged/version_9_as_10.uemodel",
            "version 9 that is called 10",
            "ueformat.md 2",
            arm_of(9).build().patch("version", &[10]),
            ("", Reason::Short),
        ),
    ]
}

/// Files that end at a border of a section: at its name, in its header, at its data.
fn cuts() -> Vec<Case> {
    const MODEL_10: [(&str, &str, &str); 8] = [
        ("ueformat/damaged/cut_root.uemodel", "root.count", "root"),
        ("ueformat/damaged/cut_lods.uemodel", "LODS", "root"),
        ("ueformat/damaged/cut_lods_size.uemodel", "LODS.size", "LODS"),
        ("ueformat/damaged/cut_lods_data.uemodel", "LODS.data", "LODS"),
        ("ueformat/damaged/cut_skeleton.uemodel", "SKELETON", "root"),
        ("ueformat/damaged/cut_skeleton_size.uemodel", "SKELETON.size", "SKELETON"),
        ("ueformat/damaged/cut_skeleton_data.uemodel", "SKELETON.data", "SKELETON"),
        ("ueformat/damaged/cut_collision.uemodel", "COLLISION", "root"),
    ];
    // The root of version 3 is a level, so that each border is one of the file.
    const MODEL_3: [(&str, &str, &str); 13] = [
        ("ueformat/damaged/cut_v3_vertices_count.uemodel", "VERTICES.count", "root"),
        ("ueformat/damaged/cut_v3_vertices_size.uemodel", "VERTICES.size", "VERTICES"),
        ("ueformat/damaged/cut_v3_vertices.uemodel", "VERTICES.data", "VERTICES"),
        ("ueformat/damaged/cut_v3_normals.uemodel", "NORMALS.data", "NORMALS"),
        ("ueformat/damaged/cut_v3_tangents.uemodel", "TANGENTS.data", "TANGENTS"),
        ("ueformat/damaged/cut_v3_uvs.uemodel", "TEXCOORDS.data", "TEXCOORDS"),
        ("ueformat/damaged/cut_v3_indices.uemodel", "INDICES.data", "INDICES"),
        ("ueformat/damaged/cut_v3_colours.uemodel", "VERTEXCOLORS.data", "VERTEXCOLORS"),
        ("ueformat/damaged/cut_v3_materials.uemodel", "MATERIALS.data", "MATERIALS"),
        ("ueformat/damaged/cut_v3_weights.uemodel", "WEIGHTS.data", "WEIGHTS"),
        ("ueformat/damaged/cut_v3_morphs.uemodel", "MORPHTARGETS.data", "MORPHTARGETS"),
        ("ueformat/damaged/cut_v3_bones.uemodel", "BONES.data", "BONES"),
        ("ueformat/damaged/cut_v3_sockets.uemodel", "SOCKETS.data", "SOCKETS"),
    ];
    const CLIP: [(&str, &str, &str); 5] = [
        ("ueformat/damaged/cut_metadata.ueanim", "METADATA.data", "METADATA"),
        ("ueformat/damaged/cut_tracks_name.ueanim", "TRACKS", "root"),
        ("ueformat/damaged/cut_tracks.ueanim", "TRACKS.data", "TRACKS"),
        ("ueformat/damaged/cut_track.ueanim", "TRACKS#1", "TRACKS"),
        ("ueformat/damaged/cut_curves.ueanim", "CURVES.data", "CURVES"),
    ];
    const POSES: [(&str, &str, &str); 2] = [
        ("ueformat/damaged/cut_poses.uepose", "POSES.data", "POSES"),
        ("ueformat/damaged/cut_pose_curves.uepose", "CURVES.data", "CURVES"),
    ];
    let cut = |list: &[(&'static str, &str, &'static str)], whole: &Built| -> Vec<Case> {
        let case = |(file, at, section): &(&'static str, &str, &'static str)| {
            let bytes = whole.clone().cut(at, 0);
            fault(file, "a file that ends at a border", "ueformat.md 3", bytes, (section, Reason::Short))
        };
        list.iter().map(case).collect()
    };
    let mut cases = cut(&MODEL_10, &arm_of(10).build());
    cases.extend(cut(&MODEL_3, &arm_of(3).build()));
    cases.extend(cut(&CLIP, &wave_of(10).build()));
    cases.extend(cut(&POSES, &faces_of(9).build()));
    let case =
        |file, about, built: Built, section| fault(file, about, "ueformat.md 3", built, (section, Reason::Short));
    cases.extend([
        case(
            "ueformat/damaged/cut_preamble.ueanim",
            "half of the numbers before the sections",
            wave_of(5).build().cut("preamble.rate", 0),
            "root",
        ),
        case(
            "ueformat/damaged/cut_body.ueanim",
            "no number before the sections",
            wave_of(6).build().cut("body", 0),
            "root",
        ),
        case(
            "ueformat/damaged/cut_last.uemodel",
            "the last byte is missing",
            arm_of(9).build().cut("end", -1),
            "COLLISION",
        ),
        case(
            "ueformat/damaged/cut_last_v10.uepose",
            "the last byte is missing",
            faces_of(10).build().cut("end", -1),
            "CURVES",
        ),
    ]);
    // In version 9 nothing says that a section is missing at a border.
    let border = |file, about, built: Built, at, findings: &[&'static str]| {
        odd(file, about, "ueformat.md 3.2", built.cut(at, 0), findings)
    };
    cases.extend([
        border(
            "ueformat/model/border_v9.uemodel",
            "a file that ends after LODS",
            arm_of(9).build(),
            "SKELETON",
            &["weight-bone"],
        ),
        border(
            "ueformat/model/border_v3.uemodel",
            "a file that ends after VERTICES",
            arm_of(3).build(),
            "NORMALS",
            &[],
        ),
        border(
            "ueformat/animation/border_v5.ueanim",
            "a file that ends after the tracks",
            wave_of(5).build(),
            "CURVES",
            &[],
        ),
    ]);
    cases
}

fn ends() -> Vec<Case> {
    let trailing = |ue: Ue, bytes: &[u8]| Ue { trailing: bytes.to_vec(), ..ue }.build();
    let tail = ["trailing-bytes"];
    vec![
        odd(
            "ueformat/model/trailing.uemodel",
            "bytes after the set",
            "ueformat.md 9",
            trailing(arm_of(10), b"fourteen bytes"),
            &tail,
        ),
        odd(
            "ueformat/animation/trailing.ueanim",
            "a byte after the set",
            "ueformat.md 9",
            trailing(wave_of(10), &[0]),
            &tail,
        ),
        odd(
            "ueformat/pose/trailing.uepose",
            "a byte after the set",
            "ueformat.md 9",
            trailing(faces_of(10), &[0]),
            &tail,
        ),
        fault(
            "ueformat/damaged/tail_v9.uemodel",
            "3 bytes after the last section",
            "ueformat.md 9",
            trailing(arm_of(9), b"abc"),
            ("root", Reason::Short),
        ),
        fault(
            "ueformat/damaged/tail_v5.ueanim",
            "a byte after the last section",
            "ueformat.md 9",
            trailing(wave_of(5), &[0]),
            ("root", Reason::Short),
        ),
        fault(
            "ueformat/damaged/tail_zeros_v9.uemodel",
            "11 zero bytes after the last section",
            "ueformat.md 9",
            trailing(arm_of(9), &[0; 11]),
            ("", Reason::Short),
        ),
        odd(
            "ueformat/model/tail_section_v9.uemodel",
            "12 zero bytes: a section without name",
            "ueformat.md 9",
            trailing(arm_of(9), &[0; 12]),
            &["section-unknown"],
        ),
    ]
}

/// Files of some size that say little: a reader must not take many times their size.
pub(super) fn in_memory() -> Vec<Case> {
    let case =
        |file, about, bytes: Vec<u8>, section, reason| fault(file, about, "ueformat.md 8", bytes, (section, reason));
    let zeros = |version, name: &str, count: i32| {
        let section = Section { count, ..Section::unknown(name, &vec![0; 1 << 20]) };
        let built = Ue::new("UEMODEL", version, vec![section]).build();
        // Without a mark for the count: it stands where the data begins, in version 10.
        let at = format!("{name}.data");
        if version == 10 { built.patch_i32(&at, count).bytes } else { built.bytes }
    };
    vec![
        case(
            "ueformat/in_memory/levels_million.uemodel",
            "1 048 576 levels in 1 MiB",
            zeros(10, "LODS", 1 << 20),
            "LODS",
            Reason::Short,
        ),
        odd(
            "ueformat/in_memory/levels_fit.uemodel",
            "131 071 levels without names and sections in 1 MiB",
            "ueformat.md 8",
            zeros(10, "LODS", 131_071),
            &["lod-name", "trailing-bytes"],
        ),
        odd(
            "ueformat/in_memory/levels_fit_v9.uemodel",
            "131 072 levels without names and sections in 1 MiB",
            "ueformat.md 8",
            zeros(9, "LODS", 131_072),
            &["lod-name"],
        ),
        odd(
            "ueformat/in_memory/hulls_fit.uemodel",
            "87 381 hulls without anything in 1 MiB",
            "ueformat.md 8",
            zeros(10, "COLLISION", 87_381),
            &[],
        ),
    ]
}
