//! `skelmap stats`: quantiles and histograms of the columns of many assets, by format.

use clap::Args;
use skelmap_batch::columns::{Entry, catalogue_fields};
use skelmap_batch::items::{Item, Options};
use skelmap_batch::stats::{Survey, columns_of, fields};

use crate::arguments::Inputs;
use crate::files::{self, Source};
use crate::ls::end_of_rows;
use crate::outcome::{Ended, Failure, Tally};
use crate::query::Filter;
use crate::report::{self, Format};

/// Summarize the numbers of many assets by format: least, quartiles, greatest, histogram.
#[derive(Debug, Args)]
#[command(mut_arg("glob", |glob| glob.hide_short_help(false)))]
#[command(after_help = "\
Examples:
  skelmap stats public.zip
  skelmap stats mods/ --columns bones,faces --where 'path ~ \"horse\"'
  skelmap stats mods/ --extent --format jsonl > stats.jsonl

A row for each format and column that has values. Between two values, quantiles are in proportion (as numpy.quantile). Ten bars from the \
least to the greatest value have the same width, or the same ratio if the greatest is a hundred times the least or more. In a table, k is \
a thousand and M a million.

All values are in memory: 8 bytes for each column of an asset. Files that cannot be read are counted in the last line only. `skelmap \
ls --help` says how --where compares.

`skelmap columns stats` explains the columns and the keys of JSON.")]
pub(crate) struct Stats {
    #[command(flatten)]
    pub(crate) inputs: Inputs,
    #[command(flatten)]
    filter: Filter,
    /// Only these columns (see `skelmap columns`).
    #[arg(long, value_name = "COLUMN,...", value_delimiter = ',', help_heading = "Rows")]
    columns: Vec<String>,
    /// Add the box and the height of every mesh. Reads all points.
    #[arg(long)]
    extent: bool,
    /// Format of the output.
    #[arg(long, value_parser = report::formats(), default_value = "table")]
    format: Format,
}

pub(crate) fn run(arguments: &Stats, source: &Source) -> Ended {
    let all = catalogue_fields(false, arguments.extent);
    let plan = arguments.filter.to_query().plan(&all, Format::Csv)?;
    let columns = columns_of(&arguments.columns, &all);
    let columns = columns.map_err(|error| Failure::usage(format!("--columns: {error}")))?;
    let options = Options { parse: source.parse, extent: arguments.extent, ..Options::default() };
    let (mut survey, mut tally) = (Survey::default(), Tally::default());
    let sources = files::find(source, &arguments.inputs)?;
    let work = |item: &Item| item.row(&source.opener, &options).map(Entry::from);
    files::each_item(&sources, arguments.inputs.jobs, source, options.need(), work, |entry| {
        tally.count(entry.row.error.is_some(), entry.row.is_unreadable());
        survey.add(&entry, &all, &plan, &columns);
        Ok(())
    })?;
    let mut report = report::print(fields(), arguments.format)?;
    survey.into_rows(&all).iter().try_for_each(|row| report.row(row))?;
    report.end()?;
    Ok(end_of_rows(tally, ": `skelmap check` says why"))
}
