//! `check`: findings, quirks and side-cars.

mod fix;
mod mods;
mod reports;
mod targets;

use std::fs;

use serde_json::Value;
use tempfile::TempDir;

use crate::run::{DAMAGED, PMD, WALK, corpus, ended, json, objects, skelmap, status, stderr, stdout};

#[test]
fn data_goes_to_stdout_and_everything_else_to_stderr() {
    let output = skelmap(&["check", "--level", "note", "--format", "jsonl", "corpus/actorx/mesh/face_wedge.psk"]);
    let [row] = &objects(&output)[..] else { panic!("one object a file") };
    assert_eq!(row["findings"][0]["code"], "face-wedge");
    assert_eq!(row["findings"][0]["severity"], "error");
    assert_eq!(stderr(&output), "skelmap: 1 file, 1 finding, 0 unreadable\n");
    assert!(stderr(&skelmap(&["info", DAMAGED])).contains("bytes, "));
}

#[test]
fn check_reads_the_side_car_beside_an_animation() {
    let output = skelmap(&["check", "--format", "jsonl", "corpus/actorx/anim/config_line.psa"]);
    assert_eq!(objects(&output)[0]["findings"][0]["code"], "config-line");
    let info = skelmap(&["info", "--format", "json", "corpus/actorx/anim/config_rotation_only.psa"]);
    let info: Value = serde_json::from_slice(&info.stdout).expect("JSON");
    assert_eq!(info["schema"], 1);
    assert!(info["details"]["side_car"]["path"].as_str().expect("a path").ends_with("config_rotation_only.config"));
    assert!(info["details"]["sequences"][0]["tracks_from_mesh"].as_u64().expect("a count") > 0);
}

#[test]
fn quirks_are_notes_in_every_format_and_are_counted() {
    let check =
        |format| skelmap(&["check", "--level", "note", "--format", format, "corpus/actorx/mesh/duplicate_chunk.psk"]);
    for format in ["table", "csv", "json"] {
        let output = check(format);
        assert_eq!(status(&output), 1, "{format}");
        assert!(stdout(&output).contains("duplicate-chunk"), "{format}");
    }
}

#[test]
fn a_side_car_that_cannot_be_read_is_not_ignored() {
    let folder = TempDir::new().expect("a folder");
    let animation = folder.path().join("walk.psa");
    fs::write(&animation, corpus("actorx/anim/sequences.psa")).expect("written");
    fs::create_dir(folder.path().join("walk.config")).expect("a folder");
    let path = animation.to_str().expect("UTF-8");
    assert_eq!(status(&skelmap(&["check", path])), 1);
    assert!(stdout(&skelmap(&["check", path])).contains("walk.config"));
    assert_eq!(status(&skelmap(&["info", path])), 1);
    let dump = skelmap(&["dump", path, "--what", "side-car"]);
    assert_eq!(status(&dump), 1);
    assert!(stderr(&dump).contains("walk.config"));
}

#[test]
fn a_mesh_has_no_side_car_whatever_file_lies_beside_it() {
    let folder = TempDir::new().expect("a folder");
    let mesh = folder.path().join("figure.psk");
    fs::write(&mesh, corpus("actorx/mesh/classic.psk")).expect("written");
    fs::create_dir(folder.path().join("figure.config")).expect("a folder");
    let path = mesh.to_str().expect("UTF-8");
    assert_eq!(status(&skelmap(&["info", path])), 0);
    assert_eq!(status(&skelmap(&["check", path])), 0);
}

/// A mesh whose end was overwritten with zeros is a header of an empty chunk every 32 bytes, each as odd as the one before.
#[test]
fn a_hundred_thousand_quirks_of_one_kind_are_one_note_with_their_number() {
    let folder = TempDir::new().expect("a folder");
    let path = folder.path().join("zeros.psk");
    let mut bytes = corpus("actorx/mesh/classic.psk");
    let offset = bytes.len();
    bytes.resize(offset + 100_000 * 32, 0);
    fs::write(&path, &bytes).expect("written");
    let path = path.to_str().expect("UTF-8");
    for (command, list) in [("check", "/quirks"), ("info", "/details/quirks")] {
        let output = skelmap(&[command, "--format", "jsonl", path]);
        let lines = objects(&output);
        let quirks = lines[0].pointer(list).and_then(Value::as_array).expect("a list");
        assert_eq!(quirks.len(), 1, "{command}");
        assert_eq!((&quirks[0]["code"], &quirks[0]["offset"]), (&"odd-chunk-id".into(), &offset.into()), "{command}");
        assert_eq!(quirks[0]["count"], 100_000, "{command}");
    }
}

#[test]
fn check_reports_faults() {
    assert_eq!(ended(&["check", PMD, WALK]), 0);
    let found = json(&["check", "--format", "json", "corpus/pyrogenesis/pmd/face_vertex.pmd"]);
    assert_eq!(found[0]["findings"][0]["code"], "face-vertex");
}
