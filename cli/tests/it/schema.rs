//! The numbers of JSON schemas: a program that knows a number finds all keys that it knows.

use serde_json::Value;

use crate::run::Folder;

/// The keys that each schema has promised. Keys are added here with the outputs and never removed: an output without one of them needs a
/// new number and a list of its own.
const PROMISED: [(u32, &str); 2] = [(1, include_str!("schema_1.txt")), (2, include_str!("schema_2.txt"))];

#[test]
fn no_key_of_a_schema_goes_away_while_its_number_stays() {
    let text = std::fs::read(test_support::corpus::folder().join("../../docs/schema.json")).expect("a file");
    let documented: Value = serde_json::from_slice(&text).expect("JSON");
    let lines = PROMISED.iter().flat_map(|(number, text)| text.lines().map(move |line| (number, line)));
    for (number, line) in lines {
        let (object, keys) = line.split_once(": ").expect("an object and its keys");
        let properties = &documented["$defs"][object]["properties"];
        for key in keys.split(' ') {
            assert!(properties[key].is_object(), "{object} has lost {key:?}, and its schema has the number {number}");
        }
        if properties["schema"].is_object() {
            assert_eq!(properties["schema"]["const"], *number, "{object}: list the keys of the new number");
        }
    }
}

/// `skelmap columns --format schema > docs/schema.json` writes it.
#[test]
fn the_schema_of_the_documentation_is_the_one_that_is_declared() {
    let path = test_support::corpus::folder().join("../../docs/schema.json");
    let committed = std::fs::read_to_string(path).expect("a file");
    let declared = Folder::new().says(0, "columns --format schema").text().to_owned();
    assert!(committed == declared, "write docs/schema.json anew: skelmap columns --format schema > docs/schema.json");
}

#[test]
fn columns_are_those_of_the_command_that_is_asked_for() {
    let folder = Folder::new();
    let commands = |line: &str| -> Vec<String> {
        let rows = folder.says(0, &format!("columns {line} --format jsonl")).lines();
        let mut commands: Vec<_> =
            rows.iter().map(|row| row["command"].as_str().expect("a command").to_owned()).collect();
        commands.dedup();
        commands
    };
    assert_eq!(commands("ls"), ["ls", "ls --per sequence"]);
    assert_eq!(commands("mod"), ["mod", "mod --bones"]);
    assert_eq!(commands("gsa events"), ["gsa events"]);
    assert!(folder.says(2, "columns nothing").complaints.contains("no command \"nothing\" has columns"));
    folder.says(2, "columns ls --format schema");
    let meaning = |command: &str, column: &str| -> String {
        let rows = folder.says(0, "columns --format jsonl").lines();
        let row = rows.iter().find(|row| row["command"] == command && row["column"] == column).expect("a column");
        row["meaning"].as_str().expect("a text").to_owned()
    };
    // Each column has a text of its own, also where another command has a column with the same name.
    assert_eq!(meaning("diff", "name"), "the name of what differs; null for a file, which has its path");
    assert!(meaning("mod --bones", "change").starts_with("the mean change of the lengths of bones"));
    assert_eq!(meaning("diff", "change"), "the kind of difference");
}

/// The types of arrays are declared beside their records, which say it too.
#[test]
fn arrays_have_the_columns_and_types_that_are_declared() {
    let folder = Folder::new();
    let files = test_support::corpus::below(
        &test_support::corpus::folder().join("../../corpus"),
        &["psk", "psa", "pmd", "gsa"],
    );
    let rich =
        ["actorx/mesh/all_chunks.pskx", "actorx/anim/curves.psa"].map(|name| test_support::corpus::folder().join(name));
    let rows = folder.says(0, "columns dump --format jsonl").lines();
    let mut seen = 0;
    for path in files.iter().chain(rich.iter().filter(|path| path.is_file())) {
        let path = path.to_str().expect("a path");
        let format = folder.ends(0, &["ls", path, "--format", "jsonl"]).lines()[0]["format"]
            .as_str()
            .expect("a format")
            .to_owned();
        let arrays: std::collections::BTreeSet<&str> =
            rows.iter().filter_map(|row| row["array"].as_str()?.strip_prefix(&format)?.strip_prefix(' ')).collect();
        for array in arrays {
            let dumped = folder.run(&["dump", path, "--what", array, "--format", "jsonl"]);
            if dumped.status != 0 || dumped.out.is_empty() {
                continue;
            }
            let of = format!("{format} {array}");
            let declared: Vec<&Value> = rows.iter().filter(|row| row["array"] == *of).collect();
            for record in dumped.lines().iter().take(100) {
                let record = record.as_object().expect("an object");
                assert_eq!(record.len(), declared.len(), "{of}");
                for column in &declared {
                    let (name, kind) =
                        (column["column"].as_str().expect("a name"), column["type"].as_str().expect("a type"));
                    let value = &record[name];
                    let fits = match value {
                        Value::Null => kind.ends_with(" or null") || kind == "number",
                        Value::String(text) => {
                            kind == "text" || kind.starts_with("one of ") && kind.contains(text.as_str())
                        }
                        Value::Number(number) if number.is_f64() => kind.starts_with("number"),
                        Value::Number(number) if number.is_i64() => {
                            number.as_i64() >= Some(0) || kind.starts_with("integer") && !kind.contains("from")
                        }
                        _ => kind.starts_with("integer"),
                    };
                    assert!(fits, "{of}: {name} is {value}, and declared as {kind}");
                    seen += 1;
                }
            }
        }
    }
    assert!(seen > 1000, "{seen}");
}
