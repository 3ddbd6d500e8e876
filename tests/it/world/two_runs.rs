//! Two runs into one output, and one run in parts that do not fit together.

use std::io::Write;
use std::process::Stdio;

use crate::catalog::{Folder, corpus};

#[test]
fn a_catalogue_is_written_by_one_run_at_a_time() {
    let folder = Folder::new();
    folder.put("a.psk", corpus("actorx/mesh/classic.psk"));
    for kind in ["jsonl", "csv", if cfg!(feature = "parquet") { "parquet" } else { "jsonl" }] {
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
            let ran = folder.says(1, &format!("catalog a.psk -o {output} {option}"));
            assert_eq!(ran.complaints, busy, "{option}");
        }
        folder.says(1, &format!("catalog a.psk -o {output}"));
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

/// What one run took strictly and the next as the engine does would be a catalogue of neither.
#[test]
fn rows_made_with_other_options_are_not_gone_on_with() {
    let folder = Folder::new();
    for name in ["a.psa", "b.psa", "c.psa"] {
        folder.put(format!("art/{name}"), corpus("pyrogenesis/psa/version_2.psa"));
    }
    let of = |options: &str| -> Vec<u8> {
        let ran = folder.run(&format!("{options}catalog art -o whole.jsonl --force").split(' ').collect::<Vec<_>>());
        assert!(ran.status <= 1, "{}", ran.complaints);
        folder.read("whole.jsonl")
    };
    let (strictly, as_engine) = (of(""), of("--engine "));
    assert!(strictly != as_engine, "the option makes a difference");
    // A strict run was stopped after two rows.
    let two: usize = strictly.split_inclusive(|byte| *byte == b'\n').take(2).map(<[u8]>::len).sum();
    folder.put("all.jsonl.part", &strictly[..two]);
    folder.says(0, "--engine catalog art -o all.jsonl --resume");
    assert!(folder.read("all.jsonl") == as_engine, "no row of the other run");
    folder.remove("all.jsonl");
    let ran = folder.says(1, "catalog art -o all.jsonl --resume");
    assert!(ran.complaints.contains("done before"), "{}", ran.complaints);
    assert!(folder.read("all.jsonl") == strictly);
}

#[test]
fn rows_made_with_the_same_options_are_gone_on_with() {
    let folder = Folder::new();
    for index in 0..200 {
        folder.put(format!("art/{index:03}.psk"), corpus("actorx/mesh/classic.psk"));
    }
    let line = "--engine --trailing-zeros catalog art -o all.jsonl";
    let ran = super::shell(&folder, &format!("trap '' XFSZ; ulimit -f 20; exec \"$0\" {line}"));
    assert_eq!(ran.status, 1, "{}", ran.complaints);
    let ran = folder.says(0, &format!("{line} --resume"));
    assert!(ran.complaints.contains("done before"), "{}", ran.complaints);
    assert_eq!(folder.lines("all.jsonl").len(), 200);
    assert!(super::leftovers(&folder).is_empty());
}
