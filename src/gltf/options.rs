//! How a GLB is written, what was left out of it, and why it was not written.

use std::io;

use crate::report::Error;

/// How a mesh and its clips are written.
#[derive(Clone, Debug, PartialEq)]
#[expect(clippy::exhaustive_structs, reason = "made by struct update from its default")]
pub struct Options {
    /// Metres in a unit of files that do not say it: a centimetre by default.
    pub metres: f32,
    /// Influences for each vertex: 4 or 8. The strongest are kept.
    pub influences: Influences,
    /// What vertex colours are written as.
    pub colors: Colors,
    /// Whether morph targets are written.
    pub morphs: bool,
    /// Whether a last key repeats the first, so that a loop closes.
    pub loops: bool,
}

/// The number of influences for each vertex.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Influences {
    /// Four: every program reads them.
    Four,
    /// Eight, in two sets.
    Eight,
}

/// What vertex colours are written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colors {
    /// As `_COLOR_0`, which viewers ignore: in 7 of 8 real files the colours are masks and not paint.
    Masks,
    /// As `COLOR_0`, which viewers multiply with the material.
    Paint,
    /// Not at all.
    None,
}

impl Default for Options {
    fn default() -> Self {
        let (influences, colors) = (Influences::Four, Colors::Masks);
        Self { metres: 0.01, influences, colors, morphs: true, loops: false }
    }
}

/// What was left out, computed or not matched.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Report {
    /// Triangles that name a vertex twice, or one that does not exist or has no finite position.
    pub dropped_triangles: usize,
    /// Vertices that no triangle uses.
    pub unused_vertices: usize,
    /// Vertices whose normal is not in the file.
    pub computed_normals: usize,
    /// Influences weaker than those that were kept.
    pub weaker_influences: u64,
    /// Clips that were left out because they have no frames.
    pub clips_without_frames: usize,
    /// Clips without a rate that gives ascending times: they play at 30 frames per second.
    pub clips_without_rate: usize,
    /// Clips that look additive, left out because they tear the mesh when they are played alone.
    pub additive_clips: usize,
    /// Tracks of the first clip that move no bone of the mesh.
    pub unmatched_tracks: usize,
    /// Bones whose bind pose is not finite: they stand at their parent.
    pub misplaced_bones: usize,
    /// Bones in a circle, cut into roots.
    pub cut_bones: usize,
}

/// Why a file was not written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WriteError {
    /// The mesh cannot be used.
    #[error("{0}")]
    Mesh(#[from] Error),
    /// The output failed.
    #[error("{0}")]
    Output(#[from] io::Error),
    /// The file would have 4 GiB or more, which GLB cannot say.
    #[error("the file would have {bytes} bytes, and GLB ends below 4 GiB")]
    TooLarge {
        /// The bytes that the file would have.
        bytes: u64,
    },
}
