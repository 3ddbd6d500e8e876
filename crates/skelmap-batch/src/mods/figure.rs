//! An actor as the game shows it: one variant of each group, with its props.

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use super::actor::{Actor, BASE_TEXTURE, MAX_PARTS, Part, PartKind};
use super::list::{ModFile, Mods};
use super::survey::MAX_TEXT_BYTES;
use crate::codes;
use crate::items::Fault;

/// The most models of one actor, and how deep props may have props.
const MAX_MODELS: usize = 256;
const MAX_DEPTH: usize = 8;

/// The most models of all actors, and the most variants and files that they name.
const MAX_OF_ALL: usize = 1 << 18;
const MAX_PARTS_OF_ALL: usize = 1 << 22;

/// The most variants and files of all actors and variants that are kept, so that they are read once. The game has 200,000.
const MAX_KEPT: usize = 1 << 20;

/// The most variants that one takes on.
const MAX_BASES: usize = 16;

/// What the file of an attachment is called that has no actor.
const NO_ACTOR: &str = "art/actors/";

/// An attachment for what a unit throws, which is not there before.
const PROJECTILE: &str = "projectile";

/// A model of an actor and the models at its prop points.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Figure<'m> {
    /// The path of the actor below the mod's root.
    pub actor: String,
    /// The path of the source of the mesh, and the mesh.
    pub mesh: Option<(String, ModFile<'m>)>,
    /// The texture that it wears.
    pub texture: Option<ModFile<'m>>,
    /// The animations, with the names under which the game plays them.
    pub animations: Vec<(String, ModFile<'m>)>,
    /// The name of a prop point, and what is there.
    pub props: Vec<(String, Figure<'m>)>,
    /// What cannot be read or found, of this model alone.
    pub faults: Vec<String>,
}

/// The actors and variants of mods, each read once unless they are far more than those of the game.
#[derive(Debug)]
pub struct Wardrobe<'m> {
    mods: &'m Mods,
    actors: Known<Actor>,
    variants: Known<Vec<Part>>,
    /// The models that were made, and the files that they name.
    models: AtomicUsize,
    parts: AtomicUsize,
    /// The bytes that were parsed, and what is kept of them.
    bytes: AtomicU64,
    kept: AtomicUsize,
}

/// Files by their paths, and why they cannot be read.
type Known<T> = Mutex<HashMap<String, Arc<Result<T, Fault>>>>;

impl<'m> Wardrobe<'m> {
    /// Reads nothing yet.
    pub fn new(mods: &'m Mods) -> Self {
        Self {
            mods,
            actors: Mutex::default(),
            variants: Mutex::default(),
            models: AtomicUsize::new(0),
            parts: AtomicUsize::new(0),
            bytes: AtomicU64::new(0),
            kept: AtomicUsize::new(0),
        }
    }

    /// The model of an actor. `names`: the variants that are taken where a group has one of them; else the first is taken that has a frequency.
    /// At most 256 models, and props of props up to the eighth.
    ///
    /// # Errors
    /// An actor that cannot be read; more than 4,096 files of one model, or than 262,144 models and 4,194,304 files of all.
    pub fn figure(&self, actor: &str, names: &[String]) -> Result<Figure<'m>, Fault> {
        self.model(actor, names, &mut MAX_MODELS.saturating_sub(1), 0)
    }

    fn model(&self, actor: &str, names: &[String], left: &mut usize, depth: usize) -> Result<Figure<'m>, Fault> {
        let mut file = actor.to_owned();
        let mut read = self.read(&file, &self.actors, Actor::parse);
        // An actor of levels alone: the last one is the best.
        for _ in 0..MAX_DEPTH {
            let levels = read.as_ref().as_ref().ok().filter(|read| read.variants.is_empty());
            let level = levels.and_then(|read| read.levels.last());
            let Some(level) = level.map(|level| level.file.clone()) else { break };
            (read, file) = (self.read(&level, &self.actors, Actor::parse), level);
        }
        let parsed = read.as_ref().as_ref().map_err(Clone::clone)?;
        if self.models.fetch_add(1, Ordering::Relaxed) >= MAX_OF_ALL {
            return Err(too_many("all actors have more than 262,144 models"));
        }
        let mut figure = Figure { actor: file, ..Figure::default() };
        let parts = self.chosen(parsed, names, &mut figure.faults)?;
        let missing = |part: &Part| format!("{} is missing", part.file);
        for part in &parts {
            match part.kind {
                PartKind::Mesh => {
                    figure.mesh = self.mods.built(&part.file, "pmd").map(|file| (part.file.clone(), file));
                    figure.faults.extend(figure.mesh.is_none().then(|| missing(part)));
                }
                PartKind::Texture if part.name == BASE_TEXTURE => {
                    figure.texture = self.mods.texture(&part.file);
                    figure.faults.extend(figure.texture.is_none().then(|| missing(part)));
                }
                PartKind::Animation => match self.mods.built(&part.file, "psa") {
                    Some(file) => figure.animations.push((part.name.clone(), file)),
                    None => figure.faults.push(missing(part)),
                },
                PartKind::Prop if part.file != NO_ACTOR && part.name != PROJECTILE => {
                    if *left == 0 || depth >= MAX_DEPTH {
                        figure.faults.push(format!("{} is left out: too many props", part.file));
                        continue;
                    }
                    *left -= 1;
                    match self.model(&part.file, names, left, depth + 1) {
                        Ok(prop) => figure.props.push((part.name.clone(), prop)),
                        Err(fault) => figure.faults.push(format!("{}: {}", part.file, fault.message)),
                    }
                }
                _ => {}
            }
        }
        Ok(figure)
    }

    /// The parts of the chosen variants: those of a later group take the place of those before with the same name.
    fn chosen(&self, actor: &Actor, names: &[String], faults: &mut Vec<String>) -> Result<Vec<Part>, Fault> {
        let (mut chosen, mut count) = (Vec::new(), 0);
        let variants = actor.variants.len();
        for group in actor.variants.chunk_by(|one, other| one.group == other.group) {
            let is_asked = |name: &String| names.iter().any(|own| own.eq_ignore_ascii_case(name));
            let asked = group.iter().find(|variant| is_asked(&variant.name));
            let usual = || group.iter().find(|variant| variant.frequency > 0);
            let Some(variant) = asked.or_else(usual).or(group.first()) else { continue };
            chosen.push(self.with_bases(&variant.parts, &mut count, faults)?);
        }
        if self.parts.fetch_add(count + variants, Ordering::Relaxed) >= MAX_PARTS_OF_ALL {
            return Err(too_many("all actors name more than 4,194,304 variants and files"));
        }
        Ok(last_of_each_name(chosen))
    }

    /// The parts of a variant and of those that it takes on: its own take the place of theirs.
    fn with_bases(&self, own: &[Part], count: &mut usize, faults: &mut Vec<String>) -> Result<Vec<Part>, Fault> {
        let (mut all, mut next) = (Vec::new(), Some(own.to_vec()));
        for _ in 0..MAX_BASES {
            let Some(parts) = next.take() else { break };
            let base = parts.iter().find(|part| part.kind == PartKind::Variant).map(|part| part.file.clone());
            *count += parts.len();
            if *count > MAX_PARTS {
                return Err(too_many("names more than 4,096 files"));
            }
            all.push(parts);
            if let Some(file) = base {
                match self.read(&file, &self.variants, Actor::parse_variant).as_ref() {
                    Ok(parts) => next = Some(parts.clone()),
                    Err(fault) => faults.push(format!("{file}: {}", fault.message)),
                }
            }
        }
        // What is taken on comes first.
        all.reverse();
        Ok(last_of_each_name(all))
    }

    /// What a file says.
    fn read<T: Count>(
        &self,
        path: &str,
        known: &Known<T>,
        parse: impl Fn(&[u8]) -> Result<T, super::XmlError>,
    ) -> Arc<Result<T, Fault>> {
        let lock = || known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = lock().get(path) {
            return Arc::clone(known);
        }
        let missing = || std::io::Error::new(std::io::ErrorKind::NotFound, "is missing").into();
        let bytes = self.mods.file(path).ok_or_else(missing).and_then(|file| self.mods.read(file));
        let said = bytes.and_then(|bytes| {
            if self.bytes.fetch_add(bytes.len() as u64, Ordering::Relaxed) >= MAX_TEXT_BYTES {
                return Err(too_many("all actors and variants have more than 256 MiB"));
            }
            Ok(parse(&bytes)?)
        });
        let count = said.as_ref().map_or(1, Count::count);
        let said = Arc::new(said);
        if self.kept.fetch_add(count, Ordering::Relaxed) < MAX_KEPT {
            lock().insert(path.to_owned(), Arc::clone(&said));
        }
        said
    }
}

/// The variants and files that something has in memory.
trait Count {
    fn count(&self) -> usize;
}

impl Count for Actor {
    fn count(&self) -> usize {
        self.variants.iter().map(|variant| variant.parts.len() + 1).sum::<usize>() + self.levels.len() + 1
    }
}

impl Count for Vec<Part> {
    fn count(&self) -> usize {
        self.len() + 1
    }
}

/// The parts of some lists without those that a later list replaces: a mesh, and what has the same name. O(parts).
fn last_of_each_name(lists: Vec<Vec<Part>>) -> Vec<Part> {
    let (mut taken, mut kept) = (HashSet::new(), Vec::new());
    for list in lists.into_iter().rev() {
        let name = |part: &Part| (part.kind, part.name.to_ascii_lowercase());
        let own: Vec<Part> = list.into_iter().filter(|part| !taken.contains(&name(part))).collect();
        taken.extend(own.iter().map(name));
        kept.push(own);
    }
    kept.into_iter().rev().flatten().collect()
}

fn too_many(what: &str) -> Fault {
    Fault::new(codes::TOO_MANY_PARTS, &what)
}
