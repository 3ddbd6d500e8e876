//! Work that may take long: without Python's lock, and with an ear for Ctrl-C.

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
    if bytes < SHORT { Ok(py.detach(work)) } else { run_watched(py, || Ok(()), work) }
}

/// Does work on a thread of its own, and calls `look` now and then.
pub(crate) fn run_watched<T: Send + 'static>(
    py: Python<'_>,
    mut look: impl FnMut() -> PyResult<()>,
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
    loop {
        let waited = py.detach(|| match receiver.lock() {
            Ok(receiver) => receiver.recv_timeout(PERIOD),
            Err(_) => Err(RecvTimeoutError::Disconnected),
        });
        match waited {
            Ok(result) => return Ok(result),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return Err(PyRuntimeError::new_err("the work ended with a panic")),
        }
        py.check_signals()?;
        look()?;
    }
}
