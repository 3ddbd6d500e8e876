//! `skelmap gsa`: commands for SWAT 3 animations.

mod edit;
mod events;

use clap::Subcommand;

pub(crate) use edit::run as run_edit;
pub(crate) use events::{EVENT, event_cells, fields, run as run_events};

/// SWAT 3 animations: list the events of many, edit one.
#[derive(Debug, Subcommand)]
pub(crate) enum Gsa {
    Events(events::Events),
    Edit(edit::Edit),
}
