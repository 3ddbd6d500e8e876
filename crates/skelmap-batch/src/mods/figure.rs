//! An actor as the game shows it: one variant of each group, with its props.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use super::actor::{Actor, BASE_TEXTURE, MAX_PARTS, Part, PartKind};
use super::list::{ModFile, Mods};
use super::material::Materials;
use super::survey::MAX_TEXT_BYTES;
use crate::codes;
use crate::items::Fault;

/// The most models of one actor, and how deep props may have props.
const MAX_MODELS: usize = 1024;
const MAX_DEPTH: usize = 8;

/// The most models of all actors, and the most variants and files that they name: the game has 26,000 and 290,000.
const MAX_OF_ALL: usize = 1 << 18;
const MAX_PARTS_OF_ALL: usize = 1 << 21;

/// The most variants and files of all actors and variants that are kept, so that they are read once. The game has 200,000.
const MAX_KEPT: usize = 1 << 20;

/// The most variants that one takes on.
const MAX_BASES: usize = 16;

/// The most figures that are kept for other models: the game has 60,000.
const MAX_FIGURES: usize = 1 << 17;

/// The longest name of a variant that props are told. The game has shorter ones by far.
const MAX_NAME: usize = 256;

/// The most animations of a model with its props, and of all actors, each counted wherever it is.
const MAX_CLIPS: usize = 1 << 14;
const MAX_CLIPS_OF_ALL: usize = 1 << 20;

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
    /// Whether the texture lets through what is behind.
    pub is_transparent: bool,
    /// The animations, with the names under which the game plays them.
    pub animations: Vec<(String, ModFile<'m>)>,
    /// The name of a prop point, and what is there. Props of one file that take the same variants are one.
    pub props: Vec<(String, Arc<Figure<'m>>)>,
    /// What cannot be read or found, of this model alone.
    pub faults: Vec<String>,
    /// The number of models: this one, and all below. And that of their animations.
    models: usize,
    clips: usize,
}

/// The names of variants that props take where they have them: those that are asked for, then those that each model around has chosen.
type Names = Vec<Arc<BTreeSet<String>>>;

/// A model, and the names of variants that were chosen for it and below it without being asked for.
type Made<'m> = (Arc<Figure<'m>>, Arc<BTreeSet<String>>);

/// The actors and variants of mods, each read once unless they are far more than those of the game.
#[derive(Debug)]
pub struct Wardrobe<'m> {
    mods: &'m Mods,
    /// The variants that are asked for, in lower case, and those of them that a group has.
    asked: Arc<BTreeSet<String>>,
    found: BTreeSet<String>,
    actors: Known<Actor>,
    variants: Known<Vec<Part>>,
    materials: Materials<'m>,
    /// What was made of an actor, by the names that it is to take and how deep it lies: props have props up to a depth.
    figures: HashMap<(String, Names, usize), Result<Made<'m>, Fault>>,
    /// The models and animations of all figures, and the variants and files that they name.
    models: usize,
    clips: usize,
    parts: usize,
    texts: Texts<'m>,
}

/// Files by their paths, and why they cannot be read.
type Known<T> = HashMap<String, Arc<Result<T, Fault>>>;

impl<'m> Wardrobe<'m> {
    /// Reads nothing yet. `names`: the variants that are taken where a group has one of them; else the first is taken that has a frequency.
    pub fn new(mods: &'m Mods, names: &[String]) -> Self {
        Self {
            mods,
            asked: Arc::new(names.iter().map(|name| name.to_lowercase()).collect()),
            found: BTreeSet::new(),
            actors: HashMap::new(),
            variants: HashMap::new(),
            materials: Materials::of(mods),
            figures: HashMap::new(),
            models: 0,
            clips: 0,
            parts: 0,
            texts: Texts { mods, bytes: 0, kept: 0 },
        }
    }

    /// The names of variants that no figure had.
    pub fn unknown_names(&self) -> impl Iterator<Item = &str> {
        self.asked.difference(&self.found).map(String::as_str)
    }

    /// The model of an actor: at most 1,024 models, and props of props up to the eighth.
    ///
    /// # Errors
    /// An actor that cannot be read; more than 4,096 files of one model, or than 262,144 models and 2,097,152 variants and files of all.
    pub fn figure(&mut self, actor: &str) -> Result<Arc<Figure<'m>>, Fault> {
        let (figure, _) = self.model(actor, vec![Arc::clone(&self.asked)], 0)?;
        self.models = self.models.saturating_add(figure.models);
        if self.models > MAX_OF_ALL {
            return Err(too_many("all actors have more than 262,144 models"));
        }
        self.clips = self.clips.saturating_add(figure.clips);
        if self.clips > MAX_CLIPS_OF_ALL {
            return Err(too_many("all actors have more than 1,048,576 animations"));
        }
        Ok(figure)
    }

    /// What was made of an actor at a depth, or is made now.
    fn model(&mut self, actor: &str, names: Names, depth: usize) -> Result<Made<'m>, Fault> {
        // The work of finding it.
        self.count(names.iter().map(|own| cost_of_names(own)).sum())?;
        let key = (actor.to_owned(), names, depth);
        if let Some(known) = self.figures.get(&key) {
            return known.clone();
        }
        let made = self.make(actor, &key.1, depth);
        if self.figures.len() < MAX_FIGURES {
            self.figures.insert(key, made.clone());
        }
        made
    }

    fn make(&mut self, actor: &str, names: &Names, depth: usize) -> Result<Made<'m>, Fault> {
        let mut file = actor.to_owned();
        let mut read = self.texts.read(&file, &mut self.actors, Actor::parse);
        // An actor of levels alone: the last one is the best.
        for _ in 0..MAX_DEPTH {
            let levels = read.as_ref().as_ref().ok().filter(|read| read.variants.is_empty());
            let level = levels.and_then(|read| read.levels.last());
            let level = level.map(|level| level.file.clone());
            let Some(level) = level else { break };
            (read, file) = (self.texts.read(&level, &mut self.actors, Actor::parse), level);
        }
        let parsed = read.as_ref().as_ref().map_err(Clone::clone)?;
        let is_transparent = self.materials.is_transparent(&parsed.material);
        let mut figure = Figure { actor: file, is_transparent, models: 1, ..Figure::default() };
        let (parts, own_names) = self.chosen(parsed, names, &mut figure.faults)?;
        let (mut own_names, mut played) = (Arc::new(own_names), HashSet::new());
        for part in &parts {
            match part.kind {
                PartKind::Mesh => match self.built(part, "pmd") {
                    Ok(file) => figure.mesh = Some((part.file.clone(), file)),
                    Err(fault) => figure.faults.push(fault),
                },
                PartKind::Texture if part.name == BASE_TEXTURE => {
                    figure.texture = self.mods.texture(&part.file);
                    figure.faults.extend(figure.texture.is_none().then(|| format!("{} is missing", part.file)));
                }
                PartKind::Animation => match self.built(part, "psa") {
                    // A game plays one file under one name in several ways, at other speeds.
                    Ok(file) if !played.insert((part.name.as_str(), file.name)) => {}
                    Ok(file) => {
                        figure.clips += 1;
                        figure.animations.push((part.name.clone(), file));
                    }
                    Err(fault) => figure.faults.push(fault),
                },
                PartKind::Prop if !part.is_nothing() && part.name != PROJECTILE => {
                    let around = names.iter().chain([&own_names]).cloned().collect();
                    let prop = (depth < MAX_DEPTH).then(|| self.model(&part.file, around, depth + 1));
                    match prop {
                        Some(Ok((prop, below)))
                            if figure.models + prop.models <= MAX_MODELS && figure.clips + prop.clips <= MAX_CLIPS =>
                        {
                            figure.models += prop.models;
                            figure.clips += prop.clips;
                            figure.props.push((part.name.clone(), prop));
                            if !below.is_subset(&own_names) {
                                // What is known of a prop keeps the names before.
                                self.count(cost_of_names(&own_names).saturating_add(cost_of_names(&below)))?;
                                Arc::make_mut(&mut own_names).extend(below.iter().cloned());
                            }
                        }
                        Some(Err(fault)) => figure.faults.push(format!("{}: {}", part.file, fault.message)),
                        _ => figure.faults.push(format!("{} is left out: too many props", part.file)),
                    }
                }
                _ => {}
            }
        }
        Ok((Arc::new(figure), own_names))
    }

    /// The mesh or animation of a part. A source that the game has not converted yet is none.
    fn built(&self, part: &Part, extension: &str) -> Result<ModFile<'m>, String> {
        let file = self.mods.built(&part.file, extension).ok_or_else(|| format!("{} is missing", part.file))?;
        if file.name.rsplit_once('.').is_some_and(|(_, end)| end == extension) {
            return Ok(file);
        }
        Err(format!("{} is a source, of which the game has not made a .{extension} yet", file.name))
    }

    /// The parts of the chosen variants: those of a later group take the place of those before with the same name. And the names of those that
    /// no name of `names` chose: the props of the model take the same.
    fn chosen(
        &mut self,
        actor: &Actor,
        names: &Names,
        faults: &mut Vec<String>,
    ) -> Result<(Vec<Part>, BTreeSet<String>), Fault> {
        let (mut chosen, mut own_names, mut count) = (Vec::new(), BTreeSet::new(), 0);
        let variants = actor.variants.len();
        for group in actor.variants.chunk_by(|one, other| one.group == other.group) {
            let lower: Vec<String> = group.iter().map(|variant| variant.name.to_lowercase()).collect();
            self.found.extend(lower.iter().filter(|name| self.asked.contains(*name)).cloned());
            // The first names decide before the others. A game asks for no name that is empty.
            let of_names = names.iter().find_map(|own| {
                let named = |name: &String| !name.is_empty() && own.contains(name);
                lower.iter().position(named).and_then(|index| group.get(index))
            });
            let usual = || group.iter().find(|variant| variant.frequency > 0);
            let Some(variant) = of_names.or_else(usual).or(group.first()) else { continue };
            if of_names.is_none() && group.len() > 1 && (1..=MAX_NAME).contains(&variant.name.len()) {
                own_names.insert(variant.name.to_lowercase());
            }
            chosen.push(self.with_bases(&variant.parts, &mut count, faults)?);
        }
        self.count((variants + 1).saturating_mul(names.len()).saturating_add(count))?;
        let mut parts = last_of_each_name(chosen);
        // The game goes through props by the names of their points, the empty ones too.
        parts.sort_by(|one, other| one.point().cmp(&other.point()));
        Ok((parts, own_names))
    }

    /// Counts variants and files that were named or compared.
    fn count(&mut self, parts: usize) -> Result<(), Fault> {
        self.parts = self.parts.saturating_add(parts);
        if parts > 0 && self.parts > MAX_PARTS_OF_ALL {
            return Err(too_many("all actors name more than 2,097,152 variants and files"));
        }
        Ok(())
    }

    /// The parts of a variant and of those that it takes on: its own take the place of theirs.
    fn with_bases(&mut self, own: &[Part], count: &mut usize, faults: &mut Vec<String>) -> Result<Vec<Part>, Fault> {
        let (mut all, mut next) = (Vec::new(), Some(own.to_vec()));
        for _ in 0..MAX_BASES {
            let Some(parts) = next.take() else { break };
            let base = parts.iter().find(|part| part.kind == PartKind::Variant).map(|part| part.file.clone());
            *count += parts.len();
            self.count(parts.iter().map(Part::text_cost).sum())?;
            if *count > MAX_PARTS {
                return Err(too_many("names more than 4,096 files"));
            }
            all.push(parts);
            if let Some(file) = base {
                match self.texts.read(&file, &mut self.variants, Actor::parse_variant).as_ref() {
                    Ok(parts) => next = Some(parts.clone()),
                    Err(fault) => faults.push(format!("{file}: {}", fault.message)),
                }
            }
        }
        // What is taken on comes first.
        all.reverse();
        Ok(last_of_each_name(all))
    }
}

/// The work and the memory of names, in the unit of [`Wardrobe::count`]: a name of 64 bytes counts twice.
fn cost_of_names(names: &BTreeSet<String>) -> usize {
    names.iter().map(|name| 1 + name.len() / 64).sum()
}

/// What is read of the files of mods.
#[derive(Debug)]
struct Texts<'m> {
    mods: &'m Mods,
    /// The bytes that were parsed, and what is kept of them.
    bytes: u64,
    kept: usize,
}

impl Texts<'_> {
    /// What a file says: what is known of it, or what is read now.
    fn read<T: Count>(
        &mut self,
        path: &str,
        known: &mut Known<T>,
        parse: impl Fn(&[u8]) -> Result<T, super::XmlError>,
    ) -> Arc<Result<T, Fault>> {
        if let Some(known) = known.get(path) {
            return Arc::clone(known);
        }
        let missing = || Fault::new(codes::NOT_FOUND, &"is missing");
        let bytes = self.mods.file(path).ok_or_else(missing).and_then(|file| self.mods.read(file));
        let said = bytes.and_then(|bytes| {
            self.bytes = self.bytes.saturating_add(bytes.len() as u64);
            if self.bytes > MAX_TEXT_BYTES {
                return Err(too_many("all actors and variants have more than 256 MiB"));
            }
            Ok(parse(&bytes)?)
        });
        self.kept = self.kept.saturating_add(said.as_ref().map_or(1, Count::count));
        let said = Arc::new(said);
        if self.kept <= MAX_KEPT {
            known.insert(path.to_owned(), Arc::clone(&said));
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

#[cfg(test)]
mod tests {
    use std::fs;

    use skelmap::archive::Limits;
    use skelmap::mapping::Opener;

    use super::*;

    /// An actor with a group of three variants, of which the first has so many files.
    fn mods(files: usize) -> (tempfile::TempDir, Mods) {
        let root = tempfile::tempdir().expect("a folder");
        let folder = root.path().join("art/actors");
        fs::create_dir_all(&folder).expect("a folder");
        let textures =
            (0..files).map(|index| format!("<texture name='{index}' file='a'/>")).collect::<Vec<_>>().concat();
        let variant = format!("<variant frequency='1'><textures>{textures}</textures></variant>");
        let actor = format!("<actor><group>{variant}<variant/><variant/></group></actor>");
        fs::write(folder.join("a.xml"), actor).expect("an actor");
        let mods = Mods::open(&[root.path().to_owned()], &Opener::reading(), &Limits::default()).expect("a mod");
        (root, mods)
    }

    #[test]
    fn variants_and_files_are_counted_up_to_the_limits() {
        let is_made = |files: usize, counted: usize| {
            let (_root, mods) = mods(files);
            let mut wardrobe = Wardrobe::new(&mods, &[]);
            wardrobe.parts = counted;
            wardrobe.figure("art/actors/a.xml").is_ok()
        };
        // The actor, three variants, and five files.
        assert!(is_made(5, MAX_PARTS_OF_ALL - 9));
        assert!(!is_made(5, MAX_PARTS_OF_ALL - 8));
        assert!(is_made(4096, 0));
        assert!(!is_made(4097, 0));
    }

    #[test]
    fn texts_are_kept_up_to_the_limit() {
        let is_kept = |kept: usize| {
            let (_root, mods) = mods(5);
            let mut wardrobe = Wardrobe::new(&mods, &[]);
            wardrobe.texts.kept = kept;
            wardrobe.figure("art/actors/a.xml").expect("a figure");
            wardrobe.actors.contains_key("art/actors/a.xml")
        };
        assert!(is_kept(MAX_KEPT - 9));
        assert!(!is_kept(MAX_KEPT - 8));
    }

    #[test]
    fn what_is_kept_of_a_file_is_counted_by_its_variants_and_files_and_itself() {
        let variant = "<variant><mesh>a</mesh><props><prop actor='b'/><prop actor='c'/></props></variant>";
        let text = format!(
            "<qualitylevels><actor file='x'/><actor file='y'/><actor><group>{variant}<variant/></group></actor></qualitylevels>"
        );
        // Two variants, one with three files; two levels; the actor.
        assert_eq!(Actor::parse(text.as_bytes()).expect("an actor").count(), 2 + 3 + 2 + 1);
        assert_eq!(Actor::parse_variant(variant.as_bytes()).expect("a variant").count(), 3 + 1);
    }
}
