//! Morph targets: sparse accessors of the vertices that they move.

use crate::geometry::small;
use crate::json::{self, Accessor, BufferView, FLOAT};
use crate::plan::{Piece, Plan};
use crate::vertices::Vertices;
use skelmap::model::MorphTarget;
use skelmap::shared::{to_u64, to_usize};

/// The maximum number of morph targets, counted for each material.
const MAX_TARGETS: usize = 1 << 16;

/// The maximum number of moved vertices over all targets: a point may have many vertices.
const MAX_MOVED: usize = 1 << 24;

/// A vertex of the output and its offset.
type Moved = (u32, [f32; 3]);

impl Plan<'_> {
    /// Adds morph targets up to the limit. Returns those of each material.
    pub(crate) fn add_morphs(&mut self, vertices: &Vertices<'_>, morphs: &[MorphTarget<'_>]) -> Vec<Vec<json::Target>> {
        let parts = &vertices.geometry.parts;
        let mut targets: Vec<Vec<json::Target>> = parts.iter().map(|_| Vec::new()).collect();
        if morphs.is_empty() {
            return targets;
        }
        let (of_points, mut left) = (vertices_of_points(vertices), MAX_MOVED);
        for morph in morphs.iter().take(MAX_TARGETS.checked_div(parts.len()).unwrap_or_default()) {
            let Some(moved) = moved_vertices(vertices, morph, &of_points, left) else { break };
            left = left.saturating_sub(moved.len());
            let mut rest = moved.as_slice();
            for (part, targets) in parts.iter().zip(&mut targets) {
                let (first, end) = (small(part.first), small(part.first.saturating_add(part.vertices)));
                let (own, others) = rest.split_at(rest.partition_point(|(vertex, _)| *vertex < end));
                rest = others;
                let own = own.iter().map(|(vertex, offset)| (vertex.saturating_sub(first), *offset));
                targets.push(self.add_morph(own.collect(), part.vertices));
            }
        }
        targets
    }

    /// Adds a morph target of one material.
    fn add_morph(&mut self, mut moved: Vec<Moved>, count: usize) -> json::Target {
        // Without bytes, an accessor contains zeros. Some readers refuse it.
        if moved.is_empty() {
            moved.push((0, [0.0; 3]));
        }
        let (mut min, mut max) = ([0.0_f32; 3], [0.0_f32; 3]);
        let is_whole = moved.len() == count;
        for (index, (_, offset)) in moved.iter().enumerate() {
            for ((min, max), value) in min.iter_mut().zip(&mut max).zip(offset) {
                let is_first = is_whole && index == 0;
                (*min, *max) = if is_first { (*value, *value) } else { (min.min(*value), max.max(*value)) };
            }
        }
        let number = to_u64(moved.len());
        let mut accessor = Accessor { buffer_view: None, ..Accessor::new(0, FLOAT, to_u64(count), "VEC3") };
        (accessor.min, accessor.max) = (min.to_vec(), max.to_vec());
        let start = self.length;
        let indices = self.add_piece(Piece::Morph(moved), number.saturating_mul(16), None, None);
        // First the indices, then the offsets: two views of one piece.
        let values = small(self.root.buffer_views.len());
        let index_bytes = number.saturating_mul(4);
        if let Some(view) = self.root.buffer_views.get_mut(to_usize(indices.into())) {
            view.byte_length = index_bytes;
        }
        let (byte_offset, byte_length) = (start.saturating_add(index_bytes), number.saturating_mul(12));
        self.root.buffer_views.push(BufferView { byte_offset, byte_length, ..BufferView::default() });
        accessor.sparse = Some(json::Sparse {
            count: number,
            indices: json::SparsePart { buffer_view: indices, component_type: Some(json::UNSIGNED_INT) },
            values: json::SparsePart { buffer_view: values, component_type: None },
        });
        json::Target { position: self.add_accessor(accessor) }
    }
}

/// Each point with one of its vertices in the output, sorted.
fn vertices_of_points(vertices: &Vertices<'_>) -> Vec<(usize, u32)> {
    let of_vertex =
        |(index, vertex): (usize, &u32)| Some((vertices.mesh.point_of(to_usize((*vertex).into()))?, small(index)));
    let mut pairs: Vec<_> = vertices.geometry.vertices.iter().enumerate().filter_map(of_vertex).collect();
    pairs.sort_unstable();
    pairs
}

/// The vertices that a target moves, ascending; `None` for more than `most`. If a point has several deltas, the last one is
/// used.
fn moved_vertices(
    vertices: &Vertices<'_>,
    morph: &MorphTarget<'_>,
    of_points: &[(usize, u32)],
    most: usize,
) -> Option<Vec<Moved>> {
    let finite = morph.deltas().filter(|delta| delta.position.iter().all(|value| value.is_finite()));
    let known = finite.filter_map(|delta| Some((usize::try_from(delta.point).ok()?, delta.position)));
    let mut deltas: Vec<(usize, [f32; 3])> = known.collect();
    // After the stable sort, the last of equal points comes first.
    deltas.reverse();
    deltas.sort_by_key(|(point, _)| *point);
    deltas.dedup_by_key(|(point, _)| *point);
    let mut moved = Vec::new();
    for (point, offset) in deltas.into_iter().filter(|(_, offset)| *offset != [0.0; 3]) {
        let offset = vertices.turned(offset);
        if !offset.iter().all(|value| value.is_finite()) {
            continue;
        }
        let start = of_points.partition_point(|(own, _)| *own < point);
        let own = of_points.get(start..).unwrap_or_default().iter().take_while(|(own, _)| *own == point);
        moved.extend(own.map(|(_, vertex)| (*vertex, offset)));
        if moved.len() > most {
            return None;
        }
    }
    moved.sort_unstable_by_key(|(vertex, _)| *vertex);
    Some(moved)
}
