//! All actors of a list of mods, and the models that they name.

use std::collections::{HashMap, HashSet};

use rayon::prelude::*;

use super::actor::{Actor, MAX_PARTS, Part, PartKind, Unit, Variants};
use super::list::{ModFile, Mods};
use super::skeleton_file::parse_skeletons;
use super::xml::MAX_XML_BYTES;
use crate::codes;
use crate::items::Fault;
use skelmap::ParseOptions;

/// The most files that all actors may name, and the most pairs of a mesh and an animation. The game has 60,000 and 24,000. A name that an actor
/// and its variants repeat counts each time.
const MAX_JOINS: usize = 1 << 20;

/// The most bytes of all actors and variants.
pub(super) const MAX_TEXT_BYTES: u64 = 256 << 20;

/// What the actors of a list of mods are made of.
#[derive(Debug)]
#[non_exhaustive]
pub struct Survey<'m> {
    /// The actors, in name order.
    pub units: Vec<Unit>,
    /// The pairs of a mesh and an animation that one actor names, each once.
    pub pairs: usize,
    /// The meshes in them.
    pub meshes: usize,
    /// The animations in them.
    pub animations: usize,
    /// The pairs that the engine does not play, because the numbers of bones differ.
    pub misfits: usize,
    /// The meshes and animations that no actor names.
    pub unused: Vec<ModFile<'m>>,
    /// The files of skeletons that cannot be read.
    pub broken_skeletons: Vec<(ModFile<'m>, Fault)>,
    pub(super) mods: &'m Mods,
    /// The models that actors name, by the path of the source.
    models: HashMap<String, Model<'m>>,
    /// The variants that cannot be read.
    broken_variants: HashMap<&'m str, Fault>,
}

/// A mesh or an animation that an actor names.
#[derive(Debug)]
pub(super) struct Model<'m> {
    /// The file that the game reads.
    file: ModFile<'m>,
    /// The number of bones; `None` for a source that the game converts.
    bones: Result<Option<u64>, Fault>,
}

impl<'m> Survey<'m> {
    /// Reads all actors and variants, and the headers of the models that they name, on all threads of the current pool.
    pub fn of(mods: &'m Mods, options: &ParseOptions) -> Self {
        let mut bytes_left = MAX_TEXT_BYTES;
        let mut texts = |folder| {
            let is_read = |file: ModFile<'m>| {
                // A longer text is refused, and not read.
                let bytes = Some(file.size()).filter(|bytes| *bytes <= MAX_XML_BYTES).unwrap_or(0);
                let is_within = bytes <= bytes_left;
                bytes_left = bytes_left.saturating_sub(bytes);
                (file, is_within)
            };
            mods.files(folder, ".xml").into_iter().map(is_read).collect::<Vec<_>>()
        };
        let (variants, actors) = (texts("art/variants/"), texts("art/actors/"));
        let read = |(file, is_read): &(ModFile<'m>, bool)| {
            let message = format!("all actors and variants have more than {} MiB", MAX_TEXT_BYTES >> 20);
            if *is_read { mods.read(*file) } else { Err(Fault::new(codes::TOO_MANY_PARTS, &message)) }
        };
        let read_variant = |text| {
            let (file, _): &(ModFile<'m>, bool) = text;
            let parts = read(text).and_then(|bytes| Ok(Actor::parse_variant(&bytes)?));
            // What a variant repeats is looked at once, and not once for each actor.
            let mut seen = HashSet::new();
            let unique = |parts: Vec<Part>| parts.into_iter().filter(|part| seen.insert(part.clone())).collect();
            (file.name, parts.map(unique))
        };
        let variants: Variants<'m> = variants.par_iter().map(read_variant).collect();
        let mut units = Vec::new();
        let mut left = MAX_JOINS;
        for some in actors.chunks(1024) {
            let start = units.len();
            let max = left.min(MAX_PARTS);
            let read_actor = |text: &(ModFile<'m>, bool)| {
                Unit::of(text.0.name, read(text).and_then(|bytes| Ok(Actor::parse(&bytes)?)), &variants, max)
            };
            units.par_extend(some.par_iter().map(read_actor));
            // Memory and work are bounded.
            for unit in units.iter_mut().skip(start) {
                left = left.saturating_sub(unit.work);
                if left == 0 {
                    unit.refuse(&format!("all actors name more than {MAX_JOINS} files"));
                }
            }
        }
        let broken = variants.into_iter().filter_map(|(path, read)| Some((path, read.err()?)));
        let models = models(mods, &units, options);
        let mut survey = Self {
            units,
            pairs: 0,
            meshes: 0,
            animations: 0,
            misfits: 0,
            unused: Vec::new(),
            broken_skeletons: broken_skeletons(mods),
            mods,
            models,
            broken_variants: broken.collect(),
        };
        survey.join();
        survey.unused = survey.find_unused();
        survey
    }

    /// The texts that the system cannot read, and why. What is no XML is a matter of the mod, and in its report.
    pub(crate) fn unread(&self) -> impl Iterator<Item = (&str, &Fault)> {
        let units = self.units.iter().filter_map(|unit| Some((unit.actor.as_str(), unit.fault.as_ref()?)));
        let variants = self.broken_variants.iter().map(|(path, fault)| (*path, fault));
        let skeletons = self.broken_skeletons.iter().map(|(file, fault)| (file.name, fault));
        let of_system = [codes::IO, codes::PERMISSION_DENIED];
        let is_of_system = move |fault: &Fault| of_system.iter().any(|code| code.name() == fault.kind);
        units.chain(variants).chain(skeletons).filter(move |(_, fault)| is_of_system(fault))
    }

    /// Counts the pairs.
    fn join(&mut self) {
        let (mut pairs, mut misfits) = (HashSet::new(), 0_usize);
        let mut left = MAX_JOINS;
        for unit in &mut self.units {
            let of_unit =
                unit.of_kind(PartKind::Mesh).count().saturating_mul(unit.of_kind(PartKind::Animation).count());
            let Some(rest) = left.checked_sub(of_unit) else {
                unit.refuse(&format!("all actors join more than {MAX_JOINS} pairs"));
                continue;
            };
            left = rest;
            for mesh in unit.of_kind(PartKind::Mesh) {
                for animation in unit.of_kind(PartKind::Animation) {
                    let both = (self.models.get_key_value(&mesh.file), self.models.get_key_value(&animation.file));
                    let (Some((mesh, mesh_model)), Some((animation, model))) = both else { continue };
                    if pairs.insert((mesh.as_str(), animation.as_str())) {
                        misfits = misfits.saturating_add(usize::from(refused_by_engine(mesh_model, model).is_some()));
                    }
                }
            }
        }
        self.meshes = pairs.iter().map(|(mesh, _)| mesh).collect::<HashSet<_>>().len();
        self.animations = pairs.iter().map(|(_, animation)| animation).collect::<HashSet<_>>().len();
        (self.pairs, self.misfits) = (pairs.len(), misfits);
    }

    fn find_unused(&self) -> Vec<ModFile<'m>> {
        let used: HashSet<&str> = self.models.values().map(|model| model.file.name).collect();
        let all = [("art/meshes/", ".pmd"), ("art/animation/", ".psa")];
        let all = all.into_iter().flat_map(|(folder, end)| self.mods.files(folder, end));
        all.filter(|file| !used.contains(file.name)).collect()
    }

    /// The file that a part means; `None` if it is missing. O(1).
    pub fn file(&self, part: &Part) -> Option<ModFile<'m>> {
        match part.kind {
            PartKind::Mesh | PartKind::Animation => self.models.get(&part.file).map(|model| model.file),
            PartKind::Texture => self.mods.texture(&part.file),
            PartKind::Prop | PartKind::Variant | PartKind::Level => self.mods.file(&part.file),
        }
    }

    /// The meshes and animations that actors name: the path of the source, and the file.
    pub(crate) fn models(&self) -> impl Iterator<Item = (&str, ModFile<'m>)> {
        self.models.iter().map(|(source, model)| (source.as_str(), model.file))
    }

    /// The number of bones of a mesh or an animation that actors name.
    pub(super) fn bones_of(&self, source: &str) -> Option<usize> {
        self.models.get(source)?.bones.as_ref().ok()?.and_then(|bones| bones.try_into().ok())
    }

    /// The number of bones of a part that is there; `None` for what has no bones, and for a source that the game converts. O(1).
    pub(super) fn bones(&self, part: &Part) -> Result<Option<u64>, &Fault> {
        if let Some(fault) = self.broken_variants.get(part.file.as_str()).filter(|_| part.kind == PartKind::Variant) {
            return Err(fault);
        }
        self.models.get(&part.file).map_or(Ok(None), |model| model.bones.as_ref().map(|bones| *bones))
    }

    /// The meshes of an actor for which the engine refuses an animation, and their bones. O(meshes of the actor).
    pub(super) fn misfits<'u>(&self, unit: &'u Unit, animation: &Part) -> Vec<(&'u str, u64)> {
        let model = self.models.get(&animation.file).filter(|_| animation.kind == PartKind::Animation);
        let bones =
            |mesh: &'u Part| Some((mesh.file.as_str(), refused_by_engine(self.models.get(&mesh.file)?, model?)?));
        unit.of_kind(PartKind::Mesh).filter_map(bones).collect()
    }
}

/// The bones of a mesh for which the engine refuses an animation: it compares the numbers of bones and nothing else. Whether the animation
/// can play on the mesh is another question, which [`Match::can_play`](skelmap::Match::can_play) answers.
fn refused_by_engine(mesh: &Model<'_>, animation: &Model<'_>) -> Option<u64> {
    let (Ok(Some(of_mesh)), Ok(Some(of_animation))) = (&mesh.bones, &animation.bones) else { return None };
    (of_mesh != of_animation).then_some(*of_mesh)
}

fn broken_skeletons(mods: &Mods) -> Vec<(ModFile<'_>, Fault)> {
    let fault = |file: &ModFile<'_>| {
        let read = mods.read(*file).and_then(|bytes| Ok(parse_skeletons(&bytes).map(drop)?));
        read.err()
    };
    let files = mods.files("art/skeletons/", ".xml");
    files.into_par_iter().filter_map(|file| Some((file, fault(&file)?))).collect()
}

/// The models that units name.
fn models<'m>(mods: &'m Mods, units: &[Unit], options: &ParseOptions) -> HashMap<String, Model<'m>> {
    let mut files = HashMap::new();
    for part in units.iter().flat_map(|unit| &unit.parts) {
        let extension = match part.kind {
            PartKind::Mesh => "pmd",
            PartKind::Animation => "psa",
            _ => continue,
        };
        if !files.contains_key(&part.file) {
            if let Some(file) = mods.built(&part.file, extension) {
                files.insert(part.file.clone(), file);
            }
        }
    }
    let read = |(name, file): (String, ModFile<'m>)| {
        let is_source = file.name.rsplit('.').next() == Some("dae");
        let bones = if is_source { Ok(None) } else { mods.bones(file, *options) };
        (name, Model { file, bones })
    };
    files.into_par_iter().map(read).collect()
}

#[cfg(all(test, unix))]
mod tests {
    use std::fs;

    use skelmap::archive::Limits;
    use skelmap::mapping::Opener;

    use super::*;

    #[test]
    fn texts_that_the_system_cannot_read_are_told_apart_from_those_that_are_no_xml() {
        let root = tempfile::tempdir().expect("a folder");
        let actor = |name: &str| root.path().join("art/actors").join(name);
        fs::create_dir_all(actor("")).expect("a folder");
        for (name, text) in [("a.xml", ""), ("b.xml", "<actor"), ("c.xml", "<actor/>")] {
            fs::write(actor(name), text).expect("written");
        }
        let mods = Mods::open(&[root.path().to_owned()], &Opener::reading(), &Limits::default()).expect("a mod");
        // What was a file is a link to itself now.
        fs::remove_file(actor("a.xml")).expect("removed");
        std::os::unix::fs::symlink("a.xml", actor("a.xml")).expect("a link");
        let survey = Survey::of(&mods, &ParseOptions::default());
        assert_eq!(survey.unread().map(|(file, _)| file).collect::<Vec<_>>(), ["art/actors/a.xml"]);
        assert_eq!(survey.units.iter().filter(|unit| unit.fault.is_some()).count(), 2);
    }
}
