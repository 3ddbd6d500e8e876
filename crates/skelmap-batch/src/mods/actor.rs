//! Actors (`art/actors/**/*.xml`) and variants (`art/variants/**/*.xml`): the files of a unit of the game.

use std::string::String;
use std::vec::Vec;

use super::xml::{Element, Node, Nodes, XmlError};

/// An actor: groups of variants. The game picks one variant of each group.
///
/// An actor with several quality levels has the groups of all levels.
///
/// ```
/// use skelmap_batch::mods::actor::Actor;
///
/// let text = br#"<actor version="1"><group><variant name="brown" file="horse/brown.xml"><mesh>horse.dae</mesh><animations>
///     <animation name="walk" file="horse_walk.dae" speed="100"/></animations></variant></group></actor>"#;
/// let actor = Actor::parse(text)?;
/// let variant = &actor.groups[0].variants[0];
/// assert_eq!(variant.mesh.as_deref(), Some("horse.dae"));
/// assert_eq!(variant.animations[0].name, "walk");
/// # Ok::<(), skelmap_batch::mods::XmlError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Actor {
    /// The groups.
    pub groups: Vec<Group>,
    /// Actors that are quality levels of this one, below `art/actors/`.
    pub levels: Vec<String>,
}

/// Variants; the game picks one of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Group {
    /// The variants.
    pub variants: Vec<Variant>,
}

/// A variant. Files have the names of their sources (`horse.dae`).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Variant {
    /// The name; may be empty.
    pub name: String,
    /// The variant that this one inherits from, below `art/variants/`.
    pub file: Option<String>,
    /// The mesh, below `art/meshes/`.
    pub mesh: Option<String>,
    /// The animations.
    pub animations: Vec<Animation>,
    /// The textures.
    pub textures: Vec<Texture>,
    /// The props.
    pub props: Vec<Prop>,
}

/// An animation of a variant.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Animation {
    /// The name that the game requests: `walk`, `attack_melee`. Several animations may have one name.
    pub name: String,
    /// The file, below `art/animation/`; `None` for the rest pose without a file.
    pub file: Option<String>,
}

/// A texture of a variant.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Texture {
    /// The name that the material requests: `baseTex`, `normTex`.
    pub name: String,
    /// The file, below `art/textures/skins/`.
    pub file: Option<String>,
}

/// An actor that is attached to the mesh.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Prop {
    /// The name of the prop point.
    pub attach_point: String,
    /// The actor, below `art/actors/`; `None` removes the prop of an earlier variant.
    pub actor: Option<String>,
}

impl Actor {
    /// Reads an actor. O(bytes), at most 1 MiB.
    ///
    /// # Errors
    /// [`XmlError`] for bytes that are not XML, that declare or use entities, or that are not an actor.
    pub fn parse(bytes: &[u8]) -> Result<Self, XmlError> {
        read(bytes, ElementKind::Actor)
    }
}

impl Variant {
    /// Reads a file of one variant. O(bytes), at most 1 MiB.
    ///
    /// # Errors
    /// Those of [`Actor::parse`].
    pub fn parse(bytes: &[u8]) -> Result<Self, XmlError> {
        let actor = read(bytes, ElementKind::Variant)?;
        Ok(actor.groups.into_iter().flat_map(|group| group.variants).next().unwrap_or_default())
    }
}

/// The kind of an open element.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ElementKind {
    /// `actor`, `qualitylevels` or `inline`.
    Actor,
    Group,
    Variant,
    Mesh,
    Animations,
    Textures,
    Props,
    Other,
}

impl ElementKind {
    /// The kind of an element, by its name and its parent element.
    fn of(around: Option<Self>, name: &[u8], root: Self) -> Self {
        match (around, name) {
            (None, b"variant") if root == Self::Variant => Self::Variant,
            (None, b"actor" | b"qualitylevels") if root == Self::Actor => Self::Actor,
            (Some(Self::Actor), b"actor" | b"inline") => Self::Actor,
            (Some(Self::Actor), b"group") => Self::Group,
            (Some(Self::Group), b"variant") => Self::Variant,
            (Some(Self::Variant), b"mesh") => Self::Mesh,
            (Some(Self::Variant), b"animations") => Self::Animations,
            (Some(Self::Variant), b"textures") => Self::Textures,
            (Some(Self::Variant), b"props") => Self::Props,
            _ => Self::Other,
        }
    }
}

fn read(bytes: &[u8], root: ElementKind) -> Result<Actor, XmlError> {
    let mut nodes = Nodes::new(bytes)?;
    let (mut actor, mut open, mut is_begun) = (Actor::default(), Vec::new(), false);
    if root == ElementKind::Variant {
        actor.groups.push(Group::default());
    }
    while let Some(node) = nodes.next()? {
        let around = open.last().copied();
        match node {
            Node::Start(element) => {
                let place = ElementKind::of(around, element.name(), root);
                if around.is_none() && (place != root || is_begun) {
                    return Err(element.fault(if root == ElementKind::Actor {
                        "is not an actor"
                    } else {
                        "is not a variant"
                    }));
                }
                is_begun = true;
                actor.add(&element, around, place)?;
                open.push(place);
            }
            Node::End => drop(open.pop()),
            Node::Text(text) if around == Some(ElementKind::Mesh) => actor.add_text(&text),
            Node::Text(_) => {}
        }
    }
    if !is_begun {
        return Err(XmlError { offset: 0, message: "has no element".into() });
    }
    actor.finish();
    Ok(actor)
}

impl Actor {
    fn add(&mut self, element: &Element<'_>, around: Option<ElementKind>, place: ElementKind) -> Result<(), XmlError> {
        match place {
            ElementKind::Actor => self.levels.extend(element.attribute("file")?),
            ElementKind::Group => self.groups.push(Group::default()),
            ElementKind::Variant => {
                let (name, file) = (element.attribute("name")?.unwrap_or_default(), element.attribute("file")?);
                let variant = Variant { name, file, ..Variant::default() };
                self.groups.last_mut().into_iter().for_each(|group| group.variants.push(variant.clone()));
            }
            ElementKind::Other => return self.add_part(element, around),
            ElementKind::Mesh | ElementKind::Animations | ElementKind::Textures | ElementKind::Props => {}
        }
        Ok(())
    }

    fn variant(&mut self) -> Option<&mut Variant> {
        self.groups.last_mut()?.variants.last_mut()
    }

    /// Adds an animation, a texture or a prop.
    fn add_part(&mut self, element: &Element<'_>, around: Option<ElementKind>) -> Result<(), XmlError> {
        let Some(variant) = self.variant() else { return Ok(()) };
        let text = |name| Ok::<_, XmlError>(element.attribute(name)?.unwrap_or_default());
        match (around, element.name()) {
            (Some(ElementKind::Animations), b"animation") => {
                variant.animations.push(Animation { name: text("name")?, file: element.attribute("file")? });
            }
            (Some(ElementKind::Textures), b"texture") => {
                variant.textures.push(Texture { name: text("name")?, file: element.attribute("file")? });
            }
            (Some(ElementKind::Props), b"prop") => {
                variant.props.push(Prop { attach_point: text("attachpoint")?, actor: element.attribute("actor")? });
            }
            _ => {}
        }
        Ok(())
    }

    fn add_text(&mut self, text: &str) {
        if let Some(variant) = self.variant() {
            variant.mesh.get_or_insert_default().push_str(text);
        }
    }

    /// Trims the names of meshes.
    fn finish(&mut self) {
        for variant in self.groups.iter_mut().flat_map(|group| &mut group.variants) {
            let mesh = variant.mesh.take();
            variant.mesh = mesh.map(|mesh| mesh.trim().into()).filter(|mesh: &String| !mesh.is_empty());
        }
    }
}
