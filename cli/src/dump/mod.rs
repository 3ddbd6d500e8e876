//! `skelmap dump`: the records of one array. The columns of each family are in a module of its own.

mod actorx;
mod arguments;
mod pyrogenesis;
mod swat3;

use skelmap::Asset;
use skelmap::archive::Address;
use skelmap::mapping::Opener;

use crate::files::{self, Source};
use crate::outcome::{Ended, Failure, Outcome};
use crate::output::complain;
use crate::report::{Rows, write_rows};
use crate::row::counted_quirks;
use crate::text::and_more;
pub(crate) use arguments::Dump;

pub(crate) fn run(arguments: &Dump, source: &Source) -> Ended {
    let path = Address::find(&arguments.path);
    let loaded = source.load(&arguments.path)?;
    let asset = files::asset(&loaded, &arguments.path)?;
    for (quirk, count) in counted_quirks(asset.quirks()) {
        complain(format!("{path}: {quirk}{}", and_more(count)));
    }
    let rows = arguments.prove().and_then(|()| rows(&asset, arguments, &source.opener));
    write_rows(&rows.map_err(|failure| failure.in_file(&arguments.path))?, arguments.format)?;
    Ok(Outcome::Clean)
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
