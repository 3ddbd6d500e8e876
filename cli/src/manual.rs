//! `skelmap completions` and `skelmap man`: what shells and manuals need, made from the arguments themselves.

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::path::PathBuf;

use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Arg, ArgAction, Args, Command, ValueHint};
use clap_complete::Shell;
use clap_mangen::Man as Manual;
use skelmap::{Code, Verdict};
use skelmap_batch::codes;
use skelmap_batch::unfinished::create_folders;
use skelmap_write::FIXABLE;

use crate::config;
use crate::environment::VARIABLES;
use crate::outcome::{Ended, Failure, Outcome};
use crate::output::stdout;
use crate::text::nearest;
use crate::{columns, command};

/// Print the completions of a shell.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  skelmap completions bash > ~/.local/share/bash-completion/completions/skelmap
  skelmap completions fish > ~/.config/fish/completions/skelmap.fish")]
pub(crate) struct Completions {
    shell: Shell,
}

/// Print the manual page, that of a command, or write a page for each command into a folder.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  skelmap man | man -l -
  skelmap man convert | man -l -
  skelmap man ~/.local/share/man/man1")]
pub(crate) struct Man {
    /// A command, such as convert or gsa-events; or the folder, which is made if it is not there. Pages of the same names in it are replaced. A folder
    /// whose name is that of a command, or like it, is ./convert.
    #[arg(value_name = "COMMAND|DIR")]
    place: Option<PathBuf>,
}

pub(crate) fn completions(arguments: &Completions) -> Ended {
    // In memory first: the generator cannot report an output that fails.
    let mut text = Vec::new();
    let mut command = with_values(command::arguments(None), "");
    clap_complete::generate(arguments.shell, &mut command, "skelmap", &mut text);
    let with_lists: Option<fn(&str, &Command) -> String> = match arguments.shell {
        Shell::Bash => Some(of_lists),
        Shell::Zsh => Some(of_lists_in_zsh),
        Shell::Fish => Some(of_lists_in_fish),
        _ => None,
    };
    if let Some(with_lists) = with_lists {
        text = with_lists(&String::from_utf8_lossy(&text), &command).into_bytes();
    }
    let mut out = stdout();
    out.write_all(&text)?;
    out.flush()?;
    Ok(Outcome::Clean)
}

/// The names of the options whose values are lists with commas.
fn lists(command: &Command) -> BTreeSet<&str> {
    let all = command.get_subcommands().flat_map(Command::get_arguments);
    all.filter(|argument| argument.get_value_delimiter() == Some(',')).filter_map(Arg::get_long).collect()
}

/// The completions of zsh, which go on behind the commas of a list. Values with a help text each are left as they are.
fn of_lists_in_zsh(text: &str, command: &Command) -> String {
    let lists: Vec<String> = lists(command).into_iter().map(|name| format!("--{name}=[")).collect();
    let changed = |line: &str| {
        lists.iter().find(|list| line.contains(*list))?;
        let (start, values) = line.strip_suffix(")' \\")?.rsplit_once(":(").filter(|(_, own)| !own.starts_with('('))?;
        Some(format!("{start}:_sequence compadd - {values}' \\"))
    };
    text.lines().map(|line| changed(line).unwrap_or_else(|| line.to_owned()) + "\n").collect()
}

/// The completions of fish, which go on behind the commas of a list.
fn of_lists_in_fish(text: &str, command: &Command) -> String {
    let lists = lists(command);
    let changed = |entry: &str| {
        let (_, rest) = entry.split_once(" -l ")?;
        rest.split_once(' ').filter(|(name, _)| lists.contains(name))?;
        let (start, values) = entry.trim_end().strip_suffix('"')?.rsplit_once(" -a \"")?;
        let names: Vec<&str> = values.lines().filter_map(|line| Some(line.split_once("\\t")?.0)).collect();
        let names = names.join("|");
        let is_plain = !names.contains(['"', '\'', '$', '\\', '(']);
        is_plain.then(|| format!("{start} -a \"(__fish_complete_list , 'string split \\\"|\\\" \\\"{names}\\\"')\"\n"))
    };
    // An entry has a line for each of its values.
    let mut entries = text.split_inclusive('\n').fold(Vec::<String>::new(), |mut entries, line| {
        match entries.last_mut().filter(|_| !line.starts_with("complete ")) {
            Some(entry) => entry.push_str(line),
            None => entries.push(line.to_owned()),
        }
        entries
    });
    for entry in &mut entries {
        if let Some(changed) = changed(entry) {
            *entry = changed;
        }
    }
    entries.concat()
}

/// The completions of bash, which go on behind the commas of a list, behind `=`, and behind the `-` of `--sort`. Values that are paths are left to bash:
/// it knows of quotes, variables and names with spaces.
fn of_lists(text: &str, command: &Command) -> String {
    let lists: BTreeSet<String> = lists(command).into_iter().map(|name| format!("--{name}")).collect();
    let mut paths = BTreeSet::new();
    for argument in command.get_subcommands().flat_map(Command::get_arguments) {
        let long = argument.get_long().map(|name| format!("--{name}"));
        let short = argument.get_short().map(|name| format!("-{name}"));
        if argument.get_value_delimiter() != Some(',') && argument.get_value_hint() == ValueHint::AnyPath {
            paths.extend(long.into_iter().chain(short));
        }
    }
    let words = |words: BTreeSet<String>| words.into_iter().collect::<Vec<_>>().join(" ");
    let (lists, paths) = (words(lists), words(paths));
    let text = text.replace("complete -F _skelmap ", "complete -F _skelmap_values ");
    let (own, end) = text.split_at(text.rfind("\nif [[").unwrap_or(text.len()));
    format!(
        "{own}
_skelmap_values() {{
    local cur=\"$2\" prev=\"$3\" head=\"\" at
    if [[ \"$cur\" == \"=\" ]]; then
        cur=\"\"
    elif [[ \"$prev\" == \"=\" ]]; then
        prev=\"${{COMP_WORDS[COMP_CWORD-2]}}\"
    fi
    if [[ \" {paths} \" == *\" $prev \"* ]]; then
        COMPREPLY=()
        return
    fi
    if [[ \" {lists} \" == *\" $prev \"* ]]; then
        [[ \"$cur\" != *,* ]] || head=\"${{cur%,*}},\"
        cur=\"${{cur##*,}}\"
        if [[ \"$prev\" == --sort && \"$cur\" == -* && \"$cur\" != --* ]]; then
            head+=\"-\"
            cur=\"${{cur#-}}\"
        fi
    fi
    _skelmap \"$1\" \"$cur\" \"$prev\"
    for at in \"${{!COMPREPLY[@]}}\"; do
        COMPREPLY[at]=\"$head${{COMPREPLY[at]}}\"
    done
}}
{end}"
    )
}

/// The command, whose arguments for codes and columns have their values. For completions alone: the command itself has better messages about
/// values that do not exist. `path` is the names of the commands above it.
fn with_values(command: Command, path: &str) -> Command {
    let names: Vec<String> = command.get_subcommands().map(|own| own.get_name().to_owned()).collect();
    let command = names.into_iter().fold(command, |command, name| {
        let path = format!("{path} {name}");
        command.mut_subcommand(name, |own| with_values(own, path.trim_start()))
    });
    command.mut_args(|argument| match values(path, argument.get_id().as_str()) {
        Some(values) => argument.value_parser(PossibleValuesParser::new(values)),
        None => argument,
    })
}

/// The values of an argument of a command that are known, although the command accepts others.
fn values(command: &str, argument: &str) -> Option<Vec<PossibleValue>> {
    let explained = |code: &Code| PossibleValue::new(code.name()).help(code.sentence());
    let codes = || codes::all().map(|code| explained(&code));
    let verdicts =
        Verdict::ALL.into_iter().map(|verdict| PossibleValue::new(verdict.code()).help("a verdict of match"));
    let plain = |names: Vec<String>| names.into_iter().map(PossibleValue::new).collect::<Vec<_>>();
    let values = match (command, argument) {
        ("explain", "codes") => codes().chain(verdicts).collect(),
        ("check", "ignore") => codes().collect(),
        ("check", "fix") => FIXABLE.iter().map(explained).collect(),
        ("columns", "command") => plain(columns::commands()),
        (_, "columns" | "sort") => plain(columns::names(command)),
        _ => return None,
    };
    (!values.is_empty()).then_some(values)
}

pub(crate) fn man(arguments: &Man) -> Ended {
    let pages = pages()?;
    let asked = arguments.place.as_ref().and_then(|place| place.to_str());
    // The commands without a page are on that of the whole.
    let is_on_first = ["skelmap", "help", "man", "completions"];
    let of_command = asked.and_then(|asked| {
        let first = pages.first().filter(|_| is_on_first.iter().any(|name| name.eq_ignore_ascii_case(asked)));
        pages.iter().find(|page| page.command.eq_ignore_ascii_case(asked)).or(first)
    });
    if let Some(folder) = arguments.place.as_ref().filter(|_| of_command.is_none()) {
        let is_word = |asked: &&str| !asked.contains(['/', '\\']) && !folder.exists();
        let commands = pages.iter().map(|page| page.command.as_str()).chain(["help", "completions"]);
        if let Some(command) = asked.filter(is_word).and_then(|asked| nearest(asked, commands)) {
            let folder = folder.display();
            let message = format!("there is no command {folder}: is {command} meant? A folder is ./{folder}");
            return Err(Failure::usage(message));
        }
        let made = create_folders(folder);
        let written =
            made.and_then(|()| pages.iter().try_for_each(|page| std::fs::write(folder.join(&page.file), &page.text)));
        written.map_err(|error| Failure::not_written(error).in_file(folder))?;
    } else {
        let mut out = stdout();
        out.write_all(of_command.unwrap_or(&pages[0]).text.as_bytes())?;
        out.flush()?;
    }
    Ok(Outcome::Clean)
}

/// The page of a command.
struct Page {
    /// As people name it behind `skelmap man`.
    command: String,
    file: String,
    text: String,
}

/// The page of each command, the one of the whole command first.
fn pages() -> io::Result<Vec<Page>> {
    // Without the page of `help`, which would repeat all others.
    let mut whole = command::arguments(None).disable_help_subcommand(true);
    whole.build();
    let mut pages = Vec::new();
    add(&whole, &mut pages)?;
    Ok(pages)
}

fn add(own: &Command, pages: &mut Vec<Page>) -> io::Result<()> {
    let is_whole = pages.is_empty();
    let usage = own.clone().render_usage().to_string();
    let usage = usage.trim_start_matches("Usage:").trim().to_owned();
    // What the short help has no room for, the page has.
    let shown = own.clone().override_usage(usage).mut_args(|argument| argument.hide_short_help(false));
    // The page has sections of its own for variables and files.
    let shown = if is_whole { shown.after_long_help(command::AFTER_HELP) } else { shown };
    let page = Manual::new(shown).source(concat!("skelmap ", env!("CARGO_PKG_VERSION"))).manual("Manual of skelmap");
    let mut text = Vec::new();
    page.render(&mut text)?;
    let mut text = String::from_utf8_lossy(&text).into_owned();
    own.get_arguments().filter(|argument| is_repeated(argument)).for_each(|argument| text = with_dots(&text, argument));
    if is_whole {
        text.push_str(".SH ENVIRONMENT\n");
        let term = |name: &str, text: &str| format!(".TP\n\\fB{}\\fR\n{}\n", escaped(name), escaped(text));
        text.extend(VARIABLES.iter().map(|variable| term(variable.name, variable.effect)));
        text.push_str(".SH FILES\n");
        text.push_str(&term(config::NAME, config::HELP));
    } else {
        text.push_str(".SH SEE ALSO\n\\fBskelmap\\fR(1)\n");
    }
    let command = own.get_display_name().unwrap_or(own.get_name());
    let command = command.strip_prefix("skelmap-").unwrap_or(command).to_owned();
    pages.push(Page { command, file: page.get_filename(), text });
    own.get_subcommands().filter(|below| !below.is_hide_set()).try_for_each(|below| add(below, pages))
}

/// Whether an argument can be given several times.
fn is_repeated(argument: &Arg) -> bool {
    matches!(argument.get_action(), ArgAction::Append) && argument.get_value_delimiter().is_none()
}

/// The page with `...` after the value of an argument in its list.
fn with_dots(page: &str, argument: &Arg) -> String {
    let value = escaped(
        &argument.get_value_names().unwrap_or_default().iter().map(ToString::to_string).collect::<Vec<_>>().join(" "),
    );
    let (before, after) = match argument.get_long() {
        Some(long) => (format!("\\fB\\-\\-{}\\fR \\fI<{value}>\\fR", escaped(long)), "..."),
        None if argument.is_required_set() => (format!("\n<\\fI{value}\\fR>"), "..."),
        None => (format!("\n[\\fI{value}\\fR]"), "..."),
    };
    page.replacen(&before, &format!("{before}{after}"), 1)
}

/// A text without the characters that mean something in a page of the manual.
fn escaped(text: &str) -> String {
    text.replace('\\', "\\e").replace('-', "\\-").replace('\'', "\\*(Aq")
}
