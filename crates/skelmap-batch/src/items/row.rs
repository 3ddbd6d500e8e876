//! The row of an asset: keys that are documented, versioned and stable.

use std::io;

use xxhash_rust::xxh3::{xxh3_64, xxh3_128};

use crate::codes;
use skelmap::ReadAt;
use skelmap::archive::{AddressError, ArchiveError, Limits};
use skelmap::codes::OUT_OF_MEMORY;
use skelmap::mapping::{OpenError, StoreError};
use skelmap::model::{Bounds, Mesh, Names, Summary};
use skelmap::{Asset, Format, Headers, ParseOptions};
use skelmap::{Code, Error, ReadError};

/// Version of the keys of rows. Keys may be added within a version, never renamed or given another meaning.
pub const SCHEMA: u32 = 1;

/// The content of rows, and the options of the parsers.
#[derive(Clone, Copy, Debug, Default)]
#[expect(clippy::exhaustive_structs, reason = "made by struct update from its default")]
pub struct Options {
    /// The options of the parsers.
    pub parse: ParseOptions,
    /// Whether rows have [`Joins`].
    pub joins: bool,
    /// Whether joins have a hash of the content. All bytes of each asset are read for it.
    pub content_hash: bool,
    /// Whether rows of meshes have an [`Extent`]. All points of each mesh are read for it.
    pub extent: bool,
}

/// What is read of each item. Stores are asked for it ahead: for headers that lie close together in one request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// Headers: [`Item::row`](super::Item::row) without a hash or an extent.
    Headers,
    /// Everything: [`Item::open`](super::Item::open), [`Item::load`](super::Item::load).
    Content,
}

impl Options {
    /// What a row reads.
    pub const fn need(&self) -> Need {
        if self.content_hash || self.extent { Need::Content } else { Need::Headers }
    }
}

/// One asset. The order of the fields is the order of the keys.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize)]
#[non_exhaustive]
pub struct Row {
    /// Version of the keys: [`SCHEMA`].
    pub schema: u32,
    /// The file; the archive of an entry.
    pub path: String,
    /// The name inside the archive.
    pub entry: Option<String>,
    /// The stable name of the format, if it is known.
    pub format: Option<&'static str>,
    /// Bytes of the asset; `None` if it could not be opened.
    pub bytes: Option<u64>,
    /// The counts.
    #[serde(flatten)]
    pub summary: Summary,
    /// The bounding box of a mesh, if requested.
    #[serde(flatten)]
    pub extent: Option<Extent>,
    /// The codes of the quirks, each once, in the order of the file.
    pub quirks: Vec<&'static str>,
    /// The fault of an asset that cannot be read.
    pub error: Option<Fault>,
    /// The keys for joins, if requested.
    #[serde(flatten)]
    pub joins: Option<Joins>,
}

/// The bounding box of a mesh in its bind pose.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
#[non_exhaustive]
pub struct Extent {
    /// The box around the points, in units of the file.
    #[serde(flatten)]
    pub bounds: Bounds,
    /// The edge of the box that points up, in units of the file.
    pub height: f32,
    /// Metres in a unit; `None` if the file does not state it.
    pub metres: Option<f32>,
}

impl Extent {
    /// The bounding box of a mesh; `None` without a point whose coordinates are finite. O(points).
    pub fn of(mesh: &Mesh<'_>) -> Option<Self> {
        let (bounds, space) = (mesh.bounds()?, mesh.space());
        Some(Self { bounds, height: bounds.height(&space), metres: space.metres() })
    }
}

/// The keys that a pipeline joins rows on.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize)]
#[non_exhaustive]
pub struct Joins {
    /// The names of the sequences, in file order; empty if the format has none.
    pub sequence_names: Vec<String>,
    /// A hash of the skeleton, 16 hexadecimal digits. Equal for bones with the same names (in any ASCII case, without
    /// trailing spaces) and parents in the same order. `None` without names or bones.
    ///
    /// 64-bit XXH3 over, for each bone: the lower-case name, a zero byte, and the index of the parent as a
    /// little-endian 32-bit integer, -1 for a root.
    pub skeleton_hash: Option<String>,
    /// A hash of the content, if requested: 128-bit XXH3 over the bytes of the asset, 32 hexadecimal digits.
    pub content_hash: Option<String>,
}

/// A fault of an asset that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
#[expect(clippy::exhaustive_structs, reason = "a caller with rows of its own has faults of its own")]
pub struct Fault {
    /// The stable name of the kind of fault.
    pub kind: &'static str,
    /// The chunk or section, for a fault in the bytes.
    pub section: Option<String>,
    /// The byte at which the section begins.
    pub offset: Option<u64>,
    /// The fault in words, without the path.
    pub message: String,
}

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Fault {}

impl Row {
    /// A row without values.
    pub fn empty(path: String, entry: Option<String>) -> Self {
        Self { schema: SCHEMA, path, entry, ..Self::default() }
    }

    /// The row of an asset in memory. Reads headers only, unless the content is hashed or the extent is requested.
    pub fn of(path: String, entry: Option<String>, bytes: &[u8], options: &Options) -> Self {
        let mut row = match Self::of_headers(path, entry, bytes, options) {
            Ok(row) => row,
            Err(never) => match never {},
        };
        if let Some(joins) = row.joins.as_mut().filter(|_| options.content_hash) {
            joins.content_hash = Some(format!("{:032x}", xxh3_128(bytes)));
        }
        if options.extent && row.error.is_none() {
            let unpacked = skelmap::ueformat::unpack(bytes, &Limits::default()).unwrap_or_default();
            let asset = Asset::parse_with(unpacked.as_deref().unwrap_or(bytes), &options.parse).ok();
            row.extent = asset.as_ref().and_then(Asset::mesh).and_then(|mesh| Extent::of(&mesh));
        }
        row
    }

    /// The row of an asset in any source, from its headers.
    pub(super) fn of_headers<R: ReadAt + ?Sized>(
        path: String,
        entry: Option<String>,
        source: &R,
        options: &Options,
    ) -> Result<Self, R::Error> {
        let mut row = Self::empty(path, entry);
        row.bytes = Some(source.size());
        row.joins = options.joins.then(Joins::default);
        match row.read_headers(source, options) {
            Ok(()) => {}
            Err(ReadError::Format(error)) => row.error = Some(error.into()),
            Err(ReadError::Source(error)) => return Err(error),
        }
        Ok(row)
    }

    fn read_headers<R: ReadAt + ?Sized>(&mut self, source: &R, options: &Options) -> Result<(), ReadError<R::Error>> {
        let format = Format::sniff_source(source)?;
        self.format = Some(format.code());
        let headers = Headers::read_as(format, source, &options.parse, options.joins)?;
        self.summary = headers.summary;
        self.quirks = headers.quirks.into_iter().map(Code::name).collect();
        self.joins = headers.names.map(Joins::from);
        Ok(())
    }

    /// The row of an asset that could not be opened.
    pub fn unreadable(path: String, entry: Option<String>, fault: Fault) -> Self {
        Self { error: Some(fault), ..Self::empty(path, entry) }
    }

    /// Whether the asset could not be opened.
    pub const fn is_unreadable(&self) -> bool {
        self.bytes.is_none()
    }
}

impl From<Names> for Joins {
    fn from(names: Names) -> Self {
        let skeleton_hash = (!names.skeleton.is_empty()).then(|| format!("{:016x}", xxh3_64(&names.skeleton)));
        Self { sequence_names: names.sequences, skeleton_hash, content_hash: None }
    }
}

impl From<Error> for Fault {
    fn from(error: Error) -> Self {
        Self {
            kind: error.code().name(),
            section: Some(error.section().to_string()),
            offset: Some(error.offset()),
            message: error.to_string(),
        }
    }
}

impl Fault {
    /// A fault outside of the bytes.
    pub(crate) fn new(code: Code, error: &impl ToString) -> Self {
        Self { kind: code.name(), section: None, offset: None, message: error.to_string() }
    }
}

impl From<ArchiveError> for Fault {
    fn from(error: ArchiveError) -> Self {
        Self::new(error.code(), &error)
    }
}

impl From<io::Error> for Fault {
    fn from(error: io::Error) -> Self {
        let code = StoreError::code_of(&error).unwrap_or(match error.kind() {
            io::ErrorKind::NotFound => codes::NOT_FOUND,
            io::ErrorKind::PermissionDenied => codes::PERMISSION_DENIED,
            io::ErrorKind::IsADirectory => codes::IS_A_DIRECTORY,
            io::ErrorKind::OutOfMemory => OUT_OF_MEMORY,
            _ => codes::IO,
        });
        Self::new(code, &error)
    }
}

impl From<OpenError> for Fault {
    fn from(error: OpenError) -> Self {
        error.into_io().into()
    }
}

impl From<AddressError> for Fault {
    fn from(error: AddressError) -> Self {
        match error {
            AddressError::Open(error) => error.into(),
            AddressError::Archive { error, .. } => error.into(),
            other => Self::new(codes::IO, &other),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_of_the_system_have_codes() {
        let expected = [
            (io::ErrorKind::NotFound, "not-found"),
            (io::ErrorKind::PermissionDenied, "permission-denied"),
            (io::ErrorKind::IsADirectory, "is-a-directory"),
            (io::ErrorKind::OutOfMemory, "out-of-memory"),
            (io::ErrorKind::BrokenPipe, "io"),
        ];
        for (error, kind) in expected {
            assert_eq!(Fault::from(io::Error::from(error)).kind, kind);
        }
        assert_eq!(Fault::from(io::Error::other("no tape")).to_string(), "no tape");
    }
}
