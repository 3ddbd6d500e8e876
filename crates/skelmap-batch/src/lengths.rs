//! Evidence that an animation tears a mesh: bone lengths that differ between its keys and the bind pose, in numbers and in words.

use skelmap::Match;
use skelmap::model::maths::hypot64;
use skelmap::model::{Bone, Clip, Hierarchy, Mesh, Relative, Source, TrackSources};

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
        let rest = |(bone, carries): (Bone<'_>, bool)| Length {
            mean: if carries { length(bone.rest().translation) } else { 0.0 },
            is_kept: true,
        };
        is_fit.then(|| Self(skeleton.bones().zip(carries).map(rest).collect()))
    }

    /// The mean lengths of the tracks of a clip, over eight frames from the first to the last. `None` if positions are relative
    /// to the model, and for a clip without frames or translations. O(tracks).
    pub fn of_clip(clip: &Clip<'_>) -> Option<Self> {
        if clip.frame_count() == 0 || clip.relative() != Relative::Parent || !clip.parts().translation {
            return None;
        }
        let starts = clip.to_starts();
        let clip = clip.listed(&starts);
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
    /// Whether a side-car lies beside the animation; `None` where its format has none.
    pub has_side_car: Option<bool>,
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
            (false, None) => "take an animation of this character",
            (false, Some(false)) => {
                "put the .config that belongs to the animation beside it (it takes lengths from the mesh), or take an animation of this character"
            }
            (false, Some(true)) => {
                "take an animation of this character: the .config beside it does not change these bones"
            }
        })
    }
}

/// The bones that move points, directly or through their descendants.
fn carriers(mesh: &Mesh<'_>) -> Vec<bool> {
    let mut carries = mesh.to_weighted_bones();
    for (bone, parent) in Hierarchy::new(&mesh.skeleton()).bones().rev() {
        if let Some(parent) = parent.filter(|_| carries.get(bone) == Some(&true)) {
            carries.get_mut(parent).into_iter().for_each(|carries| *carries = true);
        }
    }
    carries
}

fn length([x, y, z]: [f32; 3]) -> f64 {
    hypot64(hypot64(x.into(), y.into()), z.into())
}

#[cfg(test)]
mod tests {
    use skelmap::Asset;
    use test_support::actorx::build::{Anim, Info, Key};
    use test_support::actorx::corpus::sample::{bones, changed};
    use test_support::pyrogenesis::build::Psa;
    use test_support::with;

    use super::*;

    fn kept(means: &[f64]) -> Lengths {
        Lengths(means.iter().map(|mean| Length { mean: *mean, is_kept: true }).collect())
    }

    /// The change of lengths where each bone of the animation is the bone of the mesh with this number.
    fn change(rest: &[f64], moved: &[f64]) -> Option<LengthChange> {
        let bones = (0..).map(Some).take(moved.len()).collect();
        kept(rest).change(&kept(moved), &with(Match::default(), |found| found.bones = bones), &[])
    }

    fn of_clip(bytes: &[u8]) -> Option<Lengths> {
        let asset = Asset::parse(bytes).expect("an animation");
        let clip = asset.clips().next().expect("a clip");
        Lengths::of_clip(&clip)
    }

    #[test]
    fn units_differ_if_nine_of_ten_bones_are_more_than_five_times_as_long_or_as_short() {
        let is_scaled =
            |changed: usize, ratio| LengthChange { compared: 10, bones: (0..changed).collect(), ratio }.is_scaled();
        assert!(is_scaled(9, 6.0) && is_scaled(10, 0.1));
        assert!(!is_scaled(8, 6.0));
        assert!(!is_scaled(10, 5.0) && !is_scaled(10, 0.2));
    }

    #[test]
    fn a_length_is_kept_if_it_varies_by_a_hundredth_at_most() {
        let mut anim = Anim { bones: bones(), infos: vec![Info::new("Walk", 4, 0, 2, 30.0)], ..Anim::default() };
        for arm in [5.0, 6.0] {
            let key = |position| Key { position, rotation: [0.0, 0.0, 0.0, 1.0], time: 1.0 };
            anim.keys.extend([[0.0; 3], [0.0, 3.0, 4.0], [arm, 0.0, 0.0], [0.0, 0.0, 20.0]].map(key));
        }
        let lengths = of_clip(&anim.chunks().build().bytes).expect("lengths");
        let Lengths(expected) = kept(&[0.0, 5.0, 5.5, 20.0]);
        let expected = with(expected, |bones| bones[2].is_kept = false);
        assert_eq!(lengths, Lengths(expected));
    }

    #[test]
    fn a_clip_without_frames_and_one_in_model_space_have_no_lengths() {
        let anim = Anim { bones: bones(), infos: vec![Info::new("Still", 4, 0, 0, 30.0)], ..Anim::default() };
        assert_eq!(of_clip(&anim.chunks().build().bytes), None);
        assert_eq!(of_clip(&Psa::walk(3, 2).build().bytes), None);
    }

    #[test]
    fn bones_have_a_length_if_they_or_their_descendants_move_points() {
        // The arm moves all points; the head none.
        let bytes = changed(|mesh| mesh.weights.iter_mut().for_each(|weight| weight.bone = 2)).build().bytes;
        let asset = Asset::parse(&bytes).expect("a mesh");
        let lengths = Lengths::of_mesh(&asset.mesh().expect("a mesh"));
        assert_eq!(lengths, Some(kept(&[0.0, 20.0, 125_f64.sqrt(), 0.0])));
    }

    #[test]
    fn a_length_differs_by_more_than_a_tenth_and_a_hundredth_of_the_longest() {
        // The root is not compared. A tenth of 10 is 1, and a hundredth of 100 is 1.
        let rest = [10.0, 10.0, 10.0, 10.0, 1.0, 1.0, 100.0];
        let moved = [50.0, 11.0, 11.5, 10.5, 2.0, 2.1, 100.0];
        let found = change(&rest, &moved).expect("a change");
        assert_eq!((found.compared, found.bones), (6, vec![2, 5]));
    }

    #[test]
    fn bones_that_do_not_keep_their_length_are_not_compared() {
        let mut moved = kept(&[1.0, 1.0, 5.0]);
        moved.0[2].is_kept = false;
        let found = with(Match::default(), |found| found.bones = vec![Some(0), Some(1), Some(2)]);
        let found = kept(&[1.0; 3]).change(&moved, &found, &[]).expect("a change");
        assert_eq!((found.compared, found.bones), (1, vec![]));
    }

    #[test]
    fn an_animation_is_additive_if_four_of_five_bones_have_at_most_a_thousandth_of_their_length() {
        let rest = [0.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0];
        assert_eq!(change(&rest, &[0.0, 1.0, 1.0, 1.0, 1.0, 1000.0]), None);
        assert!(change(&rest, &[0.0, 1.0, 1.0, 1.0, 1.1, 1000.0]).is_some());
    }

    #[test]
    fn a_message_names_three_bones_and_says_whether_there_are_more() {
        let meaning = |changed: usize, compared, ratio, names: &[&str]| {
            let change = LengthChange { compared, bones: (0..changed).collect(), ratio };
            Stretch { change, has_side_car: Some(false), names: names.iter().map(|name| (*name).to_owned()).collect() }
                .meaning()
        };
        let other = "bones have another length in the animation, which moves points away there:";
        assert_eq!(meaning(4, 9, 1.0, &["a", "b", "c"]), Some(format!("4 of 9 {other} a, b, c, ...")));
        assert_eq!(meaning(3, 9, 1.0, &["a", "b", "c"]), Some(format!("3 of 9 {other} a, b, c")));
        assert_eq!(meaning(0, 9, 1.0, &[]), None);
        let scaled =
            |times| Some(format!("the bones are {times} in the animation: the units differ, and the model is torn"));
        assert_eq!(meaning(9, 9, 100.0, &[]), scaled("100 times as long"));
        assert_eq!(meaning(9, 9, 0.01, &[]), scaled("100 times as short"));
    }

    #[test]
    fn a_length_that_changes_by_exactly_a_tenth_of_itself_is_the_same() {
        // A tenth of 50 is 5; a hundredth of the longest is 1.
        let found = change(&[1.0, 50.0, 50.0, 50.0, 100.0], &[1.0, 55.0, 45.0, 56.0, 100.0]).expect("a change");
        assert_eq!((found.compared, found.bones), (4, vec![3]));
    }
}
