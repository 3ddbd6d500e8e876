//! A file for each actor of 0 A.D., with its props.

use std::collections::{HashMap, HashSet};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;

use rayon::prelude::*;
use skelmap::archive::EntryName;
use skelmap::pyrogenesis::skeleton::StandardSkeleton;

use super::error::ConvertError;
use super::jobs::{Job, Plan, add_note};
use super::options::ConvertOptions;
use crate::mods::{Figure, ModFile, Mods, Survey, Wardrobe};
use crate::names::Taken;
use crate::pair::{Dress, Evidence, Found, Member, is_moving};
use crate::walk::Patterns;
use crate::{Run, Source};

/// The actors that are converted, and the files that they are made of.
#[derive(Debug)]
pub(super) struct Cast<'m> {
    /// Each actor, its model, and the name of its output.
    figures: Vec<(ModFile<'m>, Arc<Figure<'m>>, PathBuf)>,
    files: Vec<Found<'m>>,
    /// The numbers of the files, by name.
    numbers: HashMap<&'m str, usize>,
    /// The skeletons of meshes, by name.
    skeletons: HashMap<&'m str, Arc<StandardSkeleton>>,
    /// Actors that are not there or cannot be read.
    broken: Vec<String>,
}

/// The patterns for the names of actors, without their extension. A pattern without a slash is compared with the last part of a name.
fn patterns(given: &[String]) -> Result<Patterns, ConvertError> {
    let path = |given: &String| {
        let (not, pattern) = given.strip_prefix('!').map_or(("", given.as_str()), |pattern| ("!", pattern));
        let pattern = pattern.strip_suffix(".xml").unwrap_or(pattern);
        if pattern.trim().is_empty() {
            return Err(ConvertError::Actors("the name of an actor is empty".to_owned()));
        }
        Ok(if pattern.contains('/') { format!("{not}{pattern}") } else { format!("{not}**/{pattern}") })
    };
    let paths = given.iter().map(path).collect::<Result<Vec<_>, _>>()?;
    Patterns::new(&paths, true).map_err(|error| ConvertError::Actors(error.to_string()))
}

/// The jobs of props, by their models: those without a mesh have none.
type Props<'s, 'm> = HashMap<*const Figure<'m>, Option<Arc<Job<'s>>>>;

impl<'m> Cast<'m> {
    /// Reads the actors that the options ask for.
    ///
    /// # Errors
    /// A pattern without a meaning, or without an actor; a system that starts no thread.
    pub(super) fn of(
        mods: &'m Mods,
        options: &ConvertOptions,
        source: &Source,
        jobs: Option<NonZeroUsize>,
    ) -> Result<Self, ConvertError> {
        let name = |file: &ModFile<'m>| file.name.trim_end_matches(".xml");
        let all = mods.files("art/actors/", ".xml");
        let wanted = patterns(&options.actors)?;
        let asked: Vec<_> = all.iter().filter(|file| wanted.has(name(file))).copied().collect();
        if all.is_empty() {
            return Err(ConvertError::Actors("there are no actors (art/actors/**/*.xml)".to_owned()));
        }
        if asked.is_empty() {
            return Err(ConvertError::Actors(format!("no actor is called {}", options.actors.join(" or "))));
        }
        let mut own = Self {
            figures: Vec::new(),
            files: Vec::new(),
            numbers: HashMap::new(),
            skeletons: HashMap::new(),
            broken: Vec::new(),
        };
        for pattern in options.actors.iter().filter(|pattern| !pattern.starts_with('!')) {
            let alone = patterns(std::slice::from_ref(pattern))?;
            if !all.iter().any(|file| alone.has(name(file))) {
                own.broken.push(format!("no actor is called {pattern}"));
            }
        }
        // One after the other, so that every run reaches the limits with the same actor.
        let mut wardrobe = Wardrobe::new(mods, &options.variants);
        let mut seen = HashSet::new();
        let mut meshes = HashMap::new();
        for file in asked {
            match wardrobe.figure(file.name) {
                Ok(figure) if figure.mesh.is_some() => {
                    // A relative path that stays below any folder, as all paths of mods.
                    let output = EntryName::new(name(&file).as_bytes()).to_safe_path().ok();
                    let Some(output) = output.filter(|_| !name(&file).ends_with('/')) else {
                        own.broken.push(format!("{}: no output can have the name", file.name));
                        continue;
                    };
                    own.add(&figure, &mut meshes, &mut seen);
                    own.figures.push((file, figure, output.into()));
                }
                // Without a fault, it is a source of light or smoke.
                Ok(figure) => own.broken.extend(figure.faults.first().map(|why| format!("{}: {why}", file.name))),
                Err(fault) => own.broken.push(format!("{}: {}", file.name, fault.message)),
            }
        }
        own.broken.extend(wardrobe.unknown_names().map(|name| format!("no actor has a variant {name}")));
        Run { jobs, watch: None }.in_pool(usize::MAX, || {
            let survey = Survey::of(mods, &source.parse);
            let namer = survey.namer();
            let named = |(name, source_of): (&'m str, String)| Some((name, namer.decide(&source_of, &source.parse)?));
            own.skeletons = meshes.into_par_iter().filter_map(named).collect();
        })?;
        if own.figures.is_empty() && own.broken.is_empty() {
            return Err(ConvertError::Actors("the actors have no meshes".to_owned()));
        }
        Ok(own)
    }

    /// Adds the files of a model and of its props. `meshes`: the sources, by the names of the files.
    fn add(
        &mut self,
        figure: &Arc<Figure<'m>>,
        meshes: &mut HashMap<&'m str, String>,
        seen: &mut HashSet<*const Figure<'m>>,
    ) {
        if !seen.insert(Arc::as_ptr(figure)) {
            return;
        }
        if let Some((source, mesh)) = &figure.mesh {
            meshes.entry(mesh.name).or_insert_with(|| source.clone());
        }
        let mesh = figure.mesh.iter().map(|(_, mesh)| mesh);
        for file in mesh.chain(figure.animations.iter().map(|(_, animation)| animation)) {
            if !self.numbers.contains_key(file.name) {
                if let Some(found) = Found::of_mod(file.item()) {
                    self.numbers.insert(file.name, self.files.len());
                    self.files.push(found);
                }
            }
        }
        figure.props.iter().for_each(|(_, prop)| self.add(prop, meshes, seen));
    }

    fn found(&self, file: &ModFile<'_>) -> Option<&Found<'m>> {
        self.files.get(*self.numbers.get(file.name)?)
    }

    /// A job for each actor.
    pub(super) fn plan<'s>(&'s self, taken: &mut Taken) -> Plan<'s>
    where
        'm: 's,
    {
        let mut props = HashMap::new();
        let job = |(file, figure, output): &'s (ModFile<'m>, Arc<Figure<'m>>, PathBuf)| {
            let mut job = self.job(figure, &mut props)?;
            job.name(file.address(), output.clone(), taken);
            Some(job)
        };
        Plan {
            jobs: self.figures.iter().filter_map(job).collect(),
            unused: Vec::new(),
            refused: Vec::new(),
            faults: Vec::new(),
        }
    }

    /// `known`: the jobs of props that were made before.
    fn job<'s>(&'s self, figure: &'s Figure<'m>, known: &mut Props<'s, 'm>) -> Option<Job<'s>>
    where
        'm: 's,
    {
        let (_, mesh) = figure.mesh.as_ref()?;
        let mut members: Vec<Member<'s>> = Vec::new();
        let mut numbers: HashMap<&str, usize> = HashMap::new();
        for (name, file) in &figure.animations {
            let Some(animation) = self.found(file) else { continue };
            let number = *numbers.entry(file.name).or_insert(members.len());
            if number == members.len() {
                members.push(Member { animation, evidence: Evidence::Actor, names: Vec::new() });
            }
            members.get_mut(number).into_iter().for_each(|member| member.names.push(name.clone()));
        }
        members.sort_by_key(|member| is_moving(&member.names));
        let dress = Dress {
            texture: figure.texture.map(|texture| texture.address()),
            is_transparent: figure.is_transparent,
            skeleton: self.skeletons.get(mesh.name).cloned(),
        };
        let mut job = Job::of_actor(self.found(mesh)?, members.into(), dress);
        figure.faults.iter().for_each(|fault| add_note(&mut job.notes, fault.clone()));
        for (point, prop) in &figure.props {
            let own = known.get(&Arc::as_ptr(prop)).cloned();
            let own = own.unwrap_or_else(|| self.job(prop, known).map(Arc::new));
            known.insert(Arc::as_ptr(prop), own.clone());
            let notes = own.as_ref().map_or(&prop.faults, |own| &own.notes);
            for note in notes {
                add_note(&mut job.notes, format!("{point}: {note}"));
            }
            job.props.extend(own.map(|own| (point.clone(), own)));
        }
        Some(job)
    }

    /// The actors that are not there or cannot be read, and why.
    pub(super) fn broken(&self) -> &[String] {
        &self.broken
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_actor_without_a_mesh_has_no_output_and_is_told_only_with_a_fault() {
        let root = tempfile::tempdir().expect("a folder");
        let actors = root.path().join("art/actors");
        std::fs::create_dir_all(&actors).expect("made");
        let actor = |variant: &str| format!("<actor version='1'><group><variant>{variant}</variant></group></actor>");
        std::fs::write(actors.join("smoke.xml"), actor("")).expect("written");
        std::fs::write(actors.join("horse.xml"), actor("<mesh>horse.dae</mesh>")).expect("written");
        let source = Source::default();
        let mods = Mods::open(&[root.path().to_owned()], &source.opener, &source.limits).expect("a mod");
        let of = |name: &str| {
            let options = ConvertOptions { actors: vec![name.to_owned()], ..ConvertOptions::default() };
            Cast::of(&mods, &options, &source, None).map(|cast| (cast.figures.len(), cast.broken))
        };
        assert_eq!(of("smoke").expect_err("no output").to_string(), "the actors have no meshes");
        let broken = "art/actors/horse.xml: art/meshes/horse.dae is missing".to_owned();
        assert_eq!(of("horse").expect("what is missing"), (0, vec![broken]));
    }
}
