//! Pyrogenesis, the engine of 0 A.D.: meshes (`.pmd`, versions 1 to 4) and animations (`.psa`, magic `PSSA`).
//!
//! Both formats have a 12-byte header and packed sections, some after names of any length, so arrays begin at any alignment.
//! [`Pmd`] and [`Psa`] check the counts and return the arrays in place. [`Psa::pose`] and [`Pmd::skin`] compute the engine's
//! result, bit for bit with glibc.
//!
//! The page [`format`](mod@format), the "Pyrogenesis reference" of these docs, describes both formats byte by byte.

mod check;
pub mod codes;
#[allow(clippy::doc_markdown, reason = "names of the format")]
#[doc = include_str!("../../docs/formats/pyrogenesis.md")]
pub mod format {}
mod header;
mod model;
mod pmd;
mod pose;
mod psa;
mod record;
pub mod skeleton;
mod skin;

pub use header::{Header, Options, Strictness};
pub use pmd::{Pmd, PmdLayout, Props, VertexRef, Vertices};
pub use pose::Playback;
pub use psa::{Psa, PsaLayout};
pub use record::{Blend, BoneState, NO_BONE, PropPoint, PropTransform, Triangle, Vertex};
#[cfg(feature = "bytemuck")]
pub use record::{BoneStateNative, Vertex1Native, Vertex2Native, Vertex3Native};
pub use skin::SkinnedVertex;

use crate::model::Owned;
pub use crate::model::{IDENTITY, Matrix};

/// An owned mesh; [`view`](Owned::view) gives the [`Pmd`].
pub type PmdBuf<B> = Owned<B, PmdLayout>;
/// An owned animation; [`view`](Owned::view) gives the [`Psa`].
pub type PsaBuf<B> = Owned<B, PsaLayout>;
