//! How the rows of a table are shown: on a terminal within its width, elsewhere on one line each, with the whole path.

use std::io::{self, Write};

use anstyle::Style;
use unicode_width::UnicodeWidthStr;

use super::{Column, Look};
use crate::output::{BOLD, DIM, RED, YELLOW};
use crate::text::{cut, shortened, width, wrapped};

/// What a row with an error begins with.
const ERROR: &str = "ERROR";

/// How far lines below a row are indented.
const INDENT: usize = ERROR.len() + 1;

/// The least width of a path on a terminal.
const NARROWEST: usize = 10;

/// The widest column of notes off a terminal: a longer note moves the path of its own row only.
const MAX_NOTES: usize = 60;

/// What a table is written on.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Paper {
    /// The width of the terminal; `None` for files and programs.
    pub(crate) width: Option<usize>,
    pub(crate) is_styled: bool,
}

impl Paper {
    /// A style, if there are any.
    fn style(self, style: Style) -> Style {
        if self.is_styled { style } else { Style::new() }
    }
}

/// The places of the cells of a block of rows.
pub(super) struct Layout<'t> {
    columns: &'t [Column],
    /// The columns that are aligned to the left.
    is_left: &'t [bool],
    /// The width of each column; 0 for a column that is not shown.
    pub(super) widths: Vec<usize>,
    /// Blanks before all columns, so that there is room for the word of an error.
    lead: usize,
    paper: Paper,
}

impl<'t> Layout<'t> {
    /// `widths`: the width that each column needs; 0 for a column without a value.
    pub(super) fn new(
        columns: &'t [Column],
        is_left: &'t [bool],
        widths: &[usize],
        has_error: bool,
        paper: Paper,
    ) -> Self {
        let mut layout = Self { columns, is_left, widths: widths.to_vec(), lead: 0, paper };
        let path = layout.of(Look::Path).and_then(|at| widths.get(at).copied()).unwrap_or(0);
        let most = if paper.width.is_some() { 0 } else { MAX_NOTES };
        if let Some(width) = layout.of(Look::Notes).filter(|_| path > 0).and_then(|at| layout.widths.get_mut(at)) {
            *width = most.min(*width);
        }
        if let Some(screen) = paper.width.filter(|_| path > 0) {
            let least = path.min(screen * 2 / 5);
            while layout.front() + least > screen && layout.hide_least() {}
            layout.narrow((layout.front() + least).saturating_sub(screen));
        }
        // The width of the last column moves no other.
        let at = layout.of(Look::Path);
        if let Some((width, column)) = at.and_then(|at| Some((layout.widths.get_mut(at)?, columns.get(at)?))) {
            *width = (*width).min(column.title.width());
        }
        layout.lead = if has_error { INDENT.saturating_sub(layout.front()) } else { 0 };
        layout
    }

    fn of(&self, look: Look) -> Option<usize> {
        self.columns.iter().position(|column| column.look == look)
    }

    /// Leaves out the column that people need least. Returns whether there is one.
    fn hide_least(&mut self) -> bool {
        let shown =
            self.columns.iter().zip(&mut self.widths).filter(|(column, width)| column.drop_order > 0 && **width > 0);
        shown.max_by_key(|(column, _)| column.drop_order).map(|(_, width)| *width = 0).is_some()
    }

    /// Takes room from the columns of texts, for a path: from the widest, which end with one width.
    fn narrow(&mut self, room: usize) {
        if room == 0 {
            return;
        }
        let texts = self.columns.iter().zip(self.is_left).zip(&mut self.widths);
        let texts = texts.filter(|((column, is_left), _)| **is_left && column.look != Look::Path);
        let mut widths: Vec<&mut usize> = texts.map(|(_, width)| width).collect();
        let taken = |most: usize| widths.iter().map(|width| width.saturating_sub(most)).sum::<usize>();
        // The largest of these widths that gives enough.
        let (mut low, mut high) = (NARROWEST, widths.iter().map(|width| **width).max().unwrap_or(0));
        while low < high {
            let middle = low + (high - low).div_ceil(2);
            if taken(middle) >= room { low = middle } else { high = middle - 1 }
        }
        for width in &mut widths {
            **width = low.min(**width);
        }
    }

    /// Where the path begins.
    fn front(&self) -> usize {
        let shown =
            self.columns.iter().zip(&self.widths).filter(|(column, width)| column.look != Look::Path && **width > 0);
        self.lead + shown.map(|(_, width)| width + 1).sum::<usize>()
    }

    /// Writes the titles.
    pub(super) fn write_heading(&self, out: &mut impl Write) -> io::Result<()> {
        let dim = self.paper.style(DIM);
        writeln!(out, "{dim}{}{dim:#}", self.line(self.columns.iter().map(|column| column.title)))
    }

    /// Writes a row. `archive`: that of the row before.
    pub(super) fn write_row(&self, out: &mut impl Write, cells: &[&str], archive: &mut String) -> io::Result<()> {
        let cell = |look| self.of(look).and_then(|at| cells.get(at)).copied().unwrap_or_default();
        let own_archive = cell(Look::Archive);
        let path = match (self.paper.width, own_archive) {
            (None, "") => cell(Look::Path).to_owned(),
            (None, archive) => format!("{archive}!/{}", cell(Look::Path)),
            (Some(screen), own) => {
                if own != archive {
                    own.clone_into(archive);
                    let bold = self.paper.style(BOLD);
                    if !own.is_empty() {
                        writeln!(out, "{bold}{}{bold:#}", shortened(own, screen))?;
                    }
                }
                let indent = if own.is_empty() { 0 } else { 2 };
                let room = screen.saturating_sub(self.front() + indent).max(NARROWEST - indent);
                format!("{:indent$}{}", "", shortened(cell(Look::Path), room))
            }
        };
        match (cell(Look::Error), self.paper.width) {
            ("", _) => {}
            // On a terminal, a message that reaches the path stands below.
            (error, Some(screen)) if INDENT + error.width() >= self.front() => {
                self.write_error(out, "", &path)?;
                return self.write_below(out, error, screen, Style::new());
            }
            (error, _) => return self.write_error(out, error, &path),
        }
        let with_path = self.columns.iter().zip(cells).map(|(column, cell)| match column.look {
            Look::Path => path.as_str(),
            _ => *cell,
        });
        writeln!(out, "{}", self.line(with_path))?;
        match self.paper.width {
            Some(screen) => match (cell(Look::Notes), self.of(Look::Notes).and_then(|at| self.columns.get(at))) {
                ("", _) | (_, None) => Ok(()),
                (notes, Some(column)) => self.write_below(out, &format!("{}: {notes}", column.title), screen, YELLOW),
            },
            None => Ok(()),
        }
    }

    /// Writes a row with an error: the message lies across the columns, which have nothing to show.
    fn write_error(&self, out: &mut impl Write, message: &str, path: &str) -> io::Result<()> {
        let red = self.paper.style(RED);
        let gap = self.front().saturating_sub(INDENT + message.width()).max(if message.is_empty() { 0 } else { 2 });
        writeln!(out, "{red}{ERROR}{red:#} {message}{:gap$}{path}", "")
    }

    /// Writes lines below a row.
    fn write_below(&self, out: &mut impl Write, text: &str, screen: usize, style: Style) -> io::Result<()> {
        let style = self.paper.style(style);
        let text = cut(text.to_owned());
        let lines = wrapped(&text, screen.saturating_sub(INDENT));
        lines
            .iter()
            .filter(|line| !line.is_empty())
            .try_for_each(|line| writeln!(out, "{:INDENT$}{style}{line}{style:#}", ""))
    }

    /// Cells, each as wide as its column, without blanks at the end.
    fn line<'c>(&self, cells: impl Iterator<Item = &'c str>) -> String {
        let (mut line, mut blanks) = (String::new(), self.lead);
        let shown =
            cells.zip(&self.widths).zip(self.is_left).zip(self.columns).filter(|(((_, width), _), _)| **width > 0);
        let is_narrow = self.paper.width.is_some() && self.of(Look::Path).is_some();
        for (((cell, room), is_left), column) in shown {
            let cut = (width(cell) > *room && is_narrow && column.look != Look::Path).then(|| shortened(cell, *room));
            let cell = cut.as_deref().unwrap_or(cell);
            let room = room.saturating_sub(width(cell));
            let (before, after) = if *is_left { (0, room) } else { (room, 0) };
            blanks += before;
            if !cell.is_empty() {
                line.extend(std::iter::repeat_n(' ', blanks));
                line.push_str(cell);
                blanks = 0;
            }
            blanks += after + 1;
        }
        line
    }
}
