//! Poses: a bone's matrix at any time, bit for bit as the engine computes it.
//!
//! Everything is `f32`, in the engine's order, without fused multiply-add (Pyrogenesis reference, section 2). Sine and arc cosine
//! are the C library's; the bits are the engine's where that library is glibc, as on the engine's own platform.

use super::psa::{Psa, is_frame_length};
use super::record::BoneState;
use crate::cursor::to_u64;
use crate::error::{Error, ErrorKind};
use crate::section::Section;

/// A transform of column vectors, column by column: element `4 * column + row`; the translation is in 12, 13 and 14.
pub type Matrix = [f32; 16];

/// The transform that changes nothing.
pub const IDENTITY: Matrix = [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0];

const POSE: Section = Section::named("pose");

/// From this distance of the cosine to one on, rotations are interpolated along the sphere, below it along the line.
const SLERP_FROM: f32 = 0.0001;

/// What follows the last frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Playback {
    /// The last frame blends into the first over one frame length, and time starts over.
    Loop,
    /// The last frame stands still for its length, and then time starts over all the same. The engine's callers stop the clock
    /// before that happens; [`play_time`](Psa::play_time) does what they do.
    Once,
}

impl Psa<'_> {
    /// The matrix of every bone at a time, in model space: between two frames, translation along the line and rotation along the
    /// sphere. Written into `out`, one for each bone. O(bones), no allocation.
    ///
    /// ```
    /// use skelmap::pyrogenesis::{IDENTITY, Playback, Psa};
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let bytes = std::fs::read("corpus/pyrogenesis/psa/walk.psa")?;
    /// let animation = Psa::parse(&bytes)?;
    /// animation.prove_playable()?;
    /// let mut pose = vec![IDENTITY; animation.bone_count()];
    /// animation.pose(250.0, Playback::Loop, &mut pose)?;
    /// println!("the first bone is at {:?}", &pose[0][12..15]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// Bit for bit what the engine computes where the C library is glibc, as on the engine's own platform: sine and arc cosine are
    /// the library's. Proven on glibc 2.36.
    ///
    /// # Errors
    /// [`ErrorKind::Time`] if the time is negative, no number, or more frames away than an `i32` counts;
    /// [`ErrorKind::FrameLength`] and [`ErrorKind::NoFrames`] for a file that the engine would crash on;
    /// [`ErrorKind::BufferSize`] if `out` has not one matrix for each bone.
    pub fn pose(&self, time_ms: f32, playback: Playback, out: &mut [Matrix]) -> Result<(), Error> {
        self.prove_playable()?;
        self.prove_buffer(out.len(), self.bone_count())?;
        self.write_pose(time_ms, playback, out)
    }

    /// The time to pose at when an animation has been playing for `elapsed_ms`, as the engine's callers choose it: the rest after
    /// whole loops, or no later than a millisecond before the end (Pyrogenesis reference, section 2). O(1).
    #[expect(clippy::cast_precision_loss, clippy::as_conversions, reason = "the engine's own conversion")]
    pub fn play_time(&self, elapsed_ms: f32, playback: Playback) -> f32 {
        let duration = self.frame_count() as f32 * self.frame_length_ms();
        match playback {
            Playback::Loop => elapsed_ms % duration,
            Playback::Once if elapsed_ms > duration - 1.0 => (duration - 1.0).max(0.0),
            Playback::Once => elapsed_ms,
        }
    }

    /// Poses at many times, one after the other: `out` holds one matrix for each bone of the first time, then of the second.
    /// O(times * bones), no allocation.
    ///
    /// # Errors
    /// Those of [`pose`](Psa::pose); `out` must have one matrix for each bone and time. Poses before the failing time are written.
    pub fn poses(&self, times_ms: &[f32], playback: Playback, out: &mut [Matrix]) -> Result<(), Error> {
        self.prove_playable()?;
        self.prove_buffer(out.len(), times_ms.len().saturating_mul(self.bone_count()))?;
        let mut poses = out.chunks_exact_mut(self.bone_count().max(1));
        times_ms.iter().try_for_each(|time| self.write_pose(*time, playback, poses.next().unwrap_or_default()))
    }

    /// The pose of every frame as it stands in the file, frame after frame. O(states), no allocation.
    ///
    /// # Errors
    /// [`ErrorKind::BufferSize`] if `out` has not one matrix for each state.
    pub fn frame_poses(&self, out: &mut [Matrix]) -> Result<(), Error> {
        self.prove_buffer(out.len(), self.states().len())?;
        for (matrix, state) in out.iter_mut().zip(self.states()) {
            *matrix = of_state(state);
        }
        Ok(())
    }

    fn write_pose(&self, time_ms: f32, playback: Playback, out: &mut [Matrix]) -> Result<(), Error> {
        let (frame, between) = self.frame_at(time_ms)?;
        let next = if frame.saturating_add(1) == self.frame_count() { 0 } else { frame.saturating_add(1) };
        let start = self.frame(frame)?;
        if playback == Playback::Once && next == 0 {
            for (matrix, state) in out.iter_mut().zip(start) {
                *matrix = of_state(state);
            }
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

    /// The frame that a time falls into, and how far into it, 0 to 1.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_precision_loss,
        clippy::cast_sign_loss,
        clippy::as_conversions,
        reason = "the engine's own conversions, after the range is proven"
    )]
    fn frame_at(&self, time_ms: f32) -> Result<(usize, f32), Error> {
        let frames = time_ms / self.frame_length_ms();
        // 2^31 is the first float that an `i32` cannot hold. Not a number fails this too.
        if !(time_ms >= 0.0 && frames < 2_147_483_648.0) {
            return Err(self.pose_error(ErrorKind::Time { bits: time_ms.to_bits() }));
        }
        let whole = frames as i32;
        let frame = (whole as usize).checked_rem(self.frame_count()).unwrap_or(0);
        Ok((frame, frames - whole as f32))
    }

    /// Whether there is a pose at all: at least one frame, and a frame length that is a positive number. Every file taken with
    /// [`Strictness::Strict`](super::Strictness) has one. Ask this before making room for a pose: without frames the number of
    /// bones is whatever the file says.
    ///
    /// # Errors
    /// [`ErrorKind::FrameLength`] or [`ErrorKind::NoFrames`].
    pub fn prove_playable(&self) -> Result<(), Error> {
        let length = self.frame_length_ms();
        if !is_frame_length(length) {
            return Err(self.pose_error(ErrorKind::FrameLength { bits: length.to_bits() }));
        }
        if self.frame_count() == 0 {
            return Err(self.pose_error(ErrorKind::NoFrames));
        }
        Ok(())
    }

    fn prove_buffer(&self, given: usize, needed: usize) -> Result<(), Error> {
        prove_buffer(given, needed).map_err(|kind| self.pose_error(kind))
    }

    fn pose_error(&self, kind: ErrorKind) -> Error {
        Error::new(kind, POSE, self.states_offset())
    }
}

/// Refuses a buffer that has not just the elements needed.
pub(super) fn prove_buffer(given: usize, needed: usize) -> Result<(), ErrorKind> {
    if given == needed {
        return Ok(());
    }
    Err(ErrorKind::BufferSize { needed: to_u64(needed), given: to_u64(given) })
}

/// The matrix of a state by itself. The engine multiplies its rotation with the identity, which turns some negative zeros.
pub(super) fn of_state(state: &BoneState) -> Matrix {
    translated(product(&rotation_matrix(state.rotation()), &IDENTITY), state.translation())
}

/// A transform followed by a translation.
#[inline]
pub(super) fn translated(mut matrix: Matrix, [x, y, z]: [f32; 3]) -> Matrix {
    let [_, _, _, _, _, _, _, _, _, _, _, _, tx, ty, tz, _] = &mut matrix;
    *tx += x;
    *ty += y;
    *tz += z;
    matrix
}

/// The matrix of a rotation.
#[inline]
pub(super) fn rotation_matrix([x, y, z, w]: [f32; 4]) -> Matrix {
    let (xx, yy, zz) = (x * x * 2.0, y * y * 2.0, z * z * 2.0);
    let (xy, xz, yz) = (x * y * 2.0, x * z * 2.0, y * z * 2.0);
    let (xw, yw, zw) = (x * w * 2.0, y * w * 2.0, z * w * 2.0);
    [
        1.0 - (yy + zz),
        xy + zw,
        xz - yw,
        0.0,
        xy - zw,
        1.0 - (xx + zz),
        yz + xw,
        0.0,
        xz + yw,
        yz - xw,
        1.0 - (xx + yy),
        0.0,
        0.0,
        0.0,
        0.0,
        1.0,
    ]
}

/// Between two rotations, the shorter way. Not normalised.
#[inline]
fn slerp([ax, ay, az, aw]: [f32; 4], [bx, by, bz, bw]: [f32; 4], between: f32) -> [f32; 4] {
    let cosine = ax * bx + ay * by + az * bz + aw * bw;
    let (cosine, [bx, by, bz, bw]) =
        if cosine < 0.0 { (-cosine, [-bx, -by, -bz, -bw]) } else { (cosine, [bx, by, bz, bw]) };
    let (a, b) = if 1.0 - cosine > SLERP_FROM {
        let angle = cosine.acos();
        let sine = angle.sin();
        (((1.0 - between) * angle).sin() / sine, (between * angle).sin() / sine)
    } else {
        (1.0 - between, between)
    };
    [a * ax + b * bx, a * ay + b * by, a * az + b * bz, a * aw + b * bw]
}

/// The product of two transforms: `right` first, then `left`. All four terms of each sum, because of the signs of zeros.
#[inline]
pub(super) fn product(left: &Matrix, right: &Matrix) -> Matrix {
    let [a0, a1, a2, a3, b0, b1, b2, b3, c0, c1, c2, c3, d0, d1, d2, d3] = *left;
    let column = |x: f32, y: f32, z: f32, w: f32| {
        [
            a0 * x + b0 * y + c0 * z + d0 * w,
            a1 * x + b1 * y + c1 * z + d1 * w,
            a2 * x + b2 * y + c2 * z + d2 * w,
            a3 * x + b3 * y + c3 * z + d3 * w,
        ]
    };
    let [e0, e1, e2, e3, f0, f1, f2, f3, g0, g1, g2, g3, h0, h1, h2, h3] = *right;
    let [p0, p1, p2, p3] = column(e0, e1, e2, e3);
    let [q0, q1, q2, q3] = column(f0, f1, f2, f3);
    let [r0, r1, r2, r3] = column(g0, g1, g2, g3);
    let [s0, s1, s2, s3] = column(h0, h1, h2, h3);
    [p0, p1, p2, p3, q0, q1, q2, q3, r0, r1, r2, r3, s0, s1, s2, s3]
}
