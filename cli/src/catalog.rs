//! `skelmap catalog`: a row for every asset, or every sequence of it, in one file that appears when it is complete; and a page about all
//! of them.

use std::path::{Path, PathBuf};

use clap::Args;
use clap::builder::TypedValueParser;
use skelmap_batch::Run;
use skelmap_batch::catalogue::{
    Catalogue, CatalogueError, Finished, Per, Rows, Shard, Survey, Surveyed, Written, entry, format_of, page,
};
use skelmap_batch::columns::shown;
use skelmap_batch::items::Item;

use crate::arguments::{Inputs, check_parquet, local};
use crate::files::{self, Source, tell_empty};
use crate::ls::PER;
use crate::messages::{no_asset, summarize};
use crate::outcome::{Ended, Failure, Outcome, Tally};
use crate::output::complain;
use crate::progress::Progress;
use crate::query::tell_dropped;
use crate::query::{Query, query_help};
use crate::report::{self, Format, Report};
use crate::sink::Sink;
use crate::text::counted;

/// Write a row for every asset to one file: JSON lines, CSV or Parquet.
#[derive(Debug, Args)]
#[command(mut_arg("glob", |glob| glob.hide_short_help(false)))]
#[command(after_help = HELP)]
#[expect(clippy::struct_excessive_bools, reason = "a flag each")]
pub(crate) struct Catalog {
    #[command(flatten)]
    pub(crate) inputs: Inputs,
    #[command(flatten)]
    query: Query,
    /// The file to write; - is standard output. A named pipe is written to as well.
    #[arg(short, long, value_name = "FILE", required_unless_present = "report", value_parser = local())]
    output: Option<PathBuf>,
    /// Write a page for people to this file: counts, histograms, findings, and the largest. Checks all data.
    #[arg(long, value_name = "HTML")]
    report: Option<PathBuf>,
    /// Format of the file [default: by the extension of FILE].
    #[arg(long, value_parser = file_formats())]
    format: Option<Format>,
    /// What a row is for.
    #[arg(long, value_parser = report::one_of(PER), default_value = "asset")]
    per: Per,
    /// Do part I of N parts of the work.
    #[arg(long, value_name = "I/N", value_parser = str::parse::<Shard>)]
    shard: Option<Shard>,
    /// Continue a run that was stopped.
    #[arg(long)]
    resume: bool,
    /// With --resume: trust no row of the earlier run, and make all of them again.
    #[arg(long, requires = "resume")]
    rehash: bool,
    /// Hash the content of every asset.
    #[arg(long)]
    content_hash: bool,
    /// Add the box and the height of every mesh. Reads all points.
    #[arg(long)]
    extent: bool,
    /// Replace FILE if it exists.
    #[arg(long)]
    force: bool,
}

const HELP: &str = concat!("\
Examples:
  skelmap catalog public.zip -o assets.jsonl
  skelmap catalog mods/ -o assets.csv --per sequence
  skelmap catalog mods/ -o part-2.jsonl --shard 2/4
  skelmap catalog mods/ -o assets.jsonl --resume
  skelmap catalog mods/ -o - --format jsonl | jq .path
  skelmap catalog mods/ -o - --format csv --where 'bones > 100' --columns address,bones
  skelmap catalog mods/ --report mods.html

A row has the columns of `ls`, and columns to join tables on: the names of the sequences, a hash of the skeleton, with --content-hash \
(which reads everything) a hash of the bytes, and with --extent the box of the mesh in its bind pose. With --per sequence, each sequence of \
an asset gets a row, and so does an asset without sequences. A file that cannot be read gets a row with its error. `skelmap columns catalog` \
lists the columns and the keys of JSON.

", query_help!(), "

--where, --sort, --limit and --columns choose rows of the file, of each part by itself; the page of --report is about all assets. Such a \
file has no FILE.part that stays and cannot be resumed.

--shard I/N: the parts have about the same number of bytes and are everything together; every machine must see the same files. A part \
can be empty.

Each night: a file of its own, as in `-o assets-$(date +%F).jsonl --resume`, because a complete FILE is not made again.

FILE appears when it is complete. Until then, the rows are in FILE.part (FILE.HASH.part with --engine, --gsa-layout, \
--trailing-zeros or --extent), where --resume continues with the last asset, if the files and options are the same. Where the size or \
the time of a file says that it has changed since, --resume says so and continues there; --rehash makes all rows again. If FILE is \
complete, --resume has nothing to do, and says how many files are changed, new and removed since; a FILE with rows of other files is refused. Parquet cannot be resumed. An existing FILE.part is replaced with --force only. While another run writes it, a run ends with status 6.

Exit status: 0 written, all good; 1 written, some rows are bad; 3 written, and no file could be opened; 5 not written; 6 busy. In a script: \
`skelmap catalog mods/ -o a.jsonl --resume || [ $? -eq 1 ] || exit`.");

/// The formats of a catalogue.
fn file_formats() -> impl TypedValueParser<Value = Format> {
    report::one_of([("jsonl", Format::Jsonl), ("csv", Format::Csv), ("parquet", Format::Parquet)])
}

impl Catalog {
    /// The file of the rows.
    fn output(&self) -> &Path {
        self.output.as_deref().unwrap_or(Path::new("-"))
    }

    /// The catalogue that the arguments ask for.
    fn to_catalogue(&self) -> Result<Catalogue, Failure> {
        let message = "expected a name in .jsonl, .csv or .parquet, or --format";
        let format = self.format.or_else(|| format_of(self.output()));
        let format = format.ok_or_else(|| Failure::usage(message).in_file(self.output()))?;
        check_parquet(format == Format::Parquet)?;
        Ok(Catalogue {
            find: self.inputs.to_find(),
            rows: Rows { per: self.per, content_hash: self.content_hash, extent: self.extent },
            shard: self.shard,
            query: self.query.to_query(),
            output: self.output().to_owned(),
            format,
            resume: self.resume,
            rehash: self.rehash,
            force: self.force,
        })
    }
}

pub(crate) fn run(arguments: &Catalog, source: &Source) -> Ended {
    let has_rows = arguments.output.is_some();
    if let Some(path) = arguments.report.as_deref() {
        check_page(arguments, path)?;
        if has_rows && !arguments.resume {
            let replaces = arguments.force || arguments.rehash;
            Sink::new(Some(arguments.output())).check(replaces, &arguments.inputs.paths)?;
        }
    }
    let report = arguments.report.as_deref().map(|path| write_page(arguments, path, source)).transpose()?;
    let rows = if has_rows { Some(write_rows(arguments, source)?) } else { None };
    Ok(report.max(rows).unwrap_or(Outcome::Clean))
}

/// Writes the rows, or finds that they are there.
fn write_rows(arguments: &Catalog, source: &Source) -> Ended {
    if arguments.query.is_some() && arguments.resume {
        return Err(Failure::usage(
            "--resume continues a file of all rows: not with --where, --sort, --limit or --columns",
        ));
    }
    let catalogue = arguments.to_catalogue()?;
    let sink = Sink::new(Some(arguments.output()));
    let is_file = matches!(sink, Sink::File(_));
    let failed = |error| failure(&catalogue, error);
    if let Some(finished) = if is_file { catalogue.finished(source).map_err(failed)? } else { None } {
        return Ok(tell_finished(arguments, &finished));
    }
    let Written { done, rows, kept, .. } = write(arguments, &catalogue, source, sink)?;
    let (new_assets, rows, bad) = (counted(done.files, "asset"), counted(rows, "row"), done.bad + kept.bad);
    let before = if kept.files > 0 { format!(" after {} done before", kept.files) } else { String::new() };
    summarize(format!("{new_assets}, {rows}, {bad} unreadable{before}"));
    let all = Tally { files: done.files + kept.files, bad, unreadable: done.unreadable + kept.unreadable };
    if all.files == 0 {
        files::note_filter(&catalogue.find, &catalogue.find.sources(source)?, source);
    }
    // A part of the work may be empty.
    Ok(if all.files == 0 && arguments.shard.is_some() { Outcome::Clean } else { Outcome::told(all) })
}

/// Says that a catalogue is complete, and what is different since.
fn tell_finished(arguments: &Catalog, finished: &Finished) -> Outcome {
    let Finished { changed, added, removed, rows, .. } = finished;
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
    // If no input could be read, the exit status stays 3, as in the first run.
    match rows {
        Some(rows) if arguments.shard.is_none() && Outcome::of(*rows) == Outcome::NothingRead => Outcome::NothingRead,
        _ => Outcome::Clean,
    }
}

fn write(arguments: &Catalog, catalogue: &Catalogue, source: &Source, sink: Sink<'_>) -> Result<Written, Failure> {
    let failed = |error| failure(catalogue, error);
    if catalogue.resume && catalogue.format == Format::Parquet {
        return Err(failed(CatalogueError::ResumedParquet));
    }
    let plan = catalogue.plan()?;
    sink.check(catalogue.replaces(), &arguments.inputs.paths)?;
    let bar = Progress::of_run();
    if matches!(sink, Sink::File(_)) {
        let changed = |asset: &str| {
            bar.suspend(|| {
                complain(format!("{asset}: changed since the earlier run; its row and those after it are made again"));
            });
        };
        let watch = bar.watch();
        let run = Run { jobs: arguments.inputs.jobs, watch: Some(&watch) };
        return catalogue.write(source, run, changed).map_err(failed);
    }
    // A pipe or a device: nothing can be renamed or continued.
    if catalogue.resume {
        let message = "--resume needs a regular file as output";
        return Err(Failure::usage(message).in_file(arguments.output()));
    }
    if catalogue.format == Format::Parquet {
        sink.check_binary("-o FILE")?;
    }
    let sources = catalogue.sources(source)?;
    tell_empty(&catalogue.find, &sources);
    let options = catalogue.rows.options(source);
    let mut written = Written::default();
    sink.write(arguments.force, |out| {
        let mut report = Report::planned_to(out, catalogue.rows.fields(), catalogue.format, false, plan)?;
        let work = |item: &Item| entry(item, &source.opener, &options, arguments.per);
        files::each_item(&sources, arguments.inputs.jobs, source, options.need(), work, |entry| {
            written.add(entry, &mut report)
        })?;
        tell_dropped(&report, &catalogue.query);
        report.end()
    })?;
    Ok(written)
}

/// The end of a run without a catalogue.
fn failure(catalogue: &Catalogue, error: CatalogueError) -> Failure {
    match error {
        CatalogueError::NotWritten(error) => Failure::not_written(error).in_file(&catalogue.output),
        CatalogueError::Refused { path, refusal } => Failure::usage(refusal).in_file(&path),
        other => Failure::usage(other),
    }
}

/// The most files with an error that are named: the page has more of them.
const MAX_NAMED: u64 = 10;

/// Reads and checks all assets, and writes the page.
fn write_page(arguments: &Catalog, path: &Path, source: &Source) -> Ended {
    let sink = Sink::new(Some(path));
    let mut sources = files::find(source, &arguments.inputs)?;
    if let Some(shard) = arguments.shard {
        shard.keep(&mut sources);
    }
    let (mut survey, mut tally) = (Survey::default(), Tally::default());
    let work = |item: &Item, opened| Some(Surveyed::of(item, &opened, source));
    files::each_of(&sources, arguments.inputs.jobs, source, work, |checked| {
        tally.count(checked.row.error.is_some(), checked.row.is_unreadable());
        if let Some(error) = checked.row.error.as_ref().filter(|_| tally.bad <= MAX_NAMED) {
            complain(format!("{}: {}", shown(&checked.row.path, checked.row.entry.as_deref()), error.message));
        }
        survey.add(&checked);
        Ok(())
    })?;
    if tally.files == 0 {
        return Err(Failure::nothing_read(no_asset()));
    }
    if tally.files == tally.unreadable {
        return Ok(Outcome::of(tally));
    }
    let paths = &arguments.inputs.paths;
    let (html, faults) = files::in_pool(arguments.inputs.jobs, usize::MAX, || page(&survey, source, paths))?;
    sink.write_bytes(arguments.force, html.as_bytes())?;
    for (name, fault) in &faults {
        tally.bad += 1;
        complain(format!("{name}: no picture: {}", fault.message));
    }
    let assets = counted(tally.files, "asset");
    summarize(format!("{}: a report on {assets}, {} unreadable", path.display(), tally.bad));
    Ok(Outcome::of(tally))
}

/// Checks that the page can be written, before there is work.
fn check_page(arguments: &Catalog, path: &Path) -> Result<(), Failure> {
    let sink = Sink::new(Some(path));
    sink.check_extension(&["html", "htm"], "--report: expected a name in .html")?;
    sink.check(arguments.force, &arguments.inputs.paths)
}
