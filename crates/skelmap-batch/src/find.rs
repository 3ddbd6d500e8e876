//! Which files are looked at: paths and patterns for names.

use std::path::{Path, PathBuf};

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use skelmap::archive::Address;

use crate::items::Sources;
use crate::{PatternError, Source, Walk};

/// Which files are looked at.
///
/// ```
/// use skelmap_batch::{Find, Source};
///
/// let find = Find { glob: vec!["*fox*".into()], ..Find::all(&["../../corpus"]) };
/// let sources = find.sources(&Source::default())?;
/// assert!(sources.items().iter().all(|item| item.address().to_string().contains("fox")));
/// # Ok::<(), skelmap_batch::PatternError>(())
/// ```
#[derive(Clone, Debug, Default)]
#[expect(clippy::exhaustive_structs, reason = "made by struct update from its default")]
pub struct Find {
    /// Files, folders, archives, places in archives, and objects in stores.
    pub paths: Vec<PathBuf>,
    /// How folders are walked.
    pub walk: Walk,
    /// Only files of folders and entries of archives that match one of these patterns; everything if there are none.
    ///
    /// `*horse*` is compared with the name of each file and of each folder on the way to it, below the folder or archive that is given;
    /// `skeletal/*.pmd` with the last parts of a name, `/art/*` with whole names.
    pub glob: Vec<String>,
    /// Also entries of archives whose names promise no asset.
    pub others: bool,
}

impl Find {
    /// Everything at these paths ([`Walk::all`]).
    pub fn all<P: AsRef<Path>>(paths: &[P]) -> Self {
        let paths = paths.iter().map(|path| path.as_ref().to_owned()).collect();
        Self { paths, walk: Walk::all(), ..Self::default() }
    }

    /// Finds the files. O(files + entries).
    ///
    /// # Errors
    /// A pattern that has no meaning. A path that leads to nothing is an item with a fault.
    pub fn sources(&self, source: &Source) -> Result<Sources, PatternError> {
        let globs = globs(&self.glob, false)?;
        self.walk.check()?;
        let mut sources = Sources::find_by(&self.paths, &source.opener, &source.limits, &self.walk, self.others);
        if !globs.is_empty() {
            sources.retain(|item| item.is_named() || self.is_like(&globs, &item.address()));
        }
        Ok(sources)
    }

    /// Whether the name below a folder, or in an archive, matches.
    fn is_like(&self, globs: &GlobSet, address: &Address) -> bool {
        let path = address.path();
        let below = || self.paths.iter().find_map(|folder| path.strip_prefix(folder).ok().map(Path::to_owned));
        globs.is_match(address.entry().map(PathBuf::from).or_else(below).unwrap_or_else(|| path.to_owned()))
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
