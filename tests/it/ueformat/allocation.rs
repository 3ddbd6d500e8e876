//! Parsing and reading allocate nothing, and unpacking no more than the header states.

use std::hint::black_box;

use allocation_counter::measure;
use skelmap::Asset;
use skelmap::archive::Limits;
use skelmap::ueformat::{self, Animation, AnimationBuf, Level, Model, ModelBuf, Pose, PoseBuf};

use test_support::ueformat::agree::unpacked;
use test_support::ueformat::corpus::cases;

use super::file;

fn read_level(level: &Level<'_>) {
    black_box((level.name(), level.positions(), level.tangents(), level.indices(), level.influences()));
    black_box((level.normals().iter().count(), level.binormal_signs().iter().count()));
    black_box((level.uv_sets().count(), level.color_sets().count(), level.materials().count(), level.morphs().count()));
}

fn read(asset: &Asset<'_>) {
    black_box((asset.quirks().count(), asset.summary(), asset.skeleton().map(|skeleton| skeleton.bone_count())));
    match asset {
        Asset::UeformatModel(model) => {
            black_box((model.bones().count(), model.sockets().count(), model.virtual_bones().count()));
            black_box((model.name(), model.path(), model.skeleton_path(), model.hulls().count(), model.mesh()));
            model.levels().for_each(|level| read_level(&level));
        }
        Asset::UeformatAnimation(animation) => {
            black_box((animation.tracks().count(), animation.curves().count(), animation.base_path()));
            let clip = animation.clip();
            for frame in 0..animation.frame_count().min(50) {
                black_box((0..animation.track_count()).filter_map(|track| clip.transform(frame, track)).count());
            }
        }
        Asset::UeformatPose(pose) => {
            black_box((pose.curves().count(), pose.clips().filter_map(|clip| clip.transform(0, 0)).count()));
            black_box(pose.poses().map(|own| own.bones().count()).sum::<usize>());
        }
        other => panic!("{:?}", other.format()),
    }
}

#[test]
fn parsing_and_reading_allocate_nothing() {
    let mut read_files = 0;
    for case in cases() {
        let Ok(bytes) = unpacked(&case.bytes) else { continue };
        let info = measure(|| {
            black_box((ueformat::is_compressed(&bytes), Model::parse(&bytes).is_ok()));
            black_box((Animation::parse(&bytes).is_ok(), Pose::parse(&bytes).is_ok()));
            if let Ok(asset) = Asset::parse(&bytes) {
                read(&asset);
                read_files += 1;
            }
        });
        assert_eq!(info.count_total, 0, "{}", case.file);
    }
    assert!(read_files > 150, "{read_files} files");
}

#[test]
fn an_owned_form_allocates_nothing() {
    let (model, animation) = (file("model/two_levels.uemodel"), file("animation/sparse.ueanim"));
    let pose = file("pose/two.uepose");
    let info = measure(|| {
        assert_eq!(ModelBuf::parse(model.as_slice()).unwrap().view().level_count(), 2);
        assert_eq!(AnimationBuf::parse(animation.as_slice()).unwrap().view().track_count(), 3);
        assert_eq!(PoseBuf::parse(pose.as_slice()).unwrap().view().pose_count(), 2);
    });
    assert_eq!(info.count_total, 0);
}

#[test]
fn a_body_over_the_limit_is_refused_before_anything_is_allocated() {
    for path in ["packed/bomb.uemodel", "packed/bomb_no_size.uemodel", "packed/size_max.uemodel"] {
        let bytes = file(path);
        let info = measure(|| {
            let error = ueformat::unpack(&bytes, &Limits::default()).unwrap_err();
            assert_eq!(error.code().name(), "unpacked-limit");
        });
        assert_eq!(info.count_total, 0, "{path}");
    }
}

/// The header states 1,000 bytes for a gigabyte of zeros.
#[test]
fn a_body_larger_than_stated_costs_little_memory() {
    let bytes = file("packed/hidden_bomb.uemodel");
    let info = measure(|| {
        let error = ueformat::unpack(&bytes, &Limits::default()).unwrap_err();
        assert_eq!(error.code().name(), "unpacked-size");
    });
    // A window of the decompressor, and its blocks.
    assert!(info.bytes_max < 8 << 20, "{} bytes", info.bytes_max);
}
