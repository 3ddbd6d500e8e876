//! The layouts of both files (the ranges of their chunks) and the options for finding them.

use crate::bytes::Span;

/// Options for ActorX files. There are none yet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Options {}

/// The layout of a mesh, without a lifetime: [`PskBuf`](super::PskBuf) stores it beside the bytes.
#[derive(Clone, Copy, Debug, Default)]
pub struct PskLayout {
    pub(super) points: Span,
    pub(super) wedges: Span,
    pub(super) faces: Span,
    pub(super) faces_have_32_bits: bool,
    pub(super) materials: Span,
    pub(super) bones: Span,
    pub(super) influences: Span,
    pub(super) colors: Span,
    pub(super) normals: Span,
    pub(super) tangents: Span,
    pub(super) morphs: Span,
    pub(super) morph_deltas: Span,
    pub(super) sockets: Span,
    /// Chunks with extra UV sets, and those of them with a coordinate for each wedge.
    pub(super) uv_chunks: usize,
    pub(super) extra_uv_sets: usize,
}

/// The layout of an animation, without a lifetime: [`PsaBuf`](super::PsaBuf) stores it beside the bytes.
#[derive(Clone, Copy, Debug, Default)]
pub struct PsaLayout {
    pub(super) bones: Span,
    pub(super) infos: Span,
    pub(super) keys: Span,
    pub(super) scale_keys: Span,
}
