//! Poses: the matrix of each bone at any time, bit for bit as in the engine.
//!
//! All arithmetic is `f32`, in the engine's order, without fused multiply-add (Pyrogenesis reference, section 2). Sine
//! and arc cosine are those of the C library: the bits are the engine's with glibc, the library of the engine's own
//! platform.

use super::psa::{Psa, frame_length_error, is_frame_length};
use super::record::BoneState;
use crate::bytes::to_u64;
use crate::report::{Error, ErrorKind, Section};

/// A transform of column vectors, in column order: element `4 * column + row`. The translation is in 12, 13 and 14.
pub type Matrix = [f32; 16];

/// The transform that changes nothing.
pub const IDENTITY: Matrix = [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0];

const POSE: Section = Section::named("pose");

/// Above this distance of the cosine from 1, rotations are interpolated on the sphere, below it on the line.
const SLERP_FROM: f32 = 0.0001;

/// The time after the last frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Playback {
    /// The last frame blends into the first over one frame length; then time starts over.
    Loop,
    /// The last frame stays for its length; then time starts over. The engine stops the clock before: see
    /// [`play_time`](Psa::play_time).
    Once,
}

impl Psa<'_> {
    /// Writes the matrix of each bone at a time, in model space. Between two frames, translation is interpolated on the
    /// line and rotation on the sphere. O(bones), no allocation.
    ///
    /// ```
    /// use skelmap::pyrogenesis::{IDENTITY, Playback, Psa};
    ///
    /// let bytes = std::fs::read("tests/corpus/pyrogenesis/psa/walk.psa")?;
    /// let animation = Psa::parse(&bytes)?;
    /// animation.prove_playable()?;
    /// let mut pose = vec![IDENTITY; animation.bone_count()];
    /// animation.pose(250.0, Playback::Loop, &mut pose)?;
    /// println!("the first bone is at {:?}", &pose[0][12..15]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// Bit for bit the engine's result with glibc. Proven on glibc 2.36.
    ///
    /// # Errors
    /// [`ErrorKind::Time`] for a time that is negative or NaN, or more frames away than an `i32` counts;
    /// [`FRAME_LENGTH`](super::codes::FRAME_LENGTH) and [`ErrorKind::NoFrames`] for a file on which the engine would
    /// crash; [`ErrorKind::BufferSize`] if `out` does not have one matrix for each bone.
    pub fn pose(&self, time_ms: f32, playback: Playback, out: &mut [Matrix]) -> Result<(), Error> {
        self.prove_playable()?;
        self.prove_buffer(out.len(), self.bone_count())?;
        self.write_pose(time_ms, playback, out)
    }

    /// The time of the pose after `elapsed_ms` of playback, as in the engine: the rest after whole loops, or at most a
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

    /// Poses at many times: `out` has one matrix for each bone of the first time, then of the second. O(times * bones),
    /// no allocation.
    ///
    /// # Errors
    /// Those of [`pose`](Psa::pose); `out` must have one matrix for each bone and time. Poses before the error are
    /// written.
    pub fn poses(&self, times_ms: &[f32], playback: Playback, out: &mut [Matrix]) -> Result<(), Error> {
        self.prove_playable()?;
        self.prove_buffer(out.len(), times_ms.len().saturating_mul(self.bone_count()))?;
        let mut poses = out.chunks_exact_mut(self.bone_count().max(1));
        times_ms.iter().try_for_each(|time| self.write_pose(*time, playback, poses.next().unwrap_or_default()))
    }

    /// The pose of every frame as stored, frame after frame. O(states), no allocation.
    ///
    /// # Errors
    /// [`ErrorKind::BufferSize`] if `out` does not have one matrix for each state.
    pub fn frame_poses(&self, out: &mut [Matrix]) -> Result<(), Error> {
        self.prove_buffer(out.len(), self.states().len())?;
        out.iter_mut().zip(self.states()).for_each(|(matrix, state)| *matrix = of_state(state));
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

    /// The frame at a time, and the part of the frame before that time, 0 to 1.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_precision_loss,
        clippy::cast_sign_loss,
        clippy::as_conversions,
        reason = "the engine's own conversions, after the range is proven"
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

    /// Proves that there is a pose: at least one frame, and a positive frame length. Every file parsed with
    /// [`Strictness::Strict`](super::Strictness) has both.
    ///
    /// # Errors
    /// [`FRAME_LENGTH`](super::codes::FRAME_LENGTH) or [`ErrorKind::NoFrames`].
    pub fn prove_playable(&self) -> Result<(), Error> {
        let length = self.frame_length_ms();
        if !is_frame_length(length) {
            return Err(self.pose_error(frame_length_error(length)));
        }
        if self.declared_frame_count() == 0 {
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

/// Proves that a buffer has the needed length.
pub(super) fn prove_buffer(given: usize, needed: usize) -> Result<(), ErrorKind> {
    if given == needed {
        return Ok(());
    }
    Err(ErrorKind::BufferSize { needed: to_u64(needed), given: to_u64(given) })
}

/// The matrix of a state. The engine multiplies the rotation with the identity, which changes the sign of some zeros.
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
#[rustfmt::skip]
pub(super) fn rotation_matrix([x, y, z, w]: [f32; 4]) -> Matrix {
    let (xx, yy, zz) = (x * x * 2.0, y * y * 2.0, z * z * 2.0);
    let (xy, xz, yz) = (x * y * 2.0, x * z * 2.0, y * z * 2.0);
    let (xw, yw, zw) = (x * w * 2.0, y * w * 2.0, z * w * 2.0);
    [
        1.0 - (yy + zz), xy + zw, xz - yw, 0.0,
        xy - zw, 1.0 - (xx + zz), yz + xw, 0.0,
        xz + yw, yz - xw, 1.0 - (xx + yy), 0.0,
        0.0, 0.0, 0.0, 1.0,
    ]
}

/// Interpolates two rotations, the shorter way. Not normalised.
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

/// The product of two transforms: `right` first, then `left`. The sums keep all four terms for the signs of zeros.
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
