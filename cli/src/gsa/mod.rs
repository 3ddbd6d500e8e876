//! `skelmap gsa`: commands for SWAT 3 animations.

mod edit;
mod events;

use clap::Subcommand;

use crate::files::Source;
use crate::outcome::Ended;
pub(crate) use events::{EVENT, event_cells, fields};

/// SWAT 3 animations: list the events of many, edit one.
#[derive(Debug, Subcommand)]
pub(crate) enum Gsa {
    Events(events::Events),
    Edit(edit::Edit),
}

pub(crate) fn run(arguments: &Gsa, source: &Source) -> Ended {
    match arguments {
        Gsa::Events(arguments) => events::run(arguments, source),
        Gsa::Edit(arguments) => edit::run(arguments, source),
    }
}
