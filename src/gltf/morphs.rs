//! Morph targets: sparse accessors of the vertices that they move.

use std::collections::HashMap;

use super::json::{self, Accessor, BufferView, FLOAT};
use super::plan::{Piece, Plan, at, small};
use crate::bytes::to_u64;
use crate::model::MorphTarget;

impl Plan<'_> {
    /// Adds a morph target for a range of vertices; returns its accessor.
    pub(super) fn add_morph(&mut self, morph: &MorphTarget<'_>, first: usize, count: usize) -> json::Target {
        let moved = self.moved_vertices(morph, first, count);
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
        if number > 0 {
            let start = self.length;
            let indices = self.add_piece(Piece::Morph(moved), number.saturating_mul(16), None, None);
            // The indices come first, then the offsets: two views of one piece.
            let values = small(self.root.buffer_views.len());
            let index_bytes = number.saturating_mul(4);
            if let Some(view) = self.root.buffer_views.get_mut(at(indices)) {
                view.byte_length = index_bytes;
            }
            let byte_offset = start.saturating_add(index_bytes);
            self.root.buffer_views.push(BufferView::new(byte_offset, number.saturating_mul(12)));
            accessor.sparse = Some(json::Sparse {
                count: number,
                indices: json::SparsePart { buffer_view: indices, component_type: Some(json::UNSIGNED_INT) },
                values: json::SparsePart { buffer_view: values, component_type: None },
            });
        }
        json::Target { position: self.add_accessor(accessor) }
    }

    /// The vertices of a range that a target moves, ascending and counted from the first, with their offsets.
    fn moved_vertices(&self, morph: &MorphTarget<'_>, first: usize, count: usize) -> Vec<(u32, [f32; 3])> {
        let Some(vertices) = &self.vertices else { return Vec::new() };
        let mut of_point: HashMap<i32, [f32; 3]> = HashMap::new();
        for delta in morph.deltas().filter(|delta| delta.position.iter().all(|value| value.is_finite())) {
            of_point.insert(delta.point, delta.position);
        }
        let own = vertices.geometry.vertices.get(first..).unwrap_or_default().iter().take(count).enumerate();
        let moved = own.filter_map(|(index, vertex)| {
            let point = vertices.mesh.point_of(usize::try_from(*vertex).ok()?)?;
            let offset = vertices.turned(*of_point.get(&i32::try_from(point).ok()?)?);
            (offset != [0.0; 3]).then_some((small(index), offset))
        });
        moved.collect()
    }
}
