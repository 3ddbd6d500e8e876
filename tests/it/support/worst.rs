//! The worst files that could be thought of, of any size: what a walk, a look-up or a check could take the square of.
//!
//! Written straight, without names for their parts, of which there are millions. Shared by tests and benchmarks.

// Each user needs a different part.
#![allow(dead_code, unreachable_pub)]
#![allow(clippy::cast_possible_truncation, clippy::cast_possible_wrap, clippy::cast_precision_loss)]

use super::build::{Bone, IDENTITY, Info, Key, Morph, Record, Socket, Wedge, Weight, name, to_bytes};
use super::build_swat3;

/// A kind of file, of which there is one for every number of records.
#[derive(Clone, Copy)]
pub struct Worst {
    pub name: &'static str,
    /// How many records make about a hundred bytes each.
    pub of: fn(usize) -> Vec<u8>,
}

const fn worst(name: &'static str, of: fn(usize) -> Vec<u8>) -> Worst {
    Worst { name, of }
}

/// Meshes and animations of `ActorX`.
pub const ACTORX: [Worst; 27] = [
    worst("psk/empty-chunks", |count| mesh(repeat(count, || chunk("PNTS0000", 0, 12, 0)))),
    worst("psk/heads", |count| mesh(repeat(count, || chunk("ACTRHEAD", 0, 0, 0)))),
    // Each has four oddities of its own.
    worst("psk/odd-chunks", |count| mesh(repeat(count, || chunk_of(*b"\x01\0garbage\0\0\0\0\0\0\0\0\0\0\0", 7, 0, 0)))),
    worst("psk/uv-sets", |count| mesh(repeat(count, || [chunk("EXTRAUV0", 0, 8, 1), vec![0xFF; 8]].concat()))),
    worst("psk/cut-sockets", |count| {
        mesh(repeat(count, || [chunk("SKELSOCK", 0, 164, i32::MAX), vec![0; 164]].concat()))
    }),
    // No header is where one should be, until the end.
    worst("psk/uncut-sockets", |count| {
        mesh([chunk("SKELSOCK", 0, 164, count as i32), vec![0xFF; 164 * count]].concat())
    }),
    worst("psk/bones/one-name", |count| bones(count, |_| String::from("Bone"), |_| 0)),
    worst("psk/bones/chain", |count| bones(count, numbered, |bone| bone - 1)),
    worst("psk/bones/chain-upwards", |count| bones(count, numbered, |bone| bone + 1)),
    worst("psk/bones/cycle", |count| {
        let last = count as i32;
        let mut file = bones(count, numbered, |bone| bone + 1);
        // The last bone's parent is the first.
        let at = file.len() - 120 + 72;
        assert_eq!(file[at..at + 4], last.to_le_bytes());
        file[at..at + 4].fill(0);
        file
    }),
    worst("psk/bones/pairs", |count| bones(count, numbered, |bone| bone ^ 1)),
    worst("psk/bones/own-parents", |count| bones(count, numbered, |bone| bone)),
    worst("psk/bones/all-roots", |count| bones(count, numbered, |_| -1)),
    worst("psk/bones/past-the-end", |count| bones(count, numbered, |_| i32::MAX)),
    worst("psk/materials", |count| {
        mesh(records("MATT0000", 88, repeat(count, || [name("Skin").as_slice(), &[0xFF; 24]].concat())))
    }),
    worst("psk/morphs", |count| {
        let infos = repeat(count, || to_bytes(&[Morph { name: name("Smile"), count: 1 }]));
        mesh([records("MRPHINFO", 68, infos), records("MRPHDATA", 28, vec![0xFF; 28 * count])].concat())
    }),
    worst("psk/morphs-of-everything", |count| {
        let infos = repeat(count, || to_bytes(&[Morph { name: name("Smile"), count: i32::MAX }]));
        mesh([records("MRPHINFO", 68, infos), records("MRPHDATA", 28, vec![0; 28 * 100])].concat())
    }),
    worst("psk/sockets", |count| {
        let sockets = (0..count).flat_map(|at| to_bytes(&[Socket::new(&numbered(at), &numbered(at + 1), [0.0; 3])]));
        let bones = (0..count).flat_map(|at| to_bytes(&[Bone::new(&numbered(at), 0, [0.0; 3], IDENTITY)]));
        mesh([records("REFSKELT", 120, bones.collect()), records("SKELSOCK", 164, sockets.collect())].concat())
    }),
    worst("psk/skin", |count| {
        let wedges = (0..count).flat_map(|_| to_bytes(&[Wedge::new(u32::MAX, [f32::NAN; 2], 255)]));
        let weights = |at| to_bytes(&[Weight { weight: 2.0, point: (at % 7) as i32, bone: -1 }]);
        let parts = [
            records("PNTS0000", 12, vec![0xFF; 12 * count]),
            records("VTXW0000", 16, wedges.collect()),
            records("FACE3200", 18, vec![0xFF; 18 * count]),
            records("RAWWEIGHTS", 12, (0..count).flat_map(weights).collect()),
        ];
        mesh(parts.concat())
    }),
    worst("psa/same-frames", |count| animation(4, 5, repeat(count, || info("Walk", 4, 0, 5)), &[])),
    worst("psa/distinct-names", |count| animation(4, 5, indexed(count, |at| info(&numbered(at), 4, 0, 5)), &[])),
    worst("psa/frames-past-the-end", |count| animation(4, 5, repeat(count, || info("Walk", 4, -1, i32::MAX)), &[])),
    worst("psa/curves", |count| {
        let curves = indexed(count, |at| chunk(&format!("S{at:07}:CUR"), 0, 128, 0));
        animation(4, 5, indexed(count, |at| info(&format!("S{at:07}"), 4, 0, 0)), &curves)
    }),
    // All ids begin alike, and so do the names of the sequences.
    worst("psa/curves-of-one-name", |count| {
        let curves = repeat(count, || chunk("Walk:CUR", 0, 128, 0));
        animation(4, 5, repeat(count, || info("Walk", 4, 0, 0)), &curves)
    }),
    worst("psa/stray-curves", |count| animation(4, 5, Vec::new(), &repeat(count, || chunk("Walk:CUR", 0, 128, 0)))),
    worst("psa/bones-without-keys", |count| animation(count, 0, repeat(count, || info("Walk", count, 0, 0)), &[])),
    worst("psa/keys", |count| animation(1, 3 * count, info("Walk", 1, 0, 3 * count as i32), &[])),
];

/// Meshes and animations of Pyrogenesis.
pub const PYROGENESIS: [Worst; 9] = [
    worst("pmd/empty-props", |count| pmd(0, &[], 0, 0, props(3 * count, |_| String::new()))),
    worst("pmd/distinct-props", |count| pmd(0, &[], 0, 0, props(2 * count, numbered))),
    worst("pmd/one-long-name", |count| pmd(0, &[], 0, 0, props(1, |_| "\x7F".repeat(100 * count)))),
    worst("pmd/vertices", |count| pmd(1, &vec![0xFF; 52 * count], 0, 4, Vec::new())),
    worst("pmd/uv-sets-of-one-vertex", |count| pmd(12 * count as u32, &vec![0xFF; 44 + 96 * count], 0, 0, Vec::new())),
    worst("pmd/bones", |count| pmd(0, &[0; 44 * 3], 0, 3 * count as u32, Vec::new())),
    worst("psa/many-bones", |count| states(3 * count as u32, 1)),
    worst("psa/many-frames", |count| states(1, 3 * count as u32)),
    worst("psa/frames-of-nothing", |_| states(0, u32::MAX)),
];

/// Animations of SWAT 3, sound ones last.
pub const SWAT3: [Worst; 9] = [
    worst("gsa/all-ff", |count| gsa(2, &[0xFF], 100 * count)),
    worst("gsa/starts", |count| gsa(1, &[0xFF, 0xFF, 0, 0, 1, 0], 100 * count)),
    worst("gsa/starts-with-events", |count| gsa(2, &[0xFF, 0xFF, 0, 0, 2, 0], 100 * count)),
    worst("gsa/lists-of-ids", |count| {
        let ids: Vec<u8> = (0..1024_u16).flat_map(u16::to_le_bytes).collect();
        gsa(2, &[&[0xFF, 0xFF, 0, 4], ids.as_slice(), &[1, 0]].concat(), 100 * count)
    }),
    worst("gsa/rotations", |count| {
        let quarter = [0, 0, 0, 0x3F].repeat(4);
        let frame = [&[0; 12], quarter.as_slice(), &[0; 12], &quarter.repeat(6), &[0, 0]].concat();
        gsa(2, &[&[0xFF, 0xFF, 0, 0, 40, 0], frame.as_slice()].concat(), 100 * count)
    }),
    worst("gsa/names", |count| {
        // Runs of names that end before the skeleton does.
        let bone = [&[5, 0], b"Bone\0".as_slice(), &[0; 7]].concat();
        let runs = [bone.repeat(3), vec![0; 5]].concat();
        sound_gsa(&[runs.repeat(100 * count / 47), vec![1; 9000]].concat(), &[3], 2, 0)
    }),
    worst("gsa/wide-bones", |count| {
        // Every place of every bone could be an id, a parent and a rotation, and has to be looked at in all bones.
        let wide = (count / 2).min(60_000);
        let bones = (0..200_u16)
            .flat_map(|_| [&[5, 0], b"Bone\0".as_slice(), &0.5_f32.to_le_bytes().repeat(wide / 4)].concat());
        sound_gsa(&bones.collect::<Vec<u8>>(), &[3], 2, 0)
    }),
    worst("gsa/events", |count| sound_gsa(&[1; 100], &[3], 2, 25 * count)),
    worst("gsa/frames", |count| sound_gsa(&[1; 100], &[3], (count * 5 / 3).clamp(1, 65_535), 0)),
];

/// Sizes at which every kind is large enough for a square to show, in records.
pub const A_MILLION: usize = 1_000_000;

fn repeat(count: usize, one: impl Fn() -> Vec<u8>) -> Vec<u8> {
    one().repeat(count)
}

fn indexed(count: usize, one: impl Fn(usize) -> Vec<u8>) -> Vec<u8> {
    let mut all = Vec::new();
    (0..count).for_each(|at| all.extend_from_slice(&one(at)));
    all
}

/// A name that no other number has.
pub fn numbered(number: usize) -> String {
    format!("Bip01 Finger {number}")
}

fn chunk(id: &str, flag: u32, size: i32, count: i32) -> Vec<u8> {
    let mut raw = [0; 20];
    raw[..id.len()].copy_from_slice(id.as_bytes());
    chunk_of(raw, flag, size, count)
}

fn chunk_of(id: [u8; 20], flag: u32, size: i32, count: i32) -> Vec<u8> {
    [id.as_slice(), &flag.to_le_bytes(), &size.to_le_bytes(), &count.to_le_bytes()].concat()
}

fn records(id: &str, size: usize, body: Vec<u8>) -> Vec<u8> {
    assert_eq!(body.len() % size, 0);
    [chunk(id, 0, size as i32, (body.len() / size) as i32), body].concat()
}

fn mesh(chunks: Vec<u8>) -> Vec<u8> {
    [chunk("ACTRHEAD", 0, 0, 0), chunks].concat()
}

fn bones(count: usize, name: impl Fn(usize) -> String, parent: impl Fn(i32) -> i32) -> Vec<u8> {
    let bone = |at: usize| to_bytes(&[Bone::new(&name(at), parent(at as i32), [0.0; 3], IDENTITY)]);
    mesh(records("REFSKELT", Bone::SIZE, indexed(count, bone)))
}

pub fn info(name: &str, bones: usize, first: i32, frames: i32) -> Vec<u8> {
    let mut info = Info::new(name, bones, first, 0, 20.0);
    info.num_raw_frames = frames;
    to_bytes(&[info])
}

/// An animation of bones with distinct names, with the records of its sequences and further chunks.
pub fn animation(bones: usize, frames: usize, infos: Vec<u8>, further: &[u8]) -> Vec<u8> {
    let bone = |at: usize| to_bytes(&[Bone::new(&numbered(at), (at as i32 - 1).max(0), [0.0; 3], IDENTITY)]);
    let key = to_bytes(&[Key { position: [0.0; 3], rotation: IDENTITY, time: 1.0 }]);
    let parts = [
        chunk("ANIMHEAD", 0, 0, 0),
        records("BONENAMES", Bone::SIZE, indexed(bones, bone)),
        records("ANIMINFO", Info::SIZE, infos),
        records("ANIMKEYS", Key::SIZE, key.repeat(bones * frames)),
        further.to_vec(),
    ];
    parts.concat()
}

fn pyrogenesis(magic: [u8; 4], version: u32, payload: &[u8]) -> Vec<u8> {
    [magic.as_slice(), &version.to_le_bytes(), &(payload.len() as u32).to_le_bytes(), payload].concat()
}

fn props(count: usize, name: impl Fn(usize) -> String) -> Vec<u8> {
    let prop = |at: usize| {
        let name = name(at);
        [&(name.len() as u32).to_le_bytes(), name.as_bytes(), &[0xFF; 28], &[7]].concat()
    };
    [(count as u32).to_le_bytes().to_vec(), indexed(count, prop)].concat()
}

/// A mesh of version 4; its bones stand at the origin.
fn pmd(uv_sets: u32, vertices: &[u8], faces: u32, bones: u32, props: Vec<u8>) -> Vec<u8> {
    let size = 44 + 8 * uv_sets as usize;
    let count = (vertices.len() / size) as u32;
    assert_eq!(vertices.len(), count as usize * size);
    let mut payload = [count.to_le_bytes(), uv_sets.to_le_bytes()].concat();
    payload.extend_from_slice(vertices);
    payload.extend([faces.to_le_bytes(), bones.to_le_bytes()].concat());
    payload.extend(state().repeat(bones as usize));
    payload.extend(if props.is_empty() { vec![0; 4] } else { props });
    pyrogenesis(*b"PSMD", 4, &payload)
}

fn state() -> Vec<u8> {
    to_bytes(&[[0.0_f32, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0]])
}

pub fn states(bones: u32, frames: u32) -> Vec<u8> {
    let mut payload = [0_u32.to_le_bytes(), 33.0_f32.to_le_bytes(), bones.to_le_bytes(), frames.to_le_bytes()].concat();
    payload.extend(state().repeat(bones as usize * frames as usize));
    pyrogenesis(*b"PSSA", 1, &payload)
}

fn gsa_header(minor: u8) -> Vec<u8> {
    [build_swat3::MAGIC.as_slice(), &[minor, 4, 0, 0, 10, 0, 0, 0]].concat()
}

/// A header and so many bytes of a pattern.
fn gsa(minor: u8, pattern: &[u8], bytes: usize) -> Vec<u8> {
    let mut file = gsa_header(minor);
    file.extend(pattern.iter().cycle().take(bytes));
    file
}

/// A sound file of version 4.2 with this skeleton, animated ids, frames at rest, and events shared out among them.
fn sound_gsa(skeleton: &[u8], ids: &[u16], frames: usize, events: usize) -> Vec<u8> {
    let frames = frames.max(events.div_ceil(60_000));
    let mut file =
        [gsa_header(2).as_slice(), skeleton, &build_swat3::MARKER, &(ids.len() as u16).to_le_bytes()].concat();
    file.extend(ids.iter().flat_map(|id| id.to_le_bytes()));
    file.extend((frames as u16).to_le_bytes());
    let mut left = events;
    for _ in 0..frames {
        file.extend(to_bytes(&[[0.0_f32; 3]]));
        file.extend(to_bytes(&[IDENTITY]));
        file.extend(to_bytes(&[[0.0_f32; 3]]));
        file.extend(to_bytes(&[IDENTITY]).repeat(ids.len()));
        let here = left.min(60_000);
        left -= here;
        file.extend((here as u16).to_le_bytes());
        (0..here).for_each(|_| file.extend([2, 0, b'a', 0]));
    }
    file
}

/// Archives of entries without data, or of data deflated to nothing.
pub const ARCHIVES: [Worst; 6] = [
    worst("zip/no-names", |count| archive(count, |_| String::new())),
    worst("zip/one-name", |count| archive(count, |_| String::from("a.psa"))),
    worst("zip/distinct-names", |count| archive(count, |at| format!("art/{at}.psa"))),
    worst("zip/deep-names", |count| archive(count / 40, |at| format!("{}{at}.psa", "a/".repeat(2000)))),
    worst("zip/odd-names", |count| archive(count, |at| format!("\x1B[31m{at}.psa"))),
    worst("zip/no-model", |count| archive(count, |at| format!("{at}"))),
];

/// An archive of empty stored entries with these names.
pub fn archive(count: usize, name: impl Fn(usize) -> String) -> Vec<u8> {
    archive_of((0..count).map(|at| Entry { name: name(at), body: Vec::new(), inflated: None }))
}

/// An entry, stored unless it says how many bytes it is inflated to.
pub struct Entry {
    pub name: String,
    pub body: Vec<u8>,
    pub inflated: Option<u32>,
}

/// An archive with a ZIP64 end. Checksums are zero, which that of nothing is.
pub fn archive_of(entries: impl Iterator<Item = Entry>) -> Vec<u8> {
    let (mut file, mut directory, mut count) = (Vec::new(), Vec::new(), 0_u64);
    for Entry { name, body, inflated } in entries {
        let at = file.len() as u32;
        let length = body.len() as u32;
        let mut fields = vec![20, 0, 0, 0];
        fields.extend(if inflated.is_some() { 8_u16 } else { 0 }.to_le_bytes());
        fields.extend([0; 8]);
        fields.extend(length.to_le_bytes());
        fields.extend(inflated.unwrap_or(length).to_le_bytes());
        fields.extend((name.len() as u16).to_le_bytes());
        fields.extend([0, 0]);
        file.extend(b"PK\x03\x04");
        file.extend(&fields);
        file.extend(name.as_bytes());
        file.extend(&body);
        directory.extend(b"PK\x01\x02\x14\0");
        directory.extend(&fields);
        directory.extend([0; 10]);
        directory.extend(at.to_le_bytes());
        directory.extend(name.as_bytes());
        count += 1;
    }
    let start = file.len();
    file.extend(&directory);
    let end64 = file.len() as u64;
    file.extend(b"PK\x06\x06");
    file.extend(44_u64.to_le_bytes());
    file.extend([45, 0, 45, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    for number in [count, count, directory.len() as u64, start as u64] {
        file.extend(number.to_le_bytes());
    }
    file.extend(b"PK\x06\x07\0\0\0\0");
    file.extend(end64.to_le_bytes());
    file.extend(1_u32.to_le_bytes());
    file.extend(b"PK\x05\x06\0\0\0\0\xFF\xFF\xFF\xFF");
    file.extend((directory.len() as u32).to_le_bytes());
    file.extend((start as u32).to_le_bytes());
    file.extend([0, 0]);
    file
}
