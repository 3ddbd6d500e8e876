//! From arguments to an exit status.

use std::ffi::OsString;
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::Path;

use clap::error::{ContextKind, ContextValue};
use clap::{CommandFactory, Parser, Subcommand};
use skelmap::ParseOptions;
use skelmap::archive::Address;
use skelmap::mapping::without_secrets;
use skelmap::pyrogenesis::{self, Strictness};
use skelmap::swat3::SkeletonOption;
#[cfg(feature = "stores")]
use skelmap_stores::{Remote, Usage};

use crate::arguments::{Opening, Parsing};
use crate::config::{self, Config};
use crate::files::Source;
use crate::messages::{self, Messages};
use crate::outcome::{Ended, Failure, Outcome};
use crate::output::complain;
use crate::text::{clean, is_invisible};
#[cfg(feature = "stores")]
use crate::text::{counted, size};
use crate::{
    cat, catalog, check, columns, convert, diff, dump, edit, environment, explain, extract, files, gsa, info, ls,
    manual, mapping, matching, moddata, pack, plot, pose, sheet, stats, stop, view,
};

/// The end of the help of all commands.
pub(crate) const AFTER_HELP: &str = "\
Data goes to standard output, messages to standard error. Exit status:
  0    done, and all is well
  1    done, and there are findings or bad files
  2    wrong usage
  3    no file could be opened, or there is none
  4    a mapped file was cut short: the output is incomplete
  5    not written: the output exists, cannot be made, or the disk is full
  6    busy: another run writes the same output
  128+ stopped by a signal; unfinished files are removed, except those that --resume of catalog continues

If another program shortens a mapped file, this program ends with status 4 (Linux) or is killed. With --lease, a program that wants to \
write to a mapped file waits until this program has a copy of it: do not suspend this program (Ctrl-Z) for longer than 45 seconds \
then. Files that cannot be leased are read.

Also: `skelmap completions SHELL` prints the completions of a shell, `skelmap man DIR` writes a page of the manual for each command, and `skelmap man COMMAND` prints one.

Examples:
  skelmap ls mods/                               the assets in a folder, by content
  skelmap convert mods/ -o out/                  every mesh with its animations as glTF
  skelmap info Grunt.psk                         chunks, bones, materials, quirks
  skelmap check --format jsonl art/ | jq .       findings, one JSON object per file
  skelmap explain weight-sum                     what a code means
  skelmap dump Walk.psa --what keys --sequence Walk --bone Pelvis
  skelmap skin horse.pmd --anim gallop.psa --at 250ms --loop --format csv
  skelmap match Grunt.psk animations/            the animations that fit a mesh
  skelmap mod public.zip --broken                what the actors of 0 A.D. name that is missing or does not fit
  skelmap stats public.zip                       quantiles of bones, faces and seconds
  skelmap catalog mods/ -o assets.jsonl          a row for every asset, also in archives
  skelmap gsa events SWAT3/                      the sounds that animations start";

/// Reads skeletal meshes and animations in place: lists, describes, checks, converts and prints them.
#[derive(Debug, Parser)]
#[command(name = "skelmap", version, max_term_width = 120)]
pub(crate) struct Cli {
    #[command(subcommand)]
    command: Command,
    #[command(flatten)]
    messages: Messages,
    #[command(flatten)]
    opening: Opening,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Ls(ls::Ls),
    Info(info::Info),
    Check(check::Check),
    Explain(explain::Explain),
    Pose(pose::Pose),
    Skin(pose::Skin),
    Convert(Box<convert::Convert>),
    Edit(Box<edit::Edit>),
    Merge(edit::MergeFiles),
    Split(edit::SplitFile),
    Dump(dump::Dump),
    Catalog(catalog::Catalog),
    Extract(extract::Extract),
    Cat(cat::Cat),
    Match(matching::Match),
    Mod(moddata::Mod),
    Diff(diff::Diff),
    View(view::View),
    Plot(plot::PlotArguments),
    Sheet(sheet::Sheet),
    Stats(stats::Stats),
    Pack(pack::Pack),
    #[command(subcommand)]
    Gsa(gsa::Gsa),
    Columns(columns::Columns),
    // The help of all commands names these two at its end: the list has room for what people use every day.
    #[command(hide = true)]
    Completions(manual::Completions),
    #[command(hide = true)]
    Man(manual::Man),
}

/// What a command does with the files that it opens.
type Work<'c> = Box<dyn FnOnce(&Source) -> Ended + 'c>;

impl Command {
    /// Whether the output may be an input.
    fn may_replace_input(&self) -> bool {
        match self {
            Self::Edit(_) | Self::Merge(_) | Self::Gsa(gsa::Gsa::Edit(_)) => true,
            Self::Check(own) => !own.fix.is_empty(),
            _ => false,
        }
    }

    /// The work of the command, and how files are parsed, if it parses any.
    fn work(&self) -> (Option<&Parsing>, Work<'_>) {
        match self {
            Self::Ls(own) => (Some(&own.inputs.parsing), Box::new(|source| ls::run(own, source))),
            Self::Info(own) => (Some(&own.parsing), Box::new(|source| info::run(own, source))),
            Self::Check(own) => (Some(&own.inputs.parsing), Box::new(|source| check::run(own, source))),
            Self::Explain(own) => (None, Box::new(|_| explain::run(own))),
            Self::Pose(own) => (Some(&own.playing.parsing), Box::new(|source| pose::run_pose(own, source))),
            Self::Skin(own) => (Some(&own.playing.parsing), Box::new(|source| pose::run_skin(own, source))),
            Self::Convert(own) => (Some(&own.inputs.parsing), Box::new(|source| convert::run(own, source))),
            Self::Edit(own) => (Some(&own.parsing), Box::new(|source| edit::edit(own, source))),
            Self::Merge(own) => (None, Box::new(|source| edit::merge(own, source))),
            Self::Split(own) => (None, Box::new(|source| edit::split(own, source))),
            Self::Dump(own) => (Some(&own.inputs.parsing), Box::new(|source| dump::run(own, source))),
            Self::Catalog(own) => (Some(&own.inputs.parsing), Box::new(|source| catalog::run(own, source))),
            Self::Extract(own) => (None, Box::new(|source| extract::run(own, source))),
            Self::Cat(own) => (None, Box::new(|source| cat::run(own, source))),
            Self::Match(own) => (Some(&own.inputs.parsing), Box::new(|source| matching::run(own, source))),
            Self::Mod(own) => (Some(&own.parsing), Box::new(|source| moddata::run(own, source))),
            Self::Diff(own) => (Some(&own.parsing), Box::new(|source| diff::run(own, source))),
            Self::View(own) => (Some(&own.parsing), Box::new(|source| view::run(own, source))),
            Self::Plot(own) => (Some(&own.parsing), Box::new(|source| plot::run(own, source))),
            Self::Sheet(own) => (Some(&own.inputs.parsing), Box::new(|source| sheet::run(own, source))),
            Self::Stats(own) => (Some(&own.inputs.parsing), Box::new(|source| stats::run(own, source))),
            Self::Pack(own) => (None, Box::new(|_| pack::run(own))),
            Self::Gsa(gsa::Gsa::Events(own)) => {
                (Some(&own.inputs.parsing), Box::new(|source| gsa::run_events(own, source)))
            }
            Self::Gsa(gsa::Gsa::Edit(own)) => (Some(&own.parsing), Box::new(|source| gsa::run_edit(own, source))),
            Self::Columns(own) => (None, Box::new(|_| columns::run(own))),
            Self::Completions(own) => (None, Box::new(|_| manual::completions(own))),
            Self::Man(own) => (None, Box::new(|_| manual::man(own))),
        }
    }
}

const EXAMPLES: &str = "Examples:\n";

/// The examples of the short help.
const FEW: usize = 2;

/// The command with its help, and with this default of `--jobs`.
pub(crate) fn arguments(jobs: Option<NonZeroUsize>) -> clap::Command {
    let about =
        Cli::command().after_help(format!("{}\n\n{}\n\n{AFTER_HELP}", config::HELP, environment::help().trim_end()));
    let command = arranged(about);
    match jobs {
        Some(jobs) => with_jobs(command, &jobs.to_string()),
        None => command,
    }
}

/// The default of `--jobs` in each command that has the option.
fn with_jobs(command: clap::Command, jobs: &str) -> clap::Command {
    let command = command.mut_args(|argument| {
        if argument.get_long() == Some("jobs") {
            argument.default_value(jobs.to_owned()).hide_default_value(true)
        } else {
            argument
        }
    });
    let names: Vec<String> = command.get_subcommands().map(|own| own.get_name().to_owned()).collect();
    names.into_iter().fold(command, |command, name| command.mut_subcommand(name, |own| with_jobs(own, jobs)))
}

/// Arranges help: `-h` fits one screen and ends with two examples; `--help` says everything and ends with all examples.
fn arranged(command: clap::Command) -> clap::Command {
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

/// Runs the command of the arguments.
pub(crate) fn run(cli: &Cli, config: Result<Config, String>) -> u8 {
    let config = match config {
        Ok(config) => config,
        // No key is about what these say.
        Err(_)
            if matches!(
                cli.command,
                Command::Explain(_) | Command::Columns(_) | Command::Completions(_) | Command::Man(_)
            ) =>
        {
            Config::default()
        }
        Err(message) => {
            complain(message);
            return Outcome::Usage as u8;
        }
    };
    let begin = cli.messages.begin(config.color);
    config::set_ignored(config);
    #[cfg(feature = "stores")]
    let remote = {
        let mut options = skelmap_stores::Options::default();
        (options.max_bytes, options.redirect_queries) = (cli.opening.max_bytes, cli.opening.redirect_queries);
        Remote::new(options)
    };
    let work = || {
        let (parsing, work) = cli.command.work();
        let parse = parsing.map_or_else(|| Ok(ParseOptions::default()), parse_options).map_err(Failure::usage)?;
        let opener = mapping::opener(&cli.opening, cli.command.may_replace_input());
        #[cfg(feature = "stores")]
        let opener = opener.with_store(std::sync::Arc::new(remote.clone()));
        let source = Source::new(opener, parse);
        let ended = work(&source);
        messages::count(source.looked_at());
        ended
    };
    let ended = work();
    #[cfg(feature = "stores")]
    if let (true, Usage { requests: requests @ 1.., bytes, .. }) = (cli.messages.verbose, remote.usage()) {
        complain(format!("{} and {} from stores", counted(requests, "request"), size(bytes)));
    }
    cli.messages.end(begin);
    stop::wait_if_stopping();
    match ended {
        Ok(outcome) => outcome as u8,
        Err(Failure::Stopped(outcome, message)) => {
            complain(message);
            outcome as u8
        }
        Err(Failure::Output(error)) => output_failed(&error),
    }
}

/// Prints help, the version, or the fault of the arguments, which repeats them: without control characters and secrets.
pub(crate) fn explain(mut message: clap::Error) -> u8 {
    drop_tips(&mut message);
    let plain = message.render().to_string();
    let shown = without_secrets(&plain.split('\n').map(clean).collect::<Vec<_>>().join("\n"));
    let is_odd = |argument: String| argument.contains(is_invisible) || without_secrets(&argument) != argument;
    let is_plain = std::env::args_os().any(|argument| is_odd(argument.to_string_lossy().into_owned()));
    let printed =
        if is_plain && message.use_stderr() { io::stderr().write_all(shown.as_bytes()) } else { message.print() };
    if let Some(hint) = hint_for_path(&message) {
        complain(hint);
    }
    match printed.and_then(|()| io::stdout().flush()) {
        Err(error) if !message.use_stderr() => output_failed(&error),
        _ => u8::try_from(message.exit_code()).unwrap_or(Outcome::Usage as u8),
    }
}

/// Replaces the tip on how to give an unknown option as a value, which has a letter of its name alone: if a file has the name, the tip has it.
fn drop_tips(message: &mut clap::Error) {
    let option = match message.get(ContextKind::InvalidArg) {
        Some(ContextValue::String(option)) => option.clone(),
        _ => return,
    };
    let is_file = |argument: &OsString| {
        argument.as_encoded_bytes().starts_with(option.as_bytes()) && Path::new(argument).exists()
    };
    let Some(ContextValue::StyledStrs(mut tips)) = message.remove(ContextKind::Suggested) else { return };
    let all = tips.len();
    tips.retain(|tip| !tip.to_string().contains("as a value"));
    if let Some(file) = std::env::args_os().find(is_file).filter(|_| tips.len() < all) {
        let file = file.to_string_lossy();
        tips.push(format!("to name the file '{file}', write './{file}' or '-- {file}'").into());
    }
    if !tips.is_empty() {
        message.insert(ContextKind::Suggested, ContextValue::StyledStrs(tips));
    }
}

/// What a user wants who names a file or folder in place of a command.
fn hint_for_path(message: &clap::Error) -> Option<&'static str> {
    let Some(ContextValue::String(given)) = message.get(ContextKind::InvalidSubcommand) else { return None };
    let is_there = Address::find(Path::new(given)).path().exists();
    is_there.then_some("a command comes before a path: skelmap info FILE, skelmap ls FOLDER; skelmap --help has all")
}

fn output_failed(error: &io::Error) -> u8 {
    // The reader of the output has read enough.
    if error.kind() == io::ErrorKind::BrokenPipe {
        return Outcome::Clean as u8;
    }
    complain(format!("cannot write the output: {error}"));
    Outcome::NotWritten as u8
}

/// How the arguments ask for files to be parsed.
fn parse_options(parsing: &Parsing) -> Result<ParseOptions, String> {
    let skeleton = match &parsing.gsa_layout {
        None => SkeletonOption::Auto,
        Some(path) => {
            files::check_local(path).map_err(|message| format!("--gsa-layout {message}"))?;
            let failed = |error: &dyn std::fmt::Display| format!("--gsa-layout {}: {error}", path.display());
            let text = read_text(path).map_err(|error| failed(&error))?;
            SkeletonOption::Given(text.parse().map_err(|error| failed(&error))?)
        }
    };
    let strictness = if parsing.engine { Strictness::Engine } else { Strictness::Strict };
    let mut options = ParseOptions::default();
    options.pyrogenesis = pyrogenesis::Options::new(strictness);
    (options.swat3.skeleton, options.swat3.trailing_zeros) = (skeleton, parsing.trailing_zeros);
    Ok(options)
}

/// Reads a small text in UTF-8, or in UTF-16 as some Windows shells write it.
fn read_text(path: &Path) -> io::Result<String> {
    const MAX_BYTES: u64 = 1 << 16;
    let mut bytes = Vec::new();
    io::Read::read_to_end(&mut io::Read::take(std::fs::File::open(path)?, MAX_BYTES), &mut bytes)?;
    let invalid = |reason| io::Error::new(io::ErrorKind::InvalidData, reason);
    match bytes.as_slice() {
        [0xFF, 0xFE, rest @ ..] => {
            let units =
                rest.chunks_exact(2).map(|unit| unit.iter().rev().fold(0, |sum, byte| sum << 8 | u16::from(*byte)));
            String::from_utf16(&units.collect::<Vec<u16>>()).map_err(|_| invalid("is not UTF-16 text"))
        }
        _ => String::from_utf8(bytes).map_err(|_| invalid("is not UTF-8 text")),
    }
}
