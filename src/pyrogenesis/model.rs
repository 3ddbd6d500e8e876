//! What the model of all families takes from Pyrogenesis files: columns, conventions, prop points.

use alloc::vec::Vec;

use zerocopy::IntoBytes as _;

use super::pmd::{BIND_POSE, FACES, Pmd, VERTICES};
use super::psa::Psa;
use super::skin::SkinnedVertex;
use crate::bytes::{Column, Text, Vec2, Vec3, records};
use crate::model::{
    Attachment, Clip, Conventions, Element, IDENTITY, Keys, MeshSource, MorphTarget, NewClip, Rest, RotationRule,
    Skeleton, Space, Surface, Transform, Triangle, UvOrigin, Winding,
};
use crate::report::{Error, Place};

impl MeshSource for Pmd<'_> {
    fn conventions(&self) -> Conventions {
        let (winding, uv_origin) = (Winding::CounterClockwise, UvOrigin::Bottom);
        Conventions { space: Space::PYROGENESIS, winding, uv_origin }
    }

    fn skeleton(&self) -> Skeleton<'_> {
        Pmd::skeleton(self)
    }

    fn positions(&self) -> Column<'_, Vec3> {
        self.vertex_column(0)
    }

    fn normals(&self) -> Option<Column<'_, Vec3>> {
        Some(self.vertex_column(size_of::<Vec3>()))
    }

    fn vertex_count(&self) -> usize {
        self.vertices().len()
    }

    fn point_of(&self, vertex: usize) -> Option<usize> {
        (vertex < self.vertices().len()).then_some(vertex)
    }

    fn uv_set_count(&self) -> usize {
        Pmd::uv_set_count(self)
    }

    fn uvs(&self, set: usize) -> Option<Column<'_, Vec2>> {
        // Below the stride of a vertex, which the layout has proven.
        let offset = set.saturating_mul(size_of::<Vec2>()).saturating_add(size_of::<[Vec3; 2]>());
        (set < Pmd::uv_set_count(self)).then(|| self.vertex_column(offset))
    }

    fn colors(&self) -> Option<Column<'_, [u8; 4]>> {
        None
    }

    fn triangle_count(&self) -> usize {
        self.faces().len()
    }

    fn triangle(&self, index: usize) -> Option<Triangle> {
        let face = self.faces().get(index)?;
        Some(Triangle::new(face.vertices().map(Into::into), 0, None))
    }

    fn material(&self, _: usize) -> Option<Text<'_>> {
        None
    }

    fn surface(&self, _: usize) -> Surface {
        Surface::default()
    }

    fn element(&self, section: &[u8], index: usize) -> Option<Element> {
        let element = match section {
            own if own == VERTICES.as_bytes() => Element::Point,
            own if own == FACES.as_bytes() => Element::Triangle,
            own if own == BIND_POSE.as_bytes() => Element::Bone,
            _ => return None,
        };
        Some(element(index))
    }

    fn bones_place(&self) -> Place {
        Place { section: BIND_POSE, offset: self.offset_of(BIND_POSE) }
    }

    fn each_influence(&self, each: &mut dyn FnMut(i64, i64, f32)) {
        for (point, vertex) in (0..).zip(self.vertices()) {
            let blend = vertex.blend();
            for (bone, weight) in blend.influences() {
                // The engine ignores the weight of a lone bone.
                each(point, bone.into(), if blend.is_blended() { weight } else { 1.0 });
            }
        }
    }

    fn to_morphs(&self) -> Vec<MorphTarget<'_>> {
        Vec::new()
    }

    fn to_attachments(&self) -> Vec<Attachment<'_>> {
        let props = self.engine_props().map(|prop| {
            let transform = Transform::new(prop.transform.translation(), prop.transform.rotation());
            let bone = prop.transform.bone().map(usize::from).filter(|bone| *bone < self.bone_count());
            Attachment::new(prop.name, bone, transform)
        });
        props.collect()
    }

    fn to_rest(&self) -> Result<Option<Rest>, Error> {
        if !self.is_bind_relative() {
            return Ok(None);
        }
        let mut bind = alloc::vec![IDENTITY; self.bone_count()];
        let mut rest = alloc::vec![SkinnedVertex::default(); self.vertices().len()];
        self.to_model_space(&mut bind, &mut rest)?;
        Ok(Some(rest.into_iter().map(|vertex| (vertex.position, vertex.normal)).collect()))
    }
}

impl<'a> Psa<'a> {
    /// The animation as a clip. It blends as the others do, and rotations have unit length: [`pose`](Psa::pose) gives
    /// the bits of the engine. O(1).
    pub fn clip(&self) -> Clip<'a> {
        let new = NewClip {
            name: Some(self.name()).filter(|name| !name.as_bytes().is_empty()),
            skeleton: self.skeleton(),
            tracks: self.bone_count(),
            frames: self.frame_count(),
            rate: 1000.0 / f64::from(self.frame_length_ms()),
            space: Some(Space::PYROGENESIS),
            rule: RotationRule::AS_STORED,
        };
        Clip::new(&new, Keys::Short(records(self.states().as_bytes())), &[])
    }

    /// The clip of the file.
    pub fn clips(&self) -> impl Iterator<Item = Clip<'a>> + use<'a> {
        core::iter::once(self.clip())
    }
}
