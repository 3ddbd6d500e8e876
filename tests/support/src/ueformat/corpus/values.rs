//! Files that are readable and hold values without meaning.

use super::super::asset::{Bone, IDENTITY, Lod, Metadata, Pose, Skeleton, Track};
use super::super::build::{self, Style};
use super::assets::{arm_of, arm_with, box_with_hull, faces_with, lod_with, skeleton_with, wave_with};
use super::{Case, odd, ok};

pub(super) fn cases() -> Vec<Case> {
    let mut cases = triangles();
    cases.extend(weights());
    cases.extend(bones());
    cases.extend(names());
    cases.extend(metadata());
    cases.extend(keys());
    cases.extend(poses());
    cases
}

const NOT_UTF8: &[u8] = b"H\xE4nd";

fn triangles() -> Vec<Case> {
    let case = |file, about, change: fn(&mut Lod), findings: &[&'static str]| {
        odd(file, about, "ueformat.md 5.1", lod_with(10, change).build(), findings)
    };
    let hull = |file, about, index: i32| {
        let model = crate::with(box_with_hull(), |model| model.hulls[1].indices[4] = index);
        odd(file, about, "ueformat.md 5.3", build::model(10, &model, Style::LIBRARY).build(), &["hull-vertex"])
    };
    vec![
        case(
            "ueformat/model/index_8.uemodel",
            "an index one beyond the vertices",
            |lod| lod.indices[7] = 8,
            &["face-vertex"],
        ),
        case(
            "ueformat/model/index_max.uemodel",
            "the highest index",
            |lod| lod.indices[0] = u32::MAX,
            &["face-vertex"],
        ),
        case(
            "ueformat/model/indices_35.uemodel",
            "a triangle of two corners",
            |lod| lod.indices.truncate(35),
            &["index-count", "material-range"],
        ),
        case(
            "ueformat/model/face_degenerate.uemodel",
            "a triangle with one vertex twice",
            |lod| {
                lod.indices[4] = lod.indices[3];
            },
            &["face-degenerate"],
        ),
        case(
            "ueformat/model/no_vertices.uemodel",
            "triangles and no vertex",
            |lod| {
                *lod = Lod { name: lod.name.clone(), indices: vec![0, 1, 2], ..Lod::default() };
            },
            &["face-vertex"],
        ),
        case(
            "ueformat/model/normals_7.uemodel",
            "a normal is missing",
            |lod| lod.normals.truncate(7),
            &["vertex-count"],
        ),
        case(
            "ueformat/model/tangents_9.uemodel",
            "a tangent too many",
            |lod| lod.tangents.push([0.0; 3]),
            &["vertex-count"],
        ),
        case(
            "ueformat/model/uvs_7.uemodel",
            "a UV of the second set is missing",
            |lod| lod.uvs[1].uvs.truncate(7),
            &["vertex-count"],
        ),
        case(
            "ueformat/model/colours_7.uemodel",
            "a colour is missing",
            |lod| lod.colours[0].colours.truncate(7),
            &["vertex-count"],
        ),
        case(
            "ueformat/model/vertex_nan.uemodel",
            "a position of no number",
            |lod| lod.vertices[5][1] = f32::NAN,
            &["not-finite"],
        ),
        case(
            "ueformat/model/uv_infinite.uemodel",
            "an infinite UV",
            |lod| lod.uvs[0].uvs[2][1] = f32::INFINITY,
            &["not-finite"],
        ),
        case(
            "ueformat/model/material_negative.uemodel",
            "triangles from before the first index",
            |lod| {
                lod.materials[0].first_index = -3;
            },
            &["material-gap", "material-range"],
        ),
        case(
            "ueformat/model/material_faces_negative.uemodel",
            "a negative number of triangles",
            |lod| {
                lod.materials[1].face_count = -4;
            },
            &["material-gap", "material-range"],
        ),
        case(
            "ueformat/model/material_max.uemodel",
            "more triangles than 32 bits of indices",
            |lod| {
                lod.materials[1].face_count = i32::MAX;
            },
            &["material-range"],
        ),
        case(
            "ueformat/model/material_wraps.uemodel",
            "triangles that end at index 26 in 32 bits",
            |lod| {
                lod.materials[1].face_count = 0x5555_5556;
            },
            &["material-range"],
        ),
        case(
            "ueformat/model/material_within.uemodel",
            "a material that begins within a triangle",
            |lod| {
                lod.materials[0].first_index = 1;
            },
            &["material-gap", "material-overlap", "material-range"],
        ),
        case(
            "ueformat/model/material_gap.uemodel",
            "a triangle of no material",
            |lod| lod.materials[0].face_count = 7,
            &["material-gap"],
        ),
        case(
            "ueformat/model/material_overlap.uemodel",
            "a triangle of two materials",
            |lod| {
                (lod.materials[1].first_index, lod.materials[1].face_count) = (21, 5);
            },
            &["material-overlap"],
        ),
        case("ueformat/model/no_materials.uemodel", "triangles and no material", |lod| lod.materials.clear(), &[]),
        case(
            "ueformat/model/morph_vertex.uemodel",
            "a morph target of a vertex beyond",
            |lod| {
                lod.morphs[1].deltas[0].vertex = 8;
            },
            &["morph-vertex"],
        ),
        case(
            "ueformat/model/morph_vertex_max.uemodel",
            "a vertex that a signed number would not have",
            |lod| {
                lod.morphs[1].deltas[0].vertex = u32::MAX;
            },
            &["morph-vertex"],
        ),
        case(
            "ueformat/model/morph_nan.uemodel",
            "a morph target of no number",
            |lod| {
                lod.morphs[0].deltas[1].normal[2] = f32::NAN;
            },
            &["not-finite"],
        ),
        hull("ueformat/model/hull_vertex_8.uemodel", "a hull with a vertex beyond", 8),
        hull("ueformat/model/hull_vertex_negative.uemodel", "a hull with a negative vertex", -1),
    ]
}

fn weights() -> Vec<Case> {
    let case = |file, about, change: fn(&mut Lod), findings: &[&'static str]| {
        odd(file, about, "ueformat.md 5.1", lod_with(10, change).build(), findings)
    };
    vec![
        case(
            "ueformat/model/weight_bone_3.uemodel",
            "a bone one beyond",
            |lod| lod.weights[0].bone = 3,
            &["weight-bone"],
        ),
        case(
            "ueformat/model/weight_bone_max.uemodel",
            "a bone that a signed number would not have",
            |lod| {
                lod.weights[0].bone = u16::MAX;
            },
            &["weight-bone"],
        ),
        case(
            "ueformat/model/weight_vertex_8.uemodel",
            "a vertex one beyond",
            |lod| {
                lod.weights[0].vertex = 8;
            },
            &["vertex-unweighted", "weight-vertex"],
        ),
        case(
            "ueformat/model/weight_vertex_negative.uemodel",
            "a negative vertex",
            |lod| {
                lod.weights[0].vertex = -1;
            },
            &["vertex-unweighted", "weight-vertex"],
        ),
        case(
            "ueformat/model/weight_nan.uemodel",
            "a weight of no number",
            |lod| lod.weights[0].weight = f32::NAN,
            &["not-finite"],
        ),
        case(
            "ueformat/model/weight_negative.uemodel",
            "a negative weight",
            |lod| lod.weights[0].weight = -0.5,
            &["weight-sum", "weight-value"],
        ),
        case(
            "ueformat/model/weight_sum.uemodel",
            "weights that add up to half",
            |lod| lod.weights[0].weight = 0.5,
            &["weight-sum"],
        ),
        case(
            "ueformat/model/weight_reverse.uemodel",
            "weights not in the order of vertices",
            |lod| {
                lod.weights.reverse();
            },
            &[],
        ),
        case(
            "ueformat/model/unweighted.uemodel",
            "a vertex without a bone",
            |lod| {
                lod.weights.pop();
            },
            &["vertex-unweighted"],
        ),
        case(
            "ueformat/model/no_weights.uemodel",
            "a skeleton and no weights",
            |lod| lod.weights.clear(),
            &["vertex-unweighted"],
        ),
        odd(
            "ueformat/model/weights_no_skeleton.uemodel",
            "weights and no skeleton",
            "ueformat.md 5.1",
            arm_with(10, |model| model.skeleton = None).build(),
            &["weight-bone"],
        ),
    ]
}

/// One bone whose record could be of 36 bytes and is followed by another, or of 48 with a name behind it: both end where BONES do.
fn both_layouts() -> Skeleton {
    let mut name = vec![b'a'; 24];
    // The length of the second name, if the first bone has a scale.
    name[8..12].copy_from_slice(&0_i32.to_le_bytes());
    Skeleton {
        bones: vec![Bone::new("Root", -1, [0.0; 3], IDENTITY), Bone::new(name, 0, [1.0, 0.0, 0.0], IDENTITY)],
        ..Skeleton::default()
    }
}

fn bones() -> Vec<Case> {
    let case = |file, about, change: fn(&mut Skeleton), findings: &[&'static str]| {
        odd(file, about, "ueformat.md 5.2", skeleton_with(10, change).build(), findings)
    };
    let scaled = |file, about, change: fn(&mut Skeleton), findings: &[&'static str]| {
        let model = crate::with(super::arm(), |model| change(model.skeleton.get_or_insert_default()));
        odd(file, about, "ueformat.md 5.2", build::model(10, &model, Style::CUE4PARSE).build(), findings)
    };
    vec![
        case(
            "ueformat/model/parent_own.uemodel",
            "a bone that is its own parent",
            |skeleton| {
                skeleton.bones[1].parent = 1;
            },
            &["parent-cycle"],
        ),
        case(
            "ueformat/model/parent_cycle.uemodel",
            "two bones that are parents of each other",
            |skeleton| {
                skeleton.bones[1].parent = 2;
            },
            &["parent-cycle"],
        ),
        case(
            "ueformat/model/parent_3.uemodel",
            "a parent one beyond",
            |skeleton| skeleton.bones[2].parent = 3,
            &["parent-range"],
        ),
        case(
            "ueformat/model/parent_min.uemodel",
            "the lowest parent",
            |skeleton| skeleton.bones[2].parent = i32::MIN,
            &["parent-range"],
        ),
        case(
            "ueformat/model/parent_later.uemodel",
            "a parent that stands after its child",
            |skeleton| {
                skeleton.bones.swap(1, 2);
                skeleton.bones[1].parent = 2;
            },
            &["parent-order"],
        ),
        case(
            "ueformat/model/roots_3.uemodel",
            "three roots",
            |skeleton| {
                skeleton.bones.iter_mut().for_each(|bone| bone.parent = -1);
            },
            &[],
        ),
        case(
            "ueformat/model/bone_nan.uemodel",
            "a bone at no place",
            |skeleton| {
                skeleton.bones[2].position[0] = f32::NAN;
            },
            &["not-finite"],
        ),
        case(
            "ueformat/model/bone_rotation_zero.uemodel",
            "a rotation of no length",
            |skeleton| {
                skeleton.bones[2].rotation = [0.0; 4];
            },
            &["rotation-zero"],
        ),
        case(
            "ueformat/model/bone_rotation_long.uemodel",
            "a rotation of length 2",
            |skeleton| {
                skeleton.bones[2].rotation = [0.0, 2.0, 0.0, 0.0];
            },
            &["rotation-unit"],
        ),
        case(
            "ueformat/model/bone_rotation_nan.uemodel",
            "a rotation of no number",
            |skeleton| {
                skeleton.bones[2].rotation[3] = f32::NAN;
            },
            &["not-finite"],
        ),
        scaled(
            "ueformat/model/bone_scale_infinite.uemodel",
            "an infinite scale",
            |skeleton| {
                skeleton.bones[2].scale[1] = f32::INFINITY;
            },
            &["not-finite"],
        ),
        scaled(
            "ueformat/model/bone_scale_zero.uemodel",
            "a scale of 0",
            |skeleton| skeleton.bones[2].scale = [0.0; 3],
            &[],
        ),
        case(
            "ueformat/model/both_layouts.uemodel",
            "bones that both layouts fit: with scale is tried first",
            |skeleton| {
                *skeleton = both_layouts();
            },
            &["name-empty", "parent-range", "weight-bone"],
        ),
        case(
            "ueformat/model/socket_bone.uemodel",
            "a socket of a bone that is not there",
            |skeleton| {
                skeleton.sockets[0].bone = b"NoSuchBone".to_vec();
            },
            &["socket-bone"],
        ),
        case(
            "ueformat/model/virtual_bone.uemodel",
            "a virtual bone of a bone that is not there",
            |skeleton| {
                skeleton.virtual_bones[0][1] = b"NoSuchBone".to_vec();
            },
            &["virtual-bone"],
        ),
    ]
}

fn names() -> Vec<Case> {
    let source = "ueformat.md 1";
    let text = "a name that is not UTF-8";
    let encoding = ["name-encoding"];
    vec![
        odd("ueformat/model/utf8_object.uemodel", text, source, arm_of(10).named(NOT_UTF8).build(), &encoding),
        odd(
            "ueformat/model/utf8_lod.uemodel",
            text,
            source,
            lod_with(10, |lod| lod.name = NOT_UTF8.to_vec()).build(),
            &encoding,
        ),
        odd(
            "ueformat/model/utf8_material.uemodel",
            text,
            source,
            lod_with(10, |lod| lod.materials[0].path = NOT_UTF8.to_vec()).build(),
            &encoding,
        ),
        odd(
            "ueformat/model/utf8_morph.uemodel",
            text,
            source,
            lod_with(9, |lod| lod.morphs[0].name = NOT_UTF8.to_vec()).build(),
            &encoding,
        ),
        odd(
            "ueformat/model/utf8_bone.uemodel",
            text,
            source,
            skeleton_with(10, |skeleton| skeleton.bones[0].name = NOT_UTF8.to_vec()).build(),
            &["name-encoding", "virtual-bone"],
        ),
        odd(
            "ueformat/model/utf8_socket.uemodel",
            text,
            source,
            skeleton_with(5, |skeleton| skeleton.sockets[0].name = NOT_UTF8.to_vec()).build(),
            &encoding,
        ),
        odd(
            "ueformat/animation/utf8_track.ueanim",
            text,
            source,
            wave_with(10, |clip| clip.tracks[1].name = NOT_UTF8.to_vec()).build(),
            &encoding,
        ),
        odd(
            "ueformat/pose/utf8_curve.uepose",
            text,
            source,
            faces_with(10, |pose| pose.curves[0] = NOT_UTF8.to_vec()).build(),
            &encoding,
        ),
        odd(
            "ueformat/model/name_duplicate.uemodel",
            "two bones of one name",
            source,
            skeleton_with(10, |skeleton| skeleton.bones[1].name = b"Hand".to_vec()).build(),
            &["name-duplicate", "socket-bone"],
        ),
        odd(
            "ueformat/model/name_case.uemodel",
            "two bones whose names differ in case",
            source,
            skeleton_with(10, |skeleton| skeleton.bones[0].name = b"HAND".to_vec()).build(),
            &["name-duplicate", "virtual-bone"],
        ),
        odd(
            "ueformat/model/name_empty.uemodel",
            "a bone without a name",
            source,
            skeleton_with(10, |skeleton| skeleton.bones[0].name.clear()).build(),
            &["name-empty", "virtual-bone"],
        ),
        odd(
            "ueformat/model/morph_duplicate.uemodel",
            "two morph targets of one name",
            source,
            lod_with(10, |lod| lod.morphs[1].name = b"Bulge".to_vec()).build(),
            &["name-duplicate"],
        ),
        ok("ueformat/model/materials_one_name.uemodel", "two materials of one name", source, {
            lod_with(10, |lod| lod.materials[1].name = lod.materials[0].name.clone()).build()
        }),
        odd(
            "ueformat/animation/name_duplicate.ueanim",
            "two tracks whose names differ in case",
            source,
            wave_with(10, |clip| clip.tracks[2].name = b"ELBOW".to_vec()).build(),
            &["name-duplicate"],
        ),
        ok("ueformat/model/name_nul.uemodel", "a name with a NUL", source, {
            skeleton_with(10, |skeleton| skeleton.virtual_bones[0][2] = b"VB a\0b\0".to_vec()).build()
        }),
        ok("ueformat/model/name_escape.uemodel", "a name with a control sequence of terminals", source, {
            skeleton_with(10, |skeleton| skeleton.virtual_bones[0][2] = b"VB \x1B[31m\n".to_vec()).build()
        }),
    ]
}

fn metadata() -> Vec<Case> {
    let case = |file, about, change: fn(&mut Metadata), findings: &[&'static str]| {
        let ue = wave_with(10, |clip| change(clip.metadata.get_or_insert_default()));
        odd(file, about, "ueformat.md 6.1", ue.build(), findings)
    };
    let old = |file, about, change: fn(&mut Metadata), findings: &[&'static str]| {
        let ue = wave_with(5, |clip| change(clip.metadata.get_or_insert_default()));
        odd(file, about, "ueformat.md 6", ue.build(), findings)
    };
    let beyond = ["curve-range", "frame-count", "key-range"];
    vec![
        case(
            "ueformat/animation/frames_negative.ueanim",
            "a negative number of frames",
            |own| own.frame_count = -8,
            &beyond,
        ),
        old(
            "ueformat/animation/frames_negative_v5.ueanim",
            "a negative number of frames",
            |own| own.frame_count = -8,
            &beyond,
        ),
        case(
            "ueformat/animation/frames_max.ueanim",
            "the highest number of frames",
            |own| own.frame_count = i32::MAX,
            &["frame-count"],
        ),
        old(
            "ueformat/animation/frames_max_v5.ueanim",
            "the highest number of frames",
            |own| own.frame_count = i32::MAX,
            &["frame-count"],
        ),
        case(
            "ueformat/animation/frames_0.ueanim",
            "no frames and some keys",
            |own| own.frame_count = 0,
            &["curve-range", "key-range"],
        ),
        case(
            "ueformat/animation/frames_1.ueanim",
            "one frame and keys behind it",
            |own| own.frame_count = 1,
            &["curve-range", "key-range"],
        ),
        case("ueformat/animation/rate_zero.ueanim", "a rate of 0", |own| own.rate = 0.0, &["frame-rate"]),
        case("ueformat/animation/rate_negative.ueanim", "a negative rate", |own| own.rate = -30.0, &["frame-rate"]),
        case("ueformat/animation/rate_nan.ueanim", "a rate of no number", |own| own.rate = f32::NAN, &["frame-rate"]),
        old(
            "ueformat/animation/rate_infinite_v5.ueanim",
            "an infinite rate",
            |own| own.rate = f32::INFINITY,
            &["frame-rate"],
        ),
        case("ueformat/animation/additive_9.ueanim", "an unknown additive type", |own| own.additive = 9, &["additive"]),
        case("ueformat/animation/base_5.ueanim", "an unknown type of base pose", |own| own.base = 5, &["base-pose"]),
        case("ueformat/animation/base_frame_negative.ueanim", "a negative base frame", |own| own.base_frame = -1, &[]),
    ]
}

fn keys() -> Vec<Case> {
    let case = |file, about, change: fn(&mut Track), findings: &[&'static str]| {
        let ue = wave_with(10, |clip| change(&mut clip.tracks[1]));
        odd(file, about, "ueformat.md 6.3", ue.build(), findings)
    };
    let curve = |file, about, keys: &[(i32, f32)], findings: &[&'static str]| {
        let ue = wave_with(10, |clip| clip.curves[0].keys = keys.to_vec());
        odd(file, about, "ueformat.md 6.2", ue.build(), findings)
    };
    vec![
        case(
            "ueformat/animation/keys_fall.ueanim",
            "keys not in order",
            |track| track.rotations.reverse(),
            &["key-order"],
        ),
        case(
            "ueformat/animation/key_negative.ueanim",
            "a key before the first frame",
            |track| track.rotations[0].0 = -1,
            &["key-range"],
        ),
        case(
            "ueformat/animation/key_min.ueanim",
            "the lowest frame",
            |track| track.positions[0].0 = i32::MIN,
            &["key-range"],
        ),
        case(
            "ueformat/animation/key_8.ueanim",
            "a key one beyond the last frame",
            |track| track.rotations[3].0 = 8,
            &["key-range"],
        ),
        case(
            "ueformat/animation/key_max.ueanim",
            "the highest frame",
            |track| track.rotations[3].0 = i32::MAX,
            &["key-range"],
        ),
        case(
            "ueformat/animation/key_late.ueanim",
            "a first key after frame 0",
            |track| track.positions[0].0 = 2,
            &["key-late"],
        ),
        case(
            "ueformat/animation/key_nan.ueanim",
            "a position of no number",
            |track| track.positions[0].1[2] = f32::NAN,
            &["not-finite"],
        ),
        case(
            "ueformat/animation/rotation_zero.ueanim",
            "a rotation of no length",
            |track| track.rotations[1].1 = [0.0; 4],
            &["rotation-zero"],
        ),
        case(
            "ueformat/animation/rotation_long.ueanim",
            "a rotation of length 2",
            |track| {
                track.rotations[1].1 = [2.0, 0.0, 0.0, 0.0];
            },
            &["rotation-unit"],
        ),
        case(
            "ueformat/animation/scale_mirror.ueanim",
            "a scale that is zero and one that is negative",
            |track| {
                track.scales = vec![(0, [0.0; 3]), (1, [-1.0, 1.0, 1.0])];
            },
            &[],
        ),
        case(
            "ueformat/animation/track_unnamed.ueanim",
            "a track without a name",
            |track| track.name.clear(),
            &["name-empty"],
        ),
        curve(
            "ueformat/animation/curve_beyond.ueanim",
            "keys before the first frame and after the last",
            &[(-3, 0.0), (40, 1.0)],
            &["curve-range"],
        ),
        curve("ueformat/animation/curve_falls.ueanim", "keys not in order", &[(5, 0.0), (2, 1.0)], &["curve-order"]),
        curve("ueformat/animation/curve_nan.ueanim", "a key of no number", &[(5, f32::NAN)], &["not-finite"]),
        curve("ueformat/animation/curve_empty.ueanim", "a curve without keys", &[], &[]),
    ]
}

fn poses() -> Vec<Case> {
    let case = |file, about, change: fn(&mut Pose), findings: &[&'static str]| {
        odd(file, about, "ueformat.md 6b", faces_with(10, change).build(), findings)
    };
    vec![
        case(
            "ueformat/pose/curve_2.uepose",
            "a curve one beyond",
            |pose| pose.poses[1].influences[0].0 = 2,
            &["pose-curve"],
        ),
        case(
            "ueformat/pose/curve_negative.uepose",
            "a negative curve",
            |pose| pose.poses[1].influences[0].0 = -1,
            &["pose-curve"],
        ),
        case(
            "ueformat/pose/influence_nan.uepose",
            "an influence of no number",
            |pose| {
                pose.poses[1].influences[0].1 = f32::NAN;
            },
            &["not-finite"],
        ),
        case(
            "ueformat/pose/name_duplicate.uepose",
            "two poses of one name",
            |pose| {
                pose.poses[0].name = b"Curves".to_vec();
            },
            &["name-duplicate"],
        ),
        case(
            "ueformat/pose/rotation_zero.uepose",
            "a rotation of no length",
            |pose| {
                pose.poses[0].keys[1].rotation = [0.0; 4];
            },
            &["rotation-zero"],
        ),
    ]
}
