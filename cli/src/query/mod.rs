//! Questions to the rows of a report: which rows, in which order, how many, and with which columns.

mod expression;
mod names;
mod sorted;
mod token;
mod value;

use std::error::Error;
use std::fmt::{self, Display, Formatter};
use std::io;

use clap::Args;

use self::expression::Expression;
use self::names::{Name, Names};
use self::sorted::Key;
use crate::outcome::Failure;
use crate::report::{Cell, Field, Format, cell_at};
pub(crate) use sorted::Sorted;
pub(crate) use value::Value;

/// The heading of the options.
const ROWS: &str = "Rows";

/// What the help of a command with these options says of them.
macro_rules! query_help {
    () => {
        "\
--where compares columns (==, !=, <, <=, >, >=) with numbers (1.5, 64K, 1M: times 1024) and texts ('a' or \"a\"), and joins with &&, || and \
!(...). `path ~ \"horse\"` is true if the path has these letters in any case, `path ~ \"*.pmd\"` if the whole path is like the pattern; !~ is \
the opposite. A column alone asks whether there is a value (`error`, `!quirks`). A null compares to nothing: it is neither above nor \
below 5, nor unequal to 5; `error == null` asks for it. Of a list, one text is enough. `path` is the whole address here, as in \
mod.zip!/art/x.psa. --sort puts nulls last, and rows that are equal stay in their order. Headings of tables do as columns (`size` is \
bytes); a table has the path last.

The exit status and the last line count what is read, also the rows that --where drops. With --limit and without --sort, reading ends \
with the last row."
    };
}
pub(crate) use query_help;

// Comments of flattened arguments are not doc comments: these would replace the description of the command.

// Which rows.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct Filter {
    /// Only rows for which this holds: 'bones > 50 && path ~ "horse"'.
    #[arg(long = "where", value_name = "EXPRESSION", help_heading = ROWS)]
    filter: Option<String>,
}

impl Filter {
    /// Reads the expression, if there is one.
    fn parse(&self, names: &Names) -> Result<Option<Expression>, Failure> {
        let parsed = self.filter.as_ref().map(|text| Expression::parse(text, names)).transpose();
        parsed.map_err(|message| Failure::usage(format!("--where: {message}")))
    }

    /// All columns of the rows for which the expression holds.
    pub(crate) fn plan<R>(&self, fields: &[Field<R>], format: Format) -> Result<Plan, Failure> {
        let filter = self.parse(&Names::of(fields))?;
        Ok(Plan { filter, ..Plan::of_all(fields, format) })
    }
}

// Which rows, in which order, how many, and with which columns.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct Query {
    #[command(flatten)]
    filter: Filter,
    /// In the order of these columns; -COLUMN for the greatest first.
    #[arg(long, value_name = "COLUMN,...", value_delimiter = ',', allow_hyphen_values = true, help_heading = ROWS)]
    sort: Vec<String>,
    /// At most so many rows.
    #[arg(long, value_name = "N", help_heading = ROWS)]
    limit: Option<usize>,
    /// These columns, in this order (see `skelmap columns`).
    #[arg(long, value_name = "COLUMN,...", value_delimiter = ',', help_heading = ROWS)]
    columns: Vec<String>,
}

/// What a query means for the columns of a report.
#[derive(Debug)]
pub(crate) struct Plan {
    filter: Option<Expression>,
    /// The columns of the order, and whether the greatest value is first.
    pub(crate) order: Vec<(Name, bool)>,
    pub(crate) limit: Option<usize>,
    /// The places of the columns that are shown.
    pub(crate) shown: Vec<usize>,
    /// Whether people chose the columns.
    pub(crate) is_chosen: bool,
}

impl Query {
    /// Whether anything is asked.
    pub(crate) fn is_some(&self) -> bool {
        self.filter.filter.is_some() || !self.sort.is_empty() || self.limit.is_some() || !self.columns.is_empty()
    }

    /// Finds the columns of a query.
    ///
    /// # Errors
    /// A wrong usage: a column that is not there, or an expression that means nothing.
    pub(crate) fn plan<R>(&self, fields: &[Field<R>], format: Format) -> Result<Plan, Failure> {
        let names = Names::of(fields);
        let wrong = |option: &'static str| move |message: String| Failure::usage(format!("--{option}: {message}"));
        let filter = self.filter.parse(&names)?;
        let place = |word: &String| {
            let (word, is_descending) = word.strip_prefix('-').map_or((word.as_str(), false), |word| (word, true));
            names.find(word.trim()).map(|name| (name, is_descending))
        };
        let order = self.sort.iter().map(place).collect::<Result<_, String>>().map_err(wrong("sort"))?;
        let is_chosen = !self.columns.is_empty();
        let shown = names.chosen(is_chosen.then_some(self.columns.as_slice()), format).map_err(wrong("columns"))?;
        Ok(Plan { filter, order, limit: self.limit, shown, is_chosen })
    }
}

impl Plan {
    /// All rows and columns.
    pub(crate) fn of_all<R>(fields: &[Field<R>], format: Format) -> Self {
        let shown = fields.iter().enumerate().filter(|(_, field)| format.has(&field.column));
        let shown = shown.map(|(at, _)| at).collect();
        Self { filter: None, order: Vec::new(), limit: None, shown, is_chosen: false }
    }

    /// Whether a row is asked for.
    pub(crate) fn has<R>(&self, fields: &[Field<R>], row: &R) -> bool {
        self.filter.as_ref().is_none_or(|filter| filter.holds(&|name| value(fields, row, name)))
    }

    /// What a row is ordered by.
    pub(crate) fn keys<R>(&self, fields: &[Field<R>], row: &R) -> Vec<Key> {
        let key = |(name, is_descending): &(Name, bool)| Key::new(value(fields, row, *name), *is_descending);
        self.order.iter().map(key).collect()
    }
}

fn value<R>(fields: &[Field<R>], row: &R, name: Name) -> Value {
    match name {
        Name::At(at) => cell_at(fields, row, at).into(),
        Name::Address { path, entry } => match (cell_at(fields, row, path), cell_at(fields, row, entry)) {
            (path, Cell::Absent) => path.into(),
            (path, entry) => Value::Text(format!("{path}!/{entry}")),
        },
    }
}

/// Says that no further row is needed.
#[derive(Debug)]
struct Enough;

impl Display for Enough {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("there are as many rows as asked for")
    }
}

impl Error for Enough {}

/// The error with which a report ends reading: it has all rows that it needs.
pub(crate) fn enough() -> io::Error {
    io::Error::other(Enough)
}

/// Takes the end of a report that has all rows that it needs as success.
pub(crate) fn unless_enough(result: io::Result<()>) -> io::Result<()> {
    match result {
        Err(error) if error.get_ref().is_some_and(<dyn Error + Send + Sync>::is::<Enough>) => Ok(()),
        other => other,
    }
}
