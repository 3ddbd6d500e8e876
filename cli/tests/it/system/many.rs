//! A hundred thousand files, a thousand of them bad in ten ways.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use super::shell;
use crate::run::{Folder, corpus};

const FOLDERS: usize = 100;
const FILES: usize = 1000;
const BAD: usize = 10;

/// Nine kinds of damage of the corpus, with a file of each and what the manifest says of it; the tenth is a link to nothing.
fn damages() -> Vec<(String, String)> {
    let manifest: Value = serde_json::from_slice(&corpus("MANIFEST.json")).expect("JSON");
    let mut kinds = BTreeMap::new();
    for case in manifest["files"].as_array().expect("files") {
        let (file, error) = (case["file"].as_str().expect("a name"), &case["expect"]["error"]);
        let (Some(kind), Some(_)) = (error["kind"].as_str(), error["offset"].as_u64()) else { continue };
        // Files that the command reads in another way than the manifest's reader, and those that no name promises.
        let is_plain = !["other-format", "record-too-wide"].contains(&kind);
        if is_plain && ["psk", "psa", "pmd", "gsa"].iter().any(|known| file.ends_with(&format!(".{known}"))) {
            kinds.entry(kind.to_owned()).or_insert_with(|| file.to_owned());
        }
    }
    assert!(kinds.len() >= BAD - 1, "{kinds:?}");
    kinds.into_iter().take(BAD - 1).collect()
}

/// The world, and the kind of fault of each bad file by its path.
fn world() -> (Folder, BTreeMap<String, String>) {
    let (folder, damages) = (Folder::new(), damages());
    let mut bad = BTreeMap::new();
    for parent in 0..FOLDERS {
        let parent = format!("art/{parent:02}");
        let at = |name: &str| folder.at(format!("{parent}/{name}"));
        let first = folder.put(format!("{parent}/f0000.pmd"), corpus("pyrogenesis/pmd/one_bone.pmd"));
        for (index, (kind, file)) in damages.iter().enumerate() {
            let extension = Path::new(file).extension().and_then(|kind| kind.to_str()).expect("an extension");
            let name = format!("f{:04}-bad.{extension}", index * 100 + 50);
            folder.put(format!("{parent}/{name}"), corpus(file));
            bad.insert(format!("{parent}/{name}"), kind.clone());
        }
        symlink("nowhere", at("f0950-bad.psk")).expect("a link");
        bad.insert(format!("{parent}/f0950-bad.psk"), "not-found".to_owned());
        for index in 1..FILES - BAD {
            fs::hard_link(&first, at(&format!("f{index:04}.pmd"))).expect("a link");
        }
    }
    assert_eq!(bad.len(), 1000);
    (folder, bad)
}

/// Every file, with the kind of fault it has.
fn expected(bad: &BTreeMap<String, String>) -> Vec<(String, Option<String>)> {
    let good = (0..FOLDERS).flat_map(|parent| (0..FILES - BAD).map(move |index| (parent, index)));
    let mut files: BTreeMap<String, Option<String>> =
        good.map(|(parent, index)| (format!("art/{parent:02}/f{index:04}.pmd"), None)).collect();
    files.extend(bad.iter().map(|(path, kind)| (path.clone(), Some(kind.clone()))));
    files.into_iter().collect()
}

/// The path and the kind of fault of each row, in the order in which they come.
fn kinds(lines: &str) -> Vec<(String, Option<String>)> {
    let kind = |line| {
        let row: Value = serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
        assert!(!row["format"].is_null() || !row["error"].is_null(), "{line}");
        (row["path"].as_str().expect("a path").to_owned(), row["error"]["kind"].as_str().map(str::to_owned))
    };
    lines.lines().map(kind).collect()
}

#[test]
fn a_thousand_bad_files_of_a_hundred_thousand_are_named_once_each() {
    let (folder, bad) = world();
    let expected = expected(&bad);
    assert_eq!(expected.len(), FOLDERS * FILES);

    let listed = folder.says(1, "ls art --follow --format jsonl");
    assert_eq!(listed.complaints, "skelmap: 1000 of 100000 files cannot be read\n");
    assert!(kinds(listed.text()) == expected, "a row for each, in name order");
    // In memory that the number of files hardly counts for, and the same on any number of threads.
    let bounded = shell(&folder, "ulimit -d 65536; exec \"$0\" ls art --follow --format jsonl --jobs 3");
    assert_eq!((bounded.status, bounded.complaints), (1, listed.complaints));
    assert!(bounded.out == listed.out);

    let catalogued = folder.says(1, "catalog art --follow -o all.jsonl");
    let told = "skelmap: 100000 assets, 100000 rows, 1000 unreadable";
    assert!(catalogued.complaints.starts_with(told), "{}", catalogued.complaints);
    assert!(kinds(&folder.text("all.jsonl")) == expected);

    let checked = shell(&folder, "ulimit -d 65536; exec \"$0\" check art --follow --level error --format csv");
    assert_eq!(
        (checked.status, checked.complaints.as_str()),
        (1, "skelmap: 100000 files, 0 findings, 1000 unreadable\n")
    );
    let named = checked.text().lines().skip(1).map(|line| {
        let mut cells = line.split(',');
        (cells.next().expect("a path").to_owned(), cells.nth(3).expect("a code").to_owned())
    });
    assert!(named.eq(bad), "each bad one and nothing else");

    // Faster than one by one.
    assert!(Command::new("rm").arg("-rf").arg(folder.at("art")).status().expect("rm").success());
}
