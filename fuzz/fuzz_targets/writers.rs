//! The whole command on one file: whatever the file holds, what it prints as JSON is JSON, and as CSV has as many cells in each line
//! as in the first. Run with `-close_fd_mask=2`, since what the command complains of is not looked at.

#![no_main]
use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom};
use std::path::PathBuf;

/// Where the input lies, and where the command's standard output goes.
struct Place {
    _folder: tempfile::TempDir,
    input: PathBuf,
    output: File,
}

impl Place {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("output");
        let output = File::options().create_new(true).read(true).append(true).open(path).expect("a file");
        rustix::stdio::dup2_stdout(&output).expect("standard output can be sent elsewhere");
        Self { input: folder.path().join("in"), output, _folder: folder }
    }

    /// What the command prints.
    fn printed(&mut self, arguments: &[&str]) -> Vec<u8> {
        self.output.set_len(0).expect("a file of ours");
        skelmap_cli::run(["skelmap"].iter().chain(arguments).map(Into::into));
        let mut printed = Vec::new();
        self.output.seek(SeekFrom::Start(0)).expect("a file of ours");
        self.output.read_to_end(&mut printed).expect("a file of ours");
        printed
    }
}

macro_rules! corpus {
    ($path:literal) => {
        concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/corpus/", $path)
    };
}

/// What skinned meshes move by.
const WALK: &str = corpus!("pyrogenesis/psa/walk.psa");

/// A mesh and an animation to compare with.
const MESH: &str = corpus!("actorx/mesh/classic.psk");
const ANIMATION: &str = corpus!("actorx/anim/classic.psa");

/// The input is the question.
const QUESTION: &[&str] = &["ls", MESH];

/// Ways to ask. The input's last two bytes choose one, and a format.
const ASKED: [&[&str]; 40] = [
    &["ls", "--jobs", "1"],
    &["check", "--jobs", "1", "--level", "note"],
    &["info"],
    &["gsa", "events", "--jobs", "1"],
    &["ls", "--jobs", "1", "--engine"],
    &["pose", "--at", "40ms"],
    &["skin", "--anim", WALK, "--at", "40ms"],
    &["dump", "--what", "chunks"],
    &["dump", "--what", "points"],
    &["dump", "--what", "vertices"],
    &["dump", "--what", "wedges"],
    &["dump", "--what", "faces"],
    &["dump", "--what", "materials"],
    &["dump", "--what", "bones"],
    &["dump", "--what", "influences"],
    &["dump", "--what", "colors"],
    &["dump", "--what", "uvs"],
    &["dump", "--what", "normals"],
    &["dump", "--what", "tangents"],
    &["dump", "--what", "morphs"],
    &["dump", "--what", "deltas"],
    &["dump", "--what", "sockets"],
    &["dump", "--what", "sequences"],
    &["dump", "--what", "keys"],
    &["dump", "--what", "scale-keys"],
    &["dump", "--what", "curves"],
    &["dump", "--what", "states"],
    &["dump", "--what", "props"],
    &["dump", "--what", "rotations"],
    &["dump", "--what", "frames"],
    &["dump", "--what", "events"],
    &["dump", "--what", "side-car"],
    &["check", "--every-record", "--jobs", "1", "--level", "note"],
    &["catalog", "--jobs", "1", "-o", "-"],
    &["stats", "--jobs", "1"],
    &["match", "--jobs", "1", MESH],
    &["match", "--jobs", "1", ANIMATION],
    &["diff", MESH],
    &["diff", ANIMATION],
    QUESTION,
];

/// The command's numbers have no table.
fn formats(asked: &[&str]) -> &'static [&'static str] {
    if matches!(asked, ["pose" | "skin", ..]) { &["json", "csv"] } else { &["json", "jsonl", "csv", "table"] }
}

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    thread_local!(static PLACE: std::cell::RefCell<Place> = std::cell::RefCell::new(Place::new()));
    let [file @ .., choice, format] = bytes else { return };
    let asked = ASKED[usize::from(*choice) % ASKED.len()];
    let formats = formats(asked);
    let format = formats[usize::from(*format) % formats.len()];
    PLACE.with_borrow_mut(|place| {
        fs::write(&place.input, file).expect("a file of ours");
        let last = match asked {
            QUESTION => format!("--where={}", String::from_utf8_lossy(file)),
            _ => place.input.to_str().expect("a path of ours").to_owned(),
        };
        let printed = place.printed(&[asked, &["--no-map", "--format", format, &last]].concat());
        check(format, &printed);
    });
});

fn check(format: &str, printed: &[u8]) {
    let is_json = |text: &[u8]| serde_json::from_slice::<serde::de::IgnoredAny>(text).is_ok();
    match format {
        "json" => assert!(printed.is_empty() || is_json(printed)),
        "jsonl" => assert!(printed.split(|byte| *byte == b'\n').all(|line| line.is_empty() || is_json(line))),
        // Refuses records of another length than the first.
        "csv" => assert!(csv::Reader::from_reader(printed).records().all(|record| record.is_ok())),
        _ => {
            let is_shown = |c: char| c == '\n' || !c.is_control();
            assert!(str::from_utf8(printed).expect("text").chars().all(is_shown), "what commands a terminal");
        }
    }
}
