//! `edit`, `merge` and `split`: what is asked for changes, all else stays, and a failed edit leaves what was there.

use skelmap::actorx::{Psa, Psk};

use crate::run::{Folder, corpus};

/// A folder with an animation of several sequences and its side-car.
fn place() -> Folder {
    let folder = Folder::new();
    folder.put("Anims.psa", corpus("actorx/anim/config_remove_tracks.psa"));
    folder.put("Anims.config", corpus("actorx/anim/config_remove_tracks.config"));
    folder
}

fn names(bytes: &[u8]) -> Vec<String> {
    Psa::parse(bytes).unwrap().sequences().map(|sequence| sequence.name().to_string()).collect()
}

#[test]
fn an_edit_that_asks_for_nothing_gives_the_bytes_with_their_side_car() {
    let folder = place();
    folder.says(0, "edit Anims.psa -o Same.psa");
    assert_eq!(folder.read("Same.psa"), folder.read("Anims.psa"));
    assert_eq!(folder.read("Same.config"), folder.read("Anims.config"));
    // In place of the file itself.
    let before = folder.read("Anims.psa");
    folder.says(5, "edit Anims.psa -o Anims.psa");
    folder.says(0, "edit Anims.psa -o Anims.psa --force");
    assert_eq!(folder.read("Anims.psa"), before);
}

#[test]
fn sequences_are_kept_renamed_rated_and_trimmed() {
    let folder = Folder::new();
    folder.put("a.psa", corpus("actorx/anim/sequences.psa"));
    let before = folder.read("a.psa");
    let before = Psa::parse(&before).unwrap();
    let first = before.sequence_at(0).unwrap();
    let name = first.name().to_string();
    folder.ends(
        0,
        &[
            "edit",
            "a.psa",
            "-o",
            "b.psa",
            "--keep",
            &name,
            "--rename",
            &format!("{name}=New"),
            "--rate",
            &format!("{name}=24"),
            "--trim",
            &format!("{name}=1..2"),
            "--exec",
            "b.uc",
        ],
    );
    let after = folder.read("b.psa");
    let after = Psa::parse(&after).unwrap();
    assert_eq!(names(after.bytes()), ["New"]);
    let edited = after.sequence_at(0).unwrap();
    assert_eq!((edited.frame_count(), edited.info().rate()), (1, 24.0));
    for bone in 0..after.bone_count() {
        assert_eq!(edited.key(0, bone).unwrap().as_bytes(), first.key(1, bone).unwrap().as_bytes());
    }
    assert!(folder.text("b.uc").contains("#exec ANIM IMPORT ANIM=b ANIMFILE=b.psa"), "{}", folder.text("b.uc"));
}

#[test]
fn a_split_and_a_merge_give_the_bytes_back() {
    let folder = place();
    let said = folder.says(0, "split Anims.psa -o one");
    let sequences = names(&folder.read("Anims.psa"));
    assert!(said.complaints.contains(&format!("{} file", sequences.len())), "{}", said.complaints);
    let files: Vec<String> = sequences.iter().map(|name| format!("one/{name}.psa")).collect();
    let mut line = vec!["merge"];
    line.extend(files.iter().map(String::as_str));
    line.extend(["-o", "All.psa"]);
    folder.ends(0, &line);
    assert_eq!(folder.read("All.psa"), folder.read("Anims.psa"));
    folder.says(5, "split Anims.psa -o one");
    folder.says(0, "split Anims.psa -o one --force");
}

#[test]
fn a_failed_edit_leaves_the_old_file() {
    let folder = place();
    folder.put("Out.psa", b"old");
    for (options, complaint) in [
        ("--keep Nothing", "Nothing"),
        ("--rate x", "--rate: expected NAME=FPS"),
        ("--trim x=0..1", "x"),
        ("--scale 2", "--scale: this is an animation"),
    ] {
        let said = folder.says(2, &format!("edit Anims.psa -o Out.psa --force {options}"));
        assert!(said.complaints.contains(complaint), "{options}: {}", said.complaints);
        assert_eq!(folder.read("Out.psa"), b"old");
    }
    let said = folder.says(2, "merge Anims.psa Anims.psa -o Twice.psa");
    assert!(said.complaints.contains("name"), "{}", said.complaints);
    assert!(!folder.at("Twice.psa").exists());
    folder.says(0, "merge Anims.psa Anims.psa -o Twice.psa --number");
    assert_eq!(names(&folder.read("Twice.psa")).len(), 2 * names(&folder.read("Anims.psa")).len());
}

#[test]
fn a_mesh_is_scaled_and_renamed() {
    let folder = Folder::new();
    folder.put("a.psk", corpus("actorx/mesh/classic.psk"));
    let before = folder.read("a.psk");
    let before = Psk::parse(&before).unwrap();
    let bone = before.bones()[1].name().text().to_string();
    folder.ends(0, &["edit", "a.psk", "-o", "b.psk", "--scale", "2", "--rename-bone", &format!("{bone}=Arm")]);
    let after = folder.read("b.psk");
    let after = Psk::parse(&after).unwrap();
    assert_eq!(after.bones()[1].name().text().to_string(), "Arm");
    for (one, other) in after.points().iter().zip(before.points()) {
        assert_eq!(one.get(), other.get().map(|value| value * 2.0));
    }
    assert!(folder.says(2, "edit a.psk -o c.psk --keep x").complaints.contains("--keep: this is a mesh"));
}

#[test]
fn the_lines_of_a_script_are_about_the_output_and_replace_nothing_else() {
    let folder = Folder::new();
    folder.put("a.psa", std::fs::read("../corpus/fox.psa").expect("a file"));
    folder.put("a.config", std::fs::read("../corpus/fox.config").expect("a file"));
    folder.says(0, "edit a.psa -o b.psa --keep walk --rename walk=Go --rate walk=24 --trim walk=10..20 --exec b.uc");
    let lines = folder.text("b.uc");
    assert!(lines.contains("SEQ=Go STARTFRAME=0 NUMFRAMES=10 RATE=24") && !lines.contains("idle"), "{lines}");
    let before: Vec<_> = folder.files();
    for (output, exec) in [("c.psa", "a.psa"), ("c.psa", "c.psa"), ("c.psa", "c.config"), ("c.psa", "a.config")] {
        let said = folder.says(2, &format!("edit a.psa -o {output} --exec {exec} --force"));
        assert!(said.complaints.contains("--exec: choose another file"), "{exec}: {}", said.complaints);
    }
    let said = folder.says(2, "edit a.psa -o a.config --force");
    assert!(said.complaints.contains("a.config: this is an animation: expected a name in .psa"), "{}", said.complaints);
    folder.says(5, "edit a.psa -o c.psa --exec a.psa/c.uc");
    assert_eq!(folder.files(), before, "all files of an edit are there, or none");
    let said = folder.says(2, "edit a.psa -o - --exec c.uc");
    assert!(said.complaints.contains("OUT is no file"), "{}", said.complaints);
}

#[test]
fn a_side_car_of_another_file_is_not_taken_for_that_of_the_output() {
    let folder = Folder::new();
    folder.put("a.psa", corpus("actorx/anim/sequences.psa"));
    folder.put("b.config", b"[AnimSet]\nbAnimRotationOnly=1\n");
    let said = folder.says(5, "edit a.psa -o b.psa --force");
    assert!(said.complaints.contains("b.config: is there"), "{}", said.complaints);
    assert!(!folder.at("b.psa").exists());
}
