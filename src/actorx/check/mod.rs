//! The semantic checks. This module checks names and chunks, in meshes and animations.

mod animation;
mod bones;
mod mesh;
mod owners;

pub use animation::{check_config, check_config_each};

use alloc::{collections::BTreeMap, format, vec::Vec};

use super::chunk::{Chunk, Walk};
use super::codes;
use super::keep::{Slots, is_read};
use crate::bytes::{Name, trim_spaces};
use crate::report::codes as shared;
use crate::report::{Code, Place, RecordTally, Report, Section, Short, named};

/// The place of the chunk in use, by one of several ids: the first with records, else the first. Byte 0 if there is no such
/// chunk.
pub(super) fn place_of<'a>(chunks: impl Iterator<Item = Chunk<'a>> + Clone, ids: &[&str]) -> Place {
    let mut named = chunks.filter(|chunk| ids.iter().any(|id| id.as_bytes() == chunk.id.as_bytes()));
    let used = named.clone().find(|chunk| chunk.count > 0);
    let absent = Place { section: ids.first().map_or(Section::FILE, |id| Section::named(id)), offset: 0 };
    used.or_else(|| named.next()).map_or(absent, |chunk| chunk.place())
}

/// Reports chunks whose records the view does not read, each at its own place.
fn check_unread<L: Slots>(report: &mut Report, bytes: &[u8]) {
    let (mut tally, mut places) = (report.tally(), Vec::new());
    let extents = Walk::new(bytes).map_while(Result::ok).enumerate();
    for (index, extent) in extents.filter(|(_, extent)| extent.count > 0 && !is_read::<L>(extent)) {
        tally.hit(index, || {
            places.push(extent.place());
            format!("the chunk has {} records of {} bytes, which are not read", extent.count, extent.record_size)
        });
    }
    report.add_at(codes::UNREAD_CHUNK.severity(), codes::UNREAD_CHUNK, places, tally);
}

/// The rules for the names of a section.
#[derive(Clone, Copy)]
struct NameRules {
    /// The kind of record with the names.
    kind: &'static str,
    /// The code of a repeated name, and the end of its message.
    unique: Option<(Code, &'static str)>,
    present: bool,
}

/// Reports odd names in the records of a section.
fn check_names<'a, const N: usize>(
    report: &mut Report,
    place: Place,
    names: impl Iterator<Item = &'a Name<N>>,
    rules: NameRules,
) {
    let NameRules { kind, unique, present } = rules;
    let mut repeated = report.tally();
    let mut tallies: [(Code, RecordTally); 5] =
        [codes::NAME_UNTERMINATED, codes::NAME_GARBAGE, codes::NAME_PADDED, shared::NAME_ENCODING, shared::NAME_EMPTY]
            .map(|code| (code, report.tally()));
    let mut seen: BTreeMap<Vec<u8>, (usize, &Name<N>)> = BTreeMap::new();
    for (index, name) in names.enumerate() {
        let bytes = name.as_bytes();
        let odd = [
            (!name.is_terminated(), "fills its field without a NUL"),
            (name.tail().iter().any(|byte| *byte != 0), "is followed by garbage in its field"),
            (trim_spaces(bytes).len() < bytes.len(), "ends in spaces, which look-ups ignore"),
            (core::str::from_utf8(bytes).is_err(), "is not UTF-8; shown as Windows-1252"),
            (present && name.key().is_empty(), "is empty"),
        ];
        for ((_, tally), (is_odd, fault)) in tallies.iter_mut().zip(odd) {
            tally.hit_if(is_odd, index, || format!("the name {:?} of {kind} {index} {fault}", Short(name.text())));
        }
        let Some((_, meaning)) = unique else { continue };
        let (first, other) = *seen.entry(name.key().to_ascii_lowercase()).or_insert((index, name));
        repeated.hit_if(first != index, index, || {
            let [name, other] = [(index, name), (first, other)].map(|(index, name)| named(kind, index, name.text()));
            format!("{name} has the name of {other}{meaning}")
        });
    }
    if let Some((code, _)) = unique {
        report.add(code, place, repeated);
    }
    for (code, tally) in tallies {
        report.add(code, place, tally);
    }
}
