//! Errors of the library as exceptions of Python.

use std::io;

use pyo3::exceptions::{PyFileExistsError, PyFileNotFoundError, PyMemoryError, PyOSError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;
use skelmap::archive::{Address, AddressError, ArchiveError, ArchiveErrorKind};
use skelmap::{Error, ErrorKind};
use skelmap_batch::edit::SaveError;
use skelmap_batch::items::Fault;
use skelmap_batch::save::EXISTS;
use skelmap_export::WriteError;
use skelmap_write::edit::EditError;

/// The exception of bytes that are no asset. Python declares it, because a native class cannot have a base in this ABI.
pub(crate) fn format_error(
    kind: &str,
    section: Option<&str>,
    offset: Option<u64>,
    message: &str,
    path: Option<&str>,
) -> PyErr {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    Python::attach(|py| {
        let class = CLASS.import(py, "skelmap._errors", "FormatError");
        match class.and_then(|class| class.call1((message, kind, section, offset, path))) {
            Ok(error) => PyErr::from_value(error),
            Err(error) => error,
        }
    })
}

pub(crate) fn of_format(error: &Error, path: Option<&str>) -> PyErr {
    if matches!(error.kind(), ErrorKind::OutOfMemory { .. }) {
        return PyMemoryError::new_err(error.to_string());
    }
    let section = error.section().to_string();
    format_error(error.code().name(), Some(&section), Some(error.offset()), &error.to_string(), path)
}

/// An error of values that the caller gave, such as a clip of another family.
pub(crate) fn of_use(error: &Error) -> PyErr {
    PyValueError::new_err(error.to_string())
}

pub(crate) fn of_io(error: &io::Error, path: &str) -> PyErr {
    let message = error.to_string();
    match error.raw_os_error() {
        // Python chooses the subclass by the number.
        Some(number) => {
            let message = message.split(" (os error").next().unwrap_or_default();
            PyOSError::new_err((number, message.to_owned(), path.to_owned()))
        }
        None => match error.kind() {
            io::ErrorKind::IsADirectory => PyOSError::new_err((EISDIR, message, path.to_owned())),
            io::ErrorKind::AlreadyExists if message == EXISTS => {
                let message = "exists already (force=True replaces it)".to_owned();
                PyFileExistsError::new_err((EEXIST, message, path.to_owned()))
            }
            io::ErrorKind::InvalidInput => PyValueError::new_err(format!("{path}: {message}")),
            // The same exceptions that Python chooses.
            _ => PyErr::from(io::Error::new(error.kind(), format!("{path}: {message}"))),
        },
    }
}

/// The numbers of the errors of a folder and of a file that exists, on every system that Python runs on.
const EISDIR: i32 = 21;
const EEXIST: i32 = 17;

fn of_archive(error: &ArchiveError, path: &str) -> PyErr {
    if matches!(error.kind(), ArchiveErrorKind::NoSuchEntry) {
        return not_found(&error.to_string(), path);
    }
    format_error(error.code().name(), None, None, &error.to_string(), Some(path))
}

fn not_found(message: &str, path: &str) -> PyErr {
    const ENOENT: i32 = 2;
    PyFileNotFoundError::new_err((ENOENT, message.to_owned(), path.to_owned()))
}

pub(crate) fn of_address(error: &AddressError, address: &Address) -> PyErr {
    let path = address.to_string();
    match error {
        AddressError::Open(error) => of_io(error.io(), &path),
        AddressError::Archive { error, .. } => of_archive(error, &path),
        other => PyOSError::new_err(other.to_string()),
    }
}

/// The fault of an item of a walk.
pub(crate) fn of_fault(fault: &Fault, path: &str) -> PyErr {
    let as_io = |kind| of_io(&io::Error::new(kind, fault.message.clone()), path);
    match fault.kind {
        "not-found" | "zip-no-such-entry" => {
            not_found(fault.message.split(" (os error").next().unwrap_or_default(), path)
        }
        "permission-denied" => as_io(io::ErrorKind::PermissionDenied),
        "is-a-directory" => as_io(io::ErrorKind::IsADirectory),
        "io" => as_io(io::ErrorKind::Other),
        kind => format_error(kind, fault.section.as_deref(), fault.offset, &fault.message, Some(path)),
    }
}

pub(crate) fn of_write(error: &WriteError, path: &str) -> PyErr {
    match error {
        WriteError::Output(error) => of_io(error, path),
        other => PyValueError::new_err(other.to_string()),
    }
}

/// An edit that was not saved.
pub(crate) fn of_save(error: &SaveError) -> PyErr {
    match error {
        SaveError::File { path, error } => of_io(error, &path.display().to_string()),
        SaveError::Edit(EditError::SharedFrames { .. }) => {
            PyValueError::new_err(format!("{error}: copy_shared=True gives each its own"))
        }
        other => PyValueError::new_err(other.to_string()),
    }
}
