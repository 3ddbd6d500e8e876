//! `ls`: the rows of files and folders, in which order, and how the command ends.

use std::fs;
use std::path::Path;

use serde_json::Value;
use tempfile::TempDir;

use crate::run::{
    DAMAGED, Folder, LS_KEYS, PSA, PSK, animation, corpus, ended, json, objects, skelmap, status, stdout, stored,
};

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
        // The list reads only the header of a compressed file; the manifest says what the body holds.
        if row["quirks"].to_string().contains("\"compressed\"") {
            assert!(file.starts_with("ueformat/"), "{file}");
            continue;
        }
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
    assert!(lines.next().expect("a heading").starts_with("schema,path,entry,address,format,bytes,bones,"));
    assert!(
        lines
            .next()
            .expect("a row")
            .starts_with("1,corpus/actorx/mesh/classic.psk,,corpus/actorx/mesh/classic.psk,actorx.psk,")
    );
    assert_eq!(lines.next(), None);
}

#[cfg(unix)]
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

/// Two animations, one of them in an archive: a file of many short sequences, and one with the longest sequence.
fn animations() -> Folder {
    let bones = [("Root", 0), ("Pelvis", 0)];
    let folder = Folder::new();
    let short: Vec<_> = ["a", "b", "c", "d"].map(|name| (name, 20, 10.0)).to_vec();
    folder.put("mod/many.psa", animation(&bones, &short));
    folder.put("mod/x y.zip", stored(&[("art/long.psa", &animation(&bones, &[("long", 50, 10.0)]))]));
    folder
}

#[test]
fn the_address_of_every_row_is_one_that_every_command_takes() {
    let folder = animations();
    folder.put("mod/m.psk", corpus("actorx/mesh/face_material.psk"));
    let addresses = ["mod/m.psk", "mod/many.psa", "mod/x y.zip!/art/long.psa"];
    let of = |line: &str| -> Vec<String> {
        let ran = folder.run(&line.split(' ').collect::<Vec<_>>());
        let rows = ran.lines().into_iter().map(|row| row["address"].as_str().expect("an address").to_owned());
        let mut all: Vec<_> = rows.collect();
        all.dedup();
        all
    };
    assert_eq!(of("ls mod --format jsonl"), addresses);
    assert_eq!(of("ls mod --per sequence --format jsonl"), addresses);
    assert_eq!(of("check mod --level note --format jsonl"), addresses);
    assert_eq!(of("catalog mod -o - --format jsonl"), addresses);
    assert_eq!(of("dump mod --what keys --format jsonl"), addresses[1..]);
    let mut of_match = of("match mod/m.psk mod --format jsonl");
    of_match.sort();
    assert_eq!(of_match, addresses[1..]);
    for address in addresses {
        assert_eq!(folder.ends(0, &["info", address, "--format", "jsonl"]).lines()[0]["address"], address);
    }
    // A table and CSV have the same text.
    let csv = folder.says(0, "ls mod --format csv --columns address");
    assert_eq!(csv.text().lines().collect::<Vec<_>>(), ["address", addresses[0], addresses[1], addresses[2]]);
    let table = folder.says(0, "ls mod --columns bones,address");
    let lines: Vec<&str> = table.text().lines().collect();
    assert!(lines[0].ends_with(" address") && lines[3].ends_with(addresses[2]), "{}", table.text());
    let found =
        folder.ends(0, &["ls", "mod", "--where", "address ~ 'zip!/art'", "--columns", "address", "--format", "csv"]);
    assert_eq!(found.text().lines().collect::<Vec<_>>(), ["address", addresses[2]]);
}

#[test]
fn addresses_end_with_a_zero_byte_for_xargs_on_request() {
    let folder = animations();
    assert_eq!(folder.says(0, "ls mod -0").out, b"mod/many.psa\0mod/x y.zip!/art/long.psa\0");
    assert_eq!(folder.says(0, "ls mod --null --sort -bytes --limit 1").out, b"mod/many.psa\0");
    assert_eq!(folder.says(0, "ls mod -0 --where frames>70").out, b"mod/many.psa\0");
    folder.says(2, "ls mod -0 --format csv");
}

#[test]
fn the_longest_animation_is_the_longest_sequence_and_not_the_file_with_the_largest_sum() {
    let folder = animations();
    let of_files = folder.says(0, "ls mod --sort -duration_s --limit 1 --format jsonl");
    assert_eq!(
        (&of_files.lines()[0]["address"], &of_files.lines()[0]["duration_s"]),
        (&"mod/many.psa".into(), &8.0.into())
    );
    assert!(of_files.complaints.contains("are sums over its sequences: --per sequence"), "{}", of_files.complaints);
    for key in ["-seconds", "-frames", "-duration_s", "-sequence_duration_s"] {
        let ran = folder.says(0, &format!("ls mod --per sequence --sort {key} --limit 1 --format jsonl"));
        let row = &ran.lines()[0];
        assert_eq!((&row["sequence"], &row["sequence_frames"]), (&"long".into(), &50.into()), "{key}");
        assert_eq!((row["sequence_duration_s"].as_f64(), ran.complaints.as_str()), (Some(5.0), ""), "{key}");
        assert!(row.get("frames").is_none() && row.get("duration_s").is_none(), "{row}");
    }
    let table = folder.says(0, "ls mod --per sequence");
    assert_eq!(table.text().lines().count(), 6, "{}", table.text());
    assert!(table.text().lines().next().is_some_and(|line| line.contains("sequence frames")), "{}", table.text());
    // Where no file has several sequences, there is no sum.
    let archive = folder.ends(0, &["ls", "mod/x y.zip", "--sort", "-duration_s"]);
    assert_eq!(archive.complaints, "");
}

/// The very bytes of a name, as other programs want them.
#[cfg(target_os = "linux")]
#[test]
fn names_that_are_no_text_end_with_a_zero_byte_as_they_are() {
    use std::os::unix::ffi::OsStrExt;

    let folder = Folder::new();
    let name = std::ffi::OsStr::from_bytes(b"odd/bad\xFF.psk");
    folder.put(name, corpus("actorx/mesh/classic.psk"));
    let ran = folder.run(&["ls", "odd", "-0"]);
    let expected = [folder.at(name).as_os_str().as_bytes(), b"\0"].concat();
    assert_eq!((ran.status, ran.out), (0, expected));
}
