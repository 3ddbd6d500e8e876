//! `skelmap gsa events`: every event of many animations.

use std::io::{self, Write};

use serde::{Serialize, Serializer};
use skelmap::Asset;
use skelmap::archive::Address;
use skelmap::catalog::{Fault, Item, Loaded, Row, SCHEMA};
use skelmap::swat3::{Event, Gsa, PLAYBACK_FPS};

use crate::Outcome;
use crate::cli::{Events, Format};
use crate::files::{self, Source};
use crate::print::{self, Json, clean, or_blank, short};
use crate::row::{row, shown};
use crate::table::Table;

/// An event. The order of the fields is the order of the keys.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct EventRow {
    frame: usize,
    time_s: f64,
    kind: &'static str,
    name: String,
}

impl EventRow {
    pub(crate) fn new(frame: usize, event: Event<'_>) -> Self {
        let time_s = u32::try_from(frame).map_or(f64::INFINITY, f64::from) / PLAYBACK_FPS;
        let kind = event.kind();
        Self { frame, time_s, kind: kind.code(), name: kind.value().to_string() }
    }

    /// Frame, seconds, kind and name, for a table.
    pub(crate) fn cells(&self) -> [String; 4] {
        [self.frame.to_string(), format!("{:.1}", self.time_s), self.kind.to_owned(), short(&self.name)]
    }
}

/// The events of a file, kept in little: an event may have three bytes there, and a row of its own twenty times as many.
#[derive(Debug, Default)]
pub(crate) struct EventList {
    /// Of each event its frame, and where its name ends.
    places: Vec<(u16, u32)>,
    names: Vec<u8>,
}

impl EventList {
    pub(crate) fn of(animation: &Gsa<'_>) -> Self {
        let mut list = Self::default();
        for (frame, event) in animation.events() {
            list.names.extend_from_slice(event.as_bytes());
            // Frames are counted by a short; names that go on after 4 GiB have no place.
            let (Ok(frame), Ok(end)) = (u16::try_from(frame), u32::try_from(list.names.len())) else { break };
            list.places.push((frame, end));
        }
        list
    }

    pub(crate) fn rows(&self) -> impl Iterator<Item = EventRow> {
        let mut start = 0;
        self.places.iter().map(move |(frame, end)| {
            let name = self.names.get(start as usize..*end as usize).unwrap_or_default();
            start = *end;
            EventRow::new((*frame).into(), Event::new(name))
        })
    }
}

impl Serialize for EventList {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.rows())
    }
}

/// A row of the listing: an event, or why a file has none to tell. The order of the fields is the order of the keys.
#[derive(Serialize)]
struct Listed<'a> {
    schema: u32,
    path: &'a str,
    entry: Option<&'a str>,
    frame: Option<usize>,
    time_s: Option<f64>,
    kind: Option<&'static str>,
    name: Option<&'a str>,
    error: Option<&'a Fault>,
}

/// The events of one file.
struct FileEvents {
    path: String,
    entry: Option<String>,
    events: EventList,
    error: Option<Fault>,
    /// It could not even be opened.
    is_unreadable: bool,
}

/// The events of a file. Other formats are passed over in a folder, which holds many, but not where one is named.
fn events_of(item: &Item, opened: &Result<Loaded, Fault>) -> Option<FileEvents> {
    let address = item.address();
    let Row { path, entry, error, format, .. } = row(&address, opened);
    let is_unreadable = opened.is_err();
    let events = match opened {
        Ok(loaded) => match loaded.asset() {
            Ok(Asset::Swat3Gsa(animation)) => EventList::of(&animation),
            Ok(other) if item.is_named() => {
                let error = Some(other_format(other.format()));
                return Some(FileEvents { path, entry, events: EventList::default(), error, is_unreadable });
            }
            Ok(_) => return None,
            // A file of another format with a fault is as little business of ours as a sound one.
            Err(_) if !item.is_named() && is_other(&address, format) => return None,
            Err(_) => EventList::default(),
        },
        Err(_) => EventList::default(),
    };
    Some(FileEvents { path, entry, events, error, is_unreadable })
}

fn other_format(format: skelmap::Format) -> Fault {
    let message = format!("this is {format}, expected a SWAT 3 animation");
    Fault { kind: "other-format", section: None, offset: None, message }
}

/// Whether a file is, by content or else by name, of another format.
fn is_other(address: &Address, format: Option<&str>) -> bool {
    let name = address.to_string().to_ascii_lowercase();
    let by_name = || [".psk", ".pskx", ".psa", ".pmd"].iter().any(|other| name.ends_with(other));
    format.map_or_else(by_name, |format| format != skelmap::Format::Swat3Gsa.code())
}

const CSV_HEADING: [&str; 8] = ["path", "entry", "frame", "time_s", "kind", "name", "error_kind", "error_message"];

pub(crate) fn run(arguments: &Events, source: &Source) -> io::Result<Outcome> {
    let mut out = print::output();
    let mut json = Json::new(arguments.format);
    let mut csv = (arguments.format == Format::Csv).then(|| csv::Writer::from_writer(print::output()));
    if let Some(csv) = &mut csv {
        print::written(csv.write_record(CSV_HEADING))?;
    }
    let mut table = Table::new(&["frame", "seconds", "kind", "name", "path"]).aligned_right([0, 1]);
    let (mut files, mut bad, mut unreadable, mut events) = (0, 0, 0, 0_u64);
    let sources = source.find(&arguments.inputs);
    let work = |item: &Item, opened| events_of(item, &opened);
    files::each_of(&sources, arguments.inputs.jobs, source, work, |file| {
        let shown = clean(shown(&file.path, file.entry.as_deref()));
        files += 1;
        unreadable += u64::from(file.is_unreadable);
        if let Some(error) = &file.error {
            bad += 1;
            print::complain(format_args!("{shown}: {}", clean(&error.message)));
            let entry = or_blank(file.entry.as_ref());
            match (&mut json, &mut csv) {
                (Some(json), _) => json.value(&mut out, &Listed { error: Some(error), ..nothing(&file) })?,
                (_, Some(csv)) => {
                    let record = [&file.path, &entry, "", "", "", "", error.kind, &error.message];
                    print::written(csv.write_record(record))?;
                }
                _ => {}
            }
        }
        for event in file.events.rows() {
            events += 1;
            match (&mut json, &mut csv) {
                (Some(json), _) => {
                    let EventRow { frame, time_s, kind, name } = &event;
                    let (frame, time_s, kind, name) = (Some(*frame), Some(*time_s), Some(*kind), Some(name.as_str()));
                    json.value(&mut out, &Listed { frame, time_s, kind, name, ..nothing(&file) })?;
                }
                (_, Some(csv)) => {
                    let (frame, time) = (event.frame.to_string(), event.time_s.to_string());
                    let entry = or_blank(file.entry.as_ref());
                    let record = [&file.path, &entry, &frame, &time, event.kind, &event.name, "", ""];
                    print::written(csv.write_record(record))?;
                }
                _ => table.row(&mut out, event.cells().iter().chain([&shown]))?,
            }
        }
        Ok(())
    })?;
    match (json, csv) {
        (Some(json), _) => json.end(&mut out)?,
        (_, Some(mut csv)) => csv.flush()?,
        _ if !table.is_empty() => table.end(&mut out)?,
        _ => {}
    }
    out.flush()?;
    print::complain(format_args!(
        "{} in {}, {bad} bad",
        print::counted(events, "event"),
        print::counted(files, "animation")
    ));
    Ok(match bad {
        _ if files == unreadable => Outcome::NothingRead,
        0 => Outcome::Clean,
        _ => Outcome::Findings,
    })
}

fn nothing(file: &FileEvents) -> Listed<'_> {
    let (path, entry) = (file.path.as_str(), file.entry.as_deref());
    Listed { schema: SCHEMA, path, entry, frame: None, time_s: None, kind: None, name: None, error: None }
}
