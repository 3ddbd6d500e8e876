//! Rows in a format, as they come.

use std::io::{self, Write as _};

use super::array::{Array, ArrayFormat};
use super::cell::Cell;
use super::column::{Column, Field};
use super::encode::{Encoding, Row, Shape};
use super::place::Place;
use super::row_writer::RowWriter;
use super::{Format, Output};

/// A writer of rows with these columns. `is_begun`: the output has rows already.
///
/// # Errors
/// Those of the output; [`Unsupported`](io::ErrorKind::Unsupported) for a table, and for Parquet without the feature `tables`.
pub fn writer_to(out: Output, columns: &[Column], format: Format, is_begun: bool) -> io::Result<Box<dyn RowWriter>> {
    let encoding = match format {
        Format::Csv => Encoding::Csv,
        Format::Json => Encoding::Json { has_lines: false },
        Format::Jsonl => Encoding::Json { has_lines: true },
        #[cfg(feature = "tables")]
        Format::Parquet => return Ok(Box::new(super::parquet::Parquet::new(out, columns)?)),
        #[cfg(not(feature = "tables"))]
        Format::Parquet => {
            let message = "this skelmap was built without the feature `tables`";
            return Err(io::Error::new(io::ErrorKind::Unsupported, message));
        }
        Format::Table => {
            return Err(io::Error::new(io::ErrorKind::Unsupported, "a table is written by its own writer"));
        }
    };
    Encoded::begin(out, columns, encoding, is_begun)
}

/// A writer of arrays with the same columns. `shape`: that of all arrays together, for NPY.
///
/// # Errors
/// Those of [`writer_to`].
pub fn array_writer_to(
    out: Output,
    columns: &[Column],
    format: ArrayFormat,
    shape: Shape,
) -> io::Result<Box<dyn RowWriter>> {
    match format {
        ArrayFormat::Report(format) => writer_to(out, columns, format, false),
        ArrayFormat::Npy => Encoded::begin(out, columns, Encoding::Npy(shape), false),
        ArrayFormat::F32 => Encoded::begin(out, columns, Encoding::F32, false),
    }
}

/// Rows that do not depend on each other.
struct Encoded {
    out: Output,
    encoding: Encoding,
    columns: Vec<Column>,
    rows: u64,
    /// The bytes of one row.
    row: Vec<u8>,
}

impl Encoded {
    fn begin(
        mut out: Output,
        columns: &[Column],
        encoding: Encoding,
        is_begun: bool,
    ) -> io::Result<Box<dyn RowWriter>> {
        if !is_begun {
            out.write_all(&encoding.head(columns))?;
        }
        Ok(Box::new(Self { out, encoding, columns: columns.to_vec(), rows: 0, row: Vec::new() }))
    }
}

impl RowWriter for Encoded {
    fn row(&mut self, cells: &[Cell<'_>]) -> io::Result<()> {
        self.row.clear();
        self.row.extend_from_slice(self.encoding.between(self.rows > 0).as_bytes());
        self.encoding.push(&mut self.row, &Row { columns: &self.columns, cells })?;
        self.rows = self.rows.saturating_add(1);
        self.out.write_all(&self.row)
    }

    fn array(&mut self, place: Option<&Place>, array: &Array<'_>, written: &dyn Fn(u64)) -> io::Result<()> {
        let Self { out, encoding, columns, rows, .. } = self;
        array.in_order(
            |block| Ok((encoding.encode(columns, place, block)?, block.len as u64)),
            |(bytes, count)| {
                out.write_all(encoding.between(*rows > 0).as_bytes())?;
                *rows = rows.saturating_add(count);
                written(count);
                out.write_all(&bytes)
            },
        )
    }

    fn end(mut self: Box<Self>) -> io::Result<()> {
        self.encoding.check_rows(self.rows)?;
        self.out.write_all(self.encoding.tail(self.rows > 0).as_bytes())?;
        self.out.flush()
    }
}

/// The first line of a report as CSV.
pub fn csv_heading<R>(fields: &[Field<R>]) -> String {
    let columns = fields.iter().map(|field| &field.column).filter(|column| Format::Csv.has(column));
    columns.map(|column| column.key).collect::<Vec<_>>().join(",") + "\n"
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::sync::{Arc, Mutex};

    use super::super::{integer, records};
    use super::*;

    #[derive(Clone, Default)]
    struct Shared(Arc<Mutex<Vec<u8>>>);

    impl Write for Shared {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().expect("bytes").write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn arrays_are_one_list_of_json_with_a_comma_between_all_rows() {
        let array = |numbers: &'static [u64]| Array {
            columns: vec![integer("x")],
            records: records(
                || numbers.iter(),
                |number, record| {
                    record.add(**number);
                },
            ),
        };
        for (arrays, expected) in [
            (&[&[1, 2][..], &[3], &[4]][..], "[\n{\"x\":1},\n{\"x\":2},\n{\"x\":3},\n{\"x\":4}\n]\n"),
            (&[&[], &[5], &[]], "[\n{\"x\":5}\n]\n"),
            (&[], "[]\n"),
        ] {
            let (out, mut counted) = (Shared::default(), Vec::new());
            let counts = Mutex::new(&mut counted);
            let boxed: Box<dyn Write + Send> = Box::new(out.clone());
            let mut writer = writer_to(Output::new(boxed), &[integer("x")], Format::Json, false).expect("a writer");
            for numbers in arrays {
                writer
                    .array(None, &array(numbers), &|count| counts.lock().expect("a list").push(count))
                    .expect("written");
            }
            writer.end().expect("written");
            assert_eq!(String::from_utf8(out.0.lock().expect("bytes").clone()).as_deref(), Ok(expected));
            let rows = arrays.iter().map(|numbers| numbers.len() as u64).sum::<u64>();
            assert_eq!(counted.iter().sum::<u64>(), rows);
        }
    }
}
