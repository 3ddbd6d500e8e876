//! The animation view: `.gsa`, versions 4.1 and 4.2.

use core::fmt::{self, Display, Formatter};

use super::event::Event;
use super::frame::{Frame, FrameIndex, Frames, Place, RotationTrack};
use super::infer::{self, BoneCount, Inference, NotInferred};
use super::record::{BoneId, Header};
use super::search::{Found, SKELETON, Search, Work};
use super::skeleton::{BoneLayout, Skeleton};
use crate::cursor::{Cursor, Span, to_u64};
use crate::error::{Error, ErrorKind};
use crate::format::{Format, GSA_MAGIC};
use crate::quirk::{Quirk, QuirkKind};
use crate::section::{Section, SectionRange};

/// Frames per second at which the game plays every animation, whatever the file says (SWAT 3 reference, section 2).
pub const PLAYBACK_FPS: f64 = 10.0;

pub(super) const HEADER: Section = Section::named("header");
pub(super) const FRAMES: Section = Section::named("frames");
#[cfg(feature = "std")]
pub(super) const EVENTS: Section = Section::named("events");
const IDS: Section = Section::named("animated bones");
const END: Section = Section::named("end");

/// The last bytes of the magic, which the one public description lists twice (section 2.1).
const MAGIC_NODE: [u8; 6] = [0x00, 0x20, 0xAF, 0xE6, 0x36, 0xEE];

/// The versions of the format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum GsaVersion {
    /// 4.1: frames without events, all of one length.
    V4_1,
    /// 4.2: frames with events.
    V4_2,
}

impl GsaVersion {
    /// The major and the minor number.
    pub const fn numbers(self) -> (u8, u8) {
        match self {
            Self::V4_1 => (4, 1),
            Self::V4_2 => (4, 2),
        }
    }

    /// How many shorts of a frame count its events: none in 4.1, one in 4.2.
    pub(super) const fn event_count_words(self) -> u8 {
        match self {
            Self::V4_1 => 0,
            Self::V4_2 => 1,
        }
    }
}

impl Display for GsaVersion {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::V4_1 => "4.1",
            Self::V4_2 => "4.2",
        })
    }
}

/// What to do about the skeleton, whose layout is not documented.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum SkeletonOption {
    /// Find its end by proof; infer its layout when asked for bones.
    #[default]
    Auto,
    /// Find its end by proof; leave it alone.
    Opaque,
    /// Find its end by this layout, and have its bones. The layout takes the place of the tests: rotations may then be of any
    /// length, so that this reads files that the search does not believe.
    Given(BoneLayout),
}

/// How sure the end of the skeleton must be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Uniqueness {
    /// Every place in the file is tried with every test; exactly one must stand. O(file).
    #[default]
    Strict,
    /// The first place that fits the file's length is taken; rotations are looked at only where the length proves little (one
    /// frame of all bones, or frames that are not stored as the version says). Touches the skeleton and little else in version
    /// 4.1.
    First,
}

/// What [`Gsa::parse_with`] accepts. The default is what [`Gsa::parse`] does.
///
/// ```
/// use skelmap::swat3::{BoneLayout, Gsa, NameForm, Options, SkeletonOption};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let bytes = std::fs::read("corpus/swat3/gsa/plain.gsa")?;
/// let layout = BoneLayout::new(4, NameForm::U16, 28);
/// let options = Options { skeleton: SkeletonOption::Given(layout), ..Options::default() };
/// let animation = Gsa::parse_with(&bytes, &options)?;
/// assert_eq!(animation.skeleton()?.layout(), &layout);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "made by struct update from its default")]
pub struct Options {
    /// What to do about the skeleton.
    pub skeleton: SkeletonOption,
    /// How sure its end must be.
    pub uniqueness: Uniqueness,
    /// Whether up to three zero bytes may follow the last frame. They are reported as a quirk. (Two or four zeros after a single
    /// frame read as its numbers of events, with this option or without; that is a quirk too.)
    pub trailing_zeros: bool,
}

/// An animation, read in place: for each frame a rotation for each animated bone, and events.
///
/// `Copy`; every slice borrows the file, at whatever alignment, and parsing allocates nothing. Frames whose number of events
/// differs differ in length: [`frames`](Gsa::frames) steps through them, and for random access [`to_index`](Gsa::to_index)
/// remembers where each begins. For a form to store, which has its index by itself, see [`GsaBuf`](crate::GsaBuf).
///
/// ```
/// use skelmap::swat3::Gsa;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let bytes = std::fs::read("corpus/swat3/gsa/reload.gsa")?;
/// let animation = Gsa::parse(&bytes)?;
/// for frame in animation.frames() {
///     println!("{:?}: {} rotations, events {:?}", frame.root_offset(), frame.rotations().len(), frame.events());
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Gsa<'a> {
    bytes: &'a [u8],
    parts: Parts,
    index: Option<&'a FrameIndex>,
}

/// Where the parts of an animation lie, without a lifetime, and where its frames do if they differ in length.
#[cfg(feature = "std")]
#[derive(Clone, Debug)]
pub struct GsaLayout {
    parts: Parts,
    index: Option<FrameIndex>,
}

#[cfg(feature = "std")]
impl GsaLayout {
    pub(crate) fn parse(bytes: &[u8], options: &Options) -> Result<Self, Error> {
        let animation = Gsa::parse_with(bytes, options)?;
        Ok(Self { parts: animation.parts, index: animation.to_index() })
    }

    pub(crate) const fn view<'a>(&'a self, bytes: &'a [u8]) -> Gsa<'a> {
        Gsa { bytes, parts: self.parts, index: self.index.as_ref() }
    }
}

#[derive(Clone, Copy, Debug)]
struct Parts {
    version: GsaVersion,
    header: Span,
    skeleton: Span,
    ids: Span,
    frames: Place,
    skeleton_option: SkeletonOption,
}

impl Parts {
    fn parse(bytes: &[u8], options: &Options) -> Result<Self, Error> {
        let (version, header) = read_header(bytes)?;
        let start = header.end();
        let mut work = Work::for_bytes(bytes.len());
        let mut find = |part: &[u8]| {
            let is_whole = part.len() == bytes.len();
            let search = Search::new(part, is_whole, start, version, options.uniqueness, &mut work);
            match options.skeleton {
                SkeletonOption::Given(layout) => search.run_given(&layout),
                SkeletonOption::Auto | SkeletonOption::Opaque => search.run(),
            }
        };
        let mut found = find(bytes);
        let mut cut = bytes;
        for _ in 0..3 {
            let not_found = matches!(found, Err(error) if matches!(error.kind(), ErrorKind::MarkerNotFound { .. }));
            match cut {
                [head @ .., 0] if options.trailing_zeros && not_found && head.len() >= start => cut = head,
                _ => break,
            }
            found = match find(cut) {
                // What is wrong with the whole file is what counts.
                Err(error) if matches!(error.kind(), ErrorKind::MarkerNotFound { .. }) => found,
                other => other,
            };
        }
        let Found { marker, ids, frames } = found?;
        let skeleton = Span::new(start, marker.saturating_sub(start));
        Ok(Self { version, header, skeleton, ids, frames, skeleton_option: options.skeleton })
    }
}

/// The version, and where the fields after the magic lie.
fn read_header(bytes: &[u8]) -> Result<(GsaVersion, Span), Error> {
    match Format::sniff(bytes)? {
        Format::Swat3Gsa => {}
        other => return Err(other.not_asked_for()),
    }
    let rest = bytes.get(GSA_MAGIC.len()..).unwrap_or_default();
    let is_doubled =
        rest.starts_with(&MAGIC_NODE) && bytes.len() >= GSA_MAGIC.len().saturating_add(size_of::<Header>());
    let begin = if is_doubled { GSA_MAGIC.len().saturating_add(MAGIC_NODE.len()) } else { GSA_MAGIC.len() };
    let span = Span::new(begin, size_of::<Header>());
    let Some(header) = Cursor::new(bytes.get(begin..).unwrap_or_default()).read::<Header>() else {
        let kind = ErrorKind::Truncated { needed: to_u64(span.end()), left: to_u64(bytes.len()) };
        return Err(Error::new(kind, HEADER, 0));
    };
    match (header.major, header.minor) {
        (4, 1) => Ok((GsaVersion::V4_1, span)),
        (4, 2) => Ok((GsaVersion::V4_2, span)),
        (major, minor) => Err(Error::new(ErrorKind::GsaVersion { major, minor }, HEADER, to_u64(begin))),
    }
}

impl<'a> Gsa<'a> {
    /// Reads the header, finds the end of the skeleton by proof, and proves every frame. O(file), no allocation.
    ///
    /// # Errors
    /// Those of [`Format::sniff`]; [`OtherFormat`](ErrorKind::OtherFormat) for another format;
    /// [`Truncated`](ErrorKind::Truncated) and [`GsaVersion`](ErrorKind::GsaVersion) in the header;
    /// [`MarkerNotFound`](ErrorKind::MarkerNotFound), [`AmbiguousMarker`](ErrorKind::AmbiguousMarker) or, for files made to
    /// waste time, [`SearchLimit`](ErrorKind::SearchLimit).
    pub fn parse(bytes: &'a [u8]) -> Result<Self, Error> {
        Self::parse_with(bytes, &Options::default())
    }

    /// [`parse`](Gsa::parse) with a choice of what to accept.
    ///
    /// # Errors
    /// Those of [`parse`](Gsa::parse), and [`BoneLayout`](ErrorKind::BoneLayout) where a given layout does not fit.
    pub fn parse_with(bytes: &'a [u8], options: &Options) -> Result<Self, Error> {
        Ok(Self { bytes, parts: Parts::parse(bytes, options)?, index: None })
    }

    /// The file.
    pub const fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// The version.
    pub const fn version(&self) -> GsaVersion {
        self.parts.version
    }

    fn header(&self) -> Option<Header> {
        Cursor::new(self.parts.header.bytes_of(self.bytes)).read().copied()
    }

    /// The byte at which the fields after the magic begin, the version first.
    #[cfg(feature = "std")]
    pub(super) const fn header_offset(&self) -> usize {
        self.parts.header.start()
    }

    /// The two shorts of the header whose meaning is not known, as stored.
    pub fn unknown(&self) -> [u16; 2] {
        self.header().map_or([0; 2], Header::unknown)
    }

    /// The frames per second that the file states. The game ignores them and plays [`PLAYBACK_FPS`].
    pub fn frame_rate_field(&self) -> u16 {
        self.header().map_or(0, Header::frame_rate)
    }

    /// Seconds that the animation lasts in the game: [`frame_count`](Gsa::frame_count) divided by [`PLAYBACK_FPS`].
    pub fn duration(&self) -> f64 {
        f64::from(self.parts.frames.count) / PLAYBACK_FPS
    }

    /// The skeleton section, exact and whole, without the two bytes that end it.
    pub fn skeleton_bytes(&self) -> &'a [u8] {
        self.parts.skeleton.bytes_of(self.bytes)
    }

    /// The byte at which the two bytes `FF` lie that end the skeleton.
    pub fn marker_offset(&self) -> u64 {
        to_u64(self.parts.skeleton.end())
    }

    /// The ids of the animated bones, in the order of each frame's rotations. Empty where all bones are animated.
    pub fn animated_ids(&self) -> &'a [BoneId] {
        self.parts.ids.of(self.bytes)
    }

    /// Rotations in each frame: as many as there are animated ids, or as there are bones where that list is empty. At least 1.
    pub fn rotation_count(&self) -> usize {
        self.parts.frames.shape.rotations.into()
    }

    /// Which of a frame's rotations is the bone's of this id; `None` if it is not animated. Where all bones are animated, their
    /// rotations are in the order of the bones, and the id is taken for the bone's place. O(animated bones).
    pub fn rotation_of(&self, id: u16) -> Option<usize> {
        match self.animated_ids() {
            [] => Some(usize::from(id)).filter(|at| *at < self.rotation_count()),
            ids => ids.iter().position(|animated| animated.get() == id),
        }
    }

    /// Number of bones of the skeleton: what the frames are for where all bones are animated, else by the layout of the bones;
    /// `None` where that is not known. O(1) where all are animated, else O(skeleton).
    pub fn bone_count(&self) -> Option<usize> {
        if self.animated_ids().is_empty() {
            return Some(self.rotation_count());
        }
        self.skeleton().ok().map(|skeleton| skeleton.len())
    }

    /// Number of frames, at least 1.
    pub fn frame_count(&self) -> usize {
        self.parts.frames.count.into()
    }

    /// Bytes of every frame, where all are of the same length; `None` where events make them differ.
    pub const fn frame_size(&self) -> Option<usize> {
        self.parts.frames.stride
    }

    /// How often each frame stores its number of events: not at all in version 4.1, once in 4.2. Anything else is a quirk.
    pub const fn event_count_words(&self) -> u8 {
        self.parts.frames.shape.words
    }

    /// All frames, in order.
    pub fn frames(&self) -> Frames<'a> {
        self.parts.frames.frames(self.bytes)
    }

    /// A frame by its number, counted from 0. O(1) where all are of the same length or the view has an index, else O(events of
    /// the frames before it).
    ///
    /// # Errors
    /// [`ErrorKind::FrameOutOfRange`] if `frame >= self.frame_count()`.
    pub fn frame(&self, frame: usize) -> Result<Frame<'a>, Error> {
        let kind = ErrorKind::FrameOutOfRange { frame: to_u64(frame), count: to_u64(self.frame_count()) };
        self.parts.frames.frame(self.bytes, self.index, frame).ok_or(self.error_in_frames(kind))
    }

    /// One bone's rotations over all frames, by its place among a frame's [`rotations`](Frame::rotations)
    /// (see [`rotation_of`](Gsa::rotation_of)). O(1) to get; borrows the file.
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

    /// Every event with the number of its frame, counted from 0, in file order.
    pub fn events(&self) -> impl Iterator<Item = (usize, Event<'a>)> + use<'a> {
        self.frames().enumerate().flat_map(|(frame, view)| view.events().map(move |event| (frame, event)))
    }

    /// Where each frame begins, for [`with_index`](Gsa::with_index). `None` where none is needed, because all frames are of the
    /// same length, or where one would not fit its four bytes a frame. One allocation; O(frames + events).
    #[cfg(feature = "std")]
    pub fn to_index(&self) -> Option<FrameIndex> {
        FrameIndex::of(&self.parts.frames, self.bytes)
    }

    /// The same view with O(1) access to frames of differing length. With an index of another file, frames by number are wrong
    /// ones, or errors.
    ///
    /// ```
    /// use skelmap::swat3::Gsa;
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let bytes = std::fs::read("corpus/swat3/gsa/reload.gsa")?;
    /// let animation = Gsa::parse(&bytes)?;
    /// let index = animation.to_index();
    /// let animation = index.as_ref().map_or(animation, |index| animation.with_index(index));
    /// println!("{:?}", animation.frame(animation.frame_count() - 1)?.events());
    /// # Ok(())
    /// # }
    /// ```
    #[cfg(feature = "std")]
    #[must_use]
    pub const fn with_index(self, index: &'a FrameIndex) -> Self {
        Self { bytes: self.bytes, parts: self.parts, index: Some(index) }
    }

    /// Works out the layout of the bones from their names. O(skeleton), no allocation.
    ///
    /// ```
    /// use skelmap::swat3::Gsa;
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let bytes = std::fs::read("corpus/swat3/gsa/plain.gsa")?;
    /// match Gsa::parse(&bytes)?.infer_layout() {
    ///     Ok(inference) => println!("{} bones\n{}", inference.bones, inference.layout),
    ///     Err(reason) => println!("not inferred: {reason}"),
    /// }
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`NotInferred`] says why there is none. Nothing is guessed.
    pub fn infer_layout(&self) -> Result<Inference, NotInferred> {
        let count = match self.animated_ids() {
            [] => BoneCount::Exactly(self.rotation_count()),
            ids => BoneCount::AtLeast(ids.iter().map(|id| usize::from(id.get()).saturating_add(1)).max().unwrap_or(0)),
        };
        infer::infer(self.skeleton_bytes(), count)
    }

    /// The skeleton by the given or, if none was given, the inferred layout. O(skeleton), no allocation.
    ///
    /// # Errors
    /// [`NotInferred`] says why there is no layout.
    pub fn skeleton(&self) -> Result<Skeleton<'a>, NotInferred> {
        let (layout, count) = match self.parts.skeleton_option {
            SkeletonOption::Opaque => return Err(NotInferred::Opaque),
            SkeletonOption::Auto => self.infer_layout().map(|inference| (inference.layout, inference.bones))?,
            SkeletonOption::Given(layout) => {
                let section = self.bytes.get(..self.parts.skeleton.end()).unwrap_or_default();
                (layout, layout.bones(section, self.parts.skeleton.start()).count())
            }
        };
        Ok(Skeleton::new(self.bytes, self.parts.skeleton.start(), layout, count))
    }

    /// What is odd about the file and how it was read, in file order. O(1), no allocation.
    pub fn quirks(&self) -> impl Iterator<Item = Quirk> + use<> {
        let Parts { version, header, frames, .. } = self.parts;
        let is_doubled = header.start() > GSA_MAGIC.len();
        [
            is_doubled.then_some((QuirkKind::DoubledMagicNode, HEADER, GSA_MAGIC.len())),
            (frames.shape.words != version.event_count_words()).then_some((
                QuirkKind::EventCountWords,
                FRAMES,
                frames.span.start(),
            )),
            (frames.span.end() < self.bytes.len()).then_some((QuirkKind::TrailingBytes, END, frames.span.end())),
        ]
        .into_iter()
        .flatten()
        .map(|(kind, section, offset)| Quirk { kind, section, offset: to_u64(offset) })
    }

    /// Where the sections lie, in file order. The frames count as one record each only where all are of the same length.
    pub fn sections(&self) -> [SectionRange; 3] {
        let Parts { skeleton, ids, frames, .. } = self.parts;
        [
            SectionRange::new(SKELETON, skeleton, 1),
            SectionRange::new(IDS, ids, size_of::<BoneId>()),
            SectionRange::new(FRAMES, frames.span, frames.stride.unwrap_or(1)),
        ]
    }

    fn error_in_frames(&self, kind: ErrorKind) -> Error {
        Error::new(kind, FRAMES, self.frames_offset())
    }

    /// Byte at which the first frame begins.
    pub fn frames_offset(&self) -> u64 {
        to_u64(self.parts.frames.span.start())
    }

    /// Byte at which the skeleton begins.
    pub fn skeleton_offset(&self) -> u64 {
        to_u64(self.parts.skeleton.start())
    }

    #[cfg(feature = "std")]
    pub(super) const fn frames_start(&self) -> usize {
        self.parts.frames.span.start()
    }

    /// Where the last frame ends: the end of the file, unless zeros that were allowed for follow.
    #[cfg(feature = "std")]
    pub(super) const fn end(&self) -> usize {
        self.parts.frames.span.end()
    }
}
