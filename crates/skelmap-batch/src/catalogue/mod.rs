//! A row for every asset, or every sequence of it, in one file that appears when it is complete; and a page about all of them.

mod page;
mod pictures;
mod resume;
mod sequences;
mod shard;
mod survey;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::items::{Item, Options, Sources};

use crate::columns::{Entry, catalogue_fields};
use crate::partial::{Partial, path_of};
use crate::query::{Plan, Query, QueryError, Report};
use crate::report::{Field, Format, buffered};
use crate::{Find, PatternError, Run, Source, Tally, save, unfinished};
pub use page::page;
pub use resume::{Finished, Refusal};
pub use sequences::entry;
pub use shard::Shard;
pub use survey::{Survey, Surveyed};

/// The asset or sequence of a row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "a row is for an asset or for a part of it")]
pub enum Per {
    /// A row for each asset.
    #[default]
    Asset,
    /// A row for each sequence of an asset, or one for an asset without sequences.
    Sequence,
}

/// The content of the rows of a catalogue.
#[derive(Clone, Copy, Debug, Default)]
#[expect(clippy::exhaustive_structs, reason = "made by struct update from its default")]
pub struct Rows {
    /// What a row is for.
    pub per: Per,
    /// Whether rows have a hash of the content.
    pub content_hash: bool,
    /// Whether rows have the box around a mesh, and its height.
    pub extent: bool,
}

impl Rows {
    /// The columns of the rows.
    pub fn fields(self) -> Vec<Field<Entry>> {
        catalogue_fields(self.per == Per::Sequence, self.extent)
    }

    /// How the rows are read.
    pub fn options(self, source: &Source) -> Options {
        Options { parse: source.parse, joins: true, content_hash: self.content_hash, extent: self.extent }
    }
}

/// A catalogue in a file.
#[derive(Clone, Debug)]
#[expect(clippy::exhaustive_structs, reason = "a choice each")]
pub struct Catalogue {
    /// Which files.
    pub find: Find,
    /// What the rows have.
    pub rows: Rows,
    /// A part of the work.
    pub shard: Option<Shard>,
    /// Which rows and columns are written.
    pub query: Query,
    /// The file.
    pub output: PathBuf,
    /// Its format.
    pub format: Format,
    /// Continue a run that was stopped.
    pub resume: bool,
    /// With `resume`: make all rows again.
    pub rehash: bool,
    /// Replace the file if it exists.
    pub force: bool,
}

/// Why there is no catalogue.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CatalogueError {
    /// A pattern for names that has no meaning.
    #[error(transparent)]
    Pattern(#[from] PatternError),
    /// A question that has no meaning.
    #[error(transparent)]
    Query(#[from] QueryError),
    /// Parquet is written as a whole.
    #[error("--resume is not for Parquet, which is written as a whole")]
    ResumedParquet,
    /// Rows of another run that are not continued.
    #[error("{refusal}")]
    Refused {
        /// The file with the rows.
        path: PathBuf,
        /// Why not.
        refusal: Refusal,
    },
    /// The file cannot be written.
    #[error(transparent)]
    NotWritten(#[from] io::Error),
}

/// The numbers of assets and rows.
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct Written {
    /// The assets of this run.
    pub done: Tally,
    /// The rows of this run.
    pub rows: u64,
    /// The assets of an earlier run.
    pub kept: Tally,
}

impl Written {
    /// Writes the rows of an asset.
    ///
    /// # Errors
    /// Those of the output.
    pub fn add(&mut self, entry: Entry, report: &mut Report<Entry>) -> io::Result<()> {
        self.done.count(entry.row.error.is_some(), entry.row.is_unreadable());
        let added = entry.each_row(|entry| report.row(entry));
        self.rows = report.rows().try_into().unwrap_or(u64::MAX);
        added
    }
}

/// The format that the extension of a file promises.
pub fn format_of(output: &Path) -> Option<Format> {
    let known = [("jsonl", Format::Jsonl), ("csv", Format::Csv), ("parquet", Format::Parquet)];
    let extension = output.extension()?;
    known.into_iter().find(|(name, _)| extension.eq_ignore_ascii_case(name)).map(|(_, format)| format)
}

impl Catalogue {
    /// The assets that get rows.
    ///
    /// # Errors
    /// A pattern that has no meaning.
    pub fn sources(&self, source: &Source) -> Result<Sources, PatternError> {
        let mut sources = self.find.sources(source)?;
        if let Some(shard) = self.shard {
            shard.keep(&mut sources);
        }
        Ok(sources)
    }

    /// Which rows and columns are written.
    ///
    /// # Errors
    /// A question that has no meaning.
    pub fn plan(&self) -> Result<Plan, QueryError> {
        self.query.plan(&self.rows.fields(), self.format)
    }

    /// Whether the file may be replaced.
    pub const fn replaces(&self) -> bool {
        self.force || self.rehash
    }

    /// The catalogue that an earlier run has finished, if there is nothing to resume.
    ///
    /// # Errors
    /// A file that cannot be read, or is no such catalogue.
    pub fn finished(&self, source: &Source) -> Result<Option<Finished>, CatalogueError> {
        let output = &self.output;
        let is_begun = || path_of(output, &source.parse, self.rows.extent, false).symlink_metadata().is_ok();
        if !self.resume || self.replaces() || is_begun() || !output.is_file() {
            return Ok(None);
        }
        let found = resume::find_finished(self, &self.sources(source)?)?;
        found.transpose().map_err(|refusal| CatalogueError::Refused { path: output.clone(), refusal })
    }

    /// Writes the rows. `changed` gets the first asset that has changed since an earlier run, whose row is made again.
    ///
    /// # Errors
    /// [`CatalogueError`].
    pub fn write(&self, source: &Source, run: Run<'_>, changed: impl FnOnce(&str)) -> Result<Written, CatalogueError> {
        let (output, format) = (self.output.as_path(), self.format);
        if format == Format::Parquet && self.resume {
            return Err(CatalogueError::ResumedParquet);
        }
        let (plan, has_query) = (self.plan()?, self.query.is_some());
        let mut tally = Written::default();
        let options = self.rows.options(source);
        let work = |item: &Item| entry(item, &source.opener, &options, self.rows.per);
        let path = path_of(output, &source.parse, self.rows.extent, has_query);
        let earlier = if self.resume { Partial::open(path.clone())? } else { None };
        // An unfinished Parquet file is useless, and which assets the rows of a query come from is not known.
        let is_kept = format != Format::Parquet && !has_query;
        let is_begun = earlier.is_some();
        // The lock comes before the walk, which may take a while: two runs do not do the same work.
        let partial = match earlier {
            Some(partial) => partial,
            None => Partial::create(path, self.force, is_kept)?,
        };
        let prepared = save::replaceable(output, self.replaces()).map_err(CatalogueError::from);
        let prepared = prepared.and_then(|old| Ok((old, self.sources(source)?)));
        let (old, mut sources) = match prepared {
            Ok(prepared) => prepared,
            Err(failure) if is_begun => return Err(failure),
            Err(failure) => {
                unfinished::finish(&partial.path, || partial.remove());
                return Err(failure);
            }
        };
        if is_begun {
            let mut file = partial.file()?;
            let gives_rows = |item: &Item| work(item).is_some();
            let resumed = resume::resume(&mut file, &mut sources, self, gives_rows)?;
            let refused = |refusal| CatalogueError::Refused { path: partial.path.clone(), refusal };
            let resumed = resumed.map_err(refused)?;
            if let Some(asset) = resumed.changed {
                changed(&asset);
            }
            tally.kept = resumed.kept;
        }
        let written = partial.file().and_then(|file| {
            let (out, has_rows) = (buffered(file.try_clone()?), is_begun && partial.has_rows());
            let mut report = Report::planned_to(out, self.rows.fields(), format, has_rows, plan)?;
            run.items(&sources, source, options.need(), work, |entry| tally.add(entry, &mut report))?;
            report.end()?;
            file.sync_all()?;
            old.map_or(Ok(()), |permissions| fs::set_permissions(&partial.path, permissions))
        });
        unfinished::finish(&partial.path, || match written.and_then(|()| partial.persist(output, self.replaces())) {
            Err(error) if is_kept && partial.has_rows() && !save::is_busy(&error) => {
                let part = partial.path.display();
                let message = if error.kind() == io::ErrorKind::AlreadyExists {
                    format!(
                        "another run has written it meanwhile ({part} has the rows of this run: --resume --force puts them in its place)"
                    )
                } else {
                    format!("{error} (--resume continues {part})")
                };
                Err(io::Error::new(error.kind(), message))
            }
            Err(error) => {
                partial.remove();
                Err(error)
            }
            Ok(()) => Ok(()),
        })?;
        Ok(tally)
    }
}
