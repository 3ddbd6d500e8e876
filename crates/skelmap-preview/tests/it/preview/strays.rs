//! Pictures of meshes with faults: the camera and the time stay within bounds.

use skelmap::Asset;
use skelmap_preview::{Camera, Figure, Renderer};

use test_support::actorx::build::{Face, Material, Mesh, Wedge};

fn figure(mesh: &Mesh) -> Figure {
    let built = mesh.chunks().build();
    Figure::of_mesh(&Asset::parse(&built.bytes).unwrap().mesh().unwrap()).unwrap()
}

#[test]
fn points_far_away_and_without_a_place_do_not_make_a_model_small() {
    let sheet = Mesh::sheet(20, 20, 1);
    let sound = Camera::around(&figure(&sheet)).size();
    for stray in [f32::NAN, f32::INFINITY, 1e30, -1e30, 1e6] {
        let mut mesh = sheet.clone();
        mesh.points[0][1] = stray;
        let size = Camera::around(&figure(&mesh)).size();
        for (size, sound) in size.iter().zip(sound) {
            assert!((size / sound - 1.0).abs() < 0.2, "{stray}: {size} instead of {sound}");
        }
    }
}

#[test]
fn a_model_at_one_place_and_a_model_without_points_have_a_camera() {
    let mut point = Mesh::sheet(2, 2, 1);
    point.points.fill([3.0; 3]);
    for figure in [figure(&point), Figure::default()] {
        let camera = Camera::around(&figure);
        assert!(camera.size().iter().all(|edge| edge.is_finite() && *edge > 0.0));
        let picture = Renderer::new(16, 16).draw(&figure, &camera);
        assert!(!picture.is_partial());
    }
}

/// Of two faces in the same place of the picture, the nearer one is seen, whichever comes first.
#[test]
fn the_nearer_face_hides_the_other() {
    let draw = |materials: [u8; 2], order: [u32; 2]| {
        let mut mesh = Mesh { materials: vec![Material::new("a", 0), Material::new("b", 1)], ..Mesh::default() };
        // In ActorX files, -y is where glTF has z: towards the eye.
        for (layer, y) in [(0_u32, 0.0), (1, -0.5)] {
            mesh.points.extend([[-4.0, y, -4.0], [4.0, y, -4.0], [0.0, y, 4.0]]);
            let material = materials[layer as usize];
            mesh.wedges.extend((0..3).map(|corner| Wedge::new(layer * 3 + corner, [0.0; 2], material)));
        }
        mesh.faces = order
            .iter()
            .map(|layer| Face::new([0, 1, 2].map(|corner| layer * 3 + corner), materials[*layer as usize]))
            .collect();
        let figure = figure(&mesh);
        let picture = Renderer::new(33, 33).draw(&figure, &Camera::around(&figure));
        let middle = (16 * 33 + 16) * 4;
        picture.rgba()[middle..middle + 3].to_vec()
    };
    let (front_a, front_b) = (draw([1, 0], [0, 1]), draw([0, 1], [0, 1]));
    assert_ne!(front_a, front_b, "two materials have two colours");
    assert_eq!(draw([1, 0], [1, 0]), front_a);
    assert_eq!(draw([0, 1], [1, 0]), front_b);
}

#[test]
fn faces_that_cover_a_picture_again_and_again_are_left_out_at_some_time() {
    let mut mesh = Mesh::sheet(2, 2, 1);
    mesh.points = vec![[-1e3, 0.0, -1e3], [1e3, 0.0, -1e3], [-1e3, 0.0, 1e3], [1e3, 0.0, 1e3]];
    assert!(!draw(&mesh).is_partial());
    mesh.faces = mesh.faces.repeat(1000);
    assert!(draw(&mesh).is_partial());
}

fn draw(mesh: &Mesh) -> skelmap_preview::Picture {
    let figure = figure(mesh);
    Renderer::new(64, 64).draw(&figure, &Camera::around(&figure))
}

/// Points along a line, in a strip of triangles.
fn strip(places: &[f32]) -> Figure {
    let mut mesh = Mesh { materials: vec![Material::new("a", 0)], ..Mesh::default() };
    mesh.points = (0_u8..).zip(places).map(|(index, x)| [*x, 0.0, f32::from(index % 2)]).collect();
    mesh.wedges = (0..places.len() as u32).map(|point| Wedge::new(point, [0.0; 2], 0)).collect();
    mesh.faces = (2..places.len() as u32).map(|last| Face::new([last - 2, last - 1, last], 0)).collect();
    figure(&mesh)
}

/// The third of 40 places is at 5 %, and the last but one at 95 %. What is more than 20 times their distance away from them is no part of the
/// model, of which the picture shows a bit more: it fills 92 %.
#[test]
fn points_are_strays_beyond_twenty_times_the_range_of_most() {
    let with = |changes: &[(usize, f32)]| {
        let mut places: Vec<f32> = (0..40_u8).map(f32::from).collect();
        for (index, place) in changes {
            places[*index] = *place;
        }
        places
    };
    let mut same = vec![5.0; 40];
    same[39] = 100.0;
    let cases = [
        (with(&[]), 39.0),
        // From 2 to 38: 36, and 720 beyond.
        (with(&[(39, 758.0)]), 758.0),
        (with(&[(39, 759.0)]), 38.0),
        (with(&[(0, -718.0)]), 757.0),
        (with(&[(0, -719.0)]), 38.0),
        (with(&[(0, -719.0), (39, 759.0)]), 37.0),
        // No range tells of strays.
        (same, 95.0),
    ];
    for (places, expected) in cases {
        let [width, height] = Camera::turned([&strip(&places)], 0.0, 0.0).size();
        assert!((width - expected / 0.92).abs() < 1e-3, "{width} {expected}");
        assert!((height - (1.0_f32 / 0.92).max(expected / 0.92 * 1e-3)).abs() < 1e-4, "{height}");
    }
}

/// Sums of what is farther away than 1e18 are not exact.
#[test]
fn points_from_a_limit_on_are_left_out() {
    for (far, is_seen) in [(1e18_f32.next_down(), true), (1e18, false), (-1e18, false)] {
        let [width, _] = Camera::turned([&strip(&[0.0, 1.0, 2.0, far])], 0.0, 0.0).size();
        assert_eq!(width > 1e17, is_seen, "{far}");
    }
}

/// A picture of one pixel has four samples, and may be covered 256 times; each triangle costs 8 at least.
#[test]
fn a_picture_is_partial_from_the_limit_on() {
    for (count, is_partial) in [(127, false), (128, true), (129, true)] {
        let mut mesh = Mesh { materials: vec![Material::new("a", 0)], ..Mesh::default() };
        // In the middle of the sheet, where no sample is.
        let corner = |index: u32| [[0.5, 1.0], [0.51, 1.0], [0.5, 1.01]][index as usize % 3];
        mesh.points = (0..count * 3).map(|index| [corner(index)[0], 0.0, corner(index)[1]]).collect();
        mesh.wedges = (0..count * 3).map(|point| Wedge::new(point, [0.0; 2], 0)).collect();
        mesh.faces = (0..count).map(|face| Face::new([face * 3, face * 3 + 1, face * 3 + 2], 0)).collect();
        let camera = Camera::turned([&figure(&Mesh::sheet(2, 2, 1))], 0.0, 0.0);
        let small = figure(&mesh);
        assert_eq!(small.triangle_count(), count as usize);
        assert_eq!(Renderer::new(1, 1).draw(&small, &camera).is_partial(), is_partial, "{count}");
    }
}

/// Its sides are finite, and their product is not.
#[test]
fn a_triangle_beyond_the_range_of_a_float_is_not_drawn() {
    let mut mesh = Mesh { materials: vec![Material::new("a", 0)], ..Mesh::default() };
    mesh.points = vec![[-1e25, 0.0, -1e25], [1e25, 0.0, -1e25], [0.0, 0.0, 1e25]];
    mesh.wedges = (0..3).map(|point| Wedge::new(point, [0.0; 2], 0)).collect();
    mesh.faces = vec![Face::new([0, 1, 2], 0)];
    let near = figure(&Mesh::sheet(2, 2, 1));
    let far = figure(&mesh);
    assert_eq!(far.triangle_count(), 1);
    let picture = Renderer::new(8, 8).draw(&far, &Camera::turned([&near], 0.0, 0.0));
    assert!(picture.rgba().iter().all(|value| *value == 0));
}

/// Two faces at one place: the first that is drawn stays.
#[test]
fn a_face_that_is_not_nearer_hides_nothing() {
    let mut mesh = Mesh { materials: vec![Material::new("a", 0), Material::new("b", 1)], ..Mesh::default() };
    for material in [0_u8, 1] {
        mesh.points.extend([[-4.0, 0.0, -4.0], [4.0, 0.0, -4.0], [0.0, 0.0, 4.0]]);
        let first = u32::from(material) * 3;
        mesh.wedges.extend((0..3).map(|corner| Wedge::new(first + corner, [0.0; 2], material)));
        mesh.faces.push(Face::new([0, 1, 2].map(|corner| first + corner), material));
    }
    let both = figure(&mesh);
    mesh.faces.truncate(1);
    let one = figure(&mesh);
    let camera = Camera::around(&one);
    let draw = |figure: &Figure| Renderer::new(33, 33).draw(figure, &camera);
    assert_eq!(draw(&both), draw(&one));
}
