//! The worst files of the family: what a walk, a look-up or a check could take the square of.

// Each user needs a different part.
#![allow(dead_code, unreachable_pub)]
#![allow(clippy::cast_possible_truncation, clippy::cast_possible_wrap, clippy::cast_precision_loss)]

use crate::worst::{Worst, floats, indexed, numbered, worst};

/// Meshes and animations of Pyrogenesis.
pub const WORST: [Worst; 9] = [
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
    floats(&[0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0])
}

pub fn states(bones: u32, frames: u32) -> Vec<u8> {
    let mut payload = [0_u32.to_le_bytes(), 33.0_f32.to_le_bytes(), bones.to_le_bytes(), frames.to_le_bytes()].concat();
    payload.extend(state().repeat(bones as usize * frames as usize));
    pyrogenesis(*b"PSSA", 1, &payload)
}
