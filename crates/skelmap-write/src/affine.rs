//! Places of nodes in double precision: matrices, rotations, and the rotation in a matrix.

use skelmap::model::Matrix;

/// A vector.
pub(crate) type Vector = [f64; 3];

/// A rotation: a quaternion x, y, z, w of unit length.
pub(crate) type Quaternion = [f64; 4];

pub(crate) const NO_TURN: Quaternion = [0.0, 0.0, 0.0, 1.0];

/// The most steps to the rotation in a matrix. They double the digits; from the worst matrix of floats, some 70 halve its scale first.
const MAX_STEPS: usize = 128;

/// A matrix without projection: three columns and a translation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Affine {
    pub(crate) columns: [Vector; 3],
    pub(crate) translation: Vector,
}

impl Affine {
    pub(crate) const IDENTITY: Self =
        Self { columns: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]], translation: [0.0; 3] };

    pub(crate) fn of_matrix(matrix: &Matrix) -> Self {
        let [ax, ay, az, _, bx, by, bz, _, cx, cy, cz, _, x, y, z, _] = matrix.map(f64::from);
        Self { columns: [[ax, ay, az], [bx, by, bz], [cx, cy, cz]], translation: [x, y, z] }
    }

    pub(crate) fn of_parts(translation: Vector, rotation: Quaternion, scale: Vector) -> Self {
        let ([a, b, c], [sx, sy, sz]) = (columns_of(rotation), scale);
        Self { columns: [scaled(a, sx), scaled(b, sy), scaled(c, sz)], translation }
    }

    pub(crate) const fn direction(&self, [x, y, z]: Vector) -> Vector {
        let [[ax, ay, az], [bx, by, bz], [cx, cy, cz]] = self.columns;
        [ax * x + bx * y + cx * z, ay * x + by * y + cy * z, az * x + bz * y + cz * z]
    }

    pub(crate) const fn position(&self, at: Vector) -> Vector {
        let ([x, y, z], [tx, ty, tz]) = (self.direction(at), self.translation);
        [x + tx, y + ty, z + tz]
    }

    /// This matrix after another one.
    pub(crate) fn product(&self, inner: &Self) -> Self {
        Self {
            columns: inner.columns.map(|column| self.direction(column)),
            translation: self.position(inner.translation),
        }
    }

    /// `None` if the matrix has no inverse, or a number that is not finite.
    pub(crate) fn inverse(&self) -> Option<Self> {
        let [a, b, c] = inverse_transposed(&self.columns)?;
        let ([ax, ay, az], [bx, by, bz], [cx, cy, cz]) = (a, b, c);
        let turned = Self { columns: [[ax, bx, cx], [ay, by, cy], [az, bz, cz]], translation: [0.0; 3] };
        let [x, y, z] = turned.direction(self.translation);
        Some(Self { translation: [-x, -y, -z], ..turned }).filter(Self::is_finite)
    }

    pub(crate) fn is_finite(&self) -> bool {
        self.columns.iter().flatten().chain(&self.translation).all(|value| value.is_finite())
    }

    /// The rotation: Q of the polar decomposition Q S, or -Q where the matrix mirrors. The identity for a matrix without an inverse.
    pub(crate) fn rotation(&self) -> Quaternion {
        let mut found = self.columns;
        for _ in 0..MAX_STEPS {
            let Some(other) = inverse_transposed(&found) else { return NO_TURN };
            let mut change = 0.0_f64;
            for (column, other) in found.iter_mut().zip(other) {
                for (value, other) in column.iter_mut().zip(other) {
                    let middle = f64::midpoint(*value, other);
                    change = change.max((middle - *value).abs());
                    *value = middle;
                }
            }
            if change < 1e-15 {
                break;
            }
        }
        if determinant(&found) < 0.0 {
            found = found.map(|column| column.map(|value| -value));
        }
        quaternion_of(&found)
    }
}

const fn scaled([x, y, z]: Vector, by: f64) -> Vector {
    [x * by, y * by, z * by]
}

const fn cross([ax, ay, az]: Vector, [bx, by, bz]: Vector) -> Vector {
    [ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx]
}

pub(crate) const fn dot([ax, ay, az]: Vector, [bx, by, bz]: Vector) -> f64 {
    ax * bx + ay * by + az * bz
}

const fn determinant([a, b, c]: &[Vector; 3]) -> f64 {
    dot(*a, cross(*b, *c))
}

/// The inverse of the transposed matrix: its columns are cross products of the columns.
fn inverse_transposed(columns: &[Vector; 3]) -> Option<[Vector; 3]> {
    let [a, b, c] = *columns;
    let factor = 1.0 / determinant(columns);
    let found = [scaled(cross(b, c), factor), scaled(cross(c, a), factor), scaled(cross(a, b), factor)];
    found.iter().flatten().all(|value| value.is_finite()).then_some(found)
}

/// The columns of the matrix of a rotation.
const fn columns_of([x, y, z, w]: Quaternion) -> [Vector; 3] {
    let (xx, yy, zz) = (x * x * 2.0, y * y * 2.0, z * z * 2.0);
    let (xy, xz, yz) = (x * y * 2.0, x * z * 2.0, y * z * 2.0);
    let (xw, yw, zw) = (x * w * 2.0, y * w * 2.0, z * w * 2.0);
    [[1.0 - (yy + zz), xy + zw, xz - yw], [xy - zw, 1.0 - (xx + zz), yz + xw], [xz + yw, yz - xw, 1.0 - (xx + yy)]]
}

/// The rotation of a matrix of unit columns. The largest component is found first, so that no small one divides.
fn quaternion_of([[ax, ay, az], [bx, by, bz], [cx, cy, cz]]: &[Vector; 3]) -> Quaternion {
    let (w, x, y, z) = (1.0 + ax + by + cz, 1.0 + ax - by - cz, 1.0 - ax + by - cz, 1.0 - ax - by + cz);
    let largest = w.max(x).max(y).max(z);
    let found = if w == largest {
        [bz - cy, cx - az, ay - bx, w]
    } else if x == largest {
        [x, ay + bx, cx + az, bz - cy]
    } else if y == largest {
        [ay + bx, y, bz + cy, cx - az]
    } else {
        [cx + az, bz + cy, z, ay - bx]
    };
    unit(found).unwrap_or(NO_TURN)
}

/// The rotation of unit length; `None` without a direction.
pub(crate) fn unit(rotation: Quaternion) -> Option<Quaternion> {
    let largest = rotation.iter().fold(0.0, |largest: f64, value| largest.max(value.abs()));
    let [x, y, z, w] = rotation.map(|value| value / largest);
    let length = (x * x + y * y + z * z + w * w).sqrt();
    let found = [x, y, z, w].map(|value| value / length);
    found.iter().all(|value| value.is_finite()).then_some(found)
}

/// The rotation of unit length, in double precision; the identity without a direction.
pub(crate) fn unit_of(rotation: [f32; 4]) -> Quaternion {
    unit(rotation.map(f64::from)).unwrap_or(NO_TURN)
}

/// The rotation `right`, then `left`.
pub(crate) const fn rotation_product([ax, ay, az, aw]: Quaternion, [bx, by, bz, bw]: Quaternion) -> Quaternion {
    [
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
        aw * bw - ax * bx - ay * by - az * bz,
    ]
}

pub(crate) const fn conjugated([x, y, z, w]: Quaternion) -> Quaternion {
    [-x, -y, -z, w]
}

/// A rotated vector.
pub(crate) const fn turned(rotation: Quaternion, vector: Vector) -> Vector {
    Affine { columns: columns_of(rotation), translation: [0.0; 3] }.direction(vector)
}

/// Both as floats.
pub(crate) fn narrowed<const N: usize>(values: [f64; N]) -> [f32; N] {
    #[expect(clippy::cast_possible_truncation, clippy::as_conversions, reason = "to the nearest float")]
    values.map(|value| value as f32)
}

/// The place of a bone: a translation and a rotation of unit length.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Place {
    pub(crate) translation: Vector,
    pub(crate) rotation: Quaternion,
}

impl Place {
    pub(crate) const IDENTITY: Self = Self { translation: [0.0; 3], rotation: NO_TURN };

    pub(crate) fn of(matrix: &Affine) -> Self {
        Self { translation: matrix.translation, rotation: matrix.rotation() }
    }

    /// This place, seen from another one.
    pub(crate) const fn seen_from(&self, parent: &Self) -> Self {
        let ([ax, ay, az], [bx, by, bz]) = (self.translation, parent.translation);
        let back = conjugated(parent.rotation);
        Self { translation: turned(back, [ax - bx, ay - by, az - bz]), rotation: rotation_product(back, self.rotation) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A rotation by `radians` about x.
    fn about_x(radians: f64) -> Quaternion {
        [(radians / 2.0).sin(), 0.0, 0.0, (radians / 2.0).cos()]
    }

    #[test]
    fn the_rotation_of_a_scaled_mirrored_and_sheared_matrix_is_found() {
        // Scaled along its own axes: Q S with a symmetric S, so that Q is the rotation.
        let matrix = Affine::of_parts([1.0, 2.0, 3.0], about_x(0.7), [2.0, 3.0, 0.25]);
        for (found, expected) in matrix.rotation().into_iter().zip(about_x(0.7)) {
            assert!((found - expected).abs() < 1e-12);
        }
        // A mirror along all axes is -1 times a rotation.
        let mirrored = Affine::of_parts([0.0; 3], about_x(0.7), [-1.0; 3]);
        for (found, expected) in mirrored.rotation().into_iter().zip(about_x(0.7)) {
            assert!((found - expected).abs() < 1e-12);
        }
        // A shear by t: tan of the angle of its polar rotation is t / 2.
        let sheared = Affine { columns: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, -1.0, 1.0]], ..Affine::IDENTITY };
        let expected = about_x((1.0_f64 / 2.0).atan());
        for (found, expected) in sheared.rotation().into_iter().zip(expected) {
            assert!((found - expected).abs() < 1e-12, "{:?} {expected:?}", sheared.rotation());
        }
    }

    #[test]
    fn no_matrix_is_without_a_rotation_or_endless() {
        for scale in [0.0, f64::NAN, f64::INFINITY, 1e-300, 1e300, 1e-30, 1e30] {
            let matrix = Affine::of_parts([0.0; 3], about_x(1.0), [scale, 1.0, 1.0]);
            assert!(matrix.rotation().iter().all(|value| value.is_finite()), "{scale}");
        }
    }

    #[test]
    fn a_matrix_times_its_inverse_is_the_identity() {
        let matrix = Affine::of_parts([1.0, -2.0, 3.0], about_x(0.7), [2.0, -3.0, 0.25]);
        let product = matrix.inverse().map(|inverse| matrix.product(&inverse)).unwrap();
        let values = |matrix: Affine| matrix.columns.into_iter().flatten().chain(matrix.translation);
        assert!(values(product).zip(values(Affine::IDENTITY)).all(|(one, other)| (one - other).abs() < 1e-12));
        assert!(Affine { columns: [[0.0; 3]; 3], ..Affine::IDENTITY }.inverse().is_none());
    }

    #[test]
    fn quaternions_come_back_from_matrices() {
        for rotation in [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.5, -0.5, 0.5, 0.5]] {
            assert_eq!(quaternion_of(&columns_of(rotation)), rotation);
        }
    }
}
