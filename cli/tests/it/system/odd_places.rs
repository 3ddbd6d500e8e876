//! Outputs where nothing can be written, inputs that are outputs, and paths that look like addresses.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::process::Command;

use super::{leftovers, run_unprivileged, within_a_minute};
use crate::run::{Folder, corpus, stored};

/// Each command that writes a file, without the name of that.
const WRITERS: [&str; 4] = [
    "catalog in/a.psk --format jsonl -o",
    "dump in/a.psk --what points --format csv -o",
    "pack in -o",
    "gsa edit in/r.gsa --clear -o",
];

/// Those of them that write to pipes and devices.
const STREAMERS: [&str; 3] = ["catalog", "dump", "gsa edit"];

pub(super) fn inputs() -> Folder {
    let folder = Folder::new();
    folder.put("in/a.psk", corpus("actorx/mesh/classic.psk"));
    folder.put("in/r.gsa", corpus("swat3/gsa/reload.gsa"));
    folder
}

#[test]
fn an_output_that_is_not_a_regular_file_is_refused_and_stays_unchanged() {
    let folder = inputs();
    fs::create_dir(folder.at("dir")).expect("made");
    assert!(Command::new("mkfifo").arg(folder.at("pipe")).status().expect("mkfifo").success());
    symlink("nowhere", folder.at("dangling")).expect("a link");
    symlink("in/a.psk", folder.at("link")).expect("a link");
    let before = folder.files();
    for writer in WRITERS {
        let is_streamer = STREAMERS.iter().any(|name| writer.starts_with(name));
        let is_refused = |output: &&str| !is_streamer || !["pipe", "/dev/null", "/dev/full"].contains(output);
        for output in ["dir", "pipe", "/dev/null", "/dev/full", "dangling", "link"].into_iter().filter(is_refused) {
            for force in ["", " --force"] {
                let ran = within_a_minute(&folder, &format!("{writer} {output}{force}"));
                assert_eq!(ran.status, 5, "{writer} {output}{force}: {}", ran.complaints);
                assert_eq!(
                    ran.complaints,
                    format!("skelmap: {output}: exists and is not a regular file\n"),
                    "{writer}"
                );
            }
        }
    }
    assert_eq!(folder.files(), before);
    assert_eq!(folder.read("in/a.psk"), corpus("actorx/mesh/classic.psk"));
    // What a catalogue would be written through is no file of an earlier run.
    symlink("in/a.psk", folder.at("all.jsonl.part")).expect("a link");
    let ran = folder.says(5, "catalog in/r.gsa -o all.jsonl --resume");
    assert_eq!(ran.complaints, "skelmap: all.jsonl: all.jsonl.part is not a regular file\n");
    assert_eq!(folder.read("in/a.psk"), corpus("actorx/mesh/classic.psk"));
    folder.says(0, "catalog in/r.gsa -o all.jsonl --resume --force".replace(" --resume", "").as_str());
    assert_eq!(folder.read("in/a.psk"), corpus("actorx/mesh/classic.psk"));
}

#[test]
fn a_folder_without_permission_to_write_gives_one_line_of_error() {
    let folder = inputs();
    folder.put("mod.zip", stored(&[("a", b"1"), ("b", b"2"), ("c/d", b"3")]));
    fs::create_dir(folder.at("shut")).expect("made");
    fs::set_permissions(folder.at("shut"), fs::Permissions::from_mode(0o555)).expect("set");
    folder.put("file", b"");
    for writer in WRITERS {
        for (output, words) in [
            ("shut/new.jsonl", "Permission denied (os error 13)"),
            ("file/new.jsonl", "Not a directory (os error 20)"),
            ("shut/none/new.jsonl", "Permission denied (os error 13)"),
        ] {
            let line = format!("{writer} {output}");
            let ran = run_unprivileged(&folder, &line.split(' ').collect::<Vec<_>>());
            assert_eq!((ran.status, ran.complaints), (5, format!("skelmap: {output}: {words}\n")), "{line}");
        }
        folder.says(0, &format!("{writer} new/folder/new.jsonl"));
        assert!(folder.at("new/folder/new.jsonl").is_file(), "{writer}");
        fs::remove_dir_all(folder.at("new")).expect("removed");
    }
    for (output, words) in [
        ("file", "File exists (os error 17)"),
        ("file/deeper", "Not a directory (os error 20)"),
        ("shut/deeper", "Permission denied (os error 13)"),
    ] {
        let ran = run_unprivileged(&folder, &["extract", "mod.zip", "-o", output]);
        let told = format!(
            "skelmap: mod.zip: cannot write below {output}: {words}\nskelmap: 0 files extracted, 0 B, 1 failed\n"
        );
        assert_eq!((ran.status, ran.complaints), (5, told));
    }
    // Here another entry may do better: each is named, without the name of any temporary file.
    let ran = run_unprivileged(&folder, &["extract", "mod.zip", "-o", "shut"]);
    assert_eq!(ran.status, 5);
    assert_eq!(ran.complaints.matches("Permission denied (os error 13)\n").count(), 3, "{}", ran.complaints);
    assert!(!ran.complaints.contains(".part"), "{}", ran.complaints);
    assert!(leftovers(&folder).is_empty());
    // A conversion that writes a part and cannot write the rest is not done, whatever the files hold.
    folder.put("mods/one/a.psk", corpus("actorx/mesh/classic.psk"));
    folder.put("mods/two/a.psk", corpus("actorx/mesh/classic.psk"));
    for (name, mode) in [("out", 0o777), ("out/one", 0o777), ("out/two", 0o555)] {
        fs::create_dir(folder.at(name)).expect("made");
        fs::set_permissions(folder.at(name), fs::Permissions::from_mode(mode)).expect("set");
    }
    let ran = run_unprivileged(&folder, &["convert", "mods", "-o", "out"]);
    assert_eq!(ran.status, 5, "{}", ran.complaints);
    assert!(ran.complaints.contains("1 file written, 1 failed"), "{}", ran.complaints);
}

/// Such a folder cannot be opened, so its new name cannot be written to the disk at once.
#[test]
fn a_folder_that_is_writable_and_not_readable_accepts_outputs() {
    let folder = inputs();
    fs::create_dir(folder.at("drop")).expect("made");
    fs::set_permissions(folder.at("drop"), fs::Permissions::from_mode(0o333)).expect("set");
    for (index, writer) in WRITERS.iter().enumerate() {
        let output = format!("drop/{index}");
        let line = format!("{writer} {output}");
        let ran = run_unprivileged(&folder, &line.split(' ').collect::<Vec<_>>());
        assert_eq!(ran.status, 0, "{line}: {}", ran.complaints);
        assert!(!folder.read(output).is_empty(), "{line}");
    }
    fs::set_permissions(folder.at("drop"), fs::Permissions::from_mode(0o755)).expect("set");
    assert!(leftovers(&folder).is_empty());
}

#[test]
fn a_partial_file_that_cannot_be_opened_is_an_error_and_stays() {
    let folder = inputs();
    let partial = folder.put("all.jsonl.part", b"rows");
    fs::set_permissions(&partial, fs::Permissions::from_mode(0o0)).expect("set");
    for option in ["", " --force", " --resume", " --resume --force"] {
        let line = format!("catalog in/a.psk -o all.jsonl{option}");
        let ran = run_unprivileged(&folder, &line.split(' ').collect::<Vec<_>>());
        let told = "skelmap: all.jsonl: Permission denied (os error 13)\n";
        assert_eq!((ran.status, ran.complaints.as_str()), (5, told), "{line}");
        assert!(partial.exists() && !folder.at("all.jsonl").exists(), "{line}");
    }
}

#[test]
fn an_output_that_is_an_input_is_refused_or_replaced_as_a_whole() {
    let folder = inputs();
    let archive = stored(&[("in.psk", &corpus("actorx/mesh/classic.psk"))]);
    folder.put("mod.zip", &archive);
    for input in ["mod.zip", "mod.zip!/in.psk", "./mod.zip", "in/../mod.zip!/in.psk"] {
        let ran = folder.says(2, &format!("catalog {input} --format jsonl -o mod.zip --force"));
        assert_eq!(ran.complaints, "skelmap: mod.zip: is one of the inputs\n", "{input}");
        assert!(folder.read("mod.zip") == archive);
    }
    folder.says(2, "pack mod.zip -o mod.zip --force");
    assert!(folder.read("mod.zip") == archive);
    // Into the folder that is packed, and again over the result.
    folder.says(0, "pack in -o in/all.zip");
    let packed = folder.read("in/all.zip");
    folder.says(0, "pack in -o in/all.zip --force");
    assert!(folder.read("in/all.zip") == packed);
    // An archive that holds a file of its own name, taken apart where it lies.
    let nested = stored(&[("a.txt", b"1"), ("self.zip", b"2"), ("z.txt", b"3")]);
    folder.put("self.zip", &nested);
    let ran = folder.says(1, "extract self.zip -o . --force");
    assert!(ran.complaints.contains("entry \"self.zip\": is one of the inputs"), "{}", ran.complaints);
    assert_eq!(["a.txt", "z.txt"].map(|name| folder.read(name)), [b"1", b"3"]);
    assert!(folder.read("self.zip") == nested);
    // An edit of a file in its own place.
    folder.says(0, "gsa edit in/r.gsa -o in/r.gsa --force --clear");
    assert_eq!(folder.says(0, "gsa events in/r.gsa --format jsonl").lines().len(), 0);
}

#[test]
fn a_path_that_contains_the_mark_of_addresses_names_the_file_that_exists() {
    let folder = Folder::new();
    let (mesh, other) = (corpus("actorx/mesh/classic.psk"), corpus("pyrogenesis/pmd/one_bone.pmd"));
    folder.put("odd!/mod.zip", stored(&[("in.psk", &mesh), ("deep!/x.pmd", &other)]));
    folder.put("odd!/b.psk", &mesh);
    folder.put("mod.zip!/c.psk", &mesh);
    folder.put("real.zip", stored(&[("odd!/x.pmd", &other)]));
    let path_of = |path: &str| {
        let rows = folder.says(0, &format!("ls {path} --format jsonl")).lines();
        (rows[0]["path"].as_str().map(str::to_owned), rows[0]["entry"].as_str().map(str::to_owned), rows.len())
    };
    let is = |path: &str, entry: Option<&str>, rows| (Some(path.to_owned()), entry.map(str::to_owned), rows);
    assert_eq!(path_of("odd!/b.psk"), is("odd!/b.psk", None, 1));
    assert_eq!(path_of("odd!/mod.zip"), is("odd!/mod.zip", Some("in.psk"), 2));
    assert_eq!(path_of("odd!/mod.zip!/in.psk"), is("odd!/mod.zip", Some("in.psk"), 1));
    assert_eq!(path_of("odd!/mod.zip!/deep!/x.pmd"), is("odd!/mod.zip", Some("deep!/x.pmd"), 1));
    assert_eq!(path_of("mod.zip!/c.psk"), is("mod.zip!/c.psk", None, 1));
    assert_eq!(path_of("mod.zip!"), is("mod.zip!/c.psk", None, 1));
    assert_eq!(path_of("real.zip!/odd!/x.pmd"), is("real.zip", Some("odd!/x.pmd"), 1));
    folder.says(0, "extract odd!/mod.zip -o out");
    assert_eq!(folder.read("out/deep!/x.pmd"), other);
    for missing in ["odd!/none.psk", "real.zip!/none.psk", "none.zip!/a.psk", "real.zip!/none/"] {
        folder.says(3, &format!("ls {missing}"));
    }
    // Nothing after the mark is the folder with all entries.
    assert_eq!(path_of("real.zip!/"), path_of("real.zip"));
}
