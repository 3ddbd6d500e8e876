//! `skelmap dump`: the records of one array, in the form asked for. A family's columns live in a module of its own.

mod actorx;
mod pyrogenesis;
mod swat3;
mod writer;

use std::io;

use skelmap::Asset;
use skelmap::archive::Address;
use skelmap::mapping::Opener;

use crate::Outcome;
use crate::cli::{Dump, What};
use crate::files::Source;
use crate::print;
use crate::row::{and_more, counted_quirks};
use writer::{Done, Failure, Writer, usage};

pub(crate) fn run(arguments: &Dump, source: &Source) -> io::Result<Outcome> {
    let path = print::clean(arguments.path.display());
    let loaded = match source.open(&Address::find(&arguments.path)) {
        Ok(loaded) => loaded,
        Err(error) => {
            print::complain(format_args!("{}", print::clean(error)));
            return Ok(Outcome::NothingRead);
        }
    };
    let asset = match loaded.asset() {
        Ok(asset) => asset,
        Err(error) => {
            print::complain(format_args!("{path}: {error}"));
            return Ok(Outcome::Findings);
        }
    };
    for (quirk, count) in counted_quirks(loaded.quirks(&asset)) {
        print::complain(format_args!("{path}: {quirk}{}", and_more(count)));
    }
    let mut writer = Writer::new(arguments.format);
    match records(&asset, arguments, &source.opener, &mut writer).and_then(|()| Ok(writer.end()?)) {
        Ok(()) => Ok(Outcome::Clean),
        Err(Failure::Usage(message)) => {
            print::complain(format_args!("{path}: {}", print::clean(message)));
            Ok(Outcome::Usage)
        }
        Err(Failure::Unreadable(message)) => {
            print::complain(format_args!("{}", print::clean(message)));
            Ok(Outcome::Findings)
        }
        Err(Failure::Write(error)) => Err(error),
    }
}

/// Refuses options that do not apply: a typo must not give everything in place of a part.
fn prove_options(arguments: &Dump) -> Done {
    let what = arguments.what;
    let of_sequences = matches!(what, What::Keys | What::ScaleKeys | What::Curves | What::SideCar);
    let of_bones = matches!(what, What::Keys | What::ScaleKeys | What::SideCar | What::States | What::Rotations);
    let given = [
        ("--sequence", arguments.sequence.is_some() && !of_sequences),
        ("--bone", arguments.bone.is_some() && !of_bones),
        ("--set", arguments.set.is_some() && what != What::Uvs),
        ("--morph", arguments.morph.is_some() && what != What::Deltas),
    ];
    match given.iter().find(|(_, idle)| *idle) {
        Some((option, _)) => usage(format!("{option} does not apply to what is asked for")),
        None => Ok(()),
    }
}

/// Writes the records that the arguments ask for.
fn records(asset: &Asset<'_>, arguments: &Dump, opener: &Opener, out: &mut Writer) -> Done {
    prove_options(arguments)?;
    match asset {
        Asset::ActorxPsk(mesh) => actorx::of_mesh(mesh, arguments, out),
        Asset::ActorxPsa(animation) => actorx::of_animation(animation, arguments, opener, out),
        Asset::PyrogenesisPmd(mesh) => pyrogenesis::of_mesh(mesh, arguments, out),
        Asset::PyrogenesisPsa(animation) => pyrogenesis::of_animation(animation, arguments, out),
        Asset::Swat3Gsa(animation) => swat3::of_animation(animation, arguments, out),
        other => usage(format!("{} has no arrays to dump", other.format())),
    }
}
