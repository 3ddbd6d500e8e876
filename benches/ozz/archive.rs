//! Writes the archives that ozz-animation 0.16 imports: skeletons of version 2 and animations of version 7.
//!
//! The crate reads archives and nothing else. Its C++ tools write them, also with fewer keys than a file has; this writer
//! keeps every key, as the other sides of the benchmark do.

use std::collections::HashMap;

use glam::{Quat, Vec3};

/// The place of a joint.
#[derive(Clone, Copy, Debug)]
pub struct Local {
    /// Translation.
    pub translation: [f32; 3],
    /// Rotation of unit length.
    pub rotation: [f32; 4],
}

/// Little endian.
const ENDIAN: u8 = 1;

/// The archive of a skeleton. Joints come after their parents.
pub fn skeleton(parents: &[Option<usize>]) -> Vec<u8> {
    let mut out = head("ozz-skeleton", 2);
    put(&mut out, parents.len() as u32);
    let names: Vec<String> = (0..parents.len()).map(|joint| format!("{joint}\0")).collect();
    put(&mut out, names.iter().map(String::len).sum::<usize>() as u32);
    names.iter().for_each(|name| out.extend(name.bytes()));
    for parent in parents {
        out.extend(parent.map_or(-1, |parent| parent as i16).to_le_bytes());
    }
    for _ in 0..parents.len().div_ceil(4) {
        let columns = [0.0_f32, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0];
        columns.iter().for_each(|value| [*value; 4].iter().for_each(|value| out.extend(value.to_le_bytes())));
    }
    out
}

/// The archive of an animation: `frames` rows of a key for each of `tracks`. `interval` is the number of frames between
/// two intermediate frames, from which sampling can start; the tools of ozz have one in 10 seconds.
pub fn animation(keys: &[Local], tracks: usize, rate: f32, interval: usize) -> Vec<u8> {
    let (frames, aligned) = (keys.len() / tracks, tracks.next_multiple_of(4));
    let last = (frames - 1) as f32;
    let key = |frame: usize, track: usize| (track < tracks).then(|| keys[frame * tracks + track]);
    let order = order(frames, tracks);
    let translations = |&(frame, track): &(usize, usize)| {
        key(frame, track).map_or(Vec3::ZERO, |key| Vec3::from(key.translation)).to_array().map(half)
    };
    let rotations = |&(frame, track): &(usize, usize)| {
        quantized(key(frame, track).map_or(Quat::IDENTITY, |key| Quat::from_array(key.rotation)))
    };
    // Scales are constant: two keys for each track.
    let constant: Vec<(usize, usize)> = order[..2 * aligned].iter().map(|&(_, track)| (0, track)).collect();
    let scales = |_: &(usize, usize)| [half(1.0); 3];

    let mut out = head("ozz-animation", 7);
    out.extend((last / rate).to_le_bytes());
    put(&mut out, tracks as u32);
    put(&mut out, 0);
    let starts = starts(&order, frames, tracks, interval);
    for count in [frames, order.len(), order.len(), constant.len()] {
        put(&mut out, count as u32);
    }
    for starts in [&starts, &starts, &Starts::default()] {
        put(&mut out, starts.entries.len() as u32);
        put(&mut out, starts.places.len() as u32);
    }
    (0..frames).for_each(|frame| out.extend((frame as f32 / last).to_le_bytes()));
    let ends: Vec<(usize, usize)> =
        [0, frames - 1].iter().flat_map(|frame| (0..aligned).map(|track| (*frame, track))).collect();
    put_keys(&mut out, &order, frames, &starts, order.iter().map(translations));
    put_keys(&mut out, &order, frames, &starts, order.iter().map(rotations));
    put_keys(&mut out, &ends, frames, &Starts::default(), constant.iter().map(scales));
    out
}

/// Frame and track of each key, in the order in which sampling needs them: the first two of each track, then each when
/// the one before it becomes the left one. Tracks fill up groups of four; those that do so have a first and a last key.
fn order(frames: usize, tracks: usize) -> Vec<(usize, usize)> {
    let aligned = tracks.next_multiple_of(4);
    let row = |frame: usize, end: usize| {
        (0..end).map(move |track| (if frame == 1 && track >= tracks { frames - 1 } else { frame }, track))
    };
    (0..frames).flat_map(|frame| row(frame, if frame < 2 { aligned } else { tracks })).collect()
}

/// Intermediate frames.
#[derive(Debug, Default)]
struct Starts {
    entries: Vec<u8>,
    /// For each: where its entries begin, and its last key.
    places: Vec<u32>,
    /// The distance, as a part of the whole.
    interval: f32,
}

fn starts(order: &[(usize, usize)], frames: usize, tracks: usize, interval: usize) -> Starts {
    let (last, aligned) = (frames - 1, tracks.next_multiple_of(4));
    let count = (last / interval).max(1);
    let mut starts = Starts { interval: 1.0 / count as f32, ..Starts::default() };
    for start in 1..=count {
        // The right key of each track: the first after the time.
        let frame = ((start as f32 / count as f32 * last as f32) as usize + 1).min(last);
        let first = order.len() - (frames - frame) * tracks;
        let entry = |track: usize| if track < tracks && frame > 1 { first + track } else { aligned + track };
        let entries: Vec<u32> = (0..aligned).map(|track| entry(track) as u32).collect();
        starts.places.push(starts.entries.len() as u32);
        starts.places.push(entries.iter().max().copied().unwrap_or(0));
        entries.chunks_exact(4).for_each(|group| put_group(&mut starts.entries, group));
    }
    // The reader looks at four bytes even where a number has one.
    starts.entries.extend([0; 3]);
    starts
}

/// Four numbers, each with as few bytes as it needs.
fn put_group(out: &mut Vec<u8>, group: &[u32]) {
    let length = |value: u32| (4 - value.leading_zeros() as usize / 8).max(1);
    out.push(group.iter().rev().fold(0, |prefix, value| prefix << 2 | (length(*value) - 1) as u8));
    group.iter().for_each(|value| out.extend(&value.to_le_bytes()[..length(*value)]));
}

fn put_keys(
    out: &mut Vec<u8>,
    order: &[(usize, usize)],
    frames: usize,
    starts: &Starts,
    values: impl Iterator<Item = [u16; 3]>,
) {
    for &(frame, _) in order {
        if frames <= usize::from(u8::MAX) {
            out.push(frame as u8);
        } else {
            out.extend((frame as u16).to_le_bytes());
        }
    }
    // The distance to the key before it in the same track.
    let mut seen = HashMap::new();
    for (at, (_, track)) in order.iter().enumerate() {
        let before = seen.insert(*track, at).map_or(0, |before| at - before);
        out.extend((before as u16).to_le_bytes());
    }
    out.extend(&starts.entries);
    starts.places.iter().for_each(|place| put(out, *place));
    out.extend(starts.interval.to_le_bytes());
    values.for_each(|value| value.iter().for_each(|value| out.extend(value.to_le_bytes())));
}

fn head(tag: &str, version: u32) -> Vec<u8> {
    let mut out = vec![ENDIAN];
    out.extend(tag.bytes());
    out.push(0);
    put(&mut out, version);
    out
}

fn put(out: &mut Vec<u8>, value: u32) {
    out.extend(value.to_le_bytes());
}

/// A half float, rounded to the nearest. For numbers below 65,504 that are not tiny.
fn half(value: f32) -> u16 {
    let bits = value.to_bits();
    let sign = (bits >> 16 & 0x8000) as u16;
    let rounded = (bits & 0x7FFF_FFFF) + 0x1000;
    let exponent = (rounded >> 23) as i32 - 127 + 15;
    if exponent <= 0 { sign } else { sign | (exponent as u16) << 10 | (rounded >> 13 & 0x3FF) as u16 }
}

/// The three smaller components in 15 bits each, the index of the largest and its sign.
fn quantized(rotation: Quat) -> [u16; 3] {
    let values = rotation.normalize().to_array();
    let largest = (0..4).max_by(|a, b| values[*a].abs().total_cmp(&values[*b].abs())).unwrap_or(3);
    let scale = 32_767.0 / std::f32::consts::SQRT_2;
    let small = |value: f32| (((value + std::f32::consts::SQRT_2 / 2.0) * scale).round() as u64).min(32_767);
    let sign = u64::from(values[largest] < 0.0);
    let others = (0..4).filter(|index| *index != largest).map(|index| small(values[index]));
    let packed = others.enumerate().fold(largest as u64 | sign << 2, |packed, (at, value)| packed | value << (3 + 15 * at));
    [packed as u16, (packed >> 16) as u16, (packed >> 32) as u16]
}
