//! The two sides of a comparison: meshes in memory, and where the animations are.

use std::path::PathBuf;

use skelmap::archive::Address;
use skelmap::{Code, codes};
use skelmap_batch::items::{Fault, Item, Loaded, Sources};

use super::Match;
use crate::files::{self, Source};
use crate::outcome::Failure;
use crate::output::complain;
use skelmap_batch::pair::{Joins, Known, KnownError, Model};

/// The meshes, and where the animations are.
pub(super) struct Sides {
    pub(super) models: Vec<Model>,
    pub(super) animations: Sources,
    /// What actors of mods join, if the best mesh is asked for.
    pub(super) joins: Joins,
    /// What could not be read while meshes were looked for.
    pub(super) unread: Vec<Failure>,
}

impl Sides {
    /// The first path has the meshes and the others the animations; or the other way round, if the first has no mesh.
    pub(super) fn of(arguments: &Match, source: &Source) -> Result<Self, Failure> {
        let Match { mesh, inputs, .. } = arguments;
        let first = files::find_at(source, std::slice::from_ref(mesh), &inputs.choosing.without_globs())?;
        let (found, unread) = match first.items() {
            // A file by itself has to be read.
            [item] if item.is_named() => {
                let loaded = files::load(source, mesh)?;
                let asset = files::asset(&loaded, mesh)?;
                (Model::of(Address::find(mesh), &asset).into_iter().collect(), Vec::new())
            }
            _ => models(&first, arguments, source)?,
        };
        let others = files::find(source, inputs)?;
        if !found.is_empty() {
            return Self::known(found, others, unread, arguments, source);
        }
        let (found, unread) = models(&others, arguments, source)?;
        if found.is_empty() {
            let message = "no mesh: expected a mesh and animations, or an animation and meshes";
            return Err(Failure::usage(message).in_file(mesh));
        }
        Self::known(found, first, unread, arguments, source)
    }

    /// The meshes with what their mods say of them.
    fn known(
        mut models: Vec<Model>,
        animations: Sources,
        unread: Vec<Failure>,
        arguments: &Match,
        source: &Source,
    ) -> Result<Self, Failure> {
        let mut skeletons = Known::of(&arguments.mods, source).map_err(|error| match error {
            KnownError::Empty => Failure::nothing_read(format!("--mod: {error}")),
            error => Failure::nothing_read(error),
        })?;
        for model in models.iter_mut().filter(|model| model.has_distances()) {
            model.skeletons = skeletons.of_mesh(&model.address, source);
        }
        let joins = arguments.best.then(|| Joins::new(&models, arguments.inputs.jobs, source));
        let joins = joins.transpose().map_err(Failure::Output)?.unwrap_or_default();
        let is_new = |path: &PathBuf| skeletons.faults.iter().all(|(own, _)| own != path);
        let of_actors = joins.faults.iter().filter(|(path, _)| is_new(path));
        for (path, fault) in skeletons.faults.iter().chain(of_actors) {
            complain(format!("{}: {}", path.display(), fault.message));
        }
        Ok(Self { models, animations, joins, unread })
    }
}

/// The meshes among many files, and what cannot be read.
fn models(sources: &Sources, arguments: &Match, source: &Source) -> Result<(Vec<Model>, Vec<Failure>), Failure> {
    let (mut models, mut unread) = (Vec::new(), Vec::new());
    let work = |item: &Item, opened: Result<Loaded, Fault>| {
        let address = item.address();
        match read(item, &opened)? {
            Ok(asset) if asset.format().is_mesh() => Model::of(address, &asset).map(Ok),
            Ok(_) => None,
            Err(unread) => Some(Err(unread)),
        }
    };
    files::each_of(sources, arguments.inputs.jobs, source, work, |found| {
        match found {
            Ok(model) => models.push(model),
            Err(own) => unread.push(own),
        }
        Ok(())
    })?;
    Ok((models, unread))
}

/// The asset of an item; `None` for a file of another program, which may have such a name.
pub(super) fn read<'a>(item: &Item, opened: &'a Result<Loaded, Fault>) -> Option<Result<skelmap::Asset<'a>, Failure>> {
    let address = item.address();
    let loaded = match opened {
        Ok(loaded) => loaded,
        Err(fault) => return Some(Err(Failure::nothing_read(format!("{address}: {}", fault.message)))),
    };
    match loaded.asset() {
        Ok(asset) => Some(Ok(asset)),
        Err(error) if !item.is_named() && is_foreign(error.code()) => None,
        Err(error) => Some(Err(Failure::findings(format!("{address}: {error}")))),
    }
}

/// Whether a code says that a file is of no format that is read.
fn is_foreign(code: Code) -> bool {
    [codes::UNKNOWN_FORMAT, codes::UNSUPPORTED_FORMAT].contains(&code)
}
