//! The one promise that the command line makes on behalf of its user, and what it says when that is not kept.

#![allow(unsafe_code)]

use skelmap::mapping::{Opener, exit_on_fault};

use crate::cli::Opening;
use crate::{Outcome, print};

/// How files are opened: large ones mapped and small ones read, large ones mapped under a lease, or all read.
pub(crate) fn opener(arguments: &Opening) -> Opener {
    if arguments.no_map {
        return Opener::reading();
    }
    let after = ": cut short by another program while it was being read; run again, or pass --lease or --no-map";
    if let Err(error) = exit_on_fault("skelmap: ", after, Outcome::CutShort as i32) {
        print::complain(format_args!("a file that is cut short meanwhile will end this without a word: {error}"));
    }
    if arguments.lease {
        // SAFETY: `Opener::leasing` asks that this process be not stopped for long while others write, which `--help` tells the
        // user; it does not fork.
        unsafe { Opener::leasing() }
    } else {
        // SAFETY: `Opener::auto` asks that nobody truncates or changes a file while it is open. This process never writes to its
        // inputs, and `--help` tells the user not to let others do so while it runs, or to pass `--lease` or `--no-map`.
        unsafe { Opener::auto() }
    }
}
