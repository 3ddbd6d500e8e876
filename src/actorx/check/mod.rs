//! The semantic checks. This module checks names and bones, which meshes and animations share.

mod animation;
mod mesh;

pub use animation::check_config;

use alloc::{collections::BTreeSet, format, vec::Vec};

use super::chunk::{Chunk, Walk};
use super::codes;
use super::keep::{Slots, is_read};
use super::record::Bone;
use crate::bytes::{Name, trim_spaces};
use crate::report::codes as shared;
use crate::report::{Code, Place, Report, Section, Severity, Tally, check_transforms};

/// The place of the chunk in use, by any of several ids: the first with records, else the first. Without a chunk, byte
/// 0.
fn place_of<'a>(chunks: impl Iterator<Item = Chunk<'a>> + Clone, ids: &[&str]) -> Place {
    let mut named = chunks.filter(|chunk| ids.iter().any(|id| id.as_bytes() == chunk.id.as_bytes()));
    let used = named.clone().find(|chunk| chunk.count > 0);
    let absent = Place { section: ids.first().map_or(Section::FILE, |id| Section::named(id)), offset: 0 };
    used.or_else(|| named.next()).map_or(absent, |chunk| chunk.place())
}

/// Reports chunks with records that the view of this layout does not read.
fn check_unread<L: Slots>(report: &mut Report, bytes: &[u8]) {
    let (mut tally, mut first) = (Tally::default(), None);
    let extents = Walk::new(bytes).map_while(Result::ok).enumerate();
    for (index, extent) in extents.filter(|(_, extent)| extent.count > 0 && !is_read::<L>(extent)) {
        tally.hit(index, || format!("{} records of {} bytes that are not read", extent.count, extent.record_size));
        first = first.or(Some(extent.place()));
    }
    if let Some(place) = first {
        report.add(codes::UNREAD_CHUNK, place, tally);
    }
}

/// The rules for the names of a section.
#[derive(Clone, Copy)]
struct NameRules {
    unique: bool,
    present: bool,
}

/// Reports odd names in the records of a section.
fn check_names<'a, const N: usize>(
    report: &mut Report,
    place: Place,
    names: impl Iterator<Item = &'a Name<N>>,
    rules: NameRules,
) {
    let mut tallies: [(Code, Tally); 6] = [
        shared::NAME_DUPLICATE,
        codes::NAME_UNTERMINATED,
        codes::NAME_GARBAGE,
        codes::NAME_PADDED,
        shared::NAME_ENCODING,
        shared::NAME_EMPTY,
    ]
    .map(|code| (code, Tally::default()));
    let mut seen: BTreeSet<Vec<u8>> = BTreeSet::new();
    for (index, name) in names.enumerate() {
        let bytes = name.as_bytes();
        let odd = [
            (rules.unique && !seen.insert(name.key().to_ascii_lowercase()), "is the name of an earlier record too"),
            (!name.is_terminated(), "fills its field without a NUL"),
            (name.tail().iter().any(|byte| *byte != 0), "is followed by garbage in its field"),
            (trim_spaces(bytes).len() < bytes.len(), "ends in spaces, which look-ups ignore"),
            (core::str::from_utf8(bytes).is_err(), "is not UTF-8; shown as Windows-1252"),
            (rules.present && name.key().is_empty(), "is empty"),
        ];
        for ((_, tally), (is_odd, fault)) in tallies.iter_mut().zip(odd) {
            tally.hit_if(is_odd, index, || format!("record {index}: the name {:?} {fault}", name.text()));
        }
    }
    for (code, tally) in tallies {
        report.add(code, place, tally);
    }
}

/// Reports odd bones in a mesh or animation.
///
/// Some writers leave the pose in animations at zero, so a zero rotation is a note there.
fn check_bones(report: &mut Report, place: Place, bones: &[Bone], zero_rotation: Severity) {
    check_names(report, place, bones.iter().map(Bone::name), NameRules { unique: true, present: true });
    let others = |bone: &Bone| {
        let ([a, b, c], [d, e, f]) = (bone.translation(), bone.size());
        [a, b, c, d, e, f, bone.length()]
    };
    let floats = |bone: &Bone| {
        let ([a, b, c, d], [e, f, g, h, i, j, k]) = (bone.rotation(), others(bone));
        [a, b, c, d, e, f, g, h, i, j, k]
    };
    check_transforms(report, place, zero_rotation, bones, floats, others, Bone::rotation);

    let skeleton = Bone::skeleton(bones);
    let (mut parents, mut order, mut roots) = (Tally::default(), Tally::default(), Tally::default());
    for (index, bone) in bones.iter().enumerate() {
        let stored = bone.parent_index();
        let itself = index > 0 && usize::try_from(stored) == Ok(index);
        let past = usize::try_from(stored).is_ok_and(|parent| parent >= bones.len());
        parents.hit_if(itself, index, || format!("bone {index} is its own parent; read as a root"));
        parents.hit_if(past, index, || {
            format!("bone {index} has parent {stored}, there are {} bones; read as a root", bones.len())
        });
        let parent = skeleton.parent(index);
        order.hit_if(parent.is_some_and(|parent| parent > index), index, || {
            format!("bone {index} comes before its parent, bone {stored}")
        });
        roots.hit_if(index > 0 && parent.is_none(), index, || format!("bone {index} is a root besides bone 0"));
    }
    let mut cycles = Tally::default();
    for bone in skeleton.to_order().cut {
        let index = usize::try_from(bone).unwrap_or(usize::MAX);
        cycles.hit(index, || format!("the parents of bone {bone} run in a circle back to it"));
    }
    report.add(codes::BONE_CYCLE, place, cycles);
    report.add(codes::BONE_PARENT, place, parents);
    report.add(codes::BONE_ORDER, place, order);
    report.add(codes::BONE_EXTRA_ROOT, place, roots);
}
