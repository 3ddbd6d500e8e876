//! One part of the transforms of a track, in many frames: what is written and compared track by track.

use alloc::vec::Vec;
use core::ops::Range;

use super::binding::Binding;
use super::clip::{Clip, Key, Keys, Rotations, Scale, Starts};
use super::maths::unit_rotation;
use super::sources::Source;
use super::space::Change;
use super::transform::Transform;
use crate::bytes::{Record, Vec4, groups, to_u64};

/// A part of a transform.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    Translation,
    Rotation,
    Scale,
}

impl Part {
    pub(crate) const ALL: [Self; 3] = [Self::Translation, Self::Rotation, Self::Scale];

    /// The components of this part; a fourth one of 0 where there are three.
    pub(crate) const fn of(self, transform: &Transform) -> [f32; 4] {
        let [x, y, z] = match self {
            Self::Translation => transform.translation,
            Self::Rotation => return transform.rotation,
            Self::Scale => transform.scale,
        };
        [x, y, z, 0.0]
    }
}

/// Frames that are read at a time.
const BLOCK: usize = 256;

impl<'a> Clip<'a> {
    /// How many frames to read at a time: all, where each read walks over the frames before.
    pub(crate) fn block(&self) -> usize {
        match self.keys {
            Keys::Rotations(Rotations { starts: Starts::Walked(..), .. }) => self.frame_count().max(1),
            _ => BLOCK,
        }
    }

    /// The bones that a file with this clip alone needs: those of the skeleton, or where a track is of no bone of it, one for
    /// each track. An index alone makes no bones.
    pub(crate) fn to_nodes(self) -> Vec<usize> {
        let bones = self.skeleton().bone_count();
        let own = (0..self.track_count()).filter_map(|track| self.bone_of(track));
        if own.clone().all(|bone| bone < bones) { (0..bones).collect() } else { own.collect() }
    }

    /// Adds a part of a track's transforms in some frames, in the space of the file. Parts that the clip does not have are
    /// those of the identity. O(frames).
    fn read_part(&self, part: Part, track: usize, frames: Range<usize>, out: &mut Vec<[f32; 4]>) {
        let end = out.len().saturating_add(frames.len());
        let rotation = |stored: &Vec4| self.rule.apply(track, stored.get());
        match (part, self.keys) {
            (Part::Scale, _) => out.extend(self.column(self.scales, track, &frames).map(|own| wide(own.scale.get()))),
            (Part::Translation, Keys::Short(keys)) => {
                out.extend(self.column(keys, track, &frames).map(|key| wide(key.translation.get())));
            }
            (Part::Translation, Keys::Long(keys)) => {
                out.extend(self.column(keys, track, &frames).map(|key| wide(key.translation.get())));
            }
            (Part::Translation, Keys::Rotations(_)) => {}
            (Part::Rotation, Keys::Short(keys)) => {
                out.extend(self.column(keys, track, &frames).map(|key| rotation(&key.rotation)));
            }
            (Part::Rotation, Keys::Long(keys)) => {
                out.extend(self.column(keys, track, &frames).map(|key| rotation(&key.rotation)));
            }
            (Part::Rotation, Keys::Rotations(rotations)) => {
                let rows = rotations.rows(self.track_count()).skip(frames.start).take(frames.len());
                out.extend(rows.map_while(|row| row.get(track)).map(rotation));
            }
        }
        out.resize(end, part.of(&Transform::IDENTITY));
    }

    /// The records of a track in some frames.
    fn column<T: Record>(&self, records: &'a [T], track: usize, frames: &Range<usize>) -> impl Iterator<Item = &'a T> {
        let rows = groups(records, to_u64(frames.start), to_u64(frames.len()), self.track_count());
        rows.get(track..).unwrap_or_default().iter().step_by(self.track_count().max(1))
    }

    /// For each track which parts differ from those of the first frame by more than `same`, in the unit of the result. One
    /// pass over all keys in their order.
    pub(crate) fn to_moving_parts(self, same: f32) -> Vec<[bool; 3]> {
        let mut moving = alloc::vec![[false; 3]; self.track_count()];
        let of_file = same / self.change.scale();
        match self.keys {
            Keys::Short(keys) => self.mark_keys(keys, of_file, &mut moving),
            Keys::Long(keys) => self.mark_keys(keys, of_file, &mut moving),
            Keys::Rotations(rotations) => {
                let mut rows = rotations.rows(self.track_count()).take(self.frame_count());
                let first = rows.next().unwrap_or_default();
                for row in rows {
                    for (([_, moves, _], own), first) in moving.iter_mut().zip(row).zip(first) {
                        *moves = *moves || turns(own.get(), first.get());
                    }
                }
            }
        }
        for (row, first) in self.rows_after_first::<Scale>(self.scales) {
            for (([_, _, moves], own), first) in moving.iter_mut().zip(row).zip(first) {
                *moves = *moves || differs(own.scale.get(), first.scale.get(), same);
            }
        }
        moving
    }

    fn mark_keys<const REST: usize>(&self, keys: &'a [Key<REST>], same: f32, moving: &mut [[bool; 3]]) {
        for (row, first) in self.rows_after_first(keys) {
            for (([shifts, spins, _], own), first) in moving.iter_mut().zip(row).zip(first) {
                *shifts = *shifts || differs(own.translation.get(), first.translation.get(), same);
                *spins = *spins || turns(own.rotation.get(), first.rotation.get());
            }
        }
    }

    /// Each frame but the first one, with the first one.
    fn rows_after_first<T: Record>(&self, records: &'a [T]) -> impl Iterator<Item = (&'a [T], &'a [T])> {
        let all = groups(records, 0, to_u64(self.frame_count()), self.track_count());
        let mut rows = all.chunks_exact(self.track_count().max(1));
        let first = rows.next().unwrap_or_default();
        rows.map(move |row| (row, first))
    }
}

impl Binding {
    /// Adds a part of a bone's transforms in some frames of a clip, in the space of the mesh; rotations of any length. What
    /// comes from the mesh is that of the bind pose. `None` for a bone without a track. O(frames).
    pub(crate) fn read_part(
        &self,
        clip: &Clip<'_>,
        part: Part,
        bone: usize,
        frames: Range<usize>,
        out: &mut Vec<[f32; 4]>,
    ) -> Option<()> {
        let track = self.track_of(bone)?;
        let start = out.len();
        if self.is_of_mesh(part, bone) {
            out.resize(start.saturating_add(frames.len()), part.of(&self.rest_of(bone)));
            return Some(());
        }
        clip.read_part(part, track, frames, out);
        let change = self.change();
        if change == Change::NONE {
            return Some(());
        }
        for value in out.get_mut(start..).unwrap_or_default() {
            let [x, y, z, w] = *value;
            *value = match part {
                Part::Translation => wide(change.position([x, y, z])),
                Part::Rotation => change.rotation([x, y, z, w]),
                Part::Scale => wide(change.transform(&Transform { scale: [x, y, z], ..Transform::IDENTITY }).scale),
            };
        }
        Some(())
    }

    /// Whether a part of a bone's transform comes from the mesh.
    pub(crate) fn is_of_mesh(&self, part: Part, bone: usize) -> bool {
        let Some(sources) = self.sources_of(bone) else { return true };
        match part {
            Part::Translation => sources.translation == Source::Mesh,
            Part::Rotation => sources.rotation == Source::Mesh,
            Part::Scale => false,
        }
    }
}

const fn wide([x, y, z]: [f32; 3]) -> [f32; 4] {
    [x, y, z, 0.0]
}

#[inline]
fn differs(own: [f32; 3], first: [f32; 3], same: f32) -> bool {
    // What is not a number differs.
    own != first && !own.iter().zip(first).all(|(own, first)| (own - first).abs() <= same)
}

/// Whether two rotations of any length differ. The same rotation with the other sign does not.
#[inline]
fn turns(own: [f32; 4], first: [f32; 4]) -> bool {
    /// Below this difference of each component, two rotations are the same.
    const SAME: f32 = 1e-6;
    if own == first {
        return false;
    }
    // A rotation without length is that of the bind pose, and no other.
    if own == [0.0; 4] || first == [0.0; 4] {
        return true;
    }
    let (own, first) = (unit_rotation(own), unit_rotation(first));
    let is_same = |sign: f32| own.iter().zip(first).all(|(own, first)| (own * sign - first).abs() <= SAME);
    !is_same(1.0) && !is_same(-1.0)
}
