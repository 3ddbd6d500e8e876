//! Pipes: read once, and what is gone by the time it is read is named.

use std::fs::{self, File};
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::within_a_minute;
use crate::run::{Folder, corpus, stored};

/// Fills a pipe as soon as somebody has it open, and closes it at once: whoever closes it too has lost what was in it, and waits for
/// ever when opening it again.
fn fill(pipe: &Path, bytes: &[u8]) {
    const NONBLOCK: i32 = 0o4000;
    let begun = Instant::now();
    loop {
        match File::options().write(true).custom_flags(NONBLOCK).open(pipe) {
            Ok(mut pipe) => return pipe.write_all(bytes).expect("written"),
            Err(_) => assert!(begun.elapsed() < Duration::from_secs(60), "nobody reads it"),
        }
    }
}

#[test]
fn a_named_pipe_is_opened_once_and_read_to_its_end() {
    let folder = Folder::new();
    let mesh = corpus("actorx/mesh/classic.psk");
    assert!(Command::new("mkfifo").arg(folder.at("pipe")).status().expect("mkfifo").success());
    let json = "--format jsonl";
    let commands =
        [&format!("ls pipe {json}"), &format!("check pipe {json}"), "info pipe", "catalog pipe -o all.jsonl --force"];
    // More than once: who is first is chance.
    for command in commands.into_iter().cycle().take(20) {
        let ran = std::thread::scope(|scope| {
            scope.spawn(|| fill(&folder.at("pipe"), &mesh));
            within_a_minute(&folder, command)
        });
        assert_eq!(ran.status, 0, "{command}: {}", ran.complaints);
        let said = if command.starts_with("catalog") { folder.text("all.jsonl") } else { ran.text().to_owned() };
        assert!(said.contains("actorx.psk") || said.contains("ActorX"), "{command}: {said}");
    }
}

#[test]
fn a_pipe_in_a_folder_is_named_if_its_name_is_that_of_an_asset_or_archive() {
    let folder = Folder::new();
    folder.put("art/a.psk", corpus("actorx/mesh/classic.psk"));
    for name in ["b.psk", "c.zip", "d.txt"] {
        let path = folder.at(format!("art/{name}"));
        assert!(Command::new("mkfifo").arg(path).status().expect("mkfifo").success());
    }
    let rows = within_a_minute(&folder, "ls art --format jsonl").lines();
    let found: Vec<_> = rows.iter().map(|row| (row["path"].as_str(), row["error"]["message"].as_str())).collect();
    let fault = Some("is no regular file");
    assert_eq!(found, [(Some("art/a.psk"), None), (Some("art/b.psk"), fault), (Some("art/c.zip"), fault)]);
    // Nor does a comparison wait for them.
    for line in ["diff art art", "diff art art --all"] {
        let ran = within_a_minute(&folder, line);
        assert!(
            ran.status != 124 && ran.complaints.contains("b.psk: is no regular file"),
            "{line}: {}",
            ran.complaints
        );
    }
}

#[test]
fn a_file_that_vanishes_before_it_is_read_is_named() {
    let folder = Folder::new();
    let mesh = corpus("actorx/mesh/classic.psk");
    folder.put("art/gone/a.psk", &mesh);
    folder.put("art/gone/b.zip", stored(&[("in.psk", &mesh)]));
    folder.put("art/stays.psk", &mesh);
    let arguments = ["ls", "--jobs", "1", "--format", "jsonl", "/dev/stdin", "art"];
    let mut child = folder.command(&arguments);
    child.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = child.spawn().expect("started");
    let mut input = child.stdin.take().expect("a pipe");
    // More than a pipe holds: when it is taken the reading has begun, and the walk is over.
    input.write_all(&vec![0; 1 << 20]).expect("written");
    fs::remove_dir_all(folder.at("art/gone")).expect("removed");
    drop(input);
    let output = child.wait_with_output().expect("ended");
    assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    let rows: Vec<serde_json::Value> = text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let kinds: Vec<_> = rows.iter().map(|row| (row["path"].as_str(), row["error"]["kind"].as_str())).collect();
    let expected = [
        (Some("/dev/stdin"), Some("unknown-format")),
        (Some("art/gone/a.psk"), Some("not-found")),
        // It was open.
        (Some("art/gone/b.zip"), None),
        (Some("art/stays.psk"), None),
    ];
    assert_eq!(kinds, expected);
}

#[test]
fn closed_and_odd_standard_streams_cause_no_failure() {
    let folder = Folder::new();
    folder.put("a.psk", corpus("actorx/mesh/classic.psk"));
    folder.put("dir/b.psk", b"");
    let run = |line: &str| super::shell(&folder, line);
    assert_eq!(run("exec \"$0\" ls a.psk <&-").status, 0);
    assert_eq!(run("exec \"$0\" ls a.psk >&-").status, 0);
    // The message has nowhere to go, the status has.
    assert_eq!(run("exec \"$0\" ls none.psk 2>&-").status, 3);
    assert_eq!(run("exec \"$0\" pack a.psk -o a.zip <&- >&- 2>&-").status, 0);
    assert_eq!(run("exec \"$0\" extract a.zip -o out <&- >&- 2>&-").status, 0);
    assert_eq!(folder.read("out/a.psk"), folder.read("a.psk"));
    assert_eq!(run("exec \"$0\" catalog a.psk -o all.jsonl <&- >&- 2>&-").status, 0);
    assert_eq!(folder.lines("all.jsonl").len(), 1);
    let of_folder = run("exec \"$0\" pose /dev/stdin --at 0 < dir");
    assert_eq!((of_folder.status, of_folder.complaints.as_str()), (3, "skelmap: /dev/stdin: is a directory\n"));
    let closed = run("\"$0\" info /dev/stdin <&-; echo $?");
    assert!(closed.text().ends_with("1\n"), "an empty file: {}", closed.text());
}

#[test]
fn any_number_of_jobs_is_accepted_and_a_failure_to_start_threads_is_no_error() {
    let folder = Folder::new();
    folder.put("art/a.psk", corpus("actorx/mesh/classic.psk"));
    folder.put("art/b.psk", corpus("actorx/mesh/classic.psk"));
    let rows = folder.says(0, "ls art --format csv").out;
    assert!(folder.says(0, &format!("ls art --format csv --jobs {}", usize::MAX)).out == rows);
    folder.says(2, "ls art --jobs 0");
    folder.says(2, "ls art --jobs 99999999999999999999999");
    // Stacks that do not fit: no thread can be started.
    let ran =
        super::shell(&folder, "ulimit -v 400000; RUST_MIN_STACK=1000000000 exec \"$0\" ls art --format csv --jobs 2");
    assert_eq!((ran.status, ran.complaints.as_str()), (0, ""));
    assert!(ran.out == rows);
}

/// What a command writes into a named pipe.
fn piped(folder: &Folder, line: &str) -> Vec<u8> {
    std::thread::scope(|scope| {
        let reader = scope.spawn(|| fs::read(folder.at("pipe")).expect("read"));
        let ran = within_a_minute(folder, &format!("{line} -o pipe"));
        assert_eq!(ran.status, 0, "{line}: {}", ran.complaints);
        reader.join().expect("read")
    })
}

#[test]
fn catalogues_and_dumps_go_to_standard_output_and_into_pipes() {
    let folder = Folder::new();
    for name in ["a", "b", "c"] {
        folder.put(format!("art/{name}.psk"), corpus("actorx/mesh/classic.psk"));
    }
    assert!(Command::new("mkfifo").arg(folder.at("pipe")).status().expect("mkfifo").success());
    let parquet = if cfg!(feature = "tables") { &["parquet"][..] } else { &[] };
    let catalog = ["jsonl", "csv"].iter().chain(parquet).map(|format| ("catalog art", *format));
    let dump =
        ["jsonl", "json", "csv", "npy", "f32"].iter().chain(parquet).map(|format| ("dump art --what points", *format));
    for (command, format) in catalog.chain(dump) {
        let line = format!("{command} --format {format}");
        folder.says(0, &format!("{line} -o rows.{format} --force"));
        let rows = folder.read(format!("rows.{format}"));
        assert!(!rows.is_empty());
        let before = folder.files();
        for output in ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"] {
            assert!(folder.says(0, &format!("{line} -o {output}")).out == rows, "{line} -o {output}");
        }
        super::shell(&folder, &format!("exec \"$0\" {line} -o /dev/stdout > redirected"));
        assert!(folder.read("redirected") == rows, "{line}");
        folder.remove("redirected");
        assert!(piped(&folder, &line) == rows, "{line}");
        assert!(folder.says(0, &format!("{line} -o /dev/null")).out.is_empty());
        assert_eq!(folder.files(), before, "neither a file called - nor an unfinished one");
    }
    for output in ["-", "/dev/stdout", "pipe", "/dev/null"] {
        let ran = folder.says(2, &format!("catalog art --format csv -o {output} --resume"));
        assert_eq!(ran.complaints, format!("skelmap: {output}: --resume needs a regular file as output\n"));
    }
    assert!(folder.says(2, "catalog art -o -").complaints.contains("or --format"));
}

#[test]
fn an_edit_goes_to_standard_output_where_that_is_no_terminal() {
    let folder = Folder::new();
    folder.put("r.gsa", corpus("swat3/gsa/reload.gsa"));
    folder.says(0, "gsa edit r.gsa --clear -o edited.gsa");
    for output in ["-", "/dev/stdout"] {
        assert_eq!(folder.says(0, &format!("gsa edit r.gsa --clear -o {output}")).out, folder.read("edited.gsa"));
    }
    assert_eq!(folder.files(), ["edited.gsa", "r.gsa"]);
}

#[test]
fn what_cannot_be_a_stream_is_refused_there() {
    let folder = Folder::new();
    folder.put("a.psk", corpus("actorx/mesh/classic.psk"));
    folder.put("a.zip", stored(&[("in.psk", &corpus("actorx/mesh/classic.psk"))]));
    let before = folder.files();
    for line in ["pack a.psk", "extract a.zip"] {
        for output in ["-", "/dev/stdout"] {
            let ran = folder.says(2, &format!("{line} -o {output}"));
            assert!(ran.complaints.contains("not to standard output") && ran.out.is_empty(), "{}", ran.complaints);
        }
    }
    assert_eq!(folder.files(), before);
    // A file that is called so has a folder before its name.
    folder.says(0, "pack a.psk -o ./-");
    assert!(folder.read("-").starts_with(b"PK"));
}

#[test]
fn a_reader_that_has_read_enough_ends_a_dump_without_a_message() {
    let folder = Folder::new();
    // Far more than a pipe holds.
    for index in 0..20 {
        folder.put(format!("art/{index:03}.psk"), corpus("actorx/mesh/wide_points.pskx"));
    }
    assert!(Command::new("mkfifo").arg(folder.at("pipe")).status().expect("mkfifo").success());
    let parquet = if cfg!(feature = "tables") { &["parquet"][..] } else { &[] };
    for format in ["csv", "jsonl", "json", "npy", "f32", "table"].iter().chain(parquet) {
        let line = format!("\"$0\" dump art --what points --format {format}");
        for script in [
            format!("({line}; echo $? >&2) | head -c 9 > head"),
            format!("({line} -o -; echo $? >&2) | head -c 9 > head"),
            format!("head -c 9 pipe > head & {line} -o pipe; echo $? >&2; wait"),
        ] {
            let ran = super::shell(&folder, &script);
            assert_eq!(ran.complaints, "0\n", "{script}");
            assert_eq!(folder.read("head").len(), 9, "{script}");
        }
    }
}
