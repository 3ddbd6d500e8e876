//! Files with nothing odd, and those with the known faults of their writer.

use super::super::asset::{Animation, Bone, ColourSet, IDENTITY, Model, Morph, Pose, Skeleton, UvSet, Weight};
use super::super::build::{self, Body, Marked, Packing, Section, Style, Ue};
use super::assets::{
    arm, arm_of, arm_with, box_with_hull, faces, faces_of, faces_with, lod_with, skeleton_only, skeleton_with, wave,
    wave_of, wave_with,
};
use super::{Case, odd, ok};

pub(super) fn cases() -> Vec<Case> {
    let mut cases = versions();
    cases.extend(shapes());
    cases.extend(details());
    cases.extend(unknown());
    cases.extend(faults_of_the_writer());
    cases.extend(examples());
    cases
}

/// The files of the examples in the documentation.
fn examples() -> Vec<Case> {
    let two_levels = arm_with(10, |model| {
        let mut coarse = model.lods[0].clone();
        coarse.name = b"LOD1".to_vec();
        coarse.indices.truncate(24);
        coarse.materials.truncate(1);
        coarse.morphs.clear();
        model.lods.push(coarse);
    });
    let sparse = wave_with(10, |clip| clip.tracks[1].positions.push((7, [15.0, 1.5, 0.5])));
    let two = faces_with(10, |pose| pose.poses.truncate(2));
    vec![
        ok(
            "ueformat/model/two_levels.uemodel",
            "two levels of detail",
            "ueformat.md 5.1",
            two_levels.named("Arm").build(),
        ),
        ok("ueformat/model/gzip.uemodel", "compressed with gzip", "ueformat.md 2", {
            arm_of(10).named("Arm").pack(Packing::Gzip)
        }),
        ok(
            "ueformat/animation/sparse.ueanim",
            "keys where a value changes",
            "ueformat.md 6.2",
            sparse.named("Wave").build(),
        ),
        ok("ueformat/pose/two.uepose", "two poses", "ueformat.md 6b", two.named("Faces").build()),
        // More than the library reads, and no fault of the file.
        ok("ueformat/damaged/uv_sets_65.uemodel", "65 UV sets", "ueformat.md 5.1", {
            let set = |at: u8| UvSet { name: format!("UV{at}").into(), uvs: Vec::new() };
            lod_with(10, |lod| lod.uvs = (0..65).map(set).collect()).build()
        }),
        ok("ueformat/damaged/name_4097.ueanim", "a name of 4,097 bytes", "ueformat.md 6.1", {
            wave_with(10, |clip| clip.tracks[0].name = vec![b'n'; 4097]).build()
        }),
    ]
}

fn versions() -> Vec<Case> {
    const MODELS: [(&str, &str); 11] = [
        ("ueformat/model/v0.uemodel", "version 0: normals without a sign, one colour set without a name"),
        ("ueformat/model/v1.uemodel", "version 1: normals with a sign"),
        ("ueformat/model/v2.uemodel", "version 2: colour sets with names"),
        ("ueformat/model/v3.uemodel", "version 3: COLLISION without elements"),
        ("ueformat/model/v4.uemodel", "version 4: levels and SKELETON"),
        ("ueformat/model/v5.uemodel", "version 5: virtual bones"),
        ("ueformat/model/v6.uemodel", "version 6: paths of materials"),
        ("ueformat/model/v7.uemodel", "version 7: METADATA of the skeleton, mirrored"),
        ("ueformat/model/v8.uemodel", "version 8: Unreal's own space"),
        ("ueformat/model/v9.uemodel", "version 9: as version 8"),
        ("ueformat/model/v10.uemodel", "version 10: attribute sets, bones without scale"),
    ];
    const CLIPS: [(&str, &str); 11] = [
        ("ueformat/animation/v0.ueanim", "version 0: frames and rate before the sections"),
        ("ueformat/animation/v1.ueanim", "version 1: as version 0"),
        ("ueformat/animation/v2.ueanim", "version 2: as version 0"),
        ("ueformat/animation/v3.ueanim", "version 3: as version 0"),
        ("ueformat/animation/v4.ueanim", "version 4: as version 0"),
        ("ueformat/animation/v5.ueanim", "version 5: as version 0"),
        ("ueformat/animation/v6.ueanim", "version 6: as version 0"),
        ("ueformat/animation/v7.ueanim", "version 7: METADATA, mirrored"),
        ("ueformat/animation/v8.ueanim", "version 8: Unreal's own space"),
        ("ueformat/animation/v9.ueanim", "version 9: as version 8"),
        ("ueformat/animation/v10.ueanim", "version 10: attribute sets"),
    ];
    let models = MODELS
        .into_iter()
        .zip(0..)
        .map(|((file, about), version)| ok(file, about, "ueformat.md 3.3", arm_of(version).build()));
    let clips = CLIPS
        .into_iter()
        .zip(0..)
        .map(|((file, about), version)| ok(file, about, "ueformat.md 6", wave_of(version).build()));
    let mut cases: Vec<Case> = models.chain(clips).collect();
    cases.extend([
        ok("ueformat/pose/v9.uepose", "version 9: the first with poses", "ueformat.md 6b", faces_of(9).build()),
        ok("ueformat/pose/v10.uepose", "version 10: attribute sets", "ueformat.md 6b", faces_of(10).build()),
    ]);
    cases
}

fn shapes() -> Vec<Case> {
    let source = "ueformat.md 5";
    let still = |version, style| build::model(version, &box_with_hull(), style);
    let bones = |version, style| build::model(version, &skeleton_only(), style).build();
    let cue = |model: &Model| build::model(10, model, Style::CUE4PARSE).build();
    let nothing = |version, style| build::model(version, &Model::default(), style).build();
    let scaled = |model: &mut Model| {
        let skeleton = model.skeleton.get_or_insert_default();
        skeleton.bones[1].scale = [1.0, 1.5, 0.75];
    };
    let levels = |version, names: [&str; 3]| {
        arm_with(version, |model| {
            let lod = model.lods.remove(0);
            model.lods = names.map(|name| crate::with(lod.clone(), |lod| lod.name = name.into())).to_vec();
            // Another number of triangles in the last one.
            model.lods[2].indices.truncate(24);
            model.lods[2].materials.truncate(1);
        })
        .build()
    };
    let clip = |version, style, clip: &Animation| build::animation(version, clip, style).build();
    vec![
        ok(
            "ueformat/model/v10_scale.uemodel",
            "version 10: bones with scale",
            source,
            cue(&crate::with(arm(), scaled)),
        ),
        ok(
            "ueformat/model/v10_scale_one_bone.uemodel",
            "one bone with scale, and nothing else",
            source,
            cue(&crate::with(skeleton_only(), |model| {
                let skeleton = model.skeleton.get_or_insert_default();
                skeleton.bones.truncate(1);
                skeleton.virtual_bones.clear();
            })),
        ),
        ok(
            "ueformat/model/bones_0.uemodel",
            "a skeleton without bones",
            source,
            build::model(10, &Model { skeleton: Some(Skeleton::default()), ..Model::default() }, Style::LIBRARY)
                .build(),
        ),
        ok("ueformat/model/v10_omitted.uemodel", "version 10: sections without elements left out", source, {
            build::model(10, &arm(), Style { has_bone_scale: false, writes_empty: false }).build()
        }),
        ok(
            "ueformat/model/static_v3.uemodel",
            "a static mesh with hulls in the root",
            source,
            still(3, Style::LIBRARY).build(),
        ),
        ok("ueformat/model/static_v4.uemodel", "a static mesh, mirrored", source, still(4, Style::CUE4PARSE).build()),
        ok(
            "ueformat/model/static_v9.uemodel",
            "a static mesh of version 9",
            source,
            still(9, Style::CUE4PARSE).build(),
        ),
        ok(
            "ueformat/model/static_v10.uemodel",
            "a static mesh of version 10",
            source,
            still(10, Style::LIBRARY).build(),
        ),
        ok(
            "ueformat/model/skeleton_v3.uemodel",
            "bones without a level in the root",
            source,
            bones(3, Style::CUE4PARSE),
        ),
        ok("ueformat/model/skeleton_v4.uemodel", "bones without a mesh, mirrored", source, bones(4, Style::CUE4PARSE)),
        ok("ueformat/model/skeleton_v9.uemodel", "bones without a mesh", source, bones(9, Style::CUE4PARSE)),
        ok("ueformat/model/skeleton_v10.uemodel", "bones and no levels", source, bones(10, Style::LIBRARY)),
        ok("ueformat/model/skeleton_omitted.uemodel", "bones and no LODS", source, bones(10, Style::CUE4PARSE)),
        ok("ueformat/model/nothing_v0.uemodel", "no section", source, nothing(0, Style::CUE4PARSE)),
        ok("ueformat/model/nothing_v9.uemodel", "no section", source, nothing(9, Style::CUE4PARSE)),
        ok("ueformat/model/nothing_v10.uemodel", "a set of no section", source, nothing(10, Style::CUE4PARSE)),
        ok("ueformat/model/nothing_empty.uemodel", "sections of no element", source, nothing(10, Style::LIBRARY)),
        ok("ueformat/model/levels_v4.uemodel", "three levels, mirrored", source, levels(4, ["LOD0", "LOD1", "LOD3"])),
        ok("ueformat/model/levels_v10.uemodel", "three levels", source, levels(10, ["LOD0", "LOD1", "Nanite"])),
        odd(
            "ueformat/model/levels_one_name.uemodel",
            "two levels of one name, as CUE4Parse wrote Nanite levels in 2026",
            "ueformat.md 3.4",
            levels(10, ["LOD0", "LOD0", "LOD1"]),
            &["lod-name"],
        ),
        ok("ueformat/animation/nothing_v9.ueanim", "METADATA alone", "ueformat.md 6", {
            clip(9, Style::CUE4PARSE, &Animation { metadata: wave().metadata, ..Animation::default() })
        }),
        ok("ueformat/animation/nothing_v5.ueanim", "two numbers and no section", "ueformat.md 6", {
            clip(5, Style::CUE4PARSE, &Animation { metadata: wave().metadata, ..Animation::default() })
        }),
        odd(
            "ueformat/animation/no_metadata.ueanim",
            "a set of no section",
            "ueformat.md 6",
            clip(10, Style::CUE4PARSE, &Animation::default()),
            &["no-metadata"],
        ),
        ok("ueformat/pose/nothing.uepose", "a set of no section", "ueformat.md 6b", {
            build::pose(10, &Pose::default(), Style::CUE4PARSE).build()
        }),
    ]
}

fn details() -> Vec<Case> {
    let unnamed = |ue: Ue| Ue { path: Vec::new(), ..ue.named("") }.build();
    let many_bones = skeleton_with(10, |skeleton| {
        let bone = |at: i32| Bone::new(format!("Bone{at}"), at - 1, [1.0, 0.0, 0.0], IDENTITY);
        skeleton.bones.extend((3..300).map(bone));
    });
    let many_weights = lod_with(10, |lod| {
        lod.weights =
            (0..8).flat_map(|vertex| (0..16).map(move |at| Weight { bone: at % 3, vertex, weight: 0.0625 })).collect();
    });
    let sets = |version| {
        lod_with(version, |lod| {
            let (uvs, colours) = (lod.uvs[0].uvs.clone(), lod.colours[0].colours.clone());
            lod.uvs = (0..8).map(|at| UvSet { name: format!("UV{at}").into(), uvs: uvs.clone() }).collect();
            lod.colours =
                ["COL0", "Snow", "Wind"].map(|name| ColourSet { name: name.into(), colours: colours.clone() }).to_vec();
        })
        .build()
    };
    let curves_only = |version| wave_with(version, |clip| clip.tracks.clear()).build();
    let dense = wave_with(10, |clip| {
        for track in &mut clip.tracks {
            let (position, rotation, scale) = (track.positions[0].1, track.rotations[0].1, track.scales[0].1);
            track.positions = (0..8).map(|frame| (frame, position)).collect();
            track.rotations = (0..8).map(|frame| (frame, rotation)).collect();
            track.scales = (0..8).map(|frame| (frame, scale)).collect();
        }
    });
    let additive = wave_with(10, |clip| {
        let metadata = clip.metadata.get_or_insert_default();
        (metadata.additive, metadata.base, metadata.base_frame) = (1, 4, 3);
        metadata.path = "/Game/B\u{fc}hne.B\u{fc}hne".into();
    });
    vec![
        ok("ueformat/model/no_names.uemodel", "no object name and no path", "ueformat.md 2", unnamed(arm_of(10))),
        ok("ueformat/model/no_name_v9.uemodel", "no object name", "ueformat.md 2", unnamed(arm_of(9))),
        ok("ueformat/model/bones_300.uemodel", "more bones than a byte counts", "ueformat.md 5.2", many_bones.build()),
        ok(
            "ueformat/model/influences_16.uemodel",
            "16 influences of a vertex",
            "ueformat.md 5.1",
            many_weights.build(),
        ),
        ok("ueformat/model/sets_v9.uemodel", "8 UV sets and 3 colour sets", "ueformat.md 5.1", sets(9)),
        ok("ueformat/model/sets_v10.uemodel", "8 UV sets and 3 colour sets", "ueformat.md 5.1", sets(10)),
        ok("ueformat/model/morph_empty.uemodel", "a morph target that moves nothing", "ueformat.md 5.1", {
            lod_with(10, |lod| lod.morphs.push(Morph { name: "still".into(), deltas: Vec::new() })).build()
        }),
        ok("ueformat/model/not_ascii.uemodel", "names that are not ASCII", "ueformat.md 1", {
            skeleton_with(10, |skeleton| skeleton.bones[2].name = "H\u{e4}nde \u{624b}".into())
                .named("\u{8155}")
                .build()
        })
        .but(&["socket-bone", "virtual-bone"]),
        ok("ueformat/animation/curves_only_v9.ueanim", "curves and no track", "ueformat.md 6", curves_only(9)),
        ok("ueformat/animation/curves_only_v10.ueanim", "curves and no track", "ueformat.md 6", curves_only(10)),
        ok("ueformat/animation/dense.ueanim", "a key for every frame", "ueformat.md 6.3", dense.build()),
        ok(
            "ueformat/animation/additive.ueanim",
            "additive flags and the path of a pose",
            "ueformat.md 6.4",
            additive.build(),
        ),
        ok("ueformat/animation/no_keys.ueanim", "a track without keys", "ueformat.md 6.3", {
            wave_with(10, |clip| {
                let track = &mut clip.tracks[1];
                (track.positions, track.rotations, track.scales) = (Vec::new(), Vec::new(), Vec::new());
            })
            .build()
        }),
        ok("ueformat/animation/one_channel.ueanim", "a track of rotations alone", "ueformat.md 6.3", {
            wave_with(10, |clip| {
                clip.tracks[1].positions.clear();
                clip.tracks[1].scales.clear();
            })
            .build()
        }),
        ok("ueformat/pose/no_curves.uepose", "poses of bones alone", "ueformat.md 6b", {
            faces_with(10, |pose| {
                pose.curves.clear();
                pose.poses.truncate(1);
            })
            .build()
        }),
        ok("ueformat/pose/curves_only.uepose", "names of curves and no pose", "ueformat.md 6b", {
            build::pose(9, &Pose { poses: Vec::new(), ..faces() }, Style::CUE4PARSE).build()
        }),
    ]
}

/// Unknown sections first and last, and the known ones in reverse order.
fn shuffled(mut ue: Ue, lists: &[&str]) -> Ue {
    for path in lists {
        let list = ue.list(path);
        list.reverse();
        list.insert(0, Section::unknown("PHYSICSBODIES", b"\x01\x02\x03"));
        list.push(Section::unknown("", b""));
    }
    ue
}

fn unknown() -> Vec<Case> {
    let source = "ueformat.md 3";
    let case = |file, about, ue: Ue, lists: &[&str]| {
        odd(file, about, source, shuffled(ue, lists).build(), &["section-unknown"])
    };
    let of_model = ["LODS/0", "SKELETON", ""];
    let mut nested = arm_of(10);
    let inner = (0..200).fold(Section::new("SKELETON", 0, build::Body::Set(Vec::new())), |inner, _| {
        Section::new("SKELETON", 1, build::Body::Set(vec![inner]))
    });
    nested.list("SKELETON").push(inner);
    let mut older = arm_of(3);
    older.list("").extend([Section::unknown("LODS", b""), Section::unknown("SKELETON", b"")]);
    let mut newer = arm_of(9);
    newer.list("").extend([Section::unknown("VERTICES", b""), Section::unknown("BONES", b"")]);
    let twice = |file, about, mut ue: Ue, path: &str, name: &str| {
        let list = ue.list(path);
        let second = list.iter().find(|section| section.name == name.as_bytes()).expect("the first").clone();
        list.push(second);
        odd(file, about, "ueformat.md 9", ue.build(), &["section-twice"])
    };
    vec![
        case("ueformat/model/unknown_v1.uemodel", "unknown sections, reverse order", arm_of(1), &[""]),
        case("ueformat/model/unknown_v9.uemodel", "unknown sections, reverse order", arm_of(9), &of_model),
        case("ueformat/model/unknown_v10.uemodel", "unknown sections, reverse order", arm_of(10), &of_model),
        case("ueformat/animation/unknown_v5.ueanim", "unknown sections, reverse order", wave_of(5), &[""]),
        case("ueformat/animation/unknown_v10.ueanim", "unknown sections, reverse order", wave_of(10), &[""]),
        case("ueformat/pose/unknown_v10.uepose", "unknown sections, reverse order", faces_of(10), &[""]),
        odd(
            "ueformat/model/nested.uemodel",
            "200 SKELETON sets in one another",
            source,
            nested.build(),
            &["section-unknown"],
        ),
        odd(
            "ueformat/model/newer_v3.uemodel",
            "sections of version 4 in version 3",
            source,
            older.build(),
            &["section-unknown"],
        ),
        odd(
            "ueformat/model/older_v9.uemodel",
            "sections of version 3 in version 9",
            source,
            newer.build(),
            &["section-unknown"],
        ),
        twice("ueformat/model/twice_v10.uemodel", "VERTICES twice", arm_of(10), "LODS/0", "VERTICES"),
        twice("ueformat/model/twice_v9.uemodel", "SKELETON twice", arm_of(9), "", "SKELETON"),
        twice("ueformat/animation/twice_v10.ueanim", "TRACKS twice", wave_of(10), "", "TRACKS"),
    ]
}

fn faults_of_the_writer() -> Vec<Case> {
    let source = "ueformat.md 3.4";
    let counted = |version, path: &str| {
        let mut ue = arm_of(version);
        ue.section(path).count += 2;
        ue.build()
    };
    let moved = |version, keeps: bool| {
        let mut ue = arm_of(version);
        let list = ue.list("SKELETON");
        let at = list.iter().position(|section| section.name == b"METADATA").expect("METADATA");
        let mut section = if keeps { list[at].clone() } else { list.remove(at) };
        section.count = 0;
        let skeleton = ue.sections.iter().position(|section| section.name == b"SKELETON").expect("SKELETON");
        ue.sections.insert(skeleton, section);
        ue
    };
    let mut alone = moved(9, false);
    alone.sections.retain(|section| section.name != b"SKELETON");
    let path = |path: &str| {
        Section::new(
            "METADATA",
            0,
            Body::Record(crate::with(Marked::default(), |data| {
                data.name(path.as_bytes());
            })),
        )
    };
    let twice = crate::with(moved(9, false), |ue| ue.sections.push(path("/Game/Other")));
    let last = crate::with(moved(9, true), |ue| {
        ue.sections.retain(|section| section.name != b"METADATA");
        ue.sections.push(path("/Game/Other"));
    });
    let rest = crate::with(moved(8, false), |ue| {
        if let Body::Record(data) = &mut ue.section("METADATA").body {
            data.raw(b"more");
        }
    });
    vec![
        odd(
            "ueformat/model/root_metadata_twice.uemodel",
            "METADATA in the root twice",
            source,
            twice.build(),
            &["metadata-in-root", "section-twice"],
        ),
        odd(
            "ueformat/model/root_metadata_last.uemodel",
            "another path in the root behind that of the skeleton, which counts",
            source,
            last.build(),
            &["metadata-in-root"],
        ),
        odd(
            "ueformat/model/root_metadata_rest.uemodel",
            "bytes behind the path in the root",
            source,
            rest.build(),
            &["metadata-in-root", "trailing-bytes"],
        ),
        odd(
            "ueformat/model/morph_count_v1.uemodel",
            "two morph targets too many are counted, BONES follow",
            source,
            counted(1, "MORPHTARGETS"),
            &["count-too-high"],
        ),
        odd(
            "ueformat/model/morph_count_v5.uemodel",
            "two morph targets too many are counted",
            source,
            counted(5, "LODS/0/MORPHTARGETS"),
            &["count-too-high"],
        ),
        odd(
            "ueformat/model/socket_count_v3.uemodel",
            "two sockets too many are counted",
            source,
            counted(3, "SOCKETS"),
            &["count-too-high"],
        ),
        odd(
            "ueformat/model/socket_count_v5.uemodel",
            "two sockets too many are counted, VIRTUALBONES follow",
            source,
            counted(5, "SKELETON/SOCKETS"),
            &["count-too-high"],
        ),
        odd(
            "ueformat/model/socket_count_v9.uemodel",
            "two sockets too many are counted",
            source,
            counted(9, "SKELETON/SOCKETS"),
            &["count-too-high"],
        ),
        odd(
            "ueformat/model/root_metadata_v8.uemodel",
            "METADATA of the skeleton in the root",
            source,
            moved(8, false).build(),
            &["metadata-in-root"],
        ),
        odd(
            "ueformat/model/root_metadata_v9.uemodel",
            "METADATA of the skeleton in the root",
            source,
            moved(9, false).build(),
            &["metadata-in-root"],
        ),
        odd(
            "ueformat/model/root_metadata_both.uemodel",
            "METADATA in the root and in the skeleton",
            source,
            moved(9, true).build(),
            &["metadata-in-root"],
        ),
        odd(
            "ueformat/model/root_metadata_alone.uemodel",
            "METADATA in the root and no skeleton",
            source,
            alone.build(),
            &["metadata-in-root", "weight-bone"],
        ),
        odd(
            "ueformat/model/metadata_v10.uemodel",
            "METADATA in the root of version 10 is unknown",
            source,
            {
                let mut ue = arm_of(10);
                let section = ue.section("SKELETON/METADATA").clone();
                ue.sections.insert(0, section);
                ue.build()
            },
            &["section-unknown"],
        ),
        odd(
            "ueformat/animation/duplicate_keys.ueanim",
            "a frame twice in a channel",
            source,
            wave_with(9, |clip| clip.tracks[1].rotations.insert(1, (0, IDENTITY))).build(),
            &["key-duplicate"],
        ),
        odd(
            "ueformat/model/normals_nan.uemodel",
            "normals of no number, as of a zero vector",
            source,
            lod_with(9, |lod| lod.normals[3] = [0.0, f32::NAN, f32::NAN, f32::NAN]).build(),
            &["not-finite"],
        ),
    ]
}
