//! Archives of a million entries, and what is looked up in them.

use std::path::{Path, PathBuf};

use allocation_counter::measure;
use skelmap::archive::{Address, Archive, Inflater, Limits};
use skelmap::mapping::Opener;
use skelmap_batch::items::{Options, Sources};
use tempfile::{TempDir, tempdir};

use test_support::actorx::worst::{animation, info};
use test_support::worst::{A_MILLION, ARCHIVES, Entry, archive, archive_of};

fn written(bytes: &[u8]) -> (TempDir, PathBuf) {
    let folder = tempdir().unwrap();
    let path = folder.path().join("mod.zip");
    std::fs::write(&path, bytes).unwrap();
    (folder, path)
}

fn find(paths: &[PathBuf]) -> Sources {
    Sources::find(paths, &Opener::reading(), &Limits::default())
}

/// Every entry by itself, a look-up by name, and the catalogue.
fn everything(path: &Path, bytes: &[u8]) {
    let archive = Archive::parse(bytes).unwrap();
    let mut inflater = Inflater::new();
    for entry in archive.entries() {
        archive.check(&entry, archive.read(&entry, &mut inflater).unwrap()).unwrap();
        assert_eq!(archive.get(entry.index()).unwrap().size(), 0);
    }
    assert!(archive.entry("no such entry").is_err());
    let sources = find(&[path.to_owned()]);
    for item in sources.items() {
        assert!(item.side_car().unwrap().is_none());
        assert_eq!(item.size_hint(), 0);
    }
    let rows = sources.rows(&Options { joins: true, ..Options::default() }).filter(|row| row.error.is_some()).count();
    assert_eq!(rows, sources.items().len());
}

#[test]
fn archives_of_a_million_entries_take_linear_time() {
    for worst in ARCHIVES {
        let bytes = (worst.of)(A_MILLION);
        let (_folder, path) = written(&bytes);
        everything(&path, &bytes);
    }
}

#[test]
fn an_archive_takes_memory_of_a_small_multiple_of_its_size() {
    for worst in ARCHIVES {
        for count in [4000, 16_000] {
            let bytes = (worst.of)(count);
            let (_folder, path) = written(&bytes);
            // The file is read: one of the multiples is its bytes.
            let found = measure(|| drop(find(std::slice::from_ref(&path))));
            assert!(found.bytes_max <= 4 * bytes.len() as u64 + 65_536, "{}: {found:?} of {}", worst.name, bytes.len());
        }
    }
}

/// One look-up goes through all entries; many do not.
#[test]
fn a_hundred_thousand_addresses_in_an_archive_of_a_million_entries_take_linear_time() {
    let bytes = archive(A_MILLION, |at| format!("art/{at}.psa"));
    let (_folder, path) = written(&bytes);
    let address = |at: usize| PathBuf::from(format!("{}!/art/{}.psa", path.display(), at * 10));
    let sources = find(&(0..A_MILLION / 10).map(address).collect::<Vec<_>>());
    assert_eq!(sources.items().len(), A_MILLION / 10);
    for (at, item) in sources.items().iter().enumerate().step_by(997) {
        assert_eq!(item.address(), Address::find(address(at)));
        assert!(item.is_named());
    }
}

/// As with the look-up of one: of entries of the same name the last counts, and a name that is not there is said.
#[test]
fn addresses_give_the_same_entries_one_by_one_and_together() {
    let entry = |name: &str, size: usize| Entry { name: name.into(), body: vec![b'x'; size], inflated: None };
    let bytes = archive_of([entry("a.psa", 1), entry("b.psa", 2), entry("a.psa", 3)].into_iter());
    let (_folder, path) = written(&bytes);
    let of = |name: &str| PathBuf::from(format!("{}!/{name}", path.display()));
    let sources = find(&[of("a.psa"), of("b.psa"), of("c.psa"), of("A.psa")]);
    let sizes: Vec<u64> = sources.items().iter().map(skelmap_batch::items::Item::size_hint).collect();
    assert_eq!(sizes, [3, 2, 0, 0]);
    let open = |name: &str| Address::find(of(name)).open(&Opener::reading()).map(|bytes| bytes.len());
    assert_eq!((open("a.psa").unwrap(), open("b.psa").unwrap()), (3, 2));
    let faults: Vec<_> = sources.rows(&Options::default()).map(|row| row.error.map(|error| error.kind)).collect();
    assert_eq!(faults[2..], [Some("zip-no-such-entry"), Some("zip-no-such-entry")]);
}

/// A million animations of one name, and a side-car beside them: it is read with the last, not with each.
#[test]
fn a_side_car_comes_from_the_last_entry_of_its_name() {
    let animation = animation(1, 1, info("Walk", 1, 0, 1), &[]);
    let entry = |name: &str, body: &[u8]| Entry { name: name.into(), body: body.to_vec(), inflated: None };
    let text = "[AnimSet]\nbAnimRotationOnly=1\n".repeat(100_000);
    let copies = (0..10_000).map(|_| entry("a.psa", &animation)).chain([entry("a.config", text.as_bytes())]);
    let (_folder, path) = written(&archive_of(copies));
    let sources = find(&[path]);
    let with_side_car = |index: &usize| sources.items()[*index].side_car().unwrap().is_some();
    let found: Vec<usize> = (0..sources.items().len()).filter(with_side_car).collect();
    assert_eq!(found, [9999]);
}

#[test]
fn a_text_of_ten_million_separators_is_parsed_as_an_address() {
    let text = "!/".repeat(10 * A_MILLION);
    assert_eq!(Address::find(&text), Address::of_file(&text));
    let text = "x".repeat(10 * A_MILLION) + "!/x";
    assert_eq!(Address::find(&text), Address::of_file(&text));
}

/// Entries that are inflated to a thousand times as much, one after the other into the same room.
#[test]
fn entries_that_inflate_a_thousandfold_take_the_memory_of_one_entry() {
    let mut encoder = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::best());
    std::io::Write::write_all(&mut encoder, &vec![0; 1 << 20]).unwrap();
    let body = encoder.finish().unwrap();
    let bomb = |at: usize| Entry { name: at.to_string(), body: body.clone(), inflated: Some(1 << 20) };
    let bytes = archive_of((0..500).map(bomb));
    let archive = Archive::parse(&bytes).unwrap();
    let info = measure(|| {
        let mut inflater = Inflater::new();
        for entry in archive.entries() {
            assert_eq!(archive.read(&entry, &mut inflater).unwrap().len(), 1 << 20);
        }
    });
    assert!(info.bytes_max < (1 << 20) + 100_000, "{info:?}");
}
