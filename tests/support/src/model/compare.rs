//! Spaces as matrices, and comparisons within what `f32` can hold.

use skelmap::model::{Clip, Matrix, Mesh, Space, Transform};

use super::naive::math::{IDENTITY, M4, Trs, inverse, length, multiply, wide};

/// What a product of two matrices in `f32` may add to the error, in parts of the numbers that it is made of.
pub const ROUNDING: f64 = 2e-6;

/// Below this, `f32` loses precision.
const TINY: f64 = 1e-30;

/// A space to convert to, and the conversion as a matrix, from the glTF reference.
pub struct Target {
    pub name: &'static str,
    space: Option<Space>,
    metres: Option<f32>,
    pub change: M4,
    pub scale: f64,
}

/// The axes.
pub const X: [f64; 3] = [1.0, 0.0, 0.0];
pub const Y: [f64; 3] = [0.0, 1.0, 0.0];
pub const Z: [f64; 3] = [0.0, 0.0, 1.0];

/// Metres in a centimetre, as an `f32` holds them.
pub const HUNDREDTH: f64 = 0.01_f32 as f64;

pub fn not(axis: [f64; 3]) -> [f64; 3] {
    axis.map(|value| -value)
}

impl Target {
    /// A space whose axes are these in the space of the file, and whose unit is `scale` of the file's.
    pub fn new(name: &'static str, space: Option<Space>, metres: Option<f32>, scale: f64, axes: [[f64; 3]; 3]) -> Self {
        let mut change = IDENTITY;
        for (row, values) in axes.iter().enumerate() {
            for (column, value) in values.iter().enumerate() {
                change[row][column] = value * scale;
            }
        }
        Self { name, space, metres, change, scale }
    }

    pub fn is_file(&self) -> bool {
        self.space.is_none()
    }

    pub fn mesh<'m>(&self, mesh: Mesh<'m>) -> Mesh<'m> {
        let mesh = self.metres.map_or(mesh, |metres| mesh.with_metres(metres));
        self.space.map_or(mesh, |space| mesh.in_space(space))
    }

    pub fn clip<'a>(&self, clip: &Clip<'a>) -> Clip<'a> {
        // The other order of the two calls than for meshes: it must not matter.
        let clip = self.space.map_or(*clip, |space| clip.in_space(space));
        self.metres.map_or(clip, |metres| clip.with_metres(metres))
    }

    /// A matrix that moves points of the file, as one that moves points of the target.
    pub fn matrix(&self, m: &M4) -> M4 {
        let back = inverse(&self.change).expect("a space has three axes");
        multiply(&self.change, &multiply(m, &back))
    }
}

/// The matrix of a transform, by the textbook.
pub fn matrix_of(own: &Transform) -> M4 {
    Trs { t: wide(own.translation), q: wide(own.rotation), s: wide(own.scale) }.matrix()
}

/// A matrix of the crate, as rows.
pub fn rows_of(m: &Matrix) -> M4 {
    std::array::from_fn(|row| std::array::from_fn(|column| f64::from(m[4 * column + row])))
}

/// Whether two matrices are the same within these errors of the linear part and of the translation.
pub fn is_near(found: &M4, expected: &M4, linear: f64, moved: f64) -> bool {
    let (linear, moved) = (linear.max(TINY), moved.max(TINY));
    let of = |row: usize, column: usize| (found[row][column] - expected[row][column]).abs();
    let is_linear = (0..3).all(|row| (0..3).all(|column| of(row, column) <= linear));
    is_linear && (0..3).all(|row| of(row, 3) <= moved) && found[3] == [0.0, 0.0, 0.0, 1.0]
}

#[track_caller]
pub fn same_matrix(found: &M4, expected: &M4, linear: f64, moved: f64, what: &str) {
    assert!(is_near(found, expected, linear, moved), "{what}: {found:?} and {expected:?} within {linear} and {moved}");
}

#[track_caller]
pub fn same_vector(found: [f32; 3], expected: [f64; 3], error: f64, what: &str) {
    let apart = length(std::array::from_fn::<_, 3, _>(|axis| f64::from(found[axis]) - expected[axis]));
    assert!(apart <= error.max(TINY), "{what}: {found:?} and {expected:?} are {apart} apart, {error} allowed");
}

/// The same numbers to the bit, but for the kind of a NaN.
#[track_caller]
pub fn same_bits<const N: usize>(found: [f32; N], expected: [f64; N], what: &str) {
    let is_same = |(found, expected): (f32, f64)| {
        f64::from(found).to_bits() == expected.to_bits() || found.is_nan() && expected.is_nan()
    };
    assert!(found.into_iter().zip(expected).all(is_same), "{what}: {found:?} and {expected:?}");
}

/// A transform as stored.
#[track_caller]
pub fn same_stored(found: &Transform, expected: &Trs, what: &str) {
    same_bits(found.translation, expected.t, what);
    same_bits(found.rotation, expected.q, what);
    same_bits(found.scale, expected.s, what);
}

/// Whether all numbers of a transform allow a comparison of products.
pub fn is_moderate(own: &Trs) -> bool {
    use super::naive::math::{is_moderate, is_moderate_rotation};
    own.t.iter().chain(&own.s).all(|x| is_moderate(*x)) && is_moderate_rotation(own.q)
}

/// A stored transform in a target: by the matrix, since other rotations and scales may have the same one.
#[track_caller]
pub fn same_in_target(found: &Transform, expected: &Trs, target: &Target, what: &str) {
    if target.is_file() {
        return same_stored(found, expected, what);
    }
    if !is_moderate(expected) {
        return;
    }
    let linear = ROUNDING * (1.0 + 4.0 * length(expected.q).powi(2)) * length(expected.s);
    let moved = ROUNDING * length(expected.t) * target.scale;
    same_matrix(&matrix_of(found), &target.matrix(&expected.matrix()), linear, moved, what);
}
