//! The `skelmap` command: arguments and printing; everything else is the library's.

mod check;
mod cli;
mod dump;
mod files;
mod info;
mod ls;
mod mapping;
mod pose;
mod print;
mod row;

use std::io;
use std::process::ExitCode;

use clap::Parser;

use cli::{Cli, Command};

/// How a run ended, as its exit status.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Outcome {
    Clean = 0,
    Findings = 1,
    Usage = 2,
    NothingRead = 3,
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    let source = files::Source::new(mapping::opener(cli.no_map), cli.engine);
    let outcome = match &cli.command {
        Command::Ls(arguments) => ls::run(arguments, &source),
        Command::Info(arguments) => info::run(arguments, &source),
        Command::Check(arguments) => check::run(arguments, &source),
        Command::Pose(arguments) => pose::run_pose(arguments, &source),
        Command::Skin(arguments) => pose::run_skin(arguments, &source),
        Command::Dump(arguments) => dump::run(arguments, &source),
    };
    match outcome {
        Ok(outcome) => ExitCode::from(outcome as u8),
        // Whoever read the output has seen enough.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            print::complain(format_args!("cannot write the output: {error}"));
            ExitCode::from(Outcome::Findings as u8)
        }
    }
}
