//! A mesh: points, vertices, triangles, influences and their attributes, in place.

use alloc::{vec, vec::Vec};
use core::fmt::{self, Debug, Formatter};

use zerocopy::little_endian::I32;
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout};

use super::bounds::Bounds;
use super::element::Element;
use super::skeleton::{Relative, Skeleton};
use super::space::{Change, Handedness, Space};
use super::surface::Surface;
use super::transform::Transform;
use crate::bytes::{Column, Text, Vec2, Vec3};
use crate::report::{Error, Finding, Section, SectionStart};

/// A family's implementation of meshes, over the layout of a file and its bytes. The defaults are for parts that a format does
/// not have.
pub(crate) trait MeshSource {
    fn conventions(&self) -> Conventions;
    fn skeleton<'a>(&self, bytes: &'a [u8]) -> Skeleton<'a>;
    fn positions<'a>(&self, bytes: &'a [u8]) -> Column<'a, Vec3>;
    /// The place of the bones in the file.
    fn bones_place(&self, bytes: &[u8]) -> SectionStart;

    fn normals<'a>(&self, _: &'a [u8]) -> Option<Column<'a, Vec3>> {
        None
    }

    fn vertex_count(&self, _: &[u8]) -> usize {
        0
    }

    /// Not checked against the points.
    fn point_of(&self, _: &[u8], _: usize) -> Option<usize> {
        None
    }

    fn uv_set_count(&self) -> usize {
        0
    }

    fn uvs<'a>(&self, _: &'a [u8], _: usize) -> Option<Column<'a, Vec2>> {
        None
    }

    fn triangle_count(&self, _: &[u8]) -> usize {
        0
    }

    fn triangle(&self, _: &[u8], _: usize) -> Option<Triangle> {
        None
    }

    /// The element of this index in a section, if the section has elements.
    fn element(&self, _: &[u8], _: &[u8], _: usize) -> Option<Element> {
        None
    }

    /// Calls the function with the point, the bone and the weight of each influence, in file order.
    fn each_influence(&self, _: &[u8], _: &mut dyn FnMut(i64, i64, f32)) {}

    fn colors<'a>(&self, _: &'a [u8]) -> Option<Column<'a, [u8; 4]>> {
        None
    }

    fn material<'a>(&self, _: &'a [u8], _: usize) -> Option<Text<'a>> {
        None
    }

    /// The surface of a material.
    fn surface(&self, _: &[u8], _: usize) -> Surface {
        Surface::default()
    }

    fn to_morphs<'a>(&self, _: &'a [u8]) -> Vec<MorphTarget<'a>> {
        Vec::new()
    }

    fn to_attachments<'a>(&self, _: &'a [u8]) -> Vec<Attachment<'a>> {
        Vec::new()
    }

    /// Position and normal of each point in model space, if the file stores them relative to bones.
    fn to_rest(&self, _: &[u8]) -> Result<Option<Rest>, Error> {
        Ok(None)
    }

    /// The next coarser level of detail.
    fn next_level<'a>(&self, _: &'a [u8]) -> Option<Mesh<'a>> {
        None
    }

    /// The name of this level of detail.
    fn level_name<'a>(&self, _: &'a [u8]) -> Option<Text<'a>> {
        None
    }
}

/// A layout of plain numbers, which a mesh holds by value.
pub(crate) trait PlainLayout: MeshSource + FromBytes + IntoBytes + Immutable + KnownLayout + 'static {}

impl<T: MeshSource + FromBytes + IntoBytes + Immutable + KnownLayout + 'static> PlainLayout for T {}

/// Storage for the layout of any family.
type Words = [u64; WORDS];
const WORDS: usize = 40;

/// The mesh of a file and its layout. The layout is stored as plain numbers, so that a mesh of any family borrows only the
/// bytes of the file, without allocation.
#[derive(Clone, Copy)]
struct File<'a> {
    bytes: &'a [u8],
    layout: Words,
    source: fn(&Words) -> Option<&dyn MeshSource>,
}

impl<'a> File<'a> {
    fn new<L: PlainLayout>(bytes: &'a [u8], own: &L) -> Self {
        const { assert!(size_of::<L>() <= size_of::<Words>() && align_of::<L>() <= align_of::<Words>()) };
        let mut layout = [0; WORDS];
        layout.as_mut_bytes().iter_mut().zip(own.as_bytes()).for_each(|(word, byte)| *word = *byte);
        Self { bytes, layout, source: source_of::<L> }
    }

    fn source(&self) -> &dyn MeshSource {
        (self.source)(&self.layout).unwrap_or(&Nothing)
    }
}

/// The layout in these numbers; `None` if they are too short, which [`File::new`] checks.
fn source_of<L: PlainLayout>(layout: &Words) -> Option<&dyn MeshSource> {
    let (own, _) = L::ref_from_prefix(layout.as_bytes()).ok()?;
    Some(own)
}

/// An empty mesh, for a missing layout.
struct Nothing;

impl MeshSource for Nothing {
    fn conventions(&self) -> Conventions {
        Conventions { space: Space::GLTF, winding: Winding::CounterClockwise, uv_origin: UvOrigin::Top }
    }

    fn skeleton<'a>(&self, _: &'a [u8]) -> Skeleton<'a> {
        Skeleton::of_count(0, Relative::Unknown)
    }

    fn positions<'a>(&self, _: &'a [u8]) -> Column<'a, Vec3> {
        Column::default()
    }

    fn bones_place(&self, _: &[u8]) -> SectionStart {
        SectionStart { section: Section::FILE, offset: 0 }
    }
}

/// Positions and normals of points.
pub type Rest = Vec<([f32; 3], [f32; 3])>;

/// The meaning of a mesh's numbers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Conventions {
    pub(crate) space: Space,
    pub(crate) winding: Winding,
    pub(crate) uv_origin: UvOrigin,
}

/// The order of the corners of a face, seen from outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
pub enum Winding {
    /// Clockwise.
    Clockwise,
    /// Counterclockwise, as in glTF.
    CounterClockwise,
}

/// The position of v = 0 in an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
pub enum UvOrigin {
    /// At the top, as in glTF.
    Top,
    /// At the bottom, as in OpenGL.
    Bottom,
}

/// A triangle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Triangle {
    /// Indices of the vertices, in file order. Not checked against the vertices.
    pub vertices: [u32; 3],
    /// Index of the material; 0 in a format without materials.
    pub material: u32,
    /// A bit mask: edges between triangles with a common bit are smooth. `None` if the format has none.
    pub smoothing_groups: Option<u32>,
}

/// A point for attaching another model: a socket (Unreal) or a prop point (Pyrogenesis).
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Attachment<'a> {
    /// The name. Not always unique.
    pub name: Text<'a>,
    /// The index of the bone; `None` for the model itself, or if the bone does not exist.
    pub bone: Option<usize>,
    /// The transform, relative to the bone or to the model, in the space of the mesh.
    pub transform: Transform,
}

/// A morph target: offsets of some points.
#[derive(Clone, Copy, Debug)]
pub struct MorphTarget<'a> {
    pub(crate) name: Text<'a>,
    pub(crate) points: Column<'a, I32>,
    pub(crate) positions: Column<'a, Vec3>,
    pub(crate) normals: Column<'a, Vec3>,
    /// From the stored offsets to the space of the rest of the mesh in the file.
    pub(crate) stored: Change,
    pub(crate) change: Change,
}

/// The offset of one point in a morph target.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct MorphDelta {
    /// Index of the point. Not checked against the points.
    pub point: i32,
    /// Offset of the position, in the space of the mesh.
    pub position: [f32; 3],
    /// Offset of the normal, in the space of the mesh.
    pub normal: [f32; 3],
}

impl<'a> MorphTarget<'a> {
    /// The name.
    pub const fn name(&self) -> Text<'a> {
        self.name
    }

    /// The deltas, in file order. O(1) each.
    pub fn deltas(&self) -> impl ExactSizeIterator<Item = MorphDelta> + use<'a> {
        let change = self.change;
        self.stored().map(move |delta| MorphDelta {
            position: change.position(delta.position),
            normal: change.direction(delta.normal),
            ..delta
        })
    }

    /// The deltas in the space of the file.
    fn stored(&self) -> impl ExactSizeIterator<Item = MorphDelta> + use<'a> {
        let stored = self.stored;
        let vectors = self.positions.iter().zip(self.normals);
        self.points.iter().zip(vectors).map(move |(point, (position, normal))| MorphDelta {
            point: point.get(),
            position: stored.position(position.get()),
            normal: stored.direction(normal.get()),
        })
    }

    /// Adds the offsets times a weight to positions in the space of the file: those of
    /// [`Skin::rest_positions`](super::Skin::rest_positions), one for each point. Points that do not exist are skipped.
    /// O(deltas), no allocation.
    pub fn add_to(&self, weight: f32, positions: &mut [[f32; 3]]) {
        for MorphDelta { point, position, .. } in self.stored() {
            let moved = usize::try_from(point).ok().and_then(|point| positions.get_mut(point));
            moved.into_iter().flatten().zip(position).for_each(|(value, offset)| *value += offset * weight);
        }
    }
}

/// Positions or normals of a mesh, in place: one for each point, in the space of the mesh. `Copy`; borrows the file.
///
/// ```
/// use skelmap::{Asset, model::Space};
///
/// let bytes = std::fs::read("tests/corpus/actorx/mesh/classic.psk")?;
/// let mesh = Asset::parse(&bytes)?.mesh().ok_or("no mesh")?.in_space(Space::GLTF);
/// let positions = mesh.positions();
/// let [x, y, z] = positions.stored().get(7).ok_or("no point")?.get();
/// assert_eq!(positions.get(7), Some([x, z, -y]), "the column has z up and the mesh y");
/// assert!(positions.iter().enumerate().all(|(point, position)| mesh.position(point) == Some(position)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Vectors<'a> {
    column: Column<'a, Vec3>,
    change: Change,
}

impl<'a> Vectors<'a> {
    /// Number of vectors.
    pub fn len(&self) -> usize {
        self.column.len()
    }

    /// Whether there is no vector.
    pub const fn is_empty(&self) -> bool {
        self.column.is_empty()
    }

    /// A vector by index. O(1).
    #[inline]
    pub fn get(&self, index: usize) -> Option<[f32; 3]> {
        Some(self.change.position(self.column.get(index)?.get()))
    }

    /// All vectors in file order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = [f32; 3]> + ExactSizeIterator + Clone + use<'a> {
        let change = self.change;
        self.column.iter().map(move |vector| change.position(vector.get()))
    }

    /// The vectors in the space of the file, as [`Skin::matrices`](super::Skin::matrices) expects them.
    pub const fn stored(&self) -> Column<'a, Vec3> {
        self.column
    }
}

/// A mesh of any family: points, vertices (the corners of triangles, each with a point), bones and influences.
/// In place and `Copy`; borrows the bytes of the file. All values are in the space of the file, or in that of
/// [`in_space`](Mesh::in_space); [`Vectors::stored`] returns positions and normals as stored.
///
/// ```
/// use skelmap::{Asset, model::Space};
///
/// let bytes = std::fs::read("tests/corpus/actorx/mesh/classic.psk")?;
/// let asset = Asset::parse(&bytes)?;
/// let mesh = asset.mesh().ok_or("this file has no mesh")?.with_metres(0.01).in_space(Space::GLTF);
/// println!("{:?}", mesh.bounds());
/// for triangle in (0..mesh.triangle_count()).filter_map(|index| mesh.triangle(index)) {
///     println!("{:?}", triangle.vertices.map(|vertex| mesh.position(mesh.point_of(vertex as usize)?)));
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy)]
pub struct Mesh<'a> {
    file: File<'a>,
    /// The space of the file.
    own: Space,
    /// The requested space.
    asked: Option<Space>,
    change: Change,
}

impl Debug for Mesh<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let (points, bones) = (self.point_count(), self.bone_count());
        f.debug_struct("Mesh").field("points", &points).field("bones", &bones).finish_non_exhaustive()
    }
}

impl<'a> Mesh<'a> {
    /// The mesh of a file with this layout.
    pub(crate) fn new<L: PlainLayout>(bytes: &'a [u8], layout: &L) -> Self {
        let own = layout.conventions().space;
        Self { file: File::new(bytes, layout), own, asked: None, change: Change::NONE }
    }

    fn source(&self) -> &dyn MeshSource {
        self.file.source()
    }

    /// Calls the function with the point, the bone and the weight of each influence, as the file has them and in its order. O(influences).
    ///
    /// Points and bones are counted from 0; a file may name some that do not exist. Weights may be repeated, zero, or have another sum than 1:
    /// [`Influences`](super::Influences) is the table that draws. The number of bones stands for the model itself.
    ///
    /// ```
    /// # let bytes = std::fs::read("corpus/fox.psk").unwrap();
    /// let asset = skelmap::Asset::parse(&bytes).unwrap();
    /// let mut sum = 0.0;
    /// asset.mesh().unwrap().each_influence(|point, _, weight| sum += if point == 0 { weight } else { 0.0 });
    /// assert_eq!(sum, 1.0);
    /// ```
    pub fn each_influence(&self, mut each: impl FnMut(i64, i64, f32)) {
        self.source().each_influence(self.file.bytes, &mut each);
    }

    /// The place of the bones in the file.
    pub(super) fn bones_place(&self) -> SectionStart {
        self.source().bones_place(self.file.bytes)
    }

    /// The positions and normals of all points at rest, in the space of this mesh; `None` if the format stores the rest pose
    /// itself. O(points).
    ///
    /// # Errors
    /// A Pyrogenesis mesh of version 1 or 2 with a vertex whose bone does not exist.
    #[doc(hidden)] // For the crates that write and draw meshes; other users have `Skin::rest_positions`.
    pub fn to_rest(&self) -> Result<Option<Rest>, Error> {
        let change = self.change;
        let moved = |(position, normal)| (change.position(position), change.direction(normal));
        Ok(self.to_stored_rest()?.map(|rest| rest.into_iter().map(moved).collect()))
    }

    /// [`to_rest`](Self::to_rest) in the space of the file.
    pub(super) fn to_stored_rest(self) -> Result<Option<Rest>, Error> {
        self.source().to_rest(self.file.bytes)
    }

    pub(super) const fn own_space(&self) -> Space {
        self.own
    }

    /// The change from the space of the file to that of the mesh.
    pub(super) const fn change(&self) -> Change {
        self.change
    }

    /// The space of the values.
    pub const fn space(&self) -> Space {
        match self.asked {
            Some(asked) => asked.measured_as(&self.own),
            None => self.own,
        }
    }

    /// Whether the file states its unit.
    fn own_is_measured(&self) -> bool {
        self.source().conventions().space.metres().is_some()
    }

    /// This mesh with its values in another space. O(1); values are converted on access. Without a known unit of the file (see
    /// [`with_metres`](Mesh::with_metres)), lengths are not scaled, and the result has no unit.
    ///
    /// Triangles keep their order: a mirroring change also changes the handedness of the space, so faces look the same from
    /// outside.
    #[must_use]
    pub fn in_space(self, space: Space) -> Self {
        Self { asked: Some(space), change: self.own.change_to(&space), ..self }
    }

    /// This mesh with a unit of `metres`, for files that do not state their unit (`ActorX`; usually a centimetre). A file that
    /// states it keeps it. Values that are not positive are ignored.
    #[must_use]
    pub fn with_metres(self, metres: f32) -> Self {
        if self.own_is_measured() {
            return self;
        }
        let own = self.own.with_metres(metres);
        let change = self.asked.map_or(Change::NONE, |asked| own.change_to(&asked));
        Self { own, change, ..self }
    }

    /// The levels of detail, from this one to the last of the file, in the space of this mesh. The first is usually the finest. Files of
    /// all formats but UEFormat have one.
    ///
    /// ```
    /// use skelmap::Asset;
    ///
    /// let bytes = std::fs::read("tests/corpus/actorx/mesh/classic.psk")?;
    /// let mesh = Asset::parse(&bytes)?.mesh().ok_or("no mesh")?;
    /// assert_eq!(mesh.levels().map(|level| level.triangle_count()).collect::<Vec<_>>(), [mesh.triangle_count()]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn levels(&self) -> impl Iterator<Item = Self> + use<'a> {
        core::iter::successors(Some(*self), |level| {
            let next = level.source().next_level(level.file.bytes)?;
            Some(Self { file: next.file, ..*level })
        })
    }

    /// A level of detail, counted from this one, which is 0; the last one where the file has fewer. O(levels).
    #[must_use]
    pub fn level(&self, index: usize) -> Self {
        self.levels().take(index.saturating_add(1)).last().unwrap_or(*self)
    }

    /// The name of this level of detail; `None` in a format without names of levels. Two levels may have the same name: identify a
    /// level by its index.
    pub fn level_name(&self) -> Option<Text<'a>> {
        self.source().level_name(self.file.bytes)
    }

    /// The element that a finding of this file's check is about; the first, if there are several. `None` for a finding about
    /// something else, such as a name or a whole section. O(1).
    ///
    /// ```
    /// use skelmap::{Asset, model::Element};
    ///
    /// let bytes = std::fs::read("tests/corpus/actorx/mesh/face_wedge.psk")?;
    /// let asset = Asset::parse(&bytes)?;
    /// let mesh = asset.mesh().ok_or("no mesh")?;
    /// assert_eq!(mesh.element_of(&asset.check()[0]), Some(Element::Triangle(4)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn element_of(&self, finding: &Finding) -> Option<Element> {
        let index = usize::try_from(finding.index?).ok()?;
        self.source().element(self.file.bytes, finding.section.as_bytes(), index)
    }

    /// The order of the corners of a triangle, seen from outside.
    pub fn winding(&self) -> Winding {
        self.source().conventions().winding
    }

    /// Whether the cross product of two edges of a face, (b - a) x (c - a), points outwards.
    ///
    /// ```
    /// let bytes = std::fs::read("tests/corpus/actorx/mesh/classic.psk")?;
    /// let asset = skelmap::Asset::parse(&bytes)?;
    /// assert!(!asset.mesh().ok_or("no mesh")?.has_outward_faces()); // ActorX: clockwise in a right-handed space
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn has_outward_faces(&self) -> bool {
        (self.winding() == Winding::CounterClockwise) == (self.space().handedness() == Handedness::Right)
    }

    /// The position of v = 0 in an image.
    pub fn uv_origin(&self) -> UvOrigin {
        self.source().conventions().uv_origin
    }

    /// The bones.
    pub fn skeleton(&self) -> Skeleton<'a> {
        self.source().skeleton(self.file.bytes).with_change(self.change)
    }

    /// Number of bones; 0 for a static mesh.
    pub fn bone_count(&self) -> usize {
        self.source().skeleton(self.file.bytes).bone_count()
    }

    /// For each bone, whether it moves points directly: a point has a positive weight for it. O(influences).
    pub fn to_weighted_bones(&self) -> Vec<bool> {
        let mut weighted = vec![false; self.bone_count()];
        self.each_influence(|_, bone, weight| {
            if let Some(own) =
                usize::try_from(bone).ok().and_then(|bone| weighted.get_mut(bone)).filter(|_| weight > 0.0)
            {
                *own = true;
            }
        });
        weighted
    }

    /// Number of points.
    pub fn point_count(&self) -> usize {
        self.positions().len()
    }

    /// The positions of the points, in place.
    pub fn positions(&self) -> Vectors<'a> {
        Vectors { column: self.source().positions(self.file.bytes), change: self.change }
    }

    /// The position of a point. O(1).
    pub fn position(&self, point: usize) -> Option<[f32; 3]> {
        self.positions().get(point)
    }

    /// The normals of the points, in place; `None` in a file without normals.
    pub fn normals(&self) -> Option<Vectors<'a>> {
        let column = self.source().normals(self.file.bytes)?;
        Some(Vectors { column, change: Change { scale: 1.0, ..self.change } })
    }

    /// The normal of a point. O(1).
    pub fn normal(&self, point: usize) -> Option<[f32; 3]> {
        self.normals()?.get(point)
    }

    /// Number of vertices: wedges in `ActorX` files.
    pub fn vertex_count(&self) -> usize {
        self.source().vertex_count(self.file.bytes)
    }

    /// The index of the point of a vertex. Not checked against the points. O(1).
    pub fn point_of(&self, vertex: usize) -> Option<usize> {
        self.source().point_of(self.file.bytes, vertex)
    }

    /// Number of UV sets.
    pub fn uv_set_count(&self) -> usize {
        self.source().uv_set_count()
    }

    /// The texture coordinates of a UV set as stored, one for each vertex, in place. O(sets) in `ActorX` files.
    pub fn uvs(&self, set: usize) -> Option<Column<'a, Vec2>> {
        self.source().uvs(self.file.bytes, set)
    }

    /// The colours, red, green, blue and alpha, one for each vertex, in place; `None` in a file without colours.
    pub fn colors(&self) -> Option<Column<'a, [u8; 4]>> {
        self.source().colors(self.file.bytes)
    }

    /// Number of triangles.
    pub fn triangle_count(&self) -> usize {
        self.source().triangle_count(self.file.bytes)
    }

    /// A triangle. O(1).
    pub fn triangle(&self, index: usize) -> Option<Triangle> {
        self.source().triangle(self.file.bytes, index)
    }

    /// The name of a material; `None` past the last, or if the format has no materials. O(1).
    pub fn material(&self, index: usize) -> Option<Text<'a>> {
        self.source().material(self.file.bytes, index)
    }

    /// The surface of a material: opaque and one-sided unless the format says otherwise. O(1).
    pub fn surface(&self, material: usize) -> Surface {
        self.source().surface(self.file.bytes, material)
    }

    /// The morph targets. O(targets) in time and memory.
    pub fn to_morphs(&self) -> Vec<MorphTarget<'a>> {
        let mut morphs = self.source().to_morphs(self.file.bytes);
        for morph in &mut morphs {
            morph.change = self.change;
        }
        morphs
    }

    /// The sockets or prop points. O((attachments + bones) log bones) in time, O(attachments + bones) in
    /// memory.
    pub fn to_attachments(&self) -> Vec<Attachment<'a>> {
        let mut attachments = self.source().to_attachments(self.file.bytes);
        for own in &mut attachments {
            own.transform = self.change.transform(&own.transform);
        }
        attachments
    }

    /// The bounding box of the points at rest; `None` if no point is finite. O(points).
    ///
    /// Pyrogenesis meshes of versions 1 and 2 store points relative to bones: a copy is converted to model space. `None` if one
    /// of them names a bone that does not exist.
    pub fn bounds(&self) -> Option<Bounds> {
        if let Some(rest) = self.to_rest().ok()? {
            return Bounds::of(rest.into_iter().map(|(position, _)| position));
        }
        Bounds::of(self.positions().iter())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mesh_without_a_layout_is_empty() {
        let file = File { bytes: &[1; 64], layout: [0; WORDS], source: |_| None };
        let mesh = Mesh { file, own: Space::GLTF, asked: None, change: Change::NONE };
        assert_eq!((mesh.point_count(), mesh.vertex_count(), mesh.triangle_count(), mesh.bone_count()), (0, 0, 0, 0));
        assert_eq!((mesh.uv_set_count(), mesh.to_morphs().len(), mesh.to_attachments().len()), (0, 0, 0));
        assert!(mesh.normals().is_none() && mesh.uvs(0).is_none() && mesh.colors().is_none());
        assert!(mesh.point_of(0).is_none() && mesh.triangle(0).is_none() && mesh.material(0).is_none());
        assert_eq!((mesh.surface(0), mesh.levels().count(), mesh.bounds()), (Surface::default(), 1, None));
    }

    /// The names that the corpus gives to its levels. `ActorX` has one level, without a name.
    #[test]
    fn levels_of_detail_have_the_names_of_the_file_or_none() {
        let names = |path: &str| {
            let bytes = std::fs::read(path).unwrap();
            let mesh = crate::Asset::parse(&bytes).unwrap().mesh().unwrap();
            let name = |level: Mesh<'_>| level.level_name().map(|name| name.as_bytes().to_vec());
            mesh.levels().map(name).collect::<Vec<_>>()
        };
        let expected = ["LOD0", "LOD1", "Nanite"].map(|name| Some(name.as_bytes().to_vec()));
        assert_eq!(names("tests/corpus/ueformat/model/levels_v10.uemodel"), expected);
        for path in ["corpus/fox.psk", "corpus/fox.pmd"] {
            assert_eq!(names(path), [None], "{path}");
        }
    }
}
