//! The whole command on folders of its own, where every byte of the input is a step: outputs are written, kept and replaced,
//! while files, links and records come and go, and two runs are at work at once. Nothing changes outside of the folder of outputs, nothing of the user is replaced without `--force`, and no file is half-written.

#![no_main]
#![cfg(unix)]

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::thread;

/// A mesh of a triangle or two, and one that cannot be read.
const MESH: &[u8] = include_bytes!("../../tests/corpus/actorx/mesh/classic.psk");
const BROKEN: &[u8] = b"ACTRHEAD and nothing";

const OWN: &[u8] = b"notes of the user";
const RECORD: &str = ".skelmap-convert.jsonl";

/// Steps of one input: more say nothing new.
const MAX_STEPS: usize = 16;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| updates(bytes));

fn run(arguments: &[&OsStr]) -> u8 {
    skelmap_cli::run(std::iter::once(OsStr::new("skelmap")).chain(arguments.iter().copied()).map(Into::into))
}

/// Runs the command on `in`, with an output below `base`.
fn make(base: &Path, words: &[&str], output: &str) -> u8 {
    let (input, output) = (base.join("in"), base.join(output));
    let words = words.iter().map(OsStr::new);
    run(&words.chain([OsStr::new("-o"), output.as_os_str(), input.as_os_str()]).collect::<Vec<_>>())
}

/// Every regular file below a folder, with its content; links are named and not followed.
fn tree(folder: &Path) -> BTreeMap<PathBuf, Option<Vec<u8>>> {
    let (mut found, mut folders) = (BTreeMap::new(), vec![folder.to_owned()]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder of ours").flatten() {
            let kind = entry.file_type().expect("a kind");
            if kind.is_dir() {
                folders.push(entry.path());
            } else {
                found.insert(entry.path(), kind.is_file().then(|| fs::read(entry.path()).expect("a file")));
            }
        }
    }
    found
}

fn updates(bytes: &[u8]) {
    let place = tempfile::tempdir().expect("a folder");
    let base = place.path();
    for folder in ["in/sub", "out", "outside"] {
        fs::create_dir_all(base.join(folder)).expect("made");
    }
    fs::write(base.join("outside/file"), OWN).expect("written");
    for byte in bytes.iter().take(MAX_STEPS) {
        let (step, which) = (byte % 16, usize::from(byte / 16));
        let name = ["m0", "m1", "sub/m0", "sub/m1"][which % 4];
        let kind = ["glb", "html"][which / 4 % 2];
        let (input, output) = (base.join(format!("in/{name}.psk")), base.join(format!("out/{name}.{kind}")));
        let before = tree(base);
        let mut is_forced = false;
        match step {
            0 | 1 => fs::write(&input, if which < 12 { MESH } else { BROKEN }).expect("written"),
            2 => drop(fs::remove_file(&input)),
            3 => {
                let _ = fs::create_dir(output.parent().expect("a folder"));
                // A link may be in its place, or in that of its folder.
                let _ = fs::remove_file(&output);
                if !output.parent().is_some_and(Path::is_symlink) {
                    let _ = fs::write(&output, OWN);
                }
            }
            4 => drop(fs::remove_file(&output)),
            5 => drop(symlink(base.join("outside/file"), &output)),
            6 => drop(symlink(base.join("outside"), base.join("out/sub"))),
            7 => drop(symlink(base.join("outside/file"), base.join("out").join(RECORD))),
            8 => {
                let _ = fs::hard_link(base.join("outside/file"), base.join("out").join(RECORD));
            }
            9 => {
                let record = base.join("out").join(RECORD);
                let is_own = record.symlink_metadata().is_ok_and(|metadata| metadata.is_file());
                if is_own && !is_same(&record, &base.join("outside/file")) {
                    let mut text = fs::read(&record).expect("a record");
                    text.truncate(text.len() * which / 16);
                    fs::write(&record, text).expect("written");
                }
            }
            10 => drop(make(base, &["convert", "--to", kind], "out")),
            11 => drop(make(base, &["convert", "--to", kind, "--resume"], "out")),
            12 => {
                is_forced = true;
                make(base, &["convert", "--to", kind, "--force"], "out");
            }
            13 => drop(make(base, &["view", "--each"], "out")),
            14 => thread::scope(|scope| {
                for _ in 0..2 {
                    scope.spawn(|| make(base, &["convert", "--to", kind, "--resume"], "out"));
                }
            }),
            _ => drop(make(base, &["convert", "--to", kind, "--each-clip", "--resume"], "out")),
        }
        if step >= 10 {
            check_outputs(base, &before, is_forced);
        }
    }
}

fn is_same(one: &Path, other: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let inode = |path: &Path| path.metadata().map(|metadata| metadata.ino()).ok();
    inode(one) == inode(other)
}

fn check_outputs(base: &Path, before: &BTreeMap<PathBuf, Option<Vec<u8>>>, is_forced: bool) {
    let (after, out) = (tree(base), base.join("out"));
    for (path, content) in before {
        if !path.starts_with(&out) {
            assert_eq!(after.get(path), Some(content), "{} has changed", path.display());
        } else if content.as_deref() == Some(OWN) && !is_forced {
            assert_eq!(after.get(path), Some(content), "{} was the user's", path.display());
        }
    }
    for (path, content) in &after {
        assert!(before.contains_key(path) || path.starts_with(&out), "{} is new", path.display());
        let (Some(content), Some(kind)) = (content, path.extension().and_then(OsStr::to_str)) else { continue };
        assert_ne!(kind, "part", "{} is unfinished", path.display());
        let is_whole = match kind {
            "glb" => content.starts_with(b"glTF") && content[8..12] == (content.len() as u32).to_le_bytes(),
            "html" => content.trim_ascii_end().ends_with(b"</html>"),
            "png" => content.ends_with(b"IEND\xAEB`\x82"),
            _ => true,
        };
        assert!(is_whole || content == OWN, "{} is not whole", path.display());
    }
}
