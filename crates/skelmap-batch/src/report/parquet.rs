//! Reports as Apache Parquet: typed columns, and lists as lists.

use std::fmt::Write as _;
use std::io;
use std::sync::Arc;

use parquet::column::writer::ColumnWriter;
use parquet::data_type::{ByteArray, ByteArrayType, DataType, DoubleType, FloatType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use parquet::schema::parser::parse_message_type;

use super::Output;
use super::cell::Cell;
use super::column::{Column, Kind};
use super::row_writer::RowWriter;

/// The most rows of a group, which waits in memory.
const GROUP: usize = 1 << 14;

/// The most bytes of text in a group.
const GROUP_TEXT: usize = 64 << 20;

/// The schema of some columns. Every value may be missing, except for lists, which may be empty.
fn schema(columns: &[Column]) -> String {
    let mut schema = "message catalog {\n".to_owned();
    for Column { key, kind, .. } in columns {
        let _ = match kind {
            Kind::Text => writeln!(schema, "optional binary {key} (UTF8);"),
            Kind::Integer => writeln!(schema, "optional int64 {key};"),
            Kind::Float => writeln!(schema, "optional float {key};"),
            Kind::Double => writeln!(schema, "optional double {key};"),
            Kind::Texts => writeln!(
                schema,
                "required group {key} (LIST) {{ repeated group list {{ required binary element (UTF8); }} }}"
            ),
        };
    }
    schema + "}"
}

/// The values of a column in the group that waits, with the levels that say where values are missing or lists begin.
#[derive(Default)]
struct Values {
    texts: Vec<ByteArray>,
    integers: Vec<i64>,
    doubles: Vec<f64>,
    floats: Vec<f32>,
    definition: Vec<i16>,
    repetition: Vec<i16>,
    /// Bytes of the texts and of what holds them.
    text_bytes: usize,
}

impl Values {
    fn push_text(&mut self, text: &str) {
        self.text_bytes += text.len() + size_of::<ByteArray>();
        self.texts.push(text.into());
    }

    fn push(&mut self, cell: &Cell<'_>) {
        if let Cell::List(items) = cell {
            let before = self.definition.len();
            for item in items() {
                self.repetition.push(i16::from(self.definition.len() > before));
                self.definition.push(1);
                self.push_text(&item.to_string());
            }
            if self.definition.len() == before {
                self.definition.push(0);
                self.repetition.push(0);
            }
            return;
        }
        self.definition.push(i16::from(!matches!(cell, Cell::Absent)));
        match cell {
            Cell::Count(number) => self.integers.push(i64::try_from(*number).unwrap_or(i64::MAX)),
            Cell::Integer(number) => self.integers.push(*number),
            Cell::Float(number) => self.floats.push(*number),
            Cell::Double(number) => self.doubles.push(*number),
            Cell::Absent => {}
            text => self.push_text(&text.to_string()),
        }
    }

    fn write(&mut self, mut writer: SerializedColumnWriter<'_>) -> Result<(), ParquetError> {
        match writer.untyped() {
            ColumnWriter::ByteArrayColumnWriter(_) => batch::<ByteArrayType>(&mut writer, &self.texts, self)?,
            ColumnWriter::DoubleColumnWriter(_) => batch::<DoubleType>(&mut writer, &self.doubles, self)?,
            ColumnWriter::FloatColumnWriter(_) => batch::<FloatType>(&mut writer, &self.floats, self)?,
            _ => batch::<Int64Type>(&mut writer, &self.integers, self)?,
        }
        writer.close()?;
        *self = Self::default();
        Ok(())
    }
}

fn batch<T: DataType>(
    writer: &mut SerializedColumnWriter<'_>,
    values: &[T::T],
    column: &Values,
) -> Result<(), ParquetError> {
    let repetition = (!column.repetition.is_empty()).then_some(column.repetition.as_slice());
    writer.typed::<T>().write_batch(values, Some(&column.definition), repetition).map(drop)
}

/// The error of the system inside of an error of the format: a broken pipe has to stay one.
fn unwrapped(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(inner) => inner.downcast().map_or_else(io::Error::other, |error| *error),
        other => io::Error::other(other),
    }
}

/// Writes rows in groups.
pub(super) struct Parquet {
    writer: SerializedFileWriter<Output>,
    columns: Vec<Values>,
    rows: usize,
}

impl Parquet {
    pub(super) fn new(out: Output, columns: &[Column]) -> io::Result<Self> {
        let schema = parse_message_type(&schema(columns)).map_err(unwrapped)?;
        let columns = columns.iter().map(|_| Values::default()).collect();
        let writer = SerializedFileWriter::new(out, Arc::new(schema), Arc::default()).map_err(unwrapped)?;
        Ok(Self { writer, columns, rows: 0 })
    }

    fn flush(&mut self) -> Result<(), ParquetError> {
        let mut group = self.writer.next_row_group()?;
        for column in &mut self.columns {
            match group.next_column()? {
                Some(writer) => column.write(writer)?,
                None => break,
            }
        }
        group.close()?;
        self.rows = 0;
        Ok(())
    }
}

impl RowWriter for Parquet {
    fn row(&mut self, cells: &[Cell<'_>]) -> io::Result<()> {
        for (column, cell) in self.columns.iter_mut().zip(cells) {
            column.push(cell);
        }
        self.rows += 1;
        let text: usize = self.columns.iter().map(|column| column.text_bytes).sum();
        if self.rows < GROUP && text < GROUP_TEXT { Ok(()) } else { self.flush().map_err(unwrapped) }
    }

    fn end(mut self: Box<Self>) -> io::Result<()> {
        if self.rows > 0 {
            self.flush().map_err(unwrapped)?;
        }
        io::Write::flush(&mut self.writer.into_inner().map_err(unwrapped)?)
    }
}
