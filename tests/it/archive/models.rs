//! Models in an archive read as they do loose, at whatever alignment they lie.

use skelmap::Asset;
use skelmap::archive::{Archive, Inflater};

use test_support::build_zip::{Entry, Zip};
use test_support::corpus::{Case, cases};
use test_support::shifted::Shifted;
use test_support::show::show_asset;

/// What a file says: its error, or everything that is in it.
fn contents(bytes: &[u8]) -> String {
    let mut out = String::new();
    match Asset::parse(bytes) {
        Ok(asset) => show_asset(&mut out, &asset),
        Err(error) => out = format!("{error:?}: {error}"),
    }
    out
}

/// All of the corpus in one archive, the data of every entry at the given place modulo 4.
fn archive(residue: usize) -> (Zip, Vec<String>) {
    let cases = cases();
    assert!(cases.len() > 300);
    let entry = |case: &Case| Entry::stored(case.file, &case.bytes).with(|entry| entry.aligned = Some((4, residue)));
    (Zip::of(cases.iter().map(entry)), cases.iter().map(|case| contents(&case.bytes)).collect())
}

#[test]
fn a_stored_model_reads_like_a_loose_model_at_every_alignment() {
    for residue in 0..4 {
        let (zip, expected) = archive(residue);
        let built = zip.build();
        // The archive itself begins at a multiple of 16.
        let place = Shifted::by(0, &built.bytes);
        let archive = Archive::parse(place.of(built.bytes.len())).unwrap();
        for (entry, expected) in archive.entries().zip(&expected) {
            let data = archive.stored(&entry).unwrap().unwrap();
            assert_eq!(data.as_ptr().addr() % 4, residue);
            assert!(contents(data) == *expected, "{}", entry.name());
        }
        assert_eq!(archive.len(), expected.len());
    }
}

#[test]
fn a_deflated_model_reads_like_a_loose_model() {
    let (zip, expected) = archive(0);
    let entries = zip.entries.iter().map(|entry| Entry::deflated(&entry.name, &entry.data));
    let bytes = Zip::of(entries).build().bytes;
    let archive = Archive::parse(&bytes).unwrap();
    let mut inflater = Inflater::new();
    for (entry, expected) in archive.entries().zip(&expected) {
        assert!(contents(archive.read(&entry, &mut inflater).unwrap()) == *expected, "{}", entry.name());
    }
}

/// Where one entry's bytes end and the next one's begin, a model sees its own only.
#[test]
fn a_model_ends_at_the_end_of_its_entry() {
    let case = |file: &str| cases().into_iter().find(|case| case.file == file).unwrap().bytes;
    let whole = case("actorx/mesh/classic.psk");
    let (first, rest) = whole.split_at(whole.len() - 40);
    let bytes = Zip::of([Entry::stored("cut.psk", first), Entry::stored("rest", rest)]).build().bytes;
    let archive = Archive::parse(&bytes).unwrap();
    let data = archive.stored(&archive.entry("cut.psk").unwrap()).unwrap().unwrap();
    assert_eq!(contents(data), contents(first));
    assert_ne!(contents(first), contents(&whole));
}
