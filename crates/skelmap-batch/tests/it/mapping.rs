//! Openers that map.

#![allow(unsafe_code, reason = "mapping a file is unsafe; these tests map files that only they know of")]

use skelmap::mapping::Opener;

/// For files of a test's own, in a folder of its own, that the test does not change.
pub(crate) fn auto() -> Opener {
    // SAFETY: the files are the test's own, and nobody changes them while they are mapped.
    unsafe { Opener::auto() }
}
