//! A file for each actor of 0 A.D., with its props.

use std::collections::HashMap;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;

use rayon::prelude::*;
use skelmap::archive::{Address, EntryName};
use skelmap::pyrogenesis::skeleton::StandardSkeleton;

use super::error::ConvertError;
use super::jobs::{Job, Plan};
use super::names::Taken;
use super::options::ConvertOptions;
use crate::mods::{Figure, ModFile, Mods, Survey, Wardrobe};
use crate::pair::{Dress, Evidence, Found, Member, is_moving};
use crate::walk::Patterns;
use crate::{Run, Source};

/// The actors that are converted, and the files that they are made of.
#[derive(Debug)]
pub(super) struct Cast<'m> {
    /// Each actor and its model.
    figures: Vec<(ModFile<'m>, Figure<'m>)>,
    files: Vec<Found<'m>>,
    /// The numbers of the files, by name.
    numbers: HashMap<&'m str, usize>,
    /// The skeletons of meshes, by name.
    skeletons: HashMap<&'m str, Arc<StandardSkeleton>>,
    /// Actors that are not there or cannot be read.
    broken: Vec<String>,
}

/// The most notes of an actor.
const MAX_NOTES: usize = 16;

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
        let patterns = Patterns::new(&options.actors, true).map_err(|error| ConvertError::Actors(error.to_string()))?;
        let is_asked = |file: &ModFile<'m>| patterns.has(file.name) || patterns.has(file.name.trim_end_matches(".xml"));
        let mut asked = mods.files("art/actors/", ".xml");
        asked.retain(is_asked);
        if asked.is_empty() {
            return Err(ConvertError::Actors(format!("no actor is called {}", options.actors.join(" or "))));
        }
        let has_none = |pattern: &&String| {
            let own = Patterns::new(std::slice::from_ref(pattern), true);
            own.is_ok_and(|own| {
                !asked.iter().any(|file| own.has(file.name) || own.has(file.name.trim_end_matches(".xml")))
            })
        };
        let missing = options.actors.iter().filter(has_none).map(|pattern| format!("no actor is called {pattern}"));
        let missing = missing.collect();
        let wardrobe = Wardrobe::new(mods);
        let mut own = Self {
            figures: Vec::new(),
            files: Vec::new(),
            numbers: HashMap::new(),
            skeletons: HashMap::new(),
            broken: missing,
        };
        Run { jobs, watch: None }.in_pool(usize::MAX, || {
            let figure = |file: ModFile<'m>| (file, wardrobe.figure(file.name, &options.variants));
            let mut meshes = HashMap::new();
            for (file, figure) in asked.into_par_iter().map(figure).collect::<Vec<_>>() {
                match figure {
                    Ok(figure) if figure.mesh.is_some() => {
                        own.add(&figure, &mut meshes);
                        own.figures.push((file, figure));
                    }
                    // Without a fault, it is a source of light or smoke.
                    Ok(figure) => own.broken.extend(figure.faults.first().map(|why| format!("{}: {why}", file.name))),
                    Err(fault) => own.broken.push(format!("{}: {}", file.name, fault.message)),
                }
            }
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
    fn add(&mut self, figure: &Figure<'m>, meshes: &mut HashMap<&'m str, String>) {
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
        figure.props.iter().for_each(|(_, prop)| self.add(prop, meshes));
    }

    fn found(&self, file: &ModFile<'_>) -> Option<&Found<'m>> {
        self.files.get(*self.numbers.get(file.name)?)
    }

    /// A job for each actor.
    pub(super) fn plan<'s>(&'s self, mut taken: Taken) -> Plan<'s>
    where
        'm: 's,
    {
        let job = |(file, figure): &'s (ModFile<'m>, Figure<'m>)| {
            // A relative path that stays below any folder, as all paths of mods.
            let name = EntryName::new(file.name.trim_end_matches(".xml").as_bytes()).to_safe_path().ok()?;
            self.job(figure, Some((file.address(), name.into())), &mut taken)
        };
        Plan { jobs: self.figures.iter().filter_map(job).collect(), unused: 0, refused: Vec::new(), faults: Vec::new() }
    }

    fn job<'s>(
        &'s self,
        figure: &'s Figure<'m>,
        actor: Option<(Address, PathBuf)>,
        taken: &mut Taken,
    ) -> Option<Job<'s>>
    where
        'm: 's,
    {
        let (_, mesh) = figure.mesh.as_ref()?;
        let mut members: Vec<Member<'s>> = Vec::new();
        let mut known: HashMap<&str, usize> = HashMap::new();
        for (name, file) in &figure.animations {
            let Some(animation) = self.found(file) else { continue };
            let number = *known.entry(file.name).or_insert(members.len());
            if number == members.len() {
                members.push(Member { animation, evidence: Evidence::Actor, names: Vec::new() });
            }
            members.get_mut(number).into_iter().for_each(|member| member.names.push(name.clone()));
        }
        members.sort_by_key(|member| is_moving(&member.names));
        let dress = Dress {
            texture: figure.texture.map(|texture| texture.address()),
            skeleton: self.skeletons.get(mesh.name).cloned(),
        };
        let mut job = Job::of_actor(self.found(mesh)?, members.into(), dress, actor, taken);
        job.notes.extend(figure.faults.iter().take(MAX_NOTES).cloned());
        job.notes.dedup();
        for (point, prop) in &figure.props {
            let mut own = self.job(prop, None, taken);
            let notes = own.as_mut().map_or_else(|| prop.faults.clone(), |own| std::mem::take(&mut own.notes));
            for note in notes.into_iter().map(|note| format!("{point}: {note}")) {
                if job.notes.len() < MAX_NOTES && !job.notes.contains(&note) {
                    job.notes.push(note);
                }
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
