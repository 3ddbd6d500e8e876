//! Numbers of the output against their definitions: morph targets, small numbers, keys that are left out, axes, frames of an OBJ.

use skelmap::Asset;
use skelmap::model::{Axis, Binding, Space};
use skelmap_export::{Additive, Animation, Document, ExportOptions, InfluenceCount, WriteError};

use super::{apart, good, keys, options, rotations, write};
use test_support::actorx::build::{self, Anim, Delta, Face, Info, Key, Material, Morph, Weight, chain, name};
use test_support::glb::File;
use test_support::pyrogenesis::build::Pmd;

/// The vectors of an attribute or a target, with their type.
fn floats(file: &File, accessor: &gltf::Accessor<'_>) -> Vec<[f32; 3]> {
    gltf::accessor::Iter::<[f32; 3]>::new(accessor.clone(), |_| Some(file.binary())).unwrap().collect()
}

/// The first part of the first mesh.
fn primitive(file: &File) -> gltf::Primitive<'_> {
    file.document().meshes().next().unwrap().primitives().next().unwrap()
}

/// The smallest or the largest components that an accessor states.
fn stated(value: Option<gltf::json::Value>) -> Vec<f64> {
    value.unwrap().as_array().unwrap().iter().map(|value| value.as_f64().unwrap()).collect()
}

fn morphed() -> build::Mesh {
    let mut mesh = build::Mesh::sheet(4, 3, 2);
    mesh.materials = ["a", "b"].map(|name| Material::new(name, 0)).to_vec();
    // The upper row of cells has another material; the points between are in both.
    for (index, face) in mesh.faces.iter_mut().enumerate() {
        face.material = u8::from(index >= 6);
    }
    mesh
}

/// The deltas of three targets: the second has several of one point, of which the last counts, and some that move nothing.
fn deltas() -> [Vec<Delta>; 3] {
    let delta = |point: i32, position: [f32; 3]| Delta { position, normal: [0.0; 3], point };
    [
        vec![delta(5, [1.0, 2.0, 3.0]), delta(0, [-4.0, 0.5, 0.25])],
        vec![
            delta(6, [9.0, 9.0, 9.0]),
            delta(6, [0.5, -1.5, 2.5]),
            delta(7, [0.0; 3]),
            delta(8, [f32::NAN, 0.0, 0.0]),
            delta(99, [1.0; 3]),
            delta(-1, [1.0; 3]),
        ],
        (0..12).map(|point| delta(point, [point as f32 + 1.0, 1.0, -2.0])).collect(),
    ]
}

fn morph_bytes() -> Vec<u8> {
    let all = deltas();
    let infos: Vec<Morph> = ["smile", "frown", "all"]
        .iter()
        .zip(&all)
        .map(|(text, own)| Morph { name: name(text), count: own.len() as i32 })
        .collect();
    morphed().chunks().records("MRPHINFO", &infos).records("MRPHDATA", &all.concat()).build().bytes
}

#[test]
fn morph_targets_move_the_vertices_of_their_points_by_the_deltas_of_the_file() {
    let bytes = morph_bytes();
    let asset = Asset::parse(&bytes).unwrap();
    let stored = asset.mesh().unwrap();
    let document = Document::of_mesh(&stored);
    let mesh = stored.with_metres(0.01).in_space(Space::GLTF);
    // The point of a vertex, by its place.
    let place = |point: usize| mesh.position(point).unwrap();
    for yaw in [0.0, 180.0] {
        let (file, report) = write(&document, &options(|own| own.yaw = yaw));
        assert_eq!(report.dropped_morphs, 0);
        let own = file.document().meshes().next().unwrap();
        let names = own.extras().as_ref().unwrap().get();
        assert!(names.contains(r#""targetNames":["smile","frown","all"]"#), "{names}");
        assert_eq!(own.primitives().len(), 2);
        let turned = |[x, y, z]: [f32; 3]| if yaw == 0.0 { [x, y, z] } else { [-x, y, -z] };
        let mut moved = 0;
        for primitive in own.primitives() {
            let positions = floats(&file, &primitive.get(&gltf::Semantic::Positions).unwrap());
            assert_eq!(primitive.morph_targets().count(), 3);
            for (target, own) in primitive.morph_targets().zip(deltas()) {
                let accessor = target.positions().unwrap();
                let offsets = floats(&file, &accessor);
                assert_eq!(offsets.len(), positions.len());
                let near = |one: [f32; 3], other: [f32; 3]| (0..3).all(|axis| (one[axis] - other[axis]).abs() < 1e-5);
                for (position, offset) in positions.iter().zip(&offsets) {
                    let point = (0..12).find(|point| near(turned(place(*point)), *position)).unwrap();
                    let last = own.iter().rev().find(|delta| {
                        delta.point == point as i32 && delta.position.iter().all(|value| value.is_finite())
                    });
                    // The y of morph targets is that of the exporter, opposite to the points; y up is z, and a unit a centimetre.
                    let [x, y, z] = last.map_or([0.0; 3], |delta| delta.position);
                    let expected = turned(mesh_offset([x, y, z]));
                    assert!(near(expected, *offset), "{point}: {expected:?} {offset:?}");
                    moved += usize::from(expected != [0.0; 3]);
                }
                // The accessor states the smallest and the largest component.
                let edge = |fold: fn(f32, f32) -> f32| {
                    (0..3).map(|axis| offsets.iter().map(|own| own[axis]).reduce(fold).unwrap()).collect::<Vec<f32>>()
                };
                let stated = |value| stated(value).into_iter().map(|value| value as f32).collect::<Vec<f32>>();
                assert_eq!((stated(accessor.min()), stated(accessor.max())), (edge(f32::min), edge(f32::max)));
            }
        }
        assert!(moved > 12, "{moved}");
    }
    let few = options(|own| own.morphs = false);
    assert_eq!(primitive(&write(&document, &few).0).morph_targets().count(), 0);
}

/// An offset of the file in the space of the output, in metres. Points of a PSK have y mirrored and offsets of morph targets do not (ActorX
/// reference, sections 3.11 and 5); x stays, z is up, and y of Unreal, to the right, is z of the output.
fn mesh_offset([x, y, z]: [f32; 3]) -> [f32; 3] {
    [x * 0.01, z * 0.01, y * 0.01]
}

#[test]
fn small_numbers_of_morph_targets_move_vertices_as_floats_do() {
    let bytes = morph_bytes();
    let asset = Asset::parse(&bytes).unwrap();
    let document = Document::of_mesh(&asset.mesh().unwrap());
    let plain = write(&document, &ExportOptions::default()).0;
    let small = write(&document, &options(|own| own.compact = true)).0;
    let half = half_edge(&plain);
    let offsets = |file: &File| -> Vec<[f32; 3]> {
        let own = file.document().meshes().next().unwrap();
        let targets = own
            .primitives()
            .flat_map(|own| own.morph_targets().map(|own| own.positions().unwrap()).collect::<Vec<_>>());
        targets.flat_map(|accessor| floats(file, &accessor)).collect()
    };
    let (plain, small) = (offsets(&plain), offsets(&small));
    assert_eq!(plain.len(), small.len());
    for (plain, small) in plain.iter().zip(&small) {
        // The node or the joints scale by half of the edge.
        (0..3).for_each(|axis| assert!((plain[axis] - small[axis] * half as f32).abs() < 1e-6));
    }
}

/// Half of the longest edge of a mesh at rest.
fn half_edge(file: &File) -> f64 {
    let corners = file.corners(None);
    let edge = |axis: usize| {
        let values = || corners.iter().map(|corner| corner[axis]);
        values().fold(f64::MIN, f64::max) - values().fold(f64::MAX, f64::min)
    };
    (0..3).map(edge).fold(0.0, f64::max) / 2.0
}

/// 65,534 steps over the longest edge: a position is moved by at most half a step along each axis.
#[test]
fn positions_in_16_bits_are_the_nearest_ones_in_a_cube_around_the_mesh() {
    for (scale, shift) in [(1.0, 0.0), (0.01, 500.0), (300.0, -7.0)] {
        let mut mesh = build::Mesh::sheet(30, 11, 1);
        (mesh.bones, mesh.weights) = (Vec::new(), Vec::new());
        for (index, point) in mesh.points.iter_mut().enumerate() {
            let t = index as f32;
            *point = [(t * 0.7).sin(), (t * 1.3).cos() * 0.4, (t * 2.1).sin() * 0.9].map(|value| value * scale + shift);
        }
        let bytes: Vec<u8> = mesh.chunks().into();
        let asset = Asset::parse(&bytes).unwrap();
        let document = Document::of_mesh(&asset.mesh().unwrap());
        let plain = write(&document, &ExportOptions::default()).0;
        let (small, report) = write(&document, &options(|own| own.compact = true));
        let half = half_edge(&plain);
        let step = half / 32767.0;
        // Floats of the positions themselves have 24 bits.
        let float = f64::from(shift.abs() + scale) * 0.01 * 2.0_f64.powi(-22);
        let away = apart(&plain.corners(None), &small.corners(None));
        assert!(away <= step / 2.0 + float && away > step / 3.0, "{away} of {step}");
        assert!(
            (f64::from(report.skin_error) - step / 2.0 * 3.0_f64.sqrt()).abs() < step * 1e-3,
            "{}",
            report.skin_error
        );
        // The longest axis uses all numbers.
        let accessor = primitive(&small).get(&gltf::Semantic::Positions).unwrap();
        let (min, max) = (stated(accessor.min()), stated(accessor.max()));
        let used: Vec<f64> = min.iter().zip(&max).map(|(min, max)| max - min).collect();
        assert!(used.iter().any(|used| *used >= 65_532.0), "{used:?}");
        assert!(shift != 0.0 || min.iter().zip(&max).all(|(min, max)| (min + max).abs() <= 2.0), "around the centre");
    }
    // Sizes that have no use in a float stay floats.
    for scale in [1e-15_f32, 1e20] {
        let mut mesh = build::Mesh::sheet(3, 3, 1);
        mesh.points.iter_mut().flatten().for_each(|value| *value *= scale);
        let bytes: Vec<u8> = mesh.chunks().into();
        let asset = Asset::parse(&bytes).unwrap();
        let (small, _) = write(&Document::of_mesh(&asset.mesh().unwrap()), &options(|own| own.compact = true));
        assert_eq!(small.document().extensions_used().count(), 0, "{scale}");
    }
}

/// The limits are those of the code: half the longest edge is more than 1e-12 and less than 1e12.
#[test]
fn small_numbers_end_where_the_size_has_no_use_in_a_float() {
    for (half, is_small) in
        [(1e-12_f32, false), (1e-12_f32.next_up(), true), (1e12_f32.next_down(), true), (1e12, false)]
    {
        let mut mesh = build::Mesh::sheet(2, 2, 1);
        mesh.points = vec![[-half, 0.0, 0.0], [half, 0.0, 0.0], [0.0, half, 0.0], [0.0, 0.0, half]];
        let bytes: Vec<u8> = mesh.chunks().into();
        let asset = Asset::parse(&bytes).unwrap();
        let compact = options(|own| (own.compact, own.metres) = (true, 1.0));
        let mut json = Vec::new();
        let document = Document::of_mesh(&asset.mesh().unwrap());
        document.write_gltf(&compact, &mut json, "a.bin", &mut Vec::new()).unwrap();
        let json: serde_json::Value = serde_json::from_slice(&json).unwrap();
        assert_eq!(json.get("extensionsUsed").is_some(), is_small, "{half:e}");
    }
}

#[test]
fn texture_coordinates_have_the_smallest_numbers_that_hold_them() {
    use gltf::accessor::DataType;
    for (change, data_type) in [(None, DataType::U16), (Some(-0.75), DataType::I16), (Some(1.5), DataType::F32)] {
        let mut mesh = build::Mesh::sheet(3, 3, 1);
        if let Some(u) = change {
            mesh.wedges[4].u = u;
        }
        let bytes: Vec<u8> = mesh.chunks().into();
        let asset = Asset::parse(&bytes).unwrap();
        let document = Document::of_mesh(&asset.mesh().unwrap());
        let coordinates = |compact: bool| {
            let file = write(&document, &options(|own| (own.compact, own.keep_unused) = (compact, true))).0;
            let primitive = primitive(&file);
            let accessor = primitive.get(&gltf::Semantic::TexCoords(0)).unwrap();
            let view = accessor.view().unwrap();
            let component = |at: usize| match accessor.data_type() {
                DataType::F32 => f32::from_le_bytes(file.binary()[at..at + 4].try_into().unwrap()),
                DataType::U16 => f32::from(u16::from_le_bytes(file.binary()[at..at + 2].try_into().unwrap())) / 65535.0,
                _ => f32::from(i16::from_le_bytes(file.binary()[at..at + 2].try_into().unwrap())) / 32767.0,
            };
            let size = accessor.size() / 2;
            let place = |index: usize| view.offset() + accessor.offset() + index * view.stride().unwrap();
            let all: Vec<f32> =
                (0..accessor.count()).flat_map(|index| [place(index), place(index) + size].map(component)).collect();
            (accessor.data_type(), all)
        };
        let ((_, plain), (found, small)) = (coordinates(false), coordinates(true));
        assert_eq!(found, data_type);
        assert!(plain.iter().zip(&small).all(|(plain, small)| (plain - small).abs() < 2e-5), "{plain:?} {small:?}");
    }
}

#[test]
fn the_axis_that_points_up_in_the_file_points_up_in_the_output() {
    let mut sheet = build::Mesh::sheet(3, 3, 1);
    sheet.points[4] = [100.0, 200.0, 400.0];
    let actorx: Vec<u8> = sheet.chunks().into();
    let mut pmd = Pmd::grid(3, 2, 4, 1);
    pmd.version = 4;
    let pyrogenesis = pmd.build().bytes;
    for bytes in [actorx, pyrogenesis] {
        let asset = Asset::parse(&bytes).unwrap();
        let document = Document::of_mesh(&asset.mesh().unwrap());
        let stored = asset.mesh().unwrap().with_metres(0.01);
        let scale = stored.space().metres().unwrap_or(1.0);
        let largest = |values: Vec<f64>| values.into_iter().fold(f64::MIN, f64::max);
        for (index, axis) in [Axis::X, Axis::Y, Axis::Z].into_iter().enumerate() {
            for is_negative in [false, true] {
                let file = write(&document, &options(|own| own.up = Some((axis, is_negative)))).0;
                let sign = if is_negative { -1.0 } else { 1.0 };
                let used =
                    |point: usize| (0..stored.vertex_count()).any(|vertex| stored.point_of(vertex) == Some(point));
                let along = |point: usize| f64::from(stored.position(point).unwrap()[index]) * f64::from(scale) * sign;
                let expected = largest((0..stored.point_count()).filter(|point| used(*point)).map(along).collect());
                let found = largest(file.corners(None).iter().map(|corner| corner[1]).collect());
                assert!((expected - found).abs() < 1e-4, "{axis:?} {is_negative}: {expected} {found}");
            }
        }
        // Whole turns change nothing.
        let [once, more, less] = [90.0, 90.0 + 720.0, 90.0 - 360.0]
            .map(|yaw| write(&document, &options(|own| own.yaw = yaw)).0.corners(None));
        assert!(apart(&once, &more) < 1e-5 && apart(&once, &less) < 1e-5);
        let usual = write(&document, &ExportOptions::default()).0.corners(None);
        let endless = write(&document, &options(|own| own.yaw = f32::NAN)).0.corners(None);
        assert!(apart(&usual, &endless) == 0.0);
    }
}

#[test]
fn options_in_json_are_the_options_of_the_program() {
    let read = |text: &str| serde_json::from_str::<ExportOptions>(text);
    assert_eq!(read("{}").unwrap(), ExportOptions::default());
    let usual = ExportOptions::default();
    assert_eq!((usual.uv_sets, usual.metres, usual.yaw), (8, 0.01, 0.0));
    assert!((usual.tolerance * 18_000.0 - 1.0).abs() < 1e-6);
    assert_eq!(read(r#"{"yaw": 12.5}"#).unwrap().yaw, 12.5);
    for (text, expected) in [("32", Some(32)), ("256", Some(256)), ("null", None)] {
        assert_eq!(read(&format!(r#"{{"max_joints": {text}}}"#)).unwrap().max_joints, expected);
    }
    assert!(read(r#"{"max_joints": 31}"#).is_err() && read(r#"{"influences": 5}"#).is_err());
    assert_eq!(read(r#"{"influences": 4}"#).unwrap().influences, InfluenceCount::Four);
    for metres in [0.01, 2.5] {
        assert_eq!(read(&format!(r#"{{"metres": {metres}}}"#)).unwrap().metres, metres);
    }
    assert!(read(r#"{"metres": -1.0}"#).is_err());
    assert!(read(r#"{"metres": 0.0}"#).is_err() && read(r#"{"up": "w"}"#).is_err());
    for (text, axis, is_negative) in [("x", Axis::X, false), ("-z", Axis::Z, true), ("y", Axis::Y, false)] {
        let options = read(&format!(r#"{{"up": "{text}", "influences": 8}}"#)).unwrap();
        assert_eq!((options.up, options.influences), (Some((axis, is_negative)), InfluenceCount::Eight));
        let json = serde_json::to_value(&options).unwrap();
        assert_eq!((&json["up"], &json["influences"]), (&text.into(), &8.into()));
    }
    assert_eq!(serde_json::to_value(&usual).unwrap()["influences"], 4);
}

#[test]
fn an_obj_shows_frames_that_exist_with_the_requested_influences() {
    // Six bones pull at each point.
    let mut sheet = build::Mesh::sheet(3, 3, 6);
    sheet.weights.clear();
    for point in 0..9 {
        sheet.weights.extend((0..6).map(|bone| Weight { weight: 1.0 / 6.0 + 0.01 * bone as f32, point, bone }));
    }
    let anim = Anim::sway(chain(6), &[("sway", 5, 10.0)]);
    let (mesh, animation): (Vec<u8>, Vec<u8>) = (sheet.chunks().into(), anim.chunks().into());
    let (mesh, animation) = (Asset::parse(&mesh).unwrap(), Asset::parse(&animation).unwrap());
    let mesh = mesh.mesh().unwrap();
    let mut document = Document::of_mesh(&mesh);
    document.animations = animation.clips().map(|clip| Animation::new(&clip, Binding::new(&mesh, &clip))).collect();
    let obj = |influences: InfluenceCount, pose: Option<(usize, f64)>| {
        let mut out = Vec::new();
        document.write_obj(&options(|own| own.influences = influences), pose, None, &mut out).map(|_| out)
    };
    let glb = |influences: InfluenceCount, seconds: f64| {
        let file = write(&document, &options(|own| own.influences = influences)).0;
        (file.corners(Some((0, seconds))), file)
    };
    for (frame, seconds) in [(0.0, 0.0), (2.0, 0.2), (4.0, 0.4)] {
        let text = String::from_utf8(obj(InfluenceCount::Four, Some((0, frame))).unwrap()).unwrap();
        let points: Vec<[f64; 3]> = text
            .lines()
            .filter_map(|line| line.strip_prefix("v "))
            .map(|line| {
                let all: Vec<f64> = line.split(' ').map(|value| value.parse().unwrap()).collect();
                [all[0], all[1], all[2]]
            })
            .collect();
        let corners: Vec<[f64; 3]> = text
            .lines()
            .filter_map(|line| line.strip_prefix("f "))
            .flat_map(|line| {
                line.split(' ')
                    .map(|corner| points[corner.split('/').next().unwrap().parse::<usize>().unwrap() - 1])
                    .collect::<Vec<_>>()
            })
            .collect();
        assert!(apart(&corners, &glb(InfluenceCount::Four, seconds).0) < 1e-5);
    }
    assert!(obj(InfluenceCount::Four, Some((0, 2.0))).unwrap() != obj(InfluenceCount::Eight, Some((0, 2.0))).unwrap());
    for pose in [(0, 4.5), (0, -0.5), (0, f64::NAN), (1, 0.0)] {
        let refused = obj(InfluenceCount::Four, Some(pose));
        assert!(matches!(refused, Err(WriteError::NoFrame { .. })), "{pose:?}");
    }
}

/// The fewest keys between which straight lines are within a distance of all values, each as far as it goes.
fn fewest(values: &[[f64; 2]], within: f64) -> usize {
    let (mut from, mut count) = (0, 1);
    while from + 1 < values.len() {
        let fits = |to: usize| {
            (from + 1..to).all(|at| {
                let part = (at - from) as f64 / (to - from) as f64;
                let away = [0, 1]
                    .map(|axis| values[from][axis] + (values[to][axis] - values[from][axis]) * part - values[at][axis]);
                away[0].hypot(away[1]) <= within
            })
        };
        from = (from + 1..values.len()).rev().find(|to| fits(*to)).unwrap();
        count += 1;
    }
    count
}

/// A bone that slides along x, and turns about z: what is left of its keys, and where it is in each frame.
#[test]
fn compact_files_have_few_keys_and_what_is_between_is_near() {
    let frames = 200;
    let slide = |frame: usize, kind: usize| -> f64 {
        let t = frame as f64;
        match kind {
            0 => t * 0.5,
            1 => (t - 70.0).abs() * 0.3,
            2 => (t * 0.05).sin() * 20.0,
            _ => 10.0 * (t * 0.02).sin() + 4.0 * (t * 0.11).cos(),
        }
    };
    for kind in 0..4 {
        for (does_turn, tolerance) in [(false, 1.0 / 18_000.0), (false, 1e-3), (true, 1e-3), (true, 1.0 / 18_000.0)] {
            let mesh = build::Mesh::sheet(8, 8, 1);
            let mut anim = Anim { bones: mesh.bones.clone(), ..Anim::default() };
            anim.infos.push(Info::new("move", 1, 0, frames as i32, 30.0));
            for frame in 0..frames {
                let half = if does_turn { (slide(frame, kind) * 0.04) as f32 / 2.0 } else { 0.0 };
                let rotation = [0.0, 0.0, half.sin(), half.cos()];
                let x = if does_turn { 0.0 } else { slide(frame, kind) as f32 };
                anim.keys.push(Key { position: [x, 0.0, 5.0], rotation, time: 1.0 });
            }
            let (mesh, animation): (Vec<u8>, Vec<u8>) = (mesh.chunks().into(), anim.chunks().into());
            let (mesh, animation) = (Asset::parse(&mesh).unwrap(), Asset::parse(&animation).unwrap());
            let mesh = mesh.mesh().unwrap();
            let mut document = Document::of_mesh(&mesh);
            document.animations =
                animation.clips().map(|clip| Animation::new(&clip, Binding::new(&mesh, &clip))).collect();
            let plain = write(&document, &ExportOptions::default()).0;
            let (small, report) = write(&document, &options(|own| (own.compact, own.tolerance) = (true, tolerance)));
            let size = half_edge(&plain) * 2.0;
            let within = size * f64::from(tolerance);
            let said = f64::from(report.skin_error);
            let mut most = 0.0_f64;
            for frame in 0..frames {
                let pose = Some((0, frame as f64 / 30.0));
                most = most.max(apart(&plain.corners(pose), &small.corners(pose)));
            }
            assert!(most <= said + size * 2e-5 && said <= within * 1.0001, "{kind}: {most} {said} {within}");
            let property =
                if does_turn { gltf::animation::Property::Rotation } else { gltf::animation::Property::Translation };
            let found = keys(&small, "Bone_0000", property);
            assert_eq!((found[0].round(), found[found.len() - 1].round()), (0.0, (frames - 1) as f64));
            // Vertices slide as the bone does, in metres. Programs that mix the components of a quaternion are half an angle away, and the farthest
            // corner of the box of the vertices is less than this away from the bone.
            let corner = [size, size, half_edge(&plain) + 0.05].iter().map(|edge| edge * edge).sum::<f64>().sqrt();
            let value = |frame: usize| {
                let half = slide(frame, kind) * 0.02;
                if does_turn { [half.sin(), half.cos()] } else { [slide(frame, kind) * 0.01, 0.0] }
            };
            let values: Vec<[f64; 2]> = (0..frames).map(value).collect();
            // On the sphere, rotations are nearer than on a line: the tolerance of the components may grow to 16 times the first one.
            // A choice of keys for a part of the tolerance is enough: a cube and 16 bits of rotations round too.
            let unit = if does_turn { corner * 2.0 } else { 1.0 };
            let enough = fewest(&values, within / unit * 0.4) + 2;
            // Times of their own take room too: from about three quarters on, all keys are smaller.
            let enough = if enough * 10 > frames * 7 { frames } else { enough };
            let least = fewest(&values, within / unit * if does_turn { 10.0 } else { 1.01 });
            assert!(
                found.len() <= enough && found.len() >= least,
                "{kind} {does_turn}: {} of {least} to {enough}",
                found.len()
            );
        }
    }
}

/// A mesh of two bones, and an animation of a base of one frame and of differences with these translations, two for each frame.
fn base_and_delta(differences: &[[f32; 3]]) -> [Vec<u8>; 2] {
    let mut sheet = build::Mesh::sheet(3, 3, 2);
    sheet.bones = chain(2);
    let mut anim = Anim { bones: chain(2), ..Anim::default() };
    let frames = i32::try_from(differences.len() / 2).unwrap();
    anim.infos = vec![Info::new("Base", 2, 0, 1, 30.0), Info::new("Delta", 2, 1, frames, 30.0)];
    let places = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]].iter().chain(differences);
    anim.keys = places.map(|place| Key { position: *place, rotation: [0.0, 0.0, 0.0, 1.0], time: 1.0 }).collect();
    [sheet.chunks().into(), anim.chunks().into()]
}

/// Translations of an additive clip are below a thousandth of those of the bind pose, 5 here.
#[test]
fn translations_of_an_additive_clip_are_added_to_those_of_the_base() {
    let [mesh, animation] = base_and_delta(&[[0.0; 3], [0.002, 0.003, 0.001]]);
    let (mesh, animation) = (Asset::parse(&mesh).unwrap(), Asset::parse(&animation).unwrap());
    let mesh = mesh.mesh().unwrap();
    let mut document = Document::of_mesh(&mesh);
    document.animations = animation.clips().map(|clip| Animation::new(&clip, Binding::new(&mesh, &clip))).collect();
    document.additive_base = Some(document.animations.remove(0));
    let (file, report) = write(&document, &options(|own| (own.additive, own.metres) = (Additive::Local, 1.0)));
    assert_eq!(report.additive_clips, 1);
    let places = file.places(Some((0, 0.0)));
    let [root, place] =
        ["Bone_0000", "Bone_0001"].map(|bone| places.iter().find(|(name, _)| name == bone).unwrap().1[3]);
    // x stays, z is up, and y to the back is z, with the other sign.
    for (axis, expected) in [4.002, 6.001, 5.003].into_iter().enumerate() {
        assert!(((place[axis] - root[axis]).abs() - expected).abs() < 1e-5, "{place:?}");
    }
}

/// A clip that is added to a base does not move its bones to other places.
#[test]
fn bones_of_an_additive_clip_are_where_the_base_has_them() {
    // The first frame of an additive clip changes nothing.
    let [mesh, animation] = base_and_delta(&[[0.0; 3]; 4]);
    let (mesh, animation) = (Asset::parse(&mesh).unwrap(), Asset::parse(&animation).unwrap());
    let mesh = mesh.mesh().unwrap();
    let mut document = Document::of_mesh(&mesh);
    document.animations = animation.clips().map(|clip| Animation::new(&clip, Binding::new(&mesh, &clip))).collect();
    document.additive_base = Some(document.animations.remove(0));
    let (file, report) = write(&document, &options(|own| own.additive = Additive::Local));
    assert!(report.additive_clips > 0, "the clip is additive: {report:?}");
    let place = |frame: f64| {
        let places = file.places(Some((0, frame / 30.0)));
        let (_, place) = places.into_iter().find(|(name, _)| name == "Bone_0001").unwrap();
        place[3]
    };
    // x stays, y of the file is z of the output, its z is up; in metres.
    let expected = |[x, y, z]: [f64; 3]| [x * 0.01, z * 0.01, y * 0.01];
    for (frame, sum) in [(0.0, [5.0, 7.0, 9.0]), (1.0, [5.0, 7.0, 9.0])] {
        let (found, expected) = (place(frame), expected(sum));
        for axis in 0..3 {
            assert!((found[axis].abs() - expected[axis].abs()).abs() < 1e-6, "{found:?} {expected:?}");
        }
    }
}

/// A half turn is as near to none with one sign as with the other, whichever the file has of the key before.
#[test]
fn of_two_signs_that_are_as_near_the_file_has_the_choice() {
    for first in [1.0, -1.0] {
        for second in [1.0, -1.0] {
            let mut anim = Anim { bones: chain(1), ..Anim::default() };
            anim.infos.push(Info::new("turn", 1, 0, 2, 30.0));
            for rotation in [[0.0, 0.0, 0.0, first], [second, 0.0, 0.0, 0.0]] {
                anim.keys.push(Key { position: [0.0, 0.0, 5.0], rotation, time: 1.0 });
            }
            document!(document, build::Mesh::sheet(3, 3, 1).chunks().into(), anim.chunks().into());
            let found = rotations(&write(&document, &ExportOptions::default()).0, "Bone_0000");
            assert_eq!(found, [[0.0, 0.0, 0.0, 1.0], [second, 0.0, 0.0, 0.0]], "{first}");
        }
    }
}

/// What is stored with the other sign throughout is turned throughout: the bind pose has the sign that is kept.
#[test]
fn rotations_have_the_sign_of_the_bind_pose_for_as_long_as_they_turn_little() {
    for sign in [1.0, -1.0] {
        let turns: Vec<[f32; 4]> =
            (0..6).map(|frame| (0.2 * frame as f32).sin_cos()).map(|(sin, cos)| [sin, 0.0, 0.0, cos]).collect();
        let mut anim = Anim { bones: chain(1), ..Anim::default() };
        anim.infos.push(Info::new("turn", 1, 0, 6, 30.0));
        let key =
            |turn: &[f32; 4]| Key { position: [0.0, 0.0, 5.0], rotation: turn.map(|part| part * sign), time: 1.0 };
        anim.keys = turns.iter().map(key).collect();
        document!(document, build::Mesh::sheet(3, 3, 1).chunks().into(), anim.chunks().into());
        let found = rotations(&write(&document, &ExportOptions::default()).0, "Bone_0000");
        let near = |(one, other): (&[f32; 4], &[f32; 4])| (0..4).all(|part| (one[part] - other[part]).abs() < 1e-6);
        assert!(found.len() == 6 && found.iter().zip(&turns).all(near), "{sign}: {found:?}");
    }
}

#[test]
fn a_rate_whose_times_do_not_ascend_counts_as_none() {
    for (rate, is_usable) in [
        (30.0, true),
        (0.5, true),
        (0.0, false),
        (-30.0, false),
        (f32::NAN, false),
        (f32::INFINITY, false),
        (1e-40, false),
        (1e-38, true),
    ] {
        let mesh = build::Mesh::sheet(3, 3, 1);
        let anim = Anim::sway(mesh.bones.clone(), &[("sway", 3, rate)]);
        let (mesh, animation): (Vec<u8>, Vec<u8>) = (mesh.chunks().into(), anim.chunks().into());
        let (mesh, animation) = (Asset::parse(&mesh).unwrap(), Asset::parse(&animation).unwrap());
        let mesh = mesh.mesh().unwrap();
        let mut document = Document::of_mesh(&mesh);
        document.animations = animation.clips().map(|clip| Animation::new(&clip, Binding::new(&mesh, &clip))).collect();
        let (file, report) = write(&document, &ExportOptions::default());
        assert_eq!(report.clips_without_rate, usize::from(!is_usable), "{rate}");
        let own = file.document().animations().next().unwrap();
        let channel = own.channels().next().unwrap();
        let times: Vec<f32> = channel.reader(|_| Some(file.binary())).read_inputs().unwrap().collect();
        let expected = if is_usable { 2.0 / rate } else { 2.0 / 30.0 };
        assert!((times[times.len() - 1] - expected).abs() < expected * 1e-5, "{rate}: {times:?}");
    }
}

#[test]
fn more_than_65535_vertices_have_indices_of_32_bits() {
    for (columns, rows, data_type) in
        [(255, 257, gltf::accessor::DataType::U16), (256, 256, gltf::accessor::DataType::U32)]
    {
        let mut sheet = build::Mesh::sheet(columns, rows, 1);
        sheet.faces.push(Face::new([0, 1, columns * rows - 1], 0));
        let bytes: Vec<u8> = sheet.chunks().into();
        let asset = Asset::parse(&bytes).unwrap();
        let file = write(&Document::of_mesh(&asset.mesh().unwrap()), &ExportOptions::default()).0;
        let primitive = primitive(&file);
        let indices = primitive.indices().unwrap();
        assert_eq!(indices.data_type(), data_type);
        let all: Vec<u32> = primitive.reader(|_| Some(file.binary())).read_indices().unwrap().into_u32().collect();
        assert_eq!(all.iter().max(), Some(&(columns * rows - 1)));
        assert_eq!(all.len(), sheet.faces.len() * 3);
    }
    let bytes = good("fox.psk");
    let asset = Asset::parse(&bytes).unwrap();
    assert_eq!(write(&Document::of_mesh(&asset.mesh().unwrap()), &ExportOptions::default()).1.dropped_triangles, 0);
}

/// A weight below half a step of 16 bits is written as 0, and its joint too.
#[test]
fn a_joint_whose_weight_rounds_to_0_is_none() {
    let mut sheet = build::Mesh::sheet(3, 3, 3);
    sheet.weights.clear();
    for point in 0..9 {
        sheet.weights.extend([Weight { weight: 1.0, point, bone: 1 }, Weight { weight: 1e-6, point, bone: 2 }]);
    }
    let bytes: Vec<u8> = sheet.chunks().into();
    let asset = Asset::parse(&bytes).unwrap();
    let document = Document::of_mesh(&asset.mesh().unwrap());
    for (compact, second) in [(false, 2), (true, 0)] {
        let file = write(&document, &options(|own| own.compact = compact)).0;
        let primitive = primitive(&file);
        let joints: Vec<_> = primitive.reader(|_| Some(file.binary())).read_joints(0).unwrap().into_u16().collect();
        assert_eq!(joints, [[1, second, 0, 0]; 9]);
    }
}
