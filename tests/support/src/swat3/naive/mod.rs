//! A naive GSA reader: every place that looks like the end of the skeleton is tried with every number of bones.
//!
//! Every field is copied on its own; [`infer`](fn@infer) looks for the skeleton's record and [`findings`] judges values.

mod findings;
mod given;
pub mod infer;

pub use findings::findings;
pub use infer::infer;

use crate::family;

pub const MAGIC: [u8; 16] =
    [0xCF, 0xD0, 0x09, 0xA8, 0x2A, 0x1F, 0xD2, 0x11, 0x87, 0x49, 0x00, 0x20, 0xAF, 0xE6, 0x36, 0xEE];

// More bones than this are nobody's.
const MAX_BONES: usize = 1024;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bad {
    pub kind: &'static str,
    pub section: &'static str,
    pub offset: u64,
}

/// How the end of the skeleton is looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Search {
    /// Everywhere; there may be one place only.
    #[default]
    Strict,
    /// Up to the first place that fits.
    First,
    /// By the skeleton's record.
    Given(Layout),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Options {
    pub search: Search,
    /// Up to three zero bytes may follow the last frame.
    pub trailing_zeros: bool,
}

/// The bytes around the bones' names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Layout {
    pub prologue: usize,
    pub pre: usize,
    pub name: NameForm,
    pub post: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NameForm {
    U8,
    U16,
    Fixed(usize),
}

#[derive(Debug, Clone)]
pub struct Gsa {
    pub minor: u8,
    pub unknown: [u16; 2],
    pub frame_rate: u16,
    /// Where the skeleton starts.
    pub start: usize,
    /// Where it ends.
    pub marker: usize,
    pub skeleton: Vec<u8>,
    /// The bones by a given layout.
    pub bones: Option<Vec<Bone>>,
    /// None for all bones.
    pub ids: Vec<u16>,
    /// Rotations per frame.
    pub m: usize,
    pub first: usize,
    pub frames: Vec<Frame>,
    /// How often a frame's event count is written.
    pub count_words: usize,
    /// After the last frame.
    pub end: usize,
    /// Code, section and offset, in the order of the rules.
    pub quirks: Vec<(&'static str, &'static str, u64)>,
}

#[derive(Debug, Clone)]
pub struct Frame {
    pub offset: usize,
    pub origin: [f32; 3],
    pub rotation: [f32; 4],
    pub root: [f32; 3],
    pub rotations: Vec<[f32; 4]>,
    /// Without the NUL.
    pub events: Vec<Vec<u8>>,
}

/// The record of a bone by a given layout.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bone {
    pub pre: Vec<u8>,
    /// Up to the first NUL.
    pub name: Vec<u8>,
    pub post: Vec<u8>,
}

/// A place where the skeleton may end, and what follows from it.
#[derive(Clone)]
struct Survivor {
    marker: usize,
    ids: Vec<u16>,
    m: usize,
    first: usize,
    frames: Vec<Frame>,
    count_words: usize,
    bones: Option<Vec<Bone>>,
}

/// Where a marker and what must follow it were found.
struct Candidate {
    marker: usize,
    ids: Vec<u16>,
    frame_count: usize,
    first: usize,
}

/// Reads an animation.
pub fn read(bytes: &[u8], options: Options) -> Result<Gsa, Bad> {
    known(bytes)?;
    if bytes.len() < 24 {
        return Err(bad("truncated", "header", 0));
    }
    let mut quirks = Vec::new();
    let mut version_at = 16;
    if bytes[16..22] == MAGIC[10..16] {
        quirks.push(("doubled-magic-node", "header", 16));
        version_at = 22;
        if bytes.len() < 30 {
            return Err(bad("truncated", "header", 0));
        }
    }
    let (minor, major) = (bytes[version_at], bytes[version_at + 1]);
    if major != 4 || (minor != 1 && minor != 2) {
        return Err(bad("gsa-version", "header", version_at));
    }
    let start = version_at + 8;

    let mut file = File { bytes, is_whole: true, minor, start };
    let mut found = file.search(options.search);
    if options.trailing_zeros && found.as_ref().is_err_and(|error| error.kind == "marker-not-found") {
        let whole = found;
        let mut end = bytes.len();
        found = loop {
            if end == start || bytes.len() - end == 3 || bytes[end - 1] != 0 {
                break whole;
            }
            end -= 1;
            (file.bytes, file.is_whole) = (&bytes[..end], false);
            match file.search(options.search) {
                Err(error) if error.kind == "marker-not-found" => {}
                other => break other,
            }
        };
    }
    let survivor = found?;
    if survivor.count_words != file.standard_words() {
        quirks.push(("event-count-words", "frames", survivor.first as u64));
    }
    let end = file.bytes.len();
    if end < bytes.len() {
        quirks.push(("trailing-bytes", "end", end as u64));
    }
    Ok(Gsa {
        minor,
        unknown: [u16_at(bytes, version_at + 2), u16_at(bytes, version_at + 6)],
        frame_rate: u16_at(bytes, version_at + 4),
        start,
        marker: survivor.marker,
        skeleton: bytes[start..survivor.marker].to_vec(),
        bones: survivor.bones,
        ids: survivor.ids,
        m: survivor.m,
        first: survivor.first,
        frames: survivor.frames,
        count_words: survivor.count_words,
        end,
        quirks,
    })
}

/// Whether a file begins as an animation does.
pub fn begins(b: &[u8]) -> bool {
    b.starts_with(&MAGIC)
}

/// Whether the file is a GSA at all.
fn known(b: &[u8]) -> Result<(), Bad> {
    if begins(b) { Ok(()) } else { Err(bad(family::stranger(b), "file", 0)) }
}

/// A file up to where its frames must end.
struct File<'b> {
    // Nothing was cut off.
    is_whole: bool,
    bytes: &'b [u8],
    minor: u8,
    start: usize,
}

impl File<'_> {
    fn standard_words(&self) -> usize {
        usize::from(self.minor != 1)
    }

    fn other_words(&self) -> Vec<usize> {
        (0..=2).filter(|words| *words != self.standard_words()).collect()
    }

    fn search(&self, search: Search) -> Result<Survivor, Bad> {
        match search {
            Search::Strict => self.only(self.everywhere(), "marker-not-found", self.start),
            Search::First => self.first().ok_or_else(|| bad("marker-not-found", "skeleton", self.start)),
            Search::Given(layout) => self.given(layout),
        }
    }

    fn only(&self, mut survivors: Vec<Survivor>, none: &'static str, offset: usize) -> Result<Survivor, Bad> {
        match survivors.len() {
            0 => Err(bad(none, "skeleton", offset)),
            1 => Ok(survivors.remove(0)),
            _ => Err(bad("ambiguous-marker", "skeleton", self.start)),
        }
    }

    fn everywhere(&self) -> Vec<Survivor> {
        let survivors = |words: usize| -> Vec<Survivor> {
            let mut survivors = Vec::new();
            for marker in self.start..self.bytes.len() {
                let Some(candidate) = self.candidate(marker) else { continue };
                for m in self.bone_counts(&candidate) {
                    survivors.extend(self.closing(&candidate, m, words).filter(unit_frames));
                }
            }
            survivors
        };
        let standard = survivors(self.standard_words());
        if standard.is_empty() { self.other_words().into_iter().flat_map(survivors).collect() } else { standard }
    }

    fn first(&self) -> Option<Survivor> {
        let mut order = vec![self.standard_words()];
        order.extend(self.other_words());
        for words in order {
            for marker in self.start..self.bytes.len() {
                let Some(candidate) = self.candidate(marker) else { continue };
                for m in self.bone_counts(&candidate) {
                    let Some(survivor) = self.closing(&candidate, m, words) else { continue };
                    let is_pose = candidate.ids.is_empty() && candidate.frame_count == 1;
                    let is_usual = self.is_whole && words == self.standard_words() && !is_pose;
                    if is_usual || unit_frames(&survivor) {
                        return Some(survivor);
                    }
                }
            }
        }
        None
    }

    fn candidate(&self, marker: usize) -> Option<Candidate> {
        if self.slice(marker, 2)? != [0xFF, 0xFF] {
            return None;
        }
        let count = usize::from(u16_at(self.slice(marker + 2, 2)?, 0));
        if count > MAX_BONES {
            return None;
        }
        let list = self.slice(marker + 4, 2 * count)?;
        let ids: Vec<u16> = (0..count).map(|index| u16_at(list, 2 * index)).collect();
        for (index, id) in ids.iter().enumerate() {
            if usize::from(*id) >= MAX_BONES || ids[..index].contains(id) {
                return None;
            }
        }
        let frame_count = usize::from(u16_at(self.slice(marker + 4 + 2 * count, 2)?, 0));
        let first = marker + 6 + 2 * count;
        (frame_count > 0).then_some(Candidate { marker, ids, frame_count, first })
    }

    fn bone_counts(&self, candidate: &Candidate) -> Vec<usize> {
        if !candidate.ids.is_empty() {
            return vec![candidate.ids.len()];
        }
        (1..=usize::min(MAX_BONES, (candidate.marker - self.start) / 4)).collect()
    }

    /// The frames, if they end where the file does.
    fn closing(&self, candidate: &Candidate, m: usize, words: usize) -> Option<Survivor> {
        let mut ends = vec![candidate.first];
        for _ in 0..candidate.frame_count {
            ends.push(self.frame_end(*ends.last()?, m, words)?);
        }
        if *ends.last()? != self.bytes.len() {
            return None;
        }
        let frames = ends[..candidate.frame_count].iter().map(|at| self.frame(*at, m, words));
        Some(Survivor {
            marker: candidate.marker,
            ids: candidate.ids.clone(),
            m,
            first: candidate.first,
            frames: frames.collect(),
            count_words: words,
            bones: None,
        })
    }

    fn frame_end(&self, at: usize, m: usize, words: usize) -> Option<usize> {
        let mut at = at + 40 + 16 * m;
        if at > self.bytes.len() {
            return None;
        }
        let counts = self.slice(at, 2 * words)?;
        at += 2 * words;
        let count = if words > 0 { u16_at(counts, 0) } else { 0 };
        if (words == 2 && u16_at(counts, 2) != count) || (self.minor == 1 && count > 0) {
            return None;
        }
        for _ in 0..count {
            let length = usize::from(u16_at(self.slice(at, 2)?, 0));
            let (last, name) = self.slice(at + 2, length)?.split_last()?;
            if *last != 0 || !name.iter().all(|byte| printable(*byte)) {
                return None;
            }
            at += 2 + length;
        }
        Some(at)
    }

    /// A frame that is known to be whole.
    fn frame(&self, offset: usize, m: usize, words: usize) -> Frame {
        let b = self.bytes;
        let rotations = (0..m).map(|bone| f32x4(b, offset + 40 + 16 * bone)).collect();
        let mut at = offset + 40 + 16 * m;
        let count = if words > 0 { u16_at(b, at) } else { 0 };
        at += 2 * words;
        let mut events = Vec::new();
        for _ in 0..count {
            let length = usize::from(u16_at(b, at));
            events.push(b[at + 2..at + 1 + length].to_vec());
            at += 2 + length;
        }
        let (origin, root) = (f32x3(b, offset), f32x3(b, offset + 28));
        Frame { offset, origin, rotation: f32x4(b, offset + 12), root, rotations, events }
    }

    fn slice(&self, at: usize, size: usize) -> Option<&[u8]> {
        self.bytes.get(at..at.checked_add(size)?)
    }
}

fn unit_frames(survivor: &Survivor) -> bool {
    survivor.frames.iter().all(|frame| unit(frame.rotation) && frame.rotations.iter().all(|rotation| unit(*rotation)))
}

fn square([x, y, z, w]: [f32; 4]) -> f32 {
    ((x * x + y * y) + z * z) + w * w
}

/// Whether four floats can be a rotation; false for what is no number.
fn unit(rotation: [f32; 4]) -> bool {
    (square(rotation) - 1.0).abs() <= 0.02
}

fn printable(byte: u8) -> bool {
    byte >= 0x20 && byte != 0x7F
}

fn bad(kind: &'static str, section: &'static str, offset: usize) -> Bad {
    Bad { kind, section, offset: offset as u64 }
}

fn u16_at(b: &[u8], o: usize) -> u16 {
    u16::from_le_bytes([b[o], b[o + 1]])
}

fn f32_at(b: &[u8], o: usize) -> f32 {
    f32::from_le_bytes([b[o], b[o + 1], b[o + 2], b[o + 3]])
}

fn f32x3(b: &[u8], o: usize) -> [f32; 3] {
    [f32_at(b, o), f32_at(b, o + 4), f32_at(b, o + 8)]
}

fn f32x4(b: &[u8], o: usize) -> [f32; 4] {
    [f32_at(b, o), f32_at(b, o + 4), f32_at(b, o + 8), f32_at(b, o + 12)]
}
