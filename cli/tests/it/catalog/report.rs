//! `catalog --report`: the numbers of the page are those of the rows.

use std::collections::BTreeMap;
use std::fs;

use serde_json::Value;

use crate::convert::{complaint, good};
use crate::run::command;
use test_support::corpus::file;

/// A name with what is markup in a page. No name on Windows has `<` or `>`.
const MARKUP: &str = if cfg!(windows) { "finding&.psk" } else { "<b>finding&.psk" };

/// A folder with good files, one with a finding and one that is cut short.
fn place() -> tempfile::TempDir {
    let place = tempfile::tempdir().expect("a folder");
    let mods = place.path().join("mods");
    fs::create_dir(&mods).expect("a folder");
    for name in ["fox.psk", "fox.psa", "fox.pmd", "fox_walk.psa", "officer_walk.gsa"] {
        fs::copy(good(name), mods.join(name)).expect("copied");
    }
    fs::write(mods.join(MARKUP), file("actorx/mesh/face_degenerate.psk")).expect("written");
    fs::write(mods.join("cut.psk"), &file("actorx/mesh/classic.psk")[..100]).expect("written");
    place
}

fn catalog(place: &std::path::Path, arguments: &[&str]) -> std::process::Output {
    command().current_dir(place).arg("catalog").args(arguments).output().expect("the command starts")
}

#[test]
fn the_numbers_of_a_report_are_those_of_the_rows() {
    let place = place();
    let output = catalog(place.path(), &["mods", "-o", "rows.jsonl", "--report", "report.html"]);
    assert_eq!(output.status.code(), Some(1), "{}", complaint(&output));
    let html = fs::read_to_string(place.path().join("report.html")).expect("a page");
    let text = fs::read_to_string(place.path().join("rows.jsonl")).expect("rows");
    let rows: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let mut formats: BTreeMap<&str, u64> = BTreeMap::new();
    for row in &rows {
        *formats.entry(row["format"].as_str().unwrap_or("unknown")).or_default() += 1;
    }
    assert_eq!(rows.len(), 7);
    assert!(html.contains("7 assets, ") && html.contains("; 1 with an error;"), "{html}");
    for (format, count) in formats {
        assert!(html.contains(&format!("<td>{format}<td class=\"n\">{count}<td")), "{format} {count}: {html}");
    }
    // The greatest values come first.
    let greatest = |key: &str| rows.iter().filter_map(|row| row[key].as_u64()).max().expect("a value");
    let after = |title: &str| html.split_once(&format!("<h2>{title}</h2><table>")).expect("a list").1.to_owned();
    assert!(after("Most bones").split_once("</tr>").expect("a row").0.ends_with(&format!(">{}", greatest("bones"))));
    assert!(
        after("Most triangles").split_once("</tr>").expect("a row").0.ends_with(&format!(">{}", greatest("faces")))
    );
    // The code with its explanation, and what cannot be read with its reason.
    let error = rows.iter().find_map(|row| row["error"]["message"].as_str()).expect("an error");
    assert!(html.contains("<b>face-degenerate</b>: ") && html.contains(error), "{html}");
    assert_eq!(fs::read_dir(place.path()).expect("a folder").count(), 3, "rows, report and mods");
}

#[test]
fn a_report_needs_no_script_and_names_are_no_markup() {
    let place = place();
    let output = catalog(place.path(), &["mods", "--report", "-"]);
    let html = String::from_utf8(output.stdout).expect("UTF-8");
    assert!(html.starts_with("<!doctype html>") && html.ends_with("</html>\n"));
    assert!(html.contains("default-src 'none'; style-src 'unsafe-inline'"));
    assert!(!html.contains("<script") && !html.contains(MARKUP) && html.contains("finding&amp;.psk"));
    assert!(cfg!(windows) || html.contains("&lt;b&gt;finding&amp;.psk"));
    assert!(!html.contains("http:") && !html.contains("https:"));
}

#[test]
fn a_report_replaces_nothing_without_force() {
    let place = place();
    fs::write(place.path().join("report.html"), "mine").expect("written");
    let output = catalog(place.path(), &["mods", "--report", "report.html"]);
    assert_eq!(output.status.code(), Some(5), "{}", complaint(&output));
    assert_eq!(fs::read_to_string(place.path().join("report.html")).expect("a file"), "mine");
    assert_eq!(catalog(place.path(), &["mods", "--report", "report.html", "--force"]).status.code(), Some(1));
    let output = catalog(place.path(), &["mods"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(complaint(&output).contains("--output <FILE>"), "{}", complaint(&output));
    assert_eq!(catalog(place.path(), &["nothing", "--report", "x.html"]).status.code(), Some(3));
}
