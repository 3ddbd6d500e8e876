//! Actors (`art/actors/**/*.xml`) and variants (`art/variants/**/*.xml`): the files of a unit of the game.

use std::collections::HashMap;

use super::xml::{MAX_VALUE, Node, Nodes, XmlError};
use crate::codes;
use crate::items::Fault;

/// The most files that an actor and its variants may name, repeated names counted. Those of the game name up to 186 different ones.
pub(super) const MAX_PARTS: usize = 4096;

/// An actor as its file describes it. The game picks one variant of each group.
///
/// An actor with several quality levels has the variants of all levels.
///
/// ```
/// use skelmap_batch::mods::{Actor, PartKind};
///
/// let text = br#"<actor version="1"><group><variant name="brown" file="horse/brown.xml"><mesh>horse.dae</mesh><animations>
///     <animation name="walk" file="horse_walk.dae" speed="100"/></animations></variant></group></actor>"#;
/// let actor = Actor::parse(text)?;
/// assert_eq!(actor.variants[0].name, "brown");
/// let [mesh, animation, base] = &actor.variants[0].parts[..] else { panic!("three files") };
/// assert_eq!((mesh.kind, mesh.file.as_str()), (PartKind::Mesh, "art/meshes/horse.dae"));
/// assert_eq!((animation.kind, animation.name.as_str()), (PartKind::Animation, "walk"));
/// assert_eq!((base.kind, base.file.as_str()), (PartKind::Variant, "art/variants/horse/brown.xml"));
/// # Ok::<(), skelmap_batch::mods::XmlError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Actor {
    /// The variants of all groups.
    pub variants: Vec<Variant>,
    /// Actors that are quality levels of this one.
    pub levels: Vec<Part>,
    /// The material of its surface, below `art/materials/`.
    pub material: String,
}

/// A variant of a group, of which the game shows one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Variant {
    /// The name by which the game asks for it.
    pub name: String,
    /// How often the game takes it where no name decides, relative to the others of its group.
    pub frequency: u32,
    /// The number of its group. Groups of a higher quality level have higher numbers.
    pub group: usize,
    /// The files that it names, in the order of [`PartKind`].
    pub parts: Vec<Part>,
}

/// A file that an actor names.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Part {
    /// What it is.
    pub kind: PartKind,
    /// The name that the game requests of an animation (`walk`) or a texture (`baseTex`), or the prop point; empty for others.
    pub name: String,
    /// The path below the mod's root, with the extension of the source.
    pub file: String,
}

/// What a file of an actor is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum PartKind {
    /// A mesh.
    Mesh,
    /// An animation.
    Animation,
    /// A texture.
    Texture,
    /// An actor that is attached.
    Prop,
    /// A variant whose content is taken on.
    Variant,
    /// An actor that is a level of quality.
    Level,
}

impl PartKind {
    /// All kinds.
    pub const ALL: [Self; 6] = [Self::Mesh, Self::Animation, Self::Texture, Self::Prop, Self::Variant, Self::Level];

    /// The stable name.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Mesh => "mesh",
            Self::Animation => "animation",
            Self::Texture => "texture",
            Self::Prop => "prop",
            Self::Variant => "variant",
            Self::Level => "level",
        }
    }

    /// A file of this kind. `file` is relative to the folder of the kind.
    fn part(self, name: String, file: &str) -> Part {
        let folder = match self {
            Self::Mesh => "art/meshes/",
            Self::Animation => "art/animation/",
            Self::Texture => "art/textures/skins/",
            Self::Prop | Self::Level => PROPS,
            Self::Variant => "art/variants/",
        };
        Part { kind: self, name, file: format!("{folder}{file}") }
    }
}

impl Part {
    /// The prop point; `None` for a part that is no prop.
    pub(super) fn point(&self) -> Option<&str> {
        Some(self.name.as_str()).filter(|_| self.kind == PartKind::Prop)
    }

    /// What its texts take of the limit of all parts: as much as another part for each 64 bytes.
    pub(super) fn text_cost(&self) -> usize {
        (self.name.len() + self.file.len()) / 64
    }

    /// Whether it is a prop without an actor: nothing is at the point, also where another variant has a prop.
    pub fn is_nothing(&self) -> bool {
        self.kind == PartKind::Prop && self.file == PROPS
    }
}

/// The folder of actors.
const PROPS: &str = "art/actors/";

/// An open element.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Open {
    /// `actor`, `qualitylevels` or `inline`.
    Actor,
    Group,
    Variant,
    Mesh,
    Material,
    /// The list of the files of a kind.
    List(PartKind),
    Part(PartKind),
    Other,
}

impl Open {
    /// An element by its name and its parent element.
    fn of(around: Option<Self>, name: &[u8]) -> Self {
        match (around, name) {
            (None | Some(Self::Group), b"variant") => Self::Variant,
            (None, b"actor" | b"qualitylevels") | (Some(Self::Actor), b"actor" | b"inline") => Self::Actor,
            (Some(Self::Actor), b"group") => Self::Group,
            (Some(Self::Actor), b"material") => Self::Material,
            (Some(Self::Variant), b"mesh") => Self::Mesh,
            (Some(Self::Variant), b"animations") => Self::List(PartKind::Animation),
            (Some(Self::Variant), b"textures") => Self::List(PartKind::Texture),
            (Some(Self::Variant), b"props") => Self::List(PartKind::Prop),
            (Some(Self::List(kind)), name) if name == kind.code().as_bytes() => Self::Part(kind),
            _ => Self::Other,
        }
    }
}

impl Actor {
    /// Reads an actor. O(bytes), at most 1 MiB.
    ///
    /// # Errors
    /// [`XmlError`] for bytes that are not XML, that declare or use entities, or that are not an actor.
    pub fn parse(bytes: &[u8]) -> Result<Self, XmlError> {
        Self::read(bytes, Open::Actor)
    }

    /// Reads a file of one variant: the files that it names. O(bytes), at most 1 MiB.
    ///
    /// # Errors
    /// Those of [`parse`](Self::parse).
    pub fn parse_variant(bytes: &[u8]) -> Result<Vec<Part>, XmlError> {
        Self::read(bytes, Open::Variant).map(|mut read| read.variants.pop().unwrap_or_default().parts)
    }

    fn read(bytes: &[u8], root: Open) -> Result<Self, XmlError> {
        let mut nodes = Nodes::new(bytes)?;
        let (mut actor, mut open, mut mesh, mut is_begun) = (Self::default(), Vec::new(), String::new(), false);
        let mut group = 0_usize;
        while let Some(node) = nodes.next()? {
            let around = open.last().copied();
            match node {
                Node::Start(element) => {
                    let place = Open::of(around, element.name());
                    if around.is_none() && (place != root || is_begun) {
                        let kind = if root == Open::Actor { "is not an actor" } else { "is not a variant" };
                        return Err(element.fault(kind));
                    }
                    is_begun = true;
                    let file = |kind: PartKind, name: String, file| {
                        element.attribute(file).map(|file| file.map(|file| kind.part(name, &file)))
                    };
                    match place {
                        Open::Actor => actor.levels.extend(file(PartKind::Level, String::new(), "file")?),
                        Open::Group => group = group.saturating_add(1),
                        // Of several, the last one counts, as in the game.
                        Open::Mesh => mesh.clear(),
                        Open::Material => actor.material.clear(),
                        Open::Variant => {
                            let text = |name| Ok::<_, XmlError>(element.attribute(name)?.unwrap_or_default());
                            let (name, frequency) = (text("name")?, text("frequency")?.trim().parse().unwrap_or(0));
                            let parts = file(PartKind::Variant, String::new(), "file")?.into_iter().collect();
                            actor.variants.push(Variant { name, frequency, group, parts });
                        }
                        Open::Part(kind) => {
                            let is_prop = kind == PartKind::Prop;
                            let (name, path) = if is_prop { ("attachpoint", "actor") } else { ("name", "file") };
                            let name = element.attribute(name)?.unwrap_or_default();
                            // A prop without an actor takes the place of others.
                            let part = file(kind, name.clone(), path)?.or_else(|| is_prop.then(|| kind.part(name, "")));
                            if let Some(variant) = actor.variants.last_mut() {
                                variant.parts.extend(part);
                            }
                        }
                        _ => {}
                    }
                    open.push(place);
                }
                Node::End => {
                    let ended = open.pop();
                    if let Some(variant) = actor.variants.last_mut().filter(|_| ended == Some(Open::Variant)) {
                        let mesh = std::mem::take(&mut mesh);
                        let mesh = Some(mesh.trim()).filter(|mesh| !mesh.is_empty());
                        variant.parts.extend(mesh.map(|mesh| PartKind::Mesh.part(String::new(), mesh)));
                        variant.parts.sort_by_key(|part| part.kind);
                    }
                }
                Node::Text(text) if matches!(around, Some(Open::Mesh | Open::Material)) => {
                    let place = if around == Some(Open::Mesh) { &mut mesh } else { &mut actor.material };
                    place.push_str(&text);
                    if place.len() > MAX_VALUE {
                        return Err(XmlError { offset: 0, message: "names a file with more than 1,024 bytes".into() });
                    }
                }
                Node::Text(_) => {}
            }
        }
        actor.material = String::from(actor.material.trim());
        if is_begun { Ok(actor) } else { Err(XmlError { offset: 0, message: "has no element".into() }) }
    }
}

/// An actor and the files that it is made of, with those of its variants. Each is there once.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Unit {
    /// The path of the actor below the mod's root.
    pub actor: String,
    /// The files that it names.
    pub parts: Vec<Part>,
    /// Why the actor cannot be read, or not to its end.
    pub fault: Option<Fault>,
    /// The material of its surface.
    pub(super) material: String,
    /// The parts that were looked at, repeated ones too.
    pub(super) work: usize,
    /// The numbers of a mesh and of the texture of its own variant.
    skins: Vec<(usize, usize)>,
}

/// The texture that the game requests for the colour of a surface.
pub(super) const BASE_TEXTURE: &str = "baseTex";

/// The variants of a list of mods, by path.
pub(super) type Variants<'m> = HashMap<&'m str, Result<Vec<Part>, Fault>>;

impl Unit {
    /// An actor with the files of its variants. At most `max` parts are looked at. O(parts).
    pub(super) fn of(actor: &str, read: Result<Actor, Fault>, variants: &Variants<'_>, max: usize) -> Self {
        let mut unit = Self {
            actor: actor.to_owned(),
            parts: Vec::new(),
            fault: None,
            material: String::new(),
            work: 0,
            skins: Vec::new(),
        };
        unit.fault = read.and_then(|read| unit.add(&read, variants, max)).err();
        unit
    }

    fn add(&mut self, actor: &Actor, variants: &Variants<'_>, max: usize) -> Result<(), Fault> {
        self.material.clone_from(&actor.material);
        let mut seen = HashMap::new();
        for first in std::iter::once(&actor.levels).chain(actor.variants.iter().map(|variant| &variant.parts)) {
            let mut next = Some(first);
            let (mut meshes, mut texture) = (Vec::new(), None);
            // A variant that was met before has been read with all that it takes on. So a circle ends too.
            while let Some(parts) = next.take() {
                for part in parts {
                    self.work = self.work.saturating_add(1);
                    if self.work > max {
                        return Err(Fault::new(codes::TOO_MANY_PARTS, &format!("names more than {MAX_PARTS} files")));
                    }
                    if part.is_nothing() {
                        continue;
                    }
                    let known = seen.get(part).copied();
                    let number = known.unwrap_or(self.parts.len());
                    if known.is_none() {
                        seen.insert(part, number);
                        self.parts.push(part.clone());
                    }
                    match part.kind {
                        PartKind::Mesh => meshes.push(number),
                        PartKind::Texture if part.name == BASE_TEXTURE => texture = texture.or(Some(number)),
                        PartKind::Variant if known.is_none() => {
                            next = variants.get(part.file.as_str()).and_then(|read| read.as_ref().ok());
                        }
                        _ => {}
                    }
                }
            }
            self.skins.extend(meshes.into_iter().filter_map(|mesh| Some((mesh, texture?))));
        }
        Ok(())
    }

    /// Clears a unit that has too many parts.
    pub(super) fn refuse(&mut self, message: &str) {
        (self.parts, self.skins) = (Vec::new(), Vec::new());
        self.fault = Some(Fault::new(codes::TOO_MANY_PARTS, &message));
    }

    /// The meshes with the texture that each wears: the `baseTex` of the first variant that names both, or else the first of the actor.
    pub fn skins(&self) -> impl Iterator<Item = (&Part, &Part)> {
        let part = |number: &usize| self.parts.get(*number);
        let own = self.skins.iter().filter_map(move |(mesh, texture)| Some((part(mesh)?, part(texture)?)));
        let first = self.of_kind(PartKind::Texture).find(|part| part.name == BASE_TEXTURE);
        own.chain(self.of_kind(PartKind::Mesh).filter_map(move |mesh| Some((mesh, first?))))
    }

    /// The parts of a kind.
    pub fn of_kind(&self, kind: PartKind) -> impl Iterator<Item = &Part> {
        self.parts.iter().filter(move |part| part.kind == kind)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An actor of three files, looked at up to a limit.
    fn unit(max: usize) -> Unit {
        let variant = "<variant><mesh>a</mesh><textures><texture name='baseTex' file='b'/></textures><props><prop actor='c'/></props></variant>";
        let actor = Actor::parse(format!("<actor><group>{variant}</group></actor>").as_bytes());
        Unit::of("a.xml", actor.map_err(Fault::from), &HashMap::new(), max)
    }

    #[test]
    fn an_actor_that_names_more_files_than_the_limit_has_a_fault() {
        assert_eq!(unit(3).fault, None);
        assert_eq!(unit(2).fault.map(|fault| fault.kind), Some(codes::TOO_MANY_PARTS.name()));
    }

    #[test]
    fn a_refused_unit_has_no_files() {
        let mut unit = unit(3);
        assert_eq!((unit.parts.len(), unit.skins().count()), (3, 2));
        unit.refuse("names too many");
        assert_eq!((unit.parts.len(), unit.skins().count()), (0, 0));
        assert_eq!(unit.fault.map(|fault| fault.message), Some("names too many".to_owned()));
    }
}
