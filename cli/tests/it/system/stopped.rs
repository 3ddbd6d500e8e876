//! Commands that are stopped in the middle: nothing half-written has a final name, and what was begun is removed or gone on with.

use std::collections::BTreeMap;
use std::fs::File;
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use super::{is_part, leftovers};
use crate::run::{Folder, corpus};
use test_support::build_zip::{Entry, Zip};

const SIGNALS: [&str; 3] = ["INT", "TERM", "KILL"];

/// A command that signals reach. A test run that was started with signals ignored (`nohup`, `&` in a script) hands that down.
fn command(folder: &Folder, arguments: &[&str]) -> Command {
    const HUP_INT_TERM: u64 = 1 | 1 << 1 | 1 << 14;
    let status = std::fs::read_to_string("/proc/self/status").expect("a status");
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:")).expect("signals").trim();
    if u64::from_str_radix(ignored, 16).expect("a mask") & HUP_INT_TERM == 0 {
        return folder.command(arguments);
    }
    let mut command = Command::new("env");
    command.args(["--default-signal=HUP,INT,TERM", env!("CARGO_BIN_EXE_skelmap")]).args(arguments);
    command.current_dir(folder.at("")).stdin(Stdio::null());
    command
}

/// Starts a command and stops it as soon as something is so.
fn stopped(folder: &Folder, arguments: &[&str], signal: &str, is_so: impl Fn() -> bool) -> ExitStatus {
    let mut child = command(folder, arguments).stderr(Stdio::null()).spawn().expect("started");
    wait_until(&mut child, is_so);
    send(&child, signal);
    child.wait().expect("ended")
}

fn wait_until(child: &mut Child, is_so: impl Fn() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < Duration::from_secs(60), "it does not come");
        assert_eq!(child.try_wait().expect("asked"), None, "it ended before");
        sleep(Duration::from_millis(1));
    }
}

fn send(child: &Child, signal: &str) {
    let sent = Command::new("kill").args([&format!("-{signal}"), &child.id().to_string()]).status();
    assert!(sent.expect("kill").success());
}

/// By a signal of that name, or by the command itself once it has put things in order.
fn check_stopped(status: ExitStatus, signal: &str) {
    match signal {
        "INT" => assert_eq!(status.code(), Some(130), "{status}"),
        "TERM" => assert_eq!(status.code(), Some(143), "{status}"),
        "HUP" => assert_eq!(status.code(), Some(129), "{status}"),
        _ => assert_eq!(status.signal(), Some(9), "{status}"),
    }
}

#[test]
fn a_stopped_pack_leaves_no_archive_with_the_final_name() {
    let folder = Folder::new();
    folder.put("mod/a.psk", corpus("actorx/mesh/classic.psk"));
    // Takes seconds to pack, and no room of its own.
    File::create(folder.at("mod/large.bin")).and_then(|file| file.set_len(4 << 30)).expect("a file with a hole");
    folder.put("old.zip", b"old");
    for signal in SIGNALS {
        for output in ["new.zip", "old.zip"] {
            let arguments = ["pack", "mod", "-o", output, "--force"];
            let status = stopped(&folder, &arguments, signal, || !leftovers(&folder).is_empty());
            check_stopped(status, signal);
            let left = leftovers(&folder);
            assert_eq!(left.len(), usize::from(signal == "KILL"), "{signal}: {left:?}");
            assert!(!folder.at("new.zip").exists());
            assert_eq!(folder.read("old.zip"), b"old");
            // The next run for the output removes what a killed one has left.
            folder.says(0, &format!("pack mod/a.psk -o {output} --force"));
            assert!(leftovers(&folder).is_empty(), "{:?}", leftovers(&folder));
            folder.remove("new.zip");
            folder.put("old.zip", b"old");
        }
    }
}

/// An ActorX animation of one bone and ten million frames, which takes no room.
fn large_animation(folder: &Folder) {
    const FRAMES: u32 = 10_000_000;
    let chunk = |id: &str, size: u32, count: u32| -> Vec<u8> {
        let mut header = id.as_bytes().to_vec();
        header.resize(20, 0);
        header.extend([0, size, count].iter().flat_map(|number| number.to_le_bytes()));
        header
    };
    let mut bytes = [chunk("ANIMHEAD", 0, 0), chunk("BONENAMES", 120, 1)].concat();
    bytes.extend([b"root".as_slice(), &[0; 116]].concat());
    bytes.extend(chunk("ANIMINFO", 168, 1));
    bytes.extend([b"walk".as_slice(), &[0; 124]].concat());
    for number in [1, 0, 0, FRAMES, 0, FRAMES, 30_f32.to_bits(), 0, 0, FRAMES] {
        bytes.extend_from_slice(&u32::to_le_bytes(number));
    }
    bytes.extend(chunk("ANIMKEYS", 32, FRAMES));
    let length = bytes.len() as u64 + 32 * u64::from(FRAMES);
    let path = folder.put("large.psa", bytes);
    File::options().write(true).open(path).and_then(|file| file.set_len(length)).expect("a file with a hole");
}

#[test]
fn a_stopped_dump_leaves_no_file_with_the_final_name() {
    let folder = Folder::new();
    large_animation(&folder);
    folder.put("a.psa", corpus("actorx/anim/classic.psa"));
    for (signal, format) in SIGNALS.into_iter().zip(["csv", "json", "jsonl"]) {
        for output in ["new.csv", "old.csv"] {
            folder.put("old.csv", b"old");
            let arguments = ["dump", "large.psa", "--what", "keys", "--format", format, "-o", output, "--force"];
            let status = stopped(&folder, &arguments, signal, || !leftovers(&folder).is_empty());
            check_stopped(status, signal);
            let left = leftovers(&folder);
            assert_eq!(left.len(), usize::from(signal == "KILL"), "{signal}: {left:?}");
            assert!(!folder.at("new.csv").exists());
            assert_eq!(folder.read("old.csv"), b"old");
            // The next run for the output removes what a killed one has left.
            folder.says(0, &format!("dump a.psa --what keys -o {output} --force"));
            assert!(leftovers(&folder).is_empty(), "{:?}", leftovers(&folder));
            folder.remove("new.csv");
        }
    }
}

#[test]
fn commands_ignore_the_unfinished_files_of_killed_runs() {
    let folder = Folder::new();
    folder.put("mod/a.psk", corpus("actorx/mesh/classic.psk"));
    folder.put("mod/.skelmap-dead.part", corpus("actorx/mesh/classic.psk"));
    folder.put("mod/.skelmap-notes", b"a file of the user's");
    assert_eq!(folder.says(0, "ls mod --format jsonl").lines().len(), 1);
    let ran = folder.says(0, "pack mod -o mod/all.zip");
    // Nor is a file packed that `extract` would refuse for its name.
    assert!(ran.complaints.starts_with("skelmap: 1 file packed"), "{}", ran.complaints);
    assert!(
        ran.complaints.ends_with("; 1 file left out (.git, .DS_Store, Thumbs.db, .skelmap-*)\n"),
        "{}",
        ran.complaints
    );
}

/// Stopped again and again, each time a bit later, it comes to the end.
#[test]
fn a_stopped_extraction_is_resumed_and_never_shows_an_incomplete_file() {
    const FILES: usize = 12_000;
    let folder = Folder::new();
    let data = |index: usize| vec![index as u8; 1000 + index % 100];
    let entries = (0..FILES).map(|index| Entry::stored(format!("{:02}/{index:05}", index % 50), data(index)));
    folder.put("mod.zip", Zip::of(entries).build().bytes);
    let done = || -> BTreeMap<String, u64> {
        let files = folder.files().into_iter().filter(|file| file.starts_with("out/") && !is_part(file));
        files.map(|file| (file.clone(), folder.at(&file).metadata().expect("a file").len())).collect()
    };
    std::fs::create_dir(folder.at("out")).expect("a folder");
    let arguments = ["extract", "mod.zip", "-o", "out", "--resume"];
    for (round, signal) in SIGNALS.iter().cycle().take(6).enumerate() {
        // The next file that is not there yet.
        let next = done().len() + 1 + 10 * round;
        let status =
            stopped(&folder, &arguments, signal, || folder.at(format!("out/{:02}/{next:05}", next % 50)).exists());
        check_stopped(status, signal);
        let (left, kills) = (leftovers(&folder), (round + 1) / SIGNALS.len());
        assert!(left.len() <= kills, "{signal}: {left:?}");
        let done = done();
        assert!(done.len() > next && done.len() < FILES, "{signal}: {} files", done.len());
        for (file, length) in done {
            let index: usize = file.rsplit('/').next().and_then(|name| name.parse().ok()).expect("a number");
            assert_eq!(length as usize, data(index).len(), "{file}");
        }
    }
    // What is there and is other than it should be is no extracted file.
    let kept = done().len() - 1;
    folder.put("out/00/00000", vec![1; data(0).len()]);
    let ran = folder.run(&arguments);
    assert_eq!(ran.status, 5);
    assert!(ran.complaints.contains("entry \"00/00000\": exists already"), "{}", ran.complaints);
    assert!(ran.complaints.ends_with(&format!(", {kept} there already, 1 failed\n")), "{}", ran.complaints);
    assert!(leftovers(&folder).is_empty(), "{:?}", leftovers(&folder));
    let ran = folder.ends(0, &[&arguments[..], &["--force"]].concat());
    assert!(ran.complaints.starts_with("skelmap: 1 file extracted, "), "{}", ran.complaints);
    for index in 0..FILES {
        assert!(folder.read(format!("out/{:02}/{index:05}", index % 50)) == data(index), "{index}");
    }
}

/// A catalogue that waits for the end of its last input.
fn waiting(folder: &Folder, output: &str) -> (Child, std::process::ChildStdin) {
    let entries = (0..1100).map(|index| Entry::stored(format!("{index:04}.psk"), corpus("actorx/mesh/classic.psk")));
    folder.put("many.zip", Zip::of(entries).build().bytes);
    let mut child = command(folder, &["catalog", "many.zip", "/dev/stdin", "-o", output, "--force"]);
    let mut child = child.stdin(Stdio::piped()).stderr(Stdio::null()).spawn().expect("started");
    let input = child.stdin.take().expect("a pipe");
    (child, input)
}

#[test]
fn a_stopped_catalogue_keeps_the_partial_file_that_resume_continues() {
    let folder = Folder::new();
    for signal in SIGNALS {
        folder.put("all.csv", b"old");
        let (mut child, input) = waiting(&folder, "all.csv");
        let partial = folder.at("all.csv.part");
        wait_until(&mut child, || partial.metadata().is_ok_and(|metadata| metadata.len() > 0));
        send(&child, signal);
        assert!(!child.wait().expect("ended").success());
        drop(input);
        assert_eq!(folder.read("all.csv"), b"old", "{signal}");
        let ran = folder.run(&["catalog", "many.zip", "/dev/stdin", "-o", "all.csv", "--force", "--resume"]);
        assert!(ran.complaints.contains("done before"), "{signal}: {}", ran.complaints);
        assert_eq!(folder.text("all.csv").lines().count(), 1102, "{signal}");
        assert!(leftovers(&folder).is_empty());
    }
}

#[cfg(feature = "tables")]
mod tables {
    use super::*;

    #[test]
    fn a_stopped_parquet_catalogue_leaves_no_file() {
        let folder = Folder::new();
        for signal in ["INT", "TERM"] {
            folder.put("all.parquet", b"old");
            let (mut child, input) = waiting(&folder, "all.parquet");
            wait_until(&mut child, || folder.at("all.parquet.part").exists());
            send(&child, signal);
            check_stopped(child.wait().expect("ended"), signal);
            drop(input);
            assert_eq!(folder.read("all.parquet"), b"old");
            assert!(leftovers(&folder).is_empty(), "{:?}", leftovers(&folder));
        }
    }
}

/// An edit is written in no time; reading, it can be met.
#[test]
fn an_edit_that_is_stopped_while_reading_changes_nothing() {
    let folder = Folder::new();
    folder.put("old.gsa", b"old");
    for signal in SIGNALS {
        let mut child = command(&folder, &["gsa", "edit", "/dev/stdin", "-o", "old.gsa", "--force", "--clear"]);
        let mut child = child.stdin(Stdio::piped()).stderr(Stdio::null()).spawn().expect("started");
        let mut input = child.stdin.take().expect("a pipe");
        // More than a pipe holds: it is being read.
        std::io::Write::write_all(&mut input, &vec![0; 1 << 20]).expect("written");
        send(&child, signal);
        assert!(!child.wait().expect("ended").success());
        assert_eq!((folder.files(), folder.read("old.gsa")), (vec!["old.gsa".to_owned()], b"old".to_vec()));
    }
}

/// What is on the way from one family to another lies in a folder of its own.
#[test]
fn a_stopped_conversion_between_families_leaves_no_folder_in_between() {
    const MESHES: usize = 2000;
    let folder = Folder::new();
    let entries = (0..MESHES).map(|index| Entry::stored(format!("{index:04}.psk"), corpus("actorx/mesh/classic.psk")));
    folder.put("many.zip", Zip::of(entries).build().bytes);
    let between = folder.at("between");
    std::fs::create_dir(&between).expect("a folder");
    // How many files are in it. The folder appears before the first of them.
    let count = || {
        let folders = std::fs::read_dir(&between).expect("a folder").flatten();
        let files = folders.flat_map(|own| std::fs::read_dir(own.path().join("gltf")).into_iter().flatten());
        files.count()
    };
    let is_empty = || std::fs::read_dir(&between).expect("a folder").next().is_none();
    for (signal, files) in [("INT", 1), ("TERM", 20), ("INT", 300)] {
        let mut child = command(&folder, &["convert", "many.zip", "-o", "out", "--to", "pmd", "--joint-order"]);
        let mut child =
            child.env("TMPDIR", &between).stderr(Stdio::null()).stdout(Stdio::null()).spawn().expect("started");
        wait_until(&mut child, || count() >= files);
        send(&child, signal);
        check_stopped(child.wait().expect("ended"), signal);
        assert!(is_empty(), "{signal} after {files} files");
    }
    folder.put("one.psk", corpus("actorx/mesh/classic.psk"));
    let mut whole = command(&folder, &["convert", "one.psk", "-o", "out", "--to", "pmd", "--joint-order"]);
    assert!(whole.env("TMPDIR", &between).stdout(Stdio::null()).stderr(Stdio::null()).status().expect("ran").success());
    assert!(is_empty() && folder.at("out/one.pmd").is_file());
}

/// Starts packing a large file with some signals ignored, and sends one as soon as it writes.
fn packed_ignoring(ignored: &str, signal: &str) -> (Folder, ExitStatus) {
    let folder = Folder::new();
    File::create(folder.at("large.bin")).and_then(|file| file.set_len(1 << 30)).expect("a file with a hole");
    let script = format!("trap '' {ignored}; exec \"$0\" pack large.bin -o all.zip");
    let mut shell = Command::new("env");
    shell.args(["--default-signal=HUP,INT,TERM", "sh", "-c", &script, env!("CARGO_BIN_EXE_skelmap")]);
    let mut child = shell.current_dir(folder.at("")).stderr(Stdio::null()).spawn().expect("started");
    wait_until(&mut child, || !leftovers(&folder).is_empty());
    send(&child, signal);
    let status = child.wait().expect("ended");
    (folder, status)
}

/// Whoever starts a command with `nohup` means it to go on.
#[test]
fn a_command_keeps_ignoring_a_signal_that_was_ignored_at_its_start() {
    for (ignored, signal) in [("HUP", "HUP"), ("INT QUIT", "INT")] {
        let (folder, status) = packed_ignoring(ignored, signal);
        assert!(status.success(), "{ignored}: {status}");
        assert!(folder.at("all.zip").exists() && leftovers(&folder).is_empty());
    }
}

/// `nohup` ignores SIGHUP, and `&` in a script SIGINT.
#[cfg(target_os = "linux")]
#[test]
fn a_command_that_ignores_one_signal_obeys_the_others() {
    for (ignored, signal) in [("HUP", "TERM"), ("INT QUIT", "TERM"), ("INT QUIT", "HUP"), ("HUP TERM", "INT")] {
        let (folder, status) = packed_ignoring(ignored, signal);
        check_stopped(status, signal);
        assert!(!folder.at("all.zip").exists() && leftovers(&folder).is_empty(), "{ignored}, {signal}");
    }
}

/// Whether the first thread of a process waits for something.
#[cfg(target_os = "linux")]
fn is_asleep(process: u32) -> bool {
    let state = std::fs::read_to_string(format!("/proc/{process}/stat")).expect("a state");
    state.rsplit(") ").next().is_some_and(|rest| rest.starts_with('S'))
}

#[cfg(target_os = "linux")]
#[test]
fn a_command_that_waits_for_a_reader_of_its_messages_can_be_stopped() {
    let folder = Folder::new();
    let long = "x".repeat(200);
    let refused = (0..3000).map(|index| Entry::stored(format!("../{index}{long}"), b""));
    let written = std::iter::once(Entry::stored("a", b"a"));
    folder.put("mod.zip", Zip::of(written.chain(refused)).build().bytes);
    for signal in ["INT", "TERM"] {
        let mut child = command(&folder, &["extract", "mod.zip", "-o", "out", "--force"]);
        let mut child = child.stderr(Stdio::piped()).spawn().expect("started");
        let complaints = child.stderr.take().expect("a pipe");
        wait_until(&mut child, || folder.at("out/a").exists());
        // A pipe holds fewer of the complaints: it waits for somebody to read.
        let of = child.id();
        wait_until(&mut child, || is_asleep(of));
        send(&child, signal);
        check_stopped(child.wait().expect("ended"), signal);
        drop(complaints);
        folder.remove("out/a");
    }
}
