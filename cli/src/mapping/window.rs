//! Whether Windows has opened a window for this process: a call of the system that has no safe form.

use std::io::{self, IsTerminal};

/// Whether the window is there for this process alone: no shell has started the process.
pub(crate) fn is_own() -> bool {
    #[link(name = "kernel32")]
    unsafe extern "system" {
        fn GetConsoleProcessList(ids: *mut u32, count: u32) -> u32;
    }
    let mut ids = [0; 2];
    // SAFETY: the function writes at most `count` numbers, and `ids` has two.
    let is_alone = unsafe { GetConsoleProcessList(ids.as_mut_ptr(), 2) } == 1;
    is_alone && io::stdin().is_terminal() && io::stdout().is_terminal()
}
