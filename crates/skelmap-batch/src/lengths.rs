//! Evidence that an animation tears a mesh: bone lengths that differ between its keys and the bind pose, in numbers and in words.

use skelmap::Match;
use skelmap::model::maths::hypot64;
use skelmap::model::{Clip, Mesh, Relative, Source, TrackSources};

use crate::text::counted;

/// Number of frames of a clip that are read.
const FRAMES: usize = 8;

/// A length differs if it differs by more than a tenth, and by more than a hundredth of the longest bone.
const TENTH: f64 = 0.1;
const HUNDREDTH: f64 = 0.01;

/// Below this fraction of its length, a bone counts as without length.
const THOUSANDTH: f64 = 1e-3;

/// The lengths of bones: the distance of each from its parent, at rest or in a clip.
///
/// For formats with positions relative to parents; for the others, see [`Distances`](skelmap::model::Distances).
///
/// ```
/// use skelmap::{Asset, Matcher};
/// use skelmap_batch::Lengths;
///
/// let (mesh, animation) = (std::fs::read("../../corpus/fox.psk")?, std::fs::read("../../corpus/fox.psa")?);
/// let (mesh, animation) = (Asset::parse(&mesh)?, Asset::parse(&animation)?);
/// let found = Matcher::new(&mesh).and_then(|matcher| matcher.compare(&animation)).ok_or("no match")?;
/// let rest = mesh.mesh().and_then(|mesh| Lengths::of_mesh(&mesh)).ok_or("no lengths")?;
/// let moved = animation.clips().next().and_then(|clip| Lengths::of_clip(&clip)).ok_or("no lengths")?;
/// let change = rest.change(&moved, &found, &[]).ok_or("nothing to compare")?;
/// assert!(change.bones.is_empty() && !change.is_scaled());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Lengths(Vec<Length>);

/// The length of one bone.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Length {
    mean: f64,
    /// Whether the length is constant. Bones that move away from their parent, such as a hip or a target of inverse kinematics,
    /// do not keep it.
    is_kept: bool,
}

/// How an animation changes the lengths of bones: see [`Lengths::change`].
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct LengthChange {
    /// The compared bones: they take their translation from the animation, have a length, and keep it while the animation
    /// plays.
    pub compared: usize,
    /// The bones of the mesh whose length differs in the animation.
    pub bones: Vec<usize>,
    /// The median of the length in the animation divided by the length in the mesh. 1 if the units are the same.
    pub ratio: f64,
}

impl LengthChange {
    /// Whether nearly all bones are at least five times as long or as short: mesh and animation have different units.
    pub fn is_scaled(&self) -> bool {
        !(0.2..=5.0).contains(&self.ratio) && self.bones.len().saturating_mul(10) >= self.compared.saturating_mul(9)
    }
}

impl Lengths {
    /// The lengths in the bind pose of a mesh, of bones that move points directly or through their descendants. `None` if
    /// positions are relative to the model. O(bones + influences).
    pub fn of_mesh(mesh: &Mesh<'_>) -> Option<Self> {
        let skeleton = mesh.skeleton();
        let is_fit = skeleton.relative() == Relative::Parent;
        let carries = carriers(mesh);
        let rest = |bone| {
            let carries = carries.get(bone).copied().unwrap_or(false);
            Length { mean: if carries { length(skeleton.rest(bone).translation) } else { 0.0 }, is_kept: true }
        };
        is_fit.then(|| Self((0..skeleton.bone_count()).map(rest).collect()))
    }

    /// The mean lengths of the tracks of a clip, over eight frames from the first to the last. `None` if positions are relative
    /// to the model, and for a clip without frames or translations. O(tracks).
    pub fn of_clip(clip: &Clip<'_>) -> Option<Self> {
        if clip.frame_count() == 0 || clip.relative() != Relative::Parent || !clip.parts().translation {
            return None;
        }
        let mut missing = clip.missing().map(|own| own.translation == Source::Mesh);
        let mean = |track: usize| {
            let is_of_mesh = missing.next().unwrap_or(false);
            let (mut sum, mut frames) = (0.0, 0.0);
            let (mut least, mut most) = (f64::INFINITY, 0.0_f64);
            for frame in clip.spread_frames(FRAMES) {
                let own = length(clip.transform(frame, track)?.translation);
                (least, most) = (least.min(own), most.max(own));
                sum += own;
                frames += 1.0;
            }
            let mean: f64 = sum / frames;
            Some(Length { mean, is_kept: !is_of_mesh && most - least <= mean * HUNDREDTH })
        };
        (0..clip.track_count()).map(mean).collect::<Option<_>>().map(Self)
    }

    /// The change of bone lengths between a mesh and an animation that `found` matched. A change tears the mesh.
    ///
    /// Possible causes: another skeleton with the same names, another unit, or a missing side-car (`.config`) that would take
    /// the lengths from the mesh. `sources` is the result of [`Config::to_sources`](skelmap::actorx::Config::to_sources); empty
    /// without a side-car. Roots are not compared. `None` if there is nothing to compare, or if the animation looks additive:
    /// four of five bones have nearly no length in it. O(bones * log bones).
    pub fn change(&self, animation: &Self, found: &Match, sources: &[TrackSources]) -> Option<LengthChange> {
        let pairs =
            found.bones.iter().zip(&animation.0).enumerate().filter(|(track, _)| {
                sources.get(*track).is_none_or(|sources| sources.translation == Source::Animation)
            });
        let measured: Vec<(usize, f64, f64)> = pairs
            .filter_map(|(_, (bone, moved))| {
                let bone = usize::try_from((*bone)?).ok().filter(|bone| *bone > 0 && moved.is_kept)?;
                let rest = self.0.get(bone)?.mean;
                (rest > 0.0 && rest.is_finite()).then_some((bone, rest, moved.mean))
            })
            .collect();
        let without = measured.iter().filter(|(_, rest, moved)| *moved <= rest * THOUSANDTH).count();
        if without.saturating_mul(5) >= measured.len().saturating_mul(4) {
            return None;
        }
        let longest = measured.iter().fold(0.0, |longest: f64, (_, rest, _)| longest.max(*rest));
        let is_changed = |rest: f64, moved: f64| {
            let change = (moved - rest).abs();
            !(change <= TENTH * rest || change <= HUNDREDTH * longest)
        };
        let changed = measured.iter().filter(|(_, rest, moved)| is_changed(*rest, *moved));
        let bones = changed.map(|(bone, ..)| *bone).collect();
        let mut ratios: Vec<f64> = measured.iter().map(|(_, rest, moved)| moved / rest).collect();
        ratios.sort_unstable_by(f64::total_cmp);
        let ratio = ratios.get(ratios.len().checked_div(2)?).copied()?;
        Some(LengthChange { compared: measured.len(), bones, ratio })
    }
}

/// How lengths change, and what is beside the animation.
#[derive(Debug)]
#[non_exhaustive]
pub struct Stretch {
    /// How lengths change.
    pub change: LengthChange,
    /// Whether a side-car lies beside the animation.
    pub has_side_car: bool,
    /// The names of the first bones that have another length.
    pub names: Vec<String>,
}

/// The most bones in a message.
pub(crate) const MAX_NAMES: usize = 3;

impl Stretch {
    /// What the lengths mean; `None` where they are the same.
    pub fn meaning(&self) -> Option<String> {
        let LengthChange { compared, bones, ratio, .. } = &self.change;
        if bones.is_empty() {
            return None;
        }
        if self.change.is_scaled() {
            let (times, compared) = if *ratio > 1.0 { (*ratio, "long") } else { (ratio.recip(), "short") };
            return Some(format!(
                "the bones are {times:.0} times as {compared} in the animation: the units differ, and the model is torn"
            ));
        }
        let more = if bones.len() > self.names.len() { ", ..." } else { "" };
        let verb = if bones.len() == 1 { "has" } else { "have" };
        let all = counted(*compared as u64, "bone");
        let names = self.names.join(", ");
        Some(format!(
            "{} of {all} {verb} another length in the animation, which moves points away there: {names}{more}",
            bones.len()
        ))
    }

    /// What people can do about it.
    pub fn next_step(&self) -> Option<&'static str> {
        if self.change.bones.is_empty() {
            return None;
        }
        Some(match (self.change.is_scaled(), self.has_side_car) {
            (true, _) => "export mesh and animation with one unit, or scale one of them in an editor",
            (false, false) => {
                "put the .config that belongs to the animation beside it (it takes lengths from the mesh), or take an animation of this character"
            }
            (false, true) => "take an animation of this character: the .config beside it does not change these bones",
        })
    }
}

/// The bones that move points, directly or through their descendants.
fn carriers(mesh: &Mesh<'_>) -> Vec<bool> {
    let skeleton = mesh.skeleton();
    let mut carries = mesh.to_weighted_bones();
    let mut done = vec![false; skeleton.bone_count()];
    for bone in (0..skeleton.bone_count()).filter(|bone| carries.get(*bone) == Some(&true)).collect::<Vec<_>>() {
        for ancestor in skeleton.ancestors(bone) {
            // The remaining ancestors are marked already.
            let Some(is_done) = done.get_mut(ancestor).filter(|is_done| !**is_done) else { break };
            *is_done = true;
            carries.get_mut(ancestor).into_iter().for_each(|carries| *carries = true);
        }
    }
    carries
}

fn length([x, y, z]: [f32; 3]) -> f64 {
    hypot64(hypot64(x.into(), y.into()), z.into())
}
