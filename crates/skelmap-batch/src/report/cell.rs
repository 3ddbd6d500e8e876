//! One value of a report.

use std::borrow::Cow;
use std::fmt::{self, Display, Formatter};
use std::sync::Arc;

use skelmap::{Name, Text};

/// One value of a report. Lists are computed when they are written, so that a long list takes no memory.
#[derive(Clone)]
pub enum Cell<'a> {
    /// No value.
    Absent,
    /// Yes or no.
    Bool(bool),
    /// A number from 0.
    Count(u64),
    /// A whole number.
    Integer(i64),
    /// A number of 32 bits.
    Float(f32),
    /// A number of 64 bits.
    Double(f64),
    /// A text.
    Text(Cow<'a, str>),
    /// Values in order.
    List(Lazy<'a, Cell<'a>>),
    /// Values with keys.
    Object(Vec<(&'static str, Cell<'a>)>),
}

/// A sequence that can be computed again and again.
pub type Lazy<'a, T> = Arc<dyn Fn() -> Box<dyn Iterator<Item = T> + 'a> + Send + Sync + 'a>;

/// Makes a sequence of the function that computes it.
pub(super) fn lazy<'a, T, I>(sequence: impl Fn() -> I + Send + Sync + 'a) -> Lazy<'a, T>
where
    I: Iterator<Item = T> + 'a,
{
    Arc::new(move || Box::new(sequence()))
}

/// The items of a list that is shared.
pub(crate) fn listed<T: Clone>(list: &Arc<[T]>) -> impl Iterator<Item = T> + use<T> {
    let list = Arc::clone(list);
    (0..list.len()).filter_map(move |at| list.get(at).cloned())
}

impl std::fmt::Debug for Cell<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Cell").finish_non_exhaustive()
    }
}

impl<'a> Cell<'a> {
    /// A list of the items of an iterator that `items` makes.
    pub fn list<I>(items: impl Fn() -> I + Send + Sync + 'a) -> Self
    where
        I: Iterator + 'a,
        I::Item: Into<Cell<'a>>,
    {
        Self::List(lazy(move || items().map(Into::into)))
    }

    /// The value, if it is a number.
    #[expect(clippy::cast_precision_loss, reason = "counts of more than 2^53 differ by more than is lost")]
    pub fn number(&self) -> Option<f64> {
        match self {
            Self::Count(value) => Some(*value as f64),
            Self::Integer(value) => Some(*value as f64),
            Self::Float(value) => Some((*value).into()),
            Self::Double(value) => Some(*value),
            _ => None,
        }
    }

    /// The same value without the row that it is from.
    pub fn into_owned(self) -> Cell<'static> {
        match self {
            Self::Absent => Cell::Absent,
            Self::Bool(value) => Cell::Bool(value),
            Self::Count(value) => Cell::Count(value),
            Self::Integer(value) => Cell::Integer(value),
            Self::Float(value) => Cell::Float(value),
            Self::Double(value) => Cell::Double(value),
            Self::Text(text) => Cell::Text(text.into_owned().into()),
            Self::List(items) => {
                let items: Arc<[_]> = items().map(Cell::into_owned).collect();
                Cell::list(move || listed(&items))
            }
            Self::Object(pairs) => {
                Cell::Object(pairs.into_iter().map(|(key, cell)| (key, cell.into_owned())).collect())
            }
        }
    }

    /// The text of a value.
    pub fn display(value: impl Display) -> Self {
        Self::Text(value.to_string().into())
    }
}

/// The value as CSV has it. Lists and objects are JSON there.
impl Display for Cell<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Absent => Ok(()),
            Self::Bool(value) => value.fmt(f),
            Self::Count(value) => value.fmt(f),
            Self::Integer(value) => value.fmt(f),
            Self::Float(value) => value.fmt(f),
            Self::Double(value) => value.fmt(f),
            Self::Text(value) => value.fmt(f),
            Self::List(_) | Self::Object(_) => {
                serde_json::to_string(self).map_err(|_| fmt::Error).and_then(|text| text.fmt(f))
            }
        }
    }
}

impl<'a, T: Into<Cell<'a>>> From<Option<T>> for Cell<'a> {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Absent, Into::into)
    }
}

impl<'a> From<Text<'a>> for Cell<'a> {
    fn from(text: Text<'a>) -> Self {
        Self::Text(text.as_str().map_or_else(|| text.to_string().into(), Cow::Borrowed))
    }
}

impl<'a, const N: usize> From<&'a Name<N>> for Cell<'a> {
    fn from(name: &'a Name<N>) -> Self {
        name.text().into()
    }
}

impl From<usize> for Cell<'_> {
    fn from(value: usize) -> Self {
        Self::Count(value.try_into().unwrap_or(u64::MAX))
    }
}

/// Conversions that keep the value.
macro_rules! from {
    ($($variant:ident: $($from:ty),+;)+) => {$($(
        impl<'a> From<$from> for Cell<'a> {
            fn from(value: $from) -> Self {
                Self::$variant(value.into())
            }
        }
    )+)+};
}

from! {
    Bool: bool;
    Count: u64, u32, u16, u8;
    Integer: i64, i32, i16;
    Float: f32;
    Double: f64;
    Text: &'a str, &'a String, String;
}

/// An array of cells.
#[macro_export]
macro_rules! cells {
    ($($value:expr),+ $(,)?) => { [$($crate::report::Cell::from($value)),+] };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_all_types_have_a_value_and_other_cells_have_none() {
        let numbers = [Cell::Count(7), Cell::Integer(-7), Cell::Float(0.5), Cell::Double(-0.25)];
        assert_eq!(numbers.map(|cell| cell.number()), [7.0, -7.0, 0.5, -0.25].map(Some));
        for other in [Cell::Absent, Cell::Bool(true), Cell::Text("7".into()), Cell::Object(Vec::new())] {
            assert_eq!(other.number(), None);
        }
    }
}
