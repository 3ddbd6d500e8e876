//! `skelmap gsa`: commands for SWAT 3 animations. Here: `skelmap gsa events`, every event of many animations.

mod edit;

use clap::{Args, Subcommand};
use skelmap::Asset;
use skelmap::archive::Address;
use skelmap::swat3::{Event, PLAYBACK_FPS};
use skelmap_batch::arrays::{EVENT_KIND, EVENT_NAME};
use skelmap_batch::items::{Fault, Item, Loaded, SCHEMA};

use crate::arguments::Inputs;
use crate::files::{self, Source};
use crate::messages::summarize;
use crate::outcome::{Ended, Outcome, Tally};
use crate::output::complain;
use crate::report::{self, ARCHIVE, Cell, Column, Field, Format, Look, PATH, cells, double, field, integer, text};
use crate::text::counted;
use skelmap_batch::columns::{
    ADDRESS_COLUMN, ENTRY_COLUMN, ERROR_COLUMN, PATH_COLUMN, SCHEMA_COLUMN, address_cell, archive, fault, path,
    path_within,
};

pub(crate) use edit::{Requests, run as run_edit, save};

/// SWAT 3 animations: list the events of many, edit one.
#[derive(Debug, Subcommand)]
pub(crate) enum Gsa {
    Events(Events),
    Edit(edit::Edit),
}

/// List every event of many animations: frame, time, kind and name.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  skelmap gsa events BG1_Secure.GSA
  skelmap gsa events --format csv SWAT3/ > events.csv
  skelmap gsa events --format jsonl SWAT3/ | jq -r 'select(.kind == \"itemsound\").name' | sort -u

In JSON and CSV, a file that cannot be read gets a row with its error. `skelmap columns gsa events` explains the columns and the keys of \
JSON.")]
pub(crate) struct Events {
    #[command(flatten)]
    pub(crate) inputs: Inputs,
    /// Format of the output.
    #[arg(long, value_parser = report::formats(), default_value = "table")]
    format: Format,
}

/// The columns of an event.
pub(crate) const EVENT: [Column; 4] = [
    integer("frame").means("the frame, from 0"),
    double("time_s")
        .titled("seconds")
        .look(Look::Decimals(1))
        .unit("seconds")
        .means("the time in the game, which plays 10 frames per second"),
    EVENT_KIND,
    EVENT_NAME.look(Look::Short),
];

/// The cells of an event.
pub(crate) fn event_cells(frame: usize, event: Event<'_>) -> [Cell<'_>; 4] {
    let time_s = u32::try_from(frame).map_or(f64::INFINITY, f64::from) / PLAYBACK_FPS;
    cells![frame, time_s, event.kind().code(), event.kind().value()]
}

/// An event of a file, or why the file has none.
pub(crate) struct EventRow {
    address: Address,
    /// The frame, and the event as in the file.
    event: Option<(usize, Vec<u8>)>,
    error: Option<Fault>,
}

impl EventRow {
    fn cell(&self, column: usize) -> Cell<'_> {
        let event = self.event.as_ref();
        event.and_then(|(frame, name)| event_cells(*frame, Event::new(name)).into_iter().nth(column)).into()
    }
}

pub(crate) fn fields() -> Vec<Field<EventRow>> {
    // A row with an error has no event.
    let [frame, time, kind, name] = EVENT.map(Column::nullable);
    let (error_kind, error_message) = (text("error_kind").nullable().flat(), text("error_message").nullable().flat());
    vec![
        field(SCHEMA_COLUMN.json(), |_| SCHEMA.into()),
        field(PATH_COLUMN.data(), |row: &EventRow| path(&row.address)),
        field(ENTRY_COLUMN.data(), |row| row.address.entry().into()),
        field(ADDRESS_COLUMN.data(), |row| address_cell(&row.address)),
        field(frame, |row| row.cell(0)),
        field(time, |row| row.cell(1)),
        field(kind, |row| row.cell(2)),
        field(name, |row| row.cell(3)),
        field(ERROR_COLUMN, |row| fault(row.error.as_ref())),
        field(error_kind.means("the code of the error"), |row| row.error.as_ref().map(|error| error.kind).into()),
        field(error_message.means("the error in words"), |row| row.error.as_ref().map(|error| &error.message).into()),
        field(ARCHIVE, |row| archive(&row.address)),
        field(PATH, |row| path_within(&row.address)),
    ]
}

/// A row without an event, with the error of the file. `None` for a file of another format, unless the command line names it.
fn row_of(item: &Item, opened: &Result<Loaded, Fault>) -> Option<EventRow> {
    let address = item.address();
    let error = match opened.as_ref().map(|loaded| (loaded.asset(), loaded.format())) {
        Err(fault) => Some(fault.clone()),
        Ok((Ok(Asset::Swat3Gsa(_)), _)) => None,
        Ok((Ok(other), _)) if item.is_named() => Some(other_format(other.format())),
        Ok((Err(error), format)) if item.is_named() || !is_other(&address, format) => Some(Fault::from(error)),
        Ok(_) => return None,
    };
    Some(EventRow { address, event: None, error })
}

fn other_format(format: skelmap::Format) -> Fault {
    let message = format!("this is {format}, expected a SWAT 3 animation");
    Fault { kind: "other-format", section: None, offset: None, message }
}

/// Whether a file has another format, by its content or else by its name.
fn is_other(address: &Address, format: Option<skelmap::Format>) -> bool {
    let name = address.to_string().to_ascii_lowercase();
    let by_name = || [".psk", ".pskx", ".psa", ".pmd"].iter().any(|other| name.ends_with(other));
    format.map_or_else(by_name, |format| format != skelmap::Format::Swat3Gsa)
}

pub(crate) fn run_events(arguments: &Events, source: &Source) -> Ended {
    let mut report = report::print(fields(), arguments.format)?;
    let (mut tally, mut events) = (Tally::default(), 0_u64);
    let work = |item: &Item, opened| row_of(item, &opened).map(|row| (opened, row));
    let (sources, jobs) = (files::find(source, &arguments.inputs)?, arguments.inputs.jobs);
    files::each_of(&sources, jobs, source, work, |(opened, mut row)| {
        tally.count(row.error.is_some(), opened.is_err());
        if let Some(error) = &row.error {
            complain(format!("{}: {}", row.address, error.message));
            return if arguments.format == Format::Table { Ok(()) } else { report.row(&row) };
        }
        let Ok(Ok(Asset::Swat3Gsa(animation))) = opened.as_ref().map(Loaded::asset) else { return Ok(()) };
        animation.events().try_for_each(|(frame, event)| {
            events += 1;
            let (at, name) = row.event.get_or_insert_default();
            *at = frame;
            name.clear();
            name.extend_from_slice(event.as_bytes());
            report.row(&row)
        })
    })?;
    report.end()?;
    summarize(format!(
        "{} in {}, {} unreadable",
        counted(events, "event"),
        counted(tally.files, "animation"),
        tally.bad
    ));
    Ok(Outcome::of(tally))
}
