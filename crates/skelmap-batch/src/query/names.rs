//! The columns that a query can name, by their keys, or by their headings in tables.

use crate::report::{Column, Field, Format, Look, Shown};
use crate::text::nearest;

/// A column of a report, by its place among the fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Name {
    At(usize),
    /// The path and the entry of an archive as one address: `mod.zip!/art/x.psa`.
    Address {
        path: usize,
        entry: usize,
    },
}

/// There is no such column.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "there is no column {name:?}{} (columns: {})",
    near.map(|near| format!("; did you mean {near}?")).unwrap_or_default(),
    columns.join(", ")
)]
#[non_exhaustive]
pub struct NoColumn {
    /// The name that was asked for.
    pub name: String,
    /// The column whose name is most like it.
    pub near: Option<&'static str>,
    /// The names of all columns.
    pub columns: Vec<&'static str>,
}

/// Rows for sequences have `sequence_frames`, and can be asked for their `frames`.
const OF_SEQUENCE: &str = "sequence_";

/// The columns of a report.
#[derive(Debug)]
pub(crate) struct Names {
    columns: Vec<Column>,
}

impl Names {
    pub(crate) fn of<R>(fields: &[Field<R>]) -> Self {
        Self { columns: fields.iter().map(|field| field.column).collect() }
    }

    /// The column that expressions and orders mean.
    ///
    /// # Errors
    /// [`NoColumn`].
    pub(crate) fn find(&self, word: &str) -> Result<Name, NoColumn> {
        let at = self.best(word, None)?;
        let is_data = |key: &str| {
            let is = |column: &Column| column.key == key && matches!(column.shown, Shown::Data | Shown::Flat);
            self.columns.iter().position(is)
        };
        Ok(match (is_data("path"), is_data("entry")) {
            (Some(path), Some(entry)) if path == at => Name::Address { path, entry },
            _ => Name::At(at),
        })
    }

    /// The place of the best column with this key, or else with this heading, or with this name of a value of a sequence: one that the format shows; or else one with values that
    /// can be compared, such as a list of texts, rather than one for people.
    ///
    /// # Errors
    /// [`NoColumn`].
    fn best(&self, word: &str, format: Option<Format>) -> Result<usize, NoColumn> {
        let rank = |column: &Column| match column.shown {
            _ if format.is_some_and(|format| format.has(column)) => Some(0),
            Shown::Everywhere | Shown::Data | Shown::Flat => Some(1),
            Shown::Table => Some(2),
            Shown::Json => None,
        };
        let is_called = |column: &Column| {
            let own = column.key.strip_prefix(OF_SEQUENCE);
            column.key == word || column.title == word || own.is_some_and(|own| own == word)
        };
        let called = self.columns.iter().enumerate().filter(|(_, column)| is_called(column));
        let ranked = called.filter_map(|(at, column)| Some((rank(column)?, column.key != word, at)));
        let found = ranked.min().map(|(_, _, at)| at);
        found.ok_or_else(|| {
            let mut columns: Vec<&str> = Vec::new();
            for column in self.columns.iter().filter(|column| !column.key.is_empty() && rank(column).is_some()) {
                if !columns.contains(&column.key) {
                    columns.push(column.key);
                }
            }
            NoColumn { name: word.to_owned(), near: nearest(word, columns.iter().copied()), columns }
        })
    }

    /// The column of a name; `None` out of bounds.
    pub(crate) fn column(&self, name: Name) -> Option<&Column> {
        let (Name::At(at) | Name::Address { path: at, .. }) = name;
        self.columns.get(at)
    }

    /// The places of the columns that a format shows, for the columns that people chose; all of the format if they chose none.
    ///
    /// # Errors
    /// [`NoColumn`].
    pub(crate) fn chosen(&self, words: &[String], format: Format) -> Result<Vec<usize>, NoColumn> {
        let places = |is: &dyn Fn(&Column) -> bool| -> Vec<usize> {
            self.columns.iter().enumerate().filter(|(_, column)| is(column)).map(|(at, _)| at).collect()
        };
        if words.is_empty() {
            return Ok(places(&|column| format.has(column)));
        }
        let mut chosen: Vec<usize> = match format {
            Format::Json | Format::Jsonl => places(&|column| column.key == "schema"),
            _ => Vec::new(),
        };
        for word in words {
            let at = self.best(word, Some(format))?;
            if !chosen.contains(&at) {
                chosen.push(at);
            }
        }
        if format == Format::Table {
            let is = |at: &usize, look: Look| self.columns.get(*at).is_some_and(|column| column.look == look);
            // A table has the path last, after the archive, where layouts expect it.
            if let Some(place) = chosen.iter().position(|at| is(at, Look::Path)) {
                let path = chosen.remove(place);
                chosen.retain(|at| !is(at, Look::Archive));
                chosen.extend(places(&|column| column.look == Look::Archive));
                chosen.push(path);
            }
        }
        Ok(chosen)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::{Cell, PATH, field, integer, text};

    #[test]
    fn a_column_that_is_not_there_is_answered_with_those_that_can_be_compared() {
        let columns = [integer("bones"), text("quirks").json(), PATH.keyed(""), text("path").flat()];
        let names = Names::of(&columns.map(|column| field(column, |(): &()| Cell::Absent)));
        let missing = names.find("bonez").unwrap_err();
        assert_eq!((missing.near, missing.columns), (Some("bones"), vec!["bones", "path"]));
    }
}
