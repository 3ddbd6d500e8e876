//! Pyrogenesis, the engine of 0 A.D.: meshes (`.pmd`, versions 1 to 4) and animations (`.psa`, magic `PSSA`).
//!
//! Both are a 12-byte header and packed sections, some of them after names of any length, so that arrays begin at any alignment.
//! [`Pmd`] and [`Psa`] prove the counts and hand the arrays out in place. [`Psa::pose`] and [`Pmd::skin`] compute what the engine
//! shows, bit for bit where the host's C library is glibc.
//!
//! Source of every layout: the Pyrogenesis reference, whose sections the items cite.

#[cfg(feature = "std")]
mod check;
mod header;
mod pmd;
#[cfg(feature = "std")]
mod pose;
mod psa;
mod record;
#[cfg(feature = "std")]
mod skin;

pub use header::Strictness;
pub use pmd::{Pmd, PmdLayout, Props, VertexIter, VertexRef, Vertices};
#[cfg(feature = "std")]
pub use pose::{IDENTITY, Matrix, Playback};
pub use psa::{Psa, PsaLayout};
pub use record::{Blend, BoneState, NO_BONE, PropPoint, PropTransform, Triangle, Vertex};
#[cfg(feature = "std")]
pub use skin::SkinnedVertex;
