//! The command `skelmap`, as a library so that fuzzing can run it in its own process. Its interface is the command line: nothing here is
//! stable for other programs.

mod arguments;
mod catalog;
mod check;
mod command;
mod convert;
mod dump;
mod explain;
mod extract;
mod files;
mod gsa;
mod info;
mod ls;
mod mapping;
mod matching;
mod outcome;
mod output;
mod pack;
mod pose;
mod report;
mod row;
mod save;
mod stop;
mod text;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::Parser;

/// Runs the command with these arguments, the name of the program first.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    match command::Cli::try_parse_from(arguments) {
        Ok(cli) => command::run(&cli),
        Err(message) => command::explain(&message),
    }
}
