//! `skelmap catalog`: a row for every asset, or every sequence of it, in one file that appears when it is complete.

#[cfg(feature = "parquet")]
mod parquet;
mod partial;
mod resume;
mod writer;

use std::fs;
use std::io;
use std::path::PathBuf;
use std::time::Instant;

use serde::Serialize;
use skelmap::Asset;
use skelmap::archive::Address;
use skelmap::catalog::{Item, Joins, Options, Row, Sources};

use crate::Outcome;
use crate::cli::{Catalog, CatalogFormat, Per, Shard};
use crate::files::{self, Source};
use crate::print::{self, clean, counted};
use crate::row::row;
use crate::{save, stop};
use partial::Partial;
use resume::resume;
use writer::Writer;

/// A row of the catalogue. The order of the fields is the order of the keys.
#[derive(Serialize)]
struct Line<'a> {
    #[serde(flatten)]
    row: &'a Row,
    #[serde(flatten)]
    sequence: Option<&'a SequenceKeys>,
}

/// The rows of an asset. What they have in common is there once: paths may be long, and sequences many.
struct Lines {
    row: Row,
    /// At least one, where rows are for sequences.
    sequences: Option<Vec<SequenceKeys>>,
}

impl Lines {
    fn len(&self) -> usize {
        self.sequences.as_ref().map_or(1, Vec::len)
    }

    fn iter(&self) -> impl Iterator<Item = Line<'_>> {
        let whole = self.sequences.is_none().then_some(Line { row: &self.row, sequence: None });
        let parts = self.sequences.iter().flatten();
        whole.into_iter().chain(parts.map(|keys| Line { row: &self.row, sequence: Some(keys) }))
    }
}

/// What a row for a sequence has besides. All null for an asset without sequences.
#[derive(Default, Serialize)]
struct SequenceKeys {
    sequence_index: Option<usize>,
    sequence: Option<String>,
    sequence_frames: Option<u64>,
    sequence_rate: Option<f32>,
    sequence_duration_s: Option<f64>,
}

/// Why there is no catalogue: the exit status and the words.
type Failed = (Outcome, String);

pub(crate) fn run(arguments: &Catalog, source: &Source) -> Outcome {
    let begun = Instant::now();
    match write(arguments, source) {
        Ok(tally) => tally.report(begun.elapsed().as_secs_f64()),
        Err((outcome, message)) => {
            print::complain(format_args!("{}", clean(message)));
            outcome
        }
    }
}

fn write(arguments: &Catalog, source: &Source) -> Result<Tally, Failed> {
    let output = arguments.output.as_path();
    let failed = |error: io::Error| (Outcome::Findings, format!("{}: {error}", output.display()));
    let format = format_of(arguments)?;
    if format == CatalogFormat::Parquet && arguments.resume {
        return Err((Outcome::Usage, "--resume is not for Parquet, which is written as a whole".to_owned()));
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
        keep_shard(&mut sources, shard);
    }
    let mut tally = Tally { is_shard: arguments.shard.is_some(), ..Tally::default() };
    let work = |item: &Item| lines(item, source, arguments);
    let path = partial::path_of(output, &source.parse);
    let earlier = if arguments.resume { Partial::open(path.clone()).map_err(failed)? } else { None };
    // Parquet is of use as a whole only.
    let is_kept = format != CatalogFormat::Parquet;
    let partial = if let Some(partial) = earlier {
        let mut file = partial.file().map_err(failed)?;
        let gives_rows = |item: &Item| work(item).is_some();
        let resumed = resume(&mut file, &mut sources, arguments, format, gives_rows).map_err(failed)?;
        let done = resumed.map_err(|message| (Outcome::Usage, format!("{}: {message}", partial.path.display())))?;
        tally.kept = done;
        partial
    } else {
        Partial::create(path, arguments.force, is_kept).map_err(failed)?
    };
    let written = partial.file().and_then(|file| {
        let mut writer = Writer::new(file, format)?;
        files::each_item(&sources, arguments.inputs.jobs, work, |lines| {
            tally.done.count(&lines);
            tally.rows += lines.len() as u64;
            lines.iter().try_for_each(|line| writer.line(&line))
        })?;
        writer.end()?;
        old.map_or(Ok(()), |permissions| fs::set_permissions(&partial.path, permissions))
    });
    let ended = stop::finish(|| match written.and_then(|()| fs::rename(&partial.path, output)) {
        Err(error) if is_kept && partial.is_begun() => {
            Err(io::Error::other(format!("{error} (--resume goes on from {})", partial.path.display())))
        }
        Err(error) => {
            let _ = fs::remove_file(&partial.path);
            Err(error)
        }
        Ok(()) => Ok(()),
    });
    ended.map_err(failed)?;
    Ok(tally)
}

/// The form: the one asked for, else what the name ends in.
fn format_of(arguments: &Catalog) -> Result<CatalogFormat, Failed> {
    let extension = arguments.output.extension().unwrap_or_default().to_ascii_lowercase();
    match (arguments.format, extension.to_str()) {
        (Some(format), _) => Ok(format),
        (None, Some("jsonl")) => Ok(CatalogFormat::Jsonl),
        (None, Some("csv")) => Ok(CatalogFormat::Csv),
        (None, Some("parquet")) => Ok(CatalogFormat::Parquet),
        _ => {
            let message =
                format!("{}: expected a name in .jsonl, .csv or .parquet, or --format", arguments.output.display());
            Err((Outcome::Usage, message))
        }
    }
}

/// Keeps the items of one shard: a stretch of them with about as many bytes as any other. A row costs something by itself, so
/// that no item counts for nothing.
fn keep_shard(sources: &mut Sources, Shard { index, count }: Shard) {
    const ROW: u64 = 4096;
    let weights: Vec<u128> =
        sources.items().iter().map(|item| u128::from(item.size_hint().saturating_add(ROW))).collect();
    let twice: u128 = 2 * weights.iter().sum::<u128>();
    // What archives claim may need more bits than can be multiplied by the number of shards; the lowest are of no account then.
    let surplus = twice.checked_ilog2().unwrap_or(0).saturating_sub(63);
    let scaled = |weight: u128| weight >> surplus;
    let count = u128::from(count);
    let mut before = 0;
    let mut weights = weights.into_iter();
    sources.retain(|_| {
        let weight = weights.next().unwrap_or_default();
        // The shard in which the middle of the item lies.
        let shard = scaled(2 * before + weight) * count / scaled(twice).max(1);
        before += weight;
        shard.min(count - 1) + 1 == u128::from(index)
    });
}

/// The rows of one item; `None` for what is passed over.
fn lines(item: &Item, source: &Source, arguments: &Catalog) -> Option<Lines> {
    if arguments.per == Per::Asset {
        let options = Options { parse: source.parse, joins: true, content_hash: arguments.content_hash };
        return item.row(&source.opener, &options).map(|row| Lines { row, sequences: None });
    }
    let opened = item.load(&source.opener, &source.parse)?;
    let mut row = row(&item.address(), &opened);
    let mut found = Vec::new();
    match opened {
        Err(_) => row.joins = Some(Joins::default()),
        Ok(loaded) => {
            row = row.joined(&loaded, arguments.content_hash);
            if let Some(joins) = &mut row.joins {
                // Each row has one of them; all of them in each would take the square of their number.
                joins.sequence_names = Vec::new();
            }
            if let Ok(asset) = loaded.asset() {
                found = sequences(&asset);
            }
        }
    }
    if found.is_empty() {
        found.push(SequenceKeys::default());
    }
    Some(Lines { row, sequences: Some(found) })
}

fn sequences(asset: &Asset<'_>) -> Vec<SequenceKeys> {
    let single = |frames: usize, rate: Option<f32>, duration: Option<f64>| {
        vec![SequenceKeys {
            sequence_index: Some(0),
            sequence: None,
            sequence_frames: u64::try_from(frames).ok(),
            sequence_rate: rate,
            sequence_duration_s: duration,
        }]
    };
    match asset {
        Asset::ActorxPsa(animation) => {
            let keys = animation.sequences().map(|sequence| SequenceKeys {
                sequence_index: Some(sequence.index()),
                sequence: Some(sequence.name().to_string()),
                sequence_frames: Some(sequence.info().frames().into()),
                sequence_rate: Some(sequence.rate()),
                sequence_duration_s: sequence.duration(),
            });
            keys.collect()
        }
        Asset::PyrogenesisPsa(animation) => {
            let rate = Some(1000.0 / animation.frame_length_ms()).filter(|rate| rate.is_finite());
            single(animation.frame_count(), rate, animation.duration_ms().map(|duration| duration / 1000.0))
        }
        Asset::Swat3Gsa(animation) => single(animation.frame_count(), Some(10.0), Some(animation.duration())),
        _ => Vec::new(),
    }
}

/// What came of assets.
#[derive(Clone, Copy, Default)]
struct Done {
    assets: u64,
    bad: u64,
    /// Those of the bad ones that could not even be opened.
    unreadable: u64,
}

impl Done {
    fn count(&mut self, lines: &Lines) {
        self.assets += 1;
        self.bad += u64::from(lines.row.error.is_some());
        self.unreadable += u64::from(lines.row.is_unreadable());
    }
}

/// What was met, for the last line and the exit status.
#[derive(Default)]
struct Tally {
    done: Done,
    rows: u64,
    /// What an earlier run did.
    kept: Done,
    /// A part of the work may be nothing.
    is_shard: bool,
}

impl Tally {
    fn report(&self, seconds: f64) -> Outcome {
        let Self { done, rows, kept, is_shard } = *self;
        let (assets, bad) = (done.assets + kept.assets, done.bad + kept.bad);
        let (counted_assets, counted_rows) = (counted(done.assets, "asset"), counted(rows, "row"));
        let kept_before = if kept.assets > 0 { format!(" after {} done before", kept.assets) } else { String::new() };
        print::complain(format_args!("{counted_assets}, {counted_rows}, {bad} bad, in {seconds:.2} s{kept_before}"));
        match (assets, bad) {
            (0, _) if is_shard => Outcome::Clean,
            (assets, _) if assets == done.unreadable + kept.unreadable => Outcome::NothingRead,
            (_, 0) => Outcome::Clean,
            _ => Outcome::Findings,
        }
    }
}
