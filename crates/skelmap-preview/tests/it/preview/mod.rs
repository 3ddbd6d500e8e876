//! Pictures and pages: what is drawn is what another renderer draws, and a page has what the file has and nothing else.

mod page;
mod shade;
mod strays;
mod textures;

use std::fs;

use skelmap::Asset;
use skelmap::model::{Binding, Clip, IDENTITY, Mesh, Skin, Wrap};
use skelmap_export::{Document, ExportOptions};
use skelmap_preview::{Camera, Figure, Picture, Renderer};

use test_support::corpus::{folder, samples};
use test_support::glb::File;

/// Pixels of each edge.
const SIZE: u32 = 256;

/// A file of the small collection of good files.
fn good(name: &str) -> Vec<u8> {
    fs::read(folder().join("../../corpus").join(name)).unwrap()
}

fn draw(figure: &Figure) -> Picture {
    Renderer::new(SIZE, SIZE).draw(figure, &Camera::around(figure))
}

/// The pixels that are covered by half or more.
fn covered(picture: &Picture) -> Vec<bool> {
    picture.rgba().chunks_exact(4).map(|pixel| pixel[3] >= 128).collect()
}

/// The pixels whose centre lies in a triangle, seen from 30 degrees to the right of the front and 15 above it, without
/// perspective; the box of the model fills 92 % of the picture.
fn silhouette(corners: &[[f64; 3]]) -> Vec<bool> {
    let (around, above) = (30_f64.to_radians(), 15_f64.to_radians());
    let eye = [around.sin() * above.cos(), above.sin(), around.cos() * above.cos()];
    let right = [around.cos(), 0.0, -around.sin()];
    let up = [
        eye[1] * right[2] - eye[2] * right[1],
        eye[2] * right[0] - eye[0] * right[2],
        eye[0] * right[1] - eye[1] * right[0],
    ];
    let dot = |axis: &[f64; 3], point: &[f64; 3]| axis.iter().zip(point).map(|(a, b)| a * b).sum::<f64>();
    let seen: Vec<[f64; 2]> = corners.iter().map(|corner| [dot(&right, corner), dot(&up, corner)]).collect();
    let range = |axis: usize| {
        let values = || seen.iter().map(|point| point[axis]);
        (values().fold(f64::INFINITY, f64::min), values().fold(f64::NEG_INFINITY, f64::max))
    };
    let ((left, rightmost), (low, high)) = (range(0), range(1));
    let scale = 0.92 * f64::from(SIZE) / (rightmost - left).max(high - low);
    let half = f64::from(SIZE) / 2.0;
    let place = |point: &[f64; 2]| {
        [
            half + (point[0] - f64::midpoint(left, rightmost)) * scale,
            half - (point[1] - f64::midpoint(low, high)) * scale,
        ]
    };
    let mut pixels = vec![false; (SIZE * SIZE) as usize];
    for triangle in seen.chunks_exact(3) {
        let [a, b, c] = [place(&triangle[0]), place(&triangle[1]), place(&triangle[2])];
        let side = |p: &[f64; 2], q: &[f64; 2], x: f64, y: f64| (q[0] - p[0]) * (y - p[1]) - (q[1] - p[1]) * (x - p[0]);
        for row in 0..SIZE {
            for column in 0..SIZE {
                let (x, y) = (f64::from(column) + 0.5, f64::from(row) + 0.5);
                let sides = [side(&a, &b, x, y), side(&b, &c, x, y), side(&c, &a, x, y)];
                if sides.iter().all(|side| *side >= 0.0) || sides.iter().all(|side| *side <= 0.0) {
                    pixels[(row * SIZE + column) as usize] = true;
                }
            }
        }
    }
    pixels
}

/// Pixels that both have, of those that one has.
fn overlap(one: &[bool], other: &[bool]) -> f64 {
    let both = one.iter().zip(other).filter(|(one, other)| **one && **other).count();
    let any = one.iter().zip(other).filter(|(one, other)| **one || **other).count();
    both as f64 / any as f64
}

/// The corners of the triangles of a mesh at rest, as another reader finds them in its GLB.
fn corners(mesh: &Mesh<'_>) -> Vec<[f64; 3]> {
    let mut glb = Vec::new();
    Document::of_mesh(mesh).write_glb(&ExportOptions::default(), &mut glb).unwrap();
    File::read(&glb).corners(None)
}

#[test]
fn a_picture_covers_what_another_renderer_covers() {
    let mut files = vec![good("fox.psk"), good("fox.pmd")];
    files.extend(samples("actorx").map(|folder| fs::read(folder.join("hp2/skBeaterMesh.psk")).unwrap()));
    for file in files {
        let asset = Asset::parse(&file).unwrap();
        let mesh = asset.mesh().unwrap();
        let picture = draw(&Figure::of_mesh(&mesh).unwrap());
        let (own, other) = (covered(&picture), silhouette(&corners(&mesh)));
        assert!(other.iter().filter(|pixel| **pixel).count() > 3000, "the model is seen");
        let overlap = overlap(&own, &other);
        assert!(overlap > 0.98, "{overlap}");
    }
}

#[test]
fn a_picture_in_a_pose_covers_what_another_renderer_covers() {
    let (mesh, animation) = (good("fox.psk"), good("fox.psa"));
    let (mesh, animation) = (Asset::parse(&mesh).unwrap(), Asset::parse(&animation).unwrap());
    let (mesh, clip) = (mesh.mesh().unwrap(), animation.clips().next().unwrap());
    let mut document = Document::of_mesh(&mesh);
    document.animations = vec![skelmap_export::Animation::new(&clip, Binding::new(&mesh, &clip))];
    let mut glb = Vec::new();
    document.write_glb(&ExportOptions::default(), &mut glb).unwrap();
    let glb = File::read(&glb);
    let mut before = None;
    for frame in [0, 7, 15] {
        let picture = draw(&posed(&mesh, &clip, f64::from(frame)));
        let other = silhouette(&glb.corners(Some((0, f64::from(frame) / clip.rate().unwrap()))));
        let overlap = overlap(&covered(&picture), &other);
        assert!(overlap > 0.98, "frame {frame}: {overlap}");
        assert_ne!(before.replace(picture.clone()), Some(picture), "the fox walks");
    }
}

/// A mesh in a frame.
fn posed(mesh: &Mesh<'_>, clip: &Clip<'_>, frame: f64) -> Figure {
    let (skin, binding) = (Skin::new(mesh, 4).unwrap(), Binding::new(mesh, clip));
    let (mut pose, mut matrices) = (skin.bind_pose().to_vec(), vec![IDENTITY; skin.matrix_count()]);
    binding.sample_frame(clip, frame, Wrap::Clamp, &mut pose).unwrap();
    skin.matrices(&pose, &mut matrices).unwrap();
    Figure::posed(mesh, &skin, &matrices).unwrap()
}

#[test]
fn a_png_has_the_pixels_of_the_picture() {
    let bytes = good("fox.psk");
    let asset = Asset::parse(&bytes).unwrap();
    let picture = draw(&Figure::of_mesh(&asset.mesh().unwrap()).unwrap());
    let file = picture.to_png();
    let mut reader = png::Decoder::new(std::io::Cursor::new(&file)).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut pixels).unwrap();
    assert_eq!((info.width, info.height, info.color_type), (SIZE, SIZE, png::ColorType::Rgba));
    assert_eq!(pixels, picture.rgba());
}

/// The lines of the fox's bones lie within its silhouette, but for ends and joints at the edge.
#[test]
fn animations_alone_are_drawn_by_their_bones() {
    for (name, least) in [("fox.psa", 300), ("fox_walk.psa", 300), ("officer_walk.gsa", 300)] {
        let bytes = good(name);
        let asset = Asset::parse(&bytes).unwrap();
        let clip = asset.clips().next().unwrap();
        let (first, later) = (Figure::of_clip(&clip, 0.0).unwrap(), Figure::of_clip(&clip, 5.0).unwrap());
        let count = covered(&draw(&first)).iter().filter(|pixel| **pixel).count();
        assert!(count > least, "{name}: {count}");
        let camera = Camera::around_all([&first, &later]);
        let mut renderer = Renderer::new(SIZE, SIZE);
        assert_ne!(renderer.draw(&first, &camera), renderer.draw(&later, &camera), "{name} moves");
    }
}
