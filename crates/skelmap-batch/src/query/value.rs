//! Values of rows, as expressions compare them.

use std::cmp::Ordering;

use crate::report::Cell;

/// A value of a row, or one that an expression has.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// No value.
    Null,
    /// Yes or no.
    Bool(bool),
    /// A number.
    Number(f64),
    /// A text.
    Text(String),
    /// Texts.
    List(Vec<String>),
}

impl Value {
    /// Whether there is something: not for null, false and an empty list.
    pub(crate) fn is_there(&self) -> bool {
        match self {
            Self::Null | Self::Bool(false) => false,
            Self::List(items) => !items.is_empty(),
            _ => true,
        }
    }

    /// How two values of the same kind are ordered.
    pub(crate) fn compare(&self, other: &Self) -> Option<Ordering> {
        match (self, other) {
            (Self::Number(one), Self::Number(other)) => one.partial_cmp(other),
            (Self::Text(one), Self::Text(other)) => Some(one.cmp(other)),
            (Self::Bool(one), Self::Bool(other)) => Some(one.cmp(other)),
            _ => None,
        }
    }
}

impl From<Cell<'_>> for Value {
    #[expect(clippy::cast_precision_loss, reason = "counts of more than 2^53 differ by more than is lost")]
    fn from(cell: Cell<'_>) -> Self {
        match cell {
            Cell::Absent => Self::Null,
            Cell::Bool(value) => Self::Bool(value),
            Cell::Count(value) => Self::Number(value as f64),
            Cell::Integer(value) => Self::Number(value as f64),
            Cell::Float(value) => Self::Number(f64::from(value)),
            Cell::Double(value) => Self::Number(value),
            Cell::Text(text) => Self::Text(text.into_owned()),
            Cell::List(items) => Self::List(items().map(|item| item.to_string()).collect()),
            Cell::Object(_) => Self::Text(cell.to_string()),
        }
    }
}
