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

impl<'a> Array<'a> {
    /// Columns with these keys, and records with a value for each.
    pub(crate) fn new<const N: usize, I>(keys: [&'static str; N], records: impl Fn() -> I + 'a) -> Self
    where
        I: Iterator + 'a,
        I::Item: Record<N> + Clone + Send + 'a,
    {
        Self::mapped(keys, records, I::Item::clone)
    }

    /// The same of items, of which all cores make records.
    pub(crate) fn mapped<const N: usize, I, R: Record<N>>(
        keys: [&'static str; N],
        items: impl Fn() -> I + 'a,
        record: impl Fn(&I::Item) -> R + Copy + Send + 'a,
    ) -> Self
    where
        I: Iterator + 'a,
        I::Item: Send + 'a,
    {
        let columns = keys.into_iter().zip(R::KINDS).map(|(key, kind)| Column::new(key, kind)).collect();
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
    pub(crate) fn has(&self, kind: Kind) -> bool {
        self.columns.iter().any(|column| column.kind == kind)
    }
}
