//! What a run reads from is never replaced, also with `--force`.

use std::collections::BTreeMap;
use std::path::Path;

use crate::run::{Folder, animation, deflated, mesh};

/// A PNG of one pixel.
fn png() -> Vec<u8> {
    b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\0\0\x01\0\0\0\x01\x08\0\0\0\0....\0\0\0\x01IDATx....\0\0\0\0IEND....".to_vec()
}

/// The bytes of all files of a folder.
fn contents(folder: &Folder) -> BTreeMap<String, Vec<u8>> {
    folder.files().into_iter().map(|name| (name.clone(), folder.read(name))).collect()
}

/// What files with a name in a test hold: by the name that stands behind their own.
fn file(kind: &str) -> Vec<u8> {
    match kind {
        "mesh" => mesh(&[("root", 0), ("leg", 0)]),
        "animation" => animation(&[("root", 0), ("leg", 0)], &[("walk", 2, 30.0)]),
        "zip" => deflated(&[("d.zip", b"another"), ("m.psk", &mesh(&[("root", 0)]))]),
        "image" => png(),
        "names" => b"walk=run\n".to_vec(),
        "images" => b"mat=q.png\n".to_vec(),
        text => text.as_bytes().to_vec(),
    }
}

const SKELETON: &str = "<skeletons><standard_skeleton id='s'><bone name='b'/></standard_skeleton></skeletons>";

const SIDE_CAR: &str = "[RemoveTracks]\nwalk.0=all\n";

#[test]
fn what_a_run_reads_from_is_never_replaced() {
    // The files, with what they hold; and the command. The first file is the one in danger.
    let cases: &[(&[&str], &str)] = &[
        (&["out/x.bin mesh", "in/x.psk mesh"], "convert in/x.psk out/x.bin -o out --to gltf"),
        (&["out/x.bin animation", "in/x.psk mesh"], "convert in/x.psk --anim out/x.bin -o out --to gltf"),
        (&["a.glb names", "a.psk mesh", "a.psa animation"], "convert a.psk a.psa -o a.glb --rename a.glb"),
        (&["a.glb images", "a.psk mesh", "q.png image"], "convert a.psk -o a.glb --texture-map a.glb"),
        (&["out/b.glb image", "a.psk mesh", "b.psk mesh"], "convert a.psk b.psk -o out --texture x=out/b.glb"),
        (&["d.zip zip"], "extract d.zip -o ."),
        (&["f/a.psk mesh"], "catalog f -o f/a.psk --format jsonl"),
        (&["f/a.psk mesh"], "dump f --what points -o f/a.psk --format csv"),
        (&["a.html animation", "a.psk mesh"], "view a.psk --anim a.html -o a.html"),
        (&["g/a.png mesh", "f/a.psk mesh"], "sheet f/a.psk g/a.png --thumbs g"),
        (&["f/a.png image", "f/a.psk mesh"], "sheet f --thumbs f"),
        (&["f/a.png image", "f/a.psk mesh"], "sheet f -o f/a.png"),
        (&["g/thumbs/a.png image", "g/a.psk mesh"], "view g -o g --each"),
        (&["t/a.png image", "f/a.psk mesh"], "sheet f --thumbs t --texture-dir t"),
        // The side-car of an animation is read with it.
        (&[&format!("w/walk.config {SIDE_CAR}"), "w/walk.PSA animation"], "split w/walk.PSA -o w"),
        (
            &[&format!("w/a.config {SIDE_CAR}"), "w/a.PSA animation", "w/b.psa animation"],
            "merge w/a.PSA w/b.psa --number -o w/a.psa",
        ),
        (&[&format!("w/a.config {SIDE_CAR}"), "w/a.PSA animation"], "edit w/a.PSA --rename walk=run -o w/a.psa"),
        (
            &[&format!("w/a.config {SIDE_CAR}"), "w/a.psa animation"],
            "dump w/a.psa --what side-car -o w/a.config --format csv",
        ),
        (&[&format!("w/a.config {SIDE_CAR}"), "w/a.psa animation"], "pack w/a.psa -o w/a.config"),
        (&["w/a.psa animation"], "pack w/a.psa -o w/a.psa"),
        // Whatever the name of the animation is.
        (
            &[&format!("w/a.config {SIDE_CAR}"), "w/a animation", "w/b.psa animation"],
            "merge w/a w/b.psa --number -o w/a.psa",
        ),
        (&[&format!("w/a.config {SIDE_CAR}"), "w/a.Psa animation"], "dump w --what keys -o w/a.config --format csv"),
        (&[&format!("w/a.config {SIDE_CAR}"), "w/a.psa animation"], "dump w --what keys -o w/a.config --format csv"),
    ];
    for (files, command) in cases {
        let folder = Folder::new();
        for own in *files {
            let (name, kind) = own.split_once(' ').expect("a name and what it holds");
            folder.put(name, file(kind));
        }
        let before = contents(&folder);
        let arguments: Vec<&str> = command.split(' ').chain(["--force"]).collect();
        let ran = folder.run(&arguments);
        let after = contents(&folder);
        for (name, bytes) in &before {
            assert!(after.get(name) == Some(bytes), "{command}: {name} was replaced: {}", ran.complaints);
        }
        assert_ne!(ran.status, 0, "{command}: {}", ran.complaints);
        let in_danger = files[0].split(' ').next().map(Path::new).and_then(Path::file_name).expect("a name");
        assert!(ran.complaints.contains(&*in_danger.to_string_lossy()), "{command}: {}", ran.complaints);
    }
    let folder = Folder::new();
    folder.put("a.pmd", test_support::pyrogenesis::build::Pmd::grid(2, 2, 1, 1).build().bytes);
    folder.put("a.glb", SKELETON);
    assert_ne!(folder.run(&["convert", "a.pmd", "-o", "a.glb", "--skeleton", "a.glb", "--force"]).status, 0);
    assert_eq!(folder.text("a.glb"), SKELETON);
}

/// Pictures that were drawn before are known as such, and drawn again.
#[test]
fn pictures_of_earlier_runs_are_replaced_beside_the_inputs() {
    let folder = Folder::new();
    folder.put("f/a.psk", file("mesh"));
    for command in ["sheet f --thumbs f", "sheet f -o f/sheet.png", "view f -o f"] {
        for force in [&[][..], &["--force"]] {
            let arguments: Vec<&str> = command.split(' ').chain(force.iter().copied()).collect();
            let ran = folder.run(&arguments);
            assert_eq!(ran.status, 0, "{arguments:?}: {}", ran.complaints);
        }
    }
}
