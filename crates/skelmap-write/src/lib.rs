//! Writes skeletal meshes and animations from glTF 2.0 and from arrays: Pyrogenesis (0 A.D.) `.pmd` and `.psa`; edits
//! ActorX and SWAT 3 files.
//!
//! | to | use |
//! |---|---|
//! | read a mesh and its clips from glTF | [`Gltf::parse`], [`Gltf::to_model`], [`Gltf::clip`] |
//! | write them for 0 A.D. | [`pyrogenesis::Rigging`], [`pyrogenesis::write_animation`] |
//! | write arrays for 0 A.D. | [`pyrogenesis::MeshArrays`], [`pyrogenesis::AnimationParts`] |
//! | edit ActorX files without loss | [`edit::PsaEdit`], [`edit::Merge`], [`edit::Split`], [`edit::PskEdit`] |
//! | edit SWAT 3 animations without loss | [`edit::GsaEdit`] |
//! | mend what `check` finds | [`fix`](fn@fix) |

pub mod actorx;
mod affine;
pub mod edit;
mod fix;
pub mod gltf;
mod model;
mod names;
pub mod pyrogenesis;
mod weld;

pub use fix::{FIXABLE, FixReport, fix, fixable};
pub use gltf::{Gltf, GltfClip, GltfError};
pub use model::{Attachment, ImportReport, Influences, Joint, Material, Model, Triangle};
pub use names::clean as clean_name;

/// Compiles the program of README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
