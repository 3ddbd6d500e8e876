//! Reports as tables for people: aligned columns, in bounded memory for any number of rows.

use std::io::{self, Write};
use std::mem;

use super::layout::{Layout, Paper};
use super::{Cell, Column, Look};
use crate::text::{clean, figure, short, size, width};

/// How many bytes of rows are aligned together.
const HELD: usize = 16 << 20;

/// The greatest width of a column: one long name must not widen a million other rows.
const WIDEST: usize = 256;

/// A heading and rows. Numbers are aligned to the right, columns with text to the left. [`Layout`] says how a row is shown.
///
/// Rows wait in memory, so that a table of some ten thousand rows is aligned as a whole. A longer table is written in blocks, each at
/// least as wide as the last one. If a block needs wider columns or another column, the heading is repeated.
#[derive(Default)]
pub(crate) struct Table {
    columns: Vec<Column>,
    /// The columns that have had a text.
    has_text: Vec<bool>,
    /// Whether columns without a value are left out, and the heading of a table without rows.
    pub(super) leaves_out_empty: bool,
    /// The cells of the waiting rows without separators, and where each of them ends.
    cells: String,
    ends: Vec<usize>,
    /// The width that each column needed so far, and its width in the last block; 0 for a column that is left out.
    natural: Vec<usize>,
    widths: Vec<usize>,
    is_begun: bool,
    /// The archive of the last row.
    archive: String,
    /// What the table is written on.
    pub(super) paper: Paper,
}

impl Table {
    pub(crate) fn new(columns: &[Column]) -> Self {
        Self {
            has_text: vec![false; columns.len()],
            natural: vec![0; columns.len()],
            columns: columns.to_vec(),
            ..Self::default()
        }
    }

    /// Adds a row, a cell for each column.
    pub(crate) fn row(&mut self, out: &mut impl Write, cells: &[Cell<'_>]) -> io::Result<()> {
        for ((column, has_text), cell) in self.columns.iter().zip(&mut self.has_text).zip(cells) {
            *has_text |= matches!(cell, Cell::Text(_) | Cell::Bool(_));
            self.cells.push_str(&shown(cell, column.look));
            self.ends.push(self.cells.len());
        }
        if self.cells.len() + size_of_val(self.ends.as_slice()) < HELD { Ok(()) } else { self.write_block(out) }
    }

    /// Writes the rows that wait.
    pub(crate) fn end(mut self, out: &mut impl Write) -> io::Result<()> {
        let is_done = self.ends.is_empty() && (self.is_begun || self.leaves_out_empty);
        if is_done { Ok(()) } else { self.write_block(out) }
    }

    fn write_block(&mut self, out: &mut impl Write) -> io::Result<()> {
        let (natural, has_error) = self.measured();
        let layout = Layout::new(&self.columns, &self.has_text, &natural, has_error, self.paper);
        if !self.is_begun || layout.widths != self.widths {
            layout.write_heading(out)?;
        }
        let mut archive = self.archive.clone();
        self.rows().try_for_each(|row| layout.write_row(out, &row, &mut archive))?;
        let widths = layout.widths;
        (self.is_begun, self.natural, self.widths, self.archive) = (true, natural, widths, archive);
        self.cells.clear();
        self.ends.clear();
        Ok(())
    }

    /// The rows that wait. A list of all their cells would take as much memory again.
    fn rows(&self) -> impl Iterator<Item = Vec<&str>> {
        let mut start = 0;
        self.ends.chunks(self.columns.len().max(1)).map(move |ends| {
            ends.iter().map(|end| self.cells.get(mem::replace(&mut start, *end)..*end).unwrap_or_default()).collect()
        })
    }

    /// The width that each column needs for all rows so far, and whether a waiting row has an error.
    fn measured(&self) -> (Vec<usize>, bool) {
        let (mut widths, mut has_error) = (self.natural.clone(), false);
        for row in self.rows() {
            let cells = || self.columns.iter().zip(&row);
            let is_bad = cells().any(|(column, cell)| column.look == Look::Error && !cell.is_empty());
            has_error |= is_bad;
            for ((column, cell), widest) in cells().zip(&mut widths) {
                if !is_bad || column.look == Look::Path {
                    *widest = width(cell).min(WIDEST).max(*widest);
                }
            }
        }
        for (widest, column) in widths.iter_mut().zip(&self.columns) {
            match column.look {
                Look::Error | Look::Archive => *widest = 0,
                _ if *widest > 0 || !self.leaves_out_empty => *widest = width(column.title).max(*widest),
                _ => {}
            }
        }
        (widths, has_error)
    }
}

/// The text of a cell, on one line.
fn shown(cell: &Cell<'_>, look: Look) -> String {
    match (look, cell) {
        (Look::Size, Cell::Count(bytes)) => size(*bytes),
        (Look::Decimals(decimals), Cell::Double(number)) => format!("{number:.decimals$}"),
        (Look::Percent, Cell::Double(number)) => format!("{number:.0} %"),
        (Look::Figure, Cell::Double(number)) => figure(*number),
        (Look::Short, cell) => short(cell),
        (_, Cell::Bool(value)) => if *value { "yes" } else { "no" }.to_owned(),
        (_, cell) => clean(cell),
    }
}

#[cfg(test)]
mod tests {
    use super::super::{cells, text};
    use super::*;

    fn table(titles: &[&'static str]) -> Table {
        Table::new(&titles.iter().map(|title| text(title)).collect::<Vec<_>>())
    }

    fn written(table: Table, mut out: Vec<u8>) -> String {
        table.end(&mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn a_column_is_as_wide_as_its_widest_cell_and_a_wide_character_counts_twice() {
        let mut out = Vec::new();
        let mut table = table(&["name", "n", "nothing", "rest"]);
        table.leaves_out_empty = true;
        table.row(&mut out, &cells!["骨骼骨", 7_u32, "", "x"]).unwrap();
        table.row(&mut out, &cells!["a", 123_u32, "", ""]).unwrap();
        assert_eq!(written(table, out), "name     n rest\n骨骼骨   7 x\na      123\n");
    }

    #[test]
    fn one_cell_of_a_megabyte_widens_no_other_row() {
        let mut out = Vec::new();
        let mut table = table(&["name", "rest"]);
        for name in ["a", &"x".repeat(1 << 20), "b"] {
            table.row(&mut out, &cells![name, "!"]).unwrap();
        }
        let text = written(table, out);
        let lengths: Vec<usize> = text.lines().map(str::len).collect();
        assert_eq!(lengths, [WIDEST + 5, WIDEST + 2, (1 << 20) + 2, WIDEST + 2]);
    }

    #[test]
    fn a_table_without_rows_is_its_heading() {
        assert_eq!(written(table(&["a", "b"]), Vec::new()), "a b\n");
    }

    #[test]
    fn a_long_table_is_written_in_blocks_and_repeats_its_heading_where_a_column_changes() {
        const ROWS: usize = 3_000_000;
        let (mut out, mut written_early) = (Vec::new(), 0);
        let mut table = table(&["n", "note"]);
        table.leaves_out_empty = true;
        for row in 0..ROWS {
            let note = if row == ROWS - 1 { "!" } else { "" };
            table.row(&mut out, &cells![if row % 2 == 0 { "even" } else { "odd" }, note]).unwrap();
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
