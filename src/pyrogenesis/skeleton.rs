//! Standard skeletons (`art/skeletons/*.xml`): the names and parents of bones, which PMD and PSA files do not have.

use alloc::string::String;
use alloc::vec::Vec;

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
