//! The implementation of the model for SWAT 3 animations: rotations only.

use zerocopy::IntoBytes as _;

use super::gsa::{Gsa, PLAYBACK_FPS};
use crate::bytes::records;
use crate::model::{Clip, Keys, NewClip, Relative, RotationRule, Rows, Skeleton};

impl<'a> Gsa<'a> {
    /// The animation as a clip of rotations, whose reference and space are unknown (SWAT 3 reference, section 3). The tracks
    /// are the animated bones. O(1), but see [`bone_count`](Gsa::bone_count).
    ///
    /// The clip does not include the position of the figure in each frame: [`Frame`](super::Frame) has it.
    pub fn clip(&self) -> Clip<'a> {
        let new = NewClip {
            name: None,
            bones: records(self.animated_ids().as_bytes()),
            skeleton: self.skeleton().unwrap_or(Skeleton::of_count(0, Relative::Unknown)),
            tracks: self.rotation_count(),
            frames: self.frame_count(),
            rate: PLAYBACK_FPS,
            space: None,
            rule: RotationRule::AsStored,
        };
        Clip::new(&new, Keys::Rows(Rows { rotations: Some(self.to_rotations()), ..Rows::default() }))
    }

    /// The clip of the file.
    pub fn clips(&self) -> impl Iterator<Item = Clip<'a>> + use<'a> {
        core::iter::once(self.clip())
    }
}
