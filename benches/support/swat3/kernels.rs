//! Loops over rotations, written once and compiled for those of the views and for native ones.

use skelmap::swat3::{Gsa, Quat};

use crate::pyrogenesis::kernels::{Lanes, sum};

/// What the views of rotations compete with.
pub type NativeQuat = [f32; 4];

impl Lanes<4> for NativeQuat {
    #[inline]
    fn lanes(&self) -> [f32; 4] {
        *self
    }
}

impl Lanes<4> for Quat {
    #[inline]
    fn lanes(&self) -> [f32; 4] {
        self.get()
    }
}

/// The sum of each component over all rotations of all frames.
#[inline(never)]
pub fn sum_of_frames<'a, R: Lanes<4> + 'a>(frames: impl Iterator<Item = &'a [R]>) -> [f32; 4] {
    let mut sums = [0.0; 4];
    for frame in frames {
        let part = sum(frame);
        for (sum, value) in sums.iter_mut().zip(part) {
            *sum += value;
        }
    }
    sums
}

/// Steps over all frames, and counts events on the way.
#[inline(never)]
pub fn walk(animation: &Gsa<'_>) -> (usize, f32) {
    animation.frames().fold((0, 0.0), |(events, way), frame| {
        let [x, ..] = frame.root_offset();
        (events + frame.events().len(), way + x)
    })
}

/// The sum of each component over rotations, in one call of the iterator: two sums in turns.
#[inline(never)]
pub fn fold_by_turns<R: Lanes<4>>(rotations: impl Iterator<Item = R>) -> [f32; 4] {
    let (one, other) = rotations.fold(([0.0; 4], [0.0; 4]), |(mut next, last), rotation| {
        next.iter_mut().zip(rotation.lanes()).for_each(|(sum, value): (&mut f32, f32)| *sum += value);
        (last, next)
    });
    let mut sums = one;
    sums.iter_mut().zip(other).for_each(|(sum, value)| *sum += value);
    sums
}
