//! The naive reader returns the values that the builder wrote.

use test_support::ueformat::asset::{Content, Model, Socket};
use test_support::ueformat::build::random::{self, Rng};
use test_support::ueformat::build::{self, Built, Packing, Style, Ue};
use test_support::ueformat::corpus::{arm, box_with_hull, wave};
use test_support::ueformat::naive::{self, File};

const STYLES: [Style; 4] = [
    Style::LIBRARY,
    Style::CUE4PARSE,
    Style { has_bone_scale: true, writes_empty: true },
    Style { has_bone_scale: false, writes_empty: false },
];

/// Every bit counts, and a text tells -0 from 0.
fn same(found: &Content, expected: &Content, what: &str) {
    assert_eq!(format!("{found:?}"), format!("{expected:?}"), "{what}");
}

/// Read without and with compression.
fn read(ue: &Ue) -> File {
    let plain = naive::read(&ue.build().bytes).unwrap();
    assert_eq!(plain.odd, []);
    for packing in Packing::ALL {
        let packed = naive::read(&ue.pack(packing).bytes).unwrap();
        assert_eq!(packed.odd, []);
        same(&packed.content, &plain.content, packing.name());
    }
    plain
}

#[test]
fn a_model_of_every_version_and_style_is_read_as_it_was_written() {
    let rng = &mut Rng::new(1);
    for round in 0..15 {
        let model = random::model(rng);
        for version in 0..=10 {
            for style in STYLES {
                let file = read(&build::model(version, &model, style));
                let expected = Content::Model(model.stored(version, style.has_bone_scale));
                same(&file.content, &expected, &format!("round {round}, version {version}, {style:?}"));
                let size = if version == 10 && style.has_bone_scale { 48 } else { 36 };
                assert_eq!(file.bone_size, model.skeleton.as_ref().map(|_| size));
            }
        }
    }
}

#[test]
fn an_animation_of_every_version_is_read_as_it_was_written() {
    let rng = &mut Rng::new(2);
    for round in 0..30 {
        let animation = random::animation(rng);
        for version in 0..=10 {
            for style in [Style::LIBRARY, Style::CUE4PARSE] {
                let file = read(&build::animation(version, &animation, style));
                let expected = Content::Animation(animation.stored(version));
                same(&file.content, &expected, &format!("round {round}, version {version}, {style:?}"));
            }
        }
    }
}

#[test]
fn poses_are_read_as_they_were_written() {
    let rng = &mut Rng::new(3);
    for round in 0..100 {
        let pose = random::pose(rng);
        for version in [9, 10] {
            for style in [Style::LIBRARY, Style::CUE4PARSE] {
                let file = read(&build::pose(version, &pose, style));
                same(&file.content, &Content::Pose(pose.clone()), &format!("round {round}, version {version}"));
            }
        }
    }
}

#[test]
fn an_asset_is_the_same_in_mirrored_and_in_other_versions() {
    let rng = &mut Rng::new(4);
    for _ in 0..20 {
        let model = random::model(rng);
        // Version 5 has no paths.
        let mut without_paths = model.clone();
        without_paths.lods.iter_mut().flat_map(|lod| &mut lod.materials).for_each(|material| material.path.clear());
        without_paths.skeleton.iter_mut().for_each(|skeleton| skeleton.path.clear());
        let unreal = |version| read(&build::model(version, &without_paths, Style::LIBRARY)).unreal();
        same(&unreal(5), &unreal(9), "model");
        let animation = random::animation(rng);
        let unreal = |version| read(&build::animation(version, &animation, Style::LIBRARY)).unreal();
        same(&unreal(7), &unreal(8), "animation");
    }
}

fn floats<const N: usize>(built: &Built, at: &str, behind: usize) -> [f32; N] {
    let at = built.offset(at) + behind;
    std::array::from_fn(|index| {
        let bytes = &built.bytes[at + 4 * index..at + 4 * index + 4];
        f32::from_le_bytes(bytes.try_into().unwrap())
    })
}

/// By hand, from the table of the reference (4): what a version before 8 stores, and what it stores from 8 on.
#[test]
fn versions_before_8_are_mirrored_and_the_others_are_not() {
    let mut model = arm();
    let lod = &mut model.lods[0];
    lod.vertices[0] = [1.0, 2.0, 3.0];
    lod.normals[0] = [-1.0, 0.5, 0.25, 0.125];
    lod.tangents[0] = [1.0, 2.0, 3.0];
    lod.uvs[0].uvs[0] = [0.25, 0.75];
    lod.morphs[0].deltas[0].position = [1.0, 2.0, 3.0];
    lod.morphs[0].deltas[0].normal = [4.0, 5.0, 6.0];
    let skeleton = model.skeleton.as_mut().unwrap();
    skeleton.bones[0].position = [1.0, 2.0, 3.0];
    skeleton.bones[0].rotation = [0.1, 0.2, 0.3, 0.4];
    skeleton.sockets = vec![Socket { scale: [1.0, 2.0, 3.0], ..Socket::new("a", "Root", [4.0, 5.0, 6.0]) }];
    model.hulls = box_with_hull().hulls;
    model.hulls[0].vertices[0] = [1.0, 2.0, 3.0];
    for (version, sign) in [(4, -1.0), (5, -1.0), (7, -1.0), (8, 1.0), (9, 1.0)] {
        let built = build::model(version, &model, Style::LIBRARY).build();
        let lod = "LODS/0";
        assert_eq!(floats(&built, &format!("{lod}/VERTICES#0"), 0), [1.0, sign * 2.0, 3.0], "version {version}");
        assert_eq!(floats(&built, &format!("{lod}/NORMALS#0"), 0), [-1.0, 0.5, sign * 0.25, 0.125]);
        assert_eq!(floats(&built, &format!("{lod}/TANGENTS#0"), 0), [1.0, sign * 2.0, 3.0]);
        let v = if version < 8 { 0.25 } else { 0.75 };
        assert_eq!(floats(&built, &format!("{lod}/TEXCOORDS#0.uvs"), 4), [0.25, v]);
        let delta = floats(&built, &format!("{lod}/MORPHTARGETS#0.deltas"), 4);
        assert_eq!(delta, [1.0, sign * 2.0, 3.0, 4.0, sign * 5.0, 6.0]);
        assert_eq!(floats(&built, "SKELETON/BONES#0.position", 0), [1.0, sign * 2.0, 3.0]);
        assert_eq!(floats(&built, "SKELETON/BONES#0.rotation", 0), [0.1, sign * 0.2, 0.3, sign * 0.4]);
        assert_eq!(floats(&built, "SKELETON/SOCKETS#0.position", 0), [4.0, sign * 5.0, 6.0]);
        assert_eq!(floats(&built, "SKELETON/SOCKETS#0.position", 12), [0.0, 0.0, 0.0, sign]);
        assert_eq!(floats(&built, "SKELETON/SOCKETS#0.position", 28), [1.0, sign * 2.0, 3.0]);
        assert_eq!(floats(&built, "COLLISION#0.vertices", 4), [1.0, sign * 2.0, 3.0]);
    }
    let mut clip = wave();
    clip.tracks[0].positions[0].1 = [1.0, 2.0, 3.0];
    clip.tracks[0].rotations[0].1 = [0.1, 0.2, 0.3, 0.4];
    clip.tracks[0].scales[0].1 = [1.0, 2.0, 3.0];
    for (version, sign) in [(0, -1.0), (7, -1.0), (8, 1.0), (10, 1.0)] {
        let built = build::animation(version, &clip, Style::LIBRARY).build();
        assert_eq!(floats(&built, "TRACKS#0.positions", 8), [1.0, sign * 2.0, 3.0], "version {version}");
        assert_eq!(floats(&built, "TRACKS#0.rotations", 8), [0.1, sign * 0.2, 0.3, sign * 0.4]);
        assert_eq!(floats(&built, "TRACKS#0.scales", 8), [1.0, 2.0, 3.0], "scales are never mirrored");
    }
}

/// How many triangles of a box face away from its middle, by the rule of a right hand.
fn outward(model: &Model) -> usize {
    let lod = &model.lods[0];
    let middle: [f32; 3] =
        std::array::from_fn(|axis| lod.vertices.iter().map(|vertex| vertex[axis]).sum::<f32>() / 8.0);
    let is_outward = |face: &&[u32]| {
        let [a, b, c] = [0, 1, 2].map(|corner| lod.vertices[face[corner] as usize]);
        let (u, v): ([f32; 3], [f32; 3]) =
            (std::array::from_fn(|at| b[at] - a[at]), std::array::from_fn(|at| c[at] - a[at]));
        let cross = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
        (0..3).map(|axis| cross[axis] * (a[axis] - middle[axis])).sum::<f32>() > 0.0
    };
    lod.indices.chunks(3).filter(is_outward).count()
}

#[test]
fn triangles_point_inwards_by_a_right_hand_since_version_8_and_outwards_before() {
    for version in 0..=10 {
        let built = build::model(version, &box_with_hull(), Style::LIBRARY).build();
        let model = naive::read_model(&built.bytes).unwrap();
        assert_eq!(outward(&model), if version < 8 { 12 } else { 0 }, "version {version}");
    }
}
