//! `skelmap stats`: quantiles and histograms of the columns of many assets, by format.

mod sample;

use std::collections::BTreeMap;

use clap::Args;
use skelmap::catalog::{Item, Options, SCHEMA};

use self::sample::{Histogram, Sample};
use crate::arguments::Inputs;
use crate::files::{self, Source};
use crate::messages::summarize;
use crate::outcome::{Ended, Failure, Tally};
use crate::query::{Filter, Plan, Value};
use crate::report::{Cell, Column, Field, Format, Kind, Look, Report, Shown, double, field, integer, text};
use crate::row::{Entry, catalogue_fields};

/// Summarize the numbers of many assets by format: least, quartiles, greatest, histogram.
#[derive(Debug, Args)]
#[command(mut_arg("glob", |glob| glob.hide_short_help(false)))]
#[command(after_help = "\
Examples:
  skelmap stats public.zip
  skelmap stats mods/ --columns bones,faces --where 'path ~ \"horse\"'
  skelmap stats mods/ --extent --format jsonl > stats.jsonl

A row for each format and column that has values. nulls: assets of the format to which the column does not apply. 25 %, 50 %, 75 % and \
95 % of the values lie below these numbers; between two values, they are in proportion (as numpy.quantile). Ten bars from the least \
to the greatest value have the same width, or the same ratio if the greatest is a hundred times the least or more; JSON and CSV have \
their edges and numbers. In a table, k is a thousand and M a million.

All values are in memory: 8 bytes for each column of an asset. Files that cannot be read are counted in the last line only. `skelmap \
ls --help` says how --where compares.

JSON keys (schema 1): schema, format, column, values, nulls, least, p25, p50, p75, p95, greatest, edges, bars.")]
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
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
}

/// The numbers of one column in the assets of one format.
#[derive(Default)]
struct Numbers {
    values: Vec<f64>,
    nulls: u64,
}

/// A row of the report.
pub(crate) struct Summary {
    format: &'static str,
    column: &'static str,
    nulls: u64,
    sample: Sample,
    histogram: Histogram,
}

pub(crate) fn fields() -> Vec<Field<Summary>> {
    const fn figure(key: &'static str, title: &'static str) -> Column {
        double(key).titled(title).look(Look::Figure)
    }
    vec![
        field(integer("schema").json(), |_| SCHEMA.into()),
        field(text("format"), |row: &Summary| row.format.into()),
        field(text("column"), |row| row.column.into()),
        field(integer("values"), |row| row.sample.len().into()),
        field(integer("nulls").minor(2), |row| row.nulls.into()),
        field(figure("least", "min"), |row| row.sample.quantile(0.0).into()),
        field(figure("p25", "25 %").minor(1), |row| row.sample.quantile(0.25).into()),
        field(figure("p50", "50 %"), |row| row.sample.quantile(0.5).into()),
        field(figure("p75", "75 %").minor(1), |row| row.sample.quantile(0.75).into()),
        field(figure("p95", "95 %"), |row| row.sample.quantile(0.95).into()),
        field(figure("greatest", "max"), |row| row.sample.quantile(1.0).into()),
        field(text("edges").data(), |row| Cell::list(|| row.histogram.edges.iter().copied())),
        field(text("bars").data(), |row| Cell::list(|| row.histogram.bars.iter().copied())),
        field(text("histogram").look(Look::Path).table(), |row| row.histogram.picture().into()),
    ]
}

pub(crate) fn run(arguments: &Stats, source: &Source) -> Ended {
    let all = catalogue_fields(false, arguments.extent);
    let plan = arguments.filter.plan(&all, Format::Csv)?;
    let columns = arguments.columns(&all)?;
    let options = Options { parse: source.parse, extent: arguments.extent, ..Options::default() };
    let (mut survey, mut tally) = (Survey::default(), Tally::default());
    let sources = source.find(&arguments.inputs)?;
    let work = |item: &Item| item.row(&source.opener, &options).map(Entry::from);
    files::each_item(&sources, arguments.inputs.jobs, options.need(), work, |entry| {
        tally.count(entry.row.error.is_some(), entry.row.is_unreadable());
        survey.add(&entry, &all, &plan, &columns);
        Ok(())
    })?;
    let mut report = Report::new(fields(), arguments.format)?;
    survey.into_rows(&all).iter().try_for_each(|row| report.row(row))?;
    report.end()?;
    if tally.bad > 0 {
        summarize(format!("{} of {} files cannot be read", tally.bad, tally.files));
    }
    Ok(tally.outcome())
}

impl Stats {
    /// The places of the columns that are summarized.
    fn columns(&self, fields: &[Field<Entry>]) -> Result<Vec<usize>, Failure> {
        let is_number = |column: &Column| {
            let is_shown = !matches!(column.shown, Shown::Json | Shown::Table);
            let is_of_row = !["schema", "error_offset"].contains(&column.key) && !column.key.starts_with("sequence_");
            column.kind != Kind::Text && column.kind != Kind::Texts && is_shown && is_of_row
        };
        let numbers: Vec<usize> =
            fields.iter().enumerate().filter(|(_, field)| is_number(&field.column)).map(|(at, _)| at).collect();
        let column = |at: &usize| fields.get(*at).map(|field| field.column);
        let place = |word: &String| {
            let is = |at: &&usize| column(at).is_some_and(|column| column.key == word || column.title == word);
            numbers.iter().find(is).copied().ok_or_else(|| {
                let keys: Vec<&str> = numbers.iter().filter_map(column).map(|column| column.key).collect();
                Failure::usage(format!(
                    "--columns: there is no column {word:?} of numbers (columns: {})",
                    keys.join(", ")
                ))
            })
        };
        if self.columns.is_empty() { Ok(numbers) } else { self.columns.iter().map(place).collect() }
    }
}

/// The numbers of each format, for each place of a column.
#[derive(Default)]
struct Survey(BTreeMap<&'static str, Vec<(usize, Numbers)>>);

impl Survey {
    /// Adds the numbers of an asset that can be read.
    fn add(&mut self, entry: &Entry, fields: &[Field<Entry>], plan: &Plan, columns: &[usize]) {
        let Some(format) = entry.row.format.filter(|_| entry.row.error.is_none() && plan.has(fields, entry)) else {
            return;
        };
        let empty = || columns.iter().map(|at| (*at, Numbers::default())).collect();
        for (at, numbers) in self.0.entry(format).or_insert_with(empty) {
            match Value::from(crate::report::cell_at(fields, entry, *at)) {
                Value::Number(number) if number.is_finite() => numbers.values.push(number),
                _ => numbers.nulls += 1,
            }
        }
    }

    fn into_rows(self, fields: &[Field<Entry>]) -> Vec<Summary> {
        let mut rows = Vec::new();
        for (format, columns) in self.0 {
            for (at, Numbers { values, nulls }) in columns {
                let key = fields.get(at).map_or("", |field| field.column.key);
                rows.extend(Sample::new(values).map(|sample| Summary {
                    format,
                    column: key,
                    nulls,
                    histogram: sample.histogram(),
                    sample,
                }));
            }
        }
        rows
    }
}
