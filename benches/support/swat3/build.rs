//! Writes animations by the one public description of the format, with the skeleton that it makes most plausible.

use std::iter;

const MAGIC: [u8; 16] =
    [0xCF, 0xD0, 0x09, 0xA8, 0x2A, 0x1F, 0xD2, 0x11, 0x87, 0x49, 0x00, 0x20, 0xAF, 0xE6, 0x36, 0xEE];

const MARKER: [u8; 2] = [0xFF; 2];

/// Bytes of a frame before its rotations.
const FRAME_HEAD: usize = 40;

/// Of different lengths, as names are.
const NAMES: [&str; 5] = ["Bip01 Spine", "Bip01 L Finger", "Bip01 R Thigh", "Rifle", "Bip01 Neck"];

const EVENTS: [&str; 2] = ["sound=cuff", "itemsound=magout"];

/// What an animation has after its bones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Frames {
    /// Version 4.1.
    Plain,
    /// Version 4.2, but no event.
    NoEvents,
    /// Version 4.2, and no, one and two events in turns.
    Events,
}

/// An animation in which every bone turns.
#[derive(Clone, Copy, Debug)]
pub struct Gsa {
    pub bones: u16,
    pub frames: u16,
    pub kind: Frames,
}

impl Gsa {
    /// As many frames as make about so many bytes of them, at least one.
    pub fn of_size(bones: u16, bytes: usize, kind: Frames) -> Self {
        let frames = bytes / (FRAME_HEAD + 16 * usize::from(bones));
        Self { bones, frames: u16::try_from(frames).expect("a short counts the frames").max(1), kind }
    }

    /// The file. Its rotations are aligned where the file is.
    pub fn build(self) -> Vec<u8> {
        let mut file = header(if self.kind == Frames::Plain { 1 } else { 2 });
        let before_frames = file.len() + MARKER.len() + 2 * size_of::<u16>();
        let skeletons = (0..4).map(|padding| self.build_skeleton(padding));
        file.extend(skeletons.filter(|skeleton| (before_frames + skeleton.len()) % 4 == 0).flatten());
        file.extend(MARKER);
        // All bones are animated, so none is listed.
        file.extend(0_u16.to_le_bytes());
        file.extend(self.frames.to_le_bytes());
        for frame in 0..self.frames {
            file.extend(floats([0.0; 3]));
            file.extend(floats([0.0, 0.0, 0.0, 1.0]));
            file.extend(floats([f32::from(frame) / 16.0, 0.0, 0.25]));
            for bone in 0..self.bones {
                file.extend(floats(rotation(bone, frame)));
            }
            self.build_events(frame, &mut file);
        }
        file
    }

    /// All bones, the name of the first so many bytes longer.
    fn build_skeleton(self, padding: usize) -> Vec<u8> {
        (0..self.bones).flat_map(|bone| skeleton_record(bone, if bone == 0 { padding } else { 0 })).collect()
    }

    fn build_events(self, frame: u16, file: &mut Vec<u8>) {
        let count = match self.kind {
            Frames::Plain => return,
            Frames::NoEvents => 0,
            Frames::Events => frame % 3,
        };
        file.extend(count.to_le_bytes());
        for event in EVENTS.iter().take(count.into()) {
            file.extend(name(event));
        }
    }
}

/// Nothing but starts of what may be the end of the skeleton, which is followed by a single frame of all bones.
pub fn all_starts(minor: u8, bytes: usize) -> Vec<u8> {
    hostile(minor, &[0xFF, 0xFF, 0, 0, 1, 0], bytes)
}

/// Nothing but the bytes that end a skeleton.
pub fn all_markers(bytes: usize) -> Vec<u8> {
    hostile(2, &MARKER, bytes)
}

fn hostile(minor: u8, pattern: &[u8], bytes: usize) -> Vec<u8> {
    let header = header(minor);
    let left = bytes - header.len();
    header.into_iter().chain(pattern.iter().copied().cycle().take(left)).collect()
}

fn header(minor: u8) -> Vec<u8> {
    MAGIC.into_iter().chain([minor, 4, 0, 0, 10, 0, 0, 0]).collect()
}

/// A bone: id, parent, name, position and rotation.
fn skeleton_record(bone: u16, padding: usize) -> impl Iterator<Item = u8> {
    let parent = if bone == 0 { u16::MAX } else { bone / 2 };
    let ids = bone.to_le_bytes().into_iter().chain(parent.to_le_bytes());
    let position = floats([f32::from(bone % 7), 0.5, 12.25]);
    let name = name(&format!("{}{}{bone}", NAMES[usize::from(bone) % NAMES.len()], "_".repeat(padding)));
    ids.chain(name).chain(position).chain(floats(rotation(bone, 0)))
}

/// A name with its length; both count the NUL.
fn name(name: &str) -> Vec<u8> {
    let length = u16::try_from(name.len() + 1).expect("names are short");
    length.to_le_bytes().into_iter().chain(name.bytes()).chain(iter::once(0)).collect()
}

/// Of unit length, and another for every bone and frame.
fn rotation(bone: u16, frame: u16) -> [f32; 4] {
    let (sin, cos) = (0.1 * f32::from(bone) + 0.03 * f32::from(frame)).sin_cos();
    [0.6 * sin, 0.0, 0.8 * sin, cos]
}

fn floats<const N: usize>(values: [f32; N]) -> impl Iterator<Item = u8> {
    values.into_iter().flat_map(f32::to_le_bytes)
}
