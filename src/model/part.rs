//! One part of the transforms of a track over many frames, for writing and comparing track by track.

use alloc::vec::Vec;
use core::ops::Range;

use super::binding::Binding;
use super::channel::{Between, Channel, Channels, Grid, Keys, Rows, Tracks};
use super::clip::Clip;
use super::maths::unit_or;
use super::sources::Source;
use super::transform::Transform;
use crate::bytes::{Record, Vec3, Vec4};

/// A part of a transform.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[expect(clippy::exhaustive_enums, reason = "a transform has these three parts")]
pub enum Part {
    /// The translation.
    Translation,
    /// The rotation.
    Rotation,
    /// The scale.
    Scale,
}

impl Part {
    /// All three.
    pub const ALL: [Self; 3] = [Self::Translation, Self::Rotation, Self::Scale];

    /// The components of this part, padded with 0 to four.
    pub const fn of(self, transform: &Transform) -> [f32; 4] {
        let [x, y, z] = match self {
            Self::Translation => transform.translation,
            Self::Rotation => return transform.rotation,
            Self::Scale => transform.scale,
        };
        [x, y, z, 0.0]
    }
}

/// Frames in a block.
const BLOCK: usize = 256;

impl<'a> Clip<'a> {
    /// Number of frames to read at a time: all, if each read walks over the frames before.
    #[doc(hidden)] // For the writer of glTF.
    pub const fn block(&self) -> usize {
        let is_chained = match &self.keys {
            Keys::Rows(Rows { rotations: Some(rotations), .. }) => rotations.is_chained(),
            Keys::Rows(_) => false,
            Keys::Tracks(tracks) => tracks.starts.is_chained(),
        };
        match self.frame_count() {
            frames if is_chained && frames > 0 => frames,
            _ => BLOCK,
        }
    }

    /// The bones that a file with this clip alone needs: those of the skeleton, or one for each track if a track's bone is not
    /// in it. An index alone does not make bones.
    #[doc(hidden)] // For the writer of glTF.
    pub fn to_nodes(self) -> Vec<usize> {
        if self.has_bones() { (0..self.skeleton().bone_count()).collect() } else { self.bones().collect() }
    }

    /// Whether the bones of all tracks are in the skeleton.
    pub(super) fn has_bones(&self) -> bool {
        self.bones().all(|bone| bone < self.skeleton().bone_count())
    }

    /// The bone of each track.
    pub(super) fn bones(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.track_count()).filter_map(|track| self.bone_of(track))
    }

    /// Hands out a part of a track's transforms, as stored, in some frames; nothing for a part that is missing. O(frames), with sparse keys
    /// O(frames * log keys).
    #[inline]
    fn each_value(&self, part: Part, track: usize, frames: Range<usize>, mut see: impl FnMut([f32; 4])) {
        let mut vector = |grid| self.each_of_grid(grid, track, frames.clone(), |stored: &Vec3| see(wide(stored.get())));
        match (self.keys, part) {
            (Keys::Rows(rows), Part::Translation) => vector(rows.translations),
            (Keys::Rows(rows), Part::Scale) => vector(rows.scales),
            (Keys::Rows(rows), Part::Rotation) => {
                self.each_of_grid(rows.rotations, track, frames, |stored| see(stored.get()));
            }
            (Keys::Tracks(tracks), _) => tracks.each_value(part, track, frames, see),
        }
    }

    #[inline]
    fn each_of_grid<T: Record>(
        &self,
        grid: Option<Grid<'a, T>>,
        track: usize,
        frames: Range<usize>,
        see: impl FnMut(&'a T),
    ) {
        let Some(grid) = grid else { return };
        if let Some(values) = grid.track(track, frames.start) {
            values.take(frames.len()).for_each(see);
        } else {
            let rows = grid.rows(self.track_count()).skip(frames.start).take(frames.len());
            rows.map_while(|row| row.get(track)).for_each(see);
        }
    }

    /// For each track, which parts differ from the first frame by more than `same`, in the unit of the result. One pass over
    /// the keys of each part, in file order.
    #[doc(hidden)] // For the writer of glTF.
    pub fn to_moving_parts(self, same: f32) -> Vec<[bool; 3]> {
        let mut moving = alloc::vec![[false; 3]; self.track_count()];
        let of_file = same / self.change.scale();
        let differs = |same: f32| move |own: &Vec3, first: &Vec3| differs(own.get(), first.get(), same);
        let turns = |own: &Vec4, first: &Vec4| turns(own.get(), first.get());
        match self.keys {
            Keys::Rows(rows) => {
                self.mark(rows.translations, &mut moving, |[moves, _, _]| moves, differs(of_file));
                self.mark(rows.rotations, &mut moving, |[_, moves, _]| moves, turns);
                self.mark(rows.scales, &mut moving, |[_, _, moves]| moves, differs(same));
            }
            Keys::Tracks(tracks) => {
                let frames = (self.frame_count(), tracks.between);
                for ([shifts, spins, scales], channels) in moving.iter_mut().zip(tracks.all()) {
                    let Channels { translation, rotation, scale } = channels;
                    *shifts = moves(&translation, frames, differs(of_file));
                    *spins = moves(&rotation, frames, turns);
                    *scales = moves(&scale, frames, differs(same));
                }
            }
        }
        moving
    }

    /// Marks the tracks with a value that differs from the first frame.
    fn mark<T: Record>(
        &self,
        grid: Option<Grid<'a, T>>,
        moving: &mut [[bool; 3]],
        flag: impl Fn(&mut [bool; 3]) -> &mut bool,
        differs: impl Fn(&T, &T) -> bool,
    ) {
        let Some(grid) = grid else { return };
        let mut rows = grid.rows(self.track_count()).take(self.frame_count());
        let first = rows.next().unwrap_or_default();
        // The tracks that have not moved so far: most rotations move soon.
        let mut still: Vec<_> = first.iter().enumerate().zip(moving).collect();
        for row in rows {
            still.retain_mut(|((track, first), moving)| {
                let moves = row.get(*track).is_some_and(|own| differs(own, first));
                *flag(moving) = moves;
                !moves
            });
            if still.is_empty() {
                break;
            }
        }
    }
}

impl Tracks<'_> {
    /// Hands out a part of a track's transforms, as stored, in some frames. O(frames * log keys).
    fn each_value(&self, part: Part, track: usize, frames: impl Iterator<Item = usize>, mut see: impl FnMut([f32; 4])) {
        let channels = self.get(track);
        frames.for_each(|frame| see(part.of(&self.transform(&channels, frame))));
    }
}

/// Whether a key that affects these frames differs from the first of them.
fn moves<T: Record>(
    channel: &Channel<'_, T>,
    (frames, between): (usize, Between),
    differs: impl Fn(&T, &T) -> bool,
) -> bool {
    let mut keys = channel.used(frames, between);
    keys.next().is_some_and(|first| keys.any(|own| differs(own, first)))
}

impl Binding {
    /// Adds a part of a bone's transforms in some frames of a clip, in the space of the mesh; rotations of any length. Parts
    /// from the mesh are those of the bind pose. `None` for a bone without a track. O(frames), with sparse keys O(frames * log
    /// keys).
    #[doc(hidden)] // For the writer of glTF.
    pub fn read_part(
        &self,
        clip: &Clip<'_>,
        part: Part,
        bone: usize,
        frames: Range<usize>,
        out: &mut Vec<[f32; 4]>,
    ) -> Option<()> {
        let count = frames.len();
        self.read(clip, (part, bone), count, out, |track, slots| clip.each_value(part, track, frames, into(slots)))
    }

    /// Adds a part of a bone's transforms as [`read_part`](Self::read_part) does, in these frames alone, of a clip with a channel for each track.
    /// `None` for other clips too. O(frames * log keys).
    #[doc(hidden)] // For the writer of glTF.
    pub fn read_part_at(
        &self,
        clip: &Clip<'_>,
        part: Part,
        bone: usize,
        frames: &[u32],
        out: &mut Vec<[f32; 4]>,
    ) -> Option<()> {
        let Keys::Tracks(tracks) = &clip.keys else { return None };
        let all = frames.iter().filter_map(|frame| usize::try_from(*frame).ok());
        self.read(clip, (part, bone), frames.len(), out, |track, slots| {
            tracks.each_value(part, track, all, into(slots));
        })
    }

    /// Adds values in the space of the mesh. A function fills them in with those of a track, as stored.
    #[inline]
    fn read(
        &self,
        clip: &Clip<'_>,
        (part, bone): (Part, usize),
        count: usize,
        out: &mut Vec<[f32; 4]>,
        fill: impl FnOnce(usize, &mut [[f32; 4]]),
    ) -> Option<()> {
        let (track, start) = (self.track_of(bone)?, out.len());
        let end = start.saturating_add(count);
        if self.is_of_mesh(part, bone) {
            out.resize(end, part.of(&self.rest_of(bone)));
            return Some(());
        }
        out.resize(end, part.of(&Transform::IDENTITY));
        let added = out.get_mut(start..).unwrap_or_default();
        fill(track, added);
        let change = self.change();
        match part {
            Part::Translation => change.all(added, change.factors(change.scale())),
            Part::Rotation => {
                let is_conjugated = clip.rule().apply(track, [1.0; 4]) != [1.0; 4];
                change.all(added, change.factors(if is_conjugated == change.is_mirror() { 1.0 } else { -1.0 }));
            }
            Part::Scale => change.all(added, [1.0; 3]),
        }
        Some(())
    }

    /// The frames between which a linear blend gives the values of a part of a bone: those of its sparse keys, and the frames before them, in
    /// ascending order with the first and the last frame. `None` where every frame has a key. O(keys * log keys).
    #[doc(hidden)] // For the writer of glTF.
    pub fn to_bends(&self, clip: &Clip<'_>, part: Part, bone: usize) -> Option<Vec<u32>> {
        let Keys::Tracks(tracks) = &clip.keys else { return None };
        let (frames, channels) = (clip.frame_count(), tracks.get(self.track_of(bone)?));
        let mut bends = Vec::new();
        match part {
            Part::Translation => channels.translation.add_bends(frames, &mut bends)?,
            Part::Rotation => channels.rotation.add_bends(frames, &mut bends)?,
            Part::Scale => channels.scale.add_bends(frames, &mut bends)?,
        }
        bends.extend([0, u32::try_from(frames.saturating_sub(1)).ok()?]);
        bends.sort_unstable();
        bends.dedup();
        Some(bends)
    }

    /// The number of keys of a part of a bone that are not finite in the space of the mesh. O(keys).
    #[doc(hidden)] // For the writer of glTF.
    pub fn count_broken(&self, clip: &Clip<'_>, part: Part, bone: usize) -> usize {
        let Some(track) = self.track_of(bone).filter(|_| !self.is_of_mesh(part, bone)) else { return 0 };
        let frames = 0..clip.frame_count();
        let scale = if part == Part::Translation { self.change().scale() } else { 1.0 };
        let is_broken = |value: [f32; 4]| !value.iter().all(|part| (part * scale).is_finite());
        if let Keys::Tracks(tracks) = &clip.keys {
            let (frames, between, own) = (clip.frame_count(), tracks.between, tracks.get(track));
            let of_vectors =
                |own: Channel<'_, Vec3>| own.used(frames, between).filter(|own| is_broken(wide(own.get()))).count();
            return match part {
                Part::Translation => of_vectors(own.translation),
                Part::Rotation => own.rotation.used(frames, between).filter(|own| is_broken(own.get())).count(),
                Part::Scale => of_vectors(own.scale),
            };
        }
        // What is not finite is no number after a product with 0, and neither is a sum with it.
        let mut sums = [0.0; 4];
        clip.each_value(part, track, frames.clone(), |value| {
            sums.iter_mut().zip(value).for_each(|(sum, value)| *sum += value * scale * 0.0);
        });
        let mut count = 0_usize;
        if sums != [0.0; 4] {
            clip.each_value(part, track, frames, |value| {
                count = count.saturating_add(usize::from(is_broken(value)));
            });
        }
        count
    }

    /// Whether a part of a bone's transform comes from the mesh.
    #[doc(hidden)] // For the writer of glTF.
    pub fn is_of_mesh(&self, part: Part, bone: usize) -> bool {
        let Some(sources) = self.sources_of(bone) else { return true };
        match part {
            Part::Translation => sources.translation == Source::Mesh,
            Part::Rotation => sources.rotation == Source::Mesh,
            Part::Scale => sources.scale == Source::Mesh,
        }
    }
}

/// A function that stores values in slots, one after the other.
#[inline]
fn into(slots: &mut [[f32; 4]]) -> impl FnMut([f32; 4]) {
    let mut slots = slots.iter_mut();
    move |value| slots.next().into_iter().for_each(|slot| *slot = value)
}

const fn wide([x, y, z]: [f32; 3]) -> [f32; 4] {
    [x, y, z, 0.0]
}

#[inline]
fn differs(own: [f32; 3], first: [f32; 3], same: f32) -> bool {
    // NaN differs.
    own != first && !own.iter().zip(first).all(|(own, first)| (own - first).abs() <= same)
}

/// Whether two rotations of any length differ. Opposite signs are the same rotation.
#[inline]
fn turns(own: [f32; 4], first: [f32; 4]) -> bool {
    /// Up to this difference of each component, two rotations are the same.
    const SAME: f32 = 1e-6;
    if own == first {
        return false;
    }
    // A rotation without direction means the bind pose, and equals no other rotation. What is no number differs.
    let (own, first) = (unit_or(own, [f32::NAN; 4]), unit_or(first, [f32::NAN; 4]));
    let is_same = |sign: f32| own.iter().zip(first).all(|(own, first)| (own * sign - first).abs() <= SAME);
    !is_same(1.0) && !is_same(-1.0)
}

#[cfg(test)]
mod tests {
    use test_support::actorx::build::{Anim, Bone, Info, Key};

    use super::*;
    use crate::Asset;
    use crate::model::Space;

    #[test]
    fn a_vector_differs_if_one_component_is_further_away_than_the_limit() {
        let first = [5.0, -3.0, 0.5];
        assert!(!differs(first, first, 0.0));
        for own in [[5.5, -3.0, 0.5], [4.5, -3.0, 0.5], [5.0, -3.5, 0.5], [5.0, -2.5, 0.5], [5.0, -3.0, 1.0]] {
            assert!(!differs(own, first, 0.5), "{own:?}");
            assert!(differs(own, first, 0.49), "{own:?}");
        }
        assert!(differs([f32::NAN, 0.0, 0.0], [f32::NAN, 0.0, 0.0], 1.0), "what is no number equals nothing");
    }

    #[test]
    fn rotations_of_any_length_and_sign_turn_if_one_component_of_their_directions_differs() {
        let half = [0.5; 4];
        for factor in [1.0, -1.0, 2.0, -3.0, 0.01] {
            assert!(!turns(half.map(|value| value * factor), half), "{factor}");
            assert!(!turns(half, half.map(|value| value * factor)), "{factor}");
            assert!(turns([0.0, 0.0, 0.6 * factor, 0.8 * factor], half), "{factor}");
        }
        // The square of a millionth is lost beside 1, so these have unit length.
        let near = |z: f32| turns([0.0, 0.0, z, 1.0], [0.0, 0.0, 0.0, 1.0]);
        assert!(!near(1e-6) && !near(-1e-6) && near(1.1e-6) && near(-1.1e-6));
        // A rotation without length is the bind pose.
        assert!(turns([0.0; 4], half) && turns(half, [0.0; 4]) && !turns([0.0; 4], [0.0; 4]));
    }

    /// A hundred times this number is beyond the range of a float.
    #[test]
    fn a_key_that_is_too_large_in_the_unit_of_the_result_is_broken() {
        let key = |x| Key { position: [x, 0.0, 0.0], rotation: [0.0, 0.0, 0.0, 1.0], time: 1.0 };
        let bones = vec![Bone::new("b", 0, [0.0; 3], [0.0, 0.0, 0.0, 1.0])];
        let (infos, keys) = (vec![Info::new("Walk", 1, 0, 3, 30.0)], [1.0, 3e38, -3e38].map(key).to_vec());
        let bytes = Anim { bones, infos, keys, ..Anim::default() }.chunks().build().bytes;
        let clip = Asset::parse(&bytes).unwrap().clips().next().unwrap().with_metres(1.0);
        let broken = |metres: f32| {
            let clip = clip.in_space(Space::GLTF.with_metres(metres));
            Part::ALL.map(|part| Binding::of_clip(&clip).count_broken(&clip, part, 0))
        };
        assert_eq!((broken(1.0), broken(0.01), broken(100.0)), ([0; 3], [2, 0, 0], [0; 3]));
    }
}
