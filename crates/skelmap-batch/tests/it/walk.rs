//! The walk through folders and links.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::PathBuf;

use skelmap_batch::{Find, Ignore, Met, PatternError, Source, Walk};
use tempfile::tempdir;
use test_support::build_zip::{Entry, Zip};

/// Only links that lead to a folder again are counted: a link to a folder of its own may be followed as often as there
/// are such folders.
#[test]
fn any_number_of_links_to_different_folders_is_followed() {
    const LINKS: usize = 600;
    let (root, elsewhere) = (tempdir().unwrap(), tempdir().unwrap());
    for index in 0..LINKS {
        let folder = elsewhere.path().join(index.to_string());
        fs::create_dir(&folder).unwrap();
        fs::write(folder.join("a.psk"), b"x").unwrap();
        symlink(&folder, root.path().join(format!("{index:03}"))).unwrap();
    }
    let found: Vec<PathBuf> = Walk::all()
        .files(root.path())
        .map(|met| match met {
            Met::File(path) => path,
            other => panic!("{other:?}"),
        })
        .collect();
    let expected: Vec<PathBuf> = (0..LINKS).map(|index| root.path().join(format!("{index:03}/a.psk"))).collect();
    assert_eq!(found, expected);
}

/// The docs of [`Walk::files`]: 256 times, and four times for each of the two folders.
#[test]
fn links_that_lead_to_a_folder_again_are_followed_within_a_budget_whose_end_is_told_once() {
    const LINKS: usize = 300;
    const FOLLOWED: usize = 256 + 2 * 4;
    let root = tempdir().unwrap();
    let folder = root.path().join("a");
    fs::create_dir(&folder).unwrap();
    fs::write(folder.join("a.psk"), b"x").unwrap();
    for index in 0..LINKS {
        symlink(&folder, root.path().join(format!("l{index:03}"))).unwrap();
    }
    let (mut found, mut failed) = (Vec::new(), Vec::new());
    for met in Walk::all().files(root.path()) {
        match met {
            Met::File(path) => found.push(path),
            Met::Failed { path, .. } => failed.push(path),
            other => panic!("{other:?}"),
        }
    }
    let followed = (0..FOLLOWED).map(|index| root.path().join(format!("l{index:03}/a.psk")));
    let expected: Vec<PathBuf> = std::iter::once(folder.join("a.psk")).chain(followed).collect();
    assert_eq!(found, expected);
    assert_eq!(failed, [root.path().join(format!("l{FOLLOWED:03}"))]);
}

/// Each of nine folders has links to all nine, and a folder of its own with a file: 19 folders, which may be entered 256 + 19 * 4 times again.
#[test]
fn folders_behind_links_count_whenever_they_are_entered_again() {
    let root = tempdir().unwrap();
    let folder = |index: usize| root.path().join(index.to_string());
    for index in 0..9 {
        fs::create_dir_all(folder(index).join("own")).unwrap();
        fs::write(folder(index).join("own/a.psk"), b"x").unwrap();
        (0..9).for_each(|other| symlink(folder(other), folder(index).join(format!("to{other}"))).unwrap());
    }
    // An error here ends a walk that has no end.
    let met: Vec<Met> = Walk::all().files(root.path()).take(10_000).collect();
    let files = met.iter().filter(|met| matches!(met, Met::File(_))).count();
    assert!(files <= 19 + 256 + 19 * 4, "{files} files");
    let is_told = |met: &&Met| matches!(met, Met::Failed { error, .. } if error.to_string().contains("too many links"));
    assert_eq!(met.iter().filter(is_told).count(), 1);
}

/// Unfinished files of the command are `.skelmap-*.part`.
#[test]
fn only_unfinished_files_of_the_command_are_skipped() {
    let root = tempdir().unwrap();
    let names = [".skelmap-1.part", ".skelmap-1.psk", "all.csv.part"];
    for name in names {
        fs::write(root.path().join(name), b"x").unwrap();
    }
    let found: Vec<PathBuf> = Walk::all()
        .files(root.path())
        .map(|met| match met {
            Met::File(path) => path,
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(found, [root.path().join(names[1]), root.path().join(names[2])]);
}

#[test]
fn entries_that_promise_no_asset_are_found_where_they_are_asked_for() {
    let find = Find { others: true, ..Find::all(&["../../corpus/fox.pyromod"]) };
    let sources = find.sources(&Source::default()).unwrap();
    assert_eq!(sources.items().iter().filter(|item| !item.promises_asset()).count(), 1);
}

/// Some programs write names of entries with `./`.
#[test]
fn a_dot_before_the_name_of_an_entry_is_no_folder() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("mod.zip");
    let entries = ["./art/fox.psk", "./.hidden/fox.psk"].map(|name| Entry::stored(name, b"fox"));
    fs::write(&path, Zip::of(entries).build().bytes).unwrap();
    for (pattern, expected) in [(".*", 1), ("?", 2), ("*/", 0), ("/art", 1)] {
        let walk = Walk { exclude: vec![pattern.to_owned()], ..Walk::all() };
        let find = Find { walk, ..Find::all(&[&path]) };
        assert_eq!(find.sources(&Source::default()).unwrap().items().len(), expected, "{pattern}");
    }
}

#[test]
fn a_pattern_without_a_meaning_is_told_from_where_it_stands() {
    let bad = || vec!["{a".to_owned()];
    let of_folder = Walk { ignore: Some(Ignore { folder: None, patterns: bad() }), ..Walk::all() }.check();
    let of_folder = of_folder.expect_err("no pattern");
    assert!(matches!(of_folder, PatternError::Ignore(_)), "{of_folder}");
    assert!(!of_folder.to_string().contains("--exclude"), "{of_folder}");
    let of_option = Walk { exclude: bad(), ..Walk::all() }.check().expect_err("no pattern");
    assert!(matches!(of_option, PatternError::Exclude(_)), "{of_option}");
}
