//! Normals from triangles and their smoothing groups.

use alloc::{vec, vec::Vec};

use super::faces::Faces;
use super::{PosedPoints, VertexCounts, to_u32, to_usize};
use crate::model::Mesh;
use crate::model::maths::{narrowed, unit64};

/// The maximum number of distinct smoothing groups of a point. Real points have a few; a hostile file can have many more.
const MAX_GROUPS: usize = 64;

/// Normals from faces: their area-weighted sum at a point, over the faces of common smoothing groups.
pub(super) struct Smooth {
    /// For each point, the number of its first sum, counted from 1.
    first: Vec<u32>,
    sums: Vec<Sum>,
    /// For each vertex, the result of its own faces.
    own: Vec<Own>,
}

/// The sum of the faces of a point with the same groups.
struct Sum {
    groups: u32,
    normal: [f64; 3],
    /// The number of the next sum of the point, or 0.
    next: u32,
}

/// The faces of one vertex.
#[derive(Clone, Default)]
struct Own {
    groups: u32,
    sum: [f64; 3],
    /// The normal of the first face with an area.
    first: Option<[f32; 3]>,
}

impl Faces {
    /// Normals of the file if they have a direction, else those of the faces.
    pub(super) fn to_normals(
        &self,
        mesh: &Mesh<'_>,
        points: &PosedPoints,
        vertices: &[u32],
        counts: &mut VertexCounts,
    ) -> Vec<[f32; 3]> {
        let point_of = |vertex: u32| mesh.point_of(to_usize(vertex));
        let own = |vertex: &u32| points.normals().get(point_of(*vertex)?).copied().and_then(unit64);
        let found: Vec<Option<[f32; 3]>> = vertices.iter().map(own).collect();
        counts.computed_normals = found.iter().filter(|normal| normal.is_none()).count();
        if counts.computed_normals == 0 {
            return found.into_iter().flatten().collect();
        }
        let smooth = Smooth::new(points.positions(), mesh.vertex_count(), self);
        let computed = |(vertex, found): (&u32, Option<[f32; 3]>)| {
            found.or_else(|| smooth.normal(*vertex, point_of(*vertex)?)).unwrap_or([0.0, 0.0, 1.0])
        };
        vertices.iter().zip(found).map(computed).collect()
    }
}

impl Smooth {
    /// O(points + vertices + triangles).
    pub(super) fn new(positions: &[[f32; 3]], vertices: usize, faces: &Faces) -> Self {
        let first = faces.all.first();
        let varies = faces.all.iter().any(|face| first.is_some_and(|first| first.groups != face.groups));
        let mut smooth =
            Self { first: vec![0; positions.len()], sums: Vec::new(), own: vec![Own::default(); vertices] };
        for face in &faces.all {
            let groups = if varies { face.groups } else { 1 };
            let Some(normal) = faces.normal_of(face, positions) else { continue };
            for (point, vertex) in face.points.into_iter().zip(face.vertices) {
                smooth.add(to_usize(point), groups, normal);
                let Some(own) = smooth.own.get_mut(to_usize(vertex)) else { continue };
                own.groups |= groups;
                add(&mut own.sum, normal);
                own.first = own.first.or_else(|| unit64(narrowed(normal)));
            }
        }
        smooth
    }

    /// Adds the normal of a face to the sum of its groups at a point.
    fn add(&mut self, point: usize, groups: u32, normal: [f64; 3]) {
        let Some(first) = self.first.get_mut(point) else { return };
        let (mut number, mut count) = (*first, 0_usize);
        while let Some(sum) = number.checked_sub(1).and_then(|number| self.sums.get_mut(to_usize(number))) {
            count = count.saturating_add(1);
            if sum.groups == groups || count >= MAX_GROUPS {
                sum.groups |= groups;
                add(&mut sum.normal, normal);
                return;
            }
            number = sum.next;
        }
        self.sums.push(Sum { groups, normal, next: *first });
        *first = to_u32(self.sums.len());
    }

    /// The sums of a point.
    fn of_point(&self, point: usize) -> impl Iterator<Item = &Sum> {
        let at = |number: u32| number.checked_sub(1).and_then(|number| self.sums.get(to_usize(number)));
        let first = self.first.get(point).and_then(|first| at(*first));
        core::iter::successors(first, move |sum| at(sum.next))
    }

    /// The normal of a vertex: the area-weighted sum over the faces at its point that share a smoothing group with it.
    pub(super) fn normal(&self, vertex: u32, point: usize) -> Option<[f32; 3]> {
        let own = self.own.get(to_usize(vertex))?;
        let mut sum = [0.0; 3];
        // Faces without a group are only smooth with themselves.
        for part in self.of_point(point).filter(|part| part.groups & own.groups != 0) {
            add(&mut sum, part.normal);
        }
        let unit = |sum: [f64; 3]| {
            let largest = sum.iter().fold(0.0_f64, |largest, value| largest.max(value.abs()));
            unit64(narrowed(sum.map(|value| if largest > 0.0 { value / largest } else { value })))
        };
        unit(sum).or_else(|| unit(own.sum)).or(own.first)
    }
}

fn add(sum: &mut [f64; 3], part: [f64; 3]) {
    sum.iter_mut().zip(part).for_each(|(sum, part)| *sum += part);
}
