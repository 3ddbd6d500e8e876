//! Which formats and assets go together: which of them is the mesh, and whether they are of one family.

use crate::family::{Asset, Format};
use crate::model::Distances;
use crate::model::{Match, Matcher, Role};

impl Match {
    /// Compares the bones of a mesh and of an animation of its family; `None` for anything else. For bones without names, see
    /// [`Matcher::examine`].
    ///
    /// ActorX bones are matched by name, in any ASCII case and without blanks at the end, as Unreal does; bones of the same name one
    /// by one in their order. Pyrogenesis bones have no names: the engine asks for their number only. In a family
    /// whose meshes are not read, an animation that is known to fit stands in for one, and there is no answer where the number of
    /// bones is not known. O(bones); for many animations of one mesh, see [`Matcher`].
    pub fn of(mesh: &Asset<'_>, animation: &Asset<'_>) -> Option<Self> {
        Matcher::new(mesh)?.compare(animation)
    }
}

impl Matcher {
    /// Prepares a mesh; `None` for what is no mesh and cannot stand in for one. O(bones).
    pub fn new(mesh: &Asset<'_>) -> Option<Self> {
        let (family, role) = (mesh.format().family(), mesh.format().role());
        // An animation of a family whose meshes are not read stands in for a mesh that it fits.
        let has_mesh = |other: &Format| other.family() == family && other.role() == Role::Mesh;
        if role == Role::Animation && Format::ALL.iter().any(has_mesh) {
            return None;
        }
        Some(Self::of_skeleton(family, &mesh.skeleton()?))
    }

    /// How an animation of the mesh's family goes with it; `None` for anything else. O(bones of the animation).
    pub fn compare(&self, animation: &Asset<'_>) -> Option<Match> {
        let format = animation.format();
        let is_comparable = format.role() == Role::Animation && format.family() == self.family;
        is_comparable.then(|| animation.skeleton())?.map(|skeleton| self.match_skeleton(&skeleton))
    }

    /// The same with more evidence where bones have no names: whether they keep their distances in the first clip. `rest`: the distances of
    /// the mesh. O(bones²), and reads eight frames.
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
    /// Whether files of this format hold a mesh. The others hold animations.
    pub fn is_mesh(self) -> bool {
        self.role() == Role::Mesh
    }

    /// Whether two formats are of one family, so that an animation may fit a mesh.
    pub fn is_related_to(self, other: Self) -> bool {
        self.family() == other.family()
    }
}
