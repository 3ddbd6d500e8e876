//! Standard skeletons (`art/skeletons/*.xml`): the names and parents of bones, which PMD and PSA files do not have.

use alloc::string::String;
use alloc::vec::Vec;

use super::xml::{Node, Nodes, XmlError};

/// A standard skeleton. **A bone has the same index in this list as in PMD and PSA.**
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct StandardSkeleton {
    /// The name that other files use.
    pub id: String,
    /// The display name.
    pub title: String,
    /// The bones, in depth-first order.
    pub bones: Vec<Bone>,
}

/// A bone of a standard skeleton.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Bone {
    /// The name.
    pub name: String,
    /// The index of the parent, which is smaller than the bone's own; `None` for a root.
    pub parent: Option<usize>,
}

impl StandardSkeleton {
    /// Reads the standard skeletons of a file. Mappings from the bones of other programs (`skeleton`) are
    /// skipped. O(bytes), at most 1 MiB.
    ///
    /// ```
    /// use skelmap::pyrogenesis::skeleton::StandardSkeleton;
    ///
    /// let text = br#"<skeletons><standard_skeleton id="dog" title="Dog">
    ///     <bone name="hip"><bone name="leg"/></bone></standard_skeleton></skeletons>"#;
    /// let skeletons = StandardSkeleton::parse_all(text)?;
    /// let leg = &skeletons[0].bones[1];
    /// assert_eq!((leg.name.as_str(), leg.parent), ("leg", Some(0)));
    /// # Ok::<(), skelmap::pyrogenesis::XmlError>(())
    /// ```
    ///
    /// # Errors
    /// [`XmlError`] for bytes that are not XML, for entities, and for a bone without a name.
    pub fn parse_all(bytes: &[u8]) -> Result<Vec<Self>, XmlError> {
        let mut nodes = Nodes::new(bytes)?;
        let mut skeletons: Vec<Self> = Vec::new();
        // For each open element of a skeleton: its bone, or that of its parent element.
        let mut open: Vec<Option<usize>> = Vec::new();
        while let Some(node) = nodes.next()? {
            match (node, skeletons.last_mut()) {
                (Node::Start(element), Some(skeleton)) if !open.is_empty() => {
                    let parent = open.last().copied().flatten();
                    let bone = (element.name() == b"bone").then_some(skeleton.bones.len());
                    if bone.is_some() {
                        skeleton.bones.push(Bone { name: element.needed("name")?, parent });
                    }
                    open.push(bone.or(parent));
                }
                (Node::Start(element), _) if element.name() == b"standard_skeleton" => {
                    let text = |name| Ok::<_, XmlError>(element.attribute(name)?.unwrap_or_default());
                    skeletons.push(Self { id: text("id")?, title: text("title")?, bones: Vec::new() });
                    open.push(None);
                }
                (Node::End, _) => drop(open.pop()),
                (Node::Start(_) | Node::Text(_), _) => {}
            }
        }
        skeletons.retain(|skeleton| !skeleton.bones.is_empty());
        Ok(skeletons)
    }
}
