//! Records on their way out: cells, and the forms they are written in.

use std::fmt::{self, Display, Formatter};
use std::io::{self, Write};

use serde::ser::{Serialize, SerializeMap, Serializer};
use skelmap::{Name, Text};

use crate::cli::Format;
use crate::print::{self, Json};
use crate::table::Table;

/// One value of a record.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Cell<'a> {
    Integer(i64),
    Float(f32),
    Text(Text<'a>),
    Nothing,
}

impl Display for Cell<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Integer(value) => value.fmt(f),
            Self::Float(value) => value.fmt(f),
            Self::Text(value) => value.fmt(f),
            Self::Nothing => Ok(()),
        }
    }
}

impl Serialize for Cell<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Integer(value) => serializer.serialize_i64(*value),
            Self::Float(value) => serializer.serialize_f32(*value),
            Self::Text(value) => serializer.collect_str(value),
            Self::Nothing => serializer.serialize_none(),
        }
    }
}

/// Why nothing, or not everything, was dumped.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The arguments ask for what the file does not have.
    Usage(String),
    /// A file beside the one asked for is there and cannot be read.
    Unreadable(String),
    Write(io::Error),
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Write(error)
    }
}

pub(super) type Done = Result<(), Failure>;

pub(super) fn usage<T>(message: String) -> Result<T, Failure> {
    Err(Failure::Usage(message))
}

pub(super) fn integer(value: impl TryInto<i64>) -> Cell<'static> {
    value.try_into().map_or(Cell::Nothing, Cell::Integer)
}

pub(super) fn floats<const N: usize>(values: [f32; N]) -> [Cell<'static>; N] {
    values.map(Cell::Float)
}

pub(super) fn name<const N: usize>(name: &Name<N>) -> Cell<'_> {
    Cell::Text(name.text())
}

/// Writes records in one of the formats.
pub(crate) struct Writer {
    columns: Vec<&'static str>,
    form: Form,
}

enum Form {
    Csv(Box<csv::Writer<print::Output>>),
    Json(Json, print::Output),
    Table(Table, print::Output),
}

impl Writer {
    pub(super) fn new(format: Format) -> Self {
        let form = match Json::new(format) {
            Some(json) => Form::Json(json, print::output()),
            None if format == Format::Csv => Form::Csv(Box::new(csv::Writer::from_writer(print::output()))),
            None => Form::Table(Table::new(&[]), print::output()),
        };
        Self { columns: Vec::new(), form }
    }

    /// The names of the columns, before the first record.
    pub(crate) fn heading(&mut self, columns: &[&'static str]) -> io::Result<()> {
        self.columns = columns.to_vec();
        match &mut self.form {
            Form::Csv(csv) => print::written(csv.write_record(columns)),
            Form::Json(..) => Ok(()),
            Form::Table(table, _) => {
                *table = Table::new(columns).aligned_right(0..columns.len());
                Ok(())
            }
        }
    }

    /// One record, a cell for each column.
    pub(crate) fn record(&mut self, cells: &[Cell<'_>]) -> io::Result<()> {
        match &mut self.form {
            Form::Csv(csv) => print::written(csv.write_record(cells.iter().map(Cell::to_string))),
            Form::Json(json, out) => json.value(out, &Record { columns: &self.columns, cells }),
            Form::Table(table, out) => {
                let texts = cells.iter().enumerate().filter(|(_, cell)| matches!(cell, Cell::Text(_)));
                texts.for_each(|(column, _)| table.align(column, false));
                table.row(out, cells.iter().map(print::clean))
            }
        }
    }

    pub(super) fn end(self) -> io::Result<()> {
        match self.form {
            Form::Csv(mut csv) => csv.flush(),
            Form::Json(json, mut out) => {
                json.end(&mut out)?;
                out.flush()
            }
            Form::Table(table, mut out) => {
                table.end(&mut out)?;
                out.flush()
            }
        }
    }
}

struct Record<'a> {
    columns: &'a [&'a str],
    cells: &'a [Cell<'a>],
}

impl Serialize for Record<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.cells.len()))?;
        for (column, cell) in self.columns.iter().zip(self.cells) {
            map.serialize_entry(column, cell)?;
        }
        map.end()
    }
}
