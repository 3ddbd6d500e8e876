//! A last word where a mapped file is cut short: which file it was, and an exit status, instead of a death by SIGBUS.

use std::io;

/// Makes this process say which file it was and exit, where a mapped file was cut short by another program and what is lost is
/// touched (Linux). Without this the process is killed by SIGBUS, and says nothing.
///
/// The message, on standard error, is `before`, the file's path with what is not visible replaced by `?`, and `after`. Then the
/// process exits with `status` at once: nothing is flushed and no destructor runs. A disk that fails looks the same to it as a
/// file that is cut short.
///
/// This is for programs, not for libraries: it holds for every mapped file of the process, whoever mapped it. All other faults go
/// to whoever handled SIGBUS before. Only the first call counts. Which file it was is read in `/proc/self/maps`: where there is no
/// `/proc`, the process is killed as ever. On other systems than Linux this does nothing.
///
/// ```
/// skelmap::mapping::exit_on_fault("mytool: ", ": cut short by another program while it was mapped", 4)?;
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
/// What the system says if the handler cannot be installed.
pub fn exit_on_fault(before: &'static str, after: &'static str, status: i32) -> io::Result<()> {
    #[cfg(target_os = "linux")]
    return linux::install(before, after, status);
    #[cfg(not(target_os = "linux"))]
    {
        let _ = (before, after, status);
        Ok(())
    }
}

#[cfg(target_os = "linux")]
mod linux {
    use std::io;
    use std::mem::{self, MaybeUninit};
    use std::ops::Range;
    use std::ptr;
    use std::sync::OnceLock;
    use std::sync::atomic::{AtomicPtr, Ordering};

    use libc::{c_int, c_void, siginfo_t};

    /// Room for the longest line of `/proc/self/maps` and a part of the next: a path has up to 4096 bytes.
    type Room = [u8; 8192];

    /// A handler of the kind that `SA_SIGINFO` stands for.
    type Handler = extern "C" fn(c_int, *mut siginfo_t, *mut c_void);

    /// What the handler needs. It may neither allocate nor take a lock, so that all of it is there before.
    struct Report {
        before: &'static str,
        after: &'static str,
        status: c_int,
        /// Who handled the signal before.
        previous: libc::sigaction,
        /// The first thread to fault takes it; null while a thread has it.
        room: AtomicPtr<Room>,
    }

    static REPORT: OnceLock<Report> = OnceLock::new();

    pub(super) fn install(before: &'static str, after: &'static str, status: i32) -> io::Result<()> {
        if REPORT.get().is_some() {
            return Ok(());
        }
        let mut previous = MaybeUninit::<libc::sigaction>::uninit();
        // SAFETY: there is room for what is written, and nothing is installed.
        if unsafe { libc::sigaction(libc::SIGBUS, ptr::null(), previous.as_mut_ptr()) } != 0 {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: the call succeeded, so that all of it is written.
        let previous = unsafe { previous.assume_init() };
        // Given away for good, as is the handler.
        let room = AtomicPtr::new(Box::into_raw(Box::new([0; size_of::<Room>()])));
        if REPORT.set(Report { before, after, status, previous, room }).is_err() {
            return Ok(());
        }
        let mut action = previous;
        let handler: Handler = on_fault;
        // As other handlers in the process expect: on the stack that the thread has for signals, if it has one.
        action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
        #[allow(clippy::as_conversions, reason = "the one way to say where a function is")]
        {
            action.sa_sigaction = handler as libc::sighandler_t;
        }
        // SAFETY: `action` is a whole `sigaction` with a handler of the kind that `SA_SIGINFO` stands for, which does only what
        // a handler may.
        let installed = unsafe {
            libc::sigemptyset(&raw mut action.sa_mask);
            libc::sigaction(libc::SIGBUS, &raw const action, ptr::null_mut())
        };
        if installed == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
    }

    /// Only what is async-signal-safe (signal-safety(7)): `open`, `read`, `write`, `close`, `sigaction`, `raise`, `_exit`, and
    /// arithmetic. Neither allocates nor locks: `OnceLock::get` loads a value that was there before the handler was.
    extern "C" fn on_fault(signal: c_int, info: *mut siginfo_t, context: *mut c_void) {
        let Some(report) = REPORT.get() else { return };
        // SAFETY: the place of this thread's `errno`, which whoever was interrupted finds as it was.
        let errno = unsafe { libc::__errno_location() };
        // SAFETY: as above.
        let before = unsafe { *errno };
        // SAFETY: with `SA_SIGINFO` the kernel hands over a whole `siginfo_t`; that of SIGBUS has an address, unless the signal was
        // sent by somebody, which a code up to 0 says (sigaction(2)).
        let (is_sent, address) = unsafe { ((*info).si_code <= 0, (*info).si_addr().addr()) };
        if !is_sent {
            let room = report.room.swap(ptr::null_mut(), Ordering::AcqRel);
            // SAFETY: it is null or what `install` gave away, which nobody else has until it is put back.
            let Some(bytes) = (unsafe { room.as_mut() }) else {
                // Another thread is about to end the process. Until then the instruction is tried again, and faults again.
                return;
            };
            if let Some(path) = path_at(address, bytes) {
                say(report.before.as_bytes());
                say_path(path);
                say(report.after.as_bytes());
                say(b"\n");
                // SAFETY: ends the process.
                unsafe { libc::_exit(report.status) }
            }
            report.room.store(room, Ordering::Release);
        }
        // SAFETY: as above.
        unsafe { *errno = before };
        pass_on(report, signal, info, context);
    }

    /// What is of no file goes to whoever handled the signal before; where nobody did, it does what it would have done.
    fn pass_on(report: &Report, signal: c_int, info: *mut siginfo_t, context: *mut c_void) {
        let previous = report.previous.sa_sigaction;
        if previous != libc::SIG_DFL && previous != libc::SIG_IGN {
            // SAFETY: what `sigaction` gave that is neither of the two is a handler, and the flag says of which kind. It is called
            // with what the kernel called this one with.
            unsafe {
                if report.previous.sa_flags & libc::SA_SIGINFO == 0 {
                    mem::transmute::<usize, extern "C" fn(c_int)>(previous)(signal);
                } else {
                    mem::transmute::<usize, Handler>(previous)(signal, info, context);
                }
            }
            return;
        }
        // The instruction is tried again and faults again; what was sent is sent again.
        // SAFETY: `previous` is what `sigaction` gave for this signal, and `info` a whole `siginfo_t`, as in `on_fault`.
        unsafe {
            libc::sigaction(signal, &raw const report.previous, ptr::null_mut());
            if (*info).si_code <= 0 {
                libc::raise(signal);
            }
        }
    }

    /// The path of the file that is mapped at an address.
    fn path_at(address: usize, room: &mut Room) -> Option<&[u8]> {
        // SAFETY: the path ends with a zero.
        let file = unsafe { libc::open(c"/proc/self/maps".as_ptr(), libc::O_RDONLY | libc::O_CLOEXEC) };
        let place = find_path(file, address, room);
        // SAFETY: nothing else has the descriptor; one that is none is an error as any other.
        unsafe { libc::close(file) };
        room.get(place?)
    }

    /// Reads lines until one is about an address; where its path is in the room.
    fn find_path(file: c_int, address: usize, room: &mut Room) -> Option<Range<usize>> {
        let mut filled = 0_usize;
        loop {
            let free = room.get_mut(filled..).unwrap_or_default();
            // SAFETY: so many bytes may be written there. A descriptor that is none is an error as any other.
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
                if is_at(line, address) {
                    let path = line.iter().position(|byte| *byte == b'/')?;
                    return Some(begin.saturating_add(path)..end.saturating_sub(1));
                }
                begin = end;
            }
            room.copy_within(begin..filled, 0);
            filled = filled.saturating_sub(begin);
        }
    }

    /// Whether a line such as `7f00-7f80 r--p ...` is about an address.
    fn is_at(line: &[u8], address: usize) -> bool {
        let range = line.split(|byte| *byte == b' ').next().and_then(|range| core::str::from_utf8(range).ok());
        let ends = range.and_then(|range| range.split_once('-'));
        let number = |text| usize::from_str_radix(text, 16).ok();
        let ends = ends.and_then(|(start, end)| Some(number(start)?..number(end)?));
        ends.is_some_and(|range| range.contains(&address))
    }

    /// A path without what could command a terminal or reverse a line.
    fn say_path(path: &[u8]) {
        let is_invisible = |c: char| {
            c.is_control()
                || matches!(c, '\u{AD}' | '\u{61C}' | '\u{180E}' | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}')
                || matches!(c, '\u{2060}'..='\u{206F}' | '\u{FEFF}' | '\u{FFF9}'..='\u{FFFB}' | '\u{E0000}'..='\u{E007F}')
        };
        for chunk in path.utf8_chunks() {
            for (index, piece) in chunk.valid().split(is_invisible).enumerate() {
                if index > 0 {
                    say(b"?");
                }
                say(piece.as_bytes());
            }
            if !chunk.invalid().is_empty() {
                say(b"?");
            }
        }
    }

    /// Writes to standard error; what cannot be written is not worth failing over.
    fn say(text: &[u8]) {
        // SAFETY: the bytes may be read, and `write` does no more.
        let _ = unsafe { libc::write(libc::STDERR_FILENO, text.as_ptr().cast(), text.len()) };
    }
}
