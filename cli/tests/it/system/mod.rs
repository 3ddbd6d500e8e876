//! The command in a world where things go wrong: files nobody may read, links in circles, a full disk, a hand on Ctrl-C, and very many
//! files of which many are bad.

mod folders;
mod full_disk;
mod many;
mod odd_places;
mod races;
mod stopped;
mod streams;
mod synced;
mod terminal;
mod two_runs;
mod unreadable;

use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;
use std::{fs, io};

use crate::run::{Folder, Ran};

/// A user that owns nothing.
const NOBODY: u32 = 65534;

/// Runs a command whom permissions stop: root, whom they do not, becomes nobody for it.
fn run_unprivileged(folder: &Folder, arguments: &[&str]) -> Ran {
    let mut command = folder.command(arguments);
    if fs::metadata(folder.at("")).expect("a folder").uid() == 0 {
        fs::set_permissions(folder.at(""), fs::Permissions::from_mode(0o777)).expect("set");
        command = as_nobody(command);
        if command.get_program() != folder.at("skelmap").as_os_str() && !can_start(&mut command) {
            // The command lies where nobody may go.
            fs::copy(env!("CARGO_BIN_EXE_skelmap"), folder.at("skelmap")).expect("copied");
            let mut copy = Command::new(folder.at("skelmap"));
            copy.args(arguments).current_dir(folder.at(""));
            command = as_nobody(copy);
        }
    }
    Ran::of(&mut command)
}

fn as_nobody(mut command: Command) -> Command {
    command.uid(NOBODY).gid(NOBODY);
    command
}

fn can_start(command: &mut Command) -> bool {
    let mut probe = Command::new(command.get_program());
    match probe.arg("--version").uid(NOBODY).gid(NOBODY).output() {
        Err(error) => {
            assert_eq!(error.kind(), io::ErrorKind::PermissionDenied, "{error}");
            false
        }
        Ok(output) => output.status.success(),
    }
}

/// Runs a line of the shell in the folder, in which `$0` is the command.
fn shell(folder: &Folder, line: &str) -> Ran {
    let mut command = Command::new("sh");
    command.args(["-c", line, env!("CARGO_BIN_EXE_skelmap")]).current_dir(folder.at(""));
    Ran::of(&mut command)
}

/// Ends a command that takes too long: whatever waits for ever is found and does not wait for ever.
fn within_a_minute(folder: &Folder, arguments: &str) -> Ran {
    let ran = shell(folder, &format!("exec timeout 60 \"$0\" {arguments}"));
    assert_ne!(ran.status, 124, "{arguments} does not end");
    ran
}

/// The files that the command was writing.
fn leftovers(folder: &Folder) -> Vec<String> {
    folder.files().into_iter().filter(|file| is_part(file)).collect()
}

fn is_part(file: &str) -> bool {
    Path::new(file).extension().is_some_and(|extension| extension == "part")
}
