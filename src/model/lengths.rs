//! Evidence that an animation tears a mesh: bones that have another length in its keys than in the bind pose.

use alloc::vec::Vec;

use super::binding::Binding;
use super::clip::Clip;
use super::skeleton::Relative;
use super::sources::Source;

/// How many frames of a clip are looked at.
const FRAMES: usize = 8;

/// A bone has another length if it differs by more than a tenth, and by more than a hundredth of the longest bone.
const TENTH: f64 = 0.1;
const HUNDREDTH: f64 = 0.01;

/// The lengths of bones in a clip, compared with those of the bind pose: see [`Binding::lengths`].
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Lengths {
    /// The bones that were compared: those that take their translation from the clip, hang on another bone and have a length.
    pub compared: usize,
    /// The bones that have another length.
    pub changed: Vec<usize>,
    /// How many times as long as in the mesh the bones are in the clip: the median. 1 where the units are the same.
    pub ratio: f64,
}

impl Lengths {
    /// Whether nearly all bones are so many times as long, or as short, that mesh and clip have different units: five times.
    pub fn is_scaled(&self) -> bool {
        self.compared > 0
            && !(0.2..=5.0).contains(&self.ratio)
            && self.changed.len().saturating_mul(10) >= self.compared.saturating_mul(9)
    }
}

impl Binding {
    /// Compares the lengths of bones in a clip (on the average of eight frames) with those of the bind pose. A mesh is torn where they differ.
    ///
    /// The reason is another skeleton with the same names; another unit; or a side-car (`.config`) that is missing, which says to take the
    /// lengths of the mesh ([`with_sources`](Binding::with_sources)). `None` for formats whose places are relative to the model, which
    /// [`Distances`](super::Distances) compares, for clips without translations, and for additive ones. O(bones).
    ///
    /// ```
    /// use skelmap::{Asset, model::Binding};
    ///
    /// let (mesh, animation) = (std::fs::read("corpus/fox.psk")?, std::fs::read("corpus/fox.psa")?);
    /// let (mesh, animation) = (Asset::parse(&mesh)?, Asset::parse(&animation)?);
    /// let (mesh, clip) = (mesh.mesh().ok_or("no mesh")?, animation.clips().next().ok_or("no clip")?);
    /// let lengths = Binding::new(&mesh, &clip).lengths(&clip).ok_or("nothing to compare")?;
    /// assert!(lengths.changed.is_empty() && !lengths.is_scaled());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn lengths(&self, clip: &Clip<'_>) -> Option<Lengths> {
        let is_compared = clip.relative() == Relative::Parent && clip.parts().translation && clip.frame_count() > 0;
        if !is_compared || self.is_additive(clip) {
            return None;
        }
        let bones = (1..self.bone_count())
            .filter(|bone| self.sources_of(*bone).is_some_and(|sources| sources.translation == Source::Animation));
        let measured: Vec<(usize, f64, f64)> = bones
            .filter_map(|bone| {
                let rest = length(self.bind_translation(bone)?);
                let moved = self.mean_length(clip, self.track_of(bone)?)?;
                (rest > 0.0 && rest.is_finite()).then_some((bone, rest, moved))
            })
            .collect();
        let longest = measured.iter().fold(0.0, |longest: f64, (_, rest, _)| longest.max(*rest));
        let is_changed = |rest: f64, moved: f64| {
            let change = (moved - rest).abs();
            !(change <= TENTH * rest || change <= HUNDREDTH * longest)
        };
        let changed = measured.iter().filter(|(_, rest, moved)| is_changed(*rest, *moved)).map(|(bone, ..)| *bone);
        let mut ratios: Vec<f64> = measured.iter().map(|(_, rest, moved)| moved / rest).collect();
        ratios.sort_unstable_by(f64::total_cmp);
        let ratio = ratios.get(ratios.len().checked_div(2)?).copied()?;
        Some(Lengths { compared: measured.len(), changed: changed.collect(), ratio })
    }

    /// The mean length of a track's translations in the space of the mesh, in eight frames from the first to the last.
    fn mean_length(&self, clip: &Clip<'_>, track: usize) -> Option<f64> {
        let last = clip.frame_count().checked_sub(1)?;
        let count = FRAMES.min(clip.frame_count());
        let (mut sum, mut frames) = (0.0, 0.0);
        for index in 0..count {
            let frame = last.checked_mul(index).unwrap_or(last).checked_div(count.saturating_sub(1)).unwrap_or(0);
            sum += length(self.stored_translation(clip, frame, track)?);
            frames += 1.0;
        }
        Some(sum / frames)
    }
}

fn length([x, y, z]: [f32; 3]) -> f64 {
    f64::from(x).hypot(f64::from(y)).hypot(f64::from(z))
}
