//! The modes in which files are opened. The only module with `unsafe`: a Python program makes the promise that a map needs.

#![allow(unsafe_code)]

use std::sync::{Arc, Mutex};

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use skelmap::mapping::Opener;
use skelmap_stores::{Options, Remote};

/// How a file is opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    Read,
    Lease,
    Map,
}

impl Mode {
    pub(crate) fn find(name: &str) -> PyResult<Self> {
        match name {
            "read" => Ok(Self::Read),
            "lease" => Ok(Self::Lease),
            "map" => Ok(Self::Map),
            _ => Err(PyValueError::new_err(format!("mode is {name:?}, expected 'read', 'lease' or 'map'"))),
        }
    }

    /// Opens single files as they are stored: [`Opened`](crate::file::Opened) unpacks them, with errors of the format.
    pub(crate) fn opener(self) -> Opener {
        let opener = match self {
            Self::Read => Opener::reading(),
            // SAFETY: `leasing` asks that this process is not stopped for long and does not use the bytes in a forked child. The
            // documentation of the argument `mode` passes this on to the program.
            Self::Lease => unsafe { Opener::leasing() },
            // SAFETY: `mapping` asks that nobody changes or truncates the file meanwhile. The documentation of the argument `mode` passes
            // this on to the program, as that of Python's own `mmap` does.
            Self::Map => unsafe { Opener::mapping() },
        };
        opener.raw()
    }

    /// Opens archives, of which parts are used, many files, and objects in stores. Archives that are to be read are mapped too: they may
    /// have gigabytes.
    pub(crate) fn opener_of_many(self) -> Opener {
        let opener = match self {
            // SAFETY: `auto` asks the same as `mapping`, and the documentation of `mode` says so for archives of every mode.
            Self::Read | Self::Map => unsafe { Opener::auto() },
            Self::Lease => self.opener(),
        };
        opener.raw().with_store(Arc::new(remote()))
    }
}

/// The connections to stores of this process. A process that was forked has none of the threads of the old connections, so it gets new
/// ones; the old ones cannot be ended there.
fn remote() -> Remote {
    static REMOTE: Mutex<Option<(u32, Remote)>> = Mutex::new(None);
    // A fork at this moment leaves the lock taken in the child for ever: nobody waits for it.
    let Ok(mut known) = REMOTE.try_lock() else { return Remote::new(Options::default()) };
    match &*known {
        Some((process, remote)) if *process == std::process::id() => remote.clone(),
        _ => {
            let remote = Remote::new(Options::default());
            std::mem::forget(known.replace((std::process::id(), remote.clone())));
            remote
        }
    }
}
