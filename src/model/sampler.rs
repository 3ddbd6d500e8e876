//! Transforms of a clip at any time: two frames and a blend.

use super::clip::{Clip, Key, Keys, Scale, clip_error};
use super::prove_buffer;
use super::skeleton::RotationRule;
use super::space::Change;
use super::transform::Transform;
use crate::bytes::Vec4;
use crate::report::{Error, ErrorKind};

/// What follows the last frame of a clip.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Wrap {
    /// The first frame before the start, the last frame after the end.
    #[default]
    Clamp,
    /// The last frame blends into the first over the length of a frame; then time starts over. Before the start, the
    /// same.
    Loop,
}

/// Two frames and the weight of the second, 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Between {
    first: usize,
    second: usize,
    weight: f32,
}

impl Between {
    /// The frames around a position, which counts frames. `count` is at least 1.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_precision_loss,
        clippy::cast_sign_loss,
        clippy::as_conversions,
        reason = "the position is between 0 and the number of frames"
    )]
    fn of(position: f64, count: usize, wrap: Wrap) -> Self {
        let (last, length) = (count.saturating_sub(1), count as f64);
        // A position that is not a number is the start.
        let position = match wrap {
            Wrap::Clamp => position.max(0.0).min(last as f64),
            // The remainder of a number just below 0 can be the length itself, which is the start again.
            Wrap::Loop => Some(position.rem_euclid(length)).filter(|turned| *turned < length).unwrap_or(0.0),
        };
        let first = position as usize;
        let weight = (position - first as f64) as f32;
        let next = first.saturating_add(1);
        let second = match wrap {
            // On a frame, the next one does not count, even if its numbers are not finite.
            _ if weight == 0.0 => first,
            Wrap::Loop if next > last => 0,
            _ => next,
        };
        Self { first, second, weight }
    }
}

/// Above this square of the cosine of half the angle between two rotations, the line between them is as good as the
/// arc: the error is below a millionth of a radian.
const LINE_ABOVE: f32 = 0.999;

/// Below this distance of the square of a length from 1, the reciprocal of the length is taken from its series.
const NEAR_UNIT: f32 = 0.01;

/// Blends two rotations the shorter way, whatever their lengths. Of unit length; the identity if the blend has no
/// direction.
#[inline]
fn blend_rotation([ax, ay, az, aw]: [f32; 4], [bx, by, bz, bw]: [f32; 4], weight: f32) -> [f32; 4] {
    let cosine = ax * bx + ay * by + az * bz + aw * bw;
    let (aa, bb) = (ax * ax + ay * ay + az * az + aw * aw, bx * bx + by * by + bz * bz + bw * bw);
    let is_line = cosine * cosine >= LINE_ABOVE * (aa * bb);
    let (mut a, mut b) = ((1.0 - weight) * (1.5 - 0.5 * aa), weight.copysign(cosine) * (1.5 - 0.5 * bb));
    if !(is_line && (aa - 1.0).abs() < NEAR_UNIT && (bb - 1.0).abs() < NEAR_UNIT) {
        (a, b) = arc(cosine, aa.sqrt(), bb.sqrt(), weight);
    }
    normalized([a * ax + b * bx, a * ay + b * by, a * az + b * bz, a * aw + b * bw])
}

/// The weights of two rotations of these lengths on the arc between them. A rotation without length has no weight.
#[cold]
fn arc(product: f32, a_length: f32, b_length: f32, weight: f32) -> (f32, f32) {
    let reciprocal = |length: f32| if length > 0.0 { 1.0 / length } else { 0.0 };
    let (to_a, to_b) = (reciprocal(a_length), reciprocal(b_length));
    let cosine = (product * to_a * to_b).abs().min(1.0);
    let angle = cosine.acos();
    // Near 0, the sines are as the angles.
    let (a, b) =
        if angle > 1e-3 { (((1.0 - weight) * angle).sin(), (weight * angle).sin()) } else { (1.0 - weight, weight) };
    (a * to_a, b.copysign(product) * to_b)
}

/// A rotation of unit length; the identity for one without direction, or so short or long that its length is lost.
#[inline]
fn normalized([x, y, z, w]: [f32; 4]) -> [f32; 4] {
    let square = x * x + y * y + z * z + w * w;
    if square.is_normal() {
        let scale = 1.0 / square.sqrt();
        [x * scale, y * scale, z * scale, w * scale]
    } else {
        [0.0, 0.0, 0.0, 1.0]
    }
}

impl Transform {
    /// The transform with a rotation of unit length, as poses have it.
    pub(super) fn with_unit_rotation(self) -> Self {
        Self { rotation: normalized(self.rotation), ..self }
    }
}

#[inline]
fn blend_vector([ax, ay, az]: [f32; 3], [bx, by, bz]: [f32; 3], weight: f32) -> [f32; 3] {
    [ax + (bx - ax) * weight, ay + (by - ay) * weight, az + (bz - az) * weight]
}

#[inline]
fn blend_key<const REST: usize>(first: &Key<REST>, second: &Key<REST>, weight: f32) -> Transform {
    Transform::new(
        blend_vector(first.translation.get(), second.translation.get(), weight),
        blend_rotation(first.rotation.get(), second.rotation.get(), weight),
    )
}

/// Two rows of keys.
#[derive(Clone, Copy)]
enum Rows<'a> {
    Short(&'a [Key<0>], &'a [Key<0>]),
    Long(&'a [Key<4>], &'a [Key<4>]),
    Rotations(&'a [Vec4], &'a [Vec4]),
}

/// A clip between two of its frames.
#[derive(Clone, Copy)]
pub(super) struct Pair<'a> {
    rows: Rows<'a>,
    scales: Option<(&'a [Scale], &'a [Scale])>,
    rule: RotationRule,
    weight: f32,
}

impl Pair<'_> {
    /// The blend of a track, in the space of the file. `None` without such a track.
    #[inline]
    pub(super) fn track(&self, track: usize) -> Option<Transform> {
        let mut transform = match self.rows {
            Rows::Long(first, second) => blend_key(first.get(track)?, second.get(track)?, self.weight),
            Rows::Short(first, second) => blend_key(first.get(track)?, second.get(track)?, self.weight),
            Rows::Rotations(first, second) => {
                let rotation = blend_rotation(first.get(track)?.get(), second.get(track)?.get(), self.weight);
                Transform { rotation, ..Transform::IDENTITY }
            }
        };
        transform.rotation = self.rule.apply(track, transform.rotation);
        if let Some((first, second)) = self.scales {
            transform.scale = blend_vector(first.get(track)?.scale.get(), second.get(track)?.scale.get(), self.weight);
        }
        Some(transform)
    }
}

impl<'a> Clip<'a> {
    /// The transforms at a time in seconds, one for each track, blended between two frames: translation and scale on the
    /// line, rotation the shorter way on the arc. O(tracks), no allocation.
    ///
    /// Rotations have unit length; a rotation without direction is the identity. A time that is not a number is 0.
    ///
    /// # Errors
    /// [`ErrorKind::NoFrames`]; [`ErrorKind::NoRate`] without a positive rate, where
    /// [`sample_frame`](Clip::sample_frame) still works; [`ErrorKind::BufferSize`] if `out` does not have one transform
    /// for each track.
    pub fn sample(&self, seconds: f64, wrap: Wrap, out: &mut [Transform]) -> Result<(), Error> {
        self.sample_frame(self.position_of(seconds)?, wrap, out)
    }

    /// [`sample`](Clip::sample) at a position in frames: 1.5 is halfway between frames 1 and 2.
    ///
    /// # Errors
    /// [`ErrorKind::NoFrames`] and [`ErrorKind::BufferSize`], as [`sample`](Clip::sample).
    pub fn sample_frame(&self, position: f64, wrap: Wrap, out: &mut [Transform]) -> Result<(), Error> {
        prove_buffer(out.len(), self.track_count()).map_err(clip_error)?;
        let pair = self.pair(position, wrap)?;
        for (track, out) in out.iter_mut().enumerate() {
            *out = pair.track(track).unwrap_or_default();
        }
        if self.change != Change::NONE {
            for out in out {
                *out = self.change.transform(out);
            }
        }
        Ok(())
    }

    /// The position of a time in frames, for [`sample_frame`](Clip::sample_frame): seconds times rate.
    ///
    /// # Errors
    /// [`ErrorKind::NoRate`] without a positive rate.
    pub fn position_of(&self, seconds: f64) -> Result<f64, Error> {
        Ok(seconds * self.rate().ok_or_else(|| clip_error(ErrorKind::NoRate))?)
    }

    /// The two frames around a position.
    pub(super) fn pair(&self, position: f64, wrap: Wrap) -> Result<Pair<'a>, Error> {
        if self.frame_count() == 0 {
            return Err(clip_error(ErrorKind::NoFrames));
        }
        let Between { first, second, weight } = Between::of(position, self.frame_count(), wrap);
        let rows = match self.keys {
            Keys::Short(keys) => Rows::Short(self.row(keys, first), self.row(keys, second)),
            Keys::Long(keys) => Rows::Long(self.row(keys, first), self.row(keys, second)),
            Keys::Rotations(rotations) => {
                let row = |frame| rotations.frame(frame, self.track_count()).unwrap_or_default();
                Rows::Rotations(row(first), row(second))
            }
        };
        let scales = (!self.scales.is_empty()).then(|| (self.row(self.scales, first), self.row(self.scales, second)));
        Ok(Pair { rows, scales, rule: self.rule, weight })
    }
}
