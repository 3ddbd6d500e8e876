//! Smoothing groups: faces with a common bit are smooth across their edge. They carry the normals of a mesh, for games that read no others.

use std::collections::HashMap;

/// How far the components of two normals may differ that are one.
const SAME: f32 = 1e-3;

/// The most surfaces at an edge that are told apart: real edges have two.
const MAX_SURFACES: usize = 8;

/// A corner: its point and its normal.
pub(super) type Corner = (u32, [f32; 3]);

/// The groups of faces, and the number of neighbours that are hard but have a common bit, because there are only 32.
///
/// Faces that meet smoothly at an edge are one surface; surfaces that meet at a point get different bits where there are enough. O(faces log faces), and a
/// bounded number of neighbours of a point is looked at.
pub(super) fn groups(faces: &[[Corner; 3]]) -> (Vec<u32>, usize) {
    let mut sets = Sets::new(faces.len());
    // For each edge, a face of each surface there, and its normals at both ends.
    let mut edges: HashMap<_, Vec<_>> = HashMap::new();
    for (index, corners) in faces.iter().enumerate() {
        let [a, b, c] = *corners;
        for (one, other) in [(a, b), (b, c), (c, a)] {
            let (low, high) = if one.0 <= other.0 { (one, other) } else { (other, one) };
            let known = edges.entry((low.0, high.0)).or_default();
            let joined = known.iter().find(|(_, own, theirs)| is_same(*own, low.1) && is_same(*theirs, high.1));
            match joined {
                Some((neighbour, ..)) => sets.join(index, *neighbour),
                None if known.len() < MAX_SURFACES => known.push((index, low.1, high.1)),
                None => {}
            }
        }
    }
    let surfaces: Vec<usize> = (0..faces.len()).map(|face| sets.find(face)).collect();
    colour(faces, &surfaces)
}

/// Gives each surface a bit that no surface has which shares a point.
fn colour(faces: &[[Corner; 3]], surfaces: &[usize]) -> (Vec<u32>, usize) {
    // For each point, the bits that surfaces have there already.
    let mut at_points: HashMap<u32, u32> = HashMap::new();
    let mut points_of: HashMap<usize, Vec<u32>> = HashMap::new();
    for (face, surface) in faces.iter().zip(surfaces) {
        points_of.entry(*surface).or_default().extend(face.map(|(point, _)| point));
    }
    let mut order: Vec<usize> = points_of.keys().copied().collect();
    order.sort_unstable();
    let (mut bits, mut shared) = (HashMap::new(), 0_usize);
    for surface in order {
        let Some(points) = points_of.get_mut(&surface) else { continue };
        points.sort_unstable();
        points.dedup();
        let taken = points.iter().fold(0, |taken, point| taken | at_points.get(point).copied().unwrap_or(0));
        let free = (!taken).trailing_zeros();
        shared = shared.saturating_add((free >= u32::BITS).into());
        let bit = 1_u32 << (free % u32::BITS);
        for point in points {
            *at_points.entry(*point).or_insert(0) |= bit;
        }
        bits.insert(surface, bit);
    }
    (surfaces.iter().map(|surface| bits.get(surface).copied().unwrap_or(1)).collect(), shared)
}

fn is_same(one: [f32; 3], other: [f32; 3]) -> bool {
    one.into_iter().zip(other).all(|(one, other)| (one - other).abs() <= SAME)
}

/// Sets that are joined.
struct Sets(Vec<usize>);

impl Sets {
    fn new(count: usize) -> Self {
        Self((0..count).collect())
    }

    /// The smallest member of a set.
    fn find(&mut self, mut at: usize) -> usize {
        while let Some(parent) = self.0.get(at).copied().filter(|parent| *parent != at) {
            // Every second one skips a generation.
            let above = self.0.get(parent).copied().unwrap_or(parent);
            self.0.get_mut(at).into_iter().for_each(|place| *place = above);
            at = above;
        }
        at
    }

    fn join(&mut self, one: usize, other: usize) {
        let (one, other) = (self.find(one), self.find(other));
        let (low, high) = (one.min(other), one.max(other));
        self.0.get_mut(high).into_iter().for_each(|place| *place = low);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const UP: [f32; 3] = [0.0, 0.0, 1.0];
    const SIDE: [f32; 3] = [1.0, 0.0, 0.0];

    #[test]
    fn faces_that_meet_smoothly_have_one_group_and_others_do_not() {
        let flat = [[(0, UP), (1, UP), (2, UP)], [(2, UP), (1, UP), (3, UP)]];
        assert_eq!(groups(&flat), (vec![1, 1], 0));
        let bent = [[(0, UP), (1, UP), (2, UP)], [(2, SIDE), (1, SIDE), (3, SIDE)]];
        assert_eq!(groups(&bent), (vec![1, 2], 0));
        // Smooth at one end of the edge alone is not smooth.
        let half = [[(0, UP), (1, UP), (2, UP)], [(2, SIDE), (1, UP), (3, SIDE)]];
        assert_eq!(groups(&half), (vec![1, 2], 0));
        // Faces that share no point need not differ.
        let apart = [[(0, UP), (1, UP), (2, UP)], [(5, SIDE), (6, SIDE), (7, SIDE)]];
        assert_eq!(groups(&apart), (vec![1, 1], 0));
    }

    #[test]
    fn surfaces_that_share_an_edge_stay_apart_and_whole() {
        let front = [[(0, UP), (1, UP), (2, UP)], [(2, UP), (1, UP), (3, UP)]];
        let back = [[(0, SIDE), (2, SIDE), (1, SIDE)], [(2, SIDE), (3, SIDE), (1, SIDE)]];
        let faces: Vec<_> = front.into_iter().chain(back).collect();
        assert_eq!(groups(&faces), (vec![1, 1, 2, 2], 0));
    }

    #[test]
    fn forty_hard_faces_around_a_point_share_the_32_bits() {
        let face = |index: u16| {
            let normal = [f32::from(index), 0.0, 1.0];
            [(0, normal), (u32::from(index) + 1, normal), (u32::from(index) + 2, normal)]
        };
        let fan: Vec<_> = (0..40).map(face).collect();
        let (found, shared) = groups(&fan);
        assert_eq!((found[..3].to_vec(), shared), (vec![1, 2, 4], 8));
    }
}
