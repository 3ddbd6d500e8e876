//! A list of mods, in which later ones hide the files of those before.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use super::container::{Container, MANIFEST, is_below};
use super::{codes, manifest};
use crate::items::Fault;
use skelmap::Headers;
use skelmap::ParseOptions;
use skelmap::archive::{Address, Limits};
use skelmap::mapping::{Mapping, Opener};

/// A list of mods. A file of a later mod hides those of the same path in the mods before it, as in the game.
///
/// ```no_run
/// use skelmap::mapping::Opener;
/// use skelmap_batch::mods::{Mods, Survey};
///
/// let mods = Mods::open(&["public.zip".into(), "mymod".into()], &Opener::reading(), &Default::default())
///     .map_err(|(path, fault)| format!("{}: {}", path.display(), fault.message))?;
/// let survey = Survey::of(&mods, &Default::default());
/// println!("{} pairs of meshes and animations", survey.pairs);
/// # Ok::<(), String>(())
/// ```
#[derive(Debug)]
pub struct Mods {
    mods: Vec<Manifest>,
    containers: Vec<Container>,
    files: HashMap<String, Place>,
    opener: Opener,
}

/// A mod of the list, as its `mod.json` describes it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Manifest {
    /// The archive or folder.
    pub path: PathBuf,
    /// The name; `None` without `mod.json`.
    pub name: Option<String>,
    /// The mods that this one needs and that are not before it in the list, as `mod.json` names them.
    pub missing: Vec<String>,
    /// Why `mod.json` cannot be read.
    pub fault: Option<Fault>,
}

/// A file of a list of mods.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ModFile<'m> {
    name: &'m str,
    place: Place,
}

impl<'m> ModFile<'m> {
    /// The path below the mod's root: `art/actors/fauna/horse.xml`.
    pub const fn name(&self) -> &'m str {
        self.name
    }
}

/// Where a file lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Place {
    /// The mod.
    layer: u32,
    container: u32,
    entry: u32,
}

impl Mods {
    /// Opens archives, and folders with the files of a mod (`art/`, `mod.json`), with archives in them, or with both: then the files of the
    /// folder hide those of its archives. O(files).
    ///
    /// # Errors
    /// The first path that cannot be opened.
    pub fn open(paths: &[PathBuf], opener: &Opener, limits: &Limits) -> Result<Self, (PathBuf, Fault)> {
        let mut all = Self { mods: Vec::new(), containers: Vec::new(), files: HashMap::new(), opener: opener.clone() };
        for (path, layer) in paths.iter().zip(0..) {
            let containers = Container::open_all(path, opener, limits).map_err(|fault| (path.clone(), fault))?;
            all.files.remove(MANIFEST);
            for container in containers {
                all.add(layer, container);
            }
            let manifest = all.manifest(path);
            all.mods.push(manifest);
        }
        Ok(all)
    }

    fn add(&mut self, layer: u32, container: Container) {
        let names = container.names();
        if !names.deleted.is_empty() {
            self.files.retain(|path, _| !is_below(path, &names.deleted));
        }
        let index = u32::try_from(self.containers.len()).unwrap_or(u32::MAX);
        let files = names.files.into_iter();
        self.files.extend(files.map(|(name, entry)| (name, Place { layer, container: index, entry })));
        self.containers.push(container);
    }

    /// Reads `mod.json` of the mod that was added last.
    fn manifest(&self, path: &Path) -> Manifest {
        let mut found = Manifest { path: path.to_owned(), ..Manifest::default() };
        let Some(file) = self.file(MANIFEST) else { return found };
        let read = self.read(file).and_then(|bytes| {
            serde_json::from_slice::<manifest::Manifest>(&bytes).map_err(|error| Fault {
                kind: codes::INVALID_MOD_JSON.name(),
                section: None,
                offset: None,
                message: error.to_string(),
            })
        });
        match read {
            Ok(read) => {
                let is_there = |dependency: &String| {
                    let name = manifest::required(dependency);
                    self.mods.iter().any(|before| before.name.as_deref() == Some(name))
                };
                found.missing = read.dependencies.into_iter().filter(|dependency| !is_there(dependency)).collect();
                found.name = read.name;
            }
            Err(fault) => found.fault = Some(fault),
        }
        found
    }

    /// The mods, in the order of the list.
    pub fn manifests(&self) -> &[Manifest] {
        &self.mods
    }

    /// The file of a path below the root of the mods. O(1).
    pub fn file(&self, path: &str) -> Option<ModFile<'_>> {
        self.files.get_key_value(path).map(|(name, place)| ModFile { name, place: *place })
    }

    /// The files below a folder whose names end so, in name order. O(files).
    pub fn files(&self, folder: &str, end: &str) -> Vec<ModFile<'_>> {
        let is_one = |name: &&String| name.starts_with(folder) && name.ends_with(end);
        let mut found: Vec<_> = self.files.keys().filter(is_one).filter_map(|name| self.file(name)).collect();
        found.sort_unstable_by_key(ModFile::name);
        found
    }

    /// The file that the game reads for `source`, a file with another name in a finished mod: `horse.dae` is
    /// `horse.dae.cached.pmd` there, or `horse.pmd`. The latest mod decides. A source alone is found too: the game converts it.
    pub fn built(&self, source: &str, extension: &str) -> Option<ModFile<'_>> {
        let stem = source.rsplit_once('.').filter(|(_, end)| !end.contains('/')).map_or(source, |(stem, _)| stem);
        let cached = self.file(&format!("{stem}.dae.cached.{extension}"));
        let dae = self.file(&format!("{stem}.dae"));
        Self::later(cached, dae).or_else(|| self.file(&format!("{stem}.{extension}")))
    }

    /// The file of a texture: converted, or the source.
    pub fn texture(&self, source: &str) -> Option<ModFile<'_>> {
        Self::later(self.file(&format!("{source}.cached.dds")), self.file(source))
    }

    /// The file of the later mod; the first of two of one mod.
    fn later<'m>(one: Option<ModFile<'m>>, other: Option<ModFile<'m>>) -> Option<ModFile<'m>> {
        match (one, other) {
            (Some(one), Some(other)) if one.place.layer < other.place.layer => Some(other),
            (one, other) => one.or(other),
        }
    }

    fn container(&self, file: ModFile<'_>) -> Option<&Container> {
        self.containers.get(usize::try_from(file.place.container).ok()?)
    }

    /// Where a file lies.
    pub fn address(&self, file: ModFile<'_>) -> Address {
        let address = self.container(file).map(|container| container.address(file.name, file.place.entry));
        address.unwrap_or_else(|| Address::of_file(file.name))
    }

    /// The bytes of a text, of at most 1 MiB.
    ///
    /// # Errors
    /// What cannot be read.
    pub fn read(&self, file: ModFile<'_>) -> Result<Mapping<'static>, Fault> {
        let container = self.container(file).ok_or_else(not_found)?;
        container.read_text(file.name, file.place.entry, &self.opener)
    }

    pub(super) fn read_model(&self, file: ModFile<'_>) -> Result<Mapping<'static>, Fault> {
        let container = self.container(file).ok_or_else(not_found)?;
        container.read(file.name, file.place.entry, &self.opener)
    }

    /// The headers of a mesh or an animation.
    ///
    /// # Errors
    /// What cannot be read.
    pub fn headers(&self, file: ModFile<'_>, options: &ParseOptions) -> Result<Headers, Fault> {
        let container = self.container(file).ok_or_else(not_found)?;
        container.headers(file.name, file.place.entry, &self.opener, options)
    }
}

fn not_found() -> Fault {
    (&std::io::Error::from(std::io::ErrorKind::NotFound)).into()
}
