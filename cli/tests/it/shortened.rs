//! The command over a file that is cut short while it runs.
//!
//! Its output goes to a pipe that nobody drains, so that it stands still in the middle of the file.

use std::io::{BufRead, BufReader};
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, ChildStdout, Command, Output, Stdio};
use std::thread;

use test_support::actorx::build::Key;
use test_support::actorx::corpus::sample::walk;
use test_support::victim::{Victim, drain};

/// An animation whose keys, printed, are many times what a pipe holds.
fn victim() -> Victim {
    victim_named("walk.psa")
}

fn victim_named(name: &str) -> Victim {
    let mut anim = walk();
    let key = Key { position: [1.0, 2.0, 3.0], rotation: [0.0, 0.0, 0.0, 1.0], time: 1.0 };
    anim.infos[0].num_raw_frames = 40_000;
    anim.keys = vec![key; 4 * 40_000];
    anim.scale_keys.clear();
    Victim::of(name, anim.chunks().build().bytes)
}

/// The arguments that every run here has.
fn dump(victim: &Victim, options: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_skelmap"));
    command.args(options).arg("dump").arg(&victim.path).args(["--what", "keys"]);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Starts the command and waits for its first line: the file is open by then, and most of it has not been looked at.
fn start(victim: &Victim, options: &[&str]) -> (Child, BufReader<ChildStdout>, String) {
    let mut running = dump(victim, options).spawn().unwrap();
    let mut output = BufReader::new(running.stdout.take().unwrap());
    let mut line = String::new();
    output.read_line(&mut line).unwrap();
    assert!(line.starts_with("sequence,"), "{line}");
    (running, output, line)
}

/// Drains what a command prints, and waits for it.
fn end(mut running: Child, output: BufReader<ChildStdout>, first: String) -> Output {
    let errors = running.stderr.take().unwrap();
    let errors = thread::spawn(move || drain(errors));
    let stdout = (first + &drain(output)).into_bytes();
    Output { status: running.wait().unwrap(), stdout, stderr: errors.join().unwrap().into_bytes() }
}

#[cfg(target_os = "linux")]
#[test]
fn a_command_whose_file_is_truncated_reports_it_and_ends_with_its_own_status() {
    let victim = victim();
    let whole = dump(&victim, &[]).output().unwrap();
    assert!(whole.status.success());
    let (running, output, first) = start(&victim, &[]);
    victim.open_for_writing().set_len(4096).unwrap();
    let cut = end(running, output, first);
    let path = victim.path.canonicalize().unwrap();
    assert_eq!(String::from_utf8(cut.stderr).unwrap(), format!("skelmap: {}: {CUT_SHORT}", path.display()));
    assert_eq!(cut.status.code(), Some(4));
    assert!(whole.stdout.starts_with(&cut.stdout) && cut.stdout.len() < whole.stdout.len());
}

/// The text that ends the message about a file.
const CUT_SHORT: &str =
    "cut short by another program while it was being read; run again, or pass --lease or --no-map\n";

#[cfg(target_os = "linux")]
#[test]
fn the_name_of_a_truncated_file_cannot_control_the_terminal() {
    let victim = victim_named("cut\u{1b}[31m\u{202e}\n \u{e9}.psa");
    let (running, output, first) = start(&victim, &[]);
    victim.open_for_writing().set_len(4096).unwrap();
    let cut = end(running, output, first);
    assert_eq!(cut.status.code(), Some(4));
    let folder = victim.path.parent().unwrap().canonicalize().unwrap();
    // The kernel itself escapes the end of a line.
    let path = format!("{}/cut?[31m?\\012 \u{e9}.psa", folder.display());
    assert_eq!(String::from_utf8(cut.stderr).unwrap(), format!("skelmap: {path}: {CUT_SHORT}"));
}

#[cfg(target_os = "linux")]
#[test]
fn a_sigbus_that_no_mapped_file_caused_kills_without_a_message() {
    let victim = victim();
    let (running, output, first) = start(&victim, &[]);
    let kill = Command::new("kill").args(["-s", "BUS", &running.id().to_string()]).status().unwrap();
    assert!(kill.success());
    let killed = end(running, output, first);
    assert_eq!((killed.status.signal(), &killed.stderr[..]), (Some(libc::SIGBUS), &b""[..]));
}

#[test]
fn a_command_that_leases_or_reads_its_files_survives_their_truncation() {
    for option in ["--lease", "--no-map"] {
        let victim = victim();
        let whole = dump(&victim, &[option]).output().unwrap();
        assert!(whole.status.success(), "{option}");
        let (running, output, first) = start(&victim, &[option]);
        victim.open_for_writing().set_len(4096).unwrap();
        let cut = end(running, output, first);
        assert_eq!((cut.status.code(), &cut.stderr[..]), (Some(0), &b""[..]), "{option}");
        assert!(cut.stdout == whole.stdout, "{option}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_command_that_leases_its_files_does_not_read_them() {
    let victim = victim();
    let (running, output, first) = start(&victim, &["--lease"]);
    let maps = std::fs::read_to_string(format!("/proc/{}/maps", running.id())).unwrap();
    assert!(maps.contains(victim.path.canonicalize().unwrap().to_str().unwrap()), "{maps}");
    assert_eq!(end(running, output, first).status.signal(), None);
}

#[test]
fn the_options_lease_and_no_map_exclude_each_other() {
    let refused = dump(&victim(), &["--lease", "--no-map"]).output().unwrap();
    assert_eq!(refused.status.code(), Some(2));
    assert!(refused.stdout.is_empty());
}
