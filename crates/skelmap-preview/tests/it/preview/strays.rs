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
