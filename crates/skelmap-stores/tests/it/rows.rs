//! Rows of assets in stores are those of the same files.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use skelmap::archive::{Address, AddressError, Directory, Limits, OpenArchive};
use skelmap::mapping::Opener;
use skelmap_batch::items::{Options, Row, Sources};
use skelmap_stores::Remote;

use super::{Fault, Server, remote};
use test_support::build_zip::{ENCRYPTED, Entry, Zip};
use test_support::corpus::{file, folder};

/// The rows at a path or address, with `X` in the place of its text.
fn rows(path: &str, remote: &Remote, options: &Options) -> Vec<Row> {
    let opener = Opener::reading().with_store(Arc::new(remote.clone()));
    let sources = Sources::find(&[PathBuf::from(path)], &opener, &Limits::default());
    let mut rows: Vec<Row> = sources.rows(options).collect();
    for row in &mut rows {
        row.path = row.path.replace(path, "X");
    }
    rows
}

fn archive(entries: usize) -> Vec<u8> {
    let assets = ["actorx/anim/classic.psa", "actorx/mesh/classic.psk", "actorx/mesh/classic.psk"].map(file);
    let mut all = Vec::new();
    for number in 0..entries {
        let extension = if number % 3 == 0 { "psa" } else { "psk" };
        let name = format!("art/{number}.{extension}");
        let data = &assets[number % 3];
        all.push(if number % 5 == 0 { Entry::deflated(name, data) } else { Entry::stored(name, data) });
        // What lies between: more than is read over.
        if number % 50 == 0 {
            all.push(Entry::stored(format!("art/{number}.dds"), super::noise(100_000)));
        }
    }
    Zip::of(all).build().bytes
}

#[test]
fn rows_of_an_archive_in_a_store_are_those_of_the_file_in_few_requests() {
    let bytes = archive(1500);
    let local = tempfile::tempdir().unwrap();
    let path = local.path().join("mod.zip");
    fs::write(&path, &bytes).unwrap();
    let server = Server::new(&[("/mod.zip", &bytes)], &[], Duration::ZERO);
    let plain = Options { joins: true, ..Options::default() };
    for options in [plain, Options { content_hash: true, ..plain }] {
        let remote = remote();
        let found = rows(&server.address("/mod.zip"), &remote, &options);
        assert_eq!(found, rows(path.to_str().unwrap(), &remote, &options));
        assert_eq!(found.len(), 1500);
        let usage = remote.usage();
        assert!(usage.requests < 100, "{usage:?}");
        assert!(usage.bytes < bytes.len() as u64, "{usage:?}");
    }
}

#[test]
fn an_entry_with_two_faults_has_one_fault_wherever_its_archive_lies() {
    let data = file("actorx/mesh/classic.psk");
    let other_name = |entry: Entry| Entry { local_name: Some(b"art/other.psk".to_vec()), ..entry };
    let other_method = |entry: Entry| Entry { method: 12, body: Some(data.clone()), ..entry };
    let encrypted = |entry: Entry| Entry { flags: ENCRYPTED, ..entry };
    let entry = |name: &str| Entry::stored(name, &data);
    let bytes = Zip::of([
        other_name(other_method(entry("art/1.psk"))),
        encrypted(other_method(entry("art/2.psk"))),
        other_name(encrypted(entry("art/3.psk"))),
    ]);
    let bytes = bytes.build().bytes;
    let local = tempfile::tempdir().unwrap();
    let path = local.path().join("mod.zip");
    fs::write(&path, &bytes).unwrap();
    let server = Server::new(&[("/mod.zip", &bytes)], &[], Duration::ZERO);
    let codes = |rows: &[Row]| rows.iter().map(|row| row.error.as_ref().unwrap().kind.to_string()).collect::<Vec<_>>();
    for options in [Options::default(), Options { content_hash: true, ..Options::default() }] {
        let found = rows(&server.address("/mod.zip"), &remote(), &options);
        assert_eq!(codes(&found), ["zip-unsupported"; 3]);
        assert_eq!(found, rows(path.to_str().unwrap(), &remote(), &options));
    }
    let memory = OpenArchive::parse("mod.zip", bytes.clone().into(), &Limits::default()).unwrap();
    let opener = Opener::reading().with_store(Arc::new(remote()));
    let store = OpenArchive::open(server.address("/mod.zip"), &opener, &Limits::default()).unwrap();
    let fault = |archive: &OpenArchive, index| {
        let error = archive.open_entry(archive.get(index).unwrap()).unwrap_err().to_string();
        error.rsplit_once("mod.zip").unwrap().1.to_owned()
    };
    for index in 0..3 {
        assert_eq!(fault(&store, index), fault(&memory, index));
    }
}

#[test]
fn the_directory_of_an_archive_takes_two_requests() {
    let bytes = archive(3000);
    let server = Server::new(&[("/mod.zip", &bytes)], &[], Duration::ZERO);
    let remote = remote();
    let object = remote.archive(&server.address("/mod.zip")).unwrap();
    let directory = Directory::read(&object, &Limits::default()).unwrap();
    assert_eq!(directory.len(), 3060);
    assert!(server.requests() <= 2, "{:?}", server.lines());
}

#[test]
fn entries_that_are_asked_for_ahead_cost_no_request_later() {
    let bytes = archive(500);
    let server = Server::new(&[("/mod.zip", &bytes)], &[], Duration::ZERO);
    let opener = Opener::reading().with_store(Arc::new(remote()));
    let store = OpenArchive::open(server.address("/mod.zip"), &opener, &Limits::default()).unwrap();
    let memory = OpenArchive::parse("mod.zip", bytes.into(), &Limits::default()).unwrap();
    let entries: Vec<_> = store.entries().step_by(10).collect();
    store.prefetch(entries.iter().copied());
    let requests = server.requests();
    for entry in &entries {
        assert_eq!(store.open_entry(entry).unwrap()[..], memory.open_entry(entry).unwrap()[..]);
    }
    assert_eq!(server.requests(), requests);
}

/// A byte that changes under a server without tags, in a version of one size and date.
#[test]
fn an_entry_from_a_store_without_tags_is_as_its_checksum_says() {
    let mesh = file("actorx/mesh/classic.psk");
    let noise = super::noise(400_000);
    let zip = Zip::of([Entry::stored("art/1.psk", &mesh), Entry::stored("art/between.dds", noise)]);
    let built = zip.build();
    let (altered, bytes) = (built.data(0).end - 1, built.bytes);
    let faults = [("/tagless", Fault::Altered(altered)), ("/tagged", Fault::None)];
    let server = Server::new(&[("/tagless/mod.zip", &bytes), ("/tagged/mod.zip", &bytes)], &faults, Duration::ZERO);
    let opener = Opener::reading().with_store(Arc::new(remote()));
    let open = |folder: &str| {
        let store = OpenArchive::open(server.address(folder), &opener, &Limits::default()).unwrap();
        store.open_entry(store.get(0).unwrap())
    };
    assert_eq!(open("/tagged/mod.zip").unwrap()[..], mesh);
    let AddressError::Archive { error, .. } = open("/tagless/mod.zip").unwrap_err() else { panic!("another error") };
    assert_eq!(error.kind().code().name(), "zip-checksum");
}

/// A folder of a web server is no object, and its answer would be a page.
#[test]
fn a_prefix_of_a_server_without_lists_is_an_error_that_says_so() {
    let server = Server::new(&[], &[("/mods", Fault::Status(405, usize::MAX))], Duration::ZERO);
    let found = rows(&server.address("/mods/"), &remote(), &Options::default());
    assert_eq!(found.len(), 1);
    let error = found[0].error.as_ref().unwrap();
    assert_eq!(error.kind, "remote-no-list", "{error:?}");
}

#[test]
fn entries_of_an_archive_in_a_store_are_opened_by_address() {
    let bytes = fs::read(folder().join("archive/mod.zip")).unwrap();
    let server = Server::new(&[("/a b/mod.zip", &bytes), ("/a%20b/mod.zip", &bytes)], &[], Duration::ZERO);
    let opener = Opener::reading().with_store(Arc::new(remote()));
    let local = OpenArchive::parse("mod.zip", bytes.into(), &Limits::default()).unwrap();
    let address = Address::find(format!("{}!/art/walk.psa", server.address("/a%20b/mod.zip")));
    assert_eq!(address.entry(), Some("art/walk.psa"));
    let expected = local.open_entry(local.entry("art/walk.psa").unwrap()).unwrap();
    assert_eq!(*address.open(&opener).unwrap(), *expected);
}

#[test]
fn an_address_is_shown_without_its_query_and_opened_with_it() {
    let bytes = file("actorx/anim/classic.psa");
    let server = Server::new(&[("/walk.psa", &bytes)], &[], Duration::ZERO);
    let address = Address::find(server.address("/walk.psa?sig=s3cr3t"));
    assert_eq!(address.to_string(), server.address("/walk.psa"));
    let remote = remote();
    let opener = Opener::reading().with_store(Arc::new(remote.clone()));
    assert_eq!(*address.open(&opener).unwrap(), *bytes);
    assert!(server.lines().iter().all(|line| line.contains("/walk.psa?sig=s3cr3t ")), "{:?}", server.lines());
    let found = rows(&server.address("/walk.psa?sig=s3cr3t"), &remote, &Options::default());
    assert_eq!(found[0].path, server.address("/walk.psa"));
    assert_eq!(found[0].error, None);
}

#[test]
fn a_store_that_changes_its_archive_loses_no_row() {
    let bytes = archive(600);
    let server = Server::new(&[("/f/mod.zip", &bytes)], &[("/f", Fault::Replaced(2))], Duration::ZERO);
    let found = rows(&server.address("/f/mod.zip"), &remote(), &Options::default());
    let server = Server::new(&[("/f/mod.zip", &bytes)], &[], Duration::ZERO);
    let expected = rows(&server.address("/f/mod.zip"), &remote(), &Options::default());
    assert_eq!(found.len(), 600);
    let is_changed = |row: &&Row| row.error.as_ref().is_some_and(|error| error.kind == "remote-changed");
    // What came with the directory is right.
    assert!(found.iter().zip(&expected).all(|(row, expected)| is_changed(&row) || row == expected));
    assert!(found.iter().filter(is_changed).count() > 300);
}
