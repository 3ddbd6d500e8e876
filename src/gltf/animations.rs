//! The animations of a file: an accessor for the keys of each channel, and shared times.

use std::collections::HashMap;

use super::json::{self, Accessor, BufferView, FLOAT};
use super::layout::{Piece, Plan, small};
use super::motion::{Keys, Motion, Path};
use super::options::Report;
use crate::bytes::to_u64;
use crate::model::{Binding, Clip};

/// Frames per second of a clip that does not say.
const USUAL_RATE: f64 = 30.0;

impl<'p> Plan<'p> {
    /// Adds an animation for each clip. All keys lie in one buffer view; equal times are shared.
    pub(super) fn add_clips(&mut self, clips: &[(Clip<'p>, Binding)], report: &mut Report) {
        if self.bind.is_empty() {
            return;
        }
        let (start, view) = (self.length, small(self.root.buffer_views.len()));
        let mut times: HashMap<(u8, usize, u64), u32> = HashMap::new();
        for (clip, binding) in clips {
            if clip.frame_count() == 0 {
                report.clips_without_frames = report.clips_without_frames.saturating_add(1);
                continue;
            }
            if binding.is_additive(clip) {
                report.additive_clips = report.additive_clips.saturating_add(1);
                continue;
            }
            let rate = clip.rate().filter(|rate| ascends(clip.frame_count(), *rate)).unwrap_or_else(|| {
                report.clips_without_rate = report.clips_without_rate.saturating_add(1);
                USUAL_RATE
            });
            let binding = binding.moved_to(&self.mesh);
            let motion = Motion { clip, binding: &binding, loops: self.loops };
            let channels = motion.channels(&self.bind);
            let index = self.clips.len();
            let (mut samplers, mut targets) = (Vec::new(), Vec::new());
            for channel in channels {
                let (frames, keys) = (motion.frame_count(), motion.key_count(channel.keys));
                let of_times = (channel.keys.number(), frames, rate.to_bits());
                let known = times.get(&of_times).copied();
                let input = known.unwrap_or_else(|| self.add_times(view, start, channel.keys, frames, rate));
                times.insert(of_times, input);
                let (kind, parts) = if channel.path == Path::Rotation { ("VEC4", 4_u64) } else { ("VEC3", 3) };
                let mut accessor = Accessor::new(view, FLOAT, to_u64(keys), kind);
                accessor.byte_offset = self.length.saturating_sub(start);
                let bytes = to_u64(keys).saturating_mul(parts.saturating_mul(4));
                self.pieces.push(Piece::Values { clip: index, channel });
                self.length = self.length.saturating_add(bytes);
                let output = self.add_accessor(accessor);
                let node = small(channel.bone.saturating_add(1));
                let target = json::ChannelTarget { node, path: channel.path.name() };
                targets.push(json::Channel { sampler: small(samplers.len()), target });
                samplers.push(json::Sampler { input, output });
            }
            let name = clip.name().map(|name| name.to_string()).unwrap_or_default();
            self.root.animations.push(json::Animation { name, samplers, channels: targets });
            self.clips.push((*clip, binding));
        }
        let byte_length = self.length.saturating_sub(start);
        if byte_length > 0 {
            let (byte_stride, target) = (None, None);
            self.root.buffer_views.push(BufferView { buffer: 0, byte_offset: start, byte_length, byte_stride, target });
        }
    }

    fn add_times(&mut self, view: u32, start: u64, keys: Keys, frames: usize, rate: f64) -> u32 {
        let count = match keys {
            Keys::Every => frames,
            Keys::First => 1,
            Keys::Ends => 2,
        };
        let mut accessor = Accessor::new(view, FLOAT, to_u64(count), "SCALAR");
        accessor.byte_offset = self.length.saturating_sub(start);
        let end = if keys == Keys::First { 0.0 } else { time(frames.saturating_sub(1), rate) };
        (accessor.min, accessor.max) = (vec![0.0], vec![end]);
        self.pieces.push(Piece::Times { keys, count: frames, rate });
        self.length = self.length.saturating_add(to_u64(count).saturating_mul(4));
        self.add_accessor(accessor)
    }
}

/// Whether the times of frames are finite and ascend. Their distance is smallest, as a part of them, at the end.
fn ascends(frames: usize, rate: f64) -> bool {
    let [before, last] = [1, 0].map(|back| time(frames.saturating_sub(back), rate));
    let [first, second] = [time(0, rate), time(1, rate)];
    last.is_finite() && second > first && (frames < 2 || last > before)
}

/// The time of a frame in seconds.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::as_conversions,
    reason = "times are `f32`"
)]
pub(super) fn time(frame: usize, rate: f64) -> f32 {
    (frame as f64 / rate) as f32
}
