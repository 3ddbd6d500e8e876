//! The XML of standard skeletons (`art/skeletons/*.xml`).

use skelmap::pyrogenesis::skeleton::{Bone, MappedBone, MappedSkeleton, SkeletonFile, StandardSkeleton};

use super::xml::{Element, MAX_VALUE, Node, Nodes, XmlError};

/// Reads the standard skeletons of a file of `art/skeletons`, and the skeletons of modelling programs whose bones stand for theirs. O(bytes), at
/// most 1 MiB.
///
/// ```
/// use skelmap_batch::mods::parse_skeletons;
///
/// let text = br#"<skeletons>
///     <standard_skeleton id="dog" title="Dog"><bone name="hip"><bone name="leg"/></bone></standard_skeleton>
///     <skeleton title="Dog rig" target="dog"><identifier><root>Rig</root></identifier>
///         <bone name="Hips"><target>hip</target><bone name="Leg"><target>leg</target></bone></bone></skeleton>
/// </skeletons>"#;
/// let skeletons = parse_skeletons(text)?;
/// let leg = &skeletons.standard[0].bones[1];
/// assert_eq!((leg.name.as_str(), leg.parent), ("leg", Some(0)));
/// let leg = &skeletons.mapped[0].bones[1];
/// assert_eq!((leg.name.as_str(), leg.target.as_deref()), ("Leg", Some("leg")));
/// # Ok::<(), skelmap_batch::mods::XmlError>(())
/// ```
///
/// # Errors
/// [`XmlError`] for bytes that are no XML, for entities, and for a bone without a name.
pub fn parse_skeletons(bytes: &[u8]) -> Result<SkeletonFile, XmlError> {
    let mut nodes = Nodes::new(bytes)?;
    let mut file = Parsed::default();
    let mut open: Vec<Open> = Vec::new();
    while let Some(node) = nodes.next()? {
        match node {
            Node::Start(element) => open.push(file.start(&element, open.last().copied().unwrap_or(Open::Other))?),
            Node::End => drop(open.pop()),
            Node::Text(text) => file.add_text(&text, open.last().copied().unwrap_or(Open::Other)),
        }
    }
    let Parsed(mut file) = file;
    file.standard.retain(|skeleton| !skeleton.bones.is_empty());
    file.mapped.retain(|skeleton| !skeleton.bones.is_empty());
    Ok(file)
}

/// An open element.
#[derive(Clone, Copy)]
enum Open {
    Other,
    /// Of a standard skeleton: the skeleton or a bone, whose index this is.
    Standard(Option<usize>),
    /// Of a skeleton of a program: the same.
    Mapped(Option<usize>),
    /// The target of a bone.
    Target(usize),
    /// The name of the root of a skeleton of a program.
    Root,
}

/// What was read so far.
#[derive(Default)]
struct Parsed(SkeletonFile);

impl Parsed {
    /// Starts an element inside of another one.
    fn start(&mut self, element: &Element<'_>, outer: Open) -> Result<Open, XmlError> {
        let text = |name| Ok::<_, XmlError>(element.attribute(name)?.unwrap_or_default());
        let name = || element.attribute("name")?.ok_or_else(|| element.fault("<bone> has no name"));
        Ok(match (outer, element.name()) {
            (Open::Standard(parent), b"bone") => {
                let name = name()?;
                let Some(skeleton) = self.0.standard.last_mut() else { return Ok(Open::Other) };
                skeleton.bones.push(Bone { name, parent });
                Open::Standard(Some(skeleton.bones.len().saturating_sub(1)))
            }
            (Open::Mapped(parent), b"bone") => {
                let name = name()?;
                let Some(skeleton) = self.0.mapped.last_mut() else { return Ok(Open::Other) };
                skeleton.bones.push(MappedBone { name, parent, target: None });
                Open::Mapped(Some(skeleton.bones.len().saturating_sub(1)))
            }
            (Open::Mapped(Some(bone)), b"target") => Open::Target(bone),
            (Open::Mapped(None), b"root") => Open::Root,
            // Elements that are no bones are looked through.
            (Open::Standard(_) | Open::Mapped(_), _) => outer,
            (_, b"standard_skeleton") => {
                self.0.standard.push(StandardSkeleton { id: text("id")?, title: text("title")?, bones: Vec::new() });
                Open::Standard(None)
            }
            (_, b"skeleton") => {
                let (title, target) = (text("title")?, text("target")?);
                self.0.mapped.push(MappedSkeleton { title, target, ..MappedSkeleton::default() });
                Open::Mapped(None)
            }
            (_, _) => Open::Other,
        })
    }

    fn add_text(&mut self, text: &str, open: Open) {
        let Some(skeleton) = self.0.mapped.last_mut() else { return };
        let place = match open {
            Open::Root => &mut skeleton.root,
            Open::Target(bone) => match skeleton.bones.get_mut(bone) {
                Some(bone) => bone.target.get_or_insert_default(),
                None => return,
            },
            _ => return,
        };
        // A text may come in several pieces; a name has at most 1 KiB.
        let left = MAX_VALUE.saturating_sub(place.len());
        place.extend(text.trim().chars().take(left));
    }
}
