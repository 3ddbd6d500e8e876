//! The animation view: `.psa`, with the magic `PSSA`. Unrelated to ActorX's `.psa`.

use super::codes;
use super::header::{END, HEADER, Options, Payload, Strictness};
use super::record::BoneState;
use crate::bytes::{ReadAt, Span, Text, Track, groups, to_u64, to_usize};
use crate::model::{Description, Head, Info, Relative, Skeleton, Summary};
use crate::report::{Error, ErrorKind, Quirk, ReadResult, Section, SectionRange, codes as shared};

const NAME: Section = Section::named("name");
const FRAME_LENGTH: Section = Section::named("frame length");
const COUNTS: Section = Section::named("counts");
pub(super) const STATES: Section = Section::named("bone states");

/// The version that tools write.
const VERSION: u32 = 1;

/// An animation, read in place: for each frame a state for each bone, in model space.
///
/// `Copy`; every slice borrows the file, at any alignment. States are **frame-major**: all bones of frame 0, then all bones of
/// frame 1 (Pyrogenesis reference, section 2). Bones have neither names nor parents. [`pose`](Psa::pose) computes the pose at
/// any time; [`PsaBuf`](super::PsaBuf) is the owned form.
///
/// ```
/// use skelmap::pyrogenesis::Psa;
///
/// let bytes = std::fs::read("tests/corpus/pyrogenesis/psa/walk.psa")?;
/// let animation = Psa::parse(&bytes)?;
/// println!("{} frames of {} ms", animation.frame_count(), animation.frame_length_ms());
/// for state in animation.frame(0)? {
///     println!("{:?} {:?}", state.translation(), state.rotation());
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Psa<'a> {
    bytes: &'a [u8],
    layout: PsaLayout,
}

/// The layout of an animation, without a lifetime.
#[derive(Clone, Copy, Debug)]
pub struct PsaLayout {
    version: u32,
    frame_length_ms: f32,
    /// The counts as stored.
    bones: u32,
    frames: u32,
    name: Span,
    states: Span,
    trailing: u64,
}

/// Whether a frame length is positive.
pub(super) fn is_frame_length(ms: f32) -> bool {
    ms.is_finite() && ms > 0.0
}

pub(super) fn frame_length_error(ms: f32) -> ErrorKind {
    codes::FRAME_LENGTH.with([ms.to_bits()])
}

impl Description for PsaLayout {
    type View<'a> = Psa<'a>;
    type Options = Options;

    const INFO: Info = Info {
        code: "pyrogenesis.psa",
        title: "a Pyrogenesis animation of 0 A.D. (`PSSA`)",
        extensions: &["psa"],
        skeletons: "pyrogenesis",
    };

    fn is_format(first: &[u8]) -> bool {
        first.starts_with(b"PSSA")
    }

    fn find<R: ReadAt + ?Sized>(source: &R, options: &Options) -> ReadResult<Self, R> {
        let strictness = options.strictness;
        let mut payload = Payload::open(source)?;
        payload.limit_version(VERSION, strictness)?;
        let name = payload.string(NAME)?;
        let at_length = payload.offset();
        let frame_length_ms = f32::from_bits(payload.read_u32(FRAME_LENGTH)?);
        let at_counts = payload.offset();
        let bones = payload.read_u32(COUNTS)?;
        let frames = payload.read_u32(COUNTS)?;
        if strictness == Strictness::Strict {
            if !is_frame_length(frame_length_ms) {
                return Err(Error::new(frame_length_error(frame_length_ms), FRAME_LENGTH, at_length).into());
            }
            if frames == 0 {
                return Err(Error::new(ErrorKind::NoFrames, COUNTS, at_counts).into());
            }
        }
        let frame_size = to_u64(size_of::<BoneState>()).saturating_mul(bones.into());
        let states = payload.sized_records(STATES, frame_size, frames)?;
        let trailing = payload.end(strictness)?;
        Ok(Self { version: payload.version, frame_length_ms, bones, frames, name, states, trailing })
    }

    fn into_view(self, bytes: &[u8]) -> Psa<'_> {
        Psa { bytes, layout: self }
    }

    fn head<R: ReadAt + ?Sized>(source: &R, options: &Options, with_names: bool) -> ReadResult<Head, R> {
        let layout = Self::find(source, options)?;
        Ok(Head::of(layout.summary(), layout.quirks(), with_names))
    }
}

impl PsaLayout {
    /// Number of bones with states in the file.
    const fn bone_count(&self) -> u32 {
        if self.frames == 0 { 0 } else { self.bones }
    }

    /// Number of frames with states in the file.
    const fn frame_count(&self) -> u32 {
        if self.bones == 0 { 0 } else { self.frames }
    }

    fn duration(&self) -> Option<f64> {
        let ms = f64::from(self.frame_length_ms) * f64::from(self.frame_count());
        (ms.is_finite() && ms > 0.0).then_some(ms / 1000.0)
    }

    fn summary(&self) -> Summary {
        Summary {
            bones: Some(self.bone_count().into()),
            sequences: Some(1),
            frames: Some(self.frame_count().into()),
            duration_s: self.duration(),
            ..Summary::default()
        }
    }

    fn quirks(self) -> impl Iterator<Item = Quirk> + use<> {
        let (at_length, at_counts) = (self.name.end(), self.name.end().saturating_add(4));
        let quirks = [
            Quirk::when(self.version > VERSION, shared::UNKNOWN_VERSION, HEADER, 0),
            Quirk::when(!is_frame_length(self.frame_length_ms), codes::FRAME_LENGTH, FRAME_LENGTH, at_length),
            Quirk::when(self.frames == 0, shared::NO_FRAMES, COUNTS, at_counts),
            Quirk::when(self.frames > 0 && self.bones == 0, codes::NO_BONES, COUNTS, at_counts),
            Quirk::when(self.trailing > 0, shared::TRAILING_BYTES, END, self.states.end()),
        ];
        quirks.into_iter().flatten()
    }
}

impl<'a> Psa<'a> {
    /// The file.
    pub const fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// The version as stored. All versions have the layout of version 1.
    pub const fn version(&self) -> u32 {
        self.layout.version
    }

    /// The name as stored; the engine's converter leaves it empty. The game names animations elsewhere.
    pub fn name(&self) -> Text<'a> {
        Text::new(self.layout.name.bytes_of(self.bytes))
    }

    /// Length of a frame in milliseconds, as stored. The engine uses it (Pyrogenesis reference, section 0).
    pub const fn frame_length_ms(&self) -> f32 {
        self.layout.frame_length_ms
    }

    /// Number of bones with states in each frame; 0 without frames.
    pub fn bone_count(&self) -> usize {
        to_usize(self.layout.bone_count().into())
    }

    /// Number of frames with states; 0 without bones.
    pub fn frame_count(&self) -> usize {
        to_usize(self.layout.frame_count().into())
    }

    /// The number of bones in the header. Without frames, the file does not limit it.
    pub const fn declared_bone_count(&self) -> u32 {
        self.layout.bones
    }

    /// The number of frames in the header. Without bones, the file does not limit it.
    pub const fn declared_frame_count(&self) -> u32 {
        self.layout.frames
    }

    /// Frames per second; `None` if the frame length is not positive.
    pub fn rate(&self) -> Option<f64> {
        is_frame_length(self.frame_length_ms()).then(|| 1000.0 / f64::from(self.frame_length_ms()))
    }

    /// Seconds of a loop: frames times frame length; `None` if the product is not positive.
    pub fn duration(&self) -> Option<f64> {
        self.layout.duration()
    }

    /// All states: frame after frame, with a state for each bone.
    pub fn states(&self) -> &'a [BoneState] {
        self.layout.states.of(self.bytes)
    }

    /// The states of one frame, one for each bone. O(1).
    ///
    /// # Errors
    /// [`ErrorKind::FrameOutOfRange`] if `frame >= self.frame_count()`.
    pub fn frame(&self, frame: usize) -> Result<&'a [BoneState], Error> {
        if frame >= self.frame_count() {
            let kind = ErrorKind::FrameOutOfRange { frame: to_u64(frame), count: self.layout.frame_count().into() };
            return Err(self.error(kind));
        }
        Ok(groups(self.states(), to_u64(frame), 1, self.bone_count()))
    }

    /// One bone's states over all frames. O(1) to get; borrows the file.
    ///
    /// # Errors
    /// [`ErrorKind::BoneOutOfRange`] if `bone >= self.bone_count()`.
    pub fn track(&self, bone: usize) -> Result<Track<'a, BoneState>, Error> {
        let kind = ErrorKind::BoneOutOfRange { bone: to_u64(bone), count: self.layout.bone_count().into() };
        Track::of_frames(self.states(), self.bone_count(), bone).ok_or_else(|| self.error(kind))
    }

    /// The quirks of the file. Except [`NO_BONES`](codes::NO_BONES), only files parsed with [`Engine`](Strictness::Engine) have
    /// any. O(1), no allocation.
    pub fn quirks(&self) -> impl Iterator<Item = Quirk> + use<> {
        self.layout.quirks()
    }

    /// The counts of the file, from headers. O(1).
    pub fn summary(&self) -> Summary {
        self.layout.summary()
    }

    /// The skeleton: the number of bones, which have neither names nor parents. O(1).
    pub fn skeleton(&self) -> Skeleton<'a> {
        Skeleton::of_count(self.bone_count(), Relative::Model)
    }

    /// The sections, in file order.
    pub fn sections(&self) -> [SectionRange; 2] {
        let PsaLayout { name, states, .. } = self.layout;
        [SectionRange::new(NAME, name, 1), SectionRange::new(STATES, states, to_u64(size_of::<BoneState>()))]
    }

    /// Bytes after the last section; only files parsed with [`Engine`](Strictness::Engine) have any.
    pub const fn trailing_bytes(&self) -> u64 {
        self.layout.trailing
    }

    fn error(&self, kind: ErrorKind) -> Error {
        Error::new(kind, STATES, self.states_offset())
    }

    /// The byte at which the states begin.
    pub(super) const fn states_offset(&self) -> u64 {
        self.layout.states.start()
    }
}
