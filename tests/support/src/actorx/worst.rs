//! The worst files of the family: what a walk, a look-up or a check could take the square of.

// Each user needs a different part.
#![allow(dead_code, unreachable_pub)]
#![allow(clippy::cast_possible_truncation, clippy::cast_possible_wrap, clippy::cast_precision_loss)]

use super::build::{Bone, IDENTITY, Info, Key, Morph, Record, Socket, Wedge, Weight, name, to_bytes};
use crate::worst::{Worst, indexed, numbered, repeat, worst};

/// Meshes and animations of `ActorX`.
pub const WORST: [Worst; 27] = [
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
