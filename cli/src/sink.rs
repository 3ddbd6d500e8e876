//! Where a command sends one stream of bytes: to standard output, to a pipe or device, or to a file that appears complete or not at all.

use std::fs::{File, OpenOptions};
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

use crate::outcome::Failure;
use crate::output::{Output, buffered, stdout, to_file};
use skelmap_batch::originals::Originals;
use skelmap_batch::save;

/// Names of standard output.
const STDOUT: [&str; 4] = ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"];

/// Whether a path means standard output.
pub(crate) fn is_stdout(path: &Path) -> bool {
    STDOUT.iter().any(|name| path == Path::new(name))
}

/// Whether a path has one of these extensions, in any case.
pub(crate) fn has_extension(path: &Path, known: &[&str]) -> bool {
    let extension = path.extension().unwrap_or_default();
    known.iter().any(|known| extension.eq_ignore_ascii_case(known))
}

/// Where bytes go.
#[derive(Clone, Copy)]
pub(crate) enum Sink<'p> {
    Stdout,
    /// A named pipe or a device that takes characters: what it got cannot be taken back.
    Stream(&'p Path),
    File(&'p Path),
}

impl<'p> Sink<'p> {
    /// The place of an option `-o`.
    pub(crate) fn new(output: Option<&'p Path>) -> Self {
        match output {
            None => Self::Stdout,
            Some(path) if is_stdout(path) => Self::Stdout,
            Some(path) if is_stream(path, true) => Self::Stream(path),
            Some(path) => Self::File(path),
        }
    }

    /// Checks that bytes that people cannot read do not go to a terminal. `hint`: how they go to a file.
    pub(crate) fn check_binary(self, hint: &str) -> Result<(), Failure> {
        let is_terminal = match self {
            Self::Stdout => io::stdout().is_terminal(),
            // Opening a pipe waits for its reader.
            Self::Stream(path) => is_stream(path, false) && open(path).is_ok_and(|file| file.is_terminal()),
            Self::File(_) => false,
        };
        if is_terminal {
            let message =
                format!("this format is binary, and the output is a terminal: send it to a file ({hint}) or a program");
            return Err(Failure::usage(message));
        }
        Ok(())
    }

    /// Checks that the output can be written and is no input.
    pub(crate) fn check(self, force: bool, inputs: &[PathBuf]) -> Result<(), Failure> {
        if let Self::File(path) = self {
            save::replaceable(path, force).map_err(|error| self.failed(error))?;
        }
        match self {
            Self::Stdout => Ok(()),
            Self::Stream(path) | Self::File(path) => {
                let checked = Originals::new(inputs.iter().cloned()).check(path);
                checked.map_err(|error| Failure::usage(error).in_file(path))
            }
        }
    }

    /// Checks the same of a picture, and that it replaces no image beside the inputs.
    pub(crate) fn check_picture(self, force: bool, inputs: &[PathBuf]) -> Result<(), Failure> {
        self.check(force, inputs)?;
        let Self::File(path) = self else { return Ok(()) };
        let checked = Originals::new(inputs.iter().cloned()).check_picture(path);
        checked.map_err(|error| Failure::usage(error).in_file(path))
    }

    /// Writes everything. Only `force` replaces a file.
    pub(crate) fn write(self, force: bool, write: impl FnOnce(Output) -> io::Result<()>) -> Result<(), Failure> {
        let written = match self {
            Self::Stdout => write(stdout()),
            Self::Stream(path) => open(path).and_then(|file| write(to_file(file))),
            Self::File(path) => save::save(path, force, |out| write(buffered(out.get_ref().try_clone()?))),
        };
        written.map_err(|error| self.failed(error))
    }

    /// Writes these bytes. Only `force` replaces a file.
    pub(crate) fn write_bytes(self, force: bool, bytes: &[u8]) -> Result<(), Failure> {
        self.write(force, |mut out| out.write_all(bytes).and_then(|()| out.flush()))
    }

    /// Checks that a file has one of these extensions, in any case.
    pub(crate) fn check_extension(self, known: &[&str], expected: &str) -> Result<(), Failure> {
        match self {
            Self::File(path) if !has_extension(path, known) => Err(Failure::usage(expected).in_file(path)),
            _ => Ok(()),
        }
    }

    /// The end of a command that cannot write. Nobody is told that a reader has read enough.
    pub(crate) fn failed(self, error: io::Error) -> Failure {
        match self {
            Self::Stream(path) if error.kind() != io::ErrorKind::BrokenPipe => {
                Failure::not_written(error).in_file(path)
            }
            Self::File(path) => Failure::not_written(error).in_file(path),
            _ => Failure::Output(error),
        }
    }
}

fn open(path: &Path) -> io::Result<File> {
    OpenOptions::new().write(true).open(path)
}

/// Whether a path leads to a device that takes characters, or, with `has_pipes`, to a named pipe.
#[cfg(unix)]
fn is_stream(path: &Path, has_pipes: bool) -> bool {
    use std::os::unix::fs::FileTypeExt;
    let file_type = path.metadata().map(|metadata| metadata.file_type());
    file_type.is_ok_and(|own| own.is_char_device() || (has_pipes && own.is_fifo()))
}

#[cfg(not(unix))]
fn is_stream(_: &Path, _: bool) -> bool {
    false
}
