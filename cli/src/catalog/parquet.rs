//! A catalogue as Apache Parquet: the columns of the CSV form, lists as lists.

use std::fs::File;
use std::io;
use std::sync::Arc;

use parquet::column::writer::ColumnWriter;
use parquet::data_type::{ByteArray, ByteArrayType, DataType, DoubleType, FloatType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use parquet::schema::parser::parse_message_type;

use super::Line;

/// Rows held in memory until they are written as a group.
const GROUP: usize = 1 << 16;

/// Bytes of text among them at which they are written too.
const GROUP_TEXT: usize = 64 << 20;

const SCHEMA: &str = "
message catalog {
    optional int64 schema;
    optional binary path (UTF8);
    optional binary entry (UTF8);
    optional binary format (UTF8);
    optional int64 bytes;
    optional int64 bones;
    optional int64 points;
    optional int64 wedges;
    optional int64 faces;
    optional int64 materials;
    optional int64 uv_sets;
    optional int64 sequences;
    optional int64 frames;
    optional double duration_s;
    required group quirks (LIST) { repeated group list { required binary element (UTF8); } }
    optional binary error_kind (UTF8);
    optional binary error_section (UTF8);
    optional int64 error_offset;
    optional binary error_message (UTF8);
    required group sequence_names (LIST) { repeated group list { required binary element (UTF8); } }
    optional binary skeleton_hash (UTF8);
    optional binary content_hash (UTF8);
    optional int64 sequence_index;
    optional binary sequence (UTF8);
    optional int64 sequence_frames;
    optional float sequence_rate;
    optional double sequence_duration_s;
}";

/// A value of a row.
enum Cell<'a> {
    Text(Option<&'a str>),
    Number(Option<u64>),
    Double(Option<f64>),
    Float(Option<f32>),
    Texts(Vec<&'a str>),
}

/// The cells of a line, in the order of the schema.
fn cells<'a>(line: &Line<'a>) -> [Cell<'a>; 27] {
    let (row, counts) = (line.row, &line.row.summary);
    let error = row.error.as_ref();
    let (joins, keys) = (row.joins.as_ref(), line.sequence);
    [
        Cell::Number(Some(row.schema.into())),
        Cell::Text(Some(&row.path)),
        Cell::Text(row.entry.as_deref()),
        Cell::Text(row.format),
        Cell::Number(row.bytes),
        Cell::Number(counts.bones),
        Cell::Number(counts.points),
        Cell::Number(counts.wedges),
        Cell::Number(counts.faces),
        Cell::Number(counts.materials),
        Cell::Number(counts.uv_sets),
        Cell::Number(counts.sequences),
        Cell::Number(counts.frames),
        Cell::Double(counts.duration_s),
        Cell::Texts(row.quirks.clone()),
        Cell::Text(error.map(|error| error.kind)),
        Cell::Text(error.and_then(|error| error.section.as_deref())),
        Cell::Number(error.and_then(|error| error.offset)),
        Cell::Text(error.map(|error| error.message.as_str())),
        Cell::Texts(joins.map_or_else(Vec::new, |joins| joins.sequence_names.iter().map(String::as_str).collect())),
        Cell::Text(joins.and_then(|joins| joins.skeleton_hash.as_deref())),
        Cell::Text(joins.and_then(|joins| joins.content_hash.as_deref())),
        Cell::Number(keys.and_then(|keys| keys.sequence_index).and_then(|index| index.try_into().ok())),
        Cell::Text(keys.and_then(|keys| keys.sequence.as_deref())),
        Cell::Number(keys.and_then(|keys| keys.sequence_frames)),
        Cell::Float(keys.and_then(|keys| keys.sequence_rate)),
        Cell::Double(keys.and_then(|keys| keys.sequence_duration_s)),
    ]
}

/// The values of a column that wait for their group, with the levels that say where values are missing or lists begin.
#[derive(Default)]
struct Column {
    texts: Vec<ByteArray>,
    numbers: Vec<i64>,
    doubles: Vec<f64>,
    floats: Vec<f32>,
    definition: Vec<i16>,
    repetition: Vec<i16>,
    /// Bytes of the texts and of what keeps them.
    text_bytes: usize,
}

impl Column {
    fn push_text(&mut self, text: &str) {
        self.text_bytes += text.len() + size_of::<ByteArray>();
        self.texts.push(text.into());
    }

    fn push(&mut self, cell: Cell<'_>) {
        match cell {
            Cell::Text(text) => {
                self.definition.push(i16::from(text.is_some()));
                if let Some(text) = text {
                    self.push_text(text);
                }
            }
            Cell::Number(number) => {
                self.definition.push(i16::from(number.is_some()));
                self.numbers.extend(number.map(|number| i64::try_from(number).unwrap_or(i64::MAX)));
            }
            Cell::Double(number) => {
                self.definition.push(i16::from(number.is_some()));
                self.doubles.extend(number);
            }
            Cell::Float(number) => {
                self.definition.push(i16::from(number.is_some()));
                self.floats.extend(number);
            }
            Cell::Texts(texts) => {
                if texts.is_empty() {
                    self.definition.push(0);
                    self.repetition.push(0);
                }
                for (index, text) in texts.into_iter().enumerate() {
                    self.definition.push(1);
                    self.repetition.push(i16::from(index > 0));
                    self.push_text(text);
                }
            }
        }
    }

    fn write(&mut self, mut writer: SerializedColumnWriter<'_>) -> Result<(), ParquetError> {
        match writer.untyped() {
            ColumnWriter::ByteArrayColumnWriter(_) => batch::<ByteArrayType>(&mut writer, &self.texts, self)?,
            ColumnWriter::DoubleColumnWriter(_) => batch::<DoubleType>(&mut writer, &self.doubles, self)?,
            ColumnWriter::FloatColumnWriter(_) => batch::<FloatType>(&mut writer, &self.floats, self)?,
            _ => batch::<Int64Type>(&mut writer, &self.numbers, self)?,
        }
        writer.close()?;
        *self = Self::default();
        Ok(())
    }
}

fn batch<T: DataType>(
    writer: &mut SerializedColumnWriter<'_>,
    values: &[T::T],
    column: &Column,
) -> Result<(), ParquetError> {
    let repetition = (!column.repetition.is_empty()).then_some(column.repetition.as_slice());
    writer.typed::<T>().write_batch(values, Some(&column.definition), repetition).map(drop)
}

/// A Parquet file that is being written.
pub(super) struct Table {
    writer: SerializedFileWriter<File>,
    columns: Vec<Column>,
    rows: usize,
}

impl Table {
    pub(super) fn new(file: File) -> io::Result<Self> {
        let schema = parse_message_type(SCHEMA).map_err(io::Error::other)?;
        let columns = schema.get_fields().iter().map(|_| Column::default()).collect();
        let writer = SerializedFileWriter::new(file, Arc::new(schema), Arc::default()).map_err(io::Error::other)?;
        Ok(Self { writer, columns, rows: 0 })
    }

    pub(super) fn line(&mut self, line: &Line<'_>) -> io::Result<()> {
        for (column, cell) in self.columns.iter_mut().zip(cells(line)) {
            column.push(cell);
        }
        self.rows += 1;
        let text: usize = self.columns.iter().map(|column| column.text_bytes).sum();
        if self.rows < GROUP && text < GROUP_TEXT { Ok(()) } else { self.flush().map_err(io::Error::other) }
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

    pub(super) fn end(mut self) -> io::Result<File> {
        if self.rows > 0 {
            self.flush().map_err(io::Error::other)?;
        }
        self.writer.into_inner().map_err(io::Error::other)
    }
}
