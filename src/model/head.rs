//! The content of headers: counts, quirks and names, read without the bulk of the file.

#![allow(unreachable_pub, reason = "named by a sealed trait")]

use alloc::{borrow::Cow, string::String, vec::Vec};

use crate::bytes::{ReadAt, Span, to_u64, to_usize};
use crate::report::{Code, Error, ErrorKind, Quirk, ReadError, Section};

/// The counts of a file; `None` for a count that the format does not have.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Summary {
    /// Bones; `None` if the file does not state their number.
    pub bones: Option<u64>,
    /// Points: positions that wedges share. In Pyrogenesis meshes, which have no wedges: vertices.
    pub points: Option<u64>,
    /// Wedges: corners of faces, each with its texture coordinate.
    pub wedges: Option<u64>,
    /// Triangles.
    pub faces: Option<u64>,
    /// Material slots.
    pub materials: Option<u64>,
    /// UV sets, the first one included.
    pub uv_sets: Option<u64>,
    /// Sequences; 1 if a file is one animation.
    pub sequences: Option<u64>,
    /// Frames of all sequences.
    pub frames: Option<u64>,
    /// Seconds of all sequences; sequences without a positive rate are excluded.
    pub duration_s: Option<f64>,
}

/// The content of the headers of a file.
#[derive(Clone, Debug)]
pub struct Head {
    pub(crate) summary: Summary,
    /// The codes of the quirks, each once, in file order.
    pub(crate) quirks: Vec<Code>,
    /// The keys that join assets, if requested.
    pub(crate) names: Option<Names>,
}

/// The names in the headers of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Names {
    /// The names of the sequences, if the format has names.
    pub sequences: Vec<String>,
    /// Names and parents of the bones, for comparison: for each bone the lower-case name, a zero byte, and the index of the parent as a
    /// little-endian 32-bit integer, -1 for a root. Empty without names or bones.
    pub skeleton: Vec<u8>,
}

impl Head {
    /// The headers of a file without names of sequences and bones.
    pub(crate) fn of(summary: Summary, quirks: impl Iterator<Item = Quirk>, with_names: bool) -> Self {
        let mut codes = Vec::new();
        add_codes(&mut codes, quirks.map(|quirk| quirk.code));
        Self { summary, quirks: codes, names: with_names.then(Names::default) }
    }

    /// The headers of a compressed file, which do not say what it holds.
    pub(crate) fn of_packed(code: Code, with_names: bool) -> Self {
        Self { summary: Summary::default(), quirks: alloc::vec![code], names: with_names.then(Names::default) }
    }
}

/// Adds the codes that are not in the list yet.
pub(crate) fn add_codes(all: &mut Vec<Code>, codes: impl IntoIterator<Item = Code>) {
    for code in codes {
        if !all.contains(&code) {
            all.push(code);
        }
    }
}

/// The maximum number of bytes that a row reads of one part of a file. Real parts have a hundredth of that; a sparse file can
/// be much larger.
const MAX_PART_BYTES: u64 = 1 << 28;

/// [`read_span`] for a row, with a limit of 256 MiB.
pub(crate) fn read_part<R: ReadAt + ?Sized>(source: &R, span: Span) -> Result<Cow<'_, [u8]>, ReadError<R::Error>> {
    if span.len() > MAX_PART_BYTES {
        return Err(Error::new(ErrorKind::OutOfMemory { needed: span.len() }, Section::FILE, span.start()).into());
    }
    read_span(source, span)
}

/// The bytes of a checked range: in place if the source is in memory.
pub(crate) fn read_span<R: ReadAt + ?Sized>(source: &R, span: Span) -> Result<Cow<'_, [u8]>, ReadError<R::Error>> {
    if let Some(bytes) = source.as_slice() {
        return Ok(Cow::Borrowed(span.bytes_of(bytes)));
    }
    let (needed, fail) = (span.len(), |kind| Err(Error::new(kind, Section::FILE, span.start()).into()));
    let mut bytes = Vec::new();
    if usize::try_from(needed).map_or(true, |length| bytes.try_reserve_exact(length).is_err()) {
        return fail(ErrorKind::OutOfMemory { needed });
    }
    bytes.resize(to_usize(needed), 0);
    let read = source.read_at(span.start(), &mut bytes).map_err(ReadError::Source)?;
    if read < bytes.len() {
        // The file shrank after its size was read.
        return fail(ErrorKind::Truncated { needed, left: to_u64(read) });
    }
    Ok(Cow::Owned(bytes))
}
