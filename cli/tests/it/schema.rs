//! The numbers of JSON schemas: a program that knows a number finds all keys that it knows.

use serde_json::Value;

/// The keys that schema 1 has promised. Keys are added here with the outputs and never removed: an output without one of them needs a
/// new number and a list of its own.
const PROMISED: &str = include_str!("schema_1.txt");

#[test]
fn no_key_of_a_schema_goes_away_while_its_number_stays() {
    let text = std::fs::read(test_support::corpus::folder().join("../../docs/schema.json")).expect("a file");
    let documented: Value = serde_json::from_slice(&text).expect("JSON");
    for line in PROMISED.lines() {
        let (object, keys) = line.split_once(": ").expect("an object and its keys");
        let properties = &documented["$defs"][object]["properties"];
        for key in keys.split(' ') {
            assert!(properties[key].is_object(), "{object} has lost {key:?}, and its schema has the old number");
        }
        if properties["schema"].is_object() {
            assert_eq!(properties["schema"]["const"], 1, "{object}: list the keys of the new number");
        }
    }
}
