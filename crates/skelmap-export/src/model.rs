//! What a model of a file has but for its nodes: its skin, its mesh with materials and images, its attachments.

use std::borrow::Cow;
use std::collections::HashMap;
use std::num::NonZero;

use skelmap::model::maths::{NO_TURN, inverse, product, rotation_product, turned};
use skelmap::model::{
    Alpha, Attachment, IDENTITY, Indices, MaterialRange, Matrix, Mesh, MorphTarget, Space, Transform,
};
use skelmap::shared::{to_u32, to_u64, to_usize};

use crate::content::once;
use crate::document::{Animation, Document};
use crate::json::{self, Accessor, FLOAT, Root};
use crate::options::ExportOptions;
use crate::plan::{Known, Model, Piece, Plan, Point, Shape, Skin, Spent, Use};
use crate::reduce::Reach;
use crate::report::{ExportReport, WriteError};
use crate::rig::Rig;
use crate::scene::name_of_part;
use crate::space::{placed, placed_clip, turn};
use crate::vertices::VertexTable;

/// What files say of the program that wrote them.
const GENERATOR: &str = concat!("skelmap ", env!("CARGO_PKG_VERSION"));

/// Vertices in small numbers, which readers must know.
const QUANTIZATION: &str = "KHR_mesh_quantization";

/// The maximum number of morph targets, counted for each material.
const MAX_TARGETS: usize = 1 << 16;

/// The maximum number of moved vertices over all targets: a point may have many vertices.
const MAX_MOVED: usize = 1 << 24;

/// The maximum number of coarser levels of detail. The engine that has them has 8.
const MAX_LEVELS: usize = 32;

/// A vertex of the output and its offset.
type Moved = (u32, [f32; 3]);

impl<'p> Plan<'p> {
    /// `uri`: the name of the file with the binary buffer, if it is a separate file.
    pub(crate) fn new(
        document: &'p Document<'p>,
        options: &'p ExportOptions,
        uri: Option<&str>,
    ) -> Result<Self, WriteError> {
        let mut plan = Self {
            options,
            models: Vec::new(),
            report: ExportReport::default(),
            root: Root { asset: json::Asset { version: "2.0", generator: GENERATOR }, ..Root::default() },
            pieces: Vec::new(),
            length: 0,
            known: Known::default(),
            names: HashMap::new(),
            spent: Spent::default(),
        };
        plan.add_models(document)?;
        (plan.report.animations, plan.report.textures) = (plan.root.animations.len(), plan.root.images.len());
        let byte_length = plan.length;
        if byte_length > 0 {
            plan.root.buffers.push(json::Buffer { byte_length, uri: uri.map(ToOwned::to_owned) });
        }
        Ok(plan)
    }

    /// Adds what a model has but for its nodes. The options turn no model at the attachment of another. Returns its index.
    pub(crate) fn add_model(&mut self, document: &'p Document<'p>, is_attached: bool) -> Result<usize, WriteError> {
        let options = self.options;
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
        let turn = if is_attached { NO_TURN } else { turn(space, options) };
        let is_image = |index: &usize| document.images.get(*index).is_some_and(|image| !image.bytes.is_empty());
        let has_textures = document.textures.iter().flatten().any(is_image);
        let table = |mesh: &Mesh<'p>, report: &mut _| VertexTable::new(mesh, turn, options, has_textures, report);
        let vertices = mesh.map(|mesh| table(&mesh, &mut report)).transpose()?;
        let mut model = Model {
            document,
            mesh,
            rig,
            clips: Vec::new(),
            base: None,
            report,
            turn,
            shape: Shape::default(),
            coarser: Vec::new(),
            reach: None,
            has_model_joint: false,
            points: Vec::new(),
            motions: Vec::new(),
        };
        let level_of_detail = document.level_of_detail;
        model.shape = self.add_shape(&mut model, vertices.as_ref(), level_of_detail)?;
        if options.compact {
            model.reach = Some(Reach::new(&model.rig, turn, vertices.as_ref()));
        }
        drop(vertices);
        let coarser = document.mesh.filter(|_| options.levels).into_iter().flat_map(|mesh| mesh.levels()).skip(1);
        for (number, level) in (level_of_detail.unwrap_or(0).saturating_add(1)..).zip(coarser) {
            let count = if model.coarser.len() < MAX_LEVELS && model.shape.meshes.len() == 1 {
                // What is left out of a level is told of the finest.
                let vertices = table(&placed(level, options), &mut ExportReport::default())?;
                // A program shows one node in place of another.
                let is_one = vertices.skins().count() == 1;
                let shape =
                    if is_one { self.add_shape(&mut model, Some(&vertices), Some(number))? } else { Shape::default() };
                let is_written = shape.meshes.len() == 1;
                model.coarser.extend(is_written.then_some(shape));
                if is_written { &mut model.report.levels } else { &mut model.report.dropped_levels }
            } else {
                &mut model.report.dropped_levels
            };
            *count = count.saturating_add(1);
        }
        let has_points = options.attachments || !document.attached.is_empty();
        if let (true, Some(mesh), Some(stored)) = (has_points, &mesh, &document.mesh) {
            model.add_points(mesh, stored);
        }
        let index = self.models.len();
        self.models.push(model);
        let motions = self.add_clips(index)?;
        if let Some(model) = self.models.get_mut(index) {
            model.motions = motions;
        }
        Ok(index)
    }

    /// Adds the skins and the mesh of a level of detail.
    fn add_shape(
        &mut self,
        model: &mut Model<'p>,
        table: Option<&VertexTable<'_>>,
        level_of_detail: Option<u32>,
    ) -> Result<Shape, WriteError> {
        let mut shape = Shape { cube: table.and_then(VertexTable::cube), ..Shape::default() };
        model.has_model_joint |= table.is_some_and(VertexTable::has_model_joint);
        if model.rig.bone_count() > 0 && model.rig.is_placed {
            self.add_skins(model, table, &mut shape)?;
        }
        if let Some(table) = table.filter(|table| !table.vertices.parts.is_empty()) {
            shape.meshes = self.add_mesh(model, table, level_of_detail)?;
        }
        Ok(shape)
    }

    fn add_skins(
        &mut self,
        model: &Model<'_>,
        table: Option<&VertexTable<'_>>,
        shape: &mut Shape,
    ) -> Result<(), WriteError> {
        let armature = Transform { rotation: model.turn, ..Transform::IDENTITY }.to_matrix();
        let mut world = model.rig.to_world(&armature);
        if table.is_some_and(VertexTable::has_model_joint) {
            world.push(armature);
        }
        // Accumulated huge translations can exceed the range of a float.
        let finite = |matrix: Matrix| if matrix.iter().all(|value| value.is_finite()) { matrix } else { IDENTITY };
        let of_cube = shape.cube.map(|cube| cube.place().to_matrix());
        let placed = |matrix: Matrix| of_cube.map_or(matrix, |of_cube| product(&matrix, &of_cube));
        let inverse: Vec<Matrix> = world.iter().map(inverse).map(placed).map(finite).collect();
        let palettes: Vec<Vec<usize>> = match table.map(|table| table.vertices.palettes.as_slice()) {
            Some(palettes @ [_, ..]) => {
                palettes.iter().map(|own| own.joints.iter().map(|joint| (*joint).into()).collect()).collect()
            }
            _ => vec![(0..inverse.len()).collect()],
        };
        for joints in palettes {
            let matrices = joints.iter().filter_map(|joint| inverse.get(*joint));
            let bytes: Vec<u8> = matrices.flat_map(|matrix| matrix.map(f32::to_le_bytes)).flatten().collect();
            let view = self.add_bytes(Use::InverseBind, Cow::Owned(bytes))?;
            let inverse_bind = self.add_accessor(Accessor::new(view, FLOAT, to_u64(joints.len()), "MAT4"))?;
            shape.skins.push(Skin { inverse_bind, joints });
        }
        Ok(())
    }

    /// Adds the mesh with its vertices, triangles, materials and morph targets. Returns its meshes.
    fn add_mesh(
        &mut self,
        model: &mut Model<'p>,
        vertices: &VertexTable<'_>,
        level_of_detail: Option<u32>,
    ) -> Result<Vec<u32>, WriteError> {
        let (mesh, parts) = (&vertices.mesh, &vertices.vertices.parts);
        if vertices.cube().is_some() && self.root.extensions_required.is_empty() {
            self.root.extensions_used.push(QUANTIZATION);
            self.root.extensions_required.push(QUANTIZATION);
        }
        let vertex_view = self.add_bytes(Use::Vertices(vertices.stride()), Cow::Owned(vertices.to_bytes()?))?;
        let textures = self.add_images(model.document, parts)?;
        let morphs = if self.options.morphs { mesh.to_morphs() } else { Vec::new() };
        let targets = self.add_morphs(vertices, &morphs)?;
        let written = targets.first().map_or(0, Vec::len);
        let dropped = morphs.len().saturating_sub(written);
        model.report.dropped_morphs = model.report.dropped_morphs.max(dropped);
        let (mut shapes, view) = (Vec::new(), self.open_view(Use::Indices));
        let mut targets = targets.into_iter();
        for parts in vertices.skins() {
            let mut primitives = Vec::new();
            for (part, targets) in parts.iter().zip(&mut targets) {
                let attributes = self.add_attributes(vertices, vertex_view, part)?;
                let (component, bytes) = index_bytes(&part.indices);
                let accessor = Accessor::new(0, component, to_u64(part.indices.len()), "SCALAR");
                let indices = self.add_keys(view, accessor, Piece::Bytes(Cow::Owned(bytes)))?;
                let material = Some(self.add_material(model.document, mesh, part.material, &textures)?);
                primitives.push(json::Primitive { attributes, indices, material, targets });
            }
            shapes.push(primitives);
        }
        self.close_view(view);
        let target_names: Vec<_> = morphs.iter().take(written).map(|morph| morph.name().to_string()).collect();
        let mut stored = None;
        if let Some(own) = model.document.stored.filter(|_| self.options.exact) {
            let vertices = Some(self.add_bytes(Use::Stored, Cow::Borrowed(own.records))?);
            let bones = Some(self.add_bytes(Use::Stored, Cow::Borrowed(own.bones))?);
            stored = Some(json::StoredViews { vertices, bones, states: None });
        }
        let is_told = !target_names.is_empty() || level_of_detail.is_some() || stored.is_some();
        let mut meshes = Vec::new();
        for (index, primitives) in shapes.into_iter().enumerate() {
            let target_names = target_names.clone();
            let extras = is_told.then_some(json::MeshExtras { target_names, level_of_detail, stored });
            let shape = json::Mesh { name: name_of_part(&model.document.name, index), primitives, extras };
            meshes.push(once(&mut self.known, &mut self.root.meshes, "mesh", 0, shape)?);
        }
        Ok(meshes)
    }

    fn add_attributes(
        &mut self,
        vertices: &VertexTable<'_>,
        view: u32,
        part: &MaterialRange,
    ) -> Result<serde_json::Map<String, serde_json::Value>, WriteError> {
        let mut offset = to_u64(part.vertices.start).saturating_mul(vertices.stride().into());
        let mut attributes = serde_json::Map::new();
        for attribute in vertices.attributes() {
            let mut accessor = Accessor::new(view, attribute.component, to_u64(part.vertices.len()), attribute.kind);
            (accessor.byte_offset, accessor.normalized) = (NonZero::new(offset), attribute.is_normalized);
            if attribute.name == "POSITION" {
                let stored = |corner| vertices.cube().map_or(corner, |cube| cube.to_short(corner).map(f32::from));
                (accessor.min, accessor.max) = (stored(part.bounds.min).to_vec(), stored(part.bounds.max).to_vec());
            }
            offset = offset.saturating_add(attribute.bytes.into());
            attributes.insert(attribute.name, self.add_accessor(accessor)?.into());
        }
        Ok(attributes)
    }

    /// Adds the images that materials of the mesh use, each once. Returns the texture of each image.
    fn add_images(
        &mut self,
        document: &'p Document<'p>,
        parts: &[MaterialRange],
    ) -> Result<Vec<Option<u32>>, WriteError> {
        let image = |part: &MaterialRange| document.textures.get(to_usize(part.material.into())).copied().flatten();
        let mut used: Vec<usize> = parts.iter().filter_map(image).collect();
        used.sort_unstable();
        let mut textures = Vec::new();
        for (index, image) in document.images.iter().enumerate() {
            if image.bytes.is_empty() || used.binary_search(&index).is_err() {
                textures.push(None);
                continue;
            }
            let buffer_view = self.add_bytes(Use::Image, Cow::Borrowed(&image.bytes))?;
            let (name, mime_type) = (image.name.clone(), image.media_type.name());
            let image = json::Image { name, mime_type, buffer_view };
            let source = once(&mut self.known, &mut self.root.images, "image", 0, image)?;
            let texture = json::Texture { source };
            textures.push(Some(once(&mut self.known, &mut self.root.textures, "texture", 0, texture)?));
        }
        Ok(textures)
    }

    /// Adds a material of the mesh, and returns its index. A mesh may have two that say the same.
    fn add_material(
        &mut self,
        document: &Document<'_>,
        mesh: &Mesh<'_>,
        number: u32,
        textures: &[Option<u32>],
    ) -> Result<u32, WriteError> {
        let index = to_usize(number.into());
        let surface = mesh.surface(index);
        let image = document.textures.get(index).copied().flatten();
        // Where the file has no name, that of the image tells most.
        let of_image = || image.and_then(|image| document.images.get(image)).map(|image| image.name.clone());
        let name = mesh.material(index).map(|name| name.to_string()).or_else(of_image).unwrap_or_default();
        let texture = image.and_then(|image| textures.get(image).copied().flatten());
        let alpha_mode = match document.alpha.unwrap_or(surface.alpha) {
            Alpha::Opaque => None,
            Alpha::Masked => Some("MASK"),
            Alpha::Blended => Some("BLEND"),
        };
        let base_color_texture = texture.map(|index| json::TextureInfo { index });
        let material = json::Material {
            name,
            double_sided: surface.is_two_sided,
            alpha_mode,
            // The default would be a metal.
            pbr_metallic_roughness: json::Pbr { base_color_texture, metallic_factor: 0 },
        };
        Ok(once(&mut self.known, &mut self.root.materials, "material", number, material)?)
    }

    /// Adds morph targets up to the limit. Returns those of each material.
    fn add_morphs(
        &mut self,
        vertices: &VertexTable<'_>,
        morphs: &[MorphTarget<'_>],
    ) -> Result<Vec<Vec<json::Target>>, WriteError> {
        let parts = &vertices.vertices.parts;
        let mut targets: Vec<Vec<json::Target>> = parts.iter().map(|_| Vec::new()).collect();
        if morphs.is_empty() {
            return Ok(targets);
        }
        let (of_points, mut left) = (vertices_of_points(vertices), MAX_MOVED);
        for morph in morphs.iter().take(MAX_TARGETS.checked_div(parts.len()).unwrap_or_default()) {
            let Some(moved) = moved_vertices(vertices, morph, &of_points, left) else { break };
            left = left.saturating_sub(moved.len());
            let mut rest = moved.as_slice();
            for (part, targets) in parts.iter().zip(&mut targets) {
                let (first, end) = (to_u32(part.vertices.start), to_u32(part.vertices.end));
                let (own, others) = rest.split_at(rest.partition_point(|(vertex, _)| *vertex < end));
                rest = others;
                let own = own.iter().map(|(vertex, offset)| (vertex.saturating_sub(first), *offset));
                targets.push(self.add_morph(own.collect(), part.vertices.len())?);
            }
        }
        Ok(targets)
    }

    /// Adds a morph target of one material.
    fn add_morph(&mut self, mut moved: Vec<Moved>, count: usize) -> Result<json::Target, WriteError> {
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
        let indices = moved.iter().flat_map(|(index, _)| index.to_le_bytes()).collect();
        let indices = self.add_bytes(Use::Morph, Cow::Owned(indices))?;
        let offsets = moved.iter().flat_map(|(_, offset)| offset.map(f32::to_le_bytes)).flatten().collect();
        let values = self.add_bytes(Use::Morph, Cow::Owned(offsets))?;
        accessor.sparse = Some(json::Sparse {
            count: number,
            indices: json::SparsePart { buffer_view: indices, component_type: Some(json::UNSIGNED_INT) },
            values: json::SparsePart { buffer_view: values, component_type: None },
        });
        Ok(json::Target { position: self.add_accessor(accessor)? })
    }
}

impl Model<'_> {
    /// Adds sockets and prop points.
    fn add_points(&mut self, mesh: &Mesh<'_>, stored: &Mesh<'_>) {
        let attachments = mesh.to_attachments().into_iter().zip(stored.to_attachments());
        // 0 A.D. reads nodes of such names as prop points.
        let prefix = if stored.space() == Space::PYROGENESIS { "prop-" } else { "" };
        for (Attachment { name, bone, transform, .. }, stored) in attachments {
            let mut place = transform.with_unit_rotation();
            if bone.is_none() && self.rig.bone_count() == 0 {
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
            let (name, own_name) = (name.to_string(), format!("{prefix}{name}"));
            self.points.push(Point { name, bone, place, own_name, stored: stored.transform });
        }
    }
}

/// The component type of indices, and their bytes.
fn index_bytes(indices: &Indices) -> (u32, Vec<u8>) {
    match indices {
        Indices::U16(own) => (json::UNSIGNED_SHORT, own.iter().flat_map(|index| index.to_le_bytes()).collect()),
        Indices::U32(own) => (json::UNSIGNED_INT, own.iter().flat_map(|index| index.to_le_bytes()).collect()),
    }
}

/// Each point with one of its vertices in the output, sorted.
fn vertices_of_points(vertices: &VertexTable<'_>) -> Vec<(usize, u32)> {
    let of_vertex =
        |(index, vertex): (usize, &u32)| Some((vertices.mesh.point_of(to_usize((*vertex).into()))?, to_u32(index)));
    let mut pairs: Vec<_> = vertices.vertices.sources.iter().enumerate().filter_map(of_vertex).collect();
    pairs.sort_unstable();
    pairs
}

/// The vertices that a target moves, ascending; `None` for more than `most`. If a point has several deltas, the last one is
/// used.
fn moved_vertices(
    vertices: &VertexTable<'_>,
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
        let offset = vertices.cube().map_or(offset, |cube| cube.to_offset(offset));
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

#[cfg(test)]
mod tests {
    use super::*;

    use skelmap::Asset;
    use test_support::actorx::build::{Delta, Mesh as Sheet, Morph, name};

    /// The first delta moves nothing, and the next two move one vertex each.
    #[test]
    fn a_target_is_left_out_if_it_moves_more_vertices_than_are_left() {
        let delta = |point: u8| Delta { position: [f32::from(point), 0.0, 0.0], normal: [0.0; 3], point: point.into() };
        let chunks = Sheet::sheet(3, 3, 1).chunks().records("MRPHINFO", &[Morph { name: name("smile"), count: 3 }]);
        let bytes: Vec<u8> = chunks.records("MRPHDATA", &[0, 3, 7].map(delta)).into();
        let mesh = Asset::parse(&bytes).unwrap().mesh().unwrap();
        let (options, report) = (ExportOptions::default(), &mut ExportReport::default());
        let table = VertexTable::new(&mesh, NO_TURN, &options, false, report).unwrap();
        let (points, morphs) = (vertices_of_points(&table), mesh.to_morphs());
        let moved = |most: usize| moved_vertices(&table, &morphs[0], &points, most).map(|own| own.len());
        assert_eq!([0, 1, 2, 3].map(moved), [None, None, Some(2), Some(2)]);
    }
}
