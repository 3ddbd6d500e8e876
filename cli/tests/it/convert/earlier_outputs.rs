//! `convert` over earlier outputs: what is replaced, and what stays.

use std::fs;
use std::path::{Path, PathBuf};
#[cfg(unix)]
use std::process::Command;
use std::process::Output;

use crate::convert::{RECORD, complaint, convert, files, good, rows, set};
use test_support::build_zip::{Entry, Zip};

/// An image of one row of pixels.
pub(super) fn png(width: u8) -> Vec<u8> {
    let size = [0, 0, 0, width, 0, 0, 0, 1];
    [b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR", &size[..], b"\x08\0\0\0\0....\0\0\0\x01IDATx....\0\0\0\0IEND...."].concat()
}

/// A folder below a folder of its own: textures are looked for in the folders beside that of the mesh, where other tests are at work.
struct Place(tempfile::TempDir);

impl Place {
    /// With some of the good files.
    fn with(names: &[&str]) -> Self {
        let place = Self(tempfile::tempdir().expect("a folder"));
        fs::create_dir(place.path()).expect("made");
        for name in names {
            fs::copy(good(name), place.path().join(name)).expect("copied");
        }
        place
    }

    fn path(&self) -> PathBuf {
        self.0.path().join("in")
    }
}

/// The fox with two textures, whose files are named in this way.
fn textured(names: [&str; 2]) -> Place {
    let place = Place::with(&["fox.psk"]);
    for ((material, name), width) in ["fox_coat", "fox_socks"].into_iter().zip(names).zip(1..) {
        fs::write(place.path().join(format!("{name}.png")), png(width)).expect("written");
        fs::write(place.path().join(format!("{material}.mat")), format!("Diffuse={name}\n")).expect("written");
    }
    place
}

fn status(output: &Output) -> Vec<String> {
    rows(output).iter().map(|row| row["status"].as_str().unwrap_or_default().to_owned()).collect()
}

fn contents(place: &Path) -> Vec<(String, Vec<u8>)> {
    files(place).into_iter().map(|name| (name.clone(), fs::read(place.join(name)).expect("a file"))).collect()
}

#[test]
fn no_output_replaces_an_input_even_by_force() {
    // The names that an OBJ gives to its images, and in the other order.
    let place = textured(["fox-1", "fox-0"]);
    let before = contents(&place.path());
    let output = convert(&place.path(), &["fox.psk", "-o", "fox.obj", "--force"]);
    assert_eq!(output.status.code(), Some(5));
    assert!(complaint(&output).contains("fox-0.png: is one of the inputs"), "{}", complaint(&output));
    assert!(contents(&place.path()) == before);
}

/// The limit of the shell is that of a system where a disk is full.
#[cfg(unix)]
#[test]
fn outputs_that_cannot_be_replaced_stay_as_they_are() {
    for kind in ["obj", "gltf"] {
        let place = textured(["coat", "socks"]);
        let line = ["fox.psk", "-o", "out", "--to", kind];
        assert_eq!(convert(&place.path(), &line).status.code(), Some(0));
        let before = contents(&place.path().join("out"));
        // There is room for the smaller files and not for the largest.
        let largest = before.iter().map(|(_, bytes)| bytes.len()).max().expect("a file") / 512;
        let script = format!("trap '' XFSZ; ulimit -f {}; exec \"$0\" convert {} --force", largest - 2, line.join(" "));
        let mut shell = Command::new("sh");
        let output = shell
            .args(["-c", &script])
            .arg(env!("CARGO_BIN_EXE_skelmap"))
            .current_dir(place.path())
            .output()
            .expect("started");
        assert_eq!(output.status.code(), Some(5), "{}", complaint(&output));
        assert!(complaint(&output).contains("File too large"), "{}", complaint(&output));
        let after = contents(&place.path().join("out"));
        assert!(before == after, "{kind}: {:?}", files(&place.path().join("out")));
    }
}

/// A run that was killed may have left some of the files, and has said which.
#[test]
fn a_run_that_was_killed_between_two_names_is_continued() {
    for (kind, kept) in [("gltf", "fox.bin"), ("obj", "fox-0.png"), ("glb", "fox.glb")] {
        let place = textured(["coat", "socks"]);
        let line = ["fox.psk", "-o", "out", "--to", kind, "--resume", "--format", "jsonl"];
        assert_eq!(status(&convert(&place.path(), &line)), ["written"]);
        let out = place.path().join("out");
        let whole = files(&out);
        let record = fs::read_to_string(out.join(RECORD)).expect("a record");
        let first = record.lines().next().expect("a line");
        assert!(record.lines().count() == 2 && first.contains("\"stamp\":\"\""), "{record}");
        fs::write(out.join(RECORD), format!("{first}\n")).expect("written");
        for name in whole.iter().filter(|name| *name != kept && *name != RECORD) {
            fs::remove_file(out.join(name)).expect("removed");
        }
        let again = convert(&place.path(), &line);
        assert_eq!(status(&again), ["written"], "{kind}: {}", complaint(&again));
        assert_eq!(files(&out), whole);
        assert_eq!(status(&convert(&place.path(), &line)), ["kept"]);
    }
}

#[test]
fn resume_replaces_no_output_of_another_input() {
    let place = Place::with(&[]);
    for mod_name in ["a", "b"] {
        fs::create_dir(place.path().join(mod_name)).expect("made");
        fs::copy(good("fox.psk"), place.path().join(mod_name).join("fox.psk")).expect("copied");
    }
    let run = |input: &str| convert(&place.path(), &[input, "-o", "out", "--resume", "--format", "jsonl"]);
    assert_eq!(status(&run("a")), ["written"]);
    let other = run("b");
    assert_eq!((other.status.code(), status(&other)), (Some(5), vec!["failed".to_owned()]));
    assert!(complaint(&other).contains("exists already"), "{}", complaint(&other));
    assert_eq!(status(&run("a")), ["kept"]);
    assert_eq!(status(&run("./a/")), ["written"], "another way to name it, and the same input");
    assert_eq!(files(&place.path().join("out")), set(&[RECORD, "fox.glb"]));
}

#[test]
fn a_texture_that_is_named_and_not_in_its_archive_is_an_error() {
    let place = Place::with(&["fox.psk", "fox.pyromod"]);
    for texture in ["fox.pyromod!/none.png", "none.png", "none.zip!/coat.png"] {
        let output = convert(&place.path(), &["fox.psk", "-o", "out.glb", "--texture", texture]);
        assert_eq!(output.status.code(), Some(3), "{texture}: {}", complaint(&output));
        assert!(complaint(&output).contains("none"), "{}", complaint(&output));
        assert!(!place.path().join("out.glb").exists());
    }
}

/// Somebody who writes a record may know the folder and its inputs, and not what the user has written there since.
#[test]
fn a_record_gives_no_right_to_a_file_with_another_content() {
    let place = Place::with(&["fox.psk"]);
    let line = ["fox.psk", "-o", "out", "--resume", "--format", "jsonl"];
    assert_eq!(status(&convert(&place.path(), &line)), ["written"]);
    let output = place.path().join("out/fox.glb");
    fs::write(&output, "notes of the user").expect("written");
    let again = convert(&place.path(), &line);
    assert_eq!((again.status.code(), status(&again)), (Some(5), vec!["failed".to_owned()]));
    assert_eq!(fs::read(&output).expect("a file"), b"notes of the user");
    fs::write(&output, "").expect("written");
    assert_eq!(status(&convert(&place.path(), &line)), ["written"], "an empty file is nobody's");
}

#[test]
fn resume_sees_that_an_image_has_moved_to_another_material() {
    let place = Place::with(&["fox.psk"]);
    let path = |name: &str| place.path().join(name);
    fs::write(path("coat.png"), png(1)).expect("written");
    fs::write(path("fox_coat.mat"), "Diffuse=coat\n").expect("written");
    let line = ["fox.psk", "-o", "out", "--resume", "--format", "jsonl"];
    assert_eq!(status(&convert(&place.path(), &line)), ["written"]);
    assert_eq!(status(&convert(&place.path(), &line)), ["kept"]);
    fs::rename(path("fox_coat.mat"), path("fox_socks.mat")).expect("renamed");
    assert_eq!(status(&convert(&place.path(), &line)), ["written"]);
    // The options of the parsers count too.
    assert_eq!(status(&convert(&place.path(), &[&line[..], &["--trailing-zeros"]].concat())), ["written"]);
}

#[test]
fn of_entries_with_one_name_the_last_is_converted() {
    let place = Place::with(&[]);
    let mesh = fs::read(good("fox.psk")).expect("a file");
    let archive = Zip::of([Entry::stored("a.psk", b"junk"), Entry::stored("a.psk", &mesh)]).build().bytes;
    fs::write(place.path().join("two.zip"), archive).expect("written");
    let output = convert(&place.path(), &["two.zip", "-o", "out"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(complaint(&output).contains("a later entry has the same name"), "{}", complaint(&output));
    assert_eq!(files(&place.path().join("out")), set(&[RECORD, "a.glb"]));
}
