//! The window that Windows opens for a program that is started from the desktop, and closes when the program ends.

#![allow(unsafe_code)]

use std::ffi::OsString;
use std::io::{self, IsTerminal};
use std::path::Path;

/// Whether the window is there for this process alone: no shell has started the process.
pub(crate) fn is_own() -> bool {
    #[link(name = "kernel32")]
    unsafe extern "system" {
        fn GetConsoleProcessList(ids: *mut u32, count: u32) -> u32;
    }
    let mut ids = [0; 2];
    // SAFETY: the function writes at most `count` numbers, and `ids` has two.
    let is_alone = unsafe { GetConsoleProcessList(ids.as_mut_ptr(), 2) } == 1;
    is_alone && io::stdin().is_terminal() && io::stdout().is_terminal()
}

/// Runs the command and keeps the window until Enter is pressed.
pub(crate) fn run(arguments: impl Iterator<Item = OsString>) -> u8 {
    let status = crate::run(with_command(arguments.collect()));
    eprintln!("\nPress Enter to close this window.");
    let _ = io::stdin().read_line(&mut String::new());
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
