//! Rows in the order of some of their columns. With a limit, only the best are in memory.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use crate::report::Cell;

/// What a row is ordered by. Rows without a value come last, in both directions.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Key {
    Ascending(Value),
    Descending(Reverse<Value>),
    Missing,
}

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Value {
    /// The bits of a number that is not NaN, changed so that they have its order.
    Number(u64),
    Text(String),
}

impl Value {
    fn of(number: f64) -> Self {
        // Minus zero is not less than zero, and gets the same bits.
        let bits = number.to_bits();
        Self::Number(if number < 0.0 { !bits } else { bits | 1 << 63 })
    }
}

impl Key {
    pub(super) fn new(cell: &Cell<'_>, is_descending: bool) -> Self {
        let value = match cell {
            Cell::Bool(value) => Some(Value::of(f64::from(u8::from(*value)))),
            Cell::Text(text) => Some(Value::Text(text.clone().into_owned())),
            Cell::List(items) => {
                let texts: Vec<String> = items().map(|item| item.to_string()).collect();
                (!texts.is_empty()).then(|| Value::Text(texts.join(" ")))
            }
            other => other.number().filter(|number| !number.is_nan()).map(Value::of),
        };
        match value {
            Some(value) if is_descending => Self::Descending(Reverse(value)),
            value => value.map_or(Self::Missing, Self::Ascending),
        }
    }
}

/// Rows in order, at most `limit` of them.
#[derive(Debug)]
pub(super) struct Sorted<T> {
    limit: Option<usize>,
    /// Each row by its keys. Of equal rows, the one that came first stays first.
    rows: BTreeMap<(Vec<Key>, u64), T>,
    seen: u64,
}

impl<T> Sorted<T> {
    pub(super) const fn new(limit: Option<usize>) -> Self {
        Self { limit, rows: BTreeMap::new(), seen: 0 }
    }

    /// Adds a row, which is made if it is among the first.
    pub(super) fn add(&mut self, keys: Vec<Key>, row: impl FnOnce() -> T) {
        let place = (keys, self.seen);
        self.seen += 1;
        if self.limit.is_some_and(|limit| self.rows.len() >= limit) {
            if self.rows.last_key_value().is_none_or(|(last, _)| *last <= place) {
                return;
            }
            self.rows.pop_last();
        }
        self.rows.insert(place, row());
    }

    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }

    pub(super) fn into_rows(self) -> impl Iterator<Item = T> {
        self.rows.into_values()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_million_rows_with_a_limit_keep_so_many_in_memory() {
        let mut sorted = Sorted::new(Some(20));
        let mut made = 0;
        for number in 0..1_000_000_u32 {
            let value = Cell::Double(f64::from(number.wrapping_mul(2_654_435_761)));
            sorted.add(vec![Key::new(&value, true)], || {
                made += 1;
                number
            });
            assert!(sorted.rows.len() <= 20);
        }
        assert!(made < 1000, "{made} rows were made");
        let first: Vec<u32> = sorted.into_rows().map(|number| number.wrapping_mul(2_654_435_761)).collect();
        assert!(first.len() == 20 && first.is_sorted_by(|one, other| one > other), "{first:?}");
    }

    #[test]
    fn equal_rows_keep_their_order_and_rows_without_a_value_come_last() {
        for (is_descending, expected) in [(false, [1, 4, 2, 0, 3]), (true, [2, 1, 4, 0, 3])] {
            let mut sorted = Sorted::new(None);
            for (row, value) in [None, Some(5.0), Some(7.0), None, Some(5.0)].into_iter().enumerate() {
                sorted.add(vec![Key::new(&Cell::from(value), is_descending)], || row);
            }
            assert_eq!(sorted.into_rows().collect::<Vec<_>>(), expected);
        }
    }

    #[test]
    fn values_have_the_order_of_numbers_and_texts_and_an_empty_list_is_none() {
        let words = |words: &'static [&'static str]| Cell::list(move || words.iter().copied());
        let key = |cell: Cell<'_>| Key::new(&cell, false);
        let numbers = [f64::NEG_INFINITY, -2.5, -1.0, -0.5, 0.0, 0.5, 1.0, 2.5, f64::INFINITY];
        assert!(numbers.map(|number| key(number.into())).is_sorted_by(|one, other| one < other));
        assert_eq!(key(Cell::from(-0.0)), key(Cell::from(0.0)));
        assert!(key(false.into()) < key(true.into()) && key(true.into()) < Key::Missing);
        assert!(key(words(&["a", "b"])) < key(words(&["a", "c"])) && key(words(&["b"])) < Key::Missing);
        assert_eq!(key(words(&[])), Key::Missing);
    }
}
