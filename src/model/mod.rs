//! The common model of all families: skeletons, meshes, clips, and operations on them.
//!
//! [`Asset::mesh`](crate::Asset::mesh) and [`Asset::clips`](crate::Asset::clips) give a [`Mesh`] and [`Clip`]s of a file
//! of any family, in place. [`Binding`] joins the two, [`Clip::sample`] gives a pose at any time, [`Skin`] moves the mesh, and
//! [`Mesh::to_vertices`] gives arrays for a renderer. Without a mesh, [`Hierarchy`] places the bones of a pose, [`mod@pose`] blends and adds
//! poses, and [`Binding::root_motion`] tells how far a clip moves.
//! Values are in the space of the file, which each type states; `in_space` converts them on access. Two conversions are always
//! made: `ActorX` bones have rotations of a column-vector chain (all but the first are stored as conjugates), and morph targets
//! have the y sign of the rest of the mesh.

mod ancestry;
mod binding;
mod bounds;
mod channel;
mod clip;
mod distances;
mod element;
mod head;
mod hierarchy;
mod influences;
mod layout;
mod matching;
// For the crates that write the model; other users have a maths crate.
#[doc(hidden)]
pub mod maths;
mod matrix;
mod mesh;
mod motion;
mod moved;
mod owned;
mod packed;
mod part;
mod parts;
pub mod pose;
mod root_motion;
mod sampler;
mod shape;
mod skeleton;
mod skinning;
mod sources;
mod space;
mod surface;
mod transform;
mod vertices;

pub(crate) use ancestry::check_hierarchy;
pub use binding::Binding;
pub use bounds::Bounds;
pub(crate) use channel::{Between, Channel, Channels, Frames, Tracks};
pub(crate) use channel::{Grid, Keys, Rows, Starts};
pub use clip::Clip;
pub(crate) use clip::NewClip;
pub use distances::Distances;
pub use element::Element;
pub(crate) use head::{Head, add_codes, read_part, read_span};
pub use head::{Names, Summary};
pub use hierarchy::Hierarchy;
pub use influences::{Dropped, Influences};
pub use layout::Layout;
pub(crate) use layout::{Description, Info};
pub use matching::{Match, Matcher, Verdict};
pub use matrix::{IDENTITY, Matrix};
#[doc(hidden)]
pub use mesh::Rest; // The result of `Mesh::to_rest`.
pub use mesh::{Attachment, Mesh, MorphDelta, MorphTarget, Triangle, UvOrigin, Vectors, Winding};
pub(crate) use mesh::{Conventions, MeshSource};
pub(crate) use motion::check_motion;
pub use motion::still_tracks;
pub use moved::MovedBones;
pub use owned::{Owned, ParseError};
// For the writer of glTF, which reads tracks part by part.
#[doc(hidden)]
pub use part::Part;
pub use parts::Parts;
pub use sampler::Wrap;
pub(crate) use shape::{ShapePlaces, check_shape};
pub use skeleton::{Bone, BoneOrder, Relative, Skeleton};
pub(crate) use skeleton::{BoneChain, ChainedBone, RotationRule};
pub use skinning::Skin;
pub use sources::{Source, TrackSources};
pub use space::{Axis, Change, Handedness, Space};
pub use surface::{Alpha, Surface};
pub use transform::Transform;
pub(crate) use transform::rotation_matrix;
pub use vertices::{
    Indices, MaterialRange, Palette, PosedPoints, VertexAttribute, VertexCounts, VertexOptions, Vertices,
};
