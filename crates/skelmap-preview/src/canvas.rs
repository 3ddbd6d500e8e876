//! Rasterises triangles with depth, at four samples per pixel.

/// Samples along each edge of a pixel.
pub(crate) const FINE: usize = 2;

/// The number of times that the picture may be covered; this limits the time for a hostile file.
const MAX_LAYERS: f32 = 256.0;

/// The minimum cost of a triangle, in samples, even if it covers none.
const MIN_WORK: f32 = 8.0;

/// A corner on the canvas: x to the right and y down in samples, z towards the viewer, light from 0 to 1, and texture coordinates.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Corner {
    pub(crate) x: f32,
    pub(crate) y: f32,
    pub(crate) z: f32,
    pub(crate) light: f32,
    pub(crate) uv: [f32; 2],
}

/// Red, green and blue.
pub(crate) type Color = [u8; 3];

#[derive(Clone, Copy, Debug)]
struct Sample {
    /// Negative infinity: nothing.
    depth: f32,
    color: Color,
    light: u8,
}

impl Sample {
    const NOTHING: Self = Self { depth: f32::NEG_INFINITY, color: [0; 3], light: 0 };
}

/// Samples, row by row from the top.
#[derive(Debug)]
pub(crate) struct Canvas {
    width: usize,
    height: usize,
    samples: Vec<Sample>,
    /// The remaining budget of samples.
    left: f32,
}

/// A value that changes linearly from sample to sample.
#[derive(Clone, Copy)]
struct Ramp {
    at_origin: f32,
    by_x: f32,
    by_y: f32,
}

impl Ramp {
    /// The ramp with three values at three corners. `area`: the signed area of the parallelogram.
    fn of(corners: &[Corner; 3], area: f32, value: impl Fn(&Corner) -> f32) -> Self {
        let [a, b, c] = corners;
        let (to_b, to_c) = (value(b) - value(a), value(c) - value(a));
        let by_x = (to_b * (c.y - a.y) - to_c * (b.y - a.y)) / area;
        let by_y = (to_c * (b.x - a.x) - to_b * (c.x - a.x)) / area;
        Self { at_origin: value(a) - by_x * a.x - by_y * a.y, by_x, by_y }
    }

    fn at(&self, x: f32, y: f32) -> f32 {
        self.at_origin + self.by_x * x + self.by_y * y
    }
}

impl Canvas {
    /// A canvas for a picture of `width * height` pixels.
    pub(crate) fn new(width: usize, height: usize) -> Self {
        let (width, height) = (width.saturating_mul(FINE), height.saturating_mul(FINE));
        let mut canvas = Self { width, height, samples: Vec::new(), left: 0.0 };
        canvas.clear();
        canvas
    }

    /// Clears the canvas.
    pub(crate) fn clear(&mut self) {
        self.samples.clear();
        self.samples.resize(self.width.saturating_mul(self.height), Sample::NOTHING);
        self.left = to_float(self.samples.len()) * MAX_LAYERS;
    }

    pub(crate) const fn width(&self) -> usize {
        self.width
    }

    pub(crate) const fn height(&self) -> usize {
        self.height
    }

    /// Draws a triangle of either orientation. Two triangles with a common edge leave no gap and share no sample. `paint` tells the colour at
    /// texture coordinates; where there is none, what is behind stays.
    pub(crate) fn triangle(&mut self, mut corners: [Corner; 3], paint: impl Fn([f32; 2]) -> Option<Color>) {
        self.left -= MIN_WORK;
        corners.sort_by(|one, other| one.y.total_cmp(&other.y));
        let [top, middle, bottom] = corners;
        let area = (middle.x - top.x) * (bottom.y - top.y) - (bottom.x - top.x) * (middle.y - top.y);
        if !area.is_finite() || area == 0.0 {
            return;
        }
        let ramp = |value: fn(&Corner) -> f32| Ramp::of(&corners, area, value);
        let (depth, light) = (ramp(|corner| corner.z), ramp(|corner| corner.light * 255.0));
        let (along, down) = (ramp(|corner| corner.uv[0]), ramp(|corner| corner.uv[1]));
        let (first, end) = (to_cell(top.y, self.height), to_cell(bottom.y, self.height));
        for (index, row) in (first..end).zip(self.samples.chunks_exact_mut(self.width.max(1)).skip(first)) {
            let y = to_float(index) + 0.5;
            let one = cross(&top, &bottom, y);
            let other = if y < middle.y { cross(&top, &middle, y) } else { cross(&middle, &bottom, y) };
            let (start, end) = (to_cell(one.min(other), self.width), to_cell(one.max(other), self.width));
            let Some(span) = row.get_mut(start..end) else { continue };
            self.left -= to_float(span.len());
            let x = to_float(start) + 0.5;
            let (mut z, mut level) = (depth.at(x, y), light.at(x, y));
            let (mut u, mut v) = (along.at(x, y), down.at(x, y));
            for sample in span {
                if z > sample.depth {
                    if let Some(color) = paint([u, v]) {
                        *sample = Sample { depth: z, color, light: to_level(level) };
                    }
                }
                z += depth.by_x;
                level += light.by_x;
                u += along.by_x;
                v += down.by_x;
            }
        }
    }

    /// Whether the budget is used up.
    pub(crate) fn is_full(&self) -> bool {
        self.left <= 0.0
    }

    /// The pixels: red, green, blue and alpha, a byte each.
    pub(crate) fn to_rgba(&self) -> Vec<u8> {
        let mut rgba = Vec::with_capacity(self.samples.len());
        for rows in self.samples.chunks_exact(self.width.saturating_mul(FINE).max(1)) {
            let (upper, lower) = rows.split_at(self.width);
            for (upper, lower) in upper.chunks_exact(FINE).zip(lower.chunks_exact(FINE)) {
                rgba.extend(mixed(upper.iter().chain(lower)));
            }
        }
        rgba
    }
}

/// The mean colour of samples, and the number of covered ones.
#[expect(clippy::cast_possible_truncation, clippy::as_conversions, reason = "a mean of bytes is a byte")]
#[expect(clippy::arithmetic_side_effects, reason = "a sum of a few products of two bytes")]
fn mixed<'s>(samples: impl Iterator<Item = &'s Sample>) -> [u8; 4] {
    let (mut red, mut green, mut blue, mut covered, mut all) = (0_u32, 0_u32, 0_u32, 0_u32, 0_u32);
    for sample in samples {
        all += 1;
        if sample.depth == f32::NEG_INFINITY {
            continue;
        }
        let ([r, g, b], light) = (sample.color, u32::from(sample.light));
        red += u32::from(r) * light;
        green += u32::from(g) * light;
        blue += u32::from(b) * light;
        covered += 1;
    }
    let parts = covered * 255;
    let mean = |sum: u32, count: u32| sum.checked_div(count).unwrap_or(0) as u8;
    [mean(red, parts), mean(green, parts), mean(blue, parts), mean(parts, all)]
}

/// The point at which the line between two corners crosses a row.
fn cross(from: &Corner, to: &Corner, y: f32) -> f32 {
    from.x + (y - from.y) * ((to.x - from.x) / (to.y - from.y))
}

/// The first cell whose centre is at or after a position, at most the end.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::as_conversions,
    reason = "between 0 and the end; NaN becomes 0"
)]
fn to_cell(place: f32, end: usize) -> usize {
    ((place - 0.5).ceil().max(0.0) as usize).min(end)
}

/// A light as a byte.
#[inline]
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::as_conversions, reason = "clamped")]
fn to_level(level: f32) -> u8 {
    level.clamp(0.0, 255.0) as u8
}

/// A number of samples.
#[expect(clippy::cast_precision_loss, clippy::as_conversions, reason = "at most the samples of a picture")]
pub(crate) fn to_float(count: usize) -> f32 {
    count as f32
}
