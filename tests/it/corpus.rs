//! The corpus on disk is what the generator writes, and every file of it reads as its manifest says.
//!
//! With `SKELMAP_BLESS=1` the files are written instead of compared.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::{env, fs};

use serde_json::Value;

use test_support::corpus::{cases, folder, manifest, sha256, write_all};
use test_support::{FAMILIES, family};

/// The manifest's entries, once blessed if that was asked for.
fn entries() -> Vec<Value> {
    static BLESS: std::sync::Once = std::sync::Once::new();
    if env::var_os("SKELMAP_BLESS").is_some_and(|value| value == "1") {
        BLESS.call_once(|| write_all(&folder()).unwrap());
    }
    let text = fs::read_to_string(folder().join("MANIFEST.json")).unwrap();
    let mut manifest: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(manifest["schema"], 1);
    serde_json::from_value(manifest["files"].take()).unwrap()
}

fn file_of(entry: &Value) -> &str {
    entry["file"].as_str().unwrap()
}

fn side_cars(entry: &Value) -> impl Iterator<Item = &Value> {
    entry.get("extra").and_then(Value::as_array).into_iter().flatten()
}

#[test]
fn files_on_disk_equal_the_files_that_the_generator_writes() {
    entries();
    let same = |file: &str, expected: &[u8]| {
        let found = fs::read(folder().join(file)).unwrap_or_else(|error| panic!("{file}: {error}"));
        assert!(found == expected, "{file} differs; SKELMAP_BLESS=1 writes it anew");
    };
    let cases = cases();
    for case in &cases {
        same(case.file, &case.bytes);
        for (file, bytes) in &case.extra {
            same(file, bytes);
        }
    }
    same("MANIFEST.json", manifest(&cases).as_bytes());
}

#[test]
fn sizes_and_hashes_equal_the_manifest() {
    for entry in &entries() {
        for entry in std::iter::once(entry).chain(side_cars(entry)) {
            let bytes = fs::read(folder().join(file_of(entry))).unwrap();
            assert_eq!(entry["sha256"], sha256(&bytes), "{}", file_of(entry));
            assert_eq!(entry["bytes"], bytes.len(), "{}", file_of(entry));
        }
    }
}

fn files_below(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { files_below(&path, found) } else { found.push(path) }
    }
}

#[test]
fn no_file_is_missing_from_the_manifest_and_none_is_listed_twice() {
    let entries = entries();
    let listed = || entries.iter().flat_map(|entry| std::iter::once(entry).chain(side_cars(entry))).map(file_of);
    let mut on_disk = Vec::new();
    for family in FAMILIES {
        files_below(&folder().join(family.name), &mut on_disk);
    }
    let on_disk: BTreeSet<PathBuf> =
        on_disk.iter().map(|path| path.strip_prefix(folder()).unwrap().to_owned()).collect();
    assert_eq!(listed().map(PathBuf::from).collect::<BTreeSet<_>>(), on_disk);
    assert_eq!(listed().count(), on_disk.len());
}

/// Sorted, each once.
fn set<T: AsRef<str>>(codes: impl IntoIterator<Item = T>) -> BTreeSet<String> {
    codes.into_iter().map(|code| code.as_ref().to_owned()).collect()
}

fn set_in(expected: &Value, key: &str) -> BTreeSet<String> {
    set(expected[key].as_array().unwrap().iter().map(|code| code.as_str().unwrap()))
}

#[test]
fn every_file_reads_as_the_manifest_says() {
    let entries = entries();
    assert!(entries.len() > 100);
    for entry in &entries {
        let file = file_of(entry);
        let bytes = fs::read(folder().join(file)).unwrap();
        if let Some(expected) = entry["expect"].get("ok") {
            reads_as(file, &bytes, expected);
            continue;
        }
        let error = error_of(file, &bytes).unwrap_or_else(|| panic!("{file} can be read"));
        let expected = &entry["expect"]["error"];
        assert_eq!(expected["kind"], error.code().name(), "{file}: {error}");
        assert_eq!(expected["section"].as_str().unwrap().as_bytes(), error.section().as_bytes(), "{file}: {error}");
        assert_eq!(expected["offset"], error.offset(), "{file}: {error}");
    }
}

/// The error of the parser that a file's folder and name ask for: that of its own format, or of another that it is not.
fn error_of(file: &str, bytes: &[u8]) -> Option<skelmap::Error> {
    (family::of(file).error)(file, bytes)
}

/// The bytes that views read.
fn opened<'a>(file: &str, bytes: &'a [u8]) -> std::borrow::Cow<'a, [u8]> {
    test_support::ueformat::agree::unpacked(bytes).unwrap_or_else(|error| panic!("{file}: {error}"))
}

fn reads_as(file: &str, bytes: &[u8], expected: &Value) {
    let bytes = &opened(file, bytes);
    let asset = skelmap::Asset::parse(bytes).unwrap_or_else(|error| panic!("{file}: {error}"));
    assert_eq!(expected["format"], asset.format().code(), "{file}");
    let summary = asset.summary();
    let counts = [
        ("bones", summary.bones),
        ("points", summary.points),
        ("wedges", summary.wedges),
        ("faces", summary.faces),
        ("materials", summary.materials),
        ("uv_sets", summary.uv_sets),
        ("sequences", summary.sequences),
        ("frames", summary.frames),
    ];
    for (name, count) in counts {
        assert_eq!(expected[name], Value::from(count), "{file}: {name}");
    }
    assert_eq!(expected["duration_s"].as_f64(), summary.duration_s, "{file}");
    let mut quirks = BTreeSet::new();
    asset.quirks().for_each(|quirk| {
        quirks.insert(quirk.code.name().to_owned());
    });
    assert_eq!(quirks, set_in(expected, "quirks"), "{file}");
}

#[test]
fn every_check_finds_what_the_manifest_says_and_nothing_else() {
    for entry in &entries() {
        let Some(expected) = entry["expect"].get("ok") else { continue };
        let file = file_of(entry);
        let bytes = fs::read(folder().join(file)).unwrap();
        let bytes = opened(file, &bytes);
        let asset = skelmap::Asset::parse(&bytes).unwrap();
        let mut findings = asset.check();
        for side_car in side_cars(entry) {
            let text = fs::read(folder().join(file_of(side_car))).unwrap();
            let skelmap::Asset::ActorxPsa(animation) = asset else { panic!("{file} has a side-car") };
            findings.extend(skelmap::actorx::check_config(&animation, &skelmap::actorx::Config::new(&text)));
        }
        let codes = set(findings.iter().map(|finding| finding.code.name()));
        assert_eq!(codes, set_in(expected, "findings"), "{file}: {findings:#?}");
    }
}

#[test]
fn findings_are_sorted_by_severity() {
    for entry in &entries() {
        let bytes = fs::read(folder().join(file_of(entry))).unwrap();
        let Ok(asset) = skelmap::Asset::parse(&bytes) else { continue };
        let findings = asset.check();
        assert!(findings.is_sorted_by_key(|finding| std::cmp::Reverse(finding.severity)), "{}", file_of(entry));
    }
}

#[test]
fn every_code_has_a_file() {
    let entries = entries();
    for family in FAMILIES {
        let (mut quirks, mut findings, mut errors) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
        for entry in entries.iter().filter(|entry| family::of(file_of(entry)).name == family.name) {
            if let Some(expected) = entry["expect"].get("ok") {
                quirks.extend(set_in(expected, "quirks"));
                findings.extend(set_in(expected, "findings"));
            } else {
                errors.insert(entry["expect"]["error"]["kind"].as_str().unwrap().to_owned());
            }
        }
        assert_eq!(quirks, set(family.codes.quirks), "{}", family.name);
        assert_eq!(findings, set(family.codes.findings), "{}", family.name);
        assert_eq!(errors, set(family.codes.errors), "{}", family.name);
    }
}
