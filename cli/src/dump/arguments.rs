//! The arguments of `skelmap dump`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::arguments::Inputs;
use crate::features::check_parquet;
use crate::outcome::Failure;
use crate::report::{self, ArrayFormat};
use crate::sink::Sink;

/// Print the records of one array of one file or of many, or write them to a file.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  skelmap dump Grunt.psk --what points > points.csv
  skelmap dump Walk.psa --what keys --sequence Walk --bone Pelvis --bone Head
  skelmap dump mods/ --what keys -o keys.parquet
  skelmap dump Walk.psa --what keys -o keys.npy
  skelmap dump Walk.psa --what sequences --format table
  skelmap dump Face.pskx --what deltas --morph smile --format jsonl
  skelmap dump horse.pmd --what vertices
  skelmap dump Walk.GSA --what rotations --bone 4

Arrays:
  ActorX mesh            chunks, points, wedges, faces, materials, bones,
                         influences (weights), colors, uvs, normals, tangents,
                         morphs, deltas, sockets
  ActorX animation       chunks, bones, sequences, keys, scale-keys, curves,
                         side-car (where each track comes from)
  Pyrogenesis mesh       vertices, uvs, faces, bones, influences, props
  Pyrogenesis animation  states (or keys)
  SWAT 3 animation       rotations, frames, events, bones

With several files, a folder or an archive, rows begin with path and entry. A file that is named and does not have the array is an \
error; in folders and archives such files are passed over. A file whose array has other columns than that of the first is an error.

npy: a structured array of NumPy; integers are <i8 (a missing one is -9223372036854775808), a missing float is NaN. f32: the columns of \
32-bit floats, row after row, little-endian, and nothing else. They and Parquet do not go to a terminal.

Values are printed as stored: nothing is mirrored, conjugated or normalised. time: the field of the key, in which writers disagree; \
seconds: the frame divided by the rate of the sequence. In JSON, a float that is not finite is null.")]
pub(crate) struct Dump {
    #[command(flatten)]
    pub(crate) inputs: Inputs,
    /// The array: chunks, points, faces, bones, keys and so on; --help lists them.
    #[arg(long, value_enum, hide_possible_values = true)]
    pub(super) what: What,
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
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum What {
    Chunks,
    Points,
    Vertices,
    Wedges,
    Faces,
    Materials,
    Bones,
    #[value(alias = "weights")]
    Influences,
    #[value(alias = "colours")]
    Colors,
    Uvs,
    Normals,
    Tangents,
    Morphs,
    Deltas,
    Sockets,
    Sequences,
    Keys,
    ScaleKeys,
    Curves,
    States,
    Props,
    Rotations,
    Frames,
    Events,
    SideCar,
}

impl Dump {
    /// The format of the arguments, or else of the extension.
    pub(super) fn format(&self) -> Result<ArrayFormat, Failure> {
        let format = match (self.format, &self.output) {
            (Some(format), _) => format,
            (None, Some(output)) if matches!(Sink::new(Some(output)), Sink::File(_)) => {
                let extension = output.extension().unwrap_or_default();
                let named = report::ARRAY_FORMATS.iter().find(|(name, _)| extension.eq_ignore_ascii_case(name));
                named.map(|(_, format)| *format).filter(|format| *format != ArrayFormat::Table).ok_or_else(|| {
                    let message = "expected a name in .csv, .jsonl, .json, .npy, .parquet or .f32, or --format";
                    Failure::usage(message).in_file(output)
                })?
            }
            _ => ArrayFormat::Csv,
        };
        check_parquet(format == ArrayFormat::Parquet)?;
        Ok(format)
    }

    /// Refuses options without a meaning: a typo must not print everything instead of a part.
    pub(super) fn check(&self) -> Result<(), Failure> {
        let what = self.what;
        let of_sequences = matches!(what, What::Keys | What::ScaleKeys | What::Curves | What::SideCar);
        let of_bones = matches!(what, What::Keys | What::ScaleKeys | What::SideCar | What::States | What::Rotations);
        let options = [
            ("--sequence", !self.sequence.is_empty() && !of_sequences),
            ("--bone", !self.bone.is_empty() && !of_bones),
            ("--set", self.set.is_some() && what != What::Uvs),
            ("--morph", self.morph.is_some() && what != What::Deltas),
        ];
        match options.iter().find(|(_, is_idle)| *is_idle) {
            Some((option, _)) => Err(Failure::usage(format!("{option} does not apply to this array"))),
            None => Ok(()),
        }
    }
}
