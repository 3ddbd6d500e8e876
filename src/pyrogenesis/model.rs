//! The implementation of the model for Pyrogenesis files: columns, conventions, prop points.

use alloc::vec::Vec;

use super::pmd::{BIND_POSE, FACES, PmdLayout, VERTICES};
use super::psa::Psa;
use super::record::BoneState;
use super::skin::SkinnedVertex;
use crate::bytes::{Column, Vec2, Vec3, to_usize};
use crate::model::{
    Attachment, Clip, Conventions, Description, Element, IDENTITY, Keys, MeshSource, NewClip, Rest, RotationRule,
    Skeleton, Space, Transform, Triangle, UvOrigin, Winding,
};
use crate::report::{Error, SectionStart};

impl MeshSource for PmdLayout {
    fn conventions(&self) -> Conventions {
        let (winding, uv_origin) = (Winding::CounterClockwise, UvOrigin::Bottom);
        Conventions { space: Space::PYROGENESIS, winding, uv_origin }
    }

    fn skeleton<'a>(&self, bytes: &'a [u8]) -> Skeleton<'a> {
        self.into_view(bytes).skeleton()
    }

    fn positions<'a>(&self, bytes: &'a [u8]) -> Column<'a, Vec3> {
        self.into_view(bytes).vertex_column(0)
    }

    fn normals<'a>(&self, bytes: &'a [u8]) -> Option<Column<'a, Vec3>> {
        Some(self.into_view(bytes).vertex_column(size_of::<Vec3>()))
    }

    fn vertex_count(&self, bytes: &[u8]) -> usize {
        self.into_view(bytes).vertices().len()
    }

    fn point_of(&self, bytes: &[u8], vertex: usize) -> Option<usize> {
        (vertex < self.into_view(bytes).vertices().len()).then_some(vertex)
    }

    fn uv_set_count(&self) -> usize {
        to_usize(PmdLayout::uv_set_count(self).into())
    }

    fn uvs<'a>(&self, bytes: &'a [u8], set: usize) -> Option<Column<'a, Vec2>> {
        // Less than the stride of a vertex, which the layout has checked.
        let offset = set.saturating_mul(size_of::<Vec2>()).saturating_add(size_of::<[Vec3; 2]>());
        (set < MeshSource::uv_set_count(self)).then(|| self.into_view(bytes).vertex_column(offset))
    }

    fn triangle_count(&self, bytes: &[u8]) -> usize {
        self.into_view(bytes).faces().len()
    }

    fn triangle(&self, bytes: &[u8], index: usize) -> Option<Triangle> {
        let face = self.into_view(bytes).faces().get(index)?;
        Some(Triangle { vertices: face.vertices().map(Into::into), material: 0, smoothing_groups: None })
    }

    fn element(&self, _: &[u8], section: &[u8], index: usize) -> Option<Element> {
        let element = match section {
            own if own == VERTICES.as_bytes() => Element::Point,
            own if own == FACES.as_bytes() => Element::Triangle,
            own if own == BIND_POSE.as_bytes() => Element::Bone,
            _ => return None,
        };
        Some(element(index))
    }

    fn bones_place(&self, bytes: &[u8]) -> SectionStart {
        SectionStart { section: BIND_POSE, offset: self.into_view(bytes).offset_of(BIND_POSE) }
    }

    fn each_influence(&self, bytes: &[u8], each: &mut dyn FnMut(i64, i64, f32)) {
        for (point, vertex) in (0..).zip(self.into_view(bytes).vertices()) {
            let blend = vertex.blend();
            for (bone, weight) in blend.influences() {
                // The engine ignores the weight of a lone bone.
                each(point, bone.into(), if blend.is_blended() { weight } else { 1.0 });
            }
        }
    }

    fn to_attachments<'a>(&self, bytes: &'a [u8]) -> Vec<Attachment<'a>> {
        let pmd = self.into_view(bytes);
        let props = pmd.engine_props().map(|prop| {
            let transform = Transform::new(prop.transform.translation(), prop.transform.rotation());
            let bone = prop.transform.bone().map(usize::from).filter(|bone| *bone < pmd.bone_count());
            Attachment { name: prop.name, bone, transform }
        });
        props.collect()
    }

    fn to_rest(&self, bytes: &[u8]) -> Result<Option<Rest>, Error> {
        let pmd = self.into_view(bytes);
        if !pmd.is_bind_relative() {
            return Ok(None);
        }
        let mut bind = alloc::vec![IDENTITY; pmd.bone_count()];
        let mut rest = alloc::vec![SkinnedVertex::default(); pmd.vertices().len()];
        pmd.to_model_space(&mut bind, &mut rest)?;
        Ok(Some(rest.into_iter().map(|vertex| (vertex.position, vertex.normal)).collect()))
    }
}

impl<'a> Psa<'a> {
    /// The animation as a clip. It interpolates like all clips, with rotations of unit length; [`pose`](Psa::pose) returns the
    /// engine's exact bits. O(1).
    pub fn clip(&self) -> Clip<'a> {
        let new = NewClip {
            name: Some(self.name()).filter(|name| !name.as_bytes().is_empty()),
            skeleton: self.skeleton(),
            bones: &[],
            tracks: self.bone_count(),
            frames: self.frame_count(),
            rate: 1000.0 / f64::from(self.frame_length_ms()),
            space: Some(Space::PYROGENESIS),
            rule: RotationRule::AsStored,
        };
        Clip::new(&new, Keys::Rows(BoneState::rows(self.states(), self.bone_count())))
    }

    /// The clip of the file.
    pub fn clips(&self) -> impl Iterator<Item = Clip<'a>> + use<'a> {
        core::iter::once(self.clip())
    }
}
