//! The records of both formats as the bytes lie in the file: alignment 1, little-endian fields, accessors in native values.
//!
//! Layouts are those of the Pyrogenesis reference, sections 2 and 3. Views over whole files live in `psa` and `pmd`.

use zerocopy::little_endian::U16;
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

use crate::record::{Vec2, Vec3, Vec4};
use crate::text::Text;

/// A bone's place in one frame or in the bind pose: absolute in model space, no hierarchy. 28 bytes (section 2).
#[derive(Clone, Copy, Debug, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub struct BoneState {
    translation: Vec3,
    rotation: Vec4,
}

const _: () = assert!(size_of::<BoneState>() == 28 && align_of::<BoneState>() == 1);

impl BoneState {
    /// Translation in model space.
    #[inline]
    pub const fn translation(&self) -> [f32; 3] {
        self.translation.get()
    }

    /// Rotation in model space, x, y, z, w.
    #[inline]
    pub const fn rotation(&self) -> [f32; 4] {
        self.rotation.get()
    }
}

/// The bones that move a vertex: the last 20 bytes of it (section 3).
#[derive(Clone, Copy, Debug, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub struct Blend {
    bones: [u8; 4],
    weights: Vec4,
}

const _: () = assert!(size_of::<Blend>() == 20 && align_of::<Blend>() == 1);

/// The bone index that ends a vertex's influences, and that marks a prop point on the model itself.
pub const NO_BONE: u8 = 0xFF;

impl Blend {
    /// The four bone indices as stored; those from the first [`NO_BONE`] on mean nothing.
    #[inline]
    pub const fn bones(&self) -> [u8; 4] {
        self.bones
    }

    /// The four weights as stored; those of unused indices mean nothing.
    #[inline]
    pub const fn weights(&self) -> [f32; 4] {
        self.weights.get()
    }

    /// The influences as the engine reads them: bone index and weight, up to the first [`NO_BONE`]. An index equal to the number
    /// of bones is legal from version 3 on: the vertex moves with the model and with no bone.
    #[inline]
    pub fn influences(&self) -> impl Iterator<Item = (u8, f32)> + use<> {
        self.bones().into_iter().zip(self.weights()).take_while(|(bone, _)| *bone != NO_BONE)
    }

    /// Whether the second bone is one, by which the engine tells that several bones move the vertex and normalises its normal.
    #[inline]
    pub const fn is_blended(&self) -> bool {
        let [_, second, _, _] = self.bones;
        second != NO_BONE
    }
}

/// A vertex with `U` UV sets, 44 + 8 U bytes (section 3).
#[derive(Clone, Copy, Debug, FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub struct Vertex<const U: usize> {
    position: Vec3,
    normal: Vec3,
    uvs: [Vec2; U],
    blend: Blend,
}

const _: () = assert!(size_of::<Vertex<0>>() == 44 && size_of::<Vertex<3>>() == 68 && align_of::<Vertex<1>>() == 1);

impl<const U: usize> Vertex<U> {
    /// Position: in model space from version 3 on, before that relative to the bind pose.
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

/// The first 24 bytes of a vertex, which come before its UVs.
#[derive(Clone, Copy, Debug, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub(super) struct VertexHead {
    pub(super) position: Vec3,
    pub(super) normal: Vec3,
}

/// A triangle: three vertex indices, 6 bytes (section 3).
#[derive(Clone, Copy, Debug, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(transparent)]
pub struct Triangle([U16; 3]);

const _: () = assert!(size_of::<Triangle>() == 6 && align_of::<Triangle>() == 1);

impl Triangle {
    /// The vertex indices in file order.
    #[inline]
    pub const fn vertices(&self) -> [u16; 3] {
        let [a, b, c] = &self.0;
        [a.get(), b.get(), c.get()]
    }
}

/// Where a prop point sits, the 29 bytes after its name (section 3).
#[derive(Clone, Copy, Debug, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub struct PropTransform {
    position: Vec3,
    rotation: Vec4,
    bone: u8,
}

const _: () = assert!(size_of::<PropTransform>() == 29 && align_of::<PropTransform>() == 1);

impl PropTransform {
    /// Of a prop point at the model's origin: what the engine appends to old files under the name `root`.
    pub(super) const ORIGIN: Self =
        Self { position: Vec3::new([0.0; 3]), rotation: Vec4::new([0.0, 0.0, 0.0, 1.0]), bone: NO_BONE };

    /// Position relative to the bone, or to the model.
    pub const fn position(&self) -> [f32; 3] {
        self.position.get()
    }

    /// Rotation relative to the bone, or to the model: x, y, z, w.
    pub const fn rotation(&self) -> [f32; 4] {
        self.rotation.get()
    }

    /// The bone it hangs on; `None` for the model itself (stored as [`NO_BONE`]).
    pub const fn bone(&self) -> Option<u8> {
        if self.bone == NO_BONE { None } else { Some(self.bone) }
    }
}

/// A prop point: where the engine hangs swords, riders and flags.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct PropPoint<'a> {
    /// The name; case matters. Not unique in some files.
    pub name: Text<'a>,
    /// Where it sits.
    pub transform: &'a PropTransform,
}
