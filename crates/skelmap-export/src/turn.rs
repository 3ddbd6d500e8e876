//! Rotations as quaternions x, y, z, w.

use skelmap::model::Transform;

pub use skelmap::model::maths::Rotation as Quaternion;
pub(crate) use skelmap::model::maths::{NO_TURN, about, conjugated, rotation_product as product, turned as rotated};

/// A model transform relative to another one.
pub(crate) fn seen_from(parent: &Transform, child: &Transform) -> Transform {
    let back = conjugated(parent.rotation);
    let ([ax, ay, az], [bx, by, bz]) = (child.translation, parent.translation);
    Transform {
        translation: rotated(back, [ax - bx, ay - by, az - bz]),
        rotation: product(back, child.rotation),
        scale: child.scale,
    }
}
