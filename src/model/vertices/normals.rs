//! Normals from triangles and their smoothing groups.

use alloc::{vec, vec::Vec};

use super::faces::Faces;
use super::to_usize;
use crate::model::maths::{narrowed, unit64};

/// The maximum number of distinct smoothing groups of a point. Real points have a few; a hostile file can have many more.
const MAX_GROUPS: usize = 64;

/// Normals from faces: their area-weighted sum at a point, over the faces of common smoothing groups.
pub(super) struct Smooth {
    /// For each point, the sums of its faces by their groups.
    sums: Vec<Vec<(u32, [f64; 3])>>,
    /// For each vertex, the result of its own faces.
    own: Vec<Own>,
}

/// The faces of one vertex.
#[derive(Clone, Default)]
struct Own {
    groups: u32,
    sum: [f64; 3],
    /// The normal of the first face with an area.
    first: Option<[f32; 3]>,
}

impl Smooth {
    /// O(points + vertices + triangles).
    pub(super) fn new(positions: &[[f32; 3]], vertices: usize, faces: &Faces) -> Self {
        let first = faces.all.first();
        let varies = faces.all.iter().any(|face| first.is_some_and(|first| first.groups != face.groups));
        let mut sums: Vec<Vec<(u32, [f64; 3])>> = vec![Vec::new(); positions.len()];
        let mut own = vec![Own::default(); vertices];
        for face in &faces.all {
            let groups = if varies { face.groups } else { 1 };
            let Some(normal) = faces.normal_of(face, positions) else { continue };
            for (point, vertex) in face.points.into_iter().zip(face.vertices) {
                let (Some(sums), Some(own)) = (sums.get_mut(to_usize(point)), own.get_mut(to_usize(vertex))) else {
                    continue;
                };
                let is_full = sums.len() >= MAX_GROUPS;
                match sums.iter_mut().find(|(known, _)| *known == groups || is_full) {
                    Some((known, sum)) => {
                        *known |= groups;
                        add(sum, normal);
                    }
                    None => sums.push((groups, normal)),
                }
                own.groups |= groups;
                add(&mut own.sum, normal);
                own.first = own.first.or_else(|| unit64(narrowed(normal)));
            }
        }
        Self { sums, own }
    }

    /// The normal of a vertex: the area-weighted sum over the faces at its point that share a smoothing group with it.
    pub(super) fn normal(&self, vertex: u32, point: usize) -> Option<[f32; 3]> {
        let own = self.own.get(to_usize(vertex))?;
        let mut sum = [0.0; 3];
        for (groups, part) in self.sums.get(point)? {
            // Faces without a group are only smooth with themselves.
            if groups & own.groups != 0 {
                add(&mut sum, *part);
            }
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
