//! A naive PSK, PSKX and PSA reader: no views, no laziness, every field copied on its own.
//!
//! Structure only; what a value means (ranges, sums, names) is not judged here.

// Fields are called what the reference calls them.
#![allow(clippy::struct_field_names)]

pub mod config;
mod contents;
mod walk;

use std::ops::Range;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bad {
    pub kind: &'static str,
    pub section: String,
    pub offset: u64,
}

/// Whether a file begins as a mesh or an animation does. A chunk id ends in a NUL, where the file is long enough to tell.
pub fn begins(b: &[u8]) -> bool {
    (b.starts_with(b"ACTRHEAD") || b.starts_with(b"ANIMHEAD")) && (b.len() < 32 || b[8] == 0)
}

/// The chunks of a file, and what was odd about them.
#[derive(Debug, Clone)]
pub struct Outline {
    pub mesh: bool,
    pub chunks: Vec<Chunk>,
    pub quirks: Vec<&'static str>,
}

#[derive(Debug, Clone)]
pub enum File {
    Psk(Psk),
    Psa(Psa),
}

#[derive(Debug, Clone)]
pub struct Chunk {
    /// The bytes before the first NUL.
    pub id: Vec<u8>,
    pub raw_id: [u8; 20],
    /// Where the header starts.
    pub offset: u64,
    pub type_flag: u32,
    /// Bytes per record, as used.
    pub record_size: u32,
    /// Records, as used.
    pub count: u32,
    pub declared_size: i32,
    pub declared_count: i32,
    pub body: Range<usize>,
}

#[derive(Debug, Clone, Default)]
pub struct Psk {
    pub chunks: Vec<Chunk>,
    pub points: Vec<[f32; 3]>,
    pub wedges: Vec<Wedge>,
    pub faces: Vec<Face>,
    pub materials: Vec<Material>,
    pub bones: Vec<Bone>,
    pub weights: Vec<Weight>,
    pub colors: Vec<[u8; 4]>,
    pub uv_sets: Vec<Vec<[f32; 2]>>,
    pub normals: Vec<[f32; 3]>,
    pub tangents: Vec<[f32; 4]>,
    pub morphs: Vec<Morph>,
    pub deltas: Vec<Delta>,
    pub sockets: Vec<Socket>,
    pub quirks: Vec<&'static str>,
}

#[derive(Debug, Clone, Default)]
pub struct Psa {
    pub chunks: Vec<Chunk>,
    pub bones: Vec<Bone>,
    pub infos: Vec<Info>,
    pub keys: Vec<Key>,
    pub scale_keys: Vec<ScaleKey>,
    pub curves: Vec<CurveChunk>,
    pub sequences: Vec<Sequence>,
    pub quirks: Vec<&'static str>,
}

#[derive(Debug, Clone)]
pub struct Wedge {
    /// Resolved by the 65 536-point rule.
    pub point: u32,
    pub raw_point: u32,
    pub u: f32,
    pub v: f32,
    pub material: u8,
    pub reserved: u8,
    pub padding: u16,
}

#[derive(Debug, Clone)]
pub struct Face {
    pub wedges: [u32; 3],
    pub material: u8,
    pub aux_material: u8,
    pub smoothing_groups: u32,
}

#[derive(Debug, Clone)]
pub struct Material {
    pub name: [u8; 64],
    pub texture_index: i32,
    pub poly_flags: u32,
    pub aux_material: i32,
    pub aux_flags: u32,
    pub lod_bias: i32,
    pub lod_style: i32,
}

#[derive(Debug, Clone)]
pub struct Bone {
    pub name: [u8; 64],
    pub flags: u32,
    pub children: i32,
    pub parent: i32,
    pub rotation: [f32; 4],
    pub position: [f32; 3],
    pub length: f32,
    pub size: [f32; 3],
}

#[derive(Debug, Clone)]
pub struct Weight {
    pub weight: f32,
    pub point: i32,
    pub bone: i32,
}

#[derive(Debug, Clone)]
pub struct Morph {
    pub name: [u8; 64],
    pub count: i32,
}

#[derive(Debug, Clone)]
pub struct Delta {
    pub position: [f32; 3],
    pub normal: [f32; 3],
    pub point: i32,
}

#[derive(Debug, Clone)]
pub struct Socket {
    pub name: [u8; 64],
    pub bone: [u8; 64],
    pub location: [f32; 3],
    /// Pitch, yaw, roll in degrees.
    pub rotation: [f32; 3],
    pub scale: [f32; 3],
}

#[derive(Debug, Clone)]
pub struct Info {
    pub name: [u8; 64],
    pub group: [u8; 64],
    pub total_bones: i32,
    pub root_include: i32,
    pub key_compression_style: i32,
    pub key_quotum: i32,
    pub key_reduction: f32,
    pub track_time: f32,
    pub rate: f32,
    pub start_bone: i32,
    pub first_raw_frame: i32,
    pub num_raw_frames: i32,
}

#[derive(Debug, Clone)]
pub struct Key {
    pub position: [f32; 3],
    pub rotation: [f32; 4],
    pub time: f32,
}

#[derive(Debug, Clone)]
pub struct ScaleKey {
    pub scale: [f32; 3],
    pub time: f32,
}

#[derive(Debug, Clone)]
pub struct CurveChunk {
    pub id: Vec<u8>,
    pub record_size: u32,
    /// The raw 128-byte name and a weight per frame.
    pub curves: Vec<(Vec<u8>, Vec<f32>)>,
}

#[derive(Debug, Clone)]
pub struct Sequence {
    /// The raw 64 bytes.
    pub name: Vec<u8>,
    /// Resolved by the frame-numbering rule.
    pub first_frame: u64,
    pub frames: u64,
    pub rate: f32,
    /// Index of its first scale key.
    pub scale_first: Option<u64>,
}

impl Psa {
    /// How many of a sequence's frames have keys.
    pub fn held(&self, sequence: &Sequence) -> u64 {
        let total = self.keys.len().checked_div(self.bones.len()).unwrap_or(0) as u64;
        sequence.frames.min(total.saturating_sub(sequence.first_frame))
    }
}

/// Reads a file; the first broken rule in file order is the one reported.
pub fn read(bytes: &[u8]) -> Result<File, Bad> {
    let Outline { mesh, chunks, quirks } = outline(bytes)?;
    Ok(if mesh {
        File::Psk(contents::mesh(bytes, chunks, quirks))
    } else {
        File::Psa(contents::animation(bytes, chunks, quirks))
    })
}

/// Walks a file and copies nothing out of it; fails where [`read`] fails.
pub fn outline(bytes: &[u8]) -> Result<Outline, Bad> {
    outline_as_found(bytes).map_err(|error| {
        let symptom = matches!(error.kind, "truncated" | "negative-count" | "negative-size" | "records-overrun");
        if symptom && looks_crlf_mangled(bytes) { Bad { kind: "crlf", ..error } } else { error }
    })
}

/// A name as text: UTF-8 if it is, Windows-1252 otherwise.
pub fn text(raw: &[u8]) -> String {
    decoded(up_to_nul(raw))
}

/// Text that has no NUL to end it.
pub fn decoded(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => bytes.iter().map(|&byte| windows_1252(byte)).collect(),
    }
}

/// A name as a lookup key: what precedes the NUL, less the padding of Epic's Max exporter.
pub fn key(raw: &[u8]) -> &[u8] {
    let mut bytes = up_to_nul(raw);
    while let [rest @ .., b' '] = bytes {
        bytes = rest;
    }
    bytes
}

fn up_to_nul(raw: &[u8]) -> &[u8] {
    match raw.iter().position(|&byte| byte == 0) {
        Some(nul) => &raw[..nul],
        None => raw,
    }
}

fn windows_1252(byte: u8) -> char {
    // The WHATWG table: the five bytes Microsoft leaves undefined stay control characters.
    const HIGH: [u16; 32] = [
        0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8D,
        0x017D, 0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A,
        0x0153, 0x9D, 0x017E, 0x0178,
    ];
    match byte {
        0x80..=0x9F => char::from_u32(u32::from(HIGH[usize::from(byte) - 0x80])).unwrap(),
        _ => char::from(byte),
    }
}

fn looks_crlf_mangled(bytes: &[u8]) -> bool {
    let mut pairs = 0;
    for (at, &byte) in bytes.iter().enumerate() {
        if byte == b'\n' {
            if at == 0 || bytes[at - 1] != b'\r' {
                return false;
            }
            pairs += 1;
        }
    }
    pairs > 0
}

fn bad(kind: &'static str, section: &[u8], offset: usize) -> Bad {
    Bad { kind, section: text(section), offset: offset as u64 }
}

fn outline_as_found(b: &[u8]) -> Result<Outline, Bad> {
    let mesh = walk::recognise(b)?;
    let (chunks, quirks) = walk::walk(b, mesh)?;
    for id in ["BONENAMES", "ANIMINFO", "ANIMKEYS"] {
        if !mesh && !chunks.iter().any(|chunk| chunk.id == id.as_bytes()) {
            return Err(bad("missing-chunk", id.as_bytes(), b.len()));
        }
    }
    Ok(Outline { mesh, chunks, quirks })
}
