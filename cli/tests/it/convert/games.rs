//! The road back: glTF as files of 0 A.D., from the command.

use skelmap::pyrogenesis::{Pmd, Psa, Triangle};

use super::good;
use crate::run::{Folder, Ran, native};

/// A GLB of the fox of 0 A.D. with its walk, with all UV sets.
fn fox(folder: &Folder) {
    for name in ["fox.pmd", "fox_walk.psa"] {
        folder.put(format!("in/{name}"), std::fs::read(good(name)).expect("a file"));
    }
    folder.says(0, "convert in/fox.pmd in/fox_walk.psa -o fox.glb --keep-unused");
}

#[test]
fn a_mesh_and_its_animation_come_back_as_they_were() {
    let folder = Folder::new();
    fox(&folder);
    let rows = folder.says(0, "convert fox.glb -o back.pmd --frames all --format jsonl").lines();
    let kinds: Vec<_> =
        rows.iter().map(|row| (row["kind"].as_str().unwrap(), row["output"].as_str().unwrap())).collect();
    assert_eq!(kinds, [("mesh", "back.pmd"), ("animation", "back_fox_walk.psa")]);
    let (found, expected) = (folder.read("back.pmd"), folder.read("in/fox.pmd"));
    let (found, expected) = (Pmd::parse(&found).unwrap(), Pmd::parse(&expected).unwrap());
    assert_eq!(rows[0]["vertices"], expected.vertices().len());
    let positions = |mesh: &Pmd<'_>| mesh.vertices().map(|vertex| vertex.position()).collect::<Vec<_>>();
    assert_eq!(positions(&found), positions(&expected));
    let faces = |mesh: &Pmd<'_>| mesh.faces().iter().map(Triangle::vertices).collect::<Vec<_>>();
    assert_eq!(faces(&found), faces(&expected));
    let (found, expected) = (folder.read("back_fox_walk.psa"), folder.read("in/fox_walk.psa"));
    let (found, expected) = (Psa::parse(&found).unwrap(), Psa::parse(&expected).unwrap());
    assert_eq!((found.frame_count(), found.bone_count()), (expected.frame_count(), expected.bone_count()));
    for (one, other) in found.states().iter().zip(expected.states()) {
        for (one, other) in one.translation().into_iter().zip(other.translation()) {
            assert!((one - other).abs() < 1e-6);
        }
    }
}

#[test]
fn with_its_records_a_file_comes_back_with_the_same_bytes() {
    let folder = Folder::new();
    for name in ["fox.pmd", "fox_walk.psa"] {
        folder.put(format!("in/{name}"), std::fs::read(good(name)).expect("a file"));
    }
    folder.says(0, "convert in -o glb --exact");
    folder.says(0, "convert glb -o back --to pmd");
    for name in ["fox.pmd", "fox_walk.psa"] {
        assert!(folder.read(format!("back/{name}")) == folder.read(format!("in/{name}")), "{name}");
    }
    // Vertices that no triangle uses, and those in another order than that of the triangles, stay where they are.
    folder.put("in2/static.pmd", crate::run::corpus("pyrogenesis/pmd/static.pmd"));
    folder.says(0, "convert in2 -o glb2 --exact");
    folder.says(0, "convert glb2 -o back2 --to pmd");
    assert!(folder.read("back2/static.pmd") == folder.read("in2/static.pmd"));
    // Another program's file: its numbers count, whatever records it carries.
    let mut glb = folder.read("glb/fox.glb");
    let at = glb.windows(7).position(|bytes| bytes == b"skelmap").expect("a generator");
    glb[at..at + 7].copy_from_slice(b"Blender");
    folder.put("other.glb", glb);
    folder.says(0, "convert other.glb -o other.pmd --joint-order --axes game --frames all");
    let (found, expected) = (folder.read("other.pmd"), folder.read("in/fox.pmd"));
    let (found, expected) = (Pmd::parse(&found).unwrap(), Pmd::parse(&expected).unwrap());
    assert_eq!(found.vertices().len(), expected.vertices().len());
    assert!(found.bytes() != expected.bytes());
}

#[test]
fn a_mod_with_a_new_actor_has_nothing_broken() {
    let folder = Folder::new();
    fox(&folder);
    let said = folder.says(0, "convert fox.glb -o mymod/art/meshes/skeletal/fox.pmd --new-actor");
    assert!(said.complaints.contains("1 mesh, 1 animation, 1 actor written, 0 failed"), "{}", said.complaints);
    assert_eq!(
        folder
            .text("mymod/art/actors/skeletal/fox.xml")
            .matches("<animation file=\"skeletal/fox_walk.psa\" name=\"Walk\"")
            .count(),
        1
    );
    let rows = folder.says(0, "mod mymod --format jsonl").lines();
    assert!(!rows.is_empty() && rows.iter().all(|row| row["state"] == "fine"), "{rows:?}");
    let said = folder.says(0, "mod mymod");
    assert!(said.complaints.contains("0 files missing, 0 unreadable"), "{}", said.complaints);
}

#[test]
fn outputs_that_exist_stay_and_inputs_are_never_replaced() {
    let folder = Folder::new();
    fox(&folder);
    folder.put("fox_walk.psa", b"mine");
    let said = folder.says(5, "convert fox.glb -o fox.pmd");
    assert!(said.complaints.contains("fox_walk.psa: exists already (--force replaces it)"), "{}", said.complaints);
    assert!(!folder.at("fox.pmd").exists(), "none of the files of an input is written");
    assert_eq!(folder.read("fox_walk.psa"), b"mine");
    folder.says(0, "convert fox.glb -o fox.pmd --force");
    assert_ne!(folder.read("fox_walk.psa"), b"mine");
}

#[test]
fn a_folder_of_files_becomes_a_folder_of_meshes() {
    let folder = Folder::new();
    fox(&folder);
    let glb = folder.read("fox.glb");
    for name in ["a/one.glb", "a/b/two.glb", "a/broken.glb"] {
        folder.put(name, if name == "a/broken.glb" { &glb[..100] } else { &glb });
    }
    let said = folder.says(1, "convert a -o out --to pmd --format jsonl");
    let rows = said.lines();
    let failed: Vec<_> = rows.iter().filter(|row| row["status"] == "failed").collect();
    assert_eq!((rows.len(), failed.len()), (5, 1));
    assert!(failed[0]["error"].as_str().unwrap().starts_with("GLB: ends after"), "{failed:?}");
    for name in ["one.pmd", "one_fox_walk.psa", "b/two.pmd", "b/two_fox_walk.psa"] {
        assert!(folder.at("out").join(name).exists(), "{name}");
    }
    let said = folder.says(2, "convert a -o out.pmd");
    assert!(said.complaints.contains("3 files would be made, and the output is one: name a folder with -o"));
}

#[test]
fn what_is_about_gltf_is_refused_for_games() {
    let folder = Folder::new();
    fox(&folder);
    for (options, name) in [("--each-clip", "--each-clip"), ("--yaw 90", "the choices of how")] {
        let said = folder.says(2, &format!("convert fox.glb -o out --to pmd {options}"));
        assert!(said.complaints.contains(name), "{}", said.complaints);
    }
    let said = folder.says(2, "convert fox.glb -o new.pmd --resume");
    assert!(said.complaints.contains("nothing to go on with: the output is one file"), "{}", said.complaints);
    let said = folder.says(2, "convert in/fox.pmd -o psk --to psk --resume");
    assert!(said.complaints.contains("by way of glTF, which is not kept"), "{}", said.complaints);
    for (line, message) in [
        ("convert fox.glb -o fox.psa", "the output is a mesh (.pmd, .psk), and its animations lie beside it"),
        ("convert fox.glb -o new.glb", "new.glb: the output is a mesh (.pmd, .psk, .pskx) or a folder"),
        ("convert fox.glb -o new.pmd --replaces", "name a folder"),
        ("convert fox.glb --for bevy -o out", "Bevy reads glTF: nothing to convert"),
    ] {
        let said = folder.says(2, line);
        assert!(said.complaints.contains(message), "{line}: {}", said.complaints);
        assert!(!folder.at("out").exists() && !folder.at("new.pmd").exists());
    }
    let said = folder.says(2, "convert fox.glb -o fox.psk --new-actor");
    assert!(said.complaints.contains("--new-actor is for files of 0 A.D. (.pmd)"), "{}", said.complaints);
    let said = folder.says(2, "convert fox.glb in/fox.pmd -o out --to pmd");
    assert!(said.complaints.contains("in/fox.pmd: expected .glb or .gltf, as the other files"), "{}", said.complaints);
    let said = folder.says(2, "convert fox.glb -o - --to pmd");
    assert!(said.complaints.contains("name a folder"), "{}", said.complaints);
    let said = folder.says(1, "convert fox.glb -o none.pmd --sequence Nope");
    assert!(said.complaints.contains("--sequence: no animation has the name Nope"), "{}", said.complaints);
    let said = folder.says(5, "convert fox.glb -o small.pmd --max-output 1K");
    assert!(said.complaints.contains("--max-output") || said.complaints.contains("limit"), "{}", said.complaints);
    assert!(!folder.at("small.pmd").exists());
    let said = folder.says(2, "convert fox.glb -o out --to pmd --no-textures");
    assert!(said.complaints.contains("what is about textures"), "{}", said.complaints);
    let said = folder.says(3, "convert nothing.glb -o out --to pmd");
    assert!(said.complaints.contains("nothing.glb"), "{}", said.complaints);
}

#[test]
fn a_rig_of_another_program_needs_a_skeleton() {
    let folder = Folder::new();
    fox(&folder);
    let glb = folder.read("fox.glb");
    // Another program, of the same length.
    let at = glb.windows(8).position(|word| word == b"skelmap ").expect("the generator");
    let mut other = glb.clone();
    other[at..at + 8].copy_from_slice(b"Blender ");
    folder.put("rig.glb", &other);
    let said = folder.says(1, "convert rig.glb -o rig.pmd");
    assert!(said.complaints.contains("no file of skeletons says which bone each joint is"), "{}", said.complaints);
    // The directions of the bones do not tell the axes: the joints of a mesh without a hierarchy are flat.
    let said = folder.says(1, "convert rig.glb -o rig.pmd --joint-order");
    assert!(said.complaints.contains("cannot tell whose axes the joints have"), "{}", said.complaints);
    folder.says(0, "convert rig.glb -o rig.pmd --joint-order --like in/fox.pmd");
    folder.says(0, "convert fox.glb -o fox.pmd");
    assert_eq!(folder.read("rig.pmd"), folder.read("fox.pmd"));
}

#[test]
fn a_fox_of_unreal_comes_back_with_its_sequences() {
    let folder = Folder::new();
    for name in ["fox.psk", "fox.psa", "fox.config"] {
        folder.put(format!("in/{name}"), std::fs::read(good(name)).expect("a file"));
    }
    folder.says(0, "convert in/fox.psk in/fox.psa -o fox.glb");
    let rows = folder.says(0, "convert fox.glb -o back.psk --format jsonl").lines();
    let kinds: Vec<_> =
        rows.iter().map(|row| (row["kind"].as_str().unwrap(), row["output"].as_str().unwrap())).collect();
    assert_eq!(kinds, [("mesh", "back.psk"), ("animation", "back.psa")]);
    let said = folder.says(0, "match back.psk back.psa --format jsonl").lines();
    assert!(said.iter().all(|row| row["matched"] == row["bones"] || row["fits"] != "no"), "{said:?}");
    let bones = |name: &str| folder.says(0, &format!("ls {name} --format jsonl")).lines()[0]["bones"].clone();
    assert_eq!(bones("back.psk"), bones("in/fox.psk"));
    // In another unit; and as tools read it.
    folder.says(0, "convert fox.glb -o large.pskx --scale 0.001");
    let far = |name: &str| {
        let rows = folder.says(0, &format!("skin {name} --format csv"));
        let numbers = rows
            .text()
            .lines()
            .skip(1)
            .flat_map(|line| line.split(',').skip(2).take(3).filter_map(|cell| cell.parse().ok()));
        numbers.fold(0.0, |most: f64, own: f64| most.max(own.abs()))
    };
    assert!((far("large.pskx") / far("back.psk") - 10.0).abs() < 1e-3, "{} {}", far("large.pskx"), far("back.psk"));
    let said = folder.says(2, "convert fox.glb -o other.psk --to pmd");
    assert!(said.complaints.contains("pmd asks for another kind of file than this name"), "{}", said.complaints);
}

#[test]
fn a_mesh_of_one_family_becomes_one_of_another() {
    let folder = Folder::new();
    fox(&folder);
    let rows = folder.says(0, "convert in/fox.pmd in/fox_walk.psa -o fox.psk --format jsonl").lines();
    let kinds: Vec<_> =
        rows.iter().map(|row| (row["kind"].as_str().unwrap(), row["output"].as_str().unwrap())).collect();
    assert_eq!(kinds, [("mesh", "fox.psk"), ("animation", "fox.psa")]);
    // Joints of a mesh without a hierarchy are below one root.
    let count = |name: &str| folder.says(0, &format!("ls {name} --format jsonl")).lines()[0]["bones"].as_u64().unwrap();
    assert_eq!(count("fox.psk"), count("in/fox.pmd") + 1);
    folder.says(0, "convert in -o out --to psk");
    assert_eq!(folder.read("out/fox.psk"), folder.read("fox.psk"));
    // And back: through both, no point moves by more than a thousandth of a millimetre.
    folder.says(0, "convert fox.psk fox.psa -o again.pmd");
    let positions = |name: &str| {
        let bytes = folder.read(name);
        let mesh = Pmd::parse(&bytes).unwrap();
        let mut all: Vec<_> = mesh
            .faces()
            .iter()
            .flat_map(Triangle::vertices)
            .map(|vertex| mesh.vertices().get(vertex.into()).unwrap().position())
            .collect();
        all.sort_by(|one, other| one.partial_cmp(other).unwrap());
        all
    };
    let (found, expected) = (positions("again.pmd"), positions("in/fox.pmd"));
    assert_eq!(found.len(), expected.len());
}

#[test]
fn resume_keeps_what_is_made_of_the_same_file() {
    let folder = Folder::new();
    fox(&folder);
    let glb = folder.read("fox.glb");
    folder.put("in2/a.glb", &glb);
    folder.put("in2/b.glb", &glb);
    let status = |rows: &[serde_json::Value]| -> Vec<(String, String)> {
        let text = |value: &serde_json::Value| value.as_str().unwrap().to_owned();
        rows.iter().map(|row| (text(&row["status"]), text(&row["output"]))).collect()
    };
    let run = "convert in2 -o out --to pmd --format jsonl";
    assert_eq!(status(&folder.says(0, run).lines()).len(), 4);
    folder.says(5, run);
    let resumed = status(&folder.says(0, &format!("{run} --resume")).lines());
    assert_eq!(resumed, [("kept".into(), native("out/a.pmd")), ("kept".into(), native("out/b.pmd"))]);
    // A file that is gone, or has another content, is made again; one of the user stays.
    std::fs::remove_file(folder.at("out/a_fox_walk.psa")).unwrap();
    let resumed = status(&folder.says(0, &format!("{run} --resume")).lines());
    assert_eq!(resumed.iter().map(|(status, _)| status.as_str()).collect::<Vec<_>>(), ["written", "written", "kept"]);
    folder.put("out/b.pmd", b"mine");
    let rows = folder.says(5, &format!("{run} --resume")).lines();
    assert_eq!(status(&rows)[1].0, "failed");
    assert_eq!(folder.read("out/b.pmd"), b"mine");
    // In a mod, animations lie beside the folder of the outputs; the folder is also the one that the command works in.
    let run = "convert in2 -o mod/art/meshes/skeletal --to pmd --new-actor --format jsonl";
    assert_eq!(status(&folder.says(0, run).lines()).len(), 6);
    let kept = |rows: &[serde_json::Value]| status(rows).iter().map(|(status, _)| status.clone()).collect::<Vec<_>>();
    assert_eq!(kept(&folder.says(0, &format!("{run} --resume")).lines()), ["kept"; 2]);
    std::fs::remove_dir_all(folder.at("mod/art/animation")).unwrap();
    let arguments =
        ["convert", "../../../../in2", "-o", ".", "--to", "pmd", "--new-actor", "--format", "jsonl", "--force"];
    let mut command = folder.command(&arguments);
    let ran = Ran::of(command.current_dir(folder.at("mod/art/meshes/skeletal")));
    assert_eq!(ran.lines().len(), 6, "{}", ran.complaints);
    assert!(folder.at("mod/art/animation/skeletal/a_fox_walk.psa").is_file());
    // Other options make other files.
    let run = "convert in2 -o out --to pmd --format jsonl";
    let rows = folder.says(5, &format!("{run} --resume --frames engine")).lines();
    assert_eq!(status(&rows)[0].0, "written");
    assert!(Psa::parse(&folder.read("out/a_fox_walk.psa")).unwrap().frame_count() > 0);
}

#[test]
fn patterns_choose_among_the_files_of_a_folder() {
    let folder = Folder::new();
    fox(&folder);
    for name in ["a", "b", "b2"] {
        folder.put(format!("in2/{name}.glb"), folder.read("fox.glb"));
    }
    let rows = folder.says(0, "convert in2 -o out --to pmd --glob b* --glob !b2* --format jsonl").lines();
    let outputs: Vec<_> = rows.iter().map(|row| row["output"].as_str().unwrap()).collect();
    assert_eq!(outputs, [native("out/b.pmd"), native("out/b_fox_walk.psa")]);
}

#[test]
fn skeletons_are_read_from_an_archive_of_the_game() {
    let folder = Folder::new();
    fox(&folder);
    // The fox has 23 bones: a skeleton of their names in the opposite order.
    let glb = folder.read("fox.glb");
    let gltf = skelmap_write::Gltf::parse(&glb).unwrap();
    let names: Vec<String> = gltf.to_model(None).unwrap().joints.iter().map(|joint| joint.name.clone()).collect();
    let bones: Vec<String> = names.iter().rev().map(|name| format!("<bone name=\"{name}\"/>")).collect();
    let bones = bones.concat();
    let text =
        format!("<skeletons><standard_skeleton id=\"Turned\" title=\"Turned\">{bones}</standard_skeleton></skeletons>");
    let entry = test_support::build_zip::Entry::stored("art/skeletons/turned.xml", text);
    folder.put("mod.zip", test_support::build_zip::Zip::of([entry]).build().bytes);
    let blend = |bytes: &[u8]| {
        let mesh = Pmd::parse(bytes).unwrap();
        let vertex = mesh.vertices().get(0).unwrap();
        (mesh.bone_count(), vertex.blend().influences().next().unwrap().0)
    };
    let (count, first) = blend(&folder.read("in/fox.pmd"));
    folder.says(0, "convert fox.glb -o a.pmd --skeleton mod.zip");
    folder.says(0, "convert fox.glb -o b.pmd --skeleton mod.zip!/art/skeletons/turned.xml");
    folder.says(0, "convert fox.glb -o c.pmd");
    for name in ["a.pmd", "b.pmd"] {
        assert_eq!(blend(&folder.read(name)), (count, count as u8 - 1 - first), "{name}");
    }
    assert_eq!(blend(&folder.read("c.pmd")), (count, first));
    let said = folder.says(3, "convert fox.glb -o d.pmd --skeleton mod.zip!/none.xml");
    assert!(said.complaints.contains("none.xml"), "{}", said.complaints);
}

/// In files of this project, joints are bones in their own order; a mesh of Unreal has a root more than the game.
#[test]
fn a_skeleton_that_is_named_decides_for_files_of_this_project_too() {
    let folder = Folder::new();
    fox(&folder);
    let glb = folder.read("fox.glb");
    let gltf = skelmap_write::Gltf::parse(&glb).unwrap();
    let joints = gltf.to_model(None).unwrap().joints;
    let skeleton = |names: &[&str]| {
        let bones: Vec<_> = names.iter().map(|name| format!("<bone name=\"{name}\"/>")).collect();
        let bones = bones.concat();
        format!("<skeletons><standard_skeleton id=\"Own\" title=\"Own\">{bones}</standard_skeleton></skeletons>")
    };
    let names: Vec<_> = joints.iter().map(|joint| joint.name.as_str()).collect();
    folder.put("own.xml", skeleton(&names));
    folder.put("wrong.xml", skeleton(&["hip", "knee"]));
    folder.says(0, "convert in/fox.pmd in/fox_walk.psa -o fox.psk");
    let bones = |name: &str| Pmd::parse(&folder.read(name)).unwrap().bone_count();
    folder.says(0, "convert fox.psk fox.psa -o order.pmd");
    let said = folder.says(0, "convert fox.psk fox.psa -o own.pmd --skeleton own.xml --format jsonl").lines();
    assert_eq!((bones("order.pmd"), bones("own.pmd")), (names.len() + 1, names.len()));
    assert!(said[0]["notes"].to_string().contains("skeleton Own"), "{}", said[0]);
    folder.says(0, "match in/fox.pmd own_fox_walk.psa");
    for line in ["convert fox.psk -o no.pmd --skeleton wrong.xml", "convert fox.glb -o no.pmd --skeleton wrong.xml"] {
        let said = folder.says(1, line);
        assert!(said.complaints.contains("no skeleton has the names of these joints"), "{}", said.complaints);
    }
    let said = folder.says(1, "convert fox.psk -o no.pmd --skeleton own.xml --unknown refuse");
    assert!(said.complaints.contains("ROOT"), "{}", said.complaints);
    assert!(!folder.at("no.pmd").exists());
    for option in ["--frames loop", "--unknown drop", "--skeleton own.xml"] {
        let said = folder.says(2, &format!("convert fox.glb -o no.psk {option}"));
        assert!(said.complaints.contains("is for files of 0 A.D. (.pmd)"), "{}", said.complaints);
    }
}

#[test]
fn what_cannot_become_gltf_is_said_without_the_names_of_temporary_files() {
    let folder = Folder::new();
    folder.put("text.dae", "<?xml version=\"1.0\"?><COLLADA/>");
    let said = folder.says(3, "convert text.dae -o text.pmd");
    assert!(said.complaints.contains("text.dae") && !said.complaints.contains("gltf:"), "{}", said.complaints);
}

#[test]
fn what_another_family_is_made_of_is_never_replaced() {
    let folder = Folder::new();
    for name in ["fox.psk", "fox.psa"] {
        folder.put(name, std::fs::read(good(name)).expect("a file"));
    }
    let before = (folder.read("fox.psk"), folder.read("fox.psa"));
    for line in ["convert fox.psk fox.psa -o . --to psk --force", "convert fox.psk -o fox.psk --force --to psk"] {
        let said = folder.says(5, line);
        assert!(said.complaints.contains("is one of the inputs"), "{line}: {}", said.complaints);
        assert_eq!((folder.read("fox.psk"), folder.read("fox.psa")), before, "{line}");
    }
    // A hidden file that is named is an input as any other.
    folder.put(".hidden.psk", &before.0);
    folder.says(0, "convert .hidden.psk -o out --to psk");
    assert!(folder.at("out/.hidden.psk").exists());
}

#[test]
fn two_inputs_never_make_one_file() {
    let folder = Folder::new();
    fox(&folder);
    let glb = folder.read("fox.glb");
    folder.put("in2/a.glb", &glb);
    // The animation of a.glb is a_fox_walk.psa, and so is that of a_fox.glb.
    let (old, new) = (b"\"name\":\"fox_walk\"", b"\"name\":\"walk\"    ");
    let at = glb.windows(old.len()).position(|bytes| bytes == old).expect("a clip");
    let mut other = glb;
    other[at..at + old.len()].copy_from_slice(new);
    folder.put("in2/a_fox.glb", other);
    let said = folder.says(1, "convert in2 -o out --to pmd --jobs 1");
    assert!(said.complaints.contains("in2/a.glb makes this file too"), "{}", said.complaints);
    assert!(folder.at("out/a_fox_walk.psa").exists() && !folder.at("out/a_fox.pmd").exists());
}
