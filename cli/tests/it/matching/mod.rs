//! `skelmap match`: what it prints, in every form, and how it ends.

mod can_play;
mod lengths;
mod skeletons;
mod verdicts;

use serde_json::Value;

use crate::run::{Folder, animation, corpus, deflated, keys_of, mesh, stored};
use test_support::pyrogenesis::build::Pmd;

type Bones<'a> = &'a [(&'a str, i32)];

const MESH: Bones = &[("Root", 0), ("Pelvis", 0), ("Spine", 1), ("Head", 2)];

const KEYS: [&str; 25] = [
    "schema",
    "path",
    "entry",
    "address",
    "mesh",
    "mesh_entry",
    "mesh_address",
    "verdict",
    "matched",
    "missing",
    "extra",
    "reparented",
    "is_flat",
    "by_name",
    "length_change",
    "skeleton",
    "lengths_compared",
    "lengths_changed",
    "length_ratio",
    "bones_still",
    "percent_of_mesh",
    "percent_of_animation",
    "message",
    "next",
    "bone_names",
];

/// A mesh and an animation for each verdict, the last two in archives.
fn folder() -> Folder {
    let folder = Folder::new();
    let with = |bones: Bones| animation(bones, &[("Walk", 1, 30.0)]);
    folder.put("mesh.psk", mesh(MESH));
    folder.put("anims/1.psa", with(MESH));
    folder.put("anims/2.psa", with(&MESH[..1]));
    folder.put("anims/3.psa", with(&[("root", 0), ("x", 0)]));
    folder.put("anims/4.zip", stored(&[("in/hardly.psa", &with(&[("x", 0), ("y", 0), ("ROOT ", 0)]))]));
    folder.put("anims/5.zip", deflated(&[("in/not.psa", &with(&[("x", 0), ("y", 0)]))]));
    folder
}

/// Path, entry, verdict, the four counts, the two percentages.
type Row = (&'static str, Option<&'static str>, &'static str, [u64; 4], [f64; 2]);

const EXPECTED: [Row; 5] = [
    ("anims/1.psa", None, "exact", [4, 0, 0, 0], [100.0, 100.0]),
    ("anims/2.psa", None, "fits", [1, 3, 0, 0], [25.0, 100.0]),
    ("anims/3.psa", None, "in-part", [1, 3, 1, 0], [25.0, 50.0]),
    ("anims/4.zip", Some("in/hardly.psa"), "hardly", [1, 3, 2, 1], [25.0, 100.0 / 3.0]),
    ("anims/5.zip", Some("in/not.psa"), "not", [0, 4, 2, 0], [0.0, 0.0]),
];

fn is_expected(rows: &[Value]) {
    assert_eq!(rows.len(), EXPECTED.len());
    for (row, (path, entry, verdict, counts, percents)) in rows.iter().zip(EXPECTED) {
        assert_eq!((&row["schema"], &row["path"], &row["entry"]), (&1.into(), &path.into(), &entry.into()));
        assert_eq!((&row["verdict"], &row["by_name"]), (&verdict.into(), &true.into()), "{path}");
        let found = ["matched", "missing", "extra", "reparented"].map(|key| row[key].as_u64().expect("a count"));
        assert_eq!(found, counts, "{path}");
        let found = ["percent_of_mesh", "percent_of_animation"].map(|key| row[key].as_f64().expect("a number"));
        assert_eq!(found, percents, "{path}");
        assert!(!row["message"].as_str().expect("a sentence").is_empty());
    }
}

#[test]
fn json_has_the_documented_keys_in_their_order() {
    let folder = folder();
    let ran = folder.says(0, "match mesh.psk anims --format jsonl");
    assert!(ran.text().lines().all(|line| keys_of(line) == KEYS), "{}", ran.text());
    is_expected(&ran.lines());
    assert_eq!(ran.complaints, "skelmap: 2 of 5 animations fit\n");
    let array = folder.says(0, "match mesh.psk anims --format json");
    is_expected(&serde_json::from_slice::<Vec<Value>>(&array.out).expect("an array"));
}

#[test]
fn csv_and_table_have_the_values_of_json() {
    let folder = folder();
    let csv = folder.says(0, "match mesh.psk anims --format csv");
    let lines: Vec<&str> = csv.text().lines().collect();
    assert_eq!(lines[0], KEYS[1..KEYS.len() - 1].join(","));
    let hardly = "anims/4.zip,in/hardly.psa,anims/4.zip!/in/hardly.psa,mesh.psk,,mesh.psk,hardly,1,3,2,1,false,true,,,,,,,25,33.33333333333333";
    assert!(lines[4].starts_with(hardly), "{}", lines[4]);
    assert_eq!(lines.len(), 6);
    let table = folder.says(0, "match mesh.psk anims");
    let lines: Vec<&str> = table.text().lines().collect();
    assert_eq!(lines.len(), 6, "{}", table.text());
    for (line, (path, entry, verdict, ..)) in lines[1..].iter().zip(EXPECTED) {
        let place = entry.map_or(path.to_owned(), |entry| format!("{path}!/{entry}"));
        assert!(line.starts_with(verdict) && line.contains(&place), "{line}");
    }
}

#[test]
fn the_option_fits_lists_only_animations_that_fit() {
    let folder = folder();
    let rows = folder.says(0, "match mesh.psk anims --fits --format jsonl").lines();
    let verdicts: Vec<&Value> = rows.iter().map(|row| &row["verdict"]).collect();
    assert_eq!(verdicts, ["exact", "fits"]);
    let none = folder.says(1, "match mesh.psk anims/3.psa anims/5.zip --fits --format jsonl");
    assert_eq!((none.out.len(), none.complaints.as_str()), (0, "skelmap: 0 of 2 animations fit\n"));
}

#[test]
fn the_order_does_not_depend_on_the_number_of_jobs() {
    let folder = folder();
    for index in 0..40 {
        folder.put(format!("more/{index}.psa"), animation(&MESH[..=index % 4], &[]));
    }
    let one = folder.says(0, "match mesh.psk more anims --jobs 1 --format jsonl").out;
    assert_eq!(one, folder.says(0, "match mesh.psk more anims --jobs 8 --format jsonl").out);
}

#[test]
fn a_mesh_in_an_archive_matches_like_a_loose_mesh() {
    let folder = folder();
    folder.put("mod.zip", deflated(&[("art/mesh.psk", &mesh(MESH))]));
    let loose = folder.says(0, "match mesh.psk anims --format csv");
    let packed = folder.says(0, "match mod.zip!/art/mesh.psk anims --format csv");
    assert_eq!(
        packed.text().replace(",mod.zip,art/mesh.psk,mod.zip!/art/mesh.psk,", ",mesh.psk,,mesh.psk,"),
        loose.text()
    );
}

#[test]
fn pyrogenesis_animations_match_by_number() {
    let folder = Folder::new();
    folder.put("horse.pmd", test_support::pyrogenesis::build::Pmd::grid(3, 3, 3, 1).build().bytes);
    for bones in 2..5 {
        let bytes = test_support::pyrogenesis::build::Psa::walk(bones, 2).build().bytes;
        folder.put(format!("anims/{bones}.psa"), bytes);
    }
    let rows = folder.says(0, "match horse.pmd anims --format jsonl").lines();
    let verdicts: Vec<&Value> = rows.iter().map(|row| &row["verdict"]).collect();
    assert_eq!(verdicts, ["not", "fits", "not"]);
    assert!(rows.iter().all(|row| row["by_name"] == false));
    assert_eq!(rows[1]["length_change"].as_f64().map(|change| change < 0.001), Some(true), "{rows:?}");
}

#[test]
fn json_names_the_bones_that_differ() {
    let folder = folder();
    folder.put("anims/6.psa", animation(&[("Root", 0), ("Pelvis", 0), ("Head", 1), ("Tail", 1)], &[("Walk", 1, 30.0)]));
    let row = &folder.says(1, "match mesh.psk anims/6.psa --format jsonl").lines()[0];
    let names = serde_json::json!({
        "matched": ["Root", "Pelvis", "Head"], "missing": ["Spine"], "extra": ["Tail"],
        "reparented": [{"bone": "Head", "in_mesh": "Spine", "in_animation": "Pelvis"}], "still": [],
    });
    assert_eq!(row["bone_names"], names);
    assert_eq!(row["next"], "compare the names: --format json lists the bones that differ");
}

#[test]
fn an_animation_finds_its_mesh_and_many_find_theirs() {
    let folder = folder();
    folder.put("meshes/a.psk", mesh(MESH));
    folder.put("meshes/b.psk", mesh(&[("Root", 0), ("Wheel", 0)]));
    let of = |line: &str| -> Vec<(String, String, String)> {
        let text = |value: &Value| value.as_str().expect("a text").to_owned();
        let rows = folder.says(0, line).lines();
        rows.iter().map(|row| (text(&row["path"]), text(&row["mesh"]), text(&row["verdict"]))).collect()
    };
    let own =
        |path: &str, mesh: &str, verdict: &str| (path.to_owned(), format!("meshes/{mesh}.psk"), verdict.to_owned());
    let (both, exact) = (own("anims/1.psa", "b", "in-part"), own("anims/1.psa", "a", "exact"));
    // 4 bones, of which the second mesh has one: fewer than half.
    let both = (both.0, both.1, "hardly".to_owned());
    assert_eq!(of("match anims/1.psa meshes --format jsonl"), [exact.clone(), both]);
    assert_eq!(of("match anims/1.psa meshes --best --format jsonl"), std::slice::from_ref(&exact));
    let best = of("match meshes anims --best --format jsonl");
    assert_eq!(best[0], exact);
    assert_eq!(best.len(), 4, "the last animation has no bone of any mesh");
    assert_eq!(of("match meshes anims --best --fits --format jsonl").len(), 2);
    assert_eq!(of("match anims meshes --best --format jsonl"), best, "the order of the paths does not matter");
    let table = folder.says(0, "match meshes anims --best");
    assert!(table.text().lines().next().is_some_and(|line| line.contains(" mesh ")), "{}", table.text());
    let refused = folder.says(2, "match anims anims");
    assert!(refused.complaints.contains("no mesh: expected a mesh and animations"), "{}", refused.complaints);
}

#[test]
fn other_files_are_skipped_unless_they_are_named() {
    let folder = folder();
    folder.put("mixed/a.psa", corpus("pyrogenesis/psa/walk.psa"));
    folder.put("mixed/b.gsa", corpus("swat3/gsa/plain.gsa"));
    folder.put("mixed/c.psk", mesh(MESH));
    folder.put("mixed/d.psa", b"nothing");
    folder.put("mixed/e.psa", animation(MESH, &[]));
    let ran = folder.says(0, "match mesh.psk mixed --format jsonl");
    assert_eq!((ran.lines().len(), ran.complaints.as_str()), (1, "skelmap: 1 of 1 animation fits\n"));
    for file in ["a.psa", "b.gsa", "c.psk", "d.psa", "none.psa"] {
        let ran = folder.says(1, &format!("match mesh.psk mixed/e.psa mixed/{file} --format jsonl"));
        assert_eq!(ran.lines().len(), 1, "{file}");
        assert!(ran.complaints.starts_with(&format!("skelmap: mixed/{file}: ")), "{}", ran.complaints);
    }
}

#[test]
fn the_exit_status_depends_on_the_result() {
    let folder = folder();
    folder.put("damaged.psk", corpus("actorx/damaged/overrun.psk"));
    folder.put("empty/notes.txt", b"");
    folder.says(0, "match mesh.psk anims/1.psa");
    folder.says(1, "match mesh.psk anims/5.zip");
    folder.says(1, "match damaged.psk anims");
    folder.says(2, "match anims/1.psa anims");
    folder.says(2, "match mesh.psk");
    folder.says(3, "match none.psk anims");
    folder.says(3, "match mesh.psk empty");
    let missing = folder.says(3, "match anims/4.zip!/none.psk anims");
    assert!(missing.complaints.contains("none.psk"), "{}", missing.complaints);
}

#[test]
fn a_damaged_animation_in_a_folder_is_named() {
    let folder = Folder::new();
    let (mesh, animation) = (corpus("actorx/mesh/classic.psk"), corpus("actorx/anim/classic.psa"));
    folder.put("mesh.psk", mesh);
    folder.put("art/cut.psa", &animation[..animation.len() - 1]);
    let ran = folder.says(1, "match mesh.psk art");
    assert!(ran.complaints.starts_with("skelmap: art/cut.psa: at byte "), "{}", ran.complaints);
    folder.put("art/whole.psa", animation);
    let ran = folder.says(1, "match mesh.psk art");
    assert!(ran.complaints.contains("skelmap: art/cut.psa: at byte "), "{}", ran.complaints);
    assert!(ran.complaints.ends_with("1 of 1 animation fits\n"), "{}", ran.complaints);
}

#[test]
fn a_limit_changes_neither_the_count_nor_the_status() {
    let folder = folder();
    folder.put("anims/0.psa", animation(&[("x", 0), ("y", 0)], &[("Walk", 1, 30.0)]));
    let all = folder.says(0, "match mesh.psk anims --format jsonl");
    let count = all.complaints.lines().last().expect("a count").to_owned();
    assert!(count.ends_with("2 of 6 animations fit"), "{count}");
    for limit in [0, 1, 6] {
        let ran = folder.says(0, &format!("match mesh.psk anims --format jsonl --limit {limit}"));
        assert_eq!((ran.lines().len(), ran.complaints), (limit, all.complaints.clone()));
        assert!(all.out.starts_with(&ran.out));
    }
}

#[test]
fn a_table_says_what_many_rows_mean_once() {
    let folder = Folder::new();
    folder.put("mesh.psk", mesh(MESH));
    for index in 0..15 {
        folder.put(format!("anims/{index:02}.psa"), animation(&[("x", 0), ("y", 0)], &[("Walk", 1, 30.0)]));
    }
    let ran = folder.says(1, "match mesh.psk anims");
    assert_eq!(
        (ran.text().lines().count(), ran.text().matches("no bone in common").count()),
        (16, 1),
        "{}",
        ran.text()
    );
    assert_eq!((ran.complaints.lines().count(), ran.complaints.matches("skelmap: next: ").count()), (2, 1));
    let rows = folder.says(1, "match mesh.psk anims --format jsonl").lines();
    let is_whole = |row: &Value| row["message"].is_string() && row["next"].is_string();
    assert!(rows.len() == 15 && rows.iter().all(is_whole));
}

/// Meshes with the very bones: what their names and places say decides, and last the number of points.
#[test]
fn of_equal_matches_the_best_has_the_name_or_is_the_nearest_or_the_largest() {
    let folder = Folder::new();
    let mesh = |size| Pmd::grid(size, size, 3, 1).build().bytes;
    let walk = corpus("pyrogenesis/psa/walk.psa");
    for (name, size) in [("far/hat.pmd", 9), ("near/cap.pmd", 2), ("near/dog.pmd", 3), ("far/cat_mesh.pmd", 2)] {
        folder.put(format!("m/{name}"), mesh(size));
    }
    for name in ["m/near/walk.psa", "m/near/cat_anims.psa", "m/far/run.psa"] {
        folder.put(name, &walk);
    }
    let rows = folder.says(0, "match m m --best --format jsonl").lines();
    let pairs: Vec<_> = rows.iter().map(|row| format!("{} {}", row["path"], row["mesh"]).replace('"', "")).collect();
    assert_eq!(
        pairs,
        ["m/far/run.psa m/far/hat.pmd", "m/near/cat_anims.psa m/far/cat_mesh.pmd", "m/near/walk.psa m/near/dog.pmd"]
    );
}

/// What an actor says counts for more than names, places and sizes.
#[test]
fn the_best_mesh_is_one_that_an_actor_joins_with_the_animation() {
    let folder = Folder::new();
    let mesh = |size| Pmd::grid(size, size, 3, 1).build().bytes;
    let best = || {
        let rows = folder.says(0, "match mod mod --best --format jsonl").lines();
        rows.iter().map(|row| row["mesh"].as_str().expect("a mesh").to_owned()).collect::<Vec<_>>()
    };
    folder.put("mod/art/meshes/hat.pmd", mesh(9));
    folder.put("mod/art/meshes/dog.pmd", mesh(2));
    folder.put("mod/art/animation/hat_walk.psa", corpus("pyrogenesis/psa/walk.psa"));
    assert_eq!(best(), ["mod/art/meshes/hat.pmd"]);
    let actor = "<actor version='1'><group><variant><mesh>dog.pmd</mesh><animations><animation name='Walk' file='hat_walk.psa'/></animations>
        </variant></group></actor>";
    folder.put("mod/art/actors/dog.xml", actor);
    assert_eq!(best(), ["mod/art/meshes/dog.pmd"]);
}

#[test]
fn animations_that_match_no_mesh_are_named() {
    let folder = Folder::new();
    folder.put("m/dog.psk", crate::run::mesh(&[("root", 0)]));
    folder.put("m/cat.psk", crate::run::mesh(&[("root", 0), ("tail", 0)]));
    for (name, bone) in [("a", "root"), ("b", "wheel")] {
        folder.put(format!("m/{name}.psa"), crate::run::animation(&[(bone, 0)], &[("walk", 2, 30.0)]));
    }
    let ran = folder.says(0, "match m m --best");
    assert!(ran.complaints.starts_with("skelmap: 1 animation matches no mesh: b.psa\n"), "{}", ran.complaints);
}
