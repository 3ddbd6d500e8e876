//! What differs between the sequences of two animations.

use skelmap::Asset;
use skelmap::model::{Clip, Transform};

use super::asset::{Found, angle, bone_names, distance};
use super::names::Pairs;
use super::{Change, Difference};

/// Adds what differs. `false` if sequences share so many keys that not all were compared.
pub(super) fn compare(before: &Asset<'_>, after: &Asset<'_>, found: &mut Found) -> bool {
    let (old, new): (Vec<Clip<'_>>, Vec<Clip<'_>>) = (before.clips().collect(), after.clips().collect());
    let names = |clips: &[Clip<'_>]| -> Vec<String> {
        let name = |clip: &Clip<'_>| clip.name().map_or_else(|| "the animation".to_owned(), |name| name.to_string());
        clips.iter().map(name).collect()
    };
    let (old_names, new_names) = (names(&old), names(&new));
    let mut pairs = Pairs::of(&old_names, &new_names);
    // Formats of one animation in a file: it is the same one, whatever its name is.
    if let ([_], [_], [was], [is]) = (&old[..], &new[..], &old_names[..], &new_names[..]) {
        if !pairs.added.is_empty() {
            found.rows.push(Difference::new(Change::Changed, "sequence", is).from(was, is));
        }
        pairs = Pairs { both: vec![(0, 0)], removed: Vec::new(), added: Vec::new() };
    }
    for (change, list, names) in
        [(Change::Removed, &pairs.removed, &old_names), (Change::Added, &pairs.added, &new_names)]
    {
        found.rows.extend(list.iter().filter_map(|at| Some(Difference::new(change, "sequence", names.get(*at)?))));
    }
    // Sequences can share keys, so that their number is not bounded by the size of the file.
    let mut left = before.bytes().len().saturating_add(after.bytes().len());
    for (one, other) in pairs.both {
        let (Some(was), Some(is), Some(name)) = (old.get(one), new.get(other), new_names.get(other)) else { continue };
        compare_clips(was, is, name, found, &mut left);
    }
    left > 0
}

fn compare_clips(before: &Clip<'_>, after: &Clip<'_>, name: &str, found: &mut Found, left: &mut usize) {
    let rate = |clip: &Clip<'_>| clip.stored_rate();
    let text = |clip: &Clip<'_>| format!("{} frames at {} a second", clip.frame_count(), rate(clip));
    let is_same_rate = rate(before).to_bits() == rate(after).to_bits();
    if before.frame_count() != after.frame_count() || !is_same_rate {
        found.rows.push(Difference::new(Change::Changed, "sequence", name).from(text(before), text(after)));
    }
    if !found.is_measured {
        return;
    }
    let [old, new] = bone_names([&before.skeleton(), &after.skeleton()]);
    let tracks = |clip: &Clip<'_>, bones: &[String]| -> Vec<String> {
        let bone = |track: usize| clip.bone_of(track).unwrap_or(track);
        (0..clip.track_count())
            .map(|track| bones.get(bone(track)).cloned().unwrap_or_else(|| bone(track).to_string()))
            .collect()
    };
    let (old, new) = (tracks(before, &old), tracks(after, &new));
    let pairs = Pairs::of(&old, &new).both;
    let frames = before.frame_count().min(after.frame_count());
    for (one, other) in pairs {
        let mut largest = [(0.0, 0); 2];
        for frame in 0..frames {
            let Some(rest) = left.checked_sub(1) else { return };
            *left = rest;
            let (Some(was), Some(is)) = (before.transform(frame, one), after.transform(frame, other)) else { break };
            for (largest, difference) in largest.iter_mut().zip(differences(&was, &is)) {
                if difference > largest.0 || difference.is_nan() && !largest.0.is_nan() {
                    *largest = (difference, frame);
                }
            }
        }
        let changes = [Change::Moved, Change::Turned].into_iter().zip(largest);
        for (change, (difference, frame)) in changes {
            if !found.is_large(difference) {
                continue;
            }
            let bone = new.get(other).map_or("", String::as_str);
            let mut row = Difference::new(change, "track", format!("{name}: {bone}")).by(difference);
            row.after = Some(format!("most at frame {frame}"));
            found.rows.push(row);
        }
    }
}

/// How far a bone is away, or larger, and how much it is turned.
fn differences(was: &Transform, is: &Transform) -> [f64; 2] {
    let moved = distance(was.translation, is.translation).max(distance(was.scale, is.scale));
    [moved, angle(was.rotation, is.rotation)]
}
