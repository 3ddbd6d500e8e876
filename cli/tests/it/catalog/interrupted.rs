//! A catalogue whose writing is ended from outside: no file but the partial one, and all of it after `--resume`.

#![cfg(unix)]

use std::io::Write;
use std::process::Stdio;
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::run::{Folder, corpus};
use test_support::build_zip::{Entry, Zip};

#[test]
fn a_killed_run_leaves_a_partial_file_that_resume_continues() {
    let folder = Folder::new();
    let mesh = corpus("actorx/mesh/classic.psk");
    // More than are done at a time, so that some rows reach the file.
    let entries = (0..1100).map(|index| Entry::stored(format!("{index:04}.psk"), &mesh));
    folder.put("many.zip", Zip::of(entries).build().bytes);

    // The last input does not end: whoever reads it waits.
    let arguments = ["catalog", "many.zip", "/dev/stdin", "-o", "all.jsonl"];
    let mut child = folder.command(&arguments).stdin(Stdio::piped()).stderr(Stdio::null()).spawn().expect("started");
    let mut input = child.stdin.take().expect("a pipe");
    input.write_all(&mesh[..100]).expect("written");
    let begun = Instant::now();
    let partial = folder.at("all.jsonl.part");
    while partial.metadata().map_or(0, |metadata| metadata.len()) == 0 {
        assert!(begun.elapsed() < Duration::from_secs(60), "nothing is written");
        assert!(child.try_wait().expect("asked").is_none(), "it waits for its input");
        sleep(Duration::from_millis(5));
    }
    child.kill().expect("killed");
    child.wait().expect("ended");
    drop(input);
    assert_eq!(folder.files(), ["all.jsonl.part", "many.zip"]);

    let ran = folder.run(&[arguments.as_slice(), &["--resume"]].concat());
    assert!(ran.complaints.contains("done before"), "{}", ran.complaints);
    folder.run(&["catalog", "many.zip", "/dev/stdin", "-o", "whole.jsonl"]);
    assert!(folder.read("all.jsonl") == folder.read("whole.jsonl"));
    assert_eq!(folder.lines("all.jsonl").len(), 1101);
}
