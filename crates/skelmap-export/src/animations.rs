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

#[cfg(test)]
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "the numbers are those of the tests"
)]
mod tests {
    use super::*;

    use skelmap::Asset;
    use test_support::actorx::build::{Anim, Mesh, chain};
    use test_support::swat3::build::{Frame, Gsa, Layout, biped};
    use test_support::ueformat::build as ue;
    use test_support::with;

    use crate::document::{Alias, Document};
    use crate::report::ExportReport;

    /// What became of a file.
    struct Outcome {
        error: Option<WriteError>,
        report: ExportReport,
        /// The number of channels of each animation.
        channels: Vec<usize>,
        /// The frames that are listed for each part of a bone with more than one value.
        lists: Vec<Option<usize>>,
        spent: Spent,
        /// The bytes of the animations.
        bytes: u64,
        length: u64,
    }

    /// A file with a mesh, to which the mesh is added with all clips of an animation after so much was taken of the limits.
    fn filled(files: &[Vec<u8>; 2], options: &ExportOptions, change: impl FnOnce(&mut Plan<'_>)) -> Outcome {
        filled_with(files, options, change, |_| ())
    }

    fn filled_with(
        [mesh, animation]: &[Vec<u8>; 2],
        options: &ExportOptions,
        change: impl FnOnce(&mut Plan<'_>),
        name: impl FnOnce(&mut Document<'_>),
    ) -> Outcome {
        let (mesh, animation) = (Asset::parse(mesh).unwrap(), Asset::parse(animation).unwrap());
        let mesh = mesh.mesh().unwrap();
        let still = Document::of_mesh(&mesh);
        let clips = animation.clips().map(|clip| Animation::new(&clip, Binding::new(&mesh, &clip)));
        let mut document = with(Document::of_mesh(&mesh), |own| own.animations = clips.collect());
        name(&mut document);
        let mut plan = Plan::new(&still, options, None).unwrap();
        change(&mut plan);
        let before = plan.length;
        let error = plan.add_model(&document, false).err();
        let model = plan.models.last().unwrap();
        let lists = plan.pieces.iter().filter_map(|piece| match piece {
            Piece::Values { frames, .. } => Some(frames.as_ref().map(Vec::len)),
            _ => None,
        });
        Outcome {
            error,
            report: model.report.clone(),
            channels: model.motions.iter().map(|own| own.channels.len()).collect(),
            lists: lists.collect(),
            spent: plan.spent,
            bytes: plan.length - before,
            length: plan.length,
        }
    }

    /// A mesh of two bones, and clips of so many frames in which both turn.
    fn swaying(clips: &[(&str, i32)]) -> [Vec<u8>; 2] {
        let mesh = Mesh { bones: chain(2), ..Mesh::sheet(3, 3, 2) };
        let clips: Vec<_> = clips.iter().map(|(name, frames)| (*name, *frames, 30.0)).collect();
        [mesh.chunks().into(), Anim::sway(chain(2), &clips).chunks().into()]
    }

    /// A mesh of one bone, and a clip of so many frames and tracks; that of the bone has three keys and the others have none.
    fn sparse(frame_count: i32, tracks: usize) -> [Vec<u8>; 2] {
        let lod = ue::Lod {
            vertices: vec![[0.0; 3], [5.0, 0.0, 0.0], [0.0, 5.0, 0.0]],
            indices: vec![0, 1, 2],
            weights: (0..3).map(|vertex| ue::Weight { bone: 0, vertex, weight: 1.0 }).collect(),
            ..ue::Lod::default()
        };
        let bones = vec![ue::Bone::new("b0", -1, [0.0, 0.0, 10.0], ue::IDENTITY)];
        let skeleton = Some(ue::Skeleton { bones, ..ue::Skeleton::default() });
        let model = ue::Model { lods: vec![lod], skeleton, ..ue::Model::default() };
        let mut tracks: Vec<_> =
            (0..tracks).map(|at| ue::Track { name: format!("b{at}").into(), ..ue::Track::default() }).collect();
        tracks[0].positions = [(0, 1.0), (3, 2.0), (7, 1.5)].map(|(frame, x)| (frame, [x, 0.0, 10.0])).to_vec();
        let metadata = Some(ue::Metadata { frame_count, rate: 30.0, ..ue::Metadata::default() });
        let animation = ue::Animation { metadata, tracks, curves: Vec::new() };
        let style = ue::Style::LIBRARY;
        [ue::model(10, &model, style).build().bytes, ue::animation(10, &animation, style).build().bytes]
    }

    #[test]
    fn a_file_has_at_most_a_million_channels() {
        const MOST: usize = 1 << 20;
        // Both bones turn in each clip. The channels of the first one count before they are written.
        let files = swaying(&[("one", 3), ("two", 3)]);
        let cases: [(usize, usize, &[usize]); 5] =
            [(0, 0, &[2, 2]), (MOST - 3, 0, &[2, 2]), (MOST - 2, 1, &[2]), (MOST - 1, 1, &[2]), (MOST, 2, &[])];
        for (taken, beyond, channels) in cases {
            let file = filled(&files, &ExportOptions::default(), |plan| plan.spent.channels = taken);
            assert_eq!((file.report.clips_beyond_limits, &*file.channels), (beyond, channels), "{taken}");
        }
    }

    /// Two clips of two channels, and a second name of the first.
    #[test]
    fn other_names_of_a_clip_take_channels_as_clips_do() {
        const MOST: usize = 1 << 20;
        let files = swaying(&[("one", 3), ("two", 3)]);
        let again = || vec![Alias { name: "again".to_owned(), action: String::new() }];
        let cases: [(usize, usize, &[usize]); 2] = [(MOST - 6, 0, &[2, 2, 2]), (MOST - 5, 1, &[2, 2])];
        for (taken, beyond, channels) in cases {
            let change = |plan: &mut Plan<'_>| plan.spent.channels = taken;
            let name = |document: &mut Document<'_>| document.animations[0].aliases = again();
            let file = filled_with(&files, &ExportOptions::default(), change, name);
            assert_eq!((file.report.clips_beyond_limits, &*file.channels), (beyond, channels), "{taken}");
            assert_eq!(file.spent.channels - taken, channels.iter().sum::<usize>());
        }
    }

    /// The second clip moves one bone of two. It has a key for the other where that does not take the room of what moves.
    #[test]
    fn keys_of_what_stands_still_are_left_out_where_there_is_no_room() {
        const MOST: usize = 1 << 20;
        let mut anim = Anim::sway(chain(2), &[("one", 3, 30.0), ("two", 3, 30.0)]);
        (3..6).for_each(|frame: usize| anim.keys[frame * 2].rotation = [0.0, 0.0, 0.0, 1.0]);
        let [mesh, _] = swaying(&[]);
        let files = [mesh, anim.chunks().into()];
        // In the last case there is room for two channels of the first clip and one of the second.
        let cases = [(0, false, [2, 2]), (0, true, [2, 1]), (MOST - 4, false, [2, 2]), (MOST - 3, false, [2, 1])];
        for (taken, sparse, channels) in cases {
            let options = with(ExportOptions::default(), |own| own.sparse = sparse);
            let file = filled(&files, &options, |plan| plan.spent.channels = taken);
            assert_eq!((file.report.clips_beyond_limits, &*file.channels), (0, &channels[..]), "{taken}");
        }
    }

    /// A key for each of 2 bones in each of 3 frames, and of 4 frames.
    #[test]
    fn at_most_2_to_the_28_keys_of_a_file_are_read() {
        const MOST: u64 = 1 << 28;
        let files = swaying(&[("one", 3), ("two", 4)]);
        for (taken, beyond, keys) in [(MOST - 14, 0, 14), (MOST - 13, 1, 6), (MOST - 6, 1, 6), (MOST - 5, 2, 0)] {
            let file = filled(&files, &ExportOptions::default(), |plan| plan.spent.keys = taken);
            assert_eq!((file.report.clips_beyond_limits, file.spent.keys - taken), (beyond, keys), "{taken}");
        }
    }

    /// Only the three keys of the track count. Up to 2^16 transforms in all frames are few, however few of them have keys.
    #[test]
    fn clips_of_far_more_frames_than_keys_come_after_at_most_2_to_the_22_keys() {
        const MOST: u64 = 1 << 22;
        for (frames, tracks, taken, beyond) in [
            (1 << 20, 1, MOST - 3, 0),
            (1 << 20, 1, MOST - 2, 1),
            (1 << 10, 64, MOST, 0),
            ((1 << 10) + 1, 64, MOST, 1),
            ((1 << 10) + 1, 64, MOST - 3, 0),
        ] {
            let file = filled(&sparse(frames, tracks), &ExportOptions::default(), |plan| plan.spent.keys = taken);
            assert_eq!(file.report.clips_beyond_limits, beyond, "{frames} {tracks} {taken}");
            assert_eq!(file.spent.keys - taken, if beyond == 0 { 3 } else { 0 });
        }
    }

    /// To compare the poses of all frames would be far more work than there are keys.
    #[test]
    fn clips_of_far_more_frames_than_keys_are_not_reduced() {
        let compact = with(ExportOptions::default(), |own| own.compact = true);
        for (frames, whole) in [(1 << 10, 0), ((1 << 10) + 1, 1)] {
            let file = filled(&sparse(frames, 64), &compact, |_| ());
            assert_eq!(file.report.clips_not_reduced, whole, "{frames}");
        }
    }

    /// Poses of two bones in three frames are six.
    #[test]
    fn clips_are_reduced_as_long_as_those_of_the_file_have_at_most_2_to_the_24_poses() {
        const MOST: usize = 1 << 24;
        let files = swaying(&[("one", 3)]);
        let compact = with(ExportOptions::default(), |own| own.compact = true);
        for (taken, whole) in [(MOST - 6, 0), (MOST - 5, 1)] {
            let file = filled(&files, &compact, |plan| plan.spent.reduced = taken);
            assert_eq!((file.report.clips_not_reduced, file.spent.reduced - taken), (whole, 6), "{taken}");
        }
    }

    /// A bone that stands still but for a step needs four keys of 100. Until that is known, its list may have 100 frames.
    #[test]
    fn keys_are_left_out_as_long_as_the_lists_of_a_file_have_at_most_2_to_the_24_frames() {
        const MOST: usize = 1 << 24;
        let mut anim = Anim::sway(chain(1), &[("step", 100, 30.0)]);
        for (frame, key) in anim.keys.iter_mut().enumerate() {
            key.rotation = [0.0, 0.0, 0.0, 1.0];
            key.position = [if frame < 50 { 0.0 } else { 1.0 }, 0.0, 5.0];
        }
        let files = [Mesh::sheet(3, 3, 1).chunks().into(), anim.chunks().into()];
        for (taken, listed) in [(0, Some(4)), (MOST - 100, Some(4)), (MOST - 99, None)] {
            let file = filled(&files, &ExportOptions::default(), |plan| plan.spent.frames = taken);
            assert_eq!((&*file.lists, file.spent.frames - taken), (&[listed][..], listed.unwrap_or(0)), "{taken}");
        }
    }

    #[test]
    fn the_bytes_of_a_file_are_counted_in_32_bits() {
        let (files, most) = (swaying(&[("one", 3)]), u64::from(u32::MAX));
        let added = filled(&files, &ExportOptions::default(), |_| ()).bytes;
        assert!(added > 0);
        for (length, is_refused) in [(most - added, false), (most - added + 1, true)] {
            let file = filled(&files, &ExportOptions::default(), |plan| plan.length = length);
            assert_eq!(file.length, length + added);
            match file.error {
                Some(WriteError::TooLarge { bytes }) => assert_eq!((bytes, is_refused), (most + 1, true)),
                other => assert!(other.is_none() && !is_refused, "{other:?}"),
            }
        }
    }

    #[test]
    fn an_animation_that_is_placed_often_has_at_most_a_million_channels() {
        const MOST: usize = 1 << 20;
        let [mesh, animation] = swaying(&[("one", 3), ("two", 3)]);
        let (mesh, animation) = (Asset::parse(&mesh).unwrap(), Asset::parse(&animation).unwrap());
        let mesh = mesh.mesh().unwrap();
        let clips = animation.clips().map(|clip| Animation::new(&clip, Binding::new(&mesh, &clip)));
        let document = with(Document::of_mesh(&mesh), |own| own.animations = clips.collect());
        let options = ExportOptions::default();
        for (taken, beyond) in [(MOST - 4, 0), (MOST - 3, 1), (MOST - 2, 1), (MOST - 1, 2)] {
            let mut plan = Plan::new(&document, &options, None).unwrap();
            assert_eq!(plan.spent.placed, 4);
            plan.spent.placed = taken;
            plan.add_models(&document).unwrap();
            assert_eq!(plan.report.clips_beyond_limits, beyond, "{taken}");
            assert_eq!(plan.spent.placed - taken, 4 - 2 * beyond);
        }
    }

    /// Their tracks are their bones, in one order. Tracks of SWAT 3 name their bones, and may have another order.
    #[test]
    fn clips_without_a_mesh_share_a_binding_if_their_tracks_are_their_bones() {
        let bytes: Vec<u8> = Anim::sway(chain(3), &[("one", 3, 30.0), ("two", 3, 30.0)]).chunks().into();
        let more: Vec<u8> = Anim::sway(chain(4), &[("three", 3, 30.0)]).chunks().into();
        let (asset, more) = (Asset::parse(&bytes).unwrap(), Asset::parse(&more).unwrap());
        let clips: Vec<_> = asset.clips().chain(more.clips()).collect();
        let mut known = Bindings::default();
        let [one, two, three] = [0, 1, 2].map(|index| known.find_alone(&clips[index]));
        assert!(Arc::ptr_eq(&one, &two) && !Arc::ptr_eq(&two, &three));
        assert_eq!([one, three].map(|own| own.to_rest().len()), [3, 4]);

        let frames = || vec![Frame::new(vec![[0.0, 0.0, 0.0, 1.0]; 7])];
        let bytes = Gsa::new(1, Layout::Plain.skeleton(&biped(7)), &[], frames()).build().bytes;
        let asset = Asset::parse(&bytes).unwrap();
        let clip = asset.clips().next().unwrap();
        let [one, two] = [(); 2].map(|()| known.find_alone(&clip));
        assert!(!Arc::ptr_eq(&one, &two));
    }

    #[test]
    fn a_rate_is_whole_if_the_length_of_a_frame_is_that_of_the_whole_one_in_32_bits() {
        let of_length = |milliseconds: f32| 1000.0 / f64::from(milliseconds);
        for (rate, expected) in [
            (of_length(33.333_332), 30.0),
            (of_length(16.666_666), 60.0),
            (of_length(33.333_336), of_length(33.333_336)),
            (29.97, 29.97),
            (1.0 + 1e-12, 1.0),
            (1.0, 1.0),
            (0.75, 0.75),
            (0.25, 0.25),
            // Frames of more milliseconds than 32 bits tell: no rate of 0 is meant.
            (1e-40, 1e-40),
            (-30.0, -30.0),
        ] {
            assert_eq!(nominal(rate).to_bits(), f64::to_bits(expected), "{rate}");
        }
    }

    #[test]
    fn times_ascend_if_each_is_finite_and_above_the_one_before() {
        let mut found = [0; 2];
        for rate in [30.0, 0.1, 1.0, 24.0, 1e-37, 5e-39, 1e-40, 1e300, 1e44, f64::INFINITY, -30.0, 0.0, f64::NAN] {
            for frames in [1, 2, 3, 50, 10_000] {
                let times: Vec<f32> = (0..=frames).map(|frame| (frame as f64 / rate) as f32).collect();
                let expected =
                    times.iter().all(|own| own.is_finite()) && times.is_sorted_by(|one, other| *one < *other);
                assert_eq!(ascends(frames, rate), expected, "{frames} {rate}");
                found[usize::from(expected)] += 1;
            }
        }
        assert!(found.iter().all(|count| *count > 10), "{found:?}");
    }

    /// Numbers of 32 bits have 24 digits: behind 2^18 they are a 32nd apart, and behind 2^27 16. Frames are nearer by a hundredth.
    #[test]
    fn times_do_not_ascend_where_frames_are_nearer_than_numbers() {
        for (rate, last) in [(32.0 * 1.01, 1 << 18), (1.01 / 16.0, 1 << 27)] {
            let frames = (f64::from(last) * rate) as usize;
            assert!(!ascends(frames + 200, rate), "{rate}");
        }
    }
}
