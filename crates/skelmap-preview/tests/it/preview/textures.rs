//! Figures with textures: the texel at the coordinates of the file is seen, and holes are.

use std::sync::Arc;

use skelmap::Asset;
use skelmap_preview::{Camera, Figure, Picture, Renderer, Texture};

use test_support::actorx::build::{Face, Material, Mesh, Wedge};

/// A square before the eye, in ActorX axes: x to the right, z up and -y towards the eye. The coordinates count from the top left.
fn square(moved: f32) -> Figure {
    let mut mesh = Mesh { materials: vec![Material::new("a", 0)], ..Mesh::default() };
    mesh.points = vec![[-4.0, 0.0, 4.0], [4.0, 0.0, 4.0], [-4.0, 0.0, -4.0], [4.0, 0.0, -4.0]];
    let corners = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]];
    mesh.wedges = (0..).zip(corners).map(|(point, [u, v])| Wedge::new(point, [u + moved, v + moved], 0)).collect();
    mesh.faces = vec![Face::new([0, 1, 2], 0), Face::new([1, 3, 2], 0)];
    let built = mesh.chunks().build();
    Figure::of_mesh(&Asset::parse(&built.bytes).unwrap().mesh().unwrap()).unwrap()
}

/// Red and green above, blue and a white texel without alpha below.
fn colors() -> Texture {
    let texels = [[255, 0, 0, 255], [0, 255, 0, 255], [0, 0, 255, 255], [255, 255, 255, 0]];
    Texture::new(2, 2, &texels.concat()).unwrap()
}

fn draw(figure: Figure, texture: Texture) -> Picture {
    let figure = figure.with_textures(vec![Some(Arc::new(texture))]);
    Renderer::new(64, 64).draw(&figure, &Camera::around(&figure))
}

/// Which of red, green and blue a quarter of the picture has in its middle, and its alpha.
fn quarter(picture: &Picture, column: usize, row: usize) -> ([bool; 3], u8) {
    let [x, y] = [column, row].map(|part| 22 + 20 * part);
    let pixel = &picture.rgba()[(y * 64 + x) * 4..][..4];
    ([0, 1, 2].map(|channel| pixel[channel] > 60), pixel[3])
}

#[test]
fn the_texel_at_the_coordinates_of_the_file_is_seen() {
    for moved in [0.0, 3.0, -2.0] {
        let picture = draw(square(moved), colors());
        assert_eq!(quarter(&picture, 0, 0), ([true, false, false], 255), "red at the top left, {moved}");
        assert_eq!(quarter(&picture, 1, 0), ([false, true, false], 255), "green at the top right, {moved}");
        assert_eq!(quarter(&picture, 0, 1), ([false, false, true], 255), "blue at the bottom left, {moved}");
        assert_eq!(quarter(&picture, 1, 1), ([true; 3], 255), "alpha does not count, {moved}");
    }
    let picture = draw(square(0.0), colors().cut_out());
    assert_eq!(quarter(&picture, 1, 1).1, 0, "a hole");
    assert_eq!(quarter(&picture, 0, 0), ([true, false, false], 255), "and no other");
}

/// What is behind a hole is seen through it, whichever is drawn first.
#[test]
fn what_is_behind_a_hole_is_seen() {
    for front_is_first in [true, false] {
        let mut mesh = Mesh { materials: vec![Material::new("a", 0), Material::new("b", 1)], ..Mesh::default() };
        for (layer, y, material) in [(0_u32, -0.5, 0), (1, 0.5, 1)] {
            mesh.points.extend([[-4.0, y, -4.0], [4.0, y, -4.0], [0.0, y, 4.0]]);
            mesh.wedges.extend((0..3).map(|corner| Wedge::new(layer * 3 + corner, [0.0; 2], material)));
            mesh.faces.push(Face::new([0, 1, 2].map(|corner| layer * 3 + corner), material));
        }
        let hole = Arc::new(Texture::new(1, 1, &[255, 255, 255, 0]).unwrap().cut_out());
        let red = Arc::new(Texture::new(1, 1, &[255, 0, 0, 255]).unwrap());
        let textures = if front_is_first { vec![Some(hole), Some(red)] } else { vec![Some(red), Some(hole)] };
        if !front_is_first {
            // Triangles are drawn in the order of materials.
            mesh.faces.iter_mut().for_each(|face| face.material = 1 - face.material);
            mesh.wedges.iter_mut().for_each(|wedge| wedge.material = 1 - wedge.material);
        }
        let built = mesh.chunks().build();
        let figure = Figure::of_mesh(&Asset::parse(&built.bytes).unwrap().mesh().unwrap()).unwrap();
        let figure = figure.with_textures(textures);
        let picture = Renderer::new(64, 64).draw(&figure, &Camera::around(&figure));
        let middle = &picture.rgba()[(40 * 64 + 32) * 4..][..4];
        assert!(middle[0] > 60 && middle[1] == 0 && middle[3] == 255, "{front_is_first}: {middle:?}");
    }
}

/// Half of 255 is 127.5.
#[test]
fn a_hole_is_where_alpha_is_less_than_half() {
    for (alpha, expected) in [(0, 0), (127, 0), (128, 255), (255, 255)] {
        let texture = Texture::new(1, 1, &[255, 0, 0, alpha]).unwrap().cut_out();
        assert_eq!(quarter(&draw(square(0.0), texture), 0, 0).1, expected, "{alpha}");
    }
}

/// A triangle with sides of any direction: the texel of each sample is that between the corners. Coordinates along u and along v.
#[test]
fn texture_coordinates_change_evenly_between_the_corners_of_any_triangle() {
    const SIZE: usize = 32;
    let places = [[-4.0_f32, -2.5], [0.5, 4.0], [4.0, -4.0]];
    let shares = [0.1_f32, 0.95, 0.6];
    for is_turned in [false, true] {
        let mut mesh = Mesh { materials: vec![Material::new("a", 0)], ..Mesh::default() };
        mesh.points = places.map(|[x, z]| [x, 0.0, z]).to_vec();
        let uv = |share: f32| if is_turned { [0.5, share] } else { [share, 0.5] };
        mesh.wedges = (0..).zip(shares).map(|(point, share)| Wedge::new(point, uv(share), 0)).collect();
        mesh.faces = vec![Face::new([0, 1, 2], 0)];
        let built = mesh.chunks().build();
        let figure = Figure::of_mesh(&Asset::parse(&built.bytes).unwrap().mesh().unwrap()).unwrap();
        // Four stripes: red, blue, red and blue.
        let stripes = [[255, 0, 0, 255], [0, 0, 255, 255], [255, 0, 0, 255], [0, 0, 255, 255]].concat();
        let (width, height) = if is_turned { (1, 4) } else { (4, 1) };
        let figure = figure.with_textures(vec![Some(Arc::new(Texture::new(width, height, &stripes).unwrap()))]);
        let camera = Camera::turned([&figure], 0.0, 0.0);
        let picture = Renderer::new(SIZE as u32, SIZE as u32).draw(&figure, &camera);
        // Two samples along each edge of a pixel; the box of 8 by 8 is in the middle and fills 92 %.
        let scale = 0.92 * 2.0 * SIZE as f64 / 8.0;
        let share = |x: usize, y: usize| {
            let at = [(x as f64 + 0.5 - SIZE as f64) / scale, (SIZE as f64 - y as f64 - 0.5) / scale];
            let [a, b, c] = places.map(|own| own.map(f64::from));
            let of = |one: [f64; 2], other: [f64; 2], third: [f64; 2]| {
                (other[0] - one[0]) * (third[1] - one[1]) - (other[1] - one[1]) * (third[0] - one[0])
            };
            let parts = [of(at, b, c), of(a, at, c), of(a, b, at)].map(|part| part / of(a, b, c));
            let share: f64 = parts.iter().zip(shares).map(|(part, share)| part * f64::from(share)).sum();
            // Not where rounding decides: at an edge of the triangle or of a stripe.
            let is_clear = (share * 4.0 - (share * 4.0).round()).abs() > 1e-3;
            (is_clear && parts.iter().all(|part| *part > 1e-3)).then_some(share)
        };
        let mut compared = 0;
        for (x, y) in (0..SIZE).flat_map(|x| (0..SIZE).map(move |y| (x, y))) {
            let own = [(0, 0), (1, 0), (0, 1), (1, 1)].map(|(right, down)| share(x * 2 + right, y * 2 + down));
            let [Some(a), Some(b), Some(c), Some(d)] = own else { continue };
            let reds = [a, b, c, d].iter().filter(|share| (**share * 4.0) as usize % 2 == 0).count();
            let pixel = &picture.rgba()[(y * SIZE + x) * 4..][..4];
            let found = f64::from(pixel[0]) / (f64::from(pixel[0]) + f64::from(pixel[2])) * 4.0;
            assert!((found - reds as f64).abs() < 0.1, "{x} {y} {is_turned}: {found} of {reds}, {pixel:?}");
            compared += 1;
        }
        assert!(compared > 200, "{compared}");
    }
}

#[test]
fn a_texture_has_four_bytes_for_each_pixel() {
    assert_eq!(Texture::new(3, 2, &[0; 24]).unwrap().size(), 24);
}

#[test]
fn an_image_has_as_many_bytes_as_pixels_need() {
    for (width, height, bytes) in [(2, 2, 15), (2, 2, 17), (0, 2, 0), (usize::MAX, 2, 8), (usize::MAX / 2, 2, 0)] {
        assert_eq!(Texture::new(width, height, &vec![0; bytes]), None, "{width} x {height}");
    }
}
