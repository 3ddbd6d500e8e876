//! Unreal ActorX: meshes (`.psk`, `.pskx`), animations (`.psa`) and their side-car (`.config`).
//!
//! A file is a sequence of chunks, each a 32-byte header and an array of fixed-size records. [`Psk`] and [`Psa`] prove the
//! headers and hand the arrays out in place; [`Chunks`] is the bare walk. There is one struct per array
//! ([`Point`], [`Wedge`], [`Bone`], [`AnimKey`] and so on); [`space`] holds the conventions, [`Config`] the side-car.
//!
//! Source of every layout: the ActorX reference, the project's own notes on the format from the sources of its tools and from
//! thousands of files, whose sections the items cite.

#[cfg(feature = "std")]
mod check;
mod chunk;
mod config;
mod curve;
mod layout;
#[cfg(feature = "std")]
mod narrow;
#[cfg(feature = "bytemuck")]
pub mod native;
mod psa;
mod psk;
mod record;
mod sequence;
mod skeleton;
pub mod space;

#[cfg(feature = "std")]
pub use check::check_config;
#[cfg(feature = "catalog")]
pub(crate) use chunk::looks_like_header;
pub use chunk::{Chunk, ChunkId, Chunks};
pub use config::{Config, Entry, KeyParts};
#[cfg(feature = "std")]
pub use config::{ResolvedConfig, SequenceSources, Source, TrackSources};
pub use curve::{Curve, CurveChunk};
#[cfg(feature = "std")]
pub use narrow::{Narrow, to_narrow};
pub use psa::{Psa, PsaLayout};
pub use psk::{FaceIter, Faces, Morph, Psk, PskLayout};
pub use record::{
    AnimInfo, AnimKey, Bone, Color, Face, Face16, Face32, Influence, Material, MorphDelta, MorphInfo, Normal, Point,
    ScaleKey, Socket, Tangent, Uv, Wedge,
};
pub use sequence::{Sequence, Sequences};
#[cfg(feature = "std")]
pub use skeleton::BoneOrder;
pub use skeleton::Skeleton;
