//! The mesh view: `.pmd`, versions 1 to 4, whose magic is `PSMD`.

use core::iter::FusedIterator;

use super::header::{END, HEADER, Payload, Strictness};
use super::record::{Blend, BoneState, PropPoint, PropTransform, Triangle, Vertex, VertexHead};
use crate::cursor::{Cursor, Span, records, to_u64};
use crate::error::{Error, ErrorKind};
use crate::format::Format;
use crate::quirk::{Quirk, QuirkKind};
use crate::record::Vec2;
use crate::section::{Section, SectionRange};
use crate::text::Text;

const COUNTS: Section = Section::named("counts");
pub(super) const VERTICES: Section = Section::named("vertices");
pub(super) const FACES: Section = Section::named("faces");
pub(super) const BIND_POSE: Section = Section::named("bind pose");
pub(super) const PROPS: Section = Section::named("prop points");

/// The newest version that tools write.
const NEWEST: u32 = 4;
/// Bytes of a vertex besides its UVs, and of each UV.
const VERTEX_SIZE: u32 = 44;
const UV_SIZE: u32 = 8;

/// A mesh, read in place: vertices, triangles, bind pose and prop points.
///
/// `Copy`; every slice borrows the file, at whatever alignment. Axes are the engine's: left-handed, y up (Pyrogenesis reference,
/// section 3). For a form to store, see [`PmdBuf`](crate::PmdBuf).
///
/// ```
/// use skelmap::pyrogenesis::Pmd;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let bytes = std::fs::read("corpus/pyrogenesis/pmd/skinned.pmd")?;
/// let mesh = Pmd::parse(&bytes)?;
/// // Any number of UV sets:
/// for vertex in mesh.vertices() {
///     println!("{:?} {:?} {:?}", vertex.position(), vertex.normal(), vertex.uvs());
/// }
/// // A number known when compiling gives a slice of plain structs:
/// if let Some(vertices) = mesh.vertices_with::<1>() {
///     println!("{:?}", vertices.iter().map(|vertex| vertex.position()[1]).fold(f32::MIN, f32::max));
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Pmd<'a> {
    bytes: &'a [u8],
    layout: PmdLayout,
}

/// Where the parts of a mesh lie, without a lifetime: what [`PmdBuf`](crate::PmdBuf) keeps beside the bytes.
#[derive(Clone, Copy, Debug)]
pub struct PmdLayout {
    version: u32,
    uv_sets: u32,
    vertices: Span,
    faces: Span,
    bind_pose: Span,
    props: Span,
    prop_count: u32,
    trailing: u64,
}

impl PmdLayout {
    pub(crate) fn parse(bytes: &[u8], strictness: Strictness) -> Result<Self, Error> {
        let mut payload = Payload::open(bytes, Format::PyrogenesisPmd)?;
        payload.limit_version(NEWEST, strictness)?;
        let version = payload.version;
        let vertex_count = payload.read_u32(COUNTS)?;
        let uv_sets = if version >= 4 { payload.read_u32(COUNTS)? } else { 1 };
        let vertices = payload.vertices(vertex_count, uv_sets)?;
        let face_count = payload.read_u32(FACES)?;
        let faces = payload.records::<Triangle>(FACES, face_count)?;
        let bone_count = payload.read_u32(BIND_POSE)?;
        let bind_pose = payload.records::<BoneState>(BIND_POSE, bone_count)?;
        let prop_count = if version >= 2 { payload.read_u32(PROPS)? } else { 0 };
        let props = payload.props(prop_count)?;
        let trailing = payload.end(strictness)?;
        Ok(Self { version, uv_sets, vertices, faces, bind_pose, props, prop_count, trailing })
    }

    pub(crate) const fn view<'a>(&self, bytes: &'a [u8]) -> Pmd<'a> {
        Pmd { bytes, layout: *self }
    }
}

impl Payload<'_> {
    fn vertices(&mut self, count: u32, uv_sets: u32) -> Result<Span, Error> {
        let size = uv_sets.checked_mul(UV_SIZE).and_then(|uvs| uvs.checked_add(VERTEX_SIZE));
        match size {
            Some(size) => self.sized_records(VERTICES, size, count),
            // Without vertices their size is of no account.
            None if count == 0 => self.sized_records(VERTICES, 0, 0),
            None => {
                let size = u64::from(uv_sets).saturating_mul(UV_SIZE.into()).saturating_add(VERTEX_SIZE.into());
                let needed = size.saturating_mul(count.into());
                Err(Error::new(ErrorKind::Truncated { needed, left: self.left() }, VERTICES, self.offset()))
            }
        }
    }

    /// Walks over the prop points: each must be there. At most as many steps as the file has bytes for.
    fn props(&mut self, count: u32) -> Result<Span, Error> {
        let start = self.position();
        for _ in 0..count {
            self.string(PROPS)?;
            self.read::<PropTransform>(PROPS)?;
        }
        Ok(Span::new(start, self.position().saturating_sub(start)))
    }
}

impl<'a> Pmd<'a> {
    /// Reads the counts and proves them; touches no vertex. O(prop points), no allocation. Takes only what the engine's tools
    /// write; [`parse_as`](Pmd::parse_as) takes what the engine takes.
    ///
    /// # Errors
    /// Those of [`Format::sniff`]; [`OtherFormat`](ErrorKind::OtherFormat) for another format;
    /// [`DataSize`](ErrorKind::DataSize), [`Version`](ErrorKind::Version), [`TrailingBytes`](ErrorKind::TrailingBytes);
    /// sections that do not fit.
    pub fn parse(bytes: &'a [u8]) -> Result<Self, Error> {
        Self::parse_as(bytes, Strictness::Strict)
    }

    /// [`parse`](Pmd::parse) with a choice of what to accept.
    ///
    /// # Errors
    /// Those of [`parse`](Pmd::parse), as far as the strictness has them.
    pub fn parse_as(bytes: &'a [u8], strictness: Strictness) -> Result<Self, Error> {
        Ok(PmdLayout::parse(bytes, strictness)?.view(bytes))
    }

    /// The file.
    pub const fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// The version: 1 to 4, or whatever a file taken with [`Strictness::Engine`] states, read as 4 from there on.
    pub const fn version(&self) -> u32 {
        self.layout.version
    }

    /// Number of UV sets in each vertex; 1 before version 4.
    pub fn uv_set_count(&self) -> usize {
        usize::try_from(self.layout.uv_sets).unwrap_or(usize::MAX)
    }

    /// The vertices, for any number of UV sets: random access and iteration in place. O(1).
    ///
    /// Where the number of UV sets is known, [`vertices_with`](Pmd::vertices_with) reads about a fifth faster.
    pub fn vertices(&self) -> Vertices<'a> {
        Vertices::new(self.layout.vertices.bytes_of(self.bytes), self.uv_set_count())
    }

    /// The vertices as a slice of structs; `None` unless the mesh has `U` UV sets. O(1).
    pub fn vertices_with<const U: usize>(&self) -> Option<&'a [Vertex<U>]> {
        (self.uv_set_count() == U).then(|| self.layout.vertices.of(self.bytes))
    }

    /// The triangles.
    pub fn faces(&self) -> &'a [Triangle] {
        self.layout.faces.of(self.bytes)
    }

    /// The bones in the pose the mesh was modelled in, absolute in model space; empty for static meshes.
    pub fn bind_pose(&self) -> &'a [BoneState] {
        self.layout.bind_pose.of(self.bytes)
    }

    /// The prop points in the file, in file order. O(prop points) to run through.
    pub fn props(&self) -> Props<'a> {
        Props { cursor: Cursor::new(self.layout.props.bytes_of(self.bytes)), left: self.layout.prop_count }
    }

    /// The prop points as the engine has them: those of the file, and in versions 1 and 2 a last one named `root` at the model's
    /// origin (Pyrogenesis reference, section 3).
    pub fn engine_props(&self) -> impl Iterator<Item = PropPoint<'a>> + use<'a> {
        let root = PropPoint { name: Text::new(b"root"), transform: &PropTransform::ORIGIN };
        self.props().chain((self.version() <= 2).then_some(root))
    }

    /// The first prop point of this name, case and all, as the engine finds it. O(prop points).
    pub fn prop(&self, name: &str) -> Option<PropPoint<'a>> {
        self.engine_props().find(|prop| prop.name.as_bytes() == name.as_bytes())
    }

    /// Whether positions and normals are relative to the bind pose (versions 1 and 2 with bones) and want
    /// [`to_model_space`](Pmd::to_model_space).
    pub fn is_bind_relative(&self) -> bool {
        self.version() <= 2 && !self.bind_pose().is_empty()
    }

    /// What is odd about a file taken with [`Strictness::Engine`]; nothing in any other. O(1), no allocation.
    pub fn quirks(&self) -> impl Iterator<Item = Quirk> + use<> {
        let layout = self.layout;
        [
            (layout.version > NEWEST).then_some((QuirkKind::UnknownVersion, HEADER, 0)),
            (layout.trailing > 0).then_some((QuirkKind::TrailingBytes, END, to_u64(layout.props.end()))),
        ]
        .into_iter()
        .flatten()
        .map(|(kind, section, offset)| Quirk { kind, section, offset })
    }

    /// Where the sections lie, in file order. Prop points have no one size: theirs is given as 1 byte.
    pub fn sections(&self) -> [SectionRange; 4] {
        let PmdLayout { vertices, faces, bind_pose, props, .. } = self.layout;
        [
            SectionRange::new(VERTICES, vertices, self.vertices().stride),
            SectionRange::new(FACES, faces, size_of::<Triangle>()),
            SectionRange::new(BIND_POSE, bind_pose, size_of::<BoneState>()),
            SectionRange::new(PROPS, props, 1),
        ]
    }

    /// Bytes inside the payload that no section claims: 0 but in files taken with [`Strictness::Engine`].
    pub const fn trailing_bytes(&self) -> u64 {
        self.layout.trailing
    }

    /// Where a section begins, for findings and errors.
    #[cfg(feature = "std")]
    pub(super) fn offset_of(&self, section: Section) -> u64 {
        let ranges = self.sections();
        ranges.iter().find(|range| range.section == section).map_or(0, |range| range.offset)
    }
}

/// The vertices of a mesh with any number of UV sets, in place.
#[derive(Clone, Copy, Debug)]
pub struct Vertices<'a> {
    bytes: &'a [u8],
    stride: usize,
}

impl<'a> Vertices<'a> {
    fn new(bytes: &'a [u8], uv_sets: usize) -> Self {
        // The layout has proven the product where there is a vertex at all.
        Self { bytes, stride: uv_sets.saturating_mul(size_of::<Vec2>()).saturating_add(size_of::<Vertex<0>>()) }
    }

    /// Number of vertices. O(1).
    pub const fn len(&self) -> usize {
        match self.bytes.len().checked_div(self.stride) {
            Some(len) => len,
            None => 0,
        }
    }

    /// Whether there is no vertex.
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A vertex by index. O(1).
    #[inline]
    pub fn get(&self, index: usize) -> Option<VertexRef<'a>> {
        if index >= self.len() {
            return None;
        }
        let bytes = self.bytes.get(index.checked_mul(self.stride)?..)?;
        VertexRef::of(bytes.get(..self.stride)?)
    }

    /// The vertices in file order.
    pub fn iter(&self) -> VertexIter<'a> {
        VertexIter { chunks: self.bytes.chunks_exact(self.stride) }
    }
}

impl<'a> IntoIterator for Vertices<'a> {
    type Item = VertexRef<'a>;
    type IntoIter = VertexIter<'a>;

    fn into_iter(self) -> VertexIter<'a> {
        self.iter()
    }
}

impl<'a> IntoIterator for &Vertices<'a> {
    type Item = VertexRef<'a>;
    type IntoIter = VertexIter<'a>;

    fn into_iter(self) -> VertexIter<'a> {
        self.iter()
    }
}

/// Iterates over the vertices of a mesh, from both ends, with known length.
#[derive(Clone, Debug)]
pub struct VertexIter<'a> {
    chunks: core::slice::ChunksExact<'a, u8>,
}

impl<'a> Iterator for VertexIter<'a> {
    type Item = VertexRef<'a>;

    #[inline]
    fn next(&mut self) -> Option<VertexRef<'a>> {
        self.chunks.next().and_then(VertexRef::of)
    }

    fn nth(&mut self, n: usize) -> Option<VertexRef<'a>> {
        self.chunks.nth(n).and_then(VertexRef::of)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.chunks.size_hint()
    }
}

impl DoubleEndedIterator for VertexIter<'_> {
    fn next_back(&mut self) -> Option<Self::Item> {
        self.chunks.next_back().and_then(VertexRef::of)
    }
}

impl ExactSizeIterator for VertexIter<'_> {}
impl FusedIterator for VertexIter<'_> {}

/// One vertex of a mesh with any number of UV sets, in place.
#[derive(Clone, Copy, Debug)]
pub struct VertexRef<'a> {
    head: &'a VertexHead,
    uvs: &'a [Vec2],
    blend: &'a Blend,
}

impl<'a> VertexRef<'a> {
    #[inline]
    fn of(bytes: &'a [u8]) -> Option<Self> {
        let mut cursor = Cursor::new(bytes);
        let head = cursor.read()?;
        let (uvs, blend) = cursor.rest().split_last_chunk::<{ size_of::<Blend>() }>()?;
        Some(Self { head, uvs: records(uvs), blend: Cursor::new(blend).read()? })
    }

    /// Position: in model space from version 3 on, before that relative to the bind pose.
    #[inline]
    pub const fn position(&self) -> [f32; 3] {
        self.head.position.get()
    }

    /// Normal, in the same space as the position.
    #[inline]
    pub const fn normal(&self) -> [f32; 3] {
        self.head.normal.get()
    }

    /// Texture coordinates, one for each UV set; v counts from the bottom.
    #[inline]
    pub const fn uvs(&self) -> &'a [Vec2] {
        self.uvs
    }

    /// The bones that move the vertex.
    #[inline]
    pub const fn blend(&self) -> &'a Blend {
        self.blend
    }
}

/// Iterates over the prop points of a mesh.
#[derive(Clone, Debug)]
pub struct Props<'a> {
    cursor: Cursor<'a>,
    left: u32,
}

impl<'a> Iterator for Props<'a> {
    type Item = PropPoint<'a>;

    fn next(&mut self) -> Option<PropPoint<'a>> {
        self.left = self.left.checked_sub(1)?;
        let length = self.cursor.read::<zerocopy::little_endian::U32>()?.get();
        let name = Text::new(self.cursor.take(1, length)?);
        Some(PropPoint { name, transform: self.cursor.read()? })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = usize::try_from(self.left).unwrap_or(usize::MAX);
        (left, Some(left))
    }
}

impl ExactSizeIterator for Props<'_> {}
impl FusedIterator for Props<'_> {}
