//! A report on many rows of one type: those that a query asks for, in its order and with its columns.

use std::io;

use super::cell::Cell;
use super::column::{Column, Field};
use super::held::Held;
use super::layout::Paper;
use super::{Form, Format, Writer};
use crate::output::{Output, stdout, styled_stdout, terminal_width};
use crate::query::{Plan, Sorted, enough};

/// Writes rows as they come, or at the end if they are sorted. As a table, it leaves out columns without a value that nobody chose.
pub(crate) struct Report<R> {
    fields: Vec<Field<R>>,
    plan: Plan,
    /// The rows that wait, if they are sorted.
    sorted: Option<Sorted<Vec<Held>>>,
    written: usize,
    writer: Writer,
}

impl<R> Report<R> {
    /// A report on all rows to standard output.
    pub(crate) fn new(fields: Vec<Field<R>>, format: Format) -> io::Result<Self> {
        let plan = Plan::of_all(&fields, format);
        Self::planned(fields, format, plan)
    }

    /// A report to standard output.
    pub(crate) fn planned(fields: Vec<Field<R>>, format: Format, plan: Plan) -> io::Result<Self> {
        if format != Format::Table {
            return Self::planned_to(stdout(), fields, format, false, plan);
        }
        let mut report = Self::planned_to(styled_stdout(), fields, format, false, plan)?;
        if let Form::Table(table, _) = &mut report.writer.form {
            table.on(Paper { width: terminal_width(), is_styled: true });
        }
        Ok(report)
    }

    /// A report on all rows to another output. `is_begun`: the output has rows already.
    pub(crate) fn to(out: Output, fields: Vec<Field<R>>, format: Format, is_begun: bool) -> io::Result<Self> {
        let plan = Plan::of_all(&fields, format);
        Self::planned_to(out, fields, format, is_begun, plan)
    }

    /// A report to another output.
    pub(crate) fn planned_to(
        out: Output,
        fields: Vec<Field<R>>,
        format: Format,
        is_begun: bool,
        plan: Plan,
    ) -> io::Result<Self> {
        let shown = plan.shown.iter().filter_map(|at| fields.get(*at)).map(|field| field.column);
        // A chosen column is never left out.
        let columns = shown.map(|column| if plan.is_chosen { column.minor(0) } else { column });
        let mut writer = Writer::new(columns.collect::<Vec<Column>>(), format, out, is_begun)?;
        if let (Form::Table(table, _), false) = (&mut writer.form, plan.is_chosen) {
            table.leave_out_empty_columns();
        }
        let sorted = (!plan.order.is_empty()).then(|| Sorted::new(plan.limit));
        Ok(Self { fields, plan, sorted, written: 0, writer })
    }

    /// Adds a row, if it is asked for.
    ///
    /// # Errors
    /// Those of the output, and [`enough`] if no further row is needed.
    pub(crate) fn row(&mut self, row: &R) -> io::Result<()> {
        let Self { fields, plan, sorted, written, writer } = self;
        if !plan.has(fields, row) {
            return Ok(());
        }
        let cells = || plan.shown.iter().filter_map(|at| fields.get(*at)).map(|field| (field.get)(row));
        if let Some(sorted) = sorted {
            sorted.add(plan.keys(fields, row), || cells().map(Held::from).collect());
            return Ok(());
        }
        if plan.limit.is_none_or(|limit| *written < limit) {
            writer.row(cells())?;
            *written += 1;
        }
        if plan.limit == Some(*written) { Err(enough()) } else { Ok(()) }
    }

    /// The number of rows that are written, or wait to be.
    pub(crate) fn rows(&self) -> usize {
        self.sorted.as_ref().map_or(self.written, Sorted::len)
    }

    pub(crate) fn end(mut self) -> io::Result<()> {
        for cells in self.sorted.into_iter().flat_map(Sorted::into_rows) {
            self.writer.row(cells.iter().map(Held::cell))?;
        }
        self.writer.end()
    }
}

/// A cell of a row by its place among the fields.
pub(crate) fn cell_at<'r, R>(fields: &[Field<R>], row: &'r R, at: usize) -> Cell<'r> {
    fields.get(at).map_or(Cell::Absent, |field| (field.get)(row))
}
