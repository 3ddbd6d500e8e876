//! `skelmap gsa edit`: lossless edits of one animation, into a file that appears complete or not at all.

use std::ffi::{OsStr, OsString};
use std::io::Write;

use skelmap::Asset;
use skelmap::archive::Address;
use skelmap::swat3::edit::EditError;
use skelmap::swat3::{Event, Gsa, GsaVersion, Options, edit};

use crate::Outcome;
use crate::cli::{Edit, Version};
use crate::files::Source;
use crate::print::{self, clean, counted};
use crate::save;

/// Why there is no result: wrong arguments, or what came of them.
type Failed = (Outcome, String);

pub(crate) fn run(arguments: &Edit, source: &Source) -> Outcome {
    let done = edited(arguments, source).and_then(|(bytes, said)| {
        let written = save::save(&arguments.output, arguments.force, |out| {
            out.write_all(&bytes)?;
            save::to_disk(out)
        });
        written.map_err(|error| (Outcome::Findings, format!("{}: {error}", arguments.output.display())))?;
        Ok(said)
    });
    match done {
        Ok(said) => {
            for line in said {
                print::complain(format_args!("{line}"));
            }
            Outcome::Clean
        }
        Err((outcome, message)) => {
            print::complain(format_args!("{}", clean(message)));
            outcome
        }
    }
}

/// The edited file, proven to read as it should, and what to say of it.
fn edited(arguments: &Edit, source: &Source) -> Result<(Vec<u8>, Vec<String>), Failed> {
    let path = arguments.path.display();
    let usage = |message: String| (Outcome::Usage, message);
    let plan = Plan::of(arguments).map_err(usage)?;
    let opened = source.open(&Address::find(&arguments.path));
    let loaded = opened.map_err(|error| (Outcome::NothingRead, error.to_string()))?;
    let animation = match loaded.asset() {
        Ok(Asset::Swat3Gsa(animation)) => animation,
        Ok(other) => {
            return Err(usage(format!("{path}: this is {}, expected a SWAT 3 animation", other.format())));
        }
        Err(error) => return Err((Outcome::Findings, format!("{path}: {error}"))),
    };
    plan.prove_frames(&animation).map_err(|message| usage(format!("{path}: {message}")))?;
    let mut work = Work { bytes: animation.bytes().to_vec(), options: &source.parse.swat3, said: Vec::new() };
    plan.apply(&mut work).map_err(|(outcome, message)| (outcome, format!("{path}: {message}")))?;
    Ok((work.bytes, work.said))
}

/// An event named by its bytes, or as it is shown.
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
    version: Option<Version>,
    clear: bool,
    remove: Vec<(Option<usize>, Named<'a>)>,
    rename: Vec<(Named<'a>, &'a [u8])>,
    add: Vec<(usize, &'a [u8])>,
    from: Option<usize>,
    to: Option<usize>,
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
    fn of(arguments: &'a Edit) -> Result<Self, String> {
        let &Edit { to_version, clear, from, to, .. } = arguments;
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
            version: to_version,
            clear,
            remove: arguments.remove.iter().map(|text| at_frame(text)).collect(),
            rename,
            add: arguments.add.iter().map(add).collect::<Result<_, _>>()?,
            from,
            to,
        };
        let edits_events = plan.clear || !(plan.remove.is_empty() && plan.rename.is_empty() && plan.add.is_empty());
        if !edits_events && plan.version.is_none() && (plan.from, plan.to) == (None, None) {
            return Err("nothing to do: give --add, --remove, --clear, --rename, --to-version, --from or --to".into());
        }
        Ok(plan)
    }

    /// The frames that are kept, the last one included.
    fn kept(&self, animation: &Gsa<'_>) -> (usize, usize) {
        let last = animation.frame_count().saturating_sub(1);
        (self.from.unwrap_or(0), self.to.unwrap_or(last))
    }

    /// Refuses frames that there are not, and events that would be added to be cut off.
    fn prove_frames(&self, animation: &Gsa<'_>) -> Result<(), String> {
        let last = animation.frame_count().saturating_sub(1);
        let removed = self.remove.iter().filter_map(|(frame, _)| *frame);
        let asked = removed.chain(self.add.iter().map(|(frame, _)| *frame)).chain(self.from).chain(self.to);
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

    fn apply(&self, work: &mut Work<'_>) -> Result<(), Failed> {
        let to_version =
            |version| move |animation: &Gsa<'_>, out: &mut Vec<u8>| edit::to_version(animation, version, out);
        if self.version == Some(Version::V4_2) {
            work.step(to_version(GsaVersion::V4_2))?;
        }
        self.remove(work)?;
        self.rename(work)?;
        if !self.add.is_empty() {
            work.step(|animation, out| edit::add_events(animation, &self.add, out))?;
            work.said.push(format!("added {}", counted(self.add.len() as u64, "event")));
        }
        if (self.from, self.to) != (None, None) {
            work.step(|animation, out| {
                let (from, to) = self.kept(animation);
                edit::trim(animation, from..to.saturating_add(1), out)
            })?;
        }
        if self.version == Some(Version::V4_1) {
            work.step(to_version(GsaVersion::V4_1))?;
        }
        Ok(())
    }

    fn remove(&self, work: &mut Work<'_>) -> Result<(), Failed> {
        if !self.clear && self.remove.is_empty() {
            return Ok(());
        }
        let (mut removed, mut found) = (0, vec![false; self.remove.len()]);
        work.step(|animation, out| {
            let remove = |frame, event: Event<'_>| {
                let is_meant =
                    |(at, name): &(Option<usize>, Named<'_>)| at.is_none_or(|at| at == frame) && name.is(event);
                let mut is_any = self.clear;
                for (found, asked) in found.iter_mut().zip(&self.remove) {
                    *found |= is_meant(asked);
                    is_any |= is_meant(asked);
                }
                removed += u64::from(is_any);
                is_any
            };
            edit::remove_events(animation, remove, out)
        })?;
        work.said.push(format!("removed {}", counted(removed, "event")));
        missing("--remove", self.remove.iter().map(|(_, name)| *name), &found)
    }

    fn rename(&self, work: &mut Work<'_>) -> Result<(), Failed> {
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
        work.said.push(format!("renamed {}", counted(renamed, "event")));
        missing("--rename", self.rename.iter().map(|(old, _)| *old), &found)
    }
}

/// An error if an event that was asked for was not there: a typo must not pass for an edit.
fn missing<'a>(option: &str, mut asked: impl Iterator<Item = Named<'a>>, found: &[bool]) -> Result<(), Failed> {
    match found.iter().position(|found| !found).and_then(|at| asked.nth(at)) {
        Some(name) => {
            let name = name.0.to_string_lossy();
            let message = format!(
                "{option} {name}: there is no such event; nothing is written (names are as in the file, such as itemsound=magout)"
            );
            Err((Outcome::Findings, message))
        }
        None => Ok(()),
    }
}

/// The file in memory, and what to say once it is written.
struct Work<'a> {
    bytes: Vec<u8>,
    options: &'a Options,
    said: Vec<String>,
}

impl Work<'_> {
    /// One edit. What it gives must read as the same skeleton and rotations: where little tells how a file is to be taken (a
    /// single frame, zeros at the end), a part of the edit could be taken for something else.
    fn step(&mut self, edit: impl FnOnce(&Gsa<'_>, &mut Vec<u8>) -> Result<(), EditError>) -> Result<(), Failed> {
        let mut edited = Vec::with_capacity(self.bytes.len());
        let parse = |bytes| Gsa::parse_with(bytes, self.options);
        let before = parse(&self.bytes).map_err(|error| (Outcome::Findings, error.to_string()))?;
        edit(&before, &mut edited).map_err(|error| (Outcome::Usage, error.to_string()))?;
        let after = parse(&edited);
        let after = after.map_err(|error| {
            (Outcome::Findings, format!("the result could not be read back, nothing is written: {error}"))
        })?;
        let kept = |view: &Gsa<'_>| (view.marker_offset(), view.rotation_count());
        let is_converted = before.version() != after.version() || has_odd_counts(&before);
        if kept(&before) != kept(&after) || (!is_converted && before.event_count_words() != after.event_count_words()) {
            let message = "the result would be read otherwise than the file is; nothing is written";
            return Err((Outcome::Findings, message.to_owned()));
        }
        self.bytes = edited;
        Ok(())
    }
}

fn has_odd_counts(animation: &Gsa<'_>) -> bool {
    animation.quirks().any(|quirk| quirk.kind == skelmap::QuirkKind::EventCountWords)
}
