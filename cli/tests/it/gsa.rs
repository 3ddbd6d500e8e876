//! `gsa`: events of animations, and edits, also by the name `edit`.

use std::fs;

use crate::run::{Folder, GSA, RELOAD, ended, json, skelmap, stderr, stdout};
use test_support::corpus::file;

#[test]
fn events_of_many_files_are_listed() {
    let rows = json(&["gsa", "events", "--format", "json", RELOAD, GSA]);
    let rows = rows.as_array().expect("rows");
    assert!(rows.iter().all(|row| row["path"] == RELOAD && row["error"].is_null()));
    // As the builder wrote them and the reference has them from the game's own reload.
    let told: Vec<_> = rows.iter().map(|row| (row["kind"].as_str().unwrap(), row["name"].as_str().unwrap())).collect();
    assert!(told.contains(&("itemsound", "magout")) && told.contains(&("itemsound", "magin")), "{told:?}");
    for row in rows {
        let seconds = row["frame"].as_f64().expect("frame") / 10.0;
        assert!((row["time_s"].as_f64().expect("seconds") - seconds).abs() < 1e-9);
    }
    assert_eq!(ended(&["gsa", "events", RELOAD]), 0);
    // Other formats in a folder are passed over; a damaged animation is named and changes the status.
    let all = skelmap(&["gsa", "events", "--format", "jsonl", "corpus"]);
    assert_eq!(all.status.code(), Some(1));
    assert!(stdout(&all).contains("\"kind\":\"marker-not-found\""));
    assert!(!stdout(&all).contains("actorx/"));
    assert_eq!(ended(&["gsa", "events", "corpus/actorx/anim"]), 3);
    // One that is named is owed an answer.
    let named = skelmap(&["gsa", "events", "corpus/actorx/anim/classic.psa", RELOAD]);
    assert_eq!(named.status.code(), Some(1));
    assert!(stderr(&named).contains("this is actorx.psa, expected a SWAT 3 animation"));
    let csv = stdout(&skelmap(&["gsa", "events", "--format", "csv", "corpus/swat3/damaged/marker_none.gsa"]));
    assert!(csv.contains(",marker-not-found,"), "{csv}");
}

#[test]
fn an_edit_is_written_to_another_file_and_reads_back() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_str().expect("a path").to_owned();
    let (new, back, twice) = (path("new.gsa"), path("back.gsa"), path("twice.gsa"));
    let add =
        ["gsa", "edit", GSA, "-o", &new, "--to-version", "4.2", "--add", "1:sound=cuff", "--add", "0:itemsound=x"];
    assert_eq!(ended(&add), 0, "{}", stderr(&skelmap(&add)));
    let listed = json(&["gsa", "events", "--format", "json", &new]);
    let told: Vec<_> =
        listed.as_array().unwrap().iter().map(|row| (row["frame"].clone(), row["name"].clone())).collect();
    assert_eq!(told, [(0.into(), "x".into()), (1.into(), "cuff".into())]);
    assert_eq!(ended(&add), 5, "the file is there");
    assert_eq!(ended(&["gsa", "edit", &new, "-o", &new, "--force", "--rename", "sound=cuff", "sound=cuffs"]), 0);
    assert!(stdout(&skelmap(&["gsa", "events", &new])).contains("cuffs"));
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
    assert_eq!(ended(&undo), 0);
    assert_eq!(fs::read(&back).expect("there"), file("swat3/gsa/plain.gsa"), "every other byte is as it was");
    assert_eq!(ended(&["gsa", "edit", GSA, "-o", &twice, "--from", "1", "--to", "1"]), 0);
    assert_eq!(json(&["ls", "--format", "json", &twice])[0]["frames"], 1);
    let left: Vec<_> = fs::read_dir(folder.path()).expect("a folder").map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left.len(), 3, "no temporary file is left: {left:?}");
}

#[test]
fn edit_does_what_gsa_edit_does() {
    let folder = Folder::new();
    folder.put("a.gsa", file("swat3/gsa/reload.gsa"));
    let said = folder.says(
        0,
        "edit a.gsa -o new.gsa --add-event 1:sound=cuff --rename-event itemsound=magout sound=x --remove-event itemsound=magin",
    );
    assert!(
        said.complaints.contains("; 1 event added; ") && said.complaints.contains(" renamed; "),
        "{}",
        said.complaints
    );
    folder.says(
        0,
        "gsa edit a.gsa -o old.gsa --add 1:sound=cuff --rename itemsound=magout sound=x --remove itemsound=magin",
    );
    assert_eq!(folder.read("new.gsa"), folder.read("old.gsa"));
    assert_ne!(folder.read("new.gsa"), folder.read("a.gsa"));
    folder.says(0, "edit a.gsa -o same.gsa");
    assert_eq!(folder.read("same.gsa"), folder.read("a.gsa"), "what is not asked about stays");
    folder.says(5, "edit a.gsa -o same.gsa --clear-events");
    folder.says(0, "edit a.gsa -o a.gsa --force --clear-events");
    assert_eq!(folder.says(0, "gsa events a.gsa --format jsonl").lines().len(), 0);
}

#[test]
fn an_option_of_another_kind_of_file_is_refused() {
    let folder = Folder::new();
    folder.put("a.gsa", file("swat3/gsa/reload.gsa"));
    folder.put("a.psa", file("actorx/anim/sequences.psa"));
    folder.put("a.psk", file("actorx/mesh/classic.psk"));
    for (line, words) in [
        ("a.gsa --keep walk", "--keep: this is a SWAT 3 animation, and it is about ActorX files"),
        ("a.gsa --scale 2", "--scale: this is a SWAT 3 animation, and it is about ActorX files"),
        ("a.gsa --exec a.uc", "--exec: this is a SWAT 3 animation, and it is about ActorX files"),
        ("a.gsa --rename a=b", "--rename: this is a SWAT 3 animation: --rename-event renames events"),
        ("a.gsa --trim a=0..1", "--trim: this is a SWAT 3 animation: --from and --to keep frames"),
        ("a.psa --clear-events", "--clear-events: this is an ActorX animation, and it is about SWAT 3 animations"),
        ("a.psk --from 0", "--from: this is a mesh, and it is about SWAT 3 animations"),
    ] {
        let said = folder.says(2, &format!("edit {line} -o out.gsa"));
        assert!(said.complaints.contains(words), "{line}: {}", said.complaints);
        assert!(!folder.at("out.gsa").exists());
    }
    let said = folder.says(2, "gsa edit a.psa -o out.gsa");
    assert!(said.complaints.contains("this is actorx.psa, expected a SWAT 3 animation"), "{}", said.complaints);
}

#[test]
fn edits_with_wrong_arguments_write_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("out.gsa").to_str().expect("a path").to_owned();
    let refused_of = |file: &str, arguments: &[&str]| {
        let all: Vec<&str> = ["gsa", "edit", file, "-o", &out].into_iter().chain(arguments.iter().copied()).collect();
        let output = skelmap(&all);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(!std::path::Path::new(&out).exists());
        stderr(&output)
    };
    let refused = |arguments: &[&str]| refused_of(GSA, arguments);
    assert!(refused(&["--add", "0:sound=x"]).contains("convert it to version 4.2 first"));
    assert!(refused(&["--add", "sound=x"]).contains("expected FRAME:EVENT"));
    assert!(
        refused(&["--to-version", "4.2", "--add", "999:sound=x"]).contains("frame 999 does not exist, the last one is")
    );
    assert!(refused(&["--from", "2", "--to", "1"]).contains("--from 2 is after --to 1"));
    assert!(refused(&["--to-version", "4.2", "--from", "1", "--add", "0:x"]).contains("frame 0, which is not kept"));
    let (old, twice) = ("itemsound=magout", ["--rename", "itemsound=magout", "a", "--rename", "itemsound=magout", "b"]);
    assert!(refused_of(RELOAD, &twice).contains(&format!("--rename-event {old}: given twice")));
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
    let edit = || ended(&["gsa", "edit", GSA, "-o", new.to_str().expect("a path"), "--force", "--to-version", "4.2"]);
    assert_eq!(edit(), 0);
    assert_eq!(mode(&new), mode(&usual));
    fs::set_permissions(&new, fs::Permissions::from_mode(0o640)).expect("set");
    assert_eq!(edit(), 0);
    assert_eq!(mode(&new), 0o640);
}

#[test]
fn an_edit_of_an_event_that_does_not_exist_is_an_error() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("out.gsa").to_str().expect("a path").to_owned();
    for (event, words) in [
        ("magout", "the file has no event \"magout\"; it has \"itemsound="),
        ("0:itemsound=magout", "frame 0 has no event \"itemsound=magout\"; it has none"),
    ] {
        let output = skelmap(&["gsa", "edit", RELOAD, "-o", &out, "--remove", event]);
        assert_eq!(output.status.code(), Some(2));
        assert!(stderr(&output).contains(words), "{}", stderr(&output));
        assert!(!std::path::Path::new(&out).exists());
    }
    assert_eq!(ended(&["gsa", "edit", RELOAD, "-o", &out, "--rename", "sound=nobody", "sound=x"]), 2);
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
    assert_eq!(ended(&["gsa", "edit", file, "-o", &out, "--rename", &event, "sound=plain"]), 0);
    assert!(stdout(&skelmap(&["gsa", "events", &out])).contains("plain"));
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
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("would be read otherwise"), "{}", stderr(&output));
    assert!(!std::path::Path::new(&out).exists());
}

#[test]
fn a_long_event_does_not_widen_the_table() {
    let shown = stdout(&skelmap(&["gsa", "events", "corpus/swat3/gsa"]));
    assert!(shown.lines().all(|line| line.chars().count() < 160), "{shown}");
    assert!(shown.contains('…'));
}
