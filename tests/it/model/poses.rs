//! What a pose is, by numbers that anyone can check: the shorter way, the last frame of a loop, side-cars, additive clips,
//! morph targets, units and spaces.

use skelmap::Asset;
use skelmap::actorx::Config;
use skelmap::model::{
    Binding, Clip, Handedness, IDENTITY, Influences, Part, Skin, Source, Space, Transform, Wrap, maths,
};

use super::parts::{changed_pmd, figure, frames_of, posed, walk};
use test_support::actorx::build::{self, Bone, Delta, Morph, name};
use test_support::actorx::corpus::sample;
use test_support::pyrogenesis::build as pyrogenesis;

/// A turn about z.
fn turn(degrees: f32) -> [f32; 4] {
    let half = degrees.to_radians() / 2.0;
    [0.0, 0.0, half.sin(), half.cos()]
}

/// Bone 1 of four, whose stored rotations are these; frames at 10 per second.
fn turning(rotations: &[[f32; 4]]) -> Vec<u8> {
    let mut animation = frames_of(rotations.len() as i32, 10.0);
    for (frame, rotation) in rotations.iter().enumerate() {
        animation.keys[frame * 4 + 1].rotation = *rotation;
    }
    animation.chunks().into()
}

/// Degrees about z of a bone's rotation, -180 to 180.
fn degrees(own: &Transform) -> f32 {
    let [x, y, z, w] = own.rotation;
    assert!(x.abs() < 1e-6 && y.abs() < 1e-6, "{own:?}");
    let turned = 2.0 * z.atan2(w).to_degrees();
    if turned > 180.0 {
        turned - 360.0
    } else if turned < -180.0 {
        turned + 360.0
    } else {
        turned
    }
}

fn sampled(clip: &Clip<'_>, position: f64, wrap: Wrap) -> Vec<Transform> {
    let mut out = vec![Transform::IDENTITY; clip.track_count()];
    clip.sample_frame(position, wrap, &mut out).unwrap();
    out
}

#[test]
fn a_blend_takes_the_shorter_way_whatever_the_signs_of_its_keys() {
    for (first, second, halfway) in [(10.0, 80.0, 45.0), (-170.0, 170.0, 180.0), (0.0, 1.0, 0.5), (0.0, 170.0, 85.0)] {
        for (a, b) in [(1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)] {
            let rotations = [turn(first).map(|x| x * a), turn(second).map(|x| x * b)];
            let bytes = turning(&rotations);
            let asset = Asset::parse(&bytes).unwrap();
            let clip = asset.clips().next().unwrap();
            // All bones but the first are stored as the conjugate.
            let found = -degrees(&sampled(&clip, 0.5, Wrap::Clamp)[1]);
            assert!((found.abs() - f32::abs(halfway)).abs() < 1e-3, "{first} and {second}: {found}");
            let quarter = -degrees(&sampled(&clip, 0.25, Wrap::Clamp)[1]);
            let expected = if first < -90.0 { -175.0 } else { first + (second - first) / 4.0 };
            assert!((quarter - expected).abs() < 1e-3, "{first} and {second}: {quarter}");
        }
    }
}

#[test]
fn the_lengths_of_two_rotations_do_not_move_the_blend() {
    for lengths in [(1.0, 1.0), (0.75, 1.2), (1.2, 0.75), (0.995, 1.005), (0.01, 90.0)] {
        for (first, second) in [(10.0, 12.0), (10.0, 70.0)] {
            let bytes = turning(&[turn(first).map(|x| x * lengths.0), turn(second).map(|x| x * lengths.1)]);
            let asset = Asset::parse(&bytes).unwrap();
            let clip = asset.clips().next().unwrap();
            for part in [0.125, 0.5, 0.75] {
                let found = -degrees(&sampled(&clip, part, Wrap::Clamp)[1]);
                let expected = first + (second - first) * part as f32;
                assert!((found - expected).abs() < 1e-3, "{first} and {second}, {lengths:?}: {found}");
            }
        }
    }
}

/// The arc between two rotations, computed in `f64`: sin((1 - t) angle) / sin(angle) of the first and sin(t angle) / sin(angle) of the second.
#[test]
fn a_blend_is_on_the_arc_between_two_rotations_to_a_millionth() {
    let unit = |vector: [f64; 4]| {
        let length = vector.iter().map(|value| value * value).sum::<f64>().sqrt();
        vector.map(|value| value / length)
    };
    let axis = unit([1.0, -2.0, 3.0, 0.0]);
    for half in (1..=17).map(|step| f64::from(step) * 5.0) {
        let (sine, cosine) = half.to_radians().sin_cos();
        let start = unit([0.3, 0.1, -0.2, 0.9]);
        // The product of the start with a turn by twice that angle.
        let [ax, ay, az, aw] = start;
        let [bx, by, bz] = [axis[0] * sine, axis[1] * sine, axis[2] * sine];
        let end = [
            aw * bx + ax * cosine + ay * bz - az * by,
            aw * by + ay * cosine + az * bx - ax * bz,
            aw * bz + az * cosine + ax * by - ay * bx,
            aw * cosine - ax * bx - ay * by - az * bz,
        ];
        for lengths in [[1.0, 1.0], [1.004, 0.996], [1.009, 0.992], [0.5, 3.0]] {
            let keys = [start.map(|value| (value * lengths[0]) as f32), end.map(|value| (value * lengths[1]) as f32)];
            let bytes = turning(&keys);
            let asset = Asset::parse(&bytes).unwrap();
            let clip = asset.clips().next().unwrap();
            for weight in [0.1, 0.25, 0.5, 0.8, 0.9] {
                let [first, second] = keys.map(|key| unit(key.map(f64::from)));
                let angle = (0..4).map(|at| first[at] * second[at]).sum::<f64>().acos();
                let [a, b] = [((1.0 - weight) * angle).sin() / angle.sin(), (weight * angle).sin() / angle.sin()];
                // All bones but the first are stored as the conjugate.
                let [x, y, z, w] = [0, 1, 2, 3].map(|at| a * first[at] + b * second[at]);
                let found = sampled(&clip, weight, Wrap::Clamp)[1].rotation;
                for (found, expected) in found.into_iter().zip([-x, -y, -z, w]) {
                    assert!(
                        (f64::from(found) - expected).abs() < 1e-6,
                        "{half} degrees, {weight}, {lengths:?}: {found} {expected}"
                    );
                }
            }
        }
    }
}

#[test]
fn a_blend_of_almost_no_length_has_unit_length() {
    let bytes = turning(&[[0.0; 4], turn(80.0)]);
    let asset = Asset::parse(&bytes).unwrap();
    let clip = asset.clips().next().unwrap();
    for position in [0.0, 1e-40, 3e-22, 1e-21, 1e-10, 0.5] {
        let own = sampled(&clip, position, Wrap::Clamp)[1];
        let length = own.rotation.iter().map(|x| x * x).sum::<f32>();
        assert!((length - 1.0).abs() < 1e-6, "{position}: {own:?}");
    }
    // The one that has a direction gives it.
    assert!((degrees(&sampled(&clip, 0.5, Wrap::Clamp)[1]) + 80.0).abs() < 1e-3);
}

#[test]
fn the_first_bone_has_its_stored_rotation_and_the_others_the_conjugate() {
    let bytes = turning(&[turn(30.0)]);
    let mut animation = frames_of(1, 10.0);
    animation.keys[0].rotation = turn(30.0);
    let first: Vec<u8> = animation.chunks().into();
    let (asset, first) = (Asset::parse(&bytes).unwrap(), Asset::parse(&first).unwrap());
    let found = degrees(&sampled(&asset.clips().next().unwrap(), 0.0, Wrap::Clamp)[1]);
    assert!((found + 30.0).abs() < 1e-3, "{found}");
    let clip = first.clips().next().unwrap();
    assert!((degrees(&sampled(&clip, 0.0, Wrap::Clamp)[0]) - 30.0).abs() < 1e-3);
    assert_eq!(clip.transform(0, 0).unwrap().rotation, turn(30.0));
    // In Unreal's left-handed space, the same turn about z is the other way; in glTF's it is about y.
    let unreal = clip.in_space(Space::UNREAL).transform(0, 0).unwrap();
    assert_eq!(unreal.rotation, [0.0, 0.0, -turn(30.0)[2], turn(30.0)[3]]);
    let gltf = clip.in_space(Space::GLTF).transform(0, 0).unwrap();
    assert_eq!(gltf.rotation, [0.0, turn(30.0)[2], 0.0, turn(30.0)[3]]);
}

#[test]
fn of_many_bones_the_first_alone_has_its_stored_rotation() {
    // More than two times eight, which are blended together.
    let key = build::Key { position: [1.0, 2.0, 3.0], rotation: turn(30.0), time: 1.0 };
    let infos = vec![build::Info::new("turn", 19, 0, 2, 10.0)];
    let animation = build::Anim { bones: build::chain(19), infos, keys: vec![key; 38], scale_keys: Vec::new() };
    let bytes: Vec<u8> = animation.chunks().into();
    let asset = Asset::parse(&bytes).unwrap();
    for (bone, own) in sampled(&asset.clips().next().unwrap(), 0.5, Wrap::Clamp).iter().enumerate() {
        let expected = if bone == 0 { 30.0 } else { -30.0 };
        assert!((degrees(own) - expected).abs() < 1e-3, "{bone}: {own:?}");
        assert_eq!(own.translation, [1.0, 2.0, 3.0], "{bone}");
    }
}

#[test]
fn the_last_frame_of_a_loop_blends_into_the_first_and_a_clamped_frame_stays() {
    let animation: Vec<u8> = frames_of(4, 10.0).chunks().into();
    let asset = Asset::parse(&animation).unwrap();
    let clip = asset.clips().next().unwrap();
    let at = |position, wrap| sampled(&clip, position, wrap)[0].translation[0];
    for (position, clamped, looped) in
        [(2.5, 2.5, 2.5), (3.0, 3.0, 3.0), (3.25, 3.0, 2.25), (3.5, 3.0, 1.5), (4.0, 3.0, 0.0), (-0.25, 0.0, 0.75)]
    {
        assert_eq!((at(position, Wrap::Clamp), at(position, Wrap::Loop)), (clamped, looped), "{position}");
    }
    // A turn of a loop takes as long as all frames.
    assert_eq!(clip.duration(), Some(0.4));
    let mut out = vec![Transform::IDENTITY; 4];
    clip.sample(0.4 * 3.0 + 0.15, Wrap::Loop, &mut out).unwrap();
    assert!((out[0].translation[0] - 1.5).abs() < 1e-5);
}

#[test]
fn scale_keys_are_blended_and_permuted_with_the_axes() {
    let mut animation = frames_of(2, 10.0);
    let scale = |frame: f32| build::ScaleKey { scale: [1.0 + frame, 2.0, 3.0 - frame], time: 1.0 };
    animation.scale_keys = [[scale(0.0); 4], [scale(1.0); 4]].concat();
    let bytes: Vec<u8> = animation.chunks().into();
    let asset = Asset::parse(&bytes).unwrap();
    let clip = asset.clips().next().unwrap();
    assert_eq!(sampled(&clip, 0.5, Wrap::Clamp)[2].scale, [1.5, 2.0, 2.5]);
    assert_eq!(sampled(&clip.in_space(Space::GLTF), 0.5, Wrap::Clamp)[2].scale, [1.5, 2.5, 2.0]);
}

#[test]
fn a_side_car_takes_parts_from_the_bind_pose_of_the_mesh() {
    let (mesh, animation) = (figure(|_| {}), walk());
    let (mesh, animation) = (Asset::parse(&mesh).unwrap(), Asset::parse(&animation).unwrap());
    let (mesh, clip) = (mesh.mesh().unwrap(), animation.clips().next().unwrap());
    let name = clip.name().unwrap().to_string();
    let text = format!("[AnimSet]\nbAnimRotationOnly=1\n[RemoveTracks]\n{name}.1=rot\n{name}.0=trans\nother.2=all\n");
    let sources = Config::new(text.as_bytes()).to_sources(&clip);
    let plain = Binding::new(&mesh, &clip);
    let binding = plain.clone().with_sources(&sources);
    let pairs = (0..4).map(|bone| binding.sources_of(bone).unwrap());
    let pairs: Vec<_> = pairs.map(|own| [own.translation, own.rotation].map(|own| own == Source::Mesh)).collect();
    assert_eq!(pairs, [[true, false], [true, true], [true, false], [true, false]]);
    let skin = Skin::new(&mesh, 4).unwrap();
    let (mut own, mut with) = (skin.bind_pose().to_vec(), skin.bind_pose().to_vec());
    plain.sample_frame(&clip, 0.5, Wrap::Clamp, &mut own).unwrap();
    binding.sample_frame(&clip, 0.5, Wrap::Clamp, &mut with).unwrap();
    for bone in 0..4 {
        assert_eq!(with[bone].translation, skin.bind_pose()[bone].translation);
        let expected = if bone == 1 { skin.bind_pose()[bone] } else { own[bone] };
        assert_eq!(with[bone].rotation, expected.rotation);
    }
    // Fewer sources than tracks: the others come from the animation.
    assert_eq!(plain.clone().with_sources(&sources[..1]).sources_of(3), plain.sources_of(3));
}

#[test]
fn a_side_car_may_take_the_rotation_alone_from_the_bind_pose() {
    let (mesh, animation) = (figure(|_| {}), walk());
    let (mesh, animation) = (Asset::parse(&mesh).unwrap(), Asset::parse(&animation).unwrap());
    let (mesh, clip) = (mesh.mesh().unwrap(), animation.clips().next().unwrap());
    let name = clip.name().unwrap().to_string();
    let text = format!("[RemoveTracks]\n{name}.2=rot\n{name}.3=trans\n");
    let plain = Binding::new(&mesh, &clip);
    let binding = plain.clone().with_sources(&Config::new(text.as_bytes()).to_sources(&clip));
    let of_mesh = |part| [1, 2, 3].map(|bone| binding.is_of_mesh(part, bone));
    assert_eq!(of_mesh(Part::Rotation), [false, true, false]);
    assert_eq!((of_mesh(Part::Translation), of_mesh(Part::Scale)), ([false, false, true], [false; 3]));
    assert!(Part::ALL.iter().all(|part| binding.is_of_mesh(*part, 4)), "no such bone");
    let skin = Skin::new(&mesh, 4).unwrap();
    let (bind, mut own, mut with) = (skin.bind_pose(), skin.bind_pose().to_vec(), skin.bind_pose().to_vec());
    // In frame 1, all bones have the rotation of the spine.
    plain.sample_frame(&clip, 1.0, Wrap::Clamp, &mut own).unwrap();
    binding.sample_frame(&clip, 1.0, Wrap::Clamp, &mut with).unwrap();
    assert_ne!(own[2].rotation, bind[2].rotation);
    assert_eq!((with[2].rotation, with[2].translation), (bind[2].rotation, own[2].translation));
    assert_eq!((with[3].rotation, with[3].translation), (own[3].rotation, bind[3].translation));
    assert_eq!(with[..2], own[..2]);
}

#[test]
fn a_track_moves_if_it_leaves_its_first_place_by_more_than_a_limit_in_the_unit_of_the_result() {
    // Along x, track 0 goes from 0 to 2 in the file; the others stay.
    let mut animation = frames_of(3, 10.0);
    animation.keys.iter_mut().enumerate().filter(|(at, _)| at % 4 > 0).for_each(|(_, key)| key.position = [5.0; 3]);
    let bytes: Vec<u8> = animation.chunks().into();
    let asset = Asset::parse(&bytes).unwrap();
    let clip = asset.clips().next().unwrap();
    let halved = clip.with_metres(0.5).in_space(Space::GLTF);
    for (clip, most) in [(clip, 2.0), (halved, 1.0)] {
        assert_eq!(clip.to_moving_parts(most), [[false; 3]; 4], "{most}");
        assert_eq!(clip.to_moving_parts(most * 0.9)[..2], [[true, false, false], [false; 3]], "{most}");
    }
}

/// Ten bones 10 units long, of whose tracks so many hold a translation of so many units.
fn additive(kept: usize, length: f32) -> bool {
    let bones: Vec<Bone> =
        (0..10).map(|at| Bone::new(&format!("b{at}"), 0, [0.0, 10.0, 0.0], build::IDENTITY)).collect();
    let mut animation = build::Anim::sway(bones.clone(), &[("pose", 3, 10.0)]);
    for (index, key) in animation.keys.iter_mut().enumerate() {
        let is_last = index / 10 == 2;
        key.position = if is_last && index % 10 < kept { [0.0, 0.0, length] } else { [0.0; 3] };
    }
    let mesh = figure(|mesh| mesh.bones = bones);
    let animation: Vec<u8> = animation.chunks().into();
    let (mesh, animation) = (Asset::parse(&mesh).unwrap(), Asset::parse(&animation).unwrap());
    let (mesh, clip) = (mesh.mesh().unwrap(), animation.clips().next().unwrap());
    let here = Binding::new(&mesh, &clip).is_additive(&clip);
    let there = Binding::new(&mesh.with_metres(0.01).in_space(Space::GLTF), &clip).is_additive(&clip);
    assert_eq!(here, there, "the space does not matter");
    here
}

#[test]
fn a_clip_is_additive_if_four_of_five_tracks_hold_less_than_a_thousandth_of_the_bind_pose() {
    assert!(additive(0, 10.0) && additive(1, 10.0) && additive(2, 10.0));
    assert!(!additive(3, 10.0) && !additive(10, 10.0));
    assert!(additive(10, 0.0099) && !additive(10, 0.0101));
}

#[test]
fn exactly_a_thousandth_of_the_bind_pose_is_next_to_nothing() {
    for (length, expected) in [(1.0, true), (1.001, false)] {
        let bones = vec![Bone::new("long", 0, [0.0, 1000.0, 0.0], build::IDENTITY)];
        let mut animation = build::Anim::sway(bones.clone(), &[("pose", 2, 10.0)]);
        animation.keys.iter_mut().for_each(|key| key.position = [0.0, 0.0, length]);
        let (mesh, animation): (_, Vec<u8>) = (figure(|mesh| mesh.bones = bones), animation.chunks().into());
        let (mesh, animation) = (Asset::parse(&mesh).unwrap(), Asset::parse(&animation).unwrap());
        let (mesh, clip) = (mesh.mesh().unwrap(), animation.clips().next().unwrap());
        assert_eq!(Binding::new(&mesh, &clip).is_additive(&clip), expected, "{length}");
    }
}

#[test]
fn tracks_with_a_translation_from_the_mesh_do_not_decide_whether_a_clip_is_additive() {
    let mut animation = frames_of(2, 10.0);
    animation.keys.iter_mut().for_each(|key| key.position = [0.0; 3]);
    let (mesh, animation): (_, Vec<u8>) = (figure(|_| {}), animation.chunks().into());
    let (mesh, animation) = (Asset::parse(&mesh).unwrap(), Asset::parse(&animation).unwrap());
    let (mesh, clip) = (mesh.mesh().unwrap(), animation.clips().next().unwrap());
    let binding = Binding::new(&mesh, &clip);
    assert!(binding.is_additive(&clip));
    let sources = Config::new(b"[AnimSet]\nbAnimRotationOnly=1\n").to_sources(&clip);
    assert!(!binding.with_sources(&sources).is_additive(&clip));
}

#[test]
fn duplicate_names_are_bound_in_order_in_any_case_and_without_trailing_blanks() {
    let named = |names: [&str; 4]| {
        let mut bones = sample::bones();
        bones.iter_mut().zip(names).for_each(|(bone, own)| bone.name = name(own));
        bones
    };
    let mesh = figure(|mesh| mesh.bones = named(["Root", "hand", "HAND  ", "tail"]));
    let mut animation = frames_of(2, 10.0);
    animation.bones = named(["hand ", "other", "Hand", "hAnD"]);
    let animation: Vec<u8> = animation.chunks().into();
    let (mesh, animation) = (Asset::parse(&mesh).unwrap(), Asset::parse(&animation).unwrap());
    let (mesh, clip) = (mesh.mesh().unwrap(), animation.clips().next().unwrap());
    let binding = Binding::new(&mesh, &clip);
    let tracks: Vec<_> = (0..5).map(|bone| binding.track_of(bone)).collect();
    assert_eq!(tracks, [None, Some(0), Some(2), None, None]);
    assert_eq!(binding.to_unmatched_tracks(), [1, 3]);
}

#[test]
fn a_morph_target_moves_the_points_of_a_skinned_mesh_in_any_space() {
    let delta = Delta { position: [1.0, 2.0, 3.0], normal: [0.0; 3], point: 5 };
    let morph = Morph { name: name("smile"), count: 1 };
    let bytes: Vec<u8> = sample::figure().chunks().records("MRPHINFO", &[morph]).records("MRPHDATA", &[delta]).into();
    let asset = Asset::parse(&bytes).unwrap();
    let mesh = asset.mesh().unwrap();
    // The offset in the file's space, then in glTF's, where y is up and z is -y.
    for (mesh, offset) in [
        (mesh, [0.5, -1.0, 1.5]),
        (mesh.in_space(Space::GLTF), [0.5, 1.5, 1.0]),
        (mesh.with_metres(0.01).in_space(Space::GLTF), [0.005, 0.015, 0.01]),
    ] {
        let skin = Skin::new(&mesh, 4).unwrap();
        let before = posed(&mesh, &skin, skin.bind_pose());
        let mut rest = vec![[0.0; 3]; 8];
        skin.rest_positions(&mesh, &mut rest).unwrap();
        mesh.to_morphs()[0].add_to(0.5, &mut rest);
        let mut matrices = vec![skelmap::model::IDENTITY; skin.matrix_count()];
        skin.matrices(skin.bind_pose(), &mut matrices).unwrap();
        let mut after = before.clone();
        skin.positions_from(&rest, &matrices, &mut after).unwrap();
        for (point, (before, after)) in before.iter().zip(&after).enumerate() {
            for axis in 0..3 {
                let expected = if point == 5 { offset[axis] } else { 0.0 };
                assert!((after[axis] - before[axis] - expected).abs() < 1e-5, "{point}: {before:?} {after:?}");
            }
        }
    }
}

/// As a program with a graphics card of its own skins: positions, poses and inverse binds of one mesh, all in its space.
#[test]
fn inverse_binds_move_the_positions_of_a_mesh_in_any_space() {
    let bytes: Vec<u8> = sample::figure().chunks().into();
    let own = Asset::parse(&bytes).unwrap().mesh().unwrap();
    for mesh in
        [own, own.in_space(Space::GLTF), own.with_metres(0.01).in_space(Space::GLTF), own.in_space(Space::UNREAL)]
    {
        let skin = Skin::new(&mesh, 4).unwrap();
        let turned = |own: &Transform| Transform { rotation: [0.5, 0.5, -0.5, 0.5], ..*own };
        let pose: Vec<_> = skin.bind_pose().iter().map(turned).collect();
        let mut matrices = vec![skelmap::model::IDENTITY; skin.bone_count()];
        skin.model_matrices(&pose, &mut matrices).unwrap();
        for (matrix, inverse) in matrices.iter_mut().zip(skin.inverse_bind()) {
            *matrix = maths::product(matrix, inverse);
        }
        let (bones, weights, width) =
            (skin.influences().bones(), skin.influences().weights(), skin.influences().width());
        for (point, expected) in posed(&mesh, &skin, &pose).into_iter().enumerate() {
            let mut sum = [0.0; 3];
            for at in point * width..(point + 1) * width {
                let moved = maths::transformed(&matrices[usize::from(bones[at])], mesh.position(point).unwrap());
                sum.iter_mut().zip(moved).for_each(|(sum, value)| *sum += weights[at] * value);
            }
            assert!(
                sum.iter().zip(expected).all(|(own, other)| (own - other).abs() < 1e-4),
                "{point}: {sum:?} {expected:?}"
            );
        }
    }
}

#[test]
fn spaces_have_a_handedness_and_a_mirrored_space_mirrors_the_rotations_of_a_clip() {
    assert_eq!(Space::ACTORX.handedness(), Handedness::Right);
    assert_eq!(Space::GLTF.handedness(), Handedness::Right);
    assert_eq!((Space::UNREAL.handedness(), Space::PYROGENESIS.handedness()), (Handedness::Left, Handedness::Left));
    let states = vec![pyrogenesis::State::new([1.0, 2.0, 3.0], [0.1, 0.2, 0.3, 0.4])];
    let bytes = pyrogenesis::Psa::new(1, 1, states).build().bytes;
    let asset = Asset::parse(&bytes).unwrap();
    let own = asset.clips().next().unwrap().in_space(Space::GLTF).transform(0, 0).unwrap();
    assert_eq!((own.translation, own.rotation), ([1.0, 2.0, -3.0], [-0.1, -0.2, 0.3, 0.4]));
}

#[test]
fn a_unit_known_from_elsewhere_may_be_given_before_or_after_the_space() {
    let (mesh, animation) = (figure(|_| {}), walk());
    let (mesh, animation) = (Asset::parse(&mesh).unwrap(), Asset::parse(&animation).unwrap());
    let (mesh, clip) = (mesh.mesh().unwrap(), animation.clips().next().unwrap());
    let inches = Space::ACTORX.with_metres(0.0254);
    for (space, factor) in [(Space::GLTF, 0.01), (inches, 0.01 / 0.0254), (Space::UNREAL, 1.0)] {
        let (before, after) = (mesh.with_metres(0.01).in_space(space), mesh.in_space(space).with_metres(0.01));
        assert_eq!((before.position(7), before.space()), (after.position(7), after.space()));
        let height = before.bounds().unwrap().height(&space);
        assert!((height - 40.0 * factor).abs() < 1e-3, "{height}");
        let (before, after) = (clip.with_metres(0.01).in_space(space), clip.in_space(space).with_metres(0.01));
        assert_eq!((before.transform(0, 3), before.space()), (after.transform(0, 3), after.space()));
    }
    assert_eq!(mesh.with_metres(0.5).space().metres(), Some(0.5));
    assert_eq!(mesh.with_metres(0.5).position(7), mesh.position(7));
    assert_eq!(mesh.with_metres(f32::NAN).space().metres(), None);
}

#[test]
fn a_file_that_states_its_unit_keeps_it() {
    let (mesh, animation) = (changed_pmd(4, |_| {}), pyrogenesis::Psa::walk(4, 2).build().bytes);
    let (mesh, animation) = (Asset::parse(&mesh).unwrap(), Asset::parse(&animation).unwrap());
    let (mesh, clip) = (mesh.mesh().unwrap(), animation.clips().next().unwrap());
    let (other, moved) = (mesh.with_metres(0.5), clip.with_metres(0.5));
    assert_eq!((other.space().metres(), moved.space().and_then(|space| space.metres())), (Some(1.0), Some(1.0)));
    let [x, y, z] = mesh.position(5).unwrap();
    assert_eq!(other.in_space(Space::GLTF).position(5), Some([x, y, -z]));
}

#[test]
fn a_point_without_influences_follows_the_first_bone() {
    let bytes = figure(|mesh| mesh.weights.retain(|weight| weight.point != 6));
    let asset = Asset::parse(&bytes).unwrap();
    let mesh = asset.mesh().unwrap();
    let influences = Influences::new(&mesh, 4);
    assert_eq!(influences.dropped().unweighted_points, 1);
    let width = influences.width();
    assert_eq!((influences.bones()[6 * width], influences.weights()[6 * width]), (0, 1.0));
    let skin = Skin::new(&mesh, 4).unwrap();
    let mut pose = skin.bind_pose().to_vec();
    pose[0].translation = [0.0, 0.0, 100.0];
    pose[3].translation = [0.0; 3];
    let rest = posed(&mesh, &skin, skin.bind_pose());
    assert_eq!(posed(&mesh, &skin, &pose)[6][2], rest[6][2] + 100.0);
}

#[test]
fn the_bind_pose_gives_the_rest_pose_of_a_mesh_of_version_2() {
    let bytes = changed_pmd(2, |mesh| {
        for vertex in &mut mesh.vertices {
            (vertex.bones, vertex.weights) = ([2, 0xFF, 0, 0], [1.0, 0.0, 0.0, 0.0]);
        }
        mesh.bind[2] = pyrogenesis::State::new([0.0, 50.0, 0.0], turn(90.0));
    });
    let asset = Asset::parse(&bytes).unwrap();
    let mesh = asset.mesh().unwrap();
    let skin = Skin::new(&mesh, 4).unwrap();
    let rest = posed(&mesh, &skin, skin.bind_pose());
    let shown = format!("{:?}", mesh.positions().stored());
    assert!(shown.contains(&format!("len: {}", rest.len())), "{shown}");
    for (found, own) in rest.iter().zip(mesh.positions().stored()) {
        let [x, y, z] = own.get();
        let expected = [-y, x + 50.0, z];
        assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-4), "{found:?} {expected:?}");
    }
}

/// The matrix of a transform, computed here: scale, then rotation about z, then translation.
fn by_hand(translation: [f64; 3], radians: f64, [sx, sy, sz]: [f64; 3]) -> [[f64; 4]; 4] {
    let ((sin, cos), [x, y, z]) = (radians.sin_cos(), translation);
    [[cos * sx, -sin * sy, 0.0, x], [sin * sx, cos * sy, 0.0, y], [0.0, 0.0, sz, z], [0.0, 0.0, 0.0, 1.0]]
}

#[test]
fn transforms_with_scales_follow_each_other_as_their_matrices_do() {
    let of = |translation: [f32; 3], radians: f32, scale: [f32; 3]| {
        let rotation = [0.0, 0.0, (radians / 2.0).sin(), (radians / 2.0).cos()];
        Transform { translation, rotation, scale }
    };
    let (parent, local) = (of([1.0, 2.0, 3.0], 0.5, [2.0; 3]), of([4.0, 5.0, 6.0], 0.25, [3.0, 0.5, 7.0]));
    let one = by_hand([1.0, 2.0, 3.0], 0.5, [2.0; 3]);
    let other = by_hand([4.0, 5.0, 6.0], 0.25, [3.0, 0.5, 7.0]);
    let found = parent.product(&local).to_matrix();
    let inverse = maths::inverse(&found);
    for row in 0..4 {
        for column in 0..4 {
            let sum = |get: &dyn Fn(usize) -> f64| (0..4).map(get).sum::<f64>();
            let expected = sum(&|at| one[row][at] * other[at][column]);
            assert!((f64::from(found[column * 4 + row]) - expected).abs() < 1e-5, "{row} {column}");
            // A matrix times its inverse.
            let identity = sum(&|at| f64::from(found[at * 4 + row]) * f64::from(inverse[column * 4 + at]));
            assert!((identity - f64::from(u8::from(row == column))).abs() < 1e-5, "{row} {column}: {identity}");
        }
    }
    // What flattens space, or leaves the range of a float, has none.
    for scale in [[1.0, 0.0, 1.0], [f32::INFINITY, 1.0, 1.0], [f32::NAN, 1.0, 1.0], [1e-30, 1e-30, 1e-30]] {
        let inverse = maths::inverse(&of([1e20, 0.0, 0.0], 0.5, scale).to_matrix());
        assert_eq!(inverse, IDENTITY, "{scale:?}");
    }
}
