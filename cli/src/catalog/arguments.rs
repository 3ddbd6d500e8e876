//! The arguments of `skelmap catalog`.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use skelmap::catalog::{Options, Sources};

use super::shard::{self, Shard};
use crate::arguments::Inputs;
use crate::files::Source;
use crate::outcome::Failure;
use crate::query::{Plan, Query, query_help};
use crate::report::{Field, Format};
use crate::row::{Entry, catalogue_fields};

/// Write a row for every asset to one file: JSON lines, CSV or Parquet.
#[derive(Debug, Args)]
#[command(mut_arg("glob", |glob| glob.hide_short_help(false)))]
#[command(after_help = HELP)]
#[expect(clippy::struct_excessive_bools, reason = "a flag each")]
pub(crate) struct Catalog {
    #[command(flatten)]
    pub(crate) inputs: Inputs,
    #[command(flatten)]
    pub(super) query: Query,
    /// The file to write; - is standard output. A named pipe is written to as well.
    #[arg(short, long, value_name = "FILE", required_unless_present = "report")]
    output: Option<PathBuf>,
    /// Write a page for people to this file: counts, histograms, findings, and the largest. Checks all data.
    #[arg(long, value_name = "HTML")]
    pub(super) report: Option<PathBuf>,
    /// Format of the file [default: by the extension of FILE].
    #[cfg_attr(not(feature = "parquet"), doc = "This skelmap was built without the feature `parquet`.")]
    #[arg(long, value_enum)]
    format: Option<CatalogFormat>,
    /// What a row is for.
    #[arg(long, value_enum, default_value_t = Per::Asset)]
    pub(super) per: Per,
    /// Do part I of N parts of the work.
    #[arg(long, value_name = "I/N", value_parser = shard::parse)]
    pub(super) shard: Option<Shard>,
    /// Continue a run that was stopped.
    #[arg(long)]
    pub(super) resume: bool,
    /// With --resume: trust no row of the earlier run, and make all of them again.
    #[arg(long, requires = "resume")]
    pub(super) rehash: bool,
    /// Hash the content of every asset.
    #[arg(long)]
    pub(super) content_hash: bool,
    /// Add the box and the height of every mesh. Reads all points.
    #[arg(long)]
    pub(super) extent: bool,
    /// Replace FILE if it exists.
    #[arg(long)]
    pub(super) force: bool,
}

const HELP: &str = concat!("\
Examples:
  skelmap catalog public.zip -o assets.jsonl
  skelmap catalog mods/ -o assets.csv --per sequence
  skelmap catalog mods/ -o part-2.jsonl --shard 2/4
  skelmap catalog mods/ -o assets.jsonl --resume
  skelmap catalog mods/ -o - --format jsonl | jq .path
  skelmap catalog mods/ -o - --format csv --where 'bones > 100' --columns path,entry,bones
  skelmap catalog mods/ --report mods.html

A row has the keys of `skelmap ls --help` and keys to join tables on: sequence_names, skeleton_hash (equal if the bones have the same \
names and parents in the same order), content_hash (with --content-hash, which reads everything), and the \
room that a mesh takes in its bind pose (with --extent): min, max (in CSV and Parquet min_x to max_z), height, and metres in a unit, \
null where the file does not say. \
With --per sequence, each sequence \
of an asset gets a row, with sequence_index, sequence, sequence_frames, sequence_rate and sequence_duration_s (null for an asset without \
sequences) and with empty sequence_names. A file that cannot be read gets a row with its error.

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

Exit status: 0 written, all good; 1 written, some rows are bad; 3 written, nothing could be read; 5 not written; 6 busy. In a script: \
`skelmap catalog mods/ -o a.jsonl --resume || [ $? -eq 1 ] || exit`.");

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum CatalogFormat {
    Jsonl,
    Csv,
    Parquet,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Per {
    Asset,
    Sequence,
}

impl Catalog {
    /// Whether rows are asked for.
    pub(super) const fn has_rows(&self) -> bool {
        self.output.is_some()
    }

    /// Whether the file of the rows may be replaced.
    pub(super) const fn replaces(&self) -> bool {
        self.force || self.rehash
    }

    /// The file of the rows.
    pub(super) fn output(&self) -> &Path {
        self.output.as_deref().unwrap_or(Path::new("-"))
    }

    /// The assets that get rows.
    pub(super) fn sources(&self, source: &Source) -> Result<Sources, Failure> {
        let mut sources = source.find(&self.inputs)?;
        if let Some(shard) = self.shard {
            shard.keep(&mut sources);
        }
        Ok(sources)
    }

    /// The columns of the rows.
    pub(super) fn fields(&self) -> Vec<Field<Entry>> {
        catalogue_fields(self.per == Per::Sequence, self.extent)
    }

    /// Which rows and columns are written.
    pub(super) fn plan(&self, format: Format) -> Result<Plan, Failure> {
        self.query.plan(&self.fields(), format)
    }

    /// What the rows have.
    pub(super) const fn options(&self, source: &Source) -> Options {
        Options { parse: source.parse, joins: true, content_hash: self.content_hash, extent: self.extent }
    }

    /// The format of the arguments, or else of the extension.
    pub(super) fn format(&self) -> Result<Format, Failure> {
        let format = self.format.map(Format::from).or_else(|| format_of(self.output()));
        let message = "expected a name in .jsonl, .csv or .parquet, or --format";
        format.ok_or_else(|| Failure::usage(message).in_file(self.output()))
    }
}

/// The format that the extension of a file promises.
pub(crate) fn format_of(output: &Path) -> Option<Format> {
    let extension = output.extension()?.to_ascii_lowercase();
    CatalogFormat::from_str(extension.to_str()?, true).ok().map(Format::from)
}

impl From<CatalogFormat> for Format {
    fn from(format: CatalogFormat) -> Self {
        match format {
            CatalogFormat::Jsonl => Self::Jsonl,
            CatalogFormat::Csv => Self::Csv,
            CatalogFormat::Parquet => Self::Parquet,
        }
    }
}
