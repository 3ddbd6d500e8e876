//! A map under a lease: a program that wants to change the file waits until this process has a copy (Linux).
//!
//! A read lease (`fcntl(2)`, `F_SETLEASE`) makes the kernel stop a program that opens the file for writing or truncates it,
//! send the holder a signal, and wait for the end of the lease, at most the time of `/proc/sys/fs/lease-break-time`. A thread
//! of this module receives the signal, reads the file into new memory, replaces the map with this memory, at the same address
//! and in one step, and ends the lease. Readers see the same bytes before, during and after this.

use std::collections::BTreeMap;
use std::fs::File;
use std::io;
use std::mem::{self, MaybeUninit};
use std::os::fd::{AsRawFd, RawFd};
use std::os::unix::fs::{FileExt, MetadataExt};
use std::process;
use std::ptr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Sender};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};
use std::thread;

use libc::{c_int, c_void, pid_t};
use memmap2::{Mmap, MmapMut};

/// The signal for the watcher: a signal that a process ignores by default.
const SIGNAL: c_int = libc::SIGURG;

// From asm-generic/fcntl.h. Every target of Rust has these numbers.
const F_SETSIG: c_int = 10;
const F_SETOWN_EX: c_int = 15;
const F_OWNER_TID: c_int = 0;

/// The delay before the watcher retries a failed copy (for example after a lack of memory), and the number of retries. Together
/// they last longer than the kernel's default of 45 seconds.
static AGAIN_AFTER: libc::timespec = libc::timespec { tv_sec: 0, tv_nsec: 250_000_000 };
const TRIES: u32 = 240;

/// `struct f_owner_ex` of the same header.
#[repr(C)]
struct Recipient {
    kind: c_int,
    id: pid_t,
}

/// A map of a file, and the lease that protects it.
pub(super) struct Leased {
    // Dropped in this order: the lease ends with the file.
    map: Mmap,
    file: File,
    is_copied: AtomicBool,
}

impl Leased {
    /// Maps a file under a lease; `None` if the file cannot have a lease or is empty: the caller then reads it.
    ///
    /// # Safety
    /// As [`Opener::leasing`](super::Opener::leasing).
    pub(super) unsafe fn open(file: &File) -> Option<Arc<Self>> {
        let watcher = watcher()?;
        let file = file.try_clone().ok()?;
        if !keeps_leases(&file) {
            return None;
        }
        let recipient = Recipient { kind: F_OWNER_TID, id: watcher.thread };
        let fd = file.as_raw_fd();
        // Locked from before the lease begins until the watcher can find the file: every signal finds its file.
        let mut files = watcher.files.lock().unwrap_or_else(PoisonError::into_inner);
        // SAFETY: `file` lives, so the descriptor is open. `F_SETOWN_EX` reads a `struct f_owner_ex`, which `Recipient`
        // is; the other calls take an integer. Owner and signal are set before the lease, so no other signal is ever
        // sent.
        let is_leased = unsafe {
            libc::fcntl(fd, F_SETOWN_EX, &raw const recipient) == 0
                && libc::fcntl(fd, F_SETSIG, SIGNAL) == 0
                && libc::fcntl(fd, libc::F_SETLEASE, libc::F_RDLCK) == 0
        };
        if !is_leased {
            return None;
        }
        // SAFETY: `Mmap::map` asks that the file is neither truncated nor modified while the map lives. The kernel
        // granted the lease on a file with a name, so no process has the file open or mapped for writing (fcntl(2)). A
        // process that wants to write waits until the watcher has put a copy in the place of the map. The caller
        // promises that the watcher does so in time and that nothing gets round the lease.
        let map = unsafe { Mmap::map(&file) }.ok().filter(|map| !map.is_empty())?;
        let leased = Arc::new(Self { map, file, is_copied: AtomicBool::new(false) });
        files.insert(fd, Arc::downgrade(&leased));
        Some(leased)
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.map
    }

    /// Whether the bytes are a copy in the memory of this process.
    pub(super) fn is_copied(&self) -> bool {
        self.is_copied.load(Ordering::Acquire)
    }

    /// Whether the lease is held and no process waits for its end.
    pub(super) fn is_held(&self) -> bool {
        // SAFETY: `self.file` lives, so the descriptor is open. `F_GETLEASE` takes no other argument.
        let held = unsafe { libc::fcntl(self.file.as_raw_fd(), libc::F_GETLEASE) };
        // While a process waits, the kernel reports the lease that remains afterwards: none.
        held == libc::F_RDLCK
    }

    /// Copies the bytes and ends the lease, if a process waits for it.
    ///
    /// # Errors
    /// If the file cannot be read, or memory is short. The lease then lasts until the kernel ends it.
    fn end_if_wanted(&self) -> io::Result<()> {
        if !self.is_copied() && !self.is_held() {
            self.copy()?;
            self.is_copied.store(true, Ordering::Release);
            self.end();
        }
        Ok(())
    }

    fn end(&self) {
        // SAFETY: as in `is_held`; `F_SETLEASE` takes an integer. The call fails if the kernel has ended the lease
        // already.
        let _ = unsafe { libc::fcntl(self.file.as_raw_fd(), libc::F_SETLEASE, libc::F_UNLCK) };
    }

    /// Replaces the map with a copy of the bytes.
    ///
    /// # Errors
    /// Those of [`end_if_wanted`](Leased::end_if_wanted). The map is then unchanged.
    fn copy(&self) -> io::Result<()> {
        let length = self.map.len();
        let mut copy = MmapMut::map_anon(length)?;
        // Not from the map: there, a read error would be a signal instead of an error.
        self.file.read_exact_at(&mut copy, 0)?;
        let copy = copy.make_read_only()?;
        let place = self.map.as_ptr().cast_mut().cast::<c_void>();
        // SAFETY: both ranges come from `mmap`, so they are page-aligned. Each range is a whole mapping of `length`
        // bytes that this function may replace: `copy` is its own and is forgotten after the move; `self.map` lives as
        // long as `self`, so nothing else can lie in its place, and its `Drop` unmaps whatever lies there. The ranges
        // are disjoint, because both are mapped. Slices of the map stay valid: the place stays readable, and its bytes
        // stay the same, because the lease lasts. The kernel does both steps, unmapping and moving, under the lock that
        // page faults take, so no thread sees a state between.
        let moved = unsafe {
            let flags = libc::MREMAP_MAYMOVE | libc::MREMAP_FIXED;
            libc::mremap(copy.as_ptr().cast_mut().cast(), length, length, flags, place)
        };
        if moved == place {
            #[expect(clippy::mem_forget, reason = "the mapping of the copy has moved away")]
            mem::forget(copy);
            return Ok(());
        }
        let error = io::Error::last_os_error();
        // SAFETY: `msync` with `MS_ASYNC` only looks whether the range is mapped.
        if unsafe { libc::msync(place, length, libc::MS_ASYNC) } != 0 {
            // The map is gone and its slices are not: the process must end. The kernel checks what can fail before it
            // unmaps, so this should never happen. The check is blind to another thread that maps something at the same
            // place between the two calls; that is taken for impossible.
            process::abort();
        }
        Err(error)
    }
}

impl Drop for Leased {
    /// Ends the lease. The lease also ends with the file, but only after every forked child has closed the file. In a
    /// forked child, the drop does not end the lease.
    fn drop(&mut self) {
        if watcher().is_some() {
            self.end();
        }
    }
}

/// Whether a lease prevents every process from changing the file.
///
/// It does not on network file systems and FUSE, where another machine or program can change the file; on
/// overlayfs, which grants a lease while a process has the file mapped for writing; on a file without a name
/// (`memfd_create`, `O_TMPFILE`), because the kernel does not count its creator as a writer.
#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::as_conversions,
    reason = "32 bits in each type"
)]
fn keeps_leases(file: &File) -> bool {
    // ext2 to ext4, XFS, Btrfs, tmpfs, F2FS (linux/magic.h).
    const LOCAL: [u32; 5] = [0xEF53, 0x5846_5342, 0x9123_683E, 0x0102_1994, 0xF2F5_2010];
    if !file.metadata().is_ok_and(|metadata| metadata.nlink() > 0) {
        return false;
    }
    let mut about = MaybeUninit::<libc::statfs>::uninit();
    // SAFETY: the descriptor is open, and `about` is as large as the result.
    if unsafe { libc::fstatfs(file.as_raw_fd(), about.as_mut_ptr()) } != 0 {
        return false;
    }
    // SAFETY: `fstatfs` succeeded, so it has written all of `about`.
    let about = unsafe { about.assume_init() };
    LOCAL.contains(&(about.f_type as u32))
}

/// The thread that ends leases, and the files under a lease.
struct Watcher {
    process: u32,
    thread: pid_t,
    /// By descriptor. The descriptor of a closed file goes to another file, which replaces the entry.
    files: Mutex<BTreeMap<RawFd, Weak<Leased>>>,
}

/// The watcher of the process; the first call starts it. `None` if that failed, and in a forked process.
fn watcher() -> Option<&'static Watcher> {
    static WATCHER: OnceLock<Option<Watcher>> = OnceLock::new();
    let watcher = WATCHER.get_or_init(|| {
        let (send_id, id) = mpsc::channel();
        let watch = move || {
            let signal = receive_signals(&send_id)?;
            let mut tries = 0_u32;
            loop {
                // No time limit, unless a copy is to be retried.
                let at_most = if tries == 0 { ptr::null() } else { &raw const AGAIN_AFTER };
                // SAFETY: the pointers point to values that live, or are null where that is allowed. A failure means
                // that no signal has come yet.
                let received = unsafe { libc::sigtimedwait(&raw const signal, ptr::null_mut(), at_most) };
                if received == SIGNAL {
                    tries = TRIES;
                }
                tries = if watcher()?.end_wanted_leases() { 0 } else { tries.saturating_sub(1) };
            }
        };
        thread::Builder::new().name("skelmap-leases".to_owned()).spawn(move || -> Option<()> { watch() }).ok()?;
        Some(Watcher { process: process::id(), thread: id.recv().ok()?, files: Mutex::default() })
    });
    watcher.as_ref().filter(|watcher| watcher.process == process::id())
}

/// Blocks every signal for this thread, sends the thread's id, and returns the set of the one signal to wait for.
fn receive_signals(id: &Sender<pid_t>) -> Option<libc::sigset_t> {
    let mut set = MaybeUninit::<libc::sigset_t>::uninit();
    // SAFETY: `sigfillset` makes a set of the memory; the later calls read and change the set. Only this thread is
    // affected.
    let set = unsafe {
        libc::sigfillset(set.as_mut_ptr());
        if libc::pthread_sigmask(libc::SIG_BLOCK, set.as_ptr(), ptr::null_mut()) != 0 {
            return None;
        }
        libc::sigemptyset(set.as_mut_ptr());
        libc::sigaddset(set.as_mut_ptr(), SIGNAL);
        set.assume_init()
    };
    // SAFETY: `gettid` only returns a number.
    id.send(unsafe { libc::gettid() }).ok()?;
    Some(set)
}

impl Watcher {
    /// Ends every lease that a process waits for. Checks all files, because the system merges pending signals of one number.
    /// Returns whether all succeeded.
    fn end_wanted_leases(&self) -> bool {
        let files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        let held: Vec<Arc<Leased>> = files.values().filter_map(Weak::upgrade).collect();
        // Without the lock, because files can be opened and closed during the copies.
        drop(files);
        // Tries all files, even after a failure.
        held.iter().filter(|leased| leased.end_if_wanted().is_err()).count() == 0
    }
}
