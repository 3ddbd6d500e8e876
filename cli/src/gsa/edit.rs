//! Edits of SWAT 3 animations: the options that `skelmap edit` has for them, and `skelmap gsa edit`, which takes the same.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use clap::Args;
use skelmap::Asset;
use skelmap::swat3::{Gsa, GsaVersion};
use skelmap_batch::edit::Saving;
use skelmap_write::edit::{GsaEdit, GsaEditReport};

use crate::arguments::{Parsing, local, place};
use crate::files::{self, Source};
use crate::messages::summarize;
use crate::outcome::{Ended, Failure, Outcome};
use crate::report;
use crate::saved::{unsaved, written};
use crate::sink::Sink;
use crate::text::{counted, size};

/// The heading of these options.
const SWAT3: &str = "SWAT 3 (.gsa)";

const VERSIONS: [(&str, GsaVersion); 2] = [("4.1", GsaVersion::V4_1), ("4.2", GsaVersion::V4_2)];

// What is asked of an animation. The second names of options are those that `gsa edit` had.
#[derive(Debug, Args)]
pub(crate) struct Requests {
    /// Add an event after those of a frame.
    ///
    /// Can be given several times.
    #[arg(long, alias = "add", value_name = "FRAME:EVENT", help_heading = SWAT3)]
    add_event: Vec<OsString>,
    /// Remove all events with this name, or those of one frame.
    ///
    /// Can be given several times.
    #[arg(long, alias = "remove", value_name = "[FRAME:]EVENT", help_heading = SWAT3)]
    remove_event: Vec<OsString>,
    /// Remove all events.
    #[arg(long, alias = "clear", help_heading = SWAT3)]
    clear_events: bool,
    /// Rename all events with the first name to the second.
    ///
    /// Can be given several times.
    #[arg(long, value_names = ["EVENT", "NEW"], num_args = 2, help_heading = SWAT3)]
    rename_event: Vec<OsString>,
    /// Convert to this version: 4.1 has no events, 4.2 has them.
    #[arg(long, value_name = "VERSION", value_parser = report::one_of(VERSIONS), help_heading = SWAT3)]
    to_version: Option<GsaVersion>,
    /// The first frame to keep.
    #[arg(long, value_name = "FRAME", help_heading = SWAT3)]
    from: Option<usize>,
    /// The last frame to keep.
    #[arg(long, value_name = "FRAME", help_heading = SWAT3)]
    to: Option<usize>,
}

/// Edit one animation: add, remove and rename events, convert between versions 4.1 and 4.2, keep some frames.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  skelmap gsa edit Reload.GSA -o New.GSA --add-event 11:itemsound=magout
  skelmap gsa edit Walk.GSA -o Still.GSA --from 3 --to 3

`skelmap edit` does the same, and its help says more.")]
pub(crate) struct Edit {
    /// The animation.
    #[arg(value_name = "FILE", value_parser = place())]
    path: PathBuf,
    /// The file to write; - is standard output.
    #[arg(short, long, value_name = "OUT", value_parser = local())]
    output: PathBuf,
    /// Replace OUT if it exists; it may be FILE itself.
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    requests: Requests,
    // In `skelmap edit`, `--rename` is about sequences.
    #[arg(long, hide = true, value_names = ["EVENT", "NEW"], num_args = 2)]
    rename: Vec<OsString>,
    #[command(flatten)]
    pub(crate) parsing: Parsing,
}

pub(crate) fn run(arguments: &Edit, source: &Source) -> Ended {
    let Edit { path, output, force, requests, rename, .. } = arguments;
    let sink = Sink::new(Some(output));
    sink.check_binary("-o FILE or > FILE")?;
    let loaded = files::load(source, path)?;
    let animation = match files::asset(&loaded, path)? {
        Asset::Swat3Gsa(animation) => animation,
        other => return Err(files::other_format(path, other.format(), "a SWAT 3 animation")),
    };
    let edit = requests.asked(&animation, rename).map_err(|failure| failure.in_file(path))?;
    summarize(save(&edit, path, sink, *force, source)?);
    Ok(Outcome::Clean)
}

/// Saves an edit. Returns what is said of it.
pub(crate) fn save(
    edit: &GsaEdit<'_>,
    input: &Path,
    sink: Sink<'_>,
    force: bool,
    source: &Source,
) -> Result<String, Failure> {
    let report = if let Sink::File(path) = sink {
        let inputs = [input.to_owned()];
        let saving = Saving { path, force, inputs: &inputs, exec: None, opener: &source.opener };
        saving.gsa(edit).map_err(|error| unsaved(error, Some(input)))?
    } else {
        written(sink, |mut out| edit.write(&mut out))?
    };
    Ok(said(&report))
}

fn said(report: &GsaEditReport) -> String {
    let mut said = vec![counted(report.frames as u64, "frame")];
    for (count, what) in
        [(report.added_events, "added"), (report.removed_events, "removed"), (report.renamed_events, "renamed")]
    {
        if count > 0 {
            said.push(format!("{} {what}", counted(count as u64, "event")));
        }
    }
    said.push(size(report.bytes));
    said.join("; ")
}

/// Splits `FRAME:EVENT`; without a frame, the whole is the event.
fn at_frame(text: &OsStr) -> (Option<usize>, &[u8]) {
    let bytes = text.as_encoded_bytes();
    let digits = bytes.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let split = bytes.split_at_checked(digits).and_then(|(frame, rest)| {
        let frame = std::str::from_utf8(frame).ok()?.parse().ok()?;
        Some((frame, rest.strip_prefix(b":")?))
    });
    split.map_or((None, bytes), |(frame, event)| (Some(frame), event))
}

impl Requests {
    /// Which options are given.
    pub(crate) fn given(&self) -> [(bool, &'static str); 7] {
        [
            (!self.add_event.is_empty(), "--add-event"),
            (!self.remove_event.is_empty(), "--remove-event"),
            (self.clear_events, "--clear-events"),
            (!self.rename_event.is_empty(), "--rename-event"),
            (self.to_version.is_some(), "--to-version"),
            (self.from.is_some(), "--from"),
            (self.to.is_some(), "--to"),
        ]
    }

    /// Asks all this of an animation. `renamed`: more pairs of names.
    pub(crate) fn asked<'a>(&self, animation: &Gsa<'a>, renamed: &[OsString]) -> Result<GsaEdit<'a>, Failure> {
        let mut edit = GsaEdit::new(animation);
        if let Some(version) = self.to_version {
            edit.set_version(version);
        }
        if self.clear_events {
            edit.clear_events();
        }
        for text in &self.remove_event {
            let asked = match at_frame(text) {
                (Some(frame), event) => edit.remove_events_at(frame, event),
                (None, event) => edit.remove_events(event),
            };
            asked.map_err(Failure::usage)?;
        }
        let mut known = std::collections::HashSet::new();
        for pair in self.rename_event.chunks_exact(2).chain(renamed.chunks_exact(2)) {
            let [old, new] = pair else { continue };
            if !known.insert(old) {
                return Err(Failure::usage(format!("--rename-event {}: given twice", old.to_string_lossy())));
            }
            edit.rename_events(old.as_encoded_bytes(), new.as_encoded_bytes()).map_err(Failure::usage)?;
        }
        for text in &self.add_event {
            match at_frame(text) {
                (Some(frame), event) if !event.is_empty() => edit.add_event(frame, event).map_err(Failure::usage)?,
                _ => {
                    let text = text.to_string_lossy();
                    let message = format!("--add-event {text}: expected FRAME:EVENT, such as 12:sound=cuff");
                    return Err(Failure::usage(message));
                }
            };
        }
        if (self.from, self.to) != (None, None) {
            let last = animation.frame_count().saturating_sub(1);
            let (from, to) = (self.from.unwrap_or(0), self.to.unwrap_or(last));
            if from > to {
                return Err(Failure::usage(format!("--from {from} is after --to {to}")));
            }
            edit.trim(from..to.saturating_add(1)).map_err(Failure::usage)?;
        }
        Ok(edit)
    }
}
