//! What writes rows, whatever the format.

use std::io;

use super::array::Array;
use super::cell::Cell;
use super::place::Place;

/// Writes rows in one format.
pub trait RowWriter: Send {
    /// Writes one row: a cell for each column.
    ///
    /// # Errors
    /// Those of the output.
    fn row(&mut self, cells: &[Cell<'_>]) -> io::Result<()>;

    /// Writes the records of an array; each begins with its place, if there is one. `written` gets the number of rows as they are written.
    ///
    /// # Errors
    /// Those of the output.
    fn array(&mut self, place: Option<&Place>, array: &Array<'_>, written: &dyn Fn(u64)) -> io::Result<()> {
        array.blocks().try_for_each(|block| {
            written(block.len as u64);
            block.each(place, &mut |cells| self.row(cells))
        })
    }

    /// Writes the end and flushes the output.
    ///
    /// # Errors
    /// Those of the output, and an array that changed while it was read.
    fn end(self: Box<Self>) -> io::Result<()>;
}
