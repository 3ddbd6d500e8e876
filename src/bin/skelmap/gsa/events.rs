//! `skelmap gsa events`: every event of many animations.

use std::io::{self, Write};
use std::path::Path;

use serde::Serialize;
use skelmap::Asset;
use skelmap::swat3::{Event, PLAYBACK_FPS};

use crate::Outcome;
use crate::cli::{Events, Format};
use crate::files::{self, Opened, Source};
use crate::print::{self, Json, clean, or_blank};
use crate::row::{Fault, Row, SCHEMA};

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
        [self.frame.to_string(), format!("{:.1}", self.time_s), self.kind.to_owned(), clean(&self.name)]
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
    events: Vec<EventRow>,
    error: Option<Fault>,
}

/// Opens a file; other formats are passed over, since a folder holds many.
fn events_of(path: &Path, opened: &Opened) -> Option<FileEvents> {
    let Row { path: shown, error, format, .. } = Row::of(path, opened)?;
    let events = match opened {
        Opened::File(loaded) => match loaded.asset() {
            Ok(Asset::Swat3Gsa(animation)) => {
                animation.events().map(|(frame, event)| EventRow::new(frame, event)).collect()
            }
            Ok(_) => return None,
            // A file of another format with a fault is as little business of ours as a sound one.
            Err(_) if is_other(path, format) => return None,
            Err(_) => Vec::new(),
        },
        Opened::PassedOver | Opened::Unreadable(_) => Vec::new(),
    };
    Some(FileEvents { path: shown, events, error })
}

/// Whether a file is, by content or else by name, of another format.
fn is_other(path: &Path, format: Option<&str>) -> bool {
    match format {
        Some(format) => format != skelmap::Format::Swat3Gsa.code(),
        None => files::is_promised(path) && !path.extension().is_some_and(|kind| kind.eq_ignore_ascii_case("gsa")),
    }
}

const CSV_HEADING: [&str; 6] = ["path", "entry", "frame", "time_s", "kind", "name"];

pub(crate) fn run(arguments: &Events, source: &Source) -> io::Result<Outcome> {
    let mut out = print::output();
    let mut json = Json::new(arguments.format);
    let mut csv = (arguments.format == Format::Csv).then(|| csv::Writer::from_writer(print::output()));
    if let Some(csv) = &mut csv {
        print::written(csv.write_record(CSV_HEADING))?;
    }
    let mut table = print::table(&["frame", "seconds", "kind", "name", "path"]);
    let (mut files, mut bad, mut events) = (0, 0, 0_u64);
    files::each(&arguments.inputs, source, events_of, |file| {
        files += 1;
        if let Some(error) = &file.error {
            bad += 1;
            print::complain(format_args!("{}: {}", clean(&file.path), clean(&error.message)));
            if let Some(json) = &mut json {
                let row = Listed { error: Some(error), ..nothing(&file.path) };
                json.value(&mut out, &row)?;
            }
        }
        for event in &file.events {
            events += 1;
            match (&mut json, &mut csv) {
                (Some(json), _) => {
                    let EventRow { frame, time_s, kind, name } = event;
                    let (frame, time_s, kind, name) = (Some(*frame), Some(*time_s), Some(*kind), Some(name.as_str()));
                    json.value(&mut out, &Listed { frame, time_s, kind, name, ..nothing(&file.path) })?;
                }
                (_, Some(csv)) => {
                    let (frame, time) = (event.frame.to_string(), event.time_s.to_string());
                    let entry = or_blank(None::<&str>);
                    print::written(csv.write_record([&file.path, &entry, &frame, &time, event.kind, &event.name]))?;
                }
                _ => {
                    table.add_row(event.cells().into_iter().chain([clean(&file.path)]));
                }
            }
        }
        Ok(())
    })?;
    match (json, csv) {
        (Some(json), _) => json.end(&mut out)?,
        (_, Some(mut csv)) => csv.flush()?,
        _ if events > 0 => {
            print::align_right(&mut table, [0, 1]);
            print::write_table(&mut out, &mut table)?;
        }
        _ => {}
    }
    out.flush()?;
    print::complain(format_args!(
        "{} in {}, {bad} bad",
        print::counted(events, "event"),
        print::counted(files, "animation")
    ));
    Ok(match (files, bad) {
        (0, _) => Outcome::NothingRead,
        (files, bad) if files == bad => Outcome::NothingRead,
        (_, 0) => Outcome::Clean,
        _ => Outcome::Findings,
    })
}

const fn nothing(path: &str) -> Listed<'_> {
    Listed { schema: SCHEMA, path, entry: None, frame: None, time_s: None, kind: None, name: None, error: None }
}
