//! What the builder writes, the naive reader returns.

use test_support::ueformat::asset::Content;
use test_support::ueformat::build::random::{self, Rng};
use test_support::ueformat::build::{self, Packing, Style, Ue};
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
    for round in 0..60 {
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
    for round in 0..60 {
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
