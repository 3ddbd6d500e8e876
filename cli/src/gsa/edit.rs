//! `skelmap gsa edit`: lossless edits of one animation, written to a file that appears complete or not at all.

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

use clap::Args;
use skelmap::Asset;
use skelmap::swat3::edit::EditError;
use skelmap::swat3::{Event, Gsa, GsaVersion, Options, edit};

use crate::arguments::{Parsing, place};
use crate::files::{self, Source};
use crate::outcome::{Ended, Failure, Outcome};
use crate::output::complain;
use crate::report;
use crate::sink::{Sink, is_stdout};
use crate::text::counted;

/// Edit one animation: add, remove and rename events, convert between versions 4.1 and 4.2, keep some frames.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  skelmap gsa edit Reload.GSA -o New.GSA --add 11:itemsound=magout --add 19:itemsound=magin
  skelmap gsa edit Old.GSA -o New.GSA --to-version 4.2 --add 12:sound=cuff
  skelmap gsa edit Walk.GSA -o Quiet.GSA --remove 'sound=step' --remove 4:sound=cough
  skelmap gsa edit Walk.GSA -o New.GSA --rename sound=step sound=step_metal
  skelmap gsa edit Walk.GSA -o Still.GSA --from 3 --to 3

Frame numbers are those of the input, counted from 0. Events are written as in the file (itemsound=magout) or, if the file is not \
UTF-8, as they are shown. The order of edits: to version 4.2, remove, rename, add, keep, to version 4.1. All other bytes stay as they \
are. OUT appears complete or not at all: it is written as .skelmap-*.part, read back and renamed. A replaced file keeps its \
permissions, but not its owner, links and attributes.")]
pub(crate) struct Edit {
    /// The animation.
    #[arg(value_name = "FILE", value_parser = place())]
    path: PathBuf,
    /// The file to write; - is standard output.
    #[arg(short, long, value_name = "OUT")]
    output: PathBuf,
    /// Replace OUT if it exists; it may be FILE itself.
    #[arg(long)]
    force: bool,
    /// Convert to this version: 4.1 has no events, 4.2 has them.
    #[arg(long, value_name = "VERSION", value_parser = report::one_of(VERSIONS))]
    to_version: Option<GsaVersion>,
    /// Add an event after those of a frame; can be given several times.
    #[arg(long, value_name = "FRAME:EVENT")]
    add: Vec<OsString>,
    /// Remove all events with this name, or those of one frame; can be given several times.
    #[arg(long, value_name = "[FRAME:]EVENT")]
    remove: Vec<OsString>,
    /// Remove all events.
    #[arg(long)]
    clear: bool,
    /// Rename all events with the first name to the second; can be given several times.
    #[arg(long, value_names = ["EVENT", "NEW"], num_args = 2)]
    rename: Vec<OsString>,
    /// The first frame to keep.
    #[arg(long, value_name = "FRAME")]
    from: Option<usize>,
    /// The last frame to keep.
    #[arg(long, value_name = "FRAME")]
    to: Option<usize>,
    #[command(flatten)]
    pub(crate) parsing: Parsing,
}

const VERSIONS: [(&str, GsaVersion); 2] = [("4.1", GsaVersion::V4_1), ("4.2", GsaVersion::V4_2)];

pub(crate) fn run(arguments: &Edit, source: &Source) -> Ended {
    // An edit is written in place of a file, or to standard output: a pipe or a device is no place for it.
    let sink = if is_stdout(&arguments.output) { Sink::Stdout } else { Sink::File(&arguments.output) };
    sink.check_binary("-o FILE or > FILE")?;
    let path = &arguments.path;
    let plan = Plan::new(arguments).map_err(Failure::usage)?;
    let loaded = files::load(source, path)?;
    let animation = match files::asset(&loaded, path)? {
        Asset::Swat3Gsa(animation) => animation,
        other => return Err(files::other_format(path, other.format(), "a SWAT 3 animation")),
    };
    let mut work = Work { bytes: animation.bytes().to_vec(), options: &source.parse.swat3, messages: Vec::new() };
    let applied = plan.check_frames(&animation).map_err(Failure::usage).and_then(|()| plan.apply(&mut work));
    applied.map_err(|failure| failure.in_file(path))?;
    sink.write_bytes(arguments.force, &work.bytes)?;
    work.messages.iter().for_each(complain);
    Ok(Outcome::Clean)
}

/// The name of an event on the command line: its bytes, or its text as it is shown.
#[derive(Clone, Copy)]
struct Named<'a>(&'a OsStr);

impl<'a> Named<'a> {
    fn bytes(self) -> &'a [u8] {
        self.0.as_encoded_bytes()
    }

    fn is(self, event: Event<'_>) -> bool {
        self.bytes() == event.as_bytes() || (event.text().as_str().is_none() && *self.0 == *event.text().to_string())
    }
}

/// The edits, in the order in which they happen.
struct Plan<'a> {
    asked: &'a Edit,
    remove: Vec<(Option<usize>, Named<'a>)>,
    rename: Vec<(Named<'a>, &'a [u8])>,
    add: Vec<(usize, &'a [u8])>,
}

/// Splits `FRAME:EVENT`; without a frame, the whole is the event.
fn at_frame(text: &OsStr) -> (Option<usize>, Named<'_>) {
    let digits = text.as_encoded_bytes().iter().take_while(|byte| byte.is_ascii_digit()).count();
    let split = text.to_str().and_then(|text| text.split_at_checked(digits));
    match split.and_then(|(frame, rest)| Some((frame.parse().ok()?, rest.strip_prefix(':')?))) {
        Some((frame, event)) => (Some(frame), Named(OsStr::new(event))),
        None => (None, Named(text)),
    }
}

impl<'a> Plan<'a> {
    fn new(arguments: &'a Edit) -> Result<Self, String> {
        let mut rename: Vec<(Named<'_>, &[u8])> = Vec::new();
        for pair in arguments.rename.chunks_exact(2) {
            let [old, new] = pair else { continue };
            if rename.iter().any(|(known, _)| known.0 == old) {
                return Err(format!("--rename {}: given twice", old.to_string_lossy()));
            }
            rename.push((Named(old), new.as_encoded_bytes()));
        }
        let add = |text: &'a OsString| match at_frame(text) {
            (Some(frame), event) if !event.bytes().is_empty() => Ok((frame, event.bytes())),
            _ => Err(format!("--add {}: expected FRAME:EVENT, such as 12:sound=cuff", text.to_string_lossy())),
        };
        let plan = Self {
            asked: arguments,
            remove: arguments.remove.iter().map(|text| at_frame(text)).collect(),
            rename,
            add: arguments.add.iter().map(add).collect::<Result<_, _>>()?,
        };
        let Edit { to_version, clear, from, to, .. } = arguments;
        let edits_events = *clear || !(plan.remove.is_empty() && plan.rename.is_empty() && plan.add.is_empty());
        if !edits_events && to_version.is_none() && (from, to) == (&None, &None) {
            return Err("nothing to do: give --add, --remove, --clear, --rename, --to-version, --from or --to".into());
        }
        Ok(plan)
    }

    /// The first and the last frame to keep.
    fn kept(&self, animation: &Gsa<'_>) -> (usize, usize) {
        let last = animation.frame_count().saturating_sub(1);
        (self.asked.from.unwrap_or(0), self.asked.to.unwrap_or(last))
    }

    /// Refuses frames that do not exist, and events in frames that are not kept.
    fn check_frames(&self, animation: &Gsa<'_>) -> Result<(), String> {
        let last = animation.frame_count().saturating_sub(1);
        let removed = self.remove.iter().filter_map(|(frame, _)| *frame);
        let asked = removed.chain(self.add.iter().map(|(frame, _)| *frame)).chain(self.asked.from).chain(self.asked.to);
        if let Some(frame) = asked.max().filter(|frame| *frame > last) {
            return Err(format!("there is no frame {frame}, the last one is {last}"));
        }
        let (from, to) = self.kept(animation);
        if from > to {
            return Err(format!("--from {from} is after --to {to}"));
        }
        match self.add.iter().find(|(frame, _)| !(from..=to).contains(frame)) {
            Some((frame, _)) => Err(format!("--add to frame {frame}, which --from and --to do not keep")),
            None => Ok(()),
        }
    }

    fn apply(&self, work: &mut Work<'_>) -> Result<(), Failure> {
        let convert = |to| move |animation: &Gsa<'_>, out: &mut Vec<u8>| edit::to_version(animation, to, out);
        if self.asked.to_version == Some(GsaVersion::V4_2) {
            work.step(convert(GsaVersion::V4_2))?;
        }
        self.remove(work)?;
        self.rename(work)?;
        if !self.add.is_empty() {
            work.step(|animation, out| edit::add_events(animation, &self.add, out))?;
            work.messages.push(format!("added {}", counted(self.add.len() as u64, "event")));
        }
        if (self.asked.from, self.asked.to) != (None, None) {
            work.step(|animation, out| {
                let (from, to) = self.kept(animation);
                edit::trim(animation, from..to.saturating_add(1), out)
            })?;
        }
        if self.asked.to_version == Some(GsaVersion::V4_1) {
            work.step(convert(GsaVersion::V4_1))?;
        }
        Ok(())
    }

    fn remove(&self, work: &mut Work<'_>) -> Result<(), Failure> {
        if !self.asked.clear && self.remove.is_empty() {
            return Ok(());
        }
        let (mut removed, mut found) = (0, vec![false; self.remove.len()]);
        work.step(|animation, out| {
            let remove = |frame, event: Event<'_>| {
                let is_meant =
                    |(at, name): &(Option<usize>, Named<'_>)| at.is_none_or(|at| at == frame) && name.is(event);
                let mut is_any = self.asked.clear;
                for (found, asked) in found.iter_mut().zip(&self.remove) {
                    *found |= is_meant(asked);
                    is_any |= is_meant(asked);
                }
                removed += u64::from(is_any);
                is_any
            };
            edit::remove_events(animation, remove, out)
        })?;
        work.messages.push(format!("removed {}", counted(removed, "event")));
        missing("--remove", self.remove.iter().map(|(_, name)| *name), &found)
    }

    fn rename(&self, work: &mut Work<'_>) -> Result<(), Failure> {
        if self.rename.is_empty() {
            return Ok(());
        }
        let (mut renamed, mut found) = (0, vec![false; self.rename.len()]);
        work.step(|animation, out| {
            let rename = |_, event: Event<'_>| {
                let at = self.rename.iter().position(|(old, _)| old.is(event))?;
                renamed += 1;
                *found.get_mut(at)? = true;
                self.rename.get(at).map(|(_, new)| new.to_vec())
            };
            edit::rename_events(animation, rename, out)
        })?;
        work.messages.push(format!("renamed {}", counted(renamed, "event")));
        missing("--rename", self.rename.iter().map(|(old, _)| *old), &found)
    }
}

/// Refuses names that no event has: a typo must not look like an edit.
fn missing<'a>(option: &str, mut asked: impl Iterator<Item = Named<'a>>, found: &[bool]) -> Result<(), Failure> {
    let missing = found.iter().position(|found| !found).and_then(|at| asked.nth(at));
    missing.map_or(Ok(()), |name| {
        let hint = "nothing is written (write names as in the file, such as itemsound=magout)";
        Err(Failure::findings(format!("{option} {}: there is no such event; {hint}", name.0.to_string_lossy())))
    })
}

/// The file in memory, and the messages for the time when it is written.
struct Work<'a> {
    bytes: Vec<u8>,
    options: &'a Options,
    messages: Vec<String>,
}

impl Work<'_> {
    /// Does one edit. The result must read as the same skeleton and rotations: in a file with little evidence (a single frame, zeros
    /// at the end), an edit could change the meaning of other bytes.
    fn step(&mut self, edit: impl FnOnce(&Gsa<'_>, &mut Vec<u8>) -> Result<(), EditError>) -> Result<(), Failure> {
        let mut edited = Vec::with_capacity(self.bytes.len());
        let parse = |bytes| Gsa::parse_with(bytes, self.options);
        let before = parse(&self.bytes).map_err(Failure::findings)?;
        edit(&before, &mut edited).map_err(Failure::usage)?;
        let unreadable = |error| format!("the result could not be read back, nothing is written: {error}");
        let after = parse(&edited).map_err(|error| Failure::findings(unreadable(error)))?;
        let kept = |view: &Gsa<'_>| (view.marker_offset(), view.rotation_count());
        let is_converted = before.version() != after.version() || has_odd_counts(&before);
        if kept(&before) != kept(&after) || (!is_converted && before.event_count_words() != after.event_count_words()) {
            let message = "the rest of the file would be read otherwise after the edit; nothing is written";
            return Err(Failure::findings(message));
        }
        self.bytes = edited;
        Ok(())
    }
}

fn has_odd_counts(animation: &Gsa<'_>) -> bool {
    animation.quirks().any(|quirk| quirk.code == skelmap::swat3::codes::EVENT_COUNT_WORDS)
}
