//! Matrices of 4x4 and quaternions, in `f64`, by the textbook.

pub type V3 = [f64; 3];
/// x, y, z, w.
pub type Quat = [f64; 4];
/// Rows of columns: `m[row][column]`.
pub type M4 = [[f64; 4]; 4];

pub const IDENTITY: M4 = [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]];

pub fn wide<const N: usize>(values: [f32; N]) -> [f64; N] {
    values.map(f64::from)
}

pub fn multiply(a: &M4, b: &M4) -> M4 {
    let mut out = [[0.0; 4]; 4];
    for row in 0..4 {
        for column in 0..4 {
            for k in 0..4 {
                out[row][column] += a[row][k] * b[k][column];
            }
        }
    }
    out
}

/// The image of a point (w = 1) or a direction (w = 0).
pub fn apply(m: &M4, [x, y, z]: V3, w: f64) -> V3 {
    let vector = [x, y, z, w];
    std::array::from_fn(|row| (0..4).map(|k| m[row][k] * vector[k]).sum())
}

/// By Gauss and Jordan; `None` for a matrix without an inverse.
pub fn inverse(m: &M4) -> Option<M4> {
    let (mut left, mut right) = (*m, IDENTITY);
    for column in 0..4 {
        let pivot = (column..4).max_by(|a, b| left[*a][column].abs().total_cmp(&left[*b][column].abs()))?;
        left.swap(column, pivot);
        right.swap(column, pivot);
        let divisor = left[column][column];
        if divisor == 0.0 || !divisor.is_finite() {
            return None;
        }
        for k in 0..4 {
            left[column][k] /= divisor;
            right[column][k] /= divisor;
        }
        for row in 0..4 {
            let factor = left[row][column];
            if row == column || factor == 0.0 {
                continue;
            }
            for k in 0..4 {
                left[row][k] -= factor * left[column][k];
                right[row][k] -= factor * right[column][k];
            }
        }
    }
    Some(right)
}

/// I + 2wK + 2KK, where K is the matrix of the cross product with the vector of the quaternion. A quaternion without unit
/// length is used as it is.
pub fn rotation([x, y, z, w]: Quat) -> M4 {
    let k = [[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]];
    let mut out = IDENTITY;
    for row in 0..3 {
        for column in 0..3 {
            let square: f64 = (0..3).map(|at| k[row][at] * k[at][column]).sum();
            out[row][column] += 2.0 * w * k[row][column] + 2.0 * square;
        }
    }
    out
}

pub fn translation([x, y, z]: V3) -> M4 {
    [[1.0, 0.0, 0.0, x], [0.0, 1.0, 0.0, y], [0.0, 0.0, 1.0, z], [0.0, 0.0, 0.0, 1.0]]
}

pub fn scaling([x, y, z]: V3) -> M4 {
    [[x, 0.0, 0.0, 0.0], [0.0, y, 0.0, 0.0], [0.0, 0.0, z, 0.0], [0.0, 0.0, 0.0, 1.0]]
}

pub fn length<const N: usize>(v: [f64; N]) -> f64 {
    v.iter().map(|x| x * x).sum::<f64>().sqrt()
}

/// Of unit length; `None` for one without length, or with a component that is not finite.
pub fn unit(q: Quat) -> Option<Quat> {
    let length = length(q);
    (length > 0.0 && length.is_finite()).then(|| q.map(|x| x / length))
}

pub fn unit_or_identity(q: Quat) -> Quat {
    unit(q).unwrap_or([0.0, 0.0, 0.0, 1.0])
}

/// The rotations that a blend of two may be: one, or two where both ways are of the same length.
pub fn slerp(a: Quat, b: Quat, part: f64) -> Vec<Quat> {
    let (a, b) = match (unit(a), unit(b)) {
        (None, None) => return vec![unit_or_identity([0.0; 4])],
        // A rotation without direction has no weight; the blend has one where the other has a weight.
        (Some(a), None) => return vec![if part < 1.0 { a } else { [0.0, 0.0, 0.0, 1.0] }],
        (None, Some(b)) => return vec![if part > 0.0 { b } else { [0.0, 0.0, 0.0, 1.0] }],
        (Some(a), Some(b)) => (a, b),
    };
    let cosine: f64 = (0..4).map(|at| a[at] * b[at]).sum();
    let signs: &[f64] = if cosine.abs() < 1e-5 { &[1.0, -1.0] } else { &[cosine.signum()] };
    signs.iter().map(|sign| arc(a, b.map(|x| x * sign), part)).collect()
}

/// The rotation on the arc between two unit quaternions.
fn arc(a: Quat, b: Quat, part: f64) -> Quat {
    // The angle from its sine and cosine, which is exact for small and for large angles.
    let (difference, sum) =
        (length(std::array::from_fn::<_, 4, _>(|at| a[at] - b[at])), length([0, 1, 2, 3].map(|at| a[at] + b[at])));
    let angle = 2.0 * difference.atan2(sum);
    if angle < 1e-9 {
        return a;
    }
    let (to_a, to_b) = (((1.0 - part) * angle).sin() / angle.sin(), (part * angle).sin() / angle.sin());
    unit_or_identity(std::array::from_fn(|at| to_a * a[at] + to_b * b[at]))
}

/// A translation, a rotation and a scale, as a file has them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Trs {
    pub t: V3,
    pub q: Quat,
    pub s: V3,
}

impl Trs {
    pub const IDENTITY: Self = Self { t: [0.0; 3], q: [0.0, 0.0, 0.0, 1.0], s: [1.0; 3] };

    /// Scale first, then rotation, then translation.
    pub fn matrix(&self) -> M4 {
        multiply(&translation(self.t), &multiply(&rotation(self.q), &scaling(self.s)))
    }

    #[must_use]
    pub fn with_unit_rotation(self) -> Self {
        Self { q: unit_or_identity(self.q), ..self }
    }
}

/// Whether arithmetic in `f32` on a number has the precision that comparisons ask for.
pub fn is_moderate(value: f64) -> bool {
    value == 0.0 || (1e-6..=1e6).contains(&value.abs())
}

/// The same of a quaternion: components may be small beside others.
pub fn is_moderate_rotation(q: Quat) -> bool {
    let length = length(q);
    q.iter().all(|x| x.is_finite()) && (length == 0.0 || (1e-6..=1e6).contains(&length))
}
