//! Sequences: their frames, their scale keys, and access to both.

use core::iter::FusedIterator;

use super::codes;
use super::record::{AnimInfo, AnimKey, Bone, ScaleKey};
use crate::bytes::{Record, Text, Track, groups, to_u64};
use crate::report::{Code, Error, ErrorKind, Section};

/// How the sequences of a file share its frames and scale keys (ActorX reference, sections 4.2 and 4.3).
#[derive(Clone, Copy, Debug)]
pub(super) struct Numbering {
    /// Whether each sequence begins at the end of the previous one, because the stored frames are wrong.
    counts_up: bool,
    scales: Scales,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scales {
    None,
    /// A scale key for each key, at the same index.
    PerKey,
    /// Scale keys of the flagged sequences only, in order.
    Flagged,
    /// Any other number: no scale key can be assigned.
    Ignored,
}

impl Numbering {
    /// O(sequences).
    pub(super) fn of(tables: &Tables<'_>) -> Self {
        let Tables { infos, keys, scale_keys, bones } = *tables;
        let total = tables.frames();
        // A sequence without frames has no position, whatever its record states.
        let mut moving = infos.iter().filter(|info| info.frames() > 0);
        let past_the_end = |info: &AnimInfo| {
            let first = u64::try_from(info.first_raw_frame());
            first.map_or(true, |first| first.saturating_add(info.frames().into()) > total)
        };
        // CUE4Parse wrote this before September 2023. In a correct numbering, one sequence begins at frame 0.
        let first_is_count = |info: &AnimInfo| stored_first(info) == u64::from(info.frames());
        let counts_up =
            moving.clone().any(past_the_end) || moving.clone().next().is_some() && moving.all(first_is_count);
        let flagged = || {
            let frames = infos.iter().filter(|info| is_flagged(info)).map(|info| u64::from(info.frames()));
            frames.fold(0, u64::saturating_add).saturating_mul(bones)
        };
        let scales = match scale_keys {
            0 => Scales::None,
            count if count == keys => Scales::PerKey,
            count if count == flagged() => Scales::Flagged,
            _ => Scales::Ignored,
        };
        Self { counts_up, scales }
    }

    /// The records of the sequences, each with its first frame and the number of its frames in the file.
    pub(super) fn places<'a>(self, tables: &Tables<'a>) -> impl Iterator<Item = (&'a AnimInfo, u64, u64)> + use<'a> {
        let total = tables.frames();
        let mut next = 0_u64;
        tables.infos.iter().map(move |info| {
            let first = self.first_frame(info, &mut next);
            (info, first, u64::from(info.frames()).min(total.saturating_sub(first)))
        })
    }

    /// The first frame of a sequence. `next` is the end of the previous one, and is moved to the end of this one.
    fn first_frame(self, info: &AnimInfo, next: &mut u64) -> u64 {
        let end_before = *next;
        *next = end_before.saturating_add(info.frames().into());
        if self.counts_up { end_before } else { stored_first(info) }
    }

    /// The quirk of recomputed first frames, if any sequence is affected. O(sequences).
    pub(super) fn frames_quirk(self, infos: &[AnimInfo]) -> Option<Code> {
        let mut next = 0_u64;
        let mut moved = |info: &AnimInfo| {
            let first = next;
            next = next.saturating_add(info.frames().into());
            info.frames() > 0 && i128::from(first) != i128::from(info.first_raw_frame())
        };
        (self.counts_up && infos.iter().any(&mut moved)).then_some(codes::FRAME_NUMBERING)
    }

    pub(super) fn scales_quirk(self) -> Option<Code> {
        match self.scales {
            Scales::None | Scales::PerKey => None,
            Scales::Flagged => Some(codes::SCALE_KEYS_PARTIAL),
            Scales::Ignored => Some(codes::SCALE_KEYS_IGNORED),
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

/// The tables of a file's sequences: their records, and the number of all other records.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tables<'a> {
    pub(super) infos: &'a [AnimInfo],
    pub(super) keys: u64,
    pub(super) scale_keys: u64,
    pub(super) bones: u64,
}

/// The keys of an animation, and the byte at which the header of `ANIMKEYS` begins, for errors.
#[derive(Clone, Copy, Debug)]
pub(super) struct Keys<'a> {
    pub(super) keys: &'a [AnimKey],
    pub(super) scale_keys: &'a [ScaleKey],
    pub(super) bones: &'a [Bone],
    pub(super) offset: u64,
}

impl Tables<'_> {
    /// Frames with a key for every bone.
    fn frames(&self) -> u64 {
        self.keys.checked_div(self.bones).unwrap_or(0)
    }
}

/// The sequences of an animation in file order.
#[derive(Clone, Debug)]
pub struct Sequences<'a> {
    keys: Keys<'a>,
    numbering: Numbering,
    infos: core::iter::Enumerate<core::slice::Iter<'a, AnimInfo>>,
    next_frame: u64,
    next_flagged_frame: u64,
}

impl<'a> Sequences<'a> {
    pub(super) fn new(tables: &Tables<'a>, keys: Keys<'a>) -> Self {
        let (numbering, infos) = (Numbering::of(tables), tables.infos.iter().enumerate());
        Self { keys, numbering, infos, next_frame: 0, next_flagged_frame: 0 }
    }
}

impl<'a> Iterator for Sequences<'a> {
    type Item = Sequence<'a>;

    fn next(&mut self) -> Option<Sequence<'a>> {
        let (index, info) = self.infos.next()?;
        let frames = u64::from(info.frames());
        let first_frame = self.numbering.first_frame(info, &mut self.next_frame);
        let Keys { keys, scale_keys, bones, offset } = self.keys;
        let scales_from = |first| groups(scale_keys, first, frames, bones.len());
        let scale_keys = match self.numbering.scales {
            Scales::PerKey => scales_from(first_frame),
            Scales::Flagged if is_flagged(info) => scales_from(self.next_flagged_frame),
            _ => &[],
        };
        if is_flagged(info) {
            self.next_flagged_frame = self.next_flagged_frame.saturating_add(frames);
        }
        let keys = groups(keys, first_frame, frames, bones.len());
        Some(Sequence { index, info, first_frame, bones, keys, scale_keys, offset })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.infos.size_hint()
    }
}

impl ExactSizeIterator for Sequences<'_> {}
impl FusedIterator for Sequences<'_> {}

/// One sequence with its keys in place: frame after frame, with a key for each bone.
///
/// `Copy`; borrows the file. The counts are those of the keys in the file: a damaged file may hold fewer frames than the
/// sequence [declares](Sequence::declared_frame_count).
///
/// ```
/// use skelmap::actorx::Psa;
///
/// # let bytes = std::fs::read("tests/corpus/actorx/anim/classic.psa")?;
/// let animation = Psa::parse(&bytes)?;
/// let sequence = animation.sequence_at(0).ok_or("no sequence")?;
/// // One bone over all frames, without a copy, backwards if need be:
/// let last = sequence.track(1)?.next_back().ok_or("no frame")?;
/// assert_eq!(last.rotation(), sequence.key(sequence.frame_count() - 1, 1).ok_or("no key")?.rotation());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Sequence<'a> {
    index: usize,
    info: &'a AnimInfo,
    first_frame: u64,
    pub(super) bones: &'a [Bone],
    keys: &'a [AnimKey],
    scale_keys: &'a [ScaleKey],
    /// The byte at which the header of `ANIMKEYS` begins, for errors.
    offset: u64,
}

impl<'a> Sequence<'a> {
    /// Index among the file's sequences.
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

    /// The first frame among all frames of the file: as stored, or recomputed if the stored numbers are inconsistent
    /// ([`codes::FRAME_NUMBERING`]).
    pub const fn first_frame(&self) -> u64 {
        self.first_frame
    }

    /// Number of frames with keys in the file.
    pub fn frame_count(&self) -> usize {
        self.keys.len().checked_div(self.bone_count()).unwrap_or(0)
    }

    /// Number of frames that the record declares; 0 for a negative number. The file may hold fewer.
    pub fn declared_frame_count(&self) -> u32 {
        self.info.frames()
    }

    /// Number of keys in a frame.
    pub const fn bone_count(&self) -> usize {
        self.bones.len()
    }

    /// Frames per second; `None` if the [stored](AnimInfo::rate) value is not positive.
    pub fn rate(&self) -> Option<f64> {
        self.info.frames_per_second()
    }

    /// Seconds from the first frame to the end of the last: [`frame_count`](Sequence::frame_count) divided by rate. `None`
    /// without a positive rate.
    pub fn duration(&self) -> Option<f64> {
        self.info.duration_of(to_u64(self.frame_count()))
    }

    /// All keys of the sequence as stored: frame after frame, with a key for each bone. Rotations of all bones but the first are conjugates:
    /// [`AnimKey::rotation`].
    pub const fn keys(&self) -> &'a [AnimKey] {
        self.keys
    }

    /// The keys of one frame, one for each bone in `BONENAMES` order. O(1).
    ///
    /// Translations are in file units and relative to the parent bone; rotations are x, y, z, w in the file's
    /// convention (see [`space`](super::space)).
    ///
    /// # Errors
    /// [`ErrorKind::FrameOutOfRange`] if `frame >= self.frame_count()`.
    pub fn frame(&self, frame: usize) -> Result<&'a [AnimKey], Error> {
        let keys = groups(self.keys, to_u64(frame), 1, self.bone_count());
        if frame >= self.frame_count() {
            let kind = ErrorKind::FrameOutOfRange { frame: to_u64(frame), count: to_u64(self.frame_count()) };
            return Err(self.error(kind));
        }
        Ok(keys)
    }

    /// One bone's key in one frame. O(1).
    #[inline]
    pub fn key(&self, frame: usize, bone: usize) -> Option<&'a AnimKey> {
        at(self.keys, self.bone_count(), frame, bone)
    }

    /// One bone's keys over all frames. O(1) to get; borrows the file.
    ///
    /// # Errors
    /// [`ErrorKind::BoneOutOfRange`] if `bone >= self.bone_count()`.
    pub fn track(&self, bone: usize) -> Result<Track<'a, AnimKey>, Error> {
        self.track_of(self.keys, bone)
    }

    /// Whether the sequence has scale keys, by either convention (ActorX reference, section 4.3).
    pub const fn has_scale_keys(&self) -> bool {
        !self.scale_keys.is_empty()
    }

    /// All scale keys of the sequence, in the order of its keys; may be empty.
    pub const fn scale_keys(&self) -> &'a [ScaleKey] {
        self.scale_keys
    }

    /// One bone's scale key in one frame; `None` without scale keys. O(1).
    pub fn scale_key(&self, frame: usize, bone: usize) -> Option<&'a ScaleKey> {
        at(self.scale_keys, self.bone_count(), frame, bone)
    }

    /// One bone's scale keys over all frames; an empty track without scale keys. O(1) to get.
    ///
    /// # Errors
    /// [`ErrorKind::BoneOutOfRange`] if `bone >= self.bone_count()`.
    pub fn scale_track(&self, bone: usize) -> Result<Track<'a, ScaleKey>, Error> {
        self.track_of(self.scale_keys, bone)
    }

    fn track_of<T: Record>(&self, keys: &'a [T], bone: usize) -> Result<Track<'a, T>, Error> {
        let kind = ErrorKind::BoneOutOfRange { bone: to_u64(bone), count: to_u64(self.bone_count()) };
        Track::of_frames(keys, self.bone_count(), bone).ok_or_else(|| self.error(kind))
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
