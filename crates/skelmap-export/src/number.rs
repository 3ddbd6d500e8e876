//! Conversion of lengths.

/// A length in memory, as 64 bits.
pub(crate) fn to_u64(length: usize) -> u64 {
    u64::try_from(length).unwrap_or(u64::MAX)
}
