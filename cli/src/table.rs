//! Tables for people: aligned columns, in memory that has a bound however many rows there are.

use std::io::{self, Write};

use unicode_width::UnicodeWidthStr;

/// How many bytes of rows wait to be aligned together.
const HELD: usize = 16 << 20;

/// The widest that a column gets: one long name must not make a million other rows as long.
const WIDEST: usize = 256;

/// A heading and rows, each column as wide as its widest cell, within reason.
///
/// Rows wait until they are many, so that a table of some ten thousand rows is aligned as a whole. A longer one is written a block
/// at a time, as wide as the blocks before it; where a block needs more room or another column, the heading comes again.
pub(crate) struct Table {
    heading: Vec<&'static str>,
    /// Which columns are aligned to the right.
    right: Vec<bool>,
    /// Whether columns that are empty everywhere are left out: they only cost width.
    leaves_out_empty: bool,
    /// The cells of the rows that wait, one after the other, and where each of them ends.
    cells: String,
    ends: Vec<usize>,
    /// The columns as they were written last; 0 for one that is left out.
    widths: Vec<usize>,
    begun: bool,
}

impl Table {
    /// A table whose columns are all aligned to the left.
    pub(crate) fn new(heading: &[&'static str]) -> Self {
        Self {
            right: vec![false; heading.len()],
            widths: vec![0; heading.len()],
            heading: heading.to_vec(),
            leaves_out_empty: false,
            cells: String::new(),
            ends: Vec::new(),
            begun: false,
        }
    }

    /// Aligns some columns to the right, by their index, and the others to the left.
    pub(crate) fn aligned_right(mut self, columns: impl IntoIterator<Item = usize>) -> Self {
        self.right.fill(false);
        for column in columns {
            self.align(column, true);
        }
        self
    }

    /// Leaves out columns that are empty everywhere.
    pub(crate) fn without_empty_columns(mut self) -> Self {
        self.leaves_out_empty = true;
        self
    }

    /// Aligns a column to the right or to the left.
    pub(crate) fn align(&mut self, column: usize, right: bool) {
        if let Some(slot) = self.right.get_mut(column) {
            *slot = right;
        }
    }

    /// Whether no row was added.
    pub(crate) fn is_empty(&self) -> bool {
        !self.begun && self.ends.is_empty()
    }

    /// Adds a row, a cell for each column. Cells have no line ends.
    pub(crate) fn row<S: AsRef<str>>(
        &mut self,
        out: &mut impl Write,
        cells: impl IntoIterator<Item = S>,
    ) -> io::Result<()> {
        for cell in cells {
            self.cells.push_str(cell.as_ref());
            self.ends.push(self.cells.len());
        }
        if self.cells.len() + size_of_val(self.ends.as_slice()) < HELD { Ok(()) } else { self.write_block(out) }
    }

    /// Writes what waits; a table without rows has its heading.
    pub(crate) fn end(mut self, out: &mut impl Write) -> io::Result<()> {
        if self.begun && self.ends.is_empty() { Ok(()) } else { self.write_block(out) }
    }

    fn write_block(&mut self, out: &mut impl Write) -> io::Result<()> {
        let mut start = 0;
        let cells: Vec<&str> = self
            .ends
            .iter()
            .map(|end| self.cells.get(std::mem::replace(&mut start, *end)..*end).unwrap_or_default())
            .collect();
        let columns = self.heading.len().max(1);
        let mut widths = self.widths.clone();
        for row in cells.chunks(columns) {
            widths.iter_mut().zip(row).for_each(|(width, cell)| *width = cell.width().min(WIDEST).max(*width));
        }
        for (width, title) in widths.iter_mut().zip(&self.heading) {
            if *width > 0 || !self.leaves_out_empty {
                *width = title.width().max(*width);
            }
        }
        if !self.begun || widths != self.widths {
            write_line(out, &self.heading, &widths, &self.right)?;
        }
        for row in cells.chunks(columns) {
            write_line(out, row, &widths, &self.right)?;
        }
        (self.begun, self.widths) = (true, widths);
        self.cells.clear();
        self.ends.clear();
        Ok(())
    }
}

/// Cells, each as wide as its column, without blanks at the end.
fn write_line(out: &mut impl Write, cells: &[&str], widths: &[usize], right: &[bool]) -> io::Result<()> {
    let mut blanks = 0;
    for ((cell, width), right) in cells.iter().zip(widths).zip(right).filter(|((_, width), _)| **width > 0) {
        let room = width.saturating_sub(cell.width());
        let (before, after) = if *right { (room, 0) } else { (0, room) };
        blanks += before;
        if !cell.is_empty() {
            write!(out, "{:blanks$}{cell}", "")?;
            blanks = 0;
        }
        blanks += after + 1;
    }
    writeln!(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(table: Table, mut out: Vec<u8>) -> String {
        table.end(&mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn a_column_is_as_wide_as_its_widest_cell_and_a_wide_character_counts_twice() {
        let mut out = Vec::new();
        let mut table = Table::new(&["name", "n", "nothing", "rest"]).aligned_right([1]).without_empty_columns();
        table.row(&mut out, ["骨骼骨", "7", "", "x"]).unwrap();
        table.row(&mut out, ["a", "123", "", ""]).unwrap();
        assert_eq!(written(table, out), "name     n rest\n骨骼骨   7 x\na      123\n");
    }

    #[test]
    fn one_cell_of_a_megabyte_makes_no_other_row_as_long() {
        let mut out = Vec::new();
        let mut table = Table::new(&["name", "rest"]);
        for name in ["a", &"x".repeat(1 << 20), "b"] {
            table.row(&mut out, [name, "!"]).unwrap();
        }
        let text = written(table, out);
        let lengths: Vec<usize> = text.lines().map(str::len).collect();
        assert_eq!(lengths, [WIDEST + 5, WIDEST + 2, (1 << 20) + 2, WIDEST + 2]);
    }

    #[test]
    fn a_table_without_rows_is_its_heading() {
        assert_eq!(written(Table::new(&["a", "b"]), Vec::new()), "a b\n");
    }

    #[test]
    fn a_long_table_is_written_as_it_comes_and_has_its_heading_again_where_a_column_changes() {
        const ROWS: usize = 3_000_000;
        let (mut out, mut written_early) = (Vec::new(), 0);
        let mut table = Table::new(&["n", "note"]).without_empty_columns();
        for row in 0..ROWS {
            table
                .row(&mut out, [if row % 2 == 0 { "even" } else { "odd" }, if row == ROWS - 1 { "!" } else { "" }])
                .unwrap();
            written_early += usize::from(!out.is_empty());
            assert!(table.cells.len() + 8 * table.ends.len() < HELD);
        }
        assert!(written_early > ROWS / 2);
        let text = written(table, out);
        let headings: Vec<&str> = text.lines().filter(|line| line.starts_with('n')).collect();
        assert_eq!(headings, ["n", "n    note"]);
        assert_eq!(text.lines().count(), ROWS + 2);
        assert!(text.ends_with("\nodd  !\n"));
    }
}
