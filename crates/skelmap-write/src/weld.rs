//! Vertices that are equal, unused, or without a normal.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Range;

use skelmap::shared::{to_u32, to_usize};

use crate::model::{Influences, Model};

impl Model {
    /// Completes a model whose vertices were added in these ranges.
    pub(crate) fn tidy(&mut self, ranges: &[Range<usize>]) {
        self.compute_normals();
        let kept = self.weld(ranges);
        self.keep(&kept);
    }

    /// Computes the normals that are zero: the area-weighted sum of the faces of the vertex.
    fn compute_normals(&mut self) {
        let triangles = self.triangles.iter().map(|triangle| triangle.vertices);
        self.report.computed_normals = fill_normals(&mut self.normals, &self.positions, triangles, false);
    }

    /// Finds vertices of one range that are equal to one of a range before it: their triangles then use that one. Within a range nothing is welded:
    /// files of the game hold equal vertices. Returns the vertices that triangles use, in their order.
    fn weld(&mut self, ranges: &[Range<usize>]) -> Vec<u32> {
        let mut names: Vec<u32> = (0..to_u32(self.positions.len())).collect();
        if ranges.len() > 1 {
            let mut known: HashMap<u64, Vec<u32>> = HashMap::new();
            for range in ranges {
                let mut new = Vec::new();
                for vertex in range.clone() {
                    let hash = self.hash_of(vertex);
                    // Equal hashes of different vertices are as good as impossible without an attacker, who gets 16 comparisons.
                    let others = known.get(&hash).into_iter().flatten().take(16);
                    let same = others.copied().find(|other| self.is_equal(to_usize((*other).into()), vertex));
                    match (same, names.get_mut(vertex)) {
                        (Some(same), Some(name)) => {
                            *name = same;
                            self.report.welded_vertices = self.report.welded_vertices.saturating_add(1);
                        }
                        _ => new.push((hash, to_u32(vertex))),
                    }
                }
                for (hash, vertex) in new {
                    known.entry(hash).or_default().push(vertex);
                }
            }
        }
        let mut is_used = vec![false; self.positions.len()];
        for triangle in &mut self.triangles {
            for vertex in &mut triangle.vertices {
                *vertex = names.get(to_usize((*vertex).into())).copied().unwrap_or(*vertex);
                is_used.get_mut(to_usize((*vertex).into())).into_iter().for_each(|is_used| *is_used = true);
            }
        }
        let used = is_used.iter().filter(|is_used| **is_used).count();
        let gone = self.positions.len().saturating_sub(used);
        self.report.unused_vertices = gone.saturating_sub(self.report.welded_vertices);
        if self.report.unused_vertices == 0 {
            return is_used.iter().zip(0..).filter(|(is_used, _)| **is_used).map(|(_, vertex)| vertex).collect();
        }
        // In the order of their first use, as the game's own files are.
        let mut kept = Vec::with_capacity(used);
        for vertex in self.triangles.iter().flat_map(|triangle| triangle.vertices) {
            let place = is_used.get_mut(to_usize(vertex.into()));
            if place.is_some_and(std::mem::take) {
                kept.push(vertex);
            }
        }
        kept
    }

    /// Keeps these vertices, in this order.
    fn keep(&mut self, kept: &[u32]) {
        if kept.len() == self.positions.len() && kept.iter().zip(0..).all(|(vertex, index)| *vertex == index) {
            return;
        }
        let mut numbers = vec![0; self.positions.len()];
        for (vertex, number) in kept.iter().zip(0..) {
            numbers.get_mut(to_usize((*vertex).into())).into_iter().for_each(|place| *place = number);
        }
        for vertex in self.triangles.iter_mut().flat_map(|triangle| &mut triangle.vertices) {
            *vertex = numbers.get(to_usize((*vertex).into())).copied().unwrap_or_default();
        }
        self.positions = gathered(kept, &self.positions);
        self.normals = gathered(kept, &self.normals);
        self.uvs = self.uvs.iter().map(|uvs| gathered(kept, uvs)).collect();
        self.colors = gathered(kept, &self.colors);
        if !self.influences.is_empty() {
            let mut influences = Influences::default();
            for vertex in kept {
                influences.push(self.influences.of(to_usize((*vertex).into())).iter().copied());
            }
            self.influences = influences;
        }
    }

    fn hash_of(&self, vertex: usize) -> u64 {
        let mut hasher = DefaultHasher::new();
        for value in self.numbers_of(vertex) {
            // As numbers: 0 and -0 are equal.
            (value + 0.0).to_bits().hash(&mut hasher);
        }
        self.colors.get(vertex).hash(&mut hasher);
        hasher.finish()
    }

    fn is_equal(&self, one: usize, other: usize) -> bool {
        self.numbers_of(one).eq(self.numbers_of(other))
            && self.colors.get(one) == self.colors.get(other)
            && self.influences.of(one) == self.influences.of(other)
    }

    /// All numbers of a vertex but those of its influences.
    fn numbers_of(&self, vertex: usize) -> impl Iterator<Item = f32> + '_ {
        let vectors = self.positions.get(vertex).into_iter().chain(self.normals.get(vertex)).flatten();
        let uvs = self.uvs.iter().filter_map(move |uvs| uvs.get(vertex)).flatten();
        vectors.chain(uvs).copied()
    }
}

/// The elements of these numbers; nothing of an empty array.
fn gathered<T: Copy + Default>(numbers: &[u32], from: &[T]) -> Vec<T> {
    if from.is_empty() {
        return Vec::new();
    }
    numbers.iter().map(|number| from.get(to_usize((*number).into())).copied().unwrap_or_default()).collect()
}

/// Computes the normals that are zero: the area-weighted sum of the faces of the vertex. In a left-handed space, normals are on the other side. Returns
/// their number. O(vertices + triangles).
pub(crate) fn fill_normals(
    normals: &mut [[f32; 3]],
    positions: &[[f32; 3]],
    triangles: impl Iterator<Item = [u32; 3]>,
    is_left_handed: bool,
) -> usize {
    let is_missing: Vec<bool> = normals.iter().map(|normal| *normal == [0.0; 3]).collect();
    let missing = is_missing.iter().filter(|is_missing| **is_missing).count();
    if missing == 0 {
        return 0;
    }
    let mut sums = vec![[0.0_f64; 3]; normals.len()];
    for triangle in triangles {
        let corners = triangle.map(|vertex| to_usize(vertex.into()));
        let [a, b, c] = corners.map(|vertex| positions.get(vertex).copied().unwrap_or_default().map(f64::from));
        let difference = |[ax, ay, az]: [f64; 3], [bx, by, bz]: [f64; 3]| [ax - bx, ay - by, az - bz];
        let (b, c) = if is_left_handed { (c, b) } else { (b, c) };
        let ([ux, uy, uz], [vx, vy, vz]) = (difference(b, a), difference(c, a));
        let normal = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
        for vertex in corners {
            sums.get_mut(vertex).into_iter().flatten().zip(normal).for_each(|(sum, value)| *sum += value);
        }
    }
    for ((normal, sum), is_missing) in normals.iter_mut().zip(sums).zip(is_missing) {
        let length = crate::affine::dot(sum, sum).sqrt();
        if is_missing && length > 0.0 && length.is_finite() {
            *normal = crate::affine::narrowed(sum.map(|value| value / length));
        }
    }
    missing
}
