//! Standard skeletons (`art/skeletons/*.xml`): the names and parents of bones, which PMD and PSA files do not have.

use alloc::string::String;
use alloc::vec::Vec;

/// The skeletons of a file of `art/skeletons`, or of several: in the order in which the game loads them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "readers of other texts make them")]
pub struct SkeletonFile {
    /// The standard skeletons.
    pub standard: Vec<StandardSkeleton>,
    /// The skeletons of modelling programs.
    pub mapped: Vec<MappedSkeleton>,
}

/// A standard skeleton. **A bone has the same index in this list as in PMD and PSA.**
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "readers of other texts make them")]
pub struct StandardSkeleton {
    /// The name that other files use.
    pub id: String,
    /// The display name.
    pub title: String,
    /// The bones, in depth-first order.
    pub bones: Vec<Bone>,
}

/// A bone of a standard skeleton.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "readers of other texts make them")]
pub struct Bone {
    /// The name.
    pub name: String,
    /// The index of the parent, which is smaller than the bone's own; `None` for a root.
    pub parent: Option<usize>,
}

/// The bones of a modelling program, and the bones of a standard skeleton that they stand for: an element `skeleton` of `art/skeletons`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "readers of other texts make them")]
pub struct MappedSkeleton {
    /// The display name.
    pub title: String,
    /// The id of the standard skeleton.
    pub target: String,
    /// The name of the object that holds the bones, or of the first bone: a scene has this skeleton if a parent of its bones has this name.
    pub root: String,
    /// The bones, in depth-first order.
    pub bones: Vec<MappedBone>,
}

/// A bone of a modelling program.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "readers of other texts make them")]
pub struct MappedBone {
    /// The name.
    pub name: String,
    /// The index of the parent, which is smaller than the bone's own; `None` for a root.
    pub parent: Option<usize>,
    /// The name of the bone of the standard skeleton; `None` if it is that of the parent.
    pub target: Option<String>,
}
