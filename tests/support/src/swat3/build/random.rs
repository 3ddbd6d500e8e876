//! Random animations that always come out the same, with what a reader must find in them.

#![allow(clippy::cast_precision_loss, clippy::cast_sign_loss)]

use super::{ALMOST_ONE, Bone, Frame, Gsa, IDENTITY, Layout, biped};

const EVENTS: [&str; 5] = ["sound=cuff", "itemsound=magout", "itemsound=magin", "sound=step", "walk"];

/// `SplitMix64`.
#[derive(Clone, Debug)]
pub struct Rng(u64);

impl Rng {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// Less than `end`; the bias is far below what a test could see.
    pub fn below(&mut self, end: usize) -> usize {
        (self.bits() % end as u64) as usize
    }

    /// From -1 to 1.
    pub fn signed(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    pub fn vector(&mut self, reach: f64) -> [f32; 3] {
        std::array::from_fn(|_| (self.signed() * reach) as f32)
    }

    /// Of unit length, by operations that are exact to the last bit on every machine.
    pub fn rotation(&mut self) -> [f32; 4] {
        match self.below(8) {
            0 => IDENTITY,
            1 => [0.0, (self.signed() * 0.000_3) as f32, -0.0, ALMOST_ONE],
            2 => [0.0, -0.0, 0.0, -ALMOST_ONE],
            _ => loop {
                let q: [f64; 4] = std::array::from_fn(|_| self.signed());
                let square: f64 = q.iter().map(|component| component * component).sum();
                if (0.01..=1.0).contains(&square) {
                    break q.map(|component| (component / square.sqrt()) as f32);
                }
            },
        }
    }

    pub fn rotations(&mut self, count: usize) -> Vec<[f32; 4]> {
        (0..count).map(|_| self.rotation()).collect()
    }

    /// A figure whose bones come each after its parent and before the next child of that parent.
    pub fn bones(&mut self, count: usize) -> Vec<Bone> {
        let style = self.below(4);
        let mut bones = biped(count);
        // The bones that the next one may hang off.
        let mut line: Vec<i16> = Vec::new();
        for (index, bone) in bones.iter_mut().enumerate() {
            let keep = if index == 0 || self.chance(50) { line.len() } else { 1 + self.below(line.len()) };
            line.truncate(keep);
            bone.parent = line.last().copied().unwrap_or(-1);
            line.push(bone.id);
            match style {
                0 => bone.name = format!("Rifle_Bone{index:02}").into_bytes(),
                1 => bone.name = format!("Bip{:02} Bone{index}", self.below(30)).into_bytes(),
                _ => {}
            }
            bone.position = if self.chance(20) { [0.0; 3] } else { self.vector(40.0) };
            bone.rotation = self.rotation();
        }
        bones
    }

    /// Some of the numbers below `end`, each at most once, in no order.
    pub fn ids(&mut self, end: usize) -> Vec<u16> {
        let mut ids: Vec<u16> = (0..end as u16).collect();
        for index in (1..end).rev() {
            ids.swap(index, self.below(index + 1));
        }
        ids.truncate(1 + self.below(end));
        if self.chance(70) {
            ids.sort_unstable();
        }
        ids
    }
}

/// What is in a random file.
#[derive(Clone, Debug)]
pub struct Expected {
    pub layout: Layout,
    pub minor: u8,
    pub bones: Vec<Bone>,
    /// None for all bones.
    pub ids: Vec<u16>,
    /// Rotations per frame.
    pub m: usize,
    pub frames: Vec<Frame>,
    /// Where the skeleton ends.
    pub marker: usize,
    /// Where the first frame starts.
    pub first: usize,
}

/// 1 to 61 bones, all of them or some animated, 1 to 60 frames.
pub fn random_file(rng: &mut Rng, layout: Layout, minor: u8) -> (Vec<u8>, Expected) {
    let count = 1 + rng.below(61);
    let bones = rng.bones(count);
    let ids = if rng.chance(50) { Vec::new() } else { rng.ids(count) };
    let m = if ids.is_empty() { count } else { ids.len() };
    let frame_count = if rng.chance(30) { 1 } else { 1 + rng.below(60) };
    let (eventful, moved) = (minor >= 2 && rng.chance(40), rng.chance(20));
    let frames = (0..frame_count).map(|index| {
        let mut frame = Frame::new(rng.rotations(m));
        if moved {
            (frame.origin, frame.rotation) = (rng.vector(100.0), rng.rotation());
        }
        if index > 0 {
            frame.root = rng.vector(20.0);
        }
        while eventful && rng.chance(15) {
            frame = frame.event(EVENTS[rng.below(EVENTS.len())]);
        }
        frame
    });
    let gsa = Gsa::new(minor, layout.skeleton(&bones), &ids, frames.collect());
    let built = gsa.build();
    let (marker, first) = (built.offset("marker"), built.offset("frame#0"));
    (built.bytes, Expected { layout, minor, bones, ids, m, frames: gsa.frames, marker, first })
}
