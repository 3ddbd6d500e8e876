//! Arrays: columns and any number of records, which are made in blocks, so that all cores can write them.

use std::io;

use rayon::prelude::*;

use super::cell::{Cell, Lazy, lazy};
use super::column::{Column, Kind};
use super::record::Record;

/// The records of a block.
const BLOCK: usize = 1 << 10;

/// The blocks that wait for each thread.
const BLOCKS: usize = 8;

/// Columns and records that borrow from a file.
pub(crate) struct Array<'a> {
    pub(crate) columns: Vec<Column>,
    pub(super) blocks: Lazy<'a, Box<dyn Block + 'a>>,
}

/// Some records of an array, one after the other.
pub(super) trait Block: Send {
    fn len(&self) -> usize;

    /// Gives the cells of each record.
    fn each(&self, take: &mut dyn FnMut(&[Cell<'_>]) -> io::Result<()>) -> io::Result<()>;
}

struct Records<R, const N: usize>(Vec<R>);

impl<R: Record<N> + Send, const N: usize> Block for Records<R, N> {
    fn len(&self) -> usize {
        self.0.len()
    }

    fn each(&self, take: &mut dyn FnMut(&[Cell<'_>]) -> io::Result<()>) -> io::Result<()> {
        self.0.iter().try_for_each(|record| take(&record.cells()))
    }
}

impl<'a> Array<'a> {
    /// Columns with these keys, and records with a value for each.
    pub(crate) fn new<const N: usize, I>(keys: [&'static str; N], records: impl Fn() -> I + 'a) -> Self
    where
        I: Iterator + 'a,
        I::Item: Record<N> + Send + 'a,
    {
        let columns = keys.into_iter().zip(I::Item::KINDS).map(|(key, kind)| Column::new(key, kind)).collect();
        let blocks = lazy(move || {
            let mut records = records();
            std::iter::from_fn(move || {
                let block: Vec<I::Item> = records.by_ref().take(BLOCK).collect();
                (!block.is_empty()).then(|| Box::new(Records(block)) as Box<dyn Block + 'a>)
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
    pub(crate) fn has(&self, kind: Kind) -> bool {
        self.columns.iter().any(|column| column.kind == kind)
    }
}
