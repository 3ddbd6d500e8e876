//! Sequences: which frames of the keys are theirs, which scale keys, and how to read them.

use core::iter::FusedIterator;

use zerocopy::IntoBytes;

use super::record::{AnimInfo, AnimKey, ScaleKey};
use crate::cursor::{Record, groups, to_u64};
use crate::error::{Error, ErrorKind};
use crate::quirk::QuirkKind;
use crate::section::Section;
use crate::text::Text;
use crate::track::Track;

/// How the sequences of a file share its frames and scale keys (ActorX reference, sections 4.2 and 4.3).
#[derive(Clone, Copy, Debug)]
pub(super) struct Numbering {
    frames: Frames,
    scales: Scales,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Frames {
    /// Each sequence begins where its record says.
    Stored,
    /// The records cannot be right; each sequence begins where the one before it ends.
    CountedUp,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scales {
    None,
    /// A scale key per key, at the same index.
    PerKey,
    /// Scale keys of the flagged sequences only, one after the other.
    Flagged,
    /// Neither; nothing can be assigned.
    Ignored,
}

impl Numbering {
    /// O(sequences).
    pub(super) fn of(tables: &Tables<'_>) -> Self {
        let Tables { infos, bones, .. } = *tables;
        let (keys, scale_keys) = (tables.keys.len(), tables.scale_keys.len());
        let total = to_u64(keys.checked_div(bones).unwrap_or(0));
        let bones = to_u64(bones);
        // Sequences without frames lie nowhere, whatever they say.
        let mut moving = infos.iter().filter(|info| info.frames() > 0);
        let past_the_end = |info: &AnimInfo| {
            let first = u64::try_from(info.first_raw_frame());
            first.map_or(true, |first| first.saturating_add(info.frames().into()) > total)
        };
        // What CUE4Parse wrote before September 2023. No true numbering looks so: one sequence has to begin at frame 0.
        let first_is_count = |info: &AnimInfo| stored_first(info) == u64::from(info.frames());
        let counted_up =
            moving.clone().any(past_the_end) || moving.clone().next().is_some() && moving.all(first_is_count);
        let flagged = || {
            let frames = infos.iter().filter(|info| is_flagged(info)).map(|info| u64::from(info.frames()));
            frames.fold(0, u64::saturating_add).saturating_mul(bones)
        };
        let scales = match scale_keys {
            0 => Scales::None,
            count if count == keys => Scales::PerKey,
            count if to_u64(count) == flagged() => Scales::Flagged,
            _ => Scales::Ignored,
        };
        let frames = if counted_up { Frames::CountedUp } else { Frames::Stored };
        Self { frames, scales }
    }

    /// Whether counting up changed the place of any sequence. O(sequences).
    pub(super) fn frames_quirk(self, infos: &[AnimInfo]) -> Option<QuirkKind> {
        let mut next = 0_u64;
        let mut moved = |info: &AnimInfo| {
            let first = next;
            next = next.saturating_add(info.frames().into());
            info.frames() > 0 && i128::from(first) != i128::from(info.first_raw_frame())
        };
        (self.frames == Frames::CountedUp && infos.iter().any(&mut moved)).then_some(QuirkKind::FrameNumbering)
    }

    pub(super) fn scales_quirk(self) -> Option<QuirkKind> {
        match self.scales {
            Scales::None | Scales::PerKey => None,
            Scales::Flagged => Some(QuirkKind::ScaleKeysPartial),
            Scales::Ignored => Some(QuirkKind::ScaleKeysIgnored),
        }
    }
}

fn stored_first(info: &AnimInfo) -> u64 {
    u64::try_from(info.first_raw_frame()).unwrap_or(0)
}

/// Epic's flag for a sequence with scale keys.
fn is_flagged(info: &AnimInfo) -> bool {
    info.root_include() == 1
}

/// What an animation's sequences are cut from.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tables<'a> {
    pub(super) infos: &'a [AnimInfo],
    pub(super) keys: &'a [AnimKey],
    pub(super) scale_keys: &'a [ScaleKey],
    pub(super) bones: usize,
    /// Where the header of the keys' chunk lies, for errors.
    pub(super) keys_offset: u64,
}

/// The sequences of an animation in file order.
#[derive(Clone, Debug)]
pub struct Sequences<'a> {
    tables: Tables<'a>,
    numbering: Numbering,
    infos: core::iter::Enumerate<core::slice::Iter<'a, AnimInfo>>,
    next_frame: u64,
    next_flagged_frame: u64,
}

impl<'a> Sequences<'a> {
    pub(super) fn new(tables: Tables<'a>) -> Self {
        let infos = tables.infos.iter().enumerate();
        Self { tables, numbering: Numbering::of(&tables), infos, next_frame: 0, next_flagged_frame: 0 }
    }
}

impl<'a> Iterator for Sequences<'a> {
    type Item = Sequence<'a>;

    fn next(&mut self) -> Option<Sequence<'a>> {
        let (index, info) = self.infos.next()?;
        let frames = u64::from(info.frames());
        let first_frame = match self.numbering.frames {
            Frames::Stored => stored_first(info),
            Frames::CountedUp => self.next_frame,
        };
        self.next_frame = self.next_frame.saturating_add(frames);
        let Tables { keys, scale_keys, bones, keys_offset: offset, .. } = self.tables;
        let scales_from = |first| groups(scale_keys, first, frames, bones);
        let scale_keys = match self.numbering.scales {
            Scales::PerKey => scales_from(first_frame),
            Scales::Flagged if is_flagged(info) => scales_from(self.next_flagged_frame),
            _ => &[],
        };
        if is_flagged(info) {
            self.next_flagged_frame = self.next_flagged_frame.saturating_add(frames);
        }
        let keys = groups(keys, first_frame, frames, bones);
        Some(Sequence { index, info, first_frame, bones, keys, scale_keys, offset })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.infos.size_hint()
    }
}

impl ExactSizeIterator for Sequences<'_> {}
impl FusedIterator for Sequences<'_> {}

/// One sequence with its keys in place, a key per bone and frame, frame after frame.
///
/// `Copy`; borrows the file. A sequence that counts more frames than the file holds keeps its
/// [`frame_count`](Sequence::frame_count); its keys end where the file's do, and reading past them is an error.
///
/// ```
/// use skelmap::actorx::Psa;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let bytes = std::fs::read("corpus/actorx/anim/classic.psa")?;
/// let animation = Psa::parse(&bytes)?;
/// let sequence = animation.sequence_at(0).ok_or("no sequence")?;
/// // One bone over all frames, without a copy, backwards if need be:
/// let last = sequence.track(1)?.next_back().ok_or("no frame")?;
/// assert_eq!(last.rotation(), sequence.key(sequence.frame_count() - 1, 1).ok_or("no key")?.rotation());
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Sequence<'a> {
    index: usize,
    info: &'a AnimInfo,
    first_frame: u64,
    bones: usize,
    keys: &'a [AnimKey],
    scale_keys: &'a [ScaleKey],
    /// Where the header of the keys' chunk lies, for errors.
    offset: u64,
}

impl<'a> Sequence<'a> {
    /// Position among the file's sequences.
    pub const fn index(&self) -> usize {
        self.index
    }

    /// The record as stored.
    pub const fn info(&self) -> &'a AnimInfo {
        self.info
    }

    /// The name, without trailing spaces.
    pub fn name(&self) -> Text<'a> {
        self.info.name().text()
    }

    /// First frame among all frames of the file: as stored, or counted up where what is stored cannot be
    /// ([`QuirkKind::FrameNumbering`]).
    pub const fn first_frame(&self) -> u64 {
        self.first_frame
    }

    /// Number of frames as the file counts them; a negative count is none. Where the file holds fewer, reading the others is an
    /// error: run up to [`stored_frame_count`](Sequence::stored_frame_count).
    pub fn frame_count(&self) -> usize {
        usize::try_from(self.info.frames()).unwrap_or(usize::MAX)
    }

    /// Number of keys in a frame.
    pub const fn bone_count(&self) -> usize {
        self.bones
    }

    /// Frames per second as stored; may be 0.
    pub const fn rate(&self) -> f32 {
        self.info.rate()
    }

    /// Seconds from the first frame to the end of the last: frames divided by rate. `None` if the rate is not a positive number.
    pub fn duration(&self) -> Option<f64> {
        let rate = self.rate();
        (rate.is_finite() && rate > 0.0).then(|| f64::from(self.info.frames()) / f64::from(rate))
    }

    /// All keys of the sequence: frame after frame, in each a key per bone. Fewer than counted if the file's keys end first.
    pub const fn keys(&self) -> &'a [AnimKey] {
        self.keys
    }

    /// The keys of one frame, a key per bone in `BONENAMES` order. O(1).
    ///
    /// Positions are in file units and relative to the parent bone; rotations are x, y, z, w and follow the file's convention
    /// (see [`space`](super::space)).
    ///
    /// # Errors
    /// [`ErrorKind::FrameOutOfRange`] if the sequence has no such frame or the file's keys end before it.
    pub fn frame(&self, frame: usize) -> Result<&'a [AnimKey], Error> {
        let keys = groups(self.keys, to_u64(frame), 1, self.bones);
        if keys.is_empty() && frame >= self.stored_frame_count() {
            return Err(self
                .error(ErrorKind::FrameOutOfRange { frame: to_u64(frame), count: to_u64(self.stored_frame_count()) }));
        }
        Ok(keys)
    }

    /// One bone's key in one frame. O(1).
    #[inline]
    pub fn key(&self, frame: usize, bone: usize) -> Option<&'a AnimKey> {
        at(self.keys, self.bones, frame, bone)
    }

    /// One bone's keys over all frames. O(1) to get; borrows the file.
    ///
    /// # Errors
    /// [`ErrorKind::BoneOutOfRange`] if `bone >= self.bone_count()`.
    pub fn track(&self, bone: usize) -> Result<Track<'a, AnimKey>, Error> {
        self.track_of(self.keys, bone)
    }

    /// Whether the file has scale keys for this sequence, by either convention (ActorX reference, section 4.3).
    pub const fn has_scale_keys(&self) -> bool {
        !self.scale_keys.is_empty()
    }

    /// All scale keys of the sequence, in the order of its keys; empty if it has none.
    pub const fn scale_keys(&self) -> &'a [ScaleKey] {
        self.scale_keys
    }

    /// One bone's scale key in one frame; `None` where the sequence has none. O(1).
    pub fn scale_key(&self, frame: usize, bone: usize) -> Option<&'a ScaleKey> {
        at(self.scale_keys, self.bones, frame, bone)
    }

    /// One bone's scale keys over all frames; an empty track if the sequence has none. O(1) to get.
    ///
    /// # Errors
    /// [`ErrorKind::BoneOutOfRange`] if `bone >= self.bone_count()`.
    pub fn scale_track(&self, bone: usize) -> Result<Track<'a, ScaleKey>, Error> {
        self.track_of(self.scale_keys, bone)
    }

    /// Number of frames whose keys the file holds: [`frame_count`](Sequence::frame_count), or fewer in a damaged file.
    pub fn stored_frame_count(&self) -> usize {
        self.keys.len().checked_div(self.bones).unwrap_or(0)
    }

    fn track_of<T: Record + IntoBytes>(&self, keys: &'a [T], bone: usize) -> Result<Track<'a, T>, Error> {
        let kind = ErrorKind::BoneOutOfRange { bone: to_u64(bone), count: to_u64(self.bones) };
        Track::of_frames(keys, self.bones, bone).ok_or_else(|| self.error(kind))
    }

    fn error(&self, kind: ErrorKind) -> Error {
        Error::new(kind, Section::named("ANIMKEYS"), self.offset)
    }
}

fn at<T>(keys: &[T], bones: usize, frame: usize, bone: usize) -> Option<&T> {
    if bone >= bones {
        return None;
    }
    keys.get(frame.checked_mul(bones)?.checked_add(bone)?)
}
