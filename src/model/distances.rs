//! Evidence beyond the number of bones: bones keep their lengths, so an animation of the same skeleton keeps the distances that bones have
//! at rest.

use alloc::vec::Vec;

use super::clip::Clip;
use super::mesh::Mesh;
use super::skeleton::Relative;

/// How many frames of an animation are looked at.
const FRAMES: usize = 8;

/// The distances between the bones of a mesh at rest, or of an animation on the average of eight frames.
///
/// For formats whose bones have places in the model and no names, as those of Pyrogenesis. Tried on all pairs of release 26 of 0 A.D. with
/// the same number of bones, 5,335 that its actors join and 3,352 that they do not join, not even through others:
/// [`change`](Distances::change) is at most [`Match::RIGID`](super::Match::RIGID) for 99.5 % of the first, and for 4.4 % of the others, of
/// which a part are of the same skeleton (the pony and the horse). With parents, [`change_along`](Distances::change_along) is at most that
/// for 99.1 % of the first and 2.7 % of the others.
///
/// ```
/// use skelmap::{Asset, model::Distances};
///
/// let (mesh, animation) = (std::fs::read("corpus/fox.pmd")?, std::fs::read("corpus/fox_walk.psa")?);
/// let (mesh, animation) = (Asset::parse(&mesh)?, Asset::parse(&animation)?);
/// let rest = mesh.mesh().and_then(|mesh| Distances::of_mesh(&mesh)).ok_or("no distances")?;
/// let moved = animation.clips().next().and_then(|clip| Distances::of_clip(&clip)).ok_or("no distances")?;
/// assert!(rest.change(&moved).is_some_and(|change| change < 0.005));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Distances {
    bones: usize,
    /// For each bone, the distances to all bones.
    values: Vec<f32>,
    /// The diagonal of the box around the bones, on the average of the frames.
    size: f32,
}

impl Distances {
    /// The most bones: a mesh or animation with more has no distances.
    pub const MOST_BONES: usize = 512;

    /// The distances between the bones of a mesh in its bind pose. `None` where places are relative to parents (names decide there), for
    /// fewer than two bones or more than [`MOST_BONES`](Self::MOST_BONES), and for places that are not finite. O(bones²).
    pub fn of_mesh(mesh: &Mesh<'_>) -> Option<Self> {
        let skeleton = mesh.skeleton();
        if skeleton.relative() != Relative::Model {
            return None;
        }
        let mut own = Self::new(skeleton.bone_count())?;
        let places: Option<Vec<[f32; 3]>> = (0..own.bones).map(|bone| Some(skeleton.bind(bone)?.translation)).collect();
        own.add(&places?, 1.0)?;
        Some(own)
    }

    /// The mean distances between the bones of a clip, in eight frames from the first to the last. `None` as for a mesh, and for a clip
    /// without frames or without places. O(bones²).
    pub fn of_clip(clip: &Clip<'_>) -> Option<Self> {
        if clip.frame_count() == 0 || clip.relative() != Relative::Model || !clip.parts().translation {
            return None;
        }
        let mut own = Self::new(clip.track_count())?;
        let frames = clip.spread_frames(FRAMES);
        let weight = 1.0 / Self::float(frames.len());
        for frame in frames {
            let places: Option<Vec<[f32; 3]>> =
                (0..own.bones).map(|track| Some(clip.transform(frame, track)?.translation)).collect();
            own.add(&places?, weight)?;
        }
        Some(own)
    }

    fn new(bones: usize) -> Option<Self> {
        let is_fit = (2..=Self::MOST_BONES).contains(&bones);
        is_fit.then(|| Self { bones, values: vec![0.0; bones.saturating_mul(bones)], size: 0.0 })
    }

    #[expect(clippy::cast_precision_loss, clippy::as_conversions, reason = "at most eight frames")]
    const fn float(count: usize) -> f32 {
        count as f32
    }

    /// Adds the distances between places, times a weight.
    fn add(&mut self, places: &[[f32; 3]], weight: f32) -> Option<()> {
        let (mut low, mut high) = ([f32::INFINITY; 3], [f32::NEG_INFINITY; 3]);
        for (row, from) in self.values.chunks_exact_mut(self.bones).zip(places) {
            for (value, to) in row.iter_mut().zip(places) {
                *value += weight * distance(*from, *to);
            }
            for ((low, high), value) in low.iter_mut().zip(&mut high).zip(from) {
                (*low, *high) = (low.min(*value), high.max(*value));
            }
        }
        self.size += weight * distance(low, high);
        self.values.iter().chain([&self.size]).all(|value| value.is_finite()).then_some(())
    }

    /// The number of bones.
    pub const fn bone_count(&self) -> usize {
        self.bones
    }

    /// How much an animation changes the distances of a mesh, as a part of the size of the skeleton (the diagonal of the box around its
    /// bones, in the mesh or in the animation, where it is smaller).
    ///
    /// For each bone, the distance counts that changes least; of these, two thirds are at most the result. `None` where the numbers of
    /// bones differ, or all bones are at one place. O(bones²), no allocation but for a number for each bone.
    pub fn change(&self, animation: &Self) -> Option<f64> {
        if self.bones != animation.bones {
            return None;
        }
        let rows = self.values.chunks_exact(self.bones).zip(animation.values.chunks_exact(self.bones));
        let least = rows.enumerate().map(|(bone, (rest, moved))| {
            let changes = rest.iter().zip(moved).map(|(rest, moved)| (moved - rest).abs()).enumerate();
            changes.filter(|(other, _)| *other != bone).fold(f32::INFINITY, |least, (_, change)| least.min(change))
        });
        self.quantile(animation, least.collect(), [2, 3])
    }

    /// The same where the parents of bones are known from elsewhere: of the distances of a bone, only those to its neighbours count, the
    /// parent, the parent's parent and the other bones of that parent; and three quarters of the bones change by the result at most.
    ///
    /// The neighbours beside the parent are for parts that a motion pulls off their parent: the wheels of a broken chariot, a sail.
    /// `None` also where no bone has a parent. O(bones²), no allocation but for a number for each bone.
    pub fn change_along(&self, animation: &Self, parents: &[Option<usize>]) -> Option<f64> {
        if self.bones != animation.bones {
            return None;
        }
        let rows = self.values.chunks_exact(self.bones).zip(animation.values.chunks_exact(self.bones));
        let least = rows.zip(parents).enumerate().filter_map(|(bone, ((rest, moved), parent))| {
            let parent = (*parent)?;
            let above = parents.get(parent).copied().flatten();
            let is_near = |(other, of_other): (usize, &Option<usize>)| {
                other != bone && (other == parent || Some(other) == above || *of_other == Some(parent))
            };
            let changes = rest.iter().zip(moved).map(|(rest, moved)| (moved - rest).abs());
            let near = changes.zip(parents.iter().enumerate()).filter(|(_, other)| is_near(*other));
            near.map(|(change, _)| change).reduce(f32::min)
        });
        self.quantile(animation, least.collect(), [3, 4])
    }

    /// A part of the changes are at most this part of the size.
    fn quantile(&self, animation: &Self, mut changes: Vec<f32>, part: [usize; 2]) -> Option<f64> {
        let [some, all] = part;
        changes.sort_unstable_by(f32::total_cmp);
        let at = changes.len().saturating_mul(some).div_ceil(all).checked_sub(1)?;
        // A mesh with one bone far away is large, and another skeleton is small beside it.
        let size = if animation.size > 0.0 { self.size.min(animation.size) } else { self.size };
        let change = f64::from(*changes.get(at)?) / f64::from(size);
        change.is_finite().then_some(change)
    }
}

fn distance(from: [f32; 3], to: [f32; 3]) -> f32 {
    let square: f32 = from.iter().zip(&to).map(|(from, to)| (to - from) * (to - from)).sum();
    square.sqrt()
}
