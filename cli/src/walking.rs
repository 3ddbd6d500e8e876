//! Which files of a folder are looked at: as search tools walk folders.

use std::collections::VecDeque;
use std::error::Error as _;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use clap::Args;
use ignore::overrides::{Override, OverrideBuilder};
use ignore::{DirEntry, Error, WalkBuilder};
use skelmap::catalog::{Links, Met, is_partial};

use crate::outcome::Failure;

const FOLDERS: &str = "Folders";

// Which files of a folder are looked at. Comments of flattened arguments are not doc comments.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct Walking {
    /// Look at hidden files and folders too: those whose names begin with a dot.
    #[arg(long, help_heading = FOLDERS, hide_short_help = true)]
    hidden: bool,
    /// Look at files too that .gitignore, .ignore or the exclude file of git names.
    #[arg(long, help_heading = FOLDERS, hide_short_help = true)]
    no_ignore: bool,
    /// Follow symbolic links to files and folders.
    #[arg(long, help_heading = FOLDERS, hide_short_help = true)]
    follow: bool,
    /// Leave out files and folders of folders that match, as a line of .gitignore does; can be given several times.
    #[arg(long, value_name = "GLOB", help_heading = FOLDERS, hide_short_help = true)]
    exclude: Vec<String>,
}

impl Walking {
    /// All files, as programs want them that call a function for a folder.
    pub(crate) fn all() -> Self {
        Self { hidden: true, no_ignore: true, follow: true, exclude: Vec::new() }
    }

    /// The same without files and folders that match.
    pub(crate) fn without(self, exclude: &[String]) -> Self {
        Self { exclude: exclude.to_vec(), ..self }
    }

    /// An error if a pattern is wrong.
    pub(crate) fn check(&self) -> Result<(), Failure> {
        self.excluded(Path::new("")).map(drop).map_err(|error| Failure::usage(format!("--exclude: {error}")))
    }

    fn excluded(&self, root: &Path) -> Result<Override, Error> {
        let mut excluded = OverrideBuilder::new(root);
        for pattern in &self.exclude {
            excluded.add(&format!("!{pattern}"))?;
        }
        excluded.build()
    }

    /// The files below a folder, in name order. Links have a budget, and unfinished files of the command are skipped.
    pub(crate) fn walk(&self, root: &Path) -> impl Iterator<Item = Met> + use<> {
        let state = Arc::new(Mutex::new(State::default()));
        let known = Arc::clone(&state);
        let lock = |state: &Arc<Mutex<State>>| state.lock().unwrap_or_else(PoisonError::into_inner).exhausted.take();
        let mut entries = WalkBuilder::new(root)
            .standard_filters(!self.no_ignore)
            // The same files on every machine.
            .git_global(false)
            .hidden(!self.hidden)
            .follow_links(self.follow)
            // Wrong patterns were refused before.
            .overrides(self.excluded(root).unwrap_or_else(|_| Override::empty()))
            .sort_by_file_name(std::cmp::Ord::cmp)
            .filter_entry(move |entry| known.lock().unwrap_or_else(PoisonError::into_inner).enters(entry))
            .build();
        let root = root.to_owned();
        let mut met = VecDeque::new();
        std::iter::from_fn(move || {
            while met.is_empty() {
                let entry = entries.next();
                met.extend(lock(&state).map(Links::exhausted));
                match entry {
                    Some(entry) => met.extend(of_entry(entry, &root)),
                    None => break,
                }
            }
            met.pop_front()
        })
    }
}

/// What the filter of a walk knows.
#[derive(Default)]
struct State {
    links: Links,
    is_exhausted: bool,
    /// The first link that may not be entered, until it is reported.
    exhausted: Option<PathBuf>,
}

impl State {
    fn enters(&mut self, entry: &DirEntry) -> bool {
        if !entry.file_type().is_some_and(|kind| kind.is_dir()) {
            return true;
        }
        let enters = self.links.enter(entry.path(), entry.path_is_symlink());
        if !enters && !std::mem::replace(&mut self.is_exhausted, true) {
            self.exhausted = Some(entry.path().to_owned());
        }
        enters
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
