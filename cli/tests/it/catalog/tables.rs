//! Parquet holds what JSON lines hold, read back by the format's own library.

use parquet::file::reader::SerializedFileReader;
use parquet::record::Field;
use serde_json::Value;

use super::mixed;
use crate::run::{Folder, corpus};

/// A row as JSON lines have it: keys that are missing are null there.
fn expected(row: &Value, key: &str) -> Value {
    match key {
        "error_kind" => row["error"]["kind"].clone(),
        "error_section" => row["error"]["section"].clone(),
        "error_offset" => row["error"]["offset"].clone(),
        "error_message" => row["error"]["message"].clone(),
        other => row[other].clone(),
    }
}

fn same(folder: &Folder, per: &str, columns: usize) {
    folder.says(1, &format!("catalog art -o rows.jsonl --force --per {per}"));
    folder.says(1, &format!("catalog art -o rows.parquet --force --per {per}"));
    let lines = folder.lines("rows.jsonl");
    let file = std::fs::File::open(folder.at("rows.parquet")).expect("written");
    let reader = SerializedFileReader::new(file).expect("Parquet");
    let rows: Vec<_> = reader.into_iter().map(|row| row.expect("a row")).collect();
    assert_eq!(rows.len(), lines.len());
    assert!(!rows.is_empty());
    for (row, line) in rows.iter().zip(&lines) {
        assert_eq!(row.len(), columns);
        for (key, found) in row.get_column_iter() {
            assert_eq!(value(found), expected(line, key), "{key} of {line}");
        }
    }
}

fn value(field: &Field) -> Value {
    match field {
        Field::Null => Value::Null,
        Field::Long(number) => (*number).into(),
        // By its own digits: as a double it has others.
        Field::Float(number) => serde_json::from_str(&format!("{number:?}")).expect("a number"),
        Field::Double(number) => (*number).into(),
        Field::Str(text) => text.as_str().into(),
        Field::ListInternal(list) => list.elements().iter().map(value).collect(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_catalogue_as_parquet_has_the_rows_of_json_lines() {
    let folder = mixed();
    same(&folder, "asset", 28);
    same(&folder, "sequence", 26);
}

#[test]
fn a_catalogue_as_parquet_is_not_resumed() {
    let folder = mixed();
    folder.says(2, "catalog art -o rows.parquet --resume");
    assert!(!folder.files().iter().any(|file| file.starts_with("rows.parquet")));
}

#[test]
fn a_question_chooses_the_rows_and_columns_of_parquet() {
    let folder = mixed();
    let question = "--where bones --sort -bones,path --limit 4 --columns quirks,path,bones,error_kind";
    folder.says(1, &format!("catalog art -o some.parquet {question}"));
    folder.says(1, &format!("catalog art -o some.jsonl {question}"));
    let lines = folder.lines("some.jsonl");
    assert!(!lines.is_empty() && lines.iter().map(|line| line["bones"].as_u64()).rev().is_sorted(), "{lines:?}");
    let file = std::fs::File::open(folder.at("some.parquet")).expect("written");
    let rows = SerializedFileReader::new(file).expect("Parquet").into_iter().map(|row| row.expect("a row"));
    let mut compared = 0;
    for (row, line) in rows.zip(&lines) {
        let keys: Vec<&str> = row.get_column_iter().map(|(key, _)| key.as_str()).collect();
        assert_eq!(keys, ["quirks", "path", "bones", "error_kind"]);
        for (key, found) in row.get_column_iter() {
            assert_eq!(&value(found), &line[key], "{key} of {line}");
        }
        compared += 1;
    }
    assert_eq!(compared, lines.len());
}

/// A bone is a name in one family and a number in another; and a key has columns that others lack.
#[test]
fn keys_of_all_families_in_parquet_are_those_of_json_lines() {
    let folder = Folder::new();
    folder.put("mod/1.psa", corpus("pyrogenesis/psa/walk.psa"));
    folder.put("mod/2.psa", corpus("actorx/anim/classic.psa"));
    folder.put("mod/3.gsa", corpus("swat3/gsa/plain_all.gsa"));
    folder.says(0, "dump mod --what keys -o keys.parquet");
    let lines = folder.says(0, "dump mod --what keys --format jsonl").lines();
    let file = std::fs::File::open(folder.at("keys.parquet")).expect("written");
    let rows: Vec<_> =
        SerializedFileReader::new(file).expect("Parquet").into_iter().map(|row| row.expect("a row")).collect();
    assert_eq!(rows.len(), lines.len());
    for (row, line) in rows.iter().zip(&lines) {
        assert!(row.len() > 5);
        for (key, found) in row.get_column_iter() {
            assert_eq!(value(found), line[key], "{key} of {line}");
        }
    }
}
