//! Edits that are saved, or written to a pipe.

use std::io::Write;
use std::path::Path;

use skelmap_batch::edit::SaveError;
use skelmap_write::edit::EditError;

use crate::outcome::Failure;
use crate::sink::Sink;

/// Writes to standard output or a pipe.
pub(crate) fn written<T>(
    sink: Sink<'_>,
    write: impl FnOnce(&mut dyn Write) -> Result<T, EditError>,
) -> Result<T, Failure> {
    let mut done = None;
    let ended = sink.write(false, |mut out| {
        let report = write(&mut out);
        done = Some(report.map_err(|error| match error {
            EditError::Write(error) => Err(error),
            error => Ok(error),
        }));
        out.flush()
    });
    match done {
        Some(Ok(report)) => ended.map(|()| report),
        Some(Err(Ok(error))) => Err(Failure::usage(error)),
        Some(Err(Err(error))) => Err(sink.failed(error)),
        None => Err(ended.err().unwrap_or_else(|| Failure::usage("nothing is written"))),
    }
}

/// The end of a command whose edit is not saved.
pub(crate) fn unsaved(error: SaveError, input: Option<&Path>) -> Failure {
    let asked = match error {
        SaveError::Edit(error @ EditError::SharedFrames { .. }) => {
            Failure::usage(format!("{error}: --copy-shared gives each its own"))
        }
        SaveError::Edit(error) => Failure::usage(error),
        SaveError::Name { path, why } => return Failure::usage(why).in_file(&path),
        SaveError::Exec(path) => {
            return Failure::usage("--exec: choose another file than FILE, OUT and their side-cars").in_file(&path);
        }
        SaveError::File { path, error } => return Failure::not_written(error).in_file(&path),
        other => Failure::usage(other),
    };
    match input {
        Some(input) => asked.in_file(input),
        None => asked,
    }
}
