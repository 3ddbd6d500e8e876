//! `skelmap gsa events`: every event of many animations.

use clap::Args;
use skelmap::Asset;
use skelmap::archive::Address;
use skelmap::swat3::{Event, Gsa, PLAYBACK_FPS};
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
    ENTRY_COLUMN, ERROR_COLUMN, PATH_COLUMN, SCHEMA_COLUMN, archive, fault, path, path_within,
};

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

/// The events of a file in few bytes: a file may store an event in three bytes, and have millions.
#[derive(Default)]
struct EventList {
    /// The frame of each event, and where its name ends.
    places: Vec<(u16, u32)>,
    names: Vec<u8>,
}

impl EventList {
    fn new(animation: &Gsa<'_>) -> Self {
        let mut list = Self::default();
        for (frame, event) in animation.events() {
            list.names.extend_from_slice(event.as_bytes());
            // A file counts frames in 16 bits. Names beyond 4 GiB have no place.
            let (Ok(frame), Ok(end)) = (u16::try_from(frame), u32::try_from(list.names.len())) else { break };
            list.places.push((frame, end));
        }
        list
    }

    fn get(&self, index: usize) -> Option<(usize, Event<'_>)> {
        let (frame, end) = *self.places.get(index)?;
        let start = index.checked_sub(1).and_then(|before| self.places.get(before)).map_or(0, |(_, end)| *end);
        let name = self.names.get(usize::try_from(start).ok()?..usize::try_from(end).ok()?)?;
        Some((frame.into(), Event::new(name)))
    }
}

/// The events of one file, or why there are none.
pub(crate) struct FileEvents {
    address: Address,
    events: EventList,
    error: Option<Fault>,
    is_unreadable: bool,
    /// The event that the next row is for; none for the row of an error.
    current: Option<usize>,
}

impl FileEvents {
    /// A cell of the current event.
    fn cell(&self, column: usize) -> Cell<'_> {
        let event = self.current.and_then(|index| self.events.get(index));
        event.and_then(|(frame, event)| event_cells(frame, event).into_iter().nth(column)).into()
    }

    fn row_error(&self) -> Option<&Fault> {
        self.error.as_ref().filter(|_| self.current.is_none())
    }
}

pub(crate) fn fields() -> Vec<Field<FileEvents>> {
    // A row with an error has no event.
    let [frame, time, kind, name] = EVENT.map(Column::nullable);
    let (error_kind, error_message) = (text("error_kind").nullable().flat(), text("error_message").nullable().flat());
    vec![
        field(SCHEMA_COLUMN.json(), |_| SCHEMA.into()),
        field(PATH_COLUMN.data(), |file: &FileEvents| path(&file.address)),
        field(ENTRY_COLUMN.data(), |file| file.address.entry().into()),
        field(frame, |file| file.cell(0)),
        field(time, |file| file.cell(1)),
        field(kind, |file| file.cell(2)),
        field(name, |file| file.cell(3)),
        field(ERROR_COLUMN, |file| fault(file.row_error())),
        field(error_kind.means("the code of the error"), |file| file.row_error().map(|error| error.kind).into()),
        field(error_message.means("the error in words"), |file| file.row_error().map(|error| &error.message).into()),
        field(ARCHIVE, |file| archive(&file.address)),
        field(PATH, |file| path_within(&file.address)),
    ]
}

/// The events of a file. Other formats are skipped, unless the file is named on the command line.
fn events_of(item: &Item, opened: &Result<Loaded, Fault>) -> Option<FileEvents> {
    let address = item.address();
    let format = opened.as_ref().ok().and_then(Loaded::format);
    let mut error = match opened {
        Ok(loaded) => loaded.asset().err().map(Fault::from),
        Err(fault) => Some(fault.clone()),
    };
    let mut events = EventList::default();
    match opened.as_ref().map(Loaded::asset) {
        Ok(Ok(Asset::Swat3Gsa(animation))) => events = EventList::new(&animation),
        Ok(Ok(other)) if item.is_named() => error = Some(other_format(other.format())),
        Ok(Ok(_)) => return None,
        Ok(Err(_)) if !item.is_named() && is_other(&address, format) => return None,
        _ => {}
    }
    Some(FileEvents { address, events, error, is_unreadable: opened.is_err(), current: None })
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

pub(crate) fn run(arguments: &Events, source: &Source) -> Ended {
    let mut report = report::print(fields(), arguments.format)?;
    let (mut tally, mut events) = (Tally::default(), 0_u64);
    let work = |item: &Item, opened| events_of(item, &opened);
    files::each_of(&files::find(source, &arguments.inputs)?, arguments.inputs.jobs, source, work, |mut file| {
        tally.count(file.error.is_some(), file.is_unreadable);
        if let Some(error) = &file.error {
            complain(format!("{}: {}", file.address, error.message));
            if arguments.format != Format::Table {
                report.row(&file)?;
            }
        }
        for index in 0..file.events.places.len() {
            events += 1;
            file.current = Some(index);
            report.row(&file)?;
        }
        Ok(())
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
