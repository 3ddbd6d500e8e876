//! One struct per chunk: alignment 1, little-endian fields, native accessors (ActorX reference, sections 3 and 4).

#![allow(missing_debug_implementations, reason = "the derive of `Pod` makes types beside the twins")]

use core::mem::offset_of;

use zerocopy::little_endian::I32;

use crate::bytes::{Column, Name, Texts, Vec2, Vec3, Vec4, record, value};
use crate::model::{Grid, Relative, RotationRule, Rows, Skeleton};

/// A position, in file units. Chunk `PNTS0000`, 12 bytes (ActorX reference, section 3.1).
pub type Point = Vec3;
/// A vertex normal, one per point. Chunk `VTXNORMS`, 12 bytes (section 3.10).
pub type Normal = Vec3;
/// A vertex tangent, one per point. Chunk `VTXTANGS`, 16 bytes (section 3.10).
pub type Tangent = Vec4;
/// A texture coordinate of an extra UV set, one per wedge. Chunks `EXTRAUVS<n>`, `EXTRAUV<n>`, 8 bytes (section 3.9).
pub type Uv = Vec2;

record! {
    /// A corner of faces: a point and its texture coordinate. Chunk `VTXW0000`, 16 bytes (ActorX reference, section
    /// 3.2).
    ///
    /// The number of **points** decides whether the point index has 16 or 32 bits: see
    /// [`Psk::point_index`](super::Psk::point_index).
    pub struct Wedge[16] as WedgeNative {
        /// All 32 bits of the point index. With at most 65,536 points the high half may be garbage.
        point_index_32: U32 => with_point_index_32,
        /// Texture coordinate u, v of the first UV set; v counts from the top.
        uv: Vec2 => with_uv,
        /// The wedge's material index. The face's index is authoritative (section 3.5).
        material: u8 => with_material,
        /// A reserved byte, 0 in all known files.
        reserved: u8,
        /// The last two bytes, which may hold garbage.
        padding: U16,
    }
}

impl Wedge {
    /// The texture coordinates of wedges.
    pub(super) fn uvs(wedges: &[Self]) -> Column<'_, Vec2> {
        Column::of_records(wedges, offset_of!(Self, uv))
    }

    /// The low 16 bits of the point index: the whole index of a mesh with at most 65,536 points.
    #[inline]
    pub const fn point_index_16(&self) -> u16 {
        let [a, b, _, _] = self.point_index_32().to_le_bytes();
        u16::from_le_bytes([a, b])
    }

    /// The high 16 bits of the point index; padding in a mesh with at most 65,536 points.
    #[inline]
    pub const fn point_index_high(&self) -> u16 {
        let [_, _, c, d] = self.point_index_32().to_le_bytes();
        u16::from_le_bytes([c, d])
    }
}

/// A triangle of either width, in native values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Face {
    /// Wedge indices in file order: clockwise seen from outside (see [`space`](super::space)).
    pub wedges: [u32; 3],
    /// Material index. May be out of range in damaged files.
    pub material: u8,
    /// A second material index, unused; garbage in old files.
    pub aux_material: u8,
    /// A bit mask: faces with a common bit are smooth across their edge. Some writers always store 1.
    pub smoothing_groups: u32,
}

/// Declares a record of faces with wedge indices of one width.
macro_rules! face {
    ($(#[$doc:meta])* $name:ident[$size:literal] $(as $native:ident)?, $wedges:ident) => {
        record! {
            $(#[$doc])*
            pub struct $name[$size] $(as $native)? {
                /// Wedge indices in file order: clockwise seen from outside (see [`space`](super::space)).
                wedges: $wedges => with_wedges,
                /// Material index. Out of range in damaged files.
                material: u8 => with_material,
                /// A second material index, unused; garbage in old files.
                aux_material: u8,
                /// A bit mask: faces with a common bit are smooth across their edge. Some writers always store 1.
                smoothing_groups: U32 => with_smoothing_groups,
            }
        }

        impl $name {
            /// The face in native values.
            #[inline]
            pub fn get(&self) -> Face {
                let (material, aux_material, smoothing_groups) =
                    (self.material(), self.aux_material(), self.smoothing_groups());
                Face { wedges: self.wedges().map(Into::into), material, aux_material, smoothing_groups }
            }
        }
    };
}

face! {
    /// A triangle with 16-bit wedge indices. Chunk `FACE0000`, 12 bytes (ActorX reference, section 3.3).
    Face16[12] as Face16Native, U16x3
}
face! {
    /// A triangle with 32-bit wedge indices. Chunk `FACE3200`, 18 bytes without padding (ActorX reference, section
    /// 3.4).
    Face32[18], U32x3
}

record! {
    /// A material slot. Chunk `MATT0000`, 88 bytes (ActorX reference, section 3.5). Names are not unique.
    pub struct Material[88] {
        /// The material's name.
        name: Name64 => with_name,
        /// Usually the slot's own index.
        texture_index: I32 => with_texture_index,
        /// Flags of the old engine: the low four bits a type (1 two-sided, 2 translucent, 3 masked, 4 modulate, 8
        /// placeholder), then 0x10 unlit, 0x20 flat, 0x40 environment, 0x80 no smoothing.
        poly_flags: U32 => with_poly_flags,
        /// A second material, unused.
        aux_material: I32,
        /// Further flags, unused.
        aux_flags: U32,
        /// Level-of-detail bias.
        lod_bias: I32,
        /// Level-of-detail style.
        lod_style: I32,
    }
}

record! {
    /// A bone with its bind pose. Chunks `REFSKELT` and `BONENAMES`, 120 bytes (ActorX reference, section 3.6).
    ///
    /// Only the name is reliable in an animation: some writers leave hierarchy and pose at zero (section 4).
    pub struct Bone[120] {
        /// The bone's name. Not unique in some files.
        name: Name64 => with_name,
        /// Flags, 0 in all known files.
        flags: U32,
        /// Number of children as stored; some writers leave 0.
        child_count: I32 => with_child_count,
        /// Parent as stored: 0 or -1 for the root. See [`Skeleton`].
        parent_index: I32 => with_parent_index,
        /// Rotation relative to the parent, x, y, z, w as stored; see
        /// [`space::local_rotation`](super::space::local_rotation).
        rotation: Vec4 => with_rotation,
        /// Translation relative to the parent, in file units.
        translation: Vec3 => with_translation,
        /// Length as stored: 0 in meshes, 1 in animations of common writers. No known reader uses it.
        length: F32,
        /// Size of the bone; the scale from CUE4Parse.
        size: Vec3,
    }
}

impl Bone {
    /// The skeleton of a file's bones.
    pub(super) fn skeleton(bones: &[Self]) -> Skeleton<'_> {
        let translations = Column::of_records(bones, offset_of!(Self, translation));
        let rotations = Column::of_records(bones, offset_of!(Self, rotation));
        let names: Column<'_, Name<64>> = Column::of_records(bones, offset_of!(Self, name));
        let parents = Column::of_records(bones, offset_of!(Self, parent_index));
        Skeleton::of_count(bones.len(), Relative::Parent).with_names(Texts::of(&names), parents).with_bind(
            translations,
            rotations,
            // Bone 0 is stored unchanged, every other bone as the conjugate (ActorX reference, section 5).
            RotationRule::ConjugatedFrom(1),
        )
    }
}

record! {
    /// The influence of a bone on a point. Chunk `RAWWEIGHTS`, 12 bytes, in no particular order (ActorX reference, section
    /// 3.7).
    pub struct Influence[12] as InfluenceNative {
        /// The weight, 0 to 1. A point's weights usually sum to one, but this is not required.
        weight: F32 => with_weight,
        /// Index of the **point** (not the wedge).
        point_index: I32 => with_point_index,
        /// Index of the bone.
        bone_index: I32 => with_bone_index,
    }
}

value! {
    /// A vertex colour, one per wedge. Chunk `VERTEXCOLOR`, 4 bytes (ActorX reference, section 3.8).
    ///
    /// Nearly all writers store red, green, blue, alpha. Epic's own exporters store blue first; no field distinguishes them.
    #[derive(PartialEq, Eq, Hash)]
    Color([u8; 4]) as [u8; 4],
    /// Red, green, blue, alpha, as nearly all writers store them.
    rgba = |rgba| *rgba
}

impl Color {
    /// The colour as nearly all writers store it: red, green, blue, alpha.
    pub const fn new(rgba: [u8; 4]) -> Self {
        Self(rgba)
    }

    /// Red, green, blue, alpha in a file from Epic's exporters for Max or Maya, which store blue first.
    #[inline]
    pub const fn rgba_from_epic(self) -> [u8; 4] {
        let [b, g, r, a] = self.0;
        [r, g, b, a]
    }
}

record! {
    /// A morph target's name and number of deltas. Chunk `MRPHINFO`, 68 bytes (ActorX reference, section 3.11).
    pub struct MorphInfo[68] {
        /// The morph target's name.
        name: Name64 => with_name,
        /// Number of deltas as stored; they follow those of the targets before it.
        vertex_count: I32 => with_vertex_count,
    }
}

record! {
    /// The offset of one point in a morph target. Chunk `MRPHDATA`, 28 bytes (ActorX reference, section 3.11).
    ///
    /// These vectors are **not** mirrored in y, unlike all others in a mesh.
    pub struct MorphDelta[28] as MorphDeltaNative {
        /// Offset of the point's position, in file units, y not mirrored.
        position: Vec3 => with_position,
        /// Offset of the normal, y not mirrored.
        tangent_z: Vec3 => with_tangent_z,
        /// Index of the point.
        point_index: I32 => with_point_index,
    }
}

impl MorphDelta {
    /// The columns of deltas: positions, normals and points.
    pub(super) fn columns(deltas: &[Self]) -> (Column<'_, Vec3>, Column<'_, Vec3>, Column<'_, I32>) {
        let vectors = |offset| Column::of_records(deltas, offset);
        let points = Column::of_records(deltas, offset_of!(Self, point_index));
        (vectors(offset_of!(Self, position)), vectors(offset_of!(Self, tangent_z)), points)
    }
}

record! {
    /// An attachment socket. Chunk `SKELSOCK`, 164 bytes (ActorX reference, section 3.12). Not mirrored.
    pub struct Socket[164] {
        /// The socket's name.
        name: Name64,
        /// Name of the bone; empty for static meshes.
        bone_name: Name64 => with_bone_name,
        /// Location relative to the bone, in file units.
        location: Vec3 => with_location,
        /// Pitch relative to the bone, in degrees.
        pitch: F32,
        /// Yaw relative to the bone, in degrees.
        yaw: F32,
        /// Roll relative to the bone, in degrees.
        roll: F32,
        /// Scale relative to the bone.
        scale: Vec3,
    }
}

impl Socket {
    /// Pitch, yaw and roll relative to the bone, in degrees.
    pub const fn pitch_yaw_roll(&self) -> [f32; 3] {
        [self.pitch(), self.yaw(), self.roll()]
    }
}

record! {
    /// A sequence's entry in an animation. Chunk `ANIMINFO`, 168 bytes (ActorX reference, section 4.1).
    ///
    /// As stored. See [`Sequence`](super::Sequence).
    pub struct AnimInfo[168] {
        /// The sequence's name.
        name: Name64 => with_name,
        /// The group's name, `None` in all known files.
        group: Name64 => with_group,
        /// Number of bones as stored. The bone chunk is authoritative.
        total_bones: I32 => with_total_bones,
        /// 1 for a sequence with scale keys, by Epic's convention; any number from other writers.
        root_include: I32,
        /// Key compression, 0.
        key_compression_style: I32,
        /// Number of keys as stored: frames times bones.
        key_quotum: I32 => with_key_quotum,
        /// Key reduction, 0 or 1.
        key_reduction: F32 => with_key_reduction,
        /// Frames or seconds, depending on the writer; see [`Sequence::duration`](super::Sequence::duration).
        track_time: F32 => with_track_time,
        /// Frames per second.
        rate: F32 => with_rate,
        /// First bone, 0.
        start_bone: I32,
        /// First frame as stored; see [`Sequence::first_frame`](super::Sequence::first_frame).
        first_raw_frame: I32 => with_first_raw_frame,
        /// Number of frames as stored.
        raw_frame_count: I32 => with_raw_frame_count,
    }
}

impl AnimInfo {
    /// Number of frames; 0 for a negative number.
    #[inline]
    pub fn frames(&self) -> u32 {
        u32::try_from(self.raw_frame_count()).unwrap_or(0)
    }

    /// The stored rate, if it is a positive number.
    pub(super) fn frames_per_second(&self) -> Option<f64> {
        let rate = self.rate();
        (rate.is_finite() && rate > 0.0).then(|| f64::from(rate))
    }

    /// The duration of `frames` frames in seconds; `None` if the rate is not positive.
    #[expect(clippy::cast_precision_loss, clippy::as_conversions, reason = "no file has 2^53 frames")]
    pub(super) fn duration_of(&self, frames: u64) -> Option<f64> {
        Some(frames as f64 / self.frames_per_second()?)
    }
}

record! {
    /// One bone in one frame. Chunk `ANIMKEYS`, 32 bytes, frame after frame (ActorX reference, section 4.2).
    pub struct AnimKey[32] as AnimKeyNative {
        /// Translation relative to the parent bone, in file units.
        translation: Vec3 => with_translation,
        /// Rotation relative to the parent bone, x, y, z, w as stored: of all bones but the first, the conjugate of the rotation of a column-vector
        /// chain, which [`Clip::sample`](crate::model::Clip::sample) gives; see [`space`](super::space).
        rotation: Vec4 => with_rotation,
        /// Time as stored. Writers disagree: 1, the seconds of one frame, or the seconds since the start of the sequence.
        /// The rate of the sequence gives the time of a key.
        time: F32 => with_time,
    }
}

impl AnimKey {
    /// The translations, rotations and scales of keys, frame after frame.
    pub(super) fn rows<'a>(keys: &'a [Self], scale_keys: &'a [ScaleKey], bones: usize) -> Rows<'a> {
        Rows {
            translations: Some(Grid::of_records(keys, bones, offset_of!(Self, translation))),
            rotations: Some(Grid::of_records(keys, bones, offset_of!(Self, rotation))),
            scales: Some(Grid::of_records(scale_keys, bones, offset_of!(ScaleKey, scale))),
        }
    }
}

record! {
    /// One bone's scale in one frame. Chunk `SCALEKEYS`, 16 bytes (ActorX reference, section 4.3).
    pub struct ScaleKey[16] as ScaleKeyNative {
        /// Scale along x, y and z.
        scale: Vec3 => with_scale,
        /// Time as stored, without meaning.
        time: F32 => with_time,
    }
}
