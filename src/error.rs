//! What went wrong, in which section, at which byte.
//!
//! Errors about bytes live here; errors about files ([`crate::mapping::OpenError`]) carry a path and live with the files.

use core::fmt::{self, Display, Formatter, Write};

use crate::section::Section;

/// A fault in the bytes of a file, or a question about it that has no answer.
///
/// Small, `Copy`, comparable and free of allocation. `Display` is one sentence fit to follow `path: `.
///
/// ```
/// use skelmap::{ErrorKind, actorx::Psa};
///
/// let error = Psa::parse(b"version https://git-lfs.github.com/spec/v1\n").unwrap_err();
/// assert_eq!(error.kind(), ErrorKind::GitLfsPointer);
/// assert_eq!(error.offset(), 0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub struct Error {
    kind: ErrorKind,
    section: Section,
    offset: u64,
}

const _: () = assert!(size_of::<Error>() <= 64);

impl Error {
    pub(crate) const fn new(kind: ErrorKind, section: Section, offset: u64) -> Self {
        Self { kind, section, offset }
    }

    pub(crate) const fn of_file(kind: ErrorKind) -> Self {
        Self::new(kind, Section::FILE, 0)
    }

    pub(crate) const fn with_kind(self, kind: ErrorKind) -> Self {
        Self::new(kind, self.section, self.offset)
    }

    /// What is wrong.
    pub const fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// The chunk or section that is wrong.
    pub const fn section(&self) -> Section {
        self.section
    }

    /// The byte, counted from the start of the file, at which that section (for a chunk: its header) begins.
    pub const fn offset(&self) -> u64 {
        self.offset
    }
}

impl Display for Error {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if self.kind.is_about_file() {
            return write!(f, "{}", self.kind);
        }
        write!(f, "{} at byte {}: {}", self.section, self.offset, self.kind)
    }
}

/// The kinds of fault. Each has a stable [`code`](ErrorKind::code).
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The file has no byte at all.
    #[error("the file is empty")]
    Empty,
    /// The first bytes are no format's magic.
    #[error("not a known model or animation format: it begins with {first}")]
    UnknownFormat {
        /// The first bytes.
        first: FirstBytes,
    },
    /// A format that is recognised but is not the one asked for (several formats share the extension `.psa`).
    #[error("this is {found}")]
    OtherFormat {
        /// What the file is, with its article.
        found: &'static str,
    },
    /// A format that is recognised and that no part of this crate reads.
    #[error("this is {found}, which skelmap does not read")]
    UnsupportedFormat {
        /// What the file is, with its article.
        found: &'static str,
    },
    /// The text that Git LFS leaves in place of a file it did not download.
    #[error("this is a Git LFS pointer and not the file itself (run `git lfs pull`)")]
    GitLfsPointer,
    /// The walk failed, and every line feed of the file follows a carriage return: a text conversion went over it.
    #[error(
        "the file looks damaged by a conversion of line ends to CR LF (every 0A byte follows a 0D); fetch it again as binary"
    )]
    CrlfDamaged,
    /// Fewer bytes are left than a header or a fixed part needs.
    #[error("needs {needed} bytes, {left} are left")]
    Truncated {
        /// Bytes needed.
        needed: u64,
        /// Bytes left in the file.
        left: u64,
    },
    /// The records that a header announces do not fit into the rest of the file.
    #[error("{count} records of {size} bytes need {} bytes, {left} are left", u64::from(*count).saturating_mul(u64::from(*size)))]
    RecordsOverrun {
        /// Records announced.
        count: u32,
        /// Bytes per record announced.
        size: u32,
        /// Bytes left in the file after the header.
        left: u64,
    },
    /// A record count below zero.
    #[error("the record count is {count}, expected 0 or more")]
    NegativeCount {
        /// The count as stored.
        count: i32,
    },
    /// A record size below zero where records are announced.
    #[error("the record size is {size}, expected 0 or more")]
    NegativeSize {
        /// The size as stored.
        size: i32,
    },
    /// Records smaller than the format's record.
    #[error("records of {size} bytes, expected {known}")]
    RecordTooSmall {
        /// The size as stored.
        size: u32,
        /// The size of the format's record.
        known: u32,
    },
    /// Records that carry more than the format's record, so that no slice can view them.
    /// [`actorx::to_narrow`](crate::actorx::to_narrow) copies such a file without the surplus.
    #[error("records of {size} bytes carry {} more than the {known} of the format, so no slice can view them in place", size.saturating_sub(*known))]
    RecordTooWide {
        /// The size as stored.
        size: u32,
        /// The size of the format's record.
        known: u32,
    },
    /// Records written with 64-bit integers by an exporter whose header says otherwise (Blender up to 2.79 on 64-bit Linux and macOS).
    #[error(
        "the header says {declared} bytes a record, the body has {actual}: written with 64-bit integers by an old Blender exporter; export it again"
    )]
    NativeLong {
        /// The size that the header states.
        declared: u32,
        /// The size that the next header proves.
        actual: u32,
    },
    /// A chunk that the format requires is not there.
    #[error("the chunk is missing")]
    MissingChunk,
    /// The size of the payload in the header is not that of the file less the header.
    #[error(
        "the header says {stated} bytes follow, {actual} do: the file is cut off, has something appended, or is damaged"
    )]
    DataSize {
        /// The size as stored.
        stated: u32,
        /// The bytes after the header.
        actual: u64,
    },
    /// A version that is not known. Version 0 is refused by the engine too.
    #[error("version {version} is not known")]
    Version {
        /// The version as stored.
        version: u32,
    },
    /// A version of a SWAT 3 animation that is not known.
    #[error("version {major}.{minor} is not known, expected 4.1 or 4.2")]
    GsaVersion {
        /// The major number as stored.
        major: u8,
        /// The minor number as stored.
        minor: u8,
    },
    /// No place in a SWAT 3 animation can be the end of the skeleton, so that its frames cannot be found.
    #[error(
        "the end of the skeleton was not found: {} with FF FF, and after none of them do frames of sound rotations and \
         events end exactly where the file ends{}",
        Counted(*seen, "place"), Unnormalised(*unnormalised)
    )]
    MarkerNotFound {
        /// Places of two bytes FF, one of which should end the skeleton.
        seen: u32,
        /// Those of them that fit but for rotations that are not of unit length.
        unnormalised: u32,
    },
    /// Several places in a SWAT 3 animation could be the end of the skeleton. None is picked.
    #[error("{count} readings of the file fit: the skeleton could end at byte {}", Places(*count, first))]
    AmbiguousMarker {
        /// Readings that stand every test.
        count: u32,
        /// Where the skeleton ends in the first of them, for as many as there are.
        first: [u32; 4],
    },
    /// The end of the skeleton was not found with the work that a file of this size is worth: it was made to waste time.
    #[error("the search for the end of the skeleton was given up: too many places all but fit")]
    SearchLimit,
    /// A given layout of bones does not fit the skeleton of a SWAT 3 animation.
    #[error("by the given layout the skeleton ends nowhere: after {}, neither another nor FF FF follows", Counted(*bone, "bone"))]
    BoneLayout {
        /// Bones read before it.
        bone: u32,
    },
    /// The length of a frame is not a positive number, so that no time means anything.
    #[error("the frame length is {} ms, expected a number above 0", f32::from_bits(*bits))]
    FrameLength {
        /// The bits of the float as stored.
        bits: u32,
    },
    /// An animation without frames.
    #[error("there are no frames, expected at least one")]
    NoFrames,
    /// Bytes after the last section.
    #[error("{count} bytes are left over after the last section")]
    TrailingBytes {
        /// Bytes left over.
        count: u64,
    },
    /// A time at which there is no pose.
    #[error("there is no pose at {} ms: expected a time from 0 on and less than 2^31 frames away", f32::from_bits(*bits))]
    Time {
        /// The bits of the time asked for.
        bits: u32,
    },
    /// A buffer that has not the number of elements that the operation writes or reads.
    #[error("the buffer has {given} elements, expected {needed}")]
    BufferSize {
        /// Elements needed.
        needed: u64,
        /// Elements given.
        given: u64,
    },
    /// An animation of another number of bones than the mesh has.
    #[error("the animation has {animation} bones, the mesh {mesh}: {}", if *mesh == 0 { "on a mesh without bones nothing is played" } else { "it is for another skeleton" })]
    BoneCount {
        /// Bones of the mesh.
        mesh: u64,
        /// Bones of the animation.
        animation: u64,
    },
    /// A vertex that refers to a bone which does not exist.
    #[error("vertex {vertex} refers to bone {bone}, there are {count}")]
    VertexBone {
        /// The vertex.
        vertex: u64,
        /// The bone it refers to.
        bone: u8,
        /// Bones of the mesh.
        count: u32,
    },
    /// A vertex that no bone moves, in a mesh with bones: the engine reads past its matrices there.
    #[error("no bone moves vertex {vertex}")]
    VertexUnweighted {
        /// The vertex.
        vertex: u64,
    },
    /// Vertices stored relative to the bind pose where such in model space are needed.
    #[error("the vertices are relative to the bind pose (versions 1 and 2); bring them into model space first")]
    BindRelative,
    /// A frame number at or past the frames that exist.
    #[error("frame {frame} was asked for, {count} exist")]
    FrameOutOfRange {
        /// The frame asked for.
        frame: u64,
        /// Frames that the file holds.
        count: u64,
    },
    /// A bone number at or past the bones that exist.
    #[error("bone {bone} was asked for, {count} exist")]
    BoneOutOfRange {
        /// The bone asked for.
        bone: u64,
        /// Bones that the file holds.
        count: u64,
    },
}

const _: () = assert!(size_of::<ErrorKind>() <= 32);

impl ErrorKind {
    /// Whether the fault is the file's as a whole, so that no place in it is worth a word.
    const fn is_about_file(&self) -> bool {
        matches!(
            self,
            Self::Empty
                | Self::UnknownFormat { .. }
                | Self::OtherFormat { .. }
                | Self::UnsupportedFormat { .. }
                | Self::GitLfsPointer
        )
    }

    /// The stable name of this kind, as the command line prints it.
    ///
    /// ```
    /// assert_eq!(skelmap::ErrorKind::GitLfsPointer.code(), "git-lfs");
    /// ```
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Empty => "empty",
            Self::UnknownFormat { .. } => "unknown-format",
            Self::OtherFormat { .. } => "other-format",
            Self::UnsupportedFormat { .. } => "unsupported-format",
            Self::GitLfsPointer => "git-lfs",
            Self::CrlfDamaged => "crlf",
            Self::Truncated { .. } => "truncated",
            Self::RecordsOverrun { .. } => "records-overrun",
            Self::NegativeCount { .. } => "negative-count",
            Self::NegativeSize { .. } => "negative-size",
            Self::RecordTooSmall { .. } => "record-too-small",
            Self::RecordTooWide { .. } => "record-too-wide",
            Self::NativeLong { .. } => "native-long",
            Self::MissingChunk => "missing-chunk",
            Self::DataSize { .. } => "data-size",
            Self::Version { .. } => "version",
            Self::GsaVersion { .. } => "gsa-version",
            Self::MarkerNotFound { .. } => "marker-not-found",
            Self::AmbiguousMarker { .. } => "ambiguous-marker",
            Self::SearchLimit => "search-limit",
            Self::BoneLayout { .. } => "bone-layout",
            Self::FrameLength { .. } => "frame-length",
            Self::NoFrames => "no-frames",
            Self::TrailingBytes { .. } => "trailing-bytes",
            Self::Time { .. } => "time",
            Self::BufferSize { .. } => "buffer-size",
            Self::BoneCount { .. } => "bone-count",
            Self::VertexBone { .. } => "vertex-bone",
            Self::VertexUnweighted { .. } => "vertex-unweighted",
            Self::BindRelative => "bind-relative",
            Self::FrameOutOfRange { .. } => "frame-out-of-range",
            Self::BoneOutOfRange { .. } => "bone-out-of-range",
        }
    }
}

/// A number with its noun.
struct Counted(u32, &'static str);

impl Display for Counted {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self(count, noun) = self;
        write!(f, "{count} {noun}{}", if *count == 1 { "" } else { "s" })
    }
}

/// What more is known where the end of a skeleton was not found.
struct Unnormalised(u32);

impl Display for Unnormalised {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.0 {
            0 => f.write_str("; is it cut short, or is something appended?"),
            1 => f.write_str(" (one would, but for rotations that are not of unit length)"),
            count => write!(f, " ({count} would, but for rotations that are not of unit length)"),
        }
    }
}

/// The first of so many places.
struct Places<'a>(u32, &'a [u32; 4]);

impl Display for Places<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self(count, first) = self;
        let shown = first.iter().take(usize::try_from(*count).unwrap_or(usize::MAX));
        for (index, place) in shown.enumerate() {
            write!(f, "{}{place}", if index == 0 { "" } else { ", " })?;
        }
        if usize::try_from(*count).is_ok_and(|count| count > first.len()) { f.write_str(" and more") } else { Ok(()) }
    }
}

/// The first bytes of a file, eight or as many as it has. `Display` gives the text, escaped, and the hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FirstBytes {
    bytes: [u8; 8],
    len: u8,
}

impl FirstBytes {
    pub(crate) fn of(file: &[u8]) -> Self {
        let mut first = Self { bytes: [0; 8], len: 0 };
        for (to, from) in first.bytes.iter_mut().zip(file) {
            *to = *from;
            first.len = first.len.saturating_add(1);
        }
        first
    }

    /// The bytes.
    pub fn as_bytes(&self) -> &[u8] {
        self.bytes.get(..usize::from(self.len)).unwrap_or_default()
    }
}

impl Display for FirstBytes {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` (", self.as_bytes().escape_ascii())?;
        for (i, byte) in self.as_bytes().iter().enumerate() {
            if i > 0 {
                f.write_char(' ')?;
            }
            write!(f, "{byte:02X}")?;
        }
        f.write_char(')')
    }
}

#[cfg(all(test, feature = "std"))]
mod tests {
    use super::*;

    #[test]
    fn an_overrun_reads_as_the_reference_wants_it() {
        let kind = ErrorKind::RecordsOverrun { count: 8050, size: 32, left: 1200 };
        let error = Error::new(kind, Section::named("ANIMKEYS"), 6296);
        assert_eq!(
            error.to_string(),
            "ANIMKEYS at byte 6296: 8050 records of 32 bytes need 257600 bytes, 1200 are left"
        );
    }

    #[test]
    fn an_unknown_format_shows_its_first_bytes() {
        let kind = ErrorKind::UnknownFormat { first: FirstBytes::of(b"\x89PNG\r\n\x1a\n and more") };
        assert_eq!(
            kind.to_string(),
            "not a known model or animation format: it begins with `\\x89PNG\\r\\n\\x1a\\n` (89 50 4E 47 0D 0A 1A 0A)"
        );
    }
}
