//! Textures: the pixels that triangles are painted with.

use crate::canvas::{Color, to_float};

/// A pixel is cut out if its alpha is less than half.
const CUT: u8 = 128;

/// An image of a material.
///
/// ```
/// use std::sync::Arc;
/// use skelmap::Asset;
/// use skelmap_preview::{Camera, Figure, Renderer, Texture};
///
/// let bytes = std::fs::read("../../corpus/fox.psk")?;
/// let red = Texture::new(1, 1, &[255, 0, 0, 255]).ok_or("not a pixel")?;
/// let figure = Figure::of_mesh(&Asset::parse(&bytes)?.mesh().ok_or("no mesh")?)?.with_textures(vec![Some(Arc::new(red)); 2]);
/// let picture = Renderer::new(64, 64).draw(&figure, &Camera::around(&figure));
/// assert!(picture.rgba().chunks(4).all(|pixel| pixel[1..3] == [0, 0]), "no green and no blue");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Texture {
    width: usize,
    height: usize,
    texels: Vec<[u8; 4]>,
    is_cut: bool,
}

impl Texture {
    /// An image of `width * height` pixels: red, green, blue and alpha, a byte each, row by row from the top. `None` if it has another
    /// number of bytes, or no pixel.
    pub fn new(width: usize, height: usize, rgba: &[u8]) -> Option<Self> {
        width.checked_mul(height)?.checked_mul(4).filter(|bytes| *bytes > 0 && *bytes == rgba.len())?;
        let texels = rgba.chunks_exact(4).filter_map(|texel| texel.try_into().ok()).collect();
        Some(Self { width, height, texels, is_cut: false })
    }

    /// Bytes of memory of the pixels.
    pub fn size(&self) -> usize {
        self.texels.len().saturating_mul(4)
    }

    /// The same texture, with holes where alpha is less than half. Without this, alpha does not count.
    #[must_use]
    pub fn cut_out(self) -> Self {
        Self { is_cut: true, ..self }
    }

    /// The colour at texture coordinates, which count from the top left and repeat; `None` in a hole. Coordinates that are not finite are
    /// those of an edge.
    #[inline]
    pub(crate) fn color(&self, [u, v]: [f32; 2]) -> Option<Color> {
        let (column, row) = (to_cell(u, self.width), to_cell(v, self.height));
        let [red, green, blue, alpha] = *self.texels.get(row.wrapping_mul(self.width).wrapping_add(column))?;
        (!self.is_cut || alpha >= CUT).then_some([red, green, blue])
    }
}

/// The cell of a coordinate that repeats from 1 on.
#[inline]
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::as_conversions,
    reason = "from 0 to the end; NaN becomes 0"
)]
fn to_cell(place: f32, count: usize) -> usize {
    (((place - place.floor()) * to_float(count)) as usize).min(count.saturating_sub(1))
}
