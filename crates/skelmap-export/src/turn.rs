//! Rotations as quaternions x, y, z, w.

use skelmap::model::Transform;

/// A rotation: x, y, z and w.
pub type Quaternion = [f32; 4];

pub(crate) const NO_TURN: Quaternion = [0.0, 0.0, 0.0, 1.0];

/// Two rotations, `right` first.
pub(crate) fn product([ax, ay, az, aw]: Quaternion, [bx, by, bz, bw]: Quaternion) -> Quaternion {
    [
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
        aw * bw - ax * bx - ay * by - az * bz,
    ]
}

/// The opposite rotation.
pub(crate) const fn conjugated([x, y, z, w]: Quaternion) -> Quaternion {
    [-x, -y, -z, w]
}

/// A vector, turned.
pub(crate) fn rotated([x, y, z, w]: Quaternion, vector: [f32; 3]) -> [f32; 3] {
    let axis = [x, y, z];
    let twice = cross(axis, vector).map(|value| value * 2.0);
    let ([a, b, c], [d, e, f], [vx, vy, vz]) = (twice, cross(axis, twice), vector);
    [vx + w * a + d, vy + w * b + e, vz + w * c + f]
}

/// The rotation about an axis of unit length.
pub(crate) fn about([x, y, z]: [f32; 3], radians: f32) -> Quaternion {
    let (sin, cos) = (radians / 2.0).sin_cos();
    [x * sin, y * sin, z * sin, cos]
}

/// A transform of the model, seen from another one.
pub(crate) fn seen_from(parent: &Transform, child: &Transform) -> Transform {
    let back = conjugated(parent.rotation);
    let ([ax, ay, az], [bx, by, bz]) = (child.translation, parent.translation);
    Transform {
        translation: rotated(back, [ax - bx, ay - by, az - bz]),
        rotation: product(back, child.rotation),
        scale: child.scale,
    }
}

fn cross([ax, ay, az]: [f32; 3], [bx, by, bz]: [f32; 3]) -> [f32; 3] {
    [ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx]
}
