//! The plan of a file: the JSON, and the pieces of the binary buffer in order.

use std::collections::HashMap;
use std::num::NonZero;
use std::sync::Arc;

use skelmap::model::maths::{NO_TURN, Rotation, about, inverse, rotation_product, turned};
use skelmap::model::{Alpha, Attachment, Axis, Binding, Clip, IDENTITY, Matrix, Mesh, MorphTarget, Space, Transform};
use skelmap::shared::{to_u64, to_usize};

use crate::document::{Animation, Document};
use crate::geometry::{MaterialRange, small};
use crate::json::{self, Accessor, BufferView, FLOAT, INDEX_TARGET, NodeExtras, Root, VERTEX_TARGET};
use crate::motion::{Base, Channel, Keys};
use crate::options::ExportOptions;
use crate::report::{ExportReport, WriteError};
use crate::rig::Rig;
use crate::vertices::Vertices;

/// What files say of the program that wrote them.
const GENERATOR: &str = concat!("skelmap ", env!("CARGO_PKG_VERSION"));

/// The maximum number of morph targets, counted for each material.
const MAX_TARGETS: usize = 1 << 16;

/// The maximum number of moved vertices over all targets: a point may have many vertices.
const MAX_MOVED: usize = 1 << 24;

/// A vertex of the output and its offset.
type Moved = (u32, [f32; 3]);

/// A clip in the output.
pub(crate) struct Written<'p> {
    pub(crate) clip: Clip<'p>,
    pub(crate) binding: Arc<Binding>,
    pub(crate) is_additive: bool,
}

/// A part of the binary buffer.
#[derive(Debug)]
pub(crate) enum Piece<'p> {
    Vertices,
    Indices,
    InverseBind(Vec<Matrix>),
    /// Vertex indices, ascending, with the offset of each.
    Morph(Vec<(u32, [f32; 3])>),
    Image(&'p [u8]),
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

/// The whole output.
pub(crate) struct Plan<'p> {
    pub(crate) vertices: Option<Vertices<'p>>,
    pub(crate) rig: Rig,
    pub(crate) clips: Vec<Written<'p>>,
    pub(crate) base: Option<Base>,
    pub(crate) document: &'p Document<'p>,
    pub(crate) options: &'p ExportOptions,
    pub(crate) report: ExportReport,
    pub(crate) root: Root,
    pub(crate) pieces: Vec<Piece<'p>>,
    pub(crate) length: u64,
    /// The rotation of the model, and the node of the armature.
    turn: Rotation,
    pub(crate) armature: Option<u32>,
    /// The nodes of attachments, by name.
    pub(crate) points: HashMap<String, u32>,
    /// The plans of attached models, whose pieces follow.
    pub(crate) attached: Vec<Plan<'p>>,
    /// Of the limits of the file.
    pub(crate) spent: Spent,
}

/// What animations have taken of the limits of a file.
#[derive(Clone, Copy, Default)]
pub(crate) struct Spent {
    /// Keys that were read.
    pub(crate) keys: u64,
    pub(crate) channels: usize,
}

impl<'p> Plan<'p> {
    /// `uri`: the name of the file with the binary buffer, if it is a separate file.
    pub(crate) fn new(
        document: &'p Document<'p>,
        options: &'p ExportOptions,
        uri: Option<&str>,
    ) -> Result<Self, WriteError> {
        let mut plan = Self::of(document, options, None)?;
        let byte_length = plan.length;
        if byte_length > 0 {
            plan.root.buffers.push(json::Buffer { byte_length, uri: uri.map(ToOwned::to_owned) });
        }
        Ok(plan)
    }

    /// `around`: what the model takes on that this one is attached to; then the options do not turn it.
    pub(crate) fn of(
        document: &'p Document<'p>,
        options: &'p ExportOptions,
        around: Option<Spent>,
    ) -> Result<Self, WriteError> {
        let mut report = ExportReport::default();
        let mesh = document.mesh.map(|mesh| placed(mesh, options));
        let (space, rig) = match (&document.mesh, &mesh, document.animations.first()) {
            (Some(stored), Some(mesh), _) => {
                (Some(stored.space()), Rig::of_mesh(mesh, &document.hierarchy, &mut report)?)
            }
            (.., Some(Animation { clip, .. })) => {
                let rig = Rig::of_clip(&placed_clip(clip, options), &document.hierarchy, &mut report)?;
                (clip.space(), rig)
            }
            (.., None) => return Err(WriteError::Empty),
        };
        let turn = if around.is_none() { turn(space, options) } else { NO_TURN };
        let is_image = |index: &usize| document.images.get(*index).is_some_and(|image| !image.bytes.is_empty());
        let has_textures = document.textures.iter().flatten().any(is_image);
        let vertices = mesh.map(|mesh| Vertices::new(&mesh, turn, options, has_textures, &mut report)).transpose()?;
        let mut plan = Self {
            vertices: None,
            rig,
            clips: Vec::new(),
            base: None,
            document,
            options,
            report,
            root: Root { asset: json::Asset { version: "2.0", generator: GENERATOR }, ..Root::default() },
            pieces: Vec::new(),
            length: 0,
            turn,
            armature: None,
            points: HashMap::new(),
            attached: Vec::new(),
            spent: around.unwrap_or_default(),
        };
        plan.add_skeleton(vertices.as_ref().is_some_and(Vertices::has_model_joint));
        if let Some(vertices) = vertices.as_ref().filter(|vertices| !vertices.geometry.parts.is_empty()) {
            plan.add_mesh(vertices);
        }
        let has_points = options.attachments || !document.attached.is_empty();
        if let (true, Some(mesh), Some(stored)) = (has_points, &mesh, &document.mesh) {
            plan.add_attachments(mesh, stored);
        }
        plan.vertices = vertices;
        plan.add_clips()?;
        for attached in &document.attached {
            plan.attach(attached)?;
        }
        Ok(plan)
    }

    /// Adds the armature, its joints and the skin.
    fn add_skeleton(&mut self, has_model_joint: bool) {
        let bones = self.rig.bone_count();
        if bones == 0 {
            return;
        }
        let rotation = Some(self.turn).filter(|turn| *turn != NO_TURN);
        self.add_node(json::Node { name: "armature".to_owned(), rotation, ..json::Node::default() });
        for (name, bind) in self.rig.names.iter().zip(&self.rig.bind) {
            self.root.nodes.push(node_at(name.clone(), bind));
        }
        for (child, parent) in self.rig.parents.iter().enumerate() {
            let parent = parent.map_or(0, |parent| parent.saturating_add(1));
            if let Some(parent) = self.root.nodes.get_mut(parent) {
                parent.children.push(small(child.saturating_add(1)));
            }
        }
        self.armature = Some(0);
        self.root.show(0);
        if self.rig.is_placed {
            return self.add_skin(bones, has_model_joint);
        }
        for (bone, node) in self.root.nodes.iter_mut().skip(1).enumerate() {
            node.extras = Some(NodeExtras::Bone { bone });
        }
    }

    fn add_skin(&mut self, bones: usize, has_model_joint: bool) {
        let armature = Transform { rotation: self.turn, ..Transform::IDENTITY }.to_matrix();
        let mut world = self.rig.to_world(&armature);
        let mut joints: Vec<u32> = (1..=small(bones)).collect();
        if has_model_joint {
            let node = self.add_node(json::Node { name: "bind_shape".to_owned(), ..json::Node::default() });
            if let Some(armature) = self.root.nodes.first_mut() {
                armature.children.push(node);
            }
            joints.push(node);
            world.push(armature);
        }
        // Accumulated huge translations can exceed the range of a float.
        let finite = |matrix: Matrix| if matrix.iter().all(|value| value.is_finite()) { matrix } else { IDENTITY };
        let inverse_bind: Vec<Matrix> = world.iter().map(inverse).map(finite).collect();
        let count = to_u64(inverse_bind.len());
        let view = self.add_piece(Piece::InverseBind(inverse_bind), count.saturating_mul(64), None, None);
        let inverse_bind_matrices = self.add_accessor(Accessor::new(view, FLOAT, count, "MAT4"));
        self.root.skins.push(json::Skin { inverse_bind_matrices, skeleton: 0, joints });
    }

    /// Adds the mesh with its vertices, triangles, materials and morph targets.
    fn add_mesh(&mut self, vertices: &Vertices<'_>) {
        let (mesh, parts, stride) = (&vertices.mesh, &vertices.geometry.parts, vertices.stride());
        let bytes = to_u64(vertices.geometry.vertices.len()).saturating_mul(stride.into());
        let vertex_view = self.add_piece(Piece::Vertices, bytes, Some(stride), Some(VERTEX_TARGET));
        let bytes = parts.iter().map(MaterialRange::index_bytes).fold(0, u64::saturating_add);
        let index_view = self.add_piece(Piece::Indices, bytes, None, Some(INDEX_TARGET));
        let textures = self.add_images(parts);
        let morphs = if self.options.morphs { mesh.to_morphs() } else { Vec::new() };
        let targets = self.add_morphs(vertices, &morphs);
        let written = targets.first().map_or(0, Vec::len);
        self.report.dropped_morphs = morphs.len().saturating_sub(written);
        let (mut primitives, mut index_offset) = (Vec::new(), 0_u64);
        for (part, targets) in parts.iter().zip(targets) {
            let attributes = self.add_attributes(vertices, vertex_view, part);
            let component = if part.is_short() { json::UNSIGNED_SHORT } else { json::UNSIGNED_INT };
            let mut accessor = Accessor::new(index_view, component, to_u64(part.indices.len()), "SCALAR");
            accessor.byte_offset = NonZero::new(index_offset);
            index_offset = index_offset.saturating_add(part.index_bytes());
            let indices = self.add_accessor(accessor);
            let material = Some(self.add_material(mesh, part.material, &textures));
            primitives.push(json::Primitive { attributes, indices, material, targets });
        }
        let target_names: Vec<_> = morphs.iter().take(written).map(|morph| morph.name().to_string()).collect();
        let extras = (!target_names.is_empty()).then_some(json::MeshExtras { target_names });
        self.root.meshes.push(json::Mesh { primitives, extras });
        let skin = self.armature.map(|_| 0);
        let node = self.add_node(json::Node { mesh: Some(0), skin, ..json::Node::default() });
        self.root.show(node);
    }

    fn add_attributes(
        &mut self,
        vertices: &Vertices<'_>,
        view: u32,
        part: &MaterialRange,
    ) -> serde_json::Map<String, serde_json::Value> {
        let mut offset = to_u64(part.first).saturating_mul(vertices.stride().into());
        let mut attributes = serde_json::Map::new();
        for attribute in vertices.attributes() {
            let mut accessor = Accessor::new(view, attribute.component, to_u64(part.vertices), attribute.kind);
            (accessor.byte_offset, accessor.normalized) = (NonZero::new(offset), attribute.is_normalized);
            if attribute.name == "POSITION" {
                (accessor.min, accessor.max) = (part.bounds.min.to_vec(), part.bounds.max.to_vec());
            }
            offset = offset.saturating_add(attribute.bytes.into());
            attributes.insert(attribute.name, self.add_accessor(accessor).into());
        }
        attributes
    }

    /// Adds sockets and prop points as nodes below their joints.
    fn add_attachments(&mut self, mesh: &Mesh<'_>, stored: &Mesh<'_>) {
        let attachments = mesh.to_attachments().into_iter().zip(stored.to_attachments());
        // 0 A.D. reads nodes of such names as prop points.
        let prefix = if stored.space() == Space::PYROGENESIS { "prop-" } else { "" };
        for (Attachment { name, bone, transform, .. }, stored) in attachments {
            let mut place = transform.with_unit_rotation();
            let parent = bone.and_then(|bone| bone.checked_add(1)).or(self.armature.map(|_| 0));
            if parent.is_none() {
                place.translation = turned(self.turn, place.translation);
                place.rotation = rotation_product(self.turn, place.rotation);
            }
            let [of_place, of_stored] = [place, stored.transform].map(|transform| {
                let Transform { translation, rotation, scale } = transform;
                translation.iter().chain(&rotation).chain(&scale).all(|value| value.is_finite())
            });
            if !of_place || !of_stored {
                self.report.misplaced_attachments = self.report.misplaced_attachments.saturating_add(1);
                continue;
            }
            let extras = Some(NodeExtras::Attachment(stored.transform));
            let own_name = format!("{prefix}{name}");
            let node = self.add_node(json::Node { extras, ..node_at(own_name, &place) });
            self.points.entry(name.to_string()).or_insert(node);
            match parent.and_then(|parent| self.root.nodes.get_mut(parent)) {
                Some(parent) => parent.children.push(node),
                None => self.root.show(node),
            }
        }
    }

    /// Adds the images that materials of the mesh use, each once. Returns the texture of each image.
    fn add_images(&mut self, parts: &[MaterialRange]) -> Vec<Option<u32>> {
        let document = self.document;
        let image = |part: &MaterialRange| document.textures.get(to_usize(part.material.into())).copied().flatten();
        let mut used: Vec<usize> = parts.iter().filter_map(image).collect();
        used.sort_unstable();
        let mut textures = Vec::new();
        for (index, image) in document.images.iter().enumerate() {
            if image.bytes.is_empty() || used.binary_search(&index).is_err() {
                textures.push(None);
                continue;
            }
            let view = self.add_piece(Piece::Image(&image.bytes), to_u64(image.bytes.len()), None, None);
            let (name, mime_type) = (image.name.clone(), image.media_type.name());
            self.root.images.push(json::Image { name, mime_type, buffer_view: view });
            self.root.textures.push(json::Texture { source: small(self.root.images.len().saturating_sub(1)) });
            textures.push(Some(small(self.root.textures.len().saturating_sub(1))));
        }
        textures
    }

    /// Adds a material of the mesh; returns its index.
    fn add_material(&mut self, mesh: &Mesh<'_>, index: u32, textures: &[Option<u32>]) -> u32 {
        let index = to_usize(index.into());
        let (name, surface) = (mesh.material(index), mesh.surface(index));
        let image = self.document.textures.get(index).copied().flatten();
        let texture = image.and_then(|image| textures.get(image).copied().flatten());
        let alpha_mode = match surface.alpha {
            Alpha::Opaque => None,
            Alpha::Masked => Some("MASK"),
            Alpha::Blended => Some("BLEND"),
        };
        let base_color_texture = texture.map(|index| json::TextureInfo { index });
        self.root.materials.push(json::Material {
            name: name.map(|name| name.to_string()).unwrap_or_default(),
            double_sided: surface.is_two_sided,
            alpha_mode,
            // The default would be a metal.
            pbr_metallic_roughness: json::Pbr { base_color_texture, metallic_factor: 0 },
        });
        small(self.root.materials.len().saturating_sub(1))
    }

    /// Adds morph targets up to the limit. Returns those of each material.
    fn add_morphs(&mut self, vertices: &Vertices<'_>, morphs: &[MorphTarget<'_>]) -> Vec<Vec<json::Target>> {
        let parts = &vertices.geometry.parts;
        let mut targets: Vec<Vec<json::Target>> = parts.iter().map(|_| Vec::new()).collect();
        if morphs.is_empty() {
            return targets;
        }
        let (of_points, mut left) = (vertices_of_points(vertices), MAX_MOVED);
        for morph in morphs.iter().take(MAX_TARGETS.checked_div(parts.len()).unwrap_or_default()) {
            let Some(moved) = moved_vertices(vertices, morph, &of_points, left) else { break };
            left = left.saturating_sub(moved.len());
            let mut rest = moved.as_slice();
            for (part, targets) in parts.iter().zip(&mut targets) {
                let (first, end) = (small(part.first), small(part.first.saturating_add(part.vertices)));
                let (own, others) = rest.split_at(rest.partition_point(|(vertex, _)| *vertex < end));
                rest = others;
                let own = own.iter().map(|(vertex, offset)| (vertex.saturating_sub(first), *offset));
                targets.push(self.add_morph(own.collect(), part.vertices));
            }
        }
        targets
    }

    /// Adds a morph target of one material.
    fn add_morph(&mut self, mut moved: Vec<Moved>, count: usize) -> json::Target {
        // Without bytes, an accessor contains zeros. Some readers refuse it.
        if moved.is_empty() {
            moved.push((0, [0.0; 3]));
        }
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
        let start = self.length;
        let indices = self.add_piece(Piece::Morph(moved), number.saturating_mul(16), None, None);
        // First the indices, then the offsets: two views of one piece.
        let values = small(self.root.buffer_views.len());
        let index_bytes = number.saturating_mul(4);
        if let Some(view) = self.root.buffer_views.get_mut(to_usize(indices.into())) {
            view.byte_length = index_bytes;
        }
        let (byte_offset, byte_length) = (NonZero::new(start.saturating_add(index_bytes)), number.saturating_mul(12));
        self.root.buffer_views.push(BufferView { byte_offset, byte_length, ..BufferView::default() });
        accessor.sparse = Some(json::Sparse {
            count: number,
            indices: json::SparsePart { buffer_view: indices, component_type: Some(json::UNSIGNED_INT) },
            values: json::SparsePart { buffer_view: values, component_type: None },
        });
        json::Target { position: self.add_accessor(accessor) }
    }

    fn add_node(&mut self, node: json::Node) -> u32 {
        self.root.nodes.push(node);
        small(self.root.nodes.len().saturating_sub(1))
    }

    pub(crate) fn add_accessor(&mut self, accessor: Accessor) -> u32 {
        self.root.accessors.push(accessor);
        small(self.root.accessors.len().saturating_sub(1))
    }

    /// Adds a piece with its own view, aligned to four bytes.
    pub(crate) fn add_piece(
        &mut self,
        piece: Piece<'p>,
        bytes: u64,
        byte_stride: Option<u32>,
        target: Option<u32>,
    ) -> u32 {
        let byte_offset = NonZero::new(self.length);
        self.root.buffer_views.push(BufferView { byte_offset, byte_length: bytes, byte_stride, target, buffer: 0 });
        self.pieces.push(piece);
        self.length = self.length.saturating_add(bytes.next_multiple_of(4));
        small(self.root.buffer_views.len().saturating_sub(1))
    }
}

/// A mesh in the space of glTF.
pub fn placed<'m>(mesh: Mesh<'m>, options: &ExportOptions) -> Mesh<'m> {
    let mesh = if mesh.space().metres().is_none() { mesh.with_metres(options.metres) } else { mesh };
    mesh.in_space(Space::GLTF)
}

/// A clip in the space of glTF.
pub(crate) fn placed_clip<'c>(clip: &Clip<'c>, options: &ExportOptions) -> Clip<'c> {
    clip.with_metres(options.metres).in_space(Space::GLTF)
}

/// The rotation that the options request: first the shortest rotation of the up axis, then the yaw.
pub fn turn(space: Option<Space>, options: &ExportOptions) -> Rotation {
    let mut turn = NO_TURN;
    if let (Some((axis, is_negative)), Some(space)) = (options.up, space) {
        let of_file = match axis {
            Axis::X => [1.0, 0.0, 0.0],
            Axis::Y => [0.0, 1.0, 0.0],
            Axis::Z => [0.0, 0.0, 1.0],
        };
        let [x, y, z] = space.change_to(&Space::GLTF).direction(of_file);
        let [x, y, z] = if is_negative { [-x, -y, -z] } else { [x, y, z] };
        // Axes map to axes: the angle is 0, 90 or 180 degrees.
        turn = match y {
            y if y > 0.5 => NO_TURN,
            y if y < -0.5 => [1.0, 0.0, 0.0, 0.0],
            _ => about([-z, 0.0, x], core::f32::consts::FRAC_PI_2),
        };
    }
    if options.yaw.is_finite() && options.yaw != 0.0 {
        turn = rotation_product(about([0.0, 1.0, 0.0], (options.yaw % 360.0).to_radians()), turn);
    }
    turn
}

/// A node with a transform.
fn node_at(name: String, place: &Transform) -> json::Node {
    let rotation = Some(place.rotation).filter(|rotation| *rotation != NO_TURN);
    let translation = Some(place.translation).filter(|translation| *translation != [0.0; 3]);
    let scale = Some(place.scale).filter(|scale| *scale != [1.0; 3]);
    json::Node { name, translation, rotation, scale, ..json::Node::default() }
}

/// Each point with one of its vertices in the output, sorted.
fn vertices_of_points(vertices: &Vertices<'_>) -> Vec<(usize, u32)> {
    let of_vertex =
        |(index, vertex): (usize, &u32)| Some((vertices.mesh.point_of(to_usize((*vertex).into()))?, small(index)));
    let mut pairs: Vec<_> = vertices.geometry.vertices.iter().enumerate().filter_map(of_vertex).collect();
    pairs.sort_unstable();
    pairs
}

/// The vertices that a target moves, ascending; `None` for more than `most`. If a point has several deltas, the last one is
/// used.
fn moved_vertices(
    vertices: &Vertices<'_>,
    morph: &MorphTarget<'_>,
    of_points: &[(usize, u32)],
    most: usize,
) -> Option<Vec<Moved>> {
    let finite = morph.deltas().filter(|delta| delta.position.iter().all(|value| value.is_finite()));
    let known = finite.filter_map(|delta| Some((usize::try_from(delta.point).ok()?, delta.position)));
    let mut deltas: Vec<(usize, [f32; 3])> = known.collect();
    // After the stable sort, the last of equal points comes first.
    deltas.reverse();
    deltas.sort_by_key(|(point, _)| *point);
    deltas.dedup_by_key(|(point, _)| *point);
    let mut moved = Vec::new();
    for (point, offset) in deltas.into_iter().filter(|(_, offset)| *offset != [0.0; 3]) {
        let offset = vertices.turned(offset);
        if !offset.iter().all(|value| value.is_finite()) {
            continue;
        }
        let start = of_points.partition_point(|(own, _)| *own < point);
        let own = of_points.get(start..).unwrap_or_default().iter().take_while(|(own, _)| *own == point);
        moved.extend(own.map(|(_, vertex)| (*vertex, offset)));
        if moved.len() > most {
            return None;
        }
    }
    moved.sort_unstable_by_key(|(vertex, _)| *vertex);
    Some(moved)
}
