//! How the surface of a mesh is drawn.

/// How the triangles of a material are drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Surface {
    /// Whether both sides are seen.
    pub is_two_sided: bool,
    /// What the alpha of the texture means.
    pub alpha: Alpha,
}

/// What the alpha of a texture means.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Alpha {
    /// Nothing.
    #[default]
    Opaque,
    /// There is a hole where it is small.
    Masked,
    /// How much of the surface is seen.
    Blended,
}
