//! `skelmap gsa edit`: lossless edits of one animation, into a file that appears complete or not at all.

use std::io::Write;

use skelmap::Asset;
use skelmap::swat3::{Gsa, GsaVersion, Options, edit};

use crate::Outcome;
use crate::cli::{Edit, Version};
use crate::files::{Loaded, Source};
use crate::print::{self, clean};
use crate::save;

/// Why there is no result: wrong arguments, or what came of them.
type Failed = (Outcome, String);

pub(crate) fn run(arguments: &Edit, source: &Source) -> Outcome {
    let done = edited(arguments, source).and_then(|bytes| {
        let written = save::save(&arguments.output, arguments.force, |out| out.write_all(&bytes));
        written.map_err(|error| (Outcome::Findings, format!("{}: {error}", arguments.output.display())))
    });
    match done {
        Ok(()) => Outcome::Clean,
        Err((outcome, message)) => {
            print::complain(format_args!("{}", clean(message)));
            outcome
        }
    }
}

/// The edited file, proven to read.
fn edited(arguments: &Edit, source: &Source) -> Result<Vec<u8>, Failed> {
    let path = arguments.path.display();
    let plan = Plan::of(arguments).map_err(|message| (Outcome::Usage, message))?;
    let loaded = Loaded::open(&arguments.path, source).map_err(|error| (Outcome::NothingRead, error.to_string()))?;
    let animation = match loaded.asset() {
        Ok(Asset::Swat3Gsa(animation)) => animation,
        Ok(other) => {
            return Err((Outcome::Usage, format!("{path}: this is {}, expected a SWAT 3 animation", other.format())));
        }
        Err(error) => return Err((Outcome::Findings, format!("{path}: {error}"))),
    };
    let last = animation.frame_count().saturating_sub(1);
    if let Some((frame, _)) = plan.events().find(|(frame, _)| frame.is_some_and(|frame| frame > last)) {
        let frame = frame.unwrap_or_default();
        return Err((Outcome::Usage, format!("{path}: there is no frame {frame}, the last one is {last}")));
    }
    let options = source.swat3_options();
    let bytes = plan.apply(&animation, options).map_err(|message| (Outcome::Usage, format!("{path}: {message}")))?;
    let proven = Gsa::parse_with(&bytes, options);
    proven.map_err(|error| {
        (Outcome::Findings, format!("the result could not be read back, nothing is written: {error}"))
    })?;
    Ok(bytes)
}

/// The edits, in the order in which they happen.
struct Plan<'a> {
    version: Option<Version>,
    clear: bool,
    remove: Vec<(Option<usize>, &'a [u8])>,
    rename: Vec<(&'a [u8], &'a [u8])>,
    add: Vec<(usize, &'a [u8])>,
    from: Option<usize>,
    to: Option<usize>,
}

/// Splits `FRAME:EVENT`; without a frame, the whole is the event.
fn at_frame(text: &str) -> (Option<usize>, &[u8]) {
    match text.split_once(':').and_then(|(frame, event)| Some((frame.parse().ok()?, event))) {
        Some((frame, event)) => (Some(frame), event.as_bytes()),
        None => (None, text.as_bytes()),
    }
}

impl<'a> Plan<'a> {
    fn of(arguments: &'a Edit) -> Result<Self, String> {
        let &Edit { to_version, clear, from, to, .. } = arguments;
        let rename = arguments.rename.chunks_exact(2).filter_map(|pair| match pair {
            [old, new] => Some((old.as_bytes(), new.as_bytes())),
            _ => None,
        });
        let add = arguments.add.iter().map(|text| match at_frame(text) {
            (Some(frame), event) => Ok((frame, event)),
            (None, _) => Err(format!("--add {text}: expected FRAME:EVENT, such as 12:sound=cuff")),
        });
        let plan = Self {
            version: to_version,
            clear,
            remove: arguments.remove.iter().map(|text| at_frame(text)).collect(),
            rename: rename.collect(),
            add: add.collect::<Result<_, _>>()?,
            from,
            to,
        };
        let is_idle = plan.version.is_none()
            && !plan.clear
            && plan.rename.is_empty()
            && plan.events().next().is_none()
            && (plan.from, plan.to) == (None, None);
        if is_idle {
            return Err("nothing to do: give --add, --remove, --clear, --rename, --to-version, --from or --to".into());
        }
        Ok(plan)
    }

    /// What is added or removed, with the frames.
    fn events(&self) -> impl Iterator<Item = (Option<usize>, &'a [u8])> {
        self.remove.iter().copied().chain(self.add.iter().map(|(frame, event)| (Some(*frame), *event)))
    }

    fn apply(&self, animation: &Gsa<'_>, options: &Options) -> Result<Vec<u8>, String> {
        let mut bytes = animation.bytes().to_vec();
        if self.version == Some(Version::V4_2) {
            step(&mut bytes, options, |animation, out| edit::to_version(animation, GsaVersion::V4_2, out))?;
        }
        if self.clear || !self.remove.is_empty() {
            let mut removed = 0_u64;
            step(&mut bytes, options, |animation, out| {
                let remove = |frame, event: skelmap::swat3::Event<'_>| {
                    let is_meant = self.clear
                        || self
                            .remove
                            .iter()
                            .any(|(at, name)| at.is_none_or(|at| at == frame) && *name == event.as_bytes());
                    removed += u64::from(is_meant);
                    is_meant
                };
                edit::remove_events(animation, remove, out)
            })?;
            print::complain(format_args!("removed {}", print::counted(removed, "event")));
        }
        if !self.rename.is_empty() {
            let mut renamed = 0_u64;
            step(&mut bytes, options, |animation, out| {
                let rename = |_, event: skelmap::swat3::Event<'_>| {
                    let (_, new) = self.rename.iter().find(|(old, _)| *old == event.as_bytes())?;
                    renamed += 1;
                    Some(new.to_vec())
                };
                edit::rename_events(animation, rename, out)
            })?;
            print::complain(format_args!("renamed {}", print::counted(renamed, "event")));
        }
        if !self.add.is_empty() {
            step(&mut bytes, options, |animation, out| edit::add_events(animation, &self.add, out))?;
        }
        if (self.from, self.to) != (None, None) {
            let last = animation.frame_count().saturating_sub(1);
            let (from, to) = (self.from.unwrap_or(0), self.to.unwrap_or(last));
            if from > to || to > last {
                return Err(format!("frames {from} to {to} were asked for, the last one is {last}"));
            }
            step(&mut bytes, options, |animation, out| edit::trim(animation, from..to.saturating_add(1), out))?;
        }
        if self.version == Some(Version::V4_1) {
            step(&mut bytes, options, |animation, out| edit::to_version(animation, GsaVersion::V4_1, out))?;
        }
        Ok(bytes)
    }
}

/// One edit of the file in memory.
fn step(
    bytes: &mut Vec<u8>,
    options: &Options,
    edit: impl FnOnce(&Gsa<'_>, &mut Vec<u8>) -> Result<(), edit::EditError>,
) -> Result<(), String> {
    let mut edited = Vec::with_capacity(bytes.len());
    let animation = Gsa::parse_with(bytes, options).map_err(|error| error.to_string())?;
    edit(&animation, &mut edited).map_err(|error| error.to_string())?;
    *bytes = edited;
    Ok(())
}
