//! Arguments that ask for rows of a report: which rows, in which order, how many, and with which columns.

use clap::Args;

use crate::messages::summarize;
use crate::report;
use crate::text::counted;

/// The heading of the options.
const ROWS: &str = "Rows";

/// What the help of a command with these options says of them.
macro_rules! query_help {
    () => {
        concat!(query_help!(all), " With --limit and without --sort, reading ends with the last row.")
    };
    // Of a command that reads all, whatever the limit.
    (all) => {
        "\
--where compares columns (==, !=, <, <=, >, >=) with numbers (1.5, 64K, 1M: times 1024) and texts ('a' or \"a\"), and joins with &&, || and \
!(...). `path ~ \"horse\"` is true if the path has these letters in any case, `path ~ \"*.pmd\"` if the whole path is like the pattern; !~ is \
the opposite. A column alone asks whether there is a value (`error`, `!quirks`). A null compares to nothing: it is neither above nor \
below 5, nor unequal to 5; `error == null` asks for it. Of a list, one text is enough. `path` is the whole address here, as in \
mod.zip!/art/x.psa. --sort puts nulls last, and rows that are equal stay in their order. Headings of tables do as columns (`size` is \
bytes); a table has the path last.

The exit status and the last line count what is read, also the rows that --where drops."
    };
}
pub(crate) use query_help;

// Comments of flattened arguments are not doc comments: these would replace the description of the command.

// Which rows.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct Filter {
    /// Only rows for which this holds, such as 'path ~ "horse"' or, of columns that are numbers, 'bones > 50'.
    #[arg(long = "where", value_name = "EXPRESSION", help_heading = ROWS)]
    filter: Option<String>,
}

impl Filter {
    /// The query for all columns of the rows for which the expression holds.
    pub(crate) fn to_query(&self) -> skelmap_batch::query::Query {
        skelmap_batch::query::Query { filter: self.filter.clone(), ..Default::default() }
    }
}

// Which rows, in which order, and how many.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct Choice {
    #[command(flatten)]
    filter: Filter,
    /// In the order of these columns; -COLUMN for descending order.
    #[arg(long, value_name = "COLUMN,...", value_delimiter = ',', allow_hyphen_values = true, help_heading = ROWS)]
    sort: Vec<String>,
    /// The maximum number of rows.
    #[arg(long, value_name = "N", help_heading = ROWS)]
    limit: Option<usize>,
}

impl Choice {
    /// The query for all columns of these rows.
    pub(crate) fn to_query(&self) -> skelmap_batch::query::Query {
        skelmap_batch::query::Query { sort: self.sort.clone(), limit: self.limit, ..self.filter.to_query() }
    }
}

// Which rows, in which order, how many, and with which columns.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct Query {
    #[command(flatten)]
    choice: Choice,
    /// These columns, in this order (see `skelmap columns`).
    #[arg(long, value_name = "COLUMN,...", value_delimiter = ',', help_heading = ROWS)]
    columns: Vec<String>,
}

impl Query {
    /// Whether anything is asked.
    pub(crate) fn is_some(&self) -> bool {
        self.to_query().is_some()
    }

    /// The query of the arguments.
    pub(crate) fn to_query(&self) -> skelmap_batch::query::Query {
        skelmap_batch::query::Query { columns: self.columns.clone(), ..self.choice.to_query() }
    }
}

/// Says so if the expression of --where left none of the rows of a report.
pub(crate) fn tell_dropped<R>(report: &report::Report<R>, query: &report::Query) {
    if let (Some(rows), Some(filter)) = (report.dropped_all(), &query.filter) {
        summarize(format!("no row left by --where '{filter}' of {}", counted(rows, "row")));
    }
}
