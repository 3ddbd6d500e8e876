//! The options change what they name, and nothing else.

use skelmap::model::Axis;
use skelmap::{Asset, ErrorKind};
use skelmap_export::{Colors, Document, ExportOptions, HierarchyBone, Image, InfluenceCount, MediaType, WriteError};

use super::{apart, good, options, rotations, write};
use test_support::actorx::build::{Anim, Key, Mesh, chain};
use test_support::actorx::corpus::sample;
use test_support::glb::File;
use test_support::pyrogenesis::build::{Pmd, Prop, Psa, State};

#[test]
fn the_options_yaw_and_up_turn_all_vertices() {
    document!(document, good("fox.psk"), good("fox.psa"));
    let (plain, _) = write(&document, &ExportOptions::default());
    // Around y by 90 degrees: z falls onto x.
    let (yawed, _) = write(&document, &options(|own| own.yaw = 90.0));
    // y of the file is -z of glTF: the shortest way up is about x.
    let (raised, _) = write(&document, &options(|own| own.up = Some((Axis::Y, false))));
    let (lowered, _) = write(&document, &options(|own| own.up = Some((Axis::Z, true))));
    for pose in [None, Some((0, 0.0)), Some((0, 0.4)), Some((1, 1.0))] {
        let corners = plain.corners(pose);
        let turned = |turn: fn(&[f64; 3]) -> [f64; 3]| corners.iter().map(turn).collect::<Vec<_>>();
        assert!(apart(&yawed.corners(pose), &turned(|&[x, y, z]| [z, y, -x])) < 1e-6);
        assert!(apart(&raised.corners(pose), &turned(|&[x, y, z]| [x, -z, y])) < 1e-6);
        let [_, first_y, _] = lowered.corners(pose)[0];
        assert!((first_y + corners[0][1]).abs() < 1e-6, "what was up is down");
    }
}

#[test]
fn short_rotations_have_half_the_size_and_move_no_vertex_far() {
    document!(document, good("fox.psk"), good("fox.psa"));
    let (plain, _) = write(&document, &ExportOptions::default());
    let (short, _) = write(&document, &options(|own| own.short_rotations = true));
    assert!(short.binary().len() < plain.binary().len());
    // A fox of 1.6 m. A step of 1/32767 turns by 3.5e-5 at most, at each of some bones.
    let distance = apart(&short.corners(Some((0, 0.4))), &plain.corners(Some((0, 0.4))));
    assert!(distance < 2e-4 && distance > 0.0, "{distance}");
}

/// Every frame of every clip, with both files evaluated by the other reader.
#[test]
fn a_compact_file_is_smaller_and_moves_no_vertex_by_more_than_it_says() {
    for (mesh, animation) in [("fox.psk", "fox.psa"), ("fox.pmd", "fox_walk.psa")] {
        document!(document, good(mesh), good(animation));
        let (plain, report) = write(&document, &ExportOptions::default());
        assert_eq!(report.skin_error, 0.0);
        let rest = plain.corners(None);
        let edge = |axis: usize| {
            let values = || rest.iter().map(|corner| corner[axis]);
            values().fold(f64::MIN, f64::max) - values().fold(f64::MAX, f64::min)
        };
        let size = (0..3).map(edge).fold(0.0, f64::max);
        let mut sizes = vec![plain.binary().len()];
        for tolerance in [1.0 / 18_000.0, 1e-3_f32] {
            let (compact, report) = write(
                &document,
                &options(|own| {
                    own.compact = true;
                    own.tolerance = tolerance;
                }),
            );
            sizes.push(compact.binary().len());
            let said = f64::from(report.skin_error);
            assert!(said > 0.0 && said <= size * f64::from(tolerance) * 1.0001, "{said} of {size}");
            let mut most = apart(&rest, &compact.corners(None));
            for (index, animation) in document.animations.iter().enumerate() {
                let clip = &animation.clip;
                for frame in 0..clip.frame_count() {
                    let pose = Some((index, frame as f64 / clip.rate().unwrap().round()));
                    most = most.max(apart(&plain.corners(pose), &compact.corners(pose)));
                }
            }
            // Weights are rounded too, which the report leaves out: by 1/131,070 each.
            assert!(most > 0.0 && most <= said + size * 2e-5, "{most} and not {said}");
        }
        assert!(sizes[1] * 10 < sizes[0] * 7 && sizes[2] < sizes[1], "{sizes:?}");
    }
}

#[test]
fn a_compact_mesh_without_bones_is_placed_by_its_node() {
    let bytes = std::fs::read(test_support::corpus::folder().join("actorx/mesh/static.pskx")).unwrap();
    let asset = Asset::parse(&bytes).unwrap();
    let document = Document::of_mesh(&asset.mesh().unwrap());
    let plain = write(&document, &ExportOptions::default()).0.corners(None);
    let compact = write(&document, &options(|own| own.compact = true)).0;
    let distance = apart(&plain, &compact.corners(None));
    assert!(distance < 1e-4, "{distance}");
    assert!(compact.document().skins().next().is_none());
}

#[test]
fn bones_of_pyrogenesis_hang_below_each_other_where_their_parents_are_given() {
    document!(document, good("fox.pmd"), good("fox_walk.psa"));
    let (flat, report) = write(&document, &ExportOptions::default());
    // Any tree is exact at keys.
    document.hierarchy = (0..report.bones)
        .map(|bone| HierarchyBone { name: format!("b{bone}"), parent: (bone > 1).then(|| (bone - 1) / 2) })
        .collect();
    let (tree, _) = write(&document, &ExportOptions::default());
    let parents = tree.document().nodes().find(|node| node.name() == Some("b3")).unwrap();
    assert_eq!(
        parents.children().filter_map(|child| child.name().map(str::to_owned)).collect::<Vec<_>>(),
        ["b7", "b8"]
    );
    let clip = &document.animations[0].clip;
    for frame in [0, 3, clip.frame_count() - 1] {
        let pose = Some((0, frame as f64 / clip.rate().unwrap()));
        assert!(apart(&tree.corners(pose), &flat.corners(pose)) < 1e-5);
    }
    assert!(apart(&tree.corners(None), &flat.corners(None)) < 1e-6);
}

#[test]
fn a_hierarchy_that_does_not_fit_is_refused() {
    document!(document, good("fox.pmd"), good("fox_walk.psa"));
    let bone = |parent| HierarchyBone { name: "bone".to_owned(), parent };
    let refused = |document: &Document<'_>| match document.write_glb(&ExportOptions::default(), Vec::new()) {
        Err(WriteError::Hierarchy { given, expected }) => (given, expected),
        other => panic!("{other:?}"),
    };
    document.hierarchy = vec![bone(None); 3];
    assert_eq!(refused(&document), (3, 23));
    document.hierarchy = vec![bone(None); 23];
    document.hierarchy[7] = bone(Some(7));
    assert_eq!(refused(&document), (7, 23), "a bone cannot be its own parent");
    document.hierarchy[7] = bone(Some(8));
    assert_eq!(refused(&document), (7, 23), "parents come first");
}

#[test]
fn a_closed_loop_ends_with_its_first_frame() {
    document!(document, good("fox.psk"), good("fox.psa"));
    let (looped, _) = write(&document, &options(|own| own.loops = true));
    let clip = &document.animations[0].clip;
    let end = clip.frame_count() as f64 / clip.rate().unwrap();
    let (first, last) = (looped.corners(Some((0, 0.0))), looped.corners(Some((0, end))));
    assert!(apart(&first, &last) < 1e-6);
    let before = looped.corners(Some((0, end - 1.0 / clip.rate().unwrap())));
    assert!(apart(&before, &last) > 1e-3, "the frame before is another one");
}

#[test]
fn a_second_set_keeps_eight_influences() {
    // Six bones move each point by the same part.
    let mut mesh = Mesh::sheet(4, 4, 8);
    mesh.weights.clear();
    for point in 0..16 {
        for bone in 0..6 {
            mesh.weights.push(test_support::actorx::build::Weight { weight: 1.0 / 6.0, point, bone });
        }
    }
    let bytes = mesh.chunks().build().bytes;
    let asset = Asset::parse(&bytes).unwrap();
    let document = Document::of_mesh(&asset.mesh().unwrap());
    let (_, four) = write(&document, &ExportOptions::default());
    let (file, eight) = write(&document, &options(|own| own.influences = InfluenceCount::Eight));
    assert_eq!((four.weaker_influences, eight.weaker_influences), (32, 0));
    let meshes: Vec<_> = file.document().meshes().collect();
    let primitive = meshes[0].primitives().next().unwrap();
    let reader = primitive.reader(|_| Some(file.binary()));
    let second: Vec<_> = reader.read_weights(1).unwrap().into_f32().collect();
    assert!(second.iter().all(|[a, b, c, d]| (a - 1.0 / 6.0).abs() < 1e-6 && *b > 0.1 && *c == 0.0 && *d == 0.0));
}

#[test]
fn unwanted_uv_sets_morph_targets_and_attachments_are_left_out() {
    let bytes = std::fs::read(test_support::corpus::folder().join("actorx/mesh/everything.pskx")).unwrap();
    let asset = Asset::parse(&bytes).unwrap();
    let document = Document::of_mesh(&asset.mesh().unwrap());
    let mut kept = ExportOptions::default();
    kept.keep_unused = true;
    let (all, _) = write(&document, &kept);
    let (none, _) = write(&document, &ExportOptions::default());
    let mut options = kept;
    options.uv_sets = 1;
    options.morphs = false;
    options.attachments = false;
    let (few, _) = write(&document, &options);
    let primitive = |file: &File| {
        let mesh = file.document().meshes().next().unwrap();
        let primitive = mesh.primitives().next().unwrap();
        (
            primitive.attributes().filter(|(semantic, _)| semantic.to_string().starts_with("TEXCOORD")).count(),
            primitive.morph_targets().count(),
        )
    };
    let (sets, targets) = primitive(&all);
    assert!(sets > 1 && targets > 0, "{sets} sets, {targets} targets");
    assert_eq!(primitive(&few), (1, 0));
    assert_eq!(primitive(&none).0, 0, "no texture uses one");
    let png = b"\x89PNG\r\n\x1a\nand more";
    let image = Image { name: String::new(), media_type: MediaType::Png, bytes: png.as_slice().into() };
    let mut dressed = document;
    dressed.images = vec![image];
    dressed.textures = vec![Some(0)];
    assert_eq!(primitive(&write(&dressed, &ExportOptions::default()).0).0, 1, "the texture uses the first");
    assert!(few.document().nodes().count() < all.document().nodes().count());
}

#[test]
fn a_rotation_of_length_zero_becomes_that_of_the_bind_pose() {
    let half = 0.5_f32.sqrt();
    let mut bones = chain(2);
    // Stored conjugated: a quarter turn about x.
    bones[1].rotation = [-half, 0.0, 0.0, half];
    let mut mesh = Mesh::sheet(3, 3, 2);
    mesh.bones.clone_from(&bones);
    let mut anim = Anim { bones, ..Anim::default() };
    anim.infos.push(test_support::actorx::build::Info::new("zero", 2, 0, 2, 30.0));
    for rotation in [[0.0; 4], [0.0, 0.0, 0.0, 1.0]] {
        anim.keys.push(Key { position: [0.0, 0.0, 5.0], rotation: [0.0, 0.0, 0.0, 1.0], time: 1.0 });
        anim.keys.push(Key { position: [0.0, 0.0, 5.0], rotation, time: 1.0 });
    }
    let (mesh, anim) = (mesh.chunks().build().bytes, anim.chunks().build().bytes);
    document!(document, mesh, anim);
    let (file, _) = write(&document, &ExportOptions::default());
    let place = |pose| file.places(pose).into_iter().find(|(name, _)| name == "Bone_0001").unwrap().1;
    let (rest, zero, one) = (place(None), place(Some((0, 0.0))), place(Some((0, 1.0 / 30.0))));
    let differ = |a: [[f64; 4]; 4], b: [[f64; 4]; 4]| {
        a.iter().flatten().zip(b.iter().flatten()).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
    };
    assert!(differ(rest, zero) < 1e-6);
    assert!(differ(zero, one) > 0.5);
}

/// Four frames without a rate: the last begins after three thirtieths of a second.
#[test]
fn a_clip_without_a_rate_has_thirty_frames_a_second() {
    for rate in [0.0, f32::NAN] {
        let mut walk = sample::walk();
        walk.infos[0].rate = rate;
        document!(document, sample::figure().chunks().into(), walk.chunks().into());
        let frames = document.animations[0].clip.frame_count();
        let (file, report) = write(&document, &ExportOptions::default());
        assert_eq!(report.clips_without_rate, 1);
        let animation = file.document().animations().next().unwrap();
        let last = animation.channels().filter_map(|channel| channel.sampler().input().max()?.get(0)?.as_f64());
        assert_eq!(last.fold(0.0, f64::max) as f32, (frames - 1) as f32 / 30.0);
    }
}

/// What a clip moves: the channels, as bone, path and number of keys.
fn channels(file: &File) -> Vec<Vec<(usize, String, usize)>> {
    let channel = |own: gltf::animation::Channel<'_>| {
        let path = format!("{:?}", own.target().property());
        (own.target().node().index() - 1, path, own.sampler().input().count())
    };
    file.document().animations().map(|own| own.channels().map(channel).collect()).collect()
}

/// Of three bones in three clips, the first clip turns the second bone, the second clip the third, and the last nothing.
#[test]
fn a_clip_has_a_key_for_each_bone_that_another_clip_moves() {
    let bones = chain(3);
    let mut animation = Anim::sway(bones.clone(), &[("a", 1, 30.0), ("b", 1, 30.0), ("c", 1, 30.0)]);
    let turned = [0.0, 0.6, 0.0, 0.8];
    for (clip, bone) in [(0, 1), (1, 2)] {
        animation.keys[clip * 3 + bone].rotation = turned;
    }
    let mesh = Mesh { bones, ..Mesh::sheet(3, 3, 3) };
    document!(document, mesh.chunks().build().bytes, animation.chunks().build().bytes);
    let one = |bone: usize| (bone, "Rotation".to_owned(), 1);
    let (whole, _) = write(&document, &ExportOptions::default());
    let nothing = (0, "Rotation".to_owned(), 1);
    // The last clip has a key that says how long it is.
    assert_eq!(channels(&whole), [0, 1, 2].map(|_| vec![nothing.clone(), one(1), one(2)]));
    let (sparse, _) = write(&document, &options(|own| own.sparse = true));
    assert_eq!(channels(&sparse), [vec![one(1)], vec![one(2)], vec![nothing]]);
}

/// Both keys of what stands still: the first, and the last frame, without which a clip would have no length.
#[test]
fn a_clip_that_moves_nothing_keeps_its_length() {
    for (frames, expected) in [(1, vec![0.0]), (2, vec![0.0, 0.1]), (11, vec![0.0, 1.0])] {
        let mesh = Mesh::sheet(3, 3, 1);
        let mut anim = Anim::sway(mesh.bones.clone(), &[("still", frames, 10.0)]);
        anim.keys.iter_mut().for_each(|key| key.rotation = [0.0, 0.0, 0.0, 1.0]);
        document!(document, mesh.chunks().into(), anim.chunks().into());
        for compact in [false, true] {
            let (file, _) = write(&document, &options(|own| own.compact = compact));
            let animation = file.document().animations().next().unwrap();
            let channels: Vec<_> = animation.channels().collect();
            assert_eq!(channels.len(), 1);
            let times: Vec<f32> = channels[0].reader(|_| Some(file.binary())).read_inputs().unwrap().collect();
            assert_eq!(times, expected, "{frames} {compact}");
        }
    }
}

/// Differences up to a millionth count as none.
#[test]
fn a_place_that_differs_by_less_than_a_millionth_is_that_of_the_bind_pose() {
    for (x, count) in [(0.0, 0), (1e-6, 0), (1.5e-6, 1)] {
        let mesh = Mesh::sheet(3, 3, 1);
        let mut anim = Anim::sway(mesh.bones.clone(), &[("still", 1, 10.0)]);
        anim.keys[0].position[0] = x;
        document!(document, mesh.chunks().into(), anim.chunks().into());
        let (file, _) = write(&document, &options(|own| own.metres = 1.0));
        let found = channels(&file);
        assert_eq!(found[0].iter().filter(|(_, path, _)| path == "Translation").count(), count, "{x}");
    }
}

/// Of one frame, too: it does not move.
#[test]
fn keys_that_are_no_numbers_are_counted() {
    for (frames, broken, expected) in [(1, 1, 1), (2, 1, 1), (2, 2, 2), (3, 0, 0)] {
        let mesh = Mesh::sheet(3, 3, 1);
        let mut anim = Anim::sway(mesh.bones.clone(), &[("sway", frames, 10.0)]);
        anim.keys.iter_mut().take(broken).for_each(|key| key.position[1] = f32::NAN);
        document!(document, mesh.chunks().into(), anim.chunks().into());
        assert_eq!(write(&document, &ExportOptions::default()).1.broken_keys, expected, "{frames} {broken}");
    }
}

/// The key of the frame before stands in for each, and for one that is too large in another unit. All are counted, also where all are so.
#[test]
fn keys_that_are_no_numbers_in_the_file_or_in_the_output_are_those_before() {
    let turn = |step: f32| [0.0, 0.0, (0.1 * step).sin(), (0.1 * step).cos()];
    for (broken, lost) in
        [(1..2, [f32::NAN; 4]), (1..3, [0.0, f32::INFINITY, 0.0, 1.0]), (0..4, [f32::NAN, 0.0, 0.0, 1.0])]
    {
        let mesh = Mesh::sheet(3, 3, 1);
        let mut anim = Anim::sway(mesh.bones.clone(), &[("sway", 4, 10.0)]);
        (0..4).for_each(|frame| anim.keys[frame].rotation = turn(frame as f32));
        broken.clone().for_each(|frame| anim.keys[frame].rotation = lost);
        document!(document, mesh.chunks().into(), anim.chunks().into());
        let (file, report) = write(&document, &ExportOptions::default());
        assert_eq!(report.broken_keys, broken.len(), "{broken:?}");
        if broken.start > 0 {
            let found = rotations(&file, "Bone_0000");
            assert_eq!(found.len(), 4, "{found:?}");
            for frame in 0..4 {
                let stands = if broken.contains(&frame) { broken.start - 1 } else { frame };
                let (own, other) = (found[frame], found[stands]);
                assert_eq!(own, other, "frame {frame} is frame {stands}: {found:?}");
            }
        }
    }
    for (places, expected) in [([1.0, 3e38, 2.0, 3.0], 1), ([3e38; 4], 4), ([3e30; 4], 0)] {
        let mesh = Mesh::sheet(3, 3, 1);
        let mut anim = Anim::sway(mesh.bones.clone(), &[("sway", 4, 10.0)]);
        (0..4).for_each(|frame| anim.keys[frame].position = [places[frame], 0.0, 0.0]);
        document!(document, mesh.chunks().into(), anim.chunks().into());
        assert_eq!(write(&document, &options(|own| own.metres = 100.0)).1.broken_keys, expected, "{places:?}");
    }
}

/// A quaternion and its opposite are one rotation. Programs that mix components need the nearer one.
#[test]
fn rotations_have_a_continuous_sign() {
    let mesh = Mesh::sheet(3, 3, 1);
    let mut anim = Anim::sway(mesh.bones.clone(), &[("sway", 40, 30.0)]);
    anim.keys.iter_mut().step_by(3).for_each(|key| key.rotation = key.rotation.map(|part| -part));
    document!(document, mesh.chunks().into(), anim.chunks().into());
    let (file, _) = write(&document, &ExportOptions::default());
    let values = rotations(&file, "Bone_0000");
    assert_eq!(values.len(), 40);
    let dot = |one: &[f32; 4], other: &[f32; 4]| one.iter().zip(other).map(|(one, other)| one * other).sum::<f32>();
    assert!(values.windows(2).all(|own| dot(&own[0], &own[1]) > 0.9));
    for (value, key) in values.iter().zip(&anim.keys) {
        // The rotation about x of the file is that of the output, one way or the other; cos of the half angle stays.
        assert!((value[3].abs() - key.rotation[3].abs()).abs() < 1e-6, "{value:?} {key:?}");
    }
}

/// Both bones move as one: relative to its parent, the second stands still.
#[test]
fn a_bone_that_follows_its_parent_has_no_channel() {
    let at = |frame: f32, y: f32| State { t: [frame, y, 0.0], q: State::REST.q };
    let states = (0..3_u8).flat_map(|frame| [at(frame.into(), 0.0), at(frame.into(), 1.0)]).collect();
    let mesh = Pmd { bind: vec![at(0.0, 0.0), at(0.0, 1.0)], ..Pmd::grid(2, 2, 2, 1) };
    document!(document, mesh.build().bytes, Psa::new(2, 3, states).build().bytes);
    let bone = |parent| HierarchyBone { name: "bone".to_owned(), parent };
    document.hierarchy = vec![bone(None), bone(Some(0))];
    let (file, _) = write(&document, &ExportOptions::default());
    assert_eq!(channels(&file), [[(0, "Translation".to_owned(), 3)]]);
}

/// What is no number in the file, or beyond the numbers relative to its parent, is counted; the value before stands in, so that nothing moves.
#[test]
fn keys_relative_to_a_parent_that_are_no_numbers_are_counted() {
    let at = |x: f32, y: f32| State { t: [x, y, 0.0], q: State::REST.q };
    let mesh = Pmd { bind: vec![at(0.0, 0.0), at(0.0, 1.0)], ..Pmd::grid(2, 2, 2, 1) }.build().bytes;
    let of = |loops: bool, change: &dyn Fn(&mut [State])| {
        let mut states: Vec<State> = (0..3).flat_map(|_| [at(0.0, 0.0), at(0.0, 1.0)]).collect();
        change(&mut states);
        document!(document, mesh.clone(), Psa::new(2, 3, states).build().bytes);
        let bone = |parent| HierarchyBone { name: "bone".to_owned(), parent };
        document.hierarchy = vec![bone(None), bone(Some(0))];
        let (file, report) = write(&document, &options(|own| own.loops = loops));
        (report.broken_keys, channels(&file)[0].iter().filter(|(.., keys)| *keys > 2).count())
    };
    // The first frame, which follows the last one, is counted once.
    for loops in [false, true] {
        assert_eq!(of(loops, &|_| {}), (0, 0));
        assert_eq!(of(loops, &|states| states[1].t[1] = f32::NAN), (1, 0));
        assert_eq!(of(loops, &|states| states[3].t[1] = f32::NAN), (1, 0));
        assert_eq!(of(loops, &|states| states[3].q[1] = f32::INFINITY), (1, 0));
        // Of the parent: its own rotation, and both parts of the child.
        assert_eq!(of(loops, &|states| states[2].q[1] = f32::NAN), (3, 0));
        assert_eq!(of(loops, &|states| (states[2].t[0], states[3].t[0]) = (-3e38, 3e38)), (1, 1));
    }
}

/// 0 A.D. states 33.333332 ms, the number next to 1000/30; Blender takes times * 30 for frames, and cuts what is below a whole number.
#[test]
fn times_of_keys_are_thirtieths_of_a_second_where_a_file_means_them() {
    for (length, rate) in [(f32::from_bits(0x4205_5555), 30.0), (33.0, 1000.0 / 33.0), (40.0, 25.0)] {
        let animation = Psa { frame_length: length, ..Psa::walk(3, 600) };
        let (mesh, animation) = (Pmd::grid(2, 2, 3, 1).build().bytes, animation.build().bytes);
        document!(document, mesh, animation);
        let (file, _) = write(&document, &ExportOptions::default());
        let animations: Vec<_> = file.document().animations().collect();
        let every = animations[0].channels().find(|own| own.sampler().input().count() == 600).unwrap();
        let times: Vec<f32> = every.reader(|_| Some(file.binary())).read_inputs().unwrap().collect();
        let expected: Vec<f32> = (0..600).map(|frame| (f64::from(frame) / rate) as f32).collect();
        assert_eq!(times, expected, "{length} ms");
    }
}

#[test]
fn nodes_of_prop_points_have_the_names_that_the_game_reads() {
    let bytes = Pmd { props: vec![Prop::new("head", State::REST, 1)], ..Pmd::grid(2, 2, 3, 1) }.build().bytes;
    let asset = Asset::parse(&bytes).unwrap();
    let (file, _) = write(&Document::of_mesh(&asset.mesh().unwrap()), &ExportOptions::default());
    assert!(file.document().nodes().any(|node| node.name() == Some("prop-head")));
}

/// The triangles of a file, in an order that their places give.
fn triangles(file: &File, pose: Option<(usize, f64)>) -> Vec<[[f64; 3]; 3]> {
    let corners = file.corners(pose);
    let mut triangles: Vec<[[f64; 3]; 3]> = corners.chunks(3).map(|own| [own[0], own[1], own[2]]).collect();
    triangles.sort_by(|one, other| one.as_flattened().partial_cmp(other.as_flattened()).unwrap());
    triangles
}

/// The document as one mesh with one skin, and as meshes with skins of a few joints: the same triangles in every pose.
fn check_split(document: &Document<'_>, most: u16, skins: std::ops::RangeInclusive<usize>) {
    let (whole, report) = write(document, &ExportOptions::default());
    assert_eq!(whole.document().skins().count(), 1);
    let (split, mut of_split) = write(document, &options(|own| own.max_joints = Some(most)));
    split.check();
    let added_skins = split.document().skins().count() - 1;
    assert_eq!((of_split.added_skins, report.added_skins), (added_skins, 0));
    of_split.added_skins = 0;
    assert_eq!(of_split, report);
    let nodes = split.document().nodes().filter(|node| node.mesh().is_some()).count();
    let counts: Vec<usize> = split.document().skins().map(|skin| skin.joints().count()).collect();
    assert_eq!(nodes, counts.len());
    assert!(skins.contains(&counts.len()), "{counts:?}");
    assert!(counts.iter().all(|count| (1..=usize::from(most)).contains(count)), "{counts:?}");
    // Additive clips are left out.
    let clips = 0..whole.document().animations().count();
    let times = clips.flat_map(|clip| [0.0, 0.3].map(|time| Some((clip, time))));
    for pose in times.chain([None]) {
        assert_eq!(triangles(&split, pose), triangles(&whole, pose), "{pose:?}");
    }
}

#[test]
fn a_mesh_with_more_joints_than_a_program_takes_is_several() {
    const BONES: usize = 200;
    let mut mesh = Mesh::sheet(30, 30, BONES as u32);
    mesh.materials.push(mesh.materials[0]);
    mesh.wedges.iter_mut().skip(450).for_each(|wedge| wedge.material = 1);
    mesh.faces.iter_mut().skip(841).for_each(|face| face.material = 1);
    let mut anim = Anim { bones: chain(BONES as u32), ..Anim::default() };
    anim.infos.push(test_support::actorx::build::Info::new("bend", BONES, 0, 2, 2.0));
    for rotation in [[0.0, 0.0, 0.0, 1.0], [0.0, 0.02, 0.0, 0.999_8]] {
        anim.keys.extend((0..BONES).map(|_| Key { position: [0.0, 0.1, 5.0], rotation, time: 1.0 }));
    }
    // The order of the triangles makes no other skins.
    let joints = |mesh: &Mesh| {
        let bytes: Vec<u8> = mesh.chunks().build().bytes;
        let asset = Asset::parse(&bytes).unwrap();
        let mut options = ExportOptions::default();
        options.max_joints = Some(32);
        let (file, _) = write(&Document::of_mesh(&asset.mesh().unwrap()), &options);
        let joints = |skin: gltf::Skin<'_>| skin.joints().map(|joint| joint.index()).collect::<Vec<_>>();
        file.document().skins().map(joints).collect::<Vec<_>>()
    };
    let mut mixed = mesh.clone();
    mixed.faces = (0..mesh.faces.len()).map(|index| mesh.faces[index * 1009 % mesh.faces.len()]).collect();
    mixed.faces.sort_by_key(|face| face.material);
    assert_eq!(joints(&mixed), joints(&mesh));
    let (mesh, anim) = (mesh.chunks().build().bytes, anim.chunks().build().bytes);
    document!(document, mesh, anim);
    // A row of 30 cells has some 31 + 31 bones and half of their numbers.
    check_split(&document, 64, 200 / 64 + 1..=40);
    check_split(&document, 100, 3..=20);
    // The skin is as it was where it is small enough.
    let mut large = ExportOptions::default();
    large.max_joints = Some(200);
    let (same, _) = write(&document, &large);
    assert_eq!(same.document().skins().map(|skin| skin.joints().count()).collect::<Vec<_>>(), [200]);
}

/// A head of 481 bones and its animation of 547.
#[test]
fn a_real_head_is_written_for_256_joints() {
    let Some(samples) = test_support::corpus::samples("actorx") else { return };
    let read = |name: &str| std::fs::read(samples.join("psk_psa_py").join(name)).unwrap();
    document!(document, read("psk/carlos_head_carlos.psk"), read("psa/Carlos_StrafeLF90_2.psa"));
    check_split(&document, 256, 1..=4);
    check_split(&document, 64, 8..=32);
}

#[test]
fn joints_that_no_vertex_needs_are_left_out_and_too_many_skins_are_refused() {
    let mut mesh = Mesh::sheet(3, 3, 1);
    mesh.bones = chain(40);
    let bytes: Vec<u8> = mesh.chunks().build().bytes;
    let asset = Asset::parse(&bytes).unwrap();
    let document = Document::of_mesh(&asset.mesh().unwrap());
    let mut options = ExportOptions::default();
    options.max_joints = Some(32);
    let (file, report) = write(&document, &options);
    let skin = file.document().skins().next().unwrap();
    assert_eq!(
        (skin.joints().map(|joint| joint.name().unwrap().to_owned()).collect::<Vec<_>>(), report.bones),
        (vec!["Bone_0000".to_owned()], 40)
    );

    // Without triangles there is nothing to divide.
    mesh.faces.clear();
    let bytes: Vec<u8> = mesh.chunks().build().bytes;
    let asset = Asset::parse(&bytes).unwrap();
    let (file, _) = write(&Document::of_mesh(&asset.mesh().unwrap()), &options);
    assert_eq!(file.document().skins().map(|skin| skin.joints().count()).collect::<Vec<_>>(), [40]);

    // Each triangle has six joints of its own: five go into a skin.
    let mut mesh = Mesh::sheet(3 * 2000, 2, 12_000);
    mesh.faces = (0..4000)
        .map(|index| test_support::actorx::build::Face::new([index * 3, index * 3 + 1, index * 3 + 2], 0))
        .collect();
    let bytes: Vec<u8> = mesh.chunks().build().bytes;
    let asset = Asset::parse(&bytes).unwrap();
    let document = Document::of_mesh(&asset.mesh().unwrap());
    let refused = document.write_glb(&options, &mut Vec::new());
    assert!(
        matches!(refused, Err(WriteError::Mesh(error)) if error.kind() == ErrorKind::TooManyPalettes),
        "{refused:?}"
    );
}

#[test]
fn indices_of_joints_have_the_size_that_they_need() {
    use gltf::accessor::DataType;
    for (bones, data_type) in [(256, DataType::U8), (257, DataType::U16)] {
        let bytes: Vec<u8> = Mesh::sheet(20, 20, bones).chunks().into();
        let asset = Asset::parse(&bytes).unwrap();
        let (file, _) = write(&Document::of_mesh(&asset.mesh().unwrap()), &ExportOptions::default());
        let mesh = file.document().meshes().next().unwrap();
        let primitive = mesh.primitives().next().unwrap();
        assert_eq!(primitive.get(&gltf::Semantic::Joints(0)).unwrap().data_type(), data_type, "{bones}");
    }
}

#[test]
fn a_second_set_of_influences_that_no_vertex_needs_is_left_out() {
    let bytes: Vec<u8> = Mesh::sheet(4, 4, 3).chunks().into();
    let asset = Asset::parse(&bytes).unwrap();
    let document = Document::of_mesh(&asset.mesh().unwrap());
    let (file, _) = write(&document, &options(|own| own.influences = InfluenceCount::Eight));
    let mesh = file.document().meshes().next().unwrap();
    let primitive = mesh.primitives().next().unwrap();
    let is_set = |(semantic, _): &(gltf::Semantic, _)| matches!(semantic, gltf::Semantic::Joints(_));
    assert_eq!(primitive.attributes().filter(is_set).count(), 1);
}

#[test]
fn colors_have_the_name_that_is_asked_for() {
    let mesh = Mesh::sheet(3, 3, 1);
    let colors = [[10_u8, 20, 30, 40]; 9];
    let bytes: Vec<u8> = mesh.chunks().records("VERTEXCOLOR", &colors).into();
    let asset = Asset::parse(&bytes).unwrap();
    let document = Document::of_mesh(&asset.mesh().unwrap());
    for (asked, expected) in [(Colors::Masks, Some("_COLOR_0")), (Colors::Paint, Some("COLOR_0")), (Colors::None, None)]
    {
        let mut json = Vec::new();
        document.write_gltf(&options(|own| own.colors = asked), &mut json, "a.bin", &mut Vec::new()).unwrap();
        let json: serde_json::Value = serde_json::from_slice(&json).unwrap();
        let attributes = json["meshes"][0]["primitives"][0]["attributes"].as_object().unwrap();
        let names: Vec<&str> = attributes.keys().map(String::as_str).filter(|name| name.contains("COLOR")).collect();
        assert_eq!(names, expected.into_iter().collect::<Vec<_>>(), "{asked:?}");
    }
}

/// The number after the last bone is the model: the vertices of the first row stay where it is.
#[test]
fn vertices_that_follow_the_model_stay_with_it() {
    let mut mesh = Pmd::grid(2, 2, 1, 1);
    mesh.bind = vec![State::REST];
    mesh.vertices[..2].iter_mut().for_each(|vertex| vertex.bones[0] = 1);
    let moved = State { t: [0.0, 5.0, 0.0], ..State::REST };
    document!(document, mesh.build().bytes, Psa::new(1, 2, vec![State::REST, moved]).build().bytes);
    let (file, _) = write(&document, &ExportOptions::default());
    assert_eq!(file.document().skins().next().unwrap().joints().count(), 2, "the bone and the model");
    let end = Some((0, 1.0 / 30.0));
    let rises: Vec<f64> =
        file.corners(end).iter().zip(file.corners(None)).map(|(one, other)| one[1] - other[1]).collect();
    let count = |height: f64| rises.iter().filter(|rise| (*rise - height).abs() < 1e-5).count();
    // Two triangles: corner, left, above left; corner, above left, above. What is above is the first row.
    assert_eq!((count(0.0), count(5.0)), (3, 3), "{rises:?}");
}

#[test]
fn meshes_with_skins_of_their_own_have_numbers_in_their_names() {
    let bytes: Vec<u8> = Mesh::sheet(30, 4, 100).chunks().into();
    let asset = Asset::parse(&bytes).unwrap();
    let mut document = Document::of_mesh(&asset.mesh().unwrap());
    document.name = "fox".to_owned();
    let (file, _) = write(&document, &options(|own| own.max_joints = Some(64)));
    let names: Vec<_> = file.document().meshes().map(|own| own.name().unwrap().to_owned()).collect();
    let nodes = file.document().nodes().filter(|node| node.mesh().is_some());
    assert_eq!(nodes.map(|node| node.name().unwrap().to_owned()).collect::<Vec<_>>(), names);
    assert!(names.len() > 1);
    let expected = (1..=names.len()).map(|number| if number == 1 { "fox".to_owned() } else { format!("fox-{number}") });
    assert!(names.iter().eq(expected.collect::<Vec<_>>().iter()), "{names:?}");
}

/// 36,000,092 is 100,000 turns and 92 degrees, and a number of 32 bits has no place for more digits.
#[test]
fn a_yaw_of_many_turns_is_that_of_the_rest() {
    let bytes: Vec<u8> = Mesh::sheet(3, 3, 1).chunks().into();
    let asset = Asset::parse(&bytes).unwrap();
    let document = Document::of_mesh(&asset.mesh().unwrap());
    let corners = |yaw: f32| write(&document, &options(|own| own.yaw = yaw)).0.corners(None);
    assert!(apart(&corners(92.0), &corners(36_000_092.0)) < 1e-6);
}

/// The rate that a file states may be far beyond the times that a number of 32 bits has: the smallest is 1.4e-45.
#[test]
fn times_that_are_the_same_in_32_bits_do_not_ascend() {
    // Seconds of a frame. 0.6e-45 is 0, and twice as much is not; 0.84e-45 and twice as much are the same.
    // A frame of 0.85e-42 has 606.6 of the smallest steps: the first two frames ascend, and so do the last two, but not all between.
    for (frames, seconds) in [(1, 1e-48_f64), (2, 0.6e-45), (2, 0.84e-45), (5, 0.84e-45)] {
        let animation = Psa { frame_length: (seconds * 1000.0) as f32, ..Psa::walk(3, frames) };
        document!(document, Pmd::grid(2, 2, 3, 1).build().bytes, animation.build().bytes);
        assert!(document.animations[0].clip.rate().is_some());
        assert_eq!(write(&document, &ExportOptions::default()).1.clips_without_rate, 1, "{seconds}");
    }
}
