//! Replaces `cache` on systems that do not report what is in memory.

#[cfg(feature = "archive")]
use core::ops::Range;
use std::fs::File;

pub const fn read_no_more_than_asked(_: &File) {}

pub const fn is_in_memory(_: &[u8]) -> bool {
    true
}

pub const fn begins_in_memory(_: &File) -> bool {
    true
}

#[cfg(feature = "archive")]
pub const fn read_ahead(_: &File, _: &Range<u64>) {}
