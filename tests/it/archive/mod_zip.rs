//! `corpus/archive/mod.zip`, a small mod: on disk as the builder writes it, and read in place.
//!
//! With `SKELMAP_BLESS=1` the file is written instead of compared.

use std::{env, fs};

use skelmap::Asset;
use skelmap::archive::{Archive, Inflater, Method};

use test_support::build_zip::{Entry, UNIX, Zip};
use test_support::corpus::cases;
use test_support::corpus::folder;

/// Names in the archive and in the corpus.
const MODELS: [(&str, &str); 7] = [
    ("art/grunt.psk", "actorx/mesh/classic.psk"),
    ("art/walk.psa", "actorx/anim/classic.psa"),
    ("art/meshes/horse.pmd", "pyrogenesis/pmd/skinned.pmd"),
    ("art/animation/march.psa", "pyrogenesis/psa/march.psa"),
    ("art/animation/héros.psa", "pyrogenesis/psa/named_1.psa"),
    ("art/broken.psk", "actorx/damaged/truncated_body.psk"),
    ("art/crate.pskx", "actorx/mesh/static.pskx"),
];
const DEFLATED: &str = "art/crate.pskx";
const TEXT: &[u8] = b"{ \"name\": \"a-mod\", \"version\": \"1.0.0\", \"label\": \"A small mod of models\" }\n";

fn model(file: &str) -> Vec<u8> {
    cases().into_iter().find(|case| case.file == file).unwrap_or_else(|| panic!("no {file} in the corpus")).bytes
}

fn written() -> Vec<u8> {
    let mut entries = vec![Entry::stored("mod.json", TEXT), Entry::folder("art/")];
    for (name, file) in MODELS {
        let entry = if name == DEFLATED { Entry::deflated } else { Entry::stored };
        entries.push(entry(name.as_bytes().to_vec(), model(file)));
    }
    let made_on_unix = |entry: Entry| entry.with(|entry| entry.made_by = UNIX);
    // As 0 A.D. ends its archives.
    Zip::of(entries.into_iter().map(made_on_unix)).with(|zip| zip.comment = vec![0; 16]).build().bytes
}

/// The file, once blessed if that was asked for.
fn on_disk() -> Vec<u8> {
    static BLESS: std::sync::Once = std::sync::Once::new();
    let path = folder().join("archive/mod.zip");
    if env::var_os("SKELMAP_BLESS").is_some_and(|value| value == "1") {
        BLESS.call_once(|| fs::write(&path, written()).unwrap());
    }
    fs::read(&path).unwrap_or_else(|error| panic!("archive/mod.zip: {error}"))
}

#[test]
fn the_file_on_disk_is_what_the_builder_writes() {
    assert!(on_disk() == written(), "archive/mod.zip differs; SKELMAP_BLESS=1 writes it anew");
}

#[test]
fn the_mod_holds_the_models_of_the_corpus() {
    let bytes = on_disk();
    let archive = Archive::parse(&bytes).unwrap();
    assert_eq!(archive.len(), 2 + MODELS.len());
    let mut inflater = Inflater::new();
    for (name, file) in MODELS {
        let (entry, expected) = (archive.entry(name).unwrap(), model(file));
        assert_eq!(entry.method(), if name == DEFLATED { Method::Deflated } else { Method::Stored });
        let data = archive.read(&entry, &mut inflater).unwrap();
        assert!(data == expected, "{name}");
        archive.check(&entry, data).unwrap();
        assert_eq!(Asset::parse(data).is_err(), name == "art/broken.psk");
    }
    assert!(archive.entry("art/").unwrap().name().is_folder());
    assert_eq!(archive.stored(&archive.entry("mod.json").unwrap()).unwrap().unwrap(), TEXT);
}
