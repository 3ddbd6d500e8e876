//! From parsed arguments to an exit status.

use std::io::{self, Write};
use std::process::ExitCode;

use skelmap::pyrogenesis::Strictness;
use skelmap::swat3::{self, SkeletonOption};

use crate::cli::{Cli, Command, Gsa};
use crate::{catalog, check, dump, extract, files, gsa, info, ls, mapping, matching, pack, pose, print};

/// How a run ended, as its exit status.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Outcome {
    Clean = 0,
    Findings = 1,
    Usage = 2,
    NothingRead = 3,
    CutShort = 4,
}

/// Does what the arguments ask for.
pub(crate) fn run(cli: &Cli) -> ExitCode {
    let taken = match taken(cli) {
        Ok(taken) => taken,
        Err(message) => {
            print::complain(format_args!("{}", print::clean(message)));
            return ExitCode::from(Outcome::Usage as u8);
        }
    };
    let source = files::Source::new(mapping::opener(&cli.opening), taken);
    let outcome = match &cli.command {
        Command::Ls(arguments) => ls::run(arguments, &source),
        Command::Info(arguments) => info::run(arguments, &source),
        Command::Check(arguments) => check::run(arguments, &source),
        Command::Pose(arguments) => pose::run_pose(arguments, &source),
        Command::Skin(arguments) => pose::run_skin(arguments, &source),
        Command::Dump(arguments) => dump::run(arguments, &source),
        Command::Catalog(arguments) => Ok(catalog::run(arguments, &source)),
        Command::Extract(arguments) => Ok(extract::run(arguments, &source)),
        Command::Match(arguments) => matching::run(arguments, &source),
        Command::Pack(arguments) => Ok(pack::run(arguments)),
        Command::Gsa(Gsa::Events(arguments)) => gsa::events(arguments, &source),
        Command::Gsa(Gsa::Edit(arguments)) => Ok(gsa::edit(arguments, &source)),
    };
    match outcome {
        Ok(outcome) => ExitCode::from(outcome as u8),
        Err(error) => unwritten(&error),
    }
}

/// Prints help, the version, or what is wrong with the arguments.
pub(crate) fn told(message: &clap::Error) -> ExitCode {
    match message.print().and_then(|()| io::stdout().flush()) {
        Err(error) if !message.use_stderr() => unwritten(&error),
        _ => ExitCode::from(u8::try_from(message.exit_code()).unwrap_or(Outcome::Usage as u8)),
    }
}

/// The end of what could not print its output.
fn unwritten(error: &io::Error) -> ExitCode {
    // Whoever read the output has seen enough.
    if error.kind() == io::ErrorKind::BrokenPipe {
        return ExitCode::SUCCESS;
    }
    print::complain(format_args!("cannot write the output: {error}"));
    ExitCode::from(Outcome::Findings as u8)
}

/// How strictly the arguments want files to be taken.
fn taken(cli: &Cli) -> Result<skelmap::ParseOptions, String> {
    let skeleton = match &cli.gsa_layout {
        None => SkeletonOption::Auto,
        Some(path) => {
            let failed = |error: &dyn std::fmt::Display| format!("--gsa-layout {}: {error}", path.display());
            let text = read_text(path).map_err(|error| failed(&error))?;
            SkeletonOption::Given(text.parse().map_err(|error| failed(&error))?)
        }
    };
    let swat3 = swat3::Options { skeleton, trailing_zeros: cli.trailing_zeros, ..swat3::Options::default() };
    let pyrogenesis = if cli.engine { Strictness::Engine } else { Strictness::Strict };
    Ok(skelmap::ParseOptions { pyrogenesis, swat3 })
}

/// A small text, in UTF-8 or as some shells of Windows write it.
fn read_text(path: &std::path::Path) -> io::Result<String> {
    const MOST: u64 = 1 << 16;
    let mut bytes = Vec::new();
    io::Read::read_to_end(&mut io::Read::take(std::fs::File::open(path)?, MOST), &mut bytes)?;
    let invalid = |reason| io::Error::new(io::ErrorKind::InvalidData, reason);
    match bytes.as_slice() {
        [0xFF, 0xFE, rest @ ..] => {
            let units =
                rest.chunks_exact(2).map(|unit| unit.iter().rev().fold(0, |sum, byte| sum << 8 | u16::from(*byte)));
            String::from_utf16(&units.collect::<Vec<u16>>()).map_err(|_| invalid("is no text in UTF-16"))
        }
        _ => String::from_utf8(bytes).map_err(|_| invalid("is no text in UTF-8")),
    }
}
