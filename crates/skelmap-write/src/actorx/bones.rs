//! The joints of a model as the bones of a file: one root first, and every bone after its parent.

use skelmap::actorx::Bone;

use super::text::Names;
use super::{ActorxError, ActorxOptions};
use crate::affine::{Place, Quaternion, Vector, conjugated, narrowed, rotation_product};
use crate::model::Model;
use crate::pyrogenesis::JointAxes;

/// The name of a bone that stands above several roots, or alone.
const ROOT: &str = "ROOT";

/// The maximum number of bones: indices of old readers have 16 bits.
const MAX_BONES: usize = 32_767;

/// The inverse of the change from Blender's world to that of glTF: y becomes z and z becomes -y.
const TO_ACTORX: Quaternion = [std::f64::consts::FRAC_1_SQRT_2, 0.0, 0.0, std::f64::consts::FRAC_1_SQRT_2];

/// The bones of a file, made of the joints of a model: for its mesh and its animations alike.
///
/// ```no_run
/// use skelmap_write::Gltf;
/// use skelmap_write::actorx::{ActorxOptions, Armature, ClipKeys, write_animation};
///
/// let bytes = std::fs::read("fox.glb")?;
/// let gltf = Gltf::parse(&bytes)?;
/// let (model, options) = (gltf.to_model(None)?, ActorxOptions::default());
/// let armature = Armature::new(&model, &options)?;
/// armature.write_mesh(&model, &options, &mut std::fs::File::create("fox.psk")?)?;
/// let clips: Vec<_> = (0..gltf.clip_count()).filter_map(|index| gltf.clip(index, None).transpose()).collect::<Result<_, _>>()?;
/// let clips: Vec<_> = clips.iter().map(ClipKeys::new).collect();
/// write_animation(&armature, &clips, &mut std::fs::File::create("fox.psa")?)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Armature {
    pub(super) bones: Vec<Bone>,
    /// For each bone, its joint; none for a root that was added.
    joints: Vec<Option<usize>>,
    /// For each bone, its parent.
    parents: Vec<usize>,
    /// For each joint, its bone.
    numbers: Vec<usize>,
    axes: JointAxes,
    metres: f64,
    /// Names that were cut, numbered, or have characters less.
    pub(super) changed_names: usize,
    /// Whether a root was added above several.
    pub(super) has_new_root: bool,
}

impl Armature {
    /// The bones of a model. A model without joints gets one bone, `ROOT`; several roots get one above them. O(joints).
    ///
    /// # Errors
    /// [`ActorxError`]: too many bones, a place that is not finite, a unit that is not positive.
    pub fn new(model: &Model, options: &ActorxOptions) -> Result<Self, ActorxError> {
        if !(options.metres.is_finite() && options.metres > 0.0) {
            return Err(ActorxError::NotPositive("the unit"));
        }
        let axes = options.axes.unwrap_or(if model.is_ours() { JointAxes::Game } else { JointAxes::Blender });
        let order = parents_first(model);
        let roots = model.joints.iter().filter(|joint| joint.parent.is_none()).count();
        let has_new_root = roots != 1;
        let mut own = Self {
            bones: Vec::new(),
            joints: if has_new_root { vec![None] } else { Vec::new() },
            parents: if has_new_root { vec![0] } else { Vec::new() },
            numbers: vec![0; model.joints.len()],
            axes,
            metres: options.metres.into(),
            changed_names: 0,
            has_new_root: roots > 1,
        };
        for joint in order {
            let parent = model.joints.get(joint).and_then(|joint| joint.parent);
            let parent = parent.and_then(|parent| own.numbers.get(parent)).copied().unwrap_or(0);
            if let Some(number) = own.numbers.get_mut(joint) {
                *number = own.joints.len();
            }
            own.joints.push(Some(joint));
            own.parents.push(parent);
        }
        if own.joints.len() > MAX_BONES {
            return Err(ActorxError::TooMany { count: own.joints.len(), what: "bones", limit: MAX_BONES });
        }
        let places: Vec<Place> = model.joints.iter().map(|joint| joint.place).collect();
        let locals = own.to_locals(&places);
        let mut names = Names::default();
        let mut children = vec![0_i32; own.joints.len()];
        for (bone, parent) in own.parents.iter().enumerate().skip(1) {
            debug_assert!(*parent < bone, "a parent comes before its bones");
            children.get_mut(*parent).into_iter().for_each(|count| *count = count.saturating_add(1));
        }
        for (index, (joint, (translation, rotation))) in own.joints.iter().zip(&locals).enumerate() {
            let name = joint.and_then(|joint| model.joints.get(joint)).map_or(ROOT, |joint| joint.name.as_str());
            if !translation.iter().chain(rotation).all(|value| value.is_finite()) {
                return Err(ActorxError::NotFinite { what: "bone", index });
            }
            let parent = own.parents.get(index).copied().unwrap_or(0);
            let bone = Bone::default()
                .with_name(&names.add(name, &format!("bone_{index}")))
                .with_child_count(children.get(index).copied().unwrap_or(0))
                .with_parent_index(i32::try_from(parent).unwrap_or(0))
                .with_rotation(*rotation)
                .with_translation(*translation);
            own.bones.push(bone);
        }
        own.changed_names = names.changed;
        Ok(own)
    }

    /// Number of bones.
    pub fn bone_count(&self) -> usize {
        self.bones.len()
    }

    /// The axes of the joints.
    pub const fn axes(&self) -> JointAxes {
        self.axes
    }

    /// The bone of a joint.
    pub(super) fn bone_of(&self, joint: usize) -> usize {
        self.numbers.get(joint).copied().unwrap_or(0)
    }

    /// The places of the bones relative to their parents as the file stores them, of the places of the joints in the scene.
    pub(super) fn to_locals(&self, places: &[Place]) -> Vec<([f32; 3], [f32; 4])> {
        let place = |bone: usize| {
            let joint = self.joints.get(bone).copied().flatten().and_then(|joint| places.get(joint));
            joint.map_or(Place::IDENTITY, |joint| self.place(joint))
        };
        let local = |(bone, parent): (usize, &usize)| {
            let own = place(bone);
            let own = if bone == 0 { own } else { own.seen_from(&place(*parent)) };
            // Of all bones but the first, the file stores the inverse rotation.
            let rotation = if bone == 0 { own.rotation } else { conjugated(own.rotation) };
            (narrowed(own.translation.map(|value| value / self.metres)), narrowed(rotation))
        };
        self.parents.iter().enumerate().map(local).collect()
    }

    /// The place of a joint in the space of the file, in metres.
    fn place(&self, joint: &Place) -> Place {
        let translation = to_actorx(joint.translation);
        let [x, y, z, w] = joint.rotation;
        let rotation = match self.axes {
            // The axes of the joint change with those of the space.
            JointAxes::Game => [x, -z, y, w],
            // They stay; the space alone turns.
            JointAxes::Blender => rotation_product(TO_ACTORX, joint.rotation),
        };
        Place { translation, rotation }
    }
}

/// A position of glTF in the space of the files: right-handed, z up.
pub(super) const fn to_actorx([x, y, z]: Vector) -> Vector {
    [x, -z, y]
}

/// The joints, each after its parent, the first root first.
fn parents_first(model: &Model) -> Vec<usize> {
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); model.joints.len()];
    let mut open = Vec::new();
    for (index, joint) in model.joints.iter().enumerate() {
        match joint.parent.and_then(|parent| children.get_mut(parent)) {
            Some(children) => children.push(index),
            None => open.push(index),
        }
    }
    // Where parents come first already, the order of the joints stays.
    let is_sorted = |(index, parent): (usize, Option<usize>)| parent.is_none_or(|parent| parent < index);
    if model.joints.iter().map(|joint| joint.parent).enumerate().all(is_sorted) {
        return (0..model.joints.len()).collect();
    }
    let mut order = Vec::with_capacity(model.joints.len());
    open.reverse();
    while let Some(joint) = open.pop() {
        order.push(joint);
        open.extend(children.get(joint).into_iter().flatten().rev());
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::affine::turned;

    #[test]
    fn the_change_of_the_space_is_a_quarter_turn() {
        for (from, to) in [
            ([1.0, 0.0, 0.0], [1.0, 0.0, 0.0]),
            ([0.0, 1.0, 0.0], [0.0, 0.0, 1.0]),
            ([0.0, 0.0, 1.0], [0.0, -1.0, 0.0]),
        ] {
            assert_eq!(to_actorx(from), to);
            for (found, expected) in turned(TO_ACTORX, from).into_iter().zip(to) {
                assert!((found - expected).abs() < 1e-15);
            }
        }
    }
}
