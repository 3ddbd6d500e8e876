//! The modes in which files are opened. The only module with `unsafe`: a Python program makes the promise that a map needs.

#![allow(unsafe_code)]

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use skelmap::mapping::Opener;

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

    /// Opens single files.
    pub(crate) fn opener(self) -> Opener {
        match self {
            Self::Read => Opener::reading(),
            // SAFETY: `leasing` asks that this process is not stopped for long and does not use the bytes in a forked child. The
            // documentation of the argument `mode` passes this on to the program.
            Self::Lease => unsafe { Opener::leasing() },
            // SAFETY: `mapping` asks that nobody changes or truncates the file meanwhile. The documentation of the argument `mode` passes
            // this on to the program, as that of Python's own `mmap` does.
            Self::Map => unsafe { Opener::mapping() },
        }
    }

    /// Opens archives, of which parts are used, and many files. Archives that are to be read are mapped too: they may have gigabytes.
    pub(crate) fn opener_of_many(self) -> Opener {
        match self {
            // SAFETY: `auto` asks the same as `mapping`, and the documentation of `mode` says so for archives of every mode.
            Self::Read | Self::Map => unsafe { Opener::auto() },
            Self::Lease => self.opener(),
        }
    }
}
