//! The one promise that the command line makes on behalf of its user.

#![allow(unsafe_code)]

use skelmap::mapping::Opener;

/// How files are opened: large ones mapped and small ones read, or all read.
pub(crate) fn opener(never_map: bool) -> Opener {
    if never_map {
        return Opener::reading();
    }
    // SAFETY: `Opener::auto` asks that nobody truncates or changes a file while it is open. This process never writes to its
    // inputs, and `--help` tells the user not to let others do so while it runs, or to pass `--no-map`.
    unsafe { Opener::auto() }
}
