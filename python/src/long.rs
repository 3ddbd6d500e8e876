//! Work that may take long: without Python's lock, and with an ear for Ctrl-C.

use std::num::NonZeroUsize;
use std::ops::Range;
use std::panic::resume_unwind;
use std::sync::Mutex;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

/// How often signals and progress are looked at.
const PERIOD: Duration = Duration::from_millis(40);

/// Bytes that are read or written in a few hundredths of a second.
const SHORT: usize = 32 << 20;

/// Does work without Python's lock. Work on many bytes gets a thread of its own, and a signal (Ctrl-C) leaves the thread alone with it:
/// the thread ends when its work is done, and nobody sees the result.
pub(crate) fn run<T: Send + 'static>(
    py: Python<'_>,
    bytes: usize,
    work: impl FnOnce() -> T + Send + 'static,
) -> PyResult<T> {
    if bytes < SHORT { Ok(py.detach(work)) } else { run_watched(py, || Ok(()), || (), work) }
}

/// Does work on a thread of its own, and calls `look` now and then. After a signal or an exception of `look`, calls `stop`, and gives the
/// thread a moment to tidy up.
pub(crate) fn run_watched<T: Send + 'static>(
    py: Python<'_>,
    mut look: impl FnMut() -> PyResult<()>,
    stop: impl FnOnce(),
    work: impl FnOnce() -> T + Send + 'static,
) -> PyResult<T> {
    let (sender, receiver) = mpsc::channel();
    let send = move || {
        // Nobody waits any more after a signal.
        let _ = sender.send(work());
    };
    thread::Builder::new().name("skelmap".to_owned()).spawn(send)?;
    // `detach` asks for values that threads may share.
    let receiver = Mutex::new(receiver);
    let wait = || {
        py.detach(|| match receiver.lock() {
            Ok(receiver) => receiver.recv_timeout(PERIOD),
            Err(_) => Err(RecvTimeoutError::Disconnected),
        })
    };
    loop {
        match wait() {
            Ok(result) => return Ok(result),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return Err(PyRuntimeError::new_err("the work ended with a panic")),
        }
        if let Err(error) = py.check_signals().and_then(|()| look()) {
            stop();
            let _ = wait();
            return Err(error);
        }
    }
}

/// Bytes of values that pay for one more thread. On two shared processors, two threads took longer than one for 1.2 MB.
const BYTES_OF_A_THREAD: usize = 1 << 22;

/// The most threads for one call.
const MAX_THREADS: usize = 8;

/// Computes rows of `width` values on as many threads as pay off: `work` gets the indices of some rows and their values. The threads end with
/// the call. Returns the first error in the order of the rows.
pub(crate) fn split<T: Send, E: Send>(
    values: &mut [T],
    width: usize,
    rows: usize,
    work: impl Fn(Range<usize>, &mut [T]) -> Result<(), E> + Sync,
) -> Result<(), E> {
    let processors = thread::available_parallelism().map_or(1, NonZeroUsize::get).min(MAX_THREADS);
    let threads = size_of_val(values).checked_div(BYTES_OF_A_THREAD).unwrap_or(0).clamp(1, processors);
    if threads == 1 || width == 0 {
        return work(0..rows, values);
    }
    let part = rows.div_ceil(threads).max(1);
    let starts = (0..rows).step_by(part);
    let parts = starts.zip(values.chunks_mut(part.saturating_mul(width)));
    thread::scope(|scope| {
        let work = &work;
        let run = |(start, values): (usize, _)| {
            scope.spawn(move || work(start..start.saturating_add(part).min(rows), values))
        };
        let running: Vec<_> = parts.map(run).collect();
        running.into_iter().try_for_each(|thread| thread.join().unwrap_or_else(|panic| resume_unwind(panic)))
    })
}
