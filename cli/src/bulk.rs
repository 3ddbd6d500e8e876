//! The work of `skelmap catalog`, `check` and `convert` for another program, as functions that are safe to repeat: whatever ends a call,
//! another call with the same arguments does what is left, and a call that finds all done does nothing. The Python package stands on
//! this; for other programs the names may still change.
//!
//! A file of rows is complete as soon as it has its name: it is written under a name of its own and renamed. The name stands for the
//! question. A file that is there is passed over, so other inputs, options or shards need other names. Of two calls at once for one file,
//! the first to finish gives it its name. A folder of conversions has a record of what was made of what, so there the record decides.
//!
//! What a killed call leaves is a file that no other call uses. The next call for the same output removes it, where the file system
//! has locks. For this, each call reads the names in the folder of the output.

use std::io::{self, ErrorKind};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use skelmap::archive::Limits;
use skelmap::catalog::{Fault, Item, Need, Options, Sources};
use skelmap::mapping::Opener;
use skelmap::{ParseOptions, Severity};

use crate::catalog::{Per, Shard, check_no_input, entry, format_of};
use crate::check::{Checked, Findings, check};
use crate::convert::{self, Done, Event};
pub use crate::convert::{ConvertOptions, Kind, OptionError, options_of_json};
use crate::files::{Source, each_watched};
use crate::outcome::Tally;
use crate::output::{Output, buffered};
use crate::report::{Format, Report};
use crate::row::{Entry, catalogue_fields, shown};
use crate::save;
use crate::walking::Walking;
pub use crate::watch::Watch;

/// What to read, and how.
#[derive(Clone, Debug)]
pub struct Work {
    /// Files, folders, archives, and addresses of entries.
    pub paths: Vec<PathBuf>,
    /// How files are opened.
    pub opener: Opener,
    /// How files are parsed.
    pub parse: ParseOptions,
    /// Part I of N parts of the work.
    pub shard: Option<(u64, u64)>,
    /// Whether a file that cannot be opened or read is an error of the whole work. Otherwise it is a row with an error. Damaged data is
    /// always a row.
    pub all_readable: bool,
    /// The number of threads; one for each processor by default.
    pub jobs: Option<NonZeroUsize>,
}

/// What a catalogue has.
#[derive(Clone, Copy, Debug, Default)]
pub struct Rows {
    /// Whether each sequence has a row.
    pub per_sequence: bool,
    /// Whether rows have a hash of the content.
    pub content_hash: bool,
    /// Whether rows have the room that a mesh takes.
    pub extent: bool,
}

/// The numbers of what was read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Assets.
    pub assets: u64,
    /// Rows, or findings.
    pub rows: u64,
    /// Assets with an error.
    pub bad: u64,
}

/// What a conversion did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Conversion {
    /// Outputs that this call wrote.
    pub written: u64,
    /// Outputs that were there, made from the same files with the same options.
    pub kept: u64,
    /// Outputs for which there is nothing to write.
    pub skipped: u64,
    /// Inputs that cannot be read, and outputs that cannot be made.
    pub failures: Vec<String>,
}

impl Work {
    fn find(&self, watch: &Watch) -> io::Result<Sources> {
        let shard = self.shard()?;
        let mut sources = Sources::find(&self.paths, &self.opener, &Limits::default());
        if let Some(shard) = shard {
            shard.keep(&mut sources);
        }
        watch.check_running().map(|()| sources)
    }

    fn shard(&self) -> io::Result<Option<Shard>> {
        let no_such_part = || io::Error::new(ErrorKind::InvalidInput, "expected a shard (I, N) with I from 1 to N");
        self.shard.map(|(index, count)| Shard::new(index, count).ok_or_else(no_such_part)).transpose()
    }

    /// An error if a fault is one of reading, which another attempt may not have.
    fn check_readable(&self, fault: Option<&Fault>, address: impl FnOnce() -> String) -> io::Result<()> {
        match fault.filter(|fault| self.all_readable && !fault.kind.starts_with("zip-")) {
            None => Ok(()),
            Some(fault) => {
                let kind = if fault.kind == "not-found" { ErrorKind::NotFound } else { ErrorKind::Other };
                Err(io::Error::new(kind, format!("{}: {}", address(), fault.message)))
            }
        }
    }

    fn each_row(
        &self,
        rows: Rows,
        sources: &Sources,
        watch: &Watch,
        mut each: impl FnMut(&Entry) -> io::Result<()> + Send,
    ) -> io::Result<Counts> {
        let per = if rows.per_sequence { Per::Sequence } else { Per::Asset };
        let Rows { content_hash, extent, .. } = rows;
        let options = Options { parse: self.parse, joins: true, content_hash, extent };
        let work = |item: &Item| entry(item, &self.opener, &options, per);
        let (mut tally, mut rows) = (Tally::default(), 0);
        each_watched(sources, self.jobs, watch, options.need(), work, |entry| {
            let row = &entry.row;
            tally.count(row.error.is_some(), row.is_unreadable());
            let fault = row.error.as_ref().filter(|_| row.is_unreadable());
            self.check_readable(fault, || shown(&row.path, row.entry.as_deref()))?;
            entry.each_row(|entry| {
                rows += 1;
                each(entry)
            })
        })?;
        Ok(Counts { assets: tally.files, rows, bad: tally.bad })
    }

    /// Writes a file of rows, unless it is there.
    fn write(
        &self,
        output: &Path,
        watch: &Watch,
        write: impl FnOnce(Output, Format, &Sources) -> io::Result<Counts>,
    ) -> io::Result<Option<Counts>> {
        let unknown = || io::Error::new(ErrorKind::InvalidInput, "expected a name in .jsonl, .csv or .parquet");
        let format = format_of(output).ok_or_else(unknown)?;
        check_no_input(output, &self.paths)?;
        save::Work::of(output).remove_orphans(output);
        // A link to a file is one; a folder, or a link to nothing, is in the way.
        if output.is_file() {
            return Ok(None);
        }
        save::replaceable(output, false)?;
        // A run that is stopped before there is a row leaves nothing to be removed.
        let sources = self.find(watch)?;
        let mut counts = Counts::default();
        let saved = save::save(output, false, |out| {
            counts = write(buffered(out.get_ref().try_clone()?), format, &sources)?;
            save::to_disk(out)
        });
        match saved {
            Ok(()) => save::sync_folder(output).map(|()| Some(counts)),
            // Another call was faster.
            Err(error) if error.kind() == ErrorKind::AlreadyExists && output.is_file() => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Writes the rows of a catalogue to a file: JSON lines, CSV or Parquet by its extension. `None`: the file was there.
    ///
    /// # Errors
    /// A file that is one of the inputs, has another extension or cannot be written; [`Interrupted`](ErrorKind::Interrupted) if the work was
    /// stopped.
    pub fn catalog_to(&self, output: &Path, rows: Rows, watch: &Watch) -> io::Result<Option<Counts>> {
        self.write(output, watch, |out, format, sources| {
            let mut report = Report::to(out, catalogue_fields(rows.per_sequence, rows.extent), format, false)?;
            let counts = self.each_row(rows, sources, watch, |entry| report.row(entry))?;
            report.end().map(|()| counts)
        })
    }

    /// Reads all data and writes what is wrong with it to a file: a row for each finding (CSV, Parquet) or for each asset (JSON lines).
    /// `None`: the file was there. `level`: the lowest severity to report.
    ///
    /// # Errors
    /// Those of [`catalog_to`](Self::catalog_to).
    pub fn check_to(&self, output: &Path, level: Severity, watch: &Watch) -> io::Result<Option<Counts>> {
        self.write(output, watch, |out, format, sources| {
            let mut findings = Findings::to(out, format)?;
            let work = |item: &Item| Some(check(item, &item.load(&self.opener, &self.parse)?, level, 1));
            let (mut tally, mut rows) = (Tally::default(), 0);
            each_watched(sources, self.jobs, watch, Need::Content, work, |checked: Checked| {
                tally.count(checked.error.is_some(), checked.is_unreadable);
                let fault = checked.error.as_ref().filter(|_| checked.is_unreadable);
                self.check_readable(fault, || checked.place.to_string())?;
                rows += checked.findings().len() as u64;
                findings.add(&checked)
            })?;
            findings.end()?;
            Ok(Counts { assets: tally.files, rows, bad: tally.bad })
        })
    }

    /// Converts meshes with their animations into a folder, as `skelmap convert --resume --force` does. `animations`: for all meshes, in
    /// place of those among the paths. Each file appears complete or not at all. What is there from the same files with the same options is kept, everything else that has
    /// the name of an output is replaced. Shards may share a folder.
    ///
    /// # Errors
    /// Options that contradict each other, inputs without an asset where one is asked for, a folder that cannot be written to;
    /// [`Interrupted`](ErrorKind::Interrupted) if the work was stopped. An output that cannot be made is not an error:
    /// [`failures`](Conversion::failures) lists it, and the next call tries again.
    pub fn convert_to(
        &self,
        folder: &Path,
        animations: &[PathBuf],
        options: &ConvertOptions,
        watch: &Watch,
    ) -> io::Result<Conversion> {
        let (shard, source) = (self.shard()?, Source::new(self.opener.clone(), self.parse));
        let walking = Walking::all();
        let (sources, given) = (source.find_at(&self.paths, &walking)?, source.find_at(animations, &walking)?);
        let (paths, jobs, output) = (self.paths.as_slice(), self.jobs, folder);
        let (sources, given) = (&sources, &given);
        let conversion = convert::Conversion {
            paths,
            sources,
            animations,
            given,
            output,
            options,
            jobs,
            resume: true,
            force: true,
            shard,
        };
        let mut done = Conversion::default();
        convert::convert(&conversion, &source, Some(watch), &mut |event| {
            match event {
                Event::Unread(unread) if self.all_readable && unread.is_unreadable => {
                    return Err(io::Error::other(format!("{}: {}", unread.address, unread.message)));
                }
                Event::Unread(unread) => done.failures.push(format!("{}: {}", unread.address, unread.message)),
                Event::Output(row) => match &row.done {
                    Ok(Done::Written { .. }) => done.written += 1,
                    Ok(Done::Kept) => done.kept += 1,
                    Ok(Done::Skipped) => done.skipped += 1,
                    Err(message) => done.failures.push(format!("{}: {message}", row.address)),
                },
                Event::Missing(message) => done.failures.push(message),
                Event::Begin { .. } | Event::Unwritable => {}
            }
            Ok(())
        })?;
        Ok(done)
    }

    /// The rows of a catalogue in memory, with their schema.
    ///
    /// # Errors
    /// [`Interrupted`](ErrorKind::Interrupted) if the work was stopped.
    #[cfg(feature = "arrow")]
    pub fn catalog(
        &self,
        rows: Rows,
        watch: &Watch,
    ) -> io::Result<(arrow_schema::SchemaRef, Vec<arrow_array::RecordBatch>, Counts)> {
        let mut arrow = crate::report::Arrow::new(catalogue_fields(rows.per_sequence, rows.extent));
        let counts = self.each_row(rows, &self.find(watch)?, watch, |entry| arrow.row(entry))?;
        let (schema, batches) = arrow.end()?;
        Ok((schema, batches, counts))
    }
}
