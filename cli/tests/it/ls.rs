//! `ls`: the rows of files and folders, in which order, and how the command ends.

use std::fs;
use std::path::Path;

use serde_json::Value;
use tempfile::TempDir;

use crate::run::{DAMAGED, LS_KEYS, PSA, PSK, corpus, ended, json, objects, skelmap, status, stdout};

#[test]
fn ls_prints_the_documented_keys_in_their_order() {
    let output = skelmap(&["ls", "--format", "jsonl", PSK, PSA, DAMAGED]);
    assert_eq!(status(&output), 1, "one file is bad");
    let line = stdout(&output).lines().next().expect("a row").to_owned();
    let places: Vec<usize> =
        LS_KEYS.iter().map(|key| line.find(&format!("\"{key}\":")).unwrap_or_else(|| panic!("no key {key}"))).collect();
    assert!(places.is_sorted(), "{line}");

    let rows = objects(&output);
    assert_eq!(rows[0]["schema"], 1);
    assert_eq!(rows[0]["format"], "actorx.psk");
    assert_eq!(
        (&rows[0]["entry"], &rows[0]["sequences"], &rows[0]["error"]),
        (&Value::Null, &Value::Null, &Value::Null)
    );
    assert_eq!(rows[1]["format"], "actorx.psa");
    assert_eq!((&rows[1]["points"], &rows[1]["uv_sets"]), (&Value::Null, &Value::Null));
    assert_eq!(rows[2]["error"]["kind"], "records-overrun");
    assert!(rows[2]["error"]["offset"].is_u64());
    assert!(rows[2]["error"]["message"].as_str().expect("text").contains("at byte "));
}

#[test]
fn ls_rows_equal_the_manifest() {
    let manifest: Value = serde_json::from_slice(&corpus("MANIFEST.json")).expect("JSON");
    let rows = objects(&skelmap(&["ls", "--format", "jsonl", "corpus"]));
    let row_of = |file: &str| rows.iter().find(|row| row["path"] == format!("corpus/{file}"));
    let mut compared = 0;
    for case in manifest["files"].as_array().expect("files") {
        let file = case["file"].as_str().expect("a name");
        let Some(row) = row_of(file) else {
            // A file of a kind that nobody asked for, and whose name does not promise one that is.
            assert!(Path::new(file).extension().is_some_and(|kind| kind == "psw"), "{file} has no row");
            continue;
        };
        if let Some(expected) = case["expect"]["ok"].as_object() {
            for key in ["format", "bones", "points", "wedges", "faces", "materials", "uv_sets", "sequences", "frames"] {
                assert_eq!(row[key], expected[key], "{file}: {key}");
            }
        } else {
            let kind = &case["expect"]["error"]["kind"];
            if kind == "other-format" {
                // Another format under this name: the command takes the file for what it is.
                assert_ne!(row["format"], Value::Null, "{file}");
            } else {
                assert_eq!(&row["error"]["kind"], kind, "{file}");
                assert_eq!(row["error"]["offset"], case["expect"]["error"]["offset"], "{file}");
            }
        }
        compared += 1;
    }
    assert!(compared > 100);
}

#[test]
fn ls_finds_assets_by_content_and_skips_other_files() {
    let folder = TempDir::new().expect("a folder");
    let put = |name: &str, bytes: &[u8]| fs::write(folder.path().join(name), bytes).expect("written");
    put("mesh.bin", &corpus("actorx/mesh/classic.psk"));
    put("notes.txt", b"nothing");
    put("broken.PSK", b"nothing");
    let rows = objects(&skelmap(&["ls", "--format", "jsonl", folder.path().to_str().expect("UTF-8")]));
    let found: Vec<(&str, &Value)> = rows
        .iter()
        .map(|row| {
            (
                Path::new(row["path"].as_str().expect("a path")).file_name().expect("a name").to_str().expect("UTF-8"),
                row,
            )
        })
        .map(|(name, row)| (name, &row["error"]["kind"]))
        .collect();
    assert_eq!(found, [("broken.PSK", &Value::from("unknown-format")), ("mesh.bin", &Value::Null)]);
}

#[test]
fn the_order_does_not_depend_on_the_number_of_jobs() {
    let one = skelmap(&["ls", "--format", "jsonl", "--jobs", "1", "corpus"]);
    let four = skelmap(&["ls", "--format", "jsonl", "--jobs", "4", "corpus"]);
    assert!(!one.stdout.is_empty());
    assert_eq!(one.stdout, four.stdout);
    assert_eq!(skelmap(&["--no-map", "ls", "--format", "jsonl", "corpus"]).stdout, one.stdout);
}

#[test]
fn json_is_an_array_and_csv_has_a_heading() {
    let rows: Value = serde_json::from_slice(&skelmap(&["ls", "--format", "json", PSK, PSA]).stdout).expect("JSON");
    assert_eq!(rows.as_array().map(Vec::len), Some(2));
    let csv = stdout(&skelmap(&["ls", "--format", "csv", PSK]));
    let mut lines = csv.lines();
    assert!(lines.next().expect("a heading").starts_with("schema,path,entry,format,bytes,bones,"));
    assert!(lines.next().expect("a row").starts_with("1,corpus/actorx/mesh/classic.psk,,actorx.psk,"));
    assert_eq!(lines.next(), None);
}

#[test]
fn links_are_followed_on_request_and_circles_of_links_end() {
    let folder = TempDir::new().expect("a folder");
    let below = folder.path().join("below");
    fs::create_dir(&below).expect("a folder");
    let mesh = test_support::corpus::folder().join("actorx/mesh/classic.psk");
    std::os::unix::fs::symlink(mesh, below.join("link.psk")).expect("a link");
    std::os::unix::fs::symlink(folder.path(), below.join("up")).expect("a link");
    let output = skelmap(&["ls", "--follow", "--format", "jsonl", folder.path().to_str().expect("UTF-8")]);
    assert_eq!(status(&output), 0);
    assert_eq!(objects(&output).len(), 1);
}

#[test]
fn the_exit_status_depends_on_the_result() {
    let empty = TempDir::new().expect("a folder");
    let empty = empty.path().to_str().expect("UTF-8");
    assert_eq!(status(&skelmap(&["ls", PSK])), 0);
    assert_eq!(status(&skelmap(&["ls", PSK, DAMAGED])), 1);
    assert_eq!(status(&skelmap(&["ls", PSK, "no such file"])), 1);
    assert_eq!(status(&skelmap(&["ls"])), 2);
    assert_eq!(status(&skelmap(&["ls", "--format", "xml", PSK])), 2);
    assert_eq!(status(&skelmap(&["ls", "no such file"])), 3);
    assert_eq!(status(&skelmap(&["ls", empty])), 3);
    assert_eq!(status(&skelmap(&["check", PSK])), 0);
    assert_eq!(status(&skelmap(&["check", "corpus/actorx/mesh/face_wedge.psk"])), 1);
    assert_eq!(status(&skelmap(&["check", empty])), 3);
    assert_eq!(status(&skelmap(&["info", PSK])), 0);
    assert_eq!(status(&skelmap(&["info", DAMAGED])), 1);
    assert_eq!(status(&skelmap(&["info", "no such file"])), 3);
    assert_eq!(status(&skelmap(&["dump", PSK, "--what", "keys"])), 2);
    assert_eq!(status(&skelmap(&["dump", PSA, "--what", "keys", "--sequence", "none"])), 2);
    assert_eq!(status(&skelmap(&["dump", DAMAGED, "--what", "points"])), 1);
}

#[test]
fn the_option_engine_reads_odd_files_as_the_game_does() {
    let odd = "corpus/pyrogenesis/psa/version_2.psa";
    assert_eq!(ended(&["ls", odd]), 1);
    let row = json(&["ls", "--engine", "--format", "json", odd]);
    assert_eq!(row[0]["quirks"], serde_json::json!(["unknown-version"]));
}
