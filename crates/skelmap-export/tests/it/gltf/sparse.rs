//! Sparse keys: a clip of a million frames takes no more than its keys, and moves as one with a key for each frame.

use skelmap::Asset;
use skelmap::model::{Binding, Wrap};
use skelmap_export::{Additive, Animation, Document, ExportOptions, ExportReport};

use super::{apart, channel, keys, options, write};
use gltf::animation::Property;
use gltf::animation::util::ReadOutputs;
use test_support::glb::File;
use test_support::ueformat::build::{
    self, Bone, IDENTITY, Lod, Metadata, Model, Skeleton, Style, Track, Vector, Weight,
};
use test_support::with;

/// The number of frames that these files state.
const FRAMES: i32 = 1 << 20;

/// A triangle on three bones above each other.
fn mesh() -> Vec<u8> {
    let bone = |at: i32| Bone::new(format!("b{at}"), at - 1, [0.0, 0.0, 10.0], IDENTITY);
    let lod = Lod {
        vertices: vec![[0.0, 0.0, 30.0], [5.0, 0.0, 30.0], [0.0, 5.0, 20.0]],
        indices: vec![0, 1, 2],
        weights: (0..3).map(|vertex| Weight { bone: 2, vertex, weight: 1.0 }).collect(),
        ..Lod::default()
    };
    let skeleton = Skeleton { bones: (0..3).map(bone).collect(), ..Skeleton::default() };
    let model = Model { lods: vec![lod], skeleton: Some(skeleton), ..Model::default() };
    build::model(10, &model, Style::LIBRARY).build().bytes
}

fn animation(frame_count: i32, tracks: Vec<Track>) -> Vec<u8> {
    let metadata = Some(Metadata { frame_count, rate: 30.0, ..Metadata::default() });
    build::animation(10, &build::Animation { metadata, tracks, curves: Vec::new() }, Style::LIBRARY).build().bytes
}

/// A file with the only clip of an animation on a mesh.
fn on_mesh(animation: &[u8], options: &ExportOptions) -> (File, ExportReport) {
    let bytes = mesh();
    let (mesh, animation) = (Asset::parse(&bytes).unwrap(), Asset::parse(animation).unwrap());
    let (mesh, clip) = (mesh.mesh().unwrap(), animation.clips().next().unwrap());
    let moved = Animation::new(&clip, Binding::new(&mesh, &clip));
    write(&with(Document::of_mesh(&mesh), |own| own.animations = vec![moved]), options)
}

fn shifted(frames: &[i32], place: impl Fn(i32) -> Vector) -> Vec<Track> {
    let positions = frames.iter().map(|frame| (*frame, place(*frame))).collect();
    vec![Track { name: b"b1".to_vec(), positions, ..Track::default() }]
}

/// A key is held until the next one, which is two keys of a linear blend: the next one, and the frame before it.
#[test]
fn a_million_frames_with_few_keys_take_two_keys_for_each() {
    let few = animation(FRAMES, shifted(&[0, 100, 1_000_000], |frame| [frame as f32, 0.0, 10.0]));
    for (loops, compact) in [(false, false), (true, false), (false, true)] {
        let change = options(|own| (own.loops, own.compact, own.metres) = (loops, compact, 1.0));
        let (file, report) = on_mesh(&few, &change);
        assert_eq!((report.animations, report.clips_beyond_limits, report.broken_keys), (1, 0, 0));
        // To compare poses of all frames would be far more work than the file has keys.
        assert_eq!(report.clips_not_reduced, usize::from(compact));
        assert!(file.binary().len() < 2000, "{}", file.binary().len());
        let mut frames = vec![(0, 0.0), (99, 0.0), (100, 100.0), (999_999, 100.0), (1_000_000, 1e6), (FRAMES - 1, 1e6)];
        frames.extend(loops.then_some((FRAMES, 0.0)));
        let expected: Vec<f64> =
            frames.iter().map(|(frame, _)| f64::from((f64::from(*frame) / 30.0) as f32) * 30.0).collect();
        assert_eq!(keys(&file, "b1", Property::Translation), expected);
        let expected: Vec<f32> = frames.iter().map(|(_, place)| *place).collect();
        let channel = channel(&file, "b1", Property::Translation).unwrap();
        let ReadOutputs::Translations(places) = channel.reader(|_| Some(file.binary())).read_outputs().unwrap() else {
            panic!("no translations")
        };
        assert_eq!(places.map(|[x, ..]| x).collect::<Vec<_>>(), expected);
    }
}

/// A key of its own time takes 16 bytes and others 12, and the list takes 140 more: two keys are four of 17, which saves nothing, or of 18.
#[test]
fn few_keys_of_few_frames_are_written_for_all_frames_where_that_takes_no_more_bytes() {
    for (frames, expected) in [(17, (0..17).collect()), (18, vec![0, 7, 8, 17])] {
        let few = animation(frames, shifted(&[0, 8], |frame| [frame as f32, 0.0, 10.0]));
        let (file, _) = on_mesh(&few, &options(|own| own.metres = 1.0));
        let found: Vec<i32> =
            keys(&file, "b1", Property::Translation).into_iter().map(|frame| frame.round() as i32).collect();
        assert_eq!(found, expected);
    }
}

/// Rotations about x by some degrees, at their frames.
fn turned(name: &str, keys: &[(i32, f32)]) -> Track {
    let turn = |degrees: f32| {
        let (sin, cos) = (degrees.to_radians() / 2.0).sin_cos();
        [sin, 0.0, 0.0, cos]
    };
    let rotations = keys.iter().map(|(frame, degrees)| (*frame, turn(*degrees))).collect();
    Track { name: name.as_bytes().to_vec(), positions: vec![(0, [0.0; 3])], rotations, ..Track::default() }
}

/// The same motion with a key for each frame.
fn filled(keys: &[(i32, f32)], frames: i32) -> Vec<(i32, f32)> {
    let held = |frame: i32| keys.iter().rev().find(|(own, _)| *own <= frame).unwrap().1;
    (0..frames).map(|frame| (frame, held(frame))).collect()
}

#[test]
fn additive_clips_with_few_keys_move_as_those_with_a_key_for_each_frame() {
    let moves: [&[(i32, f32)]; 3] = [&[(0, 0.0), (7, 40.0), (20, -30.0)], &[(0, 10.0), (11, 65.0)], &[(0, 5.0)]];
    let tracks = |frames: Option<i32>| {
        let all = moves.iter().zip(["b0", "b1", "b2"]);
        all.map(move |(own, name)| match frames {
            Some(frames) => turned(name, &filled(own, frames)),
            None => turned(name, own),
        })
    };
    let (few, all) = (animation(24, tracks(None).collect()), animation(24, tracks(Some(24)).collect()));
    let long = animation(FRAMES, tracks(None).collect());
    for kind in [Additive::Local, Additive::Mesh] {
        let change = options(|own| (own.additive, own.metres) = (kind, 1.0));
        let [few, all, long] = [&few, &all, &long].map(|own| on_mesh(own, &change));
        assert_eq!((few.1.additive_clips, all.1.additive_clips, long.1.additive_clips), (1, 1, 1));
        assert!(few.0.binary().len() < all.0.binary().len() && long.0.binary().len() < 2500);
        for at in [0.0, 3.0, 7.0, 10.5, 11.0, 15.0, 20.0, 23.0] {
            let [few, all, long] = [&few, &all, &long].map(|(own, _)| own.corners(Some((0, at / 30.0))));
            assert!(apart(&few, &all) < 1e-5 && apart(&long, &all) < 1e-5, "{kind:?} at {at}");
        }
    }
}

/// The frames of keys, and those before them: values are held. In the space of the mesh, a rotation depends on that of the parent; a translation does not.
#[test]
fn additive_rotations_of_the_mesh_have_keys_where_the_parent_has_keys_and_nothing_else_has() {
    let places = |frames: [i32; 3]| [(frames[0], 0.0), (frames[1], 0.005), (frames[2], 0.0)];
    let small = |own: [i32; 3]| places(own).map(|(frame, x)| (frame, [x, 0.0, 0.0])).to_vec();
    let tracks = vec![
        Track { positions: small([0, 30, 40]), ..turned("b0", &[(0, 0.0), (7, 40.0), (20, -30.0)]) },
        Track { positions: small([0, 33, 44]), ..turned("b1", &[(0, 10.0), (11, 65.0)]) },
    ];
    let bytes = animation(FRAMES, tracks);
    let last = FRAMES - 1;
    let (of_parent, own) = (vec![0, 6, 7, 19, 20, last], vec![0, 10, 11, last]);
    let both = vec![0, 6, 7, 10, 11, 19, 20, last];
    for (kind, turns) in [(Additive::Local, &own), (Additive::Mesh, &both)] {
        let (file, report) = on_mesh(&bytes, &options(|own| (own.additive, own.metres) = (kind, 1.0)));
        assert_eq!(report.additive_clips, 1);
        let frames = |bone: &str, property| -> Vec<i32> {
            keys(&file, bone, property).into_iter().map(|frame| frame.round() as i32).collect()
        };
        assert_eq!(frames("b0", Property::Rotation), of_parent, "{kind:?}");
        assert_eq!(frames("b1", Property::Rotation), *turns, "{kind:?}");
        assert_eq!(frames("b0", Property::Translation), [0, 29, 30, 39, 40, last], "{kind:?}");
        assert_eq!(frames("b1", Property::Translation), [0, 32, 33, 43, 44, last], "{kind:?}");
    }
}

/// Of one channel with keys that are not finite, each is counted once, wherever it is held.
#[test]
fn keys_that_are_not_finite_are_counted_by_key() {
    let place = |frame| if frame == 100 { [f32::NAN, 0.0, 10.0] } else { [1.0, frame as f32, 10.0] };
    let (file, report) = on_mesh(&animation(FRAMES, shifted(&[0, 100, 5000], place)), &ExportOptions::default());
    assert_eq!(report.broken_keys, 1);
    assert_eq!(keys(&file, "b1", Property::Translation).len(), 6);
}

/// The reference says that a part without keys is that of the bind pose (ueformat.md 6.3), also where other tracks of the clip have scales.
#[test]
fn a_track_without_scales_keeps_the_scale_of_its_bone() {
    let bone = |at: i32, scale| Bone { scale, ..Bone::new(format!("b{at}"), at - 1, [0.0, 0.0, 10.0], IDENTITY) };
    let bones = vec![bone(0, [1.0; 3]), bone(1, [1.0, 1.5, 0.75])];
    let model = Model { skeleton: Some(Skeleton { bones, ..Skeleton::default() }), ..Model::default() };
    let style = Style { has_bone_scale: true, ..Style::CUE4PARSE };
    let bytes = build::model(10, &model, style).build().bytes;
    let mesh = Asset::parse(&bytes).unwrap().mesh().unwrap();
    let grows = Track { name: b"b0".to_vec(), scales: vec![(0, [1.0; 3]), (5, [2.0; 3])], ..Track::default() };
    let stays = Track { name: b"b1".to_vec(), rotations: vec![(0, IDENTITY)], ..Track::default() };
    for tracks in [vec![grows, stays.clone()], vec![stays]] {
        let bytes = animation(10, tracks);
        let clip = Asset::parse(&bytes).unwrap().clips().next().unwrap();
        let binding = Binding::new(&mesh, &clip);
        let mut pose = binding.to_rest();
        binding.sample_frame(&clip, 2.5, Wrap::Clamp, &mut pose).unwrap();
        let of_bone = binding.sample_bone_frame(&clip, 2.5, Wrap::Clamp, 1).unwrap();
        let of_frame = binding.transform(&clip, 2, 1).unwrap();
        assert_eq!([pose[1], of_bone, of_frame].map(|own| own.scale), [[1.0, 1.5, 0.75]; 3]);
        let moved = Animation::new(&clip, binding);
        let document = with(Document::of_mesh(&mesh), |own| own.animations = vec![moved]);
        let (file, _) = write(&document, &ExportOptions::default());
        assert!(channel(&file, "b1", Property::Scale).is_none(), "that of the node stays");
    }
}

/// As in all families, spaces at the end of a name are not part of the name.
#[test]
fn spaces_at_the_end_of_the_name_of_a_track_are_ignored() {
    let bytes = animation(10, vec![turned("B1  ", &[(0, 90.0)])]);
    let clip = Asset::parse(&bytes).unwrap().clips().next().unwrap();
    let bytes = mesh();
    let mesh = Asset::parse(&bytes).unwrap().mesh().unwrap();
    assert_eq!((Binding::new(&mesh, &clip).track_of(1), clip.skeleton().find("b1")), (Some(0), Some(0)));
    assert_eq!(clip.skeleton().name(0).unwrap().to_string(), "B1");
    assert_eq!(clip.skeleton().bones().next().unwrap().name.unwrap().to_string(), "B1");
}
