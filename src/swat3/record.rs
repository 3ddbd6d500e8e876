//! The records of an animation, all of alignment 1 (SWAT 3 reference, sections 2 and 3).

use zerocopy::little_endian::U16;

use crate::bytes::{Vec4, record, value};

/// A quaternion, 16 bytes: x, y, z, w. Its space is not documented, so nothing is converted.
pub type Quat = Vec4;

value! {
    /// The id of an animated bone, 2 bytes.
    #[derive(PartialEq, Eq, Hash)]
    BoneId(U16) as u16,
    /// The native number.
    get = |id| id.get()
}

record! {
    /// The first 40 bytes of a frame: the place of the figure.
    pub struct FrameHead[40] {
        /// Origin, relative to that of the first frame. Zero in the game's files, by the public description.
        origin: Vec3,
        /// Rotation of the frame: x, y, z, w. The identity in the game's files, by the public description.
        rotation: Vec4,
        /// Offset of the root bone from its place in the first frame.
        root_offset: Vec3,
    }
}
