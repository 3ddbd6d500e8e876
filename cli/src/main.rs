//! The `skelmap` command: arguments and printing; everything else is the library's.

mod catalog;
mod check;
mod cli;
mod command;
mod dump;
mod extract;
mod files;
mod gsa;
mod info;
mod ls;
mod mapping;
mod matching;
mod pack;
mod pose;
mod print;
mod row;
mod save;
mod stop;
mod table;

use std::process::ExitCode;

use clap::Parser;

use command::Outcome;

fn main() -> ExitCode {
    match cli::Cli::try_parse() {
        Ok(cli) => command::run(&cli),
        Err(message) => command::told(&message),
    }
}
