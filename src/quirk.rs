//! Oddities that a parser met and recovered from, so that nothing is repaired in silence.

use core::fmt::{self, Display, Formatter};

use crate::section::Section;

/// One oddity of a file: which, in which section, at which byte.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let bytes = std::fs::read("corpus/actorx/mesh/face32_size20.pskx")?;
/// let mesh = skelmap::actorx::Psk::parse(&bytes)?;
/// let quirk = mesh.quirks().next().ok_or("no quirk")?;
/// assert_eq!(quirk.kind.code(), "face-record-size");
/// assert_eq!(quirk.section.as_bytes(), b"FACE3200");
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Quirk {
    /// What was met.
    pub kind: QuirkKind,
    /// The chunk or section it was met in.
    pub section: Section,
    /// The byte at which that section begins (for a chunk: its header).
    pub offset: u64,
}

impl Display for Quirk {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{} at byte {}: {}", self.section, self.offset, self.kind)
    }
}

/// The kinds of oddity. Each has a stable [`code`](QuirkKind::code); `Display` says what was done about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum QuirkKind {
    /// Bytes after the NUL of a chunk id are not zero (Epic's Max exporter of 2003). Ignored.
    IdGarbage,
    /// A chunk id is empty or not printable ASCII. The chunk is listed and skipped.
    OddChunkId,
    /// A chunk's type flag is none that a known writer uses (old animations hold garbage there). Ignored.
    TypeFlag,
    /// `FACE3200` states 20 bytes a record where the body has 18 (UModel, winter of 2011). Read as 18.
    FaceRecordSize,
    /// `EXTRAUV0` states 16 bytes a record where the body has 8 (UModel, November 2011). Read as 8.
    UvRecordSize,
    /// `MRPHINFO` or `SKELSOCK` states more records than the body has (CUE4Parse). Cut at the next header.
    ShortBody,
    /// A second `ACTRHEAD` or `ANIMHEAD` (CUE4Parse since December 2023). Ignored.
    DuplicateHead,
    /// A chunk that the format has once came again with records. The first is used.
    DuplicateChunk,
    /// The stored first frames of the sequences cannot be (CUE4Parse before September 2023). Counted up instead.
    FrameNumbering,
    /// Scale keys exist for the flagged sequences only (Epic's exporters). Assigned to those, in order.
    ScaleKeysPartial,
    /// The number of scale keys fits neither convention. No sequence has scale keys.
    ScaleKeysIgnored,
    /// A version that no tool writes, in a file taken as the engine takes it. Read as the newest.
    UnknownVersion,
    /// A frame length that is not a positive number, in a file taken as the engine takes it. There is no pose.
    FrameLength,
    /// An animation without frames, in a file taken as the engine takes it. There is no pose.
    NoFrames,
    /// Bytes after the last section, in a file taken as the engine takes it, or zeros that were allowed for. Ignored.
    TrailingBytes,
    /// The end of the magic comes twice, as the one public description lists it (SWAT 3). The second time is skipped.
    DoubledMagicNode,
    /// Frames store their number of events more or less often than the version does (SWAT 3). Read as stored.
    EventCountWords,
    /// Records carry more bytes than the format's (from [`to_narrow`](crate::actorx::to_narrow)). The surplus was dropped.
    WideRecords,
}

impl QuirkKind {
    /// The stable name of this kind, as the command line prints it.
    pub const fn code(self) -> &'static str {
        match self {
            Self::IdGarbage => "id-garbage",
            Self::OddChunkId => "odd-chunk-id",
            Self::TypeFlag => "type-flag",
            Self::FaceRecordSize => "face-record-size",
            Self::UvRecordSize => "uv-record-size",
            Self::ShortBody => "short-body",
            Self::DuplicateHead => "duplicate-head",
            Self::DuplicateChunk => "duplicate-chunk",
            Self::FrameNumbering => "frame-numbering",
            Self::ScaleKeysPartial => "scale-keys-partial",
            Self::ScaleKeysIgnored => "scale-keys-ignored",
            Self::UnknownVersion => "unknown-version",
            Self::FrameLength => "frame-length",
            Self::NoFrames => "no-frames",
            Self::TrailingBytes => "trailing-bytes",
            Self::DoubledMagicNode => "doubled-magic-node",
            Self::EventCountWords => "event-count-words",
            Self::WideRecords => "wide-records",
        }
    }
}

impl Display for QuirkKind {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::IdGarbage => "bytes after the end of the chunk id are not zero; ignored",
            Self::OddChunkId => "the chunk id is not printable text; the chunk is skipped",
            Self::TypeFlag => "the type flag is none that a known writer uses; ignored",
            Self::FaceRecordSize => "the header says 20 bytes a face, the body has 18; read as 18",
            Self::UvRecordSize => "the header says 16 bytes a record, the body has 8; read as 8",
            Self::ShortBody => "the header counts more records than the body has; cut at the next header",
            Self::DuplicateHead => "a second head chunk; ignored",
            Self::DuplicateChunk => "the chunk comes a second time; the first is used",
            Self::FrameNumbering => "the stored first frames cannot be; the sequences' frames are counted up instead",
            Self::ScaleKeysPartial => "scale keys exist for the flagged sequences only; assigned to those in order",
            Self::ScaleKeysIgnored => "the number of scale keys fits no convention; they are ignored",
            Self::UnknownVersion => "the version is none that a tool writes; read as the newest",
            Self::FrameLength => "the frame length is not a positive number; there is no pose",
            Self::NoFrames => "there are no frames, and so no pose",
            Self::TrailingBytes => "bytes follow the last section; ignored",
            Self::DoubledMagicNode => "the last six bytes of the magic come twice; the second time is skipped",
            Self::EventCountWords => {
                "frames store their number of events more or less often than the version does; read as stored"
            }
            Self::WideRecords => "records carry more bytes than the format has; the surplus was dropped in a copy",
        })
    }
}
