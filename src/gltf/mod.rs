//! Meshes and clips of any family as binary glTF (GLB).
//!
//! ```
//! use skelmap::{Asset, gltf, model::Binding};
//!
//! let (mesh, animation) =
//!     (std::fs::read("tests/corpus/actorx/mesh/classic.psk")?, std::fs::read("tests/corpus/actorx/anim/classic.psa")?);
//! let (mesh, animation) = (Asset::parse(&mesh)?, Asset::parse(&animation)?);
//! let mesh = mesh.mesh().ok_or("no mesh")?;
//! let clips: Vec<_> = animation.clips().map(|clip| (clip, Binding::new(&mesh, &clip))).collect();
//! let mut file = Vec::new();
//! let report = gltf::write_glb(&mesh, &clips, &gltf::Options::default(), &mut file)?;
//! println!("{} bytes, {report:?}", file.len());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The rules (glTF reference): the space is glTF's; one armature node stands above all roots; joint i is bone i; the
//! inverse bind matrices are those of the nodes as written; vertices of a material are one range; constant tracks have
//! one key, and tracks equal to the bind pose none; rotations have unit length and a continuous sign. The bytes are the
//! same for the same input. Keys are written as they are read: memory is that of the JSON and of the mesh.

mod animations;
mod geometry;
mod json;
mod layout;
mod motion;
mod options;
mod write;

use std::io::Write;

pub use options::{Colors, Influences, Options, Report, WriteError};

use crate::model::{Binding, Clip, Mesh};

/// Writes a mesh and clips that are bound to it as one GLB. O(mesh + frames * bones).
///
/// # Errors
/// [`WriteError`].
pub fn write_glb(
    mesh: &Mesh<'_>,
    clips: &[(Clip<'_>, Binding)],
    options: &Options,
    out: impl Write,
) -> Result<Report, WriteError> {
    let mut report = Report::default();
    let plan = layout::Plan::new(mesh, clips, options, &mut report)?;
    write::write(&plan, out)?;
    Ok(report)
}
