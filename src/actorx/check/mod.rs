//! The semantic checks: they read all the data and report what is wrong with it, without stopping at the first fault.
//!
//! Names and bones, which meshes and animations share, are checked here.

mod animation;
mod mesh;

pub use animation::check_config;

use alloc::format;
use alloc::vec::Vec;
use std::collections::HashSet;

use super::chunk::Chunk;
use super::layout::known_size;
use super::record::Bone;
use super::skeleton::Skeleton;
use crate::finding::{FindingCode, Place, Report, Severity, Tally, check_finite, check_rotations};
use crate::format::Format;
use crate::record::Name;
use crate::section::Section;
use crate::text::trim_spaces;

impl Chunk<'_> {
    fn place(&self) -> Place {
        Place { section: self.id.section(), offset: self.offset }
    }
}

/// Where the chunk in use lies, by any of several ids: the first with records, else the first; the file's start where there is
/// none.
fn place_of<'a>(chunks: impl Iterator<Item = Chunk<'a>> + Clone, ids: &[&str]) -> Place {
    let mut named = chunks.filter(|chunk| ids.iter().any(|id| id.as_bytes() == chunk.id.as_bytes()));
    let used = named.clone().find(|chunk| chunk.count > 0);
    let absent = Place { section: ids.first().map_or(Section::FILE, |id| Section::named(id)), offset: 0 };
    used.or_else(|| named.next()).map_or(absent, |chunk| chunk.place())
}

/// Reports chunks that hold records which no view reads: rare ones, another tool's, or another format's.
fn check_unread<'a>(report: &mut Report, format: Format, chunks: impl Iterator<Item = Chunk<'a>>) {
    let (mut tally, mut first) = (Tally::default(), None);
    for (index, chunk) in chunks.enumerate().filter(|(_, chunk)| chunk.count > 0 && known_size(format, chunk).is_none())
    {
        tally.hit(index, || format!("{} records of {} bytes that are not read", chunk.count, chunk.record_size));
        first = first.or(Some(chunk.place()));
    }
    if let Some(place) = first {
        report.add(Severity::Note, FindingCode::UnreadChunk, place, tally);
    }
}

/// What names of a section must be.
#[derive(Clone, Copy)]
struct NameRules {
    unique: bool,
    present: bool,
}

/// Reports what is odd about the names of a section's records.
fn check_names<'a, const N: usize>(
    report: &mut Report,
    place: Place,
    names: impl Iterator<Item = &'a Name<N>>,
    rules: NameRules,
) {
    let mut tallies: [(FindingCode, Tally); 6] = [
        FindingCode::NameDuplicate,
        FindingCode::NameUnterminated,
        FindingCode::NameGarbage,
        FindingCode::NamePadded,
        FindingCode::NameEncoding,
        FindingCode::NameEmpty,
    ]
    .map(|code| (code, Tally::default()));
    let mut seen: HashSet<Vec<u8>> = HashSet::new();
    for (index, name) in names.enumerate() {
        let bytes = name.as_bytes();
        for (code, tally) in &mut tallies {
            let odd = match code {
                FindingCode::NameDuplicate => rules.unique && !seen.insert(name.key().to_ascii_lowercase()),
                FindingCode::NameUnterminated => !name.is_terminated(),
                FindingCode::NameGarbage => name.tail().iter().any(|byte| *byte != 0),
                FindingCode::NamePadded => trim_spaces(bytes).len() < bytes.len(),
                FindingCode::NameEncoding => core::str::from_utf8(bytes).is_err(),
                _ => rules.present && name.key().is_empty(),
            };
            tally.hit_if(odd, index, || {
                let fault = match code {
                    FindingCode::NameDuplicate => "is the name of an earlier record too",
                    FindingCode::NameUnterminated => "fills its field without a NUL",
                    FindingCode::NameGarbage => "is followed by garbage in its field",
                    FindingCode::NamePadded => "ends in spaces, which look-ups ignore",
                    FindingCode::NameEncoding => "is not UTF-8; shown as Windows-1252",
                    _ => "is empty",
                };
                format!("record {index}: the name {:?} {fault}", name.text())
            });
        }
    }
    for (code, tally) in tallies {
        report.add(Severity::Note, code, place, tally);
    }
}

/// Reports what is odd about the bones of a mesh or animation.
///
/// In an animation nobody may rely on hierarchy and pose, which some writers leave at zero, so a zero rotation is a note there.
fn check_bones(report: &mut Report, place: Place, bones: &[Bone], zero_rotation: Severity) {
    check_names(report, place, bones.iter().map(Bone::name), NameRules { unique: true, present: true });
    check_finite(report, place, bones, |bone| {
        let ([a, b, c, d], [e, f, g], [h, i, j]) = (bone.rotation(), bone.position(), bone.size());
        [a, b, c, d, e, f, g, h, i, j, bone.length()]
    });
    check_rotations(report, place, zero_rotation, bones, Bone::rotation);

    let skeleton = Skeleton::new(bones);
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
    report.add(Severity::Error, FindingCode::BoneCycle, place, cycles);
    report.add(Severity::Warning, FindingCode::BoneParent, place, parents);
    report.add(Severity::Note, FindingCode::BoneOrder, place, order);
    report.add(Severity::Note, FindingCode::BoneExtraRoot, place, roots);
}
