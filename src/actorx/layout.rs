//! What the two views share: proving a chunk's records, and telling which chunk of several is the one used.

use core::cmp::Ordering;

use super::chunk::{Chunk, Chunks, is_curve_id, is_uv_id};
use super::curve::curve_record_size;
use super::record::{
    AnimInfo, AnimKey, Bone, Color, Face16, Face32, Influence, Material, MorphDelta, MorphInfo, Point, ScaleKey,
    Socket, Tangent, Uv, Wedge,
};
use crate::cursor::Span;
use crate::error::{Error, ErrorKind};
use crate::format::Format;
use crate::quirk::{Quirk, QuirkKind};

/// Proves that a chunk's records have the format's size, where the format is one whose records this crate knows.
pub(super) fn prove_size(format: Format, chunk: &Chunk<'_>) -> Result<(), Error> {
    let Some(known) = known_size(format, chunk) else { return Ok(()) };
    let size = chunk.record_size;
    match size.cmp(&known) {
        _ if chunk.count == 0 => Ok(()),
        Ordering::Less => Err(chunk.error(ErrorKind::RecordTooSmall { size, known })),
        Ordering::Greater => Err(chunk.error(ErrorKind::RecordTooWide { size, known })),
        Ordering::Equal => Ok(()),
    }
}

/// Keeps a chunk's range if it is the first of its kind that holds any record, or the first at all; says whether it holds any.
pub(super) fn keep_first(slot: &mut Span, chunk: &Chunk<'_>) -> bool {
    let first = slot.is_empty() && (chunk.count > 0 || *slot == Span::default());
    if first {
        *slot = Span::new(chunk.start, chunk.body.len());
    }
    first && chunk.count > 0
}

/// The size of the format's record in a chunk, where the chunk is one of those that the views read.
pub(super) fn known_size(format: Format, chunk: &Chunk<'_>) -> Option<u32> {
    let size = match (format, chunk.id.as_bytes()) {
        (Format::ActorxPsk, b"PNTS0000" | b"VTXNORMS") => size_of::<Point>(),
        (Format::ActorxPsk, b"VTXW0000") => size_of::<Wedge>(),
        (Format::ActorxPsk, b"FACE0000") => size_of::<Face16>(),
        (Format::ActorxPsk, b"FACE3200") => size_of::<Face32>(),
        (Format::ActorxPsk, b"MATT0000") => size_of::<Material>(),
        (Format::ActorxPsk, b"REFSKELT" | b"REFSKEL0") | (Format::ActorxPsa, b"BONENAMES") => size_of::<Bone>(),
        (Format::ActorxPsk, b"RAWWEIGHTS" | b"RAWW0000") => size_of::<Influence>(),
        (Format::ActorxPsk, b"VERTEXCOLOR") => size_of::<Color>(),
        (Format::ActorxPsk, b"VTXTANGS") => size_of::<Tangent>(),
        (Format::ActorxPsk, b"MRPHINFO") => size_of::<MorphInfo>(),
        (Format::ActorxPsk, b"MRPHDATA") => size_of::<MorphDelta>(),
        (Format::ActorxPsk, b"SKELSOCK") => size_of::<Socket>(),
        (Format::ActorxPsk, id) if is_uv_id(id) => size_of::<Uv>(),
        (Format::ActorxPsa, b"ANIMINFO") => size_of::<AnimInfo>(),
        (Format::ActorxPsa, b"ANIMKEYS") => size_of::<AnimKey>(),
        (Format::ActorxPsa, b"SCALEKEYS") => size_of::<ScaleKey>(),
        (Format::ActorxPsa, id) if is_curve_id(id) => return Some(curve_record_size(chunk)),
        _ => return None,
    };
    u32::try_from(size).ok()
}

/// The quirks of every chunk in file order: its own, then whether it is a further head or a chunk that a `used` one precedes.
pub(super) fn heads_and_duplicates<'a>(
    bytes: &'a [u8],
    used: impl Fn(&[u8]) -> Option<Span> + Copy + 'a,
) -> impl Iterator<Item = Quirk> + 'a {
    Chunks::new(bytes).map_while(Result::ok).enumerate().flat_map(move |(index, chunk)| {
        let id = chunk.id.as_bytes();
        let head = index > 0 && (id == b"ACTRHEAD" || id == b"ANIMHEAD");
        let duplicate = chunk.count > 0 && used(id).is_some_and(|span| span.start() != chunk.start);
        let further = [head.then_some(QuirkKind::DuplicateHead), duplicate.then_some(QuirkKind::DuplicateChunk)];
        chunk.own_quirks().into_iter().chain(further).flatten().map(move |kind| chunk.quirk(kind))
    })
}
