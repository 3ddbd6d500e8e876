//! The animation view: `.psa`, whose magic is `PSSA`. Unrelated to ActorX's `.psa`.

use super::header::{END, HEADER, Payload, Strictness};
use super::record::BoneState;
use crate::cursor::{Span, groups, to_u64};
use crate::error::{Error, ErrorKind};
use crate::format::Format;
use crate::quirk::{Quirk, QuirkKind};
use crate::section::{Section, SectionRange};
use crate::text::Text;
use crate::track::Track;

const NAME: Section = Section::named("name");
const FRAME_LENGTH: Section = Section::named("frame length");
const COUNTS: Section = Section::named("counts");
pub(super) const STATES: Section = Section::named("bone states");

/// The version that tools write.
const VERSION: u32 = 1;

/// An animation, read in place: for each frame a state for each bone, absolute in model space.
///
/// `Copy`; every slice borrows the file, at whatever alignment. States are **frame-major**: all bones of frame 0, then all bones
/// of frame 1 (Pyrogenesis reference, section 2). Bones have neither names nor parents. For the pose at any time, see
/// [`pose`](Psa::pose); for a form to store, [`PyrogenesisPsaBuf`](crate::PyrogenesisPsaBuf).
///
/// ```
/// use skelmap::pyrogenesis::Psa;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let bytes = std::fs::read("corpus/pyrogenesis/psa/walk.psa")?;
/// let animation = Psa::parse(&bytes)?;
/// println!("{} frames of {} ms", animation.frame_count(), animation.frame_length_ms());
/// for state in animation.frame(0)? {
///     println!("{:?} {:?}", state.translation(), state.rotation());
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Psa<'a> {
    bytes: &'a [u8],
    layout: PsaLayout,
}

/// Where the parts of an animation lie, without a lifetime.
#[derive(Clone, Copy, Debug)]
pub struct PsaLayout {
    version: u32,
    frame_length_ms: f32,
    bones: u32,
    frames: u32,
    name: Span,
    states: Span,
    trailing: u64,
}

/// Whether a frame can last so long: a positive number, without which no time means anything.
pub(super) fn is_frame_length(ms: f32) -> bool {
    ms.is_finite() && ms > 0.0
}

impl PsaLayout {
    pub(crate) fn parse(bytes: &[u8], strictness: Strictness) -> Result<Self, Error> {
        let mut payload = Payload::open(bytes, Format::PyrogenesisPsa)?;
        payload.limit_version(VERSION, strictness)?;
        let name = payload.string(NAME)?;
        let at_length = payload.offset();
        let frame_length_ms = f32::from_bits(payload.read_u32(FRAME_LENGTH)?);
        let at_counts = payload.offset();
        let bones = payload.read_u32(COUNTS)?;
        let frames = payload.read_u32(COUNTS)?;
        if strictness == Strictness::Strict {
            if !is_frame_length(frame_length_ms) {
                let bits = frame_length_ms.to_bits();
                return Err(Error::new(ErrorKind::FrameLength { bits }, FRAME_LENGTH, at_length));
            }
            if frames == 0 {
                return Err(Error::new(ErrorKind::NoFrames, COUNTS, at_counts));
            }
        }
        let states = payload.states(bones, frames)?;
        let trailing = payload.end(strictness)?;
        Ok(Self { version: payload.version, frame_length_ms, bones, frames, name, states, trailing })
    }

    pub(crate) const fn view<'a>(&self, bytes: &'a [u8]) -> Psa<'a> {
        Psa { bytes, layout: *self }
    }
}

impl Payload<'_> {
    /// A state for each bone and frame. The product of the counts may not even fit 64 bits with the size of a state.
    fn states(&mut self, bones: u32, frames: u32) -> Result<Span, Error> {
        let size = u32::try_from(size_of::<BoneState>()).unwrap_or(u32::MAX);
        let Some(frame_size) = size.checked_mul(bones).or_else(|| (frames == 0).then_some(0)) else {
            let needed = u64::from(size).saturating_mul(bones.into()).saturating_mul(frames.into());
            return Err(Error::new(ErrorKind::Truncated { needed, left: self.left() }, STATES, self.offset()));
        };
        self.sized_records(STATES, frame_size, frames)
    }
}

impl<'a> Psa<'a> {
    /// Reads the header and proves every count; touches no state. O(1), no allocation. Takes only what the engine's tools write;
    /// [`parse_as`](Psa::parse_as) takes what the engine takes.
    ///
    /// # Errors
    /// Those of [`Format::sniff`]; [`OtherFormat`](ErrorKind::OtherFormat) for another format;
    /// [`DataSize`](ErrorKind::DataSize), [`Version`](ErrorKind::Version), [`FrameLength`](ErrorKind::FrameLength),
    /// [`NoFrames`](ErrorKind::NoFrames), [`TrailingBytes`](ErrorKind::TrailingBytes); sections that do not fit.
    pub fn parse(bytes: &'a [u8]) -> Result<Self, Error> {
        Self::parse_as(bytes, Strictness::Strict)
    }

    /// [`parse`](Psa::parse) with a choice of what to accept.
    ///
    /// # Errors
    /// Those of [`parse`](Psa::parse), as far as the strictness has them.
    pub fn parse_as(bytes: &'a [u8], strictness: Strictness) -> Result<Self, Error> {
        Ok(PsaLayout::parse(bytes, strictness)?.view(bytes))
    }

    /// The file.
    pub const fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// The version as stored. Every version has the layout of version 1.
    pub const fn version(&self) -> u32 {
        self.layout.version
    }

    /// The name as stored; empty from the engine's converter. What the game calls an animation stands elsewhere.
    pub fn name(&self) -> Text<'a> {
        Text::new(self.layout.name.bytes_of(self.bytes))
    }

    /// Length of a frame in milliseconds, as stored. The engine does use it (Pyrogenesis reference, section 0).
    pub const fn frame_length_ms(&self) -> f32 {
        self.layout.frame_length_ms
    }

    /// Number of bones in each frame. Bounded by the file's size only where there are frames.
    pub fn bone_count(&self) -> usize {
        usize::try_from(self.layout.bones).unwrap_or(usize::MAX)
    }

    /// Number of frames.
    pub fn frame_count(&self) -> usize {
        usize::try_from(self.layout.frames).unwrap_or(usize::MAX)
    }

    /// Duration of a loop in milliseconds: frames times frame length. `None` if that is not a positive number.
    pub fn duration_ms(&self) -> Option<f64> {
        let duration = f64::from(self.frame_length_ms()) * f64::from(self.layout.frames);
        (duration.is_finite() && duration > 0.0).then_some(duration)
    }

    /// All states: frame after frame, in each a state per bone.
    pub fn states(&self) -> &'a [BoneState] {
        self.layout.states.of(self.bytes)
    }

    /// The states of one frame, a state per bone. O(1).
    ///
    /// # Errors
    /// [`ErrorKind::FrameOutOfRange`] if `frame >= self.frame_count()`.
    pub fn frame(&self, frame: usize) -> Result<&'a [BoneState], Error> {
        if frame >= self.frame_count() {
            let kind = ErrorKind::FrameOutOfRange { frame: to_u64(frame), count: self.layout.frames.into() };
            return Err(self.error(kind));
        }
        Ok(groups(self.states(), to_u64(frame), 1, self.bone_count()))
    }

    /// One bone's states over all frames. O(1) to get; borrows the file.
    ///
    /// # Errors
    /// [`ErrorKind::BoneOutOfRange`] if `bone >= self.bone_count()`.
    pub fn track(&self, bone: usize) -> Result<Track<'a, BoneState>, Error> {
        let kind = ErrorKind::BoneOutOfRange { bone: to_u64(bone), count: self.layout.bones.into() };
        Track::of_frames(self.states(), self.bone_count(), bone).ok_or_else(|| self.error(kind))
    }

    /// What is odd about a file taken with [`Strictness::Engine`]; nothing in any other. O(1), no allocation.
    pub fn quirks(&self) -> impl Iterator<Item = Quirk> + use<> {
        let layout = self.layout;
        let at_length = to_u64(layout.name.end());
        [
            (layout.version > VERSION).then_some((QuirkKind::UnknownVersion, HEADER, 0)),
            (!is_frame_length(layout.frame_length_ms)).then_some((QuirkKind::FrameLength, FRAME_LENGTH, at_length)),
            (layout.frames == 0).then_some((QuirkKind::NoFrames, COUNTS, at_length.saturating_add(4))),
            (layout.trailing > 0).then_some((QuirkKind::TrailingBytes, END, to_u64(layout.states.end()))),
        ]
        .into_iter()
        .flatten()
        .map(|(kind, section, offset)| Quirk { kind, section, offset })
    }

    /// Where the sections lie, in file order.
    pub fn sections(&self) -> [SectionRange; 2] {
        let PsaLayout { name, states, .. } = self.layout;
        [SectionRange::new(NAME, name, 1), SectionRange::new(STATES, states, size_of::<BoneState>())]
    }

    /// Bytes inside the payload that no section claims: 0 but in files taken with [`Strictness::Engine`].
    pub const fn trailing_bytes(&self) -> u64 {
        self.layout.trailing
    }

    fn error(&self, kind: ErrorKind) -> Error {
        Error::new(kind, STATES, self.states_offset())
    }

    /// Byte at which the states begin.
    pub(super) fn states_offset(&self) -> u64 {
        to_u64(self.layout.states.start())
    }
}
