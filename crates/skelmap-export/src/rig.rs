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

#[cfg(test)]
mod tests {
    use super::*;

    use skelmap::Asset;
    use test_support::actorx::build::{Anim, Mesh as Sheet, chain};
    use test_support::swat3::build::{Frame, Gsa, Layout, biped};

    /// Three bones in a row, 5 and 2 from each other, with a fourth at the first.
    fn rig() -> Rig {
        let place = |translation| Transform { translation, ..Transform::IDENTITY };
        Rig {
            names: Vec::new(),
            parents: vec![Some(1), Some(3), Some(3), None],
            order: vec![3, 1, 0, 2],
            bind: [[0.0, 0.0, 2.0], [3.0, 0.0, 4.0], [0.0; 3], [100.0; 3]].map(place).to_vec(),
            is_regrouped: false,
            is_placed: true,
        }
    }

    #[test]
    fn a_bone_reaches_as_far_as_the_farthest_bone_below_it() {
        for (own, expected) in [
            ([7.0, 0.5, 0.25, 1.0], [7.0, 2.0 + 7.0, 0.25, 5.0 + 2.0 + 7.0]),
            ([1.0, 30.0, 0.25, 1.0], [1.0, 30.0, 0.25, 5.0 + 30.0]),
            ([1.0, 1.0, 60.0, 1.0], [1.0, 3.0, 60.0, 60.0]),
            ([0.0, 0.0, 0.0, 90.0], [0.0, 2.0, 0.0, 90.0]),
        ] {
            assert_eq!(rig().to_distances(own.to_vec()), expected);
        }
    }

    #[test]
    fn a_bone_stretches_by_its_scale_and_those_above_it() {
        for (own, expected) in [
            ([1.0, 1.0, 1.0, 1.0], 1.0),
            ([2.0, 3.0, 1.0, 5.0], 30.0),
            ([0.5, 3.0, 4.0, 5.0], 20.0),
            ([0.5, 0.5, 0.5, 0.5], 1.0),
        ] {
            assert_eq!(rig().stretch(own.to_vec()), expected);
        }
    }

    #[test]
    fn bones_without_a_finite_place_are_at_their_parents() {
        let whole = Transform { translation: [1.0, 2.0, 3.0], ..Transform::IDENTITY };
        let mut bones = [whole; 4];
        bones[1].translation[2] = f32::NAN;
        bones[2].rotation[3] = f32::INFINITY;
        bones[3].scale[0] = f32::NEG_INFINITY;
        let mut report = ExportReport { misplaced_bones: 7, ..ExportReport::default() };
        place(&mut bones, &mut report);
        assert_eq!((bones[0], report.misplaced_bones), (whole, 10));
        assert!(bones[1..].iter().all(|own| *own == Transform::IDENTITY));
    }

    #[test]
    fn parents_are_those_of_the_skeleton_if_each_bone_is_one_of_it() {
        let parents = |bytes: &[u8]| {
            let asset = Asset::parse(bytes).unwrap();
            let clip = asset.clips().next().unwrap();
            Rig::of_pose(&clip, Binding::of_clip(&clip).to_rest()).unwrap().parents
        };
        let named: Vec<u8> = Anim::sway(chain(3), &[("", 2, 30.0)]).chunks().into();
        assert_eq!(parents(&named), [None, Some(0), Some(1)]);
        // Tracks of SWAT 3, of which one may name a bone that the skeleton does not have. No parents are read.
        for (ids, bones) in [(&[0, 1, 2][..], 3), (&[0, 1, 9], 3), (&[2, 9], 2)] {
            let frames = vec![Frame::new(vec![[0.0, 0.0, 0.0, 1.0]; ids.len()])];
            let bytes = Gsa::new(1, Layout::Plain.skeleton(&biped(3)), ids, frames).build().bytes;
            assert_eq!(parents(&bytes), vec![None; bones], "{ids:?}");
        }
    }

    /// The second and the third are the parents of each other.
    #[test]
    fn one_bone_of_a_cycle_is_a_root() {
        let mut sheet = Sheet::sheet(3, 3, 4);
        for (bone, parent) in [(1, 2), (2, 1), (3, 2)] {
            sheet.bones[bone].parent = parent;
        }
        let bytes: Vec<u8> = sheet.chunks().into();
        let mesh = Asset::parse(&bytes).unwrap().mesh().unwrap();
        let mut report = ExportReport::default();
        let rig = Rig::of_mesh(&mesh, &[], &mut report).unwrap();
        let stays: Vec<bool> = [(1, 2), (2, 1)].map(|(bone, parent)| rig.parents[bone] == Some(parent)).to_vec();
        assert_eq!(stays.iter().filter(|own| **own).count(), 1, "{:?}", rig.parents);
        assert_eq!((rig.parents[0], rig.parents[3], report.cut_bones), (None, Some(2), 1));
        let place = |bone: usize| rig.order.iter().position(|own| *own == bone).unwrap();
        let ordered = |(bone, parent): (usize, &Option<usize>)| parent.is_none_or(|own| place(own) < place(bone));
        assert!(rig.order.len() == 4 && rig.parents.iter().enumerate().all(ordered));
    }
}
