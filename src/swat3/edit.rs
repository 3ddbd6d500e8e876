//! Edits that need to know nothing about the skeleton: events, versions, and which frames there are.
//!
//! Each takes a view and writes the edited file. Every byte that the edit does not concern is written as it is in the file, so an
//! edit that changes nothing gives the very same file. Where an error comes back, what was written is incomplete: write into
//! memory or into a temporary file that is renamed at the end, **never into the file that the view is over**, which a map would
//! not survive.
//!
//! ```
//! use skelmap::swat3::{Gsa, GsaVersion, edit};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let bytes = std::fs::read("corpus/swat3/gsa/plain.gsa")?;
//! let mut with_events = Vec::new();
//! edit::to_version(&Gsa::parse(&bytes)?, GsaVersion::V4_2, &mut with_events)?;
//! let mut edited = Vec::new();
//! edit::add_events(&Gsa::parse(&with_events)?, &[(0, b"sound=cuff")], &mut edited)?;
//! assert_eq!(Gsa::parse(&edited)?.events().count(), 1);
//! # Ok(())
//! # }
//! ```

use alloc::borrow::Cow;
use alloc::vec::Vec;
use core::ops::Range;
use std::io::{self, Write};

use zerocopy::IntoBytes;

use super::event::{Event, is_event_name};
use super::gsa::{Gsa, GsaVersion};

/// Why an edit was not made, or not to the end.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EditError {
    /// The output cannot be written.
    #[error("cannot write: {0}")]
    Write(#[from] io::Error),
    /// The frames of the file do not store how many events they have.
    #[error("the frames of this file, of version {0}, hold no events; convert it to version 4.2 first")]
    NoEvents(GsaVersion),
    /// The version asked for has no events, and the file does.
    #[error("frame {frame} has events, which version 4.1 cannot hold; remove them first")]
    HasEvents {
        /// The first frame with events.
        frame: usize,
    },
    /// What is to be an event cannot be one: too long, or with a byte that cannot be printed.
    #[error("the event {name:?} cannot be stored: expected fewer than 65535 bytes and no control character")]
    EventName {
        /// The event, as text.
        name: alloc::string::String,
    },
    /// More events in a frame than can be counted.
    #[error("frame {frame} would have more than 65535 events")]
    TooManyEvents {
        /// The frame.
        frame: usize,
    },
    /// A frame that does not exist.
    #[error("there is no frame {frame}, there are {count}")]
    NoFrame {
        /// The frame asked for.
        frame: usize,
        /// Frames of the file.
        count: usize,
    },
    /// No frames, or frames that do not exist.
    #[error("the frames from {} up to but not {} were asked for, there are {count}", range.start, range.end)]
    Frames {
        /// The frames asked for, the end not included.
        range: Range<usize>,
        /// Frames of the file.
        count: usize,
    },
}

/// Adds events, each to the end of those of its frame (counted from 0), in the order given.
///
/// # Errors
/// [`EditError::NoFrame`], [`EditError::EventName`], [`EditError::TooManyEvents`];
/// [`EditError::NoEvents`] in version 4.1; [`EditError::Write`].
pub fn add_events(animation: &Gsa<'_>, events: &[(usize, &[u8])], out: &mut impl Write) -> Result<(), EditError> {
    let count = animation.frame_count();
    if let Some((frame, _)) = events.iter().find(|(frame, _)| *frame >= count) {
        return Err(EditError::NoFrame { frame: *frame, count });
    }
    if !events.is_empty() {
        prove_can_hold_events(animation)?;
    }
    let mut by_frame: Vec<&(usize, &[u8])> = events.iter().collect();
    by_frame.sort_by_key(|(at, _)| *at);
    let mut left = by_frame.into_iter().peekable();
    Edited::of(animation).write(out, |frame, stored| {
        while let Some((_, name)) = left.next_if(|(at, _)| *at == frame) {
            stored.push(Cow::Borrowed(*name));
        }
    })
}

/// Removes the events that `remove` says yes to, given the frame (counted from 0) and the event.
///
/// # Errors
/// [`EditError::Write`].
pub fn remove_events(
    animation: &Gsa<'_>,
    mut remove: impl FnMut(usize, Event<'_>) -> bool,
    out: &mut impl Write,
) -> Result<(), EditError> {
    Edited::of(animation).write(out, |frame, stored| stored.retain(|name| !remove(frame, Event::new(name))))
}

/// Renames the events that `rename` gives another name for, given the frame (counted from 0) and the event.
///
/// # Errors
/// [`EditError::EventName`], [`EditError::Write`].
pub fn rename_events(
    animation: &Gsa<'_>,
    mut rename: impl FnMut(usize, Event<'_>) -> Option<Vec<u8>>,
    out: &mut impl Write,
) -> Result<(), EditError> {
    Edited::of(animation).write(out, |frame, stored| {
        for name in stored {
            if let Some(renamed) = rename(frame, Event::new(name)) {
                *name = Cow::Owned(renamed);
            }
        }
    })
}

/// Writes the file in a version: from 4.1 to 4.2 each frame gets a number of events, which is 0; from 4.2 to 4.1 it loses it.
///
/// In a file that stores the number more or less often than its version does (the quirk
/// [`EventCountWords`](crate::QuirkKind::EventCountWords)), this puts it right, even for the version that the file has.
///
/// # Errors
/// [`EditError::HasEvents`] to version 4.1 if there are any; [`EditError::Write`].
pub fn to_version(animation: &Gsa<'_>, version: GsaVersion, out: &mut impl Write) -> Result<(), EditError> {
    if let (GsaVersion::V4_1, Some((frame, _))) = (version, animation.events().next()) {
        return Err(EditError::HasEvents { frame });
    }
    Edited { version, words: version.event_count_words(), ..Edited::of(animation) }.write(out, |_, _| {})
}

/// Keeps a range of frames, at least one. Values stay as they are: origins and root offsets still are relative to the first frame
/// of the whole animation.
///
/// # Errors
/// [`EditError::Frames`] if the range is empty or reaches past the last frame; [`EditError::Write`].
pub fn trim(animation: &Gsa<'_>, range: Range<usize>, out: &mut impl Write) -> Result<(), EditError> {
    let count = animation.frame_count();
    if range.is_empty() || range.end > count {
        return Err(EditError::Frames { range, count });
    }
    Edited { range, ..Edited::of(animation) }.write(out, |_, _| {})
}

fn prove_can_hold_events(animation: &Gsa<'_>) -> Result<(), EditError> {
    match (animation.version(), animation.event_count_words()) {
        (GsaVersion::V4_2, 1..) => Ok(()),
        (version, _) => Err(EditError::NoEvents(version)),
    }
}

/// A file to be written: what of it differs from the view.
struct Edited<'a> {
    animation: Gsa<'a>,
    version: GsaVersion,
    words: u8,
    range: Range<usize>,
}

impl<'a> Edited<'a> {
    /// The file as it is.
    fn of(animation: &Gsa<'a>) -> Self {
        let (version, words) = (animation.version(), animation.event_count_words());
        Self { animation: *animation, version, words, range: 0..animation.frame_count() }
    }

    /// Writes the file, with the events of each frame as `edit` leaves them.
    fn write(
        self,
        out: &mut impl Write,
        mut edit: impl FnMut(usize, &mut Vec<Cow<'a, [u8]>>),
    ) -> Result<(), EditError> {
        self.write_start(out)?;
        let mut events = Vec::new();
        let frames = self.animation.frames().enumerate();
        for (index, frame) in frames.take(self.range.end).skip(self.range.start) {
            events.clear();
            events.extend(frame.events().map(|event| Cow::Borrowed(event.as_bytes())));
            edit(index, &mut events);
            out.write_all(frame.head().as_bytes())?;
            out.write_all(frame.rotations().as_bytes())?;
            let count = u16::try_from(events.len()).map_err(|_| EditError::TooManyEvents { frame: index })?;
            for _ in 0..self.words {
                out.write_all(&count.to_le_bytes())?;
            }
            events.iter().try_for_each(|name| write_event(name, out))?;
        }
        let end = self.animation.end();
        out.write_all(self.animation.bytes().get(end..).unwrap_or_default())?;
        Ok(())
    }

    /// All before the frames.
    fn write_start(&self, out: &mut impl Write) -> Result<(), EditError> {
        let bytes = self.animation.bytes();
        let (at_version, at_frames) = (self.animation.header_offset(), self.animation.frames_start());
        let (_, minor) = self.version.numbers();
        let before_count = at_frames.saturating_sub(size_of::<u16>());
        // The range lies inside the frames, which a short counts.
        let count = u16::try_from(self.range.len()).unwrap_or(u16::MAX);
        out.write_all(bytes.get(..at_version).unwrap_or_default())?;
        out.write_all(&[minor])?;
        out.write_all(bytes.get(at_version.saturating_add(1)..before_count).unwrap_or_default())?;
        out.write_all(&count.to_le_bytes())?;
        Ok(())
    }
}

fn write_event(name: &[u8], out: &mut impl Write) -> Result<(), EditError> {
    let length = u16::try_from(name.len()).ok().and_then(|length| length.checked_add(1));
    let Some(length) = length.filter(|_| is_event_name(name)) else {
        return Err(EditError::EventName { name: crate::text::Text::new(name).to_string() });
    };
    out.write_all(&length.to_le_bytes())?;
    out.write_all(name)?;
    out.write_all(&[0])?;
    Ok(())
}
