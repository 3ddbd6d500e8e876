//! `skelmap cat`: the bytes of files and entries on standard output.

use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;

use clap::Args;
use skelmap::archive::Address;

use crate::arguments::input;
use crate::files::Source;
use crate::outcome::{Ended, Failure, Outcome};
use crate::output::{complain, stdout};

/// Write the bytes of entries, files and objects to standard output.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  skelmap cat 'public.zip!/art/x.psa' > x.psa
  skelmap cat 's3://bucket/public.zip!/art/x.psa' | sha256sum

The checksum of an entry is compared before its bytes are written. What cannot be read is named, the rest is written, and the exit \
status is 1, or 3 if nothing can be read.")]
pub(crate) struct Cat {
    /// Addresses of entries (`'mod.zip!/art/x.psa'`, in quotes), files, and addresses of objects.
    #[arg(required = true, value_name = "ADDRESS", value_parser = input())]
    paths: Vec<PathBuf>,
}

pub(crate) fn run(arguments: &Cat, source: &Source) -> Ended {
    if io::stdout().is_terminal() {
        let message = "standard output is a terminal: send the bytes to a file (> FILE) or to another program";
        return Err(Failure::usage(message));
    }
    let (mut out, mut failed) = (stdout(), 0);
    for path in &arguments.paths {
        let place = Address::find(path);
        match source.checked_bytes(&place) {
            // In pieces: if a mapped file becomes shorter meanwhile, this process says so.
            Ok(bytes) => bytes.chunks(1 << 15).try_for_each(|piece| out.write_all(piece))?,
            Err(fault) => {
                complain(format!("{place}: {}", fault.message));
                failed += 1;
            }
        }
    }
    out.flush()?;
    Ok(match failed {
        0 => Outcome::Clean,
        all if all == arguments.paths.len() => Outcome::NothingRead,
        _ => Outcome::Findings,
    })
}
