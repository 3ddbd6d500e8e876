//! `skelmap check` for continuous integration: SARIF, `JUnit`, commands of GitHub, codes that are ignored, and earlier reports.

use std::collections::BTreeSet;

use quick_xml::Reader;
use quick_xml::events::Event;
use serde_json::Value;

use crate::run::{Folder, Ran, corpus, stored};

/// A good mesh, one with a warning, one with an error, and one in an archive.
fn folder() -> Folder {
    let folder = Folder::new();
    folder.put("mod/good.psk", corpus("actorx/mesh/classic.psk"));
    folder.put("mod/a,b: 100%.psk", corpus("actorx/mesh/face_material.psk"));
    folder.put("mod/cut.psk", &corpus("actorx/mesh/classic.psk")[..900]);
    folder.put("mod/x.zip", stored(&[("art/<in>.psk", &corpus("actorx/mesh/face_material.psk"))]));
    folder
}

/// Path, entry and code of everything that is reported as JSON lines.
fn found(folder: &Folder, line: &str) -> BTreeSet<(String, Option<String>, String)> {
    let mut all = BTreeSet::new();
    for row in folder.run(&line.split(' ').collect::<Vec<_>>()).lines() {
        let text = |value: &Value| value.as_str().map(str::to_owned);
        let findings = row["findings"].as_array().expect("a list").iter().map(|finding| &finding["code"]);
        for code in findings.chain(row["error"].get("kind")) {
            all.insert((text(&row["path"]).expect("a path"), text(&row["entry"]), text(code).expect("a code")));
        }
    }
    all
}

#[test]
fn a_sarif_log_has_a_result_for_each_finding_and_a_rule_for_each_code() {
    let folder = folder();
    let ran = folder.says(1, "check mod --format sarif");
    let log: Value = serde_json::from_slice(&ran.out).expect("JSON");
    assert_eq!(log["version"], "2.1.0");
    let run = &log["runs"][0];
    let results = run["results"].as_array().expect("a list");
    let own: BTreeSet<_> = results
        .iter()
        .map(|result| {
            let place = &result["locations"][0];
            let uri = place["physicalLocation"]["artifactLocation"]["uri"].as_str().expect("an address");
            let entry = place["logicalLocations"][0]["name"].as_str().map(str::to_owned);
            let path = uri.replace("%2C", ",").replace("%3A", ":").replace("%20", " ").replace("%25", "%");
            (path, entry, result["ruleId"].as_str().expect("a code").to_owned())
        })
        .collect();
    assert_eq!(own, found(&folder, "check mod --format jsonl"));
    assert!(own.len() >= 3, "{own:?}");
    // GitHub refuses a result without a line.
    let region = |result: &Value| result["locations"][0]["physicalLocation"]["region"].clone();
    assert!(results.iter().all(|result| region(result)["startLine"] == 1));
    assert!(results.iter().any(|result| region(result)["byteOffset"].is_u64()));
    let rules = run["tool"]["driver"]["rules"].as_array().expect("a list");
    let codes: BTreeSet<_> = own.iter().map(|(_, _, code)| code.as_str()).collect();
    assert_eq!(rules.iter().map(|rule| rule["id"].as_str().expect("a code")).collect::<BTreeSet<_>>(), codes);
    assert!(rules.iter().all(|rule| rule["fullDescription"]["text"].as_str().is_some_and(|text| text.len() > 20)));
    let levels: BTreeSet<_> = results.iter().map(|result| result["level"].as_str().expect("a level")).collect();
    assert_eq!(levels, BTreeSet::from(["error", "warning"]));
    let empty: Value = serde_json::from_slice(&folder.says(0, "check mod/good.psk --format sarif").out).expect("JSON");
    assert_eq!(empty["runs"][0]["results"], Value::Array(Vec::new()));
}

#[test]
fn junit_has_a_test_for_each_file_and_names_those_that_fail() {
    let folder = folder();
    let ran = folder.says(1, "check mod --format junit");
    let mut reader = Reader::from_str(ran.text());
    let (mut tests, mut failed, mut last) = (0, Vec::new(), String::new());
    loop {
        match reader.read_event().expect("XML") {
            Event::Start(tag) | Event::Empty(tag) => match tag.name().as_ref() {
                b"testcase" => {
                    tests += 1;
                    let name = tag.try_get_attribute("name").expect("XML").expect("a name");
                    last = String::from_utf8(name.value.into_owned()).expect("a text");
                }
                b"failure" | b"error" => failed.push(last.clone()),
                _ => {}
            },
            Event::Eof => break,
            _ => {}
        }
    }
    assert_eq!(tests, 4);
    assert_eq!(failed, ["mod/a,b: 100%.psk", "mod/cut.psk", "mod/x.zip!/art/&lt;in&gt;.psk"]);
}

#[test]
fn commands_of_github_are_lines_whose_properties_are_escaped() {
    let folder = folder();
    let ran = folder.says(1, "check mod --format github");
    let lines: Vec<&str> = ran.text().lines().collect();
    assert_eq!(lines.len(), 3, "{}", ran.text());
    assert!(
        lines[0]
            .starts_with("::warning file=mod/a%2Cb%3A 100%25.psk,title=skelmap face-material::mod/a,b: 100%25.psk: "),
        "{}",
        lines[0]
    );
    assert!(lines[1].starts_with("::error file=mod/cut.psk,title=skelmap "), "{}", lines[1]);
    assert!(lines[2].starts_with("::warning file=mod/x.zip,title=skelmap face-material::mod/x.zip!/art/<in>.psk: "));
}

/// Whatever a file and a code page make of them: no escape, bell, mark that turns text, or line feed reaches the log. No name on Windows has them.
#[cfg(unix)]
#[test]
fn commands_of_github_have_no_character_that_controls_a_terminal() {
    let folder = Folder::new();
    folder.put("\u{1b}[31m\u{7}\u{202e}\n::error::x.psk", corpus("actorx/mesh/face_material.psk"));
    let ran = folder.says(1, "check . --format github");
    assert_eq!(ran.text().matches('\n').count(), 1, "{}", ran.text());
    assert!(!ran.text().contains(['\u{1b}', '\u{7}', '\u{202e}']), "{}", ran.text());
    assert!(ran.text().contains("\\u{1b}[31m\\u{7}\\u{202e}%0A"), "{}", ran.text());
}

#[test]
fn a_code_that_is_ignored_is_not_reported_and_an_unknown_one_is_refused() {
    let folder = folder();
    let left = found(&folder, "check mod --format jsonl --ignore face-material");
    assert_eq!(left.iter().map(|(path, ..)| path.as_str()).collect::<Vec<_>>(), ["mod/cut.psk"]);
    let (_, _, error) = left.first().expect("an error");
    // An error is no finding that one can do without.
    assert_eq!(found(&folder, &format!("check mod --format jsonl --ignore {error} --ignore face-material")), left);
    let ran = folder.says(2, "check mod --ignore face-materials");
    assert!(ran.complaints.contains("did you mean"), "{}", ran.complaints);
    // Codes with one of three words of the name are not meant where others have two.
    let ran = folder.says(2, "check mod --ignore bone-name-duplicate");
    assert!(ran.complaints.ends_with(": did you mean name-duplicate, bone-duplicate?\n"), "{}", ran.complaints);
}

/// An animation whose four bones have the rotation 0, 0, 0, 0.
fn zero_pose() -> Folder {
    let folder = Folder::new();
    folder.put("pose.psa", corpus("actorx/anim/zero_pose.psa"));
    folder
}

#[test]
fn all_reports_every_record_in_each_format() {
    let folder = zero_pose();
    let check = |line: &str| folder.says(1, format!("check pose.psa --level note {line}").trim_end());
    assert_eq!(check("").text().lines().count(), 1);
    assert!(check("").text().contains("(and 3 more like this)"));
    for format in ["table", "github"] {
        let ran = check(&format!("--every-record --format {format}"));
        assert_eq!(ran.text().lines().count(), 4, "{}", ran.text());
        assert!(!ran.text().contains(" more like this)"));
    }
    assert_eq!(check("--every-record --format csv").text().lines().count(), 5, "with a header");
    let line: Value = serde_json::from_slice(&check("--every-record --format jsonl").out).expect("JSON");
    let findings = line["findings"].as_array().expect("a list");
    let records: Vec<_> =
        findings.iter().map(|finding| (finding["index"].as_u64(), finding["count"].as_u64())).collect();
    assert_eq!(records, [(Some(0), Some(1)), (Some(1), Some(1)), (Some(2), Some(1)), (Some(3), Some(1))]);
    let junit = check("--every-record --format junit");
    assert_eq!((junit.text().matches("<testcase").count(), junit.text().matches("note [").count()), (1, 4));
    let log: Value = serde_json::from_slice(&check("--every-record --format sarif").out).expect("JSON");
    let results = log["runs"][0]["results"].as_array().expect("a list");
    let prints: BTreeSet<_> = results.iter().map(|result| result["partialFingerprints"].to_string()).collect();
    assert_eq!((results.len(), prints.len()), (4, 4), "services take equal fingerprints for one result");
}

#[test]
fn all_answers_questions_and_knows_ignored_codes_and_earlier_reports() {
    let folder = zero_pose();
    let rows = folder.run(&[
        "check",
        "pose.psa",
        "--level",
        "note",
        "--every-record",
        "--where",
        "index > 1",
        "--format",
        "jsonl",
    ]);
    assert_eq!(rows.lines().iter().map(|row| row["index"].as_u64()).collect::<Vec<_>>(), [Some(2), Some(3)]);
    folder.says(0, "check pose.psa --level note --every-record --ignore rotation-zero");
    for first in ["", "--every-record"] {
        let known = folder.says(1, format!("check pose.psa --level note --format jsonl {first}").trim_end()).out;
        folder.put("known.jsonl", &known);
        for second in ["", "--every-record"] {
            folder.says(0, format!("check pose.psa --level note --baseline known.jsonl {second}").trim_end());
        }
    }
    // An earlier report with fewer records than there are now.
    let known = folder.says(1, "check pose.psa --level note --format jsonl").out;
    let known = String::from_utf8(known).expect("text").replace("\"count\":4", "\"count\":3");
    assert!(known.contains("\"count\":3"), "{known}");
    folder.put("known.jsonl", &known);
    let new = folder.says(1, "check pose.psa --level note --every-record --baseline known.jsonl");
    assert_eq!(new.text().lines().count(), 4);
}

/// A quirk is in two lists of a row of JSON: among the findings, if its severity is asked for, and among the quirks.
#[test]
fn a_quirk_that_an_earlier_report_has_once_is_reported_when_it_occurs_twice() {
    let folder = Folder::new();
    folder.put("a.pskx", corpus("actorx/mesh/extrauv_size16.pskx"));
    let now = String::from_utf8(folder.says(1, "check a.pskx --level note --format jsonl").out).expect("text");
    assert_eq!(now.matches("\"count\":2").count(), 2, "{now}");
    folder.put("known.jsonl", now.replace("\"count\":2", "\"count\":1"));
    folder.says(1, "check a.pskx --level note --baseline known.jsonl");
    folder.put("known.jsonl", now);
    folder.says(0, "check a.pskx --level note --baseline known.jsonl");
}

#[test]
fn what_an_earlier_report_has_is_not_reported_again() {
    let folder = folder();
    let known = folder.says(1, "check mod --format jsonl").out;
    folder.put("known.jsonl", &known);
    assert_eq!(folder.says(0, "check mod --baseline known.jsonl").text(), "");
    folder.put("mod/new.psk", corpus("actorx/mesh/face_material.psk"));
    let new = found(&folder, "check mod --baseline known.jsonl --format jsonl");
    assert_eq!(new.iter().map(|(path, ..)| path.as_str()).collect::<Vec<_>>(), ["mod/new.psk"]);
    assert_eq!(folder.says(1, "check mod --baseline known.jsonl --format github").text().lines().count(), 1);
    // A file that was good and is broken now.
    folder.put("mod/good.psk", &corpus("actorx/mesh/classic.psk")[..900]);
    let new = found(&folder, "check mod/good.psk --baseline known.jsonl --format jsonl");
    assert_eq!(new.len(), 1);
    folder.put("other.jsonl", "{\"path\": \"a\"}\n");
    let ran = folder.says(2, "check mod --baseline other.jsonl");
    assert!(ran.complaints.contains("line 1 is not output of `skelmap check --format jsonl`"), "{}", ran.complaints);
    folder.says(3, "check mod --baseline none.jsonl");
}

/// The ways to name the folder `ed` of a repository: where the command runs, and what it is given.
fn ways(repository: &Folder) -> Vec<(std::path::PathBuf, String)> {
    let (root, ed) = (repository.at(""), repository.at("ed"));
    let whole = ed.to_str().expect("UTF-8").to_owned();
    let ways = [(&root, "ed"), (&root, "./ed"), (&root, "."), (&root, "ed/deep/.."), (&root, whole.as_str())];
    let ways = ways.into_iter().chain([(&ed, "."), (&ed, "../ed"), (&ed, whole.as_str())]);
    ways.map(|(folder, path)| (folder.clone(), path.to_owned())).collect()
}

/// A repository with a finding in a file, and one in an archive.
fn repository() -> Folder {
    let folder = Folder::new();
    folder.put(".git/HEAD", "ref: refs/heads/main\n");
    folder.put("ed/deep/a b.psk", corpus("actorx/mesh/face_material.psk"));
    folder.put("ed/x.zip", stored(&[("art/in.psk", &corpus("actorx/mesh/face_material.psk"))]));
    folder
}

#[test]
fn services_get_the_path_in_the_repository_however_the_arguments_name_it() {
    let folder = repository();
    let (first, second) = ("ed/deep/a b.psk", "ed/x.zip");
    for (at, path) in ways(&folder) {
        let check = |format: &str| {
            Ran::of(
                folder.command(&["check", path.as_str(), "--level", "warning", "--format", format]).current_dir(&at),
            )
        };
        let github = check("github");
        let files = |line: &str| line.split_once(" file=")?.1.split_once(',').map(|(file, _)| file.to_owned());
        assert_eq!(github.text().lines().filter_map(files).collect::<Vec<_>>(), [first, second], "{path} in {at:?}");
        assert!(github.text().contains(&format!("::{first}: ")), "{}", github.text());
        let log: Value = serde_json::from_slice(&check("sarif").out).expect("JSON");
        let places = log["runs"][0]["results"].as_array().expect("a list").iter().map(|result| &result["locations"][0]);
        let uris: Vec<_> = places.clone().map(|place| &place["physicalLocation"]["artifactLocation"]["uri"]).collect();
        assert_eq!(uris, ["ed/deep/a%20b.psk", "ed/x.zip"], "{path} in {at:?}");
        let inner = places.filter_map(|place| place["logicalLocations"][0]["fullyQualifiedName"].as_str());
        assert_eq!(inner.collect::<Vec<_>>(), ["ed/x.zip!/art/in.psk"]);
        let junit = check("junit");
        assert!(junit.text().contains("name=\"ed/deep/a b.psk\""), "{}", junit.text());
        // `path` stays as it is given, so that other commands take it.
        assert!(check("jsonl").lines().iter().all(|row| row["path"].as_str().is_some_and(|own| at.join(own).exists())));
    }
    // From a folder without a repository, and from another repository: that of the file.
    let files = folder.at("ed/deep");
    for other in [Folder::new(), repository()] {
        let ran = other.ends(1, &["check", files.to_str().expect("UTF-8"), "--format", "github"]);
        assert!(ran.text().contains(" file=ed/deep/a b.psk,"), "{}", ran.text());
    }
    // Without a repository, paths are those below the working folder.
    std::fs::remove_dir_all(folder.at(".git")).expect("removed");
    let absolute = folder.at("ed/deep");
    let ran = folder.ends(1, &["check", absolute.to_str().expect("UTF-8"), "--format", "github"]);
    assert!(ran.text().contains(" file=ed/deep/a b.psk,"), "{}", ran.text());
    let ran = Ran::of(folder.command(&["check", "--format", "github", ".."]).current_dir(folder.at("ed/deep")));
    assert!(ran.text().contains(" file=a b.psk,") && ran.text().contains("/ed/x.zip,"), "{}", ran.text());
}

#[test]
fn an_earlier_report_means_the_same_files_from_every_folder_and_on_another_machine() {
    let (here, there) = (repository(), repository());
    for (at, path) in ways(&here) {
        let known = Ran::of(here.command(&["check", &path, "--format", "jsonl"]).current_dir(&at));
        assert_eq!((known.status, known.lines().len()), (1, 2), "{path} in {at:?}");
        let baseline = there.put("ed/known.jsonl", &known.out);
        let baseline = baseline.to_str().expect("UTF-8");
        for (at, path) in ways(&there) {
            let ran = Ran::of(there.command(&["check", &path, "--baseline", baseline]).current_dir(&at));
            assert_eq!((ran.status, ran.text()), (0, ""), "{path} in {at:?}");
        }
    }
    // A file of the same name in another folder is another file.
    there.put("a b.psk", corpus("actorx/mesh/face_material.psk"));
    let ran = there.ends(1, &["check", ".", "--baseline", "ed/known.jsonl"]);
    assert_eq!(ran.text().lines().count(), 1, "{}", ran.text());
    // Reports of before have no location: their paths are those that the arguments had.
    let known = here.says(1, "check ./ed --format jsonl").text().to_owned();
    let old: Vec<String> = known
        .lines()
        .map(|line| {
            let mut row: Value = serde_json::from_str(line).expect("JSON");
            assert!(row.as_object_mut().and_then(|row| row.remove("location")).is_some(), "{line}");
            row.to_string()
        })
        .collect();
    here.put("old.jsonl", old.join("\n"));
    assert_eq!(here.says(0, "check ed --baseline old.jsonl").text(), "");
}
