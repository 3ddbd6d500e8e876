//! One file, entry or object to read, and what is read of it.

use std::cell::Cell;
use std::fs::File;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use skelmap::archive::{
    Address, Archive, ArchiveError, Entry, Limits, Method, OpenArchive, SideCar, beside_entry, beside_file,
    beside_object, whole,
};
use skelmap::mapping::cache::{begins_in_memory, is_in_memory, read_no_more_than_asked};
use skelmap::mapping::{FileParts, Mapping, Object, Opener, Store, first_bytes};
use skelmap::model::ParseError;
use skelmap::shared::to_u64;
use skelmap::ueformat::is_compressed;
use skelmap::{Asset, AssetBuf, Error, Format, ParseOptions, ReadAt, ReadError};

use super::row::{Fault, Joins, Need, Options, Row};
use crate::path_and_entry;

/// The extensions of archives. In a folder, a file with one of them is opened as an archive.
const ARCHIVES: [&str; 3] = ["zip", "pyromod", "res"];

/// Whether an extension promises an asset. Such a file is reported even if its content is of another format.
pub(super) fn promises_asset(extension: &[u8]) -> bool {
    let mut known = Format::ALL.iter().flat_map(|format| format.extensions());
    known.any(|known| extension.eq_ignore_ascii_case(known.as_bytes()))
}

pub(super) fn promises_archive(path: &Path) -> bool {
    ARCHIVES.iter().any(|known| extension(path).eq_ignore_ascii_case(known.as_bytes()))
}

pub(super) fn extension(path: &Path) -> &[u8] {
    path.extension().unwrap_or_default().as_encoded_bytes()
}

/// Entries of at most so many bytes are asked for as a whole, even for their headers: two more requests cost more.
const SMALL: u64 = 64 << 10;

/// Bytes of a larger entry that are asked for at first.
const HEAD: u64 = 1 << 10;

/// The largest entry that is asked for ahead.
const AHEAD: u64 = 16 << 20;

/// One file or entry to read.
#[derive(Debug)]
pub struct Item {
    pub(super) place: Place,
    /// Named by the caller, so there is a row even for a file that is no asset.
    pub(super) named: bool,
    /// Whether its headers are probably not in memory.
    pub(super) is_cold: AtomicBool,
}

#[derive(Debug)]
pub(crate) enum Place {
    File(PathBuf),
    /// A pipe or device, which can be opened only once.
    Stream(PathBuf),
    Entry {
        archive: Arc<SharedArchive>,
        entry: u32,
    },
    /// An object in a store. In a box, because it is large.
    Object(Box<StoredItem>),
    /// A fault in the walk. In a box, because faults are rare and items many.
    Failed(Box<(Address, Fault)>),
}

/// An archive that many items share.
#[derive(Debug)]
pub(crate) struct SharedArchive {
    pub(crate) archive: OpenArchive,
    /// The path of rows and addresses.
    pub(super) path: PathBuf,
    /// Given once before cold headers are read.
    advice: OnceLock<()>,
}

impl SharedArchive {
    pub(crate) fn new(path: PathBuf, archive: OpenArchive) -> Arc<Self> {
        Arc::new(Self { archive, path, advice: OnceLock::new() })
    }

    /// The map and its file. Headers are read from the file: a page of a map that is touched first costs more than a system
    /// call, and around a page of a cold map the system reads what nobody wants.
    pub(super) fn mapped_file(&self, is_cold: bool) -> Option<(&Archive, &Arc<File>)> {
        let (archive, file) = self.archive.as_memory()?;
        let file = file?;
        if is_cold {
            self.advice.get_or_init(|| read_no_more_than_asked(file));
        }
        Some((archive, file))
    }
}

/// An object in a store that is no archive, and the way to it.
#[derive(Debug)]
pub(crate) struct StoredItem {
    pub(super) store: Arc<dyn Store>,
    /// The address with the parts that are not shown.
    pub(super) location: String,
    /// The object, if a list had it.
    pub(super) object: Option<Arc<dyn Object>>,
}

impl StoredItem {
    fn open(&self) -> io::Result<Arc<dyn Object>> {
        self.object.as_ref().map_or_else(|| self.store.open(&self.location), |object| Ok(Arc::clone(object)))
    }
}

/// An opened asset, parsed once.
#[derive(Debug)]
pub struct Loaded {
    parsed: Result<AssetBuf<Mapping<'static>>, ParseError<Mapping<'static>>>,
    /// The file as it is stored, where it was unpacked.
    packed: Option<Mapping<'static>>,
    format: Option<Format>,
}

impl Loaded {
    /// Parses the bytes of an asset with options. A compressed file is unpacked.
    pub fn new(bytes: Mapping<'static>, options: &ParseOptions) -> Self {
        let packed = is_compressed(&bytes).then(|| bytes.clone());
        let unpacked = bytes.unpacked(&Limits::default());
        let parsed = unpacked.and_then(|bytes| AssetBuf::parse_with(bytes, options));
        let format = match &parsed {
            Ok(asset) => Some(asset.view().format()),
            Err(failed) => Format::sniff(&failed.bytes).ok(),
        };
        Self { parsed, packed, format }
    }

    /// The view. O(1).
    ///
    /// # Errors
    /// Those of [`Asset::parse_with`].
    pub fn asset(&self) -> Result<Asset<'_>, Error> {
        self.parsed.as_ref().map(AssetBuf::view).map_err(|failed| failed.error)
    }

    /// The format, also of an asset that cannot be parsed; `None` if it is unknown.
    pub const fn format(&self) -> Option<Format> {
        self.format
    }

    /// The bytes of the file or entry as they are stored, for checksums and sizes.
    pub fn stored(&self) -> &[u8] {
        self.packed.as_deref().unwrap_or_else(|| self.bytes())
    }

    /// The bytes that the view reads: those of the file or entry, unpacked.
    pub fn bytes(&self) -> &[u8] {
        match &self.parsed {
            Ok(asset) => asset.bytes(),
            Err(failed) => &failed.bytes,
        }
    }
}

impl Item {
    pub(crate) const fn new(place: Place, named: bool) -> Self {
        Self { place, named, is_cold: AtomicBool::new(true) }
    }

    /// The archive of an entry, and the entry.
    pub(super) fn entry(&self) -> Option<(&SharedArchive, Entry<'_>)> {
        let Place::Entry { archive, entry } = &self.place else { return None };
        Some((archive, archive.archive.get(usize::try_from(*entry).ok()?)?))
    }

    /// The address.
    pub fn address(&self) -> Address {
        match &self.place {
            Place::File(path) | Place::Stream(path) => Address::of_file(path),
            Place::Entry { archive, .. } => {
                let name = self.entry().map(|(_, entry)| entry.name().to_string());
                Address::of_entry(&archive.path, name.unwrap_or_default())
            }
            Place::Object(object) => Address::of_file(&object.location),
            Place::Failed(failed) => failed.0.clone(),
        }
    }

    /// The path and the name inside the archive, as rows have them.
    fn names(&self) -> (String, Option<String>) {
        path_and_entry(&self.address())
    }

    /// Whether the caller named the item. Such an item has a row even if it is no asset.
    pub const fn is_named(&self) -> bool {
        self.named
    }

    /// Whether the item has a row: `false` for a file in a folder that is no asset by its name or its first bytes, of
    /// which at most 32 are read. If they cannot be read, the name decides.
    pub fn is_asset(&self) -> bool {
        match &self.place {
            Place::File(path) if !self.is_promised(path) => is_asset(path).unwrap_or_else(|_| promises_archive(path)),
            _ => true,
        }
    }

    /// Whether the name of a file or the caller promises an asset.
    fn is_promised(&self, path: &Path) -> bool {
        self.named || promises_asset(extension(path))
    }

    /// Whether the name promises an asset.
    pub fn promises_asset(&self) -> bool {
        match &self.place {
            Place::File(path) | Place::Stream(path) => promises_asset(extension(path)),
            Place::Entry { .. } => self.entry().is_some_and(|(_, entry)| promises_asset(entry.name().extension())),
            Place::Object(_) => promises_asset(extension(self.address().path())),
            Place::Failed(_) => false,
        }
    }

    /// Whether a later entry of the archive has the same name. The name alone means the later entry.
    pub fn is_shadowed(&self) -> bool {
        self.entry().is_some_and(|(archive, entry)| {
            archive.archive.entry(&entry.name().to_string()).is_ok_and(|last| last.index() != entry.index())
        })
    }

    /// Compares an entry's data with the checksum in the directory of its archive. O(data). A file has no checksum.
    ///
    /// # Errors
    /// [`ArchiveError`] if they differ.
    pub fn check_checksum(&self, data: &[u8]) -> Result<(), ArchiveError> {
        self.entry().map_or(Ok(()), |(archive, entry)| archive.archive.check(&entry, data))
    }

    /// The CRC-32 of the data: that of the directory of its archive for an entry, which [`check_checksum`](Item::check_checksum) proves; or
    /// of the content of a file. O(1) for an entry, O(data) for a file.
    ///
    /// # Errors
    /// A file that cannot be read, and a fault of the walk itself.
    pub fn crc32(&self, opener: &Opener) -> Result<u32, Fault> {
        match (self.entry(), &self.place) {
            (Some((_, entry)), _) => Ok(entry.crc32()),
            // A pipe would be waited for.
            (None, Place::Failed(failed)) => Err(failed.1.clone()),
            (None, _) => Ok(crc32fast::hash(&self.address().open(opener)?)),
        }
    }

    /// Bytes to read, for a balance of work; 0 if that is not known.
    pub fn size_hint(&self) -> u64 {
        self.size().unwrap_or(0)
    }

    /// Bytes to read; 0 for a stream.
    ///
    /// # Errors
    /// A file that the system does not tell of.
    pub(crate) fn size(&self) -> Result<u64, Fault> {
        Ok(match &self.place {
            Place::File(path) => path.metadata()?.len(),
            Place::Entry { .. } => self.entry().map_or(0, |(_, entry)| entry.size()),
            Place::Object(item) => item.object.as_ref().map_or(0, |object| object.size()),
            Place::Stream(_) => 0,
            Place::Failed(failed) => return Err(failed.1.clone()),
        })
    }

    /// Bytes after inflation, as the archive states; 0 for a file or a stored entry.
    pub(super) fn inflated_size(&self) -> u64 {
        let inflated = self.entry().filter(|(_, entry)| entry.method() != Method::Stored);
        inflated.map_or(0, |(_, entry)| entry.size())
    }

    /// The bytes of the item as they are stored, by the policy of the opener; `None` for a file in a folder that is no asset. The bytes of an
    /// entry come from its archive, which is open already.
    ///
    /// # Errors
    /// A file or entry that cannot be read, and a fault of the walk itself.
    pub fn open(&self, opener: &Opener) -> Option<Result<Mapping<'static>, Fault>> {
        let opener = &opener.clone().raw();
        Some(match &self.place {
            Place::File(path) if !self.is_promised(path) => match is_asset(path) {
                Ok(true) => opener.open(path).map_err(Fault::from),
                Err(error) if promises_archive(path) => Err(error.into()),
                _ => return None,
            },
            Place::File(path) if !self.named && path.metadata().is_ok_and(|metadata| metadata.len() == 0) => {
                read_unsized(path).map_err(Fault::from)
            }
            Place::File(path) | Place::Stream(path) => opener.open(path).map_err(Fault::from),
            Place::Entry { archive, .. } => archive.archive.open_entry(self.entry()?.1).map_err(Fault::from),
            Place::Object(item) => item.open().and_then(|object| object.read(0..object.size())).map_err(Fault::from),
            Place::Failed(failed) => Err(failed.1.clone()),
        })
    }

    /// The side-car beside an animation, as [`SideCar::beside`]. Does not read the directory of the archive again. `None`
    /// for every entry but the last of its name: programs find only that one, and a million entries of one name would
    /// read one side-car a million times.
    ///
    /// # Errors
    /// As [`SideCar::beside`].
    pub fn side_car(&self) -> io::Result<Option<SideCar>> {
        match &self.place {
            Place::File(path) => beside_file(path),
            Place::Entry { .. } => match self.entry().filter(|_| !self.is_shadowed()) {
                Some((archive, entry)) => beside_entry(&archive.path, &archive.archive, &entry.name().to_string()),
                None => Ok(None),
            },
            Place::Object(item) => beside_object(&*item.store, &item.location),
            Place::Stream(_) | Place::Failed(_) => Ok(None),
        }
    }

    /// The asset, opened; `None` for a file in a folder that is no asset.
    pub fn load(&self, opener: &Opener, options: &ParseOptions) -> Option<Result<Loaded, Fault>> {
        Some(self.open(opener)?.map(|bytes| Loaded::new(bytes, options)))
    }

    /// The row of the asset; `None` for a file in a folder that is no asset.
    pub fn row(&self, opener: &Opener, options: &Options) -> Option<Row> {
        let read = if options.need() == Need::Headers { self.row_of_headers(options) } else { None };
        let bytes = match read {
            Some(Ok(row)) => return row,
            Some(Err(fault)) => Err(fault),
            None => self.open(opener)?,
        };
        let (path, entry) = self.names();
        Some(match bytes {
            Ok(bytes) => Row::of(path, entry, &bytes, options),
            Err(fault) => Row { joins: options.joins.then(Joins::default), ..Row::unreadable(path, entry, fault) },
        })
    }

    /// The row of the asset from a source that is read in parts, which is `None` for a file in a folder that is no asset; `None` if the whole
    /// item must be read.
    fn row_of_headers(&self, options: &Options) -> Option<Result<Option<Row>, Fault>> {
        let row = |source: &dyn ReadAt<Error = io::Error>| {
            let (path, entry) = self.names();
            Row::of_headers(path, entry, source, options).map(Some)
        };
        let is_cold = self.is_cold.load(Ordering::Relaxed);
        match &self.place {
            Place::File(path) => {
                let parts = FileParts::open_for(path, WINDOW.take(), is_cold).ok()?;
                let is_other = || matches!(Format::sniff_source(&parts), Err(ReadError::Format(_)));
                let read = if parts.size() == 0 {
                    None
                } else if !self.is_promised(path) && is_other() {
                    Some(Ok(None))
                } else {
                    // After a failed read, opening the whole file gives the fault.
                    row(&parts).ok().map(Ok)
                };
                WINDOW.set(parts.into_buffer());
                read
            }
            Place::Entry { .. } => {
                let (archive, record) = self.entry()?;
                let mut buffer = WINDOW.take();
                let read = match archive.mapped_file(is_cold) {
                    Some((map, file)) => {
                        let parts = FileParts::shared(file, to_u64(map.bytes().len()), buffer);
                        let read = map.stored_in(&record, &parts).and_then(|data| row(&data).ok()).map(Ok);
                        buffer = parts.into_buffer();
                        read
                    }
                    None => {
                        archive.archive.with_stored(&record, &mut buffer, row).map(|read| read.map_err(Fault::from))
                    }
                };
                WINDOW.set(buffer);
                read
            }
            Place::Object(item) => Some(item.open().and_then(|object| row(&*object.parts())).map_err(Fault::from)),
            Place::Stream(_) | Place::Failed(_) => None,
        }
    }

    /// Whether both are entries of one archive.
    pub(super) fn is_of_archive_of(&self, other: &Self) -> bool {
        match (&self.place, &other.place) {
            (Place::Entry { archive, .. }, Place::Entry { archive: other, .. }) => Arc::ptr_eq(archive, other),
            _ => false,
        }
    }

    /// Asks the system to begin to read an entry of a mapped archive from the disk, as a whole, and does not wait for it.
    /// Other items are read when they are opened.
    pub fn prefetch(&self) {
        if let Some((archive, entry)) = self.entry().filter(|(archive, _)| archive.archive.as_memory().is_some()) {
            archive.archive.prefetch([entry]);
        }
    }

    /// Whether the first bytes of the item are in memory; `true` where that is not known.
    pub(super) fn is_in_memory(&self) -> bool {
        match &self.place {
            Place::File(path) => File::open(path).map_or(true, |file| begins_in_memory(&file)),
            Place::Entry { .. } => self.entry().is_none_or(|(archive, entry)| {
                let memory = archive.archive.as_memory();
                memory.is_some_and(|(archive, file)| file.is_none() || is_in_memory(archive.header_bytes(&entry)))
            }),
            Place::Object(_) => false,
            Place::Stream(_) | Place::Failed(_) => true,
        }
    }

    /// Bytes that a store is asked for before the item is read; 0 for other items.
    pub(super) fn bytes_ahead(&self, need: Need) -> u64 {
        self.range_ahead(need).map_or(0, |(_, range)| range.end.saturating_sub(range.start))
    }

    pub(super) fn range_ahead(&self, need: Need) -> Option<(&Arc<dyn Object>, Range<u64>)> {
        let (archive, entry) = self.entry()?;
        Some((archive.archive.object()?, wanted(&entry, need)))
    }
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

/// Whether a file begins as one of the formats.
fn is_asset(path: &Path) -> io::Result<bool> {
    first_bytes(path, to_u64(Format::SNIFF_LEN)).map(|first| Format::sniff(&first).is_ok())
}

thread_local! {
    /// The buffer in which this thread reads files.
    static WINDOW: Cell<Vec<u8>> = const { Cell::new(Vec::new()) };
}

/// The bytes of an entry that are read first. One that is too large is asked for when it is read.
fn wanted(entry: &Entry<'_>, need: Need) -> Range<u64> {
    let (range, size) = (whole(entry), entry.compressed_size());
    let is_whole = need == Need::Content || entry.method() != Method::Stored || size <= SMALL;
    let kept = if size > AHEAD {
        0
    } else if is_whole {
        size
    } else {
        HEAD
    };
    range.start..range.end.saturating_sub(size.saturating_sub(kept))
}

#[cfg(test)]
mod tests {
    use test_support::build_zip::{Entry as Zipped, Zip};
    use test_support::corpus::file;
    use test_support::store::store;

    use super::*;
    use crate::codes;
    use crate::items::Sources;

    fn sources_of(entries: impl IntoIterator<Item = Zipped>) -> Sources {
        Sources::of_archive("a.zip", Zip::of(entries).build().bytes.into(), &Limits::default()).expect("an archive")
    }

    /// What a header of 30 bytes, the name and 64 bytes of extra fields take.
    fn around(entry: &Entry<'_>) -> u64 {
        94 + to_u64(entry.name().as_bytes().len())
    }

    /// An entry with as many bytes in the archive.
    fn packed(name: &str, size: usize) -> Zipped {
        Zipped::deflated(name, []).with(|entry| entry.body = Some(vec![0; size]))
    }

    #[test]
    fn small_and_compressed_entries_are_asked_for_as_a_whole_and_too_large_ones_not_at_all() {
        let sources = sources_of([
            Zipped::stored("a.psk", vec![0; 65_536]),
            Zipped::stored("b.psk", vec![0; 65_537]),
            packed("c.psk", 70_000),
            packed("d.psk", 16 << 20),
            packed("e.psk", (16 << 20) + 1),
        ]);
        let asked = |need| {
            let entries = sources.items().iter().filter_map(|item| Some(item.entry()?.1));
            let size = |entry| (wanted(&entry, need), whole(&entry).start, around(&entry));
            let sizes = entries.map(size).map(|(range, start, around)| {
                assert_eq!(range.start, start);
                range.end - start - around
            });
            sizes.collect::<Vec<u64>>()
        };
        assert_eq!(asked(Need::Headers), [65_536, 1024, 70_000, 16 << 20, 0]);
        assert_eq!(asked(Need::Content), [65_536, 65_537, 70_000, 16 << 20, 0]);
    }

    #[test]
    fn only_entries_of_stores_are_asked_for_ahead() {
        let (opener, _) = store();
        let sources =
            Sources::find(&["memory://mod.zip".into(), "memory://fox.psk".into()], &opener, &Limits::default());
        for item in sources.items() {
            let expected = item.entry().map_or(0, |(_, entry)| around(&entry) + entry.compressed_size());
            assert_eq!(item.bytes_ahead(Need::Content), expected);
        }
        let of_memory = sources_of([Zipped::stored("a.psk", b"abc")]);
        assert_eq!(of_memory.items()[0].bytes_ahead(Need::Content), 0);
    }

    #[test]
    fn compressed_entries_alone_are_inflated() {
        let sources = sources_of([Zipped::stored("a.psk", [0; 100]), Zipped::deflated("b.psk", [0; 100])]);
        assert_eq!(sources.items().iter().map(Item::inflated_size).collect::<Vec<_>>(), [0, 100]);
        assert_eq!(Item::new(Place::File("a.psk".into()), true).inflated_size(), 0);
    }

    #[test]
    fn entries_of_one_archive_belong_together() {
        let entries = || ["a.psk", "b.psk"].map(|name| Zipped::stored(name, b"abc"));
        let [one, other] = [sources_of(entries()), sources_of(entries())];
        let [first, second] = one.items() else { panic!("two entries") };
        assert!(first.is_of_archive_of(second));
        assert!(!first.is_of_archive_of(&other.items()[0]));
        let loose = Item::new(Place::File("a.zip".into()), true);
        assert!(!first.is_of_archive_of(&loose) && !loose.is_of_archive_of(first) && !loose.is_of_archive_of(&loose));
    }

    #[test]
    fn objects_are_never_in_memory_and_what_is_read_at_once_always_is() {
        let (opener, _) = store();
        let sources = Sources::find(&["memory://fox.psk".into()], &opener, &Limits::default());
        assert!(!sources.items()[0].is_in_memory());
        assert!(sources_of([Zipped::stored("a.psk", b"abc")]).items()[0].is_in_memory());
        let fault = (Address::of_file("a.psk"), Fault::new(codes::IO, &"gone"));
        let known = [Place::Failed(Box::new(fault)), Place::Stream("a.psk".into()), Place::File("gone.psk".into())];
        assert!(known.into_iter().all(|place| Item::new(place, true).is_in_memory()));
    }

    /// It was an archive when the folder was listed.
    #[test]
    fn a_file_that_is_gone_is_a_fault_if_its_name_promises_something() {
        let opener = Opener::reading();
        let kind = |name: &str| {
            let opened = Item::new(Place::File(name.into()), false).open(&opener)?;
            Some(opened.expect_err("no such file").kind)
        };
        assert_eq!(kind("gone.zip"), Some("not-found"));
        assert_eq!(kind("gone.psk"), Some("not-found"));
        assert_eq!(kind("gone.txt"), None);
    }

    /// Such a file states a size of 0.
    #[cfg(target_os = "linux")]
    #[test]
    fn a_file_of_the_system_that_is_named_is_read_to_its_end() {
        const PATH: &str = "/proc/self/cmdline";
        let size = to_u64(std::fs::read(PATH).expect("a text").len());
        let sources = Sources::find(&[PATH.into()], &Opener::reading(), &Limits::default());
        let rows: Vec<Row> = sources.rows(&Options::default()).collect();
        assert_eq!(rows.iter().map(|row| row.bytes).collect::<Vec<_>>(), [Some(size)]);
    }

    #[test]
    fn rows_have_the_path_and_the_entry_of_their_item() {
        let sources = sources_of([Zipped::stored("art/a.psk", file("actorx/mesh/classic.psk"))]);
        let names: Vec<_> = sources.rows(&Options::default()).map(|row| (row.path, row.entry)).collect();
        assert_eq!(names, [("a.zip".to_owned(), Some("art/a.psk".to_owned()))]);
    }
}
