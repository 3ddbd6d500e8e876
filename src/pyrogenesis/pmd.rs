//! The mesh view: `.pmd`, versions 1 to 4, with the magic `PSMD`.

use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout};

use super::header::{END, HEADER, Options, Payload};
use super::record::{Blend, BoneState, PropPoint, PropTransform, Triangle, Vertex, VertexHead};
use crate::bytes::{Column, Cursor, ReadAt, Record, Span, Text, Vec2, counted, mapped, records, to_u64, to_usize};
use crate::model::{Description, Head, Info, Mesh, Skeleton, Summary};
use crate::report::{Quirk, ReadResult, Section, SectionRange, codes as shared};

const COUNTS: Section = Section::named("counts");
pub(super) const VERTICES: Section = Section::named("vertices");
pub(super) const FACES: Section = Section::named("faces");
pub(super) const BIND_POSE: Section = Section::named("bind pose");
pub(super) const PROPS: Section = Section::named("prop points");

/// The newest version that tools write.
const NEWEST: u32 = 4;
/// Bytes of a vertex without UVs, and of each UV.
const VERTEX_SIZE: u64 = 44;
const UV_SIZE: u64 = 8;

/// A mesh, read in place: vertices, triangles, bind pose and prop points.
///
/// `Copy`; every slice borrows the file, at any alignment. The space is the engine's: left-handed, y up (Pyrogenesis
/// reference, section 3). [`PmdBuf`](super::PmdBuf) is the owned form.
///
/// ```
/// use skelmap::pyrogenesis::Pmd;
///
/// let bytes = std::fs::read("tests/corpus/pyrogenesis/pmd/skinned.pmd")?;
/// let mesh = Pmd::parse(&bytes)?;
/// // Any number of UV sets:
/// for vertex in mesh.vertices() {
///     println!("{:?} {:?} {:?}", vertex.position(), vertex.normal(), vertex.uvs());
/// }
/// // A number known when compiling gives a slice of plain structs:
/// if let Some(vertices) = mesh.vertices_with::<1>() {
///     println!("{:?}", vertices.iter().map(|vertex| vertex.position()[1]).fold(f32::MIN, f32::max));
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Pmd<'a> {
    bytes: &'a [u8],
    layout: PmdLayout,
}

/// The layout of a mesh, without a lifetime: [`PmdBuf`](super::PmdBuf) stores it beside the bytes.
#[derive(Clone, Copy, Debug, FromBytes, Immutable, IntoBytes, KnownLayout)]
#[repr(C)]
pub struct PmdLayout {
    version: u32,
    uv_sets: u32,
    vertices: Span,
    faces: Span,
    bones: Span,
    props: Span,
    prop_count: u64,
    trailing: u64,
}

impl Description for PmdLayout {
    type View<'a> = Pmd<'a>;
    type Options = Options;

    const INFO: Info = Info {
        code: "pyrogenesis.pmd",
        title: "a Pyrogenesis mesh of 0 A.D. (`PSMD`)",
        extensions: &["pmd"],
        skeletons: "pyrogenesis",
    };

    fn is_format(first: &[u8]) -> bool {
        first.starts_with(b"PSMD")
    }

    fn find<R: ReadAt + ?Sized>(source: &R, options: &Options) -> ReadResult<Self, R> {
        let strictness = options.strictness;
        let mut payload = Payload::open(source)?;
        payload.limit_version(NEWEST, strictness)?;
        let version = payload.version;
        let vertex_count = payload.read_u32(COUNTS)?;
        let uv_sets = if version >= 4 { payload.read_u32(COUNTS)? } else { 1 };
        let vertices = payload.sized_records(VERTICES, vertex_size(uv_sets), vertex_count)?;
        let face_count = payload.read_u32(FACES)?;
        let faces = payload.records::<Triangle>(FACES, face_count)?;
        let bone_count = payload.read_u32(BIND_POSE)?;
        let bones = payload.records::<BoneState>(BIND_POSE, bone_count)?;
        let prop_count = if version >= 2 { payload.read_u32(PROPS)? } else { 0 };
        let props = payload.props(prop_count)?;
        let trailing = payload.end(strictness)?;
        Ok(Self { version, uv_sets, vertices, faces, bones, props, prop_count: prop_count.into(), trailing })
    }

    fn into_view(self, bytes: &[u8]) -> Pmd<'_> {
        Pmd { bytes, layout: self }
    }

    fn head<R: ReadAt + ?Sized>(source: &R, options: &Options, with_names: bool) -> ReadResult<Head, R> {
        let layout = Self::find(source, options)?;
        Ok(Head::of(layout.summary(), layout.quirks(), with_names))
    }
}

/// Bytes of a vertex with `uv_sets` UV sets.
fn vertex_size(uv_sets: u32) -> u64 {
    u64::from(uv_sets).saturating_mul(UV_SIZE).saturating_add(VERTEX_SIZE)
}

impl PmdLayout {
    fn stride(&self) -> u64 {
        vertex_size(self.uv_sets)
    }

    /// Number of UV sets with coordinates in the file.
    pub(super) const fn uv_set_count(&self) -> u32 {
        if self.vertices.is_empty() { 0 } else { self.uv_sets }
    }

    fn summary(&self) -> Summary {
        Summary {
            bones: Some(self.bones.count::<BoneState>()),
            points: self.vertices.len().checked_div(self.stride()),
            faces: Some(self.faces.count::<Triangle>()),
            uv_sets: Some(self.uv_set_count().into()),
            ..Summary::default()
        }
    }

    fn quirks(self) -> impl Iterator<Item = Quirk> + use<> {
        let version = Quirk::when(self.version > NEWEST, shared::UNKNOWN_VERSION, HEADER, 0);
        let trailing = Quirk::when(self.trailing > 0, shared::TRAILING_BYTES, END, self.props.end());
        [version, trailing].into_iter().flatten()
    }
}

impl<R: ReadAt + Copy> Payload<R> {
    /// The range of the prop points. Walks over them; the file limits their number.
    fn props(&mut self, count: u32) -> ReadResult<Span, R> {
        let start = self.offset();
        for _ in 0..count {
            self.string(PROPS)?;
            self.skip::<PropTransform>(PROPS)?;
        }
        Ok(Span::new(start, self.offset().saturating_sub(start)))
    }
}

impl<'a> Pmd<'a> {
    /// The file.
    pub const fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// The version: 1 to 4. With [`Engine`](super::Strictness::Engine) any number from 1; versions above 4 have the layout of
    /// version 4.
    pub const fn version(&self) -> u32 {
        self.layout.version
    }

    /// Number of UV sets in each vertex; 1 before version 4, and 0 without vertices.
    pub fn uv_set_count(&self) -> usize {
        to_usize(self.layout.uv_set_count().into())
    }

    /// The number of UV sets in the header; 1 before version 4. Without vertices, the file does not limit it.
    pub const fn declared_uv_set_count(&self) -> u32 {
        self.layout.uv_sets
    }

    /// The vertices, for any number of UV sets. O(1). If the number is known, [`vertices_with`](Pmd::vertices_with) is about a
    /// fifth faster.
    pub fn vertices(&self) -> Vertices<'a> {
        Vertices::new(self.layout.vertices.bytes_of(self.bytes), self.uv_set_count())
    }

    /// The vertices as a slice of structs; `None` unless the mesh has `U` UV sets. O(1).
    pub fn vertices_with<const U: usize>(&self) -> Option<&'a [Vertex<U>]> {
        (to_usize(self.layout.uv_sets.into()) == U).then(|| self.layout.vertices.of(self.bytes))
    }

    /// The triangles.
    pub fn faces(&self) -> &'a [Triangle] {
        self.layout.faces.of(self.bytes)
    }

    /// Number of bones; 0 for static meshes. O(1).
    pub fn bone_count(&self) -> usize {
        self.bones().len()
    }

    /// The bones in their bind pose, in model space; empty for static meshes.
    pub fn bones(&self) -> &'a [BoneState] {
        self.layout.bones.of(self.bytes)
    }

    /// The prop points in the file, in file order. O(prop points) for all.
    pub fn props(&self) -> Props<'a> {
        Props { cursor: Cursor::new(self.layout.props.bytes_of(self.bytes)), left: self.layout.prop_count }
    }

    /// The prop points of the engine: those of the file, and in versions 1 and 2 a last one, `root`, at the origin of the model
    /// (Pyrogenesis reference, section 3).
    pub fn engine_props(&self) -> impl Iterator<Item = PropPoint<'a>> + use<'a> {
        let root = PropPoint { name: Text::new(b"root"), transform: &PropTransform::ORIGIN };
        self.props().chain((self.version() <= 2).then_some(root))
    }

    /// The first prop point with this name; case matters, as in the engine. O(prop points).
    pub fn prop(&self, name: &str) -> Option<PropPoint<'a>> {
        self.engine_props().find(|prop| prop.name.as_bytes() == name.as_bytes())
    }

    /// Whether positions and normals are relative to the bind pose (versions 1 and 2 with bones);
    /// `to_model_space` transforms them.
    pub fn is_bind_relative(&self) -> bool {
        self.version() <= 2 && !self.bones().is_empty()
    }

    /// The quirks of the file; only files parsed with [`Engine`](super::Strictness::Engine) have any. O(1), no allocation.
    pub fn quirks(&self) -> impl Iterator<Item = Quirk> + use<> {
        self.layout.quirks()
    }

    /// The counts of the file, from headers. O(1).
    pub fn summary(&self) -> Summary {
        self.layout.summary()
    }

    /// The mesh in the common model. O(1).
    pub fn mesh(&self) -> Mesh<'a> {
        Mesh::new(self.bytes, &self.layout)
    }

    /// The skeleton: bones in model space, without names and parents. O(1).
    pub fn skeleton(&self) -> Skeleton<'a> {
        BoneState::skeleton(self.bones())
    }

    /// One field of all vertices. The caller checks that the field lies in the vertex.
    pub(super) fn vertex_column<T: Record>(&self, offset: usize) -> Column<'a, T> {
        Column::new(self.layout.vertices.bytes_of(self.bytes), offset, to_usize(self.layout.stride()))
    }

    /// The sections, in file order. Prop points differ in size, so their record size is 1.
    pub fn sections(&self) -> [SectionRange; 4] {
        let PmdLayout { vertices, faces, bones, props, .. } = self.layout;
        [
            SectionRange::new(VERTICES, vertices, self.layout.stride()),
            SectionRange::new(FACES, faces, to_u64(size_of::<Triangle>())),
            SectionRange::new(BIND_POSE, bones, to_u64(size_of::<BoneState>())),
            SectionRange::new(PROPS, props, 1),
        ]
    }

    /// Bytes after the last section; only files parsed with [`Engine`](super::Strictness::Engine) have any.
    pub const fn trailing_bytes(&self) -> u64 {
        self.layout.trailing
    }

    /// The byte at which a section begins, for findings and errors.
    pub(super) fn offset_of(&self, section: Section) -> u64 {
        let ranges = self.sections();
        ranges.iter().find(|range| range.section == section).map_or(0, |range| range.offset)
    }
}

/// The vertices of a mesh with any number of UV sets: random access, and double-ended iteration with known length.
#[derive(Clone, Debug)]
pub struct Vertices<'a> {
    rows: core::slice::ChunksExact<'a, u8>,
}

impl<'a> Vertices<'a> {
    fn new(bytes: &'a [u8], uv_sets: usize) -> Self {
        // The layout has checked the product, if any vertex exists.
        let stride = uv_sets.saturating_mul(size_of::<Vec2>()).saturating_add(size_of::<Vertex<0>>());
        Self { rows: bytes.chunks_exact(stride) }
    }

    /// Whether no vertex is left.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A vertex by index, counted from the first that is left. O(1).
    #[inline]
    pub fn get(&self, index: usize) -> Option<VertexRef<'a>> {
        self.iter().nth(index)
    }

    /// The vertices in file order.
    #[must_use]
    #[expect(clippy::iter_without_into_iter, reason = "an iterator itself")]
    pub fn iter(&self) -> Self {
        self.clone()
    }
}

mapped!(Vertices<'a>.rows => VertexRef<'a>, |_: &Self, row| VertexRef::of(row));

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

    /// Position: in model space; in versions 1 and 2 with bones, relative to the bind pose.
    #[inline]
    pub const fn position(&self) -> [f32; 3] {
        self.head.position()
    }

    /// Normal, in the same space as the position.
    #[inline]
    pub const fn normal(&self) -> [f32; 3] {
        self.head.normal()
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
    left: u64,
}

counted!(Props<'a>.left => PropPoint<'a>, |props: &mut Self| {
    let length = props.cursor.read::<zerocopy::little_endian::U32>()?.get();
    let name = Text::new(props.cursor.take(1, length)?);
    Some(PropPoint { name, transform: props.cursor.read()? })
});
