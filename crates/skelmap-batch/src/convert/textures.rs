//! The textures of a mesh: files with the names of its materials, in folders near the mesh or in its archive.
//!
//! A material `Body` is the image `Body.png` (or another format), or the image that `Body.mat` or `Body.json` names. Where the mesh `Fox` has a
//! `Fox.props.txt`, its lines with `Material =` name the materials; where it has a `Fox.uc`, its lines with `SETTEXTURE` name the images.
//! A mesh without names of materials has the image with its own name in its own folder.

use std::cell::Cell;
use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use skelmap::archive::{Address, AddressError, OpenArchive};
use skelmap::model::Mesh;
use skelmap_export::Document;
use skelmap_preview::Texture;

use super::decoded::Decoded;
use super::error::ConvertError;
use super::images::{EXTENSIONS, ImageError, MAX_IMAGE_BYTES, MAX_OF_ALL, NOT_DECODED};
use super::jobs::Job;
use super::materials::{Slots, image_of_json, image_of_mat, slots_of_props, slots_of_script};
use super::near::{Lists, Near, read};
use super::options::ConvertOptions;
use super::tables::read_table;
use crate::built::{built_path, entry_or_built};
use crate::pair::{Dress, stem};
use crate::save::folder_of;
use crate::walk::{Met, Walk};
use crate::{Source, is_remote};

/// Finds the textures of meshes.
#[derive(Debug)]
pub(super) struct Textures {
    source: Source,
    /// By material in lower case.
    given: BTreeMap<String, Given>,
    /// For all other materials.
    for_all: Option<Given>,
    folders: Vec<Folder>,
    lists: Lists,
    said: Said,
    decoded: Decoded,
    /// Images of the arguments that cannot be used, and why.
    failed: Mutex<BTreeMap<PathBuf, String>>,
}

/// An image that the arguments give: for a material, or for all others.
#[derive(Debug)]
struct Given {
    material: String,
    path: PathBuf,
    is_used: AtomicBool,
}

/// A folder of images that the arguments name. Of a pattern, what is before and after the name of the material.
#[derive(Debug)]
struct Folder {
    /// As it was asked for, and the folder of it.
    asked: PathBuf,
    path: PathBuf,
    images: Near,
    pattern: (String, String),
    is_used: AtomicBool,
}

/// The places of the images of a mesh.
pub(super) struct Places {
    /// For each material, the number of its image.
    of_materials: Vec<Option<usize>>,
    /// Each image once, and whether the arguments give it.
    images: Vec<(PathBuf, bool)>,
    near: Near,
    /// Whether a text was not read that may name an image.
    is_cut: bool,
}

/// The most materials that triangles have: their numbers have eight bits.
const MAX_MATERIALS: usize = 1 << 8;

impl Textures {
    /// The error is an image, a table or a folder that is not there.
    pub(super) fn new(source: &Source, options: &ConvertOptions) -> Result<Self, ConvertError> {
        // Addresses of stores have `=` too.
        let is_whole = |text: &String| is_remote(Path::new(text)) || Path::new(text).exists();
        let split = |text: &String| match text.split_once('=') {
            Some((material, path)) if !is_whole(text) => (material.to_owned(), PathBuf::from(path)),
            _ => (String::new(), PathBuf::from(text)),
        };
        let mut all = Vec::new();
        if let Some(map) = &options.texture_map {
            let folder = map.parent().unwrap_or(Path::new(""));
            all.extend(read_table(map)?.into_iter().map(|(material, image)| (material, folder.join(image))));
        }
        // An image of the arguments comes before one of the table.
        all.extend(options.images.iter().map(split));
        let given = |(material, path): (String, PathBuf)| {
            if is_remote(&path) {
                let error = io::Error::other("addresses of stores are not taken here: download the file");
                return Err(ConvertError::Image { path, error });
            }
            let extension = path.extension().unwrap_or_default();
            if NOT_DECODED.iter().any(|own| extension.eq_ignore_ascii_case(own)) {
                return Err(ConvertError::NotDecoded(path));
            }
            let place = Address::find(&path);
            match found(&place, source) {
                Ok(path) => Ok(Given { material, path, is_used: AtomicBool::new(false) }),
                Err(error) => Err(ConvertError::Image { path, error }),
            }
        };
        let given = all.into_iter().map(given).collect::<Result<Vec<_>, _>>()?;
        let (given, for_all): (Vec<_>, Vec<_>) = given.into_iter().partition(|given| !given.material.is_empty());
        Ok(Self {
            source: source.clone(),
            given: given.into_iter().map(|given| (key_of(&given.material), given)).collect(),
            for_all: for_all.into_iter().next(),
            folders: options.texture_folders.iter().map(|path| Folder::new(path)).collect::<Result<_, _>>()?,
            lists: Lists::default(),
            said: Said::default(),
            decoded: Decoded::default(),
            failed: Mutex::default(),
        })
    }

    /// Whether the arguments name an image, or a folder with it.
    fn is_asked(&self, path: &Path) -> bool {
        let is_own = |given: &Given| given.path == path;
        self.given.values().any(is_own)
            || self.for_all.iter().any(is_own)
            || self.folders.iter().any(|folder| path.starts_with(&folder.path))
    }

    /// What the arguments ask for and no output has: images that cannot be used, and why; and folders without an image for a material.
    pub(super) fn failed(&self) -> (BTreeMap<PathBuf, String>, impl Iterator<Item = &Path>) {
        let failed = self.failed.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let unused = self.folders.iter().filter(|folder| !folder.is_used.load(Ordering::Relaxed));
        (failed, unused.map(|folder| folder.asked.as_path()))
    }

    /// The materials of the arguments that no mesh has.
    pub(super) fn unused(&self) -> impl Iterator<Item = &str> {
        let unused = self.given.values().filter(|given| !given.is_used.load(Ordering::Relaxed));
        unused.map(|given| given.material.as_str())
    }

    /// The image of a material that the arguments give: one for this material before one for all.
    fn given(&self, material: Option<&String>) -> Option<&Given> {
        let own = material.and_then(|material| self.given.get(&key_of(material)));
        own.or(self.for_all.as_ref()).inspect(|given| given.is_used.store(true, Ordering::Relaxed))
    }

    /// The images that the arguments give.
    pub(super) fn given_images(&self) -> impl Iterator<Item = Address> {
        self.given.values().chain(&self.for_all).map(|given| Address::find(&given.path))
    }

    /// Where the textures of the mesh of a job are.
    pub(super) fn places(&self, mesh: &Mesh<'_>, job: &Job<'_>) -> Places {
        self.find(mesh, &job.first.address(), &job.dress, job.is_of_actor)
    }

    /// Where the textures of a mesh are. `is_of_actor`: whether it has what its dress says, and no other.
    pub(super) fn find(&self, mesh: &Mesh<'_>, address: &Address, dress: &Dress, is_of_actor: bool) -> Places {
        let worn = dress.texture.as_ref();
        let near = self.lists.near(address, &self.source);
        let texts = Texts { known: &self.said, near: &near, is_cut: Cell::new(false) };
        let mesh_path = address.entry().map_or_else(|| address.path().to_owned(), PathBuf::from);
        let own_name = stem(&mesh_path);
        let names: Vec<String> = (0..).map_while(|index| mesh.material(index)).map(|name| name.to_string()).collect();
        let tables = [("uc", slots_of_script as fn(&str) -> Slots), ("props.txt", slots_of_props)];
        let tables = tables.map(|(kind, read)| texts.said(&format!("{own_name}.{kind}"), &self.said.slots, read));
        let place = |slot: usize| {
            let material = names.get(slot);
            if let Some(given) = self.given(material) {
                return Some((given.path.clone(), true));
            }
            if worn.is_some() || is_of_actor {
                return worn.map(|worn| near.place(worn));
            }
            let in_folders = |name: &str| self.folders.iter().find_map(|folder| folder.image(name));
            if let Some(path) = material.and_then(|name| in_folders(name.trim_end())) {
                return Some((path, true));
            }
            let named = tables.iter().flatten().filter_map(|table| table.get(&slot)).flatten();
            let found = named.chain(material).find_map(|name| texts.texture(name.trim_end()));
            // A name alone says less than that of a material.
            let own = material.is_none().then(|| texts.texture(&own_name)).flatten();
            let own = own.filter(|path| folder_of(path) == folder_of(&mesh_path));
            found.or(own).map(|path| (path, false))
        };
        let (mut images, mut numbers) = (Vec::new(), HashMap::new());
        let mut number = |place: (PathBuf, bool)| {
            *numbers.entry(place).or_insert_with_key(|place| {
                images.push(place.clone());
                images.len() - 1
            })
        };
        let slots = 0..names.len().clamp(1, MAX_MATERIALS);
        let of_materials = slots.map(|slot| place(slot).map(&mut number)).collect();
        let is_cut = texts.is_cut.get();
        Places { of_materials, images, near, is_cut }
    }

    /// Reads the textures in their places. Returns the faults of images that cannot be used.
    pub(super) fn read(&self, places: &Places, document: &mut Document<'_>) -> Vec<String> {
        let Places { of_materials, images, is_cut, .. } = places;
        let cut =
            || format!("not all material files were read: the run has more than {}", crate::text::size(MAX_TEXTS));
        let mut faults: Vec<String> = is_cut.then(cut).into_iter().collect();
        let (mut indices, mut left) = (Vec::new(), MAX_OF_ALL);
        for place in images {
            let path = &place.0;
            let bytes = || self.bytes(places, place);
            let image = self.decoded.image(places.address(place), stem(path), bytes).and_then(|image| {
                let rest = left.checked_sub(image.bytes.len());
                left = rest.ok_or("is left out: the images of the mesh have more than 512 MiB")?;
                Ok(image)
            });
            match image {
                Ok(image) => {
                    indices.push(Some(document.images.len()));
                    document.images.push(image);
                }
                Err(error) => {
                    if self.is_asked(path) {
                        let mut failed = self.failed.lock().unwrap_or_else(PoisonError::into_inner);
                        failed.entry(path.clone()).or_insert_with(|| error.to_string());
                    }
                    // Notes are on pages too, which other people may read.
                    let shown = path.file_name().filter(|_| path.is_absolute()).map_or(&**path, Path::new);
                    faults.push(format!("texture {}: {error}", shown.display()));
                    indices.push(None);
                }
            }
        }
        document.textures.extend(of_materials.iter().map(|image| *indices.get((*image)?)?));
        faults
    }

    /// For each material, its texture for pictures, with edges of at most `edge` pixels. An image that cannot be used is none.
    pub(super) fn textures(&self, places: &Places, edge: u32, is_cut: bool) -> Vec<Option<Arc<Texture>>> {
        let texture = |place: &(PathBuf, bool)| {
            self.decoded.texture(places.address(place), edge, is_cut, || self.bytes(places, place))
        };
        let made: Vec<_> = places.images.iter().map(texture).collect();
        places.of_materials.iter().map(|image| made.get((*image)?)?.clone()).collect()
    }

    /// Reads an image. One that the arguments name is a file, or an entry of an archive.
    fn bytes(&self, places: &Places, (path, is_given): &(PathBuf, bool)) -> Result<Vec<u8>, ImageError> {
        if !is_given {
            return places.near.read(path, MAX_IMAGE_BYTES);
        }
        let address = Address::find(path);
        if address.entry().is_none() {
            return read(path, MAX_IMAGE_BYTES);
        }
        Ok(address.open(&self.source.opener)?.to_vec())
    }
}

impl Places {
    fn address(&self, (path, is_given): &(PathBuf, bool)) -> Address {
        if *is_given { Address::find(path) } else { self.near.address(path) }
    }

    /// The images of the materials of a mesh, each once.
    pub(super) fn images(&self) -> impl Iterator<Item = Address> {
        self.images.iter().map(|place| self.address(place))
    }

    /// For each material, the number of its image.
    pub(super) fn of_materials(&self) -> &[Option<usize>] {
        &self.of_materials
    }
}

/// A material as the arguments and meshes name it, in any case.
fn key_of(material: &str) -> String {
    material.trim_end().to_lowercase()
}

impl Folder {
    /// Lists the images. The last part of a path that is no folder is a pattern.
    fn new(path: &Path) -> Result<Self, ConvertError> {
        let pattern = path.file_name().map(|name| name.to_string_lossy().into_owned());
        let pattern = pattern.filter(|name| name.contains('*') && !path.is_dir());
        let folder = if pattern.is_some() { path.parent().unwrap_or(Path::new("")) } else { path };
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        let fault = |error| ConvertError::Folder { path: folder.to_owned(), error };
        fs::read_dir(folder).map_err(fault)?;
        let files = Walk::all().files(folder).filter_map(|met| match met {
            Met::File(file) => Some(file),
            _ => None,
        });
        let pattern = pattern.unwrap_or_else(|| "*".to_owned());
        let is_image = |end: &&str| EXTENSIONS.iter().any(|own| own.eq_ignore_ascii_case(end));
        let name = pattern.rsplit_once('.').filter(|(_, end)| is_image(end)).map_or(pattern.as_str(), |(name, _)| name);
        let (before, after) = name.split_once('*').unwrap_or((name, ""));
        let pattern = (before.to_owned(), after.to_owned());
        let images = Near::of_files(files.collect());
        Ok(Self { asked: path.to_owned(), path: folder.to_owned(), images, pattern, is_used: AtomicBool::new(false) })
    }

    fn image(&self, material: &str) -> Option<PathBuf> {
        let (before, after) = &self.pattern;
        let found = self.images.image(&format!("{before}{material}{after}"));
        found.inspect(|_| self.is_used.store(true, Ordering::Relaxed))
    }
}

/// The address of an image that is there: the image itself, or what the game has made of it.
fn found(place: &Address, source: &Source) -> io::Result<PathBuf> {
    let Some(name) = place.entry() else {
        let path = place.path();
        return path.metadata().map(|_| path.to_owned()).or_else(|error| built_path(path).ok_or(error));
    };
    let archive = OpenArchive::open(place.location(), &source.opener, &source.limits).map_err(AddressError::into_io)?;
    let entry = entry_or_built(&archive, name).map_err(io::Error::other)?;
    Ok(PathBuf::from(Address::of_entry(place.path(), entry.name().to_string()).to_string()))
}

/// What the texts of a run say. Each is read once.
#[derive(Debug, Default)]
struct Said {
    /// The image that a material file names.
    images: Mutex<HashMap<Address, Arc<Option<String>>>>,
    slots: Mutex<HashMap<Address, Arc<Slots>>>,
    /// The bytes of the texts that were read.
    bytes: AtomicU64,
}

/// The texts near a mesh.
struct Texts<'t> {
    known: &'t Said,
    near: &'t Near,
    /// Whether a text was left out, because the run has too many.
    is_cut: Cell<bool>,
}

impl Texts<'_> {
    /// The image of a name: directly, or by a material file.
    fn texture(&self, name: &str) -> Option<PathBuf> {
        let texts = [("mat", image_of_mat as fn(&str) -> Option<String>), ("json", image_of_json)];
        let said = |(kind, read)| self.said(&format!("{name}.{kind}"), &self.known.images, read);
        let named = texts.into_iter().filter_map(said).find_map(|said| self.near.image(said.as_deref()?));
        named.or_else(|| self.near.image(name))
    }

    /// What the nearest text of a name says. It is read once for all meshes.
    fn said<T>(&self, name: &str, known: &Mutex<HashMap<Address, Arc<T>>>, read: impl Fn(&str) -> T) -> Option<Arc<T>> {
        let path = self.near.nearest(&name.to_lowercase())?.1;
        let key = self.near.address(path);
        if let Some(known) = known.lock().unwrap_or_else(PoisonError::into_inner).get(&key) {
            return Some(Arc::clone(known));
        }
        let size = self.near.size(path).min(MAX_TEXT);
        if self.known.bytes.fetch_add(size, Ordering::Relaxed) >= MAX_TEXTS {
            self.is_cut.set(true);
            return None;
        }
        let bytes = self.near.read(path, MAX_TEXT).unwrap_or_default();
        let said = Arc::new(read(&String::from_utf8_lossy(&bytes)));
        Some(Arc::clone(known.lock().unwrap_or_else(PoisonError::into_inner).entry(key).or_insert(said)))
    }
}

/// The most bytes of all texts of a run.
const MAX_TEXTS: u64 = 64 << 20;

/// The largest text that is read.
const MAX_TEXT: u64 = 1 << 20;
