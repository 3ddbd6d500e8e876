//! Which bone of the game each joint of a model is.

use std::collections::HashMap;

use skelmap::pyrogenesis::BoneState;
use skelmap::pyrogenesis::skeleton::{MappedSkeleton, SkeletonFile, StandardSkeleton};

use super::PyrogenesisError;
use super::axes::JointAxes;
use super::parts::MAX_BONES;
use crate::affine::unit_of;
use crate::gltf::error::short;
use crate::model::{Joint, Model};
use crate::names::clean;

/// The joint that Blender adds for vertices without weights.
const NEUTRAL: &str = "neutral_bone";

/// The joint that this project adds for vertices that follow no bone.
const BIND_SHAPE: &str = "bind_shape";

/// The cosine of half of the angle between two rotations that are said to be the same: 2 degrees.
const SAME: f64 = 0.999_85;

/// The most names in an error.
const MAX_NAMES: usize = 8;

/// Rules for a model.
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct Rules<'r> {
    /// The skeletons among which the one of the model is found. Without any, joints are bones in their own order.
    pub skeletons: Option<&'r SkeletonFile>,
    /// The axes of the joints; `None`: they are told from [`like`](Self::like), else from the model, if it tells.
    pub axes: Option<JointAxes>,
    /// The bones of a mesh of the game with the same skeleton, in their bind pose: the axes are those with which most bones agree.
    pub like: Option<&'r [BoneState]>,
    /// The treatment of joints that the skeleton does not have.
    pub unknown: UnknownBones,
    /// Whether one of the skeletons must be that of the model, also of a file that this project wrote: its joints are otherwise bones in their own order, unless a
    /// skeleton has all of their names in another one.
    pub needs_skeleton: bool,
}

/// The treatment of joints that the skeleton does not have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
#[expect(clippy::exhaustive_enums, reason = "there is no fourth way")]
pub enum UnknownBones {
    /// The nearest joint above, which the skeleton has, moves their vertices.
    #[default]
    Parent,
    /// As the game's converter: the influence is lost, and the others keep their weights.
    Drop,
    /// An error.
    Refuse,
}

/// Which bone each joint of a model is, and the axes of the joints.
///
/// ```no_run
/// use skelmap_write::Gltf;
/// use skelmap_write::pyrogenesis::{Frames, Rigging, Rules, write_animation};
///
/// let bytes = std::fs::read("horse.glb")?;
/// let gltf = Gltf::parse(&bytes)?;
/// let model = gltf.to_model(None)?;
/// let rigging = Rigging::new(&model, &Rules::default())?;
/// rigging.write_mesh(&model, &mut std::fs::File::create("horse.pmd")?)?;
/// for index in 0..gltf.clip_count() {
///     if let Some(clip) = gltf.clip(index, None)? {
///         let file = std::fs::File::create(format!("horse_{index}.psa"))?;
///         write_animation(&rigging, &clip, Frames::Auto, &mut std::io::BufWriter::new(file))?;
///     }
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Rigging {
    skeleton: Option<String>,
    axes: JointAxes,
    bone_count: usize,
    /// For each joint, what moves its vertices.
    joints: Vec<JointBone>,
    /// For each bone, the joint that is it.
    bones: Vec<Option<usize>>,
    /// The names of joints that the skeleton does not have.
    unknown: Vec<String>,
    differs_from_like: bool,
}

/// What a joint is in the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum JointBone {
    /// A bone, or the model itself: the number of bones.
    Index(u8),
    /// Not in the skeleton.
    Unknown,
}

impl Rigging {
    /// Finds the bone of each joint of a model.
    ///
    /// A file that this project wrote has the bones of the game in their order, unless a skeleton has all of its names in another one or [`Rules::needs_skeleton`] asks for one. Else the skeleton is the standard skeleton that has the names of all joints;
    /// else the one of a modelling program whose root is above the first joint, as the game finds it; else the standard skeleton that has the most of them, if
    /// it has half. Names are compared as the game cleans them.
    ///
    /// # Errors
    /// [`PyrogenesisError`]: no skeleton, too many bones, axes that cannot be told.
    pub fn new(model: &Model, rules: &Rules<'_>) -> Result<Self, PyrogenesisError> {
        let is_ours = model.is_ours();
        let has_order = is_ours && !rules.needs_skeleton;
        let joints: Vec<String> = model.joints.iter().map(|joint| clean(&joint.name)).collect();
        let found = rules.skeletons.filter(|_| !joints.is_empty());
        let found = match found.map(|skeletons| Names::find(skeletons, model, &joints)) {
            // A mesh of ActorX has bones of another order, and perhaps of the same names.
            Some(Some(names)) => Some(names).filter(|names| !has_order || names.has_other_order(&joints)),
            Some(None) if !has_order => {
                return Err(PyrogenesisError::NoSkeleton {
                    joints: model.joints.iter().take(MAX_NAMES).map(|joint| short(&joint.name)).collect(),
                });
            }
            _ => None,
        };
        let names = found.unwrap_or_else(|| Names::in_order(&joints));
        if names.count > MAX_BONES {
            return Err(PyrogenesisError::TooMany { count: names.count, what: "bones", limit: MAX_BONES });
        }
        let mut own = Self {
            skeleton: names.skeleton,
            // Found last.
            axes: JointAxes::Game,
            bone_count: names.count,
            joints: Vec::new(),
            bones: vec![None; names.count],
            unknown: Vec::new(),
            differs_from_like: false,
        };
        let byte = |index: usize| u8::try_from(index).map_or(JointBone::Unknown, JointBone::Index);
        let mut next = 0_usize..;
        for (number, name) in joints.iter().enumerate() {
            let is_own = name != NEUTRAL && name != BIND_SHAPE;
            // In their own order, two joints with one name are two bones.
            let target = match own.skeleton {
                Some(_) => names.bones.get(name.as_str()).copied(),
                None if is_own => next.next().map(|bone| Target { bone, is_first: true }),
                None => None,
            };
            let bone = match target {
                Some(Target { bone, is_first }) => {
                    if let Some(place) = own.bones.get_mut(bone).filter(|place| is_first && place.is_none()) {
                        *place = Some(number);
                    }
                    byte(bone)
                }
                None if name == NEUTRAL || (is_ours && name == BIND_SHAPE) => byte(names.count),
                None => JointBone::Unknown,
            };
            own.joints.push(bone);
        }
        own.replace_unknown(model, rules.unknown)?;
        let like = rules.like.map(|like| own.axes_like(model, like));
        own.differs_from_like = like == Some(None);
        own.axes = rules.axes.or(like.flatten()).map_or_else(|| JointAxes::of(model), Ok)?;
        Ok(own)
    }

    /// The axes with which most bones have the rotation that they have in another mesh; `None` if none do, or if half of them have another one: the rest poses
    /// differ, or the skeletons.
    fn axes_like(&self, model: &Model, like: &[BoneState]) -> Option<JointAxes> {
        let joints = self.bones.iter().map(|joint| joint.and_then(|joint| model.joints.get(joint)));
        let pairs: Vec<_> = joints.zip(like).filter_map(|(joint, state)| Some((joint?, state))).collect();
        let count = |axes: JointAxes| {
            let is_same = |(joint, state): &&(&Joint, &BoneState)| {
                let found = axes.bone(&joint.place).rotation;
                let expected = unit_of(state.rotation());
                found.iter().zip(expected).map(|(one, other)| one * other).sum::<f64>().abs() > SAME
            };
            pairs.iter().filter(is_same).count()
        };
        let (blender, game) = (count(JointAxes::Blender), count(JointAxes::Game));
        let (axes, most) = if blender > game { (JointAxes::Blender, blender) } else { (JointAxes::Game, game) };
        (blender != game && most.saturating_mul(2) > pairs.len()).then_some(axes)
    }

    /// Joints that the skeleton does not have.
    fn replace_unknown(&mut self, model: &Model, rule: UnknownBones) -> Result<(), PyrogenesisError> {
        let is_unknown = |bone: &JointBone| *bone == JointBone::Unknown;
        let names = self.joints.iter().zip(&model.joints).filter(|(bone, _)| is_unknown(bone));
        self.unknown = names.map(|(_, joint)| joint.name.clone()).collect();
        let Some(first) = self.joints.iter().position(is_unknown) else { return Ok(()) };
        match rule {
            UnknownBones::Drop => {}
            UnknownBones::Refuse => {
                let joint = model.joints.get(first).map(|joint| short(&joint.name)).unwrap_or_default();
                return Err(PyrogenesisError::UnknownJoint {
                    joint,
                    skeleton: self.skeleton.clone().unwrap_or_default(),
                });
            }
            UnknownBones::Parent => {
                let parent = |joint: &usize| model.joints.get(*joint).and_then(|joint| joint.parent);
                // The nearest known one of each, found once: a chain of unknown joints is walked once.
                let of_model = u8::try_from(self.bone_count).map_or(JointBone::Unknown, JointBone::Index);
                for joint in 0..self.joints.len() {
                    let mut chain = Vec::new();
                    let mut at = Some(joint);
                    while let Some(own) = at.filter(|own| self.joints.get(*own).is_some_and(is_unknown)) {
                        chain.push(own);
                        at = parent(&own);
                    }
                    let bone = at.and_then(|known| self.joints.get(known)).copied().unwrap_or(of_model);
                    for own in chain {
                        self.joints.get_mut(own).into_iter().for_each(|place| *place = bone);
                    }
                }
            }
        }
        Ok(())
    }

    /// The id of the skeleton that was found; `None` where joints are bones in their own order.
    pub fn skeleton(&self) -> Option<&str> {
        self.skeleton.as_deref()
    }

    /// The names of the joints that the skeleton does not have: see [`UnknownBones`].
    pub fn unknown_joints(&self) -> &[String] {
        &self.unknown
    }

    /// The axes of the joints.
    pub const fn axes(&self) -> JointAxes {
        self.axes
    }

    /// Whether the mesh of [`Rules::like`] has another rest pose, or other bones, and tells nothing of the axes.
    pub const fn differs_from_like(&self) -> bool {
        self.differs_from_like
    }

    /// Number of bones.
    pub const fn bone_count(&self) -> usize {
        self.bone_count
    }

    pub(super) fn joint(&self, joint: usize) -> JointBone {
        self.joints.get(joint).copied().unwrap_or(JointBone::Unknown)
    }

    /// For each bone, the joint that is it.
    pub(super) fn bones(&self) -> &[Option<usize>] {
        &self.bones
    }
}

/// The bones of a skeleton by the names of joints.
struct Names {
    skeleton: Option<String>,
    count: usize,
    bones: HashMap<String, Target>,
}

/// The bone of a name.
#[derive(Clone, Copy)]
struct Target {
    bone: usize,
    /// Whether this is the first name of the bone: the one whose place is that of the bone.
    is_first: bool,
}

impl Names {
    /// Whether all joints are bones, and not in the order of the bones.
    fn has_other_order(&self, joints: &[String]) -> bool {
        let bone = |joint: &String| self.bones.get(joint).map(|target| target.bone);
        let own = || joints.iter().filter(|name| *name != BIND_SHAPE);
        own().all(|joint| bone(joint).is_some()) && own().enumerate().any(|(index, joint)| bone(joint) != Some(index))
    }

    /// Each joint is a bone, but for those that this project and Blender add.
    fn in_order(joints: &[String]) -> Self {
        let count = joints.iter().filter(|name| *name != NEUTRAL && *name != BIND_SHAPE).count();
        Self { skeleton: None, count, bones: HashMap::new() }
    }

    fn find(skeletons: &SkeletonFile, model: &Model, joints: &[String]) -> Option<Self> {
        let scored = skeletons.standard.iter().map(|skeleton| {
            let names = Self::of_standard(skeleton);
            let score = joints.iter().filter(|name| names.bones.contains_key(*name)).count();
            (score, names)
        });
        let wanted = joints.iter().filter(|name| *name != NEUTRAL).count();
        // The last of those with the most names, as the last of two files with one root counts for the game.
        let best = scored.max_by_key(|(score, names)| (*score, std::cmp::Reverse(names.count)));
        let best = match best {
            Some((score, names)) if score == wanted => return Some(names),
            best => best,
        };
        let ancestors = model.ancestors.iter().map(|name| clean(name));
        let mapped =
            ancestors.into_iter().find_map(|name| skeletons.mapped.iter().rev().find(|mapped| mapped.root == name));
        let of_root = mapped.and_then(|mapped| {
            let standard = skeletons.standard.iter().rev().find(|standard| standard.id == mapped.target)?;
            Some(Self::of_mapped(mapped, standard))
        });
        of_root.or_else(|| best.filter(|(score, _)| score.saturating_mul(2) >= wanted).map(|(_, names)| names))
    }

    fn of_standard(skeleton: &StandardSkeleton) -> Self {
        let mut bones = HashMap::new();
        for (index, bone) in skeleton.bones.iter().enumerate() {
            bones.entry(clean(&bone.name)).or_insert(Target { bone: index, is_first: true });
        }
        Self { skeleton: Some(skeleton.id.clone()), count: skeleton.bones.len(), bones }
    }

    fn of_mapped(mapped: &MappedSkeleton, standard: &StandardSkeleton) -> Self {
        let mut indices: HashMap<&str, usize> = HashMap::new();
        for (index, bone) in standard.bones.iter().enumerate() {
            indices.entry(bone.name.as_str()).or_insert(index);
        }
        let mut bones = HashMap::new();
        let mut targets: Vec<Option<usize>> = Vec::new();
        let mut is_taken = vec![false; standard.bones.len()];
        for bone in &mapped.bones {
            let own = bone.target.as_deref().and_then(|target| indices.get(target).copied());
            let inherited = || bone.parent.and_then(|parent| targets.get(parent).copied()).flatten();
            let target = if bone.target.is_some() { own } else { inherited() };
            targets.push(target);
            let Some(target) = target else { continue };
            let is_first = is_taken.get_mut(target).is_some_and(|is_taken| !std::mem::replace(is_taken, true));
            bones.entry(clean(&bone.name)).or_insert(Target { bone: target, is_first });
        }
        Self { skeleton: Some(standard.id.clone()), count: standard.bones.len(), bones }
    }
}
