//! Which files are looked at: paths, the files below folders in an order that depends on names alone, and patterns for names.

use std::collections::{HashSet, VecDeque};
use std::error::Error as _;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use ignore::overrides::{Override, OverrideBuilder};
use ignore::{DirEntry, Error, WalkBuilder};

use crate::ignored::{Ignored, Unread};
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
    /// Patterns match in any case.
    pub ignore_case: bool,
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
    Exclude(#[from] ignore::Error),
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

/// What decides whether a walk enters a folder or looks at a file: the rules of ignore files, and a budget for links.
struct Gate {
    /// `None`: all files are looked at that the crate does not leave out.
    ignored: Option<Ignored>,
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
        let is_folder = entry.file_type().is_some_and(|kind| kind.is_dir());
        let mut unread = Vec::new();
        let is_ignored = self.ignored.as_mut().is_some_and(|own| own.has(entry.path(), is_folder, &mut unread));
        self.report(unread);
        !is_ignored && (!is_folder || self.has_budget(entry.path()))
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
        let (root, real) = &self.root;
        let is_own = path.strip_prefix(root).is_ok_and(|below| real.join(below) == place);
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
        self.excluded(Path::new("")).map(drop).map_err(PatternError::Exclude)
    }

    fn excluded(&self, root: &Path) -> Result<Override, Error> {
        let mut excluded = OverrideBuilder::new(root);
        excluded.case_insensitive(self.ignore_case)?;
        for pattern in &self.exclude {
            excluded.add(&format!("!{pattern}"))?;
        }
        excluded.build()
    }

    /// Says whether the name of an entry, or of a folder on the way to it, is one to leave out.
    pub(crate) fn excludes(&self) -> impl Fn(&str) -> bool + use<> {
        let excluded = self.excluded(Path::new("")).unwrap_or_else(|_| Override::empty());
        move |name| {
            let mut ancestors = Path::new(name.trim_start_matches('/')).ancestors().enumerate();
            !excluded.is_empty()
                && ancestors
                    .any(|(above, path)| !path.as_os_str().is_empty() && excluded.matched(path, above > 0).is_ignore())
        }
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
        // The filter does not see the first folder.
        let repeats = REPEATS + REPEATS_FOR_EACH_FOLDER;
        let real = root.canonicalize().unwrap_or_else(|_| root.to_owned());
        let (known, root_paths) = (HashSet::from([real.clone()]), (root.to_owned(), real));
        let mut unread = Vec::new();
        let ignored = (!self.no_ignore).then(|| Ignored::new(root_paths.clone(), self.hidden, &mut unread));
        let (is_followed, faults) = (self.follow, VecDeque::new());
        let mut gate = Gate { ignored, is_followed, root: root_paths, known, repeats, is_exhausted: false, faults };
        gate.report(unread);
        let gate = Arc::new(Mutex::new(gate));
        let known = Arc::clone(&gate);
        let mut entries = WalkBuilder::new(root)
            // Ignore files are read by the gate.
            .standard_filters(false)
            .hidden(self.no_ignore && !self.hidden)
            .follow_links(self.follow)
            // Patterns without a meaning are refused by `check`.
            .overrides(self.excluded(root).unwrap_or_else(|_| Override::empty()))
            .sort_by_file_name(std::cmp::Ord::cmp)
            .filter_entry(move |entry| known.lock().unwrap_or_else(PoisonError::into_inner).passes(entry))
            .build();
        let root = root.to_owned();
        let mut met = VecDeque::new();
        std::iter::from_fn(move || {
            while met.is_empty() {
                let entry = entries.next();
                met.append(&mut gate.lock().unwrap_or_else(PoisonError::into_inner).faults);
                match entry {
                    Some(entry) => met.extend(of_entry(entry, &root)),
                    None => break,
                }
            }
            met.pop_front()
        })
    }
}

fn of_entry(entry: Result<DirEntry, Error>, root: &Path) -> Option<Met> {
    match entry {
        Ok(entry) => {
            let kind = entry.file_type()?;
            let path = entry.into_path();
            match kind {
                _ if kind.is_dir() || kind.is_symlink() => None,
                _ if kind.is_file() => (!is_partial(&path)).then_some(Met::File(path)),
                _ => Some(Met::Other(path)),
            }
        }
        Err(error) => failed(error, root),
    }
}

/// A fault of the walk; none for a link to a folder above.
fn failed(error: Error, root: &Path) -> Option<Met> {
    let (mut error, mut path) = (error, root.to_owned());
    loop {
        error = match error {
            Error::WithPath { path: own, err } => {
                path = own;
                *err
            }
            Error::WithDepth { err, .. } | Error::WithLineNumber { err, .. } => *err,
            Error::Loop { .. } => return None,
            other => {
                let error = other.into_io_error().map(without_path);
                let error = error.unwrap_or_else(|| io::Error::other("cannot be walked"));
                return Some(Met::Failed { path, error });
            }
        }
    }
}

/// The error of the system inside of one that names the path.
fn without_path(error: io::Error) -> io::Error {
    let inner = error.source().and_then(|inner| inner.downcast_ref::<io::Error>());
    inner.and_then(io::Error::raw_os_error).map_or(error, io::Error::from_raw_os_error)
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

/// The globs for patterns, two for each: whatever a pattern is compared with, a glob sees the whole name.
///
/// # Errors
/// A pattern that has no meaning.
pub fn globs(patterns: &[String], ignore_case: bool) -> Result<GlobSet, globset::Error> {
    let mut set = GlobSetBuilder::new();
    for pattern in patterns {
        let glob = |text: &str| GlobBuilder::new(text).literal_separator(true).case_insensitive(ignore_case).build();
        // Messages name the pattern as it was given.
        let given = glob(pattern)?;
        let (first, second) = match pattern.strip_prefix('/') {
            Some(whole) => (glob(whole)?, glob(whole)?),
            None if pattern.contains('/') => (given, glob(&format!("**/{pattern}"))?),
            None => (glob(&format!("**/{pattern}"))?, glob(&format!("**/{pattern}/**"))?),
        };
        set.add(first).add(second);
    }
    set.build()
}
