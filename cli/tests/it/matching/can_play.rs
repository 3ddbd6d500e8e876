//! One rule: `match`, `convert`, `view` and `sheet` say the same of a mesh and an animation.

use std::fs;

use crate::run::{Folder, Ran, animation, mesh};
use test_support::corpus::samples;
use test_support::pyrogenesis::build::{Pmd, Psa, State};

const SNAKE: [f32; 4] = [0.0, 1.0, 3.0, 7.0];
const CRAB: [f32; 4] = [0.0, 9.0, 4.0, 30.0];

fn states(places: [f32; 4]) -> Vec<State> {
    places.iter().map(|x| State { t: [*x, 0.0, 0.0], ..State::REST }).collect()
}

/// A mesh without names of bones, its animation, and one of another skeleton with as many bones.
fn counted() -> Folder {
    let folder = Folder::new();
    folder.put("snake.pmd", Pmd { bind: states(SNAKE), ..Pmd::grid(3, 3, 4, 1) }.build().bytes);
    folder.put("snake.psa", Psa::new(4, 1, states(SNAKE)).build().bytes);
    folder.put("crab.psa", Psa::new(4, 1, states(CRAB)).build().bytes);
    folder
}

/// A mesh of ten bones, and animations with all, nine and eight of them and one or two others.
fn named() -> Folder {
    let names: Vec<String> = (0..12).map(|bone| format!("bone{bone}")).collect();
    let bones = |which: std::ops::Range<usize>| -> Vec<(&str, i32)> {
        names[which].iter().enumerate().map(|(index, name)| (name.as_str(), index.saturating_sub(1) as i32)).collect()
    };
    let folder = Folder::new();
    folder.put("mesh.psk", mesh(&bones(0..10)));
    for (name, first) in [("all", 0), ("nine", 1), ("eight", 2)] {
        folder.put(format!("{name}.psa"), animation(&bones(first..first + 10), &[("Walk", 1, 30.0)]));
    }
    folder
}

/// Whether an animation plays: what `match`, `convert`, `view` and `sheet` say, each of which has to name one that does not.
fn plays(folder: &Folder, line: &str, animation: &str) -> bool {
    let status = |ran: &Ran| ran.status == 0;
    let told = |ran: &Ran| {
        assert_eq!(ran.complaints.contains(&format!("{animation}: left out: ")), ran.status != 0, "{}", ran.complaints);
    };
    let run = |arguments: String| folder.run(&arguments.split_whitespace().collect::<Vec<_>>());
    let matched = status(&run(format!("match {line} --fits")));
    let converted = run(format!("convert {line} -o out.glb --force --format jsonl"));
    told(&converted);
    let row = &converted.lines()[0];
    assert_eq!(row["animations"], u64::from(status(&converted)), "{row}");
    let notes = row["notes"].to_string();
    assert_eq!(notes.contains(&format!("1 animation left out: {animation} (")), !status(&converted), "{notes}");
    let seen = run(format!("view {line} -o out.html"));
    told(&seen);
    let page = fs::read_to_string(folder.at("out.html")).expect("a page");
    assert_eq!(page.contains("animation left out"), !status(&seen), "the page says it");
    let drawn = run(format!("sheet {line} --film 2 -o out.png --force"));
    told(&drawn);
    assert_eq!((status(&converted), status(&seen), status(&drawn)), (matched, matched, matched), "{line}");
    matched
}

#[test]
fn bones_without_names_have_to_keep_their_distances() {
    let folder = counted();
    assert!(plays(&folder, "snake.pmd snake.psa", "snake.psa"));
    assert!(!plays(&folder, "snake.pmd crab.psa", "crab.psa"));
}

#[test]
fn nine_tenths_of_the_named_bones_are_enough_unless_the_user_says_otherwise() {
    let folder = named();
    assert!(plays(&folder, "mesh.psk all.psa", "all.psa"));
    assert!(plays(&folder, "mesh.psk nine.psa", "nine.psa"));
    assert!(!plays(&folder, "mesh.psk eight.psa", "eight.psa"));
    assert!(plays(&folder, "mesh.psk eight.psa --min-bones 80", "eight.psa"));
    assert!(!plays(&folder, "mesh.psk nine.psa --min-bones 100", "nine.psa"));
}

#[test]
fn what_a_folder_has_is_left_out_with_a_note_and_what_is_asked_for_with_status_1() {
    let folder = counted();
    let row = |status, line: &str| folder.says(status, line).lines()[0].clone();
    let found = row(0, "convert . -o out --format jsonl");
    assert_eq!(found["animations"], 1);
    assert!(
        found["notes"].to_string().contains("1 animation left out: crab.psa (probably does not fit: both have 4 bones"),
        "{found}"
    );
    let given = folder.says(1, "convert snake.pmd --anim crab.psa -o b.glb --format jsonl");
    assert!(
        given.complaints.contains("crab.psa: left out: probably does not fit: both have 4 bones"),
        "{}",
        given.complaints
    );
    let none = folder.says(1, "convert snake.pmd --anim crab.psa --anim snake.psa -o c.glb --format jsonl");
    assert_eq!(none.lines()[0]["animations"], 1, "the other one is there all the same");
    // An animation that another mesh plays is not left out.
    folder.put("crab.pmd", Pmd { bind: states(CRAB), ..Pmd::grid(3, 3, 4, 1) }.build().bytes);
    assert!(!row(0, "convert . -o again --format jsonl")["notes"].to_string().contains("left out"));
}

#[test]
fn the_verdict_same_count_can_be_asked_for() {
    let folder = counted();
    let rows = folder.says(0, "match snake.pmd . --where verdict=='same-count' --format jsonl").lines();
    assert_eq!(rows.iter().map(|row| row["path"].as_str().expect("a path")).collect::<Vec<_>>(), ["./crab.psa"]);
}

/// The files of the review: a rabbit, and a rider with as many bones.
#[test]
fn no_rabbit_plays_the_animation_of_a_rider() {
    let Some(samples) = samples("pyrogenesis") else { return };
    let folder = Folder::new();
    let art = samples.join("public-a23/art");
    for (from, to) in
        [("meshes/skeletal/rabbit_01.dae.cached.pmd", "rabbit.pmd"), ("animation/biped/cavalryidle.psa", "rider.psa")]
    {
        folder.put(to, fs::read(art.join(from)).expect("a file"));
    }
    assert!(!plays(&folder, "rabbit.pmd rider.psa", "rider.psa"));
}
