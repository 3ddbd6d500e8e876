//! The semantic checks. This module checks names and chunks, in meshes and animations.

mod animation;
mod bones;
mod mesh;
mod owners;

pub use animation::{check_config, check_config_each};

use alloc::{collections::BTreeMap, format, vec::Vec};

use super::chunk::Walk;
use super::codes;
use super::keep::{Slots, is_read};
use crate::bytes::{Name, trim_spaces};
use crate::report::codes as shared;
use crate::report::{Code, Report, Section, SectionStart, Short, named};

/// Reports chunks whose records the view does not read, each at its own place.
fn check_unread<L: Slots>(report: &mut Report, bytes: &[u8]) {
    let mut tally = report.tally(codes::UNREAD_CHUNK, SectionStart { section: Section::FILE, offset: 0 });
    let extents = Walk::new(bytes).map_while(Result::ok).enumerate();
    for (index, extent) in extents.filter(|(_, extent)| extent.count > 0 && !is_read::<L>(extent)) {
        tally.hit_at(extent.place(), index, || {
            format!("the chunk has {} records of {} bytes, which are not read", extent.count, extent.record_size)
        });
    }
    report.add([tally]);
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

/// The codes of odd names.
const ODD_NAMES: [Code; 5] =
    [codes::NAME_UNTERMINATED, codes::NAME_GARBAGE, codes::NAME_PADDED, shared::NAME_ENCODING, shared::NAME_EMPTY];

/// Reports odd names in the records of a section.
fn check_names<'a, const N: usize>(
    report: &mut Report,
    place: SectionStart,
    names: impl Iterator<Item = &'a Name<N>>,
    rules: NameRules,
) {
    let NameRules { kind, unique, present } = rules;
    let mut tallies = report.tallies(place, ODD_NAMES);
    let mut repeated = unique.map(|(code, meaning)| (report.tally(code, place), meaning));
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
        for (tally, (is_odd, fault)) in tallies.iter_mut().zip(odd) {
            tally.hit_if(is_odd, index, || format!("the name {:?} of {kind} {index} {fault}", Short(name.text())));
        }
        let Some((repeated, meaning)) = &mut repeated else { continue };
        let (first, other) = *seen.entry(name.key().to_ascii_lowercase()).or_insert((index, name));
        repeated.hit_if(first != index, index, || {
            let [name, other] = [(index, name), (first, other)].map(|(index, name)| named(kind, index, name.text()));
            format!("{name} has the name of {other}{meaning}")
        });
    }
    report.add(repeated.into_iter().map(|(tally, _)| tally).chain(tallies));
}
