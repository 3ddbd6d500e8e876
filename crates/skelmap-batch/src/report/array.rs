//! Arrays: columns and any number of records, which are made in blocks, so that all cores can write them.

use std::io::{self, Write as _};

use rayon::prelude::*;

use super::cell::{Cell, Lazy, lazy};
use super::column::{Column, Kind};
use super::encode::{Encoding, Place, Shape};
use super::record::Record;
use super::writer::{RowWriter, writer_to};
use super::{Format, Output};

/// The records of a block.
const BLOCK: usize = 1 << 10;

/// The blocks that wait for each thread.
const BLOCKS: usize = 8;

/// Columns and records that borrow from a file.
pub struct Array<'a> {
    /// The columns.
    pub columns: Vec<Column>,
    pub(super) blocks: Lazy<'a, Box<dyn Block + 'a>>,
}

/// Some records of an array, one after the other.
pub(super) trait Block: Send {
    fn len(&self) -> usize;

    /// Gives the cells of each record.
    fn each(&self, take: &mut dyn FnMut(&[Cell<'_>]) -> io::Result<()>) -> io::Result<()>;
}

/// Items, and the function that makes records of them.
struct Records<I, F, const N: usize> {
    items: Vec<I>,
    record: F,
}

impl<I: Send, R: Record<N>, F: Fn(&I) -> R + Send, const N: usize> Block for Records<I, F, N> {
    fn len(&self) -> usize {
        self.items.len()
    }

    fn each(&self, take: &mut dyn FnMut(&[Cell<'_>]) -> io::Result<()>) -> io::Result<()> {
        self.items.iter().try_for_each(|item| take(&(self.record)(item).cells()))
    }
}

impl std::fmt::Debug for Array<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Array").finish_non_exhaustive()
    }
}

impl<'a> Array<'a> {
    /// Columns, and records with a value for each. The kinds of the columns are those of the values.
    pub fn new<const N: usize, I>(columns: [Column; N], records: impl Fn() -> I + 'a) -> Self
    where
        I: Iterator + 'a,
        I::Item: Record<N> + Clone + Send + 'a,
    {
        Self::mapped(columns, records, I::Item::clone)
    }

    /// The same of items, of which all cores make records.
    pub fn mapped<const N: usize, I, R: Record<N>>(
        columns: [Column; N],
        items: impl Fn() -> I + 'a,
        record: impl Fn(&I::Item) -> R + Copy + Send + 'a,
    ) -> Self
    where
        I: Iterator + 'a,
        I::Item: Send + 'a,
    {
        let columns = columns
            .into_iter()
            .zip(R::KINDS)
            .map(|(column, kind)| Column { kind, ..column }.titled(column.key))
            .collect();
        let blocks = lazy(move || {
            let mut all = items();
            std::iter::from_fn(move || {
                let items: Vec<I::Item> = all.by_ref().take(BLOCK).collect();
                (!items.is_empty()).then(|| Box::new(Records { items, record }) as Box<dyn Block + 'a>)
            })
        });
        Self { columns, blocks }
    }

    /// Makes something of each block on all cores, and gives it to `take` in the order of the blocks. Few blocks are in memory.
    pub(super) fn in_order<T: Send>(
        &self,
        make: impl Fn(&dyn Block) -> io::Result<T> + Sync,
        mut take: impl FnMut(T) -> io::Result<()>,
    ) -> io::Result<()> {
        let most = BLOCKS * rayon::current_num_threads();
        let mut blocks = (self.blocks)();
        loop {
            let next: Vec<_> = blocks.by_ref().take(most).collect();
            if next.is_empty() {
                return Ok(());
            }
            let made: Vec<_> = next.into_par_iter().map(|block| make(&*block)).collect();
            made.into_iter().try_for_each(|made| take(made?))?;
        }
    }

    /// Whether any column is of this kind.
    pub fn has(&self, kind: Kind) -> bool {
        self.columns.iter().any(|column| column.kind == kind)
    }
}

/// The format of an array: a report, or numbers for programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArrayFormat {
    /// A table for people, which the caller writes.
    Table,
    /// A JSON array.
    Json,
    /// A JSON object on each line.
    Jsonl,
    /// Comma-separated values with a heading.
    Csv,
    /// An array of `NumPy`.
    Npy,
    /// Apache Parquet (feature `tables`).
    Parquet,
    /// Little-endian floats of 32 bits and nothing else.
    F32,
}

impl ArrayFormat {
    /// Whether people cannot read it.
    pub const fn is_binary(self) -> bool {
        matches!(self, Self::Npy | Self::Parquet | Self::F32)
    }
}

/// Writes arrays with the same columns, one after the other.
pub struct Arrays<'p> {
    columns: Vec<Column>,
    form: Form,
    /// Gets the number of rows as they are written.
    progress: Option<Box<dyn Fn(u64) + Send + Sync + 'p>>,
}

enum Form {
    /// A format in which a row depends on others.
    Rows(Box<dyn RowWriter>),
    Blocks {
        out: Output,
        encoding: Encoding,
        rows: u64,
    },
}

impl std::fmt::Debug for Arrays<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Arrays").finish_non_exhaustive()
    }
}

impl<'p> Arrays<'p> {
    /// `shape`: that of all arrays, for NPY.
    ///
    /// # Errors
    /// Those of the output; [`Unsupported`](io::ErrorKind::Unsupported) for a table ([`with_writer`](Self::with_writer) takes one), and
    /// for Parquet without the feature `tables`.
    pub fn new(mut out: Output, columns: Vec<Column>, format: ArrayFormat, shape: Shape) -> io::Result<Self> {
        let encoding = match format {
            ArrayFormat::Json => Encoding::Json { has_lines: false },
            ArrayFormat::Jsonl => Encoding::Json { has_lines: true },
            ArrayFormat::Csv => Encoding::Csv,
            ArrayFormat::Npy => Encoding::Npy(shape),
            ArrayFormat::F32 => Encoding::F32,
            ArrayFormat::Table | ArrayFormat::Parquet => {
                let format = if format == ArrayFormat::Table { Format::Table } else { Format::Parquet };
                let writer = writer_to(out, &columns, format, false)?;
                return Ok(Self::with_writer(writer, columns));
            }
        };
        out.write_all(&encoding.head(&columns))?;
        Ok(Self { columns, form: Form::Blocks { out, encoding, rows: 0 }, progress: None })
    }

    /// Arrays in a format of the caller's.
    pub fn with_writer(writer: Box<dyn RowWriter>, columns: Vec<Column>) -> Self {
        Self { columns, form: Form::Rows(writer), progress: None }
    }

    /// Calls a function with the number of rows as they are written.
    #[must_use]
    pub fn with_progress(self, progress: impl Fn(u64) + Send + Sync + 'p) -> Self {
        Self { progress: Some(Box::new(progress)), ..self }
    }

    /// Writes an array. Its rows begin with its place, if there is one.
    ///
    /// # Errors
    /// Those of the output.
    pub fn add(&mut self, place: Option<&Place>, array: &Array<'_>) -> io::Result<()> {
        let written = |count: usize| {
            let count = u64::try_from(count).unwrap_or(u64::MAX);
            self.progress.iter().for_each(|progress| progress(count));
            count
        };
        match &mut self.form {
            Form::Rows(writer) => (array.blocks)().try_for_each(|block| {
                written(block.len());
                block.each(&mut |cells| {
                    let cells = Place::cells(place).into_iter().chain(cells.iter().map(Cell::borrowed));
                    writer.row(&cells.collect::<Vec<_>>())
                })
            }),
            Form::Blocks { out, encoding, rows } => {
                let (columns, encoding) = (&self.columns, &*encoding);
                let encode = |block: &dyn Block| Ok((encoding.encode(columns, place, block)?, block.len()));
                array.in_order(encode, |(bytes, count)| {
                    out.write_all(encoding.between(*rows > 0).as_bytes())?;
                    *rows = rows.saturating_add(written(count));
                    out.write_all(&bytes)
                })
            }
        }
    }

    /// Writes the end.
    ///
    /// # Errors
    /// Those of the output, and a file that changed while it was read.
    pub fn end(self) -> io::Result<()> {
        match self.form {
            Form::Rows(writer) => writer.end(),
            Form::Blocks { mut out, encoding, rows } => {
                encoding.check_rows(rows)?;
                out.write_all(encoding.tail(rows > 0).as_bytes())?;
                out.flush()
            }
        }
    }
}
