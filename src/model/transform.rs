//! Transforms.

use super::maths::{rotation_product, turned};
use super::matrix::Matrix;

/// The position and orientation of a bone, relative to its parent or to the model: scale, then rotation, then translation.
///
/// ```
/// use skelmap::model::Transform;
///
/// let quarter = Transform { rotation: [0.0, 0.0, 0.5_f32.sqrt(), 0.5_f32.sqrt()], ..Transform::IDENTITY };
/// let [x, y, ..] = quarter.to_matrix();
/// assert!(x.abs() < 1e-6 && (y - 1.0).abs() < 1e-6, "x turns to y");
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "bytemuck", derive(bytemuck::Pod, bytemuck::Zeroable))]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[repr(C)]
pub struct Transform {
    /// Translation, in the unit of the space.
    pub translation: [f32; 3],
    /// Rotation, a quaternion x, y, z, w of a column-vector chain: v' = q v q*.
    pub rotation: [f32; 4],
    /// Scale along x, y and z.
    pub scale: [f32; 3],
}

impl Transform {
    /// The identity.
    pub const IDENTITY: Self = Self { translation: [0.0; 3], rotation: [0.0, 0.0, 0.0, 1.0], scale: [1.0; 3] };

    /// A transform without scale.
    pub const fn new(translation: [f32; 3], rotation: [f32; 4]) -> Self {
        Self { translation, rotation, ..Self::IDENTITY }
    }

    /// This transform after another one: with that of a parent relative to the model, and that of a bone relative to the parent, the one of
    /// the bone relative to the model. Rotations must have unit length. Exact but for rounding where the scale of the first is the same along
    /// all axes; else a product of matrices can have a shear, which a transform cannot. O(1).
    ///
    /// ```
    /// use skelmap::model::Transform;
    ///
    /// let half = 0.5_f32.sqrt();
    /// let parent = Transform { translation: [0.0, 0.0, 5.0], rotation: [0.0, 0.0, half, half], scale: [2.0; 3] };
    /// let placed = parent.product(&Transform { translation: [1.0, 0.0, 0.0], ..Transform::IDENTITY });
    /// let [x, y, z] = placed.translation;
    /// assert!(x.abs() < 1e-6 && (y - 2.0).abs() < 1e-6 && z == 5.0, "x turns to y");
    /// ```
    #[must_use]
    pub fn product(&self, local: &Self) -> Self {
        let ([sx, sy, sz], [tx, ty, tz], [x, y, z]) = (self.scale, local.scale, local.translation);
        let ([ox, oy, oz], [px, py, pz]) = (self.translation, turned(self.rotation, [sx * x, sy * y, sz * z]));
        Self {
            translation: [ox + px, oy + py, oz + pz],
            rotation: rotation_product(self.rotation, local.rotation),
            scale: [sx * tx, sy * ty, sz * tz],
        }
    }

    /// The matrix. The rotation is not normalised; a quaternion without unit length distorts. O(1).
    #[inline]
    pub fn to_matrix(&self) -> Matrix {
        let [a0, a1, a2, _, b0, b1, b2, _, c0, c1, c2, ..] = rotation_matrix(self.rotation);
        let ([sx, sy, sz], [x, y, z]) = (self.scale, self.translation);
        [a0 * sx, a1 * sx, a2 * sx, 0.0, b0 * sy, b1 * sy, b2 * sy, 0.0, c0 * sz, c1 * sz, c2 * sz, 0.0, x, y, z, 1.0]
    }
}

impl Default for Transform {
    fn default() -> Self {
        Self::IDENTITY
    }
}

/// Conversions to the types of a version of `glam`. Rotations are normalised first.
macro_rules! of_glam {
    ($feature:literal, $glam:ident) => {
        #[cfg(feature = $feature)]
        impl From<Transform> for $glam::Affine3A {
            fn from(transform: Transform) -> Self {
                Self::from_scale_rotation_translation(
                    transform.scale.into(),
                    $glam::Quat::from_array(transform.with_unit_rotation().rotation),
                    transform.translation.into(),
                )
            }
        }

        #[cfg(feature = $feature)]
        impl From<Transform> for $glam::Mat4 {
            fn from(transform: Transform) -> Self {
                Self::from_cols_array(&transform.with_unit_rotation().to_matrix())
            }
        }
    };
}

of_glam!("glam-033", glam_033);
of_glam!("glam-034", glam_034);

#[cfg(feature = "mint-05")]
impl From<Transform> for mint_05::ColumnMatrix4<f32> {
    /// The rotation is normalised first.
    fn from(transform: Transform) -> Self {
        transform.with_unit_rotation().to_matrix().into()
    }
}

/// The matrix of a rotation.
#[inline]
#[rustfmt::skip]
pub(crate) fn rotation_matrix([x, y, z, w]: [f32; 4]) -> Matrix {
    let (xx, yy, zz) = (x * x * 2.0, y * y * 2.0, z * z * 2.0);
    let (xy, xz, yz) = (x * y * 2.0, x * z * 2.0, y * z * 2.0);
    let (xw, yw, zw) = (x * w * 2.0, y * w * 2.0, z * w * 2.0);
    [
        1.0 - (yy + zz), xy + zw, xz - yw, 0.0,
        xy - zw, 1.0 - (xx + zz), yz + xw, 0.0,
        xz + yw, yz - xw, 1.0 - (xx + yy), 0.0,
        0.0, 0.0, 0.0, 1.0,
    ]
}
