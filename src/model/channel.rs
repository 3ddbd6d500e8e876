//! The keys of clips, as columns of the file: all tracks frame after frame, or track after track.

use alloc::vec::Vec;
use core::marker::PhantomData;

use zerocopy::IntoBytes as _;
use zerocopy::little_endian::I32;

use super::parts::Parts;
use super::sources::{Source, TrackSources};
use super::transform::Transform;
use crate::bytes::{Column, Marks, Record, Track, Vec3, Vec4};

/// The keys of a clip.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Keys<'a> {
    /// Frame after frame, with a key for each track.
    Rows(Rows<'a>),
    /// Track after track, each with its own keys.
    Tracks(Tracks<'a>),
}

/// The offsets of the rows or tracks of a clip.
///
/// If rows differ in length, the layout of a file stores a list of offsets ([`Listed`](Starts::Listed)). A view over borrowed
/// bytes cannot store a list: there, each row says where the next one begins ([`Chained`](Starts::Chained)). Iteration then
/// costs O(1) for each row, access by index O(rows before).
#[derive(Clone, Copy, Debug)]
pub(crate) enum Starts<'a> {
    /// At a constant distance.
    Stride(usize),
    /// At these offsets.
    Listed(&'a [u32]),
    /// One after the other: the family's function returns the size of the first one in some bytes; the family defines the
    /// number.
    Chained(fn(&[u8], u64) -> Option<usize>, u64),
}

impl<'a> Starts<'a> {
    /// Whether access by index walks over all rows before.
    pub(super) const fn is_chained(&self) -> bool {
        matches!(self, Self::Chained(..))
    }

    /// The offset of a row.
    #[inline]
    fn find(&self, bytes: &[u8], row: usize) -> Option<usize> {
        match *self {
            Self::Stride(stride) => row.checked_mul(stride),
            Self::Listed(offsets) => usize::try_from(*offsets.get(row)?).ok(),
            Self::Chained(..) => self.all(bytes).nth(row),
        }
    }

    /// The offsets of all rows, until the bytes or the list end. O(1) each.
    fn all(self, bytes: &[u8]) -> impl Iterator<Item = usize> + use<'a, '_> {
        let mut start = 0_usize;
        (0_usize..).map_while(move |row| {
            let Self::Chained(size, number) = self else { return self.find(bytes, row) };
            if row > 0 {
                // A row without bytes would be followed by itself forever.
                start = start.checked_add(size(bytes.get(start..)?, number).filter(|size| *size > 0)?)?;
            }
            Some(start)
        })
    }
}

/// One part of the transforms of all tracks, frame after frame: a row has a value for each track, at a constant distance.
#[derive(Debug)]
pub(crate) struct Grid<'a, T> {
    bytes: &'a [u8],
    starts: Starts<'a>,
    /// Bytes of a row before its keys, the distance between keys, and the offset of the value in a key.
    lead: usize,
    stride: usize,
    offset: usize,
    value: PhantomData<&'a T>,
}

impl<T> Clone for Grid<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Grid<'_, T> {}

impl<'a, T: Record> Grid<'a, T> {
    /// The field at an offset of adjacent records. The caller checks that the field lies in the record.
    pub(crate) fn of_records<R: Record>(records: &'a [R], tracks: usize, offset: usize) -> Self {
        let stride = size_of::<R>();
        let starts = Starts::Stride(tracks.saturating_mul(stride));
        Self { bytes: records.as_bytes(), starts, lead: 0, stride, offset, value: PhantomData }
    }

    /// Adjacent values, after `lead` bytes of each row.
    pub(crate) const fn of_rows(bytes: &'a [u8], starts: Starts<'a>, lead: usize) -> Self {
        Self { bytes, starts, lead, stride: size_of::<T>(), offset: 0, value: PhantomData }
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Whether access by index walks over all frames before.
    pub(super) const fn is_chained(&self) -> bool {
        self.starts.is_chained()
    }

    /// The bytes of all keys, if they have this offset and distance, and nothing lies between them.
    pub(super) fn packed(&self, offset: usize, stride: usize, tracks: usize) -> Option<&'a [u8]> {
        let Starts::Stride(distance) = self.starts else { return None };
        let is_dense = self.lead == 0 && tracks.checked_mul(self.stride) == Some(distance);
        (is_dense && (self.offset, self.stride) == (offset, stride)).then_some(self.bytes)
    }

    #[inline]
    fn row_at(&self, start: usize, tracks: usize) -> Option<Column<'a, T>> {
        let keys = self.bytes.get(start.checked_add(self.lead)?..)?.get(..tracks.checked_mul(self.stride)?)?;
        Some(Column::of_whole(keys, self.offset, self.stride))
    }

    /// The values of a frame; empty for a frame that does not exist.
    #[inline]
    pub(super) fn row(&self, frame: usize, tracks: usize) -> Column<'a, T> {
        let row = self.starts.find(self.bytes, frame).and_then(|start| self.row_at(start, tracks));
        row.unwrap_or_default()
    }

    /// The values of each frame, one frame after the other.
    pub(super) fn rows(self, tracks: usize) -> impl Iterator<Item = Column<'a, T>> {
        self.starts.all(self.bytes).map_while(move |start| self.row_at(start, tracks))
    }

    /// The value of a track in a frame.
    #[inline]
    fn get(&self, frame: usize, track: usize) -> Option<&'a T> {
        let start = self.starts.find(self.bytes, frame)?.checked_add(self.lead)?;
        let start = start.checked_add(track.checked_mul(self.stride)?)?.checked_add(self.offset)?;
        T::ref_from_prefix(self.bytes.get(start..)?).ok().map(|(value, _)| value)
    }

    /// The values of a track from a frame on; `None` if frames have no constant distance.
    pub(super) fn track(&self, track: usize, frame: usize) -> Option<Track<'a, T>> {
        let Starts::Stride(stride) = self.starts else { return None };
        let offset = track.checked_mul(self.stride)?.checked_add(self.lead)?.checked_add(self.offset)?;
        let bytes = self.bytes.get(frame.checked_mul(stride)?..)?;
        Some(Column::new(bytes, offset, stride).iter())
    }
}

/// The keys of all tracks, frame after frame. A part that the format does not have is `None`.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Rows<'a> {
    pub(crate) translations: Option<Grid<'a, Vec3>>,
    pub(crate) rotations: Option<Grid<'a, Vec4>>,
    pub(crate) scales: Option<Grid<'a, Vec3>>,
}

impl Rows<'_> {
    /// The key of a track in a frame; `None` if its translation or rotation is missing and others have one.
    pub(super) fn get(&self, frame: usize, track: usize) -> Option<Transform> {
        let mut key = Transform::IDENTITY;
        if let Some(translations) = &self.translations {
            key.translation = translations.get(frame, track)?.get();
        }
        if let Some(rotations) = &self.rotations {
            key.rotation = rotations.get(frame, track)?.get();
        }
        if let Some(scale) = self.scales.as_ref().and_then(|scales| scales.get(frame, track)) {
            key.scale = scale.get();
        }
        Some(key)
    }
}

/// Tracks one after the other, each with its own channels.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tracks<'a> {
    /// The bytes of the tracks, and their offsets.
    pub(crate) bytes: &'a [u8],
    pub(crate) starts: Starts<'a>,
    /// Marks in tracks that lie one after the other.
    pub(crate) marks: Marks,
    /// Finds the channels of the track at the start of the bytes. The number is the family's, such as the version of the file.
    pub(crate) read: for<'b> fn(&'b [u8], u64) -> Option<Channels<'b>>,
    pub(crate) number: u64,
    /// The values between two keys.
    pub(crate) between: Between,
    /// The parts that at least one track has.
    pub(crate) parts: Parts,
}

impl<'a> Tracks<'a> {
    /// The channels of a track; empty for a track that does not exist.
    pub(super) fn get(&self, track: usize) -> Channels<'a> {
        self.start_of(track).map(|start| self.read_at(start)).unwrap_or_default()
    }

    /// The offsets of the first tracks, if they lie one after the other; else, and for offsets beyond 32 bits, nothing. O(tracks).
    pub(super) fn to_starts(self, tracks: usize) -> Vec<u32> {
        if !self.starts.is_chained() {
            return Vec::new();
        }
        self.starts.all(self.bytes).take(tracks).map_while(|start| u32::try_from(start).ok()).collect()
    }

    fn start_of(&self, track: usize) -> Option<usize> {
        let (Starts::Chained(..), (marked, mark)) = (self.starts, self.marks.before(track)) else {
            return self.starts.find(self.bytes, track);
        };
        let left = track.saturating_sub(marked);
        self.starts.all(self.bytes.get(mark..)?).nth(left)?.checked_add(mark)
    }

    /// The channels of all tracks in their order.
    pub(super) fn all(self) -> impl Iterator<Item = Channels<'a>> {
        self.starts.all(self.bytes).map(move |start| self.read_at(start))
    }

    fn read_at(&self, start: usize) -> Channels<'a> {
        self.bytes.get(start..).and_then(|bytes| (self.read)(bytes, self.number)).unwrap_or_default()
    }
}

/// The value of a sparse channel between two of its keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Between {
    /// The value of the key before. A blend reaches from the last frame before a key to the key.
    Hold,
    /// Interpolated between both keys.
    Blend,
}

/// The frame numbers of sparse keys, ascending.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frames<'a>(pub(crate) Column<'a, I32>);

impl Frames<'_> {
    fn get(&self, key: usize) -> Option<i64> {
        self.0.get(key).map(|frame| frame.get().into())
    }

    /// The number of keys in or before a frame. O(log keys). Arbitrary if the frames do not ascend.
    fn count_to(&self, frame: i64, keys: usize) -> usize {
        let (mut low, mut high) = (0, keys);
        while low < high {
            let middle = low.midpoint(high);
            if self.get(middle).is_some_and(|own| own <= frame) {
                low = middle.saturating_add(1);
            } else {
                high = middle;
            }
        }
        low
    }
}

/// The keys of one part of a track: a strided column and, for sparse keys, the frame of each.
#[derive(Debug)]
pub(crate) struct Channel<'a, T> {
    /// Empty for a track without this part.
    pub(crate) values: Column<'a, T>,
    /// `None` if every frame has a key.
    pub(crate) frames: Option<Frames<'a>>,
}

impl<T> Clone for Channel<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Channel<'_, T> {}

impl<T: Record> Default for Channel<'_, T> {
    fn default() -> Self {
        Self { values: Column::default(), frames: None }
    }
}

impl<'a, T: Record> Channel<'a, T> {
    /// The keys around a frame and the weight of the second. Before the first key and after the last, that key is used. `None`
    /// without keys.
    pub(super) fn around(&self, frame: usize, between: Between) -> Option<(&'a T, &'a T, f32)> {
        let last = self.values.len().checked_sub(1)?;
        let Some(frames) = &self.frames else {
            let own = self.values.get(frame.min(last))?;
            return Some((own, own, 0.0));
        };
        let frame = i64::try_from(frame).unwrap_or(i64::MAX);
        let after = frames.count_to(frame, self.values.len());
        let before = after.saturating_sub(1);
        let own = self.values.get(before)?;
        // Before the first key, both keys are the same; after the last, there is no second one.
        let blended =
            || Some((own, self.values.get(after)?, weight_of(frame, frames.get(before)?, frames.get(after)?)?));
        Some(if between == Between::Blend { blended() } else { None }.unwrap_or((own, own, 0.0)))
    }

    /// The number of keys.
    pub(super) fn len(&self) -> usize {
        self.values.len()
    }

    /// The frames of a clip at which a linear blend of neighbours bends: where a value begins to be held, and the frame before a change. `None`
    /// if every frame has a key. O(keys).
    pub(super) fn add_bends(&self, frames: usize, out: &mut Vec<u32>) -> Option<()> {
        let Some(own) = &self.frames else {
            // The last key is held.
            let keys = u32::try_from(self.len()).ok().filter(|_| self.len() < frames)?;
            out.extend(0..keys);
            return Some(());
        };
        for key in 0..self.values.len() {
            let Some(frame) = own.get(key).and_then(|frame| u32::try_from(frame).ok()) else { continue };
            if usize::try_from(frame).is_ok_and(|frame| frame < frames) {
                out.extend(frame.checked_sub(1));
                out.push(frame);
            }
        }
        Some(())
    }

    /// The values that affect the first `frames` frames.
    pub(super) fn used(&self, frames: usize, between: Between) -> impl Iterator<Item = &'a T> + use<'a, T> {
        let last = i64::try_from(frames.saturating_sub(1)).unwrap_or(i64::MAX);
        let count = |to| self.frames.as_ref().map_or(frames, |own| own.count_to(to, self.values.len()));
        // A blend comes near to the key after the last frame.
        let after = usize::from(self.frames.is_some() && (between == Between::Blend || count(last) == 0));
        let (first, end) = (count(0).saturating_sub(1), count(last).saturating_add(after));
        let first = if self.frames.is_some() { first } else { 0 };
        self.values.iter().take(end).skip(first)
    }
}

/// The weight of the second key in a frame between two; `None` if both have the same frame.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::as_conversions,
    reason = "differences of 32 bits are exact in `f64`"
)]
fn weight_of(frame: i64, before: i64, after: i64) -> Option<f32> {
    let [at, length] = [frame, after].map(|own| own.saturating_sub(before) as f64);
    (length > 0.0).then_some((at / length) as f32)
}

/// The channels of a track.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Channels<'a> {
    pub(crate) translation: Channel<'a, Vec3>,
    pub(crate) rotation: Channel<'a, Vec4>,
    pub(crate) scale: Channel<'a, Vec3>,
}

impl Channels<'_> {
    /// The parts that come from the bind pose because the track has no key for them.
    pub(super) fn missing(&self) -> TrackSources {
        let source = |is_missing| if is_missing { Source::Mesh } else { Source::Animation };
        TrackSources {
            translation: source(self.translation.values.is_empty()),
            rotation: source(self.rotation.values.is_empty()),
            scale: source(self.scale.values.is_empty()),
        }
    }
}

#[cfg(test)]
mod tests {
    use allocation_counter::measure;

    use super::*;
    use crate::Asset;
    use crate::bytes::Cursor;
    use crate::model::maths::conjugated;
    use crate::model::skeleton::{BoneChain, ChainedBone};
    use crate::model::{
        Binding, Clip, Distances, NewClip, Part, Relative, RotationRule, Skeleton, Space, Wrap, check_motion,
        still_tracks,
    };
    use crate::report::{Report, Section, SectionStart};
    use zerocopy::little_endian::U16;

    /// A file of a fictitious family: each track has a name, then the keys of each part: their number, then a frame with each.
    #[derive(Default)]
    struct File {
        bytes: Vec<u8>,
        starts: Vec<u32>,
    }

    type Vectors<'k, const N: usize> = &'k [(i32, [f32; N])];

    impl File {
        fn track(mut self, name: &str, translations: Vectors<'_, 3>, rotations: Vectors<'_, 4>) -> Self {
            self.starts.push(u32::try_from(self.bytes.len()).unwrap());
            self.bytes.push(u8::try_from(name.len()).unwrap());
            self.bytes.extend(name.bytes());
            self.keys(translations);
            self.keys(rotations);
            self
        }

        fn keys<const N: usize>(&mut self, keys: Vectors<'_, N>) {
            self.bytes.push(u8::try_from(keys.len()).unwrap());
            for (frame, values) in keys {
                self.bytes.extend(frame.to_le_bytes());
                self.bytes.extend(values.iter().flat_map(|value| value.to_le_bytes()));
            }
        }

        fn clip<'a>(&'a self, starts: Starts<'a>, between: Between, skeleton: Skeleton<'a>, frames: usize) -> Clip<'a> {
            let tracks = self.starts.len();
            let (rule, space) = (RotationRule::ConjugatedFrom(1), Some(Space::ACTORX));
            let new = NewClip { name: None, skeleton, bones: &[], tracks, frames, rate: 10.0, space, rule };
            let parts = Parts { translation: true, rotation: true, scale: false };
            Clip::new(
                &new,
                Keys::Tracks(Tracks {
                    bytes: &self.bytes,
                    starts,
                    marks: Marks::default(),
                    read,
                    number: 7,
                    between,
                    parts,
                }),
            )
        }
    }

    const CHAINED: Starts<'_> = Starts::Chained(|bytes, _| Some(find(bytes)?.1), 0);

    fn read(bytes: &[u8], number: u64) -> Option<Channels<'_>> {
        assert_eq!(number, 7, "the number that the clip was made with");
        find(bytes).map(|(channels, _)| channels)
    }

    fn find(bytes: &[u8]) -> Option<(Channels<'_>, usize)> {
        let mut cursor = Cursor::new(bytes);
        let name = *cursor.read::<u8>()?;
        cursor.take(1, name.into())?;
        let (translation, rotation) = (channel(&mut cursor)?, channel(&mut cursor)?);
        Some((Channels { translation, rotation, scale: Channel::default() }, cursor.position()))
    }

    fn channel<'a, T: Record>(cursor: &mut Cursor<'a>) -> Option<Channel<'a, T>> {
        let (count, size) = (*cursor.read::<u8>()?, size_of::<T>() + 4);
        let keys = cursor.take(u32::try_from(size).ok()?, count.into())?;
        Some(Channel { values: Column::new(keys, 4, size), frames: Some(Frames(Column::new(keys, 0, size))) })
    }

    const QUARTER: [f32; 4] = [0.0, 0.0, std::f32::consts::FRAC_1_SQRT_2, std::f32::consts::FRAC_1_SQRT_2];
    const REST: [f32; 4] = [0.0, 0.0, 0.0, 1.0];

    /// Four tracks: one that moves twice, one whose first key is late, one with rotations alone, one without a key.
    fn file() -> File {
        File::default()
            .track("root", &[(0, [1.0; 3]), (4, [5.0; 3]), (7, [2.0; 3])], &[(0, REST), (8, QUARTER)])
            .track("spine", &[(3, [3.0; 3])], &[(2, QUARTER)])
            .track("head", &[], &[(0, QUARTER)])
            .track("", &[], &[])
    }

    fn along_x(clip: &Clip<'_>, track: usize) -> Vec<f32> {
        (0..clip.frame_count()).map(|frame| clip.transform(frame, track).unwrap().translation[0]).collect()
    }

    #[test]
    fn between_sparse_keys_a_track_holds_its_value_or_blends() {
        let (file, skeleton) = (file(), Skeleton::of_count(4, Relative::Parent));
        let hold = file.clip(CHAINED, Between::Hold, skeleton, 9);
        assert_eq!(along_x(&hold, 0), [1.0, 1.0, 1.0, 1.0, 5.0, 5.0, 5.0, 2.0, 2.0]);
        let blend = file.clip(CHAINED, Between::Blend, skeleton, 9);
        assert_eq!(along_x(&blend, 0), [1.0, 2.0, 3.0, 4.0, 5.0, 4.0, 3.0, 2.0, 2.0]);
        assert_eq!(
            (along_x(&hold, 1), along_x(&hold, 2), along_x(&hold, 3)),
            (vec![3.0; 9], vec![0.0; 9], vec![0.0; 9])
        );
        for clip in [hold, blend] {
            assert_eq!(clip.transform(0, 1).unwrap().rotation, conjugated(QUARTER), "of a later bone");
            assert_eq!(clip.transform(8, 0).unwrap().rotation, QUARTER);
            assert_eq!(clip.transform(3, 3), Some(Transform::IDENTITY), "no key");
            assert_eq!((clip.transform(9, 0), clip.transform(0, 4)), (None, None));
        }
        assert_eq!(hold.transform(7, 0).unwrap().rotation, REST);
        let half = blend.transform(4, 0).unwrap().rotation;
        let angle = std::f32::consts::FRAC_PI_8;
        assert!(
            (half[2] - angle.sin()).abs() < 1e-6 && (half[3] - angle.cos()).abs() < 1e-6,
            "halfway on the arc: {half:?}"
        );
    }

    #[test]
    fn a_position_between_frames_blends_what_the_two_frames_have() {
        let (file, skeleton) = (file(), Skeleton::of_count(4, Relative::Parent));
        let mut out = [Transform::IDENTITY; 4];
        let mut at = |clip: &Clip<'_>, position: f64, wrap| {
            clip.sample_frame(position, wrap, &mut out).unwrap();
            out[0].translation[0]
        };
        let hold = file.clip(CHAINED, Between::Hold, skeleton, 9);
        assert_eq!([2.5, 3.5, 4.5].map(|position| at(&hold, position, Wrap::Clamp)), [1.0, 3.0, 5.0]);
        assert_eq!(at(&hold, 8.5, Wrap::Loop), 1.5, "the last frame blends into the first");
        let blend = file.clip(CHAINED, Between::Blend, skeleton, 9);
        assert_eq!([2.5, 3.5, 4.5].map(|position| at(&blend, position, Wrap::Clamp)), [3.5, 4.5, 4.5]);
    }

    #[test]
    fn tracks_are_found_alike_in_a_chain_and_by_a_list_and_nothing_is_allocated() {
        let (file, skeleton) = (file(), Skeleton::of_count(4, Relative::Parent));
        let clips =
            [CHAINED, Starts::Listed(&file.starts)].map(|starts| file.clip(starts, Between::Blend, skeleton, 9));
        let mut poses = [[Transform::default(); 4]; 2];
        let info = measure(|| {
            for (clip, pose) in clips.iter().zip(&mut poses) {
                clip.sample_frame(5.25, Wrap::Clamp, pose).unwrap();
            }
        });
        assert_eq!((poses[0], info.count_total), (poses[1], 0));
        assert_eq!(clips.map(|clip| clip.block()), [9, 256], "a chain is walked once for all frames");
    }

    #[test]
    fn what_a_track_does_not_have_comes_from_the_bind_pose() {
        let bytes = std::fs::read("tests/corpus/actorx/mesh/classic.psk").unwrap();
        let mesh = Asset::parse(&bytes).unwrap().mesh().unwrap();
        let file = file();
        let clip = file.clip(CHAINED, Between::Hold, mesh.skeleton(), 9);
        let binding = Binding::new(&mesh, &clip);
        let mut pose = [Transform::IDENTITY; 4];
        binding.sample_frame(&clip, 4.0, Wrap::Clamp, &mut pose).unwrap();
        let bind: Vec<_> = (0..4).map(|bone| mesh.skeleton().rest(bone)).collect();
        assert_eq!([pose[0].translation, pose[1].translation], [[5.0; 3], [3.0; 3]]);
        assert_eq!((pose[2].translation, pose[3]), (bind[2].translation, bind[3]));
        let near = |one: [f32; 4], other: [f32; 4]| one.iter().zip(other).all(|(a, b)| (a - b).abs() < 1e-6);
        assert!(near(pose[2].rotation, conjugated(QUARTER)));
        assert_eq!(binding.with_sources(&[]).sources_of(2).map(|own| own.translation), Some(Source::Mesh));
        let moved = |bone| Binding::new(&mesh, &clip).transform(&clip, 4, bone).unwrap();
        assert!((0..3).all(|bone| near(moved(bone).rotation, pose[bone].rotation)));
        assert!((0..4).all(|bone| moved(bone).translation == pose[bone].translation));
    }

    #[test]
    fn all_ways_to_read_a_part_give_the_values_of_the_frames() {
        let (file, skeleton) = (file(), Skeleton::of_count(4, Relative::Parent));
        for between in [Between::Hold, Between::Blend] {
            let clip = file.clip(CHAINED, between, skeleton, 7);
            let (binding, mut values) = (Binding::of_clip(&clip), Vec::new());
            for part in Part::ALL {
                values.clear();
                binding.read_part(&clip, part, 0, 1..6, &mut values).unwrap();
                let expected: Vec<_> = (1..6).map(|frame| part.of(&clip.transform(frame, 0).unwrap())).collect();
                assert_eq!(values, expected);
            }
            let moving = clip.to_moving_parts(0.0);
            assert_eq!(moving, [[true, between == Between::Blend, false], [false; 3], [false; 3], [false; 3]]);
            assert_eq!(
                still_tracks([clip].into_iter()),
                Some(moving.iter().map(|parts| *parts == [false; 3]).collect())
            );
        }
    }

    #[test]
    fn a_frame_outside_of_the_keys_has_the_value_of_the_nearest_key() {
        let frames: Vec<u8> = [2_i32, 6].iter().flat_map(|frame| frame.to_le_bytes()).collect();
        let values = [1.0, 3.0].map(|value| Vec3::new([value; 3]));
        let channel: Channel<'_, Vec3> =
            Channel { values: Column::of_records(&values, 0), frames: Some(Frames(Column::new(&frames, 0, 4))) };
        let around = |between| {
            [0, 1, 2, 3, 6, 9].map(|frame| {
                let (before, after, weight) = channel.around(frame, between).unwrap();
                if weight == 0.0 {
                    (before.get()[0], before.get()[0], weight)
                } else {
                    (before.get()[0], after.get()[0], weight)
                }
            })
        };
        let [first, last] = [(1.0, 1.0, 0.0), (3.0, 3.0, 0.0)];
        assert_eq!(around(Between::Blend), [first, first, first, (1.0, 3.0, 0.25), last, last]);
        assert_eq!(around(Between::Hold), [first, first, first, first, last, last]);
    }

    #[test]
    fn a_row_without_bytes_is_the_last_of_a_chain() {
        let found =
            |size: fn(&[u8], u64) -> Option<usize>| Starts::Chained(size, 0).all(&[0; 8]).take(9).collect::<Vec<_>>();
        assert_eq!(found(|_, _| Some(0)), [0]);
        assert_eq!(found(|bytes, _| Some(if bytes.len() > 4 { 3 } else { 0 })), [0, 3, 6]);
        assert_eq!(found(|_, _| None), [0]);
    }

    #[test]
    fn keys_are_packed_if_nothing_lies_between_them() {
        let bytes = [0; 128];
        let (lead, stride, offset) = (0, 32, 12);
        let grid: Grid<'_, Vec4> =
            Grid { bytes: &bytes, starts: Starts::Stride(64), lead, stride, offset, value: PhantomData };
        let packed = |grid: &Grid<'_, Vec4>| grid.packed(12, 32, 2).map(<[u8]>::len);
        assert_eq!(packed(&grid), Some(128));
        for other in [
            Grid { lead: 4, ..grid },
            Grid { starts: Starts::Stride(68), ..grid },
            Grid { starts: Starts::Stride(68), lead: 4, ..grid },
            Grid { starts: Starts::Stride(56), stride: 28, ..grid },
            Grid { offset: 0, ..grid },
            Grid { starts: Starts::Listed(&[0, 64]), ..grid },
        ] {
            assert_eq!(packed(&other), None, "{:?}", other.starts);
        }
    }

    #[test]
    fn the_values_of_a_track_lie_at_the_distance_of_the_frames() {
        let values = [0.0, 1.0, 2.0, 3.0, 4.0, 5.0].map(|value| Vec3::new([value; 3]));
        let grid: Grid<'_, Vec3> = Grid::of_records(&values, 2, 0);
        let track =
            |track, frame| grid.track(track, frame).map(|own| own.map(|value| value.get()[0]).collect::<Vec<_>>());
        assert_eq!([track(0, 0), track(1, 0)], [Some(vec![0.0, 2.0, 4.0]), Some(vec![1.0, 3.0, 5.0])]);
        assert_eq!([track(1, 2), track(1, 3), track(1, 4)], [Some(vec![5.0]), Some(Vec::new()), None]);
        assert!(Grid { starts: Starts::Listed(&[0, 24, 48]), ..grid }.track(0, 0).is_none());
    }

    #[test]
    fn a_clip_has_distances_if_each_track_has_places_in_the_model() {
        let is_measured = |file: &File, relative, frames| {
            let skeleton = Skeleton::of_count(2, relative);
            Distances::of_clip(&file.clip(CHAINED, Between::Hold, skeleton, frames)).is_some()
        };
        let first = || File::default().track("one", &[(0, [0.0; 3])], &[]);
        let both = first().track("other", &[(0, [3.0, 4.0, 0.0])], &[]);
        assert!(is_measured(&both, Relative::Model, 1));
        assert!(!is_measured(&both, Relative::Model, 0), "no frame");
        assert!(!is_measured(&both, Relative::Parent, 1) && !is_measured(&both, Relative::Unknown, 1));
        assert!(!is_measured(&first().track("other", &[], &[(0, QUARTER)]), Relative::Model, 1));
        // Frames of rotations alone.
        let row = [Vec4::new(REST); 2];
        let rotations = Some(Grid::of_records(&row, 2, 0));
        let clip = of_rows(Rows { rotations, ..Rows::default() }, &[], Skeleton::of_count(2, Relative::Model));
        assert!(Distances::of_clip(&clip).is_none());
    }

    /// A clip of one frame of two tracks, which move these bones.
    fn of_rows<'a>(rows: Rows<'a>, bones: &'a [U16], skeleton: Skeleton<'a>) -> Clip<'a> {
        let (rate, space, rule) = (10.0, None, RotationRule::AsStored);
        Clip::new(&NewClip { name: None, skeleton, bones, tracks: 2, frames: 1, rate, space, rule }, Keys::Rows(rows))
    }

    #[test]
    fn a_bone_that_the_skeleton_does_not_have_makes_a_node_of_each_track() {
        for (count, bones, nodes, tracks) in [
            (3, [2, 0], &[0, 1, 2][..], [Some(1), None, Some(0)]),
            (3, [0, 3], &[0, 3], [Some(0), Some(1), None]),
            // As many tracks as bones.
            (2, [7, 0], &[7, 0], [Some(0), Some(1), None]),
        ] {
            let own = bones.map(U16::new);
            let clip = of_rows(Rows::default(), &own, Skeleton::of_count(count, Relative::Parent));
            let binding = Binding::of_clip(&clip);
            let found = [0, 1, 2].map(|node| binding.track_of(node));
            assert_eq!((&clip.to_nodes()[..], found), (nodes, tracks), "{bones:?} of {count}");
        }
    }

    /// The findings about the motion of a clip, of which so many keys are read.
    fn codes(file: &File, frames: usize, keys: usize) -> Vec<&'static str> {
        let skeleton = Skeleton::of_count(file.starts.len(), Relative::Parent);
        let clip = file.clip(CHAINED, Between::Hold, skeleton, frames);
        let mut report = Report::new(1);
        check_motion([clip].into_iter(), keys, &mut report, SectionStart { section: Section::FILE, offset: 0 });
        report.into_findings().iter().map(|finding| finding.code.name()).collect()
    }

    #[test]
    fn a_clip_stands_still_if_all_its_keys_can_be_read_and_equal_the_first() {
        let still = File::default().track("one", &[(0, [1.0; 3])], &[]).track("other", &[(0, [2.0; 3])], &[]);
        // A key of each of two tracks.
        assert_eq!((codes(&still, 3, 2), codes(&still, 3, 1)), (vec!["no-motion"], vec![]));
        assert_eq!(codes(&still, 1, 4), [""; 0], "one frame");
        assert_eq!(codes(&File::default(), 3, 4), [""; 0], "no track");
        let moves = File::default().track("one", &[(0, [1.0; 3]), (2, [2.0; 3])], &[]);
        assert_eq!((codes(&moves, 2, 4), codes(&moves, 3, 4)), (vec!["no-motion"], vec![]));
    }

    #[test]
    fn tracks_without_translations_are_no_differences_to_another_animation() {
        let codes = |file: &File| codes(file, 9, 1000);
        let root = || File::default().track("root", &[(0, [1.0; 3]), (4, [5.0; 3])], &[]);
        let turned = (0..9).fold(root(), |file, _| file.track("bone", &[], &[(0, QUARTER)]));
        assert_eq!(codes(&turned), [""; 0]);
        let differences = (0..9).fold(root(), |file, _| file.track("bone", &[(0, [0.0; 3])], &[(0, QUARTER)]));
        assert_eq!(codes(&differences), ["additive"]);
    }

    #[test]
    fn any_numbers_of_keys_and_frames_give_a_value_or_none() {
        let keys: &[(i32, [f32; 3])] =
            &[(9, [1.0; 3]), (-5, [2.0; 3]), (i32::MAX, [3.0; 3]), (i32::MIN, [f32::NAN; 3])];
        let file = File::default().track("x", keys, &[]);
        let skeleton = Skeleton::of_count(1, Relative::Parent);
        for between in [Between::Hold, Between::Blend] {
            for length in 0..=file.bytes.len() {
                let cut = File { bytes: file.bytes[..length].to_vec(), starts: vec![0, 1, u32::MAX] };
                for starts in
                    [CHAINED, Starts::Listed(&cut.starts), Starts::Stride(0), Starts::Chained(|_, _| Some(0), 0)]
                {
                    let clip = cut.clip(starts, between, skeleton, usize::MAX);
                    for frame in [0, 1, 9, usize::MAX - 1] {
                        clip.transform(frame, 0);
                        clip.transform(frame, 2);
                    }
                    clip.sample_frame(1e18, Wrap::Loop, &mut [Transform::IDENTITY; 3]).unwrap();
                    clip.to_moving_parts(0.0);
                }
            }
        }
    }

    #[test]
    fn the_starts_of_a_chain_are_listed_and_a_list_of_another_length_changes_nothing() {
        let (file, skeleton) = (file(), Skeleton::of_count(4, Relative::Parent));
        let chained = file.clip(CHAINED, Between::Hold, skeleton, 9);
        assert_eq!(chained.to_starts(), file.starts);
        let listed = chained.listed(&file.starts);
        assert_eq!(listed.to_starts(), [0; 0], "tracks with a list need no other one");
        let poses = |clip: &Clip<'_>| (0..4).map(|track| clip.transform(4, track)).collect::<Vec<_>>();
        assert_eq!((listed.block(), poses(&listed)), (256, poses(&chained)));
        for starts in [&[][..], &file.starts[..3]] {
            let same = chained.listed(starts);
            assert_eq!((same.block(), poses(&same)), (9, poses(&chained)), "{} offsets", starts.len());
        }
    }

    /// Eight keys: three places and two turns, one and one, and a turn.
    #[test]
    fn a_clip_has_far_more_transforms_than_keys_above_64_for_each() {
        let (file, skeleton) = (file(), Skeleton::of_count(4, Relative::Parent));
        let clip = |frames| file.clip(CHAINED, Between::Hold, skeleton, frames);
        assert_eq!(clip(9).key_count(), 8);
        // Of four tracks: 512 transforms, and 516.
        assert!(!clip(128).is_inflated(0) && clip(129).is_inflated(0));
        assert!(clip(129).is_inflated(515) && !clip(129).is_inflated(516));
    }

    #[test]
    fn a_channel_without_frames_bends_at_each_key_if_it_has_fewer_than_frames() {
        let places = [1.0, 2.0, 3.0].map(|x| Vec3::new([x; 3]));
        let channel: Channel<'_, Vec3> = Channel { values: Column::of_records(&places, 0), frames: None };
        let bends = |frames| {
            let mut out = Vec::new();
            channel.add_bends(frames, &mut out).map(|()| out)
        };
        assert_eq!((bends(4), bends(9)), (Some(vec![0, 1, 2]), Some(vec![0, 1, 2])));
        assert_eq!((bends(3), bends(2)), (None, None));
    }

    /// A value is held until the frame before the next key.
    #[test]
    fn a_key_after_the_last_frame_of_a_clip_makes_no_bend() {
        let file = file();
        let clip = file.clip(CHAINED, Between::Hold, Skeleton::of_count(4, Relative::Parent), 9);
        let Keys::Tracks(tracks) = &clip.keys else { panic!("tracks") };
        let channel = tracks.get(0).translation;
        for (frames, expected) in [(8, &[0, 3, 4, 6, 7][..]), (7, &[0, 3, 4]), (4, &[0])] {
            let mut out = Vec::new();
            channel.add_bends(frames, &mut out).unwrap();
            assert_eq!(out, expected, "{frames} frames");
        }
    }

    #[test]
    fn a_scale_that_a_clip_does_not_have_is_that_of_the_bone() {
        fn read(bytes: &[u8], _: u64) -> Option<(ChainedBone<'_>, usize)> {
            let scale = f32::from(*bytes.first()?);
            let bind = Some(Transform { scale: [scale; 3], ..Transform::IDENTITY });
            Some((ChainedBone { bind, ..ChainedBone::default() }, 1))
        }
        let chain = BoneChain { bytes: &[2, 1], marks: Marks::default(), read, number: 0 };
        let clip = of_rows(Rows::default(), &[], Skeleton::of_chain(2, chain));
        let binding = Binding::of_clip(&clip);
        let sources = [0, 1].map(|bone| binding.sources_of(bone).map(|own| own.scale));
        assert_eq!(sources, [Some(Source::Mesh), Some(Source::Animation)], "a scale of 1 is that of any clip");
        assert_eq!(binding.to_rest()[0].scale, [2.0; 3]);
    }

    /// Which axes a file without a space has is not known.
    #[test]
    fn a_clip_with_a_space_and_one_without_are_not_played_by_one_binding() {
        let clip = |space: Option<Space>| {
            let (skeleton, rule) = (Skeleton::of_count(2, Relative::Parent), RotationRule::AsStored);
            let new = NewClip { name: None, skeleton, bones: &[], tracks: 2, frames: 1, rate: 10.0, space, rule };
            Clip::new(&new, Keys::Rows(Rows::default()))
        };
        let spaces = [None, Some(Space::ACTORX), Some(Space::GLTF)];
        for (bound, own) in spaces.iter().flat_map(|bound| spaces.iter().map(move |own| (*bound, *own))) {
            let (binding, mut pose) = (Binding::of_clip(&clip(bound)), [Transform::IDENTITY; 2]);
            let played = binding.sample_frame(&clip(own), 0.0, Wrap::Clamp, &mut pose);
            assert_eq!(played.is_ok(), bound == own, "{own:?} for {bound:?}");
        }
    }

    #[test]
    fn of_sparse_keys_one_rotation_without_a_direction_is_told() {
        let is_whole = |turns: &[[f32; 4]]| {
            let file = turns.iter().fold(File::default(), |file, turn| file.track("", &[], &[(0, *turn)]));
            let clip = file.clip(CHAINED, Between::Hold, Skeleton::of_count(2, Relative::Parent), 2);
            clip.pair(0.0, Wrap::Clamp).unwrap().write(&mut [Transform::IDENTITY; 2])
        };
        assert!(is_whole(&[REST, QUARTER]));
        assert!(!is_whole(&[[0.0; 4], QUARTER]) && !is_whole(&[REST, [0.0; 4]]));
    }
}
