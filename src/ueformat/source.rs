//! The implementation of the model for UEFormat models: columns, conventions, materials, sockets.

use alloc::{collections::BTreeMap, vec::Vec};

use super::animation::space;
use super::level::{COLORS, INDICES, NORMALS, TANGENTS, UVS, VERTICES, WEIGHTS};
use super::model::{BONES, Level, ModelLayout};
use super::record::{Index, Morph, Socket};
use crate::bytes::{Column, Text, Vec2, Vec3, to_u32, to_usize};
use crate::model::{
    Attachment, Change, Conventions, Description, Element, Mesh, MeshSource, MorphTarget, Skeleton, Transform,
    Triangle, UvOrigin, Winding,
};
use crate::report::{Section, SectionStart};

impl ModelLayout {
    fn level_of<'a>(&self, bytes: &'a [u8]) -> Level<'a> {
        Level { bytes, layout: self.level, version: self.version() }
    }
}

impl MeshSource for ModelLayout {
    fn conventions(&self) -> Conventions {
        let uv_origin = if self.version() >= 8 { UvOrigin::Top } else { UvOrigin::Bottom };
        Conventions { space: space(self.version()), winding: Winding::CounterClockwise, uv_origin }
    }

    fn skeleton<'a>(&self, bytes: &'a [u8]) -> Skeleton<'a> {
        self.into_view(bytes).skeleton()
    }

    fn positions<'a>(&self, bytes: &'a [u8]) -> Column<'a, Vec3> {
        Column::of_records(self.level_of(bytes).positions(), 0)
    }

    /// `None` also for another number of normals than of vertices.
    fn normals<'a>(&self, bytes: &'a [u8]) -> Option<Column<'a, Vec3>> {
        let level = self.level_of(bytes);
        let normals = level.normals();
        (!normals.is_empty() && normals.len() == level.positions().len()).then_some(normals)
    }

    fn vertex_count(&self, bytes: &[u8]) -> usize {
        self.level_of(bytes).positions().len()
    }

    fn point_of(&self, bytes: &[u8], vertex: usize) -> Option<usize> {
        (vertex < self.vertex_count(bytes)).then_some(vertex)
    }

    fn uv_set_count(&self) -> usize {
        to_usize(self.level.uvs.count.into())
    }

    fn uvs<'a>(&self, bytes: &'a [u8], set: usize) -> Option<Column<'a, Vec2>> {
        self.level_of(bytes).uv_sets().nth(set).map(|own| Column::of_records(own.uvs, 0))
    }

    /// `None` also for another number of colours than of vertices.
    fn colors<'a>(&self, bytes: &'a [u8]) -> Option<Column<'a, [u8; 4]>> {
        let level = self.level_of(bytes);
        let first = level.color_sets().next()?.colors;
        (!first.is_empty() && first.len() == level.positions().len()).then(|| Column::of_records(first, 0))
    }

    fn triangle_count(&self, _: &[u8]) -> usize {
        to_usize(self.level.indices.span().count::<[Index; 3]>())
    }

    fn triangle(&self, bytes: &[u8], index: usize) -> Option<Triangle> {
        let level = self.level_of(bytes);
        let first = index.checked_mul(3)?;
        let [a, b, c] = level.indices().get(first..)?.first_chunk::<3>()?.map(|own| own.get());
        let material = to_u32(level.material_of(index).unwrap_or(0));
        Some(Triangle { vertices: [a, b, c], material, smoothing_groups: None })
    }

    fn element(&self, bytes: &[u8], section: &[u8], index: usize) -> Option<Element> {
        let is = |own: Section| own.as_bytes() == section;
        if [VERTICES, NORMALS, TANGENTS].into_iter().any(is) {
            return Some(Element::Point(index));
        }
        if [UVS, COLORS].into_iter().any(is) {
            return Some(Element::Vertex(index));
        }
        if is(INDICES) {
            return Some(Element::Triangle(index));
        }
        if is(BONES) {
            return Some(Element::Bone(index));
        }
        let influence = is(WEIGHTS).then(|| self.level_of(bytes).influences().get(index))??;
        usize::try_from(influence.vertex()).ok().map(Element::Point)
    }

    fn bones_place(&self, bytes: &[u8]) -> SectionStart {
        SectionStart { section: BONES, offset: self.into_view(bytes).bones_offset() }
    }

    fn each_influence(&self, bytes: &[u8], each: &mut dyn FnMut(i64, i64, f32)) {
        let bones = self.into_view(bytes).bone_count();
        for influence in self.level_of(bytes).influences() {
            // In other formats, an index equal to the number of bones means the model; here, it is invalid.
            let bone = if usize::from(influence.bone()) < bones { influence.bone().into() } else { -1 };
            each(influence.vertex().into(), bone, influence.weight());
        }
    }

    fn material<'a>(&self, bytes: &'a [u8], index: usize) -> Option<Text<'a>> {
        self.level_of(bytes).materials().nth(index).map(|material| material.name)
    }

    fn to_morphs<'a>(&self, bytes: &'a [u8]) -> Vec<MorphTarget<'a>> {
        let target = |Morph { name, deltas }: Morph<'a>| MorphTarget {
            name,
            points: Column::of_records(deltas, 24),
            positions: Column::of_records(deltas, 0),
            normals: Column::of_records(deltas, 12),
            stored: Change::NONE,
            change: Change::NONE,
        };
        self.level_of(bytes).morphs().map(target).collect()
    }

    fn to_attachments<'a>(&self, bytes: &'a [u8]) -> Vec<Attachment<'a>> {
        let (model, mut bones) = (self.into_view(bytes), BTreeMap::new());
        for (index, bone) in model.bones().enumerate() {
            bones.entry(bone.name.as_bytes().to_ascii_lowercase()).or_insert(index);
        }
        let is_mirrored = self.version() < 8;
        let attachment = |socket: Socket<'a>| {
            let [x, y, z] = socket.scale;
            // The writer negated y of the scale too.
            let scale = if is_mirrored { [x, -y, z] } else { [x, y, z] };
            let transform = Transform { translation: socket.position, rotation: socket.rotation, scale };
            let bone = bones.get(&socket.bone.as_bytes().to_ascii_lowercase()).copied();
            Attachment { name: socket.name, bone, transform }
        };
        model.sockets().map(attachment).collect()
    }

    fn next_level<'a>(&self, bytes: &'a [u8]) -> Option<Mesh<'a>> {
        Some(Mesh::new(bytes, &self.at_next_level(bytes)?))
    }

    fn level_name<'a>(&self, bytes: &'a [u8]) -> Option<Text<'a>> {
        Some(self.level_of(bytes).name()).filter(|_| self.version() >= 4)
    }
}
