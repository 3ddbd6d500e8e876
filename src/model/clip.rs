//! A clip: one animation of a file, frame after frame, in place.

use alloc::vec::Vec;

use zerocopy::little_endian::U16;

use super::channel::{Between, Keys, Rows, Starts, Tracks};
use super::packed::PackedKeys;
use super::parts::Parts;
use super::skeleton::{Relative, RotationRule, Skeleton};
use super::sources::TrackSources;
use super::space::{Change, Space};
use super::transform::Transform;
use crate::bytes::{Text, Vec3, Vec4};
use crate::report::{Error, ErrorKind, Section};

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
    /// The content of the file, but for changes of its space.
    stored: NewClip<'a>,
    pub(super) keys: Keys<'a>,
    pub(super) packed: Option<PackedKeys<'a>>,
    pub(super) change: Change,
    /// The requested space.
    asked: Option<Space>,
    /// Whether the file says its unit.
    is_measured: bool,
}

/// The description from which a family makes a clip.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NewClip<'a> {
    pub(crate) name: Option<Text<'a>>,
    pub(crate) skeleton: Skeleton<'a>,
    /// The bone of each track; empty if track `i` moves bone `i`.
    pub(crate) bones: &'a [U16],
    pub(crate) tracks: usize,
    pub(crate) frames: usize,
    pub(crate) rate: f64,
    pub(crate) space: Option<Space>,
    pub(crate) rule: RotationRule,
}

impl<'a> Clip<'a> {
    pub(crate) fn new(new: &NewClip<'a>, keys: Keys<'a>) -> Self {
        let is_measured = matches!(new.space, Some(own) if own.metres().is_some());
        let packed = PackedKeys::of(&keys, new.tracks);
        Self { stored: *new, keys, packed, change: Change::NONE, asked: None, is_measured }
    }

    /// The name; `None` if the format has none.
    pub const fn name(&self) -> Option<Text<'a>> {
        self.stored.name
    }

    /// The bones that the file stores for its tracks. Their bind pose is reliable in meshes only.
    pub const fn skeleton(&self) -> Skeleton<'a> {
        self.stored.skeleton
    }

    /// Number of tracks: the transforms in a frame.
    pub const fn track_count(&self) -> usize {
        self.stored.tracks
    }

    /// The bone that a track moves; `None` if the track does not exist. O(1).
    pub fn bone_of(&self, track: usize) -> Option<usize> {
        match self.stored.bones {
            [] => (track < self.track_count()).then_some(track),
            bones => bones.get(track).map(|bone| bone.get().into()),
        }
    }

    /// Number of frames in the file.
    pub const fn frame_count(&self) -> usize {
        self.stored.frames
    }

    /// At most `most` frames, spread from the first to the last.
    pub fn spread_frames(&self, most: usize) -> impl ExactSizeIterator<Item = usize> + use<> {
        let (last, count) = (self.frame_count().saturating_sub(1), most.min(self.frame_count()));
        // In a clip longer than memory, any frame in the middle will do.
        let at = move |index| last.checked_mul(index).unwrap_or(last).checked_div(count.saturating_sub(1)).unwrap_or(0);
        (0..count).map(at)
    }

    /// Frames per second; `None` if the stored number is not positive.
    pub fn rate(&self) -> Option<f64> {
        Some(self.stored.rate).filter(|rate| rate.is_finite() && *rate > 0.0)
    }

    /// Frames per second as stored: any number.
    pub const fn stored_rate(&self) -> f64 {
        self.stored.rate
    }

    /// Length of one loop in seconds: frames divided by rate. `None` without a positive rate.
    #[expect(clippy::cast_precision_loss, clippy::as_conversions, reason = "no file has 2^53 frames")]
    pub fn duration(&self) -> Option<f64> {
        Some(self.frame_count() as f64 / self.rate()?)
    }

    /// The reference of the transforms.
    pub const fn relative(&self) -> Relative {
        self.stored.skeleton.relative()
    }

    /// The space of the values; `None` if it is not known.
    pub const fn space(&self) -> Option<Space> {
        match (self.asked, self.stored.space) {
            (Some(asked), Some(own)) => Some(asked.measured_as(&own)),
            (_, own) => own,
        }
    }

    /// The parts that the tracks of this clip have. The others are those of [`Transform::IDENTITY`].
    pub const fn parts(&self) -> Parts {
        match &self.keys {
            Keys::Tracks(Tracks { parts, .. }) => Parts { scale: parts.scale && self.frame_count() > 0, ..*parts },
            Keys::Rows(Rows { translations, rotations, scales }) => {
                let scale = matches!(scales, Some(scales) if !scales.is_empty()) && self.frame_count() > 0;
                Parts { translation: translations.is_some(), rotation: rotations.is_some(), scale }
            }
        }
    }

    /// This clip with a unit of `metres`, for files that do not state their unit. A file that states it keeps it.
    #[must_use]
    pub fn with_metres(self, metres: f32) -> Self {
        if self.is_measured {
            return self;
        }
        let space = self.stored.space.map(|own| own.with_metres(metres));
        let clip = Self { stored: NewClip { space, ..self.stored }, ..self };
        self.asked.map_or(clip, |asked| clip.in_space(asked))
    }

    /// This clip with its values in another space. A clip with an unknown space is not changed. O(1).
    #[must_use]
    pub fn in_space(self, space: Space) -> Self {
        let Some(own) = self.stored.space else { return self };
        let change = own.change_to(&space);
        let skeleton = self.stored.skeleton.with_change(change);
        Self { stored: NewClip { skeleton, ..self.stored }, change, asked: Some(space), ..self }
    }

    /// The transform of a track in a frame; `None` if either does not exist. O(1); with sparse keys O(log keys). In a file with
    /// frames or tracks of different lengths and without an index, also O(frames or tracks before).
    pub fn transform(&self, frame: usize, track: usize) -> Option<Transform> {
        self.stored(frame, track).map(|transform| self.change.transform(&transform))
    }

    /// A transform in the space of the file.
    pub(super) fn stored(&self, frame: usize, track: usize) -> Option<Transform> {
        if track >= self.track_count() || frame >= self.frame_count() {
            return None;
        }
        let mut transform = match &self.keys {
            Keys::Rows(rows) => rows.get(frame, track)?,
            Keys::Tracks(tracks) => tracks.transform(&tracks.get(track), frame),
        };
        transform.rotation = self.rule().apply(track, transform.rotation);
        Some(transform)
    }

    /// The offsets of the tracks, where a file has them one after the other; else empty. O(tracks). For [`listed`](Self::listed).
    #[doc(hidden)] // For the crates that read track after track.
    pub fn to_starts(&self) -> Vec<u32> {
        match self.keys {
            Keys::Tracks(tracks) => tracks.to_starts(self.track_count()),
            Keys::Rows(_) => Vec::new(),
        }
    }

    /// This clip with access by the index of a track in O(1), by the offsets that [`to_starts`](Self::to_starts) gives. Without offsets, the
    /// clip as it is.
    #[doc(hidden)]
    #[must_use]
    pub fn listed<'b>(&self, starts: &'b [u32]) -> Clip<'b>
    where
        'a: 'b,
    {
        match self.keys {
            Keys::Tracks(tracks) if starts.len() == self.track_count() => {
                Clip { keys: Keys::Tracks(Tracks { starts: Starts::Listed(starts), ..tracks }), ..*self }
            }
            _ => *self,
        }
    }

    /// Whether each track has channels of its own.
    #[doc(hidden)] // For the writer of glTF.
    pub const fn has_channels(&self) -> bool {
        matches!(self.keys, Keys::Tracks(_))
    }

    /// Whether a value is held from one key to the next.
    #[doc(hidden)] // For the writer of glTF.
    pub const fn is_held(&self) -> bool {
        matches!(self.keys, Keys::Tracks(Tracks { between: Between::Hold, .. }))
    }

    /// The number of keys: one for each track and frame, or those that are stored if each track has a channel of its own. O(tracks).
    #[doc(hidden)] // For the crates that write keys.
    pub fn key_count(&self) -> usize {
        let Keys::Tracks(tracks) = self.keys else { return self.frame_count().saturating_mul(self.track_count()) };
        tracks.all().take(self.track_count()).fold(0_usize, |sum, own| {
            [own.translation.len(), own.rotation.len(), own.scale.len()].into_iter().fold(sum, usize::saturating_add)
        })
    }

    /// Whether there are far more transforms in all frames than the file has keys: sparse keys do not limit the number of frames. More than `few`,
    /// and more than 64 for each key. O(tracks).
    #[doc(hidden)] // For the crates that write all frames.
    pub fn is_inflated(&self, few: usize) -> bool {
        const FOR_EACH: usize = 64;
        let all = self.frame_count().saturating_mul(self.track_count());
        all > few && all > self.key_count().saturating_mul(FOR_EACH)
    }

    /// Whether a condition holds for the translations of a track in all frames, in the space of the file. O(frames), with sparse keys O(keys).
    pub(super) fn all_translations(&self, track: usize, mut holds: impl FnMut([f32; 3]) -> bool) -> bool {
        match &self.keys {
            Keys::Rows(_) => {
                let mut frames = (0..self.frame_count()).filter_map(|frame| self.stored(frame, track));
                frames.all(|own| holds(own.translation))
            }
            Keys::Tracks(tracks) => {
                let own = tracks.get(track).translation;
                let mut values = own.used(self.frame_count(), tracks.between);
                if own.values.is_empty() { holds([0.0; 3]) } else { values.all(|value| holds(value.get())) }
            }
        }
    }

    /// For keys by track, whether all keys of a track that affect a frame have the bits of the first, and their number; `None` for keys by
    /// frame. O(keys).
    pub(super) fn is_constant(&self, track: usize) -> Option<(bool, usize)> {
        let Keys::Tracks(tracks) = &self.keys else { return None };
        let (own, frames, between) = (tracks.get(track), self.frame_count(), tracks.between);
        let translation = all_equal(own.translation.used(frames, between).map(Vec3::get));
        let rotation = all_equal(own.rotation.used(frames, between).map(Vec4::get));
        let scale = all_equal(own.scale.used(frames, between).map(Vec3::get));
        let count = own.translation.values.len().saturating_add(own.rotation.values.len());
        let is_still = [translation, rotation, scale].into_iter().flatten().all(|is_same| is_same);
        Some((is_still, count.saturating_add(own.scale.values.len())))
    }

    /// The parts that each track lacks and takes from the bind pose; empty if all tracks have the same parts.
    #[doc(hidden)] // For the crate that compares the lengths of bones.
    pub fn missing(&self) -> impl Iterator<Item = TrackSources> + use<'a> {
        let tracks = match self.keys {
            Keys::Tracks(tracks) => Some(tracks),
            Keys::Rows(_) => None,
        };
        tracks.into_iter().flat_map(Tracks::all).take(self.track_count()).map(|channels| channels.missing())
    }

    pub(super) const fn rule(&self) -> RotationRule {
        self.stored.rule
    }

    pub(super) const fn own_space(&self) -> Option<Space> {
        self.stored.space
    }
}

/// Whether all values equal the first; `None` without a value.
fn all_equal<const N: usize>(mut values: impl Iterator<Item = [f32; N]>) -> Option<bool> {
    let first = values.next()?;
    Some(values.all(|own| own == first))
}

pub(super) fn clip_error(kind: ErrorKind) -> Error {
    Error::new(kind, Section::named("clip"), 0)
}
