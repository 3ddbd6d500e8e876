//! Errors of edits.

use std::fmt::{self, Display, Formatter};
use std::io;
use std::ops::Range;

use skelmap::Text;
use skelmap::swat3::GsaVersion;

/// An edit that failed. All limits are checked before the first byte: after any error but [`Write`](Self::Write), nothing is
/// written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EditError {
    /// The output cannot be written. It is incomplete.
    #[error("cannot write: {0}")]
    Write(#[from] io::Error),
    /// The file does not have what is named.
    #[error("the file has no {kind} {name:?}; {known}")]
    Unknown {
        /// `sequence`, `bone`, `material`, `chunk` or `event`.
        kind: &'static str,
        /// The name that was given.
        name: String,
        /// The names that the file has.
        known: KnownNames,
    },
    /// A sequence was given by an index that the file does not have.
    #[error("sequence {index} does not exist; the file has {count}")]
    NoSequence {
        /// The index.
        index: usize,
        /// Sequences of the file.
        count: usize,
    },
    /// A new name cannot be stored.
    #[error(
        "the name {name:?} cannot be stored: expected 1 to 63 bytes, no control character and no space at either end"
    )]
    Name {
        /// The name.
        name: String,
    },
    /// An edit would give two elements one name. Names are compared without regard to ASCII case.
    #[error("two {kind} would have the name {name:?}")]
    Taken {
        /// `sequences` or `bones`.
        kind: &'static str,
        /// The name.
        name: String,
    },
    /// A rate or a scale that is not a positive number.
    #[error("{value} is no {what}: expected a finite number above 0")]
    NotPositive {
        /// `rate` or `scale`.
        what: &'static str,
        /// The number.
        value: f32,
    },
    /// An empty range of frames, or one with frames that do not exist.
    #[error("frames {} to {} (exclusive) of {name:?} do not exist; the sequence has {count}", range.start, range.end)]
    Frames {
        /// The sequence.
        name: String,
        /// The requested frames, the end not included.
        range: Range<usize>,
        /// Frames of the sequence.
        count: usize,
    },
    /// A frame of a SWAT 3 animation that does not exist.
    #[error("frame {frame} does not exist, the last one is frame {}", count.saturating_sub(1))]
    NoFrame {
        /// The requested frame.
        frame: usize,
        /// Frames of the file, at least 1.
        count: usize,
    },
    /// An empty range of frames of a SWAT 3 animation, or one with frames that do not exist.
    #[error("frames {} to {} (exclusive) do not exist; the file has {count}", range.start, range.end)]
    FrameRange {
        /// The requested frames, the end not included.
        range: Range<usize>,
        /// Frames of the file.
        count: usize,
    },
    /// Events are added to a frame that is not kept.
    #[error("an event is added to frame {frame}, which is not kept")]
    DroppedFrame {
        /// The frame.
        frame: usize,
    },
    /// A frame does not have the event.
    #[error("frame {frame} has no event {name:?}; {known}")]
    NoEvent {
        /// The frame.
        frame: usize,
        /// The name that was given.
        name: String,
        /// The events of the frame.
        known: KnownNames,
    },
    /// The frames of the file do not store their number of events.
    #[error("the frames of this file, of version {0}, cannot hold events; convert it to version 4.2 first")]
    NoEvents(GsaVersion),
    /// Version 4.1 is requested, which has no events. The file would have some.
    #[error("frame {frame} has events, which version 4.1 cannot hold; remove them first")]
    HasEvents {
        /// The first frame with events.
        frame: usize,
    },
    /// The bytes cannot be an event: too long, or with a control character.
    #[error("the event {name:?} cannot be stored: expected fewer than 65535 bytes and no control character")]
    EventName {
        /// The event, as text.
        name: String,
    },
    /// A frame would have more events than a 16-bit count allows.
    #[error("frame {frame} would have more than 65535 events")]
    TooManyEvents {
        /// The frame.
        frame: usize,
    },
    /// The edited file cannot be read. See [`OtherReading`](Self::OtherReading).
    #[error("the edited file could not be read back: {0}")]
    NotReadBack(#[source] skelmap::Error),
    /// The edited file would be read as another skeleton or as other rotations. No SWAT 3 file states where its skeleton ends: readers
    /// search it, and an edit can remove what the search needs.
    #[error("the rest of the file would be read otherwise after the edit")]
    OtherReading,
    /// No sequence would be left.
    #[error("no sequence would be left")]
    NothingLeft,
    /// The first bone of an animation cannot be dropped: its rotations follow another rule than those of all other bones.
    #[error("the first bone, {name:?}, cannot be dropped: its rotations follow a rule of their own")]
    FirstBone {
        /// The bone.
        name: String,
    },
    /// Sequences share frames. The output would have a copy for each.
    #[error("sequences share frames: the file has {stored}, the output would have {needed}")]
    SharedFrames {
        /// Frames of the file.
        stored: u64,
        /// Frames of the output.
        needed: u64,
    },
    /// The output would be far larger than its input.
    #[error("the output would have {needed} bytes, more than the {limit} that its input justifies")]
    TooLarge {
        /// Bytes, or a part of them that is too large alone.
        needed: u64,
        /// The limit.
        limit: u64,
    },
    /// More records than the format can count.
    #[error("{count} {what} are too many: a file counts them in 31 bits")]
    TooMany {
        /// The records.
        what: &'static str,
        /// Their number.
        count: u64,
    },
    /// A curve chunk has only the first 14 bytes of its sequence's name. It would become that of another sequence.
    #[error("the curves of {name:?} would belong to another sequence, whose name begins with the same 14 bytes")]
    Curves {
        /// A sequence that would lose its curves, or get those of another.
        name: String,
    },
    /// The side-car has lines for a name that an edit gives to another sequence or bone, or cannot hold a name.
    #[error(
        "the side-car cannot follow the new name {name:?}: it has lines with this name, or the name looks like a heading"
    )]
    SideCar {
        /// The new name.
        name: String,
    },
    /// Side-cars of files to merge say different things about all sequences: one file cannot have both.
    #[error("the side-car of file {} of the list differs from that of the first (a missing one too) in what it says about all sequences", file.saturating_add(1))]
    SideCars {
        /// The index of the file.
        file: usize,
    },
    /// No file to merge.
    #[error("there is no file to merge")]
    NoFiles,
    /// A file to merge has no bone of the first file.
    #[error("file {} of the list has no bone of the first file", file.saturating_add(1))]
    NoCommonBone {
        /// The index of the file.
        file: usize,
    },
    /// A chunk without which the file is no mesh.
    #[error("the chunk {id} cannot be dropped: readers need it")]
    RequiredChunk {
        /// The id.
        id: String,
    },
    /// A scaled number is no longer finite.
    #[error("scaled by {scale}, number {index} of {section} is too large for the format")]
    Overflow {
        /// The factor.
        scale: f32,
        /// The chunk.
        section: &'static str,
        /// The index of the record.
        index: usize,
    },
    /// A word that a script cannot hold.
    #[error(
        "{word:?} cannot be in a line of `#exec`: a name has letters, digits and _, a path also -, `.`, `/` and `\\`"
    )]
    Word {
        /// The word.
        word: String,
    },
}

/// A few of the names that a file has, for messages.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KnownNames {
    first: Vec<String>,
    count: usize,
}

/// Names in a message.
const SHOWN: usize = 5;

impl KnownNames {
    /// O(names), without a copy of more than a few.
    pub(super) fn of<'a>(names: impl Iterator<Item = Text<'a>>) -> Self {
        let mut known = Self::default();
        for name in names {
            if known.count < SHOWN {
                known.first.push(name.to_string());
            }
            known.count = known.count.saturating_add(1);
        }
        known
    }

    /// The first names.
    pub fn first(&self) -> &[String] {
        &self.first
    }

    /// The number of all names.
    pub const fn count(&self) -> usize {
        self.count
    }
}

impl Display for KnownNames {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if self.count == 0 {
            return f.write_str("it has none");
        }
        f.write_str("it has ")?;
        for (index, name) in self.first.iter().enumerate() {
            write!(f, "{}{name:?}", if index == 0 { "" } else { ", " })?;
        }
        match self.count.saturating_sub(self.first.len()) {
            0 => Ok(()),
            others => write!(f, " and {others} more"),
        }
    }
}
