//! Many files at once: the walk, archives and stores, conversions, and the text files of mods.

mod archives;
mod convert;
#[cfg(target_os = "linux")]
mod mapping;
mod mod_files;
#[cfg(unix)]
mod paths;
#[cfg(unix)]
#[cfg(target_os = "linux")]
mod place;
// Some of the tests that it names are for Linux.
#[cfg(target_os = "linux")]
mod promises;
mod stores;
#[cfg(unix)]
mod walk;
