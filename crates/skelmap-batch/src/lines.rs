//! Text files that are read line by line, however long they are.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

/// Why a file is not read to its end.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LineError {
    /// The file cannot be opened or read.
    #[error(transparent)]
    Read(#[from] io::Error),
    /// A line that is too long.
    #[error("line {line} is longer than {most} bytes")]
    TooLong {
        /// The number of the line, from 1.
        line: u64,
        /// The largest number of bytes.
        most: u64,
    },
    /// A record that cannot be read.
    #[error(transparent)]
    Csv(#[from] csv::Error),
    /// A line that is something else.
    #[error("line {line} is {what}")]
    Other {
        /// The number of the line, from 1.
        line: u64,
        /// What the line is, or what it is not.
        what: &'static str,
    },
}

/// Reads a file line by line. `work` gets the number of a line, from 1, and its bytes with the end of the line. A line of more than `most`
/// bytes is an error.
///
/// # Errors
/// [`LineError`], also that of `work`.
pub fn each_line(
    path: &Path,
    most: u64,
    mut work: impl FnMut(u64, &[u8]) -> Result<(), LineError>,
) -> Result<(), LineError> {
    let mut lines = BufReader::new(File::open(path)?);
    let mut line = Vec::new();
    for number in 1.. {
        line.clear();
        if Read::take(&mut lines, most.saturating_add(1)).read_until(b'\n', &mut line)? == 0 {
            break;
        }
        if line.len() as u64 > most {
            return Err(LineError::TooLong { line: number, most });
        }
        work(number, &line)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_may_have_as_many_bytes_as_the_limit() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("lines");
        std::fs::write(&path, "abc\nabcd").expect("written");
        let read = |most| {
            let mut lines = Vec::new();
            let end = each_line(&path, most, |number, line| {
                lines.push((number, line.to_vec()));
                Ok(())
            });
            (lines.len(), end)
        };
        assert!(matches!(read(4), (2, Ok(()))));
        assert!(matches!(read(3), (0, Err(LineError::TooLong { line: 1, most: 3 }))));
    }
}
