//! Quantiles and histograms of the columns of many assets, by format.

mod sample;

use std::collections::BTreeMap;

use crate::items::SCHEMA;

use self::sample::{Histogram, Sample};
use crate::columns::{Entry, SCHEMA_COLUMN, formats};
use crate::query::{Plan, cell_at};
use crate::report::{Cell, Column, Field, Kind, Look, Shown, Values, double, field, integer, list, text};

/// The numbers of one column in the assets of one format.
#[derive(Debug, Default)]
struct Numbers {
    values: Vec<f64>,
    nulls: u64,
}

/// A row of the report.
#[derive(Debug)]
pub struct Summary {
    format: &'static str,
    column: &'static str,
    nulls: u64,
    sample: Sample,
    histogram: Histogram,
}

const NUMBER: Column = double("");
const COUNT: Column = integer("");

/// The columns of the report.
pub fn fields() -> Vec<Field<Summary>> {
    const fn figure(key: &'static str, title: &'static str, meaning: &'static str) -> Column {
        double(key).titled(title).look(Look::Figure).means(meaning)
    }
    let values = integer("values").of(Values::AtLeast(1)).means("the number of assets with a value");
    let nulls =
        integer("nulls").drop_order(2).means("the number of assets of the format to which the column does not apply");
    let edges = list("edges", &NUMBER).data().means("the values between which the bars lie, one more than bars");
    let bars = list("bars", &COUNT).data().means("the number of values in each bar");
    let histogram =
        text("histogram").look(Look::Path).table().means("the bars, as high as the number of values in them");
    vec![
        field(SCHEMA_COLUMN.json(), |_| SCHEMA.into()),
        field(text("format").of(Values::OneOf(formats)).means("the format of the assets"), |row: &Summary| {
            row.format.into()
        }),
        field(text("column").means("the column that is summarized (skelmap columns catalog)"), |row| row.column.into()),
        field(values, |row| row.sample.len().into()),
        field(nulls, |row| row.nulls.into()),
        field(figure("least", "min", "the least value"), |row| row.sample.quantile(0.0).into()),
        field(figure("p25", "25 %", "25 % of the values lie below").drop_order(1), |row| {
            row.sample.quantile(0.25).into()
        }),
        field(figure("p50", "50 %", "half of the values lie below"), |row| row.sample.quantile(0.5).into()),
        field(figure("p75", "75 %", "75 % of the values lie below").drop_order(1), |row| {
            row.sample.quantile(0.75).into()
        }),
        field(figure("p95", "95 %", "95 % of the values lie below"), |row| row.sample.quantile(0.95).into()),
        field(figure("greatest", "max", "the greatest value"), |row| row.sample.quantile(1.0).into()),
        field(edges, |row| Cell::list(|| row.histogram.edges.iter().copied())),
        field(bars, |row| Cell::list(|| row.histogram.bars.iter().copied())),
        field(histogram, |row| row.histogram.picture().into()),
    ]
}

/// There is no such column of numbers.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no column {name:?} of numbers (columns: {})", columns.join(", "))]
#[non_exhaustive]
pub struct NoNumbers {
    /// The name that was asked for.
    pub name: String,
    /// The names of all columns of numbers.
    pub columns: Vec<&'static str>,
}

/// The places of the columns of numbers with these names; all of them if there are no names.
///
/// # Errors
/// [`NoNumbers`].
pub fn columns_of(names: &[String], fields: &[Field<Entry>]) -> Result<Vec<usize>, NoNumbers> {
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
            let columns = numbers.iter().filter_map(column).map(|column| column.key).collect();
            NoNumbers { name: word.clone(), columns }
        })
    };
    if names.is_empty() { Ok(numbers) } else { names.iter().map(place).collect() }
}

/// The numbers of each format, for each place of a column.
#[derive(Debug, Default)]
pub struct Survey(BTreeMap<&'static str, Vec<(usize, Numbers)>>);

impl Survey {
    /// Adds the numbers of an asset that can be read and that the plan has.
    pub fn add(&mut self, entry: &Entry, fields: &[Field<Entry>], plan: &Plan, columns: &[usize]) {
        let Some(format) = entry.row.format.filter(|_| entry.row.error.is_none() && plan.has(fields, entry)) else {
            return;
        };
        let empty = || columns.iter().map(|at| (*at, Numbers::default())).collect();
        for (at, numbers) in self.0.entry(format).or_insert_with(empty) {
            match cell_at(fields, entry, *at).number().filter(|number| number.is_finite()) {
                Some(number) => numbers.values.push(number),
                None => numbers.nulls += 1,
            }
        }
    }

    /// A row for each format and column that has numbers.
    pub fn into_rows(self, fields: &[Field<Entry>]) -> Vec<Summary> {
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
