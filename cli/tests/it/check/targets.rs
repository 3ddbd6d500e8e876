//! `check --for`: what a program would refuse or spoil. The rules are those of `docs/site/src/reference/targets.md`.

use crate::run::{Folder, corpus};

/// The codes of a file for a target, with their severities.
fn codes(target: &str, name: &str) -> Vec<(String, String)> {
    let folder = Folder::new();
    let own = name.rsplit('/').next().unwrap();
    folder.put(own, corpus(name));
    let ran = folder.run(&["check", "--for", target, "--level", "note", "--format", "jsonl", own]);
    let rows = ran.lines();
    let text = |value: &serde_json::Value| value.as_str().unwrap().to_owned();
    let findings = rows[0]["findings"].as_array().unwrap();
    findings.iter().map(|finding| (text(&finding["code"]), text(&finding["severity"]))).collect()
}

fn has(target: &str, name: &str, code: &str, severity: &str) {
    let found = codes(target, name);
    assert!(found.contains(&(code.to_owned(), severity.to_owned())), "{target}, {name}: {found:?}");
}

#[test]
fn a_clean_file_is_clean_for_what_reads_it() {
    for target in ["ut99", "ut2004", "udk", "umodel", "blender"] {
        assert_eq!(codes(target, "actorx/mesh/classic.psk"), [], "{target}");
        assert_eq!(codes(target, "actorx/anim/classic.psa"), [], "{target}");
    }
    assert_eq!(codes("0ad", "pyrogenesis/pmd/skinned.pmd"), []);
}

#[test]
fn a_file_of_another_family_is_named_for_what_it_is() {
    has("0ad", "actorx/mesh/classic.psk", "target-format", "error");
    has("ut99", "pyrogenesis/pmd/skinned.pmd", "target-format", "error");
    // What reads glTF reads none of the formats: `convert` is between them.
    for target in ["bevy", "godot", "unity"] {
        let only = ("target-format".to_owned(), "note".to_owned());
        assert_eq!(codes(target, "pyrogenesis/pmd/skinned.pmd"), [only], "{target}");
    }
}

#[test]
fn importers_that_read_by_place_need_the_classic_chunks() {
    has("ut2004", "actorx/mesh/everything.pskx", "target-chunk", "note");
    has("ut2004", "actorx/mesh/duplicate_head.psk", "target-chunk", "error");
    has("ut2004", "actorx/mesh/shuffled.psk", "target-chunk", "error");
    has("ut2004", "actorx/mesh/face32_few_wedges.pskx", "target-chunk", "error");
    has("udk", "actorx/anim/scale_keys.psa", "target-chunk", "warning");
    for name in ["actorx/mesh/everything.pskx", "actorx/mesh/shuffled.psk", "actorx/anim/scale_keys.psa"] {
        assert!(codes("umodel", name).iter().all(|(code, _)| code != "target-chunk"), "{name}");
    }
}

#[test]
fn a_finding_is_as_bad_as_it_is_for_the_target() {
    has("ut99", "actorx/mesh/point_unweighted.psk", "point-unweighted", "error");
    has("blender", "actorx/mesh/point_unweighted.psk", "point-unweighted", "note");
    has("ut99", "actorx/mesh/several_roots.psk", "bone-extra-root", "error");
    has("blender", "actorx/mesh/name_cp1252.psk", "name-encoding", "error");
    has("0ad", "pyrogenesis/pmd/name_duplicate.pmd", "name-duplicate", "warning");
}

#[test]
fn a_name_that_old_importers_do_not_take_is_named() {
    has("ut99", "actorx/mesh/name_utf8.psk", "target-name", "warning");
    has("blender", "actorx/mesh/name_unterminated.psk", "target-name", "warning");
}

#[test]
fn gltf_files_are_checked_for_what_convert_makes_of_them() {
    let folder = Folder::new();
    folder.put("in/fox.pmd", corpus("pyrogenesis/pmd/skinned.pmd"));
    folder.says(0, "convert in/fox.pmd -o models/fox.glb");
    folder.put("models/broken.glb", b"glTF");
    let rows = folder.says(1, "check --for 0ad models --format jsonl").lines();
    let paths: Vec<_> = rows.iter().map(|row| row["path"].as_str().unwrap()).collect();
    assert_eq!(paths, ["models/broken.glb", "models/fox.glb"]);
    assert!(rows[0]["error"]["message"].is_string() && rows[1]["error"].is_null(), "{rows:?}");
    assert_eq!(rows[1]["findings"].as_array().unwrap().len(), 0);
    // Without a texture, the set of the file is left out on the way to glTF, so that 0 A.D. gets zeros: for all points of the first file.
    let points = folder.says(0, "ls in --format jsonl").lines()[0]["points"].clone();
    let rows = folder.says(1, "check --for 0ad models/fox.glb --level note --format jsonl").lines();
    let found: Vec<_> =
        rows[0]["findings"].as_array().unwrap().iter().map(|own| [&own["code"], &own["message"]]).collect();
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0][0], "target-loss");
    let message = found[0][1].as_str().unwrap();
    assert!(message.starts_with(&format!("{points} vertices without texture coordinates")), "{message}");
    folder.says(0, "convert in/fox.pmd -o all/fox.glb --keep-unused");
    assert!(
        folder.says(0, "check --for 0ad all/fox.glb --level note --format jsonl").text().contains("\"findings\":[]")
    );
}

/// The scenes of `formats/writing.md`, section 2: attachments of the scene, and two influences too weak for the game.
#[test]
fn what_is_lost_of_scenes_of_blender_is_counted() {
    let Some(folder) = test_support::corpus::samples("zeroad") else { return };
    let scenes = [
        ("s02_props.glb", "2 attachments left out"),
        ("s02_props.glb", "1 prop point without the number"),
        ("s03_influences.glb", "12 influences below 0.001"),
    ];
    for (scene, expected) in scenes {
        let path = folder.join(scene);
        let ran = Folder::new().run(&["check", "--for", "0ad", "--level", "note", path.to_str().expect("text")]);
        assert!(ran.text().contains(expected), "{scene}: {}", ran.text());
    }
}

#[test]
fn convert_makes_what_a_target_reads() {
    let folder = Folder::new();
    folder.put("a.psk", corpus("actorx/mesh/several_roots.psk"));
    folder.says(1, "check --for ut99 a.psk");
    folder.says(0, "convert a.psk --for ut99 -o b.psk");
    folder.says(0, "check --for ut99 b.psk");
    let said = folder.says(2, "convert a.psk --for ut99 -o b.pmd");
    assert!(said.complaints.contains("ut99 does not read files in .pmd"), "{}", said.complaints);
}
