//! The records of an animation, all of alignment 1 (SWAT 3 reference, sections 2 and 3).

use zerocopy::little_endian::U16;

use crate::bytes::{Vec4, record, value};

/// A quaternion, 16 bytes: x, y, z, w. Its space is undocumented, so nothing is converted.
pub type Quat = Vec4;

value! {
    /// The id of an animated bone, 2 bytes.
    #[derive(PartialEq, Eq, Hash)]
    BoneId(U16) as u16,
    /// The native number.
    get = |id| id.get()
}

record! {
    /// The first 40 bytes of a frame: the position and rotation of the figure.
    pub struct FrameHead[40] {
        /// Origin, relative to the first frame's. Zero in the game's files, according to the public description.
        origin: Vec3,
        /// Rotation of the frame: x, y, z, w. The identity in the game's files, according to the public description.
        rotation: Vec4,
        /// Offset of the root bone from its position in the first frame.
        root_offset: Vec3,
    }
}
