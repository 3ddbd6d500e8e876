//! Conventions: what must be conjugated, mirrored or turned around, as named functions (ActorX reference, section 5).
//!
//! Views give raw values. A file's space is right-handed with z up: Unreal's (left-handed, x forward, y right, z up) with **y
//! negated**; units are the game's (a centimetre in Unreal Engine 4). Morph deltas and sockets are not mirrored. The v of a
//! texture coordinate counts from the top.
//!
//! ```
//! use skelmap::actorx::{Psk, space};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let bytes = std::fs::read("corpus/actorx/mesh/classic.psk")?;
//! let mesh = Psk::parse(&bytes)?;
//! for (index, bone) in mesh.bones().iter().enumerate() {
//!     // Multiply down the hierarchy: world = parent * local, with column vectors.
//!     let local = (space::local_rotation(index, bone.rotation()), bone.position());
//!     println!("{}: {local:?}", bone.name().text());
//! }
//! # Ok(())
//! # }
//! ```

/// The conjugate of a quaternion x, y, z, w: the opposite rotation where it has unit length.
#[inline]
pub const fn conjugated([x, y, z, w]: [f32; 4]) -> [f32; 4] {
    [-x, -y, -z, w]
}

/// A stored rotation as the local one of a column-vector chain `world = parent * local`, v' = q v q*.
///
/// Bone 0's rotation is stored as it is, every other bone's as its conjugate; for keys the index is that of the animation's
/// bone. Verified on files of five writers (ActorX reference, section 5).
#[inline]
pub const fn local_rotation(bone: usize, stored: [f32; 4]) -> [f32; 4] {
    if bone == 0 { stored } else { conjugated(stored) }
}

/// A position or normal mirrored between the file's right-handed space and Unreal's left-handed one: y negated. Its own inverse.
#[inline]
pub const fn mirrored([x, y, z]: [f32; 3]) -> [f32; 3] {
    [x, -y, z]
}

/// A rotation mirrored between the file's right-handed space and Unreal's left-handed one. Its own inverse.
///
/// Mirroring y turns the axis over and keeps its y, so that x and z change sign.
#[inline]
pub const fn mirrored_rotation([x, y, z, w]: [f32; 4]) -> [f32; 4] {
    [-x, y, -z, w]
}

/// A face's corners counter-clockwise seen from outside, as most engines want them; files store them clockwise.
#[inline]
pub const fn counter_clockwise([a, b, c]: [u32; 3]) -> [u32; 3] {
    [a, c, b]
}

/// A texture coordinate with v counted from the bottom, as in OpenGL.
#[inline]
pub const fn v_from_bottom([u, v]: [f32; 2]) -> [f32; 2] {
    [u, 1.0 - v]
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
