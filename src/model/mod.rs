//! What all families have in common: skeletons, meshes, clips, and what is built on them.
//!
//! [`Asset::mesh`](crate::Asset::mesh) and [`Asset::clips`](crate::Asset::clips) give a [`Mesh`] and [`Clip`]s of a file
//! of any family, in place. [`Binding`] joins the two, [`Clip::sample`] gives a pose at any time, and [`Skin`] moves
//! the mesh. Values are in the space of the file, which each type names; `in_space` converts them on access. Nothing
//! else is converted, but for two things: the rotations of `ActorX` bones are those of a column-vector chain (all but
//! the first are stored as conjugates), and the y of its morph targets has the sign of the rest of the mesh.

#[cfg(feature = "std")]
mod arithmetic;
#[cfg(feature = "std")]
mod binding;
mod bounds;
#[cfg(feature = "std")]
mod clip;
#[cfg(feature = "std")]
mod distances;
#[cfg(feature = "std")]
mod element;
mod head;
#[cfg(feature = "std")]
mod influences;
mod layout;
#[cfg(feature = "std")]
mod lengths;
mod matching;
#[cfg(feature = "std")]
mod mesh;
#[cfg(feature = "std")]
mod motion;
#[cfg(feature = "std")]
mod moved;
mod owned;
#[cfg(feature = "std")]
mod part;
#[cfg(feature = "std")]
mod sampler;
#[cfg(feature = "std")]
mod shape;
mod skeleton;
#[cfg(feature = "std")]
mod skinning;
mod sources;
mod space;
#[cfg(feature = "std")]
mod surface;
mod transform;

// For the crates that write what the model holds; other users have a maths crate.
#[cfg(feature = "std")]
#[doc(hidden)]
pub use arithmetic::{inverse, product};
#[cfg(feature = "std")]
pub(crate) use arithmetic::{normalized, rotated, transformed, translated};
#[cfg(feature = "std")]
pub use binding::Binding;
pub use bounds::Bounds;
#[cfg(feature = "std")]
pub use clip::{Clip, Parts};
#[cfg(feature = "std")]
pub(crate) use clip::{Keys, NewClip, Rotations, Starts};
#[cfg(feature = "std")]
pub use distances::Distances;
#[cfg(feature = "std")]
pub use element::Element;
pub use head::Summary;
pub(crate) use head::{CodeSet, Head, Names, read_part, read_span};
#[cfg(feature = "std")]
pub use influences::{Dropped, Influences};
pub use layout::Layout;
pub(crate) use layout::{Description, Info, Role};
#[cfg(feature = "std")]
pub use lengths::{LengthChange, Lengths};
pub use matching::{Match, Matcher, Verdict};
#[cfg(feature = "std")]
#[doc(hidden)]
pub use mesh::Rest; // The result of `Mesh::to_rest`.
#[cfg(feature = "std")]
pub use mesh::{Attachment, Mesh, MorphDelta, MorphTarget, Triangle, UvOrigin, Winding};
#[cfg(feature = "std")]
pub(crate) use mesh::{Conventions, MeshSource};
#[cfg(feature = "std")]
pub(crate) use motion::check_motion;
#[cfg(feature = "std")]
pub use motion::still_tracks;
#[cfg(feature = "std")]
pub use moved::MovedBones;
pub use owned::{Owned, ParseError};
// For the writer of glTF, which reads tracks part by part.
#[cfg(feature = "std")]
#[doc(hidden)]
pub use part::Part;
#[cfg(feature = "std")]
pub use sampler::Wrap;
#[cfg(feature = "std")]
pub(crate) use shape::{ShapePlaces, check_shape};
pub(crate) use skeleton::RotationRule;
pub use skeleton::{BoneOrder, Relative, Skeleton};
#[cfg(feature = "std")]
pub use skinning::Skin;
pub use sources::{Source, TrackSources};
pub use space::{Axis, Change, Handedness, Space};
#[cfg(feature = "std")]
pub use surface::{Alpha, Surface};
#[cfg(feature = "std")]
pub(crate) use transform::rotation_matrix;
pub use transform::{IDENTITY, Matrix, Transform};
