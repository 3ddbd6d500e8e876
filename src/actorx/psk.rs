//! The mesh view: `.psk` and `.pskx`.

use alloc::vec::Vec;
use core::ops::Range;

use super::chunk::{Chunk, Chunks, Extent, Walk, blame_line_ends};
use super::codes;
use super::keep::{Kept, chunk_quirks, chunk_sections, is_uv_set, keep, place_of, quirks_of};
use super::layout::{Options, PskLayout};
use super::record::{
    Bone, Color, Face, Face16, Face32, Influence, Material, MorphDelta, MorphInfo, Normal, Point, Socket, Tangent, Uv,
    Wedge,
};
use super::table::{is_head_id, is_uv_id};
use crate::bytes::{ReadAt, Record, Span, mapped, records, slices, to_u64, to_usize};
use crate::model::{Description, Head, Info, Mesh, Names, Skeleton, Summary, add_codes, read_part};
use crate::report::{Quirk, ReadResult, SectionRange, SectionStart};

/// Up to this number of points, a wedge's point index has 16 bits (ActorX reference, section 3.2).
pub const POINTS_OF_16_BITS: usize = 65_536;

/// A mesh, read in place: points, wedges, faces, materials, bones, influences and extras.
///
/// `Copy`; every slice borrows the file. An absent chunk is an empty slice. Values are as stored (ActorX reference, section 3);
/// [`space`](super::space) has the conventions, [`PskBuf`](super::PskBuf) is the owned form.
///
/// ```
/// use skelmap::actorx::Psk;
///
/// let bytes = std::fs::read("tests/corpus/actorx/mesh/classic.psk")?;
/// let mesh = Psk::parse(&bytes)?;
/// for face in mesh.faces() {
///     for wedge in face.wedges.iter().filter_map(|&wedge| mesh.wedges().get(wedge as usize)) {
///         let point = mesh.point_of(wedge).ok_or("a wedge without a point")?;
///         println!("{:?} {:?}", point.get(), wedge.uv());
///     }
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Psk<'a> {
    bytes: &'a [u8],
    layout: PskLayout,
}

impl Description for PskLayout {
    type View<'a> = Psk<'a>;
    type Options = Options;

    const INFO: Info = Info {
        code: "actorx.psk",
        title: "an ActorX mesh (`ACTRHEAD`)",
        extensions: &["psk", "pskx"],
        skeletons: "unreal",
    };

    fn is_format(first: &[u8]) -> bool {
        is_head_id(first, b"ACTRHEAD")
    }

    fn find<R: ReadAt + ?Sized>(source: &R, _: &Options) -> ReadResult<Self, R> {
        Self::of_chunks(source, |_, _, _| {})
    }

    fn into_view(self, bytes: &[u8]) -> Psk<'_> {
        Psk { bytes, layout: self }
    }

    fn head<R: ReadAt + ?Sized>(source: &R, _: &Options, with_names: bool) -> ReadResult<Head, R> {
        let mut quirks = Vec::new();
        let layout = Self::of_chunks(source, |index, extent, kept| {
            add_codes(&mut quirks, quirks_of(index, extent, kept));
        })?;
        add_codes(&mut quirks, layout.has_miscounts().then_some(codes::COUNT_MISMATCH));
        let mut names = None;
        if with_names {
            let skeleton = Bone::skeleton(records(&read_part(source, layout.bones)?)).to_key();
            names = Some(Names { skeleton, ..Names::default() });
        }
        Ok(Head { summary: layout.summary(), quirks, names })
    }
}

impl PskLayout {
    /// Walks over the chunks and calls `each` with each.
    fn of_chunks<R: ReadAt + ?Sized>(source: &R, mut each: impl FnMut(usize, &Extent, Kept)) -> ReadResult<Self, R> {
        let mut layout = Self::default();
        let mut precedes_wedges = false;
        for (index, extent) in Walk::new(source).enumerate() {
            let extent = extent.map_err(|error| blame_line_ends(source, error))?;
            let kept = keep(&mut layout, &extent)?;
            each(index, &extent, kept);
            if kept == Kept::Used && matches!(extent.id.as_bytes(), b"FACE0000" | b"FACE3200") {
                layout.face_size = extent.record_size.into();
            }
            if is_uv_set(&extent) {
                precedes_wedges |= layout.wedges.is_empty();
                layout.count_uv_set(&extent);
            }
        }
        if precedes_wedges {
            // The number of wedges was not known before.
            (layout.uv_chunks, layout.extra_uv_sets) = (0, 0);
            for extent in Walk::new(source) {
                let extent = extent?;
                if is_uv_set(&extent) {
                    layout.count_uv_set(&extent);
                }
            }
        }
        Ok(layout)
    }

    fn count_uv_set(&mut self, extent: &Extent) {
        self.uv_chunks = self.uv_chunks.saturating_add(1);
        let fits = u64::from(extent.count) == self.wedges.count::<Wedge>();
        self.extra_uv_sets = self.extra_uv_sets.saturating_add(fits.into());
    }

    /// The chunks, except UV sets, that do not have the required record for each wedge or point.
    fn miscounted(&self) -> impl Iterator<Item = Span> + use<> {
        let (wedges, points) = (self.wedges.count::<Wedge>(), self.points.count::<Point>());
        let chunks = [
            (self.colors, self.colors.count::<Color>(), wedges),
            (self.normals, self.normals.count::<Normal>(), points),
            (self.tangents, self.tangents.count::<Tangent>(), points),
        ];
        chunks.into_iter().filter(|(_, count, owners)| *count > 0 && count != owners).map(|(span, ..)| span)
    }

    /// Whether any chunk is miscounted.
    fn has_miscounts(&self) -> bool {
        self.uv_chunks != self.extra_uv_sets || self.miscounted().next().is_some()
    }

    fn is_miscounted(&self, extent: &Extent) -> bool {
        if is_uv_set(extent) {
            return u64::from(extent.count) != self.wedges.count::<Wedge>();
        }
        self.miscounted().any(|span| span == extent.body)
    }

    fn summary(&self) -> Summary {
        Summary {
            bones: Some(self.bones.count::<Bone>()),
            points: Some(self.points.count::<Point>()),
            wedges: Some(self.wedges.count::<Wedge>()),
            faces: Some(self.faces.len().checked_div(self.face_size).unwrap_or(0)),
            materials: Some(self.materials.count::<Material>()),
            uv_sets: Some(to_u64(self.uv_set_count())),
            ..Summary::default()
        }
    }

    pub(super) fn uv_set_count(&self) -> usize {
        if self.wedges.is_empty() { 0 } else { to_usize(self.extra_uv_sets).saturating_add(1) }
    }
}

impl<'a> Psk<'a> {
    /// The file.
    pub const fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// All chunks in file order, known and unknown.
    pub fn chunks(&self) -> impl Iterator<Item = Chunk<'a>> + Clone + use<'a> {
        Chunks::new(self.bytes).map_while(Result::ok)
    }

    /// The quirks of the file: chunk by chunk, then those of wrong counts. O(chunks), no allocation.
    pub fn quirks(&self) -> impl Iterator<Item = Quirk> + use<'a> {
        let Self { bytes, layout } = *self;
        let extents = layout.has_miscounts().then(|| Walk::new(bytes).map_while(Result::ok));
        let miscounted = extents.into_iter().flatten().filter(move |extent| layout.is_miscounted(extent));
        chunk_quirks::<PskLayout>(bytes).chain(miscounted.map(|extent| extent.quirk(codes::COUNT_MISMATCH)))
    }

    /// The counts of the file, from headers. O(1).
    pub fn summary(&self) -> Summary {
        self.layout.summary()
    }

    /// The place of a chunk that this view reads.
    pub(super) fn place(&self, id: &str) -> SectionStart {
        place_of(self.bytes, self.layout, id)
    }

    /// The places of the chunks, in file order. O(chunks) for all.
    pub fn sections(&self) -> impl Iterator<Item = SectionRange> + use<'a> {
        chunk_sections(self.bytes)
    }

    slices! { 'a
        /// Positions, shared by wedges. In file units (centimetres in Unreal Engine 4); right-handed, z up.
        points in points: Point;
        /// The corners of the faces.
        wedges in wedges: Wedge;
        /// The material slots.
        materials in materials: Material;
        /// The bones with their bind pose; empty for static meshes.
        bones in bones: Bone;
        /// The influences of bones on points, in any order.
        influences in influences: Influence;
        /// Names and sizes of the morph targets. [`morphs`](Psk::morphs) adds their deltas.
        morph_infos in morphs: MorphInfo;
        /// The deltas of all morph targets, one target after the other.
        morph_deltas in morph_deltas: MorphDelta;
        /// The attachment sockets.
        sockets in sockets: Socket;
    }

    /// Vertex colours, one per wedge; empty without the chunk, or with a wrong number of records
    /// ([`COUNT_MISMATCH`](codes::COUNT_MISMATCH); [`chunks`](Psk::chunks) has the records).
    pub fn colors(&self) -> &'a [Color] {
        self.one_for_each(self.layout.colors, self.wedges().len())
    }

    /// Normals, one per point; empty without the chunk, or with a wrong number of records
    /// ([`COUNT_MISMATCH`](codes::COUNT_MISMATCH)).
    pub fn normals(&self) -> &'a [Normal] {
        self.one_for_each(self.layout.normals, self.points().len())
    }

    /// Tangents, one per point; empty without the chunk, or with a wrong number of records
    /// ([`COUNT_MISMATCH`](codes::COUNT_MISMATCH)).
    pub fn tangents(&self) -> &'a [Tangent] {
        self.one_for_each(self.layout.tangents, self.points().len())
    }

    fn one_for_each<T: Record>(&self, span: Span, owners: usize) -> &'a [T] {
        let records = span.of(self.bytes);
        if records.len() == owners { records } else { &[] }
    }

    /// The triangles, with indices of 16 or 32 bits.
    pub fn faces(&self) -> Faces<'a> {
        let span = self.layout.faces;
        let is_wide = self.layout.face_size == to_u64(size_of::<Face32>());
        if is_wide { Faces::U32(span.of(self.bytes)) } else { Faces::U16(span.of(self.bytes)) }
    }

    /// Number of bones; 0 for static meshes. O(1).
    pub fn bone_count(&self) -> usize {
        self.bones().len()
    }

    /// The mesh in the common model. O(1).
    pub fn mesh(&self) -> Mesh<'a> {
        Mesh::new(self.bytes, &self.layout)
    }

    /// The hierarchy of the bones.
    pub fn skeleton(&self) -> Skeleton<'a> {
        Bone::skeleton(self.bones())
    }

    /// The morph targets with their deltas: fewer than stated if the file has fewer.
    pub fn morphs(&self) -> impl Iterator<Item = Morph<'a>> + use<'a> {
        let mut left = self.morph_deltas();
        self.morph_infos().iter().map(move |info| {
            let count = usize::try_from(info.vertex_count()).unwrap_or(0).min(left.len());
            let (deltas, rest) = left.split_at_checked(count).unwrap_or((left, &[]));
            left = rest;
            Morph { info, deltas }
        })
    }

    /// The UV sets except the one in the wedges: a slice with a coordinate for each wedge. O(chunks) for all.
    ///
    /// A set with a wrong number of coordinates is left out ([`COUNT_MISMATCH`](codes::COUNT_MISMATCH)).
    pub fn extra_uv_sets(&self) -> impl Iterator<Item = &'a [Uv]> + Clone + use<'a> {
        let wedges = self.wedges().len();
        let sets = self.chunks().filter(|chunk| is_uv_id(chunk.id.as_bytes())).map(|chunk| records(chunk.body));
        sets.filter(move |set| !set.is_empty() && set.len() == wedges)
    }

    /// Number of UV sets: the one in the wedges and the extra sets; 0 without wedges. O(1).
    pub fn uv_set_count(&self) -> usize {
        self.layout.uv_set_count()
    }

    /// A wedge's point index: the low 16 bits in a mesh of at most 65,536 points, where the high half may be garbage, else 32
    /// bits. Not checked against the points. O(1). (ActorX reference, section 3.2.)
    #[inline]
    pub fn point_index(&self, wedge: &Wedge) -> u32 {
        if self.has_16_bit_points() { wedge.point_index_16().into() } else { wedge.point_index_32() }
    }

    /// A wedge's point; `None` if the wedge's index is out of range. O(1).
    #[inline]
    pub fn point_of(&self, wedge: &Wedge) -> Option<&'a Point> {
        self.points().get(usize::try_from(self.point_index(wedge)).ok()?)
    }

    /// Whether wedges have 16-bit point indices, with padding in the high half.
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

/// The faces of a mesh, with indices of 16 or 32 bits.
///
/// The chunk (`FACE0000` or `FACE3200`) decides the width, not the number of wedges (ActorX reference, section 3.4).
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
    #[expect(clippy::iter_without_into_iter, reason = "copied instead of borrowed")]
    pub const fn iter(&self) -> FaceIter<'a> {
        FaceIter { faces: *self, indexes: 0..self.len() }
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
pub struct FaceIter<'a> {
    faces: Faces<'a>,
    indexes: Range<usize>,
}

mapped!(FaceIter<'a>.indexes => Face, |all: &Self, index| all.faces.get(index));
