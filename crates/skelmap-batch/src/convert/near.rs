//! The files near a mesh, by name: in its folder, in the folders in it and in those beside it, or in its archive.

use std::collections::HashMap;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use skelmap::archive::{Address, OpenArchive};

use super::images::{EXTENSIONS, ImageError, NOT_DECODED};
use super::names::stem;
use crate::Source;

/// The largest text that is read.
const MAX_TEXT: u64 = 1 << 20;

/// Files by their names in lower case, without what caches add. There may be several of a name in different folders.
type Listed = HashMap<String, Vec<PathBuf>>;

/// An archive, if it can be opened, and its entries.
type Entries = (Option<OpenArchive>, Listed);

/// Lists of files that are made once each, for all meshes of a run.
#[derive(Default)]
pub(super) struct Lists {
    /// The files in a folder, and those in the folders in it.
    own: Mutex<HashMap<PathBuf, Arc<Listed>>>,
    below: Mutex<HashMap<PathBuf, Arc<Listed>>>,
    archives: Mutex<HashMap<PathBuf, Arc<Entries>>>,
}

/// The files near a mesh.
pub(super) enum Near {
    /// The nearest first.
    Folders(Vec<Arc<Listed>>),
    Archive(Arc<Entries>, PathBuf),
}

impl Lists {
    pub(super) fn near(&self, address: &Address, source: &Source) -> Near {
        if let Some(entry) = address.entry() {
            let list = known(&self.archives, address.path(), |path| {
                // Of an archive in a store, nothing near is looked for: it would be read as a whole.
                let open = || OpenArchive::open(path, &source.opener, &source.limits).ok();
                let archive = path.is_file().then(open).flatten();
                let names =
                    archive.iter().flat_map(|archive| archive.entries()).map(|entry| entry.name().to_string().into());
                let listed = by_name(names.collect());
                (archive, listed)
            });
            return Near::Archive(list, entry.into());
        }
        let folder = address.path().parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let mut lists = vec![
            known(&self.own, folder, |folder| by_name(files_in(folder))),
            known(&self.below, folder, |folder| by_name(files_below(folder))),
        ];
        if let Some(above) = folder.canonicalize().ok().and_then(|folder| Some(folder.parent()?.to_owned())) {
            lists.push(known(&self.below, &above, |folder| by_name(files_below(folder))));
        }
        Near::Folders(lists)
    }
}

/// The list of a place, made if it is not known yet.
fn known<L>(lists: &Mutex<HashMap<PathBuf, Arc<L>>>, place: &Path, list: impl FnOnce(&Path) -> L) -> Arc<L> {
    let lock = || lists.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = lock().get(place) {
        return Arc::clone(known);
    }
    let made = Arc::new(list(place));
    Arc::clone(lock().entry(place.to_owned()).or_insert(made))
}

impl Near {
    /// The image of a name: directly, or by a material file.
    pub(super) fn texture(&self, name: &str) -> Option<PathBuf> {
        let by_material = self.text(&format!("{name}.mat")).and_then(|text| {
            let value = |line: &str| line.trim().strip_prefix("Diffuse=").map(|value| value.trim().to_owned());
            self.image(&text.lines().find_map(value)?)
        });
        by_material.or_else(|| self.image(name))
    }

    /// The nearest image of a name; of equally near ones, that of the preferred kind.
    ///
    /// An image that this build cannot decode is the last choice: the report names it.
    fn image(&self, name: &str) -> Option<PathBuf> {
        let (others, decoded): (Vec<_>, Vec<_>) = EXTENSIONS.iter().partition(|own| NOT_DECODED.contains(own));
        [decoded, others].iter().find_map(|extensions| self.image_of(name, extensions))
    }

    fn image_of(&self, name: &str, extensions: &[&str]) -> Option<PathBuf> {
        let names = || extensions.iter().map(|extension| format!("{name}.{extension}").to_lowercase());
        match self {
            Self::Folders(lists) => {
                let first = |list: &Arc<Listed>| names().find_map(|name| list.get(&name)?.first().cloned());
                lists.iter().find_map(first)
            }
            Self::Archive(list, mesh) => {
                let all = names().flat_map(|name| list.1.get(&name).into_iter().flatten().collect::<Vec<_>>());
                all.enumerate()
                    .max_by_key(|(index, path)| (in_common(path, mesh), std::cmp::Reverse(*index)))
                    .map(|(_, path)| path.clone())
            }
        }
    }

    /// The text of the nearest file of a name.
    pub(super) fn text(&self, name: &str) -> Option<String> {
        let name = name.to_lowercase();
        let path = match self {
            Self::Folders(lists) => lists.iter().find_map(|list| list.get(&name)?.first().cloned()),
            Self::Archive(list, mesh) => list.1.get(&name)?.iter().max_by_key(|path| in_common(path, mesh)).cloned(),
        };
        let bytes = self.read(&path?, MAX_TEXT).ok()?;
        Some(String::from_utf8_lossy(&bytes).into_owned())
    }

    pub(super) fn read(&self, path: &Path, most: u64) -> Result<Vec<u8>, ImageError> {
        let archive = match self {
            Self::Folders(_) => return read(path, most),
            Self::Archive(list, _) => list.0.as_ref().ok_or("the archive cannot be opened")?,
        };
        let entry = archive.entry(&path.to_string_lossy())?;
        if entry.size() > most {
            return Err(too_large(most));
        }
        Ok(archive.open_entry(&entry)?.to_vec())
    }
}

/// The number of folders that two entries have in common.
fn in_common(one: &Path, other: &Path) -> usize {
    one.components().zip(other.components()).take_while(|(one, other)| one == other).count()
}

/// The files in a folder, in the order of their names. Links count as files.
fn files_in(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let files = entries.filter(|entry| entry.file_type().is_ok_and(|kind| !kind.is_dir()));
    let mut files: Vec<PathBuf> = files.map(|entry| entry.path()).collect();
    files.sort();
    files
}

/// The files in the folders in a folder.
fn files_below(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let folders = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
    let mut folders: Vec<PathBuf> = folders.map(|entry| entry.path()).collect();
    folders.sort();
    folders.iter().flat_map(|folder| files_in(folder)).collect()
}

/// Only what textures may be found by: images and texts.
fn by_name(paths: Vec<PathBuf>) -> Listed {
    let mut files = Listed::new();
    for path in paths {
        let extension = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
        let name = match extension.as_str() {
            "txt" | "mat" | "uc" => path.file_name().unwrap_or_default().to_string_lossy().to_lowercase(),
            // Caches add to a name: `horse.png.cached.dds` is an image of the name `horse`.
            _ if EXTENSIONS.contains(&extension.as_str()) => format!("{}.{extension}", stem(&path).to_lowercase()),
            _ => continue,
        };
        files.entry(name).or_default().push(path);
    }
    files
}

/// Reads a regular file.
pub(super) fn read(path: &Path, most: u64) -> Result<Vec<u8>, ImageError> {
    let metadata = path.metadata()?;
    if !metadata.is_file() {
        return Err("is no regular file".into());
    }
    let mut bytes = Vec::new();
    fs::File::open(path).and_then(|file| file.take(most + 1).read_to_end(&mut bytes))?;
    if bytes.len() as u64 > most {
        return Err(too_large(most));
    }
    Ok(bytes)
}

fn too_large(most: u64) -> ImageError {
    format!("is larger than {}", crate::text::size(most)).into()
}
