//! The rows of `skelmap catalog` for another program: as a file that is complete or absent, or in memory. The Python package stands on
//! this; for other programs nothing here is stable.

use std::io;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use skelmap::ParseOptions;
use skelmap::archive::Limits;
use skelmap::catalog::{Item, Options, Sources};
use skelmap::mapping::Opener;

use crate::catalog::{Per, Shard, entry, format_of, prove_no_input};
use crate::files::each_watched;
use crate::outcome::Tally;
use crate::output::buffered;
use crate::report::Report;
use crate::row::{Entry, catalogue_fields};
use crate::save::{save, sync_folder, to_disk};
pub use crate::watch::Watch;

/// What to make rows of.
#[derive(Debug)]
pub struct Request {
    /// Files, folders, archives, and addresses of entries.
    pub paths: Vec<PathBuf>,
    /// How files are opened.
    pub opener: Opener,
    /// How files are parsed.
    pub parse: ParseOptions,
    /// Whether each sequence has a row.
    pub per_sequence: bool,
    /// Part I of N parts of the work.
    pub shard: Option<(u64, u64)>,
    /// Whether rows have a hash of the content.
    pub content_hash: bool,
    /// Whether rows have the room that a mesh takes.
    pub extent: bool,
    /// The number of threads; one for each processor by default.
    pub jobs: Option<NonZeroUsize>,
}

/// The numbers of what was read.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counts {
    /// Assets.
    pub assets: u64,
    /// Rows.
    pub rows: u64,
    /// Assets with an error.
    pub bad: u64,
}

impl Request {
    fn find(&self, watch: &Watch) -> io::Result<Sources> {
        let shard = self.shard.map(|(index, count)| Shard::new(index, count).ok_or_else(no_such_part)).transpose()?;
        let mut sources = Sources::find(&self.paths, &self.opener, &Limits::default());
        if let Some(shard) = shard {
            shard.keep(&mut sources);
        }
        watch.prove_running().map(|()| sources)
    }

    fn each_row(
        &self,
        sources: &Sources,
        watch: &Watch,
        mut each: impl FnMut(&Entry) -> io::Result<()> + Send,
    ) -> io::Result<Counts> {
        let per = if self.per_sequence { Per::Sequence } else { Per::Asset };
        let Self { parse, content_hash, extent, .. } = *self;
        let options = Options { parse, joins: true, content_hash, extent };
        let work = |item: &Item| entry(item, &self.opener, &options, per);
        let (mut tally, mut rows) = (Tally::default(), 0);
        each_watched(sources, self.jobs, watch, work, |entry| {
            tally.count(entry.row.error.is_some(), entry.row.is_unreadable());
            entry.each_row(|entry| {
                rows += 1;
                each(entry)
            })
        })?;
        Ok(Counts { assets: tally.files, rows, bad: tally.bad })
    }

    /// Writes the rows to a file: JSON lines, CSV or Parquet by its extension. The file appears when it is complete and on the disk.
    ///
    /// # Errors
    /// A file that exists, is one of the inputs, has another extension or cannot be written;
    /// [`Interrupted`](io::ErrorKind::Interrupted) if the work was stopped.
    pub fn write(&self, output: &Path, watch: &Watch) -> io::Result<Counts> {
        let unknown = || io::Error::new(io::ErrorKind::InvalidInput, "expected a name in .jsonl, .csv or .parquet");
        let format = format_of(output).ok_or_else(unknown)?;
        prove_no_input(output, &self.paths)?;
        // A run that is stopped before there is a row leaves nothing to be removed.
        let sources = self.find(watch)?;
        let mut counts = Counts::default();
        save(output, false, |out| {
            let fields = catalogue_fields(self.per_sequence, self.extent);
            let mut report = Report::to(buffered(out.get_ref().try_clone()?), fields, format, false)?;
            counts = self.each_row(&sources, watch, |entry| report.row(entry))?;
            report.end()?;
            to_disk(out)
        })?;
        sync_folder(output)?;
        Ok(counts)
    }

    /// The rows in memory, with their schema.
    ///
    /// # Errors
    /// [`Interrupted`](io::ErrorKind::Interrupted) if the work was stopped.
    #[cfg(feature = "arrow")]
    pub fn to_batches(
        &self,
        watch: &Watch,
    ) -> io::Result<(arrow_schema::SchemaRef, Vec<arrow_array::RecordBatch>, Counts)> {
        let mut rows = crate::report::Arrow::new(catalogue_fields(self.per_sequence, self.extent));
        let counts = self.each_row(&self.find(watch)?, watch, |entry| rows.row(entry))?;
        let (schema, batches) = rows.end()?;
        Ok((schema, batches, counts))
    }
}

fn no_such_part() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, "expected a shard (I, N) with I from 1 to N")
}
