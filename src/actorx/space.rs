//! The conventions of the format as functions: conjugated rotations, mirrored axes, reversed faces (ActorX reference, section
//! 5).
//!
//! Views give values as stored. The space of a file is right-handed with z up: Unreal's space (left-handed, x forward,
//! y right, z up) with **y negated**. Units are the game's (centimetres in Unreal Engine 4). Morph deltas and sockets
//! are not mirrored. The v of a texture coordinate counts from the top.
//!
//! ```
//! use skelmap::actorx::{Psk, space};
//!
//! # let bytes = std::fs::read("tests/corpus/actorx/mesh/classic.psk")?;
//! let mesh = Psk::parse(&bytes)?;
//! for (index, bone) in mesh.bones().iter().enumerate() {
//!     // Multiply down the hierarchy: world = parent * local, with column vectors.
//!     let local = (space::local_rotation(index, bone.rotation()), bone.translation());
//!     println!("{}: {local:?}", bone.name().text());
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub use crate::model::maths::conjugated;

/// The local rotation for a column-vector chain `world = parent * local`, v' = q v q*, from a stored rotation.
///
/// The rotation of bone 0 is stored unchanged, that of every other bone as the conjugate. `bone` is the bone's index in the
/// file. Checked on files of five writers (ActorX reference, section 5).
#[inline]
pub const fn local_rotation(bone: usize, stored: [f32; 4]) -> [f32; 4] {
    if bone == 0 { stored } else { conjugated(stored) }
}

/// A position or normal, mirrored between the file's space and Unreal's: y negated. Its own inverse.
#[inline]
pub const fn mirrored([x, y, z]: [f32; 3]) -> [f32; 3] {
    [x, -y, z]
}

/// A rotation, mirrored between the file's space and Unreal's. Its own inverse. The mirror in y inverts the rotation and keeps
/// the y of the axis, so x and z change their sign.
#[inline]
pub const fn mirrored_rotation([x, y, z, w]: [f32; 4]) -> [f32; 4] {
    [-x, y, -z, w]
}
