//! Reports as comma-separated values.

use std::fmt::Write as _;
use std::io;

use super::cell::Cell;
use super::column::{Column, Look};
use crate::output::Output;

/// Writes a heading and records.
pub(super) struct Csv {
    writer: csv::Writer<Output>,
    /// The text of one cell.
    text: String,
}

impl Csv {
    /// `heading`: the columns, unless the output has its heading already.
    pub(super) fn new(out: Output, heading: Option<&[Column]>) -> io::Result<Self> {
        let mut writer = csv::Writer::from_writer(out);
        if let Some(columns) = heading {
            written(writer.write_record(columns.iter().map(|column| column.key)))?;
        }
        Ok(Self { writer, text: String::new() })
    }

    pub(super) fn row<'a, 'b>(&mut self, row: impl Iterator<Item = (&'b Column, Cell<'a>)>) -> io::Result<()> {
        for (column, cell) in row {
            self.text.clear();
            match (column.look, &cell) {
                (Look::Words, Cell::List(words)) => {
                    self.text += &words().map(|word| word.to_string()).collect::<Vec<_>>().join(" ");
                }
                _ => write!(self.text, "{cell}").map_err(io::Error::other)?,
            }
            written(self.writer.write_field(&self.text))?;
        }
        written(self.writer.write_record(None::<&[u8]>))
    }

    pub(super) fn end(mut self) -> io::Result<()> {
        self.writer.flush()
    }
}

/// The error inside of an error of the `csv` crate: a broken pipe has to stay one.
fn written(result: csv::Result<()>) -> io::Result<()> {
    result.map_err(|error| match error.into_kind() {
        csv::ErrorKind::Io(error) => error,
        other => io::Error::other(format!("{other:?}")),
    })
}
