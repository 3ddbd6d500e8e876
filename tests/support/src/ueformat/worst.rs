//! The worst files of the family: what a walk, a look-up or a check could take the square of.

// Each user needs a different part.
#![allow(dead_code, unreachable_pub)]
#![allow(clippy::cast_possible_truncation, clippy::cast_possible_wrap, clippy::cast_precision_loss)]

use crate::worst::{Worst, floats, indexed, numbered, repeat, worst};

/// The largest numbers that the library reads.
const MAX_BONES: usize = 8192;
const MAX_MATERIALS: usize = 256;
const MAX_UV_SETS: usize = 64;
const MAX_LEVELS: usize = 64;
const MAX_ITEMS: usize = 1 << 14;
const MAX_NAME: usize = 4096;

/// As many elements as there may be, and how many bytes each has of a hundred for each record.
fn shares(count: usize, most: usize) -> (usize, usize) {
    let elements = count.clamp(1, most);
    (elements, 100 * count / elements)
}

/// A list of records of so many bytes, with its number, that fills these bytes.
fn filled(bytes: usize, size: usize) -> Vec<u8> {
    let count = bytes / size;
    [(count as u32).to_le_bytes().to_vec(), vec![0; count * size]].concat()
}

/// Levels as there may be, each of sections without data.
fn many_levels(count: usize, name: impl Fn(usize) -> String) -> Vec<u8> {
    let (own, bytes) = shares(count, MAX_LEVELS);
    let sections = repeat_of(bytes / 9, || section("Q", &[]));
    model(&[levels(own, |at| level(&name(at), &sections))])
}

/// Bones with names as long as they may be, and as many as there may be.
fn long_names(count: usize, of: &str) -> Vec<u8> {
    let names = (100 * count / MAX_NAME).clamp(1, MAX_BONES);
    model(&[bones(names, |at| format!("{}{at}", of.repeat(MAX_NAME / of.len() - 8)), |bone| bone - 1, &[])])
}

/// Models, animations and poses.
pub const WORST: [Worst; 28] = [
    worst("uemodel/levels", |count| many_levels(count, |_| String::new())),
    worst("uemodel/levels-of-one-name", |count| many_levels(count, |_| String::from("LOD0"))),
    worst("uemodel/distinct-levels", |count| many_levels(count, numbered)),
    worst("uemodel/levels-of-materials", |count| {
        let materials = counted("MATERIALS", MAX_MATERIALS, &repeat(MAX_MATERIALS, || material("a", 0, i32::MAX)));
        model(&[levels((count / 60).clamp(1, MAX_LEVELS), |_| level("LOD0", std::slice::from_ref(&materials)))])
    }),
    worst("uemodel/unknown-sections", |count| model(&repeat_of(5 * count, || section("Q", &[])))),
    worst("uemodel/distinct-sections", |count| {
        model(&(0..3 * count).map(|at| section(&numbered(at), &[])).collect::<Vec<_>>())
    }),
    worst("uemodel/same-section", |count| model(&repeat_of(4 * count, || counted("COLLISION", 0, &[])))),
    worst("uemodel/names-to-escape", |count| long_names(count, "\u{7F}")),
    // All bones share their first letters.
    worst("uemodel/long-names", |count| long_names(count, "Bip01 ")),
    worst("uemodel/names-of-zeros", |count| {
        let names = (100 * count / MAX_NAME).clamp(1, MAX_BONES);
        model(&[bones(names, |_| "\0".repeat(MAX_NAME), |bone| bone - 1, &[])])
    }),
    worst("uemodel/bones/chain", |count| with_weights(count, |bone| bone - 1)),
    worst("uemodel/bones/chain-upwards", |count| with_weights(count, |bone| bone + 1)),
    worst("uemodel/bones/pairs", |count| with_weights(count, |bone| bone ^ 1)),
    worst("uemodel/bones/past-the-end", |count| with_weights(count, |_| i32::MAX)),
    worst("uemodel/sockets", |count| {
        let one = |at: usize| [text(&numbered(at)), text(&numbered(at % MAX_BONES)), floats(&[0.0; 10])].concat();
        let count = count.min(MAX_ITEMS);
        let sockets = counted("SOCKETS", count, &indexed(count, one));
        model(&[bones(MAX_BONES, numbered, |bone| bone - 1, &[sockets])])
    }),
    worst("uemodel/virtual-bones", |count| {
        let (count, bytes) = shares(count, MAX_ITEMS);
        let name = text(&"a".repeat((bytes / 3).min(MAX_NAME)));
        let own = counted("VIRTUALBONES", count, &repeat(count, || name.repeat(3)));
        model(&[bones(2, numbered, |_| -1, &[own])])
    }),
    worst("uemodel/hulls", |count| {
        let (count, bytes) = shares(count, MAX_ITEMS);
        let hull = || [text(""), filled(bytes / 2, 12), filled(bytes / 2, 4)].concat();
        model(&[counted("COLLISION", count, &repeat(count, hull))])
    }),
    worst("uemodel/materials", |count| {
        // The last material has the triangles, so that each look-up goes through all.
        let mut all = repeat(MAX_MATERIALS - 1, || material("a", 0, 0));
        all.extend(material("b", 0, i32::MAX));
        let indices: Vec<u8> = (0..8 * count as u32 / 3 * 3).flat_map(|at| (at % 3).to_le_bytes()).collect();
        let lists = [
            counted("VERTICES", 3, &floats(&[1.0; 9])),
            counted("INDICES", indices.len() / 4, &indices),
            counted("MATERIALS", MAX_MATERIALS, &all),
        ];
        model(&[levels(1, |_| level("LOD0", &lists))])
    }),
    worst("uemodel/uv-sets", |count| {
        let uvs = [text("UV"), ((count / 8) as u32).to_le_bytes().to_vec(), vec![0xFF; count / 8 * 8]].concat();
        model(&[levels(1, |_| level("LOD0", &[counted("TEXCOORDS", MAX_UV_SETS, &uvs.repeat(MAX_UV_SETS))]))])
    }),
    worst("uemodel/colour-sets", |count| {
        let (count, bytes) = shares(count, MAX_UV_SETS);
        let sets = counted("VERTEXCOLORS", count, &repeat(count, || [text(""), filled(bytes, 4)].concat()));
        model(&[levels(1, |_| level("LOD0", std::slice::from_ref(&sets)))])
    }),
    worst("uemodel/morphs", |count| {
        let (count, bytes) = shares(count, MAX_ITEMS);
        let morphs = indexed(count, |at| [text(&numbered(at)), filled(bytes, 28)].concat());
        model(&[levels(1, |_| level("LOD0", &[counted("MORPHTARGETS", count, &morphs)]))])
    }),
    worst("uemodel/skin", |count| {
        let weight = |at: usize| [&[0xFF, 0xFF], ((at % 7) as i32).to_le_bytes().as_slice(), &floats(&[2.0])].concat();
        let lists = [
            counted("VERTICES", count, &vec![0xFF; 12 * count]),
            counted("NORMALS", count, &vec![0xFF; 16 * count]),
            counted("INDICES", 3 * count, &vec![0xFF; 12 * count]),
            counted("WEIGHTS", 4 * count, &indexed(4 * count, weight)),
        ];
        model(&[levels(1, |_| level("LOD0", &lists))])
    }),
    worst("ueanim/tracks", |count| {
        let keys = count / MAX_BONES * 4;
        animation(&[metadata(i32::MAX), tracks(MAX_BONES, keys, |at| at as i32)])
    }),
    worst("ueanim/keys", |count| animation(&[metadata(2 * count as i32), tracks(1, 2 * count, |at| at as i32)])),
    worst("ueanim/keys-in-one-frame", |count| animation(&[metadata(2), tracks(1, 2 * count, |_| 0)])),
    worst("ueanim/curves", |count| {
        let (count, bytes) = shares(count, MAX_ITEMS);
        let curve = |at: usize| [text(&numbered(at)), filled(bytes, 8)].concat();
        animation(&[metadata(2), counted("CURVES", count, &indexed(count, curve))])
    }),
    worst("uepose/poses", |count| {
        let (count, bytes) = shares(count, MAX_ITEMS);
        let pose = |at: usize| [text(&numbered(at)), vec![0; 4], filled(bytes, 8)].concat();
        file("UEPOSE", &[counted("POSES", count, &indexed(count, pose))])
    }),
    worst("uepose/bones", |count| {
        // As many poses of the largest number of bones as fit.
        let bones = count.clamp(1, MAX_BONES);
        let keys = repeat(bones, || [text("a"), floats(&[0.0; 10])].concat());
        let pose = [text("p"), (bones as u32).to_le_bytes().to_vec(), keys, vec![0; 4]].concat();
        let poses = (count / bones).max(1);
        file("UEPOSE", &[counted("POSES", poses, &pose.repeat(poses)), counted("CURVES", 0, &[])])
    }),
];

fn repeat_of(count: usize, one: impl Fn() -> Vec<u8>) -> Vec<Vec<u8>> {
    vec![one(); count]
}

fn text(text: &str) -> Vec<u8> {
    [&(text.len() as u32).to_le_bytes(), text.as_bytes()].concat()
}

fn section(name: &str, data: &[u8]) -> Vec<u8> {
    [text(name).as_slice(), &(data.len() as u32).to_le_bytes(), data].concat()
}

/// A section of elements.
fn counted(name: &str, count: usize, elements: &[u8]) -> Vec<u8> {
    section(name, &[(count as u32).to_le_bytes().as_slice(), elements].concat())
}

fn set(sections: &[Vec<u8>]) -> Vec<u8> {
    [(sections.len() as u32).to_le_bytes().to_vec(), sections.concat()].concat()
}

/// A file of version 10.
fn file(kind: &str, sections: &[Vec<u8>]) -> Vec<u8> {
    [b"UEFORMAT".as_slice(), &text(kind), &[10], &text("Own"), &text("/Game/Own"), &[0], &set(sections)].concat()
}

fn model(sections: &[Vec<u8>]) -> Vec<u8> {
    file("UEMODEL", sections)
}

fn animation(sections: &[Vec<u8>]) -> Vec<u8> {
    file("UEANIM", sections)
}

fn levels(count: usize, level: impl Fn(usize) -> Vec<u8>) -> Vec<u8> {
    counted("LODS", count, &indexed(count, level))
}

fn level(name: &str, sections: &[Vec<u8>]) -> Vec<u8> {
    [text(name), set(sections)].concat()
}

fn material(name: &str, first: i32, faces: i32) -> Vec<u8> {
    [text(name), text(""), first.to_le_bytes().to_vec(), faces.to_le_bytes().to_vec()].concat()
}

/// A skeleton: its bones, without a scale, and further sections.
fn bones(count: usize, name: impl Fn(usize) -> String, parent: impl Fn(i32) -> i32, further: &[Vec<u8>]) -> Vec<u8> {
    let place = floats(&[0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]);
    let bone = |at: usize| [text(&name(at)).as_slice(), &parent(at as i32).to_le_bytes(), &place].concat();
    let own = counted("BONES", count, &indexed(count, bone));
    section("SKELETON", &set(&[vec![own], further.to_vec()].concat()))
}

/// As many bones as there may be, and points of theirs.
fn with_weights(count: usize, parent: impl Fn(i32) -> i32) -> Vec<u8> {
    let weight = |at: usize| {
        let bone = (at % MAX_BONES) as u16;
        [&bone.to_le_bytes(), (at as i32).to_le_bytes().as_slice(), &floats(&[1.0])].concat()
    };
    let lists = [
        counted("VERTICES", 4 * count, &vec![0; 48 * count]),
        counted("WEIGHTS", 4 * count, &indexed(4 * count, weight)),
    ];
    model(&[levels(1, |_| level("LOD0", &lists)), bones(MAX_BONES, numbered, parent, &[])])
}

fn metadata(frames: i32) -> Vec<u8> {
    section("METADATA", &[frames.to_le_bytes().as_slice(), &30.0_f32.to_le_bytes(), &[0; 10]].concat())
}

/// Tracks with as many rotations each.
fn tracks(count: usize, keys: usize, frame: impl Fn(usize) -> i32) -> Vec<u8> {
    let key = |at: usize| [frame(at).to_le_bytes().to_vec(), floats(&[0.0, 0.0, 0.0, 1.0])].concat();
    let rotations = indexed(keys, key);
    let track = |at: usize| {
        [text(&numbered(at)).as_slice(), &[0; 4], &(keys as u32).to_le_bytes(), &rotations, &[0; 4]].concat()
    };
    counted("TRACKS", count, &indexed(count, track))
}
