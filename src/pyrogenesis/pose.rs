//! Poses: the matrix of each bone at any time, bit for bit as in the engine.
//!
//! All arithmetic is `f32`, in the engine's order, without fused multiply-add (Pyrogenesis reference, section 2). Sine and arc
//! cosine come from the C library: the bits equal the engine's with glibc, the library of the engine's own platform.

use super::psa::{Psa, frame_length_error, is_frame_length};
use super::record::BoneState;
use crate::model::maths::{product, slerp, translated};
use crate::model::{IDENTITY, Matrix, rotation_matrix};
use crate::report::{Error, ErrorKind, Section};

const POSE: Section = Section::named("pose");

/// The behaviour after the last frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Playback {
    /// The last frame blends into the first over one frame length; then the animation restarts.
    Loop,
    /// The last frame stays for its length; then the animation restarts. The engine stops the clock earlier: see
    /// [`play_time`](Psa::play_time).
    Once,
}

impl Psa<'_> {
    /// Writes the matrix of each bone at a time, in model space. Between two frames, translations are interpolated linearly and
    /// rotations on the sphere. O(bones), no allocation.
    ///
    /// ```
    /// use skelmap::pyrogenesis::{IDENTITY, Playback, Psa};
    ///
    /// let bytes = std::fs::read("tests/corpus/pyrogenesis/psa/walk.psa")?;
    /// let animation = Psa::parse(&bytes)?;
    /// animation.check_playable()?;
    /// let mut pose = vec![IDENTITY; animation.bone_count()];
    /// animation.pose(250.0, Playback::Loop, &mut pose)?;
    /// println!("the first bone is at {:?}", &pose[0][12..15]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// Bit for bit the engine's result with glibc. Checked with glibc 2.36.
    ///
    /// # Errors
    /// [`ErrorKind::Time`] for a time that is negative or NaN, or more frames away than an `i32` counts;
    /// [`FRAME_LENGTH`](super::codes::FRAME_LENGTH) and [`ErrorKind::NoFrames`] for a file that would crash the engine;
    /// [`ErrorKind::BufferSize`] if `out` does not have one matrix for each bone.
    pub fn pose(&self, time_ms: f32, playback: Playback, out: &mut [Matrix]) -> Result<(), Error> {
        self.check_playable()?;
        self.check_buffer(out.len(), self.bone_count())?;
        self.write_pose(time_ms, playback, out)
    }

    /// The time of the pose after `elapsed_ms` of playback, as in the engine: the remainder after whole loops, or at most a
    /// millisecond before the end (Pyrogenesis reference, section 2). O(1).
    #[expect(clippy::cast_precision_loss, clippy::as_conversions, reason = "the engine's own conversion")]
    pub fn play_time(&self, elapsed_ms: f32, playback: Playback) -> f32 {
        let duration = self.declared_frame_count() as f32 * self.frame_length_ms();
        match playback {
            Playback::Loop => elapsed_ms % duration,
            Playback::Once if elapsed_ms > duration - 1.0 => (duration - 1.0).max(0.0),
            Playback::Once => elapsed_ms,
        }
    }

    /// Poses at many times: `out` has one matrix for each bone, time after time. O(times * bones), no allocation.
    ///
    /// # Errors
    /// Those of [`pose`](Psa::pose); `out` must have one matrix for each bone and time. Poses before the error are written.
    pub fn poses(&self, times_ms: &[f32], playback: Playback, out: &mut [Matrix]) -> Result<(), Error> {
        self.check_playable()?;
        self.check_buffer(out.len(), times_ms.len().saturating_mul(self.bone_count()))?;
        let mut poses = out.chunks_exact_mut(self.bone_count().max(1));
        times_ms.iter().try_for_each(|time| self.write_pose(*time, playback, poses.next().unwrap_or_default()))
    }

    /// The pose of every frame as stored, frame after frame. O(states), no allocation.
    ///
    /// # Errors
    /// [`ErrorKind::BufferSize`] if `out` does not have one matrix for each state.
    pub fn frame_poses(&self, out: &mut [Matrix]) -> Result<(), Error> {
        self.check_buffer(out.len(), self.states().len())?;
        out.iter_mut().zip(self.states()).for_each(|(matrix, state)| *matrix = of_state(state));
        Ok(())
    }

    /// The pose of one frame as stored. O(bones), no allocation.
    ///
    /// # Errors
    /// [`ErrorKind::FrameOutOfRange`] if `frame >= self.frame_count()`; [`ErrorKind::BufferSize`] if `out` does not have
    /// one matrix for each bone.
    pub fn frame_pose(&self, frame: usize, out: &mut [Matrix]) -> Result<(), Error> {
        self.check_buffer(out.len(), self.bone_count())?;
        out.iter_mut().zip(self.frame(frame)?).for_each(|(matrix, state)| *matrix = of_state(state));
        Ok(())
    }

    fn write_pose(&self, time_ms: f32, playback: Playback, out: &mut [Matrix]) -> Result<(), Error> {
        let (frame, between) = self.frame_at(time_ms)?;
        if self.bone_count() == 0 {
            return Ok(());
        }
        let next = if frame.saturating_add(1) == self.frame_count() { 0 } else { frame.saturating_add(1) };
        let start = self.frame(frame)?;
        if playback == Playback::Once && next == 0 {
            out.iter_mut().zip(start).for_each(|(matrix, state)| *matrix = of_state(state));
            return Ok(());
        }
        let end = self.frame(next)?;
        for ((matrix, start), end) in out.iter_mut().zip(start).zip(end) {
            let [ax, ay, az] = start.translation();
            let [bx, by, bz] = end.translation();
            let translation = [ax + (bx - ax) * between, ay + (by - ay) * between, az + (bz - az) * between];
            *matrix = translated(rotation_matrix(slerp(start.rotation(), end.rotation(), between)), translation);
        }
        Ok(())
    }

    /// The frame at a time, and the fraction of the frame that has passed, 0 to 1.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_precision_loss,
        clippy::cast_sign_loss,
        clippy::as_conversions,
        reason = "the engine's own conversions, after the range is checked"
    )]
    fn frame_at(&self, time_ms: f32) -> Result<(usize, f32), Error> {
        let frames = time_ms / self.frame_length_ms();
        // 2^31 is the first float above the range of `i32`. NaN fails this test too.
        if !(time_ms >= 0.0 && frames < 2_147_483_648.0) {
            return Err(self.pose_error(ErrorKind::Time { bits: time_ms.to_bits() }));
        }
        let whole = frames as i32;
        let frame = (whole as usize).checked_rem(self.frame_count()).unwrap_or(0);
        Ok((frame, frames - whole as f32))
    }

    /// Checks that poses exist: at least one frame, and a positive frame length. Every file parsed with
    /// [`Strictness::Strict`](super::Strictness) has both.
    ///
    /// # Errors
    /// [`FRAME_LENGTH`](super::codes::FRAME_LENGTH) or [`ErrorKind::NoFrames`].
    pub fn check_playable(&self) -> Result<(), Error> {
        let length = self.frame_length_ms();
        if !is_frame_length(length) {
            return Err(self.pose_error(frame_length_error(length)));
        }
        if self.declared_frame_count() == 0 {
            return Err(self.pose_error(ErrorKind::NoFrames));
        }
        Ok(())
    }

    fn check_buffer(&self, given: usize, needed: usize) -> Result<(), Error> {
        ErrorKind::check_buffer(given, needed).map_err(|kind| self.pose_error(kind))
    }

    fn pose_error(&self, kind: ErrorKind) -> Error {
        Error::new(kind, POSE, self.states_offset())
    }
}

/// The matrix of a state. Like the engine, multiplies the rotation with the identity, which changes the sign of some zeros.
pub(super) fn of_state(state: &BoneState) -> Matrix {
    translated(product(&rotation_matrix(state.rotation()), &IDENTITY), state.translation())
}
