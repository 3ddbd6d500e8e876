//! Archives: whatever one lets one do stays inside of it.

use std::convert::Infallible;

use skelmap::ReadAt;
use skelmap::archive::{Archive, ArchiveError, Directory, DirectoryError, Entry, Inflater, Limits, Method};

/// Enough for honest archives of this size, so that no input takes long.
pub fn limits() -> Limits {
    let mut limits = Limits::default();
    (limits.entries, limits.inflated, limits.directory) = (1 << 16, 1 << 20, 16 << 20);
    limits
}

/// Whether the part lies within the whole, in memory.
pub fn lies_in(part: &[u8], whole: &[u8]) -> bool {
    let (part, whole) = (part.as_ptr_range(), whole.as_ptr_range());
    whole.start <= part.start && part.end <= whole.end
}

/// Bytes that have to be read by position, as those of a store.
#[derive(Clone, Copy)]
pub struct Store<'a>(pub &'a [u8]);

impl ReadAt for Store<'_> {
    type Error = Infallible;

    fn size(&self) -> u64 {
        self.0.len() as u64
    }

    fn read_at(&self, offset: u64, into: &mut [u8]) -> Result<usize, Infallible> {
        self.0.read_at(offset, into)
    }
}

/// The fault of an archive, from a source that never fails.
pub fn fault(error: DirectoryError<Infallible>) -> ArchiveError {
    match error {
        DirectoryError::Format(error) => error,
        DirectoryError::Source(never) => match never {},
    }
}

/// The directory from a store, which says and gives the same as the archive in memory.
fn compare_with_directory(bytes: &[u8], archive: &Result<Archive<&[u8]>, ArchiveError>) {
    let store = Store(bytes);
    let (archive, directory) = match (archive, Directory::read(&store, &limits()).map_err(fault)) {
        (Ok(archive), Ok(directory)) => (archive, directory),
        (Err(expected), Err(error)) => return assert_eq!(&error, expected),
        (archive, directory) => panic!("{archive:?}, {directory:?}"),
    };
    assert_eq!((directory.len(), directory.is_empty()), (archive.len(), archive.is_empty()));
    assert_eq!(directory.entries().len(), archive.len());
    let fields = |entry: &Entry<'_>| {
        (entry.index(), entry.size(), entry.compressed_size(), entry.method(), entry.header_offset())
    };
    let (mut inflater, mut other) = (Inflater::new(), Inflater::new());
    for (entry, expected) in directory.entries().zip(archive.entries()) {
        assert_eq!((fields(&entry), entry.name()), (fields(&expected), expected.name()));
        let name = entry.name().to_string();
        assert_eq!(directory.entry(&name).map(|entry| entry.index()), archive.entry(&name).map(|entry| entry.index()));
        let raw = directory.data_range(&entry, &store).map_err(fault);
        let raw = raw.map(|range| &bytes[range.start as usize..range.end as usize]);
        assert_eq!(raw, archive.raw(&expected));
        let stored = directory.stored_range(&entry, &store).map_err(fault);
        let stored = stored.map(|range| range.map(|range| range.start as usize..range.end as usize));
        assert_eq!(stored, archive.stored_range(&expected));
        if let Ok(raw) = raw {
            let data = directory.inflate(&entry, raw, &mut inflater);
            assert_eq!(data, archive.read(&expected, &mut other));
            let data = data.unwrap_or_default();
            assert_eq!(directory.check(&entry, data), archive.check(&expected, data));
        }
    }
}

pub fn archive(bytes: &[u8]) {
    survey(bytes, &mut Inflater::new());
}

/// Everything an archive lets one do. Nothing is expected but that it comes back, and that what it gives is inside and has
/// the size that the directory says. Returns whether all of it could be read.
pub fn survey(bytes: &[u8], inflater: &mut Inflater) -> bool {
    let archive = Archive::parse_with(bytes, &limits());
    compare_with_directory(bytes, &archive);
    let archive = match archive {
        Ok(archive) => archive,
        Err(error) => {
            assert!(!error.to_string().is_empty());
            return false;
        }
    };
    let mut sound = true;
    for entry in archive.entries() {
        let (name, method) = (entry.name(), entry.method());
        assert!(lies_in(name.as_bytes(), bytes));
        assert!(archive.get(entry.index()).is_some_and(|found| found.name() == name));
        let told = name.to_string();
        assert!(archive.entry(&told).is_ok_and(|found| found.index() >= entry.index()), "the last of a name is found");
        if let Ok(path) = name.to_safe_path() {
            let is_safe = |part: &str| !part.is_empty() && part != "." && part != "..";
            assert!(path.trim_end_matches('/').split('/').all(is_safe) && !path.contains('\0'), "{path:?}");
        }
        let raw = archive.raw(&entry);
        if let Ok(raw) = &raw {
            assert!(lies_in(raw, bytes) && raw.len() as u64 == entry.compressed_size());
        }
        match archive.stored(&entry) {
            Ok(Some(data)) => {
                assert!(method == Method::Stored && std::ptr::eq(data, raw.unwrap()));
                assert_eq!(data.len() as u64, entry.size());
                let range = archive.stored_range(&entry).unwrap().unwrap();
                assert!(std::ptr::eq(&raw const bytes[range], data));
            }
            Ok(None) => assert_ne!(method, Method::Stored),
            Err(error) => assert_eq!(error.entry(), Some(told.as_str())),
        }
        match archive.read(&entry, inflater) {
            Ok(data) => {
                assert_eq!(data.len() as u64, entry.size());
                assert!(method == Method::Deflated || lies_in(data, bytes));
                sound &= archive.check(&entry, data).is_ok();
            }
            Err(error) => {
                assert_eq!(error.entry(), Some(told.as_str()));
                sound = false;
            }
        }
    }
    sound
}
