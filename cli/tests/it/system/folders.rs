//! Which files of a folder are looked at: those that search tools look at.

use std::fs;
use std::os::unix::fs::symlink;

use crate::run::{Folder, corpus, stored};

fn paths(folder: &Folder, line: &str) -> Vec<String> {
    let rows = folder.says(0, &format!("{line} --format jsonl")).lines();
    rows.iter().map(|row| row["path"].as_str().expect("a path").to_owned()).collect()
}

fn world() -> Folder {
    let folder = Folder::new();
    for name in ["a.psk", ".cache/b.psk", ".c.psk", "old/d.psk", "keep/e.psk", "keep/f.psk", "g.psk"] {
        folder.put(format!("mod/{name}"), corpus("actorx/mesh/classic.psk"));
    }
    folder.put("elsewhere/h.psk", corpus("actorx/mesh/classic.psk"));
    folder.put("mod/.git/HEAD", "ref");
    folder.put("mod/.gitignore", "old/\n*f.psk\n");
    folder.put("mod/.ignore", "/g.psk\n");
    symlink("../elsewhere", folder.at("mod/link")).expect("a link");
    symlink("../elsewhere/h.psk", folder.at("mod/z.psk")).expect("a link");
    folder
}

#[test]
fn hidden_and_ignored_files_and_links_are_passed_over_unless_they_are_asked_for() {
    let folder = world();
    assert_eq!(paths(&folder, "ls mod"), ["mod/a.psk", "mod/keep/e.psk"]);
    assert_eq!(
        paths(&folder, "ls mod --no-ignore"),
        ["mod/a.psk", "mod/g.psk", "mod/keep/e.psk", "mod/keep/f.psk", "mod/old/d.psk"]
    );
    assert_eq!(paths(&folder, "ls mod --hidden"), ["mod/.c.psk", "mod/.cache/b.psk", "mod/a.psk", "mod/keep/e.psk"]);
    assert_eq!(paths(&folder, "ls mod --follow"), ["mod/a.psk", "mod/keep/e.psk", "mod/link/h.psk", "mod/z.psk"]);
    assert_eq!(paths(&folder, "ls mod --exclude keep --exclude *g.psk --no-ignore"), ["mod/a.psk", "mod/old/d.psk"]);
    // What is named is looked at, whatever its name.
    assert_eq!(paths(&folder, "ls mod/.cache mod/g.psk mod/z.psk"), ["mod/.cache/b.psk", "mod/g.psk", "mod/z.psk"]);
    assert_eq!(paths(&folder, "ls mod/link"), ["mod/link/h.psk"]);
    let wrong = folder.says(2, "ls mod --exclude {");
    assert!(wrong.complaints.starts_with("skelmap: --exclude: "), "{}", wrong.complaints);
}

#[test]
fn a_folder_whose_ignore_files_are_pipes_devices_or_large_is_named_and_not_walked() {
    for name in [".gitignore", ".ignore"] {
        for kind in ["pipe", "device", "large"] {
            let folder = Folder::new();
            for place in ["mod/a.psk", "mod/old/b.psk", "mod/z/c.psk"] {
                folder.put(place, corpus("actorx/mesh/classic.psk"));
            }
            let rules = folder.at(format!("mod/old/{name}"));
            match kind {
                "pipe" => assert!(std::process::Command::new("mkfifo").arg(&rules).status().expect("mkfifo").success()),
                "device" => symlink("/dev/zero", &rules).expect("a link"),
                _ => fs::write(&rules, "*.none\n".repeat(40_000)).expect("a file"),
            }
            let said = folder.says(1, "ls mod --format jsonl");
            let rows = said.lines();
            let listed: Vec<&str> = rows.iter().map(|row| row["path"].as_str().expect("a path")).collect();
            assert_eq!(listed, ["mod/a.psk", &format!("mod/old/{name}"), "mod/z/c.psk"], "{kind}");
            let message = rows[1]["error"]["message"].as_str().expect("an error");
            assert!(message.contains("--no-ignore walks it"), "{message}");
            // The first folder, and a folder below.
            folder.says(3, "ls mod/old");
            folder.put("mod/old/below/d.psk", corpus("actorx/mesh/classic.psk"));
            folder.says(3, "ls mod/old/below");
            assert_eq!(paths(&folder, "ls mod/old --no-ignore"), ["mod/old/b.psk", "mod/old/below/d.psk"]);
        }
    }
    // Rules in many folders, one in the other, take as much memory as those of one.
    let folder = Folder::new();
    for place in ["mod", "mod/a", "mod/a/b"] {
        folder.put(format!("{place}/x.psk"), corpus("actorx/mesh/classic.psk"));
        folder.put(format!("{place}/.ignore"), "*.none\n".repeat(15_000));
    }
    assert_eq!(folder.says(1, "ls mod --format jsonl").lines().len(), 3);
    // Each file of rules is asked about each entry: 64 at most.
    let folder = Folder::new();
    let mut place = "mod".to_owned();
    for _ in 0..66 {
        folder.put(format!("{place}/x.psk"), corpus("actorx/mesh/classic.psk"));
        folder.put(format!("{place}/.ignore"), "*.none\n");
        place.push_str("/a");
    }
    let rows = folder.says(1, "ls mod --format jsonl").lines();
    let (read, failed): (Vec<_>, Vec<_>) = rows.iter().partition(|row| row["error"].is_null());
    assert_eq!((read.len(), failed.len()), (64, 1));
    assert!(failed[0]["error"]["message"].to_string().contains("more than 64 files of its kind"), "{}", failed[0]);
    // A link to a file with rules is read, and a rule of an inner folder lets in what an outer one leaves out.
    let folder = world();
    folder.put("mod/old/.ignore", "!d.psk\n");
    folder.put("mod/keep/.gitignore", "!f.psk\n");
    assert_eq!(paths(&folder, "ls mod"), ["mod/a.psk", "mod/keep/e.psk", "mod/keep/f.psk"]);
    folder.put("mod/.ignore", "!.c.psk\n!old\n");
    assert_eq!(
        paths(&folder, "ls mod"),
        ["mod/.c.psk", "mod/a.psk", "mod/g.psk", "mod/keep/e.psk", "mod/keep/f.psk", "mod/old/d.psk"]
    );
    // Rules of git hold up to the first folder of a repository, and nowhere outside.
    folder.put("mod/keep/.jj/repo", "");
    folder.put("mod/keep/h.psk", corpus("actorx/mesh/classic.psk"));
    folder.put("mod/.gitignore", "h.psk\n");
    folder.put("elsewhere/.gitignore", "h.psk\n");
    assert_eq!(paths(&folder, "ls mod/keep"), ["mod/keep/e.psk", "mod/keep/f.psk", "mod/keep/h.psk"]);
    assert_eq!(paths(&folder, "ls elsewhere"), ["elsewhere/h.psk"]);
    folder.put("mod/.ignore", "/g.psk\n");
    fs::rename(folder.at("mod/.ignore"), folder.at("rules")).expect("renamed");
    symlink("../rules", folder.at("mod/.ignore")).expect("a link");
    assert_eq!(
        paths(&folder, "ls mod"),
        ["mod/a.psk", "mod/keep/e.psk", "mod/keep/f.psk", "mod/keep/h.psk", "mod/old/d.psk"]
    );
}

#[test]
fn all_files_are_listed_on_request() {
    let folder = Folder::new();
    folder.put("mod/a.psk", corpus("actorx/mesh/classic.psk"));
    folder.put("mod/notes.txt", "12345");
    let entries: [(&str, &[u8]); 3] = [("b.psk", b"no mesh"), ("art/", b""), ("art/c.png", b"123")];
    folder.put("mod/d.zip", stored(&entries));
    let all = |line: &str| -> Vec<(String, Option<u64>, bool)> {
        let rows = folder.says(1, &format!("{line} --format jsonl")).lines();
        let of = |row: &serde_json::Value| {
            let path = format!("{} {}", row["path"].as_str().expect("a path"), row["entry"].as_str().unwrap_or(""));
            (path.trim().to_owned(), row["bytes"].as_u64(), row["error"].is_null())
        };
        rows.iter().map(of).collect()
    };
    let mesh = corpus("actorx/mesh/classic.psk").len() as u64;
    let assets = [("mod/a.psk".to_owned(), Some(mesh), true), ("mod/d.zip b.psk".to_owned(), Some(7), false)];
    assert_eq!(all("ls mod"), assets);
    let [a, b] = assets;
    let (c, notes) = (("mod/d.zip art/c.png".to_owned(), Some(3), true), ("mod/notes.txt".to_owned(), Some(5), true));
    assert_eq!(all("ls mod --all"), [a, b, c, notes]);
}

#[test]
fn a_folder_of_hidden_files_alone_says_how_they_are_found() {
    let folder = Folder::new();
    folder.put("mod/.a.psk", corpus("actorx/mesh/classic.psk"));
    let ran = folder.says(3, "ls mod");
    assert!(ran.complaints.contains("--hidden, --no-ignore, --follow"), "{}", ran.complaints);
}

#[test]
fn a_folder_without_a_file_is_named_among_others() {
    let folder = Folder::new();
    folder.put("a/a.psk", corpus("actorx/mesh/classic.psk"));
    folder.put("b/.hidden.psk", "x");
    let ran = folder.says(0, "ls a b");
    assert_eq!(
        ran.complaints,
        "skelmap: b: no file to look at in this folder (--hidden, --no-ignore and --follow find more)\n"
    );
    assert_eq!(folder.says(0, "ls a").complaints, "");
}

#[test]
fn a_link_to_nothing_and_a_locked_file_that_promise_no_asset_are_no_faults() {
    let folder = Folder::new();
    folder.put("mod/a.psk", corpus("actorx/mesh/classic.psk"));
    symlink("nowhere", folder.at("mod/b")).expect("a link");
    symlink("nowhere", folder.at("mod/c.txt")).expect("a link");
    assert_eq!(paths(&folder, "ls mod --follow"), ["mod/a.psk"]);
    symlink("nowhere", folder.at("mod/d.psa")).expect("a link");
    folder.says(1, "ls mod --follow");
}

#[test]
fn a_folder_under_version_control_is_packed_without_it() {
    let folder = world();
    fs::remove_file(folder.at("mod/link")).expect("removed");
    folder.put("mod/.DS_Store", "x");
    folder.put("mod/keep/Thumbs.db", "x");
    folder.put("mod/.gitattributes", "x");
    // `extract` refuses such a file.
    folder.put("mod/.skelmap-convert.jsonl", "x");
    let ran = folder.says(0, "pack mod -o all.zip");
    assert!(
        ran.complaints.ends_with("; 4 files left out (.git, .DS_Store, Thumbs.db, .skelmap-*)\n"),
        "{}",
        ran.complaints
    );
    let listed = String::from_utf8_lossy(&folder.read("all.zip")).into_owned();
    for name in [".git/HEAD", ".DS_Store", "Thumbs.db", ".skelmap-convert.jsonl"] {
        assert!(!listed.contains(name), "{name}");
    }
    for name in [".gitattributes", ".gitignore", ".cache/b.psk", "old/d.psk", "z.psk"] {
        assert!(listed.contains(name), "{name}");
    }
}

#[test]
fn a_folder_is_packed_without_what_is_excluded_and_links_that_lead_out_are_named() {
    let folder = Folder::new();
    folder.put("mod/art/a.psk", "a");
    folder.put("mod/art/source/a.blend", "b");
    folder.put("mod/notes.txt", "c");
    folder.put("shared/b.psk", "d");
    symlink(folder.at("shared/b.psk"), folder.at("mod/art/b.psk")).expect("a link");
    symlink(folder.at("mod/art/a.psk"), folder.at("mod/art/c.psk")).expect("a link");
    symlink("nowhere", folder.at("mod/notes")).expect("a link");
    let ran =
        folder.ends(0, &["pack", "mod", "-o", "all.zip", "--exclude", "*.txt", "--exclude", "source/", "--dry-run"]);
    assert_eq!(ran.text(), "art/a.psk\nart/b.psk\nart/c.psk\n");
    assert!(ran.complaints.starts_with("skelmap: mod/art/b.psk: a link to a file outside of"), "{}", ran.complaints);
    let end = "skelmap: mod/notes: a link to nothing, which is left out\nskelmap: 3 files to pack, 3 B\n";
    assert!(ran.complaints.ends_with(end), "{}", ran.complaints);
    assert!(!folder.at("all.zip").exists());
    folder.ends(0, &["pack", "mod", "-o", "all.zip", "--exclude", "*.txt", "--exclude", "source/"]);
    let listed = String::from_utf8_lossy(&folder.read("all.zip")).into_owned();
    assert!(listed.contains("art/c.psk") && !listed.contains("blend") && !listed.contains("notes"), "{listed}");
    folder.ends(2, &["pack", "mod", "-o", "b.zip", "--exclude", "a{b"]);
    symlink("nowhere", folder.at("mod/missing.psk")).expect("a link");
    let ran = folder.ends(5, &["pack", "mod", "-o", "b.zip"]);
    assert!(ran.complaints.contains("mod/missing.psk: "), "{}", ran.complaints);
}
