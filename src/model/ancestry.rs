//! The check of the parents of bones.

use alloc::{format, string::String, vec::Vec};

use super::skeleton::{BoneOrder, Skeleton};
use crate::report::{RecordTally, Report, SectionStart, Severity, codes, named};

/// A bone in a message. The bone may not exist.
pub(crate) fn bone_at(skeleton: &Skeleton<'_>, index: usize) -> String {
    named("bone", index, skeleton.name(index).unwrap_or_default())
}

/// Reports odd parents of bones. `severity` gives the severity of a fault that is one in a mesh.
pub(crate) fn check_hierarchy(
    report: &mut Report,
    place: SectionStart,
    skeleton: &Skeleton<'_>,
    severity: impl Fn(Severity) -> Severity,
) {
    let (bones, count) = (skeleton, skeleton.bone_count());
    let [cycles, mut parents, mut order, mut roots] =
        report.tallies(place, [codes::BONE_CYCLE, codes::BONE_PARENT, codes::BONE_ORDER, codes::BONE_EXTRA_ROOT]);
    for (index, (stored, parent)) in skeleton.stored_parents().zip(skeleton.parents()).enumerate() {
        let Some(stored) = stored else { continue };
        let itself = index > 0 && usize::try_from(stored) == Ok(index);
        let past = usize::try_from(stored).is_ok_and(|parent| parent >= count);
        parents.hit_if(itself, index, || format!("{} is its own parent; read as a root", bone_at(bones, index)));
        parents.hit_if(past, index, || {
            let bone = bone_at(bones, index);
            format!("{bone} has parent {stored}, but the file has {count} bones; read as a root")
        });
        if let Some(later) = parent.filter(|parent| *parent > index) {
            order
                .hit(index, || format!("{} comes before its parent, {}", bone_at(bones, index), bone_at(bones, later)));
        }
        roots.hit_if(index > 0 && parent.is_none(), index, || {
            let [own, first] = [index, 0].map(|index| bone_at(bones, index));
            let is_other = if bones.parent(0).is_none() { "another root beside" } else { "a root in place of" };
            format!("{own} has no parent, so it is {is_other} {first}")
        });
    }
    let (skeleton_order, mut cycles) = (skeleton.to_order(), cycles.with_severity(severity(Severity::Error)));
    for bone in &skeleton_order.cut {
        let index = usize::try_from(*bone).unwrap_or(usize::MAX);
        cycles.hit(index, || {
            let parent = bone_at(bones, skeleton.parent(index).unwrap_or(index));
            format!(
                "the parents of {} form a cycle: its parent is {parent}, whose parents lead back to bone {index}",
                bone_at(bones, index)
            )
        });
    }
    let mut lost = report.tally(codes::BONE_UNREACHABLE, place);
    find_lost(&mut lost, skeleton, &skeleton_order, severity(Severity::Warning));
    report.add([cycles, parents, order, roots, lost]);
}

/// The end of a bone's chain of parents.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    BoneZero,
    OtherRoot,
    Circle,
    /// A parent that does not exist.
    Nowhere,
}

/// Counts the bones that are not below bone 0, except roots and the bones at which cycles are cut. O(bones).
fn find_lost(tally: &mut RecordTally, skeleton: &Skeleton<'_>, order: &BoneOrder, circle: Severity) {
    let mut cut = order.cut.iter().copied().peekable();
    for ((index, way), parent) in ways(skeleton, order).into_iter().enumerate().zip(skeleton.parents()) {
        let is_cut = cut.next_if(|bone| usize::try_from(*bone) == Ok(index)).is_some();
        let Some(parent) = parent.filter(|_| !is_cut) else { continue };
        let (severity, end) = match way {
            Way::BoneZero => continue,
            Way::OtherRoot => (Severity::Note, ""),
            Way::Circle => (circle, ", and its ancestors form a cycle"),
            Way::Nowhere => (Severity::Warning, ", and one of its ancestors does not exist"),
        };
        tally.hit_as(severity, index, || {
            let [bone, parent, first] = [index, parent, 0].map(|index| bone_at(skeleton, index));
            format!("{bone} does not descend from {first}; its parent is {parent}{end}")
        });
    }
}

/// The end of each bone's chain of parents.
fn ways(skeleton: &Skeleton<'_>, order: &BoneOrder) -> Vec<Way> {
    let mut ways: Vec<Option<Way>> = alloc::vec![None; skeleton.bone_count()];
    let set = |ways: &mut [Option<Way>], bone: usize, way| {
        if let Some(slot) = ways.get_mut(bone) {
            *slot = Some(slot.unwrap_or(way));
        }
    };
    set(&mut ways, 0, Way::BoneZero);
    for bone in order.cut.iter().filter_map(|bone| usize::try_from(*bone).ok()) {
        set(&mut ways, bone, Way::Circle);
    }
    // The index that is stored, and the parent that it means.
    let stored = skeleton.stored_parents().map(|stored| usize::try_from(stored?).ok());
    let parents: Vec<_> = skeleton.parents().zip(stored).collect();
    for bone in order.parents_first.iter().filter_map(|bone| usize::try_from(*bone).ok()) {
        let way = match parents.get(bone).copied().unwrap_or_default() {
            (Some(parent), _) => ways.get(parent).copied().flatten().unwrap_or(Way::Circle),
            (None, None) => Way::OtherRoot,
            (None, Some(stored)) if stored == bone => Way::Circle,
            (None, Some(_)) => Way::Nowhere,
        };
        set(&mut ways, bone, way);
    }
    ways.into_iter().flatten().collect()
}
