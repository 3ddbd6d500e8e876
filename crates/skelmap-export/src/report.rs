//! Outputs, the report of what was written, and the errors.

use std::io::{self, BufWriter, Result, Write};

use skelmap::Error;
use skelmap::model::Vertices;

/// A buffered output, so that a number does not cost a call.
pub(crate) type Sink<'o> = BufWriter<&'o mut dyn Write>;

#[inline]
pub(crate) fn write_floats(out: &mut impl Write, values: &[f32]) -> Result<()> {
    values.iter().try_for_each(|value| out.write_all(&value.to_le_bytes()))
}

/// What was left out, computed or not matched.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize)]
#[non_exhaustive]
pub struct ExportReport {
    /// Bones.
    pub bones: usize,
    /// Triangles that were written.
    pub triangles: usize,
    /// Animations that were written.
    pub animations: usize,
    /// Images that were written.
    #[serde(skip)]
    pub textures: usize,
    /// Triangles that use a vertex twice, also after welding, or one that does not exist or has no finite position.
    pub dropped_triangles: usize,
    /// Vertices that no triangle uses.
    pub unused_vertices: usize,
    /// Vertices with computed normals.
    pub computed_normals: usize,
    /// Influences weaker than the kept ones.
    pub weaker_influences: u64,
    /// Influences without a positive weight, or of a point or bone that does not exist or has an index above 65,534.
    pub dropped_influences: u64,
    /// Points without influences in a mesh with bones: they follow bone 0.
    pub unweighted_points: u64,
    /// Clips that were left out because they have no frames.
    pub clips_without_frames: usize,
    /// Clips whose rate does not give ascending times: they play at 30 frames per second.
    pub clips_without_rate: usize,
    /// Clips that were left out because the file would have more than a million channels, or more than 2^28 keys would be read:
    /// sequences of a hostile file may share their keys. Also those that state far more frames than they have keys, where each frame would have
    /// to be computed: deltas that are added to a pose.
    pub clips_beyond_limits: usize,
    /// Morph targets that were left out because all materials together would have more than 65,536, or because targets would
    /// move more than 16 million vertices.
    pub dropped_morphs: usize,
    /// Clips that look additive: left out because they tear the mesh when played alone, or played on their base. See
    /// [`ExportOptions::additive`](crate::ExportOptions::additive).
    pub additive_clips: usize,
    /// Clips that were left out because they look additive.
    pub skipped_clips: usize,
    /// Keys that are not finite: the one before stands in for each, or the rest pose.
    pub broken_keys: usize,
    /// Tracks that move no bone of the mesh, in the clip with the most of them.
    pub unmatched_tracks: usize,
    /// Bones without a track, in the clip with the most of them.
    pub unmoved_bones: usize,
    /// Bones whose bind pose is not finite: they are placed at their parent.
    pub misplaced_bones: usize,
    /// Sockets and prop points without a finite transform: they are left out.
    pub misplaced_attachments: usize,
    /// Bones in a cycle, cut into roots.
    pub cut_bones: usize,
    /// Skins beyond one for a mesh, because of [`ExportOptions::max_joints`](crate::ExportOptions::max_joints).
    pub added_skins: usize,
    /// UV sets that were left out because no texture uses them: see [`ExportOptions::keep_unused`](crate::ExportOptions::keep_unused).
    pub unused_uv_sets: usize,
    /// Coarser levels of detail that were written, because of [`ExportOptions::levels`](crate::ExportOptions::levels).
    pub levels: usize,
    /// Coarser levels of detail that were left out: without triangles, of several skins, or beyond 32.
    pub dropped_levels: usize,
    /// Clips of a compact file whose keys are all written, because to compare all poses would be too much: more than 2^22 of one clip, 2^24 of all,
    /// or far more than the clip has keys.
    pub clips_not_reduced: usize,
    /// Clips of a compact file that 16 bits move by more than the tolerance.
    pub clips_beyond_tolerance: usize,
    /// The most that a compact file moves a vertex in a frame, in metres: an upper bound, computed for each bone at the corners of the box
    /// of its vertices.
    pub skin_error: f32,
}

impl ExportReport {
    /// Adds what was counted when the vertices were made.
    pub(crate) fn count(&mut self, vertices: &Vertices) {
        let counts = &vertices.counts;
        (self.triangles, self.dropped_triangles) = (counts.triangles, counts.dropped_triangles);
        (self.unused_vertices, self.computed_normals) = (counts.unused_vertices, counts.computed_normals);
        let dropped = counts.influences;
        self.weaker_influences = dropped.weaker;
        self.dropped_influences = dropped.out_of_range.saturating_add(dropped.weightless);
        self.unweighted_points = dropped.unweighted_points;
        self.added_skins = vertices.palettes.len().saturating_sub(1);
    }
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
    /// The file would reach 4 GiB, which GLB does not support and few programs read.
    #[error("the file would have at least {bytes} bytes, but GLB is limited to 4 GiB")]
    TooLarge {
        /// The bytes that the file would have.
        bytes: u64,
    },
    /// Attachments, and those of what is attached, have more than 65,536 models or 262,144 nodes.
    #[error("more than 65,536 models or 262,144 nodes are attached")]
    TooManyModels,
    /// There is neither a mesh nor an animation.
    #[error("there is neither a mesh nor an animation")]
    Empty,
    /// The hierarchy has another number of bones, or a parent after its child.
    #[error("the hierarchy has {given} bones with parents before children, expected {expected}")]
    Hierarchy {
        /// Bones of the hierarchy, up to the first whose parent follows it.
        given: usize,
        /// Bones of the mesh.
        expected: usize,
    },
    /// The animation of a pose does not exist, or does not have this frame.
    #[error("animation {animation} with frame {position} does not exist")]
    NoFrame {
        /// The index of the animation.
        animation: usize,
        /// The position in frames.
        position: f64,
    },
}
