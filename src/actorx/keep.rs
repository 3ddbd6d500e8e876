//! Chunks in a layout: the chunk that a view uses, its record size, its quirks and its place.

use zerocopy::FromBytes;

use super::chunk::{ChunkId, Extent, HEADER_LEN, Walk};
use super::codes;
use super::layout::{PsaLayout, PskLayout};
use super::record::Uv;
use super::table::{ANIMATION, Kind, MESH, is_curve_id, is_head, is_uv_id};
use crate::bytes::{Span, to_usize};
use crate::report::{Code, Error, ErrorKind, Quirk, Section, SectionRange, SectionStart};

/// Whether the chunk is an extra UV set.
pub(super) fn is_uv_set(extent: &Extent) -> bool {
    extent.count > 0 && is_uv_id(extent.id.raw())
}

/// A layout that keeps the ranges of chunks.
pub(super) trait Slots: Default + 'static {
    /// The chunks that occur once in a file.
    const KINDS: &'static [Kind<Self>];

    /// The record size of a chunk that may be repeated; `None` for other chunks.
    fn repeated_size(extent: &Extent) -> Option<u32>;

    /// The record size of a chunk that occurs once, and the slot of its range; `None` for other chunks.
    fn slot(&mut self, id: &[u8]) -> Option<(usize, &mut Span)> {
        let (_, size, slot) = Self::KINDS.iter().find(|(known, ..)| known.as_bytes() == id)?;
        Some((*size, slot(self)))
    }
}

impl Slots for PskLayout {
    const KINDS: &'static [Kind<Self>] = &MESH;

    fn repeated_size(extent: &Extent) -> Option<u32> {
        is_uv_id(extent.id.as_bytes()).then(|| u32::try_from(size_of::<Uv>()).unwrap_or(u32::MAX))
    }
}

impl Slots for PsaLayout {
    const KINDS: &'static [Kind<Self>] = &ANIMATION;

    fn repeated_size(extent: &Extent) -> Option<u32> {
        is_curve_id(extent.id.as_bytes()).then(|| super::curve::record_size(extent.record_size))
    }
}

/// Whether a view of this layout reads the records of a chunk.
pub(super) fn is_read<L: Slots>(extent: &Extent) -> bool {
    L::repeated_size(extent).is_some() || L::default().slot(extent.id.as_bytes()).is_some()
}

/// The result of [`keep`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kept {
    /// The view uses the chunk, which has records.
    Used,
    /// The chunk has records, but the view uses an earlier one of its kind.
    Duplicate,
    /// The chunk has no records, or the view does not read them, or reads all chunks of this kind.
    Other,
}

/// Checks the record size. Keeps the first chunk of a kind with records, else the first.
pub(super) fn keep<L: Slots>(layout: &mut L, extent: &Extent) -> Result<Kept, Error> {
    let Some((size, slot)) = layout.slot(extent.id.as_bytes()) else {
        return match L::repeated_size(extent) {
            Some(size) => check_size(extent, size).map(|()| Kept::Other),
            None => Ok(Kept::Other),
        };
    };
    check_size(extent, u32::try_from(size).unwrap_or(u32::MAX))?;
    let first = slot.is_empty() && (extent.count > 0 || *slot == Span::default());
    if first {
        *slot = extent.body;
    }
    Ok(match (extent.count, first) {
        (0, _) => Kept::Other,
        (_, true) => Kept::Used,
        (_, false) => Kept::Duplicate,
    })
}

/// The place of the chunk that a layout keeps for an id; byte 0 if the file does not have such a chunk.
pub(super) fn place_of<L: Slots>(bytes: &[u8], mut layout: L, id: &str) -> SectionStart {
    let body = layout.slot(id.as_bytes()).map_or(0, |(_, body)| body.start());
    let offset = body.saturating_sub(HEADER_LEN);
    let stored = bytes.get(to_usize(offset)..).and_then(|header| ChunkId::ref_from_prefix(header).ok());
    let section = stored.filter(|_| body > 0).map_or(Section::named(id), |(id, _)| id.section());
    SectionStart { section, offset }
}

fn check_size(extent: &Extent, known: u32) -> Result<(), Error> {
    match extent.record_size {
        size if size != known && extent.count > 0 => Err(extent.error(ErrorKind::RecordSize { size, known })),
        _ => Ok(()),
    }
}

/// The quirks of a chunk: its own, then an additional head or a duplicate.
pub(super) fn quirks_of(index: usize, extent: &Extent, kept: Kept) -> impl Iterator<Item = Code> + use<> {
    let head = index > 0 && is_head(extent.id.as_bytes());
    let duplicate = kept == Kept::Duplicate;
    let further = [head.then_some(codes::DUPLICATE_HEAD), duplicate.then_some(codes::DUPLICATE_CHUNK)];
    extent.quirks().into_iter().chain(further).flatten()
}

/// The quirks of every chunk of a parsed file, in file order.
pub(super) fn chunk_quirks<'a, L: Slots + 'a>(bytes: &'a [u8]) -> impl Iterator<Item = Quirk> + use<'a, L> {
    let mut layout = L::default();
    Walk::new(bytes).map_while(Result::ok).enumerate().flat_map(move |(index, extent)| {
        let kept = keep(&mut layout, &extent).unwrap_or(Kept::Other);
        quirks_of(index, &extent, kept).map(move |code| extent.quirk(code))
    })
}

/// The sections of a file: its chunks.
pub(super) fn chunk_sections(bytes: &[u8]) -> impl Iterator<Item = SectionRange> + use<'_> {
    Walk::new(bytes)
        .map_while(Result::ok)
        .map(|extent| SectionRange::new(extent.id.section(), extent.body, extent.record_size.into()))
}
