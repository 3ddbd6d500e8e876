//! The semantic check of bones, shared by meshes and animations.

use alloc::{format, string::String};

use super::{NameRules, check_names};
use crate::actorx::codes;
use crate::actorx::record::Bone;
use crate::model::check_hierarchy;
use crate::report::{Report, SectionStart, Severity, check_transforms, named};

/// A bone in a message. The bone may not exist.
pub(super) fn bone_at(bones: &[Bone], index: usize) -> String {
    named("bone", index, bones.get(index).map(|bone| bone.name().text()).unwrap_or_default())
}

/// A bone in a message, by its stored index.
pub(super) fn bone_of(bones: &[Bone], index: i32) -> String {
    usize::try_from(index).map_or_else(|_| format!("bone {index}"), |index| bone_at(bones, index))
}

/// Reports odd bones in a mesh or animation.
///
/// In animations, a zero rotation and a cycle are only notes: some writers leave their pose at zero, and no importer reads the parents.
pub(super) fn check_bones(report: &mut Report, place: SectionStart, bones: &[Bone], is_animation: bool) {
    let severity = |of_mesh| if is_animation { Severity::Note } else { of_mesh };
    let unique = Some((codes::BONE_DUPLICATE, "; in most programs, an animation moves the first only"));
    let rules = NameRules { kind: "bone", unique, present: true };
    check_names(report, place, bones.iter().map(Bone::name), rules);
    let others = |bone: &Bone| {
        let ([a, b, c], [d, e, f]) = (bone.translation(), bone.size());
        [a, b, c, d, e, f, bone.length()]
    };
    let word = |index| bone_at(bones, index);
    check_transforms(report, place, severity(Severity::Warning), bones, word, others, Bone::rotation);
    check_hierarchy(report, place, &Bone::skeleton(bones), severity);
}
