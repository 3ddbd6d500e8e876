//! Outputs below a folder stay there.

use std::fs;
use std::io::Write;
use std::os::unix::fs::symlink;
use std::path::Path;

use skelmap_batch::place::Place;
use skelmap_batch::save::{Saver, Work, Written, discard, persist};

/// Another program puts a link in the place of the folder while the file is written.
#[test]
fn a_file_is_made_in_the_folder_that_was_found_whatever_takes_its_place() {
    let root = tempfile::tempdir().expect("a folder");
    let path = |name: &str| root.path().join(name);
    for folder in ["out", "elsewhere"] {
        fs::create_dir(path(folder)).expect("made");
    }
    for name in ["one", "two"] {
        let place = Place::below(&path("out"), &Path::new("a").join(name)).expect("a place");
        assert_eq!(place.path(), path("out/a").join(name));
        let exchange = || {
            fs::rename(path("out/a"), path("moved")).expect("moved");
            symlink(path("elsewhere"), path("out/a")).expect("made");
        };
        if name == "one" {
            exchange();
        }
        let saved = Saver::new(Work::new(b"")).save(&place, false, |out| {
            if name == "two" {
                exchange();
            }
            out.write_all(b"whole")
        });
        saved.expect("saved");
        assert_eq!(fs::read(path("moved").join(name)).expect("a file"), b"whole");
        assert_eq!(fs::read_dir(path("elsewhere")).expect("a folder").count(), 0);
        fs::remove_file(path("out/a")).expect("removed");
        fs::rename(path("moved"), path("out/a")).expect("moved back");
        assert_eq!(fs::read_dir(path("out/a")).expect("a folder").count(), if name == "one" { 1 } else { 2 });
    }
    symlink(path("elsewhere"), path("out/link")).expect("made");
    Place::below(&path("out"), Path::new("link/x")).expect_err("a link");
}

/// The descriptors of this process that lead below a folder.
#[cfg(target_os = "linux")]
fn open_below(folder: &Path) -> usize {
    let all = fs::read_dir("/proc/self/fd").expect("a folder").flatten();
    all.filter(|own| own.path().read_link().is_ok_and(|target| target.starts_with(folder))).count()
}

/// As many files stay open until all of an output are complete.
#[cfg(target_os = "linux")]
#[test]
fn each_output_holds_one_descriptor_and_all_of_a_folder_one_more_until_they_are_published() {
    const OUTPUTS: usize = 50;
    let root = tempfile::tempdir().expect("a folder");
    let root = root.path().canonicalize().expect("a path");
    let (out, work) = (root.join("out"), Work::new(b""));
    fs::create_dir(&out).expect("made");
    let write = |folder: &str, name: usize| {
        let place = Place::below(&out, &Path::new(folder).join(name.to_string())).expect("a place");
        Written::new(&work, &place, false, |out| out.write_all(b"whole")).expect("written")
    };
    let mut files = Vec::new();
    for name in 0..OUTPUTS {
        files.push(write("a/b", name));
        assert_eq!(open_below(&root), files.len() + 1);
    }
    let mut others: Vec<_> = (0..OUTPUTS).map(|name| write("", name)).collect();
    assert_eq!(open_below(&root), 2 * (OUTPUTS + 1));
    discard(others.split_off(1));
    assert_eq!(open_below(&root), OUTPUTS + 1 + 2);
    persist(files).expect("published");
    assert_eq!(open_below(&root), 2);
    persist(others).expect("published");
    assert_eq!(open_below(&root), 0);
    assert_eq!(fs::read_dir(out.join("a/b")).expect("a folder").count(), OUTPUTS);
    assert_eq!(fs::read_dir(out).expect("a folder").count(), 2);
}

/// Outputs that are written at once share the descriptor of their folder only as long as the path leads to it.
#[test]
fn a_folder_in_the_place_of_one_that_another_output_holds_is_the_one_that_is_found() {
    let root = tempfile::tempdir().expect("a folder");
    let path = |name: &str| root.path().join(name);
    fs::create_dir(path("out")).expect("made");
    let write = |name: &str| {
        let place = Place::below(&path("out"), &Path::new("a").join(name)).expect("a place");
        Written::new(&Work::new(b""), &place, false, |out| out.write_all(b"whole")).expect("written")
    };
    let one = write("one");
    fs::rename(path("out/a"), path("moved")).expect("moved");
    let two = write("two");
    persist(vec![one, two]).expect("published");
    assert!(path("moved/one").is_file() && path("out/a/two").is_file());
    let held = write("three");
    fs::rename(path("out/a"), path("again")).expect("moved");
    symlink(path("again"), path("out/a")).expect("made");
    // The link leads to the folder that is held, and is none the less.
    Place::below(&path("out"), Path::new("a/four")).expect_err("a link");
    discard(vec![held]);
}
