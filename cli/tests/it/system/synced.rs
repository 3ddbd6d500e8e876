//! Outputs that survive a loss of power, by the system calls: the bytes are on the disk before the file has its name, and the name is on
//! the disk before the program ends.

use std::ffi::OsStr;
use std::path::Path;
use std::process::{Command, ExitStatus};

use crate::run::Folder;

/// The calls that bring a file to the disk or rename it.
const CALLS: &str = "trace=fsync,fdatasync,rename,renameat,renameat2,link,linkat";

/// Runs a program under strace. Gives its status and its calls, each as a line with the paths of the files.
fn trace(folder: &Folder, program: &Path, arguments: &[&str]) -> (ExitStatus, Vec<String>) {
    let mut command = Command::new("strace");
    command.args(["-f", "-y", "-qq", "-e", CALLS, "-o", "calls"]).arg(program).args(arguments);
    // A process is traced once: no sanitizer can look for leaks.
    command.env("LSAN_OPTIONS", "detect_leaks=0").current_dir(folder.at(""));
    let status = command.output().expect("strace starts").status;
    (status, folder.text("calls").lines().map(str::to_owned).collect())
}

/// Whether this machine has strace and lets it trace.
fn can_trace() -> bool {
    let probe =
        Command::new("strace").args(["-qq", "-e", "trace=none", env!("CARGO_BIN_EXE_skelmap"), "--version"]).output();
    let can = probe.is_ok_and(|probe| probe.status.success());
    if !can {
        println!("skipped: strace is not installed, or may not trace");
    }
    can
}

/// The file is synced under its unfinished name, then gets its name, then the folder is synced.
fn check_order(calls: &[String], name: &str) {
    let is_synced = |call: &&String| call.contains("sync(") && call.ends_with(" = 0");
    let named = calls.iter().position(|call| !is_synced(&call) && call.contains(&format!("{name}\"")));
    let (before, after) =
        calls.split_at(named.unwrap_or_else(|| panic!("{name} gets its name by no call: {calls:#?}")));
    let unfinished = after[0].split('"').find(|path| Path::new(path).extension().is_some_and(|end| end == "part"));
    let unfinished =
        Path::new(unfinished.expect("an unfinished name")).file_name().and_then(OsStr::to_str).expect("UTF-8");
    let path =
        before.iter().filter(is_synced).find_map(|call| call.split(['<', '>']).find(|path| path.ends_with(unfinished)));
    let path = Path::new(path.unwrap_or_else(|| panic!("{name} is not synced before it has its name: {calls:#?}")));
    let folder = format!("<{}>", path.parent().expect("a folder").display());
    let is_folder_synced = after.iter().filter(is_synced).any(|call| call.contains(&folder));
    assert!(is_folder_synced, "the folder of {name} is not synced after that: {calls:#?}");
}

#[test]
fn a_file_is_on_the_disk_before_it_has_its_name_and_the_name_before_the_command_ends() {
    if !can_trace() {
        return;
    }
    let folder = super::odd_places::inputs();
    let command = Path::new(env!("CARGO_BIN_EXE_skelmap"));
    let lines = [
        "pack in -o new.zip",
        "dump in/a.psk --what points -o new.npy",
        "gsa edit in/r.gsa --clear -o new.gsa",
        "catalog in -o new.jsonl",
        "catalog in -o new.csv --resume",
    ];
    for line in lines {
        let name = line.split(' ').find(|word| word.starts_with("new.")).expect("a name");
        for line in [line, &format!("{line} --force")] {
            let (status, calls) = trace(&folder, command, &line.split(' ').collect::<Vec<_>>());
            assert!(status.success(), "{line}");
            check_order(&calls, name);
        }
    }
}

/// The program is a test that writes `own-rows.csv`.
#[test]
fn a_catalogue_that_a_program_writes_is_on_the_disk_before_it_has_its_name() {
    if !can_trace() {
        return;
    }
    let program = std::env::current_exe().expect("a program");
    let test = "bulk::a_program_writes_the_file_that_the_command_writes";
    let (status, calls) = trace(&Folder::new(), &program, &["--exact", test]);
    assert!(status.success());
    check_order(&calls, "own-rows.csv");
}
