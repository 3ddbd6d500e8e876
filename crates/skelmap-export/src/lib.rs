//! Meshes and clips that [`skelmap`] reads, written as glTF 2.0 (one binary file, or JSON with a binary file beside it) and as
//! Wavefront OBJ.
//!
//! ```
//! use skelmap::{Asset, model::Binding};
//! use skelmap_export::{Animation, Document, ExportOptions};
//!
//! let (mesh, animation) = (std::fs::read("../../corpus/fox.psk")?, std::fs::read("../../corpus/fox.psa")?);
//! let (mesh, animation) = (Asset::parse(&mesh)?, Asset::parse(&animation)?);
//! let mesh = mesh.mesh().ok_or("no mesh")?;
//! let mut document = Document::of_mesh(&mesh);
//! document.animations = animation.clips().map(|clip| Animation::new(&clip, Binding::new(&mesh, &clip))).collect();
//! let mut file = Vec::new(); // or a `File`
//! let report = document.write_glb(&ExportOptions::default(), &mut file)?;
//! assert_eq!((report.bones, report.animations), (23, 2));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | to | use |
//! |---|---|
//! | write a mesh, with its animations | [`Document::of_mesh`], [`Document::write_glb`] |
//! | write animations without a mesh | [`Animation::of_clip`], [`Document::animations`] |
//! | write JSON and a binary file, or OBJ | [`Document::write_gltf`], [`Document::write_obj`] |
//! | choose the unit, the axis that points up, the number of influences | [`ExportOptions`] |
//! | embed textures | [`Document::images`], [`Document::textures`] |
//! | learn what was left out or computed | [`ExportReport`] |
//!
//! The rules (glTF reference): the space is glTF's; one armature node stands above all roots; joint i is bone i; the
//! inverse bind matrices are those of the nodes as written; vertices of a material are one range; constant tracks have
//! one key, and tracks equal to the bind pose none; rotations have unit length and a continuous sign. The bytes are the
//! same for the same input. Keys are written as they are read: memory is that of the JSON and of the mesh.
// What may panic, wrap or truncate is not written at all; the few exceptions stand where they are needed, each with its reason.
#![cfg_attr(
    not(test),
    deny(
        clippy::arithmetic_side_effects,
        clippy::as_conversions,
        clippy::exit,
        clippy::expect_used,
        clippy::get_unwrap,
        clippy::indexing_slicing,
        clippy::mem_forget,
        clippy::panic,
        clippy::string_slice,
        clippy::todo,
        clippy::unimplemented,
        clippy::unreachable,
        clippy::unwrap_used
    )
)]

mod additive;
mod animations;
mod document;
mod geometry;
mod json;
mod materials;
mod morphs;
mod motion;
mod number;
mod obj;
mod options;
mod output;
mod plan;
mod report;
mod rig;
mod sink;
mod turn;
mod vertices;
mod write;

/// Triangles and bones as they are written, for the crate that draws them: its pictures show what a file holds.
#[doc(hidden)]
pub mod shape {
    pub use crate::geometry::{Geometry, Shape};
    pub use crate::plan::{placed, turn};
    pub use crate::rig::Rig;
    pub use crate::turn::Quaternion;
}

pub use document::{Animation, AnimationEvent, Document, HierarchyBone, Image, MediaType};
pub use obj::obj_material;
pub use options::{Additive, Colors, ExportOptions, InfluenceCount};
pub use report::{ExportReport, WriteError};

/// The program of README is compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
