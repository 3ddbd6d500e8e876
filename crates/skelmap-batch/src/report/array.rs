//! Arrays: columns and any number of records, which are made in blocks, so that all cores can write them.

use std::io;

use rayon::prelude::*;

use super::Format;
use super::cell::{Cell, Lazy, lazy};
use super::column::{Column, Kind};
use super::encode::Place;

/// The records of a block.
const BLOCK: usize = 1 << 10;

/// The blocks that wait for each thread.
const BLOCKS: usize = 8;

/// Columns and records that borrow from a file.
pub struct Array<'a> {
    /// The columns.
    pub columns: Vec<Column>,
    blocks: Lazy<'a, Box<dyn Block + 'a>>,
}

/// The cells of one record, in the order of the columns.
#[derive(Debug)]
pub struct Record<'r>(Vec<Cell<'r>>);

impl<'r> Record<'r> {
    /// Adds the cell of the next column.
    pub fn add(&mut self, value: impl Into<Cell<'r>>) -> &mut Self {
        self.0.push(value.into());
        self
    }

    /// Adds the cells of the next columns, such as those of a vector.
    pub fn all<T: Into<Cell<'r>>, const N: usize>(&mut self, values: [T; N]) -> &mut Self {
        self.0.extend(values.into_iter().map(Into::into));
        self
    }
}

/// Some records of an array, one after the other.
pub(super) trait Block: Send {
    fn len(&self) -> usize;

    /// Gives the cells of each record, after those of the place.
    fn each(&self, place: Option<&Place>, take: &mut dyn FnMut(&[Cell<'_>]) -> io::Result<()>) -> io::Result<()>;
}

/// Items, and the function that makes records of them.
struct Records<I, F> {
    items: Vec<I>,
    record: F,
}

impl<I: Send, F: for<'i> Fn(&'i I, &mut Record<'i>) + Send> Block for Records<I, F> {
    fn len(&self) -> usize {
        self.items.len()
    }

    fn each(&self, place: Option<&Place>, take: &mut dyn FnMut(&[Cell<'_>]) -> io::Result<()>) -> io::Result<()> {
        let mut record = Record(Vec::new());
        self.items.iter().try_for_each(|item| {
            record.0.clear();
            if let Some(Place { path, entry }) = place {
                record.add(path).add(entry.as_ref());
            }
            (self.record)(item, &mut record);
            take(&record.0)
        })
    }
}

impl std::fmt::Debug for Array<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Array").finish_non_exhaustive()
    }
}

impl<'a> Array<'a> {
    /// Columns, items, and the function that makes a record of an item, which runs on all cores.
    pub fn new<I: Iterator<Item: Send + 'a> + 'a>(
        columns: &[Column],
        items: impl Fn() -> I + Send + Sync + 'a,
        record: impl for<'i> Fn(&'i I::Item, &mut Record<'i>) + Copy + Send + Sync + 'a,
    ) -> Self {
        let columns = columns.iter().map(|column| column.titled(column.key)).collect();
        let blocks = lazy(move || {
            let mut all = items();
            std::iter::from_fn(move || {
                let items: Vec<I::Item> = all.by_ref().take(BLOCK).collect();
                (!items.is_empty()).then(|| Box::new(Records { items, record }) as Box<dyn Block + 'a>)
            })
        });
        Self { columns, blocks }
    }

    pub(super) fn blocks(&self) -> impl Iterator<Item = Box<dyn Block + 'a>> {
        (self.blocks)()
    }

    /// Makes something of each block on all cores, and gives it to `take` in the order of the blocks. Few blocks are in memory.
    pub(super) fn in_order<T: Send>(
        &self,
        make: impl Fn(&dyn Block) -> io::Result<T> + Sync,
        mut take: impl FnMut(T) -> io::Result<()>,
    ) -> io::Result<()> {
        let most = BLOCKS * rayon::current_num_threads();
        let mut blocks = self.blocks();
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

/// The format of an array: that of a report, or numbers for programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "as that of a report")]
pub enum ArrayFormat {
    /// That of a report.
    Report(Format),
    /// An array of `NumPy`.
    Npy,
    /// Little-endian floats of 32 bits and nothing else.
    F32,
}

impl ArrayFormat {
    /// Whether people cannot read it.
    pub const fn is_binary(self) -> bool {
        matches!(self, Self::Npy | Self::F32 | Self::Report(Format::Parquet))
    }
}
