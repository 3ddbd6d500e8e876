//! The parts of transforms.

/// The parts of a transform that tracks have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Parts {
    /// Whether tracks have translations.
    pub translation: bool,
    /// Whether tracks have rotations.
    pub rotation: bool,
    /// Whether tracks have scales.
    pub scale: bool,
}
