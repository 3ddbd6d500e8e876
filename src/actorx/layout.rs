//! The layouts of both formats (the ranges of their chunks) and the options of the parsers.

use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout};

use crate::bytes::Span;

/// Options for ActorX files. There are none yet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Options {}

/// The layout of a mesh, without a lifetime: [`PskBuf`](super::PskBuf) stores it beside the bytes.
#[derive(Clone, Copy, Debug, Default, FromBytes, Immutable, IntoBytes, KnownLayout)]
#[repr(C)]
pub struct PskLayout {
    pub(super) points: Span,
    pub(super) wedges: Span,
    pub(super) faces: Span,
    /// Bytes of a face; 0 without faces.
    pub(super) face_size: u64,
    pub(super) materials: Span,
    pub(super) bones: Span,
    pub(super) influences: Span,
    pub(super) colors: Span,
    pub(super) normals: Span,
    pub(super) tangents: Span,
    pub(super) morphs: Span,
    pub(super) morph_deltas: Span,
    pub(super) sockets: Span,
    /// The number of chunks with extra UV sets, and of those with a coordinate for each wedge.
    pub(super) uv_chunks: u64,
    pub(super) extra_uv_sets: u64,
}

/// The layout of an animation, without a lifetime: [`PsaBuf`](super::PsaBuf) stores it beside the bytes.
#[derive(Clone, Copy, Debug, Default)]
pub struct PsaLayout {
    pub(super) bones: Span,
    pub(super) infos: Span,
    pub(super) keys: Span,
    pub(super) scale_keys: Span,
}
