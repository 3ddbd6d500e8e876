//! A report on many rows of one type: those that a query asks for, in its order and with its columns.

use std::io;

use super::sorted::Sorted;
use super::{Plan, enough};
use crate::report::{Cell, Field, Format, Output, RowWriter, writer_to};

/// Writes rows as they come, or at the end if they are sorted.
pub struct Report<R> {
    fields: Vec<Field<R>>,
    plan: Plan,
    /// The rows that wait, if they are sorted.
    sorted: Option<Sorted<Vec<Cell<'static>>>>,
    written: usize,
    /// The rows that the filter of the plan left out.
    dropped: u64,
    writer: Box<dyn RowWriter>,
}

impl<R> std::fmt::Debug for Report<R> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Report").finish_non_exhaustive()
    }
}

impl<R> Report<R> {
    /// A report on all rows. `is_begun`: the output has rows already.
    ///
    /// # Errors
    /// Those of [`writer_to`].
    pub fn to(out: Output, fields: Vec<Field<R>>, format: Format, is_begun: bool) -> io::Result<Self> {
        let plan = Plan::of_all(&fields, format);
        Self::planned_to(out, fields, format, is_begun, plan)
    }

    /// A report on the rows that a plan has.
    ///
    /// # Errors
    /// Those of [`writer_to`].
    pub fn planned_to(
        out: Output,
        fields: Vec<Field<R>>,
        format: Format,
        is_begun: bool,
        plan: Plan,
    ) -> io::Result<Self> {
        let writer = writer_to(out, &plan.columns(&fields), format, is_begun)?;
        Ok(Self::with_writer(writer, fields, plan))
    }

    /// A report in a format of the caller's. Its columns are those of the [plan](Plan::columns).
    pub fn with_writer(writer: Box<dyn RowWriter>, fields: Vec<Field<R>>, plan: Plan) -> Self {
        let sorted = (!plan.order.is_empty()).then(|| Sorted::new(plan.limit));
        Self { fields, plan, sorted, written: 0, dropped: 0, writer }
    }

    /// Adds a row, if it is asked for.
    ///
    /// # Errors
    /// Those of the output, and the error of `enough` if no further row is needed.
    pub fn row(&mut self, row: &R) -> io::Result<()> {
        let Self { fields, plan, sorted, written, dropped, writer } = self;
        if !plan.has(fields, row) {
            *dropped += 1;
            return Ok(());
        }
        let cells = || plan.shown.iter().filter_map(|at| fields.get(*at)).map(|field| (field.get)(row));
        if let Some(sorted) = sorted {
            sorted.add(plan.keys(fields, row), || cells().map(Cell::into_owned).collect());
            return Ok(());
        }
        if plan.limit.is_none_or(|limit| *written < limit) {
            writer.row(&cells().collect::<Vec<_>>())?;
            *written += 1;
        }
        if plan.limit == Some(*written) { Err(enough()) } else { Ok(()) }
    }

    /// The number of rows that are written, or wait to be.
    pub fn rows(&self) -> usize {
        self.sorted.as_ref().map_or(self.written, Sorted::len)
    }

    /// The number of rows that the filter of the plan left out, if it left no row.
    pub fn dropped_all(&self) -> Option<u64> {
        (self.dropped > 0 && self.rows() == 0).then_some(self.dropped)
    }

    /// Writes the rows that wait, and the end.
    ///
    /// # Errors
    /// Those of the output.
    pub fn end(mut self) -> io::Result<()> {
        for cells in self.sorted.into_iter().flat_map(Sorted::into_rows) {
            self.writer.row(&cells)?;
        }
        self.writer.end()
    }
}

/// A cell of a row by its place among the fields.
pub(crate) fn cell_at<'r, R>(fields: &[Field<R>], row: &'r R, at: usize) -> Cell<'r> {
    fields.get(at).map_or(Cell::Absent, |field| (field.get)(row))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::Query;
    use crate::report::{buffered, field, integer};

    #[test]
    fn rows_that_the_filter_left_out_are_told_if_it_left_no_row() {
        let fields = || vec![field(integer("bones"), |bones: &u64| (*bones).into())];
        let told = |sort: &[String], rows: &[u64]| {
            let query = Query { filter: Some("bones > 5".to_owned()), sort: sort.to_vec(), ..Query::default() };
            let plan = query.plan(&fields(), Format::Csv).unwrap();
            let out = buffered(io::sink());
            let mut report = Report::planned_to(out, fields(), Format::Csv, false, plan).unwrap();
            rows.iter().try_for_each(|row| report.row(row)).unwrap();
            (report.rows(), report.dropped_all())
        };
        for sort in [&[][..], &["bones".to_owned()]] {
            assert_eq!(told(sort, &[]), (0, None));
            assert_eq!(told(sort, &[1, 2]), (0, Some(2)));
            assert_eq!(told(sort, &[1, 9]), (1, None));
            assert_eq!(told(sort, &[7, 9, 6]), (3, None));
        }
    }
}
