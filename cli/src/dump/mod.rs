//! `skelmap dump`: the records of one array. The columns of each family are in a module of its own.

mod actorx;
mod pyrogenesis;
mod swat3;

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use skelmap::Asset;
use skelmap::mapping::Opener;

use crate::files::{self, Source};
use crate::outcome::{Ended, Failure, Outcome};
use crate::output::complain;
use crate::report::{Format, Rows, write_rows};
use crate::row::counted_quirks;
use crate::text::and_more;

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
    path: PathBuf,
    /// The array; see below.
    #[arg(long, value_enum, hide_possible_values = true)]
    what: What,
    /// Only this sequence (keys, scale-keys, curves, side-car): the first with this name in any case.
    #[arg(long, value_name = "NAME")]
    sequence: Option<String>,
    /// Only this bone (keys, scale-keys, side-car, states, rotations): its name in any case, or its index.
    #[arg(long, value_name = "NAME|INDEX")]
    bone: Option<String>,
    /// Only this UV set (uvs), counted from 0.
    #[arg(long, value_name = "N")]
    set: Option<usize>,
    /// Only this morph target (deltas): the first with this name in any case.
    #[arg(long, value_name = "NAME")]
    morph: Option<String>,
    /// Format of the output.
    #[arg(long, value_enum, default_value_t = Format::Csv)]
    format: Format,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum What {
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

pub(crate) fn run(arguments: &Dump, source: &Source) -> Ended {
    let path = arguments.path.display();
    let loaded = source.load(&arguments.path)?;
    let asset = files::asset(&loaded, &arguments.path)?;
    for (quirk, count) in counted_quirks(asset.quirks()) {
        complain(format!("{path}: {quirk}{}", and_more(count)));
    }
    let rows = prove_options(arguments).and_then(|()| rows(&asset, arguments, &source.opener));
    write_rows(&rows.map_err(|failure| failure.in_file(&arguments.path))?, arguments.format)?;
    Ok(Outcome::Clean)
}

/// Refuses options without a meaning: a typo must not print everything instead of a part.
fn prove_options(arguments: &Dump) -> Result<(), Failure> {
    let what = arguments.what;
    let of_sequences = matches!(what, What::Keys | What::ScaleKeys | What::Curves | What::SideCar);
    let of_bones = matches!(what, What::Keys | What::ScaleKeys | What::SideCar | What::States | What::Rotations);
    let options = [
        ("--sequence", arguments.sequence.is_some() && !of_sequences),
        ("--bone", arguments.bone.is_some() && !of_bones),
        ("--set", arguments.set.is_some() && what != What::Uvs),
        ("--morph", arguments.morph.is_some() && what != What::Deltas),
    ];
    match options.iter().find(|(_, is_idle)| *is_idle) {
        Some((option, _)) => Err(Failure::usage(format!("{option} does not apply to this array"))),
        None => Ok(()),
    }
}

/// The records that the arguments ask for.
fn rows<'a>(asset: &Asset<'a>, arguments: &'a Dump, opener: &Opener) -> Result<Rows<'a>, Failure> {
    match asset {
        Asset::ActorxPsk(mesh) => actorx::mesh(*mesh, arguments),
        Asset::ActorxPsa(animation) => actorx::animation(*animation, arguments, opener),
        Asset::PyrogenesisPmd(mesh) => pyrogenesis::mesh(*mesh, arguments),
        Asset::PyrogenesisPsa(animation) => pyrogenesis::animation(*animation, arguments),
        Asset::Swat3Gsa(animation) => swat3::animation(*animation, arguments),
        other => Err(Failure::usage(format!("{} has no arrays to print", other.format()))),
    }
}
