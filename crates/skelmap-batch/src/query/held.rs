//! Cells that wait for others, without the row that they are from.

use crate::report::Cell;

/// A cell of its own.
#[derive(Debug)]
pub(super) enum Held {
    Absent,
    Bool(bool),
    Count(u64),
    Integer(i64),
    Float(f32),
    Double(f64),
    Text(Box<str>),
    List(Vec<Held>),
    Object(Vec<(&'static str, Held)>),
}

impl Held {
    pub(super) fn cell(&self) -> Cell<'_> {
        match self {
            Self::Absent => Cell::Absent,
            Self::Bool(value) => Cell::Bool(*value),
            Self::Count(value) => Cell::Count(*value),
            Self::Integer(value) => Cell::Integer(*value),
            Self::Float(value) => Cell::Float(*value),
            Self::Double(value) => Cell::Double(*value),
            Self::Text(text) => Cell::from(&**text),
            Self::List(items) => Cell::list(|| items.iter().map(Self::cell)),
            Self::Object(pairs) => Cell::Object(pairs.iter().map(|(key, value)| (*key, value.cell())).collect()),
        }
    }
}

impl From<Cell<'_>> for Held {
    fn from(cell: Cell<'_>) -> Self {
        match cell {
            Cell::Absent => Self::Absent,
            Cell::Bool(value) => Self::Bool(value),
            Cell::Count(value) => Self::Count(value),
            Cell::Integer(value) => Self::Integer(value),
            Cell::Float(value) => Self::Float(value),
            Cell::Double(value) => Self::Double(value),
            Cell::Text(text) => Self::Text(text.into()),
            Cell::List(items) => Self::List(items().map(Self::from).collect()),
            Cell::Object(pairs) => Self::Object(pairs.into_iter().map(|(key, value)| (key, value.into())).collect()),
        }
    }
}
