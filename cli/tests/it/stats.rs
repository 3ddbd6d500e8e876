//! `skelmap stats`: what many assets are like.

use serde_json::{Value, json};

use crate::run::{Folder, animation, corpus, stored};

/// Animations of 1 to 11 frames, at 10 frames in a second, an animation of another format, and a damaged file.
fn folder() -> Folder {
    let folder = Folder::new();
    for frames in 1..=11 {
        folder.put(format!("in/{frames}.psa"), animation(&[("root", 0)], &[("walk", frames, 10.0)]));
    }
    folder.put("in/gallop.psa", corpus("pyrogenesis/psa/walk.psa"));
    folder.put("in/broken.psk", corpus("actorx/damaged/overrun.psk"));
    folder
}

/// The row of a column of ActorX animations.
fn row(rows: &[Value], column: &str) -> Value {
    let row = rows.iter().find(|row| row["format"] == "actorx.psa" && row["column"] == column);
    row.unwrap_or_else(|| panic!("no row of {column}")).clone()
}

#[test]
fn quantiles_and_bars_are_those_of_numpy() {
    let folder = folder();
    let ran = folder.says(1, "stats in --format jsonl");
    assert_eq!(ran.complaints, "skelmap: 1 of 13 files cannot be read: `skelmap check` says why\n");
    // numpy.quantile(range(1, 12), [0, .25, .5, .75, .95, 1]), numpy.histogram(range(1, 12)).
    let expected = json!({
        "schema": 1, "format": "actorx.psa", "column": "frames", "values": 11, "nulls": 0,
        "least": 1.0, "p25": 3.5, "p50": 6.0, "p75": 8.5, "p95": 10.5, "greatest": 11.0,
        "edges": [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0],
        "bars": [1, 1, 1, 1, 1, 1, 1, 1, 1, 2],
    });
    assert_eq!(row(&ran.lines(), "frames"), expected);
    let bones = row(&ran.lines(), "bones");
    assert_eq!((&bones["edges"], &bones["bars"]), (&json!([1.0, 1.0]), &json!([11])));
    assert_eq!(row(&ran.lines(), "duration_s")["p50"], 0.6);
    // A column without a value has no row, and the format of the damaged file has none.
    assert!(ran.lines().iter().all(|row| row["column"] != "faces" && row["format"] != "actorx.psk"));
    assert!(ran.lines().iter().any(|row| row["format"] == "pyrogenesis.psa"));
}

#[test]
fn bars_have_the_same_ratio_where_numbers_are_far_apart() {
    let folder = Folder::new();
    for frames in [1, 10, 100, 1_000] {
        folder.put(format!("{frames}.psa"), animation(&[("root", 0)], &[("walk", frames, 10.0)]));
    }
    let rows = folder.says(0, "stats . --columns frames --format jsonl").lines();
    assert_eq!(rows.len(), 1);
    assert_eq!(rows[0]["bars"], json!([1, 0, 0, 1, 0, 0, 1, 0, 0, 1]));
    let edges: Vec<f64> =
        rows[0]["edges"].as_array().expect("a list").iter().map(|edge| edge.as_f64().expect("a number")).collect();
    assert!(edges.windows(2).all(|pair| (pair[1] / pair[0] - 1_000_f64.powf(0.1)).abs() < 1e-9), "{edges:?}");
}

#[test]
fn stats_are_about_the_rows_and_columns_that_are_asked_for() {
    let folder = folder();
    let ran =
        folder.ends(1, &["stats", "in", "--where", "frames > 9", "--columns", "frames,seconds", "--format", "csv"]);
    let lines: Vec<&str> = ran.text().lines().collect();
    assert_eq!(lines[0], "format,column,values,nulls,least,p25,p50,p75,p95,greatest,edges,bars");
    assert!(lines[1].starts_with("actorx.psa,frames,2,0,10,10.25,10.5,10.75,10.95,11,\"[10.0,"), "{}", lines[1]);
    assert_eq!(lines.len(), 3);
    // The damaged file is read all the same.
    assert_eq!(ran.complaints, "skelmap: 1 of 13 files cannot be read: `skelmap check` says why\n");
    assert_eq!(row(&folder.says(0, "stats in --glob ?.psa --format jsonl").lines(), "frames")["values"], 9);
    let wrong = folder.says(2, "stats in --columns format");
    assert!(
        wrong.complaints.contains("no column \"format\" of numbers (columns: bytes, bones,"),
        "{}",
        wrong.complaints
    );
    folder.says(2, "stats in --where bone");
}

#[test]
fn stats_of_meshes_have_their_height_and_stats_of_nothing_are_a_heading() {
    let folder = Folder::new();
    folder.put(
        "mod.zip",
        stored(&[("art/a.psk", &corpus("actorx/mesh/classic.psk")), ("b/x.psa", &corpus("actorx/anim/sequences.psa"))]),
    );
    let columns = |line: &str| -> Vec<String> {
        let rows = folder.says(0, line).lines();
        rows.iter().map(|row| row["column"].as_str().expect("a text").to_owned()).collect()
    };
    let row = &folder.says(0, "catalog mod.zip!/art/ -o - --format jsonl --extent").lines()[0];
    assert!(row["height"].is_number());
    assert!(columns("stats mod.zip!/art/ --extent --format jsonl").contains(&"height".to_owned()));
    assert!(!columns("stats mod.zip --format jsonl").contains(&"height".to_owned()));
    let table = folder.says(0, "stats mod.zip --columns bones");
    assert!(table.text().starts_with("format ") && table.text().lines().count() == 3, "{}", table.text());
    folder.put("empty/notes.txt", "nothing");
    assert!(folder.says(3, "stats empty --format jsonl").out.is_empty());
}
