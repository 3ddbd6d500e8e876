//! What a report has in each row: columns, and the functions that take their cells from a row.

use super::cell::{Cell, Lazy, lazy};

/// One column of a report.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Column {
    /// The key in JSON and the heading in CSV and Parquet.
    pub(crate) key: &'static str,
    /// The heading in a table.
    pub(crate) title: &'static str,
    /// What a count counts: `bone`.
    pub(crate) noun: Option<&'static str>,
    pub(crate) kind: Kind,
    pub(crate) look: Look,
    /// How soon a table leaves the column out where a terminal is narrow: the greatest number first, 0 never.
    pub(super) minor: u8,
    pub(crate) shown: Shown,
}

/// The type of a column, which Parquet needs to know before the first row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Text,
    Integer,
    Float,
    Double,
    /// A list of texts.
    Texts,
}

/// How people read a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Look {
    Plain,
    /// A number of bytes with a unit.
    Size,
    /// A number with so many decimals.
    Decimals(usize),
    Percent,
    /// A number in few digits: `12.3k`.
    Figure,
    /// The beginning of a long text.
    Short,
    /// A list in CSV: its texts with spaces between them.
    Words,
    /// In tables: what is wrong with the row. It stands in place of all columns but the path.
    Error,
    /// In tables: what people should know besides. On a terminal it stands below the row.
    Notes,
    /// In tables: the archive that the path is in.
    Archive,
    /// In tables: the last column, which is shortened to fit a terminal.
    Path,
}

/// Which formats have a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shown {
    Everywhere,
    /// All but tables.
    Data,
    Json,
    /// CSV and Parquet.
    Flat,
    Table,
}

impl Column {
    pub(crate) const fn new(key: &'static str, kind: Kind) -> Self {
        Self { key, title: key, noun: None, kind, look: Look::Plain, minor: 0, shown: Shown::Everywhere }
    }

    pub(crate) const fn titled(self, title: &'static str) -> Self {
        Self { title, ..self }
    }

    pub(crate) const fn noun(self, noun: &'static str) -> Self {
        Self { noun: Some(noun), ..self }
    }

    pub(crate) const fn look(self, look: Look) -> Self {
        Self { look, ..self }
    }

    pub(crate) const fn minor(self, minor: u8) -> Self {
        Self { minor, ..self }
    }

    /// Everywhere but in tables.
    pub(crate) const fn data(self) -> Self {
        Self { shown: Shown::Data, ..self }
    }

    /// In JSON only.
    pub(crate) const fn json(self) -> Self {
        Self { shown: Shown::Json, ..self }
    }

    /// In CSV and Parquet only, which have no objects.
    pub(crate) const fn flat(self) -> Self {
        Self { shown: Shown::Flat, ..self }
    }

    /// In tables only.
    pub(crate) const fn table(self) -> Self {
        Self { shown: Shown::Table, ..self }
    }
}

pub(crate) const fn text(key: &'static str) -> Column {
    Column::new(key, Kind::Text)
}

pub(crate) const fn integer(key: &'static str) -> Column {
    Column::new(key, Kind::Integer)
}

pub(crate) const fn double(key: &'static str) -> Column {
    Column::new(key, Kind::Double)
}

/// A column, and the function that takes its cell from a row.
pub(crate) struct Field<R> {
    pub(crate) column: Column,
    pub(crate) get: fn(&R) -> Cell<'_>,
}

pub(crate) const fn field<R>(column: Column, get: fn(&R) -> Cell<'_>) -> Field<R> {
    Field { column, get }
}

/// The columns with which tables say where a row is from: an archive and an entry, or no archive and a file.
pub(crate) const ARCHIVE: Column = text("archive").look(Look::Archive).table();
pub(crate) const PATH: Column = text("path").look(Look::Path).table();
pub(crate) const ERROR: Column = text("error").look(Look::Error).table();

/// The cells of a row as a JSON object.
pub(crate) fn object<'a, R>(fields: &[Field<R>], row: &'a R) -> Vec<(&'static str, Cell<'a>)> {
    let in_json = fields.iter().filter(|field| !matches!(field.column.shown, Shown::Flat | Shown::Table));
    in_json.map(|field| (field.column.key, (field.get)(row))).collect()
}

/// Columns and rows that borrow from a file.
pub(crate) struct Rows<'a> {
    pub(crate) columns: Vec<Column>,
    pub(crate) rows: Lazy<'a, Vec<Cell<'a>>>,
}

impl<'a> Rows<'a> {
    /// Columns with these keys, and rows with a cell for each.
    pub(crate) fn new<const N: usize, I>(keys: [&'static str; N], rows: impl Fn() -> I + 'a) -> Self
    where
        I: Iterator<Item = [Cell<'a>; N]> + 'a,
    {
        Self::of(keys.map(text), rows)
    }

    /// The same of columns.
    pub(crate) fn of<const N: usize, I>(columns: [Column; N], rows: impl Fn() -> I + 'a) -> Self
    where
        I: Iterator<Item = [Cell<'a>; N]> + 'a,
    {
        Self { columns: columns.into(), rows: lazy(move || rows().map(Vec::from)) }
    }

    /// The rows as JSON objects.
    pub(crate) fn objects(self) -> impl Fn() -> Box<dyn Iterator<Item = Cell<'a>> + 'a> + 'a {
        let Self { columns, rows } = self;
        let columns = std::rc::Rc::new(columns);
        move || {
            let columns = std::rc::Rc::clone(&columns);
            Box::new(rows().map(move |cells| {
                let pairs = columns.iter().zip(cells).filter(|(column, _)| column.shown != Shown::Table);
                Cell::Object(pairs.map(|(column, cell)| (column.key, cell)).collect())
            }))
        }
    }
}
