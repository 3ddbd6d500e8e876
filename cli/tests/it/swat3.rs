//! The command over the third family: the common commands, and `gsa`.

use std::fs;

use serde_json::Value;

use crate::command::skelmap;
use test_support::corpus::file;

const PLAIN: &str = "corpus/swat3/gsa/plain.gsa";
const RELOAD: &str = "corpus/swat3/gsa/reload.gsa";

fn status(arguments: &[&str]) -> Option<i32> {
    skelmap(arguments).status.code()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("UTF-8")
}

fn json(arguments: &[&str]) -> Value {
    serde_json::from_slice(&skelmap(arguments).stdout).expect("JSON")
}

#[test]
fn ls_and_info_know_the_format() {
    let rows = json(&["ls", "--format", "json", PLAIN]);
    assert_eq!((&rows[0]["format"], &rows[0]["sequences"]), (&"swat3.gsa".into(), &1.into()));
    let info = json(&["info", "--format", "json", RELOAD]);
    let gsa = &info["details"]["gsa"];
    assert_eq!((&gsa["version"], &gsa["playback_fps"]), (&"4.2".into(), &10.0.into()));
    assert_eq!(gsa["layout"]["source"], "inferred");
    assert!(!gsa["events"].as_array().expect("events").is_empty());
    let shown = text(&skelmap(&["info", RELOAD]).stdout);
    assert!(shown.contains("the game plays 10") && shown.contains("Events"), "{shown}");
    let opaque = text(&skelmap(&["info", "corpus/swat3/gsa/nested.gsa"]).stdout);
    assert!(opaque.contains("layout of the bones: not inferred, "), "{opaque}");
}

#[test]
fn a_layout_is_printed_edited_and_given_back() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("bones.layout");
    let printed = skelmap(&["info", "--layout", PLAIN]);
    assert_eq!(printed.status.code(), Some(0));
    let mut layout = text(&printed.stdout);
    assert!(layout.contains("# id: in one place") && layout.contains("rotation = post 12"), "{layout}");
    layout.push_str("position = post 0\n");
    fs::write(&file, &layout).expect("written");
    let file = file.to_str().expect("a path");
    let bones = skelmap(&["dump", "--gsa-layout", file, "--what", "bones", PLAIN]);
    assert_eq!(text(&bones.stdout).lines().nth(2), Some("1,Bip01 Pelvis,1,0,2.5,0,-0.75,0.5,-0.5,0.5,0.5"));
    assert_eq!(status(&["ls", "--gsa-layout", file, "corpus/swat3/gsa/byte_lengths.gsa"]), Some(1));
    fs::write(file, "pre = many").expect("written");
    let refused = skelmap(&["ls", "--gsa-layout", file, PLAIN]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(text(&refused.stderr).ends_with("line 1: expected a number from 0 to 65535\n"));
    assert_eq!(status(&["info", "--layout", "corpus/swat3/gsa/nested.gsa"]), Some(1));
    assert_eq!(status(&["info", "--layout", "corpus/actorx/anim/classic.psa"]), Some(2));
}

#[test]
fn dump_prints_rotations_frames_and_events() {
    let rotations = text(
        &skelmap(&["dump", "--what", "rotations", "--bone", "Bip01 pelvis", "corpus/swat3/gsa/plain_all.gsa"]).stdout,
    );
    let by_id =
        text(&skelmap(&["dump", "--what", "rotations", "--bone", "1", "corpus/swat3/gsa/plain_all.gsa"]).stdout);
    assert_eq!(rotations, by_id);
    assert!(rotations.lines().skip(1).all(|line| line.split(',').nth(1) == Some("1")) && rotations.lines().count() > 1);
    assert_eq!(status(&["dump", "--what", "rotations", "--bone", "nobody", PLAIN]), Some(2));
    assert_eq!(status(&["dump", "--what", "frames", PLAIN]), Some(0));
    assert_eq!(status(&["dump", "--what", "points", PLAIN]), Some(2));
    let bytes = file("swat3/gsa/reload.gsa");
    let expected = skelmap::swat3::Gsa::parse(&bytes).expect("sound").events().count();
    assert_eq!(text(&skelmap(&["dump", "--what", "events", RELOAD]).stdout).lines().count(), expected + 1);
}

#[test]
fn events_of_many_files_are_listed() {
    let rows = json(&["gsa", "events", "--format", "json", RELOAD, PLAIN]);
    let rows = rows.as_array().expect("rows");
    assert!(rows.iter().all(|row| row["path"] == RELOAD && row["error"].is_null()));
    // As the builder wrote them and the reference has them from the game's own reload.
    let told: Vec<_> = rows.iter().map(|row| (row["kind"].as_str().unwrap(), row["name"].as_str().unwrap())).collect();
    assert!(told.contains(&("itemsound", "magout")) && told.contains(&("itemsound", "magin")), "{told:?}");
    for row in rows {
        let seconds = row["frame"].as_f64().expect("frame") / 10.0;
        assert!((row["time_s"].as_f64().expect("seconds") - seconds).abs() < 1e-9);
    }
    assert_eq!(status(&["gsa", "events", RELOAD]), Some(0));
    // Other formats in a folder are passed over; a damaged animation is named and changes the status.
    let all = skelmap(&["gsa", "events", "--format", "jsonl", "corpus"]);
    assert_eq!(all.status.code(), Some(1));
    assert!(text(&all.stdout).contains("\"kind\":\"marker-not-found\""));
    assert!(!text(&all.stdout).contains("actorx/"));
    assert_eq!(status(&["gsa", "events", "corpus/actorx/anim"]), Some(3));
    // One that is named is owed an answer.
    let named = skelmap(&["gsa", "events", "corpus/actorx/anim/classic.psa", RELOAD]);
    assert_eq!(named.status.code(), Some(1));
    assert!(text(&named.stderr).contains("this is actorx.psa, expected a SWAT 3 animation"));
    let csv = text(&skelmap(&["gsa", "events", "--format", "csv", "corpus/swat3/damaged/marker_none.gsa"]).stdout);
    assert!(csv.contains(",marker-not-found,"), "{csv}");
}

#[test]
fn an_edit_is_written_to_another_file_and_reads_back() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_str().expect("a path").to_owned();
    let (new, back, twice) = (path("new.gsa"), path("back.gsa"), path("twice.gsa"));
    let add =
        ["gsa", "edit", PLAIN, "-o", &new, "--to-version", "4.2", "--add", "1:sound=cuff", "--add", "0:itemsound=x"];
    assert_eq!(status(&add), Some(0), "{}", text(&skelmap(&add).stderr));
    let listed = json(&["gsa", "events", "--format", "json", &new]);
    let told: Vec<_> =
        listed.as_array().unwrap().iter().map(|row| (row["frame"].clone(), row["name"].clone())).collect();
    assert_eq!(told, [(0.into(), "x".into()), (1.into(), "cuff".into())]);
    assert_eq!(status(&add), Some(5), "the file is there");
    assert_eq!(status(&["gsa", "edit", &new, "-o", &new, "--force", "--rename", "sound=cuff", "sound=cuffs"]), Some(0));
    assert!(text(&skelmap(&["gsa", "events", &new]).stdout).contains("cuffs"));
    let undo = [
        "gsa",
        "edit",
        &new,
        "-o",
        &back,
        "--remove",
        "sound=cuffs",
        "--remove",
        "0:itemsound=x",
        "--to-version",
        "4.1",
    ];
    assert_eq!(status(&undo), Some(0));
    assert_eq!(fs::read(&back).expect("there"), file("swat3/gsa/plain.gsa"), "every other byte is as it was");
    assert_eq!(status(&["gsa", "edit", PLAIN, "-o", &twice, "--from", "1", "--to", "1"]), Some(0));
    assert_eq!(json(&["ls", "--format", "json", &twice])[0]["frames"], 1);
    let left: Vec<_> = fs::read_dir(folder.path()).expect("a folder").map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left.len(), 3, "no temporary file is left: {left:?}");
}

#[test]
fn edits_with_wrong_arguments_write_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("out.gsa").to_str().expect("a path").to_owned();
    let refused = |arguments: &[&str]| {
        let all: Vec<&str> = ["gsa", "edit", PLAIN, "-o", &out].into_iter().chain(arguments.iter().copied()).collect();
        let output = skelmap(&all);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(!std::path::Path::new(&out).exists());
        text(&output.stderr)
    };
    assert!(refused(&[]).contains("nothing to do"));
    assert!(refused(&["--add", "0:sound=x"]).contains("convert it to version 4.2 first"));
    assert!(refused(&["--add", "sound=x"]).contains("expected FRAME:EVENT"));
    assert!(refused(&["--to-version", "4.2", "--add", "999:sound=x"]).contains("there is no frame 999"));
    assert!(refused(&["--from", "2", "--to", "1"]).contains("--from 2 is after --to 1"));
    assert!(refused(&["--to-version", "4.2", "--from", "1", "--add", "0:x"]).contains("do not keep"));
    assert!(refused(&["--rename", "a", "b", "--rename", "a", "c"]).contains("given twice"));
    assert!(refused(&["--to-version", "4.2", "--add", "0:a\tb"]).contains("cannot be stored"));
}

#[cfg(unix)]
#[test]
fn a_replaced_file_keeps_its_permissions_and_a_new_file_has_the_default_permissions() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir().expect("a folder");
    let (new, usual) = (folder.path().join("new.gsa"), folder.path().join("usual"));
    fs::write(&usual, "").expect("written");
    let mode = |path: &std::path::Path| fs::metadata(path).expect("there").permissions().mode() & 0o777;
    let edit =
        || status(&["gsa", "edit", PLAIN, "-o", new.to_str().expect("a path"), "--force", "--to-version", "4.2"]);
    assert_eq!(edit(), Some(0));
    assert_eq!(mode(&new), mode(&usual));
    fs::set_permissions(&new, fs::Permissions::from_mode(0o640)).expect("set");
    assert_eq!(edit(), Some(0));
    assert_eq!(mode(&new), 0o640);
}

#[test]
fn an_edit_of_an_event_that_does_not_exist_is_an_error() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("out.gsa").to_str().expect("a path").to_owned();
    for edit in [["--remove", "magout"], ["--remove", "0:itemsound=magout"]] {
        let output = skelmap(&["gsa", "edit", RELOAD, "-o", &out, edit[0], edit[1]]);
        assert_eq!(output.status.code(), Some(1));
        assert!(text(&output.stderr).contains("there is no such event; nothing is written"));
        assert!(!std::path::Path::new(&out).exists());
    }
    assert_eq!(status(&["gsa", "edit", RELOAD, "-o", &out, "--rename", "sound=nobody", "sound=x"]), Some(1));
}

/// A name that is not UTF-8 can be given as it is shown.
#[test]
fn events_that_are_not_utf_8_are_edited_by_their_shown_text() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("out.gsa").to_str().expect("a path").to_owned();
    let file = "corpus/swat3/gsa/event_cp1252.gsa";
    let listed = json(&["gsa", "events", "--format", "json", file]);
    let shown =
        listed.as_array().unwrap().iter().find(|row| !row["name"].as_str().unwrap().is_ascii()).expect("a name");
    let event = format!("{}={}", shown["kind"].as_str().unwrap(), shown["name"].as_str().unwrap());
    assert_eq!(status(&["gsa", "edit", file, "-o", &out, "--rename", &event, "sound=plain"]), Some(0));
    assert!(text(&skelmap(&["gsa", "events", &out]).stdout).contains("plain"));
}

/// Two zeros after a single frame read as its number of events: an edit that would lose them is refused.
#[test]
fn an_edit_is_refused_if_its_result_reads_differently() {
    use test_support::swat3::build::{Frame, Gsa as Built, Layout, biped, random::Rng};
    let folder = tempfile::tempdir().expect("a folder");
    let [file, out] =
        ["zeros.gsa", "out.gsa"].map(|name| folder.path().join(name).to_str().expect("a path").to_owned());
    let frames = vec![Frame::new(Rng::new(5).rotations(1)), Frame::new(Rng::new(6).rotations(1))];
    let mut bytes = Built::new(1, Layout::Plain.skeleton(&biped(5)), &[2], frames).build().bytes;
    bytes.extend([0, 0]);
    fs::write(&file, bytes).expect("written");
    let output = skelmap(&["gsa", "edit", "--trailing-zeros", &file, "-o", &out, "--to", "0", "--to-version", "4.1"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("would be read otherwise"), "{}", text(&output.stderr));
    assert!(!std::path::Path::new(&out).exists());
}

#[test]
fn a_long_event_does_not_widen_the_table() {
    let shown = text(&skelmap(&["gsa", "events", "corpus/swat3/gsa"]).stdout);
    assert!(shown.lines().all(|line| line.chars().count() < 160), "{shown}");
    assert!(shown.contains('…'));
}

/// Where all bones are animated their rotations are in the order of the skeleton, whatever their ids.
#[test]
fn a_name_selects_the_index_of_the_bone_if_all_bones_are_animated() {
    use test_support::swat3::build::{Frame, Gsa as Built, Layout, biped, random::Rng};
    let folder = tempfile::tempdir().expect("a folder");
    let [file, layout] =
        ["ids.gsa", "layout"].map(|name| folder.path().join(name).to_str().expect("a path").to_owned());
    let mut bones = biped(7);
    (bones[0].id, bones[6].id) = (6, 0);
    let rotations = Rng::new(8).rotations(7);
    let bytes = Built::new(1, Layout::Plain.skeleton(&bones), &[], vec![Frame::new(rotations.clone())]).build().bytes;
    fs::write(&file, bytes).expect("written");
    fs::write(&layout, "pre = 4\nname = u16\npost = 28\nid = pre 0\n").expect("written");
    let name = String::from_utf8(bones[6].name.clone()).expect("UTF-8");
    let dumped =
        text(&skelmap(&["dump", "--gsa-layout", &layout, "--what", "rotations", "--bone", &name, &file]).stdout);
    let [x, y, z, w] = rotations[6];
    assert_eq!(dumped.lines().nth(1), Some(format!("0,6,{x},{y},{z},{w}").as_str()));
}
