//! Keys that are left out of compact files: those that stay move every vertex almost as all of them do.
//!
//! What a key is good for is measured where it is seen: at the boxes of the vertices that each bone moves, in every frame.

use skelmap::model::maths::{Rotation, cosine, dot, inverse, slerp, transformed};
use skelmap::model::{Bounds, Matrix, Part, Transform};
use skelmap::shared::to_u64;

use crate::compact::to_short;
use crate::motion::{Channel, Keys, Motion, timed_bytes, value_bytes};
use crate::rig::Rig;
use crate::vertices::VertexTable;

/// The most poses of a bone, in all frames of a clip and of all clips of a file, that are looked at: those of the bones of a model, or its keys if
/// they are more. Keys are in memory, and poses are compared several times. A file of 300 bones reaches the second with half an hour of motion.
const MAX_POSES_OF_CLIP: usize = 1 << 22;
pub(crate) const MAX_POSES: usize = 1 << 24;

/// How often the tolerance of single channels is changed until the whole is right.
const ROUNDS: usize = 5;

/// The most that rounding to 16 bits turns a rotation, in radians: half a step in each component, twice for the half angle.
const SHORT_TURN: f32 = 6.2e-5;

/// Half the edge of the box of a bone without vertices, as a part of the size: something may be attached to it.
const NO_VERTICES: f32 = 0.05;

/// What the bones of a model move.
#[derive(Debug)]
pub(crate) struct Reach {
    /// The corners of the box of a bone's vertices, in the space of the bone.
    corners: Vec<[[f32; 3]; 8]>,
    /// The greatest distance of what a bone and the bones below it move.
    distances: Vec<f32>,
    /// The largest edge of the box of the model.
    size: f32,
    armature: Matrix,
}

impl Reach {
    /// O(influences + bones).
    pub(crate) fn new(rig: &Rig, turn: Rotation, vertices: Option<&VertexTable<'_>>) -> Self {
        let armature = Transform { rotation: turn, ..Transform::IDENTITY }.to_matrix();
        let world = rig.to_world(&armature);
        let positions = vertices.map(|table| table.vertices.positions.as_slice()).unwrap_or_default();
        let origins = world.iter().map(|matrix| transformed(matrix, [0.0; 3]));
        let whole = Bounds::of(positions.iter().copied()).or_else(|| Bounds::of(origins));
        let size = whole.map_or(0.0, |bounds| bounds.size().into_iter().fold(0.0, f32::max));
        let size = if size.is_normal() { size } else { 1.0 };
        let to_bones: Vec<Matrix> = world.iter().map(inverse).collect();
        let boxes = vertices.map_or_else(|| vec![None; world.len()], |table| table.to_boxes(&to_bones));
        let own = size * NO_VERTICES;
        let corners = boxes.into_iter().map(|own_box| {
            let Bounds { min, max } = own_box.unwrap_or(Bounds { min: [-own; 3], max: [own; 3] });
            let ([ax, ay, az], [bx, by, bz]) = (min, max);
            [[ax, ay, az], [bx, ay, az], [ax, by, az], [bx, by, az], [ax, ay, bz], [bx, ay, bz], [ax, by, bz], max]
        });
        let corners: Vec<_> = corners.collect();
        let farthest = |corners: &[[f32; 3]; 8]| corners.iter().map(|corner| length(*corner)).fold(own, f32::max);
        let distances = rig.to_distances(corners.iter().map(farthest).collect());
        Self { corners, distances, size, armature }
    }

    pub(crate) const fn size(&self) -> f32 {
        self.size
    }

    /// The most that a box is moved from one pose to another.
    fn moved(&self, one: &[Matrix], other: &[Matrix]) -> f32 {
        let mut most = 0.0_f32;
        for ((corners, one), other) in self.corners.iter().zip(one).zip(other) {
            for corner in corners {
                let away = distance(transformed(one, *corner), transformed(other, *corner));
                // A distance that is no number is too large.
                most = if away.is_nan() { f32::INFINITY } else { most.max(away) };
            }
        }
        most
    }
}

/// A channel with the keys that are written.
#[derive(Debug)]
pub(crate) struct Reduced {
    pub(crate) part: Part,
    pub(crate) keys: Keys,
    /// The frames of the keys, for a channel that had one for each frame.
    pub(crate) frames: Vec<usize>,
    pub(crate) values: Vec<[f32; 4]>,
    pub(crate) is_short: bool,
}

/// A channel with all of its values.
struct Whole {
    channel: Channel,
    exact: Vec<[f32; 4]>,
}

/// A choice of keys for a channel.
struct Choice {
    frames: Vec<usize>,
    values: Vec<[f32; 4]>,
    is_short: bool,
    /// The key at or before the frame that was asked for last: frames ascend.
    last: usize,
}

/// The keys of a clip that move no vertex by more than the tolerance, and the most that they move one. `None` for a clip with too many.
pub(crate) fn reduced(
    motion: &Motion<'_>,
    channels: &[Channel],
    reach: &Reach,
    tolerance: f32,
) -> Option<(Vec<Reduced>, f32)> {
    let count = motion.frame_count();
    if pose_count(motion, channels) > MAX_POSES_OF_CLIP {
        return None;
    }
    let mut values = motion.values();
    let whole = channels.iter().map(|channel| {
        let exact = if channel.keys == Keys::Every {
            values.start(channel.bone, channel.part);
            let mut exact = Vec::with_capacity(count);
            while let Some(block) = values.next_block() {
                exact.extend_from_slice(block);
            }
            exact
        } else {
            vec![values.first(channel.bone, channel.part)]
        };
        Whole { channel: *channel, exact }
    });
    let whole: Vec<Whole> = whole.collect();
    let (mut share, mut best) = (0.5_f32, None);
    for _ in 0..ROUNDS {
        let mut choices: Vec<Choice> = whole.iter().map(|own| own.choose(reach, share * tolerance)).collect();
        let error = largest_error(motion, &whole, &mut choices, reach);
        if error <= tolerance {
            best = Some((choices, error));
            if error > tolerance * 0.7 {
                break;
            }
            share *= (tolerance * 0.9 / error).min(2.0);
        } else {
            if best.is_some() {
                break;
            }
            share *= (tolerance * 0.8 / error).clamp(0.1, 0.8);
        }
    }
    let (choices, error) = best.unwrap_or_else(|| (whole.iter().map(Whole::all).collect(), 0.0));
    let reduced = whole.iter().zip(choices).map(|(own, choice)| Reduced {
        part: own.channel.part,
        keys: own.channel.keys,
        frames: choice.frames,
        values: choice.values,
        is_short: choice.is_short,
    });
    Some((reduced.collect(), error))
}

/// The poses of bones that are looked at, or the keys of channels that have one for each frame.
pub(crate) fn pose_count(motion: &Motion<'_>, channels: &[Channel]) -> usize {
    let moving = channels.iter().filter(|channel| channel.keys == Keys::Every).count();
    moving.max(motion.rig.bind.len()).saturating_mul(motion.frame_count())
}

impl Whole {
    /// Every key, as it is.
    fn all(&self) -> Choice {
        Choice { frames: (0..self.exact.len()).collect(), values: self.exact.clone(), is_short: false, last: 0 }
    }

    /// The fewest keys between which all values are within a distance, as far as the farthest vertex sees it. O(keys * log keys).
    fn choose(&self, reach: &Reach, within: f32) -> Choice {
        let Channel { bone, part, .. } = self.channel;
        let distance = reach.distances.get(bone).copied().unwrap_or(f32::MAX);
        let is_short = part == Part::Rotation && distance * SHORT_TURN <= within * 0.5;
        let mut whole = Choice { is_short, ..self.all() };
        if is_short {
            whole.values.iter_mut().flatten().for_each(|value| *value = f32::from(to_short(*value)) / 32767.0);
        }
        // The difference of two quaternions is half the angle.
        let most = match part {
            Part::Translation => within,
            Part::Rotation => within / distance / 2.0,
            Part::Scale => within / distance,
        };
        let stored = whole.values.as_slice();
        let mut frames = vec![0];
        let (mut from, last) = (0_usize, stored.len().saturating_sub(1));
        while from < last {
            let fits = |to: usize| self.fits(stored, from, to, most);
            // Twice as far as long as it fits, then the middle.
            let (mut good, mut bad) = (from.saturating_add(1), last.saturating_add(1));
            let mut step = 1_usize;
            while good < last && bad > last {
                let probe = good.saturating_add(step).min(last);
                (good, bad) = if fits(probe) { (probe, bad) } else { (good, probe) };
                step = step.saturating_mul(2);
            }
            while bad <= last && bad.saturating_sub(good) > 1 {
                let probe = good.midpoint(bad);
                if fits(probe) { good = probe } else { bad = probe }
            }
            frames.push(good);
            from = good;
        }
        let size = value_bytes(part, is_short);
        if timed_bytes(frames.len(), size) >= to_u64(stored.len()).saturating_mul(size) {
            return whole;
        }
        let values = frames.iter().filter_map(|frame| stored.get(*frame).copied()).collect();
        Choice { frames, values, ..whole }
    }

    /// Whether the values between two frames are near to those that programs compute from the two: on the sphere, as glTF has it, and
    /// component by component, as Blender does it.
    fn fits(&self, stored: &[[f32; 4]], from: usize, to: usize, most: f32) -> bool {
        let Some((start, end)) = stored.get(from).zip(stored.get(to)) else { return false };
        let is_rotation = self.channel.part == Part::Rotation;
        if is_rotation && cosine(*start, *end) < 0.0 {
            return false;
        }
        let inner = from.saturating_add(1)..to;
        inner.clone().zip(self.exact.get(inner).unwrap_or_default()).all(|(frame, exact)| {
            let between = fraction(from, to, frame);
            let is_near = |value| difference(*exact, value) <= most;
            is_near(mixed(*start, *end, between)) && (!is_rotation || is_near(slerp(*start, *end, between)))
        })
    }
}

impl Choice {
    /// The value in a frame, which is none before the one that was asked for last.
    fn value(&mut self, frame: usize, part: Part) -> [f32; 4] {
        while self.frames.get(self.last.saturating_add(1)).is_some_and(|next| *next <= frame) {
            self.last = self.last.saturating_add(1);
        }
        let next = self.last.saturating_add(1);
        let start = self.values.get(self.last).copied().unwrap_or_default();
        let (Some(from), Some(to), Some(end)) =
            (self.frames.get(self.last), self.frames.get(next), self.values.get(next))
        else {
            return start;
        };
        match fraction(*from, *to, frame) {
            0.0 => start,
            between if part == Part::Rotation => slerp(start, *end, between),
            between => mixed(start, *end, between),
        }
    }
}

/// The most that a box of vertices is off in any frame.
fn largest_error(motion: &Motion<'_>, whole: &[Whole], choices: &mut [Choice], reach: &Reach) -> f32 {
    let (mut error, rig) = (0.0_f32, motion.rig);
    let (mut exact, mut chosen) = (rig.bind.clone(), rig.bind.clone());
    for frame in 0..motion.frame_count() {
        for (own, choice) in whole.iter().zip(&mut *choices) {
            let Channel { bone, part, .. } = own.channel;
            let value = own.exact.get(frame).or_else(|| own.exact.first()).copied().unwrap_or_default();
            exact.get_mut(bone).into_iter().for_each(|place| set(place, part, value));
            let value = choice.value(frame, part);
            chosen.get_mut(bone).into_iter().for_each(|place| set(place, part, value));
        }
        let [one, other] = [&exact, &chosen].map(|pose| rig.to_world_of(pose, &reach.armature));
        error = error.max(reach.moved(&one, &other));
    }
    error
}

const fn set(transform: &mut Transform, part: Part, value: [f32; 4]) {
    let [x, y, z, _] = value;
    match part {
        Part::Translation => transform.translation = [x, y, z],
        Part::Rotation => transform.rotation = value,
        Part::Scale => transform.scale = [x, y, z],
    }
}

/// Where a frame is between two others.
#[expect(clippy::cast_precision_loss, clippy::as_conversions, reason = "clips have fewer than 2^24 frames here")]
fn fraction(from: usize, to: usize, frame: usize) -> f32 {
    frame.saturating_sub(from) as f32 / to.saturating_sub(from).max(1) as f32
}

fn mixed(start: [f32; 4], end: [f32; 4], between: f32) -> [f32; 4] {
    let mut value = start;
    value.iter_mut().zip(end).for_each(|(value, end)| *value += (end - *value) * between);
    value
}

fn difference(one: [f32; 4], other: [f32; 4]) -> f32 {
    one.iter().zip(other).map(|(one, other)| (one - other) * (one - other)).sum::<f32>().sqrt()
}

fn distance([ax, ay, az]: [f32; 3], [bx, by, bz]: [f32; 3]) -> f32 {
    length([ax - bx, ay - by, az - bz])
}

fn length(vector: [f32; 3]) -> f32 {
    dot(vector, vector).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    use skelmap::Asset;
    use skelmap::model::{Binding, IDENTITY};
    use test_support::actorx::build::{Anim, chain};

    use crate::report::ExportReport;

    /// What a bone moves is this far away from it.
    fn reach(distance: f32) -> Reach {
        Reach { corners: Vec::new(), distances: vec![distance], size: 1.0, armature: IDENTITY }
    }

    fn whole(part: Part, exact: Vec<[f32; 4]>) -> Whole {
        Whole { channel: Channel { bone: 0, part, keys: Keys::Every }, exact }
    }

    /// Half a step in each of four components is 1 / 32,767 in all, and twice that for the angle: a little less than 6.2e-5. Rounding may take half of
    /// what is allowed.
    #[test]
    fn rotations_have_16_bits_where_that_takes_half_of_what_is_allowed_at_most() {
        let turned = [0.6, 0.0, 0.0, 0.8];
        let rounded = [19660.0 / 32767.0, 0.0, 0.0, 26214.0 / 32767.0];
        for distance in [0.5, 1.0, 2.0] {
            let least: f32 = distance * 6.2e-5 * 2.0;
            for (within, part, is_short) in [
                (least, Part::Rotation, true),
                (least.next_down(), Part::Rotation, false),
                (1.0, Part::Translation, false),
                (1.0, Part::Scale, false),
            ] {
                let choice = whole(part, vec![turned]).choose(&reach(distance), within);
                assert_eq!(choice.is_short, is_short, "{distance} {within} {part:?}");
                assert_eq!(choice.values, [if is_short { rounded } else { turned }]);
            }
        }
    }

    /// A value of 40 is off: a translation moves all by as much, a scale by its product with the distance, a rotation by twice that of its
    /// quaternion, which has half the angle.
    #[test]
    fn a_value_is_left_out_if_what_the_bone_moves_is_near_without_it() {
        let (distance, within) = (4.0, 0.08);
        for (part, most) in
            [(Part::Translation, within), (Part::Scale, within / distance), (Part::Rotation, within / distance / 2.0)]
        {
            for (off, is_left_out) in [(most * 0.9, true), (most * 1.1, false)] {
                let mut exact = vec![[0.0, 0.0, 0.0, 1.0]; 40];
                exact[20][1] = off;
                let choice = whole(part, exact).choose(&reach(distance), within);
                assert_eq!(choice.frames == [0, 39], is_left_out, "{part:?} {off}: {:?}", choice.frames);
                assert_eq!(choice.frames.len(), choice.values.len());
            }
        }
    }

    #[test]
    fn poses_are_those_of_the_bones_or_the_keys_if_they_are_more() {
        let bytes: Vec<u8> = Anim::sway(chain(2), &[("", 7, 30.0)]).chunks().into();
        let clip = Asset::parse(&bytes).unwrap().clips().next().unwrap();
        let (binding, rig) = (Binding::of_clip(&clip), Rig::of_clip(&clip, &[], &mut ExportReport::default()).unwrap());
        let motion = Motion { clip: &clip, binding: &binding, rig: &rig, base: None, loops: false, is_shared: false };
        let channels = |every: usize, others: usize| -> Vec<Channel> {
            let all = [(every, Keys::Every), (others, Keys::First), (others, Keys::Ends)];
            let of = |keys| Channel { bone: 0, part: Part::Scale, keys };
            all.into_iter().flat_map(|(count, keys)| vec![of(keys); count]).collect()
        };
        for (every, others, poses) in [(0, 0, 2), (1, 4, 2), (2, 4, 2), (3, 0, 3), (5, 1, 5)] {
            assert_eq!(pose_count(&motion, &channels(every, others)), poses * 7, "{every} {others}");
            let looped = Motion { loops: true, ..motion };
            assert_eq!(pose_count(&looped, &channels(every, others)), poses * 8, "{every} {others}");
        }
    }

    /// Of numbers whose difference is beyond the range, what is between is none.
    #[test]
    fn the_value_in_the_frame_of_a_key_is_that_of_the_key() {
        let values = [3e38_f32, -3e38, 1.0].map(|x| [x, 0.0, 0.0, 1.0]);
        for part in [Part::Translation, Part::Scale] {
            let mut choice = Choice { frames: vec![0, 4, 6], values: values.to_vec(), is_short: false, last: 0 };
            assert_eq!([0, 4, 6].map(|frame| choice.value(frame, part)), values);
        }
        let mut choice = Choice { frames: vec![0, 4, 6], values: values.to_vec(), is_short: false, last: 0 };
        choice.values[1][0] = 5.0;
        assert_eq!([5, 6, 7].map(|frame| choice.value(frame, Part::Translation)[0]), [3.0, 1.0, 1.0]);
    }

    /// Rotations are mixed on the sphere: a third of a turn of 90 degrees is 30 degrees.
    #[test]
    fn the_value_between_keys_is_that_of_a_program() {
        let half = 0.5_f32.sqrt();
        let values = [[0.0, 0.0, 0.0, 1.0], [half, 0.0, 0.0, half]];
        let choice = || Choice { frames: vec![2, 5], values: values.to_vec(), is_short: false, last: 0 };
        let found = choice().value(3, Part::Rotation);
        let (sin, cos) = 15.0_f32.to_radians().sin_cos();
        let apart = found.iter().zip([sin, 0.0, 0.0, cos]).map(|(own, other)| (own - other).abs());
        assert!(apart.fold(0.0, f32::max) < 1e-6, "{found:?}");
        let found = choice().value(3, Part::Translation);
        assert!((found[0] - values[1][0] / 3.0).abs() < 1e-6, "{found:?}");
    }
}
