//! Points far away from the rest of the model.

use alloc::{format, vec::Vec};

use super::Points;
use crate::model::Bounds;
use crate::model::maths::hypot;
use crate::report::codes::POINT_FAR;
use crate::report::{Report, SectionStart, all_finite};

/// A point is an outlier if it is more than this many times the size of the model outside of its box. In real files, the
/// maximum is 5.
const FAR: f32 = 20.0;

/// Number of points that are sampled to find the box around most of them.
const SAMPLES: usize = 256;

/// At most this fraction of the points lies outside of the box on each side, and at least one point.
const OUTSIDE: usize = 20;

/// Fewer points are no evidence.
const MIN_POINTS: usize = 8;

/// The box around the bones and 90 % of the points.
pub(super) struct Most {
    bounds: Bounds,
    size: f32,
    /// Whether any point is far away from the rest.
    has_far: bool,
}

impl Most {
    /// `None` if there is no size to compare with.
    pub(super) fn of(points: &Points<'_>, joints: &[[f32; 3]]) -> Option<Self> {
        let bounds = box_of_most(points, joints)?;
        let size = length(bounds.size());
        let mut own = (size > 0.0 && size.is_finite()).then_some(Self { bounds, size, has_far: true })?;
        // For most models, the box of all points shows that there are no outliers.
        own.has_far = points.bounds().is_some_and(|all| own.is_far(all.min) || own.is_far(all.max));
        Some(own)
    }

    /// The distance of a point from the box, in sizes of the box.
    fn reach(&self, point: [f32; 3]) -> f32 {
        let mut beyond = [0.0; 3];
        for (((beyond, value), low), high) in beyond.iter_mut().zip(point).zip(self.bounds.min).zip(self.bounds.max) {
            *beyond = (low - value).max(value - high).max(0.0);
        }
        length(beyond) / self.size
    }

    /// Whether a point is finite and an outlier.
    pub(super) fn is_far(&self, point: [f32; 3]) -> bool {
        self.has_far && all_finite(point) && self.reach(point) > FAR
    }

    /// Reports points that are far away from the rest.
    pub(super) fn check(&self, points: &Points<'_>, report: &mut Report, place: SectionStart) {
        let mut far = report.tally(POINT_FAR, place);
        let all = points.iter().enumerate().take(if self.has_far { usize::MAX } else { 0 });
        for (index, point) in all.filter(|(_, point)| self.is_far(*point)) {
            far.hit(index, || {
                let ([x, y, z], reach) = (point, self.reach(point));
                let reach = if reach < 1e4 { format!("{reach:.0}") } else { format!("{reach:.1e}") };
                format!(
                    "point {index} at ({x:?}, {y:?}, {z:?}) is {reach} times the size of the model away from the rest of the model"
                )
            });
        }
        report.add([far]);
    }
}

/// The box around the bones and most of the points.
fn box_of_most(points: &Points<'_>, joints: &[[f32; 3]]) -> Option<Bounds> {
    let step = points.len().div_ceil(SAMPLES).max(1);
    let samples: Vec<[f32; 3]> = (0..points.len())
        .step_by(step)
        .filter_map(|point| points.get(point))
        .filter(|point| all_finite(*point))
        .collect();
    let mut axes: [Vec<f32>; 3] = Default::default();
    for point in &samples {
        axes.iter_mut().zip(point).for_each(|(axis, value)| axis.push(*value));
    }
    let (mut low, mut high) = ([0.0; 3], [0.0; 3]);
    for ((axis, low), high) in axes.iter_mut().zip(&mut low).zip(&mut high) {
        let cut = axis.len().checked_div(OUTSIDE).filter(|_| axis.len() >= MIN_POINTS)?.max(1);
        let last = axis.len().checked_sub(cut.checked_add(1)?)?;
        *low = *axis.select_nth_unstable_by(cut, f32::total_cmp).1;
        *high = *axis.select_nth_unstable_by(last, f32::total_cmp).1;
    }
    Bounds::of([low, high].into_iter().chain(joints.iter().copied()))
}

/// The length of a vector, even if its square overflows a float.
fn length(vector: [f32; 3]) -> f32 {
    let [x, y, z] = vector;
    hypot(hypot(x, y), z)
}
