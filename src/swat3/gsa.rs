//! The animation view: `.gsa`, versions 4.1 and 4.2.

use super::bones::Bones;
use super::codes;
use super::event::Event;
use super::frame::{Frame, FrameIndex, Frames, FramesPlace, RotationTrack};
use super::header::{HEADER, Header, MAGIC, read_header};
use super::infer::{self, Inference, NotInferred};
use super::options::{GsaVersion, Options, SkeletonOption};
use super::record::BoneId;
use super::search::{SKELETON, Search, Sections, Work};
use crate::bytes::{Cursor, ReadAt, Span, Vec4, to_u64, to_usize};
use crate::model::{Description, Grid, Head, Info, Relative, Skeleton, Summary, read_part, read_span};
use crate::report::{Error, ErrorKind, Quirk, ReadResult, Section, SectionRange, codes as shared};

/// Frames per second of every animation in the game, whatever the file states (SWAT 3 reference, section 2).
pub const PLAYBACK_FPS: f64 = 10.0;

pub(super) const FRAMES: Section = Section::named("frames");
pub(super) const EVENTS: Section = Section::named("events");
const IDS: Section = Section::named("animated bones");
const END: Section = Section::named("end");

/// An animation, read in place: for each frame a rotation for each animated bone, and events.
///
/// `Copy`; every slice borrows the file, at any alignment. Parsing allocates nothing. Frames with different numbers of events
/// differ in length: [`frames`](Gsa::frames) reads them in order, [`to_index`](Gsa::to_index) makes random access O(1).
/// [`GsaBuf`](super::GsaBuf) is the owned form; it includes an index.
///
/// ```
/// use skelmap::swat3::Gsa;
///
/// let bytes = std::fs::read("tests/corpus/swat3/gsa/reload.gsa")?;
/// let animation = Gsa::parse(&bytes)?;
/// for frame in animation.frames() {
///     println!("{:?}: {} rotations, events {:?}", frame.root_offset(), frame.rotations().len(), frame.events());
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Gsa<'a> {
    bytes: &'a [u8],
    parts: Parts,
    index: Option<&'a FrameIndex>,
}

/// The layout of an animation, without a lifetime, with the index of its frames if they differ in length.
#[derive(Clone, Debug)]
pub struct GsaLayout {
    parts: Parts,
    index: Option<FrameIndex>,
}

impl Description for GsaLayout {
    type View<'a> = Gsa<'a>;
    type Options = Options;

    const INFO: Info =
        Info { code: "swat3.gsa", title: "a SWAT 3 animation", extensions: &["gsa"], skeletons: "swat3" };

    fn is_format(first: &[u8]) -> bool {
        first.starts_with(&MAGIC)
    }

    fn find<R: ReadAt + ?Sized>(source: &R, options: &Options) -> ReadResult<Self, R> {
        let bytes = read_span(source, Span::new(0, source.size()))?;
        Ok(Self { parts: Parts::parse(&bytes, options)?, index: None })
    }

    fn keep(self, bytes: &[u8]) -> Self {
        let index = self.clone().into_view(bytes).to_index();
        Self { index, ..self }
    }

    fn view<'a>(&'a self, bytes: &'a [u8]) -> Gsa<'a> {
        Gsa { bytes, parts: self.parts, index: self.index.as_ref() }
    }

    fn into_view(self, bytes: &[u8]) -> Gsa<'_> {
        Gsa { bytes, parts: self.parts, index: None }
    }

    fn head<R: ReadAt + ?Sized>(source: &R, options: &Options, with_names: bool) -> ReadResult<Head, R> {
        // Reads the whole file, because it does not state where the frames begin.
        let bytes = read_part(source, Span::new(0, source.size()))?;
        let animation = Gsa { bytes: &bytes, parts: Parts::parse(&bytes, options)?, index: None };
        Ok(Head::of(animation.summary(), animation.quirks(), with_names))
    }
}

#[derive(Clone, Copy, Debug)]
struct Parts {
    version: GsaVersion,
    header: Span,
    skeleton: Span,
    ids: Span,
    frames: FramesPlace,
    options: Options,
}

impl Parts {
    fn parse(bytes: &[u8], options: &Options) -> Result<Self, Error> {
        let (version, header) = read_header(bytes)?;
        let start = to_usize(header.end());
        let mut work = Work::for_bytes(bytes.len());
        let mut find = |part: &[u8]| {
            let (is_whole, scope, uniqueness) = (part.len() == bytes.len(), start..part.len(), options.uniqueness);
            let search = Search { bytes: part, start, version, uniqueness, is_whole, scope, work: &mut work };
            match options.skeleton {
                SkeletonOption::Given(layout) => search.run_given(&layout),
                SkeletonOption::Auto | SkeletonOption::Opaque => search.run(),
            }
        };
        let mut found = find(bytes);
        let mut cut = bytes;
        for _ in 0..3 {
            let not_found = found.is_err_and(|error| error.code() == codes::MARKER_NOT_FOUND);
            match cut {
                [head @ .., 0] if options.trailing_zeros && not_found && head.len() >= start => cut = head,
                _ => break,
            }
            found = match find(cut) {
                // The error about the whole file has priority.
                Err(error) if error.code() == codes::MARKER_NOT_FOUND => found,
                other => other,
            };
        }
        let Sections { marker, ids, frames } = found?;
        let skeleton = Span::new(to_u64(start), to_u64(marker.saturating_sub(start)));
        Ok(Self { version, header, skeleton, ids, frames, options: *options })
    }
}

impl<'a> Gsa<'a> {
    /// The file.
    pub const fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// The options that the file was parsed with.
    pub const fn options(&self) -> &Options {
        &self.parts.options
    }

    /// The version.
    pub const fn version(&self) -> GsaVersion {
        self.parts.version
    }

    fn header(&self) -> Option<Header> {
        Cursor::new(self.parts.header.bytes_of(self.bytes)).read().copied()
    }

    /// The byte at which the version and the other fields after the magic begin.
    pub const fn header_offset(&self) -> u64 {
        self.parts.header.start()
    }

    /// The two shorts of the header with unknown meaning.
    pub fn unknown(&self) -> [u16; 2] {
        self.header().map_or([0; 2], |header| [header.unknown_0(), header.unknown_1()])
    }

    /// The stored frames per second. The game ignores this field and plays [`PLAYBACK_FPS`].
    pub fn frame_rate_field(&self) -> u16 {
        self.header().map_or(0, |header| header.frame_rate())
    }

    /// Frames per second in the game: [`PLAYBACK_FPS`].
    pub const fn rate(&self) -> Option<f64> {
        Some(PLAYBACK_FPS)
    }

    /// Seconds in the game: [`frame_count`](Gsa::frame_count) divided by [`PLAYBACK_FPS`].
    pub fn duration(&self) -> Option<f64> {
        Some(f64::from(self.parts.frames.count) / PLAYBACK_FPS)
    }

    /// The counts of the file. O(skeleton) if only some bones are animated, else O(1).
    pub fn summary(&self) -> Summary {
        Summary {
            bones: self.bone_count().map(to_u64),
            sequences: Some(1),
            frames: Some(self.parts.frames.count.into()),
            duration_s: self.duration(),
            ..Summary::default()
        }
    }

    /// The bones. The model has only their number; `None` if it is not known. See [`bones`](Gsa::bones) for more.
    pub fn skeleton(&self) -> Option<Skeleton<'a>> {
        Some(Skeleton::of_count(self.bone_count()?, Relative::Unknown))
    }

    pub(super) fn to_rotations(self) -> Grid<'a, Vec4> {
        self.parts.frames.to_rotations(self.bytes, self.index)
    }

    /// The skeleton section, without the two bytes after it.
    pub fn skeleton_bytes(&self) -> &'a [u8] {
        self.parts.skeleton.bytes_of(self.bytes)
    }

    /// The byte at which the skeleton ends and the two bytes `FF` begin.
    pub const fn marker_offset(&self) -> u64 {
        self.parts.skeleton.end()
    }

    /// The ids of the animated bones, in the order of each frame's rotations; empty if all bones are animated.
    pub fn animated_ids(&self) -> &'a [BoneId] {
        self.parts.ids.of(self.bytes)
    }

    /// Rotations in each frame: the number of animated ids, or of all bones if that list is empty. At least 1.
    pub fn rotation_count(&self) -> usize {
        self.parts.frames.shape.rotations.into()
    }

    /// The index of a bone's rotation in each frame, by the bone's id; `None` if the bone is not animated. If all bones are
    /// animated, the id is the bone's index. O(animated bones).
    pub fn rotation_of(&self, id: u16) -> Option<usize> {
        match self.animated_ids() {
            [] => Some(usize::from(id)).filter(|at| *at < self.rotation_count()),
            ids => ids.iter().position(|animated| animated.get() == id),
        }
    }

    /// Number of bones in the skeleton: from the frames if all bones are animated, else from the layout of the bones; `None` if
    /// it is not known. O(1) if all bones are animated, else O(skeleton).
    pub fn bone_count(&self) -> Option<usize> {
        if self.animated_ids().is_empty() {
            return Some(self.rotation_count());
        }
        self.bones().ok().map(|bones| bones.len())
    }

    /// Number of frames, at least 1.
    pub fn frame_count(&self) -> usize {
        self.parts.frames.count.into()
    }

    /// Bytes of each frame; `None` if frames differ in length.
    pub const fn frame_size(&self) -> Option<usize> {
        self.parts.frames.stride
    }

    /// How often a frame stores its number of events: never in version 4.1, once in 4.2. Other numbers are a quirk.
    pub const fn event_count_words(&self) -> u8 {
        self.parts.frames.shape.words
    }

    /// All frames, in order.
    pub fn frames(&self) -> Frames<'a> {
        self.parts.frames.frames(self.bytes)
    }

    /// A frame by index. O(1) with frames of equal length or with an index, else O(events of the frames before).
    ///
    /// # Errors
    /// [`ErrorKind::FrameOutOfRange`] if `frame >= self.frame_count()`.
    pub fn frame(&self, frame: usize) -> Result<Frame<'a>, Error> {
        self.parts.frames.frame(self.bytes, self.index, frame).ok_or_else(|| {
            let kind = ErrorKind::FrameOutOfRange { frame: to_u64(frame), count: to_u64(self.frame_count()) };
            self.error_in_frames(kind)
        })
    }

    /// One bone's rotations over all frames, by the index among a frame's [`rotations`](Frame::rotations) (see
    /// [`rotation_of`](Gsa::rotation_of)). O(1) to get; borrows the file.
    ///
    /// # Errors
    /// [`ErrorKind::BoneOutOfRange`] if `rotation >= self.rotation_count()`.
    pub fn track(&self, rotation: usize) -> Result<RotationTrack<'a>, Error> {
        if rotation >= self.rotation_count() {
            let kind = ErrorKind::BoneOutOfRange { bone: to_u64(rotation), count: to_u64(self.rotation_count()) };
            return Err(self.error_in_frames(kind));
        }
        Ok(RotationTrack::new(self.parts.frames, self.bytes, self.index, rotation))
    }

    /// Every event with the index of its frame, in file order.
    pub fn events(&self) -> impl Iterator<Item = (usize, Event<'a>)> + use<'a> {
        self.frames().enumerate().flat_map(|(frame, view)| view.events().map(move |event| (frame, event)))
    }

    /// The offsets of the frames, for [`with_index`](Gsa::with_index). `None` if all frames have the same length, or if an
    /// offset does not fit 32 bits. One allocation; O(frames + events).
    pub fn to_index(&self) -> Option<FrameIndex> {
        FrameIndex::of(&self.parts.frames, self.bytes)
    }

    /// This view with O(1) access to frames of different lengths. The index must come from the same file; otherwise frames are
    /// wrong or errors.
    ///
    /// ```
    /// use skelmap::swat3::Gsa;
    ///
    /// let bytes = std::fs::read("tests/corpus/swat3/gsa/reload.gsa")?;
    /// let animation = Gsa::parse(&bytes)?;
    /// let index = animation.to_index();
    /// let animation = index.as_ref().map_or(animation, |index| animation.with_index(index));
    /// println!("{:?}", animation.frame(animation.frame_count() - 1)?.events());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub const fn with_index(self, index: &'a FrameIndex) -> Self {
        Self { index: Some(index), ..self }
    }

    /// Infers the layout of the bones from their names. O(skeleton), no allocation.
    ///
    /// # Errors
    /// [`NotInferred`] if the names do not determine one layout.
    pub fn infer_layout(&self) -> Result<Inference, NotInferred> {
        let last = self.animated_ids().iter().map(|id| usize::from(id.get())).max();
        let bones = last.map_or(self.rotation_count(), |last| last.saturating_add(1));
        infer::infer(self.skeleton_bytes(), bones, last.is_none())
    }

    /// The bones, by the given layout, else by the inferred layout. O(skeleton), no allocation.
    ///
    /// The game seems to use only their number (SWAT 3 reference, section 4.1).
    ///
    /// # Errors
    /// [`NotInferred`] if there is no layout.
    pub fn bones(&self) -> Result<Bones<'a>, NotInferred> {
        let start = to_usize(self.parts.skeleton.start());
        match self.parts.options.skeleton {
            SkeletonOption::Opaque => Err(NotInferred::Opaque),
            SkeletonOption::Auto => {
                let Inference { layout, bones, .. } = self.infer_layout()?;
                Ok(layout.bones(self.bytes, start).up_to(bones))
            }
            SkeletonOption::Given(layout) => {
                let section = self.bytes.get(..to_usize(self.parts.skeleton.end())).unwrap_or_default();
                let count = layout.bones(section, start).count();
                Ok(layout.bones(self.bytes, start).up_to(count))
            }
        }
    }

    /// The quirks of the file, in file order. O(1), no allocation.
    pub fn quirks(&self) -> impl Iterator<Item = Quirk> + use<> {
        let Parts { version, header, frames, .. } = self.parts;
        let magic = to_u64(MAGIC.len());
        let (start, end) = (frames.span.start(), frames.span.end());
        let quirks = [
            Quirk::when(header.start() > magic, codes::DOUBLED_MAGIC_NODE, HEADER, magic),
            Quirk::when(frames.shape.words != version.event_count_words(), codes::EVENT_COUNT_WORDS, FRAMES, start),
            Quirk::when(end < to_u64(self.bytes.len()), shared::TRAILING_BYTES, END, end),
        ];
        quirks.into_iter().flatten()
    }

    /// The sections, in file order. Frames of different lengths have the record size 1.
    pub fn sections(&self) -> [SectionRange; 3] {
        let Parts { skeleton, ids, frames, .. } = self.parts;
        [
            SectionRange::new(SKELETON, skeleton, 1),
            SectionRange::new(IDS, ids, to_u64(size_of::<BoneId>())),
            SectionRange::new(FRAMES, frames.span, frames.stride.map_or(1, to_u64)),
        ]
    }

    fn error_in_frames(&self, kind: ErrorKind) -> Error {
        Error::new(kind, FRAMES, self.frames_offset())
    }

    /// The byte at which the first frame begins.
    pub const fn frames_offset(&self) -> u64 {
        self.parts.frames.span.start()
    }

    /// The byte at which the skeleton begins.
    pub const fn skeleton_offset(&self) -> u64 {
        self.parts.skeleton.start()
    }
}
