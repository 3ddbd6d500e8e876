//! The surface of a mesh.

/// How the triangles of a material are drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Surface {
    /// Whether both sides are visible.
    pub is_two_sided: bool,
    /// The meaning of the texture's alpha.
    pub alpha: Alpha,
}

/// The meaning of a texture's alpha.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Alpha {
    /// No meaning.
    #[default]
    Opaque,
    /// A hole at small values.
    Masked,
    /// The opacity of the surface.
    Blended,
}

impl Alpha {
    /// The stable name.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Opaque => "opaque",
            Self::Masked => "masked",
            Self::Blended => "blended",
        }
    }
}
