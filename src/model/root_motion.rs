//! The motion of a model that the root of a clip carries.

use super::binding::Binding;
use super::clip::Clip;
use super::maths::{conjugated, floor64, rotation_product, turned};
use super::sampler::Wrap;
use super::transform::Transform;
use crate::report::Error;

impl Binding {
    /// How far a root has moved the model between two times in seconds: a rotation and a translation relative to the model as it stands at `from`,
    /// without scale. Of a bone that is no root, the motion is relative to its parent. O(log loops), no allocation; in a file with frames of
    /// different lengths and without an index, also O(frames before).
    ///
    /// A game moves the object by it, and puts the bone of each pose back to its transform in the first frame:
    /// `object = object.product(&motion).with_unit_rotation()`. With [`Wrap::Loop`] each loop goes on from where the one before has ended, which is at the last
    /// frame; while the last frame blends into the first, nothing moves. With [`Wrap::Closed`] there is no such frame. `to` may be before `from`. NaN means 0 seconds.
    ///
    /// ```
    /// use skelmap::{Asset, model::{Binding, Transform, Wrap}};
    ///
    /// let bytes = std::fs::read("corpus/fox.psa")?;
    /// let asset = Asset::parse(&bytes)?;
    /// let clip = asset.clips().next().ok_or("no clip")?;
    /// let binding = Binding::of_clip(&clip);
    /// let root = clip.skeleton().roots().next().ok_or("no root")?;
    /// let start = binding.sample_bone(&clip, 0.0, Wrap::Clamp, root)?;
    /// let (mut object, mut pose) = (Transform::IDENTITY, binding.to_rest());
    /// for step in 0..60 {
    ///     let (from, to) = (f64::from(step) / 30.0, f64::from(step + 1) / 30.0);
    ///     binding.sample(&clip, to, Wrap::Loop, &mut pose)?;
    ///     pose[root] = start;
    ///     object = object.product(&binding.root_motion(&clip, root, from, to, Wrap::Loop)?).with_unit_rotation();
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`sample`](Binding::sample) and [`sample_bone`](Binding::sample_bone).
    pub fn root_motion(
        &self,
        clip: &Clip<'_>,
        bone: usize,
        from: f64,
        to: f64,
        wrap: Wrap,
    ) -> Result<Transform, Error> {
        let place = |position| self.sample_bone_frame(clip, position, Wrap::Clamp, bone);
        let at = |seconds: f64| Ok::<_, Error>(turns(clip.position_of(seconds)?, clip.frame_count(), wrap));
        let ((loops_before, from), (loops_after, to)) = (at(from)?, at(to)?);
        let start = place(0.0)?;
        let (before, after) = (motion(&start, &place(from)?), motion(&start, &place(to)?));
        let loops = loops_after - loops_before;
        if loops == 0.0 {
            return Ok(inverse(&before).product(&after).with_unit_rotation());
        }
        let one = motion(&start, &place(f64::MAX)?);
        let all = power(if loops < 0.0 { inverse(&one) } else { one }, loops.abs());
        Ok(inverse(&before).product(&all).product(&after).with_unit_rotation())
    }
}

/// The motion of a model that brings a bone from one place to another: `to` after the inverse of `from`, without scales.
fn motion(from: &Transform, to: &Transform) -> Transform {
    let rotation = rotation_product(to.rotation, conjugated(from.rotation));
    let ([x, y, z], [fx, fy, fz]) = (to.translation, turned(rotation, from.translation));
    Transform::new([x - fx, y - fy, z - fz], rotation)
}

fn inverse(own: &Transform) -> Transform {
    motion(own, &Transform::IDENTITY)
}

/// The loops before a position in frames, and the position in its loop.
fn turns(position: f64, frames: usize, wrap: Wrap) -> (f64, f64) {
    let length = wrap.length(frames);
    let loops = floor64(position / length);
    match wrap {
        Wrap::Loop | Wrap::Closed if loops.is_finite() => (loops, position - loops * length),
        _ => (0.0, position),
    }
}

/// A motion, repeated a whole number of times: the motions of 1, 2, 4, ... times, of which the number is the sum.
fn power(one: Transform, times: f64) -> Transform {
    let (mut all, mut some, mut left) = (Transform::IDENTITY, one, times);
    while left >= 1.0 {
        if left % 2.0 != 0.0 {
            all = all.product(&some).with_unit_rotation();
        }
        some = some.product(&some).with_unit_rotation();
        left = floor64(left / 2.0);
    }
    all
}
