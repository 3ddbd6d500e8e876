//! Matrices. What is done with them is in `maths`.

/// A transform of column vectors, in column order: element `4 * column + row`. The translation is in 12, 13 and 14.
///
/// `glam::Mat4::from_cols_array` and the shaders of all common graphics APIs accept it unchanged.
pub type Matrix = [f32; 16];

/// The identity.
pub const IDENTITY: Matrix = [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0];
