//! A model as a mesh of the game.

use std::collections::HashSet;
use std::io::Write;

use skelmap::pyrogenesis::{Blend, BoneState, NO_BONE, PropTransform};

use super::PyrogenesisError;
use super::axes::{Seen, mirrored};
use super::bones::{JointBone, Rigging};
use super::exact::{Arrays, restore_states};
use super::parts::{MeshParts, Prop, static_blend};
use crate::affine::{Place, narrowed};
use crate::model::{Attachment, Model};

/// The most influences of a vertex.
pub(super) const MAX_INFLUENCES: usize = 4;

/// Influences below this weight are left out.
pub(super) const MIN_WEIGHT: f32 = 0.001;

/// The first prop point of every mesh.
const ROOT: &str = "root";

/// The most bones that releases before 28 draw.
pub(super) const OLD_BONES: usize = 63;

/// How far two states may differ that are said to be the same, in metres and in the components of a rotation.
const MAX_ROUNDING: f32 = 1e-4;

/// The name behind which the game looks no further; Blender makes second names unique by adding this.
const COPY_LENGTH: usize = 4;

/// What writing a mesh cut, renamed and dropped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
#[non_exhaustive]
pub struct MeshReport {
    /// Vertices.
    pub vertices: usize,
    /// Triangles.
    pub triangles: usize,
    /// Bones.
    pub bones: usize,
    /// Prop points, with `root`.
    pub props: usize,
    /// Vertices with more than four influences, of which the strongest four are kept.
    pub cut_vertices: usize,
    /// Influences with a weight below 0.001, which are left out.
    pub weak_influences: usize,
    /// Influences of joints that the skeleton does not have. The rule for them says what became of them.
    pub unknown_influences: usize,
    /// Vertices without influences, which follow the model.
    pub unmoved_vertices: usize,
    /// Bones of the skeleton without a joint: they are at the origin.
    pub bones_without_joints: usize,
    /// Prop points whose joint is no bone of the skeleton: they are left out.
    pub dropped_props: usize,
    /// Prop points whose name lost a number that Blender had added (`head.001`).
    pub renamed_props: usize,
    /// Whether releases before 28 cannot draw the mesh: it has more than 63 bones.
    pub has_many_bones: bool,
}

impl Rigging {
    /// Writes a model as a mesh (`.pmd`, version 4). Equal models give equal bytes. O(vertices log vertices).
    ///
    /// # Errors
    /// [`PyrogenesisError`]: limits, numbers that are not finite, and errors of the output.
    pub fn write_mesh(&self, model: &Model, out: &mut impl Write) -> Result<MeshReport, PyrogenesisError> {
        let mut report = MeshReport::default();
        let is_skinned = !model.joints.is_empty();
        let positions: Vec<[f32; 3]> = model.positions.iter().map(|position| mirrored(*position)).collect();
        let mut normals: Vec<[f32; 3]> = model.normals.iter().map(|normal| mirrored(or_x(*normal))).collect();
        let mut uvs: Vec<Vec<[f32; 2]>> =
            model.uvs.iter().map(|set| set.iter().map(|[u, v]| [*u, 1.0 - v]).collect()).collect();
        if uvs.is_empty() {
            // The game's own converter refuses meshes without a set.
            uvs.push(vec![[0.0; 2]; positions.len()]);
        }
        let mut blends = if is_skinned { self.to_blends(model, &mut report) } else { Vec::new() };
        let triangles: Vec<[u32; 3]> = model.triangles.iter().map(|triangle| triangle.vertices).collect();
        let mut bones: Vec<BoneState> =
            self.bones().iter().map(|joint| self.state(model, *joint, &mut report)).collect();
        if let Some(stored) = &model.stored {
            if !is_skinned {
                blends = vec![static_blend(); positions.len()];
            }
            let arrays = (&positions, &mut normals, &mut uvs, &mut blends);
            let (positions, normals, uvs, blends) = arrays;
            Arrays { positions, normals, uvs, blends }.restore(&stored.vertices);
            restore_states(&mut bones, &stored.bones);
        }
        let props = self.to_props(model, is_skinned, &mut report);
        let parts = MeshParts {
            positions: &positions,
            normals: &normals,
            uvs: &uvs,
            blends: &blends,
            triangles: &triangles,
            bones: &bones,
            props: &props,
        };
        parts.write(out)?;
        (report.vertices, report.triangles) = (positions.len(), triangles.len());
        (report.bones, report.props) = (bones.len(), props.len());
        report.has_many_bones = bones.len() > OLD_BONES;
        Ok(report)
    }

    /// The bind pose of a bone.
    fn state(&self, model: &Model, joint: Option<usize>, report: &mut MeshReport) -> BoneState {
        if let Some(joint) = joint.and_then(|joint| model.joints.get(joint)) {
            return state_of(&self.axes().bone(&joint.place));
        }
        report.bones_without_joints = report.bones_without_joints.saturating_add(1);
        absent()
    }

    fn to_blends(&self, model: &Model, report: &mut MeshReport) -> Vec<Blend> {
        let of_model = u8::try_from(self.bone_count()).unwrap_or(NO_BONE);
        let mut blends = Vec::with_capacity(model.positions.len());
        for vertex in 0..model.positions.len() {
            let all = model.influences.of(vertex);
            let influences = reduced(all, &mut report.cut_vertices, &mut report.weak_influences);
            let (mut bones, mut weights) = ([NO_BONE; MAX_INFLUENCES], [0.0; MAX_INFLUENCES]);
            if influences.is_empty() {
                report.unmoved_vertices = report.unmoved_vertices.saturating_add(1);
                (bones, weights) = unmoved(of_model);
            }
            for ((bone, weight), (joint, own)) in bones.iter_mut().zip(&mut weights).zip(influences) {
                match self.joint(skelmap::shared::to_usize(joint.into())) {
                    JointBone::Index(index) => (*bone, *weight) = (index, own),
                    // As the game's converter writes it: a slot without a bone, before which the others end.
                    JointBone::Unknown => report.unknown_influences = report.unknown_influences.saturating_add(1),
                }
            }
            blends.push(Blend::default().with_bones(bones).with_weights(weights));
        }
        blends
    }

    fn to_props(&self, model: &Model, is_skinned: bool, report: &mut MeshReport) -> Vec<Prop> {
        let mut props = Vec::new();
        let names: HashSet<&str> = model.attachments.iter().map(|attachment| attachment.name.as_str()).collect();
        for attachment in &model.attachments {
            let bone = match attachment.joint.map(|joint| self.joint(joint)) {
                None => NO_BONE,
                Some(JointBone::Index(bone)) if usize::from(bone) < self.bone_count() => bone,
                Some(_) => {
                    report.dropped_props = report.dropped_props.saturating_add(1);
                    continue;
                }
            };
            let (translation, rotation) = self.prop_place(attachment);
            let transform =
                PropTransform::default().with_translation(translation).with_rotation(rotation).with_bone_index(bone);
            let mut name = attachment.name.clone();
            if attachment.stored.is_none() {
                if let Some(short) = without_copy(&name).filter(|short| !names.contains(*short)) {
                    name.truncate(short.len());
                    report.renamed_props = report.renamed_props.saturating_add(1);
                }
            }
            props.push(Prop { name, transform });
        }
        put_root_first(&mut props, is_skinned);
        props
    }

    /// The place of a prop point, seen from its bone.
    fn prop_place(&self, attachment: &Attachment) -> ([f32; 3], [f32; 4]) {
        let seen = match attachment.joint {
            None => Seen::FromScene,
            Some(_) if attachment.is_joint => Seen::BoneFromJoint,
            Some(_) => Seen::FromJoint,
        };
        let place = self.axes().prop(&attachment.place, seen);
        let state = state_of(&place);
        let stored = attachment
            .stored
            .map(|stored| BoneState::default().with_translation(stored.translation).with_rotation(stored.rotation));
        // Somebody may have moved it since.
        let state = stored.filter(|stored| is_near(&state, stored)).unwrap_or(state);
        (state.translation(), state.rotation())
    }
}

/// The influences of a vertex as the game's converter reduces them: the sum of each joint, the four strongest, without those that are too weak, of sum 1.
/// `cut` and `weak` count vertices and influences.
pub(super) fn reduced(all: &[(u32, f32)], cut: &mut usize, weak: &mut usize) -> Vec<(u32, f32)> {
    let mut found: Vec<(u32, f32)> = Vec::with_capacity(all.len());
    for (joint, weight) in all {
        match found.iter_mut().find(|(other, _)| other == joint) {
            Some((_, sum)) => *sum += weight,
            None => found.push((*joint, *weight)),
        }
    }
    // A stable sort: of equal weights the first stay.
    found.sort_by(|(_, one), (_, other)| other.total_cmp(one));
    if found.len() > MAX_INFLUENCES {
        *cut = cut.saturating_add(1);
        found.truncate(MAX_INFLUENCES);
    }
    let strong = found.iter().take_while(|(_, weight)| *weight >= MIN_WEIGHT).count();
    *weak = weak.saturating_add(found.len().saturating_sub(strong));
    found.truncate(strong);
    let sum: f32 = found.iter().map(|(_, weight)| weight).sum();
    for (_, weight) in &mut found {
        *weight /= sum;
    }
    found.sort_by(|(joint, one), (other_joint, other)| other.total_cmp(one).then(joint.cmp(other_joint)));
    found
}

/// The influences of a vertex that no bone moves: it follows the model, whose index is the number of bones.
pub(super) const fn unmoved(of_model: u8) -> ([u8; MAX_INFLUENCES], [f32; MAX_INFLUENCES]) {
    ([of_model, NO_BONE, NO_BONE, NO_BONE], [1.0, 0.0, 0.0, 0.0])
}

/// Puts the prop point of the model, which the game expects, before the others. Adds it if there is none, and returns whether.
pub(super) fn put_root_first(props: &mut Vec<Prop>, is_skinned: bool) -> bool {
    let is_root = |prop: &Prop| prop.name == ROOT && prop.transform.bone().is_none();
    match props.iter().position(is_root) {
        Some(0) => {}
        Some(root) => props.get_mut(..=root).into_iter().for_each(|props| props.rotate_right(1)),
        None => {
            let w = if is_skinned { -1.0 } else { 1.0 };
            let transform = PropTransform::default().with_rotation([0.0, 0.0, 0.0, w]).with_bone_index(NO_BONE);
            props.insert(0, Prop { name: ROOT.to_owned(), transform });
            return true;
        }
    }
    false
}

/// Whether two states differ by no more than the rounding of the programs in between. A rotation and its opposite are one.
pub(super) fn is_near(one: &BoneState, other: &BoneState) -> bool {
    let near = |sign: f32| {
        one.rotation().into_iter().zip(other.rotation()).all(|(one, other)| (one - sign * other).abs() <= MAX_ROUNDING)
    };
    let mut distances = one.translation().into_iter().zip(other.translation());
    distances.all(|(one, other)| (one - other).abs() <= MAX_ROUNDING) && (near(1.0) || near(-1.0))
}

/// A place as a state, with the sign that the game's converter gives nearly all rotations.
pub(super) fn state_of(place: &Place) -> BoneState {
    let [x, y, z, w] = narrowed(place.rotation);
    let rotation = if w > 0.0 { [-x, -y, -z, -w] } else { [x, y, z, w] };
    BoneState::default().with_translation(narrowed(place.translation)).with_rotation(rotation)
}

/// The state of a bone without a joint, as the game's converter writes it.
pub(super) fn absent() -> BoneState {
    BoneState::default().with_rotation([0.0, 0.0, 0.0, -1.0])
}

/// The normal of a vertex, or +x without one, as the game's converter writes it.
pub(super) fn or_x(normal: [f32; 3]) -> [f32; 3] {
    if normal == [0.0; 3] { [1.0, 0.0, 0.0] } else { normal }
}

/// The name without what Blender adds to the second of two equal names: `_001`, as the game cleans `.001`.
fn without_copy(name: &str) -> Option<&str> {
    let (short, number) = name.split_at_checked(name.len().checked_sub(COPY_LENGTH)?)?;
    let digits = number.strip_prefix(['_', '.'])?;
    (!short.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())).then_some(short)
}
