//! The influences of bones on points, sorted into a table of rows of equal length.

use alloc::vec::Vec;

use super::mesh::Mesh;
use crate::bytes::to_u64;

/// The bones that move each point, with their weights: rows of equal length, ready for a GPU.
///
/// Duplicate pairs of point and bone are merged. Influences without a positive weight, or whose point or bone does not exist,
/// are dropped. The strongest are kept (at equal weights, the lowest bone), and their weights are normalised to 1. A point
/// without influences follows bone 0. (glTF reference, section 10.)
///
/// An index equal to the number of bones means the model itself: vertices of Pyrogenesis may be bound to it, and all points of
/// a mesh without bones are.
#[derive(Clone, Debug)]
pub struct Influences {
    width: usize,
    bones: Vec<u16>,
    weights: Vec<f32>,
    dropped: Dropped,
}

/// The influences that a table leaves out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Dropped {
    /// Influences that name a point or a bone that does not exist.
    pub out_of_range: u64,
    /// Influences whose weight is not positive, or not finite.
    pub weightless: u64,
    /// Influences merged with another one of the same point and bone.
    pub merged: u64,
    /// Influences weaker than the kept ones.
    pub weaker: u64,
    /// Points without influences in a mesh with bones: they follow bone 0.
    pub unweighted_points: u64,
}

/// The maximum number of bones in a table.
const MAX_BONES: usize = 65_535;

impl Influences {
    /// The maximum number of influences for each point. Real files have up to 12. Without a limit, one point of a hostile file
    /// would make all rows long.
    pub const MAX_WIDTH: usize = 32;

    /// The table of a mesh with at most `width` influences for each point. O(influences * log influences).
    ///
    /// A width of 0 means 1; the maximum is 32. Bones from 65,536 on count as missing.
    pub fn new(mesh: &Mesh<'_>, width: usize) -> Self {
        let (points, bones) = (mesh.point_count(), mesh.bone_count().min(MAX_BONES));
        let mut dropped = Dropped::default();
        let mut all: Vec<(usize, u16, f64)> = Vec::new();
        mesh.each_influence(|point, bone, weight| {
            let point = usize::try_from(point).ok().filter(|point| *point < points);
            // The index after the last bone is the model.
            let bone = u16::try_from(bone).ok().filter(|bone| usize::from(*bone) <= bones);
            match point.zip(bone) {
                None => count(&mut dropped.out_of_range, 1),
                Some(_) if !(weight > 0.0 && weight.is_finite()) => count(&mut dropped.weightless, 1),
                Some((point, bone)) => all.push((point, bone, weight.into())),
            }
        });
        // A stable sort, so that weights are added in file order.
        all.sort_by_key(|(point, bone, _)| (*point, *bone));
        all.dedup_by(|next, kept| {
            let is_same = (next.0, next.1) == (kept.0, kept.1);
            if is_same {
                kept.2 += next.2;
                count(&mut dropped.merged, 1);
            }
            is_same
        });
        let rows = || all.chunk_by(|one, other| one.0 == other.0);
        let longest = rows().map(<[_]>::len).max().unwrap_or(0);
        let width = width.min(longest).clamp(1, Self::MAX_WIDTH);
        let mut table = Self { width, bones: Vec::new(), weights: Vec::new(), dropped };
        let mut rows = rows().peekable();
        for point in 0..points {
            if let Some(row) = rows.next_if(|row| row.first().is_some_and(|(own, ..)| *own == point)) {
                table.push(row);
                continue;
            }
            // In a mesh without bones, bone 0 is the model.
            count(&mut table.dropped.unweighted_points, usize::from(bones > 0));
            table.push(&[(point, 0, 1.0)]);
        }
        table
    }

    /// Adds the row of a point.
    #[expect(clippy::cast_possible_truncation, clippy::as_conversions, reason = "weights are `f32`")]
    fn push(&mut self, row: &[(usize, u16, f64)]) {
        let mut kept: Vec<(u16, f64)> = row.iter().map(|(_, bone, weight)| (*bone, *weight)).collect();
        kept.sort_by(|one, other| other.1.total_cmp(&one.1).then(one.0.cmp(&other.0)));
        count(&mut self.dropped.weaker, kept.len().saturating_sub(self.width));
        kept.truncate(self.width);
        let sum: f64 = kept.iter().map(|(_, weight)| weight).sum();
        let mut weights: Vec<f32> = kept.iter().map(|(_, weight)| (weight / sum) as f32).collect();
        // The largest weight takes the rounding error.
        let others: f32 = weights.iter().skip(1).sum();
        weights.first_mut().into_iter().for_each(|largest| *largest = 1.0 - others);
        let missing = || self.width.saturating_sub(kept.len());
        self.bones.extend(kept.iter().map(|(bone, _)| *bone).chain(core::iter::repeat_n(0, missing())));
        self.weights.extend(weights.into_iter().chain(core::iter::repeat_n(0.0, missing())));
    }

    /// Influences for each point: at most the requested number, at most the maximum of any point, at least 1.
    pub const fn width(&self) -> usize {
        self.width
    }

    /// The bones: [`width`](Influences::width) for each point, the strongest first, padded with 0.
    pub fn bones(&self) -> &[u16] {
        &self.bones
    }

    /// The weights: [`width`](Influences::width) for each point, in the order of the bones, padded with 0.
    pub fn weights(&self) -> &[f32] {
        &self.weights
    }

    /// The bones and weights of a point, the strongest first, without the padding of its row; none for a point that does not exist. O(width).
    pub fn of_point(&self, point: usize) -> impl Iterator<Item = (u16, f32)> + '_ {
        let first = point.saturating_mul(self.width);
        let row = first..first.saturating_add(self.width);
        let bones = self.bones.get(row.clone()).unwrap_or_default();
        let all = bones.iter().copied().zip(self.weights.get(row).unwrap_or_default().iter().copied());
        all.take_while(|(_, weight)| *weight > 0.0)
    }

    /// The influences that the table leaves out.
    pub const fn dropped(&self) -> Dropped {
        self.dropped
    }
}

fn count(counter: &mut u64, more: usize) {
    *counter = counter.saturating_add(to_u64(more));
}
