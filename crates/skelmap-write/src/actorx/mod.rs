//! Writes Unreal ActorX: meshes (`.psk`) and animations (`.psa`).
//!
//! Chunks have the classic order that old importers read by position; all are there, even if empty. Extra chunks (normals, more UV sets, colours) are written on
//! request, for tools that know them (`.pskx`).

mod animation;
mod bones;
mod chunks;
mod mesh;
mod smooth;
mod text;

pub use animation::{AnimationReport, ClipKeys, write_animation};
pub use bones::Armature;
pub use mesh::MeshReport;

use crate::pyrogenesis::JointAxes;

/// The maximum length of a name, in bytes: a NUL ends it.
pub const MAX_NAME: usize = 63;

/// The maximum number of wedges with 16-bit indices: all that games read.
pub const MAX_WEDGES: usize = 65_536;

/// The maximum number of materials: their index has 8 bits.
pub const MAX_MATERIALS: usize = 256;

/// Options for ActorX files.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(default, deny_unknown_fields)]
#[non_exhaustive]
pub struct ActorxOptions {
    /// Metres in a unit: a centimetre by default. Files do not state it.
    pub metres: f32,
    /// The axes of the joints: those of files that this project wrote, or of a rig that was made in Blender. Both skin alike, but a mesh needs the axes of its
    /// animations. `None`: as the program that wrote the file tells.
    pub axes: Option<JointAxes>,
    /// The most influences of a point: 4 by default, which Unreal Engine 1 to 3 keep. The strongest are written.
    pub influences: usize,
    /// Whether chunks are written that games do not read: normals, more UV sets and colours (`.pskx`), and indices of 32 bits where there are more wedges than 65,536.
    pub extras: bool,
}

impl Default for ActorxOptions {
    fn default() -> Self {
        Self { metres: 0.01, axes: None, influences: 4, extras: false }
    }
}

/// A file that cannot be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ActorxError {
    /// The output cannot be written.
    #[error("cannot write: {0}")]
    Write(#[from] std::io::Error),
    /// More than the format or its readers can hold.
    #[error("{count} {what}: the limit is {limit}")]
    TooMany {
        /// The number.
        count: usize,
        /// What is counted.
        what: &'static str,
        /// The limit.
        limit: usize,
    },
    /// A number that is not finite, or leaves the range of a float in the unit of the file.
    #[error("{what} {index} has a number that is not finite")]
    NotFinite {
        /// The kind of the element.
        what: &'static str,
        /// Its index.
        index: usize,
    },
    /// A unit or a rate that is not a positive number.
    #[error("{0} is not a positive number")]
    NotPositive(&'static str),
}
