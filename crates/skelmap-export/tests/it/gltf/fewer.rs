//! Compact files: which keys stay, and how far away what programs compute between them is.

use skelmap::Asset;
use skelmap_export::{Animation, Document, ExportOptions, ExportReport};

use super::{keys, options, rotations, write};
use gltf::animation::Property;
use test_support::actorx::build::{Anim, Info, Key, Mesh, ScaleKey, chain};
use test_support::glb::{File, Matrix, transformed};
use test_support::pyrogenesis::build::{NONE, Pmd, Psa, State, Vertex};
use test_support::with;

/// Lengths are in metres; a file without a mesh is as large as what is between its bones, or 1.
fn compact(tolerance: f32) -> ExportOptions {
    options(|own| (own.compact, own.metres, own.tolerance) = (true, 1.0, tolerance))
}

/// A sequence of bones above each other: the place and the rotation of each in a frame, added to 5 up.
fn animated(bones: u32, frames: usize, key: impl Fn(u32, usize) -> ([f32; 3], [f32; 4])) -> Vec<u8> {
    let mut anim = Anim { bones: chain(bones), ..Anim::default() };
    anim.infos.push(Info::new("move", bones as usize, 0, frames as i32, 30.0));
    for frame in 0..frames {
        anim.keys.extend((0..bones).map(|bone| {
            let ([x, y, z], rotation) = key(bone, frame);
            Key { position: [x, y, z + 5.0], rotation, time: 1.0 }
        }));
    }
    anim.chunks().into()
}

/// The output of an animation without a mesh.
fn alone(bytes: &[u8], options: &ExportOptions) -> (File, ExportReport) {
    let asset = Asset::parse(bytes).unwrap();
    let animations = asset.clips().map(|clip| Animation::of_clip(&clip)).collect();
    write(&with(Document::default(), |own| own.animations = animations), options)
}

const STRAIGHT: [f32; 4] = [0.0, 0.0, 0.0, 1.0];

/// The rotation about an axis of length 1.
fn about(axis: [f64; 3], angle: f64) -> [f32; 4] {
    let (sin, cos) = (angle / 2.0).sin_cos();
    [axis[0] * sin, axis[1] * sin, axis[2] * sin, cos].map(|value| value as f32)
}

/// A bone on straight lines between some frames, each with another slope.
fn on_lines(corners: &[usize]) -> Vec<u8> {
    let place = |frame: usize| -> f32 {
        let slope = |index: usize| if index % 2 == 0 { 3 + index } else { 0 };
        let lines = corners.windows(2).enumerate();
        lines.map(|(index, own)| (frame.clamp(own[0], own[1]) - own[0]) * slope(index)).sum::<usize>() as f32
    };
    animated(1, corners[corners.len() - 1] + 1, |_, frame| ([place(frame), 0.0, 0.0], STRAIGHT))
}

#[test]
fn the_corners_of_straight_lines_are_the_keys_that_stay() {
    let all: [&[usize]; 8] = [
        &[0, 127],
        &[0, 1, 127],
        &[0, 126, 127],
        &[0, 64, 127],
        &[0, 63, 65, 127],
        &[0, 1, 2, 5, 6, 20, 21, 50, 99, 127],
        &[0, 7, 8, 16, 17, 33, 65, 100],
        &[0, 40, 80, 96, 100, 104, 105, 107, 120],
    ];
    for corners in all {
        let (file, report) = alone(&on_lines(corners), &compact(1e-3));
        let found: Vec<usize> =
            keys(&file, "Bone_0000", Property::Translation).into_iter().map(|own| own.round() as usize).collect();
        assert_eq!(found, corners);
        assert!(report.skin_error < 1e-3, "{}", report.skin_error);
    }
}

/// A key of its own time takes 16 bytes and others 12, and the list takes 140 more: four of 17 save nothing, four of 18 do.
#[test]
fn all_keys_stay_where_fewer_save_no_bytes() {
    for (corners, count) in [([0, 5, 11, 16], 17), ([0, 5, 11, 17], 4)] {
        let (file, _) = alone(&on_lines(&corners), &compact(1e-3));
        assert_eq!(keys(&file, "Bone_0000", Property::Translation).len(), count);
    }
}

/// Whole numbers on a line of 64 parts: what programs compute is exact.
#[test]
fn what_is_exact_needs_no_tolerance() {
    let bytes = animated(1, 65, |_, frame| ([frame as f32 * 4.0, 0.0, 0.0], STRAIGHT));
    let (file, report) = alone(&bytes, &compact(0.0));
    assert_eq!(keys(&file, "Bone_0000", Property::Translation).len(), 2);
    assert_eq!((report.skin_error, report.clips_beyond_tolerance, report.clips_not_reduced), (0.0, 0, 0));
}

/// Each bone carries the errors of all before it: a twentieth of what one bone alone might have is left for each.
#[test]
fn errors_of_a_chain_of_bones_add_up_to_the_tolerance_at_most() {
    let slide = |frame: usize| (frame as f64 * 0.02).sin() as f32 * 20.0;
    let bytes = animated(12, 200, |_, frame| ([slide(frame), 0.0, 0.0], STRAIGHT));
    // The size is the 55 from the first bone to the last.
    let (tolerance, size) = (2e-2, 55.0);
    let (file, report) = alone(&bytes, &compact(tolerance));
    let most = tolerance * size;
    assert!(report.skin_error <= most && report.skin_error > most * 0.5, "{} of {most}", report.skin_error);
    for bone in 0..12 {
        let found = keys(&file, &format!("Bone_{bone:04}"), Property::Translation).len();
        assert!(found < 60, "{bone}: {found}");
    }
}

#[test]
fn most_of_the_tolerance_is_used() {
    let bytes = animated(1, 300, |_, frame| ([(frame as f64 * 0.02).sin() as f32, 0.0, 0.0], STRAIGHT));
    let (_, report) = alone(&bytes, &compact(1e-3));
    assert!(report.skin_error <= 1e-3 && report.skin_error > 0.7e-3, "{}", report.skin_error);
}

/// A mesh of less than a thousandth of a metre, which grows and shrinks: its farthest vertex tells how near a scale has to be.
#[test]
fn scales_are_as_near_as_the_size_of_the_model_needs() {
    let mesh = Mesh::sheet(8, 8, 1);
    let mut anim = Anim { bones: mesh.bones.clone(), ..Anim::default() };
    anim.infos.push(Info::new("grow", 1, 0, 200, 30.0));
    for frame in 0..200 {
        anim.keys.push(Key { position: [0.0, 0.0, 5.0], rotation: STRAIGHT, time: 1.0 });
        let scale = 1.0 + 0.5 * (f64::from(frame) * 0.03).sin() as f32;
        anim.scale_keys.push(ScaleKey { scale: [scale; 3], time: 1.0 });
    }
    document!(document, mesh.chunks().into(), anim.chunks().into());
    let (file, report) = write(&document, &with(compact(1e-2), |own| own.metres = 1e-4));
    let found = keys(&file, "Bone_0000", Property::Scale).len();
    assert!((10..80).contains(&found), "{found}");
    // The longest edge is 7.
    assert!(report.skin_error <= 7e-4 * 1e-2, "{}", report.skin_error);
}

/// Positions are rounded in a cube around the mesh at rest: half a step along each axis. What grows in a clip, grows with this error, and a child grows
/// with its parent.
#[test]
fn the_rounding_of_positions_grows_with_the_scales_of_a_clip() {
    let error = |scales: [f32; 2]| {
        let mesh = Mesh::sheet(8, 8, 2);
        let mut anim = Anim::sway(mesh.bones.clone(), &[("grow", 30, 30.0)]);
        for frame in 0..30 {
            let scale = |own: f32| ScaleKey { scale: if frame == 7 { [1.0, own, 1.0] } else { [1.0; 3] }, time: 1.0 };
            anim.scale_keys.extend(scales.map(scale));
        }
        document!(document, mesh.chunks().into(), anim.chunks().into());
        write(&document, &with(compact(1e-9), |own| own.metres = 1.0)).1.skin_error
    };
    // The longest edge is 7.
    let half_a_step = 3.5 / 32767.0 / 2.0 * 3.0_f32.sqrt();
    for (scales, expected) in [([1.0, 1.0], 1.0), ([50.0, 1.0], 50.0), ([5.0, -4.0], 20.0), ([0.5, 1.0], 1.0)] {
        let found = error(scales) / half_a_step;
        assert!((found - expected).abs() < expected * 1e-3, "{scales:?}: {found}");
    }
}

/// Far from any vertex: a half turn has one way only, and more than one is several keys.
#[test]
fn between_two_keys_there_is_at_most_half_a_turn() {
    let turn = |frame: usize| match frame {
        36 => [0.0, 0.0, 1.0, 0.0],
        frame => about([0.0, 0.0, 1.0], (frame as f64 * 5.0).to_radians()),
    };
    let bytes = animated(1, 72, |_, frame| ([0.0; 3], turn(frame)));
    // Everything is near enough.
    let (file, _) = alone(&bytes, &compact(100.0));
    let found: Vec<f64> = keys(&file, "Bone_0000", Property::Rotation).into_iter().map(f64::round).collect();
    assert_eq!(found, [0.0, 36.0, 71.0]);
    assert_eq!(rotations(&file, "Bone_0000").len(), 3);
}

/// The most that the corners of boxes are moved from the places in one file to those in another, in all frames.
fn away(one: &File, other: &File, frames: usize, boxes: &[(&str, [[f64; 3]; 2])]) -> f64 {
    let mut most = 0.0_f64;
    for frame in 0..frames {
        let [one, other] = [one, other].map(|file| file.places(Some((0, frame as f64 / 30.0))));
        for (bone, edges) in boxes {
            let [one, other] = [&one, &other].map(|all| all.iter().find(|(name, _)| name == bone).unwrap().1);
            let places = |place: &Matrix| -> Vec<[f64; 3]> {
                let corner = |own: usize| [0, 1, 2].map(|axis| edges[own >> axis & 1][axis]);
                (0..8).map(|own| transformed(place, corner(own))).collect()
            };
            let apart = places(&one).into_iter().zip(places(&other)).map(|(a, b)| {
                let [x, y, z] = [0, 1, 2].map(|axis| a[axis] - b[axis]);
                (x * x + y * y + z * z).sqrt()
            });
            most = apart.fold(most, f64::max);
        }
    }
    most
}

/// The box of a bone without vertices is a tenth of the size wide: of the 5 between the two bones. The bone turns about a diagonal of it.
#[test]
fn the_error_of_a_file_without_a_mesh_is_that_of_boxes_around_its_bones() {
    let diagonal = [1.0 / 3.0_f64.sqrt(); 3];
    for (slides, turns) in [(true, false), (false, true), (true, true)] {
        let bytes = animated(2, 120, |bone, frame| {
            let t = frame as f64;
            let slide = if slides { 2.0 * (t * 0.05).sin() as f32 } else { 0.0 };
            let turn = if turns { 2.5 * (t * 0.04).sin() } else { 0.0 };
            if bone == 0 { ([0.0; 3], STRAIGHT) } else { ([slide, slide * 0.5, 0.0], about(diagonal, turn)) }
        });
        let (plain, _) = alone(&bytes, &options(|own| own.metres = 1.0));
        let (small, report) = alone(&bytes, &compact(1e-2));
        let own = [[-0.25; 3], [0.25; 3]];
        let expected = away(&plain, &small, 120, &[("Bone_0000", own), ("Bone_0001", own)]);
        let found = f64::from(report.skin_error);
        assert!(expected > 5e-3 && (found - expected).abs() < expected * 1e-3, "{slides} {turns}: {found} {expected}");
    }
}

/// A square of each of two bones, far from each other; the first turns. Half a step of the cube around both is added.
#[test]
fn the_error_of_a_bone_is_that_of_the_box_of_its_own_vertices() {
    let mut mesh = Pmd { vertices: Vec::new(), props: Vec::new(), ..Pmd::grid(2, 2, 2, 1) };
    for (bone, x) in [(0, 0.0), (1, 20.0)] {
        mesh.vertices.extend([[-0.5, -0.5], [0.5, -0.5], [-0.5, 0.5], [0.5, 0.5]].map(|[dx, z]| Vertex {
            position: [x + dx, 0.0, z],
            normal: [0.0, 1.0, 0.0],
            uvs: vec![[0.0; 2]],
            bones: [bone, NONE, NONE, NONE],
            weights: [1.0, 0.0, 0.0, 0.0],
        }));
    }
    mesh.faces = vec![[0, 1, 2], [1, 3, 2], [4, 5, 6], [5, 7, 6]];
    let far = State { t: [20.0, 0.0, 0.0], ..State::REST };
    mesh.bind = vec![State::REST, far];
    let turned = |frame: u32| State { q: about([0.0, 1.0, 0.0], (f64::from(frame) * 0.04).sin() * 2.0), ..State::REST };
    let states = (0..120).flat_map(|frame| [turned(frame), far]).collect();
    let animation = Psa { frame_length: 1000.0 / 30.0, ..Psa::new(2, 120, states) };
    document!(document, mesh.build().bytes, animation.build().bytes);
    let (plain, _) = write(&document, &ExportOptions::default());
    let (small, report) =
        write(&document, &with(ExportOptions::default(), |own| (own.compact, own.tolerance) = (true, 1e-3)));
    // The longest edge is 21.
    let step = 21.0 / 2.0 / 32767.0 / 2.0 * 3.0_f64.sqrt();
    let expected = away(&plain, &small, 120, &[("bone_0", [[-0.5, 0.0, -0.5], [0.5, 0.0, 0.5]])]) + step;
    let found = f64::from(report.skin_error);
    assert!(expected > 5e-3 && (found - expected).abs() < expected * 1e-3, "{found} {expected}");
}

/// 16 bits move a vertex by half a step along each axis: 21 thousandths of a thousandth of half the size.
#[test]
fn clips_of_a_mesh_that_16_bits_move_too_far_are_counted() {
    let mesh = Mesh::sheet(3, 3, 1);
    let mut anim = Anim::sway(mesh.bones.clone(), &[("still", 3, 30.0)]);
    anim.keys.iter_mut().for_each(|key| key.rotation = STRAIGHT);
    document!(document, mesh.chunks().into(), anim.chunks().into());
    // Of the whole edge: 1 / 32,767 / 4 * sqrt(3), which is 1.32e-5.
    for (tolerance, count) in [(1e-5, 1), (1.3e-5, 1), (1.35e-5, 0), (1e-3, 0)] {
        let (_, report) = write(&document, &with(compact(tolerance), |own| own.metres = 0.01));
        assert_eq!((report.clips_beyond_tolerance, report.clips_not_reduced), (count, 0), "{tolerance}");
    }
}

/// The poses of a clip are those of all 1,024 bones in all frames: the limits are 2^22 of a clip and 2^24 of all.
#[test]
fn clips_with_too_many_poses_keep_all_keys() {
    let mesh = Mesh { bones: chain(1024), ..Mesh::sheet(3, 3, 1) };
    let mut anim = Anim { bones: chain(1), ..Anim::default() };
    anim.keys.extend((0..8183).map(|frame| Key { position: [frame as f32, 0.0, 5.0], rotation: STRAIGHT, time: 1.0 }));
    let mesh: Vec<u8> = mesh.chunks().into();
    for (last, count) in [(8182, 3), (8183, 4)] {
        // 2^12 frames are 2^22 poses; the last clip is short enough alone, and 2^14 frames are 2^24 poses.
        anim.infos = [4097, 4097, last, 8].map(|frames| Info::new(frames.to_string(), 1, 0, frames, 30.0)).to_vec();
        document!(document, mesh.clone(), anim.chunks().into());
        let mut json = Vec::new();
        let report = document.write_gltf(&compact(1e-3), &mut json, "a.bin", &mut std::io::sink()).unwrap();
        assert_eq!(report.clips_not_reduced, count);
    }
}
