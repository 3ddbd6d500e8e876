//! The bones of an asset for matching and catalogues: their number, and names and parents if the format has them.

#![allow(unreachable_pub, reason = "named by a sealed trait")]

use alloc::vec::Vec;

/// The bones of an asset.
#[derive(Clone, Debug)]
pub struct Rig {
    /// Rigs of different families do not match.
    pub(crate) family: &'static str,
    pub(crate) role: RigRole,
    /// Number of bones, if known.
    pub(crate) count: Option<usize>,
    /// `count` bones, if the format has names.
    pub(crate) bones: Option<Vec<RigBone>>,
}

/// One bone of a rig.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RigBone {
    /// The name in the form to compare by.
    pub(crate) key: Vec<u8>,
    /// The index of the parent; `None` for a root.
    pub(crate) parent: Option<usize>,
}

/// The use of bones: a mesh has points that they move, an animation moves them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RigRole {
    Mesh,
    Animation,
    /// An animation of a family whose meshes are not read: an animation that fits stands for the mesh.
    Both,
}
