//! The records of both formats as stored: alignment 1, native accessors (Pyrogenesis reference, sections 2 and 3).

#![allow(missing_debug_implementations, reason = "the derive of `Pod` makes types beside the twins")]

use core::mem::offset_of;

use zerocopy::little_endian::U16;
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

use crate::bytes::{Column, Text, Vec2, Vec3, Vec4, record, value};
use crate::model::{Grid, Relative, RotationRule, Rows, Skeleton};

record! {
    /// The state of a bone in a frame or in the bind pose: in model space, without hierarchy. 28 bytes (Pyrogenesis
    /// reference, section 2).
    pub struct BoneState[28] as BoneStateNative {
        /// Translation in model space.
        translation: Vec3 => with_translation,
        /// Rotation in model space, x, y, z, w.
        rotation: Vec4 => with_rotation,
    }
}

impl BoneState {
    /// The translations and rotations of states, frame after frame.
    pub(super) fn rows(states: &[Self], bones: usize) -> Rows<'_> {
        let translations = Grid::of_records(states, bones, offset_of!(Self, translation));
        let rotations = Grid::of_records(states, bones, offset_of!(Self, rotation));
        Rows { translations: Some(translations), rotations: Some(rotations), scales: None }
    }

    /// The skeleton with this bind pose.
    pub(super) fn skeleton(bones: &[Self]) -> Skeleton<'_> {
        let (translations, rotations) = (offset_of!(Self, translation), offset_of!(Self, rotation));
        let (translations, rotations) = (Column::of_records(bones, translations), Column::of_records(bones, rotations));
        Skeleton::of_count(bones.len(), Relative::Model).with_bind(translations, rotations, RotationRule::AsStored)
    }
}

record! {
    /// The bones that move a vertex, and their weights: the last 20 bytes of a vertex (Pyrogenesis reference, section
    /// 3).
    pub struct Blend[20] {
        /// The four bone indices as stored. The first [`NO_BONE`] ends the list; the rest is undefined.
        bones: u8x4 => with_bones,
        /// The four weights as stored. Weights without a bone are undefined.
        weights: Vec4 => with_weights,
    }
}

/// The bone index after the last influence of a vertex; for a prop point, the index of the model.
pub const NO_BONE: u8 = 0xFF;

impl Blend {
    /// The influences: bone index and weight, up to the first [`NO_BONE`]. An index equal to the number of bones means the
    /// model; it is valid from version 3 on.
    #[inline]
    pub fn influences(&self) -> impl Iterator<Item = (u8, f32)> + use<> {
        self.bones().into_iter().zip(self.weights()).take_while(|(bone, _)| *bone != NO_BONE)
    }

    /// Whether a second bone exists. The engine then normalises the normal.
    #[inline]
    pub const fn is_blended(&self) -> bool {
        let [_, second, _, _] = self.bones;
        second != NO_BONE
    }
}

/// A vertex with `U` UV sets, 44 + 8 U bytes (section 3).
#[derive(Clone, Copy, Debug, FromBytes, Immutable, KnownLayout, Unaligned, IntoBytes)]
#[repr(C)]
pub struct Vertex<const U: usize> {
    position: Vec3,
    normal: Vec3,
    uvs: [Vec2; U],
    blend: Blend,
}

const _: () = assert!(size_of::<Vertex<0>>() == 44 && size_of::<Vertex<3>>() == 68 && align_of::<Vertex<1>>() == 1);

impl<const U: usize> Vertex<U> {
    /// The vertex as it is stored.
    pub fn new(position: [f32; 3], normal: [f32; 3], uvs: [[f32; 2]; U], blend: Blend) -> Self {
        Self { position: Vec3::new(position), normal: Vec3::new(normal), uvs: uvs.map(Vec2::new), blend }
    }

    /// Position: in model space; in versions 1 and 2 with bones relative to the bind pose.
    #[inline]
    pub const fn position(&self) -> [f32; 3] {
        self.position.get()
    }

    /// Normal, in the same space as the position.
    #[inline]
    pub const fn normal(&self) -> [f32; 3] {
        self.normal.get()
    }

    /// Texture coordinates, one for each UV set; v counts from the bottom.
    #[inline]
    pub const fn uvs(&self) -> &[Vec2; U] {
        &self.uvs
    }

    /// The bones that move the vertex.
    #[inline]
    pub const fn blend(&self) -> &Blend {
        &self.blend
    }
}

record! {
    /// The first 24 bytes of a vertex, before the UVs.
    pub(super) struct VertexHead[24] {
        /// Position.
        position: Vec3,
        /// Normal.
        normal: Vec3,
    }
}

value! {
    /// A triangle: three vertex indices, 6 bytes (section 3).
    Triangle([U16; 3]) as [u16; 3],
    /// The vertex indices in file order.
    vertices = |[a, b, c]| [a.get(), b.get(), c.get()]
}

impl Triangle {
    /// The triangle as it is stored.
    pub const fn new([a, b, c]: [u16; 3]) -> Self {
        Self([U16::new(a), U16::new(b), U16::new(c)])
    }
}

record! {
    /// The transform of a prop point, the 29 bytes after its name (Pyrogenesis reference, section 3).
    pub struct PropTransform[29] {
        /// Translation relative to the bone, or to the model.
        translation: Vec3 => with_translation,
        /// Rotation relative to the bone, or to the model: x, y, z, w.
        rotation: Vec4 => with_rotation,
        /// The index of the bone as stored; [`NO_BONE`] for the model itself.
        bone_index: u8 => with_bone_index,
    }
}

impl PropTransform {
    /// The transform of `root`, which the engine appends to old files: the origin of the model.
    pub(super) const ORIGIN: Self =
        Self { translation: Vec3::new([0.0; 3]), rotation: Vec4::new([0.0, 0.0, 0.0, 1.0]), bone_index: NO_BONE };

    /// The bone that the prop point follows; `None` for the model itself.
    pub const fn bone(&self) -> Option<u8> {
        if self.bone_index == NO_BONE { None } else { Some(self.bone_index) }
    }
}

/// Declares the aligned twins of vertices. `Pod` cannot be derived for a generic number of UV sets.
#[cfg(feature = "bytemuck")]
macro_rules! vertex_twins {
    ($($native:ident, $uv_sets:literal;)+) => {$(
        #[doc = concat!("The aligned twin of [`Vertex`] with ", $uv_sets, " UV set(s): the same bytes on a little-endian host.")]
        #[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
        #[repr(C)]
        pub struct $native {
            /// Position.
            pub position: [f32; 3],
            /// Normal.
            pub normal: [f32; 3],
            /// Texture coordinates, one for each UV set; v counts from the bottom.
            pub uvs: [[f32; 2]; $uv_sets],
            /// The four bone indices. The first [`NO_BONE`] ends the list; the rest is undefined.
            pub bones: [u8; 4],
            /// The four weights.
            pub weights: [f32; 4],
        }

        impl From<Vertex<$uv_sets>> for $native {
            fn from(vertex: Vertex<$uv_sets>) -> Self {
                let (bones, weights) = (vertex.blend.bones(), vertex.blend.weights());
                let (position, normal, uvs) = (vertex.position(), vertex.normal(), vertex.uvs.map(|uv| uv.get()));
                Self { position, normal, uvs, bones, weights }
            }
        }

        impl crate::bytes::native::Twin for Vertex<$uv_sets> {
            type Native = $native;
        }
    )+};
}
#[cfg(feature = "bytemuck")]
vertex_twins! {
    Vertex1Native, 1;
    Vertex2Native, 2;
    Vertex3Native, 3;
}

/// A prop point: the engine attaches other models to it, such as a sword or a rider.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct PropPoint<'a> {
    /// The name; case matters. Not always unique.
    pub name: Text<'a>,
    /// The transform, relative to a bone or to the model.
    pub transform: &'a PropTransform,
}
