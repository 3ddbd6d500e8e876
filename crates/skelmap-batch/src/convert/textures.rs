//! The textures of a mesh: files with the names of its materials, in folders near the mesh or in its archive.
//!
//! A material `Body` is the image `Body.png` (or another format), or the image that `Body.mat` or `Body.json` names. Where the mesh `Fox` has a
//! `Fox.props.txt`, its lines with `Material =` name the materials; where it has a `Fox.uc`, its lines with `SETTEXTURE` name the images.
//! A mesh without names of materials has the image with its own name in its own folder.

use std::cell::Cell;
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use skelmap::archive::{Address, AddressError, OpenArchive};
use skelmap::model::Mesh;
use skelmap_export::{Document, Image};

use super::error::ConvertError;
use super::images::{EXTENSIONS, ImageError, MAX_IMAGE_BYTES, MAX_OF_ALL, NOT_DECODED, image, png_of};
use super::jobs::Job;
use super::materials::{Slots, image_of_json, image_of_mat, slots_of_props, slots_of_script};
use super::options::ConvertOptions;
use super::tables::read_table;
use crate::built::{built_path, entry_or_built};
use crate::pair::stem;
use crate::regular::read_regular;
use crate::walk::{Met, Walk};
use crate::{Source, is_remote};

/// Finds the textures of meshes.
pub(super) struct Textures<'s> {
    source: &'s Source,
    /// By material in lower case.
    given: HashMap<String, Given>,
    /// For all other materials.
    for_all: Option<Given>,
    folders: Vec<Folder>,
    lists: Lists,
    decoded: Decoded,
    /// Images of the arguments that cannot be used, and why.
    failed: Mutex<BTreeMap<PathBuf, String>>,
}

/// An image that the arguments give: for a material, or for all others.
struct Given {
    material: String,
    path: PathBuf,
    is_used: AtomicBool,
}

/// A folder of images that the arguments name. Of a pattern, what is before and after the name of the material.
struct Folder {
    /// As it was asked for, and the folder of it.
    asked: PathBuf,
    path: PathBuf,
    images: Near,
    pattern: (String, String),
    is_used: AtomicBool,
}

/// The places of the images of a mesh: for each material the image, and whether the arguments give it.
pub(super) struct Places(Vec<Option<(PathBuf, bool)>>, Near, bool);

impl<'s> Textures<'s> {
    /// The error is an image, a table or a folder that is not there.
    pub(super) fn new(source: &'s Source, options: &ConvertOptions) -> Result<Self, ConvertError> {
        let split = |text: &String| match text.split_once('=') {
            Some((material, path)) if !Path::new(text).exists() => (material.to_owned(), PathBuf::from(path)),
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
            source,
            given: given.into_iter().map(|given| (key_of(&given.material), given)).collect(),
            for_all: for_all.into_iter().next(),
            folders: options.texture_folders.iter().map(|path| Folder::new(path)).collect::<Result<_, _>>()?,
            lists: Lists::default(),
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

    /// Where the textures of the mesh of a job are. A model of an actor has what the actor says, and no other.
    pub(super) fn places(&self, mesh: &Mesh<'_>, job: &Job<'_>) -> Places {
        let (address, worn) = (&job.first.address(), job.dress.texture.as_ref());
        let near = self.lists.near(address, self.source);
        let texts = Texts { lists: &self.lists, near: &near, is_cut: Cell::new(false) };
        let mesh_path = address.entry().map_or_else(|| address.path().to_owned(), PathBuf::from);
        let own_name = stem(&mesh_path);
        let names: Vec<String> = (0..).map_while(|index| mesh.material(index)).map(|name| name.to_string()).collect();
        let tables = [("uc", slots_of_script as fn(&str) -> Slots), ("props.txt", slots_of_props)];
        let tables = tables.map(|(kind, read)| texts.said(&format!("{own_name}.{kind}"), &self.lists.slots, read));
        let place = |slot: usize| {
            let material = names.get(slot);
            if let Some(given) = self.given(material) {
                return Some((given.path.clone(), true));
            }
            if worn.is_some() || job.is_of_actor {
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
            let own = own.filter(|path| path.parent() == mesh_path.parent());
            found.or(own).map(|path| (path, false))
        };
        let places = (0..names.len().max(1)).map(place).collect();
        let is_cut = texts.is_cut.get();
        Places(places, near, is_cut)
    }

    /// Reads the textures in their places. Returns the faults of images that cannot be used.
    pub(super) fn read(&self, Places(places, near, is_cut): &Places, document: &mut Document<'_>) -> Vec<String> {
        let (mut indices, mut left): (HashMap<&(PathBuf, bool), Option<usize>>, _) = (HashMap::new(), MAX_OF_ALL);
        let cut =
            || format!("not all material files were read: the run has more than {}", crate::text::size(MAX_TEXTS));
        let mut faults: Vec<String> = is_cut.then(cut).into_iter().collect();
        for place in places {
            let mut read = |place| {
                let (path, is_given): &(PathBuf, bool) = place;
                let key = if *is_given { path.clone() } else { near.key(path) };
                let bytes = || if *is_given { self.read_given(path) } else { near.read(path, MAX_IMAGE_BYTES) };
                let address = if *is_given { Address::find(path) } else { near.address(path) };
                let image = self.decoded.image(key, stem(path), address.path(), bytes).and_then(|image| {
                    let rest = left.checked_sub(image.bytes.len());
                    left = rest.ok_or("is left out: the images of the mesh have more than 512 MiB")?;
                    Ok(image)
                });
                let image = image.map_err(|error| {
                    if self.is_asked(path) {
                        let mut failed = self.failed.lock().unwrap_or_else(PoisonError::into_inner);
                        failed.entry(path.clone()).or_insert_with(|| error.to_string());
                    }
                    faults.push(format!("texture {}: {error}", path.display()));
                });
                let image = image.ok()?;
                document.images.push(image);
                Some(document.images.len() - 1)
            };
            let index = place.as_ref().and_then(|place| *indices.entry(place).or_insert_with(|| read(place)));
            document.textures.push(index);
        }
        faults
    }

    /// Reads an image that the arguments name: a file, or an entry of an archive.
    fn read_given(&self, path: &Path) -> Result<Vec<u8>, ImageError> {
        let address = Address::find(path);
        if address.entry().is_none() {
            return read(path, MAX_IMAGE_BYTES);
        }
        Ok(address.open(&self.source.opener)?.to_vec())
    }
}

impl Places {
    /// The image of each material of a mesh.
    pub(super) fn of_materials(&self) -> impl Iterator<Item = Option<Address>> {
        let address =
            |(path, is_given): &(PathBuf, bool)| if *is_given { Address::find(path) } else { self.1.address(path) };
        self.0.iter().map(move |place| place.as_ref().map(address))
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
        let images = Near::Folders(vec![Arc::new(by_name(files.collect()))]);
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

/// Images that were decoded and written as PNG, for all meshes of a run.
#[derive(Default)]
struct Decoded {
    known: Mutex<HashMap<PathBuf, Known>>,
    kept: AtomicU64,
    /// The pixels that were decoded.
    pixels: AtomicU64,
    /// The files and archives that images came from, and their bytes: a large input has many images.
    inputs: Mutex<(HashSet<PathBuf>, u64)>,
    /// Large images are decoded one after the other.
    large: Mutex<()>,
}

/// What is known of an image.
#[derive(Clone)]
enum Known {
    Png(Arc<Vec<u8>>),
    /// The image is not kept.
    Large,
    Failed(Arc<str>),
}

/// The most bytes of images that are kept.
const MAX_KEPT: u64 = 256 << 20;

/// The most pixels that a run decodes: those of 64 images of 4096 x 4096, and 64 for each byte of the files and archives with images. DXT1
/// has two for each byte before it is deflated.
const MAX_PIXELS: u64 = 1 << 30;
const MAX_OF_INPUTS: u64 = 64;

/// A file of an image that is decoded while no other large one is.
const LARGE: usize = 8 << 20;

impl Decoded {
    /// The image of a file. What was decoded is kept for further meshes, and so is a failure.
    fn image(
        &self,
        key: PathBuf,
        name: String,
        input: &Path,
        read: impl FnOnce() -> Result<Vec<u8>, ImageError>,
    ) -> Result<Image<'static>, ImageError> {
        let lock = || self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let known = lock().get(&key).cloned();
        match known {
            Some(Known::Png(png)) => return Ok(png_of(name, png.to_vec())),
            Some(Known::Failed(message)) => return Err((*message).into()),
            Some(Known::Large) | None => {}
        }
        let loaded = self.decoded(&key, name, input, read);
        let known = match &loaded {
            // The bytes of the file.
            Ok((_, 0)) => return loaded.map(|(image, _)| image),
            Ok((image, _)) => {
                let size = image.bytes.len() as u64;
                if self.kept.fetch_add(size, Ordering::Relaxed) < MAX_KEPT {
                    Known::Png(Arc::new(image.bytes.to_vec()))
                } else {
                    Known::Large
                }
            }
            Err(error) => Known::Failed(error.to_string().into()),
        };
        lock().insert(key, known);
        loaded.map(|(image, _)| image)
    }

    /// Reads an image. `input`: the file or archive that it is in.
    fn decoded(
        &self,
        key: &Path,
        name: String,
        input: &Path,
        read: impl FnOnce() -> Result<Vec<u8>, ImageError>,
    ) -> Result<(Image<'static>, u64), ImageError> {
        let bytes = {
            let mut inputs = self.inputs.lock().unwrap_or_else(PoisonError::into_inner);
            if !inputs.0.contains(input) {
                inputs.0.insert(input.to_owned());
                inputs.1 = inputs.1.saturating_add(input.metadata().map_or(0, |metadata| metadata.len()));
            }
            inputs.1
        };
        if self.pixels.load(Ordering::Relaxed) > MAX_PIXELS.saturating_add(bytes.saturating_mul(MAX_OF_INPUTS)) {
            return Err("is left out: the images of the run have far more pixels than bytes".into());
        }
        let content = read()?;
        let _alone = (content.len() >= LARGE).then(|| self.large.lock().unwrap_or_else(PoisonError::into_inner));
        let extension = key.extension().unwrap_or_default().to_string_lossy().to_lowercase();
        let loaded = image(name, &extension, content)?;
        self.pixels.fetch_add(loaded.1, Ordering::Relaxed);
        Ok(loaded)
    }
}

/// What is read of texts for a run. Each text is read once.
struct Texts<'t> {
    lists: &'t Lists,
    near: &'t Near,
    /// Whether a text was left out, because the run has too many.
    is_cut: Cell<bool>,
}

impl Texts<'_> {
    /// The image of a name: directly, or by a material file.
    fn texture(&self, name: &str) -> Option<PathBuf> {
        let texts = [("mat", image_of_mat as fn(&str) -> Option<String>), ("json", image_of_json)];
        let said = |(kind, read)| self.said(&format!("{name}.{kind}"), &self.lists.images, read);
        let named = texts.into_iter().filter_map(said).find_map(|said| self.near.image(said.as_deref()?));
        named.or_else(|| self.near.image(name))
    }

    /// What the nearest text of a name says. It is read once for all meshes.
    fn said<T>(&self, name: &str, known: &Mutex<HashMap<PathBuf, Arc<T>>>, read: impl Fn(&str) -> T) -> Option<Arc<T>> {
        let path = self.near.nearest(&name.to_lowercase())?.1;
        let key = self.near.key(path);
        if let Some(known) = known.lock().unwrap_or_else(PoisonError::into_inner).get(&key) {
            return Some(Arc::clone(known));
        }
        let size = self.near.size(path).min(MAX_TEXT);
        if self.lists.text_bytes.fetch_add(size, Ordering::Relaxed) >= MAX_TEXTS {
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

/// Files by their names in lower case, without what caches add. Those of a name in different folders are sorted.
type Listed = HashMap<String, Vec<PathBuf>>;

/// An archive, if it can be opened, and its entries.
type Entries = (Option<OpenArchive>, Listed);

/// Lists of files that are made once each, for all meshes of a run.
#[derive(Default)]
struct Lists {
    /// The files in a folder, and those in the folders in it.
    own: Mutex<HashMap<PathBuf, Arc<Listed>>>,
    below: Mutex<HashMap<PathBuf, Arc<Listed>>>,
    archives: Mutex<HashMap<PathBuf, Arc<Entries>>>,
    /// The image that a material file names.
    images: Mutex<HashMap<PathBuf, Arc<Option<String>>>>,
    slots: Mutex<HashMap<PathBuf, Arc<Slots>>>,
    /// The bytes of the texts that were read.
    text_bytes: AtomicU64,
}

/// The files near a mesh.
enum Near {
    /// The nearest first.
    Folders(Vec<Arc<Listed>>),
    Archive(Arc<Entries>, Address),
}

impl Lists {
    fn near(&self, address: &Address, source: &Source) -> Near {
        if address.entry().is_some() {
            let list = known(&self.archives, address.path(), |path| {
                // Of an archive in a store, nothing near is looked for: it would be read as a whole.
                let open = || OpenArchive::open(path, &source.opener, &source.limits).ok();
                let archive = path.is_file().then(open).flatten();
                let names =
                    archive.iter().flat_map(|archive| archive.entries()).map(|entry| entry.name().to_string().into());
                let listed = by_name(names.collect());
                (archive, listed)
            });
            return Near::Archive(list, address.clone());
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
    /// The nearest image of a name; of equally near ones, that of the preferred kind.
    ///
    /// An image that this build cannot decode is the last choice: the report names it.
    fn image(&self, name: &str) -> Option<PathBuf> {
        let (others, decoded): (Vec<_>, Vec<_>) = EXTENSIONS.iter().partition(|own| NOT_DECODED.contains(own));
        [decoded, others].iter().find_map(|extensions| self.image_of(name, extensions))
    }

    fn image_of(&self, name: &str, extensions: &[&str]) -> Option<PathBuf> {
        let names = extensions.iter().map(|extension| format!("{name}.{extension}").to_lowercase());
        let found = names.enumerate().filter_map(|(order, name)| Some((self.nearest(&name)?, order)));
        found.max_by_key(|((nearness, _), order)| (*nearness, Reverse(*order))).map(|((_, path), _)| path.clone())
    }

    /// The nearest file of a name, and how near it is. O(log files).
    fn nearest(&self, name: &str) -> Option<(usize, &PathBuf)> {
        match self {
            Self::Folders(lists) => {
                let found = lists.iter().enumerate().find_map(|(order, list)| Some((order, list.get(name)?.first()?)));
                found.map(|(order, path)| (lists.len() - order, path))
            }
            Self::Archive(list, mesh) => nearest(list.1.get(name)?, Path::new(mesh.entry()?)),
        }
    }

    /// The place of an image, and whether it is told as one that the arguments give.
    fn place(&self, image: &Address) -> (PathBuf, bool) {
        match (self, image.entry()) {
            (Self::Archive(_, mesh), Some(entry)) if image.path() == mesh.path() => (PathBuf::from(entry), false),
            (Self::Folders(_), None) => (image.path().to_owned(), false),
            _ => (PathBuf::from(image.to_string()), true),
        }
    }

    fn address(&self, path: &Path) -> Address {
        match self {
            Self::Folders(_) => Address::of_file(path),
            Self::Archive(_, mesh) => Address::of_entry(mesh.path(), path.to_string_lossy()),
        }
    }

    /// A path for each file of a run.
    fn key(&self, path: &Path) -> PathBuf {
        match self {
            Self::Folders(_) => path.to_owned(),
            Self::Archive(_, mesh) => mesh.path().join(path),
        }
    }

    /// The size of a file, as the directory of the archive or the file system states it.
    fn size(&self, path: &Path) -> u64 {
        match self {
            Self::Folders(_) => path.metadata().map_or(0, |metadata| metadata.len()),
            Self::Archive(list, _) => {
                let entry = list.0.as_ref().and_then(|archive| archive.entry(&path.to_string_lossy()).ok());
                entry.map_or(0, |entry| entry.size())
            }
        }
    }

    fn read(&self, path: &Path, most: u64) -> Result<Vec<u8>, ImageError> {
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

/// Of sorted paths the first that has the most folders in common with a mesh, and their number. O(log paths).
fn nearest<'p>(paths: &'p [PathBuf], mesh: &Path) -> Option<(usize, &'p PathBuf)> {
    let at = paths.partition_point(|path| path.as_path() < mesh);
    let beside = [at.checked_sub(1), Some(at)].into_iter().flatten().filter_map(|index| paths.get(index));
    let most = beside.map(|path| in_common(path, mesh)).max()?;
    let folder: PathBuf = mesh.components().take(most).collect();
    let first = paths.partition_point(|path| path.as_path() < folder.as_path());
    paths.get(first).map(|path| (most, path))
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
            "txt" | "mat" | "json" | "uc" => path.file_name().unwrap_or_default().to_string_lossy().to_lowercase(),
            // Caches add to a name: `horse.png.cached.dds` is an image of the name `horse`.
            _ if EXTENSIONS.contains(&extension.as_str()) => format!("{}.{extension}", stem(&path).to_lowercase()),
            _ => continue,
        };
        files.entry(name).or_default().push(path);
    }
    for paths in files.values_mut() {
        paths.sort();
    }
    files
}

fn read(path: &Path, most: u64) -> Result<Vec<u8>, ImageError> {
    let bytes = read_regular(path, most + 1)?;
    if bytes.len() as u64 > most { Err(too_large(most)) } else { Ok(bytes) }
}

fn too_large(most: u64) -> ImageError {
    format!("is larger than {}", crate::text::size(most)).into()
}
