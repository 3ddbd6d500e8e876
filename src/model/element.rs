//! The elements of a mesh that findings are about.

use super::mesh::Mesh;
use crate::report::Finding;

/// An element of a mesh, by its index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Element {
    /// A bone.
    Bone(usize),
    /// A point.
    Point(usize),
    /// A vertex: a wedge in `ActorX` files.
    Vertex(usize),
    /// A triangle.
    Triangle(usize),
}

impl Mesh<'_> {
    /// The element that a finding of the check of this very file is about; for several, the first. `None` for a finding about
    /// something else, such as a name or a whole section. O(1).
    ///
    /// ```
    /// use skelmap::{Asset, model::Element};
    ///
    /// let bytes = std::fs::read("tests/corpus/actorx/mesh/face_wedge.psk")?;
    /// let asset = Asset::parse(&bytes)?;
    /// let mesh = asset.mesh().ok_or("no mesh")?;
    /// assert_eq!(mesh.element_of(&asset.check()[0]), Some(Element::Triangle(4)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn element_of(&self, finding: &Finding) -> Option<Element> {
        self.source().element(finding.section.as_bytes(), usize::try_from(finding.index?).ok()?)
    }
}
