//! The files that are measured: animations of any size, large meshes, and bytes placed at a chosen alignment.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

use crate::target;
use test_support::actorx::build::{self, Chunks, Info, Key, Mesh, Wedge};

/// No power of two: else all keys of a bone would lie in the same few sets of the caches, which is no usual case.
pub const BONES: usize = 66;

const KEY_SIZE: usize = 32;
const FRAME_SIZE: usize = BONES * KEY_SIZE;

/// Keys repeat after this many bytes, so that writing a large file costs no more than copying.
const BLOCK: usize = 1 << 20;

/// Pseudo-random numbers, the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u32) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let high = u32::try_from(self.0 >> 32).unwrap_or(0);
        u32::try_from((u64::from(high) * u64::from(limit)) >> 32).unwrap_or(0)
    }

    /// From -1 to 1, in steps that a float holds exactly.
    fn signed(&mut self) -> f32 {
        f32::from(u16::try_from(self.below(1 << 16)).unwrap_or(0)) / 32_768.0 - 1.0
    }
}

/// `count` indices below `limit` in an order that no prefetcher foresees.
pub fn random_indices(count: usize, limit: usize) -> Vec<usize> {
    let limit = u32::try_from(limit).expect("fewer than 2^32 records");
    let mut random = Random(1);
    (0..count).map(|_| random.below(limit) as usize).collect()
}

/// An animation of one sequence with up to `size` bytes of keys, in memory.
pub fn animation(size: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    write_animation(&mut bytes, size).expect("memory can be written to");
    bytes
}

/// The same in the target folder: written once, kept for the next run.
pub fn animation_file(name: &str, size: usize) -> io::Result<PathBuf> {
    let path = target::file(name);
    let expected = animation(0).len() + size / FRAME_SIZE * FRAME_SIZE;
    if fs::metadata(&path).is_ok_and(|found| found.len() == expected as u64) {
        return Ok(path);
    }
    let unfinished = path.with_extension("part");
    let mut out = BufWriter::with_capacity(BLOCK, File::create(&unfinished)?);
    write_animation(&mut out, size)?;
    out.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()?;
    fs::rename(&unfinished, &path)?;
    Ok(path)
}

fn write_animation(out: &mut impl Write, size: usize) -> io::Result<()> {
    let frames = size / FRAME_SIZE;
    let count = i32::try_from(frames * BONES).expect("the keys of a file fit its counter");
    let mut left = frames * FRAME_SIZE;
    let frames = i32::try_from(frames).expect("the frames of a file fit its counter");
    let bones = build::chain(u32::try_from(BONES).unwrap_or(0));
    let head = Chunks::new()
        .empty("ANIMHEAD", 0)
        .records("BONENAMES", &bones)
        .records("ANIMINFO", &[Info::new("Sway", BONES, 0, frames, 30.0)])
        .declare("ANIMKEYS", i32::try_from(KEY_SIZE).unwrap_or(0), count, &[]);
    out.write_all(&head.build().bytes)?;
    let block = key_block();
    while left > 0 {
        let part = left.min(BLOCK);
        out.write_all(&block[..part])?;
        left -= part;
    }
    // As every writer ends its file: the keys are not the last chunk.
    out.write_all(&Chunks::flagged(0, 0).empty("SCALEKEYS", 16).build().bytes)
}

fn key_block() -> Vec<u8> {
    let mut random = Random(2);
    let keys: Vec<_> = (0..BLOCK / KEY_SIZE)
        .map(|_| {
            let position = [(); 3].map(|()| 100.0 * random.signed());
            let (sin, cos) = random.signed().sin_cos();
            Key { position, rotation: [sin, 0.0, 0.0, cos], time: 1.0 }
        })
        .collect();
    build::to_bytes(&keys)
}

/// A sheet of `side * side` points with a wedge each.
pub fn mesh(side: u32) -> Vec<u8> {
    Mesh::sheet(side, side, 64).chunks().build().bytes
}

/// Wedges over the most points that 16-bit indices reach, with the garbage that old exporters left in the other half.
pub fn mesh_of_16_bit_points(wedges: u32) -> Vec<u8> {
    let wedges = (0..wedges).map(|index| Wedge::new(0x1ACE_0000 | (index % 65_536), [0.5, 0.5], 0)).collect();
    Mesh { wedges, ..Mesh::sheet(256, 256, 64) }.chunks().build().bytes
}
