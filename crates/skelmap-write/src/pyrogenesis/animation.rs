//! A clip as an animation of the game.

use std::io::Write;

use skelmap::pyrogenesis::BoneState;
use skelmap::shared::{to_u32, to_usize};

use super::PyrogenesisError;
use super::bones::Rigging;
use super::exact::restore_states;
use super::mesh::{absent, is_near, state_of};
use super::parts::{MAX_BONES, check_rotation, header};
use crate::affine::Place;
use crate::gltf::GltfClip;

/// Frames per second of the game.
const RATE: f64 = 30.0;

/// The length of a frame in milliseconds, as the game's converter writes it: the float that is nearest to 1000/30.
pub const FRAME_MS: f32 = 1000.0 / 30.0;

const VERSION: u32 = 1;

/// The maximum number of frames: five hours.
pub const MAX_FRAMES: u32 = 1 << 19;

/// The frames of a clip of keys at frames 0 to N.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
#[expect(clippy::exhaustive_enums, reason = "there is no fourth way")]
pub enum Frames {
    /// [`Loop`](Self::Loop) where the last frame is equal to the first within 0.0001, else [`All`](Self::All).
    #[default]
    Auto,
    /// 0 to N: for what is played once, and for what came from the game.
    All,
    /// 0 to N - 1: the last frame repeats the first, and the game blends the last frame of a cycle into the first.
    Loop,
    /// 0 to N - 2, as the game's converter does.
    Engine,
}

/// What writing an animation changed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
#[non_exhaustive]
pub struct AnimationReport {
    /// Frames.
    pub frames: usize,
    /// Bones.
    pub bones: usize,
    /// Whether a last frame that repeats the first is left out.
    pub is_loop: bool,
    /// Whether keys lie between the frames: the clip has another rate than 30 frames per second.
    pub is_resampled: bool,
    /// Bones of the skeleton without a joint: they are at the origin.
    pub bones_without_joints: usize,
}

/// Writes a clip as an animation (`.psa`, version 1, 30 frames per second). Equal clips give equal bytes. O(keys + frames * bones), memory for a frame.
///
/// # Errors
/// [`PyrogenesisError`]: no frame is left, a clip of more than 524,288 frames, a place that is not finite, and errors of the output.
pub fn write_animation(
    rigging: &Rigging,
    clip: &GltfClip<'_>,
    frames: Frames,
    out: &mut impl Write,
) -> Result<AnimationReport, PyrogenesisError> {
    let bones = rigging.bone_count();
    if bones == 0 {
        return Err(PyrogenesisError::NoSkin);
    }
    let (start, end) = clip.range();
    let mut sampler = clip.sampler();
    let (mut places, mut states) = (Vec::new(), Vec::new());
    let last = (end - start) * RATE;
    let all = number((last + 0.5).floor())?.saturating_add(1);
    // The records of the file that the clip was made from, if they are of as many frames.
    let frame_size = bones.saturating_mul(size_of::<BoneState>());
    let is_whole = clip.stored.len() == frame_size.saturating_mul(to_usize(all.into()));
    let mut stored = clip.stored.chunks_exact(frame_size);
    let mut pose = |frame: u32, states: &mut Vec<BoneState>| {
        sampler.sample(start + f64::from(frame) / RATE, &mut places);
        to_states(rigging, &places, states);
    };
    let is_loop = match frames {
        Frames::Loop => all > 1,
        Frames::Auto => {
            all > 1 && !is_whole && {
                let mut first = Vec::new();
                pose(0, &mut first);
                pose(all.saturating_sub(1), &mut states);
                first.iter().zip(&states).all(|(one, other)| is_near(one, other))
            }
        }
        Frames::All | Frames::Engine => false,
    };
    let count = match frames {
        Frames::Engine => number((last - 0.5).trunc())?,
        _ => all.saturating_sub(is_loop.into()),
    };
    if !clip.has_bounded_work(to_usize(all.into())) {
        let (count, limit) = (to_usize(all.into()), to_usize(MAX_FRAMES.into()));
        return Err(PyrogenesisError::TooMany { count, what: "frames of a deep tree of nodes", limit });
    }
    if count == 0 {
        return Err(PyrogenesisError::NoFrames { seconds: end - start });
    }
    write_head("", FRAME_MS, bones, count, out)?;
    for frame in 0..count {
        pose(frame, &mut states);
        if let Some(records) = stored.next().filter(|_| is_whole) {
            restore_states(&mut states, records);
        }
        for (index, state) in states.iter().enumerate() {
            check_state(state, index)?;
            out.write_all(state.as_bytes())?;
        }
    }
    Ok(AnimationReport {
        frames: to_usize(count.into()),
        bones,
        is_loop,
        is_resampled: !clip.is_on_grid(RATE),
        bones_without_joints: rigging.bones().iter().filter(|joint| joint.is_none()).count(),
    })
}

/// An animation in the space of the game, as the file has it: states of bones in the space of the model.
///
/// ```
/// use skelmap::pyrogenesis::{BoneState, Psa};
/// use skelmap_write::pyrogenesis::AnimationParts;
///
/// let states = [BoneState::default().with_rotation([0.0, 0.0, 0.0, 1.0]); 4];
/// let mut parts = AnimationParts::default();
/// (parts.bones, parts.states) = (2, &states);
/// let mut file = Vec::new();
/// parts.write(&mut file)?;
/// assert_eq!(Psa::parse(&file)?.frame_count(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct AnimationParts<'p> {
    /// The name, which the game does not use.
    pub name: &'p str,
    /// Milliseconds from one frame to the next: [`FRAME_MS`] by default.
    pub frame_ms: f32,
    /// The number of bones: that of the mesh.
    pub bones: usize,
    /// The states of all bones, frame after frame.
    pub states: &'p [BoneState],
}

impl Default for AnimationParts<'_> {
    fn default() -> Self {
        Self { name: "", frame_ms: FRAME_MS, bones: 0, states: &[] }
    }
}

/// How many elements an animation has: for programs that check this before they make the states.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "callers make them")]
pub struct AnimationCounts {
    /// Frames.
    pub frames: usize,
    /// Bones.
    pub bones: usize,
}

impl AnimationCounts {
    /// Checks the limits of the format and of the game. O(1).
    ///
    /// # Errors
    /// [`PyrogenesisError::TooMany`].
    pub fn check(&self) -> Result<(), PyrogenesisError> {
        let limits = [(self.bones, "bones", MAX_BONES), (self.frames, "frames", to_usize(MAX_FRAMES.into()))];
        match limits.into_iter().find(|(count, _, limit)| count > limit) {
            Some((count, what, limit)) => Err(PyrogenesisError::TooMany { count, what, limit }),
            None => Ok(()),
        }
    }
}

impl AnimationParts<'_> {
    /// Checks the animation, then writes it as version 1. Equal parts give equal bytes. O(states); nothing is written after a failed check. Returns the
    /// number of frames.
    ///
    /// # Errors
    /// [`PyrogenesisError`].
    pub fn write(&self, out: &mut impl Write) -> Result<usize, PyrogenesisError> {
        let (states, bones) = (self.states.len(), self.bones);
        if self.name.len() > MAX_NAME {
            let (count, what) = (self.name.len(), "bytes in the name");
            return Err(PyrogenesisError::TooMany { count, what, limit: MAX_NAME });
        }
        let frames = states.checked_div(bones).filter(|frames| *frames > 0 && states.checked_rem(bones) == Some(0));
        let frames = frames.ok_or(PyrogenesisError::Rows { states, bones })?;
        AnimationCounts { frames, bones }.check()?;
        if !(self.frame_ms.is_finite() && self.frame_ms > 0.0) {
            return Err(PyrogenesisError::FrameLength(self.frame_ms));
        }
        for (index, state) in self.states.iter().enumerate() {
            check_state(state, index.checked_rem(bones).unwrap_or(0))?;
            check_rotation(state.rotation(), "state", index)?;
        }
        write_head(self.name, self.frame_ms, bones, to_u32(frames), out)?;
        self.states.iter().try_for_each(|state| out.write_all(state.as_bytes()))?;
        Ok(frames)
    }
}

/// The maximum length of the name of an animation, in bytes.
const MAX_NAME: usize = 255;

/// Checks that a state of a bone can be written.
fn check_state(state: &BoneState, index: usize) -> Result<(), PyrogenesisError> {
    if state.translation().into_iter().chain(state.rotation()).all(f32::is_finite) {
        return Ok(());
    }
    Err(PyrogenesisError::NotFinite { what: "bone", index })
}

/// Writes all that comes before the states, if the file can state its size.
fn write_head(
    name: &str,
    frame_ms: f32,
    bones: usize,
    frames: u32,
    out: &mut impl Write,
) -> Result<(), PyrogenesisError> {
    let states_size = to_usize(frames.into()).saturating_mul(bones).saturating_mul(size_of::<BoneState>());
    // The length of the name, the length of a frame, and two counts.
    let size = states_size.saturating_add(size_of::<[u32; 4]>()).saturating_add(name.len());
    let limit = to_usize(u32::MAX.into());
    if size > limit {
        return Err(PyrogenesisError::TooMany { count: size, what: "bytes", limit });
    }
    out.write_all(header(*b"PSSA", VERSION, size).as_bytes())?;
    out.write_all(&to_u32(name.len()).to_le_bytes())?;
    out.write_all(name.as_bytes())?;
    out.write_all(&frame_ms.to_le_bytes())?;
    out.write_all(&to_u32(bones).to_le_bytes())?;
    Ok(out.write_all(&frames.to_le_bytes())?)
}

/// A number of frames.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::as_conversions, reason = "saturates")]
fn number(frames: f64) -> Result<u32, PyrogenesisError> {
    let count = frames as u32;
    if count > MAX_FRAMES {
        let (count, limit) = (to_usize(count.into()), to_usize(MAX_FRAMES.into()));
        return Err(PyrogenesisError::TooMany { count, what: "frames", limit });
    }
    Ok(count)
}

fn to_states(rigging: &Rigging, places: &[Place], states: &mut Vec<BoneState>) {
    states.clear();
    states.extend(rigging.bones().iter().map(|joint| {
        let place = joint.and_then(|joint| places.get(joint));
        place.map_or_else(absent, |place| state_of(&rigging.axes().bone(place)))
    }));
}
