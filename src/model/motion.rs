//! Properties of a clip as a whole: nothing moves, or the keys are differences to another animation.

use alloc::{format, vec, vec::Vec};

use super::clip::Clip;
use super::skeleton::Relative;
use super::sources::Source;
use crate::report::codes::{ADDITIVE, NO_MOTION};
use crate::report::{Report, SectionStart};

/// Fewer tracks are no evidence.
const MIN_TRACKS: usize = 6;

/// Translations smaller than this per axis count as zero.
const NO_LENGTH: f32 = 1e-3;

/// The maximum number of keys that [`still_tracks`] compares: a few tenths of a second.
const MAX_KEYS: usize = 1 << 24;

/// For each track, whether all its keys are bit-identical to the first of their clip, in all clips.
///
/// Clips of one frame are ignored; `None` without another clip. The other clips must have equal numbers of tracks. A track that
/// was not compared completely does not count as still: at most 16 million keys are compared. O(keys); much less if tracks move
/// from the start.
///
/// ```
/// use skelmap::{Asset, model::still_tracks};
///
/// let bytes = std::fs::read("corpus/fox.psa")?;
/// let still = still_tracks(Asset::parse(&bytes)?.clips()).ok_or("no motion")?;
/// println!("{} of {} bones stand still", still.iter().filter(|is_still| **is_still).count(), still.len());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn still_tracks<'a>(clips: impl Iterator<Item = Clip<'a>>) -> Option<Vec<bool>> {
    let mut still: Option<Vec<bool>> = None;
    let mut left = MAX_KEYS;
    for clip in clips.filter(|clip| clip.frame_count() > 1) {
        let still = still.get_or_insert_with(|| vec![true; clip.track_count()]);
        let starts = clip.to_starts();
        let clip = clip.listed(&starts);
        for (track, is_still) in still.iter_mut().enumerate().filter(|(_, is_still)| **is_still) {
            if let Some((is_constant, keys)) = clip.is_constant(track) {
                *is_still = is_constant && take_all(&mut left, keys);
                continue;
            }
            let first = clip.transform(0, track);
            *is_still = (1..clip.frame_count()).all(|frame| take(&mut left) && clip.transform(frame, track) == first);
        }
    }
    still
}

/// Takes one comparison from the budget; `false` if it is used up.
fn take(left: &mut usize) -> bool {
    take_all(left, 1)
}

/// Takes several comparisons from the budget.
fn take_all(left: &mut usize, count: usize) -> bool {
    let rest = left.checked_sub(count);
    *left = rest.unwrap_or(0);
    rest.is_some()
}

/// Reports clips of several frames that move no bone, and clips whose keys look like differences. O(keys): clips may share
/// keys, so each of the two questions reads at most `keys` of them. A clip behind that limit is not reported.
pub(crate) fn check_motion<'a>(
    clips: impl Iterator<Item = Clip<'a>>,
    keys: usize,
    report: &mut Report,
    place: SectionStart,
) {
    let [mut still, mut additive] = report.tallies(place, [NO_MOTION, ADDITIVE]);
    let (mut left, mut left_first) = (keys, keys);
    for (index, clip) in clips.enumerate() {
        let starts = clip.to_starts();
        let clip = clip.listed(&starts);
        let named = || clip.name().map_or_else(|| "the animation".into(), |name| format!("sequence {index} {name:?}"));
        let frames = clip.frame_count();
        still.hit_if(frames > 1 && is_still(&clip, &mut left), index, || {
            format!("{} moves no bone in its {frames} frames", named())
        });
        if let Some((lone, others)) = unmoved(&clip, &mut left_first) {
            additive.hit(index, || {
                format!(
                    "{}: {lone} of {others} bones have the position of their parent, as in an additive animation",
                    named()
                )
            });
        }
    }
    report.add([still, additive]);
}

/// Whether all frames equal the first one; `false` if the budget ends before that is known.
fn is_still(clip: &Clip<'_>, left: &mut usize) -> bool {
    let mut tracks = (0..clip.track_count()).map(|track| clip.is_constant(track));
    if let Some(first) = tracks.next().flatten() {
        let mut all = core::iter::once(first).chain(tracks.flatten());
        return all.all(|(is_constant, keys)| is_constant && take_all(left, keys));
    }
    let mut keys = (1..clip.frame_count()).flat_map(|frame| (0..clip.track_count()).map(move |track| (frame, track)));
    let is_first = |(frame, track)| take(left) && clip.transform(frame, track) == clip.transform(0, track);
    clip.track_count() > 0 && keys.all(is_first)
}

/// (zero, total) translations in the first frame over all bones but the root; `None` unless at least 95 % are zero, or if the budget
/// ends. Bones have lengths, differences have none.
fn unmoved(clip: &Clip<'_>, left: &mut usize) -> Option<(usize, usize)> {
    let others = clip.track_count().checked_sub(1).filter(|_| clip.track_count() >= MIN_TRACKS)?;
    if clip.relative() != Relative::Parent || clip.frame_count() == 0 || !clip.parts().translation {
        return None;
    }
    *left = left.checked_sub(clip.track_count())?;
    let is_unmoved = |track: &usize| {
        let translation = clip.transform(0, *track).map(|transform| transform.translation);
        translation.is_some_and(|translation| translation.iter().all(|value| value.abs() < NO_LENGTH))
    };
    // A track without translations takes them from the mesh, so it does not count as a difference.
    let mut missing = clip.missing().skip(1).map(|own| own.translation == Source::Mesh);
    let own = (1..clip.track_count()).filter(|_| !missing.next().unwrap_or(false));
    let unmoved = own.filter(is_unmoved).count();
    (others.saturating_sub(unmoved) <= others.checked_div(20)?).then_some((unmoved, others))
}
