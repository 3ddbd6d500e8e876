//! A list of mods, in which later ones hide the files of those before.

use std::collections::BTreeMap;
use std::ops::Bound;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Deserialize;

use super::xml::MAX_XML_BYTES;
use crate::built::{cached_model, cached_texture};
use crate::codes;
use crate::items::{Fault, Item, Loaded, Options, Place, SharedArchive};
use crate::{Met, Walk};
use skelmap::ParseOptions;
use skelmap::archive::{Address, Limits, OpenArchive};
use skelmap::mapping::{Mapping, Opener};

/// The folder of a mod with what this module reads.
const ART: &str = "art/";
/// The description of a mod.
const MANIFEST: &str = "mod.json";
/// What the name of a file ends in that hides a file or folder of the mods before.
const DELETED: &str = ".DELETED";

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
    /// The files by their paths below the root of their mod, with the number of the mod.
    files: BTreeMap<String, (usize, Item)>,
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

/// What `mod.json` says.
#[derive(Debug, Default, Deserialize)]
struct ModJson {
    name: Option<String>,
    #[serde(default)]
    dependencies: Vec<String>,
}

/// A file of a list of mods.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct ModFile<'m> {
    /// The path below the mod's root: `art/actors/fauna/horse.xml`.
    pub name: &'m str,
    layer: usize,
    item: &'m Item,
}

impl<'m> ModFile<'m> {
    /// Where the file lies.
    pub fn address(&self) -> Address {
        self.item.address()
    }

    pub(crate) const fn item(&self) -> &'m Item {
        self.item
    }

    /// Bytes, as the directory of the archive or the file system states them.
    pub fn size(&self) -> u64 {
        self.item.size_hint()
    }
}

impl Mods {
    /// Opens archives, and folders with the files of a mod (`art/`, `mod.json`), with archives in them, or with both: then the files of the
    /// folder hide those of its archives. Links in a folder are not followed: a mod may come from anybody. O(files).
    ///
    /// # Errors
    /// The first path that cannot be opened.
    pub fn open(paths: &[PathBuf], opener: &Opener, limits: &Limits) -> Result<Self, (PathBuf, Fault)> {
        let mut all = Self { mods: Vec::new(), files: BTreeMap::new(), opener: opener.clone() };
        for path in paths {
            all.files.remove(MANIFEST);
            all.add(path, limits).map_err(|fault| (path.clone(), fault))?;
            let manifest = all.manifest(path);
            all.mods.push(manifest);
        }
        Ok(all)
    }

    /// Adds the files of an archive; or of the archives in a folder, and then those of the folder.
    fn add(&mut self, path: &Path, limits: &Limits) -> Result<(), Fault> {
        let is_folder = path.is_dir();
        let mut archives = vec![path.to_owned()];
        if is_folder {
            let entries = path.read_dir().and_then(Iterator::collect::<Result<Vec<_>, _>>);
            let files = entries?.into_iter().filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_file()));
            archives = files.map(|entry| entry.path()).collect();
            archives.retain(|path| path.extension().is_some_and(|end| end == "zip"));
            archives.sort();
        }
        for path in archives {
            let archive = OpenArchive::open(&path, &self.opener, limits)?;
            let archive = SharedArchive::new(archive.path().to_owned(), archive);
            self.hide(archive.archive.entries().filter_map(|entry| {
                let place = Place::Entry { archive: Arc::clone(&archive), entry: entry.index().try_into().ok()? };
                Some((entry.name().to_safe_path().ok()?, place))
            }));
        }
        if is_folder {
            let manifest = path.join(MANIFEST);
            let is_file = manifest.symlink_metadata().is_ok_and(|metadata| metadata.is_file());
            let manifest = is_file.then_some(Met::File(manifest));
            let mut failed = None;
            let walk = Walk { follow: false, ..Walk::all() };
            self.hide(walk.files(&path.join(ART)).chain(manifest).filter_map(|met| {
                let file = match met {
                    Met::File(file) => file,
                    // A link to nothing is no file.
                    Met::Failed { error, .. } if error.kind() != std::io::ErrorKind::NotFound => {
                        failed = Some(error);
                        return None;
                    }
                    _ => return None,
                };
                let parts = file.strip_prefix(path).ok()?.components().map(|part| part.as_os_str().to_str());
                Some((parts.collect::<Option<Vec<_>>>()?.join("/"), Place::File(file)))
            }));
            if let Some(error) = failed {
                return Err(error.into());
            }
        }
        Ok(())
    }

    /// Adds files, which hide those of the same name.
    fn hide(&mut self, files: impl Iterator<Item = (String, Place)>) {
        let files = files.filter(|(name, _)| name.starts_with(ART) || name == MANIFEST);
        let (deleted, files): (Vec<_>, Vec<_>) = files.partition(|(name, _)| name.ends_with(DELETED));
        for path in deleted.iter().filter_map(|(name, _)| name.strip_suffix(DELETED)) {
            self.files.remove(path);
            // `/` and the character after it.
            let below: Vec<String> =
                self.files.range(format!("{path}/")..format!("{path}0")).map(|(name, _)| name.clone()).collect();
            for name in below {
                self.files.remove(&name);
            }
        }
        let layer = self.mods.len();
        self.files.extend(files.into_iter().map(|(name, place)| (name, (layer, Item::new(place, true)))));
    }

    /// Reads `mod.json` of the mod that was added last.
    fn manifest(&self, path: &Path) -> Manifest {
        let mut found = Manifest { path: path.to_owned(), ..Manifest::default() };
        let Some(file) = self.file(MANIFEST) else { return found };
        let read = self.read(file).and_then(|bytes| {
            serde_json::from_slice::<ModJson>(&bytes).map_err(|error| Fault::new(codes::INVALID_MOD_JSON, &error))
        });
        match read {
            Ok(read) => {
                let is_there = |dependency: &String| {
                    // The name in a dependency: `0ad` in `0ad>=0.0.26`.
                    let name = dependency.split(['<', '>', '=']).next().unwrap_or_default().trim();
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

    /// The file of a path below the root of the mods. O(log files).
    pub fn file(&self, path: &str) -> Option<ModFile<'_>> {
        self.files.get_key_value(path).map(|(name, (layer, item))| ModFile { name, layer: *layer, item })
    }

    /// The files below a folder whose names end so, in name order. O(files in the folder).
    pub fn files(&self, folder: &str, end: &str) -> Vec<ModFile<'_>> {
        let below = self.files.range::<str, _>((Bound::Included(folder), Bound::Unbounded));
        let below = below.take_while(|(name, _)| name.starts_with(folder)).filter(|(name, _)| name.ends_with(end));
        below.map(|(name, (layer, item))| ModFile { name, layer: *layer, item }).collect()
    }

    /// The file that the game reads for `source`, a file with another name in a finished mod: `horse.dae` is
    /// `horse.dae.cached.pmd` there, or `horse.pmd`. The latest mod decides. A source alone is found too: the game converts it.
    pub fn built(&self, source: &str, extension: &str) -> Option<ModFile<'_>> {
        let stem = source.rsplit_once('.').filter(|(_, end)| !end.contains('/')).map_or(source, |(stem, _)| stem);
        let cached = self.file(&cached_model(stem, extension));
        let dae = self.file(&format!("{stem}.dae"));
        Self::later(cached, dae).or_else(|| self.file(&format!("{stem}.{extension}")))
    }

    /// The file of a texture: converted, or the source.
    pub fn texture(&self, source: &str) -> Option<ModFile<'_>> {
        Self::later(self.file(&cached_texture(source)), self.file(source))
    }

    /// The file of the later mod; the first of two of one mod.
    fn later<'m>(one: Option<ModFile<'m>>, other: Option<ModFile<'m>>) -> Option<ModFile<'m>> {
        match (one, other) {
            (Some(one), Some(other)) if one.layer < other.layer => Some(other),
            (one, other) => one.or(other),
        }
    }

    /// The bytes of a text, of at most 1 MiB.
    ///
    /// # Errors
    /// What cannot be read.
    pub fn read(&self, file: ModFile<'_>) -> Result<Mapping<'static>, Fault> {
        if file.item.size()? > MAX_XML_BYTES {
            let message = "is larger than 1 MiB, the limit for such files";
            return Err(std::io::Error::new(std::io::ErrorKind::FileTooLarge, message).into());
        }
        self.bytes(file)
    }

    /// The bytes of a file. Nobody named the files of a mod: one whose size is 0 is empty, and no file of the system without an end.
    fn bytes(&self, file: ModFile<'_>) -> Result<Mapping<'static>, Fault> {
        if file.item.size()? == 0 {
            return Ok(Mapping::from(Vec::new()));
        }
        file.item.open(&self.opener).unwrap_or_else(|| Err(not_found()))
    }

    /// The bytes of a mesh or an animation, parsed.
    ///
    /// # Errors
    /// What cannot be read. A fault of the format is in [`Loaded::asset`].
    pub fn load(&self, file: ModFile<'_>, options: &ParseOptions) -> Result<Loaded, Fault> {
        self.bytes(file).map(|bytes| Loaded::new(bytes, options))
    }

    /// The number of bones of a mesh or an animation, from its headers.
    pub(super) fn bones(&self, file: ModFile<'_>, parse: ParseOptions) -> Result<Option<u64>, Fault> {
        let row = file.item.row(&self.opener, &Options { parse, ..Options::default() }).ok_or_else(not_found)?;
        row.error.map_or(Ok(row.summary.bones), Err)
    }
}

fn not_found() -> Fault {
    std::io::Error::from(std::io::ErrorKind::NotFound).into()
}
