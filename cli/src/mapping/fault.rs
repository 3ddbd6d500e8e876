//! The handler of SIGBUS: if a mapped file was cut short, it names the file and ends the process with a status of its own.

use std::io;
use std::mem;
use std::ops::Range;
use std::ptr;
use std::sync::atomic::{AtomicBool, Ordering};

use libc::{c_int, c_void, siginfo_t};

use crate::outcome::Outcome;
use crate::text::is_invisible;

const MESSAGE: &[u8] =
    b": cut short by another program while it was being read; run again, or pass --lease or --no-map\n";

/// Room for the longest line of `/proc/self/maps` and a part of the next: a path has at most 4096 bytes.
type Room = [u8; 8192];

/// Whether a thread is writing the message.
static IS_BUSY: AtomicBool = AtomicBool::new(false);

/// Installs the handler.
pub(super) fn install() -> io::Result<()> {
    let handler: extern "C" fn(c_int, *mut siginfo_t, *mut c_void) = on_fault;
    // SAFETY: a `sigaction` of zeros is valid: no flag, no signal in the mask.
    let mut action: libc::sigaction = unsafe { mem::zeroed() };
    action.sa_flags = libc::SA_SIGINFO;
    #[allow(clippy::as_conversions, reason = "a function has no other way to a number")]
    {
        action.sa_sigaction = handler as libc::sighandler_t;
    }
    // SAFETY: `action` is a whole `sigaction` whose handler takes the arguments of `SA_SIGINFO` and is async-signal-safe.
    let installed = unsafe { libc::sigaction(libc::SIGBUS, &raw const action, ptr::null_mut()) };
    if installed == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

/// Only async-signal-safe calls (signal-safety(7)): `open`, `read`, `write`, `close`, `signal`, `raise`, `_exit`, and arithmetic.
extern "C" fn on_fault(signal: c_int, info: *mut siginfo_t, _context: *mut c_void) {
    // SAFETY: with `SA_SIGINFO` the kernel gives a whole `siginfo_t`. That of SIGBUS has an address, unless a process sent the
    // signal, which a code up to 0 says (sigaction(2)).
    let (is_sent, address) = unsafe { ((*info).si_code <= 0, (*info).si_addr().addr()) };
    if !is_sent {
        if IS_BUSY.swap(true, Ordering::AcqRel) {
            // Another thread is about to end the process. Until then this thread repeats the instruction and faults again.
            return;
        }
        let mut room = [0; size_of::<Room>()];
        if let Some(path) = path_at(address, &mut room) {
            write(b"skelmap: ");
            write_path(path);
            write(MESSAGE);
            // SAFETY: ends the process.
            unsafe { libc::_exit(Outcome::CutShort as c_int) }
        }
        IS_BUSY.store(false, Ordering::Release);
    }
    // Not about a file: the default action ends the process. A fault happens again after the return, a sent signal is sent again.
    // SAFETY: sets the default action, and sends a signal to this thread.
    unsafe {
        libc::signal(signal, libc::SIG_DFL);
        if is_sent {
            libc::raise(signal);
        }
    }
}

/// The path of the file that is mapped at an address.
fn path_at(address: usize, room: &mut Room) -> Option<&[u8]> {
    // SAFETY: the path ends with a zero.
    let file = unsafe { libc::open(c"/proc/self/maps".as_ptr(), libc::O_RDONLY | libc::O_CLOEXEC) };
    let place = find_path(file, address, room);
    // SAFETY: nothing else has the descriptor; an invalid one gives an error.
    unsafe { libc::close(file) };
    room.get(place?)
}

/// Reads lines until one contains an address. Returns where its path is in the room.
fn find_path(file: c_int, address: usize, room: &mut Room) -> Option<Range<usize>> {
    let mut filled = 0_usize;
    loop {
        let free = room.get_mut(filled..).unwrap_or_default();
        // SAFETY: so many bytes may be written there; an invalid descriptor gives an error.
        let read = unsafe { libc::read(file, free.as_mut_ptr().cast(), free.len()) };
        let read = usize::try_from(read).ok().filter(|read| *read > 0)?;
        filled = filled.saturating_add(read);
        let mut begin = 0_usize;
        while let Some(line) =
            room.get(begin..filled).and_then(|rest| rest.split_inclusive(|byte| *byte == b'\n').next())
        {
            if line.last() != Some(&b'\n') {
                break;
            }
            let end = begin.saturating_add(line.len());
            if contains(line, address) {
                let path = line.iter().position(|byte| *byte == b'/')?;
                return Some(begin.saturating_add(path)..end.saturating_sub(1));
            }
            begin = end;
        }
        room.copy_within(begin..filled, 0);
        filled = filled.saturating_sub(begin);
    }
}

/// Whether the range of a line such as `7f00-7f80 r--p ...` contains an address.
fn contains(line: &[u8], address: usize) -> bool {
    let range = line.split(|byte| *byte == b' ').next().and_then(|range| core::str::from_utf8(range).ok());
    let ends = range.and_then(|range| range.split_once('-'));
    let number = |text| usize::from_str_radix(text, 16).ok();
    let ends = ends.and_then(|(start, end)| Some(number(start)?..number(end)?));
    ends.is_some_and(|range| range.contains(&address))
}

/// Writes a path with `?` for invisible characters and for bytes that are not UTF-8.
fn write_path(path: &[u8]) {
    for chunk in path.utf8_chunks() {
        for (index, piece) in chunk.valid().split(is_invisible).enumerate() {
            if index > 0 {
                write(b"?");
            }
            write(piece.as_bytes());
        }
        if !chunk.invalid().is_empty() {
            write(b"?");
        }
    }
}

/// Writes to standard error. Bytes that cannot be written are lost.
fn write(text: &[u8]) {
    // SAFETY: the bytes may be read, and `write` does no more.
    let _ = unsafe { libc::write(libc::STDERR_FILENO, text.as_ptr().cast(), text.len()) };
}
