//! The channels of a clip: the bones that move, the keys that they need, and the values of these keys.

use std::borrow::Cow;
use std::ops::Range;

use skelmap::model::maths::{NO_TURN, Rotation, conjugated, cosine, rotation_product, unit_or};
use skelmap::model::{Binding, Clip, Part, Transform};
use skelmap::shared::{to_u32, to_u64, to_usize};

use crate::options::Additive;
use crate::rig::{Rig, rotation_from, translation_from};

/// A clip for the output, and the binding of its tracks to the bones of the mesh.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Motion<'c> {
    pub(crate) clip: &'c Clip<'c>,
    pub(crate) binding: &'c Binding,
    pub(crate) rig: &'c Rig,
    /// The base pose of an additive clip.
    pub(crate) base: Option<&'c Base>,
    pub(crate) loops: bool,
    /// Whether the clip plays on other meshes too.
    pub(crate) is_shared: bool,
}

/// The name of a channel's path.
pub(crate) const fn path(part: Part) -> &'static str {
    match part {
        Part::Translation => "translation",
        Part::Rotation => "rotation",
        Part::Scale => "scale",
    }
}

/// The bytes of a value of a key.
pub(crate) const fn value_bytes(part: Part, is_short: bool) -> u64 {
    match part {
        Part::Rotation if is_short => 8,
        Part::Rotation => 16,
        Part::Translation | Part::Scale => 12,
    }
}

/// A part of a bone's transform that a clip changes, and the number of its keys.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Channel {
    pub(crate) bone: usize,
    pub(crate) part: Part,
    pub(crate) keys: Keys,
}

/// The keys of a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Keys {
    /// One for each frame.
    Every,
    /// One at the start: the value is constant.
    First,
    /// The same value at the start and at the end, to keep the length of the clip.
    Ends,
}

impl Keys {
    /// The number of keys of a clip with this number of frames.
    pub(crate) const fn count(self, frames: usize) -> usize {
        match self {
            Self::Every => frames,
            Self::First => 1,
            Self::Ends => 2,
        }
    }
}

/// The bytes of an accessor in JSON: fewer keys must save more.
const ACCESSOR_BYTES: u64 = 140;

/// The bytes of keys with times of their own, for values of so many bytes.
pub(crate) fn timed_bytes(keys: usize, size: u64) -> u64 {
    to_u64(keys).saturating_mul(size.saturating_add(4)).saturating_add(ACCESSOR_BYTES)
}

/// Equal keys are looked for in so many frames in each place.
const PLACE: usize = 4;

/// Differences below this, in each component, count as zero.
const SAME: f32 = 1e-6;

impl<'c> Motion<'c> {
    /// Number of keys of a channel with all keys.
    pub(crate) fn frame_count(&self) -> usize {
        self.clip.frame_count().saturating_add(usize::from(self.loops))
    }

    /// Whether the transforms of a bone are exactly those of its track.
    const fn is_direct(&self) -> bool {
        self.base.is_none() && !self.rig.is_regrouped
    }

    /// The channels that the clip, of a model with bones, needs, and the number of keys that are not finite. O(frames * bones), or O(keys) for
    /// tracks with channels of their own.
    pub(crate) fn channels(&self) -> (Vec<Channel>, usize) {
        let (mut channels, mut broken) = (Vec::new(), 0_usize);
        let has = self.clip.parts();
        let has = [has.translation, has.rotation, has.scale];
        let moving = if self.is_direct() { self.clip.to_moving_parts(SAME) } else { Vec::new() };
        let mut values = self.values();
        for (bone, bind) in self.rig.bind.iter().enumerate() {
            let track = self.binding.track_of(bone);
            // Where a clip adds nothing to its base, the base stays.
            if track.is_none() && self.base.is_none() {
                continue;
            }
            let of_track = track.and_then(|track| moving.get(track)).copied();
            for (index, part) in Part::ALL.into_iter().enumerate() {
                if has.get(index) != Some(&true) {
                    continue;
                }
                let first = values.first(bone, part);
                let (moves, own_broken) = match of_track {
                    Some(moving) => {
                        let moves = moving.get(index) == Some(&true) && !self.binding.is_of_mesh(part, bone);
                        // What is no number differs from itself: only one frame that is none does not move. Too large a number does not differ.
                        let may_break = moves || self.clip.frame_count() == 1 || part == Part::Translation;
                        (moves, if may_break { self.binding.count_broken(self.clip, part, bone) } else { 0 })
                    }
                    None => values.changes(bone, part),
                };
                broken = broken.saturating_add(own_broken);
                let keys = if moves { Keys::Every } else { Keys::First };
                let is_shared = self.is_shared && track.is_some() && !self.binding.is_of_mesh(part, bone);
                if moves || is_shared || !is_same(first, part.of(bind)) {
                    channels.push(Channel { bone, part, keys });
                }
            }
        }
        if !channels.iter().any(|channel| channel.keys == Keys::Every) {
            // Otherwise the length of the clip would be lost.
            let keys = if self.frame_count() > 1 { Keys::Ends } else { Keys::First };
            match channels.first_mut() {
                Some(channel) => channel.keys = keys,
                None => channels.push(Channel { bone: 0, part: Part::Rotation, keys }),
            }
        }
        (channels, broken)
    }

    /// The frames between which a linear blend gives all values of a part of a bone, where not every frame has a key. O(keys * log keys).
    fn to_bends(self, bone: usize, part: Part) -> Option<Vec<u32>> {
        if !self.rig.is_by_key(self.clip, self.base.is_some()) {
            return None;
        }
        let of = |bone, part| match self.binding.track_of(bone) {
            Some(_) => self.binding.to_bends(self.clip, part, bone),
            None => Some(vec![0, to_u32(self.clip.frame_count().saturating_sub(1))]),
        };
        let mut frames = of(bone, part)?;
        let is_of_model = part == Part::Rotation && self.base.is_some_and(|base| base.kind != Additive::Local);
        if let Some(parent) = self.rig.parents.get(bone).copied().flatten().filter(|_| is_of_model) {
            frames.extend(of(parent, part)?);
            frames.sort_unstable();
            frames.dedup();
        }
        // After the last frame, the first one.
        frames.extend(self.loops.then(|| to_u32(self.clip.frame_count())));
        Some(frames)
    }

    /// The most that the scales of the clip stretch what the bones move; at least 1. O(bones + scale keys).
    pub(crate) fn stretch(&self, channels: &[Channel]) -> f32 {
        let mut scales = channels.iter().filter(|channel| channel.part == Part::Scale).peekable();
        if scales.peek().is_none() {
            return 1.0;
        }
        let (mut values, mut own) = (self.values(), vec![1.0_f32; self.rig.bone_count()]);
        for channel in scales {
            let Some(own) = own.get_mut(channel.bone) else { continue };
            values.start(channel.bone, channel.part);
            values.listed = self.to_bends(channel.bone, channel.part).map(Cow::Owned);
            *own = 0.0;
            while let Some(block) = values.next_block() {
                *own = block.as_flattened().iter().fold(*own, |most, scale| most.max(scale.abs()));
            }
        }
        self.rig.stretch(own)
    }

    /// A part of the sum of a base pose and a frame.
    fn sum(&self, base: &Base, bone: usize, parent: Option<usize>, part: Part, frame: usize) -> [f32; 4] {
        let key = |bone| self.binding.transform(self.clip, frame, bone);
        let of_parent = parent.and_then(key).map_or(NO_TURN, |parent| parent.rotation);
        part.of(&base.add(bone, parent, &key(bone).unwrap_or_default(), of_parent))
    }

    /// The values of the parts of bones, one part after the other.
    pub(crate) fn values(&self) -> Values<'c> {
        let (rest, block, of_parent, limit) = ([0.0; 4], Vec::new(), Default::default(), self.clip.block());
        Values {
            motion: *self,
            bone: 0,
            parent: None,
            part: Part::Translation,
            frame: 0,
            listed: None,
            rest,
            last: rest,
            block,
            of_parent,
            limit,
            broken: 0,
        }
    }
}

/// The values of one part of a bone, block after block of frames, with rotations of unit length and continuous sign.
pub(crate) struct Values<'m> {
    motion: Motion<'m>,
    bone: usize,
    parent: Option<usize>,
    part: Part,
    /// The next frame to read, or its place in the list.
    frame: usize,
    /// The frames to read, where not all are.
    listed: Option<Cow<'m, [u32]>>,
    rest: [f32; 4],
    last: [f32; 4],
    block: Vec<[f32; 4]>,
    /// The rotations and translations of the parent in the frames of the block.
    of_parent: [Vec<[f32; 4]>; 2],
    /// The maximum number of frames in a block.
    limit: usize,
    /// The values that are not finite, so far.
    broken: usize,
}

impl<'m> Values<'m> {
    /// Turns to the first frame of a part.
    pub(crate) fn start(&mut self, bone: usize, part: Part) {
        let Rig { bind, parents, .. } = self.motion.rig;
        (self.bone, self.part, self.parent) = (bone, part, parents.get(bone).copied().flatten());
        self.rest = part.of(&bind.get(bone).copied().unwrap_or_default());
        (self.last, self.frame, self.limit, self.broken) = (self.rest, 0, self.motion.clip.block(), 0);
        self.listed = None;
    }

    /// Reads only some frames of the part, where this needs less than reading all of them.
    pub(crate) fn only(&mut self, frames: &'m [u32]) -> bool {
        let is_by_key = self.motion.rig.is_by_key(self.motion.clip, self.motion.base.is_some());
        self.listed = is_by_key.then_some(Cow::Borrowed(frames));
        is_by_key
    }

    /// The value of a part in the first frame.
    pub(crate) fn first(&mut self, bone: usize, part: Part) -> [f32; 4] {
        self.start(bone, part);
        self.limit = 1;
        self.next_block().and_then(|block| block.first().copied()).unwrap_or(self.rest)
    }

    /// Numbers that are the same for equal values of a part: of three frames, with rotations of either sign.
    pub(crate) fn sample(&mut self, bone: usize, part: Part) -> [[u32; 4]; 3] {
        let last = self.motion.clip.frame_count().saturating_sub(1);
        [0, last / 2, last].map(|frame| {
            self.start(bone, part);
            (self.frame, self.limit) = (frame, 1);
            let value = self.next_block().and_then(|block| block.first().copied()).unwrap_or_default();
            value.map(|part| part.abs().to_bits())
        })
    }

    /// Whether a value of a part differs from the first one, and how many are not finite before others stand in for them.
    fn changes(&mut self, bone: usize, part: Part) -> (bool, usize) {
        let motion = Motion { loops: false, ..self.motion };
        self.start(bone, part);
        self.listed = motion.to_bends(bone, part).map(Cow::Owned);
        let (mut first, mut moves) = (None, false);
        while self.listed.is_some() || self.frame < motion.clip.frame_count() {
            let Some(block) = self.next_block() else { break };
            let first = *first.get_or_insert_with(|| block.first().copied().unwrap_or_default());
            moves = moves || !block.iter().all(|value| is_same(*value, first));
        }
        (moves, self.broken)
    }

    /// Whether three equal values in a row are met at the start, in the middle or at the end: most motion has none, and need not be read twice.
    fn is_held(&mut self, bone: usize, part: Part) -> bool {
        self.start(bone, part);
        self.limit = PLACE;
        let last = self.motion.clip.frame_count().saturating_sub(PLACE);
        [0, last / 2, last].into_iter().any(|frame| {
            self.frame = frame;
            let block = self.next_block().unwrap_or_default();
            block.windows(3).any(|own| match own {
                [a, b, c] => [b, c].iter().all(|other| other.map(f32::to_bits) == a.map(f32::to_bits)),
                _ => false,
            })
        })
    }

    /// The frames between which the keys of a part say the same as all of them: without those in the middle of equal ones. `None` where the other
    /// keys take as much room, and where no equal keys are met in some places. O(frames), with sparse keys O(keys * log keys).
    pub(crate) fn needed_frames(&mut self, bone: usize, part: Part, size: u64) -> Option<Vec<u32>> {
        let most = to_u64(self.motion.frame_count()).saturating_mul(size);
        if let Some(frames) = self.motion.to_bends(bone, part) {
            return (timed_bytes(frames.len(), size) < most).then_some(frames);
        }
        if most <= timed_bytes(2, size) || !self.is_held(bone, part) {
            return None;
        }
        self.start(bone, part);
        let mut frames = Vec::new();
        let (mut before, mut last, mut count) = (None, None, 0_u32);
        while let Some(block) = self.next_block() {
            for value in block {
                let value = value.map(f32::to_bits);
                // The frame before is known to be needed when the next value is seen.
                if last.is_some_and(|last| before != Some(last) || last != value) {
                    frames.push(count.saturating_sub(1));
                }
                (before, last) = (last, Some(value));
                count = count.saturating_add(1);
            }
        }
        frames.push(count.saturating_sub(1));
        (timed_bytes(frames.len(), size) < most).then_some(frames)
    }

    /// The values of the next frames of the list.
    fn next_listed(&mut self) -> Option<&[[f32; 4]]> {
        let Motion { clip, binding, .. } = self.motion;
        let own = self.listed.as_deref()?.get(self.frame..)?.chunks(self.limit.max(1)).next()?;
        self.frame = self.frame.saturating_add(own.len());
        let is_first = |frame: &u32| to_usize((*frame).into()) == clip.frame_count();
        // The first frame follows the last one.
        let (frames, first) = match own.split_last() {
            Some((last, before)) if is_first(last) => (before, &[0][..]),
            _ => (own, &[][..]),
        };
        self.block.clear();
        let (motion, bone, part) = (self.motion, self.bone, self.part);
        for frames in [frames, first] {
            if let Some(base) = motion.base {
                let sum = |frame: &u32| motion.sum(base, bone, self.parent, part, to_usize((*frame).into()));
                self.block.extend(frames.iter().map(sum));
            } else if binding.read_part_at(clip, part, bone, frames, &mut self.block).is_none() {
                let end = self.block.len().saturating_add(frames.len());
                self.block.resize(end, self.rest);
            }
        }
        self.smooth();
        Some(&self.block)
    }

    /// The values of the next frames; `None` after the last one.
    pub(crate) fn next_block(&mut self) -> Option<&[[f32; 4]]> {
        if self.listed.is_some() {
            return self.next_listed();
        }
        let Motion { clip, binding, loops, .. } = self.motion;
        let (start, count) = (self.frame, clip.frame_count());
        // The first frame follows the last one.
        let frames = match start {
            _ if start < count => start..count.min(start.saturating_add(self.limit)),
            _ if start == count && loops => 0..1,
            _ => return None,
        };
        self.frame = start.saturating_add(frames.len());
        self.block.clear();
        let (motion, bone, parent, part, rest) = (self.motion, self.bone, self.parent, self.part, self.rest);
        if let Some(base) = motion.base {
            self.block.extend(frames.map(|frame| motion.sum(base, bone, parent, part, frame)));
        } else if binding.read_part(clip, part, bone, frames.clone(), &mut self.block).is_none() {
            self.block.resize(frames.len(), rest);
        } else if let Some(parent) = parent.filter(|_| motion.rig.is_regrouped) {
            self.see_from(parent, frames);
        }
        self.smooth();
        Some(&self.block)
    }

    /// Makes the values of the block, relative to the model, relative to the parent.
    fn see_from(&mut self, parent: usize, frames: Range<usize>) {
        let Motion { clip, binding, .. } = self.motion;
        let read = |part, out: &mut Vec<_>| {
            out.clear();
            // In such a family, either all bones have tracks or none.
            binding.read_part(clip, part, parent, frames.clone(), out)
        };
        let [rotations, translations] = &mut self.of_parent;
        if self.part == Part::Scale || read(Part::Rotation, rotations).is_none() {
            return;
        }
        let bone = self.bone;
        // What is not finite stays so, to be counted.
        let turn = |rotation, bone| unit(rotation, binding.rest_of(bone).rotation).unwrap_or([f32::NAN; 4]);
        let own = self.block.iter_mut().zip(rotations.iter().map(|rotation| turn(*rotation, parent)));
        if self.part == Part::Rotation {
            own.for_each(|(own, parent)| *own = rotation_from(parent, turn(*own, bone)));
        } else if read(Part::Translation, translations).is_some() {
            for ((own, rotation), [x, y, z, _]) in own.zip(&*translations) {
                let [own_x, own_y, own_z, _] = *own;
                let [x, y, z] = translation_from((rotation, [*x, *y, *z]), [own_x, own_y, own_z]);
                *own = [x, y, z, 0.0];
            }
        }
    }

    /// Normalises rotations and chooses the sign that is nearer to the previous one. The previous value stands in for one that is not finite.
    fn smooth(&mut self) {
        let (mut last, rest) = (self.last, self.rest);
        if self.part == Part::Rotation {
            let mut before = last;
            for value in &mut self.block {
                *value = unit(*value, rest).unwrap_or_else(|| {
                    self.broken = self.broken.saturating_add(1);
                    before
                });
                before = *value;
            }
            // As stored, so that no product waits for the sign of the one before.
            let mut is_turned = false;
            for value in &mut self.block {
                let stored = *value;
                let nearness = cosine(stored, last);
                is_turned = if is_turned { nearness > 0.0 } else { nearness < 0.0 };
                if is_turned {
                    *value = stored.map(|part| -part);
                }
                last = stored;
            }
        } else {
            for value in &mut self.block {
                if !value.iter().all(|part| part.is_finite()) {
                    self.broken = self.broken.saturating_add(1);
                    *value = last;
                }
                last = *value;
            }
        }
        self.last = self.block.last().copied().unwrap_or(self.last);
    }
}

/// A rotation of unit length; the rest pose for one without direction, `None` for one that is not finite.
#[inline]
fn unit(value: Rotation, rest: Rotation) -> Option<Rotation> {
    let square = cosine(value, value);
    if (0.5..2.0).contains(&square) {
        let scale = 1.0 / square.sqrt();
        return Some(value.map(|value| value * scale));
    }
    value.iter().all(|part| part.is_finite()).then(|| unit_or(value, rest))
}

#[inline]
fn is_same(a: [f32; 4], b: [f32; 4]) -> bool {
    a.iter().zip(b).all(|(a, b)| (a - b).abs() <= SAME)
}

/// The time of a frame in seconds.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::as_conversions,
    reason = "times are `f32`"
)]
pub(crate) fn time(frame: usize, rate: f64) -> f32 {
    (frame as f64 / rate) as f32
}

/// The base pose of additive clips.
#[derive(Debug)]
pub(crate) struct Base {
    kind: Additive,
    pose: Vec<Transform>,
    /// The rotation of each bone relative to the model.
    of_model: Vec<Rotation>,
}

impl Base {
    /// The first frame of a clip, if it has keys for the bones, else the rest pose.
    pub(crate) fn new(kind: Additive, rig: &Rig, first_key: impl Fn(usize) -> Option<Transform>) -> Self {
        let first = |(bone, bind): (usize, &Transform)| {
            let key = first_key(bone);
            let values = |key: &Transform| key.translation.into_iter().chain(key.rotation).chain(key.scale);
            key.filter(|key| values(key).all(f32::is_finite)).unwrap_or(*bind)
        };
        let pose: Vec<Transform> = rig.bind.iter().enumerate().map(first).collect();
        Self { kind, of_model: rig.to_model_rotations(&pose), pose }
    }

    /// The transform of a bone to which a delta is added, by [`Transform::plus`]; the rotation of the delta
    /// follows that of the base in the space of the parent or of the mesh. `of_parent` is the delta of the parent's
    /// rotation.
    pub(crate) fn add(&self, bone: usize, parent: Option<usize>, delta: &Transform, of_parent: Rotation) -> Transform {
        let sum = self.pose.get(bone).copied().unwrap_or_default().plus(delta, 1.0);
        if self.kind == Additive::Local {
            return sum;
        }
        let of_model = |bone: usize| self.of_model.get(bone).copied().unwrap_or(NO_TURN);
        let parent = parent.map_or(NO_TURN, |parent| rotation_product(of_parent, of_model(parent)));
        let rotation = rotation_product(conjugated(parent), rotation_product(delta.rotation, of_model(bone)));
        Transform { rotation, ..sum }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use skelmap::Asset;
    use test_support::actorx::build::{Anim, chain};

    use crate::report::ExportReport;

    /// The first frame, that in the middle and the last one, without signs.
    #[test]
    fn a_sample_of_a_part_is_of_three_frames() {
        let mut anim = Anim::sway(chain(1), &[("", 8, 30.0)]);
        for (frame, key) in (0_u8..).zip(&mut anim.keys) {
            key.position = [f32::from(frame), -1.0, 0.5];
            key.rotation = [0.0, 0.0, 0.0, if frame % 2 == 0 { 1.0 } else { -1.0 }];
        }
        let bytes: Vec<u8> = anim.chunks().into();
        let clip = Asset::parse(&bytes).unwrap().clips().next().unwrap();
        let (binding, rig) = (Binding::of_clip(&clip), Rig::of_clip(&clip, &[], &mut ExportReport::default()).unwrap());
        let motion = Motion { clip: &clip, binding: &binding, rig: &rig, base: None, loops: false, is_shared: false };
        let places = [0.0_f32, 3.0, 7.0].map(|x| [x, 1.0, 0.5, 0.0].map(f32::to_bits));
        assert_eq!(motion.values().sample(0, Part::Translation), places);
        assert_eq!(motion.values().sample(0, Part::Rotation), [[0.0_f32, 0.0, 0.0, 1.0].map(f32::to_bits); 3]);
    }
}
