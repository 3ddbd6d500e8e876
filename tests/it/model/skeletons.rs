//! Skeletons without a mesh: places of bones, blends and sums of poses, rotations without jumps, and the motion of the root.

use std::array;

use skelmap::actorx::Config;
use skelmap::model::{Binding, Clip, Hierarchy, IDENTITY, Skin, Space, Transform, Wrap, maths, pose};
use skelmap::{Asset, ErrorKind};

use super::parts::{figure, frames_of, sway, walk};
use test_support::actorx::build::{Bone, IDENTITY as IDENTITY_TURN, Key};
use test_support::actorx::corpus::sample;
use test_support::pyrogenesis::build as pyrogenesis;
use test_support::swat3::build as swat3;

const HALF: f32 = std::f32::consts::FRAC_1_SQRT_2;

/// A turn about z.
fn turn(degrees: f64) -> [f32; 4] {
    let half = degrees.to_radians() / 2.0;
    [0.0, 0.0, half.sin() as f32, half.cos() as f32]
}

fn at(x: f32, y: f32, z: f32) -> Transform {
    Transform { translation: [x, y, z], ..Transform::IDENTITY }
}

fn turned(translation: [f32; 3], degrees: f64) -> Transform {
    Transform { translation, rotation: turn(degrees), ..Transform::IDENTITY }
}

#[track_caller]
fn assert_near(found: &[f32], expected: &[f32], most: f32) {
    assert_eq!(found.len(), expected.len());
    let is_near = found.iter().zip(expected).all(|(found, expected)| (found - expected).abs() <= most);
    assert!(is_near, "{found:?} is not {expected:?}");
}

/// Whether two rotations turn alike.
#[track_caller]
fn assert_turns(found: [f32; 4], expected: [f32; 4]) {
    let product: f32 = found.iter().zip(&expected).map(|(a, b)| a * b).sum();
    assert!(product.abs() > 1.0 - 1e-6, "{found:?} does not turn as {expected:?}");
}

/// A chain of three bones.
fn chain() -> Vec<u8> {
    let bone = |index: i32, parent| Bone::new(&format!("b{index}"), parent, [0.0; 3], IDENTITY_TURN);
    sway(vec![bone(0, 0), bone(1, 0), bone(2, 1)], 2)
}

fn hierarchy(bytes: &[u8]) -> Hierarchy {
    Hierarchy::of_clip(&Asset::parse(bytes).unwrap().clips().next().unwrap())
}

#[test]
fn bones_stand_where_a_turned_arm_puts_them() {
    // By hand: (1, 0); two to the front, which is y now; three to the left of that, which is -y.
    let bytes = chain();
    let pose = [turned([1.0, 0.0, 0.0], 90.0), turned([2.0, 0.0, 0.0], 90.0), at(0.0, 3.0, 4.0)];
    let mut places = [Transform::IDENTITY; 3];
    hierarchy(&bytes).model_transforms(&pose, &mut places).unwrap();
    for (place, expected) in places.iter().zip([[1.0, 0.0, 0.0], [1.0, 2.0, 0.0], [1.0, -1.0, 4.0]]) {
        assert_near(&place.translation, &expected, 1e-6);
    }
    assert_turns(places[2].rotation, [0.0, 0.0, 1.0, 0.0]);
    // Scales of parents apply to what is below.
    let mut pose = pose;
    pose[0].scale = [2.0; 3];
    pose[2].scale = [1.0, 3.0, 5.0];
    hierarchy(&bytes).model_transforms(&pose, &mut places).unwrap();
    assert_near(&places[2].translation, &[1.0, -2.0, 8.0], 1e-5);
    assert_near(&places[2].scale, &[2.0, 6.0, 10.0], 1e-6);
    let mut matrices = [IDENTITY; 3];
    hierarchy(&bytes).model_matrices(&pose, &mut matrices).unwrap();
    for (matrix, place) in matrices.iter().zip(&places) {
        assert_near(&matrix[12..15], &place.translation, 1e-6);
        assert_near(matrix, &place.to_matrix(), 1e-5);
    }
}

/// `UModel` makes all bones of an animation children of the first one.
#[test]
fn a_hierarchy_whose_bones_are_all_children_of_the_first_is_flat() {
    let bones = |parents: &[i32]| {
        let bone = |(index, parent): (usize, &i32)| Bone::new(&format!("b{index}"), *parent, [0.0; 3], IDENTITY_TURN);
        sway(parents.iter().enumerate().map(bone).collect(), 2)
    };
    for (parents, expected) in [
        (&[0, 0, 0][..], true),
        (&[0, 0, 0, 0, 0], true),
        (&[0, 0, 0, 2], false),
        (&[0, 0, 1], false),
        (&[0, 0], false),
        (&[0], false),
    ] {
        assert_eq!(hierarchy(&bones(parents)).is_flat(), expected, "{parents:?}");
    }
}

#[test]
fn a_mesh_and_its_animation_have_the_same_hierarchy() {
    let (mesh, animation) = (figure(|_| {}), walk());
    let (mesh, animation) = (Asset::parse(&mesh).unwrap(), Asset::parse(&animation).unwrap());
    let (mesh, clip) = (mesh.mesh().unwrap(), animation.clips().next().unwrap());
    let parents = |hierarchy: &Hierarchy| hierarchy.bones().collect::<Vec<_>>();
    // The figure's bones: pelvis, and spine, hand and foot below it or below each other, in the order of the file.
    let skeleton = mesh.skeleton();
    let expected: Vec<_> = (0..4).map(|bone| (bone, skeleton.parent(bone))).collect();
    assert_eq!(parents(&Hierarchy::new(&skeleton)), expected);
    assert_eq!(parents(&Hierarchy::of_clip(&clip)), expected);
    let skin = Skin::new(&mesh, 4).unwrap();
    assert_eq!(parents(skin.hierarchy()), expected);
    // Sampled alone, the animation stands where it stands on the mesh, as all its bones have tracks.
    let (own, bound) = (Binding::of_clip(&clip), Binding::new(&mesh, &clip));
    let (mut pose, mut on_mesh) = (own.to_rest(), own.to_rest());
    own.sample(&clip, 0.15, Wrap::Clamp, &mut pose).unwrap();
    bound.sample(&clip, 0.15, Wrap::Clamp, &mut on_mesh).unwrap();
    assert_eq!(pose, on_mesh);
}

#[test]
fn a_parent_is_placed_before_its_children_and_a_cycle_is_cut() {
    let bone = |index: i32, parent| Bone::new(&format!("b{index}"), parent, [0.0; 3], IDENTITY_TURN);
    // 1 is below 2; 3 and 4 are below each other.
    let bytes = sway(vec![bone(0, 0), bone(1, 2), bone(2, 0), bone(3, 4), bone(4, 3)], 2);
    let hierarchy = hierarchy(&bytes);
    let bones: Vec<_> = hierarchy.bones().collect();
    assert_eq!(bones, [(0, None), (2, Some(0)), (1, Some(2)), (3, None), (4, Some(3))]);
    let pose =
        [at(1.0, 0.0, 0.0), at(10.0, 0.0, 0.0), at(100.0, 0.0, 0.0), at(1000.0, 0.0, 0.0), at(10000.0, 0.0, 0.0)];
    let mut places = pose;
    hierarchy.model_transforms(&pose, &mut places).unwrap();
    assert_eq!(places.map(|place| place.translation[0]), [1.0, 111.0, 101.0, 1000.0, 11000.0]);
}

#[test]
fn bones_without_parents_stand_where_their_transforms_say() {
    let bytes = pyrogenesis::Psa::walk(4, 5).build().bytes;
    let hierarchy = hierarchy(&bytes);
    assert!(hierarchy.bones().eq((0..4).map(|bone| (bone, None))));
    let pose = [1.0, 2.0, 3.0, 4.0].map(|x| at(x, 0.0, 0.0));
    let mut places = [Transform::IDENTITY; 4];
    hierarchy.model_transforms(&pose, &mut places).unwrap();
    assert_eq!(places, pose);
}

/// A clip of each family.
fn files() -> Vec<Vec<u8>> {
    let mut rng = swat3::random::Rng::new(3);
    let frames = (0..4).map(|_| swat3::Frame::new(rng.rotations(3))).collect();
    let gsa = swat3::Gsa::new(1, swat3::Layout::Plain.skeleton(&swat3::biped(3)), &[], frames).build().bytes;
    vec![walk(), pyrogenesis::Psa::walk(4, 5).build().bytes, gsa]
}

#[test]
fn one_bone_is_sampled_as_the_whole_pose_is() {
    for bytes in files() {
        let asset = Asset::parse(&bytes).unwrap();
        let clip = asset.clips().next().unwrap();
        let binding = Binding::of_clip(&clip);
        let mut pose = binding.to_rest();
        for wrap in [Wrap::Clamp, Wrap::Loop] {
            for position in [-0.5, 0.0, 0.25, 1.0, 2.75, 99.5, f64::NAN] {
                binding.sample_frame(&clip, position, wrap, &mut pose).unwrap();
                for (bone, own) in pose.iter().enumerate() {
                    let found = binding.sample_bone_frame(&clip, position, wrap, bone).unwrap();
                    assert_eq!(&found, own, "{position}");
                }
            }
        }
        let error = binding.sample_bone(&clip, 0.0, Wrap::Clamp, pose.len()).unwrap_err();
        let count = pose.len() as u64;
        assert_eq!(error.kind(), ErrorKind::BoneOutOfRange { bone: count, count });
    }
    // On a mesh in another space, whose bones are in another order, with translations of the mesh.
    let (mut bones, mesh) = (sample::bones(), figure(|_| {}));
    bones.swap(1, 3);
    let animation = sway(bones, 3);
    let (mesh, animation) = (Asset::parse(&mesh).unwrap(), Asset::parse(&animation).unwrap());
    let (mesh, clip) =
        (mesh.mesh().unwrap().with_metres(0.01).in_space(Space::GLTF), animation.clips().next().unwrap());
    let sources = Config::new(b"[AnimSet]\nbAnimRotationOnly=1\n").to_sources(&clip);
    let binding = Binding::new(&mesh, &clip).with_sources(&sources);
    assert_eq!((0..4).map(|bone| binding.track_of(bone)).collect::<Vec<_>>(), [Some(0), Some(3), Some(2), Some(1)]);
    let mut pose = binding.to_rest();
    for seconds in [0.0, 0.03, 0.17] {
        binding.sample(&clip, seconds, Wrap::Loop, &mut pose).unwrap();
        let found: Vec<_> = (0..4).map(|bone| binding.sample_bone(&clip, seconds, Wrap::Loop, bone).unwrap()).collect();
        assert_eq!(found, pose, "{seconds}");
    }
    assert_eq!(pose[3].translation, mesh.skeleton().rest(3).translation);
    // A bone without a track, on a mesh: at rest.
    let (mesh, animation) = (figure(|_| {}), sway(vec![Bone::new("stranger", 0, [0.0; 3], IDENTITY_TURN)], 2));
    let (mesh, animation) = (Asset::parse(&mesh).unwrap(), Asset::parse(&animation).unwrap());
    let (mesh, clip) = (mesh.mesh().unwrap(), animation.clips().next().unwrap());
    let binding = Binding::new(&mesh, &clip);
    for bone in 0..4 {
        let found = binding.sample_bone_frame(&clip, 0.5, Wrap::Clamp, bone).unwrap();
        assert_eq!(found, mesh.skeleton().rest(bone));
    }
}

#[test]
fn a_blend_is_on_the_line_and_on_the_arc_by_weight_and_mask() {
    let first = [turned([0.0, 0.0, 0.0], 0.0), turned([2.0, 4.0, 8.0], 100.0), at(1.0, 1.0, 1.0)];
    let mut second = [turned([8.0, 0.0, 0.0], 80.0), turned([4.0, 4.0, 0.0], 140.0), at(5.0, 1.0, 1.0)];
    second[2].scale = [3.0, 1.0, 0.5];
    // A rotation of the other sign turns alike.
    second[1].rotation = second[1].rotation.map(|part| -part);
    let mut found = first;
    pose::blend(&mut found, &second, 0.5, &[1.0, 0.5, 0.0]).unwrap();
    assert_near(&found[0].translation, &[4.0, 0.0, 0.0], 0.0);
    assert_turns(found[0].rotation, turn(40.0));
    assert_near(&found[1].translation, &[2.5, 4.0, 6.0], 0.0);
    assert_turns(found[1].rotation, turn(110.0));
    assert_eq!(found[2], first[2]);
    let mut found = first;
    pose::blend(&mut found, &second, 0.25, &[]).unwrap();
    assert_near(&found[2].scale, &[1.5, 1.0, 0.875], 0.0);
    for (weight, expected) in [(0.0, &first), (1.0, &second)] {
        let mut found = first;
        pose::blend(&mut found, &second, weight, &[]).unwrap();
        for (found, expected) in found.iter().zip(expected) {
            assert_near(&found.translation, &expected.translation, 0.0);
            assert_near(&found.scale, &expected.scale, 0.0);
            assert_turns(found.rotation, expected.rotation);
        }
    }
}

#[test]
fn a_difference_is_added_in_the_space_of_the_parent() {
    // Unreal: the rotation of the difference follows that of the pose; translations are summed, scales multiplied.
    let mut found = [Transform { translation: [1.0, 2.0, 3.0], rotation: [HALF, 0.0, 0.0, HALF], scale: [2.0; 3] }];
    let difference = Transform { translation: [0.5, 0.0, -1.0], rotation: turn(90.0), scale: [1.0, 1.5, 1.0] };
    let mut half = found;
    pose::add(&mut found, &[difference], 1.0, &[]).unwrap();
    assert_eq!((found[0].translation, found[0].scale), ([1.5, 2.0, 2.0], [2.0, 3.0, 2.0]));
    // x is turned about x, and then to y; z is turned to -y, and then to x.
    assert_near(&maths::turned(found[0].rotation, [1.0, 0.0, 0.0]), &[0.0, 1.0, 0.0], 1e-6);
    assert_near(&maths::turned(found[0].rotation, [0.0, 0.0, 1.0]), &[1.0, 0.0, 0.0], 1e-6);
    pose::add(&mut half, &[difference], 2.0, &[0.25]).unwrap();
    assert_eq!((half[0].translation, half[0].scale), ([1.25, 2.0, 2.5], [2.0, 2.5, 2.0]));
    assert_near(&maths::turned(half[0].rotation, [1.0, 0.0, 0.0]), &[HALF, HALF, 0.0], 1e-6);
}

#[test]
fn differences_leave_bones_without_a_track_and_parts_of_the_mesh_as_they_are() {
    // A clip of the pelvis and of a bone that the mesh does not have.
    let (mesh, own) = (figure(|_| {}), sample::bones().swap_remove(0));
    let animation = sway(vec![own], 2);
    let (mesh, animation) = (Asset::parse(&mesh).unwrap(), Asset::parse(&animation).unwrap());
    let (mesh, clip) = (mesh.mesh().unwrap(), animation.clips().next().unwrap());
    let side_car = Config::new(b"[AnimSet]\nbAnimRotationOnly=1\n[ForceMeshTranslationBoneNames]\nPelvis\n");
    let binding = Binding::new(&mesh, &clip).with_sources(&side_car.to_sources(&clip)).as_differences();
    let rest: Vec<_> = (0..4).map(|bone| mesh.skeleton().rest(bone)).collect();
    let mut differences = rest.clone();
    for binding in [&binding, &binding.moved_to(&mesh)] {
        binding.sample_frame(&clip, 0.5, Wrap::Clamp, &mut differences).unwrap();
        assert_eq!(differences[1..], [Transform::IDENTITY; 3]);
        assert_eq!(binding.sample_bone_frame(&clip, 0.5, Wrap::Clamp, 2).unwrap(), Transform::IDENTITY);
        let mut sum = rest.clone();
        pose::add(&mut sum, &differences, 1.0, &[]).unwrap();
        assert_eq!(sum[1..], rest[1..]);
    }
}

#[test]
fn a_clip_of_another_family_is_refused_by_a_binding_of_a_clip() {
    let files = files();
    let assets: Vec<_> = files.iter().map(|bytes| Asset::parse(bytes).unwrap()).collect();
    let clips: Vec<_> = assets.iter().map(|asset| asset.clips().next().unwrap()).collect();
    let mut pose = vec![Transform::IDENTITY; 4];
    // Both have four tracks.
    assert_eq!([clips[0].track_count(), clips[1].track_count()], [4, 4]);
    let refused = Binding::of_clip(&clips[0]).sample_frame(&clips[1], 0.0, Wrap::Clamp, &mut pose).unwrap_err();
    assert!(matches!(refused.kind(), ErrorKind::OtherFormat { .. }));
}

#[test]
fn the_difference_of_two_poses_makes_one_of_the_other() {
    let (base, other) = (
        Transform { translation: [1.0, 2.0, 3.0], rotation: [HALF, 0.0, 0.0, HALF], scale: [2.0, 4.0, 0.5] },
        Transform { translation: [-1.0, 0.0, 9.0], rotation: [0.5, -0.5, 0.5, 0.5], scale: [1.0, 1.0, 3.0] },
    );
    let mut difference = [other];
    pose::subtract(&mut difference, &[base]).unwrap();
    assert_eq!((difference[0].translation, difference[0].scale), ([-2.0, -2.0, 6.0], [0.5, 0.25, 6.0]));
    let mut sum = [base];
    pose::add(&mut sum, &difference, 1.0, &[]).unwrap();
    assert_near(&sum[0].translation, &other.translation, 1e-6);
    assert_near(&sum[0].scale, &other.scale, 1e-6);
    assert_near(&sum[0].rotation, &other.rotation, 1e-6);
}

#[test]
fn a_difference_relative_to_the_model_turns_each_bone_there() {
    let hierarchy = hierarchy(&chain());
    let pose = [turned([1.0, 0.0, 0.0], 90.0), turned([2.0, 0.0, 0.0], 30.0), turned([0.0, 3.0, 0.0], -50.0)];
    // The first bone keeps its rotation, the second one turns about the x of the model, the third one as it did.
    let about_x = [HALF, 0.0, 0.0, HALF];
    let differences = [
        Transform::IDENTITY,
        Transform { translation: [0.0, 0.0, 0.5], rotation: about_x, ..Transform::IDENTITY },
        Transform::IDENTITY,
    ];
    let (mut out, mut before, mut after) = (pose, pose, pose);
    hierarchy.add_in_model_space(&pose, &differences, 1.0, &[], &mut out).unwrap();
    hierarchy.model_transforms(&pose, &mut before).unwrap();
    hierarchy.model_transforms(&out, &mut after).unwrap();
    assert_turns(after[0].rotation, before[0].rotation);
    assert_turns(after[1].rotation, maths::rotation_product(about_x, before[1].rotation));
    assert_turns(after[2].rotation, before[2].rotation);
    assert_eq!(out.map(|own| own.translation), [[1.0, 0.0, 0.0], [2.0, 0.0, 0.5], [0.0, 3.0, 0.0]]);
    // Half of it, of the second bone.
    hierarchy.add_in_model_space(&pose, &differences, 1.0, &[1.0, 0.5, 1.0], &mut out).unwrap();
    hierarchy.model_transforms(&out, &mut after).unwrap();
    let eighth = std::f32::consts::FRAC_PI_8;
    assert_turns(
        after[1].rotation,
        maths::rotation_product([eighth.sin(), 0.0, 0.0, eighth.cos()], before[1].rotation),
    );
    assert_turns(after[2].rotation, before[2].rotation);
    assert_eq!(out[1].translation, [2.0, 0.0, 0.25]);
    // Nothing of it, by weight or by mask.
    for (weight, mask) in [(0.0, &[][..]), (1.0, &[1.0, 0.0, 1.0][..])] {
        hierarchy.add_in_model_space(&pose, &differences, weight, mask, &mut out).unwrap();
        for (out, own) in out.iter().zip(&pose) {
            assert_turns(out.rotation, own.rotation);
            assert_near(&out.translation, &own.translation, 0.0);
        }
    }
}

#[test]
fn wrong_numbers_of_bones_are_refused() {
    let size = |needed, given| ErrorKind::BufferSize { needed, given };
    let (mut three, two) = ([Transform::IDENTITY; 3], [Transform::IDENTITY; 2]);
    let before = three;
    for refused in [pose::blend(&mut three, &two, 0.5, &[]), pose::add(&mut three, &two, 0.5, &[])] {
        assert_eq!(refused.unwrap_err().kind(), size(3, 2));
    }
    for refused in [pose::subtract(&mut three, &two), pose::align(&mut three, &two)] {
        assert_eq!(refused.unwrap_err().kind(), size(3, 2));
    }
    assert_eq!(pose::blend(&mut three, &before, 0.5, &[1.0]).unwrap_err().kind(), size(3, 1));
    let hierarchy = hierarchy(&chain());
    let identity = [Transform::IDENTITY; 3];
    assert_eq!(hierarchy.model_transforms(&two, &mut three).unwrap_err().kind(), size(3, 2));
    assert_eq!(hierarchy.model_matrices(&identity, &mut [IDENTITY; 4]).unwrap_err().kind(), size(3, 4));
    let sums = [
        hierarchy.add_in_model_space(&two, &identity, 1.0, &[], &mut three),
        hierarchy.add_in_model_space(&identity, &two, 1.0, &[], &mut three),
        hierarchy.add_in_model_space(&identity, &identity, 1.0, &[0.0; 2], &mut three),
    ];
    for refused in sums {
        assert_eq!(refused.unwrap_err().kind(), size(3, 2));
    }
}

#[test]
fn aligned_rotations_turn_alike_and_do_not_jump() {
    // Ten degrees further each time; every third one is stored with the other sign.
    let sign = |step: i32| if step % 3 == 0 { -1.0 } else { 1.0 };
    let steps = (0..72).map(|step| turn(f64::from(step) * 10.0).map(|part| part * sign(step)));
    let mut before: Option<[Transform; 1]> = None;
    for (step, rotation) in steps.enumerate() {
        let mut own = [Transform { rotation, ..at(step as f32, 0.0, 0.0) }];
        if let Some(before) = &before {
            pose::align(&mut own, before).unwrap();
            let product: f32 = own[0].rotation.iter().zip(&before[0].rotation).map(|(a, b)| a * b).sum();
            assert!(product > 0.99, "{step}");
        }
        assert!(own[0].rotation == rotation || own[0].rotation == rotation.map(|part| -part));
        assert_eq!(own[0].translation[0], step as f32);
        before = Some(own);
    }
}

/// Four frames of one bone at 10 per second.
fn moving(places: [Transform; 4]) -> Vec<u8> {
    let mut animation = frames_of(4, 10.0);
    for (frame, place) in places.iter().enumerate() {
        animation.keys[frame * 4].position = place.translation;
        animation.keys[frame * 4].rotation = place.rotation;
    }
    animation.chunks().into()
}

#[test]
fn a_loop_that_ends_as_it_begins_wraps_at_its_last_frame() {
    let frames = [1.0, 2.0, 4.0, 1.0].map(|x| at(x, 0.0, 0.0));
    let bytes = moving(frames);
    let clip = Asset::parse(&bytes).unwrap().clips().next().unwrap();
    // The other bones move by one unit a frame.
    assert!(!clip.is_closed());
    let mut pose = [Transform::IDENTITY; 4];
    for (position, expected) in
        [(0.0, 1.0), (1.5, 3.0), (2.5, 2.5), (3.0, 1.0), (3.5, 1.5), (-0.5, 2.5), (301.0, 2.0), (f64::NAN, 1.0)]
    {
        clip.sample_frame(position, Wrap::Closed, &mut pose).unwrap();
        assert_eq!(pose[0].translation[0], expected, "{position}");
    }
    let one = frames_of(1, 10.0).chunks();
    let bytes: Vec<u8> = one.into();
    let clip = Asset::parse(&bytes).unwrap().clips().next().unwrap();
    clip.sample_frame(5.5, Wrap::Closed, &mut pose).unwrap();
    assert_eq!((pose[0].translation[0], clip.is_closed()), (0.0, false), "one frame is no loop");
}

#[test]
fn a_clip_is_closed_if_its_last_frame_is_its_first() {
    let closed = |change: &dyn Fn(&mut [Key])| {
        let mut animation = frames_of(3, 10.0);
        let [first, end] = [0, 8].map(|key| key..key + 4);
        animation.keys[0].position = [100.0, 0.0, 0.0];
        animation.keys.copy_within(first, end.start);
        change(&mut animation.keys[end]);
        let bytes: Vec<u8> = animation.chunks().into();
        Asset::parse(&bytes).unwrap().clips().next().unwrap().is_closed()
    };
    assert!(closed(&|_| {}));
    // A ten-thousandth of the largest position, which is 100.
    assert!(closed(&|end| end[3].position[1] += 0.009) && !closed(&|end| end[3].position[1] += 0.011));
    // The opposite quaternion is the same rotation, and so is one of another length.
    assert!(closed(&|end| end[2].rotation = [0.0, 0.0, 0.0, -2.0]));
    assert!(closed(&|end| end[2].rotation = turn(0.01)) && !closed(&|end| end[2].rotation = turn(0.02)));
}

/// glTF has the rotation of the bind pose for one without direction, and so have poses that a mesh makes.
#[test]
fn a_rotation_without_direction_is_that_of_the_bind_pose() {
    for (lost, frames) in [([0.0; 4], 2), ([0.0, -0.0, 0.0, -0.0], 1), ([f32::NAN, 0.0, 0.0, 1.0], 2)] {
        let mesh = figure(|mesh| mesh.bones[2].rotation = turn(60.0));
        let mut animation = frames_of(frames, 10.0);
        (0..frames as usize).for_each(|frame| animation.keys[frame * 4 + 2].rotation = lost);
        let animation: Vec<u8> = animation.chunks().into();
        let (mesh, animation) = (Asset::parse(&mesh).unwrap(), Asset::parse(&animation).unwrap());
        let clip = animation.clips().next().unwrap();
        for mesh in [mesh.mesh().unwrap(), mesh.mesh().unwrap().in_space(Space::GLTF)] {
            let (binding, expected) = (Binding::new(&mesh, &clip), mesh.skeleton().rest(2).rotation);
            let mut pose = [Transform::IDENTITY; 4];
            for position in [0.0, 0.25, 1.0] {
                binding.sample_frame(&clip, position, Wrap::Clamp, &mut pose).unwrap();
                assert_turns(pose[2].rotation, expected);
                assert_turns(pose[1].rotation, [0.0, 0.0, 0.0, 1.0]);
                let alone = binding.sample_bone_frame(&clip, position, Wrap::Clamp, 2).unwrap();
                assert_eq!(alone, pose[2]);
                // A clip without a mesh has no bind pose.
                clip.sample_frame(position, Wrap::Clamp, &mut pose).unwrap();
                assert_eq!(pose[2].rotation, [0.0, 0.0, 0.0, 1.0]);
            }
            assert_turns(binding.transform(&clip, 0, 2).unwrap().rotation, expected);
        }
    }
}

/// The squares of these lengths are beyond a float of 32 bits.
#[test]
fn a_rotation_of_any_length_has_a_direction() {
    for rotation in [[0.0, 0.0, 6e29, 8e29], [0.0, 6e-29, 0.0, 8e-29], [3e-40, 0.0, 0.0, 4e-40]] {
        let mut animation = frames_of(2, 10.0);
        (0..2).for_each(|frame| animation.keys[frame * 4].rotation = rotation);
        let animation: Vec<u8> = animation.chunks().into();
        let clip = Asset::parse(&animation).unwrap().clips().next().unwrap();
        let mut pose = [Transform::IDENTITY; 4];
        for position in [0.0, 0.5, 1.0] {
            clip.sample_frame(position, Wrap::Clamp, &mut pose).unwrap();
            let expected = rotation.map(|part| {
                if part == 0.0 {
                    0.0
                } else if part == rotation[3] {
                    0.8
                } else {
                    0.6
                }
            });
            assert_turns(pose[0].rotation, expected);
        }
    }
}

fn root_motion(bytes: &[u8], from: f64, to: f64, wrap: Wrap) -> Transform {
    let asset = Asset::parse(bytes).unwrap();
    let clip: Clip<'_> = asset.clips().next().unwrap();
    Binding::of_clip(&clip).root_motion(&clip, 0, from, to, wrap).unwrap()
}

#[test]
fn a_straight_root_moves_the_model_by_what_lies_between_the_times() {
    // One unit for each frame, from 5 to 8, in a bone that is turned all the time.
    let bytes = moving(array::from_fn(|frame| turned([5.0 + frame as f32, 0.0, 2.0], 45.0)));
    let cases = [
        (0.0, 0.3, Wrap::Clamp, 3.0),
        (0.05, 0.2, Wrap::Clamp, 1.5),
        (0.2, 0.05, Wrap::Clamp, -1.5),
        (-9.0, 9.0, Wrap::Clamp, 3.0),
        (f64::NAN, 0.1, Wrap::Clamp, 1.0),
        (0.0, 0.3, Wrap::Loop, 3.0),
        // The last frame blends into the first: nothing moves.
        (0.3, 0.4, Wrap::Loop, 0.0),
        (0.2, 0.6, Wrap::Loop, 3.0),
        (0.6, 0.2, Wrap::Loop, -3.0),
        (-0.4, 0.0, Wrap::Loop, 3.0),
        (0.05, 400.05, Wrap::Loop, 3000.0),
        (400.05, 0.05, Wrap::Loop, -3000.0),
        // The last frame is the first one again.
        (0.2, 0.4, Wrap::Closed, 2.0),
        (0.4, 0.2, Wrap::Closed, -2.0),
        (0.05, 300.05, Wrap::Closed, 3000.0),
    ];
    for (from, to, wrap, expected) in cases {
        let found = root_motion(&bytes, from, to, wrap);
        assert_near(&found.translation, &[expected, 0.0, 0.0], 1e-3);
        assert_turns(found.rotation, turn(0.0));
        assert_eq!(found.scale, [1.0; 3]);
    }
}

#[test]
fn a_turning_root_turns_the_model_about_where_it_stands() {
    // One step to the front and 30 degrees to the left for each frame: 90 degrees for a loop.
    let mut places = [turned([3.0, 1.0, 0.0], 20.0); 4];
    for frame in 1..4 {
        let [x, y, _] = places[frame - 1].translation.map(f64::from);
        let angle = f64::from(frame as u32 - 1) * 30.0 + 20.0;
        let [x, y] = [x + angle.to_radians().cos(), y + angle.to_radians().sin()];
        places[frame] = turned([x as f32, y as f32, 0.0], angle + 30.0);
    }
    let bytes = moving(places);
    let length = |found: &Transform| found.translation.iter().map(|part| part * part).sum::<f32>().sqrt();
    assert_turns(root_motion(&bytes, 0.0, 0.4, Wrap::Loop).rotation, turn(90.0));
    assert_turns(root_motion(&bytes, 0.4, 0.0, Wrap::Loop).rotation, turn(-90.0));
    let around = root_motion(&bytes, 0.15, 1.75, Wrap::Loop);
    assert!(length(&around) < 1e-5, "four loops end where they began: {around:?}");
    assert_turns(around.rotation, turn(0.0));
    // The object, and the root in its first place, stand where the root stands in the clip.
    for frame in 0..4 {
        let moved = root_motion(&bytes, 0.0, f64::from(frame) / 10.0, Wrap::Clamp).product(&places[0]);
        assert_near(&moved.translation, &places[frame as usize].translation, 1e-5);
        assert_turns(moved.rotation, places[frame as usize].rotation);
    }
    // Small steps sum up to a large one, over the ends of loops and back.
    let mut object = Transform::IDENTITY;
    for step in 0..130 {
        let [from, to] = [step, step + 1].map(|step| f64::from(step) / 100.0);
        object = object.product(&root_motion(&bytes, from, to, Wrap::Loop)).with_unit_rotation();
    }
    let whole = root_motion(&bytes, 0.0, 1.3, Wrap::Loop);
    assert_near(&object.translation, &whole.translation, 1e-4);
    assert_turns(object.rotation, whole.rotation);
    for step in 0..130 {
        let [from, to] = [130 - step, 129 - step].map(|step| f64::from(step) / 100.0);
        object = object.product(&root_motion(&bytes, from, to, Wrap::Loop)).with_unit_rotation();
    }
    assert!(length(&object) < 1e-4, "{object:?}");
    assert_turns(object.rotation, turn(0.0));
}

#[test]
fn poses_without_a_mesh_are_made_without_allocation() {
    for bytes in files() {
        let asset = Asset::parse(&bytes).unwrap();
        let clip = asset.clips().next().unwrap();
        let (binding, hierarchy) = (Binding::of_clip(&clip), Hierarchy::of_clip(&clip));
        let (mut pose, other, mut out) = (binding.to_rest(), binding.to_rest(), binding.to_rest());
        let (mut matrices, mask) = (vec![IDENTITY; pose.len()], vec![0.5; pose.len()]);
        let info = allocation_counter::measure(|| {
            binding.sample(&clip, 0.1, Wrap::Loop, &mut pose).unwrap();
            pose::blend(&mut pose, &other, 0.5, &mask).unwrap();
            pose::add(&mut pose, &other, 0.5, &mask).unwrap();
            pose::subtract(&mut pose, &other).unwrap();
            pose::align(&mut pose, &other).unwrap();
            hierarchy.add_in_model_space(&pose, &other, 0.5, &mask, &mut out).unwrap();
            hierarchy.model_transforms(&pose, &mut out).unwrap();
            hierarchy.model_matrices(&pose, &mut matrices).unwrap();
            binding.sample_bone(&clip, 0.5, Wrap::Loop, 0).unwrap();
            binding.root_motion(&clip, 0, 0.1, 1e9, Wrap::Loop).unwrap();
        });
        assert_eq!((info.count_total, info.bytes_total), (0, 0));
    }
}
