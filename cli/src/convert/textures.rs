//! The textures of a mesh: files with the names of its materials, in folders near the mesh or in its archive.
//!
//! A material `Body` is the image `Body.png` (or another format), or the image that `Diffuse=` names in `Body.mat`. Where the mesh `Fox` has a
//! `Fox.props.txt`, its lines with `Material =` name the materials; where it has a `Fox.uc`, its lines with `SETTEXTURE` name the images.
//! A mesh without names of materials has the image with its own name in its own folder.

use std::collections::HashMap;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use skelmap::archive::{Address, Archive};
use skelmap::gltf::Image;
use skelmap::model::Mesh;

use super::images::{EXTENSIONS, LARGEST, image};
use super::names::stem;
use crate::files::Source;

/// The most files that are looked at near a mesh.
const MOST_FILES: usize = 50_000;

/// The largest text that is read.
const LONGEST_TEXT: u64 = 1 << 20;

/// Finds the textures of meshes. Each folder and each archive is listed once.
pub(super) struct Textures<'s> {
    source: &'s Source,
    /// Images that the arguments give: for a material, or for all.
    given: Vec<(Option<String>, PathBuf)>,
    known: Mutex<HashMap<PathBuf, Arc<Near>>>,
}

/// The files near a mesh.
struct Near {
    /// The archive that the files are in.
    archive: Option<Archive>,
    /// By the name in lower case. There may be several of a name in different folders.
    files: HashMap<String, Vec<PathBuf>>,
}

/// The images of a mesh, and for each material its image.
#[derive(Default)]
pub(super) struct Found {
    pub(super) images: Vec<Image<'static>>,
    pub(super) textures: Vec<Option<usize>>,
    /// Images that cannot be used.
    pub(super) faults: Vec<String>,
}

impl<'s> Textures<'s> {
    /// `given`: paths, or a material, `=` and a path.
    pub(super) fn new(source: &'s Source, given: &[String]) -> Self {
        let split = |text: &String| match text.split_once('=') {
            Some((material, path)) if !Path::new(text).exists() => (Some(material.to_owned()), path.into()),
            _ => (None, text.into()),
        };
        Self { source, given: given.iter().map(split).collect(), known: Mutex::default() }
    }

    /// The textures of a mesh at an address.
    pub(super) fn find(&self, mesh: &Mesh<'_>, address: &Address) -> Found {
        let near = self.near(address);
        let mesh_path =
            PathBuf::from(address.entry().map_or_else(|| address.path().as_os_str(), |entry| entry.as_ref()));
        let own_name = stem(&mesh_path);
        let names: Vec<String> = (0..).map_while(|index| mesh.material(index)).map(|name| name.to_string()).collect();
        let slots = named_slots(&near, &mesh_path, &own_name);
        let mut found = Found::default();
        let mut indices: HashMap<PathBuf, Option<usize>> = HashMap::new();
        for slot in 0..names.len().max(1) {
            let material = names.get(slot);
            let given = self.given.iter().find(|(own, _)| match (own, material) {
                (Some(own), Some(material)) => own.trim_end().eq_ignore_ascii_case(material.trim_end()),
                (own, _) => own.is_none(),
            });
            let by_name = || {
                let mut candidates = slots.get(&slot).into_iter().flatten().chain(material);
                let found = candidates.find_map(|name| near.texture(name.trim_end(), &mesh_path));
                // A name alone says less than that of a material.
                let own = material.is_none().then(|| near.texture(&own_name, &mesh_path)).flatten();
                found.or_else(|| own.filter(|path| path.parent() == mesh_path.parent()))
            };
            let path = given.map_or_else(by_name, |(_, path)| Some(path.clone()));
            let index = path.and_then(|path| {
                *indices.entry(path.clone()).or_insert_with(|| {
                    let bytes = if given.is_some() { self.read_given(&path) } else { near.read(&path, LARGEST) };
                    let extension = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
                    match bytes.and_then(|bytes| image(stem(&path), &extension, bytes)) {
                        Ok(image) => found.images.push(image),
                        Err(error) => {
                            found.faults.push(format!("texture {}: {error}", path.display()));
                            return None;
                        }
                    }
                    Some(found.images.len() - 1)
                })
            });
            found.textures.push(index);
        }
        found
    }

    /// Reads an image that the arguments name: a file, or an entry of an archive.
    fn read_given(&self, path: &Path) -> Result<Vec<u8>, String> {
        let address = Address::find(path);
        if address.entry().is_none() {
            return read(path, LARGEST);
        }
        let bytes = address.open(&self.source.opener).map_err(|error| error.to_string())?;
        Ok(bytes.to_vec())
    }

    fn near(&self, address: &Address) -> Arc<Near> {
        let place = match address.entry() {
            Some(_) => address.path().to_owned(),
            None => address.path().parent().unwrap_or(Path::new("")).to_owned(),
        };
        let known = || self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(near) = known().get(&place) {
            return Arc::clone(near);
        }
        let near = Arc::new(if address.entry().is_some() {
            let archive = Archive::open_with(&place, &self.source.opener, &self.source.limits).ok();
            let names: Vec<_> = archive
                .iter()
                .flat_map(|archive| archive.entries())
                .map(|entry| entry.name().to_string().into())
                .collect();
            Near { archive, files: by_name(names) }
        } else {
            Near { archive: None, files: by_name(files_near(&place)) }
        });
        Arc::clone(known().entry(place).or_insert(near))
    }
}

impl Near {
    /// The image of a name: directly, or by a material file.
    fn texture(&self, name: &str, mesh: &Path) -> Option<PathBuf> {
        let by_material = self.text(&format!("{name}.mat"), mesh).and_then(|text| {
            let value = |line: &str| line.trim().strip_prefix("Diffuse=").map(|value| value.trim().to_owned());
            self.image(&text.lines().find_map(value)?, mesh)
        });
        by_material.or_else(|| self.image(name, mesh))
    }

    fn image(&self, name: &str, mesh: &Path) -> Option<PathBuf> {
        EXTENSIONS.iter().find_map(|extension| self.nearest(&format!("{name}.{extension}"), mesh)).cloned()
    }

    /// The file of a name whose folders have most in common with those of the mesh.
    fn nearest(&self, name: &str, mesh: &Path) -> Option<&PathBuf> {
        let common =
            |path: &PathBuf| path.components().zip(mesh.components()).take_while(|(one, other)| one == other).count();
        let all = self.files.get(&name.to_lowercase())?;
        all.iter()
            .enumerate()
            .max_by_key(|(index, path)| (common(path), std::cmp::Reverse(*index)))
            .map(|(_, path)| path)
    }

    fn text(&self, name: &str, mesh: &Path) -> Option<String> {
        let bytes = self.read(self.nearest(name, mesh)?, LONGEST_TEXT).ok()?;
        Some(String::from_utf8_lossy(&bytes).into_owned())
    }

    fn read(&self, path: &Path, most: u64) -> Result<Vec<u8>, String> {
        let Some(archive) = &self.archive else { return read(path, most) };
        let entry = archive.entry(&path.to_string_lossy()).map_err(|error| error.to_string())?;
        if entry.size() > most {
            return Err(format!("has {} bytes, more than {most}", entry.size()));
        }
        archive.open_entry(&entry).map(|bytes| bytes.to_vec()).map_err(|error| error.to_string())
    }
}

/// For each material the names that the files of other exporters give it.
fn named_slots(near: &Near, mesh: &Path, own_name: &str) -> HashMap<usize, Vec<String>> {
    let mut slots: HashMap<usize, Vec<String>> = HashMap::new();
    // #exec MESHMAP SETTEXTURE MESHMAP=Fox NUM=0 TEXTURE=FoxTex0
    for line in near.text(&format!("{own_name}.uc"), mesh).unwrap_or_default().lines() {
        let upper = line.to_ascii_uppercase();
        let value = |key: &str| {
            let start = upper.find(key)? + key.len();
            line.get(start..)?.split_whitespace().next()
        };
        if upper.contains("SETTEXTURE") {
            if let (Some(Ok(slot)), Some(name)) = (value("NUM=").map(str::parse), value("TEXTURE=")) {
                slots.entry(slot).or_default().push(name.to_owned());
            }
        }
    }
    // Material = MaterialInstanceConstant'Package.FoxMaterial'
    let props = near.text(&format!("{own_name}.props.txt"), mesh).unwrap_or_default();
    let materials = props.lines().filter_map(|line| {
        let (before, value) = line.split_once("Material")?;
        let value = value.trim_start().strip_prefix('=')?.trim();
        let is_key = before.chars().next_back().is_none_or(|c| !c.is_alphanumeric());
        let value = value.split([',', ' ', '}']).next().filter(|_| is_key)?;
        Some(value.trim_matches('\'').rsplit(['.', '/', '\'']).next()?.to_owned())
    });
    for (slot, name) in materials.enumerate() {
        slots.entry(slot).or_default().push(name);
    }
    slots
}

/// The files in the folder of a mesh, in the folders in it, and in those beside it.
fn files_near(folder: &Path) -> Vec<PathBuf> {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let list = |folder: &Path| {
        let mut all: Vec<PathBuf> =
            fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
        all.sort();
        all
    };
    let own = list(folder);
    let beside = folder.canonicalize().ok().and_then(|folder| Some(list(folder.parent()?))).unwrap_or_default();
    let inner = own.iter().chain(&beside).filter(|path| path.is_dir()).flat_map(|folder| list(folder));
    let mut files: Vec<PathBuf> = own.iter().cloned().chain(inner).take(MOST_FILES).collect();
    files.retain(|path| path.is_file());
    files
}

fn by_name(paths: Vec<PathBuf>) -> HashMap<String, Vec<PathBuf>> {
    let mut files: HashMap<String, Vec<PathBuf>> = HashMap::new();
    for path in paths {
        // Caches add to a name: `horse.png.cached.dds` is an image of the name `horse`.
        let extension = path.extension().unwrap_or_default().to_string_lossy();
        let name = match path.to_string_lossy().strip_suffix(".props.txt") {
            Some(_) => path.file_name().unwrap_or_default().to_string_lossy().into_owned(),
            None => format!("{}.{extension}", stem(&path)),
        };
        files.entry(name.to_lowercase()).or_default().push(path);
    }
    files
}

/// Reads a regular file.
fn read(path: &Path, most: u64) -> Result<Vec<u8>, String> {
    let text = |error: std::io::Error| error.to_string();
    let metadata = path.metadata().map_err(text)?;
    if !metadata.is_file() || metadata.len() > most {
        return Err(format!("is no regular file of at most {most} bytes"));
    }
    let mut bytes = Vec::new();
    fs::File::open(path).and_then(|file| file.take(most).read_to_end(&mut bytes)).map_err(text)?;
    Ok(bytes)
}
