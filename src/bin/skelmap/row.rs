//! What rows of the library need on the command line.

use serde::Serialize;
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
