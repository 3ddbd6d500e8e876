//! A clip: one animation of a file, frame after frame, in place.

use zerocopy::little_endian::U16;
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

use super::skeleton::{Relative, RotationRule, Skeleton};
use super::space::{Change, Space};
use super::transform::Transform;
use crate::bytes::{Cursor, Record, Text, Vec3, Vec4, groups, records, to_u64};
use crate::report::{Error, ErrorKind, Section};

/// A key of a bone: translation, rotation, and bytes that the format adds.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(not(doc), derive(FromBytes, Immutable, KnownLayout, Unaligned, IntoBytes))]
#[repr(C)]
pub(crate) struct Key<const REST: usize> {
    pub(super) translation: Vec3,
    pub(super) rotation: Vec4,
    rest: [u8; REST],
}

/// A scale key, and bytes that the format adds.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(not(doc), derive(FromBytes, Immutable, KnownLayout, Unaligned, IntoBytes))]
#[repr(C)]
pub(crate) struct Scale {
    pub(super) scale: Vec3,
    rest: [u8; 4],
}

/// The keys of a clip: frame after frame, in each a key for each track.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Keys<'a> {
    /// Keys of 28 bytes.
    Short(&'a [Key<0>]),
    /// Keys of 32 bytes.
    Long(&'a [Key<4>]),
    /// Rotations alone.
    Rotations(Rotations<'a>),
}

/// Frames that hold a rotation for each track, and bytes of the format before and after them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rotations<'a> {
    pub(crate) bytes: &'a [u8],
    pub(crate) starts: Starts<'a>,
    /// The offset of the first rotation in a frame.
    pub(crate) offset: usize,
    /// The ids of the animated bones; empty if the index of a track is that of its bone.
    pub(crate) ids: &'a [U16],
}

/// Where each frame begins.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Starts<'a> {
    /// At a constant distance.
    Stride(usize),
    /// In a list.
    Listed(&'a [u32]),
    /// At the end of the frame before: the function gives the size of the first frame of some bytes, from two numbers.
    Walked(fn(&[u8], [u16; 2]) -> Option<usize>, [u16; 2]),
}

impl<'a> Rotations<'a> {
    /// The rotations of each frame, one frame after the other. O(1) each.
    pub(super) fn rows(self, tracks: usize) -> impl Iterator<Item = &'a [Vec4]> {
        let mut next = 0_usize;
        (0..).map_while(move |frame| {
            let Starts::Walked(size, shape) = self.starts else { return self.frame(frame, tracks) };
            let start = next;
            next = start.checked_add(size(self.bytes.get(start..)?, shape)?)?;
            let one = Self { bytes: self.bytes.get(start..)?, starts: Starts::Stride(0), ..self };
            one.frame(0, tracks)
        })
    }

    /// The rotations of a frame.
    pub(super) fn frame(&self, frame: usize, tracks: usize) -> Option<&'a [Vec4]> {
        let start = match self.starts {
            Starts::Stride(stride) => frame.checked_mul(stride)?,
            Starts::Listed(offsets) => usize::try_from(*offsets.get(frame)?).ok()?,
            Starts::Walked(size, shape) => {
                (0..frame).try_fold(0_usize, |start, _| start.checked_add(size(self.bytes.get(start..)?, shape)?))?
            }
        };
        let bytes = self.bytes.get(start.checked_add(self.offset)?..)?;
        let taken = Cursor::new(bytes).take(u32::try_from(size_of::<Vec4>()).ok()?, u32::try_from(tracks).ok()?)?;
        Some(records(taken))
    }
}

/// One animation of a file: a transform for each track and frame, in place.
///
/// A track is the motion of one bone. `Copy`; borrows the file. [`Asset::clips`](crate::Asset::clips) gives the clips
/// of a file of any family. The values are in the space of the file, or in that of [`in_space`](Clip::in_space).
///
/// ```
/// use skelmap::{Asset, model::{Transform, Wrap}};
///
/// let bytes = std::fs::read("tests/corpus/actorx/anim/classic.psa")?;
/// let asset = Asset::parse(&bytes)?;
/// for clip in asset.clips() {
///     let mut transforms = vec![Transform::IDENTITY; clip.track_count()];
///     clip.sample(0.05, Wrap::Clamp, &mut transforms)?;
///     println!("{:?}: {:?}", clip.name(), transforms);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Clip<'a> {
    pub(super) keys: Keys<'a>,
    pub(super) scales: &'a [Scale],
    pub(super) rule: RotationRule,
    pub(super) change: Change,
    name: Option<Text<'a>>,
    skeleton: Skeleton<'a>,
    track_count: usize,
    frame_count: usize,
    rate: f64,
    /// The space of the file, and the one that was asked for.
    own_space: Option<Space>,
    asked: Option<Space>,
    /// Whether the file says its unit.
    is_measured: bool,
}

/// The parts of a transform that tracks have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Parts {
    /// Whether tracks have translations.
    pub translation: bool,
    /// Whether tracks have rotations.
    pub rotation: bool,
    /// Whether tracks have scales.
    pub scale: bool,
}

/// The description of a clip, from which a family makes it.
pub(crate) struct NewClip<'a> {
    pub(crate) name: Option<Text<'a>>,
    pub(crate) skeleton: Skeleton<'a>,
    pub(crate) tracks: usize,
    pub(crate) frames: usize,
    pub(crate) rate: f64,
    pub(crate) space: Option<Space>,
    pub(crate) rule: RotationRule,
}

impl<'a> Clip<'a> {
    pub(crate) const fn new(new: &NewClip<'a>, keys: Keys<'a>, scales: &'a [Scale]) -> Self {
        let NewClip { name, skeleton, tracks, frames, rate, space, rule } = *new;
        let (change, own_space) = (Change::NONE, space);
        let is_measured = matches!(space, Some(own) if own.metres().is_some());
        let (track_count, frame_count) = (tracks, frames);
        Self {
            keys,
            scales,
            rule,
            change,
            name,
            skeleton,
            track_count,
            frame_count,
            rate,
            own_space,
            asked: None,
            is_measured,
        }
    }

    /// The name; `None` where the format has none.
    pub const fn name(&self) -> Option<Text<'a>> {
        self.name
    }

    /// The bones that the file has for its tracks. Their bind pose is reliable in meshes only.
    pub const fn skeleton(&self) -> Skeleton<'a> {
        self.skeleton
    }

    /// Number of tracks: of transforms in a frame.
    pub const fn track_count(&self) -> usize {
        self.track_count
    }

    /// The bone that a track moves; `None` without such a track. O(1).
    pub fn bone_of(&self, track: usize) -> Option<usize> {
        match self.keys {
            Keys::Rotations(Rotations { ids: ids @ [_, ..], .. }) => ids.get(track).map(|id| id.get().into()),
            _ => (track < self.track_count).then_some(track),
        }
    }

    /// Number of frames in the file.
    pub const fn frame_count(&self) -> usize {
        self.frame_count
    }

    /// At most so many frames, spread from the first to the last.
    pub(super) fn spread_frames(&self, most: usize) -> impl ExactSizeIterator<Item = usize> + use<> {
        let (last, count) = (self.frame_count.saturating_sub(1), most.min(self.frame_count));
        // In the middle of a clip that is longer than all memory, any frame will do.
        let at = move |index| last.checked_mul(index).unwrap_or(last).checked_div(count.saturating_sub(1)).unwrap_or(0);
        (0..count).map(at)
    }

    /// Frames per second. `None` if the file has no positive number.
    pub fn rate(&self) -> Option<f64> {
        (self.rate.is_finite() && self.rate > 0.0).then_some(self.rate)
    }

    /// Frames per second as the file has them: any number.
    pub const fn stored_rate(&self) -> f64 {
        self.rate
    }

    /// Seconds of one turn of a loop: frames divided by rate. `None` without a positive rate.
    #[expect(clippy::cast_precision_loss, clippy::as_conversions, reason = "no file has 2^53 frames")]
    pub fn duration(&self) -> Option<f64> {
        Some(self.frame_count as f64 / self.rate()?)
    }

    /// What the transforms are relative to.
    pub const fn relative(&self) -> Relative {
        self.skeleton.relative()
    }

    /// The space of the values; `None` where it is not known.
    pub const fn space(&self) -> Option<Space> {
        match (self.asked, self.own_space) {
            (Some(asked), Some(own)) => Some(asked.measured_as(&own)),
            (_, own) => own,
        }
    }

    /// The parts of a transform that the tracks of this clip have. The others are those of [`Transform::IDENTITY`].
    pub const fn parts(&self) -> Parts {
        let translation = !matches!(self.keys, Keys::Rotations(_));
        let scale = !self.scales.is_empty() && self.frame_count > 0;
        Parts { translation, rotation: true, scale }
    }

    /// The same clip with so many metres in a unit, for files that do not say it. A file that says its unit keeps it.
    #[must_use]
    pub fn with_metres(self, metres: f32) -> Self {
        if self.is_measured {
            return self;
        }
        let own_space = self.own_space.map(|own| own.with_metres(metres));
        let clip = Self { own_space, ..self };
        self.asked.map_or(clip, |asked| clip.in_space(asked))
    }

    /// The same clip with its values in another space. A clip whose space is not known stays as it is. O(1).
    #[must_use]
    pub fn in_space(self, space: Space) -> Self {
        let Some(own) = self.own_space else { return self };
        let change = own.change_to(&space);
        Self { change, asked: Some(space), skeleton: self.skeleton.with_change(change), ..self }
    }

    /// The transform of a track in a frame. `None` for a frame or track that does not exist. O(1); in a file
    /// whose frames differ in length, and without an index, O(frames before).
    pub fn transform(&self, frame: usize, track: usize) -> Option<Transform> {
        self.stored(frame, track).map(|transform| self.change.transform(&transform))
    }

    /// A transform in the space of the file.
    pub(super) fn stored(&self, frame: usize, track: usize) -> Option<Transform> {
        if track >= self.track_count || frame >= self.frame_count {
            return None;
        }
        let index = frame.checked_mul(self.track_count)?.checked_add(track)?;
        let key = |translation: Vec3, rotation: Vec4| Transform::new(translation.get(), rotation.get());
        let mut transform = match self.keys {
            Keys::Short(keys) => keys.get(index).map(|own| key(own.translation, own.rotation))?,
            Keys::Long(keys) => keys.get(index).map(|own| key(own.translation, own.rotation))?,
            Keys::Rotations(rotations) => {
                let rotation = rotations.frame(frame, self.track_count)?.get(track)?.get();
                Transform { rotation, ..Transform::IDENTITY }
            }
        };
        transform.rotation = self.rule.apply(track, transform.rotation);
        if let Some(scale) = self.scales.get(index) {
            transform.scale = scale.scale.get();
        }
        Some(transform)
    }

    pub(super) const fn own_space(&self) -> Option<Space> {
        self.own_space
    }

    /// The keys of a frame, a key for each track.
    pub(super) fn row<T: Record>(&self, keys: &'a [T], frame: usize) -> &'a [T] {
        groups(keys, to_u64(frame), 1, self.track_count)
    }
}

pub(super) fn clip_error(kind: ErrorKind) -> Error {
    Error::new(kind, Section::named("clip"), 0)
}
