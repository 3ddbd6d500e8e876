//! Clips without frames or rate, times of any kind, clips of others, wrong buffers: an error that says why, or the value that
//! the documentation names.

use skelmap::model::{Binding, Clip, IDENTITY, Relative, Skin, Space, Transform, Wrap};
use skelmap::{Asset, AssetBuf, Error, ErrorKind};

use super::parts::{changed_pmd, figure, frames_of, sway, walk};
use test_support::actorx::build::{self, Bone};
use test_support::actorx::corpus::sample;
use test_support::model::agree::{Effort, agree};
use test_support::pyrogenesis::build as pyrogenesis;
use test_support::swat3::build as swat3;

#[test]
fn a_clip_without_frames_gives_an_error_and_is_not_additive() {
    let animation: Vec<u8> = frames_of(0, 10.0).chunks().into();
    let mesh = figure(|_| {});
    agree(&mesh, &animation, None, &Effort::whole());
    let (mesh, animation) = (Asset::parse(&mesh).unwrap(), Asset::parse(&animation).unwrap());
    let (mesh, clip) = (mesh.mesh().unwrap(), animation.clips().next().unwrap());
    let binding = Binding::new(&mesh, &clip);
    let mut out = vec![Transform::IDENTITY; 4];
    for wrap in [Wrap::Clamp, Wrap::Loop] {
        let errors = [
            clip.sample(0.0, wrap, &mut out),
            clip.sample_frame(0.0, wrap, &mut out),
            binding.sample(&clip, 0.0, wrap, &mut out),
            binding.sample_frame(&clip, 0.0, wrap, &mut out),
        ];
        assert!(errors.iter().all(|error| error.unwrap_err().kind() == ErrorKind::NoFrames));
    }
    assert!(!binding.is_additive(&clip));
    assert_eq!((clip.duration(), clip.transform(0, 0)), (Some(0.0), None));
}

#[test]
fn a_mesh_has_the_colours_of_its_wedges() {
    let (plain, coloured) = (sample::figure().chunks(), sample::figure().chunks());
    let coloured = coloured.records("VERTEXCOLOR", &sample::colors()).build().bytes;
    let coloured = Asset::parse(&coloured).unwrap();
    let colors = coloured.mesh().unwrap().colors().unwrap();
    assert!(colors.iter().eq(&sample::colors()) && !colors.is_empty());
    let plain = plain.build().bytes;
    assert!(Asset::parse(&plain).unwrap().mesh().unwrap().colors().is_none());
    let pmd = changed_pmd(4, |_| {});
    assert!(Asset::parse(&pmd).unwrap().mesh().unwrap().colors().is_none(), "the format has none");
    // A column of no values is empty.
    let bare = build::Mesh { bones: sample::figure().bones, ..build::Mesh::default() }.chunks().build().bytes;
    let bare = Asset::parse(&bare).unwrap();
    let uvs = bare.mesh().unwrap().uvs(0).unwrap();
    assert_eq!((uvs.len(), uvs.is_empty()), (0, true));
}

#[test]
fn a_clip_without_a_positive_rate_is_sampled_by_frames_and_not_by_seconds() {
    for rate in [0.0, -0.0, -30.0, f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        let animation: Vec<u8> = frames_of(3, rate).chunks().into();
        let mesh = figure(|_| {});
        agree(&mesh, &animation, None, &Effort::whole());
        let (mesh, animation) = (Asset::parse(&mesh).unwrap(), Asset::parse(&animation).unwrap());
        let (mesh, clip) = (mesh.mesh().unwrap(), animation.clips().next().unwrap());
        assert_eq!((clip.rate(), clip.duration()), (None, None));
        let binding = Binding::new(&mesh, &clip);
        let mut out = vec![Transform::IDENTITY; 4];
        let errors = [clip.sample(0.0, Wrap::Clamp, &mut out), binding.sample(&clip, f64::NAN, Wrap::Loop, &mut out)];
        assert!(errors.iter().all(|error| error.unwrap_err().kind() == ErrorKind::NoRate), "{rate}");
        clip.sample_frame(1.0, Wrap::Clamp, &mut out).unwrap();
        assert_eq!(out[0].translation, [1.0, 0.0, 0.0]);
        binding.sample_frame(&clip, 2.0, Wrap::Clamp, &mut out).unwrap();
        assert_eq!(out[0].translation, [2.0, 0.0, 0.0]);
    }
}

#[test]
fn any_time_is_clamped_or_looped_into_the_clip() {
    let animation: Vec<u8> = frames_of(4, 10.0).chunks().into();
    let animation = Asset::parse(&animation).unwrap();
    let clip = animation.clips().next().unwrap();
    let at = |seconds: f64, wrap| {
        let mut out = vec![Transform::IDENTITY; 4];
        clip.sample(seconds, wrap, &mut out).unwrap();
        out[0].translation[0]
    };
    // Frame n is at n.
    for (seconds, clamped, looped) in [
        (f64::NAN, 0.0, 0.0),
        (f64::INFINITY, 3.0, 0.0),
        (f64::NEG_INFINITY, 0.0, 0.0),
        (-1e-300, 0.0, 0.0),
        (-0.05, 0.0, 1.5),
        (-0.1, 0.0, 3.0),
        (0.35, 3.0, 1.5),
        (0.4, 3.0, 0.0),
        (0.5, 3.0, 1.0),
        (f64::MAX, 3.0, 0.0),
        (f64::MIN_POSITIVE, 0.0, 0.0),
    ] {
        assert!((at(seconds, Wrap::Clamp) - clamped).abs() < 1e-5, "{seconds}: {}", at(seconds, Wrap::Clamp));
        let found = at(seconds, Wrap::Loop);
        assert!((found - looped).abs() < 1e-5, "{seconds}: {found}");
    }
    // 2^60 seconds are a whole number of frames of a loop of four.
    assert_eq!(at(2_f64.powi(60), Wrap::Loop), 0.0);
}

#[test]
fn a_sample_on_a_frame_equals_that_frame_whatever_the_others_hold() {
    let mut animation = frames_of(3, 10.0);
    for key in animation.keys.iter_mut().take(4) {
        (key.position, key.rotation) = ([f32::NAN, f32::INFINITY, f32::MAX], [f32::NAN; 4]);
    }
    animation.keys[8].position = [f32::NEG_INFINITY; 3];
    let animation: Vec<u8> = animation.chunks().into();
    let animation = Asset::parse(&animation).unwrap();
    let clip = animation.clips().next().unwrap();
    let mut out = vec![Transform::IDENTITY; 4];
    for wrap in [Wrap::Clamp, Wrap::Loop] {
        clip.sample_frame(1.0, wrap, &mut out).unwrap();
        assert_eq!(out[0], Transform::new([1.0, 0.0, 0.0], build::IDENTITY), "{wrap:?}");
        clip.sample_frame(2.0, wrap, &mut out).unwrap();
        assert_eq!(out[1], Transform::new([2.0, 0.0, 0.0], build::IDENTITY), "{wrap:?}");
    }
    // Past the end of a clamped clip too.
    clip.sample_frame(2.75, Wrap::Clamp, &mut out).unwrap();
    assert_eq!(out[3].translation, [2.0, 0.0, 0.0]);
}

#[test]
fn a_clip_of_another_skeleton_or_family_moves_nothing() {
    let strangers = vec![Bone::new("Tail", 0, [1.0; 3], build::IDENTITY); 4];
    let three = pyrogenesis::Psa::walk(3, 2).build().bytes;
    let (_, gsa) = swat3_file(2);
    let meshes = [figure(|_| {}), changed_pmd(4, |_| {})];
    let animations = [sway(strangers, 2), three, gsa, sway(Vec::new(), 2)];
    for mesh in &meshes {
        for animation in &animations {
            agree(mesh, animation, None, &Effort::whole());
            let (mesh, animation) = (Asset::parse(mesh).unwrap(), Asset::parse(animation).unwrap());
            let (mesh, clip) = (mesh.mesh().unwrap(), animation.clips().next().unwrap());
            let binding = Binding::new(&mesh, &clip);
            assert!((0..4).all(|bone| binding.track_of(bone).is_none()));
            assert_eq!(binding.to_unmatched_tracks().len(), clip.track_count());
            let skin = Skin::new(&mesh, 4).unwrap();
            let mut out = vec![Transform::default(); mesh.bone_count()];
            if clip.frame_count() > 0 {
                binding.sample(&clip, 0.1, Wrap::Loop, &mut out).unwrap();
                assert_eq!(out, skin.bind_pose());
            }
            assert!(!binding.is_additive(&clip));
        }
    }
}

#[test]
fn a_bound_mesh_is_not_moved_by_a_clip_of_another_family_with_as_many_tracks() {
    let (mesh, own, other) = (figure(|_| {}), walk(), pyrogenesis::Psa::walk(4, 2).build().bytes);
    let [mesh, own, other] = [&mesh, &own, &other].map(|bytes| Asset::parse(bytes).unwrap());
    let [own, other] = [&own, &other].map(|animation| animation.clips().next().unwrap());
    let binding = Binding::new(&mesh.mesh().unwrap(), &own);
    let mut out = [Transform::IDENTITY; 4];
    binding.sample_frame(&own, 0.0, Wrap::Clamp, &mut out).unwrap();
    let error = binding.sample_frame(&other, 0.0, Wrap::Clamp, &mut out).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::OtherFormat { found: "a clip of another space than the bound one" });
}

/// An animation of a skeleton of so many bones, whose tracks move these.
fn tracks_of(bones: usize, ids: &[u16]) -> Vec<u8> {
    let rotations = ids.iter().map(|id| if id % 2 == 0 { build::IDENTITY } else { [0.5; 4] }).collect();
    let skeleton = swat3::Layout::Plain.skeleton(&swat3::biped(bones));
    swat3::Gsa::new(1, skeleton, ids, vec![swat3::Frame::new(rotations)]).build().bytes
}

#[test]
fn a_track_moves_its_bone_or_a_bone_of_its_own_if_one_is_not_in_the_skeleton() {
    let in_order = |count: usize| (0..count).collect::<Vec<usize>>();
    for (bones, ids, nodes, tracks) in [
        (3, &[2, 0][..], in_order(3), &[Some(1), None, Some(0)][..]),
        (3, &[2, 0, 1], in_order(3), &[Some(1), Some(2), Some(0)]),
        // Then the skeleton is not known.
        (0, &[2, 3], vec![2, 3], &[Some(0), Some(1)]),
    ] {
        let bytes = tracks_of(3, ids);
        let asset = Asset::parse(&bytes).unwrap();
        let clip = asset.clips().next().unwrap();
        assert_eq!((clip.skeleton().bone_count(), clip.to_nodes()), (bones, nodes), "{ids:?}");
        let binding = Binding::of_clip(&clip);
        let found: Vec<_> = (0..tracks.len()).map(|bone| binding.track_of(bone)).collect();
        assert_eq!((&found[..], binding.track_of(tracks.len())), (tracks, None), "{ids:?}");
        for (bone, track) in tracks.iter().enumerate() {
            let expected = if track.is_some_and(|track| ids[track] % 2 == 1) { [0.5; 4] } else { build::IDENTITY };
            assert_eq!(binding.to_rest()[bone].rotation, expected, "{ids:?}: bone {bone}");
        }
    }
}

#[test]
fn a_binding_tracks_all_bones_if_each_has_the_track_of_its_index() {
    let (mesh, animation) = (figure(|_| {}), walk());
    let mut exchanged = sample::walk();
    exchanged.bones.swap(2, 3);
    let exchanged: Vec<u8> = exchanged.chunks().into();
    let [mesh, animation, exchanged] = [&mesh, &animation, &exchanged].map(|bytes| Asset::parse(bytes).unwrap());
    let [clip, exchanged] = [&animation, &exchanged].map(|animation| animation.clips().next().unwrap());
    for binding in [Binding::of_clip(&clip), Binding::new(&mesh.mesh().unwrap(), &clip)] {
        assert_eq!([3, 4, 5].map(|count| binding.tracks_all(count)), [false, true, false]);
    }
    let binding = Binding::new(&mesh.mesh().unwrap(), &exchanged);
    assert_eq!(([2, 3].map(|bone| binding.track_of(bone)), binding.tracks_all(4)), ([Some(3), Some(2)], false));
}

/// An animation of three bones whose frames differ in length.
fn swat3_file(minor: u8) -> (Vec<Vec<[f32; 4]>>, Vec<u8>) {
    let mut rng = swat3::random::Rng::new(7);
    let rotations: Vec<_> = (0..5).map(|_| rng.rotations(3)).collect();
    let frames = rotations.iter().enumerate().map(|(at, own)| {
        let frame = swat3::Frame::new(own.clone());
        if minor == 2 && at % 2 == 1 { frame.event(format!("sound={}", "x".repeat(at))) } else { frame }
    });
    let skeleton = swat3::Layout::Plain.skeleton(&swat3::biped(3));
    let bytes = swat3::Gsa::new(minor, skeleton, &[], frames.collect()).build().bytes;
    (rotations, bytes)
}

#[test]
fn a_swat3_clip_has_rotations_and_states_its_missing_parts() {
    let (_, bytes) = swat3_file(1);
    let asset = Asset::parse(&bytes).unwrap();
    assert!(asset.mesh().is_none());
    let clip = asset.clips().next().unwrap();
    let parts = clip.parts();
    assert!(!parts.translation && parts.rotation && !parts.scale);
    assert_eq!((clip.relative(), clip.space(), clip.rate()), (Relative::Unknown, None, Some(10.0)));
    // A change of a space that is not known changes nothing.
    let changed = clip.with_metres(0.5).in_space(Space::GLTF);
    assert_eq!((changed.space(), changed.transform(3, 1)), (None, clip.transform(3, 1)));
    let own = clip.transform(3, 1).unwrap();
    assert_eq!((own.translation, own.scale), ([0.0; 3], [1.0; 3]));
}

#[test]
fn frames_of_differing_length_are_found_with_and_without_an_index() {
    let (rotations, bytes) = swat3_file(2);
    let (walked, indexed) = (Asset::parse(&bytes).unwrap(), AssetBuf::parse(bytes.clone()).unwrap());
    let indexed = indexed.view();
    for clip in [walked.clips().next().unwrap(), indexed.clips().next().unwrap()] {
        let mut out = vec![Transform::IDENTITY; 3];
        for (frame, expected) in rotations.iter().enumerate().rev() {
            clip.sample_frame(frame as f64, Wrap::Clamp, &mut out).unwrap();
            for (track, own) in expected.iter().enumerate() {
                assert_eq!(clip.transform(frame, track).unwrap().rotation, *own);
                let turn: f32 = out[track].rotation.iter().zip(own).map(|(a, b)| a * b).sum();
                assert!(turn.abs() > 0.999_999, "{turn}");
            }
        }
        assert_eq!(clip.transform(5, 0), None);
    }
}

#[test]
fn buffers_of_another_length_give_an_error_with_both_lengths() {
    fn wrong<T: std::fmt::Debug>(result: Result<T, Error>, needed: u64, given: u64) {
        assert_eq!(result.unwrap_err().kind(), ErrorKind::BufferSize { needed, given });
    }
    let (mesh, animation) = (figure(|_| {}), walk());
    let (mesh, animation) = (Asset::parse(&mesh).unwrap(), Asset::parse(&animation).unwrap());
    let (mesh, clip) = (mesh.mesh().unwrap(), animation.clips().next().unwrap());
    let (skin, binding) = (Skin::new(&mesh, 4).unwrap(), Binding::new(&mesh, &clip));
    for given in [0, 1, 3, 5, 6, 100] {
        let (count, wrap) = (given as u64, Wrap::Clamp);
        let mut pose = vec![Transform::IDENTITY; given];
        wrong(clip.sample(0.0, wrap, &mut pose), 4, count);
        wrong(clip.sample_frame(0.0, wrap, &mut pose), 4, count);
        wrong(binding.sample(&clip, 0.0, wrap, &mut pose), 4, count);
        let mut matrices = vec![IDENTITY; given];
        wrong(skin.model_matrices(&pose, &mut [IDENTITY; 4]), 4, count);
        wrong(skin.model_matrices(&[Transform::IDENTITY; 4], &mut matrices), 4, count);
        wrong(skin.matrices(&pose, &mut [IDENTITY; 5]), 4, count);
        let mut points = vec![[0.0; 3]; given];
        let right = [IDENTITY; 5];
        wrong(skin.positions(&mesh, &right, &mut points), 8, count);
        wrong(skin.normals(&mesh, &right, &mut points), 8, count);
        wrong(skin.rest_positions(&mesh, &mut points), 8, count);
        wrong(skin.positions_from(&points, &right, &mut [[0.0; 3]; 8]), 8, count);
        wrong(skin.positions_from(&[[0.0; 3]; 8], &right, &mut points), 8, count);
        if given != 5 {
            wrong(skin.matrices(&[Transform::IDENTITY; 4], &mut matrices), 5, count);
            wrong(skin.positions(&mesh, &matrices, &mut [[0.0; 3]; 8]), 5, count);
            wrong(skin.normals(&mesh, &matrices, &mut [[0.0; 3]; 8]), 5, count);
            wrong(skin.positions_from(&[[0.0; 3]; 8], &matrices, &mut [[0.0; 3]; 8]), 5, count);
        }
    }
    // Another mesh than the skin was made of, and another clip than was bound.
    let other = figure(|mesh| mesh.points.truncate(7));
    let other = Asset::parse(&other).unwrap();
    let other = other.mesh().unwrap();
    wrong(skin.positions(&other, &[IDENTITY; 5], &mut [[0.0; 3]; 8]), 8, 7);
    wrong(skin.rest_positions(&other, &mut [[0.0; 3]; 8]), 8, 7);
    let five = sway(build::chain(5), 2);
    let five = Asset::parse(&five).unwrap();
    let clip: Clip<'_> = five.clips().next().unwrap();
    wrong(binding.sample(&clip, 0.0, Wrap::Clamp, &mut [Transform::IDENTITY; 4]), 4, 5);
}
