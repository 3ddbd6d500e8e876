//! Reports: columns and cells, and the formats that programs read. Tables for people belong to the command.

mod array;
#[cfg(feature = "tables")]
mod arrow;
mod cell;
mod column;
mod encode;
mod json;
mod number;
#[cfg(feature = "tables")]
mod parquet;
mod place;
mod row_writer;
mod schema;
mod writer;

use std::io::{BufWriter, Write};

pub use array::{Array, ArrayFormat, Record};
pub(crate) use array::{Records, records};
#[cfg(feature = "tables")]
pub use arrow::Arrow;
pub(crate) use cell::listed;
pub use cell::{Cell, Lazy};
pub use column::{
    ANY_TEXT, ARCHIVE, Column, ERROR, Field, Kind, Look, PATH, Rows, Shown, Values, boolean, columns_of, double, field,
    float, integer, list, nested, object, text, texts,
};
pub use encode::{Shape, npy_header, shape_of};
pub use json::document;
pub use place::Place;
pub use row_writer::RowWriter;
pub use schema::{Definition, schema};
pub use writer::{array_writer_to, csv_heading, writer_to};

#[doc(inline)]
pub use crate::cells;

/// Buffered output for data.
pub type Output = BufWriter<Box<dyn Write + Send>>;

/// A buffer in front of a file or stream.
pub fn buffered(out: impl Write + Send + 'static) -> Output {
    BufWriter::with_capacity(1 << 16, Box::new(out))
}

/// The format of a report: a table for people, one JSON document, a JSON object per line, CSV with a heading, or Apache Parquet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "a new format is a change for each program that writes tables of its own")]
pub enum Format {
    /// A table for people, which the caller writes ([`RowWriter`]).
    Table,
    /// A JSON array.
    Json,
    /// A JSON object on each line.
    Jsonl,
    /// Comma-separated values with a heading.
    Csv,
    /// Apache Parquet (feature `tables`).
    Parquet,
}

impl Format {
    /// Whether the format has a column.
    pub fn has(self, column: &Column) -> bool {
        match column.shown {
            Shown::Everywhere => true,
            Shown::Data => self != Self::Table,
            Shown::Json => matches!(self, Self::Json | Self::Jsonl),
            Shown::Flat => matches!(self, Self::Csv | Self::Parquet),
            Shown::Table => self == Self::Table,
        }
    }
}
