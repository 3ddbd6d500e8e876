//! Writes the files of Pyrogenesis, the engine of 0 A.D.: meshes (`.pmd`, version 4) and animations (`.psa`, version 1).
//!
//! [`Rigging`] decides which bone each joint of a model is. [`MeshArrays`] and [`AnimationParts`] write arrays that are in the space of the game already;
//! [`MeshParts`] those of a file.
//!
//! The rules are those of the game's own converter, which reads Collada (Pyrogenesis reference; compared with its answers to 13 scenes).

mod animation;
mod arrays;
mod axes;
mod bones;
mod exact;
mod mesh;
mod parts;

pub use animation::{AnimationCounts, AnimationParts, AnimationReport, FRAME_MS, Frames, MAX_FRAMES, write_animation};
pub use arrays::{ArraysReport, MeshArrays};
pub use axes::{AxesError, JointAxes};
pub use bones::{Rigging, Rules, UnknownBones};
pub use mesh::MeshReport;
pub use parts::{MAX_BONES, MAX_VERTICES, MeshCounts, MeshParts, Prop};

/// A file that cannot be written, or not as asked.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PyrogenesisError {
    /// The output cannot be written.
    #[error("cannot write: {0}")]
    Write(#[from] std::io::Error),
    /// More than the format or the game can hold.
    #[error("{count} {what}: the limit is {limit}")]
    TooMany {
        /// The number.
        count: usize,
        /// What is counted.
        what: &'static str,
        /// The limit.
        limit: usize,
    },
    /// Arrays of different lengths.
    #[error("{what} has {count} elements, and there are {expected} vertices")]
    Length {
        /// The array.
        what: &'static str,
        /// Its length.
        count: usize,
        /// The number of vertices.
        expected: usize,
    },
    /// An element that names another one that does not exist.
    #[error("{what} {index} names {named}, and there are {count}")]
    Missing {
        /// The kind of the element.
        what: &'static str,
        /// Its index.
        index: usize,
        /// What it names.
        named: usize,
        /// The number of elements that there are.
        count: usize,
    },
    /// A number that is not finite.
    #[error("{what} {index} has a number that is not finite")]
    NotFinite {
        /// The kind of the element.
        what: &'static str,
        /// Its index.
        index: usize,
    },
    /// A weight that is no number, or below 0.
    #[error("vertex {vertex} has the weight {weight}: expected a finite number, 0 or more")]
    Weight {
        /// The vertex.
        vertex: usize,
        /// Its weight.
        weight: f32,
    },
    /// A rotation that is not of unit length.
    #[error("{what} {index} has a rotation of length {length}: expected a quaternion x, y, z, w of length 1")]
    Rotation {
        /// The kind of the element.
        what: &'static str,
        /// Its index.
        index: usize,
        /// The length of the rotation.
        length: f32,
    },
    /// Influences without bones, or bones that move no vertex.
    #[error("a mesh has bones and influences, or none of both; it has {}", if *bones == 0 { "no bones" } else { "no influences" })]
    HalfSkin {
        /// The number of bones.
        bones: usize,
    },
    /// States that are no frames of so many bones.
    #[error("{states} states are not one or more frames of {bones} bones")]
    Rows {
        /// The number of states.
        states: usize,
        /// The number of bones.
        bones: usize,
    },
    /// A length of a frame that is not a positive number.
    #[error("a frame of {0} ms: expected a finite number above 0")]
    FrameLength(f32),
    /// The axes of the joints cannot be told.
    #[error(transparent)]
    Axes(#[from] AxesError),
    /// No skeleton has the names of the joints.
    #[error(
        "no skeleton has the names of these joints ({}): name the file of `art/skeletons` that has them, or take the joints in their own order",
        joints.join(", ")
    )]
    NoSkeleton {
        /// The names of the first joints: at most 8.
        joints: Vec<String>,
    },
    /// A joint that moves vertices and is not in the skeleton.
    #[error("the skeleton {skeleton} has no bone for the joint {joint:?}")]
    UnknownJoint {
        /// The joint.
        joint: String,
        /// The id of the skeleton.
        skeleton: String,
    },
    /// An animation with fewer frames than one.
    #[error("the animation lasts {seconds} s: with its last two keys cut, no frame is left")]
    NoFrames {
        /// From the first key to the last.
        seconds: f64,
    },
    /// A mesh without a skin has no animation.
    #[error("a mesh without a skin has no animation")]
    NoSkin,
}
