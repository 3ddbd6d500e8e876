//! `skelmap catalog`: a row for every asset, or every sequence of it, in one file that appears when it is complete.

mod arguments;
mod page;
mod partial;
mod pictures;
mod report;
mod resume;
mod sequences;
mod shard;
mod survey;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Instant;

use skelmap::archive::Address;
use skelmap::catalog::Item;

use crate::files::{self, NO_ASSET, Source};
use crate::messages::summarize;
use crate::outcome::{Ended, Failure, Outcome, Tally};
use crate::output::{buffered, complain};
use crate::report::{Format, Report};
use crate::row::Entry;
use crate::sink::Sink;
use crate::text::counted;
use crate::{save, stop};
pub(crate) use arguments::{Catalog, Per, format_of};
use partial::Partial;
use resume::Finished;
pub(crate) use sequences::entry;
pub(crate) use shard::Shard;

pub(crate) fn run(arguments: &Catalog, source: &Source) -> Ended {
    if let Some(path) = arguments.report.as_deref() {
        report::check(arguments, path)?;
        if arguments.has_rows() && !arguments.resume {
            Sink::new(Some(arguments.output())).check(arguments.replaces(), &arguments.inputs.paths)?;
        }
    }
    let report = arguments.report.as_deref().map(|path| report::run(arguments, path, source)).transpose()?;
    let rows = if arguments.has_rows() { Some(write_rows(arguments, source)?) } else { None };
    Ok(report.max(rows).unwrap_or(Outcome::Clean))
}

/// Writes the rows, or finds that they are there.
fn write_rows(arguments: &Catalog, source: &Source) -> Ended {
    let begin = Instant::now();
    if arguments.query.is_some() && arguments.resume {
        return Err(Failure::usage(
            "--resume continues a file of all rows: not with --where, --sort, --limit or --columns",
        ));
    }
    if let Some(finished) = finished(arguments, source)? {
        return Ok(tell_finished(arguments, &finished));
    }
    let Written { done, rows, kept } = write(arguments, source)?;
    let (new_assets, rows, bad) = (counted(done.files, "asset"), counted(rows, "row"), done.bad + kept.bad);
    let before = if kept.files > 0 { format!(" after {} done before", kept.files) } else { String::new() };
    summarize(format!("{new_assets}, {rows}, {bad} bad, in {:.2} s{before}", begin.elapsed().as_secs_f64()));
    let all = Tally { files: done.files + kept.files, bad, unreadable: done.unreadable + kept.unreadable };
    if all.files == 0 && arguments.shard.is_none() {
        complain(NO_ASSET);
    }
    // A part of the work may be empty.
    Ok(if all.files == 0 && arguments.shard.is_some() { Outcome::Clean } else { all.outcome() })
}

/// Says that a catalogue is complete, and what is different since.
fn tell_finished(arguments: &Catalog, finished: &Finished) -> Outcome {
    let Finished { changed, added, removed, rows } = finished;
    let parts = [(changed, "changed"), (added, "new"), (removed, "removed")];
    let parts = parts.into_iter().filter(|(count, _)| **count > 0);
    let parts: Vec<String> = parts.map(|(count, what)| format!("{} {what}", counted(*count as u64, "asset"))).collect();
    let since = if parts.is_empty() { String::new() } else { format!("; {} since", parts.join(", ")) };
    let text =
        format!("{}: complete since an earlier run{since} (--force makes it anew)", arguments.output().display());
    if parts.is_empty() {
        summarize(text);
    } else {
        complain(text);
    }
    // A row that tells of a bad file is a row; but a catalogue of nothing is none, as it was when it was written.
    match rows {
        Some(rows) if arguments.shard.is_none() && rows.outcome() == Outcome::NothingRead => Outcome::NothingRead,
        _ => Outcome::Clean,
    }
}

/// The catalogue that an earlier run has finished, if there is nothing to resume.
fn finished(arguments: &Catalog, source: &Source) -> Result<Option<Finished>, Failure> {
    let Catalog { resume, rehash, force, extent, .. } = arguments;
    let output = arguments.output();
    let format = arguments.format()?;
    let is_begun = || partial::path_of(output, &source.parse, *extent, false).symlink_metadata().is_ok();
    let is_file = matches!(Sink::new(Some(output)), Sink::File(_));
    if !*resume || *rehash || *force || !is_file || is_begun() || !output.is_file() {
        return Ok(None);
    }
    let sources = arguments.sources(source)?;
    let found = resume::find_finished(arguments, format, &sources);
    let found = found.map_err(|error| Failure::not_written(error).in_file(output))?;
    found.transpose().map_err(|message| Failure::usage(message).in_file(output))
}

/// The numbers of assets and rows.
#[derive(Default)]
struct Written {
    done: Tally,
    rows: u64,
    /// The assets of an earlier run.
    kept: Tally,
}

impl Written {
    /// Writes the rows of an asset.
    fn add(&mut self, entry: Entry, report: &mut Report<Entry>) -> io::Result<()> {
        self.done.count(entry.row.error.is_some(), entry.row.is_unreadable());
        let added = entry.each_row(|entry| report.row(entry));
        self.rows = report.rows().try_into().unwrap_or(u64::MAX);
        added
    }
}

/// Writes the rows to a pipe or a device, where nothing can be renamed or continued.
fn stream(arguments: &Catalog, source: &Source, sink: Sink<'_>, format: Format) -> Result<Written, Failure> {
    if arguments.resume {
        let message = "--resume continues a file, and this is none";
        return Err(Failure::usage(message).in_file(arguments.output()));
    }
    if format == Format::Parquet {
        sink.check_binary("-o FILE")?;
    }
    let (sources, options) = (arguments.sources(source)?, arguments.options(source));
    let mut written = Written::default();
    let plan = arguments.plan(format)?;
    sink.write(arguments.force, |out| {
        let mut report = Report::planned_to(out, arguments.fields(), format, false, plan)?;
        let work = |item: &Item| entry(item, &source.opener, &options, arguments.per);
        files::each_item(&sources, arguments.inputs.jobs, options.need(), work, |entry| {
            written.add(entry, &mut report)
        })?;
        report.end()
    })?;
    Ok(written)
}

/// Checks that a file is none of the inputs.
pub(crate) fn check_no_input(output: &Path, inputs: &[PathBuf]) -> io::Result<()> {
    let is_output = |path: &PathBuf| {
        let input = Address::find(path);
        output.exists() && input.path().canonicalize().ok() == output.canonicalize().ok()
    };
    if inputs.iter().any(is_output) { Err(io::Error::other("is one of the inputs")) } else { Ok(()) }
}

fn write(arguments: &Catalog, source: &Source) -> Result<Written, Failure> {
    let output = arguments.output();
    let failed = |error: io::Error| Failure::not_written(error).in_file(output);
    let format = arguments.format()?;
    if format == Format::Parquet && arguments.resume {
        return Err(Failure::usage("--resume is not for Parquet, which is written as a whole"));
    }
    let has_query = arguments.query.is_some();
    let plan = arguments.plan(format)?;
    let sink = Sink::new(Some(output));
    sink.check(arguments.replaces(), &arguments.inputs.paths)?;
    if !matches!(sink, Sink::File(_)) {
        return stream(arguments, source, sink, format);
    }
    let mut tally = Written::default();
    let extent = arguments.extent;
    let options = arguments.options(source);
    let work = |item: &Item| entry(item, &source.opener, &options, arguments.per);
    let path = partial::path_of(output, &source.parse, extent, has_query);
    let earlier = if arguments.resume { Partial::open(path.clone()).map_err(failed)? } else { None };
    // An unfinished Parquet file is useless, and which assets the rows of a query come from is not known.
    let is_kept = format != Format::Parquet && !has_query;
    let is_begun = earlier.is_some();
    // The lock comes before the walk, which may take a while: two runs do not do the same work.
    let partial = match earlier {
        Some(partial) => partial,
        None => Partial::create(path, arguments.force, is_kept).map_err(failed)?,
    };
    let prepared = save::replaceable(output, arguments.replaces()).map_err(failed);
    let prepared = prepared.and_then(|old| Ok((old, arguments.sources(source)?)));
    let (old, mut sources) = match prepared {
        Ok(prepared) => prepared,
        Err(failure) if is_begun => return Err(failure),
        Err(failure) => {
            stop::finish(&partial.path, || partial.remove());
            return Err(failure);
        }
    };
    if is_begun {
        let mut file = partial.file().map_err(failed)?;
        let gives_rows = |item: &Item| work(item).is_some();
        let resumed = resume::resume(&mut file, &mut sources, arguments, format, gives_rows).map_err(failed)?;
        let resumed = resumed.map_err(|message| Failure::usage(message).in_file(&partial.path))?;
        if let Some(changed) = resumed.changed {
            complain(format!("{changed}: changed since the earlier run; its row and those after it are made again"));
        }
        tally.kept = resumed.kept;
    }
    let written = partial.file().and_then(|file| {
        let (out, has_rows) = (buffered(file.try_clone()?), is_begun && partial.has_rows());
        let mut report = Report::planned_to(out, arguments.fields(), format, has_rows, plan)?;
        files::each_item(&sources, arguments.inputs.jobs, options.need(), work, |entry| tally.add(entry, &mut report))?;
        report.end()?;
        file.sync_all()?;
        old.map_or(Ok(()), |permissions| fs::set_permissions(&partial.path, permissions))
    });
    let finished = stop::finish(&partial.path, || {
        match written.and_then(|()| partial.persist(output, arguments.replaces())) {
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
        }
    });
    finished.map_err(failed)?;
    Ok(tally)
}
