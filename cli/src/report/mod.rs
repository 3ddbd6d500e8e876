//! Reports: columns and cells, and the formats that they are written in.
//!
//! The commands list their columns; only this module knows how a format looks.

mod array;
#[cfg(feature = "arrow")]
mod arrow;
mod cell;
mod column;
mod csv;
mod encode;
mod held;
mod json;
mod layout;
mod number;
#[cfg(feature = "parquet")]
mod parquet;
mod record;
mod rows;
mod table;

use std::io::{self, Write};

use clap::ValueEnum;

pub(crate) use array::Array;
#[cfg(feature = "arrow")]
pub(crate) use arrow::Arrow;
pub(crate) use cell::{Cell, cells};
pub(crate) use column::{
    ARCHIVE, Column, ERROR, Field, Kind, Look, PATH, Rows, Shown, double, field, integer, object, text,
};
pub(crate) use encode::{Place, Shape, npy_header, shape_of};
pub(crate) use json::document;
pub(crate) use rows::{Report, cell_at};

use self::csv::Csv;
use crate::output::{BOLD, Output, stdout};
use crate::progress::Progress;
use encode::Encoding;
use json::Json;
use table::Table;

/// The format of a report: a table for people, one JSON document, a JSON object per line, CSV with a heading, or Apache Parquet.
// Without doc comments on the values, the help of a command is short.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    Table,
    Json,
    Jsonl,
    Csv,
    // For `catalog` only.
    #[value(skip)]
    Parquet,
}

impl Format {
    pub(crate) fn has(self, column: &Column) -> bool {
        match column.shown {
            Shown::Everywhere => true,
            Shown::Data => self != Self::Table,
            Shown::Json => matches!(self, Self::Json | Self::Jsonl),
            Shown::Flat => matches!(self, Self::Csv | Self::Parquet),
            Shown::Table => self == Self::Table,
        }
    }
}

/// Writes rows in a format, as they come.
struct Writer {
    /// The columns that the format has.
    columns: Vec<Column>,
    form: Form,
}

enum Form {
    Table(Table, Output),
    Json(Json),
    Csv(Box<Csv>),
    #[cfg(feature = "parquet")]
    Parquet(Box<parquet::Parquet>),
}

impl Writer {
    /// `is_begun`: the output has rows already.
    fn new(columns: Vec<Column>, format: Format, out: Output, is_begun: bool) -> io::Result<Self> {
        let form = match format {
            Format::Table => Form::Table(Table::new(&columns), out),
            Format::Json => Form::Json(Json::array(out)),
            Format::Jsonl => Form::Json(Json::lines(out)),
            Format::Csv => Form::Csv(Box::new(Csv::new(out, (!is_begun).then_some(&columns))?)),
            #[cfg(feature = "parquet")]
            Format::Parquet => Form::Parquet(Box::new(parquet::Parquet::new(out, &columns)?)),
            #[cfg(not(feature = "parquet"))]
            Format::Parquet => {
                let message = "this skelmap was built without the feature `parquet`";
                return Err(io::Error::new(io::ErrorKind::Unsupported, message));
            }
        };
        Ok(Self { columns, form })
    }

    /// Writes one row: a cell for each column.
    fn row<'a>(&mut self, cells: impl Iterator<Item = Cell<'a>>) -> io::Result<()> {
        match &mut self.form {
            Form::Table(table, out) => table.row(out, cells),
            Form::Json(json) => {
                json.row(&Cell::Object(self.columns.iter().map(|column| column.key).zip(cells).collect()))
            }
            Form::Csv(csv) => csv.row(self.columns.iter().zip(cells)),
            #[cfg(feature = "parquet")]
            Form::Parquet(parquet) => parquet.row(cells),
        }
    }

    fn end(self) -> io::Result<()> {
        match self.form {
            Form::Table(table, mut out) => {
                table.end(&mut out)?;
                out.flush()
            }
            Form::Json(json) => json.end(),
            Form::Csv(csv) => csv.end(),
            #[cfg(feature = "parquet")]
            Form::Parquet(parquet) => parquet.end(),
        }
    }
}

/// The first line of a report as CSV.
pub(crate) fn csv_heading<R>(fields: &[Field<R>]) -> String {
    let columns = fields.iter().map(|field| &field.column).filter(|column| Format::Csv.has(column));
    columns.map(|column| column.key).collect::<Vec<_>>().join(",") + "\n"
}

/// Writes rows that borrow from a file to standard output. A table without rows is its heading.
pub(crate) fn write_rows(rows: &Rows<'_>, format: Format) -> io::Result<()> {
    let mut writer = Writer::new(rows.columns_in(format), format, stdout(), false)?;
    rows.each_in(format, |cells| writer.row(cells.into_iter()))?;
    writer.end()
}

/// The format of an array: a report, or numbers for programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ArrayFormat {
    Table,
    Json,
    Jsonl,
    Csv,
    Npy,
    Parquet,
    F32,
}

impl ArrayFormat {
    /// Whether people cannot read it.
    pub(crate) const fn is_binary(self) -> bool {
        matches!(self, Self::Npy | Self::Parquet | Self::F32)
    }
}

/// Writes arrays with the same columns, one after the other.
pub(crate) struct Arrays {
    columns: Vec<Column>,
    form: ArrayForm,
    /// Counts the rows that are written.
    progress: Option<Progress>,
}

enum ArrayForm {
    /// A format in which a row depends on others.
    Rows(Box<Writer>),
    Blocks {
        out: Output,
        encoding: Encoding,
        rows: u64,
    },
}

impl Arrays {
    /// `shape`: that of all arrays, for NPY.
    pub(crate) fn new(out: Output, columns: Vec<Column>, format: ArrayFormat, shape: Shape) -> io::Result<Self> {
        let rows = |format, out| Writer::new(columns.clone(), format, out, false);
        let blocks = |encoding: Encoding, mut out: Output| {
            out.write_all(&encoding.head(&columns))?;
            Ok::<_, io::Error>(ArrayForm::Blocks { out, encoding, rows: 0 })
        };
        let form = match format {
            ArrayFormat::Table => ArrayForm::Rows(rows(Format::Table, out)?.into()),
            ArrayFormat::Parquet => ArrayForm::Rows(rows(Format::Parquet, out)?.into()),
            ArrayFormat::Json => blocks(Encoding::Json { has_lines: false }, out)?,
            ArrayFormat::Jsonl => blocks(Encoding::Json { has_lines: true }, out)?,
            ArrayFormat::Csv => blocks(Encoding::Csv, out)?,
            ArrayFormat::Npy => blocks(Encoding::Npy(shape), out)?,
            ArrayFormat::F32 => blocks(Encoding::F32, out)?,
        };
        Ok(Self { columns, form, progress: None })
    }

    /// Shows the number of rows as they are written.
    pub(crate) fn with_progress(self) -> Self {
        Self { progress: Some(Progress::of_rows()), ..self }
    }

    /// Writes an array. Its rows begin with its place, if there is one.
    pub(crate) fn add(&mut self, place: Option<&Place>, array: &Array<'_>) -> io::Result<()> {
        let written = |count: usize| {
            let count = u64::try_from(count).unwrap_or(u64::MAX);
            self.progress.iter().for_each(|progress| progress.inc(count));
            count
        };
        match &mut self.form {
            ArrayForm::Rows(writer) => (array.blocks)().try_for_each(|block| {
                written(block.len());
                block.each(&mut |cells| {
                    writer.row(Place::cells(place).into_iter().chain(cells.iter().map(Cell::borrowed)))
                })
            }),
            ArrayForm::Blocks { out, encoding, rows } => {
                let (columns, encoding) = (&self.columns, &*encoding);
                let encode = |block: &dyn array::Block| Ok((encoding.encode(columns, place, block)?, block.len()));
                array.in_order(encode, |(bytes, count)| {
                    out.write_all(encoding.between(*rows > 0).as_bytes())?;
                    *rows = rows.saturating_add(written(count));
                    out.write_all(&bytes)
                })
            }
        }
    }

    pub(crate) fn end(self) -> io::Result<()> {
        match self.form {
            ArrayForm::Rows(writer) => writer.end(),
            ArrayForm::Blocks { mut out, encoding, rows } => {
                encoding.check_rows(rows)?;
                out.write_all(encoding.tail(rows > 0).as_bytes())?;
                out.flush()
            }
        }
    }
}

/// Writes rows as a table with a title, if there are any.
pub(crate) fn write_section(out: &mut Output, title: &str, rows: &Rows<'_>) -> io::Result<()> {
    if (rows.rows)().next().is_none() {
        return Ok(());
    }
    writeln!(out, "\n{BOLD}{title}{BOLD:#}")?;
    let mut table = Table::new(&rows.columns_in(Format::Table));
    rows.each_in(Format::Table, |cells| table.row(out, cells.into_iter()))?;
    table.end(out)
}

impl<'a> Rows<'a> {
    fn columns_in(&self, format: Format) -> Vec<Column> {
        self.columns.iter().copied().filter(|column| format.has(column)).collect()
    }

    /// Gives each row's cells in the columns that a format has.
    fn each_in(&self, format: Format, mut give: impl FnMut(Vec<Cell<'a>>) -> io::Result<()>) -> io::Result<()> {
        let is_shown: Vec<bool> = self.columns.iter().map(|column| format.has(column)).collect();
        (self.rows)().try_for_each(|mut cells| {
            let mut is_shown = is_shown.iter();
            cells.retain(|_| is_shown.next() == Some(&true));
            give(cells)
        })
    }
}
