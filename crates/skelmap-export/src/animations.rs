//! The animations of a file: an accessor for the keys of each channel, and shared times.

use std::collections::{BTreeSet, HashMap};
use std::num::NonZero;
use std::sync::Arc;

use crate::document::{Animation, Origin};
use crate::geometry::small;
use crate::json::{self, Accessor, BufferView, FLOAT};
use crate::motion::Base;
use crate::motion::{Channel, Keys, Motion, path, size, time};
use crate::options::Additive;
use crate::plan::{Piece, Plan, Written, placed_clip};
use crate::report::WriteError;
use skelmap::model::{Binding, Clip, Part};
use skelmap::shared::to_u64;

/// Frames per second of a clip without a rate.
const USUAL_RATE: f64 = 30.0;

/// The maximum number of channels of a file.
const MAX_CHANNELS: usize = 1 << 20;

/// The maximum number of keys that are read: one for each track and frame.
const MAX_KEYS: u64 = 1 << 31;

/// The accessors that channels share.
#[derive(Default)]
struct Shared {
    /// By keys, number of frames and rate.
    times: HashMap<(Keys, usize, u64), u32>,
    /// Constant channels, by part, number of keys and value.
    values: HashMap<(&'static str, usize, [u32; 4]), u32>,
}

/// The most recent bindings: clips of one animation share them.
#[derive(Default)]
struct Bindings {
    /// The caller's binding, and the same one in the space of glTF.
    given: Option<[Arc<Binding>; 2]>,
    /// The binding of a clip without a mesh.
    alone: Option<Arc<Binding>>,
}

impl Bindings {
    fn find(&mut self, given: &Arc<Binding>, moved: impl FnOnce() -> Binding) -> Arc<Binding> {
        if let Some([_, known]) = self.given.as_ref().filter(|[own, _]| Arc::ptr_eq(own, given)) {
            return Arc::clone(known);
        }
        let moved = Arc::new(moved());
        self.given = Some([Arc::clone(given), Arc::clone(&moved)]);
        moved
    }

    /// The binding of a clip to its own bones. If every bone has a track, only their number matters.
    fn find_alone(&mut self, clip: &Clip<'_>) -> Arc<Binding> {
        let is_whole = clip.parts().translation && clip.track_count() == clip.skeleton().bone_count();
        let is_same = |known: &&Arc<Binding>| is_whole && known.tracks_all(clip.track_count());
        if let Some(known) = self.alone.as_ref().filter(is_same) {
            return Arc::clone(known);
        }
        let own = Arc::new(Binding::of_clip(clip));
        self.alone = Some(Arc::clone(&own));
        own
    }
}

impl<'p> Plan<'p> {
    /// Adds an animation for each clip. All keys are in one buffer view; equal times and equal constant values are shared.
    pub(crate) fn add_clips(&mut self) -> Result<(), WriteError> {
        let (document, options) = (self.document, self.options);
        let mut bindings = Bindings::default();
        let base = document.additive_base.as_ref().map(|base| self.bound(base, &mut bindings));
        if self.rig.bone_count() == 0 {
            return Ok(());
        }
        let (start, view) = (self.length, small(self.root.buffer_views.len()));
        let (mut shared, mut clips, mut moved, mut found) = (Shared::default(), Vec::new(), BTreeSet::new(), 0_usize);
        for animation in &document.animations {
            if animation.clip.frame_count() == 0 {
                self.report.clips_without_frames = self.report.clips_without_frames.saturating_add(1);
                continue;
            }
            let keys = to_u64(animation.clip.frame_count()).saturating_mul(to_u64(animation.clip.track_count()));
            if self.spent.keys.saturating_add(keys) > MAX_KEYS
                || self.spent.channels.saturating_add(found) >= MAX_CHANNELS
            {
                self.report.clips_beyond_limits = self.report.clips_beyond_limits.saturating_add(1);
                continue;
            }
            self.spent.keys = self.spent.keys.saturating_add(keys);
            let has_mesh = self.vertices.is_some();
            let is_additive = has_mesh && animation.binding.is_additive(&animation.clip);
            self.report.additive_clips = self.report.additive_clips.saturating_add(usize::from(is_additive));
            if is_additive && options.additive == Additive::Skip {
                continue;
            }
            let (clip, binding) = self.bound(animation, &mut bindings);
            if is_additive && self.base.is_none() {
                let base = base.as_ref().map(|(clip, binding)| self.motion(clip, binding, None));
                let first = |bone| base.as_ref().and_then(|motion| motion.binding.transform(motion.clip, 0, bone));
                self.base = Some(Base::new(options.additive, &self.rig, first));
            }
            let unmatched = if has_mesh {
                binding.to_unmatched_tracks().len()
            } else {
                // The bones of the first clip.
                let first = self.rig.bone_count();
                (first..first.saturating_add(clip.track_count()))
                    .filter(|bone| binding.track_of(*bone).is_some())
                    .count()
            };
            self.report.unmatched_tracks = self.report.unmatched_tracks.max(unmatched);
            let unmoved = (0..self.rig.bone_count()).filter(|bone| binding.track_of(*bone).is_none()).count();
            self.report.unmoved_bones = self.report.unmoved_bones.max(unmoved);
            let written = Written { clip, binding, is_additive };
            let channels = self.motion_of(&written).channels();
            moved.extend(channels.iter().map(|channel| (channel.bone, channel.part)));
            found = found.saturating_add(channels.len());
            clips.push((animation, written, channels));
        }
        for (animation, written, mut channels) in clips {
            found = found.saturating_sub(channels.len());
            let room = MAX_CHANNELS.saturating_sub(self.spent.channels).saturating_sub(found);
            if !self.options.sparse && moved.len() <= room {
                add_still(&mut channels, &moved);
            }
            let (samplers, channels) = self.add_channels(&written, channels, (view, start), &mut shared);
            self.spent.channels = self.spent.channels.saturating_add(channels.len());
            if self.length > u32::MAX.into() {
                return Err(WriteError::TooLarge { bytes: self.length });
            }
            let Animation { origin, events, .. } = animation;
            let is_plain = events.is_empty() && *origin == Origin::default();
            let extras = (!is_plain).then(|| json::AnimationExtras {
                file: origin.file.clone(),
                sequence: origin.sequence.clone(),
                actions: origin.actions.clone(),
                events: events.clone(),
            });
            let name = animation.name.clone();
            self.root.animations.push(json::Animation { name, samplers, channels, extras });
            self.clips.push(written);
        }
        self.report.animations = self.clips.len();
        let byte_length = self.length.saturating_sub(start);
        if byte_length > 0 {
            self.root.buffer_views.push(BufferView {
                byte_offset: NonZero::new(start),
                byte_length,
                ..BufferView::default()
            });
        }
        Ok(())
    }

    /// A clip and its binding, in the space of glTF.
    fn bound(&self, animation: &Animation<'p>, known: &mut Bindings) -> (Clip<'p>, Arc<Binding>) {
        if let Some(vertices) = &self.vertices {
            let given = &animation.binding;
            return (animation.clip, known.find(given, || given.moved_to(&vertices.mesh)));
        }
        let clip = placed_clip(&animation.clip, self.options);
        (clip, known.find_alone(&clip))
    }

    fn motion<'m>(&'m self, clip: &'m Clip<'m>, binding: &'m Binding, base: Option<&'m Base>) -> Motion<'m> {
        Motion { clip, binding, rig: &self.rig, base, loops: self.options.loops }
    }

    /// The motion of a clip.
    pub(crate) fn motion_of<'m>(&'m self, written: &'m Written<'p>) -> Motion<'m> {
        self.motion(&written.clip, &written.binding, self.base.as_ref().filter(|_| written.is_additive))
    }

    /// Adds the accessors of a clip's channels to a view that begins at `start`.
    fn add_channels(
        &mut self,
        written: &Written<'p>,
        channels: Vec<Channel>,
        (view, start): (u32, u64),
        shared: &mut Shared,
    ) -> (Vec<json::Sampler>, Vec<json::Channel>) {
        let rate =
            written.clip.rate().map(nominal).filter(|rate| ascends(written.clip.frame_count(), *rate)).unwrap_or_else(
                || {
                    self.report.clips_without_rate = self.report.clips_without_rate.saturating_add(1);
                    USUAL_RATE
                },
            );
        let motion = self.motion_of(written);
        let frames = motion.frame_count();
        let first = |channel: &Channel| motion.first(channel.bone, channel.part).map(f32::to_bits);
        let channels: Vec<_> =
            channels.into_iter().map(|channel| (channel, first(&channel), channel.keys.count(frames))).collect();
        let (mut samplers, mut targets) = (Vec::new(), Vec::new());
        for (channel, first, keys) in channels {
            let of_times = (channel.keys, frames, rate.to_bits());
            let known = shared.times.get(&of_times).copied();
            let input = known.unwrap_or_else(|| self.add_times((view, start), channel.keys, frames, rate));
            shared.times.insert(of_times, input);
            let of_values = (path(channel.part), keys, first);
            let known = shared.values.get(&of_values).copied().filter(|_| channel.keys != Keys::Every);
            let output = known.unwrap_or_else(|| self.add_values((view, start), channel, keys));
            if channel.keys != Keys::Every {
                shared.values.insert(of_values, output);
            }
            let node = small(channel.bone.saturating_add(1));
            let target = json::ChannelTarget { node, path: path(channel.part) };
            targets.push(json::Channel { sampler: small(samplers.len()), target });
            samplers.push(json::Sampler { input, output });
        }
        (samplers, targets)
    }

    fn add_values(&mut self, (view, start): (u32, u64), channel: Channel, keys: usize) -> u32 {
        let is_short = self.options.short_rotations && channel.part == Part::Rotation;
        let (component, bytes) = if is_short { (json::SHORT, 2_u64) } else { (FLOAT, 4) };
        let kind = if channel.part == Part::Rotation { "VEC4" } else { "VEC3" };
        let mut accessor = Accessor::new(view, component, to_u64(keys), kind);
        (accessor.byte_offset, accessor.normalized) = (NonZero::new(self.length.saturating_sub(start)), is_short);
        let bytes = to_u64(keys).saturating_mul(to_u64(size(channel.part)).saturating_mul(bytes));
        self.pieces.push(Piece::Values { clip: self.clips.len(), channel });
        self.length = self.length.saturating_add(bytes);
        self.add_accessor(accessor)
    }

    fn add_times(&mut self, (view, start): (u32, u64), keys: Keys, frames: usize, rate: f64) -> u32 {
        let count = keys.count(frames);
        let mut accessor = Accessor::new(view, FLOAT, to_u64(count), "SCALAR");
        accessor.byte_offset = NonZero::new(self.length.saturating_sub(start));
        let end = if keys == Keys::First { 0.0 } else { time(frames.saturating_sub(1), rate) };
        (accessor.min, accessor.max) = (vec![0.0], vec![end]);
        self.pieces.push(Piece::Times { keys, count: frames, rate });
        self.length = self.length.saturating_add(to_u64(count).saturating_mul(4));
        self.add_accessor(accessor)
    }
}

/// Adds a key for each of some parts of bones for which a clip has none. Programs that change clips leave what has no key where it is.
fn add_still(channels: &mut Vec<Channel>, moved: &BTreeSet<(usize, Part)>) {
    let own: BTreeSet<_> = channels.iter().map(|channel| (channel.bone, channel.part)).collect();
    channels.extend(moved.difference(&own).map(|(bone, part)| Channel { bone: *bone, part: *part, keys: Keys::First }));
    channels.sort_by_key(|channel| (channel.bone, channel.part));
}

/// The rate that a file means: some state the length of a frame in milliseconds, and 33.333332 is the number next to a thirtieth of a second.
#[expect(clippy::cast_possible_truncation, clippy::as_conversions, reason = "files state 32 bits")]
fn nominal(rate: f64) -> f64 {
    let whole = rate.round();
    if (1000.0 / whole) as f32 == (1000.0 / rate) as f32 { whole } else { rate }
}

/// Whether the times of frames are finite and strictly ascending. The relative distance of times is smallest at the end.
fn ascends(frames: usize, rate: f64) -> bool {
    let [before, last] = [1, 0].map(|back| time(frames.saturating_sub(back), rate));
    let [first, second] = [time(0, rate), time(1, rate)];
    last.is_finite() && second > first && (frames < 2 || last > before)
}
