//! `skelmap catalog`: a row for every asset, or every sequence of it, in one file that appears when it is complete.

mod partial;
mod resume;
mod sequences;
mod shard;

use std::fs;
use std::io;
use std::path::PathBuf;
use std::time::Instant;

use clap::{Args, ValueEnum};
use skelmap::archive::Address;
use skelmap::catalog::Item;

use crate::arguments::Inputs;
use crate::files::{self, Source};
use crate::outcome::{Ended, Failure, Outcome};
use crate::output::{buffered, complain};
use crate::report::{Format, Report};
use crate::row::{Entry, catalogue_fields};
use crate::text::counted;
use crate::{save, stop};
use partial::Partial;
use shard::Shard;

/// Write a row for every asset of files, folders and archives to one file: JSON lines, CSV or Parquet.
#[derive(Debug, Args)]
#[command(after_help = HELP)]
#[expect(clippy::struct_excessive_bools, reason = "a flag each")]
pub(crate) struct Catalog {
    #[command(flatten)]
    inputs: Inputs,
    /// The file to write.
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Format of the file [default: by the extension of FILE].
    #[cfg_attr(not(feature = "parquet"), doc = "This skelmap was built without the feature `parquet`.")]
    #[arg(long, value_enum)]
    format: Option<CatalogFormat>,
    /// What a row is for.
    #[arg(long, value_enum, default_value_t = Per::Asset)]
    per: Per,
    /// Do part I of N parts of the work.
    #[arg(long, value_name = "I/N", value_parser = shard::parse)]
    shard: Option<Shard>,
    /// Continue a run that was stopped.
    #[arg(long)]
    resume: bool,
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

const HELP: &str = "\
Examples:
  skelmap catalog public.zip -o assets.jsonl
  skelmap catalog mods/ -o assets.csv --per sequence
  skelmap catalog mods/ -o part-2.jsonl --shard 2/4
  skelmap catalog mods/ -o assets.jsonl --resume

A row has the keys of `skelmap ls --help` and keys to join tables on: sequence_names, skeleton_hash (equal if the bones have the same \
names and parents in the same order), content_hash (with --content-hash, which reads everything), and the \
room that a mesh takes in its bind pose (with --extent): min, max (in CSV and Parquet min_x to max_z), height, and metres in a unit, \
null where the file does not say. \
With --per sequence, each sequence \
of an asset gets a row, with sequence_index, sequence, sequence_frames, sequence_rate and sequence_duration_s (null for an asset without \
sequences) and with empty sequence_names. A file that cannot be read gets a row with its error.

--shard I/N: the parts have about the same number of bytes and are everything together; every machine must see the same files. A part \
can be empty.

FILE appears when it is complete. Until then, the rows are in FILE.part (FILE.HASH.part with --engine, --gsa-layout, \
--trailing-zeros or --extent), where --resume continues with the last asset, if the files and options are the same. Parquet cannot be resumed. An \
existing FILE.part is replaced with --force only, and not while another run writes it.";

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum CatalogFormat {
    Jsonl,
    Csv,
    Parquet,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Per {
    Asset,
    Sequence,
}

pub(crate) fn run(arguments: &Catalog, source: &Source) -> Ended {
    let begin = Instant::now();
    Ok(write(arguments, source)?.outcome(begin.elapsed().as_secs_f64()))
}

fn write(arguments: &Catalog, source: &Source) -> Result<Tally, Failure> {
    let output = arguments.output.as_path();
    let failed = |error: io::Error| Failure::findings(error).in_file(output);
    let format = format(arguments)?;
    if format == Format::Parquet && arguments.resume {
        return Err(Failure::usage("--resume is not for Parquet, which is written as a whole"));
    }
    let old = save::replaceable(output, arguments.force).map_err(failed)?;
    let is_output = |path: &PathBuf| {
        let input = Address::find(path);
        output.exists() && input.path().canonicalize().ok() == output.canonicalize().ok()
    };
    if arguments.inputs.paths.iter().any(is_output) {
        return Err(failed(io::Error::other("is one of the inputs")));
    }
    let mut sources = source.find(&arguments.inputs);
    if let Some(shard) = arguments.shard {
        shard.keep(&mut sources);
    }
    let mut tally = Tally { is_shard: arguments.shard.is_some(), ..Tally::default() };
    let work = |item: &Item| {
        sequences::entry(item, source, arguments.per == Per::Sequence, arguments.content_hash, arguments.extent)
    };
    let path = partial::path_of(output, &source.parse, arguments.extent);
    let earlier = if arguments.resume { Partial::open(path.clone()).map_err(failed)? } else { None };
    // An unfinished Parquet file is useless.
    let is_kept = format != Format::Parquet;
    let is_begun = earlier.is_some();
    let partial = if let Some(partial) = earlier {
        let mut file = partial.file().map_err(failed)?;
        let gives_rows = |item: &Item| work(item).is_some();
        let resumed = resume::resume(&mut file, &mut sources, arguments, format, gives_rows).map_err(failed)?;
        tally.kept = resumed.map_err(|message| Failure::usage(message).in_file(&partial.path))?;
        partial
    } else {
        Partial::create(path, arguments.force, is_kept).map_err(failed)?
    };
    let written = partial.file().and_then(|file| {
        let fields = catalogue_fields(arguments.per == Per::Sequence, arguments.extent);
        let mut report = Report::to(buffered(file.try_clone()?), fields, format, is_begun && partial.has_rows())?;
        files::each_item(&sources, arguments.inputs.jobs, work, |mut entry| {
            tally.done.count(&entry);
            for current in 0..entry.sequences.as_ref().map_or(1, Vec::len) {
                tally.rows += 1;
                entry.current = current;
                report.row(&entry)?;
            }
            Ok(())
        })?;
        report.end()?;
        file.sync_all()?;
        old.map_or(Ok(()), |permissions| fs::set_permissions(&partial.path, permissions))
    });
    let finished =
        stop::finish(&partial.path, || match written.and_then(|()| partial.persist(output, arguments.force)) {
            Err(error) if is_kept && partial.has_rows() => {
                Err(io::Error::other(format!("{error} (--resume continues {})", partial.path.display())))
            }
            Err(error) => {
                partial.remove();
                Err(error)
            }
            Ok(()) => Ok(()),
        });
    finished.map_err(failed)?;
    Ok(tally)
}

/// The format of the arguments, or else of the extension.
fn format(arguments: &Catalog) -> Result<Format, Failure> {
    let extension = arguments.output.extension().unwrap_or_default().to_ascii_lowercase();
    let by_extension = || CatalogFormat::from_str(extension.to_str()?, true).ok();
    match arguments.format.or_else(by_extension) {
        Some(CatalogFormat::Jsonl) => Ok(Format::Jsonl),
        Some(CatalogFormat::Csv) => Ok(Format::Csv),
        Some(CatalogFormat::Parquet) => Ok(Format::Parquet),
        None => {
            let message = "expected a name in .jsonl, .csv or .parquet, or --format";
            Err(Failure::usage(message).in_file(&arguments.output))
        }
    }
}

/// The numbers of assets.
#[derive(Clone, Copy, Default)]
struct Done {
    assets: u64,
    /// Assets with an error.
    bad: u64,
    /// Those of them that cannot be opened.
    unreadable: u64,
}

impl Done {
    fn count(&mut self, entry: &Entry) {
        self.assets += 1;
        self.bad += u64::from(entry.row.error.is_some());
        self.unreadable += u64::from(entry.row.is_unreadable());
    }
}

/// The numbers for the last line and the exit status.
#[derive(Default)]
struct Tally {
    done: Done,
    rows: u64,
    /// The assets of an earlier run.
    kept: Done,
    /// A part of the work may be empty.
    is_shard: bool,
}

impl Tally {
    fn outcome(&self, seconds: f64) -> Outcome {
        let Self { done, rows, kept, is_shard } = *self;
        let (assets, bad) = (done.assets + kept.assets, done.bad + kept.bad);
        let before = if kept.assets > 0 { format!(" after {} done before", kept.assets) } else { String::new() };
        let (new_assets, rows) = (counted(done.assets, "asset"), counted(rows, "row"));
        complain(format!("{new_assets}, {rows}, {bad} bad, in {seconds:.2} s{before}"));
        match (assets, bad) {
            (0, _) if is_shard => Outcome::Clean,
            (assets, _) if assets == done.unreadable + kept.unreadable => Outcome::NothingRead,
            (_, 0) => Outcome::Clean,
            _ => Outcome::Findings,
        }
    }
}
