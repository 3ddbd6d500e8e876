//! The implementation of the model for ActorX files: columns, conventions, sockets.

use alloc::{collections::BTreeMap, vec::Vec};

use super::layout::PskLayout;
use super::psa::Psa;
use super::psk::Morph;
use super::record::{AnimKey, Bone, MorphDelta, Socket, Wedge};
use super::sequence::Sequence;
use super::space::{mirrored, mirrored_rotation};
use crate::bytes::{Column, Text, Vec2, Vec3};
use crate::model::maths::{cos, sin};
use crate::model::{
    Alpha, Attachment, Change, Clip, Conventions, Description, Element, Keys, MeshSource, MorphTarget, NewClip,
    RotationRule, Skeleton, Space, Surface, Transform, Triangle, UvOrigin, Winding,
};
use crate::report::SectionStart;

impl MeshSource for PskLayout {
    fn conventions(&self) -> Conventions {
        Conventions { space: Space::ACTORX, winding: Winding::Clockwise, uv_origin: UvOrigin::Top }
    }

    fn skeleton<'a>(&self, bytes: &'a [u8]) -> Skeleton<'a> {
        self.into_view(bytes).skeleton()
    }

    fn positions<'a>(&self, bytes: &'a [u8]) -> Column<'a, Vec3> {
        Column::of_records(self.into_view(bytes).points(), 0)
    }

    fn normals<'a>(&self, bytes: &'a [u8]) -> Option<Column<'a, Vec3>> {
        let normals = self.into_view(bytes).normals();
        (!normals.is_empty()).then(|| Column::of_records(normals, 0))
    }

    fn vertex_count(&self, bytes: &[u8]) -> usize {
        self.into_view(bytes).wedges().len()
    }

    fn point_of(&self, bytes: &[u8], vertex: usize) -> Option<usize> {
        let psk = self.into_view(bytes);
        usize::try_from(psk.point_index(psk.wedges().get(vertex)?)).ok()
    }

    fn uv_set_count(&self) -> usize {
        PskLayout::uv_set_count(self)
    }

    fn uvs<'a>(&self, bytes: &'a [u8], set: usize) -> Option<Column<'a, Vec2>> {
        match set.checked_sub(1) {
            None => Some(Wedge::uvs(self.into_view(bytes).wedges())),
            Some(extra) => self.into_view(bytes).extra_uv_sets().nth(extra).map(|uvs| Column::of_records(uvs, 0)),
        }
    }

    fn colors<'a>(&self, bytes: &'a [u8]) -> Option<Column<'a, [u8; 4]>> {
        let colors = self.into_view(bytes).colors();
        (!colors.is_empty()).then(|| Column::of_records(colors, 0))
    }

    fn triangle_count(&self, bytes: &[u8]) -> usize {
        self.into_view(bytes).faces().len()
    }

    fn triangle(&self, bytes: &[u8], index: usize) -> Option<Triangle> {
        let face = self.into_view(bytes).faces().get(index)?;
        let (material, smoothing_groups) = (face.material.into(), Some(face.smoothing_groups));
        Some(Triangle { vertices: face.wedges, material, smoothing_groups })
    }

    fn material<'a>(&self, bytes: &'a [u8], index: usize) -> Option<Text<'a>> {
        self.into_view(bytes).materials().get(index).map(|material| material.name().text())
    }

    fn surface(&self, bytes: &[u8], index: usize) -> Surface {
        // The low four bits are the type of the triangles (ActorX reference, section 3.5).
        let kind = self.into_view(bytes).materials().get(index).map_or(0, |material| material.poly_flags() & 0xF);
        let alpha = match kind {
            2 => Alpha::Blended,
            3 => Alpha::Masked,
            _ => Alpha::Opaque,
        };
        Surface { is_two_sided: matches!(kind, 1..=4), alpha }
    }

    fn element(&self, bytes: &[u8], section: &[u8], index: usize) -> Option<Element> {
        match section {
            b"PNTS0000" | b"VTXNORMS" | b"VTXTANGS" => Some(Element::Point(index)),
            b"VTXW0000" | b"VERTEXCOLOR" => Some(Element::Vertex(index)),
            b"FACE0000" | b"FACE3200" => Some(Element::Triangle(index)),
            b"REFSKELT" | b"REFSKEL0" => Some(Element::Bone(index)),
            b"RAWWEIGHTS" | b"RAWW0000" => {
                usize::try_from(self.into_view(bytes).influences().get(index)?.point_index()).ok().map(Element::Point)
            }
            _ => None,
        }
    }

    fn bones_place(&self, bytes: &[u8]) -> SectionStart {
        self.into_view(bytes).place("REFSKELT")
    }

    fn each_influence(&self, bytes: &[u8], each: &mut dyn FnMut(i64, i64, f32)) {
        let psk = self.into_view(bytes);
        for influence in psk.influences() {
            // In other formats, an index equal to the number of bones means the model; here, it is invalid.
            let bone = usize::try_from(influence.bone_index()).ok().filter(|bone| *bone < psk.bone_count());
            let bone = bone.and_then(|bone| i64::try_from(bone).ok()).unwrap_or(-1);
            each(influence.point_index().into(), bone, influence.weight());
        }
    }

    fn to_morphs<'a>(&self, bytes: &'a [u8]) -> Vec<MorphTarget<'a>> {
        let morphs = self.into_view(bytes).morphs().map(|Morph { info, deltas }| {
            let (positions, normals, points) = MorphDelta::columns(deltas);
            MorphTarget {
                name: info.name().text(),
                points,
                positions,
                normals,
                // Deltas are in Unreal's space (ActorX reference, section 5).
                stored: Space::UNREAL.change_to(&Space::ACTORX),
                change: Change::NONE,
            }
        });
        morphs.collect()
    }

    fn to_attachments<'a>(&self, bytes: &'a [u8]) -> Vec<Attachment<'a>> {
        let (psk, mut bones) = (self.into_view(bytes), BTreeMap::new());
        for (index, bone) in psk.bones().iter().enumerate() {
            bones.entry(bone.name().key().to_ascii_lowercase()).or_insert(index);
        }
        let attachment = |socket: &'a Socket| {
            let transform = Transform {
                translation: mirrored(socket.location()),
                rotation: mirrored_rotation(rotation_of(socket.pitch_yaw_roll())),
                scale: socket.scale(),
            };
            let bone = bones.get(&socket.bone_name().key().to_ascii_lowercase()).copied();
            Attachment { name: socket.name().text(), bone, transform }
        };
        psk.sockets().iter().map(attachment).collect()
    }
}

impl<'a> Psa<'a> {
    /// The sequences as clips, in file order. O(sequences) for the first, then O(1) each.
    pub fn clips(&self) -> impl Iterator<Item = Clip<'a>> + use<'a> {
        self.sequences().map(|sequence| sequence.clip())
    }
}

impl<'a> Sequence<'a> {
    /// The sequence as a clip, with rotations of a column-vector chain. O(1).
    pub fn clip(&self) -> Clip<'a> {
        let new = NewClip {
            name: Some(self.name()),
            skeleton: Bone::skeleton(self.bones),
            bones: &[],
            tracks: self.bone_count(),
            frames: self.frame_count(),
            rate: self.info().rate().into(),
            space: Some(Space::ACTORX),
            rule: RotationRule::ConjugatedFrom(1),
        };
        Clip::new(&new, Keys::Rows(AnimKey::rows(self.keys(), self.scale_keys(), self.bone_count())))
    }
}

/// The quaternion of Unreal's pitch, yaw and roll in degrees, in Unreal's space: first roll about x, then pitch about y, then
/// yaw about z. Positive pitch raises x, positive roll lowers y.
fn rotation_of(degrees: [f32; 3]) -> [f32; 4] {
    let [[sp, cp], [sy, cy], [sr, cr]] =
        degrees.map(|angle| [sin(angle.to_radians() / 2.0), cos(angle.to_radians() / 2.0)]);
    [
        cr * sp * sy - sr * cp * cy,
        -cr * sp * cy - sr * cp * sy,
        cr * cp * sy - sr * sp * cy,
        cr * cp * cy + sr * sp * sy,
    ]
}
