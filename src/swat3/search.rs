//! The search for the end of the skeleton. No field states it: every `FF FF` is a candidate and is tested.
//!
//! A candidate is the end if a list of distinct bone ids and frames follow, every event is well formed, every rotation has unit
//! length, and the frames end exactly at the end of the file (SWAT 3 reference, section 6: no error in 360,000 generated
//! files). The work over all candidates is limited: linear in the file.

use core::ops::Range;

use zerocopy::little_endian::U16;

use super::bones::{BoneLayout, MAX_BONES};
use super::codes;
use super::event::{next_event, printable_length};
use super::frame::{FramesPlace, Shape};
use super::options::{GsaVersion, Uniqueness};
use super::record::{BoneId, FrameHead, Quat};
use crate::bytes::{Cursor, Span, records, to_u64};
use crate::report::{Error, ErrorKind, Section};

pub(super) const SKELETON: Section = Section::named("skeleton");

const MARKER: [u8; 2] = [0xFF, 0xFF];

/// The maximum difference of a rotation's squared length from 1 (section 6).
const UNIT_TOLERANCE: f32 = 0.02;

const QUAT_SIZE: u64 = 16;

/// The minimum number of bytes of a bone (section 6).
const MIN_BONE: usize = 4;

/// Whether a rotation is finite and of about unit length.
#[inline]
pub(super) fn is_about_unit([x, y, z, w]: [f32; 4]) -> bool {
    (x * x + y * y + z * z + w * w - 1.0).abs() <= UNIT_TOLERANCE
}

/// The confirmed end of the skeleton, and the sections after it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sections {
    pub(super) marker: usize,
    pub(super) ids: Span,
    pub(super) frames: FramesPlace,
}

/// The work over all candidates reached the limit.
struct Exhausted;

/// The candidates that pass every test.
#[derive(Default)]
struct Survivors {
    count: u32,
    first: Option<Sections>,
    at: [u32; 4],
}

impl Survivors {
    fn add(&mut self, found: Sections) {
        let slot = usize::try_from(self.count).ok().and_then(|count| self.at.get_mut(count));
        if let Some(slot) = slot {
            *slot = u32::try_from(found.marker).unwrap_or(u32::MAX);
        }
        self.count = self.count.saturating_add(1);
        self.first.get_or_insert(found);
    }
}

/// The sections between a marker and the frames.
struct Tail<'a> {
    marker: usize,
    ids: &'a [BoneId],
    frame_count: u16,
    /// The byte at which the frames begin.
    first: usize,
}

impl<'a> Tail<'a> {
    fn at(bytes: &'a [u8], marker: usize) -> Option<Self> {
        let mut cursor = Cursor::new(bytes.get(marker..)?);
        if *cursor.read::<[u8; 2]>()? != MARKER {
            return None;
        }
        let count = cursor.read::<U16>().map(|count| count.get()).filter(|count| *count <= MAX_BONES)?;
        let ids = records(cursor.take(2, count.into())?);
        let frame_count = cursor.read::<U16>().map(|count| count.get()).filter(|count| *count > 0)?;
        Some(Self { marker, ids, frame_count, first: marker.checked_add(cursor.position())? })
    }

    fn ids_span(&self) -> Span {
        // The ids follow the marker and the count, inside the bytes.
        Span::new(to_u64(self.marker).saturating_add(4), to_u64(size_of_val(self.ids)))
    }

    /// Whether all ids are distinct and below a limit.
    fn has_distinct_ids(&self, below: u16) -> bool {
        let mut seen = [0_u64; 16];
        self.ids.iter().all(|id| {
            let (word, bit) = (usize::from(id.get() / 64), 1_u64 << (id.get() % 64));
            let Some(word) = seen.get_mut(word).filter(|_| id.get() < below) else { return false };
            let is_new = *word & bit == 0;
            *word |= bit;
            is_new
        })
    }
}

pub(super) struct Search<'a, 'w> {
    /// The file up to the end of the frames.
    pub(super) bytes: &'a [u8],
    /// The byte at which the skeleton begins.
    pub(super) start: usize,
    pub(super) version: GsaVersion,
    pub(super) uniqueness: Uniqueness,
    /// Whether `bytes` is the whole file. Otherwise rotations are tested too.
    pub(super) is_whole: bool,
    /// The range of candidates.
    pub(super) scope: Range<usize>,
    pub(super) work: &'w mut Work,
}

/// The work left for a file, over all candidates.
pub(super) struct Work(u64);

impl Work {
    /// Several times the work of reading a file of this length.
    pub(super) fn for_bytes(length: usize) -> Self {
        Self(to_u64(length).saturating_mul(4).saturating_add(1 << 16))
    }
}

impl Search<'_, '_> {
    /// The only candidate that passes every test, with the version's number of event counts; if none does, with another number
    /// (section 2.2).
    pub(super) fn run(mut self) -> Result<Sections, Error> {
        let mut seen = 0;
        let found = self.by_words(|search, words, survivors| {
            seen = search.among_all(words, true, survivors)?.max(seen);
            Ok(())
        })?;
        found.ok_or_else(|| {
            let mut unnormalised = Survivors::default();
            // Only for the error message, so with a small budget.
            let mut little = Work(self.work.0.min(to_u64(self.bytes.len() / 16).saturating_add(1 << 12)));
            let scope = self.start..self.bytes.len();
            let mut search = Search { scope, work: &mut little, ..self };
            let _ = search.among_all(&[self.version.event_count_words()], false, &mut unnormalised);
            self.error(codes::MARKER_NOT_FOUND.with([seen, unnormalised.count]))
        })
    }

    /// The end of the skeleton by a given layout of the bones (section 6.3).
    pub(super) fn run_given(mut self, layout: &BoneLayout) -> Result<Sections, Error> {
        let (mut boundaries, mut stopped) = (0, (0, self.start));
        let found = self.by_words(|search, words, survivors| {
            (boundaries, stopped) = search.among_boundaries(layout, words, survivors)?;
            Ok(())
        })?;
        found.ok_or_else(|| match boundaries {
            0 => Error::new(codes::BONE_LAYOUT.with([stopped.0]), SKELETON, to_u64(stopped.1)),
            seen => self.error(codes::MARKER_NOT_FOUND.with([seen, 0])),
        })
    }

    fn error(&self, kind: ErrorKind) -> Error {
        Error::new(kind, SKELETON, to_u64(self.start))
    }

    /// Tries the version's number of event counts first, then the other numbers: together, or one by one if the first fit
    /// decides. `None` if no candidate passes.
    fn by_words(
        &mut self,
        mut test: impl FnMut(&mut Self, &[u8], &mut Survivors) -> Result<(), Exhausted>,
    ) -> Result<Option<Sections>, Error> {
        let rounds: [&[u8]; 3] = match (self.version, self.uniqueness) {
            (GsaVersion::V4_1, Uniqueness::Strict) => [&[0], &[1, 2], &[]],
            (GsaVersion::V4_1, Uniqueness::First) => [&[0], &[1], &[2]],
            (GsaVersion::V4_2, Uniqueness::Strict) => [&[1], &[0, 2], &[]],
            (GsaVersion::V4_2, Uniqueness::First) => [&[1], &[0], &[2]],
        };
        for words in rounds.into_iter().filter(|words| !words.is_empty()) {
            let mut survivors = Survivors::default();
            let tested = test(self, words, &mut survivors);
            match (tested, survivors.count) {
                (Err(Exhausted), _) => return Err(self.error(codes::SEARCH_LIMIT.with([]))),
                (Ok(()), 0) => {}
                (Ok(()), 1) => return Ok(survivors.first),
                (Ok(()), count) => {
                    let [a, b, c, d] = survivors.at;
                    return Err(self.error(codes::AMBIGUOUS_MARKER.with([count, a, b, c, d])));
                }
            }
        }
        Ok(None)
    }

    /// Tries all candidates and counts them. A candidate that can never pass is not tried again.
    fn among_all(&mut self, words: &[u8], units: bool, survivors: &mut Survivors) -> Result<u32, Exhausted> {
        let mut seen = 0_u32;
        let scope = core::mem::replace(&mut self.scope, 0..0);
        for marker in markers(self.bytes, scope.start).take_while(|marker| scope.contains(marker)) {
            seen = seen.saturating_add(1);
            let Some(tail) = Tail::at(self.bytes, marker) else { continue };
            let units = units && self.asks_for_units(&tail, words);
            if !self.is_plausible(&tail, units) {
                continue;
            }
            let begin = if self.scope.is_empty() { marker } else { self.scope.start };
            self.scope = begin..marker.saturating_add(1);
            self.spend(1)?;
            words.iter().try_for_each(|words| self.test_tail(&tail, *words, units, survivors))?;
            if self.is_enough(survivors) {
                break;
            }
        }
        Ok(seen)
    }

    /// Whether rotations are tested: in strict mode, for a single frame of all bones (section 6.1), and if the file is not read
    /// as its version states.
    fn asks_for_units(&self, tail: &Tail<'_>, words: &[u8]) -> bool {
        let is_bare = tail.ids.is_empty() && tail.frame_count == 1;
        let is_standard = self.is_whole && words == [self.version.event_count_words()];
        self.uniqueness == Uniqueness::Strict || is_bare || !is_standard
    }

    /// Whether frames can follow, for any number of event counts. O(1).
    fn is_plausible(&self, tail: &Tail<'_>, units: bool) -> bool {
        let frames = self.bytes.get(tail.first..).unwrap_or_default();
        let size_of = |rotations, words| Shape { rotations, words }.size().saturating_mul(tail.frame_count.into());
        let left = to_u64(frames.len());
        let fits = left >= size_of(1, 0) && (self.has_events(1) || left <= size_of(MAX_BONES, 2));
        fits && (!units || Cursor::new(frames).read::<FrameHead>().is_some_and(|head| is_about_unit(head.rotation())))
    }

    /// Whether the search can stop.
    fn is_enough(&self, survivors: &Survivors) -> bool {
        self.uniqueness == Uniqueness::First && survivors.count > 0
    }

    /// Adds every interpretation of the bytes after a marker that passes the tests.
    fn test_tail(
        &mut self,
        tail: &Tail<'_>,
        words: u8,
        units: bool,
        survivors: &mut Survivors,
    ) -> Result<(), Exhausted> {
        if let Ok(rotations @ 1..) = u16::try_from(tail.ids.len()) {
            let units = units.then_some(0);
            return self.test_shape(tail, Shape { rotations, words }, units, MAX_BONES, survivors);
        }
        let skeleton = tail.marker.saturating_sub(self.start);
        let most = u16::try_from(skeleton / MIN_BONE).unwrap_or(MAX_BONES).min(MAX_BONES);
        let left = to_u64(self.bytes.len().saturating_sub(tail.first));
        let per_frame = left.checked_div(tail.frame_count.into()).unwrap_or(0);
        let bare = Shape { rotations: 0, words }.size();
        let Some(left) = per_frame.checked_sub(bare) else { return Ok(()) };
        // The maximum number of bones; the exact number if there are no events.
        let fitting = u16::try_from(left / QUAT_SIZE).unwrap_or(u16::MAX);
        // If several numbers of bones are tried, the rotations of the first frame are tested once for all.
        let (range, units) = match self.has_events(words) {
            true if units => (1..=self.leading_units(tail, fitting.min(most))?, Some(1)),
            true => (1..=fitting.min(most), None),
            false if fitting <= most => (fitting.max(1)..=fitting, units.then_some(0)),
            false => return Ok(()),
        };
        for rotations in range {
            self.spend(1)?;
            self.test_shape(tail, Shape { rotations, words }, units, MAX_BONES, survivors)?;
            if self.is_enough(survivors) {
                break;
            }
        }
        Ok(())
    }

    /// The number of rotations of unit length at the start of the first frame, up to a limit.
    fn leading_units(&mut self, tail: &Tail<'_>, limit: u16) -> Result<u16, Exhausted> {
        let mut cursor = Cursor::new(self.bytes.get(tail.first..).unwrap_or_default());
        let _: Option<&FrameHead> = cursor.read();
        let rotations = (0..limit).map_while(|_| cursor.read::<Quat>());
        let units = rotations.take_while(|rotation| is_about_unit(rotation.get())).count();
        self.spend(to_u64(units))?;
        Ok(u16::try_from(units).unwrap_or(limit))
    }

    /// Adds an interpretation of the bytes after a marker if it passes the tests. `units`: the rotations of the first frame
    /// that passed the unit test.
    fn test_shape(
        &mut self,
        tail: &Tail<'_>,
        shape: Shape,
        units: Option<u16>,
        ids_below: u16,
        survivors: &mut Survivors,
    ) -> Result<(), Exhausted> {
        let frames = self.bytes.get(tail.first..).unwrap_or_default();
        let (left, needed) = (to_u64(frames.len()), shape.size().saturating_mul(tail.frame_count.into()));
        if left < needed || (left > needed && !self.has_events(shape.words)) {
            return Ok(());
        }
        self.spend(to_u64(tail.ids.len()))?;
        if !tail.has_distinct_ids(ids_below) {
            return Ok(());
        }
        if let Some(frames) = self.walk(tail, shape, units)? {
            survivors.add(Sections { marker: tail.marker, ids: tail.ids_span(), frames });
        }
        Ok(())
    }

    /// Whether frames may differ in length.
    const fn has_events(&self, words: u8) -> bool {
        matches!(self.version, GsaVersion::V4_2) && words > 0
    }

    /// The place of the frames, if the bytes after the ids are exactly these frames.
    fn walk(&mut self, tail: &Tail<'_>, shape: Shape, units: Option<u16>) -> Result<Option<FramesPlace>, Exhausted> {
        let frames = self.bytes.get(tail.first..).unwrap_or_default();
        let mut cursor = Cursor::new(frames);
        let (mut stride, mut alike) = (None, true);
        for frame in 0..tail.frame_count {
            self.spend(1)?;
            let before = cursor.rest().len();
            let Some((head, rotations, events)) = shape.begin(&mut cursor) else { return Ok(None) };
            if events > 0 && !self.has_events(shape.words) {
                return Ok(None);
            }
            for _ in 0..events {
                let Some(stored) = next_event(&mut cursor) else { return Ok(None) };
                let printable = printable_length(stored);
                self.spend(to_u64(printable).saturating_add(1))?;
                if printable.checked_add(1) != Some(stored.len()) || stored.last() != Some(&0) {
                    return Ok(None);
                }
            }
            if units.is_some_and(|from| frame >= from) {
                let are_units = rotations.iter().take_while(|rotation| is_about_unit(rotation.get())).count();
                self.spend(to_u64(are_units))?;
                if are_units < rotations.len() || !is_about_unit(head.rotation()) {
                    return Ok(None);
                }
            }
            let length = before.saturating_sub(cursor.rest().len());
            alike &= *stride.get_or_insert(length) == length;
        }
        let span = Span::new(to_u64(tail.first), to_u64(frames.len()));
        let place = FramesPlace { span, count: tail.frame_count, shape, stride: stride.filter(|_| alike) };
        Ok(cursor.rest().is_empty().then_some(place))
    }

    /// Tries the ends of bones of a given layout. Returns the number of candidates, and the offset after the last bone.
    fn among_boundaries(
        &mut self,
        layout: &BoneLayout,
        words: &[u8],
        survivors: &mut Survivors,
    ) -> Result<(u32, (u32, usize)), Exhausted> {
        let mut boundaries = 0_u32;
        let mut bones = layout.bones(self.bytes, self.start);
        for bone in 0..=MAX_BONES {
            let at = bones.position();
            if bone > 0 && self.bytes.get(at..).is_some_and(|rest| rest.starts_with(&MARKER)) {
                boundaries = boundaries.saturating_add(1);
                if let Some(tail) = Tail::at(self.bytes, at) {
                    let rotations = u16::try_from(tail.ids.len()).ok().filter(|count| *count > 0).unwrap_or(bone);
                    words.iter().try_for_each(|words| {
                        self.test_shape(&tail, Shape { rotations, words: *words }, None, bone, survivors)
                    })?;
                }
            }
            if bones.next().is_none() {
                return Ok((boundaries, (bone.into(), at)));
            }
        }
        Ok((boundaries, (MAX_BONES.into(), bones.position())))
    }

    fn spend(&mut self, work: u64) -> Result<(), Exhausted> {
        self.work.0 = self.work.0.checked_sub(work).ok_or(Exhausted)?;
        Ok(())
    }
}

/// All offsets of two bytes `FF` from `start` on, including overlaps. Inside a run of such bytes, no search is needed.
fn markers(bytes: &[u8], start: usize) -> impl Iterator<Item = usize> {
    let mut at = start;
    core::iter::from_fn(move || {
        loop {
            let (first, rest) = bytes.get(at..)?.split_first()?;
            let here = at;
            at = at.checked_add(1)?;
            match (first, rest) {
                (0xFF, [0xFF, ..]) => return Some(here),
                _ => at = at.checked_add(memchr::memchr(0xFF, rest)?)?,
            }
        }
    })
}
