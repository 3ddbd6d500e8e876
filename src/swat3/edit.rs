//! Edits that do not change the skeleton: events, versions, and ranges of frames.
//!
//! Each function writes the edited file of a view. All other bytes stay unchanged. After an error, the output is incomplete:
//! write to memory or to a temporary file, **never to the file of the view**, which would break a memory map.
//!
//! ```
//! use skelmap::swat3::{Gsa, GsaVersion, edit};
//!
//! let bytes = std::fs::read("tests/corpus/swat3/gsa/plain.gsa")?;
//! let mut with_events = Vec::new();
//! edit::to_version(&Gsa::parse(&bytes)?, GsaVersion::V4_2, &mut with_events)?;
//! let mut edited = Vec::new();
//! edit::add_events(&Gsa::parse(&with_events)?, &[(0, b"sound=cuff")], &mut edited)?;
//! assert_eq!(Gsa::parse(&edited)?.events().count(), 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use alloc::{borrow::Cow, vec::Vec};
use core::ops::Range;
use std::io::{self, Write};

use super::event::{Event, is_event_name};
use super::gsa::Gsa;
use super::options::GsaVersion;
use crate::bytes::{Text, to_usize};
use crate::report::only;

/// An edit that failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EditError {
    /// The output cannot be written.
    #[error("cannot write: {0}")]
    Write(#[from] io::Error),
    /// The frames of the file do not store their number of events.
    #[error("the frames of this file, of version {0}, cannot hold events; convert it to version 4.2 first")]
    NoEvents(GsaVersion),
    /// The requested version has no events, but the file has.
    #[error("frame {frame} has events, which version 4.1 cannot hold; remove them first")]
    HasEvents {
        /// The first frame with events.
        frame: usize,
    },
    /// The bytes cannot be an event: too long, or with a control character.
    #[error("the event {name:?} cannot be stored: expected fewer than 65535 bytes and no control character")]
    EventName {
        /// The event, as text.
        name: alloc::string::String,
    },
    /// A frame would have more events than a 16-bit count allows.
    #[error("frame {frame} would have more than 65535 events")]
    TooManyEvents {
        /// The frame.
        frame: usize,
    },
    /// A frame that does not exist.
    #[error("frame {frame} does not exist; the animation has {}", only(*count, "frame", "frames"))]
    NoFrame {
        /// The requested frame.
        frame: usize,
        /// Frames of the file.
        count: usize,
    },
    /// An empty range, or one with frames that do not exist.
    #[error("frames {} to {} (exclusive) do not exist; the file has {count}", range.start, range.end)]
    Frames {
        /// The requested frames, the end not included.
        range: Range<usize>,
        /// Frames of the file.
        count: usize,
    },
}

/// Adds events, given as frame index and name, after the existing events of their frames.
///
/// # Errors
/// [`EditError::NoFrame`], [`EditError::EventName`], [`EditError::TooManyEvents`];
/// [`EditError::NoEvents`] in version 4.1; [`EditError::Write`].
pub fn add_events(animation: &Gsa<'_>, events: &[(usize, &[u8])], out: &mut impl Write) -> Result<(), EditError> {
    let count = animation.frame_count();
    if let Some((frame, _)) = events.iter().find(|(frame, _)| *frame >= count) {
        return Err(EditError::NoFrame { frame: *frame, count });
    }
    let (version, words) = (animation.version(), animation.event_count_words());
    if !events.is_empty() && (version != GsaVersion::V4_2 || words == 0) {
        return Err(EditError::NoEvents(version));
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

/// Removes the events for which `remove` returns true. It receives the frame index and the event.
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

/// Renames the events for which `rename` returns a name. It receives the frame index and the event.
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

/// Writes the file in a version: from 4.1 to 4.2, each frame gets an event count of 0; from 4.2 to 4.1, the count is removed.
///
/// The quirk [`EVENT_COUNT_WORDS`](super::codes::EVENT_COUNT_WORDS) is corrected, even if the version stays.
///
/// # Errors
/// [`EditError::HasEvents`] if a file with events is written as version 4.1; [`EditError::Write`].
pub fn to_version(animation: &Gsa<'_>, version: GsaVersion, out: &mut impl Write) -> Result<(), EditError> {
    if let (GsaVersion::V4_1, Some((frame, _))) = (version, animation.events().next()) {
        return Err(EditError::HasEvents { frame });
    }
    Edited { version, words: version.event_count_words(), ..Edited::of(animation) }.write(out, |_, _| {})
}

/// Keeps a range of frames, at least one. Values stay as stored: origins and root offsets remain relative to the first frame of
/// the original animation.
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

/// A file to write: the differences from the view.
struct Edited<'a> {
    animation: Gsa<'a>,
    version: GsaVersion,
    words: u8,
    range: Range<usize>,
}

impl<'a> Edited<'a> {
    /// The file without differences.
    fn of(animation: &Gsa<'a>) -> Self {
        let (version, words) = (animation.version(), animation.event_count_words());
        Self { animation: *animation, version, words, range: 0..animation.frame_count() }
    }

    /// Writes the file. `edit` changes the events of each frame.
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
            out.write_all(zerocopy::IntoBytes::as_bytes(frame.rotations()))?;
            let count = u16::try_from(events.len()).map_err(|_| EditError::TooManyEvents { frame: index })?;
            for _ in 0..self.words {
                out.write_all(&count.to_le_bytes())?;
            }
            events.iter().try_for_each(|name| write_event(name, out))?;
        }
        let end = to_usize(self.animation.end());
        out.write_all(self.animation.bytes().get(end..).unwrap_or_default())?;
        Ok(())
    }

    /// Writes all bytes before the frames.
    fn write_start(&self, out: &mut impl Write) -> Result<(), EditError> {
        let bytes = self.animation.bytes();
        let (at_version, at_frames) =
            (to_usize(self.animation.header_offset()), to_usize(self.animation.frames_offset()));
        let (_, minor) = self.version.numbers();
        let before_count = at_frames.saturating_sub(size_of::<u16>());
        // A range inside the frames, whose number has 16 bits.
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
        return Err(EditError::EventName { name: Text::new(name).to_string() });
    };
    out.write_all(&length.to_le_bytes())?;
    out.write_all(name)?;
    out.write_all(&[0])?;
    Ok(())
}
