//! The plan of a file: the JSON, and the pieces of the binary buffer in their order.

use std::collections::HashMap;

use serde_json::{Map, Value};

use super::geometry::Geometry;
use super::json::{self, Accessor, BufferView, FLOAT, INDEX_TARGET, Root, VERTEX_TARGET};
use super::motion::{Channel, Keys};
use super::options::{Colors, Influences as Width, Options, Report, WriteError};
use crate::bytes::{Column, Vec2, to_u64};
use crate::model::{
    Binding, Clip, IDENTITY, Influences, Matrix, Mesh, MorphTarget, Skin, Space, Transform, UvOrigin, inverse,
};

/// The most UV sets that are written: the stride of a vertex ends at 252 bytes.
const MOST_UV_SETS: usize = 8;

/// A part of the binary buffer.
#[derive(Debug)]
pub(super) enum Piece {
    Vertices,
    Indices,
    InverseBind(Vec<Matrix>),
    /// Vertex indices, ascending, with the offset of each.
    Morph(Vec<(u32, [f32; 3])>),
    /// Times of keys.
    Times {
        keys: Keys,
        count: usize,
        rate: f64,
    },
    /// The keys of a channel.
    Values {
        clip: usize,
        channel: Channel,
    },
}

/// Everything that is written.
pub(super) struct Plan<'p> {
    pub(super) mesh: Mesh<'p>,
    pub(super) geometry: Geometry,
    pub(super) influences: Option<Influences>,
    pub(super) sets: usize,
    pub(super) uvs: Vec<Column<'p, Vec2>>,
    pub(super) colors: Option<Column<'p, [u8; 4]>>,
    pub(super) clips: Vec<(Clip<'p>, Binding)>,
    pub(super) bind: Vec<Transform>,
    pub(super) loops: bool,
    pub(super) root: Root,
    pub(super) pieces: Vec<Piece>,
    pub(super) length: u64,
}

impl<'p> Plan<'p> {
    pub(super) fn new(
        mesh: &Mesh<'p>,
        clips: &[(Clip<'p>, Binding)],
        options: &Options,
        report: &mut Report,
    ) -> Result<Self, WriteError> {
        let mesh = if mesh.space().metres().is_none() { mesh.with_metres(options.metres) } else { *mesh };
        let mesh = mesh.in_space(Space::GLTF);
        let rest = mesh.source().to_rest()?;
        let geometry = Geometry::new(&mesh, rest.as_ref(), report);
        let width = if options.influences == Width::Eight { 8 } else { 4 };
        let influences = (mesh.bone_count() > 0).then(|| Influences::new(&mesh, width));
        let skin = Skin::new(&mesh, 1)?;
        report.weaker_influences = influences.as_ref().map_or(0, |influences| influences.dropped().weaker);
        report.unmatched_tracks = clips.first().map_or(0, |(_, binding)| binding.to_unmatched_tracks().len());
        let sets = influences.as_ref().map_or(0, |influences| influences.width().div_ceil(4));
        let uvs = (0..mesh.uv_set_count().min(MOST_UV_SETS)).filter_map(|set| mesh.uvs(set)).collect();
        let colors = if options.colors == Colors::None { None } else { mesh.colors() };
        let root = Root {
            asset: json::Asset { version: "2.0", generator: concat!("skelmap ", env!("CARGO_PKG_VERSION")) },
            scene: 0,
            scenes: [json::Scene { nodes: Vec::new() }],
            nodes: Vec::new(),
            meshes: Vec::new(),
            skins: Vec::new(),
            materials: Vec::new(),
            animations: Vec::new(),
            accessors: Vec::new(),
            buffer_views: Vec::new(),
            buffers: Vec::new(),
        };
        let mut bind = skin.bind_pose().to_vec();
        for bone in bind.iter_mut().filter(|bone| !bone.translation.iter().chain(&bone.rotation).all(|x| x.is_finite()))
        {
            *bone = Transform::IDENTITY;
            report.misplaced_bones = report.misplaced_bones.saturating_add(1);
        }
        let mut plan = Self {
            mesh,
            geometry,
            influences,
            sets,
            uvs,
            colors,
            clips: Vec::new(),
            bind,
            loops: options.loops,
            root,
            pieces: Vec::new(),
            length: 0,
        };
        let joints = plan.add_skeleton(&skin, report)?;
        plan.add_mesh(joints, options);
        plan.add_clips(clips, report);
        let byte_length = plan.length;
        if byte_length > 0 {
            plan.root.buffers.push(json::Buffer { byte_length, uri: None });
        }
        Ok(plan)
    }

    /// Whether a vertex is bound to the model itself and to no bone.
    fn has_model_joint(&self) -> bool {
        let bones = self.bind.len();
        self.influences
            .as_ref()
            .is_some_and(|influences| influences.bones().iter().any(|bone| usize::from(*bone) == bones))
    }

    /// Bytes of the index of a joint.
    pub(super) fn joint_size(&self) -> u32 {
        if self.bind.len() < 256 { 1 } else { 2 }
    }

    /// Bytes of a vertex.
    pub(super) fn stride(&self) -> u32 {
        let of_set = self.joint_size().saturating_mul(4).saturating_add(16);
        let uvs = small(self.uvs.len()).saturating_mul(8);
        let colors = if self.colors.is_some() { 4 } else { 0 };
        small(self.sets).saturating_mul(of_set).saturating_add(uvs).saturating_add(colors).saturating_add(24)
    }

    /// Adds the armature, its joints and the skin; returns the index of the armature.
    fn add_skeleton(&mut self, skin: &Skin, report: &mut Report) -> Result<Option<u32>, WriteError> {
        if self.bind.is_empty() {
            return Ok(None);
        }
        let skeleton = self.mesh.skeleton();
        let order = skeleton.to_order();
        report.cut_bones = order.cut.len();
        self.root.nodes.push(json::Node { name: "armature".to_owned(), ..json::Node::default() });
        for (bone, bind) in self.bind.iter().enumerate() {
            let name = skeleton.name(bone).map_or_else(|| format!("bone_{bone}"), |name| name.text().to_string());
            let rotation = Some(bind.rotation).filter(|rotation| *rotation != [0.0, 0.0, 0.0, 1.0]);
            let translation = Some(bind.translation).filter(|translation| *translation != [0.0; 3]);
            self.root.nodes.push(json::Node { name, translation, rotation, ..json::Node::default() });
        }
        let bones = self.bind.len();
        for bone in 0..bones {
            let is_cut = order.cut.binary_search(&small(bone)).is_ok();
            let parent = skeleton.parent(bone).filter(|_| !is_cut).map_or(0, |parent| parent.saturating_add(1));
            let child = small(bone.saturating_add(1));
            if let Some(parent) = self.root.nodes.get_mut(parent) {
                parent.children.push(child);
            }
        }
        let mut joints: Vec<u32> = (1..=small(bones)).collect();
        let mut world = vec![IDENTITY; bones];
        skin.model_matrices(&self.bind, &mut world)?;
        // A chain of huge translations has no place that a float can say.
        let finite = |matrix: Matrix| if matrix.iter().all(|value| value.is_finite()) { matrix } else { IDENTITY };
        let mut inverse_bind: Vec<Matrix> = world.iter().map(inverse).map(finite).collect();
        if self.has_model_joint() {
            let node = self.add_node(json::Node { name: "bind_shape".to_owned(), ..json::Node::default() });
            if let Some(armature) = self.root.nodes.first_mut() {
                armature.children.push(node);
            }
            joints.push(node);
            inverse_bind.push(IDENTITY);
        }
        let count = to_u64(inverse_bind.len());
        let view = self.add_piece(Piece::InverseBind(inverse_bind), count.saturating_mul(64), None, None);
        let inverse_bind_matrices = self.add_accessor(Accessor::new(view, FLOAT, count, "MAT4"));
        self.root.skins.push(json::Skin { inverse_bind_matrices, skeleton: 0, joints });
        self.root.scenes[0].nodes.push(0);
        Ok(Some(0))
    }

    /// Adds the mesh with its vertices, triangles, materials and morph targets.
    fn add_mesh(&mut self, armature: Option<u32>, options: &Options) {
        if self.geometry.parts.is_empty() {
            return;
        }
        let stride = self.stride();
        let vertices = to_u64(self.geometry.vertices.len());
        let vertex_view =
            self.add_piece(Piece::Vertices, vertices.saturating_mul(stride.into()), Some(stride), Some(VERTEX_TARGET));
        let of_parts = self.geometry.parts.iter().map(|part| index_bytes(part.vertices, part.indices.len()));
        let total = of_parts.fold(0, u64::saturating_add);
        let index_view = self.add_piece(Piece::Indices, total, None, Some(INDEX_TARGET));
        let morphs = if options.morphs { self.mesh.to_morphs() } else { Vec::new() };
        let (mut primitives, mut index_offset) = (Vec::new(), 0_u64);
        for at in 0..self.geometry.parts.len() {
            let Some(part) = self.geometry.parts.get(at) else { continue };
            let (first, count, material, indices) = (part.first, part.vertices, part.material, part.indices.len());
            let (min, max) = (part.bounds.min.to_vec(), part.bounds.max.to_vec());
            let attributes = self.add_attributes(vertex_view, first, count, options, (min, max));
            let component = if count <= 65_535 { json::UNSIGNED_SHORT } else { json::UNSIGNED_INT };
            let mut accessor = Accessor::new(index_view, component, to_u64(indices), "SCALAR");
            accessor.byte_offset = index_offset;
            index_offset = index_offset.saturating_add(index_bytes(count, indices));
            let indices = self.add_accessor(accessor);
            let targets = morphs.iter().map(|morph| self.add_morph(morph, first, count)).collect();
            let material = Some(self.add_material(material));
            primitives.push(json::Primitive { attributes, indices, material, targets });
        }
        let extras = (!morphs.is_empty())
            .then(|| json::MeshExtras { target_names: morphs.iter().map(|morph| morph.name().to_string()).collect() });
        self.root.meshes.push(json::Mesh { primitives, extras });
        let node = json::Node { mesh: Some(0), skin: armature.map(|_| 0), ..json::Node::default() };
        let node = self.add_node(node);
        self.root.scenes[0].nodes.push(node);
    }

    fn add_attributes(
        &mut self,
        view: u32,
        first: usize,
        count: usize,
        options: &Options,
        (min, max): (Vec<f32>, Vec<f32>),
    ) -> Map<String, Value> {
        let base = to_u64(first).saturating_mul(self.stride().into());
        let count = to_u64(count);
        let mut offset = base;
        let mut attributes = Map::new();
        let joint = if self.joint_size() == 1 { json::UNSIGNED_BYTE } else { json::UNSIGNED_SHORT };
        let joint_bytes = self.joint_size().saturating_mul(4);
        let mut list =
            vec![("POSITION".to_owned(), FLOAT, "VEC3", 12, false), ("NORMAL".to_owned(), FLOAT, "VEC3", 12, false)];
        list.extend((0..self.uvs.len()).map(|set| (format!("TEXCOORD_{set}"), FLOAT, "VEC2", 8, false)));
        for set in 0..self.sets {
            list.push((format!("JOINTS_{set}"), joint, "VEC4", joint_bytes, false));
            list.push((format!("WEIGHTS_{set}"), FLOAT, "VEC4", 16, false));
        }
        if self.colors.is_some() {
            let name = if options.colors == Colors::Paint { "COLOR_0" } else { "_COLOR_0" };
            list.push((name.to_owned(), json::UNSIGNED_BYTE, "VEC4", 4, true));
        }
        let mut bounds = Some((min, max));
        for (name, component, kind, bytes, normalized) in list {
            let mut accessor = Accessor::new(view, component, count, kind);
            (accessor.byte_offset, accessor.normalized) = (offset, normalized);
            if let Some((min, max)) = bounds.take() {
                (accessor.min, accessor.max) = (min, max);
            }
            offset = offset.saturating_add(bytes.into());
            attributes.insert(name, self.add_accessor(accessor).into());
        }
        attributes
    }

    fn add_material(&mut self, index: u32) -> u32 {
        let name = usize::try_from(index).ok().and_then(|index| self.mesh.material(index));
        let name = name.map(|name| name.to_string()).unwrap_or_default();
        self.root.materials.push(json::Material { name, double_sided: false });
        small(self.root.materials.len().saturating_sub(1))
    }

    /// Adds a morph target of a range of vertices; returns its accessor.
    fn add_morph(&mut self, morph: &MorphTarget<'_>, first: usize, count: usize) -> json::Target {
        let mut of_point: HashMap<i32, [f32; 3]> = HashMap::new();
        for delta in morph.deltas().filter(|delta| delta.position.iter().all(|value| value.is_finite())) {
            of_point.insert(delta.point, delta.position);
        }
        let own = self.geometry.vertices.get(first..).unwrap_or_default().iter().take(count).enumerate();
        let moved = own.filter_map(|(index, vertex)| {
            let point = self.mesh.point_of(usize::try_from(*vertex).ok()?)?;
            let offset = of_point.get(&i32::try_from(point).ok()?)?;
            (*offset != [0.0; 3]).then_some((small(index), *offset))
        });
        let moved: Vec<_> = moved.collect();
        let (mut min, mut max) = ([0.0_f32; 3], [0.0_f32; 3]);
        let is_whole = moved.len() == count;
        for (index, (_, offset)) in moved.iter().enumerate() {
            for ((min, max), value) in min.iter_mut().zip(&mut max).zip(offset) {
                let is_first = is_whole && index == 0;
                (*min, *max) = if is_first { (*value, *value) } else { (min.min(*value), max.max(*value)) };
            }
        }
        let number = to_u64(moved.len());
        let mut accessor = Accessor { buffer_view: None, ..Accessor::new(0, FLOAT, to_u64(count), "VEC3") };
        (accessor.min, accessor.max) = (min.to_vec(), max.to_vec());
        if number > 0 {
            let start = self.length;
            let indices = self.add_piece(Piece::Morph(moved), number.saturating_mul(16), None, None);
            // The indices come first, then the offsets: two views of one piece.
            let values = small(self.root.buffer_views.len());
            let index_bytes = number.saturating_mul(4);
            if let Some(view) = self.root.buffer_views.get_mut(at(indices)) {
                view.byte_length = index_bytes;
            }
            self.root.buffer_views.push(BufferView {
                buffer: 0,
                byte_offset: start.saturating_add(index_bytes),
                byte_length: number.saturating_mul(12),
                byte_stride: None,
                target: None,
            });
            accessor.sparse = Some(json::Sparse {
                count: number,
                indices: json::SparsePart { buffer_view: indices, component_type: Some(json::UNSIGNED_INT) },
                values: json::SparsePart { buffer_view: values, component_type: None },
            });
        }
        json::Target { position: self.add_accessor(accessor) }
    }

    fn add_node(&mut self, node: json::Node) -> u32 {
        self.root.nodes.push(node);
        small(self.root.nodes.len().saturating_sub(1))
    }

    pub(super) fn add_accessor(&mut self, accessor: Accessor) -> u32 {
        self.root.accessors.push(accessor);
        small(self.root.accessors.len().saturating_sub(1))
    }

    /// Adds a piece with a view of its own, at a multiple of four bytes.
    fn add_piece(&mut self, piece: Piece, bytes: u64, byte_stride: Option<u32>, target: Option<u32>) -> u32 {
        let byte_offset = self.length;
        self.root.buffer_views.push(BufferView { buffer: 0, byte_offset, byte_length: bytes, byte_stride, target });
        self.pieces.push(piece);
        self.length = byte_offset.saturating_add(bytes.next_multiple_of(4));
        small(self.root.buffer_views.len().saturating_sub(1))
    }

    /// Texture coordinates of a vertex, from the top of the image.
    pub(super) fn uv(&self, column: &Column<'_, Vec2>, vertex: usize) -> [f32; 2] {
        let [u, v] = column.get(vertex).map(Vec2::get).unwrap_or_default();
        let [u, v] = [u, if self.mesh.uv_origin() == UvOrigin::Bottom { 1.0 - v } else { v }];
        [u, v].map(|value| if value.is_finite() { value } else { 0.0 })
    }
}

impl Accessor {
    pub(super) fn new(view: u32, component_type: u32, count: u64, kind: &'static str) -> Self {
        let (normalized, min, max) = (false, Vec::new(), Vec::new());
        Self {
            buffer_view: Some(view),
            byte_offset: 0,
            component_type,
            normalized,
            count,
            kind,
            min,
            max,
            sparse: None,
        }
    }
}

/// Bytes of the indices of a part, padded to four.
fn index_bytes(vertices: usize, indices: usize) -> u64 {
    let size = if vertices <= 65_535 { 2 } else { 4 };
    to_u64(indices).saturating_mul(size).next_multiple_of(4)
}

/// A count of a file, which has at most `i32::MAX` records.
pub(super) fn small(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

fn at(index: u32) -> usize {
    usize::try_from(index).unwrap_or(usize::MAX)
}
