//! The vertices of a mesh as a renderer takes them: arrays of attributes, triangles by material, joints by palette.

mod faces;
mod interleave;
mod normals;
mod palettes;
mod points;
mod tangents;

use alloc::{vec, vec::Vec};
use core::ops::Range;

pub use interleave::VertexAttribute;
pub use palettes::Palette;
pub use points::PosedPoints;

use self::faces::{Draft, Faces};
use super::bounds::Bounds;
use super::influences::{Dropped, Influences};
use super::mesh::{Mesh, UvOrigin, Winding};
use crate::bytes::{Column, Vec2, to_u32};
use crate::report::{Error, ErrorKind, Section};

/// Options of [`Mesh::to_vertices`].
///
/// ```
/// let mut options = skelmap::model::VertexOptions::default();
/// (options.influences, options.max_joints) = (8, Some(256));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default, deny_unknown_fields))]
#[non_exhaustive]
#[expect(clippy::struct_excessive_bools, reason = "independent choices")]
pub struct VertexOptions {
    /// Influences of each vertex, in sets of four: 4 by default, at most 32; other numbers are rounded up. All rows have this width; rows with
    /// fewer influences are padded. With 0, the result has no influences.
    pub influences: usize,
    /// The maximum number of joints of a [`Palette`]: at least 32 and at least three times the influences, so that a triangle fits (smaller numbers count as
    /// that). `None`: one palette has all bones.
    pub max_joints: Option<u16>,
    /// Whether tangents are computed. Off by default.
    pub tangents: bool,
    /// The maximum number of sets of texture coordinates: 8 by default, at most 64. Without a set, there are no tangents either.
    pub uv_sets: usize,
    /// Whether vertex colours are copied, if the mesh has any. On by default.
    pub colors: bool,
    /// The order of the corners of each triangle, seen from outside: counterclockwise by default.
    pub winding: Winding,
    /// The place of v = 0 in images: the top by default.
    pub uv_origin: UvOrigin,
    /// Whether vertices of one point that are equal become one. On by default. Triangles that lose a corner by this have no area and are left out.
    pub weld: bool,
    /// Whether triangles stay that use a vertex twice in the file: nobody sees them, but the mesh can be written back as it was, if nothing is welded. Off by default.
    pub keep_degenerate: bool,
    /// Whether all vertices of the file stay, in its order, where the mesh has one material and nothing is welded. Off by default: vertices are those that a triangle uses,
    /// in the order of the triangles.
    pub keep_order: bool,
}

impl VertexOptions {
    /// The smallest limit of joints: a triangle of eight influences at each corner has 24.
    pub const MIN_JOINTS: u16 = 32;

    const fn has_tangents(&self) -> bool {
        self.tangents && self.uv_sets > 0
    }
}

impl Default for VertexOptions {
    fn default() -> Self {
        Self {
            influences: 4,
            max_joints: None,
            tangents: false,
            uv_sets: 8,
            colors: true,
            winding: Winding::CounterClockwise,
            uv_origin: UvOrigin::Top,
            weld: true,
            keep_degenerate: false,
            keep_order: false,
        }
    }
}

/// The vertices and triangles of a mesh, ready for a renderer: see [`Mesh::to_vertices`].
///
/// All arrays have one element for each vertex, or are empty. The elements are plain arrays of numbers, so that `bytemuck` casts them; one buffer with
/// several attributes is made by [`interleave_into`](Vertices::interleave_into).
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Vertices {
    /// Positions, in the space of the mesh.
    pub positions: Vec<[f32; 3]>,
    /// Normals of unit length: those of the file; where it has none, computed from the triangles and their smoothing groups.
    pub normals: Vec<[f32; 3]>,
    /// Tangents x, y, z of unit length, in the direction of the texture coordinate u of the first set. The bitangent is `w * cross(normal, tangent)`,
    /// where w is 1 or -1, and points to the top of the image, whatever the requested origin: normal maps whose green is up (glTF, OpenGL,
    /// Blender) use it as it is, those whose green is down (DirectX, Unreal Engine) use -w. Tangents are averaged over the triangles of a vertex
    /// with the weights of `MikkTSpace`. Empty unless requested, and for a mesh without texture coordinates.
    pub tangents: Vec<[f32; 4]>,
    /// For each set: texture coordinates u, v. Values that are not finite are 0.
    pub uvs: Vec<Vec<[f32; 2]>>,
    /// Colours: red, green, blue, alpha. Empty if the mesh has none.
    pub colors: Vec<[u8; 4]>,
    /// For each set of four influences: indices into the joints of the [`Palette`] of the vertex, the strongest first. Index 0 where the weight is 0. No set for
    /// a mesh without bones.
    pub joints: Vec<Vec<[u16; 4]>>,
    /// For each set of four influences: their weights. Those of all sets of a vertex sum to 1.
    pub weights: Vec<Vec<[f32; 4]>>,
    /// For each vertex, the vertex of the mesh that it comes from: [`Mesh::point_of`] gives its point.
    pub sources: Vec<u32>,
    /// The triangles: a range of vertices for each material of each palette, in ascending order.
    pub parts: Vec<MaterialRange>,
    /// The joints that the vertices name: one palette, or several with [`VertexOptions::max_joints`]. None for a mesh without bones.
    pub palettes: Vec<Palette>,
    /// Counts of what was dropped and computed.
    pub counts: VertexCounts,
}

/// A range of vertices, and the triangles between them, with one material and one palette.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct MaterialRange {
    /// The index of the material.
    pub material: u32,
    /// The vertices.
    pub vertices: Range<usize>,
    /// Three indices for each triangle, counted from the first vertex of the range.
    pub indices: Indices,
    /// The bounding box of the vertices.
    pub bounds: Bounds,
    /// The index of the palette. Without influences: 0.
    pub palette: usize,
}

/// Indices of vertices.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "GPUs take these two")]
pub enum Indices {
    /// Of at most 65,535 vertices: 65,535 itself is no index, because some renderers reserve it.
    U16(Vec<u16>),
    /// Of more vertices.
    U32(Vec<u32>),
}

/// Counts of [`Mesh::to_vertices`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct VertexCounts {
    /// Triangles.
    pub triangles: usize,
    /// Triangles that are left out: they use a vertex twice (unless such are kept), also after welding, or one that does not exist or has no finite position.
    pub dropped_triangles: usize,
    /// Vertices of the mesh that no triangle uses.
    pub unused_vertices: usize,
    /// Vertices with computed normals, before welding; a vertex of two materials counts twice.
    pub computed_normals: usize,
    /// The influences that are left out.
    pub influences: Dropped,
}

impl Indices {
    fn new(own: Vec<u32>, vertices: usize) -> Self {
        if vertices > usize::from(u16::MAX) {
            return Self::U32(own);
        }
        Self::U16(own.into_iter().map(|index| u16::try_from(index).unwrap_or_default()).collect())
    }

    /// Number of indices.
    pub fn len(&self) -> usize {
        match self {
            Self::U16(own) => own.len(),
            Self::U32(own) => own.len(),
        }
    }

    /// Whether there is no index.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// An index by its number. O(1).
    pub fn get(&self, number: usize) -> Option<u32> {
        match self {
            Self::U16(own) => own.get(number).copied().map(u32::from),
            Self::U32(own) => own.get(number).copied(),
        }
    }

    /// All indices in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = u32> + '_ {
        (0..self.len()).map(|number| self.get(number).unwrap_or_default())
    }

    /// The corners of each triangle.
    pub fn triangles(&self) -> impl ExactSizeIterator<Item = [u32; 3]> + '_ {
        let corner = |number: usize| self.get(number).unwrap_or_default();
        let triangle = move |first: usize| [first, first.saturating_add(1), first.saturating_add(2)].map(corner);
        (0..self.len() / 3).map(move |number| triangle(number.saturating_mul(3)))
    }
}

impl Mesh<'_> {
    /// The vertices of the mesh at rest, as a renderer takes them: arrays of attributes in the space of the mesh, the triangles of each material with 16- or
    /// 32-bit indices, influences in rows of equal width, and the inverse bind matrices of their joints.
    ///
    /// O((points + influences) log influences + vertices * (log vertices + rows + sets of texture coordinates) + triangles * log triangles); memory for the
    /// arrays: a row of 32 influences has 192 bytes.
    ///
    /// ```
    /// use skelmap::{Asset, model::{Space, VertexOptions}};
    ///
    /// let bytes = std::fs::read("corpus/fox.psk")?;
    /// let mesh = Asset::parse(&bytes)?.mesh().ok_or("no mesh")?.with_metres(0.01).in_space(Space::GLTF);
    /// let vertices = mesh.to_vertices(&VertexOptions::default())?;
    /// for part in &vertices.parts {
    ///     let own = part.vertices.clone();
    ///     let (positions, normals) = (&vertices.positions[own.clone()], &vertices.normals[own.clone()]);
    ///     let (joints, weights) = (&vertices.joints[0][own.clone()], &vertices.weights[0][own]);
    ///     println!("{} vertices, {} triangles", positions.len(), part.indices.len() / 3);
    ///     assert!(normals.len() == joints.len() && joints.len() == weights.len());
    /// }
    /// assert_eq!(vertices.palettes[0].inverse_bind.len(), mesh.bone_count());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// A Pyrogenesis mesh of version 1 or 2 with a vertex whose bone does not exist;
    /// [`TooManyPalettes`](ErrorKind::TooManyPalettes) if more than 256 are needed.
    pub fn to_vertices(&self, options: &VertexOptions) -> Result<Vertices, Error> {
        Vertices::of_points(self, &PosedPoints::at_rest(self)?, options)
    }
}

/// The most sets of texture coordinates: a set is found in a time that grows with their number.
const MAX_UV_SETS: usize = 64;

impl Vertices {
    /// As [`Mesh::to_vertices`], with points in a pose: see [`PosedPoints::in_pose`].
    ///
    /// # Errors
    /// [`BufferSize`](ErrorKind::BufferSize) if the points are not those of the mesh; [`TooManyPalettes`](ErrorKind::TooManyPalettes).
    pub fn of_points(mesh: &Mesh<'_>, points: &PosedPoints, options: &VertexOptions) -> Result<Self, Error> {
        ErrorKind::check_buffer(points.positions().len(), mesh.point_count())
            .map_err(|kind| Error::new(kind, Section::named("vertices"), 0))?;
        let mut counts = VertexCounts::default();
        let faces = Faces::new(mesh, points.positions(), options, &mut counts);
        let mut draft = Draft::new(mesh, &faces, options, points.positions());
        counts.unused_vertices = mesh.vertex_count().saturating_sub(draft.used);
        let normals = faces.to_normals(mesh, points, &draft.sources, &mut counts);
        drop(faces);
        let columns: Vec<_> =
            (0..mesh.uv_set_count().min(options.uv_sets).min(MAX_UV_SETS)).filter_map(|set| mesh.uvs(set)).collect();
        let uv = |column| move |vertex: &u32| uv(mesh, column, options.uv_origin, *vertex);
        let uvs: Vec<Vec<_>> = columns.iter().map(|column| draft.sources.iter().map(uv(column)).collect()).collect();
        let colors = mesh.colors().filter(|_| options.colors);
        let color = |column: &Column<'_, [u8; 4]>, vertex: u32| *column.get(to_usize(vertex)).unwrap_or(&[255; 4]);
        let colors: Vec<_> = colors
            .map(|column| draft.sources.iter().map(|vertex| color(&column, *vertex)).collect())
            .unwrap_or_default();
        if options.weld {
            draft.weld(mesh, (&normals, &uvs, &colors), &mut counts);
        }
        let position = |vertex: u32| points.position_of(mesh, vertex);
        let tangents = match uvs.first() {
            Some(uvs) if options.has_tangents() => tangents::to_tangents(&draft, position, &normals, uvs),
            _ => Vec::new(),
        };
        let width = options.influences.min(Influences::MAX_WIDTH).next_multiple_of(4);
        let influences = (mesh.bone_count() > 0 && width > 0).then(|| Influences::new(mesh, width));
        let palettes = match &influences {
            Some(influences) => {
                counts.influences = influences.dropped();
                palettes::to_palettes(&mut draft, mesh, influences, options.max_joints)?
            }
            None => Vec::new(),
        };
        // `own`: for each vertex, its number in the arrays above.
        let own = &draft.numbers;
        let sources: Vec<u32> = gathered(own, &draft.sources);
        let mut vertices = Self {
            positions: sources.iter().map(|vertex| position(*vertex)).collect(),
            normals: gathered(own, &normals),
            tangents: gathered(&draft.welded, &tangents),
            uvs: uvs.iter().map(|uvs| gathered(own, uvs)).collect(),
            colors: gathered(own, &colors),
            sources,
            counts,
            ..Self::default()
        };
        for part in draft.parts {
            let first = part.first;
            let range = first..first.saturating_add(part.count);
            let own = vertices.positions.get(range.clone()).unwrap_or_default();
            let bounds = Bounds::of(own.iter().copied()).unwrap_or(Bounds { min: [0.0; 3], max: [0.0; 3] });
            let indices = Indices::new(part.indices, part.count);
            let (material, palette) = (part.material, part.palette);
            vertices.parts.push(MaterialRange { material, vertices: range, indices, bounds, palette });
        }
        if let Some(influences) = &influences {
            vertices.add_influences(mesh, influences, &palettes, width / 4);
        }
        vertices.palettes = palettes;
        Ok(vertices)
    }

    /// Adds the rows of the influences, with the numbers of joints in the palettes.
    fn add_influences(&mut self, mesh: &Mesh<'_>, influences: &Influences, palettes: &[Palette], sets: usize) {
        let count = self.positions.len();
        (self.joints, self.weights) = (vec![vec![[0; 4]; count]; sets], vec![vec![[0.0; 4]; count]; sets]);
        for part in &self.parts {
            let Some(palette) = palettes.get(part.palette) else { continue };
            for vertex in part.vertices.clone() {
                let source = self.sources.get(vertex).copied().unwrap_or(u32::MAX);
                let point = mesh.point_of(to_usize(source)).unwrap_or(usize::MAX);
                let joints = self.joints.iter_mut().filter_map(|set| set.get_mut(vertex)).flatten();
                let weights = self.weights.iter_mut().filter_map(|set| set.get_mut(vertex)).flatten();
                for ((joint, own), (bone, weight)) in joints.zip(weights).zip(influences.of_point(point)) {
                    (*joint, *own) = (palette.number_of(bone), weight);
                }
            }
        }
    }
}

/// An index in memory.
fn to_usize(index: u32) -> usize {
    crate::bytes::to_usize(index.into())
}

/// Texture coordinates of a vertex.
fn uv(mesh: &Mesh<'_>, column: &Column<'_, Vec2>, origin: UvOrigin, vertex: u32) -> [f32; 2] {
    let [u, v] = column.get(to_usize(vertex)).map(Vec2::get).unwrap_or_default();
    let [u, v] = [u, if mesh.uv_origin() == origin { v } else { 1.0 - v }];
    [u, v].map(|value| if value.is_finite() { value } else { 0.0 })
}

/// The elements of these numbers; nothing of an empty array.
fn gathered<T: Copy + Default>(numbers: &[u32], from: &[T]) -> Vec<T> {
    if from.is_empty() {
        return Vec::new();
    }
    numbers.iter().map(|number| from.get(to_usize(*number)).copied().unwrap_or_default()).collect()
}
