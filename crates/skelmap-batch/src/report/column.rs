//! What a report has in each row: columns, and the functions that take their cells from a row.

use super::Format;
use super::cell::{Cell, Lazy, lazy};

/// One column of a report.
#[derive(Clone, Copy, Debug)]
pub struct Column {
    /// The key in JSON and the heading in CSV and Parquet.
    pub key: &'static str,
    /// The heading in a table.
    pub title: &'static str,
    /// What a count counts: `bone`.
    pub noun: Option<&'static str>,
    /// The type of the values.
    pub kind: Kind,
    /// How people read the values.
    pub look: Look,
    /// How soon a table leaves the column out where a terminal is narrow: the greatest number first, 0 never.
    pub minor: u8,
    /// The formats that have the column.
    pub shown: Shown,
}

/// The type of a column, which Parquet needs to know before the first row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A text.
    Text,
    /// A whole number.
    Integer,
    /// A number of 32 bits.
    Float,
    /// A number of 64 bits.
    Double,
    /// A list of texts.
    Texts,
}

/// How people read a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    /// As it is.
    Plain,
    /// A number of bytes with a unit.
    Size,
    /// A number with so many decimals.
    Decimals(usize),
    /// A number of hundredths.
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
pub enum Shown {
    /// All formats.
    Everywhere,
    /// All but tables.
    Data,
    /// JSON.
    Json,
    /// CSV and Parquet.
    Flat,
    /// Tables.
    Table,
}

impl Column {
    /// A column with this key.
    pub const fn new(key: &'static str, kind: Kind) -> Self {
        Self { key, title: key, noun: None, kind, look: Look::Plain, minor: 0, shown: Shown::Everywhere }
    }

    /// With this heading in tables.
    #[must_use]
    pub const fn titled(self, title: &'static str) -> Self {
        Self { title, ..self }
    }

    /// With what a count counts.
    #[must_use]
    pub const fn noun(self, noun: &'static str) -> Self {
        Self { noun: Some(noun), ..self }
    }

    /// Read by people in this way.
    #[must_use]
    pub const fn look(self, look: Look) -> Self {
        Self { look, ..self }
    }

    /// Left out of narrow tables: the greatest number first, 0 never.
    #[must_use]
    pub const fn minor(self, minor: u8) -> Self {
        Self { minor, ..self }
    }

    /// Everywhere but in tables.
    #[must_use]
    pub const fn data(self) -> Self {
        Self { shown: Shown::Data, ..self }
    }

    /// In JSON only.
    #[must_use]
    pub const fn json(self) -> Self {
        Self { shown: Shown::Json, ..self }
    }

    /// In CSV and Parquet only, which have no objects.
    #[must_use]
    pub const fn flat(self) -> Self {
        Self { shown: Shown::Flat, ..self }
    }

    /// In tables only.
    #[must_use]
    pub const fn table(self) -> Self {
        Self { shown: Shown::Table, ..self }
    }
}

/// A column of texts.
pub const fn text(key: &'static str) -> Column {
    Column::new(key, Kind::Text)
}

/// A column of whole numbers.
pub const fn integer(key: &'static str) -> Column {
    Column::new(key, Kind::Integer)
}

/// A column of numbers.
pub const fn double(key: &'static str) -> Column {
    Column::new(key, Kind::Double)
}

/// A column, and the function that takes its cell from a row.
#[expect(missing_debug_implementations, reason = "a function")]
pub struct Field<R> {
    /// The column.
    pub column: Column,
    /// Takes the cell from a row.
    pub get: fn(&R) -> Cell<'_>,
}

/// A column with the function that takes its cell.
pub const fn field<R>(column: Column, get: fn(&R) -> Cell<'_>) -> Field<R> {
    Field { column, get }
}

/// The columns with which tables say where a row is from: an archive and an entry, or no archive and a file.
pub const ARCHIVE: Column = text("archive").look(Look::Archive).table();
/// The path of a file, or of an entry in its archive.
pub const PATH: Column = text("path").look(Look::Path).table();
/// What is wrong with a row.
pub const ERROR: Column = text("error").look(Look::Error).table();

/// The cells of a row as a JSON object.
pub fn object<'a, R>(fields: &[Field<R>], row: &'a R) -> Vec<(&'static str, Cell<'a>)> {
    let in_json = fields.iter().filter(|field| !matches!(field.column.shown, Shown::Flat | Shown::Table));
    in_json.map(|field| (field.column.key, (field.get)(row))).collect()
}

/// Columns and rows that borrow from a file.
pub struct Rows<'a> {
    /// The columns.
    pub columns: Vec<Column>,
    /// The cells of each row.
    pub rows: Lazy<'a, Vec<Cell<'a>>>,
}

impl std::fmt::Debug for Rows<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Rows").finish_non_exhaustive()
    }
}

impl<'a> Rows<'a> {
    /// Columns with these keys, and rows with a cell for each.
    pub fn new<const N: usize, I>(keys: [&'static str; N], rows: impl Fn() -> I + 'a) -> Self
    where
        I: Iterator<Item = [Cell<'a>; N]> + 'a,
    {
        Self::of(keys.map(text), rows)
    }

    /// The same of columns.
    pub fn of<const N: usize, I>(columns: [Column; N], rows: impl Fn() -> I + 'a) -> Self
    where
        I: Iterator<Item = [Cell<'a>; N]> + 'a,
    {
        Self { columns: columns.into(), rows: lazy(move || rows().map(Vec::from)) }
    }

    /// The rows as JSON objects.
    pub fn objects(self) -> impl Fn() -> Box<dyn Iterator<Item = Cell<'a>> + 'a> + 'a {
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

    /// The columns that a format has.
    pub fn columns_in(&self, format: Format) -> Vec<Column> {
        self.columns.iter().copied().filter(|column| format.has(column)).collect()
    }

    /// Gives each row's cells in the columns that a format has.
    ///
    /// # Errors
    /// Those of `give`.
    pub fn each_in<E>(&self, format: Format, mut give: impl FnMut(Vec<Cell<'a>>) -> Result<(), E>) -> Result<(), E> {
        let is_shown: Vec<bool> = self.columns.iter().map(|column| format.has(column)).collect();
        (self.rows)().try_for_each(|mut cells| {
            let mut is_shown = is_shown.iter();
            cells.retain(|_| is_shown.next() == Some(&true));
            give(cells)
        })
    }
}
