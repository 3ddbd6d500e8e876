//! `plot`: the curves are those of the file, and names and numbers of any kind do no harm.

use std::fs;
use std::path::Path;
use std::process::Output;

use quick_xml::Reader;
use quick_xml::events::Event;

use crate::convert::{complaint, good};
use crate::run::command;
use test_support::actorx::build::{Anim, Bone, chain};

fn plot(place: &Path, arguments: &[&str]) -> Output {
    command().current_dir(place).arg("plot").args(arguments).output().expect("the command starts")
}

fn place() -> tempfile::TempDir {
    let place = tempfile::tempdir().expect("a folder");
    for name in ["fox.psa", "fox_walk.psa", "officer_walk.gsa", "fox.psk"] {
        fs::copy(good(name), place.path().join(name)).expect("copied");
    }
    place
}

/// The texts and the points of the lines of an SVG file, as another reader finds them.
fn read(svg: &[u8]) -> (Vec<String>, Vec<Vec<(f64, f64)>>) {
    let text = std::str::from_utf8(svg).expect("UTF-8");
    let mut reader = Reader::from_str(text);
    let (mut texts, mut lines) = (Vec::new(), Vec::new());
    loop {
        match reader.read_event().expect("XML") {
            Event::Eof => return (texts, lines),
            Event::Text(own) => texts.push(String::from_utf8(own.to_vec()).expect("UTF-8")),
            Event::Empty(own) if own.name().as_ref() == b"polyline" => {
                let points = own.try_get_attribute("points").expect("attributes").expect("points");
                let points = String::from_utf8(points.value.to_vec()).expect("UTF-8");
                let pair =
                    |pair: &str| pair.split_once(',').map(|(x, y)| (x.parse().expect("x"), y.parse().expect("y")));
                lines.push(points.split(' ').filter_map(pair).collect());
            }
            Event::Start(own) => {
                let name = own.name();
                assert!(matches!(name.as_ref(), b"svg" | b"title" | b"style" | b"text"), "{own:?}");
            }
            _ => {}
        }
    }
}

/// Column `z` of a bone in each frame, as `dump` prints it.
fn dumped(place: &Path, bone: &str) -> Vec<f64> {
    let output = command()
        .current_dir(place)
        .args(["dump", "fox.psa", "--what", "keys", "--sequence", "walk", "--bone", bone])
        .output()
        .expect("the command starts");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    text.lines().skip(1).map(|line| line.split(',').nth(6).expect("z").parse().expect("a number")).collect()
}

#[test]
fn the_curves_of_a_picture_are_those_of_the_file() {
    let place = place();
    let output =
        plot(place.path(), &["fox.psa", "--sequence", "WALK", "--bone", "pelvis", "--bone", "head", "-o", "x.svg"]);
    assert!(output.status.success(), "{}", complaint(&output));
    let (texts, lines) = read(&fs::read(place.path().join("x.svg")).expect("a picture"));
    assert!(texts.iter().any(|text| text == "fox: walk") && texts.iter().any(|text| text == "pelvis"));
    // x, y, z, rotation and speed, each of two bones: the fifth line is z of the pelvis.
    assert_eq!(lines.len(), 10);
    let values = dumped(place.path(), "pelvis");
    assert_eq!((lines[4].len(), values.len()), (30, 30));
    let (low, high) =
        values.iter().fold((f64::MAX, f64::MIN), |(low, high), value| (low.min(*value), high.max(*value)));
    let heights = lines[4].iter().map(|(_, y)| *y);
    let (top, bottom) = heights.clone().fold((f64::MAX, f64::MIN), |(low, high), y| (low.min(y), high.max(y)));
    // The panel shows both bones, so that only the shape is known: each place is a linear map of the value.
    for (value, y) in values.iter().zip(heights) {
        let expected = bottom - (value - low) / (high - low) * (bottom - top);
        assert!((expected - y).abs() < 0.2, "{value}: {y} instead of {expected}");
    }
}

#[test]
fn text_has_the_least_and_the_greatest_value_and_what_never_changes() {
    let place = place();
    let output = plot(place.path(), &["fox.psa", "--bone", "pelvis"]);
    assert!(output.status.success(), "{}", complaint(&output));
    let text = String::from_utf8(output.stdout.clone()).expect("UTF-8");
    let values = dumped(place.path(), "pelvis");
    let (low, high) =
        values.iter().fold((f64::MAX, f64::MIN), |(low, high), value| (low.min(*value), high.max(*value)));
    let rows: Vec<&str> = text.lines().skip_while(|line| *line != "pelvis, z (units)").collect();
    let label = |row: &str| row.split_whitespace().next().and_then(|word| word.parse::<f64>().ok()).expect("a number");
    assert!((label(rows[1]) - high).abs() < 1e-3 && (label(rows[5]) - low).abs() < 1e-3, "{text}");
    assert!(text.contains("pelvis, x: always -30 units"), "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    assert!(complaint(&output).contains("2 sequences: the first, walk, is plotted"));
}

#[test]
fn what_is_not_known_is_said() {
    let place = place();
    let output = plot(place.path(), &["officer_walk.gsa", "--bone", "3"]);
    assert!(output.status.success() && complaint(&output).contains("rotations only"), "{}", complaint(&output));
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    assert!(text.contains("rotation") && !text.contains("speed") && !text.contains(", x"), "{text}");
}

#[test]
fn names_are_no_markup_and_wild_numbers_are_left_out() {
    let place = tempfile::tempdir().expect("a folder");
    let mut bones = chain(2);
    bones[0] = Bone::new("<script>\u{202E}&\"'", 0, [0.0; 3], [0.0, 0.0, 0.0, 1.0]);
    let mut anim = Anim::sway(bones, &[("</svg><x>", 40, 30.0)]);
    for (frame, value) in [(5, f32::NAN), (9, 1e30), (13, f32::INFINITY)] {
        anim.keys[frame * 2].position[0] = value;
    }
    fs::write(place.path().join("wild.psa"), anim.chunks().build().bytes).expect("written");
    let output = plot(place.path(), &["wild.psa", "-o", "-"]);
    assert!(output.status.success() && complaint(&output).contains("left out"), "{}", complaint(&output));
    let (texts, lines) = read(&output.stdout);
    assert!(texts.iter().any(|text| text.contains("\\u{202e}")), "{texts:?}");
    assert!(texts.iter().all(|text| !text.contains(".0e")), "{texts:?}");
    assert!(lines.iter().flatten().all(|(x, y)| (0.0..=900.0).contains(x) && (0.0..=900.0).contains(y)));
}

#[test]
fn bones_and_sequences_that_do_not_exist_are_named() {
    let place = place();
    for (arguments, status, words) in [
        (&["fox.psa", "--bone", "wing"][..], 2, "wing"),
        (&["fox.psa", "--bone", "99"], 2, "99"),
        (&["fox.psa", "--sequence", "fly"], 2, "there is no sequence \"fly\" (walk, idle)"),
        (&["fox.psk"], 2, "expected an animation"),
        (&["missing.psa"], 3, "missing.psa"),
    ] {
        let output = plot(place.path(), arguments);
        assert_eq!(output.status.code(), Some(status), "{arguments:?}: {}", complaint(&output));
        assert!(complaint(&output).contains(words), "{arguments:?}: {}", complaint(&output));
    }
    fs::write(place.path().join("x.svg"), "mine").expect("written");
    assert_eq!(plot(place.path(), &["fox.psa", "-o", "x.svg"]).status.code(), Some(5));
}

#[test]
fn a_bone_that_is_not_there_gives_the_name_that_is_most_like_it() {
    let place = tempfile::tempdir().expect("a folder");
    let bones = ["Root", "Pelvis", "Head"].map(|name| Bone::new(name, 0, [0.0; 3], [0.0, 0.0, 0.0, 1.0])).to_vec();
    let bytes = Anim::sway(bones, &[("Walk", 3, 30.0)]).chunks().build().bytes;
    fs::write(place.path().join("a.psa"), bytes).expect("written");
    let output = plot(place.path(), &["a.psa", "--bone", "pelvs"]);
    assert_eq!(output.status.code(), Some(2));
    let said = complaint(&output);
    assert!(said.contains("there is no bone \"pelvs\" (did you mean \"Pelvis\"?"), "{said}");
    let far = plot(place.path(), &["a.psa", "--bone", "zzzz"]);
    assert!(!complaint(&far).contains("did you mean"), "{}", complaint(&far));
}
