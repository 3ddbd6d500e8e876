//! The row of an asset: the keys that are documented, versioned and stable.

use std::io;
use std::path::Path;

use serde::Serialize;
use skelmap::{Error, Quirk, Summary};

use crate::files::{Loaded, Opened};

/// Version of the JSON and CSV keys.
pub(crate) const SCHEMA: u32 = 1;

/// One asset. The order of the fields is the order of the keys.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Row {
    pub(crate) schema: u32,
    pub(crate) path: String,
    /// The name inside an archive.
    pub(crate) entry: Option<String>,
    pub(crate) format: Option<&'static str>,
    pub(crate) bytes: Option<u64>,
    #[serde(flatten)]
    pub(crate) summary: Summary,
    pub(crate) quirks: Vec<&'static str>,
    pub(crate) error: Option<Fault>,
}

/// Why a file cannot be read.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Fault {
    pub(crate) kind: &'static str,
    pub(crate) section: Option<String>,
    pub(crate) offset: Option<u64>,
    pub(crate) message: String,
}

impl Row {
    fn empty(path: &Path) -> Self {
        Self {
            schema: SCHEMA,
            path: path.display().to_string(),
            entry: None,
            format: None,
            bytes: None,
            summary: Summary::default(),
            quirks: Vec::new(),
            error: None,
        }
    }

    /// The row of what came of a path; `None` for what is passed over.
    pub(crate) fn of(path: &Path, opened: &Opened) -> Option<Self> {
        match opened {
            Opened::File(loaded) => Some(Self::of_file(path, loaded)),
            Opened::PassedOver => None,
            Opened::Unreadable(error) => Some(Self { error: Some(error.into()), ..Self::empty(path) }),
        }
    }

    pub(crate) fn of_file(path: &Path, loaded: &Loaded) -> Self {
        let row = Self { bytes: Some(loaded.len()), ..Self::empty(path) };
        let format = skelmap::Format::sniff(loaded.bytes()).ok().map(skelmap::Format::code);
        match loaded.asset() {
            Ok(asset) => Self { format, summary: asset.summary(), quirks: codes(&loaded.quirks(&asset)), ..row },
            Err(error) => Self { format, error: Some(error.into()), ..row },
        }
    }

    /// Whether the file could not even be opened.
    pub(crate) const fn is_unreadable(&self) -> bool {
        self.bytes.is_none()
    }
}

/// The codes of quirks, each once, in the order met.
fn codes(quirks: &[Quirk]) -> Vec<&'static str> {
    let mut codes = Vec::new();
    for code in quirks.iter().map(|quirk| quirk.kind.code()) {
        if !codes.contains(&code) {
            codes.push(code);
        }
    }
    codes
}

impl From<Error> for Fault {
    fn from(error: Error) -> Self {
        Self {
            kind: error.kind().code(),
            section: Some(error.section().to_string()),
            offset: Some(error.offset()),
            message: error.to_string(),
        }
    }
}

impl From<&io::Error> for Fault {
    fn from(error: &io::Error) -> Self {
        let kind = match error.kind() {
            io::ErrorKind::NotFound => "not-found",
            io::ErrorKind::PermissionDenied => "permission-denied",
            io::ErrorKind::IsADirectory => "is-a-directory",
            io::ErrorKind::OutOfMemory => "out-of-memory",
            _ => "io",
        };
        Self { kind, section: None, offset: None, message: error.to_string() }
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
