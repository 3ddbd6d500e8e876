//! The page cache of Linux: residency and read-ahead.

#[cfg(feature = "archive")]
use core::ops::Range;
use std::fs::File;
use std::os::fd::AsRawFd;

/// Asks the system to read only the requested pages: the data around a header is not needed. A system that
/// refuses reads more.
pub fn read_no_more_than_asked(file: &File) {
    // SAFETY: the descriptor is open as long as `file` is borrowed; the call changes no memory.
    let _ = unsafe { libc::posix_fadvise(file.as_raw_fd(), 0, 0, libc::POSIX_FADV_RANDOM) };
}

/// Asks the system to read a range of a file ahead, and declares that it is read once, so its pages need not displace others. A
/// system that refuses reads later.
#[cfg(feature = "archive")]
pub fn read_ahead(file: &File, range: &Range<u64>) {
    let length = range.end.saturating_sub(range.start);
    let (Ok(start), Ok(length)) = (i64::try_from(range.start), i64::try_from(length)) else { return };
    // SAFETY: the descriptor is open as long as `file` is borrowed; the calls change no memory.
    unsafe {
        let _ = libc::posix_fadvise(file.as_raw_fd(), 0, 0, libc::POSIX_FADV_NOREUSE);
        let _ = libc::posix_fadvise(file.as_raw_fd(), start, length, libc::POSIX_FADV_WILLNEED);
    }
}

/// Whether the page of the first of these bytes is in memory; `true` if unknown.
pub fn is_in_memory(bytes: &[u8]) -> bool {
    const PAGE: usize = 4096;
    if bytes.is_empty() {
        return true;
    }
    let place = bytes.as_ptr();
    let page = place.wrapping_byte_sub(place.addr() % PAGE);
    let mut state = 0_u8;
    // SAFETY: `mincore` reads no byte of the page, which is part of this process's memory because `bytes` is; for a length of 1 it writes
    // one byte. A page of another size than 4096 bytes is an error of the call.
    let found = unsafe { libc::mincore(page.cast_mut().cast(), 1, &raw mut state) };
    found != 0 || state & 1 == 1
}

/// Whether the first byte of a file is in memory; `true` if unknown, and for an empty file.
pub fn begins_in_memory(file: &File) -> bool {
    let mut byte = 0_u8;
    let part = libc::iovec { iov_base: (&raw mut byte).cast(), iov_len: 1 };
    // SAFETY: the descriptor is open, `part` describes one byte that may be written to, and both live until the call returns.
    let read = unsafe { libc::preadv2(file.as_raw_fd(), &raw const part, 1, 0, libc::RWF_NOWAIT) };
    read >= 0 || std::io::Error::last_os_error().kind() != std::io::ErrorKind::WouldBlock
}
