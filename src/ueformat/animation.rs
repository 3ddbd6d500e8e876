//! The view of an animation: `.ueanim`, versions 0 to 10.

use super::codes;
use super::extent::{Extent, Items};
use super::header::{ANIMATION, Header};
use super::items;
use super::model::{MAX_BONES, MAX_ITEMS, Options};
use super::part::{CURVE, Found, Part, TRACK};
use super::quirks::{Notes, Oddity, quirks};
use super::record::{Additive, BoneTrack, Curve, Timing};
use crate::bytes::{Column, Cursor, Marks, ReadAt, Record, Text, to_usize};
use crate::model::{
    Between, BoneChain, ChainedBone, Channel, Channels, Clip, Description, Frames, Head, Info, Keys, NewClip, Parts,
    RotationRule, Skeleton, Space, Starts, Summary, Tracks, read_part,
};
use crate::report::{Quirk, ReadResult, Section};

const BODY: Section = Section::named("body");
pub(super) const METADATA: Section = Section::named("METADATA");
pub(super) const TRACKS: Section = Section::named("TRACKS");
pub(super) const CURVES: Section = Section::named("CURVES");

/// The maximum number of frames of a clip: the file states their number, and sparse keys do not limit it. Ten hours at 30 frames per second
/// have about as many.
pub(super) const MAX_FRAMES: u32 = 1 << 20;

/// An animation, read in place: for each bone the frames in which its position, rotation or scale changes.
///
/// `Copy`; every slice borrows the file, at any alignment. Parsing allocates nothing. Tracks have names of different lengths inside, so
/// that access by index walks at most a sixteenth of them. Between two keys, a value is held until the last frame before the second key, as
/// the writer compared frames ([UEFormat reference](super::format), section 6); [`clip`](Animation::clip) samples so. A compressed file is
/// unpacked first: see [`Mapping::unpacked`](crate::mapping::Mapping::unpacked). [`AnimationBuf`](super::AnimationBuf) is the owned form.
///
/// ```
/// use skelmap::ueformat::Animation;
///
/// let bytes = std::fs::read("tests/corpus/ueformat/animation/sparse.ueanim")?;
/// let animation = Animation::parse(&bytes)?;
/// for track in animation.tracks() {
///     println!("{:?}: rotates in frames {:?}", track.name, track.rotations.iter().map(|key| key.frame()).collect::<Vec<_>>());
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Animation<'a> {
    bytes: &'a [u8],
    layout: AnimationLayout,
}

/// The layout of an animation, without a lifetime: [`AnimationBuf`](super::AnimationBuf) stores it beside the bytes.
#[derive(Clone, Copy, Debug)]
pub struct AnimationLayout {
    version: u8,
    oddities: u32,
    name: Extent,
    path: Extent,
    frames: i32,
    rate: f32,
    base_path: Extent,
    additive: Additive,
    tracks: Items,
    marks: Marks,
    parts: Parts,
    curves: Items,
    /// A bit for each section that was there.
    seen: u32,
}

impl Description for AnimationLayout {
    type View<'a> = Animation<'a>;
    type Options = Options;

    const INFO: Info = Info {
        code: "ueformat.ueanim",
        title: "a UEFormat animation (`UEANIM`)",
        extensions: &["ueanim"],
        skeletons: "unreal",
    };

    fn is_format(first: &[u8]) -> bool {
        first.starts_with(ANIMATION)
    }

    fn find<R: ReadAt + ?Sized>(source: &R, _: &Options) -> ReadResult<Self, R> {
        let header = Header::read(source, ANIMATION)?;
        header.check_unpacked()?;
        Self::read(source, &header, &mut Notes::default())
    }

    fn into_view(self, bytes: &[u8]) -> Animation<'_> {
        Animation { bytes, layout: self }
    }

    fn head<R: ReadAt + ?Sized>(source: &R, options: &Options, with_names: bool) -> ReadResult<Head, R> {
        let header = Header::read(source, ANIMATION)?;
        let name = |extent: Extent| -> ReadResult<_, R> {
            let bytes = read_part(source, extent.span())?;
            Ok(alloc::vec![alloc::format!("{}", items::text(&bytes))])
        };
        if header.packed.is_some() {
            let mut head = Head::of_packed(codes::COMPRESSED, with_names);
            if let Some(names) = &mut head.names {
                names.sequences = name(header.name)?;
            }
            return Ok(head);
        }
        let layout = Self::find(source, options)?;
        let walk = |notes: &mut Notes| {
            let _: Result<_, _> = Self::read(source, &header, notes);
        };
        let mut head = Head::of(layout.summary(), quirks(layout.oddities, &walk), with_names);
        if let Some(names) = &mut head.names {
            names.skeleton = layout.skeleton_in(&read_part(source, layout.tracks.extent.span())?).to_key();
            names.sequences = name(layout.name)?;
        }
        Ok(head)
    }
}

impl AnimationLayout {
    fn read<R: ReadAt + ?Sized>(source: &R, header: &Header, notes: &mut Notes) -> ReadResult<Self, R> {
        let version = header.version;
        let mut layout = Self {
            version,
            oddities: 0,
            name: header.name,
            path: header.path,
            frames: 0,
            rate: 0.0,
            base_path: Extent::default(),
            additive: Additive::default(),
            tracks: Items::default(),
            marks: Marks::default(),
            parts: Parts { translation: false, rotation: false, scale: false },
            curves: Items::default(),
            seen: 0,
        };
        let mut body = Part::new(source, header.body, source.size(), BODY, version);
        if version < 7 {
            layout.take_timing(&mut body)?;
        }
        let timing = body.position();
        body.sections(|found, body| layout.take(body, &found, notes))?;
        if body.left() > 0 {
            notes.add(Oddity::Trailing, BODY, body.position());
        }
        let place = if version < 7 { (BODY, header.body) } else { (METADATA, timing) };
        match u32::try_from(layout.frames) {
            Err(_) => notes.add(Oddity::FramesNegative, place.0, place.1),
            Ok(frames) if frames > MAX_FRAMES => notes.add(Oddity::FramesUnlikely, place.0, place.1),
            Ok(_) => {}
        }
        layout.oddities = notes.bits;
        Ok(layout)
    }

    fn take_timing<R: ReadAt + Copy>(&mut self, part: &mut Part<R>) -> ReadResult<(), R> {
        let timing = part.read::<Timing>()?;
        (self.frames, self.rate) = (timing.frames(), timing.rate());
        Ok(())
    }

    fn take<R: ReadAt + Copy>(&mut self, body: &Part<R>, found: &Found, notes: &mut Notes) -> ReadResult<(), R> {
        let bit = match found.section {
            METADATA if self.version >= 7 => 1,
            TRACKS => 1 << 1,
            CURVES => 1 << 2,
            _ => {
                notes.add(Oddity::UnknownSection, found.section, found.at);
                return Ok(());
            }
        };
        if self.seen & bit != 0 {
            notes.add(Oddity::DuplicateSection, found.section, found.at);
            return Ok(());
        }
        self.seen |= bit;
        match found.section {
            METADATA => {
                let mut part = body.inside(found);
                self.take_timing(&mut part)?;
                self.base_path = part.name()?;
                self.additive = part.read()?;
                notes.rest(found, part.left());
            }
            TRACKS => {
                self.tracks = body.items(found, TRACK, MAX_BONES, notes, Some(&mut self.marks))?;
                self.parts = self.parts_of(&body.inside(found))?;
            }
            _ => self.curves = body.items(found, CURVE, MAX_ITEMS, notes, None)?,
        }
        Ok(())
    }

    /// The parts that at least one track has.
    fn parts_of<R: ReadAt + Copy>(&self, tracks: &Part<R>) -> ReadResult<Parts, R> {
        let mut part = tracks.within(self.tracks.extent);
        let mut parts = Parts { translation: false, rotation: false, scale: false };
        for _ in 0..self.tracks.count {
            part.name()?;
            for (size, is_there) in [(16, &mut parts.translation), (20, &mut parts.rotation), (16, &mut parts.scale)] {
                let count = part.count()?;
                part.skip(size, count)?;
                *is_there |= count > 0;
            }
        }
        Ok(parts)
    }

    /// The number of frames of the clip.
    fn frame_count(&self) -> u32 {
        u32::try_from(self.frames).unwrap_or(0).min(MAX_FRAMES)
    }

    fn rate(&self) -> Option<f64> {
        Some(f64::from(self.rate)).filter(|rate| rate.is_finite() && *rate > 0.0)
    }

    fn summary(&self) -> Summary {
        let frames = self.frame_count();
        Summary {
            bones: Some(self.tracks.count.into()),
            sequences: Some(1),
            frames: Some(frames.into()),
            duration_s: Some(self.rate().map_or(0.0, |rate| f64::from(frames) / rate)),
            ..Summary::default()
        }
    }

    /// The bones of the tracks, over the bytes of the tracks.
    fn skeleton_in<'b>(&self, tracks: &'b [u8]) -> Skeleton<'b> {
        fn read(bytes: &[u8], _: u64) -> Option<(ChainedBone<'_>, usize)> {
            let mut cursor = Cursor::new(bytes);
            let track = items::track(&mut cursor)?;
            Some((ChainedBone { name: track.name, ..ChainedBone::default() }, cursor.position()))
        }
        let chain = BoneChain { bytes: tracks, marks: self.marks, read, number: 0 };
        Skeleton::of_chain(to_usize(self.tracks.count.into()), chain)
    }
}

impl<'a> Animation<'a> {
    /// The file.
    pub const fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// The version of the file: 0 to 10.
    pub const fn version(&self) -> u8 {
        self.layout.version
    }

    /// The name of the object.
    pub fn name(&self) -> Text<'a> {
        items::text(self.layout.name.bytes_of(self.bytes))
    }

    /// The path of the asset; empty before version 10.
    pub fn path(&self) -> Text<'a> {
        items::text(self.layout.path.bytes_of(self.bytes))
    }

    /// The number of frames as stored: any number.
    pub const fn declared_frame_count(&self) -> i32 {
        self.layout.frames
    }

    /// The number of frames: 0 for a negative number, 1,048,576 for a larger one; both are quirks.
    pub fn frame_count(&self) -> usize {
        to_usize(self.layout.frame_count().into())
    }

    /// Frames per second as stored: any number.
    pub const fn stored_rate(&self) -> f32 {
        self.layout.rate
    }

    /// Frames per second; `None` if the stored number is not positive.
    pub fn rate(&self) -> Option<f64> {
        self.layout.rate()
    }

    /// The path of the reference pose; empty before version 7.
    pub fn base_path(&self) -> Text<'a> {
        items::text(self.layout.base_path.bytes_of(self.bytes))
    }

    /// What the asset says of differences: 0 none, 1 in local space, 2 rotations in the space of the mesh; 0 before version 7. The writer
    /// usually adds the base pose, so that the keys are absolute all the same (UEFormat reference, section 6).
    pub const fn additive_type(&self) -> u8 {
        self.layout.additive.kind()
    }

    /// The base of the differences: 0 none, 1 the reference pose, 2 an animation that is scaled, 3 a frame of an animation, 4 a frame of the
    /// animation itself; 0 before version 7.
    pub const fn base_type(&self) -> u8 {
        self.layout.additive.base()
    }

    /// The frame of the base; 0 before version 7.
    pub const fn base_frame(&self) -> i32 {
        self.layout.additive.frame()
    }

    /// The number of tracks. O(1).
    pub fn track_count(&self) -> usize {
        to_usize(self.layout.tracks.count.into())
    }

    /// The tracks in file order: one for each bone. O(1) each.
    pub fn tracks(&self) -> impl ExactSizeIterator<Item = BoneTrack<'a>> + use<'a> {
        items::Iter::new(self.layout.tracks, self.bytes, items::track)
    }

    /// The curves in file order. O(1) each.
    pub fn curves(&self) -> impl ExactSizeIterator<Item = Curve<'a>> + use<'a> {
        items::Iter::new(self.layout.curves, self.bytes, items::curve)
    }

    /// The quirks of the file: each kind once, at its first place. O(headers), no allocation.
    pub fn quirks(&self) -> impl Iterator<Item = Quirk> + use<> {
        let bytes = self.bytes;
        quirks(self.layout.oddities, &|notes| {
            if let Ok(header) = Header::read(bytes, ANIMATION) {
                let _: Result<_, _> = AnimationLayout::read(bytes, &header, notes);
            }
        })
    }

    /// The counts of the file. O(1).
    pub fn summary(&self) -> Summary {
        self.layout.summary()
    }

    /// The bones of the tracks: names alone. O(1).
    pub fn skeleton(&self) -> Skeleton<'a> {
        self.layout.skeleton_in(self.layout.tracks.extent.bytes_of(self.bytes))
    }

    pub(super) fn tracks_offset(&self) -> u64 {
        self.layout.tracks.extent.start()
    }

    pub(super) fn curves_offset(&self) -> u64 {
        self.layout.curves.extent.start()
    }

    /// The animation as a clip of the common model. O(1).
    pub fn clip(&self) -> Clip<'a> {
        let layout = &self.layout;
        let new = NewClip {
            name: Some(self.name()).filter(|name| !name.as_bytes().is_empty()),
            skeleton: self.skeleton(),
            bones: &[],
            tracks: self.track_count(),
            frames: self.frame_count(),
            rate: layout.rate.into(),
            space: Some(space(layout.version)),
            rule: RotationRule::AsStored,
        };
        let tracks = Tracks {
            bytes: layout.tracks.extent.bytes_of(self.bytes),
            starts: Starts::Chained(size_of_track, 0),
            marks: layout.marks,
            read: channels,
            number: 0,
            between: Between::Hold,
            parts: layout.parts,
        };
        Clip::new(&new, Keys::Tracks(tracks))
    }

    /// The clip of the file.
    pub fn clips(&self) -> impl Iterator<Item = Clip<'a>> + use<'a> {
        core::iter::once(self.clip())
    }
}

/// The space of a file: before version 8, the writer negates y.
pub(super) const fn space(version: u8) -> Space {
    if version >= 8 { Space::UEFORMAT } else { Space::ACTORX }
}

fn size_of_track(bytes: &[u8], _: u64) -> Option<usize> {
    let mut cursor = Cursor::new(bytes);
    items::track(&mut cursor)?;
    Some(cursor.position())
}

fn channels(bytes: &[u8], _: u64) -> Option<Channels<'_>> {
    let track = items::track(&mut Cursor::new(bytes))?;
    Some(Channels {
        translation: channel(track.positions),
        rotation: channel(track.rotations),
        scale: channel(track.scales),
    })
}

/// The keys of a part: a frame, then the value.
fn channel<K: Record, T: Record>(keys: &[K]) -> Channel<'_, T> {
    let value = size_of::<i32>();
    Channel { values: Column::of_records(keys, value), frames: Some(Frames(Column::of_records(keys, 0))) }
}
