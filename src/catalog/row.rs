//! The row of an asset: keys that are documented, versioned and stable.

use std::io;

use xxhash_rust::xxh3::{Xxh3, xxh3_128};

use super::loaded::Loaded;
use crate::actorx::{Psa, Skeleton};
use crate::archive::{AddressError, ArchiveError};
use crate::asset::{Asset, Summary};
use crate::error::Error;
use crate::format::Format;
use crate::quirk::Quirk;

/// Version of the keys of rows. Keys may be added within a version, never renamed or given another meaning.
pub const SCHEMA: u32 = 1;

/// One asset. The order of the fields is the order of the keys.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Row {
    /// Version of the keys: [`SCHEMA`].
    pub schema: u32,
    /// The file; the archive, where the asset is in one.
    pub path: String,
    /// The name inside the archive.
    pub entry: Option<String>,
    /// The stable name of the format; `None` where it is not known.
    pub format: Option<&'static str>,
    /// Bytes of the asset; `None` where it could not be opened.
    pub bytes: Option<u64>,
    /// What can be counted.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub summary: Summary,
    /// The codes of the quirks, each once, in the order met.
    pub quirks: Vec<&'static str>,
    /// Why the asset cannot be read.
    pub error: Option<Fault>,
    /// What tables are joined on, where that was asked for.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub joins: Option<Joins>,
}

/// What a pipeline joins rows on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Joins {
    /// The names of the sequences, in file order; empty where the format has none.
    pub sequence_names: Vec<String>,
    /// The skeleton, as a number in 16 hexadecimal digits: equal where the bones have the same names (in any ASCII case, without
    /// blanks at the end) and the same parents, in the same order. `None` where the format has no names or there is no bone.
    ///
    /// XXH3 with 64 bits over, for each bone: the lower-cased name, a zero byte, and the parent's index as a little-endian 32-bit
    /// integer, -1 for a root.
    pub skeleton_hash: Option<String>,
    /// The content, where that was asked for: XXH3 with 128 bits over the asset's bytes, in 32 hexadecimal digits.
    pub content_hash: Option<String>,
}

/// Why an asset cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[expect(clippy::exhaustive_structs, reason = "whoever makes rows of their own has faults of their own")]
pub struct Fault {
    /// The stable name of the kind of fault.
    pub kind: &'static str,
    /// The chunk or section it is in, where it is about bytes.
    pub section: Option<String>,
    /// The byte at which that begins.
    pub offset: Option<u64>,
    /// The fault in words, without the path.
    pub message: String,
}

impl Row {
    /// A row without any value.
    pub fn empty(path: String, entry: Option<String>) -> Self {
        Self {
            schema: SCHEMA,
            path,
            entry,
            format: None,
            bytes: None,
            summary: Summary::default(),
            quirks: Vec::new(),
            error: None,
            joins: None,
        }
    }

    /// The row of an asset that was opened.
    pub fn of(path: String, entry: Option<String>, loaded: &Loaded) -> Self {
        let bytes = loaded.bytes().len().try_into().unwrap_or(u64::MAX);
        let row = Self { bytes: Some(bytes), ..Self::empty(path, entry) };
        let format = Format::sniff(loaded.bytes()).ok().map(Format::code);
        match loaded.asset() {
            Ok(asset) => Self { format, summary: asset.summary(), quirks: codes(loaded.quirks(&asset)), ..row },
            Err(error) => Self { format, error: Some(error.into()), ..row },
        }
    }

    /// The row of an asset without quirks, of which the headers were read.
    pub(super) fn of_headers(path: String, asset: &Asset<'_>, bytes: u64, joins: bool) -> Self {
        Self {
            bytes: Some(bytes),
            format: Some(asset.format().code()),
            summary: asset.summary(),
            joins: joins.then(|| Joins::of(asset)),
            ..Self::empty(path, None)
        }
    }

    /// The row of what could not be opened.
    pub fn unreadable(path: String, entry: Option<String>, fault: Fault) -> Self {
        Self { error: Some(fault), ..Self::empty(path, entry) }
    }

    /// The row with what tables are joined on; with the hash of the content only if asked, since that reads all of it.
    #[must_use]
    pub fn joined(self, loaded: &Loaded, with_content: bool) -> Self {
        let mut joins = loaded.asset().map(|asset| Joins::of(&asset)).unwrap_or_default();
        if with_content {
            joins.content_hash = Some(format!("{:032x}", xxh3_128(loaded.bytes())));
        }
        Self { joins: Some(joins), ..self }
    }

    /// Whether the asset could not even be opened.
    pub const fn is_unreadable(&self) -> bool {
        self.bytes.is_none()
    }
}

impl Joins {
    fn of(asset: &Asset<'_>) -> Self {
        match asset {
            Asset::ActorxPsk(mesh) => Self { skeleton_hash: of_skeleton(mesh.skeleton()), ..Self::default() },
            Asset::ActorxPsa(animation) => Self {
                sequence_names: names(animation),
                skeleton_hash: of_skeleton(animation.skeleton()),
                ..Self::default()
            },
            _ => Self::default(),
        }
    }
}

fn names(animation: &Psa<'_>) -> Vec<String> {
    animation.sequences().map(|sequence| sequence.name().to_string()).collect()
}

fn of_skeleton(skeleton: Skeleton<'_>) -> Option<String> {
    let mut hash = Xxh3::new();
    for (index, bone) in skeleton.bones().iter().enumerate() {
        let parent = skeleton.parent(index).and_then(|parent| i32::try_from(parent).ok()).unwrap_or(-1);
        hash.update(&bone.name().key().to_ascii_lowercase());
        hash.update(&[0]);
        hash.update(&parent.to_le_bytes());
    }
    (!skeleton.bones().is_empty()).then(|| format!("{:016x}", hash.digest()))
}

/// The codes of quirks, each once, in the order met.
fn codes(quirks: impl Iterator<Item = Quirk>) -> Vec<&'static str> {
    let mut codes = Vec::new();
    for code in quirks.map(|quirk| quirk.kind.code()) {
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

impl From<&ArchiveError> for Fault {
    fn from(error: &ArchiveError) -> Self {
        Self { kind: error.kind().code(), section: None, offset: None, message: error.to_string() }
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

impl From<&AddressError> for Fault {
    fn from(error: &AddressError) -> Self {
        match error {
            AddressError::Open(error) => error.io().into(),
            AddressError::Archive { error, .. } => error.into(),
        }
    }
}
