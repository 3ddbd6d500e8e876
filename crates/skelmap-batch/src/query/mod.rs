//! Reports on many rows, and questions to them: which rows, in which order, how many, and with which columns.

mod error;
mod expression;
mod names;
mod report;
mod sorted;
mod token;

use std::error::Error;
use std::io;

use self::expression::Expression;
use self::names::{Name, Names};
use self::sorted::Key;
use crate::report::{Cell, Column, Field, Format};
pub use error::ExpressionError;
pub use names::NoColumn;
pub use report::Report;
pub(crate) use report::cell_at;

/// Which rows, in which order, how many, and with which columns. The default asks for everything.
#[derive(Clone, Debug, Default)]
#[expect(clippy::exhaustive_structs, reason = "made by struct update from its default")]
pub struct Query {
    /// Only rows for which this holds: `bones > 50 && path ~ "horse"`.
    pub filter: Option<String>,
    /// In the order of these columns; `-COLUMN` for descending order.
    pub sort: Vec<String>,
    /// The largest number of rows.
    pub limit: Option<usize>,
    /// These columns, in this order; all columns if there are none.
    pub columns: Vec<String>,
}

/// Why a query means nothing for the columns of a report.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum QueryError {
    /// In [`filter`](Query::filter).
    #[error("--where: {0}")]
    Filter(#[source] ExpressionError),
    /// In [`sort`](Query::sort).
    #[error("--sort: {0}")]
    Sort(#[source] NoColumn),
    /// In [`columns`](Query::columns).
    #[error("--columns: {0}")]
    Columns(#[source] NoColumn),
}

/// What a query means for the columns of a report.
#[derive(Debug)]
pub struct Plan {
    filter: Option<Expression>,
    /// The columns of the order, and whether the greatest value is first.
    order: Vec<(Name, bool)>,
    limit: Option<usize>,
    /// The places of the columns that are shown.
    shown: Vec<usize>,
    /// Whether people chose the columns.
    is_chosen: bool,
}

impl Query {
    /// Whether anything is asked.
    pub fn is_some(&self) -> bool {
        self.filter.is_some() || !self.sort.is_empty() || self.limit.is_some() || !self.columns.is_empty()
    }

    /// Finds the columns of a query.
    ///
    /// # Errors
    /// A column that is not there, or an expression that means nothing.
    pub fn plan<R>(&self, fields: &[Field<R>], format: Format) -> Result<Plan, QueryError> {
        let names = Names::of(fields);
        let filter = self.filter.as_ref().map(|text| Expression::parse(text, &names)).transpose();
        let filter = filter.map_err(QueryError::Filter)?;
        let place = |word: &String| {
            let (word, is_descending) = word.strip_prefix('-').map_or((word.as_str(), false), |word| (word, true));
            names.find(word.trim()).map(|name| (name, is_descending))
        };
        let order = self.sort.iter().map(place).collect::<Result<_, _>>().map_err(QueryError::Sort)?;
        let shown = names.chosen(&self.columns, format).map_err(QueryError::Columns)?;
        Ok(Plan { filter, order, limit: self.limit, shown, is_chosen: !self.columns.is_empty() })
    }
}

impl Plan {
    /// All rows and columns.
    pub fn of_all<R>(fields: &[Field<R>], format: Format) -> Self {
        let shown = fields.iter().enumerate().filter(|(_, field)| format.has(&field.column));
        let shown = shown.map(|(at, _)| at).collect();
        Self { filter: None, order: Vec::new(), limit: None, shown, is_chosen: false }
    }

    /// Whether the columns were chosen by name.
    pub const fn is_chosen(&self) -> bool {
        self.is_chosen
    }

    /// The columns that are shown.
    pub fn columns<R>(&self, fields: &[Field<R>]) -> Vec<Column> {
        self.shown.iter().filter_map(|at| fields.get(*at)).map(|field| field.column).collect()
    }

    /// Whether a row is asked for.
    pub fn has<R>(&self, fields: &[Field<R>], row: &R) -> bool {
        self.filter.as_ref().is_none_or(|filter| filter.holds(&|name| value(fields, row, name)))
    }

    /// What a row is ordered by.
    fn keys<R>(&self, fields: &[Field<R>], row: &R) -> Vec<Key> {
        let key = |(name, is_descending): &(Name, bool)| Key::new(&value(fields, row, *name), *is_descending);
        self.order.iter().map(key).collect()
    }
}

fn value<'r, R>(fields: &[Field<R>], row: &'r R, name: Name) -> Cell<'r> {
    match name {
        Name::At(at) => cell_at(fields, row, at),
        Name::Address { path, entry } => match (cell_at(fields, row, path), cell_at(fields, row, entry)) {
            (path, Cell::Absent) => path,
            (path, entry) => format!("{path}!/{entry}").into(),
        },
    }
}

/// Says that no further row is needed.
#[derive(Debug, thiserror::Error)]
#[error("there are as many rows as asked for")]
struct Enough;

/// The error with which a report ends reading: it has all rows that it needs.
pub(crate) fn enough() -> io::Error {
    io::Error::other(Enough)
}

/// Takes the end of a report that has all rows that it needs as success.
///
/// # Errors
/// All others than that of a report that has its rows.
pub fn unless_enough(result: io::Result<()>) -> io::Result<()> {
    match result {
        Err(error) if error.get_ref().is_some_and(<dyn Error + Send + Sync>::is::<Enough>) => Ok(()),
        other => other,
    }
}
