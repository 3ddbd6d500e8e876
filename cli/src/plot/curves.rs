//! The values of a plot, column by column.

use skelmap::model::Clip;

/// The most columns: a longer animation has several frames in each.
const MAX_COLUMNS: usize = 1024;

/// Values farther from the middle eight tenths than so many times their extent are left out.
const STRAY: f64 = 20.0;

/// The least and the greatest value of a column; none without a value.
pub(super) type Span = Option<(f64, f64)>;

/// The values of a bone: of x, y, z, the rotation and the speed, each a span for each column.
pub(super) struct Motion {
    pub(super) name: String,
    values: [Vec<Span>; 5],
    left_out: u64,
}

/// One diagram: a curve for each bone.
pub(super) struct Panel {
    pub(super) title: &'static str,
    pub(super) unit: String,
    /// The least and the greatest value of all curves.
    pub(super) range: (f64, f64),
    pub(super) curves: Vec<Vec<Span>>,
}

/// What is plotted.
pub(super) struct Plot {
    pub(super) title: String,
    pub(super) bones: Vec<String>,
    pub(super) panels: Vec<Panel>,
    pub(super) frames: usize,
    pub(super) seconds: Option<f64>,
    /// Values that are not drawn.
    pub(super) left_out: u64,
}

impl Motion {
    /// Reads a track. Memory is that of the columns. O(frames).
    pub(super) fn new(clip: &Clip<'_>, track: usize, name: String) -> Self {
        let frames = clip.frame_count();
        let columns = frames.min(MAX_COLUMNS);
        let mut motion = Self { name, values: std::array::from_fn(|_| vec![None; columns]), left_out: 0 };
        let first = clip.transform(0, track).unwrap_or_default();
        let mut before: Option<[f64; 3]> = None;
        for frame in 0..frames {
            let Some(transform) = clip.transform(frame, track) else { continue };
            let column = usize::try_from(frame as u128 * columns as u128 / frames as u128).unwrap_or(0);
            let place = transform.translation.map(f64::from);
            if clip.parts().translation {
                let [x, y, z] = place;
                let speed = before.zip(clip.rate()).map(|(before, rate)| apart(before, place) * rate);
                for (part, value) in [Some(x), Some(y), Some(z), None, speed].into_iter().enumerate() {
                    if let Some(value) = value {
                        motion.add(part, column, value);
                    }
                }
                before = Some(place);
            }
            motion.add(3, column, angle(first.rotation, transform.rotation));
        }
        motion
    }

    fn add(&mut self, part: usize, column: usize, value: f64) {
        if !value.is_finite() {
            self.left_out += 1;
            return;
        }
        let span = self.values.get_mut(part).and_then(|values| values.get_mut(column));
        if let Some(span) = span {
            let (low, high) = span.unwrap_or((value, value));
            *span = Some((low.min(value), high.max(value)));
        }
    }
}

fn apart(one: [f64; 3], other: [f64; 3]) -> f64 {
    one.iter().zip(other).map(|(one, other)| (one - other) * (one - other)).sum::<f64>().sqrt()
}

/// Degrees between two rotations of any length.
fn angle(one: [f32; 4], other: [f32; 4]) -> f64 {
    let product = |one: [f32; 4], other: [f32; 4]| -> f64 {
        one.iter().zip(other).map(|(one, other)| f64::from(*one) * f64::from(other)).sum()
    };
    let cosine = product(one, other) / (product(one, one) * product(other, other)).sqrt();
    2.0 * cosine.abs().min(1.0).acos().to_degrees()
}

impl Plot {
    pub(super) fn new(title: String, clip: &Clip<'_>, motions: Vec<Motion>) -> Self {
        let unit = if clip.space().is_some_and(|space| space.metres() == Some(1.0)) { "m" } else { "units" };
        let mut left_out = motions.iter().map(|motion| motion.left_out).sum();
        let mut panels = Vec::new();
        let titles = [("x", unit.to_owned()), ("y", unit.to_owned()), ("z", unit.to_owned())];
        let titles = titles.into_iter().chain([("rotation", "degrees".to_owned()), ("speed", format!("{unit}/s"))]);
        for (part, (title, unit)) in titles.enumerate() {
            let mut curves: Vec<Vec<Span>> =
                motions.iter().filter_map(|motion| motion.values.get(part)).cloned().collect();
            if let Some(range) = range(&mut curves, &mut left_out) {
                panels.push(Panel { title, unit, range, curves });
            }
        }
        let bones = motions.into_iter().map(|motion| motion.name).collect();
        Self { title, bones, panels, frames: clip.frame_count(), seconds: clip.duration(), left_out }
    }
}

/// The range of all values. Spans with strays are removed.
fn range(curves: &mut [Vec<Span>], left_out: &mut u64) -> Option<(f64, f64)> {
    let mut ends: Vec<f64> = curves.iter().flatten().flatten().flat_map(|(low, high)| [*low, *high]).collect();
    ends.sort_unstable_by(f64::total_cmp);
    let at = |share: usize| ends.get((ends.len() * share / 20).min(ends.len().saturating_sub(1))).copied();
    let (low, high) = (at(2)?, at(18)?);
    // Values that are equal but for a few have no extent.
    let spread = if high > low { (high - low) * STRAY } else { (1.0 + low.abs()) * 1e6 };
    let is_stray = |value: f64| value < low - spread || value > high + spread;
    for span in curves.iter_mut().flatten() {
        if span.is_some_and(|(low, high)| is_stray(low) || is_stray(high)) {
            *span = None;
            *left_out += 1;
        }
    }
    let mut near = ends.iter().copied().filter(|value| !is_stray(*value));
    let first = near.next()?;
    Some((first, near.next_back().unwrap_or(first)))
}
