//! Draws figures onto a canvas.

use crate::camera::Camera;
use crate::canvas::{Canvas, Color, Corner, to_float};
use crate::figure::{Figure, Ink};
use crate::picture::Picture;
use skelmap::shared::to_usize;

/// The maximum edge length of a picture in pixels.
const MAX_EDGE: u32 = 4096;

/// The colours of materials without a texture, used in rotation.
const MATERIALS: [Color; 12] = [
    [201, 206, 214],
    [222, 178, 120],
    [130, 176, 214],
    [164, 196, 130],
    [214, 146, 146],
    [176, 156, 212],
    [128, 196, 188],
    [226, 204, 128],
    [200, 158, 190],
    [168, 172, 148],
    [154, 186, 232],
    [220, 190, 174],
];

/// The colours of bones and of the axes x, y and z.
const INKS: [Color; 4] = [[240, 160, 48], [226, 72, 72], [86, 176, 76], [72, 124, 232]];

/// Half of the width of a line, in samples.
const HALF_LINE: f32 = 1.6;

/// The direction to the lamp in view space: slightly from the left and from above.
const LAMP: [f32; 3] = [-0.38, 0.62, 0.69];

/// Ambient light, and the light of the lamp.
const AMBIENT: f32 = 0.34;
const DIRECT: f32 = 0.66;

/// Draws pictures of one size. Reuses its memory: some 8 bytes for each of the four samples of a pixel.
///
/// ```
/// use skelmap::Asset;
/// use skelmap_preview::{Camera, Figure, Renderer};
///
/// let bytes = std::fs::read("../../corpus/fox.psk")?;
/// let asset = Asset::parse(&bytes)?;
/// let figure = Figure::of_mesh(&asset.mesh().ok_or("no mesh")?)?;
/// let picture = Renderer::new(256, 256).draw(&figure, &Camera::around(&figure));
/// assert_eq!((picture.width(), picture.height(), picture.rgba().len()), (256, 256, 256 * 256 * 4));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Renderer {
    width: u32,
    height: u32,
    canvas: Canvas,
    corners: Vec<Corner>,
}

impl Renderer {
    /// A renderer for pictures of this width and height: between 1 and 4,096 pixels each.
    pub fn new(width: u32, height: u32) -> Self {
        let [width, height] = [width, height].map(|edge| edge.clamp(1, MAX_EDGE));
        let [columns, rows] = [width, height].map(|edge| usize::try_from(edge).unwrap_or(1));
        Self { width, height, canvas: Canvas::new(columns, rows), corners: Vec::new() }
    }

    /// Draws a figure. O(pixels + points + triangles), and the covered samples of each triangle; drawing stops after the
    /// picture was covered 256 times ([`Picture::is_partial`]).
    pub fn draw(&mut self, figure: &Figure, camera: &Camera) -> Picture {
        self.canvas.clear();
        let view = View::new(&self.canvas, camera);
        self.corners.clear();
        let corners = figure.positions.iter().zip(&figure.normals);
        let uvs = figure.uvs.iter().copied().chain(std::iter::repeat([0.0; 2]));
        let corner = |((position, normal), uv): ((&[f32; 3], &[f32; 3]), [f32; 2])| Corner {
            uv,
            ..view.corner(*position, light(camera.turn(*normal)))
        };
        self.corners.extend(corners.zip(uvs).map(corner));
        for triangle in &figure.triangles {
            let corner = |index: u32| self.corners.get(usize::try_from(index).ok()?).copied();
            let [Some(a), Some(b), Some(c)] = triangle.corners.map(corner) else { continue };
            let material = to_usize(triangle.material.into());
            if let Some(texture) = figure.textures.get(material).and_then(Option::as_ref) {
                self.canvas.triangle([a, b, c], |uv| texture.color(uv));
            } else {
                let own = material.checked_rem(MATERIALS.len());
                let color = own.and_then(|own| MATERIALS.get(own)).copied();
                self.canvas.triangle([a, b, c], |_| color);
            }
            if self.canvas.is_full() {
                break;
            }
        }
        for line in &figure.lines {
            let ends = line.ends.map(|end| view.corner(end, 1.0));
            let ink = match line.ink {
                Ink::Bone => 0,
                Ink::Axis(axis) => axis.saturating_add(1),
            };
            self.line(ends, INKS.get(to_usize(ink.into())).copied());
            if self.canvas.is_full() {
                break;
            }
        }
        Picture::new(self.width, self.height, self.canvas.to_rgba(), self.canvas.is_full())
    }

    /// Draws a line as two triangles.
    fn line(&mut self, [from, to]: [Corner; 2], color: Option<Color>) {
        let (along_x, along_y) = (to.x - from.x, to.y - from.y);
        let length = along_x.hypot(along_y);
        // A line towards the viewer is a dot.
        let (ux, uy) = if length > 1e-3 { (along_x / length, along_y / length) } else { (1.0, 0.0) };
        let (out_x, out_y) = (ux * HALF_LINE, uy * HALF_LINE);
        let moved = |end: &Corner, along: f32, across: f32| Corner {
            x: end.x + out_x * along - out_y * across,
            y: end.y + out_y * along + out_x * across,
            ..*end
        };
        let (a, b) = (moved(&from, -1.0, 1.0), moved(&from, -1.0, -1.0));
        let (c, d) = (moved(&to, 1.0, 1.0), moved(&to, 1.0, -1.0));
        self.canvas.triangle([a, b, c], |_| color);
        self.canvas.triangle([b, c, d], |_| color);
    }
}

/// The mapping from the space of a figure to samples.
struct View<'c> {
    camera: &'c Camera,
    centre: [f32; 2],
    /// Samples per unit.
    scale: f32,
}

impl<'c> View<'c> {
    fn new(canvas: &Canvas, camera: &'c Camera) -> Self {
        let edges = [to_float(canvas.width()), to_float(canvas.height())];
        let [width, height] = camera.size();
        let [columns, rows] = edges;
        Self { camera, centre: edges.map(|edge| edge / 2.0), scale: (columns / width).min(rows / height) }
    }

    #[inline]
    fn corner(&self, position: [f32; 3], light: f32) -> Corner {
        let ([x, y, z], [middle_x, middle_y]) = (self.camera.place(position), self.centre);
        Corner { x: middle_x + x * self.scale, y: middle_y - y * self.scale, z: z * self.scale, light, uv: [0.0; 2] }
    }
}

/// The light on a surface with this normal, in view space. Back sides are lit like front sides, but darker.
#[inline]
fn light([x, y, z]: [f32; 3]) -> f32 {
    let [to_x, to_y, to_z] = LAMP;
    let (side, share) = if z < 0.0 { (-1.0, 0.8) } else { (1.0, 1.0) };
    let cosine = side * (x * to_x + y * to_y + z * to_z);
    (AMBIENT + DIRECT * cosine.max(0.0)) * share
}
