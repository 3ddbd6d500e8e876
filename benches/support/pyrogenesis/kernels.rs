//! Loops over records, written once and compiled for the views' records and for native ones over the same memory.
//!
//! They keep several sums at a time and none is inlined, for the reasons that the loops over `ActorX` records give.

use skelmap::Vec2;
use skelmap::pyrogenesis::{BoneState, Vertex, VertexRef};
use zerocopy::{FromBytes, Immutable, KnownLayout};

/// Records that a loop takes at a time.
const STEP: usize = 4;

/// A record of floats in any representation.
pub trait Lanes<const N: usize> {
    fn lanes(&self) -> [f32; N];
}

/// The plain slice that the views of states compete with.
pub type NativeState = [f32; 7];

impl Lanes<7> for NativeState {
    #[inline]
    fn lanes(&self) -> [f32; 7] {
        *self
    }
}

impl Lanes<7> for BoneState {
    #[inline]
    fn lanes(&self) -> [f32; 7] {
        let ([x, y, z], [i, j, k, w]) = (self.translation(), self.rotation());
        [x, y, z, i, j, k, w]
    }
}

/// The same for vertices of one UV set.
#[derive(FromBytes, Immutable, KnownLayout)]
#[repr(C)]
pub struct NativeVertex {
    position: [f32; 3],
    normal: [f32; 3],
    uv: [f32; 2],
    bones: [u8; 4],
    weights: [f32; 4],
}

impl Lanes<12> for NativeVertex {
    #[inline]
    fn lanes(&self) -> [f32; 12] {
        vertex_lanes(self.position, self.normal, self.uv, self.weights)
    }
}

impl Lanes<12> for Vertex<1> {
    #[inline]
    fn lanes(&self) -> [f32; 12] {
        let [uv] = self.uvs();
        vertex_lanes(self.position(), self.normal(), uv.get(), self.blend().weights())
    }
}

impl Lanes<12> for VertexRef<'_> {
    #[inline]
    fn lanes(&self) -> [f32; 12] {
        let uv = self.uvs().first().map_or([0.0; 2], Vec2::get);
        vertex_lanes(self.position(), self.normal(), uv, self.blend().weights())
    }
}

impl<const N: usize, R: Lanes<N>> Lanes<N> for &R {
    #[inline]
    fn lanes(&self) -> [f32; N] {
        (*self).lanes()
    }
}

#[inline]
fn vertex_lanes([x, y, z]: [f32; 3], [a, b, c]: [f32; 3], [u, v]: [f32; 2], weights: [f32; 4]) -> [f32; 12] {
    let [i, j, k, l] = weights;
    [x, y, z, a, b, c, u, v, i, j, k, l]
}

/// The sum of each component over all records.
#[inline(never)]
pub fn sum<const N: usize, R: Lanes<N>>(records: &[R]) -> [f32; N] {
    let mut sums = [[0.0; N]; STEP];
    let steps = records.chunks_exact(STEP);
    let rest = steps.remainder();
    for step in steps {
        for (sums, record) in sums.iter_mut().zip(step) {
            add(sums, record.lanes());
        }
    }
    for record in rest {
        add(&mut sums[0], record.lanes());
    }
    sums.into_iter().fold([0.0; N], |mut total, part| {
        add(&mut total, part);
        total
    })
}

/// The sum of each component over records that come one by one, two at a time.
#[inline(never)]
pub fn sum_one_by_one<const N: usize, R: Lanes<N>>(mut records: impl Iterator<Item = R>) -> [f32; N] {
    let [mut even, mut odd] = [[0.0; N]; 2];
    while let Some(record) = records.next() {
        add(&mut even, record.lanes());
        if let Some(record) = records.next() {
            add(&mut odd, record.lanes());
        }
    }
    add(&mut even, odd);
    even
}

#[inline]
fn add<const N: usize>(sums: &mut [f32; N], values: [f32; N]) {
    for (sum, value) in sums.iter_mut().zip(values) {
        *sum += value;
    }
}

/// The largest vertex index that some face gives.
#[inline(never)]
pub fn max_index<F>(faces: &[F], vertices: impl Fn(&F) -> [u16; 3]) -> u16 {
    faces.iter().map(vertices).fold(0, |largest, [a, b, c]| largest.max(a).max(b).max(c))
}
