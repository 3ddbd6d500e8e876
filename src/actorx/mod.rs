//! Unreal ActorX: meshes (`.psk`, `.pskx`), animations (`.psa`) and their side-car (`.config`).
//!
//! A file is a sequence of chunks: a 32-byte header and an array of records. [`Psk`] and [`Psa`] check the headers and return
//! the arrays in place; [`Chunks`] only walks over the chunks. Each array has its struct ([`Point`], [`Wedge`], [`Bone`],
//! [`AnimKey`] and so on); [`space`] has the conventions, [`Config`] is the side-car.
//!
//! The page [`format`](mod@format) describes the format byte by byte. "ActorX reference" in these docs means that page.

mod check;
mod chunk;
pub mod codes;
mod config;
mod curve;
mod keep;
mod layout;
mod model;
mod psa;
mod psk;
mod record;
mod sequence;
#[allow(clippy::doc_markdown, reason = "names of the format")]
#[doc = include_str!("../../docs/formats/actorx.md")]
pub mod format {}
pub mod space;
mod table;

pub use check::{check_config, check_config_each};
pub use chunk::{Chunk, ChunkHeader, ChunkId, Chunks};
pub use config::{Config, Entry, KeyParts, ResolvedConfig, SequenceSources};
pub use curve::{Curve, CurveChunk};
pub use layout::{Options, PsaLayout, PskLayout};
pub use psa::Psa;

pub use psk::{FaceIter, Faces, Morph, POINTS_OF_16_BITS, Psk};
pub use record::{
    AnimInfo, AnimKey, Bone, Color, Face, Face16, Face32, Influence, Material, MorphDelta, MorphInfo, Normal, Point,
    ScaleKey, Socket, Tangent, Uv, Wedge,
};
#[cfg(feature = "bytemuck")]
pub use record::{AnimKeyNative, Face16Native, InfluenceNative, MorphDeltaNative, ScaleKeyNative, WedgeNative};
pub use sequence::{Sequence, Sequences};

use crate::model::Owned;
pub use crate::model::{Source, TrackSources};

/// An owned mesh; [`view`](Owned::view) gives the [`Psk`].
pub type PskBuf<B> = Owned<B, PskLayout>;
/// An owned animation; [`view`](Owned::view) gives the [`Psa`].
pub type PsaBuf<B> = Owned<B, PsaLayout>;
