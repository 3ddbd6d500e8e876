//! The bones of a file: names, parents and rest transforms, as in nodes.

use crate::document::HierarchyBone;
use crate::report::{ExportReport, WriteError};
use skelmap::model::maths::{NO_TURN, Rotation, conjugated, dot, product, rotation_product, turned};
use skelmap::model::{Binding, Clip, IDENTITY, Matrix, Mesh, Relative, Skeleton, Transform};

/// The bones of a file.
#[derive(Debug)]
pub struct Rig {
    pub(crate) names: Vec<String>,
    /// Without cycles: one bone of each cycle is a root.
    pub parents: Vec<Option<usize>>,
    /// Every bone after its parent.
    order: Vec<usize>,
    /// At rest, relative to the parent.
    pub(crate) bind: Vec<Transform>,
    /// Whether clips are relative to the model although nodes are relative to their parents.
    pub(crate) is_regrouped: bool,
    /// Whether the positions of the bones are known.
    pub is_placed: bool,
}

/// Places bones without a finite transform at their parent.
fn place(bones: &mut [Transform], report: &mut ExportReport) {
    let is_finite = |bone: &Transform| {
        bone.translation.iter().chain(&bone.rotation).chain(&bone.scale).all(|value| value.is_finite())
    };
    for bone in bones.iter_mut().filter(|bone| !is_finite(bone)) {
        *bone = Transform::IDENTITY;
        report.misplaced_bones = report.misplaced_bones.saturating_add(1);
    }
}

impl Rig {
    pub(crate) fn of_mesh(
        mesh: &Mesh<'_>,
        hierarchy: &[HierarchyBone],
        report: &mut ExportReport,
    ) -> Result<Self, WriteError> {
        let skeleton = mesh.skeleton();
        let bones: Vec<usize> = (0..skeleton.bone_count()).collect();
        let bind = skeleton.bones().map(|bone| bone.rest()).collect();
        Self::new(&skeleton, &bones, bind, hierarchy, report)
    }

    pub(crate) fn of_clip(
        clip: &Clip<'_>,
        hierarchy: &[HierarchyBone],
        report: &mut ExportReport,
    ) -> Result<Self, WriteError> {
        let rig = Self::new(&clip.skeleton(), &clip.to_nodes(), Binding::of_clip(clip).to_rest(), hierarchy, report)?;
        Ok(Self { is_placed: clip.parts().translation, ..rig })
    }

    /// The bones of a clip, each with a transform of a pose of [`Binding::of_clip`].
    ///
    /// # Errors
    /// No error without a hierarchy.
    pub fn of_pose(clip: &Clip<'_>, pose: Vec<Transform>) -> Result<Self, WriteError> {
        let rig = Self::new(&clip.skeleton(), &clip.to_nodes(), pose, &[], &mut ExportReport::default())?;
        Ok(Self { is_placed: clip.parts().translation, ..rig })
    }

    fn new(
        skeleton: &Skeleton<'_>,
        bones: &[usize],
        mut bind: Vec<Transform>,
        hierarchy: &[HierarchyBone],
        report: &mut ExportReport,
    ) -> Result<Self, WriteError> {
        let is_regrouped = !hierarchy.is_empty() && skeleton.relative() != Relative::Parent;
        place(&mut bind, report);
        report.bones = bind.len();
        let (names, parents): (Vec<_>, Vec<_>) = skeleton.bones().map(|bone| (bone.name, bone.parent)).unzip();
        let name = |bone: usize| {
            let own = names.get(bone).copied().flatten();
            own.map_or_else(|| format!("bone_{bone}"), |name| name.to_string())
        };
        let mut rig = Self {
            names: bones.iter().map(|bone| name(*bone)).collect(),
            parents: vec![None; bind.len()],
            order: (0..bind.len()).collect(),
            bind,
            is_regrouped,
            is_placed: true,
        };
        if is_regrouped {
            rig.regroup(hierarchy)?;
            // The distance between huge positions can exceed the range of a float.
            place(&mut rig.bind, report);
        } else if bones.len() == skeleton.bone_count() {
            let order = skeleton.to_order();
            report.cut_bones = order.cut.len();
            rig.parents = parents;
            for bone in order.cut.iter().filter_map(|bone| usize::try_from(*bone).ok()) {
                rig.parents.get_mut(bone).into_iter().for_each(|parent| *parent = None);
            }
            rig.order = order.parents_first.into_iter().filter_map(|bone| usize::try_from(bone).ok()).collect();
        }
        Ok(rig)
    }

    /// Whether the values of a clip at its keys are all that is needed, also where they are added to a pose: values between keys follow.
    pub(crate) const fn is_by_key(&self, clip: &Clip<'_>, is_added: bool) -> bool {
        !self.is_regrouped && clip.has_channels() && (!is_added || clip.is_held())
    }

    /// Attaches bones that are relative to the model to their parents.
    fn regroup(&mut self, hierarchy: &[HierarchyBone]) -> Result<(), WriteError> {
        let sound = |(index, bone): &(usize, &HierarchyBone)| bone.parent.is_none_or(|parent| parent < *index);
        let (given, expected) = (hierarchy.iter().enumerate().take_while(sound).count(), self.bind.len());
        if given != expected || hierarchy.len() != expected {
            return Err(WriteError::Hierarchy { given, expected });
        }
        let of_model = self.bind.clone();
        let bones = self.names.iter_mut().zip(&mut self.parents).zip(&mut self.bind);
        for (((name, parent), bind), known) in bones.zip(hierarchy) {
            name.clone_from(&known.name);
            *parent = known.parent;
            if let Some(parent) = known.parent.and_then(|parent| of_model.get(parent)) {
                *bind = seen_from(parent, bind);
            }
        }
        Ok(())
    }

    pub(crate) fn bone_count(&self) -> usize {
        self.bind.len()
    }

    /// The world matrix of each bone, below an armature with this rotation.
    pub fn to_world(&self, armature: &Matrix) -> Vec<Matrix> {
        self.to_world_of(&self.bind, armature)
    }

    /// The world matrix of each bone in a pose.
    pub(crate) fn to_world_of(&self, pose: &[Transform], armature: &Matrix) -> Vec<Matrix> {
        let mut world = vec![IDENTITY; self.bind.len()];
        for &bone in &self.order {
            let Some(local) = pose.get(bone).map(Transform::to_matrix) else { continue };
            let parent = self.parents.get(bone).copied().flatten().and_then(|parent| world.get(parent));
            let matrix = product(parent.unwrap_or(armature), &local);
            world.get_mut(bone).into_iter().for_each(|place| *place = matrix);
        }
        world
    }

    /// The greatest distance from each bone of what it moves, which the bones below it may: that of its own, or that of a child from there.
    pub(crate) fn to_distances(&self, mut own: Vec<f32>) -> Vec<f32> {
        for &bone in self.order.iter().rev() {
            let (Some(bind), Some(distance)) = (self.bind.get(bone), own.get(bone).copied()) else { continue };
            let from_parent = dot(bind.translation, bind.translation).sqrt() + distance;
            if let Some(parent) = self.parents.get(bone).copied().flatten().and_then(|parent| own.get_mut(parent)) {
                *parent = parent.max(from_parent);
            }
        }
        own
    }

    /// The most that bones stretch what they move, of the largest scale of each in a clip: those of all bones above count too.
    pub(crate) fn stretch(&self, mut own: Vec<f32>) -> f32 {
        for &bone in &self.order {
            let parent = self.parents.get(bone).copied().flatten().and_then(|parent| own.get(parent)).copied();
            own.get_mut(bone).into_iter().for_each(|own| *own *= parent.unwrap_or(1.0));
        }
        own.into_iter().fold(1.0, f32::max)
    }

    /// The rotation of each bone in a pose, relative to the model.
    pub(crate) fn to_model_rotations(&self, pose: &[Transform]) -> Vec<Rotation> {
        let mut found = vec![NO_TURN; pose.len()];
        for &bone in &self.order {
            let Some(local) = pose.get(bone) else { continue };
            let parent = self.parents.get(bone).copied().flatten().and_then(|parent| found.get(parent));
            let rotation = parent.map_or(local.rotation, |parent| rotation_product(*parent, local.rotation));
            found.get_mut(bone).into_iter().for_each(|place| *place = rotation);
        }
        found
    }
}

/// A model transform relative to another one.
pub(crate) fn seen_from(parent: &Transform, child: &Transform) -> Transform {
    Transform {
        translation: translation_from((parent.rotation, parent.translation), child.translation),
        rotation: rotation_from(parent.rotation, child.rotation),
        scale: child.scale,
    }
}

/// A place in the model, seen from a bone with this rotation and place.
#[inline]
pub(crate) const fn translation_from(
    (rotation, [bx, by, bz]): (Rotation, [f32; 3]),
    [ax, ay, az]: [f32; 3],
) -> [f32; 3] {
    turned(conjugated(rotation), [ax - bx, ay - by, az - bz])
}

/// A rotation in the model, seen from a bone with the rotation `parent`.
#[inline]
pub(crate) const fn rotation_from(parent: Rotation, own: Rotation) -> Rotation {
    rotation_product(conjugated(parent), own)
}
