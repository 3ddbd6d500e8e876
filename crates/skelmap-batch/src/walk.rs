//! Which files are looked at: paths, the files below folders in an order that depends on names alone, and patterns for names.

use std::collections::{HashSet, VecDeque};
use std::io;
use std::path::{Component, Path, PathBuf};

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use ignore::gitignore::{Gitignore, GitignoreBuilder};
use ignore::overrides::{Override, OverrideBuilder};
use walkdir::{DirEntry, WalkDir};

use crate::ignored::{Ignored, Unread, is_hidden, place};
use crate::save::is_partial;

/// How folders are walked. The default is that of search tools: no hidden files, no ignored files, no links.
#[derive(Clone, Debug, Default)]
#[expect(clippy::exhaustive_structs, reason = "made by struct update from its default")]
#[expect(clippy::struct_excessive_bools, reason = "a choice each")]
pub struct Walk {
    /// Look at hidden files and folders too: those whose names begin with a dot.
    pub hidden: bool,
    /// Look at files too that `.gitignore` or `.ignore` names. A folder is not walked if such a file in the folder or above is a pipe or a
    /// device, or if these files have more than 256 KiB together.
    pub no_ignore: bool,
    /// Follow symbolic links to files and folders.
    pub follow: bool,
    /// Leave out files and folders that match, as a line of `.gitignore` does, also in archives.
    pub exclude: Vec<String>,
    /// Leave out what matches patterns too that belong to a folder, such as those of a file of settings.
    pub ignore: Option<Ignore>,
    /// Patterns match in any case.
    pub ignore_case: bool,
}

/// Lines that belong to a folder: wherever a walk begins, they match paths below that folder, as those of a `.gitignore` in it do. In archives, they
/// match the names of entries.
#[derive(Clone, Debug)]
#[expect(clippy::exhaustive_structs, reason = "made by its fields")]
pub struct Ignore {
    /// The folder, without links; `None`: the folder that a walk begins in.
    pub folder: Option<PathBuf>,
    /// The patterns.
    pub patterns: Vec<String>,
}

/// A pattern for names that has no meaning.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PatternError {
    /// In [`Find::glob`](crate::Find::glob).
    #[error("--glob: {0}")]
    Glob(#[from] globset::Error),
    /// In [`Walk::exclude`].
    #[error("--exclude: {0}")]
    Exclude(ignore::Error),
    /// In [`Walk::ignore`].
    #[error("a pattern of ignore: {0}")]
    Ignore(ignore::Error),
}

/// How often a walk enters folders again through links: so many times, and four times for each folder that it enters for the first time. Forty folders
/// full of links to each other have more paths than anybody can walk.
const REPEATS: u32 = 256;
const REPEATS_FOR_EACH_FOLDER: u32 = 4;

/// A file or fault in a [walk](Walk::files).
#[derive(Debug)]
#[non_exhaustive]
pub enum Met {
    /// A file, or a link to one.
    File(PathBuf),
    /// A pipe, a socket or a device.
    Other(PathBuf),
    /// A folder that cannot be read, a link to nothing, or one of too many links.
    Failed {
        /// The path.
        path: PathBuf,
        /// The error of the system.
        error: io::Error,
    },
}

/// What decides whether a walk enters a folder or looks at a file: patterns, the rules of ignore files, and a budget for links.
struct Gate {
    /// What patterns leave out, by paths of the walk.
    excluded: Override,
    /// What the lines of a folder leave out, by paths without links.
    by_place: Gitignore,
    /// `None`: ignore files leave nothing out.
    ignored: Option<Ignored>,
    /// Whether names that begin with a dot are looked at.
    hidden: bool,
    /// Whether links are followed. Without them, no folder is entered twice.
    is_followed: bool,
    /// The root as it was given, and without links.
    root: (PathBuf, PathBuf),
    /// The folders that were entered.
    known: HashSet<PathBuf>,
    repeats: u32,
    is_exhausted: bool,
    /// What may not be entered, until it is reported.
    faults: VecDeque<Met>,
}

impl Gate {
    /// Whether a walk looks at a file or enters a folder.
    fn passes(&mut self, entry: &DirEntry) -> bool {
        if entry.depth() == 0 {
            return true;
        }
        let (path, is_folder) = (entry.path(), entry.file_type().is_dir());
        if self.excluded.matched(path, is_folder).is_ignore() || self.is_left_out(path, is_folder) {
            return false;
        }
        let mut unread = Vec::new();
        let decided = self.ignored.as_mut().and_then(|rules| rules.decide(path, is_folder, &mut unread));
        self.report(unread);
        let is_ignored = decided.unwrap_or_else(|| !self.hidden && is_hidden(entry.file_name()));
        !is_ignored && (!is_folder || self.has_budget(path))
    }

    /// Whether the lines of a folder leave something below that folder out.
    fn is_left_out(&self, path: &Path, is_folder: bool) -> bool {
        if self.by_place.is_empty() {
            return false;
        }
        let place = place(&self.root, path);
        place.starts_with(self.by_place.path()) && self.by_place.matched(place, is_folder).is_ignore()
    }

    fn report(&mut self, unread: Vec<Unread>) {
        self.faults.extend(unread.into_iter().map(|(path, error)| Met::Failed { path, error }));
    }

    /// Whether the folder at a path may be entered, once more if need be. At most 256 repetitions and four for each folder.
    fn has_budget(&mut self, path: &Path) -> bool {
        if !self.is_followed {
            return true;
        }
        let place = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        // A folder that no link leads to on this path is always entered, whatever links lead to it on others.
        let is_own = self::place(&self.root, path) == place;
        if self.known.insert(place) {
            self.repeats = self.repeats.saturating_add(REPEATS_FOR_EACH_FOLDER);
            return true;
        }
        if is_own {
            return true;
        }
        if let Some(rest) = self.repeats.checked_sub(1) {
            self.repeats = rest;
            return true;
        }
        if !std::mem::replace(&mut self.is_exhausted, true) {
            let message = "too many links lead to the same folders; this one and further ones are not followed";
            self.faults.push_back(Met::Failed { path: path.to_owned(), error: io::Error::other(message) });
        }
        false
    }
}

/// Whether a path is one of glTF.
pub fn is_gltf(path: &Path) -> bool {
    path.extension().is_some_and(|own| own.eq_ignore_ascii_case("glb") || own.eq_ignore_ascii_case("gltf"))
}

impl Walk {
    /// All files, with links followed.
    pub fn all() -> Self {
        Self { hidden: true, no_ignore: true, follow: true, ..Self::default() }
    }

    /// Checks the patterns.
    ///
    /// # Errors
    /// A pattern that has no meaning.
    pub fn check(&self) -> Result<(), PatternError> {
        self.excluded(Path::new("")).map_err(PatternError::Exclude)?;
        self.left_out(Path::new("")).map_err(PatternError::Ignore)?;
        Ok(())
    }

    /// The patterns of [`Walk::ignore`].
    pub(crate) fn ignored(&self) -> &[String] {
        self.ignore.as_ref().map_or(&[], |ignore| &ignore.patterns)
    }

    fn excluded(&self, root: &Path) -> Result<Override, ignore::Error> {
        let mut excluded = OverrideBuilder::new(root);
        excluded.case_insensitive(self.ignore_case)?;
        for pattern in &self.exclude {
            // Windows has both separators, as it has in other patterns.
            let pattern = if cfg!(windows) { pattern.replace('\\', "/") } else { pattern.clone() };
            excluded.add(&format!("!{pattern}"))?;
        }
        excluded.build()
    }

    /// The lines of [`Walk::ignore`], for a folder.
    fn left_out(&self, folder: &Path) -> Result<Gitignore, ignore::Error> {
        let mut rules = GitignoreBuilder::new(folder);
        rules.case_insensitive(self.ignore_case)?;
        for line in self.ignored() {
            rules.add_line(None, line)?;
        }
        rules.build()
    }

    /// Whether patterns leave anything out.
    pub(crate) fn has_patterns(&self) -> bool {
        !self.exclude.is_empty() || !self.ignored().is_empty()
    }

    /// What the patterns leave out of archives; `None` without patterns.
    pub(crate) fn excluded_entries(&self) -> Option<ExcludedEntries> {
        let ignore = self.ignore.as_ref();
        self.has_patterns().then(|| ExcludedEntries {
            excluded: self.excluded(Path::new("")).unwrap_or_else(|_| Override::empty()),
            left_out: self.left_out(Path::new("")).unwrap_or_else(|_| Gitignore::empty()),
            is_of_folder: ignore.is_some_and(|ignore| ignore.folder.is_some()),
        })
    }

    /// The files below a folder, in name order; for a file, the file. Never endless: a link to a folder above is skipped, and the walk
    /// enters folders again at most 256 times and four times for each folder, whose end is reported once. Unfinished files of
    /// [`save`](crate::save) are skipped.
    ///
    /// ```
    /// use skelmap_batch::{Met, Walk};
    ///
    /// let files = Walk::all().files("../../tests/corpus/archive".as_ref()).filter(|met| matches!(met, Met::File(_)));
    /// assert!(files.count() > 1);
    /// ```
    pub fn files(&self, root: &Path) -> impl Iterator<Item = Met> + use<> {
        // The gate lets the first folder pass.
        let repeats = REPEATS + REPEATS_FOR_EACH_FOLDER;
        let real = root.canonicalize().unwrap_or_else(|_| root.to_owned());
        let (known, root_paths) = (HashSet::from([real.clone()]), (root.to_owned(), real));
        let mut unread = Vec::new();
        let own = self.ignore.as_ref().and_then(|ignore| ignore.folder.clone());
        let folder = &own.unwrap_or_else(|| root_paths.1.clone());
        let mut gate = Gate {
            // Patterns without a meaning are refused by `check`.
            excluded: self.excluded(root).unwrap_or_else(|_| Override::empty()),
            by_place: self.left_out(folder).unwrap_or_else(|_| Gitignore::empty()),
            ignored: (!self.no_ignore).then(|| Ignored::new(root_paths.clone(), &mut unread)),
            hidden: self.hidden,
            is_followed: self.follow,
            root: root_paths,
            known,
            repeats,
            is_exhausted: false,
            faults: VecDeque::new(),
        };
        gate.report(unread);
        let mut entries = WalkDir::new(root).follow_links(self.follow).sort_by_file_name().into_iter();
        let root = root.to_owned();
        let mut next = None;
        std::iter::from_fn(move || {
            loop {
                // What keeps the walk out of a folder comes before what follows the folder.
                if let Some(met) = gate.faults.pop_front().or_else(|| next.take()) {
                    return Some(met);
                }
                next = match entries.next()? {
                    Ok(entry) if gate.passes(&entry) => of_entry(entry),
                    Ok(entry) => {
                        if entry.file_type().is_dir() {
                            entries.skip_current_dir();
                        }
                        None
                    }
                    Err(error) => failed(error, &root),
                };
            }
        })
    }
}

/// The most folders of an entry that are matched, from the archive down and from the entry up: no system has as many, and each costs the length of its path.
const MAX_DEPTH: usize = 256;

/// What patterns leave out of archives.
#[derive(Clone, Debug)]
pub(crate) struct ExcludedEntries {
    excluded: Override,
    left_out: Gitignore,
    /// Whether the lines belong to a folder: they match whole names then, and otherwise, as other patterns do, names below the folder that is named.
    is_of_folder: bool,
}

impl ExcludedEntries {
    /// Whether an entry, or a folder on the way to it, is left out. `root`: the folder of the archive that is named, which is looked at whatever it is
    /// called, as on a disk. It ends in `/`, and is empty for the archive.
    pub(crate) fn has(&self, name: &str, root: &str) -> bool {
        let normal = |name: &str| -> PathBuf {
            Path::new(name).components().filter(|part| matches!(part, Component::Normal(_))).collect()
        };
        let (below, whole) = (normal(name.strip_prefix(root).unwrap_or(name)), normal(name));
        let depth = below.components().count();
        let parts = below.ancestors().zip(whole.ancestors()).take(depth).enumerate();
        let is_near = |above: usize| above < MAX_DEPTH || depth - above <= MAX_DEPTH;
        parts.into_iter().filter(|(above, _)| is_near(*above)).any(|(above, (below, whole))| {
            let line = if self.is_of_folder { whole } else { below };
            self.excluded.matched(below, above > 0).is_ignore() || self.left_out.matched(line, above > 0).is_ignore()
        })
    }
}

/// A file; nothing for a folder, which the walk enters, and for a link that is not followed.
fn of_entry(entry: DirEntry) -> Option<Met> {
    let kind = entry.file_type();
    let path = if entry.depth() == 0 { entry.into_path() } else { address(entry.into_path()) };
    match kind {
        _ if kind.is_dir() || kind.is_symlink() => None,
        _ if kind.is_file() => (!is_partial(&path)).then_some(Met::File(path)),
        _ => Some(Met::Other(path)),
    }
}

/// What is found in folders has `/` between its parts on every system, as entries of archives have: rows made on one are those made on another.
/// A path for Windows that begins with `\\?\` has another meaning with `/`, and stays.
fn address(path: PathBuf) -> PathBuf {
    match path.to_str().filter(|_| cfg!(windows)) {
        Some(text) if !text.starts_with(r"\\?\") => text.replace('\\', "/").into(),
        _ => path,
    }
}

/// A fault of the walk; none for a link to a folder above.
fn failed(error: walkdir::Error, root: &Path) -> Option<Met> {
    if error.loop_ancestor().is_some() {
        return None;
    }
    let path = error.path().map_or_else(|| root.to_owned(), |path| address(path.to_owned()));
    let error = error.into_io_error().unwrap_or_else(|| io::Error::other("cannot be walked"));
    Some(Met::Failed { path, error })
}

/// Patterns for names, of which some begin with `!`: these leave names out.
#[derive(Clone, Debug)]
pub struct Patterns {
    wanted: GlobSet,
    unwanted: GlobSet,
}

impl Patterns {
    /// # Errors
    /// A pattern that has no meaning.
    pub fn new(patterns: &[String], ignore_case: bool) -> Result<Self, globset::Error> {
        let (unwanted, wanted): (Vec<_>, Vec<_>) = patterns.iter().partition(|pattern| pattern.starts_with('!'));
        let unwanted: Vec<String> = unwanted.into_iter().map(|pattern| pattern.replacen('!', "", 1)).collect();
        let wanted: Vec<String> = wanted.into_iter().cloned().collect();
        Ok(Self { wanted: globs(&wanted, ignore_case)?, unwanted: globs(&unwanted, ignore_case)? })
    }

    /// Whether a name is wanted: without a pattern that wants some, all are.
    pub fn has(&self, name: impl AsRef<Path>) -> bool {
        let name = name.as_ref();
        (self.wanted.is_empty() || self.wanted.is_match(name)) && !self.unwanted.is_match(name)
    }
}

/// The globs for patterns, two for each: whatever a pattern is compared with, a glob sees the whole name. `art/` means all in folders of this name, `/art/`
/// all in the one at the top.
///
/// # Errors
/// A pattern that has no meaning.
pub fn globs(patterns: &[String], ignore_case: bool) -> Result<GlobSet, globset::Error> {
    let mut set = GlobSetBuilder::new();
    for pattern in patterns {
        let glob = |text: &str| GlobBuilder::new(text).literal_separator(true).case_insensitive(ignore_case).build();
        // Messages name the pattern as it was given.
        glob(pattern)?;
        // A folder is all that is in it.
        let pattern = &if pattern.ends_with('/') { format!("{pattern}**") } else { pattern.clone() };
        let (first, second) = match pattern.strip_prefix('/') {
            Some(whole) => (glob(whole)?, glob(whole)?),
            None if pattern.contains('/') => (glob(pattern)?, glob(&format!("**/{pattern}"))?),
            None => (glob(&format!("**/{pattern}"))?, glob(&format!("**/{pattern}/**"))?),
        };
        set.add(first).add(second);
    }
    set.build()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn excluding(pattern: &str) -> Walk {
        Walk { exclude: vec![pattern.to_owned()], ..Walk::default() }
    }

    fn ignoring(pattern: &str) -> Walk {
        Walk { ignore: Some(Ignore { folder: None, patterns: vec![pattern.to_owned()] }), ..Walk::default() }
    }

    #[test]
    fn a_pattern_for_folders_leaves_out_what_is_in_them_and_no_entry_of_that_name() {
        for walk in [excluding("old/"), ignoring("old/")] {
            let excluded = walk.excluded_entries().expect("a pattern");
            let has = |name: &str| excluded.has(name, "");
            assert!(has("old/a.psk") && has("art/old/a.psk") && has("art/old/new/a.psk"), "{walk:?}");
            assert!(!has("old") && !has("art/old") && !has("older/a.psk"), "{walk:?}");
            // However deep the entry is.
            assert!(has(&format!("old/{}a.psk", "d/".repeat(300))), "{walk:?}");
            // The folder that is named is looked at whatever it is called.
            assert!(!excluded.has("art/old/a.psk", "art/old/") && excluded.has("old/old/a.psk", "old/"), "{walk:?}");
        }
        for walk in [excluding("*.psk"), ignoring("*.psk")] {
            let excluded = walk.excluded_entries().expect("a pattern");
            assert!(excluded.has("art/a.psk", "") && !excluded.has("art/a.psa", ""), "{walk:?}");
        }
    }

    #[test]
    fn patterns_of_either_kind_are_patterns() {
        let none = Walk { ignore: Some(Ignore { folder: None, patterns: Vec::new() }), ..Walk::default() };
        for (walk, expected) in [(Walk::default(), false), (none, false), (excluding("a"), true), (ignoring("a"), true)]
        {
            let found = (walk.has_patterns(), walk.excluded_entries().is_some());
            assert_eq!(found, (expected, expected), "{walk:?}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_socket_is_met_and_is_no_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let [file, socket] = ["a.psk", "b.psk"].map(|name| folder.path().join(name));
        std::fs::write(&file, "x").expect("written");
        let _open = std::os::unix::net::UnixListener::bind(&socket).expect("a socket");
        let met: Vec<Met> = Walk::all().files(folder.path()).collect();
        assert!(matches!(&met[..], [Met::File(one), Met::Other(other)] if *one == file && *other == socket), "{met:?}");
    }
}
