//! `skelmap diff`: what differs between files, folders, archives and catalogues.

use serde_json::{Value, json};

use crate::run::{Folder, animation, corpus, stored};
use test_support::actorx::build::{Bone, IDENTITY, Mesh};
use test_support::actorx::corpus::sample::figure;

/// Path, change, kind and name of each row.
fn told(rows: &[Value]) -> Vec<[String; 4]> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    rows.iter().map(|row| ["path", "change", "what", "name"].map(|key| text(&row[key]))).collect()
}

fn is(path: &str, change: &str, what: &str, name: &str) -> [String; 4] {
    [path, change, what, name].map(str::to_owned)
}

fn changed(change: impl FnOnce(&mut Mesh)) -> Vec<u8> {
    let mut mesh = figure();
    change(&mut mesh);
    mesh.chunks().build().bytes
}

#[test]
fn two_files_with_the_same_bytes_do_not_differ() {
    let folder = Folder::new();
    folder.put("a.psk", corpus("actorx/mesh/classic.psk"));
    folder.put("b.psk", corpus("actorx/mesh/classic.psk"));
    let ran = folder.says(0, "diff a.psk b.psk");
    assert_eq!((ran.text(), ran.complaints.as_str()), ("", "skelmap: no difference\n"));
}

#[test]
fn meshes_are_compared_by_the_names_of_their_parts() {
    let folder = Folder::new();
    folder.put("a.psk", changed(|_| ()));
    folder.put(
        "b.psk",
        changed(|mesh| {
            // The bones in another order of two, one of them under another parent, one moved, one new and one gone.
            mesh.bones[1].position[2] = 21.5;
            mesh.bones[3].parent = 0;
            mesh.bones[2] = Bone::new("Wing", 1, [0.0, 10.0, 5.0], IDENTITY);
            mesh.points[5][0] += 2.0;
            mesh.points[6][0] -= 3.0;
            mesh.weights[0].weight = 0.25;
            mesh.weights.push(test_support::actorx::build::Weight { weight: 0.75, point: 0, bone: 1 });
            mesh.materials.swap(0, 1);
            mesh.faces[4].material = 1;
        }),
    );
    let rows = folder.says(1, "diff a.psk b.psk --format jsonl").lines();
    assert_eq!(
        told(&rows),
        [
            is("", "removed", "bone", "Arm_L"),
            is("", "added", "bone", "Wing"),
            is("", "reparented", "bone", "Head"),
            is("", "moved", "bone", "Spine"),
            is("", "changed", "material", "Skin"),
            is("", "changed", "material", "Cloth"),
            is("", "moved", "records", "points"),
            is("", "changed", "records", "faces"),
            is("", "changed", "records", "weights of points"),
        ]
    );
    let row = |name: &str| rows.iter().find(|row| row["name"] == name).cloned().unwrap_or_default();
    assert_eq!((&row("Head")["before"], &row("Head")["after"]), (&json!("Spine"), &json!("Root")));
    assert_eq!(row("Spine")["difference"], 1.5);
    assert_eq!(
        (&row("points")["difference"], &row("points")["after"]),
        (&json!(3.0), &json!("2 differ (numbers 5, 6)"))
    );
    // Below the tolerance, there is no move.
    let rows = folder.says(1, "diff a.psk b.psk --tolerance 2 --format jsonl").lines();
    assert!(rows.iter().all(|row| row["name"] != "Spine"), "{rows:#?}");
    assert_eq!(
        rows.iter().find(|row| row["name"] == "points").map(|row| row["after"].clone()),
        Some(json!("1 differs (number 6)"))
    );
}

#[test]
fn a_name_in_another_case_is_a_change() {
    let folder = Folder::new();
    folder.put("a.psk", changed(|_| ()));
    folder.put("b.psk", changed(|mesh| mesh.bones[1].name = Bone::new("SPINE", 0, [0.0; 3], IDENTITY).name));
    let rows = folder.says(1, "diff a.psk b.psk --format jsonl").lines();
    assert_eq!(told(&rows), [is("", "changed", "bone", "SPINE")]);
    assert_eq!([&rows[0]["before"], &rows[0]["after"]], ["Spine", "SPINE"]);
}

#[test]
fn animations_are_compared_by_sequences_and_tracks() {
    let folder = Folder::new();
    let bones = [("root", 0), ("arm", 0)];
    folder.put("a.psa", animation(&bones, &[("walk", 4, 10.0), ("run", 3, 10.0), ("old", 1, 10.0)]));
    folder.put("b.psa", animation(&bones, &[("RUN", 3, 20.0), ("walk", 5, 10.0), ("new", 1, 10.0)]));
    let rows = folder.says(1, "diff a.psa b.psa --format jsonl").lines();
    assert_eq!(
        told(&rows)[..6],
        [
            is("", "changed", "count", "frames"),
            is("", "removed", "sequence", "old"),
            is("", "added", "sequence", "new"),
            is("", "changed", "sequence", "RUN"),
            is("", "changed", "sequence", "walk"),
            is("", "changed", "sequence", "RUN"),
        ]
    );
    assert_eq!((&rows[3]["before"], &rows[3]["after"]), (&json!("run"), &json!("RUN")));
    let walk = &rows[4];
    assert_eq!(
        (&walk["before"], &walk["after"]),
        (&json!("4 frames at 10 a second"), &json!("5 frames at 10 a second"))
    );
}

#[test]
fn a_key_that_turns_a_bone_is_found_with_its_frame() {
    let folder = Folder::new();
    let mut bytes = corpus("actorx/anim/classic.psa");
    let keys = bytes.windows(8).position(|bytes| bytes == b"ANIMKEYS").expect("keys") + 32;
    folder.put("a.psa", &bytes);
    // Frame 2, bone 1 of four: x of the position, 3 units away.
    let at = keys + (2 * 4 + 1) * 32;
    let x = f32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes"));
    bytes[at..at + 4].copy_from_slice(&(x + 3.0).to_le_bytes());
    folder.put("b.psa", &bytes);
    let rows = folder.says(1, "diff a.psa b.psa --format jsonl").lines();
    assert_eq!(rows.len(), 1, "{rows:#?}");
    assert_eq!((&rows[0]["what"], &rows[0]["change"]), (&json!("track"), &json!("moved")));
    assert!(rows[0]["name"].as_str().is_some_and(|name| name.ends_with(": Spine")), "{rows:#?}");
    assert_eq!((&rows[0]["after"], &rows[0]["difference"]), (&json!("most at frame 2"), &json!(3.0)));
}

/// The fox has 605 points and no named bones as `.pmd`, and 398 points and named bones as `.psk`.
#[test]
fn files_of_two_families_are_compared_by_names_and_counts_only() {
    let folder = Folder::new();
    let fox =
        |name: &str| std::fs::read(test_support::corpus::folder().join("../../corpus").join(name)).expect("a fox");
    folder.put("fox.pmd", fox("fox.pmd"));
    folder.put("fox.psk", fox("fox.psk"));
    let ran = folder.says(1, "diff fox.pmd fox.psk --format jsonl");
    let rows = told(&ran.lines());
    assert_eq!(rows[0], is("", "changed", "format", "format"));
    assert_eq!(rows[1], is("", "changed", "count", "points"));
    let measured = |row: &&[String; 4]| row[1] == "moved" || row[1] == "turned" || row[2] == "records";
    assert_eq!(rows.iter().filter(measured).count(), 0, "{rows:#?}");
    assert!(ran.complaints.contains("have other units and axes"), "{}", ran.complaints);
    assert!(ran.complaints.ends_with("skelmap: 2 added, 2 removed, 4 changed\n"), "{}", ran.complaints);
    // Nor is anything of two animations but their frames.
    folder.put("one.psa", fox("fox_walk.psa"));
    folder.put("many.psa", fox("fox.psa"));
    let ran = folder.says(1, "diff one.psa many.psa --format jsonl");
    assert!(ran.complaints.contains("pyrogenesis.psa and actorx.psa have other units"), "{}", ran.complaints);
    assert!(told(&ran.lines()).iter().all(|row| row[2] != "track"), "{}", ran.text());
}

#[test]
fn a_mesh_and_an_animation_and_a_file_and_a_folder_cannot_be_compared() {
    let folder = Folder::new();
    folder.put("in/a.psk", corpus("actorx/mesh/classic.psk"));
    folder.put("in/b.psa", corpus("actorx/anim/classic.psa"));
    folder.put("rows.jsonl", b"");
    folder.says(2, "diff in/a.psk in/b.psa");
    folder.says(2, "diff in/a.psk in");
    folder.says(2, "diff in rows.jsonl");
    folder.says(3, "diff in/a.psk in/none.psk");
    folder.says(3, "diff in none");
    folder.says(2, "diff in/a.psk");
    folder.says(2, "diff in/a.psk in/a.psk --tolerance -1");
}

/// A folder and an archive: one file is gone, one is new, one has changed, one has moved, two are the same.
fn two_mods() -> Folder {
    let folder = Folder::new();
    let (mesh, other, walk) =
        (changed(|_| ()), changed(|mesh| mesh.points[0][0] = 9.0), corpus("actorx/anim/classic.psa"));
    let third = changed(|mesh| mesh.points[1][0] = 8.0);
    let gone = changed(|mesh| mesh.points[2][0] = 7.0);
    for (path, bytes) in [
        ("same.psk", &mesh),
        ("twin.psk", &mesh),
        ("changed.psk", &mesh),
        ("old/name.psk", &third),
        ("gone.psk", &gone),
        ("x.txt", &b"one".to_vec()),
    ] {
        folder.put(format!("one/art/{path}"), bytes);
    }
    let entries: [(&str, &[u8]); 6] = [
        ("art/same.psk", &mesh),
        ("art/twin.psk", &mesh),
        ("art/changed.psk", &other),
        ("art/new/name.psk", &third),
        ("art/new.psa", &walk),
        ("art/x.txt", b"two"),
    ];
    folder.put("two.zip", stored(&entries));
    folder
}

#[test]
fn weights_are_compared_by_the_names_of_bones_and_their_order_is_told() {
    let folder = Folder::new();
    folder.put("a.psk", changed(|_| ()));
    // Points 4 to 7 have weights of bone 3, points 6 and 7 of bone 2: they change bones where only the bones change places.
    folder.put("swapped.psk", changed(|mesh| mesh.bones.swap(2, 3)));
    let rows = folder.says(1, "diff a.psk swapped.psk --format jsonl").lines();
    assert_eq!(
        told(&rows),
        [is("", "changed", "records", "order of bones"), is("", "changed", "records", "weights of points")]
    );
    assert_eq!(
        (&rows[0]["after"], &rows[1]["after"]),
        (&json!("2 differ (numbers 2, 3)"), &json!("2 differ (numbers 4, 5)"))
    );
    // The weights move with their bones: only the order differs.
    let turned = changed(|mesh| {
        mesh.bones.swap(2, 3);
        for weight in mesh.weights.iter_mut().filter(|weight| weight.bone > 1) {
            weight.bone = 5 - weight.bone;
        }
    });
    folder.put("turned.psk", turned);
    let rows = folder.says(1, "diff a.psk turned.psk --format jsonl").lines();
    assert_eq!(told(&rows), [is("", "changed", "records", "order of bones")]);
    // A bone at the end changes no weight.
    folder.put("more.psk", changed(|mesh| mesh.bones.push(Bone::new("Tail", 0, [0.0; 3], IDENTITY))));
    let rows = folder.says(1, "diff a.psk more.psk --format jsonl").lines();
    assert_eq!(told(&rows), [is("", "changed", "count", "bones"), is("", "added", "bone", "Tail")]);
}

#[test]
fn bones_with_names_and_bones_without_are_compared_by_their_numbers() {
    let folder = Folder::new();
    for file in ["fox.psk", "fox.pmd", "fox.psa", "fox_walk.psa"] {
        let path = test_support::corpus::folder().join("../../corpus").join(file);
        folder.put(file, std::fs::read(path).expect("a file"));
    }
    for files in ["fox.psk fox.pmd", "fox.psa fox_walk.psa"] {
        let rows = folder.says(1, &format!("diff {files} --format jsonl")).lines();
        assert!(rows.iter().any(|row| row["what"] == "format"));
        let lone = |row: &&Value| row["what"] == "bone" && (row["change"] == "added" || row["change"] == "removed");
        assert_eq!(rows.iter().find(lone), None, "both have 23 bones");
    }
}

fn expected() -> Vec<[String; 4]> {
    vec![
        is("art/gone.psk", "removed", "file", ""),
        is("art/changed.psk", "changed", "file", ""),
        is("art/new.psa", "added", "file", ""),
        is("art/new/name.psk", "moved", "file", ""),
    ]
}

#[test]
fn a_folder_and_an_archive_are_compared_by_path_and_content() {
    let folder = two_mods();
    let ran = folder.says(1, "diff one two.zip --format jsonl");
    assert_eq!(told(&ran.lines()), expected());
    assert_eq!(ran.complaints, "skelmap: 1 added, 1 removed, 1 changed, 1 moved\n");
    assert_eq!(ran.lines()[3]["before"], "art/old/name.psk");
    // All other files too.
    let rows = folder.says(1, "diff one two.zip --all --format jsonl").lines();
    assert_eq!(told(&rows)[4], is("art/x.txt", "changed", "file", ""));
    // In the other direction, and an archive with itself.
    let changes = told(&folder.says(1, "diff two.zip one --format jsonl").lines());
    assert_eq!(changes[0], is("art/new.psa", "removed", "file", ""));
    folder.says(0, "diff two.zip two.zip");
    folder.says(0, "diff two.zip!/art/ two.zip!/art/");
}

#[test]
fn a_deep_comparison_says_what_has_changed_in_each_file() {
    let folder = two_mods();
    let rows = folder.says(1, "diff one two.zip --deep --format jsonl").lines();
    let of_file: Vec<_> = told(&rows).into_iter().filter(|row| row[0] == "art/changed.psk").collect();
    assert_eq!(
        of_file,
        [is("art/changed.psk", "changed", "file", ""), is("art/changed.psk", "moved", "records", "points")]
    );
    // A file that cannot be read any more is named.
    folder.put("three/art/changed.psk", &changed(|_| ())[..900]);
    let ran = folder.says(1, "diff one three --deep --format jsonl");
    assert!(ran.complaints.contains("art/changed.psk: "), "{}", ran.complaints);
}

#[test]
fn catalogues_are_compared_by_their_hashes_or_columns() {
    let folder = two_mods();
    folder.says(0, "catalog one -o one.jsonl --content-hash");
    folder.says(0, "catalog two.zip -o two.jsonl --content-hash");
    let ran = folder.says(1, "diff one.jsonl two.jsonl --format jsonl");
    // Below what all have in common: the folder one/art and the folder art in the archive.
    let below: Vec<_> = expected()
        .into_iter()
        .map(|[path, change, what, name]| [path.replacen("art/", "", 1), change, what, name])
        .collect();
    assert_eq!(told(&ran.lines()), below);
    // Without hashes, files of the same counts are the same.
    folder.says(0, "catalog one -o plain.jsonl");
    let ran = folder.says(1, "diff plain.jsonl two.jsonl --format jsonl");
    assert!(ran.complaints.contains("compared by their sizes and counts"), "{}", ran.complaints);
    assert!(told(&ran.lines()).iter().all(|row| row[1] == "added" || row[1] == "removed"), "{}", ran.text());
    folder.says(0, "diff one.jsonl one.jsonl");
}

#[test]
fn a_catalogue_that_is_none_or_is_cut_is_an_error() {
    let folder = two_mods();
    folder.says(0, "catalog one -o one.jsonl");
    let rows = folder.read("one.jsonl");
    folder.put("cut.jsonl", &rows[..rows.len() - 20]);
    folder.put("other.jsonl", b"{\"a\": 1}\n");
    for other in ["cut.jsonl", "other.jsonl"] {
        let ran = folder.says(1, &format!("diff one.jsonl {other}"));
        assert!(ran.complaints.contains("no row of `skelmap catalog`"), "{}", ran.complaints);
    }
    folder.says(3, "diff one.jsonl none.jsonl");
}

#[test]
fn catalogues_of_comma_separated_values_are_compared_too() {
    let folder = two_mods();
    for (side, files) in [("one", "one"), ("two", "two.zip")] {
        folder.says(0, &format!("catalog {files} -o {side}.csv --content-hash"));
        folder.says(0, &format!("catalog {files} -o {side}.jsonl --content-hash"));
        folder.says(0, &format!("catalog {files} -o plain-{side}.csv"));
    }
    let told_of = |line: &str| told(&folder.says(1, &format!("diff {line} --format jsonl")).lines());
    let of_json = told_of("one.jsonl two.jsonl");
    assert!(!of_json.is_empty());
    // The same from other formats, also from two.
    assert_eq!(told_of("one.csv two.csv"), of_json);
    assert_eq!(told_of("one.csv two.jsonl"), of_json);
    folder.says(0, "diff plain-one.csv plain-one.csv");
    folder.says(1, "diff plain-one.csv plain-two.csv");
    // Without hashes, columns of two formats are not the same texts.
    folder.says(2, "diff plain-one.csv two.jsonl");
    folder.put("all.parquet", b"PAR1");
    assert!(folder.says(2, "diff one.csv all.parquet").complaints.contains("--format jsonl or csv"));
}

#[test]
fn a_row_without_an_end_is_refused_and_not_kept() {
    let folder = Folder::new();
    let long = vec![b'x'; 17 << 20];
    folder.put("long.jsonl", &long);
    folder.put("long.csv", [&b"path,bytes\n\""[..], &long].concat());
    folder.put("other.csv", b"a,b\n1,2\n");
    folder.put("cut.csv", b"path,bytes\na.psk,1\nb.psk\n");
    for (file, words) in [
        ("long.jsonl", "line 1 is longer than 16777216 bytes"),
        ("long.csv", "a row is longer than 16777216 bytes"),
        ("other.csv", "line 2 is no row"),
        ("cut.csv", "found record with 1 fields"),
    ] {
        let ran = folder.says(1, &format!("diff {file} {file}"));
        assert!(ran.complaints.contains(words), "{file}: {}", ran.complaints);
    }
}

#[test]
fn a_note_that_many_files_have_is_counted_and_quiet_runs_have_none() {
    let folder = Folder::new();
    for index in 0..10 {
        let mut mesh = corpus("actorx/mesh/classic.psk");
        folder.put(format!("one/{index}.psk"), &mesh);
        // The type flag of the first chunk, which means nothing.
        mesh[20] ^= 1;
        folder.put(format!("two/{index}.psk"), &mesh);
    }
    let ran = folder.says(1, "diff one two --deep");
    let note = "the bytes differ, but no compared value differs by more than the tolerance";
    let said: Vec<&str> = ran.complaints.lines().collect();
    assert_eq!(said[..3], [0, 1, 2].map(|index| format!("skelmap: {index}.psk: {note}")));
    assert_eq!(said[3..], [format!("skelmap: 7 files more: {note}"), "skelmap: 10 changed".to_owned()]);
    assert_eq!(folder.says(1, "diff one two --deep -q").complaints, "");
}

#[test]
fn differences_answer_questions_and_are_chosen_by_name() {
    let folder = Folder::new();
    let (one, other) = (corpus("actorx/mesh/classic.psk"), corpus("actorx/mesh/face_material.psk"));
    for (name, bytes) in [("old/gone.psk", &one), ("old/x/same.psk", &other), ("old/x/horse.psk", &one)] {
        folder.put(name, bytes);
    }
    for (name, bytes) in
        [("new/x/same.psk", &other), ("new/x/horse.psk", &other), ("new/b.psa", &corpus("actorx/anim/classic.psa"))]
    {
        folder.put(name, bytes);
    }
    let paths = |arguments: &[&str]| -> Vec<String> {
        let line = [&["diff", "old", "new", "--format", "jsonl"], arguments].concat();
        let rows = folder.ends(1, &line).lines();
        rows.iter().map(|row| row["path"].as_str().expect("a path").to_owned()).collect()
    };
    assert_eq!(paths(&["--sort", "path"]), ["b.psa", "gone.psk", "x/horse.psk"]);
    assert_eq!(paths(&["--sort", "-path", "--limit", "1"]), ["x/horse.psk"]);
    assert_eq!(paths(&["--limit", "2"]).len(), 2);
    // The status and the last line count what --where drops.
    assert_eq!(paths(&["--where", "change == 'added'"]), ["b.psa"]);
    let none = folder.ends(1, &["diff", "old", "new", "--where", "change == 'moved'"]);
    assert!(none.complaints.contains("no row left by --where 'change == 'moved'' of 3 rows"), "{}", none.complaints);
    // Files that a pattern leaves out are not compared.
    assert_eq!(paths(&["--glob", "*horse*"]), ["x/horse.psk"]);
    assert_eq!(paths(&["--glob", "!*.psk"]), ["b.psa"]);
    assert_eq!(paths(&["--exclude", "x", "--exclude", "*.psa"]), ["gone.psk"]);
    assert_eq!(folder.says(0, "diff old new -i --glob SAME.psk").text(), "");
    let nothing = folder.says(3, "diff old new --glob *.gsa");
    assert!(nothing.complaints.contains("no file left by --glob"), "{}", nothing.complaints);
    for side in ["old", "new"] {
        folder.says(0, &format!("catalog {side} -o {side}.jsonl --content-hash"));
    }
    let rows = folder.says(1, "diff old.jsonl new.jsonl --glob *.psa --format jsonl").lines();
    assert_eq!(told(&rows).len(), 1, "{rows:?}");
    assert!(rows[0]["path"].as_str().is_some_and(|path| path.ends_with("b.psa")), "{rows:?}");
}

#[test]
fn a_folder_is_compared_with_the_same_folder_of_an_archive() {
    let folder = Folder::new();
    let (mesh, animation) = (corpus("actorx/mesh/classic.psk"), corpus("actorx/anim/classic.psa"));
    folder.put("mods/art/m/a.psk", &mesh);
    folder.put("mods/art/b.psa", &animation);
    folder.put("new.zip", stored(&[("art/m/a.psk", &mesh), ("art/b.psa", &animation), ("other/c.psk", &mesh)]));
    for (before, after) in
        [("mods/art", "new.zip!/art/"), ("mods/art/m", "new.zip!/art/m/"), ("new.zip!/art/", "mods/art")]
    {
        assert_eq!(folder.says(0, &format!("diff {before} {after}")).text(), "", "{before} {after}");
    }
    assert_eq!(folder.says(1, "diff mods new.zip --format jsonl").lines().len(), 1);
}

/// What is no number differs from every number, also where another part of the key does not move.
#[test]
fn a_key_that_became_no_number_is_a_difference() {
    let folder = Folder::new();
    let good = animation(&[("root", 0), ("arm", 0)], &[("walk", 4, 30.0)]);
    folder.put("a.psa", &good);
    // A key has 32 bytes: a place, a rotation and a time. That of the second bone in the last frame.
    let key = good.windows(8).position(|id| id == b"ANIMKEYS").expect("keys") + 32 + 7 * 32;
    for (name, part, change) in [("place.psa", 0, "moved"), ("turn.psa", 12, "turned")] {
        let mut broken = good.clone();
        broken[key + part..key + part + 4].copy_from_slice(&f32::NAN.to_le_bytes());
        folder.put(name, broken);
        let rows = folder.says(1, &format!("diff a.psa {name} --format jsonl")).lines();
        assert_eq!(told(&rows), [is("", change, "track", "walk: arm")]);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_file_that_one_side_has_and_cannot_be_read_is_neither_added_nor_removed() {
    let folder = Folder::new();
    for name in ["old/same.psk", "old/shut.psk", "new/same.psk"] {
        folder.put(name, corpus("actorx/mesh/classic.psk"));
    }
    // A file that opens and cannot be read.
    std::os::unix::fs::symlink("/proc/self/mem", folder.at("new/shut.psk")).expect("a link");
    for line in ["diff old new --follow", "diff new old --follow"] {
        let ran = folder.says(1, line);
        assert_eq!(ran.text(), "", "{line}");
        assert!(
            ran.complaints.contains("shut.psk: ") && ran.complaints.contains("1 file not read"),
            "{}",
            ran.complaints
        );
    }
}

#[test]
fn what_is_in_an_archive_that_cannot_be_read_is_neither_added_nor_removed() {
    let folder = Folder::new();
    let (mesh, archive) =
        (corpus("actorx/mesh/classic.psk"), stored(&[("art/x.psk", &corpus("actorx/mesh/classic.psk"))]));
    folder.put("old/same.psk", &mesh);
    folder.put("new/same.psk", &mesh);
    folder.put("old/mod.zip", &archive);
    folder.put("new/mod.zip", &archive[..archive.len() - 5]);
    for line in ["diff old new", "diff new old"] {
        let ran = folder.says(1, line);
        assert_eq!(ran.text(), "", "{line}");
        assert!(ran.complaints.contains("mod.zip"), "{}", ran.complaints);
    }
}

/// Models of one bone with another scale, and of three levels of detail for one; animations of a track without keys.
#[test]
fn scales_levels_and_missing_keys_are_compared() {
    let folder = Folder::new();
    for name in ["v10.uemodel", "v10_scale.uemodel", "levels_v10.uemodel"] {
        folder.put(name, corpus(&format!("ueformat/model/{name}")));
    }
    for name in ["v10.ueanim", "no_keys.ueanim"] {
        folder.put(name, corpus(&format!("ueformat/animation/{name}")));
    }
    let rows = folder.says(1, "diff v10.uemodel v10_scale.uemodel --format jsonl").lines();
    assert_eq!(told(&rows), [is("", "changed", "bone", "Elbow")]);
    assert_eq!((&rows[0]["before"], &rows[0]["after"]), (&json!("scale 1 1 1"), &json!("scale 1 1.50 0.75")));
    let rows = folder.says(1, "diff v10.uemodel levels_v10.uemodel --format jsonl").lines();
    let levels = rows.iter().find(|row| row["name"] == "levels").expect("a row");
    assert_eq!((&levels["before"], &levels["after"]), (&json!("1"), &json!("3")));
    let rows = folder.says(1, "diff v10.ueanim no_keys.ueanim --format jsonl").lines();
    let track = rows.iter().find(|row| row["change"] == "changed").expect("a row");
    assert_eq!(
        (&track["what"], &track["name"], &track["after"]),
        (&json!("track"), &json!("Own: Elbow"), &json!("no keys"))
    );
}
