//! Names: those that a file has, and new ones.

use std::collections::HashMap;

use skelmap::{Name, Text};

use super::error::{EditError, KnownNames};

/// A name as look-ups compare it: decoded, in lower-case ASCII letters.
pub(super) fn folded(name: Text<'_>) -> String {
    name.chars().map(|c| c.to_ascii_lowercase()).collect()
}

/// A new name in the place of an old one. Where spaces pad the old name (Epic's exporter), they pad the new one to the same length.
pub(super) fn renamed(old: &Name<64>, new: &str) -> Result<Name<64>, EditError> {
    let fits = !new.is_empty() && !new.starts_with(' ') && !new.ends_with(' ') && !new.chars().any(char::is_control);
    let (stored, key) = (old.as_bytes().len(), old.key().len());
    let is_padded = stored > key && key > 0;
    let padded = if is_padded { format!("{new:<stored$}") } else { new.to_owned() };
    // Spaces after a longer name than the old one, or after letters of several bytes, may not fit.
    let name = Name::new(padded.as_bytes()).or_else(|| Name::new(new.as_bytes()));
    name.filter(|_| fits).ok_or_else(|| EditError::Name { name: new.to_owned() })
}

/// The first element with each name.
#[derive(Clone, Debug)]
pub(super) struct Index {
    kind: &'static str,
    first: HashMap<String, usize>,
}

impl Index {
    pub(super) fn new<'a>(kind: &'static str, names: impl Iterator<Item = Text<'a>>) -> Self {
        let mut first = HashMap::new();
        for (index, name) in names.enumerate() {
            first.entry(folded(name)).or_insert(index);
        }
        Self { kind, first }
    }

    /// The element with a name. `all` gives the names for a message.
    pub(super) fn find<'a, I: Iterator<Item = Text<'a>>>(
        &self,
        name: &str,
        all: impl FnOnce() -> I,
    ) -> Result<usize, EditError> {
        let key = folded(Text::new(name.trim_end_matches(' ').as_bytes()));
        let unknown = || EditError::Unknown { kind: self.kind, name: name.to_owned(), known: KnownNames::of(all()) };
        self.first.get(&key).copied().ok_or_else(unknown)
    }
}

/// Checks that no new name is that of another element. `names` has each final name and whether it is new. O(names).
pub(super) fn check_unique<'a>(
    kind: &'static str,
    names: impl Iterator<Item = (Text<'a>, bool)> + Clone,
) -> Result<(), EditError> {
    if !names.clone().any(|(_, is_new)| is_new) {
        return Ok(());
    }
    let mut seen: HashMap<String, bool> = HashMap::new();
    for (name, is_new) in names {
        let old = seen.insert(folded(name), is_new);
        if old.is_some_and(|old| old || is_new) {
            return Err(EditError::Taken { kind, name: name.to_string() });
        }
    }
    Ok(())
}
