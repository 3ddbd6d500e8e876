//! Pairs of formats and assets: which is the mesh, and whether both are of one family.

use crate::family::{Asset, Format};
use crate::model::Distances;
use crate::model::{Match, Matcher, Role};

impl Match {
    /// Compares the bones of a mesh and an animation of one family; `None` for other pairs. For bones without names, see
    /// [`Matcher::examine`].
    ///
    /// ActorX bones match by name, without regard to ASCII case and trailing spaces, as in Unreal; bones with equal names match
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
        let (family, role) = (mesh.format().family(), mesh.format().role());
        // An animation of a family whose meshes are not read replaces a mesh that it fits.
        let has_mesh = |other: &Format| other.family() == family && other.role() == Role::Mesh;
        if role == Role::Animation && Format::ALL.iter().any(has_mesh) {
            return None;
        }
        Some(Self::of_skeleton(family, &mesh.skeleton()?))
    }

    /// Compares an animation of the mesh's family; `None` for other assets. O(bones of the animation).
    pub fn compare(&self, animation: &Asset<'_>) -> Option<Match> {
        let format = animation.format();
        let is_comparable = format.role() == Role::Animation && format.family() == self.family;
        is_comparable.then(|| animation.skeleton())?.map(|skeleton| self.match_skeleton(&skeleton))
    }

    /// [`compare`](Self::compare) with more evidence for bones without names: whether their distances stay constant in the
    /// first clip. `rest`: the distances of the mesh. O(bones²), and reads eight frames.
    ///
    /// ```
    /// use skelmap::{Asset, Matcher, Verdict, model::Distances};
    ///
    /// let (mesh, animation) = (std::fs::read("corpus/fox.pmd")?, std::fs::read("corpus/fox_walk.psa")?);
    /// let (mesh, animation) = (Asset::parse(&mesh)?, Asset::parse(&animation)?);
    /// let rest = mesh.mesh().and_then(|mesh| Distances::of_mesh(&mesh));
    /// let matcher = Matcher::new(&mesh).ok_or("no mesh")?;
    /// assert_eq!(matcher.compare(&animation).map(|found| found.verdict()), Some(Verdict::SameCount));
    /// assert_eq!(matcher.examine(rest.as_ref(), &animation).map(|found| found.verdict()), Some(Verdict::Fits));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn examine(&self, rest: Option<&Distances>, animation: &Asset<'_>) -> Option<Match> {
        let found = self.compare(animation)?;
        let is_measured = rest.is_some() && found.is_counted();
        let moved = is_measured.then(|| Distances::of_clip(&animation.clips().next()?)).flatten();
        Some(found.measured(rest, moved.as_ref()))
    }
}

impl Format {
    /// Whether files of this format hold a mesh. All others hold animations.
    pub fn is_mesh(self) -> bool {
        self.role() == Role::Mesh
    }

    /// Whether two formats are of one family, so an animation may fit a mesh.
    pub fn is_related_to(self, other: Self) -> bool {
        self.family() == other.family()
    }
}
