//! Removes unfinished files when the command is stopped (Ctrl-C, SIGTERM, a closed terminal).

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, Once, PoisonError, mpsc};
use std::thread;
use std::time::Duration;

use crate::output::complain;

/// The files that are being written and are useless unfinished.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Whether signals are this program's own. In a program that only uses [`bulk`](crate::bulk), they are not.
static HANDLES_SIGNALS: AtomicBool = AtomicBool::new(false);

/// Lets [`begin`] wait for signals.
pub(crate) fn handle_signals() {
    HANDLES_SIGNALS.store(true, Ordering::Relaxed);
}

fn unfinished() -> MutexGuard<'static, Vec<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Creates a file that is removed if the command is stopped before [`finish`].
pub(crate) fn begin(path: &Path, make: impl FnOnce() -> io::Result<File>) -> io::Result<File> {
    static GUARD: Once = Once::new();
    // Nobody looks at the list: no lock, which a process that forks now would never get.
    if !HANDLES_SIGNALS.load(Ordering::Relaxed) {
        return make();
    }
    GUARD.call_once(guard);
    let mut unfinished = unfinished();
    let made = make()?;
    unfinished.push(path.to_owned());
    Ok(made)
}

/// Renames or removes the file of [`begin`] by `end`. After that, stopping the command does not remove it.
pub(crate) fn finish<T>(path: &Path, end: impl FnOnce() -> T) -> T {
    finish_all(&[path.to_owned()], end)
}

/// [`finish`] for several files: the command is stopped before or after `end`, and not in between.
pub(crate) fn finish_all<T>(paths: &[PathBuf], end: impl FnOnce() -> T) -> T {
    if !HANDLES_SIGNALS.load(Ordering::Relaxed) {
        return end();
    }
    let mut unfinished = unfinished();
    let ended = end();
    unfinished.retain(|own| !paths.contains(own));
    ended
}

/// Does not return if another thread is stopping the command: without its unfinished files, the command fails, and not for a reason of its own.
pub(crate) fn wait_if_stopping() {
    drop(unfinished());
}

/// Removes the unfinished files and ends the process with the status that shells use for this signal.
fn stop(signal: i32) {
    // Locked to the end: no other thread begins or finishes a file.
    let unfinished = unfinished();
    for path in &*unfinished {
        let _ = fs::remove_file(path);
    }
    // Writing the message may block: nobody may be reading standard error, or another thread may hold it.
    let (sender, receiver) = mpsc::channel();
    let _ = thread::Builder::new().spawn(move || {
        complain("stopped");
        sender.send(())
    });
    let _ = receiver.recv_timeout(Duration::from_millis(200));
    process::exit(128 + signal);
}

/// Waits for signals. Those that the parent process ignores (`nohup`, `&` in a script) stay ignored.
#[cfg(target_os = "linux")]
fn guard() {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;

    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| u64::from_str_radix(line.strip_prefix("SigIgn:")?.trim(), 16).ok());
    // If this is unknown, signals keep their default actions.
    let Some(ignored) = ignored else { return };
    let handled = [SIGHUP, SIGINT, SIGTERM].into_iter().filter(|signal| ignored >> (signal - 1) & 1 == 0);
    if let Ok(mut signals) = Signals::new(handled) {
        let _ = thread::Builder::new().spawn(move || signals.forever().next().map(stop));
    }
}

/// Waits for signals, unless one of them is ignored: these systems do not tell which.
#[cfg(not(target_os = "linux"))]
fn guard() {
    const INTERRUPTED: i32 = 2;
    let _ = ctrlc::try_set_handler(|| stop(INTERRUPTED));
}
