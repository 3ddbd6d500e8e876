//! The conventions as functions: mirrored and conjugated rotations.

use skelmap::actorx::space::{local_rotation, mirrored, mirrored_rotation};

/// v' = q v q*, written out for a unit quaternion.
fn rotate([x, y, z, w]: [f32; 4], [a, b, c]: [f32; 3]) -> [f32; 3] {
    let t = [2.0 * (y * c - z * b), 2.0 * (z * a - x * c), 2.0 * (x * b - y * a)];
    [a + w * t[0] + y * t[2] - z * t[1], b + w * t[1] + z * t[0] - x * t[2], c + w * t[2] + x * t[1] - y * t[0]]
}

#[test]
fn mirroring_a_rotation_agrees_with_mirroring_what_it_rotates() {
    let q = [0.5, -0.1, 0.7, 0.5];
    let v = [1.0, 2.0, 3.0];
    assert_eq!(mirrored(rotate(q, v)), rotate(mirrored_rotation(q), mirrored(v)));
}

#[test]
fn only_the_first_bone_keeps_its_rotation() {
    let stored = [0.1, 0.2, 0.3, 0.9];
    assert_eq!(local_rotation(0, stored), stored);
    assert_eq!(local_rotation(1, stored), [-0.1, -0.2, -0.3, 0.9]);
}
