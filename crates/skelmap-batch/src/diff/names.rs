//! Pairs of what has the same name in two files.

use std::collections::HashMap;

/// The names of things, as they are compared: in any ASCII case and without blanks at the end. The second one of a name meets the second
/// one of the other file.
pub(super) struct Pairs {
    /// The numbers of what both have.
    pub(super) both: Vec<(usize, usize)>,
    pub(super) removed: Vec<usize>,
    pub(super) added: Vec<usize>,
}

impl Pairs {
    pub(super) fn of(before: &[String], after: &[String]) -> Self {
        let mut numbers: HashMap<(String, usize), usize> = keys(before).into_iter().zip(0..).collect();
        let mut pairs = Self { both: Vec::new(), removed: Vec::new(), added: Vec::new() };
        for (index, key) in keys(after).into_iter().enumerate() {
            match numbers.remove(&key) {
                Some(other) => pairs.both.push((other, index)),
                None => pairs.added.push(index),
            }
        }
        pairs.both.sort_unstable();
        pairs.removed = numbers.into_values().collect();
        pairs.removed.sort_unstable();
        pairs
    }
}

/// The name to compare by, and how many have had it before.
fn keys(names: &[String]) -> Vec<(String, usize)> {
    let mut seen: HashMap<String, usize> = HashMap::new();
    let key = |name: &String| {
        let name = name.trim_end().to_ascii_lowercase();
        let count = seen.entry(name.clone()).or_default();
        *count += 1;
        (name, *count)
    };
    names.iter().map(key).collect()
}
