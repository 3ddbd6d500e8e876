//! Reports of the command: those of the engine, and tables for people on standard output.

mod layout;
mod table;

use std::io::{self, Write};

use clap::builder::{PossibleValuesParser, TypedValueParser};
pub(crate) use skelmap_batch::cells;
pub(crate) use skelmap_batch::query::{Plan, Query, Report};
pub(crate) use skelmap_batch::report::{
    ANY_TEXT, ARCHIVE, Array, ArrayFormat, Cell, Column, Definition, Field, Format, Kind, Look, PATH, Place, RowWriter,
    Rows, Shape, Shown, Values, array_writer_to, boolean, columns_of, document, double, field, float, integer, list,
    nested, npy_header, object, schema, shape_of, text, writer_to,
};

use crate::outcome::Failure;
use crate::output::{BOLD, Output, stdout, styled_stdout, terminal_width};
use layout::Paper;
use table::Table;

/// The formats of a report.
// Without the meaning of the values, the help of a command is short.
pub(crate) fn formats() -> impl TypedValueParser<Value = Format> {
    const FORMATS: [(&str, Format); 4] =
        [("table", Format::Table), ("json", Format::Json), ("jsonl", Format::Jsonl), ("csv", Format::Csv)];
    one_of(FORMATS)
}

/// The formats of an array: reports, and numbers for programs.
pub(crate) const ARRAY_FORMATS: [(&str, ArrayFormat); 7] = [
    ("table", ArrayFormat::Report(Format::Table)),
    ("json", ArrayFormat::Report(Format::Json)),
    ("jsonl", ArrayFormat::Report(Format::Jsonl)),
    ("csv", ArrayFormat::Report(Format::Csv)),
    ("npy", ArrayFormat::Npy),
    ("parquet", ArrayFormat::Report(Format::Parquet)),
    ("f32", ArrayFormat::F32),
];

/// The values of an option with their names.
pub(crate) fn one_of<T: Copy + Send + Sync + 'static, const N: usize>(
    known: [(&'static str, T); N],
) -> impl TypedValueParser<Value = T> {
    let names = PossibleValuesParser::new(known.map(|(name, _)| name));
    names.try_map(move |text| {
        let found = known.iter().find(|(name, _)| *name == text).map(|(_, value)| *value);
        found.ok_or("is not a possible value")
    })
}

/// Rows as a table.
struct Tables {
    table: Table,
    out: Output,
}

impl RowWriter for Tables {
    fn row(&mut self, cells: &[Cell<'_>]) -> io::Result<()> {
        self.table.row(&mut self.out, cells)
    }

    fn end(mut self: Box<Self>) -> io::Result<()> {
        self.table.end(&mut self.out)?;
        self.out.flush()
    }
}

/// A report on all rows to standard output.
pub(crate) fn print<R>(fields: Vec<Field<R>>, format: Format) -> io::Result<Report<R>> {
    let plan = Plan::of_all(&fields, format);
    print_planned(fields, format, plan)
}

/// A report on the rows and columns of a query to standard output.
pub(crate) fn print_query<R>(fields: Vec<Field<R>>, format: Format, query: &Query) -> Result<Report<R>, Failure> {
    let plan = query.plan(&fields, format)?;
    Ok(print_planned(fields, format, plan)?)
}

/// A report to standard output. A table leaves out columns without a value that nobody chose.
fn print_planned<R>(fields: Vec<Field<R>>, format: Format, plan: Plan) -> io::Result<Report<R>> {
    if format != Format::Table {
        return Report::planned_to(stdout(), fields, format, false, plan);
    }
    // A chosen column is never left out.
    let columns = plan.columns(&fields).into_iter();
    let columns: Vec<Column> =
        columns.map(|column| if plan.is_chosen() { column.drop_order(0) } else { column }).collect();
    let mut table = Table::new(&columns);
    table.leaves_out_empty = !plan.is_chosen();
    table.paper = Paper { width: terminal_width(), is_styled: true };
    Ok(Report::with_writer(Box::new(Tables { table, out: styled_stdout() }), fields, plan))
}

/// Arrays in any format. `shape`: that of all arrays, for NPY.
pub(crate) fn arrays(
    out: Output,
    columns: &[Column],
    format: ArrayFormat,
    shape: Shape,
) -> io::Result<Box<dyn RowWriter>> {
    match format {
        ArrayFormat::Report(Format::Table) => Ok(Box::new(Tables { table: Table::new(columns), out })),
        format => array_writer_to(out, columns, format, shape),
    }
}

/// Writes rows as a table with a title, if there are any.
pub(crate) fn write_section(out: &mut Output, title: &str, rows: &Rows<'_>) -> io::Result<()> {
    if (rows.rows)().next().is_none() {
        return Ok(());
    }
    writeln!(out, "\n{BOLD}{title}{BOLD:#}")?;
    let mut table = Table::new(&rows.columns_in(Format::Table));
    rows.each_in(Format::Table, |cells| table.row(out, &cells))?;
    table.end(out)
}
