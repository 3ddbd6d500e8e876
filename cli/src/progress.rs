//! Progress on standard error, if that is a terminal: one line, drawn eight times a second at most, whatever is printed meanwhile.

use std::io::{self, IsTerminal, Write};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use skelmap_batch::Watch;

use crate::messages;
use crate::text::size;

/// The least time from one drawing to the next, and from the beginning to the first: short work draws nothing.
const PAUSE: Duration = Duration::from_millis(125);

/// The characters of a full bar.
const WIDTH: u64 = 20;

/// What is counted.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Unit {
    Files,
    Bytes,
    /// The total is not known.
    Rows,
}

/// Work that is shown as it goes.
#[derive(Debug)]
pub(crate) struct Progress {
    unit: Unit,
    total: AtomicU64,
    done: AtomicU64,
    begin: Instant,
    is_shown: bool,
    line: Mutex<Line>,
}

/// Whether the terminal shows a line.
static IS_DRAWN: AtomicBool = AtomicBool::new(false);

/// Clears the line that the terminal shows, if there is one.
pub(crate) fn clear_line() {
    if IS_DRAWN.swap(false, Ordering::Relaxed) {
        let _ = write!(anstream::stderr(), "\r\x1b[K");
    }
}

/// The line on the terminal.
#[derive(Debug)]
struct Line {
    last: Instant,
}

impl Line {
    /// Whether it is time to draw, which is taken as done.
    fn is_due(&mut self, now: Instant) -> bool {
        let is_due = now.saturating_duration_since(self.last) >= PAUSE;
        if is_due {
            self.last = now;
        }
        is_due
    }
}

impl Progress {
    pub(crate) fn of_files(total: usize) -> Self {
        Self::new(Unit::Files, total.try_into().unwrap_or(u64::MAX))
    }

    /// Files whose number the engine tells.
    pub(crate) fn of_run() -> Arc<Self> {
        Arc::new(Self::of_files(0))
    }

    pub(crate) fn new(unit: Unit, total: u64) -> Self {
        let begin = Instant::now();
        let is_dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        let is_shown = io::stderr().is_terminal() && !is_dumb && !messages::is_quiet();
        let line = Mutex::new(Line { last: begin });
        Self { unit, total: AtomicU64::new(total), done: AtomicU64::new(0), begin, is_shown, line }
    }

    /// Counts what is done.
    pub(crate) fn inc(&self, more: u64) {
        let done = self.done.fetch_add(more, Ordering::Relaxed).saturating_add(more);
        if !self.is_shown {
            return;
        }
        // While another thread draws or prints, there is nothing to do.
        if let Ok(mut line) = self.line.try_lock() {
            let now = Instant::now();
            if line.is_due(now) {
                IS_DRAWN.store(true, Ordering::Relaxed);
                let _ = write!(anstream::stderr(), "\r{}\x1b[K", self.text(done, now));
            }
        }
    }

    fn text(&self, done: u64, now: Instant) -> String {
        let total = self.total.load(Ordering::Relaxed).max(done).max(1);
        let full = u128::from(done) * u128::from(WIDTH) / u128::from(total);
        let bar: String = (0..u128::from(WIDTH)).map(|at| if at < full { '#' } else { '-' }).collect();
        match self.unit {
            // Files take times of their own: their number does not say how much time is left.
            Unit::Files => format!("{bar} {done}/{total} files"),
            Unit::Rows => format!("{done} rows"),
            Unit::Bytes => {
                let spent = now.saturating_duration_since(self.begin).as_millis();
                let left = rounded(spent * u128::from(total - done) / u128::from(done.max(1)));
                format!("{bar} {} of {}, {left} left", size(done), size(total))
            }
        }
    }

    /// A watch of a run of the engine, which draws the progress.
    pub(crate) fn watch(self: &Arc<Self>) -> Watch {
        let progress = Arc::clone(self);
        Watch::with_progress(move |_, total| {
            progress.total.store(total, Ordering::Relaxed);
            progress.inc(1);
        })
    }

    /// Prints something where the line was. The line is drawn again when it is due.
    pub(crate) fn suspend<T>(&self, print: impl FnOnce() -> T) -> T {
        if !self.is_shown {
            return print();
        }
        let _line = self.line.lock().unwrap_or_else(PoisonError::into_inner);
        clear_line();
        print()
    }

    pub(crate) fn finish_and_clear(&self) {
        self.suspend(|| ());
    }
}

/// Milliseconds in the largest unit that they fill one and a half times, or else in seconds.
fn rounded(ms: u128) -> String {
    const SECOND: u128 = 1000;
    const DAY: u128 = 86_400 * SECOND;
    const UNITS: [(u128, char); 6] =
        [(365 * DAY, 'y'), (7 * DAY, 'w'), (DAY, 'd'), (3600 * SECOND, 'h'), (60 * SECOND, 'm'), (SECOND, 's')];
    let mut pairs = UNITS.iter().zip(UNITS.iter().skip(1));
    match pairs.find(|((unit, _), (next, _))| ms + next / 2 >= unit * 3 / 2) {
        Some(((unit, name), _)) => format!("{}{name}", ((ms + unit / 2) / unit).max(2)),
        None => format!("{}s", (ms + SECOND / 2) / SECOND),
    }
}

/// An early return leaves no line behind.
impl Drop for Progress {
    fn drop(&mut self) {
        self.finish_and_clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_drawn_eight_times_a_second_however_often_something_is_counted() {
        let begin = Instant::now();
        let mut line = Line { last: begin };
        let due = (0..10_000).filter(|at| line.is_due(begin + Duration::from_micros(at * 100))).count();
        assert_eq!(due, 7);
        assert!(line.is_due(begin + Duration::from_secs(1)));
    }

    #[test]
    fn a_line_says_what_is_done_and_the_time_that_is_left_for_bytes() {
        let files = Progress::new(Unit::Files, 200);
        let later = files.begin + Duration::from_secs(5);
        assert_eq!(files.text(50, later), "#####--------------- 50/200 files");
        let bytes = Progress::new(Unit::Bytes, 4 << 20);
        let later = bytes.begin + Duration::from_secs(5);
        assert_eq!(bytes.text(1 << 20, later), "#####--------------- 1.00 MiB of 4.00 MiB, 15s left");
        assert_eq!(
            [499, 500, 88_900, 89_500, 150_000, 5_400_000, 400 * 86_400_000].map(rounded),
            ["0s", "1s", "89s", "2m", "3m", "2h", "57w"]
        );
        assert_eq!(Progress::new(Unit::Rows, 0).text(1_000_000, later), "1000000 rows");
        assert_eq!(Progress::new(Unit::Files, 0).text(0, later).split(' ').nth(1), Some("0/1"));
    }
}
