//! The table of chunks: the ids of all known writers and readers, the sizes of their records, and their place in a
//! layout.

use core::cmp::Ordering;

use super::chunk::{Extent, Walk};
use super::codes;
use super::layout::{PsaLayout, PskLayout};
use super::record::{
    AnimInfo, AnimKey, Bone, Color, Face16, Face32, Influence, Material, MorphDelta, MorphInfo, Normal, Point,
    ScaleKey, Socket, Tangent, Uv, Wedge,
};
use crate::bytes::Span;
use crate::report::{Code, Error, ErrorKind, Quirk, SectionRange};

/// The chunks without records that mark the kind of file.
const HEADS: [&str; 2] = ["ACTRHEAD", "ANIMHEAD"];

/// A kind of chunk that a view reads: its id, the size of its records, and the slot of its range in the layout.
type Kind<L> = (&'static str, usize, fn(&mut L) -> &mut Span);

const fn kind<T, L>(id: &'static str, slot: fn(&mut L) -> &mut Span) -> Kind<L> {
    (id, size_of::<T>(), slot)
}

const MESH: [Kind<PskLayout>; 15] = [
    kind::<Point, _>("PNTS0000", |layout| &mut layout.points),
    kind::<Wedge, _>("VTXW0000", |layout| &mut layout.wedges),
    kind::<Face16, _>("FACE0000", |layout| &mut layout.faces),
    kind::<Face32, _>("FACE3200", |layout| &mut layout.faces),
    kind::<Material, _>("MATT0000", |layout| &mut layout.materials),
    kind::<Bone, _>("REFSKELT", |layout| &mut layout.bones),
    kind::<Influence, _>("RAWWEIGHTS", |layout| &mut layout.influences),
    kind::<Color, _>("VERTEXCOLOR", |layout| &mut layout.colors),
    kind::<Normal, _>("VTXNORMS", |layout| &mut layout.normals),
    kind::<Tangent, _>("VTXTANGS", |layout| &mut layout.tangents),
    kind::<MorphInfo, _>("MRPHINFO", |layout| &mut layout.morphs),
    kind::<MorphDelta, _>("MRPHDATA", |layout| &mut layout.morph_deltas),
    kind::<Socket, _>("SKELSOCK", |layout| &mut layout.sockets),
    // Ids of old exporters for the same records.
    kind::<Bone, _>("REFSKEL0", |layout| &mut layout.bones),
    kind::<Influence, _>("RAWW0000", |layout| &mut layout.influences),
];

const ANIMATION: [Kind<PsaLayout>; 4] = [
    kind::<Bone, _>("BONENAMES", |layout| &mut layout.bones),
    kind::<AnimInfo, _>("ANIMINFO", |layout| &mut layout.infos),
    kind::<AnimKey, _>("ANIMKEYS", |layout| &mut layout.keys),
    kind::<ScaleKey, _>("SCALEKEYS", |layout| &mut layout.scale_keys),
];

/// Known ids of chunks that no view reads.
#[rustfmt::skip]
const UNREAD: [&str; 15] = [
    "MORPHNAMES", "VTXW3200", "PHYSICS0", "SHAPEELEMS", "ANIMFLAGS", "ANIXHEAD", "SEQUENCES", "WRLDHEAD", "INSTMATERIAL",
    "ACTORMATERIALS", "WORLDACTORS", "WORLDACTORS::2", "WORLDACTORS::3", "WORLDLIGHTS", "LANDSCAPE",
];

/// Starts of further ids of chunks that no view reads.
const UNREAD_STARTS: [&[u8]; 4] = [b"MORPHTARGET", b"POSTRACK ", b"ROTTRACK ", b"SCLTRACK "];

/// Whether the id is of Maya's blend curves: the first letters of a sequence's name and `:CUR`.
pub(super) fn is_curve_id(id: &[u8]) -> bool {
    id.ends_with(b":CUR")
}

/// Whether the id is of an extra UV set, in any spelling (ActorX reference, section 3.9).
pub(super) fn is_uv_id(id: &[u8]) -> bool {
    id.starts_with(b"EXTRAUV")
}

/// Whether the chunk is an extra UV set.
pub(super) fn is_uv_set(extent: &Extent) -> bool {
    extent.count > 0 && is_uv_id(extent.id.as_bytes())
}

fn is_head(id: &[u8]) -> bool {
    HEADS.iter().any(|head| head.as_bytes() == id)
}

/// Whether a writer or reader of the format uses this id.
pub(super) fn is_known(id: &[u8]) -> bool {
    let (mesh, animation) = (MESH.iter().map(|kind| kind.0), ANIMATION.iter().map(|kind| kind.0));
    let mut ids = mesh.chain(animation).chain(HEADS).chain(UNREAD);
    let is_named = ids.any(|known| known.as_bytes() == id) || UNREAD_STARTS.iter().any(|start| id.starts_with(start));
    is_named || is_curve_id(id) || is_uv_id(id)
}

/// A layout that keeps the ranges of chunks.
pub(super) trait Slots: Default + 'static {
    /// The chunks that a file has once.
    const KINDS: &'static [Kind<Self>];

    /// The size of the records of a chunk that a file may have several times; `None` for other chunks.
    fn repeated_size(extent: &Extent) -> Option<u32>;

    /// The size of the records of a chunk that a file has once, and the slot of its range; `None` for other chunks.
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
    /// The chunk has no records, or the view does not read them, or reads all chunks of the kind.
    Other,
}

/// Proves the size of the records that the view reads. Keeps the first chunk of each kind with a record, else the
/// first.
pub(super) fn keep<L: Slots>(layout: &mut L, extent: &Extent) -> Result<Kept, Error> {
    let Some((size, slot)) = layout.slot(extent.id.as_bytes()) else {
        return match L::repeated_size(extent) {
            Some(size) => prove_size(extent, size).map(|()| Kept::Other),
            None => Ok(Kept::Other),
        };
    };
    prove_size(extent, u32::try_from(size).unwrap_or(u32::MAX))?;
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

fn prove_size(extent: &Extent, known: u32) -> Result<(), Error> {
    let size = extent.record_size;
    match size.cmp(&known) {
        _ if extent.count == 0 => Ok(()),
        Ordering::Less => Err(extent.error(ErrorKind::RecordTooSmall { size, known })),
        Ordering::Greater => Err(extent.error(ErrorKind::RecordTooWide { size, known })),
        Ordering::Equal => Ok(()),
    }
}

/// The quirks of a chunk: its own, then a further head or a duplicate.
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

/// The places of the chunks of a file.
pub(super) fn chunk_sections(bytes: &[u8]) -> impl Iterator<Item = SectionRange> + use<'_> {
    Walk::new(bytes)
        .map_while(Result::ok)
        .map(|extent| SectionRange::new(extent.id.section(), extent.body, extent.record_size.into()))
}
