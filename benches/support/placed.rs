//! Files in memory, at a chosen alignment, and the plain slices that views compete with.

use std::ops::Deref;

use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout};

/// A file in memory of its own, a given distance from where memory is aligned.
pub struct Placed {
    memory: Vec<u8>,
    offset: usize,
}

impl Placed {
    pub fn new(file: &[u8], offset: usize) -> Self {
        let mut memory = vec![0; file.len() + offset];
        memory[offset..].copy_from_slice(file);
        Self { memory, offset }
    }

    /// The same file twice: aligned, and one byte further on.
    pub fn twice(file: &[u8]) -> [Self; 2] {
        [0, 1].map(|offset| Self::new(file, offset))
    }
}

impl Deref for Placed {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.memory[self.offset..]
    }
}

/// The plain slice that the views compete with, over the same memory.
pub fn native<R: IntoBytes + Immutable, N: FromBytes + Immutable + KnownLayout>(records: &[R]) -> &[N] {
    <[N]>::ref_from_bytes(records.as_bytes()).expect("the first copy of each file is aligned")
}
