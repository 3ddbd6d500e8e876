//! What becomes of a file that is being written when the command is stopped (Ctrl-C, SIGTERM, a terminal that closes).

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process;
use std::sync::{Mutex, MutexGuard, Once, PoisonError, mpsc};
use std::thread;
use std::time::Duration;

use crate::print;

/// The file that is being written and is of no use unfinished.
static UNFINISHED: Mutex<Option<PathBuf>> = Mutex::new(None);

fn unfinished() -> MutexGuard<'static, Option<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Makes a file that is removed if the command is stopped before [`finish`].
pub(crate) fn begin(path: &Path, make: impl FnOnce() -> io::Result<File>) -> io::Result<File> {
    static GUARD: Once = Once::new();
    GUARD.call_once(guard);
    let mut unfinished = unfinished();
    let made = make()?;
    *unfinished = Some(path.to_owned());
    Ok(made)
}

/// Gives the file that was begun its name, or gives it up: from here on it is nothing that stopping the command would remove.
pub(crate) fn finish<T>(end: impl FnOnce() -> T) -> T {
    let mut unfinished = unfinished();
    let ended = end();
    *unfinished = None;
    ended
}

/// Puts things in order and ends with the status that shells give to what a signal of this number ended.
fn stop(signal: i32) {
    // Held to the end: nothing is begun or finished any more.
    let unfinished = unfinished();
    if let Some(path) = &*unfinished {
        let _ = fs::remove_file(path);
    }
    // Whoever reads standard error may have stopped to, and another thread may be waiting for it: a word, if there is a chance.
    let (tell, told) = mpsc::channel();
    let _ = thread::Builder::new().spawn(move || {
        print::complain(format_args!("stopped"));
        tell.send(())
    });
    let _ = told.recv_timeout(Duration::from_millis(200));
    process::exit(128 + signal);
}

/// Waits for signals, but for those that are ignored on purpose (`nohup`, `&` in a script): they stay so.
#[cfg(target_os = "linux")]
fn guard() {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;

    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| u64::from_str_radix(line.strip_prefix("SigIgn:")?.trim(), 16).ok());
    // Where that cannot be known, signals do what they do.
    let Some(ignored) = ignored else { return };
    let heeded = [SIGHUP, SIGINT, SIGTERM].into_iter().filter(|signal| ignored >> (signal - 1) & 1 == 0);
    if let Ok(mut signals) = Signals::new(heeded) {
        let _ = thread::Builder::new().spawn(move || signals.forever().next().map(stop));
    }
}

/// Waits for signals, unless any of them is ignored on purpose: which, cannot be told here.
#[cfg(not(target_os = "linux"))]
fn guard() {
    const INTERRUPTED: i32 = 2;
    let _ = ctrlc::try_set_handler(|| stop(INTERRUPTED));
}
