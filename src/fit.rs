//! Pairs of formats and assets: which is the mesh, and whether both have the same kind of skeletons.

use crate::family::{Asset, Format};
use crate::model::{Match, Matcher};

impl Match {
    /// Compares the bones of a mesh and an animation of one family; `None` for other pairs. For bones without names, see
    /// [`measured`](Match::measured).
    ///
    /// ActorX and UEFormat bones match by name, also one with the other, without regard to ASCII case and trailing spaces, as in Unreal; bones with equal names match
    /// in order. Pyrogenesis bones have no names: the engine only compares their number. In a family whose meshes are not read,
    /// an animation that is known to fit replaces the mesh; `None` if the number of bones is not known. O(bones); for many
    /// animations of one mesh, see [`Matcher`].
    pub fn of(mesh: &Asset<'_>, animation: &Asset<'_>) -> Option<Self> {
        Matcher::new(mesh)?.compare(animation)
    }
}

impl Matcher {
    /// Prepares a mesh; `None` for other assets, unless they can replace a mesh. O(bones).
    pub fn new(mesh: &Asset<'_>) -> Option<Self> {
        let (family, is_mesh) = (mesh.format().skeletons(), mesh.format().is_mesh());
        // An animation of a family whose meshes are not read replaces a mesh that it fits.
        let has_mesh = |other: &Format| other.skeletons() == family && other.is_mesh();
        if !is_mesh && Format::ALL.iter().any(has_mesh) {
            return None;
        }
        Some(Self::of_skeleton(family, &mesh.skeleton()?))
    }

    /// Compares an animation of the mesh's family; `None` for other assets. O(bones of the animation).
    pub fn compare(&self, animation: &Asset<'_>) -> Option<Match> {
        let format = animation.format();
        let is_comparable = !format.is_mesh() && format.skeletons() == self.family;
        is_comparable.then(|| animation.skeleton())?.map(|skeleton| self.match_skeleton(&skeleton))
    }
}

impl Format {
    /// Whether animations of one format may fit meshes of the other: both are of one family, or of two with the same kind of skeletons, as ActorX
    /// and UEFormat.
    pub fn is_related_to(self, other: Self) -> bool {
        self.skeletons() == other.skeletons()
    }
}
