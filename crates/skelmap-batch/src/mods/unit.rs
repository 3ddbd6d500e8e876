//! An actor with all variants that it takes on: the files that it names.

use std::collections::{HashMap, HashSet};

use super::XmlError;
use super::actor::{Actor, Variant};
use super::codes;
use crate::items::Fault;

/// The most files that an actor may name. Those of the game name up to 186.
const MAX_PARTS: usize = 4096;

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
}

/// A file that an actor names.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Part {
    /// What it is.
    pub kind: PartKind,
    /// The name of an animation or a texture, or the prop point; empty for others.
    pub name: String,
    /// The path below the mod's root, with the extension of the source.
    pub file: String,
}

/// What a file of an actor is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
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

    /// The folder that names are relative to.
    const fn folder(self) -> &'static str {
        match self {
            Self::Mesh => "art/meshes/",
            Self::Animation => "art/animation/",
            Self::Texture => "art/textures/skins/",
            Self::Prop | Self::Level => "art/actors/",
            Self::Variant => "art/variants/",
        }
    }
}

/// The variants of a list of mods, by path.
pub(super) type Variants<'m> = HashMap<&'m str, Result<Variant, Fault>>;

impl Unit {
    pub(super) fn of(actor: &str, read: Result<Actor, Fault>, variants: &Variants<'_>) -> Self {
        let actor = actor.to_owned();
        match read {
            Ok(read) => {
                let mut parts = Parts::default();
                let fault = parts.add_actor(&read, variants).err();
                Self { actor, parts: parts.list, fault }
            }
            Err(fault) => Self { actor, parts: Vec::new(), fault: Some(fault) },
        }
    }

    /// The parts of a kind.
    pub fn of_kind(&self, kind: PartKind) -> impl Iterator<Item = &Part> {
        self.parts.iter().filter(move |part| part.kind == kind)
    }
}

#[derive(Default)]
struct Parts {
    list: Vec<Part>,
    seen: HashSet<Part>,
}

impl Parts {
    fn add_actor(&mut self, actor: &Actor, variants: &Variants<'_>) -> Result<(), Fault> {
        for file in &actor.levels {
            self.add(PartKind::Level, "", Some(file))?;
        }
        for variant in actor.groups.iter().flat_map(|group| &group.variants) {
            let mut next = self.add_variant(variant)?;
            // A variant that was met before has been read with all that it takes on. So a circle ends too.
            while let Some(Ok(base)) = next.and_then(|path| variants.get(path.as_str())) {
                next = self.add_variant(base)?;
            }
        }
        Ok(())
    }

    /// Adds the parts of a variant. Returns the variant that it takes on, if that is a new one.
    fn add_variant(&mut self, variant: &Variant) -> Result<Option<String>, Fault> {
        self.add(PartKind::Mesh, "", variant.mesh.as_ref())?;
        for animation in &variant.animations {
            self.add(PartKind::Animation, &animation.name, animation.file.as_ref())?;
        }
        for texture in &variant.textures {
            self.add(PartKind::Texture, &texture.name, texture.file.as_ref())?;
        }
        for prop in &variant.props {
            self.add(PartKind::Prop, &prop.attach_point, prop.actor.as_ref())?;
        }
        self.add(PartKind::Variant, "", variant.file.as_ref())
    }

    /// Adds a file. Returns its path, if it is new.
    fn add(&mut self, kind: PartKind, name: &str, file: Option<&String>) -> Result<Option<String>, Fault> {
        let Some(file) = file else { return Ok(None) };
        let path = format!("{}{file}", kind.folder());
        let part = Part { kind, name: name.to_owned(), file: path };
        if !self.seen.insert(part.clone()) {
            return Ok(None);
        }
        if self.list.len() >= MAX_PARTS {
            return Err(too_many(format!("names more than {MAX_PARTS} files")));
        }
        let path = part.file.clone();
        self.list.push(part);
        Ok(Some(path))
    }
}

pub(super) fn too_many(message: String) -> Fault {
    Fault { kind: codes::TOO_MANY_PARTS.name(), section: None, offset: None, message }
}

impl From<XmlError> for Fault {
    fn from(error: XmlError) -> Self {
        let XmlError { offset, message } = error;
        let message = format!("{message}, at byte {offset}");
        Self { kind: codes::INVALID_XML.name(), section: None, offset: Some(offset), message }
    }
}
