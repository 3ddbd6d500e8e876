//! Transforms of a clip at any time: two frames and a blend.

use super::channel::{Channel, Channels, Keys, Rows, Tracks};
use super::clip::{Clip, clip_error};
use super::maths::{NO_TURN, acos, conjugated, cosine, sin, sqrt, unit_or, unit_rotation};
use super::packed::{Key, Packed, PackedKeys};
use super::skeleton::RotationRule;
use super::space::Change;
use super::transform::Transform;
use crate::bytes::{Column, Vec3, Vec4, groups, to_u64};
use crate::report::{Error, ErrorKind};

/// Behaviour before the first and after the last frame of a clip.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Wrap {
    /// The first frame before the start, the last frame after the end.
    #[default]
    Clamp,
    /// Time wraps around: the last frame blends into the first over the length of a frame.
    Loop,
    /// Time wraps around at the last frame, which is the first one again, as [`Clip::is_closed`] tells: with [`Loop`](Wrap::Loop), such a clip
    /// stands still for a frame.
    Closed,
}

impl Wrap {
    /// The frames after which time wraps around.
    #[expect(clippy::cast_precision_loss, clippy::as_conversions, reason = "no file has 2^53 frames")]
    pub(super) const fn length(self, count: usize) -> f64 {
        match self {
            Self::Clamp | Self::Loop => count as f64,
            Self::Closed => count.saturating_sub(1) as f64,
        }
    }
}

/// Two frames and the weight of the second, 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Between {
    first: usize,
    second: usize,
    weight: f32,
}

impl Between {
    /// The frames around a position in frames. `count` is at least 1.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_precision_loss,
        clippy::cast_sign_loss,
        clippy::as_conversions,
        reason = "the position is between 0 and the number of frames"
    )]
    fn of(position: f64, count: usize, wrap: Wrap) -> Self {
        let last = count.saturating_sub(1);
        let length = wrap.length(count);
        // NaN means the start.
        let position = match wrap {
            Wrap::Clamp => position.max(0.0).min(last as f64),
            Wrap::Loop | Wrap::Closed if (0.0..length).contains(&position) => position,
            // The remainder of a number just below 0 can be the length itself, which means the start.
            Wrap::Loop | Wrap::Closed => Some(position % length)
                .map(|rest| if rest < 0.0 { rest + length } else { rest })
                .filter(|turned| *turned < length)
                .unwrap_or(0.0),
        };
        let first = position as usize;
        let weight = (position - first as f64) as f32;
        let next = first.saturating_add(1);
        let second = match wrap {
            // Exactly on a frame, the next one is ignored, even if its numbers are not finite.
            _ if weight == 0.0 => first,
            Wrap::Loop if next > last => 0,
            _ => next,
        };
        Self { first, second, weight }
    }
}

/// In files, squared lengths of rotations differ from 1 by less than this; then a series gives the reciprocal of the length.
const NEAR_UNIT: f32 = 0.01;

/// In most pairs of frames, the cosine of half the angle between rotations is above this; then a series gives the weights on
/// the arc.
const NEAR: f32 = 0.95;

/// The weight of a rotation in a blend, as a series in powers of the cosine less 1.
#[derive(Clone, Copy)]
struct Share([f32; 4]);

impl Share {
    /// The coefficients for `sin(weight * angle) / sin(angle)`. Each term is the one before, times `weight^2 / (i (2i + 1)) - i
    /// / (2i + 1)` (D. Eberly, "A Fast and Accurate Algorithm for Computing SLERP").
    fn of(weight: f32) -> Self {
        let square = weight * weight;
        let first = weight * ((square - 1.0) / 3.0);
        let second = first * (square / 10.0 - 2.0 / 5.0);
        Self([weight, first, second, second * (square / 21.0 - 3.0 / 7.0)])
    }

    /// The value if the cosine is [`NEAR`] 1: the error of 3 terms is below 2e-7.
    #[inline]
    fn at(&self, cosine: f32) -> f32 {
        let (Self([zero, first, second, third]), x) = (self, cosine - 1.0);
        zero + x * (first + x * (second + x * third))
    }
}

/// A blend of two frames.
#[derive(Clone, Copy)]
struct Blend {
    weight: f32,
    rule: RotationRule,
    first: Share,
    second: Share,
}

impl Blend {
    fn of(weight: f32, rule: RotationRule) -> Self {
        Self { weight, rule, first: Share::of(1.0 - weight), second: Share::of(weight) }
    }

    /// The factors of two rotations, and whether they are exact enough, from their dot product and squared lengths. The second
    /// rotation is negated if that is the shorter way.
    #[inline]
    fn factors(&self, product: f32, squares: [f32; 2]) -> ([f32; 2], bool) {
        let [to_a, to_b] = squares.map(|square| 1.875 + square * (0.375 * square - 1.25));
        let cosine = (product * to_a * to_b).abs();
        let [is_a, is_b] = squares.map(|square| (square - 1.0).abs() < NEAR_UNIT);
        let factors = [self.first.at(cosine) * to_a, (self.second.at(cosine) * to_b).copysign(product)];
        (factors, (cosine > NEAR) & is_a & is_b)
    }

    /// The blend of two rotations of any length, the shorter way on the arc. Of unit length; 0 if the blend has no direction.
    #[cold]
    fn rotation(&self, first: [f32; 4], second: [f32; 4]) -> [f32; 4] {
        // The length of a rotation without direction is 0, that of others 1.
        let [first, second] = [first, second].map(|rotation| unit_or(rotation, NO_DIRECTION));
        let [a, b] = arc(cosine(first, second), sqrt(cosine(first, first)), sqrt(cosine(second, second)), self.weight);
        unit_or(sum(first, second, [a, b]), NO_DIRECTION)
    }

    /// The blend of a block of keys. One loop without branches computes the weights of a block, so that the compiler vectorises
    /// it. Returns whether all rotations have a direction.
    #[inline]
    fn block<K: Key>(
        &self,
        first: &[K; BLOCK],
        second: &[K; BLOCK],
        tracks: impl Iterator<Item = usize> + Clone,
        rule: impl Fn(usize, [f32; 4]) -> [f32; 4],
        out: &mut [Transform],
    ) -> bool {
        let mut factors = [[0.0; BLOCK]; 2];
        let [a, b] = &mut factors;
        let mut all = true;
        for ((first, second), (a, b)) in first.iter().zip(second).zip(a.iter_mut().zip(b)) {
            let (first, second) = (first.rotation(), second.rotation());
            let (own, is_near) = self.factors(cosine(first, second), [cosine(first, first), cosine(second, second)]);
            [*a, *b] = own;
            all &= is_near;
        }
        let [a, b] = &factors;
        let keys = first.iter().zip(second).zip(tracks.clone());
        for ((out, (a, b)), ((first, second), track)) in out.iter_mut().zip(a.iter().zip(b)).zip(keys) {
            let rotation = rule(track, sum(first.rotation(), second.rotation(), [*a, *b]));
            *out = Transform::new(blend_vector(first.translation(), second.translation(), self.weight), rotation);
        }
        all || self.correct(first, second, tracks, out)
    }

    /// Blends again the keys for which the series are not exact enough.
    #[cold]
    fn correct<K: Key>(
        &self,
        first: &[K],
        second: &[K],
        tracks: impl Iterator<Item = usize>,
        out: &mut [Transform],
    ) -> bool {
        let mut is_whole = true;
        for ((out, (first, second)), track) in out.iter_mut().zip(first.iter().zip(second)).zip(tracks) {
            *out = self.one(first, second, track);
            is_whole &= has_direction(out);
        }
        is_whole
    }

    /// The blend of two keys.
    fn one<K: Key>(&self, first: &K, second: &K, track: usize) -> Transform {
        let rotation = self.rule.apply(track, self.either(first.rotation(), second.rotation()));
        Transform::new(blend_vector(first.translation(), second.translation(), self.weight), rotation)
    }

    /// The blend of two rotations, by the series if they are exact enough.
    fn either(&self, a: [f32; 4], b: [f32; 4]) -> [f32; 4] {
        let (factors, is_near) = self.factors(cosine(a, b), [cosine(a, a), cosine(b, b)]);
        if is_near { sum(a, b, factors) } else { self.rotation(a, b) }
    }
}

/// The rotation of a blend that has none, until [`give_direction`] gives it one.
const NO_DIRECTION: [f32; 4] = [0.0; 4];

fn has_direction(transform: &Transform) -> bool {
    transform.rotation != NO_DIRECTION
}

/// Gives rotations without a direction those of a pose.
#[cold]
pub(super) fn give_direction(out: &mut [Transform], rest: impl Iterator<Item = [f32; 4]>) {
    for (out, rest) in out.iter_mut().zip(rest).filter(|(out, _)| !has_direction(out)) {
        out.rotation = rest;
    }
}

/// Keys in a block.
const BLOCK: usize = 8;

#[inline]
fn sum([ax, ay, az, aw]: [f32; 4], [bx, by, bz, bw]: [f32; 4], [a, b]: [f32; 2]) -> [f32; 4] {
    [a * ax + b * bx, a * ay + b * by, a * az + b * bz, a * aw + b * bw]
}

/// The factors of two rotations of these lengths on the arc between them; 0 for a rotation without length.
fn arc(product: f32, a_length: f32, b_length: f32, weight: f32) -> [f32; 2] {
    let reciprocal = |length: f32| if length > 0.0 { 1.0 / length } else { 0.0 };
    let (to_a, to_b) = (reciprocal(a_length), reciprocal(b_length));
    let cosine = (product * to_a * to_b).abs().min(1.0);
    let angle = acos(cosine);
    // Near 0, the sines equal the angles.
    let (a, b) = if angle > 1e-3 { (sin((1.0 - weight) * angle), sin(weight * angle)) } else { (1.0 - weight, weight) };
    [a * to_a, b.copysign(product) * to_b]
}

impl Transform {
    /// This transform with a rotation of unit length, as in poses; the identity for a rotation without direction.
    ///
    /// ```
    /// use skelmap::model::Transform;
    ///
    /// let stored = Transform { rotation: [0.0, 2.0, 0.0, 0.0], ..Transform::IDENTITY };
    /// assert_eq!(stored.with_unit_rotation().rotation, [0.0, 1.0, 0.0, 0.0]);
    /// ```
    #[must_use]
    pub fn with_unit_rotation(self) -> Self {
        Self { rotation: unit_rotation(self.rotation), ..self }
    }
}

/// The blend of two rotations of any length, the shorter way on the arc. Of unit length; the identity if the blend has no direction.
#[inline]
pub(super) fn blend_rotation(a: [f32; 4], b: [f32; 4], weight: f32) -> [f32; 4] {
    let blended = Blend::of(weight, RotationRule::AsStored).either(a, b);
    if blended == NO_DIRECTION { NO_TURN } else { blended }
}

#[inline]
pub(super) fn blend_vector([ax, ay, az]: [f32; 3], [bx, by, bz]: [f32; 3], weight: f32) -> [f32; 3] {
    [ax + (bx - ax) * weight, ay + (by - ay) * weight, az + (bz - az) * weight]
}

/// The keys of a frame.
#[derive(Clone, Copy)]
struct Row<'a> {
    translations: Column<'a, Vec3>,
    rotations: Column<'a, Vec4>,
}

impl Row<'_> {
    /// The key of a track.
    fn key(&self, track: usize) -> Option<Transform> {
        let translation = self.translations.get(track).map_or([0.0; 3], Vec3::get);
        let rotation = self.rotations.get(track).map_or(NO_TURN, Vec4::get);
        let is_known = track < self.rotations.len() || track < self.translations.len();
        is_known.then_some(Transform::new(translation, rotation))
    }
}

/// A clip between two of its frames.
#[derive(Clone, Copy)]
pub(super) struct Pair<'a> {
    keys: PairKeys<'a>,
    scales: Option<[Column<'a, Vec3>; 2]>,
    blend: Blend,
}

#[derive(Clone, Copy)]
enum PairKeys<'a> {
    Of28([&'a [Packed<28, 0, 12>]; 2]),
    Of32([&'a [Packed<32, 0, 12>]; 2]),
    Rows([Row<'a>; 2]),
    Tracks(Tracks<'a>, [usize; 2]),
}

impl Pair<'_> {
    /// The blend of each track, in the space of the file. Tracks without a key stay as they are. Returns whether all rotations have a direction;
    /// if not, [`give_direction`] finds those that have none.
    #[must_use]
    pub(super) fn write(&self, out: &mut [Transform]) -> bool {
        let is_whole = match &self.keys {
            PairKeys::Of28(rows) => self.write_rows(*rows, out),
            PairKeys::Of32(rows) => self.write_rows(*rows, out),
            PairKeys::Rows(_) | PairKeys::Tracks(..) => {
                let all = 0..out.len();
                return self.write_tracks(all.clone(), all.map(|track| (track, track)), out);
            }
        };
        self.write_scales(out.iter_mut().enumerate());
        is_whole
    }

    fn write_rows<K: Key>(&self, [first, second]: [&[K]; 2], out: &mut [Transform]) -> bool {
        let (mut blocks, mut firsts, mut seconds) =
            (out.chunks_exact_mut(BLOCK), first.chunks_exact(BLOCK), second.chunks_exact(BLOCK));
        let (mut track, mut is_whole) = (0_usize, true);
        for (out, (first, second)) in (&mut blocks).zip((&mut firsts).zip(&mut seconds)) {
            if let (Ok(first), Ok(second)) = (first.try_into(), second.try_into()) {
                // The rule is the same for all tracks of nearly every block; a loop that need not ask is a fifth faster.
                is_whole &= match self.blend.rule {
                    RotationRule::AsStored => self.blend.block(first, second, track.., |_, own| own, out),
                    RotationRule::ConjugatedFrom(from) if from <= track => {
                        self.blend.block(first, second, track.., |_, own| conjugated(own), out)
                    }
                    rule @ RotationRule::ConjugatedFrom(_) => {
                        self.blend.block(first, second, track.., |track, own| rule.apply(track, own), out)
                    }
                };
            }
            track = track.saturating_add(BLOCK);
        }
        let rest = firsts.remainder().iter().zip(seconds.remainder());
        for ((out, (first, second)), track) in blocks.into_remainder().iter_mut().zip(rest).zip(track..) {
            *out = self.blend.one(first, second, track);
            is_whole &= has_direction(out);
        }
        is_whole
    }

    /// The blend of keys that a function finds. A track without keys takes those of another track.
    fn write_gathered<F, K: Key>(
        &self,
        [first, second]: [&F; 2],
        tracks: impl Iterator<Item = usize> + Clone,
        key: impl Fn(&F, usize) -> Option<K>,
        out: &mut [Transform],
    ) -> bool
    where
        F: ?Sized,
    {
        let (Some(a), Some(b)) = (key(first, 0), key(second, 0)) else { return true };
        let mut keys = ([a; BLOCK], [b; BLOCK]);
        let (mut left, mut is_whole) = (tracks, true);
        for out in out.chunks_mut(BLOCK) {
            let own = left.clone();
            for ((a, b), track) in keys.0.iter_mut().zip(&mut keys.1).zip(left.by_ref().take(BLOCK)) {
                if let (Some(first), Some(second)) = (key(first, track), key(second, track)) {
                    (*a, *b) = (first, second);
                }
            }
            is_whole &= self.blend.block(&keys.0, &keys.1, own, |track, own| self.blend.rule.apply(track, own), out);
        }
        is_whole
    }

    /// The blend of the tracks with these indices; the result is undefined for an index that does not exist. `by_track`: each
    /// track that moves a bone, with the bone, in the order of the tracks. Returns whether all rotations have a direction.
    #[must_use]
    pub(super) fn write_tracks(
        &self,
        tracks: impl Iterator<Item = usize> + Clone,
        by_track: impl Iterator<Item = (usize, usize)>,
        out: &mut [Transform],
    ) -> bool {
        let own = tracks.clone();
        let is_whole = match &self.keys {
            PairKeys::Of28(rows) => self.write_gathered(*rows, own, |row, track| row.get(track).copied(), out),
            PairKeys::Of32(rows) => self.write_gathered(*rows, own, |row, track| row.get(track).copied(), out),
            PairKeys::Rows(rows) => self.write_gathered(rows.each_ref(), own, Row::key, out),
            PairKeys::Tracks(all, frames) => {
                let (mut bones, mut is_whole) = (by_track.peekable(), true);
                for (track, channels) in all.all().enumerate() {
                    while let Some((_, bone)) = bones.next_if(|(next, _)| *next == track) {
                        let Some(out) = out.get_mut(bone) else { continue };
                        *out = self.blend_channels(all, &channels, *frames, track);
                        is_whole &= has_direction(out);
                    }
                    if bones.peek().is_none() {
                        break;
                    }
                }
                is_whole
            }
        };
        self.write_scales(tracks.zip(out));
        is_whole
    }

    /// The blend of a track with its own channels.
    fn blend_channels(
        &self,
        tracks: &Tracks<'_>,
        channels: &Channels<'_>,
        frames: [usize; 2],
        track: usize,
    ) -> Transform {
        let [first, second] = frames.map(|frame| tracks.transform(channels, frame));
        let blend = self.blend.one(&first, &second, track);
        Transform { scale: blend_vector(first.scale, second.scale, self.blend.weight), ..blend }
    }

    fn write_scales<'o>(&self, tracks: impl Iterator<Item = (usize, &'o mut Transform)>) {
        let Some([first, second]) = &self.scales else { return };
        for (track, out) in tracks {
            if let (Some(first), Some(second)) = (first.get(track), second.get(track)) {
                out.scale = blend_vector(first.get(), second.get(), self.blend.weight);
            }
        }
    }
}

impl Tracks<'_> {
    /// The stored transform of a track in a frame. Missing parts are those of the identity.
    pub(super) fn transform(&self, channels: &Channels<'_>, frame: usize) -> Transform {
        let vector = |channel: &Channel<'_, Vec3>| {
            let (before, after, weight) = channel.around(frame, self.between)?;
            // Exactly the key, even if the other one is not finite.
            Some(if weight == 0.0 { before.get() } else { blend_vector(before.get(), after.get(), weight) })
        };
        let rotation = channels.rotation.around(frame, self.between).map(|(before, after, weight)| {
            let (before, after) = (before.get(), after.get());
            if weight == 0.0 { before } else { Blend::of(weight, RotationRule::AsStored).either(before, after) }
        });
        let rest = Transform::IDENTITY;
        Transform {
            translation: vector(&channels.translation).unwrap_or(rest.translation),
            rotation: rotation.unwrap_or(rest.rotation),
            scale: vector(&channels.scale).unwrap_or(rest.scale),
        }
    }
}

impl<'a> Clip<'a> {
    /// The transforms at a time in seconds, one for each track, interpolated between two frames: translation and scale
    /// linearly, rotation the shorter way on the arc. O(tracks), no allocation; in a file with frames of different lengths and
    /// without an index, also O(frames before).
    ///
    /// Rotations have unit length; a rotation without direction becomes the identity. NaN means 0 seconds.
    ///
    /// # Errors
    /// [`ErrorKind::NoFrames`]; [`ErrorKind::NoRate`] without a positive rate, where
    /// [`sample_frame`](Clip::sample_frame) still works; [`ErrorKind::BufferSize`] if `out` does not have one transform
    /// for each track.
    pub fn sample(&self, seconds: f64, wrap: Wrap, out: &mut [Transform]) -> Result<(), Error> {
        self.sample_frame(self.position_of(seconds)?, wrap, out)
    }

    /// [`sample`](Clip::sample) at a position in frames: 1.5 is halfway between frames 1 and 2.
    ///
    /// # Errors
    /// [`ErrorKind::NoFrames`] and [`ErrorKind::BufferSize`], as [`sample`](Clip::sample).
    pub fn sample_frame(&self, position: f64, wrap: Wrap, out: &mut [Transform]) -> Result<(), Error> {
        ErrorKind::check_buffer(out.len(), self.track_count()).map_err(clip_error)?;
        if !self.pair(position, wrap)?.write(out) {
            give_direction(out, core::iter::repeat(NO_TURN));
        }
        if self.change != Change::NONE {
            for out in out {
                *out = self.change.transform(out);
            }
        }
        Ok(())
    }

    /// Whether the last frame has the pose of the first one: such a clip loops with [`Wrap::Closed`]. Positions and scales may differ by a
    /// ten-thousandth of the largest one in the first frame, rotations by a ten-thousandth. O(tracks), no allocation; in a file with frames of different
    /// lengths and without an index, O(tracks * frames).
    ///
    /// ```
    /// use skelmap::{Asset, model::Wrap};
    ///
    /// let bytes = std::fs::read("corpus/fox.psa")?;
    /// for clip in Asset::parse(&bytes)?.clips() {
    ///     let wrap = if clip.is_closed() { Wrap::Closed } else { Wrap::Loop };
    ///     println!("{:?}: {wrap:?}", clip.name());
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn is_closed(&self) -> bool {
        const NEAR: f32 = 1e-4;
        let Some(last) = self.frame_count().checked_sub(1).filter(|last| *last > 0) else { return false };
        let pairs =
            || (0..self.track_count()).map_while(|track| Some((self.stored(0, track)?, self.stored(last, track)?)));
        let largest = |values: fn(&Transform) -> [f32; 3]| {
            pairs().flat_map(|(first, _)| values(&first)).fold(0.0_f32, |most, value| most.max(value.abs()))
        };
        let is_near = |[one, other]: [[f32; 3]; 2], most: f32| {
            one.iter().zip(other).all(|(one, other)| (one - other).abs() <= most * NEAR)
        };
        let (far, tall) = (largest(|own| own.translation), largest(|own| own.scale));
        pairs().all(|(first, end)| {
            let [one, other] = [first, end].map(|own| unit_rotation(own.rotation));
            let turns = |sign: f32| one.iter().zip(other).all(|(one, other)| (one - other * sign).abs() <= NEAR);
            is_near([first.translation, end.translation], far)
                && is_near([first.scale, end.scale], tall)
                && (turns(1.0) || turns(-1.0))
        })
    }

    /// The position of a time in frames, for [`sample_frame`](Clip::sample_frame): seconds times rate.
    ///
    /// # Errors
    /// [`ErrorKind::NoRate`] without a positive rate.
    pub fn position_of(&self, seconds: f64) -> Result<f64, Error> {
        Ok(seconds * self.rate().ok_or_else(|| clip_error(ErrorKind::NoRate))?)
    }

    /// The two frames around a position.
    pub(super) fn pair(&self, position: f64, wrap: Wrap) -> Result<Pair<'a>, Error> {
        if self.frame_count() == 0 {
            return Err(clip_error(ErrorKind::NoFrames));
        }
        let Between { first, second, weight } = Between::of(position, self.frame_count(), wrap);
        let (frames, tracks) = ([first, second], self.track_count());
        let keys = match (&self.packed, &self.keys) {
            (Some(PackedKeys::Of28(keys)), _) => {
                PairKeys::Of28(frames.map(|frame| groups(keys, to_u64(frame), 1, tracks)))
            }
            (Some(PackedKeys::Of32(keys)), _) => {
                PairKeys::Of32(frames.map(|frame| groups(keys, to_u64(frame), 1, tracks)))
            }
            (None, Keys::Rows(rows)) => PairKeys::Rows(frames.map(|frame| Row {
                translations: rows.translations.as_ref().map(|grid| grid.row(frame, tracks)).unwrap_or_default(),
                rotations: rows.rotations.as_ref().map(|grid| grid.row(frame, tracks)).unwrap_or_default(),
            })),
            (None, Keys::Tracks(tracks)) => PairKeys::Tracks(*tracks, frames),
        };
        let scales = match &self.keys {
            Keys::Rows(Rows { scales: Some(scales), .. }) if !scales.is_empty() => {
                Some(frames.map(|frame| scales.row(frame, tracks)))
            }
            _ => None,
        };
        Ok(Pair { keys, scales, blend: Blend::of(weight, self.rule()) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Asset;
    use crate::model::maths::narrowed;
    use test_support::actorx::build::{Anim, Bone, Info, Key};

    /// The factors of two rotations on the arc: sin((1 - t) angle) / sin(angle) and sin(t angle) / sin(angle), in `f64`.
    #[test]
    fn the_series_give_the_factors_of_near_rotations_of_nearly_unit_length() {
        // The cosine of the last angle is just above 0.95.
        for angle in [0.001_f64, 0.1, 0.2, 0.3, 0.3175] {
            for weight in [0.1_f32, 0.25, 0.5, 0.8, 0.9] {
                for (squares, sign) in [([1.0, 1.0], 1.0), ([1.0, 1.0], -1.0), ([1.009, 0.991], 1.0)] {
                    let [a, b] = squares.map(f64::sqrt);
                    let share = |weight: f64| (weight * angle).sin() / angle.sin();
                    let expected = [share(1.0 - f64::from(weight)) / a, sign * share(weight.into()) / b];
                    let [product, first, second] = narrowed([sign * angle.cos() * a * b, squares[0], squares[1]]);
                    let (found, is_near) = Blend::of(weight, RotationRule::AsStored).factors(product, [first, second]);
                    assert!(is_near, "{angle}, {squares:?}");
                    assert!(
                        found.iter().zip(expected).all(|(found, expected)| (f64::from(*found) - expected).abs() < 1e-6),
                        "{angle}, {weight}, {squares:?}: {found:?} {expected:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn the_series_are_not_used_for_a_cosine_of_0_95_or_less_and_lengths_away_from_1() {
        let is_near =
            |product: f32, squares: [f32; 2]| Blend::of(0.5, RotationRule::AsStored).factors(product, squares).1;
        for sign in [1.0, -1.0] {
            assert!(is_near(0.951 * sign, [1.0; 2]) && is_near(sign, [1.0; 2]));
            assert!(!is_near(NEAR * sign, [1.0; 2]) && !is_near(0.949 * sign, [1.0; 2]) && !is_near(0.0, [1.0; 2]));
        }
        for (square, expected) in [(0.991, true), (1.009, true), (0.989, false), (1.011, false), (0.0, false)] {
            assert_eq!([is_near(1.0, [square, 1.0]), is_near(1.0, [1.0, square])], [expected; 2], "{square}");
        }
    }

    #[test]
    fn two_equal_rotations_are_blended_in_a_line_and_divided_by_their_lengths() {
        let near = |[a, b]: [f32; 2], [c, d]: [f32; 2]| (a - c).abs() < 1e-6 && (b - d).abs() < 1e-6;
        assert!(near(arc(6.0, 2.0, 3.0, 0.25), [0.75 / 2.0, 0.25 / 3.0]));
        assert!(near(arc(-6.0, 2.0, 3.0, 0.25), [0.75 / 2.0, -0.25 / 3.0]));
        assert!(near(arc(0.0, 0.0, 2.0, 0.25), [0.0, (std::f32::consts::FRAC_PI_8).sin() / 2.0]), "one without length");
    }

    #[test]
    fn a_row_has_a_key_for_each_track_that_has_one_of_the_parts() {
        let (places, turns) = ([1.0, 2.0].map(|x| Vec3::new([x; 3])), [0.5, -0.5].map(|x| Vec4::new([x; 4])));
        let (places, turns) = (Column::of_records(&places, 0), Column::of_records(&turns, 0));
        let places = Row { translations: places, rotations: Column::default() };
        let turns = Row { translations: Column::default(), rotations: turns };
        let keys = |row: &Row<'_>| [0, 1, 2, usize::MAX].map(|track| row.key(track));
        let place = |x| Some(Transform::new([x; 3], NO_TURN));
        assert_eq!(keys(&places), [place(1.0), place(2.0), None, None]);
        let turn = |x| Some(Transform::new([0.0; 3], [x; 4]));
        assert_eq!(keys(&turns), [turn(0.5), turn(-0.5), None, None]);
    }

    /// `ActorX`: three floats, four floats and a time. Pyrogenesis: three floats and four.
    #[test]
    fn the_keys_of_both_families_with_translations_are_read_in_place() {
        let actorx = std::fs::read("corpus/fox.psa").unwrap();
        let clip = Asset::parse(&actorx).unwrap().clips().next().unwrap();
        assert!(
            matches!(clip.packed, Some(PackedKeys::Of32(keys)) if keys.len() == clip.frame_count() * clip.track_count())
        );
        let pyrogenesis = std::fs::read("corpus/fox_walk.psa").unwrap();
        let clip = Asset::parse(&pyrogenesis).unwrap().clips().next().unwrap();
        assert!(
            matches!(clip.packed, Some(PackedKeys::Of28(keys)) if keys.len() == clip.frame_count() * clip.track_count())
        );
    }

    #[test]
    fn between_two_rotations_of_other_lengths_the_factors_are_those_of_their_angle() {
        // Lengths of 1 and 2, and a product of 1: 60 degrees.
        let [a, b] = arc(1.0, 1.0, 2.0, 0.25);
        let sine = |degrees: f32| degrees.to_radians().sin();
        assert!((a - sine(45.0)).abs() < 1e-6 && (b - sine(15.0) / 2.0).abs() < 1e-6, "{a} {b}");
    }

    #[test]
    fn one_rotation_without_a_direction_is_told_wherever_it_is() {
        let is_whole = |lost: Option<usize>| {
            let bone = |_| Bone::new("b", 0, [0.0; 3], NO_TURN);
            let key = |index| {
                let rotation = if lost == Some(index) { [0.0; 4] } else { NO_TURN };
                Key { position: [0.0; 3], rotation, time: 1.0 }
            };
            let (bones, keys) = ((0..17).map(bone).collect(), (0..17).map(key).collect());
            let infos = vec![Info::new("Walk", 17, 0, 1, 30.0)];
            let bytes = Anim { bones, infos, keys, ..Anim::default() }.chunks().build().bytes;
            let clip = Asset::parse(&bytes).unwrap().clips().next().unwrap();
            clip.pair(0.0, Wrap::Clamp).unwrap().write(&mut [Transform::IDENTITY; 17])
        };
        assert!(is_whole(None));
        // In the first and the second eight, and in the rest.
        assert_eq!([0, 7, 8, 15, 16].map(|lost| is_whole(Some(lost))), [false; 5]);
    }

    /// Equal numbers are near each other, also where all are 0.
    #[test]
    fn a_clip_in_one_place_is_closed_if_its_ends_are_equal() {
        let is_closed = |end: [f32; 3]| {
            let key = |position| Key { position, rotation: NO_TURN, time: 1.0 };
            let bones = vec![Bone::new("b", 0, [0.0; 3], NO_TURN)];
            let (infos, keys) = (vec![Info::new("Idle", 1, 0, 2, 30.0)], vec![key([0.0; 3]), key(end)]);
            let bytes = Anim { bones, infos, keys, ..Anim::default() }.chunks().build().bytes;
            Asset::parse(&bytes).unwrap().clips().next().unwrap().is_closed()
        };
        assert!(is_closed([0.0; 3]) && !is_closed([0.0, 1.0, 0.0]));
    }
}
