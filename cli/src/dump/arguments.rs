//! The arguments of `skelmap dump`.

use std::fmt::Write as _;
use std::path::PathBuf;

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser};
use skelmap::Format;
use skelmap_batch::arrays::{ArrayTable, Part, Parts, arrays_of};

use crate::arguments::{Inputs, MaxOutput, check_parquet};
use crate::outcome::Failure;
use crate::report::{self, ArrayFormat};
use crate::sink::Sink;
use crate::text::wrapped;

/// Print one kind of data (points, keys, weights, ...) of files, or write it to a file.
#[derive(Debug, Args)]
#[command(after_help = help())]
pub(crate) struct Dump {
    #[command(flatten)]
    pub(crate) inputs: Inputs,
    /// The array: chunks, points, faces, bones, keys and so on; --help lists them.
    #[arg(long, value_parser = PossibleValuesParser::new(names()), hide_possible_values = true)]
    pub(super) what: String,
    /// Only this sequence (keys, scale-keys, curves, side-car): the first with this name in any case; can be given several times.
    #[arg(long, value_name = "NAME")]
    pub(super) sequence: Vec<String>,
    /// Only this bone (keys, scale-keys, side-car, states, rotations): its name in any case, or its index; can be given several times.
    #[arg(long, value_name = "NAME|INDEX")]
    pub(super) bone: Vec<String>,
    /// Only this UV set (uvs), counted from 0.
    #[arg(long, value_name = "N")]
    pub(super) set: Option<usize>,
    /// Only this morph target (deltas): the first with this name in any case.
    #[arg(long, value_name = "NAME")]
    pub(super) morph: Option<String>,
    /// Format of the output [default: by the extension of FILE, or csv].
    #[arg(long, value_parser = report::one_of(report::ARRAY_FORMATS))]
    format: Option<ArrayFormat>,
    /// Write to this file, which appears complete or not at all. - is standard output.
    #[arg(short, long, value_name = "FILE")]
    pub(super) output: Option<PathBuf>,
    /// Replace FILE if it exists.
    #[arg(long)]
    pub(super) force: bool,
    #[command(flatten)]
    pub(super) largest: MaxOutput,
}

const EXAMPLES: &str = "\
Examples:
  skelmap dump Grunt.psk --what points > points.csv
  skelmap dump Walk.psa --what keys --sequence Walk --bone Pelvis --bone Head
  skelmap dump mods/ --what keys -o keys.parquet
  skelmap dump Walk.psa --what keys -o keys.npy
  skelmap dump Walk.psa --what sequences --format table
  skelmap dump Face.pskx --what deltas --morph smile --format jsonl
  skelmap dump horse.pmd --what vertices
  skelmap dump Walk.GSA --what rotations --bone 4";

const NOTES: &str = "\
With several files, a folder or an archive, rows begin with path and entry. A file that is named and does not have the array is an \
error; in folders and archives such files are skipped. Files of several formats have the columns of all of them, with nulls where a \
file has none.

npy: a structured array of NumPy; integers are <i8 (a missing one is -9223372036854775808), a missing float is NaN. f32: the columns of \
32-bit floats, row after row, little-endian, and nothing else. They and Parquet do not go to a terminal.

Values are printed as stored: nothing is mirrored, conjugated or normalised. A part of a UEFormat track without keys, which is that \
of the bind pose, is printed as no motion (0 0 0, 0 0 0 1, 1 1 1). In JSON, a float that is not finite is null. \
`skelmap columns dump` lists the columns of each array, with unit, type and meaning.";

/// The tables of arrays of all formats.
fn tables() -> impl Iterator<Item = &'static ArrayTable> {
    Format::ALL.iter().flat_map(|format| arrays_of(*format))
}

/// The names of all arrays, each once.
fn names() -> Vec<PossibleValue> {
    let mut names: Vec<(&'static str, Vec<&'static str>)> = Vec::new();
    for table in tables() {
        if names.iter().all(|(name, _)| *name != table.name) {
            names.push((table.name, table.aliases.to_vec()));
        }
    }
    let known: Vec<_> = names.iter().map(|(name, _)| *name).collect();
    let value = |(name, mut aliases): (_, Vec<&'static str>)| {
        aliases.retain(|alias| !known.contains(alias));
        PossibleValue::new(name).aliases(aliases)
    };
    names.into_iter().map(value).collect()
}

/// The arrays of a format with their aliases.
fn arrays_in_words(format: Format) -> String {
    let word = |table: &ArrayTable| match table.aliases {
        [] => table.name.to_owned(),
        aliases => format!("{} (or {})", table.name, aliases.join(", ")),
    };
    arrays_of(format).iter().map(word).collect::<Vec<_>>().join(", ")
}

fn help() -> String {
    let mut arrays = String::new();
    for format in Format::ALL {
        let title = format.title();
        let title = title.split_once(' ').map_or(title, |(_, title)| title);
        for (index, line) in wrapped(&arrays_in_words(*format), WIDTH).iter().enumerate() {
            let _ = writeln!(arrays, "  {:22} {line}", if index == 0 { title } else { "" });
        }
    }
    format!("{EXAMPLES}\n\nArrays:\n{arrays}\n{NOTES}")
}

/// The characters of a line of arrays.
const WIDTH: usize = 55;

impl Dump {
    /// The format of the arguments, or else of the extension.
    pub(super) fn format(&self) -> Result<ArrayFormat, Failure> {
        let format = match (self.format, &self.output) {
            (Some(format), _) => format,
            (None, Some(output)) if matches!(Sink::new(Some(output)), Sink::File(_)) => {
                let extension = output.extension().unwrap_or_default();
                let named = report::ARRAY_FORMATS.iter().find(|(name, _)| extension.eq_ignore_ascii_case(name));
                let named = named.filter(|(name, _)| *name != "table").map(|(_, format)| *format);
                named.ok_or_else(|| {
                    let message = "expected a name in .csv, .jsonl, .json, .npy, .parquet or .f32, or --format";
                    Failure::usage(message).in_file(output)
                })?
            }
            _ => ArrayFormat::Report(report::Format::Csv),
        };
        check_parquet(format == ArrayFormat::Report(report::Format::Parquet))?;
        Ok(format)
    }

    /// Refuses options without a meaning: a typo must not print everything instead of a part.
    pub(super) fn check(&self) -> Result<(), Failure> {
        let has = |part| tables().any(|table| table.is(&self.what) && table.parts.contains(&part));
        let options = [
            ("--sequence", !self.sequence.is_empty(), Part::Sequence),
            ("--bone", !self.bone.is_empty(), Part::Bone),
            ("--set", self.set.is_some(), Part::Set),
            ("--morph", self.morph.is_some(), Part::Morph),
        ];
        match options.iter().find(|(_, is_given, part)| *is_given && !has(*part)) {
            Some((option, ..)) => Err(Failure::usage(format!("{option} does not apply to this array"))),
            None => Ok(()),
        }
    }

    /// The parts of the array that are asked for.
    pub(super) fn parts(&self) -> Parts {
        let (sequences, bones) = (self.sequence.clone(), self.bone.clone());
        Parts { sequences, bones, set: self.set, morph: self.morph.clone() }
    }
}
