//! Archives that own their bytes: stored, shared, sent to other threads, and asked for many entries.

use std::sync::Arc;
use std::{fs, thread};

use allocation_counter::measure;
use proptest::prelude::*;
use skelmap::archive::{AddressError, Archive, ArchiveErrorKind, EntryKey, Limits, OpenArchive};
use skelmap::mapping::{Mapping, Opener};
use tempfile::TempDir;

use super::text;
use test_support::build_zip::{Entry, Zip};
use test_support::with;

fn zip() -> Vec<u8> {
    Zip::of([Entry::stored("a", b"stored"), Entry::deflated("b", text(10)), Entry::stored("empty", b"")]).build().bytes
}

#[test]
fn an_archive_can_be_stored_cloned_and_sent_to_another_thread() {
    fn anywhere<T: Send + Sync + Clone + 'static>() {}
    anywhere::<Archive>();
    anywhere::<Archive<Arc<[u8]>>>();
    let archive = Archive::parse(Mapping::from(zip())).unwrap();
    let clone = archive.clone();
    assert!(std::ptr::eq(archive.bytes(), clone.bytes()));
    drop(archive);
    let read = move || {
        let entry = clone.entry("b").unwrap();
        clone.open_entry(entry).unwrap()
    };
    assert_eq!(*thread::spawn(read).join().unwrap(), *text(10));
}

#[test]
fn a_clone_of_an_archive_allocates_nothing() {
    let archive = Archive::parse(Mapping::from(zip())).unwrap();
    let info = measure(|| drop(archive.clone()));
    assert_eq!(info.count_total, 0);
}

#[test]
fn any_owner_of_bytes_can_own_an_archive() {
    fn names<B: AsRef<[u8]>>(bytes: B) -> Vec<String> {
        let archive = Archive::parse(bytes).unwrap();
        archive.entries().map(|entry| entry.name().to_string()).collect()
    }
    let (bytes, expected) = (zip(), ["a", "b", "empty"]);
    assert_eq!(names(bytes.as_slice()), expected);
    assert_eq!(names(&bytes), expected);
    assert_eq!(names(Arc::<[u8]>::from(bytes.as_slice())), expected);
    assert_eq!(names(bytes::Bytes::from(bytes.clone())), expected);
    assert_eq!(names(Mapping::borrowed(&bytes)), expected);
    assert_eq!(names(bytes), expected);
}

#[test]
fn an_entry_is_opened_by_its_name_or_as_found() {
    let (bytes, name) = (Mapping::from(zip()), String::from("b"));
    let archive = Archive::parse(bytes.clone()).unwrap();
    let entry = archive.entry("b").unwrap();
    let open = OpenArchive::parse("m.zip", bytes, &Limits::default()).unwrap();
    let found = [
        archive.open_entry("b"),
        archive.open_entry(&name),
        archive.open_entry(entry),
        archive.open_entry(EntryKey::from(&entry)),
    ];
    assert!(found.into_iter().all(|data| *data.unwrap() == *text(10)));
    assert_eq!(*open.open_entry(&name).unwrap(), *text(10));
    assert_eq!(archive.open_entry("c").unwrap_err().kind(), &ArchiveErrorKind::NoSuchEntry);
    let Err(AddressError::Archive { path, error }) = open.open_entry("c") else { panic!("opened") };
    assert_eq!((path.to_str(), error.kind()), (Some("m.zip"), &ArchiveErrorKind::NoSuchEntry));
}

#[test]
fn a_stored_entry_shares_the_bytes_of_its_archive_and_outlives_it() {
    let archive = Archive::parse(Mapping::from(zip())).unwrap();
    let entry = archive.entry("a").unwrap();
    let (place, data) = (archive.stored(&entry).unwrap().unwrap().as_ptr(), archive.open_entry(entry).unwrap());
    assert_eq!(data.as_ptr(), place);
    let empty = archive.open_entry(archive.entry("empty").unwrap()).unwrap();
    drop(archive);
    assert_eq!((&*data, &*empty), (b"stored".as_slice(), [].as_slice()));
}

#[test]
fn an_archive_opens_from_a_path_within_limits() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("mod.zip");
    fs::write(&path, zip()).unwrap();
    let archive = Archive::parse(Opener::reading().open(&path).unwrap()).unwrap();
    assert_eq!((archive.len(), archive.bytes()), (3, zip().as_slice()));
    let error =
        OpenArchive::open(&path, &Opener::reading(), &with(Limits::default(), |own| own.entries = 2)).unwrap_err();
    let AddressError::Archive { path: named, error } = error else { panic!("{error}") };
    assert_eq!((named, error.kind()), (path, &ArchiveErrorKind::TooManyEntries { count: 3, limit: 2 }));
    let missing = folder.path().join("nothing.zip");
    let error = OpenArchive::open(&missing, &Opener::reading(), &Limits::default()).unwrap_err();
    assert!(matches!(&error, AddressError::Open(error) if error.path() == missing), "{error}");
}

/// The bound of the docs: 12 bytes for each entry. The table is made once.
#[test]
fn a_table_of_names_takes_few_bytes_and_the_second_look_up_makes_it() {
    for count in [0_u32, 1, 2, 1000, 43_690, 43_691] {
        let bytes = Zip::of((0..count).map(|number| Entry::stored(format!("{number}"), b""))).build().bytes;
        let archive = Archive::parse(&bytes).unwrap();
        let last = count.checked_sub(1).map(|number| number.to_string()).unwrap_or_default();
        let found = || archive.entry(&last).is_ok_and(|entry| entry.index() + 1 == archive.len());
        // An error has a name of its own; only what is found is free of allocations.
        let lookups: Vec<_> = (0..3).map(|_| measure(|| assert_eq!(found(), count > 0))).collect();
        let most = if count == 0 { 64 } else { 12 * u64::from(count) + 16 };
        assert!(lookups[1].bytes_max <= most, "{count}: {:?}", lookups[1]);
        if count > 0 {
            let counts = [0, 1, 2].map(|at| lookups[at].count_total);
            assert_eq!(counts, [0, 1, 0], "{count}");
        }
    }
}

/// A few names in both encodings, so that many are equal, and some are equal as text only (`é`).
fn names() -> impl Strategy<Value = Vec<Vec<u8>>> {
    let name = prop_oneof![
        3 => "[ab]{0,3}".prop_map(String::into_bytes),
        1 => Just("é".as_bytes().to_vec()),
        1 => Just(vec![0x82]),
        1 => Just(vec![0x82, b'a']),
        1 => proptest::collection::vec(any::<u8>(), 0..3),
    ];
    proptest::collection::vec(name, 0..60)
}

proptest! {
    #[test]
    fn the_table_of_names_finds_the_same_entries_as_a_search(names in names(), other in "[abc]{0,3}") {
        let bytes = Zip::of(names.iter().map(|name| Entry::stored(name, b"x"))).build().bytes;
        let archive = Archive::parse(&bytes).unwrap();
        let texts: Vec<String> = archive.entries().map(|entry| entry.name().to_string()).collect();
        // The first look-up of an archive is a search; this one makes the table the next one.
        let _ = archive.entry("");
        for name in texts.iter().chain([&other]) {
            let expected = texts.iter().rposition(|text| text == name);
            prop_assert_eq!(archive.entry(name).ok().map(|entry| entry.index()), expected);
            let fresh = Archive::parse(&bytes).unwrap();
            prop_assert_eq!(fresh.entry(name).ok().map(|entry| entry.index()), expected);
        }
    }
}
