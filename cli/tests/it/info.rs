//! `info` of many files, folders and archives, standard input, and side-cars that are named.

use std::fs;
use std::io::Write;

use serde_json::Value;

use crate::run::{Folder, GSA, PMD, RELOAD, WALK, corpus, ended, json, skelmap, stderr, stdout};

/// A folder of its own with files of the corpus.
fn foxes() -> Folder {
    let folder = Folder::new();
    for name in ["fox.psk", "fox.psa", "fox.config", "fox.pyromod"] {
        let path = test_support::corpus::folder().join("../../corpus").join(name);
        folder.put(format!("art/{name}"), fs::read(path).expect("a file"));
    }
    folder
}

#[test]
fn info_describes_many_files_and_says_what_is_in_folders_and_archives() {
    let folder = foxes();
    let two = folder.says(0, "info art/fox.psk art/fox.psa");
    let one = folder.says(0, "info art/fox.psk");
    let other = folder.says(0, "info art/fox.psa");
    assert_eq!(two.text(), format!("{}\n{}", one.text(), other.text()));
    let all = folder.says(0, "info art/fox.psk art/fox.psa --format json");
    let list: Vec<serde_json::Value> = serde_json::from_str(all.text()).expect("JSON");
    let alone = |name: &str| {
        serde_json::from_str::<serde_json::Value>(folder.says(0, &format!("info art/{name} --format json")).text())
    };
    assert_eq!(list, [alone("fox.psk").expect("JSON"), alone("fox.psa").expect("JSON")]);
    assert_eq!(folder.says(0, "info art/fox.psk art/fox.psa --format jsonl").lines(), list);

    let archive = folder.says(0, "info art/fox.pyromod");
    let bytes = folder.read("art/fox.pyromod").len();
    assert!(
        archive
            .text()
            .contains(&format!("({bytes} bytes), 4 entries\n3 assets: 1 pyrogenesis.pmd, 2 pyrogenesis.psa\n")),
        "{}",
        archive.text()
    );
    let refused = folder.says(2, "info art --format json");
    assert_eq!(refused.complaints, "skelmap: art: is a folder: `skelmap ls` prints a row for each file in it\n");
    folder.put("art/bad.psk", b"x");
    let below = folder.says(1, "info art");
    let counts =
        "folder\n5 assets: 1 actorx.psa, 1 actorx.psk, 1 pyrogenesis.pmd, 2 pyrogenesis.psa; 1 cannot be read\n";
    assert!(below.text().contains(counts), "{}", below.text());
    assert_eq!(folder.says(1, "info art/fox.psk none").text(), format!("{}\nnone\n", one.text()));
}

#[test]
fn files_of_other_programs_and_wrong_numbers_are_named_for_what_they_are() {
    let folder = Folder::new();
    for (first, what) in [
        (b"\x89PNG\r\n\x1a\n".as_slice(), "this is an image (PNG)"),
        (b"DDS |\0\0\0", "this is an image (DDS)"),
        (b"<?xml version=\"1.0\"?>", "this is XML text"),
        (b"7z\xbc\xaf\x27\x1c", "this is an archive (7z): unpack it"),
        (b"anything", "not a known model or animation format"),
    ] {
        folder.put("x.psk", first);
        let ran = folder.says(1, "info x.psk");
        assert!(ran.complaints.contains(what), "{}", ran.complaints);
    }
    // The first bytes of an archive: `ls` says the same, with the same status.
    folder.put("x.psk", b"PK\x03\x04");
    assert!(folder.says(3, "info x.psk").complaints.contains("this is not a ZIP archive, or it is cut off"));
    let ran = folder.says(2, "ls x.psk --jobs 0");
    assert!(ran.complaints.contains("expected a number from 1"), "{}", ran.complaints);
}

#[cfg(unix)]
#[test]
fn a_dash_is_standard_input() {
    let folder = foxes();
    for (command, part) in [
        ("info -", "actorx.psk"),
        ("ls - --format csv", "/dev/stdin,,/dev/stdin,actorx.psk"),
        ("check -", ""),
        ("skin - --format csv", "at_ms,vertex,"),
    ] {
        let mut command = folder.command(&command.split(' ').collect::<Vec<_>>());
        command.stdin(fs::File::open(folder.at("art/fox.psk")).expect("a file"));
        let ran = command.output().expect("the command starts");
        assert_eq!(ran.status.code(), Some(0), "{ran:?}");
        assert!(String::from_utf8_lossy(&ran.stdout).contains(part), "{ran:?}");
    }
}

#[test]
fn a_side_car_that_is_named_is_checked_against_the_animation_beside_it() {
    let folder = foxes();
    folder.says(0, "check art/fox.config");
    folder.put("art/fox.config", "[AnimSet]\nbAnimRotationOnly=maybe\n");
    let findings = |line: &str| -> Vec<String> {
        let rows = folder.run(&line.split(' ').collect::<Vec<_>>()).lines();
        let all = rows.iter().flat_map(|row| row["findings"].as_array().expect("a list").clone());
        all.map(|finding| finding["code"].as_str().expect("a code").to_owned()).collect()
    };
    let named = findings("check art/fox.config --level note --format jsonl");
    assert_eq!(named, findings("check art/fox.psa --level note --format jsonl"));
    assert!(!named.is_empty());
    folder.remove("art/fox.psa");
    let alone = folder.says(1, "check art/fox.config");
    assert!(alone.text().contains("no animation (.psa) beside it"), "{}", alone.text());
}

#[test]
fn a_name_in_a_file_cannot_control_the_terminal() {
    let mut bytes = corpus("actorx/mesh/classic.psk");
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

#[cfg(unix)]
#[test]
fn info_describes_standard_input() {
    use std::process::Stdio;

    use crate::run::{command, objects};

    let mut child = command()
        .args(["info", "/dev/stdin", "--format", "jsonl"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the command starts");
    child.stdin.take().expect("a pipe").write_all(&corpus("actorx/mesh/classic.psk")).expect("written");
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(objects(&output)[0]["format"], "actorx.psk");
}

#[test]
fn ls_and_info_know_both_formats() {
    let rows = json(&["ls", "--format", "json", PMD, WALK]);
    assert_eq!((&rows[0]["format"], &rows[0]["bones"]), (&"pyrogenesis.pmd".into(), &3.into()));
    assert_eq!((&rows[1]["format"], &rows[1]["frames"]), (&"pyrogenesis.psa".into(), &8.into()));
    assert_eq!((&rows[1]["sequences"], &rows[1]["points"]), (&1.into(), &Value::Null));
    assert!((rows[1]["duration_s"].as_f64().expect("seconds") - 8.0 / 30.0).abs() < 1e-6);
    let info = json(&["info", "--format", "json", PMD]);
    assert_eq!(info["details"]["version"], 4);
    let sections: Vec<_> = info["details"]["sections"].as_array().expect("sections").iter().collect();
    assert_eq!(
        sections.iter().map(|section| &section["section"]).collect::<Vec<_>>(),
        ["vertices", "faces", "bind pose", "prop points"]
    );
    assert_eq!(info["details"]["props"][0]["name"], "root");
}

#[test]
fn ls_and_info_know_the_format() {
    let rows = json(&["ls", "--format", "json", GSA]);
    assert_eq!((&rows[0]["format"], &rows[0]["sequences"]), (&"swat3.gsa".into(), &1.into()));
    let info = json(&["info", "--format", "json", RELOAD]);
    let gsa = &info["details"]["gsa"];
    assert_eq!((&gsa["version"], &gsa["playback_fps"]), (&"4.2".into(), &10.0.into()));
    assert_eq!(gsa["layout"]["source"], "inferred");
    assert!(!gsa["events"].as_array().expect("events").is_empty());
    let shown = stdout(&skelmap(&["info", RELOAD]));
    assert!(shown.contains("the game plays 10") && shown.contains("Events"), "{shown}");
    let opaque = stdout(&skelmap(&["info", "corpus/swat3/gsa/nested.gsa"]));
    assert!(opaque.contains("layout of the bones: not inferred, "), "{opaque}");
}

#[test]
fn a_layout_is_printed_edited_and_given_back() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("bones.layout");
    let printed = skelmap(&["info", "--layout", GSA]);
    assert_eq!(printed.status.code(), Some(0));
    let mut layout = stdout(&printed);
    assert!(layout.contains("# id: in one place") && layout.contains("rotation = post 12"), "{layout}");
    layout.push_str("position = post 0\n");
    fs::write(&file, &layout).expect("written");
    let file = file.to_str().expect("a path");
    let bones = skelmap(&["dump", "--gsa-layout", file, "--what", "bones", GSA]);
    assert_eq!(stdout(&bones).lines().nth(2), Some("1,Bip01 Pelvis,1,0,2.5,0,-0.75,0.5,-0.5,0.5,0.5"));
    assert_eq!(ended(&["ls", "--gsa-layout", file, "corpus/swat3/gsa/byte_lengths.gsa"]), 1);
    fs::write(file, "pre = many").expect("written");
    let refused = skelmap(&["ls", "--gsa-layout", file, GSA]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(stderr(&refused).ends_with("line 1: expected a number from 0 to 65535\n"));
    assert_eq!(ended(&["info", "--layout", "corpus/swat3/gsa/nested.gsa"]), 1);
    assert_eq!(ended(&["info", "--layout", "corpus/actorx/anim/classic.psa"]), 2);
}

/// The table has an overview; the other formats have a row for each file, which `ls` prints.
#[test]
fn an_archive_that_is_cut_off_and_rows_of_archives_are_told_of() {
    let folder = Folder::new();
    let whole = std::fs::read(test_support::corpus::folder().join("../../corpus/fox.pyromod")).expect("a file");
    folder.put("whole.zip", &whole);
    folder.put("cut.zip", &whole[..whole.len() / 2]);
    let cut = folder.says(3, "info cut.zip");
    assert!(
        cut.complaints.contains("or it is cut off") && cut.complaints.matches("cut.zip").count() == 1,
        "{}",
        cut.complaints
    );
    for format in ["json", "jsonl", "csv"] {
        let ran = folder.says(2, &format!("info whole.zip --format {format}"));
        assert!(ran.complaints.contains("whole.zip: is a ZIP archive: `skelmap ls`"), "{}", ran.complaints);
    }
    // Nothing is printed: what stands before it would be half a list.
    folder.put("a.pmd", corpus("../../corpus/fox.pmd"));
    assert!(folder.says(2, "info a.pmd whole.zip --format json").out.is_empty());
    assert!(folder.says(2, "info whole.zip!/art/ --format json").complaints.contains("is a folder of an archive"));
    // Rows say what the text says; and something was read.
    assert!(folder.says(1, "info cut.zip a.pmd").text().contains("a.pmd"));
    assert_eq!(folder.says(3, "info cut.zip --format jsonl").lines()[0]["error"]["kind"], "zip-no-directory");
    let rows = folder.ends(1, &["info", "a.pmd", "cut.zip", "--format", "jsonl"]).lines();
    assert!(rows.len() == 2 && rows[1]["error"]["kind"] == "zip-no-directory", "{rows:?}");
    assert_eq!(
        folder.says(0, "info whole.zip").text().replace("whole.zip", ""),
        folder.says(0, "info whole.zip!/").text().replace("whole.zip!/", "")
    );
    for (place, why) in [("whole.zip!/nope/", "no such entry"), ("cut.zip!/x/", "or it is cut off")] {
        for more in ["", " --format jsonl"] {
            let ran = folder.says(3, &format!("info {place}{more}"));
            assert!(ran.complaints.contains(why), "{place}: {}", ran.complaints);
        }
    }
}
