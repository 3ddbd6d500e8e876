//! `info` of many files, folders and archives, standard input, and side-cars that are named.

use std::fs;

use crate::catalog::Folder;

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
    assert_eq!(folder.says(3, "info art/fox.psk none").text(), format!("{}\nnone\n", one.text()));
}

#[test]
fn files_of_other_programs_and_wrong_numbers_are_named_for_what_they_are() {
    let folder = Folder::new();
    for (first, what) in [
        (b"\x89PNG\r\n\x1a\n".as_slice(), "this is an image (PNG)"),
        (b"DDS |\0\0\0", "this is an image (DDS)"),
        (b"<?xml version=\"1.0\"?>", "this is XML text"),
        (b"7z\xbc\xaf\x27\x1c", "this is an archive (7z): unpack it"),
        (b"PK\x03\x04", "this is an archive: give the path of its file"),
        (b"anything", "not a known model or animation format"),
    ] {
        folder.put("x.psk", first);
        let ran = folder.says(1, "info x.psk");
        assert!(ran.complaints.contains(what), "{}", ran.complaints);
    }
    let ran = folder.says(2, "ls x.psk --jobs 0");
    assert!(ran.complaints.contains("expected a number from 1"), "{}", ran.complaints);
}

#[cfg(unix)]
#[test]
fn a_dash_is_standard_input() {
    let folder = foxes();
    for (command, part) in [("info -", "actorx.psk"), ("ls - --format csv", "/dev/stdin,,actorx.psk"), ("check -", "")]
    {
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
