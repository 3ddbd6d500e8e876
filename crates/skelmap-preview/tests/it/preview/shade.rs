//! Light, depth and lines, against formulas: what each pixel should be.

use skelmap::Asset;
use skelmap::model::{Binding, Space, Wrap};
use skelmap_preview::{Camera, Figure, Picture, Renderer};

use super::good;
use test_support::actorx::build::{Anim, Bone, Face, Info, Key, Material, Mesh, Wedge};
use test_support::pyrogenesis::build::{Psa, State};
use test_support::swat3::build::{Frame, Gsa, Layout, biped};

const SIZE: u32 = 128;

/// A plate of two triangles before the eye, tilted: about the axis to the right (`up`) and then about the vertical one (`aside`), in degrees.
/// ActorX axes: x to the right, z up and -y towards the eye.
fn plate(up: f64, aside: f64) -> Mesh {
    let mut mesh = Mesh { materials: vec![Material::new("a", 0)], ..Mesh::default() };
    mesh.points =
        [[-4.0, 4.0], [4.0, 4.0], [-4.0, -4.0], [4.0, -4.0]].map(|[x, z]| tilted([x, 0.0, z], up, aside)).to_vec();
    mesh.wedges = (0..4).map(|point| Wedge::new(point, [0.0; 2], 0)).collect();
    mesh.faces = vec![Face::new([0, 1, 2], 0), Face::new([1, 3, 2], 0)];
    mesh
}

fn tilted([x, y, z]: [f64; 3], up: f64, aside: f64) -> [f32; 3] {
    let ((sin, cos), (turn, straight)) = (up.to_radians().sin_cos(), aside.to_radians().sin_cos());
    let (y, z) = (y * cos - z * sin, y * sin + z * cos);
    [x * straight - y * turn, x * turn + y * straight, z].map(|value| value as f32)
}

fn figure(mesh: &Mesh) -> Figure {
    let bytes = mesh.chunks().build().bytes;
    Figure::of_mesh(&Asset::parse(&bytes).unwrap().mesh().unwrap()).unwrap()
}

/// Seen from the front, or from a number of degrees around.
fn draw(figure: &Figure, around: f32) -> Picture {
    Renderer::new(SIZE, SIZE).draw(figure, &Camera::turned([figure], around, 0.0))
}

fn pixel(picture: &Picture, x: usize, y: usize) -> [f64; 3] {
    let pixel = &picture.rgba()[(y * SIZE as usize + x) * 4..][..4];
    assert_eq!(pixel[3], 255);
    [0, 1, 2].map(|channel| f64::from(pixel[channel]))
}

/// The lamp is at the left, above and before the model; a third of the light is everywhere.
const LAMP: [f64; 3] = [-0.38, 0.62, 0.69];
const COLOR: [f64; 3] = [201.0, 206.0, 214.0];

fn lit([x, y, z]: [f64; 3]) -> f64 {
    let (side, share) = if z < 0.0 { (-1.0, 0.8) } else { (1.0, 1.0) };
    let cosine: f64 = side * (x * LAMP[0] + y * LAMP[1] + z * LAMP[2]);
    (0.34 + 0.66 * cosine.max(0.0)) * share
}

/// To the right, up and towards the eye.
fn normal(up: f64, aside: f64) -> [f64; 3] {
    let [x, y, z] = tilted([0.0, -1.0, 0.0], up, aside).map(f64::from);
    [x, z, -y]
}

#[test]
fn a_plate_is_as_bright_as_its_normal_faces_the_lamp() {
    let mut brightest = (0.0, (0.0, 0.0));
    for up in [-60.0, -30.0, 0.0, 20.0, 42.0, 65.0] {
        for aside in [-60.0, -29.0, 0.0, 25.0, 50.0] {
            let picture = draw(&figure(&plate(up, aside)), 0.0);
            let found = pixel(&picture, 64, 64);
            let expected = COLOR.map(|own| own * lit(normal(up, aside)));
            let away = (0..3).map(|channel| (found[channel] - expected[channel]).abs()).fold(0.0, f64::max);
            assert!(away < 2.5, "{up} {aside}: {found:?} {expected:?}");
            if found[0] > brightest.0 {
                brightest = (found[0], (up, aside));
            }
        }
    }
    let (_, (up, aside)) = brightest;
    let [x, y, _] = normal(up, aside);
    assert!(x < 0.0 && y > 0.0, "from the left and from above: {up} {aside}");
}

#[test]
fn the_back_of_a_plate_is_lit_as_its_front_and_darker() {
    for (up, aside) in [(0.0, 0.0), (30.0, 20.0), (-20.0, -40.0)] {
        let figure = figure(&plate(up, aside));
        let found = pixel(&draw(&figure, 180.0), 64, 64);
        // The eye is behind: right and towards it change sides.
        let [x, y, z] = normal(up, aside);
        let expected = COLOR.map(|own| own * lit([-x, y, -z]));
        assert!((0..3).all(|channel| (found[channel] - expected[channel]).abs() < 2.5), "{found:?} {expected:?}");
    }
}

/// A roof whose two sides share the normals of their ridge: light changes evenly between the ridge and the eaves.
#[test]
fn light_changes_evenly_between_the_corners_of_a_triangle() {
    let mut mesh = Mesh { materials: vec![Material::new("a", 0)], ..Mesh::default() };
    // The ridge is vertical, nearer to the eye than the eaves.
    mesh.points = vec![
        [0.0, -3.0, 4.0],
        [0.0, -3.0, -4.0],
        [-4.0, 0.0, 4.0],
        [-4.0, 0.0, -4.0],
        [4.0, 0.0, 4.0],
        [4.0, 0.0, -4.0],
    ];
    mesh.wedges = (0..6).map(|point| Wedge::new(point, [0.0; 2], 0)).collect();
    mesh.faces =
        vec![Face::new([2, 0, 3], 0), Face::new([0, 1, 3], 0), Face::new([0, 4, 1], 0), Face::new([4, 5, 1], 0)];
    let picture = draw(&figure(&mesh), 0.0);
    // The normals of both sides, and sums of them by the number of faces: the upper end of the ridge has two faces of the left side.
    let length = (3.0_f64 * 3.0 + 16.0).sqrt();
    let (left, right) = ([-3.0 / length, 0.0, 4.0 / length], [3.0 / length, 0.0, 4.0 / length]);
    let sum = |one: f64, other: f64| {
        let sum = [0, 1, 2].map(|axis| left[axis] * one + right[axis] * other);
        let length = sum.iter().map(|value| value * value).sum::<f64>().sqrt();
        sum.map(|value| value / length)
    };
    let lights = [sum(2.0, 1.0), sum(1.0, 2.0), left, left, right, right].map(lit);
    // The box is 8 wide and fills 92 % of the picture.
    let scale = 0.92 * f64::from(SIZE) / 8.0;
    let places = [[0.0, 4.0], [0.0, -4.0], [-4.0, 4.0], [-4.0, -4.0], [4.0, 4.0], [4.0, -4.0]];
    let mut compared = 0;
    for (column, row) in (12..116).step_by(3).flat_map(|column| (12..116).step_by(7).map(move |row| (column, row))) {
        // The middle of a pixel.
        let at = [(column as f64 + 0.5 - 64.0) / scale, (64.0 - row as f64 - 0.5) / scale];
        let inside = mesh.faces.iter().find_map(|face| {
            let [a, b, c] = face.wedges.map(|corner| corner as usize);
            let of = |one: [f64; 2], other: [f64; 2], third: [f64; 2]| {
                (other[0] - one[0]) * (third[1] - one[1]) - (other[1] - one[1]) * (third[0] - one[0])
            };
            let area = of(places[a], places[b], places[c]);
            let parts = [of(at, places[b], places[c]), of(places[a], at, places[c]), of(places[a], places[b], at)]
                .map(|part| part / area);
            // Not at an edge, where two triangles share a pixel.
            parts
                .iter()
                .all(|part| *part > 0.05)
                .then(|| parts[0] * lights[a] + parts[1] * lights[b] + parts[2] * lights[c])
        });
        let Some(light) = inside else { continue };
        let (found, expected) = (pixel(&picture, column, row), COLOR.map(|own| own * light));
        assert!(
            (0..3).all(|channel| (found[channel] - expected[channel]).abs() < 2.5),
            "{at:?}: {found:?} {expected:?}"
        );
        compared += 1;
    }
    assert!(compared > 200, "{compared}");
}

/// Two plates cross in a vertical line: each is before the other on one side of it, whichever is drawn first.
#[test]
fn of_two_plates_that_cross_the_nearer_part_is_seen() {
    for is_swapped in [false, true] {
        let mut mesh = Mesh { materials: vec![Material::new("a", 0), Material::new("b", 1)], ..Mesh::default() };
        for (index, lean) in [1.0, -1.0].into_iter().enumerate() {
            let material = u8::from((index == 1) != is_swapped);
            let first = mesh.points.len() as u32;
            // Nearer at the right, or at the left.
            mesh.points.extend(
                [[-4.0, 4.0], [4.0, 4.0], [-4.0, -4.0], [4.0, -4.0]].map(|[x, z]| [x, -lean * (x - 1.0) * 0.5, z]),
            );
            mesh.wedges.extend((0..4).map(|point| Wedge::new(first + point, [0.0; 2], material)));
            mesh.faces.extend(
                [[0, 1, 2], [1, 3, 2]].map(|corners| Face::new(corners.map(|corner| first + corner), material)),
            );
        }
        let picture = draw(&figure(&mesh), 0.0);
        let scale = 0.92 * f64::from(SIZE) / 8.0;
        // Material a is bluish grey, b yellow.
        let is_yellow = |x: f64| {
            let [red, _, blue] = pixel(&picture, (64.0 + x * scale) as usize, 64);
            red > blue
        };
        // The plate that leans to the right is nearer at the right of the line.
        for (x, right) in [(-3.5, false), (0.0, false), (0.6, false), (1.4, true), (2.0, true), (3.5, true)] {
            assert_eq!(is_yellow(x), right == is_swapped, "{x} {is_swapped}");
        }
    }
}

/// Every pixel whose centre is nearer to a bone than half of a line is covered, and no pixel that is farther away than the whole of one.
#[test]
fn bones_are_lines_from_parents_to_children() {
    let bones = [
        ("root", 0, [0.0, 0.0, 0.0]),
        ("spine", 0, [0.0, 0.0, 40.0]),
        ("arm", 1, [30.0, 5.0, 10.0]),
        ("leg", 0, [-10.0, 0.0, -35.0]),
    ];
    let mut anim = Anim {
        bones: bones.map(|(name, parent, at)| Bone::new(name, parent, at, [0.0, 0.0, 0.0, 1.0])).to_vec(),
        ..Anim::default()
    };
    anim.infos = vec![Info::new("stand", 4, 0, 1, 30.0)];
    anim.keys = bones.map(|(_, _, position)| Key { position, rotation: [0.0, 0.0, 0.0, 1.0], time: 1.0 }).to_vec();
    let bytes: Vec<u8> = anim.chunks().into();
    let asset = Asset::parse(&bytes).unwrap();
    let figure = Figure::of_clip(&asset.clips().next().unwrap(), 0.0).unwrap();
    assert_eq!((figure.point_count(), figure.triangle_count()), (6, 0), "three bones have a parent");
    let picture = Renderer::new(SIZE, SIZE).draw(&figure, &Camera::turned([&figure], 0.0, 0.0));
    // To the right and up, seen from the front.
    let world = [[0.0, 0.0], [0.0, 40.0], [30.0, 50.0], [-10.0, -35.0]];
    let scale = 0.92 * f64::from(SIZE) / 85.0;
    let place = |[x, z]: [f64; 2]| [64.0 + (x - 10.0) * scale, 64.0 - (z - 7.5) * scale];
    let segments = [(0, 1), (1, 2), (0, 3)].map(|(from, to)| (place(world[from]), place(world[to])));
    let distance = |[px, py]: [f64; 2]| {
        let to_segment = |([ax, ay], [bx, by]): ([f64; 2], [f64; 2])| {
            let (dx, dy) = (bx - ax, by - ay);
            let part = (((px - ax) * dx + (py - ay) * dy) / (dx * dx + dy * dy)).clamp(0.0, 1.0);
            (px - ax - dx * part).hypot(py - ay - dy * part)
        };
        segments.map(to_segment).into_iter().fold(f64::INFINITY, f64::min)
    };
    let mut covered = 0;
    for (index, pixel) in picture.rgba().chunks_exact(4).enumerate() {
        let away = distance([(index % SIZE as usize) as f64 + 0.5, (index / SIZE as usize) as f64 + 0.5]);
        assert!(away > 0.35 || pixel[3] > 200, "{index}: {away} {pixel:?}");
        // Ends are square.
        assert!(away < 1.7 || pixel[3] == 0, "{index}: {away} {pixel:?}");
        if pixel[3] > 0 {
            assert!(pixel[0] > pixel[1] && pixel[1] > pixel[2], "orange: {pixel:?}");
            covered += 1;
        }
    }
    assert!(covered > 100);
}

/// The light of a normal that points to the side is that of the front: a plate whose normals its file has.
#[test]
fn a_normal_to_the_side_is_of_the_front() {
    let mesh = plate(0.0, 0.0);
    // To the left of the picture; y of normals of the file is as of points.
    let bytes = mesh.chunks().records("VTXNORMS", &[[-1.0_f32, 0.0, 0.0]; 4]).build().bytes;
    let figure = Figure::of_mesh(&Asset::parse(&bytes).unwrap().mesh().unwrap()).unwrap();
    let found = pixel(&draw(&figure, 0.0), 64, 64);
    let expected = COLOR.map(|own| own * lit([-1.0, 0.0, 0.0]));
    assert!((0..3).all(|channel| (found[channel] - expected[channel]).abs() < 2.5), "{found:?} {expected:?}");
}

/// Each sample within 1.6 samples of the bone, along it and across, is covered, and no other: a rectangle in any direction.
#[test]
fn a_bone_is_a_rectangle_of_samples() {
    const EDGE: usize = 32;
    for end in [[30.0, 0.0, 10.0], [-7.0, 0.0, 20.0], [0.0, 0.0, 25.0], [25.0, 0.0, 0.0]] {
        let bones = [("root", 0, [0.0; 3]), ("tip", 0, end)];
        let mut anim = Anim {
            bones: bones.map(|(name, parent, at)| Bone::new(name, parent, at, [0.0, 0.0, 0.0, 1.0])).to_vec(),
            ..Anim::default()
        };
        anim.infos = vec![Info::new("stand", 2, 0, 1, 30.0)];
        anim.keys = bones.map(|(_, _, position)| Key { position, rotation: [0.0, 0.0, 0.0, 1.0], time: 1.0 }).to_vec();
        let bytes: Vec<u8> = anim.chunks().into();
        let asset = Asset::parse(&bytes).unwrap();
        let figure = Figure::of_clip(&asset.clips().next().unwrap(), 0.0).unwrap();
        let camera = Camera::turned([&figure], 0.0, 0.0);
        let picture = Renderer::new(EDGE as u32, EDGE as u32).draw(&figure, &camera);
        // Samples from the middle, to the right and up; the longer edge fills 92 % of two samples for each pixel.
        let [x, _, z] = end.map(f64::from);
        let scale = 0.92 * 2.0 * EDGE as f64 / x.abs().max(z.abs());
        let half = x.hypot(z) * scale / 2.0;
        let (along_x, along_z) = (x / x.hypot(z), z / x.hypot(z));
        let is_covered = |column: usize, row: usize| {
            let (right, up) = (column as f64 + 0.5 - EDGE as f64, EDGE as f64 - row as f64 - 0.5);
            let (along, across) = (right * along_x + up * along_z, right * along_z - up * along_x);
            let inside = (half + 1.6 - along.abs()).min(1.6 - across.abs());
            // Where rounding decides, none is told.
            (inside.abs() > 1e-3).then_some(inside > 0.0)
        };
        let mut compared = 0;
        for (index, pixel) in picture.rgba().chunks_exact(4).enumerate() {
            let (column, row) = (index % EDGE * 2, index / EDGE * 2);
            let samples = [(0, 0), (1, 0), (0, 1), (1, 1)].map(|(x, y)| is_covered(column + x, row + y));
            if samples.iter().all(Option::is_some) {
                let covered = samples.iter().filter(|own| **own == Some(true)).count();
                assert_eq!(usize::from(pixel[3]), covered * 255 / 4, "{end:?} {column} {row}");
                compared += 1;
            }
        }
        assert!(compared > 900, "{compared}");
    }
}

/// Arms of length 1, where the bones are all at one place.
#[test]
fn a_bone_alone_is_a_cross() {
    let animation = Psa { bones: 1, frames: 1, states: vec![State::REST], ..Psa::walk(1, 1) };
    let bytes = animation.build().bytes;
    let asset = Asset::parse(&bytes).unwrap();
    let figure = Figure::of_clip(&asset.clips().next().unwrap(), 0.0).unwrap();
    let bounds = figure.bounds().unwrap();
    assert_eq!((figure.point_count(), bounds.min, bounds.max), (6, [-1.0; 3], [1.0; 3]));
}

/// Bones that do not turn have the axes of the model: to the right, up and towards the eye, each a row of its own.
#[test]
fn axes_of_bones_that_do_not_turn_are_those_of_the_model() {
    let frame = Frame::new(vec![[0.0, 0.0, 0.0, 1.0]; 3]);
    let bytes = Gsa::new(1, Layout::Plain.skeleton(&biped(3)), &[], vec![frame]).build().bytes;
    let asset = Asset::parse(&bytes).unwrap();
    let figure = Figure::of_clip(&asset.clips().next().unwrap(), 0.0).unwrap();
    let bounds = figure.bounds().unwrap();
    assert_eq!((bounds.min, bounds.max), ([0.0, -5.0, 0.0], [1.0; 3]));
}

#[test]
fn a_mesh_without_triangles_is_drawn_as_bones() {
    let sheet = Mesh::sheet(3, 3, 3);
    let counts = |mesh: &Mesh| {
        let figure = figure(mesh);
        (figure.triangle_count(), figure.point_count())
    };
    assert_eq!(counts(&sheet), (8, 9));
    // Two of the three bones have a parent.
    let bones = Mesh { faces: Vec::new(), ..sheet.clone() };
    assert_eq!(counts(&bones), (0, 4));
    let nothing = Mesh { bones: Vec::new(), weights: Vec::new(), ..bones };
    assert_eq!(counts(&nothing), (0, 0));
}

/// Four letters of base64 for each three bytes of the file.
#[test]
fn a_picture_is_a_file_in_its_address() {
    let picture = draw(&figure(&plate(0.0, 0.0)), 0.0);
    let url = picture.to_data_url();
    let letters = url.strip_prefix("data:image/png;base64,").unwrap();
    assert_eq!(letters.len(), picture.to_png().len().div_ceil(3) * 4);
    assert!(letters.starts_with("iVBORw0KGgo"), "the mark of a PNG");
}

/// A format without parents: a cross at each bone, whose arms are a fiftieth of the largest edge of all places.
#[test]
fn bones_without_parents_are_crosses() {
    let bytes = good("fox_walk.psa");
    let asset = Asset::parse(&bytes).unwrap();
    let clip = asset.clips().next().unwrap();
    let figure = Figure::of_clip(&clip, 0.0).unwrap();
    let moved = clip.in_space(Space::GLTF);
    let binding = Binding::of_clip(&moved);
    let mut pose = binding.to_rest();
    binding.sample_frame(&moved, 0.0, Wrap::Clamp, &mut pose).unwrap();
    assert_eq!(figure.point_count(), pose.len() * 6);
    let range = |axis: usize| {
        let values = || pose.iter().map(|own| own.translation[axis]);
        (values().fold(f32::INFINITY, f32::min), values().fold(f32::NEG_INFINITY, f32::max))
    };
    let arm = (0..3).map(|axis| range(axis).1 - range(axis).0).fold(0.0, f32::max) / 50.0;
    let bounds = figure.bounds().unwrap();
    for axis in 0..3 {
        let (low, high) = range(axis);
        assert!((bounds.min[axis] - (low - arm)).abs() < 1e-5 && (bounds.max[axis] - (high + arm)).abs() < 1e-5);
    }
}

/// A format without places: the axes of each bone, each of length 1, in rows whose places are 2.5 apart.
#[test]
fn bones_without_places_are_axes_in_rows() {
    let bytes = good("officer_walk.gsa");
    let asset = Asset::parse(&bytes).unwrap();
    let clip = asset.clips().next().unwrap();
    let figure = Figure::of_clip(&clip, 0.0).unwrap();
    let bones = figure.point_count() / 6;
    let row = bones.isqrt();
    let bounds = figure.bounds().unwrap();
    // Columns to the right, lines downwards; an axis reaches at most 1 beyond.
    let (width, height) = ((row - 1) as f32 * 2.5, ((bones - 1) / row) as f32 * 2.5);
    assert!(bones > row && row > 1);
    assert!(
        bounds.min[0] <= 0.0 && bounds.min[0] >= -1.0 && bounds.max[0] >= width && bounds.max[0] <= width + 1.0,
        "{bounds:?}"
    );
    assert!(bounds.max[1] >= 0.0 && bounds.max[1] <= 1.0, "{bounds:?}");
    assert!(bounds.min[1] <= -height && bounds.min[1] >= -height - 1.0, "{bounds:?}");
    assert!(bounds.min[2] >= -1.0 && bounds.max[2] <= 1.0 && bounds.size()[2] > 0.5, "{bounds:?}");
}
