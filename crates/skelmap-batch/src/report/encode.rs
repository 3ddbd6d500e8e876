//! Blocks of an array as bytes. A block needs nothing from the blocks before it.

use std::io::{self, Write};

use serde::ser::{Serialize, Serializer};

use super::array::{Array, Block};
use super::cell::Cell;
use super::column::{Column, Kind, Look};
use super::json::Escaped;
use super::number::push_float;
use super::place::Place;
use crate::OutputLimit;

/// The number of rows of arrays, and the characters of the longest text in each column.
#[derive(Debug, Default)]
pub struct Shape {
    pub(super) rows: u64,
    widths: Vec<usize>,
}

impl Shape {
    fn of_block(place: Option<&Place>, block: &Block<'_>) -> io::Result<Self> {
        let mut shape = Self { rows: block.len as u64, widths: Vec::new() };
        block.each(place, &mut |cells| {
            shape.widths.resize(cells.len(), 0);
            for (width, cell) in shape.widths.iter_mut().zip(cells) {
                if let Cell::Text(text) = cell {
                    *width = text.chars().count().max(*width);
                }
            }
            Ok(())
        })?;
        Ok(shape)
    }

    /// Adds the rows of another array.
    pub fn add(&mut self, other: &Self) {
        self.rows = self.rows.saturating_add(other.rows);
        self.widths.resize(self.widths.len().max(other.widths.len()), 0);
        self.widths.iter_mut().zip(&other.widths).for_each(|(width, other)| *width = *other.max(width));
    }
}

/// The value of a missing integer: that of a missing date (`NaT`) in `NumPy`, which has no missing integers.
const MISSING: i64 = i64::MIN;

/// How a block becomes bytes.
pub(super) enum Encoding {
    Csv,
    /// Objects: on lines of their own, or as a list.
    Json {
        has_lines: bool,
    },
    /// Records of `NumPy`. Texts have the widths of a shape.
    Npy(Shape),
    /// The floats, and nothing else.
    F32,
}

impl Encoding {
    /// What comes before the first block.
    pub(super) fn head(&self, columns: &[Column]) -> Vec<u8> {
        match self {
            Self::Csv => (columns.iter().map(|column| column.key).collect::<Vec<_>>().join(",") + "\n").into_bytes(),
            Self::Npy(shape) => npy_header(&shape.descr(columns), &[shape.rows]),
            Self::Json { .. } | Self::F32 => Vec::new(),
        }
    }

    /// What comes before a block, or a row of JSON. `is_begun`: there are rows before it.
    pub(super) const fn between(&self, is_begun: bool) -> &'static str {
        match (self, is_begun) {
            (Self::Json { has_lines: false }, false) => "[\n",
            (Self::Json { has_lines: false }, true) => ",\n",
            _ => "",
        }
    }

    /// What comes after the last block.
    pub(super) const fn tail(&self, is_begun: bool) -> &'static str {
        match (self, is_begun) {
            (Self::Json { has_lines: false }, false) => "[]\n",
            (Self::Json { has_lines: false }, true) => "\n]\n",
            _ => "",
        }
    }

    /// Checks that there were as many rows as the head says.
    pub(super) fn check_rows(&self, rows: u64) -> io::Result<()> {
        match self {
            Self::Npy(shape) if shape.rows != rows => Err(io::Error::other("a file changed while it was read")),
            _ => Ok(()),
        }
    }

    pub(super) fn encode(&self, columns: &[Column], place: Option<&Place>, block: &Block<'_>) -> io::Result<Vec<u8>> {
        let mut out = Vec::with_capacity(block.len * columns.len() * 8);
        block.each(place, &mut |cells| {
            if !out.is_empty() {
                out.extend_from_slice(self.between(true).as_bytes());
            }
            self.push(&mut out, &Row { columns, cells })
        })?;
        Ok(out)
    }

    /// Writes one row.
    pub(super) fn push(&self, out: &mut Vec<u8>, row: &Row<'_, '_>) -> io::Result<()> {
        match self {
            Self::Csv => row.push_csv(out),
            Self::Json { has_lines } => {
                row.push_json(out)?;
                if *has_lines {
                    out.push(b'\n');
                }
            }
            Self::Npy(shape) => row.push_npy(out, &shape.widths),
            Self::F32 => row.push_floats(out),
        }
        Ok(())
    }
}

impl Shape {
    /// The types of the fields of a record.
    fn descr(&self, columns: &[Column]) -> String {
        let widths = self.widths.iter().copied().chain(std::iter::repeat(0));
        let fields = columns.iter().zip(widths).map(|(column, width)| {
            let kind = match column.kind {
                Kind::Integer => "i8".to_owned(),
                Kind::Float => "f4".to_owned(),
                Kind::Double => "f8".to_owned(),
                Kind::Text | Kind::Texts => format!("U{}", width.max(1)),
            };
            format!("('{}', '<{kind}')", column.key)
        });
        format!("[{}]", fields.collect::<Vec<_>>().join(", "))
    }
}

/// The header of an array of `NumPy`, in C order: version 1.0, padded to a multiple of 64 bytes.
pub fn npy_header(descr: &str, shape: &[u64]) -> Vec<u8> {
    let shape: Vec<String> = shape.iter().map(ToString::to_string).collect();
    let mut text = format!("{{'descr': {descr}, 'fortran_order': False, 'shape': ({},), }}", shape.join(", "));
    // Ten bytes come before the text, and a line feed ends it.
    let padding = (64 - (text.len() + 11) % 64) % 64;
    text.push_str(&" ".repeat(padding));
    text.push('\n');
    let length = u16::try_from(text.len()).unwrap_or(u16::MAX).to_le_bytes();
    [b"\x93NUMPY\x01\x00".as_slice(), &length, text.as_bytes()].concat()
}

/// The cells of one row.
pub(super) struct Row<'r, 'c> {
    pub(super) columns: &'r [Column],
    pub(super) cells: &'r [Cell<'c>],
}

impl<'r, 'c> Row<'r, 'c> {
    /// Each cell with its column.
    fn each(&self) -> impl Iterator<Item = (&'r Column, &'r Cell<'c>)> + use<'r, 'c> {
        self.columns.iter().zip(self.cells)
    }

    fn push_csv(&self, out: &mut Vec<u8>) {
        let start = out.len();
        for (at, (column, cell)) in self.each().enumerate() {
            if at > 0 {
                out.push(b',');
            }
            match (cell, column.look) {
                (Cell::Absent, _) => {}
                (Cell::Count(number), _) => out.extend_from_slice(itoa::Buffer::new().format(*number).as_bytes()),
                (Cell::Integer(number), _) => out.extend_from_slice(itoa::Buffer::new().format(*number).as_bytes()),
                (Cell::Float(number), _) => push_float(out, *number),
                (Cell::Double(number), _) => push_float(out, *number),
                (Cell::Text(text), _) => push_field(out, text),
                (Cell::List(words), Look::Words) => {
                    push_field(out, &words().map(|word| word.to_string()).collect::<Vec<_>>().join(" "));
                }
                (other, _) => push_field(out, &other.to_string()),
            }
        }
        // A line without anything is no record.
        if out.len() == start {
            out.extend_from_slice(b"\"\"");
        }
        out.push(b'\n');
    }

    fn push_json(&self, out: &mut Vec<u8>) -> io::Result<()> {
        let start = out.len();
        serde_json::to_writer(&mut *out, self)?;
        // Few texts need more than the escapes of JSON.
        if out.get(start..).unwrap_or_default().iter().any(|byte| *byte > b'~') {
            out.truncate(start);
            serde_json::to_writer(Escaped(out), self)?;
        }
        Ok(())
    }

    fn push_npy(&self, out: &mut Vec<u8>, widths: &[usize]) {
        for (at, (column, cell)) in self.each().enumerate() {
            match (column.kind, cell) {
                (Kind::Integer, cell) => out.extend_from_slice(&integer(cell).to_le_bytes()),
                (Kind::Float, cell) => out.extend_from_slice(&float(cell).to_le_bytes()),
                (Kind::Double, Cell::Double(number)) => out.extend_from_slice(&number.to_le_bytes()),
                (Kind::Double, _) => out.extend_from_slice(&f64::NAN.to_le_bytes()),
                (Kind::Text | Kind::Texts, cell) => {
                    push_text(out, cell, widths.get(at).map_or(1, |width| *width.max(&1)));
                }
            }
        }
    }

    fn push_floats(&self, out: &mut Vec<u8>) {
        for (_, cell) in self.each().filter(|(column, _)| column.kind == Kind::Float) {
            out.extend_from_slice(&float(cell).to_le_bytes());
        }
    }
}

impl Serialize for Row<'_, '_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.each().map(|(column, cell)| (column.key, cell)))
    }
}

/// Writes a field of CSV, in quotes where it needs them.
fn push_field(out: &mut Vec<u8>, text: &str) {
    if !text.bytes().any(|byte| matches!(byte, b',' | b'"' | b'\r' | b'\n')) {
        return out.extend_from_slice(text.as_bytes());
    }
    // A `Vec` takes everything.
    let _ = write!(out, "\"{}\"", text.replace('"', "\"\""));
}

fn integer(cell: &Cell<'_>) -> i64 {
    match cell {
        Cell::Count(number) => i64::try_from(*number).unwrap_or(i64::MAX),
        Cell::Integer(number) => *number,
        _ => MISSING,
    }
}

fn float(cell: &Cell<'_>) -> f32 {
    if let Cell::Float(number) = cell { *number } else { f32::NAN }
}

/// Writes the characters of a text, four bytes each, and zeros after them.
fn push_text(out: &mut Vec<u8>, cell: &Cell<'_>, width: usize) {
    let end = out.len() + 4 * width;
    if let Cell::Text(text) = cell {
        text.chars().take(width).for_each(|letter| out.extend_from_slice(&u32::from(letter).to_le_bytes()));
    }
    out.resize(end, 0);
}

/// The least bytes of a cell in an array of numbers, but for texts and truth values.
const CELL: usize = 4;

/// The shape of an array, for a format that says it first.
///
/// # Errors
/// Those of the array; more rows than an output of this limit has room for.
pub fn shape_of(place: Option<&Place>, array: &Array<'_>, limit: &OutputLimit) -> io::Result<Shape> {
    let mut whole = Shape::default();
    let is_number = |column: &&Column| matches!(column.kind, Kind::Integer | Kind::Float | Kind::Double);
    let row = array.columns.iter().filter(is_number).count().saturating_mul(CELL).max(1);
    array.in_order(
        |block| Shape::of_block(place, block),
        |shape| {
            limit.count(usize::try_from(shape.rows).unwrap_or(usize::MAX).saturating_mul(row))?;
            whole.add(&shape);
            Ok(())
        },
    )?;
    Ok(whole)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::super::{double, records};
    use super::*;

    /// A file whose sequences share keys has far more rows than bytes: they are not counted to their end.
    #[test]
    fn rows_are_counted_up_to_the_limit_of_the_output() {
        let made = AtomicUsize::new(0);
        let record = |index: &usize, cells: &mut super::super::Record<'_>| {
            made.fetch_add(1, Ordering::Relaxed);
            cells.add(crate::convert::position(*index));
        };
        let array = Array { columns: vec![double("x")], records: records(|| 0..1_000_000_usize, record) };
        assert_eq!(shape_of(None, &array, &OutputLimit::new(Some(4_000_000))).unwrap().rows, 1_000_000);
        made.store(0, Ordering::Relaxed);
        shape_of(None, &array, &OutputLimit::new(Some(100_000))).unwrap_err();
        // The blocks that wait for each thread are made, too.
        let most = 25_000 + (rayon::current_num_threads() + 1) * 16 * 1024;
        assert!(made.load(Ordering::Relaxed) < most, "{} rows", made.load(Ordering::Relaxed));
    }

    #[test]
    fn fields_have_the_quotes_that_the_reader_of_csv_expects() {
        for text in ["", " ", "a", "a,b", "\"", "a\"b\"", "a\nb", "a\rb", "#", "'", "é,", "\t;", "\"\"\n,"] {
            let mut out = Vec::new();
            push_field(&mut out, text);
            let mut writer = csv::Writer::from_writer(Vec::new());
            writer.write_record(["x", text]).unwrap();
            let expected = writer.into_inner().unwrap();
            assert_eq!([b"x,".as_slice(), &out, b"\n"].concat(), expected, "{text:?}");
        }
    }

    /// The format `.npy`, version 1.0: the header ends in a line feed, and its length is the next multiple of 64.
    #[test]
    fn a_header_of_numpy_is_padded_to_the_next_multiple_of_64() {
        for length in 0..130 {
            let descr = format!("'{}'", "x".repeat(length));
            let header = npy_header(&descr, &[7, 3]);
            let text = format!("{{'descr': {descr}, 'fortran_order': False, 'shape': (7, 3,), }}");
            let expected = (10 + text.len() + 1).next_multiple_of(64);
            assert_eq!((header.len(), header.last()), (expected, Some(&b'\n')), "{length}");
            assert_eq!(usize::from(u16::from_le_bytes([header[8], header[9]])), expected - 10);
            let padded = std::str::from_utf8(&header[10..]).unwrap();
            assert_eq!(padded.trim_end_matches([' ', '\n']), text);
        }
    }

    #[test]
    fn arrays_of_numpy_have_as_many_rows_as_their_head_says() {
        let npy = Encoding::Npy(Shape { rows: 3, widths: Vec::new() });
        assert!(npy.check_rows(3).is_ok());
        for rows in [0, 2, 4] {
            assert!(npy.check_rows(rows).is_err(), "{rows}");
        }
        for other in [Encoding::Csv, Encoding::Json { has_lines: true }, Encoding::F32] {
            assert!(other.check_rows(3).is_ok());
        }
    }
}
