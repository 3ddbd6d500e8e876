//! Frames: their layout, and access in order and by index.

use core::fmt::{self, Debug, Formatter};
use core::iter::FusedIterator;

use zerocopy::little_endian::U16;

use super::event::{Events, next_event};
use super::record::{FrameHead, Quat};
use crate::bytes::{Cursor, Span, Track, Vec4, counted, records, to_u64};
use crate::model::{Grid, Starts};

/// One frame, read in place.
#[derive(Clone, Copy)]
pub struct Frame<'a> {
    head: &'a FrameHead,
    rotations: &'a [Quat],
    /// The events and all bytes after them.
    at_events: &'a [u8],
    event_count: u16,
}

impl<'a> Frame<'a> {
    /// Origin, rotation and root offset as stored.
    pub const fn head(&self) -> &'a FrameHead {
        self.head
    }

    /// Origin of the frame, relative to the first frame's. Zero in the game's files, according to the public description.
    pub const fn origin(&self) -> [f32; 3] {
        self.head.origin()
    }

    /// Rotation of the frame: x, y, z, w. The identity in the game's files, according to the public description.
    pub const fn rotation(&self) -> [f32; 4] {
        self.head.rotation()
    }

    /// Offset of the root bone from its position in the first frame.
    pub const fn root_offset(&self) -> [f32; 3] {
        self.head.root_offset()
    }

    /// A rotation for each animated bone, in the order of [`animated_ids`](super::Gsa::animated_ids); for each bone if
    /// that list is empty.
    pub const fn rotations(&self) -> &'a [Quat] {
        self.rotations
    }

    /// The events of the frame, in file order; none in version 4.1.
    pub const fn events(&self) -> Events<'a> {
        Events::new(self.at_events, self.event_count)
    }
}

impl Debug for Frame<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_struct("Frame")
            .field("head", &self.head)
            .field("rotations", &self.rotations)
            .field("events", &self.events())
            .finish()
    }
}

/// The shape that all frames of a file share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shape {
    pub(super) rotations: u16,
    /// How often the number of events is stored: once in version 4.2, never in 4.1.
    pub(super) words: u8,
}

impl Shape {
    /// Bytes of a frame without events. At most about a megabyte.
    pub(super) fn size(self) -> u64 {
        let rotations = to_u64(size_of::<Quat>()).saturating_mul(self.rotations.into());
        let words = to_u64(size_of::<U16>()).saturating_mul(self.words.into());
        to_u64(size_of::<FrameHead>()).saturating_add(rotations).saturating_add(words)
    }

    /// Head, rotations and the number of events; `None` if the bytes end or the numbers differ.
    pub(super) fn begin<'a>(self, cursor: &mut Cursor<'a>) -> Option<(&'a FrameHead, &'a [Quat], u16)> {
        let head = cursor.read::<FrameHead>()?;
        let size = u32::try_from(size_of::<Quat>()).ok()?;
        let rotations = records(cursor.take(size, self.rotations.into())?);
        let mut count = None;
        for _ in 0..self.words {
            let stored = cursor.read::<U16>()?.get();
            if *count.get_or_insert(stored) != stored {
                return None;
            }
        }
        Some((head, rotations, count.unwrap_or(0)))
    }

    /// The shape as one number, which the model stores for [`size_of_first`](Self::size_of_first).
    fn to_number(self) -> u64 {
        u64::from(self.rotations) << 8 | u64::from(self.words)
    }

    /// The size of the first frame in checked bytes.
    #[cold]
    #[inline(never)]
    fn size_of_first(frames: &[u8], shape: u64) -> Option<usize> {
        let [words, low, high, ..] = shape.to_le_bytes();
        let mut cursor = Cursor::new(frames);
        Self { rotations: u16::from_le_bytes([low, high]), words }.read(&mut cursor)?;
        Some(cursor.position())
    }

    /// The next frame in checked bytes.
    fn read<'a>(self, cursor: &mut Cursor<'a>) -> Option<Frame<'a>> {
        let (head, rotations, event_count) = self.begin(cursor)?;
        let at_events = cursor.rest();
        for _ in 0..event_count {
            next_event(cursor)?;
        }
        Some(Frame { head, rotations, at_events, event_count })
    }
}

/// The place of the frames.
#[derive(Clone, Copy, Debug)]
pub(super) struct FramesPlace {
    pub(super) span: Span,
    pub(super) count: u16,
    pub(super) shape: Shape,
    /// Bytes of each frame, if all have the same length.
    pub(super) stride: Option<usize>,
}

impl FramesPlace {
    pub(super) fn frames<'a>(&self, bytes: &'a [u8]) -> Frames<'a> {
        Frames { cursor: Cursor::new(self.span.bytes_of(bytes)), shape: self.shape, left: self.count }
    }

    /// A frame by index: O(1) if all have equal size or an index exists, else it walks over the frames before.
    pub(super) fn frame<'a>(&self, bytes: &'a [u8], index: Option<&FrameIndex>, frame: usize) -> Option<Frame<'a>> {
        if frame >= usize::from(self.count) {
            return None;
        }
        let known = match (self.stride, index) {
            (Some(stride), _) => Some(frame.checked_mul(stride)?),
            (None, Some(index)) => index.offset(self, frame),
            (None, None) => None,
        };
        match known {
            Some(offset) => {
                self.shape.read(&mut Cursor::new(self.span.bytes_of(bytes).get(offset..).unwrap_or_default()))
            }
            None => self.frames(bytes).nth(frame),
        }
    }

    /// The rotations of all frames, for a clip.
    pub(super) fn to_rotations<'a>(self, bytes: &'a [u8], index: Option<&'a FrameIndex>) -> Grid<'a, Vec4> {
        let starts = match (self.stride, index) {
            (Some(stride), _) => Starts::Stride(stride),
            (None, Some(index)) => Starts::Listed(&index.offsets),
            (None, None) => Starts::Chained(Shape::size_of_first, self.shape.to_number()),
        };
        Grid::of_rows(self.span.bytes_of(bytes), starts, size_of::<FrameHead>())
    }
}

/// All frames, in order. Each step costs O(events of the frame). Borrows the file.
#[derive(Clone, Debug)]
pub struct Frames<'a> {
    cursor: Cursor<'a>,
    shape: Shape,
    left: u16,
}

counted!(Frames<'a>.left => Frame<'a>, |frames: &mut Self| frames.shape.read(&mut frames.cursor));

/// The offsets of the frames in a file with frames of different lengths. One allocation: 4 bytes per frame, at most 256 KiB.
///
/// From [`Gsa::to_index`](super::Gsa::to_index), for [`Gsa::with_index`](super::Gsa::with_index).
#[derive(Clone, Debug)]
pub struct FrameIndex {
    span: Span,
    offsets: alloc::boxed::Box<[u32]>,
}

impl FrameIndex {
    /// `None` if all frames have the same length, or if a frame begins more than 4 GiB after the first.
    pub(super) fn of(place: &FramesPlace, bytes: &[u8]) -> Option<Self> {
        if place.stride.is_some() || u32::try_from(place.span.bytes_of(bytes).len()).is_err() {
            return None;
        }
        let mut frames = place.frames(bytes);
        let mut offsets = alloc::vec::Vec::with_capacity(frames.len());
        while frames.len() > 0 {
            offsets.push(u32::try_from(frames.cursor.position()).ok()?);
            frames.next()?;
        }
        Some(Self { span: place.span, offsets: offsets.into_boxed_slice() })
    }

    /// The offset of a frame; `None` if the index is that of another file.
    fn offset(&self, place: &FramesPlace, frame: usize) -> Option<usize> {
        let is_of_place = self.span == place.span && self.offsets.len() == usize::from(place.count);
        let offset = self.offsets.get(frame).filter(|_| is_of_place)?;
        usize::try_from(*offset).ok()
    }
}

/// One bone's rotations over all frames. Borrows the file.
///
/// If all frames have the same length, [`get`](RotationTrack::get) is O(1). Otherwise `next` reads the events of a frame, and
/// `get` costs the same as [`Gsa::frame`](super::Gsa::frame).
#[derive(Clone, Debug)]
pub struct RotationTrack<'a> {
    /// The frames left, if all have the same length; else empty.
    strided: Track<'a, Quat>,
    /// The frames left, if they differ in length.
    walk: Option<Walk<'a>>,
}

/// One bone's rotations over frames that differ in length.
#[derive(Clone, Debug)]
struct Walk<'a> {
    bytes: &'a [u8],
    place: FramesPlace,
    index: Option<&'a FrameIndex>,
    frames: Frames<'a>,
    /// The index of the rotation in each frame.
    at: usize,
}

impl<'a> Walk<'a> {
    /// The rotation of the next frame, and the rest. By value: a reference would force the state of the loop over frames of
    /// equal length into memory.
    #[cold]
    #[inline(never)]
    fn step(mut self) -> Option<(&'a Quat, Self)> {
        let rotation = self.frames.next()?.rotations.get(self.at)?;
        Some((rotation, self))
    }

    fn get(&self, frame: usize) -> Option<&'a Quat> {
        let gone = self.place.count.checked_sub(self.frames.left)?;
        let frame = self.place.frame(self.bytes, self.index, usize::from(gone).checked_add(frame)?)?;
        frame.rotations.get(self.at)
    }
}

impl<'a> RotationTrack<'a> {
    /// The rotations with the index `at` in every frame. The caller checks the index.
    pub(super) fn new(place: FramesPlace, bytes: &'a [u8], index: Option<&'a FrameIndex>, at: usize) -> Self {
        let rest = place.span.bytes_of(bytes);
        match place.stride {
            // Inside the frames, which the search has checked.
            Some(stride) => {
                let offset = size_of::<FrameHead>().saturating_add(at.saturating_mul(size_of::<Quat>()));
                Self { strided: Track::new(rest, offset, stride), walk: None }
            }
            None => Self {
                strided: Track::new(&[], 0, 1),
                walk: Some(Walk { bytes, place, index, frames: place.frames(bytes), at }),
            },
        }
    }

    /// The rotation in a frame, counted from the first frame left.
    pub fn get(&self, frame: usize) -> Option<&'a Quat> {
        match &self.walk {
            None => self.strided.get(frame),
            Some(walk) => walk.get(frame),
        }
    }

    /// The frames left as a strided view, if all have the same length.
    pub fn as_strided(&self) -> Option<Track<'a, Quat>> {
        self.walk.is_none().then(|| self.strided.clone())
    }
}

impl<'a> Iterator for RotationTrack<'a> {
    type Item = &'a Quat;

    #[inline]
    fn next(&mut self) -> Option<&'a Quat> {
        let Some(walk) = &self.walk else { return self.strided.next() };
        let (rotation, left) = walk.clone().step()?;
        self.walk = Some(left);
        Some(rotation)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.walk.as_ref().map_or_else(|| self.strided.len(), |walk| walk.frames.len());
        (left, Some(left))
    }

    #[inline]
    fn fold<B, F: FnMut(B, &'a Quat) -> B>(self, init: B, mut f: F) -> B {
        if self.walk.is_none() {
            return self.strided.fold(init, f);
        }
        let mut result = init;
        for rotation in self {
            result = f(result, rotation);
        }
        result
    }
}

impl ExactSizeIterator for RotationTrack<'_> {}
impl FusedIterator for RotationTrack<'_> {}
