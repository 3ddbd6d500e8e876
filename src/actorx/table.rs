//! The table of chunks: the ids of all known writers and readers, their record sizes, and their slot in a layout. This module
//! reads no chunks.

use super::layout::{PsaLayout, PskLayout};
use super::record::{
    AnimInfo, AnimKey, Bone, Color, Face16, Face32, Influence, Material, MorphDelta, MorphInfo, Normal, Point,
    ScaleKey, Socket, Tangent, Wedge,
};
use crate::bytes::Span;

/// The chunks without records that identify the format.
const HEADS: [&str; 2] = ["ACTRHEAD", "ANIMHEAD"];

/// A kind of chunk that a view reads: its id, its record size, and the slot of its range in the layout.
pub(super) type Kind<L> = (&'static str, usize, fn(&mut L) -> &mut Span);

const fn kind<T, L>(id: &'static str, slot: fn(&mut L) -> &mut Span) -> Kind<L> {
    (id, size_of::<T>(), slot)
}

pub(super) const MESH: [Kind<PskLayout>; 15] = [
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
    // Old exporters use these ids for the same records.
    kind::<Bone, _>("REFSKEL0", |layout| &mut layout.bones),
    kind::<Influence, _>("RAWW0000", |layout| &mut layout.influences),
];

pub(super) const ANIMATION: [Kind<PsaLayout>; 4] = [
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

/// Prefixes of other ids of chunks that no view reads.
const UNREAD_STARTS: [&[u8]; 4] = [b"MORPHTARGET", b"POSTRACK ", b"ROTTRACK ", b"SCLTRACK "];

/// Whether a file begins with this id of eight letters. In a file shorter than a header, the NUL after the id may be missing.
pub(super) fn is_head_id(first: &[u8], id: &[u8]) -> bool {
    first.starts_with(id) && (first.len() < 32 || first.get(8) == Some(&0))
}

/// Whether the id is that of Maya's blend curves: the first letters of a sequence's name and `:CUR`.
pub(super) fn is_curve_id(id: &[u8]) -> bool {
    id.ends_with(b":CUR")
}

/// Whether the id is that of an extra UV set, in any spelling (ActorX reference, section 3.9).
pub(super) fn is_uv_id(id: &[u8]) -> bool {
    id.starts_with(b"EXTRAUV")
}

pub(super) fn is_head(id: &[u8]) -> bool {
    HEADS.iter().any(|head| head.as_bytes() == id)
}

/// Whether any known writer or reader of the format uses this id.
pub(super) fn is_known(id: &[u8]) -> bool {
    let (mesh, animation) = (MESH.iter().map(|kind| kind.0), ANIMATION.iter().map(|kind| kind.0));
    let mut ids = mesh.chain(animation).chain(HEADS).chain(UNREAD);
    let is_named = ids.any(|known| known.as_bytes() == id) || UNREAD_STARTS.iter().any(|start| id.starts_with(start));
    is_named || is_curve_id(id) || is_uv_id(id)
}
