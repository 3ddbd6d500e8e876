//! The arithmetic of vectors, rotations and matrices, shared by the model and the crates above it.
//!
//! All in `f32` without fused multiply-add, in the order of the Pyrogenesis engine; in `f64` where the name says so.

#![allow(missing_docs, reason = "for the other crates of this workspace: names of the field, no interface for users")]

use super::matrix::{IDENTITY, Matrix};

/// Declares functions that `core` lacks: those of `std`, or without it those of `libm`.
macro_rules! functions {
    ($($name:ident($($argument:ident),+): $type:ident::$of_std:ident, $of_libm:ident;)+) => {$(
        #[inline]
        pub fn $name($($argument: $type),+) -> $type {
            #[cfg(feature = "std")]
            let value = $type::$of_std($($argument),+);
            #[cfg(not(feature = "std"))]
            let value = libm::$of_libm($($argument),+);
            value
        }
    )+};
}

functions! {
    sqrt(value): f32::sqrt, sqrtf;
    sin(angle): f32::sin, sinf;
    cos(angle): f32::cos, cosf;
    acos(value): f32::acos, acosf;
    hypot(x, y): f32::hypot, hypotf;
    sqrt64(value): f64::sqrt, sqrt;
    acos64(value): f64::acos, acos;
    hypot64(x, y): f64::hypot, hypot;
    floor64(value): f64::floor, floor;
}

/// Declares the products of two vectors.
macro_rules! products {
    ($type:ident, $dot:ident, $cross:ident) => {
        #[inline]
        pub const fn $dot([ax, ay, az]: [$type; 3], [bx, by, bz]: [$type; 3]) -> $type {
            ax * bx + ay * by + az * bz
        }

        #[inline]
        pub const fn $cross([ax, ay, az]: [$type; 3], [bx, by, bz]: [$type; 3]) -> [$type; 3] {
            [ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx]
        }
    };
}

products!(f32, dot, cross);
products!(f64, dot64, cross64);

/// A vector of length 1: multiplied by the reciprocal of the length.
#[inline]
pub fn normalized(vector: [f32; 3]) -> [f32; 3] {
    let scale = 1.0 / sqrt(dot(vector, vector));
    vector.map(|value| value * scale)
}

/// A vector of length 1, computed in `f64`; `None` for one without a direction.
pub fn unit64(vector: [f32; 3]) -> Option<[f32; 3]> {
    let wide = vector.map(f64::from);
    let length = sqrt64(dot64(wide, wide));
    (length.is_finite() && length > 1e-12).then(|| narrowed(wide.map(|value| value / length)))
}

/// A vector in `f32`.
#[expect(clippy::cast_possible_truncation, clippy::as_conversions, reason = "the model is `f32`")]
pub fn narrowed(vector: [f64; 3]) -> [f32; 3] {
    vector.map(|value| value as f32)
}

/// A rotation, a quaternion x, y, z, w.
pub type Rotation = [f32; 4];

/// The identity rotation.
pub const NO_TURN: Rotation = [0.0, 0.0, 0.0, 1.0];

/// The cosine of half the angle between two rotations of unit length.
#[inline]
pub const fn cosine([ax, ay, az, aw]: Rotation, [bx, by, bz, bw]: Rotation) -> f32 {
    ax * bx + ay * by + az * bz + aw * bw
}

/// A rotation of unit length; the identity for one without direction: of length 0, or not finite.
#[inline]
pub fn unit_rotation(rotation: Rotation) -> Rotation {
    unit_or(rotation, NO_TURN)
}

/// A rotation of unit length; `other` for one without direction.
#[inline]
pub fn unit_or(rotation: Rotation, other: Rotation) -> Rotation {
    let square = cosine(rotation, rotation);
    if !square.is_normal() {
        return unit_of_any_length(rotation).unwrap_or(other);
    }
    let scale = 1.0 / sqrt(square);
    rotation.map(|value| value * scale)
}

/// A rotation of unit length, computed in `f64`, in which the square of no length is lost.
#[cold]
#[expect(clippy::cast_possible_truncation, clippy::as_conversions, reason = "the model is `f32`")]
fn unit_of_any_length(rotation: Rotation) -> Option<Rotation> {
    let wide = rotation.map(f64::from);
    let length = sqrt64(wide.iter().map(|value| value * value).sum());
    (length > 0.0 && length.is_finite()).then(|| wide.map(|value| (value / length) as f32))
}

/// The product of two rotations, `right` first.
#[inline]
pub const fn rotation_product([ax, ay, az, aw]: Rotation, [bx, by, bz, bw]: Rotation) -> Rotation {
    [
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
        aw * bw - ax * bx - ay * by - az * bz,
    ]
}

/// The conjugate of a quaternion x, y, z, w: for unit length, the inverse rotation.
#[inline]
pub const fn conjugated([x, y, z, w]: Rotation) -> Rotation {
    [-x, -y, -z, w]
}

/// If the cosine differs from 1 by more than this, rotations are interpolated on the sphere, else linearly.
const SLERP_FROM: f32 = 0.0001;

/// Interpolates two rotations the shorter way. The result is not normalised.
#[inline]
pub fn slerp(from: Rotation, to: Rotation, between: f32) -> Rotation {
    let ([ax, ay, az, aw], cosine) = (from, cosine(from, to));
    let (cosine, [bx, by, bz, bw]) = if cosine < 0.0 { (-cosine, to.map(|part| -part)) } else { (cosine, to) };
    let (a, b) = if 1.0 - cosine > SLERP_FROM {
        let angle = acos(cosine);
        let sine = sin(angle);
        (sin((1.0 - between) * angle) / sine, sin(between * angle) / sine)
    } else {
        (1.0 - between, between)
    };
    [a * ax + b * bx, a * ay + b * by, a * az + b * bz, a * aw + b * bw]
}

/// A vector, rotated.
#[inline]
pub const fn turned([x, y, z, w]: Rotation, vector: [f32; 3]) -> [f32; 3] {
    let axis = [x, y, z];
    let [tx, ty, tz] = cross(axis, vector);
    let twice @ [a, b, c] = [tx * 2.0, ty * 2.0, tz * 2.0];
    let ([d, e, f], [vx, vy, vz]) = (cross(axis, twice), vector);
    [vx + w * a + d, vy + w * b + e, vz + w * c + f]
}

/// The rotation about an axis of unit length.
pub fn about([x, y, z]: [f32; 3], radians: f32) -> Rotation {
    let (sin, cos) = (sin(radians / 2.0), cos(radians / 2.0));
    [x * sin, y * sin, z * sin, cos]
}

/// A transform followed by a translation.
#[inline]
pub fn translated(mut matrix: Matrix, [x, y, z]: [f32; 3]) -> Matrix {
    let [_, _, _, _, _, _, _, _, _, _, _, _, tx, ty, tz, _] = &mut matrix;
    *tx += x;
    *ty += y;
    *tz += z;
    matrix
}

/// The product of two transforms: `right` first, then `left`. All four terms are added to keep the signs of zeros.
#[inline]
pub fn product(left: &Matrix, right: &Matrix) -> Matrix {
    let [a0, a1, a2, a3, b0, b1, b2, b3, c0, c1, c2, c3, d0, d1, d2, d3] = *left;
    let column = |x: f32, y: f32, z: f32, w: f32| {
        [
            a0 * x + b0 * y + c0 * z + d0 * w,
            a1 * x + b1 * y + c1 * z + d1 * w,
            a2 * x + b2 * y + c2 * z + d2 * w,
            a3 * x + b3 * y + c3 * z + d3 * w,
        ]
    };
    let [e0, e1, e2, e3, f0, f1, f2, f3, g0, g1, g2, g3, h0, h1, h2, h3] = *right;
    let [p0, p1, p2, p3] = column(e0, e1, e2, e3);
    let [q0, q1, q2, q3] = column(f0, f1, f2, f3);
    let [r0, r1, r2, r3] = column(g0, g1, g2, g3);
    let [s0, s1, s2, s3] = column(h0, h1, h2, h3);
    [p0, p1, p2, p3, q0, q1, q2, q3, r0, r1, r2, r3, s0, s1, s2, s3]
}

/// The inverse of an affine transform, computed in `f64`; the identity for a transform that flattens space, or whose inverse leaves the range of a float.
#[expect(clippy::cast_possible_truncation, clippy::as_conversions, reason = "the result is an `f32` matrix")]
pub fn inverse(matrix: &Matrix) -> Matrix {
    let [a0, a1, a2, _, b0, b1, b2, _, c0, c1, c2, _, x, y, z, _] = matrix.map(f64::from);
    // The rows of the inverse are the cross products of the columns, divided by the determinant.
    let (r, s, t) =
        (cross64([b0, b1, b2], [c0, c1, c2]), cross64([c0, c1, c2], [a0, a1, a2]), cross64([a0, a1, a2], [b0, b1, b2]));
    // A division by 0 gives no finite number, which the last line finds.
    let determinant = dot64([a0, a1, a2], r);
    let [r, s, t] = [r, s, t].map(|row| row.map(|value| value / determinant));
    let ([r0, r1, r2], [s0, s1, s2], [t0, t1, t2]) = (r, s, t);
    let away = |row| -dot64(row, [x, y, z]);
    let inverse =
        [r0, s0, t0, 0.0, r1, s1, t1, 0.0, r2, s2, t2, 0.0, away(r), away(s), away(t), 1.0].map(|value| value as f32);
    if inverse.iter().all(|value| value.is_finite()) { inverse } else { IDENTITY }
}

/// A transformed point.
#[inline]
pub fn transformed(matrix: &Matrix, [x, y, z]: [f32; 3]) -> [f32; 3] {
    let [a0, a1, a2, _, b0, b1, b2, _, c0, c1, c2, _, d0, d1, d2, _] = *matrix;
    [a0 * x + b0 * y + c0 * z + d0, a1 * x + b1 * y + c1 * z + d1, a2 * x + b2 * y + c2 * z + d2]
}

/// A rotated vector.
#[inline]
pub fn rotated(matrix: &Matrix, [x, y, z]: [f32; 3]) -> [f32; 3] {
    let [a0, a1, a2, _, b0, b1, b2, _, c0, c1, c2, ..] = *matrix;
    [a0 * x + b0 * y + c0 * z, a1 * x + b1 * y + c1 * z, a2 * x + b2 * y + c2 * z]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each number of a product is that of a row of the left matrix and a column of the right one, also in the last row, which a projection has.
    #[test]
    fn a_product_has_all_four_rows_of_a_projection() {
        let number = |at: usize| f32::from(u8::try_from(at).unwrap());
        let left: Matrix = std::array::from_fn(|at| [2.0, 3.0, 5.0, 7.0][at % 4] + number(at));
        let right: Matrix = std::array::from_fn(|at| [11.0, 13.0, 17.0, 19.0][at / 4] - number(at));
        let expected: Matrix = std::array::from_fn(|at| {
            let (column, row) = (at / 4, at % 4);
            (0..4).map(|term| left[term * 4 + row] * right[column * 4 + term]).sum()
        });
        assert_eq!(product(&left, &right), expected);
    }

    #[test]
    fn the_inverse_of_what_flattens_space_or_is_no_number_is_the_identity() {
        let diagonal = |x: f32, y: f32, z: f32| {
            let mut matrix = IDENTITY;
            [matrix[0], matrix[5], matrix[10], matrix[12]] = [x, y, z, 8.0];
            matrix
        };
        let half = inverse(&diagonal(2.0, 4.0, -1.0));
        assert_eq!([half[0], half[5], half[10], half[12]], [0.5, 0.25, -1.0, -4.0]);
        for [x, y, z] in [[0.0, 1.0, 1.0], [0.0; 3], [f32::INFINITY, 1.0, 1.0], [f32::NAN, 1.0, 1.0], [1e-39, 1.0, 1.0]]
        {
            assert_eq!(inverse(&diagonal(x, y, z)), IDENTITY, "{x} {y} {z}");
        }
        // A plane that is not along the axes.
        let mut flat = diagonal(1.0, 1.0, 0.0);
        [flat[2], flat[6]] = [1.0, 1.0];
        assert_eq!(inverse(&flat), IDENTITY);
        // Infinities in all numbers of a column.
        let mut matrix = diagonal(1.0, 1.0, 1.0);
        matrix[..3].fill(f32::INFINITY);
        [matrix[6], matrix[8], matrix[4], matrix[9]] = [0.5, 0.25, 0.125, 0.75];
        assert_eq!(inverse(&matrix), IDENTITY);
    }
}
