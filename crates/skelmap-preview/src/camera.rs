//! Cameras: direction and scale.

use crate::figure::Figure;
use skelmap::model::Bounds;
use skelmap::model::maths::dot;

/// The number of points that are sampled for the size of a figure.
const MAX_POINTS: usize = 1 << 12;

/// A point is an outlier if it is more than 20 times the 5-95 % range outside that range. Outliers do not affect the size of
/// the figure.
const STRAY: f32 = 20.0;

/// The fraction of the picture that a figure fills.
const FILLED: f32 = 0.92;

/// Coordinates beyond this lose precision in sums; such points are left out.
const FARTHEST: f32 = 1e18;

/// An orthographic view of a figure: from the front, slightly from the side and from above.
///
/// Outliers (a fault of the file) and points that are not finite are ignored.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// To the right, up, and towards the viewer.
    axes: [[f32; 3]; 3],
    centre: [f32; 3],
    /// Half the size of the visible part of the model.
    half: [f32; 2],
}

impl Camera {
    /// A camera that shows a whole figure. O(1) for large figures: some thousand points are sampled.
    pub fn around(figure: &Figure) -> Self {
        Self::around_all([figure])
    }

    /// A camera that shows all of several figures: for pictures of one model in several poses.
    pub fn around_all<'f>(figures: impl IntoIterator<Item = &'f Figure>) -> Self {
        Self::turned(figures, 30.0, 15.0)
    }

    /// [`around_all`](Self::around_all) from another direction: rotated around the model by an angle (0: from the front) and
    /// raised by another one, in degrees.
    pub fn turned<'f>(figures: impl IntoIterator<Item = &'f Figure>, around: f32, above: f32) -> Self {
        let axes = axes(around.to_radians(), above.to_radians());
        let mut seen: [Vec<f32>; 3] = Default::default();
        for figure in figures {
            let step = figure.point_count().div_ceil(MAX_POINTS).max(1);
            let is_near = |point: &[f32; 3]| point.iter().all(|value| value.abs() < FARTHEST);
            for point in figure.points().step_by(step).filter(is_near) {
                for (seen, axis) in seen.iter_mut().zip(axes) {
                    seen.push(dot(axis, point));
                }
            }
        }
        let [(x, width), (y, height), (z, _)] = seen.map(extent);
        let [right, up, back] = axes;
        let centre = [0, 1, 2].map(|part: usize| {
            let of = |axis: [f32; 3]| axis.get(part).copied().unwrap_or_default();
            of(right) * x + of(up) * y + of(back) * z
        });
        // A figure without extent is a point in the middle.
        let least = width.max(height) * 1e-3;
        let half = [width, height].map(|edge| edge.max(least).max(1e-6) / FILLED);
        Self { axes, centre, half }
    }

    /// Width and height of the visible part of the model.
    pub fn size(&self) -> [f32; 2] {
        self.half.map(|half| half * 2.0)
    }

    /// A point in view space: to the right, up and towards the viewer, from the middle of the picture.
    #[inline]
    pub(crate) fn place(&self, [x, y, z]: [f32; 3]) -> [f32; 3] {
        let [cx, cy, cz] = self.centre;
        let from_centre = [x - cx, y - cy, z - cz];
        self.axes.map(|axis| dot(axis, from_centre))
    }

    /// A direction in view space.
    #[inline]
    pub(crate) fn turn(&self, direction: [f32; 3]) -> [f32; 3] {
        self.axes.map(|axis| dot(axis, direction))
    }
}

fn axes(around: f32, above: f32) -> [[f32; 3]; 3] {
    let ((sin, cos), (rise, level)) = (around.sin_cos(), above.sin_cos());
    [[cos, 0.0, -sin], [-sin * rise, level, -cos * rise], [sin * level, rise, cos * level]]
}

/// The middle of values and half of their extent, without outliers.
fn extent(mut values: Vec<f32>) -> (f32, f32) {
    values.sort_unstable_by(f32::total_cmp);
    let at = |share: usize| {
        let index = values.len().saturating_mul(share).checked_div(20).unwrap_or(0);
        values.get(index.min(values.len().saturating_sub(1))).copied().unwrap_or_default()
    };
    let (low, high) = (at(1), at(19));
    let spread = (high - low) * STRAY;
    let is_stray = |value: &&f32| spread > 0.0 && (**value < low - spread || **value > high + spread);
    let first = values.iter().find(|value| !is_stray(value)).copied().unwrap_or(low);
    let last = values.iter().rev().find(|value| !is_stray(value)).copied().unwrap_or(high);
    (first.midpoint(last), (last - first) / 2.0)
}

impl Figure {
    /// The bounding box of the figure in the space of glTF, with outliers; `None` without a finite point.
    pub fn bounds(&self) -> Option<Bounds> {
        Bounds::of(self.points())
    }
}
