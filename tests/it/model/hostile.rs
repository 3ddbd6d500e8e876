//! Bad meshes: an error that says why, or the value that the documentation names.

use skelmap::Asset;
use skelmap::model::{Binding, Influences, Mesh, Skin, Transform, Wrap};

use super::parts::{changed_pmd, figure, posed, sway};
use test_support::actorx::build::{self, Anim, Bone, Delta, Info, Key, Morph, Weight, name};
use test_support::model::agree::{Effort, agree, agree_about_mesh};
use test_support::pyrogenesis::build as pyrogenesis;

fn weight(point: i32, bone: i32, weight: f32) -> Weight {
    Weight { weight, point, bone }
}

/// Asks a mesh of the file for everything.
fn of_mesh<T>(bytes: &[u8], ask: impl FnOnce(&Mesh<'_>) -> T) -> T {
    agree_about_mesh(bytes, &Effort::whole());
    ask(&Asset::parse(bytes).unwrap().mesh().unwrap())
}

#[test]
fn influences_that_point_anywhere_are_dropped_and_counted() {
    let numbers = [i32::MIN, -1, 4, 8, 65_535, 65_536, i32::MAX];
    let bytes = figure(|mesh| {
        mesh.weights = numbers.into_iter().flat_map(|at| [weight(at, 0, 0.5), weight(0, at, 0.5)]).collect();
        mesh.weights.push(weight(7, 3, 0.125));
        mesh.bones[2].parent = i32::MAX;
        for face in &mut mesh.faces {
            face.wedges = [0xFFFF; 3];
        }
        mesh.wedges[0].point = 0xFFFF;
    });
    of_mesh(&bytes, |mesh| {
        let influences = Influences::new(mesh, 4);
        // Point 4 and bone 0 exist; all other numbers do not.
        assert_eq!((influences.dropped().out_of_range, influences.dropped().merged), (13, 0));
        assert_eq!(influences.dropped().unweighted_points, 6);
        assert_eq!((influences.bones()[4], influences.bones()[7]), (0, 3));
        assert_eq!(mesh.point_of(0), Some(0xFFFF));
        assert_eq!(mesh.position(0xFFFF), None);
        assert_eq!(mesh.triangle(0).unwrap().vertices, [0xFFFF; 3]);
        assert_eq!(mesh.skeleton().to_order().orphans, [2]);
    });
}

#[test]
fn weights_that_are_not_above_zero_or_not_finite_are_dropped_and_counted() {
    let bytes = figure(|mesh| {
        let weights = [f32::NAN, -0.5, 0.0, -0.0, f32::INFINITY, f32::NEG_INFINITY, 0.25, f32::MAX, f32::MAX];
        mesh.weights = weights.into_iter().enumerate().map(|(at, own)| weight(0, at as i32 % 4, own)).collect();
        mesh.weights.push(weight(1, 2, 1e-30));
    });
    of_mesh(&bytes, |mesh| {
        let influences = Influences::new(mesh, 8);
        assert_eq!((influences.width(), influences.dropped().weightless), (3, 6));
        // Two of the greatest numbers share the point; a quarter is next to nothing beside them.
        let (bones, weights) = (&influences.bones()[..3], &influences.weights()[..3]);
        assert_eq!((bones, &weights[..2]), ([0, 3, 2].as_slice(), [0.5, 0.5].as_slice()));
        assert!(weights[2] < 1e-30);
        assert_eq!(influences.weights()[3..6], [1.0, 0.0, 0.0]);
    });
}

#[test]
fn equal_pairs_of_point_and_bone_are_merged_and_the_lowest_bone_wins_a_tie() {
    let bytes = figure(|mesh| {
        let pairs = [(3, 0.25), (1, 0.125), (2, 0.25), (1, 0.125), (0, 0.25), (1, 0.0625)];
        mesh.weights = pairs.into_iter().map(|(bone, own)| weight(0, bone, own)).collect();
    });
    of_mesh(&bytes, |mesh| {
        let two = Influences::new(mesh, 2);
        assert_eq!((&two.bones()[..2], two.dropped().merged, two.dropped().weaker), ([1, 0].as_slice(), 2, 2));
        let wide = Influences::new(mesh, 8);
        assert_eq!(wide.bones()[..3], [1, 0, 2]);
        // Four bones, without the padding of the row; a point without influences follows the first bone.
        assert_eq!(wide.of_point(0).map(|(bone, _)| bone).collect::<Vec<_>>(), [1, 0, 2, 3]);
        assert_eq!(wide.of_point(1).collect::<Vec<_>>(), [(0, 1.0)]);
    });
}

#[test]
fn parents_in_circles_are_cut_at_the_lowest_bone_of_each_circle() {
    let bytes = figure(|mesh| {
        for (bone, parent) in [3, 2, 1, 0].into_iter().enumerate() {
            mesh.bones[bone].parent = parent;
        }
    });
    of_mesh(&bytes, |mesh| {
        let order = mesh.skeleton().to_order();
        assert_eq!((order.cut, order.orphans), (vec![0, 1], vec![]));
        let skin = Skin::new(mesh, 4).unwrap();
        let mut pose = vec![Transform::IDENTITY; 4];
        for (bone, own) in pose.iter_mut().enumerate() {
            own.translation[0] = 10_f32.powi(bone as i32);
        }
        let mut places = vec![[f32::NAN; 16]; 4];
        skin.model_matrices(&pose, &mut places).unwrap();
        assert_eq!(places.iter().map(|place| place[12]).collect::<Vec<_>>(), [1.0, 10.0, 110.0, 1001.0]);
    });
}

#[test]
fn orphans_are_roots_and_are_named() {
    let bytes = figure(|mesh| {
        for (bone, parent) in [99, 4, i32::MAX, -7].into_iter().enumerate() {
            mesh.bones[bone].parent = parent;
        }
    });
    of_mesh(&bytes, |mesh| {
        assert_eq!(mesh.skeleton().to_order().orphans, [1, 2]);
        assert_eq!(mesh.skeleton().roots().count(), 4);
        let mut places = vec![[f32::NAN; 16]; 4];
        let skin = Skin::new(mesh, 4).unwrap();
        skin.model_matrices(&[Transform::new([1.0; 3], build::IDENTITY); 4], &mut places).unwrap();
        assert!(places.iter().all(|place| place[12] == 1.0));
    });
}

/// Runs on a stack that has no room for a call for each bone.
fn on_a_small_stack(run: impl FnOnce() + Send + 'static) {
    std::thread::Builder::new().stack_size(256 << 10).spawn(run).unwrap().join().unwrap();
}

#[test]
fn a_chain_of_65535_bones_is_sampled_and_skinned_in_either_order_of_the_bones() {
    const BONES: i32 = 65_535;
    for is_backwards in [false, true] {
        let mut bones = build::chain(BONES as u32);
        if is_backwards {
            // The root is the last.
            for (index, bone) in (1..).zip(&mut bones) {
                bone.parent = index;
            }
        }
        let animation: Vec<u8> = sway(bones.clone(), 2);
        let tip = if is_backwards { 0 } else { BONES - 1 };
        let bytes = figure(|mesh| {
            mesh.bones = bones;
            mesh.weights = vec![weight(0, tip, 1.0)];
        });
        on_a_small_stack(move || {
            let (mesh, animation) = (Asset::parse(&bytes).unwrap(), Asset::parse(&animation).unwrap());
            let (mesh, clip) = (mesh.mesh().unwrap(), animation.clips().next().unwrap());
            let (skin, binding) = (Skin::new(&mesh, 4).unwrap(), Binding::new(&mesh, &clip));
            assert_eq!((binding.found().matched, skin.influences().bones()[0]), (65_535, tip as u16));
            let mut places = vec![[f32::NAN; 16]; BONES as usize];
            skin.model_matrices(skin.bind_pose(), &mut places).unwrap();
            assert_eq!(places[tip as usize][14], 5.0 * BONES as f32);
            let mut pose = skin.bind_pose().to_vec();
            binding.sample_frame(&clip, 0.5, Wrap::Clamp, &mut pose).unwrap();
            let positions = posed(&mesh, &skin, &pose);
            assert!(positions.iter().flatten().all(|x| x.is_finite()));
        });
    }
}

#[test]
fn a_circle_of_300000_bones_of_one_name_is_cut_once_and_bound_in_order() {
    const BONES: u32 = 300_000;
    let mut bones: Vec<Bone> =
        (1..=BONES).map(|next| Bone::new("one", next as i32, [1.0; 3], build::IDENTITY)).collect();
    bones.last_mut().unwrap().parent = 0;
    let animation: Vec<u8> = sway(bones.clone(), 1);
    let bytes = figure(|mesh| mesh.bones = bones);
    on_a_small_stack(move || {
        let (mesh, animation) = (Asset::parse(&bytes).unwrap(), Asset::parse(&animation).unwrap());
        let (mesh, clip) = (mesh.mesh().unwrap(), animation.clips().next().unwrap());
        assert_eq!(mesh.skeleton().to_order().cut, [0]);
        let binding = Binding::new(&mesh, &clip);
        assert!((0..BONES as usize).all(|bone| binding.track_of(bone) == Some(bone)));
        Skin::new(&mesh, 4).unwrap();
    });
}

#[test]
fn a_rotation_without_length_is_the_identity_and_any_other_gets_unit_length() {
    let halves = [0.0, 0.0, 0.5_f32.sqrt(), 0.5_f32.sqrt()];
    let rotations = [[0.0; 4], halves.map(|x| x * 1000.0), halves.map(|x| x * 1e-3), [f32::NAN, 0.0, 0.0, 1.0]];
    let expected = [build::IDENTITY, halves, halves, build::IDENTITY];
    let bytes = figure(|mesh| {
        for (bone, rotation) in mesh.bones.iter_mut().zip(rotations) {
            bone.rotation = rotation;
        }
    });
    let animation = Anim {
        bones: test_support::actorx::corpus::sample::bones(),
        infos: vec![Info::new("still", 4, 0, 1, 10.0)],
        keys: rotations.map(|rotation| Key { position: [0.0; 3], rotation, time: 1.0 }).to_vec(),
        scale_keys: Vec::new(),
    };
    let animation: Vec<u8> = animation.chunks().into();
    agree(&bytes, &animation, None, &Effort::whole());
    of_mesh(&bytes, |mesh| {
        let skin = Skin::new(mesh, 4).unwrap();
        let animation = Asset::parse(&animation).unwrap();
        let mut pose = skin.bind_pose().to_vec();
        animation.clips().next().unwrap().sample(0.0, Wrap::Clamp, &mut pose).unwrap();
        for own in [skin.bind_pose(), &pose] {
            for (bone, (found, [x, y, z, w])) in own.iter().zip(expected).enumerate() {
                // The first as stored, all others as the conjugate.
                let expected = if bone == 0 { [x, y, z, w] } else { [-x, -y, -z, w] };
                assert!(found.rotation.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-6), "{found:?}");
            }
        }
        // So every bind pose has an inverse.
        assert!(skin.inverse_bind().iter().flatten().all(|x| x.is_finite()));
    });
}

#[test]
fn points_of_a_mesh_without_bones_stay_where_they_are() {
    let psk = figure(|mesh| {
        mesh.bones.clear();
        mesh.weights = vec![weight(0, 0, 1.0), weight(0, -1, 1.0)];
    });
    let pmd = changed_pmd(4, |mesh| mesh.bind.clear());
    for bytes in [psk, pmd] {
        of_mesh(&bytes, |mesh| {
            let skin = Skin::new(mesh, 4).unwrap();
            assert_eq!((skin.bone_count(), skin.matrix_count()), (0, 1));
            assert_eq!(skin.influences().dropped().unweighted_points, 0);
            let positions = posed(mesh, &skin, &[]);
            assert!(positions.iter().zip(mesh.positions().stored()).all(|(found, own)| *found == own.get()));
        });
    }
}

#[test]
fn a_vertex_bound_to_the_model_stays_and_one_bound_to_nothing_follows_the_first_bone() {
    let bytes = changed_pmd(4, |mesh| {
        mesh.bind.iter_mut().for_each(|state| *state = pyrogenesis::State::REST);
        for (vertex, bone) in mesh.vertices.iter_mut().zip([4_u8, 5, 0xFF, 3]) {
            // The weight of a lone bone does not count.
            (vertex.bones, vertex.weights) = ([bone, 0xFF, 0, 0], [0.0, 9.0, 9.0, 9.0]);
        }
    });
    of_mesh(&bytes, |mesh| {
        let skin = Skin::new(mesh, 4).unwrap();
        assert_eq!(skin.influences().dropped().out_of_range, 1);
        let pose: Vec<_> =
            (0..4_u8).map(|bone| Transform::new([f32::from(bone) + 1.0, 0.0, 0.0], build::IDENTITY)).collect();
        let moved: Vec<_> =
            posed(mesh, &skin, &pose).iter().zip(mesh.positions().stored()).map(|(a, b)| a[0] - b.get()[0]).collect();
        // To the model, to no bone, to nothing, to the last bone.
        assert_eq!(moved[..4], [0.0, 1.0, 1.0, 4.0]);
    });
    // In versions 1 and 2, a point cannot be relative to the bind pose of a bone that does not exist.
    for (bone, version) in [(5, 2), (4, 2), (0xFF, 1)] {
        let bytes = changed_pmd(version, |mesh| mesh.vertices[2].bones = [bone, 0xFF, 0xFF, 0xFF]);
        of_mesh(&bytes, |mesh| Skin::new(mesh, 4).unwrap_err());
    }
}

#[test]
fn morph_deltas_of_points_that_do_not_exist_are_ignored() {
    let points = [-1, 8, i32::MIN, i32::MAX, 3];
    let deltas = points.map(|point| Delta { position: [1.0, 2.0, 3.0], normal: [f32::NAN; 3], point });
    let morphs = [5, i32::MAX, -1].map(|count| Morph { name: name("smile"), count });
    let mesh = test_support::actorx::corpus::sample::figure();
    let bytes: Vec<u8> = mesh.chunks().records("MRPHINFO", &morphs).records("MRPHDATA", &deltas).into();
    of_mesh(&bytes, |mesh| {
        let morphs = mesh.to_morphs();
        assert_eq!(morphs.iter().map(|morph| morph.deltas().len()).collect::<Vec<_>>(), [5, 0, 0]);
        let mut positions = vec![[0.0; 3]; 8];
        morphs[0].add_to(0.5, &mut positions);
        assert_eq!(positions[3], [0.5, -1.0, 1.5]);
        assert_eq!(positions.iter().flatten().filter(|x| **x != 0.0).count(), 3);
        morphs[0].add_to(f32::NAN, &mut []);
    });
}

#[test]
fn values_that_are_not_finite_move_only_the_points_that_they_touch() {
    let bytes = figure(|mesh| {
        mesh.points[0] = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY];
        mesh.bones[3].position = [f32::INFINITY; 3];
    });
    of_mesh(&bytes, |mesh| {
        let skin = Skin::new(mesh, 4).unwrap();
        let positions = posed(mesh, &skin, skin.bind_pose());
        // Points 1 to 3 follow bone 0 alone.
        assert!(positions[1..4].iter().flatten().all(|x| x.is_finite()));
        let bounds = mesh.bounds().unwrap();
        assert!(bounds.min.iter().chain(&bounds.max).all(|x| x.is_finite()));
    });
}
