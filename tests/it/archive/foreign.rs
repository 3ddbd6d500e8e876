//! Archives of other programs hold what was put into them; `corpus/archive/foreign` says how they were made.

use std::collections::BTreeSet;
use std::fs;

use skelmap::archive::{Archive, ArchiveErrorKind, Inflater, Method};

use super::{read_all, refused};
use test_support::build_zip::{Entry, Zip};
use test_support::corpus::folder;

fn file(name: &str) -> Vec<u8> {
    let path = folder().join("archive/foreign").join(name);
    fs::read(&path).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn text() -> Vec<u8> {
    b"name = skelmap\n".repeat(20)
}

fn model() -> Vec<u8> {
    (0..=255).collect()
}

type Expected = Vec<(&'static str, Method, Vec<u8>)>;

const STORED: Method = Method::Stored;
const DEFLATED: Method = Method::Deflated;

/// Every file that can be read, and what was put into it.
fn expected() -> Vec<(&'static str, Expected)> {
    let both = |model_name, text_name| vec![(model_name, STORED, model()), (text_name, DEFLATED, text())];
    let stored = || vec![("mod/text.txt", STORED, text()), ("mod/model.bin", STORED, model())];
    let utf_8 = || ("mod/héros/モデル.psk", STORED, b"utf-8".to_vec());
    vec![
        (
            "python_stored.zip",
            vec![("mod/", STORED, vec![]), ("mod/model.bin", STORED, model()), ("mod/empty", STORED, vec![])],
        ),
        (
            "python_deflated.zip",
            vec![
                ("mod/text.txt", DEFLATED, text()),
                ("mod/model.bin", DEFLATED, model()),
                ("mod/empty", DEFLATED, vec![]),
            ],
        ),
        ("python_comments.zip", vec![("text.txt", STORED, text()), ("model.bin", STORED, model())]),
        (
            "python_names.zip",
            vec![
                ("ascii.txt", STORED, b"ascii".to_vec()),
                ("héros/モデル.psk", STORED, b"utf-8".to_vec()),
                ("héros/▒Σ.psk", STORED, b"cp437".to_vec()),
            ],
        ),
        ("python_streamed.zip", both("model.bin", "text.txt")),
        (
            "python_twice.zip",
            vec![("text.txt", STORED, b"the first".to_vec()), ("text.txt", STORED, b"the last".to_vec())],
        ),
        ("python_zip64_local.zip", both("model.bin", "text.txt")),
        ("python_zip64_streamed.zip", both("model.bin", "text.txt")),
        ("python_zip64.zip", [both("model.bin", "text.txt"), vec![("short", STORED, b"short".to_vec())]].concat()),
        (
            "infozip_stored.zip",
            vec![
                ("mod/", STORED, vec![]),
                ("mod/model.bin", STORED, model()),
                ("mod/text.txt", STORED, text()),
                ("mod/empty", STORED, vec![]),
                ("mod/héros/", STORED, vec![]),
                utf_8(),
            ],
        ),
        (
            "infozip_deflated.zip",
            [both("mod/model.bin", "mod/text.txt"), vec![("mod/empty", STORED, vec![]), utf_8()]].concat(),
        ),
        ("infozip_descriptors.zip", vec![("mod/text.txt", DEFLATED, text()), ("mod/model.bin", DEFLATED, model())]),
        ("infozip_zip64.zip", vec![("mod/text.txt", DEFLATED, text()), ("mod/model.bin", STORED, model())]),
        ("infozip_piped.zip", vec![("mod/model.bin", STORED, model()), ("mod/text.txt", STORED, text())]),
        ("infozip_stdin.zip", vec![("-", DEFLATED, text())]),
        ("infozip_comments.zip", stored()),
        ("infozip_prefixed.zip", stored()),
        ("infozip_adjusted.zip", stored()),
    ]
}

#[test]
fn archives_of_other_programs_hold_the_files_that_were_packed() {
    for (name, expected) in expected() {
        let bytes = file(name);
        let archive = Archive::parse(&bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(archive.len(), expected.len(), "{name}");
        let mut inflater = Inflater::new();
        for (entry, (entry_name, method, data)) in archive.entries().zip(&expected) {
            assert_eq!((entry.name().to_string().as_str(), entry.method()), (*entry_name, *method), "{name}");
            assert!(entry.name().matches(entry_name));
            assert_eq!(entry.name().is_folder(), entry_name.ends_with('/'));
            let found = archive.read(&entry, &mut inflater).unwrap_or_else(|error| panic!("{name}: {error}"));
            assert!(found == data, "{name}: {entry_name}");
            archive.check(&entry, found).unwrap();
            if let Some(stored) = archive.stored(&entry).unwrap() {
                assert!(test_support::any_bytes::archive::lies_in(stored, &bytes) && stored == data);
            }
        }
    }
}

#[test]
fn an_archive_of_an_archive_opens_in_place() {
    let inner = file("infozip_stored.zip");
    let bytes = Zip::of([Entry::stored("inner.zip", &inner), Entry::stored("b", b"b")]).build().bytes;
    let archive = Archive::parse(&bytes).unwrap();
    let stored = archive.stored(&archive.entry("inner.zip").unwrap()).unwrap().unwrap();
    assert_eq!(read_all(stored).unwrap(), read_all(&inner).unwrap());
}

#[test]
fn errors_name_encryption_and_unknown_compression() {
    let method = |name| {
        let bytes = file(name);
        let archive = Archive::parse(&bytes).unwrap();
        let error = archive.read(&archive.get(0).unwrap(), &mut Inflater::new()).unwrap_err();
        match error.kind() {
            ArchiveErrorKind::Unsupported { method } => method.to_string(),
            other => panic!("{name}: {other}"),
        }
    };
    assert!(method("infozip_encrypted.zip").contains("encrypted"));
    assert!(method("infozip_bzip2.zip").contains("12"));
    for name in ["infozip_encrypted.zip", "infozip_bzip2.zip"] {
        assert_eq!(refused(&file(name)), ("zip-unsupported", Some("mod/text.txt".to_owned())));
    }
}

#[test]
fn every_foreign_archive_is_tested_and_small() {
    let mut tested: BTreeSet<String> = expected().into_iter().map(|(name, _)| name.to_owned()).collect();
    tested.extend(["infozip_encrypted.zip", "infozip_bzip2.zip"].map(str::to_owned));
    let mut found = BTreeSet::new();
    for entry in fs::read_dir(folder().join("archive/foreign")).unwrap() {
        let entry = entry.unwrap();
        assert!(entry.metadata().unwrap().len() < 4096);
        let name = entry.file_name().into_string().unwrap();
        if entry.path().extension().is_some_and(|kind| kind == "zip") {
            found.insert(name);
        }
    }
    assert_eq!(found, tested);
}
