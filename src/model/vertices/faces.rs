//! The drawable triangles of a mesh, and their vertices by material.

use alloc::{vec, vec::Vec};
use core::cmp::Ordering;

use super::{VertexCounts, VertexOptions, to_u32, to_usize};
use crate::model::maths::cross64;
use crate::model::{Handedness, Mesh, UvOrigin, Winding};

/// A drawable triangle.
#[derive(Clone, Copy)]
pub(super) struct Face {
    pub(super) vertices: [u32; 3],
    pub(super) points: [u32; 3],
    material: u32,
    pub(super) groups: u32,
    /// Whether its texture is mirrored: where tangents are computed, and the texture has an area.
    is_mirrored: bool,
}

/// The drawable triangles of a mesh, by material.
pub(super) struct Faces {
    pub(super) all: Vec<Face>,
    /// Whether the cross product of two edges, in the order of the corners, points outwards.
    is_outward: bool,
}

impl Faces {
    /// O(triangles * log materials).
    pub(super) fn new(
        mesh: &Mesh<'_>,
        positions: &[[f32; 3]],
        options: &VertexOptions,
        counts: &mut VertexCounts,
    ) -> Self {
        let is_kept = mesh.winding() == options.winding;
        // Counterclockwise from outside is outwards by the right hand.
        let is_right = mesh.space().handedness() == Handedness::Right;
        let is_outward = (options.winding == Winding::CounterClockwise) == is_right;
        let face = |index| face(mesh, index, positions, (is_kept, options.keep_degenerate));
        let mut all: Vec<Face> = (0..mesh.triangle_count()).filter_map(face).collect();
        counts.dropped_triangles = mesh.triangle_count().saturating_sub(all.len());
        counts.triangles = all.len();
        if let Some(uvs) = mesh.uvs(0).filter(|_| options.has_tangents()) {
            for face in &mut all {
                let uvs = face.vertices.map(|vertex| super::uv(mesh, &uvs, UvOrigin::Bottom, vertex));
                let area = uv_area(uvs);
                face.is_mirrored = if is_outward { area < 0.0 } else { area > 0.0 };
            }
        }
        // A stable sort keeps the file order within a material.
        all.sort_by_key(|face| face.material);
        Self { all, is_outward }
    }

    /// Whether all triangles have one material, and all vertices a place.
    fn is_whole(&self, mesh: &Mesh<'_>, positions: &[[f32; 3]]) -> bool {
        let first = self.all.first().map(|face| face.material);
        let is_placed = |vertex| {
            let place = mesh.point_of(vertex).and_then(|point| positions.get(point));
            place.is_some_and(|place| place.iter().all(|value| value.is_finite()))
        };
        first.is_some()
            && self.all.iter().all(|face| Some(face.material) == first)
            && (0..mesh.vertex_count()).all(is_placed)
    }

    /// The normal of a triangle, outwards, with twice its area as length.
    pub(super) fn normal_of(&self, face: &Face, positions: &[[f32; 3]]) -> Option<[f64; 3]> {
        let [Some([ax, ay, az]), Some([bx, by, bz]), Some([cx, cy, cz])] =
            face.points.map(|point| Some(positions.get(to_usize(point))?.map(f64::from)))
        else {
            return None;
        };
        let normal = cross64([bx - ax, by - ay, bz - az], [cx - ax, cy - ay, cz - az]);
        Some(if self.is_outward { normal } else { normal.map(|value| -value) })
    }
}

/// Twice the signed area of a triangle in a texture.
pub(super) fn uv_area(corners: [[f32; 2]; 3]) -> f64 {
    let [[au, av], [bu, bv], [cu, cv]] = corners.map(|corner| corner.map(f64::from));
    (bu - au) * (cv - av) - (cu - au) * (bv - av)
}

/// A drawable triangle: three vertices whose points are finite, all different unless `keep_degenerate`. `is_kept`: the order of the corners.
fn face(
    mesh: &Mesh<'_>,
    index: usize,
    positions: &[[f32; 3]],
    (is_kept, keep_degenerate): (bool, bool),
) -> Option<Face> {
    let triangle = mesh.triangle(index)?;
    let [a, b, c] = triangle.vertices;
    if !keep_degenerate && (a == b || b == c || c == a) {
        return None;
    }
    let vertices = if is_kept { [a, b, c] } else { [c, b, a] };
    let mut points = [0; 3];
    for (point, vertex) in points.iter_mut().zip(vertices) {
        let own = mesh.point_of(to_usize(vertex))?;
        positions.get(own).filter(|position| position.iter().all(|value| value.is_finite()))?;
        *point = to_u32(own);
    }
    let groups = triangle.smoothing_groups.unwrap_or(1);
    Some(Face { vertices, points, material: triangle.material, groups, is_mirrored: false })
}

/// Vertices and triangles while they are made. First there is one for each vertex of a material; of these, welding keeps some, and palettes repeat some.
#[derive(Default)]
pub(super) struct Draft {
    /// For each first vertex, the vertex of the mesh.
    pub(super) sources: Vec<u32>,
    /// For each first vertex, whether the texture of its triangles is mirrored, where tangents are computed.
    pub(super) mirrored: Vec<bool>,
    /// For each vertex, its number among the first ones.
    pub(super) numbers: Vec<u32>,
    /// For each vertex, its number after welding.
    pub(super) welded: Vec<u32>,
    pub(super) parts: Vec<DraftPart>,
    /// Vertices of the mesh that are used.
    pub(super) used: usize,
}

/// A range of vertices with the triangles between them.
pub(super) struct DraftPart {
    pub(super) material: u32,
    pub(super) first: usize,
    pub(super) count: usize,
    /// Counted from `first`.
    pub(super) indices: Vec<u32>,
    pub(super) palette: usize,
}

impl DraftPart {
    /// The triangles, as vertices of the draft.
    pub(super) fn triangles(&self) -> impl Iterator<Item = [u32; 3]> + '_ {
        let first = to_u32(self.first);
        let corners = self.indices.chunks_exact(3).filter_map(|corners| <[u32; 3]>::try_from(corners).ok());
        corners.map(move |own| own.map(|corner| corner.saturating_add(first)))
    }
}

/// The attributes that vertices have in common if they are one: normals, texture coordinates and colours.
pub(super) type Attributes<'d> = (&'d [[f32; 3]], &'d [Vec<[f32; 2]>], &'d [[u8; 4]]);

impl Draft {
    /// O(vertices + triangles).
    pub(super) fn new(mesh: &Mesh<'_>, faces: &Faces, options: &VertexOptions, positions: &[[f32; 3]]) -> Self {
        let (mut draft, has_tangents) = (Self::default(), options.has_tangents());
        // For each vertex of the mesh, its last part, counted from 1, and its index there; of each, those with mirrored textures.
        let mut places = vec![(0_u32, 0_u32); mesh.vertex_count()];
        let mut mirrored = if has_tangents { places.clone() } else { Vec::new() };
        let keeps_order = options.keep_order && !options.weld && !has_tangents && faces.is_whole(mesh, positions);
        if keeps_order {
            for (place, vertex) in places.iter_mut().zip(0_u32..) {
                *place = (1, vertex);
                draft.sources.push(vertex);
                draft.mirrored.push(false);
            }
        }
        for faces in faces.all.chunk_by(|one, other| one.material == other.material) {
            let Some(material) = faces.first().map(|face| face.material) else { continue };
            let first = if keeps_order { 0 } else { draft.sources.len() };
            let part = to_u32(draft.parts.len()).saturating_add(1);
            let mut indices = Vec::with_capacity(faces.len().saturating_mul(3));
            for face in faces {
                let places = if face.is_mirrored { &mut mirrored } else { &mut places };
                for vertex in face.vertices {
                    let Some(place) = places.get_mut(to_usize(vertex)) else { continue };
                    if place.0 != part {
                        *place = (part, to_u32(draft.sources.len().saturating_sub(first)));
                        draft.sources.push(vertex);
                        draft.mirrored.push(face.is_mirrored);
                    }
                    indices.push(place.1);
                }
            }
            let count = draft.sources.len().saturating_sub(first);
            draft.parts.push(DraftPart { material, first, count, indices, palette: 0 });
        }
        let is_used = |(vertex, place): (usize, &(u32, u32))| {
            place.0 > 0 || mirrored.get(vertex).is_some_and(|place| place.0 > 0)
        };
        draft.used = places.iter().enumerate().filter(|place| is_used(*place)).count();
        draft.numbers = (0..to_u32(draft.sources.len())).collect();
        draft.welded.clone_from(&draft.numbers);
        draft
    }

    /// Makes one of the vertices of a part that have the same point and the same attributes. Triangles that lose a corner have no area and are left
    /// out. O(vertices * log vertices).
    pub(super) fn weld(&mut self, mesh: &Mesh<'_>, attributes: Attributes<'_>, counts: &mut VertexCounts) {
        let point = |source: &u32| mesh.point_of(to_usize(*source)).map_or(u32::MAX, to_u32);
        let points: Vec<u32> = self.sources.iter().map(point).collect();
        let mut numbers: Vec<u32> = Vec::with_capacity(self.numbers.len());
        for part in &mut self.parts {
            let start = to_u32(part.first);
            let mut sorted: Vec<u32> = (start..start.saturating_add(to_u32(part.count))).collect();
            let compared = |one: u32, other: u32| {
                let point = |vertex: u32| points.get(to_usize(vertex)).copied();
                let mirrored = |vertex: u32| self.mirrored.get(to_usize(vertex)).copied();
                let of_file = (point(one), mirrored(one)).cmp(&(point(other), mirrored(other)));
                of_file.then_with(|| compared(attributes, one, other))
            };
            sorted.sort_unstable_by(|one, other| compared(*one, *other).then(one.cmp(other)));
            // For each vertex of the part, the first one that is equal.
            let mut firsts = vec![0_u32; part.count];
            for alike in sorted.chunk_by(|one, other| compared(*one, *other).is_eq()) {
                let Some(kept) = alike.first() else { continue };
                for vertex in alike {
                    if let Some(first) = firsts.get_mut(to_usize(vertex.saturating_sub(start))) {
                        *first = kept.saturating_sub(start);
                    }
                }
            }
            let first = numbers.len();
            // The new index of each vertex that a triangle still uses, in the order of the triangles.
            let mut new = vec![u32::MAX; part.count];
            let before = part.indices.len();
            let corners = part.indices.chunks_exact(3).filter_map(|corners| <[u32; 3]>::try_from(corners).ok());
            let kept = |old: u32| firsts.get(to_usize(old)).copied().unwrap_or_default();
            let corners = corners.map(|corners| corners.map(kept)).filter(|[a, b, c]| a != b && b != c && c != a);
            let mut renamed = |kept: u32| {
                let Some(index) = new.get_mut(to_usize(kept)) else { return 0 };
                if *index == u32::MAX {
                    *index = to_u32(numbers.len().saturating_sub(first));
                    numbers.push(start.saturating_add(kept));
                }
                *index
            };
            part.indices = corners.flatten().map(&mut renamed).collect();
            let lost = before.saturating_sub(part.indices.len()) / 3;
            counts.triangles = counts.triangles.saturating_sub(lost);
            counts.dropped_triangles = counts.dropped_triangles.saturating_add(lost);
            (part.first, part.count) = (first, numbers.len().saturating_sub(first));
        }
        self.parts.retain(|part| !part.indices.is_empty());
        self.welded = (0..to_u32(numbers.len())).collect();
        self.numbers = numbers;
    }
}

/// Compares the attributes of two vertices, bit by bit.
fn compared((normals, uvs, colors): Attributes<'_>, one: u32, other: u32) -> Ordering {
    let [one, other] = [one, other].map(to_usize);
    let normal = |vertex: usize| normals.get(vertex).map(|normal| normal.map(f32::to_bits));
    let uv = |uvs: &Vec<[f32; 2]>, vertex: usize| uvs.get(vertex).map(|uv| uv.map(f32::to_bits));
    let of_sets = uvs.iter().map(|set| uv(set, one)).cmp(uvs.iter().map(|set| uv(set, other)));
    let of_normals = || normal(one).cmp(&normal(other));
    of_sets.then_with(of_normals).then_with(|| colors.get(one).cmp(&colors.get(other)))
}
