//! Which entries of an archive are wanted, by the address and the patterns, and the names near a pattern that has no entry.

use globset::GlobSet;
use skelmap::archive::{Entry, OpenArchive};
use skelmap_batch::{Named, Patterns};

use crate::text::{counted, likeness};

/// The entries that the arguments ask for.
pub(super) struct Wanted<'p> {
    /// What the address names in the archive.
    part: Named,
    patterns: &'p [String],
    /// Two globs for each pattern.
    globs: GlobSet,
    /// Those of the patterns that begin with `!`.
    unwanted: Patterns,
}

impl<'p> Wanted<'p> {
    /// `entry`: the name in the address.
    ///
    /// # Errors
    /// A sentence, if a glob is no glob or nothing has the name.
    pub(super) fn new(
        patterns: &'p [String],
        globs: GlobSet,
        unwanted: Patterns,
        archive: &OpenArchive,
        entry: Option<&str>,
    ) -> Result<Self, String> {
        let part = match entry {
            None => Named::Folder(String::new()),
            Some(name) => {
                let no_entry = |_| format!("there is no entry {name:?}{}", near(archive, name));
                Named::find(archive, name).map_err(no_entry)?
            }
        };
        Ok(Self { part, patterns, globs, unwanted })
    }

    /// Whether the address means an entry, or a folder that it is in.
    fn has_place(&self, entry: &Entry<'_>) -> bool {
        match &self.part {
            Named::Entry(index) => entry.index() == *index,
            Named::Folder(folder) => entry.name().to_string().starts_with(folder),
        }
    }

    pub(super) fn has(&self, entry: &Entry<'_>) -> bool {
        let is_file = !entry.name().is_folder() && self.has_place(entry);
        let name = || entry.name().to_string();
        is_file && (self.globs.is_empty() || self.globs.is_match(name())) && self.unwanted.has(name())
    }

    /// The number of entries, and a sentence for each pattern that matches none.
    pub(super) fn count(&self, archive: &OpenArchive) -> (usize, Vec<String>) {
        let mut is_matched = vec![false; self.patterns.len()];
        let (mut total, mut found) = (0, Vec::new());
        for entry in archive.entries().filter(|entry| self.has(entry)) {
            total += 1;
            self.globs.matches_into(entry.name().to_string(), &mut found);
            for glob in &found {
                if let Some(is_matched) = is_matched.get_mut(glob / 2) {
                    *is_matched = true;
                }
            }
        }
        let unmatched = self.patterns.iter().zip(is_matched).filter(|(_, is_matched)| !is_matched);
        (total, unmatched.map(|(glob, _)| self.no_entry(archive, glob)).collect())
    }

    /// Says that a pattern matches nothing, and what it may have meant.
    fn no_entry(&self, archive: &OpenArchive, glob: &str) -> String {
        let anyhow = skelmap_batch::globs(&[glob.to_owned()], true).unwrap_or_default();
        let is_other_case = |entry: &Entry<'_>| self.has_place(entry) && anyhow.is_match(entry.name().to_string());
        let hint = match archive.entries().filter(is_other_case).count() {
            0 => near(archive, glob),
            count => format!("; with --ignore-case, {} would", counted(count as u64, "entry")),
        };
        format!("no entry matches {glob:?}{hint}")
    }
}

/// The most entries whose names are compared with a pattern that matches none.
const MAX_COMPARED: usize = 1 << 17;

/// The end of a sentence about a name or pattern without an entry: the names that are most like it.
fn near(archive: &OpenArchive, pattern: &str) -> String {
    /// The least likeness of a name that is worth a hint, in percent.
    const MIN_LIKENESS: usize = 40;
    const MAX_HINTS: usize = 3;
    let text = pattern.split('/').map(letters).max_by_key(String::len).unwrap_or_default();
    let mut best: Vec<(usize, String)> = Vec::new();
    for entry in archive.entries().take(MAX_COMPARED) {
        let name = entry.name().to_string();
        let mut end = 0;
        for part in name.split_inclusive('/') {
            end += part.len();
            let likeness = likeness(&text, &letters(part));
            let shown = name.get(..end).unwrap_or_default();
            if likeness >= MIN_LIKENESS && !best.iter().any(|(_, known)| known == shown) {
                best.push((likeness, shown.to_owned()));
                best.sort_by_key(|(likeness, _)| std::cmp::Reverse(*likeness));
                best.truncate(MAX_HINTS);
            }
        }
    }
    let names: Vec<String> = best.iter().map(|(_, name)| format!("{name:?}")).collect();
    if names.is_empty() { String::new() } else { format!("; near: {}", names.join(", ")) }
}

/// The letters of a part of a name or pattern that are compared: lower case, without wildcards and extensions, and not too many.
fn letters(part: &str) -> String {
    const MAX_LETTERS: usize = 64;
    let plain: String =
        part.chars().filter(|c| !"*?[]{}!,/".contains(*c)).take(MAX_LETTERS).flat_map(char::to_lowercase).collect();
    match plain.split_once('.') {
        Some((stem, _)) if stem.len() > 1 => stem.to_owned(),
        _ => plain,
    }
}
