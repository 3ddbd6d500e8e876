//! `skelmap ls`: a row for each asset.

use std::io::{self, Write};

use clap::Args;
use skelmap_batch::catalogue::{Per, entry};
use skelmap_batch::columns::{ADDRESS_COLUMN, Entry, fields, sequence_fields};
use skelmap_batch::items::{Fault, Item, Need, Options, Row};
use skelmap_batch::path_and_entry;
use skelmap_batch::{Find, path_of};

use crate::arguments::Inputs;
use crate::files::{self, Source};
use crate::messages::summarize;
use crate::outcome::{Ended, Outcome, Tally};
use crate::output::{Output, stdout};
use crate::query::tell_dropped;
use crate::query::{self, query_help};
use crate::report::{self, Cell, Format, Query, Report, RowWriter};

/// What rows are for.
pub(crate) const PER: [(&str, Per); 2] = [("asset", Per::Asset), ("sequence", Per::Sequence)];

/// The columns and headings that are sums over the sequences of a file.
const OF_SUMS: [&str; 3] = ["duration_s", "seconds", "frames"];

/// List the assets in files, folders and archives, one row each.
#[derive(Debug, Args)]
#[command(mut_arg("glob", |glob| glob.hide_short_help(false)))]
#[command(after_help = concat!("\
Examples:
  skelmap ls .
  skelmap ls public.zip --where 'format ~ \"psa\"' --sort -bones --limit 20
  skelmap ls mods/ --per sequence --sort -seconds --limit 20
  skelmap ls mods/ -0 --glob '*horse*' | xargs -0 skelmap check --
  skelmap ls mods/ --glob '*horse*' --columns bones,faces,address
  skelmap ls --format csv mods/ > assets.csv
  skelmap ls 'public.zip!/art/meshes/'
  skelmap ls --format jsonl art/ | jq 'select(.bones > 100) | .path'

The content of a file decides its format. In a folder, hidden files and links are skipped, and files that .gitignore and .ignore name. Other files are skipped, unless their name ends in .psk, .pskx, .psa, .pmd, .gsa, .uemodel, .ueanim or .uepose: such a file gets a row with its \
error. Files named .zip, .pyromod or .res are opened as archives; in an archive, only the names of entries decide. A path on the \
command line always gets a row. An entry of an archive is written as mod.zip!/art/x.psa.

On a terminal, a table leaves out columns for which there is no room, and shortens paths. Other formats have everything.

", query_help!(), "

`skelmap columns ls` lists the columns and the keys of JSON. A key that does not apply is null. With --columns, a row has schema and these keys."))]
pub(crate) struct Ls {
    #[command(flatten)]
    pub(crate) inputs: Inputs,
    #[command(flatten)]
    query: query::Query,
    /// List all other files too, with their sizes, also those of archives.
    #[arg(long)]
    all: bool,
    /// What a row is for: a file, or a sequence of an animation.
    #[arg(long, value_parser = report::one_of(PER), default_value = "asset")]
    per: Per,
    /// Print the addresses alone, each with a zero byte after it, for `xargs -0`.
    #[arg(short = '0', long = "null", conflicts_with_all = ["format", "columns"])]
    null: bool,
    /// Format of the output.
    #[arg(long, value_parser = report::formats(), default_value = "table")]
    format: Format,
}

/// Addresses with a zero byte after each.
struct Nul(Output);

impl RowWriter for Nul {
    fn row(&mut self, cells: &[Cell<'_>]) -> io::Result<()> {
        cells.iter().try_for_each(|address| {
            let text = address.to_string();
            // A name that is no text is told as an address of a file: programs want the very bytes.
            let path = path_of(text.as_ref());
            match path.symlink_metadata() {
                Ok(_) => self.0.write_all(path.as_os_str().as_encoded_bytes())?,
                Err(_) => self.0.write_all(text.as_bytes())?,
            }
            self.0.write_all(b"\0")
        })
    }

    fn end(mut self: Box<Self>) -> io::Result<()> {
        self.0.flush()
    }
}

pub(crate) fn run(arguments: &Ls, source: &Source) -> Ended {
    let Ls { per, query, format, .. } = arguments;
    let (query, fields) = (query.to_query(), if *per == Per::Sequence { sequence_fields() } else { fields() });
    let sums = *per == Per::Asset && query.sort.iter().any(|key| OF_SUMS.contains(&key.trim_start_matches('-')));
    let asked = query.clone();
    let mut report = if arguments.null {
        let plan = Query { columns: vec![ADDRESS_COLUMN.key.to_owned()], ..query }.plan(&fields, Format::Csv)?;
        Report::with_writer(Box::new(Nul(stdout())), fields, plan)
    } else {
        report::print_query(fields, *format, &query)?
    };
    let (mut tally, mut has_sums) = (Tally::default(), false);
    let options = Options { parse: source.parse, ..Options::default() };
    let work = |item: &Item| match entry(item, &source.opener, &options, *per) {
        row if !arguments.all => row,
        None => Some(other(item).into()),
        Some(row) => Some(row),
    };
    let work = |item: &Item| if is_other_entry(item) { Some(other(item).into()) } else { work(item) };
    let find = arguments.inputs.to_find();
    let sources =
        if arguments.all { Find { others: true, ..find }.sources(source)? } else { files::find_told(source, &find)? };
    let need = if *per == Per::Sequence { Need::Content } else { options.need() };
    files::each_item(&sources, arguments.inputs.jobs, source, need, work, |entry: Entry| {
        tally.count(entry.row.error.is_some(), entry.row.is_unreadable());
        has_sums |= sums && entry.row.summary.sequences.is_some_and(|sequences| sequences > 1);
        entry.each_row(|entry| report.row(entry))
    })?;
    tell_dropped(&report, &asked);
    report.end()?;
    if has_sums {
        summarize(
            "seconds and frames of a file are sums over its sequences: --per sequence has a row for each sequence",
        );
    }
    Ok(end_of_rows(tally, ""))
}

/// The end of a command with rows of files: the number of files without a row of their own. `hint`: what is said behind it.
pub(crate) fn end_of_rows(tally: Tally, hint: &str) -> Outcome {
    let Tally { files, bad, .. } = tally;
    match (bad, files) {
        (0, _) => {}
        (_, 1) => summarize(format!("the file cannot be read{hint}")),
        _ => summarize(format!("{bad} of {files} files cannot be read{hint}")),
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
