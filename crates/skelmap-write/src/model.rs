//! A model to write: vertices, triangles, joints and attachments, in the space of glTF.

use skelmap::model::{Alpha, Transform};
use skelmap::shared::to_usize;

use crate::affine::Place;

/// A model at rest, in the space of glTF: right-handed, y up, metres. Writers turn it into the space of their format.
///
/// All arrays of vertices have one element for each vertex, or are empty.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Model {
    /// The name of its object.
    pub name: String,
    /// Positions.
    pub positions: Vec<[f32; 3]>,
    /// Normals of unit length.
    pub normals: Vec<[f32; 3]>,
    /// For each set: texture coordinates u, v; v = 0 is the top of the image.
    pub uvs: Vec<Vec<[f32; 2]>>,
    /// Colours: red, green, blue, alpha. Empty if the source has none.
    pub colors: Vec<[u8; 4]>,
    /// The joints that move each vertex. Empty for a model without a skin.
    pub influences: Influences,
    /// The triangles; corners counterclockwise, seen from outside.
    pub triangles: Vec<Triangle>,
    /// The materials.
    pub materials: Vec<Material>,
    /// The joints of the skin, in its order.
    pub joints: Vec<Joint>,
    /// The names of the first joint and of all nodes above it, the nearest first: programs name the object that holds the bones.
    pub ancestors: Vec<String>,
    /// Points where other models are attached.
    pub attachments: Vec<Attachment>,
    /// The program that wrote the source, if it says so.
    pub generator: Option<String>,
    /// What the source has and the model has not, and what was computed.
    pub report: ImportReport,
    /// The records of the file that the source was made from, where the source has them.
    pub(crate) stored: Option<StoredMesh>,
}

/// The records of a mesh of Pyrogenesis as its file stores them.
#[derive(Clone, Debug)]
pub(crate) struct StoredMesh {
    pub(crate) vertices: Vec<u8>,
    pub(crate) bones: Vec<u8>,
}

impl Model {
    /// Whether this project wrote the source, and no other program after it.
    pub fn is_ours(&self) -> bool {
        self.generator.as_deref().is_some_and(is_ours)
    }
}

/// Whether this project is the program of a name.
pub(crate) fn is_ours(generator: &str) -> bool {
    generator.starts_with("skelmap")
}

/// The influences of the vertices: for each vertex, joints and weights, in the order of the source.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Influences {
    /// For each vertex, the end of its influences.
    ends: Vec<u32>,
    all: Vec<(u32, f32)>,
}

impl Influences {
    /// The influences of a vertex: joint and weight.
    pub fn of(&self, vertex: usize) -> &[(u32, f32)] {
        let end = |vertex: usize| self.ends.get(vertex).copied().map(|end| to_usize(end.into()));
        let start = vertex.checked_sub(1).map_or(Some(0), end);
        let range = start.zip(end(vertex)).map(|(start, end)| start..end);
        range.and_then(|range| self.all.get(range)).unwrap_or_default()
    }

    /// Adds a vertex.
    pub fn push(&mut self, influences: impl IntoIterator<Item = (u32, f32)>) {
        self.all.extend(influences);
        self.ends.push(skelmap::shared::to_u32(self.all.len()));
    }

    /// Whether there is no vertex.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The number of vertices.
    pub fn len(&self) -> usize {
        self.ends.len()
    }
}

/// A triangle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "callers make them")]
pub struct Triangle {
    /// Indices of the vertices.
    pub vertices: [u32; 3],
    /// The index of the material.
    pub material: u32,
}

/// A material.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Material {
    /// The name.
    pub name: String,
    /// Whether both sides are drawn.
    pub is_two_sided: bool,
    /// What the alpha of its texture means.
    pub alpha: Option<Alpha>,
}

/// A joint of the skin.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Joint {
    /// The name.
    pub name: String,
    /// The index of the nearest joint above this one.
    pub parent: Option<usize>,
    /// The place at rest, in the scene.
    pub(crate) place: Place,
}

/// A point where other models are attached.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Attachment {
    /// The name.
    pub name: String,
    /// The index of the joint that moves it; `None` for the model itself.
    pub joint: Option<usize>,
    /// Whether it is a joint itself: its axes are those of joints.
    pub is_joint: bool,
    /// The place, seen from the joint or in the scene.
    pub(crate) place: Place,
    /// The transform in the file that the source was made from, where the source has it.
    pub stored: Option<Transform>,
}

/// Counts of what a source has and a [`Model`] has not, and of what was computed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
#[non_exhaustive]
pub struct ImportReport {
    /// Vertices with computed normals.
    pub computed_normals: usize,
    /// Vertices without texture coordinates, which get zeros.
    pub vertices_without_uvs: usize,
    /// Texture coordinates, colours and weights that are not finite, and weights below 0: the model has 0 in their place.
    pub zeroed_numbers: usize,
    /// Vertices of different primitives that are equal and became one.
    pub welded_vertices: usize,
    /// Vertices that no triangle uses.
    pub unused_vertices: usize,
    /// Materials with a texture, which is not part of the model.
    pub textures: usize,
    /// Morph targets, which no animation format here has.
    pub dropped_morphs: usize,
    /// Joints whose rest pose is not the pose that the skin is bound in. The mesh is written as it is bound.
    pub posed_joints: usize,
    /// Nodes whose names look like attachments, but which are below neither a joint nor a model without a skin.
    pub dropped_attachments: usize,
}
