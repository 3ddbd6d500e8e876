//! Files made to waste time or memory: the answer is an error, or comes as fast as for any other file of the size.

use skelmap::ueformat::{self, Animation, Model};
use skelmap::{Asset, archive::Limits};

use test_support::ueformat::agree::agree;
use test_support::ueformat::asset::{self, Bone, Hull, IDENTITY, Lod, Material, Morph, Skeleton, Track, UvSet};
use test_support::ueformat::build::{self, Packing, Style};
use test_support::ueformat::corpus::{Expect, arm, in_memory};
use test_support::ueformat::naive;

use super::file;

fn model(change: impl FnOnce(&mut asset::Model)) -> Vec<u8> {
    let mut model = asset::Model { skeleton: Some(Skeleton::default()), ..asset::Model::default() };
    change(&mut model);
    build::model(10, &model, Style::LIBRARY).build().into()
}

fn bones(count: usize) -> Vec<u8> {
    model(|model| {
        let bone = |at: usize| Bone::new(format!("b{at}"), at as i32 - 1, [1.0, 0.0, 0.0], IDENTITY);
        model.skeleton.get_or_insert_default().bones = (0..count).map(bone).collect();
    })
}

fn level(change: impl FnOnce(&mut Lod)) -> Vec<u8> {
    model(|model| {
        let mut lod = Lod { name: b"LOD0".to_vec(), ..Lod::default() };
        change(&mut lod);
        model.lods.push(lod);
    })
}

fn levels(count: usize) -> Vec<u8> {
    model(|model| model.lods = (0..count).map(|at| Lod { name: format!("LOD{at}").into(), ..Lod::default() }).collect())
}

fn morphs(count: usize) -> Vec<u8> {
    level(|lod| lod.morphs = (0..count).map(|at| Morph { name: format!("m{at}").into(), ..Morph::default() }).collect())
}

fn hulls(count: usize) -> Vec<u8> {
    model(|model| model.hulls = vec![Hull::default(); count])
}

fn poses(count: usize) -> Vec<u8> {
    let poses = vec![asset::NamedPose::default(); count];
    build::pose(10, &asset::Pose { poses, curves: Vec::new() }, Style::LIBRARY).build().into()
}

fn curves(count: usize) -> Vec<u8> {
    let animation = asset::Animation { curves: vec![asset::Curve::default(); count], ..asset::Animation::default() };
    build::animation(10, &animation, Style::LIBRARY).build().into()
}

fn materials(count: usize) -> Vec<u8> {
    level(|lod| lod.materials = (0..count).map(|at| Material::new(format!("m{at}"), "", 0, 0)).collect())
}

fn uv_sets(count: usize) -> Vec<u8> {
    level(|lod| lod.uvs = (0..count).map(|at| UvSet { name: vec![at as u8], uvs: Vec::new() }).collect())
}

fn tracks(count: usize) -> Vec<u8> {
    let track = |at: usize| Track { name: format!("b{at}").into(), ..Track::default() };
    let metadata = Some(asset::Metadata { frame_count: i32::MAX, rate: 30.0, ..asset::Metadata::default() });
    let animation = asset::Animation { metadata, tracks: (0..count).map(track).collect(), curves: Vec::new() };
    build::animation(10, &animation, Style::LIBRARY).build().into()
}

#[test]
fn as_many_records_as_the_documentation_says_are_read_and_no_more() {
    let most = 1 << 14;
    let all = [(bones as fn(usize) -> Vec<u8>, 8192), (levels, 64), (materials, 256), (uv_sets, 64), (tracks, 8192)];
    let all =
        all.into_iter().chain([(morphs as fn(usize) -> Vec<u8>, most), (hulls, most), (poses, most), (curves, most)]);
    for (of, most) in all {
        let bytes = of(most);
        assert!(Asset::parse(&bytes).is_ok(), "{most}");
        let more = of(most + 1);
        let error = Asset::parse(&more).unwrap_err();
        assert_eq!(error.code().name(), "too-many-records");
        assert!(naive::read(&more).is_ok(), "it is the library that has a limit");
        agree(&more);
    }
}

#[test]
fn large_files_of_small_records_read_the_same_in_both_readers() {
    for case in in_memory() {
        println!("{}", case.file);
        agree(&case.bytes);
        // The other reader has no limits.
        let is_read =
            Asset::parse(&case.bytes).map_or_else(|error| error.code().name() == "too-many-records", |_| true);
        assert_eq!(is_read, matches!(case.expect, Expect::Opens { .. }));
    }
}

#[test]
fn the_number_of_frames_makes_no_frames() {
    let bytes = tracks(8192);
    let animation = Animation::parse(&bytes).unwrap();
    assert_eq!((animation.declared_frame_count(), animation.frame_count()), (i32::MAX, 1 << 20));
    assert!(animation.clip().is_inflated(1 << 20));
    // Keys are looked at, and not frames: a check of 8,192 tracks and a million frames ends.
    assert!(animation.check().iter().all(|finding| finding.code.name() != "key-outside"));
}

#[test]
fn each_bone_of_the_largest_skeleton_has_its_place() {
    let bytes = bones(8192);
    let model = Model::parse(&bytes).unwrap();
    let skeleton = model.skeleton();
    for bone in (0..8192).step_by(97).chain([8191]) {
        assert_eq!(skeleton.name(bone).unwrap().to_string(), format!("b{bone}"));
        assert_eq!(skeleton.parent(bone), bone.checked_sub(1));
    }
    assert_eq!((skeleton.name(8192), skeleton.parent(8192)), (None, None));
}

#[test]
fn a_limit_can_be_raised_and_lowered() {
    let bytes = file("model/gzip.uemodel");
    let plain = ueformat::unpack(&bytes, &Limits::default()).unwrap().unwrap();
    let stated = naive::header(&bytes).unwrap().unpacked_size as u64;
    let limited = |inflated: u64| {
        let mut limits = Limits::default();
        limits.inflated = inflated;
        ueformat::unpack(&bytes, &limits)
    };
    assert_eq!(limited(stated), Ok(Some(plain)));
    assert_eq!(limited(stated - 1).unwrap_err().code().name(), "unpacked-limit");
}

/// Before version 10 the sections reach up to the end of the file, so that bytes behind the compressed data have no place in it.
#[test]
fn bytes_behind_a_compressed_body_of_an_older_version_are_no_section() {
    for version in [5, 9] {
        let bytes = build::model(version, &arm(), Style::LIBRARY).pack(Packing::Gzip).bytes;
        let trailing = [bytes.as_slice(), b"fourteen bytes"].concat();
        let [plain, behind] =
            [bytes, trailing].map(|bytes| ueformat::unpack(&bytes, &Limits::default()).unwrap().unwrap());
        assert!(plain == behind && Model::parse(&plain).is_ok());
    }
}

/// Of two in one file, one of them in compressed data.
#[test]
fn bytes_behind_a_member_are_reported_where_they_lie() {
    for path in ["packed/behind_gzip.uemodel", "packed/behind_zstd.uemodel", "packed/trailing_gzip.uemodel"] {
        let plain = ueformat::unpack(&file(path), &Limits::default()).unwrap().unwrap();
        let quirks: Vec<_> = Model::parse(&plain).unwrap().quirks().collect();
        let rest = if path.contains("behind") { b"more".len() } else { b"fourteen bytes".len() };
        assert_eq!(quirks.iter().map(|quirk| quirk.code.name()).collect::<Vec<_>>(), ["trailing-bytes"], "{path}");
        assert_eq!(quirks[0].offset as usize, plain.len() - rest, "{path}");
    }
}

#[test]
fn a_file_that_is_not_compressed_is_not_unpacked() {
    for path in ["model/v10.uemodel", "damaged/magic.uemodel", "damaged/empty.uemodel"] {
        let bytes = file(path);
        assert!(!ueformat::is_compressed(&bytes));
        assert_eq!(ueformat::unpack(&bytes, &Limits::default()), Ok(None), "{path}");
    }
}

/// The second reader calls a packed body so too.
#[test]
fn a_section_called_body_is_no_packed_body() {
    let bytes = levels(2);
    let at = bytes.windows(4).position(|part| part == b"LODS").expect("the section of levels");
    for overrun in [4, 8] {
        let mut bytes = bytes.clone();
        bytes[at..at + 4].copy_from_slice(b"body");
        bytes[at + overrun..at + overrun + 4].copy_from_slice(&[0xFF, 0xFF, 0xFF, 0x7F]);
        agree(&bytes);
    }
}
