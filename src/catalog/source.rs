//! The items to read: named files, files below folders, entries of archives.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use super::row::Fault;
use super::walk::{Met, walk};
use crate::archive::{Address, AddressError, Archive, ArchiveError, Entry, Limits, Method};
use crate::bytes::{to_u64, to_usize};
use crate::family::Format;
use crate::mapping::cache::read_no_more_than_asked;
use crate::mapping::{Mapping, Opener};

/// The extensions of archives. In a folder, a file with one of them is opened as an archive.
const ARCHIVES: [&str; 3] = ["zip", "pyromod", "res"];

/// Whether an extension promises an asset. Such a file is reported even if its content is of another format.
fn promises_asset(extension: &[u8]) -> bool {
    let mut known = Format::ALL.iter().flat_map(|format| format.extensions());
    known.any(|known| extension.eq_ignore_ascii_case(known.as_bytes()))
}

fn promises_archive(path: &Path) -> bool {
    ARCHIVES.iter().any(|known| extension(path).eq_ignore_ascii_case(known.as_bytes()))
}

fn extension(path: &Path) -> &[u8] {
    path.extension().unwrap_or_default().as_encoded_bytes()
}

#[derive(Debug)]
pub(super) struct OpenArchive {
    pub(super) path: PathBuf,
    pub(super) archive: Archive,
    /// The file of a mapped archive.
    pub(super) file: Option<Arc<File>>,
    /// Whether the headers that are read next are not in memory.
    pub(super) is_cold: AtomicBool,
    /// Done once before headers are read from the file.
    advice: OnceLock<()>,
}

impl OpenArchive {
    fn new(path: PathBuf, archive: Archive, file: Option<File>) -> Arc<Self> {
        Arc::new(Self {
            path,
            archive,
            file: file.map(Arc::new),
            is_cold: AtomicBool::new(false),
            advice: OnceLock::new(),
        })
    }

    /// Opens an archive. `keeps_file`: one more file may stay open.
    fn open(path: &Path, opener: &Opener, limits: &Limits, keeps_file: bool) -> Result<Arc<Self>, AddressError> {
        let (bytes, file) = opener.for_parts().open_with_file(path)?;
        let archive = Archive::parse_with(bytes, limits);
        let archive = archive.map_err(|error| AddressError::Archive { path: path.to_owned(), error })?;
        Ok(Self::new(path.to_owned(), archive, file.filter(|_| keeps_file)))
    }

    /// The file, if headers are to be read from it and not through the map, which would read ahead what nobody wants.
    pub(super) fn cold_file(&self) -> Option<&Arc<File>> {
        let file = self.file.as_ref().filter(|_| self.is_cold.load(Ordering::Relaxed))?;
        self.advice.get_or_init(|| read_no_more_than_asked(file));
        Some(file)
    }

    /// An entry by its index, which an item stores in 32 bits.
    pub(super) fn entry(&self, number: u32) -> Option<Entry<'_>> {
        self.archive.get(usize::try_from(number).ok()?)
    }
}

/// One file or entry to read.
#[derive(Debug)]
pub struct Item {
    pub(super) place: Place,
    /// Named by the caller, so there is a row even for a file that is no asset.
    named: bool,
}

#[derive(Debug)]
pub(super) enum Place {
    File(PathBuf),
    /// A pipe or device, which can be opened only once.
    Stream(PathBuf),
    Entry {
        archive: Arc<OpenArchive>,
        entry: u32,
    },
    /// A fault in the walk. In a box, because faults are rare and items many.
    Failed(Box<(Address, Fault)>),
}

impl Item {
    /// The address.
    pub fn address(&self) -> Address {
        match &self.place {
            Place::File(path) | Place::Stream(path) => Address::of_file(path),
            Place::Entry { archive, entry } => {
                let name = archive.entry(*entry).map(|entry| entry.name().to_string());
                Address::of_entry(&archive.path, name.unwrap_or_default())
            }
            Place::Failed(failed) => failed.0.clone(),
        }
    }

    /// Whether the caller named the item. Such an item has a row even if it is no asset.
    pub const fn is_named(&self) -> bool {
        self.named
    }

    /// Whether the item has a row: `false` for a file in a folder that is no asset by its name or its first bytes, of
    /// which at most 32 are read.
    pub fn is_asset(&self) -> bool {
        match self.as_file() {
            Some((path, false)) => is_asset(path).unwrap_or(true),
            _ => true,
        }
    }

    /// The path of a file, and whether its name or the caller promises an asset.
    pub(super) fn as_file(&self) -> Option<(&Path, bool)> {
        match &self.place {
            Place::File(path) => Some((path, self.named || promises_asset(extension(path)))),
            Place::Stream(_) | Place::Entry { .. } | Place::Failed(_) => None,
        }
    }

    /// Compares an entry's data with the checksum in the directory of its archive. O(data). A file has no checksum.
    ///
    /// # Errors
    /// [`ArchiveError`] if they differ.
    pub fn prove_checksum(&self, data: &[u8]) -> Result<(), ArchiveError> {
        let Place::Entry { archive, entry } = &self.place else { return Ok(()) };
        archive.entry(*entry).map_or(Ok(()), |entry| archive.archive.check(&entry, data))
    }

    /// Bytes to read, for a balance of work; 0 if that is not known.
    pub fn size_hint(&self) -> u64 {
        match &self.place {
            Place::File(path) => path.metadata().map_or(0, |metadata| metadata.len()),
            Place::Entry { archive, entry } => archive.entry(*entry).map_or(0, |entry| entry.size()),
            Place::Stream(_) | Place::Failed(_) => 0,
        }
    }

    /// Bytes after inflation, as the archive states; 0 for a file or a stored entry.
    pub(super) fn inflated_size(&self) -> u64 {
        let Place::Entry { archive, entry } = &self.place else { return 0 };
        archive.entry(*entry).filter(|entry| entry.method() != Method::Stored).map_or(0, |entry| entry.size())
    }

    /// The bytes of the item, by the policy of the opener; `None` for a file in a folder that is no asset. The bytes of an
    /// entry come from its archive, which is open already.
    ///
    /// # Errors
    /// A file or entry that cannot be read, and a fault of the walk itself.
    pub fn open(&self, opener: &Opener) -> Option<Result<Mapping<'static>, Fault>> {
        match &self.place {
            Place::File(path) if !self.named && !promises_asset(extension(path)) => match is_asset(path) {
                Ok(true) => Some(open_file(path, opener)),
                Ok(false) => None,
                Err(error) => Some(Err((&error).into())),
            },
            Place::File(path) if !self.named && path.metadata().is_ok_and(|metadata| metadata.len() == 0) => {
                Some(read_unsized(path).map_err(|error| (&error).into()))
            }
            Place::File(path) | Place::Stream(path) => Some(open_file(path, opener)),
            Place::Entry { archive, entry } => {
                let entry = archive.entry(*entry)?;
                Some(archive.archive.open_entry(&entry).map_err(|error| (&error).into()))
            }
            Place::Failed(failed) => Some(Err(failed.1.clone())),
        }
    }
}

/// Files and entries to read, in an order that depends on names alone.
#[derive(Debug)]
pub struct Sources {
    items: Vec<Item>,
    /// Archives with named entries. Each is opened once.
    named: HashMap<PathBuf, Arc<OpenArchive>>,
    opener: Opener,
    limits: Limits,
    /// The archives whose files stay open.
    kept_files: usize,
}

/// The most archives whose files stay open. The headers in further ones are read through their maps.
const MOST_KEPT: usize = 64;

impl Sources {
    fn new(opener: &Opener, limits: &Limits) -> Self {
        Self { items: Vec::new(), named: HashMap::new(), opener: opener.clone(), limits: *limits, kept_files: 0 }
    }

    /// Finds the items at these paths and addresses: a file itself; the files below a folder, with links followed, in
    /// name order; the entries of an archive, in the order of its directory. O(files + entries). The opener opens
    /// archives now and files later.
    ///
    /// A named file is always an item. In a folder, a file is an item if its name or its first bytes, read later,
    /// promise an asset; it is an archive if its name ends in `.zip`, `.pyromod` or `.res` and its first bytes are
    /// those of an archive. In an archive, only the name of an entry counts, so that only the directory is read.
    pub fn find(paths: &[PathBuf], opener: &Opener, limits: &Limits) -> Self {
        let mut sources = Self::new(opener, limits);
        for path in paths {
            sources.add(path);
        }
        sources
    }

    /// The entries of an archive in memory. Rows and addresses use `path`, which need not exist. O(entries).
    ///
    /// ```
    /// use skelmap::{catalog::Sources, mapping::Mapping};
    ///
    /// let downloaded = Mapping::from(std::fs::read("tests/corpus/archive/mod.zip")?);
    /// let sources = Sources::of_archive("upload.zip", downloaded, &Default::default())?;
    /// for row in sources.rows(&Default::default()) {
    ///     assert_eq!(row.path, "upload.zip");
    ///     println!("{:?}: {:?} bones", row.entry, row.summary.bones);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Archive::parse_with`].
    pub fn of_archive(
        path: impl Into<PathBuf>,
        bytes: Mapping<'static>,
        limits: &Limits,
    ) -> Result<Self, ArchiveError> {
        let mut sources = Self::new(&Opener::reading(), limits);
        sources.add_entries(&OpenArchive::new(path.into(), Archive::parse_with(bytes, limits)?, None));
        Ok(sources)
    }

    pub(super) const fn opener(&self) -> &Opener {
        &self.opener
    }

    fn add(&mut self, path: &Path) {
        let address = Address::find(path);
        if let Some(name) = address.entry() {
            self.add_entry(&address, name);
        } else if path.is_dir() {
            self.add_folder(path);
        } else if is_archive(path) || (promises_archive(path) && path.is_file()) {
            self.add_archive(path);
        } else {
            let is_stream = path.metadata().is_ok_and(|metadata| !metadata.is_file());
            let place = if is_stream { Place::Stream } else { Place::File };
            self.items.push(Item { place: place(path.to_owned()), named: true });
        }
    }

    fn add_folder(&mut self, folder: &Path) {
        for met in walk(folder) {
            match met {
                Met::File(path) if promises_archive(&path) && is_archive(&path) => {
                    self.add_archive(&path);
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

    fn add_archive(&mut self, path: &Path) {
        match self.open_archive(path) {
            Ok(archive) => self.add_entries(&archive),
            Err(error) => self.add_fault(Address::of_file(path), (&error).into()),
        }
    }

    fn open_archive(&mut self, path: &Path) -> Result<Arc<OpenArchive>, AddressError> {
        let opened = OpenArchive::open(path, &self.opener, &self.limits, self.kept_files < MOST_KEPT)?;
        self.kept_files = self.kept_files.saturating_add(usize::from(opened.file.is_some()));
        Ok(opened)
    }

    fn add_entries(&mut self, archive: &Arc<OpenArchive>) {
        for entry in archive.archive.entries().filter(|entry| promises_asset(entry.name().extension())) {
            let Ok(entry) = u32::try_from(entry.index()) else { break };
            let archive = Arc::clone(archive);
            self.items.push(Item { place: Place::Entry { archive, entry }, named: false });
        }
    }

    fn add_entry(&mut self, address: &Address, name: &str) {
        let path = address.path();
        let opened = match self.named.get(path) {
            Some(archive) => Ok(Arc::clone(archive)),
            None => self.open_archive(path),
        };
        let found = opened.and_then(|archive| {
            self.named.insert(path.to_owned(), Arc::clone(&archive));
            let index = archive.archive.entry(name).map(|entry| entry.index());
            index.map(|index| (archive, index)).map_err(|error| AddressError::Archive { path: path.to_owned(), error })
        });
        match found {
            Ok((archive, index)) => {
                let entry = u32::try_from(index).unwrap_or(u32::MAX);
                self.items.push(Item { place: Place::Entry { archive, entry }, named: true });
            }
            Err(error) => self.add_fault(address.clone(), (&error).into()),
        }
    }

    fn add_fault(&mut self, address: Address, fault: Fault) {
        self.items.push(Item { place: Place::Failed(Box::new((address, fault))), named: true });
    }

    /// The items.
    pub fn items(&self) -> &[Item] {
        &self.items
    }

    /// Keeps the items for which `keep` is true.
    pub fn retain(&mut self, keep: impl FnMut(&Item) -> bool) {
        self.items.retain(keep);
    }
}

fn open_file(path: &Path, opener: &Opener) -> Result<Mapping<'static>, Fault> {
    opener.open(path).map_err(|error| error.io().into())
}

/// Reads a file that states no bytes. A file of `/proc` may have gigabytes all the same: only a caller that names such a
/// file reads it to its end.
fn read_unsized(path: &Path) -> io::Result<Mapping<'static>> {
    const LIMIT: u64 = 1 << 16;
    let bytes = first_bytes(path, LIMIT)?;
    if to_u64(bytes.len()) < LIMIT {
        return Ok(bytes.into());
    }
    Err(io::Error::new(io::ErrorKind::FileTooLarge, "states no size and goes on after 65536 bytes"))
}

/// At most so many bytes of a file, from its beginning.
pub(super) fn first_bytes(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    let mut first = Vec::with_capacity(to_usize(limit.min(1 << 16)));
    File::open(path)?.take(limit).read_to_end(&mut first).map(|_| first)
}

/// Whether a file begins as one of the formats.
fn is_asset(path: &Path) -> io::Result<bool> {
    first_bytes(path, to_u64(Format::SNIFF_LEN)).map(|first| Format::sniff(&first).is_ok())
}

/// Whether a file begins as an archive.
fn is_archive(path: &Path) -> bool {
    let Ok(metadata) = path.metadata() else { return false };
    let is_zip = |first: Vec<u8>| first.starts_with(b"PK\x03\x04") || first.starts_with(b"PK\x05\x06");
    metadata.is_file() && first_bytes(path, 4).is_ok_and(is_zip)
}
