//! The arguments of `skelmap dump`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::arguments::Parsing;
use crate::outcome::Failure;
use crate::report::Format;

/// Print the records of one array.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  skelmap dump Grunt.psk --what points > points.csv
  skelmap dump Walk.psa --what keys --sequence Walk --bone Pelvis
  skelmap dump Walk.psa --what sequences --format table
  skelmap dump Face.pskx --what deltas --morph smile --format jsonl
  skelmap dump horse.pmd --what vertices
  skelmap dump Walk.GSA --what rotations --bone 4

Arrays:
  ActorX mesh            chunks, points, wedges, faces, materials, bones, influences (weights), colors, uvs,
                         normals, tangents, morphs, deltas, sockets
  ActorX animation       chunks, bones, sequences, keys, scale-keys, curves, side-car (where each track comes from)
  Pyrogenesis mesh       vertices, uvs, faces, bones, influences, props
  Pyrogenesis animation  states
  SWAT 3 animation       rotations, frames, events, bones

Values are printed as stored: nothing is mirrored, conjugated or normalised. time: the field of the key, in which writers disagree; \
seconds: the frame divided by the rate of the sequence. In JSON, a float that is not finite is null.")]
pub(crate) struct Dump {
    /// The file.
    #[arg(value_name = "FILE")]
    pub(super) path: PathBuf,
    /// The array: chunks, points, faces, bones, keys and so on; --help lists them.
    #[arg(long, value_enum, hide_possible_values = true)]
    pub(super) what: What,
    /// Only this sequence (keys, scale-keys, curves, side-car): the first with this name in any case.
    #[arg(long, value_name = "NAME")]
    pub(super) sequence: Option<String>,
    /// Only this bone (keys, scale-keys, side-car, states, rotations): its name in any case, or its index.
    #[arg(long, value_name = "NAME|INDEX")]
    pub(super) bone: Option<String>,
    /// Only this UV set (uvs), counted from 0.
    #[arg(long, value_name = "N")]
    pub(super) set: Option<usize>,
    /// Only this morph target (deltas): the first with this name in any case.
    #[arg(long, value_name = "NAME")]
    pub(super) morph: Option<String>,
    /// Format of the output.
    #[arg(long, value_enum, default_value_t = Format::Csv)]
    pub(super) format: Format,
    #[command(flatten)]
    pub(crate) parsing: Parsing,
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
    /// Refuses options without a meaning: a typo must not print everything instead of a part.
    pub(super) fn prove(&self) -> Result<(), Failure> {
        let what = self.what;
        let of_sequences = matches!(what, What::Keys | What::ScaleKeys | What::Curves | What::SideCar);
        let of_bones = matches!(what, What::Keys | What::ScaleKeys | What::SideCar | What::States | What::Rotations);
        let options = [
            ("--sequence", self.sequence.is_some() && !of_sequences),
            ("--bone", self.bone.is_some() && !of_bones),
            ("--set", self.set.is_some() && what != What::Uvs),
            ("--morph", self.morph.is_some() && what != What::Deltas),
        ];
        match options.iter().find(|(_, is_idle)| *is_idle) {
            Some((option, _)) => Err(Failure::usage(format!("{option} does not apply to this array"))),
            None => Ok(()),
        }
    }
}
