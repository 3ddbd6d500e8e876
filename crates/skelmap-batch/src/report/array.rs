//! Arrays: columns and any number of records, which are made in blocks, so that all cores can write them.

use std::io;
use std::sync::Arc;

use rayon::prelude::*;

use super::Format;
use super::cell::{Cell, Lazy, lazy};
use super::column::{Column, Kind};
use super::place::Place;

/// The records of a block.
const BLOCK: usize = 1 << 10;

/// The blocks that wait for each thread.
const BLOCKS: usize = 8;

/// Columns and records that borrow from a file.
#[expect(missing_debug_implementations, reason = "functions")]
pub struct Array<'a> {
    /// The columns.
    pub columns: Vec<Column>,
    pub(crate) records: Records<'a>,
}

/// The records of an array, in blocks.
pub(crate) type Records<'a> = Lazy<'a, Block<'a>>;

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
pub(crate) struct Block<'a> {
    pub(super) len: usize,
    each: Box<Each<'a>>,
}

/// What gives the cells of each record.
type Each<'a> = dyn Fn(Option<&Place>, &mut Take<'_>) -> io::Result<()> + Send + 'a;

/// What takes the cells of a record.
type Take<'t> = dyn FnMut(&[Cell<'_>]) -> io::Result<()> + 't;

impl Block<'_> {
    /// Gives the cells of each record, after those of the place.
    pub(super) fn each(&self, place: Option<&Place>, take: &mut Take<'_>) -> io::Result<()> {
        (self.each)(place, take)
    }
}

/// Records of items: `record` makes one of an item, on all cores.
pub(crate) fn records<'a, I: Iterator<Item: Send + 'a> + 'a>(
    items: impl Fn() -> I + Send + Sync + 'a,
    record: impl for<'i> Fn(&'i I::Item, &mut Record<'i>) + Copy + Send + Sync + 'a,
) -> Records<'a> {
    let block = move |items: Vec<I::Item>| Block {
        len: items.len(),
        each: Box::new(move |place, take| {
            let mut cells = Record(Vec::new());
            items.iter().try_for_each(|item| {
                cells.0.clear();
                if let Some(Place { path, entry, address, format }) = place {
                    cells.add(path).add(entry.as_ref()).add(address).add(format.map(skelmap::Format::code));
                }
                record(item, &mut cells);
                take(&cells.0)
            })
        }),
    };
    lazy(move || {
        let mut all = items();
        std::iter::from_fn(move || {
            let items: Vec<I::Item> = all.by_ref().take(BLOCK).collect();
            (!items.is_empty()).then(|| block(items))
        })
    })
}

impl<'a> Array<'a> {
    /// The same records with other columns: a cell of a column that the array does not have is empty.
    #[must_use]
    pub fn with_columns(self, columns: Vec<Column>) -> Self {
        let place = |column: &Column| self.columns.iter().position(|own| own.key == column.key);
        // A number among names is a text.
        let is_named = |column: &Column, at: usize| {
            column.kind == Kind::Text && self.columns.get(at).is_some_and(|own| own.kind != Kind::Text)
        };
        let place = |column: &Column| place(column).map(|at| (at, is_named(column, at)));
        let places: Arc<[Option<(usize, bool)>]> = columns.iter().map(place).collect();
        if places.iter().copied().eq((0..self.columns.len()).map(|at| Some((at, false)))) {
            return Self { columns, records: self.records };
        }
        let records = self.records;
        let moved = move |block: Block<'a>| {
            let places = Arc::clone(&places);
            let each: Box<Each<'a>> = Box::new(move |of, take| {
                let lead = if of.is_some() { Place::COLUMNS.len() } else { 0 };
                block.each.as_ref()(of, &mut |cells| {
                    let (before, own) = cells.split_at_checked(lead).unwrap_or_default();
                    let cell = |place: &Option<(usize, bool)>| match place
                        .and_then(|(at, named)| Some((own.get(at)?, named)))
                    {
                        Some((cell, true)) => Cell::display(cell),
                        Some((cell, false)) => cell.clone(),
                        None => Cell::Absent,
                    };
                    take(&before.iter().cloned().chain(places.iter().map(cell)).collect::<Vec<_>>())
                })
            });
            Block { len: block.len, each }
        };
        Self { columns, records: lazy(move || records().map(moved.clone())) }
    }

    pub(super) fn blocks(&self) -> impl Iterator<Item = Block<'a>> {
        (self.records)()
    }

    /// Makes something of each block on all cores, and gives it to `take` in the order of the blocks. Few blocks are in memory.
    pub(super) fn in_order<T: Send>(
        &self,
        make: impl Fn(&Block<'_>) -> io::Result<T> + Sync,
        mut take: impl FnMut(T) -> io::Result<()>,
    ) -> io::Result<()> {
        let most = BLOCKS * rayon::current_num_threads();
        let mut blocks = self.blocks();
        loop {
            let next: Vec<_> = blocks.by_ref().take(most).collect();
            if next.is_empty() {
                return Ok(());
            }
            let made: Vec<_> = next.into_par_iter().map(|block| make(&block)).collect();
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

#[cfg(test)]
mod tests {
    use super::super::{integer, text};
    use super::*;

    #[test]
    fn a_number_among_names_is_a_text_and_other_cells_stay() {
        let all = || [(7_u64, "x")].into_iter();
        let array = Array {
            columns: vec![integer("a"), text("b")],
            records: records(all, |(number, name), record| {
                record.add(*number).add(*name);
            }),
        };
        let mut told = Vec::new();
        for block in array.with_columns(vec![text("a"), text("b"), integer("a"), integer("c")]).blocks() {
            let take = &mut |cells: &[Cell<'_>]| {
                told.extend(cells.iter().map(|cell| match cell {
                    Cell::Text(text) => format!("{text:?}"),
                    Cell::Absent => "null".to_owned(),
                    other => other.to_string(),
                }));
                Ok(())
            };
            block.each(None, take).expect("no error");
        }
        assert_eq!(told, ["\"7\"", "\"x\"", "7", "null"]);
    }
}
