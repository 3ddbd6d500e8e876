//! Findings as people read them.

use std::io::{self, Write};
use std::path::PathBuf;

use super::{Checked, Found};
use crate::output::{BOLD, Output};
use crate::text::{clean, cut, shortened, wrapped};

/// What people read: lines as compilers print them; on a terminal, the findings below their file.
pub(super) struct Lines {
    pub(super) out: Output,
    /// The width of the terminal.
    pub(super) width: Option<usize>,
    /// The archive of the last file.
    pub(super) archive: Option<PathBuf>,
}

impl Lines {
    pub(super) fn add(&mut self, file: &Checked) -> io::Result<()> {
        let Some(width) = self.width else {
            return file.reported.iter().try_for_each(|found| found.write_line(&mut self.out));
        };
        if file.reported.is_empty() {
            return Ok(());
        }
        let path = file.place.path();
        let heading = shortened(&clean(path.display()), width);
        let is_new = file.place.entry().is_none() || self.archive.as_deref() != Some(path);
        if is_new {
            writeln!(self.out, "{BOLD}{heading}{BOLD:#}")?;
        }
        self.archive = file.place.entry().map(|_| path.to_owned());
        let mut indent = 2;
        if let Some(entry) = file.place.entry() {
            writeln!(self.out, "  {}", shortened(&clean(entry), width.saturating_sub(2)))?;
            indent = 4;
        }
        file.reported.iter().try_for_each(|found| found.write_wrapped(&mut self.out, indent, width))
    }
}

impl Found {
    /// A line as compilers print it.
    fn write_line(&self, out: &mut Output) -> io::Result<()> {
        let (style, severity) = (self.style(), self.severity);
        writeln!(out, "{}: {style}{severity}{style:#} {}", clean(&self.place), self.text())
    }

    /// The same without the place, on lines of a width.
    fn write_wrapped(&self, out: &mut Output, indent: usize, width: usize) -> io::Result<()> {
        let (style, severity) = (self.style(), self.severity.to_string());
        let text = cut(format!("{severity} {}", self.text()));
        for (index, line) in wrapped(&text, width.saturating_sub(indent + 2)).iter().enumerate() {
            match line.strip_prefix(&severity).filter(|_| index == 0) {
                Some(rest) => writeln!(out, "{:indent$}{style}{severity}{style:#}{rest}", "")?,
                None => writeln!(out, "{:indent$}  {line}", "")?,
            }
        }
        Ok(())
    }
}
