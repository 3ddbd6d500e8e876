//! Two runs into one output, and one run in parts that do not fit together.

use std::fs;
use std::io::{Read, Write};
use std::process::{Command, Stdio};

use crate::run::{Folder, corpus};

#[test]
fn a_catalogue_is_written_by_one_run_at_a_time() {
    let folder = Folder::new();
    folder.put("a.psk", corpus("actorx/mesh/classic.psk"));
    let parquet = if cfg!(feature = "tables") { &["parquet"][..] } else { &[] };
    for kind in ["jsonl", "csv"].iter().chain(parquet).copied() {
        let output = format!("all.{kind}");
        let mut first = folder.command(&["catalog", "a.psk", "/dev/stdin", "-o", &output]);
        let mut first = first.stdin(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("started");
        let mut input = first.stdin.take().expect("a pipe");
        // More than a pipe holds: it is at work.
        input.write_all(&vec![0; 1 << 20]).expect("written");
        let busy = format!("skelmap: {output}: {output}.part is being written by another run\n");
        for option in ["--force", "--resume", "--resume --force"] {
            if option.contains("--resume") && kind == "parquet" {
                continue;
            }
            let ran = folder.says(6, &format!("catalog a.psk -o {output} {option}"));
            assert_eq!(ran.complaints, busy, "{option}");
        }
        folder.says(6, &format!("catalog a.psk -o {output}"));
        drop(input);
        let ended = first.wait_with_output().expect("ended");
        assert_eq!(ended.status.code(), Some(1), "{}", String::from_utf8_lossy(&ended.stderr));
        assert!(folder.at(&output).exists() && super::leftovers(&folder).is_empty());
        if kind != "parquet" {
            let rows = folder.text(&output);
            assert_eq!(rows.lines().count(), 2 + usize::from(kind == "csv"), "both rows of the first run: {rows}");
        }
        folder.remove(&output);
    }
}

/// Rows fill the pipe, so that the first run waits until the second one is done.
#[test]
fn a_conversion_whose_outputs_another_run_has_written_meanwhile_is_busy() {
    let folder = Folder::new();
    for index in 0..1000 {
        folder.put(format!("art/{index:03}.psk"), corpus("actorx/mesh/classic.psk"));
    }
    let arguments = ["convert", "art", "-o", "out", "--resume", "--jobs", "1", "--format", "jsonl"];
    let mut first = folder.command(&arguments);
    let mut first = first.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("started");
    let mut rows = first.stdout.take().expect("a pipe");
    rows.read_exact(&mut [0]).expect("rows");
    let kill = |signal: &str| Command::new("kill").args([signal, &first.id().to_string()]).status().expect("kill");
    assert!(kill("-STOP").success());
    folder.says(0, "convert art -o out --resume");
    // The first run may have stopped while it wrote a file.
    let mut whole = folder.files();
    whole.retain(|name| !name.contains(".skelmap-") || name.contains(".skelmap-convert"));
    assert!(kill("-CONT").success());
    std::io::copy(&mut rows, &mut std::io::sink()).expect("rows");
    let ended = first.wait_with_output().expect("ended");
    let complaints = String::from_utf8_lossy(&ended.stderr);
    assert_eq!(ended.status.code(), Some(6), "{complaints}");
    assert!(complaints.contains(": another run has written it meanwhile\n"), "{complaints}");
    assert!(complaints.contains("skelmap: another run writes ") && complaints.lines().count() == 5, "{complaints}");
    assert_eq!(folder.files(), whole);
}

/// The name of a partial file leads to the rows of another run as soon as somebody moves the file.
#[test]
fn a_run_neither_renames_nor_removes_the_partial_file_of_another() {
    let folder = Folder::new();
    folder.put("a.psk", corpus("actorx/mesh/classic.psk"));
    let parquet = if cfg!(feature = "tables") { &["parquet"][..] } else { &[] };
    for kind in ["jsonl", "csv"].iter().chain(parquet) {
        let (output, partial) = (format!("all.{kind}"), format!("all.{kind}.part"));
        let mut run = folder.command(&["catalog", "a.psk", "/dev/stdin", "-o", &output]);
        let mut run = run.stdin(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("started");
        let mut input = run.stdin.take().expect("a pipe");
        // More than a pipe holds: the run has its partial file.
        input.write_all(&vec![0; 1 << 20]).expect("written");
        fs::rename(folder.at(&partial), folder.at("moved")).expect("moved");
        folder.put(&partial, b"rows of another run");
        drop(input);
        let ended = run.wait_with_output().expect("ended");
        let complaints = String::from_utf8_lossy(&ended.stderr);
        assert_eq!(ended.status.code(), Some(6), "{complaints}");
        assert!(complaints.contains(&format!("{partial} is being written by another run")), "{complaints}");
        assert_eq!(folder.text(&partial), "rows of another run", "{kind}");
        assert!(!folder.at(&output).exists(), "{kind}");
        folder.remove(&partial);
    }
}

/// What one run took strictly and the next as the engine does would be a catalogue of neither.
#[test]
fn rows_made_with_other_options_are_not_resumed() {
    let folder = Folder::new();
    for name in ["a.psa", "b.psa", "c.psa"] {
        folder.put(format!("art/{name}"), corpus("pyrogenesis/psa/version_2.psa"));
    }
    let of = |options: &str| -> Vec<u8> {
        let ran = folder.run(&format!("catalog{options} art -o whole.jsonl --force").split(' ').collect::<Vec<_>>());
        assert!(ran.status <= 1, "{}", ran.complaints);
        folder.read("whole.jsonl")
    };
    let (strictly, as_engine) = (of(""), of(" --engine"));
    assert!(strictly != as_engine, "the option makes a difference");
    // A strict run was stopped after two rows.
    let two: usize = strictly.split_inclusive(|byte| *byte == b'\n').take(2).map(<[u8]>::len).sum();
    folder.put("all.jsonl.part", &strictly[..two]);
    folder.says(0, "catalog --engine art -o all.jsonl --resume");
    assert!(folder.read("all.jsonl") == as_engine, "no row of the other run");
    folder.remove("all.jsonl");
    let ran = folder.says(1, "catalog art -o all.jsonl --resume");
    assert!(ran.complaints.contains("done before"), "{}", ran.complaints);
    assert!(folder.read("all.jsonl") == strictly);
}

/// Rows for assets and rows for sequences are told apart, in either direction.
#[test]
fn rows_for_assets_and_rows_for_sequences_are_not_mixed() {
    let folder = Folder::new();
    for name in ["a.psa", "b.psa", "c.psa"] {
        folder.put(format!("art/{name}"), corpus("actorx/anim/classic.psa"));
    }
    for kind in ["jsonl", "csv"] {
        for (earlier, later) in [("asset", "sequence"), ("sequence", "asset")] {
            folder.says(0, &format!("catalog art -o all.{kind} --per {earlier}"));
            let rows = folder.read(format!("all.{kind}"));
            folder.remove(format!("all.{kind}"));
            folder.put(format!("all.{kind}.part"), &rows);
            let ran = folder.says(2, &format!("catalog art -o all.{kind} --per {later} --resume"));
            let part = format!("skelmap: all.{kind}.part: ");
            assert_eq!(
                ran.complaints,
                part + "holds rows made with other options; delete it, or run with --force and without --resume\n"
            );
            assert!(folder.read(format!("all.{kind}.part")) == rows, "it is left as it is");
            folder.says(0, &format!("catalog art -o all.{kind} --per {earlier} --resume"));
            assert!(folder.read(format!("all.{kind}")) == rows);
            folder.remove(format!("all.{kind}"));
        }
    }
}

#[test]
fn a_file_that_is_not_a_catalogue_is_not_resumed() {
    let folder = Folder::new();
    folder.put("art/a.psk", corpus("actorx/mesh/classic.psk"));
    folder.says(0, "catalog art -o whole.jsonl");
    folder.says(0, "catalog art -o whole.csv");
    let (json, csv) = (folder.text("whole.jsonl"), folder.text("whole.csv"));
    let other = [
        ("jsonl", "my important notes\n".to_owned()),
        ("jsonl", "my important notes".to_owned()),
        ("jsonl", "{\"path\":\"art/a.psk\"}\n".to_owned()),
        ("jsonl", format!("{json}my important notes\n")),
        ("jsonl", csv.clone()),
        ("csv", "my,important,notes\n".to_owned()),
        ("csv", json.clone()),
    ];
    for (kind, text) in other {
        folder.put(format!("all.{kind}.part"), &text);
        let ran = folder.says(2, &format!("catalog art -o all.{kind} --resume"));
        let message =
            format!("skelmap: all.{kind}.part: is not a partial catalogue; name another output, or delete this file\n");
        assert_eq!(ran.complaints, message, "{text}");
        assert_eq!(folder.text(format!("all.{kind}.part")), text);
        folder.remove(format!("all.{kind}.part"));
    }
    // What was stopped at any byte of its first row is one.
    for (kind, text) in [("jsonl", &json), ("csv", &csv)] {
        for length in (0..text.len()).step_by(7) {
            folder.put(format!("all.{kind}.part"), &text.as_bytes()[..length]);
            folder.says(0, &format!("catalog art -o all.{kind} --resume"));
            assert_eq!(&folder.text(format!("all.{kind}")), text, "{length}");
            folder.remove(format!("all.{kind}"));
        }
    }
}

/// Not the first row of an asset alone is looked at.
#[test]
fn resume_finds_a_row_of_another_file_among_the_rows_of_an_asset() {
    let folder = Folder::new();
    for name in ["a.psa", "b.psa"] {
        folder.put(format!("art/{name}"), corpus("actorx/anim/classic.psa"));
    }
    folder.says(0, "catalog art -o all.jsonl --per sequence");
    let rows = folder.text("all.jsonl");
    let (first, rest) = rows.split_at(rows.find('\n').expect("a line") + 1);
    assert!(first.contains("\"sequence_index\":0"), "{first}");
    folder.remove("all.jsonl");
    let foreign = [
        first.replace("a.psa", "z.psa").replace("\"sequence_index\":0", "\"sequence_index\":1"),
        first.replace("\"sequence_index\":0", "\"sequence_index\":7"),
    ];
    for foreign in foreign {
        folder.put("all.jsonl.part", [first, foreign.as_str(), rest].concat());
        let ran = folder.says(2, "catalog art -o all.jsonl --per sequence --resume");
        assert!(ran.complaints.contains("holds rows of other files"), "{}", ran.complaints);
    }
}

#[test]
fn rows_made_with_the_same_options_are_resumed() {
    let folder = Folder::new();
    for index in 0..200 {
        folder.put(format!("art/{index:03}.psk"), corpus("actorx/mesh/classic.psk"));
    }
    let line = "catalog --engine --trailing-zeros art -o all.jsonl";
    let ran = super::shell(&folder, &format!("trap '' XFSZ; ulimit -f 20; exec \"$0\" {line}"));
    assert_eq!(ran.status, 5, "{}", ran.complaints);
    let ran = folder.says(0, &format!("{line} --resume"));
    assert!(ran.complaints.contains("done before"), "{}", ran.complaints);
    assert_eq!(folder.lines("all.jsonl").len(), 200);
    assert!(super::leftovers(&folder).is_empty());
}

/// Of an unfinished catalogue and of a record, lines of some mebibytes are read, however long they are.
#[cfg(target_os = "linux")]
#[test]
fn a_line_without_an_end_takes_little_memory() {
    let folder = Folder::new();
    folder.put("a.psk", corpus("actorx/mesh/classic.psk"));
    let lines = [
        ("all.jsonl.part", r#"{"schema":1,"path":"a"#, "catalog a.psk -o all.jsonl --resume", 2),
        ("all.csv.part", "schema,path,entry,\"", "catalog a.psk -o all.csv --resume", 2),
        ("out/.skelmap-convert.jsonl", "{", "convert a.psk -o out/ --resume", 0),
    ];
    for (name, begin, line, status) in lines {
        folder.put(name, begin);
        fs::OpenOptions::new().write(true).open(folder.at(name)).expect("opened").set_len(2 << 30).expect("sparse");
        let ran = super::shell(&folder, &format!("ulimit -d 204800; exec \"$0\" {line}"));
        assert_eq!(ran.status, status, "{line}: {}", ran.complaints);
        assert!(status == 0 || ran.complaints.contains("is not a partial catalogue"), "{line}: {}", ran.complaints);
    }
}
