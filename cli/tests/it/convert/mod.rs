//! `convert`: which files are made, of what, where, and what the report and the status say.

mod earlier_outputs;
mod games;
mod images;
pub(crate) mod limits;
mod mods;
#[cfg(feature = "textures")]
pub(crate) mod textures;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;
use std::time::{Duration, SystemTime};

use serde_json::Value;
use tempfile::TempDir;

use crate::run::{command, native, skelmap};
use test_support::actorx::build::{Anim, Material, Mesh};
use test_support::build_zip::{Entry, Zip};
use test_support::corpus::folder;
use test_support::glb::File;

/// The record of what was made of what.
pub(crate) const RECORD: &str = ".skelmap-convert.jsonl";

/// Runs `convert` in a folder of its own.
pub(crate) fn convert(place: &Path, arguments: &[&str]) -> Output {
    command().current_dir(place).arg("convert").args(arguments).output().expect("the command starts")
}

/// The rows of the report.
pub(crate) fn rows(output: &Output) -> Vec<Value> {
    let text = String::from_utf8(output.stdout.clone()).expect("UTF-8");
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

pub(crate) fn complaint(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// A folder with some of the good files.
fn place(names: &[&str]) -> TempDir {
    let place = tempfile::tempdir().expect("a folder");
    for name in names {
        fs::copy(good(name), place.path().join(name)).expect("copied");
    }
    place
}

pub(crate) fn good(name: &str) -> PathBuf {
    folder().join("../../corpus").join(name)
}

/// All files below a folder, relative to it.
pub(crate) fn files(place: &Path) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for entry in fs::read_dir(place).into_iter().flatten().flatten() {
        let (path, name) = (entry.path(), entry.file_name().into_string().expect("UTF-8"));
        if path.is_dir() {
            found.extend(files(&path).into_iter().map(|below| format!("{name}/{below}")));
        } else {
            found.insert(name);
        }
    }
    found
}

pub(crate) fn set(names: &[&str]) -> BTreeSet<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

fn glb(path: &Path) -> File {
    let file = File::read(&fs::read(path).expect("written"));
    file.check();
    file
}

fn clips(file: &File) -> Vec<String> {
    file.document().animations().map(|own| own.name().unwrap_or_default().to_owned()).collect()
}

#[test]
fn a_mesh_gets_the_sequences_of_its_animation_and_the_same_bytes_in_a_pipe() {
    let place = place(&["fox.psk", "fox.psa", "fox.config"]);
    let output = convert(place.path(), &["fox.psk", "fox.psa", "-o", "out.glb"]);
    assert_eq!(output.status.code(), Some(0), "{}", complaint(&output));
    let file = glb(&place.path().join("out.glb"));
    assert_eq!(clips(&file), ["walk", "idle"]);
    assert_eq!(file.document().skins().next().expect("a skin").joints().count(), 23);
    let piped = convert(place.path(), &["fox.psk", "--anim", "fox.psa", "-o", "-"]);
    assert_eq!(piped.stdout, fs::read(place.path().join("out.glb")).expect("written"));
    let obj = |output: &str| {
        let line = ["fox.psk", "fox.psa", "-o", output, "--to", "obj", "--sequence", "walk", "--frame", "3"];
        convert(place.path(), &line)
    };
    assert_eq!(obj("out.obj").status.code(), Some(0));
    assert_eq!(obj("-").stdout, fs::read(place.path().join("out.obj")).expect("written"));
    let one = convert(place.path(), &["fox.psk", "fox.psa", "-o", "one.glb", "--sequence", "IDLE "]);
    assert_eq!((one.status.code(), clips(&glb(&place.path().join("one.glb")))), (Some(0), vec!["idle".to_owned()]));
    let none = convert(place.path(), &["fox.psk", "fox.psa", "-o", "none.glb", "--sequence", "run"]);
    assert_eq!(none.status.code(), Some(1));
    assert!(complaint(&none).contains("no animation has a sequence run (idle, walk)"), "{}", complaint(&none));
    let planned =
        convert(place.path(), &["fox.psk", "fox.psa", "-o", "none.glb", "--sequence", "run", "--dry-run", "--force"]);
    assert_eq!(planned.status.code(), Some(1));
    assert!(complaint(&planned).contains("no animation has a sequence run (idle, walk)"), "{}", complaint(&planned));
    assert_eq!(clips(&glb(&place.path().join("none.glb"))).len(), 0, "the mesh is there all the same");
}

#[test]
fn a_dry_run_counts_the_animations_that_the_run_writes() {
    let place = place(&["fox.psk", "fox.psa", "fox.config", "fox.pmd", "fox_walk.psa", "fox_idle.psa"]);
    for sequence in [&[][..], &["--sequence", "idle"]] {
        let counts = |line: &[&str]| -> Vec<Value> {
            let line = [&[".", "-o", "out", "--force", "--format", "jsonl"][..], sequence, line].concat();
            rows(&convert(place.path(), &line)).iter().map(|row| row["animations"].clone()).collect()
        };
        let written = counts(&[]);
        assert_eq!(counts(&["--dry-run"]), written, "{sequence:?}");
        assert!(written.contains(&Value::from(2 - sequence.len() / 2)), "{written:?}");
    }
}

#[test]
fn outputs_keep_the_folders_of_their_meshes_and_equal_names_get_numbers() {
    let place = tempfile::tempdir().expect("a folder");
    let output = convert(place.path(), &[&good("").to_string_lossy(), "-o", "out", "--format", "jsonl"]);
    assert_eq!(output.status.code(), Some(0), "{}", complaint(&output));
    let out = place.path().join("out");
    assert_eq!(
        files(&out),
        set(&[RECORD, "fox-2.glb", "fox.glb", "fox/art/meshes/skeletal/fox.glb", "officer_walk.glb"])
    );
    let rows = rows(&output);
    assert_eq!(rows.len(), 4);
    let of = |name: &str| {
        rows.iter().find(|row| row["path"].as_str().is_some_and(|path| path.ends_with(name))).expect("a row")
    };
    assert_eq!((of("fox.psk")["animations"].as_u64(), of("fox.psk")["bones"].as_u64()), (Some(2), Some(23)));
    assert!(of("fox.psk")["output"].as_str().is_some_and(|path| path.ends_with("fox-2.glb")));
    assert!(of("fox.psk")["notes"].to_string().contains("numbered, because another output has the name fox"));
    // The animations beside the mesh, and not those of the same names in the archive.
    assert_eq!(of("fox.pmd")["animations"].as_u64(), Some(2));
    assert_eq!(of("fox.pyromod")["animations"].as_u64(), Some(2));
    assert_eq!(of("fox.pyromod")["entry"].as_str(), Some("art/meshes/skeletal/fox.pmd"));
    assert_eq!(of("officer_walk.gsa")["triangles"].as_u64(), Some(0));
}

#[test]
fn resume_keeps_outputs_of_the_same_files_with_the_same_options() {
    let place = place(&["fox.psk", "fox.psa", "fox.config", "fox.pmd", "fox_walk.psa"]);
    let run = |more: &[&str]| convert(place.path(), &[&[".", "-o", "out", "--format", "jsonl"], more].concat());
    // Of fox.pmd, then of fox.psk.
    let status = |output: &Output| {
        rows(output).iter().map(|row| row["status"].as_str().unwrap_or_default().to_owned()).collect::<Vec<_>>()
    };
    let touch = |name: &str, seconds: u64| {
        let time = SystemTime::UNIX_EPOCH + Duration::from_secs(seconds);
        fs::File::options().write(true).open(place.path().join(name)).expect("a file").set_modified(time).expect("set");
    };
    assert_eq!(status(&run(&["--resume"])), ["written", "written"], "nothing to go on with");
    let again = run(&[]);
    assert_eq!((again.status.code(), status(&again)), (Some(5), vec!["failed".to_owned(), "failed".to_owned()]));
    assert!(complaint(&again).contains("exists already"), "{}", complaint(&again));
    let resumed = run(&["--resume"]);
    assert_eq!((resumed.status.code(), status(&resumed)), (Some(0), vec!["kept".to_owned(), "kept".to_owned()]));
    // Another time, earlier or later, is another file.
    touch("fox_walk.psa", 1_000_000_000);
    assert_eq!(status(&run(&["--resume"])), ["written", "kept"]);
    touch("fox.config", 1_000_000_000);
    assert_eq!(status(&run(&["--resume"])), ["kept", "written"]);
    // Another texture, other options, an output that is cut off.
    fs::write(place.path().join("Fox_coat.png"), b"no picture").expect("written");
    fs::write(place.path().join("fox.png"), b"no picture").expect("written");
    assert_eq!(status(&run(&["--resume"]))[0], "written");
    assert_eq!(status(&run(&["--resume", "--scale", "0.5"])), ["written", "written"]);
    fs::write(place.path().join("out/fox.glb"), b"").expect("written");
    assert_eq!(status(&run(&["--resume", "--scale", "0.5"])), ["written", "kept"]);
    assert_eq!(status(&run(&["--force"])), ["written", "written"]);
    let one = ["--resume", "--sequence", "walk"];
    assert_eq!(run(&one).status.code(), Some(0));
    let again = run(&one);
    assert_eq!((again.status.code(), status(&again)), (Some(0), vec!["kept".to_owned(), "kept".to_owned()]));
}

/// Somebody has edited an output, and its size is the same.
#[test]
fn resume_does_not_take_another_content_of_the_same_size_for_its_own() {
    let place = place(&["fox.psk"]);
    let run = |more: &[&str]| convert(place.path(), &[&["fox.psk", "-o", "out"], more].concat()).status.code();
    let output = place.path().join("out/fox.glb");
    assert_eq!(run(&[]), Some(0));
    let own = fs::read(&output).expect("a file");
    let mut edited = own.clone();
    *edited.last_mut().expect("bytes") ^= 1;
    fs::write(&output, &edited).expect("written");
    assert_eq!((run(&["--resume"]), fs::read(&output).expect("a file") == edited), (Some(5), true));
    assert_eq!((run(&["--resume", "--force"]), fs::read(&output).expect("a file") == own), (Some(0), true));
}

#[test]
fn resume_replaces_no_file_of_another_program() {
    let place = place(&["fox.psk"]);
    fs::create_dir(place.path().join("out")).expect("made");
    fs::write(place.path().join("out/fox.bin"), b"mine").expect("written");
    let output = convert(place.path(), &["fox.psk", "-o", "out", "--to", "gltf", "--resume"]);
    assert_eq!(output.status.code(), Some(5));
    assert_eq!(fs::read(place.path().join("out/fox.bin")).expect("a file"), b"mine");
    assert_eq!(files(&place.path().join("out")), set(&["fox.bin"]));
    fs::rename(place.path().join("out/fox.bin"), place.path().join("out/fox.gltf")).expect("renamed");
    let output = convert(place.path(), &["fox.psk", "-o", "out", "--to", "gltf", "--resume"]);
    assert_eq!(
        (output.status.code(), files(&place.path().join("out"))),
        (Some(5), set(&["fox.gltf"])),
        "no half of it"
    );
    let asked = convert(place.path(), &["fox.psk", "-o", "a.glb", "--resume"]);
    assert_eq!(asked.status.code(), Some(2), "there is nothing to go on with: {}", complaint(&asked));
}

#[test]
fn a_damaged_file_does_not_stop_the_others() {
    let place = place(&["fox.psk"]);
    fs::write(place.path().join("bad.psk"), &fs::read(good("fox.psk")).expect("a file")[..200]).expect("written");
    let output = convert(place.path(), &[".", "-o", "out"]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(files(&place.path().join("out")), set(&[RECORD, "fox.glb"]));
    assert!(complaint(&output).contains("bad.psk: "), "{}", complaint(&output));
    let nothing = tempfile::tempdir().expect("a folder");
    assert_eq!(convert(nothing.path(), &[".", "-o", "out"]).status.code(), Some(3));
    assert_eq!(convert(nothing.path(), &["missing.psk", "-o", "out"]).status.code(), Some(3));
    assert!(!nothing.path().join("out").exists());
}

#[test]
fn contradictory_arguments_are_wrong_usage() {
    let place = place(&["fox.psk", "fox.pmd", "fox.psa"]);
    for arguments in [
        &["fox.psk", "fox.pmd", "-o", "one.glb"] as &[&str],
        &["fox.psk", "fox.psa", "-o", "one.glb", "--each-clip"],
        &["fox.psk", "fox.psa", "-o", "one.glb", "--frame", "1"],
        &["fox.psk", "-o", "-", "--to", "gltf"],
        &["fox.psk", "-o", "one.glb", "--to", "obj"],
        &["fox.psk", "-o", "out", "--scale", "0"],
        &["fox.psk", "-o", "out", "--additive", "skip=walk"],
        &["fox.psa", "--anim", "fox.psa", "-o", "out"],
        &["fox.psk", "-o", "fox.fbx"],
    ] {
        let output = convert(place.path(), arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {}", complaint(&output));
    }
    assert_eq!(files(place.path()), set(&["fox.pmd", "fox.psa", "fox.psk"]));
}

#[test]
fn each_clip_has_a_file_and_no_name_leads_out_of_the_folder() {
    let place = tempfile::tempdir().expect("a folder");
    let mesh = Mesh::sheet(3, 3, 2);
    let names = ["../../up", "a/b", "..", "walk", "WALK", ""];
    let sequences: Vec<_> = names.iter().map(|name| (*name, 2, 30.0)).collect();
    let anim = Anim::sway(mesh.bones.clone(), &sequences);
    let inner = place.path().join("deep/er");
    fs::create_dir_all(&inner).expect("made");
    fs::write(inner.join("m.psk"), mesh.chunks().build().bytes).expect("written");
    fs::write(inner.join("m.psa"), anim.chunks().build().bytes).expect("written");
    let output = convert(&inner, &["m.psk", "m.psa", "-o", "out", "--each-clip"]);
    assert_eq!(output.status.code(), Some(0), "{}", complaint(&output));
    let expected = [RECORD, "m@.._.._up.glb", "m@a_b.glb", "m@clip.glb", "m@m.glb", "m@walk.glb", "m@WALK-2.glb"];
    assert_eq!(files(&inner.join("out")), set(&expected));
    assert_eq!(files(place.path()).len(), 2 + expected.len());
}

#[test]
fn an_obj_of_each_clip_shows_the_first_frame_of_the_clip() {
    let place = tempfile::tempdir().expect("a folder");
    for name in ["fox.psk", "fox.psa"] {
        fs::copy(good(name), place.path().join(name)).expect("copied");
    }
    let run = |line: &[&str]| {
        let output = convert(place.path(), &[&["fox.psk", "fox.psa"], line].concat());
        assert_eq!(output.status.code(), Some(0), "{}", complaint(&output));
    };
    run(&["-o", "out", "--to", "obj", "--each-clip"]);
    for name in ["walk", "idle"] {
        run(&["-o", &format!("{name}.obj"), "--sequence", name, "--frame", "0"]);
        let points = |path: String| -> Vec<String> {
            let text = fs::read_to_string(place.path().join(path)).expect("an OBJ");
            text.lines().filter(|line| line.starts_with("v ")).map(ToOwned::to_owned).collect()
        };
        assert_eq!(points(format!("out/fox@{name}.obj")), points(format!("{name}.obj")));
    }
    let [walk, idle] = ["walk", "idle"].map(|name| fs::read(place.path().join(format!("{name}.obj"))).expect("read"));
    assert!(walk != idle);
}

#[test]
fn animations_without_bone_names_join_the_mesh_whose_file_name_begins_theirs() {
    let place = tempfile::tempdir().expect("a folder");
    let copy = |from: &str, to: &str| fs::copy(good(from), place.path().join(to)).expect("copied");
    copy("fox.pmd", "fox.dae.cached.pmd");
    copy("fox.pmd", "Foxglove.pmd");
    copy("fox_walk.psa", "fox_walk.dae.cached.psa");
    copy("fox_idle.psa", "foxglove-idle.psa");
    copy("fox_idle.psa", "cat_idle.psa");
    let output = convert(place.path(), &[".", "-o", "out", "--format", "jsonl"]);
    let found: Vec<_> = rows(&output)
        .iter()
        .map(|row| (row["output"].as_str().expect("a path").to_owned(), row["animations"].as_u64()))
        .collect();
    assert_eq!(found, [(native("out/Foxglove.glb"), Some(1)), (native("out/fox.glb"), Some(1))]);
    assert!(complaint(&output).contains("1 animation belongs to no mesh"), "{}", complaint(&output));
    assert_eq!(clips(&glb(&place.path().join("out/fox.glb"))), ["fox_walk"]);
    // The animation that is about another mesh beside it belongs to that one.
    for (level, expected) in
        [("own", ["foxglove-idle", "cat_idle"].as_slice()), ("fits", &["foxglove-idle", "cat_idle", "fox_walk"])]
    {
        let given =
            convert(place.path(), &["Foxglove.pmd", "--anim", ".", "--fits", level, "-o", "all.glb", "--force"]);
        assert_eq!(
            (given.status.code(), clips(&glb(&place.path().join("all.glb")))),
            (Some(0), expected.iter().map(|name| (*name).to_owned()).collect())
        );
    }
}

/// Two meshes of one skeleton, one that is about neither animation, and a prop of one bone.
#[test]
fn an_animation_goes_to_the_mesh_that_its_name_is_about_and_to_no_other() {
    let place = tempfile::tempdir().expect("a folder");
    let write = |name: &str, bytes: Vec<u8>| fs::write(place.path().join(name), bytes).expect("written");
    let (mesh, prop) = (Mesh::sheet(3, 3, 4), Mesh::sheet(3, 3, 1));
    for name in ["skPigMesh", "skPigPinkMesh", "Hero_LOD0", "skCow"] {
        write(&format!("{name}.psk"), mesh.chunks().build().bytes);
    }
    write("Bucket.psk", prop.chunks().build().bytes);
    let anim = |bones: &Mesh, name| Anim::sway(bones.bones.clone(), &[(name, 2, 30.0)]).chunks().build().bytes;
    for name in ["skPigAnims", "skPigPinkAnims", "Hero"] {
        write(&format!("{name}.psa"), anim(&mesh, "Idle"));
    }
    // Nobody's: each prop has its only bone.
    write("NoAnims.psa", anim(&prop, "All"));
    let run = |more: &[&str]| {
        let output = convert(place.path(), &[&[".", "-o", "out", "--force"], more].concat());
        assert_eq!(output.status.code(), Some(0), "{}", complaint(&output));
        let of = |name: &str| clips(&glb(&place.path().join(format!("out/{name}.glb"))));
        ["skPigMesh", "skPigPinkMesh", "Hero_LOD0", "skCow", "Bucket"].map(of)
    };
    let idle = || vec!["Idle".to_owned()];
    assert_eq!(run(&[]), [idle(), idle(), idle(), vec![], vec![]]);
    let all = run(&["--fits", "fits"]);
    let names = ["Idle", "Hero: Idle", "All", "skPigPinkAnims: Idle"];
    assert_eq!(all[0], names.map(ToOwned::to_owned));
    assert_eq!(all.map(|own| own.len()), [4; 5], "the prop has the first bone of the chain");
    let extras = |name: &str| {
        let file = glb(&place.path().join(format!("out/{name}.glb")));
        file.document().meshes().next().expect("a mesh").extras().as_ref().map(ToString::to_string)
    };
    assert_eq!(extras("Hero_LOD0").as_deref(), Some(r#"{"levelOfDetail":0}"#));
    assert_eq!(extras("skCow"), None);
}

/// Two meshes of one skeleton share three animations; one has another alone, and the mesh of another skeleton has its own.
#[test]
fn animations_that_meshes_share_can_have_a_file_of_their_own() {
    let place = tempfile::tempdir().expect("a folder");
    let write = |name: &str, bytes: Vec<u8>| fs::write(place.path().join(name), bytes).expect("written");
    let (one, other) = (Mesh::sheet(3, 3, 4), Mesh::sheet(3, 3, 2));
    for (name, mesh) in [("man", &one), ("woman", &one), ("dog", &other)] {
        write(&format!("{name}.psk"), mesh.chunks().build().bytes);
    }
    let anim = |bones: &Mesh, name| Anim::sway(bones.bones.clone(), &[(name, 2, 30.0)]).chunks().build().bytes;
    for name in ["Idle", "Walk", "Run"] {
        write(&format!("{name}.psa"), anim(&one, name));
    }
    write("man_jump.psa", anim(&one, "Jump"));
    write("dog_bark.psa", anim(&other, "Bark"));
    let run = |more: &[&str]| convert(place.path(), &[&[".", "-o", "out", "--fits", "exact"], more].concat());
    let output = run(&["--animations", "library", "--format", "json"]);
    assert_eq!(output.status.code(), Some(0), "{}", complaint(&output));
    let of = |name: &str| clips(&glb(&place.path().join(format!("out/{name}.glb"))));
    let all = ["Idle", "Jump", "Run", "Walk"].map(ToOwned::to_owned);
    let library = fs::read_dir(place.path().join("out")).expect("a folder").filter_map(|entry| {
        let name = entry.expect("an entry").file_name().into_string().expect("UTF-8");
        name.strip_suffix("_animations.glb").map(ToOwned::to_owned)
    });
    assert_eq!(library.collect::<Vec<_>>(), ["man"], "one file for one skeleton");
    let mut shared = of("man_animations");
    shared.extend(of("man"));
    shared.sort();
    assert_eq!(shared, all, "what is shared is in the library, what is its own in the mesh");
    assert_eq!((of("woman"), of("dog")), (vec![], vec!["Bark".to_owned()]));
    let rows: Vec<serde_json::Value> = serde_json::from_slice(&output.stdout).expect("JSON");
    let notes = |name: &str| {
        let row = rows.iter().find(|row| row["output"].as_str().is_some_and(|own| own.ends_with(&native(name))));
        row.expect("a row")["notes"].to_string()
    };
    assert!(notes("/man_animations.glb").contains("the animations of 2 meshes"), "{}", notes("/man_animations.glb"));
    assert!(notes("/woman.glb").contains("animations in man_animations"), "{}", notes("/woman.glb"));
    // What is kept is kept with the library.
    let output = run(&["--animations", "library", "--resume"]);
    assert!(complaint(&output).contains("0 files written, 4 kept"), "{}", complaint(&output));
    let output = convert(place.path(), &["man.psk", "Idle.psa", "-o", "x.glb", "--animations", "library"]);
    assert_eq!((output.status.code(), complaint(&output).contains("name a folder")), (Some(2), true));
}

/// Real pairs, as the game joins them.
#[test]
fn each_real_mesh_gets_its_own_animation() {
    let Some(samples) = std::env::var_os("SKELMAP_SAMPLES") else {
        eprintln!("skipped: SKELMAP_SAMPLES names no samples");
        return;
    };
    let (pairs, place) = (PathBuf::from(samples).join("pairs"), tempfile::tempdir().expect("a folder"));
    let output = convert(&pairs, &[".", "-o", place.path().to_str().expect("UTF-8")]);
    assert_eq!(output.status.code(), Some(0), "{}", complaint(&output));
    let lines = fs::read_to_string(pairs.join("pairs.tsv")).expect("the list");
    assert_eq!(lines.lines().skip(1).count(), 22);
    for line in lines.lines().skip(1) {
        let (mesh, own) = line.split_once('\t').expect("two columns");
        let file = fs::read(place.path().join(mesh).with_extension("glb")).expect("converted");
        let length = u32::from_le_bytes(file[12..16].try_into().expect("four bytes")) as usize;
        let root: serde_json::Value = serde_json::from_slice(&file[20..20 + length]).expect("JSON");
        let files = root["animations"].as_array().into_iter().flatten().map(|own| own["extras"]["file"].as_str());
        let files: std::collections::BTreeSet<_> = files.collect();
        assert_eq!(files, Some(own).filter(|own| !own.is_empty()).into_iter().map(Some).collect(), "{mesh}");
    }
}

#[test]
fn an_archive_cannot_write_outside_of_the_folder() {
    let place = tempfile::tempdir().expect("a folder");
    let mesh = fs::read(good("fox.psk")).expect("a file");
    let names = ["../up.psk", "/abs.psk", "CON.psk", "a/../../b.psk", "fine/fox.psk"];
    let zip = Zip::of(names.map(|name| Entry::stored(name, &mesh))).build();
    fs::create_dir(place.path().join("inner")).expect("made");
    fs::write(place.path().join("inner/mod.zip"), zip.bytes).expect("written");
    let output = convert(&place.path().join("inner"), &["mod.zip", "-o", "out"]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(
        files(place.path()),
        set(&["inner/mod.zip", "inner/out/.skelmap-convert.jsonl", "inner/out/fine/fox.glb"])
    );
    assert_eq!(complaint(&output).matches("it has `..`").count(), 2, "{}", complaint(&output));
}

#[test]
fn pictures_that_are_cut_off_or_empty_or_state_too_many_pixels_are_left_out() {
    let place = tempfile::tempdir().expect("a folder");
    let mut mesh = Mesh::sheet(3, 3, 1);
    mesh.materials = vec![Material::new("Body", 0)];
    fs::write(place.path().join("m.psk"), mesh.chunks().build().bytes).expect("written");
    let png: &[u8] =
        b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\0\0\x01\0\0\0\x01\x08\0\0\0\0....\0\0\0\x01IDATx....\0\0\0\0IEND....";
    let jpeg: &[u8] = b"\xff\xd8\xff\xe0\0\x04..\xff\xc0\0\x0b\x08\0\x01\0\x01\x01\x01\x11\0..\xff\xd9";
    let mut flat = png.to_vec();
    flat[19] = 0;
    // 2,147,483,647 and 65,535 squared.
    let (mut huge, mut wide) = (png.to_vec(), jpeg.to_vec());
    huge[16..24].copy_from_slice(&[0x7F, 0xFF, 0xFF, 0xFF, 0x7F, 0xFF, 0xFF, 0xFF]);
    wide[13..17].fill(0xFF);
    for (name, picture, is_whole) in [
        ("png", png, true),
        ("png", &png[..40], false),
        ("png", &flat, false),
        ("png", &huge, false),
        ("jpg", &wide, false),
        ("jpg", jpeg, true),
        ("jpg", &jpeg[..20], false),
    ] {
        let path = place.path().join(format!("Body.{name}"));
        fs::write(&path, picture).expect("written");
        let output = convert(place.path(), &["m.psk", "-o", "m.glb", "--force", "--format", "jsonl"]);
        assert_eq!(rows(&output)[0]["textures"].as_u64(), Some(is_whole.into()), "{name} of {}", picture.len());
        fs::remove_file(path).expect("removed");
    }
}

/// Five meshes with the same 16 materials, each with a text of a mebibyte: 16 MiB are read, and not 80. A mesh with 65 such materials
/// reads 64 texts, the most for a run.
#[test]
fn a_text_of_a_material_is_read_once_for_a_run_and_all_of_them_within_a_limit() {
    let place = tempfile::tempdir().expect("a folder");
    let materials = |count: usize| (0..count).map(|index| Material::new(&format!("t{index}"), 0)).collect::<Vec<_>>();
    let mesh = |count| Mesh { materials: materials(count), ..Mesh::sheet(3, 3, 1) }.chunks().build().bytes;
    for index in 0..65 {
        let text = fs::File::create(place.path().join(format!("t{index}.mat"))).expect("a file");
        text.set_len(1 << 20).expect("a sparse file");
    }
    for index in 0..5 {
        fs::write(place.path().join(format!("m{index}.psk")), mesh(16)).expect("written");
    }
    fs::write(place.path().join("many.psk"), mesh(65)).expect("written");
    let cut = "not all material files were read: the run has more than 64.00 MiB";
    for (inputs, count, is_cut) in
        [(&["m0.psk", "m1.psk", "m2.psk", "m3.psk", "m4.psk"][..], 5, false), (&["many.psk"], 1, true)]
    {
        let arguments = [inputs, &["-o", "out", "--force", "--format", "jsonl"]].concat();
        let output = convert(place.path(), &arguments);
        let rows = rows(&output);
        assert_eq!((output.status.code(), rows.len()), (Some(0), count), "{}", complaint(&output));
        for row in rows {
            assert_eq!(row["notes"].to_string().contains(cut), is_cut, "{row}");
        }
    }
}

#[test]
fn additive_sequences_find_their_base_outside_of_the_selected_sequences() {
    let place = tempfile::tempdir().expect("a folder");
    let mut mesh = Mesh::sheet(3, 3, 3);
    mesh.bones[1].position = [0.0, 0.0, 5.0];
    let mut anim = Anim::sway(mesh.bones.clone(), &[("Base", 1, 30.0), ("Delta", 2, 30.0)]);
    anim.keys.iter_mut().skip(3).for_each(|key| key.position = [0.0; 3]);
    fs::write(place.path().join("m.psk"), mesh.chunks().build().bytes).expect("written");
    fs::write(place.path().join("m.psa"), anim.chunks().build().bytes).expect("written");
    let run = |more: &[&str]| convert(place.path(), &[&["m.psk", "m.psa", "-o", "out", "--force"], more].concat());
    assert_eq!(run(&["--each-clip"]).status.code(), Some(0));
    assert_eq!(files(&place.path().join("out")), set(&[RECORD, "m@Base.glb"]), "an additive one alone is left out");
    // An OBJ of each clip shows those that are not additive, whatever is beside them.
    assert_eq!(run(&["--each-clip", "--to", "obj"]).status.code(), Some(0));
    assert!(files(&place.path().join("out")).contains("m@Base.obj"));
    let torn = run(&["--each-clip", "--to", "obj", "--additive", "local=base"]);
    assert!(
        torn.status.code() != Some(0) && complaint(&torn).contains("the sequence is additive"),
        "{}",
        complaint(&torn)
    );
    assert_eq!(run(&["--each-clip", "--additive", "local=base"]).status.code(), Some(0));
    assert_eq!(clips(&glb(&place.path().join("out/m@Delta.glb"))), ["Delta"]);
    assert_eq!(run(&["--sequence", "Delta", "--additive", "mesh=Base"]).status.code(), Some(0));
    assert_eq!(clips(&glb(&place.path().join("out/m.glb"))), ["Delta"]);
    let none = run(&["--additive", "mesh=Idle"]);
    assert_eq!(none.status.code(), Some(5));
    assert!(complaint(&none).contains("no animation has the sequence Idle"), "{}", complaint(&none));
    let torn = convert(place.path(), &["m.psk", "m.psa", "-o", "m.obj", "--sequence", "Delta", "--frame", "1"]);
    assert_eq!((torn.status.code(), place.path().join("m.obj").exists()), (Some(5), false));
}

#[test]
fn a_file_named_twice_is_converted_once() {
    let place = place(&["fox.psk"]);
    let output = convert(place.path(), &["fox.psk", "./fox.psk", ".", "-o", "out"]);
    assert_eq!(output.status.code(), Some(0), "{}", complaint(&output));
    assert_eq!(files(&place.path().join("out")), set(&[RECORD, "fox.glb"]));
}

#[test]
fn a_skeleton_of_the_game_names_and_joins_the_bones() {
    let place = place(&["fox.pmd", "fox_walk.psa"]);
    let bones = (0..23).rev().fold(String::new(), |below, bone| format!("<bone name='b{bone}'>{below}</bone>"));
    fs::write(place.path().join("s.xml"), format!("<standard_skeleton id='x'>{bones}</standard_skeleton>"))
        .expect("written");
    let output = convert(place.path(), &["fox.pmd", "fox_walk.psa", "-o", "a.glb", "--skeleton", "s.xml"]);
    assert_eq!(output.status.code(), Some(0), "{}", complaint(&output));
    let file = glb(&place.path().join("a.glb"));
    let node = file.document().nodes().find(|node| node.name() == Some("b21")).expect("a joint");
    assert!(node.children().any(|child| child.name() == Some("b22")));
    fs::write(place.path().join("s.xml"), "<standard_skeleton><bone name='a'/></standard_skeleton>").expect("written");
    let refused = convert(place.path(), &["fox.pmd", "-o", "b.glb", "--skeleton", "s.xml"]);
    assert_eq!(refused.status.code(), Some(5));
    assert!(complaint(&refused).contains("the mesh has 23 bones, and the standard skeletons have 1"));
}

#[test]
fn the_json_has_the_keys_that_columns_lists() {
    let place = place(&["fox.psk"]);
    let all = rows(&skelmap(&["columns", "convert", "--format", "jsonl"]));
    let glb = ["fox.psk", "-o", "a.glb", "--format", "jsonl"];
    let game = ["a.glb", "-o", "a.pmd", "--format", "jsonl"];
    for (arguments, command) in [(glb, "convert"), (game, "convert --to pmd")] {
        let output = convert(place.path(), &arguments);
        let row = &rows(&output)[0];
        let keys: BTreeSet<_> = row.as_object().expect("an object").keys().map(String::as_str).collect();
        let is_listed = |row: &&Value| {
            row["command"] == command && row["formats"].as_str().is_none_or(|formats| formats.contains("json"))
        };
        let listed: BTreeSet<_> = all.iter().filter(is_listed).filter_map(|row| row["column"].as_str()).collect();
        assert_eq!(keys, listed, "{command}");
    }
    let help = String::from_utf8(skelmap(&["convert", "--help"]).stdout).expect("UTF-8");
    assert!(help.contains("`skelmap columns convert`"));
}

#[test]
fn an_obj_of_a_frame_needs_one_sequence() {
    let place = place(&["fox.psk", "fox.psa"]);
    let frame = ["fox.psk", "fox.psa", "-o", "a.obj", "--frame", "3"];
    let output = convert(place.path(), &frame);
    assert_eq!(output.status.code(), Some(5));
    assert!(
        complaint(&output).contains("a frame is of one sequence, and there are 2: choose one (--sequence)"),
        "{}",
        complaint(&output)
    );
    let output = convert(place.path(), &[&frame[..], &["--sequence", "walk"]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", complaint(&output));
    let text = fs::read_to_string(place.path().join("a.obj")).expect("written");
    assert_eq!(text.lines().filter(|line| line.starts_with("f ")).count(), 764);
    let beyond = convert(place.path(), &["fox.psk", "fox.psa", "-o", "b.obj", "--frame", "99", "--sequence", "walk"]);
    assert_eq!(beyond.status.code(), Some(5));
    assert!(
        complaint(&beyond).contains("frame 99 does not exist; the animation has only frames 0 to 29"),
        "{}",
        complaint(&beyond)
    );
}

#[test]
fn json_with_a_binary_file_names_that_file() {
    let place = place(&["fox.psk"]);
    fs::rename(place.path().join("fox.psk"), place.path().join("red fox.psk")).expect("renamed");
    let output = convert(place.path(), &["red fox.psk", "-o", "out", "--to", "gltf"]);
    assert_eq!(output.status.code(), Some(0), "{}", complaint(&output));
    assert_eq!(files(&place.path().join("out")), set(&[RECORD, "red fox.bin", "red fox.gltf"]));
    let json: Value =
        serde_json::from_slice(&fs::read(place.path().join("out/red fox.gltf")).expect("written")).expect("JSON");
    assert_eq!(json["buffers"][0]["uri"].as_str(), Some("red%20fox.bin"));
    let length = fs::metadata(place.path().join("out/red fox.bin")).expect("written").len();
    assert_eq!(json["buffers"][0]["byteLength"].as_u64(), Some(length));
}

#[test]
fn globs_choose_animations_that_are_given_too() {
    let place = tempfile::tempdir().expect("a folder");
    fs::copy(good("fox.pmd"), place.path().join("fox.pmd")).expect("copied");
    fs::create_dir(place.path().join("anims")).expect("made");
    for name in ["fox_walk.psa", "fox_idle.psa"] {
        fs::copy(good(name), place.path().join("anims").join(name)).expect("copied");
    }
    for (glob, expected) in
        [("*idle*", vec!["fox_idle"]), ("!*idle*", vec!["fox_walk"]), ("*", vec!["fox_idle", "fox_walk"])]
    {
        let arguments = ["fox.pmd", "--anim", "anims", "--glob", glob, "-o", "all.glb", "--force"];
        let output = convert(place.path(), &arguments);
        assert_eq!(output.status.code(), Some(0), "{}", complaint(&output));
        let mut found = clips(&glb(&place.path().join("all.glb")));
        found.sort();
        assert_eq!(found, expected, "{glob}");
    }
    let output = convert(place.path(), &["fox.pmd", "--anim", "anims", "--glob", "*run*", "-o", "none.glb"]);
    assert!(complaint(&output).contains("--anim: no animation left by --glob '*run*'"), "{}", complaint(&output));
}

#[test]
fn animations_of_an_archive_are_taken_for_a_mesh_that_lies_elsewhere_and_if_none_belongs_to_it_that_is_said() {
    let place = tempfile::tempdir().expect("a folder");
    for name in ["fox.pmd", "fox.pyromod"] {
        fs::copy(good(name), place.path().join(name)).expect("copied");
    }
    let output = convert(place.path(), &["fox.pmd", "--anim", "fox.pyromod", "-o", "fox.glb"]);
    assert_eq!(output.status.code(), Some(0), "{}", complaint(&output));
    let mut found = clips(&glb(&place.path().join("fox.glb")));
    found.sort();
    assert_eq!(found, ["fox_idle", "fox_walk"]);
    // The mesh of the archive has the name; this one has another.
    fs::rename(place.path().join("fox.pmd"), place.path().join("wolf.pmd")).expect("renamed");
    let output = convert(place.path(), &["wolf.pmd", "--anim", "fox.pyromod", "-o", "wolf.glb"]);
    assert_eq!(output.status.code(), Some(1), "{}", complaint(&output));
    assert!(
        complaint(&output).contains("2 animations belong to no mesh: fox_walk.psa, fox_idle.psa"),
        "{}",
        complaint(&output)
    );
    assert!(complaint(&output).contains("--fits fits"), "{}", complaint(&output));
}

#[test]
fn what_is_in_the_way_of_a_named_output_is_only_its_own_name() {
    let place = place(&[]);
    // No name of an output can have so many bytes.
    let long = format!("{}.psk", "b".repeat(250));
    fs::copy(good("fox.psk"), place.path().join(&long)).expect("copied");
    assert_eq!(convert(place.path(), &[&long, "-o", "out"]).status.code(), Some(5));
    let output = convert(place.path(), &[&long, "-o", "fox.glb"]);
    assert_eq!(output.status.code(), Some(0), "{}", complaint(&output));
}

/// Programs show these names: of the file, and of the image where the mesh has no names of materials.
#[test]
fn meshes_have_the_names_of_their_files_and_materials_those_of_their_images() {
    let place = place(&["fox.psk", "fox.pmd"]);
    fs::write(place.path().join("fox.png"), earlier_outputs::png(1)).expect("written");
    assert_eq!(convert(place.path(), &["fox.psk", "fox.pmd", "-o", "out"]).status.code(), Some(0));
    for (name, materials) in [("fox.glb", &["fox_coat", "fox_socks"][..]), ("fox-2.glb", &["fox"])] {
        let file = glb(&place.path().join("out").join(name));
        let document = file.document();
        let mesh = document.meshes().next().expect("a mesh");
        assert_eq!(mesh.name(), Some("fox"));
        let node = document.nodes().find(|node| node.mesh().is_some()).expect("a node");
        assert_eq!(node.name(), Some("fox"));
        let mut own: Vec<_> = document.materials().filter_map(|own| own.name().map(str::to_owned)).collect();
        own.sort();
        assert_eq!(own, materials, "{name}");
    }
}

/// The numbers of keys that are none, in all parts: nothing is repaired in silence.
#[test]
fn keys_that_are_no_numbers_are_counted() {
    let place = place(&["fox.psk"]);
    let mut animation = fs::read(good("fox.psa")).expect("a file");
    let keys = animation.windows(8).position(|id| id == b"ANIMKEYS").expect("keys") + 32;
    for (key, part) in [(5, 0), (5, 4), (70, 16)] {
        let at = keys + 32 * key + part;
        animation[at..at + 4].copy_from_slice(&f32::NAN.to_le_bytes());
    }
    fs::write(place.path().join("fox.psa"), animation).expect("written");
    let output = convert(place.path(), &["fox.psk", "fox.psa", "-o", "fox.glb", "--format", "jsonl"]);
    assert_eq!(output.status.code(), Some(0), "{}", complaint(&output));
    assert_eq!(
        rows(&output)[0]["broken_keys"].as_u64(),
        Some(2),
        "a place, of which two numbers are none, and a rotation"
    );
    let table = convert(place.path(), &["fox.psk", "fox.psa", "-o", "again.glb"]);
    let table = String::from_utf8_lossy(&table.stdout).into_owned();
    assert!(table.contains("2 keys not finite: the one before stands in"), "{table}");
}

#[test]
fn stores_are_not_written_to_and_their_secrets_stay_out_of_messages() {
    let place = place(&["fox.psk"]);
    for line in [
        &["fox.psk", "-o", "http://127.0.0.1:9/x.glb?sig=SECRET"][..],
        &["fox.psk", "-o", "x.glb", "--texture", "http://127.0.0.1:9/x.png?sig=SECRET"],
    ] {
        let output = convert(place.path(), line);
        assert!(matches!(output.status.code(), Some(2 | 3)), "{}", complaint(&output));
        assert!(!complaint(&output).contains("SECRET"), "{}", complaint(&output));
    }
    assert_eq!(files(place.path()), BTreeSet::from(["fox.psk".to_owned()]));
}

/// Names that no output can have: what is no letter is replaced, as what is no UTF-8 is. No file on Windows has such a name.
#[cfg(unix)]
#[test]
fn control_characters_in_names_are_replaced_in_those_of_outputs() {
    let place = tempfile::tempdir().expect("a folder");
    for name in ["a\nb.psk", "a\tb.psk", "c\u{1b}[31m.psk"] {
        fs::copy(good("fox.psk"), place.path().join(name)).expect("copied");
    }
    let output = convert(place.path(), &[".", "-o", "out"]);
    assert_eq!(output.status.code(), Some(0), "{}", complaint(&output));
    let mut found = files(&place.path().join("out"));
    found.retain(|name| !name.starts_with(".skelmap-"));
    assert_eq!(found.into_iter().collect::<Vec<_>>(), ["a\u{fffd}b-2.glb", "a\u{fffd}b.glb", "c\u{fffd}[31m.glb"]);
}

/// Two meshes with equal bones in other places: what stands still in the first moves in the other.
#[test]
fn shared_animations_have_the_keys_that_other_meshes_need() {
    let place = tempfile::tempdir().expect("a folder");
    let write = |name: &str, bytes: Vec<u8>| fs::write(place.path().join(name), bytes).expect("written");
    let one = Mesh::sheet(3, 3, 2);
    let mut other = one.clone();
    other.bones[1].position = [7.0, 0.0, 0.0];
    for (name, mesh) in [("a", &one), ("b", &other)] {
        write(&format!("{name}.psk"), mesh.chunks().build().bytes);
    }
    write("walk.psa", Anim::sway(one.bones.clone(), &[("walk", 2, 30.0)]).chunks().build().bytes);
    let translations = |name: &str| {
        let file = glb(&place.path().join(name));
        let moved = |channel: &gltf::animation::Channel<'_>| {
            let target = channel.target();
            (target.property() == gltf::animation::Property::Translation)
                .then(|| target.node().name().unwrap_or_default().to_owned())
        };
        let document = file.document();
        document
            .animations()
            .flat_map(|own| own.channels().filter_map(|channel| moved(&channel)).collect::<Vec<_>>())
            .collect::<Vec<_>>()
    };
    let run = |animations: &str, folder: &str| {
        let arguments = ["a.psk", "b.psk", "walk.psa", "--fits", "fits", "--animations", animations, "-o", folder];
        let output = convert(place.path(), &arguments);
        assert_eq!(output.status.code(), Some(0), "{}", complaint(&output));
    };
    run("each", "each");
    let bone = String::from_utf8_lossy(&one.bones[1].name);
    let bone = bone.trim_end_matches(['\0', ' ']).to_owned();
    assert_eq!((translations("each/a.glb"), translations("each/b.glb")), (vec![], vec![bone.clone()]));
    run("library", "library");
    assert!(translations("library/a_animations.glb").contains(&bone), "{:?}", translations("library/a_animations.glb"));
}
