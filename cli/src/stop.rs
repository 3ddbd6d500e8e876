//! Removes unfinished files when the command is stopped (Ctrl-C, SIGTERM, a closed terminal).

use std::process;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use skelmap_batch::unfinished;
pub(crate) use skelmap_batch::unfinished::wait as wait_if_stopping;

use crate::output::complain;
use crate::progress::clear_line;

/// Lets the first unfinished file wait for signals.
pub(crate) fn handle_signals() {
    unfinished::watch_with(guard);
}

/// Removes the unfinished files and ends the process with the status that shells use for this signal.
fn stop(signal: i32) {
    let _to_the_end = unfinished::remove_all();
    // Writing the message may block: nobody may be reading standard error, or another thread may hold it.
    let (sender, receiver) = mpsc::channel();
    let _ = thread::Builder::new().spawn(move || {
        clear_line();
        complain("stopped");
        sender.send(())
    });
    let _ = receiver.recv_timeout(Duration::from_millis(200));
    process::exit(128 + signal);
}

/// Waits for signals. Those that the parent process ignores (`nohup`, `&` in a script) stay ignored.
#[cfg(target_os = "linux")]
fn guard() {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
    use signal_hook::iterator::Signals;

    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| u64::from_str_radix(line.strip_prefix("SigIgn:")?.trim(), 16).ok());
    // If this is unknown, signals keep their default actions.
    let Some(ignored) = ignored else { return };
    // A file above the limit of the system is an error of writing, and no end.
    let _ = signal_hook::flag::register(SIGXFSZ, std::sync::Arc::default());
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
