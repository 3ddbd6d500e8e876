//! Outputs below a folder stay there.

use std::fs;
use std::io::Write;
use std::os::unix::fs::symlink;
use std::path::Path;

use skelmap_batch::place::Place;
use skelmap_batch::save::{Saver, Work};

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
