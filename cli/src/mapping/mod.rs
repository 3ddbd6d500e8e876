//! How files are opened: the promise that the command makes for its user, and the signal handler for a broken one. All that is unsafe here.

#![allow(unsafe_code)]

#[cfg(target_os = "linux")]
mod fault;
#[cfg(windows)]
pub(crate) mod window;

use skelmap::mapping::Opener;

use crate::arguments::Opening;

/// Opens files as the arguments ask: large ones mapped, large ones mapped under a lease, or all read. As they are stored: what parses a file
/// unpacks it. Windows replaces no file that is mapped: there, files that may be replaced are read.
pub(crate) fn opener(arguments: &Opening, may_replace: bool) -> Opener {
    if cfg!(windows) && may_replace { Opener::reading().raw() } else { opener_of(arguments).raw() }
}

fn opener_of(arguments: &Opening) -> Opener {
    if arguments.no_map {
        return Opener::reading();
    }
    #[cfg(target_os = "linux")]
    if let Err(error) = fault::install() {
        crate::output::complain(format!(
            "a file that becomes shorter will kill this program without a message: {error}"
        ));
    }
    if arguments.lease {
        // SAFETY: `Opener::leasing` asks that this process is not stopped for long while others write. The process does not fork,
        // and `--help` tells the user.
        unsafe { Opener::leasing() }
    } else {
        // SAFETY: `Opener::auto` asks that nobody truncates or changes a file while it is open. This process never writes to its
        // inputs, and `--help` tells the user to pass `--lease` or `--no-map` if others do.
        unsafe { Opener::auto() }
    }
}
