//! Arithmetic of poses: blends of two, sums with differences, and rotations without jumps of sign. Nothing allocates.
//!
//! A pose is a slice with a transform for each bone, as [`Binding::sample`](super::Binding::sample) and
//! [`Clip::sample`](super::Clip::sample) write it. Rotations must have unit length, as sampled ones have; results have it too.
//!
//! A weight is 1 for the whole effect and 0 for none; beyond these, a blend goes on past the poses, and rotations lose their unit length far
//! away from them. A mask is a factor of the weight for each bone; an empty one means 1 for all.
//!
//! ```
//! use skelmap::{Asset, model::{Binding, Wrap, pose}};
//!
//! // From a walk to a stand, a quarter of the way; the tail stays as in the walk.
//! let bytes = std::fs::read("corpus/fox.psa")?;
//! let asset = Asset::parse(&bytes)?;
//! let clips: Vec<_> = asset.clips().collect();
//! let binding = Binding::of_clip(&clips[0]);
//! let (mut walk, mut idle) = (binding.to_rest(), binding.to_rest());
//! binding.sample(&clips[0], 0.25, Wrap::Loop, &mut walk)?;
//! binding.sample(&clips[1], 0.25, Wrap::Loop, &mut idle)?;
//! let is_tail = |bone| clips[0].skeleton().name(bone).is_some_and(|name| name.to_string().contains("tail"));
//! let mask: Vec<f32> = (0..walk.len()).map(|bone| if is_tail(bone) { 0.0 } else { 1.0 }).collect();
//! pose::blend(&mut walk, &idle, 0.25, &mask)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use super::maths::{NO_TURN, Rotation, conjugated, cosine, rotation_product};
use super::sampler::{blend_rotation, blend_vector};
use super::transform::Transform;
use crate::report::{Error, ErrorKind, Section};

/// Moves a pose towards another one: translations and scales on a line, rotations the shorter way on the arc. O(bones).
///
/// # Errors
/// [`BufferSize`](crate::ErrorKind::BufferSize) if the poses, or a mask that is not empty, have other numbers of bones.
pub fn blend(pose: &mut [Transform], other: &[Transform], weight: f32, mask: &[f32]) -> Result<(), Error> {
    each(pose, other, weight, mask, |own, other, weight| Transform {
        translation: blend_vector(own.translation, other.translation, weight),
        rotation: blend_rotation(own.rotation, other.rotation, weight),
        scale: blend_vector(own.scale, other.scale, weight),
    })
}

/// Adds differences to a pose, for instance the pose of an additive clip: translations are summed and scales multiplied, and the rotation
/// of the difference follows that of the pose, in the space of the parent. Unreal Engine adds rotations and translations so; its raw scales
/// are offsets from 1. O(bones).
///
/// The pose of an additive clip comes from a binding [`as_differences`](super::Binding::as_differences): otherwise bones without a track have
/// their bind pose, which is no difference.
///
/// [`Hierarchy::add_in_model_space`](super::Hierarchy::add_in_model_space) is for differences that are relative to the model.
///
/// # Errors
/// As [`blend`].
pub fn add(pose: &mut [Transform], differences: &[Transform], weight: f32, mask: &[f32]) -> Result<(), Error> {
    each(pose, differences, weight, mask, Transform::plus)
}

/// Makes differences of a pose: those that [`add`] makes into the pose again, on top of `base`. The scales of `base` must not be 0.
/// O(bones).
///
/// # Errors
/// As [`blend`].
pub fn subtract(pose: &mut [Transform], base: &[Transform]) -> Result<(), Error> {
    each(pose, base, 1.0, &[], |own, base, _| {
        let ([x, y, z], [bx, by, bz]) = (own.translation, base.translation);
        let ([sx, sy, sz], [tx, ty, tz]) = (own.scale, base.scale);
        Transform {
            translation: [x - bx, y - by, z - bz],
            rotation: rotation_product(own.rotation, conjugated(base.rotation)),
            scale: [sx / tx, sy / ty, sz / tz],
        }
    })
}

/// Gives each rotation the sign that is nearer to the pose before: `q` and `-q` turn alike, but numbers that jump between them cannot be
/// filtered, fitted or compressed. Applied from the second pose of a sequence on. O(bones).
///
/// ```
/// use skelmap::{Asset, model::{Transform, Wrap, pose}};
///
/// let bytes = std::fs::read("corpus/fox.psa")?;
/// let asset = Asset::parse(&bytes)?;
/// let clip = asset.clips().next().ok_or("no clip")?;
/// let mut before = vec![Transform::IDENTITY; clip.track_count()];
/// clip.sample(0.0, Wrap::Clamp, &mut before)?;
/// for step in 1..=60 {
///     let mut pose = before.clone();
///     clip.sample(f64::from(step) / 60.0, Wrap::Loop, &mut pose)?;
///     pose::align(&mut pose, &before)?;
///     before = pose; // rotations go on without a jump
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As [`blend`].
pub fn align(pose: &mut [Transform], before: &[Transform]) -> Result<(), Error> {
    each(pose, before, 1.0, &[], |own, before, _| {
        let is_far = cosine(own.rotation, before.rotation) < 0.0;
        Transform { rotation: if is_far { own.rotation.map(|part| -part) } else { own.rotation }, ..*own }
    })
}

/// Replaces each transform of a pose.
fn each(
    pose: &mut [Transform],
    other: &[Transform],
    weight: f32,
    mask: &[f32],
    result: impl Fn(&Transform, &Transform, f32) -> Transform,
) -> Result<(), Error> {
    let weights = Weights::of(weight, mask, pose.len())?;
    check_poses(pose.len(), &[other.len()])?;
    for ((bone, own), other) in pose.iter_mut().enumerate().zip(other) {
        *own = result(own, other, weights.of_bone(bone));
    }
    Ok(())
}

/// The weight of each bone.
#[derive(Clone, Copy)]
pub(super) struct Weights<'m> {
    all: f32,
    mask: &'m [f32],
}

impl<'m> Weights<'m> {
    pub(super) fn of(all: f32, mask: &'m [f32], bones: usize) -> Result<Self, Error> {
        if !mask.is_empty() {
            check_poses(bones, &[mask.len()])?;
        }
        Ok(Self { all, mask })
    }

    #[inline]
    pub(super) fn of_bone(&self, bone: usize) -> f32 {
        self.mask.get(bone).map_or(self.all, |own| self.all * own)
    }
}

impl Transform {
    /// This transform with a part of a difference, as the keys of additive clips are: translations are summed, scales multiplied, and the
    /// rotation of the difference follows in the space of the parent. Rotations must have unit length. O(1).
    #[must_use]
    pub fn plus(&self, difference: &Self, weight: f32) -> Self {
        let ([x, y, z], [dx, dy, dz]) = (self.translation, difference.translation);
        let ([sx, sy, sz], [tx, ty, tz]) = (self.scale, blend_vector([1.0; 3], difference.scale, weight));
        Self {
            translation: [x + dx * weight, y + dy * weight, z + dz * weight],
            rotation: rotation_product(partly(difference.rotation, weight), self.rotation),
            scale: [sx * tx, sy * ty, sz * tz],
        }
    }
}

/// A part of a rotation.
#[inline]
pub(super) fn partly(rotation: Rotation, weight: f32) -> Rotation {
    // The whole one, exactly.
    if weight == 1.0 { rotation } else { blend_rotation(NO_TURN, rotation, weight) }
}

pub(super) fn check_poses(bones: usize, given: &[usize]) -> Result<(), Error> {
    let mut checked = given.iter().map(|given| ErrorKind::check_buffer(*given, bones));
    checked.try_for_each(|checked| checked.map_err(|kind| Error::new(kind, Section::named("pose"), 0)))
}
