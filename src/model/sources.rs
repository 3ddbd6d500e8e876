//! The sources of the parts of a bone's pose: the animation or the mesh.

/// The source of one part of a bone's pose.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Source {
    /// The animation's keys.
    #[default]
    Animation,
    /// The bind pose of the mesh, instead of the animation's keys.
    Mesh,
}

/// The sources of a bone's pose in one sequence.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct TrackSources {
    /// The source of the translation.
    pub translation: Source,
    /// The source of the rotation.
    pub rotation: Source,
    /// The source of the scale: the mesh where the animation has none.
    pub scale: Source,
}

impl TrackSources {
    /// The parts that come from the mesh in either of two.
    pub(super) fn or(self, other: Self) -> Self {
        let either = |one, other| if one == Source::Mesh { one } else { other };
        Self {
            translation: either(self.translation, other.translation),
            rotation: either(self.rotation, other.rotation),
            scale: either(self.scale, other.scale),
        }
    }
}
