//! Writes SWAT 3 GSA files field by field, with a name for every offset a test may want to damage.
//!
//! The skeleton's record is documented nowhere, so a file is given one of ten plausible ones. Shared by corpus,
//! property tests and benchmarks, and independent of the crate.

// Each user needs a different part.
#![allow(dead_code, unreachable_pub, unused_imports)]
// Counts in these files are unsigned 16-bit; nothing built here comes near the limit.
#![allow(clippy::cast_possible_truncation, clippy::cast_possible_wrap)]

pub mod random;

use std::collections::BTreeMap;

pub use crate::built::Built;

pub use random::{Expected, Rng, random_file};

pub const MAGIC: [u8; 16] =
    [0xCF, 0xD0, 0x09, 0xA8, 0x2A, 0x1F, 0xD2, 0x11, 0x87, 0x49, 0x00, 0x20, 0xAF, 0xE6, 0x36, 0xEE];

pub const IDENTITY: [f32; 4] = [0.0, 0.0, 0.0, 1.0];

/// The commonest component of a rotation that hardly turns; its low bytes look like the end of the skeleton.
pub const ALMOST_ONE: f32 = 0.999_999_94;

/// What ends the skeleton.
pub const MARKER: [u8; 2] = [0xFF; 2];

const BODY: [&str; 22] = [
    "Bip01",
    "Bip01 Pelvis",
    "Bip01 Spine",
    "Bip01 Spine1",
    "Bip01 Spine2",
    "Bip01 Neck",
    "Bip01 Head",
    "Bip01 L Clavicle",
    "Bip01 L UpperArm",
    "Bip01 L Forearm",
    "Bip01 L Hand",
    "Bip01 R Clavicle",
    "Bip01 R UpperArm",
    "Bip01 R Forearm",
    "Bip01 R Hand",
    "Bip01 L Thigh",
    "Bip01 L Calf",
    "Bip01 L Foot",
    "Bip01 L Toe0",
    "Bip01 R Thigh",
    "Bip01 R Calf",
    "Bip01 R Foot",
];

// Of the bones above; those after them hang off one another.
const PARENTS: [i16; 22] = [-1, 0, 1, 2, 3, 4, 5, 5, 7, 8, 9, 5, 11, 12, 13, 1, 15, 16, 17, 1, 19, 20];

#[derive(Clone, Debug, PartialEq)]
pub struct Bone {
    pub id: i16,
    /// -1 for a root.
    pub parent: i16,
    /// Without the NUL.
    pub name: Vec<u8>,
    pub position: [f32; 3],
    pub rotation: [f32; 4],
}

impl Bone {
    pub fn new(id: i16, parent: i16, name: impl AsRef<[u8]>) -> Self {
        let position = [2.5 * f32::from(id), 0.0, -0.75];
        let rotation = if id % 2 == 0 { [0.0, 0.0, -0.0, ALMOST_ONE] } else { [0.5, -0.5, 0.5, 0.5] };
        Self { id, parent, name: name.as_ref().to_vec(), position, rotation }
    }
}

/// The first bones of a Biped as 3ds Max names them, each after its parent.
pub fn biped(bones: usize) -> Vec<Bone> {
    let bone = |index: usize| {
        let (name, parent) = match BODY.get(index) {
            Some(name) => ((*name).to_owned(), PARENTS[index]),
            None => (format!("Bone{index:02}"), index as i16 - 1),
        };
        Bone::new(index as i16, parent, name)
    };
    (0..bones).map(bone).collect()
}

/// What a bone's record may be; names end in NUL, and a rotation is x, y, z, w.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Layout {
    /// A: id, parent, u16 length, name, position, rotation.
    Plain,
    /// B: u16 length, name, parent, position, rotation.
    NameFirst,
    /// C: a skeleton count of 1 and a bone count, then as [`Layout::Plain`].
    Counted,
    /// D: id, u16 length, name, u16 child count, rotation, position.
    Children,
    /// E: id, u16 length, name, parent, the rows of a 3x4 matrix.
    Matrix,
    /// F: id, u16 length, name, position, rotation, u16 child count, the children, a marker.
    Nested,
    /// G: as [`Layout::Plain`] with 8-bit lengths.
    ByteLengths,
    /// H: id, parent, what looks like a marker and a one-frame animation, u16 length, name, position, rotation.
    Hostile,
    /// I: as [`Layout::Plain`] with names of 32 bytes, filled with 0xFF after the NUL.
    FixedNames,
    /// J: two skeletons as [`Layout::Plain`], a marker after each.
    TwoSkeletons,
}

/// How a name is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NameForm {
    U8,
    U16,
    Fixed(usize),
}

/// The sizes around the names, where they are the same for every bone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Record {
    pub prologue: usize,
    pub pre: usize,
    pub name: NameForm,
    pub post: usize,
}

impl Layout {
    pub const ALL: [Self; 10] = [
        Self::Plain,
        Self::NameFirst,
        Self::Counted,
        Self::Children,
        Self::Matrix,
        Self::Nested,
        Self::ByteLengths,
        Self::Hostile,
        Self::FixedNames,
        Self::TwoSkeletons,
    ];

    /// The record, unless it depends on the bone.
    pub fn record(self) -> Option<Record> {
        let record = |prologue, pre, name, post| Some(Record { prologue, pre, name, post });
        match self {
            Self::Plain => record(0, 4, NameForm::U16, 28),
            Self::NameFirst => record(0, 0, NameForm::U16, 30),
            Self::Counted => record(4, 4, NameForm::U16, 28),
            Self::Children => record(0, 2, NameForm::U16, 30),
            Self::Matrix => record(0, 2, NameForm::U16, 50),
            Self::ByteLengths => record(0, 4, NameForm::U8, 28),
            Self::Hostile => record(0, 10, NameForm::U16, 28),
            Self::FixedNames => record(0, 4, NameForm::Fixed(32), 28),
            Self::Nested | Self::TwoSkeletons => None,
        }
    }

    /// The skeleton without the marker that ends it.
    ///
    /// # Panics
    /// If a name is longer than its place.
    pub fn skeleton(self, bones: &[Bone]) -> Vec<u8> {
        let mut out = Writer::default();
        match self {
            Self::Counted => out.u16(1).u16(bones.len() as u16).bones(self, bones),
            Self::Nested => out.nested(bones, -1),
            Self::TwoSkeletons => {
                let (first, second) = bones.split_at(bones.len() / 2);
                out.bones(self, first);
                out.raw(&MARKER).bones(self, second);
            }
            _ => out.bones(self, bones),
        }
        out.bytes
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct Frame {
    pub origin: [f32; 3],
    pub rotation: [f32; 4],
    pub root: [f32; 3],
    pub rotations: Vec<[f32; 4]>,
    /// With the NUL, as many bytes as the length says.
    pub events: Vec<Vec<u8>>,
}

impl Frame {
    /// A frame at the origin in which the root bone has not moved.
    pub fn new(rotations: Vec<[f32; 4]>) -> Self {
        Self { origin: [0.0; 3], rotation: IDENTITY, root: [0.0; 3], rotations, events: Vec::new() }
    }

    #[must_use]
    pub fn event(mut self, name: impl AsRef<[u8]>) -> Self {
        self.events.push([name.as_ref(), &[0]].concat());
        self
    }
}

/// The contents of an animation; nothing makes its parts agree.
#[derive(Clone, Debug)]
pub struct Gsa {
    /// Six bytes of the magic again, as the published table has it.
    pub doubled_magic: bool,
    pub minor: u8,
    pub major: u8,
    pub unknown: [u16; 2],
    pub frame_rate: u16,
    /// Everything before the marker.
    pub skeleton: Vec<u8>,
    /// None for all bones.
    pub ids: Vec<u16>,
    /// How often a frame's event count is written.
    pub count_words: usize,
    pub frames: Vec<Frame>,
    pub trailing: Vec<u8>,
}

impl Gsa {
    /// Version 4.1 or 4.2, in the reading of the reference.
    pub fn new(minor: u8, skeleton: Vec<u8>, ids: &[u16], frames: Vec<Frame>) -> Self {
        Self {
            doubled_magic: false,
            minor,
            major: 4,
            unknown: [0; 2],
            frame_rate: 10,
            skeleton,
            ids: ids.to_vec(),
            count_words: usize::from(minor >= 2),
            frames,
            trailing: Vec::new(),
        }
    }

    /// Offsets: `magic`, `magic.node` (where it is doubled), `version`, `unknown#0`, `frame_rate`, `unknown#1`,
    /// `skeleton`, `marker`, `ids.count`, `ids`, `frames.count`, `end` (before trailing bytes), and for every frame by
    /// number `frame#0`, `frame#0.rotation`, `frame#0.root`, `frame#0.rotations`, `frame#0.events`, and for every event
    /// of it `frame#0.event#0`.
    pub fn build(&self) -> Built {
        let mut out = Writer::default();
        out.mark("magic").raw(&MAGIC);
        if self.doubled_magic {
            out.mark("magic.node").raw(&MAGIC[10..]);
        }
        out.mark("version").raw(&[self.minor, self.major]);
        out.mark("unknown#0").u16(self.unknown[0]);
        out.mark("frame_rate").u16(self.frame_rate);
        out.mark("unknown#1").u16(self.unknown[1]);
        out.mark("skeleton").raw(&self.skeleton);
        out.mark("marker").raw(&MARKER);
        out.mark("ids.count").u16(self.ids.len() as u16).mark("ids");
        for id in &self.ids {
            out.u16(*id);
        }
        out.mark("frames.count").u16(self.frames.len() as u16);
        for (index, frame) in self.frames.iter().enumerate() {
            self.frame(&mut out, &format!("frame#{index}"), frame);
        }
        out.mark("end").raw(&self.trailing);
        Built::new(out.bytes, out.offsets)
    }

    fn frame(&self, out: &mut Writer, name: &str, frame: &Frame) {
        out.mark(name).f32s(&frame.origin);
        out.mark(format!("{name}.rotation")).f32s(&frame.rotation);
        out.mark(format!("{name}.root")).f32s(&frame.root);
        out.mark(format!("{name}.rotations")).f32s(frame.rotations.as_flattened());
        out.mark(format!("{name}.events"));
        for _ in 0..self.count_words {
            out.u16(frame.events.len() as u16);
        }
        for (index, event) in frame.events.iter().enumerate() {
            out.mark(format!("{name}.event#{index}")).u16(event.len() as u16).raw(event);
        }
    }
}

#[derive(Default)]
struct Writer {
    bytes: Vec<u8>,
    offsets: BTreeMap<String, usize>,
}

impl Writer {
    fn mark(&mut self, name: impl Into<String>) -> &mut Self {
        self.offsets.insert(name.into(), self.bytes.len());
        self
    }

    fn raw(&mut self, bytes: &[u8]) -> &mut Self {
        self.bytes.extend_from_slice(bytes);
        self
    }

    fn u16(&mut self, value: u16) -> &mut Self {
        self.raw(&value.to_le_bytes())
    }

    fn i16(&mut self, value: i16) -> &mut Self {
        self.raw(&value.to_le_bytes())
    }

    fn f32s(&mut self, values: &[f32]) -> &mut Self {
        for value in values {
            self.raw(&value.to_le_bytes());
        }
        self
    }

    fn name(&mut self, name: &[u8]) -> &mut Self {
        self.u16(name.len() as u16 + 1).raw(name).raw(&[0])
    }

    fn bones(&mut self, layout: Layout, bones: &[Bone]) {
        for bone in bones {
            self.bone(layout, bone, children(bones, bone));
        }
    }

    fn bone(&mut self, layout: Layout, bone: &Bone, children: u16) {
        let Bone { id, parent, name, position, rotation } = bone;
        match layout {
            Layout::Plain | Layout::Counted | Layout::TwoSkeletons => self.i16(*id).i16(*parent).name(name),
            Layout::NameFirst => self.name(name).i16(*parent),
            Layout::Children => self.i16(*id).name(name).u16(children).f32s(rotation).f32s(position),
            Layout::Matrix => self.i16(*id).name(name).i16(*parent).f32s(&matrix(*position, *rotation)),
            Layout::Nested => self.i16(*id).name(name),
            Layout::ByteLengths => self.i16(*id).i16(*parent).raw(&[name.len() as u8 + 1]).raw(name).raw(&[0]),
            Layout::Hostile => self.i16(*id).i16(*parent).raw(&[0xFF, 0xFF, 0, 0, 1, 0]).name(name),
            Layout::FixedNames => {
                assert!(name.len() < 32, "a name and its NUL have 32 bytes");
                self.i16(*id).i16(*parent).raw(name).raw(&[0]).raw(&[0xFF; 32][name.len() + 1..])
            }
        };
        if !matches!(layout, Layout::Children | Layout::Matrix) {
            self.f32s(position).f32s(rotation);
        }
    }

    fn nested(&mut self, bones: &[Bone], parent: i16) {
        for bone in bones.iter().filter(|bone| bone.parent == parent) {
            self.bone(Layout::Nested, bone, 0);
            self.u16(children(bones, bone)).nested(bones, bone.id);
            self.raw(&MARKER);
        }
    }
}

fn children(bones: &[Bone], parent: &Bone) -> u16 {
    bones.iter().filter(|bone| bone.parent == parent.id).count() as u16
}

/// The rows of a rotation matrix, each followed by a component of the position.
fn matrix(position: [f32; 3], [x, y, z, w]: [f32; 4]) -> [f32; 12] {
    let [right, up, ahead] = position;
    let (xx, yy, zz) = (x * x, y * y, z * z);
    [
        1.0 - 2.0 * (yy + zz),
        2.0 * (x * y - w * z),
        2.0 * (x * z + w * y),
        right,
        2.0 * (x * y + w * z),
        1.0 - 2.0 * (xx + zz),
        2.0 * (y * z - w * x),
        up,
        2.0 * (x * z - w * y),
        2.0 * (y * z + w * x),
        1.0 - 2.0 * (xx + yy),
        ahead,
    ]
}
