//! Clips that are played on top of another: the pose to which they are added.

use crate::options::Additive;
use crate::rig::Rig;
use skelmap::model::Transform;
use skelmap::model::maths::{NO_TURN, Rotation, conjugated, rotation_product};

/// The base pose of additive clips.
#[derive(Debug)]
pub(crate) struct Base {
    kind: Additive,
    pose: Vec<Transform>,
    /// The rotation of each bone relative to the model.
    of_model: Vec<Rotation>,
}

impl Base {
    /// The first frame of a clip, if it has keys for the bones, else the rest pose.
    pub(crate) fn new(kind: Additive, rig: &Rig, first_key: impl Fn(usize) -> Option<Transform>) -> Self {
        let first = |(bone, bind): (usize, &Transform)| {
            let key = first_key(bone);
            key.filter(|key| key.translation.iter().chain(&key.rotation).all(|value| value.is_finite()))
                .unwrap_or(*bind)
        };
        let pose: Vec<Transform> = rig.bind.iter().enumerate().map(first).collect();
        Self { kind, of_model: rig.to_model_rotations(&pose), pose }
    }

    /// Whether a bone without a track moves because its parent rotates.
    pub(crate) fn moves_children(&self) -> bool {
        self.kind == Additive::Mesh
    }

    /// The transform of a bone to which a delta is added, as in Unreal Engine: translations are summed; the rotation of the
    /// delta follows that of the base, in the space of the parent or of the mesh. `of_parent` is the delta of the parent's
    /// rotation.
    pub(crate) fn add(&self, bone: usize, parent: Option<usize>, delta: &Transform, of_parent: Rotation) -> Transform {
        let base = self.pose.get(bone).copied().unwrap_or_default();
        let ([x, y, z], [dx, dy, dz]) = (base.translation, delta.translation);
        let rotation = if self.kind == Additive::Mesh {
            let of_model = |bone: usize| self.of_model.get(bone).copied().unwrap_or(NO_TURN);
            let parent = parent.map_or(NO_TURN, |parent| rotation_product(of_parent, of_model(parent)));
            rotation_product(conjugated(parent), rotation_product(delta.rotation, of_model(bone)))
        } else {
            rotation_product(delta.rotation, base.rotation)
        };
        Transform { translation: [x + dx, y + dy, z + dz], rotation, scale: base.scale }
    }
}
