//! What cannot be read is named, each once, and the rest is read.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};

use serde_json::Value;

use super::{run_unprivileged, within_a_minute};
use crate::run::{Folder, corpus, stored};

/// What cannot be read, by its path and the kind of fault; besides, two sound assets. `a`, `b` and `locked.txt` are no assets by their names.
const FAULTS: [(&str, &str); 10] = [
    ("art/a", "io"),
    ("art/b", "io"),
    ("art/dangling.psk", "not-found"),
    ("art/locked.psk", "permission-denied"),
    ("art/locked.txt", "permission-denied"),
    ("art/locked.zip", "permission-denied"),
    ("art/mem.psa", "io"),
    ("art/pipe.gsa", "io"),
    ("art/shut", "permission-denied"),
    ("art/zero.pmd", "io"),
];

fn world() -> Folder {
    let folder = Folder::new();
    let mesh = corpus("actorx/mesh/classic.psk");
    folder.put("art/fine.psk", &mesh);
    folder.put("art/sub/walk.psa", corpus("actorx/anim/classic.psa"));
    symlink("b", folder.at("art/a")).expect("a link");
    symlink("a", folder.at("art/b")).expect("a link");
    symlink("nowhere", folder.at("art/dangling.psk")).expect("a link");
    symlink("..", folder.at("art/sub/up")).expect("a link");
    // A file that opens and cannot be read.
    symlink("/proc/self/mem", folder.at("art/mem.psa")).expect("a link");
    symlink("/dev/zero", folder.at("art/zero.pmd")).expect("a link");
    let pipes = std::process::Command::new("mkfifo").args([folder.at("art/pipe.gsa"), folder.at("art/pipe")]).status();
    assert!(pipes.expect("mkfifo").success());
    folder.put("art/locked.psk", &mesh);
    folder.put("art/locked.txt", &mesh);
    folder.put("art/locked.zip", stored(&[("in.psk", &mesh)]));
    folder.put("art/shut/in.psk", &mesh);
    for locked in ["art/locked.psk", "art/locked.txt", "art/locked.zip", "art/shut"] {
        fs::set_permissions(folder.at(locked), fs::Permissions::from_mode(0o000)).expect("set");
    }
    folder
}

/// So that the folder can be removed by whoever is not root.
fn unlock(folder: &Folder) {
    fs::set_permissions(folder.at("art/shut"), fs::Permissions::from_mode(0o700)).expect("set");
}

/// The path of each row, and its kind of fault or an empty text.
fn kinds(rows: &[Value]) -> Vec<(&str, &str)> {
    rows.iter()
        .map(|row| (row["path"].as_str().expect("a path"), row["error"]["kind"].as_str().unwrap_or("")))
        .collect()
}

/// What is no asset by its name and cannot be read is no fault.
fn promised() -> impl Iterator<Item = (&'static str, &'static str)> {
    FAULTS.into_iter().filter(|(path, _)| !["art/a", "art/b", "art/locked.txt"].contains(path))
}

/// The faults and the sound files, in name order.
fn expected() -> Vec<(&'static str, &'static str)> {
    let mut rows: Vec<_> = promised().collect();
    rows.extend([("art/fine.psk", ""), ("art/sub/walk.psa", "")]);
    rows.sort_unstable();
    rows
}

/// An archive that cannot be opened may hold anything: it is not skipped as a file that is none.
#[test]
fn an_archive_of_a_folder_that_cannot_be_opened_is_named() {
    let folder = Folder::new();
    folder.put("mods/fox.psk", corpus("actorx/mesh/classic.psk"));
    let archive = folder.put("mods/mod.zip", stored(&[("fox.psk", &corpus("actorx/mesh/classic.psk"))]));
    fs::set_permissions(archive, fs::Permissions::from_mode(0o000)).expect("set");
    let ran = run_unprivileged(&folder, &["ls", "mods"]);
    assert_eq!(ran.status, 1, "{}", ran.complaints);
    assert!(format!("{}{}", ran.text(), ran.complaints).contains("mod.zip"), "{}", ran.text());
}

#[test]
fn rows_name_each_fault_of_a_folder_once_and_include_the_other_files() {
    let folder = world();
    let listed = run_unprivileged(&folder, &["ls", "art", "--follow", "--format", "jsonl"]);
    assert_eq!((listed.status, kinds(&listed.lines())), (1, expected()));
    assert_eq!(listed.complaints, "skelmap: 7 of 9 files cannot be read\n");
    let checked = run_unprivileged(&folder, &["check", "art", "--follow", "--format", "jsonl"]);
    assert_eq!((checked.status, kinds(&checked.lines())), (1, expected()));
    let catalogued = run_unprivileged(&folder, &["catalog", "art", "--follow", "-o", "all.jsonl"]);
    assert_eq!((catalogued.status, kinds(&folder.lines("all.jsonl"))), (1, expected()));
    assert!(catalogued.complaints.starts_with("skelmap: 9 assets, 9 rows, 7 unreadable"), "{}", catalogued.complaints);
    // The words are the system's, without the path, which the row has.
    for row in listed.lines().iter().filter(|row| !row["error"].is_null()) {
        let message = row["error"]["message"].as_str().expect("words");
        assert!(message.ends_with(')') || message == "is no regular file", "{row}");
        assert!(!message.contains(row["path"].as_str().expect("a path")), "{row}");
    }
    unlock(&folder);
}

#[test]
fn commands_without_rows_name_each_fault_on_standard_error() {
    let folder = world();
    for (status, command) in [
        // One animation fits, seven things could not be looked at.
        (1, &["match", "art/fine.psk", "art", "--follow"][..]),
        // None of those that could be read is a SWAT 3 animation.
        (3, &["gsa", "events", "art", "--follow"]),
        (5, &["pack", "art", "-o", "all.zip"]),
    ] {
        let ran = run_unprivileged(&folder, command);
        assert_eq!(ran.status, status, "{command:?}: {}", ran.complaints);
        let all = promised().chain(FAULTS.into_iter().filter(|_| command[0] == "pack"));
        for (path, _) in all {
            let named = ran.complaints.lines().filter(|line| line.starts_with(&format!("skelmap: {path}: ")));
            assert_eq!(named.count(), 1, "{command:?}, {path}: {}", ran.complaints);
        }
    }
    assert!(!folder.at("all.zip").exists(), "half of a mod is no mod");
    unlock(&folder);
}

#[test]
fn a_side_car_without_permission_to_read_is_named() {
    let folder = Folder::new();
    folder.put("walk.psa", corpus("actorx/anim/classic.psa"));
    let side_car = folder.put("walk.config", b"");
    fs::set_permissions(side_car, fs::Permissions::from_mode(0o000)).expect("set");
    for command in [&["check", "walk.psa"][..], &["info", "walk.psa"], &["dump", "walk.psa", "--what", "side-car"]] {
        let ran = run_unprivileged(&folder, command);
        assert_eq!(ran.status, 1, "{command:?}: {}", ran.complaints);
        let said = format!("{}{}", ran.text(), ran.complaints);
        assert!(said.contains("walk.config: Permission denied"), "{command:?}: {said}");
    }
}

#[test]
fn every_command_ends_with_3_if_nothing_can_be_read() {
    let folder = world();
    folder.put("fine.pmd", corpus("pyrogenesis/pmd/one_bone.pmd"));
    for (path, words) in [
        ("art/locked.psk", "Permission denied (os error 13)"),
        ("art/shut/in.psk", "Permission denied (os error 13)"),
        ("art/locked.zip", "Permission denied (os error 13)"),
        ("art/locked.zip!/in.psk", "Permission denied (os error 13)"),
        ("art/dangling.psk", "No such file or directory (os error 2)"),
        ("art/a", "Too many levels of symbolic links (os error 40)"),
        ("art/mem.psa", "Input/output error (os error 5)"),
        ("art/shut", "ermission denied"),
    ] {
        let mut commands = vec![
            vec!["ls", path],
            vec!["check", path],
            vec!["catalog", path, "-o", "all.jsonl", "--force"],
            vec!["match", "art/fine.psk", path],
            vec!["gsa", "events", path],
        ];
        if path != "art/shut" {
            commands.extend([
                vec!["info", path],
                vec!["dump", path, "--what", "bones"],
                vec!["match", path, "art/sub"],
                vec!["pose", path, "--at", "0"],
                vec!["skin", path, "--anim", "fine.psa", "--at", "0"],
                vec!["skin", "fine.pmd", "--anim", path, "--at", "0"],
                vec!["gsa", "edit", path, "-o", "new.gsa", "--clear"],
                vec!["extract", path, "-o", "out"],
            ]);
        }
        for command in commands {
            // An entry is no archive.
            if command[0] == "extract" && path.contains("!/") {
                continue;
            }
            let ran = run_unprivileged(&folder, &command);
            assert_eq!(ran.status, 3, "{command:?}: {}", ran.complaints);
            let table = format!("{}{}", ran.text(), ran.complaints);
            let said = if command[0] == "catalog" { folder.text("all.jsonl") } else { table };
            assert!(
                said.contains(words) && said.contains(path.split("!/").next().expect("a file")),
                "{command:?}: {said}"
            );
        }
    }
    assert!(!folder.at("out").exists() && !folder.at("new.gsa").exists());
    // Some were read: that is no 3, from an earlier run neither.
    let ran = run_unprivileged(&folder, &["catalog", "art/locked.psk", "art/fine.psk", "-o", "some.jsonl"]);
    assert_eq!(ran.status, 1, "{}", ran.complaints);
    unlock(&folder);
}

#[test]
fn a_damaged_file_ends_a_command_with_1_and_not_3() {
    let folder = Folder::new();
    folder.put("bad.psa", &corpus("actorx/anim/classic.psa")[..100]);
    folder.put("bad.gsa", &corpus("swat3/gsa/plain.gsa")[..100]);
    folder.put("fine.psk", corpus("actorx/mesh/classic.psk"));
    for line in ["ls bad.psa", "check bad.psa", "info bad.psa", "match fine.psk bad.psa", "gsa events bad.gsa"] {
        folder.says(1, line);
    }
    folder.says(1, "catalog bad.psa -o all.jsonl");
}

#[test]
fn a_resumed_catalogue_with_unreadable_files_ends_with_3() {
    let folder = Folder::new();
    for kind in ["jsonl", "csv"] {
        let line = format!("catalog none.psk nothing.psk -o all.{kind}");
        folder.says(3, &line);
        let rows = folder.read(format!("all.{kind}"));
        folder.remove(format!("all.{kind}"));
        folder.put(format!("all.{kind}.part"), &rows);
        let ran = folder.says(3, &format!("{line} --resume"));
        assert!(ran.complaints.ends_with("after 1 done before\n"), "{}", ran.complaints);
        assert_eq!(folder.read(format!("all.{kind}")), rows);
    }
}

/// A few folders that are full of links to each other have more paths than anyone has time for.
#[test]
fn two_links_in_each_of_24_nested_folders_are_walked_within_a_minute() {
    let folder = Folder::new();
    // From each folder two ways lead to the next: 2^24 paths.
    for level in 0..24 {
        folder.put(format!("art/{level:02}/in.psk"), corpus("actorx/mesh/classic.psk"));
        for name in ["x", "y"] {
            symlink(format!("../{:02}", level + 1), folder.at(format!("art/{level:02}/{name}"))).expect("a link");
        }
    }
    fs::create_dir(folder.at("art/24")).expect("a folder");
    let ran = within_a_minute(&folder, "ls art --follow --format jsonl");
    assert_eq!(ran.status, 1, "{}", ran.complaints);
    let rows = ran.lines();
    let found = kinds(&rows);
    for level in 0..24 {
        assert!(found.contains(&(format!("art/{level:02}/in.psk").as_str(), "")), "{level}");
    }
    let message = "too many links lead to the same folders; this one and further ones are not followed";
    let reported: Vec<&Value> = rows.iter().filter(|row| row["error"]["message"] == message).collect();
    assert_eq!(reported.len(), 1, "of {} rows", rows.len());
    assert_eq!(within_a_minute(&folder, "pack art -o all.zip").status, 5);
    assert!(!folder.at("all.zip").exists());
}

#[test]
fn a_tree_deeper_than_the_longest_path_is_walked_down_to_that_limit() {
    let folder = Folder::new();
    // Trees of 500 levels, each put below the next: no path on the way is too long.
    let chain = vec!["d"; 500].join("/");
    folder.put("0/deep.psk", corpus("actorx/mesh/classic.psk"));
    for tree in 1..=10 {
        fs::create_dir_all(folder.at(format!("{tree}/{chain}"))).expect("made");
        if tree == 9 {
            folder.put(format!("{tree}/{chain}/near.psk"), corpus("actorx/mesh/classic.psk"));
        }
        fs::rename(folder.at(format!("{}", tree - 1)), folder.at(format!("{tree}/{chain}/t"))).expect("moved");
    }
    let ran = within_a_minute(&folder, "ls 10 --format jsonl");
    assert_eq!(ran.status, 1, "{}", ran.complaints);
    let rows = ran.lines();
    assert_eq!(rows.len(), 2, "what is near enough, and the folder from which on it is too deep");
    let near = rows.iter().find(|row| row["error"].is_null()).expect("a row");
    assert!(near["path"].as_str().expect("a path").ends_with("/near.psk"));
    let deep = rows.iter().find(|row| !row["error"].is_null()).expect("a row");
    assert_eq!(deep["error"]["message"], "File name too long (os error 36)");
    // Other programs have their limits too: taken down as it was put up.
    for tree in (1..=10).rev() {
        fs::rename(folder.at(format!("{tree}/{chain}/t")), folder.at(format!("{}", tree - 1))).expect("moved");
        fs::remove_dir_all(folder.at(format!("{tree}"))).expect("removed");
    }
}

#[test]
fn names_of_any_bytes_are_printed_in_one_line_each() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    let folder = Folder::new();
    let long = [b"n".repeat(251), b".psk".to_vec()].concat();
    let names = [&b"a\nb.psk"[..], b"c\x1b[2Jd.psk", b"e\xFFf.psk", b"g\xE2\x80\xAEh.psk", b"i!\x07.psk", &long];
    for name in names {
        folder.put(std::path::Path::new("art").join(OsStr::from_bytes(name)), b"nothing");
    }
    for command in ["ls art", "check art"] {
        let ran = folder.says(1, command);
        let text = ran.text();
        assert!(!text.contains(|c: char| c.is_control() && c != '\n') && !text.contains('\u{202E}'), "{text}");
        let faults = text.lines().filter(|line| line.contains("art/"));
        assert_eq!(faults.count(), names.len(), "{text}");
        assert!(text.contains("art/a\\u{a}b.psk") && text.contains("art/c\\u{1b}[2Jd.psk"), "{text}");
    }
    let arguments: Vec<std::ffi::OsString> = std::iter::once("match".into())
        .chain(std::iter::once(test_support::corpus::folder().join("actorx/mesh/classic.psk").into()))
        .chain(names.iter().map(|name| std::path::Path::new("art").join(OsStr::from_bytes(name)).into()))
        .collect();
    let ran = folder.run(&arguments);
    assert_eq!(ran.status, 1, "{}", ran.complaints);
    assert_eq!(ran.complaints.lines().count(), names.len() + 1, "{}", ran.complaints);
    assert!(!ran.complaints.contains('\x1b') && !ran.complaints.contains('\x07'), "{}", ran.complaints);
}

/// Such a file states no bytes; read to its end it gives gigabytes.
#[cfg(target_os = "linux")]
#[test]
fn a_link_to_a_file_of_the_system_in_a_folder_is_not_read_to_its_end() {
    let folder = Folder::new();
    folder.put("art/a.psk", corpus("actorx/mesh/classic.psk"));
    std::os::unix::fs::symlink("/proc/self/pagemap", folder.at("art/b.psa")).expect("a link");
    for command in ["ls art --follow --format jsonl", "check art --follow --format jsonl"] {
        let ran = folder.says(1, command);
        assert!(ran.text().contains("states no size and goes on after 65536 bytes"), "{command}: {}", ran.text());
    }
}

#[test]
fn forty_folders_full_of_links_to_each_other_are_walked_within_a_budget() {
    const FOLDERS: usize = 40;
    let folder = Folder::new();
    for from in 0..FOLDERS {
        folder.put(format!("mesh/d{from}/f.psa"), b"x");
        for to in (0..FOLDERS).filter(|to| *to != from) {
            std::os::unix::fs::symlink(format!("../d{to}"), folder.at(format!("mesh/d{from}/l{to}"))).expect("a link");
        }
    }
    let ran = folder.says(1, "ls mesh --follow --format jsonl");
    let rows = ran.lines();
    let (files, faults): (Vec<_>, Vec<_>) =
        rows.iter().partition(|row| row["path"].as_str().expect("a path").ends_with("f.psa"));
    // One file for each folder, its first link and each repeat: 256, and four for each of these.
    assert!((FOLDERS..=2 * FOLDERS + 256 + 4 * (2 * FOLDERS + 1)).contains(&files.len()), "{}", files.len());
    let is_said =
        |row: &&&Value| row["error"]["message"].as_str().is_some_and(|text| text.contains("too many links lead"));
    assert_eq!(faults.iter().filter(is_said).count(), 1, "{faults:?}");
}

#[test]
fn a_file_whose_bytes_do_not_come_is_an_error_and_not_waited_for() {
    let folder = Folder::new();
    folder.put("in/a.psk", corpus("actorx/mesh/classic.psk"));
    // The messages of the kernel: a regular file of 0 bytes, which has no bytes until the kernel says something. In two folders, because the
    // kernel lets the second of two readers of one message wait.
    folder.put("all/a.psk", corpus("actorx/mesh/classic.psk"));
    for name in ["all/log", "in/log.psa"] {
        symlink("/proc/kmsg", folder.at(name)).expect("a link");
    }
    let ran = within_a_minute(&folder, "ls in --follow --format jsonl");
    let rows = ran.lines();
    let kinds = kinds(&rows);
    assert!(kinds.contains(&("in/a.psk", "")), "{kinds:?}");
    // Only root may open it; and where there was a message, it is no animation.
    assert!(kinds.iter().any(|(path, kind)| *path == "in/log.psa" && !kind.is_empty()), "{kinds:?}");
    let packed = within_a_minute(&folder, "pack all -o all.zip");
    assert_eq!(packed.status, 5, "{}", packed.complaints);
    assert!(packed.complaints.contains("skelmap: all/log: "), "{}", packed.complaints);
}

/// Many entries cannot be written, of which the first are named.
#[test]
fn entries_that_cannot_be_written_are_counted() {
    let folder = Folder::new();
    let names: Vec<String> = (0..20).map(|index| format!("{index:02}.txt")).collect();
    let entries: Vec<(&str, &[u8])> = names.iter().map(|name| (name.as_str(), &b"1"[..])).collect();
    folder.put("mod.zip", stored(&entries));
    fs::create_dir(folder.at("out")).expect("made");
    fs::set_permissions(folder.at("out"), fs::Permissions::from_mode(0o555)).expect("set");
    let ran = run_unprivileged(&folder, &["extract", "mod.zip", "-o", "out"]);
    assert_eq!(ran.status, 5, "{}", ran.complaints);
    assert_eq!(ran.complaints.matches("Permission denied").count(), 3, "{}", ran.complaints);
    assert!(ran.complaints.contains("skelmap: 20 files cannot be written\n"), "{}", ran.complaints);
}
