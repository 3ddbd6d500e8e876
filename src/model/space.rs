//! Spaces: the meaning of a file's axes, and the change from one space to another.

use super::matrix::Matrix;
use super::transform::Transform;

/// The meaning of the axes and the unit of the values of a file.
///
/// A space maps each of its axes to an axis of glTF (right-handed, y up). So every pair of spaces has a
/// [`Change`]: a permutation of the axes with signs, and a factor for the unit.
///
/// ```
/// use skelmap::model::Space;
///
/// let to_gltf = Space::ACTORX.with_metres(0.01).change_to(&Space::GLTF);
/// assert_eq!(to_gltf.position([100.0, 200.0, 300.0]), [1.0, 3.0, -2.0]);
/// assert!(!to_gltf.is_mirror());
/// assert!(Space::PYROGENESIS.change_to(&Space::GLTF).is_mirror());
/// ```
///
/// Checked on 949 real sets of files (glTF reference, sections 1 and 2).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Space {
    /// For each axis of glTF, the axis of this space that maps to it, and its sign.
    axes: [(Axis, f32); 3],
    metres: Option<f32>,
}

/// One of three axes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Axis {
    /// The first component.
    X,
    /// The second component.
    Y,
    /// The third component.
    Z,
}

/// The handedness of the axes x, y and z.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Handedness {
    /// x is the thumb, y the index finger and z the middle finger of the left hand.
    Left,
    /// x is the thumb, y the index finger and z the middle finger of the right hand.
    Right,
}

impl Handedness {
    /// The stable name, as the command line prints it.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Left => "left",
            Self::Right => "right",
        }
    }
}

impl Axis {
    /// The stable name, as the command line prints it.
    pub const fn code(self) -> &'static str {
        match self {
            Self::X => "x",
            Self::Y => "y",
            Self::Z => "z",
        }
    }

    #[inline]
    pub(super) const fn of<T: Copy>(self, [x, y, z]: [T; 3]) -> T {
        match self {
            Self::X => x,
            Self::Y => y,
            Self::Z => z,
        }
    }
}

impl Space {
    /// glTF 2.0: right-handed, y up, metres.
    pub const GLTF: Self = Self { axes: [(Axis::X, 1.0), (Axis::Y, 1.0), (Axis::Z, 1.0)], metres: Some(1.0) };

    /// Files of Unreal's `ActorX` exporters: right-handed, z up; Unreal's space with y negated. Files do not state their unit.
    pub const ACTORX: Self = Self { axes: [(Axis::X, 1.0), (Axis::Z, 1.0), (Axis::Y, -1.0)], metres: None };

    /// Unreal Engine: left-handed, z up, centimetres.
    pub const UNREAL: Self = Self { axes: [(Axis::X, 1.0), (Axis::Z, 1.0), (Axis::Y, 1.0)], metres: Some(0.01) };

    /// UEFormat files from version 8 on: the axes of Unreal Engine. Files do not state their unit, which is usually a centimetre.
    pub const UEFORMAT: Self = Self { metres: None, ..Self::UNREAL };

    /// Pyrogenesis (0 A.D.): left-handed, y up, metres.
    pub const PYROGENESIS: Self = Self { axes: [(Axis::X, 1.0), (Axis::Y, 1.0), (Axis::Z, -1.0)], metres: Some(1.0) };

    /// The same axes with a unit of `metres`. A number that is not positive means that the unit is not known.
    #[must_use]
    pub fn with_metres(self, metres: f32) -> Self {
        Self { metres: (metres.is_finite() && metres > 0.0).then_some(metres), ..self }
    }

    /// Whether the axes of two spaces have the same meaning.
    pub(crate) fn has_axes_of(&self, other: &Self) -> bool {
        self.axes == other.axes
    }

    /// This space with the unit of another one.
    pub(crate) const fn measured_like(self, other: &Self) -> Self {
        Self { metres: other.metres, ..self }
    }

    /// This space, without a unit if the other one has none: a change does not invent a unit.
    pub(crate) const fn measured_as(self, own: &Self) -> Self {
        match own.metres {
            Some(_) => self,
            None => Self { metres: None, ..self },
        }
    }

    /// Metres in a unit; `None` if the file does not state it.
    pub const fn metres(&self) -> Option<f32> {
        self.metres
    }

    /// The vertical axis, and its sign.
    pub const fn up(&self) -> (Axis, f32) {
        let [_, up, _] = self.axes;
        up
    }

    /// The handedness of the axes.
    pub fn handedness(&self) -> Handedness {
        if self.determinant() > 0.0 { Handedness::Right } else { Handedness::Left }
    }

    /// The determinant of the map to glTF: 1, or -1 for a mirror.
    fn determinant(&self) -> f32 {
        let [(a, x), (b, y), (c, z)] = self.axes;
        let is_even = matches!((a, b, c), (Axis::X, Axis::Y, _) | (Axis::Y, Axis::Z, _) | (Axis::Z, Axis::X, _));
        if is_even { x * y * z } else { -(x * y * z) }
    }

    /// The change of values from this space to another. If one of the units is not known, lengths are not scaled. O(1).
    pub fn change_to(&self, to: &Self) -> Change {
        let scale = match (self.metres, to.metres) {
            (Some(from), Some(to)) => from / to,
            _ => 1.0,
        };
        // For each axis of glTF: the axis of the target, which takes the value, and the axis of the source.
        let mut change = Change { scale, mirror: self.determinant() * to.determinant() < 0.0, ..Change::NONE };
        for ((target, target_sign), (source, source_sign)) in to.axes.into_iter().zip(self.axes) {
            let [x, y, z] = &mut change.axes;
            let slot = match target {
                Axis::X => x,
                Axis::Y => y,
                Axis::Z => z,
            };
            *slot = (source, target_sign * source_sign);
        }
        change
    }
}

/// A change of values from one space to another: p' = s P p, where P permutes the axes and changes signs.
///
/// A rotation keeps its scalar; its vector changes to det(P) P v. A scale is permuted. From [`Space::change_to`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Change {
    /// For each component of the result, the component that it comes from, and its sign.
    pub(super) axes: [(Axis, f32); 3],
    pub(super) scale: f32,
    pub(super) mirror: bool,
}

impl Default for Change {
    fn default() -> Self {
        Self::NONE
    }
}

impl Change {
    /// The identity.
    pub const NONE: Self = Self { axes: [(Axis::X, 1.0), (Axis::Y, 1.0), (Axis::Z, 1.0)], scale: 1.0, mirror: false };

    /// Whether the change mirrors. Faces are then reversed: their corners run the other way.
    pub const fn is_mirror(&self) -> bool {
        self.mirror
    }

    /// The factor of lengths.
    pub const fn scale(&self) -> f32 {
        self.scale
    }

    /// A position or an offset. O(1).
    #[inline]
    pub fn position(&self, position: [f32; 3]) -> [f32; 3] {
        self.direction(position).map(|value| value * self.scale)
    }

    /// A direction, such as a normal: not scaled. O(1).
    #[inline]
    pub fn direction(&self, direction: [f32; 3]) -> [f32; 3] {
        self.axes.map(|(axis, sign)| axis.of(direction) * sign)
    }

    /// A rotation, a quaternion x, y, z, w. O(1).
    #[inline]
    pub fn rotation(&self, [x, y, z, w]: [f32; 4]) -> [f32; 4] {
        let [x, y, z] = self.direction([x, y, z]);
        if self.mirror { [-x, -y, -z, w] } else { [x, y, z, w] }
    }

    /// A transform. O(1).
    #[inline]
    pub fn transform(&self, transform: &Transform) -> Transform {
        Transform {
            translation: self.position(transform.translation),
            rotation: self.rotation(transform.rotation),
            scale: self.axes.map(|(axis, _)| axis.of(transform.scale)),
        }
    }

    /// The sign of each axis times a factor.
    pub(super) fn factors(&self, factor: f32) -> [f32; 3] {
        self.axes.map(|(_, sign)| sign * factor)
    }

    /// Changes the first three components of many values: the axes are permuted, then multiplied by these factors. One loop for each permutation, so that
    /// the compiler vectorises it.
    pub(super) fn all(&self, values: &mut [[f32; 4]], factors: [f32; 3]) {
        match self.axes.map(|(axis, _)| axis) {
            [Axis::X, Axis::Y, Axis::Z] if factors == [1.0; 3] => {}
            [Axis::X, Axis::Y, Axis::Z] => each(values, factors, |own| own),
            [Axis::X, Axis::Z, Axis::Y] => each(values, factors, |[x, y, z]| [x, z, y]),
            [Axis::Y, Axis::Z, Axis::X] => each(values, factors, |[x, y, z]| [y, z, x]),
            axes => each(values, factors, |own| axes.map(|axis| axis.of(own))),
        }
    }

    /// A matrix that moves points of the source space, as a matrix that moves points of the target space: C M C⁻¹. O(1).
    pub fn matrix(&self, matrix: &Matrix) -> Matrix {
        let [a0, a1, a2, _, b0, b1, b2, _, c0, c1, c2, _, x, y, z, _] = *matrix;
        let columns = self.axes.map(|(axis, sign)| {
            let column = axis.of([[a0, a1, a2], [b0, b1, b2], [c0, c1, c2]]);
            self.direction(column).map(|value| value * sign)
        });
        let ([[a0, a1, a2], [b0, b1, b2], [c0, c1, c2]], [x, y, z]) = (columns, self.position([x, y, z]));
        [a0, a1, a2, 0.0, b0, b1, b2, 0.0, c0, c1, c2, 0.0, x, y, z, 1.0]
    }

    /// This change as a matrix.
    pub(crate) fn to_matrix(self) -> Matrix {
        let [[a0, a1, a2], [b0, b1, b2], [c0, c1, c2]] =
            [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].map(|axis| self.position(axis));
        [a0, a1, a2, 0.0, b0, b1, b2, 0.0, c0, c1, c2, 0.0, 0.0, 0.0, 0.0, 1.0]
    }
}

#[inline]
fn each(values: &mut [[f32; 4]], [a, b, c]: [f32; 3], permuted: impl Fn([f32; 3]) -> [f32; 3]) {
    for value in values {
        let [x, y, z, w] = *value;
        let [x, y, z] = permuted([x, y, z]);
        *value = [x * a, y * b, z * c, w];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_space_has_a_unit_if_it_is_a_positive_number() {
        for metres in [0.0, -0.0, -1.0, f32::INFINITY, f32::NEG_INFINITY, f32::NAN] {
            assert_eq!(Space::UNREAL.with_metres(metres).metres(), None, "{metres}");
        }
        for metres in [f32::MIN_POSITIVE, 0.01, f32::MAX] {
            assert_eq!(Space::ACTORX.with_metres(metres).metres(), Some(metres));
        }
    }

    /// The determinant of a permutation of three axes with signs, by its cycles: two axes that change places, and each minus, mirror once.
    #[test]
    fn an_exchange_of_two_axes_and_each_minus_mirror_a_space() {
        let (x, y, z) = (Axis::X, Axis::Y, Axis::Z);
        for (order, exchanges) in
            [([x, y, z], 0), ([y, z, x], 0), ([z, x, y], 0), ([x, z, y], 1), ([z, y, x], 1), ([y, x, z], 1)]
        {
            for signs in [
                [1.0, 1.0, 1.0],
                [-1.0, 1.0, 1.0],
                [1.0, -1.0, 1.0],
                [1.0, 1.0, -1.0],
                [-1.0, -1.0, 1.0],
                [-1.0, 1.0, -1.0],
                [1.0, -1.0, -1.0],
                [-1.0, -1.0, -1.0],
            ] {
                let mirrors = exchanges + signs.iter().filter(|sign| **sign < 0.0).count();
                let axes = [(order[0], signs[0]), (order[1], signs[1]), (order[2], signs[2])];
                let space = Space { axes, metres: None };
                let expected = if mirrors % 2 == 0 { Handedness::Right } else { Handedness::Left };
                assert_eq!(space.handedness(), expected, "{axes:?}");
                assert_eq!(space.change_to(&Space::GLTF).is_mirror(), mirrors % 2 == 1, "{axes:?}");
            }
        }
    }
}
