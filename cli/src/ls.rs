//! `skelmap ls`: a row for each asset.

use clap::Args;
use skelmap_batch::Find;
use skelmap_batch::items::{Fault, Item, Options, Row};

use crate::arguments::Inputs;
use crate::files::{self, Source};
use crate::messages::summarize;
use crate::outcome::{Ended, Outcome, Tally};
use crate::query::{Query, query_help};
use crate::report::{self, Format};
use skelmap_batch::columns::{Entry, fields, path_and_entry};

/// List the assets in files, folders and archives, one row each.
#[derive(Debug, Args)]
#[command(mut_arg("glob", |glob| glob.hide_short_help(false)))]
#[command(after_help = concat!("\
Examples:
  skelmap ls .
  skelmap ls public.zip --where 'format ~ \"psa\"' --sort -duration_s --limit 20
  skelmap ls mods/ --glob '*horse*' --columns bones,faces,path
  skelmap ls --format csv mods/ > assets.csv
  skelmap ls 'public.zip!/art/meshes/'
  skelmap ls --format jsonl art/ | jq 'select(.bones > 100) | .path'

The content of a file decides its format. In a folder, hidden files and links are skipped, and files that .gitignore and .ignore name. Other files are skipped, unless their name ends in .psk, .pskx, .psa, .pmd or .gsa: such a file gets a row with its \
error. Files named .zip, .pyromod or .res are opened as archives; in an archive, only the names of entries decide. A path on the \
command line always gets a row. An entry of an archive is written as mod.zip!/art/x.psa.

On a terminal, a table leaves out columns for which there is no room, and shortens paths. Other formats have everything.

", query_help!(), "

`skelmap columns ls` lists the columns and the keys of JSON. A key that does not apply is null. With --columns, a row has schema and these keys."))]
pub(crate) struct Ls {
    #[command(flatten)]
    pub(crate) inputs: Inputs,
    #[command(flatten)]
    query: Query,
    /// List all other files too, with their sizes, also those of archives.
    #[arg(long)]
    all: bool,
    /// Format of the output.
    #[arg(long, value_parser = report::formats(), default_value = "table")]
    format: Format,
}

pub(crate) fn run(arguments: &Ls, source: &Source) -> Ended {
    let mut report = report::print_query(fields(), arguments.format, &arguments.query.to_query())?;
    let mut tally = Tally::default();
    let options = Options { parse: source.parse, ..Options::default() };
    let work = |item: &Item| match item.row(&source.opener, &options) {
        row if !arguments.all => row,
        None => Some(other(item)),
        Some(row) => Some(row),
    };
    let work = |item: &Item| if is_other_entry(item) { Some(other(item)) } else { work(item) };
    let find = arguments.inputs.to_find();
    let sources =
        if arguments.all { Find { others: true, ..find }.sources(source)? } else { files::find_told(source, &find)? };
    files::each_item(&sources, arguments.inputs.jobs, source, options.need(), work, |row| {
        tally.count(row.error.is_some(), row.is_unreadable());
        report.row(&Entry::from(row))
    })?;
    report.end()?;
    Ok(end_of_rows(tally))
}

/// The end of a command with rows of files: the number of files without a row of their own.
pub(crate) fn end_of_rows(tally: Tally) -> Outcome {
    let Tally { files, bad, .. } = tally;
    if bad > 0 {
        summarize(format!("{bad} of {files} files cannot be read"));
    }
    Outcome::told(tally)
}

/// Whether an item is a file of an archive whose name promises no asset. In an archive, only names decide.
fn is_other_entry(item: &Item) -> bool {
    !item.is_named() && !item.promises_asset() && item.address().entry().is_some()
}

/// The row of a file that is no asset.
fn other(item: &Item) -> Row {
    let (path, entry) = path_and_entry(&item.address());
    let nothing = Fault { kind: "", section: None, offset: None, message: String::new() };
    let mut row = Row::unreadable(path, entry, nothing);
    (row.bytes, row.error) = (Some(item.size_hint()), None);
    row
}
