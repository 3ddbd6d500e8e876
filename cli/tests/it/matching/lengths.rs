//! "Why do my character's arms break?": four reasons, and what `match` says of each.

use crate::run::Folder;
use test_support::actorx::build::{Bone, IDENTITY};
use test_support::actorx::corpus::sample::{figure, walk};

/// The mesh of a figure and an animation of it, with other translations.
fn folder(scale: impl Fn(usize) -> f32) -> Folder {
    let folder = Folder::new();
    folder.put("figure.psk", figure().chunks().build().bytes);
    let mut walk = walk();
    for (index, key) in walk.keys.iter_mut().enumerate() {
        key.position = key.position.map(|part| part * scale(index % 4));
    }
    folder.put("walk.psa", walk.chunks().build().bytes);
    folder
}

fn row(folder: &Folder, status: i32, files: &str) -> serde_json::Value {
    let rows = folder.says(status, &format!("match {files} --format jsonl")).lines();
    assert_eq!(rows.len(), 1);
    rows[0].clone()
}

#[test]
fn the_animation_of_this_character_keeps_the_lengths() {
    let row = row(&folder(|_| 1.0), 0, "figure.psk walk.psa");
    assert_eq!(
        (&row["verdict"], &row["lengths_compared"], &row["lengths_changed"]),
        (&"exact".into(), &3.into(), &0.into())
    );
    assert_eq!((&row["length_ratio"], &row["next"]), (&1.0.into(), &serde_json::Value::Null));
}

#[test]
fn an_animation_of_another_character_is_told_by_its_bones() {
    let folder = folder(|_| 1.0);
    let mut other = walk();
    other.bones = ["Hips", "Chest", "Jaw", "Root"].map(|name| Bone::new(name, 0, [0.0; 3], IDENTITY)).to_vec();
    folder.put("walk.psa", other.chunks().build().bytes);
    let row = row(&folder, 1, "figure.psk walk.psa");
    assert_eq!(row["verdict"], "hardly");
    assert_eq!(row["next"], "take the animations of this skeleton, or retarget in an editor");
    assert_eq!(row["lengths_changed"], serde_json::Value::Null);
}

#[test]
fn a_missing_side_car_is_told_by_the_lengths_of_bones() {
    // Bone 2 is Arm_L: half as long again as in the mesh.
    let folder = folder(|bone| if bone == 2 { 1.5 } else { 1.0 });
    let found = row(&folder, 0, "figure.psk walk.psa");
    assert_eq!((&found["lengths_compared"], &found["lengths_changed"]), (&3.into(), &1.into()));
    let message = found["message"].as_str().expect("a message");
    assert!(
        message.contains("1 of 3 bones has another length in the animation") && message.contains("Arm_L"),
        "{message}"
    );
    assert!(found["next"].as_str().is_some_and(|next| next.contains(".config")), "{found}");
    // With the side-car, which takes this length from the mesh.
    folder.put("walk.config", b"[ForceMeshTranslationBoneNames]\nArm_L\n");
    let found = row(&folder, 0, "figure.psk walk.psa");
    assert_eq!((&found["lengths_compared"], &found["lengths_changed"]), (&2.into(), &0.into()));
    // With one that cannot be read: it is too long. What it says is not known.
    let long = std::fs::File::create(folder.at("walk.config")).expect("made");
    long.set_len(65 << 20).expect("a sparse file");
    for line in ["match figure.psk walk.psa", "sheet figure.psk walk.psa --film 2 -o film.png"] {
        let ran = folder.says(1, line);
        assert!(ran.complaints.contains("walk") || ran.text().contains("walk"), "{}", ran.complaints);
    }
    // With one that says nothing of this bone.
    folder.put("walk.config", b"[ForceMeshTranslationBoneNames]\nHead\n");
    let found = row(&folder, 0, "figure.psk walk.psa");
    assert_eq!(found["lengths_changed"], 1);
    assert!(found["next"].as_str().is_some_and(|next| next.contains("does not change these bones")), "{found}");
}

#[test]
fn other_units_are_told_by_the_lengths_of_all_bones() {
    let folder = folder(|_| 0.01);
    let found = row(&folder, 0, "figure.psk walk.psa");
    assert_eq!(found["lengths_changed"], 3);
    assert!((found["length_ratio"].as_f64().expect("a ratio") - 0.01).abs() < 1e-6);
    let message = found["message"].as_str().expect("a message");
    assert!(message.contains("the bones are 100 times as short in the animation: the units differ"), "{message}");
    assert!(found["next"].as_str().is_some_and(|next| next.contains("one unit")), "{found}");
}

#[test]
fn another_order_of_bones_without_names_is_told_by_their_distances() {
    let folder = Folder::new();
    let (mesh, walk) = ("corpus/fox.pmd", "corpus/fox_walk.psa");
    let read = |path: &str| std::fs::read(test_support::corpus::folder().join("../..").join(path)).expect("a file");
    folder.put("fox.pmd", read(mesh));
    let bytes = read(walk);
    folder.put("walk.psa", &bytes);
    assert_eq!(row(&folder, 0, "fox.pmd walk.psa")["verdict"], "fits");
    // The last bone first.
    let (bones, states) = {
        let animation = skelmap::pyrogenesis::Psa::parse(&bytes).expect("an animation");
        (animation.bone_count(), bytes.len() - animation.states().len() * 28)
    };
    let mut turned = bytes[..states].to_vec();
    for frame in bytes[states..].chunks(bones * 28) {
        frame.rchunks(28).for_each(|state| turned.extend(state));
    }
    folder.put("walk.psa", turned);
    let found = row(&folder, 1, "fox.pmd walk.psa");
    assert_eq!(found["verdict"], "same-count");
    let message = found["message"].as_str().expect("a message");
    assert!(message.contains("the skeleton's size: another skeleton, or another order of bones"), "{message}");
}

#[test]
fn bones_that_move_points_and_stand_still_are_counted_and_named() {
    let folder = folder(|_| 1.0);
    let found = row(&folder, 0, "figure.psk walk.psa");
    assert_eq!((&found["bones_still"], &found["bone_names"]["still"]), (&0.into(), &serde_json::json!([])));
    let mut still = walk();
    for index in (0..still.keys.len()).filter(|index| index % 4 == 2) {
        still.keys[index] = still.keys[2];
    }
    folder.put("walk.psa", still.chunks().build().bytes);
    let found = row(&folder, 0, "figure.psk walk.psa");
    assert_eq!((&found["bones_still"], &found["bone_names"]["still"]), (&1.into(), &serde_json::json!(["Arm_L"])));
}
