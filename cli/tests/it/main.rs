//! The tests of the command: each runs the program and looks at what it prints, writes and ends with.
//!
//! Builders, the corpus and the naive readers are those of the library's tests.

#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "tests cast small numbers they wrote themselves"
)]
#![allow(clippy::float_cmp, reason = "what is read is what was written, to the bit")]

mod addresses;
mod bulk;
mod catalog;
mod check;
mod config;
mod convert;
mod diff;
mod dump;
mod edits;
mod extract;
mod gsa;
mod help;
mod info;
#[cfg(not(all(feature = "stores", feature = "tables", feature = "textures")))]
mod lacking;
mod ls;
mod manual;
mod matching;
mod mods;
mod originals;
mod pack;
mod plot;
mod pose;
// Some of the tests that it names are for Linux.
#[cfg(target_os = "linux")]
mod promises;
mod query;
mod real_archive;
mod run;
mod schema;
mod sheet;
#[cfg(unix)]
mod shortened;
mod stats;
#[cfg(feature = "stores")]
mod stores;
// Needs what Linux has: `/proc`, `/dev/full`, limits that the shell sets, its words for errors.
#[cfg(target_os = "linux")]
mod system;
mod view;
#[cfg(windows)]
mod windows;
