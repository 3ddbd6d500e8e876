//! Text files that are read line by line, however long they are.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use crate::outcome::Failure;

/// Reads a file line by line. `work` gets the number of a line, from 1, and its bytes with the end of the line. A line of more than `most`
/// bytes is an error.
pub(crate) fn each_line(
    path: &Path,
    most: u64,
    mut work: impl FnMut(u64, &[u8]) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let failed = |error: io::Error| Failure::nothing_read(error).in_file(path);
    let mut lines = BufReader::new(File::open(path).map_err(failed)?);
    let mut line = Vec::new();
    for number in 1.. {
        line.clear();
        if Read::take(&mut lines, most.saturating_add(1)).read_until(b'\n', &mut line).map_err(failed)? == 0 {
            break;
        }
        if line.len() as u64 > most {
            let message = format!("line {number} is longer than {most} bytes");
            return Err(Failure::findings(message).in_file(path));
        }
        work(number, &line)?;
    }
    Ok(())
}
