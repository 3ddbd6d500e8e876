//! Meshes and clips of any family as glTF 2.0: one binary file (GLB), or JSON and a binary file beside it.
//!
//! ```
//! use skelmap::{Asset, gltf, model::Binding};
//!
//! let (mesh, animation) =
//!     (std::fs::read("tests/corpus/actorx/mesh/classic.psk")?, std::fs::read("tests/corpus/actorx/anim/classic.psa")?);
//! let (mesh, animation) = (Asset::parse(&mesh)?, Asset::parse(&animation)?);
//! let mesh = mesh.mesh().ok_or("no mesh")?;
//! let mut document = gltf::Document::of_mesh(&mesh);
//! for clip in animation.clips() {
//!     document.animations.push(gltf::Animation::new(&clip, Binding::new(&mesh, &clip)));
//! }
//! let mut file = Vec::new();
//! let report = document.write_glb(&gltf::Options::default(), &mut file)?;
//! println!("{} bytes, {report:?}", file.len());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The rules (glTF reference): the space is glTF's; one armature node stands above all roots; joint i is bone i; the
//! inverse bind matrices are those of the nodes as written; vertices of a material are one range; constant tracks have
//! one key, and tracks equal to the bind pose none; rotations have unit length and a continuous sign. The bytes are the
//! same for the same input. Keys are written as they are read: memory is that of the JSON and of the mesh.

mod additive;
mod animations;
mod document;
mod geometry;
mod json;
mod materials;
mod morphs;
mod motion;
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

#[cfg(feature = "preview")]
pub(crate) use geometry::{Geometry, Shape};
#[cfg(feature = "preview")]
pub(crate) use plan::{placed, turn};
#[cfg(feature = "preview")]
pub(crate) use rig::Rig;

pub use document::{Animation, Bone, Document, Event, Image, MediaType};
pub use obj::obj_material;
pub use options::{Additive, Colors, Influences, Options};
pub use report::{Report, WriteError};
