//! Standard skeletons (`art/skeletons/*.xml`), read from XML.

use skelmap::pyrogenesis::skeleton::{Bone, StandardSkeleton};

use super::xml::{Node, Nodes, XmlError};

/// Reads the standard skeletons of a file. Mappings from the bones of other programs (`skeleton`) are passed over. O(bytes), at
/// most 1 MiB.
///
/// ```
/// use skelmap_batch::mods::parse_skeletons;
///
/// let text = br#"<skeletons><standard_skeleton id="dog" title="Dog">
///     <bone name="hip"><bone name="leg"/></bone></standard_skeleton></skeletons>"#;
/// let skeletons = parse_skeletons(text)?;
/// let leg = &skeletons[0].bones[1];
/// assert_eq!((leg.name.as_str(), leg.parent), ("leg", Some(0)));
/// # Ok::<(), skelmap_batch::mods::XmlError>(())
/// ```
///
/// # Errors
/// [`XmlError`] for bytes that are no XML, for entities, and for a bone without a name.
pub fn parse_skeletons(bytes: &[u8]) -> Result<Vec<StandardSkeleton>, XmlError> {
    let mut nodes = Nodes::new(bytes)?;
    let mut skeletons: Vec<StandardSkeleton> = Vec::new();
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
                skeletons.push(StandardSkeleton { id: text("id")?, title: text("title")?, bones: Vec::new() });
                open.push(None);
            }
            (Node::End, _) => drop(open.pop()),
            (Node::Start(_) | Node::Text(_), _) => {}
        }
    }
    skeletons.retain(|skeleton| !skeleton.bones.is_empty());
    Ok(skeletons)
}
