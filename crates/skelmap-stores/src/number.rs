//! Conversions between lengths in memory and lengths of objects.

/// A length in memory as a length of an object. Always fits 64 bits.
pub(super) fn to_u64(length: usize) -> u64 {
    u64::try_from(length).unwrap_or(u64::MAX)
}

/// A length of an object as a length in memory; `usize::MAX` if it does not fit.
pub(super) fn to_usize(length: u64) -> usize {
    usize::try_from(length).unwrap_or(usize::MAX)
}
