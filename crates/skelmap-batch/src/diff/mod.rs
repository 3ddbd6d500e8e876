//! What differs between two files, folders, archives or catalogues.

mod asset;
mod catalogues;
mod lists;

use std::fmt::Display;
use std::io;
use std::path::{Path, PathBuf};

use crate::items::{Loaded, SCHEMA};
use skelmap::archive::{Address, AddressError};

use self::catalogues::form_of;
use crate::columns::{PATH_COLUMN, SCHEMA_COLUMN};
use crate::lines::LineError;
use crate::report::{Field, Look, PATH, Values, double, field, text};
use crate::{Find, PatternError, Run, Source, Walk};

/// How two files, folders, archives or catalogues are compared.
#[derive(Clone, Debug, Default)]
#[expect(clippy::exhaustive_structs, reason = "made by struct update from its default")]
pub struct DiffOptions {
    /// The largest difference of a place (in the unit of the file) or an angle (in radians) that is none.
    pub tolerance: f64,
    /// Compare the content of files that have changed.
    pub deep: bool,
    /// Compare all other files of folders and archives too.
    pub all: bool,
    /// How folders are walked.
    pub walk: Walk,
    /// Only files whose paths match, as [`Find::glob`].
    pub glob: Vec<String>,
}

/// Why two things are not compared.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DiffError {
    /// A pattern for names that has no meaning.
    #[error(transparent)]
    Pattern(#[from] PatternError),
    /// A catalogue, and something else.
    #[error("a catalogue can be compared with another catalogue only")]
    Mixed,
    /// A catalogue in Parquet.
    #[error("{}: catalogues in Parquet are not compared: write them with --format jsonl or csv", Address::find(.0))]
    Parquet(PathBuf),
    /// Catalogues of two formats, without hashes of the content.
    #[error("catalogues of two formats are compared by --content-hash only: write both with it, or in one format")]
    TwoFormats,
    /// A file, and a folder or an archive.
    #[error("{} is a file, and {} is a folder or an archive", Address::find(file), Address::find(other))]
    FileAndFolder {
        /// The file.
        file: PathBuf,
        /// The other one.
        other: PathBuf,
    },
    /// A mesh and an animation.
    #[error("{}: {before} and {after}: a mesh cannot be compared with an animation", Address::find(path))]
    TwoKinds {
        /// The second file.
        path: PathBuf,
        /// The format of the first file.
        before: skelmap::Format,
        /// The format of the second file.
        after: skelmap::Format,
    },
    /// A folder or archive without a file.
    #[error("{}: no file to compare", Address::find(.0))]
    NoFile(PathBuf),
    /// Patterns that leave no file of both sides.
    #[error("no file left by --glob and --exclude")]
    NothingLeft,
    /// A file that cannot be opened.
    #[error(transparent)]
    Open(#[from] AddressError),
    /// A file that is no asset.
    #[error("{}: {error}", Address::find(path))]
    Asset {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        error: skelmap::Error,
    },
    /// A file that is no catalogue, or cannot be read.
    #[error("{}: {error}", Address::find(path))]
    Catalogue {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        error: LineError,
    },
    /// The caller takes no more differences.
    #[error(transparent)]
    Output(#[from] io::Error),
}

/// What has become of something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Change {
    /// Only the second one has it.
    Added,
    /// Only the first one has it.
    Removed,
    /// It has another value.
    Changed,
    /// It is at another place.
    Moved,
    /// It has another rotation.
    Turned,
    /// It has another parent.
    Reparented,
}

impl Change {
    /// All kinds of changes.
    pub const ALL: [Self; 6] = [Self::Added, Self::Removed, Self::Changed, Self::Moved, Self::Turned, Self::Reparented];

    /// The word of reports.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Added => "added",
            Self::Removed => "removed",
            Self::Changed => "changed",
            Self::Moved => "moved",
            Self::Turned => "turned",
            Self::Reparented => "reparented",
        }
    }
}

/// One difference.
#[derive(Debug)]
pub struct Difference {
    /// The path of the file below the two that are compared; `None` for two files.
    path: Option<String>,
    /// What has become of it.
    pub change: Change,
    /// What differs: a file, a bone, a count.
    what: &'static str,
    name: Option<String>,
    before: Option<String>,
    after: Option<String>,
    difference: Option<f64>,
}

impl Difference {
    fn new(change: Change, what: &'static str, name: impl Into<String>) -> Self {
        let name = Some(name.into());
        Self { path: None, change, what, name, before: None, after: None, difference: None }
    }

    fn from(self, before: impl Into<String>, after: impl Into<String>) -> Self {
        Self { before: Some(before.into()), after: Some(after.into()), ..self }
    }

    fn by(self, difference: f64) -> Self {
        Self { difference: Some(difference), ..self }
    }
}

/// The columns of a difference.
pub fn fields() -> Vec<Field<Difference>> {
    let path =
        PATH_COLUMN.means("the path below the folders, archives or catalogues that are compared; null for two files");
    let change = text("change").of(Values::OneOf(|| Change::ALL.map(Change::code).to_vec()));
    let what = text("what").drop_order(1).of(Values::OneOf(|| WHAT.to_vec())).means("the kind of thing that differs");
    let name = text("name").nullable().means("the name of what differs; null for a file, which has its path");
    let before = text("before").nullable();
    let before =
        before.means("the value in the first: a size, a count, a parent, a place; the old path of a file that moved");
    let difference = double("difference").look(Look::Figure).drop_order(2).nullable().of(Values::Size);
    let difference = difference
        .means("the largest difference: a distance in units of the file (moved) or an angle in radians (turned)");
    vec![
        field(SCHEMA_COLUMN.json(), |_| SCHEMA.into()),
        field(path.nullable().data(), |row: &Difference| row.path.as_ref().into()),
        field(change.means("the kind of difference"), |row| row.change.code().into()),
        field(what, |row| row.what.into()),
        field(name, |row| row.name.as_ref().into()),
        field(before, |row| row.before.as_ref().into()),
        field(text("after").nullable().means("the value in the second"), |row| row.after.as_ref().into()),
        field(difference, |row| row.difference.into()),
        field(PATH.keyed("path"), |row| row.path.as_ref().into()),
    ]
}

/// The kinds of things that differ.
const WHAT: [&str; 10] =
    ["file", "format", "count", "bone", "material", "morph target", "socket", "records", "sequence", "track"];

/// Where differences go.
pub trait Take {
    /// Takes a difference.
    ///
    /// # Errors
    /// Those of an output.
    fn difference(&mut self, difference: &Difference) -> io::Result<()>;

    /// Takes why a file is not compared.
    fn failed(&mut self, message: String);

    /// Takes something that people should know of a file. Many files may have the same note.
    fn note(&mut self, path: &dyn Display, note: String);
}

/// Where differences go, and how many files cannot be read.
struct Differences<'t> {
    take: &'t mut (dyn Take + Send),
    tolerance: f64,
    failed: u64,
}

/// Compares two files, folders, archives or catalogues. Returns the number of files that cannot be read.
///
/// # Errors
/// [`DiffError`].
pub fn diff(
    sides: [&Path; 2],
    options: &DiffOptions,
    source: &Source,
    run: Run<'_>,
    take: &mut (dyn Take + Send),
) -> Result<u64, DiffError> {
    let mut found = Differences { take, tolerance: options.tolerance, failed: 0 };
    let [before, after] = sides;
    match (form_of(before)?, form_of(after)?) {
        (Some(old), Some(new)) => catalogues::compare(sides, [old, new], options, &mut found)?,
        (None, None) => compare(sides, options, source, run, &mut found)?,
        _ => return Err(DiffError::Mixed),
    }
    Ok(found.failed)
}

/// Compares two files, or two lists of files.
fn compare(
    sides: [&Path; 2],
    options: &DiffOptions,
    source: &Source,
    run: Run<'_>,
    found: &mut Differences<'_>,
) -> Result<(), DiffError> {
    let find = |path: &Path| {
        let find = Find {
            paths: vec![path.to_owned()],
            walk: options.walk.clone(),
            glob: options.glob.clone(),
            others: options.all,
        };
        find.sources(source).map(|sources| lists::Side { root: path.to_owned(), place: Address::find(path), sources })
    };
    let [before, after] = sides.map(find);
    let (before, after) = (before?, after?);
    match [before.is_file(), after.is_file()] {
        [true, true] => {
            let [one, other] = sides.map(|path| source.open_path(path));
            for row in compare_files([&one?, &other?], sides, found)? {
                found.take.difference(&row)?;
            }
            Ok(())
        }
        [false, false] => lists::compare(&before, &after, options, source, run, found),
        [is_file, _] => {
            let [before, after] = sides;
            let (file, other) = if is_file { (before, after) } else { (after, before) };
            source.open_path(file)?;
            Err(DiffError::FileAndFolder { file: file.to_owned(), other: other.to_owned() })
        }
    }
}

/// What differs between two files; nothing where their bytes are the same.
fn compare_files(
    [before, after]: [&Loaded; 2],
    [old, new]: [&Path; 2],
    found: &mut Differences<'_>,
) -> Result<Vec<Difference>, DiffError> {
    if before.stored() == after.stored() {
        return Ok(Vec::new());
    }
    let failed = |path: &Path| {
        let path = path.to_owned();
        |error| DiffError::Asset { path, error }
    };
    let (before, after) = (before.asset().map_err(failed(old))?, after.asset().map_err(failed(new))?);
    let (one, other) = (before.format(), after.format());
    if one.is_mesh() != other.is_mesh() {
        return Err(DiffError::TwoKinds { path: new.to_owned(), before: one, after: other });
    }
    let path = Address::of_file(new);
    if !asset::is_measured(&before, &after) {
        found
            .take
            .note(&path, format!("{one} and {other} have other units and axes: only names and counts are compared"));
    }
    let (rows, is_whole) = asset::compare(&before, &after, found.tolerance);
    if !is_whole {
        found
            .take
            .note(&path, "it states far more keys than it has bytes, and some of them were not compared".to_owned());
    }
    if rows.is_empty() {
        found.take.note(&path, "the bytes differ, but no compared value differs by more than the tolerance".to_owned());
    }
    Ok(rows)
}
