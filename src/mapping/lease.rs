//! A map under a lease: whoever wants to change the file waits until this process has a copy of it (Linux).
//!
//! A read lease (`fcntl(2)`, `F_SETLEASE`) makes the kernel stop whoever opens the file for writing or truncates it, tell the
//! holder by a signal, and wait for the lease to be given back, for as long as `/proc/sys/fs/lease-break-time` says. A thread of
//! this module's own takes the signal. It reads the file into new memory, puts that in the map's place, at the same address and in
//! one step, and gives the lease back: who looks at the bytes sees the same ones before, meanwhile and after.

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

/// What the kernel is to send: a signal that a process without any thread of ours would ignore.
const SIGNAL: c_int = libc::SIGURG;

// From asm-generic/fcntl.h, which is so for every target that Rust has.
const F_SETSIG: c_int = 10;
const F_SETOWN_EX: c_int = 15;
const F_OWNER_TID: c_int = 0;

/// How long the watcher waits before it tries again what failed, as for want of memory, and how often it does so: for longer than
/// the 45 seconds that the kernel usually gives it.
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
    // Dropped in this order: the lease goes with the file.
    map: Mmap,
    file: File,
    is_copied: AtomicBool,
}

impl Leased {
    /// Maps a file under a lease; `None` where there is no lease to be had or nothing to map, and the file is to be read.
    ///
    /// # Safety
    /// What [`Opener::leasing`](super::Opener::leasing) asks for.
    pub(super) unsafe fn open(file: &File) -> Option<Arc<Self>> {
        let watcher = watcher()?;
        let file = file.try_clone().ok()?;
        if !keeps_leases(&file) {
            return None;
        }
        let recipient = Recipient { kind: F_OWNER_TID, id: watcher.thread };
        let fd = file.as_raw_fd();
        // Held from before there is a lease until the watcher knows of it: it must not look for what it is told of in vain.
        let mut files = watcher.files.lock().unwrap_or_else(PoisonError::into_inner);
        // SAFETY: the descriptor is open, as `file` lives; `F_SETOWN_EX` reads a `struct f_owner_ex`, which `Recipient` is, and
        // the others take an integer. The owner and the signal are set before the lease is, so that no other signal is ever sent.
        let is_leased = unsafe {
            libc::fcntl(fd, F_SETOWN_EX, &raw const recipient) == 0
                && libc::fcntl(fd, F_SETSIG, SIGNAL) == 0
                && libc::fcntl(fd, libc::F_SETLEASE, libc::F_RDLCK) == 0
        };
        if !is_leased {
            return None;
        }
        // SAFETY: `Mmap::map` asks that the file be neither truncated nor modified while the map lives. The lease was granted on a
        // file with a name, so nobody has the file open for writing or mapped for writing (fcntl(2)), and who wants to waits until
        // the watcher has put a copy in the map's place. That it does so in time and that nothing gets round the lease the caller
        // promises.
        let map = unsafe { Mmap::map(&file) }.ok().filter(|map| !map.is_empty())?;
        let leased = Arc::new(Self { map, file, is_copied: AtomicBool::new(false) });
        files.insert(fd, Arc::downgrade(&leased));
        Some(leased)
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.map
    }

    /// Whether the bytes are this process's own by now.
    pub(super) fn is_copied(&self) -> bool {
        self.is_copied.load(Ordering::Acquire)
    }

    /// Whether the lease is held and nobody waits for it.
    pub(super) fn is_held(&self) -> bool {
        // SAFETY: the descriptor is open, as `self.file` lives, and `F_GETLEASE` takes nothing else.
        let held = unsafe { libc::fcntl(self.file.as_raw_fd(), libc::F_GETLEASE) };
        // What is asked for while somebody waits is the lease that will be left: none.
        held == libc::F_RDLCK
    }

    /// Copies the bytes and gives the lease back, if somebody waits for it.
    ///
    /// # Errors
    /// If there is no memory for a copy, or the file cannot be read: the lease is kept for as long as the kernel lets it be.
    fn give_back_if_wanted(&self) -> io::Result<()> {
        if !self.is_copied() && !self.is_held() {
            self.copy()?;
            self.is_copied.store(true, Ordering::Release);
            self.give_back();
        }
        Ok(())
    }

    fn give_back(&self) {
        // SAFETY: as in `is_held`; `F_SETLEASE` takes an integer. It fails where the kernel took the lease already.
        let _ = unsafe { libc::fcntl(self.file.as_raw_fd(), libc::F_SETLEASE, libc::F_UNLCK) };
    }

    /// Puts a copy of the bytes in the place of the map.
    fn copy(&self) -> io::Result<()> {
        let length = self.map.len();
        let mut copy = MmapMut::map_anon(length)?;
        // Not from the map: what cannot be read is an error here and a signal there.
        self.file.read_exact_at(&mut copy, 0)?;
        let copy = copy.make_read_only()?;
        let place = self.map.as_ptr().cast_mut().cast::<c_void>();
        // SAFETY: both ranges are page-aligned, as `mmap` gave them, and each is all of a mapping of `length` bytes which this
        // function may dispose of: `copy` is its own and is forgotten when it has moved; `self.map` lives as long as `self`, so
        // that nothing else can have come to lie there, and its `Drop` unmaps whatever does. They are apart, for both are mapped.
        // Slices of the map stay valid: the place stays readable and its bytes are those that were there, as the lease lasts;
        // the kernel does both steps, unmapping and moving, under the lock that page faults take, so that no thread sees
        // anything between.
        let moved = unsafe {
            let flags = libc::MREMAP_MAYMOVE | libc::MREMAP_FIXED;
            libc::mremap(copy.as_ptr().cast_mut().cast(), length, length, flags, place)
        };
        if moved == place {
            #[expect(clippy::mem_forget, reason = "where the copy was there is nothing any more")]
            mem::forget(copy);
            return Ok(());
        }
        let error = io::Error::last_os_error();
        // SAFETY: `msync` with `MS_ASYNC` only looks whether the range is mapped.
        if unsafe { libc::msync(place, length, libc::MS_ASYNC) } != 0 {
            // The map is gone and its slices are not: nothing may go on. The kernel looks for what could fail before it unmaps, so
            // that this should never be; that in the moment between the two calls another thread maps something just there, which
            // would pass for the map, is taken for impossible.
            process::abort();
        }
        Err(error)
    }
}

impl Drop for Leased {
    /// The lease would end with the file, too, but not before a child that was forked meanwhile has closed it as well. What such a
    /// child does with its own copy of this is nothing to the lease.
    fn drop(&mut self) {
        if watcher().is_some() {
            self.give_back();
        }
    }
}

/// Whether leases on the file's file system keep everybody from changing the file.
///
/// Not so on network file systems and FUSE, where the change may come from elsewhere, nor on overlayfs, which grants a lease while
/// somebody has the file mapped for writing; nor on a file without a name (`memfd_create`, `O_TMPFILE`), whose maker the kernel
/// does not count among those who have it open for writing.
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
    // SAFETY: the descriptor is open, and there is room for what is written.
    if unsafe { libc::fstatfs(file.as_raw_fd(), about.as_mut_ptr()) } != 0 {
        return false;
    }
    // SAFETY: `fstatfs` succeeded, so that all of it is written.
    let about = unsafe { about.assume_init() };
    LOCAL.contains(&(about.f_type as u32))
}

/// The thread that gives leases back, and the files under one.
struct Watcher {
    process: u32,
    thread: pid_t,
    /// By their descriptor: that of a file that is closed goes to another.
    files: Mutex<BTreeMap<RawFd, Weak<Leased>>>,
}

/// The process's watcher, which is started when it is first needed; `None` if that failed, or in a process forked from the one in
/// which it runs.
fn watcher() -> Option<&'static Watcher> {
    static WATCHER: OnceLock<Option<Watcher>> = OnceLock::new();
    let watcher = WATCHER.get_or_init(|| {
        let (tell, told) = mpsc::channel();
        let watch = move || {
            let signal = take_signals(&tell)?;
            let mut tries = 0_u32;
            loop {
                // For good, unless something is to be tried again.
                let at_most = if tries == 0 { ptr::null() } else { &raw const AGAIN_AFTER };
                // SAFETY: the pointers are to values that live, or null where that is allowed. A failure means that there is no
                // signal to take, yet.
                let taken = unsafe { libc::sigtimedwait(&raw const signal, ptr::null_mut(), at_most) };
                if taken == SIGNAL {
                    tries = TRIES;
                }
                tries = if watcher()?.give_back_what_is_wanted() { 0 } else { tries.saturating_sub(1) };
            }
        };
        thread::Builder::new().name("skelmap-leases".to_owned()).spawn(move || -> Option<()> { watch() }).ok()?;
        Some(Watcher { process: process::id(), thread: told.recv().ok()?, files: Mutex::default() })
    });
    watcher.as_ref().filter(|watcher| watcher.process == process::id())
}

/// Blocks every signal for this thread, tells its id, and gives the set of the one signal to wait for.
fn take_signals(tell: &Sender<pid_t>) -> Option<libc::sigset_t> {
    let mut set = MaybeUninit::<libc::sigset_t>::uninit();
    // SAFETY: `sigfillset` makes a set of the memory, which the calls after it read and change. Nothing but this thread is affected.
    let set = unsafe {
        libc::sigfillset(set.as_mut_ptr());
        if libc::pthread_sigmask(libc::SIG_BLOCK, set.as_ptr(), ptr::null_mut()) != 0 {
            return None;
        }
        libc::sigemptyset(set.as_mut_ptr());
        libc::sigaddset(set.as_mut_ptr(), SIGNAL);
        set.assume_init()
    };
    // SAFETY: asks for a number.
    tell.send(unsafe { libc::gettid() }).ok()?;
    Some(set)
}

impl Watcher {
    /// Several files may be meant by one signal: those of the same number are merged while they wait. Whether all is done.
    fn give_back_what_is_wanted(&self) -> bool {
        let files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        let held: Vec<Arc<Leased>> = files.values().filter_map(Weak::upgrade).collect();
        // Not under the lock: files can be opened and closed while others are copied.
        drop(files);
        // Each, even after one has failed.
        held.iter().filter(|leased| leased.give_back_if_wanted().is_err()).count() == 0
    }
}
