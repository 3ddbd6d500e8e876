//! Words of messages: records by kind, index and name, and lists of them.

use alloc::{format, string::String};
use core::fmt::{self, Debug, Display, Formatter};

use crate::bytes::Text;

/// A name in a message, cut after 60 characters: a name may be as long as the file.
pub(crate) struct Short<'a>(pub(crate) Text<'a>);

impl Debug for Short<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let most = 60;
        let start: String = self.0.chars().take(most).collect();
        write!(f, "{start:?}{}", if self.0.chars().nth(most).is_some() { "…" } else { "" })
    }
}

/// A record with its name, if it has one: `bone 5 "Tail"`.
pub(crate) fn named(kind: &str, index: impl Display, name: Text<'_>) -> String {
    if name.as_bytes().is_empty() {
        return format!("{kind} {index}");
    }
    format!("{kind} {index} {:?}", Short(name))
}

/// Items in a sentence: `a`, `a and b`, or `a, b and 4 more`. `items` are the first of `count`.
pub(crate) fn listed(items: &[String], count: usize) -> String {
    match (count.saturating_sub(items.len()), items) {
        (0, [first @ .., last]) if !first.is_empty() => format!("{} and {last}", first.join(", ")),
        (0, _) => items.join(", "),
        (more, _) => format!("{} and {more} more", items.join(", ")),
    }
}
