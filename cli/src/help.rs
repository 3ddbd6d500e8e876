//! How help is arranged: `-h` fits one screen and ends with two examples; `--help` says everything and ends with all examples.

use clap::{Command, CommandFactory};

use crate::command::Cli;

const EXAMPLES: &str = "Examples:\n";

/// The examples of the short help.
const FEW: usize = 2;

/// The command with its help.
pub(crate) fn command() -> Command {
    arranged(Cli::command())
}

fn arranged(command: Command) -> Command {
    let names: Vec<String> = command.get_subcommands().map(|own| own.get_name().to_owned()).collect();
    let command = names.into_iter().fold(command, |command, name| command.mut_subcommand(name, arranged));
    let Some(text) = command.get_after_help().map(ToString::to_string) else { return command };
    let Some((before, rest)) = text.split_once(EXAMPLES) else { return command };
    let (examples, after) = rest.split_once("\n\n").unwrap_or((rest, ""));
    let few: Vec<&str> = examples.lines().take(FEW).collect();
    let parts = [before.trim_end(), after.trim_end(), &format!("{EXAMPLES}{examples}")];
    let long: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    command.after_help(format!("{EXAMPLES}{}", few.join("\n"))).after_long_help(long.join("\n\n"))
}
