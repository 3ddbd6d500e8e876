//! The mesh view: `.psk` and `.pskx`.

use core::iter::FusedIterator;

use super::chunk::{Chunk, Chunks, blame_line_ends, is_uv_id};
use super::layout::{heads_and_duplicates, keep_first, prove_size};
use super::record::{
    Bone, Color, Face, Face16, Face32, Influence, Material, MorphDelta, MorphInfo, Normal, Point, Socket, Tangent, Uv,
    Wedge,
};
use super::skeleton::Skeleton;
use crate::cursor::{Span, records};
use crate::error::Error;
use crate::format::Format;
use crate::quirk::Quirk;

/// Up to this many points, a wedge's point index has 16 bits (ActorX reference, section 3.2).
const POINTS_OF_16_BITS: usize = 65_536;

/// A mesh, read in place: points, wedges, faces, materials, bones, influences and the extras.
///
/// `Copy`; every slice borrows the file. Absent chunks are empty slices. Values are as stored (ActorX reference, section 3);
/// for conventions see [`space`](super::space). For a form to store, see [`PskBuf`](crate::PskBuf).
///
/// ```
/// use skelmap::actorx::Psk;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let bytes = std::fs::read("corpus/actorx/mesh/classic.psk")?;
/// let mesh = Psk::parse(&bytes)?;
/// for face in mesh.faces() {
///     for wedge in face.wedges.iter().filter_map(|&wedge| mesh.wedges().get(wedge as usize)) {
///         let point = mesh.point_of(wedge).ok_or("a wedge without a point")?;
///         println!("{:?} {:?}", point.get(), wedge.uv());
///     }
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Psk<'a> {
    bytes: &'a [u8],
    layout: PskLayout,
}

/// Where the parts of a mesh lie, without a lifetime: what [`PskBuf`](crate::PskBuf) keeps beside the bytes.
#[derive(Clone, Copy, Debug, Default)]
pub struct PskLayout {
    points: Span,
    wedges: Span,
    faces: Span,
    faces_have_32_bits: bool,
    materials: Span,
    bones: Span,
    influences: Span,
    colors: Span,
    normals: Span,
    tangents: Span,
    morphs: Span,
    morph_deltas: Span,
    sockets: Span,
    extra_uv_sets: usize,
}

impl PskLayout {
    pub(crate) fn parse(bytes: &[u8]) -> Result<Self, Error> {
        match Format::sniff(bytes)? {
            Format::ActorxPsk => {}
            other => return Err(other.not_asked_for()),
        }
        Self::of_chunks(bytes).map_err(|error| blame_line_ends(bytes, error))
    }

    fn of_chunks(bytes: &[u8]) -> Result<Self, Error> {
        let mut layout = Self::default();
        for chunk in Chunks::new(bytes) {
            let chunk = chunk?;
            prove_size(Format::ActorxPsk, &chunk)?;
            let id = chunk.id.as_bytes();
            if let Some(slot) = layout.slot(id) {
                if keep_first(slot, &chunk) && id == b"FACE3200" {
                    layout.faces_have_32_bits = true;
                }
            } else if is_uv_id(id) && chunk.count > 0 {
                layout.extra_uv_sets = layout.extra_uv_sets.saturating_add(1);
            }
        }
        Ok(layout)
    }

    /// Where the range of a chunk goes of which there may be only one.
    fn slot(&mut self, id: &[u8]) -> Option<&mut Span> {
        Some(match id {
            b"PNTS0000" => &mut self.points,
            b"VTXW0000" => &mut self.wedges,
            b"FACE0000" | b"FACE3200" => &mut self.faces,
            b"MATT0000" => &mut self.materials,
            b"REFSKELT" | b"REFSKEL0" => &mut self.bones,
            b"RAWWEIGHTS" | b"RAWW0000" => &mut self.influences,
            b"VERTEXCOLOR" => &mut self.colors,
            b"VTXNORMS" => &mut self.normals,
            b"VTXTANGS" => &mut self.tangents,
            b"MRPHINFO" => &mut self.morphs,
            b"MRPHDATA" => &mut self.morph_deltas,
            b"SKELSOCK" => &mut self.sockets,
            _ => return None,
        })
    }

    pub(crate) const fn view<'a>(&self, bytes: &'a [u8]) -> Psk<'a> {
        Psk { bytes, layout: *self }
    }
}

impl<'a> Psk<'a> {
    /// Reads the chunk headers and proves every count and size; touches no record. O(chunks), no allocation.
    ///
    /// Chunks may come in any order; unknown ones are skipped (and listed by [`chunks`](Psk::chunks)). What was odd is in
    /// [`quirks`](Psk::quirks).
    ///
    /// # Errors
    /// Those of [`Format::sniff`]; [`OtherFormat`](crate::ErrorKind::OtherFormat) for an animation; a header that is cut off or
    /// announces what the file does not hold; records of the wrong size; a file that a text conversion damaged.
    pub fn parse(bytes: &'a [u8]) -> Result<Self, Error> {
        Ok(PskLayout::parse(bytes)?.view(bytes))
    }

    /// The file.
    pub const fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// All chunks in file order, known and unknown.
    pub fn chunks(&self) -> impl Iterator<Item = Chunk<'a>> + Clone + use<'a> {
        Chunks::new(self.bytes).map_while(Result::ok)
    }

    /// What was odd and how it was read, in file order. O(chunks), no allocation.
    pub fn quirks(&self) -> impl Iterator<Item = Quirk> + use<'a> {
        let layout = self.layout;
        heads_and_duplicates(self.bytes, move |id| ({ layout }).slot(id).copied())
    }

    /// Positions, shared by wedges. In file units (a centimetre in Unreal Engine 4); z is up, right-handed.
    pub fn points(&self) -> &'a [Point] {
        self.layout.points.of(self.bytes)
    }

    /// The corners that faces refer to.
    pub fn wedges(&self) -> &'a [Wedge] {
        self.layout.wedges.of(self.bytes)
    }

    /// The triangles, whichever width their chunk has.
    pub fn faces(&self) -> Faces<'a> {
        let span = self.layout.faces;
        if self.layout.faces_have_32_bits { Faces::U32(span.of(self.bytes)) } else { Faces::U16(span.of(self.bytes)) }
    }

    /// The material slots.
    pub fn materials(&self) -> &'a [Material] {
        self.layout.materials.of(self.bytes)
    }

    /// The bones with their bind pose; empty for static meshes.
    pub fn bones(&self) -> &'a [Bone] {
        self.layout.bones.of(self.bytes)
    }

    /// The bones' hierarchy.
    pub fn skeleton(&self) -> Skeleton<'a> {
        Skeleton::new(self.bones())
    }

    /// Which bones move which points, in no particular order.
    pub fn influences(&self) -> &'a [Influence] {
        self.layout.influences.of(self.bytes)
    }

    /// Vertex colours, one per wedge; empty where the mesh has none.
    pub fn colors(&self) -> &'a [Color] {
        self.layout.colors.of(self.bytes)
    }

    /// Normals, one per point; empty where the mesh has none.
    pub fn normals(&self) -> &'a [Normal] {
        self.layout.normals.of(self.bytes)
    }

    /// Tangents, one per point; empty where the mesh has none.
    pub fn tangents(&self) -> &'a [Tangent] {
        self.layout.tangents.of(self.bytes)
    }

    /// The morph targets' names and sizes. [`morphs`](Psk::morphs) pairs them with their deltas.
    pub fn morph_infos(&self) -> &'a [MorphInfo] {
        self.layout.morphs.of(self.bytes)
    }

    /// The deltas of all morph targets, one target after the other.
    pub fn morph_deltas(&self) -> &'a [MorphDelta] {
        self.layout.morph_deltas.of(self.bytes)
    }

    /// The morph targets, each with its deltas. Deltas that a target counts but the file does not hold are left out.
    pub fn morphs(&self) -> impl Iterator<Item = Morph<'a>> + use<'a> {
        let mut left = self.morph_deltas();
        self.morph_infos().iter().map(move |info| {
            let count = usize::try_from(info.vertex_count()).unwrap_or(0).min(left.len());
            let (deltas, rest) = left.split_at_checked(count).unwrap_or((left, &[]));
            left = rest;
            Morph { info, deltas }
        })
    }

    /// The attachment sockets.
    pub fn sockets(&self) -> &'a [Socket] {
        self.layout.sockets.of(self.bytes)
    }

    /// The UV sets beyond the wedges' own, one slice per set, each with a coordinate per wedge. O(chunks) to run through.
    pub fn extra_uv_sets(&self) -> impl Iterator<Item = &'a [Uv]> + Clone + use<'a> {
        self.chunks().filter(|chunk| is_uv_id(chunk.id.as_bytes()) && chunk.count > 0).map(|chunk| records(chunk.body))
    }

    /// Number of UV sets: the wedges' own and the extra ones; 0 in a file without wedges. O(1).
    pub fn uv_set_count(&self) -> usize {
        if self.wedges().is_empty() { 0 } else { self.layout.extra_uv_sets.saturating_add(1) }
    }

    /// A wedge's point index: 16 bits of it in a mesh of at most 65,536 points, where old exporters left garbage in the other
    /// half, else all 32. Not checked against the points. O(1). (ActorX reference, section 3.2.)
    #[inline]
    pub fn point_index(&self, wedge: &Wedge) -> u32 {
        if self.has_16_bit_points() { wedge.point_index_16().into() } else { wedge.point_index_32() }
    }

    /// A wedge's point; `None` if the wedge's index is out of range. O(1).
    #[inline]
    pub fn point_of(&self, wedge: &Wedge) -> Option<&'a Point> {
        self.points().get(usize::try_from(self.point_index(wedge)).ok()?)
    }

    /// Whether wedges hold 16-bit point indices, so that their high half is padding.
    #[inline]
    pub(crate) fn has_16_bit_points(&self) -> bool {
        self.points().len() <= POINTS_OF_16_BITS
    }
}

/// A morph target: its record and its deltas.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Morph<'a> {
    /// Name and number of deltas as stored.
    pub info: &'a MorphInfo,
    /// The deltas, in file order.
    pub deltas: &'a [MorphDelta],
}

/// The faces of a mesh as its chunk has them, with one iterator over both widths.
///
/// `FACE0000` has 16-bit wedge indices, `FACE3200` 32-bit ones; the chunk's id decides, not the number of wedges (ActorX
/// reference, section 3.4).
#[derive(Clone, Copy, Debug)]
pub enum Faces<'a> {
    /// 16-bit wedge indices.
    U16(&'a [Face16]),
    /// 32-bit wedge indices.
    U32(&'a [Face32]),
}

impl<'a> Faces<'a> {
    /// Number of faces. O(1).
    pub const fn len(&self) -> usize {
        match self {
            Self::U16(faces) => faces.len(),
            Self::U32(faces) => faces.len(),
        }
    }

    /// Whether there is no face.
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A face by index. O(1).
    #[inline]
    pub fn get(&self, index: usize) -> Option<Face> {
        match self {
            Self::U16(faces) => faces.get(index).map(Face16::get),
            Self::U32(faces) => faces.get(index).map(Face32::get),
        }
    }

    /// The faces in file order.
    pub fn iter(&self) -> FaceIter<'a> {
        match self {
            Self::U16(faces) => FaceIter::U16(faces.iter()),
            Self::U32(faces) => FaceIter::U32(faces.iter()),
        }
    }
}

impl<'a> IntoIterator for &Faces<'a> {
    type Item = Face;
    type IntoIter = FaceIter<'a>;

    fn into_iter(self) -> FaceIter<'a> {
        self.iter()
    }
}

impl<'a> IntoIterator for Faces<'a> {
    type Item = Face;
    type IntoIter = FaceIter<'a>;

    fn into_iter(self) -> FaceIter<'a> {
        self.iter()
    }
}

/// Iterates over the faces of a mesh, from both ends, with known length.
#[derive(Clone, Debug)]
pub enum FaceIter<'a> {
    /// Over 16-bit faces.
    U16(core::slice::Iter<'a, Face16>),
    /// Over 32-bit faces.
    U32(core::slice::Iter<'a, Face32>),
}

impl Iterator for FaceIter<'_> {
    type Item = Face;

    #[inline]
    fn next(&mut self) -> Option<Face> {
        match self {
            Self::U16(faces) => faces.next().map(Face16::get),
            Self::U32(faces) => faces.next().map(Face32::get),
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        match self {
            Self::U16(faces) => faces.size_hint(),
            Self::U32(faces) => faces.size_hint(),
        }
    }

    fn nth(&mut self, n: usize) -> Option<Face> {
        match self {
            Self::U16(faces) => faces.nth(n).map(Face16::get),
            Self::U32(faces) => faces.nth(n).map(Face32::get),
        }
    }
}

impl DoubleEndedIterator for FaceIter<'_> {
    fn next_back(&mut self) -> Option<Face> {
        match self {
            Self::U16(faces) => faces.next_back().map(Face16::get),
            Self::U32(faces) => faces.next_back().map(Face32::get),
        }
    }
}

impl ExactSizeIterator for FaceIter<'_> {}
impl FusedIterator for FaceIter<'_> {}
