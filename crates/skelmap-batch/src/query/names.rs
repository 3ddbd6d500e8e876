//! The columns that a query can name, by their keys, or by their headings in tables.

use std::fmt::{self, Display, Formatter};

use crate::report::{Column, Field, Format, Kind, Look, Shown};
use crate::text::likeness;

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
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct NoColumn {
    /// The name that was asked for.
    pub name: String,
    /// The column whose name is most like it.
    pub near: Option<&'static str>,
    /// The names of all columns.
    pub columns: Vec<&'static str>,
}

impl std::error::Error for NoColumn {}

impl Display for NoColumn {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "there is no column {:?}", self.name)?;
        if let Some(near) = self.near {
            write!(f, "; did you mean {near}?")?;
        }
        write!(f, " (columns: {})", self.columns.join(", "))
    }
}

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
        // Of the columns with a key, one with values that can be compared: a list of texts rather than one for people.
        let rank = |column: &Column| match column.shown {
            Shown::Everywhere | Shown::Data | Shown::Flat => Some(0),
            Shown::Table => Some(1),
            Shown::Json => None,
        };
        let Some(at) = self.best(word, rank) else { return Err(self.no_column(word, rank)) };
        let is_data = |key: &str| {
            self.columns
                .iter()
                .position(|column| column.key == key && matches!(column.shown, Shown::Data | Shown::Flat))
        };
        Ok(match (is_data("path"), is_data("entry")) {
            (Some(path), Some(entry)) if path == at => Name::Address { path, entry },
            _ => Name::At(at),
        })
    }

    /// The place of a column that a format shows.
    ///
    /// # Errors
    /// [`NoColumn`].
    pub(crate) fn find_shown(&self, word: &str, format: Format) -> Result<usize, NoColumn> {
        let rank = |column: &Column| match column.shown {
            _ if format.has(column) => Some(0),
            Shown::Everywhere | Shown::Data | Shown::Flat => Some(1),
            Shown::Table => Some(2),
            Shown::Json => None,
        };
        self.best(word, rank).ok_or_else(|| self.no_column(word, rank))
    }

    /// The place of the best column with this key, or else with this heading.
    fn best(&self, word: &str, rank: impl Fn(&Column) -> Option<u8>) -> Option<usize> {
        let ranked = |is: fn(&Column, &str) -> bool| {
            let own = self.columns.iter().enumerate().filter(|(_, column)| is(column, word));
            own.filter_map(|(at, column)| Some((rank(column)?, at))).min().map(|(_, at)| at)
        };
        ranked(|column, word| column.key == word).or_else(|| ranked(|column, word| column.title == word))
    }

    fn no_column(&self, word: &str, rank: impl Fn(&Column) -> Option<u8>) -> NoColumn {
        /// The least likeness of a name that is worth a hint, in percent.
        const MIN_LIKENESS: usize = 40;
        let mut keys: Vec<&str> = Vec::new();
        for column in self.columns.iter().filter(|column| !column.key.is_empty() && rank(column).is_some()) {
            if !keys.contains(&column.key) {
                keys.push(column.key);
            }
        }
        let lower = word.to_lowercase();
        let near = keys.iter().map(|key| (likeness(&lower, key), *key)).max_by_key(|(likeness, _)| *likeness);
        let near = near.filter(|(likeness, _)| *likeness >= MIN_LIKENESS);
        NoColumn { name: word.to_owned(), near: near.map(|(_, key)| key), columns: keys }
    }

    fn column(&self, name: Name) -> Option<&Column> {
        let (Name::At(at) | Name::Address { path: at, .. }) = name;
        self.columns.get(at)
    }

    /// The kind of the values; text for a place out of bounds.
    pub(crate) fn kind(&self, name: Name) -> Kind {
        self.column(name).map_or(Kind::Text, |column| column.kind)
    }

    pub(crate) fn key(&self, name: Name) -> &'static str {
        self.column(name).map_or("", |column| column.key)
    }

    /// All texts that a column can have, if they are few.
    pub(crate) fn texts_of(&self, name: Name) -> Option<Vec<&'static str>> {
        match self.key(name) {
            "format" => Some(skelmap::Format::ALL.iter().map(|format| format.code()).collect()),
            "severity" => Some(vec!["error", "warning", "note"]),
            "verdict" => Some(skelmap::Verdict::ALL.map(skelmap::Verdict::code).to_vec()),
            _ => None,
        }
    }

    /// The places of the columns that a format shows, for the columns that people chose. `None`: all of the format.
    ///
    /// # Errors
    /// [`NoColumn`].
    pub(crate) fn chosen(&self, words: Option<&[String]>, format: Format) -> Result<Vec<usize>, NoColumn> {
        let places = |is: &dyn Fn(&Column) -> bool| -> Vec<usize> {
            self.columns.iter().enumerate().filter(|(_, column)| is(column)).map(|(at, _)| at).collect()
        };
        let Some(words) = words else { return Ok(places(&|column| format.has(column))) };
        let mut chosen: Vec<usize> = match format {
            Format::Json | Format::Jsonl => places(&|column| column.key == "schema"),
            _ => Vec::new(),
        };
        for word in words {
            let at = self.find_shown(word, format)?;
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
