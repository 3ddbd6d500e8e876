//! Catalogues that another program makes with the crate of the command: the same files, complete or absent.

use std::ffi::OsStr;
use std::fs;
use std::io::ErrorKind;
use std::path::PathBuf;

use skelmap::mapping::Opener;
use skelmap_cli::bulk::{Request, Watch};

use super::{Folder, corpus, stored};

fn request(paths: Vec<PathBuf>) -> Request {
    Request {
        paths,
        opener: Opener::reading(),
        parse: skelmap::ParseOptions::default(),
        per_sequence: false,
        shard: None,
        content_hash: false,
        extent: false,
        jobs: None,
    }
}

/// A folder with a mesh, an animation in an archive, and a broken file.
fn assets() -> Folder {
    let folder = Folder::new();
    folder.put("assets/mesh.psk", corpus("actorx/mesh/classic.psk"));
    folder.put("assets/mod.zip", stored(&[("walk.psa", &corpus("actorx/anim/classic.psa"))]));
    folder.put("assets/broken.pmd", b"nothing");
    folder
}

#[test]
fn a_program_writes_the_file_that_the_command_writes() {
    let folder = assets();
    for name in ["rows.jsonl", "rows.csv"] {
        let own = folder.at(format!("own-{name}"));
        let counts = request(vec![folder.at("assets")]).write(&own, &Watch::default()).expect("written");
        assert_eq!((counts.assets, counts.rows, counts.bad), (3, 3, 1));
        let (input, output) = (folder.at("assets"), folder.at(name));
        folder.run(&[OsStr::new("catalog"), input.as_os_str(), OsStr::new("-o"), output.as_os_str()]);
        assert_eq!(fs::read(own).expect("a file"), folder.read(name), "{name}");
    }
}

#[test]
fn the_shards_together_have_all_rows() {
    let folder = assets();
    let mut rows = 0;
    for index in 1..=2 {
        let part = Request { shard: Some((index, 2)), ..request(vec![folder.at("assets")]) };
        rows += part.write(&folder.at(format!("{index}.jsonl")), &Watch::default()).expect("written").rows;
    }
    assert_eq!(rows, 3);
}

#[test]
fn a_stopped_run_leaves_no_file() {
    let folder = assets();
    let watch = Watch::default();
    watch.stop();
    let output = folder.at("out/rows.jsonl");
    fs::create_dir(folder.at("out")).expect("a folder");
    let error = request(vec![folder.at("assets")]).write(&output, &watch).expect_err("stopped");
    assert_eq!(error.kind(), ErrorKind::Interrupted);
    assert_eq!(fs::read_dir(folder.at("out")).expect("a folder").count(), 0);
}

#[test]
fn progress_counts_every_item() {
    let folder = assets();
    let watch = Watch::default();
    assert_eq!(watch.progress(), (0, 0));
    request(vec![folder.at("assets")]).write(&folder.at("rows.csv"), &watch).expect("written");
    assert_eq!(watch.progress(), (3, 3));
}

#[test]
fn a_failed_request_returns_the_kind_of_its_error() {
    let folder = assets();
    folder.put("there.jsonl", b"mine");
    let write = |request: &Request, name: &str| {
        request.write(&folder.at(name), &Watch::default()).map(|counts| counts.rows).expect_err(name).kind()
    };
    let all = request(vec![folder.at("assets")]);
    assert_eq!(write(&all, "there.jsonl"), ErrorKind::AlreadyExists);
    assert_eq!(fs::read(folder.at("there.jsonl")).expect("a file"), b"mine");
    assert_eq!(write(&all, "rows.txt"), ErrorKind::InvalidInput);
    assert_eq!(write(&all, "none/rows.csv"), ErrorKind::NotFound);
    for shard in [(0, 2), (3, 2), (1, 0)] {
        let part = Request { shard: Some(shard), ..request(vec![folder.at("assets")]) };
        assert_eq!(write(&part, "rows.csv"), ErrorKind::InvalidInput, "{shard:?}");
    }
}
