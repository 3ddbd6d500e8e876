//! What rows of the library need on the command line.

use std::collections::HashMap;

use serde::{Serialize, Serializer};
use skelmap::Quirk;
use skelmap::archive::Address;
use skelmap::catalog::{Fault, Loaded, Row};

/// The path and the entry of an address, as rows hold them.
pub(crate) fn named(address: &Address) -> (String, Option<String>) {
    (address.path().display().to_string(), address.entry().map(ToOwned::to_owned))
}

/// The row of what came of an address.
pub(crate) fn row(address: &Address, opened: &Result<Loaded, Fault>) -> Row {
    let (path, entry) = named(address);
    match opened {
        Ok(loaded) => Row::of(path, entry, loaded),
        Err(fault) => Row::unreadable(path, entry, fault.clone()),
    }
}

/// The path and the entry of a row as one address.
pub(crate) fn shown(path: &str, entry: Option<&str>) -> String {
    match entry {
        Some(entry) => format!("{path}!/{entry}"),
        None => path.to_owned(),
    }
}

/// An oddity of a file: the first of its kind in its section, and how many of them there are.
#[derive(Debug, Serialize)]
struct QuirkRow {
    code: &'static str,
    section: String,
    offset: u64,
    count: u64,
    message: String,
}

/// Quirks of one kind and section as one, the first, with their number.
pub(crate) fn counted_quirks(quirks: impl Iterator<Item = Quirk>) -> Vec<(Quirk, u64)> {
    let mut counted: Vec<(Quirk, u64)> = Vec::new();
    let mut places = HashMap::new();
    for quirk in quirks {
        let at = *places.entry((quirk.kind, quirk.section)).or_insert(counted.len());
        match counted.get_mut(at) {
            Some((_, count)) => *count += 1,
            None => counted.push((quirk, 1)),
        }
    }
    counted
}

/// What follows a message about the first of so many.
pub(crate) fn and_more(count: u64) -> String {
    match count {
        0 | 1 => String::new(),
        count => format!(" (and {} more)", count - 1),
    }
}

/// Writes quirks, counted by [`counted_quirks`], as a list of rows.
#[expect(clippy::ptr_arg, reason = "as serde calls it")]
pub(crate) fn quirk_rows<S: Serializer>(quirks: &Vec<(Quirk, u64)>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(quirks.iter().map(|(quirk, count)| QuirkRow {
        code: quirk.kind.code(),
        section: quirk.section.to_string(),
        offset: quirk.offset,
        count: *count,
        message: quirk.kind.to_string(),
    }))
}
