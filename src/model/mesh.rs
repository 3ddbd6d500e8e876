//! A mesh: points, vertices, triangles, influences and what hangs on them, in place.

use alloc::{vec, vec::Vec};
use core::fmt::{self, Debug, Formatter};

use zerocopy::little_endian::I32;

use super::bounds::Bounds;
use super::element::Element;
use super::skeleton::Skeleton;
use super::space::{Change, Space};
use super::surface::Surface;
use super::transform::Transform;
use crate::bytes::{Column, Text, Vec2, Vec3};
use crate::report::{Error, Place};

/// What a family says of its meshes.
pub(crate) trait MeshSource: Send + Sync {
    fn conventions(&self) -> Conventions;
    fn skeleton(&self) -> Skeleton<'_>;
    fn positions(&self) -> Column<'_, Vec3>;
    fn normals(&self) -> Option<Column<'_, Vec3>>;
    fn vertex_count(&self) -> usize;
    /// Not checked against the points.
    fn point_of(&self, vertex: usize) -> Option<usize>;
    fn uv_set_count(&self) -> usize;
    fn uvs(&self, set: usize) -> Option<Column<'_, Vec2>>;
    fn colors(&self) -> Option<Column<'_, [u8; 4]>>;
    fn triangle_count(&self) -> usize;
    fn triangle(&self, index: usize) -> Option<Triangle>;
    fn material(&self, index: usize) -> Option<Text<'_>>;
    /// How the surface of a material is drawn.
    fn surface(&self, index: usize) -> Surface;
    /// The element of this index in a section, if the section has elements.
    fn element(&self, section: &[u8], index: usize) -> Option<Element>;
    /// Where the file has its bones.
    fn bones_place(&self) -> Place;
    /// Calls the function with the point, the bone and the weight of each influence, in file order.
    fn each_influence(&self, each: &mut dyn FnMut(i64, i64, f32));
    fn to_morphs(&self) -> Vec<MorphTarget<'_>>;
    fn to_attachments(&self) -> Vec<Attachment<'_>>;
    /// Position and normal of each point in model space, if the file stores them relative to bones.
    fn to_rest(&self) -> Result<Option<Rest>, Error>;
}

/// Positions and normals of points.
pub(crate) type Rest = Vec<([f32; 3], [f32; 3])>;

/// What the numbers of a mesh mean.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Conventions {
    pub(crate) space: Space,
    pub(crate) winding: Winding,
    pub(crate) uv_origin: UvOrigin,
}

/// The order of the corners of a face, seen from outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Winding {
    /// With the hands of a clock.
    Clockwise,
    /// Against the hands of a clock, as in glTF.
    CounterClockwise,
}

/// Where v = 0 is in an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
    /// A bit mask: triangles with a common bit are smooth across their edge. `None` where the format has none.
    pub smoothing_groups: Option<u32>,
}

impl Triangle {
    pub(crate) const fn new(vertices: [u32; 3], material: u32, smoothing_groups: Option<u32>) -> Self {
        Self { vertices, material, smoothing_groups }
    }
}

/// A place at which another model can be attached: a socket (Unreal) or a prop point (Pyrogenesis).
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Attachment<'a> {
    /// The name. Not unique in some files.
    pub name: Text<'a>,
    /// The index of the bone; `None` for the model itself, or for a bone that does not exist.
    pub bone: Option<usize>,
    /// The place, relative to the bone or to the model, in the space of the mesh.
    pub transform: Transform,
}

impl<'a> Attachment<'a> {
    pub(crate) const fn new(name: Text<'a>, bone: Option<usize>, transform: Transform) -> Self {
        Self { name, bone, transform }
    }
}

/// A morph target: offsets of some points.
#[derive(Clone, Copy, Debug)]
pub struct MorphTarget<'a> {
    pub(crate) name: Text<'a>,
    pub(crate) points: Column<'a, I32>,
    pub(crate) positions: Column<'a, Vec3>,
    pub(crate) normals: Column<'a, Vec3>,
    /// From the offsets as stored to the space of the rest of the mesh in the file.
    pub(crate) stored: Change,
    pub(crate) change: Change,
}

/// How a morph target moves one point.
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

    /// Adds the offsets times a weight to positions as the file stores them, whatever the space of the mesh: those of
    /// [`Skin::rest_positions`](super::Skin::rest_positions), one for each point. Points that do not exist are passed
    /// over. O(deltas), no allocation.
    pub fn add_to(&self, weight: f32, positions: &mut [[f32; 3]]) {
        for MorphDelta { point, position, .. } in self.stored() {
            let moved = usize::try_from(point).ok().and_then(|point| positions.get_mut(point));
            moved.into_iter().flatten().zip(position).for_each(|(value, offset)| *value += offset * weight);
        }
    }
}

/// A mesh of any family: points, vertices (the corners of triangles, each with a point), bones and influences.
///
/// In place and `Copy`; borrows the [`Asset`](crate::Asset). The values are in the space of the file, or in that of
/// [`in_space`](Mesh::in_space). Whole columns ([`positions`](Mesh::positions) and so on) are always as stored.
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
pub struct Mesh<'m> {
    source: &'m dyn MeshSource,
    /// The space of the file.
    own: Space,
    /// The space that was asked for.
    asked: Option<Space>,
    change: Change,
}

impl Debug for Mesh<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let (points, bones) = (self.point_count(), self.bone_count());
        f.debug_struct("Mesh").field("points", &points).field("bones", &bones).finish_non_exhaustive()
    }
}

impl<'m> Mesh<'m> {
    pub(crate) fn new(source: &'m dyn MeshSource) -> Self {
        let own = source.conventions().space;
        Self { source, own, asked: None, change: Change::NONE }
    }

    pub(crate) const fn source(&self) -> &'m dyn MeshSource {
        self.source
    }

    pub(super) const fn own_space(&self) -> Space {
        self.own
    }

    pub(crate) const fn change(&self) -> Change {
        self.change
    }

    /// The space of the values.
    pub const fn space(&self) -> Space {
        match self.asked {
            Some(asked) => asked.measured_as(&self.own),
            None => self.own,
        }
    }

    /// Whether the file says its unit.
    fn own_is_measured(&self) -> bool {
        self.source.conventions().space.metres().is_some()
    }

    /// The same mesh with its values in another space. O(1); values are converted on access. While the unit of the file
    /// is not known (see [`with_metres`](Mesh::with_metres)), lengths keep their numbers, and the result has no unit.
    ///
    /// Triangles keep their order: a change that mirrors does not change how a face looks from outside, because the
    /// hand of the space changes too.
    #[must_use]
    pub fn in_space(self, space: Space) -> Self {
        Self { asked: Some(space), change: self.own.change_to(&space), ..self }
    }

    /// The same mesh with so many metres in a unit, for files that do not say it (`ActorX`; a centimetre is usual). A file
    /// that says its unit keeps it. A number that is not positive is as good as none.
    #[must_use]
    pub fn with_metres(self, metres: f32) -> Self {
        if self.own_is_measured() {
            return self;
        }
        let own = self.own.with_metres(metres);
        let change = self.asked.map_or(Change::NONE, |asked| own.change_to(&asked));
        Self { own, change, ..self }
    }

    /// The order of the corners of a triangle, seen from outside.
    pub fn winding(&self) -> Winding {
        self.source.conventions().winding
    }

    /// Where v = 0 is in an image.
    pub fn uv_origin(&self) -> UvOrigin {
        self.source.conventions().uv_origin
    }

    /// The bones.
    pub fn skeleton(&self) -> Skeleton<'m> {
        self.source.skeleton().with_change(self.change)
    }

    /// Number of bones; 0 for a static mesh.
    pub fn bone_count(&self) -> usize {
        self.source.skeleton().bone_count()
    }

    /// For each bone, whether it moves points itself: a point has a weight above 0 for it. O(influences).
    pub fn to_weighted_bones(&self) -> Vec<bool> {
        let mut weighted = vec![false; self.bone_count()];
        self.source.each_influence(&mut |_, bone, weight| {
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
        self.source.positions().len()
    }

    /// The positions of the points as stored, in place.
    pub fn positions(&self) -> Column<'m, Vec3> {
        self.source.positions()
    }

    /// The position of a point. O(1).
    pub fn position(&self, point: usize) -> Option<[f32; 3]> {
        Some(self.change.position(self.source.positions().get(point)?.get()))
    }

    /// The normals of the points as stored, in place; `None` in a file without normals.
    pub fn normals(&self) -> Option<Column<'m, Vec3>> {
        self.source.normals()
    }

    /// The normal of a point. O(1).
    pub fn normal(&self, point: usize) -> Option<[f32; 3]> {
        Some(self.change.direction(self.source.normals()?.get(point)?.get()))
    }

    /// Number of vertices: wedges in `ActorX` files.
    pub fn vertex_count(&self) -> usize {
        self.source.vertex_count()
    }

    /// The index of the point of a vertex. Not checked against the points. O(1).
    pub fn point_of(&self, vertex: usize) -> Option<usize> {
        self.source.point_of(vertex)
    }

    /// Number of UV sets.
    pub fn uv_set_count(&self) -> usize {
        self.source.uv_set_count()
    }

    /// The texture coordinates of a UV set as stored, one for each vertex, in place. O(sets) in `ActorX` files.
    pub fn uvs(&self, set: usize) -> Option<Column<'m, Vec2>> {
        self.source.uvs(set)
    }

    /// The colours, red, green, blue and alpha, one for each vertex, in place; `None` in a file without colours.
    pub fn colors(&self) -> Option<Column<'m, [u8; 4]>> {
        self.source.colors()
    }

    /// Number of triangles.
    pub fn triangle_count(&self) -> usize {
        self.source.triangle_count()
    }

    /// A triangle. O(1).
    pub fn triangle(&self, index: usize) -> Option<Triangle> {
        self.source.triangle(index)
    }

    /// The name of a material; `None` past the last, and in a format without materials. O(1).
    pub fn material(&self, index: usize) -> Option<Text<'m>> {
        self.source.material(index)
    }

    /// How the triangles of a material are drawn: opaque and one-sided where the format does not say. O(1).
    pub fn surface(&self, material: usize) -> Surface {
        self.source.surface(material)
    }

    /// The morph targets. O(targets) in time and memory.
    pub fn to_morphs(&self) -> Vec<MorphTarget<'m>> {
        let mut morphs = self.source.to_morphs();
        for morph in &mut morphs {
            morph.change = self.change;
        }
        morphs
    }

    /// The sockets or prop points. O((attachments + bones) log bones) in time, O(attachments + bones) in
    /// memory.
    pub fn to_attachments(&self) -> Vec<Attachment<'m>> {
        let mut attachments = self.source.to_attachments();
        for own in &mut attachments {
            own.transform = self.change.transform(&own.transform);
        }
        attachments
    }

    /// The box around the points at rest; `None` without a point whose coordinates are finite. O(points).
    ///
    /// Pyrogenesis meshes of versions 1 and 2 store points relative to bones: they are brought into model space in a
    /// copy. `None` if one of them names a bone that does not exist.
    pub fn bounds(&self) -> Option<Bounds> {
        if let Some(rest) = self.source.to_rest().ok()? {
            return Bounds::of(rest.into_iter().map(|(position, _)| self.change.position(position)));
        }
        Bounds::of(self.source.positions().iter().map(|position| self.change.position(position.get())))
    }
}
