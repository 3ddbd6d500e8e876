//! Forward kinematics: the places of bones in the model, from transforms relative to their parents.

use alloc::vec::Vec;

use super::clip::Clip;
use super::maths::{Rotation, conjugated, product, rotation_product};
use super::matrix::Matrix;
use super::pose::{Weights, check_poses, partly};
use super::skeleton::Skeleton;
use super::transform::Transform;
use crate::bytes::to_u32;
use crate::report::Error;

/// The bones of a skeleton, each after its parent: prepared once, without a mesh.
///
/// Nothing allocates afterwards. A cycle of parents is cut, as [`Skeleton::to_order`] says. In a family without parents every bone is a
/// root.
///
/// ```
/// use skelmap::{Asset, model::{Binding, Hierarchy, Transform, Wrap}};
///
/// // The places of all bones, half a second into a clip. No mesh is needed.
/// let bytes = std::fs::read("corpus/fox.psa")?;
/// let asset = Asset::parse(&bytes)?;
/// let clip = asset.clips().next().ok_or("no clip")?;
/// let (binding, hierarchy) = (Binding::of_clip(&clip), Hierarchy::of_clip(&clip));
/// let mut pose = binding.to_rest();
/// let mut places = vec![Transform::IDENTITY; hierarchy.bone_count()];
/// binding.sample(&clip, 0.5, Wrap::Loop, &mut pose)?;
/// hierarchy.model_transforms(&pose, &mut places)?;
/// for (bone, place) in places.iter().enumerate() {
///     println!("{:?} at {:?}", clip.skeleton().name(bone), place.translation);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Hierarchy {
    /// Every bone after its parent; `None` for a root.
    order: Vec<(u32, Option<u32>)>,
}

impl Hierarchy {
    /// The bones of a skeleton. O(bones).
    pub fn new(skeleton: &Skeleton<'_>) -> Self {
        let order = skeleton.to_order();
        let parents: Vec<Option<u32>> = skeleton.parents().map(|parent| parent.map(to_u32)).collect();
        let parent = |bone: u32| {
            let parent = parents.get(at(bone)).copied().flatten();
            parent.filter(|_| order.cut.binary_search(&bone).is_err())
        };
        Self { order: order.parents_first.iter().map(|bone| (*bone, parent(*bone))).collect() }
    }

    /// The bones of a clip that is played without a mesh: those of the poses of [`Binding::of_clip`](super::Binding::of_clip). O(bones).
    ///
    /// Animations of `UModel` have no hierarchy: see [`is_flat`](Hierarchy::is_flat).
    pub fn of_clip(clip: &Clip<'_>) -> Self {
        if clip.has_bones() {
            Self::new(&clip.skeleton())
        } else {
            Self { order: (0..).zip(clip.bones()).map(|(bone, _)| (bone, None)).collect() }
        }
    }

    /// Whether all bones are children of the first one, and there are at least three. `UModel` writes animations so, and keeps the
    /// hierarchy in the mesh: places that are computed without the mesh are wrong then. [`Hierarchy::new`] of the skeleton of the mesh, and
    /// [`Binding::new`](super::Binding::new), give the right ones.
    ///
    /// ```
    /// use skelmap::{Asset, model::Hierarchy};
    ///
    /// let bytes = std::fs::read("corpus/fox.psa")?;
    /// let clip = Asset::parse(&bytes)?.clips().next().ok_or("no clip")?;
    /// assert!(!Hierarchy::of_clip(&clip).is_flat());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn is_flat(&self) -> bool {
        let mut bones = self.bones();
        let first = bones.next();
        self.bone_count() > 2
            && first.is_some_and(|(first, parent)| parent.is_none() && bones.all(|(_, parent)| parent == Some(first)))
    }

    /// Number of bones.
    pub fn bone_count(&self) -> usize {
        self.order.len()
    }

    /// The bones, each after its parent, with the parent; `None` for a root.
    pub fn bones(&self) -> impl DoubleEndedIterator<Item = (usize, Option<usize>)> + ExactSizeIterator + '_ {
        self.order.iter().map(|(bone, parent)| (at(*bone), parent.map(at)))
    }

    /// The model matrix of each bone: the transforms of a pose, multiplied along the hierarchy. The position of a bone is in the elements
    /// 12, 13 and 14. O(bones), no allocation.
    ///
    /// # Errors
    /// [`BufferSize`](crate::ErrorKind::BufferSize) if the pose does not have a transform for each bone, or `out` not a matrix for each.
    pub fn model_matrices(&self, pose: &[Transform], out: &mut [Matrix]) -> Result<(), Error> {
        check_poses(self.bone_count(), &[pose.len(), out.len()])?;
        self.write(pose, out);
        Ok(())
    }

    /// [`model_matrices`](Self::model_matrices), where the lengths are known to be right.
    pub(super) fn write(&self, pose: &[Transform], out: &mut [Matrix]) {
        for (bone, parent) in self.bones() {
            let Some(local) = pose.get(bone).map(Transform::to_matrix) else { continue };
            let parent = parent.and_then(|parent| out.get(parent));
            let matrix = parent.map_or(local, |parent| product(parent, &local));
            out.get_mut(bone).into_iter().for_each(|out| *out = matrix);
        }
    }

    /// The transform of each bone relative to the model: its position, rotation and scale. O(bones), no allocation.
    ///
    /// Equal to [`model_matrices`](Self::model_matrices) up to rounding, where the scales of parents are the same along all axes. Else a
    /// matrix can have a shear, which a transform cannot.
    ///
    /// # Errors
    /// As [`model_matrices`](Self::model_matrices).
    pub fn model_transforms(&self, pose: &[Transform], out: &mut [Transform]) -> Result<(), Error> {
        check_poses(self.bone_count(), &[pose.len(), out.len()])?;
        for (bone, parent) in self.bones() {
            let Some(local) = pose.get(bone) else { continue };
            let parent = parent.and_then(|parent| out.get(parent));
            let placed = parent.map_or(*local, |parent| parent.product(local));
            out.get_mut(bone).into_iter().for_each(|out| *out = placed);
        }
        Ok(())
    }

    /// Adds differences to a pose whose rotations are relative to the model, as those of Unreal's aim offsets are ("mesh space"): `out`
    /// has the sum, relative to the parents: each bone turns in the model by its difference, `difference * rotation`, whatever its parents do. Translations and scales are added as by [`pose::add`](super::pose::add), which also says what
    /// `weight` and `mask` are. O(bones), no allocation.
    ///
    /// # Errors
    /// [`BufferSize`](crate::ErrorKind::BufferSize) if one of the poses does not have a transform for each bone, or a mask that is not empty
    /// a number for each.
    pub fn add_in_model_space(
        &self,
        pose: &[Transform],
        differences: &[Transform],
        weight: f32,
        mask: &[f32],
        out: &mut [Transform],
    ) -> Result<(), Error> {
        let weights = Weights::of(weight, mask, self.bone_count())?;
        check_poses(self.bone_count(), &[differences.len()])?;
        self.model_transforms(pose, out)?;
        let turn = |bone: usize| differences.get(bone).map(|own| partly(own.rotation, weights.of_bone(bone)));
        // Children first: the rotation of a parent is still that of the pose.
        for (bone, parent) in self.bones().rev() {
            let turned = |out: &[Transform], bone: usize| -> Option<Rotation> {
                Some(rotation_product(turn(bone)?, out.get(bone)?.rotation))
            };
            let Some((own, difference)) = pose.get(bone).zip(differences.get(bone)) else { continue };
            let Some(rotation) = turned(out, bone) else { continue };
            let parent = parent.and_then(|parent| turned(out, parent));
            let rotation = parent.map_or(rotation, |parent| rotation_product(conjugated(parent), rotation));
            out.get_mut(bone)
                .into_iter()
                .for_each(|out| *out = Transform { rotation, ..own.plus(difference, weights.of_bone(bone)) });
        }
        Ok(())
    }
}

fn at(bone: u32) -> usize {
    usize::try_from(bone).unwrap_or(usize::MAX)
}
