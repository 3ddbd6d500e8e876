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

/// One oddity of a file.
#[derive(Debug, Serialize)]
pub(crate) struct QuirkRow {
    pub(crate) code: &'static str,
    pub(crate) section: String,
    pub(crate) offset: u64,
    pub(crate) message: String,
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

/// Writes quirks as a list of rows, made one at a time: a file may have a quirk for every few of its bytes.
#[expect(clippy::ptr_arg, reason = "as serde calls it")]
pub(crate) fn quirk_rows<S: Serializer>(quirks: &Vec<Quirk>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(quirks.iter().copied().map(QuirkRow::from))
}

impl From<Quirk> for QuirkRow {
    fn from(quirk: Quirk) -> Self {
        Self {
            code: quirk.kind.code(),
            section: quirk.section.to_string(),
            offset: quirk.offset,
            message: quirk.kind.to_string(),
        }
    }
}
