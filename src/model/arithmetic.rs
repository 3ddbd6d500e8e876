//! The arithmetic of matrices and points that poses and skinning share.
//!
//! All of it is `f32`, in the order of the Pyrogenesis engine, without fused multiply-add.

use super::transform::{IDENTITY, Matrix};

/// A transform followed by a translation.
#[inline]
pub(crate) fn translated(mut matrix: Matrix, [x, y, z]: [f32; 3]) -> Matrix {
    let [_, _, _, _, _, _, _, _, _, _, _, _, tx, ty, tz, _] = &mut matrix;
    *tx += x;
    *ty += y;
    *tz += z;
    matrix
}

/// The product of two transforms: `right` first, then `left`. The sums keep all four terms for the signs of zeros.
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

/// The inverse of an affine transform, computed in `f64`. A transform that flattens space has none: the identity stands
/// in for it.
#[expect(clippy::cast_possible_truncation, clippy::as_conversions, reason = "the result is an `f32` matrix")]
pub fn inverse(matrix: &Matrix) -> Matrix {
    let [a0, a1, a2, _, b0, b1, b2, _, c0, c1, c2, _, x, y, z, _] = matrix.map(f64::from);
    // The rows of the inverse are the cross products of the columns, divided by the determinant.
    let (r, s, t) =
        (cross([b0, b1, b2], [c0, c1, c2]), cross([c0, c1, c2], [a0, a1, a2]), cross([a0, a1, a2], [b0, b1, b2]));
    let determinant = dot([a0, a1, a2], r);
    if !(determinant.is_finite() && determinant != 0.0) {
        return IDENTITY;
    }
    let [r, s, t] = [r, s, t].map(|row| row.map(|value| value / determinant));
    let ([r0, r1, r2], [s0, s1, s2], [t0, t1, t2]) = (r, s, t);
    let away = |row| -dot(row, [x, y, z]);
    [r0, s0, t0, 0.0, r1, s1, t1, 0.0, r2, s2, t2, 0.0, away(r), away(s), away(t), 1.0].map(|value| value as f32)
}

fn cross([ax, ay, az]: [f64; 3], [bx, by, bz]: [f64; 3]) -> [f64; 3] {
    [ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx]
}

fn dot([ax, ay, az]: [f64; 3], [bx, by, bz]: [f64; 3]) -> f64 {
    ax * bx + ay * by + az * bz
}

/// A transformed point.
#[inline]
pub(crate) fn transformed(matrix: &Matrix, [x, y, z]: [f32; 3]) -> [f32; 3] {
    let [a0, a1, a2, _, b0, b1, b2, _, c0, c1, c2, _, d0, d1, d2, _] = *matrix;
    [a0 * x + b0 * y + c0 * z + d0, a1 * x + b1 * y + c1 * z + d1, a2 * x + b2 * y + c2 * z + d2]
}

/// A rotated vector.
#[inline]
pub(crate) fn rotated(matrix: &Matrix, [x, y, z]: [f32; 3]) -> [f32; 3] {
    let [a0, a1, a2, _, b0, b1, b2, _, c0, c1, c2, ..] = *matrix;
    [a0 * x + b0 * y + c0 * z, a1 * x + b1 * y + c1 * z, a2 * x + b2 * y + c2 * z]
}

/// A vector of length 1: times the reciprocal of the length.
#[inline]
pub(crate) fn normalized([x, y, z]: [f32; 3]) -> [f32; 3] {
    let scale = 1.0 / (x * x + y * y + z * z).sqrt();
    [x * scale, y * scale, z * scale]
}
