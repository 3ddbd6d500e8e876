//! The records of an animation, all of alignment 1. Layout: SWAT 3 reference, sections 2 and 3.

use core::fmt::{self, Debug, Formatter};

use zerocopy::little_endian::U16;
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

use crate::record::{Vec3, Vec4};

/// A quaternion, 16 bytes: x, y, z and the scalar last. What it is relative to is undocumented, so nothing is converted.
pub type Quat = Vec4;

/// What follows the magic, 8 bytes.
#[derive(Clone, Copy, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub(super) struct Header {
    pub(super) minor: u8,
    pub(super) major: u8,
    unknown_0: U16,
    frame_rate: U16,
    unknown_1: U16,
}

impl Header {
    pub(super) const fn unknown(self) -> [u16; 2] {
        [self.unknown_0.get(), self.unknown_1.get()]
    }

    pub(super) const fn frame_rate(self) -> u16 {
        self.frame_rate.get()
    }
}

/// The id of an animated bone, 2 bytes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(transparent)]
pub struct BoneId(U16);

impl BoneId {
    /// The native number.
    #[inline]
    pub const fn get(&self) -> u16 {
        self.0.get()
    }
}

impl Debug for BoneId {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        Debug::fmt(&self.get(), f)
    }
}

/// What begins a frame, 40 bytes: where the figure is, before any bone turns.
#[derive(Clone, Copy, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub struct FrameHead {
    origin: Vec3,
    rotation: Quat,
    root_offset: Vec3,
}

impl FrameHead {
    /// Origin of the frame, relative to the position in the first frame. Zero in the game's files, by the public description.
    #[inline]
    pub const fn origin(&self) -> [f32; 3] {
        self.origin.get()
    }

    /// Rotation of the frame as x, y, z, scalar. The identity in the game's files, by the public description.
    #[inline]
    pub const fn rotation(&self) -> [f32; 4] {
        self.rotation.get()
    }

    /// Offset of the root bone from where it is in the first frame.
    #[inline]
    pub const fn root_offset(&self) -> [f32; 3] {
        self.root_offset.get()
    }
}

impl Debug for FrameHead {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_struct("FrameHead")
            .field("origin", &self.origin)
            .field("rotation", &self.rotation)
            .field("root_offset", &self.root_offset)
            .finish()
    }
}

const _: () = assert!(size_of::<Header>() == 8 && align_of::<Header>() == 1);
const _: () = assert!(size_of::<BoneId>() == 2 && align_of::<BoneId>() == 1);
const _: () = assert!(size_of::<FrameHead>() == 40 && align_of::<FrameHead>() == 1);
