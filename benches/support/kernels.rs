//! Loops over records, written once and compiled for the views' records and for native ones over the same memory.
//!
//! They keep many sums and minima at a time, because a compiler may not reorder the additions of floats: with a single sum, one
//! addition waits for the other and any way to read memory looks fast. None is inlined, so that each can be found in the assembly.

use skelmap::actorx::{AnimKey, Point, Psk};

/// Keys that a loop takes at a time.
const STEP: usize = 4;

/// A key in any representation.
pub trait Key {
    fn position(&self) -> [f32; 3];
    fn rotation(&self) -> [f32; 4];
    fn time(&self) -> f32;

    #[inline]
    fn lanes(&self) -> [f32; 8] {
        let ([x, y, z], [i, j, k, w]) = (self.position(), self.rotation());
        [x, y, z, i, j, k, w, self.time()]
    }
}

/// The plain slice that the views compete with.
pub type NativeKey = [f32; 8];

impl Key for NativeKey {
    #[inline]
    fn position(&self) -> [f32; 3] {
        let [x, y, z, ..] = *self;
        [x, y, z]
    }

    #[inline]
    fn rotation(&self) -> [f32; 4] {
        let [_, _, _, i, j, k, w, _] = *self;
        [i, j, k, w]
    }

    #[inline]
    fn time(&self) -> f32 {
        let [.., time] = *self;
        time
    }
}

impl Key for AnimKey {
    #[inline]
    fn position(&self) -> [f32; 3] {
        AnimKey::translation(self)
    }

    #[inline]
    fn rotation(&self) -> [f32; 4] {
        AnimKey::rotation(self)
    }

    #[inline]
    fn time(&self) -> f32 {
        AnimKey::time(self)
    }
}

/// The sum of each component over all keys.
#[inline(never)]
pub fn sum<K: Key>(keys: &[K]) -> [f32; 8] {
    let mut sums = [[0.0; 8]; STEP];
    let steps = keys.chunks_exact(STEP);
    let rest = steps.remainder();
    for step in steps {
        for (sums, key) in sums.iter_mut().zip(step) {
            add(sums, key.lanes());
        }
    }
    for key in rest {
        add(&mut sums[0], key.lanes());
    }
    total(sums)
}

/// The box around all positions.
#[inline(never)]
pub fn min_max<K: Key>(keys: &[K]) -> [[f32; 3]; 2] {
    // `f32::min` would also have to choose between two NaNs; the comparisons are one instruction each.
    let lesser = |a, b| if b < a { b } else { a };
    let greater = |a, b| if b > a { b } else { a };
    let mut least = [[f32::INFINITY; 3]; STEP];
    let mut most = [[f32::NEG_INFINITY; 3]; STEP];
    for step in keys.chunks_exact(STEP) {
        for ((least, most), key) in least.iter_mut().zip(&mut most).zip(step) {
            let position = key.position();
            for ((least, most), value) in least.iter_mut().zip(most).zip(position) {
                *least = lesser(*least, value);
                *most = greater(*most, value);
            }
        }
    }
    let fold = |sides: [[f32; 3]; STEP], choose: fn(f32, f32) -> f32| {
        sides.into_iter().reduce(|[x, y, z], [a, b, c]| [choose(x, a), choose(y, b), choose(z, c)]).unwrap_or_default()
    };
    [fold(least, lesser), fold(most, greater)]
}

/// The sum of each component over the keys of these indices.
#[inline(never)]
pub fn gather<K: Key>(keys: &[K], indices: &[usize]) -> [f32; 8] {
    let mut sums = [0.0; 8];
    for key in indices.iter().filter_map(|&index| keys.get(index)) {
        add(&mut sums, key.lanes());
    }
    sums
}

/// The sum of each component over frames that come one by one, as those of a sequence.
#[inline(never)]
pub fn sum_of_frames<'a, K: Key + 'a>(frames: impl Iterator<Item = &'a [K]>) -> [f32; 8] {
    let mut sums = [0.0; 8];
    for frame in frames {
        add(&mut sums, sum(frame));
    }
    sums
}

/// The sum of each component over keys that come one by one, as those of a bone's track.
#[inline(never)]
pub fn sum_of_track<'a, K: Key + 'a>(keys: impl Iterator<Item = &'a K>) -> [f32; 8] {
    let mut sums = [0.0; 8];
    for key in keys {
        add(&mut sums, key.lanes());
    }
    sums
}

fn add<const N: usize>(sums: &mut [f32; N], values: [f32; N]) {
    for (sum, value) in sums.iter_mut().zip(values) {
        *sum += value;
    }
}

fn total<const N: usize>(parts: [[f32; N]; STEP]) -> [f32; N] {
    let mut total = [0.0; N];
    for part in parts {
        add(&mut total, part);
    }
    total
}

/// A point in any representation.
pub trait Position {
    fn xyz(&self) -> [f32; 3];
}

impl Position for [f32; 3] {
    #[inline]
    fn xyz(&self) -> [f32; 3] {
        *self
    }
}

impl Position for Point {
    #[inline]
    fn xyz(&self) -> [f32; 3] {
        self.get()
    }
}

/// The sum of each coordinate over all points.
#[inline(never)]
pub fn sum_points<P: Position>(points: &[P]) -> [f32; 3] {
    let mut sums = [[0.0; 3]; STEP];
    for step in points.chunks_exact(STEP) {
        for (sums, point) in sums.iter_mut().zip(step) {
            add(sums, point.xyz());
        }
    }
    total(sums)
}

/// The largest index that some wedge gives.
#[inline(never)]
pub fn max_index<W>(wedges: &[W], index: impl Fn(&W) -> u32) -> u32 {
    wedges.iter().map(index).fold(0, u32::max)
}

/// The largest point index of a mesh, through its view.
pub fn max_point_index(mesh: &Psk<'_>) -> u32 {
    max_index(mesh.wedges(), |wedge| mesh.point_index(wedge))
}
