//! The help of each command.

use std::collections::BTreeSet;

use crate::run::{Folder, skelmap, stdout};

/// The commands, with those in groups.
const COMMANDS: [&str; 27] = [
    "ls",
    "info",
    "check",
    "explain",
    "pose",
    "skin",
    "convert",
    "edit",
    "merge",
    "split",
    "view",
    "plot",
    "sheet",
    "stats",
    "dump",
    "catalog",
    "extract",
    "match",
    "mod",
    "diff",
    "cat",
    "pack",
    "gsa events",
    "gsa edit",
    "columns",
    "completions",
    "man",
];

#[test]
fn the_short_help_fits_one_screen_and_ends_with_two_examples() {
    let folder = Folder::new();
    for command in COMMANDS.into_iter().chain([""]) {
        let line = format!("{command} -h");
        let help = folder.says(0, line.trim());
        let text = help.text();
        assert!(text.lines().count() <= 40, "{command}: {} lines", text.lines().count());
        assert!(text.lines().all(|line| line.chars().count() <= 100), "{command}");
        let examples = text.rsplit("Examples:\n").next().expect("a text");
        let words = format!("  skelmap {command}");
        assert_eq!(examples.lines().count(), 2, "{command}: {examples}");
        assert!(examples.lines().all(|line| line.starts_with(words.trim_end())), "{command}: {examples}");
    }
}

#[test]
fn the_long_help_ends_with_examples_and_says_more() {
    let folder = Folder::new();
    for command in COMMANDS {
        let text = folder.says(0, &format!("{command} --help")).text().to_owned();
        let examples = text.rsplit("\n\nExamples:\n").next().expect("a text");
        assert!(
            examples.lines().count() >= 2 && examples.lines().all(|line| line.starts_with("  skelmap ")),
            "{command}"
        );
    }
    assert!(folder.says(0, "--help").text().contains("  6    busy: another run writes the same output"));
    assert!(folder.says(0, "dump --help").text().contains("scale-keys"));
}

/// The keys that a command writes as JSON and the columns of its CSV.
fn written(folder: &Folder, line: &str) -> BTreeSet<String> {
    let out = folder.run(&format!("{line} --format jsonl").split(' ').collect::<Vec<_>>());
    let mut keys: BTreeSet<String> = out.lines()[0].as_object().expect("an object").keys().cloned().collect();
    let csv = folder.run(&format!("{line} --format csv").split(' ').collect::<Vec<_>>());
    keys.extend(csv.text().lines().next().expect("a heading").split(',').map(str::to_owned));
    keys
}

#[test]
fn every_column_is_listed_with_its_meaning() {
    let folder = Folder::new();
    for name in ["fox.psk", "fox.psa", "fox.config", "fox.pmd", "fox_idle.psa", "officer_walk.gsa"] {
        folder
            .put(name, std::fs::read(test_support::corpus::folder().join("../../corpus").join(name)).expect("a file"));
    }
    let rows = folder.says(0, "columns --format jsonl").lines();
    assert!(rows.iter().all(|row| row["meaning"].as_str().is_some_and(|meaning| !meaning.is_empty())), "{rows:?}");
    let listed = |commands: &[&str]| -> BTreeSet<String> {
        let own = rows.iter().filter(|row| commands.contains(&row["command"].as_str().expect("a command")));
        own.map(|row| row["column"].as_str().expect("a column").to_owned()).collect()
    };
    let has = |commands: &[&str], keys: BTreeSet<String>| {
        let missing: Vec<_> = keys.difference(&listed(commands)).cloned().collect();
        assert!(missing.is_empty(), "{commands:?}: {missing:?}");
    };
    has(&["ls"], written(&folder, "ls fox.psk"));
    has(&["match"], written(&folder, "match fox.psk fox.psa"));
    folder.put("art/actors/fox.xml", "<actor><group><variant><mesh>fox.dae</mesh></variant></group></actor>");
    has(&["mod"], written(&folder, "mod ."));
    has(&["stats"], written(&folder, "stats fox.psk"));
    has(&["convert"], written(&folder, "convert fox.psk -o out --force"));
    has(&["gsa events"], written(&folder, "gsa events officer_walk.gsa"));
    for kind in ["jsonl", "csv"] {
        folder.says(0, &format!("catalog fox.psa -o all.{kind} --per sequence --extent"));
    }
    let mut keys: BTreeSet<String> =
        folder.lines("all.jsonl")[0].as_object().expect("an object").keys().cloned().collect();
    keys.extend(folder.text("all.csv").lines().next().expect("a heading").split(',').map(str::to_owned));
    has(&["ls", "catalog"], keys);
    for (file, arrays) in [
        (
            "fox.psk",
            "chunks points wedges faces materials bones influences colors uvs normals tangents morphs deltas sockets",
        ),
        ("fox.psa", "chunks bones sequences keys scale-keys curves side-car"),
        ("fox.pmd", "vertices uvs faces bones influences props"),
        ("fox_idle.psa", "states"),
        ("officer_walk.gsa", "rotations frames events bones"),
    ] {
        for array in arrays.split(' ') {
            // With a second file, rows have path and entry.
            let csv = folder.run(&["dump", file, file, "--what", array, "--format", "csv"]);
            assert_eq!(csv.status, 0, "{array}: {}", csv.complaints);
            has(&["dump"], csv.text().lines().next().expect("a heading").split(',').map(str::to_owned).collect());
        }
    }
    let csv = folder.says(0, "pose fox_idle.psa --frame 0 --format csv").text().lines().next().map(str::to_owned);
    has(&["pose"], csv.expect("a heading").split(',').map(str::to_owned).collect());
    let csv = folder.says(0, "skin fox.psk --format csv").text().lines().next().map(str::to_owned);
    has(&["skin"], csv.expect("a heading").split(',').map(str::to_owned).collect());
    let findings = folder.says(0, "check fox.psk --format csv").text().lines().next().expect("a heading").to_owned();
    has(&["check"], findings.split(',').map(str::to_owned).collect());
}

/// Options of a family belong to the commands that parse files.
#[test]
fn options_of_one_family_are_where_files_are_parsed() {
    let folder = Folder::new();
    for (command, is_there) in [("ls", true), ("info", true), ("gsa edit", true), ("explain", false), ("pack", false)] {
        let text = folder.says(0, &format!("{command} --help")).text().to_owned();
        for option in ["--engine", "--gsa-layout", "--trailing-zeros"] {
            assert_eq!(text.contains(option), is_there, "{command} {option}");
        }
    }
    folder.says(2, "explain --engine");
}

#[test]
fn help_has_examples() {
    for command in [&["--help"][..], &["ls", "--help"], &["info", "--help"], &["check", "--help"], &["dump", "--help"]]
    {
        assert!(stdout(&skelmap(command)).contains("Examples:"), "{command:?}");
    }
}

#[test]
fn explain_answers_for_the_codes_that_it_knows_and_has_a_hint_for_each_other_one() {
    let folder = Folder::new();
    let ran = folder.says(2, "explain weightsum bone-cycle nonsense weight-sum");
    let known: Vec<&str> = ran.text().lines().filter(|line| line.contains(" (") && line.contains("): ")).collect();
    assert!(known[0].starts_with("bone-cycle (error): ") && known[1].starts_with("weight-sum ("), "{known:?}");
    let said: Vec<&str> = ran.complaints.lines().collect();
    assert_eq!(said[0], "skelmap: there is no code \"weightsum\": did you mean weight-sum?");
    assert!(said.len() == 2 && said[1].contains("\"nonsense\""), "{said:?}");
    let rows = folder.says(2, "explain weightsum bone-cycle --format jsonl").lines();
    assert_eq!(rows.iter().map(|row| row["code"].as_str()).collect::<Vec<_>>(), [Some("bone-cycle")]);
    // A word that eight codes have.
    let ran = folder.says(2, "explain other-count");
    assert_eq!(ran.complaints.matches("-count").count(), 4, "{}", ran.complaints);
    // A verdict of `match`, as people ask for it.
    for verdict in ["exact", "fits", "in-part", "same-count", "hardly", "not"] {
        let ran = folder.says(0, &format!("explain {verdict}"));
        assert!(ran.text().starts_with(&format!("{verdict} (a verdict of match)\n\n")), "{}", ran.text());
    }
    assert!(folder.says(2, "explain fits --format json").complaints.contains("fits is a verdict of `skelmap match`"));
}

#[test]
fn a_path_in_the_place_of_a_command_gets_a_hint() {
    let folder = Folder::new();
    folder.put("mods/a.txt", "");
    let ran = folder.says(2, "mods");
    assert!(
        ran.complaints.contains("a command comes before a path: skelmap info FILE, skelmap ls FOLDER"),
        "{}",
        ran.complaints
    );
    assert!(!folder.says(2, "nothing").complaints.contains("a command comes before"));
}

#[test]
fn an_unknown_option_is_no_value_unless_a_file_has_its_name() {
    let folder = Folder::new();
    let ran = folder.says(2, "ls -r .");
    assert!(
        ran.complaints.contains("unexpected argument '-r'") && !ran.complaints.contains("as a value"),
        "{}",
        ran.complaints
    );
    assert!(folder.says(2, "ls --hiden .").complaints.contains("'--hidden'"));
    // The option is no part of the name of this file.
    folder.put("-q", "");
    assert!(!folder.says(2, "ls -q -dash").complaints.contains("tip"));
    for name in ["-dash", "--dash.psk"] {
        folder.put(name, "");
        let ran = folder.says(2, &format!("ls {name}"));
        let tip = format!("tip: to name the file '{name}', write './{name}' or '-- {name}'");
        assert!(ran.complaints.contains(&tip) && !ran.complaints.contains("as a value"), "{}", ran.complaints);
        for line in [format!("ls ./{name}"), format!("ls -- {name}")] {
            assert!(!folder.run(&line.split(' ').collect::<Vec<_>>()).complaints.contains("unexpected"), "{line}");
        }
    }
}
