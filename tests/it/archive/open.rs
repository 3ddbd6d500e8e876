//! Archives that are opened by their path: mapped, read in parts, or in memory.

use std::fs;
#[cfg(target_os = "linux")]
use std::io::{Seek as _, SeekFrom, Write as _};

use skelmap::archive::{AddressError, ArchiveErrorKind, Directory, Limits, OpenArchive};
use skelmap::mapping::{Mapping, Opener};
use tempfile::TempDir;

use super::{noise, text};
use crate::mapping::auto;
use test_support::build_zip::{Entry, Zip, crc32};

const NAMES: [&str; 3] = ["a", "b", "empty"];

fn data() -> [Vec<u8>; 3] {
    [noise(70_000, 3), text(500), Vec::new()]
}

fn zip() -> Vec<u8> {
    let [stored, deflated, empty] = data();
    let entries = [Entry::stored("a", stored), Entry::deflated("b", deflated), Entry::stored("empty", empty)];
    Zip::of(entries).build().bytes
}

#[test]
fn an_archive_has_the_same_entries_however_it_is_opened() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("mod.zip");
    fs::write(&path, zip()).unwrap();
    let limits = Limits::default();
    let archives = [
        OpenArchive::open(&path, &Opener::reading(), &limits).unwrap(),
        OpenArchive::open(&path, &auto(), &limits).unwrap(),
        OpenArchive::parse(&path, Mapping::from(zip()), &limits).unwrap(),
    ];
    for archive in &archives {
        assert_eq!(archive.path(), path);
        archive.prefetch(archive.entries());
        assert_eq!(archive.entries().len(), NAMES.len());
        for (index, (name, data)) in NAMES.into_iter().zip(data()).enumerate() {
            let entry = archive.entry(name).unwrap();
            assert_eq!((entry.index(), entry.crc32()), (index, crc32(&data)));
            assert_eq!(&archive.open_entry(entry).unwrap()[..], data);
            assert_eq!(archive.check(&entry, &data), Ok(()));
            let error = archive.check(&entry, b"other").unwrap_err();
            assert_eq!((error.code().name(), error.entry()), ("zip-checksum", Some(name)));
        }
        let unknown = archive.entry("c").unwrap_err();
        assert_eq!(unknown.kind(), &ArchiveErrorKind::NoSuchEntry);
    }
}

#[test]
fn an_archive_that_was_cut_after_it_was_opened_is_an_error() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("mod.zip");
    fs::write(&path, zip()).unwrap();
    let archive = OpenArchive::open(&path, &Opener::reading(), &Limits::default()).unwrap();
    let file = fs::OpenOptions::new().write(true).open(&path).unwrap();
    file.set_len(1_000).unwrap();
    let error = archive.open_entry(archive.entry("a").unwrap()).unwrap_err();
    assert!(matches!(error, AddressError::Open(_)), "{error}");
    assert!(error.to_string().contains("mod.zip"), "{error}");
}

/// What lies before the first entry (as in a program that unpacks itself) takes neither memory nor time.
#[cfg(target_os = "linux")]
#[test]
fn only_the_directory_and_the_entries_that_are_asked_for_are_read() {
    const BEFORE: u64 = 1 << 40;
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("mod.zip");
    let mut sparse = fs::File::create(&path).unwrap();
    if sparse.set_len(BEFORE).is_err() {
        eprintln!("skipped: the file system has no files of a terabyte");
        return;
    }
    sparse.seek(SeekFrom::End(0)).unwrap();
    sparse.write_all(&zip()).unwrap();
    let archive = OpenArchive::open(&path, &Opener::reading(), &Limits::default()).unwrap();
    for (name, data) in NAMES.into_iter().zip(data()) {
        assert_eq!(&archive.open_entry(archive.entry(name).unwrap()).unwrap()[..], data);
    }
}

#[test]
fn stored_entries_of_a_mapped_archive_lie_in_its_map() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("mod.zip");
    let built = Zip::of([Entry::stored("a", noise(70_000, 3)), Entry::stored("b", noise(5_000, 4))]).build();
    fs::write(&path, &built.bytes).unwrap();
    let archive = OpenArchive::open(&path, &auto(), &Limits::default()).unwrap();
    let [a, b] = ["a", "b"].map(|name| archive.open_entry(archive.entry(name).unwrap()).unwrap());
    assert!(a.is_mapped() && b.is_mapped());
    let [first, second] = [0, 1].map(|index| built.data(index).start);
    assert_eq!(b.as_ptr().addr() - a.as_ptr().addr(), second - first);
}

#[test]
fn debug_output_names_the_file_and_the_number_of_entries() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("mod.zip");
    fs::write(&path, zip()).unwrap();
    let archive = OpenArchive::open(&path, &Opener::reading(), &Limits::default()).unwrap();
    assert!(format!("{archive:?}").contains("mod.zip"), "{archive:?}");
    let directory = Directory::read(&zip()[..], &Limits::default()).unwrap();
    assert!(format!("{directory:?}").contains("entries: 3"), "{directory:?}");
}
