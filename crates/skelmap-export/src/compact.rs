//! Vertices in small numbers, as `KHR_mesh_quantization` has them.

use std::io::{Result, Write};

use skelmap::model::{Bounds, Transform, Vertices};

use crate::json;
use crate::report::write_floats;

/// The cube around a mesh: positions are parts of its half edge, from its centre.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cube {
    centre: [f32; 3],
    half: f32,
}

impl Cube {
    /// `None` for a mesh whose size has no use in a float: its positions stay floats.
    pub(crate) fn around(vertices: &Vertices) -> Option<Self> {
        let Bounds { min, max } =
            Bounds::of(vertices.parts.iter().flat_map(|part| [part.bounds.min, part.bounds.max]))?;
        let (mut centre, mut half) = ([0.0; 3], 0.0_f32);
        for ((centre, min), max) in centre.iter_mut().zip(min).zip(max) {
            *centre = min / 2.0 + max / 2.0;
            half = half.max(max - *centre).max(*centre - min);
        }
        (half > 1e-12 && half < 1e12).then_some(Self { centre, half })
    }

    /// Where the cube of edge 2 around the origin has to be.
    pub(crate) const fn place(&self) -> Transform {
        Transform { translation: self.centre, scale: [self.half; 3], ..Transform::IDENTITY }
    }

    pub(crate) fn to_short(self, position: [f32; 3]) -> [i16; 3] {
        let mut stored = [0; 3];
        for ((stored, value), centre) in stored.iter_mut().zip(position).zip(self.centre) {
            *stored = to_short((value - centre) / self.half);
        }
        stored
    }

    pub(crate) fn to_offset(self, offset: [f32; 3]) -> [f32; 3] {
        offset.map(|value| value / self.half)
    }

    /// The most that a position is moved: half a step along each axis.
    pub(crate) fn error(&self) -> f32 {
        self.half / 32767.0 / 2.0 * 3.0_f32.sqrt()
    }
}

/// The numbers of a UV set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum UvForm {
    Float,
    /// From 0 to 1.
    Unsigned,
    /// From -1 to 1.
    Signed,
}

impl UvForm {
    /// The smallest numbers that have all coordinates.
    pub(crate) fn of(all: impl Iterator<Item = [f32; 2]>) -> Self {
        let mut form = Self::Unsigned;
        for value in all.flatten() {
            form = match value {
                0.0..=1.0 => form,
                -1.0..=1.0 => Self::Signed,
                _ => return Self::Float,
            };
        }
        form
    }

    /// The type of the components, and the bytes of both.
    pub(crate) const fn component(self) -> (u32, u32) {
        match self {
            Self::Float => (json::FLOAT, 8),
            Self::Unsigned => (json::UNSIGNED_SHORT, 4),
            Self::Signed => (json::SHORT, 4),
        }
    }

    pub(crate) fn write(self, uv: [f32; 2], out: &mut Vec<u8>) -> Result<()> {
        match self {
            Self::Float => write_floats(out, &uv),
            Self::Unsigned => out.write_all(uv.map(|value| to_share(value).to_le_bytes()).as_flattened()),
            Self::Signed => out.write_all(uv.map(|value| to_short(value).to_le_bytes()).as_flattened()),
        }
    }
}

/// Weights in 16 bits that sum to 65,535: the largest, which is the first, takes the rounding error.
pub(crate) fn to_shares<const N: usize>(weights: [f32; N]) -> [u16; N] {
    let mut shares = weights.map(to_share);
    let rest = shares.iter().skip(1).fold(0_u16, |sum, share| sum.saturating_add(*share));
    shares.first_mut().into_iter().for_each(|first| *first = u16::MAX.saturating_sub(rest));
    shares
}

/// A number between 0 and 1 in 16 bits, as glTF normalises them.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::as_conversions,
    reason = "the range is that of a `u16`"
)]
fn to_share(value: f32) -> u16 {
    (value.clamp(0.0, 1.0) * 65535.0).round() as u16
}

/// A number between -1 and 1 in 16 bits, as glTF normalises them.
#[expect(clippy::cast_possible_truncation, clippy::as_conversions, reason = "the range is that of an `i16`")]
pub(crate) fn to_short(value: f32) -> i16 {
    (value.clamp(-1.0, 1.0) * 32767.0).round() as i16
}

/// A number between -1 and 1 in 8 bits, as glTF normalises them.
#[expect(clippy::cast_possible_truncation, clippy::as_conversions, reason = "the range is that of an `i8`")]
pub(crate) fn to_byte(value: f32) -> i8 {
    (value.clamp(-1.0, 1.0) * 127.0).round() as i8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_sum_to_the_largest_number() {
        for weights in [[1.0, 0.0, 0.0, 0.0], [0.25; 4], [0.4, 0.3, 0.2, 0.1], [0.999_999, 1e-6, 0.0, 0.0]] {
            let sum: u32 = to_shares(weights).map(u32::from).iter().sum();
            assert_eq!(sum, 65_535, "{weights:?}");
        }
    }

    #[test]
    fn texture_coordinates_outside_of_the_range_stay_floats() {
        assert_eq!(UvForm::of([[0.0, 1.0], [0.5, 0.25]].into_iter()), UvForm::Unsigned);
        assert_eq!(UvForm::of([[0.0, -1.0]].into_iter()), UvForm::Signed);
        assert_eq!(UvForm::of([[0.0, -0.5], [1.5, 0.0]].into_iter()), UvForm::Float);
        assert_eq!(UvForm::of([[f32::NAN, 0.0]].into_iter()), UvForm::Float);
    }
}
