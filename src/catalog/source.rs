//! What there is to read: files named, files below folders, entries of archives.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use super::row::Fault;
use super::walk::{Met, walk};
use crate::archive::{
    Address, AddressError, Archive, ArchiveError, ArchiveErrorKind, ArchiveIndex, Limits, Method, open_entry,
};
use crate::format::Format;
use crate::mapping::{Mapping, Opener};

/// Names that promise one of the formats: such a file is worth a word even where its content is something else.
const EXTENSIONS: [&str; 5] = ["psk", "pskx", "psa", "pmd", "gsa"];

/// Names that promise an archive: in a folder, such a file is opened as one.
const ARCHIVES: [&str; 3] = ["zip", "pyromod", "res"];

/// Whether a name promises one of the formats.
fn promises_asset(extension: &[u8]) -> bool {
    EXTENSIONS.iter().any(|known| extension.eq_ignore_ascii_case(known.as_bytes()))
}

fn promises_archive(path: &Path) -> bool {
    ARCHIVES.iter().any(|known| extension(path).eq_ignore_ascii_case(known.as_bytes()))
}

fn extension(path: &Path) -> &[u8] {
    path.extension().unwrap_or_default().as_encoded_bytes()
}

/// An archive that was opened once, for all of its entries.
#[derive(Debug)]
struct OpenArchive {
    path: PathBuf,
    file: Mapping<'static>,
    index: Arc<ArchiveIndex>,
    /// The side-cars by their names without the extension: looking through the whole directory for each animation would take the
    /// square of its length.
    side_cars: OnceLock<HashMap<Vec<u8>, u32>>,
    /// All entries by their names as shown, for the same reason: any number of them may be asked for.
    names: OnceLock<HashMap<String, u32>>,
}

impl OpenArchive {
    fn new(path: PathBuf, file: Mapping<'static>, limits: &Limits) -> Result<Self, ArchiveError> {
        let index = Archive::parse_with(&file, limits)?.into_index();
        Ok(Self { path, file, index, side_cars: OnceLock::new(), names: OnceLock::new() })
    }

    fn view(&self) -> Archive<'_> {
        Archive::indexed(&self.file, Arc::clone(&self.index))
    }

    /// The entry of a name; where several have it, the last, as [`Archive::entry`].
    fn entry(&self, name: &str) -> Result<u32, ArchiveError> {
        let names = self.names.get_or_init(|| {
            let view = self.view();
            let entries = view.entries();
            entries.filter_map(|entry| Some((entry.name().to_string(), u32::try_from(entry.index()).ok()?))).collect()
        });
        match names.get(name) {
            Some(index) => Ok(*index),
            None => Err(ArchiveError::of_entry(ArchiveErrorKind::NoSuchEntry, name)),
        }
    }

    fn side_cars(&self) -> &HashMap<Vec<u8>, u32> {
        self.side_cars.get_or_init(|| {
            let view = self.view();
            let mut side_cars = HashMap::new();
            // The first spelling comes last and stays.
            for spelling in SIDE_CARS.iter().rev() {
                let named = view.entries().filter(|entry| entry.name().extension() == *spelling);
                side_cars.extend(named.filter_map(|entry| {
                    let index = u32::try_from(entry.index()).ok()?;
                    Some((stem(entry.name().as_bytes()).to_vec(), index))
                }));
            }
            side_cars
        })
    }
}

/// The extension of side-cars, as it is spelled; the first that is there counts.
const SIDE_CARS: [&[u8]; 3] = [b"config", b"CONFIG", b"Config"];

/// A name up to its last dot.
fn stem(name: &[u8]) -> &[u8] {
    name.iter().rposition(|byte| *byte == b'.').and_then(|dot| name.get(..dot)).unwrap_or(name)
}

/// One thing to look at.
#[derive(Debug)]
pub struct Item {
    place: Place,
    /// Asked for by name, and so owed an answer whatever it is.
    named: bool,
}

#[derive(Debug)]
enum Place {
    File(PathBuf),
    /// What is no regular file (a pipe, a device), and can be opened but once.
    Stream(PathBuf),
    Entry {
        archive: Arc<OpenArchive>,
        entry: u32,
    },
    /// What the walk stumbled over: in a box, for it is rare, and items may be many.
    Failed(Box<(Address, Fault)>),
}

/// What came of an item.
#[derive(Debug)]
pub(super) enum Opened {
    Bytes(Mapping<'static>),
    /// Some other file in a folder: no business of ours.
    PassedOver,
    Failed(Fault),
}

impl Item {
    /// Where it lies.
    pub fn address(&self) -> Address {
        match &self.place {
            Place::File(path) | Place::Stream(path) => Address::of_file(path),
            Place::Entry { archive, entry } => {
                let name = archive.view().get(to_index(*entry)).map(|entry| entry.name().to_string());
                Address::of_entry(&archive.path, name.unwrap_or_default())
            }
            Place::Failed(failed) => failed.0.clone(),
        }
    }

    /// Whether it was asked for by name, and so is owed an answer whatever it is.
    pub const fn is_named(&self) -> bool {
        self.named
    }

    /// The path of a loose file, and whether its name or whoever named it promises an asset.
    pub(super) fn as_file(&self) -> Option<(&Path, bool)> {
        match &self.place {
            Place::File(path) => Some((path, self.named || promises_asset(extension(path)))),
            Place::Stream(_) | Place::Entry { .. } | Place::Failed(_) => None,
        }
    }

    /// Compares an entry's data with the checksum in its archive's directory; what is in no archive has none. O(data).
    ///
    /// # Errors
    /// [`ArchiveError`] if they differ.
    pub fn prove_checksum(&self, data: &[u8]) -> Result<(), ArchiveError> {
        let Place::Entry { archive, entry } = &self.place else { return Ok(()) };
        let view = archive.view();
        view.get(to_index(*entry)).map_or(Ok(()), |entry| view.check(&entry, data))
    }

    /// The side-car beside an animation in an archive, and where it lies: an entry of the same name but for the extension
    /// `.config`, `.CONFIG` or `.Config`, the first of these that is there. `None` where there is none, for what is in no archive, and
    /// for all but the last entry of one name.
    ///
    /// # Errors
    /// [`ArchiveError`] if it is there and cannot be read.
    pub fn entry_side_car(&self) -> Result<Option<(Address, Mapping<'static>)>, ArchiveError> {
        let Place::Entry { archive, entry } = &self.place else { return Ok(None) };
        let view = archive.view();
        let name = view.get(to_index(*entry)).map(|entry| entry.name());
        let side_car = name.and_then(|name| Some((name, archive.side_cars().get(stem(name.as_bytes()))?)));
        // Of entries of one name, the last is what a program finds beside the side-car; and a million would read it a million times.
        let found = side_car.filter(|(name, _)| archive.entry(&name.to_string()).is_ok_and(|last| last == *entry));
        let found = found.map(|(_, side_car)| side_car);
        let Some(side_car) = found.and_then(|index| view.get(to_index(*index))) else { return Ok(None) };
        let address = Address::of_entry(&archive.path, side_car.name().to_string());
        Ok(Some((address, open_entry(&archive.file, &view, &side_car)?)))
    }

    /// Bytes that reading it takes, to share work out by; 0 where that is not known without asking.
    pub fn size_hint(&self) -> u64 {
        match &self.place {
            Place::File(path) => path.metadata().map_or(0, |metadata| metadata.len()),
            Place::Entry { archive, entry } => archive.view().get(to_index(*entry)).map_or(0, |entry| entry.size()),
            Place::Stream(_) | Place::Failed(_) => 0,
        }
    }

    /// Bytes that it is inflated to, as its archive says; 0 for what is read in place or is no entry.
    pub(super) fn inflated_size(&self) -> u64 {
        let Place::Entry { archive, entry } = &self.place else { return 0 };
        let view = archive.view();
        view.get(to_index(*entry)).filter(|entry| entry.method() != Method::Stored).map_or(0, |entry| entry.size())
    }

    /// Opens it.
    pub(super) fn open(&self, opener: &Opener) -> Opened {
        match &self.place {
            Place::File(path) => {
                if !self.named && !promises_asset(extension(path)) {
                    match is_asset(path) {
                        Ok(true) => {}
                        Ok(false) => return Opened::PassedOver,
                        Err(error) => return Opened::Failed((&error).into()),
                    }
                }
                open_file(path, opener)
            }
            Place::Stream(path) => open_file(path, opener),
            Place::Entry { archive, entry } => {
                let view = archive.view();
                let Some(entry) = view.get(to_index(*entry)) else { return Opened::PassedOver };
                let opened = open_entry(&archive.file, &view, &entry);
                opened.map_or_else(|error| Opened::Failed((&error).into()), Opened::Bytes)
            }
            Place::Failed(failed) => Opened::Failed(failed.1.clone()),
        }
    }
}

/// Everything to look at, in an order that depends on names alone.
#[derive(Debug, Default)]
pub struct Sources {
    items: Vec<Item>,
    /// Archives of which entries were named: each is opened once, however many.
    named: HashMap<PathBuf, Arc<OpenArchive>>,
}

impl Sources {
    /// Finds everything at these paths and addresses: files as they are; folders as the files below them, links followed, in name
    /// order; archives as their entries, in the directory's order. O(files + entries).
    ///
    /// A file named here is an item whatever it is. In a folder, a file is an item if its name or its first bytes promise an
    /// asset (the latter is found out when it is read), and an archive if its name ends in `.zip`, `.pyromod` or `.res` and its first
    /// bytes are an archive's. In an
    /// archive, entries are told by their names alone, so that nothing but the directory is read.
    pub fn find(paths: &[PathBuf], opener: &Opener, limits: &Limits) -> Self {
        let mut sources = Self::default();
        for path in paths {
            sources.add(path, opener, limits);
        }
        sources
    }

    /// Everything in an archive that is in memory already, wherever it came from. Rows and addresses call it by `path`, which need
    /// not exist. O(entries).
    ///
    /// ```
    /// use skelmap::{archive::Limits, catalog::{Options, Sources}, mapping::{Mapping, Opener}};
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let downloaded = Mapping::from(std::fs::read("corpus/archive/mod.zip")?);
    /// let sources = Sources::of_archive("upload.zip", downloaded, &Limits::default())?;
    /// let mut assets = 0;
    /// sources.rows(&Opener::reading(), &Options::default(), |row| {
    ///     assert_eq!(row.path, "upload.zip");
    ///     assets += usize::from(row.error.is_none());
    ///     Ok::<(), std::convert::Infallible>(())
    /// })?;
    /// assert!(assets > 0);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// Those of [`Archive::parse_with`].
    pub fn of_archive(
        path: impl Into<PathBuf>,
        bytes: Mapping<'static>,
        limits: &Limits,
    ) -> Result<Self, ArchiveError> {
        let mut sources = Self::default();
        sources.add_entries(OpenArchive::new(path.into(), bytes, limits)?);
        Ok(sources)
    }

    fn add(&mut self, path: &Path, opener: &Opener, limits: &Limits) {
        let address = Address::find(path);
        if let Some(name) = address.entry() {
            self.add_entry(&address, name, opener, limits);
        } else if path.is_dir() {
            self.add_folder(path, opener, limits);
        } else if is_archive(path) || (promises_archive(path) && path.is_file()) {
            self.add_archive(path, opener, limits);
        } else {
            let is_stream = path.metadata().is_ok_and(|metadata| !metadata.is_file());
            let place = if is_stream { Place::Stream } else { Place::File };
            self.items.push(Item { place: place(path.to_owned()), named: true });
        }
    }

    fn add_folder(&mut self, folder: &Path, opener: &Opener, limits: &Limits) {
        for met in walk(folder) {
            match met {
                Met::File(path) if promises_archive(&path) && is_archive(&path) => {
                    self.add_archive(&path, opener, limits);
                }
                Met::File(path) => self.items.push(Item { place: Place::File(path), named: false }),
                Met::Other(path) if promises_asset(extension(&path)) || promises_archive(&path) => {
                    self.add_fault(Address::of_file(path), (&io::Error::other("is no regular file")).into());
                }
                Met::Other(_) => {}
                Met::Failed { path, error } => self.add_fault(Address::of_file(path), (&error).into()),
            }
        }
    }

    fn add_archive(&mut self, path: &Path, opener: &Opener, limits: &Limits) {
        match open_archive(path, opener, limits) {
            Ok(archive) => self.add_entries(archive),
            Err(error) => self.add_fault(Address::of_file(path), (&error).into()),
        }
    }

    fn add_entries(&mut self, archive: OpenArchive) {
        let archive = Arc::new(archive);
        for entry in archive.view().entries().filter(|entry| promises_asset(entry.name().extension())) {
            let Ok(entry) = u32::try_from(entry.index()) else { break };
            let archive = Arc::clone(&archive);
            self.items.push(Item { place: Place::Entry { archive, entry }, named: false });
        }
    }

    fn add_entry(&mut self, address: &Address, name: &str, opener: &Opener, limits: &Limits) {
        let path = address.path();
        let opened = match self.named.get(path) {
            Some(archive) => Ok(Arc::clone(archive)),
            None => open_archive(path, opener, limits).map(Arc::new),
        };
        let found = opened.and_then(|archive| {
            self.named.insert(path.to_owned(), Arc::clone(&archive));
            let entry = archive.entry(name);
            entry.map(|entry| (archive, entry)).map_err(|error| AddressError::Archive { path: path.to_owned(), error })
        });
        match found {
            Ok((archive, entry)) => {
                self.items.push(Item { place: Place::Entry { archive, entry }, named: true });
            }
            Err(error) => self.add_fault(address.clone(), (&error).into()),
        }
    }

    fn add_fault(&mut self, address: Address, fault: Fault) {
        self.items.push(Item { place: Place::Failed(Box::new((address, fault))), named: true });
    }

    /// What there is to look at.
    pub fn items(&self) -> &[Item] {
        &self.items
    }

    /// Keeps those items that a test says yes to.
    pub fn retain(&mut self, keep: impl FnMut(&Item) -> bool) {
        self.items.retain(keep);
    }
}

fn open_archive(path: &Path, opener: &Opener, limits: &Limits) -> Result<OpenArchive, AddressError> {
    let file = opener.for_parts().open(path)?;
    OpenArchive::new(path.to_owned(), file, limits)
        .map_err(|error| AddressError::Archive { path: path.to_owned(), error })
}

/// The place of an entry, which is kept in 32 bits.
fn to_index(entry: u32) -> usize {
    usize::try_from(entry).unwrap_or(usize::MAX)
}

fn open_file(path: &Path, opener: &Opener) -> Opened {
    opener.open(path).map_or_else(|error| Opened::Failed(error.io().into()), Opened::Bytes)
}

/// The first bytes of a file.
fn first_bytes(path: &Path) -> io::Result<Vec<u8>> {
    let mut first = Vec::with_capacity(Format::SNIFF_LEN);
    let limit = u64::try_from(Format::SNIFF_LEN).unwrap_or(u64::MAX);
    File::open(path)?.take(limit).read_to_end(&mut first)?;
    Ok(first)
}

/// Whether the first bytes of a file are those of a known format.
fn is_asset(path: &Path) -> io::Result<bool> {
    first_bytes(path).map(|first| Format::sniff(&first).is_ok())
}

/// Whether a file begins as archives do.
fn is_archive(path: &Path) -> bool {
    let Ok(metadata) = path.metadata() else { return false };
    let is_zip = |first: Vec<u8>| first.starts_with(b"PK\x03\x04") || first.starts_with(b"PK\x05\x06");
    metadata.is_file() && first_bytes(path).is_ok_and(is_zip)
}
