//! Whether bones lie near the points that they move.

use alloc::{format, vec, vec::Vec};

use super::Points;
use super::far::Most;
use crate::model::Mesh;
use crate::model::maths::{dot64, sqrt64};
use crate::report::codes::{MESH_AXES, MESH_SCALE};
use crate::report::{Report, SectionStart, all_finite};

/// Fewer bones that move points are no evidence.
const MIN_BONES: usize = 3;
/// From this number of bones on, their positions are evidence by themselves.
const MANY_BONES: usize = 6;

/// The maximum size of the points relative to their bones. Real models with six or more bones have 0.4 to 2.7, with fewer bones
/// 0.3 to 11.
const MAX_POINTS_TO_BONES: f64 = 10.0;
const MAX_OF_FEW: f64 = 30.0;

/// The minimum agreement with Y and Z exchanged, and its minimum gain over the agreement as stored. In real models, the gain is
/// at most 0.03.
const MIN_AGREEMENT: f64 = 0.8;
const MIN_GAIN: f64 = 0.1;

type Vector = [f64; 3];

/// The signs of the new Y and Z.
const EXCHANGES: [[f64; 2]; 4] = [[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0]];

/// For each bone that moves points, the centre of these points and the position of the bone, both relative to the centre of
/// all.
pub(super) struct Rig {
    bones: Vec<(Vector, Vector)>,
    spread_of_points: f64,
    spread_of_bones: f64,
}

impl Rig {
    /// Outliers are ignored. `None` if too few bones move points.
    pub(super) fn of(mesh: &Mesh<'_>, points: &Points<'_>, joints: &[[f32; 3]], most: &Most) -> Option<Self> {
        if joints.len() < MIN_BONES {
            return None;
        }
        let mut sums = vec![([0.0; 3], 0.0); joints.len()];
        mesh.each_influence(|point, bone, weight| {
            let sum = usize::try_from(bone).ok().and_then(|bone| sums.get_mut(bone));
            let point = usize::try_from(point).ok().and_then(|point| points.get(point));
            let is_sound = weight > 0.0 && weight.is_finite();
            if let (Some((sum, total)), Some(point)) =
                (sum, point.filter(|point| is_sound && all_finite(*point) && !most.is_far(*point)))
            {
                let weight = f64::from(weight);
                sum.iter_mut().zip(point).for_each(|(sum, value)| *sum += weight * f64::from(value));
                *total += weight;
            }
        });
        let moved = sums.iter().zip(joints).filter(|((_, total), joint)| *total > 0.0 && all_finite(**joint));
        let mut bones: Vec<(Vector, Vector)> =
            moved.map(|((sum, total), joint)| (sum.map(|sum| sum / total), joint.map(f64::from))).collect();
        if bones.len() < MIN_BONES {
            return None;
        }
        centre(&mut bones, |(points, _)| points);
        centre(&mut bones, |(_, joint)| joint);
        let spread =
            |of: fn(&(Vector, Vector)) -> Vector| bones.iter().map(|bone| dot64(of(bone), of(bone))).sum::<f64>();
        let (spread_of_points, spread_of_bones) = (spread(|bone| bone.0), spread(|bone| bone.1));
        let is_known = |spread: f64| spread > 0.0 && spread.is_finite();
        (is_known(spread_of_points) && is_known(spread_of_bones)).then_some(Self {
            bones,
            spread_of_points,
            spread_of_bones,
        })
    }

    /// Reports a skeleton of another size than its points, and a skeleton that fits its points only with Y and Z exchanged.
    pub(super) fn check(&self, report: &mut Report, place: SectionStart) {
        let (scale, bones) = (self.scale(), self.bones.len());
        let largest = if bones >= MANY_BONES { MAX_POINTS_TO_BONES } else { MAX_OF_FEW };
        if scale > largest || scale < largest.recip() {
            let (factor, compared) =
                if scale > 1.0 { (scale, "as far apart as") } else { (scale.recip(), "closer together than") };
            let message = format!(
                "the points are {factor:.0} times {compared} the {bones} bones that move them: mesh and skeleton have different units"
            );
            report.add_whole(MESH_SCALE, place, message);
        }
        let as_stored = self.agreement(|place| place);
        let exchanged = EXCHANGES.iter().map(|[y, z]| self.agreement(|[at_x, at_y, at_z]| [at_x, y * at_z, z * at_y]));
        let exchanged = exchanged.fold(f64::NEG_INFINITY, f64::max);
        if bones >= MANY_BONES && exchanged >= MIN_AGREEMENT && exchanged >= as_stored + MIN_GAIN {
            let message = format!(
                "the bones fit their points with Y and Z exchanged (agreement {exchanged:.2} of 1), but not as stored ({as_stored:.2})"
            );
            report.add_whole(MESH_AXES, place, message);
        }
    }

    /// The size of the points relative to the bones.
    fn scale(&self) -> f64 {
        sqrt64(self.spread_of_points / self.spread_of_bones)
    }

    /// The agreement of the bones' positions, changed by a function, with those of their points: 1 if all directions are equal.
    fn agreement(&self, change: impl Fn(Vector) -> Vector) -> f64 {
        let sum: f64 = self.bones.iter().map(|(points, joint)| dot64(*points, change(*joint))).sum();
        sum / sqrt64(self.spread_of_points * self.spread_of_bones)
    }
}

/// Subtracts the mean of one of the positions.
fn centre(bones: &mut [(Vector, Vector)], of: fn(&mut (Vector, Vector)) -> &mut Vector) {
    let mut mean = [0.0; 3];
    let mut count = 0.0;
    for bone in bones.iter_mut() {
        count += 1.0;
        mean.iter_mut().zip(of(bone)).for_each(|(mean, value)| *mean += (*value - *mean) / count);
    }
    for bone in bones {
        of(bone).iter_mut().zip(mean).for_each(|(value, mean)| *value -= mean);
    }
}
