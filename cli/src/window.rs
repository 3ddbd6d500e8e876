//! The window that Windows opens for a program that is started from the desktop, and closes when the program ends.

use std::ffi::OsString;
use std::io;
use std::path::Path;

/// Runs the command and keeps the window until Enter is pressed, if the program was started without a command: by a double click, or by files that
/// were dropped onto it. A shortcut or a task with a command ends by itself.
pub(crate) fn run(arguments: impl Iterator<Item = OsString>) -> u8 {
    let given: Vec<_> = arguments.collect();
    let all = with_command(given.clone());
    let is_kept = given.len() < 2 || all != given;
    let status = crate::run(all);
    if is_kept {
        eprintln!("\nPress Enter to close this window.");
        let _ = io::stdin().read_line(&mut String::new());
    }
    status
}

/// Lists the files and folders that are dropped onto the program: Windows passes their absolute paths without a command.
fn with_command(mut arguments: Vec<OsString>) -> Vec<OsString> {
    let is_dropped = |path: &OsString| Path::new(path).is_absolute() && Path::new(path).exists();
    if arguments.len() > 1 && arguments[1..].iter().all(is_dropped) {
        arguments.insert(1, "ls".into());
    }
    arguments
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_that_are_dropped_onto_the_program_are_listed() {
        let folder = tempfile::tempdir().expect("a folder");
        let (is_there, none) = (folder.path().to_str().expect("UTF-8"), r"C:\nothing\is\here");
        let run = |arguments: &[&str]| with_command(["skelmap.exe"].iter().chain(arguments).map(Into::into).collect());
        assert_eq!(run(&[is_there, is_there]), ["skelmap.exe", "ls", is_there, is_there]);
        assert_eq!(run(&[is_there, none]), ["skelmap.exe", is_there, none], "one that is not there is an argument");
        assert_eq!(run(&[]), ["skelmap.exe"]);
        assert_eq!(run(&["ls", is_there]), ["skelmap.exe", "ls", is_there]);
    }
}
