//! The command `skelmap`, as a library so that fuzzing and the Python package can run it in their own process. Its interface is the
//! command line: nothing here is stable for other programs.

mod arguments;
mod cat;
mod catalog;
mod check;
mod columns;
mod command;
mod config;
mod convert;
mod diff;
mod dump;
mod edit;
mod environment;
mod explain;
mod extract;
mod files;
mod game;
mod gsa;
mod info;
mod ls;
mod manual;
mod mapping;
mod matching;
mod messages;
mod moddata;
mod outcome;
mod output;
mod pack;
mod plot;
mod pose;
mod progress;
mod query;
mod report;
mod saved;
mod sheet;
mod sink;
mod stats;
mod stop;
mod text;
mod view;
#[cfg(windows)]
mod window;

use std::ffi::OsString;

use clap::FromArgMatches;
use skelmap_batch::path_of;

use crate::config::Config;

/// Runs the command with the arguments of the process. If Windows has opened a window for the process alone, as it does for a double click and for
/// files that are dropped onto the program, the window stays until Enter is pressed, and paths without a command are listed.
pub fn run_process() -> u8 {
    #[cfg(windows)]
    if mapping::window::is_own() {
        return window::run(std::env::args_os());
    }
    run(std::env::args_os())
}

/// Runs the command with these arguments, the name of the program first, and returns its exit status.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    stop::handle_signals();
    // A path in a report that is no Unicode is a `file:` address.
    let arguments: Vec<_> = arguments.into_iter().map(|argument| path_of(&argument)).collect();
    let config = Config::of(&arguments);
    let jobs = config.as_ref().ok().and_then(|config| config.jobs);
    let parsed = command::arguments(jobs).try_get_matches_from(arguments);
    match parsed.and_then(|matches| command::Cli::from_arg_matches(&matches)) {
        Ok(cli) => command::run(&cli, config),
        // Help, also where the file of defaults is faulty.
        Err(message) => command::explain(message),
    }
}
