//! Real files of three releases of 0 A.D., found through `SKELMAP_SAMPLES`; without it these tests say so and pass.

use std::fs;
use std::path::{Path, PathBuf};

use skelmap::pyrogenesis::{Options, Pmd, Psa};

use test_support::corpus::below;
use test_support::pyrogenesis::agree::agree;

/// The folder of the real files, or `None` (and a message) where there is none.
fn folder() -> Option<PathBuf> {
    test_support::corpus::samples("pyrogenesis")
}

/// The files with an extension below a folder, those written to be hostile left out.
fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let is_hostile = |path: &PathBuf| path.components().any(|part| part.as_os_str() == "hostile");
    below(folder, &[extension]).into_iter().filter(|path| !is_hostile(path)).collect()
}

#[test]
fn all_real_files_are_read_and_agree_with_the_naive_reader() {
    let Some(folder) = folder() else { return };
    let (animations, meshes) = (files(&folder, "psa"), files(&folder, "pmd"));
    assert_eq!(animations.len() + meshes.len(), 301, "as many as the list of their origins has");
    for path in &animations {
        println!("{}", path.display());
        let bytes = fs::read(path).unwrap();
        Psa::parse(&bytes).unwrap();
        agree(&bytes);
    }
    for path in &meshes {
        println!("{}", path.display());
        let bytes = fs::read(path).unwrap();
        Pmd::parse(&bytes).unwrap();
        agree(&bytes);
    }
}

/// What the reference measured over whole archives holds for the files taken from them.
#[test]
fn real_files_have_the_layout_that_the_reference_measured() {
    let Some(folder) = folder() else { return };
    let mut legacy = 0;
    for path in files(&folder, "psa") {
        let bytes = fs::read(&path).unwrap();
        let animation = Psa::parse(&bytes).unwrap();
        assert_eq!(animation.version(), 1);
        if path.ends_with("horse_gallop.psa") {
            continue;
        }
        if animation.name().as_bytes().is_empty() {
            assert_eq!(animation.frame_length_ms(), 33.333_332, "{}", path.display());
            assert_eq!(animation.sections()[1].offset, 28);
        } else {
            assert_eq!(animation.name().to_string(), "God Knows");
            assert_eq!((animation.frame_length_ms(), animation.sections()[1].offset), (33.0, 37));
            legacy += 1;
        }
    }
    assert_eq!(legacy, 7);
    for path in files(&folder, "pmd") {
        let bytes = fs::read(&path).unwrap();
        let mesh = Pmd::parse(&bytes).unwrap();
        let (version, props) = match path.file_name().and_then(|name| name.to_str()) {
            Some("sphere.pmd") => (3, 0),
            Some("horse.pmd") => (2, 9),
            _ => (4, mesh.props().len()),
        };
        assert_eq!((mesh.version(), mesh.engine_props().count()), (version, props), "{}", path.display());
        if version == 4 {
            assert_eq!(mesh.props().next().map(|prop| prop.name.to_string()).as_deref(), Some("root"));
        }
        assert!((1..=3).contains(&mesh.uv_set_count()));
    }
}

/// The reference's real oddities: degenerate triangles, vertices bound to the model, prop points of one name, animations of things that
/// stand still. All are notes.
#[test]
fn real_files_have_only_the_oddities_that_the_reference_lists() {
    let Some(folder) = folder() else { return };
    let mut found = std::collections::BTreeMap::new();
    for path in files(&folder, "psa").into_iter().chain(files(&folder, "pmd")) {
        let bytes = fs::read(&path).unwrap();
        for finding in skelmap::Asset::parse(&bytes).unwrap().check() {
            assert_eq!(finding.severity, skelmap::Severity::Note, "{}: {finding}", path.display());
            *found.entry(finding.code.name()).or_insert(0) += 1;
        }
    }
    // Three, four and at least six files were chosen for just these (see the list of their origins). An independent walk finds 17
    // animations whose frames are the same, byte by byte.
    let expected = [("face-degenerate", 3), ("model-bound", 4), ("name-duplicate", 7), ("no-motion", 17)];
    assert_eq!(found.into_iter().collect::<Vec<_>>(), expected);
}

/// The verdicts of the engine, compiled and run on these files.
#[test]
fn hostile_files_get_the_verdict_of_the_engine_and_never_crash() {
    let Some(folder) = folder() else { return };
    let table = fs::read_to_string(folder.join("hostile/EXPECTED.tsv")).unwrap();
    let mut compared = 0;
    for line in table.lines().skip(1) {
        let (file, verdict) = line.split_once('\t').unwrap();
        let bytes = fs::read(folder.join("hostile").join(file)).unwrap();
        let engine = Psa::parse_with(&bytes, &Options::ENGINE).map_err(|error| error.code().name());
        let expected: &[&str] = match verdict.split([' ', ';', ',']).next().unwrap() {
            "accept" | "loads" => &[],
            "InvalidVersion" => &["version"],
            // The engine has one word for a wrong magic and a wrong size.
            "InvalidType" => &["data-size", "unknown-format"],
            "ReadFailed" => &["empty", "truncated"],
            // The engine allocates or aborts first on some of these.
            "UnexpectedEOF" | "std::length_error" | "allocates" => &["truncated", "records-overrun"],
            other => panic!("{other}"),
        };
        match engine {
            Ok(_) => assert!(expected.is_empty(), "{file} is taken"),
            Err(kind) => assert!(expected.contains(&kind), "{file}: {kind}, expected one of {expected:?}"),
        }
        let odd = ["v2.psa", "v_ffffffff.psa", "trail8.psa", "nf0.psa", "ft0.psa", "ftneg.psa", "ftnan.psa"];
        assert_eq!(Psa::parse(&bytes).is_err(), engine.is_err() || odd.contains(&file), "{file} in strict mode");
        compared += 1;
    }
    assert!(compared > 20);
}
