//! What a report has in each row: columns, and the functions that take their cells from a row.

use std::sync::Arc;

use super::Format;
use super::cell::{Cell, Lazy, lazy};

/// One column of a report.
#[derive(Clone, Copy, Debug)]
#[must_use]
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
    /// On a narrow terminal, columns with the highest number are dropped first; 0 is never dropped.
    pub drop_order: u8,
    /// The formats that have the column.
    pub shown: Shown,
    /// The meaning of the values: a phrase in lower case.
    pub meaning: &'static str,
    /// The unit of the values: a plural, such as `bytes`.
    pub unit: Option<&'static str>,
    /// The values that JSON has.
    pub values: Values,
    /// Whether a row may have no value.
    pub is_nullable: bool,
    /// Whether JSON may leave the key out.
    pub is_optional: bool,
}

/// The values of a key in JSON.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Values {
    /// Any text.
    Text,
    /// One of these texts.
    OneOf(fn() -> Vec<&'static str>),
    /// Yes or no.
    Bool,
    /// This number.
    Exactly(u64),
    /// A whole number.
    Integer,
    /// A whole number that is not less than this one.
    AtLeast(u64),
    /// A number.
    Number,
    /// A number that is not negative.
    Size,
    /// A list; the column describes its items.
    List(&'static Column),
    /// A list with this number of items.
    Array(usize, &'static Column),
    /// An object with these keys.
    Row(&'static [Column]),
    /// A list of objects with these keys.
    Rows(&'static [Column]),
    /// An object with these keys.
    Object(fn() -> Vec<Column>),
    /// An object with these keys that occurs in several outputs. The schema has it once, with this name.
    Shared(&'static str, fn() -> Vec<Column>),
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
        let values = match kind {
            Kind::Text | Kind::Texts => Values::Text,
            Kind::Integer => Values::AtLeast(0),
            Kind::Float | Kind::Double => Values::Number,
        };
        Self {
            key,
            title: key,
            noun: None,
            kind,
            look: Look::Plain,
            drop_order: 0,
            shown: Shown::Everywhere,
            meaning: "",
            unit: None,
            values,
            is_nullable: false,
            is_optional: false,
        }
    }

    /// The key; the heading of a column that only tables have.
    pub const fn name(&self) -> &'static str {
        if self.key.is_empty() { self.title } else { self.key }
    }

    /// Whether JSON has the column.
    pub const fn is_in_json(&self) -> bool {
        !matches!(self.shown, Shown::Flat | Shown::Table)
    }
}

/// Methods that return a column with other values in some of its fields.
macro_rules! changes {
    ($($(#[$doc:meta])* $name:ident($($given:ident: $type:ty)?) { $($field:ident: $value:expr),+ })+) => {
        impl Column {
            $(
                $(#[$doc])*
                pub const fn $name(self $(, $given: $type)?) -> Self {
                    Self { $($field: $value,)+ ..self }
                }
            )+
        }
    };
}

changes! {
    /// With another key.
    keyed(key: &'static str) { key: key, title: key }
    /// With this heading in tables.
    titled(title: &'static str) { title: title }
    /// With this meaning.
    means(meaning: &'static str) { meaning: meaning }
    /// With values in this unit.
    unit(unit: &'static str) { unit: Some(unit) }
    /// With what a count counts.
    noun(noun: &'static str) { noun: Some(noun) }
    /// With these values in JSON.
    of(values: Values) { values: values }
    /// Without a value in some rows.
    nullable() { is_nullable: true }
    /// Left out of some JSON objects.
    optional() { is_optional: true }
    /// Read by people in this way.
    look(look: Look) { look: look }
    /// Dropped on a narrow terminal: columns with the highest number first, 0 never.
    drop_order(order: u8) { drop_order: order }
    /// Everywhere but in tables.
    data() { shown: Shown::Data }
    /// In JSON only.
    json() { shown: Shown::Json }
    /// In CSV and Parquet only, which have no objects.
    flat() { shown: Shown::Flat }
    /// In tables only.
    table() { shown: Shown::Table }
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

/// A column of numbers of 32 bits.
pub const fn float(key: &'static str) -> Column {
    Column::new(key, Kind::Float)
}

/// A column of yes or no.
pub const fn boolean(key: &'static str) -> Column {
    text(key).of(Values::Bool)
}

/// A column of lists of texts.
pub const fn texts(key: &'static str) -> Column {
    Column::new(key, Kind::Texts).of(Values::List(&ANY_TEXT))
}

/// The items of a list of texts.
pub const ANY_TEXT: Column = text("");

/// A column of objects with these keys.
pub const fn nested(key: &'static str, keys: fn() -> Vec<Column>) -> Column {
    text(key).of(Values::Object(keys)).json()
}

/// A column of lists; the column describes their items.
pub const fn list(key: &'static str, items: &'static Column) -> Column {
    text(key).of(Values::List(items))
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
pub const ARCHIVE: Column = text("archive").look(Look::Archive).table().means("the archive of the rows below");
/// The address of a file; or the name of an entry, below its archive.
pub const PATH: Column = text("address").look(Look::Path).table().means("the file, or the name in the archive");
/// What is wrong with a row.
pub const ERROR: Column =
    text("error").look(Look::Error).table().means("the error of the file, in place of the other columns");

/// The cells of a row as a JSON object.
pub fn object<'a, R>(fields: &[Field<R>], row: &'a R) -> Vec<(&'static str, Cell<'a>)> {
    let in_json = fields.iter().filter(|field| field.column.is_in_json());
    in_json.map(|field| (field.column.key, (field.get)(row))).collect()
}

/// The columns of fields.
pub fn columns_of<R>(fields: &[Field<R>]) -> Vec<Column> {
    fields.iter().map(|field| field.column).collect()
}

/// Columns and rows that borrow from a file.
#[expect(missing_debug_implementations, reason = "functions")]
pub struct Rows<'a> {
    /// The columns.
    pub columns: Vec<Column>,
    /// The cells of each row.
    pub rows: Lazy<'a, Vec<Cell<'a>>>,
}

impl<'a> Rows<'a> {
    /// Columns, and rows with a cell for each.
    pub fn of<const N: usize, I>(columns: [Column; N], rows: impl Fn() -> I + Send + Sync + 'a) -> Self
    where
        I: Iterator<Item = [Cell<'a>; N]> + 'a,
    {
        Self { columns: columns.into(), rows: lazy(move || rows().map(Vec::from)) }
    }

    /// The rows as JSON objects.
    pub fn objects(self) -> impl Fn() -> Box<dyn Iterator<Item = Cell<'a>> + 'a> + Send + Sync + 'a {
        let Self { columns, rows } = self;
        let columns = Arc::new(columns);
        move || {
            let columns = Arc::clone(&columns);
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
