//! `skelmap completions` and `skelmap man`: what shells and manuals need, made from the arguments themselves.

use std::io::Write;
use std::path::PathBuf;

use clap::{Args, Command};
use clap_complete::Shell;
use clap_mangen::Man as Page;

use crate::command;
use crate::outcome::{Ended, Failure, Outcome};
use crate::output::stdout;

/// Print the completions of a shell.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  skelmap completions bash > ~/.local/share/bash-completion/completions/skelmap
  skelmap completions fish > ~/.config/fish/completions/skelmap.fish")]
pub(crate) struct Completions {
    shell: Shell,
}

/// Print the manual page, or write a page for each command into a folder.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  skelmap man | man -l -
  skelmap man ~/.local/share/man/man1")]
pub(crate) struct Man {
    /// The folder, which is made if it is not there. Pages of the same names in it are replaced.
    #[arg(value_name = "DIR")]
    folder: Option<PathBuf>,
}

pub(crate) fn completions(arguments: &Completions) -> Ended {
    // In memory first: the generator cannot report an output that fails.
    let mut text = Vec::new();
    clap_complete::generate(arguments.shell, &mut command::arguments(), "skelmap", &mut text);
    let mut out = stdout();
    out.write_all(&text)?;
    out.flush()?;
    Ok(Outcome::Clean)
}

pub(crate) fn man(arguments: &Man) -> Ended {
    if let Some(folder) = &arguments.folder {
        let made = std::fs::create_dir_all(folder);
        let written = made.and_then(|()| clap_mangen::generate_to(pages(), folder));
        written.map_err(|error| Failure::not_written(error).in_file(folder))?;
    } else {
        let mut out = stdout();
        Page::new(pages()).render(&mut out)?;
        out.flush()?;
    }
    Ok(Outcome::Clean)
}

/// Without the page of `help`, which would repeat all others.
fn pages() -> Command {
    command::arguments().disable_help_subcommand(true)
}
