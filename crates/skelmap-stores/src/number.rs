//! Lengths in memory and lengths of objects.

/// A length in memory as a length of an object. No memory has more bytes than 64 bits count.
pub(super) fn to_u64(length: usize) -> u64 {
    u64::try_from(length).unwrap_or(u64::MAX)
}

/// A length of an object as a length in memory; the largest if memory cannot have it.
pub(super) fn to_usize(length: u64) -> usize {
    usize::try_from(length).unwrap_or(usize::MAX)
}
