//! Reports in memory, in the Arrow columnar format.

use std::io;
use std::sync::Arc;

use arrow_array::builder::{Float32Builder, Float64Builder, Int64Builder, ListBuilder, StringBuilder};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{DataType, Field as ArrowField, Schema, SchemaRef};

use super::Format;
use super::cell::Cell;
use super::column::{Column, Field, Kind};

/// The most rows of a batch.
const BATCH: usize = 1 << 16;

/// The most bytes of text in a batch: its offsets have 32 bits.
const BATCH_TEXT: usize = 64 << 20;

/// The values of one column in the batch that is not complete.
enum Values {
    Texts(StringBuilder),
    Integers(Int64Builder),
    Floats(Float32Builder),
    Doubles(Float64Builder),
    Lists(ListBuilder<StringBuilder>),
}

impl Values {
    fn new(kind: Kind) -> Self {
        match kind {
            Kind::Text => Self::Texts(StringBuilder::new()),
            Kind::Integer => Self::Integers(Int64Builder::new()),
            Kind::Float => Self::Floats(Float32Builder::new()),
            Kind::Double => Self::Doubles(Float64Builder::new()),
            Kind::Texts => Self::Lists(ListBuilder::new(StringBuilder::new()).with_field(item())),
        }
    }

    /// Adds a value and returns the bytes of its text.
    fn push(&mut self, cell: &Cell<'_>) -> usize {
        match (self, cell) {
            (Self::Lists(lists), Cell::List(items)) => {
                let mut bytes = 0;
                for item in items() {
                    bytes += push_text(lists.values(), &item);
                }
                lists.append(true);
                return bytes;
            }
            (Self::Lists(lists), _) => lists.append(true),
            (Self::Texts(texts), Cell::Absent) => texts.append_null(),
            (Self::Texts(texts), text) => return push_text(texts, text),
            (Self::Integers(integers), Cell::Count(number)) => {
                integers.append_value(i64::try_from(*number).unwrap_or(i64::MAX));
            }
            (Self::Integers(integers), Cell::Integer(number)) => integers.append_value(*number),
            (Self::Integers(integers), _) => integers.append_null(),
            (Self::Floats(floats), Cell::Float(number)) => floats.append_value(*number),
            (Self::Floats(floats), _) => floats.append_null(),
            (Self::Doubles(doubles), Cell::Double(number)) => doubles.append_value(*number),
            (Self::Doubles(doubles), _) => doubles.append_null(),
        }
        0
    }

    fn finish(&mut self) -> ArrayRef {
        match self {
            Self::Texts(texts) => Arc::new(texts.finish()),
            Self::Integers(integers) => Arc::new(integers.finish()),
            Self::Floats(floats) => Arc::new(floats.finish()),
            Self::Doubles(doubles) => Arc::new(doubles.finish()),
            Self::Lists(lists) => Arc::new(lists.finish()),
        }
    }
}

fn push_text(texts: &mut StringBuilder, cell: &Cell<'_>) -> usize {
    let before = texts.values_slice().len();
    match cell {
        Cell::Text(text) => texts.append_value(text),
        other => texts.append_value(other.to_string()),
    }
    texts.values_slice().len() - before
}

fn item() -> ArrowField {
    ArrowField::new("item", DataType::Utf8, false)
}

/// A column as a field of a schema. Every value may be missing, except for lists, which may be empty.
fn arrow_field(column: &Column) -> ArrowField {
    let (kind, is_nullable) = match column.kind {
        Kind::Text => (DataType::Utf8, true),
        Kind::Integer => (DataType::Int64, true),
        Kind::Float => (DataType::Float32, true),
        Kind::Double => (DataType::Float64, true),
        Kind::Texts => (DataType::List(Arc::new(item())), false),
    };
    ArrowField::new(column.key, kind, is_nullable)
}

/// Collects rows in batches. The columns are those of Parquet.
#[expect(missing_debug_implementations, reason = "builders of columns")]
pub struct Arrow<R> {
    fields: Vec<Field<R>>,
    schema: SchemaRef,
    columns: Vec<Values>,
    rows: usize,
    text: usize,
    batches: Vec<RecordBatch>,
}

impl<R> Arrow<R> {
    /// Batches with the columns that Parquet has.
    pub fn new(mut fields: Vec<Field<R>>) -> Self {
        fields.retain(|field| Format::Parquet.has(&field.column));
        let schema = Schema::new(fields.iter().map(|field| arrow_field(&field.column)).collect::<Vec<_>>());
        let columns = fields.iter().map(|field| Values::new(field.column.kind)).collect();
        Self { fields, schema: Arc::new(schema), columns, rows: 0, text: 0, batches: Vec::new() }
    }

    /// Adds a row.
    ///
    /// # Errors
    /// A batch that Arrow refuses.
    pub fn row(&mut self, row: &R) -> io::Result<()> {
        for (column, field) in self.columns.iter_mut().zip(&self.fields) {
            self.text += column.push(&(field.get)(row));
        }
        self.rows += 1;
        if self.rows < BATCH && self.text < BATCH_TEXT { Ok(()) } else { self.flush() }
    }

    fn flush(&mut self) -> io::Result<()> {
        let columns = self.columns.iter_mut().map(Values::finish).collect();
        self.batches.push(RecordBatch::try_new(Arc::clone(&self.schema), columns).map_err(io::Error::other)?);
        (self.rows, self.text) = (0, 0);
        Ok(())
    }

    /// The schema and the batches.
    ///
    /// # Errors
    /// A batch that Arrow refuses.
    pub fn end(mut self) -> io::Result<(SchemaRef, Vec<RecordBatch>)> {
        if self.rows > 0 {
            self.flush()?;
        }
        Ok((self.schema, self.batches))
    }
}

#[cfg(test)]
mod tests {
    use arrow_array::Array as _;
    use arrow_array::cast::AsArray as _;
    use arrow_array::types::{Float64Type, Int64Type};

    use super::super::cell::lazy;
    use super::super::column::field;
    use super::*;

    /// A number of characters, and a number.
    type Row = (usize, i32);

    fn text(row: &Row) -> Cell<'_> {
        if row.0 == 0 { Cell::Absent } else { Cell::Text("x".repeat(row.0).into()) }
    }

    fn list(row: &Row) -> Cell<'_> {
        let count = row.0.min(2) as u64;
        Cell::List(lazy(move || (0..count).map(Cell::Count)))
    }

    fn fields() -> Vec<Field<Row>> {
        vec![
            field(Column::new("text", Kind::Text), text),
            field(Column::new("number", Kind::Integer), |row| Cell::Integer(row.1.into())),
            field(Column::new("half", Kind::Double), |row| Cell::Double(f64::from(row.1) / 2.0)),
            field(Column::new("list", Kind::Texts), list),
        ]
    }

    fn batches(rows: impl IntoIterator<Item = Row>) -> Vec<RecordBatch> {
        let mut arrow = Arrow::new(fields());
        rows.into_iter().for_each(|row| arrow.row(&row).unwrap());
        arrow.end().unwrap().1
    }

    #[test]
    fn rows_have_the_values_of_their_cells() {
        let batch = batches([(3, -7), (0, i32::MAX)]).remove(0);
        let texts = batch.column(0).as_string::<i32>();
        assert_eq!((texts.value(0), texts.is_valid(0), texts.is_valid(1)), ("xxx", true, false));
        assert_eq!(batch.column(1).as_primitive::<Int64Type>().values(), &[-7, i64::from(i32::MAX)]);
        assert_eq!(batch.column(2).as_primitive::<Float64Type>().value(0), -3.5);
        let lists = batch.column(3).as_list::<i32>();
        let first = lists.value(0);
        let items: Vec<_> = first.as_string::<i32>().iter().map(Option::unwrap).collect();
        assert_eq!((items, lists.value(1).len()), (vec!["0", "1"], 0));
    }

    #[test]
    fn a_batch_ends_with_its_most_rows_or_its_most_text() {
        let sizes = |rows: Vec<Row>| batches(rows).iter().map(RecordBatch::num_rows).collect::<Vec<_>>();
        assert!(sizes(Vec::new()).is_empty());
        assert_eq!(sizes(vec![(0, 1); BATCH - 1]), [BATCH - 1]);
        assert_eq!(sizes(vec![(0, 1); BATCH]), [BATCH]);
        assert_eq!(sizes(vec![(0, 1); BATCH + 1]), [BATCH, 1]);
        // A row of a quarter of the text; a list of two digits is text, too.
        let quarter = BATCH_TEXT / 4;
        assert_eq!(sizes(vec![(quarter - 2, 1); 6]), [4, 2]);
        assert_eq!(sizes(vec![(quarter - 3, 1); 6]), [5, 1]);
    }
}
