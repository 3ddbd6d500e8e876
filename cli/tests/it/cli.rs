//! The command as a user runs it: what it prints, where, and how it ends.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

use crate::command::{LS_KEYS, command, skelmap};
use test_support::corpus::file;

const MESH: &str = "corpus/actorx/mesh/classic.psk";
const ANIMATION: &str = "corpus/actorx/anim/sequences.psa";
const DAMAGED: &str = "corpus/actorx/damaged/overrun.psk";

fn status(output: &Output) -> i32 {
    output.status.code().expect("no signal ended it")
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("UTF-8")
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("UTF-8")
}

fn json_lines(output: &Output) -> Vec<Value> {
    stdout(output).lines().map(|line| serde_json::from_str(line).expect("a JSON object")).collect()
}

#[test]
fn ls_prints_the_documented_keys_in_their_order() {
    let output = skelmap(&["ls", "--format", "jsonl", MESH, ANIMATION, DAMAGED]);
    assert_eq!(status(&output), 1, "one file is bad");
    let line = stdout(&output).lines().next().expect("a row").to_owned();
    let places: Vec<usize> =
        LS_KEYS.iter().map(|key| line.find(&format!("\"{key}\":")).unwrap_or_else(|| panic!("no key {key}"))).collect();
    assert!(places.is_sorted(), "{line}");

    let rows = json_lines(&output);
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
    let manifest: Value = serde_json::from_slice(&file("MANIFEST.json")).expect("JSON");
    let rows = json_lines(&skelmap(&["ls", "--format", "jsonl", "corpus"]));
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
    put("mesh.bin", &file("actorx/mesh/classic.psk"));
    put("notes.txt", b"nothing");
    put("broken.PSK", b"nothing");
    let rows = json_lines(&skelmap(&["ls", "--format", "jsonl", folder.path().to_str().expect("UTF-8")]));
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
    let rows: Value =
        serde_json::from_slice(&skelmap(&["ls", "--format", "json", MESH, ANIMATION]).stdout).expect("JSON");
    assert_eq!(rows.as_array().map(Vec::len), Some(2));
    let csv = stdout(&skelmap(&["ls", "--format", "csv", MESH]));
    let mut lines = csv.lines();
    assert!(lines.next().expect("a heading").starts_with("schema,path,entry,format,bytes,bones,"));
    assert!(lines.next().expect("a row").starts_with("1,corpus/actorx/mesh/classic.psk,,actorx.psk,"));
    assert_eq!(lines.next(), None);
}

#[test]
fn the_exit_status_depends_on_the_result() {
    let empty = TempDir::new().expect("a folder");
    let empty = empty.path().to_str().expect("UTF-8");
    assert_eq!(status(&skelmap(&["ls", MESH])), 0);
    assert_eq!(status(&skelmap(&["ls", MESH, DAMAGED])), 1);
    assert_eq!(status(&skelmap(&["ls", MESH, "no such file"])), 1);
    assert_eq!(status(&skelmap(&["ls"])), 2);
    assert_eq!(status(&skelmap(&["ls", "--format", "xml", MESH])), 2);
    assert_eq!(status(&skelmap(&["ls", "no such file"])), 3);
    assert_eq!(status(&skelmap(&["ls", empty])), 3);
    assert_eq!(status(&skelmap(&["check", MESH])), 0);
    assert_eq!(status(&skelmap(&["check", "corpus/actorx/mesh/face_wedge.psk"])), 1);
    assert_eq!(status(&skelmap(&["check", empty])), 3);
    assert_eq!(status(&skelmap(&["info", MESH])), 0);
    assert_eq!(status(&skelmap(&["info", DAMAGED])), 1);
    assert_eq!(status(&skelmap(&["info", "no such file"])), 3);
    assert_eq!(status(&skelmap(&["dump", MESH, "--what", "keys"])), 2);
    assert_eq!(status(&skelmap(&["dump", ANIMATION, "--what", "keys", "--sequence", "none"])), 2);
    assert_eq!(status(&skelmap(&["dump", DAMAGED, "--what", "points"])), 1);
}

#[test]
fn data_goes_to_stdout_and_everything_else_to_stderr() {
    let output = skelmap(&["check", "--level", "note", "--format", "jsonl", "corpus/actorx/mesh/face_wedge.psk"]);
    let [row] = &json_lines(&output)[..] else { panic!("one object a file") };
    assert_eq!(row["findings"][0]["code"], "face-wedge");
    assert_eq!(row["findings"][0]["severity"], "error");
    assert_eq!(stderr(&output), "skelmap: 1 file, 1 finding, 0 bad\n");
    assert!(stderr(&skelmap(&["info", DAMAGED])).contains("bytes, "));
}

#[test]
fn check_reads_the_side_car_beside_an_animation() {
    let output = skelmap(&["check", "--format", "jsonl", "corpus/actorx/anim/config_line.psa"]);
    assert_eq!(json_lines(&output)[0]["findings"][0]["code"], "config-line");
    let info = skelmap(&["info", "--format", "json", "corpus/actorx/anim/config_rotation_only.psa"]);
    let info: Value = serde_json::from_slice(&info.stdout).expect("JSON");
    assert_eq!(info["schema"], 1);
    assert!(info["details"]["side_car"]["path"].as_str().expect("a path").ends_with("config_rotation_only.config"));
    assert!(info["details"]["sequences"][0]["tracks_from_mesh"].as_u64().expect("a count") > 0);
}

#[test]
fn dump_prints_the_keys_of_one_bone() {
    let csv = stdout(&skelmap(&["dump", "corpus/actorx/anim/classic.psa", "--what", "keys", "--bone", "1"]));
    let mut lines = csv.lines();
    assert_eq!(lines.next(), Some("sequence,frame,bone_index,bone,x,y,z,qx,qy,qz,qw,time,seconds"));
    let frames: Vec<&str> = lines.map(|line| line.split(',').nth(1).expect("a frame")).collect();
    assert!(frames.len() > 1);
    assert!(frames.iter().enumerate().all(|(index, frame)| *frame == index.to_string()), "{frames:?}");
}

#[test]
fn every_array_can_be_dumped_in_every_format() {
    let mesh = [
        "chunks",
        "points",
        "wedges",
        "faces",
        "materials",
        "bones",
        "influences",
        "colors",
        "uvs",
        "normals",
        "morphs",
        "deltas",
        "sockets",
    ];
    let animation = ["chunks", "bones", "sequences", "keys", "scale-keys"];
    let of_mesh = mesh.map(|what| ("corpus/actorx/mesh/everything.pskx", what));
    let of_animation = animation.map(|what| ("corpus/actorx/anim/scale_keys.psa", what));
    let others = [("corpus/actorx/anim/curves.psa", "curves"), ("corpus/actorx/anim/config_case.psa", "side-car")];
    for (file, what) in of_mesh.into_iter().chain(of_animation).chain(others) {
        let dump = |format| skelmap(&["dump", file, "--what", what, "--format", format]);
        let csv = stdout(&dump("csv"));
        let records = csv.lines().count() - 1;
        assert!(records > 0, "{what}: nothing");
        let lines = json_lines(&dump("jsonl"));
        assert_eq!(lines.len(), records, "{what}");
        let heading: Vec<&str> = csv.lines().next().expect("a heading").split(',').collect();
        assert!(heading.iter().all(|column| lines[0].get(column).is_some()), "{what}: {heading:?}");
        let json: Value = serde_json::from_slice(&dump("json").stdout).expect("JSON");
        assert_eq!(json.as_array().map(Vec::len), Some(records), "{what}");
        assert_eq!(stdout(&dump("table")).lines().count(), records + 1, "{what}");
    }
}

#[test]
fn a_float_that_is_not_finite_is_null_in_json() {
    let dump = |format| skelmap(&["dump", "corpus/actorx/mesh/point_nan.psk", "--what", "points", "--format", format]);
    assert!(
        json_lines(&dump("jsonl"))
            .iter()
            .any(|point| point["x"].is_null() || point["y"].is_null() || point["z"].is_null())
    );
    assert!(stdout(&dump("csv")).contains("NaN"));
}

#[test]
fn a_closed_pipe_ends_the_command_without_a_message() {
    for format in ["csv", "jsonl", "table"] {
        let mut child = command()
            .args(["dump", "corpus/actorx/mesh/wide_points.pskx", "--what", "points", "--format", format])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the command starts");
        drop(child.stdout.take());
        let output = child.wait_with_output().expect("it ends");
        assert_eq!(stderr(&output), "", "{format}");
        assert_eq!(status(&output), 0, "{format}");
    }
}

#[test]
fn a_name_in_a_file_cannot_control_the_terminal() {
    let mut bytes = file("actorx/mesh/classic.psk");
    let materials = bytes.windows(8).position(|window| window == b"MATT0000").expect("materials");
    bytes[materials + 32..materials + 36].copy_from_slice(b"\x1b[2J");
    let mut file = tempfile::NamedTempFile::new().expect("a file");
    file.write_all(&bytes).expect("written");
    let path = file.path().to_str().expect("UTF-8");
    for arguments in [["info", path, "--format", "table"], ["check", path, "--level", "note"]] {
        let output = skelmap(&arguments);
        assert!(!stdout(&output).contains('\x1b'), "{arguments:?}");
    }
    assert!(stdout(&skelmap(&["info", path])).contains("\\u{1b}[2J"));
}

#[test]
fn info_describes_standard_input() {
    let mut child = command()
        .args(["info", "/dev/stdin", "--format", "jsonl"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the command starts");
    child.stdin.take().expect("a pipe").write_all(&file("actorx/mesh/classic.psk")).expect("written");
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(json_lines(&output)[0]["format"], "actorx.psk");
}

#[test]
fn help_has_examples() {
    for command in [&["--help"][..], &["ls", "--help"], &["info", "--help"], &["check", "--help"], &["dump", "--help"]]
    {
        assert!(stdout(&skelmap(command)).contains("Examples:"), "{command:?}");
    }
}

#[test]
fn a_side_car_that_cannot_be_read_is_not_ignored() {
    let folder = TempDir::new().expect("a folder");
    let animation = folder.path().join("walk.psa");
    fs::write(&animation, file("actorx/anim/sequences.psa")).expect("written");
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
fn an_option_that_does_not_apply_is_refused() {
    for option in [["--sequence", "Walk"], ["--bone", "0"], ["--set", "0"], ["--morph", "smile"]] {
        let output = skelmap(&[&["dump", MESH, "--what", "points"][..], &option].concat());
        assert_eq!(status(&output), 2, "{option:?}");
        assert!(stderr(&output).contains(option[0]));
        assert_eq!(stdout(&output), "");
    }
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
    assert_eq!(json_lines(&output).len(), 1);
}

#[test]
fn a_mesh_has_no_side_car_whatever_file_lies_beside_it() {
    let folder = TempDir::new().expect("a folder");
    let mesh = folder.path().join("figure.psk");
    fs::write(&mesh, file("actorx/mesh/classic.psk")).expect("written");
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
    let mut bytes = file("actorx/mesh/classic.psk");
    let offset = bytes.len();
    bytes.resize(offset + 100_000 * 32, 0);
    fs::write(&path, &bytes).expect("written");
    let path = path.to_str().expect("UTF-8");
    for (command, list) in [("check", "/quirks"), ("info", "/details/quirks")] {
        let output = skelmap(&[command, "--format", "jsonl", path]);
        let lines = json_lines(&output);
        let quirks = lines[0].pointer(list).and_then(Value::as_array).expect("a list");
        assert_eq!(quirks.len(), 1, "{command}");
        assert_eq!((&quirks[0]["code"], &quirks[0]["offset"]), (&"odd-chunk-id".into(), &offset.into()), "{command}");
        assert_eq!(quirks[0]["count"], 100_000, "{command}");
    }
}
