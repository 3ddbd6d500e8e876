//! The view of a list of poses: `.uepose`, versions 9 and 10.

use alloc::string::ToString as _;

use super::codes;
use super::extent::{Extent, Items};
use super::header::{Header, POSE as POSE_KIND};
use super::items;
use super::model::{MAX_BONES, MAX_ITEMS, Options};
use super::part::{CURVE_NAME, Found, POSE, Part};
use super::quirks::{Notes, Oddity, quirks};
use super::record::{CurveInfluence, Place, PoseBone};
use crate::bytes::{Column, Cursor, Marks, ReadAt, Text, to_u64, to_usize};
use crate::model::{
    Between, BoneChain, ChainedBone, Channel, Channels, Clip, Description, Head, Info, Keys, NewClip, Parts,
    RotationRule, Skeleton, Space, Starts, Summary, Tracks, read_part,
};
use crate::report::{Error, Quirk, ReadResult, Section};

const BODY: Section = Section::named("body");
pub(super) const POSES: Section = Section::named("POSES");
pub(super) const CURVES: Section = Section::named("CURVES");

/// A list of poses, read in place: differences to the reference pose, and values of curves.
///
/// `Copy`; every slice borrows the file, at any alignment. Parsing allocates nothing. Poses have no time. A compressed file is unpacked
/// first: see [`Mapping::unpacked`](crate::mapping::Mapping::unpacked). [`PoseBuf`](super::PoseBuf) is the owned form.
///
/// ```
/// use skelmap::ueformat::Pose;
///
/// let bytes = std::fs::read("tests/corpus/ueformat/pose/two.uepose")?;
/// for pose in Pose::parse(&bytes)?.poses() {
///     println!("{:?} moves {:?}", pose.name(), pose.bones().map(|bone| bone.name).collect::<Vec<_>>());
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Pose<'a> {
    bytes: &'a [u8],
    layout: PoseLayout,
}

/// The layout of a list of poses, without a lifetime: [`PoseBuf`](super::PoseBuf) stores it beside the bytes.
#[derive(Clone, Copy, Debug)]
pub struct PoseLayout {
    version: u8,
    oddities: u32,
    name: Extent,
    path: Extent,
    poses: Items,
    curves: Items,
    /// The largest number of bones of a pose.
    most: u32,
    /// A bit for each section that was there.
    seen: u32,
}

impl Description for PoseLayout {
    type View<'a> = Pose<'a>;
    type Options = Options;

    const INFO: Info = Info {
        code: "ueformat.uepose",
        title: "a list of UEFormat poses (`UEPOSE`)",
        extensions: &["uepose"],
        skeletons: "unreal",
    };

    fn is_format(first: &[u8]) -> bool {
        first.starts_with(POSE_KIND)
    }

    fn find<R: ReadAt + ?Sized>(source: &R, _: &Options) -> ReadResult<Self, R> {
        let header = Header::read(source, POSE_KIND)?;
        header.check_unpacked()?;
        Self::read(source, &header, &mut Notes::default())
    }

    fn into_view(self, bytes: &[u8]) -> Pose<'_> {
        Pose { bytes, layout: self }
    }

    fn head<R: ReadAt + ?Sized>(source: &R, options: &Options, with_names: bool) -> ReadResult<Head, R> {
        let header = Header::read(source, POSE_KIND)?;
        if header.packed.is_some() {
            return Ok(Head::of_packed(codes::COMPRESSED, with_names));
        }
        let layout = Self::find(source, options)?;
        let walk = |notes: &mut Notes| {
            let _: Result<_, _> = Self::read(source, &header, notes);
        };
        let mut head = Head::of(layout.summary(), quirks(layout.oddities, &walk), with_names);
        if let Some(names) = &mut head.names {
            let bytes = read_part(source, layout.poses.extent.span())?;
            let whole = Items { extent: Extent::new(0, to_u64(bytes.len())), count: layout.poses.count };
            let all = items::Iter::new(whole, &bytes, items::pose);
            names.sequences = all.map(|(name, ..)| name.to_string()).collect();
        }
        Ok(head)
    }
}

impl PoseLayout {
    fn read<R: ReadAt + ?Sized>(source: &R, header: &Header, notes: &mut Notes) -> ReadResult<Self, R> {
        let version = header.version;
        let mut layout = Self {
            version,
            oddities: 0,
            name: header.name,
            path: header.path,
            poses: Items::default(),
            curves: Items::default(),
            most: 0,
            seen: 0,
        };
        let mut body = Part::new(source, header.body, source.size(), BODY, version);
        body.sections(|found, body| layout.take(body, &found, notes))?;
        if body.left() > 0 {
            notes.add(Oddity::Trailing, BODY, body.position());
        }
        layout.oddities = notes.bits;
        Ok(layout)
    }

    fn take<R: ReadAt + Copy>(&mut self, body: &Part<R>, found: &Found, notes: &mut Notes) -> ReadResult<(), R> {
        let bit = match found.section {
            POSES => 1,
            CURVES => 1 << 1,
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
        if found.section == CURVES {
            self.curves = body.items(found, CURVE_NAME, MAX_ITEMS, notes, None)?;
            return Ok(());
        }
        self.poses = body.items(found, POSE, MAX_ITEMS, notes, None)?;
        let mut part = body.inside(found).within(self.poses.extent);
        for _ in 0..self.poses.count {
            let mut own = part;
            own.name()?;
            let bones = own.count()?;
            if bones > MAX_BONES {
                return Err(Error::new(codes::TOO_MANY.with([bones, MAX_BONES]), found.section, found.at).into());
            }
            self.most = self.most.max(bones);
            part.item(POSE)?;
        }
        Ok(())
    }

    fn summary(&self) -> Summary {
        let poses = Some(self.poses.count.into());
        Summary {
            bones: Some(self.most.into()),
            sequences: poses,
            frames: poses,
            duration_s: Some(0.0),
            ..Summary::default()
        }
    }
}

/// A pose of the list.
#[derive(Clone, Copy, Debug)]
pub struct NamedPose<'a> {
    name: Text<'a>,
    bytes: &'a [u8],
    bones: u32,
    influences: &'a [CurveInfluence],
}

impl<'a> NamedPose<'a> {
    /// The name.
    pub const fn name(&self) -> Text<'a> {
        self.name
    }

    /// The bones that the pose moves. O(1) each.
    pub fn bones(&self) -> impl ExactSizeIterator<Item = PoseBone<'a>> + use<'a> {
        let whole = Items { extent: Extent::new(0, to_u64(self.bytes.len())), count: self.bones };
        items::Iter::new(whole, self.bytes, items::pose_bone)
    }

    /// The values of curves.
    pub const fn influences(&self) -> &'a [CurveInfluence] {
        self.influences
    }

    /// The pose as a clip of one frame, with a track for each bone: differences of positions and rotations. A scale is left out, because 0
    /// means none. O(bones).
    fn clip(&self) -> Clip<'a> {
        let mut marks = Marks::new(self.bones);
        let mut cursor = Cursor::new(self.bytes);
        for bone in 0..self.bones {
            marks.note(bone, to_u64(cursor.position()));
            items::pose_bone(&mut cursor);
        }
        let chain = BoneChain { bytes: self.bytes, marks, read: named_bone, number: 0 };
        let tracks = to_usize(self.bones.into());
        let new = NewClip {
            name: Some(self.name).filter(|name| !name.as_bytes().is_empty()),
            skeleton: Skeleton::of_chain(tracks, chain),
            bones: &[],
            tracks,
            frames: 1,
            rate: 0.0,
            space: Some(Space::UEFORMAT),
            rule: RotationRule::AsStored,
        };
        let keys = Tracks {
            bytes: self.bytes,
            starts: Starts::Chained(|bytes, _| named_bone(bytes, 0).map(|(_, size)| size), 0),
            marks,
            read: channels,
            number: 0,
            between: Between::Hold,
            parts: Parts { translation: true, rotation: true, scale: false },
        };
        Clip::new(&new, Keys::Tracks(keys))
    }
}

fn named_bone(bytes: &[u8], _: u64) -> Option<(ChainedBone<'_>, usize)> {
    let mut cursor = Cursor::new(bytes);
    let bone = items::pose_bone(&mut cursor)?;
    Some((ChainedBone { name: bone.name, ..ChainedBone::default() }, cursor.position()))
}

fn channels(bytes: &[u8], _: u64) -> Option<Channels<'_>> {
    let mut cursor = Cursor::new(bytes);
    items::curve_name(&mut cursor)?;
    let place = core::slice::from_ref(cursor.read::<Place>()?);
    Some(Channels {
        translation: Channel { values: Column::of_records(place, 0), frames: None },
        rotation: Channel { values: Column::of_records(place, 12), frames: None },
        scale: Channel::default(),
    })
}

impl<'a> Pose<'a> {
    /// The file.
    pub const fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// The version of the file; writers have poses from version 9 on.
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

    /// The number of poses. O(1).
    pub fn pose_count(&self) -> usize {
        to_usize(self.layout.poses.count.into())
    }

    /// The poses in file order. O(bones) each.
    pub fn poses(&self) -> impl ExactSizeIterator<Item = NamedPose<'a>> + use<'a> {
        items::Iter::new(self.layout.poses, self.bytes, |cursor| {
            let (name, bytes, bones, influences) = items::pose(cursor)?;
            Some(NamedPose { name, bytes, bones, influences })
        })
    }

    /// The names of the curves. O(1) each.
    pub fn curves(&self) -> impl ExactSizeIterator<Item = Text<'a>> + use<'a> {
        items::Iter::new(self.layout.curves, self.bytes, items::curve_name)
    }

    /// The quirks of the file: each kind once, at its first place. O(headers), no allocation.
    pub fn quirks(&self) -> impl Iterator<Item = Quirk> + use<> {
        let bytes = self.bytes;
        quirks(self.layout.oddities, &|notes| {
            if let Ok(header) = Header::read(bytes, POSE_KIND) {
                let _: Result<_, _> = PoseLayout::read(bytes, &header, notes);
            }
        })
    }

    /// The counts of the file: its bones are those of the pose with the most. O(1).
    pub fn summary(&self) -> Summary {
        self.layout.summary()
    }

    /// The bones of the first pose: names alone. O(bones).
    pub fn skeleton(&self) -> Skeleton<'a> {
        let none = || Skeleton::of_count(0, crate::model::Relative::Parent);
        self.clips().next().map_or_else(none, |clip| clip.skeleton())
    }

    pub(super) fn poses_offset(&self) -> u64 {
        self.layout.poses.extent.start()
    }

    pub(super) fn curves_offset(&self) -> u64 {
        self.layout.curves.extent.start()
    }

    /// The poses as clips of one frame. Their values are differences: see [`Binding::as_differences`](crate::model::Binding::as_differences).
    /// O(bones) each.
    pub fn clips(&self) -> impl Iterator<Item = Clip<'a>> + use<'a> {
        self.poses().map(|pose| pose.clip())
    }
}
