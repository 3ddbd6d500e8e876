//! Aligned native twins of the bulk records, for GPU upload and maths crates that want `Pod` types.
//!
//! A twin has the same bytes as its record but native, aligned fields. [`as_native`] views records as twins without a copy where
//! the host is little-endian and the bytes happen to be aligned; it never panics and never copies.
//!
//! ```
//! use skelmap::actorx::{Psa, native};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let bytes = std::fs::read("corpus/actorx/anim/classic.psa")?;
//! let animation = Psa::parse(&bytes)?;
//! if let Some(keys) = native::as_native(animation.keys()) {
//!     let upload: &[u8] = bytemuck::cast_slice(keys);
//!     assert_eq!(upload.len(), animation.keys().len() * 32);
//! }
//! # Ok(())
//! # }
//! ```

use bytemuck::{Pod, Zeroable};
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout};

use super::record;
use crate::record::{Vec2, Vec3, Vec4};

/// A bulk record that has an aligned native twin of the same size.
pub trait Record: IntoBytes + Immutable + Sized {
    /// The twin.
    type Native: Pod + FromBytes + Immutable + KnownLayout;
}

/// Records as their native twins, in place: `None` on a big-endian host or where the bytes are not aligned. O(1), no copy.
pub fn as_native<R: Record>(records: &[R]) -> Option<&[R::Native]> {
    const { assert!(size_of::<R>() == size_of::<R::Native>()) };
    if cfg!(target_endian = "big") {
        return None;
    }
    <[R::Native]>::ref_from_bytes(records.as_bytes()).ok()
}

/// Twin of [`Wedge`](record::Wedge). The point index is all 32 bits; see [`Psk::point_index`](super::Psk::point_index).
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable, FromBytes, Immutable, KnownLayout)]
#[repr(C)]
pub struct Wedge {
    /// All 32 bits of the point index, of which the high half may be garbage.
    pub point_index: u32,
    /// Texture coordinate, v from the top.
    pub uv: [f32; 2],
    /// Material index.
    pub material: u8,
    /// Reserved, 0.
    pub reserved: u8,
    /// May hold garbage.
    pub padding: u16,
}

/// Twin of [`Face16`](record::Face16).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable, FromBytes, Immutable, KnownLayout)]
#[repr(C)]
pub struct Face16 {
    /// Wedge indices.
    pub wedges: [u16; 3],
    /// Material index.
    pub material: u8,
    /// A second material index that nothing uses.
    pub aux_material: u8,
    /// Smoothing groups.
    pub smoothing_groups: u32,
}

/// Twin of [`Influence`](record::Influence).
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable, FromBytes, Immutable, KnownLayout)]
#[repr(C)]
pub struct Influence {
    /// The weight.
    pub weight: f32,
    /// Index of the point.
    pub point_index: i32,
    /// Index of the bone.
    pub bone_index: i32,
}

/// Twin of [`MorphDelta`](record::MorphDelta).
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable, FromBytes, Immutable, KnownLayout)]
#[repr(C)]
pub struct MorphDelta {
    /// What is added to the position, y not mirrored.
    pub position: [f32; 3],
    /// What is added to the normal, y not mirrored.
    pub tangent_z: [f32; 3],
    /// Index of the point.
    pub point_index: i32,
}

/// Twin of [`AnimKey`](record::AnimKey).
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable, FromBytes, Immutable, KnownLayout)]
#[repr(C)]
pub struct AnimKey {
    /// Position relative to the parent.
    pub position: [f32; 3],
    /// Rotation x, y, z, w as stored.
    pub rotation: [f32; 4],
    /// Time as stored.
    pub time: f32,
}

/// Twin of [`ScaleKey`](record::ScaleKey).
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable, FromBytes, Immutable, KnownLayout)]
#[repr(C)]
pub struct ScaleKey {
    /// Scale along x, y and z.
    pub scale: [f32; 3],
    /// Time as stored.
    pub time: f32,
}

impl Record for Vec2 {
    type Native = [f32; 2];
}
impl Record for Vec3 {
    type Native = [f32; 3];
}
impl Record for Vec4 {
    type Native = [f32; 4];
}
impl Record for record::Wedge {
    type Native = Wedge;
}
impl Record for record::Face16 {
    type Native = Face16;
}
impl Record for record::Influence {
    type Native = Influence;
}
impl Record for record::Color {
    type Native = [u8; 4];
}
impl Record for record::MorphDelta {
    type Native = MorphDelta;
}
impl Record for record::AnimKey {
    type Native = AnimKey;
}
impl Record for record::ScaleKey {
    type Native = ScaleKey;
}
