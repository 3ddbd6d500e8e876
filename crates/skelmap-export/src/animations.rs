//! The animations of a model: an accessor for the keys of each channel.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use crate::content::write_values;
use crate::document::{Animation, Origin};
use crate::json::{self, Accessor, FLOAT};
use crate::motion::Base;
use crate::motion::{Channel, Keys, Motion, time, value_bytes};
use crate::options::{Additive, ExportOptions};
use crate::plan::{Model, Open, Piece, Plan, Played, Spent, Use, Written};
use crate::reduce::{MAX_POSES, Reduced, pose_count, reduced};
use crate::report::WriteError;
use crate::space::placed_clip;
use skelmap::model::{Binding, Clip, Part};
use skelmap::shared::{to_u64, to_usize};

/// Frames per second of a clip without a rate.
const USUAL_RATE: f64 = 30.0;

/// The maximum number of channels of a file.
pub(crate) const MAX_CHANNELS: usize = 1 << 20;

/// The most frames in lists of those that have a key: 64 MiB. Further channels have a key for each frame.
const MAX_LISTED: usize = 1 << 24;

/// Up to so many transforms in all frames of a clip, it does not matter how few of them have keys.
const FEW: usize = 1 << 16;

/// The most keys of clips before one that states far more frames than it has keys, and of it: its frames are listed in any case, two for each key.
const MAX_SPARSE: u64 = 1 << 22;

/// The maximum number of frames of a clip: at the usual rate, their times still differ in `f32`.
const MAX_FRAMES: usize = 1 << 23;

/// The maximum number of keys that are read: one for each track and frame, or those of the file where values between them are not computed.
const MAX_KEYS: u64 = 1 << 28;

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

impl<'p> Model<'p> {
    /// A clip and its binding, in the space of glTF.
    fn bound(
        &self,
        animation: &Animation<'p>,
        options: &ExportOptions,
        known: &mut Bindings,
    ) -> (Clip<'p>, Arc<Binding>) {
        if let Some(mesh) = &self.mesh {
            let given = &animation.binding;
            return (animation.clip, known.find(given, || given.moved_to(mesh)));
        }
        let clip = placed_clip(&animation.clip, options);
        (clip, known.find_alone(&clip))
    }

    /// The motion of a clip: as written, with access to its tracks by index.
    pub(crate) fn motion_of<'m>(
        &'m self,
        written: &'m Written<'p>,
        clip: &'m Clip<'m>,
        options: &ExportOptions,
    ) -> Motion<'m> {
        let base = self.base.as_ref().filter(|_| written.is_additive);
        let is_shared = self.document.is_shared;
        Motion { clip, binding: &written.binding, rig: &self.rig, base, loops: options.loops, is_shared }
    }

    /// The clips to write, the animation of each, and the channels that it needs.
    fn add_clips(&mut self, options: &ExportOptions, spent: &mut Spent) -> Vec<(&'p Animation<'p>, Vec<Channel>)> {
        let document = self.document;
        let mut bindings = Bindings::default();
        let base = document.additive_base.as_ref().map(|base| self.bound(base, options, &mut bindings));
        let base_starts = base.as_ref().map(|(clip, _)| clip.to_starts()).unwrap_or_default();
        let (mut found, mut channel_count) = (Vec::new(), 0_usize);
        for animation in &document.animations {
            if animation.clip.frame_count() == 0 {
                self.report.clips_without_frames = self.report.clips_without_frames.saturating_add(1);
                continue;
            }
            let has_mesh = self.mesh.is_some();
            let is_additive = has_mesh && animation.binding.is_additive(&animation.clip);
            let is_by_key = self.rig.is_by_key(&animation.clip, is_additive);
            let keys = if is_by_key {
                to_u64(animation.clip.key_count())
            } else {
                to_u64(animation.clip.frame_count()).saturating_mul(to_u64(animation.clip.track_count()))
            };
            if animation.clip.frame_count() > MAX_FRAMES
                || (animation.clip.is_inflated(FEW) && !(is_by_key && spent.keys.saturating_add(keys) <= MAX_SPARSE))
                || spent.keys.saturating_add(keys) > MAX_KEYS
                || spent.channels.saturating_add(channel_count) >= MAX_CHANNELS
            {
                self.report.clips_beyond_limits = self.report.clips_beyond_limits.saturating_add(1);
                continue;
            }
            spent.keys = spent.keys.saturating_add(keys);
            self.report.additive_clips = self.report.additive_clips.saturating_add(usize::from(is_additive));
            if is_additive && options.additive == Additive::Skip {
                self.report.skipped_clips = self.report.skipped_clips.saturating_add(1);
                continue;
            }
            let (clip, binding) = self.bound(animation, options, &mut bindings);
            if is_additive && self.base.is_none() {
                let first = |bone| {
                    let (clip, binding) = base.as_ref()?;
                    binding.transform(&clip.listed(&base_starts), 0, bone)
                };
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
            let written = Written { clip, starts: clip.to_starts(), binding, is_additive };
            let (channels, broken) = self.motion_of(&written, &written.listed(), options).channels();
            self.report.broken_keys = self.report.broken_keys.saturating_add(broken);
            channel_count = channel_count.saturating_add(channels.len());
            self.clips.push(written);
            found.push((animation, channels));
        }
        found
    }
}

impl Plan<'_> {
    /// Prepares an animation for each clip of a model. All keys are in one buffer view.
    pub(crate) fn add_clips(&mut self, index: usize) -> Result<Vec<Played>, WriteError> {
        let (mut played, options) = (Vec::new(), self.options);
        let Some(model) = self.models.get_mut(index).filter(|model| model.rig.bone_count() > 0) else {
            return Ok(played);
        };
        let clips = model.add_clips(options, &mut self.spent);
        let moved: BTreeSet<(usize, Part)> =
            clips.iter().flat_map(|(_, channels)| channels).map(|channel| (channel.bone, channel.part)).collect();
        let mut found: usize = clips.iter().map(|(_, channels)| channels.len()).sum();
        let mut all_stored = Vec::new();
        for (animation, _) in &clips {
            let own = animation.stored.filter(|_| options.exact);
            let view = own.map(|own| self.add_bytes(Use::Stored, Cow::Borrowed(own.records))).transpose()?;
            all_stored.push(view.map(|view| json::StoredViews { states: Some(view), ..json::StoredViews::default() }));
        }
        let (view, mut after, mut beyond) = (self.open_view(Use::Keys), Vec::new(), 0_usize);
        for (clip, ((animation, mut channels), stored)) in clips.into_iter().zip(all_stored).enumerate() {
            found = found.saturating_sub(channels.len());
            let room = MAX_CHANNELS.saturating_sub(self.spent.channels).saturating_sub(found);
            if !options.sparse && moved.len() <= room {
                add_still(&mut channels, &moved);
            }
            let samplers = self.add_channels((index, clip), &channels, view)?;
            self.spent.channels = self.spent.channels.saturating_add(channels.len());
            if self.length > u32::MAX.into() {
                return Err(WriteError::TooLarge { bytes: self.length });
            }
            let Animation { origin, events, aliases, .. } = animation;
            let is_additive =
                self.models.get(index).and_then(|model| model.clips.get(clip)).is_some_and(|own| own.is_additive);
            let additive = is_additive.then(|| options.additive.name());
            let is_plain = events.is_empty() && *origin == Origin::default() && !is_additive && stored.is_none();
            let extras = |actions: &[String]| {
                (!is_plain).then(|| json::AnimationExtras {
                    file: origin.file.clone(),
                    sequence: origin.sequence.clone(),
                    actions: actions.to_owned(),
                    events: events.clone(),
                    additive,
                    stored,
                })
            };
            let channels: Vec<_> = channels.iter().map(|channel| (channel.bone, channel.part)).collect();
            for alias in aliases {
                if self.spent.channels.saturating_add(channels.len()).saturating_add(found) > MAX_CHANNELS {
                    beyond = beyond.saturating_add(1);
                    continue;
                }
                self.spent.channels = self.spent.channels.saturating_add(channels.len());
                let extras = extras(std::slice::from_ref(&alias.action));
                let (samplers, channels) = (samplers.clone(), channels.clone());
                after.push(Played { name: alias.name.clone(), extras, samplers, channels });
            }
            played.push(Played { name: animation.name.clone(), extras: extras(&origin.actions), samplers, channels });
            played.append(&mut after);
        }
        self.close_view(view);
        if let Some(model) = self.models.get_mut(index) {
            model.report.clips_beyond_limits = model.report.clips_beyond_limits.saturating_add(beyond);
        }
        Ok(played)
    }

    /// Adds the accessors of a clip's channels to an open view.
    fn add_channels(
        &mut self,
        (model, clip): (usize, usize),
        channels: &[Channel],
        view: Open,
    ) -> Result<Vec<json::Sampler>, WriteError> {
        let (mut samplers, mut times) = (Vec::new(), HashMap::new());
        let Some(own) = self.models.get(model) else { return Ok(samplers) };
        let Some(written) = own.clips.get(clip) else { return Ok(samplers) };
        let stored = written.clip.rate().map(nominal).filter(|rate| ascends(written.clip.frame_count(), *rate));
        let rate = stored.unwrap_or(USUAL_RATE);
        let listed = written.listed();
        let motion = own.motion_of(written, &listed, self.options);
        let frames = motion.frame_count();
        let mut error = 0.0;
        // Bones that grow in the clip let the rounding of positions grow.
        let of_cube = own.shape.cube.map_or(0.0, |cube| cube.error() * motion.stretch(channels));
        let is_inflated = written.clip.is_inflated(FEW);
        let mut is_whole = is_inflated && own.reach.is_some();
        // To compare every frame would be far more work than there are keys.
        let reduced = own.reach.as_ref().filter(|_| !is_inflated).and_then(|reach| {
            self.spent.reduced = self.spent.reduced.saturating_add(pose_count(&motion, channels));
            let tolerance = self.options.tolerance * reach.size() - of_cube;
            let found = (self.spent.reduced <= MAX_POSES).then(|| reduced(&motion, channels, reach, tolerance));
            is_whole = !matches!(found, Some(Some(_)));
            found.flatten().map(|(reduced, own)| {
                error = own;
                reduced
            })
        });
        let pieces = if let Some(reduced) = reduced {
            reduced.iter().map(|own| own.sampled(frames, rate)).collect::<Result<Vec<_>, _>>()?
        } else {
            let (mut listed, mut values) = (self.spent.frames, motion.values());
            let mut sampled = |channel: &Channel| {
                let Channel { bone, part, keys } = *channel;
                let is_short = self.options.is_short(part);
                if keys != Keys::Every {
                    let count = keys.count(frames);
                    let piece = Piece::Constant { part, value: values.first(bone, part), count };
                    return Sampled { keys, times: None, count, piece, is_short };
                }
                let is_full = !is_inflated && listed.saturating_add(frames) > MAX_LISTED;
                let needed =
                    (!is_full).then(|| values.needed_frames(bone, part, value_bytes(part, is_short))).flatten();
                listed = listed.saturating_add(needed.as_ref().map_or(0, Vec::len));
                let times = needed
                    .as_ref()
                    .map(|own| own.iter().map(|frame| time(to_usize((*frame).into()), rate)).collect::<Vec<_>>());
                let count = times.as_ref().map_or(frames, Vec::len);
                let piece = Piece::Values { model, clip, channel: *channel, frames: needed };
                Sampled { keys, times, count, piece, is_short }
            };
            let sampled: Vec<_> = channels.iter().map(&mut sampled).collect();
            self.spent.frames = listed;
            sampled
        };
        if let Some(own) = self.models.get_mut(model) {
            let report = &mut own.report;
            report.clips_without_rate = report.clips_without_rate.saturating_add(stored.is_none().into());
            report.clips_not_reduced = report.clips_not_reduced.saturating_add(is_whole.into());
            let error = error + of_cube;
            let most = own.reach.as_ref().map_or(f32::INFINITY, |reach| self.options.tolerance * reach.size());
            report.clips_beyond_tolerance = report.clips_beyond_tolerance.saturating_add((error > most).into());
            report.skin_error = report.skin_error.max(error);
        }
        for (Channel { part, .. }, Sampled { keys, times: own_times, count, piece, is_short }) in
            channels.iter().zip(pieces)
        {
            let input = match (own_times, times.get(&keys).copied()) {
                (Some(own), _) => self.add_own_times(view, &own)?,
                (None, Some(known)) => known,
                (None, None) => {
                    let input = self.add_times(view, keys, frames, rate)?;
                    times.insert(keys, input);
                    input
                }
            };
            let component = if is_short { json::SHORT } else { FLOAT };
            let kind = if *part == Part::Rotation { "VEC4" } else { "VEC3" };
            let accessor = Accessor::new(0, component, to_u64(count), kind);
            let output = self.add_keys(view, Accessor { normalized: is_short, ..accessor }, piece)?;
            samplers.push(json::Sampler { input, output });
        }
        Ok(samplers)
    }

    fn add_times(&mut self, view: Open, keys: Keys, count: usize, rate: f64) -> Result<u32, WriteError> {
        let mut accessor = Accessor::new(0, FLOAT, to_u64(keys.count(count)), "SCALAR");
        let end = if keys == Keys::First { 0.0 } else { time(count.saturating_sub(1), rate) };
        (accessor.min, accessor.max) = (vec![0.0], vec![end]);
        Ok(self.add_keys(view, accessor, Piece::Times { keys, count, rate })?)
    }

    /// Adds the times of a channel that has not a key for each frame.
    fn add_own_times(&mut self, view: Open, times: &[f32]) -> Result<u32, WriteError> {
        let mut accessor = Accessor::new(0, FLOAT, to_u64(times.len()), "SCALAR");
        (accessor.min, accessor.max) =
            (times.first().copied().into_iter().collect(), times.last().copied().into_iter().collect());
        let bytes = times.iter().flat_map(|time| time.to_le_bytes()).collect();
        Ok(self.add_keys(view, accessor, Piece::Bytes(Cow::Owned(bytes)))?)
    }
}

/// The keys of a channel as they are written.
struct Sampled<'p> {
    keys: Keys,
    /// Of the keys, if others were left out.
    times: Option<Vec<f32>>,
    count: usize,
    piece: Piece<'p>,
    is_short: bool,
}

impl Reduced {
    fn sampled<'p>(&self, count: usize, rate: f64) -> std::io::Result<Sampled<'p>> {
        let is_whole = self.keys != Keys::Every || self.frames.len() == count;
        let times = (!is_whole).then(|| self.frames.iter().map(|frame| time(*frame, rate)).collect());
        let repeats = if self.keys == Keys::Every { 1 } else { self.keys.count(count) };
        let mut bytes = Vec::new();
        for _ in 0..repeats {
            write_values(&self.values, self.part, self.is_short, &mut bytes)?;
        }
        let count = self.values.len().saturating_mul(repeats);
        Ok(Sampled { keys: self.keys, times, count, piece: Piece::Bytes(Cow::Owned(bytes)), is_short: self.is_short })
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
    if whole >= 1.0 && (1000.0 / whole) as f32 == (1000.0 / rate) as f32 { whole } else { rate }
}

/// Whether the times of frames are finite and strictly ascending. O(1) where two times at the end are further apart than two steps of the
/// numbers that store them, as the times of every usual clip are; otherwise O(frames).
fn ascends(frames: usize, rate: f64) -> bool {
    let end = time(frames, rate);
    let step = f64::from(f32::from_bits(end.to_bits().saturating_add(1))) - f64::from(end);
    if end.is_finite() && 1.0 / rate > 2.0 * step {
        return true;
    }
    let mut times = (0..=frames).map(|frame| time(frame, rate));
    let mut last = times.next().unwrap_or_default();
    times.all(|time| time.is_finite() && time > std::mem::replace(&mut last, time))
}
