//! Writes the meshes and clips of [`skelmap`] as glTF 2.0 (one binary file, or JSON with a binary file beside it) and as
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
//! | choose the unit, the up axis, the number of influences | [`ExportOptions`] |
//! | embed textures | [`Document::images`], [`Document::textures`] |
//! | list what was left out or computed | [`ExportReport`] |
//!
//! The rules (glTF reference): the space is glTF's; all roots are below one armature node; joint i is bone i; the inverse bind
//! matrices are those of the written nodes; the vertices of a material are one range; constant tracks have one key, tracks
//! equal to the bind pose none; rotations have unit length and a continuous sign. Equal input gives equal bytes. Keys are
//! streamed: memory is only needed for the JSON and the mesh. Equal contents are stored once.

mod animations;
mod compact;
mod content;
mod document;
mod json;
mod model;
mod motion;
mod obj;
mod options;
mod plan;
mod reduce;
mod report;
mod rig;
mod scene;
mod space;
mod vertices;
mod write;

/// Bones of the output, for the crate that draws them: its pictures show the content of the output.
#[doc(hidden)]
pub mod shape {
    pub use crate::rig::Rig;
    pub use crate::space::{placed, turn};
}

pub use document::{
    Alias, Animation, AnimationEvent, Attached, Document, HierarchyBone, Image, MediaType, Origin, Stored,
};
pub use obj::obj_material;
pub use options::{Additive, Colors, ExportOptions, InfluenceCount};
pub use report::{ExportReport, WriteError};

/// Compiles and runs the program of README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
