//! Rows in the order of some of their columns. With a limit, only the best are in memory.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use super::value::Value;

/// What a row is ordered by. Rows without a value come last, in both directions.
#[derive(Debug, PartialEq)]
pub(super) struct Key {
    value: Value,
    is_descending: bool,
}

impl Key {
    pub(super) fn new(value: Value, is_descending: bool) -> Self {
        let value = match value {
            Value::Bool(value) => Value::Number(f64::from(u8::from(value))),
            Value::Number(number) if number.is_nan() => Value::Null,
            Value::List(items) if items.is_empty() => Value::Null,
            Value::List(items) => Value::Text(items.join(" ")),
            other => other,
        };
        Self { value, is_descending }
    }
}

impl Eq for Key {}

impl PartialOrd for Key {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Key {
    fn cmp(&self, other: &Self) -> Ordering {
        match (&self.value, &other.value) {
            (Value::Null, Value::Null) => Ordering::Equal,
            (Value::Null, _) => Ordering::Greater,
            (_, Value::Null) => Ordering::Less,
            (one, other) => {
                let order = one.compare(other).unwrap_or(Ordering::Equal);
                if self.is_descending { order.reverse() } else { order }
            }
        }
    }
}

/// A row and its place.
#[derive(Debug)]
struct Placed<T> {
    /// Of equal rows, the one that came first stays first.
    place: (Vec<Key>, u64),
    row: T,
}

impl<T> PartialEq for Placed<T> {
    fn eq(&self, other: &Self) -> bool {
        self.place == other.place
    }
}

impl<T> Eq for Placed<T> {}

impl<T> PartialOrd for Placed<T> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<T> Ord for Placed<T> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.place.cmp(&other.place)
    }
}

/// Rows in order, at most `limit` of them.
#[derive(Debug)]
pub(super) struct Sorted<T> {
    limit: Option<usize>,
    /// The last row is on top.
    rows: BinaryHeap<Placed<T>>,
    seen: u64,
}

impl<T> Sorted<T> {
    pub(super) const fn new(limit: Option<usize>) -> Self {
        Self { limit, rows: BinaryHeap::new(), seen: 0 }
    }

    /// Adds a row, which is made if it is among the first.
    pub(super) fn add(&mut self, keys: Vec<Key>, row: impl FnOnce() -> T) {
        let place = (keys, self.seen);
        self.seen += 1;
        if self.limit.is_some_and(|limit| self.rows.len() >= limit) {
            if self.rows.peek().is_none_or(|last| last.place <= place) {
                return;
            }
            self.rows.pop();
        }
        self.rows.push(Placed { place, row: row() });
    }

    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }

    pub(super) fn into_rows(self) -> impl Iterator<Item = T> {
        self.rows.into_sorted_vec().into_iter().map(|placed| placed.row)
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
            let value = Value::Number(f64::from(number.wrapping_mul(2_654_435_761)));
            sorted.add(vec![Key::new(value, true)], || {
                made += 1;
                number
            });
            assert!(sorted.rows.len() <= 20 && sorted.rows.capacity() < 64);
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
                sorted.add(vec![Key::new(value.map_or(Value::Null, Value::Number), is_descending)], || row);
            }
            assert_eq!(sorted.into_rows().collect::<Vec<_>>(), expected);
        }
    }
}
