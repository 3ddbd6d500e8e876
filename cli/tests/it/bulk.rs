//! Work that another program does with the crate of the command: the same files, complete or absent, however often it is repeated.

use std::ffi::OsStr;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use skelmap::Severity;
use skelmap::mapping::Opener;
use skelmap_batch::catalogue::Rows;
use skelmap_batch::convert::{ConvertOptions, Kind, options_of_json};
use skelmap_batch::{Counts, Watch, Work};

use crate::run::{Folder, corpus, stored};

fn work(paths: Vec<PathBuf>) -> Work {
    Work {
        paths,
        opener: Opener::reading(),
        parse: skelmap::ParseOptions::default(),
        shard: None,
        all_readable: false,
        jobs: None,
    }
}

/// Writes a catalogue, which is not there yet.
fn catalog(work: &Work, output: &Path) -> Counts {
    work.catalog_to(output, Rows::default(), &Watch::default()).expect("written").expect("a new file")
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
        let counts = catalog(&work(vec![folder.at("assets")]), &own);
        assert_eq!((counts.assets, counts.rows, counts.bad), (3, 3, 1));
        let (input, output) = (folder.at("assets"), folder.at(name));
        folder.run(&[OsStr::new("catalog"), input.as_os_str(), OsStr::new("-o"), output.as_os_str()]);
        assert_eq!(fs::read(own).expect("a file"), folder.read(name), "{name}");
    }
}

#[test]
fn a_program_writes_the_findings_that_the_command_prints() {
    let folder = assets();
    folder.put("assets/bad.psk", corpus("actorx/mesh/face_wedge.psk"));
    // The program and the command run in two folders: a repository gives both the same locations.
    folder.put("assets/.git/HEAD", b"");
    for format in ["jsonl", "csv"] {
        let own = folder.at(format!("own.{format}"));
        let counts = work(vec![folder.at("assets")]).check_to(&own, Severity::Warning, &Watch::default());
        let counts = counts.expect("written").expect("a new file");
        assert_eq!((counts.assets, counts.bad), (4, 1));
        assert!(counts.rows > 0);
        let input = folder.at("assets");
        let input = input.to_str().expect("a text");
        let printed = folder.command(&["check", input, "--format", format]).output().expect("started").stdout;
        assert_eq!(fs::read(own).expect("a file"), printed, "{format}");
    }
}

#[test]
fn the_shards_together_have_all_rows() {
    let folder = assets();
    let mut rows = 0;
    for index in 1..=2 {
        let part = Work { shard: Some((index, 2)), ..work(vec![folder.at("assets")]) };
        rows += catalog(&part, &folder.at(format!("{index}.jsonl"))).rows;
    }
    assert_eq!(rows, 3);
}

#[test]
fn a_stopped_run_leaves_no_file() {
    let folder = assets();
    let watch = Watch::default();
    watch.stop();
    fs::create_dir(folder.at("out")).expect("a folder");
    let all = work(vec![folder.at("assets")]);
    let error = all.catalog_to(&folder.at("out/rows.jsonl"), Rows::default(), &watch).expect_err("stopped");
    assert_eq!(error.kind(), ErrorKind::Interrupted);
    let error = all.check_to(&folder.at("out/rows.jsonl"), Severity::Note, &watch).expect_err("stopped");
    assert_eq!(error.kind(), ErrorKind::Interrupted);
    let error = all.convert_to(&folder.at("out"), &[], &ConvertOptions::default(), &watch).expect_err("stopped");
    assert_eq!(error.kind(), ErrorKind::Interrupted);
    assert_eq!(fs::read_dir(folder.at("out")).expect("a folder").count(), 0);
}

#[test]
fn progress_counts_every_item() {
    let folder = assets();
    let watch = Watch::default();
    assert_eq!(watch.progress(), (0, 0));
    let all = work(vec![folder.at("assets")]);
    all.catalog_to(&folder.at("rows.csv"), Rows::default(), &watch).expect("written");
    assert_eq!(watch.progress(), (3, 3));
}

#[test]
fn a_file_that_is_there_is_passed_over() {
    let folder = assets();
    folder.put("there.jsonl", b"mine");
    let all = work(vec![folder.at("assets")]);
    let (output, watch) = (folder.at("there.jsonl"), Watch::default());
    assert_eq!(all.catalog_to(&output, Rows::default(), &watch).expect("passed over"), None);
    assert_eq!(all.check_to(&output, Severity::Note, &watch).expect("passed over"), None);
    assert_eq!((fs::read(output).expect("a file"), watch.progress()), (b"mine".to_vec(), (0, 0)));
}

#[test]
fn a_failed_request_returns_the_kind_of_its_error() {
    let folder = assets();
    fs::create_dir(folder.at("folder.csv")).expect("made");
    let write = |work: &Work, name: &str| {
        work.catalog_to(&folder.at(name), Rows::default(), &Watch::default()).expect_err(name).kind()
    };
    let all = work(vec![folder.at("assets")]);
    assert_eq!(write(&all, "rows.txt"), ErrorKind::InvalidInput);
    // Rows that are nowhere are not said to be there.
    assert_eq!(write(&all, "folder.csv"), ErrorKind::Other);
    for shard in [(0, 2), (3, 2), (1, 0)] {
        let part = Work { shard: Some(shard), ..work(vec![folder.at("assets")]) };
        assert_eq!(write(&part, "rows.csv"), ErrorKind::InvalidInput, "{shard:?}");
    }
    // A frame of a glTF.
    let options = ConvertOptions { frame: Some(1), ..ConvertOptions::default() };
    let wrong = all.convert_to(&folder.at("out"), &[], &options, &Watch::default()).expect_err("wrong");
    assert_eq!(wrong.kind(), ErrorKind::InvalidInput);
}

#[test]
fn options_are_those_of_a_json_object_and_an_error_names_the_option() {
    let options: ConvertOptions =
        options_of_json(r#"{"to": "obj", "gltf": {"up": "-y", "influences": 8}}"#).expect("known");
    assert_eq!(options.to, Some(Kind::Obj));
    let again = serde_json::to_string(&options).expect("JSON");
    assert_eq!(options_of_json::<ConvertOptions>(&again).expect("known"), options);
    for (json, name, is_type) in [
        (r#"{"nonsense": 1}"#, "nonsense", true),
        (r#"{"to": "fbx"}"#, "to", false),
        (r#"{"textures": 1}"#, "textures", true),
        (r#"{"gltf": {"metres": 0}}"#, "metres", false),
        (r#"{"gltf": {"influences": 5}}"#, "influences", false),
    ] {
        let error = options_of_json::<ConvertOptions>(json).expect_err(json);
        assert_eq!((error.option.as_str(), error.is_type), (name, is_type), "{error}");
    }
}

/// A disk that was not mounted is no catalogue of nothing, if the program says so.
#[test]
fn a_file_that_cannot_be_read_is_a_row_or_an_error() {
    let folder = assets();
    let mut some = work(vec![folder.at("assets"), folder.at("gone.psk")]);
    assert_eq!(catalog(&some, &folder.at("rows.jsonl")).bad, 2);
    some.all_readable = true;
    let watch = Watch::default();
    let catalogued = some.catalog_to(&folder.at("all.jsonl"), Rows::default(), &watch).expect_err("gone");
    let checked = some.check_to(&folder.at("all.csv"), Severity::Note, &watch).expect_err("gone");
    let converted = some.convert_to(&folder.at("out"), &[], &ConvertOptions::default(), &watch).expect_err("gone");
    for error in [catalogued, checked, converted] {
        assert!(error.to_string().contains("gone.psk"), "{error}");
    }
    assert_eq!(folder.files().iter().filter(|name| !name.starts_with("assets")).collect::<Vec<_>>(), ["rows.jsonl"]);
    // Damaged data stays damaged.
    some.paths.truncate(1);
    assert_eq!(catalog(&some, &folder.at("all.jsonl")).bad, 1);
}

/// The unfinished file of a process that was killed has no lock, that of one at work has. A run waits for a named pipe, which Unix has.
#[cfg(unix)]
#[test]
fn what_a_killed_run_has_left_is_removed_by_the_next_for_the_same_file() {
    let folder = Folder::new();
    folder.put("a.psk", corpus("actorx/mesh/classic.psk"));
    let is_part = |name: &String| Path::new(name).extension().is_some_and(|extension| extension == "part");
    let parts = |folder: &Folder| folder.files().into_iter().filter(is_part).collect::<Vec<_>>();
    let all = work(vec![folder.at("a.psk")]);
    let is_locked = |name: &String| {
        let path = folder.at(name);
        fs::File::options().write(true).open(&path).is_ok_and(|file| !skelmap_batch::save::lock(&path, &file))
    };
    // The name of an unfinished file for `rows.csv`, taken while it is written.
    let paused = {
        let (folder, all, watch) = (&folder, &all, Watch::default());
        let stream = Work { paths: vec![folder.at("a.psk"), folder.at("pipe.psk")], ..all.clone() };
        let pipe = std::process::Command::new("mkfifo").arg(folder.at("pipe.psk")).status().expect("started");
        assert!(pipe.success());
        std::thread::scope(|scope| {
            let run = scope.spawn(|| stream.catalog_to(&folder.at("rows.csv"), Rows::default(), &Watch::default()));
            let name = loop {
                match parts(folder).into_iter().find(is_locked) {
                    Some(name) => break name,
                    None => std::thread::yield_now(),
                }
            };
            // Another run for the file finishes first, and leaves this one alone.
            assert!(all.catalog_to(&folder.at("rows.csv"), Rows::default(), &watch).expect("written").is_some());
            assert_eq!(parts(folder), [name.as_str()]);
            fs::write(folder.at("pipe.psk"), corpus("actorx/mesh/classic.psk")).expect("written");
            assert_eq!(run.join().expect("ended").expect("passed over"), None);
            name
        })
    };
    assert!(parts(&folder).is_empty(), "{:?}", parts(&folder));
    let (tag, other) = (&paused[..paused.len() - 11], "0".repeat(16));
    let (own, foreign) = (format!("{tag}dead00.part"), format!(".skelmap-{other}-dead00.part"));
    folder.put(&own, b"half");
    folder.put(&foreign, b"half");
    folder.remove("rows.csv");
    catalog(&all, &folder.at("rows.csv"));
    assert_eq!(parts(&folder), [foreign], "that of another file stays");
}

#[test]
fn a_repeated_conversion_keeps_what_is_done_and_replaces_the_rest() {
    let folder = Folder::new();
    for name in ["fox.psk", "fox.psa", "fox.config", "fox.pmd", "fox_walk.psa"] {
        folder.put(format!("in/{name}"), corpus(&format!("../../corpus/{name}")));
    }
    let all = work(vec![folder.at("in")]);
    let convert = |work: &Work, out: &str| {
        let done =
            work.convert_to(&folder.at(out), &[], &ConvertOptions::default(), &Watch::default()).expect("converted");
        assert_eq!(done.failures, Vec::<String>::new());
        (done.written, done.kept)
    };
    assert_eq!(convert(&all, "out"), (2, 0));
    let whole = ["fox.glb", "fox-2.glb"].map(|name| folder.read(format!("out/{name}")));
    assert_eq!(convert(&all, "out"), (0, 2));
    // A run that was killed: half a line in the record, and a file that is not in it.
    let record = folder.text("out/.skelmap-convert.jsonl");
    folder.put("out/.skelmap-convert.jsonl", &record[..record.len() - 9]);
    assert_eq!(convert(&all, "out"), (1, 1));
    assert_eq!(convert(&all, "out"), (0, 2), "the half line does no harm to the next");
    assert_eq!(["fox.glb", "fox-2.glb"].map(|name| folder.read(format!("out/{name}"))), whole);
    // Parts of the work in one folder, with a record each, which all runs read.
    for index in [1, 2, 2] {
        convert(&Work { shard: Some((index, 2)), ..all.clone() }, "parts");
    }
    assert_eq!(["fox.glb", "fox-2.glb"].map(|name| folder.read(format!("parts/{name}"))), whole);
    assert_eq!(convert(&all, "parts"), (0, 2));
}
