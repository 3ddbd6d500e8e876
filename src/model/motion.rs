//! What the keys of clips show as a whole: that nothing moves, or that they are differences to another animation.

use alloc::format;

use super::clip::Clip;
use super::skeleton::Relative;
use crate::report::codes::{ADDITIVE, NO_MOTION};
use crate::report::{Place, Report};

/// Fewer tracks show nothing.
const LEAST_TRACKS: usize = 6;

/// A translation of this length in each axis is none.
const NO_LENGTH: f32 = 1e-3;

/// Reports clips of several frames that move no bone, and clips whose keys look like differences. O(keys): clips may share keys, so at
/// most `keys` of them are compared.
pub(crate) fn check_motion<'a>(clips: impl Iterator<Item = Clip<'a>>, keys: usize, report: &mut Report, place: Place) {
    let [mut still, mut additive] = report.tallies();
    let mut left = keys;
    for (index, clip) in clips.enumerate() {
        let named = || clip.name().map_or_else(|| "the animation".into(), |name| format!("sequence {index} {name:?}"));
        let frames = clip.frame_count();
        still.hit_if(frames > 1 && is_still(&clip, &mut left), index, || {
            format!("{} moves no bone in its {frames} frames", named())
        });
        if let Some((lone, others)) = unmoved(&clip) {
            additive.hit(index, || {
                format!(
                    "{}: {lone} of {others} bones lie where their parents are, as in an additive animation",
                    named()
                )
            });
        }
    }
    report.add(NO_MOTION, place, still);
    report.add(ADDITIVE, place, additive);
}

/// Whether all frames are like the first one; `false` if that is not known because no comparisons are left.
fn is_still(clip: &Clip<'_>, left: &mut usize) -> bool {
    for frame in 1..clip.frame_count() {
        for track in 0..clip.track_count() {
            let Some(rest) = left.checked_sub(1) else { return false };
            *left = rest;
            if clip.transform(frame, track) != clip.transform(0, track) {
                return false;
            }
        }
    }
    clip.track_count() > 0
}

/// How many bones have no translation in the first frame, and of how many (the root is none of them), if nearly all have none: at least
/// 19 of 20. Bones have lengths, and differences have none.
fn unmoved(clip: &Clip<'_>) -> Option<(usize, usize)> {
    let others = clip.track_count().checked_sub(1).filter(|_| clip.track_count() >= LEAST_TRACKS)?;
    if clip.relative() != Relative::Parent || clip.frame_count() == 0 || !clip.parts().translation {
        return None;
    }
    let is_unmoved = |track: &usize| {
        let translation = clip.transform(0, *track).map(|transform| transform.translation);
        translation.is_some_and(|translation| translation.iter().all(|value| value.abs() < NO_LENGTH))
    };
    let unmoved = (1..clip.track_count()).filter(is_unmoved).count();
    (others.saturating_sub(unmoved) <= others.checked_div(20)?).then_some((unmoved, others))
}
