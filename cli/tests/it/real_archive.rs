//! A whole archive of the game, found through `SKELMAP_ARCHIVE` (0 A.D.'s `public.zip`); without it these tests say so and pass.

use std::collections::BTreeMap;
use std::env;
use std::path::PathBuf;

use skelmap::Asset;
use skelmap::archive::{Archive, Limits, Method};
use skelmap::mapping::{Mapping, Opener};
use skelmap_batch::items::{Options, Sources};

use test_support::pyrogenesis::naive::{self as naive, Mode};

fn path() -> Option<PathBuf> {
    let path = env::var_os("SKELMAP_ARCHIVE").map(PathBuf::from);
    if path.is_none() {
        println!("skipped: SKELMAP_ARCHIVE is not set");
    }
    path
}

/// The archive, mapped.
fn opener() -> Opener {
    #[allow(unsafe_code, reason = "tests map what nobody changes")]
    // SAFETY: nothing changes or truncates the archive while the tests run.
    unsafe {
        Opener::auto()
    }
}

fn is_model(name: &[u8]) -> bool {
    name.eq_ignore_ascii_case(b"pmd") || name.eq_ignore_ascii_case(b"psa")
}

/// Every model is read out of the mapping, and its counts are those of the naive reader.
#[test]
fn every_model_of_a_real_archive_is_read_in_place() {
    let Some(path) = path() else { return };
    let file: Mapping<'_> = opener().open(&path).unwrap();
    let archive = Archive::parse(&file).unwrap();
    let mut models = BTreeMap::new();
    for entry in archive.entries().filter(|entry| is_model(entry.name().extension())) {
        assert_eq!(entry.method(), Method::Stored, "{}", entry.name());
        let data = archive.stored(&entry).unwrap().unwrap();
        assert!(file.as_ptr_range().contains(&data.as_ptr()));
        archive.check(&entry, data).unwrap();
        let counts = match Asset::parse(data).unwrap() {
            Asset::PyrogenesisPmd(mesh) => {
                let expected = naive::read_pmd(data, Mode::Strict).unwrap();
                assert_eq!(mesh.vertices().len(), expected.vertices.len());
                assert_eq!((mesh.faces().len(), mesh.bones().len()), (expected.faces.len(), expected.bind.len()));
                expected.bind.len()
            }
            Asset::PyrogenesisPsa(animation) => {
                let expected = naive::read_psa(data, Mode::Strict).unwrap();
                assert_eq!(animation.states().len(), expected.states.len());
                animation.bone_count()
            }
            other => panic!("{}: {other:?}", entry.name()),
        };
        models.insert(entry.name().to_string(), counts as u64);
    }
    assert!(models.len() > 5000, "{} models", models.len());
    // The catalogue has a row for each, and the same numbers.
    let mut rows = BTreeMap::new();
    let sources = Sources::find(&[path], &opener(), &Limits::default());
    for row in sources.rows(&Options::default()) {
        assert_eq!(row.error, None);
        rows.insert(row.entry.unwrap(), row.summary.bones.unwrap());
    }
    assert_eq!(rows, models);
}

/// The limit is on memory of the process's own: maps of files do not count (Linux).
#[cfg(target_os = "linux")]
#[test]
fn a_real_archive_is_catalogued_and_checked_within_64_mib() {
    let Some(path) = path() else { return };
    let folder = tempfile::tempdir().unwrap();
    let catalog = format!("catalog \"$1\" -o {}", folder.path().join("rows.jsonl").display());
    for command in [catalog.as_str(), "check \"$1\"", "ls --format csv \"$1\""] {
        let script = format!("ulimit -d 65536; exec \"$0\" {command}");
        let mut shell = std::process::Command::new("sh");
        let output = shell.args(["-c", &script, env!("CARGO_BIN_EXE_skelmap")]).arg(&path).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{command}: {said}");
    }
}
