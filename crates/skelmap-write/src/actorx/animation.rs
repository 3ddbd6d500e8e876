//! Clips as the sequences of an animation.

use std::io::Write;

use skelmap::Name;
use skelmap::actorx::{AnimInfo, AnimKey};

use super::ActorxError;
use super::bones::Armature;
use super::chunks::{write_chunk, write_head, write_header};
use super::text::Names;
use crate::gltf::GltfClip;

/// The rate of a clip whose keys tell no other one.
const RATE: f32 = 30.0;

/// The rates that keys can tell: one frame is the smallest distance between two of them.
const MIN_RATE: f64 = 5.0;
const MAX_RATE: f64 = 240.0;

/// The group of a sequence, as most programs write it.
const GROUP: &[u8] = b"None";

/// The maximum number of frames of a sequence.
const MAX_FRAMES: u32 = 1 << 19;

/// A clip, its name and its rate.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ClipKeys<'c> {
    /// The clip.
    pub clip: &'c GltfClip<'c>,
    /// The name of its sequence.
    pub name: String,
    /// Frames per second.
    pub rate: f32,
}

impl<'c> ClipKeys<'c> {
    /// A clip with its own name, and the rate at which the smallest distance between two keys is a frame, if all keys are frames then: 30 otherwise,
    /// and for a clip of a first and a last key alone, which tell how long it is and not how many frames it has. O(keys).
    pub fn new(clip: &'c GltfClip<'c>) -> Self {
        let (start, end) = clip.range();
        let told = clip.smallest_step().filter(|step| *step < end - start).map(|step| (1.0 / step).round());
        let told = told.filter(|rate| (MIN_RATE..=MAX_RATE).contains(rate) && clip.is_on_grid(*rate));
        #[expect(clippy::cast_possible_truncation, clippy::as_conversions, reason = "a whole number in a small range")]
        let rate = told.map_or(RATE, |rate| rate as f32);
        Self { clip, name: clip.name().to_owned(), rate }
    }

    /// The frames from the first key to the last.
    fn frame_count(&self) -> Result<u32, ActorxError> {
        if !(self.rate.is_finite() && self.rate > 0.0) {
            return Err(ActorxError::NotPositive("the rate"));
        }
        let (start, end) = self.clip.range();
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            clippy::as_conversions,
            reason = "saturates"
        )]
        let last = ((end - start) * f64::from(self.rate)).round() as u32;
        if last >= MAX_FRAMES || !self.clip.has_bounded_work(skelmap::shared::to_usize(last.into())) {
            let (count, limit) = (skelmap::shared::to_usize(last.into()), skelmap::shared::to_usize(MAX_FRAMES.into()));
            return Err(ActorxError::TooMany { count, what: "frames", limit });
        }
        Ok(last.saturating_add(1))
    }
}

/// What writing an animation changed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
#[non_exhaustive]
pub struct AnimationReport {
    /// Sequences.
    pub sequences: usize,
    /// Frames of all sequences.
    pub frames: usize,
    /// Bones.
    pub bones: usize,
    /// Names of sequences that were cut, numbered, or have characters that the old code page lacks.
    pub changed_names: usize,
    /// Sequences with keys between frames, which are computed.
    pub resampled: usize,
}

/// Writes clips as an animation (`.psa`) of a sequence each, with the bones of their mesh. Equal clips give equal bytes. O(keys + frames * bones), memory for a frame.
/// Scales are left out, which few games read.
///
/// # Errors
/// [`ActorxError`]: rates, limits, places that are not finite, errors of the output. All but places are checked before a byte is written.
pub fn write_animation(
    armature: &Armature,
    clips: &[ClipKeys<'_>],
    out: &mut impl Write,
) -> Result<AnimationReport, ActorxError> {
    let bones = armature.bone_count();
    let mut report = AnimationReport { sequences: clips.len(), bones, ..AnimationReport::default() };
    let (mut names, mut infos) = (Names::default(), Vec::new());
    let (mut first, mut keys) = (0_u32, 0_usize);
    let number = |count: u32| i32::try_from(count).unwrap_or(i32::MAX);
    let group = Name::new(GROUP).unwrap_or_default();
    for (index, own) in clips.iter().enumerate() {
        let frames = own.frame_count()?;
        let quotum = skelmap::shared::to_usize(frames.into()).saturating_mul(bones);
        let info = AnimInfo::default()
            .with_name(&names.add(&own.name, &format!("sequence_{index}")))
            .with_group(&group)
            .with_total_bones(number(skelmap::shared::to_u32(bones)))
            .with_key_quotum(number(skelmap::shared::to_u32(quotum)))
            .with_key_reduction(1.0)
            .with_track_time(to_float(frames))
            .with_rate(own.rate)
            .with_first_raw_frame(number(first))
            .with_raw_frame_count(number(frames));
        infos.push(info);
        first = first.saturating_add(frames);
        keys = keys.saturating_add(quotum);
        report.resampled = report.resampled.saturating_add((!own.clip.is_on_grid(own.rate.into())).into());
    }
    report.changed_names = names.changed;
    report.frames = skelmap::shared::to_usize(first.into());
    let limit = skelmap::shared::to_usize(i32::MAX.unsigned_abs().into());
    if keys > limit {
        return Err(ActorxError::TooMany { count: keys, what: "keys", limit });
    }
    write_head("ANIMHEAD", out)?;
    write_chunk("BONENAMES", &armature.bones, out)?;
    write_chunk("ANIMINFO", &infos, out)?;
    write_header::<AnimKey>("ANIMKEYS", keys, out)?;
    let mut places = Vec::new();
    for own in clips {
        let mut sampler = own.clip.sampler();
        let (start, _) = own.clip.range();
        for frame in 0..own.frame_count()? {
            sampler.sample(start + f64::from(frame) / f64::from(own.rate), &mut places);
            for (index, (translation, rotation)) in armature.to_locals(&places).into_iter().enumerate() {
                if !translation.iter().chain(&rotation).all(|value| value.is_finite()) {
                    return Err(ActorxError::NotFinite { what: "bone", index });
                }
                let key = AnimKey::default().with_translation(translation).with_rotation(rotation).with_time(1.0);
                out.write_all(key.as_bytes())?;
            }
        }
    }
    Ok(report)
}

/// A number of frames, as the file has it.
#[expect(clippy::cast_precision_loss, clippy::as_conversions, reason = "fewer than 2^24")]
const fn to_float(frames: u32) -> f32 {
    frames as f32
}
